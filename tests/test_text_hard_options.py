r"""Hard lines behind a marker, each with the word, letter or time that a careful reader would take.

As in `tests/test_text_hard_numbers.py`; a value of None says that nothing is committed.
"""

import polars as pl
import pytest

import reclaimstats as rs

NAMES = ["Ana", "Ben", "Cleo", "New York", "York"]


def wrong(scorer: pl.Expr, answers: list[str], value: str | None, reply: str) -> list:
    rows = pl.DataFrame({"reply": [reply.format(answer) for answer in answers]})
    found = rows.select(scorer.alias("trace")).unnest("trace").select("value", "status").rows()
    return [
        (answer, *reading)
        for answer, reading in zip(answers, found, strict=True)
        if reading[0] != value or (reading[1] == "read") != (value is not None)
    ]


WORDS: dict[str, tuple[str | None, list[str]]] = {
    "alone": ("Ana", [
        "Ana", "ana", "ANA", "Ana.", "Ana!", "**Ana**", "*Ana*", "`Ana`", "'Ana'", "\"Ana\"",
        "“Ana”", "‘Ana’", "«Ana»", "„Ana“", "「Ana」", "[Ana]", "(Ana)", "{Ana}", "<Ana>",
        "<b>Ana</b>", "Ana</s>", "Ana<|im_end|>", "\\text{Ana}", "\\boxed{Ana}",
        "$\\boxed{\\text{Ana}}$", "\\textbf{Ana}", "Ａｎａ", "A\u200bna", "\u200eAna\u200e",
        "\ufeffAna", "Ana ✅", "✅ Ana", "👉 Ana", "- Ana", "• Ana", "* Ana", "→ Ana", "Ana's",
        "Ana’s", "ANA’S", "Ana…", "Ana ...", "| Ana |", "Ana Ana", "Ana :)", "&nbsp;Ana",
        "Ana (Ana)", "= Ana", "Ana ###", "#Ana", ": Ana",
    ]),
    "sentences": ("Ana", [
        "The manager is Ana.", "The manager is **Ana**.", "The answer is Ana",
        "The answer is: Ana", "My answer is Ana", "My final answer is Ana.", "My choice is Ana",
        "It is Ana", "It's Ana", "It’s Ana", "So it's Ana", "So Ana", "Therefore Ana",
        "I choose Ana", "I'd choose Ana", "I’d choose Ana", "I would choose Ana",
        "I'll go with Ana", "I'd go with Ana", "I will go with Ana", "I go with Ana", "I pick Ana",
        "I select Ana", "I am choosing Ana", "I'd pick Ana.", "I'd say Ana", "I'd answer Ana",
        "I choose: Ana", "Definitely Ana", "Clearly Ana", "Ana, definitely", "Ana is the manager",
        "Ana is our manager", "Ana is correct", "Ana is the answer", "Ana is the right manager",
        "It must be Ana", "It should be Ana", "It has to be Ana", "The correct option is Ana",
        "The current manager is now Ana", "That's Ana", "Still Ana", "We choose Ana",
        "My pick is Ana", "I would answer Ana", "Option Ana", "the option is \"Ana\"",
    ]),
    "labels": ("Ana", [
        "Manager: Ana", "Name: Ana", "Winner: Ana", "Answer: Ana", "The manager: Ana",
        "New manager: Ana", "Current manager: Ana", "Choice: Ana", "Person: **Ana**",
        "Team lead: Ana", "Manager = Ana", "Project owner: Ana", "Final choice: Ana",
        "Selected option: Ana", "Manager — Ana", "**Manager:** Ana", "Head of sales: Ana",
        "Manager of the team: Ana",
    ]),
    "remarks": ("Ana", [
        "Ana (based on the roster)", "Ana, based on the roster", "Ana based on the roster",
        "Ana (per the roster)", "Ana, according to the roster", "Ana (from the roster)",
        "Ana, as stated", "Ana, as stated above", "Ana (see above)", "Ana (confirmed)",
        "Ana (the manager)", "Ana (manager)", "Ana, the manager", "Ana — the manager",
        "Ana because Ben is out", "Ana, because Ben resigned", "Ana since Ben left",
        "Ana. Ben is out.", "Ana. She is the manager.", "Ana.\u00a0She is the manager.",
        "Ana (not Ben)", "Ana, not Ben", "Ana — not Ben", "Ana and not Ben", "Ana rather than Ben",
        "Ana (rather than Ben)", "Ana instead of Ben", "Ana (instead of Ben)",
        "Ana (previously Ben)", "Ana (was Ben)", "Ana, formerly Ben",
        "Ana is the manager, not Ben", "Ana (Ben is wrong)", "Ana. Ben is wrong.",
        "Ana, thank you", "not Ben but Ana", "It is not Ben but Ana", "Ana (replacing Ben)",
        "Ana, replacing Ben",
    ]),
    "several": (None, [
        "Not just Ana but Ben", "Ana, Ben's successor", "Ana and her team", "Ana or Ben",
        "Ana and Ben", "Ana, Ben", "Ana/Ben", "Ana / Ben", "Ana & Ben", "Ana; Ben", "Ana | Ben",
        "Ana vs Ben", "Ana (Ben)", "Ana (or Ben)", "Ana or possibly Ben", "either Ana or Ben",
        "Ana + Ben", "Ana-Ben", "Ana - Ben", "Ana → Ben", "Ana -> Ben", "Ana > Ben",
        "both Ana and Ben", "Ana. Ben.", "[Ana, Ben]", "Ana\tBen", "Ana Ben", "1. Ana 2. Ben",
        "Ana (manager), Ben (designer)", "Ana = Ben", "The manager is Ana or Ben",
        "It is Ana and Ben", "New York or York", "Ana (Ben is the designer)",
        "Manager: Ana, Designer: Ben", "Ana, or Ben", "Ana, maybe Ben", "Ana, then Ben",
        "Ana followed by Ben", "Ana… Ben", "Ana\u2009/\u2009Ben", "Ana with Ben",
    ]),
    "doubt": (None, [
        "Probably Ana", "Maybe Ana", "Ana?", "Ana ?", "Ana？", "Ana؟", "Ana\u200b?", "Ana?!",
        "Ana (?)", "Ana ❓", "¿Ana?", "Ana, I think", "I think Ana", "I believe it is Ana",
        "I guess Ana", "Ana (unverified)", "Ana, but unverified", "Ana (guess)", "best guess: Ana",
        "My guess: Ana", "Presumably Ana", "Ana, presumably", "Ana if the note is right",
        "Ana unless Ben is back", "It might be Ana", "It could be Ana", "It would be Ana",
        "It seems to be Ana", "Rumor: Ana", "Rumour is Ana", "Everyone says it is Ana",
        "Ana says so", "Ana 🤷", "Ana, allegedly", "Ana (to be confirmed)", "Ana (TBC)",
        "not sure, Ana", "Ana or so", "Unverified: Ana", "I doubt it's Ana", "hardly Ana",
        "Someone like Ana", "Ana (low confidence)", "whether Ana or not",
    ]),
    "taken back or of another": (None, [
        "Ben is wrong", "Ben is not the manager", "Ben isn't", "Ben isn’t the manager",
        "Ben no longer", "anyone but Ben", "someone other than Ben", "everyone except Ben",
        "without Ben", "formerly Ben", "previously Ben", "It was Ben", "It used to be Ben",
        "Ben was the manager", "Ben resigned", "Ben was replaced", "Ben got replaced", "Ben left",
        "Ben's successor", "Ben’s boss", "successor of Ben", "Ben, until May", "Ben until May",
        "Old manager: Ben", "Former manager: Ben", "Previous: Ben", "Deputy: Ben", "Decoy: Ben",
        "Not manager: Ben", "Ben. Wait, Ana", "Ben. He resigned.", "Ben. That is stale.",
        "Ben, according to the old note", "Ben - no, Ana", "Ben, no Ana", "Ben — sorry, Ana",
        "Ben. Ana took over.", "❌ Ben", "Ben ❌", "~~Ben~~", "<s>Ben</s>", "<del>Ben</del>",
        "the manager is no longer Ben", "no one but Ben", "Ben (wrong)", "Ben (outdated)",
        "Ben (old)", "last year Ben", "Ben replaced Ana", "Ben reports to Ana", "Ben told me",
        "ask Ben", "Ask Ben", "Contact Ben for this", "Wrong answer: Ben", "The old answer is Ben",
        "The previous manager is Ben", "!Ben", "≠ Ben", "¬Ben",
    ]),
    "no option": (None, [
        "", "?", "...", "Roger", "Anabel", "Ana-Maria", "Anna", "Bén", "An", "Banana", "A", "New",
        "anA1", "Ana_1", "the manager", "46", "Yorkshire", "New-York", "NewYork", "@", "X", "a na",
        "Аna", "Ana\u0301",
    ]),
    "declined": (None, [
        "unknown", "Unknown.", "I don't know", "I don’t know", "Not Ben", "not ben",
        "It is not Ana", "Neither Ana nor Ben", "None", "None of them", "N/A",
        "Unable to say whether Ana or Ben", "I cannot tell", "cannot say if Ana or Ben",
        "<answer>", "<name>", "[name]", "[your answer]", "(name)", "{name}", "nicht Ben",
        "non Ben", "不是 Ben", "Unknown (Ana?)", "Unknown (Ana or Ben)", "I have no idea",
        "no record of the manager", "desconocido", "未知", "неизвестно", "not enough information",
        "Insufficient information (Ana or Ben)", "n\u200bot Ben", "It isn't Ana", "It’s not Ana",
        "I won't choose between Ana and Ben", "unsure: Ana or Ben", "No answer",
    ]),
    "the longer option": ("New York", [
        "New York", "new york", "NEW  YORK", "New\u00a0York", "**New York**", "New York.",
        "The city is New York.", "City: New York", "New York's", "(New York)", "I choose New York",
        "New York, not York", "New\u200b York",
    ]),
    "the shorter option": ("York", [
        "York", "It is York", "York, not New York", "York (not New York)",
    ]),
}  # fmt: skip


