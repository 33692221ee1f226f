//! What can still be corrected with a note, told from the note when it is written.
//!
//! * *Correctable*: the source survives in the note.
//! * *Uncorrectable and silent*: it does not, and nothing in the note says so, while its conclusion
//!   is there to be given as an answer, or part of its items to be taken for all of them.
//! * *Uncorrectable and loud*: it does not, and a reader can notice: neither conclusion nor items are
//!   there, or the note says that it is incomplete.
//!
//! A note says so in a phrase of a lexicon, or by a count: `5 of 6 items kept`, `5/6 items stored`.

use super::cues::Lexicon;
use super::figures::numbers;
use super::survival::items;
use super::tokens::{Token, tokens};

/// What can become of a note's conclusion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Regime {
    /// The source survives.
    Correctable,
    /// The source is gone, and what is left passes for right.
    UncorrectableSilent,
    /// The source is gone, and this shows.
    UncorrectableLoud,
}

impl Regime {
    /// Names in the order of the codes.
    pub const NAMES: [&'static str; 3] =
        ["correctable", "uncorrectable_silent", "uncorrectable_loud"];

    /// Position of the regime in [`Self::NAMES`].
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The regime of a note of whose source this share survives. `stated`: its conclusion is there.
    #[must_use]
    pub fn new(note: &str, survival: f64, stated: impl Fn() -> bool, incomplete: &Lexicon) -> Self {
        if survival >= 1.0 {
            Self::Correctable
        } else if (survival > 0.0 || stated()) && !says_incomplete(note, incomplete) {
            Self::UncorrectableSilent
        } else {
            Self::UncorrectableLoud
        }
    }
}

/// Whether a note names this number, in any spelling and apart from its sign.
#[must_use]
pub fn states_number(note: &str, value: f64) -> bool {
    #[expect(clippy::float_cmp)]
    numbers(note).any(|number| number.abs() == value.abs())
}

/// Whether a note holds this text, as whole tokens one behind the other; a text that is a number
/// counts by value too.
#[must_use]
pub fn states(note: &str, conclusion: &str) -> bool {
    if items(note, &[conclusion]).iter().any(|(_, survives)| *survives) {
        return true;
    }
    let mut values = numbers(conclusion);
    let only = tokens(conclusion).nth(1).is_none();
    match (values.next(), values.next()) {
        (Some(value), None) if only => states_number(note, value),
        _ => false,
    }
}

/// Words that say that something was kept, or was not.
const KEEPING: [&str; 20] = [
    "kept",
    "preserved",
    "stored",
    "retained",
    "included",
    "recorded",
    "saved",
    "survived",
    "survive",
    "listed",
    "shown",
    "missing",
    "omitted",
    "dropped",
    "lost",
    "left",
    "fit",
    "completeness",
    "complete",
    "remain",
];

/// How many words may stand between a count and such a word.
const NEAR: usize = 5;

/// Whether a note says itself that it does not hold everything.
#[must_use]
pub fn says_incomplete(note: &str, lexicon: &Lexicon) -> bool {
    lexicon.kinds(note) != 0 || counts_fewer(note)
}

/// Whether a count of kept items is below the count of all.
fn counts_fewer(note: &str) -> bool {
    // The last words, of which a count may take the newest.
    let mut recent: [Option<Token<'_>>; 4] = [None; 4];
    let mut since_keeping = usize::MAX;
    let mut since_count = usize::MAX;
    for token in tokens(note) {
        let keeping = KEEPING.iter().any(|word| token.text.eq_ignore_ascii_case(word));
        since_keeping = if keeping { 0 } else { since_keeping.saturating_add(1) };
        since_count = since_count.saturating_add(1);
        if let Some(total) = count(&token)
            && let Some(kept) = partial(note, &recent, &token)
            && kept < total
        {
            since_count = 0;
        }
        if since_count <= NEAR && since_keeping <= NEAR {
            return true;
        }
        recent.rotate_left(1);
        if let Some(slot) = recent.last_mut() {
            *slot = Some(token);
        }
    }
    false
}

/// The count before `of` or a slash before this token.
fn partial(note: &str, recent: &[Option<Token<'_>>; 4], total: &Token<'_>) -> Option<u64> {
    let is = |token: &Token<'_>, words: &[&str]| {
        words.iter().any(|word| token.text.eq_ignore_ascii_case(word))
    };
    let mut before = recent.iter().rev().flatten();
    let mut newest = before.next()?;
    let between = note.get(newest.start + newest.text.len()..total.start)?;
    if between == "/" {
        return count(newest);
    }
    while is(newest, &["the", "its", "all", "original", "a", "total", "these"]) {
        newest = before.next()?;
    }
    let of = is(newest, &["of"]);
    let mut kept = before.next()?;
    if of && is(kept, &["out"]) {
        kept = before.next()?;
    }
    if of { count(kept) } else { None }
}

/// A whole number in digits or as a word.
fn count(token: &Token<'_>) -> Option<u64> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    if token.text.len() <= 9 && token.text.bytes().all(|byte| byte.is_ascii_digit()) {
        return token.text.parse().ok();
    }
    let word = WORDS.iter().position(|word| token.text.eq_ignore_ascii_case(word))?;
    u64::try_from(word).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> Lexicon {
        Lexicon::new([(0, "incomplete")], None).expect("cues")
    }

    #[test]
    fn regimes() {
        let regime = |note, survival, stated| Regime::new(note, survival, || stated, &lexicon());
        assert_eq!(regime("", 1.0, true), Regime::Correctable);
        assert_eq!(regime("Incomplete.", 1.0, true), Regime::Correctable);
        assert_eq!(regime("total 55", 0.0, true), Regime::UncorrectableSilent);
        assert_eq!(regime("7 pens", 0.5, false), Regime::UncorrectableSilent);
        assert_eq!(regime("7 pens; incomplete", 0.5, true), Regime::UncorrectableLoud);
        assert_eq!(regime("", 0.0, false), Regime::UncorrectableLoud);
    }

    #[test]
    fn conclusions_are_found_whole() {
        assert!(states_number("the total is $55.00", 55.0));
        assert!(states_number("- 55", -55.0));
        assert!(!states_number("$155 or 5.5", 55.0));
        assert!(states("The manager is BEN.", "Ben"));
        assert!(!states("Benjamin", "Ben"));
        assert!(states("total $1,234.50", "1234.5") && states("$55", "55"));
        assert!(!states("1 55", "55 1") && !states("", "") && !states("5", ""));
        assert!(states("at 19:15 sharp", "19:15"));
    }

    #[test]
    fn notes_that_count() {
        for note in [
            "5 of 6 items preserved",
            "(5 of the 6 items kept)",
            "5/6 items stored",
            "kept: 5 of 6",
            "one of the original 16 items is missing",
            "Only 5 out of 6 line items are included.",
            "Completeness: 5/6",
            "This note is INCOMPLETE",
            "preserved 5 of its 6 items",
        ] {
            assert!(says_incomplete(note, &lexicon()), "{note}");
        }
        for note in [
            "6 of 6 items preserved",
            "3 of 5 coworkers",
            "5/6",
            "6/5 kept",
            "of 6 kept",
            "",
            "2 of the 5 boxes were sold and it was kept in mind, then on the shelf",
            "5 6 kept",
        ] {
            assert!(!says_incomplete(note, &lexicon()), "{note}");
        }
    }
}
