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
    if text.is_ascii() || (text.chars().all(is_kept) && is_nfc(text)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|&c| !is_dropped(c)).map(narrow).nfc().collect())
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
        for plain in ["", "résumé — 46 €", "日本 한국", "a b"] {
            assert!(matches!(composed(plain), Cow::Borrowed(_)), "{plain}");
        }
    }
}
