//! The numbers that a text names, and those of a memory that its source does not.
//!
//! # Strict
//! * One number is what [`super::number`] reads as one: `1,234` is 1234, `$1.5M` 1500000, `37.5%`
//!   37.5 as written, `½` 0.5. What is no single number is not listed: a time, a date, `3rd`,
//!   `1,5`.
//! * A slash between blanks divides two numbers, one without is a fraction.
//! * Digits that are part of a name are no number: `v2`, `A4`, `COVID-19`, `gpt-4o`.
//! * A minus is a sign behind white space, an opening bracket, a colon or an equals sign, a
//!   currency between it and the digits or not; elsewhere it is a hyphen or a subtraction.
//! * A number is invented when no number of the source has its magnitude. Signs are not compared,
//!   because the bullet of a list looks like one.
//!
//! # Harness dialects
//! A number is a run of digits with an optional decimal part, and is compared as it is written:
//! `1,234` is two numbers and `4.50` is not `4.5`.

use super::chars::{digit, is_invisible};
use super::everyday;
use super::lexer::{Kind, is_currency, is_currency_sign};
use super::numeral::{Scan, begins, numeral};
use super::sieve::{self, Sieve};
use std::collections::{HashMap, HashSet};

/// Numbers of a text, in order.
#[derive(Clone, Debug)]
pub struct Numbers<'a> {
    text: &'a str,
    stops: Stops<'a>,
    at: usize,
}

/// All numbers that a text names.
#[must_use]
pub fn numbers(text: &str) -> Numbers<'_> {
    Numbers { text, stops: Stops::new(text), at: 0 }
}

/// Whether a number may begin here, apart from one that begins with its point.
fn may_open(rest: &str) -> bool {
    opens_fraction(rest) || rest.starts_with(char::is_numeric)
}

/// Backslashes of one fraction, of which escaping makes several; of a longer run only the last ones
/// count, so that a run is not gone through once for each of its members.
const ESCAPES: usize = 8;

fn backslashes(text: &str) -> usize {
    text.bytes().take_while(|&byte| byte == b'\\').count()
}

/// Whether the text begins with a fraction of LaTeX, which few backslashes do.
fn opens_fraction(text: &str) -> bool {
    let escaped = text.bytes().take(ESCAPES).take_while(|&byte| byte == b'\\').count();
    let name = text.get(escaped..).unwrap_or_default();
    let name = name.strip_prefix(['d', 't', 'c']).unwrap_or(name);
    name.starts_with("frac")
}

/// How far to go on from where no number opens.
fn passed(rest: &str) -> usize {
    match backslashes(rest) {
        0 => rest.chars().next().map_or(1, char::len_utf8),
        run if run > ESCAPES => run - ESCAPES,
        run => run,
    }
}

/// Places of the bytes that are digits, backslashes or not ASCII. Such are rare in prose, which is
/// passed at the speed of memory.
#[derive(Clone, Debug)]
struct Stops<'a> {
    bytes: &'a [u8],
    /// Where the block begins whose stops are the bits of `mask`.
    base: usize,
    mask: u64,
}

impl<'a> Stops<'a> {
    /// Bytes that are looked at in one go.
    const BLOCK: usize = sieve::MANY;

    fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), base: 0, mask: stops(text.as_bytes(), 0) }
    }

    /// The first one at or behind `at`, which never decreases.
    #[inline]
    fn next(&mut self, mut at: usize) -> Option<usize> {
        loop {
            if at < self.base + Self::BLOCK {
                let left = self.mask >> at.saturating_sub(self.base);
                if left != 0 {
                    return Some(at.max(self.base) + left.trailing_zeros() as usize);
                }
                at = self.base + Self::BLOCK;
            }
            if at >= self.bytes.len() {
                return None;
            }
            self.mask = stops(self.bytes, at);
            self.base = at;
        }
    }
}

