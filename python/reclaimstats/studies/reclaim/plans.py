"""Notes, corrections and seeds, crossed into the calls to make."""

import polars as pl

from reclaimstats.design.columns import column_names
from reclaimstats.errors import ColumnError, DesignError
from reclaimstats.options import integer
from reclaimstats.studies.reclaim.frames import distinct, each, problems_with
from reclaimstats.studies.reclaim.sessions import transcript
from reclaimstats.studies.reclaim.wording import Wording

__all__ = ["crossed", "plan"]


def plan(
    problems: pl.DataFrame, notes: pl.DataFrame, corrections: pl.DataFrame, *, seeds: int = 3
) -> pl.DataFrame:
    """Cross notes, corrections and seeds into the calls to make.

    A row is a trial still to be answered: fill in `reply` from `messages` with any model, or hand
    the frame to `read`. Rows are clustered by pid.

    Args:
        problems: What is scored against: pid, truth, drift, source, source_items; of puzzles
            also options and asked.
        notes: pid, note and any design columns; as `notes` gives it, or memories that a deployed
            system wrote. With session in the place of note, as `sessions` gives it, the
            correction follows in the same conversation, and note is its transcript.
        corrections: pid, correction and any design columns; with pushes, what is said in later
            turns, the plan is for `conversations`.
        seeds: How often each call is repeated; the seed column counts from 0.

    Returns:
        key (String, the call's name: pid, design and seed), pid, the design columns (policy,
        integrity, arm), seed (Int64), note, correction, pushes if there are any, truth, drift,
        source, source_items, messages (List[Struct] of role and content); in the order of the
        notes, then of the corrections, then of the seeds.

    Raises:
        ColumnError: If a column is missing, or one of the problems' or a note is null.
        OptionError: If `seeds` is out of range.
        DesignError: If a pid of the problems, or a design of the notes or corrections, stands
            twice; if a problem has no note, or a note no problem or no correction; if two design
            columns share a name.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> some = reclaim.problems(2)
        >>> calls = reclaim.plan(some, reclaim.notes(some), reclaim.corrections(some))
        >>> calls.height == 2 * 4 * 4 * 2 * 3
        True
        >>> [message["role"] for message in calls["messages"][0]]
        ['system', 'user']
        >>> calls["key"][0]
        'purchase-0000 policy=lossy integrity=1.0 arm=generic seed=0'
    """
    wording = Wording.of(problems)
    text = "session" if "session" in notes.columns else "note"
    column_names(notes.columns, ("pid", text), argument="notes")
    if n_null := notes[text].null_count():
        raise ColumnError(f"notes: {n_null} notes are null; write them, or leave their pids out")
    lost = problems.join(notes, on="pid", how="anti")["pid"]
    if lost.len():
        raise DesignError(
            f"notes: no row for the problems' pids {lost.head(3).to_list()}; leave those problems "
            "out to plan without them"
        )
    if "session" in notes.columns:
        notes = notes.with_columns(note=transcript(pl.col("session")))
        asked = pl.concat_str("correction", pl.lit(" "), wording.ending)
        turns = pl.concat_list("session", pl.struct(role=pl.lit("user"), content=asked))
    else:
        said = pl.concat_str(wording.instruction, "note")
        asked = pl.concat_str(wording.task, "correction")
        turns = pl.concat_arr(
            pl.struct(role=pl.lit("system"), content=said),
            pl.struct(role=pl.lit("user"), content=asked),
        ).arr.to_list()  # eight times as fast as concat_list
    rows = crossed(problems, notes, corrections, seeds)
    design = rows.columns[: rows.columns.index("seed") + 1]
    design.remove("pid")
    named = [
        pl.concat_str(pl.lit(f"{name}="), pl.col(name).cast(pl.String).fill_null("null"))
        for name in design
    ]
    key = pl.concat_str("pid", *named, separator=" ").alias("key")
    return rows.select(key, pl.all().exclude("session"), messages=turns)


def crossed(
    problems: pl.DataFrame, notes: pl.DataFrame, corrections: pl.DataFrame, seeds: int
) -> pl.DataFrame:
    """Return the plan without its messages."""
    scored = ("truth", "drift", "source", "source_items", *Wording.of(problems).asks)
    answers = problems_with(problems, scored)
    column_names(notes.columns, ("pid", "note"), argument="notes")
    column_names(corrections.columns, ("pid", "correction"), argument="corrections")
    integer("seeds", seeds, least=1, most=1_000_000)
    session = ["session"] if "session" in notes.columns else []
    pushes = ["pushes"] if "pushes" in corrections.columns else []
    distinct("notes", notes.drop("note", *session))
    distinct("corrections", corrections.drop("correction", *pushes))
    for name, frame in (("problems", answers), ("corrections", corrections)):
        missed = notes.join(frame, on="pid", how="anti")["pid"].unique(maintain_order=True)
        if missed.len():
            raise DesignError(f"{name}: no row for the notes' pids {missed.head(3).to_list()}")
    said = corrections.drop("pid", "correction", *pushes)
    design = [*notes.drop("note", *session).columns, *said.columns]
    columns = [*design, "seed", "note", *session, "correction", *pushes, *scored]
    if len(set(columns)) < len(columns):
        raise DesignError(f"notes, corrections: columns must differ by name; received {columns}")
    trials = notes.join(corrections, on="pid", maintain_order="left_right")
    trials = each(trials, pl.DataFrame({"seed": range(seeds)}, schema={"seed": pl.Int64}))
    return trials.join(answers, on="pid", how="left", maintain_order="left").select(columns)
