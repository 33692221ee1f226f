"""Printed figures of four papers, each computed again by the package's public functions.

The figures are read from the reference material; what is written here is how each is computed. A
row without a check fails, and so does a check without a row.
"""

import ast
import itertools
import json
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import reclaimstats as rs

Row = dict[str, Any]
Check = Callable[[Row], None]
Tables = list[dict[str, Any]]

CHECKS: dict[str, Check] = {}
# Rows that say of themselves that nothing can be computed from the text.
NOTHING_TO_COMPUTE = {"D7"}


def checks(*identifiers: str) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        for identifier in identifiers:
            assert identifier not in CHECKS
            CHECKS[identifier] = check
        return check

    return register


@pytest.fixture(scope="module")
def rows(reference: Path) -> dict[str, Row]:
    path = reference / "cases" / "paper_figures.jsonl"
    if not path.is_file():
        pytest.skip(f"no file {path}")
    figures = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {figure["id"]: figure for figure in figures}


def test_every_figure_has_a_check(rows: dict[str, Row]) -> None:
    assert set(rows) == set(CHECKS) | NOTHING_TO_COMPUTE


# --- reading the rows


NUMBER = r"[-+]?(?:\d+\.\d*|\.?\d+)(?:e[-+]?\d+)?"


def numbers(text: str) -> list[str]:
    return re.findall(NUMBER, text)


def after(words: str, text: str) -> str:
    """Return the number behind these words."""
    found = re.search(rf"{re.escape(words)}\D{{0,3}}?({NUMBER})", text)
    assert found, f"no number behind {words!r} in {text!r}"
    return found[1]


def prints(value: float | None, text: str) -> bool:
    """Return whether a value, rounded to the digits of a number, is that number."""
    assert value is not None
    number = Decimal(text)
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    half = Fraction(10) ** exponent / 2
    return abs(Fraction(value) - Fraction(number)) <= half * (1 + Fraction(1, 10**9))


def listed(text: str) -> Any:
    """Return the first list or dictionary of a text."""
    start = min(text.find(sign) for sign in "[{" if sign in text)
    for end in range(len(text), start, -1):
        try:
            return ast.literal_eval(text[start:end])
        except (SyntaxError, ValueError):
            continue
    raise AssertionError(text)


# --- what the package says


def audit(**figure: Any) -> tuple[str, Tables]:
    result = rs.audit(figure, max_tables=100_000)
    return result.figures["verdict"].item(), result.tables.to_dicts()


def only(**figure: Any) -> dict[str, Any]:
    """Return the one table that prints so."""
    verdict, tables = audit(**figure)
    assert (verdict, len(tables)) == ("unique", 1), figure
    return tables[0]


def share(k: int, n: int, **options: Any) -> Any:
    return rs.stats.rate([1] * k + [0] * (n - k), **options)


def pairs(b: int, c: int, n: int) -> pl.DataFrame:
    """Trials of two arms with these discordant counts."""
    treatment = [1] * b + [0] * c + [0] * (n - b - c)
    baseline = [0] * b + [1] * c + [0] * (n - b - c)
    return pl.DataFrame(
        {
            "arm": ["treatment"] * n + ["baseline"] * n,
            "item": [*range(n), *range(n)],
            "correct": treatment + baseline,
        }
    )


# --- Reclaim Evaluation


@checks("R1", "R2")
def nothing_of_n(row: Row) -> None:
    n = int(after("n=", row["inputs"]))
    bound = share(0, n).bound_high
    exact, _ = row["computed"].split("; ")[1:]
    assert prints(bound, numbers(exact.rpartition("=")[2])[0])
    two_sided = share(0, n, method="clopper-pearson").high
    assert prints(two_sided, numbers(row["computed"])[-1])
    # The rule of three is the exact bound's approximation from above.
    assert bound < 3 / n <= float(numbers(row["stated"])[0])
    assert prints(3 / n, after("3/n=", row["computed"]))


