"""Stale values taken for answers and rules compared: twins, printed figures, real replies."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reference import scorers as twin

Row = dict[str, Any]

PHANTOMS = {
    "scorer": pl.String,
    "n": pl.Int64,
    "n_missing": pl.Int64,
    "n_abstaining": pl.Int64,
    "phantoms": pl.Int64,
    "phantom_rate": pl.Float64,
    "stale": pl.Int64,
    "correct": pl.Int64,
    "n_answering": pl.Int64,
    "found": pl.Int64,
    "missed": pl.Int64,
    "wrong": pl.Int64,
    "reason": pl.String,
}
SENSITIVITY = {
    "first": pl.String,
    "second": pl.String,
    "treatment_level": pl.String,
    "baseline_level": pl.String,
    "n_treatment": pl.Int64,
    "n_baseline": pl.Int64,
    "n_clusters": pl.Int64,
    "n_missing": pl.Int64,
    "disagree_treatment": pl.Int64,
    "disagree_baseline": pl.Int64,
    "fisher_p": pl.Float64,
    "fisher_log_p": pl.Float64,
    "first_only_treatment": pl.Int64,
    "first_only_baseline": pl.Int64,
    "second_only_treatment": pl.Int64,
    "second_only_baseline": pl.Int64,
    "first_missing_treatment": pl.Int64,
    "first_missing_baseline": pl.Int64,
    "second_missing_treatment": pl.Int64,
    "second_missing_baseline": pl.Int64,
    "difference_first": pl.Float64,
    "difference_second": pl.Float64,
    "shift": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "method": pl.String,
    "confidence_level": pl.Float64,
    "reason": pl.String,
}
RULES = {"strict": "first", "harness": "second"}
DESIGN: dict[str, Any] = {"contrast": "arm", "baseline": "b"}


# ── Phantoms ─────────────────────────────────────────────────────────────────────────────────


numbers = st.sampled_from([46.0, 46.4, 46.5, 55.0, 54.5, 50.0, -0.0, math.nan, math.inf, None])
words = st.sampled_from(["Ana", "Ben", "Cleo", "", None])
labels = st.sampled_from([True, False, None])


def replies(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Row]]:
    row = dict.fromkeys(("truth", "drift", "stated", "one", "other"), values)
    cells = st.sampled_from(["lossy", "blank", None])
    return st.lists(st.fixed_dictionaries(row | {"policy": cells, "label": labels}), max_size=30)


@given(
    rows=st.one_of(replies(numbers), replies(words)),
    labelled=st.booleans(),
    tolerance=st.sampled_from([0.0, 0.5, 5.0]),
    lazy=st.booleans(),
)
def test_phantoms_are_the_twins(
    rows: list[Row], labelled: bool, tolerance: float, lazy: bool
) -> None:
    text = any(isinstance(v, str) for r in rows for k, v in r.items() if k != "policy")
    kind = pl.String if text else pl.Float64
    schema = dict.fromkeys(("truth", "drift", "stated", "one", "other"), kind)
    frame = pl.DataFrame(rows, schema | {"policy": pl.String, "label": pl.Boolean}, orient="row")
    reference = "label" if labelled else "stated"
    found = rs.phantoms(
        frame.lazy() if lazy else frame,
        {"one": "one", "other": pl.col("other")},
        truth="truth",
        drift="drift",
        reference=reference,
        by="policy",
        tolerance=tolerance,
    )
    assert dict(found.schema) == {"policy": pl.String} | PHANTOMS
    cells = sorted({r["policy"] for r in rows}, key=lambda name: (name is not None, name or ""))
    expected = []
    for cell in cells:
        here = [row for row in rows if row["policy"] == cell]
        for scorer in ("one", "other"):
            row = twin.phantom_row(here, scorer, reference, tolerance, labelled=labelled)
            expected.append({"policy": cell} | row)
    assert found.drop("reason").to_dicts() == [
        {name: row[name] for name in found.columns if name != "reason"} for row in expected
    ]
    assert (found["phantom_rate"].is_null() == (found["n_abstaining"] == 0)).all()
    nothing = (found["n_abstaining"] == 0) | labelled
    assert (found["reason"].is_not_null() == nothing).all()


REPLIES = pl.DataFrame(
    {
        "policy": ["lossy"] * 4 + ["blank"] * 2,
        "reply": [
            "Earlier you had 55. ANSWER: unable",
            "ANSWER: 46",
            "It was 55, so ANSWER: 55",
            None,
            "I have no 46 on record.",
            "ANSWER: \\$46",
        ],
        "truth": [46] * 6,
        "drift": [55.0] * 6,
    }
)
LAST = rs.text.answer_number("reply", fallback="last_number")
ANYWHERE = pl.col("reply").str.extract(r"(\d+)").cast(pl.Int64)
HARNESS = rs.text.answer_number("reply", dialect="reclaim-eval")


def test_phantoms_of_plain_replies() -> None:
    table = rs.phantoms(
        REPLIES,
        {"anywhere": ANYWHERE, "harness": HARNESS},
        truth="truth",
        drift="drift",
        by="policy",
    )
    shown = table.select(
        "policy", "scorer", "n", "n_missing", "n_abstaining", "phantoms", "stale", "correct"
    ).rows()
    assert shown == [
        ("blank", "anywhere", 2, 0, 1, 1, 0, 1),
        ("blank", "harness", 2, 0, 1, 0, 0, 0),
        ("lossy", "anywhere", 4, 1, 1, 1, 1, 0),
        ("lossy", "harness", 4, 1, 1, 0, 0, 0),
    ]
    assert table.select("n_answering", "found", "missed", "wrong").rows() == [
        (1, 1, 0, 0),
        (1, 0, 1, 0),
        (2, 2, 0, 0),
        (2, 2, 0, 0),
    ]


def test_a_hand_label_is_a_reference() -> None:
    labelled = REPLIES.with_columns(answered=pl.Series([False, True, True, None, False, True]))
    table = rs.phantoms(
        labelled, {"any": ANYWHERE}, truth="truth", drift="drift", reference="answered"
    )
    row = table.row(0, named=True)
    assert (row["n_abstaining"], row["phantoms"], row["stale"], row["correct"]) == (2, 2, 1, 1)
    assert (row["n_missing"], row["n_answering"], row["missed"]) == (1, 3, 0)
    assert (row["found"], row["wrong"]) == (None, None)
    assert row["reason"] == "the reference is a label, not an answer"


def test_no_reply_that_abstains_has_no_rate() -> None:
    table = rs.phantoms(
        REPLIES.filter(pl.col("reply").str.starts_with("ANSWER")),
        {"any": ANYWHERE},
        truth="truth",
        drift="drift",
    )
    row = table.row(0, named=True)
    assert (row["n_abstaining"], row["phantom_rate"]) == (0, None)
    assert row["reason"] == "no reply abstains"
    empty = rs.phantoms(REPLIES.clear(), {"any": ANYWHERE}, truth="truth", drift="drift")
    assert empty.select("n", "n_abstaining", "phantom_rate").row(0) == (0, 0, None)
    none = rs.phantoms(
        REPLIES.clear(), {"any": ANYWHERE}, truth="truth", drift="drift", by="policy"
    )
    assert none.is_empty()
    assert dict(none.schema) == {"policy": pl.String} | PHANTOMS


def test_scorers_keep_their_order_and_names() -> None:
    scorers = {"z": ANYWHERE, "a": HARNESS, "policy": LAST}
    table = rs.phantoms(REPLIES, scorers, truth="truth", drift="drift", by="policy")
    assert table["scorer"].to_list() == ["z", "a", "policy"] * 2


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"scorers": {}}, OptionError, "at least 1"),
        ({"scorers": [HARNESS]}, OptionError, "mapping from names"),
        ({"scorers": {1: HARNESS}}, OptionError, "mapping from names"),
        ({"scorers": {"x": "replay"}}, ColumnError, "scorer 'x': no column 'replay'.*'reply'"),
        ({"scorers": {"x": "reply"}}, ColumnError, "scorer 'x' is text, but truth is numbers"),
        ({"scorers": {"x": pl.col("reply") == "1"}}, ColumnError, "scorer 'x' is Boolean; it must"),
        ({"scorers": {"x": 46}}, ColumnError, "scorer 'x' must be a name or an expression"),
        ({"scorers": {"x": pl.all()}}, ColumnError, "stands for several columns"),
        ({"truth": "true"}, ColumnError, "truth: no column 'true'"),
        ({"truth": "policy"}, ColumnError, "drift is numbers, but truth is text"),
        ({"drift": "policy"}, ColumnError, "drift is text, but truth is numbers"),
        ({"reference": "policy"}, ColumnError, "the reference is text, but truth is numbers"),
        ({"reference": "bucket"}, ColumnError, "reference: no column 'bucket'"),
        ({"by": "n"}, ColumnError, "name of a result column"),
        ({"by": "arm"}, ColumnError, "by: no column 'arm'"),
        ({"tolerance": -1}, OptionError, "tolerance=-1"),
    ],
)
def test_wrong_calls_of_phantoms(change: Row, error: type[Exception], message: str) -> None:
    call: Row = {"scorers": {"x": HARNESS}, "truth": "truth", "drift": "drift"} | change
    with pytest.raises(error, match=message):
        rs.phantoms(REPLIES.with_columns(n=1), call.pop("scorers"), **call)


def test_the_default_reference_needs_replies() -> None:
    with pytest.raises(ColumnError, match="reference=None reads the column 'reply'"):
        rs.phantoms(
            REPLIES.rename({"reply": "said"}), {"x": pl.lit(1)}, truth="truth", drift="drift"
        )
    table = rs.phantoms(
        REPLIES.rename({"reply": "said"}),
        {"x": pl.lit(55)},
        truth="truth",
        drift="drift",
        reference=rs.text.answer_number("said"),
    )
    assert table.select("n", "n_missing", "n_abstaining", "stale", "wrong").row(0) == (
        6,
        0,
        3,
        3,
        2,
    )


# ── Sensitivity ──────────────────────────────────────────────────────────────────────────────


@st.composite
def scored(draw: st.DrawFn) -> list[Row]:
    verdicts = draw(st.sampled_from([(0, 1), (0, 1, None), (0, None), (1,), (None,)]))
    others = draw(st.sampled_from([(0, 1), (0, 1, None), (1, None)]))
    row = st.fixed_dictionaries(
        {
            "task": st.sampled_from(["p", "q", None]),
            "arm": st.sampled_from(["b", "t", "a"]),
            "item": st.sampled_from("uvwxyz"),
            "half": st.sampled_from([1, 2]),
            "first": st.sampled_from(verdicts),
            "second": st.sampled_from(others),
        }
    )
    rows = draw(st.lists(row, max_size=40))
    ends = {"task": "p", "item": "u", "half": 1, "first": 1, "second": 1}
    return [*rows, ends | {"arm": "b"}, ends | {"arm": "t"}]


SCORED = {"task": pl.String, "arm": pl.String, "item": pl.String, "half": pl.Int8}


@given(
    rows=scored(),
    cluster=st.sampled_from([None, "item", ["item", "half"]]),
    by=st.sampled_from([None, "task"]),
    level=st.sampled_from([0.5, 0.9, 0.95, 0.99]),
    dtype=st.sampled_from([pl.Float64, pl.Int8, pl.Boolean, pl.UInt8]),
    lazy=st.booleans(),
)
def test_sensitivity_is_the_twins(
    rows: list[Row], cluster: Any, by: Any, level: float, dtype: Any, lazy: bool
) -> None:
    schema = SCORED | {"first": dtype, "second": dtype}
    frame = pl.DataFrame(rows, schema={**SCORED, "first": pl.Int8, "second": pl.Int8})
    frame = frame.cast(schema)
    found = rs.sensitivity(
        frame.lazy() if lazy else frame,
        RULES,
        **DESIGN,
        cluster=cluster,
        by=by,
        confidence_level=level,
    )
    assert dict(found.schema) == ({"task": pl.String} if by else {}) | SENSITIVITY
    names = [cluster] if isinstance(cluster, str) else list(cluster or [])
    cells = [None, "p", "q"] if by else ["all"]
    expected = []
    for cell in cells:
        here = [r for r in rows if not by or r["task"] == cell]
        baseline = [r for r in here if r["arm"] == "b"]
        for arm in ("a", "t"):
            if treatment := [r for r in here if r["arm"] == arm]:
                key = {"task": cell} if by else {}
                key |= {"first": "strict", "second": "harness"}
                key |= {"treatment_level": arm, "baseline_level": "b"}
                expected.append(key | twin.sensitivity_row(treatment, baseline, names, level))
    assert found.height == len(expected)
    for row, wanted in zip(found.to_dicts(), expected, strict=True):
        assert row.keys() == wanted.keys()
        for name, value in wanted.items():
            if isinstance(value, float):
                near = math.isclose(row[name], value, rel_tol=1e-9, abs_tol=1e-12)
                assert near, f"{name}: {row[name]} is not {value}"
            else:
                assert row[name] == value, f"{name}: {row[name]} is not {value}"


def paired_arms(**flips: tuple[int, int]) -> pl.DataFrame:
    """96 trials an arm over 32 items; of each arm the first (to 0, to 1) are flipped."""
    rows = []
    for arm in ("source-first", "lossy"):
        to_miss, to_hit = flips.get(arm.replace("-", "_"), (0, 0))
        for trial in range(96):
            first = int(trial % 2 == 0)
            down, up = trial // 2 < to_miss and first, trial // 2 < to_hit and not first
            rows.append((arm, trial % 32, first, int((first or up) and not down)))
    schema = ["arm", "item", "first", "second"]
    return pl.DataFrame(rows, schema=schema, orient="row")


def test_a_fault_that_lands_in_one_arm() -> None:
    trials = paired_arms(source_first=(7, 0))
    row = rs.sensitivity(trials, RULES, contrast="arm", baseline="lossy", cluster="item").row(
        0, named=True
    )
    assert (row["disagree_treatment"], row["disagree_baseline"]) == (7, 0)
    assert (row["first_only_treatment"], row["second_only_treatment"]) == (7, 0)
    assert math.isclose(row["shift"], -7 / 96, rel_tol=1e-12)
    assert row["fisher_p"] == rs.stats.fisher([[7, 89], [0, 96]]).pvalue
    assert row["low"] < row["shift"] < row["high"]
    # The same fault in both arms shifts nothing.
    both = rs.sensitivity(
        paired_arms(source_first=(7, 0), lossy=(7, 0)), RULES, contrast="arm", baseline="lossy"
    ).row(0, named=True)
    assert (both["shift"], both["fisher_p"]) == (0.0, 1.0)


def test_effects_are_those_of_compare() -> None:
    rng = np.random.default_rng(5)
    trials = pl.DataFrame(
        [
            (arm, item, seed, int(rng.random() < 0.5), int(rng.random() < 0.6))
            for arm in ("b", "t")
            for item in range(12)
            for seed in range(3)
        ],
        schema=["arm", "item", "seed", "first", "second"],
        orient="row",
    )
    row = rs.sensitivity(trials, RULES, **DESIGN, cluster="item").row(0, named=True)
    for rule in ("first", "second"):
        compared = rs.compare(trials, rule, **DESIGN, pair_by=["item", "seed"], cluster="item")
        assert math.isclose(row[f"difference_{rule}"], compared["difference"][0], abs_tol=1e-12)


def test_swapping_rules_or_arms_mirrors_the_shift() -> None:
    trials = paired_arms(source_first=(7, 2), lossy=(1, 4))
    row = rs.sensitivity(trials, RULES, contrast="arm", baseline="lossy", cluster="item")
    for turned in (
        rs.sensitivity(
            trials,
            {"harness": "second", "strict": "first"},
            contrast="arm",
            baseline="lossy",
            cluster="item",
        ),
        rs.sensitivity(trials, RULES, contrast="arm", baseline="source-first", cluster="item"),
    ):
        for name, other in (("shift", "shift"), ("low", "high"), ("high", "low")):
            assert math.isclose(row[name][0], -turned[other][0], rel_tol=1e-12)
        assert math.isclose(row["fisher_p"][0], turned["fisher_p"][0], rel_tol=1e-12)


def test_dropped_verdicts_are_disagreements() -> None:
    """A rule that drops misses of one arm makes an effect out of nothing."""
    trials = paired_arms().with_columns(
        second=pl.when(
            (pl.col("arm") == "lossy") | (pl.col("second") == 1) | (pl.col("item") > 9)
        ).then("second")
    )
    row = rs.sensitivity(trials, RULES, contrast="arm", baseline="lossy").row(0, named=True)
    dropped = trials["second"].null_count()
    assert dropped == 15
    assert (row["second_missing_treatment"], row["disagree_treatment"]) == (dropped, dropped)
    assert row["difference_first"] == 0.0
    assert math.isclose(row["shift"], 48 / (96 - dropped) - 0.5, rel_tol=1e-12)
    assert row["fisher_p"] < 1e-4


def test_several_rules_and_arms() -> None:
    trials = pl.concat(
        [paired_arms(source_first=(7, 0)), paired_arms().with_columns(arm=pl.lit("x"))]
    )
    rules = {"one": "first", "two": "second", "three": 1 - pl.col("first")}
    table = rs.sensitivity(trials, rules, contrast="arm", baseline="lossy", cluster="item")
    assert table.select("first", "second", "treatment_level").rows() == [
        ("one", "two", "source-first"),
        ("one", "three", "source-first"),
        ("one", "two", "x"),
        ("one", "three", "x"),
    ]
    assert table["disagree_baseline"].to_list() == [0, 96, 0, 192 - 96]


def test_order_and_threads_do_not_matter() -> None:
    rng = np.random.default_rng(1)
    n = 3000
    trials = pl.DataFrame(
        {
            "arm": rng.choice(["b", "t", "u"], n),
            "item": rng.integers(0, 150, n),
            "first": rng.integers(0, 2, n),
            "second": rng.choice([0.0, 1.0, np.nan], n),
        }
    )
    table = rs.sensitivity(trials, RULES, **DESIGN, cluster="item")
    for seed in range(4):
        shuffled = trials.sample(fraction=1, shuffle=True, seed=seed)
        again = rs.sensitivity(shuffled.lazy(), RULES, **DESIGN, cluster="item")
        assert_frame_equal(table, again, check_exact=True)


def test_names_of_clusters_and_cells_do_not_collide() -> None:
    trials = paired_arms(source_first=(7, 0)).with_columns(task=pl.lit("t"))
    table = rs.sensitivity(
        trials, RULES, contrast="arm", baseline="lossy", by="task", cluster=["task", "item"]
    )
    assert table["n_clusters"].to_list() == [32]


@pytest.mark.parametrize("name", ["1.0", "treatment.3", "second.0", "treatment_level", "len"])
def test_columns_of_any_name(name: str) -> None:
    trials = paired_arms(source_first=(7, 0))
    renamed = trials.rename({"item": name})
    design: Row = {"contrast": "arm", "baseline": "lossy"}
    assert_frame_equal(
        rs.sensitivity(renamed, RULES, cluster=name, **design),
        rs.sensitivity(trials, RULES, cluster="item", **design),
    )
    contrast = trials.rename({"arm": name})
    assert_frame_equal(
        rs.sensitivity(contrast, RULES, cluster="item", contrast=name, baseline="lossy"),
        rs.sensitivity(trials, RULES, cluster="item", **design),
    )


@pytest.mark.parametrize("name", ["phantoms.0", "stale.1", "row", "truth"])
def test_cells_of_any_name(name: str) -> None:
    trials = REPLIES.rename({"truth": "right"}).with_columns(pl.lit("x").alias(name))
    table = rs.phantoms(
        trials, {"a": ANYWHERE, "b": HARNESS}, truth="right", drift="drift", by=name
    )
    assert table.columns[0] == name
    assert table["phantoms"].to_list() == [2, 0]


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["lossy", "source-first"])])
def test_arms_of_any_type(dtype: Any) -> None:
    trials = paired_arms(source_first=(7, 0))
    table = rs.sensitivity(trials.cast({"arm": dtype}), RULES, contrast="arm", baseline="lossy")
    assert table["treatment_level"].dtype == table["baseline_level"].dtype == dtype
    assert table["disagree_treatment"].to_list() == [7]
    flags = trials.with_columns(arm=pl.col("arm") != "lossy")
    table = rs.sensitivity(flags.to_arrow(), RULES, contrast="arm", baseline=False)
    assert table.select("treatment_level", "baseline_level").row(0) == (True, False)


def test_a_cell_without_a_baseline_says_so() -> None:
    trials = pl.concat(
        [
            paired_arms().with_columns(task=pl.lit("both")),
            paired_arms().filter(pl.col("arm") != "lossy").with_columns(task=pl.lit("half")),
        ]
    )
    table = rs.sensitivity(trials, RULES, contrast="arm", baseline="lossy", by="task")
    row = table.filter(task="half").row(0, named=True)
    assert (row["n_treatment"], row["n_baseline"], row["fisher_p"]) == (96, 0, None)
    assert (row["difference_first"], row["shift"], row["low"]) == (None, None, None)
    assert row["reason"] == "no trials of the baseline with an outcome"


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"rules": {"x": "first"}}, OptionError, "at least 2"),
        ({"rules": ["first", "second"]}, OptionError, "mapping from names"),
        ({"rules": RULES | {"z": "third"}}, ColumnError, "rule 'z': no column 'third'"),
        ({"rules": RULES | {"z": "item"}}, ColumnError, "rule 'z' gives 180 values other than"),
        ({"rules": RULES | {"z": "arm"}}, ColumnError, "must be Boolean or numbers 0 and 1"),
        ({"contrast": "arms"}, ColumnError, "contrast: no column 'arms'.*'arm'"),
        ({"contrast": ["arm"]}, ColumnError, "contrast takes one column name"),
        ({"baseline": "blank"}, DesignError, "does not occur in 'arm', which holds 'lossy'"),
        ({"baseline": ["lossy"]}, OptionError, "baseline must be one value"),
        ({"by": "arm"}, DesignError, "by must not hold the contrast"),
        ({"cluster": "arm"}, DesignError, "cluster must not hold the contrast"),
        ({"cluster": "gap"}, DesignError, "'gap' is null or NaN in 2 trials"),
        ({"by": "shift"}, ColumnError, "name of a result column"),
        ({"confidence_level": 95}, OptionError, "confidence_level=95"),
    ],
)
def test_wrong_calls_of_sensitivity(change: Row, error: type[Exception], message: str) -> None:
    trials = paired_arms().with_columns(
        shift=1, gap=pl.when(pl.int_range(pl.len()) > 1).then("item")
    )
    call: Row = {"rules": RULES, "contrast": "arm", "baseline": "lossy"} | change
    with pytest.raises(error, match=message):
        rs.sensitivity(trials, call.pop("rules"), **call)


def test_an_arm_alone_has_nothing_to_compare() -> None:
    with pytest.raises(DesignError, match="holds only the baseline"):
        rs.sensitivity(
            paired_arms().filter(pl.col("arm") == "lossy"), RULES, contrast="arm", baseline="lossy"
        )


# ── Real replies ─────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def results(reference: Path) -> Path:
    folder = reference / "data" / "reclaim-eval"
    if not (folder / "problems.jsonl").is_file():
        pytest.skip(f"no results in {folder}")
    return folder


def read(file: Path) -> pl.DataFrame:
    return pl.read_ndjson(file, infer_schema_length=None)


@pytest.fixture(scope="module")
def numbers_asked(results: Path) -> pl.DataFrame:
    """768 replies of four models, with a stale memory or with none."""
    problems = read(results / "problems.jsonl").filter(pl.col("kind") == "number")
    values = pl.col("truth", "drift").cast(pl.Float64)
    models = [
        read(file).cast({"answer": pl.Float64}).with_columns(model=pl.lit(file.stem))
        for file in sorted(results.glob("blank_strict_*.jsonl"))
    ]
    return pl.concat(models).join(problems.select("pid", values), on="pid", maintain_order="left")


@pytest.fixture(scope="module")
def words_asked(results: Path) -> pl.DataFrame:
    """96 replies about logic with a stale memory, labelled."""
    problems = read(results / "problems.jsonl").select("pid", "truth", "drift", "options")
    return read(results / "failmode_logic_llama.jsonl").join(problems, on="pid")


@pytest.fixture(scope="module")
def times_asked(results: Path) -> pl.DataFrame:
    """180 replies about departures, with a stale memory or with none, labelled."""
    slots = read(results / "multiwoz_llama.jsonl").select("dialogue_id", "true", "drift").unique()
    replies = read(results / "multiwoz_failmode_llama.jsonl").join(slots, on="dialogue_id")
    return replies.rename({"true": "truth"})


def contained(value: pl.Expr) -> pl.Expr:
    """As Inspect's `includes` finds a target: anywhere in the reply, in any case."""
    text = value.cast(pl.String).str.strip_suffix(".0").str.to_lowercase()
    return pl.col("reply").str.to_lowercase().str.contains(text, literal=True)


