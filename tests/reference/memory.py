"""Scorers of notes, one at a time, from their rules."""

import re
import unicodedata

from reference.text import INVISIBLE, fold

FUNCTION_WORDS = """
    a an the this that these those i you he she it we they me him her us them my your his its
    our their who whom whose which what there am is are was were be been being has have had
    having do does did will would shall should can could may might must and or but if then than
    so as while when of to in on at by for from with into onto upon via
"""


def composed(text: str) -> str:
    """Without what prints nothing, letters and digits narrow, canonical equivalents composed."""
    shown = (c for c in text if c == "\u200b" or not INVISIBLE.match(c))
    wide = re.compile("[０-９Ａ-Ｚａ-ｚ]")
    return unicodedata.normalize(
        "NFC", "".join(chr(ord(c) - 0xFEE0) if wide.match(c) else c for c in shown)
    )


def kind(c: str) -> str:
    """A letter of a script without spaces, a digit, a mark, another letter, or the sign itself."""
    scripts = "CJK|IDEOGRAPHIC|HANGZHOU|HIRAGANA|KATAKANA|HALFWIDTH KATAKANA|THAI|LAO|MYANMAR|KHMER"
    if unicodedata.category(c) in ("Mn", "Mc"):
        return "m"
    if c.isdecimal():
        return "d"
    if c.isalnum():
        return "a" if re.match(rf"(?:{scripts})\b", unicodedata.name(c, "")) else "w"
    return c if c in ".,'’" else " "


def spelled_tokens(text: str) -> list[str]:
    """Letters and digits in runs; numbers whole, possessives left out."""
    kinds = "".join(kind(c) for c in text)
    grouped = r"d{1,3}(?:,ddd(?![dwm]))+"
    run = r"[dw](?:[dwm]|(?<=d)\.(?=d))*"
    pattern = re.compile(rf"am*|(?:{grouped}|{run})(?:(?<=d)\.(?=d)[dwm]+)*")
    found = []
    position = 0
    while match := pattern.search(kinds, position):
        found.append(text[slice(*match.span())])
        position = match.end()
        rest = kinds[position + 2 : position + 3]
        if re.match("['’][sS]", text[position:]) and rest not in ("d", "w", "m"):
            position += 2
    return found


def tokens(text: str) -> list[str]:
    """Tokens as they compare."""
    return [fold(token.replace(",", "")) for token in spelled_tokens(composed(text))]


def word_survival(note: str, source: str) -> dict[str, bool]:
    """The source's distinct content words as first written, each with whether the note has it."""
    there = set(tokens(note))
    first: dict[str, str] = {}
    for word in spelled_tokens(composed(source)):
        first.setdefault(fold(word.replace(",", "")), word)
    words = {folded: word for folded, word in first.items() if folded not in FUNCTION_WORDS.split()}
    return {word: folded in there for folded, word in words.items()}


def item_survival(note: str, items: list[str]) -> dict[str, bool]:
    """The distinct items as first written, each with whether its tokens follow each other."""
    words = tokens(note)
    first: dict[tuple[str, ...], str] = {}
    for item in items:
        first.setdefault(tuple(tokens(item)), item)
    first.pop((), None)
    return {
        item: any(tuple(words[i : i + len(phrase)]) == phrase for i in range(len(words)))
        for phrase, item in first.items()
    }


def number_survival(note: str, source: list[float]) -> dict[float, bool]:
    """The distinct numbers of a source, signs apart, each with whether the note names it."""
    there = {abs(value) for value in numbers(note)}
    first: dict[float, float] = {}
    for value in source:
        first.setdefault(abs(value), value)
    return {value: size in there for size, value in first.items()}


def lowered(text: str) -> str:
    return text.lower().replace("ς", "σ")


def prefix_survival(note: str, source: str, chars: int = 18) -> dict[str, bool]:
    """The first characters of the source, and whether they are in the note, both lower-cased."""
    prefix = composed(source)[:chars]
    return {prefix: lowered(prefix) in lowered(composed(note))} if source else {}


def numbers(text: str) -> list[float]:
    """The numbers that a text without markup names in ASCII alone; 46½ is another than 46."""
    grouped = (
        r"[1-9]\d{0,2}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?:,\d{3})+(?!\d)(?:\.\d+)?"
        r"|(?<!\w)\.\d+|\d+(?:\.\d+)?"
    )
    found = []
    position = 0
    pattern = re.compile(rf"(?<!\d)(?<!\d\.)(?:{grouped})")
    while match := pattern.search(text, position):
        head, rest = text[: match.start()], text[match.end() :]
        money = re.search(r"(?:\$|\bUSD ?)\Z", head)
        name = re.search(r"[^\W\d_]-?\Z", head) and not money
        unread = re.match(r"[.,/^']\d|[^\W\d_]*\d|-[^\W\d_]|(?:st|nd|rd|th)\b", rest)
        clock = match[0].isdigit() and re.match(r"[:h]\d", rest)
        beyond = any(c.isnumeric() and not c.isascii() for c in head[-1:] + rest[:1])
        if name or unread or clock or beyond:
            position = match.end() + len(re.match(r"[\w.,/^':]*", rest)[0])  # type: ignore[index]
            continue
        minus = re.search(r"(?:^|[\s(\[:=])-\$?\Z|\$-\Z", head)
        written = match[0]
        if re.search(r"\..*,", written):
            written = written.replace(".", "").replace(",", ".")
        value = float(written.replace(",", ""))
        found.append(-value if minus else value)
        position = match.end()
    return found


def invented_numbers(memory: str, source: str, dialect: str = "strict") -> list[float]:
    """Distinct numbers of a memory that are not in its source."""
    if dialect != "strict":
        digits = r"\d+(?:\.\d+)?"
        known = set(re.findall(digits, source))
        return [float(n) for n in dict.fromkeys(re.findall(digits, memory)) if n not in known]
    seen = {abs(value) for value in numbers(source)}
    found = []
    for value in numbers(memory):
        if abs(value) not in seen:
            seen.add(abs(value))
            found.append(value)
    return found


def recurring_value(text: str, least: int = 2) -> float | None:
    """The number that a text names most often."""
    found = numbers(text)
    most = max((found.count(value) for value in found), default=0)
    often = {value for value in found if found.count(value) == most}
    return often.pop() if most >= least and len(often) == 1 else None
