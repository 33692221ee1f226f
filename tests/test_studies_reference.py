"""The study kit on the replies and results that the first paper's authors published."""

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import reclaimstats as rs
from reclaimstats.studies import reclaim

Row = dict[str, Any]

REPLAY: Row = {"method": "percentile", "resampler": "cpython"}
LLAMA = "meta-llama_llama-3.1-8b-instruct"
NO_NOTE = {"note": pl.lit(""), "source_items": pl.lit(["x"], dtype=pl.List(pl.String))}


def read(results: Path, name: str) -> pl.DataFrame:
    return pl.read_ndjson(results / f"{name}.jsonl", infer_schema_length=None)


def joined(results: Path, name: str) -> pl.DataFrame:
    """Results with what they are scored against, of the problems that were not superseded."""
    task = "logic" if "logic" in name else "arith"
    problems = read(results, "problems").filter(task=task).select("pid", "truth", "drift")
    rows = read(results, name).join(problems, on="pid", how="inner", maintain_order="left")
    if task == "arith":
        rows = rows.with_columns(pl.col("truth", "drift", "answer").cast(pl.Float64))
    else:
        # The harness compares names in any case, and keeps them as they were written.
        names = pl.col("truth", "drift", *(["answer"] if "answer" in rows.columns else []))
        rows = rows.with_columns(names.str.to_lowercase())
    return rows


def blank(results: Path) -> pl.DataFrame:
    parts = [
        joined(results, file.stem).select(
            pl.lit(file.stem).alias("model"), "policy", "pid", "seed", "truth", "drift", "reply"
        )
        for file in sorted(results.glob("blank_strict_*.jsonl"))
    ]
    return pl.concat(parts).with_columns(**NO_NOTE)


def printed(row: Row) -> tuple[Any, ...]:
    return row["n"], row["estimate"], row["low"], row["high"]


# --- expected.json, from the answers or replies


@pytest.mark.parametrize("model", [LLAMA, "x-ai_grok-4.3-20260430"])
@pytest.mark.parametrize("task", ["arith", "logic"])
def test_integrity_from_answers(results: Path, expected: Row, model: str, task: str) -> None:
    rows = joined(results, f"fix_{model}_{task}").filter(arm="directed")
    trials = reclaim.scored(rows.with_columns(**NO_NOTE))
    assert trials["recovered"].equals(trials["correct"], check_names=False)
    cells = rs.rate(trials, "recovered", by=["integrity", "policy"], **REPLAY)
    found = {(row["integrity"], row["policy"]): printed(row) for row in cells.to_dicts()}
    assert found == {
        (cell["integrity"], cell["policy"]): (cell["n"], cell["mean"], cell["low"], cell["high"])
        for cell in expected["integrity"][f"fix_{model}_{task}"]
    }


def memories(results: Path, task: str) -> pl.DataFrame:
    """The deployed board: memories that systems wrote, and answers to the directed correction."""
    rows = joined(results, f"realworld_{LLAMA}_{task}_t0.7")
    return rows.rename({"variant": "policy", "memory_text": "note"})


@pytest.mark.parametrize("task", ["arith", "logic"])
def test_deployed_board_from_answers(results: Path, expected: Row, task: str) -> None:
    name = f"realworld_{LLAMA}_{task}_t0.7"
    rows = memories(results, task).filter(arm="directed")
    trials = reclaim.scored(
        rows.select(
            "pid", "policy", "seed", "note", "truth", "drift", "answer", "correct",
            source_items=NO_NOTE["source_items"],
        )
    )  # fmt: skip
    assert trials["recovered"].equals(trials["correct"], check_names=False)
    cells = rs.rate(trials, "recovered", by="policy", **REPLAY)
    assert {row["policy"]: printed(row) for row in cells.to_dicts()} == {
        cell["variant"]: (cell["n"], cell["mean"], cell["low"], cell["high"])
        for cell in expected["deployed"][name]
    }
    tables = reclaim.tables(trials, baseline="langchain_summary")
    against = tables["reclaim_against"].filter(treatment_level="source_first_auto").to_dicts()[0]
    figures = expected["paired_auto_minus_summary"][name]
    assert (against["n_pairs"], against["difference"]) == (figures["n"], figures["mean"])
    assert (against["treatment_only"], against["baseline_only"]) == (
        figures["only_a"], figures["only_b"],
    )  # fmt: skip


