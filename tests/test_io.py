"""Readers of trials: formats, messy files, broken lines, concatenation."""

import gzip
import json
import math
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats import io
from reclaimstats.errors import ColumnError, OptionError, ParseError

ROWS: list[dict[str, Any]] = [
    {"pid": "a", "correct": 1, "note": "x"},
    {"pid": "b", "correct": 0, "note": None},
]
FRAME = pl.DataFrame(ROWS)


def lines(*rows: Any) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def make(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def read(folder: Path, data: bytes, name: str = "t.jsonl", **options: Any) -> pl.DataFrame:
    return io.read(make(folder, name, data), **options)


# --- formats


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.jsonl", lines(*ROWS)),
        ("t.ndjson", lines(*ROWS)),
        ("t.json", lines(*ROWS)),
        ("T.JSONL", lines(*ROWS)),
        ("array.json", json.dumps(ROWS, indent=1).encode()),
        ("array.jsonl", b"\n " + json.dumps(ROWS).encode()),
        ("t.csv", b"pid,correct,note\na,1,x\nb,0,\n"),
        ("t.jsonl.gz", gzip.compress(lines(*ROWS))),
        ("t.csv.gz", gzip.compress(b"pid,correct,note\na,1,x\nb,0,NA\n")),
        ("bom.jsonl", b"\xef\xbb\xbf" + lines(*ROWS)),
        ("bom.csv", b"\xef\xbb\xbfpid,correct,note\r\na,1,x\r\nb,0,null\r\n"),
        ("crlf.jsonl", lines(*ROWS).replace(b"\n", b"\r\n")),
        ("open end.jsonl", lines(*ROWS).rstrip()),
        ("empty lines.jsonl", b"\n \n" + lines(*ROWS).replace(b"\n", b"\n\n\t\r\n")),
        ("empty lines.csv", b"pid,correct,note\na,1,x\n\nb,0,\n\n"),
    ],
)
def test_every_format_gives_the_same_frame(tmp_path: Path, name: str, data: bytes) -> None:
    assert_frame_equal(read(tmp_path, data, name), FRAME)


def test_parquet_is_read_where_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "t[1].parquet"
    FRAME.write_parquet(path)
    scanned = io.scan(path, columns=["correct"])
    assert "PARQUET" in scanned.explain().upper()
    assert_frame_equal(scanned.collect(), FRAME.select("correct"))


@pytest.mark.parametrize("name", ["t.xlsx", "t", "t.parquet.gz", "t.gz", "jsonl"])
def test_an_unknown_suffix_lists_the_known_ones(tmp_path: Path, name: str) -> None:
    with pytest.raises(OptionError, match=r"\.jsonl, \.ndjson, \.json and \.csv.*\.parquet"):
        read(tmp_path, b"", name)


def test_a_missing_file_gives_near_names(tmp_path: Path) -> None:
    make(tmp_path, "run-01.jsonl", lines(*ROWS))
    with pytest.raises(FileNotFoundError, match=r"run-1\.jsonl; did you mean .*run-01\.jsonl"):
        io.scan(tmp_path / "run-1.jsonl")
    with pytest.raises(FileNotFoundError, match=r"there is no file nowhere/t\.jsonl$"):
        io.scan("nowhere/t.jsonl")


def test_a_directory_and_no_file_at_all_are_refused(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match=r"is a directory; name the files in it"):
        io.scan(tmp_path)
    with pytest.raises(OptionError, match="files is empty"):
        io.scan([])


