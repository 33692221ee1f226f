//! What every scorer of a committed answer shares: dialects, the shape of a reading, and
//! where the answer of a reply begins.
//!
//! # Markers in the strict dialect
//! * A marker is a whole word, in any case, followed by a colon (`:` or `：`); markup such as
//!   `**`, backticks, quotes or brackets may stand before it, after it, or around the colon.
//! * One of another answer is none: *previous answer:*, *wrong answer:*.
//! * A marker that ends in a sign, such as `####`, needs no colon.
//! * The last marker of the reply counts, also when nothing can be read after it: an
//!   abstention cancels an earlier answer. Or the first one, where a model runs on into a question
//!   of its own making.
//! * The answer is the rest of the marker's line. When that holds only markup, it is the next
//!   line that holds more than markup; prose on such a line is never an answer.
//! * Of a longer line the first 1,024 bytes are read.

use super::chars::{self, decomposed, fold, folded, is_invisible, is_python_space, plain};
use super::lexicon::{OTHER_LABELS, Role, role};
use memchr::memmem::{Finder, FinderRev};
use memchr::{memchr_iter, memchr2, memchr2_iter, memrchr2};
use std::ops::Range;

/// Longest stretch of a line that is read as an answer.
pub(super) const WINDOW: usize = 1024;

/// How sure a reading is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// One value, committed.
    Read,
    /// Values are named, but none is committed alone; or a fallback had several to choose from.
    Ambiguous,
    /// The reply declines: a refusal, a negation, a placeholder.
    Abstained,
    /// No marker, nothing after it, or something that is no value of this kind.
    Unparsed,
    /// The reply ends in the middle of what would be read.
    Truncated,
}

impl Status {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 5] =
        ["read", "ambiguous", "abstained", "unparsed", "truncated"];

    /// Name of the status.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Ambiguous => "ambiguous",
            Self::Abstained => "abstained",
            Self::Unparsed => "unparsed",
            Self::Truncated => "truncated",
        }
    }
}

impl From<Status> for &'static str {
    fn from(status: Status) -> Self {
        status.as_str()
    }
}

/// What a scorer made of a reply.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading<T, S = Status> {
    /// The committed value.
    pub value: Option<T>,
    /// Where it stands in the reply, in bytes.
    pub span: Option<Range<usize>>,
    /// Name of the rule that decided.
    pub rule: &'static str,
    /// How sure the reading is.
    pub status: S,
}

impl<T> Reading<T> {
    pub(super) const fn none(status: Status, rule: &'static str) -> Self {
        Self { value: None, span: None, rule, status }
    }

    pub(super) const fn read(value: T, span: Range<usize>, rule: &'static str) -> Self {
        Self { value: Some(value), span: Some(span), rule, status: Status::Read }
    }
}

/// Whose rules decide what a reply says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// What a careful reader would read.
    Strict,
    /// The reclaim evaluation's corrected scorer.
    ReclaimEval,
    /// The reclaim evaluation's first scorer.
    ReclaimEvalLoose,
}

impl Dialect {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 3] = ["strict", "reclaim-eval", "reclaim-eval-loose"];

    /// The dialect of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "strict" => Self::Strict,
            "reclaim-eval" => Self::ReclaimEval,
            "reclaim-eval-loose" => Self::ReclaimEvalLoose,
            _ => return None,
        })
    }
}

/// Which of several places counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// The first one.
    First,
    /// The last one.
    Last,
}

impl Which {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 2] = ["first", "last"];

    /// The choice of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "first" => Self::First,
            "last" => Self::Last,
            _ => return None,
        })
    }
}

/// Why a set of markers cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MarkerError {
    /// There is no marker at all.
    Missing,
    /// This marker holds nothing to look for.
    Empty(String),
}

/// Compiled marker words, and which of those in a reply counts. The strict dialect looks for
/// these; the harness dialects always look for `ANSWER`.
#[derive(Clone, Debug)]
pub struct Markers {
    words: Vec<MarkerWord>,
    signs: Vec<Sign>,
    which: Which,
    /// The ASCII letters and digits that a word may end in, in either case.
    endings: [bool; 128],
}

#[derive(Clone, Debug)]
enum MarkerWord {
    Ascii(Box<str>, Tail),
    /// Folded, inner white space collapsed to one blank.
    Folded(Vec<char>),
}

/// A marker that ends in a sign, such as `####`.
#[derive(Clone, Debug)]
struct Sign {
    first: char,
    forward: Finder<'static>,
    backward: FinderRev<'static>,
}

impl Default for Markers {
    fn default() -> Self {
        let mut markers = Self::none(Which::Last);
        markers.push_word(MarkerWord::ascii("ANSWER"));
        markers
    }
}

