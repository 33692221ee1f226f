"""Running a plan: every reply once, whatever happens in between."""

import asyncio
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import polars as pl
import pytest

from reclaimstats.errors import ColumnError, DesignError, OptionError, RunError, StoreError
from reclaimstats.studies import Design, reclaim, run
from reclaimstats.studies.running import Messages


def plan_of(keys: list[str]) -> pl.DataFrame:
    messages = [[{"role": "user", "content": f"what about {key}?"}] for key in keys]
    return pl.DataFrame({"key": keys, "messages": messages})


def echo(conversations: list[Messages]) -> list[str]:
    return [f"re: {messages[-1]['content']}" for messages in conversations]


KEYS = [f"call-{number}" for number in range(40)]
PLAN = plan_of(KEYS)
REPLIES = [f"re: what about {key}?" for key in KEYS]


@dataclass
class Counted:
    """A client that counts what it is asked."""

    asked: list[str] = field(default_factory=list)
    under_way: int = 0
    most: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, conversations: list[Messages]) -> list[str]:
        """Answer after a moment."""
        with self._lock:
            self.asked += [messages[-1]["content"] for messages in conversations]
            self.under_way += 1
            self.most = max(self.most, self.under_way)
        time.sleep(0.002)
        with self._lock:
            self.under_way -= 1
        return echo(conversations)


def test_every_call_is_answered_once_and_in_its_row(tmp_path: Path) -> None:
    client = Counted()
    answered = run(PLAN, client, store=tmp_path / "r.jsonl", max_concurrency=5)
    assert answered["reply"].to_list() == REPLIES
    assert answered.columns == ["key", "messages", "reply"]
    assert sorted(client.asked) == sorted(f"what about {key}?" for key in KEYS)
    assert 1 < client.most <= 5


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    run(PLAN, echo, store=tmp_path / "r.jsonl")
    client = Counted()
    shuffled = PLAN.sample(fraction=1.0, shuffle=True, seed=1)
    answered = run(shuffled, client, store=tmp_path / "r.jsonl")
    assert client.asked == []
    assert answered["key"].to_list() == shuffled["key"].to_list()
    assert set(answered["reply"]) == set(REPLIES)


def test_async_clients_run_side_by_side_in_one_loop(tmp_path: Path) -> None:
    loops = set()
    under_way = most = 0

    async def respond(conversations: list[Messages]) -> list[str]:
        nonlocal under_way, most
        loops.add(id(asyncio.get_running_loop()))
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.01)
        under_way -= 1
        return echo(conversations)

    answered = run(PLAN, respond, store=tmp_path / "r.jsonl", max_concurrency=8)
    assert answered["reply"].to_list() == REPLIES
    assert len(loops) == 1
    assert 1 < most <= 8


def test_it_runs_inside_a_running_loop(tmp_path: Path) -> None:
    async def notebook() -> pl.DataFrame:
        return run(PLAN, echo, store=tmp_path / "r.jsonl")

    assert asyncio.run(notebook())["reply"].to_list() == REPLIES


def test_batches_hold_so_many_conversations(tmp_path: Path) -> None:
    sizes = []

    def respond(conversations: list[Messages]) -> list[str]:
        sizes.append(len(conversations))
        return echo(conversations)

    answered = run(PLAN, respond, store=tmp_path / "r.jsonl", batch_size=16)
    assert answered["reply"].to_list() == REPLIES
    assert sorted(sizes) == [8, 16, 16]


def test_a_call_that_fails_is_tried_again(tmp_path: Path) -> None:
    tries: dict[str, int] = {}

    def respond(conversations: list[Messages]) -> list[str]:
        content = conversations[0][-1]["content"]
        tries[content] = tries.get(content, 0) + 1
        if tries[content] < 3:
            raise ConnectionError
        return echo(conversations)

    answered = run(PLAN, respond, store=tmp_path / "r.jsonl", retries=2, pause=0.0)
    assert answered["reply"].to_list() == REPLIES
    assert set(tries.values()) == {3}


