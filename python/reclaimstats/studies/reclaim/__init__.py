"""The reclaim study: can a conclusion be corrected once only a note of it is left?

In a first session a reader accepts one wrong subtotal of a purchase and settles on the wrong
total that follows (the drift). A second session starts from a note of the first and a correction.
A note policy decides what the note holds at each integrity, and so whether the correction has
anything to work on. Frames flow one way, and `simulate` is exactly this composition::

    problems ──▶ notes, corrections ──▶ plan ──▶ replies (a model's, or `read`) ──▶ scores
"""

from reclaimstats.studies.reclaim.audits import (
    LABELS,
    audit,
    audit_tables,
    floor,
    gold,
    labelled,
)
from reclaimstats.studies.reclaim.bookings import SLOTS, bookings
from reclaimstats.studies.reclaim.cascade import CASCADE_POLICIES, Cascade, cascade, follow
from reclaimstats.studies.reclaim.conversations import Conversations, conversations, rehearse
from reclaimstats.studies.reclaim.corrections import ARMS, CORRECTIONS, corrections
from reclaimstats.studies.reclaim.designs import DESIGNS, design
from reclaimstats.studies.reclaim.figures import figures
from reclaimstats.studies.reclaim.ledgers import LEDGER_POLICIES, SIZES, ledger_notes, ledgers
from reclaimstats.studies.reclaim.notes import INTEGRITIES, NOTE_POLICIES, POLICIES, WALL, notes
from reclaimstats.studies.reclaim.openings import openings, own_errors
from reclaimstats.studies.reclaim.plans import plan
from reclaimstats.studies.reclaim.probes import probe_policy
from reclaimstats.studies.reclaim.purchases import problems, simulate
from reclaimstats.studies.reclaim.puzzles import PUZZLES, puzzles
from reclaimstats.studies.reclaim.readers import deterministic, disposed, read
from reclaimstats.studies.reclaim.sessions import DEPTHS, sessions
from reclaimstats.studies.reclaim.tables import FLAGS, kill_conditions, scored, tables, versions
from reclaimstats.studies.reclaim.validators import validate
from reclaimstats.studies.reclaim.wording import worked_out
from reclaimstats.studies.reclaim.writers import (
    DISTILLERS,
    PROMPTS,
    board,
    contents,
    memories,
    scribe,
    writing,
)

__all__ = [
    "ARMS",
    "CASCADE_POLICIES",
    "CORRECTIONS",
    "DEPTHS",
    "DESIGNS",
    "DISTILLERS",
    "FLAGS",
    "INTEGRITIES",
    "LABELS",
    "LEDGER_POLICIES",
    "NOTE_POLICIES",
    "POLICIES",
    "PROMPTS",
    "PUZZLES",
    "SIZES",
    "SLOTS",
    "WALL",
    "Cascade",
    "Conversations",
    "audit",
    "audit_tables",
    "board",
    "bookings",
    "cascade",
    "contents",
    "conversations",
    "corrections",
    "design",
    "deterministic",
    "disposed",
    "figures",
    "floor",
    "follow",
    "gold",
    "kill_conditions",
    "labelled",
    "ledger_notes",
    "ledgers",
    "memories",
    "notes",
    "openings",
    "own_errors",
    "plan",
    "probe_policy",
    "problems",
    "puzzles",
    "read",
    "rehearse",
    "scored",
    "scribe",
    "sessions",
    "simulate",
    "tables",
    "validate",
    "versions",
    "worked_out",
    "writing",
]
