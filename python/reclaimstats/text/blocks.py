"""What a reply sets apart from its prose: boxes, code, SQL and function calls."""

from collections.abc import Sequence

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError
from reclaimstats.options import choice
from reclaimstats.text._expression import elementwise, result, strings, text_column, traced

_CALLS = pl.List(pl.Struct({"name": pl.String, "arguments": pl.String}))


def boxed(reply: str | pl.Expr, *, which: str = "last", with_trace: bool = False) -> pl.Expr:
    r"""Read what a reply puts into `\boxed{…}` or `\fbox{…}`.

    A row is a reply. Braces are balanced, `\{` and `\}` aside, and of nested boxes the innermost
    counts. `\boxed 5` is a box too, and an empty one or `\boxed{...}` is none. Equal boxes are
    one answer. Where boxes differ, `which` chooses and the status is "ambiguous".

    Args:
        reply: Column name or expression with the replies.
        which: "last" or "first" of the boxes, or "only": null where they differ. A reply that
            ends inside a box has no last one, and is null.
        with_trace: Give a struct of `value`, `span` (the text read), `start` and `end` (in
            characters), `rule` and `status` ("read", "ambiguous", "truncated", "unparsed").

    Returns:
        Expression of String, the content as it is written, or of the struct.

    Raises:
        OptionError: `which` is unknown.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", [r"So \boxed{\frac{3}{8}}.", r"\boxed{4", "It is 4."])
        >>> pl.select(rs.text.boxed(pl.lit(replies))).to_series().to_list()
        ['\\frac{3}{8}', None, None]
    """
    choice("which", which, _core.BOXES)

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = text_column("boxed", columns[0])
        return result(_core.boxed(texts, which, with_trace), columns)

    return elementwise(read, [reply], traced(pl.String, with_trace=with_trace))


def code_block(
    reply: str | pl.Expr,
    *,
    language: str | Sequence[str] | None = None,
    which: str = "last",
    with_trace: bool = False,
) -> pl.Expr:
    r"""Read the code of a fenced block.

    A row is a reply. Fences are those of CommonMark: three or more backticks or tildes at the
    beginning of a line, also in quotes and list items, closed by at least as many. The code is
    every line between them with its ending. A reply without a fence is null, never the whole
    reply, and so are backticks inside a line.

    Args:
        reply: Column name or expression with the replies.
        language: Only blocks of this language or these, in any case and by their usual names:
            "python" is `py`, `Python3` and `{.python}` too. "" is a block without a language.
        which: "last" or "first" of these blocks.
        with_trace: As in `boxed`. A block that nothing closes is read up to the end of the
            reply, with the status "truncated".

    Returns:
        Expression of String, or of the struct.

    Raises:
        OptionError: An option is unknown.
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["Run:\n```py\nprint(46)\n```\nDone.", "print(46)"])
        >>> pl.select(rs.text.code_block(pl.lit(replies), language="python")).to_series().to_list()
        ['print(46)\n', None]
    """
    choice("which", which, _core.WHICH)
    languages = [] if language is None else strings("language", language)

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = text_column("code_block", columns[0])
        return result(_core.code_block(texts, languages, which, with_trace), columns)

    return elementwise(read, [reply], traced(pl.String, with_trace=with_trace))


def sql_block(reply: str | pl.Expr, *, with_trace: bool = False) -> pl.Expr:
    r"""Read the SQL that a reply ends on.

    A row is a reply. It is the last block labelled `sql`; without one, the last unlabelled block
    that begins as SQL does; without one, the last statement that begins a line or follows a
    label (`Query: SELECT …`), up to its semicolon or a blank line. English that begins with the
    same words (`Select the rows from …`) is none.

    Args:
        reply: Column name or expression with the replies.
        with_trace: As in `boxed`. The rules are "sql_fence", "fence" and "statement".

    Returns:
        Expression of String, without white space at its ends or semicolons behind it, or of the
        struct.

    Raises:
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["```sql\nSELECT a\nFROM t;\n```", "I have no query."])
        >>> pl.select(rs.text.sql_block(pl.lit(replies))).to_series().to_list()
        ['SELECT a\nFROM t', None]
    """

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        return result(_core.sql_block(text_column("sql_block", columns[0]), with_trace), columns)

    return elementwise(read, [reply], traced(pl.String, with_trace=with_trace))


