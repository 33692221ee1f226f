# Kernels over Arrow columns. Internal: the package's other modules are the interface.
from collections.abc import Sequence
from typing import Any, Final, Protocol, final

class _Stream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class _Plan(Protocol):
    @property
    def method(self) -> str: ...
    @property
    def resampler(self) -> str: ...
    @property
    def confidence_level(self) -> float: ...
    @property
    def n_resamples(self) -> int: ...
    @property
    def seed(self) -> int: ...

__all__ = [
    "DIALECTS",
    "FALLBACKS",
    "METHODS",
    "NUMBER_DIALECTS",
    "OUTCOMES",
    "RESAMPLERS",
    "TIME_FALLBACKS",
    "WHICH",
    "Letters",
    "Markers",
    "Options",
    "Pattern",
    "answer_choice",
    "answer_number",
    "answer_regex",
    "answer_time",
    "answer_word",
    "compare_clusters",
    "compare_pairs",
    "compare_sequences",
    "containment",
    "invented_numbers",
    "numbers",
    "outcome_number",
    "outcome_text",
    "prefix_survival",
    "rate_clusters",
    "rate_sequences",
    "rate_trials",
    "recurring_value",
    "sign_test",
    "tally",
    "token_survival",
]

METHODS: Final[list[str]]
RESAMPLERS: Final[list[str]]
DIALECTS: Final[list[str]]
NUMBER_DIALECTS: Final[list[str]]
FALLBACKS: Final[list[str]]
TIME_FALLBACKS: Final[list[str]]
WHICH: Final[list[str]]
OUTCOMES: Final[list[str]]

@final
class Letters:
    def __new__(cls, letters: str) -> Letters: ...

@final
class Markers:
    def __new__(cls, markers: Sequence[str], which: str) -> Markers: ...

@final
class Options:
    def __new__(cls, options: Sequence[str]) -> Options: ...

@final
class Pattern:
    def __new__(cls, pattern: str, group: int | str | None) -> Pattern: ...

def answer_choice(reply: _Stream, letters: Letters, markers: Markers, trace: bool) -> Any: ...
def answer_number(
    reply: _Stream, markers: Markers, dialect: str, fallback: str, trace: bool
) -> Any: ...
def answer_regex(reply: _Stream, pattern: Pattern, which: str, trace: bool) -> Any: ...
def answer_time(
    reply: _Stream, markers: Markers, dialect: str, fallback: str, trace: bool
) -> Any: ...
def answer_word(
    reply: _Stream, options: Options | _Stream, markers: Markers, dialect: str, trace: bool
) -> Any: ...
def token_survival(note: _Stream, source: _Stream) -> Any: ...
def prefix_survival(note: _Stream, source: _Stream, chars: int) -> Any: ...
def containment(claim: _Stream, memory: _Stream) -> Any: ...
def invented_numbers(memory: _Stream, source: _Stream, dialect: str) -> Any: ...
def numbers(text: _Stream) -> Any: ...
def recurring_value(text: _Stream, least: int) -> Any: ...
def outcome_number(answer: _Stream, truth: _Stream, drift: _Stream, tolerance: float) -> Any: ...
def outcome_text(answer: _Stream, truth: _Stream, drift: _Stream) -> Any: ...
def tally(outcome: _Stream) -> tuple[int, int, int, int]: ...
def rate_trials(trials: _Stream, successes: _Stream, plan: _Plan) -> Any: ...
def rate_clusters(lengths: _Stream, trials: _Stream, successes: _Stream, plan: _Plan) -> Any: ...
def rate_sequences(lengths: _Stream, outcome: _Stream, plan: _Plan) -> Any: ...
def compare_pairs(counts: Sequence[_Stream], plan: _Plan) -> Any: ...
def compare_clusters(lengths: _Stream, counts: Sequence[_Stream], plan: _Plan) -> Any: ...
def compare_sequences(
    lengths: _Stream, treatment: _Stream, baseline: _Stream, plan: _Plan
) -> Any: ...
def sign_test(positive: int, negative: int) -> tuple[float, float]: ...
