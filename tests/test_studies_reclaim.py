"""The reclaim study kit: problems, notes, corrections, plan and the deterministic reader."""

import hashlib
import re
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from reclaimstats.errors import ColumnError, DesignError, OptionError
from reclaimstats.studies import reclaim
from reference import reclaim as twin

PROBLEMS = reclaim.problems(40, seed=7)
NOTES = reclaim.notes(PROBLEMS)
PLAN = reclaim.plan(PROBLEMS, NOTES, reclaim.corrections(PROBLEMS))
CELL = ["policy", "integrity", "arm"]
# A reader of answer lines that shares nothing with the package.
ANSWER = r"(?im)^\W*answer:\W*([0-9]+)\W*$"


def scored(trials: pl.DataFrame) -> pl.DataFrame:
    answer = pl.col("reply").str.extract(ANSWER).cast(pl.Float64)
    return trials.with_columns(
        answer=answer,
        correct=(answer == pl.col("truth")).fill_null(False),
        inherited=(answer == pl.col("drift")).fill_null(False),
        abstained=answer.is_null(),
    )


def digest(texts: pl.Series) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


# --- problems


def test_truth_drift_and_premise_follow_from_the_line_items() -> None:
    frame = reclaim.problems(3000)
    for row in frame.iter_rows(named=True):
        subtotals = {
            row[f"item_{side}"]: row[f"price_{side}"] * row[f"quantity_{side}"] for side in "ab"
        }
        assert len(subtotals) == 2
        premise = re.fullmatch(r"An earlier tally put the (.+) at \$(\d+)\.", row["premise"])
        assert premise is not None
        assert premise.group(1) == row["locus"]
        planted = int(premise.group(2))
        true_part = subtotals[row["locus"]]
        assert planted > 0
        assert planted != true_part
        assert row["truth"] == sum(subtotals.values())
        assert row["drift"] == row["truth"] - true_part + planted
        assert row["drift"] != row["truth"]
        assert all(token in row["source"] for token in row["source_items"])
        assert all(token in row["question"] for token in row["source_items"])
        assert len(set(row["source_items"])) == 4


def test_problems_do_not_repeat() -> None:
    frame = reclaim.problems(5000)
    assert frame["pid"].n_unique() == 5000
    orders = {
        frozenset({row[:3], row[3:]})
        for row in frame.select(
            "item_a", "price_a", "quantity_a", "item_b", "price_b", "quantity_b"
        ).rows()
    }
    assert len(orders) == 5000


def test_problems_are_a_function_of_the_seed() -> None:
    assert_frame_equal(reclaim.problems(20), reclaim.problems(50).head(20))
    assert not reclaim.problems(20, seed=1).equals(reclaim.problems(20))


def test_same_bits_everywhere() -> None:
    assert digest(reclaim.problems(500, seed=11)["question"]) == "c0326e42572eba4e"
    assert digest(reclaim.simulate(50, seed=11)["reply"]) == "8bcaa9c836f9133b"


# --- notes


def test_notes_equal_the_twin() -> None:
    levels = (1.0, 0.8, 0.79, 0.6, 0.5, 0.49, 0.3, 0.2, 0.19, 0.1, 0.0)
    # Longer sources than two line items need more than one filler.
    asked = PROBLEMS.with_columns(
        source=pl.when(pl.int_range(pl.len()) % 2 == 0)
        .then(pl.concat_list([pl.col("source")] * 9).list.join("; "))
        .otherwise("source")
    )
    drafted = reclaim.notes(asked, integrities=levels)
    expected = [
        (row["pid"], policy, g, twin.note(row["source"], row["premise"], row["drift"], policy, g))
        for row in asked.iter_rows(named=True)
        for policy in reclaim.POLICIES
        for g in levels
    ]
    assert drafted.rows() == expected


def test_source_survives_exactly_where_the_policy_keeps_it() -> None:
    checked = NOTES.join(PROBLEMS.select("pid", "source_items"), on="pid")
    assert checked.height == 40 * 16
    for _, policy, integrity, text, tokens in checked.iter_rows():
        found = [token in text for token in tokens]
        if policy == "source-first" or (policy != "blank" and integrity >= 0.5):
            assert all(found), (policy, integrity, text)
        else:
            assert not any(found), (policy, integrity, text)


