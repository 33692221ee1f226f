"""Read trials from files: JSON lines, JSON, CSV and Parquet, many files as one frame.

The suffix says what a file is: `.jsonl`, `.ndjson` and `.json` hold one object per line, one array
of objects, or one object over several lines; `.csv` is comma-separated with a header; all of them
may be gzipped (`.gz`). `.parquet` is read where it lies. A column may have another type in each
file, or be absent from some of them.
"""

import csv
import difflib
import gzip
import itertools
import json
import os
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import IO, Any, TypeAlias, cast

import polars as pl

from reclaimstats.design.columns import column_names, listed
from reclaimstats.errors import ColumnError, OptionError, ParseError

__all__ = ["BrokenLinesWarning", "read", "scan"]

Files: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
Progress: TypeAlias = Callable[[Path, int, int], None]

# JSON lines are parsed in blocks of about this many bytes: what has to be looked at line by line,
# and what columns that nobody asked for take in memory, stays small.
_BLOCK = 1 << 25
_UTF8_BOM, _UTF16_BOMS = b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")
# What R, pandas and others write in a CSV file for a missing value, besides nothing at all.
_CSV_NULLS = ["NA", "NaN", "nan", "null"]


class BrokenLinesWarning(UserWarning):
    """Lines of a file were left out because they are not JSON objects."""


def scan(
    files: Files,
    *,
    columns: str | Sequence[str] | None = None,
    file_column: str | None = None,
    skip_broken_lines: bool = False,
    as_text: bool = False,
    progress: Progress | None = None,
) -> pl.LazyFrame:
    r"""Read trials of one or many files as a LazyFrame, for data larger than memory.

    Rows keep the order of the files and of their lines. Types are found over whole files, so
    that a field may appear late or be null at first. In one column, booleans and numbers become
    numbers, and what has no type in common becomes text (lists and objects as JSON). NaN,
    Infinity and -Infinity, which are not JSON but which Python writes, are null. In CSV files an
    empty field, NA, NaN, nan and null are null; a column of numbers stays text where one has a
    leading zero (007), or two of them are one number (7 and 7.0), because those may be names.

    Args:
        files: Path or paths. JSON and CSV files are read and checked at once, keeping only
            `columns`; Parquet files are read when the frame is collected.
        columns: Columns to keep, in this order. All by default.
        file_column: Name of a column to add with the path that each row came from.
        skip_broken_lines: Leave out lines that are not JSON objects, with a warning that says
            which, instead of raising.
        as_text: Keep fields of CSV files as they are written, so that 0.50 is not 0.5.
        progress: Called with the file, the bytes read so far and its size, block by block.

    Returns:
        One row per trial. A column that a file lacks is null in its rows.

    Raises:
        FileNotFoundError: A file is missing; the message gives near names.
        IsADirectoryError: A directory was given.
        OptionError: A suffix is unknown.
        ParseError: A file is empty or not what its suffix says, or a line is broken.
        ColumnError: None of the files has a column, or the types of one do not go together.

    Warns:
        BrokenLinesWarning: Lines were left out.

    Examples:
        >>> import pathlib, tempfile, reclaimstats as rs
        >>> from reclaimstats import io
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     log = pathlib.Path(folder, "run.jsonl")
        ...     _ = log.write_text('{"item": "a", "correct": 1}\n{"item": "b", "correct": 0}\n')
        ...     cells = rs.rate(io.scan(log), "correct")
        >>> cells.select("n", "estimate").rows()
        [(2, 0.5)]
    """
    take = _Selection(None if columns is None else listed(columns))
    source = _Source(take, skip_broken_lines, as_text, progress)
    frames = []
    for path in _paths(files):
        parts = list(source.frames(path))
        if file_column is not None:
            parts = [part.with_columns(pl.lit(str(path)).alias(file_column)) for part in parts]
        frames += parts
    take.check(file_column)
    return _together(frames)