SETS: list[tuple[list[str], dict[str, str | None]]] = [
    (["Yes", "No"], {
        "Yes": "Yes", "yes.": "Yes", "No": "No", "NO!": "No", "**No**": "No", "No, it fell.": "No",
        "Yes, it did.": "Yes", "The answer is no": "No", "The answer is yes.": "Yes",
        "yes/no": None, "yes or no": None, "Yes and no": None, "No information available": None,
        "No idea": None, "No. 46 is less than 55.": "No", "Yes — it rose": "Yes", "no\n": "No",
        "Not yes": None, "Nope": None, "Yes, but not always": None, "Yes?": None, "Unknown": None,
        "N/A": None, "No (it fell)": "No", "No; it fell": "No", "Answer: no": "No",
        "I say no": None, "no one": None, "No, wait, yes": None, "No. Yes.": None,
        "No, it does not.": "No", "No, it isn't.": "No", "No. It is not open.": "No",
        "No. She left.": "No", "No, they have not.": "No", "Yes. The store was moved.": "Yes",
        "No, because Ana left.": "No", "No. It was closed.": "No", "Yes, it does not": None,
        "No, it is not known": None, "No. It is not clear.": None, "No, I cannot say": None,
        "No. I don't know.": None, "Yes, with caveats": None, "Yes, partly": None,
        "No, but it will": None, "No. Wait, yes.": None, "No, not if it rains": None,
        "Yes\u200b": "Yes", "YES": "Yes", "Yes because it rose": "Yes",
    }),
    (["True", "False", "None"], {
        "True": "True", "false": "False", "None": "None", "None.": "None", "It is false": "False",
        "The statement is True.": "True", "true, because it rose": "True", "Not true": None,
        "True or false": None, "None of these": None, "\\text{False}": "False", "true/false": None,
        "<false>": "False",
    }),
    (["yes", "no", "not enough info"], {
        "Not enough info": "not enough info", "not enough info.": "not enough info",
        "Not enough info to say": None, "The answer is not enough info": "not enough info",
        "no": "no", "**Not enough info**": "not enough info", "Not enough information": None,
        "\"not enough info\"": "not enough info",
    }),
    (["unknown", "cannot be determined", "Ana"], {
        "unknown": "unknown", "Unknown.": "unknown",
        "Cannot be determined": "cannot be determined", "It cannot be determined": None,
        "It is unknown": "unknown", "Ana": "Ana", "unknown or Ana": None,
    }),
    (["red", "dark red", "blue"], {
        "dark red": "dark red", "Dark Red!": "dark red", "red": "red", "darkred": None,
        "dark-red": None, "dark blue": None, "red, not dark red": "red", "dark  red": "dark red",
        "reddish": None, "infrared": None,
    }),
    (["C", "C++", "C#", "F#"], {
        "C++": "C++", "C": "C", "C#": "C#", "c++.": "C++", "`C++`": "C++",
        "The language is C#.": "C#", "C+": None, "C, not C++": "C", "C/C++": None,
        "C++ or C": None, "f#": "F#", "(C#)": "C#",
    }),
    (["Plan A: $50", "Plan B: $50", "Yes -- (maybe)", "50"], {
        "Plan A: $50": "Plan A: $50", "**Plan B: $50**": "Plan B: $50", "50": "50",
        "Yes -- (maybe)": "Yes -- (maybe)", "Plan A, 50": "Plan A: $50", "$50": "50",
    }),
    (["U.S.", "U.K.", "St. Louis", "Washington, D.C.", "Dr. Smith"], {
        "U.S.": "U.S.", "u.s.": "U.S.", "The U.K.": "U.K.", "It is the U.S.": "U.S.",
        "St. Louis": "St. Louis", "**St. Louis**": "St. Louis",
        "Washington, D.C.": "Washington, D.C.", "It is Washington, D.C.": "Washington, D.C.",
        "Dr. Smith": "Dr. Smith", "dr. smith.": "Dr. Smith", "Dr Smith": "Dr. Smith",
        "Smith": None, "St Louis": "St. Louis",
    }),
    (["10:30", "11:30", "half past ten"], {
        "10:30": "10:30", "It is 10:30.": "10:30", "10:30 or 11:30": None,
        "half past ten": "half past ten", "10:31": None,
    }),
    (["3", "4", "-3", "3.5", "1,000"], {
        "3": "3", "-3": "-3", "3.5": "3.5", "1000": "1,000", "34": None, "3, not 4": "3",
        "3 or 4": None, "The answer is 4": "4",
    }),
    (["José", "Zoë", "Straße", "Ñandú", "Việt"], {
        "José": "José", "Jose\u0301": "José", "JOSÉ": "José", "JOSE\u0301": "José",
        "The manager is Jose\u0301.": "José", "Jose": None, "Zoe\u0308": "Zoë", "zoë": "Zoë",
        "STRASSE": "Straße", "strasse": "Straße", "N\u0303andu\u0301": "Ñandú", "ñandú's": "Ñandú",
        "Vie\u0323\u0302t": "Việt", "VIỆT": "Việt", "Viet": None,
    }),
    (["Jose\u0301", "İzmir", "Σίσυφος", "Мария", "日本", "हिन्दी", "서울"], {
        "José": "Jose\u0301", "i̇zmir": "İzmir", "İZMİR": "İzmir", "ΣΊΣΥΦΟΣ": "Σίσυφος",
        "σίσυφοσ": "Σίσυφος", "мария": "Мария", "Это Мария": None, "日本": "日本",
        "「日本」": "日本", "हिन्दी": "हिन्दी", "**हिन्दी**.": "हिन्दी", "서울": "서울",
        "\u1109\u1165\u110b\u116e\u11af": "서울",
    }),
    (["Jean-Luc", "O'Brien", "AT&T", "rock 'n' roll", "Node.js", "A/B test", "e-mail"], {
        "Jean-Luc": "Jean-Luc", "jean-luc.": "Jean-Luc", "Jean‑Luc": "Jean-Luc",
        "O'Brien": "O'Brien", "O’Brien": "O'Brien", "O’Brien's": "O'Brien", "AT&T": "AT&T",
        "AT&amp;T": "AT&T", "rock 'n' roll": "rock 'n' roll", "Node.js": "Node.js",
        "The A/B test": "A/B test", "E-mail": "e-mail", "Jean Luc": None, "email": None,
        "Jean": None,
    }),
    (["May", "June", "Will"], {
        "May": "May", "June": "June", "Will": "Will", "May.": "May", "It may be June": None,
        "May or June": None, "It is May": "May", "June, not May": "June",
        "Will is the manager": "Will",
    }),
]  # fmt: skip