@checks("R4", "R5", "R6b", "R6c", "R8a", "R8b")
def percentile_interval(row: Row) -> None:
    n = int(after("n=", row["inputs"]))
    expected = listed(row["computed"].partition("k=")[2])
    for k, limits in expected:
        result = share(k, n, method="percentile")
        assert [round(result.low, 4), round(result.high, 4)] == limits
    printed = {"figure": "interval", "n": n, "method": "percentile"}
    verdict, tables = audit(printed=row["stated"], **printed)
    assert verdict != "none"
    assert {table["successes"] for table in tables} <= {k for k, _ in expected}


@checks("R9")
def constant_data(row: Row) -> None:
    limits = []
    for k in (0, 24):
        result = share(k, 24, method="percentile")
        limits.append(f"[{result.low:.0f},{result.high:.0f}]")
    assert " / ".join(limits) == row["stated"] == row["computed"]


@checks("R10")
def kappa_and_agreement(row: Row) -> None:
    agreement = after("po=", row["inputs"])
    verdict, tables = audit(figure="kappa", printed=row["stated"], n=50, agreement=agreement)
    assert verdict == "several"
    chance = float(after("pe=", row["computed"]))
    for table in tables:
        po = (table["both"] + table["neither"]) / 50
        pe = (po - table["value"]) / (1 - table["value"])
        assert abs(pe - chance) < 0.005  # what two digits of kappa leave open


@checks("R12")
def parts_of_a_whole(row: Row) -> None:
    *hits, n = map(int, numbers(row["inputs"].replace("+", " ")))
    table = only(figure="rate", printed=row["stated"], n=n)
    assert table["successes"] == sum(hits)
    assert prints(table["value"], row["computed"])


@checks("R13")
def halves_to_even(row: Row) -> None:
    assert "impossible: []" in row["computed"]
    cells = re.findall(r"mem0 (\.\d+) \(n=(\d+)\)', \[(\d+)\], \[\]", row["computed"])
    assert len(cells) == 2
    for printed, n, k in cells:
        figure = {"figure": "rate", "printed": printed, "n": int(n)}
        even = rs.audit(figure, rounding="half-even")
        assert even.tables["successes"].to_list() == [int(k)]
        up = rs.audit(figure, rounding="half-up")
        assert up.figures["verdict"].item() == "none"
        assert only(**figure)["successes"] == int(k)


@checks("R15")
def seven_of_seven(row: Row) -> None:
    k, n = map(int, numbers(row["inputs"]))
    assert prints(rs.stats.sign_test(k, n - k).pvalue, after("p=", row["computed"]))


@checks("R16")
def far_apart(row: Row) -> None:
    text = row["computed"]
    assert prints(rs.stats.mcnemar(94, 0).pvalue, after("(94:0) p=", text))
    assert prints(rs.stats.fisher([[96, 0], [2, 94]]).pvalue, after("96/96 vs 2/96 p=", text))
    limits = share(94, 96, method="clopper-pearson")
    assert [round(limits.low, 4), round(limits.high, 4)] == listed(text.partition("94/96=")[2])


@checks("R18")
def intervals_that_do_not_overlap(row: Row) -> None:
    *hits, n = map(int, numbers(row["inputs"]))
    intervals = [share(k, n, method="percentile") for k in hits]
    assert [[round(i.low, 4), round(i.high, 4)] for i in intervals] == listed(row["computed"])
    assert all(a.high <= b.low for a, b in itertools.pairwise(intervals))


# --- stance


@checks("S1", "S3", "S4")
def sign_tests(row: Row) -> None:
    positive, negative = map(int, re.findall(r"(\d+):(\d+)", row["inputs"])[0])
    pvalue = rs.stats.sign_test(positive, negative).pvalue
    assert prints(pvalue, row["computed"])
    stated = numbers(row["stated"])[0]
    assert pvalue < float(stated) if "<" in row["stated"] else prints(pvalue, stated)


@checks("S6")
def one_split(row: Row) -> None:
    n = int(after("n=", row["inputs"]))
    table = only(figure="p", printed=row["stated"], n=n, method="sign-exact")
    found = (table["treatment_only"], table["baseline_only"], table["pvalue"])
    assert [found] == listed(row["computed"])


