"""Times of real dialogues, in the format of MultiWOZ 2.2, on dialogues made up here."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from reclaimstats.errors import OptionError, ParseError
from reclaimstats.studies import reclaim


def turn(said: str, speaker: str = "USER", **slots: list[str]) -> dict[str, Any]:
    values = {name.replace("_", "-"): value for name, value in slots.items()}
    return {"speaker": speaker, "utterance": said, "frames": [{"state": {"slot_values": values}}]}


DIALOGUES = {
    "plain": [turn("A table at 18:30 please", restaurant_booktime=["18:30"])],
    "short": [turn("leaving after 9:05 ", train_leaveat=["09:05"])],
    "later": [
        turn("I need a train.", train_day=["monday"]),
        turn("At noon.", train_leaveat=["12:00"]),
        turn("which one leaves at 12:00?", "SYSTEM"),
        turn("and a taxi by 13:45", train_leaveat=["12:00"], taxi_arriveby=["13:45"]),
    ],
    "in words only": [turn("at noon", train_leaveat=["12:00"])],
    "no time": [turn("after 24:30", train_leaveat=["24:30"])],
    "two times": [turn("between 10:00 and 11:00", train_leaveat=["10:00"])],
    "another time": [turn("at 10:15", train_leaveat=["10:00"])],
    "said by the system": [turn("At 10:15?", "SYSTEM", train_leaveat=["10:15"])],
    "part of a number": [turn("room 110:15", train_leaveat=["10:15"])],
    "no frames": [{"speaker": "USER", "utterance": "at 10:15"}],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "dialogues.json"
    rows = [{"dialogue_id": name, "turns": turns} for name, turns in DIALOGUES.items()]
    file.write_text(json.dumps(rows))
    return file


def test_only_times_that_were_said_are_taken(path: Path) -> None:
    found = reclaim.bookings(path)
    assert found.select("pid", "slot", "source", "truth").rows() == [
        ("plain", "restaurant-booktime", "A table at 18:30 please", "18:30"),
        ("short", "train-leaveat", "leaving after 9:05", "09:05"),
        ("later", "taxi-arriveby", "and a taxi by 13:45", "13:45"),
    ]
    for truth, drift in found.select("truth", "drift").iter_rows():
        assert drift[2:] == truth[2:]
        hours = (int(drift[:2]) - int(truth[:2])) % 24
        assert 2 <= min(hours, 24 - hours) <= 5


def test_a_dialogues_row_does_not_depend_on_the_others(path: Path, tmp_path: Path) -> None:
    one = tmp_path / "one.json"
    one.write_text(json.dumps([{"dialogue_id": "short", "turns": DIALOGUES["short"]}]))
    assert_frame_equal(reclaim.bookings(one), reclaim.bookings(path)[1:2])
    assert reclaim.bookings([path, one]).height == 4
    assert reclaim.bookings([path, one], n=2).height == 2
    drifts = {reclaim.bookings(one, seed=seed)["drift"].item() for seed in range(20)}
    assert len(drifts) > 4


def test_the_wall_stands_on_times_too(path: Path) -> None:
    asked = reclaim.bookings(path)
    notes = reclaim.notes(asked, integrities=[0.1])
    plan = reclaim.plan(asked, notes, reclaim.corrections(asked))
    assert "HH:MM" in plan["messages"][0][0]["content"]
    assert plan["messages"][0][1]["content"].startswith("What is the restaurant booking time?")
    trials = reclaim.scored(reclaim.deterministic(plan))
    shares = trials.group_by("policy").agg(pl.col("recovered").mean()).sort("policy").rows()
    assert shares == [("blank", 0), ("lossy", 0), ("lossy-padded", 0), ("source-first", 1)]
    assert reclaim.validate(trials)["holds"].all()
    inherited = reclaim.scored(reclaim.disposed(plan, inherits=1.0, confabulates=0.0))
    assert set(inherited.filter(policy="lossy")["outcome"]) == {"inherited"}
    invented = reclaim.scored(reclaim.disposed(plan, inherits=0.0, confabulates=1.0))
    assert invented.filter(policy="blank")["answer"].null_count() == 0


def test_the_reader_goes_by_what_the_customer_said(path: Path) -> None:
    asked = reclaim.bookings(path)
    notes = reclaim.notes(asked, policies=["lossy"], integrities=[1.0])
    assert notes["note"].str.starts_with("Confirmed ").all()
    arms = reclaim.corrections(asked, arms=["generic"])
    trials = reclaim.scored(reclaim.deterministic(reclaim.plan(asked, notes, arms, seeds=1)))
    assert trials["recovered"].all()


def test_files_are_checked(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("[{")
    with pytest.raises(ParseError, match="not JSON"):
        reclaim.bookings(broken)
    broken.write_text('{"a": 1}')
    with pytest.raises(ParseError, match="not a list of dialogues"):
        reclaim.bookings(broken)
    with pytest.raises(OptionError, match="n=0"):
        reclaim.bookings(broken, n=0)
    broken.write_text("[]")
    assert reclaim.bookings(broken).height == 0


def test_replies_of_the_reference_data_are_scored_as_its_harness_did_but_for_one(
    reference: Path,
) -> None:
    folder = reference / "data" / "reclaim-eval"
    truths = (
        pl.read_ndjson(folder / "multiwoz_llama.jsonl")
        .select(pid="dialogue_id", slot="slot", truth="true", drift="drift")
        .unique()
    )
    replies = pl.read_ndjson(folder / "multiwoz_failmode_llama.jsonl").rename(
        {"dialogue_id": "pid"}
    )
    trials = reclaim.scored(
        replies.join(truths, on="pid", how="left").with_columns(
            note=pl.lit(""), source_items=pl.lit(["x"], dtype=pl.List(pl.String))
        )
    )
    names = {"correct": "recovered", "inherit": "inherited", "abstain": "abstained"}
    stored = pl.col("bucket").replace(names)
    differing = trials.filter(pl.col("outcome").cast(pl.String) != stored)
    assert trials.height == 180
    # The harness does not look into angle brackets; its own rule calls the reply an abstention.
    (row,) = differing.select("bucket", "outcome", "answer", "reply").rows()
    assert row[:3] == ("abstain", "novel", "14:00")
    assert row[3].endswith("ANSWER: <14:00>")
