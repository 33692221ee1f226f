"""Power, sample size and detectable effect against SciPy, exact sums, constants and simulation."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reference import decisions as twin
from strategies import paired

ALTERNATIVES = ["two-sided", "greater", "less"]
DESIGN: dict[str, Any] = {"contrast": "arm", "baseline": "b", "pair_by": ["item", "repeat"]}


# --- numeric scores


def test_curated_cases() -> None:
    found = rs.stats.power(design="paired", n=20, power=0.8, sd=1.0)
    assert found.effect == pytest.approx(0.6604, abs=5e-5)  # B105
    for power, effect in ((0.8, 0.15469), (0.95, 0.19904)):  # B125
        found = rs.stats.power(design="unpaired", n=164, power=power, sd=0.5, method="normal")
        assert found.effect == pytest.approx(effect, abs=5e-6)
        assert (found.method, found.reason) == ("normal", None)


@pytest.mark.parametrize(
    ("design", "options", "expected"),
    [
        # statsmodels 0.14, stats.power: TTestPower().power(0.5, 30, 0.05) and its relatives.
        ("paired", {"n": 30, "effect": 0.5}, 0.7539647),
        ("paired", {"n": 30, "effect": 0.5, "alternative": "greater"}, 0.8482542),
        # TTestIndPower().power(0.5, 64, 0.05).
        ("unpaired", {"n": 64, "effect": 0.5}, 0.8014596),
    ],
)
def test_printed_powers(design: str, options: dict[str, Any], expected: float) -> None:
    assert rs.stats.power(design=design, sd=1.0, **options).power == pytest.approx(
        expected, abs=5e-7
    )


def test_printed_sizes() -> None:
    """Statsmodels' solve_power gives 25.52, 63.77 and 393.41 an arm, and 33.37 pairs."""
    for effect, n in ((0.8, 26), (0.5, 64), (0.2, 394)):
        found = rs.stats.power(design="unpaired", power=0.8, effect=effect, sd=1.0)
        assert found.n == n
    assert rs.stats.power(design="paired", power=0.8, effect=0.5, sd=1.0).n == 34


@given(
    n=st.integers(2, 3000),
    size=st.sampled_from([1.0, 2.0, 3.5]),
    icc=st.sampled_from([0.0, 0.2, 1.0]),
    shift=st.floats(-6, 6),
    sd=st.sampled_from([1e-6, 1.0, 40.0]),
    alpha=st.sampled_from([0.001, 0.05, 0.3]),
    alternative=st.sampled_from(ALTERNATIVES),
    design=st.sampled_from(["paired", "unpaired"]),
)
def test_power_is_a_tail_of_scipys_noncentral_t(
    n: int,
    size: float,
    icc: float,
    shift: float,
    sd: float,
    alpha: float,
    alternative: str,
    design: str,
) -> None:
    each = 1 if design == "paired" else 2
    error = sd * math.sqrt(each * (1 + (size - 1) * icc) / n)
    effect = shift * error
    found = rs.stats.power(
        design=design,
        n=n,
        effect=effect,
        sd=sd,
        icc=icc,
        cluster_size=size,
        alpha=alpha,
        alternative=alternative,
    )
    if n / size < 2:
        assert found.power is None
        assert found.reason == "fewer than two units or clusters say nothing of the spread"
        return
    degrees = (n / size - 1) * each
    expected = twin.t_power(effect, error, degrees, alpha, alternative)
    if math.isnan(expected):
        return
    assert found.power == pytest.approx(expected, rel=1e-8, abs=1e-11)
    assert found.n_clusters == (None if size == 1 else n / size)


@pytest.mark.parametrize("shift", [0.0, 3.0, 40.0, 1e4, 1e8])
@pytest.mark.parametrize("n", [2, 3, 50, 10**6, 10**12])
def test_no_shift_or_size_breaks_it(n: int, shift: float) -> None:
    found = rs.stats.power(design="paired", n=n, effect=shift / math.sqrt(n), sd=1.0)
    assert found.power is not None
    assert 0.05 - 1e-9 <= found.power <= 1
    if shift >= 1e4:
        assert found.power > 0.99
    if n >= 10**6:
        normal = scipy.stats.norm.sf(1.959964 - shift) + scipy.stats.norm.sf(1.959964 + shift)
        assert found.power == pytest.approx(normal, abs=1e-5)


