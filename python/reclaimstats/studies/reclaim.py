"""The reclaim study: can a conclusion be corrected once only a note of it is left?

In a first session a reader accepts one wrong subtotal of a purchase and settles on the wrong
total that follows (the drift). A second session starts from a note of the first and a correction.
A note policy decides what the note holds at each integrity, and so whether the correction has
anything to work on. Frames flow one way, and `simulate` is exactly this composition::

    problems ──▶ notes, corrections ──▶ plan ──▶ replies (a model's, or `read`) ──▶ scores
"""

import math
import random
from collections.abc import Sequence
from typing import TypeVar

import polars as pl

from reclaimstats.design import column_names
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reclaimstats.options import choice, integer, share

__all__ = ["corrections", "notes", "plan", "problems", "read", "simulate"]

_T = TypeVar("_T")

POLICIES = ("lossy", "lossy-padded", "source-first", "blank")
INTEGRITIES = (1.0, 0.6, 0.3, 0.1)
ARMS = ("generic", "directed")

# A note keeps the request from integrity _REQUEST_FROM up, the planted premise from _PREMISE_FROM
# up, and source and conclusion both from _BOTH_FROM up; below it each policy gives up one of them.
_REQUEST_FROM, _BOTH_FROM, _PREMISE_FROM = 0.8, 0.5, 0.2

_GOODS = (
    "notebooks", "pens", "tiles", "grout bags", "paint cans", "brushes", "coffee bags", "filters",
    "boards", "screws", "lamps", "bulbs", "plates", "bowls", "towels", "cushions", "shirts",
    "belts", "seed packs", "flower pots", "ropes", "hooks", "candles", "jars",
)  # fmt: skip
_PRICES = range(2, 20)  # from 2 up, a planted subtotal is off by more than a slip of one unit
_QUANTITIES = range(3, 15)
_MISCOUNTS = (-2, -1, 1, 2)

_REQUEST = "A customer asked what one order costs."
_NOTHING = "Nothing from the earlier conversation was kept."
_FILLER = (
    "The conversation was friendly and unhurried. "
    "It was agreed to pick things up again some other time."
)
_GENERIC = "Something you carried over is wrong. Check it again and give the total."
_DIRECTED = "The subtotal for the {} is wrong. Work it out again and give the total."
_INSTRUCTION = (
    "This is a new conversation. All that is left of the earlier one is the memory below. End "
    "your reply with a line that starts with ANSWER: and gives the number, or says unknown.\n\n"
    "Memory: "
)
_TASK = "What does the order cost before tax? "

# What the reader can make out in a text.
_LINE_ITEM = r"\b([0-9]{1,6}) [A-Za-z][A-Za-z -]* at \$([0-9]{1,6}) each\b"
_CONCLUSION = r"(?i)\btotal\b[^$.;\n]*\$([0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)"
_LOCUS = r"(?i)\bsubtotal\b"
_LINE_ITEMS_NEEDED = 2
_TEXT_SALTS = 16  # the first salt of a text; the ones below are the reader's

_ANSWER_OPENS = ("ANSWER: ", "ANSWER: $", "**ANSWER:** $", "ANSWER: **$", "**ANSWER: ", "Answer: `")
_ANSWER_CLOSES = ("", "", "", "**", "**", "`")
_NO_ANSWER = ("ANSWER: unknown", "**ANSWER:** cannot be determined", "ANSWER: **not recoverable**")


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
        planted wrong subtotal, as a sentence); locus (the item it is about); source (the line
        items as text); source_items (List[String], the tokens a note must hold for the source to
        have survived); truth and drift (Float64, the right total and the one that follows from
        the premise; never equal).

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
        price_a = pick(_PRICES)
        # Two prices that differ keep every source token particular to its line item.
        price_b = pick([price for price in _PRICES if price != price_a])
        quantity_a, quantity_b = pick(_QUANTITIES), pick(_QUANTITIES)
        locus, price, quantity = pick(
            ((item_a, price_a, quantity_a), (item_b, price_b, quantity_b))
        )
        miscount = pick(_MISCOUNTS)
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
                "question": f"A customer orders {line_a} and {line_b}. {_TASK}".strip(),
                "premise": f"An earlier tally put the {locus} at ${price * (quantity + miscount)}.",
                "locus": locus,
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