/// The stops of the block that begins at `base`, as bits.
#[inline(never)]
fn stops(bytes: &[u8], base: usize) -> u64 {
    let is = |byte: u8, _| byte.is_ascii_digit() || byte == b'\\' || byte >= 0x80;
    let rest = bytes.get(base..).unwrap_or_default();
    if let Some(block) = rest.first_chunk::<{ Stops::BLOCK }>() {
        return STOPS.places(block, is);
    }
    if let Some(block) = bytes.last_chunk::<{ Stops::BLOCK }>() {
        return STOPS.places(block, is) >> (Stops::BLOCK - rest.len());
    }
    STOPS.places(&sieve::pad::<{ Stops::BLOCK }>(rest), is)
}

/// Digits, backslashes, and what is not ASCII.
static STOPS: Sieve<1> = {
    let mut stops = Sieve::new();
    let mut byte = 0_u8;
    loop {
        match byte {
            b'0'..=b'9' => stops.admit(0, 0, byte),
            b'\\' => stops.admit(1, 0, byte),
            128.. => stops.admit(2, 0, byte),
            _ => {}
        }
        if byte == u8::MAX {
            break stops;
        }
        byte += 1;
    }
};

impl Iterator for Numbers<'_> {
    type Item = f64;

    #[inline]
    fn next(&mut self) -> Option<f64> {
        loop {
            let start = self.stops.next(self.at)?;
            let (value, end) = match everyday::number(self.text.as_bytes(), start) {
                Some((value, end)) => (Some(value), end),
                None => unusual(self.text, self.at, start),
            };
            self.at = end;
            if value.is_some() {
                return value;
            }
        }
    }
}

/// What stands at a stop that is no usual number: its value, if it is a number nevertheless, and
/// its end.
#[inline(never)]
fn unusual(text: &str, from: usize, start: usize) -> (Option<f64>, usize) {
    let rest = text.get(start..).unwrap_or_default();
    // Dashes and quotes: all of this block of Unicode is punctuation.
    if rest.as_bytes().starts_with(&[0xe2, 0x80]) {
        return (None, start + 3);
    }
    if !may_open(rest) {
        return (None, start + passed(rest));
    }
    match everyday::clock(text.as_bytes(), start) {
        Some(end) => (None, end),
        None => lexed(text, from, start),
    }
}

/// The numeral that opens at `start`, behind others that end at `from`: its value, if it is a
/// number, and its end.
fn lexed(text: &str, from: usize, mut start: usize) -> (Option<f64>, usize) {
    let head = text.get(..start).unwrap_or_default();
    // .5 begins with its point.
    if head.ends_with('.') && !head.ends_with("..") && start > from {
        let before = head.get(..head.len() - 1).and_then(|head| head.chars().next_back());
        if !before.is_some_and(char::is_alphanumeric) {
            start -= 1;
        }
    }
    let mut scan = Scan { text, at: start };
    if !begins(scan) {
        scan.next();
        return (None, scan.at);
    }
    let before = Before::new(text.get(..start).unwrap_or_default());
    let mut kind = numeral(&mut scan, before.money);
    // "122 / 9" is a division of two numbers, where an answer would be a fraction.
    let read = text.get(start..scan.at).unwrap_or_default();
    if let Some(division) = read.find(" /").or_else(|| read.find("/ ")) {
        scan = Scan { text: text.get(..start + division).unwrap_or_default(), at: start };
        kind = numeral(&mut scan, before.money);
        scan.text = text;
    }
    if !matches!(kind, Kind::Number(_)) || before.name {
        scan.skip(|c| c.is_alphanumeric() || matches!(c, '.' | ',' | '/' | '^' | '\'' | ':'));
    }
    // A numeral that ends where it began would be read for ever.
    let mut end = scan.at.max(start + 1);
    while !text.is_char_boundary(end) {
        end += 1;
    }
    match kind {
        Kind::Number(value) if !before.name => {
            (Some(if before.minus { -value } else { value }), end)
        }
        _ => (None, end),
    }
}

