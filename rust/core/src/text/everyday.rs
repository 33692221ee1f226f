//! The short way to the numbers that almost all numbers are: a few ASCII digits, perhaps with
//! thousands separators or decimals, among blanks, words, plain punctuation and dollar signs.
//!
//! It declines wherever anything around the digits could matter, and gives what
//! [`super::numeral`] gives wherever it does not: a test compares both.

/// More digits may not make a whole number of 53 bits, which alone divides exactly.
const MOST: usize = 15;
const POWERS: [f64; MOST + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// The number whose first digit is at `start`, and its end.
pub(super) fn number(text: &[u8], start: usize) -> Option<(f64, usize)> {
    if unsigned(text, start) { unlinked(text, start) } else { None }
}

/// As [`number`], whatever stands before it.
pub(super) fn unlinked(text: &[u8], start: usize) -> Option<(f64, usize)> {
    let (value, end) = decimal(text, start)?;
    ends(text, end, value.to_bits() == 10_f64.to_bits()).then_some((value, end))
}

/// The whole number of these digits and its end, when nothing beyond ASCII can belong to it.
pub(super) fn whole(text: &[u8], start: usize) -> Option<(f64, usize)> {
    let (mut value, mut at) = (0, start);
    while let Some(next) = digit(text, at).filter(|_| at < start + MOST) {
        value = value * 10 + next;
        at += 1;
    }
    let ends = at > start && byte(text, at).is_ascii() && digit(text, at).is_none();
    ends.then_some((value as f64, at))
}

/// The byte at a place; the end of a text is as plain as that of a line.
fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(b'\n')
}

fn digit(text: &[u8], at: usize) -> Option<u64> {
    Some(byte(text, at)).filter(u8::is_ascii_digit).map(|byte| u64::from(byte - b'0'))
}

/// Whether what stands before the digits is neither a sign nor a name.
fn unsigned(text: &[u8], start: usize) -> bool {
    let before = |at: usize| at.checked_sub(1).map_or(b'\n', |at| byte(text, at));
    let mark = |byte: u8| matches!(byte, b'-' | b'*' | b'_' | b'`' | b'\\');
    let (mut at, mut front) = (start, before(start));
    if front == b' ' {
        at -= 1;
        front = before(at);
        if front != b'$' {
            return front.is_ascii() && front != b' ';
        }
    }
    if front == b'$' {
        front = before(at - 1);
        return front.is_ascii() && !mark(front);
    }
    front.is_ascii() && !front.is_ascii_alphanumeric() && !mark(front) && front != b'.'
}

/// Digits with thousands separators and decimals, and their end.
fn decimal(text: &[u8], start: usize) -> Option<(f64, usize)> {
    let (mut mantissa, mut digits, mut at) = (0, 0, start);
    while let Some(next) = digit(text, at).filter(|_| digits < MOST) {
        mantissa = mantissa * 10 + next;
        digits += 1;
        at += 1;
    }
    let led = digits <= 3 && byte(text, start) != b'0';
    while byte(text, at) == b',' && digit(text, at + 1).is_some() {
        if !led || digits + 3 > MOST {
            return None;
        }
        for place in at + 1..at + 4 {
            mantissa = mantissa * 10 + digit(text, place)?;
        }
        digits += 3;
        at += 4;
        digit(text, at).is_none().then_some(())?;
    }
    let whole = digits;
    if byte(text, at) == b'.' && digit(text, at + 1).is_some() {
        at += 1;
        while let Some(next) = digit(text, at).filter(|_| digits < MOST) {
            mantissa = mantissa * 10 + next;
            digits += 1;
            at += 1;
        }
    }
    if digits == 0 || digit(text, at).is_some() {
        return None;
    }
    let value = mantissa as f64;
    if digits == whole {
        return Some((value, at));
    }
    // Both are exact, so that the quotient is the float nearest to the decimal.
    Some((value / POWERS.get(digits - whole)?, at))
}

/// Whether what stands behind the digits changes nothing about them.
fn ends(text: &[u8], end: usize, ten: bool) -> bool {
    let next = byte(text, end + 1);
    match byte(text, end) {
        b' ' => {
            let at = behind_blanks(text, end);
            match byte(text, at) {
                b'0'..=b'9' => apart(text, at),
                b'/' | b'.' | b'\'' | b'\t' => false,
                b'*' => multiplies_plainly(text, at + 1),
                b'\\' => command(text, at + 1),
                b'a'..=b'z' | b'A'..=b'Z' => noun(text, at),
                128.. => operator(text, at),
                _ => true,
            }
        }
        // 10**3 is a power.
        b'*' => !ten && multiplies_plainly(text, end + 1),
        b'\\' => next != b',' && command(text, end + 1),
        // `46<sup>2</sup>`
        b'<' => next != b's',
        b',' | b':' => next.is_ascii() && !next.is_ascii_digit(),
        b'-' => next.is_ascii() && !next.is_ascii_alphabetic(),
        b'.' => next.is_ascii() && !next.is_ascii_alphanumeric() && !matches!(next, b'.' | b'\''),
        b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'\'' | b'^' | b'{' | b'\t' => false,
        128.. => operator(text, end),
        _ => true,
    }
}

/// Whether the digits here, behind a number and blanks, are neither thousands of it nor the
/// numerator of a fraction.
fn apart(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let digits = rest.iter().take(MOST).take_while(|byte| byte.is_ascii_digit()).count();
    let behind = byte(text, at + digits);
    digits != 3 && behind.is_ascii() && behind != b'/' && !behind.is_ascii_digit()
}

