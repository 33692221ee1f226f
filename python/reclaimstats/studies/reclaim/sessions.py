"""The first session: a wrong figure is taken over, and used again and again."""

from collections.abc import Sequence

import polars as pl

from reclaimstats.options import integer
from reclaimstats.studies.reclaim.frames import each_once, problems_with
from reclaimstats.studies.reclaim.wording import Wording

__all__ = ["DEPTHS", "sessions", "transcript"]

DEPTHS = (1, 2, 4, 8)

_MESSAGE = pl.Struct({"role": pl.String, "content": pl.String})
# None of these asks for the figure to be worked out again.
_FOLLOW_UPS = (
    "Good. Please keep that for the summary.",
    "I will pass it on as it is. What should I write down?",
    "And what do we tell the others?",
    "Please put it in one sentence.",
    "What goes into the file?",
    "I have it open here. What was it again?",
    "What do I read out at the meeting?",
)
_ASIDES = (
    ("By the way, is it raining where you are?", "I cannot see the weather from here."),
    ("Which word is longer, river or bridge?", "Bridge has six letters, river has five."),
    ("Name a colour.", "Green."),
    ("What comes after Tuesday?", "Wednesday."),
)


def sessions(
    problems: pl.DataFrame, *, depths: Sequence[int] = DEPTHS, asides: Sequence[int] = (0,)
) -> pl.DataFrame:
    """Write each problem's first session, in which a planted premise leads to a wrong answer.

    A row is a session. The user states the problem and the premise, the assistant commits to the
    answer that follows from it. At a depth of two and more, neutral turns have the answer repeated
    without its being worked out again; asides are turns about other things, behind them.

    Args:
        problems: As `problems`, `ledgers` or `puzzles` gives them.
        depths: How often the assistant commits, each from 1 to 8.
        asides: How many turns about other things follow, each from 0 to 100.

    Returns:
        pid, depth (Int64), asides (Int64), session (List[Struct] of role and content); in the
        order of `depths`, then of `asides`, then of the problems.

    Raises:
        ColumnError: A column is missing or holds a null.
        OptionError: A number is out of range or given twice.
        DesignError: A pid stands twice.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> (session,) = reclaim.sessions(reclaim.problems(1), depths=[2])["session"].to_list()
        >>> [message["content"] for message in session[1:3]]
        ['Total before tax: $117.', 'Good. Please keep that for the summary.']
    """
    wording = Wording.of(problems)
    asked = problems_with(problems, ("question", *wording.reads))
    each_once("depths", depths)
    each_once("asides", asides)
    for depth in depths:
        integer("depths", depth, least=1, most=len(_FOLLOW_UPS) + 1)
    for count in asides:
        integer("asides", count, least=0, most=100)

    def turn(role: str, content: pl.Expr) -> pl.Expr:
        return pl.struct(role=pl.lit(role), content=content).cast(_MESSAGE)

    parts = []
    for depth in depths:
        for count in asides:
            opening = pl.concat_str("question", pl.lit(" "), "premise")
            turns = [turn("user", opening), turn("assistant", wording.conclusion)]
            for follow_up in _FOLLOW_UPS[: depth - 1]:
                turns += [turn("user", pl.lit(follow_up)), turn("assistant", wording.conclusion)]
            for number in range(count):
                said, answered = _ASIDES[number % len(_ASIDES)]
                turns += [turn("user", pl.lit(said)), turn("assistant", pl.lit(answered))]
            parts.append(
                asked.select(
                    "pid",
                    depth=pl.lit(depth, dtype=pl.Int64),
                    asides=pl.lit(count, dtype=pl.Int64),
                    session=pl.concat_arr(turns).arr.to_list(),
                )
            )
    return pl.concat(parts)


def transcript(session: pl.Expr) -> pl.Expr:
    """Write a session as text, a line a message.

    Args:
        session: Lists of structs of role and content.
    """
    said = pl.format(
        "{}: {}", pl.element().struct.field("role"), pl.element().struct.field("content")
    )
    return session.list.eval(said).list.join("\n")