def function_calls(reply: str | pl.Expr, *, with_trace: bool = False) -> pl.Expr:
    r"""Read the function calls that a reply makes.

    A row is a reply. Calls are those of Python with literals as arguments (`[f(x=1), g()]`, also
    without brackets and a call a line) or of JSON (`{"name": "f", "arguments": {"x": 1}}`), the
    whole reply, all that is in `<tool_call>` tags, behind the labels of an agent (`Action: f(x=1)`,
    or `Action: f` and `Action Input: {"x": 1}`), in fenced blocks, or on lines of their own.
    A call inside a sentence is none. Where one call cannot be read the row is null, since the
    rest of them would be another answer; an empty list is only an explicit `[]`.

    Args:
        reply: Column name or expression with the replies.
        with_trace: As in `boxed`. The rules are "tool_call", "action", "fence" and "calls", and
            of null "no_call", "malformed", "truncated" and "too_deep" (more than 256 levels).

    Returns:
        Expression of List(Struct(name, arguments)), or of a struct. The arguments are a JSON
        object as String, with sorted keys, equal numbers written alike, and positional
        arguments named "0", "1" and so on.

    Raises:
        ColumnError: The column is not text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["[add(2, x=[1.0, None])]", "I call add(2)."])
        >>> pl.select(rs.text.function_calls(pl.lit(replies))).to_series().to_list()
        [[{'name': 'add', 'arguments': '{"0":2,"x":[1,null]}'}], None]
    """

    def read(columns: Sequence[pl.Series]) -> pl.Series:
        texts = text_column("function_calls", columns[0])
        return result(_core.function_calls(texts, with_trace), columns)

    return elementwise(read, [reply], traced(_CALLS, with_trace=with_trace))


def calls_match(
    predicted: str | pl.Expr, expected: str | pl.Expr, *, possible: bool = False
) -> pl.Expr:
    """Test whether two sets of function calls are the same, in any order.

    A row is a reply with the calls that it should make. Names are compared exactly, arguments
    by value: 1 is 1.0 but not True, a tuple is a list, and the order of keys is nothing. A call
    that is made twice is expected twice.

    Args:
        predicted: Column name or expression with replies, or with lists as `function_calls`
            gives them.
        expected: The same for the calls that are right; also a list of texts.
        possible: The expected calls are possible answers as those of the BFCL: each argument is
            a list of the values that are right, in which "" also says that the argument may be
            left out. Objects among these values give such lists for their members.

    Returns:
        Expression of Boolean. Null where either side is null or cannot be read.

    Raises:
        ColumnError: A column has the wrong type (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> replies = pl.Series("reply", ["[g(), f(x=1.0)]", "f(x=2)", "f(x="])
        >>> match = rs.text.calls_match(pl.lit(replies), pl.lit("f(x=1), g()"))
        >>> pl.select(match).to_series().to_list()
        [True, False, None]
        >>> answers = pl.lit('[{"f": {"x": [1, 2], "unit": ["c", ""]}}]')
        >>> match = rs.text.calls_match(pl.lit(replies), answers, possible=True)
        >>> pl.select(match).to_series().to_list()
        [False, True, None]
    """

    def compare(columns: Sequence[pl.Series]) -> pl.Series:
        made, wanted = (_calls_column(column) for column in columns)
        return pl.Series(_core.calls_match(made, wanted, possible)).alias(columns[0].name)

    return elementwise(compare, [predicted, expected], pl.Boolean())


def _calls_column(column: pl.Series) -> pl.Series:
    """Replies as they are; lists of calls as lists of JSON texts."""
    inner = getattr(column.dtype, "inner", None)
    if inner == pl.String:
        return column
    if isinstance(inner, pl.Struct) and {"name", "arguments"} <= set(inner.to_schema()):
        encoded = pl.element().struct.json_encode().fill_null("null")
        return column.list.eval(encoded)
    if inner is not None:
        raise ColumnError(
            f"calls_match: column {column.name!r} has type {column.dtype}; it must be text, or "
            "lists of text or of structs with the fields name and arguments"
        )
    return text_column("calls_match", column)
