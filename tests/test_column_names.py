"""Columns may be called what a verb calls its own: the result is the same, or they are refused."""

import importlib
import pkgutil
import random
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import reclaimstats as rs
from reclaimstats import design
from reclaimstats.design.names import PREFIX
from reclaimstats.errors import ColumnError, DesignError


def trials() -> pl.DataFrame:
    draw = random.Random(0)
    return pl.DataFrame(
        [
            {
                "group": group,
                "pair": 10 * group + pair,
                "arm": arm,
                "cell": "xy"[group % 2],
                "ok": draw.random() < 0.5,
                "also": draw.random() < 0.5,
                "points": draw.random(),
                "grade": draw.choice(["a", "b", "tie"]),
                "when": draw.random(),
            }
            for group in range(12)
            for pair in range(3)
            for arm in ("base", "low", "high")
        ]
    )


VERBS: dict[str, tuple[str, Callable[..., pl.DataFrame], str, dict[str, Any]]] = {
    "rate": ("ok", rs.rate, "group cell", {}),
    "mean": ("points", rs.mean, "group cell", {}),
    "compare": ("ok", rs.compare, "group cell arm pair", {}),
    "unpaired": ("ok", rs.compare_unpaired, "group cell arm", {}),
    "means": ("points", rs.compare_means, "group cell arm pair", {}),
    "groups": ("points", rs.compare_means_unpaired, "group cell arm", {}),
    "verdicts": ("points", rs.equivalence_means, "group cell arm pair", {"margin": 0.2}),
    "gaps": ("ok", rs.gap_closure, "group cell arm", {"oracle": "high"}),
    "equivalence": ("ok", rs.equivalence, "group cell arm pair", {"margin": 0.2}),
    "evidence": ("ok", rs.evidence, "group cell arm pair when", {}),
    "power": ("ok", rs.power, "group cell arm pair", {"n": 90, "effect": 0.2}),
    "repeats": ("ok", rs.repeats, "group cell item", {"k": 2}),
    "components": ("ok", rs.variance_components, "cell item", {}),
    "heterogeneity": ("ok", rs.heterogeneity, "cell arm item", {"n_resamples": 99}),
    "radius": ("ok", rs.blast_radius, "group cell chain", {}),
}
ARGUMENTS = {
    "group": "cluster",
    "cell": "by",
    "arm": "contrast",
    "pair": "pair_by",
    "when": "order_by",
    "item": "item",
    "chain": "chain",
}
INTERNAL = sorted(
    {
        value.removeprefix(PREFIX)
        for module in pkgutil.iter_modules(design.__path__, f"{design.__name__}.")
        for value in vars(importlib.import_module(module.name)).values()
        if isinstance(value, str) and value.startswith(PREFIX)
    }
)
NAMES = sorted(
    {
        *INTERNAL,
        *("n", "n_missing", "n_0", "rate_0", "estimate", "treatment", "baseline", "key", "cell"),
        *("reason", "len", "count", "literal", "index", "first", "second", "label", "left"),
    }
    - {""}
)


def called(verb: str, role: str, name: str) -> pl.DataFrame:
    """A verb's result where the column of a role has another name; without that column."""
    outcome, function, roles, options = VERBS[verb]
    columns = {word: "pair" if word in ("item", "chain") else word for word in roles.split()}
    renamed = {role: name}
    arguments = {ARGUMENTS[word]: renamed.get(at, at) for word, at in columns.items()}
    baseline = {"baseline": "base"} if "arm" in columns else {}
    frame = trials().rename(renamed)
    result = function(frame, renamed.get(outcome, outcome), **arguments, **baseline, **options)
    return result.drop(name if role in ("cell", "when") else [])


ROLES = [
    (verb, role)
    for verb, (outcome, _, roles, _) in VERBS.items()
    for role in (outcome, *roles.replace("item", "pair").replace("chain", "pair").split())
]


@pytest.mark.parametrize(("verb", "role"), ROLES)
def test_names_of_columns_change_no_result(verb: str, role: str) -> None:
    plain = called(verb, role, role)
    for name in NAMES:
        if name in trials().columns:
            continue
        if role in ("cell", "when") and refused(lambda name=name: called(verb, role, name)):
            continue
        assert_frame_equal(called(verb, role, name), plain)


def refused(call: Callable[[], Any]) -> bool:
    """Whether a name is said to be that of a result."""
    try:
        call()
    except (ColumnError, DesignError) as error:
        return "result" in str(error)
    return False


@pytest.mark.parametrize("name", [*NAMES, "n_a"])
def test_a_confusion_keeps_the_names_of_cells(name: str) -> None:
    frame = trials().rename({"cell": name} if name != "cell" else {})
    if refused(lambda: rs.confusion(frame, ["ok", "also"], by=name)):
        return
    result = rs.confusion(frame, ["ok", "also"], by=name)
    plain = rs.confusion(trials(), ["ok", "also"], by="cell")
    assert_frame_equal(result.rename({name: "cell"}), plain)
