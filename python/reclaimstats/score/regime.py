"""What can still be corrected with a note, told when it is written."""

from collections.abc import Callable, Sequence

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import OptionError
from reclaimstats.text._expression import elementwise, list_column, strings, text_column
from reclaimstats.text.lexicon import INCOMPLETE
from reclaimstats.text.memory import source_survival

REGIME = pl.Enum(_core.REGIMES)
"""Type of `memory_regime`: correctable, uncorrectable_silent, uncorrectable_loud."""

_NAMES = pl.Series(_core.REGIMES, dtype=REGIME)
# Truths are rounded to the cent, and doubles are not exact.
_HALF_A_CENT = 0.005 + 1e-9
_PROBED: dict[str, pl.DataType | type[pl.DataType]] = {
    "regime": REGIME,
    "kept": pl.UInt64,
    "total": pl.UInt64,
    "works_out": pl.Boolean,
}
# Items that are left count even where they do not decide.
_SHARE = pl.col("found") / pl.col("total")
_DECIDED = {"all": pl.col("found") == pl.col("total"), "any": pl.col("found") > 0}


def memory_regime(
    note: str | pl.Expr,
    source: str | pl.Expr,
    conclusion: str | pl.Expr,
    *,
    test: str = "all",
    prefix_chars: int = 18,
    signals: Sequence[str] = INCOMPLETE,
) -> pl.Expr:
    """Say before a note is stored whether its conclusion can still be corrected with it.

    A row is a note with the source it was written from and the conclusion that was drawn. The
    note is *correctable* where the source survives in it. Where the source does not, it is
    *uncorrectable_silent* if the conclusion is there, to be given as an answer whatever
    becomes of its source; or if some line items of a list source are there, to be taken for
    all. It is *uncorrectable_loud* if neither is there, or if the note says itself that it is
    incomplete, by a phrase or by a count (`5 of 6 items kept`).

    No model is asked, and none is predicted: the regime is a property of the note.

    Args:
        note: Column name or expression with the notes.
        source: Column name or expression with the sources, text or lists of line items.
        conclusion: Column name or expression with the conclusions, numbers or text. A number
            is found by value, whatever its spelling and sign; a text as whole words.
        test: The test of `source_survival` that decides: "all", "any", "prefix", ….
        prefix_chars: As in `source_survival`.
        signals: Phrases by which a note says that it is incomplete, found as by `cues`; by
            default `reclaimstats.text.INCOMPLETE`.

    Returns:
        Expression of the Enum `REGIME`; null where note, source or conclusion is null or NaN,
        or the source holds nothing that could survive.

    Raises:
        OptionError: An option is unknown or out of range.
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> notes = ["7 pens at $2, so $14", "It was $14", "Bought pens", "$14; source not kept"]
        >>> rows = pl.DataFrame({"note": notes, "total": 14})
        >>> items = pl.lit(pl.Series([["7 pens", "$2"]]))
        >>> rows.select(rs.score.memory_regime("note", items, "total")).to_series().to_list()
        ['correctable', 'uncorrectable_silent', 'uncorrectable_loud', 'uncorrectable_loud']
    """
    if test == "fraction":
        raise OptionError("test='fraction' decides nothing; use 'all', 'any' or 'prefix'")
    # Checks the options at once.
    source_survival(note, source, test=test, prefix_chars=prefix_chars)
    told = _teller(signals)

    def classify(columns: Sequence[pl.Series]) -> pl.Series:
        notes = text_column("memory_regime", columns[0])
        sources = columns[1]
        is_list = sources.dtype in (pl.List, pl.Array)
        if is_list:
            sources = list_column("memory_regime", sources)
        if is_list and test in _DECIDED:
            counts = pl.DataFrame(_core.token_survival(notes, sources, False))
            return told(notes, _survival(counts, test), columns[2])
        pair = (pl.lit(notes), pl.lit(sources))
        kept = source_survival(*pair, test=test, prefix_chars=prefix_chars).cast(pl.Float64)
        if is_list:
            share = source_survival(*pair, test="fraction").clip(0, 0.5)
            kept = pl.when(kept == 1).then(kept).when(kept == 0).then(share)
        return told(notes, pl.select(kept).to_series(), columns[2])

    return elementwise(classify, [note, source, conclusion], REGIME)


