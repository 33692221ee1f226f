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
    "ADJUSTMENTS",
    "ALTERNATIVES",
    "BOXES",
    "DIALECTS",
    "DIFFERENCE_METHODS",
    "FALLBACKS",
    "JSON_DIALECTS",
    "MEAN_METHODS",
    "NORMALISATIONS",
    "NUMBER_DIALECTS",
    "OUTCOMES",
    "RATE_METHODS",
    "REGIMES",
    "RESAMPLERS",
    "TIME_FALLBACKS",
    "VARIANCES",
    "WHICH",
    "Field",
    "Labels",
    "Letters",
    "Lexicon",
    "Markers",
    "MatchRules",
    "Options",
    "Pattern",
    "adjust",
    "answer_choice",
    "answer_json",
    "answer_number",
    "answer_regex",
    "answer_time",
    "answer_word",
    "boxed",
    "calls_match",
    "check_record",
    "code_block",
    "compare_clusters",
    "compare_pairs",
    "compare_sequences",
    "containment",
    "cue_kinds",
    "cues_found",
    "exact_match",
    "fisher_test",
    "function_calls",
    "invented_numbers",
    "mean_clusters",
    "mean_trials",
    "number_survival",
    "numbers",
    "outcome_number",
    "outcome_text",
    "prefix_survival",
    "rate_clusters",
    "rate_sequences",
    "rate_trials",
    "read_record",
    "recurring_value",
    "regime_number",
    "regime_text",
    "sensitivity_counts",
    "sign_test",
    "sql_block",
    "tally",
    "token_f1",
    "token_survival",
    "verdict",
]

ADJUSTMENTS: Final[list[str]]
RATE_METHODS: Final[list[str]]
DIFFERENCE_METHODS: Final[list[str]]
MEAN_METHODS: Final[list[str]]
VARIANCES: Final[list[str]]
ALTERNATIVES: Final[list[str]]
RESAMPLERS: Final[list[str]]
BOXES: Final[list[str]]
DIALECTS: Final[list[str]]
NUMBER_DIALECTS: Final[list[str]]
FALLBACKS: Final[list[str]]
TIME_FALLBACKS: Final[list[str]]
JSON_DIALECTS: Final[list[str]]
WHICH: Final[list[str]]
OUTCOMES: Final[list[str]]
NORMALISATIONS: Final[list[str]]
REGIMES: Final[list[str]]

@final
class Field:
    def __new__(cls, path: Sequence[str]) -> Field: ...

@final
class Labels:
    def __new__(cls, labels: Sequence[tuple[str, int]], names: Sequence[str] | None) -> Labels: ...

@final
class Letters:
    def __new__(cls, letters: str) -> Letters: ...

@final
class Lexicon:
    def __new__(cls, kinds: Sequence[tuple[str, Sequence[str]]], dates: int | None) -> Lexicon: ...

@final
class Markers:
    def __new__(cls, markers: Sequence[str], which: str) -> Markers: ...

@final
class MatchRules:
    def __new__(
        cls, normalise: Sequence[str], tolerance: float, rel_tolerance: float, first_line: bool
    ) -> MatchRules: ...

@final
class Options:
    def __new__(cls, options: Sequence[str]) -> Options: ...

@final
class Pattern:
    def __new__(cls, pattern: str, group: int | str | None) -> Pattern: ...

def answer_choice(reply: _Stream, letters: Letters, markers: Markers, trace: bool) -> Any: ...
def answer_json(reply: _Stream, field: Field, number: bool, dialect: str, trace: bool) -> Any: ...
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
def token_survival(note: _Stream, source: _Stream, trace: bool) -> Any: ...
def number_survival(note: _Stream, source: _Stream, trace: bool) -> Any: ...
def prefix_survival(note: _Stream, source: _Stream, chars: int, trace: bool) -> Any: ...
def containment(claim: _Stream, memory: _Stream, trace: bool) -> Any: ...
def verdict(reply: _Stream, field: Field, labels: Labels, trace: bool) -> Any: ...
def boxed(reply: _Stream, which: str, trace: bool) -> Any: ...
def code_block(reply: _Stream, languages: Sequence[str], which: str, trace: bool) -> Any: ...
def function_calls(reply: _Stream, trace: bool) -> Any: ...
def calls_match(predicted: _Stream, expected: _Stream) -> Any: ...
def sql_block(reply: _Stream, trace: bool) -> Any: ...
def exact_match(pred: _Stream, gold: _Stream, rules: MatchRules) -> Any: ...
def token_f1(pred: _Stream, gold: _Stream, rules: MatchRules) -> Any: ...
def cue_kinds(text: _Stream, lexicon: Lexicon) -> Any: ...
def cues_found(text: _Stream, lexicon: Lexicon) -> Any: ...
def read_record(text: _Stream) -> Any: ...
def check_record(text: _Stream, source: _Stream, lexicon: Lexicon) -> Any: ...
def invented_numbers(memory: _Stream, source: _Stream, dialect: str) -> Any: ...
def numbers(text: _Stream) -> Any: ...
def recurring_value(text: _Stream, least: int) -> Any: ...
def outcome_number(answer: _Stream, truth: _Stream, drift: _Stream, tolerance: float) -> Any: ...
def outcome_text(answer: _Stream, truth: _Stream, drift: _Stream) -> Any: ...
def regime_number(
    note: _Stream, survival: _Stream, conclusion: _Stream, incomplete: Lexicon
) -> Any: ...
def regime_text(
    note: _Stream, survival: _Stream, conclusion: _Stream, incomplete: Lexicon
) -> Any: ...
def tally(outcome: _Stream) -> tuple[int, int, int, int]: ...
def mean_trials(lengths: _Stream, scores: _Stream, plan: _Plan) -> Any: ...
def mean_clusters(
    clusters: _Stream,
    lengths: _Stream,
    scores: _Stream,
    weighting: str,
    variance: str,
    plan: _Plan,
) -> Any: ...
def rate_trials(trials: _Stream, successes: _Stream, plan: _Plan) -> Any: ...
def rate_clusters(lengths: _Stream, trials: _Stream, successes: _Stream, plan: _Plan) -> Any: ...
def rate_sequences(lengths: _Stream, outcome: _Stream, plan: _Plan) -> Any: ...
def compare_pairs(counts: Sequence[_Stream], plan: _Plan) -> Any: ...
def compare_clusters(lengths: _Stream, counts: Sequence[_Stream], plan: _Plan) -> Any: ...
def compare_sequences(
    lengths: _Stream, treatment: _Stream, baseline: _Stream, plan: _Plan
) -> Any: ...
def sensitivity_counts(
    lengths: _Stream | None, columns: Sequence[_Stream], confidence_level: float
) -> Any: ...
def fisher_test(table: Sequence[Sequence[int]], alternative: str) -> float: ...
def sign_test(positive: int, negative: int) -> tuple[float, float]: ...
def adjust(pvalues: _Stream, method: str) -> Any: ...
