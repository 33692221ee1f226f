//! `answer_number`: the number that a reply commits to.
//!
//! # Strict
//! [`super::answer`] says where the answer begins; this is what is read there.
//!
//! | written | read as |
//! | --- | --- |
//! | `-12` `−12` `-$18.25` `$-18.25` `minus 12` | the sign belongs to the number, glued or in front of the currency |
//! | `$46` `\$46` `USD 46` `46 EUR` `46 dollars` `~46` `about 46` | 46 |
//! | `37.5%` | 37.5, as written |
//! | `1,234.5` `1 234.5` `1'234.5` `1{,}234.5` | groups of exactly three digits are thousands |
//! | `1.234,56` `1 234,56` `1.234.567` | the comma is the decimal mark where another mark proves it |
//! | `1.234` | 1.234 |
//! | `1,5` `0,375` `12,50` | ambiguous: a decimal comma and a list look the same |
//! | `1.5e3` `1.5 × 10^3` `10³` | powers of ten |
//! | `3/8` `2 2/3` `2½` `\frac{3}{8}` `46/100` | fractions |
//! | `4.6k` `2 million` `$1.5M` | scaled; `5M` without a currency is ambiguous |
//! | `#46` `No. 46` `46 kg` `46 m/s^2` `46ish` `46 or so` `($46)` | 46: brackets are dress, no minus |
//! | `forty-six (46)` | 46; `forty-six` alone is a word, and `forty-seven (46)` ambiguous |
//! | `12:45` `16h15` | no number |
//! | `3rd` `46²` `1/2/2024` `12 June` `6. Mai` `2π` `3x` `46\u{200b}5` | ambiguous |
//! | `46 or 55` `4, 8, 15` `46-55` `46 ± 2` `46 of 50` `5 ft 10 in` | ambiguous |
//! | `> 46` `46+` `46 and up` `at least 46` `up to 46` `46 max` | ambiguous: a bound |
//! | `46 originally` `46 (a typo)` `46 from memory` `46, assuming no tax` | ambiguous |
//! | `46 more than before` `46% more` `$46 off` `46 less shipping` `46 = 47` | ambiguous |
//! | `46-` `-(46)` | ambiguous |
//! | `- 46` | ambiguous: a minus and a bullet look the same |
//! | `~~55~~ 46` `<del>55</del> 46` `46, less than before` | 46 |
//! | `46 (was 55)` `46, not 55` `46 dollars, because 28 + 18 = 46` | 46 |
//! | `$168 - $52 = $116` `116 = 168 - 52` | 116 |
//! | `The total is $46.` `Total due: $46` `Cost = $46` | 46 |
//! | `You need 46 pens.` `She has 46 apples left.` `Ana owes $46.` | 46; `He had 46`, `I have 2 options` ambiguous |
//! | `55 (now 46)` `55 (superseded by 46)` `55, I mean 46` | ambiguous |
//! | `Probably 46` `55 if the tax is right` `55, but I cannot verify it` | ambiguous |
//! | `Unable to say ($55)` `<answer>` `N/A` `not 55` | abstained |
//!
//! A line behind the answer that takes it back (`Wait, that is wrong.`, `No, it is 47.`) makes it
//! ambiguous; anything else there is not read (`No, thanks.`, `No, 46 is right.`).
//!
//! # Fallbacks
//! One applies only where nothing was stated (status unparsed), never over an abstention or an
//! ambiguous answer. Where it had different values to choose from it takes the last and the
//! status is ambiguous, value and all.
//!
//! # Harness dialects
//! The last place that matches the whole pattern of the harness, so that a later abstention does
//! not cancel it; the loose dialect takes the last number anywhere where no place does. Those of
//! lm-evaluation-harness are in `lm_eval`.

use super::answer::{
    Markers, Payload, Reading, Status, WINDOW, harness_places, payload, skip_harness_wrappers,
};
use super::chars::{digit, is_python_space};
use super::clause::{Clause, Values, valueless};
use super::glance;
use super::lexer::{Kind, Lexer, Token};
use super::lexicon::Spelled;
use super::lm_eval;
use super::retraction::{Answer, Reader, retracted, taken_back};
use memchr::memmem;
use std::ops::Range;

/// Whose rules decide which number a reply commits to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// What a careful reader would read.
    Strict,
    /// The reclaim evaluation's corrected scorer.
    ReclaimEval,
    /// The reclaim evaluation's first scorer.
    ReclaimEvalLoose,
    /// The strict filter of lm-evaluation-harness.
    LmEvalStrict,
    /// The flexible filter of lm-evaluation-harness.
    LmEvalFlexible,
}

