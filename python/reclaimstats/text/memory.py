"""What a note keeps of its source, and what it adds."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError
from reclaimstats.options import choice, integer
from reclaimstats.text._expression import (
    elementwise,
    list_column,
    result,
    text_column,
    text_or_list_column,
)

_SURVIVAL_TESTS = ("all", "any", "fraction", "numbers", "prefix")
_Fields = dict[str, pl.DataType | type[pl.DataType]]
_COUNTS: _Fields = {"found": pl.UInt64, "total": pl.UInt64}
_PARTS: _Fields = {"kept": pl.List(pl.String), "lost": pl.List(pl.String)}
_COMPLETE = pl.col("found") == pl.col("total")
_SHARE = pl.col("found") / pl.col("total")
_DEFINED = pl.when(pl.col("total") > 0)


def numbers(text: str | pl.Expr) -> pl.Expr:
    """List the numbers that a text names.

    A row is a text. Each number counts once for each place where it stands, in order:
    `1,234` is 1234, `$1.5M` is 1500000, `37.5%` is 37.5. Times, dates, ordinals and digits in
    names (`COVID-19`) are no numbers.

    Args:
        text: Column name or expression with the texts.

    Returns:
        Expression of List(Float64).

    Raises:
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> notes = pl.Series("note", ["1,234 pens at $2 each, due 3rd, 9:45"])
        >>> pl.select(rs.text.numbers(pl.lit(notes))).item().to_list()
        [1234.0, 2.0]
    """

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        return result(_core.numbers(text_column("numbers", columns[0])), columns)

    return elementwise(read, [text], pl.List(pl.Float64))


def invented_numbers(
    memory: str | pl.Expr, source: str | pl.Expr, *, dialect: str = "strict"
) -> pl.Expr:
    """Find the numbers of a memory that its source does not hold.

    A row is a memory with the source that it was written from. Numbers are compared by value
    and without their sign, since the bullet of a list looks like a minus: `1,234` is the
    source's `1234`, and `$4.50` its `4.5`. A number that the memory derived rightly, such as a
    sum, is invented all the same: the source does not state it.

    Args:
        memory: Column name or expression with the memories.
        source: Column name or expression with the sources: text, a list of texts or a list of
            numbers.
        dialect: "strict"; or "reclaim-eval", which compares runs of digits with an optional
            decimal part as they are written, so that `1,234` is two numbers.

    Returns:
        Expression of a struct of `count` and `values`, the distinct invented numbers in the
        order of their first place.

    Raises:
        OptionError: The dialect is unknown.
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> row = pl.DataFrame({"memory": ["$55 for 1,234 pens"], "source": ["1234 pens"]})
        >>> row.select(rs.text.invented_numbers("memory", "source")).item()
        {'count': 1, 'values': [55.0]}
    """
    choice("dialect", dialect, _core.DIALECTS)

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        memories = text_column("invented_numbers", columns[0])
        sources = _number_source("invented_numbers", columns[1])
        if sources.dtype == pl.List(pl.Float64) and dialect != "strict":
            raise ColumnError(
                f"invented_numbers: column {sources.name!r} holds lists of numbers, but "
                f"dialect={dialect!r} compares numbers as written; give it lists of text"
            )
        return result(_core.invented_numbers(memories, sources, dialect), columns)

    dtype = pl.Struct({"count": pl.UInt64, "values": pl.List(pl.Float64)})
    return elementwise(read, [memory, source], dtype)


def recurring_value(text: str | pl.Expr, *, least: int = 2) -> pl.Expr:
    """Find the number that a text names most often: what its reader is pulled towards.

    A row is a text; numbers are those of `numbers`.

    Args:
        text: Column name or expression with the texts.
        least: How often the number has to stand there.

    Returns:
        Expression of Float64, null where no number stands so often, or two equally often.

    Raises:
        OptionError: `least` is out of range.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> notes = pl.Series("note", ["The total was $55. Half of 55 is 27.50."])
        >>> pl.select(rs.text.recurring_value(pl.lit(notes))).item()
        55.0
    """
    integer("least", least, least=1, most=2**31)

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        values = pl.Series(_core.recurring_value(text_column("recurring_value", columns[0]), least))
        return values.alias(columns[0].name)

    return elementwise(read, [text], pl.Float64())


def source_survival(
    note: str | pl.Expr,
    source: str | pl.Expr,
    *,
    test: str = "all",
    prefix_chars: int = 18,
    with_trace: bool = False,
) -> pl.Expr:
    """Test whether a source is still in a note, without a judge.

    A row is a note with the source that it was written from. A list column holds the source's
    line items, each of which survives when its tokens stand in the note one behind the other,
    as whole tokens in any case: `$4` is neither in `$40` nor in `4.50`. Currency signs are no
    tokens and are not compared: `$2` is found in `2 pens`. A text column counts by its distinct
    content words, as in `containment`.

    Args:
        note: Column name or expression with the notes.
        source: Column name or expression with the sources, text or list of text; with "numbers"
            also list of numbers.
        test: "all" or "any" of the items or words survive; "fraction" of them that do;
            "numbers": all numbers of the source are among those of the note, by value and
            without their sign, as in `invented_numbers`; "prefix": the first `prefix_chars`
            characters of a text source occur in the note as they are, apart from case.
        prefix_chars: Length of that prefix.
        with_trace: Give a struct of `value`, `test`, `found` and `total`, and of the lists `kept`
            and `lost`: the distinct items, words or numbers of the source that are in the note
            and that are not, or the prefix.

    Returns:
        Expression of Boolean, or of Float64 for "fraction"; or of the struct. Null where the
        source holds nothing that could survive.

    Raises:
        OptionError: An option is unknown or out of range.
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> notes = pl.DataFrame({"note": ["7 pens at $2 each", "the total is $55"]})
        >>> items = pl.lit(pl.Series([["7 pens", "$2"]]))
        >>> notes.select(rs.text.source_survival("note", items)).to_series().to_list()
        [True, False]
        >>> trace = rs.text.source_survival("note", items, with_trace=True)
        >>> notes.select(trace).unnest("note").select("value", "test", "kept", "lost").rows()
        [(True, 'all', ['7 pens', '$2'], []), (False, 'all', [], ['7 pens', '$2'])]
    """
    choice("test", test, _SURVIVAL_TESTS)
    integer("prefix_chars", prefix_chars, least=1, most=2**31)

    def survive(columns: Sequence[pl.Series]) -> pl.Series:
        notes, sources = text_column("source_survival", columns[0]), columns[1]
        if test == "prefix":
            sources = text_column("source_survival with test='prefix'", sources)
            found = _core.prefix_survival(notes, sources, prefix_chars, with_trace)
        elif test == "numbers":
            sources = _number_source("source_survival", sources)
            found = _core.number_survival(notes, sources, with_trace)
        else:
            sources = text_or_list_column("source_survival", sources)
            if test == "all" and not with_trace:
                return pl.Series(_core.tokens_survive(notes, sources)).alias(columns[0].name)
            found = _core.token_survival(notes, sources, with_trace)
        value = {"any": pl.col("found") > 0, "fraction": _SHARE}.get(test, _COMPLETE)
        named = {"value": _DEFINED.then(value), "test": _DEFINED.then(pl.lit(test))}
        return _shaped(found, named, columns, with_trace=with_trace)

    value = pl.Float64 if test == "fraction" else pl.Boolean
    trace: _Fields = {"value": value, "test": pl.String, **_COUNTS, **_PARTS}
    return elementwise(survive, [note, source], pl.Struct(trace) if with_trace else value())


def completeness(note: str | pl.Expr, source_items: str | pl.Expr) -> pl.Expr:
    """Count how many line items of a source a note keeps: the k of n that makes a loss loud.

    A row is a note with the line items of the source that it was written from. An item is kept
    as in `source_survival`: as a whole, by its tokens one behind the other. Equal items count
    once, and one without a letter or digit does not count.

    Args:
        note: Column name or expression with the notes.
        source_items: Column name or expression with the sources, lists of text.

    Returns:
        Expression of a struct of `kept` and `total`, counts, and `fraction`, null where the
        source has no items.

    Raises:
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> row = pl.DataFrame({"note": ["7 pens at $2"], "items": [["7 pens", "4 books"]]})
        >>> row.select(rs.text.completeness("note", "items")).item()
        {'kept': 1, 'total': 2, 'fraction': 0.5}
    """

    def count(columns: Sequence[pl.Series]) -> pl.Series:
        notes = text_column("completeness", columns[0])
        items = list_column("completeness", columns[1])
        counts = pl.DataFrame(_core.token_survival(notes, items, False))
        parts = [pl.col("found").alias("kept"), "total", _DEFINED.then(_SHARE).alias("fraction")]
        return counts.select(parts).to_struct(columns[0].name)

    dtype = pl.Struct({"kept": pl.UInt64, "total": pl.UInt64, "fraction": pl.Float64})
    return elementwise(count, [note, source_items], dtype)


def containment(
    claim: str | pl.Expr, memory: str | pl.Expr, *, with_trace: bool = False
) -> pl.Expr:
    """Share of a claim's distinct content words that are found in a memory.

    A row is a claim with the memory that should hold it. Words are compared whole, in any
    case, without a possessive 's; function words do not count, quantity and degree words
    (near, over, around, roughly, two, next) do, and numbers compare with their thousands
    separators removed.

    Args:
        claim: Column name or expression with the claims.
        memory: Column name or expression with the memories.
        with_trace: Give a struct of `value`, `found` and `total`, and of the lists `kept` and
            `lost`: the distinct words that are in the memory and that are not.

    Returns:
        Expression of Float64 from 0 to 1, null where the claim has no content word; or of the
        struct.

    Raises:
        ColumnError: A column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> pair = pl.DataFrame({"claim": ["Around eighty people came"], "memory": ["~80 people"]})
        >>> pair.select(rs.text.containment("claim", "memory")).item()
        0.25
        >>> pair.select(rs.text.containment("claim", "memory", with_trace=True)).item()["lost"]
        ['Around', 'eighty', 'came']
    """

    def contain(columns: Sequence[pl.Series]) -> pl.Series:
        claims, memories = (text_column("containment", column) for column in columns)
        found = _core.containment(claims, memories, with_trace)
        return _shaped(found, {"value": _DEFINED.then(_SHARE)}, columns, with_trace=with_trace)

    trace: _Fields = {"value": pl.Float64, **_COUNTS, **_PARTS}
    return elementwise(contain, [claim, memory], pl.Struct(trace) if with_trace else pl.Float64())


def _shaped(
    found: Any, named: Mapping[str, pl.Expr], columns: Sequence[pl.Series], *, with_trace: bool
) -> pl.Series:
    """The values of a count of parts, or its trace with these columns first."""
    counts = pl.DataFrame(found)
    if not with_trace:
        return counts.select(named["value"].alias("value")).to_series().alias(columns[0].name)
    first = [expr.alias(name) for name, expr in named.items()]
    return counts.select(*first, pl.all()).to_struct(columns[0].name)


def _number_source(scorer: str, column: pl.Series) -> pl.Series:
    """A column whose numbers are asked for: text, lists of text or lists of numbers."""
    if column.dtype in (pl.List, pl.Array) and column.dtype.inner.is_numeric():  # type: ignore[attr-defined]
        return column.cast(pl.List(pl.Float64))
    return text_or_list_column(scorer, column)
