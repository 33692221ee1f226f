"""Patterns of the user's own, against Python's."""

import re

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError


def read(reply: str, pattern: str, **options: object) -> str | None:
    return pl.DataFrame({"r": [reply]}).select(rs.text.answer_regex("r", pattern, **options)).item()


@given(
    st.text(alphabet="ab1 :\né", max_size=20),
    st.sampled_from([r"(a)|(b)", r"a+", r"(?P<n>[0-9])", r"a(b?):", r"(é+|1)", r"^b"]),
    st.sampled_from(["first", "last"]),
)
def test_agrees_with_python(reply: str, pattern: str, which: str) -> None:
    matches = list(re.finditer(pattern, reply))
    match = matches[0 if which == "first" else -1] if matches else None
    group = min(re.compile(pattern).groups, 1)
    assert read(reply, pattern, which=which) == (match[group] if match else None)


def test_groups_and_traces() -> None:
    reply = "Score: 3 of 5. Score: 4 of 5"
    pattern = r"Score: (\d) of (?P<most>\d)"
    assert read(reply, pattern) == "4"
    assert read(reply, pattern, which="first") == "3"
    assert read(reply, pattern, group=0) == "Score: 4 of 5"
    assert read(reply, pattern, group="most") == "5"
    frame = pl.DataFrame({"r": ["é 7", "none", None]})
    trace = frame.select(rs.text.answer_regex("r", r"\d", with_trace=True)).unnest("r")
    assert trace["value"].to_list() == ["7", None, None]
    assert trace["start"].to_list() == [2, None, None]
    assert trace["status"].to_list() == ["read", "unparsed", None]


def test_options_are_checked() -> None:
    for options, reason in [
        ({"pattern": "("}, "pattern cannot be used"),
        ({"pattern": r"(a)\1"}, "back-references do not exist"),
        ({"pattern": "(a)", "group": 2}, "it has 1 beside"),
        ({"pattern": "a", "group": "n"}, "it has 0 beside"),
        ({"pattern": "a", "group": -1}, "group=-1 must be"),
        ({"pattern": "a", "group": 1.5}, "group=1.5 must be"),
        ({"pattern": 7}, "pattern=7 must be text"),
        ({"pattern": "a", "which": "all"}, "use one of 'first', 'last'"),
    ]:
        with pytest.raises(OptionError, match=reason):
            rs.text.answer_regex("r", **options)  # type: ignore[arg-type]
    with pytest.raises((ColumnError, pl.exceptions.ComputeError), match="must be text"):
        pl.DataFrame({"r": [1]}).select(rs.text.answer_regex("r", "a"))
