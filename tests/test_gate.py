"""The gate on speed fails on what is slower, and on nothing else."""

import importlib.util
import json
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

BENCHES = Path(__file__).resolve().parent.parent / "benches"


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHES)
    for name in ("gate", "instructions"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    spec = importlib.util.spec_from_file_location("gate", BENCHES / "gate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STEADY = [10.0, 10.1, 9.9, 10.2, 9.8]
NOISY = [10.0, 12.0, 8.0, 13.0, 7.0]


def test_tolerance_follows_the_scatter(gate: ModuleType) -> None:
    assert gate.tolerance(STEADY) == gate.LEAST
    assert gate.LEAST < gate.tolerance([10.0, 11.0, 9.0, 11.5, 8.7]) < gate.tolerance(NOISY)
    assert gate.tolerance(NOISY) == gate.MOST


def runs(*measured: dict[str, float]) -> tuple[list[Sequence[str]], object]:
    asked: list[Sequence[str]] = []

    def race(names: Sequence[str]) -> dict[str, float]:
        asked.append(list(names))
        return {
            name: r
            for name, r in measured[len(asked) - 1].items()
            if "benches" in names or name in names
        }

    return asked, race


def test_unchanged_passes_and_slower_fails(gate: ModuleType) -> None:
    baseline = {"a": STEADY, "b": STEADY}
    asked, race = runs({"a": 9.7, "b": 10.4})
    assert gate.too_low(baseline, race) == []
    assert asked == [["benches"]]
    asked, race = runs({"a": 5.0, "b": 10.0}, {"a": 5.2}, {"a": 4.9})
    assert gate.too_low(baseline, race) == [
        "a: 5.2 times its peer at best, and at least 6 before (median 10)"
    ]
    assert asked == [["benches"], ["a"], ["a"]]


def test_a_disturbance_is_tried_again(gate: ModuleType) -> None:
    asked, race = runs({"a": 5.0, "b": 5.5}, {"a": 10.0, "b": 5.8}, {"b": 9.0})
    assert gate.too_low({"a": STEADY, "b": STEADY}, race) == []
    assert asked == [["benches"], ["a", "b"], ["b"]]


def test_races_come_and_go_by_name_only(gate: ModuleType) -> None:
    _, race = runs({"new": 1.0})
    said = gate.too_low({"old": STEADY}, race)
    assert [line.partition(":")[0] for line in said] == ["new", "old"]


def test_instructions_are_held_to_three_per_cent(gate: ModuleType) -> None:
    baseline = {"a": 1000, "b": 1000}
    assert gate.too_many(baseline, {"a": 1029, "b": 700}) == []
    assert gate.too_many(baseline, {"a": 1031, "b": 1000}) == ["a: 1,031 instructions, +3.1%"]
    assert len(gate.too_many(baseline, {"a": 1000, "c": 1})) == 2


def test_the_baseline_holds_what_is_there(gate: ModuleType) -> None:
    baseline = json.loads(gate.BASELINE.read_text())
    assert min(baseline["instructions"].values()) > 0
    assert all(len(ratios) >= 5 for ratios in baseline["ratios"].values())


def test_the_runs_of_the_baseline_pass_by_each_other(gate: ModuleType) -> None:
    ratios: dict[str, list[float]] = json.loads(gate.BASELINE.read_text())["ratios"]
    count = min(map(len, ratios.values()))
    for first in range(count):
        # A race that is too low is run again twice: here, as in the runs that came next.
        tries = [(first + run) % count for run in range(gate.ATTEMPTS)]
        others = {
            name: [ratio for run, ratio in enumerate(kept) if run not in tries]
            for name, kept in ratios.items()
        }
        _, race = runs(*({name: kept[run] for name, kept in ratios.items()} for run in tries))
        assert gate.too_low(others, race) == []
        slow = {name: statistics.median(kept) / 3 for name, kept in ratios.items()}
        _, race = runs(slow, slow, slow)
        assert len(gate.too_low(others, race)) == len(ratios)