def read(
    files: Files,
    *,
    columns: str | Sequence[str] | None = None,
    file_column: str | None = None,
    skip_broken_lines: bool = False,
    as_text: bool = False,
    progress: Progress | None = None,
) -> pl.DataFrame:
    r"""Read trials of one or many files into memory: `scan`, collected.

    Args:
        files: See `scan`, as all the others.
        columns: Columns to keep.
        file_column: Name of a column to add with each row's file.
        skip_broken_lines: Leave out broken lines with a warning.
        as_text: Keep fields of CSV files as they are written.
        progress: Called block by block.

    Returns:
        One row per trial.

    Raises:
        ReclaimStatsError: See `scan`.
        OSError: See `scan`.

    Examples:
        >>> import pathlib, tempfile
        >>> from reclaimstats import io
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     log = pathlib.Path(folder, "run.jsonl")
        ...     _ = log.write_text('{"item": "a", "answer": 46}\n{"item": "b", "answer": NaN}\n')
        ...     io.read(log).rows()
        [('a', 46), ('b', None)]
    """
    frame = scan(
        files,
        columns=columns,
        file_column=file_column,
        skip_broken_lines=skip_broken_lines,
        as_text=as_text,
        progress=progress,
    )
    return frame.collect()


def _paths(files: Files) -> list[Path]:
    """Return the files as paths that exist, are no directories and have a known suffix."""
    given = [files] if isinstance(files, str | os.PathLike) else list(files)
    if not given:
        raise OptionError("files is empty; name at least one file")
    paths = [Path(item) for item in given]
    for path in paths:
        if str(path) == "-":
            raise OptionError(
                "- is not read: standard input has no suffix that says what it holds; write it to "
                "a file, such as trials.jsonl"
            )
        if path.is_dir():
            raise IsADirectoryError(
                f"{path} is a directory; name the files in it, for example {path / '*.jsonl'}"
            )
        if not path.exists():
            there = [item.name for item in path.parent.iterdir()] if path.parent.is_dir() else []
            near = difflib.get_close_matches(path.name, there, n=3, cutoff=0.6)
            hint = f"; did you mean {' or '.join(str(path.parent / n) for n in near)}?"
            if "*" in path.name:
                hint = f"; give the files of a pattern as sorted(Path().glob({str(path)!r}))"
            raise FileNotFoundError(
                f"there is no file {path}{hint if near or '*' in path.name else ''}"
            )
        _suffix(path)
    return paths


def _suffix(path: Path) -> str:
    """Return the suffix that says what a file holds, without `.gz`."""
    name = path.name.lower()
    suffix = Path(name.removesuffix(".gz")).suffix
    if suffix not in _FORMATS or (suffix == ".parquet" and name.endswith(".gz")):
        raise OptionError(
            f"{path} has an unknown suffix; read are .jsonl, .ndjson, .json and .csv, each also "
            "with .gz behind, and .parquet"
        )
    return suffix


