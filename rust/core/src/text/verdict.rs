//! `verdict`: the label of a closed set that a judge's reply decides for.
//!
//! # Labels
//! A label is found as whole tokens in any case, the longest first: `INCORRECT` is not CORRECT,
//! and neither is `semi-correct`, `not_correct` or the 1 of `-1` and `1.5`. Between the words of a
//! label blanks, hyphens and underscores are the same.
//!
//! # Scales
//! Of at least three labels that are numbers the largest is the top of a scale, and `4/5`, `4 out of 5`
//! and `4.0` are 4 of 5. A label with another scale, `4/10`, is not decided for.
//!
//! # Doubt
//! A label is not decided for when a negation, a hedge, *if* or a word that takes back or weighs
//! (*far*, *only*, *than*, *loser*) stands up to six words before it in the same clause (`not
//! correct`, `far from correct`, `none of it is correct`), when such a word stands behind it, alone
//! or after *but* or *by* (`correct, but not entirely`), or *is* (`A is worse than B`), or a
//! question mark, or a sentence of nothing else (`CORRECT. Not entirely.`), unless the label denies.
//! Nor is a label beside a sign that says the opposite (`❌ CORRECT`, `✅ INCORRECT`).
//! Nor is *no* where a word goes on with it. A label that itself says *not* or *partially* is found first, being longer.
//!
//! # Where it is read
//! 1. In the field, where an object of the reply has it: the label that the value begins with, or
//!    the only one that it names.
//! 2. Otherwise, behind the last `field:` or `<field>` in the text, in the same way.
//! 3. Otherwise, where the reply holds no object: a line or sentence that is nothing but a label,
//!    or a label that opens the reply and is set off by a comma or the like, or one in double
//!    brackets (`My verdict is [[A]]`); all such must agree.
//!    A colon sets off one with words behind it, if it is in capitals or denies (`Incorrect: …`), or
//!    the words are of the reply (`Correct: it …`): `Correct: 46` may tell what is right.
//! 4. Otherwise, behind a name of the verdict and a colon (`Final score: 4`, `My verdict is: A`,
//!    `Score (1-5): 4`); all such must agree.
//! 5. Otherwise, in its prose: labels that end a sentence of nothing but what names the verdict or
//!    the reply and a verb that states or judges (`The reply is correct`, `I judge it INCORRECT`);
//!    all such must agree, and so does a reply that does nothing but prefer a label (`A is better.`,
//!    `Response A wins`; but not `A is better than B`). A number needs a name of the verdict or a scale: `The total is 5` decides
//!    nothing.
//!
//! A label of another class that a later clause states takes back the one that was read in the
//! steps 1 to 4 (`CORRECT. Wait, INCORRECT`).

use super::answer::{Markers, Reading, payload};
use super::chars::{fold, is_invisible};
use super::json::{self, Field, Parse};
use super::lexicon::{List, Role, role};
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
    /// The largest of its labels that are numbers, where these make a scale.
    top: Option<u32>,
}

