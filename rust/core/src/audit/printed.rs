//! Printed numbers: what they say, to how many digits, and which values print so.

use std::cmp::Ordering;

/// What becomes of a value that lies half-way between two printed ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// It may have gone either way: up, to the even digit, or wherever the nearest double lay.
    Either,
    /// Away from zero.
    HalfUp,
    /// To the neighbour whose last digit is even.
    HalfEven,
}

impl Rounding {
    /// The accepted names, in the order of the documentation.
    pub const NAMES: &'static [&'static str] = &["either", "half-up", "half-even"];

    /// The rule of that name, or nothing.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "either" => Some(Self::Either),
            "half-up" => Some(Self::HalfUp),
            "half-even" => Some(Self::HalfEven),
            _ => None,
        }
    }
}

/// What a sign before a number says of the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Equal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// A printed number: `digits` times ten to the `exponent`, the place of its last digit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Printed {
    pub(crate) relation: Relation,
    digits: i128,
    exponent: i32,
    /// Half a unit below it, the number itself, half a unit above, as doubles.
    edges: [f64; 3],
    /// Whether one hundred stands for one.
    pub(crate) percent: bool,
}

/// Digits beyond these are not read: products with counts must fit into 128 bits.
const MOST_DIGITS: usize = 15;
const PLACES: std::ops::RangeInclusive<i32> = -330..=15;

/// Whether a text says that its numbers are not exact.
fn is_vague(text: &str) -> bool {
    const WORDS: [&str; 9] = [
        "about",
        "almost",
        "approx",
        "approximately",
        "around",
        "ca",
        "circa",
        "nearly",
        "roughly",
    ];
    text.contains(['~', '≈', '≃', '∼', '≅'])
        || text
            .split(|c: char| !c.is_alphabetic())
            .any(|word| WORDS.iter().any(|vague| word.eq_ignore_ascii_case(vague)))
}

impl Printed {
    /// The numbers of a text, in order; nothing where one of them cannot be read or there are
    /// more than three. Words and brackets around them do not matter, nor does "95% CI".
    ///
    /// One sign of percent (%, pp, points) stands for all of them. A number that says itself that
    /// it is about right has no digits to go by, and is not read.
    pub(crate) fn all(text: &str) -> Option<Vec<Self>> {
        if is_vague(text) {
            return None;
        }
        let mut reader = Reader { rest: text, relation: Relation::Equal, after_number: false };
        let mut numbers: Vec<Self> = Vec::new();
        while reader.find() {
            let number = reader.number()?;
            if !reader.names_level(&number) {
                numbers.push(number);
            }
            if numbers.len() > 3 {
                return None;
            }
        }
        if numbers.iter().any(|number| number.percent) {
            for number in &mut numbers {
                number.percent = true;
            }
        }
        Some(numbers)
    }

    /// The one number of a text.
    pub(crate) fn one(text: &str) -> Option<Self> {
        match Self::all(text)?.as_slice() {
            [number] => Some(*number),
            _ => None,
        }
    }

    /// Whether it is too large for a share, or for a limit of one, but in percent.
    pub(crate) fn above(&self, most: f64) -> bool {
        !self.percent && self.value().abs() > most
    }

    pub(crate) fn as_percent(self) -> Self {
        Self { percent: true, ..self }
    }

    /// Where a value `numerator / denominator` lies: below what prints so, within it, above.
    /// Exact; nothing where a product does not fit.
    pub(crate) fn place_ratio(
        &self,
        numerator: i128,
        denominator: i128,
        rounding: Rounding,
    ) -> Option<Ordering> {
        if numerator < 0 {
            return self.mirrored().place_ratio(-numerator, denominator, rounding).map(reverse);
        }
        let twice = numerator.checked_mul(if self.percent { 200 } else { 2 })?;
        let (value, unit) = if self.exponent <= 0 {
            (twice.checked_mul(power_of_ten(-self.exponent)?)?, denominator)
        } else {
            (twice, denominator.checked_mul(power_of_ten(self.exponent)?)?)
        };
        let edge = |offset: i128| {
            (2 * self.digits + offset).checked_mul(unit).map(|edge| value.cmp(&edge))
        };
        Some(self.placed(rounding, numerator == 0, [edge(-1)?, edge(0)?, edge(1)?]))
    }