# Stale first: what a matcher says that is asked about the drift.
INCLUDES = pl.when(contained(pl.col("drift"))).then("drift").when(contained(pl.col("truth")))
INCLUDES = INCLUDES.then("truth")
FLEXIBLE = r"(-?[$0-9.,]{2,})|(-?[0-9]+)"
ANSWER_LINE = r"(?i)ANSWER\s*:\s*([^\n]+)"


def plain_number(text: pl.Expr) -> pl.Expr:
    bare = text.str.replace_all(r"[$,]", "").str.strip_chars_end(".").str.strip_chars()
    return bare.cast(pl.Float64, strict=False)


def dialect(name: str) -> pl.Expr:
    return rs.text.answer_number("reply", dialect=name)


def last_flexible(reply: str) -> float | None:
    """The last match as lm-eval's flexible filter takes it, made a number."""
    found = re.findall(FLEXIBLE, reply)
    if not found:
        return None
    text = next(part for part in found[-1] if part)
    try:
        return float(text.replace("$", "").replace(",", "").rstrip("."))
    except ValueError:
        return None


def test_stale_values_that_matchers_report(numbers_asked: pl.DataFrame) -> None:
    table = rs.phantoms(
        numbers_asked,
        {
            "includes": INCLUDES,
            "flexible": plain_number(rs.text.answer_regex("reply", FLEXIBLE, group=0)),
            "answer line": plain_number(rs.text.answer_regex("reply", ANSWER_LINE, which="first")),
            "first version": dialect("reclaim-eval-loose"),
            "harness": dialect("reclaim-eval"),
        },
        truth="truth",
        drift="drift",
        by="policy",
        tolerance=0.5,
    )
    counts = ["n_abstaining", "phantoms", "stale", "correct", "n_answering", "found", "missed"]
    shown = {
        (row["policy"], row["scorer"]): tuple(row[name] for name in counts)
        for row in table.to_dicts()
    }
    assert shown == {
        ("lossy", "includes"): (283, 68, 68, 0, 101, 47, 34),
        ("lossy", "flexible"): (283, 93, 55, 0, 101, 101, 0),
        ("lossy", "answer line"): (283, 0, 0, 0, 101, 98, 3),
        ("lossy", "first version"): (283, 95, 56, 0, 101, 100, 0),
        ("lossy", "harness"): (283, 0, 0, 0, 101, 100, 0),
        ("blank", "includes"): (381, 0, 0, 0, 3, 0, 3),
        ("blank", "flexible"): (381, 30, 0, 0, 3, 3, 0),
        ("blank", "answer line"): (381, 0, 0, 0, 3, 3, 0),
        ("blank", "first version"): (381, 32, 0, 0, 3, 3, 0),
        ("blank", "harness"): (381, 0, 0, 0, 3, 3, 0),
    }
    # Counted once more without any of it: by the files' own buckets and a loop.
    rows = numbers_asked.filter(pl.col("policy") == "lossy", pl.col("bucket") == "abstain")
    assert rows.height == 283
    drifts = list(zip(rows["reply"], rows["drift"], strict=True))
    assert sum(f"{drift:g}" in reply for reply, drift in drifts) == 68
    last = [(last_flexible(reply), drift) for reply, drift in drifts]
    assert sum(found is not None for found, _ in last) == 93
    assert sum(found is not None and abs(found - drift) < 0.5 for found, drift in last) == 55


