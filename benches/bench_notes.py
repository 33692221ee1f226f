"""Scorers of notes and memories against tuned Polars and Python sets.

As in bench_text.py: on rows that are written as a peer expects, all give the same answer.
"""

import re
import string
from collections import Counter

import polars as pl

import reclaimstats as rs
from conftest import EDGE, FLOOR, Peer, TextRace, polars
from corpus import memories, replies

REPLY, SOURCE, MEMORY = pl.col("reply"), pl.col("source"), pl.col("memory")
DIGITS = r"[0-9]+(?:\.[0-9]+)?"
LOOP = 20_000
# Peers that are slow, and ask for much memory.
SLOW = 50_000
FUNCTION_WORDS = re.findall(
    r"\w+",
    """
    a an the this that these those i you he she it we they me him her us them my your his its our
    their who whom whose which what there am is are was were be been being has have had having do
    does did will would shall should can could may might must and or but if then than so as while
    when of to in on at by for from with into onto upon via
    """,
)


def simple_words(column: pl.Expr) -> pl.Expr:
    """Rows whose words a plain pattern takes apart: ASCII, no possessive, no separator."""
    return ~column.str.contains(r"[^\x00-\x7f]|'s|[0-9],[0-9]{3}")


def simple_numbers(column: pl.Expr) -> pl.Expr:
    """Rows whose numbers are runs of digits between blanks or behind a dollar sign."""
    run = rf"(?:^|[\s$(])\$?{DIGITS}(?:[.,;:?!)]*(?:\s|$))"
    # Whatever has more digits than such runs is dressed in some way.
    return ~column.str.replace_all(run, " ").str.replace_all(run, " ").str.contains("[0-9]")


def words(column: pl.Expr) -> pl.Expr:
    return column.str.to_lowercase().str.extract_all(r"[a-z0-9]+(?:\.[0-9]+)?")


def content(column: pl.Expr) -> pl.Expr:
    function_words = pl.lit(FUNCTION_WORDS, dtype=pl.List(pl.String))
    return words(column).list.unique().list.set_difference(function_words)


def share(claim: pl.Expr, note: pl.Expr) -> pl.Expr:
    wanted = content(claim)
    return wanted.list.set_intersection(words(note)).list.len() / wanted.list.len()


def word_sets(frame: pl.DataFrame) -> list[tuple[str, str]]:
    return list(frame.select("source", "reply").iter_rows())


def python_shares(rows: list[tuple[str, str]]) -> list[float]:
    pattern, function_words = re.compile(r"[a-z0-9]+(?:\.[0-9]+)?"), set(FUNCTION_WORDS)
    shares = []
    for claim, note in rows:
        wanted = set(pattern.findall(claim.lower())) - function_words
        shares.append(len(wanted & set(pattern.findall(note.lower()))) / len(wanted))
    return shares


WORD_ROWS = simple_words(REPLY) & simple_words(SOURCE)


def test_source_prefix(text_race: TextRace) -> None:
    lowered, prefix = REPLY.str.to_lowercase(), SOURCE.str.head(18).str.to_lowercase()
    ratio = text_race(
        rs.text.source_survival("reply", "source", test="prefix"),
        replies(),
        polars(lowered.str.contains(prefix, literal=True)),
        name="source_survival, prefix",
    )
    assert ratio >= FLOOR * 2.5


def test_all_tokens(text_race: TextRace) -> None:
    ratio = text_race(
        rs.text.source_survival("reply", "source"),
        replies(),
        slow(polars(share(SOURCE, REPLY) == 1)),
        name="source_survival, all tokens",
        plain=WORD_ROWS,
    )
    assert ratio >= FLOOR * 60


def test_containment(text_race: TextRace) -> None:
    ratio = text_race(
        rs.text.containment("source", "reply"),
        replies(),
        [
            *slow(polars(share(SOURCE, REPLY))),
            Peer("Python sets", python_shares, word_sets, rows=LOOP),
        ],
        name="containment",
        plain=WORD_ROWS,
    )
    assert ratio >= FLOOR * 30


def test_numbers(text_race: TextRace) -> None:
    found = REPLY.str.extract_all(DIGITS).list.eval(pl.element().cast(pl.Float64))
    ratio = text_race(
        rs.text.numbers("reply"),
        replies().select("reply"),
        polars(found),
        name="numbers",
        plain=simple_numbers(REPLY),
    )
    assert ratio >= FLOOR * 2


def test_invented_numbers(text_race: TextRace) -> None:
    invented = MEMORY.str.extract_all(DIGITS).list.set_difference(SOURCE.str.extract_all(DIGITS))
    ratio = text_race(
        rs.text.invented_numbers("memory", "source").struct.field("count"),
        memories(),
        polars(invented.list.len().cast(pl.UInt64)),
        name="invented_numbers",
        plain=simple_numbers(MEMORY) & simple_numbers(SOURCE),
    )
    assert ratio >= FLOOR * 2.2


