//! What of a source is left in a note.

use super::composed::{beyond_ascii, composed};
use super::containment;
use super::figures::Known;
use super::memo::Memo;
use super::seek;
use super::tokens::{Token, tokens};
use memchr::memmem;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// Distinct content words of the source: those found in the note, and all.
#[must_use]
pub fn word_coverage(note: &str, source: &str) -> (usize, usize) {
    containment::containment(source, note)
}

/// The distinct content words of the source in their order, each with whether it is in the note.
#[must_use]
pub fn words(note: &str, source: &str) -> Vec<(String, bool)> {
    containment::words(source, note)
}

/// The distinct numbers of the source in their order, each with whether it is in the note. Signs
/// are not compared. `known` and `seen` are room that is kept from text to text.
pub fn numbers(
    note: &str,
    source: impl IntoIterator<Item = f64>,
    (known, seen): &mut (Known, Known),
) -> Vec<(f64, bool)> {
    known.clear();
    known.extend(super::figures::numbers(note));
    seen.clear();
    let distinct = source.into_iter().filter(|&number| seen.learn(number));
    distinct.map(|number| (number, known.holds(number))).collect()
}

/// Line items of a source, distinct: those that survive in the note, and all. See [`items`].
#[must_use]
pub fn item_coverage(note: &str, source: &[&str]) -> (usize, usize) {
    plain_coverage(note, source).unwrap_or_else(|| {
        let survives = items(note, source);
        (survives.iter().filter(|(_, survives)| *survives).count(), survives.len())
    })
}

/// The same, by comparing numbers that tokens begin with; nothing for texts beyond ASCII, many or
/// long items, and a note so long that a look for each item costs less than splitting it.
fn plain_coverage(note: &str, source: &[&str]) -> Option<(usize, usize)> {
    let is_short = source.len() <= FEW && note.len() <= DENSE_PLAIN * source.len();
    if !is_short || !note.is_ascii() || !source.iter().all(|item| item.is_ascii()) {
        return None;
    }
    let mut words = Keyed::with_capacity((note.len() + source.len() * USUAL * 4) / 4);
    words.extend(note);
    let note = 0..words.keys.len();
    let mut phrases: Vec<Range<usize>> = Vec::with_capacity(source.len());
    let mut found = 0;
    for item in source {
        let phrase = words.extend(item);
        if phrase.len() > FEW {
            return None;
        }
        if phrase.is_empty() || phrases.iter().any(|other| words.equal(other.clone(), &phrase)) {
            continue;
        }
        found += usize::from(words.holds(&note, &phrase));
        phrases.push(phrase);
    }
    Some((found, phrases.len()))
}

/// ASCII tokens, each with a number that equal ones share.
struct Keyed<'a> {
    keys: Vec<u64>,
    tokens: Vec<Token<'a>>,
}

impl<'a> Keyed<'a> {
    fn with_capacity(n: usize) -> Self {
        Self { keys: Vec::with_capacity(n), tokens: Vec::with_capacity(n) }
    }

    /// Add the tokens of a text, and return where they are.
    fn extend(&mut self, text: &'a str) -> Range<usize> {
        let start = self.keys.len();
        for token in tokens(text) {
            let folded = token.text.bytes().filter(|&byte| byte != b',').take(KEYED);
            let key = folded.fold(0, |key, byte| key << 8 | u64::from(byte.to_ascii_lowercase()));
            self.keys.push(key);
            self.tokens.push(token);
        }
        start..self.keys.len()
    }

    /// Whether two runs of tokens are equal.
    fn equal(&self, run: Range<usize>, other: &Range<usize>) -> bool {
        self.keys.get(run.clone()) == self.keys.get(other.clone())
            && self.tokens.get(run).zip(self.tokens.get(other.clone())).is_some_and(
                |(run, other)| {
                    // The number of a short token is all of it.
                    let is_short = |token: &Token<'_>| token.text.len() <= KEYED;
                    run.iter().zip(other).all(|(a, b)| (is_short(a) && is_short(b)) || a == b)
                },
            )
    }

    /// Whether a text holds a phrase, which is not empty.
    fn holds(&self, text: &Range<usize>, phrase: &Range<usize>) -> bool {
        let (Some(&first), Some(keys)) = (self.keys.get(phrase.start), self.keys.get(text.clone()))
        else {
            return false;
        };
        let starts = keys.iter().enumerate().filter(|&(_, &key)| key == first);
        // A run that does not fit in the text goes on with the items behind it.
        starts
            .map(|(at, _)| at..at + phrase.len())
            .any(|run| run.end <= text.end && self.equal(run, phrase))
    }
}

/// Bytes of a token in its number.
const KEYED: usize = 8;

/// Bytes of a note for each item up to which splitting it pays, where tokens are numbers.
const DENSE_PLAIN: usize = 64;

