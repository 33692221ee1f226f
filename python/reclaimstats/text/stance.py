"""Cues of stance: hedges, attributions, dates."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import OptionError
from reclaimstats.text._expression import elementwise, strings, text_column
from reclaimstats.text.lexicon import LEXICON

_FOUND = pl.Struct(
    {
        "kind": pl.String,
        "cue": pl.String,
        "span": pl.String,
        "start": pl.UInt64,
        "end": pl.UInt64,
    }
)


def cues(
    text: str | pl.Expr,
    *,
    lexicon: Mapping[str, Sequence[str]] = LEXICON,
    dates: bool = True,
    with_trace: bool = False,
) -> pl.Expr:
    """Find the cues of stance in a text: does it hedge, name who said it, say when?

    A row is a text. A cue of the lexicon is found as whole words in any case, whatever white
    space stands between them; of two that begin at one place the longer counts. Forms are not
    derived: *rumor* does not find *rumored*. Dates are found by their form (`2024-05-03`,
    `3 May 2024`, `since March`, `in 2019`, `last Tuesday`, `two weeks ago`, `as of`).

    Stance is an open class: a text without a cue may well hedge. What the built-in lexicon
    recalls is measured in the documentation.

    Args:
        text: Column name or expression with the texts.
        lexicon: Kinds of cues, each with its words and phrases. By default
            `reclaimstats.text.LEXICON`, whose kinds are "hedge" and "attribution". Cues under
            "date" are found besides the dates.
        dates: Look for dates, as the kind "date".
        with_trace: Add a field `found`, a list of structs of `kind`, `cue` (as the lexicon
            spells it; null for a date), `span` (the text found), `start` and `end` (in
            characters), in the order of their places.

    Returns:
        Expression of a struct with a Boolean for each kind.

    Raises:
        OptionError: The lexicon holds no kind, a blank cue, or a kind named "found".
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> notes = pl.Series("note", ["Ana said it may slip", "Standup moved to 9:45"])
        >>> for flags in pl.select(rs.text.cues(pl.lit(notes))).to_series():
        ...     print(flags)
        {'hedge': True, 'attribution': True, 'date': False}
        {'hedge': False, 'attribution': False, 'date': False}
    """
    compiled, kinds = compiled_lexicon(lexicon, dates=dates)

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = text_column("cues", columns[0])
        if with_trace:
            table = pl.DataFrame(_core.cues_found(texts, compiled))
        else:
            table = pl.Series(_core.cue_kinds(texts, compiled)).to_frame("kinds")
        bits = pl.col("kinds")
        flags = [((bits & (1 << i)) != 0).alias(kind) for i, kind in enumerate(kinds)]
        found = [pl.col("found")] if with_trace else []
        return table.select(*flags, *found).to_struct(columns[0].name)

    fields: dict[str, Any] = dict.fromkeys(kinds, pl.Boolean)
    if with_trace:
        fields["found"] = pl.List(_FOUND)
    return elementwise(read, [text], pl.Struct(fields))


def compiled_lexicon(
    lexicon: Mapping[str, Sequence[str]], *, dates: bool
) -> tuple[_core.Lexicon, list[str]]:
    """Check and compile a lexicon; its kinds, with dates among them if they are looked for."""
    if not isinstance(lexicon, Mapping):
        raise OptionError(
            f"lexicon={lexicon!r} must give each kind its cues, such as {{'hedge': ['may']}}"
        )
    lists = {kind: strings(f"lexicon[{kind!r}]", cues) for kind, cues in lexicon.items()}
    if dates:
        lists.setdefault("date", [])
    if not lists:
        raise OptionError("lexicon is empty and dates are not looked for; name at least one kind")
    if not all(isinstance(kind, str) for kind in lists) or "found" in lists:
        raise OptionError(f"lexicon has kinds {list(lists)!r}; they must be text, and not 'found'")
    kinds = list(lists)
    return _core.Lexicon(list(lists.items()), kinds.index("date") if dates else None), kinds