@pytest.mark.parametrize("name", ["t.jsonl", "t.json", "t.csv", "t.jsonl.gz"])
@pytest.mark.parametrize("data", [b"", b"\n\r\n"])
def test_an_empty_file_is_refused(tmp_path: Path, name: str, data: bytes) -> None:
    packed = gzip.compress(data) if name.endswith("gz") else data
    with pytest.raises(ParseError, match=r"is empty; leave it out"):
        read(tmp_path, packed, name)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("t.parquet", b"pid,correct\n", "is no Parquet file"),
        ("t.jsonl.gz", b'{"a": 1}\n', "cannot be unpacked: Not a gzipped file"),
        ("t.jsonl.gz", gzip.compress(lines(*ROWS))[:-12], "cannot be unpacked"),
        ("t.jsonl", "{}\n".encode("utf-16"), "is in UTF-16; save it as UTF-8"),
        ("t.json", b'[{"a": 1},\n{"a": ', r"line 2: no JSON \(Expecting value at column 7"),
        ("t.json", b"[1, 2]", "other things than objects"),
        ("t.csv", b"a,b\n1,2\n1,2,3\n", r"t\.csv, line 3: 3 fields, but the header names 2"),
        ("t.csv", b"a,b\n1,2\n1,\xff\n", r"t\.csv, line 3: no UTF-8"),
        ("t.csv", b'a,b\n1,"x\n2,3\n', r"t\.csv, line 3: unexpected end of data"),
    ],
)
def test_what_is_not_its_format_says_so(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    with pytest.raises(ParseError, match=message):
        read(tmp_path, data, name)


# --- types


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "null", "0"], pl.Series([1, None, 0])),
        (["null", "0.5", "1"], pl.Series([None, 0.5, 1.0])),
        (["1", '"x"', "2.5"], pl.Series(["1", "x", "2.5"])),
        (["true", "0", "null"], pl.Series([1, 0, None])),
        (["false", "0.5"], pl.Series([0.0, 0.5])),
        (["true", '"x"'], pl.Series(["true", "x"])),
        (["1.0", "NaN", "Infinity", "-Infinity"], pl.Series([1.0, None, None, None])),
        (["1", "1e400"], pl.Series([1, None])),
        (["null", "null"], pl.Series([None, None])),
        (["5", '{"x": 1}'], pl.Series(["5", '{"x": 1}'])),
        (["[1]", '"s"', "null"], pl.Series(["[1]", "s", None])),
        (['{"x": 1}', '{"x": [1]}'], pl.Series(['{"x": 1}', '{"x": [1]}'])),
        (['{"x": [NaN]}', '{"y": 2}'], pl.Series([{"x": [None], "y": None}, {"x": None, "y": 2}])),
        (['"NaN, really"', '"x: NaN,"'], pl.Series(["NaN, really", "x: NaN,"])),
    ],
)
def test_types_are_those_of_all_lines(
    tmp_path: Path, values: list[str], expected: pl.Series
) -> None:
    data = "".join(f'{{"v": {value}, "other": {i}}}\n' for i, value in enumerate(values))
    array = f"[{','.join(data.splitlines())}]"
    for text in (data, array):
        found = read(tmp_path, text.encode(), "t.json")
        assert found["v"].to_list() == expected.to_list()
        assert found["v"].dtype in (
            expected.dtype,
            pl.Struct({"x": pl.List(pl.Null), "y": pl.Int64}),
        )
        assert found["other"].to_list() == list(range(len(values)))


def test_fields_and_types_that_come_late_are_found(tmp_path: Path) -> None:
    data = lines({"a": 1}) * 5000 + lines({"a": "x", "b": 2})
    found = read(tmp_path, data)
    assert found.schema == {"a": pl.String, "b": pl.Int64}
    assert found.row(-1) == ("x", 2)
    assert found["b"].null_count() == 5000


def test_csv_reads_missing_values_booleans_and_empty_columns(tmp_path: Path) -> None:
    found = read(tmp_path, b"a,b,c,d\n1,NA,True,\nNaN,2,False,\n,nan,null,\n", "t.csv")
    assert found.rows() == [(1, None, True, None), (None, 2, False, None)]
    assert found.schema == {"a": pl.Int64, "b": pl.Int64, "c": pl.Boolean, "d": pl.Null}


def test_an_empty_line_of_a_csv_column_is_a_missing_value(tmp_path: Path) -> None:
    assert read(tmp_path, b"correct\n1\n\n0\n", "t.csv")["correct"].to_list() == [1, None, 0]


