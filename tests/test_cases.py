"""Cases of statistics, from the reference material, that the package answers."""

import inspect
import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

import reclaimstats as rs
from reclaimstats.errors import OptionError
from reference.stats import quantiles

Row = dict[str, Any]
Check = Callable[[Row, Row], None]

CHECKS: dict[str, Check] = {}
# Cases of statistics that nothing answers.
PENDING = {"B107": "no correlation coefficient is on offer, so that none can be 0 / 0"}
AREAS = (
    *("boot", "se", "perm", "mcnemar", "gate", "paired", "kappa", "fisher", "wilcoxon"),
    *("prop", "multiple", "power", "corr", "passk", "score.missing"),
)


def checks(identifier: str) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        CHECKS[identifier] = check
        return check

    return register


@pytest.fixture(scope="module")
def cases(reference: Path) -> dict[str, Row]:
    path = reference / "cases" / "scoring_and_statistics.jsonl"
    if not path.is_file():
        pytest.skip(f"no file {path}")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["id"]: row for row in rows if row["area"].startswith(AREAS)}


def test_every_case_has_a_check(cases: dict[str, Row]) -> None:
    assert set(cases) == set(CHECKS) | set(PENDING)
    assert not set(CHECKS) & set(PENDING)


@checks("B051")
def clustered_errors(given: Row, expected: Row) -> None:
    trials = pl.DataFrame({"ok": given["values"], "cluster": given["cluster"]})
    half = {
        cluster: rs.rate(trials, "ok", cluster=cluster, method="t").select(
            pl.col("high") - pl.col("estimate")
        )
        for cluster in (None,)
    }
    assert half[None].item() / 2.200985 == pytest.approx(expected["naive"], rel=1e-4)
    # With equal clusters CR2 is CR1, and t has 3 degrees of freedom; the limit is cut at 1.
    pairs = pl.concat(
        trials.with_columns(arm=pl.lit(arm), item=pl.int_range(pl.len()), ok=ok)
        for arm, ok in (("new", pl.col("ok")), ("old", pl.lit(0, pl.Int64)))
    )
    row = rs.compare(
        pairs, "ok", contrast="arm", baseline="old", pair_by="item", cluster="cluster"
    ).row(0, named=True)
    assert row["standard_error"] == pytest.approx(expected["naive"], rel=1e-5)
    assert row["standard_error_clustered"] == pytest.approx(expected["CR1"], rel=1e-5)
    for variance in ("CR0", "CR1"):
        found = rs.stats.mean(given["values"], cluster=given["cluster"], variance=variance.lower())
        assert found.standard_error == pytest.approx(expected["naive"], rel=1e-5)
        assert found.standard_error_clustered == pytest.approx(expected[variance], rel=1e-5)
    assert row["standard_error_clustered"] * math.sqrt(3 / 4) == pytest.approx(expected["CR0"])


@checks("B053")
def nothing_has_no_mean(given: Row, expected: Row) -> None:
    result = rs.stats.rate(given["scores"])
    assert (result.estimate, result.low, result.n) == (expected["mean"], expected["se"], 0)


@checks("B055")
def missing_is_said(given: Row, expected: Row) -> None:
    lost, wrong = given["errors"], given["n"] - given["correct"] - given["errors"]
    outcomes = [1] * given["correct"] + [0] * wrong + [None] * lost
    dropped = rs.stats.rate(outcomes)
    assert round(dropped.estimate or 0, 4) == expected["dropped"]
    assert dropped.n_missing == lost
    as_wrong = rs.stats.rate(pl.Series(outcomes).fill_null(0))
    assert as_wrong.estimate == expected["as_wrong"]


@checks("B061")
@checks("B067")
def draws_are_those_of_the_seed(given: Row, expected: Row) -> None:
    trials = pl.DataFrame({"ok": [0, 1, 1, 0, 1, 1, 1], "cluster": [1, 1, 2, 3, 3, 3, 4]})
    options: Any = {"cluster": "cluster", "method": "percentile", "seed": given["seed"]}
    results = [rs.rate(trials, "ok", **options).rows() for _ in range(given.get("runs", 3))]
    assert all(result == results[0] for result in results)
    assert expected.get("distinct_results", 1) == 1


