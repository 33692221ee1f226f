"""Published figures of the reference harness, from its own result files, to the last bit."""

import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import reclaimstats as rs

Row = dict[str, Any]

REPLAY: dict[str, Any] = {"method": "percentile", "resampler": "cpython"}
INTEGRITY = [
    f"fix_{model}_{task}"
    for model in ("meta-llama_llama-3.1-8b-instruct", "x-ai_grok-4.3-20260430")
    for task in ("arith", "logic")
]
DEPLOYED = [
    f"realworld_meta-llama_llama-3.1-8b-instruct_{task}_t0.7" for task in ("arith", "logic")
]
BLANK = ["llama", "deepseek_deepseek-chat", "openai_gpt-4o-mini", "claude-sonnet-4-6"]
PAIRED: dict[str, Any] = {
    "contrast": "variant",
    "baseline": "langchain_summary",
    "pair_by": ["seed", "pid"],
}
SUMMARY_AND_AUTO = pl.col("variant").is_in(["langchain_summary", "source_first_auto"])


def read(results: Path, name: str) -> pl.DataFrame:
    return pl.read_ndjson(results / f"{name}.jsonl", infer_schema_length=None)


def directed(results: Path, name: str) -> pl.DataFrame:
    """Trials of the directed arm on the problems that were not superseded."""
    problems = read(results, "problems")["pid"].implode()
    return read(results, name).filter(pl.col("pid").is_in(problems), arm="directed")


def assert_printed(found: Row, printed: Row) -> None:
    """Equal as bits: the figures are doubles, written so that they read back as themselves."""
    assert found["n"] == printed["n"]
    for name, value in (("estimate", "mean"), ("low", "low"), ("high", "high")):
        assert found[name] == printed[value], f"{name}: {found[name]!r} in {printed}"
    assert (found["method"], found["n_resamples"], found["seed"]) == ("percentile-cpython", 5000, 0)


def assert_neighbours(replay: Row, exact: Row, default: Row, clustered: Row) -> None:
    """What holds between the published interval and those that are offered beside it."""
    n = replay["n"]
    assert exact["method"] == "percentile-exact"
    for limit in ("low", "high"):
        # 5,000 draws leave the limit at most one trial away from where endless draws put it.
        assert abs(replay[limit] - exact[limit]) * n < 1 + 1e-9
    assert default["method"] == "wilson"
    assert clustered["method"] == "wilson-effective"
    for row in (default, clustered):
        assert row["estimate"] == replay["estimate"]
        assert 0 <= row["low"] <= row["estimate"] <= row["high"] <= 1
        assert row["high"] - row["low"] > 0.02
    if replay["estimate"] in {0.0, 1.0}:
        assert exact["low"] == exact["high"] == replay["low"] == replay["high"]
    # Wilson's interval is pulled towards one half, a percentile interval is not.
    centre = (default["low"] + default["high"]) / 2
    assert abs(centre - 0.5) <= abs(replay["estimate"] - 0.5)


def methods(trials: pl.DataFrame, by: list[str]) -> list[dict[tuple[Any, ...], Row]]:
    calls: list[Row] = [REPLAY, {"method": "percentile"}, {}, {"cluster": "pid"}]
    return [
        {
            tuple(row[name] for name in by): row
            for row in rs.rate(trials, "correct", by=by, **options).to_dicts()
        }
        for options in calls
    ]


@pytest.mark.parametrize("name", INTEGRITY)
def test_integrity_cells(results: Path, expected: Row, name: str) -> None:
    printed = expected["integrity"][name]
    tables = methods(directed(results, name), ["integrity", "policy"])
    assert all(len(table) == len(printed) == 12 for table in tables)
    for figures in printed:
        replay, *others = (table[figures["integrity"], figures["policy"]] for table in tables)
        assert_printed(replay, figures)
        assert_neighbours(replay, *others)


@pytest.mark.parametrize("name", DEPLOYED)
def test_deployed_cells(results: Path, expected: Row, name: str) -> None:
    printed = expected["deployed"][name]
    tables = methods(directed(results, name), ["variant"])
    assert all(len(table) == len(printed) == 6 for table in tables)
    for figures in printed:
        replay, *others = (table[figures["variant"],] for table in tables)
        assert_printed(replay, figures)
        assert_neighbours(replay, *others)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("name", DEPLOYED)
