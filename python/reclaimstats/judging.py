"""Pairwise judging: win rates, and what the order of showing does to them."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.design.cells import finished, nested
from reclaimstats.design.judgements import ALIKE, MOVED, VERDICTS, Judgements
from reclaimstats.options import choice, confidence

__all__ = ["wins"]

_RESULT = [
    "model",
    "opponent",
    "n",
    "n_clusters",
    "n_missing",
    "wins",
    "losses",
    "ties",
    "estimate",
    "low",
    "high",
    "shown_first",
    "shown_second",
    "first_share",
    "first_low",
    "first_high",
    "position_p",
    "position_log_p",
    "position_test",
    "items_both_orders",
    "moved_to_first",
    "moved_to_second",
    "consistent",
    "method",
    "confidence_level",
    "reason",
]


def wins(
    judgements: Any,
    winner: str | pl.Expr = "winner",
    *,
    models: Sequence[str] = ("model_a", "model_b"),
    first: str | pl.Expr | None = None,
    item: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    cluster: str | Sequence[str] | None = None,
    per: str = "pair",
    ties: str = "half",
    confidence_level: float = 0.95,
) -> pl.DataFrame:
    """Win rates of models judged in pairs, and what the order of showing does to the judge.

    A row of `judgements` is one verdict on two answers to an item: "a", "b" or "tie". Name the
    item wherever one is judged more than once, in both orders or by several judges: its
    judgements then count as dependent, and what the order does is seen within items. A row whose
    verdict or order is null is missing.

    Args:
        judgements: Polars DataFrame or LazyFrame, or any Arrow table.
        winner: Name or expression of the verdict: "a", "b", "tie" or null. The names of the
            columns of `models` stand for "a" and "b" too: "model_a", as Chatbot Arena writes.
        models: The columns that name model a and model b. No nulls.
        first: Name or expression of who was shown first, in the same words. Without, it is model
            a.
        item: Columns that tell apart what was judged. No nulls.
        by: Columns that tell cells apart, such as the judge. Null is a value.
        cluster: Columns that tell clusters of items apart, such as the document. No nulls. By
            default each item is a cluster.
        per: "pair" for a row for each two models that met, seen by the one whose name comes
            first; "model" for a row for each model against all it met.
        ties: "half" counts a tie as half a win; "drop" leaves ties out.
        confidence_level: Two-sided level of the intervals.

    Returns:
        One row per cell and pair, or model, sorted: the `by` columns, `model` and `opponent`;
        `n` judgements that count, `n_clusters` (null without item or cluster), `n_missing`;
        `wins`, `losses`, `ties`; `estimate`, the win rate, with `low` and `high`; the win rate
        when `shown_first` and `shown_second`; `first_share`, how often whoever is shown first
        wins, both orders weighing the same, with `first_low` and `first_high` (null where there
        is one order only: place and model cannot be told apart); `position_p` of the
        `position_test` that the place does not matter: "sign-exact" over the items judged in
        both orders, whose verdict `moved_to_first` or `moved_to_second`; or, where each
        judgement is of an item of its own, "fisher-exact" of verdict against order, ties left
        out; `items_both_orders`, and the share of those that is `consistent`: one verdict
        whatever the order. `method`, `confidence_level`, and `reason` why the interval is null.
        Counts are Int64, names and reasons String, the rest Float64.

    Raises:
        ColumnError: A column is missing, or a verdict or order is none of the words.
        DesignError: A model, item or cluster is null, a model is judged against itself, or an
            item lies in several clusters.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> judged = pl.DataFrame(
        ...     {
        ...         "item": [1, 1, 2, 2, 3, 3, 4, 4],
        ...         "model_a": ["reset"] * 8,
        ...         "model_b": ["full"] * 8,
        ...         "shown": ["a", "b"] * 4,
        ...         "winner": ["a", "a", "a", "tie", "b", "a", "a", "a"],
        ...     }
        ... )
        >>> table = rs.wins(judged, first="shown", item="item")
        >>> table.select("model", "wins", "ties", "estimate", "first_share", "consistent")
        shape: (1, 6)
        ┌───────┬──────┬──────┬──────────┬─────────────┬────────────┐
        │ model ┆ wins ┆ ties ┆ estimate ┆ first_share ┆ consistent │
        │ ---   ┆ ---  ┆ ---  ┆ ---      ┆ ---         ┆ ---        │
        │ str   ┆ i64  ┆ i64  ┆ f64      ┆ f64         ┆ f64        │
        ╞═══════╪══════╪══════╪══════════╪═════════════╪════════════╡
        │ full  ┆ 1    ┆ 1    ┆ 0.1875   ┆ 0.4375      ┆ 0.5        │
        └───────┴──────┴──────┴──────────┴─────────────┴────────────┘

    References:
        Wilson (1927), doi:10.1080/01621459.1927.10502953, on an effective sample size: Korn and
        Graubard (1998), Survey Methodology 24, 193-201. Sign test: Dixon and Mood (1946),
        doi:10.1080/01621459.1946.10501898. Fisher (1935), doi:10.2307/2342435.
    """
    choice("per", per, ["pair", "model"])
    choice("ties", ties, ["half", "drop"])
    level = confidence(confidence_level)
    columns = [name for name in _RESULT if per == "pair" or name != "opponent"]
    judged = Judgements.of(
        judgements,
        winner,
        models=models,
        first=first,
        item=item,
        by=by,
        cluster=cluster,
        per=per,
        ties=ties,
        result_columns=_RESULT,
    )
    to_first, to_second, both, _, consistent = MOVED
    (lengths,) = nested(judged.cells, judged.by, judged.rows)
    results = _core.wins_counts(
        lengths,
        [judged.rows[name] for name in (*VERDICTS, ALIKE)],
        [judged.cells[name] for name in MOVED[:4]],
        not judged.clustered,
        level,
    )
    cells = judged.cells.with_columns(
        pl.col(both).cast(pl.Int64).alias("items_both_orders"),
        pl.col(to_first).cast(pl.Int64).alias("moved_to_first"),
        pl.col(to_second).cast(pl.Int64).alias("moved_to_second"),
        pl.when(pl.col(both) > 0).then(pl.col(consistent) / pl.col(both)).alias("consistent"),
    )
    names = [name for name in judged.by if name in ("model", "opponent")]
    rest = [name for name in columns if name not in names]
    return finished(cells, judged.by, results, rest)
