"""Evidence that may be looked at after every result."""

import math
from dataclasses import dataclass

import polars as pl

from reclaimstats import _core
from reclaimstats.options import choice, confidence, integer
from reclaimstats.stats._result import Result

__all__ = ["EValueResult", "e_value"]


@dataclass(frozen=True, slots=True)
class EValueResult(Result):
    """What a gambler holds who bet a fortune of 1 on the signs of differences.

    Attributes:
        log_e: Natural logarithm of the fortune, the e-value.
        evalue: The fortune itself; null where it is above the largest double.
        pvalue: The smaller of 1 and 1 over the fortune; never 0: one below the smallest
            normal double, 2.2e-308, is given as that, and `log_e` says how far it goes.
        positive: Signs for the treatment.
        negative: Signs for the baseline.
        estimate: Share of positive signs; null without any.
        low: Lower limit of that share, valid at every look at once.
        high: Upper limit of it.
        alternative: What the bets are on.
        confidence_level: Level of the limits, over all looks together.
        method: Name of the way of betting.
    """

    log_e: float
    evalue: float | None
    pvalue: float
    positive: int
    negative: int
    estimate: float | None
    low: float
    high: float
    alternative: str
    confidence_level: float
    method: str


def e_value(
    positive: int,
    negative: int,
    *,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
) -> EValueResult:
    """Evidence in signs that may come to be any number, with a look after each.

    The null: each sign, of a pair that differs or of a cluster, is a fair coin whatever came
    before. Against it a gambler bets a fortune of 1 at fair odds, as the average over all
    biases of the coin, each as likely. Under the null the chance that the fortune ever reaches
    c is at most 1 / c: a gate that is looked at every night and closes at 20 errs at most once
    in twenty, however long it runs. A fixed number of signs is tested with more power by
    `sign_test`.

    Args:
        positive: How many differences are above zero.
        negative: How many are below. Ties are no signs.
        alternative: "two-sided"; "greater", of biases to positive signs only; or "less".
        confidence_level: Level of the limits of the share of positive signs.

    Returns:
        The fortune after these signs, in any order, with a confidence sequence.

    Raises:
        OptionError: A count is negative, above 2^40 or not a whole number, or an option is unknown
            or out of range.

    Examples:
        >>> import reclaimstats as rs
        >>> result = rs.stats.e_value(28, 11)
        >>> round(result.evalue, 2), round(result.pvalue, 3)
        (8.2, 0.122)

    References:
        Ville (1939), Étude critique de la notion de collectif. Robbins (1970),
        doi:10.1214/aoms/1177696786. Waudby-Smith and Ramdas (2024), Journal of the Royal
        Statistical Society B 86, 1-27. Grünwald, de Heide and Koolen (2024), the same journal
        86, 1091-1128.
    """
    positive = integer("positive", positive, least=0, most=2**40)
    negative = integer("negative", negative, least=0, most=2**40)
    choice("alternative", alternative, _core.ALTERNATIVES)
    level = confidence(confidence_level)
    one, added, lost = (pl.Series([n], dtype=pl.UInt64) for n in (1, positive, negative))
    look = pl.DataFrame(_core.evidence_looks(one, added, lost, alternative, level)).row(
        0, named=True
    )
    log_e, n = look["log_e"], positive + negative
    return EValueResult(
        log_e=log_e,
        evalue=math.exp(log_e) if log_e < _LARGEST else None,
        pvalue=look["pvalue"],
        positive=positive,
        negative=negative,
        estimate=positive / n if n else None,
        low=look["low"],
        high=look["high"],
        alternative=alternative,
        confidence_level=level,
        method="uniform-mixture",
    )


_LARGEST = math.log(2.0) * 1024
