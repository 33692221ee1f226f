"""Importing this checks that the compiled core is the one that the package was written for.

In a checkout the modules are those of the sources and the core is that of the last build. One
version spans many changes, so that the core also says which sources its interface was built from.
"""

import importlib
import zlib
from pathlib import Path
from typing import Any

__all__ = ["VERSION"]

VERSION = "0.1.0"
_HERE = Path(__file__).parent
_BINDING = _HERE.parents[1] / "rust" / "py" / "src"


def _check() -> None:
    in_checkout = _BINDING.is_dir()
    remedy = "build it: make .venv/built" if in_checkout else "install the package again"
    try:
        core: Any = importlib.import_module("reclaimstats._core")
    except ModuleNotFoundError as error:
        if error.name != "reclaimstats._core":
            raise
        raise ImportError(f"reclaimstats has no compiled core in {_HERE}; {remedy}") from None
    if core.__version__ != VERSION:
        raise ImportError(
            f"reclaimstats is version {VERSION}, but its compiled core {core.__file__} is version "
            f"{core.__version__}; {remedy}"
        )
    # A core from before it told has no such name.
    if in_checkout and getattr(core, "BINDING", None) != _sum_of_sources():
        raise ImportError(
            f"the compiled core of reclaimstats, {core.__file__}, was built from other sources "
            f"than {_BINDING}; {remedy}"
        )


def _sum_of_sources() -> str:
    """Add the checksums of the binding's sources and its stub, as `rust/py/build.rs` does."""
    files = [*_BINDING.rglob("*.rs"), _HERE / "_core.pyi"]
    return f"{sum(zlib.crc32(file.read_bytes()) for file in files) % 2**32:08x}"


_check()
