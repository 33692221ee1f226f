"""What can still be corrected with a note, told when it is written."""

from collections.abc import Sequence

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import OptionError
from reclaimstats.text._expression import elementwise, list_column, strings, text_column
from reclaimstats.text.lexicon import INCOMPLETE
from reclaimstats.text.memory import source_survival

REGIME = pl.Enum(_core.REGIMES)
"""Type of `memory_regime`: correctable, uncorrectable_silent, uncorrectable_loud."""

_NAMES = pl.Series(_core.REGIMES, dtype=REGIME)


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
    incomplete = _core.Lexicon([("incomplete", strings("signals", signals))], None)

    def classify(columns: Sequence[pl.Series]) -> pl.Series:
        notes = text_column("memory_regime", columns[0])
        sources, conclusions = columns[1], columns[2]
        is_list = sources.dtype in (pl.List, pl.Array)
        if is_list:
            sources = list_column("memory_regime", sources)
        pair = (pl.lit(notes), pl.lit(sources))
        kept = source_survival(*pair, test=test, prefix_chars=prefix_chars).cast(pl.Float64)
        if is_list:
            # Items that are left count even where they do not decide.
            share = source_survival(*pair, test="fraction").clip(0, 0.5)
            kept = pl.when(kept == 1).then(kept).when(kept == 0).then(share)
        survives = pl.select(kept).to_series()
        if conclusions.dtype.is_numeric():
            values = conclusions.cast(pl.Float64)
            codes = _core.regime_number(notes, survives, values, incomplete)
        else:
            values = text_column("memory_regime", conclusions)
            codes = _core.regime_text(notes, survives, values, incomplete)
        return _NAMES.gather(pl.Series(codes)).alias(columns[0].name)

    return elementwise(classify, [note, source, conclusion], REGIME)