impl Dialect {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 5] =
        ["strict", "reclaim-eval", "reclaim-eval-loose", "lm-eval-strict", "lm-eval-flexible"];

    /// The dialect of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "strict" => Self::Strict,
            "reclaim-eval" => Self::ReclaimEval,
            "reclaim-eval-loose" => Self::ReclaimEvalLoose,
            "lm-eval-strict" => Self::LmEvalStrict,
            "lm-eval-flexible" => Self::LmEvalFlexible,
            _ => return None,
        })
    }
}

/// What to try where a reply states no number behind a marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fallback {
    /// Nothing.
    None,
    /// The last number of the reply.
    LastNumber,
    /// The last `\boxed{…}` of the reply.
    Boxed,
}

impl Fallback {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 3] = ["none", "last_number", "boxed"];

    /// The fallback of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "none" => Self::None,
            "last_number" => Self::LastNumber,
            "boxed" => Self::Boxed,
            _ => return None,
        })
    }
}

/// The number that a reply commits to.
///
/// The dialects of harnesses look for the harness's own marker and know no fallback.
#[must_use]
pub fn answer_number(
    reply: &str,
    markers: &Markers,
    dialect: Dialect,
    fallback: Fallback,
) -> Reading<f64> {
    let reading = match dialect {
        Dialect::Strict => strict(reply, markers),
        Dialect::ReclaimEval => return harness(reply, skip_harness_wrappers),
        Dialect::ReclaimEvalLoose => {
            let found = harness(reply, |text| text.trim_start_matches(is_python_space));
            let last = found.value.is_none().then(|| harness_last_number(reply)).flatten();
            return last.unwrap_or(found);
        }
        Dialect::LmEvalStrict => return lm_eval::strict(reply),
        Dialect::LmEvalFlexible => return lm_eval::flexible(reply),
    };
    if reading.status != Status::Unparsed {
        return reading;
    }
    let found = match fallback {
        Fallback::None => None,
        Fallback::LastNumber => last_number(reply),
        Fallback::Boxed => boxed(reply),
    };
    found.unwrap_or(reading)
}

/// The value of [`answer_number`] alone, which most replies give at a glance.
#[must_use]
pub fn value(reply: &str, markers: &Markers, dialect: Dialect, fallback: Fallback) -> Option<f64> {
    if dialect != Dialect::Strict || fallback != Fallback::None {
        return answer_number(reply, markers, dialect, fallback).value;
    }
    let payload = payload(reply, markers).ok()?;
    match bare(payload.text) {
        Some((value, _)) => {
            let answer =
                Answer { text: payload.text, value: Kind::Number(value), reader: Reader::Numbers };
            (!taken_back(answer, payload.after)).then_some(value)
        }
        None if clock(payload.text) || !glance::may_hold_number(payload.text) => None,
        None => committed(&payload).value,
    }
}

fn strict(reply: &str, markers: &Markers) -> Reading<f64> {
    match payload(reply, markers) {
        Ok(payload) => committed(&payload),
        Err(rule) => Reading::none(Status::Unparsed, rule),
    }
}

/// The number of a text that is nothing but the answer.
pub(super) fn stated(text: &str) -> Reading<f64> {
    committed(&Payload::of(text))
}

/// The number of a payload.
fn committed(payload: &Payload<'_>) -> Reading<f64> {
    let reading = on_line(payload);
    if let Some(value) = reading.value
        && retracted(payload, reading.span.as_ref(), Kind::Number(value), Reader::Numbers)
    {
        return Reading::none(Status::Ambiguous, "retracted");
    }
    reading
}

/// The number of its line.
fn on_line(payload: &Payload<'_>) -> Reading<f64> {
    if let Some((value, span)) = bare(payload.text) {
        return Reading::read(
            value,
            span.start + payload.start..span.end + payload.start,
            "marker",
        );
    }
    if !glance::may_hold_number(payload.text) {
        let (status, rule) = valueless(payload.text);
        return Reading::none(status, rule);
    }
    let tokens: Vec<Token<'_>> = Lexer::new(payload.text, payload.spaced).collect();
    let clause = Clause {
        text: payload.text,
        tokens: &tokens,
        prose: !payload.continued,
        values: Values::Numbers,
    };
    clause.read().reading(&tokens, payload.start, |kind| match kind {
        Kind::Number(value) => Some(value),
        _ => None,
    })
}

