//! Lines behind an answer that take it back: `Wait, that is wrong.`, `No, it is 47.`, `Not 46.`
//!
//! Only the first line with a letter or digit is looked at, up to 240 characters of it. What it states is
//! read as the scorer of the answer reads an answer, and compared by value. It takes the answer back when
//! 1. it begins with what says so (`Wait`, `Correction`, `Korrektur`, `更正`);
//! 2. it begins with what may say so (`No,`, `Edit:`, `I meant`, `Nein,`) and goes on with another
//!    answer;
//! 3. it begins with what states an answer (`Final:`, `The answer is`, `The corrected total is`) and
//!    goes on with another one;
//! 4. it denies the answer by name: `40, not 36`, `36 is wrong`, `40 instead of 36`, `36 should be
//!    40`, `36 -> 40`, `不是36`, `~~36~~`;
//! 5. it begins with another value and calls it right: `40 is correct`;
//! 6. it is nothing but another value, a few words aside: `40`, `→ 40`, `I think it is 40, sorry.`
//!
//! The answer itself may stand before those: `36? No, 40.` Anything else says something of another kind:
//! `Total: 40`, `40 hats were sold`, `5 × 8 = 40`.

use super::answer::Payload;
use super::chars::plain;
use super::choice::Letters;
use super::clause::{Clause, Values, Verdict};
use super::lexer::{Kind, Lexer, Token};
use super::lexicon::{List, Openings, Role, role};
use super::word::Options;
use super::{number, time};
use std::ops::Range;

