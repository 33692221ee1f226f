"""Readers without a model: fixed rules over a note and a correction."""

import polars as pl

from reclaimstats.design import column_names
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
from reclaimstats.studies.reclaim.wording import CONCLUSION, LINE_ITEM

__all__ = ["read"]

_LOCUS = r"(?i)\bsubtotal\b"
_LINE_ITEMS_NEEDED = 2


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
