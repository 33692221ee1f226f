"""Puzzles: one answer each, another with the planted clue, and both by brute force."""

import hashlib
import itertools
import re

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from reclaimstats.errors import ColumnError, OptionError
from reclaimstats.studies import reclaim
from reclaimstats.studies.reclaim.puzzles import solved

PUZZLES = {kind: reclaim.puzzles(200, kind=kind, seed=9) for kind in reclaim.PUZZLES}


def last_in(people: list[str], clues: list[str]) -> set[str]:
    pairs = [clue.split(" stands before ") for clue in clues]
    return {
        order[-1]
        for order in itertools.permutations(people)
        if all(order.index(a) < order.index(b) for a, b in pairs)
    }


def owners(people: list[str], things: list[str], thing: str, clues: list[str]) -> set[str]:
    found = set()
    for order in itertools.permutations(things):
        has = dict(zip(people, order, strict=True))
        holds = True
        for clue in clues:
            who, verb, what = re.fullmatch(r"(\w+) (has|does not have) the (\w+)", clue).groups()  # type: ignore[union-attr]
            holds &= (has[who] == what) == (verb == "has")
        if holds:
            found |= {who for who, what in has.items() if what == thing}
    return found


def said(premise: str) -> str:
    return premise.removeprefix("An earlier note says that ").rstrip(".")


def test_orderings_have_one_answer_and_another_with_the_planted_clue() -> None:
    for row in PUZZLES["ordering"].iter_rows(named=True):
        clues = row["source_items"]
        assert last_in(row["options"], clues) == {row["truth"]}
        first, last = said(row["premise"]).split(" stands before ")
        swapped = [clue for clue in clues if clue != f"{last} stands before {first}"]
        assert len(swapped) == len(clues) - 1
        assert last_in(row["options"], [*swapped, said(row["premise"])]) == {row["drift"]}
        assert row["truth"] != row["drift"]
        assert row["locus"] == f"{last} and {first}"


def test_assignments_have_one_answer_and_another_with_the_planted_clue() -> None:
    for row in PUZZLES["assignment"].iter_rows(named=True):
        opening = row["question"].partition(".")[0].partition(" one each of ")[2]
        things = opening.split(", ")
        thing = row["asked"].removeprefix("Who has the ").rstrip("?")
        clues = row["source_items"]
        assert owners(row["options"], things, thing, clues) == {row["truth"]}
        denied = said(row["premise"]).replace(" has ", " does not have ")
        assert denied in clues
        swapped = [clue for clue in clues if clue != denied]
        drift = owners(row["options"], things, thing, [*swapped, said(row["premise"])])
        assert drift == {row["drift"]}
        assert row["truth"] != row["drift"]


@pytest.mark.parametrize("kind", reclaim.PUZZLES)
def test_puzzles_have_the_same_bits_everywhere(kind: str) -> None:
    texts = "\0".join(reclaim.puzzles(100, kind=kind, seed=11)["question"])
    expected = {"ordering": "b89e8ffc81b9a778", "assignment": "ebb68ac340a76a85"}
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == expected[kind]


def test_answers_are_spread_over_places() -> None:
    for rows in PUZZLES.values():
        place = rows.select(
            pl.col("options").list.eval(pl.element().rank("ordinal")).list.len().alias("n"),
            at=pl.struct("options", "truth").map_elements(
                lambda row: row["options"].index(row["truth"]), return_dtype=pl.Int64
            ),
        )
        assert place["at"].value_counts()["count"].min() > 10  # type: ignore[operator]


@pytest.mark.parametrize("kind", reclaim.PUZZLES)
def test_the_first_are_the_same_for_every_number(kind: str) -> None:
    assert_frame_equal(reclaim.puzzles(5, kind=kind, seed=9), PUZZLES[kind].head(5))


@pytest.mark.parametrize("kind", reclaim.PUZZLES)
def test_the_reader_solves_what_its_note_decides(kind: str) -> None:
    rows = PUZZLES[kind]
    asked, options = pl.col("asked"), pl.col("options")
    assert (
        rows.select(solved(pl.col("source"), asked, options) == pl.col("truth")).to_series().all()
    )
    # A premise behind or before the clues is no clue.
    for note in (
        pl.format("{} {}.", "premise", "source"),
        pl.format("{}. {}", "source", "premise"),
    ):
        assert rows.select(solved(note, asked, options) == pl.col("truth")).to_series().all()
    assert rows.select(solved(pl.col("premise"), asked, options)).to_series().null_count() == 200


