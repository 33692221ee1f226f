//! What of a source is left in a note.

use super::seek;
use super::tokens::{Token, content_words, coverage, tokens};
use memchr::{memchr, memchr2, memmem};
use std::collections::HashSet;

/// Distinct content words of the source: those found in the note, and all.
#[must_use]
pub fn token_coverage(note: &str, source: &str) -> (usize, usize) {
    coverage(content_words(source), note)
}

/// Line items of a source, each a phrase that survives as a whole or not at all.
///
/// A phrase survives where its tokens, function words included, stand in the note one behind
/// the other: `7 notebooks` in `7 Notebooks`, and `$4` neither in `$40` nor in `4.50`. Signs
/// between tokens do not count, so that `$4` is found in `4 dollars`. Equal phrases count once;
/// one without a letter or digit does not count.
#[derive(Clone, Debug, Default)]
pub struct Items<'a> {
    phrases: Vec<Vec<Token<'a>>>,
}

impl<'a> Items<'a> {
    /// Splits the items into tokens.
    pub fn new(items: impl IntoIterator<Item = &'a str>) -> Self {
        let mut phrases: Vec<Vec<Token<'a>>> = Vec::new();
        let mut seen = HashSet::new();
        for item in items {
            let phrase: Vec<Token<'a>> = tokens(item).collect();
            if phrase.is_empty() {
                continue;
            }
            // A set pays for itself only where there are many.
            let known = if phrases.len() < FEW {
                phrases.contains(&phrase)
            } else {
                if seen.is_empty() {
                    seen.extend(phrases.iter().cloned());
                }
                !seen.insert(phrase.clone())
            };
            if !known {
                phrases.push(phrase);
            }
        }
        Self { phrases }
    }

    /// Distinct items: those that survive in the note, and all.
    #[must_use]
    pub fn coverage(&self, note: &str) -> (usize, usize) {
        let kept = self.looked_up(note).unwrap_or_else(|| self.compared(note));
        (kept, self.phrases.len())
    }

    /// Items that survive, each looked up by itself; nothing where that is not possible.
    fn looked_up(&self, note: &str) -> Option<usize> {
        if self.phrases.len() > FEW {
            return None;
        }
        let text = seek::Text::new(note)?;
        let mut kept = 0;
        for phrase in &self.phrases {
            kept += usize::from(text.holds_phrase(phrase).ok()?);
        }
        Some(kept)
    }

    /// Items that survive, by a look at every token of the note.
    fn compared(&self, note: &str) -> usize {
        let searches: Vec<Search<'_, 'a>> = self.phrases.iter().map(|p| Search::new(p)).collect();
        let mut matched = vec![0; searches.len()];
        let mut kept = 0;
        for token in tokens(note) {
            for (search, matched) in searches.iter().zip(&mut matched) {
                if *matched < search.phrase.len() {
                    *matched = search.step(*matched, &token);
                    kept += usize::from(*matched == search.phrase.len());
                }
            }
            if kept == searches.len() {
                break;
            }
        }
        kept
    }
}

/// Most items that are looked up one by one.
const FEW: usize = 32;

/// Search for a phrase without looking back (Knuth, Morris and Pratt 1977).
struct Search<'p, 'a> {
    phrase: &'p [Token<'a>],
    /// Length of the longest proper prefix that ends at each token.
    borders: Vec<usize>,
}

impl<'p, 'a> Search<'p, 'a> {
    fn new(phrase: &'p [Token<'a>]) -> Self {
        let mut search = Self { phrase, borders: Vec::with_capacity(phrase.len()) };
        let mut matched = 0;
        for (at, token) in phrase.iter().enumerate() {
            if at > 0 {
                matched = search.step(matched, token);
            }
            search.borders.push(matched);
        }
        search
    }

    /// Tokens matched after one more token of the note.
    fn step(&self, mut matched: usize, token: &Token<'_>) -> usize {
        loop {
            if self.phrase.get(matched) == Some(token) {
                return matched + 1;
            }
            match matched.checked_sub(1).and_then(|last| self.borders.get(last)) {
                Some(&border) => matched = border,
                None => return 0,
            }
        }
    }
}

