"""Study kits: each builds the trials of one evaluation and reads its own tables back."""

from reclaimstats.studies import reclaim
from reclaimstats.studies.running import Design, run

__all__ = ["Design", "reclaim", "run"]