def test_async_clients_are_tried_again_and_stopped_as_well(tmp_path: Path) -> None:
    tries: Counter[str] = Counter()

    async def fails_twice(conversations: list[Messages]) -> list[str]:
        await asyncio.sleep(0)
        content = conversations[0][-1]["content"]
        tries[content] += 1
        if tries[content] < 3:
            raise ConnectionError
        return echo(conversations)

    answered = run(PLAN, fails_twice, store=tmp_path / "a.jsonl", retries=2, pause=0.0)
    assert answered["reply"].to_list() == REPLIES
    assert set(tries.values()) == {3}

    async def refuses(conversations: list[Messages]) -> list[str]:
        return refuses_one(conversations)

    skipped = run(PLAN, refuses, store=tmp_path / "b.jsonl", retries=0, on_failure="skip")
    assert skipped.filter(pl.col("reply").is_null())["key"].to_list() == ["call-7"]
    with pytest.raises(RunError, match="'call-7' failed: PermissionError"):
        run(PLAN, refuses, store=tmp_path / "b.jsonl", retries=0)
    some = run(PLAN, refuses, store=tmp_path / "c.jsonl", max_calls=5)
    assert some["reply"].count() == 5

    async def notebook() -> pl.DataFrame:
        return run(PLAN, refuses, store=tmp_path / "b.jsonl", retries=0, on_failure="skip")

    assert asyncio.run(notebook()).equals(skipped)


