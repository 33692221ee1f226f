//! Lines behind an answer that take it back: `Wait, that is wrong.`, `No, it is 47.`, `Not 46.`
//!
//! Only the first line with a letter or digit is looked at, up to 60 characters of it. It takes the
//! answer back when
//! 1. it begins with what says so (`Wait`, `Correction`, `Korrektur`, `更正`);
//! 2. it begins with what may say so (`No,`, `Edit:`, `I meant`, `Nein,`) and goes on with another
//!    answer;
//! 3. it begins with what states an answer (`Final:`, `The answer is`, `The corrected total is`) and
//!    goes on with another one;
//! 4. it denies the answer by name: `40, not 36`, `36 is wrong`, `40 instead of 36`, `36 should be
//!    40`, `36 -> 40`, `不是36`;
//! 5. it begins with another number and calls it right: `40 is correct`.
//!
//! Anything else says something of another kind: `Total: 40`, `40 hats were sold`.

use super::answer::Payload;
use super::chars::plain;
use super::lexicon::{List, Openings, Role, Spelled, role};
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
    "or rather",
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

/// What such a line may begin with, for a first look; its adjectives without a noun too.
const ANNOUNCERS: &[&str] = &[
    "the", "my", "so", "our", "actual", "correct", "final", "new", "proper", "real", "revised",
    "right", "true", "updated",
];

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

/// Whether a script puts no blanks between its words.
fn unspaced(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}')
}

/// Whether a letter behind a text would make another word of its last one.
fn joined(text: &str) -> bool {
    text.ends_with(|c: char| c.is_alphanumeric() && !unspaced(c))
}

/// Whether the line behind an answer takes it back; where the answer stands in the reply.
pub(super) fn retracted(payload: &Payload<'_>, span: Option<&Range<usize>>) -> bool {
    if payload.after.is_empty() {
        return false;
    }
    let start = |at: usize| at.checked_sub(payload.start);
    let value = span.and_then(|span| payload.text.get(start(span.start)?..start(span.end)?));
    taken_back(value.unwrap_or(payload.text), payload.after)
}

/// Whether the first line behind a value takes it back.
pub(super) fn taken_back(value: &str, after: &str) -> bool {
    let line = after.trim_start_matches(|c: char| !c.is_alphanumeric());
    if line.is_empty() {
        return false;
    }
    let opens = OPENINGS.may_begin(line);
    if !opens && !may_deny(line, value) {
        return false;
    }
    let raw: String = line
        .chars()
        .take(60)
        .take_while(|c| !matches!(c, '\n' | '\r'))
        .map(plain)
        .filter(|&c| !matches!(c, '*' | '_' | '`'))
        .collect();
    let head = raw.to_lowercase().replace(" :", ":");
    opens && opens_anew(&head, value) || denies(&raw, value) || confirms_other(&head, value)
}

/// Whether a line may name a value to deny it, or begin with another one.
fn may_deny(line: &str, value: &str) -> bool {
    let bytes = line.as_bytes();
    let end = bytes.iter().take(240).position(|&byte| byte == b'\n');
    let near = bytes.get(..end.unwrap_or(bytes.len().min(240))).unwrap_or_default();
    if !near.is_ascii() || bytes.first().is_some_and(u8::is_ascii_digit) {
        return true;
    }
    if let Some(first) = figure(value).bytes().next() {
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

/// What stands behind a phrase with which a text begins: not in "Oops-free".
fn behind<'a>(text: &'a str, opening: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(opening)?;
    let next = rest.strip_prefix('-').unwrap_or(rest);
    (!joined(opening) || !next.starts_with(char::is_alphanumeric)).then_some(rest)
}

/// Whether a line begins with what takes the answer back, or with another answer.
fn opens_anew(head: &str, value: &str) -> bool {
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
            Some(':') => next == "see",
            Some(',') => next == "did",
            _ => false,
        }
    };
    // "修正済み", "更正日期"
    let of_another = |rest: &str| rest.starts_with(['済', '日', '일']);
    let speaks = |rest: &str| rest.trim_start().starts_with(char::is_alphabetic);
    let any = |openings: &[&str], what: &dyn Fn(&str) -> bool| {
        openings.iter().any(|opening| behind(head, opening).is_some_and(what))
    };
    any(RETRACTIONS, &|rest| !goes_on(rest))
        || any(VERDICTS, &|rest| !rest.contains(char::is_alphanumeric))
        || any(DOUBTS, &|rest| FAULTS.iter().any(|fault| rest.contains(fault)))
        || FOREIGN_RETRACTIONS.iter().any(|opening| {
            behind(head, opening).is_some_and(|rest| {
                // "Korrektur wurde gemacht", but "Das ist falsch gerechnet"
                let noun = joined(opening) && !opening.contains(' ');
                !(of_another(rest) || noun && speaks(rest))
            })
        })
        // "No" behind the answer "No" repeats it.
        || word_of(value).to_lowercase() != word_of(head)
            && (any(CORRECTIONS, &|rest| restates(rest, value) || names(rest, value))
                || !numbered(head) && any(INTERJECTIONS, &|rest| {
                    set_off(rest).is_some_and(|rest| restates(rest, value) || names(rest, value))
                })
                || any(FOREIGN_CORRECTIONS, &|rest| restates(rest, value) || counts(rest, value))
                || any(FOREIGN_INTERJECTIONS, &|rest| {
                    set_off(rest).is_some_and(|rest| restates(rest, value) || counts(rest, value))
                })
                || any(STATEMENTS, &|rest| states(rest, value))
                || announced(head).is_some_and(|rest| states(rest, value)))
}

