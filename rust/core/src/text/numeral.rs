//! One number as people and models write it, from its first digit on.
//!
//! | written | read as |
//! | --- | --- |
//! | `1,234.5` `1 234.5` `1'234.5` `1{,}234.5` | groups of exactly three digits: thousands |
//! | `1.234,56` `1 234,56` `1.234.567` | the same with the comma as decimal mark, where another mark proves it |
//! | `1.234` | 1.234 |
//! | `₹1,23,456` | 123456: groups of two behind a currency only |
//! | `1,5` `0,375` `12,50` `1,2345` | nothing: a decimal comma and a list look the same |
//! | `46\u{200b}5` `1,\u{200b}234` | nothing: what prints nothing joins digits for some and parts them for others |
//! | `1.5e3` `1.5 × 10^3` `1.5*10**3` `10³` | powers of ten |
//! | `3/8` `2 2/3` `2½` `\frac{3}{8}` `\frac38` | fractions of whole numbers, proper behind a whole number |
//! | `4.6k` `2 million` `$1.5M` `$3bn` | scaled; `M`, `B`, `T` and `K` only behind a currency |
//! | `3万` `3 млн` `2 mila` `46 M` `46MM` `70b` `2 dozen` | nothing: scaled by what is not read, or by a unit |
//! | `46kg` `5km/h` `20C` `46ºC` `46ish` | the number: units, and what is about it |
//! | `12:45` `16h15` `12pm` `12 noon` | a time or a ratio, never a number |
//! | `1/2/2024` `1.2.3` `3rd` `3º` `46²` `46cm2` `3x` `12a` `2π` `3D` `5-star` `46以上` | nothing |

use super::chars::{self, is_invisible, is_mark, plain};
use super::everyday;
use super::lexer::{Kind, is_currency, is_currency_sign};
use super::lexicon::List;
use std::borrow::Cow;

/// More digits than any answer has; longer runs are not read.
const LONGEST: usize = 400;

/// A position in a text that gives its characters in their plainest form.
#[derive(Clone, Copy)]
pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        if let Some(&byte @ ..0x80) = self.text.as_bytes().get(self.at) {
            self.at += 1;
            return Some(plain(char::from(byte)));
        }
        loop {
            let c = self.rest().chars().next()?;
            self.at += c.len_utf8();
            if !is_invisible(c) {
                return Some(plain(c));
            }
        }
    }

    pub(super) fn peek(mut self) -> Option<char> {
        self.next()
    }

    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let mut ahead = *self;
        let found = ahead.next() == Some(wanted);
        if found {
            *self = ahead;
        }
        found
    }

    pub(super) fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        let mut ahead = *self;
        while ahead.next().is_some_and(&skipped) {
            *self = ahead;
        }
    }

    /// Appends digits; how many there were.
    fn digits(&mut self, into: &mut String) -> usize {
        let mut count = 0;
        let mut ahead = *self;
        while let Some(c) = ahead.next().filter(char::is_ascii_digit) {
            *self = ahead;
            count += 1;
            if into.len() <= LONGEST {
                into.push(c);
            }
        }
        count
    }

    /// A whole number in digits.
    fn whole(&mut self) -> Option<f64> {
        if let Some((value, end)) = everyday::whole(self.text.as_bytes(), self.at) {
            self.at = end;
            return Some(value);
        }
        let mut digits = String::new();
        if self.digits(&mut digits) == 0 { None } else { digits.parse().ok() }
    }

    fn at_digit(self) -> bool {
        self.peek().is_some_and(|c| c.is_ascii_digit())
    }

    /// The LaTeX command at this place, and the place behind it.
    pub(super) fn command(self) -> Option<(&'a str, Self)> {
        let rest = self.rest().trim_start_matches(is_invisible);
        let name = rest.strip_prefix('\\')?;
        let end = name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len());
        let name = name.get(..end).filter(|name| !name.is_empty())?;
        Some((name, Self { text: self.text, at: self.text.len() - rest.len() + 1 + end }))
    }
}