def test_pauses_double_up_to_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    class Clock(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            if timeout is None:
                return super().wait()
            pauses.append(timeout)
            return self.is_set()

    def fails(_: list[Messages]) -> list[str]:
        raise OSError("no route")

    monkeypatch.setattr(threading, "Event", Clock)
    with pytest.raises(RunError, match="no route"):
        run(plan_of(["a"]), fails, store=tmp_path / "r.jsonl", retries=6, pause=7.0)
    assert pauses == [7.0, 14.0, 28.0, 56.0, 60.0, 60.0]


def test_a_run_that_stops_asks_nothing_more(tmp_path: Path) -> None:
    asked: list[str] = []

    def fails(conversations: list[Messages]) -> list[str]:
        asked.append(conversations[0][-1]["content"])
        raise OSError("no route")

    with pytest.raises(RunError, match="no route"):
        run(PLAN, fails, store=tmp_path / "r.jsonl", retries=0, max_concurrency=2)
    assert len(asked) <= 4


def refuses_one(conversations: list[Messages]) -> list[str]:
    if "call-7?" in conversations[0][-1]["content"]:
        raise PermissionError("filtered")
    return echo(conversations)


def test_a_call_that_fails_to_the_end_stops_the_run_and_loses_nothing(tmp_path: Path) -> None:
    store = tmp_path / "r.jsonl"
    with pytest.raises(RunError, match=r"'call-7' failed: PermissionError\('filtered'\)"):
        run(PLAN, refuses_one, store=store, retries=1, pause=0.0, max_concurrency=2)
    kept = len(store.read_text().splitlines()) - 1
    assert 7 <= kept < 40
    client = Counted()
    assert run(PLAN, client, store=store)["reply"].to_list() == REPLIES
    assert len(client.asked) == 40 - kept


def test_a_call_that_fails_can_be_left_out(tmp_path: Path) -> None:
    store = tmp_path / "r.jsonl"
    answered = run(PLAN, refuses_one, store=store, retries=0, on_failure="skip")
    assert answered.filter(pl.col("reply").is_null())["key"].to_list() == ["call-7"]
    assert run(PLAN, echo, store=store)["reply"].to_list() == REPLIES


def test_the_cap_counts_tries(tmp_path: Path) -> None:
    store, client = tmp_path / "r.jsonl", Counted()
    answered = run(PLAN, client, store=store, max_calls=15, batch_size=4)
    assert len(client.asked) == 15
    assert answered["reply"].null_count() == 25
    assert run(PLAN, client, store=store, max_calls=0)["reply"].null_count() == 25
    calls = 0

    def fails(_: list[Messages]) -> list[str]:
        nonlocal calls
        calls += 1
        raise ConnectionError

    run(PLAN, fails, store=store, max_calls=3, pause=0.0, on_failure="skip", max_concurrency=1)
    assert calls == 3


@pytest.mark.parametrize("wrong", ["a string", ["one", "two"], [None], [], 7])
def test_a_client_that_returns_something_else_is_stopped(tmp_path: Path, wrong: object) -> None:
    with pytest.raises(RunError, match="respond"):
        run(PLAN, lambda _: wrong, store=tmp_path / "r.jsonl", on_failure="skip")  # type: ignore[arg-type, return-value]


def test_another_plan_is_refused_with_the_difference(tmp_path: Path) -> None:
    store = tmp_path / "r.jsonl"
    run(PLAN, echo, store=store, max_calls=3)
    with pytest.raises(StoreError, match="1 calls are new, such as 'x'; 39 calls are gone"):
        run(plan_of(["call-0", "x"]), echo, store=store)
    other = PLAN.with_columns(
        messages=pl.concat_list(
            pl.struct(role=pl.lit("system"), content=pl.lit("Be brief.")),
            pl.col("messages").list.first(),
        )
    )
    with pytest.raises(StoreError, match="40 calls have other messages, such as 'call-0'"):
        run(other, echo, store=store)
    assert run(PLAN, echo, store=store)["reply"].to_list() == REPLIES


def test_a_store_in_use_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "r.jsonl"

    def respond(conversations: list[Messages]) -> list[str]:
        with pytest.raises(StoreError, match="in use"):
            run(PLAN, echo, store=store)
        return echo(conversations)

    run(plan_of(["a"]), respond, store=store)


def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes")
    with pytest.raises(StoreError, match="not a store"):
        run(PLAN, echo, store=path)
    assert path.read_text() == "my notes"


def test_a_line_cut_short_is_asked_again_and_a_broken_one_is_named(tmp_path: Path) -> None:
    store = tmp_path / "r.jsonl"
    run(PLAN, echo, store=store)
    whole = store.read_bytes()
    store.write_bytes(whole[:-5])
    client = Counted()
    assert run(PLAN, client, store=store)["reply"].to_list() == REPLIES
    assert len(client.asked) == 1
    assert len(store.read_bytes().splitlines()) == 41
    lines = whole.splitlines()
    store.write_bytes(b"\n".join([*lines[:4], b"{broken", *lines[5:], b""]))
    with pytest.raises(StoreError, match="line 5: not JSON"):
        run(PLAN, echo, store=store)


def test_a_store_that_this_version_cannot_have_written_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "r.jsonl"
    run(PLAN, echo, store=store)
    header, first, *others = store.read_bytes().splitlines(keepends=True)
    store.write_bytes(b"".join([header, first, first, *others]))
    with pytest.raises(StoreError, match="line 3: a second reply to 'call-"):
        run(PLAN, echo, store=store)
    store.write_bytes(header.replace(b'"reclaimstats": 1', b'"reclaimstats": 2'))
    with pytest.raises(StoreError, match="has format 2, not 1"):
        run(PLAN, echo, store=store)


def test_plans_are_checked(tmp_path: Path) -> None:
    store = tmp_path / "r.jsonl"
    with pytest.raises(ColumnError, match="no column 'messages'"):
        run(PLAN.drop("messages"), echo, store=store)
    with pytest.raises(DesignError, match="'call-0'"):
        run(pl.concat([PLAN, PLAN.head(1)]), echo, store=store)
    with pytest.raises(ColumnError, match="null"):
        run(PLAN.with_columns(key=pl.lit(None, pl.String)), echo, store=store)
    with pytest.raises(ColumnError, match="String"):
        run(PLAN.with_columns(key=1), echo, store=store)
    with pytest.raises(ColumnError, match="lists of structs"):
        run(PLAN.with_columns(messages=pl.lit("hello")), echo, store=store)
    with pytest.raises(OptionError, match="on_failure"):
        run(PLAN, echo, store=store, on_failure="cry")
    with pytest.raises(OptionError, match="max_concurrency"):
        run(PLAN, echo, store=store, max_concurrency=0)
    assert not store.exists()
    assert run(PLAN.clear(), echo, store=store).height == 0


@dataclass
class Chains:
    """Chains of three turns, in which each asks about the reply before it."""

    names: list[str]

    def pending(self, answered: pl.DataFrame) -> pl.DataFrame:
        """Give each chain's next turn."""
        replies = dict(answered.iter_rows())
        rows = []
        for name in self.names:
            said = name
            for turn in range(3):
                key = f"{name}/{turn}"
                if key not in replies:
                    rows.append((key, [{"role": "user", "content": said}]))
                    break
                said = replies[key]
        return pl.DataFrame(
            rows,
            schema={
                "key": pl.String,
                "messages": pl.List(pl.Struct({"role": pl.String, "content": pl.String})),
            },
            orient="row",
        )


def test_a_design_gives_its_next_calls_from_the_replies(tmp_path: Path) -> None:
    store, client = tmp_path / "r.jsonl", Counted()
    design = Chains(["a", "b"])
    some = run(design, client, store=store, max_calls=3)
    assert some["key"].to_list() == ["a/0", "b/0", "a/1", "b/1", "a/2"]
    assert some["reply"].null_count() == 2
    answered = run(design, client, store=store).sort("key")
    assert answered["reply"].to_list() == [f"{'re: ' * n}{c}" for c in "ab" for n in (1, 2, 3)]
    assert len(client.asked) == 6
    with pytest.raises(StoreError, match="another plan: 1 calls are new, such as 'c/0'"):
        run(Chains(["a", "b", "c"]), client, store=store)


def test_progress_is_shown_where_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(PLAN, echo, store=tmp_path / "r.jsonl", progress=True)
    assert "40 of 40 calls answered" in capsys.readouterr().err
    run(PLAN, echo, store=tmp_path / "r.jsonl")
    assert capsys.readouterr().err == ""


CHILD = textwrap.dedent("""
    import sys, time
    from test_studies_running import PLAN, echo
    from reclaimstats.studies import run

    def respond(conversations):
        with open(sys.argv[2], "a") as log:
            log.write("".join(c[-1]["content"] + "\\n" for c in conversations))
        time.sleep(0.02)
        return echo(conversations)

    print("ready", flush=True)
    run(PLAN, respond, store=sys.argv[1], max_concurrency=3, batch_size=2)
""")


def stored(store: Path) -> dict[str, str]:
    rows = [json.loads(line) for line in store.read_bytes().split(b"\n")[1:-1]]
    assert len({row["key"] for row in rows}) == len(rows)
    return {row["key"]: row["reply"] for row in rows}


def test_a_killed_run_loses_no_reply_and_repeats_no_call_that_was_kept(tmp_path: Path) -> None:
    store, lot = tmp_path / "r.jsonl", random.Random(4)
    kept: dict[str, str] = {}
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    for attempt in range(60):
        log = tmp_path / f"asked-{attempt}"
        command = [sys.executable, "-c", CHILD, str(store), str(log)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as child:
            assert child.stdout is not None
            child.stdout.readline()
            try:
                child.wait(timeout=lot.uniform(0.0, 0.15))
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
        asked = log.read_text().splitlines() if log.exists() else []
        assert not {f"what about {key}?" for key in kept} & set(asked)
        now = stored(store) if store.exists() and store.stat().st_size else {}
        assert kept.items() <= now.items()
        kept = now
        if len(kept) == len(KEYS) and child.returncode == 0:
            break
    assert kept == dict(zip(KEYS, REPLIES, strict=True))
    assert attempt > 1


# Studies whose later calls follow from earlier replies, and one whose depth is in its messages.
STUDIES: dict[str, Callable[[], pl.DataFrame | Design]] = {
    "chains": lambda: Chains([f"chain-{number}" for number in range(8)]),
    "sustained": lambda: reclaim.conversations(reclaim.design("adversarial", n=1, seeds=2)),
    "cascade": lambda: reclaim.cascade(1, hops=[2, 4], seeds=1),
    "depth": lambda: reclaim.design("depth", n=1, seeds=1),
}

# Chains of three turns; four trials of four turns and eight of one; six chains of four steps and
# two corrections; four depths and two corrections.
CALLS = {"chains": 8 * 3, "sustained": 4 * 4 + 8, "cascade": 6 * (4 + 2), "depth": 4 * 2}


def fingerprint(messages: Messages) -> str:
    return hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()[:12]


def depends(conversations: list[Messages]) -> list[str]:
    """Reply what follows from all that was said, so that a lost or foreign reply shows later on."""
    return [f"ANSWER: {int(fingerprint(messages), 16) % 997}" for messages in conversations]


@dataclass(frozen=True)
class Whole:
    """What an uninterrupted run gives."""

    result: pl.DataFrame
    store: bytes
    of_key: dict[str, str]

    def left(self, kept: dict[str, str]) -> Counter[str]:
        """Fingerprints of the calls whose reply is not kept; calls of repeats are alike."""
        return Counter(print_ for key, print_ in self.of_key.items() if key not in kept)


@cache
def whole(study: str, folder: Path) -> Whole:
    store = folder / f"{study}.whole"
    result = run(STUDIES[study](), depends, store=store)
    assert result["reply"].count() == CALLS[study]
    prints = [fingerprint(messages) for messages in result["messages"].to_list()]
    return Whole(result, store.read_bytes(), dict(zip(result["key"], prints, strict=True)))


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Whole]:
    folder = tmp_path_factory.mktemp("whole")
    return lambda study: whole(study, folder)


@pytest.mark.parametrize("study", STUDIES)
def test_wherever_a_store_was_cut_the_run_goes_on_from_there(
    study: str, tmp_path: Path, uninterrupted: Callable[[str], Whole]
) -> None:
    """A kill leaves a beginning of the file: between turns, between lines or within one."""
    expected, lot = uninterrupted(study), random.Random(6)
    data, store = expected.store, tmp_path / "r.jsonl"
    ends = [place + 1 for place, byte in enumerate(data) if byte == ord("\n")]
    cuts = {0, 1, 15, 16, 17, ends[0] - 1, *ends, *(end + 1 for end in ends[:-1])}
    cuts |= {lot.randrange(len(data)) for _ in range(20)}
    for cut in sorted(cuts):
        store.write_bytes(data[:cut])
        asked: list[str] = []

        def client(conversations: list[Messages], asked: list[str] = asked) -> list[str]:
            asked += map(fingerprint, conversations)
            return depends(conversations)

        result = run(STUDIES[study](), client, store=store, max_concurrency=1)
        kept = [
            json.loads(line)["key"]
            for line in data[:cut].splitlines(keepends=True)[1:]
            if line.endswith(b"\n")
        ]
        assert Counter(asked) == expected.left(dict.fromkeys(kept, "")), cut
        assert result.equals(expected.result), cut
        assert len(stored(store)) == result.height


SEVERAL_TURNS = textwrap.dedent("""
    import asyncio, os, random, signal, sys, time
    import test_studies_running as tests
    from reclaimstats.studies import run, running

    study, way, store, log, seed, fate, at = sys.argv[1:]
    lot, at, design = random.Random(int(seed)), int(at), tests.STUDIES[study]()

    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    class Mortal:
        turns = 0

        def pending(self, answered):
            self.turns += 1
            if fate == "between turns" and self.turns == at:
                die()
            return design.pending(answered)

    appended = 0
    append = running._Store._append

    def torn(self, rows):
        global appended
        appended += 1
        if fate == "within a line" and appended == at:
            file = self._file

            def part(data):
                file.write(data[: lot.randrange(len(data))])
                file.flush()
                die()

            self._file = type("Torn", (), {"write": staticmethod(part)})()
        append(self, rows)

    running._Store._append = torn
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    calls = 0

    def begin(conversations):
        global calls
        calls += 1
        os.write(descriptor, "".join(
            tests.fingerprint(messages) + "\\n" for messages in conversations).encode())
        if fate == "within a call" and calls == at:
            die()

    def plain(conversations):
        begin(conversations)
        time.sleep(lot.uniform(0, 0.01))
        return tests.depends(conversations)

    async def awaited(conversations):
        begin(conversations)
        await asyncio.sleep(lot.uniform(0, 0.01))
        return tests.depends(conversations)

    print("ready", flush=True)
    result = run(
        design if study == "depth" else Mortal(),
        plain if way == "plain" else awaited,
        store=store, max_concurrency=3, batch_size=2,
    )
    result.write_ipc(store + ".result")
""")


@pytest.mark.parametrize(
    ("study", "way"),
    [
        ("chains", "plain"),
        ("chains", "async"),
        ("sustained", "plain"),
        ("sustained", "async"),
        ("cascade", "plain"),
        ("cascade", "async"),
        ("depth", "plain"),
        ("depth", "async"),
    ],
)
def test_a_run_of_several_turns_survives_kills_of_every_kind(
    study: str, way: str, tmp_path: Path, uninterrupted: Callable[[str], Whole]
) -> None:
    expected, lot = uninterrupted(study), random.Random(f"{study} {way}")
    store, kept = tmp_path / "r.jsonl", {}
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    fates = [
        ("within a line", 1),
        ("between turns", 2),
        ("within a line", lot.randint(2, 4)),
        ("within a call", lot.randint(1, 3)),
        ("between turns", 3),
        ("any time", lot.randint(1, 60)),
        ("within a line", lot.randint(1, 3)),
        ("none", 0),
    ]
    for attempt, (fate, at) in enumerate(fates):
        log = tmp_path / f"asked-{attempt}"
        words = [study, way, str(store), str(log), str(attempt), fate, str(at)]
        command = [sys.executable, "-c", SEVERAL_TURNS, *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as child:
            assert child.stdout is not None
            child.stdout.readline()
            if fate == "any time":
                try:
                    child.wait(timeout=at / 1000)
                except subprocess.TimeoutExpired:
                    child.send_signal(signal.SIGKILL)
        asked = Counter(log.read_text().splitlines()) if log.exists() else Counter()
        assert asked <= expected.left(kept), fate
        now = stored(store) if b"\n" in store.read_bytes() else {}
        assert kept.items() <= now.items(), fate
        # Of what was asked, only what was under way is not kept: six conversations at most.
        assert asked.total() - (len(now) - len(kept)) <= 6, fate
        kept = now
    assert child.returncode == 0
    assert pl.read_ipc(f"{store}.result").equals(expected.result)
    assert len(kept) == expected.result.height