/// The distinct line items of a source in their order, each with whether it survives: as a whole
/// or not at all.
///
/// An item survives where its tokens, function words included, stand in the note one behind
/// the other: `7 notebooks` in `7 Notebooks`, and `$4` neither in `$40` nor in `4.50`. Signs
/// between tokens do not count, so that `$4` is found in `4 dollars`. Equal items count once;
/// one without a letter or digit does not count.
#[must_use]
pub fn items<'a>(note: &str, source: &[&'a str]) -> Vec<(&'a str, bool)> {
    let forms: Vec<Cow<'_, str>> = source.iter().map(|item| composed(item)).collect();
    let items = Items::new(forms.iter().map(AsRef::as_ref));
    let survives = items.survive(&composed(note));
    let texts = items.places.iter().filter_map(|&place| source.get(place).copied());
    texts.zip(survives).collect()
}

#[derive(Default)]
struct Items<'a> {
    phrases: Vec<Vec<Token<'a>>>,
    /// Which of the given items each phrase is.
    places: Vec<usize>,
}

impl<'a> Items<'a> {
    /// Splits the items into tokens.
    fn new(items: impl IntoIterator<Item = &'a str>) -> Self {
        let mut found = Self::default();
        let mut seen = HashSet::new();
        for (place, item) in items.into_iter().enumerate() {
            let mut phrase: Vec<Token<'a>> = Vec::with_capacity(USUAL);
            phrase.extend(tokens(item));
            if phrase.is_empty() {
                continue;
            }
            // A set pays for itself only where there are many.
            let known = if found.phrases.len() < FEW {
                found.phrases.contains(&phrase)
            } else {
                if seen.is_empty() {
                    seen.extend(found.phrases.iter().cloned());
                }
                !seen.insert(phrase.clone())
            };
            if !known {
                found.phrases.push(phrase);
                found.places.push(place);
            }
        }
        found
    }

    /// Whether each item survives in the note.
    fn survive(&self, note: &str) -> Vec<bool> {
        self.scanned(note).or_else(|| self.looked_up(note)).unwrap_or_else(|| self.compared(note))
    }

    /// Each item searched for among the tokens of a note that is short for so many items, so that
    /// splitting it once costs less than a look for each; nothing for other notes, and long items.
    fn scanned(&self, note: &str) -> Option<Vec<bool>> {
        if note.len() > DENSE.saturating_mul(self.phrases.len()).min(SCANNED) {
            return None;
        }
        let words: Vec<Token<'_>> = tokens(note).collect();
        let ends: Vec<_> = words.iter().map(Token::ends).collect();
        let holds = |phrase: &Vec<Token<'a>>| {
            // Comparing at every place is linear where no item is long.
            let first = phrase.first().filter(|_| phrase.len() <= FEW)?.ends();
            Some(ends.iter().enumerate().any(|(at, &ends)| {
                (ends == first || ends.is_none() || first.is_none())
                    && words.get(at..at + phrase.len()) == Some(phrase)
            }))
        };
        self.phrases.iter().map(holds).collect()
    }

    /// Each item looked up by itself; nothing where that is not possible.
    fn looked_up(&self, note: &str) -> Option<Vec<bool>> {
        if self.phrases.len() > FEW {
            return None;
        }
        let mut room = Vec::new();
        let text = seek::Text::new(note, &mut room)?;
        self.phrases.iter().map(|phrase| text.holds_phrase(phrase).ok()).collect()
    }

    /// The same by a look at every token of the note.
    fn compared(&self, note: &str) -> Vec<bool> {
        let searches: Vec<Search<'_, 'a>> = self.phrases.iter().map(|p| Search::new(p)).collect();
        let mut matched = vec![0; searches.len()];
        let mut missing = searches.len();
        for token in tokens(note) {
            for (search, matched) in searches.iter().zip(&mut matched) {
                if *matched < search.phrase.len() {
                    *matched = search.step(*matched, &token);
                    missing -= usize::from(*matched == search.phrase.len());
                }
            }
            if missing == 0 {
                break;
            }
        }
        let found = searches.iter().zip(matched);
        found.map(|(search, matched)| matched == search.phrase.len()).collect()
    }
}

/// Tokens that most items have no more of.
const USUAL: usize = 8;

/// Most items that are looked up one by one, and most tokens of an item that is searched for at
/// every place.
const FEW: usize = 32;

/// Bytes of a note for each item up to which it is split first, and most bytes in all.
const DENSE: usize = 24;
const SCANNED: usize = 1 << 16;

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

/// The first `chars` characters of a source, and whether they occur in the note, both lower-cased.
/// An empty source occurs in every note.
#[must_use]
pub fn prefix(note: &str, source: &str, chars: usize) -> (String, bool) {
    Prefixes::new(chars).prefix(note, source)
}

