//! `answer_word`: the option of a closed set that a reply commits to.
//!
//! # Strict
//! Options are found as whole tokens, folded for case, the longest first; a hyphen joins a word
//! (`Ana-Maria` is not Ana), a possessive does not change it. What counts as an answer is
//! decided as for numbers, except that a sentence needs no verb: `Ana`, `(Ana)`, `Ana's`,
//! `\text{Ana}`, `The manager is Ana.`, `Ana, not Ben` and `Ana (Ben is the designer)` are Ana.
//! `Ana or Ben`, `Ana, Ben`, `Ana (Ben)` and `Probably Ana` are ambiguous. `Not Ben` and
//! `Unable to say whether Ana or Ben` abstain. An option that is itself a word such as *no*,
//! *none* or *may* is one only where it stands alone: `No.`, `The answer is no`.
//!
//! # Harness dialects
//! The last place where a letter follows the marker and its wrappers; its run of letters and
//! slashes must equal an option, in any case.

use super::answer::{
    Dialect, Markers, Reading, Status, harness_places, payload, skip_harness_wrappers,
};
use super::chars::{fold, is_invisible, is_python_space, plain};
use super::clause::{Clause, Verdict, speaks, states, valueless};
use super::lexer::{Kind, Lexer, Token};
use std::collections::HashMap;

/// Why a set of options cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionsError {
    /// There is no option at all.
    Missing,
    /// This option holds no word.
    Empty(String),
    /// These two options cannot be told apart.
    Duplicate(String, String),
}

/// A compiled closed set of options.
#[derive(Clone, Debug)]
pub struct Options {
    /// Tokens of each option.
    pieces: Vec<Vec<String>>,
    /// Options that begin with a token, those of most tokens first.
    by_first: HashMap<String, Vec<usize>>,
    /// Lower-cased as the harness does it.
    lowered: Vec<String>,
    /// Letters and digits that each option begins with.
    heads: Vec<String>,
    /// A quick look at an answer cannot rule these options out.
    subtle: bool,
}

/// More options than a quick look compares one by one.
const FEW: usize = 16;

impl Options {
    /// Compiles options; a reading names one by its position.
    ///
    /// # Errors
    /// Without any option, when one holds no word, or when two cannot be told apart.
    pub fn new<'a>(options: impl IntoIterator<Item = &'a str>) -> Result<Self, OptionsError> {
        let names: Vec<&str> = options.into_iter().collect();
        if names.is_empty() {
            return Err(OptionsError::Missing);
        }
        let mut pieces: Vec<Vec<String>> = Vec::with_capacity(names.len());
        let mut seen: HashMap<Vec<String>, &str> = HashMap::new();
        let mut by_first: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, &name) in names.iter().enumerate() {
            let tokens: Vec<String> =
                Lexer::new(name, true).filter(is_piece).map(|token| piece(&token)).collect();
            let Some(first) = tokens.first() else {
                return Err(OptionsError::Empty(name.to_owned()));
            };
            if let Some(other) = seen.insert(tokens.clone(), name) {
                return Err(OptionsError::Duplicate(other.to_owned(), name.to_owned()));
            }
            by_first.entry(first.clone()).or_default().push(index);
            pieces.push(tokens);
        }
        for indices in by_first.values_mut() {
            indices.sort_by_key(|&index| std::cmp::Reverse(pieces.get(index).map_or(0, Vec::len)));
        }
        let lowered = names.iter().map(|name| name.to_lowercase()).collect();
        let heads: Vec<String> = by_first
            .keys()
            .map(|first| {
                first.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("").to_owned()
            })
            .collect();
        let subtle = heads.len() > FEW
            || heads.iter().any(|head| {
                !head.is_ascii() || !head.starts_with(|c: char| c.is_ascii_alphabetic())
            });
        Ok(Self { pieces, by_first, lowered, heads, subtle })
    }

    /// Whether an answer may name an option; cheap, and never wrong when it says no.
    fn may_be_in(&self, text: &str) -> bool {
        self.subtle
            || text.contains(|c: char| !c.is_ascii() && (c.is_alphanumeric() || is_invisible(c)))
            || text
                .split(|c: char| !c.is_ascii_alphanumeric())
                .any(|run| self.heads.iter().any(|head| head.eq_ignore_ascii_case(run)))
    }

    /// The option that is all there is, emphasis and a full stop aside.
    fn bare(&self, text: &str) -> Option<(usize, std::ops::Range<usize>)> {
        let word = text.trim_matches(['*', ' ', '.']);
        if !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        let index = self.pieces.iter().take(FEW).position(|pieces| match pieces.as_slice() {
            [piece] => piece.eq_ignore_ascii_case(word),
            _ => false,
        })?;
        let start = text.len() - text.trim_start_matches(['*', ' ', '.']).len();
        Some((index, start..start + word.len()))
    }

    /// The option that begins with this token, and how many tokens it takes.
    fn at(&self, tokens: &[Token<'_>], words: &[String]) -> Option<(usize, usize)> {
        let candidates = self.by_first.get(words.first()?)?;
        candidates.iter().find_map(|&index| {
            let pieces = self.pieces.get(index)?;
            let fits = words.get(..pieces.len())? == pieces.as_slice()
                && tokens.get(..pieces.len())?.iter().all(is_piece);
            fits.then_some((index, pieces.len()))
        })
    }
}