    /// As [`Self::place_ratio`], for the root of `numerator / denominator`, neither negative.
    pub(crate) fn place_root(
        &self,
        numerator: i128,
        denominator: i128,
        rounding: Rounding,
    ) -> Option<Ordering> {
        let scale = if self.percent { 40_000 } else { 4 };
        let square = numerator.checked_mul(scale)?;
        let places = power_of_ten(2 * self.exponent.abs())?;
        let (value, unit) = if self.exponent <= 0 {
            (square.checked_mul(places)?, denominator)
        } else {
            (square, denominator.checked_mul(places)?)
        };
        let edge = |offset: i128| {
            let edge = 2 * self.digits + offset;
            if edge < 0 {
                return Some(Ordering::Greater);
            }
            edge.checked_mul(edge)?.checked_mul(unit).map(|edge| value.cmp(&edge))
        };
        Some(self.placed(rounding, numerator == 0, [edge(-1)?, edge(0)?, edge(1)?]))
    }

    /// As [`Self::place_ratio`], for a value known to a double's precision: nearer to an edge
    /// than a relative 1e-12 counts as on it.
    pub(crate) fn place(&self, value: f64, rounding: Rounding) -> Ordering {
        if value < 0.0 {
            return reverse(self.mirrored().place(-value, rounding));
        }
        let scaled = if self.percent { value * 100.0 } else { value };
        let edge = |edge: f64| {
            if (scaled - edge).abs() <= 1e-12 * edge.abs() {
                Ordering::Equal
            } else {
                scaled.total_cmp(&edge)
            }
        };
        self.placed(rounding, value == 0.0, self.edges.map(edge))
    }

    pub(crate) fn gives(&self, value: f64, rounding: Rounding) -> bool {
        self.place(value, rounding).is_eq()
    }

    /// From how a value, not negative, compares with half a unit below, the number itself and
    /// half a unit above.
    fn placed(
        &self,
        rounding: Rounding,
        zero: bool,
        [low, middle, high]: [Ordering; 3],
    ) -> Ordering {
        let up_to = |included: bool| match middle {
            Ordering::Equal if included => Ordering::Equal,
            Ordering::Equal | Ordering::Greater => Ordering::Greater,
            Ordering::Less => Ordering::Equal,
        };
        match self.relation {
            Relation::Less => up_to(false),
            Relation::AtMost => up_to(true),
            Relation::Greater if middle.is_gt() => Ordering::Equal,
            Relation::AtLeast if middle.is_ge() => Ordering::Equal,
            Relation::Greater | Relation::AtLeast => Ordering::Less,
            Relation::Equal if self.digits < 0 => Ordering::Greater,
            Relation::Equal if self.digits == 0 && zero => Ordering::Equal,
            Relation::Equal => {
                let even = self.digits % 2 == 0;
                let ties = match rounding {
                    Rounding::Either => (true, true),
                    Rounding::HalfUp => (true, false),
                    Rounding::HalfEven => (even, even),
                };
                match (low, high) {
                    (Ordering::Less, _) => Ordering::Less,
                    (_, Ordering::Greater) => Ordering::Greater,
                    (Ordering::Equal, _) if !ties.0 => Ordering::Less,
                    (_, Ordering::Equal) if !ties.1 => Ordering::Greater,
                    _ => Ordering::Equal,
                }
            }
        }
    }

    fn mirrored(&self) -> Self {
        let relation = match self.relation {
            Relation::Equal => Relation::Equal,
            Relation::Less => Relation::Greater,
            Relation::AtMost => Relation::AtLeast,
            Relation::Greater => Relation::Less,
            Relation::AtLeast => Relation::AtMost,
        };
        let [low, middle, high] = self.edges;
        Self { relation, digits: -self.digits, edges: [-high, -middle, -low], ..*self }
    }

    /// The number as printed, percent or not.
    pub(crate) fn value(&self) -> f64 {
        self.edges[1]
    }

    /// Half a unit of its last digit below it and above.
    pub(crate) fn around(&self) -> (f64, f64) {
        (self.edges[0], self.edges[2])
    }
}

fn reverse(ordering: Ordering) -> Ordering {
    ordering.reverse()
}

fn power_of_ten(exponent: i32) -> Option<i128> {
    10_i128.checked_pow(exponent.unsigned_abs())
}

/// The nearest double.
fn decimal(digits: i128, exponent: i32) -> f64 {
    format!("{digits}e{exponent}").parse().unwrap_or(f64::NAN)
}

struct Reader<'a> {
    rest: &'a str,
    relation: Relation,
    /// Whether only space lies between the last number and here: a dash is then no minus.
    after_number: bool,
}

