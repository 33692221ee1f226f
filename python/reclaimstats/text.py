"""Text scorers as Polars expressions over the Rust core.

Every scorer works eager and lazy, in `select`, `with_columns`, `group_by` and `over`, on
String, Categorical and Enum columns. Null in is null out, and what cannot be read is null: no
scorer raises on what a text holds. Inputs of length one stand for a whole column.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError, OptionError
from reclaimstats.options import choice, integer

__all__ = [
    "answer_choice",
    "answer_number",
    "answer_regex",
    "answer_time",
    "answer_word",
    "containment",
    "invented_numbers",
    "numbers",
    "recurring_value",
    "source_survival",
]

_SURVIVAL_TESTS = ("all", "any", "fraction", "prefix")
_TRACE = {
    "span": pl.String,
    "start": pl.UInt64,
    "end": pl.UInt64,
    "rule": pl.String,
    "status": pl.String,
}


def answer_number(
    reply: str | pl.Expr,
    *,
    dialect: str = "strict",
    marker: str | Sequence[str] = "ANSWER",
    fallback: str = "none",
    with_trace: bool = False,
) -> pl.Expr:
    r"""Read the number that a reply commits to behind its last `ANSWER:`.

    A row is a reply. The number must follow the marker: one in the prose around it, or in a
    refusal, is never an answer. Signs, currencies, thousands separators, fractions, percent,
    LaTeX, markup and units are read; a list, a range, a bound, a time or a hedged value
    (`probably 46`, `I doubt it is 46`, `46 (unverified)`) is null. A rounded value is none of
    these: `about 50`, `~50` and `42 (approx.)` are read as written.

    Args:
        reply: Column name or expression with the replies.
        dialect: "strict" reads what a careful reader would; "reclaim-eval" agrees with that
            harness's corrected scorer on every reply, its faults included; and
            "reclaim-eval-loose" with its first scorer, which takes the last number anywhere.
        marker: Word or words that announce the answer, in any case, with a colon; or a sign
            such as "####". The last one in the reply counts, also when it abstains. The
            harness dialects know only "ANSWER".
        fallback: What to try where no marker states anything: "none", "last_number" (the last
            number of the reply, which published tables used) or "boxed". Never applied over an
            abstention.
        with_trace: Give a struct of `value`, `span` (the text read), `start` and `end` (in
            characters), `rule` and `status` ("read", "ambiguous", "abstained", "unparsed").

    Returns:
        Expression of Float64, or of the struct.

    Raises:
        OptionError: An option is unknown, or a marker is empty.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["ANSWER: $1,046.50", "I had 55.\nANSWER: unable"])
        >>> pl.select(rs.text.answer_number(pl.lit(replies))).to_series().to_list()
        [1046.5, None]
    """
    markers = _core.Markers(_strings("marker", marker))
    choice("dialect", dialect, _core.DIALECTS)
    choice("fallback", fallback, _core.FALLBACKS)
    if dialect != "strict" and fallback != "none":
        raise OptionError(
            f"fallback={fallback!r} belongs to dialect='strict'; dialect={dialect!r} has its own"
        )

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = _text("answer_number", columns[0])
        return _result(_core.answer_number(texts, markers, dialect, fallback, with_trace), columns)

    return _elementwise(read, [reply], _traced(pl.Float64, with_trace=with_trace))


def answer_word(
    reply: str | pl.Expr,
    *,
    options: Sequence[str] | pl.Expr,
    dialect: str = "strict",
    marker: str | Sequence[str] = "ANSWER",
    with_trace: bool = False,
) -> pl.Expr:
    """Read the option of a closed set that a reply commits to behind its last `ANSWER:`.

    A row is a reply. Options are found as whole tokens in any case, of several words too, and
    in a sentence that states one plainly (`The manager is Ana.`). A refusal or negation
    (`Not Ben`) is null, and so is an answer that names two options without choosing, or that
    says of an option what is not known to be harmless (`Ben resigned`, `Ben's successor`).

    Args:
        reply: Column name or expression with the replies.
        options: The allowed answers, or an expression of a list column with each row's own. A
            null or empty list reads nothing.
        dialect: "strict", or "reclaim-eval", which wants the option to be the whole run of
            letters behind the marker.
        marker: As in `answer_number`.
        with_trace: As in `answer_number`.

    Returns:
        Expression of String: the option as it is spelled in `options`. With a trace, a struct.

    Raises:
        OptionError: An option is unknown; or of the closed set one is empty or two are alike.
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["ANSWER: the manager is ana", "ANSWER: Ana or Ben"])
        >>> read = rs.text.answer_word(pl.lit(replies), options=["Ana", "Ben"])
        >>> pl.select(read).to_series().to_list()
        ['Ana', None]
    """
    markers = _core.Markers(_strings("marker", marker))
    choice("dialect", dialect, _core.DIALECTS)
    inputs: list[str | pl.Expr] = [reply]
    if isinstance(options, pl.Expr):
        inputs.append(options)
        fixed = None
    else:
        fixed = _core.Options(_strings("options", options))

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = _text("answer_word", columns[0])
        sets = _lists("answer_word", columns[1]) if fixed is None else fixed
        return _result(_core.answer_word(texts, sets, markers, dialect, with_trace), columns)

    return _elementwise(read, inputs, _traced(pl.String, with_trace=with_trace))


def answer_choice(
    reply: str | pl.Expr,
    *,
    options: str | Sequence[str] = "ABCD",
    marker: str | Sequence[str] = "ANSWER",
    with_trace: bool = False,
) -> pl.Expr:
    """Read the letter of a multiple-choice question that a reply commits to.

    A row is a reply. The letter stands alone behind the last `ANSWER:`, in any case and dress:
    `B`, `(b)`, `**B**`, `Option B`, `The answer is B.`, `B) Paris`. Text behind a label is the
    option's own, so that `C) None of the above` is C. Two letters, a hedge or a refusal are
    null, and so is a letter that is an article or a pronoun (`A colour`, `I think so`).

    Args:
        reply: Column name or expression with the replies.
        options: The letters, as one text or as a sequence.
        marker: As in `answer_number`.
        with_trace: As in `answer_number`.

    Returns:
        Expression of String: the letter as it is spelled in `options`. With a trace, a struct.

    Raises:
        OptionError: There is no option, one is no single letter, or two are alike.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["ANSWER: (b) Paris", "ANSWER: B or C"])
        >>> pl.select(rs.text.answer_choice(pl.lit(replies))).to_series().to_list()
        ['B', None]
    """
    markers = _core.Markers(_strings("marker", marker))
    names = _strings("options", options)
    if not isinstance(options, str) and any(len(name) != 1 for name in names):
        raise OptionError(f"options must be single letters; received {names!r}")
    letters = _core.Letters("".join(names))

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = _text("answer_choice", columns[0])
        return _result(_core.answer_choice(texts, letters, markers, with_trace), columns)

    return _elementwise(read, [reply], _traced(pl.String, with_trace=with_trace))


def answer_time(
    reply: str | pl.Expr,
    *,
    dialect: str = "strict",
    marker: str | Sequence[str] = "ANSWER",
    fallback: str = "none",
    with_trace: bool = False,
) -> pl.Expr:
    """Read the time of day that a reply commits to behind its last `ANSWER:`.

    A row is a reply. Times come out as 24-hour `HH:MM`, whether they were written `16:15`,
    `4:15 p.m.`, `16h15`, `16.15`, `16:15:42` or `4:15 in the afternoon`. A time that does not
    exist, a range, a choice of several and a hedge are null.

    Args:
        reply: Column name or expression with the replies.
        dialect: "strict" reads what a careful reader would; "reclaim-eval" takes what stands
            directly behind the first `ANSWER:` that has a time, hours modulo 24 and minutes as
            they are; "reclaim-eval-loose" takes the last time anywhere.
        marker: As in `answer_number`.
        fallback: What to try where no marker states anything: "none" or "last_time", the last
            time of the reply. Never applied over an abstention.
        with_trace: As in `answer_number`.

    Returns:
        Expression of String, or of the struct.

    Raises:
        OptionError: An option is unknown, or a marker is empty.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["ANSWER: 4:15 p.m.", "ANSWER: 9:00-9:30"])
        >>> pl.select(rs.text.answer_time(pl.lit(replies))).to_series().to_list()
        ['16:15', None]
    """
    markers = _core.Markers(_strings("marker", marker))
    choice("dialect", dialect, _core.DIALECTS)
    choice("fallback", fallback, _core.TIME_FALLBACKS)
    if dialect != "strict" and fallback != "none":
        raise OptionError(
            f"fallback={fallback!r} belongs to dialect='strict'; dialect={dialect!r} has its own"
        )

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = _text("answer_time", columns[0])
        return _result(_core.answer_time(texts, markers, dialect, fallback, with_trace), columns)

    return _elementwise(read, [reply], _traced(pl.String, with_trace=with_trace))


def answer_regex(
    reply: str | pl.Expr,
    pattern: str,
    *,
    group: int | str | None = None,
    which: str = "last",
    with_trace: bool = False,
) -> pl.Expr:
    r"""Read what a pattern of your own finds in a reply.

    A row is a reply; no marker is looked for beyond what the pattern says. Patterns are those
    of the Rust `regex` crate, which has neither look-around nor back-references, so that no
    pattern can hang on a reply.

    Args:
        reply: Column name or expression with the replies.
        pattern: The pattern.
        group: Number or name of the group that holds the answer, 0 for the whole match. By
            default the first group, or the whole match of a pattern without groups.
        which: "last" or "first" of the matches. A group that took no part in it is null.
        with_trace: As in `answer_number`.

    Returns:
        Expression of String, or of the struct.

    Raises:
        OptionError: The pattern cannot be used or has no such group, or `which` is unknown.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["Score: 3. Score: 4", "no score"])
        >>> pl.select(rs.text.answer_regex(pl.lit(replies), r"Score: (\d)")).to_series().to_list()
        ['4', None]
    """
    choice("which", which, _core.WHICH)
    if not isinstance(pattern, str):
        raise OptionError(f"pattern={pattern!r} must be text")
    if group is not None and not isinstance(group, str):
        integer("group", group, least=0, most=2**31)
    compiled = _core.Pattern(pattern, group)

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = _text("answer_regex", columns[0])
        return _result(_core.answer_regex(texts, compiled, which, with_trace), columns)

    return _elementwise(read, [reply], _traced(pl.String, with_trace=with_trace))


def numbers(text: str | pl.Expr) -> pl.Expr:
    """List the numbers that a text names.

    A row is a text. Each number counts once for each place where it stands, in order:
    `1,234` is 1234, `$1.5M` is 1500000, `37.5%` is 37.5. Times, dates, ordinals and digits in
    names (`COVID-19`) are no numbers.

    Args:
        text: Column name or expression with the texts.

    Returns:
        Expression of List(Float64).

    Raises:
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> notes = pl.Series("note", ["1,234 pens at $2 each, due 3rd, 9:45"])
        >>> pl.select(rs.text.numbers(pl.lit(notes))).item().to_list()
        [1234.0, 2.0]
    """

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        return _result(_core.numbers(_text("numbers", columns[0])), columns)

    return _elementwise(read, [text], pl.List(pl.Float64))


def invented_numbers(
    memory: str | pl.Expr, source: str | pl.Expr, *, dialect: str = "strict"
) -> pl.Expr:
    """Find the numbers of a memory that its source does not hold.

    A row is a memory with the source that it was written from. Numbers are compared by value
    and without their sign, since the bullet of a list looks like a minus: `1,234` is the
    source's `1234`, and `$4.50` its `4.5`. A number that the memory derived rightly, such as a
    sum, is invented all the same: the source does not state it.

    Args:
        memory: Column name or expression with the memories.
        source: Column name or expression with the sources: text, a list of texts or a list of
            numbers.
        dialect: "strict"; or "reclaim-eval", which compares runs of digits with an optional
            decimal part as they are written, so that `1,234` is two numbers.

    Returns:
        Expression of a struct of `count` and `values`, the distinct invented numbers in the
        order of their first place.

    Raises:
        OptionError: The dialect is unknown.
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> row = pl.DataFrame({"memory": ["$55 for 1,234 pens"], "source": ["1234 pens"]})
        >>> row.select(rs.text.invented_numbers("memory", "source")).item()
        {'count': 1, 'values': [55.0]}
    """
    choice("dialect", dialect, _core.DIALECTS)

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        memories = _text("invented_numbers", columns[0])
        sources = columns[1]
        if sources.dtype in (pl.List, pl.Array):
            inner = sources.dtype.inner  # type: ignore[attr-defined]
            if inner.is_numeric() and dialect != "strict":
                raise ColumnError(
                    f"invented_numbers: column {sources.name!r} holds lists of numbers, but "
                    f"dialect={dialect!r} compares numbers as written; give it lists of text"
                )
            kind = pl.Float64 if inner.is_numeric() else pl.String
            sources = sources.cast(pl.List(kind))
        else:
            sources = _text("invented_numbers", sources)
        return _result(_core.invented_numbers(memories, sources, dialect), columns)

    dtype = pl.Struct({"count": pl.UInt64, "values": pl.List(pl.Float64)})
    return _elementwise(read, [memory, source], dtype)


def recurring_value(text: str | pl.Expr, *, least: int = 2) -> pl.Expr:
    """Find the number that a text names most often: what its reader is pulled towards.

    A row is a text; numbers are those of `numbers`.

    Args:
        text: Column name or expression with the texts.
        least: How often the number has to stand there.

    Returns:
        Expression of Float64, null where no number stands so often, or two equally often.

    Raises:
        OptionError: `least` is out of range.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> notes = pl.Series("note", ["The total was $55. Half of 55 is 27.50."])
        >>> pl.select(rs.text.recurring_value(pl.lit(notes))).item()
        55.0
    """
    integer("least", least, least=1, most=2**31)

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        values = pl.Series(_core.recurring_value(_text("recurring_value", columns[0]), least))
        return values.alias(columns[0].name)

    return _elementwise(read, [text], pl.Float64())


def source_survival(
    note: str | pl.Expr,
    source: str | pl.Expr,
    *,
    test: str = "all",
    prefix_chars: int = 18,
) -> pl.Expr:
    """Test whether a source is still in a note, without a judge.

    A row is a note with the source that it was written from. A list column holds the source's
    line items, each of which survives when its tokens stand in the note one behind the other,
    as whole tokens in any case: `$4` is neither in `$40` nor in `4.50`. Currency signs are no
    tokens and are not compared: `$2` is found in `2 pens`. A text column counts by its distinct
    content words, as in `containment`.

    Args:
        note: Column name or expression with the notes.
        source: Column name or expression with the sources, text or list of text.
        test: "all" or "any" of the items or words survive; "fraction" of them that do;
            "prefix": the first `prefix_chars` characters of a text source occur in the note as
            they are, apart from case.
        prefix_chars: Length of that prefix.

    Returns:
        Expression of Boolean, or of Float64 for "fraction". Null where the source holds
        nothing that could survive.

    Raises:
        OptionError: An option is unknown or out of range.
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> notes = pl.DataFrame({"note": ["7 pens at $2 each", "the total is $55"]})
        >>> survives = rs.text.source_survival("note", pl.lit(pl.Series([["7 pens", "$2"]])))
        >>> notes.select(survives).to_series().to_list()
        [True, False]
    """
    choice("test", test, _SURVIVAL_TESTS)
    integer("prefix_chars", prefix_chars, least=1, most=2**31)

    def survive(columns: Sequence[pl.Series]) -> pl.Series:
        notes = _text("source_survival", columns[0])
        if test == "prefix":
            sources = _text("source_survival with test='prefix'", columns[1])
            kept = pl.Series(_core.prefix_survival(notes, sources, prefix_chars))
            return kept.alias(columns[0].name)
        if columns[1].dtype == pl.List:
            sources = _lists("source_survival", columns[1])
        else:
            sources = _text("source_survival", columns[1])
        found, total = pl.col("found"), pl.col("total")
        value = {"all": found == total, "any": found > 0, "fraction": found / total}[test]
        shares = pl.DataFrame(_core.token_survival(notes, sources))
        kept = shares.select(pl.when(total > 0).then(value)).to_series()
        return kept.alias(columns[0].name)

    dtype = pl.Float64 if test == "fraction" else pl.Boolean
    return _elementwise(survive, [note, source], dtype())


def containment(
    claim: str | pl.Expr, memory: str | pl.Expr, *, with_counts: bool = False
) -> pl.Expr:
    """Share of a claim's distinct content words that are found in a memory.

    A row is a claim with the memory that should hold it. Words are compared whole, in any
    case, without a possessive 's; function words do not count, quantity and degree words
    (near, over, around, roughly, two, next) do, and numbers compare with their thousands
    separators removed.

    Args:
        claim: Column name or expression with the claims.
        memory: Column name or expression with the memories.
        with_counts: Give a struct of `value`, `found` and `total`.

    Returns:
        Expression of Float64 from 0 to 1, null where the claim has no content word; or of the
        struct.

    Raises:
        ColumnError: A column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> pair = pl.DataFrame({"claim": ["Around eighty people came"], "memory": ["~80 people"]})
        >>> pair.select(rs.text.containment("claim", "memory")).item()
        0.25
    """

    def contain(columns: Sequence[pl.Series]) -> pl.Series:
        claims, memories = (_text("containment", column) for column in columns)
        found, total = pl.col("found"), pl.col("total")
        share = pl.when(total > 0).then(found / total).alias("value")
        value = pl.struct(share, found, total) if with_counts else share
        shares = pl.DataFrame(_core.containment(claims, memories))
        return shares.select(value).to_series().alias(columns[0].name)

    counts = {"value": pl.Float64, "found": pl.UInt64, "total": pl.UInt64}
    dtype = pl.Struct(counts) if with_counts else pl.Float64()
    return _elementwise(contain, [claim, memory], dtype)


def _elementwise(
    function: Callable[[Sequence[pl.Series]], pl.Series],
    inputs: Sequence[str | pl.Expr],
    dtype: pl.DataType,
) -> pl.Expr:
    columns = [pl.col(item) if isinstance(item, str) else item for item in inputs]
    return pl.map_batches(columns, function, return_dtype=dtype, is_elementwise=True)


def _text(scorer: str, column: pl.Series) -> pl.Series:
    if column.dtype == pl.String:
        return column
    if column.dtype in (pl.Categorical, pl.Enum, pl.Null):
        return column.cast(pl.String)
    raise ColumnError(
        f"{scorer}: column {column.name!r} has type {column.dtype}; it must be text. "
        "Cast it with .cast(pl.String) if that is what it holds"
    )


def _lists(scorer: str, column: pl.Series) -> pl.Series:
    text = (pl.String, pl.Categorical, pl.Enum, pl.Null)
    if column.dtype == pl.Null or getattr(column.dtype, "inner", None) in text:
        return column.cast(pl.List(pl.String))
    raise ColumnError(
        f"{scorer}: column {column.name!r} has type {column.dtype}; it must be lists of text"
    )


def _strings(name: str, values: str | Sequence[str]) -> list[str]:
    found = [values] if isinstance(values, str) else values
    if not isinstance(found, Iterable) or not all(isinstance(value, str) for value in found):
        raise OptionError(f"{name} must be text, one or several; received {values!r}")
    return list(found)


def _traced(value: type[pl.DataType], *, with_trace: bool) -> pl.DataType:
    return pl.Struct({"value": value, **_TRACE}) if with_trace else value()


def _result(batch: Any, columns: Sequence[pl.Series]) -> pl.Series:
    table = pl.DataFrame(batch)
    values = table.to_series() if table.width == 1 else table.to_struct()
    return values.alias(columns[0].name)
