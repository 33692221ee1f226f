"""Mean scores of independent groups, and verdicts on scores, against twins, SciPy and themselves.

`PYTHONPATH=tests python tests/test_scored_groups.py` prints tables of docs/scores.md.
"""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reference import scored as twin
from test_compare_means import CALIBRES, PAIRED, SHAPES, assert_like, example, pairs_table, studies

ARMS: dict[str, Any] = {"contrast": "arm", "baseline": "b"}
TESTS = ["welch_p", "mann_whitney_p", "permutation_p"]


def groups_table(treatment: Any, baseline: Any) -> pl.DataFrame:
    """Scores of clusters of the arms "t" and "b", each arm with clusters of its own."""
    rows = [
        (arm, f"{arm}{user}", score)
        for arm, clusters in (("t", treatment), ("b", baseline))
        for user, cluster in enumerate(clusters)
        for score in cluster
    ]
    schema = {"arm": pl.String, "user": pl.String, "score": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def unpaired(trials: Any, **options: Any) -> dict[str, Any]:
    return rs.compare_means_unpaired(trials, "score", **(ARMS | options)).row(0, named=True)


# --- independent groups


@st.composite
def groups(draw: st.DrawFn) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    below, above = CALIBRES[draw(st.sampled_from(sorted(CALIBRES)))]
    score = st.sampled_from([Fraction(value, below) for value in above])
    clusters = st.lists(st.lists(score, min_size=1, max_size=2), min_size=1, max_size=4)
    return draw(clusters), draw(clusters)


@given(groups(), st.booleans(), st.sampled_from([0.8, 0.95]), st.sampled_from(["auto", "welch"]))
@settings(max_examples=100, deadline=None)
def test_groups_agree_with_the_twin(
    arms: tuple[list[list[Fraction]], list[list[Fraction]]],
    clustered: bool,
    level: float,
    method: str,
) -> None:
    floats = [[[float(score) for score in cluster] for cluster in arm] for arm in arms]
    found = unpaired(
        groups_table(*floats),
        cluster="user" if clustered else None,
        method=method,
        confidence_level=level,
    )
    expected = twin.unpaired(
        *arms, clustered=clustered, tail=(1 - level) / 2, welch=method == "welch"
    )
    expected["n_clusters_treatment"] = len(arms[0]) if clustered else None
    assert_like(found, expected)
    assert (found["low"] is None) == (found["reason"] is not None)
    for test in TESTS:
        p, log_p = found[test], found[test.replace("_p", "_log_p")]
        assert p is None or math.log(p) == pytest.approx(log_p, abs=1e-12)


def test_groups_match_scipy() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.normal(0.5, size=11), rng.normal(0.0, 2.0, size=8)
    trials = groups_table([first.tolist()], [second.tolist()])
    found = unpaired(trials, method="welch", confidence_level=0.9)
    expected = scipy.stats.ttest_ind(first, second, equal_var=False)
    interval = expected.confidence_interval(0.9)
    assert (found["low"], found["high"]) == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert found["welch_p"] == pytest.approx(expected.pvalue, rel=1e-9)
    ranks = scipy.stats.mannwhitneyu(first, second, method="exact")
    assert found["mann_whitney_p"] == pytest.approx(ranks.pvalue, rel=1e-9)
    few = [first[:6], second[:5]]
    shuffled = scipy.stats.permutation_test(
        few,
        lambda a, b: abs(np.mean(a) - np.mean(b)),
        alternative="greater",
        n_resamples=np.inf,
    )
    found = unpaired(groups_table(*([one.tolist()] for one in few)))
    assert found["permutation_p"] == pytest.approx(shuffled.pvalue, rel=1e-9)


@pytest.mark.parametrize("cluster", [None, "user"])
def test_outcomes_give_what_compare_unpaired_gives(cluster: str | None) -> None:
    rng = np.random.default_rng(9)
    rows = [
        (run, arm, f"{arm}{user}", float(rng.random() < ease))
        for run, arm, user in itertools.product(range(6), "tb", range(9))
        for ease in [rng.random()] * rng.integers(1, 5)
    ]
    names = ["run", "arm", "user", "score"]
    trials = pl.DataFrame(rows, schema=names, orient="row")
    keywords: dict[str, Any] = ARMS | {"by": "run", "cluster": cluster}
    found = rs.compare_means_unpaired(trials, "score", **keywords)
    expected = rs.compare_unpaired(trials, "score", **keywords)
    same = [name for name in expected.columns if name in found.columns]
    for name in ("low", "high", "method"):
        same.remove(name)
    if cluster is None:
        # Shuffled labels of outcomes are Fisher's test, and so are their ranks.
        expected = expected.with_columns(
            permutation_p="fisher_p", permutation_log_p="fisher_log_p", mann_whitney_p="fisher_p"
        )
        same.append("mann_whitney_p")
    assert_frame_equal(found.select(same), expected.select(same), rel_tol=1e-9, abs_tol=1e-14)


def test_no_order_of_rows_of_groups_matters() -> None:
    trials = example(3).with_columns(user=pl.col("arm") + pl.col("item").cast(pl.String))
    for cluster in (None, "user", "item"):
        keywords: dict[str, Any] = ARMS | {"by": "task", "cluster": cluster, "n_resamples": 99}
        expected = rs.compare_means_unpaired(trials, "score", **keywords)
        for seed in range(3):
            shuffled = trials.sample(fraction=1, shuffle=True, seed=seed)
            for frame in (shuffled, shuffled.lazy(), shuffled.to_arrow()):
                found = rs.compare_means_unpaired(frame, "score", **keywords)
                assert_frame_equal(found, expected, check_exact=True)
        alone = [
            rs.compare_means_unpaired(cell, "score", **keywords)
            for cell in trials.partition_by("task")
        ]
        assert_frame_equal(pl.concat(alone), expected, check_exact=True)
    assert (
        expected["reason"].to_list()
        == ["clusters in both arms cannot be shuffled between them"] * 4
    )
    assert expected["n_clusters_shared"].min() > 0  # type: ignore[operator]
    assert expected["permutation_p"].null_count() == 4


def test_degenerate_groups_have_a_reason() -> None:
    for treatment, baseline, cluster, reason in (
        ([[None]], [[None]], None, "no trials with an outcome"),
        ([[None]], [[1.0]], None, "no trials of the treatment with an outcome"),
        ([[1.0]], [[None]], None, "no trials of the baseline with an outcome"),
        ([[1.0], [2.0]], [[None]], "user", "no trials of the baseline with an outcome"),
        ([[1.0]], [[2.0, 3.0]], None, "one trial says nothing of the spread"),
        ([[1.0, 1.0]], [[2.0, 2.0]], None, "nothing varies"),
        ([[1.0, 2.0]], [[2.0], [3.0]], "user", "one cluster"),
        ([[1e308, 1e308]], [[2.0, 3.0]], None, "scores too large to add up"),
    ):
        row = unpaired(groups_table(treatment, baseline), cluster=cluster)
        assert (row["low"], row["reason"]) == (None, reason)
        for value in row.values():
            assert not isinstance(value, float) or math.isfinite(value)
        for test in TESTS:
            assert row[test] is None or 0 < row[test] <= 1
    beside = unpaired(groups_table([[1.0, 1.0, 1.0]], [[0.0, 0.5, 0.1]]))
    assert beside["low"] < beside["difference"] < beside["high"]
    drawn = unpaired(
        groups_table([np.arange(60) ** 2.5], [np.arange(50) ** 1.5 + 0.1]), n_resamples=99
    )
    assert (drawn["n_resamples"], drawn["seed"]) == (99, 0)


def test_rank_tests_say_how_they_were_found() -> None:
    generator = np.random.default_rng(4)
    for size, method in ((150, "exact"), (400, "asymptotic")):
        first, second = generator.random(size), generator.random(size)
        row = unpaired(groups_table([first], [second]))
        assert row["mann_whitney_method"] == method
        alone = rs.stats.mann_whitney(first, second)
        assert (alone.pvalue, alone.method) == (row["mann_whitney_p"], f"mann-whitney-{method}")
        exact = scipy.stats.mannwhitneyu(first, second, method=method, use_continuity=False)
        assert row["mann_whitney_p"] == pytest.approx(exact.pvalue, rel=1e-9)
    assert unpaired(groups_table([[1.0]], [[None]]))["mann_whitney_method"] is None


def test_what_groups_refuse() -> None:
    trials = groups_table([[1.0], [2.0]], [[0.0], [3.0]])
    with pytest.raises(OptionError, match="use one of 'auto', 'welch'"):
        unpaired(trials, method="t")
    with pytest.raises(DesignError, match="'user' is null or NaN in 1 trials"):
        unpaired(
            trials.with_columns(user=pl.when(pl.col("score") != 2).then("user")), cluster="user"
        )
    with pytest.raises(DesignError, match="does not occur"):
        unpaired(trials, baseline="x")
    with pytest.raises(DesignError, match="must not hold the contrast"):
        unpaired(trials, by="arm")
    with pytest.raises(ColumnError, match="infinite in 1 trials"):
        unpaired(groups_table([[math.inf]], [[1.0]]))
    rows = rs.compare_means_unpaired(example(), "score", by="task", adjust="holm", **ARMS)
    for test in TESTS:
        expected = rs.stats.adjust(rows[test].to_list(), method="holm")
        assert rows[f"{test}_adjusted"].to_list() == pytest.approx(list(expected))


# --- verdicts


def verdict(trials: Any, **options: Any) -> dict[str, Any]:
    return rs.equivalence_means(trials, "score", **(PAIRED | options)).row(0, named=True)


@given(st.integers(0, 10**6), st.sampled_from(["equivalence", "non-inferiority", "superiority"]))
@settings(max_examples=40, deadline=None)
def test_verdicts_are_those_of_tost(seed: int, alternative: str) -> None:
    rng = np.random.default_rng(seed)
    pairs = rng.integers(1, 6, size=(rng.integers(2, 30), 2)).astype(float)
    if rng.random() < 0.3:
        pairs[:, 0] = pairs[:, 1]
    items = rng.integers(0, 6, size=len(pairs)) if rng.random() < 0.5 else None
    trials = pairs_table(pairs.tolist(), None if items is None else items.tolist())
    margin, alpha = float(rng.choice([0.2, 0.5, 1.0, 2.0])), float(rng.choice([0.05, 0.1]))
    bounds = (1, 5) if rng.random() < 0.5 else None
    keywords: dict[str, Any] = {"margin": margin, "alternative": alternative, "alpha": alpha}
    found = verdict(
        trials,
        cluster=None if items is None else "item",
        method="t",
        bounds=bounds,
        **keywords,
    )
    expected = rs.stats.tost(
        pairs[:, 0] - pairs[:, 1],
        cluster=items,
        bounds=None if bounds is None else (-4, 4),
        **keywords,
    )
    for name in ("verdict", "n_clusters", "margin_low", "margin_high", "method", "reason"):
        assert found[name] == getattr(expected, name), name
    for name in ("low", "high"):
        value = getattr(expected, name)
        wanted = value if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)
        assert found[name] == wanted


