"""What evaluators ask of whole runs: which scorer errs, and whether a printed figure can be."""

import re
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats

import reclaimstats as rs
from conftest import FLOOR, Race
from corpus import replies

ROWS = 20_000


def trials() -> pl.DataFrame:
    """Replies of two arms, with a right and a stale value of each."""
    frame = replies().head(ROWS).select("reply").with_row_index("item")
    rng = np.random.default_rng(0)
    return frame.with_columns(
        arm=pl.when(pl.col("item") % 2 == 0).then(pl.lit("new")).otherwise(pl.lit("old")),
        truth=pl.Series(rng.integers(20, 200, frame.height)).cast(pl.Float64),
        drift=pl.lit(55.0),
        stated=rs.text.answer_number("reply"),
        last=pl.col("reply").str.extract(r"(\d+)\D*$").cast(pl.Float64),
    )


def test_phantoms(race: Race) -> None:
    frame = trials()

    def ours() -> tuple[int, ...]:
        found = rs.phantoms(
            frame, {"last": "last"}, truth="truth", drift="drift", reference="stated"
        )
        return found.select("n_abstaining", "phantoms", "stale").row(0)

    def peer() -> tuple[int, ...]:
        """A loop over rows."""
        abstaining = phantoms = stale = 0
        for stated, last, drift in frame.select("stated", "last", "drift").iter_rows():
            if stated is None:
                abstaining += 1
                phantoms += last is not None
                stale += last is not None and abs(last - drift) < 0.5
        return abstaining, phantoms, stale

    ratio = race(
        ours,
        peer,
        name="phantoms of a scorer on 20,000 replies",
        against="Python loop",
        same=lambda a, b: a == b,
    )
    assert ratio >= FLOOR * 0.3


def test_sensitivity(race: Race) -> None:
    frame = trials().with_columns(
        strict=pl.col("stated").eq(pl.col("truth")).fill_null(False),
        lax=pl.col("last").eq(pl.col("truth")).fill_null(False),
    )

    def ours() -> tuple[int, int, float]:
        found = rs.sensitivity(
            frame, {"strict": "strict", "lax": "lax"}, contrast="arm", baseline="old"
        )
        return found.select("disagree_treatment", "disagree_baseline", "fisher_p").row(0)

    def peer() -> tuple[int, int, float]:
        """Counts of Polars and Fisher's test; no shift of the effect, no interval."""
        parts = [frame.filter(arm=arm) for arm in ("new", "old")]
        apart = [int((part["strict"] != part["lax"]).sum()) for part in parts]
        table = [[k, part.height - k] for k, part in zip(apart, parts, strict=True)]
        return apart[0], apart[1], float(scipy.stats.fisher_exact(table).pvalue)

    ratio = race(
        ours,
        peer,
        name="sensitivity to the scoring rule, 20,000 trials, with shift and interval",
        against="Polars filters and SciPy, no shift",
        same=lambda a, b: a == pytest.approx(b, rel=1e-9),
    )
    assert ratio >= FLOOR * 0.3


def test_audit(race: Race) -> None:
    """Which tables of two arms of the same 100 items give a printed p-value."""
    figure: dict[str, Any] = {
        "figure": "p",
        "n": 100,
        "treatment": "92%",
        "baseline": "83%",
        "printed": ".022",
        "method": "mcnemar-exact",
    }

    def ours() -> list[int]:
        return rs.audit(figure).tables["treatment_only"].sort().to_list()

    def peer() -> list[int]:
        found = []
        for only in range(93):
            other = only - 9
            if 0 <= other <= 83 and only + other <= 100:
                p = scipy.stats.binomtest(only, only + other).pvalue
                if abs(round(p, 3) - 0.022) < 1e-9:
                    found.append(only)
        return found

    ratio = race(
        ours,
        peer,
        name="audit of a printed p-value of 100 pairs",
        against="SciPy, every table",
        same=lambda a, b: a == b,
    )
    assert ratio >= FLOOR


def test_records(race: Race) -> None:
    """Records of four fields against a pattern for each."""
    rows = 5_000
    frame = pl.DataFrame(
        {
            "record": [
                f"CLAIM: the total is {n}\nSOURCE: turn {n % 7}\n"
                "CERTAINTY: confirmed\nAS_OF: turn 3"
                for n in range(rows)
            ]
        }
    )
    patterns = {
        field: re.compile(rf"^{field}:[ \t]*(.*)$", re.MULTILINE)
        for field in ("CLAIM", "SOURCE", "CERTAINTY", "AS_OF")
    }

    def peer() -> list[str]:
        found = []
        for text in frame["record"]:
            fields = {name: pattern.search(text) for name, pattern in patterns.items()}
            found.append(fields["CLAIM"][1])  # type: ignore[index]
        return found

    record = rs.score.read_record("record").struct.field("claim")
    ratio = race(
        lambda: frame.select(record).to_series().to_list(),
        peer,
        name="5,000 records of four fields",
        against="Python's re in a loop",
        same=lambda a, b: a == b,
    )
    assert ratio >= FLOOR


def test_verdicts_of_a_judge(race: Race) -> None:
    rows = 20_000
    labels = ["correct", "incorrect", "partially correct"]
    frame = pl.DataFrame(
        {
            "judge": [
                f'The answer matches.\n```json\n{{"reason": "it says {n}", "verdict": '
                f'"{labels[n % 3].upper()}"}}\n```'
                for n in range(rows)
            ]
        }
    )
    verdict = rs.text.verdict("judge", labels=labels, field="verdict")
    field = pl.col("judge").str.extract(r'"verdict":\s*"([^"]*)"').str.to_lowercase()
    ratio = race(
        lambda: frame.select(verdict).to_series(),
        lambda: frame.select(field).to_series(),
        name="verdicts of 20,000 judge replies",
        against="a pattern in Polars, well-formed replies only",
        same=lambda a, b: a.cast(pl.String).equals(b),
    )
    assert ratio >= FLOOR * 0.3
