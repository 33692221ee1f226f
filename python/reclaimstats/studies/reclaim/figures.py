"""The study's curves: reclaim rate against whatever the design varies."""

import polars as pl

from reclaimstats.plots import curves
from reclaimstats.studies.reclaim.tables import design_of, tables

__all__ = ["figures"]

_AXES = {
    "depth": "commitment depth",
    "asides": "turns in between",
    "integrity": "memory integrity",
    "n_items": "line items",
    "n_decoys": "decoys",
}


def figures(trials: pl.DataFrame, *, confidence_level: float = 0.95) -> dict[str, str]:
    """Draw the reclaim rate of each policy, with bands, against each number that the design varies.

    Args:
        trials: As `scored` gives them.
        confidence_level: Of the bands.

    Returns:
        SVG documents by name, such as `integrity-directed`: the number on the horizontal axis,
        and the levels of what else the design varies, but for policy and budget, which tell
        curves apart. None where the design varies no number.

    Raises:
        ColumnError: A column is missing or of the wrong type.
        OptionError: The level is out of range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> trials = reclaim.scored(reclaim.deterministic(reclaim.design("wall", n=4)))
        >>> list(reclaim.figures(trials))
        ['integrity-directed', 'integrity-generic']
    """
    cells = tables(trials, confidence_level=confidence_level)["reclaim"]
    varied = [name for name in design_of(trials) if cells[name].n_unique() > 1]
    drawn = {}
    for x in (name for name in _AXES if name in varied):
        curve = [name for name in ("policy", "budget") if name in varied]
        others = [name for name in varied if name not in (x, *curve)]
        parts = cells.partition_by(others, as_dict=True) if others else {(): cells}
        for levels, part in sorted(parts.items(), key=str):
            name = "-".join([x, *map(str, levels)])
            title = f"Reclaim rate by {', '.join([_AXES[x], *map(str, levels)])}"
            drawn[name] = curves(part, x, by=curve, title=title)
    return drawn