def notes(
    problems: pl.DataFrame,
    *,
    policies: Sequence[str] = POLICIES,
    integrities: Sequence[float] = INTEGRITIES,
) -> pl.DataFrame:
    """Write the note that each policy leaves of each problem's first session.

    A row is a note. From integrity 0.5 up every policy but `blank` keeps the line items, the
    premise and the conclusion. Below it `lossy` drops the line items and `source-first` drops the
    conclusion; below 0.2 both drop the premise too. `lossy-padded` is the lossy note with neutral
    filler behind it, at least as long as the source-first note. `blank` says that nothing was
    kept, whatever the integrity.

    Args:
        problems: A frame with pid, source, premise and drift; one row a problem.
        policies: Which of lossy, lossy-padded, source-first, blank.
        integrities: Numbers from 0 to 1.

    Returns:
        pid, policy, integrity (Float64), note; in the order of the problems, then of `policies`,
        then of `integrities`.

    Raises:
        ColumnError: If a column is missing or holds a null.
        OptionError: If a policy is unknown, an integrity is out of range, or one is given twice.
        DesignError: If a pid stands twice.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> cells = reclaim.notes(reclaim.problems(1), integrities=[0.3])
        >>> for policy, note in cells.select("policy", "note").rows():
        ...     if policy in {"lossy", "source-first"}:
        ...         print(note)
        Total before tax: $117. An earlier tally put the belts at $36.
        Order: 9 ropes at $9 each; 7 belts at $6 each. An earlier tally put the belts at $36.
    """
    asked = _problems(problems, ("source", "premise", "drift"))
    _options("policies", policies, POLICIES)
    _each_once("integrities", integrities)
    for integrity in integrities:
        share("integrities", integrity)

    g, policy = pl.col("integrity"), pl.col("policy")

    def kept(piece: pl.Expr, least: float) -> pl.Expr:
        return pl.when(g >= least).then(piece)

    request = kept(pl.lit(_REQUEST), _REQUEST_FROM)
    premise = kept(pl.col("premise"), _PREMISE_FROM)
    items = pl.format("Order: {}.", "source")
    conclusion = pl.format("Total before tax: ${}.", _number(pl.col("drift")))
    lossy = _sentences(conclusion, premise, kept(items, _BOTH_FROM), request)
    source_first = _sentences(items, request, premise, kept(conclusion, _BOTH_FROM))
    # As a whole number of fillers, so that no sentence is cut.
    shortfall = source_first.str.len_chars().cast(pl.Int64) - lossy.str.len_chars()
    fillers = shortfall.clip(lower_bound=0) // len(_FILLER) + 1
    padded = _sentences(lossy, pl.lit(_FILLER).repeat_by(fillers).list.join(" "))

    cells = pl.DataFrame(
        [(name, float(integrity)) for name in policies for integrity in integrities],
        schema={"policy": pl.String, "integrity": pl.Float64},
        orient="row",
    )
    return _each(asked, cells).select(
        "pid",
        "policy",
        "integrity",
        pl.when(policy == "lossy")
        .then(lossy)
        .when(policy == "lossy-padded")
        .then(padded)
        .when(policy == "source-first")
        .then(source_first)
        .otherwise(pl.lit(_NOTHING))
        .alias("note"),
    )


def corrections(problems: pl.DataFrame, *, arms: Sequence[str] = ARMS) -> pl.DataFrame:
    """Write the correction that opens each problem's second session.

    A row is a correction. `generic` says only that something is wrong; `directed` also names the
    item whose subtotal is wrong. Neither gives a value.

    Args:
        problems: A frame with pid and locus; one row a problem.
        arms: Which of generic, directed.

    Returns:
        pid, arm, correction; in the order of the problems, then of `arms`.

    Raises:
        ColumnError: If a column is missing or holds a null.
        OptionError: If an arm is unknown or given twice.
        DesignError: If a pid stands twice.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> for arm, text in reclaim.corrections(reclaim.problems(1)).drop("pid").rows():
        ...     print(f"{arm}: {text}")
        generic: Something you carried over is wrong. Check it again and give the total.
        directed: The subtotal for the belts is wrong. Work it out again and give the total.
    """
    asked = _problems(problems, ("locus",))
    _options("arms", arms, ARMS)
    cells = pl.DataFrame({"arm": arms}, schema={"arm": pl.String})
    return _each(asked, cells).select(
        "pid",
        "arm",
        pl.when(pl.col("arm") == "directed")
        .then(pl.format(_DIRECTED, "locus"))
        .otherwise(pl.lit(_GENERIC))
        .alias("correction"),
    )


