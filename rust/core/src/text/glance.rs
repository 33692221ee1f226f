//! What can be told of a text at a glance: that it holds no number, or no time of day.
//!
//! Most replies that a scorer meets state nothing, or state it plainly. A look at the bytes, many
//! at once, spares them the reader. A glance errs only by finding too much.

use super::chars::{is_invisible, plain};
use super::numeral::Scan;
use super::sieve::{INNER, MANY as BLOCK, Sieve, pad};
use super::time::{half, hours, word};
use memchr::{memchr, memrchr};
use std::ops::Range;

/// Whether a text has a digit of any kind.
pub(super) fn may_hold_number(text: &str) -> bool {
    const TENS: u64 = u64::from_ne_bytes([10; 8]);
    const ZEROS: u64 = u64::from_ne_bytes([b'0'; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let (words, rest) = text.as_bytes().as_chunks();
    let (mut digits, mut beyond) = (0, 0);
    for word in words {
        let word = u64::from_ne_bytes(*word);
        // Whether a byte is less than ten once the digits are.
        let from_zero = word ^ ZEROS;
        digits |= from_zero.wrapping_sub(TENS) & !from_zero;
        beyond |= word;
    }
    let mut digit = digits & HIGH != 0;
    for byte in rest {
        digit |= byte.is_ascii_digit();
        beyond |= u64::from(*byte);
    }
    digit || (beyond & HIGH != 0 && text.contains(is_foreign_number))
}

/// Digits and numbers beyond ASCII; the dashes and quotes that prose is full of are none.
fn is_foreign_number(c: char) -> bool {
    !c.is_ascii() && !('\u{2010}'..='\u{205f}').contains(&c) && c.is_numeric()
}

/// Where the last digit of any kind stands.
pub(super) fn last_digit(text: &str) -> Option<usize> {
    text.rfind(|c: char| c.is_ascii_digit() || is_foreign_number(c))
}

/// Where something stands, behind all else in the text, that a time of day may begin or end with;
/// with `dots`, a time such as `16.15` too.
pub(super) fn last_time(text: &str, dots: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut end = bytes.len();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        let rest = bytes.get(start..)?;
        let mut marks = match rest.first_chunk::<{ BLOCK + 1 }>() {
            Some(block) => TIMES.places(block, marks_time),
            None => TIMES.places(&pad::<{ BLOCK + 1 }>(rest), marks_time),
        };
        if end < BLOCK {
            marks &= (1 << end) - 1;
        }
        while let Some(last) = marks.checked_ilog2() {
            let at = start + last as usize;
            if tells_time(text, at, dots) {
                return Some(at);
            }
            marks &= !(1 << last);
        }
        end = start;
    }
    None
}

/// What every time has: digits before what may be behind them, a part of *noon*, *midday* or
/// *midnight*, or something beyond ASCII.
static TIMES: Sieve<2> = {
    let mut times = Sieve::new();
    let mut byte = 0_u8;
    loop {
        // Buckets of bytes with like upper halves, so that few others pass.
        let mut bucket = 0;
        while bucket < 5 {
            if byte.is_ascii_digit() {
                times.admit(bucket, 0, byte);
            }
            bucket += 1;
        }
        if OPENS[byte as usize] {
            let bucket = match byte >> 4 {
                0 | 2 => 0,
                3 => 1,
                4 | 6 => 2,
                5 | 7 => 3,
                _ => 4,
            };
            times.admit(bucket, 1, byte);
        }
        if byte >= 0x80 {
            times.admit(5, 0, byte);
        }
        times.admit(5, 1, byte);
        let letter = byte | 0x20;
        if letter == b'o' {
            times.admit(6, 0, byte);
            times.admit(6, 1, byte);
        }
        if letter == b'm' {
            times.admit(7, 0, byte);
        }
        if letter == b'i' {
            times.admit(7, 1, byte);
        }
        if byte == u8::MAX {
            break times;
        }
        byte += 1;
    }
};

/// Whether a byte, given the one behind it, may be what every time has.
#[expect(clippy::needless_bitwise_bool, reason = "no branches, so that many are done at once")]
fn marks_time(byte: u8, behind: u8) -> bool {
    let [one, two] = [byte | 0x20, behind | 0x20];
    let digit = byte.wrapping_sub(b'0') < 10;
    let noon = (one == b'o') & (two == b'o');
    let mid = (one == b'm') & (two == b'i');
    digit | noon | mid | (byte >= 0x80)
}

/// Whether `accepts` takes one of the runs of ASCII letters and digits.
pub(super) fn holds_word(text: &str, accepts: impl Fn(&[u8]) -> bool) -> bool {
    let in_word =
        |byte: u8, _| ((byte | 0x20).wrapping_sub(b'a') < 26) | (byte.wrapping_sub(b'0') < 10);
    let mut rest = text.as_bytes();
    let mut goes_on = 0;
    while !rest.is_empty() {
        let inner = match rest.first_chunk::<BLOCK>() {
            Some(block) => INNER.places(block, in_word),
            None => INNER.places(&pad::<BLOCK>(rest), in_word),
        };
        let mut starts = inner & !(inner << 1 | goes_on);
        goes_on = inner >> (BLOCK - 1);
        while starts != 0 {
            let start = starts.trailing_zeros();
            let word = rest.get(start as usize..).unwrap_or_default();
            let length = (inner >> start).trailing_ones();
            let mut length = length as usize;
            if start as usize + length == BLOCK {
                let behind = word.get(length..).unwrap_or_default();
                length += behind.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            }
            if accepts(word.get(..length).unwrap_or_default()) {
                return true;
            }
            starts &= starts - 1;
        }
        rest = rest.get(BLOCK..).unwrap_or_default();
    }
    false
}

/// Whether the character here, or what is behind it, may belong to a time.
fn tells_time(text: &str, at: usize, dots: bool) -> bool {
    let bytes = text.as_bytes();
    let rest = bytes.get(at..).unwrap_or_default();
    let starts = |name: &[u8]| rest.get(..name.len()).is_some_and(|r| r.eq_ignore_ascii_case(name));
    match rest {
        [b'0'..=b'9', behind @ ..] => opens(behind, dots) && follows_hours(text, at + 1, dots),
        [b'o' | b'O', ..] => {
            let n = at.checked_sub(1).and_then(|at| bytes.get(at));
            starts(b"oon") && matches!(n, Some(b'n' | b'N'))
        }
        [b'm' | b'M', ..] => starts(b"midday") || starts(b"midnight"),
        // Digits and letters of another width or script, and what may hide between two of ASCII.
        [0xc0..=0xff, ..] => text.get(at..).and_then(|rest| rest.chars().next()).is_some_and(|c| {
            let plain = plain(c);
            is_invisible(c) || plain.is_ascii_alphanumeric() || plain == ':'
        }),
        _ => false,
    }
}

/// The bytes that may stand directly behind the digits of a time.
const OPENS: [bool; 256] = {
    let signs = b" \t*_`:.adehimnoptuvADEHIMNOPTUV";
    let mut opens = [false; 256];
    let mut at = 0;
    while at < signs.len() {
        opens[signs[at] as usize] = true;
        at += 1;
    }
    at = 0x80;
    while at < opens.len() {
        opens[at] = true;
        at += 1;
    }
    opens
};

/// Whether what is behind digits may begin as what is behind those of a time: told by two bytes,
/// markup aside.
fn opens(behind: &[u8], dots: bool) -> bool {
    // Most digits have a comma, a sign or another digit behind them.
    if !behind.first().is_some_and(|byte| OPENS[usize::from(*byte)]) {
        return false;
    }
    let gap = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'*' | b'_' | b'`');
    let at = behind.iter().take_while(gap).count();
    let byte = |at: usize| behind.get(at).map_or(b'\n', u8::to_ascii_lowercase);
    let [next, third] = [byte(at + 1), byte(at + 2)];
    match byte(at) {
        b'.' => dots,
        b':' | 0x80.. => true,
        b'a'..=b'z' if next >= 0x80 || third >= 0x80 => true,
        // at night, at noon
        b'a' if next == b't' => {
            let rest = behind.get(at + 2..).unwrap_or_default();
            rest.iter().find(|byte| !gap(byte)).is_some_and(|b| matches!(b, b'n' | b'N' | 0x80..))
        }
        b'a' => {
            matches!((next, third), (b' ' | b'\t' | b'.' | b'm', _) | (b'b', b'e') | (b'f', b't'))
        }
        b'p' => matches!(next, b' ' | b'\t' | b'.' | b'm'),
        b'd' => matches!((next, third), (b'a' | b'e' | b'i' | b'u', b' ' | b'\t' | b'l')),
        b'e' => (next, third) == (b'v', b'e'),
        // heures, heute
        b'h' if next == b'e' => third == b'u',
        b'h' => matches!(next, b'o' | b'r') || !next.is_ascii_alphabetic(),
        b'i' => next == b'n',
        b'm' => matches!((next, third), (b'i', b'd') | (b'o', b'r')),
        b'n' => matches!((next, third), (b'a', b'c') | (b'o', b'o')),
        b'o' => next == b'\'',
        b't' => matches!((next, third), (b'h', b'i') | (b'o', b'n')),
        b'u' => next == b'h',
        b'v' => next == b'o',
        _ => false,
    }
}

