"""The probe of a memory's write path, and what line items come to."""

import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError
from reclaimstats.studies import reclaim
from reference import line_items as items_twin
from reference import stance as twin

PIECES = [
    "7 pens at $4 each", "2 jars at $9 each", "12 grout bags at $19 each", "7 pens at $4", " each",
    "1234567 a at $4 each", "7 at $4 each", "x", "_", "é", "$", "7", " ", "; ", " at $", "-", "a",
    "at $4 each", "9 pens-and-ink at $1 each", "Total: $46", "incomplete", "\n", ".", ",", "日",
    "½",
]  # fmt: skip
ITEMS = ["7 pens at $4 each", "2 jars at $9 each", "7 pens", "$", "x", "2 jars, $9 apiece"]
# Letters that Python and Unicode's Alphabetic agree on.
characters = st.characters(
    exclude_categories=["Mn", "Mc", "Me", "Cs", "Cn", "Co", "So"],
    exclude_characters="\x1c\x1d\x1e\x1f",
)
texts = st.lists(st.sampled_from(PIECES) | st.text(characters, max_size=3), max_size=8).map("".join)

TOKENS = [
    "7", "2", "4", "28", "18", "46", "2.5", "1,234", "3.33", "8.33", "$4", "$9", "$28", "$18",
    "$46", "4 €", "€4", "USD 4", "4 dollars", "$4.00", "$1,000.50", "x", "×", "*", "times", "@",
    "=", "→", "/", ",", ":", "-", "–", "|", ".", ";", "+", "%", "each", "apiece", "per", "a",
    "an", "for", "unit", "piece", "pens", "jars", "at", "costs", "is", "dozen", "total", "(", ")",
    "**", "#", "~", "x7", "7x", "1-2", "500ml", "4-inch", "\\", "&", "'", "\n", "\r\n", "\xa0",
    "7 pens at $4 each", "7 x $4", "= $28", "| pens | 7 | $4 |", "| $28 |", "1/2", "12:30",
    "4,50", "men's", "’", "日", "½", "·", "٣", "\u2028", "\x0b", "\u200b", "USD", "$", "€", "-$4",
    ".5", "$4k", "$4.125",
]  # fmt: skip
sentences = st.lists(
    st.sampled_from(TOKENS) | st.text(characters, max_size=2), min_size=2, max_size=14
).flatmap(lambda parts: st.sampled_from([" ", ""]).map(lambda glue: glue.join(parts)))
soups = st.lists(
    st.tuples(st.sampled_from(TOKENS), st.sampled_from([" ", " ", " ", ""])), max_size=16
).map(lambda parts: "".join(token + glue for token, glue in parts))


def worked(note: str | None) -> float | None:
    frame = pl.DataFrame({"note": [note]}, schema={"note": pl.String})
    found: float | None = frame.select(reclaim.worked_out("note")).item()
    return found


def all_worked(notes: list[str]) -> list[float | None]:
    return pl.DataFrame({"note": notes}).select(reclaim.worked_out("note")).to_series().to_list()


@given(texts | sentences | soups)
@settings(max_examples=2000)
def test_line_items_equal_their_twin(note: str) -> None:
    assert worked(note) == items_twin.worked_out(note)


@given(
    texts,
    st.lists(st.sampled_from(ITEMS), max_size=4),
    st.sampled_from([46.0, 28.0, float("nan")]),
    st.none() | st.sampled_from([46.0, 46.4, 28.0]),
)
@settings(max_examples=400)
def test_probes_equal_their_twin(
    note: str, items: list[str], conclusion: float, truth: float | None
) -> None:
    rows = pl.DataFrame(
        {"note": [note], "items": [items], "stale": [conclusion], "truth": [truth]},
        schema={"note": pl.String, "items": pl.List(pl.String), "stale": float, "truth": float},
    )
    found = rs.score.probe("note", "items", "stale", truth=None if truth is None else "truth")
    assert rows.select(found).item() == twin.probe(
        note, items, conclusion, truth, list(rs.text.INCOMPLETE)
    )


def test_probes_say_what_the_scorers_say() -> None:
    asked = reclaim.ledgers(20, items=[4, 16], decoys=[0, 8])
    notes = reclaim.ledger_notes(asked, policies=reclaim.LEDGER_POLICIES, budgets=[120, 600])
    rows = notes.join(asked, on=["pid", "store", "n_items", "n_decoys"])
    probed = rows.select(rs.score.probe("note", "source_items", "drift", truth="truth")).unnest(
        "note"
    )
    apart = rows.select(
        rs.score.memory_regime("note", "source_items", "drift").alias("regime"),
        rs.text.completeness("note", "source_items").alias("counts"),
        works_out=(reclaim.worked_out("note") == pl.col("truth")).fill_null(False),
    ).unnest("counts")
    for name in ("regime", "kept", "total", "works_out"):
        assert probed[name].equals(apart[name])
    assert probed["regime"].n_unique() == 3
    # A note that holds the whole source works out, unless a line is in it that was not bought.
    assert set(rows.filter(probed["works_out"])["policy"]) >= {"source-first", "denoised"}


