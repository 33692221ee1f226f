"""Every public operation is in a benchmark, or it is said here why not."""

import re
from pathlib import Path

import pytest

import reclaimstats as rs
import reclaimstats.score
import reclaimstats.stats
import reclaimstats.text

BENCHES = Path(__file__).resolve().parent.parent / "benches"

LEFT_OUT = {
    "rs.simulate": "makes data",
    "rs.power": "the sums of rs.stats.power, of numbers from a pilot",
    "rs.score.outcome": "an expression of Polars",
    "rs.stats.paired_odds_ratio": "a closed form, called once a table",
    "rs.stats.paired_ratio": "a closed form, called once a table",
}


def operations() -> list[str]:
    found = []
    for prefix, module in [
        ("rs", rs),
        ("rs.text", rs.text),
        ("rs.score", rs.score),
        ("rs.stats", rs.stats),
    ]:
        for name in module.__all__:
            what = getattr(module, name)
            if name.islower() and callable(what) and not isinstance(what, type):
                found.append(f"{prefix}.{name}")
    return found


@pytest.mark.parametrize("operation", operations())
def test_is_in_a_benchmark(operation: str) -> None:
    text = "".join(path.read_text() for path in sorted(BENCHES.glob("bench_*.py")))
    # By another name too, as in `{"pass_at_k": rs.stats.pass_at_k}`.
    there = re.search(rf"\b{re.escape(operation)}\b", text) is not None
    assert there != (operation in LEFT_OUT)


def test_what_is_left_out_exists() -> None:
    assert LEFT_OUT.keys() <= set(operations())
