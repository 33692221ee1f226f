"""Audits of printed figures against complete enumeration in fractions and published figures."""

import functools
import itertools
import math
import time
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError, ReclaimStatsError
from reference import audit as twin

ROUNDINGS = st.sampled_from(["either", "half-up", "half-even"])
MCNEMAR = ["mcnemar-exact", "mcnemar-mid-p", "mcnemar-asymptotic", "mcnemar-continuity"]
TWO_ARMS = ["fisher-exact", "chi-square", "chi-square-corrected"]
Row = dict[str, Any]


def one(**figure: Any) -> tuple[Row, pl.DataFrame]:
    options = {name: figure.pop(name) for name in ("rounding",) if name in figure}
    result = rs.audit(figure, max_tables=100_000, **options)
    return result.figures.row(0, named=True), result.tables


def found(tables: pl.DataFrame, *columns: str) -> set[tuple[Any, ...]]:
    return set(tables.select(columns).rows())


def check(verdict: Row, n_tables: int) -> None:
    assert verdict["reason"] is None
    assert verdict["n_tables"] == n_tables
    assert verdict["verdict"] == {0: "none", 1: "unique"}.get(n_tables, "several")


# --- complete enumeration


@settings(max_examples=150)
@given(n=st.integers(1, 250), digits=st.integers(0, 4), rounding=ROUNDINGS, data=st.data())
def test_rates(n: int, digits: int, rounding: str, data: st.DataObject) -> None:
    percent = data.draw(st.booleans())
    scale = 100 if percent else 1
    text = data.draw(
        st.one_of(
            st.integers(0, n).map(lambda k: f"{scale * k / n:.{digits}f}"),
            st.integers(0, scale * 10**digits).map(lambda v: f"{v / 10**digits:.{digits}f}"),
        )
    )
    given = f"{text}%" if percent else text
    verdict, tables = one(figure="rate", printed=given, n=n, rounding=rounding)
    test = twin.prints(text, rounding, scale)
    expected = {(k,) for k in range(n + 1) if test(Fraction(k, n))}
    assert found(tables, "successes") == expected
    check(verdict, len(expected))


@settings(max_examples=50)
@given(
    n=st.integers(1, 8),
    b=st.integers(0, 8),
    c=st.integers(0, 8),
    both=st.integers(0, 8),
    digits=st.integers(1, 4),
    rounding=ROUNDINGS,
    known=st.sets(st.sampled_from(["treatment", "baseline", "difference", "b", "c"])),
)
def test_p_values_of_pairs(
    n: int, b: int, c: int, both: int, digits: int, rounding: str, known: set[str]
) -> None:
    b, c = min(b, n), min(c, n - min(b, n))
    both = min(both, n - b - c)
    k, j = both + b, both + c
    rates = {
        "treatment": (Fraction(k, n), f"{k / n:.2f}"),
        "baseline": (Fraction(j, n), f"{j / n:.2f}"),
        "difference": (Fraction(k - j, n), f"{(k - j) / n:.2f}"),
    }
    for method in MCNEMAR:
        text = f"{float(twin.mcnemar(method, b, c)):.{digits}f}"
        figure: Row = {"figure": "p", "printed": text, "n": n, "rounding": rounding}
        figure["method"] = " ".join(MCNEMAR)
        figure |= {name: rates[name][1] for name in known & set(rates)}
        figure |= {"treatment_only": b} if "b" in known else {}
        figure |= {"baseline_only": c} if "c" in known else {}
        verdict, tables = one(**figure)
        tests = {name: twin.prints(rates[name][1], rounding) for name in known & set(rates)}
        right = twin.prints(text, rounding)
        expected = {
            (b2, c2, m)
            for k2, j2, b2, c2 in twin.discordant(n)
            if all(
                tests[name](value)
                for name, value in {
                    "treatment": Fraction(k2, n),
                    "baseline": Fraction(j2, n),
                    "difference": Fraction(k2 - j2, n),
                }.items()
                if name in tests
            )
            if ("b" not in known or b2 == b) and ("c" not in known or c2 == c)
            for m in MCNEMAR
            if right(twin.mcnemar(m, b2, c2))
        }
        if not known:
            # A table and its mirror image are one.
            expected = {(b2, c2, m) for b2, c2, m in expected if b2 >= c2}
        assert found(tables, "treatment_only", "baseline_only", "method") == expected
        check(verdict, len({(b2, c2) for b2, c2, _ in expected}))


