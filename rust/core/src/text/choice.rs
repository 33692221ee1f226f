//! `answer_choice`: the letter of a multiple-choice question that a reply commits to.
//!
//! [`super::answer`] says where the answer begins, and what counts as committed is decided as for
//! words: `B or C` is ambiguous, `Not B` abstains, `B, not C` and `I choose B` are B. A letter is
//! one only where it is a whole word, in any case. Beyond that:
//!
//! | written | read as |
//! | --- | --- |
//! | `B` `b` `(B)` `[B]` `<B>` `**B**` `$B$` `\boxed{B}` `\text{B}` `"B"` `B.` | B |
//! | `B) Paris` `(B) Paris` `B. Paris` `B: Paris` `B - Paris` `Option B` `the answer is B) Paris` | B |
//! | `C) None of the above` `(D) Cannot be determined` | C, D: the text behind a label is the option's own |
//! | `B) Both A and C` | B |
//! | `A) Rome or B) Paris` `B. Wait, C` `B - C` | ambiguous: a second label, or a correction |
//! | `Vitamin C` `5 °C` `~~B~~` `anything but B` `the eliminated option is B` | ambiguous |
//! | `Ⓑ` `𝐁` `Ｂ` | B; look-alikes of other alphabets are no letters |
//! | `A colour` `I think so` | nothing: an article or a pronoun |
//! | `A is correct` `A because …` | A |

use super::answer::{Markers, Payload, Reading, Status, payload};
use super::chars::{fold, is_invisible, plain};
use super::clause::{Clause, Values, Verdict, valueless};
use super::lexer::{Kind, Lexer, Token};
use super::lexicon::{Role, joins, role};
use super::retraction::{Answer, Reader, retracted, taken_back};
use std::ops::Range;

/// Why a set of letters cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LettersError {
    /// There is no letter at all.
    Missing,
    /// This character is no letter.
    NoLetter(char),
    /// This letter comes twice, in whatever case.
    Twice(char),
}

/// The letters of the options.
#[derive(Clone, Debug)]
pub struct Letters {
    folded: Vec<Vec<char>>,
    /// Positions of the letters of ASCII, in either case.
    ascii: [Option<usize>; 128],
}

impl Letters {
    /// Compiles letters; a reading names one by its position.
    ///
    /// # Errors
    /// Without any letter, with another character, or with one that comes twice.
    pub fn new(letters: &str) -> Result<Self, LettersError> {
        let mut folded: Vec<Vec<char>> = Vec::new();
        for letter in letters.chars() {
            if !letter.is_alphabetic() {
                return Err(LettersError::NoLetter(letter));
            }
            let form = fold(letter).collect();
            if folded.contains(&form) {
                return Err(LettersError::Twice(letter));
            }
            folded.push(form);
        }
        if folded.is_empty() {
            return Err(LettersError::Missing);
        }
        let mut letters = Self { folded, ascii: [None; 128] };
        let mut ascii = [None; 128];
        for (slot, c) in ascii.iter_mut().zip('\0'..) {
            *slot = letters.position(c);
        }
        letters.ascii = ascii;
        Ok(letters)
    }

    /// The tokens of a text, with letters of options as choices.
    pub(super) fn tokens<'a>(&self, text: &'a str, spaced: bool) -> Vec<Token<'a>> {
        let raw: Vec<Token<'_>> = Lexer::new(text, spaced).collect();
        let mut tokens = raw.clone();
        for (at, token) in tokens.iter_mut().enumerate() {
            if let Some(index) = choice(text, &raw, at, self) {
                token.kind = Kind::Choice(index);
            }
        }
        tokens
    }

    /// Position of the letter that a word consists of.
    pub(super) fn of(&self, word: &str) -> Option<usize> {
        if let &[letter @ ..0x80] = word.as_bytes() {
            return *self.ascii.get(usize::from(letter))?;
        }
        let mut letters = word.chars().filter(|&c| !is_invisible(c));
        let letter = plain(letters.next()?);
        if letters.next().is_some() {
            return None;
        }
        self.position(letter)
    }

    fn position(&self, letter: char) -> Option<usize> {
        self.folded.iter().position(|form| fold(letter).eq(form.iter().copied()))
    }
}

