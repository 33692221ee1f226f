//! `verdict`: the label of a closed set that a judge's reply decides for.
//!
//! # Labels
//! A label is found as whole tokens in any case, the longest first: `INCORRECT` is not CORRECT,
//! and neither is `semi-correct`, `not_correct` or the 1 of `-1` and `1.5`. Between the words of a
//! label blanks, hyphens and underscores are the same.
//!
//! # Doubt
//! A label is not decided for when a negation, a hedge or *if* stands up to three words before it
//! in the same clause (`not correct`, `isn't really correct`, `maybe correct`), when a word of
//! degree stands right before it (`partially correct`), or a question mark behind it. A label
//! that itself says *not* or *partially* is found first, being longer.
//!
//! # Where it is read
//! 1. In the field, where an object of the reply has it: the label that the value begins with, or
//!    the only one that it names.
//! 2. Otherwise, behind the last `field:` in the text, in the same way.
//! 3. Otherwise, where the reply holds no object: a line or sentence that is nothing but a label,
//!    or a label that opens the reply and is set off by a comma or the like; all such must agree.
//! 4. Otherwise, in its prose: labels in capitals, and those that *is* or *are* states; all such
//!    must agree. (`The correct answer is 5` decides nothing.)

use super::answer::{Markers, Reading, payload};
use super::chars::{fold, is_invisible};
use super::json::{self, Field, Parse};
use super::lexicon::{Role, role};
use std::collections::HashMap;
use std::ops::Range;

/// Why a set of labels cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LabelsError {
    /// There is no label at all.
    Missing,
    /// This label holds no letter or digit.
    Empty(String),
    /// These two labels cannot be told apart.
    Duplicate(String, String),
}

/// A compiled closed set of labels, each with the class it stands for.
#[derive(Clone, Debug)]
pub struct Labels {
    all: Vec<Label>,
    /// Labels that begin with a word, the longest first.
    by_first: HashMap<String, Vec<usize>>,
    /// The ASCII letters and digits that labels begin with, which most words do not.
    ascii: Vec<u8>,
}

#[derive(Clone, Debug)]
struct Label {
    class: usize,
    words: Vec<String>,
    /// Signs before its first word and behind its last one.
    opening: String,
    closing: String,
}

impl Labels {
    /// Compiles labels with their classes; a reading names the class.
    ///
    /// # Errors
    /// Without any label, when one holds no word, or when two cannot be told apart.
    pub fn new<'a>(
        labels: impl IntoIterator<Item = (&'a str, usize)>,
    ) -> Result<Self, LabelsError> {
        let mut compiled = Self { all: Vec::new(), by_first: HashMap::new(), ascii: Vec::new() };
        let mut seen: HashMap<(Vec<String>, String, String), &str> = HashMap::new();
        for (name, class) in labels {
            let name = name.trim();
            let words: Vec<Word<'_>> = Words::new(name).collect();
            let (Some(first), Some(last)) = (words.first(), words.last()) else {
                return Err(LabelsError::Empty(name.to_owned()));
            };
            let label = Label {
                class,
                words: words.iter().map(|word| folded(word.text)).collect(),
                opening: name.get(..first.start).unwrap_or_default().to_owned(),
                closing: name.get(last.end..).unwrap_or_default().to_owned(),
            };
            let key = (label.words.clone(), label.opening.clone(), label.closing.clone());
            if let Some(other) = seen.insert(key, name) {
                return Err(LabelsError::Duplicate(other.to_owned(), name.to_owned()));
            }
            let first = label.words.first().cloned().unwrap_or_default();
            compiled.by_first.entry(first).or_default().push(compiled.all.len());
            compiled.all.push(label);
        }
        if compiled.all.is_empty() {
            return Err(LabelsError::Missing);
        }
        compiled.ascii = compiled.by_first.keys().filter_map(|word| word.bytes().next()).collect();
        let labels = &compiled.all;
        for indices in compiled.by_first.values_mut() {
            indices.sort_by_key(|&index| {
                let length =
                    |label: &Label| (label.words.len(), label.opening.len() + label.closing.len());
                std::cmp::Reverse(labels.get(index).map(length))
            });
        }
        Ok(compiled)
    }

