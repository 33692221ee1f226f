"""Run all benchmarks, print their tables and draw them; with --publish, keep what was found.

Publishing writes benches/results.json, the tables between two markers in README.md and docs/, and
the charts there. A test fails when these say different things. Without it, the same files go to
target/bench.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import charts
import gate

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benches" / "results.json"
PROFILES = ROOT / "benches" / "profiles.json"
README = ROOT / "README.md"
TESTING = ROOT / "docs" / "testing.md"
PERFORMANCE = ROOT / "docs" / "performance.md"
# What a race is to reach against its fastest peer.
TARGETS = {
    "answer_number": 1.5,
    "answer_word": 1.5,
    "answer_time": 1.5,
    "answer_time, last time anywhere": 8,
    "code_block": 4,
    "source_survival, prefix": 2,
    "source_survival, all tokens": 20,
    "containment": 20,
    "recurring_value": 15,
    "invented_numbers": 5,
    "cues, 11 phrases": 1.5,
    "cues, 48 terms and dates": 1.5,
    "function_calls": 80,
    "answer_json, clean": 4,
    "answer_json, malformed": 500,
    "same draws: percentile interval of a mean of 10,000, 10,000 resamples each": 10,
    "same draws: percentile interval of a mean of 1,000,000, 50 resamples each": 10,
}
# Seconds within which an operation is to be done, end to end.
TIMES = {
    "percentile interval, a million trials, exact": 300e-6,
    "default interval, 10,000 cells of 96": 10e-3,
    "percentile interval, 10,000 clusters of 100, exact, end to end": 10e-3,
    "percentile interval, 100,000 clusters of 10, exact, end to end": 10e-3,
    "McNemar's test of 990,000 pairs": 100e-6,
    "Cohen's kappa with interval, a million pairs": 1e-3,
    "BCa interval of 10,000 trials, exact": 200e-6,
    "Clopper–Pearson intervals of 10,000 cells of 24": 10e-3,
    "10,000 of Fisher's tests": 10e-3,
}
SCAN = "literal scan of a column of replies"


def measure() -> tuple[dict[str, Any], bool]:
    """Run pytest-benchmark over this folder; what was recorded, and whether all held."""
    benches, held = run("benches")
    recorded = [bench["extra_info"] for bench in benches]
    races = sorted((row for row in recorded if "ratio" in row), key=lambda row: -row["ratio"])
    kinds = {"curves": "nanoseconds", "growth": "growth", "limits": "limit", "costs": "cost"}
    found = {kind: [row for row in recorded if key in row] for kind, key in kinds.items()}
    if sys.platform.startswith("linux"):
        grown = {row["grown"]: row for row in recorded_peaks("benches/bench_growth.py")}
        found["growth"] = [row | grown[row["growth"]] for row in found["growth"]]
    return {"races": races, **found, "peaks": peaks(benches)}, held


def peaks(benches: list[dict[str, Any]]) -> dict[str, float]:
    """Bytes that each operation that raced takes at most, each in a process of its own."""
    if not sys.platform.startswith("linux"):
        return {}
    raced = dict.fromkeys(bench["fullname"] for bench in benches if "ratio" in bench["extra_info"])
    found = [row for name in raced for row in recorded_peaks(name)]
    return {row["name"]: row["peak"] for row in sorted(found, key=lambda row: -row["peak"])}


def recorded_peaks(name: str) -> list[dict[str, Any]]:
    return [bench["extra_info"] for bench in run(name, "--peak")[0]]


def run(*arguments: str) -> tuple[list[dict[str, Any]], bool]:
    """Run pytest-benchmark; what it recorded, and whether all held."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "benchmark.json"
        command = [sys.executable, "-m", "pytest", "-q", *arguments, "--import-mode=prepend"]
        # A race measures and asserts its own ratio; the plugin's table says nothing of peers.
        command += ["--benchmark-quiet", f"--benchmark-json={output}"]
        held = subprocess.run(command, cwd=ROOT, check=False).returncode == 0
        return json.loads(output.read_text())["benchmarks"], held


