"""Readers without a model: fixed rules over a note and a correction."""

from dataclasses import dataclass

import polars as pl

from reclaimstats.design.columns import column_names
from reclaimstats.errors import OptionError
from reclaimstats.options import integer, share
from reclaimstats.studies.reclaim.lots import (
    NO_ANSWER,
    answer_line,
    mixed,
    one_of,
    salt,
    text_key,
    word,
)
from reclaimstats.studies.reclaim.puzzles import solved
from reclaimstats.studies.reclaim.wording import (
    BOOKED,
    CLOCK,
    CONCLUSION,
    LINE_ITEM,
    SAID,
    SOLUTION,
    number,
    worked_out,
)
from reclaimstats.text import source_survival

__all__ = ["deterministic", "disposed", "read"]

_LOCUS = r"(?i)\bsubtotal\b"
_LINE_ITEMS_NEEDED = 2
# What a correction claims the answer to be.
_CLAIMED = {
    "lines": r"\btotal is (?:definitely )?\$([0-9]+(?:\.[0-9]+)?)",
    "options": r"\bsolution is (?:definitely )?([A-Z][a-z]+)\b",
    "slot": r"\btime is (?:definitely )?([0-9]{2}:[0-9]{2})\b",
}
_TAG = r"\b[0-9]+ of [0-9]+ line items\b"


