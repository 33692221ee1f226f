"""Races: an operation against what a user would do otherwise, in turn, on equal answers.

With --peak nothing races: each operation runs once, and what it held at most is recorded.
"""

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import polars as pl
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

# Share of a stated target below which a race fails at once: shared machines are noisy, and what
# this is to catch is a collapse. What a race is held to is in baseline.json.
FLOOR = 0.3
# A word boundary of ASCII. With that of Unicode, Polars' regular expressions leave their fastest
# engine at the first character that is not ASCII.
EDGE = r"(?-u:\b)"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--peak", action="store_true", help="record peaks of memory, and no times")


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
def race(benchmark: BenchmarkFixture, pytestconfig: pytest.Config) -> Race:
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
        if pytestconfig.getoption("peak"):
            return _held(benchmark, name, ours)
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


@dataclass(frozen=True)
class Peer:
    """What a user would do otherwise."""

    name: str
    run: Callable[[Any], Sequence[Any] | pl.Series]
    """Gives one value for each row of what `given` made of the frame."""
    given: Callable[[pl.DataFrame], Any] = lambda frame: frame
    """Makes of the frame what the peer reads; not timed."""
    rows: int | None = None
    """A slow peer runs on so many rows only, and rates are compared."""


def polars(expression: pl.Expr, name: str = "Polars") -> list[Peer]:
    """The expression in both engines."""
    return [
        Peer(name, lambda frame: frame.select(expression).to_series()),
        Peer(
            f"{name}, streaming",
            lambda frame: frame.lazy().select(expression).collect(engine="streaming").to_series(),
        ),
    ]


ALL = pl.lit(True)


class TextRace(Protocol):
    """Signature of the `text_race` fixture."""

    def __call__(
        self,
        scorer: pl.Expr,
        frame: pl.DataFrame,
        peers: Sequence[Peer],
        *,
        name: str,
        plain: pl.Expr = ALL,
        like: Callable[[Any], Any] | None = None,
        rounds: int = 5,
    ) -> float:
        """Return how many times faster the scorer is than the fastest peer.

        That is the ratio of wall times or of processor times, whichever is larger: on a shared
        machine the first may say what others did. Results hold both.

        `plain` names the rows on which every peer has to give the scorer's answer: those that
        are written as the peers expect. It says nothing of the scorer. `like` makes the scorer's
        form of a peer's value, untimed.
        """
        ...


@pytest.fixture
def text_race(benchmark: BenchmarkFixture, pytestconfig: pytest.Config) -> TextRace:
    """Time a scorer and the fastest of its peers in turn, each on a column never seen before."""

    def run(
        scorer: pl.Expr,
        frame: pl.DataFrame,
        peers: Sequence[Peer],
        *,
        name: str,
        plain: pl.Expr = ALL,
        like: Callable[[Any], Any] | None = None,
        rounds: int = 5,
    ) -> float:
        if pytestconfig.getoption("peak"):
            return _held(benchmark, name, lambda: frame.select(scorer))
        whole = _Fresh(frame)

        def ours() -> Rate:
            return _rate(lambda frame: frame.select(scorer).to_series(), whole.frame())

        answers = ours().found
        same_on = frame.select(pl.repeat(True, pl.len()) & plain).to_series()
        fastest: tuple[float, Peer, _Fresh, float] | None = None
        for peer in peers:
            fresh = _Fresh(frame.head(peer.rows)) if peer.rows else whole
            rate = _rate(peer.run, peer.given(fresh.frame()))
            alike = rate.found if like is None else [like(value) for value in rate.found]
            found = pl.Series(alike, dtype=answers.dtype)
            equal = found.eq_missing(answers.head(fresh.height))
            wrong = (~equal & same_on.head(fresh.height)).arg_true().head(3).to_list()
            examples = [(found[row], answers[row], *frame.row(row)) for row in wrong]
            assert not examples, f"{peer.name} disagrees: {examples}"
            if fastest is None or rate.wall > fastest[0]:
                fastest = rate.wall, peer, fresh, equal.mean()
        assert fastest is not None
        _, peer, fresh, agreement = fastest
        mine, theirs = [], []
        for _ in range(rounds):
            theirs.append(_rate(peer.run, peer.given(fresh.frame())))
            mine.append(max((ours() for _ in range(2)), key=lambda rate: rate.wall))
        ratios = [a.wall / b.wall for a, b in zip(mine, theirs, strict=True)]
        work = [a.cpu / b.cpu for a, b in zip(mine, theirs, strict=True)]
        benchmark.extra_info.update(
            name=name,
            against=peer.name,
            ratio=statistics.median(ratios),
            ratio_low=min(ratios),
            ratio_high=max(ratios),
            cpu_ratio=statistics.median(work),
            rows=frame.height,
            rate=statistics.median(rate.wall for rate in mine),
            peer_rate=statistics.median(rate.wall for rate in theirs),
            peer_rows=fresh.height,
            plain=same_on.mean(),
            agreement=agreement,
        )
        benchmark.pedantic(lambda: frame.select(scorer), rounds=1)
        return max(statistics.median(ratios), statistics.median(work))

    return run


def held(ours: Callable[[], Any]) -> tuple[Any, int]:
    """What a call gives, and the bytes that it takes at its peak, its result among them."""
    # Linux alone forgets a peak; elsewhere building the data would count.
    with Path("/proc/self/clear_refs").open("w") as peaks:
        peaks.write("5")
    before = _resident("VmRSS")
    found = ours()
    return found, _resident("VmHWM") - before


def _held(benchmark: BenchmarkFixture, name: str, ours: Callable[[], Any]) -> float:
    """Record the peak of a first call."""
    found, peak = held(ours)
    benchmark.extra_info.update(name=name, peak=peak)
    benchmark.pedantic(lambda: found, rounds=1)
    return math.inf


def _resident(which: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(which))


class _Fresh:
    """A frame whose columns forget, at each use, what Polars has learned of them."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.height = frame.height
        self._table = frame.to_arrow(compat_level=pl.CompatLevel.newest())

    def frame(self) -> pl.DataFrame:
        return pl.DataFrame(self._table)


@dataclass(frozen=True)
class Rate:
    """Rows per second, by the clock and by the processor, and what came out."""

    wall: float
    cpu: float
    found: Any


def _rate(function: Callable[[Any], Any], given: Any) -> Rate:
    wall, cpu = time.perf_counter(), time.process_time()
    found = function(given)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Rate(len(found) / wall, len(found) / max(cpu, 1e-6), found)


def _seconds(function: Callable[[], Any], repeats: int = 1) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        function()
    return (time.perf_counter() - start) / repeats
