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

class _Claim(Protocol):
    @property
    def alternative(self) -> str: ...
    @property
    def margins(self) -> tuple[float, float]: ...
    @property
    def alpha(self) -> float: ...

class _Study(Protocol):
    @property
    def paired(self) -> bool: ...
    @property
    def sd(self) -> float | None: ...
    @property
    def baseline(self) -> float | None: ...
    @property
    def correlation(self) -> float: ...
    @property
    def discordance(self) -> float | None: ...
    @property
    def icc(self) -> float: ...
    @property
    def cluster_size(self) -> float: ...
    @property
    def alpha(self) -> float: ...
    @property
    def alternative(self) -> str: ...
    @property
    def normal(self) -> bool: ...
    @property
    def n(self) -> int | None: ...
    @property
    def power(self) -> float | None: ...
    @property
    def effect(self) -> float | None: ...

class _How(Protocol):
    @property
    def alternative(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def n_resamples(self) -> int: ...
    @property
    def seed(self) -> int: ...

__all__ = [
    "ADJUSTMENTS",
    "AGREEMENT_METRICS",
    "AGREEMENT_WEIGHTS",
    "ALTERNATIVES",
    "BARNARD_MOST",
    "BINDING",
    "BOXES",
    "CLAIMS",
    "COUNTINGS",
    "DETECTION_METRICS",
    "DIALECTS",
    "DIFFERENCE_METHODS",
    "EFFECTS",
    "FALLBACKS",
    "FIGURES",
    "GROUP_METHODS",
    "JSON_DIALECTS",
    "MCNEMAR_METHODS",
    "MEAN_METHODS",
    "MEAN_RESAMPLERS",
    "NORMALISATIONS",
    "NUMBER_DIALECTS",
    "OUTCOMES",
    "PAIRED_DIFFERENCE_METHODS",
    "PAIRED_ODDS_RATIO_METHODS",
    "PAIRED_RATIO_METHODS",
    "RANKING_METHODS",
    "RANK_METHODS",
    "RATE_METHODS",
    "REGIMES",
    "RESAMPLERS",
    "ROUNDINGS",
    "TIME_FALLBACKS",
    "VARIANCES",
    "WHICH",
    "ZEROS",
    "Field",
    "Labels",
    "Letters",
    "Lexicon",
    "Markers",
    "MatchRules",
    "Options",
    "Pattern",
    "__version__",
    "adjust",
    "agreement_items",
    "agreement_pairs",
    "answer_choice",
    "answer_json",
    "answer_number",
    "answer_regex",
    "answer_time",
    "answer_word",
    "audit_figures",
    "barnard_test",
    "blast_radius",
    "boxed",
    "calls_match",
    "check_record",
    "code_block",
    "compare_clusters",
    "compare_groups",
    "compare_groups_of_scores",
    "compare_means",
    "compare_pairs",
    "compare_sequences",
    "containment",
    "count_kinds",
    "cue_kinds",
    "cues_found",
    "detection_counts",
    "difference_in_differences",
    "equivalence_counts",
    "equivalence_means",
    "evidence_looks",
    "exact_match",
    "fisher_tables",
    "fisher_test",
    "flip_signs",
    "function_calls",
    "gap_closure",
    "heterogeneity",
    "invented_numbers",
    "mcnemar_tables",
    "mcnemar_test",
    "mean_clusters",
    "mean_trials",
    "nested_percentiles",
    "number_survival",
    "numbers",
    "outcome_number",
    "outcome_text",
    "pair_table",
    "paired_effect",
    "passed",
    "plan_pilots",
    "plan_study",
    "prefix_survival",
    "rank_sums",
    "ranking_scores",
    "rate_clusters",
    "rate_sequences",
    "rate_trials",
    "read_record",
    "recurring_value",
    "regime_number",
    "regime_text",
    "rule_of_three",
    "sensitivity_counts",
    "shuffle_labels",
    "sign_test",
    "signed_ranks",
    "sql_block",
    "tally",
    "token_f1",
    "token_survival",
    "tokens_survive",
    "tost",
    "variance_components",
    "verdict",
    "wins_counts",
    "worked_out",
]

__version__: Final[str]
BINDING: Final[str]
ADJUSTMENTS: Final[list[str]]
AGREEMENT_METRICS: Final[list[str]]
AGREEMENT_WEIGHTS: Final[list[str]]
DETECTION_METRICS: Final[list[str]]
RANKING_METHODS: Final[list[str]]
RATE_METHODS: Final[list[str]]
DIFFERENCE_METHODS: Final[list[str]]
EFFECTS: Final[list[str]]
GROUP_METHODS: Final[list[str]]
MEAN_METHODS: Final[list[str]]
MEAN_RESAMPLERS: Final[list[str]]
VARIANCES: Final[list[str]]
ALTERNATIVES: Final[list[str]]
CLAIMS: Final[list[str]]
MCNEMAR_METHODS: Final[list[str]]
BARNARD_MOST: Final[int]
COUNTINGS: Final[list[str]]
RANK_METHODS: Final[list[str]]
ZEROS: Final[list[str]]
PAIRED_DIFFERENCE_METHODS: Final[list[str]]
PAIRED_RATIO_METHODS: Final[list[str]]
PAIRED_ODDS_RATIO_METHODS: Final[list[str]]
RESAMPLERS: Final[list[str]]
FIGURES: Final[list[str]]
ROUNDINGS: Final[list[str]]
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
def tokens_survive(note: _Stream, source: _Stream) -> Any: ...
def number_survival(note: _Stream, source: _Stream, trace: bool) -> Any: ...
def prefix_survival(note: _Stream, source: _Stream, chars: int, trace: bool) -> Any: ...
def containment(claim: _Stream, memory: _Stream, trace: bool) -> Any: ...
def verdict(reply: _Stream, field: Field, labels: Labels, trace: bool) -> Any: ...
def boxed(reply: _Stream, which: str, trace: bool) -> Any: ...
def code_block(reply: _Stream, languages: Sequence[str], which: str, trace: bool) -> Any: ...
def function_calls(reply: _Stream, trace: bool) -> Any: ...
def calls_match(predicted: _Stream, expected: _Stream, possible: bool) -> Any: ...
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
def worked_out(text: _Stream) -> Any: ...
def outcome_number(answer: _Stream, truth: _Stream, drift: _Stream, tolerance: float) -> Any: ...
def outcome_text(answer: _Stream, truth: _Stream, drift: _Stream) -> Any: ...
def regime_number(
    note: _Stream, survival: _Stream, conclusion: _Stream, incomplete: Lexicon
) -> Any: ...
def regime_text(
    note: _Stream, survival: _Stream, conclusion: _Stream, incomplete: Lexicon
) -> Any: ...
def audit_figures(
    texts: Sequence[_Stream],
    numbers: Sequence[_Stream],
    rounding: str,
    confidence_level: float,
    max_tables: int,
) -> tuple[Any, Any]: ...
def tally(outcome: _Stream) -> tuple[int, int, int, int]: ...
def compare_means(
    clusters: _Stream | None, lengths: _Stream, scores: Sequence[_Stream], plan: _Plan
) -> Any: ...
def compare_groups_of_scores(
    clusters: _Stream | None, lengths: Sequence[_Stream], scores: Sequence[_Stream], plan: _Plan
) -> Any: ...
def equivalence_means(
    clusters: _Stream | None,
    lengths: _Stream,
    scores: Sequence[_Stream],
    plan: _Plan,
    claim: _Claim,
    bounds: tuple[float, float] | None,
) -> Any: ...
def mean_trials(lengths: _Stream, scores: _Stream, plan: _Plan) -> Any: ...
def mean_clusters(
    clusters: _Stream,
    lengths: _Stream,
    scores: _Stream,
    weighting: str,
    variance: str,
    plan: _Plan,
) -> Any: ...
def count_kinds(
    columns: Sequence[_Stream],
    said: _Stream | None,
    words: int,
    leading: int,
) -> tuple[Any, Any]: ...
def rate_trials(trials: _Stream, successes: _Stream, plan: _Plan) -> Any: ...
def rate_clusters(
    lengths: _Stream,
    trials: _Stream,
    successes: _Stream,
    weighting: str,
    variance: str,
    plan: _Plan,
) -> Any: ...
def nested_percentiles(
    lengths: Sequence[_Stream], scores: _Stream, weighting: str, plan: _Plan
) -> Any: ...
def rate_sequences(lengths: _Stream, outcome: _Stream, plan: _Plan) -> Any: ...
def compare_pairs(counts: Sequence[_Stream], measure: str, plan: _Plan) -> Any: ...
def compare_clusters(
    lengths: _Stream, counts: Sequence[_Stream], measure: str, plan: _Plan
) -> Any: ...
def compare_sequences(
    lengths: _Stream, treatment: _Stream, baseline: _Stream, plan: _Plan
) -> Any: ...
def agreement_pairs(
    lengths: Sequence[_Stream | None],
    pairs: Sequence[_Stream],
    categories: int,
    weights: str,
    confidence_level: float,
) -> Any: ...
def agreement_items(
    lengths: Sequence[_Stream | None],
    items: Sequence[_Stream],
    ratings: Sequence[_Stream],
    listed: int | None,
    values: _Stream,
    coefficient: str,
    metric: str,
    confidence_level: float,
) -> Any: ...
def detection_counts(
    lengths: _Stream | None,
    columns: Sequence[_Stream],
    metrics: Sequence[str],
    confidence_level: float,
) -> Any: ...
def ranking_scores(
    lengths: Sequence[_Stream | None],
    positive: _Stream,
    score: _Stream,
    pair: _Stream | None,
    method: str,
    confidence_level: float,
) -> Any: ...
def wins_counts(
    lengths: _Stream,
    columns: Sequence[_Stream],
    moved: Sequence[_Stream],
    independent: bool,
    confidence_level: float,
) -> Any: ...
def sensitivity_counts(
    lengths: _Stream | None, columns: Sequence[_Stream], confidence_level: float
) -> Any: ...
def equivalence_counts(
    lengths: _Stream | None, counts: Sequence[_Stream], plan: _Plan, claim: _Claim
) -> Any: ...
def tost(
    differences: _Stream,
    lengths: _Stream | None,
    claim: _Claim,
    bounds: tuple[float, float] | None,
) -> Any: ...
def evidence_looks(
    lengths: _Stream,
    positive: _Stream,
    negative: _Stream,
    alternative: str,
    confidence_level: float,
) -> Any: ...
def plan_pilots(lengths: _Stream | None, counts: Sequence[_Stream], study: _Study) -> Any: ...
def plan_study(study: _Study) -> Any: ...
def rule_of_three(n: int, confidence_level: float) -> tuple[float | None, float | None]: ...
def passed(
    lengths: _Stream,
    columns: Sequence[_Stream],
    ks: Sequence[int],
    clustered: bool,
    confidence_level: float,
) -> Any: ...
def variance_components(
    items: _Stream, lengths: _Stream, scores: _Stream, confidence_level: float
) -> Any: ...
def blast_radius(
    lengths: _Stream, columns: Sequence[_Stream], clustered: bool, confidence_level: float
) -> Any: ...
def heterogeneity(
    lengths: _Stream, columns: Sequence[_Stream], threshold: float, n_resamples: int, seed: int
) -> Any: ...
def fisher_test(table: Sequence[Sequence[int]], alternative: str) -> float: ...
def sign_test(positive: int, negative: int) -> tuple[float, float]: ...
def adjust(pvalues: _Stream, method: str) -> Any: ...
def pair_table(first: _Stream, second: _Stream) -> tuple[int, int, int, int, int, int]: ...
def mcnemar_test(
    first_only: int, second_only: int, method: str
) -> tuple[float | None, float, float]: ...
def mcnemar_tables(first_only: _Stream, second_only: _Stream, method: str) -> Any: ...
def paired_effect(
    table: Sequence[int], effect: str, method: str, confidence_level: float
) -> tuple[float | None, float | None, float | None, str | None]: ...
def shuffle_labels(
    first: _Stream, second: _Stream, strata: Sequence[_Stream], how: _How
) -> tuple[float | None, tuple[float, float, int | None] | None]: ...
def flip_signs(
    first: _Stream, second: _Stream, clusters: _Stream, how: _How
) -> tuple[float | None, int, int, tuple[float, float, int | None] | None]: ...
def signed_ranks(
    first: _Stream, second: _Stream, zeros: str, alternative: str, method: str
) -> tuple[float, float, float, bool] | None: ...
def rank_sums(
    first: _Stream, second: _Stream, alternative: str, method: str
) -> tuple[float, float, float, bool] | None: ...
def compare_groups(
    strata: _Stream | None,
    lengths: _Stream | None,
    columns: Sequence[_Stream],
    effect: str,
    confidence_level: float,
    n_resamples: int,
    seed: int,
) -> Any: ...
def barnard_test(table: Sequence[Sequence[int]], alternative: str) -> float: ...
def fisher_tables(cells: Sequence[_Stream], alternative: str) -> Any: ...
def difference_in_differences(
    lengths: _Stream | None,
    columns: Sequence[_Stream],
    confidence_level: float,
    n_resamples: int,
    seed: int,
) -> Any: ...
def gap_closure(
    lengths: _Stream | None, columns: Sequence[_Stream], confidence_level: float
) -> Any: ...
