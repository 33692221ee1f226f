"""What the replies come to: scores, tables with intervals, and the claim's kill condition."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reclaimstats.comparison import compare
from reclaimstats.design.columns import column_names
from reclaimstats.errors import DesignError
from reclaimstats.estimates import rate
from reclaimstats.options import confidence
from reclaimstats.score import outcome
from reclaimstats.scorers import sensitivity
from reclaimstats.studies.reclaim.wording import worked_out
from reclaimstats.text import answer_number, answer_time, answer_word, completeness, cues

__all__ = ["FLAGS", "cluster_of", "design_of", "kill_conditions", "scored", "tables", "versions"]

_NEARER_THAN = 0.5
_CENT = 0.006
_LISTED = "what the note's line items come to"
# What names a trial, and tells no cells apart: `draw` counts the memories written of one session.
_IDENTITY = ("key", "pid", "store", "draw")
# What tells the trials of a problem apart under one design.
_REPEATS = ("pid", "draw", "seed")
_VERSIONS = {"v1": "reclaim-eval-loose", "v2": "reclaim-eval", "strict": "strict"}
_BASELINES = ("lossy", "lossy-padded", "source-first")


FLAGS = (
    "missing", "not shown", "not listed", "not included", "not recorded", "not available",
    "unavailable", "not in the memory", "not all of", "incomplete", "left out", "dropped",
    "omitted", "partial", "cut off", "unaccounted for", "do not have", "don't have",
)  # fmt: skip
"""Phrases by which a reply says that part of the source is not there."""


def scored(trials: pl.DataFrame, *, dialect: str = "strict") -> pl.DataFrame:
    """Score answered trials, without a judge.

    A row is a trial. The answer is what the reply commits to. A number is recovered nearer than
    0.5 to the truth and inherited nearer than 0.5 to the drift; a name or time where it is the
    same. A null reply has no answer and no outcome.

    Args:
        trials: A plan with reply; note, truth, drift, source_items and, where the truth is a
            name, options are used. Published results that hold no replies may have answer in
            the place of reply, null where the model abstained.
        dialect: How answers are read; as in `text.answer_number`.

    Returns:
        The trials with answer (Float64 or String); outcome (Enum: recovered, inherited, novel,
        abstained); recovered and wrong (Boolean: the truth, and another value given as the
        answer); n_kept (UInt64) and complete (Boolean), how many parts of the source its note
        holds by a test of tokens, and whether it holds all, which it also does where what it lists
        works out to the truth (`worked_out`); partial (Boolean), whether the answer is what the
        line items left of an incomplete source come to; and, where there are replies, flagged
        (Boolean), whether the reply says in one of the phrases of `FLAGS` that something is
        missing.

    Raises:
        ColumnError: A column is missing or of the wrong type.
        DesignError: The trials have later turns that were not asked; see `conversations`.
        OptionError: The dialect is unknown.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> trials = reclaim.scored(reclaim.deterministic(reclaim.design("wall", n=4)))
        >>> trials.filter(policy="blank")["outcome"].unique().to_list()
        ['abstained']
    """
    if "pushes" in trials.columns:
        raise DesignError(
            "scored: these trials have several turns, of which a reply answers only the first; "
            "ask and score them through `conversations`"
        )
    given = "answer" if "answer" in trials.columns and "reply" not in trials.columns else "reply"
    column_names(
        trials.columns, (given, "note", "truth", "drift", "source_items"), argument="trials"
    )
    kept = completeness("note", "source_items")
    answered = pl.lit(True) if given == "answer" else pl.col("reply").is_not_null()
    if given == "answer":
        answer = pl.col("answer")
    elif "slot" in trials.columns:
        answer = answer_time("reply", dialect=dialect)
    elif trials["truth"].dtype == pl.String:
        column_names(trials.columns, ("options",), argument="trials")
        answer = answer_word("reply", options=pl.col("options"), dialect=dialect)
    else:
        answer = answer_number("reply", dialect=dialect)
    listed, works_out, sums = pl.lit(None, pl.Float64), pl.lit(False), pl.lit(False)
    if trials["truth"].dtype != pl.String:
        listed = worked_out("note")
        works_out = (pl.col(_LISTED) - pl.col("truth")).abs() < _CENT
        sums = (pl.col(_LISTED) - pl.col("answer")).abs() < _NEARER_THAN
    if given == "reply":
        flags = cues("reply", lexicon={"flag": FLAGS}, dates=False).struct.field("flag")
        trials = trials.with_columns(flagged=flags)
    return (
        trials.with_columns(answer=answer, kept=kept, **{_LISTED: listed})
        .with_columns(
            outcome=pl.when(answered).then(
                outcome("answer", "truth", "drift", tolerance=_NEARER_THAN)
            ),
            n_kept=pl.col("kept").struct.field("kept"),
            complete=(pl.col("kept").struct.field("kept") == pl.col("kept").struct.field("total"))
            | works_out.fill_null(False),
        )
        .with_columns(
            recovered=pl.col("outcome") == "recovered",
            wrong=pl.col("outcome").is_in(["inherited", "novel"]),
            partial=~pl.col("complete") & sums.fill_null(False),
        )
        .drop("kept", _LISTED)
    )


def design_of(trials: pl.DataFrame) -> list[str]:
    """Return the columns that tell cells apart: those before `seed` that name no problem."""
    column_names(trials.columns, ("pid", "policy", "seed"), argument="scored")
    before = trials.columns[: trials.columns.index("seed")]
    return [name for name in before if name not in _IDENTITY]


def cluster_of(trials: pl.DataFrame) -> str:
    """Return the column of trials that resemble each other: the store, or else the problem."""
    return "store" if "store" in trials.columns else "pid"


def tables(
    trials: pl.DataFrame, *, baseline: str | None = None, confidence_level: float = 0.95
) -> dict[str, pl.DataFrame]:
    """Make the study's tables, each a frame with a row for each cell.

    Cells are told apart by the columns in front of `seed`, clusters are problems or stores.

    Args:
        trials: As `scored` gives them; several models' can be one frame with a column `model`
            in front.
        baseline: The policy that the others' reclaim rates are compared with; by default `lossy`,
            or, where there is none, `lossy-padded` or `source-first`.
        confidence_level: Of the intervals.

    Returns:
        `reclaim`, the share of replies that recover the truth, and `wrong`, that give another
        value, as `rate` gives them; `failures`, the share of each `outcome` in the same columns,
        and `outcomes`, their counts; `boundary`, where notes hold part of a source, the share of
        replies that are `silent` (they give the sum of that part and no sign) and `loud` (they
        abstain or say that something is missing); and, as `compare` gives them, where there are
        such a baseline and others: `reclaim_against`, each policy's reclaim rate minus that of the
        baseline; `wrong_against_blank`, each policy's wrong answers minus those of an empty
        memory; `reclaim_against_generic`, each correction's reclaim rate minus that of the
        generic one; without cells that have no pair.

    Raises:
        ColumnError: A column is missing or of the wrong type.
        DesignError: No trial has the baseline.
        OptionError: The level is out of range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> answered = reclaim.deterministic(reclaim.design("wall", n=8))
        >>> cells = reclaim.tables(reclaim.scored(answered))["reclaim"]
        >>> cells.filter(integrity=0.1, arm="directed")["estimate"].to_list()
        [0.0, 0.0, 0.0, 1.0]
    """
    by = design_of(trials)
    shown: dict[str, Any] = {"cluster": cluster_of(trials), "confidence_level": confidence_level}
    policies = set(trials["policy"])
    if baseline is not None and baseline not in policies:
        raise DesignError(f"baseline={baseline!r} is not among the policies {sorted(policies)}")
    against = baseline or next((name for name in _BASELINES if name in policies), None)
    result = {
        "reclaim": rate(trials, "recovered", by=by, **shown),
        "wrong": rate(trials, "wrong", by=by, **shown),
        "failures": pl.concat(
            rate(trials, pl.col("outcome") == kind, by=by, **shown).insert_column(
                len(by), pl.lit(kind).alias("outcome")
            )
            for kind in trials["outcome"].dtype.categories  # type: ignore[attr-defined]
        ).sort(by, maintain_order=True),
        "outcomes": _outcomes(trials, by),
    }
    cut = trials.filter(~pl.col("complete"), pl.col("n_kept") > 0)
    if cut.height and "flagged" in cut.columns:
        loud = pl.col("flagged") | (pl.col("outcome") == "abstained")
        quantities = {"silent": pl.col("partial") & ~loud, "loud": loud}
        result["boundary"] = pl.concat(
            rate(cut, hit, by=by, **shown).insert_column(len(by), pl.lit(name).alias("quantity"))
            for name, hit in quantities.items()
        ).sort(by, maintain_order=True)
    for name, value, contrast, other in (
        ("reclaim_against", "recovered", "policy", against),
        ("wrong_against_blank", "wrong", "policy", "blank"),
        ("reclaim_against_generic", "recovered", "arm", "generic"),
    ):
        levels = set(trials[contrast]) if contrast in by else set()
        if other in levels and len(levels) > 1:
            cells = [column for column in by if column != contrast]
            pairs = [column for column in _REPEATS if column in trials.columns]
            compared = compare(
                trials, value, contrast=contrast, baseline=other, pair_by=pairs, by=cells, **shown
            )
            # Not every level occurs in every cell, nor with a baseline beside it.
            result[name] = compared.filter(pl.col("n_pairs") > 0)
    return result


def _outcomes(trials: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    kinds = trials["outcome"].dtype.categories.to_list()  # type: ignore[attr-defined]
    counts = [(pl.col("outcome") == kind).sum().cast(pl.Int64).alias(kind) for kind in kinds]
    missing = pl.col("outcome").is_null().sum().cast(pl.Int64).alias("n_missing")
    return trials.group_by(by).agg(*counts, missing).sort(by)


def versions(
    trials: pl.DataFrame,
    *,
    dialects: Mapping[str, str] | None = None,
    confidence_level: float = 0.95,
) -> dict[str, pl.DataFrame]:
    r"""Make the same tables under several readings of the replies, side by side.

    The first paper scored its replies twice: its first parser took the last number anywhere for
    an answer, its second one what follows the marker. What that does to a result is measured here.

    Args:
        trials: Plans with reply, as `scored` takes them, with the policies blank and others.
        dialects: Names, and the dialect of `text.answer_number` of each; by default v1, v2 and
            the strict one. The shifts are those against the first.
        confidence_level: Of the intervals.

    Returns:
        `outcomes`, the counts of each outcome with the column `version` in front; `wrong`, the
        shares of wrong answers as `rate` gives them, and `wrong_against_blank`, both the same;
        and `shifts`, how far the differences in wrong answers (`outcome` wrong) and in stale ones
        (inherited) move from one reading to another, as `sensitivity` gives them.

    Raises:
        ColumnError: A column is missing or of the wrong type.
        DesignError: There is no blank memory, or no other.
        OptionError: A dialect is unknown, or the level is out of range.

    Examples:
        >>> import polars as pl
        >>> from reclaimstats.studies import reclaim
        >>> plan = reclaim.design("wall", n=8, seeds=1).filter(integrity=0.1, arm="directed")
        >>> quoting = pl.format("It was ${} before; I cannot tell.\nANSWER: unable", "drift")
        >>> trials = plan.with_columns(
        ...     reply=pl.when(policy="lossy").then(quoting).otherwise(pl.lit("ANSWER: unknown"))
        ... )
        >>> counts = reclaim.versions(trials)["outcomes"]
        >>> counts.filter(policy="lossy").select("version", "inherited", "abstained").rows()
        [('v1', 8, 0), ('v2', 0, 8), ('strict', 0, 8)]
    """
    readings = dict(_VERSIONS if dialects is None else dialects)
    parts = {name: scored(trials, dialect=dialect) for name, dialect in readings.items()}
    each = {name: tables(part, confidence_level=confidence_level) for name, part in parts.items()}
    result = {
        table: pl.concat(
            found[table].insert_column(0, pl.lit(name).alias("version"))
            for name, found in each.items()
        )
        for table in ("outcomes", "wrong", "wrong_against_blank")
        if all(table in found for found in each.values())
    }
    if "wrong_against_blank" not in result:
        raise DesignError("versions: the trials must have the policy 'blank' and another one")
    return result | {"shifts": _shifts(parts, confidence_level)}


def _shifts(parts: dict[str, pl.DataFrame], confidence_level: float) -> pl.DataFrame:
    first = next(iter(parts.values()))
    found = []
    for kind in ("wrong", "inherited"):
        hit = pl.col("wrong") if kind == "wrong" else pl.col("outcome") == kind
        hits = {f"version.{name}": part.select(hit).to_series() for name, part in parts.items()}
        shift = sensitivity(
            first.with_columns(**hits),
            {name: f"version.{name}" for name in parts},
            contrast="policy",
            baseline="blank",
            cluster=cluster_of(first),
            by=[name for name in design_of(first) if name != "policy"],
            confidence_level=confidence_level,
        )
        found.append(shift.insert_column(0, pl.lit(kind).alias("outcome")))
    return pl.concat(found)


def kill_conditions(
    trials: pl.DataFrame, *, by: str | None = "model", confidence_level: float = 0.95
) -> pl.DataFrame:
    """Say, per model, whether it carries the claim that a lossy memory is worse than an empty one.

    The claim: under a lossy memory a model gives a wrong answer more often than under a blank one.
    It is broken by a model for which that is not so. The difference is paired by problem, design
    and seed, and its interval respects problems as clusters.

    Args:
        trials: As `scored` gives them, with the policies lossy and blank, at integrities where
            the lossy note holds no source: others are left out.
        by: Column that tells models apart, or None where there is one.
        confidence_level: Of the interval.

    Returns:
        The columns of `compare` that matter here, behind `by`: n_pairs, n_clusters, treatment
        (lossy), baseline (blank), difference, low, high, permutation_p, flip_p, and verdict:
        "carries" where the interval lies above 0, "breaks" where it lies at or below 0, else
        "undecided", which is also the verdict where there is no interval.

    Raises:
        ColumnError: A column is missing or of the wrong type.
        DesignError: A policy is missing, or no lossy note is without its source.
        OptionError: The level is out of range.

    Examples:
        >>> import polars as pl
        >>> from reclaimstats.studies import reclaim
        >>> plan = reclaim.design("wall", n=16)
        >>> answered = [
        ...     reclaim.disposed(plan, inherits=share).insert_column(0, pl.lit(name).alias("model"))
        ...     for name, share in (("careful", 0.0), ("bold", 0.8))
        ... ]
        >>> verdicts = reclaim.kill_conditions(reclaim.scored(pl.concat(answered)))
        >>> verdicts.select("model", "verdict").rows()
        [('bold', 'carries'), ('careful', 'undecided')]
    """
    level = confidence(confidence_level)
    groups = [] if by is None else [by]
    column_names(trials.columns, [*groups, "complete", "n_kept"], argument="trials")
    design = [name for name in design_of(trials) if name not in (*groups, "policy")]
    at_wall = trials.filter(pl.col("policy").is_in(["lossy", "blank"]))
    holds = pl.when(policy="lossy").then((pl.col("n_kept") > 0) | pl.col("complete"))
    at_wall = at_wall.filter(~holds.max().over([*groups, *design, "pid"]))
    if set(at_wall["policy"]) != {"lossy", "blank"}:
        raise DesignError(
            "the claim is about notes of policy 'lossy' that hold nothing of the source, beside "
            f"notes of policy 'blank'; the trials hold {sorted(set(trials['policy']))}"
        )
    result = compare(
        at_wall,
        "wrong",
        contrast="policy",
        baseline="blank",
        pair_by=[*design, *(name for name in _REPEATS if name in at_wall.columns)],
        by=groups,
        cluster=cluster_of(trials),
        confidence_level=level,
    )
    verdict = (
        pl.when(pl.col("low") > 0)
        .then(pl.lit("carries"))
        .when(pl.col("high") <= 0)
        .then(pl.lit("breaks"))
        .otherwise(pl.lit("undecided"))
    )
    shown = [
        *groups, "n_pairs", "n_clusters", "treatment", "baseline", "difference", "low", "high",
        "permutation_p", "flip_p",
    ]  # fmt: skip
    return result.select(*shown, verdict=verdict)
