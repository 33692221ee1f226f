"""Chains in which memory feeds memory, answered by a reader without a model."""

import json
import re
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from reclaimstats.cli import main
from reclaimstats.errors import OptionError
from reclaimstats.studies import reclaim, run
from reclaimstats.studies.running import Messages

DESIGN = reclaim.cascade(4, hops=[1, 2, 8, 16], seeds=2, seed=3)
ASKED: list[Messages] = []


def recorded(conversations: list[Messages]) -> list[str]:
    ASKED.extend(conversations)
    return reclaim.follow(conversations)


ANSWERED = run(DESIGN, recorded, store=None)
CHAINS = DESIGN.scored(ANSWERED)


def means(column: str, **cell: object) -> dict[int, float]:
    cells = CHAINS.filter(**cell).group_by("hops").agg(pl.col(column).mean()).sort("hops")
    return dict(cells.iter_rows())


def test_every_chain_has_its_steps_and_corrections() -> None:
    assert ANSWERED.height == 4 * 3 * 2 * 2 * (16 + 4)
    assert ANSWERED["reply"].null_count() == 0
    assert CHAINS.height == 4 * 3 * 2 * 2 * 4


def test_without_an_error_nothing_goes_wrong() -> None:
    for policy in ("lossy", "lossy-padded"):
        assert means("blast", policy=policy, planted=False) == {1: 0, 2: 0, 8: 0, 16: 0}
        assert means("recovered", policy=policy, planted=False) == {1: 1, 2: 1, 8: 1, 16: 1}


def test_an_error_in_a_lossy_memory_spreads_and_stays() -> None:
    for policy in ("lossy", "lossy-padded"):
        assert means("blast", policy=policy, planted=True) == {1: 1, 2: 2, 8: 8, 16: 16}
        assert means("recovered", policy=policy, planted=True) == {1: 0, 2: 0, 8: 0, 16: 0}


def test_source_first_holds_until_its_budget_ends() -> None:
    roomy = reclaim.cascade(4, hops=[1, 2, 8, 16], policies=["source-first"], budget=5000)
    chains = roomy.scored(run(roomy, reclaim.follow, store=None))
    assert set(chains.filter("planted")["blast"]) == {1}
    assert set(chains.filter(~pl.col("planted"))["blast"]) == {0}
    assert chains["recovered"].all()
    # 200 characters hold 7 to 9 purchases.
    assert means("recovered", policy="source-first", planted=True)[2] == 1
    assert means("recovered", policy="source-first", planted=True)[16] == 0
    assert means("blast", policy="source-first", planted=False)[8] == 0
    assert means("blast", policy="source-first", planted=False)[16] > 4


def test_a_lossy_note_names_no_purchase_and_padding_is_as_long() -> None:
    lengths: dict[str, list[int]] = {}
    for policy in reclaim.CASCADE_POLICIES:
        design = reclaim.cascade(2, hops=[6], policies=[policy], planted=[True], seeds=1)
        asked: list[Messages] = []

        def respond(conversations: list[Messages], asked: list[Messages] = asked) -> list[str]:
            asked.extend(conversations)
            return reclaim.follow(conversations)

        run(design, respond, store=None, max_concurrency=1)
        lengths[policy] = []
        for messages in asked:
            note = messages[0]["content"].rpartition("Memory: ")[2]
            if policy.startswith("lossy"):
                assert " at $" not in note
            if "beginning" not in note:
                lengths[policy].append(len(note))
    assert len({len(found) for found in lengths.values()}) == 1
    for padded, kept in zip(lengths["lossy-padded"], lengths["source-first"], strict=True):
        assert padded > kept
    assert max(lengths["source-first"]) <= 200


