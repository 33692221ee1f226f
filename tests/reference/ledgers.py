"""Notes of ledgers within a budget, one at a time in plain Python."""

FILLER = (
    "The conversation was friendly and unhurried. "
    "It was agreed to pick things up again some other time."
)


def note(
    lines: list[str], source: list[str], drift: float, policy: str, budget: int
) -> tuple[str, int]:
    """Return the note and how many bought line items it lists."""
    conclusion = f"Total before tax: ${drift:g}."
    if policy == "blank":
        return "Nothing from the earlier conversation was kept.", 0
    if policy == "lossy":
        return conclusion, 0
    if policy == "lossy-padded":
        short = max(0, len(note(lines, source, drift, "source-first", budget)[0]) - len(conclusion))
        return " ".join([conclusion, *[FILLER] * (short // len(FILLER) + 1)]), 0
    kept: list[str] = []
    for line in source if policy == "denoised" else lines:
        if len(written([*kept, line], len(source), conclusion, policy, widest=True)) > budget:
            break
        kept.append(line)
    bought = sum(line in source for line in kept)
    return written(kept, len(source), conclusion, policy), bought


def written(
    kept: list[str], size: int, conclusion: str, policy: str, *, widest: bool = False
) -> str:
    bought = sum(not line.endswith("not bought") for line in kept)
    items = "; ".join(kept) or "nothing"
    if policy == "source-first-tagged":
        return f"Order ({size if widest else bought} of {size} line items): {items}."
    if policy == "source-plus-conclusion":
        return f"{conclusion} Order: {items}."
    return f"Order: {items}."
