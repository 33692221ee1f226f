"""Fields of JSON as models write it, one character at a time and with Python's own parser."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from reference.text import INVISIBLE, answer_in, answer_number
from reference.text import taken_back as line_takes_back

CLOSERS = {'"': '"', "'": "'", "`": "`", "“": '”"', "‘": "’'", "”": '”"'}
QUOTES = "\"'`“”‘’"
COLONS = ":：="
LITERALS = re.compile(
    "true|false|null|True|False|None|NaN|nan|Infinity|undefined|nil|NULL|TRUE|FALSE|inf"
)
NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
ESCAPE = re.compile(r"\\(u[dD][89abAB]..\\u[dD][c-fC-F]..|u[0-9a-fA-F]{4}|.)", re.DOTALL)
UNKNOWN = """insufficient;insufficient information;insufficient evidence;insufficient data;
    insufficient context;not enough information;unknown;undetermined;unable;unable to determine;
    cannot determine;cannot be determined;none;null;nil;nan;infinity;undefined;n/a;na;
    not available;not applicable;no answer;abstain;tbd"""
SENTINELS = {" ".join(text.split()) for text in UNKNOWN.split(";")}


class Value(NamedTuple):
    """A value where it stands."""

    form: str
    start: int
    end: int
    whole: bool


class Object(NamedTuple):
    """What one object holds of the field."""

    value: Value | None
    conflict: bool
    end: int
    complete: bool
    strict: bool = False
    resume: int | None = None


def decoded(written: str) -> str:
    def one(match: re.Match[str]) -> str:
        body = match[1]
        if re.fullmatch(r"u[0-9a-fA-F]{4}(\\u[0-9a-fA-F]{4})?", body):
            units = bytes.fromhex(body.replace("\\", "").replace("u", ""))
            return units.decode("utf-16-be", "replace")[: len(units) // 2]
        plain = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
        return plain.get(body, body if body in "\"\\/'`" else "\\" + body)

    return ESCAPE.sub(one, written)


def folded(text: str) -> str:
    return text.upper().lower()


def is_blank(c: str) -> bool:
    return c in " \t\n\f\r" or (c > "\x7f" and (c.isspace() or bool(INVISIBLE.match(c))))


def blanks(s: str, i: int) -> int:
    while i < len(s) and is_blank(s[i]):
        i += 1
    return i


def comment(s: str, i: int) -> int | None:
    """End of a comment that begins here."""
    if s.startswith("/*", i):
        end = s.find("*/", i + 2)
        return len(s) if end < 0 else end + 2
    if s.startswith(("//", "#"), i):
        line = re.compile(r"[\n\r]").search(s, i)
        return line.start() if line else len(s)
    return None


def skip(s: str, i: int) -> int:
    while True:
        i = blanks(s, i)
        end = comment(s, i)
        if end is None:
            return i
        i = end


def colon(s: str, i: int) -> bool:
    i = blanks(s, i)
    return i < len(s) and s[i] in COLONS


def quoted_key(s: str, i: int) -> bool:
    if i >= len(s) or s[i] not in CLOSERS:
        return False
    end = re.compile(rf"[{QUOTES}\n\r{{}}]").search(s, i + 1)
    return bool(end) and end[0] in CLOSERS[s[i]] and colon(s, end.end())


def bare_key(s: str, i: int) -> bool:
    end = i
    while end < len(s) and (s[end].isalnum() or s[end] in "_$-"):
        end += 1
    return end > i and colon(s, end)


def closes(s: str, i: int, place: str, close: str) -> bool:
    """Whether a quote that ends before this place ends its string."""
    at = blanks(s, i)
    if at == len(s) or s[at] in "}]":
        return True
    line = any(c in "\n\r" for c in s[i:at])
    if s[at] in ":：":
        return place in ("key", "inner key")
    if s[at] == "=":
        return place == "key"
    if s[at] in ",，":
        at = blanks(s, at + 1)
        if at == len(s) or s[at] in "{[}]/#.," or s[at] in CLOSERS or bare_key(s, at):
            return True
        word = re.compile("[a-zA-Z]+").match(s, at)
        return place == "element" and (
            s[at] in "-0123456789" or bool(LITERALS.fullmatch(word[0] if word else ""))
        )
    if s.startswith(("//", "/*"), at):
        return True
    if s[at] == "#":
        rest = re.compile(rf"[{close}\n\r]").search(s, at)
        return rest is None or rest[0] in "\n\r"
    if s.startswith("```", at):
        return line
    return place != "key" and (quoted_key(s, at) or (line and bare_key(s, at)))


class Text(NamedTuple):
    """A string that was read, and where to read on."""

    start: int
    end: int
    closed: bool
    after: int
    resume: int | None = None


def string(s: str, i: int, place: str) -> Text:
    close = CLOSERS[s[i]]
    start = i = i + 1
    line = None
    while i < len(s):
        c = s[i]
        if c == "\\":
            i += 2
        elif c in "\n\r":
            if place == "key":
                return Text(start, i, False, i)
            line = i if line is None else line
            after = blanks(s, i)
            if place in ("value", "inner value") and quoted_key(s, after):
                return Text(start, start + len(s[start:i].rstrip().rstrip(",")), True, after)
            i = after
        elif c == "{" and (
            place == "key" or (line is not None and quoted_key(s, blanks(s, i + 1)))
        ):
            return Text(start, i, False, i)
        elif c in close and closes(s, i + 1, place, close):
            return Text(start, i, True, i + 1)
        else:
            i += 1
    return Text(start, len(s), False, len(s), line)


def nested(s: str, i: int) -> tuple[int, bool, int | None]:
    """End of an object or array, whether it is whole, and where a text in it lost its end."""
    open_: list[str] = []
    last = ":"
    while i < len(s):
        c = s[i]
        if c == "{" and last in ("scalar", "line", "stray"):
            return i, False, None
        if c in "{[":
            open_.append(c)
            last = ","
        elif c in "}]":
            open_.pop()
            if not open_:
                return i + 1, True, None
            last = "close"
        elif c in "\n\r":
            i = blanks(s, i)
            if s.startswith("```", i):
                return i, False, None
            last = "line" if last == "scalar" else last
            continue
        elif c in " \t":
            pass
        elif c == "," or (c == ":" and last != "stray"):
            last = c
        elif comment(s, i) is not None and (c == "/" or last != "scalar"):
            i = comment(s, i) or len(s)
            continue
        elif c in CLOSERS and last not in ("scalar", "stray"):
            keyed = "inner value" if last == ":" else "inner key"
            text = string(s, i, keyed if open_[-1] == "{" else "element")
            if not text.closed:
                return text.after, False, text.resume
            i, last = text.after, "line"
            continue
        else:
            last = "stray" if last in ("line", "stray") else "scalar"
        i += 1
    return len(s), False, None


def bare(s: str, i: int) -> tuple[Value, int]:
    start = i
    while i < len(s):
        c, before, after = s[i], s[i - 1 : i], s[i + 1 : i + 2]
        digits = re.fullmatch("[0-9]{2}", before + after)
        if c == "," and not (digits and not bare_key(s, i + 1)):
            break
        if c in '{}"\n\r，' or s.startswith("/*", i) or (c == "#" and before in set(" \t\n\f\r")):
            break
        if s.startswith("//", i) and before != ":":
            break
        i += 1
    text = s[start:i].rstrip()
    number = NUMBER.fullmatch(text) or text in ("true", "false", "null")
    whole = i < len(s) or bool(number) or bool(LITERALS.fullmatch(text))
    if s[i : i + 1] == '"' and s[blanks(s, i + 1) :][:1] in ("}", ","):
        i += 1
    return Value("bare", start, start + len(text), whole), i


def repaired(s: str, i: int, path: list[str], any_case: bool) -> Object:
    level, held, replaced, conflict = 0, None, None, False
    resume = None

    def cut(at: int) -> Object:
        return Object(held, conflict, at, False, resume=resume if at >= len(s) else None)

    while True:
        i = skip(s, i)
        if i >= len(s):
            return cut(i)
        c = s[i]
        if c == "}":
            i += 1
            if level == 0:
                return Object(held, conflict, i, True)
            level -= 1
        elif c in ",，])":
            i += 1
        elif c == "{" or s.startswith("```", i):
            return cut(i)
        elif c == "[":
            i, whole, resume = nested(s, i)
            if not whole:
                return cut(i)
        else:
            if c in CLOSERS:
                key = string(s, i, "key")
                i = key.after
                if not key.closed:
                    resume = key.resume
                    return cut(i)
                name = s[key.start : key.end]
            else:
                end = re.compile(r'[:：=,，{}\[\]"\n\r]|$').search(s, i)
                name = s[i : end.start() if end else len(s)].rstrip()
                i = end.start() if end else len(s)
            i = skip(s, i)
            if i >= len(s) or s[i] not in COLONS:
                continue
            i += 2 if s.startswith("=>", i) else 1
            name, wanted = decoded(name), path[level]
            same = folded(name.strip()) == folded(wanted.strip())
            leads = same if any_case else name == wanted
            final = level + 1 == len(path)
            if leads and not final and held is not None:
                held, replaced = None, held
            i = skip(s, i)
            if i >= len(s):
                return cut(i)
            if leads and not final and s[i] == "{":
                level, i = level + 1, i + 1
                continue
            if s[i] in "{[":
                start = i
                i, whole, resume = nested(s, i)
                value = Value("nested", start, i, whole)
            elif s[i] in CLOSERS:
                text = string(s, i, "value")
                i, resume = text.after, text.resume
                value = Value("quoted", text.start, text.end, text.closed)
            else:
                value, i = bare(s, i)
            if leads and final:
                earlier = held if held is not None else replaced
                conflict |= earlier is not None and not alike(plain(s, earlier), plain(s, value))
                held, replaced = value, None
            if value.form != "bare" and not value.whole:
                return cut(i)


def plain(s: str, value: Value) -> str:
    text = s[value.start : value.end]
    return decoded(text) if value.form == "quoted" else text


def alike(one: str, other: str) -> bool:
    try:
        return one == other or float(one) == float(other)
    except ValueError:
        return False


def strictly(s: str, brace: int) -> int | None:
    """End of the JSON object that opens here."""

    def refuse(_: str) -> None:
        raise ValueError

    decoder = json.JSONDecoder(parse_constant=refuse, parse_int=str, parse_float=str)
    try:
        return decoder.raw_decode(s, brace)[1]
    except ValueError:
        return None


def opens(s: str, brace: int) -> bool:
    at = blanks(s, brace + 1)
    if at < len(s) and s[at] == "#":
        return s[at - 1] in " \t\n\f\r"
    return at < len(s) and (
        s[at] == "}" or s[at] in CLOSERS or s.startswith(("//", "/*"), at) or bare_key(s, at)
    )


def either_case(s: str, i: int, path: list[str]) -> Object:
    exact = repaired(s, i, path, any_case=False)
    return exact if exact.value is not None else repaired(s, i, path, any_case=True)


def opened(s: str) -> int | None:
    """Where the first object begins, if it is escaped as a whole."""
    blank = r"(?:\s|\\+[ntr])*"
    key = re.compile(rf"\{{{blank}\\+[\"'][^\"'{{}}\n]*\\[\"']{blank}:")
    if quoted_key(s, blanks(s, 0)):
        return None
    for brace in (at for at, c in enumerate(s) if c == "{"):
        if key.match(s, brace):
            return brace
        if opens(s, brace):
            return None
    return None


def find_through(s: str, path: list[str]) -> tuple[str, Value | None, str, str]:
    """As `find`, beside the text that it holds of: the reply, or one that is escaped in it."""
    first = (s, *find(s, path))
    if first[2] == "strict":
        return first
    inner, levels = s, 0
    while (start := opened(inner)) is not None:
        inner, levels = decoded(inner[start:]), levels + 1
    if not 1 <= levels <= 3:
        return first
    value, status, rule = find(inner, path)
    if value is None and rule not in ("cut", "retracted"):
        return first
    return inner, value, "repaired" if status == "strict" else status, rule


def find(s: str, path: list[str]) -> tuple[Value | None, str, str]:
    """The value, the status, and the rule where there is no value."""
    seen: list[Object] = []
    at, resumed = 0, 0
    start = blanks(s, 0)
    if quoted_key(s, start):
        found = either_case(s, start, path)
        held = found.value is not None and found.value.whole
        seen.append(found._replace(complete=found.complete or (found.end >= len(s) and held)))
        at = found.end
    while (brace := s.find("{", at)) >= 0:
        end = strictly(s, brace)
        if end is not None:
            # What is JSON reads the same either way.
            found = either_case(s[:end], brace + 1, path)._replace(strict=True)
        elif opens(s, brace):
            found = either_case(s, brace + 1, path)
        else:
            at = brace + 1
            continue
        seen.append(found)
        at = found.end
        if found.resume is not None and resumed < 8:
            at, resumed = found.resume, resumed + 1
    holding = [found for found in seen if found.value is not None]
    complete = [found for found in holding if found.complete]
    if not holding:
        return None, "failed", "no_field" if seen else "no_object"
    last = (complete or holding)[-1]
    if last.value is None or not last.value.whole:
        return None, "failed", "cut"
    if line_takes_back(answer_in(plain(s, last.value)), s[last.end :]):
        return None, "conflict", "retracted"
    if last.conflict:
        return last.value, "conflict", ""
    if not last.complete:
        return last.value, "truncated", ""
    return last.value, "strict" if last.strict else "repaired", ""


def is_sentinel(text: str) -> bool:
    text = text.strip()
    if text in ("", "-", "--", "–", "—", "?", "??", "???", "...", "…") or text.lower() == "n.a.":
        return True
    if re.fullmatch("<[^<>]*>", text):
        return True
    head = re.split(r"[,:;(—\n.!]", text)[0]
    return re.sub(r"^[\W_]+|[\W_]+$", "", head).lower() in SENTINELS


def answer_text(s: str, path: list[str]) -> tuple[str | None, str, str]:
    """The text of a field that holds no object or array, its status and what it lacks."""
    s, value, status, rule = find_through(s, path)
    if value is None:
        return None, status, rule
    text = plain(s, value)
    if value.form == "nested":
        return text, status, "nested"
    if value.form == "bare" and text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text.lower(), status, ""
    return (None, status, "abstained") if is_sentinel(text) else (text, status, "")


def number_of(s: str, path: list[str]) -> tuple[float | None, str]:
    """The number of a field, as behind a marker where it is text."""
    s, value, status, _ = find_through(s, path)
    if value is None or value.form == "nested":
        return None, status
    text = plain(s, value)
    if value.form == "bare" and NUMBER.fullmatch(text):
        number = float(text)
        return (number if abs(number) < float("inf") else None), status
    if is_sentinel(text):
        return None, status
    return answer_number("ANSWER: " + text.strip())[0], status


MARKUP = r"[*_`\"'“”‘’\[\]()<>#${}✅❌✔✘✓✗☑🗸👍✖❎☒🚫⛔🗙👎]"
SPACED = rf"(?:{MARKUP}| )*"
CLAUSE = r"[,.;:!?()\[\]{}|\n\r\"—]"
# Of the words that take a label back, those that tests use.
DOUBT_BEHIND = """
    not no never cannot unable unclear unknown none nothing maybe perhaps possibly probably likely
    might may could would whether either doubt
