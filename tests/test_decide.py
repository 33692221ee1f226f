"""Rules applied to results, against a loop over rows, and rules that make no sense."""

import itertools
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, RuleError
from reference import decisions as twin

numbers = st.one_of(st.none(), st.sampled_from([-0.3, -0.1, 0.0, 0.05, 0.1, 0.2, 0.5]))
result_rows = st.fixed_dictionaries(
    {
        "n_pairs": st.sampled_from([0, 10, 100]),
        "n_clusters": st.sampled_from([None, 5, 30]),
        "difference": numbers,
        "sign_p": st.sampled_from([None, 0.001, 0.05, 0.051, 1.0]),
        "verdict": st.sampled_from(["PASS", "FAIL", "INCONCLUSIVE"]),
    }
)
SCHEMA = {
    "n_pairs": pl.Int64,
    "n_clusters": pl.Int64,
    "difference": pl.Float64,
    "sign_p": pl.Float64,
    "verdict": pl.String,
}
rules = st.fixed_dictionaries(
    {},
    optional={
        "test": st.sampled_from(["sign_p", "verdict"]),
        "alpha": st.sampled_from([0.01, 0.05, 0.5]),
        "least": st.sampled_from([-0.1, 0.0, 0.1]),
        "most": st.sampled_from([0.1, 0.2, 0.4]),
        "direction": st.sampled_from(["either", "up", "down"]),
        "n": st.sampled_from([0, 10, 50]),
        "n_clusters": st.sampled_from([0, 5, 20]),
    },
).filter(
    lambda rule: (
        bool({"test", "least", "most"} & rule.keys())
        or rule.get("direction", "either") != "either"
        or rule.get("n", 0) + rule.get("n_clusters", 0) > 0
    )
)


@given(rows=st.lists(result_rows, max_size=12), rule=rules)
def test_agrees_with_its_twin(rows: list[dict[str, Any]], rule: dict[str, Any]) -> None:
    result = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    found = rs.decide(result, rule)
    assert found.columns == [*result.columns, "decision", "failed"]
    assert found.drop("decision", "failed").equals(result)
    for row, given_row in zip(found.to_dicts(), rows, strict=True):
        decision, failed = twin.decide(given_row, rule)
        assert row["decision"] == decision
        clauses = row["failed"].split("; ") if row["failed"] else []
        assert len(clauses) == len(failed)
        for clause, name in zip(clauses, failed, strict=True):
            named = {
                "n": "n_pairs ",
                "n_clusters": "n_clusters ",
                "test": f"{rule.get('test')} ",
            }.get(name, "difference")
            assert named in clause