@pytest.mark.parametrize("task", ["arith", "logic"])
def test_what_deployed_memories_hold(results: Path, expected: Row, task: str) -> None:
    # Superseded problems count as well in the published figures.
    rows = read(results, f"realworld_{LLAMA}_{task}_t0.7").filter(pl.col("src_nums").is_not_null())
    rows = rows.rename({"variant": "policy", "memory_text": "note"})
    rows = rows.unique(["seed", "pid", "policy"], keep="first", maintain_order=True)
    asked = rows.select("pid").unique().with_columns(drift=pl.lit(-1.0), **NO_NOTE)
    table = reclaim.contents(
        rows.select("pid", "policy", "seed", "note", "src_nums"),
        asked,
        said="src_nums",
        dialect="reclaim-eval",
    )
    found = {(row["policy"], row["quantity"]): row for row in table.to_dicts()}
    figures = expected["invented_numbers"][f"realworld_{LLAMA}_{task}_t0.7"]
    assert {policy for policy, _ in found} == set(figures)
    for policy, cell in figures.items():
        invents, invented = found[policy, "invents"], found[policy, "invented"]
        assert invents["n"] == invented["n"] == cell["memories"]
        assert invents["estimate"] == pytest.approx(cell["share_with_invented"], rel=1e-12)
        assert invented["estimate"] == pytest.approx(cell["mean_invented"], rel=1e-12)
        assert invents["low"] <= invents["estimate"] <= invents["high"]


def test_lossy_and_blank_from_raw_replies(results: Path, expected: Row) -> None:
    counts = reclaim.versions(blank(results))["outcomes"].filter(version="v2")
    assert counts.height == 8
    for row in counts.iter_rows(named=True):
        figures = expected["blank_vs_lossy"][row["model"]][row["policy"]]
        assert row["inherited"] == figures["attractor"]
        assert row["inherited"] + row["novel"] == figures.get("emit", 0)
        assert row["recovered"] == figures.get("true", 0)
        assert row["abstained"] == figures["abstain"]


def test_what_the_first_parser_made_of_the_replies(results: Path) -> None:
    found = reclaim.versions(blank(results))
    wrong = found["wrong"].filter(policy="lossy").pivot("version", index="model", values="estimate")
    assert {row["model"].removeprefix("blank_strict_"): row for row in wrong.to_dicts()} == {
        name: {"model": f"blank_strict_{name}", "v1": v1 / 96, "v2": v2 / 96, "strict": v2 / 96}
        for name, v1, v2 in (
            ("claude-sonnet-4-6", 46, 0),
            ("deepseek_deepseek-chat", 87, 83),
            ("llama", 36, 16),
            ("openai_gpt-4o-mini", 25, 0),
        )
    }
    # The same once more without any of it: by the rule of the first parser and a loop.
    loose = dict.fromkeys(wrong["model"], 0)
    for row in blank(results).filter(policy="lossy").iter_rows(named=True):
        marked = re.findall(r"(?i)ANSWER\s*:\s*\$?\s*(-?\d[\d,]*(?:\.\d+)?)", row["reply"])
        numbers = marked or re.findall(r"\$?(-?\d[\d,]*(?:\.\d+)?)", row["reply"])
        answer = float(numbers[-1].replace(",", "")) if numbers else row["truth"]
        loose[row["model"]] += abs(answer - row["truth"]) >= 0.5
    assert loose == {row["model"]: round(96 * row["v1"]) for row in wrong.to_dicts()}
    shifts = found["shifts"].filter(outcome="inherited", second="v2")
    moved = dict(shifts.select("model", "first_only_treatment").iter_rows())
    assert sum(moved.values()) == 24 + 2 + 15 + 15
    verdicts = {
        version: reclaim.kill_conditions(reclaim.scored(blank(results), dialect=dialect))
        for version, dialect in (("v1", "reclaim-eval-loose"), ("strict", "strict"))
    }
    carried = {
        version: table.filter(verdict="carries")["model"].to_list()
        for version, table in verdicts.items()
    }
    carry = ["blank_strict_deepseek_deepseek-chat", "blank_strict_llama"]
    assert carried == {"v1": ["blank_strict_claude-sonnet-4-6", *carry], "strict": carry}


def test_labels_of_two_raters(results: Path, expected: Row) -> None:
    pairs = read(results, "prevalence_agreement").with_row_index("item")
    by_model = pairs.unpivot(
        ["m1", "m2"], index=["domain", "item"], variable_name="labeller", value_name="label"
    )
    author = pl.read_csv(results / "annotation_key.csv").rename({"author_label": "label"})
    by_hand = pl.concat(
        part.select("item", "label", domain=pl.lit("slice"), labeller=pl.lit(name))
        for name, part in (
            ("author", author),
            ("rater2", pl.read_csv(results / "annotation_rater2.csv")),
        )
    )
    for labels, name in (
        (by_model, "agreement_tool_and_chat"),
        (by_hand, "author_vs_rater2"),
    ):
        table = reclaim.audit_tables(labels)["agreement"]
        row = table.filter(domain="all").row(0, named=True)
        assert row["n"] == expected["agreement"][name]["n"]
        assert row["agreement"] == pytest.approx(expected["agreement"][name]["raw"])
        assert row["estimate"] == pytest.approx(expected["agreement"][name]["kappa"])