CHOICES: dict[str, tuple[str | None, list[str]]] = {
    "letters": ("B", [
        "B", "b", "(B)", "(b)", "[B]", "<B>", "{B}", "**B**", "*B*", "__B__", "`B`", "\"B\"",
        "'B'", "“B”", "B.", "B)", "b)", "(B", "B:", "B,", "B;", "B!", "B -", "$B$", "$\\boxed{B}$",
        "\\boxed{B}", "\\text{B}", "\\textbf{B}", "\\mathrm{B}", "\\boxed{\\text{B}}",
        "\\boxed{\\text{(B)}}", "\\boxed{(B)}", "$\\mathbf{B}$", "\\(B\\)", "\\[B\\]", "Ｂ",
        "（B）", "【B】", "「B」", "Ⓑ", "ⓑ", "𝐁", "\u200bB", "B\u200b", "\ufeffB", "B ✅", "✅ B",
        "👉 B", "- B", "• B", "* B", "→ B", "= B", ": B", "[[B]]", "<<B>>", "B</s>", "B<|im_end|>",
        "<b>B</b>", "<answer>B</answer>", "B ###", "| B |", "((B))", "&nbsp;B", "B。", "B．",
        "B、", "(B).", "**(B)**", "**B.**", "**B**.", "Option B", "option b", "Choice B",
        "Letter B", "Answer B", "answer: B", "Option: B", "Option (B)", "OPTION B.",
        "option **B**", "B and only B",
    ]),
    "with their text": ("B", [
        "\\boxed{B. 46}", "B. $\\frac{1}{2}$", "\\textbf{(B) } 46", "B. A dog", "B) Paris",
        "(B) Paris", "[B] Paris", "B. Paris", "B: Paris", "B - Paris", "B – Paris", "B — Paris",
        "B Paris", "B (Paris)", "B, Paris", "**B)** Paris", "**B. Paris**", "**B**: Paris",
        "B) None of the above", "B. It is not known", "B: unknown", "(B) Cannot be determined",
        "B) A and C", "B) Both A and C", "B) 46", "B. 46", "B: 46 or 55", "B) Vitamin C",
        "B\\) Paris", "Option B: Paris", "Option B) Paris", "Option B (Paris)", "b) paris",
        "B | Paris", "B = Paris", "B) Not enough information", "B. No", "B) never",
        "B: Paris, France", "B) Paris, because it is large", "\\boxed{\\text{B) Paris}}",
        "\\boxed{B: Paris}", "B .Paris", "B)Paris", "B.Paris", "B\tParis",
    ]),
    "sentences": ("B", [
        "The answer is B", "The answer is B.", "The correct answer is B",
        "The correct answer is (B) Paris", "The answer is **B**", "The answer is: B",
        "The answer is option B.", "The correct option is B) Paris.", "The best choice is B",
        "The correct choice is (B): Paris", "It is B", "It's B", "It must be B", "I choose B",
        "I'd choose B", "I would choose B", "I'll go with B", "I pick B", "I select option B",
        "My answer is B", "My final answer is B", "So the answer is B", "Therefore, B",
        "Thus, the answer is B.", "B is correct", "B is the correct answer",
        "Option B is correct.", "B is right", "B is the best answer", "Definitely B",
        "B, definitely", "The answer is $\\boxed{B}$.", "The letter is B", "Clearly B", "So B",
    ]),
    "struck out": ("B", [
        "~~A~~ B", "B ~~A~~", "<del>A</del> B", "~~A) Rome~~ B) Paris", "B (~~A~~)",
        "The answer is ~~A~~ B.",
    ]),
    "remarks": ("B", [
        "B, not A or C", "The answer is not A, it is B", "B, though C is close", "B (70% sure)",
        "B, not C", "B (not C)", "B rather than C", "B instead of C", "B because C is wrong",
        "B since A and C are out", "B. C is wrong.", "B. A and C are wrong.", "B (C is wrong)",
        "B (see above)", "B, because it is the largest", "not C but B", "B (based on the text)",
        "B, as stated", "B over C",
    ]),
    "several": (None, [
        "A (and C)", "A, and also C", "B - C", "B—C", "C: B", "A is out, C is out, so B", "B; C",
        "A→C", "B... or C", "A or B", "A and B", "A and C", "A, B", "A/B", "A & B", "A, B, C",
        "A-C", "A–C", "A to C", "AC", "ABC", "A B", "A;B", "A | B", "both A and B",
        "either A or B", "(A) or (B)", "(A) and (C)", "A) Rome or B) Paris", "A) Rome B) Paris",
        "A: no, B: yes", "A (or B)", "A (B)", "A+B", "A > B", "[A, B]", "(A)(B)", "B. Wait, C",
        "B? No, C", "B → C", "B, C", "B) and C)", "Options A and C", "The answer is A or B",
        "A B C D", "A. B. C.", "B vs C", "B, or C", "B or maybe C",
    ]),
    "doubt": (None, [
        "5 C", "5°C", "5 °C", "It is 5 C",
        "Vitamin C", "hepatitis B", "Grade A", "Team B", "Probably B", "Maybe B", "B?", "B ?",
        "B？", "B\u200b?", "B (?)", "B, I think", "I think B", "I guess B", "My guess is B",
        "B (guess)", "B (unsure)", "It could be B", "It might be B", "B if the text is right",
        "B, but I am not sure", "B 🤷", "B or not", "I believe B", "B, maybe", "B ❓",
        "B (low confidence)",
    ]),
    "taken back": (None, [
        "B is wrong", "B is not right", "B is incorrect", "B isn't it", "~~B~~", "<s>B</s>",
        "❌ B", "B ❌", "not B, C or D", "anything but B", "all but B", "all except B", "It was B",
        "previously B", "B no longer", "≠ B", "¬B", "!B", "the eliminated option is B",
        "The rejected choice is B",
    ]),
    "no letter": (None, [
        "", "?", "E", "Paris", "AB", "B2", "Bb", "A colour", "a dog", "A dog.", "I", "I say so",
        "1", "2", "46", "В", "Β", "Because", "all of the above", "All of the above", "B+", "B-52",
        "B1", "B_1", "BB", "ᗷ", "β", "be", "bee", "vitamin-B", "B-side",
    ]),
    "declined": (None, [
        "Not B", "not (B)", "None of the above", "none", "unknown", "I don't know",
        "I cannot tell whether A or B", "Neither A nor B", "<letter>", "[letter]", "(letter)",
        "<A|B|C|D>", "[A/B/C/D]", "It is not B", "N/A", "no answer", "unable to choose", "不知道",
        "I won't choose", "cannot be determined", "It isn’t B", "No option is right",
    ]),
}  # fmt: skip