def plan(
    problems: pl.DataFrame, notes: pl.DataFrame, corrections: pl.DataFrame, *, seeds: int = 3
) -> pl.DataFrame:
    """Cross notes, corrections and seeds into the calls to make.

    A row is a trial still to be answered: fill in `reply` from `messages` with any model, or hand
    the frame to `read`. Rows are clustered by pid.

    Args:
        problems: What is scored against: pid, truth, drift, source, source_items.
        notes: pid, note and any design columns; as `notes` gives it, or memories that a deployed
            system wrote.
        corrections: pid, correction and any design columns.
        seeds: How often each call is repeated; the seed column counts from 0.

    Returns:
        key (String, the call's name: pid, design and seed), pid, the design columns (policy,
        integrity, arm), seed (Int64), note, correction, truth, drift, source, source_items,
        messages (List[Struct] of role and content); in the order of the notes, then of the
        corrections, then of the seeds.

    Raises:
        ColumnError: If a column is missing, or one of the problems' holds a null.
        OptionError: If `seeds` is out of range.
        DesignError: If a pid of the problems, or a design of the notes or corrections, stands
            twice; if a note has no problem or no correction; if two design columns share a name.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> some = reclaim.problems(2)
        >>> calls = reclaim.plan(some, reclaim.notes(some), reclaim.corrections(some))
        >>> calls.height == 2 * 4 * 4 * 2 * 3
        True
        >>> [message["role"] for message in calls["messages"][0]]
        ['system', 'user']
        >>> calls["key"][0]
        'purchase-0000 policy=lossy integrity=1.0 arm=generic seed=0'
    """
    said = pl.concat_str(pl.lit(_INSTRUCTION), "note")
    asked = pl.concat_str(pl.lit(_TASK), "correction")
    trials = _trials(problems, notes, corrections, seeds)
    design = trials.columns[: trials.columns.index("seed") + 1]
    design.remove("pid")
    named = [
        pl.concat_str(pl.lit(f"{name}="), pl.col(name).cast(pl.String).fill_null("null"))
        for name in design
    ]
    return trials.select(
        pl.concat_str("pid", *named, separator=" ").alias("key"),
        pl.all(),
        messages=pl.concat_arr(
            pl.struct(role=pl.lit("system"), content=said),
            pl.struct(role=pl.lit("user"), content=asked),
        ).arr.to_list(),  # eight times as fast as concat_list
    )


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
        items=pl.col("note").str.extract_all(_LINE_ITEM).list.unique(maintain_order=True),
        conclusion=pl.col("note").str.extract(_CONCLUSION),
        directed=pl.col("correction").str.contains(_LOCUS),
        problem_lot=_text_key(seen["pid"]) + _word(seed) * _salt(1),
        trial_lot=pl.col("seed").reinterpret(signed=False) * _salt(2)
        + pl.col("note").str.len_bytes().cast(pl.UInt64) * _salt(3)
        + pl.col("note").str.find("$", literal=True).cast(pl.UInt64).fill_null(0) * _salt(4),
    ).with_columns(_mixed(pl.col("problem_lot")))
    trial_lot = pl.col("trial_lot") + pl.col("directed").cast(pl.UInt64) * _salt(5)
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
            item.str.extract(_LINE_ITEM, 1).cast(pl.Int64)
            * item.str.extract(_LINE_ITEM, 2).cast(pl.Int64)
        )
        .list.sum(),
    ).with_columns(_mixed(pl.col("lot")))
    # The top 53 bits of a lot make a uniform number, its low bits the choices.
    lot, low = pl.col("lot"), _word(1 << 11)
    luck = pl.when(lot % 2 == 0).then(pl.col("problem_lot")).otherwise(lot) // low
    step = pl.when(luck < _word(int(slip * 2**53))).then((lot // 2 % 2).cast(pl.Int64) * 2 - 1)
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
                _answer_line(worked_out, dress),
            )
        )
        .when(stated.is_not_null())
        .then(
            pl.concat_str(
                pl.lit("The total on record is $"),
                stated,
                pl.lit(", and the memory gives no reason to change it.\n"),
                _answer_line(stated, dress),
            )
        )
        .otherwise(
            pl.concat_str(
                pl.lit("The memory holds neither all of the line items nor a total.\n"),
                _one_of(_NO_ANSWER, dress),
            )
        )
    )
    return plan.with_columns(lots.select(reply=reply).to_series())


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
    trials = _trials(asked, kept, corrections(asked, arms=arms), seeds)
    return read(trials, slip=slip, seed=seed)


