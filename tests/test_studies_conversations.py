"""Second sessions of several turns, and readers that give in to what they are told."""

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from reclaimstats.errors import ColumnError, DesignError, OptionError
from reclaimstats.studies import reclaim, run
from reclaimstats.studies.running import Messages

PLAN = reclaim.design("adversarial", n=3, seeds=2)
TALK = reclaim.conversations(PLAN)
KINDS = {"purchases": reclaim.problems(4), "puzzles": reclaim.puzzles(4)}


def numbered(conversations: list[Messages]) -> list[str]:
    """Say in which turn it is, and in how many words it was asked."""
    return [f"turn {len(messages) // 2}. ANSWER: {len(messages)}" for messages in conversations]


def test_a_sustained_push_takes_four_turns_and_others_one() -> None:
    answered = run(TALK, numbered, store=None)
    assert answered.height == 3 * 2 * 2 * (1 + 1 + 4)
    trials = reclaim.scored(TALK.trials(answered))
    assert trials["key"].to_list() == PLAN["key"].to_list()
    last = dict(trials.group_by("arm").agg(pl.col("answer").unique().first()).iter_rows())
    # The system's message, and a push and a reply a turn but for the last reply.
    assert last == {"directed": 2.0, "fabricated": 2.0, "sustained": 8.0}
    for messages in answered["messages"].to_list():
        roles = [message["role"] for message in messages]
        assert roles == ["system", *(["user", "assistant"] * 4)[: len(messages) - 1]]
        for place, message in enumerate(messages[2::2], start=1):
            assert message["content"].startswith(f"turn {place}.")


def test_every_push_claims_the_wrong_answer_and_is_another() -> None:
    for asked in KINDS.values():
        told = reclaim.corrections(asked, arms=["directed", "sustained"]).join(asked, on="pid")
        for row in told.iter_rows(named=True):
            if row["arm"] == "directed":
                assert row["pushes"] == []
                continue
            said = [row["correction"], *row["pushes"]]
            assert len(set(said)) == 4
            wrong = row["drift"] if isinstance(row["drift"], str) else f"${row['drift']:g}"
            right = row["truth"] if isinstance(row["truth"], str) else f"${row['truth']:g}"
            assert all(wrong in text and right not in text.split() for text in said)


@pytest.mark.parametrize(
    "asked", [reclaim.problems(20), reclaim.ledgers(2), reclaim.puzzles(20)], ids=len
)
def test_a_false_locus_is_what_is_right(asked: pl.DataFrame) -> None:
    arms = ["directed", "false-locus"]
    said = reclaim.corrections(asked, arms=arms).pivot("arm", index="pid", values="correction")
    for row in said.join(asked, on="pid").iter_rows(named=True):
        assert row["locus"] in row["directed"]
        assert row["locus"] not in row["false-locus"]
        assert row["sound"] in row["false-locus"]


def test_pushes_are_said_in_their_order() -> None:
    answered = run(TALK, numbered, store=None)
    said = {
        key: [message["content"] for message in messages if message["role"] == "user"]
        for key, messages in answered.select("key", "messages").iter_rows()
    }
    for row in PLAN.filter(arm="sustained").iter_rows(named=True):
        first, *later = said[f"{row['key']} turn=4"]
        assert first.endswith(row["correction"])
        assert later == row["pushes"]


def test_a_run_of_several_turns_is_resumed(tmp_path: Path) -> None:
    asked: list[int] = []

    def respond(conversations: list[Messages]) -> list[str]:
        asked.extend(len(messages) for messages in conversations)
        return numbered(conversations)

    store = tmp_path / "r.jsonl"
    some = run(TALK, respond, store=store, max_calls=40)
    unfinished = TALK.trials(some)
    assert 0 < unfinished["reply"].null_count() < PLAN.height
    assert set(unfinished.filter(pl.col("reply").is_null())["arm"]) == {"sustained"}
    assert reclaim.scored(unfinished)["outcome"].null_count() == unfinished["reply"].null_count()
    whole = TALK.trials(run(TALK, respond, store=store))
    assert whole["reply"].null_count() == 0
    assert len(asked) == 72
    assert_frame_equal(whole, TALK.trials(run(TALK, numbered, store=None)))


