"""Answers that a reply commits to behind a marker."""

from collections.abc import Sequence

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import OptionError
from reclaimstats.options import choice, integer
from reclaimstats.text._expression import (
    elementwise,
    list_column,
    result,
    several,
    strings,
    text_column,
    traced,
)


def _markers(marker: str | Sequence[str], which: str) -> _core.Markers:
    choice("which", which, _core.WHICH)
    return _core.Markers(strings("marker", marker), which)


def _strict_only(dialect: str, **options: tuple[str | Sequence[str], str]) -> None:
    """Refuse what a dialect of a harness has fixed."""
    for name, (value, default) in options.items():
        if dialect != "strict" and value != default:
            raise OptionError(
                f"{name}={value!r} belongs to dialect='strict'; dialect={dialect!r} has its own"
            )


def answer_number(
    reply: str | pl.Expr,
    *,
    dialect: str = "strict",
    marker: str | Sequence[str] = "ANSWER",
    which: str = "last",
    fallback: str = "none",
    with_trace: bool = False,
) -> pl.Expr:
    r"""Read the number that a reply commits to behind its last `ANSWER:`.

    A row is a reply. The number must follow the marker: one in the prose around it, or in a
    refusal, is never an answer. Signs, currencies, thousands separators, fractions, percent,
    LaTeX, markup and units are read; a list, a range, a bound, a time or a hedged value
    (`probably 46`, `I doubt it is 46`, `46 (unverified)`) is null. A rounded value is none of
    these: `about 50`, `~50` and `42 (approx.)` are read as written.

    Args:
        reply: Column name or expression with the replies.
        dialect: "strict" reads what a careful reader would; "reclaim-eval" agrees with that
            harness's corrected scorer on every reply, its faults included, and
            "reclaim-eval-loose" with its first scorer, which takes the last number anywhere;
            "lm-eval-strict" and "lm-eval-flexible" agree with the filters for GSM8K of
            lm-evaluation-harness: the number behind the first `#### `, and the last run of
            digits, dots, commas and dollar signs.
        marker: Word or words that announce the answer, in any case, with a colon; or a sign
            such as "####". The dialects of harnesses have their own.
        which: The "last" marker of the reply counts, also when it abstains; or the "first", where
            a model runs on into another question.
        fallback: What to try where no marker states anything: "none", "last_number" (the last
            number of the reply, which published tables used) or "boxed". Never applied over an
            abstention.
        with_trace: Give a struct of `value`, `span` (the text read), `start` and `end` (in
            characters), `rule` and `status` ("read", "ambiguous", "abstained", "unparsed").

    Returns:
        Expression of Float64, or of the struct.

    Raises:
        OptionError: An option is unknown, or a marker is empty.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["ANSWER: $1,046.50", "I had 55.\nANSWER: unable"])
        >>> pl.select(rs.text.answer_number(pl.lit(replies))).to_series().to_list()
        [1046.5, None]
    """
    markers = _markers(marker, which)
    choice("dialect", dialect, _core.NUMBER_DIALECTS)
    choice("fallback", fallback, _core.FALLBACKS)
    _strict_only(
        dialect,
        marker=(marker, "ANSWER"),
        fallback=(fallback, "none"),
        which=(which, "last"),
    )

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = text_column("answer_number", columns[0])
        return result(_core.answer_number(texts, markers, dialect, fallback, with_trace), columns)

    return elementwise(read, [reply], traced(pl.Float64, with_trace=with_trace))


def answer_word(
    reply: str | pl.Expr,
    *,
    options: Sequence[str] | pl.Expr,
    dialect: str = "strict",
    marker: str | Sequence[str] = "ANSWER",
    which: str = "last",
    with_trace: bool = False,
) -> pl.Expr:
    """Read the option of a closed set that a reply commits to behind its last `ANSWER:`.

    A row is a reply. Options are found as whole tokens in any case, of several words too, and
    in a sentence that states one plainly (`The manager is Ana.`). A refusal or negation
    (`Not Ben`) is null, and so is an answer that names two options without choosing, or that
    says of an option what is not known to be harmless (`Ben resigned`, `Ben's successor`).

    Args:
        reply: Column name or expression with the replies.
        options: The allowed answers, or an expression of a list column with each row's own. A
            null or empty list reads nothing.
        dialect: "strict", or "reclaim-eval", which wants the option to be the whole run of
            letters behind the marker.
        marker: As in `answer_number`.
        which: As in `answer_number`.
        with_trace: As in `answer_number`.

    Returns:
        Expression of String: the option as it is spelled in `options`. With a trace, a struct.

    Raises:
        OptionError: An option is unknown; or of the closed set one is empty or two are alike.
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["ANSWER: the manager is ana", "ANSWER: Ana or Ben"])
        >>> read = rs.text.answer_word(pl.lit(replies), options=["Ana", "Ben"])
        >>> pl.select(read).to_series().to_list()
        ['Ana', None]
    """
    markers = _markers(marker, which)
    choice("dialect", dialect, _core.DIALECTS)
    _strict_only(dialect, marker=(marker, "ANSWER"), which=(which, "last"))
    inputs: list[str | pl.Expr] = [reply]
    if isinstance(options, pl.Expr):
        inputs.append(options)
        fixed = None
    else:
        column = f"; or for a column of lists options=pl.col({options!r})"
        fixed = _core.Options(several("options", options, column=column))

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = text_column("answer_word", columns[0])
        sets = list_column("answer_word", columns[1]) if fixed is None else fixed
        return result(_core.answer_word(texts, sets, markers, dialect, with_trace), columns)

    return elementwise(read, inputs, traced(pl.String, with_trace=with_trace))


