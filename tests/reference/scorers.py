"""Scorers compared, one reply and one trial at a time."""

import math
from collections.abc import Sequence
from typing import Any

from reference.stats import fisher, student_quantile, tail_of

Row = dict[str, Any]


def is_value(answer: Any) -> bool:
    return answer is not None and answer == answer


def same(answer: Any, other: Any, tolerance: float) -> bool:
    if not is_value(answer) or not is_value(other):
        return False
    return bool(
        answer == other or (not isinstance(answer, str) and abs(answer - other) < tolerance)
    )


def phantom_row(
    rows: Sequence[Row], scorer: str, reference: str, tolerance: float, *, labelled: bool
) -> Row:
    """Counts of one scorer in one cell; `reference` is a column of answers, or of labels."""
    count = dict.fromkeys(["n", "n_missing", "n_abstaining", "phantoms", "stale", "correct"], 0)
    count |= dict.fromkeys(["n_answering", "found", "missed", "wrong"], 0)
    for row in rows:
        count["n"] += 1
        stated, answer = row[reference], row[scorer]
        if labelled and stated is None:
            count["n_missing"] += 1
        elif stated is False or (not labelled and not is_value(stated)):
            count["n_abstaining"] += 1
            if is_value(answer):
                count["phantoms"] += 1
                if same(answer, row["truth"], tolerance):
                    count["correct"] += 1
                elif same(answer, row["drift"], tolerance):
                    count["stale"] += 1
        else:
            count["n_answering"] += 1
            if not is_value(answer):
                count["missed"] += 1
            elif not labelled:
                count["found" if same(answer, stated, tolerance) else "wrong"] += 1
    result: Row = dict(count)
    if labelled:
        result |= {"found": None, "wrong": None}
    n = count["n_abstaining"]
    return result | {"scorer": scorer, "phantom_rate": count["phantoms"] / n if n else None}


def sensitivity_row(
    treatment: Sequence[Row], baseline: Sequence[Row], cluster: Sequence[str], level: float
) -> Row:
    """Two rules, `first` and `second`, of one cell: counts, effects, interval of the shift."""
    result: Row = {"n_missing": 0}
    read: dict[str, list[Row]] = {}
    for arm, rows in (("treatment", treatment), ("baseline", baseline)):
        verdicts = [(row["first"], row["second"]) for row in rows]
        read[arm] = [r for r in rows if r["first"] is not None or r["second"] is not None]
        result["n_missing"] += verdicts.count((None, None))
        result[f"n_{arm}"] = len(read[arm])
        result[f"disagree_{arm}"] = sum(a != b for a, b in verdicts)
        result[f"first_only_{arm}"] = verdicts.count((1, 0))
        result[f"second_only_{arm}"] = verdicts.count((0, 1))
        result[f"first_missing_{arm}"] = sum(a is None and b is not None for a, b in verdicts)
        result[f"second_missing_{arm}"] = sum(b is None and a is not None for a, b in verdicts)
    rates: dict[tuple[str, str], tuple[float, int]] = {}
    for arm, rows in read.items():
        for rule in ("first", "second"):
            outcomes = [row[rule] for row in rows if row[rule] is not None]
            if outcomes:
                rates[arm, rule] = sum(outcomes) / len(outcomes), len(outcomes)
    for rule in ("first", "second"):
        known = ("treatment", rule) in rates and ("baseline", rule) in rates
        effect = rates["treatment", rule][0] - rates["baseline", rule][0] if known else None
        result[f"difference_{rule}"] = effect
    units: dict[Any, list[tuple[str, Row]]] = {}
    for arm, rows in read.items():
        for number, row in enumerate(rows):
            key = tuple(row[c] for c in cluster) if cluster else (arm, number)
            units.setdefault(key, []).append((arm, row))
    result["n_clusters"] = len(units) if cluster else None
    table = [
        [result[f"disagree_{arm}"], len(read[arm]) - result[f"disagree_{arm}"]] for arm in read
    ]
    some = all(read.values())
    result["fisher_p"] = float(fisher(table, "two-sided")) if some else None
    result["fisher_log_p"] = math.log(result["fisher_p"]) if some else None
    limits: tuple[float | None, float | None] = (None, None)
    shift = reason = None
    if len(rates) < 4:
        short = [arm for arm in read if sum(place == arm for place, _ in rates) < 2]
        of = f" of the {short[0]}" if len(short) == 1 else ""
        reason = f"no trials{of} with an outcome"
    else:
        shift = result["difference_second"] - result["difference_first"]
        sizes = {
            arm: sum(any(place == arm for place, _ in unit) for unit in units.values())
            for arm in read
        }
        fewest = min(sizes.values())
        if fewest < 2:
            reason = "one cluster" if cluster else "one trial says nothing of the spread"
        else:
            fewer = min(
                len(rows) ** 2
                / sum(sum(place == arm for place, _ in unit) ** 2 for unit in units.values())
                for arm, rows in read.items()
            )
            variance = 2 / (fewer + 2) ** 2
            for unit in units.values():
                moved = 0.0
                for arm, row in unit:
                    scale = math.sqrt(sizes[arm] / (sizes[arm] - 1))
                    scale = scale if arm == "treatment" else -scale
                    for rule, way in (("second", 1), ("first", -1)):
                        if row[rule] is not None:
                            rate, n = rates[arm, rule]
                            moved += scale * way * (row[rule] - rate) / n
                variance += moved**2
            half = student_quantile(float(tail_of(level)), fewest - 1) * math.sqrt(variance)
            limits = max(shift - half, -2.0), min(shift + half, 2.0)
    return result | {
        "shift": shift,
        "low": limits[0],
        "high": limits[1],
        "method": "none" if limits[0] is None else "adjusted-t",
        "confidence_level": level,
        "reason": reason,
    }