impl Markers {
    /// Compiles markers; a trailing colon and outer white space are not part of one.
    ///
    /// # Errors
    /// Without any marker, or when one is empty.
    pub fn new(markers: &[String], which: Which) -> Result<Self, MarkerError> {
        if markers.is_empty() {
            return Err(MarkerError::Missing);
        }
        let mut compiled = Self::none(which);
        for marker in markers {
            let bare = marker.trim().trim_end_matches([':', '：']).trim_end();
            let (Some(first), Some(last)) = (bare.chars().next(), bare.chars().next_back()) else {
                return Err(MarkerError::Empty(marker.clone()));
            };
            if !last.is_alphanumeric() {
                compiled.signs.push(Sign {
                    first,
                    forward: Finder::new(bare).into_owned(),
                    backward: FinderRev::new(bare).into_owned(),
                });
            } else if bare.bytes().all(|b| b.is_ascii_alphanumeric()) {
                compiled.push_word(MarkerWord::ascii(bare));
            } else {
                let parts: Vec<&str> = bare.split_whitespace().collect();
                // As it is spelled with composed letters, and with combining marks apart.
                let composed = folded(&parts.join(" "));
                let apart = decomposed(&composed);
                if apart != composed {
                    compiled.push_word(MarkerWord::Folded(apart.chars().collect()));
                }
                compiled.push_word(MarkerWord::Folded(composed.chars().collect()));
            }
        }
        Ok(compiled)
    }

    const fn none(which: Which) -> Self {
        Self { words: Vec::new(), signs: Vec::new(), which, endings: [false; 128] }
    }

    fn push_word(&mut self, word: MarkerWord) {
        let last = match &word {
            MarkerWord::Ascii(word, _) => word.chars().next_back(),
            MarkerWord::Folded(word) => word.last().copied(),
        };
        for same in last.into_iter().flat_map(|c| [c.to_ascii_lowercase(), c.to_ascii_uppercase()])
        {
            if let Some(slot) = self.endings.get_mut(same as usize) {
                *slot = true;
            }
        }
        self.words.push(word);
    }

    /// Where the text behind the marker that counts begins.
    pub(super) fn find(&self, reply: &str) -> Option<usize> {
        let word = if self.words.is_empty() { None } else { self.find_word(reply) };
        if self.signs.is_empty() {
            return word;
        }
        let signs = self.signs.iter().filter_map(|sign| sign.find(reply, self.which));
        match self.which {
            Which::First => signs.chain(word).min(),
            Which::Last => signs.chain(word).max(),
        }
    }

    fn find_word(&self, reply: &str) -> Option<usize> {
        let bytes = reply.as_bytes();
        // 0xEF opens the full-width colon.
        match self.which {
            Which::First => {
                memchr2_iter(b':', 0xEF, bytes).find_map(|colon| self.word_before(reply, colon))
            }
            Which::Last => {
                let mut end = bytes.len();
                while let Some(colon) = memrchr2(b':', 0xEF, bytes.get(..end)?) {
                    let found = self.word_before(reply, colon);
                    if found.is_some() {
                        return found;
                    }
                    end = colon;
                }
                None
            }
        }
    }

    /// Where the text behind this colon begins, if a marker word stands before it.
    fn word_before(&self, reply: &str, colon: usize) -> Option<usize> {
        let bytes = reply.as_bytes();
        let before = *bytes.get(colon.checked_sub(1)?)?;
        // Most colons are told at one glance not to be a marker's.
        if before.is_ascii_alphanumeric() && !*self.endings.get(usize::from(before))? {
            return None;
        }
        if bytes.get(colon) == Some(&b':') {
            let head = bytes.get(..colon)?;
            let end = last_eight(head);
            if self.words.iter().any(|word| word.opens_line(head, end)) {
                return Some(colon + 1);
            }
        }
        let width = match reply.get(colon..)?.chars().next()? {
            mark @ (':' | '：') => mark.len_utf8(),
            _ => return None,
        };
        let head = reply.get(..colon)?.trim_end_matches(closes_marker);
        self.words.iter().any(|word| word.ends(head)).then_some(colon + width)
    }
}

/// What may stand between a marker and its colon.
fn closes_marker(c: char) -> bool {
    matches!(
        c,
        '*' | '_' | '`' | '\'' | '"' | '’' | '”' | ')' | ']' | '}' | '>' | '»' | '」' | '】'
    ) || (c.is_whitespace() && !matches!(c, '\n' | '\r'))
        || is_invisible(c)
}