def test_stale_words_and_times_by_hand_label(
    words_asked: pl.DataFrame, times_asked: pl.DataFrame
) -> None:
    stale = 0
    for trials, reader, abstaining, phantoms in (
        (
            words_asked.with_columns(policy=pl.lit("lossy")),
            rs.text.answer_word("reply", options=pl.col("options")),
            86,
            48,
        ),
        (times_asked, rs.text.answer_time("reply"), 37, 11),
    ):
        table = rs.phantoms(
            trials.filter(pl.col("policy") == "lossy"),
            {"includes": INCLUDES, "reader": reader},
            truth="truth",
            drift="drift",
            reference=~pl.col("bucket").is_in(["abst", "abstain"]),
        )
        rows = {row["scorer"]: row for row in table.to_dicts()}
        assert rows["includes"]["n_abstaining"] == abstaining
        assert rows["includes"]["stale"] == phantoms
        assert (rows["reader"]["phantoms"], rows["reader"]["missed"]) == (0, 0)
        stale += rows["includes"]["stale"]
    # With the 68 of 283 numbers: 127 of 406 replies that abstain under a stale memory.
    assert stale + 68 == 127


def test_the_first_scorer_made_effects_that_are_not_there(numbers_asked: pl.DataFrame) -> None:
    """How often the stale value is emitted with a stale memory, against none."""
    rules = {
        name: rs.score.outcome(dialect(name), "truth", "drift", tolerance=0.5) == "inherited"
        for name in ("strict", "reclaim-eval", "reclaim-eval-loose")
    }
    table = rs.sensitivity(
        numbers_asked, rules, contrast="policy", baseline="blank", cluster="pid", by="model"
    )
    assert set(table["n_clusters"]) == {32}
    assert set(table["disagree_baseline"]) == {0}
    harness, first = (
        {row["model"].removeprefix("blank_strict_"): row for row in part.to_dicts()}
        for _, part in sorted(table.partition_by("second", as_dict=True).items())
    )
    # The published differences: 37 and 10 of 96, and none.
    printed = {"deepseek_deepseek-chat": 37, "llama": 10}
    for model, row in harness.items():
        assert row["difference_second"] == printed.get(model, 0) / 96
        assert row["disagree_treatment"] == (model == "llama")
        assert row["low"] < 0 < row["high"]
        if model == "llama":
            # Of the equation $168 - $52 = $116 the harness reads 168, which is the drift.
            assert math.isclose(row["shift"], 1 / 96, rel_tol=1e-9)
    assert {model: row["second_only_treatment"] for model, row in first.items()} == {
        "claude-sonnet-4-6": 24,
        "deepseek_deepseek-chat": 2,
        "llama": 16,
        "openai_gpt-4o-mini": 15,
    }
    row = first["claude-sonnet-4-6"]
    assert (row["difference_first"], row["difference_second"]) == (0.0, 0.25)
    assert row["fisher_p"] == rs.stats.fisher([[24, 72], [0, 96]]).pvalue < 1e-7
    assert row["low"] > 0.1


