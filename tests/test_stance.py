"""Cues, records and regimes against their twins, printed examples and every kind of column."""

import json
import re
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError
from reference import stance as twin


def column(values: Any, dtype: Any = pl.String) -> pl.Series:
    return pl.Series("text", values, dtype=dtype)


def cues(texts: list[str | None], **options: Any) -> list[dict[str, Any]]:
    scorer = rs.text.cues("text", with_trace=True, **options)
    return column(texts).to_frame().select(scorer).to_series().to_list()


def spans(text: str, kind: str = "date", **options: Any) -> list[str]:
    (row,) = cues([text], **options)
    for cue in row["found"]:
        assert text[cue["start"] : cue["end"]] == cue["span"]
    return [cue["span"] for cue in row["found"] if cue["kind"] == kind]


# ── Cues ─────────────────────────────────────────────────────────────────────────────────────

LEXICON = {
    "hedge": ["may", "may be", "might", "might well be", "not sure", "don't know", "~", "é", "x"],
    "attribution": ["said", "said to be", "per the", "(per", "Ana's", "might be told"],
}
WORDS = [
    "may", "MAY", "maybe", "be", "might", "well", "not", "sure", "don't", "don’t", "know", "~", "é",
    "É", "x", "said", "to", "per", "the", "(per", "Ana's", "told", "Ana", "1", "_", "unsaid",
    "日本",
    " ", " ", " ", " ", "\n", "\u00a0", "  ", ".", ",", "(", "-", "'",
]  # fmt: skip


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=30).map("".join), max_size=6))
@settings(max_examples=500)
def test_cues_equal_their_twin(texts: list[str]) -> None:
    lexicon: Any = LEXICON
    rows = cues([*texts], lexicon=lexicon, dates=False)
    flags = column(texts).to_frame().select(rs.text.cues("text", lexicon=lexicon, dates=False))
    for text, row, flag in zip(texts, rows, flags.to_series(), strict=True):
        expected = twin.cues(text, LEXICON)
        found = [tuple(cue.values()) for cue in row["found"]]
        assert found == expected
        kinds = {cue[0] for cue in expected}
        assert flag == {kind: kind in kinds for kind in LEXICON}
        assert {kind: row[kind] for kind in LEXICON} == flag


MONTH = "January February March April May June July August September October November December"
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"


@st.composite
def dates(draw: st.DrawFn) -> str:
    year = draw(st.integers(1900, 2099))
    month = draw(st.integers(1, 12))
    day = draw(st.integers(1, 28))
    name = MONTH.split()[month - 1]
    name = draw(st.sampled_from([name, name[:3]]))
    ordinal = f"{day}{'th' if 10 < day < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"
    weekday = draw(st.sampled_from(DAYS.split()))
    return draw(
        st.sampled_from(
            [
                f"{year}-{month:02}-{day:02}", f"{year}/{month}/{day}", f"{year}-{month:02}",
                f"{day}/{month}/{year}", f"{day:02}.{month:02}.{year}", f"{day} {name} {year}",
                f"{ordinal} of {name}", f"{name} {day}, {year}", f"{name} {ordinal}",
                f"{name} {year}", f"{name}. {day}",
                f"in {year}", f"As of {year}", f"since {year}", f"end of {year}",
                f"in the {year // 10}0s",
                f"Q{(month + 2) // 3} {year}", f"last {weekday}", f"on {weekday}",
    f"{day} days ago",
                f"by the {ordinal}", "yesterday", "LAST WEEK", "as of",
            ]
        )
    )  # fmt: skip


beside = st.sampled_from(["", "It moved ", "(", "Note: ", "é ", "\n", "7 pens; ", "x, "])
behind = st.sampled_from(["", ".", " it moved", ")", ": so", "\nand", "; 7 pens", " – é"])


@given(beside, dates(), behind)
@settings(max_examples=500)
def test_dates_are_found_in_any_dress(before: str, date: str, after: str) -> None:
    assert spans(before + date + after) == [date]


DATED = """
    May may March march Mar sept JULY Oct december of the in since as end On last next Monday friday
    Q3 q1 2024 1999 2150 1500 3 3rd 21st 31 32 12 05 1990s days week ago two yesterday today as yet
    this year day before by mid pens 2024-05-03 2024-05 3/5/24 13.05.2024 3-5-2024 2024/5/3 1/2 $ é
    日
""".split()  # noqa: SIM905
DATED += ["last week", "as of", "the day before", "end of"]
JOINS = [" ", " ", " ", " ", ", ", ". ", ".", "-", "–", "/", ":", "(", ")", "\n", "  ", "    ", ""]


