"""Puzzles with one of a few names as the answer: who stands where, and who has what."""

import itertools
import random
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import polars as pl

from reclaimstats.options import choice, integer
from reclaimstats.studies.reclaim.wording import NOTED, PREMISE

__all__ = ["PUZZLES", "puzzles", "solved"]

_T = TypeVar("_T")

PUZZLES = ("ordering", "assignment")

_NAMES = (
    "Ada", "Bo", "Cem", "Dora", "Emil", "Fay", "Gil", "Hana", "Ivo", "June", "Kofi", "Lea", "Milo",
    "Nora", "Otto", "Pia", "Quin", "Rosa", "Sven", "Tess",
)  # fmt: skip
_THINGS = (
    "apple", "bell", "candle", "drum", "envelope", "fan", "globe", "hat", "key", "lantern", "map",
    "rope", "spoon", "ticket", "umbrella", "whistle",
)  # fmt: skip

_BEFORE = "{} stands before {}"
_HAS = "{} has the {}"
_HAS_NOT = "{} does not have the {}"

# What the reader can make out in a note.
_RELATION = r"\b([A-Z][a-z]+) stands before ([A-Z][a-z]+)\b"
_FACT = r"\b([A-Z][a-z]+) has the ([a-z]+)\b"
_DENIAL = r"\b([A-Z][a-z]+) does not have the ([a-z]+)\b"


def puzzles(n: int = 32, *, kind: str = "ordering", seed: int = 0) -> pl.DataFrame:
    """Generate puzzles with one planted wrong clue each.

    A row is a puzzle. `ordering`: four or five people in a line, each said to stand before the
    next; who is last? The premise turns the last pair round. `assignment`: three people with one
    of three things each, of which one clue gives one and one denies one; who has the one that is
    asked for? The premise turns the denial into its opposite. That the clues leave one answer, and
    the clues with the premise in the place of the one it contradicts another, is checked against
    all arrangements. Nobody occurs twice in a puzzle.

    Args:
        n: How many puzzles, from 1 to 100,000.
        kind: One of `PUZZLES`.
        seed: Whole number from 0 up; a seed's first rows are the same for every `n`, and the same
            on every machine.

    Returns:
        pid, question; asked (the question without the clues); options (List[String], the people,
        in no telling order); premise; locus (what the premise is about) and sound (what a right
        clue is about); source (the clues as text); source_items (List[String], the same as a
        list); truth and drift (String, never equal).

    Raises:
        OptionError: The kind is unknown, or a number is out of range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> row = reclaim.puzzles(1, kind="assignment").row(0, named=True)
        >>> row["source"], row["asked"]
        ('Pia has the whistle; Dora does not have the fan', 'Who has the spoon?')
        >>> row["premise"], row["truth"], row["drift"]
        ('An earlier note says that Dora has the fan.', 'Dora', 'Milo')
    """
    choice("kind", kind, PUZZLES)
    integer("n", n, least=1, most=100_000)
    integer("seed", seed, least=0, most=2**64 - 1)
    # random() is the one method whose sequence Python promises to keep for a seed.
    uniform = random.Random(seed).random

    def drawn(pool: Sequence[_T], count: int) -> list[_T]:
        return sorted(pool, key=lambda _: uniform())[:count]

    make = _ordering if kind == "ordering" else _assignment
    rows = [{"pid": f"{kind}-{number:04d}"} | make(drawn) for number in range(n)]
    return pl.DataFrame(rows).select(
        "pid", "question", "asked", "options", "premise", "locus", "sound", "source",
        "source_items", "truth", "drift",
    )  # fmt: skip


_Drawn = Callable[[Sequence[str], int], list[str]]


def _ordering(drawn: _Drawn) -> dict[str, object]:
    (size,) = drawn(("4", "5"), 1)
    line = drawn(_NAMES, int(size))
    clues = [_BEFORE.format(*pair) for pair in itertools.pairwise(line)]
    before, last = line[-2:]
    wrong = [*clues[:-1], _BEFORE.format(last, before)]
    options = drawn(line, len(line))
    answers = [{order[-1] for order in _orders(options, stated)} for stated in (clues, wrong)]
    truth, drift = (_only(answer) for answer in answers)
    return _row(
        options=options,
        clues=drawn(clues, len(clues)),
        opening=f"{', '.join(options)} stand in a line.",
        asked="Who is last in the line?",
        premise=f"{NOTED} {_BEFORE.format(last, before)}.",
        locus=f"{before} and {last}",
        sound=f"{line[0]} and {line[1]}",
        truth=truth,
        drift=drift,
    )