/// Fewer numbers make no scale: of the labels 1 and 2 `1/2` may name both.
const SCALE: usize = 3;

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
        let mut compiled =
            Self { all: Vec::new(), by_first: HashMap::new(), ascii: Vec::new(), top: None };
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
        let grades: Vec<u32> = labels.iter().filter_map(Label::grade).collect();
        compiled.top = grades.iter().max().copied().filter(|_| grades.len() >= SCALE);
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
            let point = if label.grade().is_some() { zeros(after) } else { 0 };
            let after = after.get(point..)?;
            let joined = (label.opening.is_empty() && joined_before(before, first.text))
                || (label.closing.is_empty() && joined_behind(after, last.text));
            (!joined).then_some((label, last.end + point))
        })
    }

    /// Where the scale ends that is named behind a label which is a number, and whether it is that
    /// of the labels: `4/5`, `4 out of 5`.
    fn scale(&self, label: &Label, text: &str, end: usize) -> Option<(usize, bool)> {
        let top = self.top.filter(|_| label.grade().is_some())?;
        let after = text.get(end..)?;
        let dress = |c: char| is_markup(c) || c == ' ';
        let rest = after.trim_start_matches(dress);
        let scale = if let Some(scale) = rest.strip_prefix(['/', '／']) {
            scale
        } else {
            let mut words = Words::new(rest);
            let first = words.next().filter(|word| word.start == 0)?;
            let of = if first.text.eq_ignore_ascii_case("out") { words.next()? } else { first };
            let apart = rest.get(first.end..of.start).is_none_or(|gap| gap.trim().is_empty());
            rest.get(of.end..).filter(|_| apart && of.text.eq_ignore_ascii_case("of"))?
        };
        let scale = scale.trim_start_matches(dress);
        let rest = scale.trim_start_matches(|c: char| c.is_ascii_digit());
        let named = scale.get(..scale.len() - rest.len())?;
        if named.is_empty() || rest.starts_with(|c: char| c.is_alphanumeric() || c == '/') {
            return None;
        }
        let rest = rest.get(zeros(rest)..)?;
        Some((text.len() - rest.len(), named.parse() == Ok(top)))
    }
}

impl Label {
    /// The number that the label is.
    fn grade(&self) -> Option<u32> {
        match self.words.as_slice() {
            [word] if self.opening.is_empty() && self.closing.is_empty() => word.parse().ok(),
            _ => None,
        }
    }
}

/// Length of the decimals behind a whole number that change nothing: `4.0`.
fn zeros(after: &str) -> usize {
    let Some(decimals) = after.strip_prefix('.') else { return 0 };
    let rest = decimals.trim_start_matches('0');
    let more = rest.starts_with(char::is_alphanumeric);
    if more || rest.len() == decimals.len() { 0 } else { after.len() - rest.len() }
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
    /// Its label has no letter, and no scale is named.
    figures: bool,
    doubted: bool,
    /// Doubted by what stands behind it.
    undone: bool,
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
    /// Where the last labels stand.
    recent: [Range<usize>; WINDOW],
}

impl<'a> Mentions<'a> {
    fn new(text: &'a str, labels: &'a Labels) -> Self {
        Self::within(Words::new(text), labels)
    }

    fn within(words: Words<'a>, labels: &'a Labels) -> Self {
        Self { words, labels, recent: Default::default() }
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
            let scale = self.labels.scale(label, text, end);
            let end = scale.map_or(end, |(end, _)| end);
            self.words.at = end;
            let span = word.start - label.opening.len()..end + label.closing.len();
            let other_scale = scale.is_some_and(|(_, own)| !own);
            let undone = undone(word, span.end, &self.words, self.labels);
            let doubted = undone
                || other_scale
                || doubted(text.get(..span.start)?, &self.recent)
                || asked(text.get(span.end..)?)
                || contradicted(text, &span);
            self.recent.rotate_right(1);
            self.recent[0] = span.clone();
            let letters = label.words.iter().any(|word| word.contains(char::is_alphabetic));
            let figures = scale.is_none() && !letters;
            return Some(Mention { class: label.class, span, figures, doubted, undone });
        }
    }
}