/// Reads the number that begins here, moving behind it. `money`: a currency stands before it.
pub(super) fn numeral(scan: &mut Scan<'_>, money: bool) -> Kind {
    if let Some((value, end)) = everyday::unlinked(scan.text.as_bytes(), scan.at) {
        scan.at = end;
        return Kind::Number(value);
    }
    // A slash directly behind digits is that of a fraction, or of nothing.
    if let Some((numerator, end)) = everyday::whole(scan.text.as_bytes(), scan.at)
        && let Some((denominator, behind)) = over(Scan { text: scan.text, at: end })
    {
        *scan = behind;
        return fractional(scan, None, (numerator, denominator), money);
    }
    written(scan, money)
}

/// As [`numeral`], without a short way.
pub(super) fn written(scan: &mut Scan<'_>, money: bool) -> Kind {
    let mut run = String::new();
    let start = scan.at;
    if let Some((parts, behind)) = fraction_sign(*scan) {
        *scan = behind;
        return fractional(scan, None, parts, money);
    }
    if !grouped(scan, &mut run) {
        return Kind::Unreadable;
    }
    // An invisible character between digits joins them for some readers and parts them for others.
    let written = scan.text.get(start..scan.at).unwrap_or_default();
    if written.trim_start_matches(is_invisible).contains(is_invisible) {
        return Kind::Unreadable;
    }
    let whole = run.bytes().all(|b| b.is_ascii_digit());
    let mantissa = if whole {
        Cow::Borrowed(run.as_str())
    } else {
        match decimal(&run, money || money_follows(*scan)) {
            Some(mantissa) => Cow::Owned(mantissa),
            None => return Kind::Unreadable,
        }
    };
    let value = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
    if let Some(exponent) = exponent(scan, &mantissa) {
        let mantissa = if exponent.1 { "1" } else { mantissa.as_ref() };
        return match scale(scan, money) {
            Some(0) => finish(scan, value(&format!("{mantissa}e{}", exponent.0))),
            _ => Kind::Unreadable,
        };
    }
    if noon(scan) {
        return Kind::Clock;
    }
    if whole {
        if is_clock(*scan) {
            loop {
                scan.skip(|c| c.is_ascii_digit());
                let mut ahead = *scan;
                if !(matches!(ahead.next(), Some(':' | '.' | 'h')) && ahead.at_digit()) {
                    return Kind::Clock;
                }
                *scan = ahead;
            }
        }
        let mut ahead = *scan;
        ahead.skip(|c| c == ' ');
        if let Some((parts, behind)) = fraction_sign(ahead).or_else(|| fraction(ahead)) {
            *scan = behind;
            return fractional(scan, Some(value(&mantissa)), parts, money);
        }
        if let Some((denominator, behind)) = over(ahead) {
            *scan = behind;
            return fractional(scan, None, (value(&mantissa), denominator), money);
        }
    }
    match scale(scan, money) {
        Some(0) => finish(scan, value(&mantissa)),
        Some(power) => finish(scan, value(&format!("{mantissa}e{power}"))),
        None => Kind::Unreadable,
    }
}

/// A fraction with the whole number before it, if any: then it has to be a proper one.
fn fractional(
    scan: &mut Scan<'_>,
    whole: Option<f64>,
    (numerator, denominator): (f64, f64),
    money: bool,
) -> Kind {
    let proper = whole.is_none() || numerator < denominator;
    match scale(scan, money).and_then(|power| i32::try_from(power).ok()) {
        Some(power) if proper && denominator != 0.0 => {
            let value = whole.unwrap_or(0.0) + numerator / denominator;
            finish(scan, value * 10_f64.powi(power))
        }
        _ => Kind::Unreadable,
    }
}

/// `pm`, `a.m.`, *noon*: the number before it was a time of day.
fn noon(scan: &mut Scan<'_>) -> bool {
    let mut ahead = *scan;
    ahead.skip(|c| c == ' ');
    let start = ahead.at;
    ahead.skip(|c| c.is_alphabetic() || matches!(c, '.' | '\''));
    let word = ahead.text.get(start..ahead.at).unwrap_or_default();
    let letters = word.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase());
    let found = !word.is_empty()
        && ["am", "pm", "noon", "midnight", "oclock", "uhr"]
            .iter()
            .any(|name| letters.clone().eq(name.chars()));
    if found {
        *scan = ahead;
    }
    found
}