@given(st.lists(st.tuples(st.sampled_from(DATED), st.sampled_from(JOINS)), max_size=9))
@settings(max_examples=2000)
def test_dates_equal_their_twin(parts: list[tuple[str, str]]) -> None:
    text = "".join(word + gap for word, gap in parts)
    assert spans(text, lexicon={}) == [text[slice(*span)] for span in twin.dates(text)], text


NO_DATES = [
    "It may slip", "we march on", "the 2024 units", "Tuesdays at 9:45am", "the 3rd place", "1/2",
    "v1.2.3", "$2019", "in $2019", "13/14/2024", "2024-13-01", "in 1500", "5 of 2000 items",
    "long ago", "This may be", "12:45", "may 3 people come", "Tuesday standup", "Q3 review",
    "5 may", "May I ask", "10-15 pens", "room 2024", "March!", "in 2019.5", "1,2024", "COVID-19",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_DATES)
def test_what_is_no_date(text: str) -> None:
    assert spans(text) == []


def test_months_are_no_hedges_in_dates() -> None:
    for text in ["Signed in May 2024", "on 3 May", "since May"]:
        assert spans(text, "hedge") == []
        assert spans(text, "hedge", dates=False) == []
    assert spans("It may be May 2024", "hedge") == ["may"]


def test_a_lexicon_of_ones_own() -> None:
    lexicon: dict[str, Any] = {"zweifel": ["möglicherweise", "wohl"], "date": ["neulich"]}
    (row,) = cues(["MÖGLICHERWEISE neulich, am 03.05.2024"], lexicon=lexicon)
    assert (row["zweifel"], row["date"]) == (True, True)
    assert [(cue["kind"], cue["cue"]) for cue in row["found"]] == [
        ("zweifel", "möglicherweise"), ("date", "neulich"), ("date", None),
    ]  # fmt: skip
    assert cues([None], lexicon=lexicon) == [dict.fromkeys(["zweifel", "date", "found"])]
    extended = {**rs.text.LEXICON, "hedge": [*rs.text.HEDGES, "perchance"]}
    assert spans("Perchance it is", "hedge", lexicon=extended) == ["Perchance"]


def test_built_in_lexicons_are_sound() -> None:
    for cues_ in (rs.text.HEDGES, rs.text.ATTRIBUTIONS, rs.text.INCOMPLETE):
        assert len(set(cues_)) == len(cues_)
        assert all(cue == " ".join(cue.lower().split()) for cue in cues_)
        for cue in cues_:
            (row,) = cues([f"x {cue} x"], lexicon={"kind": cues_}, dates=False)
            assert [found["cue"] for found in row["found"]] == [cue]


# Where the paper prints an expression of doubt, or names who said something.
DOUBTS = [
    r"reportedly", r"\(unconfirmed\)", r"pending c\w+", r"per informal r\w+", r"rumor, u\w+",
    r"reported, not c\w+ \w+ \w+", r"conflicting f\w+", r"contested", r"may h\w+", r"\(pending\)",
    r"unconfirmed r\w+ from \w+ \w+", r"home r\w+, u\w+", r"recall r\w+",
]  # fmt: skip
SPEAKERS = [
    r"per a third p\w+", r"support said \d+", r"sales said \w+", r"a third p\w+", r"came from \w",
    r"the patient’s adult s\w+", r"per informal r\w+", r"from third p\w+",
]  # fmt: skip


def test_recall_on_the_examples_that_the_paper_prints(reference: Path) -> None:
    paths = list((reference / "papers").glob("002_*.txt"))
    if not paths:
        pytest.skip("no paper in the reference material")
    paper = paths[0].read_text().replace("\\", "")

    def found(kind: str, patterns: list[str]) -> int:
        matches = [re.search(pattern, paper) for pattern in patterns]
        return sum(row[kind] for row in cues([match[0] for match in matches if match]))

    # The figures of the documentation.
    assert (found("hedge", DOUBTS), len(DOUBTS)) == (11, 13)
    assert (found("attribution", SPEAKERS), len(SPEAKERS)) == (6, 8)
    claims = re.findall(r"Claim [a-z_0-9]+\n(.*?)(?:field|paren)arm", paper)
    stances = cues(claims)
    assert len(claims) == 7
    assert not any(row["hedge"] or row["attribution"] for row in stances)


# ── Records ──────────────────────────────────────────────────────────────────────────────────

