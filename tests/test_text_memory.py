"""Survival, containment and completeness against their twins, printed counts and real memories."""

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError
from reference import memory as twin

Text = str | None

# Words, numbers and their edges; both compositions of a letter; scripts without spaces; signs
# that print nothing.
pieces = st.sampled_from(
    [
        "Ana", "ana", "the", "of", "near", "two", "'s", "’S", "1,234", "1234", "4.50", "4", "$",
        "%", "-", " ", " ", " ", " ", ". ", ", ", "\n", "café", "cafe\u0301", "ÉCOLE", "x\u0302",
        "Straße", "STRASSE", "日本", "東京都", "カタ", "が", "か\u3099", "ที่", "นี่", "한국", "हिन्दी",
        "\u1112\u1161\u11ab", "\u0301", "Ａ４", "A4", "٣", "3", "\u00ad", "\u200d", "\u200b", "K",
        "\ufe0f\u20e3", "\u212a", "İ", "ﬁ",
    ]
)  # fmt: skip
# Python knows fewer characters than the core, and does not take circled letters for letters.
known = st.characters(exclude_categories=["Cn", "Cs", "So"])
texts = st.one_of(st.lists(pieces, max_size=14).map("".join), st.text(known, max_size=12))
sources = st.lists(texts, max_size=4)


def score(scorer: pl.Expr, **columns: Any) -> Any:
    """The one value of a scorer over one row."""
    frame = pl.DataFrame(
        {name: [value] for name, value in columns.items()},
        schema_overrides={"items": pl.List(pl.String)},
    )
    return frame.select(scorer.alias("found")).item()


def trace(survives: dict[Any, bool], value: Any, **more: Any) -> dict[str, Any]:
    return {
        "value": value if survives else None,
        **{name: part if survives else None for name, part in more.items()},
        "found": sum(survives.values()),
        "total": len(survives),
        "kept": [part for part, kept in survives.items() if kept],
        "lost": [part for part, kept in survives.items() if not kept],
    }


def share(survives: dict[Any, bool]) -> float | None:
    return sum(survives.values()) / len(survives) if survives else None


@given(texts, texts)
@settings(max_examples=400)
@example("cafe\u0301", "Café")
@example("東京", "彼は東京都に住む")
@example("x", "x\u0302 東x")
def test_containment_equals_its_twin(claim: str, memory: str) -> None:
    expected = twin.word_survival(memory, claim)
    found = score(rs.text.containment("c", "m", with_trace=True), c=claim, m=memory)
    assert found == trace(expected, share(expected))
    assert score(rs.text.containment("c", "m"), c=claim, m=memory) == share(expected)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=6))
def test_sources_that_come_again_are_read_as_at_first(pairs: list[tuple[str, str]]) -> None:
    scorers = {
        "all": rs.text.source_survival("note", "source"),
        "any": rs.text.source_survival("note", "source", test="any"),
        "prefix": rs.text.source_survival("note", "source", test="prefix", prefix_chars=3),
        "containment": rs.text.containment("source", "note"),
        "invented": rs.text.invented_numbers("note", "source"),
    }
    rows = [(note, source) for note, _ in pairs for _, source in pairs]
    frame = pl.DataFrame(rows * 2, schema=["note", "source"], orient="row").select(**scorers)
    alone = [
        pl.DataFrame([row], schema=["note", "source"], orient="row").select(**scorers)
        for row in rows
    ]
    assert frame.equals(pl.concat(alone * 2))


@given(texts, texts, sources)
@settings(max_examples=400)
def test_survival_equals_its_twin(note: str, text: str, items: list[str]) -> None:
    for source in ("text", "items"):
        columns = {"note": note, "text": text, "items": items}
        expected = (
            twin.word_survival(note, text) if source == "text" else twin.item_survival(note, items)
        )
        values = {
            "all": all(expected.values()),
            "any": any(expected.values()),
            "fraction": share(expected),
        }
        for test, value in values.items():
            traced = rs.text.source_survival("note", source, test=test, with_trace=True)
            assert score(traced, **columns) == trace(expected, value, test=test)
            plain = rs.text.source_survival("note", source, test=test)
            assert score(plain, **columns) == (value if expected else None)


@given(texts, sources)
def test_completeness_equals_its_twin(note: str, items: list[str]) -> None:
    expected = twin.item_survival(note, items)
    found = score(rs.text.completeness("note", "items"), note=note, items=items)
    kept = sum(expected.values())
    assert found == {"kept": kept, "total": len(expected), "fraction": share(expected)}