def probe(
    note: str | pl.Expr,
    source_items: str | pl.Expr,
    conclusion: str | pl.Expr,
    *,
    truth: str | pl.Expr | None = None,
    signals: Sequence[str] = INCOMPLETE,
) -> pl.Expr:
    """Say all that can be said of a note before it is stored, in one go over its text.

    A row is a note with the line items of the source it was written from and the conclusion
    that was drawn. Nothing is asked of a model.

    Args:
        note: Column name or expression with the notes.
        source_items: Column name or expression with the sources, lists of line items.
        conclusion: Column name or expression with the conclusions, numbers or text.
        truth: Column name or expression with the right totals; by default what the line items
            of the source come to, if each of its texts holds one that can be read.
        signals: As in `memory_regime`.

    Returns:
        Expression of a struct of `regime` (as `memory_regime` gives it for the test "all"),
        `kept` and `total` (as in `text.completeness`), and `works_out`, the recompute
        certificate: whether the line items that the note lists (`7 pens at $4 each`) come to the
        truth, nearer than 0.5. A note that lists none does not work out. Null where note or
        source is; `regime` and `works_out` also where conclusion or truth is.

    Raises:
        OptionError: The signals are empty.
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> notes = ["7 pens at $2 each; 2 jars at $9 each", "7 pens at $2 each", "It came to $40"]
        >>> rows = pl.DataFrame({"note": notes, "stale": 40.0})
        >>> items = pl.lit(pl.Series([["7 pens at $2 each", "2 jars at $9 each"]]))
        >>> for row in rows.select(rs.score.probe("note", items, "stale")).unnest("note").rows():
        ...     print(row)
        ('correctable', 2, 2, True)
        ('uncorrectable_silent', 1, 2, False)
        ('uncorrectable_silent', 0, 2, False)
    """
    told = _teller(signals)

    def look(columns: Sequence[pl.Series]) -> pl.Series:
        notes = text_column("probe", columns[0])
        items = list_column("probe", columns[1])
        counts = pl.DataFrame(_core.token_survival(notes, items, False))
        if truth is None:
            truths = pl.Series(_core.worked_out(items))
        else:
            truths = columns[3].cast(pl.Float64)
        worked = pl.lit(pl.Series(_core.worked_out(notes)))
        certified = ((worked - pl.lit(truths)).abs() < _HALF_A_CENT).fill_null(False)
        known = pl.lit(notes).is_not_null() & pl.lit(truths).is_not_null()
        return counts.select(
            regime=told(notes, _survival(counts, "all"), columns[2]),
            kept="found",
            total="total",
            works_out=pl.when(known).then(certified),
        ).to_struct(columns[0].name)

    given = [note, source_items, conclusion] + ([] if truth is None else [truth])
    return elementwise(look, given, pl.Struct(_PROBED))


def _survival(counts: pl.DataFrame, test: str) -> pl.Series:
    """Share of a source that survives, as far as it decides."""
    share = pl.when(_DECIDED[test]).then(1.0).otherwise(_SHARE)
    return counts.select(pl.when(pl.col("total") > 0).then(share)).to_series()


def _teller(signals: Sequence[str]) -> Callable[[pl.Series, pl.Series, pl.Series], pl.Series]:
    """Return what tells regimes from notes, what survives of their sources, and conclusions."""
    incomplete = _core.Lexicon([("incomplete", strings("signals", signals))], None)

    def told(notes: pl.Series, survives: pl.Series, conclusions: pl.Series) -> pl.Series:
        if conclusions.dtype.is_numeric():
            values = conclusions.cast(pl.Float64)
            codes = _core.regime_number(notes, survives, values, incomplete)
        else:
            values = text_column("memory_regime", conclusions)
            codes = _core.regime_text(notes, survives, values, incomplete)
        return _NAMES.gather(pl.Series(codes)).alias(notes.name)

    return told