def ratios(rows: list[dict[str, Any]]) -> str:
    """Render the ratios as a Markdown table."""
    cells = []
    for row in rows:
        low, high = rounded(row["ratio_low"]), rounded(row["ratio_high"])
        if "rate" in row:
            ours, same = f"{rounded(row['rate'] / 1e6)} M rows/s", share(row["agreement"])
        else:
            ours, same = duration(row["seconds"]), share(1)
        ratio = rounded(row["ratio"])
        cells.append([row["name"], row["against"], ratio, f"{low}–{high}", ours, same])
    return table(["operation", "against", "times faster", "range", "ours", "same answers"], cells)


def curves(rows: list[dict[str, Any]]) -> str:
    """Render the time per byte as a Markdown table."""
    sizes = [f"{size:g} MB" for size in rows[0]["megabytes"]]
    cells = []
    for row in rows:
        piece = json.dumps(row["piece"], ensure_ascii=False).strip('"')
        times = [rounded(nanoseconds) for nanoseconds in row["nanoseconds"]]
        cells.append([row["curve"], f"`{piece}`", *times])
    return table(["scorer", "slowest on", *sizes], cells)


def growth(rows: list[dict[str, Any]]) -> str:
    """Render the fitted exponents as a Markdown table."""
    cells = [
        [row["growth"], row["of"], f"{row['exponent']:.2f}", duration(row["seconds"][-1]),
         *(memory_of(row) if "peaks" in row else ("", ""))]
        for row in rows
    ]  # fmt: skip
    header = ["operation", "grows with", "exponent of time", "largest"]
    return table([*header, "exponent of memory", "largest"], cells)


def memory_of(row: dict[str, Any]) -> tuple[str, str]:
    """The exponent, unless it is of less than the allocator rounds up to, and the largest peak."""
    exponent = f"{row['peak_exponent']:.2f}" if row["peaks"][0] > 1 else ""
    return exponent, f"{rounded(row['peaks'][-1])} MB"


