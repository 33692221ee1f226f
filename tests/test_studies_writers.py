"""Memories that are written, errors that nobody planted, and labels of real conversations."""

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from reclaimstats.cli import main
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reclaimstats.studies import reclaim, run
from reclaimstats.studies.running import Messages

KINDS = {
    "purchases": reclaim.problems(6),
    "ledgers": reclaim.ledgers(2, items=[3, 8], decoys=[0, 4]),
    "puzzles": pl.concat(reclaim.puzzles(6, kind=kind) for kind in reclaim.PUZZLES),
}

# --- written memories


@pytest.mark.parametrize("kind", KINDS)
def test_a_careful_scribe_keeps_all_that_was_given_and_nothing_planted(kind: str) -> None:
    asked = KINDS[kind]
    calls = reclaim.writing(asked, prompts=list(reclaim.PROMPTS), draws=2)
    assert calls.height == asked.height * len(reclaim.PROMPTS) * 2
    kept = reclaim.memories(reclaim.scribe(calls)).join(asked, on="pid")
    assert kept.height == calls.height
    for row in kept.iter_rows(named=True):
        assert all(item in row["note"] for item in row["source_items"])
        assert row["premise"] not in row["note"]
        assert "not bought" not in row["note"]
        assert "Who" not in row["note"]
    plan = reclaim.board(asked, reclaim.memories(reclaim.scribe(calls)), seeds=1)
    trials = reclaim.scored(reclaim.deterministic(plan))
    shares = dict(trials.group_by("policy").agg(pl.col("recovered").mean()).iter_rows())
    assert shares.pop("lossy") < 1
    assert set(shares.values()) == {1.0}


def test_a_careless_scribe_loses_its_share_and_draws_differ() -> None:
    asked = reclaim.problems(200)
    calls = reclaim.writing(asked, prompts=["distilled"], draws=2)
    for loses in (0.0, 0.3, 1.0):
        written = reclaim.scribe(calls, loses=loses)
        left = written["reply"].str.count_matches(" each").sum()
        assert left / (2 * calls.height) == pytest.approx(1 - loses, abs=0.06)
    notes = reclaim.memories(reclaim.scribe(calls, loses=0.5)).pivot(
        "draw", index="pid", values="note"
    )
    assert (notes["0"] != notes["1"]).any()
    assert_frame_equal(
        reclaim.scribe(calls, loses=0.5).sort("key"),
        reclaim.scribe(calls.sample(fraction=1.0, shuffle=True, seed=1), loses=0.5).sort("key"),
    )


def test_what_is_lost_follows_the_seed() -> None:
    calls = reclaim.writing(reclaim.problems(40), prompts=["distilled"])
    replies = [reclaim.scribe(calls, loses=0.5, seed=seed)["reply"] for seed in (0, 0, 1)]
    assert replies[0].equals(replies[1])
    assert not replies[0].equals(replies[2])


def test_a_scribe_lists_what_was_said_twice_once_and_concludes_what_was_said_last() -> None:
    said = (
        "user: 9 ropes at $9 each and 7 belts at $6 each.\nassistant: Total before tax: $117.\n"
        "user: So 9 ropes at $9 each?\nassistant: Total before tax: $123."
    )
    calls = pl.DataFrame({"key": ["a"], "messages": [[{"role": "user", "content": said}]]})
    assert reclaim.scribe(calls, concludes=True)["reply"].item() == (
        "Given: 9 ropes at $9 each; 7 belts at $6 each. Total before tax: $123."
    )


def test_calls_without_a_reply_are_no_memories() -> None:
    written = reclaim.scribe(reclaim.writing(KINDS["purchases"]))
    unanswered = pl.when(pl.col("policy") == "distilled").then("reply")
    kept = reclaim.memories(written.with_columns(reply=unanswered))
    assert set(kept["policy"]) == {"distilled"}
    assert kept["note"].null_count() == 0


def test_templates_are_labelled_as_such() -> None:
    asked = KINDS["purchases"]
    memory = asked.select(
        "pid", policy=pl.lit("m"), writer=pl.lit("w"), draw=pl.lit(3), note="source"
    )
    plan = reclaim.board(asked, memory, seeds=1)
    assert plan.select("policy", "writer", "draw").unique().sort("policy").rows() == [
        ("lossy", "template", 0), ("m", "w", 3), ("source-first", "template", 0),
    ]  # fmt: skip


def test_prompts_are_worded_differently_and_give_nothing_away() -> None:
    assert len(set(reclaim.PROMPTS.values())) == len(reclaim.PROMPTS) == 5
    assert set(reclaim.DISTILLERS) < set(reclaim.PROMPTS)
    calls = reclaim.writing(KINDS["purchases"], prompts=["distilled-terse"])
    system, user = calls["messages"][0]
    assert system["content"] == reclaim.PROMPTS["distilled-terse"]
    assert user["content"].count("Total before tax") == 8