/// Beginnings of a line that takes back the answer on the line before it.
const RETRACTIONS: &[&str] = &[
    "wait",
    "oops",
    "correction",
    "scratch that",
    "hold on",
    "no wait",
    "no, wait",
    "hmm",
    "actually, no",
    "that is wrong",
    "that's wrong",
    "that was wrong",
    "that is incorrect",
    "that's incorrect",
    "that was incorrect",
    "that is not right",
    "that's not right",
    "this is wrong",
    "this is incorrect",
    "this was wrong",
    "i made a mistake",
    "i made an error",
    "i was wrong",
    "my mistake",
    "let me recheck",
    "let me reconsider",
    "let me recalculate",
    "sorry, that was",
    "sorry, that is wrong",
    "sorry, that is not",
    "sorry, that is incorrect",
    "sorry, that's wrong",
    "sorry, that's not",
    "sorry, that's incorrect",
    "sorry, that should",
    "i need to correct",
    "on second thought",
    "on second thoughts",
    "the above is wrong",
    "the above is incorrect",
    "the above was wrong",
    "the above was incorrect",
    "the above answer is wrong",
    "the above answer is incorrect",
    "ignore the above",
    "strike that",
    "disregard the above",
    "disregard that",
    "disregard this",
    "disregard my",
    "ignore that",
    "ignore this",
    "ignore my",
    "i misread",
    "i miscalculated",
    "i miscounted",
    "i misspoke",
    "i take that back",
    "i take it back",
    "i retract",
    "i stand corrected",
    "let me correct that",
    "let me correct this",
    "let me correct my",
    "let me fix that",
    "let me fix this",
    "let me redo",
    "let me try again",
    "let me start over",
    "that isn't right",
    "that is not correct",
    "that's not correct",
    "that isn't correct",
    "that can't be right",
    "that cannot be right",
    "this is not right",
    "this isn't right",
    "this is not correct",
    "this isn't correct",
    "whoops",
    "uh oh",
    "hang on",
    "hold up",
    "erratum",
    "that is not the answer",
    "that's not the answer",
    "scratch the above",
    "correcting myself",
    "correcting:",
    "actually no",
    "actually wait",
    "oh wait",
    "ah wait",
    "um, no",
    "small correction",
    "self-correction",
    "my answer is wrong",
    "my answer was wrong",
    "this answer is wrong",
    "that answer is wrong",
    "the answer above is wrong",
    "that's not it",
    "that is not it",
    "that is an error",
    "that was an error",
    "i withdraw that",
    "the answer is wrong",
    "the answer is incorrect",
    "the answer is not right",
    "the answer is not correct",
    "the answer was wrong",
    "my previous answer is wrong",
    "my previous answer was wrong",
    "i think i was wrong",
    "i changed my mind",
    "i've changed my mind",
    "forget that",
    "cancel that",
    "ignore the previous answer",
    "ignore the previous line",
    "disregard the previous answer",
    "disregard the previous line",
];
/// Those that do so alone, and where they say what is wrong: "Wrong!", "Actually, that is off."
const VERDICTS: &[&str] = &["wrong", "incorrect"];
const DOUBTS: &[&str] = &["actually, that", "actually, this", "actually that", "actually this"];
/// What such a line says of it.
const FAULTS: [&str; 7] = ["wrong", "incorrect", " not ", "n't", "should", "mistake", " off"];
/// Those of other languages.
const FOREIGN_RETRACTIONS: &[&str] = &[
    "korrektur",
    "berichtigung",
    "warte",
    "moment mal",
    "das ist falsch",
    "das war falsch",
    "das stimmt nicht",
    "ich habe mich geirrt",
    "ich habe mich verrechnet",
    "attends",
    "attendez",
    "c'est faux",
    "c'est incorrect",
    "je me suis trompé",
    "je me suis trompée",
    "je corrige",
    "corrección",
    "correccion",
    "me equivoqué",
    "me he equivocado",
    "eso está mal",
    "eso es incorrecto",
    "correção",
    "me enganei",
    "errei",
    "correzione",
    "mi sono sbagliato",
    "mi sono sbagliata",
    "correctie",
    "korekta",
    "sprostowanie",
    "rättelse",
    "rettelse",
    "düzeltme",
    "oprava",
    "исправление",
    "поправка",
    "подождите",
    "я ошибся",
    "я ошиблась",
    "это неверно",
    "это неправильно",
    "виправлення",
    "更正",
    "纠正",
    "糾正",
    "订正",
    "訂正",
    "勘误",
    "不对",
    "不對",
    "错了",
    "錯了",
    "等等",
    "等一下",
    "我错了",
    "我錯了",
    "我算错",
    "我算錯",
    "修正",
    "待って",
    "間違えました",
    "間違いました",
    "間違いです",
    "間違いでした",
    "정정",
    "수정",
    "잠깐만",
    "틀렸",
    "تصحيح",
    "सुधार",
];
/// Words behind one of those that make another sentence of it: "Wait for the update.", "Correction
/// noted", "I was wrong in turn 3".
static GOES_ON: List = List::new(
    "\
    applied by did for from if list lists message noted see staff till time times to turn until used",
);
/// Beginnings of a line that takes it back where another answer follows: "I meant 47."
const CORRECTIONS: &[&str] = &[
    "actually",
    "edit",
    "rather",
    "make that",
    "i meant",
    "i mean",
    "it should be",
    "that should be",
    "this should be",
    "it should have been",
    "that should have been",
    "this should have been",
    "should be",
    "should have been",
    "should read",
    "it should read",
    "that should read",
    "the answer should be",
    "it is actually",
    "it's actually",
    "well, actually",
    "make it",
    "it must be",
    "i should have said",
    "the total should be",
    "in fact, it is",
    "in fact it is",
    "or rather",
    "i meant to say",
    "there are actually",
    "there is actually",
    "changed to",
];
/// Those of other languages.
const FOREIGN_CORRECTIONS: &[&str] = &[
    "richtig ist",
    "eigentlich",
    "ich meinte",
    "je voulais dire",
    "quise decir",
    "en fait",
    "plutôt",
    "la bonne réponse est",
    "en realidad",
    "mejor dicho",
    "na verdade",
    "in realtà",
    "на самом деле",
    "应该是",
    "應該是",
    "应为",
    "應為",
    "实际上",
    "實際上",
    "正しくは",
];
/// Those that a sign sets off: "No, it is 47.", "Edit: 47".
const INTERJECTIONS: &[&str] = &[
    "no",
    "nope",
    "wrong",
    "incorrect",
    "my bad",
    "mistake",
    "sorry",
    "apologies",
    "my apologies",
    "typo",
    "nah",
    "i apologize",
    "i'm sorry",
    "i was mistaken",
    "amended",
    "recalculated",
    "errata",
    "edit",
    "update",
    "updated",
    "corrected",
    "fixed",
    "fix",
    "rather",
    "error",
    "rectification",
    "never mind",
    "nevermind",
    "oh no",
    "on reflection",
    "upon reflection",
    "upon review",
    "on review",
    "upon rechecking",
    "after rechecking",
    "rechecking",
    "recalculating",
    "upon re-reading",
    "on re-reading",
    "looking again",
    "checking again",
    "nvm",
    "i apologise",
    "after checking",
    "after checking again",
    "after double-checking",
    "double-checking",
    "i double-checked",
    "let me double-check",
    "looking closer",
    "on second look",
];
/// Those of other languages.
const FOREIGN_INTERJECTIONS: &[&str] = &[
    "nein",
    "doch",
    "entschuldigung",
    "fehler",
    "richtig",
    "falsch",
    "non",
    "pardon",
    "désolé",
    "désolée",
    "erreur",
    "perdón",
    "perdon",
    "não",
    "nao",
    "desculpe",
    "aliás",
    "scusa",
    "scusate",
    "anzi",
    "nee",
    "nej",
    "nie",
    "hayır",
    "нет",
    "ошибка",
    "извините",
    "простите",
    "неверно",
    "вернее",
    "точнее",
    "ні",
    "不",
    "不是",
    "抱歉",
    "对不起",
    "對不起",
    "いいえ",
    "いや",
    "すみません",
    "아니요",
    "아니",
    "아니오",
    "죄송합니다",
    "لا",
    "नहीं",
];
/// Beginnings of a line that states an answer, which may be the same.
const STATEMENTS: &[&str] = &["the answer is", "so the answer is", "my answer is", "answer is"];
/// What makes another answer of a noun, in `The corrected total is 47` and `Final: 47`.
static ANEW: List =
    List::new("actual correct corrected final new proper real revised right true updated");
