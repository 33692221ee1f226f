"""The prevalence audit: how much of real conversation has a compact source at all."""

from typing import Any

import polars as pl

from reclaimstats.design.columns import column_names
from reclaimstats.errors import ColumnError, DesignError
from reclaimstats.estimates import rate
from reclaimstats.options import integer
from reclaimstats.raters import agreement
from reclaimstats.studies.reclaim.frames import distinct
from reclaimstats.studies.reclaim.sessions import transcript
from reclaimstats.studies.reclaim.wording import CLOCK, worked_out
from reclaimstats.text import answer_word, numbers
from reclaimstats.unpaired import compare_unpaired

__all__ = ["LABELS", "audit", "audit_tables", "floor", "gold", "labelled"]

LABELS = ("compact", "diffuse", "none")
"""What a conversation leaves to remember."""

_RUBRIC = (
    "Sort the conversation below by what there is to remember of it. compact: there is something "
    "definite to get right, say an amount, a day, an hour or an entry in a form, and the few words "
    "that settle it were said. diffuse: there is a judgement to get right, and what speaks for it "
    "lies in many places, or outside. none: nothing in it could turn out right or wrong. End your "
    "reply with a line that starts with ANSWER: and gives compact, diffuse or none."
)
_GOLD = (
    ("compact", "4 boxes at $12 each and 3 lids at $5 each, please.", "That comes to $63."),
    ("compact", "Can I move my haircut to Thursday at 16:20?", "Done: Thursday, 16:20."),
    ("compact", "The lease began on 1 March 2019 and runs for six years.", "It ends in 2025."),
    (
        "diffuse",
        "I could stay with my team or lead a smaller one abroad. What weighs more?",
        "You spoke of your parents, of your wish to decide, and of the language. Abroad, I think.",
    ),
    ("none", "Write me two lines about a teapot that is afraid of tea.", "It trembles, it steams."),
    ("none", "You are a pirate, I am the parrot. Go!", "Arr, who ate me biscuits?"),
)
_LEAST = 10  # smaller whole numbers are mostly those of lists

_Messages = pl.List(pl.Struct({"role": pl.String, "content": pl.String}))


def gold() -> pl.DataFrame:
    """Return six conversations whose label is beyond doubt, to check a labeller with.

    Returns:
        domain ("gold"), item (Int64), messages, and label.
    """
    labels, asked, said = zip(*_GOLD, strict=True)
    roles = ("user", "assistant")
    messages = [
        [{"role": role, "content": text} for role, text in zip(roles, turns, strict=True)]
        for turns in zip(asked, said, strict=True)
    ]
    return pl.DataFrame(
        {
            "domain": ["gold"] * len(labels),
            "item": range(len(labels)),
            "messages": messages,
            "label": labels,
        },
        schema={"domain": pl.String, "item": pl.Int64, "messages": _Messages, "label": pl.String},
    )


def audit(conversations: pl.DataFrame, *, most_chars: int = 1600) -> pl.DataFrame:
    """Lay out the calls in which a model labels conversations.

    A row is a conversation, of which the label is one of `LABELS`.

    Args:
        conversations: domain, item and messages (lists of role and content), or `gold`.
        most_chars: Where a transcript is cut off.

    Returns:
        key, domain, item, messages (the calls').

    Raises:
        ColumnError: A column is missing or of the wrong type.
        DesignError: An item of a domain stands twice.
        OptionError: `most_chars` is out of range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> reclaim.audit(reclaim.gold())["key"].to_list()[:2]
        ['domain=gold item=0', 'domain=gold item=1']
    """
    integer("most_chars", most_chars, least=1, most=10**9)
    rows = _conversations(conversations)
    distinct("conversations", rows.select("domain", "item"))
    text = transcript(pl.col("messages")).str.slice(0, most_chars)
    return rows.select(
        pl.format("domain={} item={}", "domain", "item").alias("key"),
        "domain",
        "item",
        messages=pl.concat_arr(
            pl.struct(role=pl.lit("system"), content=pl.lit(_RUBRIC)),
            pl.struct(role=pl.lit("user"), content=text),
        ).arr.to_list(),
    )


def labelled(answered: pl.DataFrame) -> pl.DataFrame:
    """Read the labels out of the answered calls of `audit`.

    Args:
        answered: The calls with reply.

    Returns:
        The columns without key, messages and reply, and label, null where a reply gives none.

    Raises:
        ColumnError: A column is missing.
    """
    column_names(answered.columns, ("domain", "item", "reply"), argument="answered")
    label = answer_word("reply", options=list(LABELS)).alias("label")
    return answered.with_columns(label).drop("key", "messages", "reply", strict=False)