def grown(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same of memory, for the chart: what takes less than a megabyte is left out."""
    return [
        row
        | {
            "sizes": [2**step for step in range(len(row["peaks"]))],
            "seconds": row["peaks"],
            "exponent": row["peak_exponent"],
        }
        for row in rows
        if "peaks" in row and row["peaks"][0] > 1
    ]


def limits(results: dict[str, Any]) -> str:
    """Render what the machine can do, and what importing and shipping cost."""
    cells = [
        [row.get("limit") or row["cost"], f"{rounded(row['value'])} {row['unit']}"]
        for row in results["limits"] + results["costs"]
    ]
    return table(["measured in the same run", ""], cells)


def scanned(results: dict[str, Any]) -> str:
    """Render the text scorers beside a scan of the same column for a literal."""
    scan = next(row["value"] for row in results["limits"] if row["limit"] == SCAN) * 1e6
    rates = {row["name"]: row for row in results["races"] if "rate" in row}
    cells = [
        [name, f"{rounded(row['rate'] / 1e6)} M rows/s", rounded(scan / row["rate"])]
        for name, row in sorted(rates.items(), key=lambda item: -item[1]["rate"])
    ]  # fmt: skip
    return table(["scorer", "measured", "times a literal scan"], cells)


def targets(rows: list[dict[str, Any]]) -> str:
    """Render what was to be reached, and whether it is."""
    cells = [
        [row["name"], row["against"], f"{TARGETS[row['name']]:g}", rounded(row["ratio"]),
         "yes" if row["ratio"] >= TARGETS[row["name"]] else "no"]
        for row in rows
        if row["name"] in TARGETS and "loop" not in row["against"]
    ]  # fmt: skip
    return table(["scorer", "against", "target", "measured", "reached"], cells)


def times(rows: list[dict[str, Any]]) -> str:
    """Render how long statistics may take, and how long they do."""
    taken = {row["name"]: row["seconds"] for row in rows if row["name"] in TIMES}
    cells = [
        [name, duration(TIMES[name]), duration(seconds), "yes" if seconds <= TIMES[name] else "no"]
        for name, seconds in taken.items()
    ]
    return table(["statistic", "at most", "measured", "reached"], cells)


def memory(peaks: dict[str, float]) -> str:
    """Render what operations take at most."""
    cells = [[name, f"{rounded(peak / 1e6)} MB"] for name, peak in peaks.items() if peak >= 1e6]
    return table(["operation", "at most"], cells)


def tolerances() -> str:
    """Render what the gate holds each race to."""
    baseline = json.loads(gate.BASELINE.read_text())
    if not baseline["ratios"]:
        return "No ratios are in the baseline yet: races are held to the floors that they state."
    cells = [
        [name.rpartition("/")[2].replace("::", " "), rounded(statistics.median(ratios)),
         f"{rounded(min(ratios))}–{rounded(max(ratios))}", str(len(ratios)),
         f"{gate.tolerance(ratios):.0%}"]
        for name, ratios in baseline["ratios"].items()
    ]  # fmt: skip
    return table(["race", "median", "range", "runs", "may fall by"], cells)


def profiles() -> str:
    """Render in which functions each kernel spends its instructions."""
    found = json.loads(PROFILES.read_text())
    cells = [
        [kernel, ", ".join(f"`{name}` {part:.0%}" if "::" in name else f"{name} {part:.0%}"
                           for name, part in functions if part >= 0.05)]
        for kernel, functions in found.items()
    ]  # fmt: skip
    return table(["kernel", "where its instructions go"], cells)


def table(header: list[str], rows: list[list[str]]) -> str:
    """Render a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def share(part: float) -> str:
    """A percentage, rounded down: only what is everything says 100."""
    return "all" if part == 1 else f"{int(part * 1000) / 10:g} %"


def rounded(ratio: float) -> str:
    """Two significant digits: more would be noise."""
    return f"{float(f'{ratio:.2g}'):,.6g}"


def duration(seconds: float) -> str:
    """Two significant digits with a unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{float(f'{seconds / size:.2g}'):g} {unit}"
    return f"{float(f'{seconds / 1e-6:.2g}'):g} µs"


def with_table(text: str, name: str, table: str) -> str:
    """Put a table between its markers."""
    begin, end = f"<!-- {name}: written by benches/run.py -->", f"<!-- end of {name} -->"
    before, rest = text.split(begin, 1)
    _, after = rest.split(end, 1)
    return f"{before}{begin}\n{table}\n{end}{after}"


def pages(results: dict[str, Any]) -> dict[Path, str]:
    """The pages with the tables of these results, and the charts."""
    performance = PERFORMANCE.read_text()
    tables = {
        "targets": targets(results["races"]),
        "times": times(results["races"]),
        "limits": limits(results),
        "scans": scanned(results),
        "growth": growth(results["growth"]),
        "memory": memory(results["peaks"]),
        "tolerances": tolerances(),
        "profiles": profiles(),
    }
    for name, found in tables.items():
        performance = with_table(performance, name, found)
    return {
        README: with_table(README.read_text(), "ratios", ratios(results["races"])),
        TESTING: with_table(TESTING.read_text(), "curves", curves(results["curves"])),
        PERFORMANCE: performance,
        PERFORMANCE.with_name("ratios.svg"): charts.ratios(results["races"]),
        PERFORMANCE.with_name("growth.svg"): charts.growth(results["growth"]),
        PERFORMANCE.with_name("memory.svg"): charts.growth(grown(results["growth"])),
    }


if __name__ == "__main__":
    results, held = measure()
    print(
        ratios(results["races"]), curves(results["curves"]), growth(results["growth"]), sep="\n\n"
    )
    if not held:
        sys.exit("a race failed: its two sides disagree, or it is far below its target")
    publish = "--publish" in sys.argv[1:]
    written = {RESULTS: json.dumps(results, indent=1, ensure_ascii=False) + "\n"} | pages(results)
    for page, text in written.items():
        place = page if publish else ROOT / "target" / "bench" / page.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
