"""Answers and verdicts in replies that hold JSON, or what a model wrote in its place."""

from collections.abc import Sequence

import polars as pl

from reclaimstats import _core
from reclaimstats.options import choice
from reclaimstats.text._expression import elementwise, result, strings, text_column, traced

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
    path = field.split(".") if isinstance(field, str) else strings("field", field)
    compiled = _core.Field(path)
    choice("dtype", dtype, _DTYPES)
    choice("dialect", dialect, _core.JSON_DIALECTS)
    number = dtype == "number"

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = text_column("answer_json", columns[0])
        return result(_core.answer_json(texts, compiled, number, dialect, with_trace), columns)

    return elementwise(read, [reply], traced(_DTYPES[dtype], with_trace=with_trace))
