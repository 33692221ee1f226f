"""Long calls: Ctrl-C ends them, and a terminal shows how far they are."""

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import polars as pl
import pytest

import reclaimstats as rs
from reclaimstats.progress import Call, duration

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals of POSIX")

# Each takes far longer than ten seconds.
LONG = {
    "bootstrap": "rs.mean(pl.DataFrame({'s': random(500_000)}), 's', method='bca', "
    "resampler='monte-carlo', n_resamples=1_000_000)",
    "cells": "rs.rate(pl.DataFrame({'ok': random(10**6) < 0.5, 'c': np.arange(10**6) // 100, "
    "'i': np.arange(10**6) // 5}), 'ok', by='c', cluster='i', method='studentized', "
    "n_resamples=1_000_000)",
    "replay": "rs.rate(pl.DataFrame({'ok': random(10**6) < 0.5}), 'ok', method='percentile', "
    "resampler='cpython', n_resamples=100_000)",
    "permutation": "rs.stats.permutation(random(300_000), random(300_000), method='monte-carlo', "
    "n_resamples=1_000_000)",
    "heterogeneity": "rs.heterogeneity(pl.DataFrame({'item': np.arange(10**5) % 5_000, "
    "'arm': np.arange(10**5) // 50_000, 'ok': random(10**5) < 0.5}), 'ok', item='item', "
    "contrast='arm', baseline=0, n_resamples=10_000_000)",
    "tables": "rs.stats.fisher_tables(*(random((4, 4 * 10**6)) * 10**6).astype(int))",
    "looks": "signs = pl.Series(random(3 * 10**6) < 0.5).cast(pl.UInt64)\n"
    "rs._core.evidence_looks(pl.Series([len(signs)], dtype=pl.UInt64), signs, 1 - signs, "
    "'two-sided', 0.95)",
    # All ratings and rows different, so that nothing is counted away.
    "kappa": "n = 10**7\n"
    "shuffled = [np.random.default_rng(seed).permutation(n) for seed in (0, 1)]\n"
    "codes = [pl.Series(codes).cast(pl.UInt64) for codes in shuffled]\n"
    "length = pl.Series([n], dtype=pl.UInt64)\n"
    "times = pl.repeat(1, n, dtype=pl.UInt64, eager=True)\n"
    "rs._core.agreement_pairs([length, None], [*codes, times], n, 'unweighted', 0.95)",
    "alpha": "n = 5 * 10**6\n"
    "shuffled = np.random.default_rng(0).permutation(2 * n).reshape(n, 2)\n"
    "codes, sizes = pl.Series(np.sort(shuffled).ravel()), ((2, n), (1, n), (1, 2 * n))\n"
    "counts = [pl.repeat(c, k, dtype=pl.UInt64, eager=True) for c, k in sizes]\n"
    "length, values = pl.Series([n], dtype=pl.UInt64), pl.Series(np.zeros(2 * n))\n"
    "ratings = [codes.cast(pl.UInt64), counts[2]]\n"
    "rs._core.agreement_items([length, None], counts[:2], ratings, None, values, "
    "'krippendorff', 'ordinal', 0.95)",
    "counting": "columns = [pl.Series(random(2 * 10**7)) for _ in range(2)]\n"
    "rs._core.count_kinds(columns, None, 1, 1)",
    "ranks": "rs.stats.wilcoxon(random(20_000) - 0.4, method='exact')",
}


@contextmanager
def started(call: str, stderr: int) -> Iterator[subprocess.Popen[bytes]]:
    # The last line is what takes long.
    *before, last = call.split("\n")
    code = "\n".join(
        [
            "import numpy as np, polars as pl, reclaimstats as rs",
            "random = np.random.default_rng(0).random",
            *before,
            "print('go', flush=True)",
            last,
            "print('done')",
        ]
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"go\n"
            yield process
        finally:
            process.kill()


@posix
@pytest.mark.parametrize("call", LONG.values(), ids=LONG)
def test_ctrl_c_ends_a_long_call(call: str) -> None:
    with started(call, subprocess.PIPE) as process:
        time.sleep(0.7)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        # On a machine that is busy elsewhere too.
        assert time.monotonic() - begun < 5.0
    assert out == b""
    assert err.rstrip().endswith(b"KeyboardInterrupt")
    # No thread of the core had anything to say, and nothing but the traceback was shown.
    assert err.startswith(b"Traceback")
    assert b"panicked" not in err


@posix
def test_a_handler_of_the_users_decides() -> None:
    # A handler that does not raise does not end the call, and one that raises ends it with that.
    class EnoughError(Exception):
        pass

    calls: list[float] = []

    def handler(*_: object) -> None:
        calls.append(time.monotonic())
        if len(calls) == 2:
            raise EnoughError

    scores = pl.DataFrame({"s": np.random.default_rng(0).random(500_000)})
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3, 0.3)
    try:
        with pytest.raises(EnoughError):
            rs.mean(scores, "s", method="bca", resampler="monte-carlo", n_resamples=1_000_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - calls[1] < 5.0
    # The core is as it was: the next call is not stopped.
    assert rs.mean(scores.head(50), "s")["n"].item() == 50


def test_a_call_of_another_thread_goes_on_and_gives_the_same() -> None:
    trials = pl.DataFrame({"s": np.random.default_rng(0).random(2000), "c": np.arange(2000) // 20})
    options = {"method": "percentile", "resampler": "monte-carlo", "n_resamples": 20_000}
    alone = rs.mean(trials, "s", by="c", **options)  # type: ignore[arg-type]
    found: list[pl.DataFrame] = []

    def work() -> None:
        found.append(rs.mean(trials, "s", by="c", **options))  # type: ignore[arg-type]

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(frame.equals(alone) for frame in found)


@posix
def test_a_terminal_shows_how_far_a_long_call_is() -> None:
    import pty  # noqa: PLC0415

    ours, theirs = pty.openpty()
    shown = ""
    with started(LONG["cells"], theirs) as process:
        while "drawn, " not in shown and select.select([ours], [], [], 30.0)[0]:
            shown += os.read(ours, 1 << 16).decode()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=10)
    shown += os.read(ours, 1 << 16).decode()
    os.close(ours)
    os.close(theirs)
    first, *_ = shown.lstrip("\r").split("\r")
    assert first.startswith("cell ")
    assert " of 10,000, " in first
    assert " resamples drawn, " in first
    assert shown.rstrip().endswith("KeyboardInterrupt")


def test_nothing_is_shown_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    call = Call()
    call.show(1, 2, 3, 4.0)
    call.end()
    assert capsys.readouterr() == ("", "")


def test_lengths_of_time() -> None:
    assert [duration(s) for s in (4.4, 89.0, 90.0, 5399.0, 9000.0)] == [
        "4 s",
        "89 s",
        "2 min",
        "90 min",
        "2.5 h",
    ]
