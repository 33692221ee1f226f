"""Structured replies: JSON as models write it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError
from reference import structured as twin

Row = dict[str, Any]


def traces(replies: Sequence[str | None], field: str = "answer", **options: Any) -> list[Row]:
    frame = pl.DataFrame({"reply": replies}, schema={"reply": pl.String})
    read = rs.text.answer_json("reply", field=field, with_trace=True, **options)
    return frame.select(read.alias("trace"))["trace"].to_list()


def values(replies: Sequence[str | None], field: str = "answer", **options: Any) -> list[Any]:
    return [row and row["value"] for row in traces(replies, field, **options)]


def test_curated_cases(reference: Path) -> None:
    file = reference / "cases" / "text_extraction.jsonl"
    if not file.is_file():
        pytest.skip(f"no file {file}")
    cases = [json.loads(line) for line in file.read_text().splitlines()]
    cases = [case for case in cases if case["scorer"] == "answer_json"]
    assert len(cases) == 13
    for case in cases:
        assert values([case["text"]], case["field"]) == [case["expected"]], case["id"]


def test_null_and_empty_columns() -> None:
    assert values([None, "", "{}"]) == [None, None, None]
    assert traces([]) == []
    read = rs.text.answer_json("reply", field="answer", dtype="text")
    assert pl.DataFrame({"reply": []}, schema={"reply": pl.Null}).select(read).dtypes == [pl.String]


def test_options_are_checked() -> None:
    for options in [
        {"field": ""}, {"field": "a..b"}, {"field": []}, {"field": 3}, {"field": ["a", 3]},
        {"field": "a", "dtype": "int"}, {"field": "a", "dialect": "reclaim-eval-loose"},
    ]:  # fmt: skip
        with pytest.raises(OptionError):
            rs.text.answer_json("reply", **options)  # type: ignore[arg-type]
    with pytest.raises(ColumnError, match="'reply' has type Int64"):
        pl.DataFrame({"reply": [1]}).select(rs.text.answer_json("reply", field="a"))


# ── JSON, against Python's own parser ────────────────────────────────────────────────────────

pick = st.sampled_from
NAMES = ["answer", "Answer", "reason", "a", "b.c", "", "ответ", "an\nswer", 'an"swer', "{", "note"]
TEXTS = st.one_of(
    st.text(max_size=12),
    pick(
        [
            "46",
            "46 pens",
            "N/A",
            "{",
            '{"answer": 1}',
            "a, b: c}",
            "\\",
            '"',
            "```",
            "// x",
            "é\u2028",
        ]
    ),
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**6), 10**6),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(pick(NAMES), inner, max_size=3),
    max_leaves=8,
)
BEFORE = [
    "",
    "Sure, here it is:\n```json\n",
    "Use {x} as \\frac{1}{2}. ",
    '{"note": 1} and ',
    "[",
    "\ufeff",
]
TAKEN_BACK = [
    " Wait, wrong, 46.", "\n```\nWait, that is wrong.", "\nNo, it is 46.", " Correction: 46",
    "\n\nActually, that is wrong.", "]\nScratch that.",
]  # fmt: skip
AFTER = [
    "",
    "\n```\nDone.",
    " See [2].",
    "\nNo, thanks.",
    "\nUpdate: none",
    ' {"other": {"answer": 5}}',
    "]",
    "}",
    " {x}",
]


@st.composite
def dumps(draw: st.DrawFn, value: Any) -> str:
    text = json.dumps(value, ensure_ascii=draw(st.booleans()), indent=draw(pick([None, 0, 2])))
    return draw(pick(BEFORE)) + text + draw(pick(AFTER))


@settings(max_examples=400)
@given(st.data(), st.lists(st.tuples(pick(NAMES), VALUES), max_size=5), VALUES)
def test_json_is_read_back(data: st.DataObject, others: list[tuple[str, Any]], answer: Any) -> None:
    """The field's own value comes back, whatever else the object and the reply hold."""
    members = dict(others) | {"answer": answer}
    keys = data.draw(st.permutations(list(members)))
    reply = data.draw(dumps({key: members[key] for key in keys}))
    text = traces([reply], dtype="text")[0]
    number = traces([reply])[0]
    assert text["status"] == number["status"] == "strict", reply
    if isinstance(answer, list | dict):
        assert json.loads(text["value"]) == answer
        assert number["value"] is None
    elif isinstance(answer, bool):
        assert (text["value"], number["value"]) == (str(answer).lower(), None)
    elif answer is None:
        assert (text["value"], text["rule"], number["value"]) == (None, "abstained", None)
    elif isinstance(answer, str):
        lone = answer.encode("utf-8", "replace").decode()
        assert text["value"] == lone or (text["value"] is None and text["rule"] == "abstained")
    else:
        assert number["value"] == float(answer)
        assert float(text["value"]) == float(answer)
    assert reply[text["start"] : text["end"]] == text["span"]