/// Whether a line begins with the number of something: "No. 3 in the list", but not "No. 3."
fn numbered(head: &str) -> bool {
    let behind = head.strip_prefix("no.").map(str::trim_start);
    behind.is_some_and(|behind| {
        behind.starts_with(char::is_numeric) && behind.contains(char::is_alphabetic)
    })
}

/// What stands behind a sign that sets off what a line begins with.
fn set_off(rest: &str) -> Option<&str> {
    rest.trim_start().strip_prefix([',', '.', ':', ';', '!', '-', '—', '。', '…'])
}

/// What stands behind `The corrected total is`, `Revised answer:` or `Final:`.
fn announced(head: &str) -> Option<&str> {
    let mut rest = head;
    for lead in ["so ", "the ", "my ", "our "] {
        rest = rest.strip_prefix(lead).unwrap_or(rest);
    }
    let word = |text: &str| text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let (first, behind) = rest.split_at_checked(word(rest))?;
    if !ANEW.holds(first) {
        return None;
    }
    let behind = behind.trim_start();
    let (noun, after) = behind.split_at_checked(word(behind))?;
    let after = if ANSWERS.holds(noun) { after.trim_start() } else { behind };
    let stated = ["is ", "is:", "should be ", ":", "=", "- ", "— "];
    stated.iter().find_map(|verb| after.strip_prefix(verb))
}

/// Whether a line that states an answer states another one; "B" and "The answer is Paris" may be
/// the same.
fn states(rest: &str, value: &str) -> bool {
    (!is_letter(value) || is_letter(word_of(rest))) && restates(rest, value)
}

/// The first word of a text.
fn word_of(text: &str) -> &str {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}

fn is_letter(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
}

fn has_figures(value: &str) -> bool {
    value.contains(char::is_numeric)
}

/// Whether a line goes on with another answer than this one: a number, a word alone that may be
/// one, a letter that labels what stands behind it, or "it is …".
fn restates(rest: &str, value: &str) -> bool {
    let mut rest = undressed(rest);
    // "No, at 16:15", "Update: about 46"
    for lead in ["at ", "about ", "around ", "approximately ", "exactly "] {
        let behind = rest.strip_prefix(lead).map(|rest| rest.trim_start_matches(['$', '~']));
        rest = behind.filter(|rest| rest.starts_with(char::is_numeric)).unwrap_or(rest);
    }
    let mut words = rest.split([' ', '.', '!', ';']).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let next = words.next();
    if first.starts_with(char::is_numeric) {
        // "Sorry, 3 of them are missing.", "Updated: 3 days ago"
        let of_another = matches!(next, Some("of" | "per" | "each")) || rest.contains(" ago");
        return !(repeats(rest, value) || dates(rest, next) || of_another);
    }
    let named = first.trim_end_matches(|c: char| !c.is_alphanumeric());
    // Behind figures a word alone has to be a number.
    let alone = next.is_none()
        && !repeats(rest, value)
        && if has_figures(value) {
            Spelled::default().add(named) || role(named) == Role::No
        } else {
            !named.is_empty() && !COURTESIES.holds(named)
        };
    let mut marked = first.chars();
    let letter = marked.next().is_some_and(char::is_alphabetic)
        && is_letter(value)
        && word_of(rest) != value.to_lowercase()
        && marked.next().is_some_and(|mark| matches!(mark, ')' | ']' | ':' | ','));
    alone || letter || opens(rest, RESTATES, value) || opens(rest, FOREIGN_RESTATES, value)
}