def answer_choice(
    reply: str | pl.Expr,
    *,
    options: str | Sequence[str] = "ABCD",
    marker: str | Sequence[str] = "ANSWER",
    which: str = "last",
    with_trace: bool = False,
) -> pl.Expr:
    """Read the letter of a multiple-choice question that a reply commits to.

    A row is a reply. The letter stands alone behind the last `ANSWER:`, in any case and dress:
    `B`, `(b)`, `**B**`, `Option B`, `The answer is B.`, `B) Paris`. Text behind a label is the
    option's own, so that `C) None of the above` is C. Two letters, a hedge or a refusal are
    null, and so is a letter that is an article or a pronoun (`A colour`, `I think so`).

    Args:
        reply: Column name or expression with the replies.
        options: The letters, as one text or as a sequence.
        marker: As in `answer_number`.
        which: As in `answer_number`.
        with_trace: As in `answer_number`.

    Returns:
        Expression of String: the letter as it is spelled in `options`. With a trace, a struct.

    Raises:
        OptionError: There is no option, one is no single letter, or two are alike.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["ANSWER: (b) Paris", "ANSWER: B or C"])
        >>> pl.select(rs.text.answer_choice(pl.lit(replies))).to_series().to_list()
        ['B', None]
    """
    markers = _markers(marker, which)
    names = strings("options", options)
    if not isinstance(options, str) and any(len(name) != 1 for name in names):
        raise OptionError(f"options must be single letters; received {names!r}")
    letters = _core.Letters("".join(names))

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = text_column("answer_choice", columns[0])
        return result(_core.answer_choice(texts, letters, markers, with_trace), columns)

    return elementwise(read, [reply], traced(pl.String, with_trace=with_trace))


def answer_time(
    reply: str | pl.Expr,
    *,
    dialect: str = "strict",
    marker: str | Sequence[str] = "ANSWER",
    which: str = "last",
    fallback: str = "none",
    with_trace: bool = False,
) -> pl.Expr:
    """Read the time of day that a reply commits to behind its last `ANSWER:`.

    A row is a reply. Times come out as 24-hour `HH:MM`, whether they were written `16:15`,
    `4:15 p.m.`, `16h15`, `16.15`, `16:15:42` or `4:15 in the afternoon`. A time that does not
    exist, a range, a choice of several and a hedge are null.

    Args:
        reply: Column name or expression with the replies.
        dialect: "strict" reads what a careful reader would; "reclaim-eval" takes what stands
            directly behind the first `ANSWER:` that has a time, hours modulo 24 and minutes as
            they are; "reclaim-eval-loose" takes the last time anywhere.
        marker: As in `answer_number`.
        which: As in `answer_number`.
        fallback: What to try where no marker states anything: "none" or "last_time", the last
            time of the reply. Never applied over an abstention.
        with_trace: As in `answer_number`.

    Returns:
        Expression of String, or of the struct.

    Raises:
        OptionError: An option is unknown, or a marker is empty.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["ANSWER: 4:15 p.m.", "ANSWER: 9:00-9:30"])
        >>> pl.select(rs.text.answer_time(pl.lit(replies))).to_series().to_list()
        ['16:15', None]
    """
    markers = _markers(marker, which)
    choice("dialect", dialect, _core.DIALECTS)
    choice("fallback", fallback, _core.TIME_FALLBACKS)
    _strict_only(
        dialect,
        marker=(marker, "ANSWER"),
        fallback=(fallback, "none"),
        which=(which, "last"),
    )

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = text_column("answer_time", columns[0])
        return result(_core.answer_time(texts, markers, dialect, fallback, with_trace), columns)

    return elementwise(read, [reply], traced(pl.String, with_trace=with_trace))


def answer_regex(
    reply: str | pl.Expr,
    pattern: str,
    *,
    group: int | str | None = None,
    which: str = "last",
    with_trace: bool = False,
) -> pl.Expr:
    r"""Read what a pattern of your own finds in a reply.

    A row is a reply; no marker is looked for beyond what the pattern says. Patterns are those
    of the Rust `regex` crate, which has neither look-around nor back-references, so that no
    pattern can hang on a reply.

    Args:
        reply: Column name or expression with the replies.
        pattern: The pattern.
        group: Number or name of the group that holds the answer, 0 for the whole match. By
            default the first group, or the whole match of a pattern without groups.
        which: "last" or "first" of the matches. A group that took no part in it is null.
        with_trace: As in `answer_number`.

    Returns:
        Expression of String, or of the struct.

    Raises:
        OptionError: The pattern cannot be used or has no such group, or `which` is unknown.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["Score: 3. Score: 4", "no score"])
        >>> pl.select(rs.text.answer_regex(pl.lit(replies), r"Score: (\d)")).to_series().to_list()
        ['4', None]
    """
    choice("which", which, _core.WHICH)
    if not isinstance(pattern, str):
        raise OptionError(f"pattern={pattern!r} must be text")
    if group is not None and not isinstance(group, str):
        integer("group", group, least=0, most=2**31)
    compiled = _core.Pattern(pattern, group)

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = text_column("answer_regex", columns[0])
        return result(_core.answer_regex(texts, compiled, which, with_trace), columns)

    return elementwise(read, [reply], traced(pl.String, with_trace=with_trace))
