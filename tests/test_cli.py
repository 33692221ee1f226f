"""The command line, in this process and as a process of its own."""

import csv
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats import cli, io
from reclaimstats.cli import demo

DOCS = Path(__file__).resolve().parents[1] / "docs" / "command-line.md"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in this process: exit code, standard output, standard error."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(*argv: object) -> tuple[int, str, str]:
        try:
            code = cli.main([str(word) for word in argv])
        except SystemExit as end:
            code = int(end.code or 0)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return run


def process(*argv: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "reclaimstats", *map(str, argv)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


@pytest.fixture(scope="module")
def trials() -> pl.DataFrame:
    """Scored trials of the simulated study."""
    return (
        rs.simulate(8)
        .with_columns(answer=rs.text.answer_number("reply"))
        .with_columns(outcome=rs.score.outcome("answer", "truth", "drift").cast(pl.String))
        .with_columns(correct=(pl.col("outcome") == "recovered").cast(pl.Int64))
        .select("pid", "policy", "integrity", "arm", "seed", "outcome", "correct")
    )


@pytest.fixture(scope="module")
def log(trials: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "trials.jsonl"
    trials.write_ndjson(path)
    return path


DESIGN = ["--by", "policy", "integrity", "--cluster", "pid"]
CPYTHON = ["--method", "percentile", "--resampler", "cpython"]
PAIRS = ["--contrast", "policy", "--baseline", "lossy", "--pair-by", "pid", "seed", "arm"]


# --- demo


def test_demo_prints_both_tables_and_what_they_say(run: Run) -> None:
    code, out, err = run("demo")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 100
    trials = rs.simulate().filter(arm="directed")
    outcome = rs.score.outcome(rs.text.answer_number("reply"), "truth", "drift")
    trials = trials.with_columns(correct=outcome == "recovered")
    for row in rs.rate(trials, "correct", by=["policy", "integrity"], cluster="pid").to_dicts():
        shown = [f"{row[name]:.3f}" for name in ("estimate", "low", "high")]
        cells = [row["policy"], str(row["integrity"]), str(row["n"]), *shown]
        assert re.search(rf"(?m)^{' +'.join(map(re.escape, cells))}( |$)", out)
    pairs: dict[str, Any] = {"contrast": "policy", "baseline": "lossy", "pair_by": ["pid", "seed"]}
    result = rs.compare(trials, "correct", **pairs, by="integrity", cluster="pid")
    low = dict(result.filter(treatment_level="source-first").select("integrity", "low").rows())
    assert low[0.6] < 0 < low[0.3]
    reading = " ".join(out.split())
    limits = f"0.3 ({low[0.3]:.3f}) and 0.1 ({low[0.1]:.3f}), not at 1.0 and 0.6."
    assert f"The lower limit of the difference is above zero at integrity {limits}" in reading
    assert "lossy gives 96 inherited (the stale total); blank gives 96 abstained" in reading
    assert err.splitlines()[:2] == ["simulating replies to 32 problems", "scoring 3,072 replies"]


def test_demo_depends_on_its_options_and_can_be_quiet(run: Run) -> None:
    code, out, err = run("demo", "--problems", 5, "--seeds", 2, "--seed", 3, "--quiet")
    assert (code, err) == (0, "")
    assert "n_clusters 5" in out
    assert run("demo", "--problems", 5, "--seeds", 2, "--seed", 3, "--quiet")[1] == out
    assert run("demo", "--problems", 5, "--seeds", 2, "--seed", 4, "--quiet")[1] != out


def test_demo_ends_with_a_command_that_prints_its_tables(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run("demo", "--output", "my trials.csv")
    assert code == 0
    assert "wrote my trials.csv" in err
    command = out[out.index("  reclaimstats report") :]
    words = shlex.split(command.replace("\\\n", " "))
    code, again, _ = run(*words[1:])
    assert code == 0
    for row in re.findall(r"(?m)^[a-z-]+ +(?:1\.0|0\.\d) +96 .*$", out):
        assert row in again
    low = re.findall(r"above zero at integrity 0\.3 \((0\.\d+)\)", out)
    assert re.search(rf"(?m)^ *0\.3  source-first .* {low[0]} ", again)


def test_demo_says_when_one_problem_gives_no_interval(run: Run) -> None:
    code, out, _ = run("demo", "--problems", 1)
    assert code == 0
    assert "- The difference has no interval: one cluster." in out


@pytest.mark.parametrize("option", ["--problems", "--seeds"])
def test_demo_refuses_no_problems(run: Run, option: str) -> None:
    code, out, err = run("demo", option, 0)
    assert (code, out) == (2, "")
    assert "=0 must be a whole number from 1" in err


def test_the_reading_is_computed() -> None:
    against = pl.DataFrame({"integrity": [1.0, 0.5], "low": [0.25, -0.1], "reason": [None, None]})
    outcomes = pl.Series(["novel", "inherited", "inherited", "recovered"], dtype=rs.score.OUTCOME)
    trials = pl.DataFrame({"policy": ["lossy", "lossy", "lossy", "blank"], "outcome": outcomes})
    trials = trials.with_columns(integrity=1.0)
    first, second = demo._reading(against, trials)
    assert first.endswith("above zero at integrity 1.0 (0.250), not at 0.5.")
    assert "lossy gives 2 inherited (the stale total), 1 novel (another number); blank" in second
    assert "blank gives 1 recovered (the right total)" in second
    first, second = demo._reading(against.with_columns(low=-pl.lit(0.5)), trials)
    assert first == "At no integrity is the lower limit of the difference above zero."
    assert second.startswith("At integrity 0.5,")
    first, _ = demo._reading(against.with_columns(low=pl.lit(0.5)), trials)
    assert first.endswith("integrity 1.0 (0.500) and 0.5 (0.500), everywhere.")


# --- report


def test_report_prints_and_writes_what_the_library_gives(
    run: Run, trials: pl.DataFrame, log: Path, tmp_path: Path
) -> None:
    files = [tmp_path / f"t.{suffix}" for suffix in ("parquet", "csv", "json", "md", "tex")]
    code, out, err = run("report", log, "--outcome", "correct", *DESIGN, *PAIRS, "--output", *files)
    assert code == 0
    by = ["policy", "integrity"]
    cells = rs.rate(trials, "correct", by=by, cluster="pid")
    comparison = rs.compare(
        trials,
        "correct",
        contrast="policy",
        baseline="lossy",
        pair_by=["pid", "seed", "arm"],
        by="integrity",
        cluster="pid",
    )
    assert out == f"{rs.report.to_text(cells)}\n\n{rs.report.to_text(comparison)}\n"
    for stem, table in (("t", cells), ("t-comparison", comparison)):
        assert_frame_equal(pl.read_parquet(tmp_path / f"{stem}.parquet"), table)
        assert json.loads((tmp_path / f"{stem}.json").read_text()) == table.to_dicts()
        assert (tmp_path / f"{stem}.md").read_text() == rs.report.to_markdown(table) + "\n"
        assert (tmp_path / f"{stem}.tex").read_text() == rs.report.to_latex(table) + "\n"
        assert (tmp_path / f"{stem}.csv").read_text() == table.write_csv()
    assert err.splitlines() == [
        f"wrote {file.with_stem(stem)}" for file in files for stem in ("t", "t-comparison")
    ]


def test_every_format(run: Run, trials: pl.DataFrame, log: Path) -> None:
    cells = rs.rate(trials, "correct", by="policy", cluster="pid")
    base = ["report", log, "--outcome", "correct", "--by", "policy", "--cluster", "pid"]
    assert run(*base, "--format", "markdown")[1] == rs.report.to_markdown(cells) + "\n"
    assert run(*base, "--format", "latex")[1] == rs.report.to_latex(cells) + "\n"
    assert run(*base, "--format", "csv")[1] == cells.write_csv()
    assert json.loads(run(*base, "--format", "json")[1]) == cells.to_dicts()
    both = json.loads(run(*base, *PAIRS, "integrity", "--format", "json")[1])
    assert both["cells"] == cells.to_dicts()
    assert [row["treatment_level"] for row in both["comparison"]] == [
        "blank",
        "lossy-padded",
        "source-first",
    ]
    first, second = run(*base, *PAIRS, "integrity", "--format", "csv")[1].split("\n\n")
    assert first + "\n" == cells.write_csv()
    assert len(list(csv.reader(second.splitlines()))) == 4


def test_a_narrow_terminal_is_respected(
    run: Run, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    code, out, _ = run("report", log, "--outcome", "correct", *DESIGN, *PAIRS)
    assert code == 0
    assert max(map(len, out.splitlines())) <= 70


def test_formats_may_be_mixed(run: Run, trials: pl.DataFrame, log: Path, tmp_path: Path) -> None:
    parquet, table = tmp_path / "t.parquet", tmp_path / "t.csv"
    trials.write_parquet(parquet)
    trials.with_columns(correct=pl.col("correct").cast(pl.Float64)).write_csv(table)
    files = [log, parquet, table]
    options = ["--outcome", "correct", "--file-column", "file", "--by", "file", "policy"]
    code, out, _ = run("report", *files, *options, "--cluster", "pid", "--format", "json")
    assert code == 0
    expected = rs.rate(trials, "correct", by="policy", cluster="pid").to_dicts()
    rows = json.loads(out)
    for file in files:
        assert [row | {"file": None} for row in rows if row["file"] == str(file)] == [
            row | {"file": None} for row in expected
        ]


@pytest.mark.parametrize("outcome", ["outcome=recovered", "correct", "correct=1", "outcome!=novel"])
def test_outcomes(run: Run, trials: pl.DataFrame, log: Path, outcome: str) -> None:
    expression = pl.col("outcome") != "novel" if "!" in outcome else pl.col("correct") == 1
    code, out, err = run("report", log, "--outcome", outcome, "--by", "policy", "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out) == rs.rate(trials, expression, by="policy").to_dicts()


def test_an_outcome_that_never_occurs_is_refused(run: Run, log: Path) -> None:
    code, out, err = run("report", log, "--outcome", "outcome=recoverd", "--format", "json")
    assert (code, out) == (1, "")
    assert "no row meets --outcome outcome=recoverd; 'outcome' holds 'abstained', " in err


WHERE: list[tuple[list[str], pl.Expr]] = [
    (["arm=directed"], pl.col("arm") == "directed"),
    (["policy=lossy", "policy=blank"], pl.col("policy").is_in(["lossy", "blank"])),
    (["policy!=lossy", "policy!=blank"], ~pl.col("policy").is_in(["lossy", "blank"])),
    (["integrity=1", "seed=0"], (pl.col("integrity") == 1) & (pl.col("seed") == 0)),
    (["integrity!=0.60"], pl.col("integrity") != 0.6),
    (["flag=TRUE"], pl.col("flag")),
    (["flag="], pl.col("flag").is_null()),
    (["flag!="], pl.col("flag").is_not_null()),
    (["flag!=true"], pl.col("flag").eq_missing(True).not_()),
    (["word="], pl.col("word").is_null() | (pl.col("word") == "")),
    (["word=a=b"], pl.col("word") == "a=b"),
    (["kind=x"], pl.col("kind") == "x"),
]


@pytest.mark.parametrize(("where", "expected"), WHERE)
def test_where(
    run: Run, trials: pl.DataFrame, tmp_path: Path, where: list[str], expected: pl.Expr
) -> None:
    n = trials.height
    marked = trials.with_columns(
        flag=pl.Series([True, False, None] * n).head(n),
        word=pl.Series(["", "a=b", None, "c", "d"] * n).head(n),
        kind=pl.Series(["x", "y"] * n).head(n).cast(pl.Categorical),
    )
    path = tmp_path / "t.parquet"
    marked.write_parquet(path)
    code, out, _ = run(
        "report", path, "--outcome", "correct", "--where", *where, "--format", "json"
    )
    assert code == 0
    (row,) = json.loads(out)
    assert 0 < row["n"] < n
    assert row == rs.rate(marked.filter(expected), "correct").row(0, named=True)


def test_where_in(run: Run, trials: pl.DataFrame, log: Path, tmp_path: Path) -> None:
    listed = tmp_path / "listed.csv"
    listed.write_text("pid\npurchase-0001\npurchase-0003\npurchase-0003\nelsewhere\n")
    base = ["report", log, "--outcome", "correct", "--format", "json"]
    code, out, _ = run(*base, "--where-in", f"pid={listed}")
    assert code == 0
    kept = trials.filter(pl.col("pid").is_in(["purchase-0001", "purchase-0003"]))
    assert json.loads(out) == rs.rate(kept, "correct").to_dicts()
    code, _, err = run(*base, "--where-in", f"seed={listed}")
    assert code == 1
    assert f"--where-in {listed}: columns: no column 'seed'" in err
    (tmp_path / "seeds.csv").write_text("seed\nx\n")
    code, _, err = run(*base, "--where-in", f"seed={tmp_path / 'seeds.csv'}")
    assert code == 1
    assert "column 'seed' has type Int64 in the trials and String" in err


def test_a_column_with_the_name_of_a_result_can_be_renamed(
    run: Run, trials: pl.DataFrame, log: Path
) -> None:
    code, _, err = run("report", log, "--outcome", "correct", "--by", "seed")
    assert code == 1
    assert "by: column 'seed' has the name of a result column; rename it first" in err
    renamed = ["--rename", "seed=run", "arm=unused", "--by", "run", "--where", "run!=2"]
    code, out, _ = run("report", log, "--outcome", "correct", *renamed, "--format", "json")
    assert code == 0
    kept = trials.rename({"seed": "run"}).filter(pl.col("run") != 2)
    assert json.loads(out) == rs.rate(kept, "correct", by="run").to_dicts()


def test_interval_options_reach_the_library(run: Run, trials: pl.DataFrame, log: Path) -> None:
    options = ["--method", "percentile", "--resampler", "monte-carlo", "--n-resamples", 99]
    options += ["--confidence-level", 0.8, "--seed", 7, "--cluster", "pid"]
    code, out, _ = run("report", log, "--outcome", "correct", *options, "--format", "json")
    assert code == 0
    assert (
        json.loads(out)
        == rs.rate(
            trials,
            "correct",
            cluster="pid",
            method="percentile",
            resampler="monte-carlo",
            n_resamples=99,
            confidence_level=0.8,
            seed=7,
        ).to_dicts()
    )


# --- what can be wrong

USAGE: list[tuple[list[object], str]] = [
    ([], "the following arguments are required: COMMAND"),
    (["reprot"], "invalid choice: 'reprot'"),
    (["report", "LOG"], "the following arguments are required: --outcome"),
    (["report", "LOG", "--outcome", "correct", "--outpt", "x.md"], "unrecognized arguments"),
    (["report", "LOG", "--outcome", "correct", "--method", "wald"], "invalid choice: 'wald'"),
    (["report", "LOG", "--outcome", "correct", "--where", "arm"], "is not COL=VALUE or COL!=VALUE"),
    (["report", "LOG", "--outcome", "correct", "--rename", "arm"], "has no = between two names"),
    (["report", "LOG", "--outcome", "correct", "--confidence-level", 95], "between 0 and 1"),
    (
        ["report", "LOG", "--outcome", "correct", "--contrast", "arm"],
        "add --baseline and --pair-by",
    ),
    (["report", "LOG.gone", "--outcome", "correct"], "there is no file"),
    (["report", "DIR", "--outcome", "correct"], "is a directory; name the files in it"),
    (["report", "LOG", "gone.txt", "--outcome", "correct"], "there is no file gone.txt"),
    (["report", "DIR/empty.xlsx", "--outcome", "correct"], "read are .jsonl, .ndjson, .json"),
    (["report", "LOG", "--outcome", "correct", "--output", "a.doc"], "suffix must be one of"),
    (["report", "LOG", "--outcome", "correct", "--output", "no/a.md"], "no directory no"),
    (["report", "LOG", "--outcome", "correct", "--output", "LOG"], "would overwrite the trials"),
    (["report", "LOG.gone", "--outcome", "correct", "--output", "a.doc"], "cannot write a.doc"),
    (["demo", "--output", "a.doc"], "suffix must be one of"),
]


@pytest.mark.parametrize(("words", "message"), USAGE)
def test_usage_errors(
    run: Run, log: Path, tmp_path: Path, words: list[object], message: str
) -> None:
    (tmp_path / "empty.xlsx").touch()
    places = {"LOG": str(log), "DIR": str(tmp_path)}
    before = log.read_bytes()
    code, out, err = run(*(re.sub("LOG|DIR", lambda m: places[m[0]], str(w)) for w in words))
    assert (code, out) == (2, "")
    assert message in err
    assert log.read_bytes() == before


DATA: list[tuple[list[str], str]] = [
    (["--outcome", "corect"], "no column 'corect'; did you mean 'correct'?"),
    (["--outcome", "correct", "--cluster", "pids"], "no column 'pids'; did you mean 'pid'?"),
    (["--outcome", "seed"], "holds 256 values other than 0 and 1, such as 2"),
    (
        ["--outcome", "outcome"],
        "'recovered'; say which of these is the success: --outcome outcome=VALUE",
    ),
    (
        ["--outcome", "correct", "--where", "arm=directd"],
        "no rows left: none of 768 meets --where arm=directd; 'arm' holds 'directed', 'generic'",
    ),
    (
        ["--outcome", "correct", "--where", "policy=blank", "outcome=recovered"],
        "none of 768 meets --where policy=blank and --where outcome=recovered together",
    ),
    (["--outcome", "correct", "--where", "seed=x"], "column 'seed' holds numbers; 'x' is none"),
    (
        ["--outcome", "correct", *PAIRS],
        "pair keys occur more than once, such as {'policy': 'blank', 'pid': 'purchase-0000', ",
    ),
    (
        ["--outcome", "correct", *PAIRS, "integrity", "--baseline", "losy"],
        "baseline='losy' does not occur in 'policy', which holds 'blank', 'lossy'",
    ),
    (
        ["--outcome", "correct", *CPYTHON, "--cluster", "pid"],
        "leave cluster= out",
    ),
]


@pytest.mark.parametrize(("options", "message"), DATA)
def test_data_errors(run: Run, log: Path, options: list[str], message: str) -> None:
    code, out, err = run("report", log, *options)
    assert (code, out) == (1, "")
    assert message in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b"", "t.jsonl", "is empty; leave it out"),
        (b"correct,pid\n", "t.csv", "the files hold no rows"),
        (b"PAR1", "t.parquet", "is no Parquet file"),
        (b'{"correct": true}\n{"correct": "yes"}\n', "t.jsonl", "holds 'true', 'yes'"),
        (b'{"correct": "%b"}\n' % (b"x" * 99), "t.jsonl", f"holds '{'x' * 38}…; say which"),
        (b'{"correct": true, "flag": "no"}\n', "t.jsonl", "no column 'pid'"),
    ],
)
def test_files_that_hold_no_table(
    run: Run, tmp_path: Path, data: bytes, name: str, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    cluster = ["--cluster", "pid"] if b"flag" in data else []
    code, out, err = run("report", path, "--outcome", "correct", *cluster)
    assert (code, out) == (1, "")
    assert message in err


def test_broken_lines_stop_the_report_or_are_counted(run: Run, log: Path, tmp_path: Path) -> None:
    lines = log.read_text().splitlines()
    for number in (700, 500, 3, 2):
        lines.insert(number - 1, lines[number][:-3])
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join(lines) + "\n")
    options = ["--outcome", "correct", *DESIGN, "--format", "csv"]
    code, out, err = run("report", broken, *options)
    assert (code, out) == (1, "")
    assert f"{broken}, line 2: no JSON object (" in err
    assert "--skip-broken-lines" in err
    code, out, err = run("report", broken, *options, "--skip-broken-lines", "--quiet")
    assert code == 0
    assert out == run("report", log, *options)[1]
    assert err.count("line") == 5
    assert "skipped 4 broken lines, kept 768 good: line 2 (" in err
    assert err.rstrip().endswith("), …")


def test_a_file_that_cannot_be_written(run: Run, log: Path, tmp_path: Path) -> None:
    (tmp_path / "t.md").mkdir()
    code, out, err = run("report", log, "--outcome", "correct", "--output", tmp_path / "t.md")
    assert (code, out) == (2, "")
    assert err.startswith("reclaimstats: error: Is a directory: ")


def test_long_reads_say_how_far_they_are(
    run: Run, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(io, "_BLOCK", 20_000)
    clock = iter(range(1000))
    monkeypatch.setattr("reclaimstats.cli.report.time.monotonic", lambda: next(clock))
    code, _, err = run("report", log, "--outcome", "correct")
    assert code == 0
    assert re.fullmatch(rf"(reading {re.escape(str(log))}: \d+%\n)+", err)
    assert run("report", log, "--outcome", "correct", "--quiet")[2] == ""


# --- audit


FIGURES = """figure,printed,n,treatment,baseline,of,label
rate,0.50,12,,,,a
mean,68.4 ± 13.9,3,,,19,b
p,.022,100,92.0%,83.0%,,c
"""


def test_audit_prints_and_writes_what_the_library_gives(run: Run, tmp_path: Path) -> None:
    figures = tmp_path / "figures.csv"
    figures.write_text(FIGURES, encoding="utf-8")
    files = [tmp_path / f"t.{suffix}" for suffix in ("parquet", "csv", "json", "md")]
    code, out, err = run("audit", figures, "--output", *files, "--max-tables", 5)
    assert code == 0
    found = rs.audit(io.read(figures, as_text=True), max_tables=5)
    tables = found.tables.drop("counts").with_columns(
        scores=pl.Series([None, "10 14 15", "11 12 16", None], dtype=pl.String)
    )
    assert out == f"{rs.report.to_text(found.figures)}\n\n{rs.report.to_text(tables)}\n"
    assert_frame_equal(pl.read_parquet(tmp_path / "t.parquet"), found.figures)
    assert_frame_equal(pl.read_parquet(tmp_path / "t-tables.parquet"), tables)
    assert (tmp_path / "t-tables.csv").read_text() == tables.write_csv()
    assert err.count("wrote") == 8
    code, out, _ = run("audit", figures, "--max-tables", 5, "--format", "json")
    assert json.loads(out) == {"figures": found.figures.to_dicts(), "tables": tables.to_dicts()}


def test_audit_ends_with_1_where_no_table_prints_so(run: Run, tmp_path: Path) -> None:
    lines = tmp_path / "figures.jsonl"
    lines.write_text('{"figure": "p", "printed": ".01", "n": 4}\n')
    code, out, err = run("audit", lines)
    assert (code, err) == (1, "")
    assert "none" in out
    # What cannot be said is no fault of the figure, and its reason is not cut.
    lines.write_text('{"figure": "p", "printed": "n.s.", "n": 4}\n' * 2)
    code, out, _ = run("audit", lines)
    assert code == 0
    assert "There are no rows" not in out
    lines.write_text('{"figure": "x", "printed": "1", "n": 4}\n{"figure": "p", "printed": ".01"}\n')
    assert '"x" is none of rate, interval, difference, p, kappa, mean\n' in run("audit", lines)[1]


def test_audit_halves_go_by_the_rule(run: Run, tmp_path: Path) -> None:
    lines = tmp_path / "figures.jsonl"
    lines.write_text('{"figure": "rate", "printed": "0.12", "n": 24}\n')
    assert run("audit", lines)[0] == 0
    assert run("audit", lines, "--rounding", "half-even")[0] == 0
    assert run("audit", lines, "--rounding", "half-up")[0] == 1


def test_audit_says_what_is_wrong(run: Run, tmp_path: Path) -> None:
    lines = tmp_path / "figures.jsonl"
    lines.write_text('{"figure": "rate", "printed": 0.5, "n": 12}\n')
    code, out, err = run("audit", lines)
    assert (code, out) == (1, "")
    assert "'printed' has type Float64; it must be text" in err
    lines.write_text('{"figure": "rate", "n": 12}\n')
    assert "no column 'printed'" in run("audit", lines)[2]
    assert run("audit", tmp_path / "none.csv")[0] == 2
    lines.write_text('{"figure": "rate", "printed": "0.5", "n": 12}\n')
    assert run("audit", lines, "--confidence-level", 95)[0] == 2
    assert run("audit", lines, "--output", lines)[0] == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--problems", 0, "--design", "writers"], "--problems=0 must be a whole number from 1"),
        (["--seeds", 0], "--seeds=0 must be a whole number from 1"),
        (["--files", "x.json"], "--design wall reads no files; --files is for bookings"),
    ],
)
def test_studies_refuse_what_they_would_not_use(run: Run, options: list[Any], message: str) -> None:
    code, out, err = run("study", "reclaim", *options)
    assert (code, out) == (2, "")
    assert message in err


# --- as a process


def test_help_names_the_exit_codes(run: Run) -> None:
    for words in (["--help"], ["demo", "--help"], ["report", "--help"], ["audit", "--help"]):
        code, out, _ = run(*words)
        assert code == 0
        assert "exit codes:\n  0  done\n  1  the data cannot give" in out
    assert run("--version")[1].strip() == rs.__version__


def test_a_process_exits_with_its_code(log: Path) -> None:
    done = process("report", log, "--outcome", "correct", "--by", "policy")
    assert (done.returncode, done.stderr) == (0, "")
    assert "lossy-padded" in done.stdout
    assert process("report", log, "--outcome", "nothing").returncode == 1
    assert process("report", "nowhere.jsonl", "--outcome", "nothing").returncode == 2


def test_a_terminal_without_unicode_still_shows_the_table(log: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = process("report", log, "--outcome", "correct", *DESIGN, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "0.000" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="pipes break differently there")
def test_a_reader_that_leaves_early_is_no_error(log: Path) -> None:
    command = [sys.executable, "-m", "reclaimstats", "report", str(log)]
    reading, writing = os.pipe()
    os.close(reading)  # nobody will ever read
    done = subprocess.run(
        [*command, "--outcome", "correct", "--by", "pid", "policy"],
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


# --- the documentation


def test_the_documented_commands_print_what_is_documented(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code = 0

    def executed(block: re.Match[str]) -> str:
        nonlocal code
        shown = ""
        for command in re.findall(r"(?m)^\$ (.*)$", block[0]):
            words = shlex.split(command)
            if words == ["echo", "$?"]:
                out, err = f"{code}\n", ""
            elif words[0] == "head":
                Path(words[5]).write_bytes(Path(words[3]).read_bytes()[: int(words[2])])
                out, err = "", ""
            elif words[0] == "printf":
                Path(words[3]).write_text(words[1].replace("\\n", "\n"), encoding="utf-8")
                out, err = "", ""
            else:
                code, out, err = run(*words[1:])
            shown += f"$ {command}\n{err}{out}"
        return f"```console\n{shown}```\n"

    documented = DOCS.read_text(encoding="utf-8")
    true, n_blocks = re.subn(r"(?ms)^```console\n.*?^```\n", executed, documented)
    assert n_blocks > 0
    corrected = tmp_path / DOCS.name
    corrected.write_text(true, encoding="utf-8")
    assert true == documented, f"the page as it should be is in {corrected}"


# --- published figures


def test_the_published_integrity_table_to_the_last_bit(
    run: Run, reference: Path, tmp_path: Path
) -> None:
    folder = reference / "data" / "reclaim-eval"
    expected = json.loads((folder / "expected.json").read_text())["integrity"]
    names = [name for name in expected if name.endswith("_arith")]
    assert len(names) == 2
    options = ["--where", "arm=directed", "--where-in", f"pid={folder / 'problems.jsonl'}"]
    options += [*CPYTHON, "--format", "json"]
    options += ["--file-column", "file", "--by", "file", "integrity", "policy"]
    files = [folder / f"{name}.jsonl" for name in names]
    written = tmp_path / "t.parquet"
    code, out, _ = run("report", *files, "--outcome", "correct", *options, "--output", written)
    assert code == 0
    for rows in (json.loads(out), pl.read_parquet(written).to_dicts()):
        found = {
            (Path(row["file"]).stem, row["integrity"], row["policy"]): (
                row["n"],
                row["estimate"],
                row["low"],
                row["high"],
            )
            for row in rows
        }
        assert found == {
            (name, cell["integrity"], cell["policy"]): (
                cell["n"],
                cell["mean"],
                cell["low"],
                cell["high"],
            )
            for name in names
            for cell in expected[name]
        }


def test_an_outcome_that_no_file_holds_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("outcome,arm\nrecovered,a\nlost,b\n")
    code, out, err = run("report", file, "--outcome", "outcome=recoverd")
    assert (code, out) == (1, "")
    assert "'lost', 'recovered'" in err
    code, out, err = run(
        "report", file, "--outcome", "outcome=recovered", "--where", "arm=b", "--format", "csv"
    )
    assert code == 0
    assert "no row meets" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--design wall --problems 0", "--problems=0 must be a whole number from 1"),
        ("--design logic-wall --problems 1", "--problems=1 must be a whole number from 2"),
        ("--design wall --files a.json", "wall reads no files; --files is for bookings and"),
        ("--design cascade --reader mixed", "cascade takes no other reader"),
        ("--design prevalence --reader mixed", "prevalence takes no other reader"),
    ],
)
def test_what_a_study_would_leave_unread_is_refused(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["study", "reclaim", *words.split()]) == 2
    assert said in capsys.readouterr().err


def test_a_study_without_an_error_of_its_own_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--design", "endogenous", "--problems", "1", "--seeds", "1", "--seed", "3"]
    assert cli.main(["study", "reclaim", *words]) == 1
    assert "no first session went wrong" in capsys.readouterr().err


def test_a_study_is_written_before_it_is_printed(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    words = f"study reclaim --problems 2 --quiet --output {shlex.quote(str(folder))}"
    command = f"{shlex.quote(sys.executable)} -m reclaimstats {words} | true"
    subprocess.run(command, shell=True, check=True, timeout=120)
    assert {"trials.parquet", "checks.csv"} <= {path.name for path in folder.iterdir()}
