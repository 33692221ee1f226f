"""Function calls: Python's own reader as the twin, JSON, dress, and every kind of column."""

import json
import time
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError
from reference import blocks as twin

Calls = list[tuple[str, str]]


def read(*replies: str | None) -> list[Calls | None]:
    frame = pl.DataFrame({"r": pl.Series(replies, dtype=pl.String)})
    found = frame.select(rs.text.function_calls("r"))["r"].to_list()
    return [
        None if calls is None else [(call["name"], call["arguments"]) for call in calls]
        for calls in found
    ]


def status(reply: str) -> tuple[str, str]:
    frame = pl.DataFrame({"r": [reply]})
    trace = frame.select(rs.text.function_calls("r", with_trace=True)).item()
    assert (trace["value"] is None) == (trace["status"] != "read")
    if trace["span"] is not None:
        assert reply[trace["start"] : trace["end"]] == trace["span"]
    return trace["status"], trace["rule"]


def match(predicted: Any, expected: Any) -> Any:
    frame = pl.DataFrame({"p": [predicted], "e": [expected]}, strict=False)
    return frame.select(rs.text.calls_match("p", "e")).item()


# ── Literals of Python ───────────────────────────────────────────────────────────────────────

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(10**30), 10**30),
    st.sampled_from([10**21, 10**21 - 1, 10**22, 10**22 + 1, 2**53 + 1, 2**60, 2**1024]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(-1e6, 1e6).map(lambda value: round(value, 2)),
    texts,
    st.text("'\"\\\n\r\t{}[](),#é\x00😀", max_size=8),
)
values = st.recursive(
    plain,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        st.sets(plain, max_size=3),
        st.dictionaries(
            st.one_of(texts, st.integers(), st.booleans(), st.none()), inner, max_size=4
        ),
    ),
    max_leaves=12,
)
names = st.sampled_from(["f", "get_weather", "math.sqrt", "a.b.c", "größe", "_x1", "True_"])
keywords = st.lists(st.sampled_from(["x", "city", "unit", "naïve", "r", "u_", "f"]), unique=True)


@st.composite
def written_calls(draw: st.DrawFn) -> str:
    positional = draw(st.lists(values, max_size=2))
    named = [(name, draw(values)) for name in draw(keywords)[:3]]
    gap = draw(st.sampled_from(["", " ", "\n  ", "  # note\n"]))
    arguments = [repr(value) for value in positional] + [f"{n}={v!r}" for n, v in named]
    end = draw(st.sampled_from(["", ","])) if arguments else ""
    return f"{draw(names)}({gap}{f',{gap}'.join(arguments)}{end}{gap})"


@given(
    st.lists(written_calls(), min_size=1, max_size=3),
    st.sampled_from(
        ["[{}]", "{}", "```python\n[{}]\n```", "<tool_call>[{}]</tool_call>", "Calls:\n[{}]\n"]
    ),
)
def test_written_values_are_read_back(calls: list[str], dress: str) -> None:
    text = ", ".join(calls)
    assert read(dress.format(text)) == [twin.python_calls(f"[{text}]")]


# Pieces that make almost-literals, to meet what Python refuses.
PIECES = [
    "f(", "g(", ")", ")", "[", "]", "{", "}", "(", ",", ", ", "=", ":", "x", "x=", "y=", "1", "0",
    "07", "1.5", "1e3", ".5", "5.", "-", "+", "1_000", "0x1F", "'a'", '"b"', "r'\\d'", "b'c'",
    "f'd'", "u'e'", "'''f\n'''", "'\\n\\x41\\101\\q'", "True", "None", "null", "set()", "\n", " ",
    "#", "...", "1j", "nan", "*", "'", '"', "\\",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
def test_almost_literals_agree_with_python(argument: str) -> None:
    reply = f"[f({argument})]"
    assert read(reply) == [twin.python_calls(reply)]


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────


@given(
    st.dictionaries(
        texts,
        st.recursive(plain, lambda v: st.lists(v) | st.dictionaries(texts, v), max_leaves=8),
        max_size=4,
    ),
    st.booleans(),
    st.sampled_from([None, 2]),
    st.booleans(),
)
def test_json_calls_are_read_back(
    arguments: dict[str, Any], ascii_only: bool, indent: int | None, as_text: bool
) -> None:
    def dump(value: object) -> str:
        return json.dumps(value, ensure_ascii=ascii_only, indent=indent)

    call = {"name": "f", "arguments": dump(arguments) if as_text else arguments}
    expected = [("f", twin.canonical(arguments))]
    openai = {"id": "1", "type": "function", "function": call}
    replies = [
        dump(call),
        dump([call]),
        f"Sure:\n\n{dump(call)}\n\nDone.",
        f"```json\n{dump(call)}\n```",
        f"<tool_call>\n{dump(call)}\n</tool_call>",
        dump({"tool_calls": [openai]}),
        dump([openai]),
    ]
    assert read(*replies) == [expected] * len(replies)


@given(st.recursive(plain, lambda v: st.lists(v) | st.dictionaries(texts, v), max_leaves=8))
def test_arguments_are_json(value: Any) -> None:
    [calls] = read(f"f(x={value!r})")
    assert calls is not None
    assert json.loads(calls[0][1]) == {"x": value}


# ── Dress and refusal ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("I will call f(x=1) now.", ("unparsed", "no_call")),
        ("", ("unparsed", "no_call")),
        ("x = f(1)\nprint(x)", ("unparsed", "no_call")),
        ("[f(x=1), g(y=]", ("unparsed", "malformed")),
        ("f(x=1) or g(x=1)", ("unparsed", "malformed")),
        ("[f(x=1), g(y=2", ("truncated", "truncated")),
        ("f(x=" + "[" * 1000, ("unparsed", "too_deep")),
        ("[]", ("read", "calls")),
        ("```\nf()\n```", ("read", "fence")),
        ("<tool_call>f()</tool_call>", ("read", "tool_call")),
    ],
)
def test_statuses(reply: str, expected: tuple[str, str]) -> None:
    assert status(reply) == expected


