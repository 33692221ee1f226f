"""The reclaim study's designs: ledgers, readers, tables, validators, and the kill condition."""

import hashlib
import json
import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from reclaimstats.cli import main
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reclaimstats.studies import reclaim
from reference import ledgers as twin

ORDERS = reclaim.ledgers(3, items=[2, 5, 16, 32], decoys=[0, 3, 32], seed=2)
NOTES = reclaim.ledger_notes(ORDERS, policies=reclaim.LEDGER_POLICIES, budgets=[80, 120, 300, 5000])


def answered(name: str) -> pl.DataFrame:
    plan = reclaim.design(name, n=4, seeds=2)
    if "pushes" not in plan.columns:
        return reclaim.scored(reclaim.deterministic(plan))
    talk = reclaim.conversations(plan)
    return reclaim.scored(talk.trials(reclaim.rehearse(talk, reclaim.deterministic)))


ANSWERED = {name: answered(name) for name in reclaim.DESIGNS}

# --- ledgers


def digest(texts: pl.Series) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def test_totals_follow_from_the_lines() -> None:
    for row in ORDERS.iter_rows(named=True):
        amounts = {}
        for line in row["source_items"]:
            quantity, good, price = re.fullmatch(r"(\d+) (\D+) at \$(\d+) each", line).groups()  # type: ignore[union-attr]
            amounts[good] = (int(quantity), int(price))
        assert len(amounts) == row["n_items"]
        assert row["truth"] == sum(q * p for q, p in amounts.values())
        planted = int(row["premise"].rpartition("$")[2].rstrip("."))
        quantity, price = amounts[row["locus"]]
        assert row["drift"] == row["truth"] - quantity * price + planted
        assert row["drift"] != row["truth"]
        assert row["sound"] in amounts
        assert row["sound"] != row["locus"]
        decoys = [line for line in row["lines"] if line not in row["source_items"]]
        assert len(decoys) == row["n_decoys"]
        assert all(line.endswith(", not bought") for line in decoys)
        assert [line for line in row["lines"] if line in row["source_items"]] == row["source_items"]


def test_a_stores_orders_share_their_goods() -> None:
    rows = {
        (row["store"], row["n_items"], row["n_decoys"]): row for row in ORDERS.iter_rows(named=True)
    }
    for store in ORDERS["store"].unique():
        small, large = rows[store, 5, 0], rows[store, 16, 32]
        assert set(small["source_items"]) < set(large["source_items"])
        assert rows[store, 5, 3]["source_items"] == rows[store, 5, 32]["source_items"]


def test_ledgers_and_dispositions_have_the_same_bits_everywhere() -> None:
    orders = reclaim.ledgers(50, items=[2, 32], decoys=[0, 7], seed=11)
    assert digest(orders["question"]) == "f0bac5a6c39d7c8c"
    replies = [
        reclaim.disposed(reclaim.design(name, n=6, seed=11), inherits=0.3, yields=0.3, seed=11)
        for name in ("size", "corrections", "logic-wall")
    ]
    assert (
        digest(pl.concat(part.select("reply") for part in replies)["reply"]) == "07ad8ba8d88d6b7a"
    )


def test_the_first_stores_are_the_same_for_every_number() -> None:
    few = reclaim.ledgers(2, items=[3], seed=5)
    assert_frame_equal(few, reclaim.ledgers(9, items=[3], seed=5).head(2))
    assert not few.equals(reclaim.ledgers(2, items=[3], seed=6))


def test_notes_are_the_twins() -> None:
    rows = NOTES.join(ORDERS, on=["pid", "store", "n_items", "n_decoys"], maintain_order="left")
    assert rows.height == ORDERS.height * 7 * 4
    for row in rows.iter_rows(named=True):
        text, _ = twin.note(
            row["lines"], row["source_items"], row["drift"], row["policy"], row["budget"]
        )
        assert row["note"] == text
        if row["policy"] not in ("lossy", "lossy-padded", "blank"):
            assert len(text) <= row["budget"]


