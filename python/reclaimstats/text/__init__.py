"""Text scorers as Polars expressions over the Rust core.

Every scorer works eager and lazy, in `select`, `with_columns`, `group_by` and `over`, on
String, Categorical and Enum columns. Null in is null out, and what cannot be read is null: no
scorer raises on what a text holds. Inputs of length one stand for a whole column.
"""

from reclaimstats.text.answers import (
    answer_choice,
    answer_number,
    answer_regex,
    answer_time,
    answer_word,
)
from reclaimstats.text.blocks import (
    boxed,
    calls_match,
    code_block,
    function_calls,
    sql_block,
)
from reclaimstats.text.lexicon import ATTRIBUTIONS, HEDGES, INCOMPLETE, LEXICON
from reclaimstats.text.matching import exact_match, token_f1
from reclaimstats.text.memory import (
    completeness,
    containment,
    invented_numbers,
    numbers,
    recurring_value,
    source_survival,
)
from reclaimstats.text.structured import answer_json, verdict
from reclaimstats.text.stance import cues

__all__ = [
    "ATTRIBUTIONS",
    "HEDGES",
    "INCOMPLETE",
    "LEXICON",
    "answer_choice",
    "answer_json",
    "answer_number",
    "answer_regex",
    "answer_time",
    "answer_word",
    "completeness",
    "boxed",
    "calls_match",
    "code_block",
    "containment",
    "function_calls",
    "cues",
    "exact_match",
    "invented_numbers",
    "numbers",
    "recurring_value",
    "source_survival",
    "verdict",
    "sql_block",
    "token_f1",
]