/// Refuses a value that something else is glued to: more digits, a power, an ordinal ending.
fn finish(scan: &mut Scan<'_>, value: f64) -> Kind {
    let mut ahead = *scan;
    let mut glued = scan.rest().trim_start_matches(is_invisible).starts_with(is_mark);
    match ahead.next() {
        Some('.') if matches!(ahead.peek(), Some('º' | 'ª')) => glued = true,
        Some('^' | '/' | '.' | ',' | '\'') => glued |= ahead.at_digit() || power_of(*scan),
        Some('<') => glued |= scan.rest().starts_with("<sup>"),
        Some('x' | 'X') if product(*scan) => {}
        // 5-star, but 46-ish is about 46.
        Some('-') if ahead.peek().is_some_and(char::is_alphabetic) => {
            let start = ahead.at;
            ahead.skip(|c| c.is_alphanumeric() || c == '-');
            glued |= !ahead
                .text
                .get(start..ahead.at)
                .is_some_and(|word| word.eq_ignore_ascii_case("ish"));
            *scan = ahead;
        }
        Some(c) if c.is_alphanumeric() => {
            let mut word = *scan;
            word.skip(char::is_alphanumeric);
            let suffix = word.text.get(scan.at..word.at).unwrap_or_default();
            let suffix: String = suffix.chars().filter(|&c| !is_invisible(c)).collect();
            glued |= !is_unit(&suffix);
            if glued {
                *scan = word;
            }
        }
        _ => {}
    }
    if glued || !value.is_finite() { Kind::Unreadable } else { Kind::Number(value) }
}

/// Whether letters glued to a number leave it what it is: a unit, but no ordinal ending, decade,
/// variable or bound.
fn is_unit(suffix: &str) -> bool {
    static ENDS: List =
        List::new("st nd rd th s d x y z n i e a o q r u fold er ème eme ère ième ste de");
    static UNITS: List = List::new("C F W V L J N ºC ºF");
    let mut letters = suffix.chars();
    let Some(first) = letters.next() else {
        return true;
    };
    let capital = letters.next().is_none() && first.is_ascii_uppercase();
    if capital || matches!(first, 'º' | 'ª') {
        return UNITS.spells(suffix);
    }
    suffix.chars().all(char::is_alphabetic)
        && !ENDS.holds(suffix)
        // Raised letters, Greek constants, and at least, at most or over in Chinese and Japanese.
        && !matches!(first, '\u{2b0}'..='\u{2b8}' | '\u{1d2c}'..='\u{1d6a}' | 'ⁿ' | 'π')
        && !["以上", "以下", "以内", "以內", "未満", "超", "多", "余", "餘", "几", "강", "여"]
            .iter()
            .any(|bound| suffix.starts_with(bound))
}

/// A caret with an exponent, in braces or not; `^\circ` and the like are units.
fn power_of(mut scan: Scan<'_>) -> bool {
    scan.eat('^') && {
        scan.skip(|c| matches!(c, '{' | '(' | ' '));
        scan.eat('-');
        scan.peek().is_some_and(char::is_alphanumeric)
    }
}

/// An `x` that multiplies: digits follow, or a currency and digits.
pub(super) fn product(mut scan: Scan<'_>) -> bool {
    scan.next();
    scan.skip(|c| matches!(c, ' ' | '$' | '\\'));
    scan.at_digit()
}

/// Digits with the marks that may stand between them, blanks and apostrophes made one.
/// False when there are too many.
fn grouped(scan: &mut Scan<'_>, run: &mut String) -> bool {
    let mut fine = true;
    let mut group = scan.digits(run);
    loop {
        let mut ahead = *scan;
        let mark = match ahead.next() {
            Some(mark @ (',' | '.' | '\'')) if ahead.at_digit() => mark,
            Some('{') if ahead.eat(',') && ahead.eat('}') && ahead.at_digit() => ',',
            Some('\\') if (ahead.eat(',') || ahead.eat(' ')) && three_digits(ahead) => ' ',
            Some(' ') if group <= 3 && !run.contains('.') && three_digits(ahead) => ' ',
            _ => return fine && run.len() <= LONGEST,
        };
        run.push(if mark == '\'' { ' ' } else { mark });
        group = ahead.digits(run);
        fine &= run.len() <= LONGEST;
        *scan = ahead;
    }
}

