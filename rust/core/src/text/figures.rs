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
use super::lexer::{Kind, is_currency, is_currency_sign};
use super::numeral::{Scan, begins, numeral};
use std::collections::{HashMap, HashSet};

/// Numbers of a text, in order.
#[derive(Clone, Debug)]
pub struct Numbers<'a> {
    text: &'a str,
    at: usize,
}

/// All numbers that a text names.
#[must_use]
pub fn numbers(text: &str) -> Numbers<'_> {
    Numbers { text, at: 0 }
}

/// Whether a number may begin with this character, apart from a point.
fn may_open(c: char) -> bool {
    c.is_ascii_digit() || c == '\\' || (!c.is_ascii() && c.is_numeric())
}

impl Iterator for Numbers<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        loop {
            let rest = self.text.get(self.at..)?;
            let mut start = self.at + rest.find(may_open)?;
            let head = self.text.get(..start).unwrap_or_default();
            // .5 begins with its point.
            if head.ends_with('.') && !head.ends_with("..") && start > self.at {
                let before = head.get(..head.len() - 1).and_then(|head| head.chars().next_back());
                if !before.is_some_and(char::is_alphanumeric) {
                    start -= 1;
                }
            }
            let mut scan = Scan { text: self.text, at: start };
            if !begins(scan) {
                scan.next();
                self.at = scan.at;
                continue;
            }
            let before = Before::new(self.text.get(..start).unwrap_or_default());
            let mut kind = numeral(&mut scan, before.money);
            // "122 / 9" is a division of two numbers, where an answer would be a fraction.
            let read = self.text.get(start..scan.at).unwrap_or_default();
            if let Some(division) = read.find(" /").or_else(|| read.find("/ ")) {
                scan = Scan { text: self.text.get(..start + division)?, at: start };
                kind = numeral(&mut scan, before.money);
                scan.text = self.text;
            }
            if !matches!(kind, Kind::Number(_)) || before.name {
                scan.skip(|c| {
                    c.is_alphanumeric() || matches!(c, '.' | ',' | '/' | '^' | '\'' | ':')
                });
            }
            // A numeral that ends where it began would be read for ever.
            self.at = scan.at.max(start + 1);
            while !self.text.is_char_boundary(self.at) {
                self.at += 1;
            }
            if let (Kind::Number(value), false) = (kind, before.name) {
                return Some(if before.minus { -value } else { value });
            }
        }
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

/// Numbers that a source is known to hold, by magnitude.
#[derive(Clone, Debug, Default)]
pub struct Known {
    magnitudes: HashSet<u64>,
}

impl FromIterator<f64> for Known {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        Self { magnitudes: values.into_iter().map(magnitude).collect() }
    }
}

/// Equal for numbers of equal size; a zero has no sign left.
fn magnitude(value: f64) -> u64 {
    value.abs().to_bits()
}

impl Known {
    /// Distinct numbers of the memory that are not known, in the order of their first place.
    #[must_use]
    pub fn invented(mut self, memory: &str) -> Vec<f64> {
        numbers(memory).filter(|&value| self.magnitudes.insert(magnitude(value))).collect()
    }
}

/// The harness's numbers of a text, as they are written.
pub fn harness_numbers(text: &str) -> impl Iterator<Item = &str> {
    let is_digit = |c: char| digit(c).is_some();
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(is_digit)?;
        let run = rest.get(start..)?;
        let mut behind = run.trim_start_matches(is_digit);
        if let Some(part) = behind.strip_prefix('.').filter(|part| part.starts_with(is_digit)) {
            behind = part.trim_start_matches(is_digit);
        }
        rest = behind;
        run.get(..run.len() - behind.len())
    })
}

/// The harness's invented numbers: distinct ones of the memory that are not known, as written.
pub fn harness_invented<'a>(
    known: impl IntoIterator<Item = &'a str>,
    memory: &'a str,
) -> Vec<&'a str> {
    let mut known: HashSet<&str> = known.into_iter().collect();
    harness_numbers(memory).filter(|number| known.insert(number)).collect()
}

/// The value of a number as the harness writes one.
#[must_use]
pub fn harness_value(number: &str) -> Option<f64> {
    if number.is_ascii() {
        return number.parse().ok();
    }
    number.chars().map(|c| digit(c).unwrap_or(c)).collect::<String>().parse().ok()
}

/// The number that a text names most often, at least so many times; nothing when two are.
#[must_use]
pub fn recurring_value(text: &str, least: usize) -> Option<f64> {
    let mut counts: HashMap<u64, (f64, usize)> = HashMap::new();
    for value in numbers(text) {
        // Minus zero is zero.
        let value = value + 0.0;
        counts.entry(value.to_bits()).or_insert((value, 0)).1 += 1;
    }
    let most = counts.values().map(|&(_, count)| count).max().filter(|&most| most >= least)?;
    let mut often = counts.values().filter(|&&(_, count)| count == most);
    match (often.next(), often.next()) {
        (Some(&(value, _)), None) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
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
        let known = |source: &str| numbers(source).collect::<Known>();
        let memory = "1234 at $4.5, total -$55 and 55.00 again";
        assert_eq!(known("1,234 at $4.50").invented(memory), [-55.0]);
        assert_eq!(known("").invented("0 and -0 and 0.0"), [0.0]);
        assert_eq!(known("5").invented("-5"), []);
    }

    #[test]
    fn harness_compares_spellings() {
        let numbers: Vec<&str> = harness_numbers("1,234.50 v2 3.x .7 ٣").collect();
        assert_eq!(numbers, ["1", "234.50", "2", "3", "7", "٣"]);
        assert_eq!(harness_invented(["4.5", "1"], "4.50, 1, 2, 2, 234"), ["4.50", "2", "234"]);
        assert_eq!(harness_value("٣.5"), Some(3.5));
    }

    #[test]
    fn the_recurring_value_stands_out() {
        assert_eq!(recurring_value("$55, then 55.0, then 60", 2), Some(55.0));
        assert_eq!(recurring_value("55, 60, 55, 60", 2), None);
        assert_eq!(recurring_value("55, 60", 2), None);
        assert_eq!(recurring_value("55", 1), Some(55.0));
        assert_eq!(recurring_value("", 1), None);
    }

    #[test]
    fn long_texts_take_linear_time() {
        for piece in ["1,", "1", "-", "\\", ".", "1/", "½", "$ ", "1 000 "] {
            let _ = numbers(&piece.repeat(200_000)).count();
        }
    }
}
