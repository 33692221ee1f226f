"""Answers and verdicts in replies that hold JSON, or what a model wrote in its place."""

from collections.abc import Mapping, Sequence

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import OptionError
from reclaimstats.options import choice
from reclaimstats.text._expression import (
    elementwise,
    result,
    several,
    strings,
    text_column,
    traced,
)

_DTYPES: dict[str, type[pl.DataType]] = {"number": pl.Float64, "text": pl.String}


def answer_json(
    reply: str | pl.Expr,
    *,
    field: str | Sequence[str],
    dtype: str = "number",
    dialect: str = "strict",
    with_trace: bool = False,
) -> pl.Expr:
    """Read a field of the JSON object in which a reply states its answer.

    A row is a reply. The last complete object that has the field counts, whatever stands around
    it; fields of objects inside it do not. What models make of JSON is read too: fences,
    comments, trailing commas, other quotes or none, Python literals, raw ends of lines, quotes
    inside strings, a key that was dropped, an object that was cut. Null, NaN, an empty text and
    words such as INSUFFICIENT, UNKNOWN or N/A abstain: they are null.

    Args:
        reply: Column name or expression with the replies.
        field: The key, in its own case before any other; a path is written with dots
            ("result.answer") or as a list of keys.
        dtype: "number" reads numbers, and those in a text as `answer_number` would ("46 pens");
            "text" gives the text, numbers and literals as they are written, and an object or
            array as JSON.
        dialect: "strict" reads what a careful reader would; "reclaim-eval" reads, as that
            harness does, from the first brace to the last and only JSON.
        with_trace: Give a struct of `value`, `span` (the value as it stands in the reply), `start`
            and `end` (in characters), `rule` and `status`. The status says how the object was
            read: "strict", "repaired", "truncated" (it has no end), "conflict" (it gives the
            field several values, of which the last counts) or "failed" (no object gives it one).
            The rule says what was repaired, or why there is no value: "abstained", "ambiguous",
            "unparsed", and for a failure "no_object", "no_field" or "cut".

    Returns:
        Expression of Float64 or String, or of the struct.

    Raises:
        OptionError: An option is unknown, or a key is empty.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ['So: {"answer": 46}.', "{answer: '46 pens',}", "46"])
        >>> read = rs.text.answer_json(pl.lit(replies), field="answer")
        >>> pl.select(read).to_series().to_list()
        [46.0, 46.0, None]
    """
    compiled = _path(field)
    choice("dtype", dtype, _DTYPES)
    choice("dialect", dialect, _core.JSON_DIALECTS)
    number = dtype == "number"

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = text_column("answer_json", columns[0])
        return result(_core.answer_json(texts, compiled, number, dialect, with_trace), columns)

    return elementwise(read, [reply], traced(_DTYPES[dtype], with_trace=with_trace))


def verdict(
    reply: str | pl.Expr,
    *,
    labels: Sequence[str] | Mapping[str, str] | Mapping[str, bool],
    field: str | Sequence[str] = "verdict",
    with_trace: bool = False,
) -> pl.Expr:
    """Read the label of a closed set that a judge's reply decides for.

    A row is a reply of a judge, in JSON or in plain text. Labels are found as whole tokens in any
    case, the longest first, so that INCORRECT is not CORRECT. The field of the last object that
    has it counts; without an object, what stands behind the last `verdict:` or `<verdict>`, then
    a line or sentence that is nothing but a label or one in double brackets (`[[A]]`), then what
    stands behind a name of the verdict and a colon, then labels stated by a verb. A label
    under a negation or a hedge (`not correct`, `partially correct`, `CORRECT?`) is none, and two
    labels of different classes are null.

    Args:
        reply: Column name or expression with the replies.
        labels: The labels; or a mapping from each label to what it stands for, texts or truth
            values, so that several labels may mean the same.
        field: The key of the verdict, as in `answer_json`; in plain text its last key announces
            the label.
        with_trace: As in `answer_json`; `span` is the field's value, or the label in plain text.
            A reply that is nothing but a label is "strict", any other plain one "repaired" (the
            rule is "marker", "line" or "prose"). Two labels are a "conflict" of rule "several",
            and without a label the rule is "ambiguous" (doubted), "abstained", "unparsed",
            "no_label", "no_field" or "cut".

    Returns:
        Expression of String: the label as it is spelled in `labels`, or what the mapping gives
        for it (Boolean for truth values). With a trace, a struct.

    Raises:
        OptionError: An option is unknown; a label is empty or two are alike; or a mapping holds
            anything but texts, or but truth values.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ['{"verdict": "INCORRECT"}', "Correct.", "not correct"])
        >>> read = rs.text.verdict(pl.lit(replies), labels={"CORRECT": True, "INCORRECT": False})
        >>> pl.select(read).to_series().to_list()
        [False, True, None]
    """
    compiled = _path(field)
    classes: Mapping[str, str] | Mapping[str, bool]
    if isinstance(labels, Mapping):
        classes = labels
        spelled = strings("labels", list(labels))
    else:
        spelled = several("labels", labels)
        classes = dict(zip(spelled, spelled, strict=True))
    meanings = list(dict.fromkeys(classes.values()))
    truths = bool(meanings) and all(isinstance(meaning, bool) for meaning in meanings)
    if truths:
        numbered = [(label, int(bool(classes[label]))) for label in spelled]
        names = None
    elif all(isinstance(meaning, str) for meaning in meanings):
        numbered = [(label, meanings.index(classes[label])) for label in spelled]
        names = [str(meaning) for meaning in meanings]
    else:
        raise OptionError(
            f"labels must stand for texts, or all for truth values; received {meanings!r}"
        )
    known = _core.Labels(numbered, names)

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = text_column("verdict", columns[0])
        return result(_core.verdict(texts, compiled, known, with_trace), columns)

    dtype = pl.Boolean if truths else pl.String
    return elementwise(read, [reply], traced(dtype, with_trace=with_trace))


def _path(field: str | Sequence[str]) -> _core.Field:
    return _core.Field(field.split(".") if isinstance(field, str) else strings("field", field))