@settings(max_examples=30)
@given(
    n=st.integers(1, 50),
    m=st.integers(1, 25),
    digits=st.integers(1, 5),
    rounding=ROUNDINGS,
    rates=st.booleans(),
    data=st.data(),
)
def test_p_values_of_two_arms(
    n: int, m: int, digits: int, rounding: str, rates: bool, data: st.DataObject
) -> None:
    k, j = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    source = data.draw(st.sampled_from(TWO_ARMS))
    text = f"{float(twin.two_arms(source, n, m, k, j)):.{digits}f}"
    figure: Row = {"figure": "p", "printed": text, "n": n, "n_baseline": m, "rounding": rounding}
    treatment, baseline = f"{k / n:.1f}", f"{j / m:.1f}"
    if rates:
        figure |= {"treatment": treatment, "baseline": baseline}
    verdict, tables = one(**figure)
    right = twin.prints(text, rounding)
    first, second = twin.prints(treatment, rounding), twin.prints(baseline, rounding)
    expected = {
        (k2, j2, method)
        for k2, j2 in itertools.product(range(n + 1), range(m + 1))
        if not rates or (first(Fraction(k2, n)) and second(Fraction(j2, m)))
        for method in TWO_ARMS
        if right(twin.two_arms(method, n, m, k2, j2))
    }
    assert found(tables, "successes", "successes_baseline", "method") == expected
    check(verdict, len({table[:2] for table in expected}))


@settings(max_examples=60)
@given(n=st.integers(1, 30), m=st.integers(1, 30), rounding=ROUNDINGS, data=st.data())
def test_differences(n: int, m: int, rounding: str, data: st.DataObject) -> None:
    k, j = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    digits = data.draw(st.integers(0, 2))
    text = f"{100 * (k / n - j / m):+.{digits}f}"
    rate = f"{k / n:.1f}"
    constrained = data.draw(st.booleans())
    figure: Row = {"figure": "difference", "printed": f"{text} pp", "n": n, "n_baseline": m}
    figure |= {"treatment": rate} if constrained else {}
    verdict, tables = one(**figure, rounding=rounding)
    right, first = twin.prints(text, rounding, 100), twin.prints(rate, rounding)
    expected = {
        (k2, j2)
        for k2, j2 in itertools.product(range(n + 1), range(m + 1))
        if right(Fraction(k2, n) - Fraction(j2, m)) and (not constrained or first(Fraction(k2, n)))
    }
    if n == m:
        both = {k2 - j2 for k2, j2 in expected}
        assert found(tables, "successes_difference") == {(d,) for d in both}
        check(verdict, len(both))
    else:
        assert found(tables, "successes", "successes_baseline") == expected
        check(verdict, len(expected))


@settings(max_examples=50)
@given(
    cells=st.tuples(*[st.integers(0, 5)] * 4),
    digits=st.integers(1, 3),
    rounding=ROUNDINGS,
    agreement=st.booleans(),
)
def test_kappa(
    cells: tuple[int, int, int, int], digits: int, rounding: str, agreement: bool
) -> None:
    n = sum(cells)
    kappas = dict(twin.kappas(n, None)) if n else {}
    if cells not in kappas:
        return
    agreed = cells[0] + cells[3]
    text, raw = f"{float(kappas[cells]):.{digits}f}", f"{agreed / n:.3f}"
    figure: Row = {"figure": "kappa", "printed": text, "n": n, "rounding": rounding}
    verdict, tables = one(**figure, **({"agreement": raw} if agreement else {}))
    right, same = twin.prints(text, rounding), twin.prints(raw, rounding)
    expected = {
        table
        for table, kappa in kappas.items()
        if right(kappa) and (not agreement or same(Fraction(table[0] + table[3], n)))
    }
    assert found(tables, "both", "first_only", "second_only", "neither") == expected
    check(verdict, len(expected))