/// What stands before a number.
struct Before {
    money: bool,
    minus: bool,
    /// The digits belong to a name.
    name: bool,
}

impl Before {
    fn new(head: &str) -> Self {
        let is_dash = |c| matches!(c, '-' | '\u{2010}'..='\u{2013}' | '\u{2212}');
        let skipped = |c| is_invisible(c) || matches!(c, '*' | '_' | '`' | '\\');
        let mut rest = head.trim_end_matches(skipped);
        let code_end = rest.trim_end_matches(' ');
        let code_start = code_end.trim_end_matches(char::is_alphabetic);
        let code = code_end.get(code_start.len()..).unwrap_or_default();
        let mut money = !code.is_empty() && code.len() <= 8 && is_currency(code);
        let glued = rest.len() == head.len() && rest.ends_with(char::is_alphabetic);
        if let Some(sign) = rest.trim_end_matches(' ').strip_suffix(is_currency_sign) {
            money = true;
            rest = sign.trim_end_matches(skipped);
        }
        let mut minus = false;
        let mut name = glued && !money;
        if let Some(signed) = rest.strip_suffix(is_dash) {
            let signed = signed.trim_end_matches(skipped);
            let beside = signed.chars().next_back();
            minus = beside.is_none_or(|c| {
                c.is_whitespace()
                    || is_currency_sign(c)
                    || matches!(c, '(' | '[' | '{' | ':' | '=' | '<')
            });
            money |= minus && beside.is_some_and(is_currency_sign);
            name |= !money && beside.is_some_and(char::is_alphabetic);
        }
        Self { money, minus, name }
    }
}

/// How often each value stands in a text. Few texts have so many values that they need more than
/// the slots, which spare the memory and the time of a map and are kept from text to text.
#[derive(Clone, Debug)]
struct Counts {
    slots: Vec<Slot>,
    /// Slots of other rounds are free.
    round: usize,
    many: HashMap<u64, usize>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    value: u64,
    round: usize,
    count: usize,
}

/// How many slots a value may be in: more are not looked at, so that no choice of values makes
/// counting slow.
const PROBES: usize = 8;

impl Default for Counts {
    fn default() -> Self {
        let slots = vec![Slot { value: 0, round: 0, count: 0 }; 256 + PROBES];
        Self { slots, round: 1, many: HashMap::new() }
    }
}

impl Counts {
    fn clear(&mut self) {
        self.round += 1;
        self.many.clear();
    }

    fn slots(&mut self, value: u64) -> impl Iterator<Item = &mut Slot> {
        let hash = (value ^ value >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
        self.slots.iter_mut().skip(hash as usize).take(PROBES)
    }

    /// Counts the value; how often it was there, this time included.
    fn add(&mut self, value: u64) -> usize {
        let round = self.round;
        for slot in self.slots(value) {
            if slot.round != round {
                *slot = Slot { value, round, count: 0 };
            }
            if slot.value == value {
                slot.count += 1;
                return slot.count;
            }
        }
        let count = self.many.entry(value).or_insert(0);
        *count += 1;
        *count
    }

    fn holds(&mut self, value: u64) -> bool {
        let round = self.round;
        self.slots(value).any(|slot| slot.round == round && slot.value == value)
            || self.many.contains_key(&value)
    }
}

/// Numbers that a source is known to hold, by magnitude.
#[derive(Clone, Debug, Default)]
pub struct Known {
    magnitudes: Counts,
}

impl Extend<f64> for Known {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        values.into_iter().for_each(|value| _ = self.learn(value));
    }
}

/// Equal for numbers of equal size; a zero has no sign left.
fn magnitude(value: f64) -> u64 {
    value.abs().to_bits()
}

impl Known {
    /// Forgets all numbers.
    pub fn clear(&mut self) {
        self.magnitudes.clear();
    }

    /// Whether there is a number of this size.
    pub fn holds(&mut self, value: f64) -> bool {
        self.magnitudes.holds(magnitude(value))
    }

