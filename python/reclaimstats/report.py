"""Tables: rounded for people (text, Markdown, LaTeX), exact for programs (Parquet, CSV, JSON).

What people read leaves out columns that are null throughout, and says what is the same in every
row, such as the method, once below the table; there also stands what `reading` says of a row. What
programs read holds every column.
"""

import os
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from reclaimstats.errors import ColumnError, OptionError

__all__ = ["to_latex", "to_markdown", "to_text", "writable_suffix", "write"]

_P_VALUES = {
    "beyond_p",
    "cmh_p",
    "fisher_p",
    "flip_p",
    "mcnemar_p",
    "permutation_p",
    "position_p",
    "pvalue",
    "sd_p",
    "sign_p",
}
# Where one of these is the same in every row, it is said once.
_SAID_ONCE = {
    "baseline_level",
    "n_clusters",
    "n_missing",
    "n_unpaired_treatment",
    "n_unpaired_baseline",
    "method",
    "confidence_level",
    "n_resamples",
    "seed",
    "reason",
}
# The columns in front of the first of these tell rows apart.
_RESULTS = {*_SAID_ONCE, *_P_VALUES, "n", "n_pairs", "estimate", "treatment", "difference", "low"}
# What is said of a row in words stands below the table.
_WORDS = "reading"
_NOTHING = "–"
_LONGEST, _SHORT_NAME = 40, 8
_REASON = "reason"
_GAP = "  "
_MARKDOWN = re.compile(r"[\\`*<&|\[\]]|(?<![^\W_])_|_(?![^\W_])")
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "–": "--",
    }
)


def to_text(frame: pl.DataFrame, *, width: int = 100) -> str:
    """Render a table of results for a terminal.

    A row is a row of the frame; nulls are dashes. Columns that do not fit go into further blocks
    below, each beginning with the columns that tell rows apart. Text longer than 40 characters
    is cut.

    Args:
        frame: A result of `rate`, `compare` or another verb, or columns of one.
        width: Characters per line.

    Returns:
        Lines, without a line end behind the last.

    Examples:
        >>> import polars as pl
        >>> from reclaimstats import report
        >>> cells = {"policy": ["blank", "lossy"], "n": [96, 96], "estimate": [0.0, 0.8333333]}
        >>> print(report.to_text(pl.DataFrame(cells).with_columns(method=pl.lit("wilson"))))
        policy   n  estimate
        ------  --  --------
        blank   96     0.000
        lossy   96     0.833
        <BLANKLINE>
        In every row: method wilson.
    """
    view = _View.of(frame)
    columns = [_TextColumn.of(column) for column in view.columns]
    keys = columns[: view.n_keys]
    room = width - sum(column.width + len(_GAP) for column in keys)
    blocks: list[list[_TextColumn]] = [[]]
    left = room
    for column in columns[view.n_keys :]:
        if blocks[-1] and column.width > left:
            blocks.append([])
            left = room
        blocks[-1].append(column)
        left -= column.width + len(_GAP)
    notes = [textwrap.fill(note, width) for note in view.notes]
    return "\n\n".join([*(_text_block(keys + block) for block in blocks), *notes])


def to_markdown(frame: pl.DataFrame) -> str:
    r"""Render a table of results for a Markdown document.

    A row is a row of the frame; nulls are dashes.

    Args:
        frame: A result of `rate`, `compare` or another verb, or columns of one.

    Returns:
        A pipe table, and below it a paragraph with what is the same in every row.

    Examples:
        >>> import polars as pl
        >>> from reclaimstats import report
        >>> cells = pl.DataFrame({"policy": ["a|b"], "n": [96], "estimate": [5 / 6]})
        >>> print(report.to_markdown(cells))
        | policy | n | estimate |
        | :--- | ---: | ---: |
        | a\|b | 96 | 0.833 |
    """
    view = _View.of(frame)
    names = [_markdown(column.name) for column in view.columns]
    rules = ["---:" if column.numeric else ":---" for column in view.columns]
    rows = [[_markdown(cell) for cell in row] for row in view.rows()]
    table = "\n".join(f"| {' | '.join(row)} |" for row in (names, rules, *rows))
    return "\n\n".join([table, *map(_markdown, view.notes)])


