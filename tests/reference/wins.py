"""Pairwise judging, one judgement at a time."""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from reference.agreement import score_limits
from reference.stats import Limits, normal_quantile, tail_of, wilson

Row = dict[str, Any]


def seen_by(rows: Sequence[Row], model: str, opponent: str | None) -> list[Row]:
    """Judgements as a model sees them: its points, whether it was shown first, item, cluster."""
    seen = []
    for row in rows:
        sides = row["model_a"], row["model_b"]
        if model not in sides or (opponent is not None and opponent not in sides):
            continue
        if row["winner"] is None or row["first"] is None:
            continue
        own = "a" if sides[0] == model else "b"
        points = Fraction(1, 2) if row["winner"] == "tie" else Fraction(row["winner"] == own)
        seen.append(
            {
                "points": points,
                "first": row["first"] == own,
                "against": sides[1] if own == "a" else sides[0],
                "item": row["item"],
                "cluster": row["cluster"],
            }
        )
    return seen


def mean(points: Sequence[Fraction]) -> Fraction | None:
    return sum(points, Fraction(0)) / len(points) if points else None


def mean_limits(
    points: Sequence[Fraction], cluster: Sequence[Hashable] | None, level: float
) -> Limits | None:
    whole = mean(points)
    if whole is None:
        return None
    if cluster is None and set(points) <= {0, 1}:
        return wilson(float(whole), len(points), normal_quantile(float(tail_of(level))))
    groups: dict[Hashable, tuple[Fraction, int]] = {}
    for point, key in zip(points, cluster or range(len(points)), strict=True):
        residual, size = groups.get(key, (Fraction(0), 0))
        groups[key] = (residual + point - whole, size + 1)
    least = sum(((point - whole) ** 2 for point in points), Fraction(0)) / len(points) ** 2
    return score_limits(whole, list(groups.values()), least, level)


def sign_p(positive: int, negative: int) -> Fraction:
    n, low = positive + negative, min(positive, negative)
    tail = sum(comb(n, k) for k in range(low + 1))
    return min(Fraction(2 * tail, 2**n), Fraction(1))


def by_item(seen: Sequence[Row]) -> dict[str, int]:
    """Items judged in both orders, and what the order did."""
    found = {"both": 0, "to_first": 0, "to_second": 0, "consistent": 0}
    for key in {(row["item"], row["against"]) for row in seen}:
        inside = [row for row in seen if (row["item"], row["against"]) == key]
        first = mean([row["points"] for row in inside if row["first"]])
        second = mean([row["points"] for row in inside if not row["first"]])
        if first is not None and second is not None:
            found["both"] += 1
            found["to_first"] += first > second
            found["to_second"] += first < second
            found["consistent"] += len({row["points"] for row in inside}) == 1
    return found
