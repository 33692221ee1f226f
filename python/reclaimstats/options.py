"""Checks of options, in one place and with one wording."""

import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import SupportsFloat, SupportsIndex, cast

from reclaimstats import _core
from reclaimstats.errors import DesignError, OptionError

__all__ = [
    "Plan",
    "choice",
    "confidence",
    "distance",
    "integer",
    "level",
    "number",
    "probability",
    "share",
    "weighing",
]


def choice(name: str, value: object, valid: Iterable[str]) -> str:
    """Return `value` if it is one of the `valid` names."""
    names = list(valid)
    if not isinstance(value, str) or value not in names:
        raise OptionError(f"{name}={value!r} is unknown; use one of {', '.join(map(repr, names))}")
    return value


def probability(name: str, value: object) -> float:
    """Return `value` if it lies strictly between 0 and 1."""
    number = _float(value)
    if not 0.0 < number < 1.0:
        raise OptionError(f"{name}={value!r} must be a number between 0 and 1, such as 0.95")
    return number


def confidence(confidence_level: object) -> float:
    """Return a confidence level if it lies from 1e-9 to 1 - 1e-9, where limits can be told."""
    number = _float(confidence_level)
    if not 1e-9 <= number <= 1.0 - 1e-9:
        raise OptionError(
            f"confidence_level={confidence_level!r} must be a number between 0 and 1, from 1e-9 to "
            "1 - 1e-9, such as 0.95"
        )
    return number


def level(name: str, value: object) -> float:
    """Return `value` if it can be the level of a test of one side, from 1e-9 to below 0.5."""
    number = _float(value)
    if not 1e-9 <= number < 0.5:
        raise OptionError(f"{name}={value!r} must be a number from 1e-9 to below 0.5, such as 0.05")
    return number


def number(name: str, value: object) -> float:
    """Return `value` if it is a finite number."""
    number = _float(value)
    if not math.isfinite(number):
        raise OptionError(f"{name}={value!r} must be a finite number")
    return number


def share(name: str, value: object) -> float:
    """Return `value` if it is a number from 0 to 1."""
    number = _float(value)
    if not 0.0 <= number <= 1.0:
        raise OptionError(f"{name}={value!r} must be a number from 0 to 1")
    return number


def distance(name: str, value: object) -> float:
    """Return `value` if it is a number from 0 up."""
    number = _float(value)
    if not number >= 0.0:
        raise OptionError(f"{name}={value!r} must be a number from 0 up")
    return number


def _float(value: object) -> float:
    """Return a number of any kind as a float, and NaN, which fails every check, otherwise."""
    try:
        return math.nan if isinstance(value, bool | str) else float(cast(SupportsFloat, value))
    except (TypeError, ValueError):
        return math.nan


def integer(name: str, value: object, *, least: int, most: int) -> int:
    """Return `value` if it is a whole number from `least` to `most`."""
    try:
        # NumPy's integers are whole numbers too.
        number = None if isinstance(value, bool) else operator.index(cast(SupportsIndex, value))
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        raise OptionError(f"{name}={value!r} must be a whole number from {least} to {most}")
    return number


# Levels inside of clusters that can be drawn.
_DEEPEST = 14
# What each way to resample can make; "auto" finds one for every method.
_RESAMPLED = {
    "monte-carlo": ("percentile", "basic", "bca", "studentized"),
    "saddlepoint": ("percentile", "basic", "bca"),
    "cpython": ("percentile",),
}


def weighing(
    weighting: object, variance: object, method: str, cluster: Sequence[str], *, of: Sequence[str]
) -> None:
    """Check what an estimate over clusters is over, and its variance, which is of some methods."""
    choice("weighting", weighting, ["trial", "cluster"])
    choice("variance", variance, _core.VARIANCES)
    if weighting == "cluster" and not cluster:
        raise OptionError("weighting='cluster' weighs clusters alike; name them with cluster=")
    if variance != "cr2" and method not in of:
        raise OptionError(
            f"variance={variance!r} is of Student's t, which method={method!r} is not; "
            "use method='t' with it"
        )


def nesting(
    within: str | Sequence[str] | None, method: str, resampler: str, cluster: Sequence[str]
) -> list[str] | None:
    """Check what is drawn inside of clusters, level by level; None where nothing is."""
    if within is None:
        return None
    levels = [within] if isinstance(within, str) else list(within)
    if (method, resampler) != ("percentile", "monte-carlo") or not cluster:
        raise OptionError(
            "within= names what is drawn anew inside of each cluster; it goes with cluster=, "
            "method='percentile' and resampler='monte-carlo'"
        )
    if len(levels) > _DEEPEST:
        raise OptionError(f"within= names {len(levels)} levels; at most {_DEEPEST} can be drawn")
    return levels


@dataclass(frozen=True, slots=True)
class Plan:
    """What an interval depends on besides the data; its attributes are read by the core."""

    method: str
    resampler: str
    confidence_level: float
    n_resamples: int
    seed: int

    @classmethod
    def checked(
        cls,
        *,
        method: str,
        methods: Sequence[str],
        resampler: str,
        confidence_level: float,
        n_resamples: int,
        seed: int,
        cluster: Sequence[str],
        resamplers: Sequence[str] = _core.RESAMPLERS,
    ) -> "Plan":
        """Check every option and how they go together.

        Args:
            method: One of `methods`.
            methods: Such as `_core.RATE_METHODS`.
            resampler: One of `resamplers`; other than "auto" only with what it can make.
            confidence_level: From 1e-9 to 1 - 1e-9.
            n_resamples: From 1 to 100 million.
            seed: From 0 to 2^64 - 1.
            cluster: The cluster columns, empty where trials count as independent.
            resamplers: `_core.RESAMPLERS` or `_core.MEAN_RESAMPLERS`.

        Raises:
            OptionError: An option is unknown or out of range.
            DesignError: The replay of a trial-level harness was asked to respect clusters.
        """
        plan = cls(
            method=choice("method", method, methods),
            resampler=choice("resampler", resampler, resamplers),
            confidence_level=confidence(confidence_level),
            n_resamples=integer("n_resamples", n_resamples, least=1, most=100_000_000),
            seed=integer("seed", seed, least=0, most=2**64 - 1),
        )
        able = _RESAMPLED.get(plan.resampler)
        if able is not None and plan.method not in able:
            known = ", ".join(repr(name) for name in able if name in methods)
            raise OptionError(
                f"resampler={resampler!r} does not make method={method!r}; "
                f"use method={known} with it"
            )
        if plan.resampler == "cpython" and cluster:
            raise DesignError(
                "resampler='cpython' replays a harness that resamples single trials; leave "
                "cluster= out to reproduce its figures, or use resampler='auto' for an "
                "interval that respects clusters"
            )
        return plan
