"""Append the ratios of a run of `make bench` to a history, and draw it.

    python benches/history.py FOLDER COMMIT

FOLDER holds history.jsonl, a line for each run, and history.svg, which is drawn anew.
"""

import json
import sys
from pathlib import Path

import charts

RESULTS = Path(__file__).resolve().parent.parent / "target" / "bench" / "benches" / "results.json"


def append(folder: Path, commit: str) -> None:
    """Add the last run, as that of this commit."""
    races = json.loads(RESULTS.read_text())["races"]
    ratios = {f"{race['name']} / {race['against']}": round(race["ratio"], 3) for race in races}
    history = folder / "history.jsonl"
    with history.open("a") as lines:
        lines.write(json.dumps({"commit": commit, "ratios": ratios}, ensure_ascii=False) + "\n")
    runs = [json.loads(line) for line in history.read_text().splitlines()]
    (folder / "history.svg").write_text(charts.history(runs))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: history.py FOLDER COMMIT")
    append(Path(sys.argv[1]), sys.argv[2])