/// How many words before a label may take it back.
const WINDOW: usize = 6;
/// Words of degree.
static DEGREES: List = List::new(
    "\
    almost few half hardly largely less more mostly nearly nobody only partially partly semi some \
    somewhat",
);
/// Words that stand beside those in a sentence of nothing else.
static BESIDE_DEGREES: List = List::new(
    "\
    but completely entirely exactly fully in part quite really though totally well",
);
/// Words before a label that take it back, or say that it is the other one.
static AGAINST: List = List::new(
    "\
    anything fail failed fails false far loser losing nowhere problem than untrue weaker weakest \
    worse worst wrong",
);
/// What a label begins with that says yes, and that says no.
static POSITIVE: List = List::new(
    "\
    accept accepted accurate approved correct entailed good pass passed right supported true valid \
    yes",
);
static NEGATIVE: List = List::new(
    "\
    contradicted fail failed inaccurate no not refuted reject rejected unsupported",
);
/// What may stand beside a label in `Response A is the better one`.
static SIDES: List = List::new(
    "\
    answer assistant candidate model one option output reply response the",
);
static PRAISE: List = List::new("best better preferable preferred stronger superior winner");
static PRAISED: List = List::new("clearly definitely far much significantly slightly the");
/// Words that a sentence which decides is made of, beside those that name or state.
static AROUND: List = List::new(
    "\
    a actually an as claim clearly completely entirely final finally fully hence i indeed it my our \
    overall reply response simply so statement that the therefore this thus to wait we",
);
/// Names of what is judged.
static JUDGED: List = List::new("claim it model reply response statement");
/// Names of what a judge decides.
static NAMES: List = List::new(
    "\
    answer assessment classification conclusion decision grade judgement judgment label mark rating \
    score verdict winner",
);
/// Verbs that state or judge.
static STATES: List = List::new(
    "\
    are assign call choose consider deem find give grade is it's judge label mark pick rate that's",
);

/// Whether one of the last words of what stands before a label, in its clause, takes it back. The
/// words of the labels before it do not.
fn doubted(before: &str, labels: &[Range<usize>]) -> bool {
    let mut head = before;
    for back in 1..=WINDOW {
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
        let free = !labels.iter().any(|label| label.contains(&rest.len()));
        let weighed = DEGREES.holds(word) || AGAINST.holds(word);
        // INCORRECT may be torn apart.
        let torn = back == 1 && word.eq_ignore_ascii_case("in");
        if free && (contracted || taken_back || weighed || torn) {
            return true;
        }
        head = rest;
    }
    false
}

/// Whether what stands behind a label, at most after *but* or the like, takes it back, states
/// something of it (`A is worse`), or goes on with a label that is *no*.
fn undone(first: Word<'_>, end: usize, following: &Words<'_>, labels: &Labels) -> bool {
    let mut following = following.clone();
    let text = following.text;
    let mut last = end;
    for back in 0..3 {
        let Some(word) = following.next() else { return false };
        let gap = text.get(last..word.start).unwrap_or_default();
        if back == 0 && gap.contains(['.', '!', '。']) {
            return qualified(text.get(word.start..).unwrap_or_default(), first);
        }
        if gap.contains(|c| ends_sentence(c) || c == '?') || labels.at(word, &following).is_some() {
            return false;
        }
        let role_of = role(word.text);
        if back == 0 && matches!(role_of, Role::Copula | Role::Past) {
            return true;
        }
        if back == 0 && role(first.text) == Role::No && gap.chars().all(char::is_whitespace) {
            return !matches!(role_of, Role::And | Role::Or | Role::Because);
        }
        if matches!(role_of, Role::Not | Role::No | Role::Refusal | Role::Hedge)
            || DEGREES.holds(word.text)
        {
            // `CORRECT, not INCORRECT`
            let next = following.next().filter(|next| {
                let gap = text.get(word.end..next.start).unwrap_or_default();
                gap.chars().all(is_soft) && labels.at(*next, &following).is_some()
            });
            return next.is_none();
        }
        if !(role_of == Role::But || ["by", "though", "although"].contains(&&*folded(word.text))) {
            return false;
        }
        last = word.end;
    }
    false
}

/// Whether a sentence behind a label does nothing but weaken it: `CORRECT. Not entirely.` Behind a
/// label that denies it would only say so again.
fn qualified(sentence: &str, label: Word<'_>) -> bool {
    if matches!(role(label.text), Role::No | Role::Not | Role::Wrong) {
        return false;
    }
    let end = sentence.find(|c| ends_sentence(c) || c == '?').unwrap_or(sentence.len());
    let mut weakens = false;
    for word in Words::new(sentence.get(..end).unwrap_or_default()).take(WINDOW) {
        let degree = DEGREES.holds(word.text);
        let weak = degree || matches!(role(word.text), Role::Not | Role::Hedge);
        if !weak && !BESIDE_DEGREES.holds(word.text) {
            return false;
        }
        weakens |= weak;
    }
    weakens
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
    ) || TICKS.contains(&c)
        || CROSSES.contains(&c)
        || is_invisible(c)
}

