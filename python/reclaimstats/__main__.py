"""`python -m reclaimstats` is the command `reclaimstats`."""

from reclaimstats.cli import entry

entry()