def test_conclusion_and_premise_survive_exactly_where_the_policy_keeps_them() -> None:
    checked = NOTES.join(PROBLEMS.select("pid", "premise", "drift"), on="pid")
    for _, policy, integrity, text, premise, drift in checked.iter_rows():
        concluded = f"Total before tax: ${drift:.0f}." in text
        assert concluded == (
            policy.startswith("lossy") or (policy == "source-first" and integrity >= 0.5)
        )
        assert (premise in text) == (policy != "blank" and integrity >= 0.2)


def test_padding_is_long_enough_and_neutral() -> None:
    wide = NOTES.pivot("policy", index=["pid", "integrity"], values="note")
    names = {*PROBLEMS["item_a"], *PROBLEMS["item_b"]}
    assert len(names) > 15
    for row in wide.iter_rows(named=True):
        lossy, padded = row["lossy"], row["lossy-padded"]
        assert len(padded) >= len(row["source-first"])
        assert padded.startswith(lossy)
        filler = padded.removeprefix(lossy)
        assert filler
        assert not re.search(r"\d", filler)
        assert not any(name in filler for name in names)


def test_blank_holds_nothing() -> None:
    blank = NOTES.filter(policy="blank")
    assert blank.height == 160
    assert blank["note"].n_unique() == 1
    assert not blank["note"].str.contains(r"\d").any()


def test_cents_are_kept_in_the_conclusion() -> None:
    drifted = PROBLEMS.head(1).with_columns(drift=pl.lit(55.5))
    (text,) = reclaim.notes(drifted, policies=["lossy"], integrities=[0.1])["note"]
    assert text == "Total before tax: $55.5."


# --- corrections


def test_corrections_name_the_locus_or_nothing_and_never_a_value() -> None:
    drafted = reclaim.corrections(PROBLEMS).join(
        PROBLEMS.select("pid", "item_a", "item_b", "locus"), on="pid"
    )
    assert drafted.height == 80
    for _, arm, text, item_a, item_b, locus in drafted.iter_rows():
        assert not re.search(r"\d", text)
        named = {item for item in (item_a, item_b) if re.search(rf"\b{item}\b", text)}
        assert named == ({locus} if arm == "directed" else set())


# --- plan


def test_plan_crosses_everything_in_order() -> None:
    expected = [
        (pid, policy, integrity, arm, seed)
        for pid in PROBLEMS["pid"]
        for policy in reclaim.POLICIES
        for integrity in reclaim.INTEGRITIES
        for arm in reclaim.ARMS
        for seed in range(3)
    ]
    assert PLAN.select("pid", *CELL, "seed").rows() == expected
    scored_against = ["pid", "truth", "drift", "source", "source_items"]
    assert_frame_equal(
        PLAN.select(scored_against).unique(maintain_order=True), PROBLEMS.select(scored_against)
    )


def test_messages_hold_the_note_and_the_correction_and_no_other_number() -> None:
    for row in PLAN.head(300).iter_rows(named=True):
        system, user = row["messages"]
        assert (system["role"], user["role"]) == ("system", "user")
        assert system["content"].endswith(row["note"])
        assert user["content"].endswith(row["correction"])
        rest = system["content"].removesuffix(row["note"]) + user["content"]
        assert not re.search(r"\d", rest)


def test_plan_takes_memories_from_elsewhere() -> None:
    memories = pl.DataFrame(
        {"pid": PROBLEMS["pid"].head(2), "system": "summariser", "note": ["Nothing.", "Total: $9"]}
    )
    calls = reclaim.plan(
        PROBLEMS.head(2), memories, reclaim.corrections(PROBLEMS, arms=["directed"]), seeds=2
    )
    assert calls.columns[:5] == ["key", "pid", "system", "arm", "seed"]
    assert calls["key"].to_list() == [
        f"{PROBLEMS['pid'][row]} system=summariser arm=directed seed={seed}"
        for row in (0, 1)
        for seed in (0, 1)
    ]
    assert reclaim.read(calls)["reply"].str.extract(ANSWER).to_list() == [None, None, "9", "9"]


def test_plan_needs_a_note_of_every_problem() -> None:
    told = reclaim.corrections(PROBLEMS)
    with pytest.raises(DesignError, match="no row for the problems' pids"):
        reclaim.plan(PROBLEMS, NOTES.filter(pl.col("pid") != PROBLEMS["pid"][0]), told)
    hole = pl.when(pl.int_range(pl.len()) > 0).then("note").alias("note")
    with pytest.raises(ColumnError, match="1 notes are null"):
        reclaim.plan(PROBLEMS, NOTES.with_columns(hole), told)