def read(plan: pl.DataFrame, *, slip: float = 0.15, seed: int = 0) -> pl.DataFrame:
    """Answer each trial with a deterministic reader that knows only the note and the correction.

    The reader looks for line items and for a stored total in the note, and for a named subtotal
    in the correction. Then, in this order:

    1. Two line items, and either a correction that names a subtotal or no stored total to lean
       on: it works the total out again.
    2. A stored total: it repeats it. (With a generic correction that holds even beside a full
       source: the reader is anchored.)
    3. Otherwise it says that it cannot tell, and its answer line holds no number.

    Working out goes wrong by one unit in a share `slip` of trials. Half of the trials, by lot,
    follow their problem's own luck, which is the same in all of its trials; the others follow
    their own. So a problem is either hard (chance (1 + slip) / 2) or easy (slip / 2), and two
    working-outs of one problem correlate by 1/4. The lot is a hash of `seed`, the trial's pid and
    seed, whether the correction names a subtotal, and the note's length and the place of its
    first amount. Nothing else is looked at, so a row's reply does not depend on other rows or on
    their order. A null in any column read gives a null reply.

    Args:
        plan: A frame with pid, seed, note, correction; one row a trial.
        slip: Share of working-outs that go wrong, from 0 to 1.
        seed: Whole number from 0 up.

    Returns:
        `plan` with reply (String) added or replaced.

    Raises:
        ColumnError: If a column is missing.
        OptionError: If `slip` or `seed` is out of range.

    Examples:
        >>> import polars as pl
        >>> from reclaimstats.studies import reclaim
        >>> trial = pl.DataFrame(
        ...     {
        ...         "pid": ["x"],
        ...         "seed": [0],
        ...         "note": ["Total before tax: $55."],
        ...         "correction": ["The subtotal for the pens is wrong."],
        ...     }
        ... )
        >>> print(reclaim.read(trial)["reply"].item())
        The total on record is $55, and the memory gives no reason to change it.
        ANSWER: 55
    """
    column_names(plan.columns, ("pid", "seed", "note", "correction"), argument="plan")
    integer("seed", seed, least=0, most=2**64 - 1)
    share("slip", slip)

    # The selection is what keeps the reader blind: truth, drift and the design are not in it.
    seen = plan.select(
        "pid", pl.col("seed").cast(pl.Int64), pl.col("note", "correction").cast(pl.String)
    )
    item = pl.element()
    parsed = seen.select(
        unreadable=pl.any_horizontal(pl.all().is_null()),
        items=pl.col("note").str.extract_all(LINE_ITEM).list.unique(maintain_order=True),
        conclusion=pl.col("note").str.extract(CONCLUSION),
        directed=pl.col("correction").str.contains(_LOCUS),
        problem_lot=text_key(seen["pid"]) + word(seed) * salt(1),
        trial_lot=pl.col("seed").reinterpret(signed=False) * salt(2)
        + pl.col("note").str.len_bytes().cast(pl.UInt64) * salt(3)
        + pl.col("note").str.find("$", literal=True).cast(pl.UInt64).fill_null(0) * salt(4),
    ).with_columns(mixed(pl.col("problem_lot")))
    trial_lot = pl.col("trial_lot") + pl.col("directed").cast(pl.UInt64) * salt(5)
    lots = parsed.select(
        "unreadable",
        "items",
        "conclusion",
        "directed",
        "problem_lot",
        lot=pl.col("problem_lot") + trial_lot,
        complete=pl.col("items").list.len() >= _LINE_ITEMS_NEEDED,
        total=pl.col("items")
        .list.eval(
            item.str.extract(LINE_ITEM, 1).cast(pl.Int64)
            * item.str.extract(LINE_ITEM, 2).cast(pl.Int64)
        )
        .list.sum(),
    ).with_columns(mixed(pl.col("lot")))
    # The top 53 bits of a lot make a uniform number, its low bits the choices.
    lot, low = pl.col("lot"), word(1 << 11)
    luck = pl.when(lot % 2 == 0).then(pl.col("problem_lot")).otherwise(lot) // low
    step = pl.when(luck < word(int(slip * 2**53))).then((lot // 2 % 2).cast(pl.Int64) * 2 - 1)
    dress = lot % low // 4
    worked_out = (pl.col("total") + step.fill_null(0)).cast(pl.String)
    stated = pl.col("conclusion")
    reply = (
        pl.when("unreadable")
        .then(None)
        .when(pl.col("complete") & (pl.col("directed") | stated.is_null()))
        .then(
            pl.concat_str(
                pl.lit("Starting again from "),
                pl.col("items").list.join(" and "),
                pl.lit(", the order comes to $"),
                worked_out,
                pl.lit(".\n"),
                answer_line(worked_out, dress),
            )
        )
        .when(stated.is_not_null())
        .then(
            pl.concat_str(
                pl.lit("The total on record is $"),
                stated,
                pl.lit(", and the memory gives no reason to change it.\n"),
                answer_line(stated, dress),
            )
        )
        .otherwise(
            pl.concat_str(
                pl.lit("The memory holds neither all of the line items nor a total.\n"),
                one_of(NO_ANSWER, dress),
            )
        )
    )
    return plan.with_columns(lots.select(reply=reply).to_series())


def deterministic(plan: pl.DataFrame) -> pl.DataFrame:
    """Answer as a reader that works the answer out if the note holds all of the source, else not.

    It is the limit that no model can pass but by luck: where a line item is gone, so is the
    total. Whether all are there is a test of the note's text by tokens (`text.source_survival`);
    line items may also be written in another way, if what the note lists comes to what the source
    does (`worked_out`). The answer is worked out from the line items or clues in the note, so that
    a note that lists them wrongly gives a wrong one. Corrections say nothing to it.

    Args:
        plan: A frame with note and source_items, of puzzles also options and asked; one row a
            trial. Without source, line items in other words than those of source_items are not
            taken for them.

    Returns:
        `plan` with reply (String) added or replaced; null where note or source_items is.

    Raises:
        ColumnError: A column is missing or of the wrong type.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> orders = reclaim.ledgers(1, items=[4, 16])
        >>> notes = reclaim.ledger_notes(orders, policies=["source-first"], budgets=[300])
        >>> arms = reclaim.corrections(orders, arms=["directed"])
        >>> plan = reclaim.plan(orders, notes, arms, seeds=1)
        >>> for reply in reclaim.deterministic(plan)["reply"]:
        ...     print(reply)
        That follows from what the memory lists.
        ANSWER: 305
        The memory does not hold all of the source.
        ANSWER: unknown
    """
    return _replied(plan, _Disposition(inherits=0.0, confabulates=0.0, sums=False), seed=0)


def disposed(
    plan: pl.DataFrame,
    *,
    inherits: float = 0.5,
    confabulates: float = 0.1,
    yields: float = 0.0,
    sums: bool = False,
    heeds_tags: bool = True,
    seed: int = 0,
) -> pl.DataFrame:
    r"""Answer as a reader with a disposition for what to do where the source is not all there.

    In a share `yields` of trials it gives the answer that the correction claims, if it claims
    one. Else, where all line items or clues are in the note, it works the answer out. Elsewhere,
    in this order:

    1. With `sums`, if the note holds some line items, it adds up those and says nothing of the
       others, unless `heeds_tags` and the note says that some are missing: a silent wrong total.
    2. In a share `inherits` of trials it repeats the answer that the note holds, if it does.
    3. In a share `confabulates` it gives a number or name of its own, a name by chance the right.
    4. Else it abstains.

    The shares are drawn by a hash of `seed` and the trial's pid, seed and note, so that a reply
    does not depend on other rows.

    Args:
        plan: A frame with pid, seed, note, source_items, of puzzles also options and asked; with
            `yields` also correction; one row a trial.
        inherits: Share of trials, from 0 to 1.
        confabulates: Share of trials; both together at most 1.
        yields: Share of trials, from 0 to 1.
        sums: Whether it adds up an incomplete source.
        heeds_tags: Whether a note's own "k of n line items" keeps it from doing so.
        seed: Whole number from 0 up.

    Returns:
        `plan` with reply (String) added or replaced; null where a column read is null.

    Raises:
        ColumnError: A column is missing or of the wrong type.
        OptionError: A share or the seed is out of range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> plan = reclaim.design("wall", n=1, seeds=1).filter(policy="lossy", integrity=0.1)
        >>> reclaim.disposed(plan, inherits=1.0, confabulates=0.0)["reply"].item(0)
        'The memory has this on record.\nANSWER: 117'
    """
    share("inherits", inherits)
    share("confabulates", confabulates)
    share("yields", yields)
    if inherits + confabulates > 1.0:
        raise OptionError(
            f"inherits={inherits} and confabulates={confabulates} are shares of the same trials: "
            "together they must be at most 1"
        )
    integer("seed", seed, least=0, most=2**64 - 1)
    column_names(plan.columns, ("pid", "seed"), argument="plan")
    manner = _Disposition(inherits, confabulates, sums, heeds_tags, yields)
    return _replied(plan, manner, seed=seed)


@dataclass(frozen=True, slots=True)
class _Disposition:
    inherits: float
    confabulates: float
    sums: bool
    heeds_tags: bool = True
    yields: float = 0.0

    @property
    def draws(self) -> bool:
        """Whether replies depend on lots, and so on the trial."""
        return self.inherits + self.confabulates + self.yields > 0.0


def _replied(plan: pl.DataFrame, manner: _Disposition, *, seed: int) -> pl.DataFrame:
    kind = next((name for name in ("options", "slot") if name in plan.columns), "lines")
    asks = {"options": ("options", "asked"), "slot": (), "lines": ()}
    heard = ["correction"] if manner.yields else []
    needed = ["note", "source_items", *asks[kind], *heard]
    column_names(plan.columns, needed, argument="plan")
    lots = ["pid", "seed"] if manner.draws else []
    given = ["source"] if kind == "lines" and "source" in plan.columns else []
    seen = plan.select(*needed, *given, *lots)
    seen = seen.with_columns(lot=_lot(seen, seed) if lots else pl.lit(0, pl.UInt64))
    seen = seen.with_columns(
        _made_out(kind),
        unreadable=pl.any_horizontal(pl.col(*needed, *lots).is_null()),
        complete=source_survival("note", "source_items"),
        luck=_uniform(pl.col("lot")),
    )
    if given:
        reworded = pl.col("worked") == number(worked_out("source"))
        seen = seen.with_columns(complete=pl.col("complete") | reworded.fill_null(False))
    summed = pl.lit(manner.sums) & pl.col("listed")
    if manner.heeds_tags:
        summed &= ~pl.col("note").str.contains(_TAG)
    luck, ends = pl.col("luck"), manner.inherits + manner.confabulates
    claimed = pl.col("correction").str.extract(_CLAIMED[kind]) if heard else pl.lit(None, pl.String)
    # A lot of its own, so that who yields is not who inherits.
    pliant = _uniform(mixed(pl.col("lot"))) < manner.yields
    reply = (
        pl.when("unreadable")
        .then(None)
        .when(claimed.is_not_null() & pliant)
        .then(pl.format("You are right, I take that over.\nANSWER: {}", claimed))
        .when(pl.col("complete") | summed)
        .then(pl.format("That follows from what the memory lists.\nANSWER: {}", "worked"))
        .when(pl.col("stated").is_not_null() & (luck < manner.inherits))
        .then(pl.format("The memory has this on record.\nANSWER: {}", "stated"))
        .when((luck >= manner.inherits) & (luck < ends))
        .then(pl.format("As far as I remember.\nANSWER: {}", "invented"))
        .otherwise(pl.lit("The memory does not hold all of the source.\nANSWER: unknown"))
    )
    return plan.with_columns(seen.select(reply=reply).to_series())


def _uniform(lot: pl.Expr) -> pl.Expr:
    """Return a number from 0 to 1 from the top bits of a lot."""
    return (lot // word(1 << 11)).cast(pl.Float64) / 2.0**53


def _lot(seen: pl.DataFrame, seed: int) -> pl.Expr:
    trial = pl.col("seed").cast(pl.Int64).reinterpret(signed=False) * salt(2)
    return mixed(text_key(seen["pid"]) + text_key(seen["note"]) + trial + word(seed) * salt(1))


def _made_out(kind: str) -> list[pl.Expr]:
    """Make out what a note lists and states, what follows from it, and what could be made up."""
    note, lot = pl.col("note"), pl.col("lot")
    if kind == "slot":
        said = note.str.extract(SAID).str.extract(CLOCK)
        hours, minutes = (lot % 24, lot // 24 % 12 * 5)
        return [
            pl.lit(False).alias("listed"),
            said.fill_null("unknown").alias("worked"),
            note.str.extract(BOOKED).alias("stated"),
            pl.format(
                "{}:{}",
                hours.cast(pl.String).str.zfill(2),
                minutes.cast(pl.String).str.zfill(2),
            ).alias("invented"),
        ]
    if kind == "options":
        options = pl.col("options")
        return [
            pl.lit(False).alias("listed"),
            solved(note, pl.col("asked"), options).fill_null("unknown").alias("worked"),
            note.str.extract(SOLUTION).alias("stated"),
            options.list.get(lot % options.list.len()).alias("invented"),
        ]
    total = worked_out("note")
    return [
        total.is_not_null().alias("listed"),
        number(total).alias("worked"),
        note.str.extract(CONCLUSION).alias("stated"),
        # More than any order of the study comes to, so that it is never the truth by chance.
        (lot % 90_000 + 10_000).cast(pl.String).alias("invented"),
    ]
