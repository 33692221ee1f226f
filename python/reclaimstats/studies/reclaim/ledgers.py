"""Ledgers of many line items, with or without decoys, and notes of them within a budget."""

import random
from collections.abc import Sequence

import polars as pl

from reclaimstats.options import integer
from reclaimstats.studies.reclaim.frames import each, each_once, options, problems_with
from reclaimstats.studies.reclaim.purchases import MISCOUNTS, PRICES, QUANTITIES
from reclaimstats.studies.reclaim.wording import NOTHING, TASK, number, padded, sentences

__all__ = ["LEDGER_POLICIES", "SIZES", "ledger_notes", "ledgers"]

SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 32)
LEDGER_POLICIES = (
    "source-first",
    "source-first-tagged",
    "source-plus-conclusion",
    "denoised",
    "lossy",
    "lossy-padded",
    "blank",
)

_MOST = 32  # line items of a ledger, and as many decoys
_GOODS = (
    "aprons", "baskets", "beads", "belts", "binders", "blankets", "boards", "bolts", "bowls",
    "brushes", "buckets", "bulbs", "buttons", "cables", "candles", "caps", "carpets", "chairs",
    "clamps", "clocks", "combs", "corks", "cups", "cushions", "curtains", "dishes", "erasers",
    "fans", "filters", "forks", "frames", "funnels", "gloves", "hammers", "hinges", "hooks",
    "jars", "kettles", "knives", "labels", "ladders", "lamps", "locks", "mats", "mirrors", "mugs",
    "nails", "needles", "notebooks", "pans", "pegs", "pencils", "pens", "pillows", "plates",
    "pots", "racks", "ribbons", "ropes", "rulers", "scarves", "screws", "shelves", "shirts",
    "sieves", "spoons", "stools", "tiles", "towels", "trays", "vases", "whisks",
)  # fmt: skip

_OPENING, _SEPARATOR, _CLOSING = "Order: ", "; ", "."