static ANSWERS: List = List::new(
    "\
    amount answer choice cost count figure letter name number option price result sum time total \
    value",
);
/// Words alone behind one of those that are no answer: "No, thanks.", "Update: none".
static COURTESIES: List = List::new(
    "\
    above all aucun aucune below changed clarified clear correct corrected done enough final fine \
    fixed formatting geen indeed it keine kidding matter nessuno ninguna ninguno none noted nothing ok \
    okay please problem really right same seriously sorry sure thank thanks thx typo unchanged welcome \
    worries yes",
);
/// How another answer begins there, unless it is a number or a word alone.
const RESTATES: &[&str] = &[
    "it is",
    "it's",
    "its",
    "it should be",
    "that should be",
    "that is",
    "the answer is",
    "the correct",
    "the right",
    "make that",
    "i meant",
    "i mean",
    "should be",
    "should have been",
    "should read",
    "it must be",
    "make it",
];
/// Those of other languages.
const FOREIGN_RESTATES: &[&str] = &[
    "es sind",
    "es ist",
    "das sind",
    "das ist",
    "es sollte",
    "c'est",
    "ce sont",
    "il y en a",
    "es",
    "son",
    "sono",
    "è",
    "são",
    "é",
    "это",
    "是",
    "应该是",
    "應該是",
];

/// Words before those: "But wait", "Note: the correct answer is 47".
static LINKS: List = List::new("ah and but nb note oh ps so that well");
/// What such a line may begin with, for a first look; its adjectives without a noun too.
const ANNOUNCERS: &[&str] = &[
    "the", "my", "so", "our", "actual", "correct", "final", "new", "proper", "real", "revised",
    "right", "true", "updated", "ah", "and", "but", "nb", "note", "oh", "ps", "well",
];
/// Words between what says that another answer follows and the answer: "No, probably 47".
static ADVERBS: List = List::new(
    "\
    actually at instead likely maybe now of course perhaps probably rather really",
);
/// Words beside another answer that leave it the only thing a line says: "I think it is 47, sorry."
static FILLERS: List = List::new(
    "\
    actually also alternatively answer apologies be believe but choice correct corrected \
    correction could fact final guess hence however i in instead is it it's letter likely maybe \
    meant might misread mistake must my now nvm oops option or perhaps possibly probably rather \
    really right should so sorry that that's the then therefore think thus typo updated",
);

/// Words directly before a value that belong to it: "not at 16:15", "Option B is correct".
static NAMING: List = List::new("at choice option the");

/// What may take an answer back, as most lines do not.
static OPENINGS: Openings = Openings::new(&[
    RETRACTIONS,
    FOREIGN_RETRACTIONS,
    VERDICTS,
    DOUBTS,
    CORRECTIONS,
    FOREIGN_CORRECTIONS,
    INTERJECTIONS,
    FOREIGN_INTERJECTIONS,
    STATEMENTS,
    ANNOUNCERS,
]);

/// How far a line is read.
const NEAR: usize = 240;
/// Lines so short may be nothing but another option.
const SHORT: usize = 40;

