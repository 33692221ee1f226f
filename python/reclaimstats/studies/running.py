"""Put a plan's calls to a model, and keep every reply.

The store is a file of JSON lines. The first describes the plan, each other one holds a reply, and
is on disk before its worker makes another call. A run that was killed goes on where it stopped.
"""

import hashlib
import inspect
import itertools
import json
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import polars as pl

from reclaimstats.design.columns import column_names
from reclaimstats.errors import ColumnError, DesignError, OptionError, RunError, StoreError
from reclaimstats.options import choice, distance, integer
from reclaimstats.progress import EVERY, Line, duration

if sys.platform != "win32":
    import fcntl

__all__ = ["Design", "Messages", "Respond", "run"]

Messages = list[dict[str, str]]
"""A conversation: what was said in turn, each a dictionary of role and content."""

Respond = Callable[[list[Messages]], list[str] | Awaitable[list[str]]]
"""What answers: several conversations in, as many replies out; plain or async."""

_FORMAT = 1
_MAGIC = b'{"reclaimstats":'
_LONGEST_PAUSE = 60.0
_FAILURES = ("stop", "skip")


class Design(Protocol):
    """A plan of several turns, whose later calls depend on the replies to earlier ones."""

    def pending(self, answered: pl.DataFrame) -> pl.DataFrame:
        """Return the calls that can be made now, with `key` and `messages`.

        Args:
            answered: key and reply of every call that was answered, sorted by key. The same
                replies must give the same calls; calls that came up before may come again.
        """
        ...


def run(
    plan: pl.DataFrame | Design,
    respond: Respond,
    *,
    store: str | Path | None,
    max_concurrency: int = 8,
    batch_size: int = 1,
    retries: int = 3,
    pause: float = 1.0,
    max_calls: int | None = None,
    on_failure: str = "stop",
    progress: bool | None = None,
) -> pl.DataFrame:
    """Answer every call of a plan with any client, and keep each reply as it comes.

    A row of the plan is a call. Calls whose reply the store holds are not made again, so that a
    run that was killed, or stopped with Ctrl-C, goes on when it is started again. A call that was
    under way when the process was killed is made again: its reply was never seen.

    Args:
        plan: A frame with `key` (one per call, no two the same) and `messages` (lists of role and
            content), or a `Design` that gives the next calls from the replies so far.
        respond: Takes a list of conversations, each a list of {"role", "content"}, and returns as
            many replies. A plain function is called from several threads; an async one in one
            event loop.
        store: File of replies, made if it is not there. One run at a time may use it. None keeps
            nothing, for clients that cost nothing.
        max_concurrency: How many calls to `respond` are under way at once.
        batch_size: How many conversations each of them holds.
        retries: How often a call that raised is tried again.
        pause: Seconds before the first of those; each pause is twice the one before, up to a
            minute.
        max_calls: Most conversations to send in this run, tries included; the rest stays
            unanswered.
        on_failure: What to do about a call that fails to the end: "stop" the run, or "skip" it
            and leave its reply null. It is tried anew by the next run.
        progress: Whether to show progress on standard error; by default if that is a terminal.

    Returns:
        A frame's rows with `reply` (String) added or replaced, null where there is none; of a
        `Design`, key, messages and reply of all its calls in the order in which they came up.

    Raises:
        ColumnError: `key` or `messages` is missing, null or of the wrong type.
        DesignError: A key stands twice.
        OptionError: An option is unknown or out of range.
        StoreError: The store belongs to another plan (the difference is named), is in use, or is
            not a store.
        RunError: A call failed to the end and `on_failure` is "stop". What was answered is kept.

    Examples:
        >>> import tempfile, pathlib
        >>> import polars as pl, reclaimstats as rs
        >>> plan = pl.DataFrame(
        ...     {"key": ["a", "b"], "messages": [[{"role": "user", "content": t}] for t in "xy"]}
        ... )
        >>> def echo(conversations):
        ...     return [f"you said {messages[-1]['content']}" for messages in conversations]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     store = pathlib.Path(folder) / "replies.jsonl"
        ...     rs.studies.run(plan, echo, store=store)["reply"].to_list()
        ['you said x', 'you said y']
    """
    if not callable(respond):
        raise OptionError(f"respond must be a function; received {respond!r}")
    options = _Options(
        max_concurrency=integer("max_concurrency", max_concurrency, least=1, most=10_000),
        batch_size=integer("batch_size", batch_size, least=1, most=100_000),
        retries=integer("retries", retries, least=0, most=1_000),
        pause=distance("pause", pause),
        skip=choice("on_failure", on_failure, _FAILURES) == "skip",
        shown=sys.stderr.isatty() if progress is None else progress,
    )
    allowance = _Allowance(
        None if max_calls is None else integer("max_calls", max_calls, least=0, most=2**62)
    )
    if isinstance(plan, pl.DataFrame):
        calls = _calls(plan)
        with _opened(store, calls) as replies, _Client(respond, options, allowance) as client:
            _answer(calls, replies, client)
            found = pl.Series("reply", replies.of(calls), dtype=pl.String)
        return plan.with_columns(found)
    nothing = pl.DataFrame(schema={"key": pl.String, "reply": pl.String})
    known: dict[str, Messages] = {}
    calls = _calls(plan.pending(nothing))
    with _opened(store, calls) as replies, _Client(respond, options, allowance) as client:
        while calls:
            replies.check(calls)
            known |= calls
            _answer(calls, replies, client)
            keys = sorted(key for key in known if key in replies.texts)
            answered = pl.DataFrame({"key": keys, "reply": replies.of(keys)}, schema=nothing.schema)
            calls = _new_calls(_calls(plan.pending(answered)), known)
        found = pl.Series("reply", replies.of(known), dtype=pl.String)
    return pl.DataFrame({"key": list(known), "messages": list(known.values())}).with_columns(found)