impl MarkerWord {
    fn ascii(word: &str) -> Self {
        Self::Ascii(word.into(), Tail::of(word))
    }

    /// The usual case: whether a text, which ends in these bytes, ends in this word and, emphasis
    /// aside, its last line begins so. Then no word before it can disown it.
    fn opens_line(&self, text: &[u8], end: u64) -> bool {
        let Self::Ascii(word, tail) = self else { return false };
        if !tail.ends(end) {
            return false;
        }
        let Some((head, whole)) = text.len().checked_sub(word.len()).map(|at| text.split_at(at))
        else {
            return false;
        };
        (word.len() <= 8 || whole.eq_ignore_ascii_case(word.as_bytes()))
            && head
                .iter()
                .rfind(|byte| !matches!(byte, b' ' | b'*' | b'_'))
                .is_none_or(|before| *before == b'\n')
    }

    /// Whether the text ends in this word, whole.
    fn ends(&self, text: &str) -> bool {
        let (start, first) = match self {
            Self::Ascii(word, _) => {
                let Some(start) = text.len().checked_sub(word.len()) else {
                    return false;
                };
                let tail = text.as_bytes().get(start..).unwrap_or_default();
                if !tail.eq_ignore_ascii_case(word.as_bytes()) {
                    return false;
                }
                (start, None)
            }
            Self::Folded(word) => match ends_folded(text, word) {
                Some(start) => (start, word.first()),
                None => return false,
            },
        };
        let head = text.get(..start).unwrap_or_default();
        // Scripts without spaces have no word edges to look for.
        (first.is_some_and(|&c| matches!(c, '\u{e00}'..='\u{eff}' | '\u{2e80}'..))
            || !head.ends_with(char::is_alphanumeric))
            && !disowned(head)
    }
}

/// The end of a word of ASCII letters and digits, at most eight of them, in any case.
#[derive(Clone, Copy, Debug)]
struct Tail {
    lower: u64,
    /// The bits that tell the case of a letter.
    case: u64,
    /// The bytes that the word has.
    held: u64,
}

impl Tail {
    fn of(word: &str) -> Self {
        let bits = |of: fn(u8) -> u8| last_eight(&word.bytes().map(of).collect::<Vec<u8>>());
        Self {
            lower: bits(|byte| byte.to_ascii_lowercase()),
            case: bits(|byte| if byte.is_ascii_alphabetic() { 0x20 } else { 0 }),
            held: bits(|_| 0xff),
        }
    }

    fn ends(self, text: u64) -> bool {
        (text & self.held) | self.case == self.lower
    }
}

/// The last bytes of a text, zeros before its first.
fn last_eight(text: &[u8]) -> u64 {
    match text.last_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => text.iter().fold(0, |bytes, byte| bytes >> 8 | u64::from(*byte) << 56),
    }
}

/// Whether the word before a marker makes it one of another answer: "wrong answer:".
fn disowned(head: &str) -> bool {
    let head = head.trim_end_matches([' ', '*', '_']);
    let word = head.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    if word.is_empty() {
        return false;
    }
    matches!(role(word), Role::Earlier | Role::Wrong | Role::Not) || OTHER_LABELS.holds(word)
}

/// Start of the folded word at the end of a text.
fn ends_folded(text: &str, word: &[char]) -> Option<usize> {
    let mut wanted = word.iter().rev().peekable();
    let mut chars = text.char_indices().rev().peekable();
    let mut start = text.len();
    while let Some(&&want) = wanted.peek() {
        let (at, c) = chars.next()?;
        start = at;
        if want == ' ' {
            if !c.is_whitespace() {
                return None;
            }
            wanted.next();
            while let Some(&(at, _)) = chars.peek().filter(|(_, c)| c.is_whitespace()) {
                start = at;
                chars.next();
            }
            continue;
        }
        for folded in fold(plain(c)).rev() {
            if wanted.next() != Some(&folded) {
                return None;
            }
        }
    }
    Some(start)
}

impl Sign {
    /// Where the text behind the sign that counts begins; a longer run of the sign's own first
    /// character is another sign.
    fn find(&self, reply: &str, which: Which) -> Option<usize> {
        let bytes = reply.as_bytes();
        let length = self.forward.needle().len();
        let (mut from, mut end) = (0, bytes.len());
        loop {
            let at = match which {
                Which::First => from + self.forward.find(bytes.get(from..)?)?,
                Which::Last => self.backward.rfind(bytes.get(..end)?)?,
            };
            let rest = reply.get(at + length..).unwrap_or_default();
            let before = reply.get(..at).and_then(|head| head.chars().next_back());
            if before != Some(self.first) && !rest.starts_with(self.first) {
                let text = rest.trim_start_matches(closes_marker);
                let text = text.strip_prefix([':', '：']).unwrap_or(rest);
                return Some(reply.len() - text.len());
            }
            (from, end) = (at + 1, (at + length).checked_sub(1)?);
        }
    }
}