/// Whether a text begins with one of these and goes on with something else than the value.
fn opens(rest: &str, openings: &[&str], value: &str) -> bool {
    openings.iter().any(|opening| {
        behind(rest, opening).is_some_and(|rest| {
            !repeats(undressed(rest), value) && !COURTESIES.holds(word_of(rest))
        })
    })
}

/// A text from its first letter or digit on, within boxes of LaTeX too.
fn undressed(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let boxes = ["boxed{", "text{", "textbf{", "mathbf{", "mathrm{"];
        match boxes.iter().find_map(|name| rest.strip_prefix(name)) {
            Some(inner) => rest = inner,
            None => return rest,
        }
    }
}

/// Whether a text begins with the value, in whatever way either is written, or comes to it behind an
/// equals sign: "forty-six", "4:15 pm", "20 + 26 = 46".
fn repeats(text: &str, value: &str) -> bool {
    let word = word_of(text).to_lowercase();
    if word == word_of(value).to_lowercase()
        && (!has_figures(value) || same(figure(text), figure(value)))
    {
        return true;
    }
    let value = undressed(value);
    let is_it = |text: &str| {
        has_figures(text) && has_figures(value) && same(figure(text), figure(value))
            || moment(text).is_some_and(|at| moment(value) == Some(at))
            || amount(text).is_some_and(|many| amount(value) == Some(many))
    };
    is_it(text) || text.rsplit_once('=').is_some_and(|(_, total)| is_it(undressed(total)))
}

/// The number that a text begins with, in words too: "forty-six", "1 1/2", "1.5k".
fn amount(text: &str) -> Option<f64> {
    let mut spelled = Spelled::default();
    let words =
        text.split([' ', '.', ',', ';', '!', '?', ')', '}']).filter(|word| !word.is_empty());
    if words.take_while(|word| spelled.add(word)).count() > 0 {
        return Some(spelled.value() as f64);
    }
    let number = |text: &str| text.replace(',', "").parse::<f64>().ok();
    let part = |text: &str| {
        let (top, bottom) = text.split_once('/')?;
        Some(number(top)? / number(bottom).filter(|bottom| *bottom > 0.0)?)
    };
    let found = figure(text);
    let rest = text.strip_prefix(found).filter(|_| !found.is_empty())?.trim_start();
    if found.contains('/') {
        return part(found);
    }
    if rest.starts_with(|c: char| c.is_ascii_digit()) && figure(rest).contains('/') {
        return Some(number(found)? + part(figure(rest))?);
    }
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let scale = match rest.get(..end)? {
        "k" | "thousand" => 1e3,
        "m" | "million" => 1e6,
        "billion" => 1e9,
        _ => 1.0,
    };
    Some(number(found)? * scale)
}

/// Minutes since midnight of the time of day that a text begins with.
fn moment(text: &str) -> Option<u32> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (hour, mut rest) =
        text.split_at_checked(digits(text)).filter(|(hour, _)| hour.len() < 3)?;
    let mut minute = None;
    if let Some(behind) = rest.strip_prefix([':', '.', 'h'])
        && digits(behind) == 2
    {
        let (two, behind) = behind.split_at_checked(2)?;
        (minute, rest) = (two.parse::<u32>().ok(), behind);
    }
    let half = rest.trim_start().to_lowercase().replace('.', "");
    let late = half.starts_with("pm");
    if minute.is_none() && !late && !half.starts_with("am") {
        return None;
    }
    let hour = hour.parse::<u32>().ok()?;
    let hour = if late || half.starts_with("am") { hour % 12 + 12 * u32::from(late) } else { hour };
    let minute = minute.unwrap_or(0);
    (hour < 24 && minute < 60).then_some(60 * hour + minute)
}

