"""Array-level statistics: arrays in, one frozen result out, no frame in between."""

from reclaimstats.stats.agreement import (
    AgreementResult,
    agreement_of_counts,
    cohen_kappa,
    krippendorff_alpha,
)
from reclaimstats.stats.multiplicity import adjust
from reclaimstats.stats.paired import SignTestResult, mcnemar, sign_test
from reclaimstats.stats.rates import RateResult, rate
from reclaimstats.stats.unpaired import FisherResult, fisher

__all__ = [
    "AgreementResult",
    "FisherResult",
    "RateResult",
    "SignTestResult",
    "adjust",
    "agreement_of_counts",
    "cohen_kappa",
    "fisher",
    "krippendorff_alpha",
    "mcnemar",
    "rate",
    "sign_test",
]
