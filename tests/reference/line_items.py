"""What the line items of a text come to, read token by token as a string of letters."""

import re
from fractions import Fraction

SIGNS = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "₹": "rupee"}
CODES = {"usd": "dollar", "eur": "euro", "gbp": "pound", "jpy": "yen", "inr": "rupee"}
NAMES = {"dollar": "dollar", "dollars": "dollar", "euro": "euro", "euros": "euro"}
KINDS = {
    "u": "each apiece ea",
    "p": "per",
    "a": "a",
    "f": "for",
    "q": "unit",
    "i": "piece item pop",
    "d": "dozen dozens hundred thousand million gross score",
    "t": "total totals subtotal sum overall",
    "c": "are at charged cost costing costs is it just of one only price priced prices rate that "
    "the they to was were which",
}
KIND = {word: kind for kind, words in KINDS.items() for word in words.split()}
NUMERAL = re.compile(
    r"((?:[0-9]{1,3}(?![0-9])(?:,[0-9]{3}(?![0-9]))*|[0-9]{4,}))(?:\.([0-9]{1,2})(?![0-9]))?"
)
BLANK = " \t\r\xad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


def blank(c: str) -> bool:
    return c in BLANK or (ord(c) > 127 and c.isspace() and c not in "\x85\u2028\u2029")


def in_word(c: str) -> bool:
    return c == "_" or c.isalnum()


def ascii_alnum(c: str) -> bool:
    return c.isascii() and c.isalnum()


class Line:
    """A line as a string of codes, one a token, with the values of numbers and amounts."""

    def __init__(self, text: str) -> None:
        """Read a line."""
        self.text = text
        self.codes = ""
        self.values: list[Fraction | None] = []
        self.currencies: list[str | None] = []
        at = 0
        while at < len(text):
            at = self._token(at)

    def _at(self, place: int) -> str:
        """Return a character; beyond the ends is a line's end."""
        return self.text[place] if 0 <= place < len(self.text) else "\n"

    def _add(self, code: str, value: Fraction | None = None, currency: str | None = None) -> None:
        self.codes += code
        self.values.append(value)
        self.currencies.append(currency)

    def _token(self, at: int) -> int:
        c, after = self._at(at), self._at(at + 1)
        if c in "0123456789":
            return self._figure(at, None)
        if in_word(c):
            return self._word(at)
        if c in SIGNS:
            start = self._blanks(at + 1)
            if self._at(start) in "0123456789":
                return self._figure(start, SIGNS[c])
            self._add("O")
            return start
        if c == "*":
            if after == "*":
                return at + 2
            white = " \t\n\x0c\r"
            if (self._at(at - 1) in white) == (after in white):
                self._add("X")
            return at + 1
        if (
            c in "#~<>+^−≈±≤≥"
            or (c == "-" and (after in "0123456789$"))
            or (c == "." and after in "0123456789")
        ):
            start = at + 1 + (after in SIGNS)
            if self._at(start) in "0123456789":
                before = len(self.codes)
                end = self._figure(start, None)
                self.codes = self.codes[:before]
                del self.values[before:], self.currencies[before:]
                self._add("O")
                return end
            self._add("O")
            return start
        if c + after == "=>":
            self._add("E")
            return at + 2
        if c in "()[]{}\"'`\\“”‘’«»" or blank(c):
            return at + 1
        codes = {"×✕✖⨯": "X", "@": "A", "=→⇒": "E", "/": "/", ",:-|–—": "C", ".;!?": "S", "&": "w"}
        self._add(next((code for signs, code in codes.items() if c in signs), "O"))
        return at + 1

    def _blanks(self, at: int) -> int:
        while at < len(self.text) and (blank(self.text[at]) or self.text[at] == "\\"):
            at += 1
        return at

    def _word_end(self, at: int) -> int:
        while True:
            if in_word(self._at(at)):
                at += 1
            elif self._at(at) in "-'" and ascii_alnum(self._at(at + 1)):
                at += 2
            else:
                return at

    def _word(self, at: int) -> int:
        after = self._at(at + 1)
        joined = (ascii_alnum(after) or after == "_") and after not in "0123456789"
        if self._at(at) in "xX" and not joined:
            self._add("X")
            return at + 1
        end = self._word_end(at)
        said = self.text[at:end].lower()
        start = self._blanks(end)
        if said in CODES and self._at(start) in "0123456789":
            return self._figure(start, CODES[said])
        self._add("X" if said == "times" else KIND.get(said, "w"))
        return end

    def _figure(self, start: int, before: str | None) -> int:
        match = NUMERAL.match(self.text, start)
        assert match
        digits = match[1].replace(",", "")
        value = Fraction(int(digits)) + Fraction(int((match[2] or "0").ljust(2, "0")), 100)
        end = match.end()
        behind, end = self._currency_behind(end)
        first, second = self._at(end), self._at(end + 1)
        times = first in "xX" and not (ascii_alnum(second) or second == "_")
        if (in_word(first) and not times) or (
            first == "-" and second.isascii() and second.isalpha()
        ):
            end = self._word_end(end + (first == "-"))
            self._add(KIND.get(self.text[start:end].lower(), "w"))
            return end
        figure = "0123456789"
        if first == "%" or (first in ".,:/-^–" and second in figure):
            end += 1
            while self._at(end) in figure or (
                self._at(end) in ".,:/-" and self._at(end + 1) in figure
            ):
                end += 1
            self._add("O")
        elif len(digits) > 6 or (before and behind and before != behind):
            self._add("O")
        elif before or behind:
            self._add("M", value, before or behind)
        else:
            self._add("N", value)
        return end

    def _currency_behind(self, end: int) -> tuple[str | None, int]:
        start = self._blanks(end)
        if self._at(start) in SIGNS:
            if self._at(start + 1) not in "0123456789":
                return SIGNS[self._at(start)], start + 1
        elif self._at(start).isascii() and self._at(start).isalpha():
            stop = self._word_end(start)
            said = self.text[start:stop].lower()
            if said in CODES or said in NAMES:
                return CODES.get(said) or NAMES[said], stop
        return None, end


