"""What every verb says of degenerate data: the table of docs/degenerate.md, made by running it.

`PYTHONPATH=tests python tests/test_degenerate.py` prints the table. No value of it is NaN or
infinite, no p-value is 0, and nothing raises but for what is no data.
"""

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import reclaimstats as rs
from reclaimstats.errors import ReclaimStatsError

PAGE = Path(__file__).parent.parent / "docs" / "degenerate.md"
START, END = "<!-- made by tests/test_degenerate.py -->\n", "<!-- end -->"
NAN, INF, ODDS, CHI = math.nan, math.inf, "odds-ratio", "asymptotic"
Values = list[Any]


def arms(new: Values, old: Values, **columns: Values) -> pl.DataFrame:
    """Both arms on the same items, or on items of their own where `columns` says so."""
    rows = [
        {"arm": arm, "item": item, "ok": ok, **{name: of[item] for name, of in columns.items()}}
        for arm, values in (("new", new), ("old", old))
        for item, ok in enumerate(values)
    ]
    schema = {"arm": pl.String, "item": pl.Int64, "ok": pl.Float64}
    extra = dict.fromkeys(columns, pl.String)
    return pl.DataFrame(rows, schema=schema | extra, strict=False)


PAIR = {"contrast": "arm", "baseline": "old", "pair_by": "item"}
TWO = {"contrast": "arm", "baseline": "old"}


def compare(new: Values, old: Values, **options: Any) -> Any:
    groups = {"cluster": options.pop("groups")} if "groups" in options else {}
    cluster = {"cluster": "cluster"} if groups else {}
    return rs.compare(arms(new, old, **groups), "ok", **PAIR, **cluster, **options)


def unpaired(new: Values, old: Values, **options: Any) -> Any:
    return rs.compare_unpaired(arms(new, old), "ok", **TWO, **options)


def equivalence(new: Values, old: Values) -> Any:
    return rs.equivalence(arms(new, old), "ok", margin=0.1, **PAIR)


def scored(new: Values, old: Values, **options: Any) -> Any:
    groups = {"cluster": options.pop("groups")} if "groups" in options else {}
    cluster = {"cluster": "cluster"} if groups else {}
    return rs.compare_means(arms(new, old, **groups), "ok", **PAIR, **cluster, **options)


def apart(new: Values, old: Values) -> Any:
    return rs.compare_means_unpaired(arms(new, old), "ok", **TWO)


def graded(new: Values, old: Values, **options: Any) -> Any:
    return rs.equivalence_means(arms(new, old), "ok", margin=0.5, **PAIR, **options)


def closure(method: Values, baseline: Values, oracle: Values) -> Any:
    columns = {"arm": ["m", "b", "o"], "ok": [method, baseline, oracle]}
    trials = pl.DataFrame(columns, schema={"arm": pl.String, "ok": pl.List(pl.Float64)})
    return rs.gap_closure(trials.explode("ok"), "ok", contrast="arm", baseline="b", oracle="o")


def twice(*four: Values) -> Any:
    """Difference in differences of new and old in group a, then in group b."""
    rows = [
        {"group": group, "arm": arm, "item": item, "ok": ok}
        for (group, arm), values in zip(itertools.product("ab", ("new", "old")), four, strict=True)
        for item, ok in enumerate(values)
    ]
    schema = {"group": pl.String, "arm": pl.String, "item": pl.Int64, "ok": pl.Float64}
    trials = pl.DataFrame(rows, schema=schema, strict=False)
    return rs.difference_in_differences(trials, "ok", **TWO, group="group", reference="b")


def repeated(outcomes: dict[str, Values], k: int = 2) -> Any:
    schema = {"item": pl.String, "ok": pl.List(pl.Float64)}
    trials = pl.DataFrame({"item": list(outcomes), "ok": list(outcomes.values())}, schema=schema)
    return rs.repeats(trials.explode("ok"), "ok", item="item", k=k)


def piloted(new: Values, old: Values) -> Any:
    return rs.power(arms(new, old), "ok", **PAIR, effect=0.1, power=0.8)


def looked(new: Values, old: Values) -> Any:
    trials = arms(new, old).with_columns(night=pl.col("item"))
    return rs.evidence(trials, "ok", **PAIR, order_by="night")