def test_a_line_that_does_not_fit_leaves_nothing() -> None:
    line = "5 " + "very " * 20 + "large ladders at $13 each"
    order = reclaim.ledgers(1, items=[2]).with_columns(lines=pl.lit([line, line]))
    policies = ["source-first", "source-first-tagged"]
    notes = reclaim.ledger_notes(order, policies=policies, budgets=[80])
    assert notes["note"].to_list() == ["Order: nothing.", "Order (0 of 2 line items): nothing."]


def test_what_is_kept_is_what_a_test_of_tokens_finds() -> None:
    rows = NOTES.join(ORDERS, on=["pid", "store", "n_items", "n_decoys"], maintain_order="left")
    rows = reclaim.scored(rows.with_columns(reply=pl.lit(None, pl.String)))
    for row in rows.iter_rows(named=True):
        _, kept = twin.note(
            row["lines"], row["source_items"], row["drift"], row["policy"], row["budget"]
        )
        assert row["n_kept"] == kept
        assert row["complete"] == (kept == row["n_items"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: reclaim.ledgers(0), "n=0"),
        (lambda: reclaim.ledgers(1, items=[1]), "items=1"),
        (lambda: reclaim.ledgers(1, items=[33]), "items=33"),
        (lambda: reclaim.ledgers(1, items=[2, 2]), "each once"),
        (lambda: reclaim.ledgers(1, decoys=[-1]), "decoys=-1"),
        (lambda: reclaim.ledger_notes(ORDERS, policies=["tidy"]), "'tidy'"),
        (lambda: reclaim.ledger_notes(ORDERS, budgets=[10]), "budgets=10"),
        (lambda: reclaim.design("walls"), "'walls'"),
        (lambda: reclaim.disposed(PLAN, inherits=0.7, confabulates=0.7), "at most 1"),
        (lambda: reclaim.disposed(PLAN, inherits=-0.1), "inherits"),
    ],
)
def test_options_are_checked(call: object, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        call()  # type: ignore[operator]


# --- readers

PLAN = reclaim.design("completeness", n=3, seeds=2)


def test_replies_do_not_depend_on_other_rows() -> None:
    for reader in (reclaim.deterministic, reclaim.disposed):
        whole = reader(PLAN)
        shuffled = reader(PLAN.sample(fraction=1.0, shuffle=True, seed=3))
        assert_frame_equal(whole.sort("key"), shuffled.sort("key"))
        assert reader(PLAN.clear()).schema == whole.schema
        assert reader(PLAN.head(1))["reply"].item() == whole["reply"][0]


def test_readers_look_at_the_note_and_not_at_the_answers() -> None:
    blind = PLAN.with_columns(truth=-pl.col("truth"), drift=-pl.col("drift"), policy=pl.lit("x"))
    for reader in (reclaim.deterministic, reclaim.disposed):
        assert reader(blind)["reply"].equals(reader(PLAN)["reply"])


def test_a_null_note_gives_a_null_reply() -> None:
    empty = PLAN.with_columns(note=pl.lit(None, pl.String))
    assert reclaim.deterministic(empty)["reply"].null_count() == PLAN.height
    assert reclaim.disposed(empty)["reply"].null_count() == PLAN.height
    assert reclaim.scored(reclaim.disposed(empty))["outcome"].null_count() == PLAN.height


@settings(max_examples=25)
@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 2**64 - 1))
def test_dispositions_come_in_their_shares(first: float, second: float, seed: int) -> None:
    inherits, confabulates = first, second * (1 - first)
    plan = LARGE
    trials = reclaim.scored(
        reclaim.disposed(plan, inherits=inherits, confabulates=confabulates, seed=seed)
    )
    shares = {
        name: (trials["outcome"] == name).mean() for name in ("inherited", "novel", "abstained")
    }
    # 960 independent lots: 5 standard errors.
    assert shares["inherited"] == pytest.approx(inherits, abs=0.09)
    assert shares["novel"] == pytest.approx(confabulates, abs=0.09)
    assert shares["abstained"] == pytest.approx(1 - inherits - confabulates, abs=0.09)


