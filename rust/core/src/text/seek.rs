//! Looks a few tokens up in a text without splitting all of it.
//!
//! A claim has about eight words and a note a hundred or more. Searching the lower-cased note
//! for each word, and looking at the edges only where it occurs, gives the same answers as
//! comparing all tokens, at several times the speed. Where it would not be the same, or not
//! linear, this module declines and the caller compares all tokens:
//! * many wanted tokens, a long one, or one beyond ASCII;
//! * a note so long that its copy would weigh, or with a letter or digit beyond ASCII that
//!   folds into ASCII (`ß`, the Kelvin sign, full-width digits);
//! * a place behind a combining mark, or inside a long run of letters, digits and marks, whose tokens are found only from
//!   the run's beginning.

use super::chars::fold;
use super::composed::beyond_ascii;
use super::tokens::{Token, is_inner, is_mark, possessive, tokens};
use memchr::memmem;

/// Most tokens that are looked up one by one.
const FEW: usize = 32;
/// Longest token that is looked up.
const LONGEST: usize = 64;
/// Longest text that is copied.
const COPIED: usize = 1 << 20;
/// How far back the beginning of a run is looked for.
const RUN: usize = 64;
/// Bytes behind a token that decide where it ends: a comma, three digits and one character.
const LOOKAHEAD: usize = 8;

/// A text, and itself in lower case.
pub(super) struct Text<'a> {
    text: &'a str,
    lower: &'a [u8],
}

/// Tokens to look for, folded and without thousands separators.
#[derive(Clone, Debug)]
pub(super) struct Needles(Vec<Needle<'static>>);

#[derive(Clone, Debug)]
struct Needle<'n> {
    finder: memmem::Finder<'n>,
    /// A number with its separators, which is the same token.
    grouped: Option<memmem::Finder<'static>>,
    /// Only a digit can be joined to what stands before or behind it, and only an s can be the
    /// ending of a possessive.
    letters: bool,
}

impl<'n> Needle<'n> {
    /// Nothing for a token that cannot be looked up; `room` is for the token as it is looked for.
    fn new(token: &Token<'_>, room: &'n mut [u8; LONGEST]) -> Option<Self> {
        if !is_short(token) {
            return None;
        }
        let mut len = 0;
        let bytes = token.text.bytes().filter(|&byte| byte != b',');
        for (slot, byte) in room.iter_mut().zip(bytes) {
            *slot = byte.to_ascii_lowercase();
            len += 1;
        }
        let folded = room.get(..len)?;
        Some(Self {
            grouped: with_separators(folded)
                .map(|spelled| memmem::Finder::new(&spelled).into_owned()),
            letters: folded != b"s" && folded.iter().all(u8::is_ascii_lowercase),
            finder: memmem::Finder::new(folded),
        })
    }

    fn into_owned(self) -> Needle<'static> {
        let Self { finder, grouped, letters } = self;
        Needle { finder: finder.into_owned(), grouped, letters }
    }
}

fn is_short(token: &Token<'_>) -> bool {
    token.text.len() <= LONGEST && token.text.is_ascii()
}

