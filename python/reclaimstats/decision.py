"""Rules that were written down before the data, applied to the rows of a result."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import polars as pl

from reclaimstats.design.columns import as_lazy, column_names
from reclaimstats.errors import ColumnError, OptionError, RuleError
from reclaimstats.options import choice, integer, number, probability

__all__ = ["Rule", "decide"]

_DIRECTIONS = ["either", "up", "down"]
_JUDGED = ["estimate", "interval"]
_VERDICTS = ["PASS", "FAIL", "INCONCLUSIVE"]
# Not logarithms of p-values, which are below every level.
_P_VALUE = re.compile(r"(?:.*(?<!log)_|)(?:p|p_?value)(?:_adjusted)?", re.DOTALL)
_NEEDED = {"n": ("n", "n_pairs"), "n_clusters": ("n_clusters",)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What has to hold of a row of a result, as it was registered before the data.

    Attributes:
        test: Column of p-values that must be at most `alpha`, such as "sign_p", or of verdicts
            that must be "PASS", such as "verdict"; none where only the size counts. A column of
            p-values is named `p`, `pvalue` or `p_value`, or ends in `_p`, `_pvalue` or `_p_value`,
            with `_adjusted` after it if it is.
        alpha: Level of the test, between 0 and 1. Verdicts have theirs already.
        size: Column of the effect, such as "difference", or "estimate" of a rate.
        least: Least size that counts, in the rule's direction; none for no limit.
        most: Largest size that is believable or wanted, in that direction; none for no limit.
        direction: "up" reads the size as it is, "down" its negative, "either" its magnitude.
        judged: Whether the "estimate" has to lie within least and most, or the whole
            "interval" (`low` to `high`).
        n: Pairs or trials that are needed.
        n_clusters: Clusters that are needed.
    """

    test: str | None = None
    alpha: float = 0.05
    size: str = "difference"
    least: float | None = None
    most: float | None = None
    direction: str = "either"
    judged: str = "estimate"
    n: int = 0
    n_clusters: int = 0

    def __post_init__(self) -> None:
        """Check the rule.

        Raises:
            RuleError: A part of it is of the wrong kind or out of range, they contradict
                each other, or there is no criterion.
        """
        try:
            probability("alpha", self.alpha)
            choice("direction", self.direction, _DIRECTIONS)
            choice("judged", self.judged, _JUDGED)
            for name in _NEEDED:
                integer(name, getattr(self, name), least=0, most=2**53)
            for name in ("least", "most"):
                if getattr(self, name) is not None:
                    number(name, getattr(self, name))
        except OptionError as error:
            raise RuleError(str(error)) from None
        for name in ("test", "size"):
            value = getattr(self, name)
            if (value is not None or name == "size") and (not isinstance(value, str) or not value):
                raise RuleError(f"{name}={value!r} must be the name of a column")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise RuleError(f"least={self.least:g} is above most={self.most:g}")
        if self.judged == "interval" and self.direction == "either":
            raise RuleError("judged='interval' needs a direction, 'up' or 'down'")
        if self.judged == "interval" and self.least is None and self.most is None:
            raise RuleError("judged='interval' needs least or most to lie within")
        limits = (self.test, self.least, self.most, self.n or None, self.n_clusters or None)
        if self.direction == "either" and all(limit is None for limit in limits):
            raise RuleError(
                "a rule without a criterion passes everything; give test, least, most, a "
                "direction, n or n_clusters"
            )

    @classmethod
    def from_dict(cls, rule: Mapping[str, Any]) -> "Rule":
        """Read a rule from a mapping, such as of a JSON or TOML file.

        Raises:
            RuleError: A key is unknown, or a value is wrong.
        """
        if not isinstance(rule, Mapping):
            raise RuleError(f"a rule must be a mapping; received {rule!r}")
        known = [field.name for field in fields(cls)]
        unknown = [key for key in rule if key not in known]
        if unknown:
            raise RuleError(f"a rule has no {unknown[0]!r}; use {', '.join(map(repr, known))}")
        return cls(**rule)

    @classmethod
    def from_json(cls, text: str) -> "Rule":
        """Read a rule from JSON text.

        Raises:
            RuleError: The text is no JSON object, or not one of a rule.
        """
        try:
            rule = json.loads(text)
        except json.JSONDecodeError as error:
            raise RuleError(f"a rule must be a JSON object: {error}") from None
        return cls.from_dict(rule)

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as a plain mapping, all of its parts."""
        return asdict(self)

    def to_json(self) -> str:
        """Return the rule as JSON text."""
        return json.dumps(self.to_dict(), indent=2)


def decide(result: Any, rule: Rule | Mapping[str, Any]) -> pl.DataFrame:
    """Apply a rule to every row of a result: what was registered decides, not the reader.

    Each part of the rule is a clause. A row passes where all clauses hold. It is inconclusive
    where a clause about the data does not hold (`n`, `n_clusters`) or the result has no value to
    judge (null, or a verdict of INCONCLUSIVE): then the rule cannot speak. Otherwise a clause
    about the effect does not hold, and the row fails. FAIL says that the rule was not met, not
    that there is no effect.

    Args:
        result: A result of `compare`, `equivalence`, `rate` or another verb: a frame.
        rule: The rule, or a mapping of its parts.

    Returns:
        The rows of the result with two columns more: `decision`, "PASS", "FAIL" or
        "INCONCLUSIVE", and `failed`, the clauses that do not hold, joined by "; " (null where
        the row passes).

    Raises:
        ColumnError: A column that the rule reads is missing or of the wrong type, or the
            result has a column `decision` or `failed` already.
        RuleError: The rule is wrong.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame(
        ...     {
        ...         "policy": ["lossy"] * 8 + ["source-first"] * 8,
        ...         "item": list(range(8)) * 2,
        ...         "correct": [0] * 7 + [1] + [1] * 8,
        ...     }
        ... )
        >>> result = rs.compare(
        ...     trials, "correct", contrast="policy", baseline="lossy", pair_by="item"
        ... )
        >>> rule = rs.Rule(test="mcnemar_p", alpha=0.05, least=0.1, direction="up", n=8)
        >>> rs.decide(result, rule)["decision"].item()
        'PASS'
        >>> rs.decide(result, {"test": "mcnemar_p", "n": 100})["failed"].item()
        'n_pairs 8 < 100'
    """
    rule = rule if isinstance(rule, Rule) else Rule.from_dict(rule)
    frame = as_lazy(result).collect()
    for column in ("decision", "failed"):
        if column in frame.columns:
            raise ColumnError(f"result has a column {column!r} already; drop it first")
    data, effect = _data(frame, rule), _effect(frame, rule)
    clauses = [*data, *(clause for clause, _ in effect)]
    spoken = pl.concat_str(clauses, separator="; ", ignore_nulls=True)
    unknown = [clause.is_not_null() for clause in data]
    unknown += [missing for _, missing in effect]
    failing = [clause.is_not_null() & ~missing for clause, missing in effect]
    decision = (
        pl.when(pl.any_horizontal(pl.lit(False), *unknown))
        .then(pl.lit("INCONCLUSIVE"))
        .when(pl.any_horizontal(pl.lit(False), *failing))
        .then(pl.lit("FAIL"))
        .otherwise(pl.lit("PASS"))
    )
    return frame.with_columns(decision=decision, failed=pl.when(spoken != "").then(spoken))


def _data(frame: pl.DataFrame, rule: Rule) -> list[pl.Expr]:
    """Clauses about how much data there are: what does not hold in words, else null."""
    clauses = []
    for name, columns in _NEEDED.items():
        needed = getattr(rule, name)
        if needed:
            column = next((one for one in columns if one in frame.columns), columns[0])
            _numeric(frame, column, argument=name)
            enough = pl.col(column) >= needed
            clauses.append(_words(~enough, column, column, f"< {needed}"))
    return clauses


def _effect(frame: pl.DataFrame, rule: Rule) -> list[tuple[pl.Expr, pl.Expr]]:
    """Clauses about the effect, each with whether there is no value to judge."""
    clauses = []
    if rule.test is not None:
        column_names(frame.columns, [rule.test], argument="test")
        test = pl.col(rule.test)
        if frame.schema[rule.test] == pl.String and frame[rule.test].is_in(_VERDICTS).all():
            words = _words(test != "PASS", rule.test, rule.test, "is not PASS")
            clauses.append((words, test.is_null() | (test == "INCONCLUSIVE")))
        else:
            _p_values(frame, rule.test)
            clauses.append(_clause(test <= rule.alpha, rule.test, test, f"> {rule.alpha:g}"))
    low, high, name = _sizes(frame, rule)
    if rule.least is not None:
        clauses.append(_clause(low >= rule.least, name[0], low, f"< {rule.least:g}"))
    elif rule.direction != "either":
        clauses.append(_clause(low > 0, name[0], low, "<= 0"))
    if rule.most is not None:
        clauses.append(_clause(high <= rule.most, name[1], high, f"> {rule.most:g}"))
    return clauses


def _sizes(frame: pl.DataFrame, rule: Rule) -> tuple[pl.Expr, pl.Expr, tuple[str, str]]:
    """What has to be as large as `least`, and as small as `most`, with their names."""
    if rule.judged == "interval":
        low, high = "low", "high"
    else:
        low = high = rule.size
    if rule.least is None and rule.most is None and rule.direction == "either":
        return pl.lit(None), pl.lit(None), (low, high)
    for column in (low, high):
        _numeric(frame, column, argument="size" if rule.judged == "estimate" else "judged")
    if rule.direction == "down":
        return -pl.col(high), -pl.col(low), (f"-{high}", f"-{low}")
    if rule.direction == "either":
        return pl.col(low).abs(), pl.col(high).abs(), (f"|{low}|", f"|{high}|")
    return pl.col(low), pl.col(high), (low, high)


def _clause(holds: pl.Expr, name: str, value: pl.Expr, relation: str) -> tuple[pl.Expr, pl.Expr]:
    # NaN, which a frame of the user's may hold, is no value either.
    missing = value.is_null() | value.cast(pl.Float64).is_nan()
    return _words(missing | ~holds, name, value, relation), missing


def _words(fails: pl.Expr, name: str, value: str | pl.Expr, relation: str) -> pl.Expr:
    shown = (pl.col(value) if isinstance(value, str) else value).cast(pl.String).fill_null("null")
    return pl.when(fails.fill_null(True)).then(pl.format(f"{name} {{}} {relation}", shown))


def _numeric(frame: pl.DataFrame, column: str, *, argument: str) -> None:
    column_names(frame.columns, [column], argument=argument)
    dtype = frame.schema[column]
    if not (dtype.is_numeric() or dtype == pl.Null):
        raise ColumnError(f"{argument}: column {column!r} must be of numbers; it is {dtype}")


def _p_values(frame: pl.DataFrame, column: str) -> None:
    """Check that a column is of p-values, by its name, or of verdicts."""
    known = [name for name in frame.columns if _P_VALUE.fullmatch(name)]
    if column not in known:
        there = f"there are {', '.join(map(repr, known))}" if known else "there are none"
        raise ColumnError(
            f"test: column {column!r} holds neither p-values nor verdicts (PASS, FAIL, "
            f"INCONCLUSIVE); of p-values {there}"
        )
    _numeric(frame, column, argument="test")