def test_the_default_decides_by_the_interval_that_compare_means_gives() -> None:
    trials = example(7)
    keywords: dict[str, Any] = PAIRED | {"by": "task", "cluster": "item"}
    rows = rs.equivalence_means(trials, "score", margin=(-0.5, 2.0), **keywords)
    expected = rs.compare_means(trials, "score", confidence_level=0.9, **keywords)
    same = ["task", "treatment_level", "n_pairs", "difference", "low", "high", "method"]
    assert_frame_equal(rows.select(same), expected.select(same))
    inside = (pl.col("low") > -0.5) & (pl.col("high") < 2.0)
    assert rows.select(passed=inside)["passed"].to_list() == (rows["verdict"] == "PASS").to_list()
    shuffled = trials.sample(fraction=1, shuffle=True, seed=1).lazy()
    again = rs.equivalence_means(shuffled, "score", margin=(-0.5, 2.0), **keywords)
    assert_frame_equal(again, rows, check_exact=True)


def test_equal_differences_prove_nothing_without_bounds() -> None:
    same = pairs_table([(3.0, 3.0)] * 60)
    free = verdict(same, margin=0.25)
    assert (free["verdict"], free["low"]) == ("INCONCLUSIVE", None)
    assert free["reason"] == "all units show the same difference, and it has no bounds"
    bounded = verdict(same, margin=0.25, bounds=(1, 5))
    assert (bounded["verdict"], bounded["method"]) == ("PASS", "constant-exact")
    # One share u of units off by the range: 1 - 0.05^(1/60).
    assert bounded["high"] == pytest.approx(4 * (1 - 0.05 ** (1 / 60)), rel=1e-12)
    assert verdict(pairs_table([(3.0, 3.0)] * 30), margin=0.25, bounds=(1, 5))["verdict"] == (
        "INCONCLUSIVE"
    )
    shifted = verdict(pairs_table([(3.0, 2.0)] * 60), margin=0.25, bounds=(1, 5))
    assert shifted["verdict"] == "FAIL"
    none = verdict(pairs_table([(None, 1.0)]), margin=0.25)
    assert (none["verdict"], none["reason"]) == ("INCONCLUSIVE", "no pairs")


