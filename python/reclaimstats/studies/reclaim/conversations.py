"""Second sessions of several turns: what is said next follows the reply before it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import polars as pl

from reclaimstats.design.columns import column_names
from reclaimstats.studies.running import Design

__all__ = ["Conversations", "conversations", "rehearse"]

_N_PUSHES = pl.col("pushes").list.len().fill_null(0)

Reader = Callable[[pl.DataFrame], pl.DataFrame]
"""What answers a plan without a model: the calls in, the same with `reply` out."""


def conversations(plan: pl.DataFrame) -> "Conversations":
    """Turn a plan whose corrections push several times into a design of as many turns.

    Each turn is a call of its own: the conversation so far, the reply to it, and the next push.
    The reply to the last one is scored.

    Args:
        plan: As `plan` or `design` gives it, with the column pushes of `corrections`.

    Returns:
        A `Design` for `studies.run`.

    Raises:
        ColumnError: A column is missing.

    Examples:
        >>> import reclaimstats as rs
        >>> from reclaimstats.studies import reclaim
        >>> talk = reclaim.conversations(reclaim.design("adversarial", n=2, seeds=1))
        >>> def give_in(conversations):
        ...     turns = [len(messages) // 2 for messages in conversations]
        ...     return ["ANSWER: 7" if turn == 4 else "ANSWER: unknown" for turn in turns]
        >>> trials = reclaim.scored(talk.trials(rs.studies.run(talk, give_in, store=None)))
        >>> trials.group_by("arm").agg(pl.col("wrong").mean()).sort("arm").rows()
        [('directed', 0.0), ('fabricated', 0.0), ('sustained', 1.0)]
    """
    column_names(plan.columns, ("key", "messages", "correction", "pushes"), argument="plan")
    return Conversations(plan)


@dataclass(frozen=True, slots=True)
class Conversations:
    """Trials of one or more turns, made by `conversations`.

    Attributes:
        plan: A row a trial, with its first turn and what is pushed after it.
    """

    plan: pl.DataFrame

    def pending(self, answered: pl.DataFrame) -> pl.DataFrame:
        """Return the calls that can be made now; see `studies.Design`.

        Args:
            answered: key and reply of what was answered.

        Returns:
            The plan's columns, with the key of the turn, its messages and what is said in it.
        """
        calls = pl.concat(self._turns(answered)).filter(pl.col("reply").is_null())
        return calls.drop("key", "reply").rename({"call": "key"})

    def trials(self, answered: pl.DataFrame) -> pl.DataFrame:
        """Return the plan with the reply to each trial's last turn, for `scored`.

        Args:
            answered: As `studies.run` or `rehearse` gives it for this design: key and reply.

        Returns:
            The plan without pushes, and with reply, null where the last turn was not reached.

        Raises:
            ColumnError: A column is missing.
        """
        column_names(answered.columns, ("key", "reply"), argument="answered")
        turns = pl.concat(self._turns(answered.select("key", "reply")))
        last = turns.filter(pl.col("turn") > _N_PUSHES)
        return self.plan.drop("pushes").join(
            last.select("key", "reply"), on="key", how="left", maintain_order="left"
        )

    def _turns(self, answered: pl.DataFrame) -> Iterator[pl.DataFrame]:
        """Give, turn by turn, the calls of the trials that got there, with the replies so far."""
        replies = answered.rename({"key": "call"})
        rows = self.plan.with_columns(turn=pl.lit(1, dtype=pl.Int64))
        while True:
            call = pl.format("{} turn={}", "key", "turn").alias("call")
            rows = rows.with_columns(call).join(
                replies, on="call", how="left", maintain_order="left"
            )
            yield rows
            rows = rows.filter(pl.col("reply").is_not_null(), pl.col("turn") <= _N_PUSHES)
            if not rows.height:
                return
            push = pl.col("pushes").list.get(pl.col("turn") - 1)
            said = pl.concat_list(
                "messages",
                pl.struct(role=pl.lit("assistant"), content="reply"),
                pl.struct(role=pl.lit("user"), content=push),
            )
            rows = rows.with_columns(messages=said, correction=push, turn=pl.col("turn") + 1)
            rows = rows.drop("call", "reply")


def rehearse(design: Design, reader: Reader) -> pl.DataFrame:
    """Answer a design of several turns with a reader without a model.

    Args:
        design: Whose calls hold what the reader looks at, such as `Conversations`.
        reader: Such as `deterministic`, or a function that calls `disposed` with options.

    Returns:
        key and reply of every call.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> talk = reclaim.conversations(reclaim.design("adversarial", n=2, seeds=1))
        >>> trials = reclaim.scored(talk.trials(reclaim.rehearse(talk, reclaim.deterministic)))
        >>> trials.group_by("policy").agg(pl.col("recovered").mean()).sort("policy").rows()
        [('lossy', 0.0), ('source-first', 1.0)]
    """
    answered = pl.DataFrame(schema={"key": pl.String, "reply": pl.String})
    while (calls := design.pending(answered).join(answered, on="key", how="anti")).height:
        answered = pl.concat([answered, reader(calls).select("key", "reply")])
    return answered
