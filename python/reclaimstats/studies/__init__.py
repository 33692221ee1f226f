"""Study kits: each builds the trials of one evaluation and reads its own tables back."""

from reclaimstats.studies import reclaim

__all__ = ["reclaim"]