def ledgers(
    n: int = 8, *, items: Sequence[int] = SIZES, decoys: Sequence[int] = (0,), seed: int = 0
) -> pl.DataFrame:
    """Generate orders of many line items, each with one planted wrong subtotal.

    A row is the order of one store at one size: `items` line items that were bought, among them
    as many `decoys` that were looked at and not bought. A store's orders share their goods: the
    larger holds all of the smaller, at the same prices, and more decoys leave the others where
    they are. So trials of one store resemble each other: cluster by `store`. A seed's first
    stores are the same for every `n`, and the same on every machine.

    Args:
        n: How many stores, from 1 to 100,000.
        items: Numbers of line items, each from 2 to 32.
        decoys: Numbers of decoys, each from 0 to 32.
        seed: Whole number from 0 up.

    Returns:
        pid, store, n_items (Int64), n_decoys (Int64), question; premise (the planted wrong
        subtotal of the middle line item, as a sentence); locus (the item it is about) and sound
        (the item before it, whose subtotal is right); lines (List[String], bought and not bought
        in the order of the ledger); source (the bought ones as text); source_items
        (List[String], the same as a list); truth and drift (Float64, never equal).

    Raises:
        OptionError: A number is out of range or given twice.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> order = reclaim.ledgers(1, items=[2], decoys=[1]).row(0, named=True)
        >>> order["lines"]
        ['binders at $4 each, not bought', '5 ladders at $13 each', '7 hooks at $13 each']
        >>> order["premise"], order["truth"], order["drift"]
        ('An earlier tally put the hooks at $104.', 156.0, 169.0)
    """
    integer("n", n, least=1, most=100_000)
    integer("seed", seed, least=0, most=2**64 - 1)
    each_once("items", items)
    each_once("decoys", decoys)
    sizes = [integer("items", size, least=2, most=_MOST) for size in items]
    crowds = [integer("decoys", crowd, least=0, most=_MOST) for crowd in decoys]
    # random() is the one method whose sequence Python promises to keep for a seed.
    uniform = random.Random(seed).random
    rows = []
    for store in range(n):
        goods = sorted(_GOODS, key=lambda _: uniform())
        prices = [PRICES[int(uniform() * len(PRICES))] for _ in goods]
        quantities = [QUANTITIES[int(uniform() * len(QUANTITIES))] for _ in goods]
        miscount = MISCOUNTS[int(uniform() * len(MISCOUNTS))]
        places = [uniform() for _ in goods]
        for size in sizes:
            for crowd in crowds:
                chosen = [*range(size), *range(_MOST, _MOST + crowd)]
                chosen.sort(key=places.__getitem__)
                bought = [good for good in chosen if good < _MOST]
                wrong = bought[size // 2]
                line = {good: f"{goods[good]} at ${prices[good]} each" for good in chosen}
                line |= {good: f"{quantities[good]} {line[good]}" for good in bought}
                source = [line[good] for good in bought]
                lines = [
                    line[good] if good < _MOST else f"{line[good]}, not bought" for good in chosen
                ]
                truth = sum(prices[good] * quantities[good] for good in bought)
                rows.append(
                    {
                        "pid": f"ledger-{store:04d}-{size:02d}-{crowd:02d}",
                        "store": f"store-{store:04d}",
                        "n_items": size,
                        "n_decoys": crowd,
                        "question": f"A customer's order: {_SEPARATOR.join(lines)}. {TASK}".strip(),
                        "premise": f"An earlier tally put the {goods[wrong]} at "
                        f"${prices[wrong] * (quantities[wrong] + miscount)}.",
                        "locus": goods[wrong],
                        "sound": goods[bought[size // 2 - 1]],
                        "lines": lines,
                        "source": _SEPARATOR.join(source),
                        "source_items": source,
                        "truth": float(truth),
                        "drift": float(truth + prices[wrong] * miscount),
                    }
                )
    return pl.DataFrame(rows)


def ledger_notes(
    ledgers: pl.DataFrame,
    *,
    policies: Sequence[str] = ("source-first", "lossy-padded"),
    budgets: Sequence[int] = (300,),
) -> pl.DataFrame:
    """Write the note that each policy leaves of each order, within a budget of characters.

    A row is a note. `source-first` lists whole lines of the ledger from the top, decoys included,
    until the next does not fit, and no conclusion; `source-first-tagged` also says how many of
    how many line items it holds; `source-plus-conclusion` spends some of the budget on the
    conclusion first; `denoised` knows which lines were bought and lists only those. `lossy` is
    the conclusion alone, `lossy-padded` with neutral filler to at least the length of
    `source-first`, and `blank` says that nothing was kept.

    Args:
        ledgers: As `ledgers` gives them.
        policies: Which of `LEDGER_POLICIES`.
        budgets: Most characters of a note that keeps lines, from 80 up. The filler of
            `lossy-padded` may go beyond.

    Returns:
        pid, store, n_items, n_decoys, policy, budget (Int64), note; in the order of the ledgers,
        then of `policies`, then of `budgets`.

    Raises:
        ColumnError: A column is missing or holds a null.
        OptionError: A policy is unknown, a budget is out of range, or one is given twice.
        DesignError: A pid stands twice.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> order = reclaim.ledgers(1, items=[6])
        >>> notes = reclaim.ledger_notes(order, policies=["source-first-tagged"], budgets=[80])
        >>> print(notes["note"].item())
        Order (2 of 6 line items): 5 ladders at $13 each; 5 whisks at $17 each.
    """
    needed = ("store", "n_items", "n_decoys", "lines", "source_items", "drift")
    asked = problems_with(ledgers, needed)
    options("policies", policies, LEDGER_POLICIES)
    each_once("budgets", budgets)
    for budget in budgets:
        integer("budgets", budget, least=80, most=1_000_000)

    cells = pl.DataFrame(
        [(policy, int(budget)) for policy in policies for budget in budgets],
        schema={"policy": pl.String, "budget": pl.Int64},
        orient="row",
    )
    rows = each(asked, cells).with_row_index("row")
    policy, conclusion = (
        pl.col("policy"),
        pl.format("Total before tax: ${}.", number(pl.col("drift"))),
    )
    # A tag is as long as it can get, so that the note fits whatever number is written in.
    tag = pl.format(" ({} of {} line items)", "n_items", "n_items").str.len_chars()
    spent = (
        pl.when(policy == "source-first-tagged")
        .then(tag)
        .when(policy == "source-plus-conclusion")
        .then(conclusion.str.len_chars() + 1)
        .otherwise(0)
        .cast(pl.Int64)
    )
    room = pl.col("budget") - spent - len(_OPENING) - len(_CLOSING) + len(_SEPARATOR)
    kept = (
        rows.select(
            "row",
            room=room,
            line=pl.when(policy == "denoised").then("source_items").otherwise("lines"),
        )
        .explode("line")
        .with_columns(
            used=(pl.col("line").str.len_chars().cast(pl.Int64) + len(_SEPARATOR))
            .cum_sum()
            .over("row")
        )
        .filter(pl.col("used") <= pl.col("room"))
        .group_by("row", maintain_order=True)
        .agg(
            n_kept=(~pl.col("line").str.ends_with(", not bought")).sum().cast(pl.Int64),
            kept=pl.col("line").str.join(_SEPARATOR),
        )
    )
    rows = rows.join(kept, on="row", how="left", maintain_order="left").with_columns(
        pl.col("n_kept").fill_null(0), pl.col("kept").fill_null("nothing")
    )
    tagged = pl.format("Order ({} of {} line items): {}.", "n_kept", "n_items", "kept")
    items = pl.format("Order: {}.", "kept")
    return rows.select(
        "pid",
        "store",
        "n_items",
        "n_decoys",
        "policy",
        "budget",
        note=pl.when(policy.is_in(["source-first", "denoised"]))
        .then(items)
        .when(policy == "source-first-tagged")
        .then(tagged)
        .when(policy == "source-plus-conclusion")
        .then(sentences(conclusion, items))
        .when(policy == "lossy")
        .then(conclusion)
        .when(policy == "lossy-padded")
        .then(padded(conclusion, items))
        .otherwise(pl.lit(NOTHING)),
    )
