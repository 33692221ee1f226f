"""Memories that are written, by models or by systems: the calls for it, and what they hold."""

from collections.abc import Sequence

import polars as pl

from reclaimstats.design.columns import column_names
from reclaimstats.errors import DesignError
from reclaimstats.estimates import mean, rate
from reclaimstats.options import integer, share
from reclaimstats.score import probe
from reclaimstats.studies.reclaim.corrections import corrections
from reclaimstats.studies.reclaim.frames import each, options, problems_with
from reclaimstats.studies.reclaim.lots import mixed, text_key, word
from reclaimstats.studies.reclaim.notes import WALL, notes
from reclaimstats.studies.reclaim.plans import plan
from reclaimstats.studies.reclaim.sessions import sessions, transcript
from reclaimstats.studies.reclaim.tables import cluster_of
from reclaimstats.studies.reclaim.wording import CLUE, LINE_ITEM, PREMISE, number, sentences
from reclaimstats.text import invented_numbers

__all__ = ["DISTILLERS", "PROMPTS", "board", "contents", "memories", "scribe", "writing"]

DISTILLERS = {
    "distilled": (
        "Write the note that will take the place of this conversation. Somebody may find a mistake "
        "in it later and has to redo the work from your note alone: put down all that was stated, "
        "with each amount and what it is of. Leave out totals and whatever else was worked out."
    ),
    "distilled-terse": "List what was given, with numbers and units. No results.",
    "distilled-inputs": (
        "Keep the inputs of this conversation and drop its outcome. An input is what somebody "
        "stated, an outcome what was concluded from it. Lose no input; quote where you can."
    ),
    "distilled-handover": (
        "Tomorrow a colleague solves the same problem and has nothing but your note. Hand over all "
        "that is needed to begin from the start, and do not say what came out today."
    ),
}
"""Prompts for a policy that keeps the source: four ways to say the same."""

PROMPTS = {
    "summary": "Sum this conversation up in a few sentences, so that it can be taken up later.",
    **DISTILLERS,
}

_ASKED = r"Who has the [a-z]+\?"  # reads like a clue
_STATED = r"Total before tax: \$[0-9.]*[0-9]|Solution: [A-Z][a-z]+"


def writing(
    problems: pl.DataFrame,
    *,
    prompts: Sequence[str] = ("summary", "distilled"),
    depth: int = 8,
    draws: int = 1,
) -> pl.DataFrame:
    """Lay out the calls in which a model writes the memory of a first session.

    A row is a memory to write: hand the frame to `studies.run` with the writer's client, and the
    answered one to `memories`. Which model reads them later is another matter, so that writer and
    reader can be told apart.

    Args:
        problems: As `problems`, `ledgers` or `puzzles` gives them.
        prompts: Which of `PROMPTS`: a plain summary, or four ways to ask for the source.
        depth: How often the wrong answer is said in the session, from 1 to 8.
        draws: How many memories of each session.

    Returns:
        key, pid, store where there is one, policy (the prompt's name), draw (Int64), messages.

    Raises:
        ColumnError: A column is missing or holds a null.
        OptionError: A prompt is unknown or given twice, or a number is out of range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> calls = reclaim.writing(reclaim.problems(1), prompts=["summary"], depth=1)
        >>> print(calls["messages"][0][1]["content"])
        user: A customer orders 9 ropes at $9 each and 7 belts at $6 each. What does the order \
cost before tax? An earlier tally put the belts at $36.
        assistant: Total before tax: $117.
    """
    options("prompts", prompts, list(PROMPTS))
    integer("draws", draws, least=1, most=1_000_000)
    held = sessions(problems, depths=[depth]).select("pid", said=transcript(pl.col("session")))
    if "store" in problems.columns:
        held = held.join(problems.select("pid", "store"), on="pid", maintain_order="left")
    cells = each(
        pl.DataFrame({"policy": list(prompts), "prompt": [PROMPTS[name] for name in prompts]}),
        pl.DataFrame({"draw": range(draws)}, schema={"draw": pl.Int64}),
    )
    return each(held, cells).select(
        pl.format("{} policy={} draw={}", "pid", "policy", "draw").alias("key"),
        *(
            name
            for name in ("pid", "store", "policy", "draw")
            if name in (*held.columns, *cells.columns)
        ),
        messages=pl.concat_arr(
            pl.struct(role=pl.lit("system"), content="prompt"),
            pl.struct(role=pl.lit("user"), content="said"),
        ).arr.to_list(),
    )