FRAME = pl.DataFrame(
    {
        "note": ["7 pens at $4 each; 2 jars at $9 each", "It came to $46", None, "", "incomplete"],
        "items": [["7 pens at $4 each", "2 jars at $9 each"]] * 3 + [None, []],
        "stale": [46.0, 46.0, 46.0, 46.0, None],
        "truth": [46.0, 46.0, 46.0, 46.0, 46.0],
        "g": [1, 2, 1, 2, 1],
    },
    schema_overrides={"items": pl.List(pl.String)},
)
PROBES = {
    "own": rs.score.probe("note", "items", "stale"),
    "given": rs.score.probe("note", "items", "stale", truth="truth"),
    "literals": rs.score.probe(
        "note", pl.lit(pl.Series([["7 pens at $4 each"]])), pl.lit(46), truth=pl.lit(28)
    ),
    "in words": rs.score.probe("note", "items", pl.lit("pens")),
}


@pytest.mark.parametrize("name", PROBES)
def test_kinds_of_columns_and_plans(name: str) -> None:
    expected = FRAME.select(PROBES[name])
    assert expected.columns == ["note"]
    cast = FRAME.with_columns(pl.col("note").cast(pl.Categorical))
    assert cast.select(PROBES[name]).equals(expected)
    lazy = FRAME.lazy().select(PROBES[name])
    assert lazy.collect_schema() == expected.schema
    assert lazy.collect(engine="streaming").equals(expected)
    assert FRAME.select(PROBES[name].over("g")).equals(expected)
    assert FRAME.clear().select(PROBES[name]).schema == expected.schema
    chunks = pl.concat([FRAME.slice(row, 1) for row in range(5)] * 3, rechunk=False)
    assert chunks.select(PROBES[name]).equals(pl.concat([expected] * 3))
    assert FRAME.select(PROBES[name]).unnest("note").columns == [
        "regime", "kept", "total", "works_out",
    ]  # fmt: skip


def test_nulls_give_nulls() -> None:
    rows: list[dict[str, Any]] = FRAME.select(PROBES["given"]).to_series().to_list()
    nothing = {"regime": None, "kept": None, "total": None}
    assert rows[0] == {"regime": "correctable", "kept": 2, "total": 2, "works_out": True}
    assert rows[1]["works_out"] is False
    assert rows[2] == nothing | {"works_out": None}
    assert rows[3] == nothing | {"works_out": False}
    assert rows[4] == {"regime": None, "kept": 0, "total": 0, "works_out": False}


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(ColumnError, match="'items' has type String; it must be lists"):
        FRAME.with_columns(items=pl.lit("x")).select(PROBES["own"])
    with pytest.raises(ColumnError, match="'note' has type Int"):
        FRAME.with_columns(note=1).select(PROBES["own"])
    with pytest.raises(OptionError, match="signals"):
        rs.score.probe("note", "items", "stale", signals=7)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "piece",
    [
        "7 pens at $4 each",
        "$",
        "7 a at $",
        "1 ",
        " at $",
        "a ",
        "é$4 each",
        "7 x ",
        "|",
        "| 7 ",
        "$ ",
        "7-",
        "1,",
        "USD ",
        "7 USD",
        "\u00a0",
        "7 \\",
        "7 × $4 = $28; ",
        "7 × $4 = ",
        "* ",
        "#",
        "\n",
        "|\n",
    ],
)
def test_time_grows_with_the_text(piece: str) -> None:
    times = []
    for size in (100_000, 400_000):
        note = pl.Series("note", [piece * (size // len(piece))])
        best = float("inf")
        for _ in range(3):
            begun = time.process_time()
            pl.select(reclaim.worked_out(pl.lit(note)))
            best = min(best, time.process_time() - begun)
        times.append(best)
    # Four times the text; a look back at all that was read would take sixteen.
    assert times[1] < max(10 * times[0], 0.02)


def test_certificates_of_real_memories_do_not_lie(reference: Path) -> None:
    """Few deployed memories list items as the study does; where one works out, it is right."""
    folder = reference / "data" / "reclaim-eval"
    problems = pl.read_ndjson(folder / "problems.jsonl").filter(task="arith")
    rows = pl.read_ndjson(
        folder / "realworld_meta-llama_llama-3.1-8b-instruct_arith_t0.7.jsonl",
        infer_schema_length=None,
    ).join(problems.select("pid", pl.col("truth").cast(pl.Float64)), on="pid")
    found = rows.with_columns(worked=reclaim.worked_out("memory_text"))
    expected = [items_twin.worked_out(note) for note in rows["memory_text"]]
    assert found["worked"].to_list() == expected