def ruled(new: Values, old: Values, second: pl.Expr) -> Any:
    return rs.sensitivity(arms(new, old), {"first": pl.col("ok"), "second": second}, **TWO)


def ratings(*raters: Values) -> Any:
    columns = {
        f"r{place}": pl.Series(values, dtype=pl.String) for place, values in enumerate(raters)
    }
    return rs.agreement(pl.DataFrame(columns), list(columns))


def judged(winners: Values) -> Any:
    schema = {"model_a": pl.String, "model_b": pl.String, "winner": pl.String}
    return rs.wins(pl.DataFrame([("x", "y", winner) for winner in winners], schema, orient="row"))


def flagged(label: Values, said: Values) -> Any:
    trials = pl.DataFrame(
        {"label": label, "said": said}, schema={"label": pl.Boolean, "said": pl.Boolean}
    )
    return rs.detection(trials, "label", "said", metrics=["sensitivity"])


def ranked(label: Values, score: Values) -> Any:
    schema = {"label": pl.Boolean, "score": pl.Float64}
    return rs.ranking(
        pl.DataFrame({"label": label, "score": score}, schema=schema), "label", "score"
    )


CASES: list[tuple[str, str, Callable[[], Any]]] = [
    ("empty", "rate", lambda: rs.stats.rate([])),
    ("empty", "mean", lambda: rs.stats.mean([])),
    ("empty", "compare", lambda: compare([None], [None])),
    ("empty", "compare_unpaired", lambda: unpaired([None], [1])),
    ("empty", "equivalence", lambda: equivalence([None], [None])),
    ("empty", "compare_means", lambda: scored([None], [None])),
    ("empty", "compare_means_unpaired", lambda: apart([None], [1])),
    ("empty", "equivalence_means", lambda: graded([None], [None])),
    ("empty", "stats.tost", lambda: rs.stats.tost([], margin=1)),
    ("empty", "stats.e_value", lambda: rs.stats.e_value(0, 0)),
    ("empty", "agreement", lambda: ratings([], [])),
    ("empty", "detection", lambda: flagged([], [])),
    ("empty", "ranking", lambda: ranked([], [])),
    ("empty", "gap_closure", lambda: closure([None], [0, 1], [1, 1])),
    ("empty", "difference_in_differences", lambda: twice([None], [1], [1], [0])),
    ("empty", "repeats", lambda: repeated({"a": [None, None]})),
    ("empty", "power", lambda: piloted([None], [None])),
    ("empty", "evidence", lambda: looked([None], [None])),
    ("empty", "sensitivity", lambda: ruled([None], [None], pl.col("ok"))),
    ("empty", "stats.permutation", lambda: rs.stats.permutation([], [1.0])),
    ("empty", "stats.sign_flip", lambda: rs.stats.sign_flip([])),
    ("empty", "stats.wilcoxon", lambda: rs.stats.wilcoxon([])),
    ("empty", "stats.mann_whitney", lambda: rs.stats.mann_whitney([], [1.0])),
    ("empty", "stats.fisher", lambda: rs.stats.fisher([[0, 0], [0, 0]])),
    ("empty", "stats.barnard", lambda: rs.stats.barnard([[0, 0], [0, 0]])),
    ("empty", "stats.pass_at_k", lambda: rs.stats.pass_at_k([], [], k=1)),
    ("a single trial", "rate", lambda: rs.stats.rate([1])),
    ("a single trial", "mean", lambda: rs.stats.mean([0.3])),
    ("a single trial", "stats.tost", lambda: rs.stats.tost([0.3], margin=1)),
    ("a single pair", "compare", lambda: compare([1], [0])),
    ("a single pair", "compare_means", lambda: scored([0.4], [0.3])),
    ("a single pair", "equivalence_means", lambda: graded([0.4], [0.3], bounds=(0, 1))),
    ("a single pair", "power", lambda: piloted([1], [0])),
    ("a single pair", "evidence", lambda: looked([1], [0])),
    ("a single trial an arm", "compare_means_unpaired", lambda: apart([0.4], [0.3])),
    ("a single trial an arm", "difference_in_differences", lambda: twice([1], [0], [1], [1])),
    ("a single trial an arm", "sensitivity", lambda: ruled([1], [0], 1 - pl.col("ok"))),
    ("a single item", "repeats", lambda: repeated({"a": [1, 0, 1]})),
    ("constant", "rate, all 0", lambda: rs.stats.rate([0] * 8)),
    ("constant", "rate, all 1", lambda: rs.stats.rate([1] * 8)),
    ("constant", "mean", lambda: rs.stats.mean([0.3] * 8)),
    ("constant", "mean, percentile", lambda: rs.stats.mean([0.3] * 8, method="percentile")),
    ("constant", "compare_unpaired", lambda: unpaired([1] * 8, [1] * 8)),
    ("constant", "compare_unpaired, ratio", lambda: unpaired([0] * 8, [0] * 8, effect="ratio")),
    ("constant", "compare_unpaired, odds ratio", lambda: unpaired([1] * 8, [1] * 8, effect=ODDS)),
    ("constant", "compare_means", lambda: scored([0.3] * 8, [0.3] * 8)),
    ("constant", "compare_means, a shift", lambda: scored([0.3, 0.2] * 4, [0.2, 0.1] * 4)),
    ("constant", "compare_means_unpaired", lambda: apart([0.3] * 8, [0.3] * 8)),
    ("constant", "compare_means_unpaired, one arm", lambda: apart([0.3] * 4, [0.1, 0.4] * 2)),
    ("constant", "equivalence_means", lambda: graded([4, 5] * 8, [4, 5] * 8)),
    ("constant", "equivalence_means, bounds", lambda: graded([4] * 64, [4] * 64, bounds=(1, 5))),
    ("constant", "stats.tost", lambda: rs.stats.tost([0.3] * 8, margin=1)),
    ("constant", "stats.tost, bounds", lambda: rs.stats.tost([0] * 8, margin=0.5, bounds=(-1, 1))),
    ("constant", "stats.permutation", lambda: rs.stats.permutation([1.0] * 4, [1.0] * 4)),
    ("constant", "ranking", lambda: ranked([True, True, False, False], [0.5] * 4)),
    ("constant", "difference_in_differences", lambda: twice([1] * 8, [1] * 8, [1] * 8, [1] * 8)),
    ("constant", "repeats", lambda: repeated({name: [1, 1] for name in "abcdefgh"})),
    ("constant", "sensitivity", lambda: ruled([1] * 8, [1] * 8, pl.col("ok"))),
    ("no discordant pairs", "compare", lambda: compare([1, 0, 1, 0] * 2, [1, 0, 1, 0] * 2)),
    ("no discordant pairs", "compare, odds ratio", lambda: compare([1, 0], [1, 0], effect=ODDS)),
    ("no discordant pairs", "equivalence", lambda: equivalence([1, 0] * 4, [1, 0] * 4)),
    ("no discordant pairs", "power", lambda: piloted([1, 0] * 4, [1, 0] * 4)),
    ("no discordant pairs", "evidence", lambda: looked([1, 0] * 4, [1, 0] * 4)),
    ("no discordant pairs", "stats.mcnemar", lambda: rs.stats.mcnemar(0, 0)),
    ("no discordant pairs", "stats.mcnemar, chi²", lambda: rs.stats.mcnemar(0, 0, method=CHI)),
    ("no discordant pairs", "stats.e_value", lambda: rs.stats.e_value(0, 0)),
    ("every pair differs", "compare", lambda: compare([1] * 8, [0] * 8)),
    ("every pair differs", "power", lambda: piloted([1] * 8, [0] * 8)),
    ("every pair differs", "evidence", lambda: looked([1] * 8, [0] * 8)),
    ("rules never agree", "sensitivity", lambda: ruled([1] * 8, [0] * 8, 1 - pl.col("ok"))),
    ("every pair differs", "compare, ratio", lambda: compare([1] * 8, [0] * 8, effect="ratio")),
    ("every pair differs", "stats.mcnemar, 10,000", lambda: rs.stats.mcnemar(10_000, 0)),
    ("baseline 0", "compare_unpaired, ratio", lambda: unpaired([1, 0], [0] * 4, effect="ratio")),
    ("baseline 0", "compare_unpaired, odds ratio", lambda: unpaired([1, 0], [0] * 4, effect=ODDS)),
    ("one cluster", "rate", lambda: rs.stats.rate([1, 0, 1], cluster=["a"] * 3)),
    ("one cluster", "mean", lambda: rs.stats.mean([0.1, 0.2], cluster=["a"] * 2)),
    ("one cluster", "compare", lambda: compare([1, 1, 0], [0, 1, 0], groups=["a"] * 3)),
    ("one cluster", "compare_means", lambda: scored([0.9, 0.4], [0.1, 0.4], groups=["a"] * 2)),
    ("one cluster", "stats.tost", lambda: rs.stats.tost([0.1, 0.2], margin=1, cluster=["a"] * 2)),
    ("one cluster", "stats.sign_flip", lambda: rs.stats.sign_flip([1.0, 2.0], cluster=["a"] * 2)),
    ("clusters without spread", "rate", lambda: rs.stats.rate([1, 0] * 4, cluster=[*"aabbccdd"])),
    ("clusters without spread", "mean", lambda: rs.stats.mean([1, 0] * 4, cluster=[*"aabbccdd"])),
    ("all ties", "stats.sign_test", lambda: rs.stats.sign_test(0, 0)),
    ("all ties", "stats.sign_flip", lambda: rs.stats.sign_flip([0.0] * 4)),
    ("all ties", "stats.wilcoxon", lambda: rs.stats.wilcoxon([0, 0, 0])),
    ("all ties", "stats.mann_whitney", lambda: rs.stats.mann_whitney([1, 1], [1, 1])),
    ("all ties", "wins", lambda: judged(["tie"] * 6)),
    ("one category", "agreement", lambda: ratings(["x"] * 6, ["x"] * 6)),
    ("one category", "stats.cohen_kappa", lambda: rs.stats.cohen_kappa(["x"] * 6, ["x"] * 6)),
    ("one category", "detection", lambda: flagged([False] * 6, [True, False] * 3)),
    ("one category", "ranking", lambda: ranked([True] * 4, [0.1, 0.2, 0.3, 0.4])),
    ("one category", "stats.fisher", lambda: rs.stats.fisher([[5, 0], [7, 0]])),
    ("one category", "stats.barnard", lambda: rs.stats.barnard([[5, 0], [7, 0]])),
    ("k above n", "stats.pass_at_k", lambda: rs.stats.pass_at_k([1, 0], 3, k=4)),
    ("k above n", "repeats", lambda: repeated({"a": [1, 0], "b": [1]}, k=3)),
    ("no gap", "gap_closure", lambda: closure([1, 0] * 4, [1, 0] * 4, [1, 0] * 4)),
    ("nulls", "rate", lambda: rs.stats.rate([1, None, 0, None])),
    ("nulls", "mean", lambda: rs.stats.mean([0.1, None, 0.4])),
    ("nulls", "compare", lambda: compare([1, None, 1, 0], [0, 1, None, 0])),
    ("nulls", "compare_means", lambda: scored([0.1, None, 0.9, 0.2], [0.3, 0.1, None, 0.1])),
    ("nulls", "agreement", lambda: ratings(["x", None, "y"], ["x", "y", None])),
    ("nulls", "repeats", lambda: repeated({"a": [1, None, 0], "b": [1, 1, None], "c": [0, 0]})),
    ("nulls", "evidence", lambda: looked([1, None, 1, 0], [0, 1, None, 0])),
    ("NaN", "rate", lambda: rs.stats.rate([1.0, NAN, 0.0])),
    ("NaN", "mean", lambda: rs.stats.mean([0.1, NAN, 0.4])),
    ("NaN", "stats.permutation", lambda: rs.stats.permutation([0.1, NAN, 0.4], [0.2, 0.5])),
    ("NaN", "stats.tost", lambda: rs.stats.tost([0.1, NAN, 0.4], margin=1)),
    ("infinite", "rate", lambda: rs.stats.rate([1.0, INF])),
    ("infinite", "mean", lambda: rs.stats.mean([0.1, INF])),
    ("infinite", "compare_means", lambda: scored([0.1, INF], [0.2, 0.5])),
    ("infinite", "stats.permutation", lambda: rs.stats.permutation([0.1, INF], [0.2, 0.5])),
    ("infinite", "stats.tost", lambda: rs.stats.tost([0.1, INF], margin=1)),
    ("infinite", "ranking", lambda: ranked([True, True, False, False], [INF, 1.0, 0.0, 0.5])),
    ("too large to add", "mean", lambda: rs.stats.mean([1e308, 1e308, -1e308])),
    ("too large to add", "compare_means", lambda: scored([1e308, 1e308], [-1e308, 0])),
    ("too large to add", "compare_means_unpaired", lambda: apart([1e308, 1e308], [-1e308, 0])),
]  # fmt: skip

