"""The study's designs by name: problems, notes and corrections in one plan."""

import polars as pl

from reclaimstats.options import choice, integer
from reclaimstats.studies.reclaim.corrections import CORRECTIONS, corrections
from reclaimstats.studies.reclaim.ledgers import SIZES, ledger_notes, ledgers
from reclaimstats.studies.reclaim.notes import WALL, notes
from reclaimstats.studies.reclaim.plans import plan
from reclaimstats.studies.reclaim.purchases import problems
from reclaimstats.studies.reclaim.puzzles import PUZZLES, puzzles
from reclaimstats.studies.reclaim.sessions import sessions

__all__ = ["DESIGNS", "design"]

DESIGNS = (
    "wall",
    "logic-wall",
    "guess-floor",
    "depth",
    "distance",
    "corrections",
    "adversarial",
    "size",
    "noise",
    "completeness",
)

_BATTERIES = {
    "corrections": tuple(arm for arm in CORRECTIONS if arm != "sustained"),
    "adversarial": ("directed", "fabricated", "sustained"),
}
_ASIDES = (0, 2, 4, 8)
_DECOYS = (0, 2, 4, 6, 8, 12, 16, 24, 32)


def design(name: str, *, n: int | None = None, seeds: int = 3, seed: int = 0) -> pl.DataFrame:
    """Lay out one of the study's designs: every call to make, with what it is scored against.

    A row is a trial still to be answered, as `plan` gives it. The designs:

    - `wall`: purchases under each note policy, integrity and a generic or directed correction;
    - `logic-wall`: the same with puzzles, half orderings and half assignments;
    - `guess-floor`: puzzles whose note names only who comes into question, beside a blank one;
    - `depth`: within one conversation, after 1 to 8 turns that commit to the wrong total;
    - `distance`: the same after 8 such turns and 0 to 8 about other things;
    - `corrections`: lossy and source-first notes at integrity 0.1 under corrections that help,
      say nothing or mislead, in one turn;
    - `adversarial`: the same notes under a directed correction, forged evidence, and a push of
      four turns; to be asked through `conversations`;
    - `size`: orders of 2 to 32 line items in notes of 300 and 600 characters;
    - `noise`: four line items among 0 to 32 decoys, in notes of 420 characters;
    - `completeness`: orders that do not fit, with and without a tag that says so.

    Args:
        name: One of `DESIGNS`.
        n: How many problems (32 by default, 8 in one conversation; of puzzles an even
                number) or stores (8).
        seeds: How often each call is repeated.
        seed: Of the problems.

    Returns:
        As `plan`; of the designs with orders also store, which is the cluster there, n_items,
        n_decoys and budget.

    Raises:
        OptionError: The name is unknown, or a number is out of range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> reclaim.design("size").height == 8 * 13 * 2 * 2 * 3
        True
    """
    choice("design", name, DESIGNS)
    if name in ("logic-wall", "guess-floor"):
        half = integer("n", 32 if n is None else n, least=2, most=100_000) // 2
        asked = pl.concat(puzzles(half, kind=kind, seed=seed) for kind in PUZZLES)
        kept = notes(asked)
        if name == "guess-floor":
            kept = notes(asked, policies=["options-only", "blank"], integrities=[WALL])
        return plan(asked, kept, corrections(asked), seeds=seeds)
    if name in ("depth", "distance"):
        asked = problems(8 if n is None else n, seed=seed)
        held = sessions(asked) if name == "depth" else sessions(asked, depths=[8], asides=_ASIDES)
        held = held.select(pl.lit("in-context").alias("policy"), pl.all())
        return plan(asked, held, corrections(asked), seeds=seeds)
    if name in ("wall", *_BATTERIES):
        asked = problems(32 if n is None else n, seed=seed)
        if name == "wall":
            return plan(asked, notes(asked), corrections(asked), seeds=seeds)
        kept = notes(asked, policies=["lossy", "source-first"], integrities=[WALL])
        return plan(asked, kept, corrections(asked, arms=_BATTERIES[name]), seeds=seeds)
    stores = 8 if n is None else integer("n", n, least=1, most=100_000)
    if name == "size":
        orders = ledgers(stores, items=SIZES, seed=seed)
        kept = ledger_notes(orders, budgets=[300, 600])
    elif name == "noise":
        orders = ledgers(stores, items=[4], decoys=_DECOYS, seed=seed)
        policies = ["source-first", "denoised", "lossy-padded"]
        kept = ledger_notes(orders, policies=policies, budgets=[420])
    else:
        orders = ledgers(stores, items=[8, 12, 16, 24, 32], seed=seed)
        kept = ledger_notes(orders, policies=["source-first", "source-first-tagged"])
    return plan(orders, kept, corrections(orders, arms=["directed"]), seeds=seeds)