/// Whether the first `chars` characters of the source occur in the note; see [`prefix`].
#[must_use]
pub fn prefix_survives(note: &str, source: &str, chars: usize) -> bool {
    Prefixes::new(chars).survives(note, source)
}

/// Prefixes of sources as they are looked for, kept from row to row.
#[derive(Clone, Debug)]
pub struct Prefixes {
    chars: usize,
    made: Memo<Prefix>,
    room: Vec<u8>,
}

impl Prefixes {
    /// For prefixes of so many characters.
    #[must_use]
    pub fn new(chars: usize) -> Self {
        Self { chars, made: Memo::default(), room: Vec::new() }
    }

    /// See [`prefix`].
    pub fn prefix(&mut self, note: &str, source: &str) -> (String, bool) {
        let prefix = self.made.get(source, |source| Prefix::new(source, self.chars));
        (prefix.text.clone(), prefix.occurs(&composed(note), &mut self.room))
    }

    /// See [`prefix_survives`].
    pub fn survives(&mut self, note: &str, source: &str) -> bool {
        let prefix = self.made.get(source, |source| Prefix::new(source, self.chars));
        prefix.occurs(&composed(note), &mut self.room)
    }
}

#[derive(Clone, Debug)]
struct Prefix {
    text: String,
    /// Looks for the prefix in lower case; nothing for one that is long, or beyond ASCII.
    finder: Option<memmem::Finder<'static>>,
}

impl Prefix {
    fn new(source: &str, chars: usize) -> Self {
        let source = composed(source);
        let end = source.char_indices().nth(chars).map_or(source.len(), |(end, _)| end);
        let text = source.get(..end).unwrap_or_default().to_owned();
        let finder = (text.is_ascii() && text.len() <= PIECE / 2)
            .then(|| memmem::Finder::new(&text.to_ascii_lowercase()).into_owned());
        Self { text, finder }
    }

    /// `room` is for a piece of the note in lower case.
    fn occurs(&self, note: &str, room: &mut Vec<u8>) -> bool {
        if let Some(finder) = &self.finder {
            if occurs_in_pieces(finder, note.as_bytes(), room) {
                return true;
            }
            // Only these two have lower-case forms with ASCII letters.
            if !beyond_ascii(note).any(|c| matches!(c, 'İ' | '\u{212a}')) {
                return false;
            }
        }
        memmem::find(lowered(note).as_bytes(), lowered(&self.text).as_bytes()).is_some()
    }
}

/// In lower case, ς as σ: where a prefix ends, a word of the note may go on.
fn lowered(text: &str) -> String {
    text.to_lowercase().replace('ς', "σ")
}

/// Bytes of a note that are lower-cased at a time.
const PIECE: usize = 1 << 15;