@checks("S7")
def several_splits(row: Row) -> None:
    for printed, part in zip(row["stated"].split(" / "), row["computed"].split("; "), strict=True):
        verdict, tables = audit(figure="p", printed=printed, n=60, method="sign-exact")
        found = {(t["treatment_only"], t["baseline_only"], round(t["pvalue"], 6)) for t in tables}
        assert verdict == "several"
        assert found >= set(listed(part))


@checks("S9", "S12")
def differences_of_counts(row: Row) -> None:
    if row["id"] == "S9":
        k, j, n = map(int, numbers(row["inputs"]))
    else:
        k, n, j, _ = map(int, re.findall(r"\d+", row["inputs"]))
    counts = {"figure": "difference", "n": n, "successes": k, "successes_baseline": j}
    verdict, _ = audit(printed=row["stated"], **counts)
    assert verdict == ("none" if row["reproduces"] == "no" else "unique")
    exact, *rounded = numbers(row["computed"])
    table = only(printed=f"{exact} pp", **counts)
    assert prints(100 * table["value"], exact)
    for figure in rounded:
        only(printed=f"{figure} pp", **counts)


@checks("S10")
def a_difference_cut_off(row: Row) -> None:
    k, n, j, _ = map(int, re.findall(r"\d+", row["inputs"]))
    counts = {"figure": "difference", "n": n, "successes": k, "successes_baseline": j}
    table = only(printed=row["computed"], **counts)
    # The print cuts off: rounded, the fourth decimal would be 6.
    assert f"{table['value']:.6f}".startswith(row["stated"])
    assert audit(printed=row["stated"], **counts)[0] == "none"


@checks("S13")
def four_tests_of_one_table(row: Row) -> None:
    b, c = (int(after(name, row["inputs"])) for name in ("b=", "c="))
    counts = {"figure": "p", "treatment_only": b, "baseline_only": c}
    tests = {t["method"]: t["pvalue"] for t in audit(printed="<= 1", **counts)[1]}
    for method, words in {
        "mcnemar-exact": "exact",
        "mcnemar-mid-p": "mid-p",
        "mcnemar-asymptotic": "chi2",
        "mcnemar-continuity": "chi2+cc",
    }.items():
        assert prints(tests[method], after(f"{words} ", row["computed"]))
    assert tests["mcnemar-exact"] == pytest.approx(rs.stats.mcnemar(b, c).pvalue, rel=1e-12)
    methods = {t["method"] for t in audit(printed=row["stated"], **counts)[1]}
    assert "mcnemar-exact" in methods
    assert "mcnemar-continuity" not in methods


@checks("S15")
def two_tests_that_share_a_table(row: Row) -> None:
    more, less = (int(after(name, row["inputs"])) for name in ("b1+b2=", "c1+c2="))

    def splits(printed: str) -> dict[tuple[int, int], float]:
        options = {"figure": "p", "n": more + less, "method": "mcnemar-exact"}
        _, tables = audit(printed=printed, **options)
        return {(t["treatment_only"], t["baseline_only"]): t["pvalue"] for t in tables}

    first, second = map(splits, row["stated"].split("/"))
    found = [
        ((b, c), (more - b, less - c), round(p, 4), round(second[more - b, less - c], 4))
        for (b, c), p in sorted(first.items())
        if (more - b, less - c) in second
    ]
    assert found == listed(row["computed"])


@checks("S16")
def parts_of_a_count(row: Row) -> None:
    one, other = map(int, row["inputs"].split("+"))
    k, n = map(int, row["stated"].split("/"))
    assert one + other == k == int(numbers(row["computed"])[0])
    assert share(k, n).estimate * n == pytest.approx(k)


