"""A memory loop: each step inherits only the note of the one before, and an error with it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats.design.columns import column_names
from reclaimstats.errors import OptionError
from reclaimstats.estimates import mean, rate
from reclaimstats.options import integer
from reclaimstats.plots import curves
from reclaimstats.studies.reclaim.frames import each, each_once, options
from reclaimstats.studies.reclaim.ledgers import ledgers
from reclaimstats.studies.reclaim.wording import INSTRUCTION, LINE_ITEM, number, padded
from reclaimstats.studies.running import Messages
from reclaimstats.text import answer_number

__all__ = ["CASCADE_POLICIES", "Cascade", "cascade", "follow"]

CASCADE_POLICIES = ("lossy", "lossy-padded", "source-first")

_MISTAKE = 7
_CHAIN = ["store", "policy", "planted", "seed"]
_NOTHING = "This is the beginning."
_OPENING, _SEPARATOR, _CLOSING = "Purchases: ", "; ", "."
_TALLY = re.compile(r"tally put the [a-z ]+ at \$([0-9]+)")
_STATED = re.compile(r"Running total: \$([0-9]+(?:\.[0-9]+)?)")
_ALL = re.compile(r"all ([0-9]+) purchases")


def cascade(
    n: int = 8,
    *,
    hops: Sequence[int] = (1, 2, 4, 8),
    policies: Sequence[str] = CASCADE_POLICIES,
    planted: Sequence[bool] = (True, False),
    budget: int = 200,
    seeds: int = 3,
    seed: int = 0,
) -> "Cascade":
    """Lay out chains: a purchase a step, a note between steps, a correction at the end.

    A chain reveals one purchase a step and asks for the running total. Its policy keeps in the
    note the total as it was answered (`lossy`, and `lossy-padded` with filler), or the purchases
    and no total (`source-first`, the latest ones that fit the budget). Where an error is planted,
    an earlier tally puts the first purchase seven too high. After so many steps as `hops` says, a
    correction names that purchase and asks for the total again. Chains of several lengths share
    their steps.

    Args:
        n: How many stores, each of which is a cluster.
        hops: After how many steps a correction is given, each from 1 to 32.
        policies: Which of `CASCADE_POLICIES`.
        planted: Whether chains have the error; both by default.
        budget: Most characters of a source-first note, from 80 up.
        seeds: How often each chain is repeated.
        seed: Of the stores.

    Returns:
        A `Design` for `studies.run`, since each call depends on the reply before it.

    Raises:
        OptionError: An option is unknown, out of range or given twice.

    Examples:
        >>> import reclaimstats as rs
        >>> from reclaimstats.studies import reclaim
        >>> design = reclaim.cascade(2, hops=[4], planted=[True], seeds=1)
        >>> chains = design.scored(rs.studies.run(design, reclaim.follow, store=None))
        >>> chains.group_by("policy").agg(pl.col("blast").mean()).sort("policy").rows()
        [('lossy', 4.0), ('lossy-padded', 4.0), ('source-first', 1.0)]
    """
    integer("n", n, least=1, most=100_000)
    each_once("hops", hops)
    ends = sorted(integer("hops", hop, least=1, most=32) for hop in hops)
    options("policies", policies, CASCADE_POLICIES)
    each_once("planted", planted)
    if not all(isinstance(value, bool) for value in planted):
        raise OptionError(f"planted={list(planted)} must hold True or False")
    integer("budget", budget, least=80, most=1_000_000)
    integer("seeds", seeds, least=1, most=1_000_000)
    orders = ledgers(n, items=[max(2, ends[-1])], seed=seed)
    chains = each(
        pl.DataFrame({"policy": list(policies)}), pl.DataFrame({"planted": list(planted)})
    )
    repeats = pl.DataFrame({"seed": range(seeds)})
    return Cascade(ends, _steps(orders, ends, budget), each(chains, repeats))


@dataclass(frozen=True, slots=True)
class Cascade:
    """Chains of steps and corrections, made by `cascade`.

    Attributes:
        hops: After how many steps a correction is given.
        steps: What is said, kept and right at each step of each store.
        chains: Policy, whether the error is planted, and seed of each of a store's chains.
    """

    hops: list[int]
    steps: pl.DataFrame
    chains: pl.DataFrame

    def pending(self, answered: pl.DataFrame) -> pl.DataFrame:
        """Return the calls that can be made now; see `studies.Design`.

        Args:
            answered: key and reply of what was answered.

        Returns:
            key and messages.
        """
        rows = self._rows(answered)
        stated = pl.format("Running total: ${}.", number(pl.col("before"))).fill_null(
            pl.lit("The running total could not be settled.")
        )
        note = (
            pl.when(pl.col("step") == 1, ~pl.col("corrects"))
            .then(pl.lit(_NOTHING))
            .when(policy="source-first")
            .then("kept")
            .when(policy="lossy")
            .then(stated)
            .otherwise(padded(stated, pl.col("kept")))
        )
        asked = (
            pl.when("corrects").then("correction").when("planted").then("misled").otherwise("told")
        )
        ready = rows.filter(pl.col("reply").is_null(), pl.col("ready"))
        return ready.select(
            "key",
            messages=pl.concat_arr(
                pl.struct(role=pl.lit("system"), content=pl.concat_str(pl.lit(INSTRUCTION), note)),
                pl.struct(role=pl.lit("user"), content=asked),
            ).arr.to_list(),
        )

    def scored(self, answered: pl.DataFrame) -> pl.DataFrame:
        """Score the chains: how far the error spread, and whether it could be corrected.

        A row is a chain at one length.

        Args:
            answered: As `studies.run` gives it for this design: key and reply.

        Returns:
            store, policy, planted, seed, hops (Int64, its length); blast (Int64), how many of
            its steps did not give the right running total; recovered (Boolean), whether the
            correction brought it back; both are null where a reply is missing. complete
            (Boolean), whether the note at the end lists all purchases.

        Raises:
            ColumnError: A column is missing.
        """
        column_names(answered.columns, ("key", "reply"), argument="answered")
        rows = self._rows(answered.select("key", "reply"))
        right = pl.when(pl.col("reply").is_not_null()).then(
            ((pl.col("answer") - pl.col("truth")).abs() < 0.5).fill_null(False)
        )
        rows = rows.with_columns(right=right)
        parts = []
        for hops in self.hops:
            steps = rows.filter(pl.col("step") <= hops)
            ends = pl.col("corrects") & (pl.col("step") == hops)
            wrong = ~pl.col("right").filter(~pl.col("corrects"))
            parts.append(
                steps.group_by(_CHAIN, maintain_order=True)
                .agg(
                    blast=pl.when(wrong.is_not_null().all()).then(wrong.sum().cast(pl.Int64)),
                    recovered=pl.col("right").filter(ends).first(),
                    complete=(pl.col("whole") & (pl.col("policy") == "source-first"))
                    .filter(ends)
                    .first(),
                )
                .with_columns(hops=pl.lit(hops, dtype=pl.Int64))
            )
        return pl.concat(parts).select(*_CHAIN, "hops", "blast", "recovered", "complete")

    def tables(
        self, chains: pl.DataFrame, *, confidence_level: float = 0.95
    ) -> dict[str, pl.DataFrame]:
        """Make the tables for each policy, with and without the error, and length.

        Args:
            chains: As `scored` gives them; several models' can be one frame with a column `model`
                in front.
            confidence_level: Of the intervals.

        Returns:
            `reclaim`, the share that the correction recovered, as `rate` gives it, and `blast`,
            the mean number of steps gone wrong, as `mean` gives it; stores are clusters.
        """
        by = [name for name in ("model", "policy", "planted", "hops") if name in chains.columns]
        shown: dict[str, Any] = {"cluster": "store", "confidence_level": confidence_level}
        return {
            "reclaim": rate(chains, "recovered", by=by, **shown),
            "blast": mean(chains, "blast", by=by, **shown),
        }

    def figures(self, chains: pl.DataFrame, *, confidence_level: float = 0.95) -> dict[str, str]:
        """Draw blast and reclaim rate, with bands, against the length of the chain.

        Args:
            chains: As `scored` gives them.
            confidence_level: Of the bands.

        Returns:
            SVG documents by name: `blast-planted`, `blast-control`, and the same of `reclaim`.
        """
        tables = self.tables(chains, confidence_level=confidence_level)
        titles = {"blast": "Steps gone wrong, by length", "reclaim": "Reclaim rate by length"}
        curve = [name for name in ("model", "policy") if name in chains.columns]
        return {
            f"{name}-{'planted' if planted else 'control'}": curves(
                tables[name].filter(planted=planted), "hops", by=curve, title=title
            )
            for name, title in titles.items()
            for planted in sorted(set(chains["planted"]), reverse=True)
        }

    def _rows(self, answered: pl.DataFrame) -> pl.DataFrame:
        """Every call of every chain, with what was answered, before it and to it."""
        rows = each(self.chains, self.steps).with_columns(
            key=pl.concat_str(
                "store",
                pl.lit(" policy="),
                "policy",
                pl.lit(" planted="),
                "planted",
                pl.lit(" seed="),
                "seed",
                pl.when("corrects").then(pl.lit(" corrected=")).otherwise(pl.lit(" step=")),
                "step",
            )
        )
        rows = rows.join(answered, on="key", how="left", maintain_order="left")
        rows = rows.with_columns(answer=answer_number("reply"))
        steps = rows.filter(~pl.col("corrects"))
        before = steps.select(
            *_CHAIN, step=pl.col("step") + 1, before="answer", ready=pl.col("reply").is_not_null()
        )
        after = before.with_columns(pl.col("step") - 1)
        joined = [
            rows.filter(pl.col("corrects") == corrects).join(
                earlier, on=[*_CHAIN, "step"], how="left", maintain_order="left"
            )
            for corrects, earlier in ((False, before), (True, after))
        ]
        # The first step waits for nothing.
        first = (pl.col("step") == 1) & ~pl.col("corrects")
        return pl.concat(joined).with_columns(ready=first | pl.col("ready").fill_null(False))


def _steps(orders: pl.DataFrame, hops: list[int], budget: int) -> pl.DataFrame:
    """Lay out what is said and kept at each step of each store, whatever the policy."""
    rows = []
    for order in orders.iter_rows(named=True):
        total, lines = 0, order["source_items"][: hops[-1]]
        for step, line in enumerate(lines, start=1):
            match = re.fullmatch(LINE_ITEM, line)
            if match is None:
                raise AssertionError(line)
            amount = int(match.group(1)) * int(match.group(2))
            good = line.partition(" at ")[0].partition(" ")[2]
            total += amount
            told = f"Purchase {step}: {line}. What is the running total of all purchases so far?"
            mistold = (
                f"Purchase {step}: {line}. An earlier tally put the {good} at "
                f"${amount + _MISTAKE}. What is the running total of all purchases so far?"
            )
            first = lines[0].partition(" at ")[0].partition(" ")[2]
            correction = (
                f"The subtotal for the {first} is wrong. Work it out again and give the running "
                f"total of all {step} purchases."
            )
            # The note that a step starts from: for a step, of those before it; for a correction,
            # of all.
            row = {
                "store": order["store"],
                "step": step,
                "told": told,
                "misled": mistold if step == 1 else told,
                "correction": correction,
                "truth": float(total),
            }
            rows.append(row | {"corrects": False} | _kept(lines[: step - 1], budget))
            if step in hops:
                rows.append(row | {"corrects": True} | _kept(lines[:step], budget))
    return pl.DataFrame(rows)


def _kept(lines: list[str], budget: int) -> dict[str, object]:
    """Write the note of the latest purchases that fit, and say whether those are all."""
    room = budget - len(_OPENING) - len(_CLOSING)
    first = len(lines)
    while first and len(_SEPARATOR.join(lines[first - 1 :])) <= room:
        first -= 1
    kept = f"{_OPENING}{_SEPARATOR.join(lines[first:]) or 'nothing'}{_CLOSING}"
    return {"kept": kept, "whole": first == 0}


def follow(conversations: list[Messages]) -> list[str]:
    """Answer steps of a cascade as a reader without a model, for `studies.run`.

    It adds up what its note and the message hold, and takes a tally in the message for true. With
    only a running total in the note it goes on from that, and repeats it when it is corrected.
    What the note neither lists in full nor totals it does not know.

    Args:
        conversations: Of a `Cascade`.

    Returns:
        As many replies.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> memory = {"role": "system", "content": "Memory: Running total: $40."}
        >>> asked = {"role": "user", "content": "Purchase 2: 3 pens at $2 each. And in total?"}
        >>> reclaim.follow([[memory, asked]])
        ['ANSWER: 46']
    """
    return [
        _followed(messages[0]["content"], messages[-1]["content"]) for messages in conversations
    ]


def _followed(memory: str, said: str) -> str:
    note = memory.rpartition("Memory: ")[2]
    listed = [int(quantity) * int(price) for quantity, price in re.findall(LINE_ITEM, note)]
    stated, tally, correction = _STATED.search(note), _TALLY.search(said), _ALL.search(said)
    if correction:
        needed, new = int(correction.group(1)), 0.0
    else:
        ((quantity, price),) = re.findall(LINE_ITEM, said)
        needed = int(said.removeprefix("Purchase ").partition(":")[0]) - 1
        new = float(tally.group(1)) if tally else float(int(quantity) * int(price))
    if len(listed) == needed:
        return f"ANSWER: {sum(listed) + new:g}"
    return f"ANSWER: {float(stated.group(1)) + new:g}" if stated else "ANSWER: unknown"