/// Whether digits that end here may be those of a time.
fn follows_hours(text: &str, at: usize, dots: bool) -> bool {
    let scan = Scan { text, at };
    let mut ahead = scan;
    if dots && ahead.eat('.') && ahead.peek().is_some_and(|c| c.is_ascii_digit()) {
        return true;
    }
    ahead = scan;
    ahead.skip(|c| matches!(c, ' ' | '*' | '_' | '`'));
    match ahead.peek().map(|c| c.to_ascii_lowercase()) {
        Some(':') => {
            ahead.next();
            ahead.skip(|c| c == ' ');
            ahead.peek().is_some_and(|c| c.is_ascii_digit())
        }
        Some('h' | 'u') if hours(&mut ahead.clone()) => true,
        Some('h') => {
            let mut letter = ahead;
            letter.next();
            !letter.peek().is_some_and(char::is_alphabetic)
                || word(&mut ahead.clone(), "heures")
                || word(&mut ahead, "heure")
                || half(scan).is_some()
        }
        Some('o') => word(&mut ahead, "o'clock"),
        Some('a' | 'd' | 'e' | 'i' | 'm' | 'n' | 'p' | 't' | 'v') => half(scan).is_some(),
        // 点, or a word of another alphabet.
        Some(c) => !c.is_ascii() && c.is_alphabetic(),
        None => false,
    }
}