@dataclass(frozen=True, slots=True)
class _Options:
    max_concurrency: int
    batch_size: int
    retries: int
    pause: float
    skip: bool
    shown: bool


def _calls(plan: pl.DataFrame) -> dict[str, Messages]:
    """Return each call's messages by its key, once both columns are in order."""
    column_names(plan.columns, ("key", "messages"), argument="plan")
    keys, messages = plan["key"], plan["messages"]
    message = pl.List(pl.Struct({"role": pl.String, "content": pl.String}))
    try:
        messages = messages.cast(message)
    except pl.exceptions.PolarsError as error:
        raise ColumnError(
            f"plan: messages must be lists of structs of role and content; they are "
            f"{messages.dtype}"
        ) from error
    if keys.dtype != pl.String:
        raise ColumnError(f"plan: key must be String; it is {keys.dtype}")
    if keys.null_count() or messages.null_count():
        raise ColumnError("plan: key and messages must not be null")
    if keys.n_unique() < len(keys):
        twice = keys.filter(keys.is_duplicated()).unique(maintain_order=True).head(3).to_list()
        raise DesignError(f"plan: more than one call has the key {twice}; make keys unique")
    return dict(zip(keys.to_list(), messages.to_list(), strict=True))


def _new_calls(calls: dict[str, Messages], known: dict[str, Messages]) -> dict[str, Messages]:
    for key in calls.keys() & known.keys():
        if calls[key] != known[key]:
            raise DesignError(f"the design gave other messages for the call {key!r} than before")
    return {key: messages for key, messages in calls.items() if key not in known}