def memories(written: pl.DataFrame) -> pl.DataFrame:
    """Make notes of the answered calls of `writing`, for `plan` and `board`.

    Args:
        written: The calls with reply, and any columns of your own, such as the writer's name.

    Returns:
        The columns without key, messages and reply, and note; calls without a reply are left out.

    Raises:
        ColumnError: A column is missing.
    """
    column_names(written.columns, ("pid", "policy", "reply"), argument="written")
    kept = written.filter(pl.col("reply").is_not_null())
    return kept.drop("key", "messages", strict=False).rename({"reply": "note"})


def board(
    problems: pl.DataFrame,
    memories: pl.DataFrame,
    *,
    arms: Sequence[str] = ("directed",),
    seeds: int = 3,
) -> pl.DataFrame:
    """Lay out corrections of written memories, beside the lossy and source-first notes.

    A row is a trial, as `plan` gives it. Memories of deployed systems go in the same way: a row
    a memory, with pid, policy (the system) and note. For a replay, answer the one plan with each
    reader.

    Args:
        problems: As for `plan`.
        memories: pid, policy, note and any design columns, draw among them.
        arms: Which of `CORRECTIONS`.
        seeds: How often each call is repeated.

    Returns:
        As `plan`. Of the two hand-written notes, design columns of text are "template", others 0.

    Raises:
        ColumnError: A column is missing, or holds a null.
        OptionError: An arm is unknown, or a number is out of range.
        DesignError: As for `plan`.

    Examples:
        >>> import polars as pl
        >>> from reclaimstats.studies import reclaim
        >>> asked = reclaim.problems(4)
        >>> system = asked.select("pid", policy=pl.lit("my-system"), note="question")
        >>> trials = reclaim.scored(reclaim.deterministic(reclaim.board(asked, system, seeds=1)))
        >>> reclaim.tables(trials)["reclaim"].select("policy", "estimate").rows()
        [('lossy', 0.0), ('my-system', 1.0), ('source-first', 1.0)]
    """
    column_names(memories.columns, ("pid", "policy", "note"), argument="memories")
    labels = [name for name, dtype in memories.schema.items() if dtype in (pl.Categorical, pl.Enum)]
    memories = memories.with_columns(pl.col(*labels).cast(pl.String)) if labels else memories
    templates = notes(problems, policies=["lossy", "source-first"], integrities=[WALL])
    filled = {
        name: pl.lit("template" if dtype == pl.String else 0).cast(dtype)
        for name, dtype in memories.schema.items()
        if name not in ("pid", "policy", "note", "store")
    }
    if "store" in memories.columns:
        templates = templates.join(problems.select("pid", "store"), on="pid", maintain_order="left")
    rows = pl.concat([memories, templates.with_columns(**filled).select(memories.columns)])
    return plan(problems, rows, corrections(problems, arms=arms), seeds=seeds)