LABELS = ["CLAIM:", "SOURCE:", "CERTAINTY:", "AS_OF:", "claim:", "Sources:", "As of:", "**CLAIM:**",
          "- SOURCE:", "`CERTAINTY`:", "> AS-OF:", "## Claim:", "Source：",
    '"Certainty":']  # fmt: skip
VALUES = ["x", "Ana said", "", " ", "-", "none", "unknown.", "<what is asserted>", "rumor",
          "asserted", "**bold**", '"quoted"', "a, b", "3 May", "- item", "* other", "```", "é /",
          "resource: y", "a; b;", "N/A"]  # fmt: skip


@given(
    st.lists(
        st.tuples(st.sampled_from(LABELS) | st.just(""), st.sampled_from(VALUES)), max_size=12
    ),
    st.sampled_from(["\n", "\r\n"]),
)
@settings(max_examples=500)
def test_records_equal_their_twin(lines: list[tuple[str, str]], end: str) -> None:
    text = end.join(f"{label} {value}" if label else value for label, value in lines)
    found = column([text]).to_frame().select(rs.score.read_record("text")).item()
    assert found == twin.record(text)


TEXTS = ["x", "Ana said", "", " ", "-", "none", "Unknown", "<what is asserted>", "rumor", "N/A",
         "asserted", "**bold**", "a, b", "3 May", 'say "no" to it', "in two\nlines", "é", "a: b",
         "Oslo / Rome", "it's", "C:\\x", "not stated", "[a]", "{a}", "50 %"]  # fmt: skip
NAMED = ["claim", "source", "certainty", "as_of"]
KEYS = st.permutations(NAMED) | st.lists(st.sampled_from(NAMED), unique=True, min_size=1)


@given(
    KEYS,
    st.data(),
    st.sampled_from([str, str.upper, str.title]),
    st.sampled_from([None, 2]),
    st.sampled_from(["{}", "Here:\n```json\n{}\n```", "So {} it is."]),
)
@settings(max_examples=500)
def test_records_of_json_equal_their_twin(
    keys: list[str], data: st.DataObject, case: Any, indent: int | None, around: str
) -> None:
    text = st.sampled_from(TEXTS)
    held: dict[str, Any] = {case(key): data.draw(text | st.none()) for key in keys}
    for key in held:
        if key.lower() == "source" and data.draw(st.booleans()):
            held[key] = data.draw(st.lists(text, min_size=1, max_size=3))
        elif data.draw(st.integers(0, 4)) == 0:
            held[key] = data.draw(st.lists(text, min_size=1, max_size=2))
    written = json.dumps(held, indent=indent, ensure_ascii=data.draw(st.booleans()))
    reply = around.replace("{}", written)
    found = column([reply]).to_frame().select(rs.score.read_record("text")).item()
    assert found == twin.record_of_json(written), reply


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["CLAIM", "Source", "certainty", "AS_OF", "**Claim**", "As of"]),
            st.sampled_from([value for value in TEXTS if "\n" not in value]),
        ),
        max_size=6,
    ),
    st.sampled_from(["", "| Field | Value |\n|---|---|\n", "|---|---|\n"]),
)
@settings(max_examples=400)
def test_records_of_tables_equal_their_twin(rows: list[tuple[str, str]], head: str) -> None:
    text = head + "\n".join(f"| {label} | {value} |" for label, value in rows)
    found = column([text]).to_frame().select(rs.score.read_record("text")).item()
    assert found == twin.record_of_table(text), text


FIELDS = {"claim": "The gate is open", "source": ["Ana"], "certainty": "rumor", "as_of": "3 May"}
RECORDS = [
    "CLAIM: The gate is open\nSOURCE: Ana\nCERTAINTY: rumor\nAS_OF: 3 May",
    "Sure!\n\n```\nclaim: The gate\n  is open\nsource: Ana\ncertainty: rumor\nas_of: 3 May\n```\n",
    "CLAIM: The gate is open / SOURCE: Ana / CERTAINTY: rumor / AS_OF: 3 May",
    '{"claim": "The gate is open", "source": ["Ana"], "certainty": "rumor", "as_of": "3 May"}',
    (
        '```json\n{\n "claim": "The gate is open",\n "source": [\n  "Ana"\n ],\n'
        ' "certainty": "rumor",\n "as_of": "3 May"\n}\n```'
    ),
    (
        "| CLAIM | The gate is open |\n|---|---|\n| SOURCE | Ana |\n| CERTAINTY | rumor |\n"
        "| AS_OF | 3 May |"
    ),
    "**CLAIM:** The gate is open  \n**SOURCE:** Ana  \n**CERTAINTY:** *rumor*  \n**AS OF:** 3 May",
]


