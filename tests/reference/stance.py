"""Exact matching, cues, records and regimes, one row at a time, from their rules."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections import Counter
from fractions import Fraction

from reference import memory
from reference.line_items import worked_out

INVISIBLE = re.compile(r"[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe0e\ufe0f\ufeff]")
PLAIN = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63", "-"),
    **dict.fromkeys("\u2014\u2015", "—"),
    **dict.fromkeys("‘’ʼ′", "'"),
    **dict.fromkeys("“”«»„″", '"'),
    **dict.fromkeys("×·⋅∙✕", "×"),
    **dict.fromkeys("≈≃∼≅", "~"),
    **dict.fromkeys("⁄∕", "/"),
    **dict.fromkeys("、،٬", ","),
    "٫": ".",
    "｡": "。",
    **dict.fromkeys("∶﹕", ":"),
    **dict.fromkeys("؟⁇⁈⁉‽", "?"),
    **dict.fromkeys("「【⟨『", "("),
    **dict.fromkeys("」】⟩』", ")"),
    **{chr(0x24B6 + i): chr(ord("A") + i) for i in range(26)},
    **{chr(0x24D0 + i): chr(ord("A") + i) for i in range(26)},
    # Letters of mathematics: alphabets of capitals and small ones, both as capitals.
    **{chr(code): chr(ord("A") + (code - 0x1D400) % 26) for code in range(0x1D400, 0x1D6A4)},
}
QUOTES = "'\"`´‘’‚‛“”„‟′″‴‵‶‷«»‹›"
MARKS = set(
    ".,;:!?()[]{}-/\\*_|¡¿·•،؛؟।॥…‐‑‒–—―、。〃〈〉《》「」『』【】！（），．：；？" + QUOTES
)
DASHES = "-‐‑‒–"


# ── Exact match ──────────────────────────────────────────────────────────────────────────────


def plain(c: str) -> str:
    if "\uff01" <= c <= "\uff5e":
        return chr(ord(c) - 0xFEE0)
    if c != "\n" and c.isspace() and (not c.isascii() or c == "\t"):
        return " "
    if c.isdecimal():
        return str(int(c))
    return PLAIN.get(c, c)


def without_marks(text: str) -> str:
    """Each mark by what stands around it, by regular expression."""
    kept = []
    for i, c in enumerate(text):
        before, behind = text[i - 1 : i] if i else "", text[i + 1 :]
        outer, inner = text[:i], text[i:]
        while outer and outer[-1] in MARKS:
            outer = outer[:-1]
        while inner and inner[0] in MARKS:
            inner = inner[1:]
        digits = outer[-1:].isdecimal() and inner[:1].isdecimal()
        point = c == "." and behind[:1].isdecimal() and not before.isalnum()
        reached = re.match(r"[\s$€£(*_`\\]{0,7}(\.?\d)", behind[:8])
        glued = behind[:1].isalnum()
        if before.isalnum():
            sign = c in DASHES and before.isdecimal() and not glued
        else:
            sign = c in DASHES and (glued or bool(reached))
        if c not in MARKS or digits or point:
            kept.append(c)
        elif sign:
            kept.append("-")
        elif before.isalnum() and behind[:1].isalnum() and c not in ".*" + QUOTES:
            kept.append(" ")
    result = "".join(kept)
    return result if result.strip() else text


def normal(text: str, steps: set[str]) -> str:
    if "unicode" in steps:
        text = "".join(map(plain, INVISIBLE.sub("", unicodedata.normalize("NFC", text))))
    if "case" in steps:
        text = text.upper().lower().replace("ς", "σ")
    if "punctuation" in steps:
        text = without_marks(text)
    if "articles" in steps:
        text = re.sub(r"(?i)(?<!\S)(?:a|an|the)\s+(?=\S)", "", text)
    if "space" in steps:
        text = " ".join(text.split())
    return text


def number(text: str) -> tuple[Fraction, str] | None:
    """The number that a plain ASCII text consists of, exactly."""
    text = re.sub(r"^[\s(\[*_`'\"]+|[\s)\]*_`'\".,;:!?]+$", "", text)
    found = re.fullmatch(
        r"(?P<sign>[-+]?)(?P<unit>\$?)(?P<whole>\d{1,3}(?:,\d{3})+|\d+)?(?P<part>\.\d+)?"
        r"(?:(?P<over>/\d+))?(?: ?(?P<percent>%))?",
        text,
    )
    if not found or not (found["whole"] or found["part"]):
        return None
    if found["over"] and (found["part"] or "," in (found["whole"] or "")):
        return None
    if len(re.findall(r"\d", text)) > 15 or (found["unit"] and found["percent"]):
        return None
    value = Fraction((found["whole"] or "0").replace(",", "") + (found["part"] or ""))
    if found["over"]:
        if int(found["over"][1:]) == 0:
            return None
        value /= int(found["over"][1:])
    value = -value if found["sign"] == "-" else value
    return value, found["unit"] or found["percent"] or ""


def same(
    one: str, other: str, steps: set[str], tolerance: float = 0.0, relative: float = 0.0
) -> bool:
    if one == other:
        return True
    if "numbers" in steps:
        a, b = number(one), number(other)
        if a and b:
            if a[1] and b[1] and a[1] != b[1]:
                return False
            x, y = float(a[0]), float(b[0])
            gap, largest = abs(x - y), max(abs(x), abs(y))
            return a[0] == b[0] or gap < tolerance or gap < relative * largest
    return normal(one, steps) == normal(other, steps)


def first_line(text: str) -> str:
    lines = re.split("[\n\v\f\r\x85\u2028\u2029]", text)
    return next((line for line in lines if line.strip()), text)


def token_f1(one: str, other: str, steps: set[str]) -> float:
    """Precision and recall by counters, and their harmonic mean."""
    if same(one, other, steps):
        return 1.0

    def keys(text: str) -> Counter[object]:
        found = normal(text, steps).split()
        if "numbers" not in steps:
            return Counter(found)
        return Counter(number(word) or word for word in found)

    a, b = keys(one), keys(other)
    shared = (a & b).total()
    if not shared:
        return 0.0
    precision, recall = shared / a.total(), shared / b.total()
    return 2 * precision * recall / (precision + recall)


# ── Cues ─────────────────────────────────────────────────────────────────────────────────────


def cues(text: str, lexicon: dict[str, list[str]]) -> list[tuple[str, str, str, int, int]]:
    """Cues without dates: for each kind, at each place the longest, then on behind it."""
    found = []
    for kind, patterns in lexicon.items():
        compiled = []
        for cue in patterns:
            body = r"\s+".join(re.escape(word) for word in cue.split())
            body = re.sub("['’]", "['’]", body)
            # Letters of Chinese and Japanese have no word boundary.
            left = r"(?<![^\W_\u3005-\u9fff])" if cue[0].isalnum() else ""
            right = r"(?![^\W_\u3005-\u9fff])" if cue[-1].isalnum() else ""
            compiled.append((cue, re.compile(left + body + right, re.IGNORECASE)))
        at = 0
        while at < len(text):
            matches = [(m.end(), cue) for cue, p in compiled if (m := p.match(text, at))]
            if not matches:
                at += 1
                continue
            end = max(end for end, _ in matches)
            cue = next(cue for stop, cue in matches if stop == end)
            found.append((kind, cue, text[at:end], at, end))
            at = end
    order = list(lexicon)
    return sorted(found, key=lambda cue: (cue[3], order.index(cue[0])))


# ── Dates ────────────────────────────────────────────────────────────────────────────────────

FULL = "january february march april may june july august september october november december"
SHORT = "jan feb mar apr jun jul aug sep sept oct nov dec"
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
SPELLS = "week weekend month quarter year spring summer fall autumn winter"
UNITS = "second minute hour day week month quarter year decade"
PHRASE = (
    rf"as\s+of|yesterday|today|tomorrow|tonight|the\s+day\s+before"
    rf"|last\s+(?:night|{'|'.join(SPELLS.split())})|next\s+(?:{'|'.join(SPELLS.split())})"
    rf"|this\s+(?:morning|afternoon|evening|{'|'.join(SPELLS.split())})"
)
BEFORE_YEAR = """
    in since by until till from before after during through circa early late mid year fy spring
    summer autumn fall winter q1 q2 q3 q4 to between throughout