def test_an_explicit_empty_list_is_no_call() -> None:
    assert read("[]", "```json\n[]\n```", "", None) == [[], [], None, None]


@given(st.text(alphabet="f(x=1,'\"\\){}[]:`<>- \n#toolcname_", max_size=60))
def test_any_text_is_read_without_error(reply: str) -> None:
    status(reply)


# ── Comparison ───────────────────────────────────────────────────────────────────────────────


@given(st.lists(written_calls(), max_size=4), st.randoms())
def test_order_does_not_matter(calls: list[str], random: Any) -> None:
    shuffled = random.sample(calls, len(calls))
    one, other = (f"[{', '.join(several)}]" for several in (calls, shuffled))
    assert match(one, other) is True
    assert match(one, other[:-1] + ", h()]" if calls else "h()") is False


def test_values_decide() -> None:
    assert match("f(x=1.0, y=(1, 2))", '{"name": "f", "arguments": {"y": [1, 2], "x": 1}}')
    for other in ["f(x=2)", "f(x='1')", "f(x=True)", "g(x=1)", "f(1)", "[f(x=1), f(x=1)]", "[]"]:
        assert match("f(x=1)", other) is False
    for unread in ["", None, "f(x=", "I call f(x=1)."]:
        assert match("f(x=1)", unread) is None
        assert match(unread, "f(x=1)") is None


# ── Agents ───────────────────────────────────────────────────────────────────────────────────

one_line = values.map(repr).filter(lambda text: "\n" not in text)
labels = st.sampled_from(["Action:", "**Action:**", "action 1: ", "> Action :", "- ACTION:"])
inputs = st.sampled_from(["Action Input:", "**Action Input 1:** ", "> action_input:"])


@st.composite
def agent_turns(draw: st.DrawFn) -> str:
    turn = draw(st.sampled_from(["", "Thought: I call g(1).\n", "I act.\n\n"]))
    name = draw(names)
    if draw(st.booleans()):
        named = f"{draw(keywords.filter(bool))[0]}={draw(one_line)}"
        turn += f"{draw(labels)} {name}({named})"
    else:
        keys = st.dictionaries(st.sampled_from(["x", "city"]), plain, max_size=2).map(repr)
        bare = st.sampled_from(["Oslo", "the weather in Oslo", "x=1, y='b'", "46 %", "a: b", "3"])
        given = draw(keys.filter(lambda text: "\n" not in text) | bare | one_line)
        turn += f"{draw(labels)} {name}\n{draw(inputs)} {given}"
    return turn + draw(st.sampled_from(["", "\nObservation: 3 of 4\n", "\n\nThought: next.\n"]))


@given(st.lists(agent_turns(), min_size=1, max_size=3).map("\n".join))
def test_actions_are_read_back(reply: str) -> None:
    assert read(reply) == [twin.actions(reply)]


def test_actions_in_every_dress() -> None:
    call = [("f", '{"x":1}')]
    for reply in [
        "Action: f(x=1)",
        "Action: f\nAction Input: {'x': 1}",
        'Action: `f`\nAction Input:\n```json\n{"x": 1}\n```',
        '```json\n{"action": "f", "action_input": {"x": 1}}\n```',
        "[g()]\nAction: f(x=1)",
    ]:
        assert read(reply) == [call], reply
    assert status("Action: f(x=1)") == ("read", "action")
    assert read("<tool_call>g()</tool_call>\nAction: f(x=1)") == [[("g", "{}")]]
    assert status("Action: finish") == ("truncated", "truncated")


# ── Possible answers ─────────────────────────────────────────────────────────────────────────

