"""The tables of measured figures say what the last published run measured."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_tables_are_the_measured_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benches")
    for name in ("charts", "gate", "instructions"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    spec = importlib.util.spec_from_file_location("run", ROOT / "benches" / "run.py")
    assert spec is not None
    assert spec.loader is not None
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    for page, text in run.pages(json.loads(run.RESULTS.read_text())).items():
        assert page.read_text() == text