# --- figures that the paper prints, from the results beside it


def test_corrections_that_mislead_or_hand_over_the_answer(results: Path) -> None:
    """Table 19 and 4: sustained 0.00, fabricated 0.27, control about 1; supplied 1.00."""
    shares = {}
    for file in ("corrtax_llama", "adversarial_fabricated_llama", "adversarial_multiturn_llama"):
        rows = joined(results, file).rename({"correction": "arm"})
        trials = reclaim.scored(rows.with_columns(**NO_NOTE))
        buckets = {
            "recovered": "true",
            "inherited": "drift",
            "novel": "other",
            "abstained": "noans",
        }
        assert (
            trials["outcome"].cast(pl.String).replace(buckets).to_list() == rows["bucket"].to_list()
        )
        for row in reclaim.tables(reordered(trials))["reclaim"].to_dicts():
            shares[file.split("_")[1], row["policy"], row["arm"]] = row["estimate"]
    assert {key: round(share, 2) for key, share in shares.items()} == {
        ("llama", "lossy", "aresure"): 0.0,
        ("llama", "lossy", "correctval"): 1.0,
        ("llama", "source_first", "aresure"): 1.0,
        ("llama", "source_first", "correctval"): 1.0,
        ("fabricated", "lossy", "fabricated"): 0.0,
        ("fabricated", "source_first", "fabricated"): 0.27,
        ("fabricated", "source_first", "true"): 1.0,
        ("multiturn", "lossy", "multiturn"): 0.0,
        ("multiturn", "source_first", "multiturn"): 0.0,
        ("multiturn", "source_first", "true"): 0.99,
    }


def reordered(trials: pl.DataFrame) -> pl.DataFrame:
    """Design columns in front of the seed, as a plan has them."""
    return trials.select("pid", "policy", "arm", "seed", pl.exclude("pid", "policy", "arm", "seed"))


def test_four_wordings_of_one_prompt(results: Path) -> None:
    """0.38 to 0.78, a spread of 0.41."""
    rows = joined(results, f"promptsweep_{LLAMA}_arith").rename({"prompt": "policy"})
    trials = reclaim.scored(rows.with_columns(**NO_NOTE)).select(
        "pid", "policy", "seed", pl.exclude("pid", "policy", "seed")
    )
    tables = reclaim.tables(trials, baseline="v0_paper")
    shares = tables["reclaim"]["estimate"]
    assert [round(value, 2) for value in (shares.min(), shares.max())] == [0.38, 0.78]  # type: ignore[arg-type]
    assert round(shares.max() - shares.min(), 2) == 0.41  # type: ignore[operator]
    assert tables["reclaim_against"]["n_pairs"].to_list() == [32] * 3
    # Of the three reworded prompts two are surely worse than the first.
    assert (tables["reclaim_against"]["high"] < 0).sum() == 2


def test_a_tag_that_a_weak_reader_ignores(results: Path) -> None:
    """Table 11: 6 of 96 flag the gap or abstain; the harness's labels and the kit's phrases."""
    rows = read(results, "completeness_llama").with_columns(
        truth=pl.lit(-1.0), drift=pl.lit(-2.0), **NO_NOTE
    )
    trials = reclaim.scored(rows.drop("answer"))
    assert trials["answer"].to_list() == rows["answer"].to_list()
    said = trials.filter("flagged")["bucket"].to_list()
    assert sorted(said) == ["abstain"] * 2 + ["flagged_partial"] * 4
    assert (trials["bucket"] == "silent_missum").sum() == 62


def test_prevalence_by_domain(results: Path) -> None:
    """Not all as printed: docs/reproduction.md."""
    labels = pl.concat(
        read(results, f"prevalence_audit_{model}").select(
            "domain", "label", item="i", labeller=pl.lit(model)
        )
        for model in ("grok", "llama")
    )
    tables = reclaim.audit_tables(labels, baseline="chat")
    shares = tables["shares"].filter(label="compact").select("labeller", "domain", "n", "estimate")
    counts = {(a, b): (n, round(n * share)) for a, b, n, share in shares.rows()}
    assert counts == {
        ("grok", "chat"): (100, 22), ("grok", "tool"): (100, 57), ("grok", "agentic"): (99, 55),
        ("llama", "chat"): (100, 76), ("llama", "tool"): (100, 83), ("llama", "agentic"): (99, 99),
    }  # fmt: skip
    against = tables["compact_against"].filter(treatment_level="agentic")
    assert (against["low"] > 0).all()
    assert tables["agreement"].height == 4