few = st.sampled_from(["", "a", "b", 0, 1, True, None, [1], [1, 2], {"k": 1}, [{"k": 1}]])
accepted = st.lists(
    st.one_of(few, st.just({"k": [1, ""]}), st.just([{"k": [1, 2]}, {"k": [1]}])), max_size=3
)
answers = st.dictionaries(st.sampled_from(["x", "y"]), st.one_of(accepted, accepted, few))
asked = st.dictionaries(st.sampled_from(["x", "y", "z"]), few, max_size=2)


@given(
    st.lists(st.tuples(st.sampled_from("fg"), asked), max_size=4),
    st.lists(st.tuples(st.sampled_from("fg"), answers), max_size=4),
    st.randoms(),
    st.booleans(),
)
def test_possible_answers(calls: Any, possible: Any, random: Any, near: bool) -> None:
    if near:
        # Answers that accept these calls, in another order and with more values.
        possible = [
            (name, {key: random.sample([value, "b", 7], 3) for key, value in arguments.items()})
            for name, arguments in calls
        ]
        random.shuffle(possible)
    replies = [json.dumps([{name: given} for name, given in side]) for side in (calls, possible)]
    [one], [other] = (read(reply) for reply in replies)
    assert one is not None
    assert other is not None
    frame = pl.DataFrame({"p": replies[:1], "e": replies[1:]})
    found = frame.select(rs.text.calls_match("p", "e", possible=True)).item()
    assert found is twin.possible_match(one, other)
    assert found or not near


def test_many_possible_answers() -> None:
    """A chain in which each call but the last has to give way."""
    calls = [f"f(x={n})" for n in range(60)]
    possible = json.dumps([{"f": {"x": [n, n + 1]}} for n in reversed(range(60))])
    frame = pl.DataFrame({"p": [f"[{', '.join(calls)}]"], "e": [possible]})
    assert frame.select(rs.text.calls_match("p", "e", possible=True)).item() is True


def test_lists_of_calls_are_compared() -> None:
    replies = pl.DataFrame({"r": ["[g(), f(x=1)]", "f(x=2)", None, "[]"]})
    replies = replies.with_columns(rs.text.function_calls("r").alias("calls"))
    assert replies.schema["calls"] == pl.List(
        pl.Struct({"name": pl.String, "arguments": pl.String})
    )
    right = pl.lit(pl.Series([["f(x=1)", "g()"]]))
    expected = [True, False, None, False]
    assert replies.select(rs.text.calls_match("r", right))["r"].to_list() == expected
    assert replies.select(rs.text.calls_match("calls", right))["calls"].to_list() == expected
    same = replies.select(rs.text.calls_match("r", "calls"))["r"].to_list()
    assert same == [True, True, None, True]
    spelled = pl.DataFrame({"c": [[{"name": "f", "arguments": '{"x": 1.0 }'}], [None]]})
    assert spelled.select(rs.text.calls_match("c", pl.lit("f(x=1)")))["c"].to_list() == [True, None]


def test_columns_of_every_kind() -> None:
    texts = pl.DataFrame({"r": ["f()", None, "", "none"], "g": [1, 1, 2, 2]})
    expected = [[{"name": "f", "arguments": "{}"}], None, None, None]
    for scorer, values in [
        (rs.text.function_calls("r"), expected),
        (rs.text.calls_match("r", pl.lit("f()")), [True, None, None, None]),
    ]:
        assert texts.select(scorer)["r"].to_list() == values
        for dtype in (pl.Categorical, pl.Enum(["f()", "", "none"])):
            assert (
                texts.with_columns(pl.col("r").cast(dtype)).select(scorer)["r"].to_list() == values
            )
        lazy = texts.lazy().select(scorer)
        assert lazy.collect_schema() == texts.select(scorer).schema
        assert lazy.collect(engine="streaming")["r"].to_list() == values
        assert texts.clear().select(scorer).schema == lazy.collect_schema()
        grouped = texts.group_by("g", maintain_order=True).agg(scorer)
        assert grouped["r"].to_list() == [values[:2], values[2:]]
    traced = texts.lazy().select(rs.text.function_calls("r", with_trace=True))
    assert traced.collect_schema() == traced.collect().schema
    with pytest.raises(
        (ColumnError, pl.exceptions.ComputeError), match="function_calls: column 'g'"
    ):
        texts.select(rs.text.function_calls("g"))
    for wrong in (pl.col("g"), pl.lit(pl.Series([[1]]))):
        with pytest.raises((ColumnError, pl.exceptions.ComputeError), match="calls_match: column"):
            texts.select(rs.text.calls_match("r", wrong))


def test_time_is_linear() -> None:
    def seconds(pieces: int) -> float:
        replies = [
            head + piece * pieces
            for head in ("[f(", "- f(x='''", "")
            for piece in ("f(1,\n", "- f('''\n", "{'a': [", "a(),\n", '[{"name": 1,\n')
        ]
        start = time.process_time()
        read(*replies)
        return time.process_time() - start

    seconds(1000)
    assert min(seconds(80_000) for _ in range(2)) < 12 * max(seconds(20_000), 0.02)
