"""Exact match and token F1 against their twins, printed cases and every kind of column."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError
from reference import stance as twin

STEPS = ["latex", "unicode", "case", "punctuation", "articles", "space", "numbers"]
USUAL = {"unicode", "case", "space", "punctuation", "numbers"}


def match(pred: Any, gold: Any, **options: Any) -> Any:
    rows = pl.DataFrame({"pred": [pred], "gold": [gold]})
    return rows.select(rs.text.exact_match(pred="pred", gold="gold", **options)).item()


def f1(pred: Any, gold: Any, **options: Any) -> Any:
    rows = pl.DataFrame({"pred": [pred], "gold": [gold]})
    return rows.select(rs.text.token_f1(pred="pred", gold="gold", **options)).item()


# ── Twins ────────────────────────────────────────────────────────────────────────────────────

PIECES = [
    "Paris", "paris", "PARIS", "the", "A", "an", "x", "b", "ß", "SS", "é", "e\u0301", "Σς", "5",
    "1.5", "-5", "3/8", "16:15", ".5", "$", "%", "#", "+", " ", "  ", "\u00a0", "\u200b", "\n",
    "\t", ".",
    ",", "-", "–", "—", "−", "(", ")", "*", "**", "_", "/", "|", "'", "’", "“", "`", "…", "？",
    "：",
    "Ａ", "５", "•", "don't", "well-known", "U.S.", "٣", "の", "。",
]  # fmt: skip
soups = st.lists(st.sampled_from(PIECES), max_size=7).map("".join)
steps_without_numbers = st.sets(
    st.sampled_from(["unicode", "case", "punctuation", "articles", "space"])
)


@given(st.lists(st.tuples(soups, soups), min_size=1, max_size=8), steps_without_numbers)
@settings(max_examples=400)
def test_normalised_texts_equal_their_twin(pairs: list[tuple[str, str]], steps: set[str]) -> None:
    # Each text with another, and with what the twin makes of it.
    pairs = pairs + [(a, twin.normal(a, steps)) for a, _ in pairs]
    rows = pl.DataFrame(pairs, schema=["pred", "gold"], orient="row")
    options: dict[str, Any] = {"pred": "pred", "gold": "gold", "normalise": sorted(steps)}
    found = rows.select(m=rs.text.exact_match(**options), f=rs.text.token_f1(**options))
    assert found["m"].to_list() == [twin.same(a, b, steps) for a, b in pairs]
    expected = [twin.token_f1(a, b, steps) for a, b in pairs]
    assert found["f"].to_list() == pytest.approx(expected, abs=1e-12)


values = st.sampled_from(["0", "5", "15", "1.5", "49", "149", "1234", "1234.5", "0.5", "1000000"])


@st.composite
def dressed(draw: st.DrawFn) -> str:
    """A number in a dress that changes nothing but its spelling."""
    text = draw(values)
    whole, point, part = text.partition(".")
    if draw(st.booleans()):
        whole = f"{int(whole):,}"
    part += "0" * draw(st.integers(0, 2)) if point else draw(st.sampled_from(["", "", ".0", ".00"]))
    if whole == "0" and point and draw(st.booleans()):
        whole = ""
    sign = draw(st.sampled_from(["", "", "-", "+"]))
    unit = draw(st.sampled_from(["", "", "$"]))
    percent = draw(st.sampled_from(["", "", "%", " %"])) if not unit else ""
    open_, close = draw(
        st.sampled_from([("", ""), ("(", ")"), ("[", "]"), ("**", "**"), ('"', '"'), ("`", "`")])
    )
    end = draw(st.sampled_from(["", ".", "!", "?", ",", " "]))
    return f"{open_}{sign}{unit}{whole}{point}{part}{percent}{close}{end}"


@given(st.lists(st.tuples(dressed(), dressed()), min_size=1, max_size=10))
@settings(max_examples=400)
def test_dressed_numbers_equal_their_twin(pairs: list[tuple[str, str]]) -> None:
    rows = pl.DataFrame(pairs, schema=["pred", "gold"], orient="row")
    for tolerance, relative in [(0.0, 0.0), (0.6, 0.0), (0.0, 0.01)]:
        scorer = rs.text.exact_match(
            pred="pred", gold="gold", tolerance=tolerance, rel_tolerance=relative
        )
        expected = [twin.same(a, b, USUAL, tolerance, relative) for a, b in pairs]
        assert rows.select(scorer).to_series().to_list() == expected
        other_way = rs.text.exact_match(
            pred="gold", gold="pred", tolerance=tolerance, rel_tolerance=relative
        )
        assert rows.select(other_way).to_series().to_list() == expected


@given(
    st.lists(st.text(max_size=12) | soups | dressed(), min_size=1), st.sets(st.sampled_from(STEPS))
)
@settings(max_examples=300)
def test_every_text_matches_itself(texts: list[str], steps: set[str]) -> None:
    rows = pl.DataFrame({"text": texts})
    options: dict[str, Any] = {"pred": "text", "gold": "text", "normalise": list(steps)}
    for first_line in (False, True):
        found = rows.select(
            m=rs.text.exact_match(**options, first_line=first_line),
            f=rs.text.token_f1(**options, first_line=first_line),
        )
        assert found["m"].all()
        assert (found["f"] == 1).all()


@given(st.lists(st.tuples(st.text(max_size=9) | soups, soups), min_size=1))
@settings(max_examples=300)
def test_both_scores_are_symmetric(pairs: list[tuple[str, str]]) -> None:
    rows = pl.DataFrame(pairs, schema=["a", "b"], orient="row")
    for scorer in (rs.text.exact_match, rs.text.token_f1):
        there, back = rows.select(there=scorer(pred="a", gold="b"), back=scorer(pred="b", gold="a"))
        assert there.to_list() == back.to_list()
    same = rs.text.exact_match(pred="a", gold="b").alias("same")
    scored = rows.select(same, f=rs.text.token_f1(pred="a", gold="b"))
    assert (scored.filter("same")["f"] == 1).all()
    assert scored["f"].is_between(0, 1).all()


# ── Cases ────────────────────────────────────────────────────────────────────────────────────

SAME = [
    ("(46).", "46"), ("[46]", "46"), ("46?", "46"), ("46!", "46"), ("-8", "- 8"), ("−5", "-5"),
    ("$1,234.00", "1234"), ("8/3", "2 2/3"), ("½", "0.5"), ("46 %", "46"), ("USD 46", "$46"),
    ("1.5e3", "1500"), ("Paris.", "paris"), ("**Paris**", "Paris"), ("“Paris”", "Paris"),
    ("New\u00a0York", "new  york"), ("Zürich", "Zu\u0308rich"), ("STRASSE", "Straße"),
    ("it’s", "It's"), ("well–known", "well-known"), ("Ｐａｒｉｓ", "Paris"), ("U.S.", "US"),
    ("", " "), ("9:45 AM", "9:45 am"),
]  # fmt: skip
DIFFERENT = [
    ("-5", "5"), ("1.5", "15"), ("149", "49"), ("2", "2 2/3"), ("-$5", "$5"), ("5%", "$5"),
    ("$5", "€5"), ("1,5", "15"), ("4, 8", "48"), ("3/8", "38"), ("16:15", "1615"), ("46-55",
    "4655"),
    ("C++", "C"), ("C#", "C"), ("< 5", "5"), ("46 pens", "46"), ("5k", "5"), ("?", "!"), ("", "0"),
    ("10^3", "103"), ("not Paris", "Paris"), ("Paris", "Pari"), ("x", "-x"), ("2", "²"),
    ("9007199254740993", "9007199254740992"), ("The", ""), ("1.2.3", "123"), ("2024-05-03",
    "20240503"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_texts_that_are_the_same(one: str, other: str) -> None:
    assert match(one, other) is True
    assert match(other, one) is True


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_texts_that_differ(one: str, other: str) -> None:
    for normalise in (list(USUAL), STEPS, ["punctuation", "space"]):
        assert match(one, other, normalise=normalise) is False
        assert match(other, one, normalise=normalise) is False


def test_cases_of_the_reference(reference: Path) -> None:
    path = reference / "cases" / "scoring_and_statistics.jsonl"
    if not path.is_file():
        pytest.skip(f"no cases in {path}")
    cases = {case["id"]: case for case in map(json.loads, path.read_text().splitlines())}

    def given_of(name: str) -> dict[str, Any]:
        return cases[name]["input"]

    signs = given_of("B007")
    assert match(signs["pred"], "-8")
    assert not match(signs["wrong"], "-8")
    assert not match(given_of("B009")["pred"].removeprefix("ANSWER: "), given_of("B009")["gold"])
    # A sentence is for answer_number; what is wholly a number is for here.
    answers = pl.DataFrame({"pred": given_of("B011")["preds"]})
    read = rs.text.answer_number("pred", fallback="last_number")
    assert answers.select(read).to_series().to_list() == [46] * 4
    assert [match(pred, "46") for pred in answers["pred"]] == [False, True, True, True]
    mixed = given_of("B015")
    assert not match(mixed["pred"].removeprefix("the answer is "), mixed["gold"])
    pair = given_of("B019")
    rows = pl.DataFrame({"pred": pair["pred"], "gold": pair["ref"]})
    assert rows.select(rs.text.exact_match(pred="pred", gold="gold").mean()).item() == 0.5
    assert [match(*pair) for pair in given_of("B021")["pairs"]] == [False, False]
    line = given_of("B023")
    assert match(line["pred"], line["gold"], first_line=True)
    assert not match(line["pred"], line["gold"])
    assert f1(line["pred"], line["gold"], first_line=True) == 1


def test_every_answer_of_the_problems_matches_itself(reference: Path) -> None:
    path = reference / "data" / "reclaim-eval" / "problems.jsonl"
    if not path.is_file():
        pytest.skip(f"no problems in {path}")
    problems = pl.read_ndjson(path, infer_schema_length=None)
    golds = problems.select(text=pl.concat_list(pl.col("truth", "drift", "source").cast(pl.String)))
    golds = golds.explode("text")
    assert golds.select(rs.text.exact_match(pred="text", gold="text").all()).item()


def test_formulas() -> None:
    for one, other in [("$\\boxed{46}$", "46"), ("\\(\\dfrac{1}{2}\\)", "0.5"), ("46\\%", "46%")]:
        assert match(one, other, normalise=["latex", *USUAL])
    assert match("\\text{Ana}", "ana", normalise=["latex", "case"])


def test_shared_words() -> None:
    assert f1("a red bike", "the red car") == pytest.approx(0.5)
    assert f1("red red blue", "red blue blue") == pytest.approx(2 / 3)
    assert f1("1,234 pens", "1234 cups") == pytest.approx(0.5)
    assert f1("red", "blue") == 0
    assert f1("red bike", ["blue car", "a red bike", "red"]) == 1


def test_several_answers_and_nulls() -> None:
    assert match("5", ["4", "5.0"]) is True
    assert match("6", ["4", None, "5"]) is False
    rows = pl.DataFrame(
        {"pred": [None, "a", "a", "a"], "gold": [["a"], None, [], ["b", None]]},
        schema={"pred": pl.String, "gold": pl.List(pl.String)},
    )
    for scorer in (rs.text.exact_match, rs.text.token_f1):
        found = rows.select(scorer(pred="pred", gold="gold")).to_series().to_list()
        assert found[:3] == [None] * 3
        assert found[3] == 0


def test_kinds_of_columns_and_plans() -> None:
    rows = pl.DataFrame(
        {"pred": ["Ana", "ben", None], "gold": ["ana", "Cleo", "x"], "g": [1, 1, 2]}
    )
    scorer = rs.text.exact_match(pred="pred", gold="gold")
    assert rows.select(scorer).columns == ["pred"]
    expected = [True, False, None]
    for dtype in (pl.String, pl.Categorical, pl.Enum(["Ana", "ben", "ana", "Cleo", "x"])):
        found = rows.with_columns(pl.col("pred", "gold").cast(dtype)).select(scorer)
        assert found["pred"].to_list() == expected
    assert rows.lazy().select(scorer).collect_schema() == {"pred": pl.Boolean}
    assert rows.lazy().select(scorer).collect(engine="streaming")["pred"].to_list() == expected
    assert rows.select(scorer.over("g"))["pred"].to_list() == expected
    assert rows.clear().select(scorer).schema == {"pred": pl.Boolean}
    literal = rs.text.exact_match(pred="pred", gold=pl.lit("ana"))
    assert rows.select(literal)["pred"].to_list() == [True, False, None]
    nothing = rows.with_columns(gold=pl.lit(None)).select(scorer)
    assert nothing["pred"].null_count() == 3


@pytest.mark.parametrize("scorer", [rs.text.exact_match, rs.text.token_f1])
def test_errors(scorer: Any) -> None:
    with pytest.raises(OptionError, match=r"normalise='cases' is unknown.*'punctuation'"):
        scorer(pred="a", gold="b", normalise=["cases"])
    with pytest.raises(TypeError):
        scorer("a", "b")
    rows = pl.DataFrame({"a": ["x"], "b": [1]})
    with pytest.raises(ColumnError, match="'b' has type Int64"):
        rows.select(scorer(pred="a", gold="b"))
    with pytest.raises(ColumnError, match="lists of text"):
        rows.select(scorer(pred="a", gold=pl.lit(pl.Series([[1]]))))


def test_tolerances() -> None:
    assert match("46.4", "46", tolerance=0.5)
    assert not match("46.5", "46", tolerance=0.5)
    assert match("1010", "1000", rel_tolerance=0.011)
    with pytest.raises(OptionError, match="add 'numbers'"):
        rs.text.exact_match(pred="a", gold="b", normalise="case", tolerance=1)
    for bad in (-1, float("nan"), "1", True):
        with pytest.raises(OptionError, match="tolerance="):
            rs.text.exact_match(pred="a", gold="b", tolerance=bad)  # type: ignore[arg-type]
