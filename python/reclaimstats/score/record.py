"""Records of a claim with its standing, read and checked without a model."""

from collections.abc import Mapping, Sequence

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import OptionError
from reclaimstats.text._expression import elementwise, result, text_column
from reclaimstats.text.lexicon import LEXICON
from reclaimstats.text.stance import compiled_lexicon

_RECORD = pl.Struct(
    {
        "claim": pl.String,
        "source": pl.List(pl.String),
        "certainty": pl.String,
        "as_of": pl.String,
        "status": pl.String,
    }
)
_CHECK = pl.Struct(
    dict.fromkeys(("malformed", "overclaimed", "unattributed", "undated"), pl.Boolean)
)
_KINDS = ("hedge", "attribution", "date")


def read_record(text: str | pl.Expr) -> pl.Expr:
    r"""Read a record of CLAIM, SOURCE, CERTAINTY and AS_OF.

    A row is a text that holds one record, with its labels in any case and dress: on lines of
    their own, in a bullet list, bold, in a code fence, in one line, in a table or as JSON. An
    empty value, a dash, `none`, `unknown` and an unfilled placeholder are no value.

    Args:
        text: Column name or expression with the texts.

    Returns:
        Expression of a struct of `claim`, `source` (a list: each SOURCE line, bullet or entry
        is one), `certainty`, `as_of` and `status`: "read"; "incomplete" where a label is
        missing, or claim or certainty have no value; "conflict" where a field other than
        SOURCE has two values, and then has none; "missing" where there is no label at all.

    Raises:
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> text = "CLAIM: Oslo owns it\nSOURCE: sales\nSOURCE: the plan\nCERTAINTY: hedged\nAS_OF:"
        >>> pl.select(rs.score.read_record(pl.lit(text))).to_series().struct.unnest().row(0)
        ('Oslo owns it', ['sales', 'the plan'], 'hedged', None, 'read')
    """

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        return result(_core.read_record(text_column("read_record", columns[0])), columns)

    return elementwise(read, [text], _RECORD)


def check_record(
    record: str | pl.Expr,
    source: str | pl.Expr,
    *,
    lexicon: Mapping[str, Sequence[str]] = LEXICON,
) -> pl.Expr:
    r"""Compare a record with the text it was made from, by rules and without a model.

    A row is a record, as `read_record` reads it, with its source. The record is *malformed*
    where its status is other than "read"; *overclaimed* where the source hedges and CERTAINTY
    reads asserted, or says the same in another word (confirmed, certain, …) without taking it
    back; *unattributed* where the source names a speaker and SOURCE is empty; *undated* where
    the source has a date and AS_OF is empty. What the source says is told by `cues`, whose
    limits are those of this check; a hedge that no lexicon knows is not missed in the record.

    Args:
        record: Column name or expression with the records.
        source: Column name or expression with the texts that they were made from.
        lexicon: As in `cues`, with the kinds "hedge" and "attribution".

    Returns:
        Expression of a struct of Booleans `malformed`, `overclaimed`, `unattributed` and
        `undated`; a record that is none of them passes.

    Raises:
        OptionError: The lexicon has other kinds, or a blank cue.
        ColumnError: A column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> record = "CLAIM: Oslo owns it\nSOURCE:\nCERTAINTY: asserted\nAS_OF:"
        >>> check = rs.score.check_record(pl.lit(record), pl.lit("Ana said Oslo may own it"))
        >>> pl.select(check).to_series().struct.unnest().row(0)
        (False, True, True, False)

    References:
        Kwon, A. (2026). Explicit, not longer: what makes epistemic stance survive memory
        compression. arXiv:2608.06953, section 9.
    """
    compiled, kinds = compiled_lexicon(lexicon, dates=True)
    if sorted(kinds) != sorted(_KINDS):
        raise OptionError(f"lexicon has kinds {kinds!r}; a check needs 'hedge' and 'attribution'")
    if kinds != list(_KINDS):
        compiled, _ = compiled_lexicon({kind: lexicon.get(kind, ()) for kind in _KINDS}, dates=True)

    def check(columns: Sequence[pl.Series]) -> pl.Series:
        records, sources = (text_column("check_record", column) for column in columns)
        return result(_core.check_record(records, sources, compiled), columns)

    return elementwise(check, [record, source], _CHECK)