def test_who_has_it_is_told_exactly_where_all_arrangements_agree() -> None:
    """Any one to three clues that leave an arrangement of three things, against brute force."""
    people, things = ["Ada", "Bo", "Cy"], ["key", "fan", "rope"]
    facts = [f"{who} has the {thing}" for who in people for thing in things]
    denials = [fact.replace(" has ", " does not have ") for fact in facts]
    rows = []
    for count in (1, 2, 3):
        for clues in itertools.combinations([*facts, *denials], count):
            owners = set()
            for order in itertools.permutations(people):
                held = {f"{who} has the {thing}" for who, thing in zip(order, things, strict=True)}
                if all(
                    (clue.replace(" does not have ", " has ") in held) == (clue in facts)
                    for clue in clues
                ):
                    owners.add(order[0])
            if owners:
                rows.append((". ".join(clues), owners.pop() if len(owners) == 1 else None))
    frame = pl.DataFrame(rows, schema=["note", "holder"], orient="row")
    found = frame.with_columns(
        found=solved(pl.col("note"), pl.lit("Who has the key?"), pl.lit(people, pl.List(pl.String)))
    )
    # Never another answer than the only one; more clues may be needed than it combines.
    told = found.filter(pl.col("found").is_not_null())
    wrong = told.filter(pl.col("found").ne_missing(pl.col("holder")))
    assert wrong["note"].to_list() == []
    assert told.height > 0.7 * found["holder"].count()


@pytest.mark.parametrize(
    "note",
    [
        "Ada has the key. Bo has the key.",
        "Ada has the key. Ada has the fan.",
        "Ada has the key. Ada does not have the key.",
        "Ada has the key, Bo has the fan, and Bo does not have the fan.",
    ],
)
def test_whoever_has_two_things_or_shares_one_has_none(note: str) -> None:
    people = pl.lit(["Ada", "Bo", "Cy"], pl.List(pl.String))
    assert pl.select(solved(pl.lit(note), pl.lit("Who has the key?"), people)).item() is None


@pytest.mark.parametrize("kind", reclaim.PUZZLES)
def test_clues_that_contradict_each_other_have_no_answer(kind: str) -> None:
    """All of the source is there, and beside it the planted clue as if it were one."""
    rows = PUZZLES[kind]
    clue = pl.col("premise").str.strip_prefix("An earlier note says that ")
    plan = rows.with_columns(note=pl.format("{}; {}", "source", clue))
    assert set(reclaim.deterministic(plan)["reply"].str.split("ANSWER: ").list.last()) == {
        "unknown"
    }


def test_notes_of_puzzles_keep_what_their_policy_says() -> None:
    rows = PUZZLES["ordering"].head(3)
    notes = reclaim.notes(rows, policies=reclaim.NOTE_POLICIES, integrities=[0.1])
    for policy, note, truth, clue in (
        notes.join(rows, on="pid")
        .select("policy", "note", "drift", pl.col("source_items").list.first())
        .iter_rows()
    ):
        assert (clue in note) == (policy in ("source-first", "source-plus-conclusion"))
        assert (f"Solution: {truth}." in note) == (
            policy in ("lossy", "lossy-padded", "source-plus-conclusion")
        )
    (only,) = reclaim.notes(rows.head(1), policies=["options-only"], integrities=[0.1])["note"]
    assert only == f"It was about one of {', '.join(rows['options'][0])}."
    with pytest.raises(ColumnError, match="options"):
        reclaim.notes(reclaim.problems(1), policies=["options-only"])


def test_plans_of_puzzles_ask_for_a_name() -> None:
    plan = reclaim.design("logic-wall", n=4, seeds=1)
    assert plan.height == 4 * 4 * 4 * 2
    system, user = plan["messages"][0]
    assert "gives one of " in system["content"]
    assert user["content"].startswith(plan["asked"][0])
    assert all("total" not in message["content"] for message in (system, user))


def test_guessers_are_right_by_chance_only() -> None:
    plan = reclaim.design("guess-floor", n=200, seeds=3)
    trials = reclaim.scored(reclaim.disposed(plan, inherits=0.0, confabulates=1.0))
    share = trials["recovered"].mean()
    chance = (1 / trials["options"].list.len()).mean()
    assert share == pytest.approx(chance, abs=0.05)
    floor = reclaim.scored(reclaim.deterministic(plan))
    assert set(floor["outcome"]) == {"abstained"}


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="'riddle'"):
        reclaim.puzzles(1, kind="riddle")
    with pytest.raises(OptionError, match="n=0"):
        reclaim.puzzles(0)