"""
BEFORE_OF = "as end start beginning middle spring summer autumn fall winter half quarter"
BEFORE_MONTH = "in since by until till from before after during last next this early late mid"
BEFORE_DAY = "on since by until till from before after last next this past coming previous"


class Part(str):
    """A word of a text, which knows where it stands."""

    start: int
    end: int


def part(text: str, start: int, end: int) -> Part:
    word = Part(text[start:end].lower())
    word.start, word.end = start, end
    return word


def word_before(text: str, at: int) -> Part | None:
    match = re.search(r"([^\W_]{1,12})[\s,–-]{0,3}\Z", text[:at])
    if not match or re.search(r"[^\W_]\Z", text[: match.start()]):
        return None
    return part(text, *match.span(1))


def word_behind(text: str, at: int) -> Part | None:
    match = re.compile(r"[\s,.]{0,3}([^\W_]{1,12})(?![^\W_])").match(text, at)
    return part(text, *match.span(1)) if match else None


def goes_on(text: str, at: int) -> bool:
    return bool(re.match(r"%|[.,:/]\d", text[at : at + 2]))


def went_on(text: str, at: int) -> bool:
    return bool(re.search(r"(?:\d[.,:/-]|[$€£¥])\Z", text[:at])) or (
        not text[at - 1 : at].isascii() and text[at - 1 : at].isalnum()
    )


def is_year(text: str, word: Part | None) -> bool:
    valid = word and re.fullmatch(r"[12]\d{3}", word) and 1000 <= int(word) < 2200
    return bool(valid and word) and not goes_on(text, word.end)  # type: ignore[union-attr]


def is_day(text: str, word: Part | None) -> bool:
    match = word and re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", word)
    return bool(match and 1 <= int(match[1]) <= 31) and not goes_on(text, word.end)  # type: ignore[union-attr]


Span = tuple[int, int]


def month_date(text: str, word: Part) -> Span | None:
    """A month with a year, a day or both, or a full name behind a preposition."""
    start, end, dated = word.start, word.end, False
    written = text[start:end]
    sure = written[0].isupper() or word not in ("may", "march", "mar")
    before = word_before(text, start)
    day = word_before(text, before.start) if before == "of" else before  # type: ignore[union-attr]
    if day and is_day(text, day) and not went_on(text, day.start):
        start, dated = day.start, sure
    behind = word_behind(text, end)
    if behind and sure and not dated and is_day(text, behind):
        end, dated = behind.end, True
        behind = word_behind(text, end)
    if behind and is_year(text, behind):
        return start, behind.end
    if dated:
        return start, end
    if not before or word not in FULL.split() or not re.match("[A-Z][a-z]", written):
        return None
    if before == "of":
        head = word_before(text, before.start)
        return (head.start, word.end) if head in BEFORE_OF.split() else None  # type: ignore[union-attr]
    return (before.start, word.end) if before in BEFORE_MONTH.split() else None


def numeric_date(text: str, start: int) -> Span | None:
    """A date in digits, a year that something makes one, or *the 3rd* behind a preposition."""
    if went_on(text, start):
        return None
    rest = text[start:]
    if match := re.match(r"(\d{4})([-/.])(\d+)(?:(\2)(\d+))?", rest):
        year, month = int(match[1]), int(match[3])
        if not 1 <= month <= 12:
            return None
        if match[5]:
            valid = len(match[3]) <= 2 and len(match[5]) <= 2 and 1 <= int(match[5]) <= 31
            return (start, start + match.end()) if valid and 1000 <= year < 2200 else None
        valid = match[2] == "-" and len(match[3]) == 2 and 1900 <= year < 2100
        return (start, start + match.end()) if valid else None
    if match := re.match(r"(\d{4})(?!\d)", rest):
        return year_date(text, start, int(match[1]))
    if match := re.match(r"(\d{1,2})([-/.])(\d+)(?:\2(\d+))?", rest):
        one, other = int(match[1]), int(match[3])
        end = start + match.end()
        if not match[4] or len(match[3]) > 2 or not 1 <= min(one, other) <= 12:
            return None
        long = len(match[4]) == 4 and 1000 <= int(match[4]) < 2200
        fits = long or (len(match[4]) == 2 and match[2] == "/")
        closed = not goes_on(text, end) and text[end : end + 1] != match[2]
        return (start, end) if fits and closed and max(one, other) <= 31 else None
    if match := re.match(r"\d{1,2}(?:st|nd|rd|th)(?![a-zA-Z0-9])", rest, re.IGNORECASE):
        the = word_before(text, start)
        before = word_before(text, the.start) if the == "the" else None  # type: ignore[union-attr]
        valid = is_day(text, part(text, start, start + match.end()))
        return (
            (before.start, start + match.end()) if valid and before in BEFORE_DAY.split() else None
        )  # type: ignore[union-attr]
    return None


def year_date(text: str, start: int, year: int) -> Span | None:
    end = start + 4
    if not 1900 <= year < 2100 or goes_on(text, end):
        return None
    if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
        return start, end
    decade = text[end : end + 1] == "s"
    end += decade
    before = word_before(text, start)
    if re.match("[a-zA-Z0-9]", text[end:]) or before is None:
        return None
    if decade and before == "the":
        head = word_before(text, before.start)
        if head not in BEFORE_YEAR.split():
            return before.start, end
        before = head
    if before == "of":  # type: ignore[comparison-overlap]
        head = word_before(text, before.start)
        return (head.start, end) if head in BEFORE_OF.split() else None  # type: ignore[union-attr]
    return (before.start, end) if before in BEFORE_YEAR.split() else None


def word_date(text: str, word: Part) -> Span | None:
    """The date that a month, a weekday, a quarter, *ago* or a phrase belongs to."""
    if word in FULL.split() or word in SHORT.split():
        return month_date(text, word)
    before, behind = word_before(text, word.start), word_behind(text, word.end)
    if word in WEEKDAYS.split():
        return (before.start, word.end) if before and before in BEFORE_DAY.split() else None
    if re.fullmatch("q[1-4]", word):
        if behind and is_year(text, behind):
            return word.start, behind.end
        dated = before and (is_year(text, before) or before in BEFORE_MONTH.split())
        return (before.start, word.end) if before and dated else None
    if word == "ago":
        if not before or before.removesuffix("s") not in UNITS.split() or before == "s":
            return None
        count = word_before(text, before.start)
        return (count or before).start, word.end
    return None if behind == "yet" else (word.start, word.end)


def dates(text: str) -> list[Span]:
    """Dates in the order of what gives them away; those that touch are one."""
    words = "|".join([*FULL.split(), *SHORT.split(), *WEEKDAYS.split(), "q[1-4]", "ago", PHRASE])
    trigger = re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])", re.IGNORECASE)
    found: list[Span] = []
    for at in range(len(text)):
        span = None
        if match := trigger.match(text, at):
            span = word_date(text, part(text, *match.span()))
        elif re.match("[0-9]", text[at]) and not re.match("[a-zA-Z0-9]", text[at - 1 : at] or " "):
            span = numeric_date(text, at)
        if span is None:
            continue
        if found and (
            span[0] <= found[-1][1] or re.fullmatch(r"[\s,]*", text[found[-1][1] : span[0]])
        ):
            found[-1] = (min(found[-1][0], span[0]), max(found[-1][1], span[1]))
        else:
            found.append(span)
    return found


# ── Records ──────────────────────────────────────────────────────────────────────────────────

LABEL = re.compile(
    r"^[\s>*_`\"'#+\-•\d.)({|~]*(CLAIM|SOURCES?|CERTAINTY|AS[ _-]?OF)[*_`\"' ]*[:：]", re.IGNORECASE
)


def record(text: str) -> dict[str, object]:
    """A record whose labels stand on lines of their own."""
    values: dict[str, list[list[str]]] = {}
    current: list[str] | None = None
    for line in re.split(r"\r?\n", text):
        if label := LABEL.match(line):
            name = re.sub("[ _-]", "", label[1].lower()).rstrip("s")
            current = []
            values.setdefault(name, []).append(current)
            rest = line[label.end() :].strip()
            if rest.strip("*_` "):
                current.append(rest)
            continue
        if current is None:
            continue
        ends = not line.strip() or line.strip().startswith("```")
        other = re.match(
            r"[*_`\"\- ]*[A-Za-z_-]+(?: [A-Za-z_-]+)?[*_`\"]*:(?:[ *_\t]|$)", line.strip()
        )
        # A text in quotes may hold a colon.
        if line.strip().startswith('"') and not re.match(r'"[^":]*"', line.strip()):
            other = None
        if ends or other:
            if current:
                current = None
            continue
        current.append(line.strip())

    sources: list[str] = []
    for lines in values.get("source", []):
        items: list[str] = []
        for line in lines:
            if bullet := re.match(r"[-*+•][ \t]+(.*)", line):
                items.append(bullet[1])
            elif items:
                items[-1] += " " + line
            else:
                items.append(line)
        sources += [kept for item in items if (kept := field_value([item])) is not None]
    found = {name: [field_value(lines) for lines in each] for name, each in values.items()}
    return outcome(found, sources)


def outcome(values: dict[str, list[str | None]], sources: list[str]) -> dict[str, object]:
    """A record of what stands in its fields; sources are several."""
    conflict = False
    single: dict[str, str | None] = {}
    for name in ("claim", "certainty", "asof"):
        distinct = {found for found in values.get(name, []) if found is not None}
        conflict |= len(distinct) > 1
        single[name] = distinct.pop() if len(distinct) == 1 else None
    if not values:
        status = "missing"
    elif conflict:
        status = "conflict"
    elif len(values) < 4 or single["claim"] is None or single["certainty"] is None:
        status = "incomplete"
    else:
        status = "read"
    return {
        "claim": single["claim"],
        "source": list(dict.fromkeys(sources)),
        "certainty": single["certainty"],
        "as_of": single["asof"],
        "status": status,
    }


def field_name(label: str) -> str:
    return re.sub("[ _-]", "", label.lower()).rstrip("s")


def record_of_json(text: str) -> dict[str, object]:
    """A record that is an object of JSON."""
    values: dict[str, list[str | None]] = {}
    sources: list[str] = []
    for key, held in json.loads(text[text.index("{") : text.rindex("}") + 1]).items():
        several = held if isinstance(held, list) else [held]
        texts = [re.sub(r"\s", " ", item) for item in several if item is not None]
        # As it stands in its quotes: markup inside of these belongs to the text.
        found = [kept for item in texts if (kept := field_value([f'"{item}"'])) is not None]
        values.setdefault(field_name(key), []).extend(found or [None])
        sources += found if field_name(key) == "source" else []
    return outcome(values, sources)


def record_of_table(text: str) -> dict[str, object]:
    """A record that is a table of a row each."""
    values: dict[str, list[str | None]] = {}
    sources: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        name = field_name(cells[0].strip("*`_ "))
        if len(cells) == 2 and name in ("claim", "source", "certainty", "asof"):
            found = field_value([cells[1]])
            values.setdefault(name, []).append(found)
            sources += [found] if name == "source" and found is not None else []
    return outcome(values, sources)


def without_markup(text: str) -> str:
    for mark in "*`_*":
        text = re.sub(rf"^[{mark}]+([^{mark}]*?)[{mark}]+$", r"\1", text).strip()
        text = re.sub(rf"^[{mark}]+\s|\s[{mark}]+$", "", text).strip()
        if text.count(mark) % 2:
            text = text.strip(mark).strip()
    return text


def field_value(lines: list[str]) -> str | None:
    whole = without_markup(" ".join(lines).strip().rstrip(" |/;,"))
    for first, last in ('""', "“”", "''", "[]"):
        if len(whole) > 1 and whole[0] == first and whole[-1] == last:
            whole = without_markup(whole[1:-1].strip())
    nothing = {"none", "n/a", "unknown", "null", "tbd", "not stated"}
    bare = whole.strip(" .()")
    if bare.lower() in nothing or re.fullmatch("<.*>|[-–—]*", bare):
        return None
    return whole


# ── Regimes ──────────────────────────────────────────────────────────────────────────────────


def regime(note: str, items: list[str], conclusion: float, signals: list[str]) -> str | None:
    """Regime of a note with line items and a number, every item wanted."""
    survives = memory.item_survival(note, items)
    kept, total = sum(survives.values()), len(survives)
    if not total or math.isnan(conclusion):
        return None
    if kept == total:
        return "correctable"
    if cues(note, {"incomplete": signals}):
        return "uncorrectable_loud"
    stated = abs(conclusion) in {abs(value) for value in memory.numbers(note)}
    return "uncorrectable_silent" if kept or stated else "uncorrectable_loud"


def probe(
    note: str, items: list[str], conclusion: float, truth: float | None, signals: list[str]
) -> dict[str, object]:
    """Everything that is said of a note at once; without a truth, the items' total is it."""
    survives = memory.item_survival(note, items)
    right = worked_out(*items) if truth is None else truth
    worked = worked_out(note)
    return {
        "regime": regime(note, items, conclusion, signals),
        "kept": sum(survives.values()),
        "total": len(survives),
        "works_out": None
        if right is None
        else worked is not None and abs(worked - right) < 0.00501,
    }
