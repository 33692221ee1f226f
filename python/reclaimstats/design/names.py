"""Names of intermediate columns, which several rooms count under."""

__all__ = [
    "INVALID",
    "ITEM",
    "MISSING",
    "NULL_CLUSTER",
    "OUTCOME",
    "PREFIX",
    "SUCCESSES",
    "N",
]

# No user's column starts with this.
PREFIX = "reclaimstats."
OUTCOME = f"{PREFIX}outcome"
ITEM = f"{PREFIX}item."
N = f"{PREFIX}n"
SUCCESSES = f"{PREFIX}successes"
MISSING = f"{PREFIX}missing"
INVALID = f"{PREFIX}invalid"
NULL_CLUSTER = f"{PREFIX}null_cluster"