TIMES: dict[str, tuple[str | None, list[str]]] = {
    "afternoon": ("16:15", [
        "4:15 o'clock PM", "**4:15** PM", "`4:15` PM", "4 : 15 PM", "4: 15 PM", "16:15 UTC+2",
        "16:15 CET (15:15 UTC)", "Friday, May 12, at 4:15 PM", "16:15 or so", "16:15", "16:15.",
        "**16:15**", "`16:15`", "\"16:15\"", "(16:15)", "[16:15]", "<16:15>", "$16:15$",
        "\\boxed{16:15}", "\\text{16:15}", "16：15", "１６：１５", "16∶15", "16:15:42",
        "16:15:42.5", "16:15:00", "16:15Z", "16:15 UTC", "16:15 GMT", "16:15 CET", "16:15 Uhr",
        "16:15 h", "16:15h", "16:15 hrs", "16:15 hours", "16:15 hs", "1615 hrs", "1615 hours",
        "415 pm", "0415 p.m.",
        "1615h", "1615 Uhr", "16h15", "16 h 15", "16H15", "16h15.", "16.15", "16.15 Uhr", "16.15h",
        "4:15 PM", "4:15PM", "4:15 pm", "4:15pm", "4:15 p.m.", "4:15 p.m", "4:15 P.M.", "4:15p.m.",
        "4:15 p. m.", "4:15 P. M.", "4:15\u00a0PM", "4:15\u202fPM", "4:15 Pm", "4:15 ｐｍ",
        "4:15p", "4.15 pm", "4.15pm", "4.15 p.m.", "04:15 PM", "04.15 PM", "4:15:42 PM",
        "4:15 in the afternoon", "4:15 this afternoon", "4:15 PM EST", "4:15pm (local time)",
        "4:15 PM sharp", "16:15 sharp", "about 16:15", "~16:15", "≈ 16:15", "around 4:15 pm",
        "at 16:15", "At 4:15 p.m.", "16:15 (4:15 PM)", "4:15 PM (16:15)", "16:15 or 4:15 pm",
        "16:15, not 19:15", "16:15 (was 19:15)", "16:15 (not 19:15)", "16:15 instead of 19:15",
        "16:15 because 19:15 was wrong", "The train leaves at 16:15.",
        "It leaves at 4:15 p.m. from platform 4.", "It is 16:15", "It's 4:15 pm", "Time: 16:15",
        "Departure: 16:15", "Departure time: 4:15 PM", "My answer is 16:15", "I'd choose 16:15",
        "I'd say 16:15", "Monday at 16:15", "Monday, 16:15", "16:15 on Monday", "16:15 daily",
        "- 16:15", "• 16:15", "→ 16:15", "16:15 ✅", "\u200e16:15\u200e", "16:15</s>", "16:15 ###",
        "= 16:15", ": 16:15", "16:15 PM", "16点15分", "16時15分", "오후 4시 15분", "下午4点15分",
        "下午4:15", "午後4:15", "오후 4:15", "4:15 de la tarde", "4:15 da tarde",
        "4:15 Uhr nachmittags", "16:15+02:00", "2024-05-12T16:15:00Z", "2024-05-12 16:15",
        "May 12, 16:15", "12 May 2024, 16:15", "16:15 on 12.05.2024",
        "16:15 (based on the timetable)", "&nbsp;16:15", "16 Uhr 15", "16 Uhr **15**",
        "16 Uhr 15 Minuten", "下午4点15", "下午4点一刻", "It took off at 16:15", "Friday 16:15",
        "16:15 (originally 15:00)", "16h15min", "16 h 15 min", "16h15m", "16 heures 15",
        "à 16 heures 15", "kl. 16.15", "Kl. 16:15", "godz. 16:15", "16.15 uur", "16.15 WIB",
        "4:15 am Nachmittag", "4 Uhr 15 am Nachmittag", "~~15:15~~ 16:15", "16:15 ~~15:15~~",
        "<del>15:15</del> 16:15",
    ]),
    "morning": ("09:00", [
        "9:00", "09:00", "9 am", "9am", "9 AM", "9 a.m.", "9A.M.", "9:00 am", "9h", "9h00",
        "9 o'clock", "9 o’clock", "9 O'Clock", "9 o'clock in the morning", "9 in the morning",
        "9:00 in the morning", "9.00", "9:00 this morning", "0900 hrs", "0900 hours", "9点", "9時",
        "上午9点", "오전 9시", "上午9:00", "오전 9:00", "9 Uhr", "9 Uhr morgens", "9:00 Uhr",
        "9 am sharp", "9 Uhr am Morgen", "9 heures du matin", "9 am", "9 Uhr am Vormittag",
    ]),
    "evening": ("21:00", [
        "9 PM", "9pm", "9 p.m.", "21:00", "21h", "9:00 at night", "9 o'clock in the evening",
        "9 in the evening", "9:00 tonight", "9:00 this evening", "9 pm tonight", "tonight at 9 pm",
        "21 Uhr", "9 o'clock at night", "晚上9:00", "9:00 in the evening", "9:00 de la noche",
        "9:00 Uhr abends", "9 PM.", "2100 hrs", "9 p.m. local time", "9 tonight", "9 at night",
        "9 Uhr am Abend", "9:00 am Abend", "9 o'clock tonight", "9 heures du soir",
    ]),
    "noon": ("12:00", [
        "noon", "Noon", "12 noon", "12:00 noon", "12 pm", "12PM", "12:00 PM", "12:00", "midday",
        "At noon.", "12 o'clock noon",
    ]),
    "midnight": ("00:00", [
        "midnight", "12 midnight", "12:00 midnight", "12 am", "12:00 AM", "24:00", "0:00", "00:00",
        "at midnight", "00:00:00",
    ]),
    "just after midnight": ("00:15", [
        "0:15", "00:15", "12:15 AM", "12:15am", "12:15 a.m.", "0h15", "0015 hrs", "00:15 am",
    ]),
    "no such time": (None, [
        "4:15 AM/PM", "13:75 PM", "27:80", "25:00", "9:5", "16:60", "116:15", "16:155", "13:00 am",
        "16:15:99", "24:01", "0:15 pm", "16:15 am", "1:2:3", "99:99", "16h60", "25h", "2561 hrs",
        "13 am", "0 pm", "16:1O", "16-15", "16:15:42:10",
    ]),
    "no time": (None, [
        "", "soon", "1615", "1615 a.m.", "下午四点",
        "16", "16.75", "2h30m", "2 h 30 min", "2h30min", "$16.15",
        "16 heures", "12h30min", "16 heures trente", "46 tonight",
        "16.15 EUR", "16.15 dollars", "16.15%", "16.15.2024", "16.15 km", "quarter past four",
        "half past four", "four o'clock", "four pm", "late", "in the afternoon", "16:15 minutes",
        "2:1 ratio", "the evening", "1.5 hours", "4", "Monday", "12 May", "16 minutes", "30 min",
        "noonish?", "<time>", "HH:MM", "16:xx", "4:15 to one odds",
    ]),
    "several or a range": (None, [
        "departs 15:00, arrives 16:15", "4 PM ET / 1 PM PT", "5 to 4 pm",
        "It departs at 15:00 and arrives at 16:15.", "9:00-9:30", "9:00–9:30", "9:00 – 9:30",
        "9:00 to 9:30", "between 9:00 and 9:30", "from 9:00 to 9:30", "from 9:00 until 9:30",
        "9-10 am", "9 to 10 am", "9–10 pm", "9am-10am", "16:15 or 17:15", "16:15, 17:15",
        "16:15/17:15", "16:15 and 17:15", "16:15; 17:15", "16:15 → 17:15", "16:15, wait, 17:15",
        "4:15 p.m. or 5:15 p.m.", "16:15 (or 17:15)", "16:15 (17:15)", "noon or midnight",
        "9.00-9.30", "9:00~9:30", "9:00 till 10", "16:15 | 17:15", "16h15-17h15", "16:15 & 17:15",
        "either 16:15 or 17:15", "16:15 vs 17:15", "1615 A.M. or 16:15", "16:15 or 1615 a.m.",
        "1615 or 16:15", "16:15 or 1700", "(1615) or 16:15",
    ]),
    "an hour before minutes that are not read": (None, [
        "16 Uhr dreißig", "16 Uhr fünfzehn", "16 Uhr 5", "16 Uhr 60", "下午4点十五分", "下午4点前",
        "오후 4시 삼십분", "4 o'clock thirty",
    ]),
    "an hour before words": ("16:00", [
        "16 Uhr heute", "16 Uhr in Berlin", "**16 Uhr**", "下午4点钟", "午後4時です", "오후 4시에",
        "16时", "16 Uhr.",
    ]),
    "no time of day": (None, [
        "took 4:15", "It took 4:15", "in 4:15 hours", "4:15 hours", "duration 1:30",
        "duration: 1:30", "The duration is 1:30", "1:30 remaining", "1:30 left", "score 4:15",
        "The final score is 4:15", "ratio 4:15", "version 3.14", "John 3:16",
    ]),
    "cancelled": (None, [
        "16:15 is cancelled", "16:15 cancelled", "16:15 (cancelled)", "originally 16:15",
        "16:15 originally", "16:15 initially", "16:15, postponed",
    ]),
    "a bound": (None, [
        "before 16:15", "after 16:15", "until 16:15", "by 16:15", "from 16:15",
        "no later than 16:15", "not before 16:15", "16:15 or later", "16:15 or earlier",
        "16:15 at the latest", "16:15 at the earliest", "at the latest 16:15", "16:15 onwards",
        "> 16:15", "<16:15", "≥ 16:15", "since 16:15", "past 16:15", "just after 16:15",
        "shortly before 16:15", "16:15+", "as early as 16:15", "starting 16:15 or so?",
        "not until 16:15", "an hour after 16:15", "15 minutes before 16:15",
        "half an hour past noon", "after noon", "16:15 plus 2 hours", "2 hours after noon",
    ]),
    "doubt": (None, [
        "probably 16:15", "maybe 16:15", "16:15?", "16:15 ?", "16:15？", "16:15\u200b?",
        "I think 16:15", "16:15, I think", "16:15 (unverified)", "16:15, but I cannot verify it",
        "It could be 16:15", "16:15 if it is on time", "16:15 (?)", "16:15 🤷",
        "My guess is 16:15", "16:15 (to be confirmed)",
    ]),
    "taken back": (None, [
        "It was 16:15", "previously 16:15", "16:15 is wrong", "16:15 no longer", "~~16:15~~",
        "❌ 16:15", "16:15 (old)", "16:15. That is wrong.", "16:15 (outdated)", "Old time: 16:15",
        "the earlier time is 16:15", "16:15 is not it", "16:15, no, 17:15", "16:15. Sorry, 17:15",
    ]),
    "declined": (None, [
        "I cannot verify it", "unknown", "not 19:15", "Unable to confirm 19:15", "<HH:MM>",
        "[HH:MM]", "I don’t know", "N/A", "It is not 19:15", "unknown (19:15 before)",
        "not stated", "no time given", "未知", "неизвестно (ранее 19:15)",
        "cannot say if 16:15 or 17:15",
    ]),
}  # fmt: skip