/// How the scorer of an answer finds values of its kind in a text.
#[derive(Clone, Copy)]
pub(super) enum Reader<'a> {
    Numbers,
    Times,
    Letters(&'a Letters),
    Options(&'a Options),
}

impl Reader<'_> {
    fn values(self) -> Values {
        match self {
            Self::Numbers => Values::Numbers,
            Self::Times => Values::Times,
            Self::Letters(_) => Values::Letters,
            Self::Options(_) => Values::Words,
        }
    }

    /// The tokens of a text, values of the kind among them.
    fn tokens(self, text: &str) -> Vec<Token<'_>> {
        match self {
            Self::Numbers => number::with_spelled(Lexer::new(text, true)),
            Self::Times => time::tokens(text, true),
            Self::Letters(letters) => letters.tokens(text, true),
            Self::Options(options) => options.tokens(text, true),
        }
    }
}

/// An answer that was read.
#[derive(Clone, Copy)]
pub(super) struct Answer<'a> {
    /// Its text, for a first look.
    pub(super) text: &'a str,
    /// The kind of its token, value and all.
    pub(super) value: Kind,
    pub(super) reader: Reader<'a>,
}

/// Whether the line behind an answer takes it back; where the answer stands in the reply.
pub(super) fn retracted(
    payload: &Payload<'_>,
    span: Option<&Range<usize>>,
    value: Kind,
    reader: Reader<'_>,
) -> bool {
    if payload.after.is_empty() {
        return false;
    }
    let start = |at: usize| at.checked_sub(payload.start);
    let text = span.and_then(|span| payload.text.get(start(span.start)?..start(span.end)?));
    taken_back(Answer { text: text.unwrap_or(payload.text), value, reader }, payload.after)
}

/// Whether the first line behind an answer takes it back.
pub(super) fn taken_back(answer: Answer<'_>, after: &str) -> bool {
    let options = matches!(answer.reader, Reader::Letters(_) | Reader::Options(_));
    suspected(answer.text, after, options).is_some_and(|line| answer.taken_back_by(line))
}

/// The same of a text of whatever kind: a number, a time, or something else.
pub(super) fn text_taken_back(text: &str, after: &str) -> bool {
    let Some(line) = suspected(text, after, true) else { return false };
    let by = |value, reader: Reader<'_>| Answer { text, value, reader }.taken_back_by(line);
    if let Some(number) = number::stated(text).value {
        return by(Kind::Number(number), Reader::Numbers);
    }
    if let Some(time) = time::moment(text) {
        return by(time, Reader::Times);
    }
    if is_letter(text)
        && let Ok(letters) = Letters::new("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        && let Some(index) = letters.of(text)
    {
        return Answer { text, value: Kind::Choice(index), reader: Reader::Letters(&letters) }
            .taken_back_by(line);
    }
    match Options::new([text]) {
        Ok(options) => {
            let reader = Reader::Options(&options);
            Answer { text, value: Kind::Choice(0), reader }.taken_back_by(line)
        }
        // Nothing that could be said again.
        Err(_) => by(Kind::Choice(0), Reader::Numbers),
    }
}

/// The first line with a letter or digit, if it may take an answer back.
fn suspected<'a>(text: &str, after: &'a str, options: bool) -> Option<&'a str> {
    let line = undressed(after);
    if line.is_empty() || !(OPENINGS.may_begin(line) || may_name(line, text, options)) {
        return None;
    }
    let dress = after.get(..after.len() - line.len())?;
    let line = after.get(dress.rfind(['\n', '\r']).map_or(0, |end| end + 1)..)?;
    let line = line.trim_start_matches(['>', ' ']);
    Some(line.strip_prefix("- ").unwrap_or(line))
}

/// Whether a line may name a value to deny it, or begin with another one.
fn may_name(line: &str, value: &str, options: bool) -> bool {
    let bytes = line.as_bytes();
    let end = bytes.iter().take(NEAR).position(|&byte| byte == b'\n');
    let near = bytes.get(..end.unwrap_or(bytes.len().min(NEAR))).unwrap_or_default();
    if !near.is_ascii()
        || bytes.first().is_some_and(u8::is_ascii_digit)
        || options && near.len() <= SHORT
    {
        return true;
    }
    if value.contains(':') && near.iter().any(u8::is_ascii_digit) {
        return true;
    }
    if let Some(first) = value.bytes().find(u8::is_ascii_digit) {
        return near.contains(&first);
    }
    let name = value.as_bytes();
    let edge = |at: Option<usize>| {
        at.and_then(|at| near.get(at)).is_none_or(|byte| !byte.is_ascii_alphanumeric())
    };
    !name.is_empty()
        && near.windows(name.len()).enumerate().any(|(at, word)| {
            word.eq_ignore_ascii_case(name)
                && edge(at.checked_sub(1))
                && edge(Some(at + name.len()))
        })
}