@settings(max_examples=120)
@given(
    scores=st.lists(st.integers(1, 7), min_size=1, max_size=6),
    digits=st.tuples(st.integers(0, 2), st.integers(0, 3)),
    rounding=ROUNDINGS,
    shift=st.sampled_from([0, 0, 1]),
)
def test_means_and_deviations(
    scores: list[int], digits: tuple[int, int], rounding: str, shift: int
) -> None:
    n = len(scores)
    mean = f"{np.mean(scores):.{digits[0]}f}"
    sd = f"{np.std(scores, ddof=min(1, n - 1)) + shift / 7:.{digits[1]}f}"
    verdict, tables = one(
        figure="mean", printed=f"{mean} ± {sd}", n=n, least=1, most=7, rounding=rounding
    )
    right = functools.cache(lambda total: twin.prints(mean, rounding)(Fraction(total, n)))

    @functools.cache
    def spread_prints(spread: int, degrees: int) -> bool:
        return twin.root_prints(Fraction(spread, n * degrees), sd, rounding)

    expected = set()
    for counts, total, spread in twin.means(n, 1, 7):
        for method, degrees in (("sd-sample", n - 1), ("sd-population", n)):
            if degrees and right(total) and spread_prints(spread, degrees):
                expected.add((tuple(sorted(counts.items())), method))
    assert {
        (tuple(zip(values, counts, strict=True)), method)
        for values, counts, method in tables.select("scores", "counts", "method").rows()
    } == expected
    check(verdict, len({table for table, _ in expected}))


@settings(max_examples=30)
@given(n=st.integers(1, 40), k=st.integers(0, 40), digits=st.integers(1, 4), rate=st.booleans())
def test_intervals_are_those_of_the_package(n: int, k: int, digits: int, rate: bool) -> None:
    k = min(k, n)
    outcomes = [[1] * hits + [0] * (n - hits) for hits in range(n + 1)]
    for method in ("wilson", "clopper-pearson", "jeffreys", "agresti-coull", "percentile"):
        exact = [rs.stats.rate(values, method=method) for values in outcomes]
        limits = [f"{limit:.{digits}f}" for limit in (exact[k].low, exact[k].high)]  # type: ignore[str-format]
        text = f"[{limits[0]}, {limits[1]}]"
        shown = f"{k / n:.3f}"
        verdict, tables = one(
            figure="interval", printed=f"{shown} {text}" if rate else text, n=n, method=method
        )
        tests = [twin.prints(limit, "either") for limit in limits]
        expected = {
            (hits,)
            for hits, result in enumerate(exact)
            if tests[0](result.low)  # type: ignore[arg-type]
            and tests[1](result.high)  # type: ignore[arg-type]
            and (not rate or twin.prints(shown, "either")(Fraction(hits, n)))
        }
        assert found(tables, "successes") == expected
        assert (k,) in expected
        check(verdict, len(expected))


def test_drawn_percentiles_are_a_step_away_at_most() -> None:
    _, tables = one(figure="interval", printed="0.95 [0.91, 0.99]", n=96)
    assert found(tables, "method", "successes") >= {("percentile-drawn", 91)}
    assert ("percentile", 91) not in found(tables, "method", "successes")
    _, tables = one(figure="interval", printed="0.00 [0.00, 0.00]", n=96, method="percentile-drawn")
    assert tables.is_empty()


def test_wald_may_be_cut_off() -> None:
    for printed in ("0.99 [0.97, 1.01]", "0.99 [0.97, 1.00]"):
        _, tables = one(figure="interval", printed=printed, n=96, method="wald")
        assert found(tables, "successes") == {(95,)}


# --- published figures


@pytest.mark.parametrize(
    ("printed", "difference", "table"),
    [
        ("2.3 × 10^-17", "+39.9 pp", (76, 5)),
        ("3.0e-9", "+28.7 pp", (64, 13)),
        ("1.4×10⁻⁸", "+27.0 pp", (61, 13)),
        ("5.6e-06", "+18.0 pp", (41, 9)),
        ("8.2 × 10^{-4}", "+12.9 pp", (34, 11)),
    ],
)
def test_five_p_values_of_one_table(printed: str, difference: str, table: tuple[int, int]) -> None:
    figure = {"figure": "p", "printed": printed, "n": 178, "difference": difference}
    verdict, tables = one(**figure, method="mcnemar-exact")
    assert verdict["verdict"] == "unique"
    assert found(tables, "treatment_only", "baseline_only") == {table}
    # The printed baseline leaves the same.
    verdict, _ = one(**figure, baseline="21.3%", method="mcnemar-exact")
    assert verdict["verdict"] == "unique"