def _orders(names: list[str], clues: list[str]) -> Iterable[tuple[str, ...]]:
    for order in itertools.permutations(names):
        stated = (clue.split(" stands before ") for clue in clues)
        if all(order.index(first) < order.index(second) for first, second in stated):
            yield order


def _assignment(drawn: _Drawn) -> dict[str, object]:
    people, things = drawn(_NAMES, 3), drawn(_THINGS, 3)
    # The first has the first thing; the second has not the second, so has the third.
    clues = [_HAS.format(people[0], things[0]), _HAS_NOT.format(people[1], things[1])]
    wrong = [clues[0], _HAS.format(people[1], things[1])]
    (thing,) = drawn(things[1:], 1)
    options = drawn(people, 3)
    answers = [{who[thing] for who in _owners(people, things, stated)} for stated in (clues, wrong)]
    truth, drift = (_only(answer) for answer in answers)
    return _row(
        options=options,
        clues=drawn(clues, 2),
        opening=f"{', '.join(options)} have one each of {', '.join(sorted(things))}.",
        asked=f"Who has the {thing}?",
        premise=f"{NOTED} {wrong[1]}.",
        locus=f"{people[1]} and the {things[1]}",
        sound=f"{people[0]} and the {things[0]}",
        truth=truth,
        drift=drift,
    )


def _owners(people: list[str], things: list[str], clues: list[str]) -> Iterable[dict[str, str]]:
    for order in itertools.permutations(people):
        held = dict(zip(things, order, strict=True))
        facts = {_HAS.format(who, thing) for thing, who in held.items()}
        denied = {
            _HAS_NOT.format(who, thing)
            for thing, owner in held.items()
            for who in people
            if who != owner
        }
        if set(clues) <= facts | denied:
            yield held


def _only(answers: set[str]) -> str:
    (answer,) = answers
    return answer


def _row(*, clues: list[str], opening: str, **columns: object) -> dict[str, object]:
    source = "; ".join(clues)
    return columns | {
        "question": f"{opening} {'. '.join(clues)}. {columns['asked']}",
        "source": source,
        "source_items": clues,
    }


def solved(note: pl.Expr, asked: pl.Expr, options: pl.Expr) -> pl.Expr:
    """Solve the puzzle from the clues in a note; null where they do not decide it.

    What an earlier note is said to say is not taken for a clue.

    Args:
        note: What holds the clues.
        asked: The question.
        options: Lists of the people.
    """
    note = note.str.replace_all(PREMISE, "")
    relations = note.str.extract_all(_RELATION)
    first, second = (
        relations.list.eval(pl.element().str.extract(_RELATION, group)) for group in (1, 2)
    )
    behind = second.list.set_difference(first)
    last = pl.when(behind.list.len() == 1).then(behind.list.first())
    thing = asked.str.extract(r"\bhas the ([a-z]+)\b")
    return pl.when(thing.is_null()).then(last).otherwise(_holder(note, thing, options))


def _holder(note: pl.Expr, thing: pl.Expr, options: pl.Expr) -> pl.Expr:
    """Tell who has a thing; null where the clues leave it open or contradict each other."""
    facts, denials = (note.str.extract_all(kind).list.unique() for kind in (_FACT, _DENIAL))
    owners, owned = (_parts(facts, _FACT, group) for group in (1, 2))
    denied, refused = (_parts(denials, _DENIAL, group) for group in (1, 2))
    other_way = denials.list.eval(pl.element().str.replace(" does not have ", " has "))
    consistent = (
        (owners.list.n_unique() == facts.list.len())
        & (owned.list.n_unique() == facts.list.len())
        & (facts.list.set_intersection(other_way).list.len() == 0)
    )
    stated = note.str.extract(pl.format(r"\b([A-Z][a-z]+) has the {}\b", thing))
    lack_it = note.str.extract_all(pl.format(r"\b[A-Z][a-z]+ does not have the {}\b", thing))
    lack_it = lack_it.list.eval(pl.element().str.extract(r"^([A-Z][a-z]+)"))
    left = options.list.set_difference(owners).list.set_difference(lack_it)
    # One of three things is somebody's: who lacks the second has the third.
    first = [part.list.first() for part in (owners, owned, denied, refused)]
    third = (
        (facts.list.len() == 1)
        & (denials.list.len() == 1)
        & (first[0] != first[2])
        & (first[1] != first[3])
    )
    answer = (
        pl.when(stated.is_not_null())
        .then(stated)
        .when(left.list.len() == 1)
        .then(left.list.first())
        .when(third)
        .then(first[2])
    )
    return pl.when(consistent).then(answer)


def _parts(clues: pl.Expr, kind: str, group: int) -> pl.Expr:
    return clues.list.eval(pl.element().str.extract(kind, group))