def test_what_verdicts_refuse() -> None:
    trials = pairs_table([(3.0, 2.0), (4.0, 5.0)])
    for options, message in (
        ({"margin": -1}, "must be above 0"),
        ({"margin": 5, "bounds": (1, 5)}, "must lie within what a difference can be"),
        ({"margin": 1, "bounds": (5, 1)}, "the least and the largest score"),
        ({"margin": 1, "bounds": 5}, "must be two numbers"),
        ({"margin": 1, "alpha": 0.6}, "alpha"),
    ):
        with pytest.raises(OptionError, match=message):
            verdict(trials, **options)
    with pytest.raises(ColumnError, match="1 scores lie outside bounds"):
        verdict(trials, margin=1, bounds=(1, 4))


# --- coverage and size by simulation


def apart(shape: str, sizes: tuple[int, int], n: int) -> pl.DataFrame:
    """Studies of two independent groups of so many clusters of three scores, correlated 0.5."""
    rng = np.random.default_rng([*sizes, list(SHAPES).index(shape)])
    tables = []
    for arm, clusters in zip("tb", sizes, strict=True):
        size = (n, clusters, 3)
        shared = rng.standard_normal((n, clusters, 1))
        normal = math.sqrt(0.5) * (shared + rng.standard_normal(size))
        study, user, _ = np.indices(size).reshape(3, -1)
        keys = {"study": study, "user": 2 * user + (arm == "t")}
        table = pl.DataFrame(keys | {"score": SHAPES[shape](normal).ravel()})
        tables.append(table.with_columns(arm=pl.lit(arm)))
    return pl.concat(tables)