@given(texts, texts, st.integers(1, 12))
@settings(max_examples=300)
def test_prefix_equals_its_twin(note: str, source: str, chars: int) -> None:
    expected = twin.prefix_survival(note, source, chars)
    scorer = rs.text.source_survival
    traced = scorer("note", "source", test="prefix", prefix_chars=chars, with_trace=True)
    value = all(expected.values())
    assert score(traced, note=note, source=source) == trace(expected, value, test="prefix")
    plain = scorer("note", "source", test="prefix", prefix_chars=chars)
    assert score(plain, note=note, source=source) == (value if expected else None)


amounts = st.lists(
    st.sampled_from(["5", "1,234", "1234", "$4.50", "4.5", "-5", "0", "-0", "3rd", "x", "7 %"]),
    max_size=6,
).map("; ".join)


@given(amounts, st.lists(amounts, max_size=3))
def test_numbers_equal_their_twin(note: str, items: list[str]) -> None:
    values = [value for item in items for value in twin.numbers(item)]
    expected = twin.number_survival(note, values)
    scorer = rs.text.source_survival("note", "source", test="numbers", with_trace=True)
    for source in (items, values, ". ".join(items)):
        dtype = {"source": pl.List(pl.Float64 if source is values else pl.String)}
        if isinstance(source, str):
            dtype = {}
        row = pl.DataFrame({"note": [note], "source": [source]}, schema_overrides=dtype)
        found = row.select(scorer).item()
        spelled = {str(value).removesuffix(".0"): kept for value, kept in expected.items()}
        assert found == trace(spelled, all(expected.values()), test="numbers")


def test_right_values() -> None:
    items = ["7 notebooks", "$4", "9 pens", "$2", "$2", "…"]
    found = score(
        rs.text.source_survival("note", "items", test="fraction", with_trace=True),
        note="Bought 7 Notebooks at $40 and 9 pens, $2 each",
        items=items,
    )
    assert found == {
        "value": 0.75, "test": "fraction", "found": 3, "total": 4,
        "kept": ["7 notebooks", "9 pens", "$2"], "lost": ["$4"],
    }  # fmt: skip
    counted = score(rs.text.completeness("note", "items"), note="9 pens, 7 notebooks", items=items)
    assert counted == {"kept": 2, "total": 4, "fraction": 0.5}
    numbers = rs.text.source_survival("note", "source", test="numbers")
    assert score(numbers, note="1234 pens at $4.5", source="pens, 1,234, at 4.50") is True
    assert score(numbers, note="1234 pens", source="1,234 at 4.50") is False
    assert score(numbers, note="1234 pens", source="pens") is None


def test_what_looks_the_same_is_the_same() -> None:
    held = rs.text.containment("c", "m")
    assert score(held, c="re\u0301sume\u0301 Ａ４ ４６", m="Résumé: a4, 46") == 1
    assert score(held, c="résumé", m="re\u0301sume\u0301") == 1
    assert score(held, c="co\u00adoperate", m="Cooperate!") == 1
    assert score(held, c="resume", m="re\u0301sume\u0301") == 0
    prefix = rs.text.source_survival("m", "c", test="prefix", prefix_chars=4)
    assert score(prefix, c="café au lait", m="a Cafe\u0301") is True
    assert score(prefix, c="ΜΕΣΣΗΝΙΑ", m="ΜΕΣΣΗΝΙΑ, ΜΕΣΣΗΝΗΣ") is True


def test_scripts_without_spaces() -> None:
    survives = rs.text.source_survival("note", "items", test="fraction")
    assert (
        score(survives, note="私は東京都に住んでいます", items=["東京都", "京東", "住んで"])
        == 2 / 3
    )
    held = rs.text.containment("c", "m")
    assert score(held, c="会議は月曜日", m="月曜の会議") == 4 / 6
    assert score(held, c="ราคา 46 บาท", m="46 บาท") == 4 / 6
    assert score(survives, note="3個で1,234円です", items=["1234円", "3個", "4円"]) == 2 / 3


def test_nulls_and_types() -> None:
    frame = pl.DataFrame(
        {
            "note": ["a 5", None, "a"],
            "items": [["a", None], ["a"], None],
            "values": [[5], [5], [6]],
        },
        schema_overrides={"values": pl.List(pl.Int64)},
    )
    counted = frame.lazy().select(rs.text.completeness("note", "items").alias("k"))
    assert counted.collect_schema() == counted.collect().schema
    assert counted.collect(engine="streaming")["k"].to_list() == [
        {"kept": 1, "total": 1, "fraction": 1.0},
        {"kept": None, "total": None, "fraction": None},
        {"kept": None, "total": None, "fraction": None},
    ]
    numbers = rs.text.source_survival("note", "values", test="numbers")
    assert frame.select(numbers).to_series().to_list() == [True, None, False]
    with pytest.raises((ColumnError, pl.exceptions.ComputeError), match="lists of text"):
        frame.select(rs.text.completeness("note", "values"))
    with pytest.raises((ColumnError, pl.exceptions.ComputeError), match="lists of text"):
        frame.select(rs.text.source_survival("note", "values"))
    with pytest.raises((ColumnError, pl.exceptions.ComputeError), match="must be text"):
        frame.select(rs.text.completeness("values", "items"))


