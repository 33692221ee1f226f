"""Purchases of two line items, one of them miscounted."""

import random
from collections.abc import Sequence
from typing import TypeVar

import polars as pl

from reclaimstats.options import integer
from reclaimstats.studies.reclaim.corrections import ARMS, corrections
from reclaimstats.studies.reclaim.notes import INTEGRITIES, POLICIES, notes
from reclaimstats.studies.reclaim.plans import crossed
from reclaimstats.studies.reclaim.readers import read
from reclaimstats.studies.reclaim.wording import TASK

__all__ = ["MISCOUNTS", "PRICES", "QUANTITIES", "problems", "simulate"]

_T = TypeVar("_T")

_GOODS = (
    "notebooks", "pens", "tiles", "grout bags", "paint cans", "brushes", "coffee bags", "filters",
    "boards", "screws", "lamps", "bulbs", "plates", "bowls", "towels", "cushions", "shirts",
    "belts", "seed packs", "flower pots", "ropes", "hooks", "candles", "jars",
)  # fmt: skip
PRICES = range(2, 20)  # from 2 up, a planted subtotal is off by more than a slip of one unit
QUANTITIES = range(3, 15)
MISCOUNTS = (-2, -1, 1, 2)


def problems(n: int = 32, *, seed: int = 0) -> pl.DataFrame:
    """Generate purchase problems with one planted wrong subtotal each.

    A row is a problem: two line items with whole prices, and a premise that miscounts one of
    them. A seed's first rows are the same for every `n`, and the same on every machine. No two
    problems share both line items.

    Args:
        n: How many problems, from 1 to a million.
        seed: Whole number from 0 up.

    Returns:
        pid, item_a, price_a, quantity_a, item_b, price_b, quantity_b, question; premise (the
        planted wrong subtotal, as a sentence); locus (the item it is about) and sound (the other
        one); source (the line items as text); source_items (List[String], the tokens a note must
        hold for the source to have survived); truth and drift (Float64, the right total and the
        one that follows from the premise; never equal).

    Raises:
        OptionError: If `n` or `seed` is out of range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> first = reclaim.problems(1).row(0, named=True)
        >>> first["source"], first["premise"]
        ('9 ropes at $9 each; 7 belts at $6 each', 'An earlier tally put the belts at $36.')
        >>> first["truth"], first["drift"]
        (123.0, 117.0)
    """
    integer("n", n, least=1, most=1_000_000)
    integer("seed", seed, least=0, most=2**64 - 1)
    # random() is the one method whose sequence Python promises to keep for a seed.
    uniform = random.Random(seed).random

    def pick(options: Sequence[_T]) -> _T:
        return options[int(uniform() * len(options))]

    seen: set[frozenset[tuple[str, int, int]]] = set()
    rows: list[dict[str, object]] = []
    while len(rows) < n:
        item_a = pick(_GOODS)
        item_b = pick([item for item in _GOODS if item != item_a])
        price_a = pick(PRICES)
        # Two prices that differ keep every source token particular to its line item.
        price_b = pick([price for price in PRICES if price != price_a])
        quantity_a, quantity_b = pick(QUANTITIES), pick(QUANTITIES)
        locus, price, quantity = pick(
            ((item_a, price_a, quantity_a), (item_b, price_b, quantity_b))
        )
        miscount = pick(MISCOUNTS)
        order = frozenset({(item_a, price_a, quantity_a), (item_b, price_b, quantity_b)})
        if order in seen:
            continue
        seen.add(order)
        line_a, line_b = (
            f"{quantity_a} {item_a} at ${price_a} each",
            f"{quantity_b} {item_b} at ${price_b} each",
        )
        truth = price_a * quantity_a + price_b * quantity_b
        rows.append(
            {
                "pid": f"purchase-{len(rows):04d}",
                "item_a": item_a,
                "price_a": price_a,
                "quantity_a": quantity_a,
                "item_b": item_b,
                "price_b": price_b,
                "quantity_b": quantity_b,
                "question": f"A customer orders {line_a} and {line_b}. {TASK}".strip(),
                "premise": f"An earlier tally put the {locus} at ${price * (quantity + miscount)}.",
                "locus": locus,
                "sound": item_b if locus == item_a else item_a,
                "source": f"{line_a}; {line_b}",
                "source_items": [
                    f"{quantity_a} {item_a}",
                    f"${price_a} each",
                    f"{quantity_b} {item_b}",
                    f"${price_b} each",
                ],
                "truth": float(truth),
                "drift": float(truth + price * miscount),
            }
        )
    return pl.DataFrame(rows)


def simulate(
    n_problems: int = 32,
    *,
    seeds: int = 3,
    policies: Sequence[str] = POLICIES,
    integrities: Sequence[float] = INTEGRITIES,
    arms: Sequence[str] = ARMS,
    slip: float = 0.15,
    seed: int = 0,
) -> pl.DataFrame:
    """Run the whole study with the deterministic reader: problems, notes, corrections, replies.

    A row is an answered trial, still to be scored. No outcome is written in: it follows from what
    the note holds and from what `read` makes of it.

    Args:
        n_problems: How many problems; each is a cluster of trials.
        seeds: Repeats of each call.
        policies: Which note policies; see `notes`.
        integrities: Which integrities; see `notes`.
        arms: Which corrections; see `corrections`.
        slip: The reader's share of slips; see `read`.
        seed: Of the problems and of the reader.

    Returns:
        pid, policy, integrity (Float64), arm, seed (Int64), note, correction, truth and drift
        (Float64), source, source_items (List[String]), reply; in the order of `plan`.

    Raises:
        OptionError: If a policy or an arm is unknown, one is given twice, or a number is out of
            range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> trials = reclaim.simulate(2, integrities=[0.1], arms=["directed"], seeds=1)
        >>> for policy, reply in trials.select("policy", "reply").head(4).rows():
        ...     print(f"{policy}: {reply.splitlines()[-1]}")
        lossy: **ANSWER: 117**
        lossy-padded: ANSWER: $117
        source-first: ANSWER: **$123**
        blank: ANSWER: unknown
    """
    asked = problems(n_problems, seed=seed)
    kept = notes(asked, policies=policies, integrities=integrities)
    rows = crossed(asked, kept, corrections(asked, arms=arms), seeds)
    return read(rows, slip=slip, seed=seed)