# --- reader

FRAGMENTS = (
    "7 pens at $4 each",
    "12 grout bags at $19 each",
    "7 pens at $4 each",
    "3 pens at $4",
    "x7 pens at $4 each",
    "1234567 pens at $4 each",
    "999999 pens at $999999 each",
    "Total before tax: $55.",
    "TOTAL is $1,234.50, maybe",
    "subtotal $7",
    "total unknown. $8",
    "$",
    "; ",
    "\n",
    "é€",
)
text_of_fragments = st.lists(
    st.sampled_from(FRAGMENTS) | st.text("at o$17.,;\n", max_size=6), max_size=6
).map(" ".join)


@given(
    rows=st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8"), max_size=30),
            st.integers(-(2**63), 2**63 - 1),
            text_of_fragments,
            st.sampled_from(["Look again.", "The SUBTOTAL is off.", "subtotals differ", ""]),
        ),
        min_size=1,
        max_size=8,
    ),
    slip=st.sampled_from([0.0, 0.15, 0.5, 1.0]) | st.floats(0, 1),
    seed=st.integers(0, 2**64 - 1),
)
def test_replies_equal_the_twin(
    rows: list[tuple[str, int, str, str]], slip: float, seed: int
) -> None:
    trials = pl.DataFrame(
        rows,
        schema={"pid": pl.String, "seed": pl.Int64, "note": pl.String, "correction": pl.String},
        orient="row",
    )
    expected = [twin.reply(*row, slip=slip, reader_seed=seed) for row in rows]
    assert reclaim.read(trials, slip=slip, seed=seed)["reply"].to_list() == expected


def test_study_replies_equal_the_twin() -> None:
    keys = PLAN.select("pid", "seed", "note", "correction").rows()
    expected = [twin.reply(*key, slip=0.3, reader_seed=5) for key in keys]
    assert reclaim.read(PLAN, slip=0.3, seed=5)["reply"].to_list() == expected


def test_replies_do_not_depend_on_other_rows_or_their_order() -> None:
    whole = reclaim.read(PLAN, slip=0.5)
    shuffled = PLAN.with_row_index().sample(fraction=1, shuffle=True, seed=3)
    assert_frame_equal(reclaim.read(shuffled, slip=0.5).sort("index").drop("index"), whole)
    assert_frame_equal(reclaim.read(PLAN[100:200], slip=0.5), whole[100:200])
    long_pid = PLAN.head(1).with_columns(pid=pl.lit("p" * 2000))
    assert_frame_equal(reclaim.read(pl.concat([PLAN, long_pid]), slip=0.5).head(PLAN.height), whole)


def test_reader_is_blind_to_all_but_note_and_correction() -> None:
    honest = reclaim.read(PLAN)["reply"]
    mixed = PLAN.with_columns(
        pl.col("truth", "drift", "policy", "integrity", "arm", "source", "source_items").shuffle(1)
    )
    assert not mixed["truth"].equals(PLAN["truth"])
    assert reclaim.read(mixed)["reply"].equals(honest)
    bare = PLAN.select("pid", "seed", "note", "correction")
    assert reclaim.read(bare)["reply"].equals(honest)


def test_reader_cannot_work_out_what_the_note_lost() -> None:
    kept = PLAN.filter(arm="directed", policy="source-first", integrity=0.1, seed=0)
    assert scored(reclaim.read(kept, slip=0))["correct"].all()
    for line in (0, 1):
        cut = kept.with_columns(
            note=pl.format("Order: {}.", pl.col("source").str.split("; ").list.get(line))
        )
        assert scored(reclaim.read(cut, slip=0))["abstained"].all()
        stale = cut.with_columns(note=pl.format("{} The total was $1.", "note"))
        assert (scored(reclaim.read(stale, slip=0))["answer"] == 1).all()


