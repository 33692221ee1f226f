//! `answer_word`: the option of a closed set that a reply commits to.
//!
//! # Strict
//! Options are found as whole tokens, folded for case, the longest first; a hyphen joins a word
//! (`Ana-Maria` is not Ana), a possessive does not change it, and letters with combining marks
//! equal composed ones. `Ana`, `(Ana)`, `Ana's`, `\text{Ana}`, `The manager is Ana.`, `Manager:
//! Ana`, `I'd choose Ana`, `Ana is the manager`, `Ana (based on the roster)`, `Ana, our manager`,
//! `Ana, not Ben`, `not Ben but Ana` and `Ana because Ben is out` are Ana. Beside an option only what is known to be harmless may
//! stand; any other word leaves a doubt: `Ben resigned`, `Ben's successor`, `formerly Ben`, `It
//! used to be Ben` and `Ana (Ben is the designer)` are ambiguous, as are
//! `Ana or Ben`, `Ana, Ben`, `Ana (Ben)` and `Probably Ana`. `Not Ben` and
//! `Unable to say whether Ana or Ben` abstain. An option that is itself a word such as *no*,
//! *none* or *may* is one only where it stands alone: `No.`, `The answer is no`.
//!
//! # Harness dialects
//! The last place where a letter follows the marker and its wrappers; its run of letters and
//! slashes must equal an option, in any case.

use super::answer::{
    Dialect, Markers, Payload, Reading, Status, harness_places, payload, skip_harness_wrappers,
};
use super::chars::{folded, is_invisible, is_mark, is_python_space};
use super::clause::{Clause, Values, valueless};
use super::glance;
use super::lexer::{Kind, Lexer, Token};
use super::lexicon::{Role, joins, role, speaks};
use super::retraction::{Answer, Reader, retracted, taken_back};
use memchr::memchr2;
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
    /// Tokens of each option; where other signs stand between two of them, these are left out.
    pieces: Vec<Vec<String>>,
    /// How many such signs stand together at most: one in "St. Louis", two in "Plan A: $50".
    signs: Vec<usize>,
    /// Options that begin with a token, those of most tokens first.
    by_first: HashMap<String, Vec<usize>>,
    /// Lower-cased as the harness does it.
    lowered: Vec<String>,
    /// The letters and digits that options begin with; nothing where one of them begins with
    /// something else than a letter of ASCII.
    heads: Option<Heads>,
}

/// What a quick look at an answer compares.
#[derive(Clone, Debug)]
struct Heads {
    words: Vec<String>,
    /// For each two first letters, a bit for each length that a head with them has.
    lengths: Vec<u32>,
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
        let mut signs = Vec::with_capacity(names.len());
        let mut seen: HashMap<Vec<String>, &str> = HashMap::new();
        let mut by_first: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, &name) in names.iter().enumerate() {
            let all: Vec<Token<'_>> = Lexer::new(name, true).collect();
            let last = all.iter().rposition(is_piece).unwrap_or(0);
            let inner = all.iter().take(last).skip_while(|token| !is_piece(token));
            let runs = inner.map(is_piece).collect::<Vec<_>>();
            let longest = runs.split(|piece| *piece).map(<[bool]>::len).max();
            signs.push(longest.unwrap_or(0));
            let tokens: Vec<String> =
                all.iter().filter(|token| is_piece(token)).map(piece).collect();
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
        let heads = Heads::new(by_first.keys());
        Ok(Self { pieces, signs, by_first, lowered, heads })
    }

    /// Whether an answer may name an option; cheap, and never wrong when it says no.
    fn may_be_in(&self, text: &str) -> bool {
        self.heads.as_ref().is_none_or(|heads| heads.may_be_in(text))
    }

    /// The option that is all there is, emphasis and a full stop aside.
    fn bare(&self, text: &str) -> Option<(usize, std::ops::Range<usize>)> {
        let naked = |byte: u8| !matches!(byte, b'*' | b' ' | b'.');
        let start = text.bytes().position(naked)?;
        let end = text.bytes().rposition(naked)? + 1;
        let word = text.get(start..end)?;
        if !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        let index = self.pieces.iter().take(FEW).position(|pieces| match pieces.as_slice() {
            [piece] => piece.eq_ignore_ascii_case(word),
            _ => false,
        })?;
        Some((index, start..end))
    }

    /// Whether a text only lists options, as an echoed template does: `yes/no`, `[Ana | Ben]`.
    fn echoed(&self, text: &str) -> bool {
        let inner = text.trim_matches(|c: char| !c.is_alphanumeric());
        if memchr2(b'/', b'|', inner.as_bytes()).is_none() {
            return false;
        }
        let mut named = inner.split(['/', '|']).map(|part| self.bare(part).map(|found| found.0));
        let first = named.next().flatten();
        let mut several = false;
        first.is_some()
            && named.all(|other| {
                several |= other != first;
                other.is_some()
            })
            && several
    }

    /// The tokens of a text, with options as choices.
    pub(super) fn tokens<'a>(&self, text: &'a str, spaced: bool) -> Vec<Token<'a>> {
        let raw: Vec<Token<'_>> = Lexer::new(text, spaced).collect();
        let words: Vec<String> = raw
            .iter()
            .map(|token| if is_piece(token) { piece(token) } else { String::new() })
            .collect();
        let mut tokens: Vec<Token<'_>> = Vec::with_capacity(raw.len());
        let mut at = 0;
        while let Some(&token) = raw.get(at) {
            let found = self
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
        tokens
    }

    /// The option that begins with this token, and how many tokens it takes.
    fn at(&self, tokens: &[Token<'_>], words: &[String]) -> Option<(usize, usize)> {
        let candidates = self.by_first.get(words.first()?)?;
        candidates.iter().find_map(|&index| {
            let pieces = self.pieces.get(index)?;
            let signs = self.signs.get(index).copied().unwrap_or(0);
            let mut at = 0;
            for piece in pieces {
                let between = tokens.iter().skip(at).take(if at > 0 { signs } else { 0 });
                at += between.take_while(|token| !is_piece(token)).count();
                if words.get(at) != Some(piece) || !tokens.get(at).is_some_and(is_piece) {
                    return None;
                }
                at += 1;
            }
            Some((index, at))
        })
    }
}