def test_writer_and_reader_are_two_models(tmp_path: Path) -> None:
    """The whole way with clients: one writes, another reads, and each is kept in its store."""
    asked = KINDS["purchases"]

    def writer(conversations: list[Messages]) -> list[str]:
        return [messages[1]["content"].splitlines()[0] for messages in conversations]

    def reader(conversations: list[Messages]) -> list[str]:
        return ["ANSWER: 7" for _ in conversations]

    written = run(reclaim.writing(asked, draws=2), writer, store=tmp_path / "written.jsonl")
    kept = reclaim.memories(written.with_columns(writer=pl.lit("first-line")))
    assert kept.columns == ["pid", "policy", "draw", "note", "writer"]
    plan = reclaim.board(asked, kept, seeds=2)
    assert plan["key"].n_unique() == plan.height == 6 * (2 * 2 + 2) * 2
    trials = reclaim.scored(run(plan, reader, store=tmp_path / "read.jsonl"))
    tables = reclaim.tables(trials, baseline="summary")
    # Draws are repeats of a cell, not cells.
    row = tables["reclaim"].filter(policy="summary").row(0, named=True)
    assert (row["n"], row["n_clusters"], row["writer"]) == (6 * 2 * 2, 6, "first-line")
    against = tables["reclaim_against"].filter(treatment_level="distilled")
    assert against["n_pairs"].to_list() == [6 * 2 * 2]
    with pytest.raises(DesignError, match="baseline='mine' is not among"):
        reclaim.tables(trials, baseline="mine")


def test_readers_are_replayed_over_fixed_memories() -> None:
    """One plan, answered by each reader: the notes stay, and models are told apart in tables."""
    asked = reclaim.problems(40)
    written = reclaim.scribe(reclaim.writing(asked, prompts=["summary"]), concludes=True, loses=0.6)
    plan = reclaim.board(asked, reclaim.memories(written), seeds=2)
    readers = {"abstains": 0.0, "inherits": 1.0}
    trials = pl.concat(
        reclaim.disposed(plan, inherits=share, confabulates=0.0).insert_column(
            0, pl.lit(name).alias("model")
        )
        for name, share in readers.items()
    )
    tables = reclaim.tables(reclaim.scored(trials), baseline="summary")
    recovered = tables["reclaim"].pivot("model", index="policy", values="estimate")
    # What a note has lost no reader finds; what it does instead is the reader's.
    assert recovered["abstains"].equals(recovered["inherits"], check_names=False)
    wrong = tables["wrong"].pivot("model", index="policy", values="estimate")
    assert wrong["abstains"].to_list() == [0.0, 0.0, 0.0]
    assert wrong.filter(policy="lossy")["inherits"].item() == 1.0
    against = tables["reclaim_against"]
    assert against["n_pairs"].to_list() == [80] * 4


def test_labels_may_be_categories() -> None:
    asked = KINDS["purchases"]
    memory = asked.select("pid", policy=pl.lit("m"), writer=pl.lit("w"), note="source")
    cast = memory.with_columns(pl.col("policy", "writer").cast(pl.Categorical))
    assert_frame_equal(reclaim.board(asked, cast), reclaim.board(asked, memory))


def test_contents_count_what_memories_hold() -> None:
    asked = KINDS["purchases"]
    notes = asked.select("pid", policy=pl.lit("given"), note="source")
    notes = pl.concat(
        [
            notes,
            asked.select("pid", policy=pl.lit("stale"), note=pl.format("It was ${}.", "drift")),
            asked.select("pid", policy=pl.lit("mad"), note=pl.lit("777 and 888, 999.5")),
        ]
    )
    table = reclaim.contents(notes, asked).pivot("quantity", index="policy", values="estimate")
    assert table.rows() == [
        ("given", 1.0, 0.0, 0.0, 0.0), ("mad", 0.0, 0.0, 1.0, 3.0), ("stale", 0.0, 1.0, 0.0, 0.0),
    ]  # fmt: skip
    # Clues are told by their tokens alone, and so are line items where no truth is given.
    clues = KINDS["puzzles"].select("pid", policy=pl.lit("given"), note="source")
    for kept, problems in (
        (clues, KINDS["puzzles"]),
        (notes.filter(policy="given"), asked.drop("truth")),
    ):
        held = reclaim.contents(kept, problems).filter(quantity="complete")
        assert held["estimate"].item() == 1.0
    with pytest.raises(ColumnError, match="policy"):
        reclaim.contents(notes.drop("policy"), asked)
    with pytest.raises(DesignError, match="no row for the memories"):
        reclaim.contents(notes, asked.tail(3))


