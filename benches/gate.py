"""Fail where something has become slower than benches/baseline.json says.

    python benches/gate.py              compare this tree with the baseline
    python benches/gate.py --accept 20  make the baseline from so many runs of this tree
    python benches/gate.py --fill 20    count instructions anew, and run until so many runs of each
                                        race are kept: new ones oftener

Two things are held. The instructions that each kernel takes on fixed data, which no other process
can change, to 3 %. And the ratio of each race to its peer in the same run, which is noisy: the
baseline keeps the ratios of repeated runs of one tree, and a ratio is too low where it is further
below their median than they scatter. A race that is too low is run again twice, and fails if it is
too low each time.
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import instructions

ROOT = Path(__file__).resolve().parent.parent
BASELINE = ROOT / "benches" / "baseline.json"
# More instructions than that are too many.
MORE = 0.03
# A ratio may lie so many standard deviations of its logarithm below the median, estimated from
# the median absolute deviation; and by so much at least: between runs hours apart the published
# ratios moved by a third, which runs that follow each other do not show.
DEVIATIONS = 4.0
LEAST = 0.4
ATTEMPTS = 3
# Noisier races than that say only whether one has become slower by a factor of two.
MOST = 0.5

# Races against what only `make bench` installs, those of which no twenty runs are kept yet, and
# files that hold none.
NEVER = ("libraries", "designs", "harnesses", "raters", "repeats", "tests")
NO_RACES = ("costs", "growth", "limits", "linear")

Ratios = dict[str, float]


def tolerance(ratios: Sequence[float]) -> float:
    """The share by which a race may fall below the median of these ratios."""
    logarithms = [math.log(ratio) for ratio in ratios]
    middle = statistics.median(logarithms)
    scatter = 1.4826 * statistics.median(abs(value - middle) for value in logarithms)
    return min(max(1 - math.exp(-DEVIATIONS * scatter), LEAST), MOST)


def limit(ratios: Sequence[float]) -> float:
    """The lowest ratio that is not too low."""
    return statistics.median(ratios) * (1 - tolerance(ratios))


def too_low(
    baseline: Mapping[str, Sequence[float]], race: Callable[[Sequence[str]], Ratios]
) -> list[str]:
    """Say which races are below their limits, however often they are run."""
    measured = race(["benches"])
    unknown = [f"{name}: not in the baseline; make it anew" for name in measured.keys() - baseline]
    lost = [f"{name}: in the baseline, but not run" for name in baseline.keys() - measured]
    left = {name for name in measured.keys() & baseline if measured[name] < limit(baseline[name])}
    best = {name: measured[name] for name in left}
    for _ in range(ATTEMPTS - 1):
        if left:
            again = race(sorted(left))
            best |= {name: max(best[name], again.get(name, 0.0)) for name in left}
            left = {name for name in left if best[name] < limit(baseline[name])}
    slow = [
        f"{name}: {best[name]:.3g} times its peer at best, and at least "
        f"{limit(baseline[name]):.3g} before (median {statistics.median(baseline[name]):.3g})"
        for name in left
    ]
    return sorted(unknown) + sorted(lost) + sorted(slow)


def too_many(baseline: Mapping[str, int], counted: Mapping[str, int]) -> list[str]:
    """Say which kernels take more instructions than before."""
    unknown = [f"{name}: not in the baseline; make it anew" for name in counted.keys() - baseline]
    lost = [f"{name}: in the baseline, but no kernel" for name in baseline.keys() - counted]
    slow = [
        f"{name}: {counted[name]:,} instructions, {counted[name] / baseline[name] - 1:+.1%}"
        for name in counted.keys() & baseline
        if counted[name] > baseline[name] * (1 + MORE)
    ]
    return sorted(unknown) + sorted(lost) + sorted(slow)


def run(races: Sequence[str], skipped: Sequence[str] = ()) -> Ratios:
    """Run these benchmarks: for each race the ratio of wall or of processor times, if larger.

    Raises:
        SystemExit: The two sides of a race disagree, or one failed in another way.
    """
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "benchmark.json"
        command = [sys.executable, "-m", "pytest", "-q", "--import-mode=prepend"]
        command += ["--benchmark-quiet", f"--benchmark-json={output}"]
        command += [*races, *(f"--ignore=benches/bench_{name}.py" for name in (*NEVER, *skipped))]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            sys.exit("a race failed: see above")
        found = json.loads(output.read_text())["benchmarks"]
    return {
        row["fullname"]: held(row["extra_info"]) for row in found if "ratio" in row["extra_info"]
    }


def held(race: Mapping[str, Any]) -> float:
    """What a race is held to: on a shared machine the wall clock may say what others did."""
    return max(race["ratio"], race.get("cpu_ratio", 0.0))


def accept(runs: int, ratios: dict[str, list[float]]) -> None:
    """Write the baseline: counts of this tree, and the ratios of so many runs, these among them."""
    counts = instructions.count(instructions.kernels())

    def write() -> None:
        baseline = {
            "compiler": instructions.compiler(),
            "instructions": counts,
            "ratios": {name: ratios[name] for name in sorted(ratios)},
        }
        BASELINE.write_text(json.dumps(baseline, indent=1, ensure_ascii=False) + "\n")

    write()
    # The first run says which races there are.
    left = ["benches"] if runs else []
    while left:
        found = run(left, NO_RACES)
        for name in ratios.keys() - found.keys() if left == ["benches"] else ():
            del ratios[name]
        for name, ratio in found.items():
            ratios.setdefault(name, []).append(float(f"{ratio:.4g}"))
        # What was run so far is kept when a later run is interrupted.
        write()
        left = sorted(name for name, kept in ratios.items() if len(kept) < runs)
        print(f"{len(left)} races are to be run again", flush=True)


def check() -> list[str]:
    """Everything that has become slower, in words."""
    baseline = json.loads(BASELINE.read_text())
    slow = []
    if baseline["compiler"] == instructions.compiler():
        counted = instructions.count(instructions.kernels())
        slow += too_many(baseline["instructions"], counted)
    else:
        print(f"counts were made with {baseline['compiler']}: they are not compared")
    if not baseline["ratios"]:
        print("no run of this tree is in the baseline yet: races are held to their floors alone")
        run(["benches"])
        return slow
    return slow + too_low(baseline["ratios"], run)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--accept", type=int, metavar="RUNS", help="make the baseline")
    parser.add_argument(
        "--fill", type=int, metavar="RUNS", help="add what it lacks to so many runs"
    )
    given = parser.parse_args()
    try:
        if given.accept is not None:
            accept(given.accept, {})
        elif given.fill is not None:
            accept(given.fill, json.loads(BASELINE.read_text())["ratios"])
        elif slow := check():
            sys.exit("slower than benches/baseline.json:\n" + "\n".join(slow))
    except instructions.CountError as error:
        sys.exit(str(error))