def test_seven_escaped_dollars(numbers_asked: pl.DataFrame) -> None:
    r"""The harness does not see `ANSWER: \$55`: seven such answers take 7 of 96 off an effect.

    No reply of the four models holds one behind its marker, so here seven stale answers are
    dressed so; the harness then finds less of an effect, by exactly those.
    """
    assert not numbers_asked["reply"].str.contains(r"(?i)ANSWER:\s*\\\$").any()
    model = numbers_asked.filter(pl.col("model") == "blank_strict_deepseek_deepseek-chat")
    plain = (pl.col("policy") == "lossy") & pl.col("attractor")
    chosen = plain & (plain.cum_sum() <= 7)
    dressed = pl.format("ANSWER: \\${}", pl.col("drift").cast(pl.Int64))
    trials = model.with_columns(reply=pl.when(chosen).then(dressed).otherwise("reply"))
    rules = {
        name: rs.score.outcome(dialect(name), "truth", "drift", tolerance=0.5) == "inherited"
        for name in ("strict", "reclaim-eval")
    }
    table = rs.sensitivity(trials, rules, contrast="policy", baseline="blank", cluster="pid")
    row = table.row(0, named=True)
    assert (row["first_only_treatment"], row["disagree_baseline"]) == (7, 0)
    assert round(row["difference_first"], 2) == 0.39
    assert math.isclose(row["shift"], -7 / 96, rel_tol=1e-9)
