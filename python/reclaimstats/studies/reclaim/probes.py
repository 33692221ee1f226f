"""A memory policy on trial before it is used: what its notes keep, and what follows from them."""

from collections.abc import Callable

import polars as pl

from reclaimstats.design import column_names
from reclaimstats.errors import OptionError, RunError
from reclaimstats.score import memory_regime
from reclaimstats.studies.reclaim.purchases import problems as purchases
from reclaimstats.studies.reclaim.puzzles import solved
from reclaimstats.studies.reclaim.sessions import sessions
from reclaimstats.studies.reclaim.wording import LINE_ITEM
from reclaimstats.studies.running import Messages
from reclaimstats.text import completeness

__all__ = ["Policy", "probe_policy", "worked_out"]

Policy = Callable[[Messages], str]
"""A memory policy: the messages of a session in, the note that it would store out."""


def worked_out(note: str | pl.Expr) -> pl.Expr:
    """Work out the total of the line items that a note lists: the recompute certificate.

    A row is a note. Line items are read as the study writes them (`7 pens at $4 each`); a note
    whose total here is the truth can be corrected from its own text, whatever the model. Compare
    it with the truth, for example `worked_out("note") == pl.col("truth")`.

    Args:
        note: Column name or expression with the notes.

    Returns:
        Expression of Float64, null where the note lists nothing.

    Examples:
        >>> import polars as pl
        >>> from reclaimstats.studies import reclaim
        >>> notes = pl.DataFrame({"note": ["Order: 7 pens at $4 each; 2 jars at $9 each.", "$46"]})
        >>> notes.select(reclaim.worked_out("note"))["note"].to_list()
        [46.0, None]
    """
    text = pl.col(note) if isinstance(note, str) else note
    item = pl.element()
    quantity, price = (item.str.extract(LINE_ITEM, group).cast(pl.Float64) for group in (1, 2))
    amounts = text.str.extract_all(LINE_ITEM).list.eval(quantity * price)
    return pl.when(amounts.list.len() > 0).then(amounts.list.sum())


def probe_policy(
    compress: Policy,
    problems: pl.DataFrame | None = None,
    *,
    depth: int = 1,
) -> pl.DataFrame:
    """Try a memory policy on sessions that went wrong: could its notes be corrected?

    A row is a problem. `compress` gets the messages of a session in which a planted premise led to
    a wrong answer, and returns the note that it would store. No model is asked.

    Args:
        compress: Takes a list of {"role", "content"} and returns text.
        problems: As `problems`, `ledgers` or `puzzles` gives them; 32 purchases by default.
        depth: How often the assistant committed to the wrong answer, from 1 to 8.

    Returns:
        pid, note; regime (Enum, of `score.memory_regime`: correctable, uncorrectable_silent,
        uncorrectable_loud), n_kept and n_items (UInt64), how many parts of the source the note
        holds, and works_out (Boolean), whether what it lists comes to the truth.

    Raises:
        ColumnError: A column is missing or holds a null.
        OptionError: `depth` is out of range.
        RunError: `compress` returned something other than text.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> def conclude(messages):
        ...     return messages[-1]["content"]
        >>> probed = reclaim.probe_policy(conclude)
        >>> probed["regime"].unique().to_list(), probed["works_out"].any()
        (['uncorrectable_silent'], False)
    """
    asked = purchases() if problems is None else problems
    needed = ("truth", "drift", "source_items")
    column_names(asked.columns, needed, argument="problems")
    held = sessions(asked, depths=[depth])
    notes = [compress(session) for session in held["session"].to_list()]
    for note in notes:
        if not isinstance(note, str):
            raise RunError(f"compress must return text; it returned {note!r:.200}")
    rows = asked.with_columns(note=pl.Series("note", notes, dtype=pl.String))
    if "slot" in asked.columns:
        raise OptionError("problems: bookings have nothing to work out; use orders or puzzles")
    if "options" in asked.columns:
        answer = solved(pl.col("note"), pl.col("asked"), pl.col("options"))
        works_out = answer == pl.col("truth")
    else:
        works_out = (worked_out("note") - pl.col("truth")).abs() < 0.5
    kept = completeness("note", "source_items")
    return rows.select(
        "pid",
        "note",
        regime=memory_regime("note", "source_items", "drift"),
        n_kept=kept.struct.field("kept"),
        n_items=kept.struct.field("total"),
        works_out=works_out.fill_null(False),
    )