def _trials(
    problems: pl.DataFrame, notes: pl.DataFrame, corrections: pl.DataFrame, seeds: int
) -> pl.DataFrame:
    """Return the plan without its messages."""
    scored = ("truth", "drift", "source", "source_items")
    answers = _problems(problems, scored)
    column_names(notes.columns, ("pid", "note"), argument="notes")
    column_names(corrections.columns, ("pid", "correction"), argument="corrections")
    integer("seeds", seeds, least=1, most=1_000_000)
    _distinct("notes", notes.drop("note"))
    _distinct("corrections", corrections.drop("correction"))
    for name, frame in (("problems", answers), ("corrections", corrections)):
        missed = notes.join(frame, on="pid", how="anti")["pid"].unique(maintain_order=True)
        if missed.len():
            raise DesignError(f"{name}: no row for the notes' pids {missed.head(3).to_list()}")
    design = [*notes.drop("note").columns, *corrections.drop("pid", "correction").columns]
    columns = [*design, "seed", "note", "correction", *scored]
    if len(set(columns)) < len(columns):
        raise DesignError(f"notes, corrections: columns must differ by name; received {columns}")
    trials = notes.join(corrections, on="pid", maintain_order="left_right")
    trials = _each(trials, pl.DataFrame({"seed": range(seeds)}, schema={"seed": pl.Int64}))
    return trials.join(answers, on="pid", how="left", maintain_order="left").select(columns)


def _each(rows: pl.DataFrame, cells: pl.DataFrame) -> pl.DataFrame:
    """Repeat every row for every cell."""
    return rows.join(cells, how="cross", maintain_order="left_right")


def _number(value: pl.Expr) -> pl.Expr:
    return value.cast(pl.Float64).cast(pl.String).str.strip_suffix(".0")


def _sentences(*pieces: pl.Expr) -> pl.Expr:
    return pl.concat_str(*pieces, separator=" ", ignore_nulls=True)


def _one_of(options: Sequence[str], lot: pl.Expr) -> pl.Expr:
    numbers = list(range(len(options)))
    return (lot % len(options)).replace_strict(numbers, list(options), return_dtype=pl.String)


def _answer_line(value: pl.Expr, dress: pl.Expr) -> pl.Expr:
    return pl.concat_str(_one_of(_ANSWER_OPENS, dress), value, _one_of(_ANSWER_CLOSES, dress))


def _word(value: int) -> pl.Expr:
    return pl.lit(value, dtype=pl.UInt64)


def _mixed(x: pl.Expr) -> pl.Expr:
    """Scatter 64 bits with the finaliser of SplitMix64 (Steele, Lea and Flood 2014).

    Polars' own hash may change from one version to the next, and this may not.
    """
    x = (x ^ x // _word(1 << 30)) * _word(0xBF58476D1CE4E5B9)
    x = (x ^ x // _word(1 << 27)) * _word(0x94D049BB133111EB)
    return x ^ x // _word(1 << 31)


def _salt(k: int) -> pl.Expr:
    """Return the k-th power of Knuth's MMIX multiplier, so that sums of salted words are a hash."""
    return _word(pow(6364136223846793005, k, 1 << 64))


def _text_key(texts: pl.Series) -> pl.Expr:
    """Hash each text, whatever the others are: its words of 7 bytes, each times its own salt."""
    text = pl.col(texts.name).cast(pl.String)
    digits = text.str.encode("hex")
    longest = texts.cast(pl.String).str.len_bytes().cast(pl.Int64).to_frame().max().item() or 0
    words = [
        digits.str.slice(14 * word, 14).str.to_integer(base=16, strict=False).cast(pl.UInt64)
        * _salt(_TEXT_SALTS + word)
        for word in range(math.ceil(longest / 7))
    ]
    return pl.sum_horizontal(text.str.len_bytes().cast(pl.UInt64), *words)


def _problems(problems: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """Return pid and `columns`, without nulls and one row a pid."""
    needed = ("pid", *columns)
    column_names(problems.columns, needed, argument="problems")
    _distinct("problems", problems.select("pid"))
    for column in needed:
        if problems[column].null_count():
            raise ColumnError(f"problems: column {column!r} holds nulls; drop those rows")
    return problems.select(needed)


def _distinct(name: str, keys: pl.DataFrame) -> None:
    twice = keys.filter(keys.is_duplicated()).unique(maintain_order=True)
    if twice.height:
        raise DesignError(f"{name}: more than one row for {twice.head(3).to_dicts()}")


def _options(name: str, given: Sequence[str], valid: Sequence[str]) -> None:
    for option in given:
        choice(name, option, valid)
    _each_once(name, given)


def _each_once(name: str, given: Sequence[object]) -> None:
    if not given or len(set(given)) < len(given):
        raise OptionError(f"{name}={list(given)} must name at least one, and each once")
