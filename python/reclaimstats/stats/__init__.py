"""Array-level statistics: arrays in, one frozen result out, no frame in between."""

from reclaimstats.stats.equivalence import TostResult, tost
from reclaimstats.stats.evidence import EValueResult, e_value
from reclaimstats.stats.multiplicity import adjust
from reclaimstats.stats.paired import SignTestResult, mcnemar, sign_test
from reclaimstats.stats.planning import PowerResult, RuleOfThreeResult, power, rule_of_three
from reclaimstats.stats.rates import RateResult, rate
from reclaimstats.stats.unpaired import FisherResult, fisher

__all__ = [
    "EValueResult",
    "FisherResult",
    "PowerResult",
    "RateResult",
    "RuleOfThreeResult",
    "SignTestResult",
    "TostResult",
    "adjust",
    "e_value",
    "fisher",
    "mcnemar",
    "power",
    "rate",
    "rule_of_three",
    "sign_test",
    "tost",
]
