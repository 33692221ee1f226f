"""Whether the scorer decides the result: stale values taken for answers, and rules compared."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.design.cells import finished, grouped
from reclaimstats.design.columns import as_lazy, column_names, expression, listed, not_results
from reclaimstats.design.rules import Rules, named
from reclaimstats.errors import ColumnError
from reclaimstats.options import confidence, distance
from reclaimstats.score import outcome
from reclaimstats.text import answer_number

__all__ = ["phantoms", "sensitivity"]

_PHANTOMS = [
    "scorer",
    "n",
    "n_missing",
    "n_abstaining",
    "phantoms",
    "phantom_rate",
    "stale",
    "correct",
    "n_answering",
    "found",
    "missed",
    "wrong",
    "reason",
]

_COUNTED = ["phantoms", "stale", "correct", "found", "missed"]

_SENSITIVITY = [
    "first",
    "second",
    "treatment_level",
    "baseline_level",
    "n_treatment",
    "n_baseline",
    "n_clusters",
    "n_missing",
    "disagree_treatment",
    "disagree_baseline",
    "fisher_p",
    "fisher_log_p",
    "first_only_treatment",
    "first_only_baseline",
    "second_only_treatment",
    "second_only_baseline",
    "first_missing_treatment",
    "first_missing_baseline",
    "second_missing_treatment",
    "second_missing_baseline",
    "difference_first",
    "difference_second",
    "shift",
    "low",
    "high",
    "method",
    "confidence_level",
    "reason",
]

# Names of intermediate columns, which no user's column can meet.
_TRUTH = "reclaimstats.truth"
_DRIFT = "reclaimstats.drift"
_REFERENCE = "reclaimstats.reference"
_ASKED = "reclaimstats.asked"
_SCORER = "reclaimstats.scorer"
_ROW = "reclaimstats.row"


def phantoms(
    trials: Any,
    scorers: Mapping[str, str | pl.Expr],
    *,
    truth: str | pl.Expr,
    drift: str | pl.Expr,
    reference: str | pl.Expr | None = None,
    by: str | Sequence[str] | None = None,
    tolerance: float = 0.0,
) -> pl.DataFrame:
    r"""Count the values that scorers report on replies that abstain, and the answers they miss.

    A row of `trials` is one reply. A reply abstains where the reference has no answer for it. A
    value that a scorer reports there is a phantom: the reply does not commit to it. A phantom
    that is the drift is the stale value, quoted by the reply and counted as its answer.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        scorers: Names, and for each the answer it reads: a column that another tool has filled,
            or an expression. Null and NaN are no answer. Numbers or text, as `truth` is.
        truth: Name or expression of the right value.
        drift: Name or expression of the stale value.
        reference: What the replies commit to, as a name or an expression: the answer, null where
            a reply abstains; or Booleans, true where a reply answers, null where that is not
            known. By default what `text.answer_number` reads from the column `reply`, in its
            strict dialect, by which a reply abstains unless it commits to one number behind its
            last `ANSWER:`; a reply that is null is then missing.
        by: Columns that tell cells apart, such as the arm.
        tolerance: As in `score.outcome`: two numbers nearer than this count as equal.

    Returns:
        One row per cell and scorer, sorted by the `by` columns, scorers in their order: the `by`
        columns, `scorer`, `n` replies, `n_missing` without a reference, `n_abstaining`, of which
        `phantoms` are given a value, `phantom_rate` (their share), `stale` of them the drift and
        `correct` the truth; `n_answering`, of which the scorer has `found` the answer, `missed`
        it (no value) or read it `wrong` (another one); `reason` why something is null. Counts
        are Int64, the rate Float64, names and reasons String.

    Raises:
        ColumnError: A column is missing, or a scorer or the reference is of another kind than
            the truth.
        OptionError: There is no scorer, or the tolerance is out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame(
        ...     {
        ...         "reply": ["You said 55. ANSWER: unable", "ANSWER: 46", "Not 55: ANSWER: 46."],
        ...         "truth": [46.0] * 3,
        ...         "drift": [55.0] * 3,
        ...     }
        ... )
        >>> first = pl.col("reply").str.extract(r"(\d+)").cast(pl.Float64)
        >>> table = rs.phantoms(trials, {"first number": first}, truth="truth", drift="drift")
        >>> table.select("n_abstaining", "phantoms", "stale", "n_answering", "found", "wrong")
        shape: (1, 6)
        ┌──────────────┬──────────┬───────┬─────────────┬───────┬───────┐
        │ n_abstaining ┆ phantoms ┆ stale ┆ n_answering ┆ found ┆ wrong │
        │ ---          ┆ ---      ┆ ---   ┆ ---         ┆ ---   ┆ ---   │
        │ i64          ┆ i64      ┆ i64   ┆ i64         ┆ i64   ┆ i64   │
        ╞══════════════╪══════════╪═══════╪═════════════╪═══════╪═══════╡
        │ 1            ┆ 1        ┆ 1     ┆ 2           ┆ 1     ┆ 1     │
        └──────────────┴──────────┴───────┴─────────────┴───────┴───────┘
    """
    rules = named(scorers, least=1)
    nearer_than = distance("tolerance", tolerance)
    frame, cells = as_lazy(trials), listed(by)
    schema = frame.collect_schema()
    column_names(schema, cells, argument="by")
    not_results(cells, _PHANTOMS)
    if reference is None:
        column_names(schema, ["reply"], argument="reference=None reads the column 'reply'")
    values = {
        _TRUTH: expression(schema, truth, argument="truth"),
        _DRIFT: expression(schema, drift, argument="drift"),
        _REFERENCE: answer_number("reply")
        if reference is None
        else expression(schema, reference, argument="reference"),
        _ASKED: pl.lit(True) if reference is not None else pl.col("reply").is_not_null(),
    }
    for number, (name, scorer) in enumerate(rules.items()):
        values[f"{_SCORER}.{number}"] = expression(schema, scorer, argument=f"scorer {name!r}")
    frame = frame.with_columns(**values).select(*cells, *values)
    labelled = _checked_kinds(frame.collect_schema(), list(rules))
    known = pl.col(_ASKED) & (pl.col(_REFERENCE).is_not_null() if labelled else pl.lit(True))
    answers = known & (pl.col(_REFERENCE) if labelled else _given(frame, _REFERENCE))
    abstains = known & ~answers
    parts = {"n_missing": ~known, "n_abstaining": abstains, "n_answering": answers}
    for number in range(len(rules)):
        column = f"{_SCORER}.{number}"
        given = _given(frame, column)
        same = {
            other: (outcome(column, other, tolerance=nearer_than) == "recovered").fill_null(False)
            for other in (_TRUTH, _DRIFT, *(() if labelled else (_REFERENCE,)))
        }
        parts |= {
            f"{_SCORER}.{number}.phantoms": abstains & given,
            f"{_SCORER}.{number}.stale": abstains & same[_DRIFT] & ~same[_TRUTH],
            f"{_SCORER}.{number}.correct": abstains & same[_TRUTH],
            f"{_SCORER}.{number}.missed": answers & ~given,
            # Where only a label is known, nothing can be found or wrong.
            f"{_SCORER}.{number}.found": answers & same.get(_REFERENCE, pl.lit(False)),
        }
    counts = [pl.len().alias("n"), *(part.sum().alias(name) for name, part in parts.items())]
    engine: Any = "streaming" if isinstance(trials, pl.LazyFrame) else "auto"
    table = grouped(frame, cells, counts).collect(engine=engine).with_row_index(_ROW)
    rows = [_phantom_rows(table, name, number, labelled) for number, name in enumerate(rules)]
    wide = pl.concat(rows, how="diagonal")
    return wide.sort(_ROW, maintain_order=True).select(*cells, *_PHANTOMS)


def _checked_kinds(schema: pl.Schema, scorers: list[str]) -> bool:
    """Check that all answers are numbers or all text; return whether the reference is a label."""

    def kind(dtype: pl.DataType) -> str:
        if dtype.is_numeric():
            return "numbers"
        return "text" if dtype in (pl.String, pl.Categorical, pl.Enum) else str(dtype)

    labelled = schema[_REFERENCE] == pl.Boolean
    columns = {"truth": _TRUTH, "drift": _DRIFT}
    columns |= {} if labelled else {"the reference": _REFERENCE}
    columns |= {f"scorer {name!r}": f"{_SCORER}.{i}" for i, name in enumerate(scorers)}
    kinds = {
        name: kind(schema[column]) for name, column in columns.items() if schema[column] != pl.Null
    }
    for name, found in kinds.items():
        other, wanted = next(iter(kinds.items()))
        if found not in ("numbers", "text"):
            raise ColumnError(f"{name} is {found}; it must be numbers or text")
        if found != wanted:
            raise ColumnError(
                f"{name} is {found}, but {other} is {wanted}; all must be numbers or all text. "
                "Cast what another tool gave as text, such as .cast(pl.Float64, strict=False)"
            )
    return labelled


def _given(frame: pl.LazyFrame, column: str) -> pl.Expr:
    """Whether there is a value: neither null nor NaN."""
    given = pl.col(column).is_not_null()
    if frame.collect_schema()[column].is_float():
        given &= pl.col(column).is_not_nan().fill_null(False)
    return given


def _phantom_rows(table: pl.DataFrame, name: str, number: int, labelled: bool) -> pl.DataFrame:
    """Return the rows of one scorer, in the order of the cells."""
    rows = table.rename({f"{_SCORER}.{number}.{part}": part for part in _COUNTED}).with_columns(
        pl.col("n", "n_missing", "n_abstaining", "n_answering", *_COUNTED).cast(pl.Int64),
        scorer=pl.lit(name),
    )
    unknown, nobody = pl.lit(labelled), pl.col("n_abstaining") == 0
    reasons = [
        pl.when(nobody).then(pl.lit("no reply abstains")),
        pl.when(unknown).then(pl.lit("the reference is a label, not an answer")),
    ]
    return rows.with_columns(
        pl.when(~nobody).then(pl.col("phantoms") / pl.col("n_abstaining")).alias("phantom_rate"),
        pl.when(~unknown).then("found").alias("found"),
        pl.when(~unknown)
        .then(pl.col("n_answering") - pl.col("missed") - pl.col("found"))
        .alias("wrong"),
        pl.concat_str(reasons, separator="; ", ignore_nulls=True).replace("", None).alias("reason"),
    )


def sensitivity(
    trials: Any,
    rules: Mapping[str, str | pl.Expr],
    *,
    contrast: str,
    baseline: Any,
    cluster: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    confidence_level: float = 0.95,
) -> pl.DataFrame:
    r"""Compare the effect that two scoring rules find: where they disagree, and what it shifts.

    A row of `trials` is one trial, scored by every rule. Within a cell (equal values in `by`)
    each arm of `contrast` is compared with the baseline, and each rule after the first with the
    first. Trials with equal values in `cluster` are a cluster and count as dependent, whichever
    arm they are in: arms that ask the same items are paired by naming the item.

    A rule's outcome that is null or NaN is no verdict. It takes no part in that rule's rates,
    and where the other rule has one the two disagree: a scorer that drops what it cannot read
    can make an effect by that alone. If an abstention is to count as a miss, fill it in.

    Args:
        trials: Polars DataFrame or LazyFrame, or any Arrow table.
        rules: Names, and for each the 0/1 outcome that it gives, as a name or an expression.
        contrast: Column that tells arms apart.
        baseline: The value of `contrast` that the others are compared with.
        cluster: Columns that tell clusters apart. No nulls. Without, trials are independent.
        by: Columns that tell cells apart.
        confidence_level: Two-sided level of the interval.

    Returns:
        One row per cell, pair of rules and arm, sorted by cell, rules in their order: the `by`
        columns; the rules `first` and `second`; `treatment_level`, `baseline_level`;
        `n_treatment` and `n_baseline`, trials with a verdict of either rule; `n_clusters`;
        `n_missing`, trials with none; `disagree_treatment` and `disagree_baseline` with
        `fisher_p` (and `fisher_log_p`, its natural logarithm), the exact two-sided test of whether
        disagreement falls on the arms alike, which counts trials as independent; what the
        disagreements are, per arm:
        `first_only_...` and `second_only_...` (a hit by that rule alone), `first_missing_...`
        and `second_missing_...` (no verdict of that rule alone); `difference_first` and
        `difference_second`, the rate of the arm minus that of the baseline by each rule;
        their `shift`, second minus first, with `low` and `high`; `method`, `confidence_level`,
        and `reason` why something is null.

    Raises:
        ColumnError: A column is missing or of the wrong type, or an outcome is not 0 or 1.
        DesignError: The baseline does not occur or is alone; an arm or a cluster is null.
        OptionError: There are fewer than two rules, or the level is out of range.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame(
        ...     {
        ...         "policy": ["source-first"] * 4 + ["lossy"] * 4,
        ...         "reply": ["ANSWER: 46", "ANSWER: 46", "ANSWER: \\$46", "ANSWER: \\$46"]
        ...         + ["ANSWER: 55", "ANSWER: unable", "ANSWER: 55", "ANSWER: 46"],
        ...     }
        ... )
        >>> dialects = {"strict": "strict", "harness": "reclaim-eval"}
        >>> rules = {
        ...     name: rs.text.answer_number("reply", dialect=dialect).eq_missing(pl.lit(46.0))
        ...     for name, dialect in dialects.items()
        ... }
        >>> table = rs.sensitivity(trials, rules, contrast="policy", baseline="lossy")
        >>> table.select("disagree_treatment", "disagree_baseline", "fisher_p", "shift")
        shape: (1, 4)
        ┌────────────────────┬───────────────────┬──────────┬───────┐
        │ disagree_treatment ┆ disagree_baseline ┆ fisher_p ┆ shift │
        │ ---                ┆ ---               ┆ ---      ┆ ---   │
        │ i64                ┆ i64               ┆ f64      ┆ f64   │
        ╞════════════════════╪═══════════════════╪══════════╪═══════╡
        │ 2                  ┆ 0                 ┆ 0.428571 ┆ -0.5  │
        └────────────────────┴───────────────────┴──────────┴───────┘

    References:
        Fisher (1935), doi:10.2307/2342435. The interval is a cluster-robust t interval with the
        adjustment of Bonett and Price (2012), doi:10.3102/1076998611411915, made over clusters;
        docs/scorers.md says how often it covers.
    """
    checked = named(rules, least=2)
    level = confidence(confidence_level)
    scored = Rules.of(
        trials,
        checked,
        contrast=contrast,
        baseline=baseline,
        cluster=cluster,
        by=by,
        result_columns=_SENSITIVITY,
    )
    rows = []
    for number in range(1, len(checked)):
        cells, lengths, columns = scored.against_first(number)
        results = _core.sensitivity_counts(lengths, columns, level)
        rows.append(finished(cells, scored.by, results, _SENSITIVITY).with_row_index(_ROW))
    return pl.concat(rows).sort(_ROW, maintain_order=True).drop(_ROW)