/// The letter that a reply commits to, by its position.
#[must_use]
pub fn answer_choice(reply: &str, markers: &Markers, letters: &Letters) -> Reading<usize> {
    let payload = match payload(reply, markers) {
        Ok(payload) => payload,
        Err(rule) => return Reading::none(Status::Unparsed, rule),
    };
    let reading = stated(&payload, letters);
    if takes_back(&payload, &reading, letters) {
        return Reading::none(Status::Ambiguous, "retracted");
    }
    reading
}

/// The value of [`answer_choice`] alone, which most replies give at a glance.
#[must_use]
pub fn value(reply: &str, markers: &Markers, letters: &Letters) -> Option<usize> {
    let payload = payload(reply, markers).ok()?;
    let bare = payload.text.get(undressed(payload.text))?;
    if let Some(index) = letters.of(bare) {
        let answer =
            Answer { text: bare, value: Kind::Choice(index), reader: Reader::Letters(letters) };
        return (!taken_back(answer, payload.after)).then_some(index);
    }
    let reading = stated(&payload, letters);
    if takes_back(&payload, &reading, letters) { None } else { reading.value }
}

/// Whether the line behind a letter takes it back.
fn takes_back(payload: &Payload<'_>, reading: &Reading<usize>, letters: &Letters) -> bool {
    reading.value.is_some_and(|index| {
        let reader = Reader::Letters(letters);
        retracted(payload, reading.span.as_ref(), Kind::Choice(index), reader)
    })
}

/// Where a text stands within its markup, brackets and stops.
fn undressed(text: &str) -> Range<usize> {
    let naked = |byte: &u8| {
        !matches!(byte, b'*' | b'_' | b'`' | b' ' | b'(' | b')' | b'[' | b']' | b'.' | b'$' | b'"')
    };
    let start = text.bytes().position(|byte| naked(&byte)).unwrap_or(text.len());
    let end = text.bytes().rposition(|byte| naked(&byte)).map_or(start, |last| last + 1);
    start..end
}

/// The letter of a payload.
fn stated(payload: &Payload<'_>, letters: &Letters) -> Reading<usize> {
    let bare = undressed(payload.text);
    if let Some(index) = payload.text.get(bare.clone()).and_then(|word| letters.of(word)) {
        let span = payload.start + bare.start..payload.start + bare.end;
        return Reading::read(index, span, "marker");
    }
    let tokens = letters.tokens(payload.text, payload.spaced);
    if !tokens.iter().any(|token| matches!(token.kind, Kind::Choice(_))) {
        let (status, rule) = valueless(payload.text);
        return Reading::none(status, rule);
    }
    decide(payload, &tokens)
}

fn decide(payload: &Payload<'_>, tokens: &[Token<'_>]) -> Reading<usize> {
    if let Some((at, text)) = label(tokens) {
        return if others(tokens, at, text) {
            Reading::none(Status::Ambiguous, "several")
        } else {
            Verdict::Read(at, "label").reading(tokens, payload.start, Kind::choice)
        };
    }
    let clause =
        Clause { text: payload.text, tokens, prose: !payload.continued, values: Values::Letters };
    clause.read().reading(tokens, payload.start, Kind::choice)
}