/// Whether a script puts no blanks between its words.
fn unspaced(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}')
}

/// Whether a letter behind a text would make another word of its last one.
fn joined(text: &str) -> bool {
    text.ends_with(|c: char| c.is_alphanumeric() && !unspaced(c))
}

fn is_letter(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
}

/// A text from its first letter or digit on.
fn undressed(text: &str) -> &str {
    text.trim_start_matches(|c: char| !c.is_alphanumeric())
}

/// The first word of a text.
fn word_of(text: &str) -> &str {
    undressed(text).split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}

/// A line in plain signs and without emphasis, words of scripts without blanks set off from others;
/// and the same in small letters of the same places.
fn plainly(line: &str) -> (String, String) {
    let mut raw = String::new();
    let mut before = ' ';
    let near = line.chars().take(NEAR).take_while(|c| !matches!(c, '\n' | '\r')).map(plain);
    for c in near.filter(|&c| !matches!(c, '*' | '_' | '`')) {
        if c == ':' && before == ' ' {
            raw.pop();
        } else if unspaced(before) && c.is_ascii_alphanumeric()
            || before.is_ascii_alphabetic() && unspaced(c)
        {
            raw.push(' ');
        }
        raw.push(c);
        before = c;
    }
    let small = |c: char| {
        let mut lower = c.to_lowercase();
        let single = lower.next().filter(|small| small.len_utf8() == c.len_utf8());
        single.filter(|_| lower.next().is_none()).unwrap_or(c)
    };
    let head = raw.chars().map(small).collect();
    (raw, head)
}

/// What stands behind a phrase with which a text begins: not in "Oops-free".
fn behind<'a>(text: &'a str, opening: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(opening)?;
    let next = rest.strip_prefix('-').unwrap_or(rest);
    (!joined(opening) || !next.starts_with(char::is_alphanumeric)).then_some(rest)
}

/// What stands behind a sign that sets off what a line begins with.
fn set_off(rest: &str) -> Option<&str> {
    rest.trim_start().strip_prefix([',', '.', ':', ';', '!', '-', '—', '。', '…'])
}

/// What stands behind a word that leads on to what a line says: "But ", "Note: ".
fn linked(head: &str) -> &str {
    let word = word_of(head);
    match head.strip_prefix(word).filter(|rest| LINKS.holds(word) && !rest.starts_with('\'')) {
        Some(rest) => linked(undressed(rest)),
        None => head,
    }
}

/// Whether a line begins with what takes back whatever stands before it.
fn opens_anew(head: &str) -> bool {
    // "Wait for the update", "Wait 3 days", "Correction: see turn 7"
    let goes_on = |rest: &str| {
        let mut words = rest.split([' ', ':', ',', '.', ';', '!', '?']).filter(|w| !w.is_empty());
        let (next, then) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        match rest.chars().next() {
            Some(' ') => {
                GOES_ON.holds(next)
                    || next == "in" && ["turn", "session", "message"].contains(&then)
                    || next.starts_with(char::is_numeric) && head.starts_with("wait")
            }
            Some(':') => matches!(next, "see" | "none"),
            Some(',') => next == "did",
            _ => false,
        }
    };
    // "修正済み", "更正日期"
    let of_another = |rest: &str| rest.starts_with(['済', '日', '일']);
    let speaks = |rest: &str| rest.trim_start().starts_with(char::is_alphabetic);
    // "Korrektur wurde gemacht", but "Das ist falsch gerechnet"
    let noun = |rest: &str| {
        let opening = head.strip_suffix(rest).unwrap_or_default();
        joined(opening) && !opening.contains(' ')
    };
    any(head, RETRACTIONS, |rest| !goes_on(rest))
        || any(head, VERDICTS, |rest| !rest.contains(char::is_alphanumeric))
        || any(head, DOUBTS, |rest| FAULTS.iter().any(|fault| rest.contains(fault)))
        || any(head, FOREIGN_RETRACTIONS, |rest| !(of_another(rest) || noun(rest) && speaks(rest)))
}

/// Whether a text begins with one of these phrases, and what stands behind it is so.
fn any(text: &str, openings: &[&str], mut is: impl FnMut(&str) -> bool) -> bool {
    // Most phrases are told by their first byte to be others.
    let first = text.as_bytes().first();
    let mut near = openings.iter().filter(|opening| opening.as_bytes().first() == first);
    near.any(|opening| behind(text, opening).is_some_and(&mut is))
}