@pytest.mark.parametrize(
    ("note", "correction", "answer"),
    [
        ("2 pens at $3 each; 4 jars at $5 each", "The subtotal is wrong.", "26"),
        ("2 pens at $3 each; 4 jars at $5 each", "Wrong.", "26"),
        ("2 pens at $3 each; 4 jars at $5 each. Total $9", "The subtotal is wrong.", "26"),
        ("2 pens at $3 each; 4 jars at $5 each. Total $9", "Wrong.", "9"),
        ("2 pens at $3 each; 2 pens at $3 each", "The subtotal is wrong.", None),
        ("2 pens at $3 each", "Wrong.", None),
        ("2 pens at $3 each. Total $9", "The subtotal is wrong.", "9"),
        ("The subtotal was $9.", "The subtotal is wrong.", None),
        ("", "", None),
    ],
)
def test_reader_rule(note: str, correction: str, answer: str | None) -> None:
    trial = pl.DataFrame({"pid": "x", "seed": 0, "note": note, "correction": correction})
    assert reclaim.read(trial, slip=0)["reply"].str.extract(ANSWER).item() == answer


@pytest.mark.parametrize("column", ["pid", "seed", "note", "correction"])
def test_null_in_null_out(column: str) -> None:
    some = PLAN.head(4).with_columns(
        pl.when(pl.int_range(pl.len()) != 2).then(pl.col(column)).alias(column)
    )
    assert reclaim.read(some)["reply"].is_null().to_list() == [False, False, True, False]


def test_categorical_text_and_empty_frames() -> None:
    cast = PLAN.with_columns(pl.col("pid", "note", "correction").cast(pl.Categorical))
    assert reclaim.read(cast)["reply"].equals(reclaim.read(PLAN)["reply"])
    empty = reclaim.plan(PROBLEMS.head(0), NOTES.head(0), reclaim.corrections(PROBLEMS))
    assert reclaim.read(empty).schema == reclaim.read(PLAN).schema


def test_slips_have_the_stated_share_and_clustering() -> None:
    kept = {"policies": ["source-first"], "integrities": [0.1, 0.3], "arms": ["directed"]}
    trials = scored(reclaim.simulate(4000, slip=0.15, seeds=2, **kept))
    slipped = trials.select(
        "pid", "truth", "answer", slip=(pl.col("answer") != pl.col("truth")).cast(pl.Float64)
    )
    assert not slipped["answer"].is_null().any()
    off = (slipped["answer"] - slipped["truth"]).value_counts().sort("answer")
    assert off["answer"].to_list() == [-1.0, 0.0, 1.0]
    assert min(off["count"]) > 1000
    mean = slipped["slip"].mean()
    assert mean == pytest.approx(0.15, abs=0.015)
    clusters = slipped.group_by("pid", maintain_order=True).agg("slip")["slip"].to_list()
    pairs = [(c[i], c[j]) for c in clusters for i in range(4) for j in range(4) if i != j]
    covariance = pl.DataFrame(pairs, orient="row", schema=["x", "y"]).select(pl.cov("x", "y"))
    assert covariance.item() / (mean * (1 - mean)) == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize(("slip", "share"), [(0.0, 0.0), (1.0, 1.0)])
def test_slip_edges(slip: float, share: float) -> None:
    trials = reclaim.simulate(policies=["source-first"], integrities=[0.1], slip=slip)
    assert 1 - scored(trials)["correct"].mean() == share


def test_answer_lines_vary_and_close_every_reply() -> None:
    trials = reclaim.simulate(100).with_columns(pl.col("reply").str.split("\n"))
    assert trials["reply"].list.len().unique().to_list() == [2]
    prose, line = (trials["reply"].list.get(k) for k in (0, 1))
    stated = prose.str.extract(r"\$([0-9]+)[^$]*$")
    assert line.str.extract(ANSWER).equals(stated)
    dresses = line.str.replace("[0-9]+", "N").value_counts(normalize=True)
    assert set(dresses["reply"]) == {
        "ANSWER: N", "ANSWER: $N", "**ANSWER:** $N", "ANSWER: **$N**", "**ANSWER: N**",
        "Answer: `N`", "ANSWER: unknown", "**ANSWER:** cannot be determined",
        "ANSWER: **not recoverable**",
    }  # fmt: skip
    assert dresses["proportion"].min() > 0.05


# --- the study


def test_the_wall_comes_out() -> None:
    cells = (
        scored(reclaim.simulate())
        .group_by(CELL)
        .agg(pl.len(), pl.col("correct", "inherited", "abstained").mean())
    )
    assert cells.height == 32
    assert cells["len"].unique().to_list() == [96]
    for row in cells.iter_rows(named=True):
        policy, integrity, directed = row["policy"], row["integrity"], row["arm"] == "directed"
        if policy == "blank":
            assert row["abstained"] == 1
        elif integrity >= 0.5:
            if directed:
                assert 0.7 < row["correct"] < 1
            else:
                assert row["inherited"] == 1
        elif policy == "source-first":
            assert 0.7 < row["correct"] < 1
            assert row["inherited"] == 0
        else:
            assert row["inherited"] == 1