LARGE = reclaim.design("wall", n=160, seeds=3).filter(policy="lossy", integrity=0.1)


def test_a_number_of_its_own_is_never_the_truth_by_chance() -> None:
    plan = reclaim.design("size", n=200, seeds=1)
    trials = reclaim.scored(reclaim.disposed(plan, inherits=0.0, confabulates=1.0))
    assert set(trials.filter(~pl.col("complete"))["outcome"]) == {"novel"}


def test_lots_differ_by_seed_note_and_trial() -> None:
    plan = reclaim.design("wall", n=200, seeds=2).filter(policy="lossy", arm="directed")
    plan = plan.filter(pl.col("integrity") < 0.5)
    inherits = reclaim.scored(reclaim.disposed(plan, inherits=0.5, confabulates=0.0))
    again = reclaim.scored(reclaim.disposed(plan, inherits=0.5, confabulates=0.0, seed=1))
    assert 0.4 < (inherits["outcome"] == again["outcome"]).mean() < 0.6  # type: ignore[operator]
    for name in ("integrity", "seed"):
        others = [column for column in ("pid", "integrity", "seed") if column != name]
        alike = inherits.group_by(others).agg(same=pl.col("outcome").n_unique() == 1)
        assert 0.4 < alike["same"].mean() < 0.6  # type: ignore[operator]


def test_summing_readers_are_silently_wrong_unless_a_tag_warns_them() -> None:
    plan = PLAN.filter(pl.col("n_items") == 32)
    for heeds, tagged in ((True, "abstained"), (False, "novel")):
        trials = reclaim.scored(
            reclaim.disposed(plan, inherits=0, confabulates=0, sums=True, heeds_tags=heeds)
        )
        assert set(trials.filter(policy="source-first")["outcome"]) == {"novel"}
        boundary = reclaim.tables(trials)["boundary"].pivot(
            "quantity", index="policy", values="estimate"
        )
        assert dict(boundary.select("policy", "silent").iter_rows()) == {
            "source-first": 1.0, "source-first-tagged": float(not heeds),
        }  # fmt: skip
        assert (boundary["silent"] + boundary["loud"] == 1.0).all()
        assert set(trials.filter(policy="source-first-tagged")["outcome"]) == {tagged}


def test_half_a_sum_is_silent_only_without_a_word_of_it() -> None:
    trials = ANSWERED["completeness"]
    whole = trials["n_items"] == trials["n_kept"]
    assert not trials.filter(whole)["partial"].any()
    cut = trials.filter(~whole, policy="source-first").with_columns(left=reclaim.worked_out("note"))
    shares = {}
    for said in ("", "One line item is missing. "):
        replies = rescored(cut, reply=pl.format(f"{said}ANSWER: {{}}", "left"))
        assert replies["partial"].all()
        boundary = (
            reclaim.tables(replies)["boundary"]
            .group_by("quantity")
            .agg(pl.col("estimate").unique().first())
        )
        shares[said] = dict(boundary.iter_rows())
    assert list(shares.values()) == [{"silent": 1.0, "loud": 0.0}, {"silent": 0.0, "loud": 1.0}]


# --- validators: each holds, and each is seen to fail

