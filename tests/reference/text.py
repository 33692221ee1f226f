"""Text scorers, one reply at a time, with regular expressions over a normalised text."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

INVISIBLE = re.compile(r"[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe0e\ufe0f\ufeff]")
MARKUP = re.compile(r"[\s*_`$\"'\\|\[\](){}<>]*")
FENCE = re.compile(r"\s*```(?:[A-Za-z][A-Za-z0-9]*)?\s*")
WINDOW = 1024

REFUSAL = """unable cannot can't cant couldn't don't didn't won't unknown undetermined indeterminate
    inconclusive insufficient unavailable undefined unclear unsure uncertain unspecified impossible
    n/a na tbd tbc never neither nor none nothing null nan refuse decline withheld unanswerable
    unknowable idk desconocido desconocida inconnu inconnue unbekannt sconosciuto onbekend"""
NEGATION = """not 不是 nicht non pas kein keine isn't aren't doesn't wasn't hasn't haven't weren't
    shouldn't wouldn't niet geen inte ikke nie nem tidak não nao не нет لا لم غير ні नहीं không"""
PENDING = "need needs please provide awaiting await waiting pending sorry lack lacks"
WANTING = "needed required require requires missing incomplete"
RETRACT = "wait actually correction oops scratch hmm hm erm uh"
WRONG = """wrong incorrect mistaken stale outdated invalid superseded unverified unconfirmed false
    falsch faux falso disregard ignore obsolete deprecated typo"""
HEDGE = """maybe perhaps possibly probably likely might may could would whether either guess think
    believe assume suppose seems appears alternatively doubt doubtful hardly scarcely barely lost
    error presumably supposedly allegedly reportedly apparently seemingly tentative tentatively
    hypothetical hypothetically suspect depends varies guessing disputed iirc afaik afaict"""
EARLIER = """earlier previous previously prior old former formerly assumed used longer originally
    initially"""
SPANS = """chapter duration elapsed exodus genesis isaiah john lasted lasts luke matthew odds
    proverbs psalm psalms ratio romans runtime score scored take taken takes took verse version"""
UNKEPT = "canceled cancelled postponed rescheduled"
SPANS_BEHIND = "elapsed left long remain remaining remains"
LABELS = """total totals subtotal sum answer result value price cost costs amount number count
    balance difference average mean product quantity choice option solution x y z n"""
BESIDE_LABELS = """the a my our your this so thus therefore hence and is final grand overall new
    current correct corrected updated right here it exact combined net gross unit"""
BEFORE_OPTION = """the a an option choice now still indeed just definitely clearly certainly
    therefore thus"""
AROUND_OPTION = """turn now indeed definitely clearly certainly of course confirmed final answer see
    above please thanks thank you the my here"""
GONE = """gone left resigned retired replaced quit fired died predecessor successor outgoing last
    opposite exception except without before ago until once out who whom that which ex other than
    anyone someone anybody deputy alternative second runner rival rumor rumour says said say
    claims claimed liar worst decoy"""
BOUNDS = """before after until till by from since past to starting as than beyond latest earliest
    except without besides like"""
SCALES_UNREAD = """dozen dozens grand gross mil mill mille tausend tsd lac lacs cr tn trn score"""
STATING = "is are equals totals it's that's"
BECAUSE = """because since as given based assuming from after instead rather unlike compared up down
    which where using including excluding"""
REMARK = f"{BECAUSE} not"
CHANGE = """half quarter quarters thirds squared cubed factorial below plus minus negative least
    most minimum maximum max tops latest earliest upward upwards onward onwards odd something pi"""
MONTHS = """january february march april june july august september october november december jan
    feb mar apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember
    janvier février avril juin juillet août décembre enero marzo mayo agosto"""
OPEN = """up above over more counting change higher older rising beyond some under below less fewer
    lower younger growing climbing then later earlier"""
DONE = "doubled halved off quadrupled tripled"
OTHER_LABELS = """stored remembered recalled recorded claimed reported memory note notes session
    initial original supposed assistant vice acting expected planned target goal limit example
    sample backup losing next absent rejected excluded eliminated discarded cancelled canceled
    expired deleted removed failed unlikely"""
RETRACTIONS = """
    wait; oops; correction; scratch that; hold on; no wait; no, wait; hmm; actually, no; that is
    wrong; that's wrong; that was wrong; that is incorrect; that's incorrect; that was
    incorrect; that is not right; that's not right; this is wrong; this is incorrect; this was
    wrong; i made a mistake; i made an error; i was wrong; my mistake; let me recheck; let me
    reconsider; let me recalculate; sorry, that was; sorry, that is wrong; sorry, that is not;
    sorry, that is incorrect; sorry, that's wrong; sorry, that's not; sorry, that's incorrect;
    sorry, that should; i need to correct; on second thought; on second thoughts; the above is
    wrong; the above is incorrect; the above was wrong; the above was incorrect; the above
    answer is wrong; the above answer is incorrect; ignore the above; strike that; disregard the
    above; disregard that; disregard this; disregard my; ignore that; ignore this; ignore my; i
    misread; i miscalculated; i miscounted; i misspoke; i take that back; i take it back; i
    retract; i stand corrected; let me correct that; let me correct this; let me correct my; let
    me fix that; let me fix this; let me redo; let me try again; let me start over; that isn't
    right; that is not correct; that's not correct; that isn't correct; that can't be right;
    that cannot be right; this is not right; this isn't right; this is not correct; this isn't
    correct; whoops; uh oh; hang on; hold up; erratum; that is not the answer; that's not the
    answer; scratch the above; correcting myself; correcting:; actually no; actually wait; oh
    wait; ah wait; um, no; small correction; self-correction; my answer is wrong; my answer was
    wrong; this answer is wrong; that answer is wrong; the answer above is wrong; that's not it;
    that is not it; that is an error; that was an error; i withdraw that; the answer is wrong;
    the answer is incorrect; the answer is not right; the answer is not correct; the answer was
    wrong; my previous answer is wrong; my previous answer was wrong; i think i was wrong; i
    changed my mind; i've changed my mind; forget that; cancel that; ignore the previous answer;
    ignore the previous line; disregard the previous answer; disregard the previous line"""
VERDICTS = "wrong; incorrect"
DOUBTS = "actually, that; actually, this; actually that; actually this"
FAULTS = ["wrong", "incorrect", " not ", "n't", "should", "mistake", " off"]
FOREIGN_RETRACTIONS = """
    korrektur; berichtigung; warte; moment mal; das ist
    falsch; das war falsch; das stimmt nicht; ich habe
    mich geirrt; ich habe mich verrechnet; attends;
    attendez; c'est faux; c'est incorrect; je me suis
    trompé; je me suis trompée; je corrige; corrección;
    correccion; me equivoqué; me he equivocado; eso está
    mal; eso es incorrecto; correção; me enganei; errei;
    correzione; mi sono sbagliato; mi sono sbagliata;
    correctie; korekta; sprostowanie; rättelse;
    rettelse; düzeltme; oprava; исправление; поправка;
    подождите; я ошибся; я ошиблась; это неверно; это
    неправильно; виправлення; 更正; 纠正; 糾正; 订正; 訂正; 勘误;
    不对; 不對; 错了; 錯了; 等等; 等一下; 我错了; 我錯了; 我算错; 我算錯; 修正;
    待って; 間違えました; 間違いました; 間違いです; 間違いでした; 정정; 수정; 잠깐만; 틀렸;
    تصحيح; सुधार"""
GOES_ON = """applied by did for from if list lists message noted see staff till time times to turn
    until used"""
CORRECTIONS = """
    actually; edit; rather; make that; i meant; i mean; it should be; that should be; this
    should be; it should have been; that should have been; this should have been; should be;
    should have been; should read; it should read; that should read; the answer should be; it is
    actually; it's actually; make it; it must be; i should have said; the total should be; well,
    actually; in fact, it is; in fact it is; or rather; i meant to say; there are actually;
    there is actually; changed to"""
FOREIGN_CORRECTIONS = """
    richtig ist; eigentlich; ich meinte; je voulais dire; quise decir; en
    fait; plutôt; la bonne réponse est; en realidad; mejor dicho; na
    verdade; in realtà; на самом деле; 应该是; 應該是; 应为; 應為; 实际上; 實際上; 正しくは"""
INTERJECTIONS = """
    no; nope; wrong; incorrect; my bad; mistake; sorry; apologies; my apologies; typo; nah; i
    apologize; i'm sorry; i was mistaken; amended; recalculated; errata; edit; update; updated;
    corrected; fixed; fix; rather; error; rectification; never mind; nevermind; oh no; on
    reflection; upon reflection; upon review; on review; upon rechecking; after rechecking;
    rechecking; recalculating; upon re-reading; on re-reading; looking again; checking again;
    nvm; i apologise; after checking; after checking again; after double-checking; double-checking;
    i double-checked; let me double-check; looking closer; on second look"""
FOREIGN_INTERJECTIONS = """
    nein; doch; entschuldigung; fehler; richtig; falsch; non;
    pardon; désolé; désolée; erreur; perdón; perdon; não; nao;
    desculpe; aliás; scusa; scusate; anzi; nee; nej; nie; hayır;
    нет; ошибка; извините; простите; неверно; вернее; точнее;
    ні; 不; 不是; 抱歉; 对不起; 對不起; いいえ; いや; すみません; 아니요; 아니; 아니오;
    죄송합니다; لا; नहीं"""
STATEMENTS = """
    the answer is; so the answer is; my answer is; answer is"""
ANEW = "actual correct corrected final new proper real revised right true updated"
ANSWERS = """amount answer choice cost count figure letter name number option price result sum time
    total value"""
RESTATES = """
    it is; it's; its; it should be; that should be; that is; the answer is; the correct; the
    right; make that; i meant; i mean; should be; should have been; should read; it must be; make
    it"""
FOREIGN_RESTATES = """
    es sind; es ist; das sind; das ist; es sollte; c'est; ce
    sont; il y en a; es; son; sono; è; são; é; это; 是; 应该是; 應該是"""
COURTESIES = """
    above all aucun aucune below changed clarified clear correct corrected done enough final fine
    fixed formatting geen indeed it keine kidding matter nessuno ninguna ninguno none noted nothing
    ok okay please problem really right same seriously sorry sure thank thanks thx typo unchanged
    welcome worries yes"""
LINKS = "ah and but nb note oh ps so that well"
NAMING = "at choice option the"
ADVERBS = "actually at instead likely maybe now of course perhaps probably rather really"
FILLERS = """actually also alternatively answer apologies be believe but choice correct corrected
    correction could fact final guess hence however i in instead is it it's letter likely
    maybe meant might misread mistake must my now nvm oops option or perhaps possibly
    probably rather really right should so sorry that that's the then therefore think thus
    typo updated"""
SPELLED = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty
    ninety hundred thousand million billion"""
