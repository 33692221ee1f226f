"""The package refuses a compiled core that is not its own, before anything else can go wrong."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import reclaimstats as rs
from reclaimstats import _built

ROOT = Path(__file__).parents[1]
PACKAGE = Path(rs.__file__).parent
CORE = next(PACKAGE.glob("_core*.so"), None)


def test_the_version_is_that_of_the_crates():
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    assert manifest["workspace"]["package"]["version"] == rs.__version__


@pytest.fixture
def installed(tmp_path):
    """A package without sources beside it, as a wheel leaves it."""
    shutil.copytree(
        PACKAGE, tmp_path / "python" / "reclaimstats", ignore=shutil.ignore_patterns("*.so")
    )
    return tmp_path / "python" / "reclaimstats"


@pytest.fixture
def checkout(installed):
    """The same package among the sources that its core was built from."""
    shutil.copytree(ROOT / "rust" / "py" / "src", installed.parents[1] / "rust" / "py" / "src")
    return installed


def with_core(package):
    if CORE is None:
        pytest.skip("the compiled core is no file beside the package")
    (package / CORE.name).symlink_to(CORE)


def imported(package):
    """Import the package in a process of its own: the last line of what it says of an error."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.path.insert(0, sys.argv[1]); import reclaimstats",
            str(package.parent),
        ],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONWARNINGS": "error"},
    )
    return (done.stderr.strip().splitlines() or [""])[-1]


def test_its_own_core_is_taken(checkout):
    with_core(checkout)
    assert imported(checkout) == ""
    shutil.rmtree(checkout.parents[1] / "rust")
    assert imported(checkout) == ""


@pytest.mark.parametrize("change", ["binding", "stub", "new", "gone"])
def test_a_core_of_other_sources_is_refused_in_a_checkout(checkout, change):
    with_core(checkout)
    sources = checkout.parents[1] / "rust" / "py" / "src"
    if change == "binding":
        with (sources / "stats" / "rate.rs").open("a", encoding="utf-8") as file:
            file.write("// one more column\n")
    elif change == "stub":
        stub = checkout / "_core.pyi"
        stub.write_text(stub.read_text(encoding="utf-8").replace("seed: int", "seed: float"))
    elif change == "new":
        (sources / "new.rs").write_text("// a scorer\n", encoding="utf-8")
    else:
        (sources / "score.rs").unlink()
    assert imported(checkout) == (
        f"ImportError: the compiled core of reclaimstats, {checkout / CORE.name}, was built from "
        f"other sources than {sources}; build it: make .venv/built"
    )


def test_a_core_from_before_it_told_is_refused(checkout):
    core = checkout / "_core.py"
    core.write_text(f'__version__ = "{_built.VERSION}"\n', encoding="utf-8")
    assert "was built from other sources" in imported(checkout)


@pytest.mark.parametrize(
    ("place", "remedy"),
    [("checkout", "build it: make .venv/built"), ("installed", "install the package again")],
)
def test_a_core_of_another_version_is_refused(request, place, remedy):
    package = request.getfixturevalue(place)
    core = package / "_core.py"
    core.write_text('__version__ = "0.0.9"\n', encoding="utf-8")
    assert imported(package) == (
        f"ImportError: reclaimstats is version {_built.VERSION}, but its compiled core {core} is "
        f"version 0.0.9; {remedy}"
    )
    core.unlink()
    assert imported(package) == (
        f"ImportError: reclaimstats has no compiled core in {package}; {remedy}"
    )


def test_what_a_core_itself_misses_is_said_as_it_is(installed):
    (installed / "_core.py").write_text("import nowhere_to_be_found\n", encoding="utf-8")
    assert imported(installed) == "ModuleNotFoundError: No module named 'nowhere_to_be_found'"