    /// Adds a number; false for one that is known.
    pub fn learn(&mut self, value: f64) -> bool {
        self.magnitudes.add(magnitude(value)) == 1
    }

    /// Distinct numbers of the memory that its source has not, in the order of their first place.
    /// What was known before is forgotten.
    pub fn invented(
        &mut self,
        source: impl IntoIterator<Item = f64>,
        memory: &str,
    ) -> impl Iterator<Item = f64> {
        let mut found = numbers(memory);
        let first = found.next();
        if first.is_some() {
            self.clear();
            self.extend(source);
        }
        first.into_iter().chain(found).filter(|&value| self.learn(value))
    }
}

/// The harness's numbers of a text, as they are written.
pub fn harness_numbers(text: &str) -> impl Iterator<Item = &str> {
    let (mut stops, mut at) = (Stops::new(text), 0);
    std::iter::from_fn(move || {
        let is_digit = |c: char| digit(c).is_some();
        let run = loop {
            let rest = text.get(stops.next(at)?..)?;
            if rest.starts_with(is_digit) {
                break rest;
            }
            at = text.len() - rest.len() + passed(rest);
        };
        let start = text.len() - run.len();
        let mut behind = run.trim_start_matches(is_digit);
        if let Some(part) = behind.strip_prefix('.').filter(|part| part.starts_with(is_digit)) {
            behind = part.trim_start_matches(is_digit);
        }
        at = text.len() - behind.len();
        text.get(start..at)
    })
}

/// The harness's invented numbers: distinct ones of the memory that are not known, as written.
pub fn harness_invented<'a>(
    known: impl IntoIterator<Item = &'a str>,
    memory: &'a str,
) -> impl Iterator<Item = &'a str> {
    let mut seen: HashSet<&str> = known.into_iter().collect();
    harness_numbers(memory).filter(move |number| seen.insert(number))
}

/// The value of a number as the harness writes one.
#[must_use]
pub fn harness_value(number: &str) -> Option<f64> {
    if number.is_ascii() {
        return number.parse().ok();
    }
    number.chars().map(|c| digit(c).unwrap_or(c)).collect::<String>().parse().ok()
}

/// Counts the numbers of texts.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    counts: Counts,
}

