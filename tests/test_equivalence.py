"""Verdicts against a margin: their twins, SciPy, exact size and what is degenerate."""

import itertools
import math
from collections.abc import Sequence
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
from reference import decisions as twin
from strategies import PAIRED_TRIALS, frame, paired_trials

RESULT = {
    "treatment_level": pl.String,
    "baseline_level": pl.String,
    "n_pairs": pl.Int64,
    "n_clusters": pl.Int64,
    "n_unpaired_treatment": pl.Int64,
    "n_unpaired_baseline": pl.Int64,
    "n_missing": pl.Int64,
    "treatment": pl.Float64,
    "baseline": pl.Float64,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "margin_low": pl.Float64,
    "margin_high": pl.Float64,
    "alternative": pl.String,
    "alpha": pl.Float64,
    "verdict": pl.String,
    "method": pl.String,
    "confidence_level": pl.Float64,
    "n_resamples": pl.Int64,
    "seed": pl.UInt64,
    "reason": pl.String,
}
DESIGN: dict[str, Any] = {"contrast": "arm", "baseline": "b", "pair_by": ["item", "repeat"]}
ALTERNATIVES = ["equivalence", "non-inferiority", "superiority"]


def tables(counts: list[tuple[int, int, int, int]]) -> pl.DataFrame:
    """Independent pairs of many cells: both, treatment only, baseline only, neither of each."""
    cells = pl.DataFrame(
        {"cell": range(len(counts)), "kind": [[0, 1, 2, 3]] * len(counts), "count": counts},
        schema_overrides={"count": pl.List(pl.Int64)},
    ).explode("kind", "count")
    pairs = cells.with_columns(repeat=pl.int_ranges("count")).explode("repeat")
    pairs = pairs.drop_nulls("repeat").with_columns(item="kind")
    return pl.concat(
        pairs.select("cell", "item", "repeat", arm=pl.lit(arm), correct=pl.col("kind").is_in(hits))
        for arm, hits in {"t": [0, 1], "b": [0, 2]}.items()
    )


def one_row(trials: Any, **options: Any) -> dict[str, Any]:
    return rs.equivalence(trials, "correct", **(DESIGN | {"margin": 0.1} | options)).row(
        0, named=True
    )


# --- the verb


@given(
    rows=paired_trials(),
    by=st.sampled_from([[], ["cell"]]),
    cluster=st.sampled_from([[], ["item"], ["item", "repeat"]]),
    alternative=st.sampled_from(ALTERNATIVES),
    margins=st.sampled_from([(-0.1, 0.1), (-0.4, 0.4), (-0.05, 0.6), (-0.99, 0.9)]),
    alpha=st.sampled_from([0.025, 0.05, 0.1, 0.4]),
    method=st.sampled_from(["auto", "t", "percentile"]),
)
def test_agrees_with_its_twin(
    rows: list[dict[str, Any]],
    by: list[str],
    cluster: list[str],
    alternative: str,
    margins: tuple[float, float],
    alpha: float,
    method: str,
) -> None:
    trials = frame(rows, **PAIRED_TRIALS)
    if not by:
        trials = trials.with_columns(pl.col("cell").fill_null("o"))
        rows = [row | {"cell": row["cell"] or "o"} for row in rows]
    if alternative != "equivalence":
        margins = (-margins[1], margins[1])
    keywords: dict[str, Any] = {
        "contrast": "arm",
        "baseline": "b",
        "pair_by": ["item", "repeat"] if by else ["cell", "item", "repeat"],
        "cluster": cluster,
        "by": by,
        "method": method,
        "n_resamples": 50,
    }
    claim: dict[str, Any] = {"alternative": alternative, "alpha": alpha}
    margin = margins if alternative == "equivalence" else margins[1]
    found = rs.equivalence(trials, "correct", margin=margin, **claim, **keywords)
    assert dict(found.schema) == dict.fromkeys(by, pl.String) | RESULT
    assert not found.select(pl.selectors.float().is_nan().any()).row(0).count(True)
    expected = twin.equivalence(rows, "correct", margins=margins, **claim, **keywords)
    assert found["verdict"].null_count() == 0
    for row, wanted in zip(found.to_dicts(), expected, strict=True):
        assert row["method"] == wanted["method"]
        for limit in ("low", "high"):
            if wanted[limit] is None:
                assert row[limit] is None
            else:
                assert math.isclose(row[limit], wanted[limit], rel_tol=0, abs_tol=1e-7)
        # The verdict follows from the limits that are shown, to the last bit.
        limits = (row["low"], row["high"])
        assert row["verdict"] == twin.verdict(alternative, *margins, *limits)


