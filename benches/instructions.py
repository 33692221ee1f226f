"""Instructions that each kernel of the core takes on data that is the same in every run.

Valgrind counts them and no clock is read, so that a busy machine changes nothing. Another compiler
does: counts are compared where they were made with the same one.
"""

import os
import re
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ROOT / "target" / "release" / "examples" / "kernels"
COLLECTED = re.compile(r"Collected : (\d+)")


class CountError(Exception):
    """What counting needs is not there, or a kernel failed."""


def compiler() -> str:
    """Version of the compiler, on which counts depend."""
    return _output("rustc", "--version").split(" (")[0]


def kernels() -> list[str]:
    """Build the kernels as the wheel has them, and list their names."""
    command = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "reclaimstats-core"]
    subprocess.run([*command, "--example", "kernels"], cwd=ROOT, check=True)
    return _output(str(KERNELS)).splitlines()


def count(names: Sequence[str], times: int = 1) -> dict[str, int]:
    """Instructions of each kernel, run so many times, without the making of its data."""
    with ThreadPoolExecutor(2) as pool:
        nothing = pool.submit(_collected, "nothing")
        runs = {name: pool.submit(_collected, name, str(times)) for name in names}
        return {name: run.result() - nothing.result() for name, run in runs.items()}


def _collected(*arguments: str) -> int:
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(KERNELS)]
    # One thread: what several wait for each other is no work.
    environment = os.environ | {"RAYON_NUM_THREADS": "1"}
    try:
        run = subprocess.run(
            [*command, *arguments], env=environment, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise CountError("valgrind is not installed: apt install valgrind") from error
    found = COLLECTED.search(run.stderr)
    if run.returncode or found is None:
        raise CountError(f"{' '.join(arguments)} failed:\n{run.stderr}")
    return int(found[1])


def _output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