@pytest.mark.parametrize("text", RECORDS)
def test_records_in_their_dresses(text: str) -> None:
    found = column([text]).to_frame().select(rs.score.read_record("text")).item()
    assert found == {**FIELDS, "status": "read"}


def check(record: str, source: str, **options: Any) -> list[str]:
    rows = pl.DataFrame({"record": [record], "source": [source]})
    flags = rows.select(rs.score.check_record("record", "source", **options)).item()
    return [name for name, flag in flags.items() if flag]


def test_checks() -> None:
    full = "CLAIM: x\nSOURCE: {}\nCERTAINTY: {}\nAS_OF: {}"
    source = "Ana said yesterday that it may be open."
    assert check(full.format("Ana", "hedged", "yesterday"), source) == []
    assert check(full.format("", "asserted", ""), source) == [
        "overclaimed", "unattributed", "undated",
    ]  # fmt: skip
    assert check(full.format("", "asserted", ""), "It is open.") == []
    assert check("It is open.", "It is open.") == ["malformed"]
    assert check("CLAIM: x\nSOURCE: Ana\nCERTAINTY: rumor", "It is open.") == ["malformed"]
    two = "CLAIM: x\nSOURCE: sales\nSOURCE: the plan\nCERTAINTY: contested\nAS_OF: now"
    assert check(two, source) == []
    own = {"attribution": ["quoth"], "hedge": ["perchance"]}
    assert check(full.format("", "asserted", ""), "Perchance, quoth Ana", lexicon=own) == [
        "overclaimed", "unattributed",
    ]  # fmt: skip
    with pytest.raises(OptionError, match="needs 'hedge' and 'attribution'"):
        rs.score.check_record("record", "source", lexicon={"hedge": ["may"]})


# ── Regimes ──────────────────────────────────────────────────────────────────────────────────

NOTES = ["7 pens", "$2", "total", "$55", "-55", "55.0", "9 pens", "at", "incomplete", "and", ";",
         "not complete", "27"]  # fmt: skip


@given(
    st.lists(st.sampled_from(NOTES), max_size=6).map(" ".join),
    st.lists(st.sampled_from(["7 pens", "$2", "9 pens", "$", "27"]), max_size=3),
    st.sampled_from([55.0, -55.0, 27.0, 3.0, float("nan")]),
)
@settings(max_examples=400)
def test_regimes_equal_their_twin(note: str, items: list[str], conclusion: float) -> None:
    rows = pl.DataFrame(
        {"note": [note], "items": [items], "conclusion": [conclusion]},
        schema={"note": pl.String, "items": pl.List(pl.String), "conclusion": pl.Float64},
    )
    found = rows.select(rs.score.memory_regime("note", "items", "conclusion")).item()
    assert found == twin.regime(note, items, conclusion, list(rs.text.INCOMPLETE))


def regime(note: str, source: Any, conclusion: Any, **options: Any) -> Any:
    rows = pl.DataFrame({"note": [note], "source": [source], "conclusion": [conclusion]})
    return rows.select(rs.score.memory_regime("note", "source", "conclusion", **options)).item()


def test_regimes() -> None:
    source = "7 pens at $2"
    assert regime("7 pens at $2", source, 14) == "correctable"
    assert regime("The total is $14.00", source, 14) == "uncorrectable_silent"
    assert regime("Bought something", source, 14) == "uncorrectable_loud"
    assert regime("", source, 14) == "uncorrectable_loud"
    assert regime("$14 (source not kept)", source, 14) == "uncorrectable_loud"
    assert regime("$14; 1 of 2 items kept", source, 14) == "uncorrectable_loud"
    assert regime("$14; 2 of 2 items kept", source, 14) == "uncorrectable_silent"
    assert regime("$14 (nur Summe)", source, 14, signals=["nur Summe"]) == "uncorrectable_loud"
    assert regime("The manager is ben.", "Cleo is the auditor", "Ben") == "uncorrectable_silent"
    assert regime("Benjamin manages", "Cleo is the auditor", "Ben") == "uncorrectable_loud"
    # Some items of a list are taken for all; any of them may be declared enough.
    assert regime("7 pens", ["7 pens", "$2"], 14) == "uncorrectable_silent"
    assert regime("7 pens; items missing", ["7 pens", "$2"], 14) == "uncorrectable_loud"
    assert regime("7 pens", ["7 pens", "$2"], 14, test="any") == "correctable"
    assert regime("so 7 PENS AT $2", source, 14, test="prefix") == "correctable"
    assert regime("x", None, 14) is None
    assert regime("x", source, None) is None
    assert regime("x", "of the", 14) is None