LOUD = f"""{REFUSAL} {NEGATION} {PENDING} {WANTING} {RETRACT} {WRONG} {HEDGE} {EARLIER} {STATING}
    {REMARK} {CHANGE} about approximately around roughly circa exactly precisely now therefore thus
    then only just still indeed no was were had been if unless but however or and to through vs
    versus so hence making giving altogether"""
BEFORE_LETTER = f"""{BEFORE_OPTION} letter answer final with assistant candidate completion model
    output response be choose pick select say choosing
    picking selecting yes ok okay sure well right"""
HOLDS = """contain contains earn earns has have hold holds need needs own owns owe owes save saves
    weigh weighs"""
NOBODY = """believes estimates expects few guesses hopes i i'd i'll i'm i've most nobody some thinks
    we who"""
IN_ALL = "all altogether in left now over overall remaining total"
NO_UNIT = "each fewer for in less left more of over per than total"
OF_TASK = """answers choices details interpretations notes options possibilities problems questions
    readings reasons ways"""
SAID = r"\b(?:at first|back then|by mistake|from memory|since changed|now changed)\b"
CONDITION = (
    r"\b(?:assuming|provided|providing) "
    r"(?!(?:above|as|by|earlier|for|from|in|to)\b)(?=[^\W\d_])"
)
UNSURE = "sure certain verified confirmed enough available known possible able final correct right"
INTRODUCTIONS = """
    total; sum; answer; result; grand total; das sind; es sind;
    das ist; es ist; das macht; das ergibt; die antwort ist; die
    antwort lautet; insgesamt; gesamt; summe; c'est; ce sont;
    cela fait; ça fait; il y en a; au total; la réponse est;
    son; es; hay; en total; la respuesta es; sono; è; in totale;
    la risposta è; são; é; no total; a resposta é; это; итого;
    всего; 共; 一共; 总共; 答案是; 合计; antwort; ergebnis; réponse;
    résultat; respuesta; resultado; risposta; risultato;
    resposta; ответ; результат; 答案; 答え; 答えは; 정답; 정답은; 总计"""
CODES = """AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR JPY KES
    KRW MXN MYR NGN NOK NZD PEN PHP PKR PLN RON RUB Rs SAR SEK SGD THB TRY TWD UAH USD VND
    ZAR"""


def words_of(*lists: str) -> str:
    """A pattern for any of these words, whole."""
    words = [word for part in lists for word in part.split()]
    return r"(?<![\w'])(?:" + "|".join(map(re.escape, words)) + r")(?![\w'])"