def contents(
    memories: pl.DataFrame,
    problems: pl.DataFrame,
    *,
    said: str | None = None,
    dialect: str = "strict",
    confidence_level: float = 0.95,
) -> pl.DataFrame:
    """Say of each policy's memories what they hold, before any is read.

    Args:
        memories: pid, policy, note and any design columns.
        problems: pid, source_items and drift, and question and premise. With truth, a note whose
            line items work out to it holds all of the source, however they are written.
        said: Column of the memories with the numbers or texts of the session; by default a
            session holds the numbers of question, premise and drift.
        dialect: How numbers are compared; as in `text.invented_numbers`.
        confidence_level: Of the intervals.

    Returns:
        One row for each cell and quantity, in this order: `complete`, the share of memories that
        hold all of the source; `silent`, whose wrong answer can be given without a sign of it
        (`score.probe`); `invents`, that hold numbers which the session has not; and `invented`,
        the mean count of those. With n, n_clusters, estimate, low, high, method and
        confidence_level.

    Raises:
        ColumnError: A column is missing or of the wrong type.
        DesignError: A memory has no problem.
        OptionError: The dialect is unknown, or the level is out of range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> asked = reclaim.problems(8)
        >>> kept = reclaim.notes(asked, policies=["lossy", "source-first"], integrities=[0.1])
        >>> reclaim.contents(kept, asked).select("policy", "quantity", "estimate").rows()[:3]
        [('lossy', 'complete', 0.0), ('lossy', 'silent', 1.0), ('lossy', 'invents', 0.0)]
    """
    column_names(memories.columns, ("pid", "policy", "note"), argument="memories")
    heard = () if said else ("question", "premise")
    truth = "truth" if problems.schema.get("truth", pl.String) != pl.String else None
    right = (truth,) if truth else ()
    asked = problems_with(problems, ("source_items", "drift", *heard, *right))
    drift = pl.col("drift") if asked["drift"].dtype == pl.String else number(pl.col("drift"))
    known = pl.col(said) if said else pl.concat_str(*heard, drift, separator=" ")
    missed = memories.join(asked, on="pid", how="anti")["pid"].unique(maintain_order=True)
    if missed.len():
        raise DesignError(f"problems: no row for the memories' pids {missed.head(3).to_list()}")
    by = [
        name
        for name in memories.columns
        if name not in ("pid", "store", "draw", "seed", "note", said)
    ]
    rows = (
        memories.join(asked, on="pid", how="left", maintain_order="left")
        .with_columns(
            probe("note", "source_items", "drift", truth=truth).alias("probed"),
            invented=invented_numbers("note", known, dialect=dialect).struct.field("count"),
        )
        .unnest("probed")
    )
    shown = ["n", "n_clusters", "estimate", "low", "high", "method", "confidence_level"]
    cluster = cluster_of(memories)
    certified = pl.col("works_out").fill_null(False) if truth else pl.lit(False)
    shares = {
        "complete": (pl.col("kept") == pl.col("total")) | certified,
        "silent": pl.col("regime") == "uncorrectable_silent",
        "invents": pl.col("invented") > 0,
    }
    parts = [
        rate(rows, hit, by=by, cluster=cluster, confidence_level=confidence_level)
        for hit in shares.values()
    ]
    parts.append(mean(rows, "invented", by=by, cluster=cluster, confidence_level=confidence_level))
    return pl.concat(
        part.select(*by, pl.lit(name).alias("quantity"), *shown)
        for name, part in zip([*shares, "invented"], parts, strict=True)
    ).sort(by, maintain_order=True)


def scribe(
    calls: pl.DataFrame, *, loses: float = 0.0, concludes: bool = False, seed: int = 0
) -> pl.DataFrame:
    """Write memories without a model: what was given, less what gets lost.

    It looks at the messages alone, and whatever the prompt says it lists the line items or clues
    of the session.

    Args:
        calls: As `writing` gives them.
        loses: Share of line items or clues that it leaves out, from 0 to 1.
        concludes: Whether it adds the answer that the session came to.
        seed: Of what is left out.

    Returns:
        `calls` with reply.

    Raises:
        ColumnError: A column is missing.
        OptionError: The share or the seed is out of range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> calls = reclaim.writing(reclaim.problems(1), prompts=["distilled"])
        >>> reclaim.scribe(calls, concludes=True)["reply"].item()
        'Given: 9 ropes at $9 each; 7 belts at $6 each. Total before tax: $117.'
    """
    column_names(calls.columns, ("key", "messages"), argument="calls")
    share("loses", loses)
    integer("seed", seed, least=0, most=2**64 - 1)
    told = pl.col("messages").list.last().struct.field("content")
    session = calls.select(
        "key", said=told.str.replace_all(f"{PREMISE}|{_ASKED}", "")
    ).with_row_index("row")
    given = session.select(
        "row", "key", given=pl.col("said").str.extract_all(f"{LINE_ITEM}|{CLUE}")
    ).explode("given")
    given = given.filter(pl.col("given").is_not_null()).unique(maintain_order=True)
    lot = mixed(text_key(given["key"]) + mixed(text_key(given["given"]) + word(seed)))
    luck = (lot // word(1 << 11)).cast(pl.Float64) / 2.0**53
    listed = given.filter(luck >= loses).group_by("row").agg(pl.col("given").str.join("; "))
    stated = pl.format("{}.", pl.col("said").str.extract_all(_STATED).list.last())
    reply = sentences(
        pl.format("Given: {}.", pl.col("given").fill_null("nothing")),
        stated if concludes else pl.lit(None, pl.String),
    )
    found = session.join(listed, on="row", how="left", maintain_order="left")
    return calls.with_columns(found.select(reply=reply).to_series())