def to_latex(frame: pl.DataFrame) -> str:
    r"""Render a table of results as a LaTeX tabular with the rules of the booktabs package.

    A row is a row of the frame; nulls are dashes. It goes into a table environment, beside a
    caption of your own.

    Args:
        frame: A result of `rate`, `compare` or another verb, or columns of one.

    Returns:
        The tabular; below its last rule stands what is the same in every row.

    Examples:
        >>> import polars as pl
        >>> from reclaimstats import report
        >>> cells = pl.DataFrame({"policy": ["a_b"], "n": [96], "sign_p": [1.2e-9]})
        >>> print(report.to_latex(cells))
        % in the preamble: \usepackage{booktabs}
        \begin{tabular}{lrr}
        \toprule
        policy & n & sign\_p \\
        \midrule
        a\_b & 96 & $1.2 \times 10^{-9}$ \\
        \bottomrule
        \end{tabular}
    """
    view = _View.of(frame)
    written = [_latex_number if column.numeric else _latex for column in view.columns]
    rows = [[latex(cell) for latex, cell in zip(written, row, strict=True)] for row in view.rows()]
    alignment = "".join("r" if column.numeric else "l" for column in view.columns)
    foot = [
        rf"\multicolumn{{{len(alignment)}}}{{l}}{{\footnotesize {_latex(note)}}} \\"
        for note in view.notes
    ]
    lines = [
        r"% in the preamble: \usepackage{booktabs}",
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        _latex_row([_latex(column.name) for column in view.columns]),
        r"\midrule",
        *map(_latex_row, rows),
        r"\bottomrule",
        *foot,
        r"\end{tabular}",
    ]
    return "\n".join(lines)