@given(
    power=st.floats(0.1, 0.99),
    effect=st.floats(0.05, 2),
    size=st.sampled_from([1.0, 4.0]),
    design=st.sampled_from(["paired", "unpaired"]),
)
def test_what_is_solved_for_is_the_least_that_reaches_it(
    power: float, effect: float, size: float, design: str
) -> None:
    common: dict[str, Any] = {"design": design, "sd": 1.0, "icc": 0.3, "cluster_size": size}
    found = rs.stats.power(power=power, effect=effect, **common)
    assert found.n is not None
    assert found.power is not None
    assert found.power >= power
    smaller = rs.stats.power(n=found.n - int(size), effect=effect, **common)
    assert smaller.power is None or smaller.power < power
    detectable = rs.stats.power(n=found.n, power=power, **common)
    assert detectable.effect is not None
    assert detectable.effect <= effect * (1 + 1e-12)
    assert detectable.power == pytest.approx(power, abs=1e-9)


@pytest.mark.parametrize("sd", [1e-300, 1.0, 1e300])
def test_units_do_not_matter(sd: float) -> None:
    found = rs.stats.power(design="paired", n=100, power=0.8, sd=sd)
    one = rs.stats.power(design="paired", n=100, power=0.8, sd=1.0)
    assert found.effect == pytest.approx(sd * (one.effect or 0), rel=1e-12)


def test_power_below_alpha_needs_no_effect() -> None:
    found = rs.stats.power(design="paired", n=10, power=0.03, sd=1.0)
    assert found.effect == 0.0
    assert found.power == pytest.approx(0.05, abs=1e-13)


def test_correlation_makes_the_difference_of_a_pair() -> None:
    plain = rs.stats.power(design="paired", n=40, power=0.8, sd=2.0 * math.sqrt(2 * 0.3))
    found = rs.stats.power(design="paired", n=40, power=0.8, sd=2.0, correlation=0.7)
    assert found.effect == pytest.approx(plain.effect)


def test_less_is_greater_in_the_mirror() -> None:
    common: dict[str, Any] = {"design": "paired", "n": 50, "power": 0.9, "discordance": 0.4}
    less = rs.stats.power(alternative="less", **common)
    greater = rs.stats.power(alternative="greater", **common)
    assert less.effect == -(greater.effect or 0)


# --- outcomes 0 and 1


@settings(max_examples=60)
@given(
    n=st.integers(0, 14),
    only=st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(lambda x: sum(x) > 0),
    alpha=st.sampled_from(["0.05", "0.25", "0.5"]),
    alternative=st.sampled_from(ALTERNATIVES),
)
def test_mcnemars_power_is_the_sum_over_all_tables(
    n: int, only: tuple[int, int], alpha: str, alternative: str
) -> None:
    treatment, baseline = (Fraction(part, 16) for part in only)
    found = rs.stats.power(
        design="paired",
        n=n,
        effect=float(treatment - baseline),
        discordance=float(treatment + baseline),
        alpha=float(alpha),
        alternative=alternative,
    )
    exact = twin.mcnemar_power(n, treatment, baseline, Fraction(alpha), alternative)
    assert found.method == "mcnemar-exact"
    assert found.power == pytest.approx(float(exact), rel=1e-12, abs=1e-15)


def test_mcnemars_power_is_reached_in_simulation() -> None:
    rng = np.random.default_rng(7)
    found = rs.stats.power(design="paired", power=0.8, effect=0.12, discordance=0.3)
    tables = rng.multinomial(found.n, [0.21, 0.09, 0.7], 4000)
    rejected = np.mean([rs.stats.mcnemar(int(b), int(c)).pvalue <= 0.05 for b, c, _ in tables])
    assert found.power is not None
    assert 0.8 <= found.power < 0.82
    assert rejected == pytest.approx(found.power, abs=0.02)