impl Tally {
    /// The number that a text names most often, at least so many times; nothing when two are.
    /// What was counted before is forgotten.
    pub fn recurring_value(&mut self, text: &str, least: usize) -> Option<f64> {
        self.counts.clear();
        let (mut most, mut often) = (0, None);
        for value in numbers(text) {
            // Minus zero is zero.
            let value = value + 0.0;
            let count = self.counts.add(value.to_bits());
            if count > most {
                (most, often) = (count, Some(value));
            } else if count == most {
                often = None;
            }
        }
        often.filter(|_| most >= least)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sieve::tests::plainly;
    use super::*;

    fn all(text: &str) -> Vec<f64> {
        numbers(text).collect()
    }

    #[test]
    fn numbers_of_prose() {
        assert_eq!(
            all("7 notebooks at $4.50 each, 1,234 in all (37.5%)."),
            [7.0, 4.5, 1234.0, 37.5]
        );
        assert_eq!(all("46-55 and 28+18=46"), [46.0, 55.0, 28.0, 18.0, 46.0]);
        assert_eq!(all("-5, (-$6), $-7 −8 x=-9 – 10 a-11"), [-5.0, -6.0, -7.0, -8.0, -9.0, 10.0]);
        assert_eq!(all("$1.5M, 2 million, 3k, USD 4M, 5M"), [1.5e6, 2e6, 3000.0, 4e6]);
        assert_eq!(all(".5 ½ 2½ 3/8 1.5e3 １２ ٣"), [0.5, 0.5, 2.5, 0.375, 1500.0, 12.0, 3.0]);
        assert_eq!(all("v2 A4 COVID-19 gpt-4o 9:45 3rd 1,5 1/2/2024 1.2.3 46²"), []);
        assert_eq!(all("**46** `47` \\$48, \\frac{1}{2} \\alpha 5."), [46.0, 47.0, 48.0, 0.5, 5.0]);
        assert_eq!(all("- 46\n-47\n1. 48"), [46.0, -47.0, 1.0, 48.0]);
        assert_eq!(all("so...5 and 5.. and ."), [5.0, 5.0]);
        assert_eq!(all("$122 / 9 = $13.56, 1/ 4"), [122.0, 9.0, 13.56, 1.0, 4.0]);
        assert_eq!(all(""), []);
    }

    #[test]
    fn invented_numbers_are_compared_by_value() {
        let invented = |source: &str, memory: &str| {
            Known::default().invented(numbers(source), memory).collect::<Vec<f64>>()
        };
        let memory = "1234 at $4.5, total -$55 and 55.00 again";
        assert_eq!(invented("1,234 at $4.50", memory), [-55.0]);
        assert_eq!(invented("", "0 and -0 and 0.0"), [0.0]);
        assert_eq!(invented("5", "-5"), []);
        let many: Vec<String> = (0..500).map(|i| i.to_string()).collect();
        let many = many.join("; ");
        assert_eq!(invented(&many, &format!("{many}; 500; {many}; 500")), [500.0]);
        let odd = (1..500).step_by(2).map(|i| i.to_string()).collect::<Vec<_>>().join("; ");
        assert_eq!(invented(&odd, &many).len(), 250);
    }

    #[test]
    fn candidates_are_found_at_any_distance() {
        for stop in ["7", "\\", "é", "\u{7f}7"] {
            for before in 0..150 {
                for behind in [0, 1, 7, 40] {
                    let text = format!("{}{stop}{}", "/".repeat(before), ":".repeat(behind));
                    let place =
                        text.find(|c: char| c.is_ascii_digit() || c == '\\' || !c.is_ascii());
                    for from in [vec![0], vec![0, 3], vec![before], vec![2, before]] {
                        let mut stops = Stops::new(&text);
                        for at in from {
                            assert_eq!(stops.next(at.min(before)), place, "{text:?}");
                        }
                    }
                }
            }
            assert_eq!(Stops::new(&"/:".repeat(80)).next(5), None);
        }
    }

    #[test]
    fn both_ways_tell_the_same_stops() {
        for byte in 0..=u8::MAX {
            let bytes = [b'a', byte, b'-'];
            let stops = || stops(&bytes, 0);
            assert_eq!(stops(), u64::from(STOPS.buckets(&[byte]) != 0) << 1);
            assert_eq!(plainly(stops), stops());
        }
    }

    #[test]
    fn harness_compares_spellings() {
        let numbers: Vec<&str> = harness_numbers("1,234.50 v2 3.x .7 ٣").collect();
        assert_eq!(numbers, ["1", "234.50", "2", "3", "7", "٣"]);
        let invented = harness_invented(["4.5", "1"], "4.50, 1, 2, 2, 234");
        assert_eq!(invented.collect::<Vec<_>>(), ["4.50", "2", "234"]);
        assert_eq!(harness_value("٣.5"), Some(3.5));
    }

    #[test]
    fn the_recurring_value_stands_out() {
        let mut tally = Tally::default();
        assert_eq!(tally.recurring_value("$55, then 55.0, then 60", 2), Some(55.0));
        assert_eq!(tally.recurring_value("55, 60, 55, 60", 2), None);
        assert_eq!(tally.recurring_value("55, 60", 2), None);
        assert_eq!(tally.recurring_value("55", 1), Some(55.0));
        assert_eq!(tally.recurring_value("", 1), None);
        assert_eq!(tally.recurring_value("0, -0", 2), Some(0.0));
        let many: Vec<String> = (0..500).map(|i| i.to_string()).collect();
        assert_eq!(tally.recurring_value(&format!("{}; 499", many.join("; ")), 2), Some(499.0));
        assert_eq!(tally.recurring_value(&format!("{}; 1; 499", many.join("; ")), 2), None);
    }

    /// As [`numbers`], with every numeral read by the lexer.
    fn all_lexed(text: &str) -> Vec<f64> {
        let (mut found, mut from) = (Vec::new(), 0);
        let may_open = |c: char| c == '\\' || c.is_numeric();
        while let Some(start) = text.get(from..).and_then(|rest| rest.find(may_open)) {
            let (value, end) = lexed(text, from, from + start);
            found.extend(value);
            from = end;
        }
        found
    }

    /// Whether both ways give the same numbers, signs of zeros included.
    fn agree(text: &str) {
        let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(all(text)), bits(all_lexed(text)), "{text:?}");
    }