def test_a_p_value_that_no_table_gives() -> None:
    arms = {"figure": "p", "n": 100, "treatment": "92.0%", "baseline": "83.0%"}
    verdict, tables = one(**arms, printed=".023")
    assert (verdict["verdict"], verdict["methods"], tables.height) == ("none", None, 0)
    verdict, tables = one(**arms, printed=".022")
    assert found(tables, "method", "treatment_only", "baseline_only") == {("mcnemar-exact", 11, 2)}
    verdict, _ = one(**arms, printed=".023", n_baseline=100)
    assert verdict["verdict"] == "none"


# --- reading


@pytest.mark.parametrize(
    "printed",
    ["0.95", ".95", "95%", "95 %", "95.0", "rate = 0.95", "0.95.", "**0.95**", "95.0 percent"],
)
def test_one_rate_in_many_dresses(printed: str) -> None:
    _, tables = one(figure="rate", printed=printed, n=20)
    assert found(tables, "successes") == {(19,)}


@pytest.mark.parametrize(
    "printed",
    [
        "0.88 [0.84, 0.91]",
        "88% (84–91)",
        "0.88, 95% CI 0.84 to 0.91",
        "88 [84, 91]",
        "88% [84%, 91%]",
        "0.88 (95% confidence interval: 0.84-0.91)",
    ],
)
def test_one_interval_in_many_dresses(printed: str) -> None:
    _, tables = one(figure="interval", printed=printed, n=312, method="percentile")
    assert found(tables, "successes") == {(273,), (274,)}


@pytest.mark.parametrize(
    ("kind", "printed"),
    [
        ("p", "n.s."),
        ("p", ""),
        ("p", "0,023"),
        ("rate", "39/57"),
        ("rate", "1.2.3"),
        ("rate", "0.5 0.6"),
        ("interval", "0.5"),
        ("mean", "1 2 3 4"),
        ("rate", "9" * 400),
        ("rate", "1e-999"),
        ("rate", "∞"),
        ("rate", "\U0001f600" * 1000),
        ("odds", "1.2"),
        ("kappa", "κ"),
    ],
)
def test_what_cannot_be_read_is_undecided(kind: str, printed: str) -> None:
    verdict, tables = one(figure=kind, printed=printed, n=30)
    assert verdict["verdict"] == "undecided"
    assert 0 < len(verdict["reason"]) < 200
    assert tables.is_empty()


@given(printed=st.text(max_size=30), kind=st.sampled_from(rs._core.FIGURES))
def test_no_text_raises(printed: str, kind: str) -> None:
    verdict, _ = one(figure=kind, printed=printed, n=12)
    assert verdict["verdict"] in ("none", "unique", "several", "undecided")
    assert (verdict["verdict"] == "undecided") <= (verdict["reason"] is not None)


@settings(max_examples=40)
@given(
    kind=st.sampled_from(rs._core.FIGURES),
    printed=st.sampled_from(["0.5", "50%", "-3", "< .05", "0.5 [0.4, 0.6]", "3.1 ± 0.7", "1e-300"]),
    counts=st.dictionaries(
        st.sampled_from(["n", "n_baseline", "successes", "treatment_only", "of", "least", "most"]),
        st.one_of(st.integers(0, 40), st.sampled_from([10**6, 10**9, 10**15])),
    ),
)
def test_no_counts_raise_or_take_long(kind: str, printed: str, counts: dict[str, int]) -> None:
    started = time.process_time()
    verdict = rs.audit({"figure": kind, "printed": printed, **counts}).figures.row(0, named=True)
    assert verdict["verdict"] is not None
    assert time.process_time() - started < 10


# --- the interface


def test_rows_labels_and_order_are_kept() -> None:
    figures = pl.DataFrame(
        {
            "paper": ["a", "b", "c"],
            "figure": ["rate", "rate", None],
            "printed": ["0.5", "0.51", "0.5"],
            "n": [10, 10, 10],
        }
    )
    result = rs.audit(figures)
    assert_frame_equal(result.figures.select(figures.columns), figures)
    assert result.figures["verdict"].to_list() == ["unique", "none", "undecided"]
    assert result.tables.select("row", "paper", "printed", "successes").rows() == [
        (0, "a", "0.5", 5)
    ]
    lazy = rs.audit(figures.lazy())
    assert_frame_equal(lazy.tables, result.tables)
    arrow = rs.audit(figures.to_arrow())
    assert_frame_equal(arrow.figures, result.figures)
    text = rs.audit(figures.with_columns(pl.col("n").cast(pl.String)))
    assert_frame_equal(text.tables, result.tables)
    category = rs.audit(figures.with_columns(pl.col("figure", "printed").cast(pl.Categorical)))
    assert category.figures["verdict"].to_list() == ["unique", "none", "undecided"]