def test_simulate_is_the_composition() -> None:
    asked = reclaim.problems(5, seed=2)
    calls = reclaim.plan(asked, reclaim.notes(asked), reclaim.corrections(asked), seeds=2)
    trials = reclaim.simulate(5, seeds=2, slip=0.4, seed=2)
    assert_frame_equal(trials, reclaim.read(calls, slip=0.4, seed=2).drop("key", "messages"))
    assert trials.schema == {
        "pid": pl.String,
        "policy": pl.String,
        "integrity": pl.Float64,
        "arm": pl.String,
        "seed": pl.Int64,
        "note": pl.String,
        "correction": pl.String,
        "truth": pl.Float64,
        "drift": pl.Float64,
        "source": pl.String,
        "source_items": pl.List(pl.String),
        "reply": pl.String,
    }


def test_the_readers_seed_matters() -> None:
    one, two = (reclaim.read(PLAN, seed=seed)["reply"] for seed in (0, 1))
    assert not one.equals(two)


# --- what is refused


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"policies": ["lossy", "tidy"]}, "policies='tidy' .*'lossy', 'lossy-padded', 'so"),
        ({"policies": []}, "policies=.*at least one"),
        ({"policies": ["blank", "blank"]}, "policies=.*once"),
        ({"arms": ["rude"]}, "arms='rude' .*'generic', 'directed'"),
        ({"integrities": []}, "integrities=.*at least one"),
        ({"integrities": [0.3, 0.3]}, "integrities=.*once"),
        ({"integrities": [1.5]}, r"integrities=1\.5"),
        ({"integrities": [float("nan")]}, "integrities=nan"),
        ({"n_problems": 0}, "n=0"),
        ({"n_problems": 2.5}, r"n=2\.5"),
        ({"seeds": 0}, "seeds=0"),
        ({"seed": -1}, "seed=-1"),
        ({"slip": 1.01}, r"slip=1\.01"),
        ({"slip": float("nan")}, "slip=nan"),
    ],
)
def test_bad_options(options: dict[str, Any], match: str) -> None:
    with pytest.raises(OptionError, match=match):
        reclaim.simulate(**{"n_problems": 2, **options})


def test_bad_frames() -> None:
    said = reclaim.corrections(PROBLEMS)
    with pytest.raises(ColumnError, match=r"problems.*'drift'"):
        reclaim.notes(PROBLEMS.drop("drift"))
    with pytest.raises(ColumnError, match=r"problems.*'locus'"):
        reclaim.corrections(PROBLEMS.drop("locus"))
    with pytest.raises(ColumnError, match=r"notes.*'note'"):
        reclaim.plan(PROBLEMS, NOTES.drop("note"), said)
    with pytest.raises(ColumnError, match=r"corrections.*'correction'"):
        reclaim.plan(PROBLEMS, NOTES, said.drop("correction"))
    with pytest.raises(ColumnError, match=r"plan.*'seed'"):
        reclaim.read(PLAN.drop("seed"))
    with pytest.raises(ColumnError, match="'drift' holds nulls"):
        reclaim.notes(PROBLEMS.with_columns(drift=pl.lit(None, dtype=pl.Float64)))
    with pytest.raises(DesignError, match=r"problems: more than one row.*purchase-0003"):
        reclaim.notes(pl.concat([PROBLEMS, PROBLEMS[3:4]]))
    with pytest.raises(DesignError, match=r"notes: more than one row.*source-first"):
        reclaim.plan(PROBLEMS, pl.concat([NOTES, NOTES[8:9]]), said)
    with pytest.raises(DesignError, match="corrections: more than one row"):
        reclaim.plan(PROBLEMS, NOTES, pl.concat([said, said]))
    with pytest.raises(DesignError, match=r"problems: no row.*purchase-0000"):
        reclaim.plan(PROBLEMS[1:], NOTES, said)
    with pytest.raises(DesignError, match=r"corrections: no row.*purchase-0000"):
        reclaim.plan(PROBLEMS, NOTES, said.filter(pl.col("pid") != "purchase-0000"))
    with pytest.raises(DesignError, match="columns must differ by name"):
        reclaim.plan(PROBLEMS, NOTES, said.rename({"arm": "policy"}))
