//! `answer_number`: the number that a reply commits to.
//!
//! # Strict
//! [`super::answer`] says where the answer begins, [`super::clause`](self) which of its values
//! counts, and the table below how one number is read.
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
//! | `3/8` `2 2/3` `2½` `\frac{3}{8}` | fractions |
//! | `4.6k` `2 million` `$1.5M` | scaled; `5M` without a currency is ambiguous |
//! | `12:45` `16h15` | no number |
//! | `3rd` `46²` `1/2/2024` | ambiguous |
//! | `46 or 55` `4, 8, 15` `46-55` `46 ± 2` `> 46` `46 of 50` `5 ft 10 in` | ambiguous |
//! | `- 46` | ambiguous: a minus and a bullet look the same |
//! | `46 (was 55)` `46, not 55` `46 dollars, because 28 + 18 = 46` | 46 |
//! | `$168 - $52 = $116` `116 = 168 - 52` | 116 |
//! | `The total is $46.` | 46 |
//! | `Probably 46` `55 if the tax is right` `55, but I cannot verify it` | ambiguous |
//! | `Unable to say ($55)` `<answer>` `N/A` `not 55` | abstained |
//!
//! # Fallbacks
//! One applies only where nothing was stated (status unparsed), never over an abstention or an
//! ambiguous answer. Where it had different values to choose from it takes the last and the
//! status is ambiguous, value and all.
//!
//! # Harness dialects
//! The last place that matches the whole pattern of the harness, so that a later abstention does
//! not cancel it; the loose dialect takes the last number anywhere where no place does.

use super::answer::{
    Dialect, Markers, Payload, Reading, Status, WINDOW, harness_places, payload,
    skip_harness_wrappers,
};
use super::chars::{digit, is_python_space};
use super::clause::{Clause, Verdict, valueless};
use super::lexer::{Kind, Lexer, Token};
use memchr::memmem;
use std::ops::Range;

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
/// The harness dialects look for `ANSWER` whatever the markers are, and their last number is
/// that of the harness.
#[must_use]
pub fn answer_number(
    reply: &str,
    markers: &Markers,
    dialect: Dialect,
    fallback: Fallback,
) -> Reading<f64> {
    let reading = match dialect {
        Dialect::Strict => strict(reply, markers),
        Dialect::ReclaimEval => harness(reply, skip_harness_wrappers),
        Dialect::ReclaimEvalLoose => {
            harness(reply, |text| text.trim_start_matches(is_python_space))
        }
    };
    if reading.status != Status::Unparsed {
        return reading;
    }
    let found = match (fallback, dialect) {
        (Fallback::Boxed, _) => boxed(reply),
        (Fallback::LastNumber, Dialect::Strict) => last_number(reply),
        (Fallback::LastNumber, _) | (_, Dialect::ReclaimEvalLoose) => harness_last_number(reply),
        (Fallback::None, _) => None,
    };
    found.unwrap_or(reading)
}

fn strict(reply: &str, markers: &Markers) -> Reading<f64> {
    match payload(reply, markers) {
        Ok(payload) => committed(&payload),
        Err(rule) => Reading::none(Status::Unparsed, rule),
    }
}

/// The number of a payload.
fn committed(payload: &Payload<'_>) -> Reading<f64> {
    if let Some((value, span)) = bare(payload.text) {
        return Reading::read(
            value,
            span.start + payload.start..span.end + payload.start,
            "marker",
        );
    }
    if !payload.text.contains(|c: char| c.is_ascii_digit() || (!c.is_ascii() && c.is_numeric())) {
        let (status, rule) = valueless(payload.text);
        return Reading::none(status, rule);
    }
    let tokens: Vec<Token<'_>> = Lexer::new(payload.text, payload.spaced).collect();
    let clause =
        Clause { text: payload.text, tokens: &tokens, prose: !payload.continued, choices: false };
    match clause.read() {
        Verdict::Read(at, rule) => match tokens.get(at) {
            Some(&Token { kind: Kind::Number(value), start, end, .. }) => {
                Reading::read(value, start + payload.start..end + payload.start, rule)
            }
            _ => Reading::none(Status::Ambiguous, rule),
        },
        Verdict::Not(status, rule) => Reading::none(status, rule),
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
    let mut last: Option<Token<'_>> = None;
    let mut several = false;
    for token in Lexer::new(reply, true) {
        match (token.kind, last.map(|token| token.kind)) {
            (Kind::Number(_) | Kind::Unreadable, before) => {
                several |= before.is_some_and(|before| before != token.kind);
                last = Some(token);
            }
            _ => {}
        }
    }
    let last = last?;
    Some(match last.kind {
        Kind::Number(value) => Reading {
            value: Some(value),
            span: Some(last.start..last.end),
            rule: "last_number",
            status: if several { Status::Ambiguous } else { Status::Read },
        },
        _ => Reading::none(Status::Ambiguous, "unreadable"),
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
        let payload = Payload { text, start, continued: true, spaced: true };
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
    let found = harness_places(reply).find_map(|(_, text)| {
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
    if let Some(part) = rest.strip_prefix('.') {
        if part.starts_with(is_digit) {
            rest = part.trim_start_matches(is_digit);
        }
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

/// The last number anywhere, as the harness's first version finds it.
fn harness_last_number(reply: &str) -> Option<Reading<f64>> {
    // Matches are found from the left, so the run that holds the last digit decides.
    let of_number = |c: char| matches!(c, ',' | '.') || digit(c).is_some();
    let head = reply.trim_end_matches(|c| digit(c).is_none());
    let run = head.trim_end_matches(of_number);
    let mut from = run.len();
    let mut last = None;
    loop {
        let rest = head.get(from..)?;
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