def test_a_lossy_note_holds_the_total_as_it_was_answered() -> None:
    design = reclaim.cascade(1, hops=[2], policies=["lossy"], planted=[False], seeds=1)
    seen = []

    def respond(conversations: list[Messages]) -> list[str]:
        seen.append(conversations[0][0]["content"].rpartition("Memory: ")[2])
        return ["ANSWER: 12.5"] if len(seen) == 1 else ["no idea"]

    run(design, respond, store=None)
    assert seen == [
        "This is the beginning.",
        "Running total: $12.5.",
        "The running total could not be settled.",
    ]


def test_what_is_missing_is_null(tmp_path: Path) -> None:
    some = run(DESIGN, reclaim.follow, store=tmp_path / "r.jsonl", max_calls=100)
    chains = DESIGN.scored(some)
    assert chains.height == CHAINS.height
    assert chains["blast"].null_count() > 0
    whole = DESIGN.scored(run(DESIGN, reclaim.follow, store=tmp_path / "r.jsonl"))
    assert_frame_equal(whole, CHAINS)


def test_tables_have_stores_as_clusters() -> None:
    tables = DESIGN.tables(CHAINS)
    for name, estimate in (("blast", 8.0), ("reclaim", 0.0)):
        row = tables[name].filter(policy="lossy", planted=True, hops=8).row(0, named=True)
        assert (row["n"], row["n_clusters"], row["estimate"]) == (8, 4, estimate)
        assert tables[name].height == 3 * 2 * 4


def test_figures_have_bands_for_each_policy() -> None:
    figures = DESIGN.figures(CHAINS)
    assert list(figures) == [
        "blast-planted", "blast-control", "reclaim-planted", "reclaim-control",
    ]  # fmt: skip
    for figure in figures.values():
        assert figure.count("<polyline") == figure.count("<polygon") == 3


# --- validators: each holds, and each is seen to fail

BREAKS = {
    "a planted premise drifts its chain": {"blast": 0},
    "without an error no step goes wrong while notes hold what they need": {"blast": 1},
    "a lossy chain is never corrected": {"recovered": True},
    "a source-first chain is corrected exactly where all purchases fit": {"recovered": True},
}


def test_the_checks_of_chains_hold() -> None:
    checks = reclaim.validate(CHAINS)
    assert set(checks["check"]) == set(BREAKS)
    assert checks["holds"].all()
    assert checks["n"].min() > 0  # type: ignore[operator]
    # Chains of both kinds are looked at: whole ones, and such as outgrow the budget.
    assert CHAINS.filter(policy="source-first")["complete"].n_unique() == 2
    assert not CHAINS.filter(pl.col("policy") != "source-first")["complete"].any()


@pytest.mark.parametrize("check", BREAKS)
def test_every_check_can_fail(check: str) -> None:
    checks = reclaim.validate(CHAINS.with_columns(**BREAKS[check]))
    assert not checks.filter(check=check)["holds"].item()


CONTROL = "without an error no step goes wrong while notes hold what they need"
CORRECTED = "a source-first chain is corrected exactly where all purchases fit"


@pytest.mark.parametrize(
    ("check", "column", "planted", "policy", "complete", "holds"),
    [
        (CONTROL, "blast", False, "source-first", True, False),
        (CONTROL, "blast", False, "source-first", False, True),
        (CONTROL, "blast", False, "lossy", False, False),
        (CONTROL, "blast", False, "lossy-padded", False, False),
        (CONTROL, "blast", True, "lossy", False, True),
        (CORRECTED, "recovered", True, "source-first", True, False),
        (CORRECTED, "recovered", True, "source-first", False, False),
        (CORRECTED, "recovered", False, "source-first", True, True),
    ],
)
def test_checks_of_chains_hold_up_to_their_edge(
    check: str, column: str, planted: bool, policy: str, complete: bool, holds: bool
) -> None:
    here = (pl.col("planted") == planted) & (pl.col("policy") == policy)
    here &= pl.col("complete") == complete
    other = pl.col("blast") + 1 if column == "blast" else ~pl.col("recovered")
    assert CHAINS.filter(here).height > 0
    broken = CHAINS.with_columns(pl.when(here).then(other).otherwise(column).alias(column))
    checks = reclaim.validate(broken)
    assert checks.filter(check=check)["holds"].item() is holds


