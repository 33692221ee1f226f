"""Run the races, keep their figures, and put the table of ratios into README.md.

Writes benches/results.json and the table between the two markers in README.md. A test fails
when the two say different things.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benches" / "results.json"
README = ROOT / "README.md"
BEGIN, END = "<!-- ratios: written by make bench -->", "<!-- end of ratios -->"
KEPT = ("name", "against", "ratio", "ratio_low", "ratio_high", "seconds", "peer_seconds")


def races() -> list[dict[str, Any]]:
    """Run pytest-benchmark over this folder and return what each race recorded."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "benchmark.json"
        command = [sys.executable, "-m", "pytest", "-q", "benches", "--import-mode=prepend"]
        # A race measures and asserts its own ratio; the plugin's table says nothing of peers.
        command += ["--benchmark-quiet", f"--benchmark-json={output}"]
        subprocess.run(command, cwd=ROOT, check=True)
        benchmarks = json.loads(output.read_text())["benchmarks"]
    rows = [{key: benchmark["extra_info"][key] for key in KEPT} for benchmark in benchmarks]
    return sorted(rows, key=lambda row: -row["ratio"])


def table(rows: list[dict[str, Any]]) -> str:
    """Render the ratios as a Markdown table."""
    lines = ["| operation | against | times faster | range | ours |", "| --- " * 5 + "|"]
    for row in rows:
        low, high = rounded(row["ratio_low"]), rounded(row["ratio_high"])
        ratio, ours = rounded(row["ratio"]), duration(row["seconds"])
        lines.append(f"| {row['name']} | {row['against']} | {ratio} | {low}–{high} | {ours} |")
    return "\n".join(lines)


def rounded(ratio: float) -> str:
    """Two significant digits: more would be noise."""
    return f"{float(f'{ratio:.2g}'):,.6g}"


def duration(seconds: float) -> str:
    """Two significant digits with a unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{float(f'{seconds / size:.2g}'):g} {unit}"
    return f"{float(f'{seconds / 1e-6:.2g}'):g} µs"


def with_table(text: str, rows: list[dict[str, Any]]) -> str:
    """Put the table between the markers."""
    before, rest = text.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    return f"{before}{BEGIN}\n{table(rows)}\n{END}{after}"


if __name__ == "__main__":
    rows = races()
    RESULTS.write_text(json.dumps(rows, indent=1) + "\n")
    README.write_text(with_table(README.read_text(), rows))
    print(table(rows))
