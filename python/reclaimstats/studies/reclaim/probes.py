"""A memory policy on trial before it is used: what its notes keep, and what follows from them."""

from collections.abc import Callable

import polars as pl

from reclaimstats.design.columns import column_names
from reclaimstats.errors import OptionError, RunError
from reclaimstats.score import probe
from reclaimstats.studies.reclaim.purchases import problems as purchases
from reclaimstats.studies.reclaim.puzzles import solved
from reclaimstats.studies.reclaim.sessions import sessions
from reclaimstats.studies.running import Messages

__all__ = ["Policy", "probe_policy"]

Policy = Callable[[Messages], str]
"""A memory policy: the messages of a session in, the note that it would store out."""


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
    # A puzzle's answer is a name, which follows from clues.
    truth = None if "options" in asked.columns else "truth"
    probed = probe("note", "source_items", "drift", truth=truth).alias("probed")
    rows = rows.with_columns(probed).unnest("probed")
    if truth is None:
        answer = solved(pl.col("note"), pl.col("asked"), pl.col("options"))
        rows = rows.with_columns(works_out=(answer == pl.col("truth")).fill_null(False))
    return rows.select(
        "pid", "note", "regime", n_kept="kept", n_items="total", works_out="works_out"
    )
