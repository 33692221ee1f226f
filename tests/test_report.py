"""Tables for people and for files."""

import json
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats import report
from reclaimstats.errors import ColumnError, OptionError

TRIALS = rs.simulate(6, integrities=[1.0, 0.1], arms=["directed"]).with_columns(
    correct=rs.score.outcome(rs.text.answer_number("reply"), "truth", "drift") == "recovered"
)
CELLS = rs.rate(TRIALS, "correct", by=["policy", "integrity"], cluster="pid")
COMPARISON = rs.compare(
    TRIALS,
    "correct",
    contrast="policy",
    baseline="lossy",
    pair_by=["pid", "seed"],
    by="integrity",
    cluster="pid",
)


def table(text: str) -> list[list[str]]:
    """Return the cells of the first block of a text table, without its head."""
    lines = text.split("\n\n", maxsplit=1)[0].splitlines()
    rule = next(i for i, line in enumerate(lines) if set(line) <= {"-", " "})
    return [line.split() for line in lines[rule + 1 :]]


def null_columns(frame: pl.DataFrame) -> int:
    return sum(column.null_count() == frame.height for column in frame)


# --- rounding


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("estimate", 0.8333333, "0.833"),
        ("estimate", 1.0, "1.000"),
        ("difference", -0.0001, "0.000"),
        ("difference", -0.0006, "-0.001"),
        ("n", 1234567, "1234567"),
        ("sign_p", 1.0, "1.0"),
        ("mcnemar_p", 0.0468, "0.047"),
        ("mcnemar_p", 0.0012, "0.0012"),
        ("permutation_p", 3.05e-34, "3.0e-34"),
        ("permutation_p", 2.5e-310, "<1e-307"),
        ("estimate", None, "–"),
    ],
)
def test_numbers_are_rounded_for_reading(name: str, value: float | None, shown: str) -> None:
    other = None if value is not None else 0.5  # a column of nulls alone would go
    frame = pl.DataFrame({"policy": ["a", "b"], name: [value, other]})
    assert table(report.to_text(frame))[0] == ["a", shown]


def test_keys_are_shown_as_they_are() -> None:
    keys = {"integrity": [1.0, 0.25, 1 / 3], "ok": [True, False, None], "of": ["x", None, "y"]}
    shown = table(report.to_text(pl.DataFrame(keys).with_columns(n=7)))
    assert shown == [
        ["1.0", "true", "x", "7"],
        ["0.25", "false", "–", "7"],
        ["0.333333", "–", "y", "7"],
    ]


# --- what is left out


def test_null_columns_go_and_constants_are_said_once() -> None:
    text = report.to_text(CELLS)
    head, _, note = text.partition("\n\n")
    assert "n_resamples" not in text
    assert "method" not in head
    assert note == (
        "In every row: n_clusters 6, n_missing 0, method wilson-effective, confidence_level 0.95."
    )
    for view in (report.to_markdown(CELLS), report.to_latex(CELLS)):
        assert "method wilson-effective" in view


def test_what_differs_between_rows_stays() -> None:
    last = pl.int_range(CELLS.height) == CELLS.height - 1
    frame = CELLS.with_columns(
        n_missing=last.cast(pl.Int64), method=pl.when(last).then(pl.lit("b"))
    )
    head = report.to_markdown(frame).splitlines()[0]
    assert "n_missing" in head
    assert "method" in head
    assert "n_clusters" not in head


def test_clusters_left_out_are_spoken_of() -> None:
    assert "every trial counts as independent" in report.to_text(rs.rate(TRIALS, "correct"))
    assert "independent" not in report.to_text(CELLS)


def test_no_rows_and_no_columns() -> None:
    assert report.to_text(CELLS.head(0)).endswith("There are no rows.")
    assert "policy" in report.to_text(CELLS.head(0))
    assert "There are no rows." in report.to_markdown(pl.DataFrame())


# --- the terminal


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_lines_fit_and_no_column_is_lost(width: int) -> None:
    text = report.to_text(COMPARISON, width=width)
    assert max(map(len, text.splitlines())) <= width
    parts = text.split("\n\n")
    (note,) = (part for part in parts if part.startswith("In every row: baseline_level"))
    blocks = parts[: parts.index(note)]
    n_columns = 0
    for block in (block.splitlines() for block in blocks):
        rule = next(i for i, line in enumerate(block) if set(line) <= {"-", " "})
        assert len(block) - rule - 1 == COMPARISON.height
        assert block[rule + 1].split()[:2] == ["0.1", "blank"]
        n_columns += len(block[rule].split()) - 2
    said_once = note.count(",") + 1
    in_words = 1
    # Logarithms of p-values are for reading on, not for reading.
    logarithms = sum(name.endswith("_log_p") for name in COMPARISON.columns)
    lost = null_columns(COMPARISON.select(pl.exclude("^.*_log_p$")))
    shown = n_columns + 2 + said_once + in_words
    assert shown == COMPARISON.width - logarithms - lost


