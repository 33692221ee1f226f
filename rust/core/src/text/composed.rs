//! One form for texts that look the same, so that words compare by what a reader sees.
//!
//! * Canonical equivalents are one: `é` of one character and of two (Unicode's NFC).
//! * Letters and digits of full width are plain ones: `Ａ４` is `A4`.
//! * What prints nothing is left out (soft hyphens, joiners, direction marks), but for the
//!   zero-width space, which stands between words.

use super::chars::is_invisible;
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The text in that form; ASCII and most other texts are in it already.
pub(super) fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !has_doubtful(text) || (text.chars().all(is_kept) && is_nfc(text)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|&c| !is_dropped(c)).map(narrow).nfc().collect())
}

/// Whether there is a character that may not be in that form. The signs and letters that English
/// prose holds beyond ASCII are none.
fn has_doubtful(text: &str) -> bool {
    let doubtful = |c| match c {
        ..'\u{300}' => c == '\u{ad}',
        '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{20a0}'..='\u{20bf}' => false,
        _ => true,
    };
    beyond_ascii(text).any(doubtful)
}

/// The characters of a text that are not ASCII; blocks of ASCII are passed at once.
pub(super) fn beyond_ascii(text: &str) -> impl Iterator<Item = char> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut chars = rest.get(ascii_prefix(rest.as_bytes())..)?.chars();
        let found = chars.next();
        rest = chars.as_str();
        found
    })
}

/// How many bytes there are before the first that is not ASCII.
fn ascii_prefix(bytes: &[u8]) -> usize {
    let blocks = bytes.chunks_exact(32).take_while(|block| block.is_ascii());
    let passed = 32 * blocks.count();
    let (eights, last) = bytes.get(passed..).unwrap_or_default().as_chunks::<8>();
    let mut at = passed;
    for eight in eights {
        let high = u64::from_le_bytes(*eight) & 0x8080_8080_8080_8080;
        if high != 0 {
            return at + high.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + last.iter().take_while(|byte| byte.is_ascii()).count()
}

fn is_nfc(text: &str) -> bool {
    is_nfc_quick(text.chars()) == IsNormalized::Yes
}

fn is_kept(c: char) -> bool {
    c.is_ascii() || (narrow(c) == c && !is_dropped(c))
}

fn is_dropped(c: char) -> bool {
    is_invisible(c) && c != '\u{200b}'
}

fn narrow(c: char) -> char {
    match c {
        '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' => {
            char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c)
        }
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_look_the_same_are_the_same() {
        assert_eq!(composed("re\u{301}sume\u{301}"), "résumé");
        assert_eq!(composed("Ａ４ ｚ９，\u{212a}"), "A4 z9，K");
        assert_eq!(composed("co\u{ad}op 4\u{200d}6\u{fe0f} a\u{200b}b"), "coop 46 a\u{200b}b");
        assert_eq!(composed("\u{1112}\u{1161}\u{11ab}"), "한");
        let far = format!("{}e\u{301}", "a – ".repeat(100));
        assert!(composed(&far).ends_with("a – é"));
        for before in 0..80 {
            let text = format!("{}é{}—", "a".repeat(before), "b".repeat(80 - before));
            assert_eq!(beyond_ascii(&text).collect::<String>(), "é—");
        }
        for plain in ["", "résumé — 46 €", "日本 한국", "a b"] {
            assert!(matches!(composed(plain), Cow::Borrowed(_)), "{plain}");
        }
    }
}