impl Heads {
    fn new<'a>(first: impl Iterator<Item = &'a String>) -> Option<Self> {
        let mut heads = Self { words: Vec::new(), lengths: vec![0; 32 * 32] };
        for first in first {
            let head = first.split(|c: char| !c.is_alphanumeric()).next()?;
            if !head.is_ascii() || !head.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return None;
            }
            *heads.lengths.get_mut(Self::place(head.as_bytes()))? |= length_bit(head.len());
            heads.words.push(head.to_owned());
        }
        Some(heads)
    }

    fn may_be_in(&self, text: &str) -> bool {
        glance::holds_word(text, |word| self.holds(word))
            || !text.is_ascii()
                && text.contains(|c: char| {
                    // The dashes and quotes that prose is full of are none of these.
                    !c.is_ascii()
                        && !('\u{2010}'..='\u{2027}').contains(&c)
                        && (c.is_alphanumeric() || is_invisible(c) || is_mark(c))
                })
    }

    /// Where the lengths are of what begins with the same two letters, in any case.
    fn place(run: &[u8]) -> usize {
        let letter = |at: usize| run.get(at).map_or(0, |byte| usize::from(byte & 31));
        letter(0) * 32 + letter(1)
    }

    fn holds(&self, run: &[u8]) -> bool {
        self.lengths.get(Self::place(run)).is_some_and(|bits| bits & length_bit(run.len()) != 0)
            && self.words.iter().any(|head| head.as_bytes().eq_ignore_ascii_case(run))
    }
}