@checks("B073")
def no_discordant_pairs(given: Row, expected: Row) -> None:
    assert rs.stats.mcnemar(given["b"], given["c"]).pvalue == expected["p"]
    figure = {"figure": "p", "printed": "1", "treatment_only": 0, "baseline_only": 0}
    tables = rs.audit(figure).tables
    assert tables["pvalue"].to_list() == [1.0] * 4


@checks("B075")
@checks("B077")
def equal_discordant_counts(given: Row, expected: Row) -> None:
    counts = {"treatment_only": given["b"], "baseline_only": given["c"]}
    tests = rs.audit({"figure": "p", "printed": "<= 1", **counts}).tables
    values = dict(tests.select("method", "pvalue").rows())
    method = "mcnemar-continuity" if given.get("correction") else "mcnemar-exact"
    assert values[method] == expected["p"]
    assert rs.stats.mcnemar(given["b"], given["c"]).pvalue == 1.0


@checks("B079")
def four_tests(given: Row, expected: Row) -> None:
    counts = {"treatment_only": given["b"], "baseline_only": given["c"]}
    tests = rs.audit({"figure": "p", "printed": "<= 1", **counts}).tables
    values = dict(tests.select("method", "pvalue").rows())
    assert values["mcnemar-exact"] == pytest.approx(expected["exact"], rel=1e-5)
    assert values["mcnemar-continuity"] == pytest.approx(expected["chi2_cc"], rel=1e-5)
    assert values["mcnemar-asymptotic"] == pytest.approx(expected["chi2"], rel=1e-3)
    assert values["mcnemar-mid-p"] == pytest.approx(expected["mid_p"], rel=1e-3)


@checks("B083")
def unpaired_items_are_counted(given: Row, expected: Row) -> None:
    trials = pl.DataFrame(
        [
            {"arm": arm, "item": item, "ok": ok}
            for arm in ("A", "B")
            for item, ok in given[arm].items()
        ]
    )
    row = rs.compare(trials, "ok", contrast="arm", baseline="B", pair_by="item").row(0, named=True)
    assert row["n_pairs"] == expected["n_pairs"]
    assert row["n_unpaired_treatment"] == expected["only_A"]
    assert row["n_unpaired_baseline"] == expected["only_B"]


@checks("B093")
@checks("B095")
def fourfold_tables(given: Row, expected: Row) -> None:
    assert rs.stats.fisher(given["table"]).pvalue == pytest.approx(expected["p"], abs=5e-7)


@checks("B099")
@checks("B101")
def rates_at_an_edge(given: Row, expected: Row) -> None:
    outcomes = [1] * given["k"] + [0] * (given["n"] - given["k"])
    for method, name in (("clopper-pearson", "cp"), ("wilson", "wilson")):
        result = rs.stats.rate(outcomes, method=method)
        assert 0 <= result.low <= result.high <= 1  # type: ignore[operator]
        if name in expected:
            assert [round(result.low or 0, 6), round(result.high or 0, 6)] == expected[name]
    if "upper_max" in expected:
        assert rs.stats.rate(outcomes).high == expected["upper_max"]


@checks("B103")
def at_the_level_is_rejected(given: Row, expected: Row) -> None:
    assert (rs.stats.adjust([given["p_adj"]], method="holm")[0] <= given["alpha"]) is expected[
        "reject"
    ]


@checks("B109")
def more_than_was_sampled(given: Row, expected: Row) -> None:
    solved = [1] * given["solved"] + [0] * (given["problems"] - given["solved"])
    result = rs.stats.pass_at_k(solved, given["samples"], k=given["k"])
    assert "undefined" in expected[f"pass@{given['k']}"]
    assert (result.estimate, result.n_short) == (None, given["problems"])
    assert result.reason == "k is more than the trials of any item"


@checks("B111")
def a_missing_reward(given: Row, expected: Row) -> None:
    trials = pl.DataFrame({"task": "t", "reward": given["task_rewards"]})
    table = rs.repeats(trials, "reward", item="task", k=[3, 4]).filter(statistic="pass^k")
    assert table["estimate"].to_list() == [expected["pass^3"], expected["pass^4"]]
    assert table["n_missing"].to_list() == [expected["n_missing"]] * 2