def test_the_schema_does_not_depend_on_the_rows() -> None:
    full = rs.audit({"figure": "mean", "printed": "1.5 ± 0.5", "n": 4})
    empty = rs.audit(pl.DataFrame(schema={"figure": pl.String, "printed": pl.String}))
    assert empty.tables.schema == full.tables.schema
    assert empty.figures.is_empty()
    assert empty.figures.columns == [
        "figure",
        "printed",
        "verdict",
        "n_tables",
        "methods",
        "reason",
    ]


def test_listing_stops_and_counting_does_not() -> None:
    figure = {"figure": "rate", "printed": "0.5", "n": 10_000}
    result = rs.audit(figure, max_tables=3)
    assert result.figures["n_tables"].item() == 1001
    assert result.tables["successes"].to_list() == [4500, 4501, 4502]


def test_a_search_without_end_says_so() -> None:
    figure = {"figure": "mean", "printed": "4.02 ± 1.93", "n": 900, "least": 1, "most": 7}
    result = rs.audit(figure, max_tables=50)
    assert result.figures.select("verdict", "n_tables", "reason").row(0) == (
        "several",
        50,
        "counting stopped at 50 tables",
    )


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        ({"figure": "rate"}, "no column 'printed'"),
        ({"figure": "rate", "printed": 0.5, "n": 10}, "'0.50' says more digits than 0.5"),
        ({"figure": "rate", "printed": "0.5", "n": 10.0}, "must be whole numbers"),
        ({"figure": "rate", "printed": "0.5", "n": -1}, "'-1'"),
        ({"figure": "rate", "printed": "0.5", "n": "ten"}, "'ten'"),
        ({"figure": "rate", "printed": "0.5", "n": 10, "verdict": "ok"}, "name of a result"),
        (7, "must be a Polars DataFrame"),
    ],
)
def test_wrong_columns_are_named(figure: Any, message: str) -> None:
    with pytest.raises(ColumnError, match=message):
        rs.audit(figure)


@pytest.mark.parametrize(
    "options", [{"rounding": "up"}, {"confidence_level": 95}, {"max_tables": 0}]
)
def test_wrong_options_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        rs.audit({"figure": "rate", "printed": "0.5", "n": 10}, **options)


def test_a_method_that_is_none_is_undecided() -> None:
    verdict, _ = one(figure="p", printed=".05", n=50, method="t-test")
    assert verdict["verdict"] == "undecided"
    assert "mcnemar-exact" in verdict["reason"]
    with pytest.raises(ReclaimStatsError):
        rs.audit({"figure": "p", "printed": ".05", "n": 50, "method": 3})


# --- speed


def test_ten_million_tables_in_a_second_of_work() -> None:
    figures = [
        {"figure": "kappa", "printed": "0.41", "n": 380},
        {"figure": "p", "printed": ".031", "n": 10_000},
        {"figure": "p", "printed": ".031", "n": 1_000, "n_baseline": 1_000},
    ]
    for figure in figures:
        started = time.process_time()
        result = rs.audit(figure, max_tables=10)
        assert result.figures["verdict"].item() == "several"
        assert result.figures["n_tables"].item() > 100
        assert time.process_time() - started < 5
    assert math.comb(383, 3) > 9_000_000


@pytest.mark.parametrize("name", ["sucesses", "Successes", "treatement", "figures", "n_baselines"])
def test_a_misspelt_column_is_no_label(name: str) -> None:
    row = {"figure": "rate", "printed": "50%", "n": 10}
    with pytest.raises(ColumnError, match=r"did you mean .* successes_baseline"):
        rs.audit({**row, name: 3})
    assert rs.audit({**row, "model": "m", "id": 3}).figures["verdict"].item() == "unique"


@pytest.mark.parametrize("printed", ["~50%", "≈ 50%", "about 50%", "Approx. 0.50", "ca. 50%"])
def test_a_figure_that_is_about_right_is_not_read(printed: str) -> None:
    row = {"figure": "rate", "printed": printed, "n": 10}
    assert rs.audit(row).figures["verdict"].item() == "undecided"
    assert rs.audit({**row, "printed": "50%"}).figures["verdict"].item() == "unique"
