"""The README's table says what the last benchmark run measured."""

import importlib.util
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_table_of_ratios_is_the_measured_one() -> None:
    spec = importlib.util.spec_from_file_location("run", ROOT / "benches" / "run.py")
    assert spec is not None
    assert spec.loader is not None
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    rows = json.loads(run.RESULTS.read_text())
    assert run.with_table(run.README.read_text(), rows) == run.README.read_text()