def test_power_with_clusters_is_reached_in_simulation() -> None:
    """The package's own interval and sign flips over clusters, on dependent pairs."""
    rng = np.random.default_rng(4)
    studies, size, shares = 1200, 3, (0.27, 0.13, 0.6)
    plan = rs.stats.power(
        design="paired", power=0.8, effect=0.14, discordance=0.4, icc=0.36, cluster_size=size
    )
    assert plan.n is not None
    assert plan.n_clusters is not None
    differences = twin.simulated_pairs(rng, studies, round(plan.n_clusters), size, shares)
    study, item, repeat = (index.ravel() for index in np.indices(differences.shape, np.int32))
    one_arm = {"study": study, "item": item, "repeat": repeat}
    sign = differences.ravel()
    trials = pl.concat(
        pl.DataFrame(one_arm | {"correct": hit}).with_columns(arm=pl.lit(arm))
        for arm, hit in {"t": sign > 0, "b": sign < 0}.items()
    )
    found = rs.compare(trials, "correct", **DESIGN, by="study", cluster="item", method="t")
    by_t = ((found["low"] > 0) | (found["high"] < 0)).mean()
    by_flips = (found["flip_p"] <= 0.05).mean()
    assert plan.power is not None
    assert by_t == pytest.approx(plan.power, abs=0.035)
    assert by_flips == pytest.approx(plan.power, abs=0.045)


def test_rates_give_the_discordance() -> None:
    """Independent arms of a pair: p (1 - q) + q (1 - p); with a correlation, less."""
    p, q = 0.7, 0.5
    common: dict[str, Any] = {"design": "paired", "n": 100, "effect": p - q}
    both = p * q + 0.3 * math.sqrt(p * (1 - p) * q * (1 - q))
    for correlation, discordance in ((None, p * (1 - q) + q * (1 - p)), (0.3, p + q - 2 * both)):
        found = rs.stats.power(baseline=q, correlation=correlation, **common)
        again = rs.stats.power(discordance=discordance, **common)
        assert found.power == pytest.approx(again.power, rel=1e-10)
    # More than the rates allow is as much as they allow: no pair for the baseline alone.
    found = rs.stats.power(baseline=q, correlation=1.0, **common)
    assert found.power == pytest.approx(
        rs.stats.power(discordance=p - q, **common).power, rel=1e-10
    )


def test_unpaired_rates_have_the_variance_of_both() -> None:
    found = rs.stats.power(design="unpaired", n=200, effect=0.15, baseline=0.5, method="normal")
    error = math.sqrt((0.25 + 0.65 * 0.35) / 200)
    expected = twin_normal(0.15 / error)
    assert found.power == pytest.approx(expected, rel=1e-12)
    found = rs.stats.power(design="unpaired", n=200, effect=0.15, baseline=0.5)
    assert found.power == pytest.approx(twin.t_power(0.15, error, 398, 0.05, "two-sided"))


def twin_normal(shift: float) -> float:
    z = -scipy.stats.norm.ppf(0.025)
    return float(scipy.stats.norm.sf(z - shift) + scipy.stats.norm.sf(z + shift))


def test_exact_and_normal_meet_where_the_sum_gives_way() -> None:
    common: dict[str, Any] = {"design": "paired", "discordance": 0.5, "effect": 0.01}
    exact = rs.stats.power(n=40_000, **common)
    normal = rs.stats.power(n=40_001, **common)
    assert (exact.method, normal.method) == ("mcnemar-exact", "t")
    assert exact.power == pytest.approx(normal.power, abs=0.01)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"sd": 1.0, "effect": 0.0, "power": 0.8}, "no size up to 10^12 reaches this power"),
        ({"discordance": 0.3, "effect": 0.0, "power": 0.8}, "no size up to 10^12"),
        ({"baseline": 0.99, "n": 20, "power": 0.8}, "no effect that is possible"),
        ({"discordance": 0.1, "n": 20, "power": 0.8}, "no effect that is possible"),
        ({"sd": 1.0, "n": 1, "power": 0.8}, "fewer than two"),
        ({"sd": 1.0, "n": 0, "effect": 0.8}, "fewer than two"),
        ({"sd": 1.0, "n": 5, "effect": 0.8, "icc": 0.1, "cluster_size": 3}, "fewer than two"),
    ],
)
def test_what_cannot_be_had_has_a_reason(options: dict[str, Any], reason: str) -> None:
    found = rs.stats.power(design="paired", **options)
    assert reason in (found.reason or "")
    assert None in (found.n, found.effect, found.power)
    assert found.to_frame().height == 1