fn is_piece(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Word | Kind::Number(_) | Kind::Unreadable | Kind::Clock => true,
        Kind::Currency => token.text.contains(char::is_alphabetic),
        _ => false,
    }
}

/// The form in which a token is compared.
fn piece(token: &Token<'_>) -> String {
    if let Kind::Number(value) = token.kind {
        return value.to_string();
    }
    let folded: String =
        token.text.chars().filter(|&c| !is_invisible(c)).map(plain).flat_map(fold).collect();
    match folded.strip_suffix("'s") {
        Some(owner) => owner.to_owned(),
        None => folded,
    }
}

/// The option that a reply commits to, by its position.
///
/// The harness dialects look for `ANSWER` whatever the markers are.
#[must_use]
pub fn answer_word(
    reply: &str,
    markers: &Markers,
    options: &Options,
    dialect: Dialect,
) -> Reading<usize> {
    match dialect {
        Dialect::Strict => strict(reply, markers, options),
        Dialect::ReclaimEval => harness(reply, options, skip_harness_wrappers),
        Dialect::ReclaimEvalLoose => {
            harness(reply, options, |text| text.trim_start_matches(is_python_space))
        }
    }
}

fn strict(reply: &str, markers: &Markers, options: &Options) -> Reading<usize> {
    let payload = match payload(reply, markers) {
        Ok(payload) => payload,
        Err(rule) => return Reading::none(Status::Unparsed, rule),
    };
    if let Some((index, span)) = options.bare(payload.text) {
        return Reading::read(
            index,
            span.start + payload.start..span.end + payload.start,
            "marker",
        );
    }
    if !options.may_be_in(payload.text) {
        let (status, rule) = valueless(payload.text);
        return Reading::none(status, rule);
    }
    let raw: Vec<Token<'_>> = Lexer::new(payload.text, payload.spaced).collect();
    let words: Vec<String> = raw
        .iter()
        .map(|token| if is_piece(token) { piece(token) } else { String::new() })
        .collect();
    let mut tokens: Vec<Token<'_>> = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(&token) = raw.get(at) {
        let found = options
            .at(raw.get(at..).unwrap_or_default(), words.get(at..).unwrap_or_default())
            .filter(|&(_, taken)| taken > 1 || !speaks(token.text) || alone(&raw, at));
        let Some((index, taken)) = found else {
            tokens.push(token);
            at += 1;
            continue;
        };
        let end = raw.get(at + taken - 1).map_or(token.end, |last| last.end);
        tokens.push(Token { kind: Kind::Choice(index), end, ..token });
        at += taken;
    }
    let clause =
        Clause { text: payload.text, tokens: &tokens, prose: !payload.continued, choices: true };
    match clause.read() {
        Verdict::Read(at, rule) => match tokens.get(at) {
            Some(&Token { kind: Kind::Choice(index), start, end, .. }) => {
                Reading::read(index, start + payload.start..end + payload.start, rule)
            }
            _ => Reading::none(Status::Ambiguous, rule),
        },
        Verdict::Not(status, rule) => Reading::none(status, rule),
    }
}

/// Whether no word leans on the one at this place.
fn alone(tokens: &[Token<'_>], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).filter(|token| token.kind == Kind::Word);
    word(at + 1).is_none()
        && at.checked_sub(1).and_then(word).is_none_or(|before| states(before.text))
}

/// The last place where the harness's pattern of a word matches.
fn harness(reply: &str, options: &Options, dress: impl Fn(&str) -> &str) -> Reading<usize> {
    let found = harness_places(reply).find_map(|(_, text)| {
        let text = dress(text);
        text.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(text)
    });
    let Some(text) = found else {
        return Reading::none(Status::Unparsed, "no_match");
    };
    let start = reply.len() - text.len();
    let rest = text.trim_start_matches(|c: char| c == '/' || c.is_ascii_alphabetic());
    let word = text.get(..text.len() - rest.len()).unwrap_or_default();
    match options.lowered.iter().position(|option| option.eq_ignore_ascii_case(word)) {
        Some(index) => Reading::read(index, start..start + word.len(), "marker"),
        None => Reading::none(Status::Unparsed, "no_option"),
    }
}
