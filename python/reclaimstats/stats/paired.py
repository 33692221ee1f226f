"""Tests of pairs and of signs, and two rates of the same pairs with intervals."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError
from reclaimstats.options import choice, confidence, integer
from reclaimstats.stats._result import Result, counted, fourfold, series

__all__ = [
    "McNemarResult",
    "PairTable",
    "PairedResult",
    "SignTestResult",
    "mcnemar",
    "mcnemar_tables",
    "pair_table",
    "paired_difference",
    "paired_odds_ratio",
    "paired_ratio",
    "sign_test",
]


@dataclass(frozen=True, slots=True)
class SignTestResult(Result):
    """An exact two-sided sign test.

    Attributes:
        pvalue: The p-value; the smallest normal double, 2.2e-308, where it is below that.
        log_pvalue: Its natural logarithm, finite at any depth.
        positive: Count on one side.
        negative: Count on the other.
        method: Name of the test.
    """

    pvalue: float
    log_pvalue: float
    positive: int
    negative: int
    method: str


@dataclass(frozen=True, slots=True)
class McNemarResult(Result):
    """A two-sided McNemar test.

    Attributes:
        statistic: Chi-squared with one degree of freedom; null for the exact test and mid-p, which
            have none.
        pvalue: The p-value; the smallest normal double, 2.2e-308, where it is below that.
        log_pvalue: Its natural logarithm, finite at any depth.
        treatment_only: Pairs in which only the treatment succeeds.
        baseline_only: Pairs in which only the baseline succeeds.
        method: Name of the test.
    """

    statistic: float | None
    pvalue: float
    log_pvalue: float
    treatment_only: int
    baseline_only: int
    method: str


@dataclass(frozen=True, slots=True)
class PairTable(Result):
    """Pairs of trials by both outcomes.

    Attributes:
        both: Pairs in which both arms succeed.
        treatment_only: Pairs in which only the treatment succeeds.
        baseline_only: Pairs in which only the baseline succeeds.
        neither: Pairs in which neither succeeds.
        n_missing: Pairs without one of their outcomes; they are in none of the four.
    """

    both: int
    treatment_only: int
    baseline_only: int
    neither: int
    n_missing: int


@dataclass(frozen=True, slots=True)
class PairedResult(Result):
    """Two rates of the same pairs, compared.

    Attributes:
        effect: "difference", "ratio" or "odds-ratio", treatment against baseline.
        estimate: The effect; null where it is not defined.
        low: Lower limit.
        high: Upper limit; null where there is none.
        treatment: Rate of the treatment.
        baseline: Rate of the baseline.
        n_pairs: Number of pairs.
        treatment_only: Pairs in which only the treatment succeeds.
        baseline_only: Pairs in which only the baseline succeeds.
        method: Name of the interval.
        confidence_level: Its two-sided level.
        reason: Why an estimate or a limit is null.
    """

    effect: str
    estimate: float | None
    low: float | None
    high: float | None
    treatment: float | None
    baseline: float | None
    n_pairs: int
    treatment_only: int
    baseline_only: int
    method: str
    confidence_level: float
    reason: str | None


def sign_test(positive: int, negative: int) -> SignTestResult:
    """Exact two-sided sign test of `positive` against `negative`, ties left out.

    The null is a fair coin. Equal counts, nothing at all among them, give p = 1.

    Args:
        positive: How many differences are above zero.
        negative: How many are below.

    Returns:
        The p-value and its logarithm.

    Raises:
        OptionError: A count is negative or not a whole number.

    Examples:
        >>> import reclaimstats as rs
        >>> round(rs.stats.sign_test(15, 6).pvalue, 4)
        0.0784

    References:
        Arbuthnott (1710), doi:10.1098/rstl.1710.0011. Dixon and Mood (1946),
        doi:10.1080/01621459.1946.10501898.
    """
    first = integer("positive", positive, least=0, most=2**62)
    second = integer("negative", negative, least=0, most=2**62)
    pvalue, log_pvalue = _core.sign_test(first, second)
    return SignTestResult(pvalue, log_pvalue, first, second, "sign-exact")


def mcnemar(treatment_only: int, baseline_only: int, *, method: str = "exact") -> McNemarResult:
    """Two-sided McNemar test on the discordant pairs of a paired comparison.

    The null: a pair on which the arms disagree favours either with equal chance. It counts
    pairs as independent; where they share an item or a document, test over clusters. Without a
    discordant pair, or with equally many of both kinds, p = 1 by every method.

    Args:
        treatment_only: Pairs in which only the treatment succeeds.
        baseline_only: Pairs in which only the baseline succeeds.
        method: "exact" for twice the smaller tail of the binomial, which never rejects too often;
            "mid-p" leaves out the chance of exactly what was observed, and rejects about as often
            as its level says; "asymptotic" for chi-squared; "continuity" for chi-squared with
            Edwards's correction, which imitates the exact test.

    Returns:
        The p-value and its logarithm, with the statistic of the last two.

    Raises:
        OptionError: A count is negative or not a whole number, or the method is unknown.

    Examples:
        >>> import reclaimstats as rs
        >>> for method in ("exact", "mid-p", "asymptotic", "continuity"):
        ...     print(method, f"{rs.stats.mcnemar(21, 50, method=method).pvalue:.3g}")
        exact 0.000767
        mid-p 0.000535
        asymptotic 0.000578
        continuity 0.000891

    References:
        McNemar (1947), doi:10.1007/BF02295996. Mid-p: Lancaster (1961),
        doi:10.1080/01621459.1961.10482105. Continuity: Edwards (1948), doi:10.1007/BF02289261.
    """
    choice("method", method, _core.MCNEMAR_METHODS)
    first = integer("treatment_only", treatment_only, least=0, most=2**62)
    second = integer("baseline_only", baseline_only, least=0, most=2**62)
    statistic, pvalue, log_pvalue = _core.mcnemar_test(first, second, method)
    return McNemarResult(statistic, pvalue, log_pvalue, first, second, f"mcnemar-{method}")


def mcnemar_tables(
    treatment_only: Any, baseline_only: Any, *, method: str = "exact"
) -> pl.DataFrame:
    """`mcnemar` of many tables in one call.

    Args:
        treatment_only: Array of counts, one a table. A null makes its row's results null.
        baseline_only: Array of counts of the same length.
        method: As in `mcnemar`.

    Returns:
        One row per table, in their order: `treatment_only`, `baseline_only` (Int64), `statistic`,
        `pvalue`, `log_pvalue` (Float64) and `method` (String).

    Raises:
        ColumnError: A count is negative or not a whole number, or the arrays differ in length.
        OptionError: The method is unknown.

    Examples:
        >>> import reclaimstats as rs
        >>> rs.stats.mcnemar_tables([28, 0], [11, 0])["pvalue"].round(4).to_list()
        [0.0095, 1.0]
    """
    choice("method", method, _core.MCNEMAR_METHODS)
    first, second = (
        counted(name, values)
        for name, values in (("treatment_only", treatment_only), ("baseline_only", baseline_only))
    )
    if len(first) != len(second):
        raise ColumnError(
            f"treatment_only and baseline_only must have one length; got {len(first)} and "
            f"{len(second)}"
        )
    table = pl.DataFrame([first, second])
    numbers = [column.fill_null(0).cast(pl.UInt64) for column in (first, second)]
    found = pl.DataFrame(_core.mcnemar_tables(numbers[0], numbers[1], method))
    whole = pl.all_horizontal(pl.col("treatment_only", "baseline_only").is_not_null())
    return (
        table.hstack(found)
        .with_columns(pl.when(whole).then(pl.col("statistic", "pvalue", "log_pvalue")))
        .with_columns(method=pl.lit(f"mcnemar-{method}"))
    )


def pair_table(treatment: Any, baseline: Any) -> PairTable:
    """Count pairs of trials by both outcomes.

    Args:
        treatment: Array of outcomes, 0 and 1 or Booleans, one a pair. Null and NaN are missing.
        baseline: Array of the same length: the partners' outcomes.

    Returns:
        The four counts, and how many pairs lack an outcome. What takes a `table` takes this.

    Raises:
        ColumnError: An outcome is not 0 or 1, or the arrays differ in length.

    Examples:
        >>> import reclaimstats as rs
        >>> table = rs.stats.pair_table([1, 1, 0, None], [1, 0, 0, 1])
        >>> table
        PairTable(both=1, treatment_only=1, baseline_only=0, neither=1, n_missing=1)
        >>> round(rs.stats.paired_difference(table).estimate, 3)
        0.333
    """
    arms = [series("treatment", treatment), series("baseline", baseline)]
    for arm in arms:
        if not (arm.dtype.is_numeric() or arm.dtype in (pl.Boolean, pl.Null)):
            raise ColumnError(f"{arm.name} must be Booleans or numbers 0 and 1; it is {arm.dtype}")
    if len(arms[0]) != len(arms[1]):
        raise ColumnError(
            f"treatment and baseline must have one length; got {len(arms[0])} and {len(arms[1])}"
        )
    if all(arm.dtype == pl.Boolean for arm in arms):
        columns = [arm.rechunk() for arm in arms]
    else:
        columns = [arm.cast(pl.Float64) for arm in arms]
    *counts, n_invalid = _core.pair_table(columns[0], columns[1])
    if n_invalid:
        raise ColumnError(
            f"{n_invalid} pairs hold outcomes other than 0 and 1 (or null or NaN for missing)"
        )
    return PairTable(*counts)


def paired_difference(
    table: Any, *, method: str = "newcombe", confidence_level: float = 0.95
) -> PairedResult:
    """Difference of two rates of the same pairs, treatment minus baseline, with an interval.

    Pairs count as independent; `reclaimstats.compare` respects clusters.

    Args:
        table: What `pair_table` gives, or two rows of two counts: the treatment's successes, then
            its failures, each with those of the baseline first.
        method: "newcombe" for square-and-add of Wilson's intervals; "tango" for the differences
            that the score test does not reject; "bonett-price" for Wald's interval with one pair
            more of each discordant kind. docs/paired.md has what they cover.
        confidence_level: Two-sided level.

    Returns:
        The difference with its limits; null with a reason without a pair.

    Raises:
        OptionError: The table is not two by two, a count is negative, not a whole number or above
            2^50, or an option is unknown or out of range.

    Examples:
        >>> import reclaimstats as rs
        >>> for method in ("newcombe", "tango", "bonett-price"):
        ...     found = rs.stats.paired_difference([[59, 6], [16, 80]], method=method)
        ...     print(f"{method:12} {found.estimate:.4f} ({found.low:.4f} to {found.high:.4f})")
        newcombe     -0.0621 (-0.1186 to -0.0046)
        tango        -0.0621 (-0.1240 to -0.0054)
        bonett-price -0.0621 (-0.1195 to -0.0032)

    References:
        Newcombe (1998), doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.
        Tango (1998), Statistics in Medicine 17, 891-908. Bonett and Price (2012),
        doi:10.3102/1076998611411915.
    """
    methods = _core.PAIRED_DIFFERENCE_METHODS
    return _paired("difference", table, method, methods, confidence_level)


def paired_ratio(
    table: Any, *, method: str = "square-and-add", confidence_level: float = 0.95
) -> PairedResult:
    """Ratio of two rates of the same pairs, treatment over baseline, with an interval.

    Pairs count as independent; `reclaimstats.compare` respects clusters.

    Args:
        table: As in `paired_difference`.
        method: "square-and-add" of Wilson's intervals; "score" for the ratios that the score test
            does not reject; "bonett-price" for Wilson's intervals among pairs with any success, at
            a level that makes up for taking the worse of both. docs/paired.md has what they cover.
        confidence_level: Two-sided level.

    Returns:
        The ratio with its limits. Where the baseline never succeeds, estimate and upper limit are
        null with a reason; where neither arm does, all are.

    Raises:
        OptionError: As for `paired_difference`.

    Examples:
        >>> import reclaimstats as rs
        >>> for method in ("square-and-add", "score", "bonett-price"):
        ...     found = rs.stats.paired_ratio([[59, 6], [16, 80]], method=method)
        ...     print(f"{method:14} {found.estimate:.4f} ({found.low:.4f} to {found.high:.4f})")
        square-and-add 0.8667 (0.7570 to 0.9895)
        score          0.8667 (0.7476 to 0.9876)
        bonett-price   0.8667 (0.7579 to 0.9910)

    References:
        Donner and Zou (2012), Statistical Methods in Medical Research 21, 347-359. Nam and
        Blackwelder (2002), Statistics in Medicine 21, 689-699. Tang, Tang and Chan (2003),
        Statistics in Medicine 22, 1217-1233. Bonett and Price (2006), Statistics in Medicine 25,
        3039-3047.
    """
    return _paired("ratio", table, method, _core.PAIRED_RATIO_METHODS, confidence_level)


def paired_odds_ratio(
    table: Any, *, method: str = "wilson", confidence_level: float = 0.95
) -> PairedResult:
    """Odds ratio given the pair, with an interval: discordant pairs one way over the other way.

    It is the odds ratio of the treatment within a pair, whatever makes pairs differ. Its interval
    comes from one of a rate: the share that the treatment has of the discordant pairs. Pairs count
    as independent; `reclaimstats.compare` respects clusters.

    Args:
        table: As in `paired_difference`.
        method: "wilson"; "clopper-pearson", which never covers less than its level; or "mid-p",
            the same with half the chance of what was observed.
        confidence_level: Two-sided level.

    Returns:
        The odds ratio with its limits. Where no pair succeeds for the baseline alone, estimate and
        upper limit are null with a reason; without a discordant pair, all are.

    Raises:
        OptionError: As for `paired_difference`.

    Examples:
        >>> import reclaimstats as rs
        >>> for method in ("wilson", "clopper-pearson", "mid-p"):
        ...     found = rs.stats.paired_odds_ratio([[7, 25], [2, 68]], method=method)
        ...     print(f"{method:15} {found.estimate:.1f} ({found.low:.2f} to {found.high:.2f})")
        wilson          12.5 (3.28 to 47.65)
        clopper-pearson 12.5 (3.12 to 108.89)
        mid-p           12.5 (3.47 to 78.30)

    References:
        Fagerland, Lydersen and Laake (2014), doi:10.1002/sim.6148.
    """
    methods = _core.PAIRED_ODDS_RATIO_METHODS
    return _paired("odds-ratio", table, method, methods, confidence_level)


def _paired(
    effect: str, table: Any, method: str, methods: list[str], confidence_level: float
) -> PairedResult:
    choice("method", method, methods)
    level = confidence(confidence_level)
    both, treatment_only, baseline_only, _ = counts = _four(table)
    estimate, low, high, reason = _core.paired_effect(counts, effect, method, level)
    n = sum(counts)
    return PairedResult(
        effect=effect,
        estimate=estimate,
        low=low,
        high=high,
        treatment=(both + treatment_only) / n if n else None,
        baseline=(both + baseline_only) / n if n else None,
        n_pairs=n,
        treatment_only=treatment_only,
        baseline_only=baseline_only,
        method=method,
        confidence_level=level,
        reason=reason,
    )


def _four(table: Any) -> tuple[int, int, int, int]:
    if isinstance(table, PairTable):
        return table.both, table.treatment_only, table.baseline_only, table.neither
    (both, treatment_only), (baseline_only, neither) = fourfold(table)
    return both, treatment_only, baseline_only, neither