"""
DOUBTS = """
    not no never cannot can't unable unclear unknown none nothing maybe perhaps
    possibly probably likely might may could would whether either doubt if unless earlier previously
"""
DEGREES = """
    almost few half hardly largely less more mostly nearly nobody only partially partly semi some
    somewhat
"""
AGAINST = """
    anything fail failed fails false far loser losing nowhere problem than untrue weaker weakest
    worse worst wrong
"""
DOUBT_WORDS = [
    "not", "isn", "maybe", "perhaps", "possibly", "probably", "likely", "might", "may", "could",
    "would", "whether", "either", "doubt", *DEGREES.split(),
]  # fmt: skip
AROUND = """
    a actually an as claim clearly completely entirely final finally fully hence i indeed it my our
    overall reply response simply so statement that the therefore this thus to wait we
"""
NAMES = """
    answer assessment classification conclusion decision grade judgement judgment label mark rating
    score verdict winner
"""
WHY = "because since as given based which"
STATES = """
    are assign call choose consider deem find give grade is it's judge label mark pick rate that's
"""
REASONS = ["and", *WHY.split()]


SCALE = rf"(?i:{SPACED}(?:[/／]|\b(?:out\s+)?of\b){SPACED}(\d+)(?![^\W_]|/)(?:\.0+(?![^\W_]))?)"
BESIDE_DEGREES = "but completely entirely exactly fully in part quite really though totally well"
DENYING = ["incorrect", "wrong", "false", "no", "not"]


class Mention(NamedTuple):
    """A label where it stands."""

    label: str
    start: int
    end: int
    doubted: bool
    undone: bool = False


def mentions(text: str, labels: list[str]) -> list[Mention]:
    """Labels as whole words, the longest first, each with whether it is taken back."""
    words = {label: re.split(r"[\s_-]+", label.lower()) for label in labels}
    by_length = sorted(labels, key=lambda label: -len(words[label]))
    gap = r"[\s_/'-]+"
    top = scale_of(labels)
    pattern = "|".join(
        f"(?P<g{at}>{gap.join(map(re.escape, words[label]))})" for at, label in enumerate(by_length)
    )
    whole = rf"(?<![^\W_])(?<!\w[-_'])(?:{pattern})(?![^\W_])(?![-_']\w)"
    found: list[Mention] = []
    starts = {match.start() for match in re.finditer(whole, text.lower())}
    position = 0
    while match := re.compile(whole).search(text.lower(), position):
        label = by_length[int(str(match.lastgroup)[1:])]
        end, other = match.end(), False
        if label.isdigit():
            zeros = re.compile(r"\.0+(?![^\W_])").match(text, end)
            end = zeros.end() if zeros else end
            if re.match(r"[.,]\d|[+#]", text[end:]) or re.search(
                r"(?:\d[.,]|[-−+])\Z", text[: match.start()]
            ):
                position = match.end()
                continue
            scale = re.compile(SCALE).match(text, end)
            if top is not None and scale:
                end, other = scale.end(), int(scale[1]) != top
        position = end
        inside = {at for one in found for at in range(one.start, one.end)}
        doubted = taken_back(text[: match.start()], inside)
        asked = re.match(rf"{SPACED}\?", text[end:])
        undone = undone_behind(text, end, starts, match[0])
        doubted = doubted or bool(asked) or undone or other
        doubted = doubted or contradicted(text[: match.start()], text[end:], match[0])
        found.append(Mention(label, match.start(), end, doubted, undone))
    return found


TICKS, CROSSES = "✅✔✓☑🗸👍", "❌✘✗✖❎☒🚫⛔🗙👎"
POSITIVE = """accept accepted accurate approved correct entailed good pass passed right supported
    true valid yes"""
NEGATIVE = """contradicted fail failed inaccurate no not refuted reject rejected unsupported wrong
    falsch faux falso incorrect mistaken stale outdated invalid superseded unverified unconfirmed
    false disregard ignore obsolete deprecated typo"""


def contradicted(before: str, after: str, label: str) -> bool:
    """Whether a sign beside a label says the opposite of it."""
    found = re.search(r"[^\W_]+", label)
    first = found[0].lower() if found else ""
    against = CROSSES if first in POSITIVE.split() else TICKS if first in NEGATIVE.split() else ""
    left, right = re.search(rf"{SPACED}\Z", before), re.match(SPACED, after)
    assert left is not None
    assert right is not None
    return any(sign in left[0] + right[0] for sign in against)


def favoured(text: str, labels: list[str]) -> str | None:
    """The label that a text does nothing but prefer."""
    sides = "(?:answer|assistant|candidate|model|one|option|output|reply|response|the)"
    praised = "(?:clearly|definitely|far|much|significantly|slightly|the)"
    praise = "(?:best|better|preferable|preferred|stronger|superior|winner)"
    gap, stop = rf"(?:{MARKUP}|\s)+", rf"(?:{MARKUP}|[\s.!])*"
    named = sorted(labels, key=len, reverse=True)
    label = "|".join(re.escape(name) for name in named)
    found = re.fullmatch(
        rf"(?i:{stop}(?:{sides}{gap})*(?P<first>{label}){gap}"
        rf"(?:wins|is{gap}(?:{praised}{gap})*{praise})(?:{gap}{sides})*{stop})",
        text,
    )
    if not found or len(text.rstrip()) >= 200:
        return None
    return next(name for name in named if name.lower() == found["first"].lower())


def scale_of(labels: list[str]) -> int | None:
    """The largest of labels that are numbers, where there are three of them."""
    grades = [int(label) for label in labels if label.isdigit()]
    return max(grades) if len(grades) > 2 else None


def taken_back(before: str, inside: set[int]) -> bool:
    """Whether one of the last six words of the clause doubts what follows it."""
    ends = [match.end() for match in re.finditer(CLAUSE, before)]
    clause = ends[-1] if ends else 0
    word = re.compile(r"['’]*(?:[^\W_]['’]*)*[^\W_]")
    last = list(word.finditer(before, clause))[-6:]
    for match in last:
        found = match[0].lower()
        doubts = found in DOUBTS.split() or (len(found) > 2 and found.endswith("n't"))
        weighed = found in [*DEGREES.split(), *AGAINST.split()]
        torn = match is last[-1] and found == "in"
        if (doubts or weighed or torn) and match.start() not in inside:
            return True
    return False


def qualified(sentence: str, label: str) -> bool:
    """Whether a sentence does nothing but weaken the label before it."""
    words = [
        word.lower() for word in re.findall(r"[^\W_]+", re.split(r"[.!:;?\n\r。]", sentence)[0])
    ]
    weak = [word for word in words[:6] if word in DOUBT_WORDS]
    known = {*DOUBT_WORDS, *BESIDE_DEGREES.split()}
    return bool(weak) and set(words[:6]) <= known and label.split(maxsplit=1)[0] not in DENYING


def undone_behind(text: str, end: int, starts: set[int], label: str) -> bool:
    """Whether what stands behind a label, at most after *but* or the like, takes it back."""
    last, denial = end, label == "no"
    for back in range(3):
        word = re.compile(r"[^\W_]+").search(text, last)
        if not word:
            return False
        gap, found = text[last : word.start()], word[0].lower()
        if back == 0 and re.search("[.!。]", gap):
            return qualified(text[word.start() :], label)
        if re.search(r"[.!:;\n\r?]", gap) or word.start() in starts:
            return False
        if back == 0 and found in ["is", "are", "equals", "totals", "was", "were", "had", "been"]:
            return True
        if back == 0 and denial and gap.isspace():
            return found not in [*REASONS, "or"]
        if found in DOUBT_BEHIND.split() + DEGREES.split():
            near = re.compile(r"[\s_/'-]+").match(text, word.end())
            return not (near and near.end() in starts)
        if found not in ("but", "however", "by", "though", "although"):
            return False
        last = word.end()
    return False


def agreed(found: list[Mention]) -> tuple[Mention | None, str]:
    """What all that are not doubted agree on, or why there is nothing."""
    sure = [mention for mention in found if not mention.doubted]
    for at, mention in enumerate(found):
        before = {one.label for one in found[:at] if not one.doubted}
        if mention.undone and len(before) < 2:
            return None, "ambiguous"
    if len({mention.label for mention in sure}) > 1:
        return None, "several"
    if sure:
        return sure[0], ""
    return None, "ambiguous" if found else "none"


def opening(text: str, found: list[Mention]) -> Mention | None:
    """The label that a text begins with, where no word goes on with it or offers another."""
    if not found or found[0].doubted:
        return None
    first = found[0]
    if not re.fullmatch(rf"(?:{MARKUP}|\s)*", text[: first.start]):
        return None
    after = re.match(rf"{SPACED}([^\W_]*)", text[first.end :])
    if after and after[1] and after[1].lower() not in WHY.split():
        return None
    for other in found[1:2]:
        gap = text[first.end : other.start]
        joins = set(re.findall(r"[^\W_]+", gap.lower())) <= {"and", "or"}
        if other.label != first.label and joins and not re.search(r"[.!:;\n\r]", gap):
            return None
    return first


def answered(text: str, labels: list[str]) -> tuple[Mention | None, str]:
    """What a text that is the answer decides for."""
    found = mentions(text, labels)
    first = opening(text, found)
    if first and taken_back_later(text, first, found):
        return None, "several"
    return (first, "") if first else agreed(found)


def taken_back_later(text: str, first: Mention, found: list[Mention]) -> bool:
    """Whether a later clause states another label."""
    return any(
        not other.doubted
        and other.start >= first.end
        and other.label != first.label
        and closes_clause(text[other.end :])
        and head(text[: other.start], CLAUSE) is not None
        for other in found
    )


def closes_clause(after: str) -> bool:
    rest = re.sub(rf"\A{SPACED}", "", after)
    word = re.match(r"[^\W_]+", rest)
    if word:
        return word[0].lower() in REASONS
    return not rest or rest[0] in ".,;!\n\r-–—"


def head(before: str, ends: str) -> tuple[list[str], str] | None:
    """The words before a label back to one of these signs, if all are those of a judge."""
    clause = re.split(f"({ends})", before)
    words = re.findall(r"(?:[^\W_]|['’])+", clause[-1])
    dress = re.fullmatch(r"(?:[^\W_]|['’]|[ *_`#])*", clause[-1])
    known = {*AROUND.split(), *NAMES.split(), *STATES.split()}
    words = [word.lower() for word in words]
    if not dress or len(words) > 8 or not set(words) <= known:
        return None
    return words, clause[-2] if len(clause) > 1 else ""


def stands_alone(reply: str, mention: Mention) -> bool:
    dress = rf"(?:{MARKUP}|[^\S\n\r])*"
    before, after = reply[: mention.start], reply[mention.end :]
    line = re.search(rf"(?:^|[\n\r]){dress}\Z", before)
    sentence = re.search(rf"[.!?…](?:{MARKUP}|[^\S\n\r])+\Z", before)
    ends = re.match(rf"{dress}(?:\Z|[\n\r!]|\.(?![^\W_]))", after)
    return bool((line or sentence) and ends)


def bracketed(reply: str, mention: Mention) -> bool:
    """In double brackets, with nothing that goes on behind them but another label offered."""
    after = reply[mention.end :]
    if not (reply[: mention.start].endswith("[[") and after.startswith("]]")):
        return False
    return closes_clause(after[2:]) or bool(re.match(r"\s*or(?![^\W_])", after[2:].lower()))


def announced(reply: str, mention: Mention) -> bool:
    """Behind a name of the verdict, perhaps its scale or *is*, and a colon."""
    scale = r"(?:[(\[](?=.{0,16}[)\]][*_ ]*:)(?:from|of|out|to|[0-9]+|[ /–-])*[)\]][*_ ]*)?"
    name = re.search(
        rf"([^\W\d_]*){SPACED}(?:(?<![^\W_])(?i:is){SPACED})?{scale}:{SPACED}\Z",
        reply[: mention.start],
    )
    scaled = re.search(r"/|of", reply[mention.start : mention.end].lower())
    number = not any(c.isalpha() for c in mention.label) and not scaled
    after = reply[mention.end :]
    if not (re.match(r"[ *]*\(", after) or closes_clause(after)):
        return False
    if not name or name[1].lower() not in NAMES.split() or (number and name[1].lower() == "answer"):
        return False
    return head(reply[: name.end(1)], r"[.!;\n\r。]") is not None


def claimed(reply: str, mention: Mention) -> bool:
    """The end of a sentence of nothing but the words of a judge."""
    if not closes_clause(reply[mention.end :]):
        return False
    scaled = re.search(r"/|of", reply[mention.start : mention.end].lower())
    number = not any(c.isalpha() for c in mention.label) and not scaled
    found = head(re.sub(rf"{MARKUP}*\Z", "", reply[: mention.start]), r"[.!:;\n\r?,—]")
    if found is None:
        return False
    words, sign = found
    return (
        bool({*words} & {*STATES.split()})
        and (sign not in (",", ":", "—") or words[0] in ("so", "hence", "therefore", "thus"))
        and (not number or bool({*words} & {*NAMES.split()}))
    )


def verdict(reply: str, key: str, labels: list[str]) -> tuple[str | None, str, str]:
    """The label of a reply without a marker, its status and rule; of JSON only what lacks."""
    text, value, status, rule = find_through(reply, [key])
    if value is not None:
        if value.form == "nested":
            return None, status, "unparsed"
        held = plain(text, value)
        found, why = answered(held, labels)
        preferred = favoured(held, labels) if why == "ambiguous" else None
        if found or preferred is not None:
            return found.label if found else preferred, status, ""
        lack = "abstained" if is_sentinel(held) else "unparsed"
        if why == "several":
            status = "conflict"
        return None, status, why if why != "none" else lack
    if rule != "no_object":
        return None, status, rule
    every = mentions(reply, labels)
    first = opening(reply, every)
    written = reply[first.start : first.end] if first else ""
    capitals = sum(c.isupper() for c in written) > 1 and not any(c.islower() for c in written)
    subject = (
        r"(?:(?:the|this|its|your)[^\w]+)?(?:claim|it|model|reply|response|statement)(?![^\W_])"
    )
    about = rf":(?:{MARKUP}|\s)*{subject}|"
    plainly = capitals or (first and first.label.lower().split()[0] in DENYING[:3])
    explained = rf":(?:{MARKUP}|\s)*[^\W\d_]|" if plainly else f"(?i:{about[:-1]})|"
    off = rf"{MARKUP}*(?:{explained}[,;]|\s*[-–—])"
    opened = [first] if first and re.match(off, reply[first.end :]) else []
    alone = [one for one in every if stands_alone(reply, one) or bracketed(reply, one)]
    found, why = agreed(alone + opened)
    if found and taken_back_later(reply, found, every):
        return None, "conflict", "several"
    if found:
        rest = reply[: found.start] + reply[found.end :]
        bare = re.fullmatch(rf"(?:{MARKUP}|\s|\.)*", rest)
        return found.label, *(("strict", "label") if bare else ("repaired", "line"))
    if why == "several":
        return None, "conflict", "several"
    found, why = agreed([one for one in every if announced(reply, one)])
    if why == "several" or (found and taken_back_later(reply, found, every)):
        return None, "conflict", "several"
    if found:
        return found.label, "repaired", "prose"
    preferred = favoured(reply, labels)
    if preferred is not None:
        return preferred, "repaired", "prose"
    found, why = agreed([one for one in every if one.doubted or claimed(reply, one)])
    if found:
        return found.label, "repaired", "prose"
    if why == "several":
        return None, "conflict", "several"
    return None, "failed", "no_label" if why == "none" else why


def label_of(text: str, labels: list[str]) -> str | None:
    """The only label that a text names as whole words, the longest first; for plain texts."""
    named = {mention.label for mention in mentions(text, labels)}
    return named.pop() if len(named) == 1 else None