/// Whether a line begins with the number of something: "No. 3 in the list", but not "No. 3."
fn numbered(head: &str) -> bool {
    let behind = head.strip_prefix("no.").map(str::trim_start);
    behind.is_some_and(|behind| {
        behind.starts_with(char::is_numeric) && behind.contains(char::is_alphabetic)
    })
}

/// What stands behind `The corrected total is`, `Revised answer:`, `Final:` or `The total is actually`.
fn announced<'a>(head: &'a str) -> Option<&'a str> {
    let mut rest = head;
    for lead in ["the ", "my ", "our "] {
        rest = rest.strip_prefix(lead).unwrap_or(rest);
    }
    let led = |list: &List, head: &'a str| {
        let word = word_of(head);
        list.holds(word).then(|| head.strip_prefix(word)).flatten().map(str::trim_start)
    };
    let anew = led(&ANEW, rest);
    let behind = anew.unwrap_or(rest);
    let named = led(&ANSWERS, behind);
    let after = named.unwrap_or(behind);
    let stated: &[&str] = if anew.is_some() {
        &["is ", "is:", "should be ", ":", "=", "- ", "— "]
    } else if named.is_some() {
        &["is actually ", "is really ", "should be ", "should have been "]
    } else {
        &[]
    };
    stated.iter().find_map(|verb| after.strip_prefix(verb))
}