fn occurs_in_pieces(finder: &memmem::Finder<'_>, note: &[u8], room: &mut Vec<u8>) -> bool {
    // What begins in one piece may end in the next.
    let step = PIECE + 1 - finder.needle().len().max(1);
    (0..note.len().max(1)).step_by(step).any(|start| {
        let rest = note.get(start..).unwrap_or_default();
        room.clear();
        room.extend(rest.iter().take(PIECE).map(u8::to_ascii_lowercase));
        finder.find(room).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_whole_consecutive_tokens() {
        let source = ["$4", "notebooks", "7 notebooks", "$2", "9 pens"];
        let note = "Bought 7 Notebooks at $4 and 9 blue pens at $2.";
        assert_eq!(item_coverage(note, &source), (4, 5));
        assert_eq!(item_coverage("notebooks 7; $40, 4.50, 24, 9  pens", &source), (2, 5));
        assert_eq!(item_coverage("", &source), (0, 5));
        assert_eq!(item_coverage("a", &[]), (0, 0));
        assert_eq!(item_coverage("a", &["$", "", "A", "a"]), (1, 1));
        assert_eq!(item_coverage("1200 Units", &["1,200 units"]), (1, 1));
        // Tokens that begin alike, and a note that an item would go on from.
        assert_eq!(item_coverage("notebooks 7", &["notebook", "pens", "7 pens"]), (0, 3));
        assert_eq!(item_coverage("Notebooks, 12345678", &["notebooks", "12,345,678"]), (2, 2));
        assert_eq!(items("b", &["", "A", "B", "a"]), [("A", false), ("B", true)]);
    }

    #[test]
    fn every_way_of_looking_gives_the_same() {
        let pieces = ["a", "b", "7", "1,234", "1234", "ß", "ss", "日", "'s", ".", " ", "Ａ"];
        let mut state = 1_u64;
        let mut draw = |most: u64| {
            let texts: Vec<&str> = (0..most)
                .filter_map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    pieces.get(usize::try_from(state >> 60).unwrap_or(0)).copied()
                })
                .collect();
            composed(&texts.join("")).into_owned()
        };
        let mut scanned = 0;
        for _ in 0..5_000 {
            let note = draw(24);
            let sources = [draw(3), draw(4), draw(6)];
            let items = Items::new(sources.iter().map(String::as_str));
            let expected = items.compared(&note);
            if let Some(found) = items.scanned(&note) {
                scanned += 1;
                assert_eq!(found, expected, "{note:?} {sources:?}");
            }
            if let Some(found) = items.looked_up(&note) {
                assert_eq!(found, expected, "{note:?} {sources:?}");
            }
        }
        assert!(scanned > 1_000, "{scanned}");
    }

    #[test]
    fn items_in_any_composition_and_script() {
        assert_eq!(item_coverage("cafe\u{301} a\u{302}", &["Café", "Â"]), (2, 2));
        assert_eq!(item_coverage("彼は東京都に住む", &["東京都", "京東"]), (1, 2));
        assert_eq!(item_coverage("東京a\u{302}x b", &["a", "x", "b"]), (1, 3));
    }

    #[test]
    fn overlapping_starts_are_not_missed() {
        assert_eq!(item_coverage("a a a b", &["a a b"]), (1, 1));
        assert_eq!(item_coverage("a b a b a b c", &["a b a b c"]), (1, 1));
    }

    #[test]
    fn repeated_words_take_linear_time() {
        let note = "a ".repeat(500_000);
        let item = format!("{}b", "a ".repeat(250_000));
        assert_eq!(item_coverage(&note, &[item.as_str()]), (0, 1));
    }

    #[test]
    fn numbers_are_compared_by_value() {
        let mut known = <(Known, Known)>::default();
        let source = [1234.0, -4.5, 4.5, 7.0];
        let found = numbers("- 1,234 at $4.50", source, &mut known);
        assert_eq!(found, [(1234.0, true), (-4.5, true), (7.0, false)]);
        assert_eq!(numbers("7", [7.0], &mut known), [(7.0, true)]);
        assert_eq!(numbers("7", [], &mut known), []);
    }

    #[test]
    fn prefixes_are_compared_in_lower_case() {
        assert!(prefix_survives("It said: NOTEBOOKS at $4 each", "notebooks at $4 each (7)", 18));
        assert!(!prefix_survives("notebooks at $5", "notebooks at $4 each", 18));
        assert!(prefix_survives("notebooks at $5", "notebooks at $4 each", 13));
        assert!(prefix_survives("Ünïcode ÄÖÜ", "äöü", 18));
        assert!(prefix_survives("300 \u{212a}", "300 k", 18));
        // At the end of a prefix stands no final sigma where the word goes on.
        assert!(prefix_survives("ΑΠΑΝΤΗΣΕΙΣ", "ΑΠΑΝΤΗΣΕΙΣ", 7));
        assert!(prefix_survives("απαντήσεις", "ΑΠΑΝΤΉΣΕΙΣ", 10));
        assert!(prefix_survives("", "", 18));
        assert!(!prefix_survives("", "a", 18));
        assert!(prefix_survives("a", "b", 0));
        assert!(prefix_survives("xaab", "AB", 2));
        let long = "ab".repeat(300);
        assert!(prefix_survives(&long, &long, usize::MAX));
        assert!(prefix_survives("the cafe\u{301}", "Café au lait", 4));
        assert_eq!(prefix("the cafe\u{301}", "Café au lait", 4), ("Café".to_owned(), true));
    }

    #[test]
    fn prefixes_in_pieces_are_those_of_the_whole() {
        let mut prefixes = Prefixes::new(4);
        for source in ["", "x", "ABcd", "abcde", "ab", "éx", "k 12", "İx", "i\u{307}x"] {
            let prefix = composed(source).chars().take(4).collect::<String>();
            let prefix = lowered(&prefix);
            for before in [0, 1, PIECE - 5, PIECE - 3, PIECE - 1, PIECE, 2 * PIECE - 4] {
                for middle in ["", "abcd", "AbC", "ÉX", "\u{212a} 12", "İX", "x"] {
                    let note = format!("{}{middle}{}", "-".repeat(before), "-".repeat(before / 2));
                    let holds = lowered(&composed(&note)).contains(&prefix);
                    assert_eq!(prefixes.survives(&note, source), holds, "{source} in {middle}");
                }
            }
        }
    }

    #[test]
    fn words_are_content_words() {
        assert_eq!(word_coverage("4 notebooks", "notebooks at $4 each"), (2, 3));
        let found = words("4 notebooks", "Notebooks at $4 each, notebooks");
        let expected = [("Notebooks", true), ("4", true), ("each", false)];
        assert_eq!(found, expected.map(|(word, found)| (word.to_owned(), found)));
    }
}