/// Whether the first `chars` characters of the source occur in the note, both lower-cased.
/// An empty source occurs in every note.
#[must_use]
pub fn prefix_survives(note: &str, source: &str, chars: usize) -> bool {
    let end = source.char_indices().nth(chars).map_or(source.len(), |(end, _)| end);
    let prefix = source.get(..end).unwrap_or_default();
    if prefix.is_ascii() && prefix.len() <= 64 {
        if contains_ignoring_case(note.as_bytes(), prefix.as_bytes()) {
            return true;
        }
        // Only these two have lower-case forms with ASCII letters.
        let odd = |c: &str| memmem::find(note.as_bytes(), c.as_bytes()).is_some();
        if note.is_ascii() || !(odd("İ") || odd("\u{212a}")) {
            return false;
        }
    }
    memmem::find(note.to_lowercase().as_bytes(), prefix.to_lowercase().as_bytes()).is_some()
}

/// Bytes from the most to the least frequent in English notes; all others are rarer.
const FREQUENT: &[u8] = b" etaoinsrhldcumfpgwyb.,v0k12";

/// Looks for the rarest byte of the needle and compares around it.
fn contains_ignoring_case(text: &[u8], needle: &[u8]) -> bool {
    let rank = |byte: u8| {
        let byte = byte.to_ascii_lowercase();
        memchr(byte, FREQUENT).unwrap_or(FREQUENT.len())
    };
    let Some((offset, &rare)) = needle.iter().enumerate().max_by_key(|&(_, &byte)| rank(byte))
    else {
        return true;
    };
    let (lower, upper) = (rare.to_ascii_lowercase(), rare.to_ascii_uppercase());
    let mut from = offset;
    while let Some(rest) = text.get(from..) {
        let found = if lower == upper { memchr(lower, rest) } else { memchr2(lower, upper, rest) };
        let Some(found) = found else { return false };
        let start = from + found - offset;
        let place = text.get(start..start + needle.len());
        if place.is_some_and(|place| place.eq_ignore_ascii_case(needle)) {
            return true;
        }
        from += found + 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_whole_consecutive_tokens() {
        let items = Items::new(["$4", "notebooks", "7 notebooks", "$2", "9 pens"]);
        assert_eq!(items.coverage("Bought 7 Notebooks at $4 and 9 blue pens at $2."), (4, 5));
        assert_eq!(items.coverage("notebooks 7; $40, 4.50, 24, 9  pens"), (2, 5));
        assert_eq!(items.coverage(""), (0, 5));
        assert_eq!(Items::new([]).coverage("a"), (0, 0));
        assert_eq!(Items::new(["$", "", "A", "a"]).coverage("a"), (1, 1));
        assert_eq!(Items::new(["1,200 units"]).coverage("1200 Units"), (1, 1));
    }

    #[test]
    fn overlapping_starts_are_not_missed() {
        assert_eq!(Items::new(["a a b"]).coverage("a a a b"), (1, 1));
        assert_eq!(Items::new(["a b a b c"]).coverage("a b a b a b c"), (1, 1));
    }

    #[test]
    fn repeated_words_take_linear_time() {
        let note = "a ".repeat(500_000);
        let item = format!("{}b", "a ".repeat(250_000));
        assert_eq!(Items::new([item.as_str()]).coverage(&note), (0, 1));
    }

    #[test]
    fn prefixes_are_compared_in_lower_case() {
        assert!(prefix_survives("It said: NOTEBOOKS at $4 each", "notebooks at $4 each (7)", 18));
        assert!(!prefix_survives("notebooks at $5", "notebooks at $4 each", 18));
        assert!(prefix_survives("notebooks at $5", "notebooks at $4 each", 13));
        assert!(prefix_survives("Ünïcode ÄÖÜ", "äöü", 18));
        assert!(prefix_survives("300 \u{212a}", "300 k", 18));
        assert!(prefix_survives("", "", 18));
        assert!(!prefix_survives("", "a", 18));
        assert!(prefix_survives("a", "b", 0));
        assert!(prefix_survives("xaab", "AB", 2));
        let long = "ab".repeat(300);
        assert!(prefix_survives(&long, &long, usize::MAX));
    }

    #[test]
    fn coverage_counts_content_words() {
        assert_eq!(token_coverage("4 notebooks", "notebooks at $4 each"), (2, 3));
    }
}