/// Whether a text begins with another word as the subject: "No, Ben is the manager."
fn names(rest: &str, value: &str) -> bool {
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
    !has_figures(value)
        && !denied
        && next == Some("is")
        && first != word_of(value).to_lowercase()
        && role(first) == Role::Plain
        && !OTHERS.contains(&first)
}

/// Whether the first number of a text is another one than a value.
fn counts(rest: &str, value: &str) -> bool {
    has_figures(value) && has_figures(rest) && !repeats(undressed(rest), value)
}

/// Whether a line says of the value that it is not the answer: "40, not 36", "36 is wrong".
fn denies(raw: &str, value: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() && !unspaced(c);
    let denied = |text: &str, start: usize, end: usize| {
        let (before, behind) = (text.get(..start), text.get(end..));
        before.is_some_and(denied_before) || behind.is_some_and(denied_behind)
    };
    if has_figures(value) {
        let mut from = 0;
        while let Some(start) =
            raw.get(from..).and_then(|rest| rest.find(char::is_numeric)).map(|at| from + at)
        {
            let found = figure(raw.get(start..).unwrap_or_default());
            let end = start + found.len();
            if same(found, figure(value)) && denied(raw, start, end) {
                return true;
            }
            from = end;
        }
        return false;
    }
    let plainly: String = value.chars().map(plain).collect();
    // "Not a problem" denies no letter.
    let (text, name) = if matches!(&*plainly, "A" | "I" | "a" | "i") {
        (raw.to_owned(), plainly.to_uppercase())
    } else {
        (raw.to_lowercase(), plainly.to_lowercase())
    };
    !name.is_empty()
        && text.match_indices(&*name).any(|(start, _)| {
            let end = start + name.len();
            let free = |outer: Option<char>| !outer.is_some_and(joins);
            free(text.get(..start).and_then(|before| before.chars().next_back()))
                && free(text.get(end..).and_then(|behind| behind.chars().next()))
                && denied(&text, start, end)
        })
}

/// Whether the last word before a value denies it.
fn denied_before(before: &str) -> bool {
    let mut head = before;
    loop {
        head = head.trim_end_matches(|c: char| !c.is_alphanumeric() && !parts(c));
        let rest = head.trim_end_matches(|c: char| c.is_alphanumeric() || c == '\'');
        let word = head.get(rest.len()..).unwrap_or_default();
        if ["the", "option", "choice"].iter().any(|lead| word.eq_ignore_ascii_case(lead)) {
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

/// Whether a line begins with another number and calls it right: "40 is correct".
fn confirms_other(head: &str, value: &str) -> bool {
    if !has_figures(value) || !head.starts_with(char::is_numeric) {
        return false;
    }
    let found = figure(head);
    let said = head.get(found.len()..).unwrap_or_default();
    let said = said.strip_prefix(" is ").map(|said| said.strip_prefix("the ").unwrap_or(said));
    !same(found, figure(value))
        && said.is_some_and(|said| {
            ["correct", "right", "answer", "final answer"].iter().any(|word| {
                said.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            })
        })
}

/// Whether a sign ends a part of a sentence.
fn parts(c: char) -> bool {
    matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '。')
}

/// The first figures of a text, with the signs between them.
fn figure(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| !c.is_numeric());
    let end = rest.find(|c: char| !(c.is_numeric() || matches!(c, '.' | ',' | ':' | '/' | '\'')));
    rest.get(..end.unwrap_or(rest.len()))
        .unwrap_or_default()
        .trim_end_matches(['.', ',', ':', '/', '\''])
}

/// Whether two figures are the same, or one number: `36`, `36.00`.
fn same(a: &str, b: &str) -> bool {
    let number = |text: &str| text.replace(',', "").parse::<f64>().ok();
    a == b || number(a).is_some_and(|value| number(b) == Some(value))
}

/// Whether a line that begins with figures begins with a date: `2024-05-12`, `12 May`.
fn dates(rest: &str, next: Option<&str>) -> bool {
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let iso = rest.len() - digits.len() == 4
        && digits
            .strip_prefix('-')
            .is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    iso || next.is_some_and(|word| role(word) == Role::Month || word == "may")
}