/// Signs that say that something is right, and those that say that it is not.
const TICKS: [char; 6] = ['✅', '✔', '✓', '☑', '🗸', '👍'];
const CROSSES: [char; 10] = ['❌', '✘', '✗', '✖', '❎', '☒', '🚫', '⛔', '🗙', '👎'];

/// Whether a sign beside a label says the opposite of it: `❌ CORRECT`, `✅ INCORRECT`.
fn contradicted(text: &str, span: &Range<usize>) -> bool {
    let label = text.get(span.clone()).unwrap_or_default();
    let Some(word) = Words::new(label).next() else { return false };
    let against = if POSITIVE.holds(word.text) {
        CROSSES.as_slice()
    } else if NEGATIVE.holds(word.text) || role(word.text) == Role::Wrong {
        TICKS.as_slice()
    } else {
        return false;
    };
    let beside = |c: &char| is_markup(*c) || *c == ' ';
    let (before, after) = (text.get(..span.start), text.get(span.end..));
    before.unwrap_or_default().chars().rev().take_while(beside).any(|c| against.contains(&c))
        || after.unwrap_or_default().chars().take_while(beside).any(|c| against.contains(&c))
}

/// What all undoubted mentions agree on.
fn agreed(mentions: impl IntoIterator<Item = Mention>) -> Decision {
    let mut decision = Decision::None;
    for mention in mentions {
        if mention.undone {
            return Decision::Doubt;
        }
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
        Some(first) if taken_back(text, first.span.end, first.class, labels) => Decision::Several,
        Some(first) => Decision::Label(first.class, first.span),
        None => match agreed(Mentions::new(text, labels)) {
            Decision::Doubt => favoured(text, labels).unwrap_or(Decision::Doubt),
            decision => decision,
        },
    }
}

