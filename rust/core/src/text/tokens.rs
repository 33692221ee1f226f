//! Words as survival and containment compare them.
//!
//! * A token is a maximal run of letters and digits with their combining marks, folded for case,
//!   digits of any script as ASCII. A dot between two digits stays inside the token; so does a
//!   comma before exactly three digits, and it is left out: `1,234` equals `1234`, `4.50` is one
//!   token, and `4,8` are two.
//! * Where a script sets no spaces between words (Han, Kana, Thai, Lao, Burmese, Khmer), each
//!   letter is a token, so that a phrase is found inside a sentence; digits are as elsewhere.
//! * A possessive `'s`, with either apostrophe, is left out.
//! * Content words are the tokens that are no function words. Function words are articles,
//!   pronouns, forms of *be*, *have* and *do*, modal verbs, plain conjunctions, and prepositions
//!   that say nothing of quantity or place in an order. *near*, *over*, *about*, *around*,
//!   *roughly*, *two*, *next*, *not* and *no* are content.

use super::chars::{digit, fold};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use unicode_normalization::char::is_combining_mark;

/// One token; its text is as written.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    /// The run, a possessive ending left out.
    pub text: &'a str,
    /// Where the run begins, in bytes.
    pub start: usize,
}

impl Token<'_> {
    fn folded(&self) -> impl Iterator<Item = char> {
        self.text.chars().filter(|&c| c != ',').flat_map(fold)
    }

    /// Class of the first and of the last character, equal for equal tokens. Nothing for a token
    /// beyond ASCII.
    pub(super) fn ends(&self) -> Option<(u64, u64)> {
        let bytes = self.text.as_bytes();
        let class = |byte: Option<&u8>| {
            let folded = folded_byte(*byte?);
            match folded {
                b'0'..=b'9' => Some(1 << (folded - b'0')),
                b'a'..=b'z' => Some(1 << (folded - b'a' + 10)),
                _ => None,
            }
        };
        Some((class(bytes.first())?, class(bytes.last())?))
    }
}

impl PartialEq for Token<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.ends(), other.ends()) {
            (Some(ends), Some(others)) if ends != others => false,
            _ => self.text.eq_ignore_ascii_case(other.text) || self.folded().eq(other.folded()),
        }
    }
}

impl Eq for Token<'_> {}

impl Hash for Token<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut hash = 0;
        for c in self.text.chars() {
            if c.is_ascii_alphanumeric() {
                hash = mix(hash, u32::from(c.to_ascii_lowercase()));
            } else if c != ',' {
                hash = fold(c).fold(hash, |hash, c| mix(hash, u32::from(c)));
            }
        }
        // A last stir, so that low and high bits are fit for use alone.
        hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        state.write_u64(hash ^ (hash >> 32));
    }
}

/// Mixes one folded character into the hash of a token.
const fn mix(hash: u64, code: u32) -> u64 {
    (hash ^ code as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
}

/// Folded form of each ASCII letter and digit, 0 for all other bytes.
const FOLDED: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        #[expect(clippy::cast_possible_truncation)]
        let ascii = byte as u8;
        if ascii.is_ascii_alphanumeric() {
            table[byte] = ascii.to_ascii_lowercase();
        }
        byte += 1;
    }
    table
};

fn folded_byte(byte: u8) -> u8 {
    FOLDED.get(usize::from(byte)).copied().unwrap_or(0)
}

/// All tokens of a text, in order.
#[must_use]
pub fn tokens(text: &str) -> Tokens<'_> {
    Tokens { text, at: 0 }
}

/// The tokens of a text that are no function words.
pub fn content_words(text: &str) -> impl Iterator<Item = Token<'_>> + Clone {
    tokens(text).filter(|token| !is_function_word(token.text))
}

/// Iterator over the tokens of a text.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        // To the first letter or digit.
        loop {
            let &byte = bytes.get(at)?;
            if folded_byte(byte) != 0 {
                break;
            }
            if byte < 128 {
                at += 1;
                continue;
            }
            let c = self.char_at(at)?;
            if stands_alone(c) {
                return self.alone(at, c);
            }
            if is_inner(c) && !is_combining_mark(c) {
                break;
            }
            at += c.len_utf8();
        }
        let start = at;
        while bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            at += 1;
        }
        // Most tokens end here: letters join nothing to what stands behind them.
        let next = bytes.get(at).copied().unwrap_or(b' ');
        if !next.is_ascii() || next.is_ascii_digit() {
            at = self.run_end(start, at);
        }
        self.at = at;
        if matches!(bytes.get(at), Some(b'\'' | 0xe2)) {
            self.skip_possessive();
        }
        Some(Token { text: self.text.get(start..at)?, start })
    }
}