def test_readings_stand_below_the_table_beside_their_rows() -> None:
    frame = pl.DataFrame(
        {"policy": ["a", "b", "c", "d"], "n": [7] * 4, "reading": ["x; y", "z", "x; y", None]}
    )
    for view in (report.to_text(frame), report.to_markdown(frame), report.to_latex(frame)):
        head, *_ = view.split("d", 1)
        assert "reading" not in view
        assert "a, c: x; y." in view
        assert "b: z." in view
        assert "x; y" not in head
    same = report.to_text(frame.with_columns(reading=pl.lit("x")))
    assert same.endswith("In every row: x.")


def test_columns_are_aligned_by_places_not_characters() -> None:
    frame = pl.DataFrame({"名": ["日本", "e\u0301x", "abcdef"], "n": [1, 20, 300]})
    lines = report.to_text(frame).splitlines()
    assert lines == [
        "名        n",
        "------  ---",
        "日本      1",
        "e\u0301x       20",
        "abcdef  300",
    ]


def test_text_cannot_break_the_table() -> None:
    frame = pl.DataFrame({"reply": ["a\nb\x1b[2J\u202e", "x" * 50], "n": [1, 2]})
    lines = report.to_text(frame).splitlines()
    assert len(lines) == 4
    assert "\x1b" not in lines[2]
    assert "\u202e" not in lines[2]
    assert lines[3] == "x" * 39 + "…  2"
    assert "x" * 50 in report.to_markdown(frame)


# --- Markdown and LaTeX


def test_markdown_escapes_what_would_be_markup() -> None:
    frame = pl.DataFrame({"a|b": ["x|y", "*b* `c` [d] <e> \\f &amp;", "_g_ h_i __j__"], "n": 1})
    lines = report.to_markdown(frame).splitlines()
    assert lines == [
        r"| a\|b | n |",
        "| :--- | ---: |",
        r"| x\|y | 1 |",
        r"| \*b\* \`c\` \[d\] \<e> \\f \&amp; | 1 |",
        r"| \_g\_ h_i \_\_j\_\_ | 1 |",
    ]


def test_latex_escapes_and_typesets_numbers() -> None:
    frame = pl.DataFrame(
        {
            "a_b": [r"5% & $3 #1 {x} ~ ^ \ <>", "y"],
            "n": [1, None],
            "difference": [-0.5, 0.25],
            "sign_p": [1.24e-10, 0.5],
            "method": ["m_1", "m_1"],
        }
    )
    escaped = (
        r"5\% \& \$3 \#1 \{x\} \textasciitilde{} \textasciicircum{} \textbackslash{} "
        r"\textless{}\textgreater{}"
    )
    assert report.to_latex(frame).splitlines()[1:] == [
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"a\_b & n & difference & sign\_p \\",
        r"\midrule",
        rf"{escaped} & 1 & $-0.500$ & $1.2 \times 10^{{-10}}$ \\",
        r"y & -- & 0.250 & 0.50 \\",
        r"\bottomrule",
        r"\multicolumn{4}{l}{\footnotesize In every row: method m\_1.} \\",
        r"\end{tabular}",
    ]


# --- files


def test_files_for_programs_hold_everything(tmp_path: Path) -> None:
    for suffix in ("parquet", "csv", "json", "jsonl", "ndjson", "JSON"):
        report.write(COMPARISON, tmp_path / f"t.{suffix}")
    assert_frame_equal(pl.read_parquet(tmp_path / "t.parquet"), COMPARISON)
    rows = COMPARISON.to_dicts()
    assert json.loads((tmp_path / "t.json").read_text()) == rows
    assert json.loads((tmp_path / "t.JSON").read_text()) == rows
    lines = (tmp_path / "t.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == rows
    assert (tmp_path / "t.ndjson").read_bytes() == (tmp_path / "t.jsonl").read_bytes()
    back = pl.read_csv(tmp_path / "t.csv", schema_overrides=COMPARISON.schema)
    assert_frame_equal(back, COMPARISON, check_exact=True)


def test_files_for_people_hold_the_views(tmp_path: Path) -> None:
    report.write(CELLS, tmp_path / "t.md")
    report.write(CELLS, str(tmp_path / "t.tex"))
    assert (tmp_path / "t.md").read_text(encoding="utf-8") == report.to_markdown(CELLS) + "\n"
    assert (tmp_path / "t.tex").read_text(encoding="utf-8") == report.to_latex(CELLS) + "\n"


def test_what_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"suffix must be one of \.parquet, \.csv, .*\.tex"):
        report.write(CELLS, tmp_path / "t.xlsx")
    nested = pl.DataFrame({"a": [1], "words": [["x"]]})
    with pytest.raises(ColumnError, match="'words' holds lists or objects, which CSV cannot"):
        report.write(nested, tmp_path / "t.csv")
    with pytest.raises(OSError, match="nowhere"):
        report.write(CELLS, tmp_path / "nowhere" / "t.csv")