@checks("S18")
def the_floor_of_a_simulation(row: Row) -> None:
    draws = int(after("B=", row["inputs"]))
    arms = {"new": [1] * 20 + [0] * 20, "old": [0] * 20 + [1] * 20}
    trials = pl.DataFrame(
        [
            {"arm": arm, "item": place // 20, "ok": ok}
            for arm, outcomes in arms.items()
            for place, ok in enumerate(outcomes)
        ]
    )
    # Two items of twenty repeats with opposite effects: no shuffle is as far apart.
    result = rs.heterogeneity(
        trials, "ok", contrast="arm", baseline="old", item="item", n_resamples=draws
    )
    assert prints(result["sd_p"].item(), row["stated"])
    assert prints(result["sd_p"].item(), after(")=", row["computed"]))


@checks("S18b")
def below_the_floor(row: Row) -> None:
    positive, negative, _ = map(int, re.findall(r"\d+", row["inputs"]))
    assert rs.stats.sign_test(positive, negative).pvalue < float(row["stated"]) / 1000


@checks("S21")
def one_shift_for_two_readers(row: Row) -> None:
    n, m = map(int, re.findall(r"/(\d+)", row["inputs"]))
    printed = dict(zip(("judge", "human"), row["stated"].split("/"), strict=False))
    tables = {
        reader: {
            (t["successes"], t["successes_baseline"]): 100 * t["value"]
            for t in audit(figure="difference", printed=f"{text} pp", n=n, n_baseline=m)[1]
        }
        for reader, text in printed.items()
    }
    # The human reads one claim of each arm less as qualified.
    found = [
        (k, j, round(value, 2), round(tables["human"][k - 1, j - 1], 2))
        for (k, j), value in sorted(tables["judge"].items())
        if (k - 1, j - 1) in tables["human"]
    ]
    assert found == listed(row["computed"].partition("=")[2])
    assert prints(100 * (1 / m - 1 / n), after("= ", row["computed"].rpartition("1/26")[2]))


@checks("S23")
def contrasts_in_points(row: Row) -> None:
    computed = listed(row["computed"])
    for value in computed.values():
        table = only(figure="difference", printed=f"{value:.2f} pp", n=360)
        assert prints(100 * table["value"], f"{value:.2f}")
    for printed, value in zip(numbers(row["stated"]), computed.values(), strict=False):
        table = only(figure="difference", printed=f"{printed} pp", n=360)
        assert prints(100 * table["value"], f"{value:.2f}")


@checks("S24", "S26")
def a_share(row: Row) -> None:
    k, n = map(int, re.findall(r"(\d+)(?: of |/)(\d+)", row["inputs"])[0])
    percent = "%" if row["id"] == "S24" else ""
    for printed in numbers(row["stated"] + " " + row["computed"]):
        assert only(figure="rate", printed=printed + percent, n=n)["successes"] == k


@checks("S27")
def all_claims(row: Row) -> None:
    result = rs.stats.sign_test(37, 2)
    assert f"{result.positive + result.negative + 21}/60" == row["stated"] == row["computed"]


@checks("S29")
def a_sum(row: Row) -> None:
    parts = list(map(int, row["inputs"].split("+")))
    mean = {"figure": "mean", "printed": f"{sum(parts) / 3:.3f}", "n": len(parts)}
    assert only(**mean)["sum"] == int(row["stated"]) == int(row["computed"])


@checks("S30")
def contained_words(row: Row) -> None:
    for (k, n), printed in zip([(3, 8), (4, 6), (5, 6)], row["stated"].split("/"), strict=True):
        for rounding in ("half-up", "half-even"):
            figure = {"figure": "rate", "printed": printed, "n": n}
            assert rs.audit(figure, rounding=rounding).tables["successes"].to_list() == [k]


# --- curation


@checks("A4b", "A4c", "A4e", "A4f")
def mean_and_deviation(row: Row) -> None:
    values = [Decimal(text) for text in numbers(row["inputs"])]
    tenths = any(value % 1 for value in values)
    scores = sorted(int(value.scaleb(tenths)) for value in values)
    mean = Decimal(after("mean ", row["computed"])).scaleb(tenths)
    for method, words in {"sd-sample": "ddof=1) ", "sd-population": "ddof=0) "}.items():
        sd = Decimal(after(words, row["computed"])).scaleb(tenths)
        _, tables = audit(figure="mean", printed=f"{mean} ± {sd}", n=3, method=method)
        assert scores in [
            [s for s, n in zip(t["scores"], t["counts"], strict=True) for _ in range(n)]
            for t in tables
        ]
    if not tenths:
        _, tables = audit(figure="mean", printed=row["stated"], n=3)
        methods = {t["method"] for t in tables if t["scores"] == sorted(set(scores))}
        repeated = len(set(scores)) < 3
        assert repeated or methods == {"sd-sample"}


@checks("A6")
def a_large_table(row: Row) -> None:
    b, c, n = (int(after(name, row["inputs"])) for name in ("b=", "c=", "n="))
    pvalue = rs.stats.mcnemar(b, c).pvalue
    assert prints(pvalue, after("exact p=", row["computed"]))
    assert pvalue < 1e-4
    table = only(figure="difference", printed=f"{row['stated'].split('; ')[1]} pp", n=n)
    assert table["successes_difference"] == b - c
    assert prints(100 * table["value"], after("diff=", row["computed"]))


@checks("A3")
def a_closed_gap(row: Row) -> None:
    # The oracle's count is not printed: of those listed, one prints the stated share.
    n, baseline, treatment = 23, 8, round(0.613 * 23)
    shares = {}
    for oracle in range(17, 22):
        trials = pl.concat(
            pl.DataFrame({"ok": [1] * hits + [0] * (n - hits)}).with_columns(arm=pl.lit(arm))
            for arm, hits in (("none", baseline), ("new", treatment), ("all", oracle))
        )
        found = rs.gap_closure(trials, "ok", contrast="arm", baseline="none", oracle="all")
        shares[oracle] = found.row(0, named=True)["closure"]
    assert [k for k, share in shares.items() if prints(100 * share, row["stated"].rstrip("%"))] == [
        19
    ]


@checks("S20")
def a_kappa_of_three_categories(row: Row) -> None:
    rebuilt = [[2, 0, 0], [1, 17, 0], [3, 3, 24]]
    assert str(rebuilt).replace(" ", "") in row["note"].replace(" ", "")
    pairs = [(a, b) for a in range(3) for b in range(3) for _ in range(rebuilt[a][b])]
    found = rs.stats.cohen_kappa(*zip(*pairs, strict=True))
    assert prints(found.estimate, row["stated"])
    assert prints(found.estimate, after("kappa=", row["note"]))
    assert prints(found.agreement, after("po=", row["note"]))


@checks("A6b")
def a_clustered_interval(row: Row) -> None:
    result = rs.compare(
        pairs(350, 93, 1668),
        "correct",
        contrast="arm",
        baseline="baseline",
        pair_by="item",
        method="t",
    ).row(0, named=True)
    text = row["computed"]
    limits = [round(100 * result[name], 2) for name in ("low", "high")]
    # Wald's with the normal quantile where this is Student's, and with n where this has n - 1.
    assert limits == pytest.approx(listed(text), abs=0.011)
    low, high = map(float, numbers(row["stated"].replace(",", " ")))
    clustered = (high - low) / 2 / 1.959964
    assert prints(clustered, after("clustered SE ", text))
    assert prints(100 * result["standard_error"], after("naive ", text.partition("SE")[2]))
    effect = (clustered / (100 * result["standard_error"])) ** 2
    assert effect == pytest.approx(float(after("design effect ", text)), abs=0.02)


@checks("A8a", "A8b", "A8d")
def discordant_counts_of_107(row: Row) -> None:
    difference = int(after("b-c=", row["inputs"]))
    printed = {"printed": row["stated"], "difference": f"{100 * difference / 107:.1f} pp"}
    table = only(figure="p", n=107, method="mcnemar-exact", **printed)
    found = (table["treatment_only"], table["baseline_only"], round(table["pvalue"], 6))
    assert [found] == listed(row["computed"].partition("to it: ")[2])
    assert rs.stats.mcnemar(*found[:2]).pvalue == pytest.approx(table["pvalue"], rel=1e-12)


@checks("A9")
def seven_pairs(row: Row) -> None:
    b, c = map(int, row["inputs"].split(":"))
    stated, difference = row["stated"].split("; ")
    assert prints(rs.stats.mcnemar(b, c).pvalue, stated)
    table = only(figure="difference", printed=f"{difference} pp", n=35)
    assert table["successes_difference"] == c - b
    assert prints(100 * table["value"], row["computed"].split("; ")[1])


@checks("A11a", "A11b", "A11d", "A11e")
def discordant_counts_of_178(row: Row) -> None:
    difference, n = (int(after(name, row["inputs"])) for name in ("b-c=", "n="))
    printed = {"printed": row["stated"], "difference": f"{100 * difference / n:.1f} pp"}
    table = only(figure="p", n=n, method="mcnemar-exact", **printed)
    ((b, c, _),) = listed(row["computed"].partition("sf: ")[2])
    assert (table["treatment_only"], table["baseline_only"]) == (b, c)
    assert prints(rs.stats.mcnemar(b, c).pvalue, after(f"{b}:{c} p=", row["computed"]))


@checks("A13")
def shares_of_126(row: Row) -> None:
    for k, printed in listed(row["computed"]).items():
        assert only(figure="rate", printed=f"{printed}%", n=126)["successes"] == k


@checks("A14", "A24", "D5", "D10")
def shares_of_one_size(row: Row) -> None:
    hits = list(map(int, numbers(row["inputs"].partition(" of ")[0])))
    n = int((re.findall(r"n=(\d+)", row["method"]) or [78])[0])
    percent = "" if row["id"] == "D10" else "%"
    printed = [f"{value}{percent}" for value in listed(row["computed"])]
    figures = [{"figure": "rate", "printed": text, "n": n} for text in printed]
    assert rs.audit(figures).tables["successes"].to_list() == hits
    if row["id"] == "D10":
        # The number of trials is not printed. Of those up to it, only this one gives all five.
        sizes = [{**figure, "n": size} for size in range(1, n + 1) for figure in figures]
        found = rs.audit(sizes).figures.filter(pl.col("verdict") != "none").group_by("n").len()
        assert found.filter(pl.col("len") == len(figures))["n"].to_list() == [n]


@checks("A16")
def nothing_of_170(row: Row) -> None:
    k, n = map(int, row["inputs"].split("/"))
    bound = share(k, n).bound_high
    assert bound < 3 / n
    assert prints(3 / n, after("three ", row["computed"]))
    assert prints(rs.stats.mcnemar(39, 0).pvalue, after("p=", row["computed"]))
    assert rs.stats.mcnemar(39, 0).pvalue < 1e-4


@checks("A17a", "A17c", "A17d", "A17f")
def three_runs_of_19(row: Row) -> None:
    _, tables = audit(figure="mean", printed=row["stated"], n=3, of=19, method="sd-sample")
    found = [
        tuple(s for s, n in zip(t["scores"], t["counts"], strict=True) for _ in range(n))
        for t in tables
    ]
    assert found == listed(row["computed"])


@checks("A18")
def a_pair_that_was_dropped(row: Row) -> None:
    fractions = re.findall(r"(\d+)/(\d+)", row["inputs"])
    for (k, n), printed in zip(fractions, row["computed"].split("/"), strict=True):
        assert only(figure="rate", printed=f"{printed}%", n=int(n))["successes"] == int(k)
        assert prints(100 * share(int(k), int(n)).estimate, printed)


@checks("A2")
def closed_share_of_printed_rates(row: Row) -> None:
    """Rates to a tenth of a percent are counts of 1,000."""
    baseline, method, gap = (round(10 * float(value)) for value in numbers(row["inputs"]))
    hits = {"none": baseline, "method": method, "oracle": baseline + gap}
    trials = pl.concat(
        pl.DataFrame({"arm": arm, "ok": [1] * count + [0] * (1000 - count)})
        for arm, count in hits.items()
    )
    found = rs.gap_closure(trials, "ok", contrast="arm", baseline="none", oracle="oracle")
    share = 100 * found.filter(method_level="method")["closure"].item()
    for printed in (row["computed"], row["stated"]):
        assert prints(share, printed.removesuffix("%"))


@checks("A20")
def means_of_two_tasks(row: Row) -> None:
    # Successes of 20, or of 19 in one cell, per respondent: reset, assistant-only, baseline.
    table = [
        [((20, 20), (5, 20)), ((19, 20), (5, 20)), ((19, 20), (3, 20))],
        [((17, 20), (5, 20)), ((18, 20), (3, 20)), ((19, 20), (2, 20))],
        [((18, 19), (5, 20)), ((20, 20), (5, 20)), ((20, 20), (4, 20))],
    ]
    for cells, printed in zip(table, row["computed"].split("; "), strict=True):
        for (first, second), text in zip(cells, printed.split("/"), strict=True):
            mean = 100 * (share(*first).estimate + share(*second).estimate) / 2
            assert prints(mean, text)


@checks("A21")
def rounded_before_it_was_subtracted(row: Row) -> None:
    (j, n), (k, _) = re.findall(r"(\d+)/(\d+)", row["inputs"])
    counts = {"figure": "difference", "n": int(n), "successes": int(k)}
    counts["successes_baseline"] = int(j)
    assert audit(printed=f"{row['stated']} pp", **counts)[0] == "none"
    assert prints(100 * only(printed="13.7 pp", **counts)["value"], row["computed"])


@checks("A23")
def three_runs_of_20(row: Row) -> None:
    lists = [
        sorted(int(v) // 5 for v in part.split(","))
        for part in re.findall(r"{(.*?)}", row["inputs"])
    ]
    for scores, printed in zip(lists, row["computed"].split("; "), strict=True):
        table = only(figure="mean", printed=printed, n=3, of=20, method="sd-sample")
        repeated = zip(table["scores"], table["counts"], strict=True)
        assert [s for s, n in repeated for _ in range(n)] == scores


@checks("A26")
def failures(row: Row) -> None:
    k, n = map(int, row["inputs"].split("/"))
    misses = share(n - k, n)
    assert misses.estimate * n == pytest.approx(float(row["stated"]))
    assert numbers(row["computed"]) == [row["stated"]] * 2


@checks("A27")
def most_of_160(row: Row) -> None:
    k, n = map(int, row["inputs"].split("/"))
    assert only(figure="rate", printed=row["stated"], n=n)["successes"] == k


# --- derivation


@checks("D1")
def units_that_remain(row: Row) -> None:
    judgements, dropped, single = map(int, numbers(row["inputs"]))
    assert f"{judgements - dropped - single}; {2 * dropped + single}" == row["stated"]
    assert row["computed"] == row["stated"]


@checks("D2")
def a_rare_label(row: Row) -> None:
    k, n = map(int, row["inputs"].split("/"))
    assert only(figure="rate", printed=row["stated"], n=n)["successes"] == k
    result = share(k, n, method="clopper-pearson")
    assert prints(100 * result.estimate, numbers(row["computed"])[0])
    limits = listed(row["computed"].partition("CI ")[2])
    assert [round(100 * result.low, 3), round(100 * result.high, 3)] == limits


@checks("D4")
def an_unresolved_difference(row: Row) -> None:
    b, c = map(int, row["inputs"].split(":"))
    assert prints(rs.stats.mcnemar(b, c).pvalue, after("p=", row["computed"]))
    result = rs.compare(
        pairs(c, b, 78), "correct", contrast="arm", baseline="baseline", pair_by="item"
    ).row(0, named=True)
    assert prints(100 * result["difference"], after("diff=", row["computed"]))
    assert result["low"] < 0 < result["high"]


@checks("D8")
def rare_events(row: Row) -> None:
    (none, n), (one, m) = [map(int, part.split("/")) for part in row["inputs"].split(";")]
    bound = share(none, n).bound_high
    assert prints(bound, after("one-sided ", row["computed"]))
    assert prints(3 / n, after("three ", row["computed"]))
    result = share(one, m, method="clopper-pearson")
    limits = listed(row["computed"].partition("CI ")[2])
    assert [round(result.low, 4), round(result.high, 4)] == limits


@checks("D11")
def shares_of_112(row: Row) -> None:
    fractions = re.findall(r"(\d+)/(\d+)", row["inputs"])
    for (k, n), printed in zip(fractions, row["computed"].split(), strict=True):
        assert only(figure="rate", printed=printed, n=int(n))["successes"] == int(k)


@pytest.mark.parametrize("identifier", sorted(CHECKS))
def test_figure(rows: dict[str, Row], identifier: str) -> None:
    CHECKS[identifier](rows[identifier])