/// The text that should hold the answer.
pub(super) struct Payload<'a> {
    pub(super) text: &'a str,
    /// The lines behind its line.
    pub(super) after: &'a str,
    /// Where it begins in the reply.
    pub(super) start: usize,
    /// It stands on a later line than its marker.
    pub(super) continued: bool,
    /// It is set off from its marker by white space.
    pub(super) spaced: bool,
}

impl<'a> Payload<'a> {
    /// A text that is nothing but the answer.
    pub(super) fn of(text: &'a str) -> Self {
        Self { text: window(text), after: "", start: 0, continued: false, spaced: true }
    }
}

/// The payload behind the marker that counts, or the rule that says why there is none.
pub(super) fn payload<'a>(reply: &'a str, markers: &Markers) -> Result<Payload<'a>, &'static str> {
    payload_from(reply, markers.find(reply).ok_or("no_marker")?)
}

/// The payload behind a marker that ends here.
pub(super) fn payload_from(reply: &str, mut start: usize) -> Result<Payload<'_>, &'static str> {
    let rest = reply.get(start..).unwrap_or_default();
    let blanks = rest.bytes().take_while(|&byte| byte == b' ').count();
    let answer = rest.get(blanks..).unwrap_or_default();
    // The usual case: the answer begins behind blanks, perhaps in dress.
    let dress = |byte: &u8| matches!(byte, b'*' | b'<' | b'$' | b'(' | b'[' | b'"');
    if answer.bytes().find(|byte| !dress(byte)).is_some_and(|byte| byte.is_ascii_alphanumeric()) {
        let end = memchr2(b'\n', b'\r', answer.as_bytes()).unwrap_or(answer.len());
        let (text, after) = answer.split_at_checked(end).unwrap_or_default();
        return Ok(Payload {
            text: window(text),
            after,
            start: start + blanks,
            continued: false,
            spaced: blanks > 0,
        });
    }
    let mut continued = false;
    loop {
        let rest = reply.get(start..).unwrap_or_default();
        let end = memchr2(b'\n', b'\r', rest.as_bytes());
        let line = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
        if !is_markup(line) {
            let mut text = line.trim_start();
            if continued {
                text = text.trim_start_matches(['>', ' ']);
            }
            let spaced = continued || text.len() < line.len();
            let start = start + line.len() - text.len();
            let after = rest.get(line.len()..).unwrap_or_default();
            return Ok(Payload { text: window(text), after, start, continued, spaced });
        }
        start += end.ok_or("empty")? + 1;
        continued = true;
    }
}

/// Whether a line holds nothing but markup: no letter, digit or sentence sign.
fn is_markup(line: &str) -> bool {
    if let Some(language) = line.trim_start().strip_prefix("```")
        && language.trim_end().bytes().all(|b| b.is_ascii_alphanumeric())
        && !language.starts_with(|c| chars::digit(c).is_some())
    {
        return true;
    }
    line.chars().all(|c| {
        c.is_whitespace()
            || is_invisible(c)
            || matches!(c, '*' | '_' | '`' | '$' | '"' | '\'' | '\\' | '|')
            || matches!(c, '[' | ']' | '(' | ')' | '{' | '}' | '<' | '>')
    })
}

/// The first whole words of a line that is too long to be an answer.
fn window(line: &str) -> &str {
    if line.len() <= WINDOW {
        return line;
    }
    let mut end = WINDOW;
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let cut = line.get(..end).unwrap_or_default();
    cut.rfind(char::is_whitespace).and_then(|end| cut.get(..end)).unwrap_or_default()
}

/// The harness's markers from left to right: where each begins, and the text after its colon.
pub(super) fn harness_places(reply: &str) -> impl DoubleEndedIterator<Item = (usize, &str)> {
    memchr_iter(b':', reply.as_bytes()).filter_map(|colon| {
        let before = reply.get(..colon)?.trim_end_matches(is_python_space).as_bytes();
        let marker = before.len().checked_sub(6)?;
        let found = before.get(marker..)?.eq_ignore_ascii_case(b"answer");
        if found { Some((marker, reply.get(colon + 1..)?)) } else { None }
    })
}