BREAKS = {
    "the premise leads to another answer than the truth": (
        "wall",
        lambda t: t.with_columns(drift=pl.col("truth")),
    ),
    "lossy notes at the wall hold no part of the source": (
        "wall",
        lambda t: rescored(
            t, note=pl.concat_str("note", pl.lit(" "), pl.col("source_items").list.first())
        ),
    ),
    "without its source no reply recovers the truth": (
        "size",
        lambda t: rescored(t, reply=pl.format("ANSWER: {}", "truth")),
    ),
    "source-first recovers the truth exactly where the source fits": (
        "size",
        lambda t: rescored(t, reply=pl.lit("ANSWER: unknown")),
    ),
    "denoised notes always recover the truth": (
        "noise",
        lambda t: rescored(t, reply=pl.lit("ANSWER: 1")),
    ),
    "blank notes recover nothing": (
        "wall",
        lambda t: rescored(t, reply=pl.format("ANSWER: {}", "truth")),
    ),
    "padded lossy notes are as long as source-first": (
        "wall",
        lambda t: t.with_columns(note=pl.col("note").str.slice(0, 20)).with_columns(
            note=pl.when(policy="lossy-padded").then(pl.lit("")).otherwise("note")
        ),
    ),
    "larger sources fall off a cliff": (
        "size",
        lambda t: rescored(t, reply=pl.format("ANSWER: {}", "truth")),
    ),
    "the cliff moves out with the budget": (
        "size",
        lambda t: rescored(
            t,
            reply=pl.when(pl.col("n_items") < 4)
            .then(pl.format("ANSWER: {}", "truth"))
            .otherwise(pl.lit("ANSWER: unknown")),
        ),
    ),
    "decoys crowd the source out": (
        "noise",
        lambda t: rescored(t, reply=pl.format("ANSWER: {}", "truth")),
    ),
    "in one conversation a directed correction beats a generic one": (
        "depth",
        lambda t: rescored(
            t,
            reply=pl.when(arm="generic")
            .then(pl.format("ANSWER: {}", "truth"))
            .otherwise(pl.lit("ANSWER: unknown")),
        ),
    ),
}


def rescored(trials: pl.DataFrame, **columns: pl.Expr) -> pl.DataFrame:
    plan = trials.drop(
        "answer", "outcome", "n_kept", "complete", "recovered", "wrong", "partial", "flagged"
    )
    return reclaim.scored(plan.with_columns(**columns))


@pytest.mark.parametrize("name", reclaim.DESIGNS)
def test_every_design_holds_with_the_deterministic_reader(name: str) -> None:
    checks = reclaim.validate(ANSWERED[name])
    assert checks.filter(~pl.col("holds")).height == 0
    assert checks["n"].min() > 0  # type: ignore[operator]


def test_every_check_is_made_somewhere() -> None:
    made = pl.concat([reclaim.validate(trials) for trials in ANSWERED.values()])
    assert set(made["check"]) == set(BREAKS)


def test_checks_that_memories_from_elsewhere_cannot_have_are_left_out() -> None:
    # The reader goes by the note; nothing says what budget it had.
    trials = ANSWERED["noise"].drop("budget").filter(policy="source-first")
    assert "decoys crowd the source out" not in reclaim.validate(trials)["check"].to_list()
    checks = reclaim.validate(ANSWERED["size"].filter(budget=300).drop("budget"))
    assert checks["holds"].all()
    assert not checks["check"].str.contains("cliff").any()
    checks = reclaim.validate(ANSWERED["depth"].drop("asides"))
    assert not checks["check"].str.contains("directed").any()


def rewritten(items: list[int], pattern: str) -> pl.DataFrame:
    orders = reclaim.ledgers(8, items=items)
    line = r"([0-9]+) ([a-z]+) at \$([0-9]+) each"
    notes = orders.select(
        "pid",
        "store",
        "n_items",
        policy=pl.lit("rewriting"),
        note=pl.format("Order: {}. Total: ${}.", pl.col("source").str.replace_all(line, pattern),
                       pl.col("drift").cast(pl.Int64)),
    )  # fmt: skip
    return reclaim.plan(orders, notes, reclaim.corrections(orders, arms=["directed"]), seeds=1)


