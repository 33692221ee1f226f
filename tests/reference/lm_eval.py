"""The number filters of lm-evaluation-harness, by the regular expressions that its tasks name."""

import re


def strict(reply: str) -> str | None:
    found = re.findall(r"#### (\-?[0-9\.\,]+)", reply)
    return found[0] if found else None


def flexible(reply: str) -> str | None:
    found = re.findall(r"(-?[$0-9.,]{2,})|(-?[0-9]+)", reply)
    return next(part for part in found[-1] if part) if found else None


def compared(found: str) -> str:
    """The text that its exact match compares."""
    for ignored in (",", r"\$", r"\.$"):
        found = re.sub(ignored, "", found)
    return found


def value(found: str | None) -> float | None:
    text = compared(found or "")
    return float(text) if re.fullmatch(r"-?\d*\.?\d+", text) else None
