"""Independent groups: against definitions, SciPy and printed figures."""

import math
from collections.abc import Sequence
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
from reference import permutation
from reference import unpaired as twin
from strategies import PAIRED_TRIALS, frame, levels, outcome_types, paired_trials
from test_coverage import beta_rates

ALTERNATIVES = ["two-sided", "less", "greater"]
RESULT = {
    "treatment_level": pl.String,
    "baseline_level": pl.String,
    "n_treatment": pl.Int64,
    "n_baseline": pl.Int64,
    "n_clusters_treatment": pl.Int64,
    "n_clusters_baseline": pl.Int64,
    "n_clusters_shared": pl.Int64,
    "n_missing": pl.Int64,
    "treatment": pl.Float64,
    "baseline": pl.Float64,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "fisher_p": pl.Float64,
    "fisher_log_p": pl.Float64,
    "permutation_p": pl.Float64,
    "permutation_log_p": pl.Float64,
    "method": pl.String,
    "confidence_level": pl.Float64,
    "n_resamples": pl.Int64,
    "seed": pl.UInt64,
    "reason": pl.String,
}

# --- Barnard's test

small = st.integers(0, 7)


@given(
    table=st.tuples(st.tuples(small, small), st.tuples(small, small)),
    alternative=st.sampled_from(ALTERNATIVES),
)
def test_barnard_is_the_worst_rate(table: Any, alternative: str) -> None:
    result = rs.stats.barnard(table, alternative=alternative)
    at_rates = twin.barnard(table, alternative, np.linspace(0, 1, 301).tolist())
    # Nothing on the twin's grid is worse, and hardly anything between its points.
    assert result.pvalue >= max(at_rates) * (1 - 1e-9)
    assert result.pvalue <= max(at_rates) * 1.01
    (a, b), (c, d) = table
    if a * (c + d) != c * (a + b):
        fisher = rs.stats.fisher(table, alternative=alternative).pvalue
        assert result.pvalue <= 2 * fisher + 1e-12
    mirrored = {"less": "greater", "greater": "less"}.get(alternative, alternative)
    for turned, side in (
        ((table[1], table[0]), mirrored),
        (((b, a), (d, c)), mirrored),
    ):
        other = rs.stats.barnard(turned, alternative=side)
        assert math.isclose(other.log_pvalue, result.log_pvalue, abs_tol=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    "table", [[[43, 40], [10, 39]], [[7, 8], [12, 3]], [[1, 9], [11, 3]], [[30, 2], [21, 9]]]
)
def test_barnard_is_scipys(table: list[list[int]], alternative: Any) -> None:
    """SciPy's columns are the groups; it may stop short of the worst rate, but not beyond."""
    anchor = scipy.stats.barnard_exact(np.array(table).T, alternative=alternative, n=64)
    found = rs.stats.barnard(table, alternative=alternative)
    assert found.pvalue == pytest.approx(anchor.pvalue, rel=2e-3)
    assert found.pvalue >= anchor.pvalue * (1 - 1e-9)


def test_barnard_of_large_and_deep_tables() -> None:
    result = rs.stats.barnard([[2000, 0], [0, 2000]])
    assert result.log_pvalue == pytest.approx(-3999 * math.log(2), abs=1e-8)
    assert result.pvalue == 2.2250738585072014e-308
    one = rs.stats.barnard([[520, 480], [470, 530]])
    chi2 = scipy.stats.chi2_contingency([[520, 480], [470, 530]], correction=False).pvalue
    assert one.pvalue == pytest.approx(chi2, rel=0.06)
    with pytest.raises(OptionError, match="5001 trials"):
        rs.stats.barnard([[5001, 0], [0, 1]])
    assert rs.stats.barnard([[5000, 0], [4990, 10]]).pvalue < 0.01


def test_barnard_keeps_its_level() -> None:
    """Summed over all tables of 9 and 11 trials, at any rate, no more than 5 % are rejected."""
    n, m = 9, 11
    rejected = [
        (x, y)
        for x in range(n + 1)
        for y in range(m + 1)
        if rs.stats.barnard([[x, n - x], [y, m - y]]).pvalue <= 0.05
    ]
    fisher = [
        (x, y)
        for x in range(n + 1)
        for y in range(m + 1)
        if rs.stats.fisher([[x, n - x], [y, m - y]]).pvalue <= 0.05
    ]
    assert len(rejected) > len(fisher)
    for rate in np.linspace(0.01, 0.99, 50):
        size = sum(
            scipy.stats.binom.pmf(x, n, rate) * scipy.stats.binom.pmf(y, m, rate)
            for x, y in rejected
        )
        assert size <= 0.05 + 1e-9


# --- Fisher's test of many tables