    /// The label whose first word is this one, and where its last word ends.
    fn at(&self, first: Word<'_>, following: &Words<'_>) -> Option<(&Label, usize)> {
        let byte = first.text.bytes().next()?;
        if byte.is_ascii() && !self.ascii.contains(&byte.to_ascii_lowercase()) {
            return None;
        }
        let text = following.text;
        self.by_first.get(&*folded(first.text))?.iter().find_map(|&index| {
            let label = self.all.get(index)?;
            let mut following = following.clone();
            let mut last = first;
            for wanted in label.words.get(1..)? {
                let word = following.next()?;
                let gap = text.get(last.end..word.start)?;
                if !gap.chars().all(is_soft) || folded(word.text) != *wanted {
                    return None;
                }
                last = word;
            }
            let before = text.get(..first.start)?.strip_suffix(&*label.opening)?;
            let after = text.get(last.end..)?.strip_prefix(&*label.closing)?;
            let joined = (label.opening.is_empty() && joined_before(before, first.text))
                || (label.closing.is_empty() && joined_behind(after, last.text));
            (!joined).then_some((label, last.end))
        })
    }
}

/// Whether a character between two words of a label leaves them one label.
fn is_soft(c: char) -> bool {
    c.is_whitespace() || matches!(c, '_' | '-' | '‐' | '‑' | '/' | '\'' | '’')
}

/// Whether a word goes on to the left of its first letter.
fn joined_before(before: &str, word: &str) -> bool {
    let mut chars = before.chars().rev();
    let (sign, outer) = (chars.next(), chars.next());
    let letter = outer.is_some_and(char::is_alphanumeric);
    let digits = word.starts_with(|c: char| c.is_ascii_digit());
    match sign {
        Some('_' | '-' | '‐' | '‑' | '\'' | '’') if letter => true,
        Some('-' | '−' | '+') => digits,
        Some('.' | ',') => digits && outer.is_some_and(|c| c.is_ascii_digit()),
        _ => false,
    }
}

/// Whether a word goes on to the right of its last letter.
fn joined_behind(after: &str, word: &str) -> bool {
    let mut chars = after.chars();
    let (sign, outer) = (chars.next(), chars.next());
    match sign {
        Some('_' | '-' | '‐' | '‑' | '\'' | '’') => outer.is_some_and(char::is_alphanumeric),
        Some('+' | '#') => true,
        Some('.' | ',') => {
            word.ends_with(|c: char| c.is_ascii_digit())
                && outer.is_some_and(|c| c.is_ascii_digit())
        }
        _ => false,
    }
}

fn folded(word: &str) -> String {
    word.chars().filter(|c| !is_invisible(*c)).flat_map(fold).collect()
}

/// A run of letters and digits.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

#[derive(Clone)]
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let inside = |c: char| c.is_alphanumeric() || is_invisible(c);
        let rest = self.text.get(self.at..)?;
        let start = self.at + rest.find(char::is_alphanumeric)?;
        let rest = self.text.get(start..)?;
        let end = start + rest.find(|c| !inside(c)).unwrap_or(rest.len());
        self.at = end;
        Some(Word { text: self.text.get(start..end)?, start, end })
    }
}

/// A label where it stands in a text.
struct Mention {
    class: usize,
    span: Range<usize>,
    doubted: bool,
}

/// What a text decides for.
enum Decision {
    Label(usize, Range<usize>),
    /// Labels of several classes.
    Several,
    /// Only labels that are doubted.
    Doubt,
    None,
}

/// The labels of a text, in order.
struct Mentions<'a> {
    words: Words<'a>,
    labels: &'a Labels,
    /// Where the last label stands.
    last: Range<usize>,
}

impl<'a> Mentions<'a> {
    fn new(text: &'a str, labels: &'a Labels) -> Self {
        Self { words: Words::new(text), labels, last: 0..0 }
    }
}