def _digest(messages: Messages) -> str:
    text = json.dumps(messages, ensure_ascii=True, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class _Replies:
    """Replies in memory.

    Attributes:
        texts: The reply to each key.
    """

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self._adding = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def check(self, calls: dict[str, Messages]) -> None:
        """Refuse calls that there is a reply to under the same key but other messages."""

    def add(self, replies: dict[str, str], calls: dict[str, Messages]) -> None:
        """Keep replies, of which others may be added at the same time."""
        with self._adding:
            self.keep(replies, calls)
            self.texts |= replies

    def keep(self, replies: dict[str, str], calls: dict[str, Messages]) -> None:
        """Do what must be done before they count as answered."""

    def of(self, keys: Iterable[str]) -> list[str | None]:
        """Return the replies to these keys, None where there is none."""
        return [self.texts.get(key) for key in keys]


def _opened(store: str | Path | None, calls: dict[str, Messages]) -> _Replies:
    return _Replies() if store is None else _Store(Path(store), calls)


class _Store(_Replies):
    """The file of replies, open and locked."""

    def __init__(self, path: Path, calls: dict[str, Messages]) -> None:
        super().__init__()
        self._path = path
        self._digests: dict[str, str] = {}
        is_new = not path.exists()
        self._file = path.open("a+b")
        try:
            self._lock()
            self._load({key: _digest(messages) for key, messages in calls.items()})
            if is_new:
                _sync_folder(path.parent)
        except BaseException:
            self._file.close()
            raise

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _lock(self) -> None:
        # The lock goes with the process, also when that is killed. Windows has none of the kind.
        if sys.platform != "win32":
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise StoreError(f"{self._path} is in use by another run; wait for it") from error

    def _load(self, planned: dict[str, str]) -> None:
        self._file.seek(0)
        data = self._file.read()
        # What was cut short by a kill was never reported as done.
        whole = data.rfind(b"\n") + 1
        # A kill may have cut short even the first line.
        if not (data.startswith(_MAGIC) or _MAGIC.startswith(data)):
            raise StoreError(f"{self._path} is not a store of replies; name another file")
        if whole < len(data):
            self._file.truncate(whole)
        if not whole:
            self._append([{"reclaimstats": _FORMAT, "calls": planned}])
            return
        first, *others = data[:whole].splitlines()
        header = self._parsed(first, 1)
        if header.get("reclaimstats") != _FORMAT:
            raise StoreError(f"{self._path} has format {header.get('reclaimstats')}, not {_FORMAT}")
        self._compare(header.get("calls", {}), planned)
        for number, line in enumerate(others, start=2):
            row = self._parsed(line, number)
            try:
                key, digest, text = row["key"], row["messages"], row["reply"]
            except KeyError as error:
                raise StoreError(f"{self._path}, line {number}: there is no {error}") from error
            if key in self.texts:
                raise StoreError(f"{self._path}, line {number}: a second reply to {key!r}")
            self.texts[key], self._digests[key] = text, digest

    def _parsed(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            row = json.loads(line)
        except ValueError as error:
            raise StoreError(f"{self._path}, line {number}: not JSON ({error})") from error
        if not isinstance(row, dict):
            raise StoreError(f"{self._path}, line {number}: not an object")
        return row

    def _compare(self, stored: dict[str, str], planned: dict[str, str]) -> None:
        """Refuse a plan other than the one that the store was made for."""
        changed = [key for key in planned if key in stored and stored[key] != planned[key]]
        differences = [
            f"{len(keys)} {what}, such as {keys[0]!r}"
            for what, keys in (
                ("calls are new", [key for key in planned if key not in stored]),
                ("calls are gone", [key for key in stored if key not in planned]),
                ("calls have other messages", changed),
            )
            if keys
        ]
        if differences:
            raise StoreError(
                f"{self._path} belongs to another plan: {'; '.join(differences)}. Give this plan "
                "a store of its own"
            )

    def check(self, calls: dict[str, Messages]) -> None:
        """Refuse calls that the store has a reply to under the same key but other messages."""
        for key, messages in calls.items():
            if key in self._digests and self._digests[key] != _digest(messages):
                raise StoreError(
                    f"{self._path} has a reply to {key!r} that was asked with other messages; "
                    "give this design a store of its own"
                )

    def keep(self, replies: dict[str, str], calls: dict[str, Messages]) -> None:
        """Write replies to the disk."""
        self._append(
            [
                {"key": key, "messages": _digest(calls[key]), "reply": reply}
                for key, reply in replies.items()
            ]
        )

    def _append(self, rows: list[dict[str, Any]]) -> None:
        self._file.write(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
        self._file.flush()
        os.fsync(self._file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make a new file's name last as long as what is in it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class _Allowance:
    """How many conversations may still be sent."""

    def __init__(self, left: int | None) -> None:
        self._left = left
        self._taking = threading.Lock()

    def take(self, wanted: int) -> int:
        """Take up to as many, and say how many."""
        with self._taking:
            if self._left is None:
                return wanted
            granted = min(wanted, self._left)
            self._left -= granted
            return granted


class _Client:
    """A model client with its tries, called from several threads."""

    def __init__(self, respond: Respond, options: _Options, allowance: _Allowance) -> None:
        self.options = options
        self.allowance = allowance
        self.stopping = threading.Event()
        self._respond = respond
        # asyncio takes a third of the time of importing the package, and most calls need none.
        import asyncio  # noqa: PLC0415

        # One event loop for all calls, because async clients belong to the one they met first.
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._submit = asyncio.run_coroutine_threadsafe

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def ask(self, conversations: list[Messages]) -> list[str]:
        """Return the replies, after several tries if need be; the first is paid for already."""
        pause = self.options.pause
        for tries_left in reversed(range(self.options.retries + 1)):
            try:
                replies = self._once(conversations)
            except Exception:
                if not tries_left:
                    raise
                if self.stopping.wait(min(pause, _LONGEST_PAUSE)):
                    raise
                if self.allowance.take(len(conversations)) < len(conversations):
                    raise
                pause *= 2.0
            else:
                return _checked(replies, len(conversations))
        raise AssertionError

    def _once(self, conversations: list[Messages]) -> object:
        answer = self._respond(conversations)
        if not inspect.isawaitable(answer):
            return answer
        return self._submit(_awaited(answer), self._loop).result()


async def _awaited(answer: Awaitable[list[str]]) -> list[str]:
    return await answer


def _checked(replies: object, wanted: int) -> list[str]:
    if not isinstance(replies, list | tuple) or not all(isinstance(text, str) for text in replies):
        raise RunError(f"respond must return a list of strings; it returned {replies!r:.200}")
    if len(replies) != wanted:
        raise RunError(f"respond got {wanted} conversations and returned {len(replies)} replies")
    return list(replies)


def _answer(calls: dict[str, Messages], store: _Replies, client: _Client) -> None:
    """Answer what the store holds no reply to, as far as the allowance goes."""
    options = client.options
    left = iter([key for key in calls if key not in store.texts])
    shown = _Progress(calls, store, shown=options.shown)

    def batches() -> Iterator[list[str]]:
        while keys := list(itertools.islice(left, options.batch_size)):
            granted = client.allowance.take(len(keys))
            if granted:
                yield keys[:granted]
            if granted < len(keys):
                return

    def answer(keys: list[str]) -> None:
        replies = client.ask([calls[key] for key in keys])
        store.add(dict(zip(keys, replies, strict=True)), calls)

    waiting: dict[Future[None], list[str]] = {}
    failed: tuple[str, BaseException] | None = None
    with ThreadPoolExecutor(options.max_concurrency) as pool:
        try:
            following = batches()
            while not client.stopping.is_set():
                for keys in itertools.islice(following, options.max_concurrency - len(waiting)):
                    waiting[pool.submit(answer, keys)] = keys
                if not waiting:
                    break
                done, _ = wait(waiting, timeout=EVERY, return_when=FIRST_COMPLETED)
                for future in done:
                    keys = waiting.pop(future)
                    error = future.exception()
                    if error is None or (options.skip and not isinstance(error, RunError)):
                        continue
                    client.stopping.set()
                    failed = failed or (keys[0], error)
                shown.show()
        finally:
            # What is under way is still answered and kept; what waits for its next try is not.
            client.stopping.set()
            shown.end()
    client.stopping.clear()
    if failed is not None:
        key, error = failed
        raise RunError(
            f"the call {key!r} failed: {error!r}. {len(store.texts)} replies are kept: run again "
            "to go on, or leave out what fails with on_failure='skip'"
        ) from error


class _Progress:
    """A line on standard error that says how far the run is."""

    def __init__(self, calls: dict[str, Messages], store: _Replies, *, shown: bool) -> None:
        self._calls, self._store = calls, store
        self._line, self._begun = Line(shown=shown), time.monotonic()
        self._before = self._answered()

    def _answered(self) -> int:
        return sum(key in self._store.texts for key in self._calls)

    def show(self) -> None:
        """Write the line anew, if the last one is old enough."""
        if self._line.due:
            self._write()

    def end(self) -> None:
        """Write the last line and leave it there."""
        self._write()
        self._line.end()

    def _write(self) -> None:
        answered, total = self._answered(), len(self._calls)
        new, seconds = answered - self._before, time.monotonic() - self._begun
        line = f"{answered} of {total} calls answered"
        if new and seconds > 0:
            left = (total - answered) * seconds / new
            line += f", {new / seconds:.1f} a second, about {duration(left)} left"
        self._line.write(line)
