"""What notes, corrections and questions say, and how sentences are put together."""

import polars as pl

__all__ = [
    "CONCLUSION",
    "DIRECTED",
    "FILLER",
    "GENERIC",
    "INSTRUCTION",
    "LINE_ITEM",
    "NOTHING",
    "REQUEST",
    "TASK",
    "number",
    "sentences",
]

REQUEST = "A customer asked what one order costs."
NOTHING = "Nothing from the earlier conversation was kept."
FILLER = (
    "The conversation was friendly and unhurried. "
    "It was agreed to pick things up again some other time."
)
GENERIC = "Something you carried over is wrong. Check it again and give the total."
DIRECTED = "The subtotal for the {} is wrong. Work it out again and give the total."
INSTRUCTION = (
    "This is a new conversation. All that is left of the earlier one is the memory below. End "
    "your reply with a line that starts with ANSWER: and gives the number, or says unknown.\n\n"
    "Memory: "
)
TASK = "What does the order cost before tax? "

# What the reader can make out in a text.
LINE_ITEM = r"\b([0-9]{1,6}) [A-Za-z][A-Za-z -]* at \$([0-9]{1,6}) each\b"
CONCLUSION = r"(?i)\btotal\b[^$.;\n]*\$([0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)"


def number(value: pl.Expr) -> pl.Expr:
    """Write a number, whole ones without a point."""
    return value.cast(pl.Float64).cast(pl.String).str.strip_suffix(".0")


def sentences(*pieces: pl.Expr) -> pl.Expr:
    """Join what is there."""
    return pl.concat_str(*pieces, separator=" ", ignore_nulls=True)
