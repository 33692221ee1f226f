"""What there is around the kernels: importing the package, the size of its wheel."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

ROOT = Path(__file__).resolve().parent.parent
TIMED = """
import resource, {modules}
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime)
"""
# Seconds of processor time beyond those of Polars, and bytes.
IMPORT, WHEEL = 0.15, 6e6


def imported(modules: str, compiled: Path) -> float:
    """Processor time of a process that imports these, compiled before, and does nothing."""
    command = [sys.executable, "-c", TIMED.format(modules=modules)]
    keeps = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = keeps | {"PYTHONPYCACHEPREFIX": str(compiled)}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(run.stdout)


def test_import(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    imported("polars, reclaimstats", tmp_path)
    # What is least disturbed is nearest to the cost.
    polars, both = (
        sorted(imported(modules, tmp_path) for _ in range(9))[1]
        for modules in ("polars", "polars, reclaimstats")
    )
    seconds = both - polars
    benchmark.extra_info.update(cost="import, beyond that of Polars", value=seconds, unit="s")
    benchmark.pedantic(lambda: None, rounds=1)
    assert seconds < IMPORT


def test_wheel(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    command = ["maturin", "build", "--release", "--locked", "--quiet", "--out", str(tmp_path)]
    maturin = Path(sys.executable).with_name("maturin")
    if not maturin.exists():
        pytest.skip("maturin is not in this environment")
    subprocess.run([str(maturin), *command[1:]], cwd=ROOT, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        assert any("_core" in name for name in files.namelist())
    size = wheel.stat().st_size
    benchmark.extra_info.update(cost="wheel", value=size / 1e6, unit="MB")
    benchmark.pedantic(lambda: None, rounds=1)
    assert size < WHEEL