@settings(max_examples=100)
@given(st.data(), st.integers(100, 10**6), pick(TAKEN_BACK))
def test_a_line_behind_takes_the_object_back(data: st.DataObject, answer: int, line: str) -> None:
    reply = data.draw(pick(BEFORE)) + json.dumps({"a": 1, "answer": answer}) + line
    for dtype in ("number", "text"):
        trace = traces([reply], dtype=dtype)[0]
        assert (trace["value"], trace["status"], trace["rule"]) == (None, "conflict", "retracted")
    assert traces([reply + ' {"answer": 46}'])[0]["value"] == 46.0


# ── Damage of which the right value is known ─────────────────────────────────────────────────

WORDS = ["the total", "it's fine", "seven, or so", "line", "x = 3", "50 %", "a: b", "«né»", "{x}"]
INNER = ['the "big" box', 'he said "yes", then left', '"quoted" first', "'single'", 'a "b": c']


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, Any]:
    """A reply that is no JSON, and the value of its field."""
    quote = draw(pick(['"', '"', "'", "“"]))
    close = "”" if quote == "“" else quote
    raw = draw(st.booleans())

    def string() -> str:
        body = draw(pick(WORDS + (INNER if quote == '"' else [])))
        if quote == "'":
            body = body.replace("'single'", "single")
        if raw:
            body += draw(pick(["", "\n", "\n\n", "\t"])) + draw(pick(WORDS))
        return quote + body + close

    def nested() -> str:
        item = draw(pick(["1", "True", "null", string(), f"[{string()}, 2,]"]))
        return draw(
            pick(
                [f"[{item}, {string()}]", f"{{{quote}answer{close}: {item},}}", f"[[{item}], {{}}]"]
            )
        )

    def key(name: str) -> str:
        return draw(pick([name, quote + name + close, quote + name + close]))

    def blank() -> str:
        return draw(pick(["", " ", " ", "\n", "\n  ", " /* so */ ", " // why\n", "\n# why\n"]))

    number = draw(st.integers(-9999, 9999))
    answer = draw(
        pick([str(number), quote + str(number) + close, quote + f"{number} pens" + close])
    )
    members = [
        key(name) + ":" + draw(pick([" ", ""])) + draw(pick([string, nested, lambda: "None"]))()
        for name in draw(st.lists(pick(["reason", "note", "steps"]), unique=True, max_size=3))
    ]
    members.insert(draw(st.integers(0, len(members))), key("answer") + ": " + answer)
    if draw(st.booleans()):
        members.append(quote + "a rumor of a third party" + close)
    text = "{" + blank() + ("," + " ").join(member + blank() for member in members)
    text += draw(pick(["", ",", " ,\n"])) + "}"
    return draw(pick(BEFORE[:4])) + text + draw(pick(AFTER[:3])), float(number)


@settings(max_examples=600)
@given(damaged())
def test_damage_is_repaired(case: tuple[str, float]) -> None:
    reply, number = case
    trace = traces([reply])[0]
    assert trace["value"] == number, (reply, trace)
    assert trace["status"] in ("strict", "repaired"), reply