ESTIMATES = (
    *("difference_in_differences", "estimate", "difference", "ratio", "odds_ratio", "closure"),
    *("shift", "statistic", "n"),
)
P_VALUES = (
    "pvalue",
    "fisher_p",
    "welch_p",
    "mann_whitney_p",
    "wilcoxon_p",
    "mcnemar_p",
    "sign_p",
    "flip_p",
    "position_p",
)
COUNTS = ("n", "n_pairs", "n_items")


def result_of(call: Callable[[], Any]) -> dict[str, Any] | str:
    try:
        found = call()
    except ReclaimStatsError as error:
        return f"`{type(error).__name__}`"
    frame = found if isinstance(found, pl.DataFrame) else found.to_frame()
    return frame.row(0, named=True) if frame.height else "no row"


def shown(value: Any) -> str:
    return "null" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)


def table() -> str:
    lines = ["| data | call | estimate | interval | p | reason |", "| --- " * 6 + "|"]
    for data, name, call in CASES:
        row = result_of(call)
        if isinstance(row, str):
            lines.append(f"| {data} | {name} | {row} | | | |")
            continue
        wanted = [column for column in ESTIMATES if column in row]
        if "odds" in name or "ratio" in name:
            wanted.reverse()
        estimate = shown(row[wanted[0]]) if wanted else ""
        limits = ""
        if "low" in row:
            some = row["low"] is not None or row["high"] is not None
            limits = f"{shown(row['low'])} to {shown(row['high'])}" if some else "null"
        tests = [shown(row[column]) for column in P_VALUES if row.get(column) is not None]
        said = row.get("reason") or ""
        if row.get("n_missing"):
            said = "; ".join(filter(None, [said, f"n_missing {row['n_missing']}"]))
        if "verdict" in row:
            said = "; ".join(filter(None, [said, row["verdict"]]))
        cells = (data, name, estimate, limits, tests[0] if tests else "", said)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("data", "call"), [(data, call) for data, _, call in CASES], ids=[case[1] for case in CASES]
)
def test_degenerate_data_have_a_value_or_a_reason(data: str, call: Callable[[], Any]) -> None:
    row = result_of(call)
    if isinstance(row, str):
        assert row == "no row" or data == "infinite"
        return
    for column, value in row.items():
        if isinstance(value, float):
            assert math.isfinite(value), column
            if column.endswith("_log_p"):
                p = row[column.replace("_log_p", "_p")]
                assert value <= 0.0
                assert p == pytest.approx(max(math.exp(value), 2.2250738585072014e-308), rel=1e-12)
            elif column.endswith("_p") or column == "pvalue":
                assert value > 0.0
    if "low" in row and "reason" in row and (row["low"] is None or row["high"] is None):
        assert row["reason"]


def test_logarithms_go_on_where_p_values_end() -> None:
    paired, apart = compare([1] * 2000, [0] * 2000), unpaired([1] * 2000, [0] * 2000)
    assert (paired["mcnemar_p"][0], apart["fisher_p"][0]) == (2.2250738585072014e-308,) * 2
    assert paired["mcnemar_log_p"][0] == pytest.approx(-1999 * math.log(2), rel=1e-12)
    ways = math.lgamma(4001) - 2 * math.lgamma(2001)
    assert apart["fisher_log_p"][0] == pytest.approx(math.log(2) - ways, rel=1e-12)


def test_the_page_shows_what_is_said() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.partition(START)[2].partition(END)[0] == table()


if __name__ == "__main__":
    print(table(), end="")
