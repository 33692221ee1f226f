"""Pairwise judging, one judgement at a time."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Any

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