def test_rates_without_spread() -> None:
    certain = rs.stats.power(design="unpaired", n=10, baseline=0.0, effect=1.0)
    assert certain.power == 1.0
    nothing = rs.stats.power(design="unpaired", n=10, baseline=0.0, effect=0.0)
    assert nothing.power == 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give two of n, power and effect"),
        ({"n": 10}, "left out: power, effect"),
        ({"n": 10, "power": 0.8, "effect": 0.1}, "left out: none"),
        ({"n": 10, "power": 0.8, "sd": None}, "name the outcome by one of"),
        ({"n": 10, "power": 0.8, "baseline": 0.5}, "received sd and baseline"),
        ({"n": 10, "power": 0.8, "sd": 0.0}, "above 0"),
        ({"n": 10, "power": 0.8, "sd": math.inf}, "finite"),
        ({"n": 10, "power": 0.8, "correlation": 1.0}, "above 0"),
        ({"n": 10, "power": 0.8, "correlation": -1.1}, "from -1 to 1"),
        ({"n": 10, "power": 0.8, "design": "crossed"}, "'paired', 'unpaired'"),
        ({"n": 10, "power": 0.8, "design": "unpaired", "correlation": 0.1}, "of pairs"),
        ({"n": 10.5, "power": 0.8}, "whole number"),
        ({"n": -1, "power": 0.8}, "whole number"),
        ({"n": 10, "power": 80}, "between 0 and 1"),
        ({"n": 10, "power": 0.8, "alpha": 0}, "between 0 and 1"),
        ({"n": 10, "power": 0.8, "icc": -0.1}, "from 0 to 1"),
        ({"n": 10, "power": 0.8, "cluster_size": 0.5}, "from 1 up"),
        ({"n": 10, "power": 0.8, "alternative": "bigger"}, "use one of"),
        ({"n": 10, "power": 0.8, "method": "exact"}, "use one of"),
        ({"n": 10, "effect": 0.6, "sd": None, "baseline": 0.5}, "outside 0 to 1"),
        ({"n": 10, "effect": 0.6, "sd": None, "discordance": 0.5}, "at least that"),
        ({"n": 10, "power": 0.6, "sd": None, "discordance": 0.0}, "above 0"),
        (
            {"n": 10, "power": 0.6, "sd": None, "discordance": 0.4, "correlation": 0.5},
            "leave correlation out",
        ),
    ],
)
def test_assumptions_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        rs.stats.power(**({"design": "paired", "sd": 1.0} | options))


# --- a pilot


@given(
    clusters=st.lists(
        st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=4), min_size=1, max_size=8
    ),
    grouped=st.booleans(),
)
def test_pilot_agrees_with_its_twin(clusters: list[list[int]], grouped: bool) -> None:
    counts = [
        (len(c), c.count(1) + c.count(0), c.count(-1) + c.count(0), c.count(1)) for c in clusters
    ]
    found = rs.power(
        paired(counts),
        "correct",
        **DESIGN,
        cluster="item" if grouped else None,
        n=400,
        power=0.8,
    ).row(0, named=True)
    expected = twin.pilot(clusters if grouped else [[d] for c in clusters for d in c])
    if not grouped:
        expected["icc"] = None
    for name, value in expected.items():
        assert found[name] == (None if value is None else pytest.approx(value, abs=1e-12)), name
    assert found["pilot_clusters"] == (len(clusters) if grouped else None)
    if not expected["discordance"]:
        assert found["reason"] in {"no pair of the pilot differs", "one cluster"}
    elif grouped and len(clusters) == 1:
        assert found["reason"] == "one cluster"
    else:
        again = rs.stats.power(
            design="paired",
            n=400,
            power=0.8,
            discordance=found["discordance"],
            icc=found["icc"] or 0.0,
            cluster_size=found["cluster_size"],
        )
        for name in ("n", "n_clusters", "effect", "power", "method", "reason", "design_effect"):
            assert found[name] == getattr(again, name), name


