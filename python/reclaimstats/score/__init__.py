"""What answers, notes and records are worth: outcomes, regimes, checks."""

from reclaimstats.score.outcomes import OUTCOME, outcome
from reclaimstats.score.record import check_record, read_record
from reclaimstats.score.regime import REGIME, memory_regime, probe

__all__ = ["OUTCOME", "REGIME", "check_record", "memory_regime", "outcome", "probe", "read_record"]
