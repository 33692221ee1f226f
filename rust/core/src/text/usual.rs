//! The shortest way to a number: up to seven ASCII digits, perhaps with decimals, whose neighbours
//! show at once that they are all of it. It declines most of what [`super::everyday`] still reads,
//! and gives what that gives wherever it does not: a test compares both.
//!
//! What stands around a number differs from one to the next, so that a processor cannot foresee a
//! branch on it, and one unforeseen takes longer than all the rest. Tables answer instead, and there
//! is one branch, which nearly always goes the same way.

use super::everyday::SECOND;

/// Bytes before the first digit that are looked at.
const FRONT: usize = 2;
type Window = [u8; FRONT + 22];

/// What a byte says of its neighbour, and what it is to one: as bits, of which both have to share
/// one.
#[derive(Clone, Copy)]
struct Signs {
    /// As the last byte before a number, of the one before.
    last: u8,
    /// As the byte before that one.
    before: u8,
    /// As the first byte behind a number, of the next.
    behind: u8,
    /// As a byte after that one.
    ahead: u8,
}

const ANY: u8 = 1;
const BLANK: u8 = 2;
const DOLLAR: u8 = 4;
const POINT: u8 = 4;
const LETTER: u8 = 8;
/// No part of a word that begins before.
const APART: u8 = 16;

static SIGNS: [Signs; 256] = {
    let mut signs = [Signs { last: 0, before: 0, behind: 0, ahead: 0 }; 256];
    let mut byte = 0_u8;
    loop {
        signs[byte as usize] = Signs {
            last: last(byte),
            before: before(byte),
            behind: behind(byte),
            ahead: ahead(byte),
        };
        if byte == u8::MAX {
            break signs;
        }
        byte += 1;
    }
};

#[inline]
const fn if_so(so: bool, bit: u8) -> u8 {
    if so { bit } else { 0 }
}

/// Such a byte may hide a sign or a name before it.
const fn mark(byte: u8) -> bool {
    matches!(byte, b'-' | b'*' | b'_' | b'`' | b'\\')
}

const fn last(byte: u8) -> u8 {
    match byte {
        b' ' => BLANK,
        b'$' => DOLLAR,
        b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | 128.. => 0,
        _ => if_so(!mark(byte), ANY),
    }
}

const fn before(byte: u8) -> u8 {
    let blank = byte.is_ascii() && byte != b' ' && byte != b'$';
    ANY | if_so(blank, BLANK) | if_so(byte.is_ascii() && !mark(byte), DOLLAR)
}

const fn behind(byte: u8) -> u8 {
    match byte {
        b' ' => BLANK | LETTER,
        b'.' | b',' | b':' | b'-' => POINT,
        b'*' | b'\\' | b'<' | b'/' | b'\'' | b'^' | b'{' | b'\t' => 0,
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | 128.. => 0,
        _ => ANY,
    }
}

const fn ahead(byte: u8) -> u8 {
    let apart = byte.is_ascii() && byte != b'.' && byte != b'\'';
    let point = apart && !byte.is_ascii_alphanumeric();
    let blank = point && !matches!(byte, b' ' | b'/' | b'\t' | b'*' | b'\\');
    let letter = byte.is_ascii_alphabetic();
    ANY | if_so(blank, BLANK) | if_so(point, POINT) | if_so(letter, LETTER) | if_so(apart, APART)
}

/// The number whose first digit is at `start`, and its end.
#[inline]
pub(super) fn number(text: &[u8], start: usize) -> Option<(f64, usize)> {
    static POWERS: [i64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
    let window: &Window = text.get(start.checked_sub(FRONT)?..)?.first_chunk()?;
    let signs = |at: usize| SIGNS[usize::from(byte(window, at))];
    let opens = signs(FRONT - 1).last & signs(FRONT - 2).before;
    let (whole, count) = digits(window, FRONT);
    let point = FRONT + count;
    let (part, decimals) = digits(window, point + 1);
    let decimal = byte(window, point) == b'.' && decimals > 0;
    let (part, decimals) = if decimal { (part, decimals) } else { (0, 0) };
    let end = point + usize::from(decimal) + decimals;
    let [first, second, third] = [1, 2, 3].map(|ahead| byte(window, end + ahead));
    let [one, two, three] = [first, second, third].map(|byte| SIGNS[usize::from(byte)].ahead);
    // A word of at least two letters that is neither a scale nor a unit of time.
    let unit = SECOND[usize::from(first & 31)] >> (second & 31) & 1 != 0;
    let word = one & two & if_so(!unit, LETTER) & if_so(three & APART != 0, LETTER);
    let closes = signs(end).behind & (one & !LETTER | word);
    let power = POWERS[decimals & 7];
    let value = (whole * power + part) as f64 / power as f64;
    let sure = (opens != 0) & (closes != 0) & (count.wrapping_sub(1) < 7) & (decimals < 8);
    sure.then_some((value, start + end - FRONT))
}

/// A byte of a window; what is beyond it ends no number.
#[inline]
fn byte(window: &Window, at: usize) -> u8 {
    window.get(at).copied().unwrap_or(u8::MAX)
}

/// The value of one to seven digits, and how many there are; with none or eight, only that.
#[inline]
fn digits(window: &Window, at: usize) -> (i64, usize) {
    #[inline]
    const fn all(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    let eight = window.get(at..).and_then(|rest| rest.first_chunk());
    // All eight bytes at once: digits become their values, and the high bits of others are set.
    let values = u64::from_le_bytes(eight.copied().unwrap_or_default()) ^ all(b'0');
    let others = (((values & all(0x7f)) + all(0x80 - 10)) | values) & all(0x80);
    let bits = others.trailing_zeros() & !7;
    // Pairs of neighbours, pairs of pairs, and both halves; the first digit is in the lowest byte.
    let ones = values.checked_shl(64 - bits).unwrap_or_default();
    let twos = (ones * 10 + (ones >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (twos * 100 + (twos >> 16)) & 0x0000_ffff_0000_ffff;
    (((fours * 10_000 + (fours >> 32)) & 0xffff_ffff).cast_signed(), bits as usize / 8)
}

#[cfg(test)]
mod tests {
    use super::super::everyday;
    use super::*;

    #[test]
    fn what_is_read_is_what_the_next_way_reads() {
        const PIECES: [&str; 32] = [
            "1", "27", "004", "1234567", "12345678", "0", "9.5", ".25", ",000", ".", ",", ":", "-",
            " ", " ", " ", "$", "%", "(", "*", "/", "'", "\\", "\t", "a", "me", "pens", "Bn",
            "million", "x", "é", "^",
        ];
        let (mut state, mut read) = (7_u64, 0);
        for round in 0..400_000 {
            let mut text = String::from(["so ", "it $", "(", "a-", "\n"][round % 5]);
            let start = text.len();
            for piece in 0..2 + round % 6 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = usize::try_from(state >> 59).unwrap_or_default();
                text += PIECES[if piece == 0 { at % 7 } else { at }];
            }
            text += "; and so on to the end";
            if let Some(found) = number(text.as_bytes(), start) {
                let same = everyday::number(text.as_bytes(), start) == Some(found);
                assert!(same, "{text:?}: {found:?}");
                read += 1;
            }
        }
        assert!(read > 30_000, "{read}");
        for (text, value) in
            [("at $4.50 each, or so I recall", 4.5), ("is 46. And then there was", 46.0)]
        {
            let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
            assert_eq!(
                number(text.as_bytes(), start).map(|(value, _)| value),
                Some(value),
                "{text}"
            );
        }
    }
}