fn behind_blanks(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|&&byte| byte == b' ').count()
}

/// Whether the other factor is no power of ten: then the digits are no mantissa.
fn multiplies_plainly(text: &[u8], at: usize) -> bool {
    let at = behind_blanks(text, at);
    match [byte(text, at), byte(text, at + 1), byte(text, at + 2)] {
        [b'1', b'0', power] => !matches!(power, b'^' | b'*' | b'<' | 128..),
        [b'1', next, _] => next.is_ascii(),
        [first, ..] => first.is_ascii() && first != b'\t',
    }
}

/// Whether a LaTeX command with this name is neither a fraction nor part of a power of ten.
fn command(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    match rest.get(..end).unwrap_or_default() {
        // A blank of LaTeX may part thousands.
        b"" => byte(text, at).is_ascii_graphic(),
        b"times" | b"cdot" => multiplies_plainly(text, at + end),
        b"frac" | b"dfrac" | b"tfrac" | b"cfrac" => false,
        _ => true,
    }
}

/// Whether a sign of multiplication or division stands here that leaves the digits as they are.
fn operator(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    rest.starts_with("÷".as_bytes())
        || (rest.starts_with("×".as_bytes()) && multiplies_plainly(text, at + 2))
}

/// Whether a word begins here that can neither scale a number nor make a time of it. Three
/// letters are enough to tell of all but a few.
fn noun(text: &[u8], at: usize) -> bool {
    let letter = |place: usize| byte(text, at + place).to_ascii_lowercase();
    let joined = |byte: u8| matches!(byte, b'.' | b'\'' | 128..);
    match [letter(0), letter(1), letter(2)] {
        [_, next, _] if joined(next) => false,
        [b'x', next, _] if !next.is_ascii_lowercase() => multiplies_plainly(text, at + 1),
        [alone, next, _] if !next.is_ascii_lowercase() => {
            !matches!(alone, b'b' | b'k' | b'm' | b't')
        }
        [_, _, next] if joined(next) => false,
        [a, b, next] if !next.is_ascii_lowercase() => {
            !matches!(&[a, b], b"am" | b"bn" | b"cr" | b"mm" | b"mn" | b"pm" | b"tn")
        }
        head => !matches!(
            &head,
            b"bil"
                | b"bin"
                | b"bln"
                | b"cro"
                | b"doz"
                | b"dui"
                | b"gra"
                | b"gro"
                | b"hun"
                | b"jut"
                | b"lac"
                | b"lak"
                | b"mid"
                | b"mil"
                | b"mio"
                | b"mld"
                | b"mln"
                | b"mlr"
                | b"mrd"
                | b"ngh"
                | b"noo"
                | b"ocl"
                | b"rib"
                | b"sco"
                | b"tau"
                | b"tho"
                | b"tis"
                | b"tri"
                | b"trn"
                | b"tsd"
                | b"tuh"
                | b"tus"
                | b"tys"
                | b"uhr"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexer::Kind;
    use super::super::numeral::{Scan, numeral, written};
    use super::*;

    /// Numbers among what may change them.
    fn text(state: &mut u64, pieces: usize) -> String {
        const PIECES: [&str; 64] = [
            "1",
            "2",
            "10",
            "46",
            "234",
            "000",
            "125",
            "1234",
            "0",
            "9007199254740993",
            " ",
            " ",
            " ",
            " ",
            "  ",
            ",",
            ".",
            ",234",
            ".5",
            "'",
            "/",
            "/",
            "/2",
            "⁄",
            "*",
            "**",
            "^",
            "10^2",
            "×",
            "x",
            "X ",
            "÷",
            "-",
            "\\,",
            "\\frac{1}{2}",
            "\\times",
            "\\cdot",
            "\\",
            "{,}",
            "%",
            "$",
            "k",
            "K",
            "M",
            "m",
            "bn",
            "mm",
            "million",
            "thousand",
            "dozen",
            "pens",
            "pm",
            "noon",
            "h",
            "e3",
            "²",
            "½",
            "٣",
            "\u{200b}",
            "\u{301}",
            "<sup>3</sup>",
            ":",
            "\t",
            "\n",
        ];
        let mut text = String::new();
        for _ in 0..pieces {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text += PIECES.get((*state >> 58) as usize).copied().unwrap_or_default();
        }
        text
    }

    #[test]
    fn short_ways_read_what_the_long_one_does() {
        for text in ["46 × 10<sup>3</sup>", "46x10<sup>3</sup>", "46 1/2", "46 125", "46/125/3"] {
            let here = Scan { text, at: 0 };
            let (mut fast, mut slow) = (here, here);
            let found = (numeral(&mut fast, false), fast.at);
            assert_eq!(found, (written(&mut slow, false), slow.at), "{text}");
        }
        let mut state = 11;
        let (mut short, mut fractions) = (0, 0);
        for round in 0..200_000 {
            let text = format!("{}{}", round % 50, text(&mut state, 1 + round % 9));
            for money in [false, true] {
                let here = Scan { text: &text, at: 0 };
                let (mut fast, mut slow) = (here, here);
                let found = (numeral(&mut fast, money), fast.at);
                assert_eq!(found, (written(&mut slow, money), slow.at), "{text:?} {money}");
                fractions += usize::from(text.contains('/') && matches!(found.0, Kind::Number(_)));
            }
            short += usize::from(unlinked(text.as_bytes(), 0).is_some());
        }
        assert!(short > 50_000 && fractions > 1_000, "{short} {fractions}");
    }
}