impl Iterator for Mentions<'_> {
    type Item = Mention;

    fn next(&mut self) -> Option<Mention> {
        let text = self.words.text;
        loop {
            let word = self.words.next()?;
            let Some((label, end)) = self.labels.at(word, &self.words) else {
                continue;
            };
            self.words.at = end;
            let span = word.start - label.opening.len()..end + label.closing.len();
            let doubted =
                doubted(text.get(..span.start)?, &self.last) || asked(text.get(span.end..)?);
            self.last = span.clone();
            return Some(Mention { class: label.class, span, doubted });
        }
    }
}

/// Words of degree.
const DEGREES: &[&str] = &[
    "partially",
    "partly",
    "mostly",
    "largely",
    "somewhat",
    "nearly",
    "almost",
    "half",
    "more",
    "less",
    "semi",
];

/// Whether one of the last words of what stands before a label, in its clause, takes it back. The
/// words of the label before it do not.
fn doubted(before: &str, label: &Range<usize>) -> bool {
    let mut head = before;
    for back in 1..=3 {
        let words = head.trim_end_matches(|c: char| !c.is_alphanumeric() && !ends_clause(c));
        // An apostrophe belongs to the word: isn't.
        let rest = words.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '’'));
        let word = words.get(rest.len()..).unwrap_or_default();
        if word.is_empty() {
            return false;
        }
        let contracted = word.len() > 2 && word.ends_with("n't") || word.ends_with("n’t");
        let taken_back = matches!(
            role(word),
            Role::Not | Role::No | Role::Refusal | Role::Hedge | Role::If | Role::Earlier
        );
        let free = !label.contains(&rest.len());
        if free && (contracted || taken_back || (back == 1 && DEGREES.contains(&&*folded(word)))) {
            return true;
        }
        head = rest;
    }
    false
}

fn ends_clause(c: char) -> bool {
    matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|')
        || matches!(c, '\n' | '\r' | '"' | '—' | '，' | '。' | '：' | '；')
}

/// Whether a question mark stands behind a label.
fn asked(after: &str) -> bool {
    after.trim_start_matches(|c: char| is_markup(c) || c == ' ').starts_with(['?', '？'])
}

fn is_markup(c: char) -> bool {
    matches!(
        c,
        '*' | '_'
            | '`'
            | '"'
            | '\''
            | '“'
            | '”'
            | '‘'
            | '’'
            | '['
            | ']'
            | '('
            | ')'
            | '<'
            | '>'
            | '#'
            | '$'
            | '{'
            | '}'
    ) || is_invisible(c)
}

/// What all undoubted mentions agree on.
fn agreed(mentions: impl IntoIterator<Item = Mention>) -> Decision {
    let mut decision = Decision::None;
    for mention in mentions {
        decision = match decision {
            Decision::Label(class, _) if !mention.doubted && class != mention.class => {
                return Decision::Several;
            }
            Decision::None if mention.doubted => Decision::Doubt,
            Decision::None | Decision::Doubt if !mention.doubted => {
                Decision::Label(mention.class, mention.span)
            }
            decision => decision,
        };
    }
    decision
}

/// What a text that is the answer decides for: the label that it begins with, or the only one.
fn answered(text: &str, labels: &Labels) -> Decision {
    match opening(text, labels) {
        Some(first) => Decision::Label(first.class, first.span),
        None => agreed(Mentions::new(text, labels)),
    }
}

/// The label that a text begins with, where no word goes on with it and no other is offered
/// beside it.
fn opening(text: &str, labels: &Labels) -> Option<Mention> {
    let mut mentions = Mentions::new(text, labels);
    let first = mentions.next().filter(|first| !first.doubted)?;
    let mut before = text.get(..first.span.start)?.chars();
    if !before.all(|c| is_markup(c) || c.is_whitespace()) {
        return None;
    }
    let goes_on = |c: char| c.is_alphanumeric();
    let after = text.get(first.span.end..)?.trim_start_matches(|c| is_markup(c) || c == ' ');
    let next = after.trim_start_matches(goes_on);
    let next = after.get(..after.len() - next.len())?;
    if !next.is_empty() && role(next) != Role::Because {
        return None;
    }
    let offered = mentions.next().filter(|other| other.class != first.class).is_some_and(|other| {
        let gap = text.get(first.span.end..other.span.start).unwrap_or_default();
        !gap.contains(ends_sentence)
            && Words::new(gap).all(|word| matches!(role(word.text), Role::Or | Role::And))
    });
    (!offered).then_some(first)
}