impl Reader<'_> {
    /// Goes to where the next number begins; whether there is one.
    fn find(&mut self) -> bool {
        while let Some(first) = self.rest.chars().next() {
            let signed = is_minus(first) || first == '+';
            let behind = &self.rest[first.len_utf8()..];
            let begins = |text: &str| {
                let digits = text.strip_prefix('.').unwrap_or(text);
                digits.starts_with(|c: char| c.is_ascii_digit())
            };
            if begins(self.rest) || (signed && !self.after_number && begins(behind)) {
                return true;
            }
            self.step(first);
        }
        false
    }

    /// Past one character that belongs to no number.
    fn step(&mut self, first: char) {
        self.rest = &self.rest[first.len_utf8()..];
        self.after_number &= first.is_whitespace();
        let or_equal = self.rest.starts_with('=');
        self.relation = match first {
            '<' if or_equal => Relation::AtMost,
            '>' if or_equal => Relation::AtLeast,
            '<' => Relation::Less,
            '>' => Relation::Greater,
            '≤' | '⩽' => Relation::AtMost,
            '≥' | '⩾' => Relation::AtLeast,
            _ => self.relation,
        };
    }

    fn number(&mut self) -> Option<Printed> {
        let relation = std::mem::replace(&mut self.relation, Relation::Equal);
        let negative = self.sign();
        let (mut digits, mut read, mut places) = (0_i128, 0, 0);
        let mut point = false;
        while let Some(next) = self.rest.chars().next() {
            match next.to_digit(10) {
                Some(digit) => {
                    digits = digits * 10 + i128::from(digit);
                    // Zeros in front carry no digits.
                    read += usize::from(digits != 0);
                    places += i32::from(point);
                }
                None if next == '.' && !point && self.rest[1..].starts_with(is_digit) => {
                    point = true;
                }
                None => break,
            }
            if read > MOST_DIGITS || places > -PLACES.start() {
                return None;
            }
            self.rest = &self.rest[1..];
        }
        let exponent = self.exponent()? - places;
        if !PLACES.contains(&exponent) {
            return None;
        }
        // A letter or another point right behind a number makes it something else: 0.88x, 1.2.3.
        let tail = self.rest.trim_start();
        let percent = ["%", "％", "pp", "p.p.", "points", "pts", "percent"]
            .iter()
            .find(|sign| tail.starts_with(**sign))
            .inspect(|sign| self.rest = &tail[sign.len()..]);
        let broken = |c: char| c.is_alphanumeric() || c == '/';
        let point =
            |text: &str| text.strip_prefix('.').is_some_and(|text| text.starts_with(is_digit));
        if percent.is_none() && (self.rest.starts_with(broken) || point(self.rest)) {
            return None;
        }
        self.after_number = true;
        let digits = if negative { -digits } else { digits };
        let edges = [-5, 0, 5].map(|half| decimal(10 * digits + half, exponent - 1));
        Some(Printed { relation, digits, exponent, edges, percent: percent.is_some() })
    }

    /// Whether there is a minus; past it, or past a plus.
    fn sign(&mut self) -> bool {
        let first = self.rest.chars().next();
        if let Some(sign) = first.filter(|c| is_minus(*c) || *c == '+') {
            self.rest = &self.rest[sign.len_utf8()..];
        }
        first.is_some_and(is_minus)
    }

    /// The power of ten behind a number, written e-6, × 10^-6, x 10^{-6} or ×10⁻⁶.
    fn exponent(&mut self) -> Option<i32> {
        if let Some(behind) = self.rest.strip_prefix(['e', 'E']) {
            let unsigned = behind.trim_start_matches(['+', '-', '−']);
            if unsigned.starts_with(is_digit) {
                self.rest = behind;
                return self.whole(|c| c.to_digit(10));
            }
        }
        let tail = self.rest.trim_start();
        let power = tail.strip_prefix(['×', 'x', '*', '·', '⋅']).map(str::trim_start);
        let Some(power) = power.and_then(|power| power.strip_prefix("10")) else { return Some(0) };
        if power.starts_with(is_digit) || power.starts_with('.') {
            return None;
        }
        if let Some(raised) = power.strip_prefix('^').or_else(|| power.strip_prefix("**")) {
            let braced = raised.starts_with('{');
            self.rest = raised.trim_start_matches('{');
            let exponent = self.whole(|c| c.to_digit(10))?;
            if braced {
                self.rest = self.rest.strip_prefix('}')?;
            }
            return Some(exponent);
        }
        self.rest = power;
        self.whole(superscript)
    }

    /// A whole number of few digits, with its sign.
    fn whole(&mut self, digit: impl Fn(char) -> Option<u32>) -> Option<i32> {
        let negative = self.rest.starts_with(['-', '−', '–', '⁻']);
        self.rest = self.rest.trim_start_matches(['-', '−', '–', '⁻', '+', '⁺']);
        let (mut value, mut read) = (0_i32, 0);
        while let Some((next, digit)) =
            self.rest.chars().next().and_then(|next| Some((next, digit(next)?)))
        {
            value = value * 10 + i32::try_from(digit).ok()?;
            read += 1;
            if read > 3 {
                return None;
            }
            self.rest = &self.rest[next.len_utf8()..];
        }
        (read > 0).then_some(if negative { -value } else { value })
    }

    /// Whether a number is the level of an interval, as in "95% CI".
    fn names_level(&self, number: &Printed) -> bool {
        let tail = self.rest.trim_start_matches([' ', '-']);
        number.percent && ["CI", "confidence", "interval"].iter().any(|word| tail.starts_with(word))
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn is_minus(c: char) -> bool {
    matches!(c, '-' | '−' | '–' | '‐' | '‑' | '﹣' | '－')
}

fn superscript(c: char) -> Option<u32> {
    "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().zip(0..).find(|(sign, _)| *sign == c).map(|(_, digit)| digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(i128, i32, bool)> {
        let numbers = Printed::all(text).unwrap();
        numbers.iter().map(|n| (n.digits, n.exponent, n.percent)).collect()
    }

    #[test]
    fn numbers_are_read_with_their_digits() {
        assert_eq!(read("0.88 [0.84, 0.91]"), [(88, -2, false), (84, -2, false), (91, -2, false)]);
        assert_eq!(read(".0095"), [(95, -4, false)]);
        assert_eq!(read("p = 2.30 × 10^{-17}"), [(230, -19, false)]);
        assert_eq!(read("2.3x10⁻¹⁷"), [(23, -18, false)]);
        assert_eq!(read("1e-6"), [(1, -6, false)]);
        assert_eq!(read("−8.4 pp"), [(-84, -1, true)]);
        assert_eq!(read("88% (84–91)"), [(88, 0, true), (84, 0, true), (91, 0, true)]);
        assert_eq!(read("[-2.5, +3.9]"), [(-25, -1, false), (39, -1, false)]);
        assert_eq!(read("-6.1--2.0"), [(-61, -1, false), (-20, -1, false)]);
        assert_eq!(read("0.5, 95% CI 0.4 to 0.6").len(), 3);
        assert_eq!(read("64.4 ± 7.2"), [(644, -1, false), (72, -1, false)]);
        assert_eq!(read("0.000"), [(0, -3, false)]);
        assert_eq!(read("n.s."), []);
        for broken in ["1.2.3", "0.88x", "12345678901234567", "39/57", "1 2 3 4", "3 × 105"] {
            assert!(Printed::all(broken).is_none(), "{broken}");
        }
    }

    #[test]
    fn relations_are_read() {
        let relation = |text| Printed::one(text).unwrap().relation;
        assert_eq!(relation("< .001"), Relation::Less);
        assert_eq!(relation("p <= 0.04"), Relation::AtMost);
        assert_eq!(relation("≥0.05"), Relation::AtLeast);
        assert_eq!(relation("p = .5"), Relation::Equal);
    }

    #[test]
    fn half_way_goes_by_the_rule() {
        let places = |text, numerator, denominator| {
            let printed = Printed::one(text).unwrap();
            [Rounding::Either, Rounding::HalfUp, Rounding::HalfEven].map(|rounding| {
                let exact = printed.place_ratio(numerator, denominator, rounding).unwrap();
                let near = numerator as f64 / denominator as f64;
                assert_eq!(exact, printed.place(near, rounding), "{text} {numerator}");
                exact.is_eq()
            })
        };
        assert_eq!(places("0.12", 3, 24), [true, false, true]);
        assert_eq!(places("0.13", 3, 24), [true, true, false]);
        assert_eq!(places("0.38", 3, 8), [true, true, true]);
        assert_eq!(places("-0.13", -3, 24), [true, true, false]);
        assert_eq!(places("0.1", -3, 24), [false; 3]);
        assert_eq!(places("0", 1, 2), [true, false, true]);
        assert_eq!(places("12.5%", 1, 8), [true; 3]);
        assert_eq!(places("< 0.125", 1, 8), [false; 3]);
        assert_eq!(places("<= 0.125", 1, 8), [true; 3]);
    }
}