def floor(conversations: pl.DataFrame) -> pl.DataFrame:
    """Label without a model, and call compact only what can be shown to have its source.

    A conversation is compact if its last message states a value that stands in an earlier one: a
    clock time, or a number from 10 up or with decimals; or what the line items of the earlier
    ones come to. Everything else is none: that a source is not found says little. So the share
    is a floor of the compact share, but for values that occur twice by chance.

    Args:
        conversations: domain, item and messages.

    Returns:
        The columns without messages, and label.

    Raises:
        ColumnError: A column is missing or of the wrong type.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> reclaim.floor(reclaim.gold().drop("label"))["label"].to_list()
        ['compact', 'compact', 'none', 'none', 'none', 'none']
    """
    content = pl.element().struct.field("content")
    told = pl.col("messages").list.eval(content)
    rows = _conversations(conversations).with_columns(
        last=told.list.last(), earlier=told.list.head(told.list.len() - 1).list.join("\\n")
    )
    telling = (pl.element().abs() >= _LEAST) | (pl.element() % 1 != 0)
    known = numbers("earlier").list.eval(pl.element().filter(telling))
    derived = pl.concat_list(known, worked_out("earlier"))
    shared = numbers("last").list.set_intersection(derived).list.drop_nulls()
    times = (
        pl.col("last")
        .str.extract_all(CLOCK)
        .list.set_intersection(pl.col("earlier").str.extract_all(CLOCK))
    )
    compact = (shared.list.len() > 0) | (times.list.len() > 0)
    label = pl.when(compact.fill_null(False)).then(pl.lit("compact")).otherwise(pl.lit("none"))
    return rows.with_columns(label=label).drop("messages", "last", "earlier")


def _conversations(conversations: pl.DataFrame) -> pl.DataFrame:
    column_names(conversations.columns, ("domain", "item", "messages"), argument="conversations")
    try:
        return conversations.with_columns(pl.col("messages").cast(_Messages))
    except pl.exceptions.PolarsError as error:
        raise ColumnError(
            "conversations: messages must be lists of structs of role and content; they are "
            f"{conversations['messages'].dtype}"
        ) from error


def audit_tables(
    labels: pl.DataFrame, *, baseline: str | None = None, confidence_level: float = 0.95
) -> dict[str, pl.DataFrame]:
    """Make the audit's tables of labels.

    Args:
        labels: domain, item and label, in any case; of several labellers also labeller.
        baseline: The domain that the others are compared with; by default the first of the rows.
        confidence_level: Of the intervals.

    Returns:
        `shares`, the share of each label by domain, as `rate` gives them; `compact_against`, the
        compact share of each domain minus that of the baseline, as `compare_unpaired` gives it;
        both for each labeller; and with several `agreement`, over all and by domain: Cohen's
        coefficient of two labellers, Krippendorff's of more.

    Raises:
        ColumnError: A column is missing or of the wrong type, or a label is unknown.
        DesignError: No domain is the baseline.
        OptionError: The level is out of range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> shares = reclaim.audit_tables(reclaim.gold())["shares"]
        >>> shares.select("domain", "label", "n", "estimate").rows()
        [('gold', 'compact', 6, 0.5), ('gold', 'diffuse', 6, 0.16666666666666666), \
('gold', 'none', 6, 0.3333333333333333)]
    """
    column_names(labels.columns, ("domain", "label"), argument="labels")
    rows = labels.with_columns(pl.col("label").cast(pl.String).str.to_lowercase())
    unknown = set(rows["label"].drop_nulls()) - set(LABELS)
    if unknown:
        raise ColumnError(
            f"labels: {min(unknown)!r} is no label; use one of {list(LABELS)}, or null"
        )
    domains = rows["domain"].unique(maintain_order=True).to_list()
    first = baseline or next(iter(domains), None)
    if first not in domains:
        raise DesignError(f"baseline={first!r} is not among the domains {domains}")
    groups = ["labeller"] if "labeller" in rows.columns else []
    by = [*groups, "domain"]
    shares = [
        rate(rows, pl.col("label") == name, by=by, confidence_level=confidence_level).insert_column(
            len(by), pl.lit(name).alias("label")
        )
        for name in LABELS
    ]
    result = {"shares": pl.concat(shares).sort(by, maintain_order=True)}
    if len(domains) > 1:
        result["compact_against"] = compare_unpaired(
            rows.with_columns(compact=pl.col("label") == "compact"),
            "compact",
            contrast="domain",
            baseline=first,
            by=groups,
            confidence_level=confidence_level,
        )
    labellers = rows["labeller"].n_unique() if groups else 1
    if labellers > 1:
        column_names(rows.columns, ("item",), argument="labels")
        compared: dict[str, Any] = {
            "item": ["domain", "item"],
            "rater": "labeller",
            "coefficient": "cohen" if labellers == 2 else "krippendorff",
            "confidence_level": confidence_level,
        }
        whole = agreement(rows, "label", **compared)
        apart = agreement(rows, "label", by="domain", **compared | {"item": "item"})
        result["agreement"] = pl.concat(
            [whole.insert_column(0, pl.lit("all").alias("domain")), apart]
        )
    return result