WORD = "[upafqidtcw]"
PRICES = "(?:[CS][uafqcCS]*)?[XA]?"
# A number up to its amount.
COUNTED = re.compile(f"N(?:X(?:(?!d){WORD}{WORD}*{PRICES})?|(?:(?!d){WORD}{WORD}*)?{PRICES})M")
BY_SIGN = re.compile("[XA]M$|u[afqcCSXA]*M$")
UNIT = "(?:u|[p/](?!d)[upafqitcw]|a[iq])"
PRICED = re.compile(f"M(?:(?:{UNIT})*X|(?:{UNIT})+f)N")


def worked_out(*texts: str) -> float | None:
    """What the line items of texts come to together; nothing if one of them has none."""
    items: list[tuple[Fraction, str]] = []
    void = False
    for text in texts:
        before = len(items)
        for line in text.split("\n"):
            found, wrong = of_row(line) if line.count("|") > 1 else (None, False)
            if found is None and not wrong:
                found, wrong = of_line(Line(line))
            items += found or []
            void |= wrong
        if len(items) == before:
            return None
    if void or not items or len({currency for _, currency in items}) > 1:
        return None
    return float(sum(product for product, _ in items))


def of_line(line: Line) -> tuple[list[tuple[Fraction, str]], bool]:
    codes = line.codes + "$$$"
    kept: list[tuple[Fraction, str, int]] = []
    judged, void, at = -1, False, 0
    while at < len(line.codes):
        product, currency, end, whole = item(line, codes, at)
        if whole and codes[end] == "X":
            at = dead(codes, end)
            continue
        while whole and codes[end] in WORD[1:-1] + "/":
            end += 1
        stated = product is not None and codes[end] == "E" and codes[end + 1] in "NM"
        if product is not None and stated and codes[end + 2] != "X":
            of = line.currencies[end + 1]
            earlier = [place for *_, place in kept if place > max(judged, codes.rfind("S", 0, end))]
            either = currency or of
            right = abs(product - (line.values[end + 1] or 0)) <= Fraction(1, 200)
            if right and either and of in (None, either):
                kept.append((product, either, end))
            elif whole and currency and earlier:
                kept.append((product, currency, end))
            else:
                void |= whole
            judged, at = end, end + 2
            continue
        if whole and product is not None and currency:
            kept.append((product, currency, end))
        at = dead(codes, end + 2) if stated else end
    return [(product, currency) for product, currency, _ in kept], void


def item(line: Line, codes: str, at: int) -> tuple[Fraction | None, str | None, int, bool]:
    """Return what begins there: product, currency, end, and whether it needs no total."""

    def product(one: int, other: int) -> Fraction:
        return (line.values[one] or Fraction(0)) * (line.values[other] or Fraction(0))

    if match := COUNTED.match(codes, at):
        amount, end = match.end() - 1, match.end()
        unit = re.compile(UNIT).match(codes, end)
        if unit or BY_SIGN.search(match[0]):
            end = unit.end() if unit else end
            return product(at, amount), line.currencies[amount], end, True
        if codes[end] == "E":
            return product(at, amount), line.currencies[amount], end, False
        if not (codes[end] == "X" and codes[end + 1] == "N"):
            return None, None, end, False
        at = amount
    if match := PRICED.match(codes, at):
        return product(at, match.end() - 1), line.currencies[at], match.end(), True
    if codes.startswith("NXN", at):
        if codes[at + 3] == "X":
            return None, None, dead(codes, at + 3), False
        return product(at, at + 2), None, at + 3, False
    return None, None, at + 1, False


def dead(codes: str, start: int) -> int:
    """Return where what went on with a times sign is over."""
    found = re.compile("[CS]").search(codes, start)
    return found.start() if found else len(codes)


def of_row(text: str) -> tuple[list[tuple[Fraction, str]] | None, bool]:
    numbers: list[Fraction] = []
    amounts: list[Fraction] = []
    currencies, total = set(), False
    for cell in text.split("|"):
        line = Line(cell)
        if match := re.fullmatch("X?([NM])[upafqitcw/X]*", line.codes):
            place = match.start(1)
            (numbers if match[1] == "N" else amounts).append(line.values[place] or Fraction(0))
            currencies |= {line.currencies[place]} - {None}
        elif re.search("[NME]", line.codes):
            return None, False
        else:
            total |= "t" in line.codes
    if len(numbers) > 4 or len(amounts) > 2 or len(currencies) > 1:
        return None, False
    if total:
        return [], False
    (currency,) = currencies or {""}
    assert currency is not None
    if len(amounts) == 1 and len(numbers) == 1:
        return [(numbers[0] * amounts[0], currency)], False
    if len(amounts) == 2:
        for number in numbers:
            for price, stated in (amounts, amounts[::-1]):
                if abs(number * price - stated) <= Fraction(1, 200):
                    return [(number * price, currency)], False
        return None, len(numbers) == 1
    return None, False