def test_levels_in_percent_are_refused() -> None:
    with pytest.raises(OptionError):
        rs.stats.pass_at_k([1], 1, k=1, confidence_level=95)


def test_case(cases: dict[str, Row]) -> None:
    for identifier, check in CHECKS.items():
        check(cases[identifier]["input"], cases[identifier]["expected"])


@checks("B059")
def errors_of_few(given: Row, expected: Row) -> None:
    assert (given["scores"], expected["se"]) == ("10 rows of 0/1", "sd/sqrt(n) ~ 0.16 at n=10")
    assert rs.stats.mean([0] * 5 + [1] * 5).standard_error == pytest.approx(1 / 6)


@checks("B071")
@checks("B069")
def permutations(given: Row, expected: Row) -> None:
    found = rs.stats.permutation(given["x"], given["y"])
    assert found.pvalue == pytest.approx(expected["p"], rel=1e-6)


@checks("B081")
def tasks_are_the_unit(given: Row, expected: Row) -> None:
    found = rs.stats.sign_flip([1] * given["tasks"], alternative="greater")
    assert found.pvalue == expected["p_one_sided"]


@checks("B089")
def kappa_of_one_category(given: Row, expected: Row) -> None:
    found = rs.stats.cohen_kappa(given["a"], given["b"])
    assert (found.estimate, found.agreement) == (expected["kappa"], expected["po"])


@checks("B091")
def kappa_of_counts(given: Row, expected: Row) -> None:
    found = rs.stats.agreement_of_counts(given["counts"], coefficient="fleiss")
    assert found.estimate == pytest.approx(expected["kappa"], rel=1e-12)
    assert found.low <= found.estimate <= found.high


@checks("B097")
def ranks_of_nothing(given: Row, expected: Row) -> None:
    assert rs.stats.wilcoxon(given["d"]).pvalue == expected["p"]


@checks("B105")
def detectable_of_pairs(given: Row, expected: Row) -> None:
    found = rs.stats.power(
        design="paired", n=given["n"], power=given["power"], alpha=given["alpha"], sd=1.0,
        correlation=0.5,
    )  # fmt: skip
    assert found.effect == pytest.approx(expected["d"], abs=5e-5)


@checks("B125")
def detectable_of_groups(given: Row, expected: Row) -> None:
    # The figure quoted takes the variance of the baseline in both groups, and the normal quantile.
    sd = math.sqrt(given["p"] * (1 - given["p"]))
    for power, effect in zip(given["power"], expected["mde_independent"], strict=True):
        found = rs.stats.power(design="unpaired", n=given["n"], power=power, sd=sd, method="normal")
        assert found.effect == pytest.approx(effect, abs=5e-6)


@checks("B045")
def constants_have_a_point_and_a_flag(given: Row, expected: Row) -> None:
    assert given["data"] == "96 ones"
    ones = [1] * 96
    # The percentile that BCa falls back to is the point, with the exact bound as its flag.
    found = rs.stats.rate(ones, method="percentile")
    assert [found.low, found.high] == expected["ci"]
    assert found.bound_low == pytest.approx(0.05 ** (1 / 96))
    # Of scores there is no such bound: the flag is a reason, and no interval without width.
    mean = rs.stats.mean(ones, method="bca")
    assert (mean.estimate, mean.low, mean.reason) == (1.0, None, "nothing varies")


@checks("B063")
def clusters_are_left_out_one_by_one(given: Row, expected: Row) -> None:
    """BCa over clusters is BCa over what clusters are, here of one size, so also its jackknife."""
    assert (given["design"], expected["jackknife"]) == (
        "cluster bootstrap + BCa",
        "leave one cluster out",
    )
    means = [0.0, 0.125, 0.0, 0.375, 0.25, 0.125, 0.875, 0.5, 0.0, 0.25, 1.625, 0.375]
    clusters = [[mean - 0.125, mean + 0.125, mean] for mean in means]
    options: Any = {"method": "bca", "n_resamples": 400_000}
    found = rs.stats.mean(
        [score for cluster in clusters for score in cluster],
        cluster=[place for place, cluster in enumerate(clusters) for _ in cluster],
        **options,
    )
    of_means = rs.stats.mean(means, **options)
    # Limits are values that resamples take, in steps of a twelfth of an eighth.
    assert found.low == pytest.approx(of_means.low, abs=0.0105)
    assert found.high == pytest.approx(of_means.high, abs=0.0105)
    # Leaving out trials would take less for the skewness, and reach less far.
    plain = rs.stats.mean(means, method="percentile", n_resamples=400_000)
    assert found.high is not None
    assert plain.high is not None
    assert found.high > plain.high + 0.05


