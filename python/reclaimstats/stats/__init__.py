"""Array-level statistics: arrays in, one frozen result out, no frame in between."""

from reclaimstats.stats.agreement import (
    AgreementResult,
    agreement_of_counts,
    cohen_kappa,
    krippendorff_alpha,
)
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
from reclaimstats.stats.rates import RateResult, rate
from reclaimstats.stats.unpaired import FisherResult, fisher

__all__ = [
    "AgreementResult",
    "FisherResult",
    "FlipResult",
    "McNemarResult",
    "PairTable",
    "PairedResult",
    "PermutationResult",
    "RankResult",
    "RateResult",
    "SignTestResult",
    "adjust",
    "agreement_of_counts",
    "cohen_kappa",
    "fisher",
    "krippendorff_alpha",
    "mann_whitney",
    "mcnemar",
    "mcnemar_tables",
    "pair_table",
    "paired_difference",
    "paired_odds_ratio",
    "paired_ratio",
    "permutation",
    "rate",
    "sign_flip",
    "sign_test",
    "wilcoxon",
]
