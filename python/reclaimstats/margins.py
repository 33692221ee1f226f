"""Equivalence, non-inferiority and superiority by a margin, per cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.design.cells import finished
from reclaimstats.design.columns import listed
from reclaimstats.design.pairs import Arms
from reclaimstats.errors import OptionError
from reclaimstats.options import Plan, choice, level, number

__all__ = ["Claim", "equivalence"]

_RESULT = [
    "treatment_level",
    "baseline_level",
    "n_pairs",
    "n_clusters",
    "n_unpaired_treatment",
    "n_unpaired_baseline",
    "n_missing",
    "treatment",
    "baseline",
    "difference",
    "low",
    "high",
    "margin_low",
    "margin_high",
    "alternative",
    "alpha",
    "verdict",
    "method",
    "confidence_level",
    "n_resamples",
    "seed",
    "reason",
]


@dataclass(frozen=True, slots=True)
class Claim:
    """What is claimed of a difference; its attributes are read by the core."""

    alternative: str
    margins: tuple[float, float]
    alpha: float

    @classmethod
    def checked(
        cls, *, margin: Any, alternative: str, alpha: float, bounds: tuple[float, float]
    ) -> "Claim":
        """Check every option and how they go together.

        Args:
            margin: A number, or for equivalence a lower and an upper one.
            alternative: One of `_core.CLAIMS`.
            alpha: Level of each one-sided test, below one half.
            bounds: What a difference can be at all; margins lie inside.

        Raises:
            OptionError: An option is unknown or out of range.
        """
        choice("alternative", alternative, _core.CLAIMS)
        if isinstance(margin, list | tuple):
            if alternative != "equivalence" or len(margin) != 2:
                raise OptionError(
                    f"margin={margin!r} must be one number, or for alternative='equivalence' a "
                    "lower and an upper one"
                )
            low, high = (number("margin", one) for one in margin)
        else:
            high = number("margin", margin)
            low = -high
        # A claim of one side may have a margin of zero; two sides need room between them.
        if not (low < 0.0 < high or (low <= 0.0 <= high and alternative != "equivalence")):
            raise OptionError(
                f"margin={margin!r} must be above 0, or a pair of numbers around 0: the largest "
                "difference that does not matter"
            )
        if not (bounds[0] < low and high < bounds[1]):
            raise OptionError(
                f"margin={margin!r} must lie within what a difference can be, {bounds[0]:g} to "
                f"{bounds[1]:g}"
            )
        return cls(alternative, (low, high), level("alpha", alpha))

    @property
    def confidence_level(self) -> float:
        """Two-sided level of the interval that decides: 1 - 2 alpha."""
        return 1.0 - 2.0 * self.alpha


def equivalence(
    trials: Any,
    outcome: str | pl.Expr,
    *,
    margin: float | tuple[float, float],
    contrast: str,
    baseline: Any,
    pair_by: str | Sequence[str],
    cluster: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    alternative: str = "equivalence",
    alpha: float = 0.05,
    method: str = "auto",
    n_resamples: int = 5000,
    seed: int = 0,
) -> pl.DataFrame:
    """Whether every arm is as good as a baseline to within a margin, per cell.

    A row of `trials` is one trial; cells, arms, pairs, clusters and missing outcomes are those
    of `compare`. The interval of the paired difference at level 1 - 2 alpha decides: a claim
    passes where the interval lies wholly where the claim holds, fails where it lies wholly
    where it does not, and is otherwise inconclusive. For equivalence that is two one-sided
    tests (TOST), each at alpha. A difference that is not significant is no evidence of
    equivalence: too few data give INCONCLUSIVE, never PASS.

    Where all pairs (with `cluster`, all clusters) show the very same difference, an interval
    from their spread would have no width. Then an exact bound decides: were a share above
    1 - alpha^(1/k) of pairs or clusters different, k equal ones had a chance below alpha.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        outcome: Name or expression of the outcome: Boolean, or numbers 0 and 1, where 1 is
            good; of a bad outcome take the opposite, such as `~pl.col("drifted")`.
        margin: Largest difference that does not matter, strictly between 0 and 1; for
            equivalence also a lower and an upper one, such as (-0.02, 0.05); for claims of one
            side also 0. Choose it before looking at the data.
        contrast: Column that tells arms apart.
        baseline: The value of `contrast` that the others are compared with.
        pair_by: Columns whose values two trials share to be a pair. No nulls.
        cluster: Columns that tell clusters apart. No nulls.
        by: Columns that tell cells apart.
        alternative: What is claimed of the difference, treatment minus baseline:
            "equivalence", that it lies between the margins; "non-inferiority", that it lies
            above -margin; "superiority", that it lies above margin.
        alpha: Level of each one-sided test, above 0 and below 0.5.
        method: How the interval is made: "auto" for Tango's score interval, with clusters on the
            number of pairs that they are worth for the difference; else as in `compare`.
        n_resamples: Number of random resamples, where there are draws.
        seed: Seed of the draws.

    Returns:
        One row per cell and arm, sorted by both: the `by` columns, `treatment_level`,
        `baseline_level`, `n_pairs`, `n_clusters` (null without `cluster`),
        `n_unpaired_treatment`, `n_unpaired_baseline`, `n_missing`, the rates `treatment` and
        `baseline`, their `difference` with `low` and `high` at `confidence_level`,
        `margin_low`, `margin_high`, `alternative`, `alpha`, `verdict` ("PASS", "FAIL" or
        "INCONCLUSIVE", never null), `method` ("constant-exact" where the exact bound decided),
        `n_resamples` and `seed` (null where nothing was drawn) and `reason` why there is no
        interval. Counts are Int64, `seed` UInt64, the rest Float64 and String.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is not 0 or 1.
        DesignError: See `compare`.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> hits = {"short": [1, 1, 1, 0] * 50, "full": [1, 1, 0, 1] + [1, 1, 1, 0] * 49}
        >>> trials = pl.concat(
        ...     pl.DataFrame({"memory": arm, "item": range(200), "correct": correct})
        ...     for arm, correct in hits.items()
        ... )
        >>> rs.equivalence(
        ...     trials,
        ...     "correct",
        ...     margin=0.05,
        ...     contrast="memory",
        ...     baseline="full",
        ...     pair_by="item",
        ... ).select("n_pairs", "difference", pl.col("low", "high").round(3), "verdict")
        shape: (1, 5)
        ┌─────────┬────────────┬────────┬───────┬─────────┐
        │ n_pairs ┆ difference ┆ low    ┆ high  ┆ verdict │
        │ ---     ┆ ---        ┆ ---    ┆ ---   ┆ ---     │
        │ i64     ┆ f64        ┆ f64    ┆ f64   ┆ str     │
        ╞═════════╪════════════╪════════╪═══════╪═════════╡
        │ 200     ┆ 0.0        ┆ -0.018 ┆ 0.018 ┆ PASS    │
        └─────────┴────────────┴────────┴───────┴─────────┘

    References:
        Schuirmann (1987), doi:10.1007/BF01068419. Tango (1998), Statistics in Medicine 17,
        891-908. Other intervals as in `compare`.
    """
    claim = Claim.checked(margin=margin, alternative=alternative, alpha=alpha, bounds=(-1.0, 1.0))
    plan = Plan.checked(
        method=method,
        methods=_core.DIFFERENCE_METHODS,
        resampler="auto",
        confidence_level=claim.confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        cluster=listed(cluster),
    )
    arms = Arms.of(
        trials,
        outcome,
        contrast=contrast,
        baseline=baseline,
        pair_by=pair_by,
        cluster=cluster,
        by=by,
        result_columns=_RESULT,
    )
    cells, lengths, columns = arms.counted()
    results = _core.equivalence_counts(lengths, columns, plan, claim)
    return finished(cells, arms.trials.by, results, _RESULT)