# --- broken lines


BROKEN = b'{"a": 1}\n{"a": 2\n{"a": 3}\n[4]\n\xff\n{"a": "\t"}\n{"a": 7'


def test_a_broken_line_is_named_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(
        ParseError,
        match=r"t\.jsonl, line 2: no JSON object \(Expecting ',' delimiter at column 8\); "
        r".*skip_broken_lines=True \(--skip-broken-lines\)",
    ):
        read(tmp_path, BROKEN)


def test_skipping_keeps_all_good_lines_and_says_which_went(tmp_path: Path) -> None:
    with pytest.warns(io.BrokenLinesWarning) as warned:
        found = read(tmp_path, BROKEN, skip_broken_lines=True)
    assert found["a"].to_list() == [1, 3]
    (warning,) = warned
    assert "skipped 5 broken lines, kept 2 good: line 2 (" in str(warning.message)
    assert "line 4 (not in braces), line 5 (no UTF-8 at byte 1), …" in str(warning.message)
    assert "line 6" not in str(warning.message)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"null", "not in braces"),
        (b'{"a": tru}', "Expecting value at column 7"),
        (b'{"a": 1} {"a": 2}', "Extra data at column 10"),
        (b'{"a": "\xe4"}', "no UTF-8 at byte 8"),
    ],
)
def test_reasons(tmp_path: Path, line: bytes, reason: str) -> None:
    with pytest.raises(ParseError) as raised:
        read(tmp_path, b'{"a": 1}\r\n\r\n' + line + b"\n")
    assert f"line 3: no JSON object ({reason})" in str(raised.value)


def test_deep_nesting_is_read_or_named(tmp_path: Path) -> None:
    deep = b'{"a": 2, "b": ' + b"[" * 1500 + b"]" * 1500 + b"}\n"
    try:  # how deep is too deep depends on the versions of Python and Polars
        found = read(tmp_path, b'{"a": 1}\n' + deep, columns="a")
    except ParseError as error:
        assert "line 2: no JSON object (nested too deep)" in str(error)  # noqa: PT017
    else:
        assert found["a"].to_list() == [1, 2]


def test_nothing_but_broken_lines_is_an_error_even_when_skipping(tmp_path: Path) -> None:
    with pytest.raises(ParseError, match=r"holds no JSON object, only 2 broken lines: line 1 \("):
        read(tmp_path, b"{1\n}\n", skip_broken_lines=True)


# --- many files and blocks


def test_files_are_put_below_each_other_with_nulls_where_one_lacks_a_column(
    tmp_path: Path,
) -> None:
    first = make(tmp_path, "1.jsonl", lines({"a": True, "b": "x"}, {"a": False, "b": "y"}))
    second = make(tmp_path, "2.csv", b"c,a\n,0.5\n,1\n")
    third = tmp_path / "3.parquet"
    pl.DataFrame({"b": ["z"], "c": [9]}, schema_overrides={"b": pl.Categorical}).write_parquet(
        third
    )
    found = io.read([first, second, third], file_column="file")
    assert found.rows() == [
        (1.0, "x", str(first), None),
        (0.0, "y", str(first), None),
        (0.5, None, str(second), None),
        (1.0, None, str(second), None),
        (None, "z", str(third), 9),
    ]


def test_lists_and_objects_become_json_where_another_file_has_plain_values(
    tmp_path: Path,
) -> None:
    first = make(tmp_path, "1.jsonl", lines({"a": [1, 2]}, {"a": None}))
    second = make(tmp_path, "2.jsonl", lines({"a": "s"}))
    third = make(tmp_path, "3.jsonl", lines({"a": {"x": "}"}}))
    assert io.read([first, second, third])["a"].to_list() == ["[1,2]", None, "s", '{"x":"}"}']