class _Selection:
    """Keeps the wanted columns of every frame, and remembers which ones there were."""

    def __init__(self, columns: list[str] | None) -> None:
        self.columns = columns
        self.known: dict[str, None] = {}

    def __call__(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        names = frame.collect_schema().names()
        self.known.update(dict.fromkeys(names))
        if self.columns is None:
            return frame
        absent = [pl.lit(None).alias(name) for name in self.columns if name not in names]
        return frame.with_columns(absent).select(self.columns)

    def wants(self, column: str) -> bool:
        return self.columns is None or column in self.columns

    def check(self, file_column: str | None) -> None:
        """Raise if a wanted column was in no file, or the new one in some."""
        column_names(self.known, self.columns or [], argument="columns")
        if file_column in self.known:
            raise ColumnError(f"file_column={file_column!r} is a column of the data; name another")


@dataclass(slots=True)
class _Broken:
    """Lines of one file that are not JSON objects."""

    path: Path
    skip: bool
    shown: list[str] = field(default_factory=list)
    count: int = 0
    good: int = 0

    def add(self, line: int, reason: str) -> None:
        if not self.skip:
            raise ParseError(
                f"{self.path}, line {line}: no JSON object ({reason}); mend the line, or read the "
                "others without it: skip_broken_lines=True (--skip-broken-lines)"
            )
        self.count += 1
        if len(self.shown) < 3:
            self.shown.append(f"line {line} ({reason})")

    def report(self) -> None:
        """Warn of what was skipped; raise if nothing was left."""
        if not self.good and not self.count:
            raise ParseError(f"{self.path} is empty; leave it out, or see why nothing is in it")
        lines = f"{self.count} broken line{'s' if self.count > 1 else ''}"
        which = ", ".join(self.shown) + (", …" if self.count > len(self.shown) else "")
        if not self.good:
            raise ParseError(f"{self.path} holds no JSON object, only {lines}: {which}")
        if self.count:
            warnings.warn(
                f"{self.path}: skipped {lines}, kept {self.good} good: {which}",
                BrokenLinesWarning,
                stacklevel=2,
            )


@dataclass(slots=True)
class _Source:
    """Reads files of every format, each as one or more frames of the wanted columns."""

    take: _Selection
    skip_broken_lines: bool
    as_text: bool
    progress: Progress | None

    def frames(self, path: Path) -> Iterator[pl.LazyFrame]:
        try:
            yield from _FORMATS[_suffix(path)](self, path)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ParseError(f"{path} cannot be unpacked: {error}") from None

    def parquet(self, path: Path) -> Iterator[pl.LazyFrame]:
        try:
            yield self.take(pl.scan_parquet(path, glob=False))
        except pl.exceptions.PolarsError as error:
            raise ParseError(f"{path} is no Parquet file: {_first_line(error)}") from None

    def csv(self, path: Path) -> Iterator[pl.LazyFrame]:
        data = b"".join(self._blocks(path))
        if repeated := _repeated_names(data):
            raise ParseError(f"{path} has several columns {repeated}; rename all but one")
        try:
            frame = pl.read_csv(
                data,
                infer_schema=not self.as_text,
                infer_schema_length=None,
                null_values=_CSV_NULLS,
            )
        except pl.exceptions.NoDataError:
            raise ParseError(
                f"{path} is empty; leave it out, or see why nothing is in it"
            ) from None
        except pl.exceptions.PolarsError as error:
            raise ParseError(f"{path}{_csv_fault(data) or f': {_first_line(error)}'}") from None
        frame = _as_written(frame, data)
        if frame.width > 1:  # of one column, an empty line is a missing value
            frame = frame.filter(~pl.all_horizontal(pl.all().is_null()))
        # A column without a value has no type, and must not turn another file's numbers into text.
        no_type = [pl.lit(None).alias(c.name) for c in frame if c.null_count() == frame.height]
        yield self.take(frame.with_columns(no_type).lazy())

    def json(self, path: Path) -> Iterator[pl.LazyFrame]:
        broken = _Broken(path, self.skip_broken_lines)
        first_line = 1
        blocks = self._blocks(path)
        for block in blocks:
            start = block.lstrip() if first_line == 1 else b""
            if start.startswith(b"["):
                frame = self._json_array(b"".join([block, *blocks]), path)
            elif start.partition(b"\n")[0].strip() == b"{":
                frame = self._json_array(b"".join([b"[", block, *blocks, b"]"]), path)
            else:
                frame = self._json_lines(block, first_line, broken)
            broken.good += frame.height
            first_line += block.count(b"\n")
            yield frame.lazy()
        broken.report()

    def _blocks(self, path: Path) -> Iterator[bytes]:
        """Read a file in blocks of whole lines, unpacked, without a byte order mark."""
        size = path.stat().st_size
        with path.open("rb") as raw:
            packed = path.name.lower().endswith(".gz")
            stream = cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if packed else raw
            at_start = True
            while block := stream.read(_BLOCK) + stream.readline():
                if at_start and block.startswith(_UTF16_BOMS):
                    raise ParseError(f"{path} is in UTF-16; save it as UTF-8")
                yield block.removeprefix(_UTF8_BOM) if at_start else block
                at_start = False
                if self.progress is not None:
                    self.progress(path, raw.tell(), size)

    def _json_lines(self, block: bytes, first_line: int, broken: _Broken) -> pl.DataFrame:
        try:
            return self._ndjson(block)
        except pl.exceptions.PolarsError:
            lines = list(_good_lines(block, first_line, broken))
        try:
            return self._ndjson(b"\n".join(lines))
        except pl.exceptions.PolarsError:
            rows = [json.loads(line) for line in lines]
            return self._rows(rows, f"{broken.path}, from line {first_line}")

    def _json_array(self, data: bytes, path: Path) -> pl.DataFrame:
        try:
            return self.take(pl.read_json(data, infer_schema_length=None).lazy()).collect()
        except pl.exceptions.PolarsError:
            try:
                rows = json.loads(data.decode(), parse_constant=_null)
            except (ValueError, RecursionError) as error:
                line = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
                raise ParseError(f"{path}{line}: no JSON ({_json_fault(error)})") from None
        if not all(isinstance(row, dict) for row in rows):
            raise ParseError(f"{path}: the array holds other things than objects, one per trial")
        return self._rows(rows, str(path))

    def _rows(self, rows: list[dict[str, Any]], where: str) -> pl.DataFrame:
        """Parse rows of which a column holds values that Polars does not put together."""
        # Numbers too large for a float were read as infinite, which is not JSON.
        rows = json.loads(json.dumps(rows), parse_constant=_null)
        kinds: dict[str, set[type]] = {}
        for row in rows:
            for name, value in row.items():
                if value is not None:
                    kinds.setdefault(name, set()).add(type(value))
        self.take.known.update(dict.fromkeys(name for row in rows for name in row))
        rows = [{k: value for k, value in row.items() if self.take.wants(k)} for row in rows]
        for name, types in kinds.items():
            if bool in types and types & {int, float} and types <= {bool, int, float}:
                _replace(rows, name, bool, int)
        nested = [name for name, types in kinds.items() if types & {dict, list}]
        fault: Exception | None = None
        for names in ([name for name in nested if len(kinds[name]) > 1], nested):
            for name in names:
                _replace(rows, name, (bool, int, float, dict, list), json.dumps)
            try:
                return self._ndjson("\n".join(map(json.dumps, rows)).encode())
            except pl.exceptions.PolarsError as error:
                fault = error
        raise ParseError(f"{where}: {_first_line(fault)}")

    def _ndjson(self, data: bytes) -> pl.DataFrame:
        if not data.strip():
            return pl.DataFrame()
        return self.take(pl.scan_ndjson(data, infer_schema_length=None)).collect()


_FORMATS: dict[str, Callable[[_Source, Path], Iterator[pl.LazyFrame]]] = {
    ".jsonl": _Source.json,
    ".ndjson": _Source.json,
    ".json": _Source.json,
    ".csv": _Source.csv,
    ".parquet": _Source.parquet,
}


def _good_lines(block: bytes, first_line: int, broken: _Broken) -> Iterator[bytes]:
    """Yield the lines that are JSON objects, with null for NaN and Infinity."""
    constants: list[str] = []
    for number, line in enumerate(block.split(b"\n"), first_line):
        text = line.strip()
        if not text:
            continue
        constants.clear()
        try:
            row = json.loads(text.decode(), parse_constant=constants.append)
        except (ValueError, RecursionError) as error:
            broken.add(number, _json_fault(error))
            continue
        if not isinstance(row, dict):
            broken.add(number, "not in braces")
        elif constants:
            yield json.dumps(row).encode()
        else:
            yield text


def _null(_: str) -> None:
    """Read a constant that is not JSON as null."""


def _json_fault(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.removesuffix(' at')} at column {error.colno}"
    if isinstance(error, UnicodeDecodeError):
        return f"no UTF-8 at byte {error.start + 1}"
    return "nested too deep" if isinstance(error, RecursionError) else str(error)


def _repeated_names(data: bytes) -> str:
    """Name the columns of which a CSV file has several."""
    try:
        header = pl.read_csv(data, has_header=False, n_rows=1, infer_schema=False)
    except pl.exceptions.PolarsError:
        return ""  # what is wrong is said when the rows are read
    names = [name for name in header.row(0) if name is not None] if header.height else []
    return ", ".join(dict.fromkeys(repr(name) for name in names if names.count(name) > 1))


def _as_written(frame: pl.DataFrame, data: bytes) -> pl.DataFrame:
    """Give columns back as text that would lose something as numbers.

    Those are names such as 007, and those of which two are one number, such as 7 and 7.0.
    """
    numeric = [name for name, dtype in frame.schema.items() if dtype.is_numeric()]
    if not numeric:
        return frame
    texts = pl.read_csv(data, columns=numeric, infer_schema=False, null_values=_CSV_NULLS)
    changed = []
    for text in texts:
        different = text.unique()
        if (
            different.str.contains(r"^[+-]?0[0-9]").any()
            or different.len() > frame[text.name].n_unique()
        ):
            changed.append(text)
    return frame.with_columns(changed)


def _csv_fault(data: bytes) -> str | None:
    """Say which line of a CSV file Polars could not read, if that can be told."""
    try:
        rows = csv.reader(StringIO(data.decode(), newline=""), strict=True)
        header = next(rows)
        for row in rows:
            if len(row) > len(header):
                return (
                    f", line {rows.line_num}: {len(row)} fields, but the header names {len(header)}"
                )
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return f", line {line}: no UTF-8; save the file as UTF-8"
    except csv.Error as error:
        return f", line {rows.line_num}: {error}"
    return None


def _replace(
    rows: list[dict[str, Any]],
    name: str,
    types: type | tuple[type, ...],
    change: Callable[[Any], object],
) -> None:
    for row in rows:
        if isinstance(row.get(name), types):
            row[name] = change(row[name])


def _together(frames: list[pl.LazyFrame]) -> pl.LazyFrame:
    """Put frames below each other, with nulls where one lacks a column."""
    types: dict[str, set[pl.DataType]] = {}
    for frame in frames:
        for name, dtype in frame.collect_schema().items():
            if dtype != pl.Null:
                types.setdefault(name, set()).add(dtype)
    texts = {name for name, found in types.items() if _only_as_text(found)}
    try:
        joined = pl.concat([_as_text(frame, texts) for frame in frames], how="diagonal_relaxed")
        joined.collect_schema()
    except pl.exceptions.PolarsError as error:
        raise ColumnError(
            f"a column has types that do not go together: {_first_line(error)}; name the columns "
            "that you need in columns="
        ) from None
    return joined


def _only_as_text(types: set[pl.DataType]) -> bool:
    """Tell whether types have nothing in common that keeps what each of them says."""
    unlike = any(not _alike(*two) for two in itertools.combinations(types, 2))
    return unlike or (len(types) > 1 and any(map(_is_category, types)))


def _alike(first: Any, second: Any) -> bool:
    """Tell whether two types are nested in the same way, without which no cast joins them."""
    if pl.Null in (first, second):
        return True
    if isinstance(first, pl.List | pl.Array) and isinstance(second, pl.List | pl.Array):
        return _alike(first.inner, second.inner)
    if isinstance(first, pl.Struct) and isinstance(second, pl.Struct):
        own, other = dict(first), dict(second)
        return all(_alike(own[name], other[name]) for name in own.keys() & other.keys())
    return not (first.is_nested() or second.is_nested())


def _as_text(frame: pl.LazyFrame, names: set[str]) -> pl.LazyFrame:
    """Write columns as text: lists and objects as JSON."""
    changes = []
    for name, dtype in frame.collect_schema().items():
        column = pl.col(name)
        if name in names and dtype.is_nested():
            json_text = pl.struct(column.alias("")).struct.json_encode()
            text = json_text.str.strip_prefix('{"":').str.head(-1)
            changes.append(pl.when(column.is_not_null()).then(text).alias(name))
        elif name in names:
            changes.append(column.cast(pl.String))
    return frame.with_columns(changes)


def _is_category(dtype: pl.DataType) -> bool:
    return dtype in (pl.Categorical, pl.Enum)


def _first_line(error: object) -> str:
    return str(error).partition("\n")[0]
