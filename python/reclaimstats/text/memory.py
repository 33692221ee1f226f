"""What a note keeps of its source, and what it adds."""

from collections.abc import Sequence

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError
from reclaimstats.options import choice, integer
from reclaimstats.text._expression import elementwise, list_column, result, text_column

_SURVIVAL_TESTS = ("all", "any", "fraction", "prefix")


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
        sources = columns[1]
        if sources.dtype in (pl.List, pl.Array):
            inner = sources.dtype.inner  # type: ignore[attr-defined]
            if inner.is_numeric() and dialect != "strict":
                raise ColumnError(
                    f"invented_numbers: column {sources.name!r} holds lists of numbers, but "
                    f"dialect={dialect!r} compares numbers as written; give it lists of text"
                )
            kind = pl.Float64 if inner.is_numeric() else pl.String
            sources = sources.cast(pl.List(kind))
        else:
            sources = text_column("invented_numbers", sources)
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
) -> pl.Expr:
    """Test whether a source is still in a note, without a judge.

    A row is a note with the source that it was written from. A list column holds the source's
    line items, each of which survives when its tokens stand in the note one behind the other,
    as whole tokens in any case: `$4` is neither in `$40` nor in `4.50`. Currency signs are no
    tokens and are not compared: `$2` is found in `2 pens`. A text column counts by its distinct
    content words, as in `containment`.

    Args:
        note: Column name or expression with the notes.
        source: Column name or expression with the sources, text or list of text.
        test: "all" or "any" of the items or words survive; "fraction" of them that do;
            "prefix": the first `prefix_chars` characters of a text source occur in the note as
            they are, apart from case.
        prefix_chars: Length of that prefix.

    Returns:
        Expression of Boolean, or of Float64 for "fraction". Null where the source holds
        nothing that could survive.

    Raises:
        OptionError: An option is unknown or out of range.
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> notes = pl.DataFrame({"note": ["7 pens at $2 each", "the total is $55"]})
        >>> survives = rs.text.source_survival("note", pl.lit(pl.Series([["7 pens", "$2"]])))
        >>> notes.select(survives).to_series().to_list()
        [True, False]
    """
    choice("test", test, _SURVIVAL_TESTS)
    integer("prefix_chars", prefix_chars, least=1, most=2**31)

    def survive(columns: Sequence[pl.Series]) -> pl.Series:
        notes = text_column("source_survival", columns[0])
        if test == "prefix":
            sources = text_column("source_survival with test='prefix'", columns[1])
            kept = pl.Series(_core.prefix_survival(notes, sources, prefix_chars))
            return kept.alias(columns[0].name)
        if columns[1].dtype == pl.List:
            sources = list_column("source_survival", columns[1])
        else:
            sources = text_column("source_survival", columns[1])
        found, total = pl.col("found"), pl.col("total")
        value = {"all": found == total, "any": found > 0, "fraction": found / total}[test]
        shares = pl.DataFrame(_core.token_survival(notes, sources))
        kept = shares.select(pl.when(total > 0).then(value)).to_series()
        return kept.alias(columns[0].name)

    dtype = pl.Float64 if test == "fraction" else pl.Boolean
    return elementwise(survive, [note, source], dtype())


def containment(
    claim: str | pl.Expr, memory: str | pl.Expr, *, with_counts: bool = False
) -> pl.Expr:
    """Share of a claim's distinct content words that are found in a memory.

    A row is a claim with the memory that should hold it. Words are compared whole, in any
    case, without a possessive 's; function words do not count, quantity and degree words
    (near, over, around, roughly, two, next) do, and numbers compare with their thousands
    separators removed.

    Args:
        claim: Column name or expression with the claims.
        memory: Column name or expression with the memories.
        with_counts: Give a struct of `value`, `found` and `total`.

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
    """

    def contain(columns: Sequence[pl.Series]) -> pl.Series:
        claims, memories = (text_column("containment", column) for column in columns)
        found, total = pl.col("found"), pl.col("total")
        share = pl.when(total > 0).then(found / total).alias("value")
        value = pl.struct(share, found, total) if with_counts else share
        shares = pl.DataFrame(_core.containment(claims, memories))
        return shares.select(value).to_series().alias(columns[0].name)

    counts = {"value": pl.Float64, "found": pl.UInt64, "total": pl.UInt64}
    dtype = pl.Struct(counts) if with_counts else pl.Float64()
    return elementwise(contain, [claim, memory], dtype)
