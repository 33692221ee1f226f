"""The reclaim study: can a conclusion be corrected once only a note of it is left?

In a first session a reader accepts one wrong subtotal of a purchase and settles on the wrong
total that follows (the drift). A second session starts from a note of the first and a correction.
A note policy decides what the note holds at each integrity, and so whether the correction has
anything to work on. Frames flow one way, and `simulate` is exactly this composition::

    problems ──▶ notes, corrections ──▶ plan ──▶ replies (a model's, or `read`) ──▶ scores
"""

from reclaimstats.studies.reclaim.corrections import ARMS, corrections
from reclaimstats.studies.reclaim.plans import plan
from reclaimstats.studies.reclaim.purchases import INTEGRITIES, POLICIES, notes, problems, simulate
from reclaimstats.studies.reclaim.readers import read

__all__ = [
    "ARMS",
    "INTEGRITIES",
    "POLICIES",
    "corrections",
    "notes",
    "plan",
    "problems",
    "read",
    "simulate",
]