impl Needles {
    /// The distinct tokens; nothing when there are many or one cannot be looked up.
    pub(super) fn distinct<'a>(tokens: impl Iterator<Item = Token<'a>>) -> Option<Self> {
        let mut needles: Vec<Needle<'static>> = Vec::new();
        let mut seen: Vec<Token<'a>> = Vec::new();
        for token in tokens {
            if seen.contains(&token) {
                continue;
            }
            if needles.len() == FEW {
                return None;
            }
            needles.push(Needle::new(&token, &mut [0; LONGEST])?.into_owned());
            seen.push(token);
        }
        Some(Self(needles))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// How many the text holds.
    pub(super) fn held(&self, text: &Text<'_>) -> Result<usize, Declined> {
        let mut held = 0;
        for needle in &self.0 {
            held += usize::from(text.holds(needle)?);
        }
        Ok(held)
    }

    /// Whether the text holds each, without a look at those behind one that it does not hold.
    pub(super) fn all_held(&self, text: &Text<'_>) -> Result<bool, Declined> {
        for needle in &self.0 {
            if !text.holds(needle)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The text is not one for looking up.
pub(super) struct Declined;

impl<'a> Text<'a> {
    /// `room` is for the copy in lower case.
    pub(super) fn new(text: &'a str, room: &'a mut Vec<u8>) -> Option<Self> {
        if text.len() > COPIED || beyond_ascii(text).any(folds_into_ascii) {
            return None;
        }
        room.clear();
        room.extend(text.bytes().map(|byte| byte.to_ascii_lowercase()));
        Some(Self { text, lower: room })
    }

    /// Whether a token of the text equals the needle.
    fn holds(&self, needle: &Needle<'_>) -> Result<bool, Declined> {
        self.places(needle, |_| true)
    }

    /// Whether these tokens stand in the text one behind the other.
    pub(super) fn holds_phrase(&self, phrase: &[Token<'_>]) -> Result<bool, Declined> {
        if phrase.len() > FEW || !phrase.iter().all(is_short) {
            return Err(Declined);
        }
        let longest = phrase.iter().max_by_key(|token| token.text.len()).ok_or(Declined)?;
        // A look at the rarest token spares the many places of a frequent first one.
        let mut room = [0; LONGEST];
        if phrase.len() > 1 && !self.holds(&Needle::new(longest, &mut room).ok_or(Declined)?)? {
            return Ok(false);
        }
        let first = phrase.first().and_then(|first| Needle::new(first, &mut room));
        let first = first.ok_or(Declined)?;
        self.places(&first, |end| {
            // A possessive ending is no token.
            let behind = self.text.get(end..).unwrap_or_default();
            let ending = possessive(behind).unwrap_or_default();
            let mut behind = tokens(behind.get(ending..).unwrap_or_default());
            phrase.iter().skip(1).all(|token| behind.next().as_ref() == Some(token))
        })
    }

    /// Whether `accepts` holds for the end of one of the tokens that equal the needle.
    fn places(
        &self,
        needle: &Needle<'_>,
        mut accepts: impl FnMut(usize) -> bool,
    ) -> Result<bool, Declined> {
        if self.spelled(&needle.finder, needle.letters, &mut accepts)? {
            return Ok(true);
        }
        match &needle.grouped {
            Some(grouped) => self.spelled(grouped, false, &mut accepts),
            None => Ok(false),
        }
    }

    /// As `places`, for one spelling of the needle.
    fn spelled(
        &self,
        finder: &memmem::Finder<'_>,
        letters: bool,
        mut accepts: impl FnMut(usize) -> bool,
    ) -> Result<bool, Declined> {
        let mut from = 0;
        while let Some(found) = self.lower.get(from..).and_then(|rest| finder.find(rest)) {
            let start = from + found;
            let end = start + finder.needle().len();
            from = start + 1;
            if self.in_word(start, end)? {
                // No token can begin inside a run of letters.
                if letters {
                    from = end;
                }
                continue;
            }
            if (letters || self.is_token(start, end)?) && accepts(end) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a token goes on at either side.
    fn in_word(&self, start: usize, end: usize) -> Result<bool, Declined> {
        let ascii = |byte: Option<&u8>| match byte {
            Some(byte) if byte.is_ascii() => Some(byte.is_ascii_alphanumeric()),
            Some(_) => None,
            None => Some(false),
        };
        let before = start.checked_sub(1).and_then(|at| self.lower.get(at));
        let behind = self.lower.get(end);
        if let (Some(before), Some(behind)) = (ascii(before), ascii(behind)) {
            return Ok(before || behind);
        }
        let before = self.text.get(..start).and_then(|head| head.chars().next_back());
        // What a mark belongs to would have to be looked for.
        if before.is_some_and(is_mark) {
            return Err(Declined);
        }
        let behind = self.text.get(end..).and_then(|rest| rest.chars().next());
        Ok(before.is_some_and(is_inner) || behind.is_some_and(is_inner))
    }

    /// Whether exactly this stretch is a token.
    fn is_token(&self, start: usize, end: usize) -> Result<bool, Declined> {
        let mark = |at: Option<usize>| {
            at.and_then(|at| self.lower.get(at)).is_some_and(|byte| matches!(byte, b'.' | b','))
        };
        let digit = |at: Option<usize>| {
            at.and_then(|at| self.lower.get(at)).is_some_and(u8::is_ascii_digit)
        };
        let joined = (mark(start.checked_sub(1)) && digit(start.checked_sub(2)))
            || (mark(Some(end)) && digit(Some(end + 1)));
        // An s may be a possessive ending.
        if !joined && self.lower.get(start..end) != Some(b"s") {
            return Ok(true);
        }
        let in_run = |byte: &u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b',' | b'\'') || !byte.is_ascii()
        };
        let head = self.lower.get(..start).unwrap_or_default();
        let back = head.iter().rev().take(RUN + 1).take_while(|&byte| in_run(byte)).count();
        if back > RUN {
            return Err(Declined);
        }
        let run = start - back;
        let mut stop = self.text.len().min(end + LOOKAHEAD);
        while !self.text.is_char_boundary(stop) {
            stop += 1;
        }
        let near = self.text.get(run..stop).unwrap_or_default();
        let token = tokens(near).find(|token| run + token.start >= start);
        Ok(token.is_some_and(|token| run + token.start == start && token.text.len() == end - start))
    }
}

/// Whether a letter or digit beyond ASCII equals ASCII ones when folded.
fn folds_into_ascii(c: char) -> bool {
    // The dashes and quotes that prose is full of do not.
    !matches!(c, '\u{2010}'..='\u{2027}') && c.is_alphanumeric() && fold(c).any(|c| c.is_ascii())
}

/// The other spelling of a number of four digits and more: `1,234.5` of `1234.5`.
fn with_separators(needle: &[u8]) -> Option<Vec<u8>> {
    let whole = needle.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(needle.len());
    if whole < 4 || !matches!(needle.get(whole), None | Some(b'.')) {
        return None;
    }
    let mut spelled = Vec::with_capacity(needle.len() + whole / 3);
    for (at, &byte) in needle.iter().enumerate() {
        if at > 0 && at < whole && (whole - at) % 3 == 0 {
            spelled.push(b',');
        }
        spelled.push(byte);
    }
    Some(spelled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::composed::composed;
    use crate::text::survival::item_coverage;
    use crate::text::tokens;

    /// Texts over few pieces, so that tokens meet at every kind of edge.
    fn text(state: &mut u64, pieces: usize) -> String {
        const PIECES: [&str; 64] = [
            "a",
            "ab",
            "s",
            "1",
            "12",
            "123",
            "1,234",
            "1234",
            ",",
            ".",
            "'",
            "’",
            " ",
            " ",
            " ",
            " ",
            "'s",
            "’S ",
            "é",
            "ß",
            "K",
            "３",
            "x1",
            "1.5",
            ",234",
            "AB",
            "Ab ",
            "-",
            "…",
            "½",
            "the ",
            "1,234,567",
            "a",
            " a",
            "1",
            " 1 ",
            "s ",
            "b",
            " ab ",
            "x",
            "\u{301}",
            "\u{302}",
            "\u{301}",
            "\u{93f}",
            "日",
            "本",
            "が",
            "か\u{3099}",
            "ท",
            "ี่",
            "한",
            "\u{20e3}",
            "\u{200b}",
            "\u{ad}",
            "q\u{302}",
            "٣",
            "。",
            "ｶ",
            "ﾞ",
            "々",
            "々",
            " 1",
            "a ",
            "ー",
        ];
        let mut text = String::new();
        for _ in 0..pieces {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = usize::try_from(*state >> 58).unwrap_or_default();
            text += PIECES.get(at).copied().unwrap_or_default();
        }
        text
    }

    #[test]
    fn looking_up_agrees_with_comparing() {
        let mut state = 7;
        let mut looked_up = 0;
        for round in 0..60_000 {
            let claim = composed(&text(&mut state, 1 + round % 5)).into_owned();
            let mut note = composed(&text(&mut state, 1 + round % 17)).into_owned();
            if round % 2 == 0 {
                note.retain(|c| c.is_ascii() || !folds_into_ascii(c));
            }
            let slow = tokens::coverage(tokens(&claim), &note);
            let fast = Needles::distinct(tokens(&claim)).and_then(|n| coverage(&n, &note));
            if let Some(fast) = fast {
                looked_up += 1;
                assert_eq!(fast, slow, "{claim:?} in {note:?}");
            }
            let items = item_coverage(&note, &[claim.as_str()]);
            let all: Vec<Token<'_>> = tokens(&note).collect();
            let phrase: Vec<Token<'_>> = tokens(&claim).collect();
            let stands = !phrase.is_empty() && all.windows(phrase.len()).any(|w| w == phrase);
            assert_eq!(items.0, usize::from(stands), "{claim:?} in {note:?}");
            let mut room = Vec::new();
            let held = Text::new(&note, &mut room).map(|text| text.holds_phrase(&phrase));
            if let Some(Ok(held)) = held {
                assert_eq!(held, stands, "{claim:?} in {note:?}");
            }
        }
        assert!(looked_up > 20_000, "{looked_up}");
    }

    #[test]
    fn long_runs_take_linear_time() {
        let run = "1.".repeat(300_000);
        assert!(coverage(&needles("1 2"), &run).is_none());
        let apart = "1 ".repeat(500_000);
        assert_eq!(coverage(&needles("2 1.5 1"), &apart), Some((1, 3)));
        let letters = "a".repeat(1_000_000);
        assert_eq!(coverage(&needles("aa a aaaaaaa"), &letters), Some((0, 3)));
    }

    /// Found in the text and in all; nothing when they have to be compared.
    fn coverage(needles: &Needles, text: &str) -> Option<(usize, usize)> {
        let mut room = Vec::new();
        let text = Text::new(text, &mut room)?;
        let held = needles.held(&text).ok()?;
        if let Ok(all) = needles.all_held(&text) {
            assert_eq!(all, held == needles.len());
        }
        Some((held, needles.len()))
    }

    fn needles(claim: &str) -> Needles {
        Needles::distinct(tokens(claim)).expect("few and short tokens")
    }
}