def test_many_fisher_tables_are_each_table() -> None:
    rng = np.random.default_rng(0)
    a, b, c, d = (rng.integers(0, 40, 300).tolist() for _ in range(4))
    a[0] = None
    for alternative in ALTERNATIVES:
        table = rs.stats.fisher_tables(a, b, c, d, alternative=alternative)
        for row in table.to_dicts():
            if row["a"] is None:
                assert (row["pvalue"], row["log_pvalue"], row["odds_ratio"]) == (None, None, None)
                continue
            alone = rs.stats.fisher(
                [[row["a"], row["b"]], [row["c"], row["d"]]], alternative=alternative
            )
            assert row["pvalue"] == pytest.approx(alone.pvalue, rel=1e-15)
            assert row["log_pvalue"] == alone.log_pvalue
            assert row["odds_ratio"] == alone.odds_ratio
    with pytest.raises(ColumnError, match="one length"):
        rs.stats.fisher_tables([1], [2], [3], [4, 5])


# --- the frame verb


@given(
    rows=paired_trials(arms=3, items=4, repeats=2),
    dtype=outcome_types,
    by=st.sampled_from([[], ["cell"]]),
    cluster=st.sampled_from([[], ["user"]]),
    shared=st.booleans(),
    level=levels,
)
@settings(max_examples=60)
def test_agrees_with_its_twin(
    rows: list[dict[str, Any]],
    dtype: Any,
    by: list[str],
    cluster: list[str],
    shared: bool,
    level: float,
) -> None:
    rows = [row | {"user": f"{row['item']}{'' if shared else row['arm']}"} for row in rows]
    trials = frame(rows, dtype, **PAIRED_TRIALS, user=pl.String)
    options: dict[str, Any] = {"baseline": "b", "cluster": cluster, "by": by}
    options["confidence_level"] = level
    result = rs.compare_unpaired(trials, "correct", contrast="arm", **options)
    assert dict(result.schema) == dict.fromkeys(by, pl.String) | RESULT
    expected = twin.compare_unpaired(rows, **options)
    assert len(expected) == result.height
    for found, wanted in zip(result.to_dicts(), expected, strict=True):
        for name, value in wanted.items():
            if isinstance(value, float):
                assert found[name] == pytest.approx(value, rel=1e-9, abs=1e-9), name
            else:
                assert found[name] == value, name