/// Exactly three digits and then no digit.
fn three_digits(mut scan: Scan<'_>) -> bool {
    (0..3).all(|_| scan.next().is_some_and(|c| c.is_ascii_digit())) && !scan.at_digit() && {
        // The 125 of "7 125/8" is a numerator.
        !(scan.eat('/') && scan.at_digit())
    }
}

/// A currency stands behind the number.
fn money_follows(mut scan: Scan<'_>) -> bool {
    scan.skip(|c| c == ' ');
    let start = scan.at;
    scan.skip(char::is_alphabetic);
    let word = scan.text.get(start..scan.at).unwrap_or_default();
    is_currency(word) || (word.is_empty() && scan.peek().is_some_and(is_currency_sign))
}

/// The run in the notation of Rust, or nothing when its marks do not say what they are.
fn decimal(run: &str, money: bool) -> Option<String> {
    let count = |mark: char| run.matches(mark).count();
    let (commas, dots, blanks) = (count(','), count('.'), count(' '));
    let (thousands, point) = match (commas, dots, blanks) {
        (0, 0 | 1, 0) => return Some(run.to_owned()),
        (_, 0, 0) => (',', None),
        (0, _, 0) => ('.', None),
        (_, _, 0) if dots == 1 && run.rfind('.') > run.rfind(',') => (',', Some('.')),
        (1, _, 0) if run.rfind(',') > run.rfind('.') => ('.', Some(',')),
        (0, 0 | 1, _) => (' ', Some('.')),
        (1, 0, _) => (' ', Some(',')),
        _ => return None,
    };
    let (whole, part) = match point.and_then(|point| run.rsplit_once(point)) {
        Some((whole, part)) => (whole, part),
        None => (run, ""),
    };
    let mut groups = whole.split(thousands);
    let first = groups.next()?;
    let led = (1..=3).contains(&first.len()) && !first.starts_with('0');
    // ₹1,23,456: only a currency tells it from a list.
    let indian = money && thousands == ',' && first.len() < 3 && {
        let mut groups = groups.clone().rev();
        groups.next().is_some_and(|group| group.len() == 3) && groups.all(|group| group.len() == 2)
    };
    if !led || !(indian || groups.all(|group| group.len() == 3)) || part.contains(thousands) {
        return None;
    }
    let mut plain: String = whole.chars().filter(char::is_ascii_digit).collect();
    plain.push('.');
    plain.push_str(part);
    Some(plain)
}

/// The exponent behind a mantissa, and whether the mantissa was itself the ten.
fn exponent(scan: &mut Scan<'_>, mantissa: &str) -> Option<(String, bool)> {
    let mut ahead = *scan;
    let mut power = String::new();
    if matches!(ahead.next(), Some('e' | 'E')) {
        sign(&mut ahead, &mut power);
        if ahead.digits(&mut power) > 0 {
            *scan = ahead;
            return Some((power, false));
        }
        power.clear();
    }
    let mut behind = *scan;
    if mantissa == "10" && raised(&mut behind, &mut power) {
        *scan = behind;
        return Some((power, true));
    }
    power.clear();
    let mut behind = *scan;
    behind.skip(|c| c == ' ');
    if let Some((_, after)) = behind.command().filter(|(name, _)| matches!(*name, "times" | "cdot"))
    {
        behind = after;
    } else if !matches!(behind.next(), Some('×' | 'x' | 'X' | '*')) {
        return None;
    }
    behind.skip(|c| c == ' ');
    if behind.eat('1') && behind.eat('0') && raised(&mut behind, &mut power) {
        *scan = behind;
        return Some((power, false));
    }
    None
}

