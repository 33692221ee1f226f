"""What a long call says while it lasts: one line on standard error, written over."""

import contextlib
import sys
import time
from dataclasses import dataclass, field

__all__ = ["EVERY", "Call", "Line", "duration"]

EVERY = 0.2
"""Seconds after which a line is written anew."""


@dataclass(slots=True)
class Line:
    """A line on standard error that is written anew."""

    shown: bool
    _last: float = 0.0
    _width: int = 0

    @property
    def due(self) -> bool:
        """Whether the line is shown, and the last one old enough."""
        return self.shown and time.monotonic() - self._last >= EVERY

    def write(self, text: str) -> None:
        """Write over what was there."""
        if self.shown:
            self._last = time.monotonic()
            print("\r" + text.ljust(self._width), end="", file=sys.stderr, flush=True)
            self._width = len(text)

    def end(self) -> None:
        """Leave the line where it is."""
        if self.shown:
            print(file=sys.stderr, flush=True)


@dataclass(slots=True)
class Call:
    """The progress of a call into the core, where standard error is a terminal.

    A terminal that is gone is no reason to end the call.
    """

    _line: Line = field(default_factory=lambda: Line(shown=_at_a_terminal()))

    def show(self, begun: int, cells: int, draws: int, seconds: float) -> None:
        """Say which of the cells it is at, and how many resamples it has drawn."""
        if self._line.due:
            parts = [f"cell {begun:,} of {cells:,}"] if cells else []
            parts += [f"{draws:,} resamples drawn"] if draws else []
            with contextlib.suppress(OSError, ValueError):
                self._line.write(", ".join([*parts, duration(seconds)]))

    def end(self) -> None:
        """Leave the last line where it is."""
        with contextlib.suppress(OSError, ValueError):
            self._line.end()


def _at_a_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, OSError, ValueError):
        return False


def duration(seconds: float) -> str:
    """Return a length of time as it is said."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