@settings(max_examples=60)
@given(damaged())
def test_every_cut_gives_the_value_or_none(case: tuple[str, float]) -> None:
    """A reply that is cut anywhere loses the value, or keeps it, or keeps digits at its end."""
    reply, number = case
    cuts = [reply[:end] for end in range(len(reply))]
    for cut, trace in zip(cuts, traces(cuts), strict=True):
        if trace["value"] not in (None, number):
            assert cut.endswith(trace["span"]), (cut, trace)
            assert str(int(number)).startswith(trace["span"]), (cut, trace)
            assert trace["status"] == "truncated", (cut, trace)


# ── Anything, against the twin ───────────────────────────────────────────────────────────────

PIECES = [
    "{", "}", "[", "]", ",", ":", '"', "'", "“", "”", "`", "\\", "\n", " ", "answer", "Answer",
    "46", "55", '"answer"', "'answer'", '"a"', "a", "true", "None", "NaN", "//", "/*", "*/", "#",
    "```", '{"answer": 46}', '"answer": 46', '" answer "', "answer ", "Wait, ", "wrong", "No, 46.",
    '{"a": ', "answer: 7", "=", "=>", "：", "，", '", "', '": "', '\\"', "\\q", "\\u00e9", "...",
    ")",    "1,046", "\t", "\u00a0", "\ufeff", "é", "-", "x y", "'s", '\n{"a": 1, "answer": ',
    '\n"answer": ', '"}', "{'a'", '{"a": {"answer": ', '"]', "null", ".5",
]  # fmt: skip
SOUPS = st.lists(pick(PIECES), max_size=24).map("".join)


def escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


REPLIES = SOUPS | damaged().map(lambda case: case[0])
ESCAPED = st.builds("{}{}{}".format, pick(["", '"', "So "]), REPLIES.map(escaped), pick(["", '"']))


@settings(max_examples=2000)
@given(
    REPLIES | ESCAPED | ESCAPED.map(escaped) | SOUPS.map(escaped),
    pick(["answer", "a", "a.answer"]),
)
def test_answers_are_those_of_the_twin(reply: str, field: str) -> None:
    path = field.split(".")
    trace = traces([reply], field, dtype="text")[0]
    value, status, lack = twin.answer_text(reply, path)
    assert trace["status"] == status, (reply, trace)
    if lack == "nested":
        if status == "strict":
            assert trace["value"] == value, reply
        json.loads(trace["value"])
        escapes = twin.opened(reply) is not None
        assert trace["span"] in reply if escapes else trace["span"] == value, reply
        return
    assert trace["value"] == value, (reply, trace)
    if lack:
        assert trace["rule"] == lack, (reply, trace)
    number = traces([reply], field)[0]
    assert number["status"] == status
    bare = trace["value"] is not None and trace["value"].isascii() and trace["value"].isalnum()
    if value is None or bare:
        assert (number["value"], status) == twin.number_of(reply, path), (reply, number)


@settings(max_examples=300)
@given(st.data(), VALUES, st.integers(1, 3))
def test_json_in_a_text_of_json_is_read_back(data: st.DataObject, value: Any, times: int) -> None:
    written = json.dumps({"note": data.draw(VALUES), "answer": value}, ensure_ascii=True)
    plain = traces([written], dtype="text")[0]
    for _ in range(times):
        written = escaped(written)
    around = data.draw(pick(["{}", '"{}"', "So: {} it is."]))
    trace = traces([around.format(written)], dtype="text")[0]
    assert trace["value"] == plain["value"]
    assert trace["status"] == "repaired"
    assert trace["rule"] == ("escaped" if plain["rule"] == "field" else plain["rule"])
    assert trace["span"] is None or trace["span"] in written


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('"answer": {"answer": 46}', 46.0),
        ('`answer`: {"answer": 46}', 46.0),
        ('"answer": 46, "note": "x"}', 46.0),
        ('"answer": 46', 46.0),
    ],
)
def test_a_label_before_an_object_is_no_key(reply: str, value: float) -> None:
    assert pl.select(rs.text.answer_json(pl.lit(reply), field="answer")).item() == value
