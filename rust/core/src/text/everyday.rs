//! The short way to the numbers that almost all numbers are: a few ASCII digits, perhaps with
//! thousands separators or decimals, among blanks, words, plain punctuation and dollar signs.
//!
//! It declines wherever anything around the digits could matter, and gives what
//! [`super::numeral`] gives wherever it does not: a test compares both.

/// Whole numbers up to here are floats, so that a quotient of two is the float nearest to it.
const EXACT: i64 = 1 << 53;
const POWERS: [i64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// Bytes before the first digit that are looked at.
const FRONT: usize = 2;

/// The bytes around a number, far enough to settle the usual ones.
type Window = [u8; FRONT + 22];

/// What `look` makes of the bytes around `start`; the ends of a text are as plain as those of a line.
#[inline]
fn around<T>(text: &[u8], start: usize, look: impl FnOnce(&Window) -> T) -> T {
    let window = start.checked_sub(FRONT).and_then(|from| text.get(from..)?.first_chunk());
    let padded;
    look(if let Some(window) = window {
        window
    } else {
        padded = at_an_end(text, start);
        &padded
    })
}

#[cold]
fn at_an_end(text: &[u8], start: usize) -> Window {
    let mut window = [b'\n'; size_of::<Window>()];
    let from = start.saturating_sub(FRONT);
    let place = window.get_mut(from + FRONT - start..).unwrap_or_default();
    let bytes = text.get(from..).unwrap_or_default();
    let length = bytes.len().min(place.len());
    place[..length].copy_from_slice(&bytes[..length]);
    window
}

/// The number whose first digit is at `start`, and its end.
#[inline]
pub(super) fn number(text: &[u8], start: usize) -> Option<(f64, usize)> {
    let (value, length) = around(text, start, unsigned)?;
    Some((value, start + length))
}

/// As [`number`], whatever stands before it.
#[inline]
pub(super) fn unlinked(text: &[u8], start: usize) -> Option<(f64, usize)> {
    let (value, length) = around(text, start, read)?;
    Some((value, start + length))
}

/// The whole number of these digits and its end, when nothing beyond ASCII can belong to it.
pub(super) fn whole(text: &[u8], start: usize) -> Option<(f64, usize)> {
    around(text, start, |window| {
        let (value, count) = digits(window, FRONT)?;
        byte(window, FRONT + count).is_ascii().then_some((value as f64, start + count))
    })
}

/// The end of a time of day that begins here, and of what is glued to it: no number.
pub(super) fn clock(text: &[u8], start: usize) -> Option<usize> {
    let colon = around(text, start, |window| {
        let at = FRONT + digits(window, FRONT)?.1;
        Some(window[FRONT - 1] != b'.' && byte(window, at) == b':' && is_digit(window, at + 1))
    });
    let glued = |byte: &u8| byte.is_ascii_alphanumeric() || b".,/^':".contains(byte);
    let rest = text.get(start..).filter(|_| colon == Some(true))?;
    let count = rest.iter().take_while(|byte| glued(byte)).count();
    rest.get(count).is_none_or(u8::is_ascii).then_some(start + count)
}

/// A byte of a window; beyond it is nothing that could be settled.
#[inline]
fn byte(window: &Window, at: usize) -> u8 {
    window.get(at).copied().unwrap_or(u8::MAX)
}

#[inline]
fn is_digit(window: &Window, at: usize) -> bool {
    byte(window, at).is_ascii_digit()
}

/// The value of one to seven digits, and how many there are.
#[inline]
fn digits(window: &Window, at: usize) -> Option<(i64, usize)> {
    const fn all(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    let eight = window.get(at..)?.first_chunk()?;
    // All eight bytes at once: digits become their values, and the high bits of others are set.
    let values = u64::from_le_bytes(*eight) ^ all(b'0');
    let others = (((values & all(0x7f)) + all(0x80 - 10)) | values) & all(0x80);
    let count = others.trailing_zeros() as usize / 8;
    if count == 0 || others == 0 {
        return None;
    }
    // Pairs of neighbours, pairs of pairs, and both halves; the first digit is in the lowest byte.
    let ones = values << (64 - 8 * count);
    let twos = (ones * 10 + (ones >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (twos * 100 + (twos >> 16)) & 0x0000_ffff_0000_ffff;
    Some((((fours * 10_000 + (fours >> 32)) & 0xffff_ffff).cast_signed(), count))
}

/// The number of a window, when what stands before it is neither a sign nor a name, and its length.
#[inline]
fn unsigned(window: &Window) -> Option<(f64, usize)> {
    let [next, front, ..] = *window;
    let plain = beside(front).front & beside(next).before != 0;
    if plain { read(window) } else { None }
}

/// The number of a window, and its length.
#[inline]
fn read(window: &Window) -> Option<(f64, usize)> {
    let (value, end) = decimal(window)?;
    let ten = value.to_bits() == 10_f64.to_bits();
    (ends_plainly(window, end) || ends(window, end, ten)).then_some((value, end - FRONT))
}

/// What a byte is beside a number, as bits that two neighbours may have in common: no branch goes
/// another way from number to number.
#[derive(Clone, Copy)]
struct Beside {
    /// Directly before the digits, and one further.
    front: u8,
    before: u8,
    /// Directly behind them, and one further.
    end: u8,
    next: u8,
}

static BESIDE: [Beside; 256] = {
    let mut all = [Beside { front: 0, before: 0, end: 0, next: 0 }; 256];
    let mut byte = 0_u8;
    loop {
        all[byte as usize] =
            Beside { front: front(byte), before: before(byte), end: end(byte), next: next(byte) };
        if byte == u8::MAX {
            break all;
        }
        byte += 1;
    }
};

#[inline]
fn beside(byte: u8) -> Beside {
    BESIDE[usize::from(byte)]
}

const fn front(byte: u8) -> u8 {
    match byte {
        b' ' => 1,
        b'$' => 2,
        b'-' | b'*' | b'_' | b'`' | b'\\' | b'.' | 128.. => 0,
        _ if byte.is_ascii_alphanumeric() => 0,
        _ => 4,
    }
}

const fn before(byte: u8) -> u8 {
    match byte {
        b' ' | b'$' => 2 | 4,
        b'-' | b'*' | b'_' | b'`' | b'\\' => 1 | 4,
        128.. => 4,
        _ => 1 | 2 | 4,
    }
}

/// Behind a blank, a word.
const WORD: u8 = 64;

const fn end(byte: u8) -> u8 {
    match byte {
        b',' | b':' => 2,
        b'-' => 4,
        b'.' => 8,
        // `46<sup>2</sup>`
        b'<' => 16,
        b' ' => 32 | WORD,
        b'*' | b'\\' | b'/' | b'\'' | b'^' | b'{' | b'\t' | 128.. => 0,
        _ if byte.is_ascii_alphabetic() => 0,
        _ => 1,
    }
}

const fn next(byte: u8) -> u8 {
    let ascii = byte.is_ascii();
    let bare = !matches!(byte, b'0'..=b'9' | b'/' | b'.' | b'\'' | b'\t' | b'*' | b'\\' | b' ');
    1 | ((ascii && !byte.is_ascii_digit()) as u8 * 2)
        | ((ascii && !byte.is_ascii_alphabetic()) as u8 * 4)
        | ((ascii && !byte.is_ascii_alphanumeric() && !matches!(byte, b'.' | b'\'')) as u8 * 8)
        | ((byte != b's') as u8 * 16)
        | ((ascii && !byte.is_ascii_alphabetic() && bare) as u8 * 32)
        | (byte.is_ascii_alphabetic() as u8 * WORD)
}

/// Whether two bytes behind the digits, or the beginning of a word, tell that they stand for themselves.
#[inline]
fn ends_plainly(window: &Window, end: usize) -> bool {
    let Some([byte, next, second, third]) = window.get(end..).and_then(|rest| rest.first_chunk())
    else {
        return false;
    };
    let told = beside(*byte).end & beside(*next).next;
    // Most words are told by two letters, as in `noun`.
    let head = SECOND[usize::from(next & 31)] >> (second & 31) & 1 == 1;
    let joined = matches!(third, b'.' | b'\'' | 128..);
    let noun = beside(*second).next & WORD != 0 && !head && !joined;
    told & !WORD != 0 || (told != 0) & noun
}

/// Digits with thousands separators and decimals, and their end.
#[inline]
fn decimal(window: &Window) -> Option<(f64, usize)> {
    let (mut mantissa, count) = digits(window, FRONT)?;
    let mut at = FRONT + count;
    if byte(window, at) == b',' && is_digit(window, at + 1) {
        if count > 3 || window[FRONT] == b'0' {
            return None;
        }
        while byte(window, at) == b',' && is_digit(window, at + 1) {
            let (group, _) = digits(window, at + 1).filter(|&(_, count)| count == 3)?;
            mantissa = mantissa * 1_000 + group;
            at += 4;
        }
    }
    if byte(window, at) != b'.' || !is_digit(window, at + 1) {
        return Some((mantissa as f64, at)).filter(|_| mantissa <= EXACT);
    }
    let (part, count) = digits(window, at + 1)?;
    let power = POWERS[count];
    mantissa = mantissa * power + part;
    (mantissa <= EXACT).then_some((mantissa as f64 / power as f64, at + 1 + count))
}

/// Whether what stands behind the digits changes nothing about them, where `ends_plainly` does not
/// tell.
#[inline]
fn ends(window: &Window, end: usize, ten: bool) -> bool {
    match byte(window, end) {
        b' ' => {
            let at = behind_blanks(window, end);
            match byte(window, at) {
                b'0'..=b'9' => apart(window, at),
                b'/' | b'.' | b'\'' | b'\t' => false,
                b'*' => multiplies_plainly(window, at + 1),
                b'\\' => command(window, at + 1),
                b'a'..=b'z' | b'A'..=b'Z' => noun(window, at),
                128.. => operator(window, at),
                _ => true,
            }
        }
        // 10**3 is a power.
        b'*' => !ten && multiplies_plainly(window, end + 1),
        b'\\' => byte(window, end + 1) != b',' && command(window, end + 1),
        128.. => operator(window, end),
        _ => false,
    }
}

/// Whether the digits here, behind a number and blanks, are neither thousands of it nor the
/// numerator of a fraction.
fn apart(window: &Window, at: usize) -> bool {
    digits(window, at).is_some_and(|(_, count)| {
        let behind = byte(window, at + count);
        count != 3 && behind.is_ascii() && behind != b'/'
    })
}

fn behind_blanks(window: &Window, at: usize) -> usize {
    let rest = window.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|&&byte| byte == b' ').count()
}

/// Whether the other factor is no power of ten: then the digits are no mantissa.
fn multiplies_plainly(window: &Window, at: usize) -> bool {
    let at = behind_blanks(window, at);
    match [byte(window, at), byte(window, at + 1), byte(window, at + 2)] {
        [b'1', b'0', power] => !matches!(power, b'^' | b'*' | b'<' | 128..),
        [b'1', next, _] => next.is_ascii(),
        [first, ..] => first.is_ascii() && first != b'\t',
    }
}

/// Whether a LaTeX command with this name is neither a fraction nor part of a power of ten.
fn command(window: &Window, at: usize) -> bool {
    let rest = window.get(at..).unwrap_or_default();
    let Some(end) = rest.iter().position(|byte| !byte.is_ascii_alphabetic()) else {
        return false;
    };
    match rest.get(..end).unwrap_or_default() {
        // A blank of LaTeX may part thousands.
        b"" => byte(window, at).is_ascii_graphic(),
        b"times" | b"cdot" => multiplies_plainly(window, at + end),
        b"frac" | b"dfrac" | b"tfrac" | b"cfrac" => false,
        _ => true,
    }
}

/// `÷` and `×`.
const DIVIDES: [u8; 2] = [0xc3, 0xb7];
const TIMES: [u8; 2] = [0xc3, 0x97];

/// Whether a sign of multiplication or division stands here that leaves the digits as they are.
fn operator(window: &Window, at: usize) -> bool {
    let rest = window.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(&DIVIDES) => true,
        Some(&TIMES) => multiplies_plainly(window, at + 2),
        _ => false,
    }
}

/// How words begin that scale a number or make a time of it, and such words of two letters.
const HEADS: [&[u8; 3]; 41] = [
    b"am ", b"bil", b"bin", b"bln", b"bn ", b"cr ", b"cro", b"doz", b"dui", b"gra", b"gro", b"hun",
    b"jut", b"lac", b"lak", b"mid", b"mil", b"mio", b"mld", b"mln", b"mlr", b"mm ", b"mn ", b"mrd",
    b"ngh", b"noo", b"ocl", b"pm ", b"rib", b"sco", b"tau", b"tho", b"tis", b"tn ", b"tri", b"trn",
    b"tsd", b"tuh", b"tus", b"tys", b"uhr",
];
/// For each first letter, as bits, the second ones of these.
const SECOND: [u32; 32] = {
    let (mut second, mut at) = ([0; 32], 0);
    while at < HEADS.len() {
        second[(HEADS[at][0] & 31) as usize] |= 1 << (HEADS[at][1] & 31);
        at += 1;
    }
    second
};

/// Whether a word begins here that can neither scale a number nor make a time of it. Three
/// letters are enough to tell of all but a few.
#[inline]
fn noun(window: &Window, at: usize) -> bool {
    let [a, b, c] = [0, 1, 2].map(|place| byte(window, at + place).to_ascii_lowercase());
    let joined = |byte: u8| matches!(byte, b'.' | b'\'' | 128..);
    if !b.is_ascii_lowercase() {
        return match a {
            _ if joined(b) => false,
            b'x' => multiplies_plainly(window, at + 1),
            _ => !matches!(a, b'b' | b'k' | b'm' | b't'),
        };
    }
    let usual = SECOND[usize::from(a & 31)] >> (b & 31) & 1 == 0;
    let head = [a, b, if c.is_ascii_lowercase() { c } else { b' ' }];
    !joined(c) && (usual || !HEADS.contains(&&head))
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