NESTED: list[tuple[Any, Any]] = [
    ([["x"]], [[["y"]]]),
    (["x"], [["y"]]),
    ([1], {"x": 1}),
    ([1], [[None]]),
    ({"x": "s"}, {"x": ["s"]}),
    ({"x": {"y": [1]}}, {"x": {"y": 1}}),
    ([{"x": "s"}], [{"x": ["s"]}]),
]
JOINED: list[tuple[Any, Any, Any, Any]] = [
    ([1], ["y"], ["1"], ["y"]),
    ([None], [[1]], [None], [[1]]),
    ({"x": 1}, {"y": 2}, {"x": 1, "y": None}, {"x": None, "y": 2}),
    ({"x": [1.5], "y": 1}, {"x": [2]}, {"x": [1.5], "y": 1}, {"x": [2.0], "y": None}),
]


@pytest.mark.parametrize(("one", "other"), NESTED)
def test_what_is_nested_otherwise_in_another_file_becomes_json(
    tmp_path: Path, one: Any, other: Any
) -> None:
    first = make(tmp_path, "1.jsonl", lines({"a": one}, {"a": None}))
    second = make(tmp_path, "2.jsonl", lines({"a": other}))
    for files, values in (
        ([first, second], [one, None, other]),
        ([second, first], [other, one, None]),
    ):
        assert [text and json.loads(text) for text in io.read(files)["a"]] == values


@pytest.mark.parametrize(("one", "other", "joined", "beside"), JOINED)
def test_what_is_nested_alike_is_joined(
    tmp_path: Path, one: Any, other: Any, joined: Any, beside: Any
) -> None:
    first = make(tmp_path, "1.jsonl", lines({"a": one}))
    second = make(tmp_path, "2.jsonl", lines({"a": other}))
    assert io.read([first, second])["a"].to_list() == [joined, beside]


@pytest.mark.parametrize("name", ["log.json", "log.jsonl"])
def test_an_object_over_several_lines_is_a_row(tmp_path: Path, name: str) -> None:
    log = {"task": "sums", "samples": [{"id": 1, "ok": True}, {"id": 2, "ok": False}]}
    path = make(tmp_path, name, json.dumps(log, indent=2).encode())
    samples = io.read(path, columns="samples").explode("samples").unnest("samples")
    assert samples.rows() == [(1, True), (2, False)]
    with pytest.raises(ParseError, match=r"t\.jsonl, line 4: no JSON \(Expecting"):
        read(tmp_path, b'{\n  "a": 1\n}\n{\n  "a": 2\n}\n')
    with pytest.raises(FileNotFoundError, match=r"pattern as sorted\(Path\(\)\.glob\('"):
        io.scan(tmp_path / "*.jsonl")


def test_types_that_nothing_joins_are_an_error_unless_left_out(tmp_path: Path) -> None:
    first, second = tmp_path / "1.parquet", tmp_path / "2.parquet"
    pl.DataFrame({"a": [b"x"], "b": 1}).write_parquet(first)
    pl.DataFrame({"a": [timedelta(1)], "b": 2}).write_parquet(second)
    with pytest.raises(ColumnError, match=r"do not go together.*columns="):
        io.scan([first, second])
    assert io.read([first, second], columns="b")["b"].to_list() == [1, 2]


def test_columns_are_kept_in_their_order_and_checked_over_all_files(tmp_path: Path) -> None:
    first = make(tmp_path, "1.jsonl", lines({"a": 1, "b": 2, "c": 3}))
    second = make(tmp_path, "2.jsonl", lines({"z": 0}, {"z": 1}))
    found = io.read([first, second], columns=["c", "a"])
    assert found.rows() == [(3, 1), (None, None), (None, None)]
    with pytest.raises(ColumnError, match=r"no column 'corect'; did you mean 'correct'\?"):
        read(tmp_path, lines(*ROWS), columns=["corect"])
    with pytest.raises(ColumnError, match="file_column='z' is a column of the data"):
        io.scan([first, second], columns=["a"], file_column="z")