/// Skips what the harness allows between its marker and the value.
pub(super) fn skip_harness_wrappers(text: &str) -> &str {
    text.trim_start_matches(is_python_space)
        .trim_start_matches(['*', '_', '`', '\'', '"', '(', '['])
        .trim_start_matches(is_python_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(reply: &str, markers: &[&str]) -> Option<String> {
        behind(reply, markers, Which::Last)
    }

    fn behind(reply: &str, markers: &[&str], which: Which) -> Option<String> {
        let markers: Vec<String> = markers.iter().map(ToString::to_string).collect();
        let markers = Markers::new(&markers, which).expect("valid markers");
        payload(reply, &markers).ok().map(|payload| payload.text.to_owned())
    }

    #[test]
    fn markers_wear_any_dress() {
        for reply in [
            "ANSWER: 7",
            "answer:7",
            "**Answer:** 7",
            "**ANSWER**: 7",
            "`Answer`: 7",
            "## Answer : 7",
            "\"answer\": 7",
            "_ANSWER_： 7",
            "[ANSWER]:\u{a0}7",
            "Final answer: 7",
            "ANSWER\u{200b}: 7",
            "ANSWER:\n\n7",
            "**ANSWER:**\r\n\r\n7",
            "ANSWER:\n```text\n7\n```",
            "ANSWER: **\n> 7",
        ] {
            let text = after(reply, &["ANSWER"]).unwrap_or_default();
            assert_eq!(text.trim_start_matches(['*', ' ', '\u{a0}']), "7", "{reply:?}");
        }
    }

    #[test]
    fn only_whole_words_with_a_colon_are_markers() {
        for reply in ["ANSWERS: 7", "REANSWER: 7", "ANSWER 7", "answer, 7: 8", "é", ""] {
            assert_eq!(after(reply, &["ANSWER"]), None, "{reply:?}");
        }
    }

    #[test]
    fn markers_in_other_words_and_signs() {
        assert_eq!(after("RÉPONSE : 7", &["réponse:"]).as_deref(), Some("7"));
        assert_eq!(after("最终答案：7", &["答案"]).as_deref(), Some("7"));
        assert_eq!(after("My final   answer: 7", &["Final Answer"]).as_deref(), Some("7"));
        assert_eq!(after("#### 7", &["####"]).as_deref(), Some("7"));
        assert_eq!(after("##### 7", &["####"]), None);
        assert_eq!(after("#### 7\nAnswer: 8", &["####", "answer"]).as_deref(), Some("8"));
        assert_eq!(after("Answer: 8\n#### 7", &["####", "answer"]).as_deref(), Some("7"));
        let error = |markers: &[String]| Markers::new(markers, Which::Last).err();
        assert_eq!(error(&[" : ".into()]), Some(MarkerError::Empty(" : ".into())));
        assert_eq!(error(&[]), Some(MarkerError::Missing));
    }

    #[test]
    fn the_first_marker_or_the_last() {
        let both =
            |reply, markers| [Which::First, Which::Last].map(|which| behind(reply, markers, which));
        let texts = |first: &str, last: &str| [Some(first.to_owned()), Some(last.to_owned())];
        assert_eq!(both("#### 46\nQuestion: next\n#### 9", &["####"]), texts("46", "9"),);
        assert_eq!(both("##### 1 #### 2", &["####"]), texts("2", "2"));
        assert_eq!(both("#### 1 ##### 2", &["####"]), texts("1 ##### 2", "1 ##### 2"));
        assert_eq!(both("Answer: 1\nanswer： 2", &["ANSWER"]), texts("1", "2"));
        assert_eq!(both("#### 1\nAnswer: 2", &["answer", "####"]), texts("1", "2"));
        assert_eq!(both("Answer:\n1\nAnswer:\n", &["answer"]), [Some("1".to_owned()), None]);
        assert_eq!(both(": answers: 1", &["answer"]), [None, None]);
    }

    #[test]
    fn harness_places_come_from_both_ends() {
        let reply = "ANSWER: 1 my answer \n: 2 Answer;:";
        assert_eq!(
            harness_places(reply).collect::<Vec<_>>(),
            [(0, " 1 my answer \n: 2 Answer;:"), (13, " 2 Answer;:"),]
        );
        assert_eq!(harness_places(reply).next_back().map(|place| place.0), Some(13));
    }

    #[test]
    fn names_and_variants_agree() {
        for name in Dialect::NAMES {
            assert!(Dialect::parse(name).is_some());
        }
        assert_eq!(Dialect::parse("Strict"), None);
        let statuses = [
            Status::Read,
            Status::Ambiguous,
            Status::Abstained,
            Status::Unparsed,
            Status::Truncated,
        ];
        for (status, name) in statuses.into_iter().zip(Status::NAMES) {
            assert_eq!(status.as_str(), name);
        }
    }
}