def grouped_trials(seed: int = 0, clusters: int = 12) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        (task, arm, f"{task}{arm}{cluster}", float(rng.random() < rate))
        for task in ("arith", "logic")
        for arm, rate in (("short", 0.5), ("long", 0.3), ("none", 0.2))
        for cluster in range(clusters)
        for _ in range(rng.integers(1, 5))
    ]
    schema = {"task": pl.String, "arm": pl.String, "user": pl.String, "correct": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def test_order_laziness_and_other_cells_change_nothing() -> None:
    trials = grouped_trials()
    options: dict[str, Any] = {"contrast": "arm", "baseline": "none", "cluster": "user"}
    expected = rs.compare_unpaired(trials, "correct", by="task", **options)
    shuffled = trials.sample(fraction=1, shuffle=True, seed=3)
    for other in (shuffled, shuffled.lazy(), shuffled.to_arrow()):
        found = rs.compare_unpaired(other, "correct", by="task", **options)
        assert_frame_equal(found, expected, check_exact=True)
    alone = rs.compare_unpaired(trials.filter(task="logic"), "correct", by="task", **options)
    assert_frame_equal(alone, expected.filter(task="logic"), check_exact=True)
    adjusted = rs.compare_unpaired(trials, "correct", by="task", adjust="holm", **options)
    assert_frame_equal(adjusted.select(expected.columns), expected, check_exact=True)
    holm = rs.stats.adjust(expected["fisher_p"], method="holm")
    assert adjusted["fisher_p_adjusted"].to_list() == holm.to_list()


groups = st.tuples(st.integers(1, 9), st.integers(0, 9)).map(lambda g: (min(g), g[0]))
two_arms = st.tuples(*[st.lists(groups, min_size=2, max_size=5)] * 2)


def trials_of(strata: Sequence[tuple[Any, Any]]) -> pl.DataFrame:
    """Trials of strata of two arms of clusters, as (successes, trials)."""
    rows = [
        {"stratum": place, "arm": arm, "user": f"{place} {arm} {user}", "correct": int(i < hits)}
        for place, arms in enumerate(strata)
        for arm, clusters in zip("tb", arms, strict=True)
        for user, (hits, n) in enumerate(clusters)
        for i in range(n)
    ]
    return pl.DataFrame(rows)


def one(trials: pl.DataFrame, **options: Any) -> dict[str, Any]:
    result = rs.compare_unpaired(trials, "correct", contrast="arm", baseline="b", **options)
    assert not any(isinstance(v, float) and not math.isfinite(v) for v in result.row(0))
    return result.row(0, named=True)


@settings(max_examples=60)
@given(arms=two_arms, clustered=st.booleans(), effect=st.sampled_from(["ratio", "odds-ratio"]))
def test_ratios_agree_with_their_twins(arms: Any, clustered: bool, effect: str) -> None:
    found = one(trials_of([arms]), cluster="user" if clustered else None, effect=effect)
    (x, n), (y, m) = (tuple(map(sum, zip(*arm, strict=True))) for arm in arms)
    over, under = (x * m, y * n) if effect == "ratio" else (x * (m - y), y * (n - x))
    name = effect.replace("-", "_")
    assert found[name] == (pytest.approx(over / under, rel=1e-12) if under else None)
    nothing = x + y == 0 or (effect == "odds-ratio" and x + y == n + m)
    if nothing:
        assert (found["low"], found["high"], found["method"]) == (None, None, "none")
        assert found["reason"] is not None
        return
    sizes = twin.arms_of(*arms, clustered, 0.025)
    limits = (twin.ratio if effect == "ratio" else twin.odds_ratio)(*sizes, 1.9599639845400545)
    for limit, expected in zip(("low", "high"), limits, strict=True):
        assert found[limit] == (None if expected is None else pytest.approx(expected, rel=1e-7))
    assert (found["reason"] is None) == (found["high"] is not None and under > 0)


@settings(max_examples=60)
@given(
    strata=st.lists(two_arms, min_size=1, max_size=4),
    effect=st.sampled_from(["difference", "ratio", "odds-ratio"]),
)
def test_strata_agree_with_their_twin(strata: Any, effect: str) -> None:
    tables = []
    for arms in strata:
        (x, n), (y, m) = (tuple(map(sum, zip(*arm, strict=True))) for arm in arms)
        tables.append((n, x, m, y))
    found = one(trials_of(strata), strata="stratum", effect=effect)
    estimate, low, high = twin.mantel_haenszel(tables, effect, 1.9599639845400545)
    name = effect.replace("-", "_")
    for column, expected in ((name, estimate), ("low", low), ("high", high)):
        assert found[column] == (
            None if expected is None else pytest.approx(expected, rel=1e-9, abs=1e-12)
        )
    assert found["cmh_p"] == pytest.approx(twin.cochran_mantel_haenszel(tables), rel=1e-9)
    assert found["n_strata"] == len(strata)
    assert (found["reason"] is None) == (low is not None)


few_clusters = st.tuples(*[st.lists(groups, min_size=1, max_size=3)] * 2)


@settings(max_examples=25)
@given(strata=st.lists(few_clusters, min_size=1, max_size=2))
def test_labels_are_shuffled_within_strata(strata: Any) -> None:
    found = one(trials_of(strata), strata="stratum", cluster="user")
    scores = []
    for arms in strata:
        pooled = [*arms[0], *arms[1]]
        rate = Fraction(sum(h for h, _ in pooled), sum(n for _, n in pooled))
        scores.append(tuple([h - rate * n for h, n in arm] for arm in arms))
    expected = permutation.shuffle(scores, "two-sided")
    assert found["permutation_p"] == pytest.approx(float(expected), rel=1e-9)
    assert (found["low"], found["method"]) == (None, "none")
    assert found["reason"] in {"no interval over strata of clusters", "nothing varies"}


def test_a_stratum_is_no_confounder() -> None:
    """Simpson: the treatment is better in both strata, and worse on the whole."""
    trials = trials_of([([(81, 87)], [(234, 270)]), ([(192, 263)], [(55, 80)])])
    whole, within = one(trials), one(trials, strata="stratum")
    assert whole["difference"] < 0 < within["difference"]
    assert "fisher_p" in whole
    assert "cmh_p" in within


def test_clusters_lie_in_one_stratum() -> None:
    trials = trials_of([([(1, 2)], [(1, 2)]), ([(1, 2)], [(2, 3)])])
    trials = trials.with_columns(user=pl.lit("a"))
    with pytest.raises(DesignError, match="1 clusters lie in several strata"):
        one(trials, strata="stratum", cluster="user")
    with pytest.raises(DesignError, match="must not be in strata and in by"):
        one(trials, strata="stratum", by="stratum")
    apart = trials.filter((pl.col("stratum") == 0) == (pl.col("arm") == "t"))
    found = one(apart, strata="stratum")
    assert (found["difference"], found["cmh_p"], found["n_strata"]) == (None, None, 0)
    assert found["reason"] == "no stratum has trials of both arms"


def test_printed_interval() -> None:
    """R: contingencytables, chapter 4: Newcombe_hybrid_score_CI_2x2 of 7 of 34 and 1 of 34."""
    hits = [1] * 7 + [0] * 27 + [1] + [0] * 33
    trials = pl.DataFrame({"arm": ["t"] * 34 + ["b"] * 34, "hit": hits})
    row = rs.compare_unpaired(trials, "hit", contrast="arm", baseline="b").row(0, named=True)
    assert (round(row["low"], 4), round(row["high"], 4)) == (0.0189, 0.3404)
    assert row["fisher_p"] == rs.stats.fisher([[7, 27], [1, 33]]).pvalue


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"contrast": "arms"}, ColumnError, "no column 'arms'; did you mean 'arm'"),
        ({"contrast": ["arm"]}, ColumnError, "one column name"),
        ({"baseline": "x"}, DesignError, "baseline='x' does not occur"),
        ({"cluster": "arm"}, DesignError, "cluster must not hold the contrast"),
        ({"by": "arm"}, DesignError, "by must not hold the contrast"),
        ({"confidence_level": 95}, OptionError, "confidence_level=95"),
        ({"n_resamples": 0}, OptionError, "n_resamples=0"),
        ({"adjust": "bonferroni"}, OptionError, "'holm'"),
    ],
)
def test_what_is_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    keywords: dict[str, Any] = {"contrast": "arm", "baseline": "none"} | options
    with pytest.raises(error, match=message):
        rs.compare_unpaired(grouped_trials(), "correct", **keywords)