fn ends_sentence(c: char) -> bool {
    matches!(c, '.' | '!' | ':' | ';' | '\n' | '\r' | '。')
}

/// The label that a judge's reply decides for, by its class.
#[must_use]
pub fn verdict(
    reply: &str,
    field: &Field,
    markers: &Markers,
    labels: &Labels,
) -> Reading<usize, Parse> {
    let found = json::scalar_text(reply, field);
    if let Some(text) = found.value {
        return match answered(&text, labels) {
            Decision::Label(class, _) => Reading {
                value: Some(class),
                span: found.span,
                rule: found.rule,
                status: found.status,
            },
            Decision::Several => none(Parse::Conflict, "several"),
            Decision::Doubt => none(found.status, "ambiguous"),
            Decision::None if json::is_sentinel(&text) => none(found.status, "abstained"),
            Decision::None => none(found.status, "unparsed"),
        };
    }
    if !matches!(found.rule, json::NO_OBJECT | json::NO_FIELD) {
        return none(found.status, found.rule);
    }
    if let Ok(payload) = payload(reply, markers) {
        return stated(answered(payload.text, labels), payload.start, "marker");
    }
    if found.rule == json::NO_FIELD {
        return none(Parse::Failed, found.rule);
    }
    let alone = Mentions::new(reply, labels).filter(|mention| stands_alone(reply, mention));
    let opened = opening(reply, labels).filter(|first| {
        let rest = reply.get(first.span.end..).unwrap_or_default().trim_start_matches(is_markup);
        rest.starts_with([',', ':', ';', '—', '–'])
            || rest.trim_start().starts_with(['-', '–', '—'])
    });
    match agreed(alone.chain(opened)) {
        Decision::None | Decision::Doubt => {}
        Decision::Label(class, span) if bare(reply, &span) => {
            return Reading {
                value: Some(class),
                span: Some(span),
                rule: "label",
                status: Parse::Strict,
            };
        }
        decision => return stated(decision, 0, "line"),
    }
    let claimed =
        Mentions::new(reply, labels).filter(|mention| mention.doubted || claimed(reply, mention));
    stated(agreed(claimed), 0, "prose")
}

const fn none(status: Parse, rule: &'static str) -> Reading<usize, Parse> {
    Reading { value: None, span: None, rule, status }
}

/// The reading of what plain text decides.
fn stated(decision: Decision, offset: usize, rule: &'static str) -> Reading<usize, Parse> {
    match decision {
        Decision::Label(class, span) => Reading {
            value: Some(class),
            span: Some(span.start + offset..span.end + offset),
            rule,
            status: Parse::Repaired,
        },
        Decision::Several => none(Parse::Conflict, "several"),
        Decision::Doubt => none(Parse::Failed, "ambiguous"),
        Decision::None => none(Parse::Failed, "no_label"),
    }
}

/// Whether a reply is nothing but the label at this place.
fn bare(reply: &str, span: &Range<usize>) -> bool {
    let dress = |c: char| is_markup(c) || c.is_whitespace() || c == '.';
    let outside = |text: Option<&str>| text.is_some_and(|text| text.chars().all(dress));
    outside(reply.get(..span.start)) && outside(reply.get(span.end..))
}

/// Whether a label is a line or a sentence of its own.
fn stands_alone(reply: &str, mention: &Mention) -> bool {
    let before = reply.get(..mention.span.start).unwrap_or_default();
    let after = reply.get(mention.span.end..).unwrap_or_default();
    let dress = |c: char| is_markup(c) || (c.is_whitespace() && !matches!(c, '\n' | '\r'));
    let opens = before.trim_end_matches(dress);
    let spaced = opens.len() < before.len();
    let closes = after.trim_start_matches(dress);
    let begins = opens.is_empty()
        || opens.ends_with(['\n', '\r'])
        || (spaced && opens.ends_with(['.', '!', '?', '…', '。']));
    let ends = closes.is_empty()
        || closes.starts_with(['\n', '\r', '!', '。'])
        || closes.strip_prefix('.').is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    begins && ends
}

