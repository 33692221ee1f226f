"""Power, sample size and detectable effect from assumptions."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.options import confidence, integer
from reclaimstats.planning import Study
from reclaimstats.stats._result import Result

__all__ = ["PowerResult", "RuleOfThreeResult", "power", "rule_of_three"]


@dataclass(frozen=True, slots=True)
class PowerResult(Result):
    """A study with its size, effect and power.

    Attributes:
        n: Pairs, or trials in each arm.
        n_clusters: Clusters of them (in each arm, if unpaired); null without clusters.
        effect: Difference of the means or rates, treatment minus baseline.
        power: Chance that the test rejects. Where `n` was left out, that of this n.
        alpha: Level of the test.
        alternative: What is tested for.
        design: "paired" or "unpaired".
        design_effect: By what factor clusters inflate the variance.
        method: Test whose power it is: "mcnemar-exact", "t", "t-clustered" or "normal".
        reason: Why something is null.
    """

    n: int | None
    n_clusters: float | None
    effect: float | None
    power: float | None
    alpha: float
    alternative: str
    design: str
    design_effect: float
    method: str
    reason: str | None


def power(
    *,
    design: str,
    n: int | None = None,
    power: float | None = None,
    effect: float | None = None,
    sd: float | None = None,
    baseline: float | None = None,
    correlation: float | None = None,
    discordance: float | None = None,
    icc: float = 0.0,
    cluster_size: float = 1.0,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    method: str = "auto",
) -> PowerResult:
    """Power, sample size or detectable effect of a study: give two of three, get the third.

    Name exactly two of `n`, `power` and `effect`. The outcome is one of three kinds: numeric
    scores, by `sd`; outcomes 0 and 1, by the `baseline` rate; pairs of such outcomes, by the
    share of pairs that differ, `discordance`. Clusters of `cluster_size` inflate the variance
    by 1 + (cluster_size - 1) icc, and the test counts clusters: Student's t with one degree of
    freedom less than there are clusters (unpaired: two less than in both arms), shifted by
    effect over standard error, so that its power is a tail of the noncentral t distribution.
    Pairs of outcomes 0 and 1 without clusters are tested by McNemar's exact test, whose power
    is summed over what the number of discordant pairs can be (beyond an expectation of 20,000
    of those, "t").

    Args:
        design: "paired" for two trials of each item; "unpaired" for arms with trials of their
            own.
        n: Number of pairs, or of trials in each arm; clusters are n / cluster_size.
        power: Chance that the test rejects, between 0 and 1.
        effect: Difference of means or rates, treatment minus baseline.
        sd: Standard deviation of a score in an arm; of a paired design without `correlation`,
            that of the pairs' differences.
        baseline: Rate of the baseline, from 0 to 1.
        correlation: Correlation of the two outcomes of a pair, from -1 to 1; of outcomes 0 and
            1 it is held to what their rates allow, and 0 by default.
        discordance: Share of pairs that differ, above 0; at least as large as the effect.
        icc: Correlation within clusters, from 0 to 1: of the pairs' differences, or of an arm's
            outcomes.
        cluster_size: Pairs, or trials of an arm, in a cluster; of unequal clusters the mean
            weighted by size, the sum of squared sizes over the sum of sizes.
        alpha: Level of the test.
        alternative: "two-sided", "greater" or "less", of treatment minus baseline.
        method: "auto" as above; "normal" for normal quantiles in place of Student's and of the
            exact test, as textbooks do.

    Returns:
        The study. What cannot be had is null, with a reason; a sample size is the least from
        which on the power is reached, of clusters a whole number.

    Raises:
        OptionError: Not two of the three are given, the outcome is not of one kind, or an
            option is unknown or out of range.

    Examples:
        >>> import reclaimstats as rs
        >>> found = rs.stats.power(design="paired", n=20, power=0.8, sd=1.0)
        >>> round(found.effect, 4)
        0.6604
        >>> found = rs.stats.power(
        ...     design="paired",
        ...     effect=0.1,
        ...     power=0.8,
        ...     discordance=0.3,
        ...     icc=0.2,
        ...     cluster_size=3,
        ... )
        >>> found.n, found.n_clusters, round(found.power, 3), found.method
        (327, 109.0, 0.803, 't-clustered')

    References:
        Noncentral t: Johnson and Welch (1940), Biometrika 31, 362-389. Design effect: Kish
        (1965), Survey Sampling. McNemar's exact power: Duffy (1984), Biometrics 40, 1005-1015.
    """
    study = Study.checked(
        design=design,
        n=n,
        power=power,
        effect=effect,
        sd=sd,
        baseline=baseline,
        correlation=correlation,
        discordance=discordance,
        icc=icc,
        cluster_size=cluster_size,
        alpha=alpha,
        alternative=alternative,
        method=method,
    )
    row: dict[str, Any] = pl.DataFrame(_core.plan_study(study)).row(0, named=True)
    return PowerResult(
        **row,
        alpha=study.alpha,
        alternative=study.alternative,
        design=design,
        design_effect=study.design_effect,
    )


@dataclass(frozen=True, slots=True)
class RuleOfThreeResult(Result):
    """What is known of a rate of which nothing was seen.

    Attributes:
        n: Trials or clusters without an event.
        bound: Exact upper limit of the rate, 1 - (1 - level)^(1/n); null without a trial.
        approximation: The rule itself, -log(1 - level) / n, about 3 / n at 95 %, at most 1.
        confidence_level: One-sided level.
        reason: Why there is no bound.
    """

    n: int
    bound: float | None
    approximation: float | None
    confidence_level: float
    reason: str | None


def rule_of_three(n: int, *, confidence_level: float = 0.95) -> RuleOfThreeResult:
    """Upper limit of the rate of an event that did not occur in `n` trials.

    Trials count as independent; of clusters give their number, each counts once. The rule says
    3 / n at 95 %; the exact limit is a little below. Of n trials without a miss, the same number
    bounds the rate of misses.

    Args:
        n: Number of trials.
        confidence_level: One-sided level of the limit.

    Returns:
        The exact limit beside the rule.

    Raises:
        OptionError: `n` is negative or not a whole number, or the level is out of range.

    Examples:
        >>> import reclaimstats as rs
        >>> found = rs.stats.rule_of_three(96)
        >>> round(found.bound, 5), round(found.approximation, 5)
        (0.03072, 0.03121)

    References:
        Hanley and Lippman-Hand (1983), doi:10.1001/jama.1983.03330370053031.
    """
    n = integer("n", n, least=0, most=2**53)
    level = confidence(confidence_level)
    bound, approximation = _core.rule_of_three(n, level)
    reason = None if n else "no trials"
    return RuleOfThreeResult(n, bound, approximation, level, reason)