/// The tokens with numbers in words as numbers, but for the pronoun: "one is missing".
pub(super) fn with_spelled<'a>(tokens: impl Iterator<Item = Token<'a>>) -> Vec<Token<'a>> {
    let mut found: Vec<Token<'a>> = Vec::new();
    let mut spelled = None;
    for token in tokens {
        let (mut number, first) = spelled.take().unwrap_or((Spelled::default(), true));
        if token.kind == Kind::Word && number.add(token.text) {
            // Nobody counts up to more than a float holds in words.
            #[expect(clippy::cast_precision_loss)]
            let kind = Kind::Number(number.value() as f64);
            spelled = Some((number, false));
            match found.last_mut().filter(|_| !first) {
                Some(last) => (last.kind, last.end) = (kind, token.end),
                None => found.push(Token { kind, ..token }),
            }
            continue;
        }
        if token.kind == Kind::Word
            && let Some(last) =
                found.last_mut().filter(|last| last.text.eq_ignore_ascii_case("one"))
        {
            last.kind = Kind::Word;
        }
        found.push(token);
    }
    found
}

/// A time of day and nothing else: the usual case of no number.
fn clock(text: &str) -> bool {
    let text = text.trim_start_matches(['*', ' ']).trim_end_matches(['*', ' ', '.']);
    match text.as_bytes() {
        [hours @ .., b':', ten, one] => {
            (1..=2).contains(&hours.len()) && hours.iter().chain([ten, one]).all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// The usual case, in one pass: an ASCII number with at most a dollar sign before it, emphasis
/// around it and a full stop behind it.
fn bare(text: &str) -> Option<(f64, Range<usize>)> {
    let bytes = text.as_bytes();
    let skip = |mut at: usize, set: &[u8]| {
        while bytes.get(at).is_some_and(|byte| set.contains(byte)) {
            at += 1;
        }
        at
    };
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut start = skip(0, b"* ");
    if bytes.get(start) == Some(&b'$') {
        start += 1;
    }
    let mut end = digits(start);
    if end == start || end > start + 15 {
        return None;
    }
    if bytes.get(end) == Some(&b'.') {
        let part = digits(end + 1);
        if part > end + 1 {
            end = part;
        }
    }
    let rest = skip(end, b"*. ");
    if rest < bytes.len() || end > start + 20 {
        return None;
    }
    Some((text.get(start..end)?.parse().ok()?, start..end))
}

/// The last number of a reply; ambiguous when it has others.
fn last_number(reply: &str) -> Option<Reading<f64>> {
    let mut numbers = last_numbers(reply);
    let (last, span) = numbers.next()?;
    Some(match last {
        Kind::Number(value) => Reading {
            value: Some(value),
            span: Some(span),
            rule: "last_number",
            status: if numbers.any(|(other, _)| other != last) {
                Status::Ambiguous
            } else {
                Status::Read
            },
        },
        _ => Reading::none(Status::Ambiguous, "unreadable"),
    })
}

/// The numbers of a reply, readable or not, from the last to the first.
fn last_numbers(reply: &str) -> impl Iterator<Item = (Kind, Range<usize>)> {
    glance::lines_from_end(reply, glance::last_digit).flat_map(|line| {
        let text = reply.get(line.start..).unwrap_or_default();
        let tokens = Lexer::new(text, true).take_while(|token| token.start < line.len());
        let mut numbers: Vec<(Kind, Range<usize>)> = tokens
            .filter(|token| matches!(token.kind, Kind::Number(_) | Kind::Unreadable))
            .map(|token| (token.kind, token.start + line.start..token.end + line.start))
            .collect();
        numbers.reverse();
        numbers
    })
}

/// The number in the last `\boxed{…}`; ambiguous when other boxes hold other numbers.
fn boxed(reply: &str) -> Option<Reading<f64>> {
    const OPEN: &str = "\\boxed{";
    let mut last: Option<Reading<f64>> = None;
    let mut several = false;
    let mut from = 0;
    while let Some(found) = memmem::find(reply.as_bytes().get(from..)?, OPEN.as_bytes()) {
        let start = from + found + OPEN.len();
        let text = inside(reply.get(start..)?);
        from = start + text.len();
        let payload = Payload { text, after: "", start, continued: true, spaced: true };
        let reading = committed(&payload);
        several |= last.as_ref().is_some_and(|last| last.value != reading.value);
        last = Some(reading);
    }
    let mut last = last?;
    if last.status == Status::Read {
        last.rule = "boxed";
        if several {
            last.status = Status::Ambiguous;
        }
    }
    Some(last)
}

/// The text up to the brace that closes an opened one; up to the end of the line, or as far
/// as an answer can be, when there is none.
fn inside(text: &str) -> &str {
    let mut depth = 1_usize;
    let end = text.bytes().take(WINDOW).position(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'\n' => depth = 0,
            _ => {}
        }
        depth == 0
    });
    let mut end = end.unwrap_or(WINDOW.min(text.len()));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// The last place where the harness's whole pattern matches.
fn harness(reply: &str, dress: impl Fn(&str) -> &str) -> Reading<f64> {
    let found = harness_places(reply).rev().find_map(|(_, text)| {
        let text = dress(text);
        let text = text.strip_prefix('$').unwrap_or(text).trim_start_matches(is_python_space);
        let start = reply.len() - text.len();
        let (value, length) = harness_number(text)?;
        Some(Reading::read(value, start..start + length, "marker"))
    });
    found.unwrap_or_else(|| Reading::none(Status::Unparsed, "no_match"))
}

/// An optional minus, a digit, digits and commas, a dot and digits; value and length.
fn harness_number(text: &str) -> Option<(f64, usize)> {
    let is_digit = |c: char| digit(c).is_some();
    let body = text.strip_prefix('-').unwrap_or(text);
    if !body.starts_with(is_digit) {
        return None;
    }
    let mut rest = body.trim_start_matches(|c| c == ',' || is_digit(c));
    if let Some(part) = rest.strip_prefix('.').filter(|part| part.starts_with(is_digit)) {
        rest = part.trim_start_matches(is_digit);
    }
    let length = text.len() - rest.len();
    let written = text.get(..length)?;
    let value = if written.bytes().all(|b| b.is_ascii() && b != b',') {
        written.parse().ok()?
    } else {
        let plain: String =
            written.chars().filter(|&c| c != ',').map(|c| digit(c).unwrap_or(c)).collect();
        plain.parse().ok()?
    };
    Some((value, length))
}

/// The first number of a text, as the harness reads one.
pub(super) fn harness_stated(text: &str) -> Option<(f64, Range<usize>)> {
    let first = text.find(|c| digit(c).is_some())?;
    let start = first - usize::from(text.get(..first)?.ends_with('-'));
    let (value, length) = harness_number(text.get(start..)?)?;
    Some((value, start..start + length))
}

/// The last number anywhere, as the harness's first version finds it.
fn harness_last_number(reply: &str) -> Option<Reading<f64>> {
    // Matches are found from the left, so the run that holds the last digit decides.
    let of_number = |c: char| matches!(c, ',' | '.') || digit(c).is_some();
    let head = reply.trim_end_matches(|c| digit(c).is_none());
    let run = head.trim_end_matches(of_number);
    let mut from = run.len();
    let mut last = None;
    loop {
        // A number may end in a comma behind the last digit.
        let rest = head.get(from..).unwrap_or_default();
        let Some(skipped) = rest.find(|c| digit(c).is_some()) else {
            break;
        };
        from += skipped;
        // Only the first number of a run can have a minus before it.
        let signed = skipped == 0 && run.ends_with('-') && from == run.len();
        let start = from - usize::from(signed);
        let (value, length) = harness_number(reply.get(start..)?)?;
        last = Some(Reading::read(value, start..start + length, "last_number"));
        from = start + length;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::answer::Which;
    use std::fmt::Write as _;
    use std::time::{Duration, Instant};

    fn read(reply: &str) -> Reading<f64> {
        answer_number(reply, &Markers::default(), Dialect::Strict, Fallback::None)
    }

    fn with(reply: &str, dialect: Dialect, fallback: Fallback) -> (Option<f64>, Status) {
        let reading = answer_number(reply, &Markers::default(), dialect, fallback);
        (reading.value, reading.status)
    }

    #[expect(clippy::float_cmp)]
    fn assert_reads(answer: &str, value: f64) {
        let reply = format!("It was 99 before.\nANSWER: {answer}");
        let reading = read(&reply);
        assert_eq!(reading.status, Status::Read, "{answer:?} {reading:?}");
        assert!(reading.value.is_some_and(|read| read == value), "{answer:?} {reading:?}");
        let span = reading.span.expect("a value has a place");
        assert!(reply.get(span).is_some_and(|text| !text.is_empty()), "{answer:?}");
    }

    fn assert_declines(answer: &str, status: Status) {
        let reading = read(&format!("It was 99 before.\nANSWER: {answer}"));
        assert_eq!((reading.value, reading.span), (None, None), "{answer:?}");
        assert_eq!(reading.status, status, "{answer:?} {}", reading.rule);
    }

    #[test]
    fn signs_and_currencies() {
        for answer in [
            "-3.5",
            "−3.5",
            "–3.5",
            "‐3.5",
            "—3.5",
            "-$3.5",
            "$-3.5",
            "−€3.5",
            "-\\$3.5",
            "− 3.5",
            "minus 3.5",
            "negative 3.5",
        ] {
            assert_reads(answer, -3.5);
        }
        for answer in [
            "$81",
            "\\$81",
            "US$81",
            "81 €",
            "USD 81",
            "EUR81",
            "81 dollars",
            "Rs. 81",
            "81 CHF",
            "£81.00",
            "$ 81",
            "+81",
            "81%",
            "81 percent",
            "81 m²",
            "81/month",
            "~81",
            "≈ $81",
            "about 81",
            "approx. 81",
            "exactly $81",
        ] {
            assert_reads(answer, 81.0);
        }
    }

    #[test]
    fn separators() {
        for answer in [
            "12,345.5",
            "12 345.5",
            "12\u{a0}345.5",
            "12\u{202f}345.5",
            "12'345.5",
            "12’345.5",
            "12{,}345.5",
            "12\\,345.5",
            "12.345,5",
            "12 345,5",
            "12345.5",
        ] {
            assert_reads(answer, 12345.5);
        }
        assert_reads("₹1,23,456", 123_456.0);
        assert_reads("Rs. 1,23,456.50", 123_456.5);
        assert_reads("١٬٢٣٤٫٥", 1234.5);
        assert_reads("1,234,567", 1_234_567.0);
        assert_reads("1.234.567", 1_234_567.0);
        assert_reads("1.234", 1.234);
        assert_reads(".025", 0.025);
        assert_reads("7.", 7.0);
        for answer in ["1,5", "0,375", "12,50", "1,2345", "1,23,456", "1.2.3", "12.05.2024"] {
            assert_declines(answer, Status::Ambiguous);
        }
    }

    #[test]
    fn powers_fractions_and_scales() {
        for answer in [
            "1.5e3",
            "1.5E+3",
            "1.5 × 10^3",
            "1.5*10^3",
            "1.5 x 10^{3}",
            "$1.5 \\times 10^{3}$",
            "1.5 × 10³",
            "1.5*10**3",
            "1.5k",
            "1.5 thousand",
            "$1.5K",
            "3000/2",
        ] {
            assert_reads(answer, 1500.0);
        }
        assert_reads("10⁻²", 0.01);
        assert_reads("2.3 million", 2.3e6);
        assert_reads("2.3 milli\u{200b}on", 2.3e6);
        assert_reads("3/8", 0.375);
        assert_reads("½ million", 5e5);
        assert_reads("$2½ million", 2.5e6);
        assert_reads("-2 1/2", -2.5);
        assert_reads("2½", 2.5);
        assert_reads("2\\frac{1}{2}", 2.5);
        assert_reads("$\\dfrac{5}{2}$", 2.5);
        for answer in [
            "5M",
            "3/0",
            "1/2/2024",
            "4²",
            "2^5",
            "1e400",
            "3rd",
            "3 thousandths",
            "2 7/3",
            "2 dozen",
            "½ millionth",
        ] {
            assert_declines(answer, Status::Ambiguous);
        }
    }

    #[test]
    fn wrappers() {
        for answer in [
            "**46**",
            "*46*",
            "__46__",
            "`46`",
            "\"46\"",
            "“46”",
            "[46]",
            "(46).",
            "<46>",
            "<b>46</b>",
            "{46}",
            "\\boxed{46}",
            "$\\boxed{46}$",
            "\\boxed{\\text{46}}",
            "\\(46\\)",
            "４６",
            "٤٦",
            "46。",
            "46!",
            "46\u{200b}",
            "\u{200e}46",
            "| 46 |",
            "= 46",
            "46.",
        ] {
            assert_reads(answer, 46.0);
        }
        assert!(read("**ANSWER:**\n\n46").value.is_some());
        assert!(read("ANSWER:\n```\n46\n```").value.is_some());
        assert_eq!(read("ANSWER:\n\nPlease send the 46 prices.").value, None);
        assert_eq!(read("ANSWER:\n1. Send the prices.").value, None);
        assert_eq!(read("ANSWER:\nThanks!\n46").value, None);
    }

    #[test]
    fn expressions_and_sentences() {
        for answer in [
            "28 + 18 = 46",
            "$28 + $18 = $46",
            "46 = 28 + 18",
            "7*4 + 9*2 = 28 + 18 = 46",
            "(7 × 4) + (9 × 2) = 46",
            "7 hats × $4 + 9 pins × $2 = $46",
            "x = 46",
            "The sum is $46.",
            "It comes to 46 in all.",
            "Total: $46",
            "Sum for 7 hats and 9 pins is $46",
            "46 is the total",
            "It should be 46",
            "It adds up to 46",
            "The total for 7 hats: 46",
            "There are 46 pins.",
            "You need 46 pins.",
            "The box now holds about 46 red pins in total.",
            "Ana owes $46, not $55.",
            "She has 46 pins because 28 + 18 = 46.",
        ] {
            assert_reads(answer, 46.0);
        }
        for answer in [
            "28 + 18",
            "Hats are $4, so the sum is $46",
            "x = 5, y = 6",
            "x = 5 or x = 6",
            "The earlier sum is 55",
            "I think it is 46",
            "55 is wrong",
            "She pays $46",
            "46 was the sum",
            "He had 46",
            "I have 2 options",
            "You need 46 more than before",
            "She has no 46",
            "She has 46 of 50",
            "She has at least 46",
            "She has 46 pins. Ben has 12.",
            "Ben thinks Ana has 46 pins",
            "forty-six, which is 9 less",
        ] {
            assert_eq!(read(&format!("ANSWER: {answer}")).value, None, "{answer}");
        }
        assert_declines("The sum is not $46", Status::Abstained);
    }

    #[test]
    fn remarks_behind_a_value() {
        for answer in [
            "46 (was 55)",
            "46, not 55",
            "46 hats, not 55",
            "46 instead of 55",
            "46 because 28 + 18 = 46",
            "46 (28 + 18)",
            "46 (the 55 was wrong)",
            "46. The 55 was wrong.",
            "46 (assuming the first sum was right)",
            "46 — see above",
            "46 (46.0)",
            "46 (previously 55)",
            "46 (formerly 55)",
            "46 (4600%)",
            "→ 46",
            "• 46",
            "约46",
            "The correct total is not 55 but 46",
            "not 55, but 46",
            "x ≈ 46",
            "46ish",
            "46-ish",
        ] {
            assert_reads(answer, 46.0);
        }
        for answer in [
            "46 or 55",
            "46, 55",
            "4, 8, 15",
            "4; 8",
            "46 and 55",
            "46-55",
            "46 – 55",
            "46 to 55",
            "46 (or 55)",
            "46 (55)",
            "46, maybe 55",
            "46 ± 2",
            "> 46",
            "46 of 50",
            "5 ft 10 in",
            "55, but I cannot verify it",
            "55 (wrong)",
            "55 if tax is out",
            "55? No, 46",
            "- 46",
            "46 and a half",
            "46 + tax",
            "46 at most",
            "per month 46-55",
            "3万",
            "5億",
            "2千",
            "3万円",
            "46 M",
            "46MM",
            "300 K",
            "$46 M",
            "46 Milliarden",
            "2 tausend",
            "information is lost: 55",
            "Error: 404",
            "I doubt it is 55",
            "55 no longer",
            "55 used to be right",
            "55 nein",
            "55 isn't it",
            "55 (old value)",
            "❌ 55",
            "0.46 (45%)",
            "46 (45%)",
            "not 55 but 46 or 47",
            "not 55 but 46 is the old one",
            "约定 46",
            "~~55~~",
            "46?",
            "46 (?)",
            "46!?",
            "46. The total is 55.",
            "46. Sorry, 55",
            "46不对",
            "46 falsch",
            "1. 46",
            "up to 46",
            "1990s",
            "5-star",
            "3D",
            "46 (negative)",
            "46 (at least)",
            "55. That is wrong.",
            "55. But tax is missing.",
        ] {
            assert_declines(answer, Status::Ambiguous);
        }
    }

    #[test]
    fn what_is_struck_out() {
        for answer in [
            "~~55~~ 46",
            "46 ~~55~~",
            "46 (~~55~~)",
            "<del>55</del> 46",
            "<s>55 or 47</s> **46**",
            "~~about 55~~ ~~47~~ about 46",
        ] {
            assert_reads(answer, 46.0);
        }
        for answer in ["~~55~~", "<del>55</del>", "~~ 55 ~~", "46 ~~", "~~46"] {
            assert_declines(answer, Status::Ambiguous);
        }
        assert_declines("~~55~~ unknown", Status::Abstained);
        assert_declines("~~unknown~~ see above", Status::Ambiguous);
        let last = |reply| with(reply, Dialect::Strict, Fallback::LastNumber);
        assert_eq!(last("It is ~~55~~ 46, not ~~47~~"), (Some(46.0), Status::Read));
        assert_eq!(last("It is ~~55\n46~~"), (Some(46.0), Status::Ambiguous));
    }

    #[test]
    fn the_line_behind_an_answer() {
        for line in [
            "No, thanks.",
            "Update: none",
            "No, 46 is right.",
            "Wait for the update.",
            "Updated: 2024-05-12",
            "Edit: 12 May",
            "Actually, the old price was 55.",
            "No, Ben.",
            "Nowhere else.",
            "40 hats were sold",
            "Total: 47",
            "7 × 4 = 28",
            "forty-six",
        ] {
            let read = read(&format!("ANSWER: 46\n{line}")).value;
            assert_eq!(read, Some(46.0), "{line}");
        }
        for line in [
            "No, forty-seven.",
            "Update: 47",
            "No, 47 is right.",
            "Sorry, no.",
            "Wait: 47",
            "Hold on, 47",
            "Actually, it is less.",
            "Edit: 12 pens",
            "47",
            "→ 47",
            "46? No, 47.",
            "~~46~~ 47",
            "Note: the correct answer is 47",
            "47, sorry",
        ] {
            assert_eq!(read(&format!("ANSWER: 46\n{line}")).rule, "retracted", "{line}");
        }
    }

    #[test]
    fn what_is_no_number() {
        for answer in [
            "unable (earlier 55)",
            "inconnu (avant : 55)",
            "Unable to say … ($55)",
            "<answer>",
            "<answer> (2 prices missing)",
            "[total]",
            "N/A",
            "Not enough information",
            "no answer yet",
            "Keine Angabe: 55",
            "~~55~~ unknown",
            "je ne sais pas: 55",
            "not 55",
            "Unknown (needs 2 prices)",
        ] {
            assert_declines(answer, Status::Abstained);
        }
        for answer in [
            "",
            "???",
            "forty-six",
            "12:45",
            "16h15",
            "12pm",
            "3 p.m.",
            "12 noon",
            "9 Uhr",
            "9:00-9:30",
            "The sum is $Z.",
        ] {
            assert_declines(answer, Status::Unparsed);
        }
        assert_eq!(read("no marker, 46").rule, "no_marker");
        assert_eq!(read("").status, Status::Unparsed);
    }

    #[test]
    fn the_last_marker_counts() {
        assert_eq!(read("ANSWER: 55, no.\nANSWER: 46").value, Some(46.0));
        assert_eq!(read("ANSWER: 55\nANSWER: unable").status, Status::Abstained);
    }

    #[test]
    fn fallbacks_never_override_an_abstention() {
        let last = |reply| with(reply, Dialect::Strict, Fallback::LastNumber);
        assert_eq!(last("72 coins, all told."), (Some(72.0), Status::Read));
        assert_eq!(last("46 pens in 2 boxes"), (Some(2.0), Status::Ambiguous));
        assert_eq!(last("So 46.\nANSWER:"), (Some(46.0), Status::Read));
        assert_eq!(last("So 46.\nANSWER: unable (55)"), (None, Status::Abstained));
        assert_eq!(last("So 46.\nANSWER: 4 or 5"), (None, Status::Ambiguous));
        assert_eq!(last("at 12:45"), (None, Status::Unparsed));
        let boxed = |reply| with(reply, Dialect::Strict, Fallback::Boxed);
        assert_eq!(boxed("\\boxed{840}. Check: \\boxed{840}"), (Some(840.0), Status::Read));
        assert_eq!(boxed("\\boxed{84} \\boxed{8{,}400}"), (Some(8400.0), Status::Ambiguous));
        assert_eq!(boxed("\\boxed{\\frac{3}{8}}"), (Some(0.375), Status::Read));
        assert_eq!(boxed("\\boxed{x}"), (None, Status::Unparsed));
        assert_eq!(boxed("46"), (None, Status::Unparsed));
    }

    #[test]
    fn harness_dialects() {
        let eval = |reply| with(reply, Dialect::ReclaimEval, Fallback::None).0;
        assert_eq!(eval("ANSWER: **$1,046.50** or 7"), Some(1046.5));
        assert_eq!(eval("answer\u{a0}:\n('$ -4"), Some(-4.0));
        assert_eq!(eval("ANSWER: 46\nANSWER: unable"), Some(46.0));
        assert_eq!(eval("ANSWER: $168 - $52 = $116"), Some(168.0));
        assert_eq!(eval("ANSWER: ４６.٥"), Some(46.5));
        for reply in ["ANSWER: \\$150", "ANSWER: -$4", "ANSWER： 4", "ANSWER 4", "4", "ANSWER: .5"]
        {
            assert_eq!(eval(reply), None, "{reply}");
        }
        let loose = |reply| with(reply, Dialect::ReclaimEvalLoose, Fallback::None).0;
        assert_eq!(loose("was 7, now $55, I think"), Some(55.0));
        assert_eq!(loose("ANSWER: **46** (not 5-)"), Some(5.0));
        assert_eq!(loose("ANSWER: 46, not 5"), Some(46.0));
        assert_eq!(loose("v1.2.3"), Some(3.0));
        assert_eq!(loose("-12.5."), Some(-12.5));
        assert_eq!(loose("none"), None);
    }

    #[test]
    fn rendered_values_are_read_back() {
        let mut state = 7_u64;
        for round in 0..20_000_u64 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round);
            let cents = (state >> 33) % 10_u64.pow(1 + (state % 9) as u32);
            let (whole, part) = (cents / 100, cents % 100);
            let mut digits = whole.to_string();
            let separator = [",", " ", "\u{202f}", "'", "{,}", ""][(round % 6) as usize];
            let mut at = digits.len();
            while at > 3 {
                at -= 3;
                digits.insert_str(at, separator);
            }
            let sign = ["", "-", "−", "–"][(round / 6 % 4) as usize];
            let currency = ["", "$", "\\$", "€", "USD "][(round / 24 % 5) as usize];
            let mut number = format!("{sign}{currency}{digits}");
            write!(number, ".{part:02}").expect("text");
            let dressed = match round / 120 % 6 {
                0 => format!("**{number}**"),
                1 => format!("$\\boxed{{{number}}}$"),
                2 => format!("The total is {number}."),
                3 => format!("{number} (not 55)"),
                4 => format!("<{number}>"),
                _ => format!("≈ {number} apples"),
            };
            let value = cents as f64 / 100.0;
            assert_reads(&dressed, if sign.is_empty() { value } else { -value });
        }
    }

    #[test]
    fn hostile_replies_take_linear_time() {
        let markers =
            Markers::new(&["ANSWER".into(), "####".into(), "final réponse".into()], Which::Last)
                .expect("valid");
        let started = Instant::now();
        for piece in [
            ":",
            "ANSWER:",
            "ANSWER: ",
            "answer ''':",
            "####",
            "#### ",
            "1",
            "1,",
            "1 ",
            "1/",
            "1.",
            "10^",
            "{",
            "(",
            "[(",
            "\\boxed{",
            "\\boxed{1}",
            "\\frac{1",
            "<",
            "<a>",
            "</a",
            "- ",
            "*",
            "\n",
            "\u{a0}",
            "é:",
            "=1",
            "：",
        ] {
            let long = piece.repeat(60_000 / piece.len());
            for reply in [long.clone(), format!("ANSWER: {long}"), format!("{long}\nANSWER: 46")] {
                for dialect in [Dialect::Strict, Dialect::ReclaimEval, Dialect::ReclaimEvalLoose] {
                    for fallback in [Fallback::None, Fallback::LastNumber, Fallback::Boxed] {
                        let _ = answer_number(&reply, &markers, dialect, fallback);
                    }
                }
            }
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    }

    #[test]
    fn numbers_found_line_by_line_are_those_of_the_whole() {
        let mut state = 9;
        let mut found = 0;
        for round in 0..4_000 {
            let reply = glance::tests::text(&mut state, 1 + round % 29);
            let mut whole: Vec<(Kind, Range<usize>)> = Lexer::new(&reply, true)
                .filter(|token| matches!(token.kind, Kind::Number(_) | Kind::Unreadable))
                .map(|token| (token.kind, token.start..token.end))
                .collect();
            whole.reverse();
            assert_eq!(last_numbers(&reply).collect::<Vec<_>>(), whole, "{reply:?}");
            found += whole.len();
        }
        assert!(found > 1_000, "{found}");
    }
}