impl<'a> Tokens<'a> {
    /// The token that a letter of a script without spaces is, with the marks on it.
    fn alone(&mut self, start: usize, c: char) -> Option<Token<'a>> {
        self.at = start + c.len_utf8();
        while let Some(mark) = self.char_at(self.at).filter(|&c| is_mark(c)) {
            self.at += mark.len_utf8();
        }
        let text = self.text.get(start..self.at)?;
        self.skip_possessive();
        Some(Token { text, start })
    }

    /// End of the token that begins at `start` and holds only letters up to `at`.
    fn run_end(&self, start: usize, mut at: usize) -> usize {
        let bytes = self.text.as_bytes();
        // Digits since the start or the last comma; more than three never precede a comma.
        let mut digits = 0_usize;
        let mut grouped = at == start;
        while let Some(&byte) = bytes.get(at) {
            if byte.is_ascii_alphanumeric() {
                at += 1;
                digits = if byte.is_ascii_digit() {
                    digits + 1
                } else {
                    grouped = false;
                    0
                };
            } else if byte == b'.' {
                if digits == 0 || self.digit_at(at + 1).is_none() {
                    break;
                }
                at += 1;
                digits = 0;
                grouped = false;
            } else if byte == b',' {
                if !grouped || !(1..=3).contains(&digits) || !self.three_digits(at + 1) {
                    break;
                }
                at += 1;
                digits = 0;
            } else {
                let Some(c) = self.char_at(at).filter(|&c| is_inner(c)) else { break };
                digits = if digit(c).is_some() {
                    digits + 1
                } else {
                    grouped = false;
                    0
                };
                at += c.len_utf8();
            }
        }
        at
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    fn digit_at(&self, at: usize) -> Option<usize> {
        self.char_at(at).filter(|&c| digit(c).is_some()).map(char::len_utf8)
    }

    fn three_digits(&self, mut at: usize) -> bool {
        for _ in 0..3 {
            match self.digit_at(at) {
                Some(width) => at += width,
                None => return false,
            }
        }
        !self.char_at(at).is_some_and(is_inner)
    }

    fn skip_possessive(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += possessive(rest).unwrap_or_default();
    }
}

/// Length of the possessive ending that a text begins with.
pub(super) fn possessive(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(['\'', '’'])?.strip_prefix(['s', 'S'])?;
    (!rest.starts_with(is_inner)).then_some(text.len() - rest.len())
}

/// Whether a character goes on with the token before it.
pub(super) fn is_inner(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    (c.is_alphanumeric() && !stands_alone(c)) || is_mark(c)
}

/// Combining marks, but for those that frame a sign, as on a keycap.
pub(super) fn is_mark(c: char) -> bool {
    let frames = |c| {
        matches!(
            c,
            '\u{488}' | '\u{489}' | '\u{1abe}' | '\u{20dd}'..='\u{20e0}'
                | '\u{20e2}'..='\u{20e4}' | '\u{a670}'..='\u{a672}'
        )
    };
    c >= '\u{300}' && is_combining_mark(c) && !frames(c)
}

/// Letters of scripts without spaces between words, of which each is a token.
pub(super) fn stands_alone(c: char) -> bool {
    matches!(
        c,
        // Thai and Lao; Burmese; Khmer.
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}'
        // Kana and Han: signs of repetition and number, the syllables, the ideographs.
        | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{303c}'
        | '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}'
        | '\u{1aff0}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}'
    ) && c.is_alphanumeric()
        && !is_combining_mark(c)
        && digit(c).is_none()
}

/// Whether a word only holds a sentence together.
fn is_function_word(word: &str) -> bool {
    let mut buffer = [0; 7];
    let Some(slot) = buffer.get_mut(..word.len()) else {
        return false;
    };
    slot.copy_from_slice(word.as_bytes());
    slot.make_ascii_lowercase();
    matches!(
        &*slot,
        // Articles and demonstratives.
        b"a" | b"an" | b"the" | b"this" | b"that" | b"these" | b"those"
        // Pronouns.
        | b"i" | b"you" | b"he" | b"she" | b"it" | b"we" | b"they" | b"me" | b"him" | b"her" | b"us"
        | b"them" | b"my" | b"your" | b"his" | b"its" | b"our" | b"their" | b"who" | b"whom"
        | b"whose" | b"which" | b"what" | b"there"
        // be, have, do and modal verbs.
        | b"am" | b"is" | b"are" | b"was" | b"were" | b"be" | b"been" | b"being" | b"has" | b"have"
        | b"had" | b"having" | b"do" | b"does" | b"did" | b"will" | b"would" | b"shall" | b"should"
        | b"can" | b"could" | b"may" | b"might" | b"must"
        // Conjunctions.
        | b"and" | b"or" | b"but" | b"if" | b"then" | b"than" | b"so" | b"as" | b"while" | b"when"
        // Prepositions.
        | b"of" | b"to" | b"in" | b"on" | b"at" | b"by" | b"for" | b"from" | b"with" | b"into"
        | b"onto" | b"upon" | b"via"
    )
}

