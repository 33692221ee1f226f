"""Plots as SVG text: curves of an estimate with bands, of any result that has an interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import polars as pl

from reclaimstats.design.columns import column_names, listed
from reclaimstats.errors import ColumnError

__all__ = ["curves"]

_WIDTH, _HEIGHT = 640, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 168, 36, 48
# Told apart without full colour vision too.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_ROOM = 26.0  # between numbers of the horizontal axis
_NAME = "reclaimstats.name"
_DASHES = ("none", "7 5", "2 4")
_LEGEND_HEIGHT = 17

_Style = tuple[str, str]


def curves(
    cells: pl.DataFrame,
    x: str,
    *,
    by: str | Sequence[str] | None = None,
    estimate: str = "estimate",
    title: str = "",
) -> str:
    """Draw an estimate with its interval against a number, a curve for each level of `by`.

    A row is a cell, as `rate` and `compare` give them. A cell without an estimate is left out,
    and so is the band where there is no interval.

    Args:
        cells: A result with the columns named, and `low` and `high`.
        x: Column of numbers for the horizontal axis.
        by: Columns that tell curves apart.
        estimate: Column of the estimates: "estimate", or "difference" of a comparison.
        title: What stands above.

    Returns:
        An SVG document. The vertical axis goes from 0 to 1, or as far as differences go.

    Raises:
        ColumnError: A column is missing, or not of numbers.

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> cells = pl.DataFrame({"size": [2, 4], "estimate": [1.0, 0.2], "low": [0.9, 0.1],
        ...                       "high": [1.0, 0.4]})
        >>> rs.plots.curves(cells, "size")[:4]
        '<svg'

    References:
        Colours: Okabe and Ito (2008), "Color Universal Design".
    """
    groups = listed(by)
    column_names(cells.columns, [x, *groups, estimate, "low", "high"], argument="cells")
    for column in (x, estimate, "low", "high"):
        if not cells[column].dtype.is_numeric():
            raise ColumnError(f"{column} must be numbers to be drawn; it is {cells[column].dtype}")
    rows = cells.filter(pl.col(x).is_not_null(), pl.col(estimate).is_not_null()).with_columns(
        pl.concat_str(pl.lit(""), *groups, separator=" ").str.strip_prefix(" ").alias(_NAME)
    )
    frame = _Frame.around(rows, x, estimate)
    parts = frame.axes(x, estimate, title)
    for number, name in enumerate(rows[_NAME].unique(maintain_order=True)):
        curve = rows.filter(pl.col(_NAME) == name).sort(x)
        # A dashed line on top of a solid one shows both, where curves coincide.
        style = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
        parts += frame.curve(curve, x, estimate, style)
        parts += _legend(number, name, style)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="12">\n'
        f"<title>{escape(title or estimate)}</title>\n"
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>\n{body}\n</svg>\n'
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where numbers lie on the page."""

    left: float
    right: float
    bottom: float
    top: float
    ticks: list[float]

    @classmethod
    def around(cls, rows: pl.DataFrame, x: str, estimate: str) -> "_Frame":
        places = sorted(float(value) for value in rows[x].unique()) or [0.0]
        values = pl.concat([rows[name].cast(pl.Float64) for name in (estimate, "low", "high")])
        least, most = (float(value or 0.0) for value in (values.min(), values.max()))  # type: ignore[arg-type]
        bottom = 0.0 if least >= 0 else -1.0 if least < -0.5 else -0.5
        top = 1.0 if most > 0.5 or bottom == 0 else 0.5
        pad = (places[-1] - places[0]) * 0.02 or 0.5
        return cls(places[0] - pad, places[-1] + pad, min(bottom, least), max(top, most), places)

    def x(self, value: float) -> float:
        share = (value - self.left) / (self.right - self.left)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        share = (value - self.bottom) / (self.top - self.bottom)
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)

    def axes(self, x: str, estimate: str, title: str) -> list[str]:
        """Lines and numbers; those of the horizontal axis where they have room."""
        parts = [_text(_LEFT, 22, title, "start", weight="bold")] if title else []
        for step in range(5):
            value = self.bottom + (self.top - self.bottom) * step / 4
            height = self.y(value)
            parts.append(
                f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{height:.1f}" y2="{height:.1f}" '
                'stroke="#ddd"/>'
            )
            parts.append(_text(_LEFT - 6, height + 4, f"{value:g}", "end"))
        last = -_ROOM
        for value in self.ticks:
            if self.x(value) - last >= _ROOM:
                last = self.x(value)
                parts.append(_text(last, _HEIGHT - _BOTTOM + 18, f"{value:g}", "middle"))
        middle = (_LEFT + _WIDTH - _RIGHT) / 2
        parts.append(_text(middle, _HEIGHT - 10, x, "middle"))
        parts.append(
            f'<g transform="translate(14 {(_TOP + _HEIGHT - _BOTTOM) / 2}) rotate(-90)">'
            f"{_text(0, 0, estimate, 'middle')}</g>"
        )
        return parts

    def curve(self, rows: pl.DataFrame, x: str, estimate: str, style: _Style) -> list[str]:
        """A band where there are intervals, a line and its points."""
        colour, dash = style
        points = [(self.x(a), self.y(b)) for a, b in rows.select(x, estimate).iter_rows()]
        limits = rows.drop_nulls(["low", "high"]).select(x, "low", "high").rows()
        band = [(self.x(a), self.y(high)) for a, _, high in limits]
        band += [(self.x(a), self.y(low)) for a, low, _ in reversed(limits)]
        return [
            f'<polygon points="{_points(band)}" fill="{colour}" fill-opacity="0.12"/>',
            f'<polyline points="{_points(points)}" fill="none" {_stroke(colour, dash)}/>',
            *(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points),
        ]


def _stroke(colour: str, dash: str) -> str:
    return f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'


def _points(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in points)


def _text(x: float, y: float, text: str, anchor: str, **style: str) -> str:
    attributes = "".join(f' font-{name}="{value}"' for name, value in style.items())
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{attributes}>{escape(text)}</text>'


def _legend(number: int, name: str, style: _Style) -> list[str]:
    left, height = _WIDTH - _RIGHT + 10, _TOP + 6 + number * _LEGEND_HEIGHT
    colour, dash = style
    return [
        f'<line x1="{left}" x2="{left + 24}" y1="{height}" y2="{height}" {_stroke(colour, dash)}/>',
        _text(left + 30, height + 4, name, "start"),
    ]