def test_what_memories_need_is_checked() -> None:
    asked = KINDS["purchases"]
    with pytest.raises(OptionError, match="'poem'"):
        reclaim.writing(asked, prompts=["poem"])
    with pytest.raises(OptionError, match="draws=0"):
        reclaim.writing(asked, draws=0)
    with pytest.raises(OptionError, match="loses"):
        reclaim.scribe(reclaim.writing(asked), loses=2.0)
    with pytest.raises(ColumnError, match="reply"):
        reclaim.memories(reclaim.writing(asked))
    with pytest.raises(ColumnError, match="policy"):
        reclaim.board(asked, asked.select("pid", note="source"))


# --- first sessions


@pytest.mark.parametrize("kind", KINDS)
def test_openings_say_the_premise_or_do_not(kind: str) -> None:
    asked = KINDS[kind]
    for planted in (True, False):
        calls = reclaim.openings(asked, planted=planted, seeds=2).join(
            asked.select("pid", "question", "premise"), on="pid"
        )
        assert calls.height == asked.height * 2
        for row in calls.iter_rows(named=True):
            (message,) = row["messages"]
            assert message["content"].startswith(row["question"])
            assert (row["premise"] in message["content"]) == planted
            assert "ANSWER:" in message["content"]


def test_a_model_that_takes_the_premise_inherits() -> None:
    calls = reclaim.openings(KINDS["purchases"], seeds=1)
    trials = calls.with_columns(reply=pl.format("ANSWER: {}", "drift"))
    assert set(reclaim.scored(trials)["outcome"]) == {"inherited"}
    assert set(reclaim.scored(reclaim.deterministic(calls))["outcome"]) == {"recovered"}


def test_own_errors_become_problems_of_their_own() -> None:
    orders = reclaim.ledgers(20, items=[10])
    calls = reclaim.openings(orders, planted=False, seeds=3)
    trials = reclaim.scored(reclaim.read(calls, slip=0.4))
    errors = reclaim.own_errors(trials, orders)
    assert errors.height == trials["wrong"].sum() > 0
    assert errors["pid"].n_unique() == errors.height
    assert ((errors["drift"] - errors["truth"]).abs() == 1.0).all()
    notes = reclaim.ledger_notes(errors, policies=["source-first", "lossy"], budgets=[600])
    plan = reclaim.plan(errors, notes, reclaim.corrections(errors, arms=["generic"]), seeds=1)
    found = reclaim.scored(reclaim.disposed(plan, inherits=1.0, confabulates=0.0))
    outcomes = dict(found.group_by("policy").agg(pl.col("outcome").unique().first()).iter_rows())
    assert outcomes == {"source-first": "recovered", "lossy": "inherited"}
    # Nobody knows where the error is, so no correction can name it.
    with pytest.raises(ColumnError, match="locus"):
        reclaim.corrections(errors, arms=["directed"])
    with pytest.raises(DesignError, match="planted=False"):
        reclaim.own_errors(reclaim.scored(reclaim.read(reclaim.openings(orders))), orders)
    none = reclaim.own_errors(reclaim.scored(reclaim.deterministic(calls)), orders)
    assert none.height == 0
    # Who abstains, or is not heard, has made no error that a memory would keep.
    for reply in ("ANSWER: unknown", None):
        silent = calls.with_columns(reply=pl.lit(reply, pl.String))
        assert reclaim.own_errors(reclaim.scored(silent), orders).height == 0


# --- the prevalence audit


def test_a_labeller_is_asked_and_read() -> None:
    calls = reclaim.audit(reclaim.gold(), most_chars=60)
    assert calls["messages"].list.last().struct.field("content").str.len_chars().max() <= 60

    def respond(conversations: list[Messages]) -> list[str]:
        texts = [messages[1]["content"] for messages in conversations]
        return [
            "Some number. ANSWER: Compact" if any(c.isdigit() for c in text) else "hm"
            for text in texts
        ]

    labels = reclaim.labelled(run(calls, respond, store=None))
    assert labels.columns == ["domain", "item", "label"]
    assert labels["label"].to_list() == ["compact", "compact", "compact", None, None, None]
    two = pl.concat(
        part.select("domain", "item", "label", labeller=pl.lit(name))
        for name, part in (("model", labels), ("gold", reclaim.gold()))
    )
    tables = reclaim.audit_tables(two)
    assert tables["agreement"].filter(domain="all")["agreement"].item() == 1.0
    missing = tables["shares"].filter(labeller="model", label="compact")
    assert missing.select("n", "n_missing", "estimate").row(0) == (3, 3, 1.0)