/// Whether prose decides for the label at this place: it is in capitals, or stated by a verb.
fn claimed(reply: &str, mention: &Mention) -> bool {
    let label = reply.get(mention.span.clone()).unwrap_or_default();
    if label.chars().filter(|c| c.is_uppercase()).nth(1).is_some()
        && !label.chars().any(char::is_lowercase)
    {
        return true;
    }
    let before = reply.get(..mention.span.start).unwrap_or_default();
    let mut words = before.trim_end_matches(|c: char| is_markup(c) || c == ' ');
    for _ in 0..3 {
        let word = words.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '’'));
        let last = words.get(word.len()..).unwrap_or_default();
        if last.is_empty() {
            return false;
        }
        if role(last) == Role::Copula {
            let after = reply.get(mention.span.end..).unwrap_or_default();
            let rest = after.trim_start_matches(|c: char| is_markup(c) || c == ' ');
            let next = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            return next.is_empty() || matches!(role(next), Role::And | Role::But | Role::Because);
        }
        words = word.trim_end_matches(|c: char| is_markup(c) || c == ' ');
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::answer::Which;

    fn labels(names: &[&str]) -> Labels {
        Labels::new(names.iter().copied().zip(0..)).expect("valid labels")
    }

    fn read(reply: &str, names: &[&str]) -> (Option<String>, &'static str, &'static str) {
        let field = Field::new(["verdict"]).expect("a valid path");
        let markers = Markers::new(&["verdict".to_owned()], Which::Last).expect("valid markers");
        let reading = verdict(reply, &field, &markers, &labels(names));
        if let Some(span) = &reading.span {
            assert!(reply.get(span.clone()).is_some(), "{reply}");
        }
        let name = reading.value.and_then(|class| names.get(class)).map(ToString::to_string);
        (name, reading.status.as_str(), reading.rule)
    }

    const GRADES: [&str; 3] = ["CORRECT", "INCORRECT", "partially correct"];

    fn assert_reads(cases: &[(&str, Option<&str>, &str, &str)]) {
        for &(reply, value, status, rule) in cases {
            let wanted = (value.map(ToOwned::to_owned), status, rule);
            assert_eq!(read(reply, &GRADES), wanted, "{reply}");
        }
    }

    #[test]
    fn fields_hold_labels() {
        assert_reads(&[
            (r#"{"verdict": "INCORRECT"}"#, Some("INCORRECT"), "strict", "field"),
            (r#"{"verdict": "correct."}"#, Some("CORRECT"), "strict", "field"),
            (r#"{"verdict": "Partially_Correct"}"#, Some("partially correct"), "strict", "field"),
            (r"{'verdict': 'CORRECT',}", Some("CORRECT"), "repaired", "quotes"),
            (r#"{"verdict": "CORRECT", "why": "cut"#, Some("CORRECT"), "truncated", "unclosed"),
            (r#""verdict": "CORRECT""#, Some("CORRECT"), "repaired", "missing_brace"),
            (
                r#"{"verdict": "CORRECT", "verdict": "INCORRECT"}"#,
                Some("INCORRECT"),
                "conflict",
                "duplicate_key",
            ),
            (
                r#"{"verdict": "INCORRECT, the correct value is 5"}"#,
                Some("INCORRECT"),
                "strict",
                "field",
            ),
            (
                r#"{"verdict": "INCORRECT because the correct value is 5"}"#,
                Some("INCORRECT"),
                "strict",
                "field",
            ),
            (r#"{"verdict": "The reply is incorrect"}"#, Some("INCORRECT"), "strict", "field"),
            (r#"{"verdict": "CORRECT or INCORRECT"}"#, None, "conflict", "several"),
            (r#"{"verdict": "CORRECT/INCORRECT"}"#, None, "conflict", "several"),
            (r#"{"verdict": "not correct"}"#, None, "strict", "ambiguous"),
            (r#"{"verdict": "isn't really correct"}"#, None, "strict", "ambiguous"),
            (r#"{"verdict": "mostly correct"}"#, None, "strict", "ambiguous"),
            (r#"{"verdict": "semi-correct"}"#, None, "strict", "unparsed"),
            (r#"{"verdict": "unknown"}"#, None, "strict", "abstained"),
            (r#"{"verdict": null}"#, None, "strict", "abstained"),
            (r#"{"verdict": ["CORRECT"]}"#, None, "strict", "unparsed"),
            (r#"{"verdict": "CORR"#, None, "failed", "cut"),
            (r#"{"label": "CORRECT"}"#, None, "failed", "no_field"),
        ]);
    }

    #[test]
    fn plain_replies_state_labels() {
        assert_reads(&[
            ("INCORRECT", Some("INCORRECT"), "strict", "label"),
            (" **Correct.**\n", Some("CORRECT"), "strict", "label"),
            ("# <CORRECT>", Some("CORRECT"), "strict", "label"),
            (
                "Verdict: CORRECT or INCORRECT\nVerdict: **INCORRECT**",
                Some("INCORRECT"),
                "repaired",
                "marker",
            ),
            (
                "The final verdict: incorrect, as the correct one is 5",
                Some("INCORRECT"),
                "repaired",
                "marker",
            ),
            ("{\"score\": 3}\nVerdict: CORRECT", Some("CORRECT"), "repaired", "marker"),
            ("INCORRECT\n\nThe correct answer is 5.", Some("INCORRECT"), "repaired", "line"),
            ("It gives 5, which is what is asked. Correct.", Some("CORRECT"), "repaired", "line"),
            ("Incorrect, because the correct answer is 5.", Some("INCORRECT"), "repaired", "line"),
            ("CORRECT\nINCORRECT", None, "conflict", "several"),
            (
                "The correct answer is 5, so I judge it INCORRECT.",
                Some("INCORRECT"),
                "repaired",
                "prose",
            ),
            ("The reply is correct and complete.", Some("CORRECT"), "repaired", "prose"),
            ("The correct answer is 5.", None, "failed", "no_label"),
            ("Is it CORRECT? I cannot tell.", None, "failed", "ambiguous"),
            ("It is not correct.", None, "failed", "ambiguous"),
            ("", None, "failed", "no_label"),
        ]);
    }

    #[test]
    fn labels_are_whole() {
        assert_eq!(read("Verdict: 10", &["1", "10", "-1"]).0.as_deref(), Some("10"));
        assert_eq!(read("Verdict: -1", &["1", "10", "-1"]).0.as_deref(), Some("-1"));
        assert_eq!(read("Verdict: 1.5", &["1", "5"]).0, None);
        assert_eq!(read("Verdict: C+", &["C", "C+"]).0.as_deref(), Some("C+"));
        assert_eq!(read("Verdict: C+", &["C", "D"]).0, None);
        assert_eq!(
            read("A is good, B is not.\n[[B]]", &["[[A]]", "[[B]]"]).0.as_deref(),
            Some("[[B]]")
        );
        assert_eq!(
            read("Verdict: NOT_SUPPORTED", &["supported", "not supported"]).0.as_deref(),
            Some("not supported")
        );
        assert_eq!(read("Verdict: NOT_SUPPORTED", &["supported", "refuted"]).0, None);
        assert_eq!(
            read("Yes, it does; there is no doubt.", &["yes", "no"]).0.as_deref(),
            Some("yes")
        );
        let stances = ["supported", "not supported", "yes"];
        assert_eq!(read("Verdict: so not supported yes", &stances).2, "several");
        assert_eq!(read("ВЕРНО", &["верно", "неверно"]).0.as_deref(), Some("верно"));
        assert_eq!(Labels::new([]).err(), Some(LabelsError::Missing));
        assert_eq!(Labels::new([("--", 0)]).err(), Some(LabelsError::Empty("--".into())));
        let twice = Labels::new([("not ok", 0), ("NOT-OK", 1)]).err();
        assert_eq!(twice, Some(LabelsError::Duplicate("not ok".into(), "NOT-OK".into())));
    }
}