/// The option that a token is: a letter that is no article or pronoun.
fn choice(text: &str, tokens: &[Token<'_>], at: usize, letters: &Letters) -> Option<usize> {
    let token = tokens.get(at).filter(|token| token.kind == Kind::Word)?;
    let index = letters.of(token.text)?;
    let spoken = match token.text {
        "A" | "a" => |word: &str| role(word) == Role::Plain,
        "I" | "i" => |word: &str| !joins(word),
        _ => return Some(index),
    };
    let next = tokens.get(at + 1).filter(|next| {
        let between = text.get(token.end..next.start);
        next.kind == Kind::Word
            && letters.of(next.text).is_none()
            && between.is_some_and(|between| between.chars().all(char::is_whitespace))
    });
    match next {
        Some(next) if spoken(next.text) => None,
        _ => Some(index),
    }
}

/// The letter that labels the text behind it, and where that text begins. Only words that lead
/// to an answer may stand before it.
fn label(tokens: &[Token<'_>]) -> Option<(usize, usize)> {
    const LEADS: [&str; 15] = [
        "the", "correct", "best", "right", "final", "my", "answer", "option", "choice", "letter",
        "is", "would", "be", "i", "choose",
    ];
    let at = tokens.iter().position(|token| matches!(token.kind, Kind::Choice(_)))?;
    let leads = tokens.get(..at)?.iter().all(|token| match token.kind {
        Kind::Word => LEADS.iter().any(|lead| token.text.eq_ignore_ascii_case(lead)),
        Kind::Open | Kind::Colon | Kind::Currency | Kind::Dash | Kind::Equals => true,
        _ => false,
    });
    let text = marked(tokens, at)?;
    // "B - C" and "C: B" are two letters.
    let mark =
        tokens.get(text - 1).is_some_and(|mark| matches!(mark.kind, Kind::Dash | Kind::Colon));
    let lone = text + 1 >= tokens.len()
        && tokens.get(text).is_some_and(|token| matches!(token.kind, Kind::Choice(_)));
    if mark && lone {
        return None;
    }
    let own = tokens.get(text).is_some_and(|token| match token.kind {
        Kind::Comma | Kind::Operator => false,
        Kind::Word if role(token.text) == Role::Not => {
            !tokens.get(text + 1).is_some_and(|next| matches!(next.kind, Kind::Choice(_)))
        }
        Kind::Word => !matches!(role(token.text), Role::Or | Role::And),
        _ => true,
    });
    (leads && own).then_some((at, text))
}

/// Where the text begins that a letter labels: behind `)`, `]`, `.`, `:` or a dash.
fn marked(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    // The dollar that closes a formula is no mark.
    let dollar = tokens.get(at + 1).is_some_and(|token| token.kind == Kind::Currency);
    let at = at + usize::from(dollar);
    let mark = tokens.get(at + 1)?;
    let is = match mark.kind {
        Kind::Close | Kind::Colon | Kind::Dash => true,
        Kind::Stop => mark.text == ".",
        _ => false,
    };
    if !is {
        return None;
    }
    let twice = mark.kind == Kind::Close
        && tokens.get(at + 2).is_some_and(|t| t.kind == Kind::Colon || t.text == ".");
    Some(at + 2 + usize::from(twice))
}

/// Whether the text behind a label names another option: with a label of its own, behind *or*,
/// or after words that take back.
fn others(tokens: &[Token<'_>], label: usize, text: usize) -> bool {
    let mut retracted = false;
    (text..tokens.len()).any(|at| {
        let Some(token) = tokens.get(at) else { return false };
        let before = tokens
            .get(text..at)
            .and_then(|before| before.iter().rev().find(|token| token.kind != Kind::Open));
        let before = before.filter(|token| token.kind == Kind::Word).map(|token| role(token.text));
        match token.kind {
            Kind::Word => {
                retracted |= role(token.text) == Role::Retract
                    || (at == text && matches!(role(token.text), Role::Or | Role::But));
                false
            }
            Kind::Choice(_) => {
                let same = tokens.get(label).is_some_and(|first| first.kind == token.kind);
                let framed = tokens.get(at - 1).is_some_and(|token| token.kind == Kind::Open);
                let labels = marked(tokens, at).is_some_and(|text| framed || text < tokens.len());
                // "Both A and C" is a text of its own.
                let pair = at.checked_sub(2).filter(|&first| first >= text).is_some_and(|first| {
                    tokens.get(first).is_some_and(|token| matches!(token.kind, Kind::Choice(_)))
                });
                let joined = matches!(before, Some(Role::Or | Role::And)) && !pair;
                !same && (labels || joined || retracted)
            }
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(answer: &str) -> (Option<char>, Status) {
        let letters = Letters::new("ABCDI").expect("distinct letters");
        let reply = format!("Answer: a colour question, C I said.\nANSWER: {answer}");
        let reading = answer_choice(&reply, &Markers::default(), &letters);
        if let Some(span) = reading.span {
            assert_eq!(reply.get(span).map(|text| text.chars().count()), Some(1), "{answer}");
        }
        (reading.value.and_then(|index| "ABCDI".chars().nth(index)), reading.status)
    }

    fn assert_all(answers: &[&str], expected: (Option<char>, Status)) {
        let wrong: Vec<_> = answers
            .iter()
            .map(|answer| (answer, read(answer)))
            .filter(|(_, read)| *read != expected)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn letters_in_any_dress() {
        assert_all(
            &[
                "B",
                "b",
                "(B)",
                "[B]",
                "<B>",
                "**B**",
                "`B`",
                "$B$",
                "\\boxed{B}",
                "\\text{B}",
                "$\\boxed{\\text{B}}$",
                "\"B\"",
                "“B”",
                "B.",
                "B)",
                "(b).",
                "Ｂ",
                "B!",
                "{B}",
                "B) Paris",
                "(B) Paris",
                "[B] Paris",
                "B. Paris",
                "B: Paris",
                "B - Paris",
                "B – Paris",
                "**B)** Paris",
                "**B. Paris**",
                "B Paris",
                "B (Paris)",
                "B, Paris",
                "Option B",
                "option (B)",
                "Choice b.",
                "The answer is B",
                "The correct answer is B.",
                "the answer is B) Paris",
                "The best option is (B): none of these",
                "B) None of the above",
                "(B) Cannot be determined",
                "B. It is not known",
                "B: unknown",
                "B, not C",
                "B is correct",
                "B because C is wrong",
                "B) Vitamin C",
                "I choose B",
                "Answer B",
                "B. C is wrong.",
                "It must be B",
                "b) paris",
                "B\\) Paris",
                "\\textbf{B}",
                "- B",
            ],
            (Some('B'), Status::Read),
        );
        assert_all(
            &[
                "A",
                "a",
                "A.",
                "(a)",
                "A) dog",
                "A. A dog",
                "A is correct",
                "A because it rains",
                "The answer is A.",
                "A: a dog",
                "Option A",
                "A, not B",
            ],
            (Some('A'), Status::Read),
        );
        assert_all(&["I", "(I)", "I.", "I) iron"], (Some('I'), Status::Read));
    }

    #[test]
    fn what_is_no_single_letter() {
        assert_all(
            &[
                "A or B",
                "A and C",
                "A, B",
                "A/B",
                "B. Wait, C",
                "A) Rome or B) Paris",
                "B or C?",
                "(A) and (C)",
                "Probably B",
                "A: unlikely, B: likely",
                "B) or C)",
                "B is not right",
                "A B C D",
                "[A], D",
                "(A) (B)",
                "(A)/(B)",
                "B), C)",
            ],
            (None, Status::Ambiguous),
        );
        assert_all(
            &[
                "Not B",
                "None of the above",
                "I cannot tell whether A or B",
                "unknown",
                "<letter>",
                "Neither A nor B",
            ],
            (None, Status::Abstained),
        );
        assert_all(
            &[
                "A colour",
                "a dog",
                "I say so",
                "Because",
                "E",
                "Paris",
                "AB",
                "B2",
                "",
                "?",
                "Bb",
                "I believe it",
            ],
            (None, Status::Unparsed),
        );
    }

    #[test]
    fn letters_must_be_distinct_letters() {
        let error = |letters: &str| Letters::new(letters).err();
        assert_eq!(error(""), Some(LettersError::Missing));
        assert_eq!(error("AB1"), Some(LettersError::NoLetter('1')));
        assert_eq!(error("ABa"), Some(LettersError::Twice('a')));
    }
}