/// The bit of a length; all long ones share the last.
fn length_bit(length: usize) -> u32 {
    1 << length.min(31)
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
    if token.text.starts_with('&') {
        // An ampersand, or the entity of one.
        return "&".to_owned();
    }
    let folded = folded(token.text);
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

/// The value of [`answer_word`] alone, which most replies give at a glance.
#[must_use]
pub fn value(reply: &str, markers: &Markers, options: &Options, dialect: Dialect) -> Option<usize> {
    if dialect != Dialect::Strict {
        return answer_word(reply, markers, options, dialect).value;
    }
    let payload = payload(reply, markers).ok()?;
    match options.bare(payload.text) {
        Some((index, span)) => {
            let (text, value) = (payload.text.get(span)?, Kind::Choice(index));
            let answer = Answer { text, value, reader: Reader::Options(options) };
            (!taken_back(answer, payload.after)).then_some(index)
        }
        None if !options.may_be_in(payload.text) => None,
        None => committed(&payload, options).value,
    }
}

fn strict(reply: &str, markers: &Markers, options: &Options) -> Reading<usize> {
    match payload(reply, markers) {
        Ok(payload) => committed(&payload, options),
        Err(rule) => Reading::none(Status::Unparsed, rule),
    }
}

/// The option of a payload.
fn committed(payload: &Payload<'_>, options: &Options) -> Reading<usize> {
    let reading = on_line(payload, options);
    if let Some(index) = reading.value
        && retracted(payload, reading.span.as_ref(), Kind::Choice(index), Reader::Options(options))
    {
        return Reading::none(Status::Ambiguous, "retracted");
    }
    reading
}

/// The option of its line.
fn on_line(payload: &Payload<'_>, options: &Options) -> Reading<usize> {
    if let Some((index, span)) = options.bare(payload.text) {
        return Reading::read(
            index,
            span.start + payload.start..span.end + payload.start,
            "marker",
        );
    }
    if options.echoed(payload.text) {
        return Reading::none(Status::Ambiguous, "several");
    }
    if !options.may_be_in(payload.text) {
        let (status, rule) = valueless(payload.text);
        return Reading::none(status, rule);
    }
    let tokens = options.tokens(payload.text, payload.spaced);
    let clause = Clause {
        text: payload.text,
        tokens: &tokens,
        prose: !payload.continued,
        values: Values::Words,
    };
    clause.read().reading(&tokens, payload.start, Kind::choice)
}

/// Whether no word leans on the one at this place.
fn alone(tokens: &[Token<'_>], at: usize) -> bool {
    let free = |at: usize| {
        tokens.get(at).is_none_or(|token| token.kind != Kind::Word || joins(token.text))
    };
    let denied =
        |at: usize| at > 0 && tokens.get(at).is_some_and(|token| role(token.text) == Role::Not);
    free(at + 1) && at.checked_sub(1).is_none_or(|before| free(before) || denied(before))
}

/// The last match of the harness's pattern of a word. Matches are found from the left, since
/// one may take the marker of the next for its word.
fn harness(reply: &str, options: &Options, dress: impl Fn(&str) -> &str) -> Reading<usize> {
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let mut last = None;
    let mut taken = 0;
    for (marker, text) in harness_places(reply) {
        let text = dress(text);
        if marker < taken || !text.starts_with(is_letter) {
            continue;
        }
        let start = reply.len() - text.len();
        let rest = text.trim_start_matches(|c| c == '/' || is_letter(c));
        taken = reply.len() - rest.len();
        last = Some(start..taken);
    }
    let Some(span) = last else {
        return Reading::none(Status::Unparsed, "no_match");
    };
    let word = reply.get(span.clone()).unwrap_or_default();
    match options.lowered.iter().position(|option| option.eq_ignore_ascii_case(word)) {
        Some(index) => Reading::read(index, span, "marker"),
        None => Reading::none(Status::Unparsed, "no_option"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<'a>(answer: &str, options: &[&'a str]) -> (Option<&'a str>, Status) {
        let compiled = Options::new(options.iter().copied()).expect("valid options");
        let reply = format!("Ben, I said.\nANSWER: {answer}");
        let reading = answer_word(&reply, &Markers::default(), &compiled, Dialect::Strict);
        (reading.value.and_then(|index| options.get(index).copied()), reading.status)
    }

    const NAMES: [&str; 4] = ["Ana", "Ben", "Cleo", "New York"];

    #[test]
    fn one_option_in_any_dress() {
        for answer in [
            "Ana",
            "ana.",
            "**Ana**",
            "(Ana)",
            "<Ana>",
            "`Ana`",
            "“Ana”",
            "Ana's",
            "Ana’s turn",
            "\\text{Ana}",
            "$\\boxed{\\text{Ana}}$",
            "The manager is Ana.",
            "I choose Ana",
            "Ana is the manager",
            "Ana, not Ben",
            "Ana (not Ben)",
            "Ana (previously Ben)",
            "Ana Ana",
            "Ana, because Ben resigned",
            "Ana is the right manager",
            "So it's Ana",
            "Answer: Ana",
            "Ana because Ben is out",
            "Ana instead of Ben",
            "Ana. Ben is out.",
            "Ana is the one, not Ben",
            "- Ana",
            "Ａｎａ",
            "A\u{200b}na",
            "ANA!",
        ] {
            assert_eq!(read(answer, &NAMES), (Some("Ana"), Status::Read), "{answer}");
        }
        assert_eq!(read("It is new  york.", &NAMES), (Some("New York"), Status::Read));
    }

    #[test]
    fn several_doubtful_or_denied_options_are_none() {
        for answer in [
            "Ana or Ben",
            "Ana and Ben",
            "Ana, Ben",
            "Ana/Ben",
            "Ana (Ben)",
            "Ana (or Ben)",
            "Probably Ana",
            "I think Ana",
            "Ana is not it",
            "Ana. Wait, Ben",
            "Ana, but unverified",
            "whether Ana or Ben",
            "The earlier one was Ana",
            // What the remark says of Ben may be what was asked.
            "Ana (Ben is the designer)",
            "The manager is no longer Ben; it's Ana.",
            "It used to be Ben",
            "formerly Ben",
            "Ben no longer",
            "anyone but Ben",
            "someone other than Ben",
            "except Ben",
            "without Ben",
            "hardly Ben",
            "I doubt it's Ben",
            "Ben's successor",
            "successor of Ben",
            "Ben got replaced",
            "Ben was replaced",
            "Ben resigned",
            "Ben was the manager",
            "Ben, according to the old note",
            "Ben is the outgoing manager",
            "Ben is the one who resigned",
            "Ben is the former manager",
            "Ben was",
            "Ana isn't",
            "Ana isn't it",
            "Ben — sorry, Ana",
            "Ben - no, Ana",
            "Ben. Ana took over.",
            "Ben. He resigned.",
            "Ben. That is stale.",
            "Ben, until May",
            "Ben?",
            "❌ Ben",
            "~~Ben~~",
            "<s>Ben</s>",
            "Rumor is Ben",
            "Everyone says it is Ben",
            "Ben is the ex-manager",
            "Deputy: Ben",
            "It would be Ben",
            "last year Ben",
        ] {
            assert_eq!(read(answer, &NAMES), (None, Status::Ambiguous), "{answer}");
        }
        for answer in [
            "Not Ben",
            "nicht Ben",
            "不是 Ben",
            "non Ben",
            "n\u{200b}ot Ben",
            "Unable to say whether Ana or Ben",
            "It is not Ana",
            "<answer>",
            "N/A",
            "Unknown (Ana?)",
            "Neither Ana nor Ben",
        ] {
            assert_eq!(read(answer, &NAMES), (None, Status::Abstained), "{answer}");
        }
        for answer in ["Roger", "Ana-Maria", "Anabel", "York", "", "???"] {
            assert_eq!(read(answer, &NAMES), (None, Status::Unparsed), "{answer}");
        }
    }

    #[test]
    fn options_that_are_loud_words_stand_alone() {
        let yes_no = ["yes", "no"];
        for answer in ["No", "no.", "No, it fell.", "The answer is no", "No. It does not."] {
            assert_eq!(read(answer, &yes_no), (Some("no"), Status::Read), "{answer}");
        }
        assert_eq!(read("No information available", &yes_no), (None, Status::Abstained));
        assert_eq!(read("yes and no", &yes_no), (None, Status::Ambiguous));
        assert_eq!(read("It may be June", &["May", "June"]), (None, Status::Ambiguous));
        assert_eq!(read("Not enough data", &["not enough data", "x"]).0, Some("not enough data"));
    }

    #[test]
    fn options_of_numbers_and_signs() {
        assert_eq!(read("1000", &["1,000", "2,000"]).0, Some("1,000"));
        assert_eq!(read("34", &["3", "4"]), (None, Status::Unparsed));
        assert_eq!(read("C++", &["C", "C++", "C#"]).0, Some("C++"));
        assert_eq!(read("STRASSE", &["straße", "weg"]).0, Some("straße"));
        assert_eq!(read("dark red", &["red", "dark red"]).0, Some("dark red"));
    }

    #[test]
    fn sets_that_cannot_be_told_apart_are_refused() {
        let error = |options: &[&str]| Options::new(options.iter().copied()).err();
        assert_eq!(error(&[]), Some(OptionsError::Missing));
        assert_eq!(error(&["a", " ! "]), Some(OptionsError::Empty(" ! ".into())));
        let twice = OptionsError::Duplicate("Ana".into(), "ANA's".into());
        assert_eq!(error(&["Ana", "Ben", "ANA's"]), Some(twice));
    }

    #[test]
    fn harness_takes_the_last_match_whole() {
        let options = Options::new(NAMES).expect("valid options");
        let eval = |reply: &str| {
            answer_word(reply, &Markers::default(), &options, Dialect::ReclaimEval).value
        };
        assert_eq!(eval("ANSWER: **Ana** or so"), Some(0));
        assert_eq!(eval("ANSWER: ben\nANSWER: <x>"), Some(1));
        assert_eq!(eval("ANSWER: Ana\nANSWER: unable"), None);
        assert_eq!(eval("ANSWER: The manager is Ana"), None);
        assert_eq!(eval("ANSWER: Ana/Ben"), None);
        assert_eq!(eval("ANSWER: answer: Ana"), None);
        let loose =
            answer_word("ANSWER: (Ana", &Markers::default(), &options, Dialect::ReclaimEvalLoose);
        assert_eq!(loose.value, None);
    }
}