@pytest.mark.parametrize("kind", WORDS)
def test_words(kind: str) -> None:
    value, answers = WORDS[kind]
    scorer = rs.text.answer_word("reply", options=NAMES, with_trace=True)
    assert wrong(scorer, answers, value, "Ben, I said.\nANSWER: {}") == []


@pytest.mark.parametrize(("names", "answers"), SETS, ids=[names[0] for names, _ in SETS])
def test_words_of_other_sets(names: list[str], answers: dict[str, str | None]) -> None:
    scorer = rs.text.answer_word("reply", options=names, with_trace=True)
    assert [x for a, v in answers.items() for x in wrong(scorer, [a], v, "ANSWER: {}")] == []


@pytest.mark.parametrize("kind", CHOICES)
def test_choices(kind: str) -> None:
    value, answers = CHOICES[kind]
    scorer = rs.text.answer_choice("reply", with_trace=True)
    assert wrong(scorer, answers, value, "A or C, I said.\nANSWER: {}") == []


@pytest.mark.parametrize("kind", TIMES)
def test_times(kind: str) -> None:
    value, answers = TIMES[kind]
    scorer = rs.text.answer_time("reply", with_trace=True)
    assert wrong(scorer, answers, value, "It was 08:00.\nANSWER: {}") == []


@pytest.mark.parametrize(
    ("scorer", "first", "second"),
    [
        (rs.text.answer_word("reply", options=NAMES, with_trace=True), "Ana", "Ben"),
        (rs.text.answer_choice("reply", with_trace=True), "B", "C"),
        (rs.text.answer_time("reply", with_trace=True), "16:15", "17:15"),
    ],
)
def test_lines_behind_an_answer(scorer: pl.Expr, first: str, second: str) -> None:
    taken_back = [
        "No, it is {}.", "Actually, {}.", "Sorry, {}.", "On second thought it's {}.", "Edit: {}",
        "Update: {}", "Revised: {}", "The above is incorrect. It is {}.", "It should be {}.",
        "I meant {}.", "Rather, {}.", "The correct answer is {}.", "Disregard that: {}",
        "Error: should be {}.", "Final: {}", "The answer is {}.", "Wrong, {}.", "My bad, {}.",
        "Korrektur: {}", "Nein, {}", "Correction : {}", "Non, {}.", "Corrección: {}", "Não, {}",
        "Нет, {}", "更正：{}", "不对，{}", "不，{}", "いいえ、{}", "아니요, {}",
        f"Not {first}.", f"{{}}, not {first}.", f"It's {{}}, not {first}.", f"{first} is wrong.",
        f"{{}}, nicht {first}", f"{{}}, pas {first}", f"不是{first}，是{{}}",
    ]  # fmt: skip
    other = ["No note names {}.", "Actually served by {}.", "Update the note on {} soon."]
    other += ["No, thanks.", "Update: none", "Wait for the update.", "No, really."]
    other += ["Actually, the old one was {}.", f"Actually, {first}.", f"No, {first} is right."]
    other += ["Not {}.", f"{first}, not {{}}.", f"The answer is {first}.", f"Final: {first}"]
    taken_back += [
        "{}",
        "→ {}",
        "{}, sorry",
        f"{first}? No, {{}}.",
        f"~~{first}~~ {{}}",
        "It is {}.",
    ]
    taken_back += ["Note: the correct answer is {}", "The answer is actually {}.", "Maybe {}"]
    other += ["The answer is final.", "Not a problem.", "Nein danke"]
    other += ["Should be fine.", "I mean it.", "It should be clear.", f"It should be {first}."]
    for lines, value in [(taken_back, None), (other, first)]:
        answers = [first + "\n" + line.format(second) for line in lines]
        assert wrong(scorer, answers, value, "ANSWER: {}") == []