def test_regimes_agree_with_what_became_of_real_memories(reference: Path) -> None:
    folder = reference / "data" / "reclaim-eval"
    path = folder / "realworld_meta-llama_llama-3.1-8b-instruct_arith_t0.7.jsonl"
    if not path.is_file():
        pytest.skip(f"no memories in {folder}")
    problems = pl.read_ndjson(folder / "problems.jsonl", infer_schema_length=None)
    problems = problems.select("pid", "source", pl.col("drift").cast(pl.Float64, strict=False))
    items = pl.col("source").str.extract_all(r"\d+").alias("items")
    trials = pl.read_ndjson(path, infer_schema_length=None).filter(arm="directed")
    scored = trials.join(problems, on="pid").with_columns(items)
    stale = ((pl.col("answer") - pl.col("drift")).abs() < 0.5).sum().alias("stale")
    right = pl.col("correct").sum().alias("right")
    found = {
        source: scored.group_by(rs.score.memory_regime("memory_text", source, "drift"))
        .agg(pl.len(), right, stale)
        .sort("memory_text")
        .rows()
        for source in ("source", "items")
    }
    # The figures of the documentation.
    assert found["source"] == [
        ("correctable", 119, 110, 2),
        ("uncorrectable_silent", 266, 54, 72),
        ("uncorrectable_loud", 191, 30, 3),
    ]
    assert found["items"] == [
        ("correctable", 247, 181, 10),
        ("uncorrectable_silent", 259, 9, 67),
        ("uncorrectable_loud", 70, 4, 0),
    ]


# ── Columns, errors, size ────────────────────────────────────────────────────────────────────

SCORERS = {
    "cues": rs.text.cues("text"),
    "traced": rs.text.cues("text", with_trace=True),
    "record": rs.score.read_record("text"),
    "check": rs.score.check_record("text", "text"),
    "regime": rs.score.memory_regime("text", pl.lit("7 pens"), pl.lit("Ben")),
}


@pytest.mark.parametrize("name", SCORERS)
def test_kinds_of_columns_and_plans(name: str) -> None:
    scorer = SCORERS[name]
    texts = ["It may be 3 May 2024, Ana said", "CLAIM: x\nSOURCE: y", None, "", "7 pens, Ben"]
    rows = column(texts).to_frame().with_columns(g=pl.Series([1, 2, 1, 2, 1]))
    expected = rows.select(scorer)
    assert expected.columns == ["text"]
    for dtype in (pl.Categorical, pl.Enum([text for text in texts if text is not None])):
        assert rows.with_columns(pl.col("text").cast(dtype)).select(scorer).equals(expected)
    lazy = rows.lazy().select(scorer)
    assert lazy.collect_schema() == expected.schema
    assert lazy.collect(engine="streaming").equals(expected)
    assert rows.select(scorer.over("g")).equals(expected)
    assert rows.clear().select(scorer).schema == expected.schema
    chunks = pl.concat([rows.slice(i, 1) for i in range(5)] * 20, rechunk=False)
    assert chunks.select(scorer).equals(pl.concat([expected] * 20))
    nothing = pl.DataFrame({"text": [None, None]}).select(scorer)
    assert nothing.height == 2
    with pytest.raises(ColumnError, match="'text' has type Int64"):
        pl.DataFrame({"text": [1]}).select(scorer)


def test_errors() -> None:
    for lexicon in [{"hedge": [" "]}, {"found": ["x"]}, {"hedge": [1]}, ["may"]]:
        with pytest.raises(OptionError, match="lexicon"):
            rs.text.cues("text", lexicon=lexicon)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="lexicon is empty"):
        rs.text.cues("text", lexicon={}, dates=False)
    with pytest.raises(OptionError, match="lexicon has 33 kinds"):
        rs.text.cues("text", lexicon={str(i): [str(i)] for i in range(33)}, dates=False)
    with pytest.raises(OptionError, match="decides nothing"):
        rs.score.memory_regime("a", "b", "c", test="fraction")
    with pytest.raises(OptionError, match="test='some' is unknown"):
        rs.score.memory_regime("a", "b", "c", test="some")


@pytest.mark.parametrize(
    "piece", ["It may be. ", "CLAIM: x\n", "SOURCE: [", "3 May ", "as ", "é", " "]
)
def test_huge_texts(piece: str) -> None:
    text = column([piece * (10_000_000 // len(piece.encode()))])
    for scorer in SCORERS.values():
        started = time.perf_counter()
        text.to_frame().select(scorer)
        assert time.perf_counter() - started < 20
