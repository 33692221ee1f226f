"""Array-level statistics: arrays in, one frozen result out, no frame in between."""

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
from reclaimstats.stats.unpaired import (
    BarnardResult,
    FisherResult,
    barnard,
    fisher,
    fisher_tables,
)

__all__ = [
    "BarnardResult",
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
    "barnard",
    "fisher",
    "fisher_tables",
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
