"""Verdicts on which of two models was better, counted by who was shown first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats.counting import Kinds
from reclaimstats.design.cells import grouped, keys_at
from reclaimstats.design.clusters import keyed, refuse_nulls
from reclaimstats.design.columns import as_lazy, column_names, expression, listed, not_results
from reclaimstats.design.names import INVALID, ITEM, MISSING, PREFIX, N
from reclaimstats.errors import ColumnError, DesignError

__all__ = [
    "ALIKE",
    "MOVED",
    "VERDICTS",
    "Judgements",
]

_WINNER = f"{PREFIX}winner"
_FIRST = f"{PREFIX}first"
_GROUP = f"{PREFIX}group."
_SIDES = (f"{PREFIX}a", f"{PREFIX}b")
_CELL = f"{PREFIX}cell"
_VERDICT = f"{PREFIX}verdict"
_WORD = f"{PREFIX}word"
ALIKE = f"{PREFIX}alike"
# Shown first, then who was said to be better.
_JUDGED = tuple(f"{_VERDICT}.{shown}.{word}" for shown in ("a", "b") for word in ("a", "b", "tie"))
# In the order in which the core takes them: shown first, then second.
VERDICTS = tuple(
    f"{_VERDICT}.{place}.{word}" for place in (True, False) for word in ("win", "loss", "tie")
)
MOVED = tuple(
    f"{PREFIX}moved.{what}" for what in ("first", "second", "both", "repeated", "consistent")
)


@dataclass(frozen=True, slots=True)
class Judgements:
    """Pairwise judgements, of which each says which of two models was better, counted.

    Attributes:
        cells: The cells, sorted by their columns: `n_missing` judgements, `ties`, and of the items
            judged in both orders how many there are, how many have one verdict, and how many went
            with either place, as `MOVED`.
        rows: The `VERDICTS` on the model per cell and kind of cluster, sorted, and how many
            clusters are `ALIKE`.
        by: Columns that tell cells apart, `model` and `opponent` last.
        clustered: Whether there are clusters.
    """

    cells: pl.DataFrame
    rows: pl.DataFrame
    by: list[str]
    clustered: bool

    @classmethod
    def of(
        cls,
        judgements: Any,
        winner: str | pl.Expr,
        *,
        models: Sequence[str],
        first: str | pl.Expr | None,
        item: str | Sequence[str] | None,
        by: str | Sequence[str] | None,
        cluster: str | Sequence[str] | None,
        per: str,
        ties: str,
        result_columns: Sequence[str],
    ) -> "Judgements":
        """Check columns and values, and count. This reads the judgements once.

        Args:
            judgements: See `as_lazy`.
            winner: Name or expression of the verdict: "a", "b" (or the names of the columns of
                `models`) or "tie".
            models: The two columns of models' names, of model a and model b.
            first: Name or expression of who was shown first: "a" or "b"; nothing is "a" always.
            item: Columns that tell apart what was judged.
            by: Columns that tell cells apart.
            cluster: Columns that tell clusters apart, holding whole items.
            per: "pair" or "model": what a cell is of.
            ties: "half", or "drop" to leave them out.
            result_columns: Names that `by` must leave to the result.

        Raises:
            ColumnError: A column is missing, or a verdict or an order is none of the words.
            DesignError: A model, item or cluster is null, an item lies in several clusters, or a
                model meets itself.
        """
        frame = as_lazy(judgements)
        sides, cells, items, clusters = listed(models), listed(by), listed(item), listed(cluster)
        if len(sides) != 2:
            raise ColumnError(f"models must be two columns, of model a and b; received {models!r}")
        schema = frame.collect_schema()
        verdict = expression(schema, winner, argument="winner")
        order = pl.lit("a") if first is None else expression(schema, first, argument="first")
        for argument, names in {
            "models": sides,
            "by": cells,
            "item": items,
            "cluster": clusters,
        }.items():
            column_names(schema, names, argument=argument)
        not_results(cells, result_columns)
        frame = keyed(frame, [*sides, *items, *clusters])
        inner = {f"{ITEM}{name}": pl.col(name) for name in items}
        groups = {f"{_GROUP}{name}": pl.col(name) for name in clusters} or inner
        # Chatbot Arena names a side by its column.
        words = ["a", "b", "tie"]
        own_names = {side: words[at] for at, side in enumerate(sides) if side not in words}
        said = frame.with_columns(
            verdict.cast(pl.String).replace(own_names).alias(_WINNER),
            order.cast(pl.String).replace(own_names).alias(_FIRST),
        )
        kinds = [*cells, *_SIDES, *(inner | groups)]
        pair = zip(_SIDES, sides, strict=True)
        sides_named = {own: pl.col(side).cast(pl.String) for own, side in pair}
        engine: Any = "streaming" if isinstance(judgements, pl.LazyFrame) else "auto"
        table = _counted(
            said.select(*cells, **sides_named, **(inner | groups), **{_WORD: _judged()}),
            kinds,
            [*_JUDGED, MISSING, INVALID],
            engine,
        )
        if table[INVALID].sum():
            cls._refuse_words(said.select(_WINNER, _FIRST).unique().collect(engine=engine))
        cls._refuse(table, cells, sides, inner, groups)
        keys = [*cells, "model", *(["opponent"] if per == "pair" else [])]
        faced = list(dict.fromkeys([*keys, "opponent"]))
        # Items with the same verdicts are as one, where nothing is to be added up over items.
        as_one = per == "pair" and groups is inner and _one_way(table)
        if as_one:
            table = _alike(table, [*cells, *_SIDES, *_JUDGED, MISSING])
        else:
            table = table.with_columns(pl.lit(1, pl.UInt64).alias(ALIKE))
            faced = [*faced, *(inner | groups)]
        seen = _faced(table, faced, swapped=per == "model")
        tied = [name for name in VERDICTS if name.endswith("tie")]
        times = pl.col(ALIKE)
        totals = grouped(
            seen.lazy(),
            keys,
            [
                (pl.col(MISSING) * times).sum().cast(pl.Int64).alias("n_missing"),
                (pl.sum_horizontal(tied) * times).sum().cast(pl.Int64).alias("ties"),
            ],
        ).collect()
        if ties == "drop":
            seen = seen.with_columns(pl.lit(0, pl.UInt64).alias(name) for name in tied)
        whole = seen.drop(MISSING).filter(pl.any_horizontal(pl.col(VERDICTS) > 0))
        moved = whole.group_by(keys).agg(_moved() if items else [])
        place_of = totals.select(keys).with_row_index(_CELL)
        apart = [*keys, *groups]
        if not as_one:
            if not set(whole.columns) <= {*apart, *VERDICTS, ALIKE}:
                whole = whole.group_by(apart).agg(pl.col(VERDICTS).sum())
            whole = _alike(whole, [*keys, *VERDICTS])
        rows = whole.join(place_of, on=keys, how="left", nulls_equal=True).sort(_CELL)
        return cls(cells=_beside(totals, moved, keys), rows=rows, by=keys, clustered=bool(groups))

    @staticmethod
    def _refuse_words(said: pl.DataFrame) -> None:
        """Raise if a verdict or an order is none of the words."""
        for column, argument, words in (
            (_WINNER, "winner", ["a", "b", "tie"]),
            (_FIRST, "first", ["a", "b"]),
        ):
            strange = said.filter(~pl.col(column).is_in(words))[column].unique().sort()
            if len(strange):
                raise ColumnError(
                    f"{argument} must be {', '.join(map(repr, words))} or null; there is "
                    f"{', '.join(map(repr, strange.head(3)))}. Replace those, for example with "
                    f"pl.col({argument!r}).replace({{'left': 'a', 'right': 'b'}})"
                )

    @staticmethod
    def _refuse(
        table: pl.DataFrame,
        cells: list[str],
        sides: list[str],
        inner: Mapping[str, Any],
        groups: Mapping[str, Any],
    ) -> None:
        """Raise if a model or a key is not what it must be."""
        named_keys = dict.fromkeys(groups, "cluster") | dict.fromkeys(inner, "item")
        refuse_nulls(
            table.with_columns(_side_names(sides)), named_keys | dict.fromkeys(sides, "models")
        )
        own = table.filter(pl.col(_SIDES[0]) == pl.col(_SIDES[1]))
        if own.height:
            raise DesignError(
                f"{own[N].sum()} judgements are of a model with itself, such as "
                f"{own[_SIDES[0]].sort()[0]!r}; filter them out"
            )
        keys = pl.col(list(dict.fromkeys([*cells, *inner, *groups])))
        split = (
            table.select(keys).unique().group_by([*cells, *inner]).len(N)
            if inner and groups != inner
            else table.clear()
        )
        if several := split.filter(pl.col(N) > 1).height:
            raise DesignError(
                f"{several} items lie in more than one cluster; a cluster must hold whole items: "
                "add the column that tells them apart to item"
            )


def _counted(
    frame: pl.LazyFrame, keys: list[str], words: Sequence[str], engine: Any
) -> pl.DataFrame:
    """Count rows of equal keys, as `N`, and by what they say: `_WORD`, a place among `words`."""
    if engine == "streaming":
        parts = [(pl.col(_WORD) == place).sum().cast(pl.UInt64) for place in range(len(words))]
        named = [part.alias(word) for part, word in zip(parts, words, strict=True)]
        table = frame.group_by(keys).agg(named).collect(engine=engine)
    else:
        rows = frame.collect(engine="in-memory")
        found = Kinds.of(rows.select(keys), rows[_WORD], len(words))
        counts = zip(words, found.counts, strict=True)
        table = keys_at(rows, keys, found.rows).with_columns(**dict(counts))
    return table.with_columns(pl.sum_horizontal(words).alias(N))


def _judged() -> pl.Expr:
    """Tell judgements apart by their place among `_JUDGED`; 6 if it is missing, 7 if it is none."""
    label, place = pl.col(_WINNER), pl.col(_FIRST)
    zero, one, two, three, six, seven = (pl.lit(number, pl.UInt8) for number in (0, 1, 2, 3, 6, 7))
    shown = pl.when(place == "a").then(zero).when(place == "b").then(three)
    said = pl.when(label == "a").then(zero).when(label == "b").then(one)
    said = said.when(label == "tie").then(two)
    other = pl.when(label.is_null() | place.is_null()).then(six).otherwise(seven)
    return (shown + said).fill_null(other)


def _one_way(table: pl.DataFrame) -> bool:
    """Whether no two models are named in either order."""
    is_a = pl.col(_SIDES[0]) < pl.col(_SIDES[1])
    return int(table.select(is_a.n_unique()).item()) < 2


def _alike(table: pl.DataFrame, columns: list[str]) -> pl.DataFrame:
    """Return rows that differ in these columns, and how many there are of each as `ALIKE`."""
    found = Kinds.of(table.select(columns))
    rows = keys_at(table, columns, found.rows)
    return rows.with_columns(found.counts[0].alias(ALIKE))


def _side_names(sides: list[str]) -> list[pl.Expr]:
    """Both columns of models under the names that a user knows."""
    return [pl.col(column).alias(name) for column, name in zip(_SIDES, sides, strict=True)]


def _faced(table: pl.DataFrame, keys: list[str], *, swapped: bool) -> pl.DataFrame:
    """Judgements as seen by a model: its `VERDICTS`, and those that are `MISSING`.

    Each once, by the model whose name comes first; or twice, by both.
    """
    a, b = (pl.col(side) for side in _SIDES)
    is_a = a < b

    def seen(own: pl.Expr) -> pl.DataFrame:
        def verdict(first: bool, word: str) -> pl.Expr:
            of_a, of_b = ("a", "b") if first else ("b", "a")
            won_a, won_b = {"win": ("a", "b"), "loss": ("b", "a"), "tie": ("tie", "tie")}[word]
            as_a, as_b = f"{_VERDICT}.{of_a}.{won_a}", f"{_VERDICT}.{of_b}.{won_b}"
            return pl.when(own).then(as_a).otherwise(as_b)

        faced = table.with_columns(
            pl.when(own).then(a).otherwise(b).alias("model"),
            pl.when(own).then(b).otherwise(a).alias("opponent"),
            *(
                verdict(first, word).alias(f"{_VERDICT}.{first}.{word}")
                for first in (True, False)
                for word in ("win", "loss", "tie")
            ),
        )
        return faced.select(*keys, MISSING, *VERDICTS, ALIKE)

    rows = pl.concat([seen(is_a), seen(~is_a)]) if swapped else seen(is_a)
    if _one_way(table):
        return rows
    return rows.group_by(keys).agg(pl.col(MISSING, *VERDICTS).sum(), pl.col(ALIKE).first())


def _moved() -> list[pl.Expr]:
    """Count items judged in both orders, by what the place did to the verdict."""
    (win, loss, tie), (win_second, loss_second, tie_second) = (
        [pl.col(f"{_VERDICT}.{place}.{word}").cast(pl.Int64) for word in ("win", "loss", "tie")]
        for place in (True, False)
    )
    shown, shown_second = win + loss + tie, win_second + loss_second + tie_second
    both = (shown > 0) & (shown_second > 0)
    # Halves of wins per judgement, over a common denominator.
    gain = (2 * win + tie) * shown_second - (2 * win_second + tie_second) * shown
    verdicts = [win + win_second, loss + loss_second, tie + tie_second]
    kinds = pl.sum_horizontal((verdict > 0).cast(pl.Int64) for verdict in verdicts)
    parts = [
        both & (gain > 0),
        both & (gain < 0),
        both,
        shown + shown_second > 1,
        both & (kinds == 1),
    ]
    times = pl.col(ALIKE)
    return [(part * times).sum().alias(name) for part, name in zip(parts, MOVED, strict=True)]


def _beside(totals: pl.DataFrame, moved: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Put the `MOVED` beside the cells, zero where there are none."""
    absent = [pl.lit(0, pl.UInt64).alias(name) for name in MOVED if name not in moved.columns]
    table = totals.join(
        moved.with_columns(absent), on=keys, how="left", nulls_equal=True, maintain_order="left"
    )
    return table.with_columns(pl.col(MOVED).fill_null(0))