@checks("B047")
def basic_limits_are_rates(given: Row, expected: Row) -> None:
    assert (given["data"], given["method"]) == ("95 ones, 1 zero", "basic")
    found = rs.stats.rate([1] * 95 + [0], method="basic")
    assert [round(found.low or 0, 4), found.high] == expected["ci_clipped"]
    assert found.reason == "a limit beyond 0 or 1 was cut off"
    within = rs.stats.rate([1] * 50 + [0] * 46, method="basic")
    assert within.reason is None


@checks("B049")
def no_statistic_comes_from_a_user(given: Row, expected: Row) -> None:
    """A statistic that is a tuple cannot be mistaken for two: none is taken, of whatever kind."""
    assert (given["statistic"], expected["error"]) == (
        "(value, pvalue)",
        "statistic must return a scalar",
    )
    verbs = [getattr(rs, name) for name in rs.__all__]
    verbs += [getattr(rs.stats, name) for name in rs.stats.__all__]
    for verb in filter(inspect.isfunction, verbs):
        assert "statistic" not in inspect.signature(verb).parameters
    with pytest.raises(TypeError, match="statistic"):
        rs.stats.permutation([1, 2], [3, 4], statistic=lambda x, y: (x, y))  # type: ignore[call-arg]


@checks("B057")
def strata_do_not_add_what_differs_between_them(given: Row, expected: Row) -> None:
    assert "stratified SE = sqrt(sum (n_i/N)^2 se_i^2)" in expected["pooled_se"]
    trials = pl.DataFrame({"task": range(2), "score": given["subtask_scores"]}).explode("score")
    share = pl.col("n") / pl.col("n").sum()
    pooled = (share * pl.col("standard_error")).pow(2).sum().sqrt()
    found = rs.mean(trials, "score", by="task").select(pooled).item()
    assert found == pytest.approx(math.sqrt((1 / 12 + 1 / 16) / 4), rel=1e-14)
    assert round(found, 5) == 0.19094
    assert rs.stats.mean(trials["score"]).standard_error != pytest.approx(found, rel=1e-2)
    # Rows that are clusters say the same.
    rows = trials.with_row_index("row")
    clustered = rs.mean(rows, "score", by="task", cluster="row").rename(
        {"standard_error": "plain", "standard_error_clustered": "standard_error"}
    )
    assert clustered.select(pooled).item() == pytest.approx(found, rel=1e-14)


@checks("B065")
def percentiles_are_not_interpolated(given: Row, expected: Row) -> None:
    """The rule is fixed and documented in docs/intervals.md; it is not that of type 7."""
    ways = dict.fromkeys(given["values"], 1)
    low, high = quantiles(ways, Fraction(given["q"]))
    assert (low, high) == (2, 3)
    assert np.quantile(given["values"], given["q"]) == expected["linear"] == (low + high) / 2
    assert high == expected["nearest"]
    for hits, tail in ((37, 0.025), (48, 0.05), (95, 0.25)):
        found = rs.stats.rate(
            [1] * hits + [0] * (96 - hits), method="percentile", confidence_level=1 - 2 * tail
        )
        assert found.low == binom.ppf(tail, 96, hits / 96) / 96
        assert found.high == (96 - binom.ppf(tail, 96, 1 - hits / 96)) / 96
        # Of draws, type 7 is less than a step away.
        draws = np.random.default_rng(0).binomial(96, hits / 96, 200_000) / 96
        assert found.low == pytest.approx(np.quantile(draws, tail), abs=1.001 / 96)