    #[test]
    fn the_short_way_agrees_with_the_lexer() {
        const PIECES: [&str; 64] = [
            "1",
            "10",
            "7",
            "46",
            "007",
            "123",
            "1,234",
            "12,345,678",
            "0,123",
            "4.50",
            ".5",
            "1234567890123456",
            "123456789012345",
            "0.000000000000001",
            ",",
            ".",
            " ",
            " ",
            " ",
            "  ",
            "-",
            "$",
            "*",
            "**",
            "_",
            "`",
            "\\",
            "/",
            ":",
            "'",
            "(",
            ")",
            "%",
            "\n",
            "\t",
            "x",
            "x ",
            " * ",
            " x 10^3",
            "e3",
            "^",
            "{,}",
            "k",
            "M",
            "am",
            "p.m.",
            " th",
            " noon",
            " million",
            " dozen",
            "a",
            "USD ",
            "–",
            "€",
            "½",
            "³",
            "\u{200b}",
            "\u{a0}",
            "３",
            "é",
            "h15",
            "\\frac{3}{8}",
            "\\dfrac12",
            ".\\",
        ];
        let mut state = 5_u64;
        for round in 0..100_000 {
            let mut text = String::new();
            for _ in 0..2 + round % 7 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = usize::try_from(state >> 58).unwrap_or_default();
                text += PIECES.get(at).copied().unwrap_or_default();
            }
            agree(&text);
        }
    }

    #[test]
    fn the_short_way_knows_every_word_that_changes_a_number() {
        // The words of the lexer itself, so that none can be added there alone.
        let sources = [include_str!("numeral.rs"), include_str!("lexer.rs")];
        let quoted = sources.iter().flat_map(|source| source.split('"'));
        let words = quoted.flat_map(|words| words.split(|c: char| c.is_whitespace() || c == '\\'));
        let words = words.filter(|word| !word.is_empty() && word.len() < 20);
        let pairs = (b'a'..=b'z').flat_map(|a| (b'a'..=b'z').map(move |b| [a, b]));
        let pairs = pairs.filter_map(|pair| String::from_utf8(pair.to_vec()).ok());
        for word in words.map(str::to_owned).chain(pairs) {
            for word in [&word, &word.to_uppercase(), &format!("{word}s"), &format!("{word}.")] {
                for number in ["5", "10", "1,234", "4.50", "$3"] {
                    for text in [
                        format!("{number} {word} "),
                        format!("{number}  {word}"),
                        format!("{number}{word}"),
                        format!("{word} {number}"),
                        format!("{word}{number}"),
                        format!("{number} {word}5"),
                        format!("{number} {word}-{number}"),
                        format!("{number} x {word}"),
                    ] {
                        agree(&text);
                    }
                }
            }
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        let escaped = "\\".repeat(200_000) + "frac12";
        assert_eq!(numbers(&escaped).collect::<Vec<_>>(), [0.5]);
        for piece in ["1,", "1", "-", "\\", ".", "1/", "½", "$ ", "1 000 ", "1 ", "1  ", " "] {
            let _ = numbers(&piece.repeat(200_000)).count();
        }
    }
}
