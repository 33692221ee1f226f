"""Whether an answer is the expected one."""

from collections.abc import Sequence

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import OptionError
from reclaimstats.options import choice, distance
from reclaimstats.text._expression import elementwise, strings, text_column, text_or_list_column

_USUAL = ("unicode", "case", "space", "punctuation", "numbers")


def exact_match(
    *,
    pred: str | pl.Expr,
    gold: str | pl.Expr,
    normalise: str | Sequence[str] = _USUAL,
    tolerance: float = 0.0,
    rel_tolerance: float = 0.0,
    first_line: bool = False,
) -> pl.Expr:
    r"""Test whether an answer is the expected one, apart from what is declared not to count.

    A row is an answer with the expected one, or with a list of which any will do. Equal texts
    always match, whatever the options. The order of the arguments would say which of the two
    is which, so they have to be named.

    Args:
        pred: Column name or expression with the answers. A null is no answer and stays null;
            where it is to count as wrong, `.fill_null(False)` says so.
        gold: Column name or expression with the expected answers, text or lists of text.
        normalise: What does not count, any of "unicode" (full-width forms, typographic quotes,
            dashes and blanks, invisible characters, composed or decomposed accents), "case",
            "space", "punctuation" (never a sign or a decimal point, nor a mark between two
            digits), "articles" (a, an, the), "latex" (`$…$`, `\boxed`, `\text` and their like)
            and "numbers": two texts that are each wholly one number compare by value, so that
            `1,234` is `1234.0` and `2 2/3` is not `2`. By default all but articles and LaTeX.
        tolerance: Two numbers nearer than this are equal.
        rel_tolerance: So are two that are nearer than this share of the larger one.
        first_line: The first line of an answer may match alone, for models that go on and on.

    Returns:
        Expression of Boolean. Null where the answer or the expected one is null, or the list
        of expected ones is empty.

    Raises:
        OptionError: A normalisation is unknown, a tolerance is negative, or there is one while
            "numbers" is not in `normalise`.
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> rows = pl.DataFrame(
        ...     {"said": ["**Paris.**", "-5", "$1,234"], "true": ["paris", "5", "1234.00"]}
        ... )
        >>> rows.select(rs.text.exact_match(pred="said", gold="true")).to_series().to_list()
        [True, False, True]
    """
    steps = _steps(normalise)
    absolute = distance("tolerance", tolerance)
    relative = distance("rel_tolerance", rel_tolerance)
    if absolute + relative > 0 and "numbers" not in steps:
        raise OptionError("a tolerance is for numbers; add 'numbers' to normalise")
    rules = _core.MatchRules(steps, absolute, relative, first_line)

    def match(columns: Sequence[pl.Series]) -> pl.Series:
        found = _core.exact_match(*_pair("exact_match", columns), rules)
        return pl.Series(found).alias(columns[0].name)

    return elementwise(match, [pred, gold], pl.Boolean())


def token_f1(
    *,
    pred: str | pl.Expr,
    gold: str | pl.Expr,
    normalise: str | Sequence[str] = (*_USUAL, "articles"),
    first_line: bool = False,
) -> pl.Expr:
    """Measure how many words an answer shares with the expected one, as F1.

    A row is an answer with the expected one, or with a list of which the best counts. Words are
    what white space separates after normalisation, each as often as it stands there; precision
    is the share of the answer's that the expected one has, recall the reverse, and F1 their
    harmonic mean. Two texts that `exact_match` takes for the same have 1.

    Args:
        pred: Column name or expression with the answers.
        gold: Column name or expression with the expected answers, text or lists of text.
        normalise: As in `exact_match`; by default with "articles", as for SQuAD.
        first_line: As in `exact_match`; the better of the two counts.

    Returns:
        Expression of Float64 from 0 to 1, null as in `exact_match`.

    Raises:
        OptionError: A normalisation is unknown.
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> rows = pl.DataFrame({"said": ["the red bike"], "true": ["a red car"]})
        >>> rows.select(rs.text.token_f1(pred="said", gold="true")).item()
        0.5
    """
    steps = _steps(normalise)
    rules = _core.MatchRules(steps, 0.0, 0.0, first_line)

    def measure(columns: Sequence[pl.Series]) -> pl.Series:
        found = _core.token_f1(*_pair("token_f1", columns), rules)
        return pl.Series(found).alias(columns[0].name)

    return elementwise(measure, [pred, gold], pl.Float64())


def _steps(normalise: str | Sequence[str]) -> list[str]:
    steps = strings("normalise", normalise)
    for step in steps:
        choice("normalise", step, _core.NORMALISATIONS)
    return steps


def _pair(scorer: str, columns: Sequence[pl.Series]) -> tuple[pl.Series, pl.Series]:
    pred, gold = columns
    return text_column(scorer, pred), text_or_list_column(scorer, gold)