/// Passes a hash that is already well mixed.
#[derive(Default)]
struct Ready(u64);

impl Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0, u32::from(byte));
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// A set of tokens, quick to refuse one that is not in it.
#[derive(Default)]
struct Wanted<'a> {
    found: HashMap<Token<'a>, bool, BuildHasherDefault<Ready>>,
    /// Classes of first and last characters that occur.
    ends: (u64, u64),
    missing: usize,
}

impl<'a> Wanted<'a> {
    fn new(tokens: impl Iterator<Item = Token<'a>>) -> Self {
        let mut wanted = Self::default();
        for token in tokens {
            let (first, last) = token.ends().unwrap_or((u64::MAX, u64::MAX));
            wanted.ends = (wanted.ends.0 | first, wanted.ends.1 | last);
            wanted.found.insert(token, false);
        }
        wanted.missing = wanted.found.len();
        wanted
    }

    /// Marks a token as found; false once there is nothing left to find.
    fn mark(&mut self, token: &Token<'a>) -> bool {
        let (first, last) = token.ends().unwrap_or((u64::MAX, u64::MAX));
        if self.ends.0 & first != 0
            && self.ends.1 & last != 0
            && let Some(found) = self.found.get_mut(token)
        {
            self.missing -= usize::from(!*found);
            *found = true;
        }
        self.missing > 0
    }
}

/// Distinct wanted tokens, found in the text and in all.
pub(super) fn coverage<'a>(
    words: impl Iterator<Item = Token<'a>>,
    text: &'a str,
) -> (usize, usize) {
    let mut wanted = Wanted::new(words);
    let total = wanted.found.len();
    if total > 0 {
        let _ = tokens(text).all(|token| wanted.mark(&token));
    }
    (total - wanted.missing, total)
}

/// Distinct wanted tokens in their order, each with whether it is in the text.
pub(super) fn survey<'a>(
    words: impl Iterator<Item = Token<'a>> + Clone,
    text: &'a str,
) -> Vec<(&'a str, bool)> {
    let mut wanted = Wanted::new(words.clone());
    if wanted.missing > 0 {
        let _ = tokens(text).all(|token| wanted.mark(&token));
    }
    words.filter_map(|word| Some((word.text, wanted.found.remove(&word)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        tokens(text).map(|token| token.folded().collect()).collect()
    }

    #[test]
    fn numbers_stay_whole() {
        assert_eq!(words("1,234.50 and 1234.5"), ["1234.50", "and", "1234.5"]);
        assert_eq!(words("4,8,15 v1.2.3 12,345,678"), ["4", "8", "15", "v1.2.3", "12345678"]);
        assert_eq!(words("$4. 4,50 1234,567 9:45am"), ["4", "4", "50", "1234", "567", "9", "45am"]);
        assert_eq!(words("４６ ١٢"), ["46", "12"]);
    }

    #[test]
    fn marks_stay_with_their_letter() {
        assert_eq!(words("हिन्दी x\u{302}y 4\u{301}5"), ["हिन्दी", "x\u{302}y", "4\u{301}5"]);
        assert_eq!(words("\u{301}a 1\u{20e3}2"), ["a", "1", "2"]);
    }

    #[test]
    fn scripts_without_spaces_are_letter_by_letter() {
        assert_eq!(words("日本で1,234円x"), ["日", "本", "で", "1234", "円", "x"]);
        assert_eq!(words("カタ々ｶ゛한국어"), ["カ", "タ", "々", "ｶ", "한국어"]);
        assert_eq!(words("ที่1๒ก"), ["ที่", "12", "ก"]);
        assert_eq!(words("Ana's本 s本"), ["ana", "本", "s", "本"]);
    }

    #[test]
    fn possessives_go_and_other_apostrophes_split() {
        assert_eq!(words("Ana's ANA’S boys' don't s"), ["ana", "ana", "boys", "don", "t", "s"]);
        assert_eq!(words("Éva’s Straße"), ["éva", "strasse"]);
    }

    #[test]
    fn function_words_are_no_content() {
        let content = |text| content_words(text).map(|t| t.text).collect::<Vec<_>>();
        assert_eq!(content("The cat has been near two of them"), ["cat", "near", "two"]);
        assert_eq!(content(""), Vec::<&str>::new());
    }

    #[test]
    fn equal_tokens_have_equal_hashes() {
        let pairs = [("1,234", "1234"), ("STRASSE", "straße"), ("Ａ", "ａ"), ("٣", "3")];
        for (a, b) in pairs {
            let (a, b) = (tokens(a).next(), tokens(b).next());
            assert_eq!(a, b);
            let hash = |token: Option<Token<'_>>| {
                let mut state = Ready::default();
                token.expect("a token").hash(&mut state);
                state.finish()
            };
            assert_eq!(hash(a), hash(b));
        }
        assert_ne!(tokens("40").next(), tokens("4").next());
    }
}
