"""Races: an operation against what a user would do otherwise, in turn, on equal answers."""

import statistics
import time
from collections.abc import Callable
from typing import Any, Protocol

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

# Share of a stated target below which a race fails: shared machines are noisy, and what this is
# to catch is a collapse. The figures themselves are in results.json.
FLOOR = 0.5


class Race(Protocol):
    """Signature of the `race` fixture."""

    def __call__(
        self,
        ours: Callable[[], Any],
        peer: Callable[[], Any],
        *,
        name: str,
        against: str,
        same: Callable[[Any, Any], bool],
        rounds: int = 7,
    ) -> float:
        """Return how many times faster ours is."""
        ...


@pytest.fixture
def race(benchmark: BenchmarkFixture) -> Race:
    """Time both sides in turn, assert equal answers, and keep the ratio of their medians."""

    def run(
        ours: Callable[[], Any],
        peer: Callable[[], Any],
        *,
        name: str,
        against: str,
        same: Callable[[Any, Any], bool],
        rounds: int = 7,
    ) -> float:
        assert same(ours(), peer()), "the two sides disagree: there is nothing to compare"
        repeats = max(1, round(0.02 / max(_seconds(ours), 1e-7)))
        ratios, our_times, peer_times = [], [], []
        for _ in range(rounds):
            peer_times.append(_seconds(peer))
            our_times.append(min(_seconds(ours, repeats) for _ in range(2)))
            ratios.append(peer_times[-1] / our_times[-1])
        benchmark.extra_info.update(
            name=name,
            against=against,
            ratio=statistics.median(ratios),
            ratio_low=min(ratios),
            ratio_high=max(ratios),
            seconds=statistics.median(our_times),
            peer_seconds=statistics.median(peer_times),
        )
        benchmark.pedantic(ours, rounds=rounds, iterations=min(repeats, 100))
        return statistics.median(ratios)

    return run


def _seconds(function: Callable[[], Any], repeats: int = 1) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        function()
    return (time.perf_counter() - start) / repeats