def test_nulls_and_values_are_refused() -> None:
    trials = grouped_trials()
    options: dict[str, Any] = {"contrast": "arm", "baseline": "none", "cluster": "user"}
    for column in ("arm", "user"):
        broken = trials.with_columns(pl.when(pl.int_range(pl.len()) > 2).then(column).alias(column))
        with pytest.raises(DesignError, match=f"'{column}' is null or NaN in 3 trials"):
            rs.compare_unpaired(broken, "correct", **options)
    with pytest.raises(ColumnError, match="values other than 0 and 1, such as 2"):
        rs.compare_unpaired(trials.with_columns(correct=pl.lit(2)), "correct", **options)
    with pytest.raises(ColumnError, match="has the name of a result column"):
        rs.compare_unpaired(trials.rename({"task": "low"}), "correct", by="low", **options)


# --- coverage and size


def group_studies(
    rng: np.random.Generator,
    n_studies: int,
    clusters: tuple[int, int],
    rates: tuple[float, float],
    icc: float,
    sizes: list[int],
) -> pl.DataFrame:
    arms = []
    for arm, count, rate in zip("tb", clusters, rates, strict=True):
        chance = beta_rates(rng.standard_normal((n_studies, count)), rate, icc)
        drawn = rng.choice(sizes, (n_studies, count))
        study, cluster = np.indices((n_studies, count))
        flat = drawn.ravel()
        columns = {
            "study": np.repeat(study.ravel(), flat),
            "user": np.repeat(cluster.ravel() * 2 + (arm == "t"), flat),
            "hit": rng.random(flat.sum()) < np.repeat(chance.ravel(), flat),
        }
        arms.append(pl.DataFrame(columns).with_columns(arm=pl.lit(arm)))
    return pl.concat(arms)


@pytest.mark.parametrize(
    ("clusters", "rates", "icc", "sizes"),
    [
        ((8, 8), (0.5, 0.3), 0.3, [3]),
        ((8, 30), (0.05, 0.1), 0.5, [3]),
        ((16, 16), (0.9, 0.95), 0.3, [1, 2, 5, 10]),
        ((32, 32), (0.5, 0.5), 0.7, [3]),
        ((30, 60), (0.4, 0.6), 0.0, [1]),
    ],
)
def test_intervals_cover_and_permutation_keeps_its_level(
    clusters: tuple[int, int], rates: tuple[float, float], icc: float, sizes: list[int]
) -> None:
    options: dict[str, Any] = {"contrast": "arm", "baseline": "b", "cluster": "user", "by": "study"}
    rng = np.random.default_rng(1)
    studies = group_studies(rng, 500, clusters, rates, icc, sizes)
    result = rs.compare_unpaired(studies, "hit", **options)
    truth = rates[0] - rates[1]
    inside = (result["low"] <= truth) & (result["high"] >= truth)
    assert inside.mean() >= 0.93
    null = group_studies(rng, 500, clusters, (rates[1], rates[1]), icc, sizes)
    options["n_resamples"] = 399
    result = rs.compare_unpaired(null, "hit", **options)
    rejected = (result["permutation_p"] <= 0.05).mean()
    assert rejected <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 500)
