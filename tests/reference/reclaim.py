"""Notes and reader of the reclaim study, one row at a time in plain Python."""

import re

MASK = (1 << 64) - 1
KNUTH = 6364136223846793005
FILLER = (
    "The conversation was friendly and unhurried. "
    "It was agreed to pick things up again some other time."
)
LINE_ITEM = re.compile(r"\b([0-9]{1,6}) [A-Za-z][A-Za-z -]* at \$([0-9]{1,6}) each\b")
CONCLUSION = re.compile(r"\btotal\b[^$.;\n]*\$([0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)", re.IGNORECASE)


def note(source: str, premise: str, drift: float, policy: str, integrity: float) -> str:
    request = ["A customer asked what one order costs."] if integrity >= 0.8 else []
    planted = [premise] if integrity >= 0.2 else []
    items = [f"Order: {source}."]
    conclusion = [f"Total before tax: ${drift:g}."]
    if policy == "blank":
        return "Nothing from the earlier conversation was kept."
    if integrity >= 0.5:
        lossy = [*conclusion, *planted, *items, *request]
        source_first = [*items, *request, *planted, *conclusion]
    else:
        lossy = [*conclusion, *planted, *request]
        source_first = [*items, *request, *planted]
    if policy == "source-first":
        return " ".join(source_first)
    text = " ".join(lossy)
    if policy == "lossy-padded":
        short = max(0, len(" ".join(source_first)) - len(text))
        while True:
            text += " " + FILLER
            short -= len(FILLER)
            if short < 0:
                break
    return text


def reply(pid: str, seed: int, note: str, correction: str, *, slip: float, reader_seed: int) -> str:
    items = list(dict.fromkeys(match.group() for match in LINE_ITEM.finditer(note)))
    stored = CONCLUSION.search(note)
    directed = re.search(r"\bsubtotal\b", correction, re.IGNORECASE) is not None
    problem_lot = scatter(text_key(pid) + reader_seed * KNUTH)
    before_amount = note.partition("$")[0]
    lot = scatter(
        problem_lot
        + seed * power(2)
        + len(note.encode()) * power(3)
        + (len(before_amount.encode()) if "$" in note else 0) * power(4)
        + directed * power(5)
    )
    dress = lot % 2048 // 4

    if len(items) >= 2 and (directed or not stored):
        total = 0
        for item in items:
            quantity, price = LINE_ITEM.fullmatch(item).groups()
            total += int(quantity) * int(price)
        luck = lot if lot % 2 else problem_lot
        if luck >> 11 < int(slip * 2**53):
            total += 1 if lot & 2 else -1
        opening = f"Starting again from {' and '.join(items)}, the order comes to ${total}."
        return f"{opening}\n{answer_line(str(total), dress)}"
    if stored:
        opening = f"The total on record is ${stored.group(1)}, and the memory gives no reason"
        return f"{opening} to change it.\n{answer_line(stored.group(1), dress)}"
    lines = (
        "ANSWER: unknown",
        "**ANSWER:** cannot be determined",
        "ANSWER: **not recoverable**",
    )
    opening = "The memory holds neither all of the line items nor a total."
    return f"{opening}\n{lines[dress % 3]}"


def answer_line(value: str, dress: int) -> str:
    return (
        f"ANSWER: {value}",
        f"ANSWER: ${value}",
        f"**ANSWER:** ${value}",
        f"ANSWER: **${value}**",
        f"**ANSWER: {value}**",
        f"Answer: `{value}`",
    )[dress % 6]


def scatter(x: int) -> int:
    x &= MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def power(k: int) -> int:
    return pow(KNUTH, k, 1 << 64)


def text_key(text: str) -> int:
    data = text.encode()
    key = len(data)
    for start in range(0, len(data), 7):
        key += int.from_bytes(data[start : start + 7], "big") * power(16 + start // 7)
    return key
