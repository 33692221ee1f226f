//! What stands between quotes.

use memchr::memchr;
use std::borrow::Cow;

/// Where the next byte is that a JSON string cannot simply hold: a quote, a backslash or a
/// control character; the end of the text if there is none.
pub(super) fn plain_until(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let repeated = |byte: u8| u64::from_ne_bytes([byte; 8]);
    // Bytes of a word that are below a bound, each marked in its highest bit (Mycroft's test);
    // a borrow can only mark a byte behind one that is marked rightly.
    let below = |word: u64, bound: u64| word.wrapping_sub(bound) & !word & HIGH;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        let special = below(word ^ repeated(b'"'), ONES)
            | below(word ^ repeated(b'\\'), ONES)
            | below(word, repeated(0x20));
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|&byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        at += 1;
    }
    at
}

/// How many bytes an escape takes, backslash included; none if JSON has no such escape.
pub(super) fn escape(bytes: &[u8]) -> Option<usize> {
    match bytes.get(1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => bytes.get(2..6)?.iter().all(u8::is_ascii_hexdigit).then_some(6),
        _ => None,
    }
}

/// The text that an escaped one stands for. An escape that JSON has not is kept as it is, but
/// for the quotes that other notations escape; half of a surrogate pair is U+FFFD.
pub(super) fn decode(written: &str) -> Cow<'_, str> {
    let mut rest = written;
    let mut text = String::new();
    while let Some(backslash) = memchr(b'\\', rest.as_bytes()) {
        let (plain, tail) = rest.split_at(backslash);
        text.push_str(plain);
        let (c, taken) = unescaped(tail);
        match c {
            Some(c) => text.push(c),
            None => text.push_str(tail.get(..taken).unwrap_or_default()),
        }
        rest = tail.get(taken..).unwrap_or_default();
    }
    if text.is_empty() && rest.len() == written.len() {
        return Cow::Borrowed(written);
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Where that is written which stands at a place of the decoded text.
pub(super) fn undecoded(written: &str, place: usize) -> usize {
    let (mut at, mut decoded) = (0, 0);
    while let Some(plain) = written.get(at..).and_then(|rest| memchr(b'\\', rest.as_bytes())) {
        if decoded + plain >= place {
            break;
        }
        let (c, taken) = unescaped(written.get(at + plain..).unwrap_or_default());
        decoded += plain + c.map_or(taken, char::len_utf8);
        at += plain + taken;
    }
    (at + place.saturating_sub(decoded)).min(written.len())
}

/// What the escape at the start of a text stands for, and its length.
fn unescaped(text: &str) -> (Option<char>, usize) {
    let bytes = text.as_bytes();
    let c = match bytes.get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(&b @ (b'"' | b'\\' | b'/' | b'\'' | b'`')) => char::from(b),
        Some(b'u') => match unit(bytes) {
            None => return (None, 1),
            Some(high @ 0xd800..0xdc00) => {
                let low = bytes.get(6..).filter(|tail| tail.starts_with(b"\\u")).and_then(unit);
                return match low {
                    Some(low @ 0xdc00..0xe000) => {
                        let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                        (char::from_u32(code), 12)
                    }
                    _ => (Some(char::REPLACEMENT_CHARACTER), 6),
                };
            }
            Some(code) => {
                return (Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)), 6);
            }
        },
        _ => return (None, 1),
    };
    (Some(c), 2)
}

/// The code unit of a `\uXXXX`.
fn unit(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.get(2..6)?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
