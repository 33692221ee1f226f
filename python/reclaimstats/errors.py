"""What can go wrong, as exceptions that say what to do."""

__all__ = [
    "ColumnError",
    "DesignError",
    "OptionError",
    "ParseError",
    "ReclaimStatsError",
    "RuleError",
    "RunError",
    "StoreError",
]


class ReclaimStatsError(ValueError):
    """Base of every error that reclaimstats raises on purpose."""


class ColumnError(ReclaimStatsError):
    """A column is missing, has an unusable type, or holds values it must not hold."""


class DesignError(ReclaimStatsError):
    """The trials do not form the cells, clusters or pairs that were asked for."""


class OptionError(ReclaimStatsError):
    """An option has an unknown name or a value out of range."""


class ParseError(ReclaimStatsError):
    """A file does not hold what its format promises."""


class RuleError(ReclaimStatsError):
    """A rule for a decision is incomplete, contradicts itself, or has parts that do not exist."""


class RunError(ReclaimStatsError):
    """A study's call to a model failed to the end, or its client returned something else."""


class StoreError(ReclaimStatsError):
    """A file of replies is in use, is damaged, or belongs to another plan."""