GOLDEN = [(3, 8), (1, 5), (5, 6), (1, 4), (1, 4), (2, 5), (4, 6)]


def overlaps(pairs: list[tuple[str, str]]) -> list[tuple[int, int]]:
    frame = pl.DataFrame(pairs, schema=["claim", "memory"], orient="row")
    traced = frame.select(rs.text.containment("claim", "memory", with_trace=True))
    return traced.unnest("claim").select("found", "total").rows()


def test_containment_counts_of_the_paper(reference: Path) -> None:
    """Claims, memories and counts are all taken from the paper's own appendix."""
    papers = list(reference.glob("papers/002_*.txt"))
    if not papers:
        pytest.skip("no papers beside the reference data")
    text = re.sub(r"\\(.)", r"\1", papers[0].read_text())
    appendix = text[text.index("## Appendix C") :]
    items = re.findall(
        r"Claim \w+\n(.+?)(?:field|paren)arm,.*?overlap: (\d+)/(\d+) [^\n]*\n\n"
        r"(.+?)(?=Claim \w+\n|\n## )",
        appendix,
        re.DOTALL,
    )
    assert [(int(found), int(total)) for _, found, total, _ in items] == GOLDEN
    assert overlaps([(claim, memory) for claim, _, _, memory in items]) == GOLDEN


def test_containment_counts_in_other_words() -> None:
    pairs = [
        (
            "The guest's room rate has been sitting near 150 under 95",
            "- Visitor rate ~150/95 (daily)",
        ),
        ("The budget planning round closes on the 9th", "Roadmap: rounds. Budgets: 9th."),
        (
            "Two junior posts were granted for next spring",
            "Junior posts granted next spring (tbc).",
        ),
        ("The office is around ninety desks", "~90 desks."),
        ("Roughly 500 guests came", "~500 visitors"),
        ("The landlord is planning a review of the 2031 leases", "2031 review rumoured."),
        ("Two junior posts were granted for next spring", "Two junior posts granted S1."),
    ]
    assert overlaps(pairs) == GOLDEN


@pytest.fixture(scope="module")
def memories(reference: Path) -> pl.DataFrame:
    """Real memories with the source that each was written from, one a seed, problem and system."""
    folder = reference / "data/reclaim-eval"
    problems = pl.read_ndjson(folder / "problems.jsonl").select("task", "pid", "source")
    parts = []
    for task in ("arith", "logic"):
        name = f"realworld_meta-llama_llama-3.1-8b-instruct_{task}_t0.7.jsonl"
        rows = [json.loads(line) for line in (folder / name).read_text().splitlines()]
        columns = ["seed", "pid", "variant", "memory_text"]
        part = pl.DataFrame([{key: row[key] for key in columns} for row in rows])
        part = part.unique(["seed", "pid", "variant"], keep="first", maintain_order=True)
        parts.append(part.with_columns(task=pl.lit(task)))
    return pl.concat(parts).join(problems, on=["task", "pid"])


def test_survival_in_real_memories(memories: pl.DataFrame) -> None:
    """What survives depends on the test, so that a result has to name its own."""
    arith = memories.filter(task="arith")
    tests = {
        test: rs.text.source_survival("memory_text", "source", test=test)
        for test in ("prefix", "numbers", "all")
    }
    counts = arith.group_by("variant").agg(
        pl.len(), *(scorer.sum().alias(test) for test, scorer in tests.items())
    )
    assert counts.sort("variant").rows() == [
        ("langchain_summary", 96, 14, 44, 5),
        ("lossy@0.1", 96, 0, 0, 0),
        ("mem0", 96, 3, 22, 7),
        ("source_first@0.1", 96, 96, 96, 96),
        ("source_first_auto", 96, 7, 85, 11),
        ("vector_rag", 96, 0, 0, 0),
    ]
    lowered = pl.col("memory_text").str.to_lowercase()
    prefix = pl.col("source").str.head(18).str.to_lowercase()
    found = memories.select(ours=tests["prefix"], plain=lowered.str.contains(prefix, literal=True))
    assert found["ours"].equals(found["plain"])


def test_words_of_real_memories_equal_their_twin(memories: pl.DataFrame) -> None:
    rows = memories.unique("memory_text", maintain_order=True)
    traced = rs.text.containment("source", "memory_text", with_trace=True)
    for found, source, note in rows.select(
        traced.alias("found"), "source", "memory_text"
    ).iter_rows():
        expected = twin.word_survival(note, source)
        assert found == trace(expected, share(expected))