/// The lines of a text that `last` finds something in, from the last to the first, each with the
/// line break before it: there the lexer begins anew.
pub(super) fn lines_from_end(
    text: &str,
    last: impl Fn(&str) -> Option<usize>,
) -> impl Iterator<Item = Range<usize>> {
    let mut end = text.len();
    std::iter::from_fn(move || {
        let head = text.get(..end)?;
        let at = last(head)?;
        let start = memrchr(b'\n', head.get(..at)?.as_bytes()).unwrap_or(0);
        let stop = memchr(b'\n', head.get(at..)?.as_bytes()).map_or(end, |length| at + length);
        end = start;
        Some(start..stop)
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::text::answer::{Dialect, Markers, Which};
    use crate::text::sieve::tests::plainly;
    use crate::text::{number, time, word};

    /// Texts over few pieces, so that marks of numbers and times meet at every kind of edge.
    pub(in crate::text) fn text(state: &mut u64, pieces: usize) -> String {
        const PIECES: [&str; 64] = [
            " ",
            " ",
            " ",
            " ",
            " ",
            " ",
            "\n",
            "\n",
            "\nANSWER: ",
            "answer:",
            ":",
            ":",
            ".",
            ",",
            "4",
            "16",
            "1615",
            "15",
            "0",
            "4:15",
            "16:15",
            "27:80",
            "h",
            "h15",
            " hrs",
            "H",
            "am",
            "p.m.",
            " pm ",
            "P",
            "m",
            "a. m.",
            "in the ",
            "morning",
            "at night",
            "at ",
            "noon",
            "Noon",
            "no",
            "on",
            "midday",
            "midnight",
            "mid",
            "o'clock",
            "O’CLOCK",
            "Uhr",
            "\t",
            "\u{200b}",
            "\u{a0}",
            "：",
            "４",
            "ｎｏｏｎ",
            "é",
            "½",
            "$",
            "-",
            "*",
            "**",
            "Ana",
            "ben",
            "'s",
            "or ",
            "<b>",
            "not ",
        ];
        let mut text = String::new();
        for _ in 0..pieces {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text += PIECES.get((*state >> 58) as usize).copied().unwrap_or_default();
        }
        text
    }

    /// The value without a trace is that of the reading with one, which takes no glance.
    #[test]
    fn a_glance_changes_no_value() {
        let options = word::Options::new(["Ana", "Ben", "16"]).expect("options");
        let letters = word::Options::new(["Ana", "ben", "Noon"]).expect("options");
        let mut state = 3;
        let mut read = [0; 3];
        for round in 0..6_000 {
            let reply = text(&mut state, 1 + round % 29);
            for which in [Which::First, Which::Last] {
                let markers = Markers::new(&["ANSWER".into()], which).expect("a marker");
                for fallback in [number::Fallback::None, number::Fallback::LastNumber] {
                    let dialect = number::Dialect::Strict;
                    let value = number::value(&reply, &markers, dialect, fallback);
                    let whole = number::answer_number(&reply, &markers, dialect, fallback).value;
                    assert_eq!(value, whole, "{reply:?}");
                    read[0] += usize::from(value.is_some());
                }
                for fallback in [time::Fallback::None, time::Fallback::LastTime] {
                    let value = time::value(&reply, &markers, Dialect::Strict, fallback);
                    let whole = time::answer_time(&reply, &markers, Dialect::Strict, fallback);
                    assert_eq!(value, whole.value, "{reply:?}");
                    read[1] += usize::from(value.is_some());
                }
                for options in [&options, &letters] {
                    let value = word::value(&reply, &markers, options, Dialect::Strict);
                    let whole = word::answer_word(&reply, &markers, options, Dialect::Strict);
                    assert_eq!(value, whole.value, "{reply:?}");
                    read[2] += usize::from(value.is_some());
                }
            }
        }
        assert!(read.iter().all(|read| *read > 50), "{read:?}");
    }

    #[test]
    fn every_time_is_seen() {
        for time in [
            "4:15",
            "4 pm",
            "4pm",
            "4 P. M.",
            "4.15 pm",
            "16h15",
            "16 h 15",
            "16h",
            "1615 hrs",
            "1615h",
            "1615 Uhr",
            "4 o'clock",
            "4 O’Clock",
            "4  in the morning",
            "4 at noon",
            "12 midnight",
            "noon",
            "Midday",
            "midnight",
            "４：１５",
            "4\u{200b}:15",
            "4\tpm",
            "4\u{a0}pm",
            "4 : 15",
            "4: 15",
            "4 :15",
            "4 ： 15",
            "4.15pm",
            "4点半",
            "4 时 15 分",
            "9 вечера",
            "4 **pm**",
            "4 de la tarde",
            "9 abends",
            "415 pm",
            "0415 p.m.",
            "4 tonight",
            "4 nachmittags",
        ] {
            for before in ["", "I left at ", &"x".repeat(63), &"é".repeat(40)] {
                for behind in ["", ".", " and went", &" y".repeat(64)] {
                    let text = format!("{before} {time}{behind}");
                    assert!(last_time(&text, false).is_some(), "{text:?}");
                }
            }
        }
        assert!(last_time("16.15", true).is_some());
        for none in [
            "",
            "4",
            "16.15",
            "$4.50, 3 pens",
            "3 apples",
            "4 hooks",
            "7 items in a row",
            "moon",
            "3 middle",
            "4 at 5",
            "— it’s naïve €5",
            "12: no",
            "4 uhren",
        ] {
            assert_eq!(last_time(none, false), None, "{none:?}");
        }
    }

    #[test]
    fn wide_registers_see_what_plain_ones_do() {
        let mut state = 9;
        let mut seen = [0; 2];
        for round in 0..20_000 {
            let text = text(&mut state, 1 + round % 60);
            for dots in [false, true] {
                let last = || last_time(&text, dots);
                assert_eq!(plainly(last), last(), "{text:?}");
                seen[0] += usize::from(last().is_some());
            }
            let holds = || holds_word(&text, |word| word.eq_ignore_ascii_case(b"ben"));
            assert_eq!(plainly(holds), holds(), "{text:?}");
            seen[1] += usize::from(holds());
        }
        assert!(seen.iter().all(|seen| *seen > 1_000), "{seen:?}");
    }

    #[test]
    fn lines_come_from_the_end() {
        let text = "a 1\nb\n2 c\n\n3";
        let lines: Vec<&str> =
            lines_from_end(text, last_digit).filter_map(|line| text.get(line)).collect();
        assert_eq!(lines, ["\n3", "\n2 c", "a 1"]);
        assert_eq!(lines_from_end("none", last_digit).count(), 0);
        assert_eq!(lines_from_end("\n1", last_digit).next(), Some(0..2));
    }
}
