"""Times that people asked for in real dialogues: MultiWOZ 2.2, from files that a user brings."""

import itertools
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from reclaimstats.errors import ParseError
from reclaimstats.options import integer

__all__ = ["SLOTS", "bookings"]

SLOTS = {
    "restaurant-booktime": "restaurant booking time",
    "train-leaveat": "train departure time",
    "train-arriveby": "train arrival time",
    "taxi-leaveat": "taxi departure time",
    "taxi-arriveby": "taxi arrival time",
}
"""Slots of the dialogues that hold a time, and what they are called in a question."""

_TIME = re.compile(r"(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])")
_SHIFTS = (-5, -4, -3, -2, 2, 3, 4, 5)  # hours
_HOURS = 24


def bookings(
    files: str | Path | Sequence[str | Path], *, n: int | None = None, seed: int = 0
) -> pl.DataFrame:
    """Read, from dialogues of MultiWOZ 2.2, times that a user asked for in so many words.

    A row is a dialogue: its first slot of `SLOTS` whose time stands as such in what the user said
    when the slot was filled, as the only time there. Dialogues without one are left out. The
    planted wrong time is two to five hours off, by lot.

    Args:
        files: JSON files of dialogues, such as `dialogues_001.json` of a split.
        n: At most so many dialogues; all by default.
        seed: Of the wrong times; a dialogue's does not depend on the others.

    Returns:
        pid (the dialogue's id), slot, question; asked (the question by itself); premise; locus
        (what the slot is called); source (what the user said); source_items (List[String], the
        same as a list); truth and drift (String, HH:MM, never equal).

    Raises:
        ParseError: A file is not JSON, or holds no dialogues.
        OptionError: `n` or `seed` is out of range.
        OSError: A file cannot be read.

    Examples:
        >>> import json, pathlib, tempfile
        >>> from reclaimstats.studies import reclaim
        >>> turn = {
        ...     "speaker": "USER",
        ...     "utterance": "I want to leave after 9:15, please.",
        ...     "frames": [{"state": {"slot_values": {"train-leaveat": ["09:15"]}}}],
        ... }
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "dialogues.json"
        ...     _ = path.write_text(json.dumps([{"dialogue_id": "PMUL1.json", "turns": [turn]}]))
        ...     reclaim.bookings(path).select("locus", "source", "truth").rows()
        [('train departure time', 'I want to leave after 9:15, please.', '09:15')]

    References:
        Zang et al. (2020), "MultiWOZ 2.2", doi:10.18653/v1/2020.nlp4convai-1.13.
    """
    integer("seed", seed, least=0, most=2**64 - 1)
    most = None if n is None else integer("n", n, least=1, most=1_000_000)
    paths = [files] if isinstance(files, str | Path) else files
    dialogues = itertools.chain.from_iterable(_dialogues(Path(path)) for path in paths)
    found = (row for one in dialogues if (row := _first_time(one, seed)) is not None)
    rows = list(itertools.islice(found, most))
    return pl.DataFrame(
        rows,
        schema={
            "pid": pl.String, "slot": pl.String, "question": pl.String, "asked": pl.String,
            "premise": pl.String, "locus": pl.String, "source": pl.String,
            "source_items": pl.List(pl.String), "truth": pl.String, "drift": pl.String,
        },
    )  # fmt: skip


def _dialogues(path: Path) -> list[Any]:
    try:
        dialogues = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ParseError(f"{path} is not JSON: {error}") from error
    if not isinstance(dialogues, list) or not all(
        isinstance(one, dict) and "turns" in one and "dialogue_id" in one for one in dialogues
    ):
        raise ParseError(f"{path} is not a list of dialogues with dialogue_id and turns")
    return dialogues


def _first_time(dialogue: dict[str, Any], seed: int) -> dict[str, Any] | None:
    for said, slot, value in _filled(dialogue):
        times = _TIME.findall(said)
        wanted = _TIME.fullmatch(value)
        if wanted is None or [_clock(*time) for time in times] != [_clock(*wanted.groups())]:
            continue
        truth, called = _clock(*wanted.groups()), SLOTS[slot]
        # A text as the seed gives the same numbers on every machine.
        lot = random.Random(f"{seed} {dialogue['dialogue_id']}").random()
        shift = _SHIFTS[int(lot * len(_SHIFTS))]
        drift = _clock(str((int(truth[:2]) + shift) % _HOURS), truth[3:])
        asked = f"What is the {called}?"
        return {
            "pid": dialogue["dialogue_id"],
            "slot": slot,
            "question": f'A customer said: "{said}" {asked}',
            "asked": asked,
            "premise": f"An earlier note has the {called} at {drift}.",
            "locus": called,
            "source": said,
            "source_items": [said],
            "truth": truth,
            "drift": drift,
        }
    return None


def _filled(dialogue: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Go through what a user said, and the slots of times that were first filled with it."""
    known: set[tuple[str, str]] = set()
    for turn in dialogue["turns"]:
        if turn.get("speaker") != "USER":
            continue
        for frame in turn.get("frames", []):
            for slot, values in frame.get("state", {}).get("slot_values", {}).items():
                for value in values if slot in SLOTS else ():
                    if (slot, value) not in known:
                        known.add((slot, value))
                        yield turn["utterance"].strip(), slot, value


def _clock(hours: str, minutes: str) -> str:
    return f"{int(hours):02d}:{minutes}"