def test_on_results_of_the_package() -> None:
    rng = np.random.default_rng(0)
    trials = pl.DataFrame(
        {
            "arm": ["t"] * 90 + ["b"] * 90,
            "item": [i // 3 for i in range(90)] * 2,
            "repeat": [0, 1, 2] * 60,
            "correct": rng.random(180) < np.repeat([0.9, 0.4], 90),
        }
    )
    design: dict[str, Any] = {"contrast": "arm", "baseline": "b", "pair_by": ["item", "repeat"]}
    compared = rs.compare(trials, "correct", **design, cluster="item")
    rule = rs.Rule(test="sign_p", least=0.2, direction="up", n=90, n_clusters=20)
    assert rs.decide(compared, rule)["decision"].to_list() == ["PASS"]
    down = rs.Rule(test="sign_p", direction="down")
    row = rs.decide(compared.lazy(), down).row(0, named=True)
    assert row["decision"] == "FAIL"
    assert row["failed"].startswith("-difference -0.")
    judged = rs.equivalence(trials, "correct", **design, margin=0.1)
    row = rs.decide(judged, rs.Rule(test="verdict")).row(0, named=True)
    assert (row["decision"], row["failed"]) == ("FAIL", "verdict FAIL is not PASS")
    rates = rs.rate(trials, "correct", by="arm", cluster="item")
    rule = rs.Rule(size="estimate", judged="interval", direction="up", least=0.7)
    found = rs.decide(rates, rule)
    assert found["decision"].to_list() == ["FAIL", "PASS"]
    assert found["failed"][0].startswith("low ")


def test_interval_is_read_in_the_rules_direction() -> None:
    result = pl.DataFrame({"difference": [-0.2, -0.2], "low": [-0.3, -0.5], "high": [-0.1, 0.1]})
    rule = rs.Rule(judged="interval", direction="down", least=0.05, most=0.4)
    found = rs.decide(result, rule)
    assert found["decision"].to_list() == ["PASS", "FAIL"]
    assert found["failed"].to_list() == [None, "-high -0.1 < 0.05; -low 0.5 > 0.4"]


def test_nan_is_no_value() -> None:
    result = pl.DataFrame({"difference": [math.nan], "sign_p": [math.nan]})
    found = rs.decide(result, {"test": "sign_p", "least": 0.1})
    assert found["decision"].to_list() == ["INCONCLUSIVE"]


@pytest.mark.parametrize("rule", [{}, {"alpha": 0.01}, {"size": "estimate"}, {"n": 0}])
def test_a_rule_needs_a_criterion(rule: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="without a criterion"):
        rs.decide(pl.DataFrame({"x": [1, 2]}), rule)
    with pytest.raises(RuleError, match="without a criterion"):
        rs.Rule(**rule)


@pytest.mark.parametrize(
    "test", ["difference", "reading", "n_missing", "baseline_only", "sign_log_p", "method", "low"]
)
def test_a_test_is_a_column_of_p_values(test: str) -> None:
    trials = pl.DataFrame(
        {"arm": ["t"] * 6 + ["b"] * 6, "item": [*range(6)] * 2, "hit": [1] * 6 + [0] * 6}
    )
    design: dict[str, Any] = {"contrast": "arm", "baseline": "b", "pair_by": "item"}
    result = rs.compare(trials, "hit", **design, cluster="item", adjust="holm")
    with pytest.raises(ColumnError, match="of p-values there are 'mcnemar_p', 'sign_p', "):
        rs.decide(result, {"test": test})
    for known in ("sign_p", "sign_p_adjusted"):
        assert rs.decide(result, {"test": known})["decision"].to_list() == ["PASS"]
    one = pl.DataFrame({"p": [0.01], "pvalue": [0.5], "log_pvalue": [-4.0]})
    assert rs.decide(one, {"test": "p"})["decision"].to_list() == ["PASS"]
    assert rs.decide(one, {"test": "pvalue"})["decision"].to_list() == ["FAIL"]
    with pytest.raises(ColumnError, match="there are 'p', 'pvalue'"):
        rs.decide(one, {"test": "log_pvalue"})


@pytest.mark.parametrize(
    "rule",
    [
        rs.Rule(test="flip_p", alpha=0.01, least=0.1, most=0.5, direction="down", n=3),
        rs.Rule(size="estimate", judged="interval", direction="up", least=0.9, n_clusters=8),
    ],
)
def test_rules_survive_being_written(rule: rs.Rule) -> None:
    assert rs.Rule.from_dict(rule.to_dict()) == rule
    assert rs.Rule.from_json(rule.to_json()) == rule
    with pytest.raises(AttributeError):
        rule.alpha = 0.1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"alpha": 0}, "alpha=0 must be a number between 0 and 1"),
        ({"alpha": 5}, "alpha=5"),
        ({"alpha": "0.05"}, "alpha='0.05'"),
        ({"direction": "higher"}, "use one of 'either', 'up', 'down'"),
        ({"judged": "both"}, "'estimate', 'interval'"),
        ({"n": -1}, "whole number"),
        ({"n_clusters": 2.5}, "whole number"),
        ({"least": math.nan}, "finite"),
        ({"most": "big"}, "finite"),
        ({"least": 0.5, "most": 0.1}, "least=0.5 is above most=0.1"),
        ({"test": 3}, "name of a column"),
        ({"test": ""}, "name of a column"),
        ({"size": None}, "name of a column"),
        ({"judged": "interval", "least": 0.1}, "needs a direction"),
        ({"judged": "interval", "direction": "up"}, "needs least or most"),
        ({"alfa": 0.05}, "a rule has no 'alfa'"),
    ],
)
def test_rules_are_checked(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        rs.Rule.from_dict(parts)


@pytest.mark.parametrize("text", ["", "[1]", "3", "{", '{"alpha": 7}', "null"])
def test_json_is_checked(text: str) -> None:
    with pytest.raises(RuleError):
        rs.Rule.from_json(text)


@pytest.mark.parametrize(
    ("columns", "rule", "message"),
    [
        ({"x": [1]}, {"test": "sign_p"}, "no column 'sign_p'"),
        ({"sign_q": [1]}, {"test": "sign_p"}, "did you mean 'sign_q'"),
        ({"x": [1]}, {"least": 0.1}, "no column 'difference'"),
        ({"x": [1]}, {"n": 3}, "no column 'n'"),
        ({"difference": ["a"]}, {"least": 0.1}, "must be of numbers"),
        ({"decision": [1]}, {"n": 1}, "'decision' already"),
        ({"failed": [1]}, {"n": 1}, "'failed' already"),
    ],
)
def test_results_are_checked(columns: Any, rule: dict[str, Any], message: str) -> None:
    with pytest.raises(ColumnError, match=message):
        rs.decide(pl.DataFrame(columns), rule)


def test_every_pair_of_clauses_names_both() -> None:
    result = pl.DataFrame({"n": [1], "n_clusters": [1], "difference": [0.0], "sign_p": [0.9]})
    parts: dict[str, Any] = {"n": 5, "n_clusters": 5, "test": "sign_p", "least": 0.1}
    for names in itertools.combinations(parts, 2):
        found = rs.decide(result, {name: parts[name] for name in names})
        assert len(found["failed"][0].split("; ")) == 2