SIGN = r"[$\u00a2-\u00a5\u0e3f\u20a0-\u20c0]"
CURRENCY = (
    rf"(?:[A-Z]{{0,3}}{SIGN}|\b(?:{'|'.join(CODES.split())})\b\.?|(?:{'|'.join(CODES.split())})(?=\d)"
    r"|(?i:\b(?:dollars?|euros?|pounds?|cents?|yen|rupees|francs|pesos)\b))"
)
ABOUT = (
    r"(?:~(?!~)|(?i:\b(?:about|approximately|approx\b\.?|around|roughly|circa|ca\b\.?|exactly"
    r"|precisely|now|therefore|thus|then|only|just|still|indeed|a total of|total of)(?!\w)))"
)
NUMERAL = re.compile(
    r"""
    (?P<whole>\d+)\ +(?P<top>\d+)/(?P<bottom>\d+)
    | (?P<over>\d+)\ */\ *(?P<under>\d+)
    | (?P<body>
        [1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?(?!\d)
      | [1-9]\d{0,2}(?:[ ']\d{3})+(?!\d)(?:[.,]\d+)?
      | [1-9]\d{0,2}(?:\.\d{3})+,\d+
      | [1-9]\d{0,2}(?:\.\d{3}){2,}(?!\d)
      | \d*\.\d+ | \d+
      )
      (?: [eE](?P<exponent>[-+]?\d+)
        | \ ?[×xX*]\ ?10(?:\^|\*\*)[{(]?(?P<power>[-+]?\d+)[})]?
        | (?P<scale>\ ?(?:hundred|thousand|lakh|million|crore|billion|trillion)s?\b
                  | k\b | \ ?(?:mn|bn)\b | [KMBT]\b)
      )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
GLUED = re.compile(
    r"\d|[.,'/^]\d|\^[-{(]|(?:st|nd|rd|th|[aoqrusdx]|fold|er)\b|(?-i:[A-Z])\b|[^\W\d_]*[\d²³]"
    r"|-[^\W\d_]|\ ?(?:[MKBT]|MM)\b|\ ?[十百千万萬亿億兆拾佰仟천만억조]"
    rf"|\ ?(?:{'|'.join(SCALES_UNREAD.split())})\b|\ ?mill(?!ions?\b)"
    r"|\ ?(?:hundred|thousand|lakh|million|crore|billion|trillion)(?!s?\b)",
    re.IGNORECASE,
)
SCALES = {
    "hundred": 2, "thousand": 3, "k": 3, "lakh": 5, "million": 6, "mn": 6, "m": 6, "crore": 7,
    "billion": 9, "bn": 9, "b": 9, "trillion": 12, "t": 12,
}  # fmt: skip
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


class Payload(NamedTuple):
    """The line that should hold the answer, whether it follows the marker's line, what follows."""

    line: str
    continued: bool
    after: str


def disowned(head: str) -> bool:
    """Whether the word before a marker makes it one of another answer."""
    word = re.search(r"([^\W\d_]*)[ *_]*\Z", head)
    return bool(
        word and re.fullmatch(words_of(EARLIER, WRONG, NEGATION, OTHER_LABELS), word[1].lower())
    )


def payload(reply: str, marker: tuple[str, ...], which: str = "last") -> Payload | None:
    """The line that should hold the answer."""
    ends = []
    closers = r"(?:[*_`'\"’”)\]}>»」】]|[^\S\r\n]|" + INVISIBLE.pattern + ")*"
    for word in marker:
        bare = re.escape(word.strip().rstrip(":：").strip()).replace(r"\ ", r"\s+")
        worded = word.strip()[-1].isalnum()
        if worded:
            pattern = rf"(?i:(?<![^\W_]){bare}){closers}[:：]"
        else:
            first = re.escape(word[0])
            pattern = rf"(?<!{first}){bare}(?!{first})(?:{closers}[:：])?"
        found = re.finditer(pattern, reply)
        ends.extend(m.end() for m in found if not (worded and disowned(reply[: m.start()])))
    if not ends:
        return None
    end = min(ends) if which == "first" else max(ends)
    for number, match in enumerate(re.finditer(r"[^\r\n]*", reply[end:])):
        line, after = match[0], reply[end + match.end() :]
        if FENCE.fullmatch(line) or MARKUP.fullmatch(INVISIBLE.sub("", line)):
            continue
        text = line.lstrip()
        if number:
            text = text.lstrip("> ")
        if len(text) > WINDOW:
            text = text[:WINDOW].rsplit(maxsplit=1)[0]
        return Payload(text, number > 0, after)
    return Payload("", True, "")


CJK = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff"
PARTS = ",.;:!?。"
FULL = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
FULL |= {ord("、"): ",", ord("،"): ",", ord("’"): "'", ord("‘"): "'", ord("｡"): "。"}


def openings(head: str, phrases: str) -> list[str]:
    """What stands behind each of the phrases with which a line begins."""
    rests = []
    for phrase in (" ".join(part.split()) for part in phrases.split(";")):
        rest = head[len(phrase) :]
        joined = phrase[-1].isalnum() and not re.match(f"[{CJK}]", phrase[-1])
        if head.startswith(phrase) and not (joined and re.match(r"-?[^\W_]", rest)):
            rests.append(rest)
    return rests


def word_of(text: str) -> str:
    found = re.search(r"[^\W_]+", text)
    return found[0] if found else ""


class Found(NamedTuple):
    """A value in a text: where it stands, whether it is the answer, and of the answer's kind."""

    start: int
    end: int
    same: bool
    kind: str


class Answer(NamedTuple):
    """An answer: its kind and value, and what its scorer commits to in another text."""

    kind: str
    value: Any
    read: Callable[[str], Any]
    options: tuple[str, ...] = ()

    def found(self, text: str) -> list[Found]:
        """The values of a text; numbers and times are values whatever the answer is."""
        found: list[Found] = []
        text = re.sub(r"(?<!\d):", ";", blanked(text))

        def add(start: int, end: int, value: Any, kind: str) -> None:
            if not any(start < other.end and other.start < end for other in found):
                found.append(Found(start, end, kind == self.kind and value == self.value, kind))

        if self.kind == "time":
            matches = list(TIME.finditer(text))
            last, end = None, 0
            for match in matches:
                minutes = minutes_of(match)
                # The same time in another spelling.
                link = r" *(?:[-—=/]|\b(?:to|and|or|until|till|through)\b) *"
                again = minutes == last and re.fullmatch(link, text[end : match.start()])
                last, end = minutes, match.end()
                if again:
                    found.append(Found(*match.span(), same=False, kind="again"))
                    continue
                add(*match.span(), None if minutes is None else clock(minutes), "time")
            for match in [] if matches else DOTTED.finditer(text):
                if int(match[1]) < 24 and int(match[2]) < 60:
                    add(*match.span(), f"{int(match[1]):02}:{match[2]}", "time")
            for match in [] if matches else TONIGHT.finditer(text):
                hour = nightly(int(match[1]))
                add(*match.span(), None if hour is None else clock(60 * hour), "time")
        for option in sorted(self.options, key=len, reverse=True):
            name = r"\s+".join(map(re.escape, option.split()))
            for match in re.finditer(rf"(?i)(?<![\w'-]){name}(?![\w+#]|-\w|'(?!s\b))", text):
                if self.kind == "letter" and is_article(text, match, self.options):
                    continue
                if match[0].lower() == "no" and not stands_alone(text, match):
                    continue
                add(*match.span(), option, self.kind)
        signs = re.compile(
            rf"(?<![\w.])(?:[-—](?=[$\d.]))?(?:{CURRENCY} ?)?(?=\.?\d)|(?<![\d.])(?=\d)"
        )
        at = 0
        while match := signs.search(text, at):
            number = leading(text[match.start() :])
            at = match.end() + len(
                (re.match(r"\.?\d[\d.,:/']*", text[match.end() :]) or [""])[0].rstrip(".,:/'")
            )
            if number is None:
                at = max(at, match.end() + 1)
                continue
            value, rest = number
            kind = "number" if isinstance(value, float) else value
            at = max(at, len(text) - len(rest)) if kind == "number" else at
            add(match.end() - (text[match.end() - 1 : match.end()] == "-"), at, value, kind)
        return sorted(found)


def is_article(text: str, match: re.Match[str], letters: tuple[str, ...]) -> bool:
    """Whether a letter is the article or pronoun of the word behind it."""
    behind = re.match(r" +([^\W\d_]+)", text[match.end() :])
    word = behind[1].lower() if behind else ""
    if not word or word.upper() in letters or match[0] not in "AaIi":
        return False
    if match[0] in "Aa":
        return not re.match(rf"(?:{words_of(LOUD)})$|[不没沒非无無错錯未]", word)
    return word not in ("is", "are", "and", "or")


def stands_alone(text: str, match: re.Match[str]) -> bool:
    """Whether no word leans on one that says something itself."""
    before = text[: match.start()].rstrip(" *(['").lower()
    after = text[match.end() :].lstrip(" *)]'").lower()
    joins = words_of(STATING, "and or")
    return not re.match(rf"(?!{joins})[^\W\d_]", after) and (
        not re.search(r"[^\W\d_]$", before)
        or bool(re.search(rf"(?:{joins}|{words_of(NEGATION)})$", before))
    )


def respelled(text: str) -> str:
    """The text with numbers in words as figures, but for the pronoun *one*."""
    names = SPELLED.split()
    one = rf"(?:{'|'.join(names)})(?:-(?:{'|'.join(names)}))*"
    pattern = re.compile(rf"(?<![\w'-])(?i:{one}(?: {one})*)(?![\w'-])")

    def digits(match: re.Match[str]) -> str:
        if match[0].lower() == "one" and re.match(r" +[^\W\d_]", text[match.end() :]):
            return match[0]
        listed = text[: match.start()].endswith(",")
        return " " * listed + f"{amount(match[0].lower()):.2f}"

    return pattern.sub(digits, text)


def amount(text: str) -> float:
    """The value of a number in words."""
    units = SPELLED.split()
    values = {name: place for place, name in enumerate(units[:20])}
    values |= {name: 10 * place for place, name in enumerate(units[20:28], 2)}
    scales = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
    total = group = 0.0
    for part in re.split("[ -]", text):
        if part == "hundred":
            group = max(group, 1) * 100
        elif part in scales:
            total, group = total + max(group, 1) * scales[part], 0
        else:
            group += values[part]
    return total + group


def plainly(line: str) -> str:
    """The first 240 characters of a line in plain signs, without emphasis."""
    line = re.split(r"[\r\n]", line[:240])[0].translate(FULL)
    line = re.sub("[−‐‑‒–]", "-", line)
    line = re.sub("[¼-¾⅐-⅞]", lambda match: " " + unicodedata.normalize("NFKC", match[0]), line)
    line = line.replace("\u2044", "/")
    line = re.sub("[*_`]", "", re.sub(r"\s", " ", line)).replace(" :", ":")
    return re.sub(rf"(?<=[{CJK}])(?=[0-9A-Za-z])|(?<=[A-Za-z])(?=[{CJK}])", " ", line)


def linked(head: str) -> str:
    """What stands behind words that lead on to what a line says."""
    found = re.match(rf"(?:{words_of(LINKS)}(?!')[\W_]*)*", head)
    return head[found.end() :] if found else head


def taken_back(answer: Answer, after: str) -> bool:
    """Whether the first line behind an answer takes it back."""
    line = re.sub(r"^[\W_]+", "", after)
    begin = max(after.rfind(end, 0, len(after) - len(line)) for end in "\r\n") + 1
    raw = plainly(re.sub("^- ", "", after[begin:].lstrip("> ")))
    head = re.sub(r"^[\W_]+", "", raw.lower())
    if not head:
        return False
    if opens_anew(head) or opens_anew(linked(head)):
        return True
    if answer.kind == "number":
        raw = respelled(raw)
    found = answer.found(raw)
    named = rf"(?i:{words_of(NAMING)}|[\W_])*"
    opens = found and found[0].same and re.fullmatch(named, raw[: found[0].start])
    own = found[0].end if opens else 0
    said = linked(re.sub(r"^[\W_]+", "", raw.lower()[own:]))
    if own and opens_anew(said):
        return True
    return (
        opens_with_another(said, raw, answer)
        or denies(raw, [(place.start, place.end) for place in found if place.same])
        or confirms_another(raw.lower(), found)
        or is_another(raw, answer)
        or (
            "~~" in raw
            and not any(place.same for place in found)
            and any(place.same for place in answer.found(raw.replace("~~", " ")))
        )
    )


def opens_anew(head: str) -> bool:
    """Whether a line begins with what takes back whatever stands before it."""
    if any(not goes_on(head, rest) for rest in openings(head, RETRACTIONS)):
        return True
    if any(not re.search(r"[^\W_]", rest) for rest in openings(head, VERDICTS)):
        return True
    if any(fault in rest for rest in openings(head, DOUBTS) for fault in FAULTS):
        return True
    for phrase in FOREIGN_RETRACTIONS.split(";"):
        noun = len(phrase.split()) == 1 and not re.search(f"[{CJK}]$", phrase)
        for rest in openings(head, phrase):
            speaks = noun and rest.lstrip()[:1].isalpha()
            if not (rest[:1] in ("済", "日", "일") or speaks):
                return True
    return False


def opens_with_another(head: str, raw: str, answer: Answer) -> bool:
    """Whether a line begins with what says that another answer follows, and one follows."""
    set_off = r" *[-,.:;!—。…]"
    numbered = re.match(r"no\. *\d.*[^\W\d_]", head)
    figures = answer.kind in ("number", "time")

    def written(rest: str) -> str:
        return raw[len(raw) - len(rest) :]

    def off(phrases: str) -> list[str]:
        rests = [(rest, re.match(set_off, rest)) for rest in openings(head, phrases)]
        return [rest[mark.end() :] for rest, mark in rests if mark]

    for rest in [*openings(head, CORRECTIONS), *([] if numbered else off(INTERJECTIONS))]:
        named = not figures and names_another(rest) and not repeated(written(rest), answer)
        if restates(written(rest), answer) or named:
            return True
    for rest in [*openings(head, FOREIGN_CORRECTIONS), *off(FOREIGN_INTERJECTIONS)]:
        first = answer.found(written(rest))[:1]
        if restates(written(rest), answer) or (figures and first and not first[0].same):
            return True
    announced = re.match(
        rf"(?:the )?(?:my )?(?:our )?(?:{words_of(ANEW)} *(?:{words_of(ANSWERS)} *)?"
        r"(?:is[ :]|should be |[:=]|[-—] )"
        rf"|{words_of(ANSWERS)} *(?:is (?:actually|really) |should (?:be|have been) ))",
        head,
    )
    behind = [head[announced.end() :]] if announced else []
    letters = answer.kind == "letter"
    return any(
        restates(written(rest), answer, words=not letters)
        for rest in [*openings(head, STATEMENTS), *behind]
    )


def goes_on(head: str, rest: str) -> bool:
    """Whether a phrase is the beginning of another sentence: "Wait for the update"."""
    following = [word for word in re.split("[ :,.;!?]", rest) if word]
    first, then = [*following, "", ""][:2]
    if rest.startswith(" "):
        turn = first == "in" and then in ("turn", "session", "message")
        days = head.startswith("wait") and re.match(r"\d", first)
        return bool(re.fullmatch(words_of(GOES_ON), first) or turn or days)
    return (rest.startswith(":") and first in ("see", "none")) or (
        rest.startswith(",") and first == "did"
    )


def names_another(rest: str) -> bool:
    """Whether a line goes on with another subject: "Ben is the manager"."""
    pronouns = "all everything he here it nothing she that there this what which who you"
    first, *more = [*re.findall(r"(?:[^\W_]|')+", rest), "", "", ""]
    loud = words_of(LOUD, MONTHS, "may", pronouns)
    plain = not re.fullmatch(loud, first)
    denied = re.fullmatch(words_of(NEGATION, WRONG), more[1])
    return more[0] == "is" and plain and not denied


def denies(raw: str, places: list[tuple[int, int]]) -> bool:
    """Whether a line says of the answer that stands here that it is none."""
    text = raw
    wrong = words_of(WRONG)
    verb = r"(?:is|was|ist|war|est|es)"
    right = r"(?:correct|right|accurate|true)(?![\w'])"
    gap = r"[^\w']+"
    for start, end in places:
        before = re.sub(
            rf"(?:(?<![\w'])(?i:{'|'.join(NAMING.split())})(?:[^\w{PARTS}])*)*$",
            "",
            re.sub(rf"[^\w{PARTS}]*$", "", text[:start]) + " ",
        )
        before = re.sub(rf"[^\w{PARTS}]*$", "", before)
        word = re.search(r"(?:[^\W_]|')*$", before)
        assert word is not None
        if re.search(r"(?:instead of|rather than)$", before):
            return True
        if re.fullmatch(words_of(NEGATION), word[0].lower()) or re.match(
            "[不没沒非无無错錯未]|.*不是$", word[0]
        ):
            return True
        if word[0].lower() in ("no", "nein", "nope", "nah") and re.search(
            r", *$", before[: word.start()]
        ):
            return True
        if re.match(r" *(?:->|→)", text[end:]):
            return True
        behind = re.sub(rf"^[^\w{PARTS}]*", "", text[end:])
        if re.match(rf"(?i:[^\w']*should{gap}(?:be|have)(?![\w']))", behind):
            return True
        if re.match("ではな|じゃな|이 아니|가 아니", behind):
            return True
        if re.match(rf"(?i:[^\w']*{verb}{gap}(?:{wrong}|not{gap}{right}))", behind) or re.match(
            rf"(?i:[^\w']*(?:isn't|wasn't){gap}{right})", behind
        ):
            return True
    return False


def confirms_another(head: str, found: list[Found]) -> bool:
    """Whether a line begins with another value and calls it right."""
    if not found or found[0].same:
        return False
    if re.sub(words_of(NAMING), "", head[: found[0].start]).strip(" ()[]$~-\"'"):
        return False
    right = r" is (?:the )?(?:correct|right|answer|final answer)(?!-?[^\W_])"
    return bool(re.match(right, head[found[0].end :]))


def is_another(whole: str, answer: Answer) -> bool:
    """Whether a line says nothing but another answer."""
    text = blanked(whole)
    every = answer.found(text)
    found = [place for place in every if place.kind != "again"]
    if any(place.kind not in ("number", answer.kind) for place in found):
        return False
    if [place.same for place in found] not in ([False], [True, False]):
        return False
    if len(found) == 2 and re.fullmatch(r" *-", text[found[0].end : found[1].start + 1]):
        return False
    rest = text
    for place in reversed(every):
        # In words, or with a sign, a number ends no range.
        figures = place.kind in ("number", "time") and rest[place.start] != "-"
        figures = figures and not rest[: place.end].endswith(".00")
        mark = " 0 " if figures else " , "
        rest = rest[: place.start] + mark + rest[place.end :]
    # A dash before a number makes a range or a difference.
    if re.search(r"[)0%$] *[-—] *[$( ]*0|\w *- *[$( ]*0|/[$( ]*0", rest):
        return False
    rest = re.sub(CURRENCY, " ", rest)
    rest = re.sub(r"\\(?:boxed|text)\b", " ", rest)
    rest = re.sub(r"(?<!\w)'|'(?!\w)", " ", rest.lower().replace("’", "'"))
    rest = re.sub(words_of(FILLERS), " ", rest)
    rest = re.sub("[→⇒]|[-=]>", " ", rest)
    return not re.search(r"[^\W0]|[:?<=^@#&❌\\+×÷]", rest)


def repeated(text: str, answer: Answer) -> bool:
    """Whether a text begins with the answer, before any word."""
    found = answer.found(text)
    return (
        bool(found)
        and found[0].same
        and not re.search(r"[^\W_]", re.sub(CURRENCY, " ", text[: found[0].start]))
    )


def elsewhere(text: str, place: Found) -> bool:
    """Whether a number is one of something else, or a date."""
    behind = text[place.end :]
    dated = re.match(rf" *(?:{words_of(MONTHS, 'may')})", behind.lower())
    iso = place.end - place.start == 4 and re.match(r"-\d", behind)
    return bool(
        dated
        or iso
        or re.match(r" *(?:of|per|each)\b", behind, re.IGNORECASE)
        or re.search(r"\bago\b", behind)
    )


def restates(text: str, answer: Answer, words: bool = True) -> bool:
    """Whether a text goes on with another answer than this one."""
    text = re.sub(rf"^ *(?:(?i:{words_of(ADVERBS)})[ ,]*)*", "", text)
    found = answer.found(text)
    value = answer.read(text)
    if value is not None:
        if value == answer.value:
            return False
        others = (place for place in found if place.kind == answer.kind and not place.same)
        place = next(others, None)
        return place is None or not elsewhere(text, place)
    if found and not re.search(r"[^\s()\[\]$~.,:;!?…。—<'\"-]", text[: found[0].start]):
        first, behind = found[0], text[found[0].end :]
        judged = re.match(rf" *{words_of(STATING, 'was were had been')}", behind.lower())
        choice = first.kind == answer.kind and answer.kind in ("letter", "word")
        worded = re.match(r" *[^\W\d_]", behind) and not (
            len(found) > 1 and not text[first.end : found[1].start].strip()
        )
        if choice and (worded if answer.kind == "word" else judged):
            pass
        else:
            return not first.same and not elsewhere(text, first)
    said = [part for part in re.split("[ .,!;]", text.lower()) if re.search(r"[^\W_]", part)]
    named = word_of(said[0]) if said else ""
    alone = len(said) == 1
    if answer.kind in ("number", "time"):
        alone = alone and named in ("no", "nein", "nope", "nah")
    else:
        courtesy = re.fullmatch(words_of(COURTESIES), named)
        alone = alone and words and bool(named) and not courtesy and not repeated(text, answer)
    bare = re.sub(r"^[\W_]+", "", text)
    return alone or any(
        not re.fullmatch(words_of(COURTESIES), word_of(rest))
        and not repeated(bare[len(bare) - len(rest) :], answer)
        for phrases in (RESTATES, FOREIGN_RESTATES)
        for rest in openings(bare.lower(), phrases)
    )


def unstruck(text: str) -> str:
    """The text without what is struck out in it."""
    inner = r"(?!\s)(?:(?!{end})[^\n\r])+(?<!\s){end}"
    text = re.sub("~~" + inner.format(end="~~"), " ", text)
    for tag in ("s", "del", "strike"):
        text = re.sub(f"<{tag}>" + inner.format(end=f"</{tag}>"), " ", text)
    return text


def blanked(text: str) -> str:
    """The text with blanks for what is struck out in it."""
    inner = r"(?!\s)(?:(?!{end})[^\n\r])+(?<!\s){end}"
    for start, end in [("~~", "~~"), *((f"<{tag}>", f"</{tag}>") for tag in ("s", "del"))]:
        struck = re.compile(start + inner.format(end=end))
        text = struck.sub(lambda match: " " * len(match[0]), text)
    return text


def valueless(line: str) -> str:
    """The status of an answer that names no value."""
    kept = unstruck(line)
    return "abstained" if declined(kept) else "unparsed" if kept == line else "ambiguous"


def normalise(text: str) -> str:
    """The text without markup, in ASCII where that says the same."""
    text = INVISIBLE.sub("", unstruck(text))
    text = re.sub(r"\\[dtc]?frac\{(\d+)\}\{(\d+)\}", r" \1/\2", text)
    text = re.sub(r"(?<!\w) (?=\d+/\d+)", "", " " + text)
    plain: list[str] = []
    for c in text:
        if unicodedata.decomposition(c).startswith("<fraction>"):
            top, _, bottom = unicodedata.normalize("NFKC", c).partition("\u2044")
            gap = " " if plain and plain[-1].isdecimal() else ""
            plain.append(f"{gap}{top}/{bottom}")
        elif "\uff01" <= c <= "\uff5e":
            plain.append(chr(ord(c) - 0xFEE0))
        elif c.isspace() and c not in "\r\n":
            plain.append(" ")
        elif c.isdecimal():
            plain.append(str(unicodedata.digit(c)))
        else:
            plain.append(c)
    text = "".join(plain).lstrip()
    text = re.sub(r"(?<![\w)] )\u2212\s+(?=\d)", "-", text)
    text = re.sub(r"10([⁰¹²³⁴-⁹⁻]+)", lambda m: "10^" + m[1].translate(SUPERSCRIPTS), text)
    for spellings, one in [
        ("‐‑‒–−﹣", "-"), ("―", "—"), ("‘’ʼ′", "'"), ("“”«»„″`\"", ""), ("·⋅∙✕•", "×"),
        ("≈≃∼≅", "~"), ("⁄∕", "/"), ("、،٬", ","), ("约約", "~"), ("→⇒", "→"),
        ("「【⟨『｢", "("), ("」】⟩』｣", ")"), ("。…٫", "."),
    ]:  # fmt: skip
        text = re.sub(f"[{spellings}]", one, text)
    text = re.sub(r"\b(Rs|rs|[Aa]pprox|[Cc]a)\. ?(?=[~$.\d])|\b(?i:(kl|godz))\.", r"\1\2 ", text)
    text = text.replace(r"\$", "$").replace(r"\%", "%").replace("{,}", ",")
    text = re.sub(r"\\(?:times|cdot)(?![a-z])", "×", text)
    text = re.sub(r"\\(?:approx|sim)(?![a-z])", "~", text)
    text = re.sub(r"\^\{?\\circ\}?", "°", text)
    text = re.sub(r"\\[,;: !()\[\]\\]", " ", text)
    text = re.sub(r"\\[a-zA-Z]+", "", text).replace("\\", "")
    text = re.sub(r"\*\*(?!\d)|__|(?<!\d)\*\*|(?<!\w)_|_(?!\w)", "", text)
    text = re.sub(r"(?<=\d)\*(?=[\d$(])|(?<= )\*(?= [\d$(])", "×", text)
    text = re.sub(
        r"</?(?:b|i|em|strong|code|br|span|sub|sup|p|div|font)(?: [^<>]*=[^<>]*)?/?>", "", text
    )
    text = re.sub(r"\^\{(-?\d+)\}", r"^\1", text)
    return re.sub(r"(?<![*\d])\*(?!\*)|\*$|[{}]", "", text).replace("|", ";").strip("; ")


def declined(text: str) -> bool:
    """Whether the first sentence of an answer without a value declines."""
    text = re.sub(r'^[*_`"$\s]+', "", INVISIBLE.sub("", text).replace("’", "'"))
    if re.match(r"[<(\[（【]\s*[^\W\d_]", text):
        return True
    sentence = re.split(r"[.!?;…](?=\s|$)", text)[0].lower()
    if re.match(r"\W*no(?![\w'])", sentence):
        return True
    return bool(re.search(words_of(REFUSAL, NEGATION, PENDING, WANTING, RETRACT), sentence))


def value_of(match: re.Match[str], behind: str, money: bool) -> float | None:
    """The value of a numeral, unless what is glued behind it makes it something else."""
    raised = re.match(r"\^(-?\d+)", behind)
    if match["body"] == "10" and raised:
        return float(f"1e{raised[1]}")
    if GLUED.match(behind) and not re.match(r"[xX](?= ?[$\d])", behind):
        return None
    named = r" ?(hundred|thousand|lakh|million|crore|billion|trillion)s?\b"
    scaled = re.match(named, behind, re.IGNORECASE)
    factor = 10.0 ** SCALES[scaled[1].lower()] if scaled else 1.0
    if match["whole"]:
        top, bottom = float(match["top"]), float(match["bottom"])
        proper = 0 <= top < bottom
        return (float(match["whole"]) + top / bottom) * factor if proper else None
    if match["over"]:
        bottom = float(match["under"])
        return float(match["over"]) / bottom * factor if bottom else None
    body = match["body"]
    if re.search(r"[.' ]\d{3}.*,|^\d{1,3}(?:\.\d{3}){2,}", body):
        body = body.replace(".", "").replace(",", ".")
    body = re.sub("[ ',]", "", body)
    exponent = match["exponent"] or match["power"]
    if match["scale"]:
        scale = match["scale"].strip()
        if scale in ("K", "M", "B", "T") and not money:
            return None
        exponent = str(SCALES.get(scale.lower()) or SCALES[scale.lower().rstrip("s")])
    value = float(f"{body}e{exponent or 0}")
    return None if value in (float("inf"), float("-inf")) else value


def leading(text: str) -> tuple[float | str, str] | None:
    """The value that a text begins with, or what it is instead, and the rest."""
    opening = re.match(rf"(?:{CURRENCY}|{ABOUT}|[\s(\[<'=+])*", text)
    assert opening is not None
    head, rest = opening[0], text[opening.end() :]
    negative = re.match(
        rf"(?:-(?=(?:{CURRENCY} ?)?[\d.])|—(?=[\d.$])|(?i:minus|negative) +(?=\S?\d)){CURRENCY}? ?",
        rest,
    )
    if negative:
        head, rest = head + negative[0], rest[negative.end() :]
    noon = r"[\d.,]+ *(?i:[ap]\.?m\b|noon\b|midnight\b|o'?clock\b|uhr\b)"
    if re.match(rf"\d+(?::|h)\d|{noon}", rest):
        return "time", rest
    match = NUMERAL.match(rest)
    if not match:
        return None
    end = match.end()
    value = value_of(match, rest[end:], bool(re.search(rf"{CURRENCY} ?$", head)))
    if value is None:
        return "unreadable", rest
    if match["body"] == "10":
        end += len(re.match(r"(?:\^-?\d+)?", rest[end:])[0])  # type: ignore[index]
    return (-value if negative else value), rest[end:]


def values_in(text: str) -> list[float]:
    """All numbers of a text."""
    found = []
    for match in NUMERAL.finditer(text):
        value = value_of(match, text[match.end() :], money=False)
        found.append(float("nan") if value is None else value)
    return found


def remark_spoils(remark: str, value: float) -> bool:
    """Whether a remark behind a value leaves it uncommitted."""
    sentence = re.split(r"[.!?;](?=\s|$)", remark, maxsplit=1)[0]
    low = sentence.lower()
    bare = low.lstrip(" ,:(-—")
    if re.match(words_of(RETRACT, "if unless but however or") + r"|no,", bare):
        return True
    shares = [float(v) / 100 for v in re.findall(r"(\d+(?:\.\d+)?)%", low)]
    others = [v for v in values_in(low) if v != value]
    if any(abs(share - value) <= 1e-9 * abs(value) for share in shares):
        others = [v for v in others if abs(v / 100 - value) > 1e-9 * abs(value)]
    numbered = rf"(?:{words_of(HEDGE, RETRACT, 'or')}) *[~$(]*\d"
    concluded = rf"{words_of('so hence making giving totaling totalling altogether')}.*\d"
    if others and re.search(f"{numbered}|{concluded}", low):
        return True
    doubts = words_of(REFUSAL, PENDING, WANTING, WRONG, HEDGE, EARLIER, CHANGE)
    doubts += rf"|(?:{words_of(NEGATION)}) (?:{words_of(UNSURE)})|{SAID}"
    if not others:
        return bool(re.search(doubts, low) or re.match(words_of(NEGATION), bare))
    return len(others) == 1 and not re.search(r"[a-z]", low)


def follows_well(rest: str, value: float, sentences: bool) -> str:
    """What the text behind a value makes of it: read, expression, statement or spoilt."""
    cut = re.search(
        rf"[.!?](?=[\s)*]|$)|[,;:(\[—]| - (?![$\d])|(?i:{words_of(REMARK, NEGATION)})", rest
    )
    unit = rest[: cut.start()] if cut else rest
    remark = rest[cut.start() :] if cut else ""
    low = re.sub(r"\bor so\b", "", unit.lower())
    whole = re.match(rf"(?:\s|%|°|\)|(?:{CURRENCY}))*", rest)
    behind = rest[whole.end() :].lower() if whole else ""
    compared = r"(?:more|fewer|less)(?![\w'])" + (r"" if "%" in (whole or [""])[0] else r" than\b")
    if re.match(rf"(?:{words_of(DONE)}|{compared}|less [^\W\d_]|{CONDITION})", behind):
        return "spoilt"
    if re.search(rf"{SAID}|{words_of(MONTHS)}", low):
        return "spoilt"
    if re.search(rf"^[^.,;:(—]*{words_of('and')} {words_of(OPEN)}", rest.lower()[: len(unit) + 12]):
        return "spoilt"
    if re.match(rf"\.\s*{words_of(MONTHS)}(?!\s*[^\W\d_])", behind):
        return "spoilt"
    if re.search(
        r"(?<!\d)(?<![a-z])[=×÷]|[=+^]|(?<=[\d )])/ ?\d|- ?[$\d]|\bx ?[$\d]"
        r"|\b(?:plus|minus|times) [$\d]",
        low,
    ):
        return "expression"
    verb = re.search(words_of(STATING), low)
    low = low[: verb.start()] if verb else low
    spoiling = words_of(
        REFUSAL, PENDING, WANTING, RETRACT, WRONG, HEDGE, EARLIER, CHANGE,
        "or if unless but however was were had been no nein",
    )  # fmt: skip
    if re.search(spoiling, low) or re.search(r"\d|[~<≤≥±→⇒#@]|>(?=.*\d)", low):
        return "spoilt"
    if verb:
        return "statement"
    if not remark:
        return "read"
    if remark[0] in "([":
        close = re.search(r"[)\]]", remark)
        inside = remark[: close.start()] if close else remark
        after = remark[close.end() :] if close else ""
        if remark_spoils(inside, value):
            return "spoilt"
        return follows_well(after, value, sentences)
    if remark[0] in ",;:—" or remark.startswith(" - "):
        behind = remark.lstrip(" -—,;:")
        if leading(re.sub(r"^(?i:and|&) ", "", behind)):
            return "spoilt"
        if remark[0] == ";":
            return "spoilt" if re.match(words_of(RETRACT), behind.lower()) else "read"
    if remark[0] in ".!?":
        if re.match(r"[.!]*\?", remark):
            return "spoilt"
        later = remark[1:].strip(" *)")
        nearby = leading(later)
        if nearby and nearby[0] != value:
            return "spoilt"
        if any(remark_spoils(part, value) for part in re.split(r"[.!?;](?=\s|$)", later)):
            return "spoilt"
        return "read" if sentences or not later else "spoilt"
    return "spoilt" if remark_spoils(remark, value) else "read"


def equation(text: str) -> float | None:
    """The side of an equation that stands alone."""
    sides = re.split(r"=|(?i:\b(?:is|equals)\b)", text)
    if len(sides) < 2 or any(re.search(words_of("and or") + "|, ", side) for side in sides[:-1]):
        return None
    last = leading(sides[-1].strip())
    alone = re.fullmatch(r"[$\s]*([\d.]+)[$\s]*", sides[0]) if len(sides) == 2 else None
    if alone and last and float(alone[1]) != last[0] and not re.search("[-+×÷/]", sides[1]):
        return None
    if last and isinstance(last[0], float) and follows_well(last[1], last[0], True) == "read":
        return last[0]
    first = leading(sides[0].strip())
    operation = r"[-+×÷/]|\d ?[x*] ?\d"
    if len(sides) == 2 and first and isinstance(first[0], float) and not re.search(r"\d", first[1]):
        return first[0] if re.search(operation, sides[1]) else None
    return None


def introduced_value(text: str, value: str) -> str:
    """The text without the few words that only announce the value they stand before."""
    for phrase in (" ".join(part.split()) for part in INTRODUCTIONS.split(";")):
        joined = "" if re.match(f"[{CJK}]", phrase[-1]) else r"(?![\w'])"
        behind = re.match(rf"(?i:{re.escape(phrase)}){joined} *:? *(?={value})", text)
        if behind:
            return text[behind.end() :]
    return text


def is_label(text: str) -> bool:
    """Whether the words before a colon announce a value."""
    label, beside = words_of(LABELS), words_of(BESIDE_LABELS)
    named = re.match(rf"[^\w]*(?:(?:{label}|{beside})[^\w]+)*", text.lower() + " ")
    assert named is not None
    rest = (text.lower() + " ")[named.end() :]
    silent = words_of(
        REFUSAL, NEGATION, PENDING, WANTING, RETRACT, WRONG, HEDGE, EARLIER, CHANGE, STATING
    )
    whole = re.match(r"(?:of|for|in|per)\b", rest) and not re.search(silent, rest)
    return bool(re.search(label, named[0]) and (not rest.strip() or whole))


def held_value(sentence: str, text: str) -> float | None:
    """The number of a plain sentence of having, not a number where that is doubted."""
    found = re.match(rf"((?:[\w'-]+ ){{1,4}}?)(?i:{words_of(HOLDS)}) ", sentence)
    if found is None:
        return None
    silent = words_of(LOUD, NOBODY, OF_TASK, GONE)
    harmless = words_of("and about approximately around roughly circa exactly precisely now")
    harmless += "|" + words_of("therefore thus then only just still indeed")
    for word in found[1].lower().split():
        if re.fullmatch(silent, word) and not re.fullmatch(harmless, word):
            return None
    number = leading(text[found.end() :])
    if number is None or isinstance(number[0], str):
        return None
    value, rest = number
    behind = re.sub(rf"^(?:\s|%|°|(?:{CURRENCY}))*", "", rest)
    end = re.search(rf"[.!?;](?=\s|$)|[,(\[—]| - |(?i:{words_of(BECAUSE, NEGATION)})", behind)
    unit, remark = (behind[: end.start()], behind[end.start() :]) if end else (behind, "")
    words = unit.split()
    counted = 0
    while words and counted < 2 and re.fullmatch(r"[^\W\d_][\w'-]*", words[0]):
        if re.fullmatch(words_of(LOUD, OF_TASK, NO_UNIT, IN_ALL, MONTHS), words[0].lower()):
            break
        words, counted = words[1:], counted + 1
    if any(not re.fullmatch(words_of(IN_ALL), word.lower()) for word in words):
        return None
    other = next((v for v in values_in(remark) if v != value), None)
    apart = words_of(BECAUSE, NEGATION, EARLIER, "was were had been")
    bracket = remark.startswith(("(", "["))
    if other is not None and not (bracket or re.search(rf"{apart}.*\d", remark.lower())):
        return None
    how = follows_well(rest, value, sentences=True)
    return value if how == "read" else float("nan")


def sentence_value(text: str) -> tuple[float | None, str]:
    """The number that the first sentence states by a verb, a colon or an equals sign."""
    sentence = re.split(r"[!?;](?=\s|$)|\.(?=\s|$)", text)[0]
    held = held_value(sentence, text)
    if held is not None:
        return (held, "read") if held == held else (None, "ambiguous")
    verb = (
        rf"(?:(?:{words_of(STATING)})"
        r"|\b(?:comes|amounts|equal|adds up|works out) to\b|\b(?:should|will|must) be\b"
        r"|=|(?<=[a-zA-Z)]):|~)\s*"
    )
    stated = []
    for match in re.finditer(f"(?i:{verb})", sentence):
        found = leading(sentence[match.end() :])
        if found and (match[0].strip() not in (":", "~") or is_label(sentence[: match.start()])):
            stated.append((match.start(), match.end(), found))
    low = sentence.lower()
    if not stated:
        if declined(text):
            return None, "abstained"
        return None, "ambiguous" if re.search(r"(?<!\w)(?<!\w-)\d", sentence) else "unparsed"
    start, end, (value, rest) = stated[0]
    before = low[:start]
    if re.search(words_of(REFUSAL, NEGATION, PENDING), before) or re.match(r"no\b", before):
        return None, "abstained"
    if re.search(words_of(HEDGE, EARLIER, WRONG, RETRACT, "if unless"), before):
        return None, "ambiguous"
    if isinstance(value, str):
        return None, "unparsed" if value == "time" else "ambiguous"
    how = follows_well(rest, value, sentences=True)
    if how == "expression":
        solved = equation(sentence[end:])
        return (solved, "read") if solved is not None else (None, "ambiguous")
    if how != "read":
        return None, "ambiguous"
    outside = re.sub(r"\(.*?\)", " ", re.split(f"(?i:{words_of(REMARK)})", rest)[0])
    for match in re.finditer(f"(?i:{verb})", outside):
        other = leading(outside[match.end() :])
        if other and other[0] != value:
            return None, "ambiguous"
    return value, "read"


def strict_number(reply: str, marker: tuple[str, ...], which: str) -> tuple[float | None, str]:
    found = payload(reply, marker, which)
    if found is None:
        return None, "unparsed"
    value, status = committed_number(found.line, found.continued)
    return (
        retracted(value, status, found, number_answer(value))
        if value is not None
        else (None, status)
    )


def retracted(value: Any, status: str, found: Payload, answer: Answer) -> tuple[Any, str]:
    """A reading, unless the line behind it takes it back."""
    if status == "read" and taken_back(answer, found.after):
        return None, "ambiguous"
    return value, status


def answer_in(text: str) -> Answer:
    """A text as an answer of whatever kind: a number, a time, a letter or a word."""
    number = committed_number(text, False)[0]
    if number is not None:
        return number_answer(number)
    time = answer_time("ANSWER: " + text)[0]
    if time is not None:
        return time_answer(time)
    if not re.search(r"[^\W_]", text):
        return number_answer(float("nan"))
    if re.fullmatch("[A-Za-z]", text):
        return letter_answer(text.upper(), "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return word_answer(text, [text])


def number_answer(value: float) -> Answer:
    return Answer("number", value, lambda text: READ["number"](text, ()))


def time_answer(value: str) -> Answer:
    return Answer("time", value, lambda text: READ["time"](text, ()))


def letter_answer(value: str, letters: str) -> Answer:
    return Answer("letter", value, lambda text: READ["letter"](text, letters), tuple(letters))


def word_answer(value: str, options: list[str]) -> Answer:
    return Answer("word", value, lambda text: READ["word"](text, options), tuple(options))


def committed_number(line: str, continued: bool) -> tuple[float | None, str]:
    text = normalise(line)
    if not re.search(r"\d", text):
        return None, valueless(line)
    text = text.lstrip("=→ ")
    if line.lstrip().startswith("•"):
        text = text.lstrip("× ")
    if not continued:
        text = introduced_value(text, rf"(?:{CURRENCY}|{ABOUT}|[\s(\[<'])*-?[\d.]")
    corrected = re.match(
        r"(?i:(?P<before>[^.!?;\d]*\b(?:is|are|it's) )?not [$]?[\d.]+"
        r"(?:,? but|[,;.—] (?:it|that)(?: is|'s)) [$]?)(?=\d)",
        text,
    )
    if corrected and not continued and not unsettled((corrected["before"] or "").lower()):
        after = leading(text[corrected.end() :])
        if after and isinstance(after[0], float):
            fine = follows_well(after[1], after[0], sentences=True) == "read"
            return (after[0], "read") if fine else (None, "ambiguous")
    found = leading(text)
    if found is None:
        opening = text.lstrip(" (['$")
        if re.match(r"[-—<>≤≥.!?]", opening) and leading(opening[1:].lstrip("- ")):
            return None, "ambiguous"
        if continued:
            return None, "abstained" if declined(line) else "unparsed"
        return sentence_value(text)
    value, rest = found
    if isinstance(value, str):
        return None, "unparsed" if value == "time" else "ambiguous"
    how = follows_well(rest, value, sentences=not continued)
    if how == "read":
        return value, "read"
    if how == "expression":
        solved = equation(text)
        return (solved, "read") if solved is not None else (None, "ambiguous")
    if how == "statement":
        subject = re.match(r"[^.!?;]*?\b(?:is|are|equals)\b ([^.!?;]*)", rest)
        named = subject and re.match(r"(?:the|my|our|your|correct|right|what)\b", subject[1])
        denied = subject and re.search(
            words_of(REFUSAL, NEGATION, PENDING, WANTING, WRONG, HEDGE, EARLIER, "no if or but"),
            subject[1],
        )
        if subject and named and not denied and not re.search(r"\d", subject[1]):
            return value, "read"
    return None, "ambiguous"


def last_number(reply: str) -> tuple[float | None, str]:
    """The last number of a reply; ambiguous when there are others."""
    text = "\n".join(normalise(line) for line in reply.splitlines())
    text = re.sub(r"\d+(?::|h)\d[\d:]*", " ", text)
    start = re.compile(rf"(?<![\w.])(?:[-—](?=[$\d.]))?{CURRENCY}? ?(?=\.?\d)")
    found: list[float | str] = []
    while match := start.search(text):
        number = leading(text[match.start() :])
        if number is None:
            text = text[match.end() :]
            continue
        found.append(number[0])
        unread = re.sub(r"^[\d.,'/]+", "", number[1])
        text = " " + (unread if isinstance(number[0], str) else number[1])
    if not found:
        return None, "unparsed"
    if isinstance(found[-1], str):
        return None, "ambiguous"
    return found[-1], "read" if len(set(found)) == 1 else "ambiguous"


def last_box(reply: str) -> tuple[float | None, str]:
    r"""The number in the last ``\boxed{}``; ambiguous when others hold other numbers."""
    readings = []
    for match in re.finditer(r"\\boxed\{", reply):
        depth, end = 1, match.end()
        while end < len(reply) and depth and reply[end] != "\n":
            depth += {"{": 1, "}": -1}.get(reply[end], 0)
            end += 1
        readings.append(committed_number(reply[match.end() : end - (depth == 0)], True))
    if not readings:
        return None, "unparsed"
    value, status = readings[-1]
    several = len({value for value, _ in readings}) > 1
    return value, "ambiguous" if status == "read" and several else status


SPACE = r"[\s]*"
WRAPPERS = SPACE + r"[*_`'\"(\[]*" + SPACE
HARNESS_MARK = r"[Aa][Nn][Ss][Ww][Ee][Rr]" + SPACE + ":"
HARNESS_NUMBER = r"(-?\d[\d,]*(?:\.\d+)?)"


def harness_number(reply: str, loose: bool) -> float | None:
    dress = SPACE if loose else WRAPPERS
    found = re.findall(HARNESS_MARK + dress + r"\$?" + SPACE + HARNESS_NUMBER, reply)
    if not found and loose:
        found = re.findall(HARNESS_NUMBER, reply)
    return float(found[-1].replace(",", "")) if found else None


def answer_number(
    reply: str,
    dialect: str = "strict",
    fallback: str | None = None,
    marker: tuple[str, ...] = ("ANSWER",),
    which: str = "last",
) -> tuple[float | None, str]:
    """The committed number of a reply and the status of the reading."""
    if dialect != "strict":
        value = harness_number(reply, loose=dialect.endswith("loose"))
        return value, "unparsed" if value is None else "read"
    value, status = strict_number(reply, marker, which)
    if status == "unparsed" and fallback == "last_number":
        return last_number(reply)
    if status == "unparsed" and fallback == "boxed":
        return last_box(reply)
    return value, status


def answer_word(
    reply: str,
    options: list[str],
    dialect: str = "strict",
    marker: tuple[str, ...] = ("ANSWER",),
    which: str = "last",
) -> tuple[str | None, str]:
    """The committed option of a reply and the status of the reading."""
    if dialect != "strict":
        dress = SPACE if dialect.endswith("loose") else WRAPPERS
        found = re.findall(HARNESS_MARK + dress + "([A-Za-z][A-Za-z/]*)", reply)
        named = [o for o in options if found and o.lower() == found[-1].lower()]
        return (named[0], "read") if named else (None, "unparsed")
    found_line = payload(reply, marker, which)
    if found_line is None:
        return None, "unparsed"
    line, continued, _ = found_line
    text = bare_words(normalise(line))
    names = [bare_words(option) for option in options]
    longest = sorted(names, key=len, reverse=True)
    pattern = (
        r"(?<![\w'-])(?:"
        + "|".join(
            r"\W+".join(map(re.escape, re.split(r"[^\w'+#-]+", option.strip())))
            for option in longest
        )
        + r")(?![\w'+#]|-\w)"
    )
    # Options become single private characters, so that no word inside one counts.
    places = {re.sub(r"[^\w'+#-]+", " ", name): i for i, name in enumerate(names)}

    def code(match: re.Match[str]) -> str:
        name = re.sub(r"[^\w'+#-]+", " ", match[0])
        index = places[name]
        single = " " not in name
        before = text[: match.start()].rstrip(" *(['").lower()
        after = text[match.end() :].lstrip(" *)]'")
        alone = not re.match(r"(?!(?:and|or)\b)\w", after) and (
            not re.search(r"\w$", before) or re.search(r"\b(?:is|are|equals|and|or)$", before)
        )
        loud = words_of(LOUD)
        if single and re.fullmatch(loud, name) and not alone:
            return match[0]
        return f" {chr(0xE000 + index)} "

    coded = re.sub(pattern, code, text, flags=re.IGNORECASE)
    option = r"[\ue000-\uf8ff]"
    if not re.search(option, coded):
        return None, valueless(line)
    coded = coded.lstrip(" =-—.;!?")
    value, status = committed_option(coded, option, continued, words=True)
    named = None if value is None else options[ord(value) - 0xE000]
    if named is None:
        return None, status
    return retracted(named, status, found_line, word_answer(named, options))


def bare_words(text: str) -> str:
    """Folded text without possessives and quotes."""
    text = re.sub(r"(?<=\w)(?<!\bit)(?<!\bthat)['’]s\b", "", fold(text), flags=re.IGNORECASE)
    return re.sub(r"(?<!\w)'|'(?!\w)", "", text.replace("’", "'"))


def committed_option(
    text: str, option: str, continued: bool, *, words: bool = False, letters: bool = False
) -> tuple[str | None, str]:
    """The option that a text commits to; words, of which prose is full, only if picked."""
    if not words and not continued:
        text = introduced_value(text, rf"(?:{ABOUT}|[\s(\[<'=])*{option}")
    lead = re.match(rf"(?:{ABOUT}|[\s(\[<'=])*({option})", text)
    sentence = re.split(r"[.!?;](?=\s|$)", text)[0]
    if lead is None:
        if continued or not re.search(option, sentence):
            return None, "abstained" if declined(text) else "unparsed"
        first = re.search(option, sentence)
        assert first is not None
        before = sentence[: first.start()].lower()
        if re.search(words_of(REFUSAL, NEGATION, PENDING), before) or re.match(r"no\b", before):
            return None, "abstained"
        if re.search(words_of(HEDGE, EARLIER, WRONG, RETRACT, "if unless"), before):
            return None, "ambiguous"
        bounded = rf"{words_of(BOUNDS)}(?:[\s(\[]|{words_of('the option')})*$"
        past = words_of("was were had been but however")
        named = re.search(r"([^\W\d_][\w'’]*)[\s(\[<]*$", before)
        if letters and named and not re.fullmatch(words_of(LOUD, BEFORE_LETTER), named[1]):
            return None, "ambiguous"
        if not words and re.search(rf"{bounded}|{past}|[<>~#❌]", before.rstrip(" (<[~")):
            return None, "ambiguous"
        value, rest = first[0], text[first.end() :]
    else:
        value, rest = lead[1], text[lead.end() :]
    fine = option_stands(value, rest, option, continued, words)
    if words:
        before = text[: len(text) - len(rest) - 1].lower()
        fine = fine and introduced(before) and unchallenged(value, rest.lower(), option)
    return (value, "read") if fine else (None, "ambiguous")


def unsettled(text: str) -> bool:
    """Whether a text takes something back, asks, doubts or refuses."""
    words = words_of(
        REFUSAL, NEGATION, PENDING, WANTING, RETRACT, WRONG, HEDGE, EARLIER, GONE,
        "no nein if unless but however or",
    )  # fmt: skip
    return bool(re.search(f"{words}|[?<>~#]", text))


def introduced(before: str) -> bool:
    """Whether nothing, or only what says that an option follows, stands before it."""
    before = re.sub(rf"(?:[\s(\[<'$]|{words_of(BEFORE_OPTION)})*$", "", before)
    if re.fullmatch(r"[-—.!?;=\s]*", before):
        return True
    if before.endswith(":"):
        return is_label(before[:-1])
    if re.search(rf"(?:{words_of(STATING)})$", before):
        return not unsettled(before) and not re.search(words_of("was were had been"), before)
    starts = words_of(BEFORE_OPTION, "so hence")
    return bool(
        re.fullmatch(rf"(?:{starts}|[\s,])*(?:\bi (?:choose|pick|select|answer)|,)", before)
    )


def unchallenged(value: str, rest: str, option: str) -> bool:
    """Whether only what is known to be harmless stands behind an option."""
    rest = re.sub(rf"^(?:[\s)\]>$*'=/]|{value})+", "", rest)
    if not rest:
        return True
    if rest[0] in ".!;":
        for sentence in re.split(r"[.!?;](?=\s|$)", rest[1:]):
            named = re.findall(rf"(?!{value}){option}", sentence)
            gone = rf"{option}\s+(?:is|are|was|were)\s+(?:out|gone|not|{words_of(WRONG)})"
            denied = re.findall(rf"(?:{gone})|(?:{words_of(NEGATION)})\s+{option}", sentence)
            if len(denied) < len(named) or re.search(words_of(RETRACT, "or but however"), sentence):
                return False
            past = words_of("was were had been")
            if not named and (unsettled(sentence) or re.search(past, sentence)):
                return False
            if named and value in sentence:
                return False
        return True
    bracket = re.match(r"[(\[]([^)\]]*)", rest)
    if bracket:
        return harmless(value, bracket[1], option) and unchallenged(
            value, rest[bracket.end() :], option
        )
    end = re.search(r"[.!?;](?=\s|$)", rest)
    sentence, later = (rest[: end.start()], rest[end.start() :]) if end else (rest, "")
    if later.startswith("?"):
        return False
    subject = re.match(r"is (?:the|my|our|your|correct|right)\b((?: \w+){0,4})", sentence)
    if subject:
        why = sentence[subject.end() :].strip()
        split = re.search(words_of("because since as given"), subject[1])
        if split:
            why = sentence[subject.start(1) + split.start() :]
            subject_words = subject[1][: split.start()]
        else:
            subject_words = subject[1]
        spoilt = unsettled(subject_words) or re.search(words_of("was were had been"), subject_words)
        return not spoilt and harmless(value, why, option) and unchallenged(value, later, option)
    return harmless(value, sentence, option) and unchallenged(value, later, option)


def harmless(value: str, remark: str, option: str) -> bool:
    """Whether a remark denies another option, explains, or says nothing."""
    remark = remark.strip(" ,:—-()[]'")
    if not remark:
        return True
    contrast = (
        rf"(?:and )?(?:{words_of(NEGATION)}|previously|formerly|earlier|originally|initially|was"
        rf"|unlike|instead of|rather than)\s+(?!{value}){option}(?P<why>.*)"
    )
    denied = re.fullmatch(contrast, remark)
    if denied:
        why = denied["why"].strip(" ,)]")
        return not why or harmless(value, why, option)
    if re.match(words_of("because since as given"), remark):
        if re.search(rf"(?!{value}){option}", remark):
            return not re.search(words_of(RETRACT, "so hence or but however if unless"), remark)
        return not unsettled(re.sub("^as", "", remark))
    return bool(re.fullmatch(rf"(?:{words_of(AROUND_OPTION)}|{value}|[\s,()\[\]])*", remark))


def option_stands(value: str, rest: str, option: str, continued: bool, words: bool) -> bool:
    """Whether the text behind an option leaves it committed."""
    rest = re.sub(rf"^[\s)\]>]*[-/] ?{value}", "", rest)
    if not words and re.match(r"[\s)\]>]*[-/+] ?\d", rest):
        return False
    cut = re.search(
        rf"[.!?;](?=[\s)]|$)|[,:(\[—]| - |(?i:{words_of(REMARK, 'is are was were had been')})", rest
    )
    unit = (rest[: cut.start()] if cut else rest).lower()
    remark = rest[cut.start() :] if cut else ""
    doubts = words_of(REFUSAL, PENDING, WANTING, RETRACT, WRONG, HEDGE, EARLIER)
    if re.search(rf"(?!{value}){option}", unit) or re.search(
        f"{doubts}|{words_of('or if unless but however')}", unit
    ):
        return False
    if continued and len(re.findall(r"\w+", unit)) > 3:
        return False
    if not remark:
        return True
    low = remark.lower()
    if low[0] in ".!?;":
        later = low[1:].strip(" *)")
        if low[0] == ";" and re.match(option, later):
            return False
        return not re.match(words_of(RETRACT) + "|no,", later) and (not continued or not later)
    if re.match(words_of("is are was were had been"), low):
        subject = re.split(r"[.!?;](?=\s|$)", low)[0]
        subject = re.sub(rf", not (?=\s*(?!{value}){option})", ", ", subject)
        if re.search(f"{doubts}|{words_of(NEGATION, 'no if unless but however or')}", subject):
            return False
        explained = re.split(f"{words_of(REMARK)}|,", subject)[0]
        return not [o for o in re.findall(option, explained) if o != value]
    sentence = re.split(r"[.!?;](?=\s|$)", low, maxsplit=1)[0]
    if low[0] in "([":
        close = re.search(r"[)\]]", low)
        sentence = low[: close.start()] if close else low
        after = remark[close.end() :] if close else ""
        if not option_stands(value, after, option, continued, words):
            return False
    elif re.match(rf"[,:— -]+(?:and |& )?{option}", low):
        return False
    if re.match(words_of(RETRACT, "if unless but however or") + "|no,", sentence.lstrip(" ,:(-—")):
        return False
    others = [o for o in re.findall(option, sentence) if o != value]
    apart = words_of(NEGATION, EARLIER, WRONG, REMARK, "was were had been though although over")
    if others and not words and low[0] in ",:—-" and not re.search(apart, sentence):
        return False
    if others and re.search(rf"{words_of(HEDGE, RETRACT, 'or')} *{option}", sentence):
        return False
    wrong = words_of(REFUSAL, PENDING, WANTING, WRONG, HEDGE)
    wrong += rf"|(?:{words_of(NEGATION)}) (?:{words_of(UNSURE)})"
    if not others:
        opening = sentence.lstrip(" ,:(-—")
        return not (re.search(wrong, sentence) or re.match(words_of(NEGATION), opening))
    return not (len(others) == 1 and not re.search(r"[a-z]", sentence))


def fold(text: str) -> str:
    """Case folded by the upper case of each character, lowered; digits as ASCII."""
    return "".join(
        str(unicodedata.digit(c)) if c.isdecimal() else "".join(u.lower() for u in c.upper())
        for c in text
    )


MERIDIEM = r"\ ?(?:[ap]\.\ ?m\b(?:\.(?!\ *(?-i:[A-Z])))?|[ap]\ ?m\b)"
HALF = rf"""(?:\ in\ the\ (?:morning|afternoon|evening)|\ this\ (?:morning|afternoon|evening)
    |\ am\ (?:Morgen|Vormittag|Nachmittag|Abend)|\ abends)\b
    |{MERIDIEM}"""
NIGHT = r"\ (?:tonight|at\ night)\b"
UNREAD = rf"(?:{words_of(SPELLED)}|dreißig|zehn|halb|viertel|quarter|half)"
TIME = re.compile(
    rf"""(?<![\w.:])(?:
      (?P<hour>\d+):(?P<minute>\d+)(?P<second>:\d+)?(?P<more>(?::*\d+)*)(?P<lasts>\ hours?\b)?
      (?:\ Uhr\b)?
    | (?P<dotted>\d{{1,2}}\.\d\d)(?={HALF})
    | (?P<late>1[3-9]|2[0-3])(?:[hH]|\ [hH]\ )(?P<lm>\d\d)\ ?(?:min|mn|m|minutes)\b
    | (?P<h>\d{{1,2}})(?:[hH]|\ [hH]\ )(?P<hm>\d\d)(?!\w|\ ?(?:min|mn|m|minutes)\b)
    | (?P<alone>\d{{1,2}})[hH](?!\w)
    | (?P<heures>\d{{1,2}})\ heures?\ (?P<hem>\d\d)(?!\w)
    | (?P<run>\d{{3,4}})(?={MERIDIEM})
    | (?P<military>\d{{4}})\ ?(?:h|hrs|hours)\b
    | (?P<clock>\d{{1,2}})\ ?(?:(?:Uhr|o'clock)\b|[点點时時시])
      (?:\ ?(?P<cm>\d+)(?P<sign>[分분])?(?P<glued>\w)?|\ ?(?P<mark>半|반|一刻|三刻))?
      (?P<unread>\ {UNREAD})?
    | (?P<bare>\d{{1,2}})(?={HALF})
    | (?<!\w-)(?P<named>noon|midday|midnight)\b(?!-\w)
    )(?P<half>{HALF}|{NIGHT})?""",
    re.VERBOSE | re.IGNORECASE,
)
DOTTED = re.compile(r"(?<![\w.:$,])(\d{1,2})\.(\d\d)(?![\w%]|[.,/]\d)")
TONIGHT = re.compile(rf"(?<![\w.:$,])(\d{{1,2}}){NIGHT}", re.VERBOSE | re.IGNORECASE)


def nightly(hour: int) -> int | None:
    """The hour that somebody means by an hour of the night."""
    if hour == 12:
        return 0
    if 6 <= hour <= 11:
        return hour + 12
    return hour if hour < 6 or 18 <= hour < 24 else None


def minutes_of(match: re.Match[str]) -> int | None:
    """Minutes since midnight of a time, unless there is no such time."""
    part = match.groupdict()
    half = re.sub(r"[^a-z]", "", (part["half"] or "").lower())
    late = half in ("pm", "amabend", "abends") or half.endswith(
        ("afternoon", "evening", "nachmittag")
    )
    early = half in ("am", "ammorgen", "amvormittag") or half.endswith("morning")
    if part["named"]:
        return 0 if part["named"].lower() == "midnight" else 720
    if part["hour"]:
        if len(part["hour"]) > 2 or len(part["minute"]) != 2 or part["more"]:
            return None
        if part["lasts"] and len(part["hour"]) == 1:
            return None
        if part["second"] and not re.fullmatch(":[0-5][0-9]", part["second"]):
            return None
        hour, minute = int(part["hour"]), int(part["minute"])
    elif part["dotted"]:
        hour, minute = map(int, part["dotted"].split("."))
    elif part["military"]:
        hour, minute = int(part["military"][:2]), int(part["military"][2:])
    elif part["run"]:
        hour, minute = int(part["run"][:-2]), int(part["run"][-2:])
    elif part["clock"]:
        if (
            part["unread"]
            or part["glued"]
            or (part["cm"] and len(part["cm"]) != 2 and not part["sign"])
        ):
            return None
        marks = {"半": 30, "반": 30, "一刻": 15, "三刻": 45, None: 0}
        hour, minute = int(part["clock"]), int(part["cm"] or marks[part["mark"]])
    else:
        written = ("h", "late", "alone", "heures", "bare")
        hour = int(next(part[name] for name in written if part[name]))
        minute = int(part["hm"] or part["lm"] or part["hem"] or 0)
    if minute > 59 or (early and hour > 12) or (late and not 1 <= hour <= 23):
        return None
    if early:
        hour %= 12
    elif late:
        hour = hour % 12 + 12 if hour <= 12 else hour
    elif half in ("tonight", "atnight"):
        night = nightly(hour)
        return None if night is None else night * 60 + minute
    elif hour == 24 and minute == 0:
        hour = 0
    return hour * 60 + minute if hour < 24 else None


def coded_times(text: str, dots: bool) -> str:
    """The text with a private character for each time; one that is none has one of its own."""

    def code(match: re.Match[str]) -> str:
        minutes = minutes_of(match)
        return f" {chr(0xE000 + (1440 + match.start() if minutes is None else minutes))} "

    coded = TIME.sub(code, text)
    if dots and coded == text:

        def dotted(match: re.Match[str]) -> str:
            hour, minute = int(match[1]), int(match[2])
            fits = hour < 24 and minute < 60
            return f" {chr(0xE000 + hour * 60 + minute)} " if fits else match[0]

        def tonight(match: re.Match[str]) -> str:
            hour = nightly(int(match[1]))
            return f" {chr(0xE000 + (1440 + match.start() if hour is None else hour * 60))} "

        coded = TONIGHT.sub(tonight, DOTTED.sub(dotted, text))
    time = "[\ue000-\ue59f]"
    link = r" *(?:[-—=/]|\b(?:to|and|or|until|till|through)\b) *"
    coded = re.sub(rf"({time}){link}\1", r"\1", coded)
    hour = r"(?<![\d.])(?:(?:\d|1\d|2[0-3])(?:\.\d+)?|24)(?!\d|\.\d)"
    coded = re.sub(
        rf"{hour}(?={link}{time})|(?<![\d.])\d+(?:\.\d+)?(?=[ )\]>]*or[ (\[<]*{time})",
        "\uf8ff",
        coded,
    )
    coded = re.sub(rf"(?<={time} )([ )\]>]*or[ (\[<]*)\d+(?:\.\d+)?(?![\d.])", "\\1\uf8ff", coded)
    return re.sub(rf"(?<={time} )({link}){hour}", "\\1\uf8ff", coded)


def of_day(coded: str) -> list[str]:
    """The times of a text that are none of how long something takes, of a score or the like."""
    found = []
    for match in re.finditer("[\ue000-\uf8ff]", coded):
        head = re.split(r"[.!?;](?=\s|$)|[,\n—\ue000-\uf8ff]| - ", coded[: match.start()])[
            -1
        ].lower()
        spans = re.search(words_of(SPANS), head) and not re.search(r"\bat *$", head)
        behind = re.match(rf" *{words_of(SPANS_BEHIND)}", coded[match.end() :].lower())
        if not (spans or behind):
            found.append(match[0])
    return found


def clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def harness_times(text: str, pattern: str) -> list[str]:
    found = []
    for hour, minute, half in re.findall(
        pattern + r"(\d{1,2}):(\d{2})(?:\s*(am|pm))?", text, re.IGNORECASE
    ):
        value = int(hour)
        if half.lower() == "pm" and value < 12:
            value += 12
        if half.lower() == "am" and value == 12:
            value = 0
        found.append(f"{value % 24:02}:{int(minute):02}")
    return found


def answer_time(
    reply: str,
    dialect: str = "strict",
    fallback: str | None = None,
    marker: tuple[str, ...] = ("ANSWER",),
    which: str = "last",
) -> tuple[str | None, str]:
    """The committed time of a reply and the status of the reading."""
    if dialect != "strict":
        loose = dialect.endswith("loose")
        found = harness_times(reply, "" if loose else HARNESS_MARK + r"\s*\*{0,2}\s*")
        value = found[-1 if loose else 0] if found else None
        return value, "unparsed" if value is None else "read"
    value, status = strict_time(reply, marker, which)
    if status == "unparsed" and fallback == "last_time":
        lines = "\n".join(normalise(line) for line in reply.splitlines())
        times = of_day(coded_times(lines, dots=False))
        if times:
            last = ord(times[-1]) - 0xE000
            if last >= 1440:
                return None, "ambiguous"
            return clock(last), "read" if len(set(times)) == 1 else "ambiguous"
    return value, status


def strict_time(reply: str, marker: tuple[str, ...], which: str) -> tuple[str | None, str]:
    found = payload(reply, marker, which)
    if found is None:
        return None, "unparsed"
    line, continued, _ = found
    coded = coded_times(normalise(line), dots=True)
    option = r"[\ue000-\uf8ff]"
    if not re.search(option, coded):
        return None, valueless(line)
    value, status = committed_option(coded.lstrip(" =-—.;!?"), option, continued)
    if value is None:
        return None, status
    before, _, behind = coded.lower().partition(value)
    spans = re.search(words_of(SPANS), before) and not re.search(r"\bat\W*$", before)
    if spans or re.match(rf" +(?:is )?{words_of(UNKEPT, SPANS_BEHIND)}", behind):
        return None, "ambiguous"
    minutes = ord(value) - 0xE000
    if minutes >= 1440:
        return None, "unparsed"
    return retracted(clock(minutes), status, found, time_answer(clock(minutes)))


def answer_choice(
    reply: str,
    options: str = "ABCD",
    marker: tuple[str, ...] = ("ANSWER",),
    which: str = "last",
) -> tuple[str | None, str]:
    """The committed letter of a reply and the status of the reading."""
    found = payload(reply, marker, which)
    if found is None:
        return None, "unparsed"
    line, continued, _ = found
    text = normalise(line).replace("$", "")
    letters = f"[{options.upper()}{options.lower()}]"
    upper = dict(zip(options.upper(), options, strict=True))

    def code(match: re.Match[str]) -> str:
        next_word = re.match(r" +([^\W\d_]+)", text[match.end() :])
        word = next_word[1].lower() if next_word else ""
        loud = words_of(LOUD)
        another = len(word) == 1 and word.upper() in upper
        if match[0] in "Aa" and word and not another and not re.fullmatch(loud, word):
            return match[0]
        if match[0] in "Ii" and word and not another and word not in ("is", "are", "and", "or"):
            return match[0]
        return chr(0xE000 + ord(match[0].upper()))

    coded = re.sub(rf"(?<![\w'-]){letters}(?![\w'+#]|-\w)", code, text)
    option = r"[\ue000-\uf8ff]"
    if not re.search(option, coded):
        return None, valueless(line)
    leads = "the|correct|best|right|final|my|answer|option|choice|letter|is|i|choose"
    lead = rf"(?:\b(?:{leads})\b|[ (\[:=-])*"
    label = re.match(
        rf"(?i:{lead})({option})(?:[)\]]+[:.]?|:|\.(?= )| - | — | -)"
        r"\s*(?![,/]|and\b|or\b|not\b)(?=\S)",
        coded,
    )
    if label:
        rest = coded[label.end() :]
        again = rf"{option}(?:\)|:|\. | - )(?= *\S)|\({option}\)|\b(?:or|and) \(?{option}"
        taken_back = re.search(words_of(RETRACT) + f".*{option}", rest, re.IGNORECASE)
        others = [m for m in re.findall(option, rest) if m != label[1]]
        if others and (re.search(again, rest) or taken_back):
            return None, "ambiguous"
        named = upper[chr(ord(label[1]) - 0xE000)]
        return retracted(named, "read", found, letter_answer(named, options))
    coded = coded.lstrip(" =-—.;!?")
    coded = re.sub(rf"({option})", r" \1 ", coded)
    value, status = committed_option(coded, option, continued, letters=True)
    if value is None:
        return None, status
    named = upper[chr(ord(value) - 0xE000)]
    return retracted(named, status, found, letter_answer(named, options))


# What the scorers commit to in a text that a following line restates.
READ: dict[str, Callable[[str, Any], Any]] = {
    "number": lambda text, _: committed_number(text, False)[0],
    "time": lambda text, _: answer_time("ANSWER: " + text)[0],
    "letter": lambda text, letters: answer_choice("ANSWER: " + text, letters)[0],
    "word": lambda text, options: answer_word("ANSWER: " + text, list(options))[0],
}
