"""Tests of pairs and of signs."""

from dataclasses import dataclass

from reclaimstats import _core
from reclaimstats.options import integer
from reclaimstats.stats._result import Result

__all__ = ["SignTestResult", "mcnemar", "sign_test"]


@dataclass(frozen=True, slots=True)
class SignTestResult(Result):
    """An exact two-sided sign test.

    Attributes:
        pvalue: The p-value; 0.0 where it is below the smallest double.
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
    return _sign_test(positive, negative, ("positive", "negative"), "sign-exact")


def mcnemar(treatment_only: int, baseline_only: int) -> SignTestResult:
    """Exact two-sided McNemar test on the discordant pairs of a paired comparison.

    The null: a pair on which the arms disagree favours either with equal chance. It counts
    pairs as independent; where they share an item or a document, test over clusters.

    Args:
        treatment_only: Pairs in which only the treatment succeeds.
        baseline_only: Pairs in which only the baseline succeeds.

    Returns:
        The p-value and its logarithm.

    Raises:
        OptionError: A count is negative or not a whole number.

    Examples:
        >>> import reclaimstats as rs
        >>> round(rs.stats.mcnemar(28, 11).pvalue, 4)
        0.0095

    References:
        McNemar (1947), doi:10.1007/BF02295996.
    """
    names = ("treatment_only", "baseline_only")
    return _sign_test(treatment_only, baseline_only, names, "mcnemar-exact")


def _sign_test(first: int, second: int, names: tuple[str, str], method: str) -> SignTestResult:
    first = integer(names[0], first, least=0, most=2**62)
    second = integer(names[1], second, least=0, most=2**62)
    pvalue, log_pvalue = _core.sign_test(first, second)
    return SignTestResult(pvalue, log_pvalue, first, second, method)
