"""Array-level statistics: arrays in, one frozen result out, no frame in between."""

from reclaimstats.stats.means import MeanResult, mean
from reclaimstats.stats.multiplicity import adjust
from reclaimstats.stats.paired import SignTestResult, mcnemar, sign_test
from reclaimstats.stats.rates import RateResult, rate
from reclaimstats.stats.unpaired import FisherResult, fisher

__all__ = [
    "FisherResult",
    "MeanResult",
    "RateResult",
    "SignTestResult",
    "adjust",
    "fisher",
    "mcnemar",
    "mean",
    "rate",
    "sign_test",
]