@pytest.mark.parametrize(
    "pattern", ["$1 x $$$3 ($2)", "$2: $1 @ $$$3.00", "$1 $2 ($$$3 per piece)"]
)
def test_a_source_in_other_words_is_a_whole_source(pattern: str) -> None:
    plan = rewritten([4, 16], pattern)
    trials = reclaim.scored(reclaim.deterministic(plan))
    assert trials["n_kept"].to_list() == [0] * 16
    assert trials["complete"].all()
    assert trials["recovered"].all()
    assert not trials["partial"].any()
    assert reclaim.validate(trials)["holds"].all()
    memories = plan.select("pid", "store", "n_items", "policy", "note")
    held = reclaim.contents(memories, reclaim.ledgers(8, items=[4, 16]))
    assert held.filter(quantity="complete")["estimate"].to_list() == [1.0, 1.0]
    # A lossy note that holds all of it in other words is not one that the claim is about.
    lossy = trials.with_columns(policy=pl.lit("lossy"))
    blank = trials.with_columns(policy=pl.lit("blank"))
    with pytest.raises(DesignError, match="hold nothing of the source"):
        reclaim.kill_conditions(pl.concat([lossy, blank]), by=None)
    checks = dict(reclaim.validate(lossy).select("check", "holds").iter_rows())
    assert not checks["lossy notes at the wall hold no part of the source"]


def test_a_source_in_other_words_of_which_a_part_is_gone_is_not_whole() -> None:
    plan = rewritten([4], "$1 x $$$3 ($2)").with_columns(
        note=pl.col("note").str.replace(r"[0-9]+ x [^;]*; ", "")
    )
    trials = reclaim.scored(reclaim.deterministic(plan))
    assert not trials["complete"].any()
    assert set(trials["outcome"]) == {"abstained"}
    # Nor is one whose line items are off by a unit.
    off = rewritten([4], "$1 x $$$3.01 ($2)")
    trials = reclaim.scored(reclaim.deterministic(off))
    assert set(trials["outcome"]) == {"abstained"}
    assert not trials["complete"].any()
    # Without the source nothing tells that the line items are the same.
    alone = reclaim.deterministic(rewritten([4], "$1 x $$$3 ($2)").drop("source"))
    assert set(reclaim.scored(alone)["outcome"]) == {"abstained"}


def test_cents_are_not_lost() -> None:
    source = ["7 pens at $4.25 each", "2 jars at $9 each"]
    plan = pl.DataFrame({"note": ["; ".join(source)], "source_items": [source]})
    assert reclaim.deterministic(plan)["reply"].item().endswith("ANSWER: 47.75")


@pytest.mark.parametrize("check", BREAKS)
def test_every_check_can_fail(check: str) -> None:
    name, broken = BREAKS[check]
    checks = reclaim.validate(broken(ANSWERED[name]))
    assert not checks.filter(check=check)["holds"].item()


