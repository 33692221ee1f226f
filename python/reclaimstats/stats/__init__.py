"""Array-level statistics: arrays in, one frozen result out, no frame in between."""

from reclaimstats.stats.agreement import (
    AgreementResult,
    agreement_of_counts,
    cohen_kappa,
    krippendorff_alpha,
)
from reclaimstats.stats.equivalence import TostResult, tost
from reclaimstats.stats.evidence import EValueResult, e_value
from reclaimstats.stats.means import MeanResult, mean
from reclaimstats.stats.multiplicity import adjust
from reclaimstats.stats.paired import (
    McNemarResult,
    PairedResult,
    PairTable,
    SignTestResult,
    mcnemar,
    mcnemar_tables,
    pair_table,
    paired_difference,
    paired_odds_ratio,
    paired_ratio,
    sign_test,
)
from reclaimstats.stats.permutation import (
    FlipResult,
    PermutationResult,
    RankResult,
    mann_whitney,
    permutation,
    sign_flip,
    wilcoxon,
)
from reclaimstats.stats.planning import PowerResult, RuleOfThreeResult, power, rule_of_three
from reclaimstats.stats.rates import RateResult, rate
from reclaimstats.stats.repeats import PassResult, pass_at_k, pass_hat_k
from reclaimstats.stats.unpaired import (
    BarnardResult,
    FisherResult,
    barnard,
    fisher,
    fisher_tables,
)

__all__ = [
    "AgreementResult",
    "BarnardResult",
    "EValueResult",
    "FisherResult",
    "FlipResult",
    "McNemarResult",
    "MeanResult",
    "PairTable",
    "PairedResult",
    "PassResult",
    "PermutationResult",
    "PowerResult",
    "RankResult",
    "RateResult",
    "RuleOfThreeResult",
    "SignTestResult",
    "TostResult",
    "adjust",
    "agreement_of_counts",
    "barnard",
    "cohen_kappa",
    "e_value",
    "fisher",
    "fisher_tables",
    "krippendorff_alpha",
    "mann_whitney",
    "mcnemar",
    "mcnemar_tables",
    "mean",
    "pair_table",
    "paired_difference",
    "paired_odds_ratio",
    "paired_ratio",
    "pass_at_k",
    "pass_hat_k",
    "permutation",
    "power",
    "rate",
    "rule_of_three",
    "sign_flip",
    "sign_test",
    "tost",
    "wilcoxon",
]
