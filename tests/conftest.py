"""Fixtures and settings of all tests."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# First calls compile queries and fill caches: a deadline would measure those. The same examples in
# every run, so that a failure is this change's; HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile("steady", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("search", deadline=None, print_blob=True, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@pytest.fixture(scope="session")
def reference() -> Path:
    """Folder of the reference material, whose figures the package reproduces.

    Named by the environment variable RECLAIMSTATS_REFERENCE; by default the folder `shared`
    beside the checkout. The material is no part of the repository.
    """
    beside = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("RECLAIMSTATS_REFERENCE") or beside)
    if not folder.is_dir():
        pytest.skip("no reference data; RECLAIMSTATS_REFERENCE can name its folder")
    return folder


@pytest.fixture(scope="session")
def results(reference: Path) -> Path:
    """Folder of one harness's replies and results."""
    folder = reference / "data" / "reclaim-eval"
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}")
    return folder


@pytest.fixture(scope="session")
def expected(results: Path) -> dict[str, Any]:
    """What the figures of these results are."""
    figures: dict[str, Any] = json.loads((results / "expected.json").read_text())
    return figures
