"""Outcomes against their twin, the harness's buckets, and every kind of column."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError
from reference import score as twin

NAMES = ["recovered", "inherited", "novel", "abstained"]
NUMBERS = [0.0, -0.0, 1.0, 1.5, 2.0, 45.5, 46.0, 46.4, 46.5, 55.0, 1e300, float("nan")]
INFINITE = [float("inf"), float("-inf")]
Trial = tuple[Any, Any, Any]


def outcomes(rows: list[Trial], dtype: Any = pl.Float64, **options: Any) -> list[str | None]:
    schema = {"answer": dtype, "truth": dtype, "drift": dtype}
    trials = pl.DataFrame(rows, schema=schema, orient="row")
    found = trials.select(rs.score.outcome("answer", "truth", "drift", **options))["answer"]
    assert found.dtype == rs.score.OUTCOME
    return found.to_list()


values = st.none() | st.sampled_from(NUMBERS + INFINITE) | st.floats(allow_nan=True)
names = st.none() | st.sampled_from(["Ana", "ana", "Ben", "", "é", "e\u0301"])


@given(
    st.lists(st.tuples(values, values, values), max_size=8),
    st.sampled_from([0, 0.0, 0.5, 1, 1e-9, 10.0]),
)
@settings(max_examples=300)
def test_numeric_outcomes_equal_their_twin(rows: list[Trial], tolerance: float) -> None:
    assert outcomes(rows, tolerance=tolerance) == [
        twin.outcome_number(*row, tolerance) for row in rows
    ]


@given(st.lists(st.tuples(names, names, names), max_size=8))
@settings(max_examples=200)
def test_outcomes_in_words_equal_their_twin(rows: list[Trial]) -> None:
    assert outcomes(rows, pl.String) == [twin.outcome_text(*row) for row in rows]


def test_worked_examples() -> None:
    rows = [
        (46.4, 46, 55), (55, 46, 55), (50, 46, 55), (None, 46, 55), (float("nan"), 46, 55),
        (46, None, 55), (46, float("nan"), 55), (55, 46, None), (46, 46, 46),
    ]  # fmt: skip
    assert outcomes(rows, tolerance=0.5) == [
        "recovered", "inherited", "novel", "abstained", "abstained", None, None, "novel",
        "recovered",
    ]  # fmt: skip
    # Nearer than the tolerance, not up to it; and by default equal.
    assert outcomes([(46.5, 46, 47), (46.49, 46, 47)], tolerance=0.5) == ["novel", "recovered"]
    assert outcomes([(46.0, 46, 55), (46.0000001, 46, 55)]) == ["recovered", "novel"]
    infinite = [(float("inf"), float("inf"), 1), (float("inf"), 1, float("inf"))]
    assert outcomes(infinite) == ["recovered", "inherited"]


# ── Real input ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def results(reference: Path) -> Path:
    folder = reference / "data" / "reclaim-eval"
    if not (folder / "problems.jsonl").is_file():
        pytest.skip(f"no results in {folder}")
    return folder


@pytest.fixture(scope="module")
def problems(results: Path) -> pl.DataFrame:
    rows = pl.read_ndjson(results / "problems.jsonl", infer_schema_length=None)
    return rows.select("pid", "truth", "drift", "options")


@pytest.mark.parametrize(
    "model", ["claude-sonnet-4-6", "deepseek_deepseek-chat", "llama", "openai_gpt-4o-mini"]
)
def test_buckets_and_attractors_of_the_harness(
    results: Path, problems: pl.DataFrame, model: str
) -> None:
    replies = pl.read_ndjson(results / f"blank_strict_{model}.jsonl", infer_schema_length=None)
    outcome = rs.score.outcome(
        rs.text.answer_number("reply", dialect="reclaim-eval"),
        pl.col("truth").cast(pl.Float64),
        pl.col("drift").cast(pl.Float64),
        tolerance=0.5,
    )
    trials = replies.join(problems, on="pid", how="left", maintain_order="left")
    scored = trials.with_columns(outcome.alias("outcome"))
    assert scored.height == 192
    buckets = {"recovered": "true", "inherited": "emit", "novel": "emit", "abstained": "abstain"}
    assert [buckets[name] for name in scored["outcome"]] == scored["bucket"].to_list()
    assert [name == "inherited" for name in scored["outcome"]] == scored["attractor"].to_list()


def test_failure_modes_of_the_harness(results: Path, problems: pl.DataFrame) -> None:
    replies = pl.read_ndjson(results / "failmode_logic_llama.jsonl")
    word = rs.text.answer_word("reply", options=pl.col("options"), dialect="reclaim-eval")
    trials = replies.join(problems, on="pid", how="left", maintain_order="left")
    scored = trials.with_columns(rs.score.outcome(word, "truth", "drift").alias("outcome"))
    assert scored.height == 96
    buckets = {"recovered": "recov", "inherited": "inherit", "novel": "novel", "abstained": "abst"}
    assert [buckets[name] for name in scored["outcome"]] == scored["bucket"].to_list()
    assert set(scored["bucket"]) == set(buckets.values())


# ── Every kind of column ─────────────────────────────────────────────────────────────────────

TRIALS = pl.DataFrame(
    {
        "answer": [46.0, 55.0, 50.0, None, 46.0],
        "truth": [46.0, 46.0, 46.0, 46.0, None],
        "drift": [55.0, 55.0, None, 55.0, 55.0],
        "cell": ["b", "a", "b", "a", "b"],
    }
)
EXPECTED = ["recovered", "inherited", "novel", "abstained", None]
OUTCOME = rs.score.outcome("answer", "truth", "drift").alias("outcome")


def test_type_name_and_zero_rows() -> None:
    assert rs.score.OUTCOME.categories.to_list() == NAMES
    assert TRIALS.select(rs.score.outcome("answer", "truth")).columns == ["answer"]
    for rows in (TRIALS, TRIALS.clear()):
        assert rows.select(OUTCOME).schema == {"outcome": rs.score.OUTCOME}
        assert rows.lazy().select(OUTCOME).collect_schema() == {"outcome": rs.score.OUTCOME}
    assert TRIALS.clear().select(OUTCOME).is_empty()
    assert TRIALS.select(OUTCOME == "novel")["outcome"].sum() == 1


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Int8, pl.UInt64, pl.Int64, pl.Decimal(10, 2)])
def test_kinds_of_numbers(dtype: Any) -> None:
    rows = TRIALS.with_columns(pl.col("answer", "truth").cast(dtype))
    assert rows.select(OUTCOME)["outcome"].to_list() == EXPECTED


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["46.0", "50.0", "55.0"])])
def test_kinds_of_text(dtype: Any) -> None:
    rows = TRIALS.with_columns(pl.col("answer", "truth", "drift").cast(pl.String))
    for columns in (["answer"], ["truth", "drift"], ["answer", "truth", "drift"]):
        found = rows.with_columns(pl.col(columns).cast(dtype)).select(OUTCOME)["outcome"]
        assert found.to_list() == EXPECTED


def test_columns_of_nothing_but_null() -> None:
    nothing = pl.lit(None)
    for kind in (pl.Float64, pl.String):
        rows = TRIALS.select(pl.col("answer", "truth", "drift").cast(kind))
        assert rows.with_columns(answer=nothing).select(OUTCOME)["outcome"].to_list() == [
            *["abstained"] * 4,
            None,
        ]
        assert rows.with_columns(truth=nothing).select(OUTCOME)["outcome"].null_count() == 5
        assert rows.with_columns(drift=nothing).select(OUTCOME)["outcome"].to_list() == [
            "recovered", "novel", "novel", "abstained", None,
        ]  # fmt: skip
    none = TRIALS.select(pl.lit(None).alias(name) for name in ("answer", "truth", "drift"))
    assert none.select(OUTCOME)["outcome"].null_count() == len(none)


def test_literals_chunks_slices_groups_and_lazy_frames() -> None:
    literal = rs.score.outcome("answer", pl.lit(46), pl.lit(55.0)).alias("outcome")
    assert TRIALS.select(literal)["outcome"].to_list() == [
        "recovered", "inherited", "novel", "abstained", "recovered",
    ]  # fmt: skip
    assert TRIALS.clear().select(literal).is_empty()
    assert TRIALS.slice(1, 2).select(OUTCOME)["outcome"].to_list() == EXPECTED[1:3]

    many = pl.concat([TRIALS.slice(i, 1) for i in range(5)] * 40, rechunk=False)
    # Each input in chunks of its own.
    many = many.with_columns(truth=many["truth"].rechunk(), drift=many["drift"].slice(0).rechunk())
    assert many.select(OUTCOME)["outcome"].to_list() == EXPECTED * 40
    for engine in ("in-memory", "streaming"):
        found = many.lazy().select(OUTCOME).collect(engine=engine)
        assert found["outcome"].to_list() == EXPECTED * 40

    groups = TRIALS.group_by("cell", maintain_order=True).agg(OUTCOME).rows()
    assert groups == [("b", ["recovered", "novel", None]), ("a", ["inherited", "abstained"])]
    assert TRIALS.select(OUTCOME.over("cell"))["outcome"].to_list() == EXPECTED
    chosen = pl.when(pl.col("cell") == "a").then(OUTCOME).alias("outcome")
    assert TRIALS.select(chosen)["outcome"].to_list() == [
        None, "inherited", None, "abstained", None,
    ]  # fmt: skip


# ── Errors ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("tolerance", [-1, -1e-9, float("nan"), True, "0.5", None])
def test_bad_tolerances_are_refused_at_once(tolerance: Any) -> None:
    with pytest.raises(OptionError, match="tolerance="):
        rs.score.outcome("answer", "truth", tolerance=tolerance)


@pytest.mark.parametrize("lazy", [False, True])
def test_mixed_columns_are_named(lazy: bool) -> None:
    rows = TRIALS.with_columns(pl.col("truth").cast(pl.String), flag=pl.lit(True))
    for drift, wrong in (("drift", "'truth' String"), ("flag", "'flag' Boolean")):
        scorer = rs.score.outcome("answer", "truth", drift)
        with pytest.raises(ColumnError) as caught:
            rows.lazy().select(scorer).collect() if lazy else rows.select(scorer)
        assert wrong in str(caught.value)