PADDED = "padded lossy notes are as long as source-first"
CLIFF = "larger sources fall off a cliff"
CROWD = "decoys crowd the source out"
WINDOW = "in one conversation a directed correction beats a generic one"
EXACTLY = "source-first recovers the truth exactly where the source fits"
SIZE, DECOYS = pl.col("n_items"), pl.col("n_decoys")
FIRST_STORES = pl.col("store").is_in(["store-0000", "store-0001"])
# Which trials recover the truth, where all others abstain, and what a check says of that.
EDGES = {
    "more than fits": (EXACTLY, "size", pl.lit(True), False),
    "candidates are known by name": (
        "blank notes recover nothing", "guess-floor", pl.col("policy") == "options-only", False,
    ),
    "the larger ones fit": (CLIFF, "size", SIZE >= 20, False),
    "a small one fails now and then": (
        CLIFF, "size", (SIZE <= 8) & ((SIZE > 2) | FIRST_STORES), True,
    ),
    "a cliff of one step": (CLIFF, "size", SIZE <= 24, True),
    "decoys help for once": (CROWD, "noise", DECOYS.is_in([0, 12]), False),
    "decoys help no more": (CROWD, "noise", DECOYS <= 2, True),
    "both corrections help as little": (WINDOW, "depth", pl.lit(False), False),
    "directed ones help at one depth": (
        WINDOW, "depth", (pl.col("arm") == "directed") & (pl.col("depth") == 1), False,
    ),
    "directed ones help some": (
        WINDOW, "depth", (pl.col("arm") == "directed") & (pl.col("pid") < "purchase-0003"), True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("edge", EDGES)
def test_checks_hold_up_to_their_edge_and_no_further(edge: str) -> None:
    check, design, right, holds = EDGES[edge]
    truth = pl.format("ANSWER: {}", "truth")
    reply = pl.when(right).then(truth).otherwise(pl.lit("ANSWER: unknown"))
    checks = reclaim.validate(rescored(ANSWERED[design], reply=reply))
    assert checks.filter(check=check)["holds"].item() is holds


def test_a_padded_note_is_as_long_to_the_character() -> None:
    trials = ANSWERED["size"].filter(pl.col("policy").is_in(["source-first", "lossy-padded"]))
    kept = pl.col("note").filter(policy="source-first").first().over("pid", "budget", "seed")
    for cut, holds in ((0, True), (1, False)):
        length = kept.str.len_chars().cast(pl.Int64) - cut
        padded = pl.lit("x").repeat_by(length).list.join("")
        note = pl.when(policy="lossy-padded").then(padded).otherwise("note")
        checks = reclaim.validate(trials.with_columns(note=note))
        assert checks.filter(check=PADDED)["holds"].item() is holds


@pytest.mark.parametrize(("integrity", "holds"), [(0.6, True), (0.3, False), (0.1, False)])
def test_the_wall_begins_where_a_lossy_note_drops_its_source(integrity: float, holds: bool) -> None:
    whole = pl.concat_str("note", pl.lit(" "), pl.col("source_items").list.first())
    here = (pl.col("integrity") == integrity) & (pl.col("policy") == "lossy")
    note = pl.when(here).then(whole).otherwise("note")
    checks = reclaim.validate(rescored(ANSWERED["wall"], note=note))
    broken = checks.filter(check="lossy notes at the wall hold no part of the source")
    assert broken["holds"].item() is holds


def test_the_anchored_reader_is_helped_by_a_directed_correction_only() -> None:
    trials = reclaim.scored(reclaim.read(reclaim.design("wall", n=32, seeds=1), slip=0.0))
    window = trials.filter(pl.col("integrity") >= 0.6, policy="source-first")
    shares = dict(window.group_by("arm").agg(pl.col("recovered").mean()).iter_rows())
    assert shares == {"generic": 0.0, "directed": 1.0}


# --- tables


def test_notes_that_hold_nothing_are_at_no_boundary() -> None:
    assert set(reclaim.tables(ANSWERED["size"])["boundary"]["policy"]) == {"source-first"}


def test_orders_of_one_store_are_one_cluster() -> None:
    orders = reclaim.ledgers(8, items=[4, 16])
    notes = reclaim.ledger_notes(orders, policies=["lossy", "blank"])
    plan = reclaim.plan(orders, notes, reclaim.corrections(orders), seeds=2)
    verdict = reclaim.kill_conditions(reclaim.scored(reclaim.disposed(plan)), by=None)
    assert verdict.select("n_pairs", "n_clusters").row(0) == (8 * 2 * 2 * 2, 8)


def test_tables_count_every_trial() -> None:
    trials = ANSWERED["noise"]
    tables = reclaim.tables(trials)
    assert set(tables) == {
        "reclaim", "wrong", "failures", "outcomes", "boundary", "reclaim_against",
    }  # fmt: skip
    rates = tables["failures"].pivot(
        "outcome", index=["policy", "n_decoys", "arm"], values="estimate"
    )
    assert (rates.drop("policy", "n_decoys", "arm").sum_horizontal() - 1.0).abs().max() < 1e-12
    assert tables["reclaim"]["n"].sum() == trials.height
    assert tables["reclaim"]["n_clusters"].unique().to_list() == [4]
    counts = tables["outcomes"].select("recovered", "inherited", "novel", "abstained", "n_missing")
    assert counts.sum_horizontal().sum() == trials.height
    assert tables["reclaim_against"]["baseline_level"].unique().to_list() == ["lossy-padded"]
    wall = reclaim.tables(ANSWERED["wall"])
    assert wall["wrong_against_blank"]["n_pairs"].sum() == ANSWERED["wall"].height * 3 // 4
    assert wall["reclaim_against"].filter(integrity=0.1, treatment_level="source-first")[
        "difference"
    ].to_list() == [1.0, 1.0]


def test_scored_names_what_is_missing() -> None:
    with pytest.raises(ColumnError, match="no column 'reply'"):
        reclaim.scored(PLAN)


def test_kill_conditions_say_which_models_carry_the_claim() -> None:
    plan = reclaim.design("wall", n=24, seeds=2)
    parts = []
    for model, inherits in (("bold", 1.0), ("half", 0.5), ("careful", 0.0)):
        trials = reclaim.disposed(plan, inherits=inherits, confabulates=0.0)
        parts.append(trials.insert_column(0, pl.lit(model).alias("model")))
    # One that makes numbers up where nothing is kept, and abstains under a stale value.
    backwards = pl.when(policy="blank").then(pl.lit("ANSWER: 7")).otherwise(pl.lit("unknown"))
    parts.append(parts[0].with_columns(model=pl.lit("backwards"), reply=backwards))
    trials = reclaim.scored(pl.concat(parts))
    found = reclaim.kill_conditions(trials)
    assert dict(found.select("model", "verdict").iter_rows()) == {
        "bold": "carries",
        "half": "carries",
        "careful": "undecided",
        "backwards": "breaks",
    }
    # Two integrities at the wall, two arms, two seeds.
    assert found["n_pairs"].to_list() == [24 * 2 * 2 * 2] * 4
    assert found["n_clusters"].to_list() == [24] * 4
    with pytest.raises(DesignError, match="'blank'"):
        reclaim.kill_conditions(trials.filter(pl.col("policy") != "blank"))


def test_two_of_four_models_of_the_reference_data_carry_the_claim(reference: Path) -> None:
    verdicts = {
        "blank_strict_claude-sonnet-4-6": "undecided",
        "blank_strict_deepseek_deepseek-chat": "carries",
        "blank_strict_llama": "carries",
        "blank_strict_openai_gpt-4o-mini": "undecided",
    }
    folder = reference / "data" / "reclaim-eval"
    frames = [
        pl.read_ndjson(folder / f"{model}.jsonl").select(
            pl.lit(model).alias("model"),
            "pid",
            "policy",
            "seed",
            wrong=pl.col("bucket") == "emit",
            n_kept=pl.lit(0),
            complete=pl.lit(False),
        )
        for model in verdicts
    ]
    found = reclaim.kill_conditions(pl.concat(frames))
    assert dict(found.select("model", "verdict").iter_rows()) == verdicts
    counts = json.loads((folder / "expected.json").read_text())["blank_vs_lossy"]
    for row in found.iter_rows(named=True):
        assert (row["n_pairs"], row["n_clusters"]) == (96, 32)
        assert round(96 * row["treatment"]) == counts[row["model"]]["lossy"].get("emit", 0)
        assert round(96 * row["baseline"]) == counts[row["model"]]["blank"].get("emit", 0)


# --- figures and the command


def test_figures_have_a_curve_for_each_policy() -> None:
    figures = reclaim.figures(ANSWERED["size"])
    assert list(figures) == ["n_items"]
    assert figures["n_items"].count("<polyline") == 4
    assert reclaim.figures(ANSWERED["corrections"]) == {}


def test_the_command_goes_from_nothing_to_tables_and_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    words = ["study", "reclaim", "--design", "wall", "--problems", "4", "--output", str(folder)]
    assert main(words) == 0
    shown = capsys.readouterr()
    assert "- holds: without its source no reply recovers the truth" in shown.out
    assert "FAILS" not in shown.out
    assert "384 trials" in shown.err
    written = {path.name for path in folder.iterdir()}
    assert written >= {"trials.parquet", "reclaim.csv", "checks.md", "integrity-directed.svg"}
    assert pl.read_parquet(folder / "trials.parquet").height == 384
    assert main(words) == 2
    assert "not empty" in capsys.readouterr().err
    assert (
        main(["study", "reclaim", "--reader", "confabulating", "--quiet", "--problems", "2"]) == 0
    )
    assert capsys.readouterr().err == ""
