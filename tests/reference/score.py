"""Outcomes one trial at a time, in plain Python."""

from __future__ import annotations

import math


def outcome_number(
    answer: float | None, truth: float | None, drift: float | None, tolerance: float
) -> str | None:
    """What became of a numeric answer; NaN is as good as nothing."""

    def near(left: float, right: float | None) -> bool:
        if right is None or math.isnan(right):
            return False
        if math.isinf(left) or math.isinf(right):
            return left == right
        return left == right or abs(left - right) < tolerance

    if truth is None or math.isnan(truth):
        return None
    if answer is None or math.isnan(answer):
        return "abstained"
    if near(answer, truth):
        return "recovered"
    return "inherited" if near(answer, drift) else "novel"


def outcome_text(answer: str | None, truth: str | None, drift: str | None) -> str | None:
    """What became of an answer in words."""
    if truth is None:
        return None
    if answer is None:
        return "abstained"
    if answer == truth:
        return "recovered"
    return "inherited" if answer == drift else "novel"