def test_paired_differences(results: Path, expected: Row, name: str, lazy: bool) -> None:
    printed = expected["paired_auto_minus_summary"][name]
    trials: Any = directed(results, name).filter(SUMMARY_AND_AUTO)
    trials = trials.lazy() if lazy else trials
    row = rs.compare(trials, "correct", **PAIRED, **REPLAY).row(0, named=True)
    assert row["treatment_level"] == "source_first_auto"
    assert_printed(row | {"n": row["n_pairs"], "estimate": row["difference"]}, printed)
    assert (row["treatment_only"], row["baseline_only"]) == (printed["only_a"], printed["only_b"])
    assert (row["n_unpaired_treatment"], row["n_unpaired_baseline"], row["n_missing"]) == (0, 0, 0)

    exact = rs.compare(trials, "correct", **PAIRED, method="percentile").row(0, named=True)
    assert exact["method"] == "percentile-exact"
    for limit in ("low", "high"):
        assert abs(row[limit] - exact[limit]) * row["n_pairs"] < 1 + 1e-9
    for cluster, method in ((None, "newcombe"), ("pid", "square-and-add")):
        default = rs.compare(trials, "correct", **PAIRED, cluster=cluster).row(0, named=True)
        assert default["method"] == method
        assert default["difference"] == row["difference"]
        assert default["low"] < default["difference"] < default["high"]


def test_tests_over_pairs_and_problems(results: Path) -> None:
    """The two notes of the deployed arithmetic memories: 28 to 11 pairs, 15 to 6 problems."""
    trials = directed(results, DEPLOYED[0]).filter(SUMMARY_AND_AUTO)
    row = rs.compare(trials, "correct", cluster="pid", **PAIRED).row(0, named=True)
    assert (row["n_pairs"], row["n_clusters"]) == (96, 32)
    assert (row["treatment_only"], row["baseline_only"]) == (28, 11)
    assert (row["clusters_positive"], row["clusters_negative"]) == (15, 6)
    assert row["clusters_tied"] == 11
    assert round(row["mcnemar_p"], 4) == 0.0095
    assert round(row["sign_p"], 3) == 0.078
    assert round(row["permutation_p"], 4) == 0.0211
    assert round(row["flip_p"], 4) == 0.0280
    assert row["reading"] == (
        "tests disagree at 0.05: mcnemar_p, permutation_p, flip_p reject, sign_p not"
    )
    # Over problems the evidence is weaker than over pairs, and the interval says so.
    alone = rs.compare(trials, "correct", **PAIRED).row(0, named=True)
    assert row["high"] - row["low"] > alone["high"] - alone["low"]
    assert alone["low"] > 0


def test_all_variants_in_one_call(results: Path, expected: Row) -> None:
    for name in DEPLOYED:
        table = rs.compare(directed(results, name), "correct", cluster="pid", **PAIRED)
        assert table.height == 5
        assert table["n_pairs"].to_list() == [96] * 5
        means = {row["variant"]: row["mean"] for row in expected["deployed"][name]}
        assert dict(zip(table["treatment_level"], table["treatment"], strict=True)) == {
            variant: mean for variant, mean in means.items() if variant != PAIRED["baseline"]
        }
        assert set(table["baseline"]) == {means[PAIRED["baseline"]]}


@pytest.mark.parametrize("model", BLANK)
def test_blank_and_lossy_notes_at_the_wall(results: Path, expected: Row, model: str) -> None:
    trials = read(results, f"blank_strict_{model}")
    for policy, printed in expected["blank_vs_lossy"][f"blank_strict_{model}"].items():
        for bucket, count in printed.items():
            outcome = pl.col("attractor") if bucket == "attractor" else pl.col("bucket") == bucket
            table = rs.rate(trials, outcome, by="policy", cluster="pid")
            row = table.filter(policy=policy).row(0, named=True)
            assert (row["n"], row["n_clusters"]) == (96, 32)
            assert row["estimate"] == count / 96
            if count in {0, 96}:
                # Nothing in 96 is not nothing at all.
                assert 0 < row["high"] - row["low"] < 0.25
                assert math.isclose(
                    row["bound_high"] if count == 0 else 1 - row["bound_low"],
                    1 - 0.05 ** (1 / 32),
                    rel_tol=1e-12,
                )


def test_size_boundary(results: Path, expected: Row) -> None:
    """Notes that keep every item of the store and those that had to drop some."""
    trials = read(results, "sizesweep_llama").filter(policy="source_first")
    whole = pl.when(pl.col("k_items") >= pl.col("n")).then(pl.lit("full"))
    trials = trials.with_columns(kept=whole.otherwise(pl.lit("truncated")))
    table = rs.rate(trials, "correct", by="kept", **REPLAY)
    assert set(table["kept"]) == expected["size_cliff"].keys()
    for row in table.to_dicts():
        assert_printed(row, expected["size_cliff"][row["kept"]])


def test_reclaim_along_a_cascade(results: Path, expected: Row) -> None:
    by = ["H", "policy", "planted"]
    trials = read(results, "cascade_meta-llama_llama-3.1-8b-instruct")
    table = {
        tuple(row[name] for name in by): row for row in rs.rate(trials, "reclaim", by=by).to_dicts()
    }
    assert len(table) == len(expected["cascade"])
    for printed in expected["cascade"]:
        row = table[tuple(printed[name] for name in by)]
        assert (row["n"], row["estimate"]) == (printed["chains"], printed["reclaim"])