impl Answer<'_> {
    fn taken_back_by(&self, line: &str) -> bool {
        let (raw, small) = plainly(line);
        let head = undressed(&small);
        let bare = linked(head);
        if opens_anew(head) || bare.len() < head.len() && opens_anew(bare) {
            return true;
        }
        let tokens = self.reader.tokens(&raw);
        // "46? No, 47."
        let first = first_of(&tokens);
        let own = first.filter(|first| self.is_same(first)).map(|own| own.end);
        let said = match own {
            Some(end) => linked(undressed(small.get(end..).unwrap_or_default())),
            None => bare,
        };
        own.is_some() && opens_anew(said)
            || self.opens_with_another(said, &raw)
            || self.denied(&tokens, &raw)
            || first.is_some_and(|first| self.confirms_another(first, &small))
            || self.is_another(&tokens)
            || self.struck(&raw)
    }

    fn is_same(&self, token: &Token<'_>) -> bool {
        match (token.kind, self.value) {
            (Kind::Number(a), Kind::Number(b)) => (a - b).abs() <= 1e-9 * a.abs(),
            (kind, value) => kind == value,
        }
    }

    fn is_other(&self, token: &Token<'_>) -> bool {
        is_value(token) && !self.is_same(token)
    }

    fn is_figure(&self) -> bool {
        matches!(self.reader, Reader::Numbers | Reader::Times)
    }

    /// Whether a line, or its part behind the answer, begins with what says that another answer
    /// follows, and goes on with one.
    fn opens_with_another(&self, head: &str, raw: &str) -> bool {
        // The same place in the line as it is written.
        let written = |rest: &str| raw.get(raw.len() - rest.len()..).unwrap_or_default();
        let restates = |rest: &str| self.restates(written(rest), true);
        let corrects = |rest: &str| {
            restates(rest) || !self.is_figure() && names(rest) && !self.repeated(written(rest))
        };
        let counts = |rest: &str| {
            restates(rest)
                || self.is_figure()
                    && self
                        .reader
                        .tokens(written(rest))
                        .iter()
                        .find(|token| is_value(token))
                        .is_some_and(|first| self.is_other(first))
        };
        let letters = matches!(self.reader, Reader::Letters(_));
        // "The answer is Paris" may name what the letter stands for.
        let states = |rest: &str| self.restates(written(rest), !letters);
        any(head, CORRECTIONS, corrects)
            || !numbered(head)
                && any(head, INTERJECTIONS, |rest| set_off(rest).is_some_and(corrects))
            || any(head, FOREIGN_CORRECTIONS, counts)
            || any(head, FOREIGN_INTERJECTIONS, |rest| set_off(rest).is_some_and(counts))
            || any(head, STATEMENTS, states)
            || announced(head).is_some_and(states)
    }

    /// Whether a text goes on with another answer than this one: one that its scorer reads or that it
    /// begins with, a word alone that may be one, or "it is …".
    fn restates(&self, text: &str, words: bool) -> bool {
        let mut text = text.trim_start();
        while let Some(rest) =
            text.strip_prefix(word_of(text)).filter(|_| ADVERBS.holds(word_of(text)))
        {
            text = rest.trim_start_matches([' ', ',']);
        }
        let tokens = self.reader.tokens(text);
        let at = match self.clause(text, &tokens).read() {
            Verdict::Read(at, _) => Some(at),
            Verdict::Not(..) => self.leading(&tokens),
        };
        if let Some(at) = at {
            return tokens.get(at).is_some_and(|token| self.is_other(token))
                && !elsewhere(text, &tokens, at);
        }
        let (raw, head) = plainly(text);
        let mut said =
            raw.split([' ', '.', '!', ';', ',']).map(undressed).filter(|word| !word.is_empty());
        let (first, next) = (said.next().unwrap_or_default(), said.next());
        let named = word_of(first);
        let alone = next.is_none()
            && if self.is_figure() {
                role(named) == Role::No
            } else {
                words && !named.is_empty() && !COURTESIES.holds(named) && !self.repeated(first)
            };
        let it = |openings: &[&str]| {
            any(undressed(&head), openings, |rest| {
                !COURTESIES.holds(word_of(rest)) && !self.repeated(rest)
            })
        };
        alone || it(RESTATES) || it(FOREIGN_RESTATES)
    }

    /// The value that a text begins with although its scorer reads none.
    fn leading(&self, tokens: &[Token<'_>]) -> Option<usize> {
        let dress = |token: &Token<'_>| {
            matches!(
                token.kind,
                Kind::Open
                    | Kind::Currency
                    | Kind::Approx
                    | Kind::Stop
                    | Kind::Comma
                    | Kind::Colon
                    | Kind::Dash
            )
        };
        let at = tokens.iter().position(|token| !dress(token))?;
        let next = tokens.get(at + 1);
        let fits = match self.reader {
            // "Sorry, Ben left."
            Reader::Options(_) => next.is_none_or(|next| next.kind != Kind::Word),
            // "A is not possible"
            Reader::Letters(_) => {
                !next.is_some_and(|next| matches!(role(next.text), Role::Copula | Role::Past))
            }
            _ => true,
        };
        (fits && tokens.get(at).is_some_and(is_value)).then_some(at)
    }

    fn clause<'t, 'a>(&self, text: &'a str, tokens: &'t [Token<'a>]) -> Clause<'t, 'a> {
        Clause { text, tokens, prose: true, values: self.reader.values() }
    }

    /// Whether the first value of a text, before any word, is the answer.
    fn repeated(&self, text: &str) -> bool {
        let tokens = self.reader.tokens(text);
        first_of(&tokens).is_some_and(|first| self.is_same(first))
    }

    /// Whether a line says nothing but another answer: "47", "→ 47", "So it is 47, sorry."
    fn is_another(&self, tokens: &[Token<'_>]) -> bool {
        let arrow = |token: &Token<'_>| matches!(token.text, "→" | "⇒" | "->" | "=>");
        let mut values = tokens.iter().filter(|token| is_value(token));
        // "46 or 47", but not "Ben → Ana"
        let last = match (values.next(), values.next(), values.next()) {
            (Some(only), None, _) => only,
            (Some(first), Some(last), None) if self.is_same(first) => last,
            _ => return false,
        };
        self.is_other(last)
            && tokens.iter().all(|token| match token.kind {
                Kind::Word => FILLERS.holds(token.text),
                Kind::Stop => !token.text.ends_with('?'),
                Kind::Other => arrow(token),
                Kind::Unreadable
                | Kind::Clock
                | Kind::Bound
                | Kind::Operator
                | Kind::Equals
                | Kind::Colon => false,
                _ => true,
            })
    }

    /// Whether a line strikes the answer out: "~~46~~".
    fn struck(&self, raw: &str) -> bool {
        let holds = |text: &str| self.reader.tokens(text).iter().any(|token| self.is_same(token));
        raw.contains("~~") && !holds(raw) && holds(&raw.replace("~~", " "))
    }

    /// Whether a line says of the answer that it is none: "40, not 36", "36 is wrong".
    fn denied(&self, tokens: &[Token<'_>], raw: &str) -> bool {
        tokens.iter().filter(|token| self.is_same(token)).any(|token| {
            let (before, behind) = (raw.get(..token.start), raw.get(token.end..));
            before.is_some_and(denied_before) || behind.is_some_and(denied_behind)
        })
    }

    /// Whether a line begins with another value and calls it right: "40 is correct".
    fn confirms_another(&self, first: &Token<'_>, head: &str) -> bool {
        if !self.is_other(first) {
            return false;
        }
        let said = head.get(first.end..).and_then(|said| said.strip_prefix(" is "));
        said.map(|said| said.strip_prefix("the ").unwrap_or(said)).is_some_and(|said| {
            any(said, &["correct", "right", "answer", "final answer"], |_| true)
        })
    }
}

fn is_value(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Number(_) | Kind::Choice(_) | Kind::Unreadable | Kind::Clock)
}

/// The first value or word of a text.
fn first_of<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<&'t Token<'a>> {
    let named = |token: &&Token<'_>| token.kind == Kind::Word && !NAMING.holds(token.text);
    tokens.iter().find(|token| is_value(token) || named(token))
}

/// Whether a number is one of something else, or a date: "3 of them", "3 days ago", "12 May".
fn elsewhere(text: &str, tokens: &[Token<'_>], at: usize) -> bool {
    let is = |at: usize, words: &[&str]| {
        tokens
            .get(at)
            .is_some_and(|token| words.iter().any(|word| token.text.eq_ignore_ascii_case(word)))
    };
    let month = tokens.get(at + 1).is_some_and(|next| role(next.text) == Role::Month);
    // "2024-05-12"
    let iso = tokens.get(at).is_some_and(|token| {
        let day = text.get(token.end..).and_then(|rest| rest.strip_prefix('-'));
        token.text.len() == 4
            && day.is_some_and(|day| day.starts_with(|c: char| c.is_ascii_digit()))
    });
    month
        || iso
        || is(at + 1, &["may", "of", "per", "each"])
        || (at..tokens.len()).any(|at| is(at, &["ago"]))
}

/// Whether a text begins with another word as the subject: "No, Ben is the manager."
fn names(rest: &str) -> bool {
    const OTHERS: [&str; 14] = [
        "all",
        "everything",
        "he",
        "here",
        "it",
        "nothing",
        "she",
        "that",
        "there",
        "this",
        "what",
        "which",
        "who",
        "you",
    ];
    let mut words = rest.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    let mut words = words.by_ref().filter(|word| !word.is_empty());
    let (first, next) = (words.next().unwrap_or_default(), words.next());
    let denied =
        words.next().is_some_and(|word| role(word) == Role::Not || role(word) == Role::Wrong);
    !denied && next == Some("is") && role(first) == Role::Plain && !OTHERS.contains(&first)
}

/// Whether the last word before a value denies it.
fn denied_before(before: &str) -> bool {
    let mut head = before;
    loop {
        head = head.trim_end_matches(|c: char| !c.is_alphanumeric() && !parts(c));
        let rest = head.trim_end_matches(|c: char| c.is_alphanumeric() || c == '\'');
        let word = head.get(rest.len()..).unwrap_or_default();
        if NAMING.holds(word) {
            head = rest;
            continue;
        }
        // "47 instead of 46"
        let pair = rest.trim_end();
        if (word == "of" && pair.ends_with("instead"))
            || (word == "than" && pair.ends_with("rather"))
        {
            return true;
        }
        return match role(word) {
            Role::Not => true,
            // "40, no 36"
            Role::No => rest.trim_end().ends_with(','),
            _ => ["不是", "并非", "並非"].iter().any(|not| word.ends_with(not)),
        };
    }
}

/// Whether the words behind a value deny it.
fn denied_behind(behind: &str) -> bool {
    const RIGHT: [&str; 4] = ["correct", "right", "accurate", "true"];
    let rest = behind.trim_start_matches(|c: char| !c.is_alphanumeric() && !parts(c));
    if ["->", "→"].iter().any(|arrow| behind.trim_start().starts_with(arrow)) {
        return true;
    }
    if ["ではな", "じゃな", "이 아니", "가 아니"].iter().any(|not| rest.starts_with(not))
    {
        return true;
    }
    let mut words =
        rest.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty());
    let mut next = || words.next().unwrap_or_default().to_lowercase();
    let (verb, said) = (next(), next());
    match verb.as_str() {
        "is" | "was" | "ist" | "war" | "est" | "es" => {
            role(&said) == Role::Wrong || said == "not" && RIGHT.contains(&&*next())
        }
        "isn't" | "wasn't" => RIGHT.contains(&&*said),
        "should" => said == "be" || said == "have",
        _ => false,
    }
}

/// Whether a sign ends a part of a sentence.
fn parts(c: char) -> bool {
    matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '。')
}
