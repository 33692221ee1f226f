"""The reclaim study: can a conclusion be corrected once only a note of it is left?

In a first session a reader accepts one wrong subtotal of a purchase and settles on the wrong
total that follows (the drift). A second session starts from a note of the first and a correction.
A note policy decides what the note holds at each integrity, and so whether the correction has
anything to work on. Frames flow one way, and `simulate` is exactly this composition::

    problems ──▶ notes, corrections ──▶ plan ──▶ replies (a model's, or `read`) ──▶ scores
"""

from reclaimstats.studies.reclaim.bookings import SLOTS, bookings
from reclaimstats.studies.reclaim.cascade import CASCADE_POLICIES, Cascade, cascade, follow
from reclaimstats.studies.reclaim.corrections import ARMS, CORRECTIONS, corrections
from reclaimstats.studies.reclaim.designs import DESIGNS, design
from reclaimstats.studies.reclaim.figures import figures
from reclaimstats.studies.reclaim.ledgers import LEDGER_POLICIES, SIZES, ledger_notes, ledgers
from reclaimstats.studies.reclaim.notes import INTEGRITIES, NOTE_POLICIES, POLICIES, notes
from reclaimstats.studies.reclaim.plans import plan
from reclaimstats.studies.reclaim.probes import probe_policy, worked_out
from reclaimstats.studies.reclaim.purchases import problems, simulate
from reclaimstats.studies.reclaim.puzzles import PUZZLES, puzzles
from reclaimstats.studies.reclaim.readers import deterministic, disposed, read
from reclaimstats.studies.reclaim.sessions import DEPTHS, sessions
from reclaimstats.studies.reclaim.tables import kill_conditions, scored, tables
from reclaimstats.studies.reclaim.validators import validate

__all__ = [
    "ARMS",
    "CASCADE_POLICIES",
    "CORRECTIONS",
    "DEPTHS",
    "DESIGNS",
    "INTEGRITIES",
    "LEDGER_POLICIES",
    "NOTE_POLICIES",
    "POLICIES",
    "PUZZLES",
    "SIZES",
    "SLOTS",
    "Cascade",
    "bookings",
    "cascade",
    "corrections",
    "design",
    "deterministic",
    "disposed",
    "figures",
    "follow",
    "kill_conditions",
    "ledger_notes",
    "ledgers",
    "notes",
    "plan",
    "probe_policy",
    "problems",
    "puzzles",
    "read",
    "scored",
    "sessions",
    "simulate",
    "tables",
    "validate",
    "worked_out",
]