def test_pilot_of_cells_and_arms() -> None:
    rng = np.random.default_rng(9)
    trials = pl.DataFrame(
        {
            "task": (["x"] * 60 + ["y"] * 60) * 3,
            "arm": ["b"] * 120 + ["t"] * 120 + ["u"] * 120,
            "item": [i // 3 for i in range(120)] * 3,
            "repeat": [0, 1, 2] * 120,
            "correct": rng.random(360) < 0.5,
        }
    )
    keywords: dict[str, Any] = DESIGN | {"by": "task", "cluster": "item"}
    found = rs.power(trials, "correct", **keywords, effect=0.1, power=0.9)
    assert found.select("task", "treatment_level").rows() == [
        ("x", "t"),
        ("x", "u"),
        ("y", "t"),
        ("y", "u"),
    ]
    assert found["n"].null_count() == 0
    shuffled = trials.sample(fraction=1, shuffle=True, seed=2).lazy()
    again = rs.power(shuffled, "correct", **keywords, effect=0.1, power=0.9)
    assert found.equals(again)


def test_pilot_without_a_pair() -> None:
    trials = pl.DataFrame({"arm": ["t", "b"], "item": [0, 1], "repeat": [0, 0], "correct": [1, 1]})
    row = rs.power(trials, "correct", **DESIGN, n=5, power=0.5).row(0, named=True)
    assert (row["reason"], row["discordance"], row["pilot_pairs"]) == ("no pairs", None, 0)


def test_pilot_is_checked() -> None:
    trials = pl.DataFrame({"arm": ["t", "b"], "item": [0, 0], "repeat": [0, 0], "correct": [1, 0]})
    with pytest.raises(OptionError, match="give two of"):
        rs.power(trials, "correct", **DESIGN, n=5)
    with pytest.raises(ColumnError, match="no column"):
        rs.power(trials, "hit", **DESIGN, n=5, power=0.5)
    with pytest.raises(DesignError, match="does not occur"):
        rs.power(trials, "correct", **(DESIGN | {"baseline": "z"}), n=5, power=0.5)


# --- rule of three


@pytest.mark.parametrize(
    ("n", "rule", "exact"),
    [(96, 0.03125, 0.03072), (24, 0.125, 0.1173)],  # R1 and R2
)
def test_printed_rules_of_three(n: int, rule: float, exact: float) -> None:
    found = rs.stats.rule_of_three(n)
    assert found.bound == pytest.approx(exact, abs=5e-5)
    assert found.approximation == pytest.approx(rule, rel=2e-3)


@given(n=st.integers(1, 10**9), level=st.floats(0.01, 0.999))
def test_rule_of_three_is_exact(n: int, level: float) -> None:
    found = rs.stats.rule_of_three(n, confidence_level=level)
    assert found.bound == pytest.approx(scipy.stats.beta.ppf(level, 1, n), rel=1e-9)
    assert found.approximation is not None
    assert found.bound <= found.approximation or found.approximation == 1


def test_rule_of_three_without_a_trial() -> None:
    found = rs.stats.rule_of_three(0)
    assert (found.bound, found.approximation, found.reason) == (None, None, "no trials")
    with pytest.raises(OptionError, match="whole number"):
        rs.stats.rule_of_three(-1)
    with pytest.raises(OptionError, match="between 0 and 1"):
        rs.stats.rule_of_three(3, confidence_level=95)
