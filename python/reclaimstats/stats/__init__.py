"""Array-level statistics: arrays in, one frozen result out, no frame in between."""

from reclaimstats.stats.multiplicity import adjust
from reclaimstats.stats.paired import SignTestResult, mcnemar, sign_test
from reclaimstats.stats.rates import RateResult, rate
from reclaimstats.stats.repeats import PassResult, pass_at_k, pass_hat_k
from reclaimstats.stats.unpaired import FisherResult, fisher

__all__ = [
    "FisherResult",
    "PassResult",
    "RateResult",
    "SignTestResult",
    "adjust",
    "fisher",
    "mcnemar",
    "pass_at_k",
    "pass_hat_k",
    "rate",
    "sign_test",
]