def test_a_no_behind_the_answer_no_repeats_it() -> None:
    scorer = rs.text.answer_word("reply", options=["Yes", "No"], with_trace=True)
    assert wrong(scorer, ["No\nNo, it is not allowed."], "No", "ANSWER: {}") == []
    assert wrong(scorer, ["No\nNo, wait.", "Yes\nNo, it is not."], None, "ANSWER: {}") == []


def test_letters_and_the_texts_that_they_label() -> None:
    scorer = rs.text.answer_choice("reply", with_trace=True)
    kept = ["The answer is Paris.", "Not a problem.", "A is wrong.", "No, thanks."]
    taken_back = ["The answer is C) Rome.", "No, C) Rome", "B is wrong.", "Not option B."]
    assert wrong(scorer, ["B\n" + line for line in kept], "B", "ANSWER: {}") == []
    assert wrong(scorer, ["B\n" + line for line in taken_back], None, "ANSWER: {}") == []
    sides = ["B is better.", "Assistant B", "Response B is better", "Die Antwort ist B."]
    assert wrong(scorer, [*sides, "<span id='x'>B</span>"], "B", "ANSWER: {}") == []


def test_times_in_other_languages() -> None:
    scorer = rs.text.answer_time("reply", with_trace=True)
    answers = ["в 16:15", "В 16:15", "à 16h15", "um 16:15 Uhr", "Das ist 16:15 Uhr.", "下午4点15分"]
    assert wrong(scorer, [*answers, "<b class='t'>16:15</b>"], "16:15", "ANSWER: {}") == []
    assert wrong(scorer, ["до 16:15", "после 16:15", "не в 16:15"], None, "ANSWER: {}") == []