def write(frame: pl.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write a table to a file; its suffix says how.

    Parquet, CSV, JSON (an array of rows) and JSON lines hold every column at full precision;
    Markdown and LaTeX are the rounded tables of `to_markdown` and `to_latex`.

    Args:
        frame: Any frame.
        path: File to make or replace: .parquet, .csv, .json, .jsonl, .ndjson, .md or .tex.

    Raises:
        OptionError: The suffix is another.
        ColumnError: A column holds lists or objects, which CSV cannot.
        OSError: The file cannot be written.

    Examples:
        >>> import pathlib, tempfile, polars as pl
        >>> from reclaimstats import report
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     report.write(pl.DataFrame({"estimate": [1 / 3]}), pathlib.Path(folder, "a.csv"))
        ...     print(pathlib.Path(folder, "a.csv").read_text())
        estimate
        0.3333333333333333
    """
    suffix = writable_suffix(path)
    nested = [name for name, dtype in frame.schema.items() if dtype.is_nested()]
    if nested and suffix == ".csv":
        raise ColumnError(
            f"column {nested[0]!r} holds lists or objects, which CSV cannot; drop it, or write "
            ".parquet or .jsonl"
        )
    _WRITERS[suffix](frame, Path(path))


def writable_suffix(path: str | os.PathLike[str]) -> str:
    """Return the suffix of a file that `write` can make, to check it before long work.

    Args:
        path: The file, which need not exist.

    Returns:
        Its suffix in lower case.

    Raises:
        OptionError: `write` does not know it.

    Examples:
        >>> from reclaimstats import report
        >>> report.writable_suffix("cells.MD")
        '.md'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in _WRITERS:
        raise OptionError(f"cannot write {path}: its suffix must be one of {', '.join(_WRITERS)}")
    return suffix


_WRITERS: dict[str, Callable[[pl.DataFrame, Path], object]] = {
    ".parquet": pl.DataFrame.write_parquet,
    ".csv": pl.DataFrame.write_csv,
    ".json": pl.DataFrame.write_json,
    ".jsonl": pl.DataFrame.write_ndjson,
    ".ndjson": pl.DataFrame.write_ndjson,
    ".md": lambda frame, path: path.write_text(to_markdown(frame) + "\n", encoding="utf-8"),
    ".tex": lambda frame, path: path.write_text(to_latex(frame) + "\n", encoding="utf-8"),
}


@dataclass(frozen=True, slots=True)
class _Column:
    """A column as people read it."""

    name: str
    cells: list[str]
    numeric: bool


@dataclass(frozen=True, slots=True)
class _View:
    """What people read of a frame: the columns that say something, and notes on the others."""

    columns: list[_Column]
    n_keys: int
    notes: list[str]

    @classmethod
    def of(cls, frame: pl.DataFrame) -> "_View":
        names = frame.columns
        keys = names[: next((i for i, name in enumerate(names) if name in _RESULTS), 1)]
        columns: list[_Column] = []
        n_keys = 0
        once: list[str] = []
        for column in frame:
            if frame.height and column.null_count() == frame.height:
                continue
            # A logarithm stands beside the p-value that it is of.
            if column.name == _WORDS or column.name.endswith("_log_p"):
                continue
            if frame.height and column.name in _SAID_ONCE and column.n_unique() == 1:
                once.append(f"{column.name} {_plain(column[0])}")
                continue
            columns.append(_as_read(column, is_key=column.name in keys))
            n_keys += column.name in keys
        notes = [f"In every row: {', '.join(once)}."] if once else []
        if not frame.height:
            notes.append("There are no rows.")
        elif "n_clusters" in names and not frame["n_clusters"].count():
            notes.append("Without clusters: every trial counts as independent of the others.")
        if frame.height and _WORDS in names:
            notes += _readings(frame[_WORDS].to_list(), columns[:n_keys])
        return cls(columns, n_keys, notes)

    def rows(self) -> Iterator[tuple[str, ...]]:
        return zip(*(column.cells for column in self.columns), strict=True)


def _readings(readings: list[str | None], keys: list[_Column]) -> list[str]:
    """Sentences, each behind the rows that it is about."""
    rows = zip(readings, *(key.cells for key in keys), strict=True)
    about: dict[str, list[str]] = {}
    for reading, *names in rows:
        if reading:
            about.setdefault(reading, []).append(" ".join(names))
    if len(about) == 1 and None not in readings:
        return [f"In every row: {next(iter(about))}."]
    return [f"{', '.join(names)}: {reading}." for reading, names in about.items()]


def _as_read(column: pl.Series, *, is_key: bool) -> _Column:
    if column.name.removesuffix("_adjusted") in _P_VALUES:
        shown = _p_value
    elif column.dtype.is_float() and not is_key:
        shown = _rounded
    else:
        shown = _plain
    cells = [_NOTHING if value is None else shown(value) for value in column.to_list()]
    return _Column(_printable(column.name), cells, column.dtype.is_numeric())


def _p_value(value: float) -> str:
    if value < 1e-307:
        return "<1e-307"  # a p-value below the normal doubles is given as the least of those
    return f"{value:.1e}" if value < 0.001 else f"{value:#.2g}"


def _rounded(value: float) -> str:
    text = f"{value:.3f}"
    return text.removeprefix("-") if float(text) == 0 else text


def _plain(value: Any) -> str:
    if isinstance(value, float):
        return repr(float(f"{value:.6g}"))
    if isinstance(value, bool):
        return str(value).lower()
    return _printable(str(value))


def _printable(text: str) -> str:
    """Put a space for what would move the cursor or break the line."""
    return "".join(character if character.isprintable() else " " for character in text)


@dataclass(frozen=True, slots=True)
class _TextColumn:
    """A column with its name broken into lines, and as wide as its longest line."""

    head: list[str]
    cells: list[str]
    numeric: bool
    width: int

    @classmethod
    def of(cls, column: _Column) -> "_TextColumn":
        # Half of a reason is none.
        longest = max(map(len, column.cells), default=0) if column.name == _REASON else _LONGEST
        cells = [
            f"{cell[: longest - 1]}…" if len(cell) > longest else cell for cell in column.cells
        ]
        words = re.findall(r"[^_]*_+|[^_]+", column.name) or [""]
        room = max(map(_width, [*cells, *words, column.name[:_SHORT_NAME]]))
        head: list[str] = []
        for word in words:
            if head and _width(head[-1] + word) <= room:
                head[-1] += word
            else:
                head.append(word)
        return cls(head, cells, column.numeric, room)

    def padded(self, text: str) -> str:
        space = " " * (self.width - _width(text))
        return space + text if self.numeric else text + space


def _text_block(columns: list[_TextColumn]) -> str:
    height = max((len(column.head) for column in columns), default=0)
    lines = [
        [column.padded(line) for line in [""] * (height - len(column.head)) + column.head]
        + ["-" * column.width]
        + [column.padded(cell) for cell in column.cells]
        for column in columns
    ]
    return "\n".join(_GAP.join(line).rstrip() for line in zip(*lines, strict=True))


def _width(text: str) -> int:
    """Return how many places a terminal gives a text."""
    if text.isascii():
        return len(text)
    marks = sum(unicodedata.combining(character) != 0 for character in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(c) in "WF" for c in text)


def _markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\g<0>", text)


def _latex(text: str) -> str:
    return text.translate(_LATEX)


def _latex_number(text: str) -> str:
    power = re.fullmatch(r"(-?[\d.]+)e([+-]\d+)", text)
    if power:
        return rf"${power[1]} \times 10^{{{int(power[2])}}}$"
    return f"${text}$" if text.startswith("-") else _latex(text)


def _latex_row(cells: list[str]) -> str:
    return rf"{' & '.join(cells)} \\"