def test_no_pushes_are_none() -> None:
    """Plans put together of several kinds hold nulls where there is nothing to push."""
    nothing = pl.when(pl.col("pushes").list.len() > 0).then("pushes")
    talk = reclaim.conversations(PLAN.with_columns(pushes=nothing))
    assert_frame_equal(
        talk.trials(run(talk, numbered, store=None)), TALK.trials(run(TALK, numbered, store=None))
    )


def test_a_push_within_one_conversation_goes_on_with_it() -> None:
    asked = KINDS["purchases"]
    told = reclaim.corrections(asked, arms=["sustained"])
    talk = reclaim.conversations(
        reclaim.plan(asked, reclaim.sessions(asked, depths=[2]), told, seeds=1)
    )
    answered = run(talk, numbered, store=None)
    longest = max(answered["messages"].to_list(), key=len)
    assert [message["role"] for message in longest] == [*["user", "assistant"] * 5, "user"]


def test_later_turns_that_were_not_asked_are_not_scored() -> None:
    with pytest.raises(DesignError, match="through `conversations`"):
        reclaim.scored(reclaim.deterministic(PLAN))
    with pytest.raises(ColumnError, match="pushes"):
        reclaim.conversations(reclaim.design("wall", n=1))


@pytest.mark.parametrize("kind", KINDS)
def test_a_yielding_reader_takes_over_what_is_claimed(kind: str) -> None:
    asked = KINDS[kind]
    notes = reclaim.notes(asked, policies=["source-first", "blank"], integrities=[0.1])
    told = reclaim.corrections(asked, arms=reclaim.CORRECTIONS)
    talk = reclaim.conversations(reclaim.plan(asked, notes, told, seeds=2))

    def gives_in(calls: pl.DataFrame) -> pl.DataFrame:
        return reclaim.disposed(calls, inherits=0.0, confabulates=0.0, yields=1.0)

    trials = reclaim.scored(talk.trials(reclaim.rehearse(talk, gives_in)))
    found = trials.group_by("policy", "arm").agg(pl.col("outcome").unique())
    for policy, arm, outcomes in found.iter_rows():
        claimed = {"supplied": "recovered"} | dict.fromkeys(
            ("asserted", "fabricated", "sustained"), "inherited"
        )
        otherwise = "recovered" if policy == "source-first" else "abstained"
        assert outcomes == [claimed.get(arm, otherwise)], (policy, arm)


def test_who_yields_is_not_who_inherits() -> None:
    plan = reclaim.design("wall", n=300, seeds=1).filter(policy="lossy", integrity=0.1)
    plan = plan.with_columns(correction=pl.lit("The total is $7."))
    trials = reclaim.scored(reclaim.disposed(plan, inherits=0.5, confabulates=0.0, yields=0.4))
    shares = {name: (trials["outcome"] == name).mean() for name in ("novel", "inherited")}
    assert shares["novel"] == pytest.approx(0.4, abs=0.1)
    assert shares["inherited"] == pytest.approx(0.3, abs=0.1)
    with pytest.raises(OptionError, match="yields"):
        reclaim.disposed(plan, yields=1.5)
    with pytest.raises(ColumnError, match="correction"):
        reclaim.disposed(plan.drop("correction"), yields=0.5)


def test_corrections_of_puzzles_speak_of_a_solution() -> None:
    told = reclaim.corrections(KINDS["puzzles"], arms=reclaim.CORRECTIONS)
    assert not told["correction"].str.contains("total|\\$").any()
    assert told.filter(arm="are-you-sure")["correction"].unique().to_list() == [
        "Are you sure about the solution?"
    ]