/// `^3`, `^{-3}`, `**3` or `³`.
fn raised(scan: &mut Scan<'_>, power: &mut String) -> bool {
    let mut raw = scan.rest().chars();
    let small: String = raw.by_ref().map_while(superscript).collect();
    if small.bytes().any(|b| b.is_ascii_digit()) {
        let width = scan.rest().chars().take(small.len()).map(char::len_utf8).sum::<usize>();
        scan.at += width;
        power.push_str(&small);
        return true;
    }
    if scan.rest().starts_with("<sup>") {
        scan.at += "<sup>".len();
        sign(scan, power);
        let read = scan.digits(power) > 0 && scan.rest().starts_with("</sup>");
        scan.at += if read { "</sup>".len() } else { 0 };
        return read;
    }
    if !(scan.eat('^') || (scan.eat('*') && scan.eat('*'))) {
        return false;
    }
    let close = ['{', '('].into_iter().find(|&open| scan.eat(open));
    sign(scan, power);
    let read = scan.digits(power) > 0;
    match close {
        Some('{') => read && scan.eat('}'),
        Some(_) => read && scan.eat(')'),
        None => read,
    }
}

pub(super) fn superscript(c: char) -> Option<char> {
    Some(match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴'..='⁹' => char::from_digit(u32::from(c) - 0x2070, 10)?,
        '⁻' => '-',
        _ => return None,
    })
}

fn sign(scan: &mut Scan<'_>, power: &mut String) {
    if scan.eat('-') {
        power.push('-');
    } else {
        scan.eat('+');
    }
}

/// Minutes follow: `:45`, or `h15` glued on both sides.
fn is_clock(mut scan: Scan<'_>) -> bool {
    matches!(scan.next(), Some(':' | 'h')) && scan.at_digit()
}

/// A vulgar fraction sign or a LaTeX fraction of whole numbers.
pub(super) fn fraction_sign(mut scan: Scan<'_>) -> Option<((f64, f64), Scan<'_>)> {
    if let Some((name, mut behind)) = scan.command() {
        if !matches!(name, "frac" | "dfrac" | "tfrac" | "cfrac") {
            return None;
        }
        // `\frac{3}{8}`, and `\frac38` for single digits.
        let mut part = || -> Option<f64> {
            let mut digits = String::new();
            if behind.eat('{') {
                if behind.eat('-') {
                    digits.push('-');
                }
                let read = behind.digits(&mut digits) > 0 && behind.eat('}');
                return if read { digits.parse().ok() } else { None };
            }
            behind.skip(|c| c == ' ');
            let one = behind.next().filter(char::is_ascii_digit)?;
            one.to_digit(10).map(f64::from)
        };
        return Some(((part()?, part()?), behind));
    }
    let parts = match scan.next()? {
        '½' => (1, 2),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '¼' => (1, 4),
        '¾' => (3, 4),
        '⅕' => (1, 5),
        '⅖' => (2, 5),
        '⅗' => (3, 5),
        '⅘' => (4, 5),
        '⅙' => (1, 6),
        '⅚' => (5, 6),
        '⅐' => (1, 7),
        '⅛' => (1, 8),
        '⅜' => (3, 8),
        '⅝' => (5, 8),
        '⅞' => (7, 8),
        '⅑' => (1, 9),
        '⅒' => (1, 10),
        _ => return None,
    };
    Some(((f64::from(parts.0), f64::from(parts.1)), scan))
}

/// A fraction in digits, glued: `2/3`.
fn fraction(mut scan: Scan<'_>) -> Option<((f64, f64), Scan<'_>)> {
    let mut ahead = scan;
    ahead.skip(|c| c.is_ascii_digit());
    if ahead.at == scan.at || !ahead.eat('/') || !ahead.at_digit() {
        return None;
    }
    let numerator = scan.whole()?;
    scan.eat('/');
    Some(((numerator, scan.whole()?), scan))
}

/// A slash and a whole number.
fn over(mut scan: Scan<'_>) -> Option<(f64, Scan<'_>)> {
    if !scan.eat('/') {
        return None;
    }
    scan.skip(|c| c == ' ');
    Some((scan.whole()?, scan))
}

