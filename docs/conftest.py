"""Pages whose examples read published results are skipped where those are not at hand."""

import os
from pathlib import Path

import pytest

PUBLISHED = {"reclaim-published.md"}


@pytest.fixture(autouse=True)
def beside_the_results(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run such a page in the folder of the results, as it says."""
    if request.path.name not in PUBLISHED:
        return
    beside = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("RECLAIMSTATS_REFERENCE") or beside) / "data" / "reclaim-eval"
    if not folder.is_dir():
        pytest.skip("no reference data; RECLAIMSTATS_REFERENCE can name its folder")
    monkeypatch.chdir(folder)
