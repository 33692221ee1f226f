"""How large a study must be: from assumptions, or from a pilot."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.design.cells import finished
from reclaimstats.design.pairs import Arms
from reclaimstats.errors import OptionError
from reclaimstats.options import choice, distance, integer, number, probability, share

__all__ = ["DESIGNS", "PLANS", "Study", "power"]

DESIGNS = ["paired", "unpaired"]
PLANS = ["auto", "normal"]
_MOST = 10**12

_RESULT = [
    "treatment_level",
    "baseline_level",
    "pilot_pairs",
    "pilot_clusters",
    "n_missing",
    "discordance",
    "icc",
    "cluster_size",
    "design_effect",
    "n",
    "n_clusters",
    "effect",
    "power",
    "alpha",
    "alternative",
    "method",
    "reason",
]


@dataclass(frozen=True, slots=True)
class Study:
    """A study of which one thing is sought; its attributes are read by the core."""

    paired: bool
    sd: float | None
    baseline: float | None
    correlation: float
    discordance: float | None
    icc: float
    cluster_size: float
    alpha: float
    alternative: str
    normal: bool
    n: int | None
    power: float | None
    effect: float | None

    @classmethod
    def checked(
        cls,
        *,
        design: str,
        n: int | None,
        power: float | None,
        effect: float | None,
        sd: float | None,
        baseline: float | None,
        correlation: float | None,
        discordance: float | None,
        icc: float,
        cluster_size: float,
        alpha: float,
        alternative: str,
        method: str,
    ) -> "Study":
        """Check every assumption and how they go together; see `stats.power`.

        Raises:
            OptionError: An option is unknown, out of range, missing or one too many.
        """
        paired = choice("design", design, DESIGNS) == "paired"
        kinds = {"sd": sd, "baseline": baseline, "discordance": discordance}
        given = [name for name, value in kinds.items() if value is not None]
        if len(given) != 1:
            raise OptionError(
                "name the outcome by one of sd (numeric scores), baseline (rates) and discordance "
                f"(share of pairs that differ); received {' and '.join(given) or 'none'}"
            )
        if not paired and (discordance is not None or correlation is not None):
            raise OptionError("discordance and correlation are of pairs; use design='paired'")
        if discordance is not None and correlation is not None:
            raise OptionError("discordance says all that correlation does; leave correlation out")
        between = None if correlation is None else number("correlation", correlation)
        if between is not None and not -1.0 <= between <= 1.0:
            raise OptionError(f"correlation={correlation!r} must be a number from -1 to 1")
        if sd is not None:
            sd = distance("sd", number("sd", sd))
            if between is not None:
                sd *= math.sqrt(2.0 * (1.0 - between))
            if sd == 0.0:
                raise OptionError(
                    "sd of a difference must be above 0: scores that never differ need no test"
                )
        study = cls(
            paired=paired,
            sd=sd,
            baseline=None if baseline is None else share("baseline", baseline),
            correlation=between or 0.0,
            discordance=None if discordance is None else share("discordance", discordance),
            icc=share("icc", icc),
            cluster_size=number("cluster_size", cluster_size),
            alpha=probability("alpha", alpha),
            alternative=choice("alternative", alternative, _core.ALTERNATIVES),
            normal=choice("method", method, PLANS) == "normal",
            n=None if n is None else integer("n", n, least=0, most=_MOST),
            power=None if power is None else probability("power", power),
            effect=None if effect is None else number("effect", effect),
        )
        if study.cluster_size < 1.0:
            raise OptionError(f"cluster_size={cluster_size!r} must be a number from 1 up")
        if study.discordance == 0.0:
            raise OptionError("discordance must be above 0: pairs that never differ need no test")
        study._check_sought()
        return study

    def _check_sought(self) -> None:
        """Raise if not exactly one is left out, or the effect is impossible."""
        sought = {"n": self.n, "power": self.power, "effect": self.effect}
        left = [name for name, value in sought.items() if value is None]
        if len(left) != 1:
            raise OptionError(
                "give two of n, power and effect to find the third; left out: "
                f"{', '.join(left) or 'none'}"
            )
        if self.effect is None:
            return
        if self.baseline is not None and not 0.0 <= self.baseline + self.effect <= 1.0:
            raise OptionError(
                f"effect={self.effect:g} and baseline={self.baseline:g} make a rate outside 0 to 1"
            )
        if self.discordance is not None and abs(self.effect) > self.discordance:
            raise OptionError(
                f"effect={self.effect:g} needs a discordance of at least that; "
                f"received {self.discordance:g}"
            )

    @property
    def design_effect(self) -> float:
        """By what factor clusters inflate the variance."""
        return 1.0 + (self.cluster_size - 1.0) * self.icc


def power(
    trials: Any,
    outcome: str | pl.Expr,
    *,
    contrast: str,
    baseline: Any,
    pair_by: str | Sequence[str],
    n: int | None = None,
    power: float | None = None,
    effect: float | None = None,
    cluster: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    method: str = "auto",
) -> pl.DataFrame:
    """Power, sample size or detectable effect of a paired study, planned from a pilot of it.

    A row of `trials` is one trial of the pilot; cells, arms, pairs, clusters and missing outcomes
    are those of `compare`. From each arm's pairs come the share of pairs that differ, their
    correlation within clusters and the cluster size; the rest is `stats.power`. Name exactly two
    of `n`, `power` and `effect`. The pilot's own difference is not taken for the effect: a pilot
    is too small to know it, and a study planned on a lucky one is too small as well. Give the
    least difference that matters.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        outcome: Name or expression of the outcome: Boolean, or numbers 0 and 1.
        contrast: Column that tells arms apart.
        baseline: The value of `contrast` that the others are compared with.
        pair_by: Columns whose values two trials share to be a pair. No nulls.
        n: Number of pairs of the study.
        power: Chance that the test rejects, between 0 and 1.
        effect: Difference of the rates, treatment minus baseline, from -1 to 1. Where it is
            larger than the share of pairs that differ, that share is taken to be as large.
        cluster: Columns that tell clusters apart. No nulls.
        by: Columns that tell cells apart.
        alpha: Level of the test.
        alternative: "two-sided", "greater" or "less", of treatment minus baseline.
        method: "auto" or "normal", as in `stats.power`.

    Returns:
        One row per cell and arm, sorted by both: the `by` columns, `treatment_level`,
        `baseline_level`, `pilot_pairs`, `pilot_clusters` and `n_missing` of the pilot, the
        estimates `discordance`, `icc` (analysis of variance, held between 0 and 1) and
        `cluster_size` (weighted by size), their `design_effect`; then `n`, `n_clusters`,
        `effect`, `power`, `alpha`, `alternative`, `method` and `reason` as in `stats.power`.
        Without `cluster`, `pilot_clusters`, `icc` and `n_clusters` are null. With clusters of one
        pair each `icc` is null as well, and does not matter. A pilot of one cluster, or in which
        no pair differs, plans nothing: `reason` says so. Counts are Int64 (`n_clusters` Float64,
        because a size that was given need not be a whole number of clusters), the rest Float64
        and String.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is not 0 or 1.
        DesignError: See `compare`.
        OptionError: Not two of the three are given, or an option is unknown or out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> pilot = pl.DataFrame(
        ...     {
        ...         "memory": ["short"] * 24 + ["full"] * 24,
        ...         "item": [i // 3 for i in range(24)] * 2,
        ...         "repeat": [0, 1, 2] * 16,
        ...         "correct": [1, 0, 1, 0, 0, 0, 1, 1] * 3 + [1, 1, 1, 1, 0, 0, 0, 1] * 3,
        ...     }
        ... )
        >>> rs.power(
        ...     pilot,
        ...     "correct",
        ...     contrast="memory",
        ...     baseline="full",
        ...     pair_by=["item", "repeat"],
        ...     cluster="item",
        ...     effect=0.1,
        ...     power=0.8,
        ... ).select("discordance", "cluster_size", "n", "n_clusters", "method")
        shape: (1, 5)
        ┌─────────────┬──────────────┬─────┬────────────┬─────────────┐
        │ discordance ┆ cluster_size ┆ n   ┆ n_clusters ┆ method      │
        │ ---         ┆ ---          ┆ --- ┆ ---        ┆ ---         │
        │ f64         ┆ f64          ┆ i64 ┆ f64        ┆ str         │
        ╞═════════════╪══════════════╪═════╪════════════╪═════════════╡
        │ 0.375       ┆ 3.0          ┆ 363 ┆ 121.0      ┆ t-clustered │
        └─────────────┴──────────────┴─────┴────────────┴─────────────┘

    References:
        Analysis of variance of clusters: Fisher (1925), Statistical Methods for Research
        Workers. The rest as at `stats.power`.
    """
    # The pilot's share of pairs that differ takes the place of this one.
    study = Study.checked(
        design="paired",
        n=n,
        power=power,
        effect=effect,
        sd=None,
        baseline=None,
        correlation=None,
        discordance=1.0,
        icc=0.0,
        cluster_size=1.0,
        alpha=alpha,
        alternative=alternative,
        method=method,
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
    results = _core.plan_pilots(lengths, columns, study)
    effect_of_clusters = 1.0 + (pl.col("cluster_size") - 1.0) * pl.col("icc").fill_null(0.0)
    planned = pl.DataFrame(results).with_columns(
        alpha=pl.lit(study.alpha),
        alternative=pl.lit(study.alternative),
        design_effect=effect_of_clusters,
    )
    return finished(cells, arms.trials.by, planned, _RESULT)