/// The label that a text does nothing but prefer: `A is better.`, `Response A wins`, `A is the better
/// answer`. A comparison with another, `A is better than B`, may be a part of the weighing.
fn favoured(text: &str, labels: &Labels) -> Option<Decision> {
    let dress = |c: char| {
        c.is_alphanumeric() || c.is_whitespace() || is_markup(c) || matches!(c, '.' | '!')
    };
    let end = text.trim_end().len();
    let text = text.get(..end).filter(|text| text.len() < 200 && text.chars().all(dress))?;
    let mut words = Words::new(text);
    let mut word = words.next()?;
    let (class, span) = loop {
        if let Some((label, end)) = labels.at(word, &words) {
            words.at = end;
            break (label.class, word.start..end);
        }
        if !SIDES.holds(word.text) {
            return None;
        }
        word = words.next()?;
    };
    let gap =
        |end: usize, start: usize| text.get(end..start).unwrap_or_default().contains(['.', '!']);
    let verb = words.next().filter(|verb| !gap(span.end, verb.start))?;
    if verb.text.eq_ignore_ascii_case("is") {
        let praise = words.find(|word| !PRAISED.holds(word.text))?;
        if !PRAISE.holds(praise.text) {
            return None;
        }
    } else if !verb.text.eq_ignore_ascii_case("wins") {
        return None;
    }
    if !words.all(|word| SIDES.holds(word.text)) {
        return None;
    }
    Some(Decision::Label(class, span))
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

/// Whether a later clause states a label of another class.
fn taken_back(text: &str, end: usize, class: usize, labels: &Labels) -> bool {
    let words = Words { text, at: end };
    Mentions::within(words, labels).any(|other| {
        let before = text.get(..other.span.start).unwrap_or_default();
        !other.doubted
            && other.class != class
            && closes(text.get(other.span.end..).unwrap_or_default())
            && Head::of(before, ends_clause).is_some()
    })
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
        let decision = match answered(payload.text, labels) {
            Decision::Label(class, span)
                if taken_back(reply, payload.start + span.end, class, labels) =>
            {
                Decision::Several
            }
            decision => decision,
        };
        return stated(decision, payload.start, "marker");
    }
    if found.rule == json::NO_FIELD {
        return none(Parse::Failed, found.rule);
    }
    let alone = Mentions::new(reply, labels)
        .filter(|mention| stands_alone(reply, mention) || bracketed(reply, mention));
    let opened = opening(reply, labels).filter(|first| {
        let rest = reply.get(first.span.end..).unwrap_or_default().trim_start_matches(is_markup);
        let explained = rest.strip_prefix(':').is_some_and(|rest| {
            let words = rest.trim_start_matches(|c: char| is_markup(c) || c.is_whitespace());
            words.starts_with(char::is_alphabetic)
                && (in_capitals(reply, first) || denies(reply, first) || judged(words))
        });
        explained
            || rest.starts_with([',', ';', '—', '–'])
            || rest.trim_start().starts_with(['-', '–', '—'])
    });
    match agreed(alone.chain(opened)) {
        Decision::None | Decision::Doubt => {}
        Decision::Label(class, span) if taken_back(reply, span.end, class, labels) => {
            return none(Parse::Conflict, "several");
        }
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
    let announced = Mentions::new(reply, labels).filter(|mention| announced(reply, mention));
    match agreed(announced) {
        Decision::None | Decision::Doubt => {}
        Decision::Label(class, span) if taken_back(reply, span.end, class, labels) => {
            return none(Parse::Conflict, "several");
        }
        decision => return stated(decision, 0, "prose"),
    }
    if let Some(decision) = favoured(reply, labels) {
        return stated(decision, 0, "prose");
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

/// Whether a label says that something is wrong.
fn denies(reply: &str, mention: &Mention) -> bool {
    let label = reply.get(mention.span.clone()).unwrap_or_default();
    Words::new(label).next().is_some_and(|word| role(word.text) == Role::Wrong)
}

/// Whether a sentence is about what is judged: `the reply …`, `it …`.
fn judged(sentence: &str) -> bool {
    let mut words = Words::new(sentence);
    let first = words.next().map_or("", |word| word.text);
    let of = ["the", "this", "its", "your"].iter().any(|of| first.eq_ignore_ascii_case(of));
    let subject = if of { words.next().map_or("", |word| word.text) } else { first };
    JUDGED.holds(subject)
}

fn in_capitals(reply: &str, mention: &Mention) -> bool {
    let label = reply.get(mention.span.clone()).unwrap_or_default();
    label.chars().filter(|c| c.is_uppercase()).nth(1).is_some()
        && !label.chars().any(char::is_lowercase)
}

/// Whether a label ends a clause, or only its reason or another judgement follows.
fn closes(after: &str) -> bool {
    let rest = after.trim_start_matches(|c: char| is_markup(c) || c == ' ');
    let next = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if next.is_empty() {
        return rest.is_empty()
            || rest.starts_with(['.', ',', ';', '!', '。', '\n', '\r', '-', '–', '—']);
    }
    matches!(role(next), Role::And | Role::Because)
}

/// What stands before a label in its sentence or clause, where every word is one of a judge.
#[derive(Default)]
struct Head<'a> {
    first: &'a str,
    named: bool,
    states: bool,
    /// The sign before it.
    behind: Option<char>,
}

impl<'a> Head<'a> {
    fn of(before: &'a str, ends: fn(char) -> bool) -> Option<Self> {
        let mut head = Self::default();
        let mut rest = before;
        for _ in 0..9 {
            rest = rest.trim_end_matches(|c: char| {
                !ends(c) && (c == ' ' || matches!(c, '*' | '_' | '`' | '#'))
            });
            head.behind = rest.chars().next_back();
            if head.behind.is_none_or(ends) {
                return Some(head);
            }
            let inside = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
            let left = rest.trim_end_matches(inside);
            let word = rest.get(left.len()..).unwrap_or_default();
            let (named, states) = (NAMES.holds(word), STATES.holds(word));
            if !(named || states || AROUND.holds(word)) {
                return None;
            }
            head.named |= named;
            head.states |= states;
            head.first = word;
            rest = left;
        }
        None
    }
}

/// Whether a label stands in double brackets, as judges of pairs are told to write it: `[[A]]`. What
/// goes on is the telling (`[[A]] if A is better`), but for another that is offered.
fn bracketed(reply: &str, mention: &Mention) -> bool {
    let before = reply.get(..mention.span.start).unwrap_or_default();
    let after = reply.get(mention.span.end..).unwrap_or_default();
    let decided = |after: &str| {
        let next = after.trim_start().split(|c: char| !c.is_alphanumeric()).next();
        closes(after) || role(next.unwrap_or_default()) == Role::Or
    };
    before.ends_with("[[") && after.strip_prefix("]]").is_some_and(decided)
}

/// Whether a label stands behind a name of the verdict and its colon: `Final score: 4`, `My verdict
/// is: A`, `Score (1-5): 4`. An answer in figures is that of the question.
fn announced(reply: &str, mention: &Mention) -> bool {
    let before = reply.get(..mention.span.start).unwrap_or_default();
    let after = reply.get(mention.span.end..).unwrap_or_default();
    let bare = before.trim_end_matches(|c| is_markup(c) || c == ' ');
    let Some(head) = bare.strip_suffix(':').map(without_scale) else { return false };
    let explained = after.trim_start_matches([' ', '*']).starts_with('(');
    let head = head.trim_end_matches(|c| is_markup(c) || c == ' ');
    let mut words = head.rsplit(|c: char| !c.is_alphabetic());
    let mut name = words.next().unwrap_or_default();
    if name.eq_ignore_ascii_case("is") {
        name = words.next().unwrap_or_default();
    }
    (explained || closes(after))
        && NAMES.holds(name)
        && !(mention.figures && name.eq_ignore_ascii_case("answer"))
        && Head::of(head, |c| ends_sentence(c) && c != ':').is_some()
}

/// A name without the scale in brackets behind it: `Score (1-5)`, `Rating (out of 10)`.
fn without_scale(head: &str) -> &str {
    /// The longest of these.
    const LONGEST: usize = 16;
    let dressed = head.trim_end_matches(['*', '_', ' ']);
    let Some(inner) = dressed.strip_suffix([')', ']']) else { return head };
    let of_scale = |c: char| matches!(c, ' ' | '-' | '–' | '/') || c.is_ascii_alphanumeric();
    let rest = inner.trim_end_matches(of_scale);
    let named = inner.get(rest.len()..).unwrap_or_default();
    let scale = |word: &str| {
        ["from", "of", "out", "to"].contains(&word) || word.bytes().all(|b| b.is_ascii_digit())
    };
    match rest.strip_suffix(['(', '[']) {
        Some(name) if named.len() <= LONGEST && Words::new(named).all(|word| scale(word.text)) => {
            name
        }
        _ => head,
    }
}

/// Whether prose decides for the label at this place.
fn claimed(reply: &str, mention: &Mention) -> bool {
    let ends = |c| ends_sentence(c) || matches!(c, '?' | ',' | '—');
    let before = reply.get(..mention.span.start).unwrap_or_default();
    let after = reply.get(mention.span.end..).unwrap_or_default();
    let Some(head) = Head::of(before.trim_end_matches(is_markup), ends) else { return false };
    let concludes = !matches!(head.behind, Some(',' | ':' | '—'))
        || matches!(role(head.first), Role::So)
        || ["therefore", "thus"].contains(&&*folded(head.first));
    head.states && concludes && (head.named || !mention.figures) && closes(after)
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
            ("My grade is: [[CORRECT]]", Some("CORRECT"), "repaired", "line"),
            ("[[CORRECT]] or [[INCORRECT]]", None, "conflict", "several"),
            ("Write [[CORRECT]] if it names 46.", None, "failed", "no_label"),
            ("The grade is: CORRECT (it names 46)", Some("CORRECT"), "repaired", "prose"),
            ("Grade (C/I): CORRECT", None, "failed", "no_label"),
            ("✅ CORRECT", Some("CORRECT"), "strict", "label"),
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