def test_recurring_value(text_race: TextRace) -> None:
    def counted(frame: pl.DataFrame) -> pl.Series:
        """Counts all numbers of all rows at once, and joins the winners back."""
        most = pl.col("len") == pl.col("len").max()
        single = (pl.col("found").list.len() == 1) & (pl.col("len") >= 2)
        texts = frame.lazy().with_row_index("row")
        often = (
            texts.select("row", found=REPLY.str.extract_all(DIGITS))
            .explode("found", empty_as_null=False)
            .group_by("row", pl.col("found").cast(pl.Float64))
            .len()
            .group_by("row")
            .agg(pl.col("found").filter(most), pl.col("len").max())
            .select("row", pl.when(single).then(pl.col("found").list.first()))
        )
        joined = texts.select("row").join(often, on="row", how="left", maintain_order="left")
        return joined.select("found").collect(engine="streaming").to_series()

    ratio = text_race(
        rs.text.recurring_value("reply"),
        replies().select("reply"),
        [Peer("Polars, group_by", counted)],
        name="recurring_value",
        plain=simple_numbers(REPLY),
    )
    assert ratio >= FLOOR * 5


PHRASES = [
    "unconfirmed", "reportedly", "allegedly", "according to", "rumor", "i think", "not sure",
    "might be", "hearsay", "unverified", "supposedly",
]  # fmt: skip
MONTH = "(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october"
DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
DATES = (
    rf"\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}/\d{{1,2}}/\d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th)? (?:{MONTH})|"
    rf"(?:{MONTH}) \d{{1,4}}|(?:in|since|by|until|as of) (?:19|20)\d\d|yesterday|"
    rf"last (?:week|month|year|{DAY})|\d+ (?:days|weeks|months|years) ago"
)


def one_of(terms: list[str]) -> str:
    return rf"(?i){EDGE}(?:{'|'.join(re.escape(term) for term in terms)}){EDGE}"


def test_phrases(text_race: TextRace) -> None:
    ratio = text_race(
        rs.text.cues("reply", lexicon={"cue": PHRASES}, dates=False).struct.field("cue"),
        replies().select("reply"),
        [
            *polars(REPLY.str.contains(one_of(PHRASES))),
            # Without word boundaries, which change nothing on these replies.
            *polars(REPLY.str.contains_any(PHRASES, ascii_case_insensitive=True), "Polars, any"),
        ],
        name="cues, 11 phrases",
    )
    assert ratio >= FLOOR * 1.8


def test_lexicon_with_dates(text_race: TextRace) -> None:
    hedges, attributions = list(rs.text.HEDGES[:28]), list(rs.text.ATTRIBUTIONS[:20])
    hedge, attribution = (REPLY.str.contains(one_of(terms)) for terms in (hedges, attributions))
    dated = REPLY.str.contains(rf"(?i){EDGE}(?:{DATES}){EDGE}")
    found = pl.struct(hedge.alias("hedge"), attribution.alias("attribution"), dated.alias("date"))
    ratio = text_race(
        rs.text.cues("reply", lexicon={"hedge": hedges, "attribution": attributions}),
        replies().select("reply"),
        polars(found),
        name="cues, 48 terms and dates",
        # Dates in forms that the plain pattern does not know.
        plain=~REPLY.str.contains(rf"(?i){MONTH}|{DAY}|\d[-/.]\d|ago|last|this|next|as of|q[1-4]"),
    )
    assert ratio >= FLOOR * 1.5


def test_exact_match(text_race: TextRace) -> None:
    """Against the normalisation that SQuAD's script made usual."""

    def normal(column: pl.Expr) -> pl.Expr:
        bare = column.str.to_lowercase().str.replace_all(r"[!-/:-@\[-`{-~]", "")
        return (
            bare.str.replace_all(rf"{EDGE}(?:a|an|the){EDGE}", " ")
            .str.replace_all(r"\s+", " ")
            .str.strip_chars()
        )

    ratio = text_race(
        rs.text.exact_match(
            pred=SOURCE,
            gold=REPLY.str.slice(0, 60),
            normalise=["case", "punctuation", "articles", "space"],
        ),
        replies(),
        polars(normal(SOURCE) == normal(REPLY.str.slice(0, 60))),
        name="exact_match",
    )
    assert ratio >= FLOOR * 4


def squad_f1(rows: list[tuple[str, str]]) -> list[float]:
    marks = str.maketrans("", "", string.punctuation)
    articles = re.compile(r"\b(?:a|an|the)\b")

    def split(text: str) -> list[str]:
        return articles.sub(" ", text.lower().translate(marks)).split()

    shares = []
    for pred, gold in rows:
        one, other = split(pred), split(gold)
        shared = (Counter(one) & Counter(other)).total()
        shares.append(2 * shared / (len(one) + len(other)) if shared else 0.0)
    return shares


def test_token_f1(text_race: TextRace) -> None:
    """Against SQuAD's script, on a source and the beginning of a reply."""
    head = REPLY.str.slice(0, 60)
    pairs = [Peer("SQuAD's script", squad_f1, lambda frame: list(frame.iter_rows()), rows=LOOP)]
    # Signs, decimals and currencies, which the script deletes; marks between two words.
    dressed = r"[^a-zA-Z0-9 ,.;:!?\n]|[0-9][,.:]|\.[0-9]|[a-zA-Z][,.;:!?][a-zA-Z]|[a-z]\n"
    articles = r"(?i)\b(?:a|an|the)[,.;:!?]|\b(?:a|an|the)\s*$"
    ratio = text_race(
        rs.text.token_f1(
            pred="source", gold="reply", normalise=["case", "punctuation", "articles", "space"]
        ),
        replies().select(SOURCE, head),
        pairs,
        name="token_f1",
        plain=~pl.any_horizontal(pl.col("source", "reply").str.contains(f"{dressed}|{articles}")),
    )
    assert ratio >= FLOOR * 8


def slow(peers: list[Peer]) -> list[Peer]:
    return [Peer(peer.name, peer.run, peer.given, rows=SLOW) for peer in peers]
