"""First sessions that commit to a wrong answer, and memory policies tried on them."""

import re

import polars as pl
import pytest

from reclaimstats.errors import OptionError, RunError
from reclaimstats.studies import reclaim
from reclaimstats.studies.reclaim.probes import Policy
from reclaimstats.studies.running import Messages

KINDS = {
    "purchases": reclaim.problems(5),
    "ledgers": reclaim.ledgers(2, items=[2, 6]),
    "puzzles": reclaim.puzzles(4),
}


@pytest.mark.parametrize("kind", KINDS)
def test_sessions_commit_as_often_as_their_depth(kind: str) -> None:
    asked = KINDS[kind]
    held = reclaim.sessions(asked, asides=[0, 5]).join(asked, on="pid")
    assert held.height == asked.height * 4 * 2
    for row in held.iter_rows(named=True):
        roles = [message["role"] for message in row["session"]]
        assert roles == ["user", "assistant"] * (row["depth"] + row["asides"])
        first = row["session"][0]["content"]
        assert row["question"] in first
        assert row["premise"] in first
        wrong = row["drift"] if isinstance(row["drift"], str) else f"${row['drift']:g}"
        committed = [
            message for message in row["session"][1::2] if f"{wrong}." in message["content"]
        ]
        assert len(committed) == row["depth"]
        # Follow-ups ask for nothing to be worked out, and give nothing away.
        later = [message["content"] for message in row["session"][2::2]]
        assert not [text for text in later if re.search(r"[0-9]|again:|check|sure", text)]


def test_the_correction_follows_in_the_same_conversation() -> None:
    plan = reclaim.design("depth", n=2, seeds=1)
    assert plan.height == 2 * 4 * 2
    row = plan.row(0, named=True)
    assert row["messages"][-1]["content"].startswith(row["correction"])
    assert "ANSWER:" in row["messages"][-1]["content"]
    assert [message["role"] for message in row["messages"]] == ["user", "assistant", "user"]
    assert row["note"].splitlines()[1] == f"assistant: Total before tax: ${row['drift']:g}."
    assert plan["key"].n_unique() == plan.height


def test_within_one_conversation_the_anchored_reader_needs_a_directed_correction() -> None:
    trials = reclaim.scored(reclaim.read(reclaim.design("depth"), slip=0.0))
    shares = trials.group_by("arm").agg(pl.col("recovered").mean()).sort("arm").rows()
    assert shares == [("directed", 1.0), ("generic", 0.0)]
    assert list(reclaim.figures(trials)) == ["depth-directed", "depth-generic"]


def keep_all(messages: Messages) -> str:
    return messages[0]["content"]


def conclude(messages: Messages) -> str:
    return messages[-1]["content"]


def forget(_: Messages) -> str:
    return "We talked."


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("policy", "regime", "works_out"),
    [
        (keep_all, "correctable", True),
        (conclude, "uncorrectable_silent", False),
        (forget, "uncorrectable_loud", False),
    ],
)
def test_policies_are_told_apart(kind: str, policy: Policy, regime: str, works_out: bool) -> None:
    probed = reclaim.probe_policy(policy, KINDS[kind], depth=3)
    assert set(probed["regime"]) == {regime}
    assert set(probed["works_out"]) == {works_out}
    assert (probed["n_kept"] == probed["n_items"]).all() == works_out


def test_part_of_a_source_does_not_work_out() -> None:
    def cut(messages: Messages) -> str:
        return messages[0]["content"].partition(";")[0]

    probed = reclaim.probe_policy(cut, KINDS["ledgers"])
    assert set(probed["regime"]) == {"uncorrectable_silent"}
    assert not probed["works_out"].any()
    assert set(probed["n_kept"]) == {1}


def test_what_is_listed_is_worked_out() -> None:
    notes = {
        "7 pens at $4 each and 2 jars at $9 each": 46.0,
        "7 pens at $4 each, again 7 pens at $4 each": 56.0,
        "7 pens at $4": None,
        "": None,
        None: None,
    }
    frame = pl.DataFrame({"note": list(notes)}, schema={"note": pl.String})
    assert frame.select(reclaim.worked_out("note")).to_series().to_list() == list(notes.values())


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="depths=9"):
        reclaim.sessions(KINDS["puzzles"], depths=[9])
    with pytest.raises(RunError, match="compress must return text"):
        reclaim.probe_policy(lambda _: None)  # type: ignore[arg-type, return-value]