def said(*turns: str) -> pl.DataFrame:
    messages = [{"role": "user", "content": text} for text in turns]
    return pl.DataFrame({"domain": "x", "item": 0, "messages": [messages]})


@pytest.mark.parametrize(
    ("turns", "label"),
    [
        (("Book a table at 18:30", "Booked for 18:30."), "compact"),
        (("Book a table at 18:30", "Booked for 19:30."), "none"),
        (("It cost 1,250", "So $1250 it is"), "compact"),
        (("It cost 4.5", "That is 4.50."), "compact"),
        (("7 pens at $4 each", "That is $28"), "compact"),
        (("7 pens at $4 each", "That is $27"), "none"),
        # Small whole numbers are mostly those of lists.
        (("1. tea 2. cake", "1. good 2. better"), "none"),
        (("It cost 9", "So 9 it is"), "none"),
        (("It cost 10", "So 10 it is"), "compact"),
        (("Only one message, of 500",), "none"),
        ((), "none"),
    ],
)
def test_the_floor_calls_compact_what_it_can_show(turns: tuple[str, ...], label: str) -> None:
    rows = said(*turns)
    if not turns:
        rows = rows.with_columns(
            messages=pl.lit([]).cast(pl.List(reclaim.gold()["messages"].dtype.inner))
        )  # type: ignore[attr-defined]
    assert reclaim.floor(rows)["label"].to_list() == [label]


def test_audits_check_what_they_are_given() -> None:
    with pytest.raises(DesignError, match="more than one row"):
        reclaim.audit(pl.concat([reclaim.gold(), reclaim.gold()]))
    with pytest.raises(ColumnError, match="lists of structs"):
        reclaim.audit(reclaim.gold().with_columns(messages=pl.lit("hello")))
    with pytest.raises(DesignError, match="baseline='tool'"):
        reclaim.audit_tables(reclaim.gold(), baseline="tool")
    with pytest.raises(ColumnError, match="'dense' is no label"):
        reclaim.audit_tables(reclaim.gold().with_columns(label=pl.lit("Dense")))


# --- the command, for every design


DIALOGUES = """[{"dialogue_id": "A.json", "turns": [{"speaker": "USER",
"utterance": "leave at 9:15",
"frames": [{"state": {"slot_values": {"train-leaveat": ["09:15"]}}}]}]}]"""
EVERY = {
    **{
        name: ["reclaim.csv", "wrong.md", "checks.csv", "trials.parquet"]
        for name in reclaim.DESIGNS
    },
    "cascade": ["blast.csv", "reclaim.csv", "checks.md", "blast-planted.svg"],
    "writers": ["contents.csv", "memories.parquet", "reclaim_against.csv"],
    "prompts": ["contents.csv", "memories.parquet", "reclaim_against.csv"],
    "endogenous": ["first.parquet", "reclaim.csv", "wrong_against_blank.csv"],
    "prevalence": ["shares.csv", "labels.parquet"],
    "bookings": ["reclaim.csv", "checks.csv"],
}
CURVES = {
    "wall": "integrity-directed.svg", "logic-wall": "integrity-generic.svg",
    "depth": "depth-directed.svg", "distance": "asides-generic.svg", "size": "n_items.svg",
    "noise": "n_decoys.svg", "completeness": "n_items.svg", "cascade": "reclaim-planted.svg",
}  # fmt: skip


@pytest.mark.parametrize("design", EVERY)
def test_every_design_goes_from_nothing_to_tables_and_figures(
    design: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["study", "reclaim", "--design", design, "--problems", "4", "--seeds", "2", "--quiet"]
    if design == "bookings":
        assert main(words) == 2
        assert "--files" in capsys.readouterr().err
        (tmp_path / "dialogues.json").write_text(DIALOGUES)
        words += ["--files", str(tmp_path / "dialogues.json")]
    assert main([*words, "--reader", "deterministic", "--output", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr()
    assert "FAILS" not in shown.out
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written >= {*EVERY[design], *([CURVES[design]] if design in CURVES else [])}
    has_one = design in ("cascade", "prevalence")
    assert main([*words, "--reader", "yielding"]) == (2 if has_one else 0)


def test_prevalence_reads_a_file_of_conversations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "conversations.jsonl"
    rows = pl.concat(
        [reclaim.gold().with_columns(domain=pl.lit(name)) for name in ("chat", "tool")]
    )
    rows.write_ndjson(file)
    words = ["study", "reclaim", "--design", "prevalence", "--files", str(file), "--quiet"]
    assert main(words) == 0
    assert "tool" in capsys.readouterr().out