def test_a_loop_that_errs_by_itself_breaks_the_control() -> None:
    """Mutations of the reader instead of the result: it miscounts, or takes no premise."""

    def miscounts(conversations: list[Messages]) -> list[str]:
        return [f"{reply}1" for reply in reclaim.follow(conversations)]

    def deaf(conversations: list[Messages]) -> list[str]:
        heard = [
            [
                message | {"content": re.sub(r"An earlier tally[^.]*\.", "", message["content"])}
                for message in messages
            ]
            for messages in conversations
        ]
        return reclaim.follow(heard)

    for reader, broken in (
        (miscounts, "without an error no step goes wrong while notes hold what they need"),
        (deaf, "a planted premise drifts its chain"),
    ):
        checks = reclaim.validate(DESIGN.scored(run(DESIGN, reader, store=None)))
        assert not checks.filter(check=broken)["holds"].item()


@pytest.mark.parametrize(
    "wrong",
    [{"hops": [0]}, {"hops": []}, {"policies": ["blank"]}, {"planted": [1]}, {"budget": 9}],
)
def test_options_are_checked(wrong: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        reclaim.cascade(**wrong)  # type: ignore[arg-type]


def test_blast_of_the_reference_data_counts_steps_without_the_right_total(reference: Path) -> None:
    folder = reference / "data" / "reclaim-eval"
    rows = pl.read_ndjson(folder / "cascade_meta-llama_llama-3.1-8b-instruct.jsonl")
    wrong = rows["per_hop"].list.eval(~pl.element()).list.sum()
    assert wrong.cast(pl.Int64).equals(rows["blast"].cast(pl.Int64), check_names=False)
    cells = rows.group_by("H", "policy", "planted").agg(
        pl.col("blast").mean(), pl.col("reclaim").mean()
    )
    # The control is not at 0 as printed: docs/reproduction.md.
    errs = cells.filter(~pl.col("planted"), pl.col("blast") > 0).sort("policy", "H")
    assert [(policy, hops, round(blast, 2)) for hops, policy, _, blast, _ in errs.rows()] == [
        ("padded", 8, 0.25),
        ("source_first", 2, 0.25),
        ("source_first", 4, 0.83),
        ("source_first", 8, 4.25),
    ]
    expected = json.loads((folder / "expected.json").read_text())["cascade"]
    assert len(expected) == cells.height
    for cell in expected:
        found = cells.filter(H=cell["H"], policy=cell["policy"], planted=cell["planted"])
        assert found["blast"].item() == cell["blast_mean"]
        assert found["reclaim"].item() == cell["reclaim"]


def test_the_command_prints_the_chains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["study", "reclaim", "--design", "cascade", "--problems", "2", "--seeds", "1"]
    assert main([*words, "--quiet", "--output", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr()
    assert "that the error reached" in shown.out
    assert "FAILS" not in shown.out
    assert shown.err == ""
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {
        "chains.parquet", "blast.md", "reclaim.csv", "checks.md", "blast-planted.svg",
    }  # fmt: skip
    assert main([*words, "--reader", "summing"]) == 2
    assert "deterministic" in capsys.readouterr().err


def test_a_note_of_exactly_the_budget_is_whole() -> None:
    def notes(budget: int) -> list[str]:
        design = reclaim.cascade(
            1, hops=[8], policies=["source-first"], planted=[False], seeds=1, budget=budget
        )
        rows = design.steps.sort("corrects", "step")
        return rows["kept"].to_list()

    whole = notes(10_000)
    for place, note in enumerate(whole):
        if len(note) > 80:
            assert notes(len(note))[place] == note
            shorter = notes(len(note) - 1)[place]
            assert len(shorter) < len(note)
            assert shorter.partition(": ")[2] == note.partition("; ")[2]
    assert max(map(len, whole)) > 160
