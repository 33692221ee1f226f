"""What notes, corrections and questions say, and how sentences are put together."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from reclaimstats import _core
from reclaimstats.text._expression import elementwise, text_column

__all__ = [
    "BOOKED",
    "CLOCK",
    "CLUE",
    "CONCLUSION",
    "FILLER",
    "INSTRUCTION",
    "LINE_ITEM",
    "NOTED",
    "NOTHING",
    "PREMISE",
    "SAID",
    "SOLUTION",
    "TASK",
    "Wording",
    "number",
    "padded",
    "sentences",
    "worked_out",
]

NOTHING = "Nothing from the earlier conversation was kept."
FILLER = (
    "The conversation was friendly and unhurried. "
    "It was agreed to pick things up again some other time."
)
_ENDING = "End your reply with a line that starts with ANSWER: and gives {}, or says unknown."
_NEW = (
    "This is a new conversation. All that is left of the earlier one is the memory below. "
    f"{_ENDING}\n\nMemory: "
)
INSTRUCTION = _NEW.format("the number")
TASK = "What does the order cost before tax? "

NOTED = "An earlier note says that"

# What the reader can make out in a text.
CLUE = r"\b[A-Z][a-z]+ (?:stands before [A-Z][a-z]+|has the [a-z]+|does not have the [a-z]+)\b"
PREMISE = rf"{NOTED} [^.]*\."
LINE_ITEM = r"\b([0-9]{1,6}) [A-Za-z][A-Za-z -]* at \$([0-9]{1,6}) each\b"
BOOKED = r"\bConfirmed [a-z ]+: ([0-9]{2}:[0-9]{2})\."
SAID = r'The customer said: "([^"]*)"'
CLOCK = r"\b([0-9]{1,2}:[0-9]{2})\b"
SOLUTION = r"\bSolution: ([A-Z][a-z]+)\."
CONCLUSION = r"(?i)\btotal\b[^$.;\n]*\$([0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)"


@dataclass(frozen=True, slots=True)
class Wording:
    """How the problems of a kind are talked about; expressions over their columns.

    Attributes:
        request: What the first session was asked.
        given: The source as a sentence.
        conclusion: The wrong answer as a sentence.
        generic: A correction that says only that something is wrong.
        directed: One that names what is wrong, around its name.
        instruction: What opens the second session, up to the memory.
        ending: How to end a reply.
        task: The question, without what it is to be answered from.
        noun: What the answer is called.
        value: How an answer is written, around it.
        reads: Columns of the problems that these read.
        asks: Columns that instruction and task read.
    """

    request: str
    given: pl.Expr
    conclusion: pl.Expr
    generic: str
    directed: str
    instruction: pl.Expr
    ending: pl.Expr
    task: pl.Expr
    noun: str
    value: str
    reads: tuple[str, ...]
    asks: tuple[str, ...]

    def written(self, answer: str) -> pl.Expr:
        """Write the answer in a column as it is talked about."""
        column = pl.col(answer)
        return pl.format(self.value, number(column) if self.value.startswith("$") else column)

    @classmethod
    def of(cls, problems: pl.DataFrame) -> "Wording":
        """Return the wording of puzzles, which have options, of bookings, or that of orders."""
        if "options" in problems.columns:
            return _puzzles()
        return _bookings() if "slot" in problems.columns else _orders()


def _orders() -> Wording:
    return Wording(
        request="A customer asked what one order costs.",
        given=pl.format("Order: {}.", "source"),
        conclusion=pl.format("Total before tax: ${}.", number(pl.col("drift"))),
        generic="Something you carried over is wrong. Check it again and give the total.",
        directed="The subtotal for the {} is wrong. Work it out again and give the total.",
        instruction=pl.lit(INSTRUCTION),
        ending=pl.lit(_ENDING.format("the number")),
        task=pl.lit(TASK),
        noun="total",
        value="${}",
        reads=("source", "premise", "drift"),
        asks=(),
    )


def _puzzles() -> Wording:
    named = pl.col("options").list.join(", ")
    return Wording(
        request="Someone asked for the solution of a puzzle.",
        given=pl.format("Given: {}.", "source"),
        conclusion=pl.format("Solution: {}.", "drift"),
        generic="Something you carried over is wrong. Check it again and give the solution.",
        directed="What was noted about {} is wrong. Work it out again and give the solution.",
        instruction=pl.format(_NEW.format("one of {}"), named),
        ending=pl.format(_ENDING.format("one of {}"), named),
        task=pl.concat_str("asked", pl.lit(" ")),
        noun="solution",
        value="{}",
        reads=("source", "premise", "drift"),
        asks=("options", "asked"),
    )


def _bookings() -> Wording:
    return Wording(
        request="A customer made a booking.",
        given=pl.format('The customer said: "{}"', "source"),
        conclusion=pl.format("Confirmed {}: {}.", "locus", "drift"),
        generic="Something you carried over is wrong. Check it again and give the time.",
        directed="The {} is wrong. Check it again and give the right one.",
        instruction=pl.lit(_NEW.format("the time as HH:MM")),
        ending=pl.lit(_ENDING.format("the time as HH:MM")),
        task=pl.concat_str("asked", pl.lit(" ")),
        noun="time",
        value="{}",
        reads=("source", "premise", "locus", "drift"),
        asks=("slot", "asked"),
    )


def number(value: pl.Expr) -> pl.Expr:
    """Write a number, whole ones without a point."""
    return value.cast(pl.Float64).cast(pl.String).str.strip_suffix(".0")


def sentences(*pieces: pl.Expr) -> pl.Expr:
    """Join what is there."""
    return pl.concat_str(*pieces, separator=" ", ignore_nulls=True)


def padded(text: pl.Expr, other: pl.Expr) -> pl.Expr:
    """Put neutral filler behind a text, to at least the length of another.

    As a whole number of fillers, of which there is at least one, so that no sentence is cut.
    """
    shortfall = other.str.len_chars().cast(pl.Int64) - text.str.len_chars()
    fillers = shortfall.clip(lower_bound=0) // len(FILLER) + 1
    return sentences(text, pl.lit(FILLER).repeat_by(fillers).list.join(" "))


def worked_out(note: str | pl.Expr) -> pl.Expr:
    """Work out the total of the line items that a note lists: the recompute certificate.

    A row is a note. Line items are read in the ordinary ways to write them (`7 pens at $4 each`,
    `7 x $4`, `| pens | 7 | $4 |`; docs/notes-checks.md has the rules); a note whose total here is
    the truth can be corrected from its own text, whatever the model. Compare it with the truth,
    for example `(worked_out("note") - pl.col("truth")).abs() < 0.006`.

    Args:
        note: Column name or expression with the notes.

    Returns:
        Expression of Float64, null where the note lists nothing, or what contradicts itself.

    Examples:
        >>> import polars as pl
        >>> from reclaimstats.studies import reclaim
        >>> notes = pl.DataFrame({"note": ["Order: 7 pens at $4 each; 2 jars at $9 each.", "$46"]})
        >>> notes.select(reclaim.worked_out("note"))["note"].to_list()
        [46.0, None]
    """

    def add_up(columns: Sequence[pl.Series]) -> pl.Series:
        notes = text_column("worked_out", columns[0])
        return pl.Series(_core.worked_out(notes)).alias(notes.name)

    return elementwise(add_up, [note], pl.Float64())