@pytest.mark.parametrize("block", [1, 7, 40])
def test_blocks_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    rows = [{"a": i if i % 3 else float(i), "b": "é" * (i % 5), "c": [i]} for i in range(50)]
    data = b"\xef\xbb\xbf" + lines(*rows, {"late": None}) + b'{"a": NaN}\n{"a"\n{"a": 1}\n'
    for name, content in (("t.jsonl", data), ("t.jsonl.gz", gzip.compress(data))):
        path = make(tmp_path, name, content)
        with pytest.warns(io.BrokenLinesWarning, match=r"1 broken line, kept 53 good: line 53 \("):
            whole = io.read(path, skip_broken_lines=True)
        monkeypatch.setattr(io, "_BLOCK", block)
        with pytest.warns(io.BrokenLinesWarning, match=r"1 broken line, kept 53 good: line 53 \("):
            assert_frame_equal(io.read(path, skip_broken_lines=True), whole)
        monkeypatch.undo()


def test_progress_ends_with_the_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(io, "_BLOCK", 20)
    path = make(tmp_path, "t.jsonl", lines(*ROWS, *ROWS))
    seen: list[tuple[Path, int, int]] = []
    io.scan(path, progress=lambda *step: seen.append(step))
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert seen[-1] == (path, path.stat().st_size, path.stat().st_size)


def test_rows_keep_their_order_through_rate(tmp_path: Path) -> None:
    rows = [{"correct": i % 7 < 3, "file": i} for i in range(300)]
    paths = [make(tmp_path, f"{k}.jsonl", lines(*rows[k * 100 : k * 100 + 100])) for k in range(3)]
    options: dict[str, Any] = {"method": "percentile", "resampler": "cpython"}
    expected = rs.rate(pl.DataFrame(rows), "correct", **options)
    assert_frame_equal(rs.rate(io.scan(paths), "correct", **options), expected)


# --- the naive twin

values = st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=4)
floats = st.none() | st.floats(allow_nan=True, allow_infinity=True, width=32)


@given(
    st.lists(
        st.fixed_dictionaries({"a": floats}, optional={"b": values, "c": st.booleans()}),
        min_size=1,
        max_size=12,
    )
)
def test_agrees_with_the_json_module(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("twin")
    found = read(folder, lines(*rows))
    kinds = {type(row.get("b")) for row in rows} - {type(None)}
    for row, got in zip(rows, found.rows(named=True), strict=True):
        a = row["a"]
        assert got["a"] == (a if a is not None and math.isfinite(a) else None)
        assert got.get("c") == row.get("c")
        b = row.get("b")
        if str in kinds and b is not None and not isinstance(b, str):
            # Between lines of one block a boolean stays a word only beside text alone.
            assert got["b"] in (json.dumps(b), str(int(b)))
        else:
            assert got.get("b") == b


# --- names that look like numbers


@pytest.mark.parametrize(
    ("fields", "values"),
    [
        (["007", "7", "7.0"], ["007", "7", "7.0"]),
        (["7", "7.0"], ["7", "7.0"]),
        (["1e1", "10"], ["1e1", "10"]),
        (["007", "008"], ["007", "008"]),
        (["9007199254740993", "9007199254740992.0"], ["9007199254740993", "9007199254740992.0"]),
        (["1", "2", "NA"], [1, 2, None]),
        (["0.50", "0.25", "0"], [0.5, 0.25, 0.0]),
        (["-1", "0", "10"], [-1, 0, 10]),
        (["1e-05", "0.1"], [1e-05, 0.1]),
    ],
)
def test_names_in_csv_stay_apart(tmp_path: Path, fields: list[str], values: Any) -> None:
    data = "item,x\n" + "".join(f"{field},1\n" for field in fields)
    found = read(tmp_path, data.encode(), "t.csv")
    assert found["item"].to_list() == values
    assert found["x"].to_list() == [1] * len(fields)


def test_a_csv_column_has_one_name(tmp_path: Path) -> None:
    with pytest.raises(ParseError, match="several columns 'a'; rename"):
        read(tmp_path, b"a,b,a\n1,2,3\n", "t.csv")


def test_standard_input_is_no_file() -> None:
    with pytest.raises(OptionError, match="standard input"):
        io.read("-")