const NAMED: [(&str, u32); 7] = [
    ("hundred", 2),
    ("thousand", 3),
    ("lakh", 5),
    ("million", 6),
    ("crore", 7),
    ("billion", 9),
    ("trillion", 12),
];

/// The power of ten that a scale word behind the number stands for, 0 without one; nothing
/// when the letter could as well be a unit.
fn scale(scan: &mut Scan<'_>, money: bool) -> Option<u32> {
    let mut ahead = *scan;
    ahead.skip(|c| c == ' ');
    let glued = ahead.at == scan.at;
    let start = ahead.at;
    ahead.skip(|c| c.is_alphabetic() || is_mark(c));
    let word = ahead.text.get(start..ahead.at).unwrap_or_default();
    if word.is_empty() {
        return Some(0);
    }
    let clean;
    let word = if word.contains(is_invisible) {
        clean = word.replace(is_invisible, "");
        clean.as_str()
    } else {
        word
    };
    let money = money && !closes_formula(ahead);
    let named = NAMED.iter().find(|(name, _)| {
        word.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name))
    });
    let power = match named {
        // Hundredths and the like are other numbers.
        Some((name, _)) if !matches!(word.get(name.len()..), Some("" | "s")) => return None,
        Some(&(_, power)) => power,
        None if scales(word) => return None,
        None => match word {
            "k" if glued => 3,
            "mn" | "mln" | "mio" | "Mio" => 6,
            "bn" | "bln" | "Bn" | "BN" | "Mrd" | "mrd" => 9,
            "K" if glued && money => 3,
            "m" | "M" | "MM" if glued && money => 6,
            "b" | "B" if glued && money => 9,
            "T" if glued && money => 12,
            // Of `b`, billions as often as bits.
            "K" | "M" | "B" | "T" | "MM" | "Mn" | "k" | "b" => return None,
            "m" if money => return None,
            _ => return Some(0),
        },
    };
    *scan = ahead;
    Some(power)
}

/// A dollar sign that closes the formula which one before the number opened: `$4m$` is no money.
fn closes_formula(mut scan: Scan<'_>) -> bool {
    scan.skip(|c| matches!(c, ' ' | '}') || is_invisible(c));
    scan.eat('$') && !scan.at_digit()
}

/// Whether a word behind a number scales it by an amount that is not read.
fn scales(word: &str) -> bool {
    static WORDS: List = List::new(
        "\
        dozen dozens grand gross mil mill mille mila tausend tsd lac lacs cr tn trn tril bil mld \
        mlrd score juta ribu milyon bin tusen tusind duizend tuhat tys tysiac miljoen miljon \
        miljard",
    );
    static OTHERS: List = List::new(
        "\
        тыс тысяча тысячи тысяч млн миллион миллиона миллионов млрд миллиард миллиарда миллиардов \
        тис тисяч करोड़ लाख हज़ार हजार مليون مليار ألف آلاف هزار میلیون triệu nghìn ngàn tỷ tisíc tisíce \
        พัน หมื่น แสน ล้าน",
    );
    const HEADS: [&str; 3] = ["milli", "millo", "billo"];
    if word.starts_with([
        '十', '百', '千', '万', '萬', '亿', '億', '兆', '拾', '佰', '仟', '천', '만', '억', '조',
    ]) {
        return true;
    }
    if !word.is_ascii() {
        return OTHERS.spells(word);
    }
    WORDS.holds(word)
        || HEADS.iter().any(|head| {
            word.get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head))
        })
}

/// Whether a number can begin with this character.
pub(super) fn begins(scan: Scan<'_>) -> bool {
    let mut ahead = scan;
    match ahead.next() {
        Some('.') => ahead.at_digit(),
        Some('0'..='9') => true,
        // Of other characters only a backslash and signs beyond ASCII can open a fraction.
        Some(' '..='[' | ']'..='~') if scan.at + 1 == ahead.at => false,
        Some(c) => chars::digit(c).is_some() || fraction_sign(scan).is_some(),
        None => false,
    }
}