def shares(shape: str, sizes: tuple[int, int], n: int, n_resamples: int) -> dict[str, float]:
    trials = apart(shape, sizes, n)
    found = {}
    for name, cluster, method in (
        ("default", "user", "auto"),
        ("welch", "user", "welch"),
        ("default without clusters", None, "auto"),
    ):
        rows = rs.compare_means_unpaired(
            trials,
            "score",
            by="study",
            cluster=cluster,
            method=method,
            n_resamples=n_resamples,
            **ARMS,
        )
        found[name] = rows.select(((pl.col("low") <= 0) & (pl.col("high") >= 0)).mean()).item()
        if name == "default":
            found |= {test: rows.select((pl.col(test) <= 0.05).mean()).item() for test in TESTS}
    return found


@pytest.mark.parametrize(("shape", "sizes"), [("judge, 1 to 5", (8, 24)), ("token F1", (8, 8))])
def test_groups_are_covered(shape: str, sizes: tuple[int, int]) -> None:
    found = shares(shape, sizes, 400, 99)
    assert found["default"] >= 0.935
    assert found["permutation_p"] <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)


def test_a_difference_at_the_margin_passes_no_more_often_than_alpha() -> None:
    trials = studies("judge, 1 to 5", 16, 600)
    rows = rs.equivalence_means(
        trials,
        pl.col("score") - 0.5 * (pl.col("arm") == "t"),
        margin=0.5,
        by="study",
        cluster="item",
        alternative="non-inferiority",
        **PAIRED,
    )
    assert (rows["verdict"] == "PASS").mean() <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 600)  # type: ignore[operator]


def tables() -> None:
    """Print tables of docs/scores.md."""
    names = ["default", "welch", "default without clusters", *TESTS]
    print(f"| scores | clusters | {' | '.join(names)} |\n{'| --- ' * (2 + len(names))}|")
    for shape, sizes in itertools.product(SHAPES, ((8, 8), (8, 32), (32, 32))):
        found = shares(shape, sizes, 1500, 199)
        shown = [f"{100 * found[name]:.1f}" for name in names]
        print(f"| {' | '.join([shape, f'{sizes[0]}, {sizes[1]}', *shown])} |", flush=True)
    print("\n| scores | clusters | default | t |\n| --- | --- | --- | --- |")
    for shape, clusters in itertools.product(SHAPES, (8, 16, 32)):
        trials = studies(shape, clusters, 1500)
        shown = []
        for method in ("auto", "t"):
            rows = rs.equivalence_means(
                trials,
                pl.col("score") - 0.5 * (pl.col("arm") == "t"),
                margin=0.5,
                by="study",
                cluster="item",
                alternative="non-inferiority",
                method=method,
                **PAIRED,
            )
            shown.append(f"{100 * (rows['verdict'] == 'PASS').mean():.1f}")  # type: ignore[operator]
        print(f"| {' | '.join([shape, str(clusters), *shown])} |", flush=True)


if __name__ == "__main__":
    tables()