@pytest.mark.parametrize("cluster", [None, "item"])
def test_interval_is_tangos(cluster: str | None) -> None:
    rng = np.random.default_rng(3)
    trials = pl.DataFrame(
        {
            "arm": ["t"] * 60 + ["b"] * 60,
            "item": [i // 3 for i in range(60)] * 2,
            "repeat": [0, 1, 2] * 40,
            "correct": rng.random(120) < 0.6,
        }
    )
    found = one_row(trials, cluster=cluster, alpha=0.025)
    compared = rs.compare(trials, "correct", **DESIGN, cluster=cluster).row(0, named=True)
    for name in ("difference", "n_pairs", "n_clusters"):
        assert found[name] == compared[name]
    if cluster:
        # Narrower or wider, but of the same clusters and about the same difference.
        assert found["method"] == "tango-effective"
        assert found["low"] < found["difference"] < found["high"]
        return
    both = round(compared["treatment"] * 60) - compared["treatment_only"]
    discordant = compared["treatment_only"], compared["baseline_only"]
    effect = rs.stats.paired_difference(
        [[both, discordant[0]], [discordant[1], 60 - both - sum(discordant)]], method="tango"
    )
    assert (found["low"], found["high"], found["method"]) == (effect.low, effect.high, "tango")


def all_tables(n: int) -> tuple[pl.DataFrame, np.ndarray[Any, Any]]:
    """Every table of n pairs, as a cell each, and how many pairs favour which arm.

    Of pairs that agree half are of each kind: the interval is widest near rates of one half.
    """
    counts = [
        ((n - b - c) // 2, b, c, (n - b - c + 1) // 2)
        for b, c in itertools.product(range(n + 1), repeat=2)
        if b + c <= n
    ]
    return tables(counts), np.array(counts)[:, 1:3]


def chances(discordant: np.ndarray[Any, Any], n: int, extra: float) -> np.ndarray[Any, Any]:
    """Chance of each table where the truth is at a margin of 0.2."""
    shares = [extra, 0.2 + extra, 0.8 - 2 * extra]
    kinds = np.column_stack([discordant, n - discordant.sum(axis=1)])
    chance: np.ndarray[Any, Any] = scipy.stats.multinomial.pmf(kinds, n, shares)
    assert chance.sum() == pytest.approx(1)
    return chance


@pytest.mark.parametrize("alternative", ["equivalence", "non-inferiority"])
@pytest.mark.parametrize("n", [24, 60])
def test_size_over_all_tables(alternative: str, n: int) -> None:
    """Chance of PASS where the truth is at the margin, summed over every table of n pairs."""
    cells, discordant = all_tables(n)
    verdicts = rs.equivalence(
        cells, "correct", **DESIGN, by="cell", margin=0.2, alternative=alternative
    )
    passes = (verdicts["verdict"] == "PASS").to_numpy()
    for extra in (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.39):
        # Tango's test is at most this liberal here; Newcombe's would be 0.115 at 24 pairs.
        assert chances(discordant, n, extra)[passes].sum() <= 0.062


def exact_table() -> None:
    """Print the table of docs/equivalence.md without clusters, in percent."""
    for n in (24, 60):
        cells, discordant = all_tables(n)
        newcombe = rs.compare(cells, "correct", **DESIGN, by="cell", confidence_level=0.9)
        passes = {("non-inferiority", "Newcombe"): (newcombe["low"] > -0.2).to_numpy()}
        for claim in ("non-inferiority", "equivalence"):
            found = rs.equivalence(
                cells, "correct", **DESIGN, by="cell", margin=0.2, alternative=claim
            )
            passes[claim, "default"] = (found["verdict"] == "PASS").to_numpy()
        for (claim, interval), passing_tables in passes.items():
            shares = [
                f"{100 * chances(discordant, n, extra)[passing_tables].sum():.1f}"
                for extra in (0.0, 0.02, 0.05, 0.1, 0.2, 0.3)
            ]
            print(f"| {n} | {claim} | {interval} | {' | '.join(shares)} |", flush=True)


def passing(
    rng: np.random.Generator,
    studies: int,
    clusters: int,
    shares: tuple[float, float, float],
    sizes: Sequence[int] = (4,),
    **options: Any,
) -> float:
    """Share of simulated studies that pass non-inferiority, with the truth at the margin.

    The size of a cluster is one of `sizes`, each as likely.
    """
    differences = twin.simulated_pairs(rng, studies, clusters, max(sizes), shares)
    drawn = rng.choice(np.asarray(sizes), (studies, clusters, 1))
    kept = np.arange(max(sizes)) < drawn
    one_arm = dict(zip(("study", "item", "repeat"), kept.nonzero(), strict=True))
    values = differences[kept]
    tied = (values == 0) & (rng.random(values.size) < 0.5)
    trials = pl.concat(
        pl.DataFrame(one_arm | {"correct": correct}).with_columns(arm=pl.lit(arm))
        for arm, correct in {"t": (values > 0) | tied, "b": (values < 0) | tied}.items()
    )
    margin = round(shares[1] - shares[0], 12)
    options = {"margin": margin, "alternative": "non-inferiority", **DESIGN, **options}
    found = rs.equivalence(trials, "correct", by="study", cluster="item", **options)
    return float((found["verdict"] == "PASS").mean())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("clusters", "shares", "sizes"),
    [
        (12, (0.0, 0.2, 0.7), [4]),
        (12, (0.15, 0.35, 0.5), [4]),
        (32, (0.0, 0.2, 0.8), [4]),
        (16, (0.0, 0.1, 0.8), [4]),
        (24, (0.0, 0.2, 0.8), [1, 2, 3, 10]),
        (8, (0.0, 0.2, 0.8), [30]),
        (32, (0.0, 0.1, 0.8), [1, 30]),
    ],
)
def test_size_with_clusters(
    clusters: int, shares: tuple[float, float, float], sizes: list[int]
) -> None:
    """No more often than it may, with dependent pairs, of which the shares differ."""
    # Three standard errors of the simulation above 5 %.
    assert passing(np.random.default_rng(11), 1500, clusters, shares, sizes) <= 0.067


def size_table(studies: int = 1500) -> None:
    """Print the table of docs/equivalence.md with clusters, in percent."""
    for clusters, margin in itertools.product((8, 16, 32, 96), (0.2, 0.1)):
        for extra in (0.0, 0.05, 0.15):
            cells = []
            for method, sizes in (("auto", (4,)), ("auto", (1, 2, 3, 10)), ("t", (4,))):
                passed = [
                    passing(
                        np.random.default_rng(3), studies, clusters,
                        (extra, margin + extra, copied), sizes, method=method,
                    )
                    for copied in (0.0, 0.5, 0.8)
                ]  # fmt: skip
                cells.append(" / ".join(f"{100 * share:.1f}" for share in passed))
            print(f"| {clusters} | {margin} | {extra:g} | {' | '.join(cells)} |", flush=True)


def large_table(studies: int = 1500) -> None:
    """Print the table of docs/equivalence.md with large clusters, in percent."""
    for clusters, margin in itertools.product((4, 8, 16, 32), (0.2, 0.1)):
        cells = []
        for sizes in ((30,), (1, 30)):
            passed = [
                passing(np.random.default_rng(3), studies, clusters, (0.0, margin, copied), sizes)
                for copied in (0.0, 0.5, 0.8)
            ]
            cells.append(" / ".join(f"{100 * share:.1f}" for share in passed))
        print(f"| {clusters} | {margin} | {' | '.join(cells)} |", flush=True)


# --- constant differences


@pytest.mark.parametrize("method", ["auto", "t", "percentile"])
@pytest.mark.parametrize("cluster", [None, "item"])
def test_identical_arms_need_data_to_pass(method: str, cluster: str | None) -> None:
    """No pair differs: 1 - alpha^(1/k) has to be below the margin, whatever the method."""
    for units, margin in itertools.product((2, 10, 28, 29, 58, 59, 300), (0.01, 0.05, 0.1)):
        trials = pl.DataFrame(
            {
                "arm": ["t"] * 2 * units + ["b"] * 2 * units,
                "item": [i // 2 for i in range(2 * units)] * 2,
                "repeat": [0, 1] * 2 * units,
                "correct": [1, 0] * 2 * units,
            }
        )
        row = one_row(trials, margin=margin, method=method, cluster=cluster)
        bound = 1 - 0.05 ** (1 / (units if cluster else 2 * units))
        assert row["method"] == "constant-exact"
        assert row["high"] == pytest.approx(bound, rel=1e-12)
        assert row["low"] == -row["high"]
        assert row["verdict"] == ("PASS" if bound < margin else "INCONCLUSIVE")


def test_every_pair_differs() -> None:
    row = one_row(tables([(0, 40, 0, 0)]), by="cell", alternative="superiority")
    other = 1 - 0.05 ** (1 / 40)
    assert (row["low"], row["high"]) == (pytest.approx(1 - 2 * other), 1.0)
    assert row["verdict"] == "PASS"
    assert one_row(tables([(0, 0, 40, 0)]), by="cell")["verdict"] == "FAIL"


def test_clusters_that_agree_are_constant() -> None:
    """Each cluster of three gains one: no spread between clusters, and no proof in itself."""
    trials = pl.DataFrame(
        {
            "arm": ["t"] * 15 + ["b"] * 15,
            "item": [i // 3 for i in range(15)] * 2,
            "repeat": [0, 1, 2] * 10,
            "correct": [1, 1, 0] * 5 + [1, 0, 0] * 5,
        }
    )
    row = one_row(trials, cluster="item", method="t", alternative="superiority")
    other = 1 - 0.05 ** (1 / 5)
    assert row["low"] == pytest.approx(1 / 3 - other * 4 / 3)
    assert row["verdict"] == "INCONCLUSIVE"


@pytest.mark.parametrize(
    ("counts", "options", "reason"),
    [
        ((0, 0, 0, 0), {}, "no pairs"),
        ((3, 1, 1, 3), {"cluster": "arm_free"}, "one cluster"),
    ],
)
def test_degenerate_cells_are_inconclusive(
    counts: tuple[int, int, int, int], options: dict[str, Any], reason: str
) -> None:
    trials = tables([counts]).with_columns(arm_free=pl.lit(1))
    if not trials.height:
        rows = {"cell": [0, 0], "item": [0, 1], "repeat": [0, 0], "arm": ["t", "b"]}
        trials = pl.DataFrame(rows | {"correct": [True, True]})
    row = one_row(trials, **options)
    assert (row["verdict"], row["low"], row["reason"]) == ("INCONCLUSIVE", None, reason)


def test_missing_and_unpaired_are_counted() -> None:
    trials = pl.DataFrame(
        {
            "arm": ["t", "t", "t", "b", "b"],
            "item": [0, 1, 2, 0, 1],
            "repeat": [0] * 5,
            "correct": [1, None, 1, 1, 0],
        }
    )
    row = one_row(trials)
    counted = [row[name] for name in list(RESULT)[2:7]]
    assert counted == [1, None, 1, 1, 1]


def test_same_bits_lazy_in_any_order_and_from_arrow() -> None:
    rng = np.random.default_rng(5)
    trials = tables([tuple(rng.integers(0, 9, 4).tolist()) for _ in range(50)])
    keywords = DESIGN | {"by": "cell", "cluster": "item", "margin": 0.2}
    expected = rs.equivalence(trials, "correct", **keywords)
    for other in (
        trials.sample(fraction=1, shuffle=True, seed=1),
        trials.lazy(),
        trials.to_arrow(),
    ):
        assert_frame_equal(rs.equivalence(other, "correct", **keywords), expected, check_exact=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 0}, "above 0"),
        ({"margin": -0.1}, "above 0"),
        ({"margin": math.nan}, "finite"),
        ({"margin": "0.1"}, "finite"),
        ({"margin": 1.0}, "within"),
        ({"margin": (0.1, 0.2)}, "around 0"),
        ({"margin": (-0.1, 0.2, 0.3)}, "a lower and an upper"),
        ({"margin": (-0.1, 0.2), "alternative": "superiority"}, "one number"),
        ({"alternative": "two-sided"}, "'equivalence', 'non-inferiority', 'superiority'"),
        ({"alpha": 0.5}, "below 0.5"),
        ({"alpha": 0}, "below 0.5"),
        ({"alpha": 95}, "below 0.5"),
        ({"method": "tost"}, "use one of"),
        ({"n_resamples": 0}, "whole number"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        one_row(tables([(1, 1, 1, 1)]), **options)


def test_cells_must_not_be_named_like_results() -> None:
    trials = tables([(1, 1, 1, 1)]).rename({"cell": "verdict"})
    with pytest.raises(ColumnError, match="'verdict' has the name of a result column"):
        one_row(trials, by="verdict")


def test_margin_of_zero_is_for_one_side() -> None:
    row = one_row(tables([(5, 30, 1, 5)]), margin=0, alternative="superiority")
    assert (row["verdict"], row["margin_high"]) == ("PASS", 0.0)


# --- numeric differences

scores = st.floats(-100, 100).map(lambda x: round(x, 3))


@given(
    clusters=st.lists(st.lists(scores, min_size=1, max_size=4), min_size=2, max_size=8),
    margins=st.sampled_from([(-0.5, 0.5), (-20.0, 35.0), (-1e-3, 90.0)]),
    alpha=st.sampled_from([0.01, 0.05, 0.3]),
    alone=st.booleans(),
)
def test_tost_agrees_with_its_twin(
    clusters: list[list[float]], margins: tuple[float, float], alpha: float, alone: bool
) -> None:
    if alone:
        clusters = [[d] for cluster in clusters for d in cluster]
    means = [sum(cluster) / len(cluster) for cluster in clusters]
    if max(means) - min(means) < 1e-6:
        return
    differences = [d for cluster in clusters for d in cluster]
    groups = [index for index, cluster in enumerate(clusters) for _ in cluster]
    found = rs.stats.tost(
        differences, margin=margins, alpha=alpha, cluster=None if alone else groups
    )
    expected = twin.tost(clusters, margins, alpha)
    assert (found.n, found.n_clusters) == (len(differences), None if alone else len(clusters))
    for name, value in expected.items():
        assert math.isclose(getattr(found, name), value, rel_tol=1e-9, abs_tol=1e-9), name
    assert found.log_pvalue == max(found.log_pvalue_low or 0, found.log_pvalue_high or 0)
    assert found.verdict == twin.verdict("equivalence", *margins, found.low, found.high)
    assert found.pvalue is not None
    if abs(found.pvalue / alpha - 1) > 1e-6:
        assert (found.verdict == "PASS") == (found.pvalue < alpha)


@given(differences=st.lists(scores, min_size=3, max_size=30), margin=st.sampled_from([1.0, 40.0]))
def test_tost_is_two_t_tests_of_scipy(differences: list[float], margin: float) -> None:
    if max(differences) - min(differences) < 1e-3:
        return
    for alternative in ALTERNATIVES:
        found = rs.stats.tost(differences, margin=margin, alternative=alternative)
        threshold = margin if alternative == "superiority" else -margin
        lower = scipy.stats.ttest_1samp(differences, threshold, alternative="greater").pvalue
        assert math.exp(found.log_pvalue_low or 0) == pytest.approx(lower, rel=1e-9)
        if alternative == "equivalence":
            upper = scipy.stats.ttest_1samp(differences, margin, alternative="less").pvalue
            assert math.exp(found.log_pvalue_high or 0) == pytest.approx(upper, rel=1e-9)
            assert found.pvalue == pytest.approx(max(lower, upper), rel=1e-9)
        else:
            assert found.log_pvalue_high is None


def test_tost_far_below_the_smallest_double() -> None:
    rng = np.random.default_rng(0)
    for n, mean in ((12, 30.0), (50, 30.0), (400, 9.0), (3000, 2.0), (20_000, 1.0)):
        values = rng.normal(mean, 1, n)
        found = rs.stats.tost(values, margin=0.5, alternative="superiority")
        t = (values.mean() - 0.5) / (values.std(ddof=1) / math.sqrt(n))
        assert found.log_pvalue == pytest.approx(twin.student_ln_upper(t, n - 1), rel=1e-11)
    assert found.log_pvalue is not None
    assert found.log_pvalue < -1000


def test_constant_differences_are_decided_by_an_exact_bound() -> None:
    for n, margin in ((20, 0.1), (28, 0.1), (29, 0.1), (300, 0.01)):
        found = rs.stats.tost([0.0] * n, margin=margin, bounds=(-1, 1))
        assert (found.method, found.standard_error) == ("constant-exact", 0.0)
        assert found.pvalue == pytest.approx((1 - margin) ** n)
        assert found.verdict == ("PASS" if (1 - margin) ** n < 0.05 else "INCONCLUSIVE")
        assert found.high == pytest.approx(1 - 0.05 ** (1 / n))
    shifted = rs.stats.tost([2.0] * 30, margin=1, alternative="superiority", bounds=(-10, 10))
    assert shifted.log_pvalue == pytest.approx(30 * math.log(11 / 12))
    assert rs.stats.tost([2.0] * 30, margin=1, bounds=(-10, 10)).log_pvalue_high == 0.0


def test_constant_bound_keeps_its_level() -> None:
    """Of differences in three values with a mean at the margin, all equal and passing is rare."""
    n, margin = 12, 0.3
    for low, zero in itertools.product(np.linspace(0, 1, 41), repeat=2):
        high = 1 - low - zero
        if high < 0 or high - low > -margin + 1e-12:
            continue
        passing = sum(
            share**n
            for value, share in ((-1.0, low), (0.0, zero), (1.0, high))
            if rs.stats.tost(
                [value] * n, margin=margin, alternative="non-inferiority", bounds=(-1, 1)
            ).verdict
            == "PASS"
        )
        assert passing <= 0.05 + 1e-12


@pytest.mark.parametrize("differences", [[0.3 - 0.1, 0.2, 0.9 - 0.7], [1e-300] * 5, [7] * 3])
def test_rounding_is_no_spread(differences: list[float]) -> None:
    found = rs.stats.tost(differences, margin=0.05)
    assert (found.verdict, found.pvalue, found.low) == ("INCONCLUSIVE", None, None)
    assert found.reason == "all units show the same difference, and it has no bounds"


@pytest.mark.parametrize(
    ("differences", "options", "reason"),
    [
        ([], {}, "no trials with an outcome"),
        ([None, math.nan], {}, "no trials with an outcome"),
        ([0.1], {}, "one trial says nothing of the spread"),
        ([1.7e308, -1.7e308], {}, "scores too large to add up"),
        ([0.1, 0.2], {"cluster": ["a", "a"]}, "one cluster"),
        ([0.1, 0.2], {"cluster": ["a", "a"], "bounds": (-1, 1)}, "one cluster"),
        (
            [0.1, 0.1],
            {"cluster": [1, 2]},
            "all units show the same difference, and it has no bounds",
        ),
    ],
)
def test_degenerate_differences(differences: Any, options: dict[str, Any], reason: str) -> None:
    found = rs.stats.tost(differences, margin=0.05, **options)
    assert (found.verdict, found.pvalue, found.reason) == ("INCONCLUSIVE", None, reason)


def test_scale_and_order_change_nothing() -> None:
    rng = np.random.default_rng(2)
    values, groups = rng.normal(0.01, 0.3, 200), rng.integers(0, 25, 200)
    first = rs.stats.tost(values, margin=0.1, cluster=groups)
    order = rng.permutation(200)
    assert rs.stats.tost(values[order], margin=0.1, cluster=groups[order]) == first
    for scale in (2.0**1000, 2.0**-900):
        scaled = rs.stats.tost(values * scale, margin=0.1 * scale, cluster=groups)
        assert scaled.pvalue == pytest.approx(first.pvalue, rel=1e-12)
        assert scaled.verdict == first.verdict


def test_one_nan_is_missing_and_not_everything() -> None:
    values = [0.1, -0.2, math.nan, 0.05, None, 0.0]
    found = rs.stats.tost(pl.Series(values, strict=False), margin=0.3)
    assert (found.n, found.n_missing) == (4, 2)
    assert found.pvalue == rs.stats.tost([0.1, -0.2, 0.05, 0.0], margin=0.3).pvalue
    assert found.to_frame().height == 1


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"differences": ["a"]}, ColumnError, "must be numbers"),
        ({"differences": None}, ColumnError, "must be an array"),
        ({"differences": [math.inf]}, ColumnError, "infinite"),
        ({"differences": [0.5], "bounds": (-0.2, 0.2)}, ColumnError, "outside bounds"),
        ({"differences": [0.5], "cluster": [1, 2]}, ColumnError, "one length"),
        ({"differences": [0.5, 1], "cluster": [1, None]}, DesignError, "null or NaN in 1"),
        ({"differences": [0.5], "bounds": (-0.1, 1)}, OptionError, "must lie within"),
        ({"differences": [0.5], "bounds": 1}, OptionError, "two numbers"),
        ({"differences": [0.5], "margin": math.inf}, OptionError, "finite"),
    ],
)
def test_tost_is_checked(arguments: dict[str, Any], error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        rs.stats.tost(**({"margin": 0.1} | arguments))


@settings(max_examples=30)
@given(values=st.lists(st.floats(allow_nan=True, allow_infinity=False), max_size=8))
def test_any_floats_give_a_verdict_and_no_nan(values: list[float]) -> None:
    found = rs.stats.tost(pl.Series(values, dtype=pl.Float64), margin=1.0)
    assert found.verdict in {"PASS", "FAIL", "INCONCLUSIVE"}
    for name in ("estimate", "low", "high", "standard_error", "degrees", "pvalue", "log_pvalue"):
        value = getattr(found, name)
        assert value is None or not math.isnan(value)


if __name__ == "__main__":
    exact_table()
    size_table()
    large_table()
