//! `answer_time`: the time of day that a reply commits to.
//!
//! # Strict
//! [`super::answer`] says where the answer begins, and what counts as committed is decided as for
//! words: a sentence needs no verb, `16:15 or 17:15`, ranges and lists are ambiguous, refusals
//! abstain.
//!
//! | written | read as |
//! | --- | --- |
//! | `16:15` `9:05` `16:15:42` `16:15Z` `16:15 Uhr` | hours and minutes, seconds left out |
//! | `4:15 pm` `4:15p.m.` `4 PM` `12:45 PM` `12 am` | 16:15, 16:15, 16:00, 12:45, 00:00 |
//! | `4:15 in the afternoon` `4:15 de la tarde` `下午4:15` `9 at night` | 16:15, and 21:00 |
//! | `16h15` `16 h 15` `16h` `1615 hrs` `4 o'clock` | 16:15, 16:00, 16:15, 04:00 |
//! | `16h15min` `16 heures 30` `2h30min` `16 heures` | 16:15, 16:30; of less than 13 hours, or alone, how long something takes |
//! | `16 Uhr` `16点15分` `16:15+02:00` `2024-05-12T16:15:00Z` | as written, whatever the zone |
//! | `16.15` `4.15 pm` `9 tonight` | 16:15 and 21:00, where no other time is named; never beside a currency or unit |
//! | `before 16:15` `by 16:15` `16:15 at the latest` | ambiguous: a bound |
//! | `noon` `midnight` `12 noon` `24:00` | 12:00, 00:00, 12:00, 00:00 |
//! | `415 pm` | 16:15 |
//! | `27:80` `9:5` `13:00 am` `1615 am` | nothing: no such time |
//! | `9:00-9:30` `9 to 10 am` `9:00 until ten` | the first two are ambiguous, the third is 09:00 |
//! | `16 Uhr 15` `16 Uhr dreißig` | 16:15, and nothing: the minutes are not read |
//! | `took 4:15` `4:15 hours` `1:30 left` `16:15 cancelled` | nothing: no time of day that is kept |
//! | `1615` `16` `2h30m` `16.75` | nothing: no time of day |
//!
//! # Fallback
//! `last_time` applies only where nothing was stated, as in [`super::number`], and does not read
//! times with a dot or by the night alone (`9 tonight`): prose names more prices and guests than such
//! times. Nor does it read what lasts or is a score or verse by a word of its clause (`took 4:15`).
//!
//! # Harness dialects
//! The first marker with at most two asterisks, two digits at most, a colon, two digits and perhaps
//! am or pm; hours modulo 24 and minutes as they are. The loose dialect takes the last such time
//! anywhere.

use super::answer::{Dialect, Markers, Payload, Reading, Status, harness_places, payload};
use super::chars::{digit, is_python_space};
use super::clause::{Clause, Values, Verdict, valueless};
use super::glance;
use super::lexer::{Kind, Lexer, Token, is_currency_sign};
use super::lexicon::{List, SPANS, SPANS_BEHIND, Spelled};
use super::numeral::Scan;
use super::retraction::{Answer, Reader, retracted, taken_back};
use memchr::memchr;
use std::fmt;
use std::ops::Range;

/// A time of day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Time {
    hour: u8,
    /// The harness dialects let 60 to 99 stand.
    minute: u8,
}

impl Time {
    /// The kind of its token: a choice of its minute.
    fn kind(self) -> Kind {
        Kind::Choice(usize::from(self.hour) * 60 + usize::from(self.minute))
    }

    /// `HH:MM` in ASCII.
    #[must_use]
    pub const fn written(self) -> [u8; 5] {
        [
            b'0' + self.hour / 10 % 10,
            b'0' + self.hour % 10,
            b':',
            b'0' + self.minute / 10 % 10,
            b'0' + self.minute % 10,
        ]
    }
}

impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:02}:{:02}", self.hour, self.minute)
    }
}

/// What to try where a reply states no time behind a marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fallback {
    /// Nothing.
    None,
    /// The last time of the reply.
    LastTime,
}

impl Fallback {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 2] = ["none", "last_time"];

    /// The fallback of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "none" => Self::None,
            "last_time" => Self::LastTime,
            _ => return None,
        })
    }
}

/// The time that a reply commits to.
///
/// The harness dialects look for `ANSWER` whatever the markers are.
#[must_use]
pub fn answer_time(
    reply: &str,
    markers: &Markers,
    dialect: Dialect,
    fallback: Fallback,
) -> Reading<Time> {
    let reading = match dialect {
        Dialect::Strict => match payload(reply, markers) {
            Ok(payload) => committed(&payload),
            Err(rule) => Reading::none(Status::Unparsed, rule),
        },
        Dialect::ReclaimEval => harness(reply),
        Dialect::ReclaimEvalLoose => harness_last(reply),
    };
    if reading.status == Status::Unparsed && fallback == Fallback::LastTime {
        let last = match dialect {
            Dialect::Strict => last_time(reply),
            _ => Some(harness_last(reply)),
        };
        return last.unwrap_or(reading);
    }
    reading
}

/// The value of [`answer_time`] alone, which most replies give at a glance.
#[must_use]
pub fn value(reply: &str, markers: &Markers, dialect: Dialect, fallback: Fallback) -> Option<Time> {
    if dialect != Dialect::Strict {
        return answer_time(reply, markers, dialect, fallback).value;
    }
    if let Ok(payload) = payload(reply, markers) {
        let text = payload.text;
        if let Some((time, _)) = bare(text) {
            let answer = Answer { text, value: time.kind(), reader: Reader::Times };
            return (!taken_back(answer, payload.after)).then_some(time);
        }
        if !money(text) && glance::last_time(text, true).is_some() {
            let reading = committed(&payload);
            if reading.status != Status::Unparsed {
                return reading.value;
            }
        } else if fallback == Fallback::None || valueless(text).0 != Status::Unparsed {
            return None;
        }
    }
    if fallback == Fallback::None {
        return None;
    }
    let at = glance::last_time(reply, false)?;
    match plain_time(reply, at) {
        Some(minutes) => time(minutes),
        None => time(last_times(reply).next()?.0),
    }
}

/// The usual case of a last time: `it left at 16:15.`, whose hour ends here. Behind it is the end
/// of a sentence or its part, and no number that could make a range of it; before it are no words
/// that tell the half of the day.
fn plain_time(reply: &str, at: usize) -> Option<usize> {
    let head = reply.get(..=at)?;
    let &[.., b'a'..=b'z', b'a'..=b'z', b' ', b'0'..=b'9', b'0'..=b'9'] = head.as_bytes() else {
        return None;
    };
    let [b':', b'0'..=b'9', b'0'..=b'9', behind @ ..] = reply.as_bytes().get(at + 1..)? else {
        return None;
    };
    let line = memchr(b'\n', behind).map_or(behind, |end| behind.split_at(end).0);
    let ends = matches!(line, [] | [b'.' | b',' | b')' | b'"' | b'\'', ..]);
    let mut words = head.rsplit(' ').skip(1);
    let before = words.next().and_then(|word| if word == "at" { words.next() } else { Some(word) });
    let day = |word: &str| ["ning", "noon", "night"].iter().any(|end| word.ends_with(end));
    let plain = before.is_some_and(|word| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()) && !day(word)
    });
    // What lasts, or is struck out, is for a closer look.
    let sentence = head.rsplit(' ').skip(1).take_while(|word| !word.ends_with(['.', ',', '\n']));
    let spans = sentence
        .into_iter()
        .any(|word| SPANS.holds(word.trim_matches(|c: char| !c.is_ascii_alphabetic())));
    if !ends
        || !plain
        || spans
        || line.contains(&b'~')
        || glance::may_hold_number(reply.get(at + 4..at + 4 + line.len())?)
    {
        return None;
    }
    digital(reply, at - 1, false, None)?.0
}

/// Places of a day in the tokens of a clause; whatever is no time of day lies behind.
const MINUTES: usize = 24 * 60;

fn committed(payload: &Payload<'_>) -> Reading<Time> {
    let reading = stated(payload);
    if let Some(time) = reading.value
        && retracted(payload, reading.span.as_ref(), time.kind(), Reader::Times)
    {
        return Reading::none(Status::Ambiguous, "retracted");
    }
    reading
}

/// The time of its line.
fn stated(payload: &Payload<'_>) -> Reading<Time> {
    if let Some((time, span)) = bare(payload.text) {
        return Reading::read(time, span.start + payload.start..span.end + payload.start, "marker");
    }
    let tokens = tokens(payload.text, payload.spaced);
    if !tokens.iter().any(|token| matches!(token.kind, Kind::Choice(_))) {
        let (status, rule) = valueless(payload.text);
        return Reading::none(status, rule);
    }
    let clause = Clause {
        text: payload.text,
        tokens: &tokens,
        prose: !payload.continued,
        values: Values::Times,
    };
    match clause.read() {
        Verdict::Read(at, rule) => match tokens.get(at) {
            Some(&Token { kind: Kind::Choice(minutes), start, end, .. }) => match time(minutes) {
                Some(time) => Reading::read(time, start + payload.start..end + payload.start, rule),
                None => Reading::none(Status::Unparsed, "invalid"),
            },
            _ => Reading::none(Status::Ambiguous, rule),
        },
        Verdict::Not(status, rule) => Reading::none(status, rule),
    }
}

/// The usual case: `HH:MM` with emphasis around it and a full stop behind it.
fn bare(text: &str) -> Option<(Time, Range<usize>)> {
    let undressed = |byte: &u8| !matches!(byte, b'*' | b' ');
    let start = text.bytes().position(|byte| undressed(&byte))?;
    let end = text.bytes().rposition(|byte| undressed(&byte) && byte != b'.')? + 1;
    let &[tens, ones, b':', ten, one] = text.as_bytes().get(start..end)? else {
        return None;
    };
    let number = |tens: u8, ones: u8| {
        (tens.is_ascii_digit() && ones.is_ascii_digit())
            .then(|| usize::from(tens - b'0') * 10 + usize::from(ones - b'0'))
    };
    let (hour, minute) = (number(tens, ones)?, number(ten, one)?);
    let time = time(valid(hour, minute, None)?)?;
    Some((time, start..end))
}

/// An amount of money and nothing else: the usual case of no time.
fn money(text: &str) -> bool {
    text.trim_start_matches(['*', ' ']).strip_prefix('$').is_some_and(|amount| {
        amount.bytes().all(|b| b.is_ascii_digit() || matches!(b, b',' | b'.' | b' ' | b'*'))
    })
}

fn time(minutes: usize) -> Option<Time> {
    let part = |part: usize| u8::try_from(part).ok();
    if minutes < MINUTES {
        Some(Time { hour: part(minutes / 60)?, minute: part(minutes % 60)? })
    } else {
        None
    }
}

/// The last time of a reply; ambiguous when it has others.
fn last_time(reply: &str) -> Option<Reading<Time>> {
    let mut times = last_times(reply);
    let (minutes, span) = times.next()?;
    Some(match time(minutes) {
        Some(time) => Reading {
            value: Some(time),
            span: Some(span),
            rule: "last_time",
            status: if times.any(|(other, _)| other != minutes) {
                Status::Ambiguous
            } else {
                Status::Read
            },
        },
        None => Reading::none(Status::Ambiguous, "invalid"),
    })
}

/// The times of a reply, as minutes of the day or more, from the last to the first.
fn last_times(reply: &str) -> impl Iterator<Item = (usize, Range<usize>)> {
    glance::lines_from_end(reply, |text| glance::last_time(text, false)).flat_map(|line| {
        let text = reply.get(line.start..).unwrap_or_default();
        let tokens: Vec<Token<'_>> =
            Lexer::new(text, true).take_while(|token| token.start < line.len()).collect();
        let tokens = joined(&tokens, text, false);
        (0..tokens.len()).rev().filter_map(move |at| match tokens.get(at)? {
            &Token { kind: Kind::Choice(minutes), start, end, .. } if !lasts(&tokens, at) => {
                Some((minutes, start + line.start..end + line.start))
            }
            _ => None,
        })
    })
}

/// Whether words of the same clause say that a time is how long something takes, a score or the
/// like: "took 4:15", "1:30 left".
fn lasts(tokens: &[Token<'_>], at: usize) -> bool {
    let is_in = |token: &Token<'_>, list: &List| token.kind == Kind::Word && list.holds(token.text);
    if tokens.get(at + 1).is_some_and(|next| is_in(next, &SPANS_BEHIND)) {
        return true;
    }
    let head = tokens.get(..at).unwrap_or_default();
    let kept = head.last().is_some_and(|word| word.text.eq_ignore_ascii_case("at"));
    let ends = |kind| matches!(kind, Kind::Stop | Kind::Comma | Kind::Dash | Kind::Choice(_));
    !kept && head.iter().rev().take_while(|token| !ends(token.kind)).any(|word| is_in(word, &SPANS))
}

/// The time that a text states which is nothing but the answer, as a choice of its minute.
pub(super) fn moment(text: &str) -> Option<Kind> {
    stated(&Payload::of(text)).value.map(Time::kind)
}

/// The tokens with times of day as choices; with dots only where there are no others.
pub(super) fn tokens(text: &str, spaced: bool) -> Vec<Token<'_>> {
    let tokens: Vec<Token<'_>> = Lexer::new(text, spaced).collect();
    let plain = joined(&tokens, text, false);
    if plain.iter().any(|token| matches!(token.kind, Kind::Choice(_))) {
        plain
    } else {
        joined(&tokens, text, true)
    }
}

/// The tokens with times of day as choices of their minute. One that does not exist, and a
/// number that opens or closes a range or is one of two alternatives, is a choice that is no minute, each another.
fn joined<'a>(tokens: &[Token<'a>], text: &'a str, dots: bool) -> Vec<Token<'a>> {
    let mut found: Vec<Token<'a>> = Vec::with_capacity(tokens.len());
    let mut until = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.start < until {
            // "Nachmittag-4" goes on behind the time.
            let rest = text.get(until..token.end).unwrap_or_default();
            if rest.starts_with('-')
                && let Some(cut) = found.last_mut()
            {
                cut.kind = Kind::Choice(MINUTES + cut.start);
            }
            continue;
        }
        let money = at.checked_sub(1).and_then(|before| tokens.get(before));
        let money = money.is_some_and(|before| before.kind == Kind::Currency);
        let start = behind_date(text, token.start);
        if start.is_some() {
            while found
                .last()
                .is_some_and(|token| matches!(token.kind, Kind::Number(_) | Kind::Operator))
            {
                found.pop();
            }
        }
        let mut token = *token;
        token.start = start.unwrap_or(token.start);
        let read = match token.kind {
            Kind::Number(_) | Kind::Clock | Kind::Unreadable => {
                digital(text, token.start, dots && !money, half_before(&found))
            }
            Kind::Word => named(&token),
            _ => None,
        };
        let Some((minutes, end)) = read else {
            found.push(token);
            continue;
        };
        until = end;
        // "下午4:15": the word is part of the time.
        while let Some(word) = found.last()
            && !word.text.is_ascii()
            && half_before(&found).is_some()
        {
            found.pop();
        }
        let kind = Kind::Choice(minutes.unwrap_or(MINUTES + token.start));
        let text = text.get(token.start..end).unwrap_or_default();
        // The same time in another spelling: "16:15 or 4:15 pm".
        if let [.., before, between] = found.as_slice()
            && before.kind == kind
            && connects(between)
        {
            found.pop();
            continue;
        }
        found.push(Token { kind, text, start: token.start, end });
    }
    for at in 0..found.len() {
        let Some(&token) = found.get(at) else { break };
        let Kind::Number(number) = token.kind else { continue };
        let hour = (0.0..=24.0).contains(&number);
        // "(1615) or 16:15"
        let bare = |token: &&Token<'_>| !matches!(token.kind, Kind::Open | Kind::Close);
        let beside = |link: Option<&Token<'_>>, time: Option<&Token<'_>>| {
            let or = |link: &Token<'_>| link.text.eq_ignore_ascii_case("or");
            link.is_some_and(|link| or(link) || hour && connects(link))
                && time.is_some_and(|token| matches!(token.kind, Kind::Choice(c) if c < MINUTES))
        };
        let (head, rest) = found.split_at(at);
        let mut behind = rest.iter().skip(1).filter(bare);
        let mut before = head.iter().rev().filter(bare);
        let ranges = beside(behind.next(), behind.next()) || beside(before.next(), before.next());
        if ranges && let Some(slot) = found.get_mut(at) {
            slot.kind = Kind::Choice(MINUTES + token.start);
        }
    }
    found
}

/// Whether a token makes a range or a choice of the times beside it.
fn connects(token: &Token<'_>) -> bool {
    const WORDS: [&str; 7] = ["to", "and", "or", "until", "till", "through", "vs"];
    match token.kind {
        Kind::Operator | Kind::Dash | Kind::Equals => true,
        Kind::Word => WORDS.iter().any(|word| token.text.eq_ignore_ascii_case(word)),
        _ => false,
    }
}

/// *noon*, *midday* and *midnight*.
fn named(token: &Token<'_>) -> Option<(Option<usize>, usize)> {
    let is = |word: &str| token.text.eq_ignore_ascii_case(word);
    if is("noon") || is("midday") {
        return Some((Some(12 * 60), token.end));
    }
    is("midnight").then_some((Some(0), token.end))
}

/// What says which half of the day an hour is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Half {
    Am,
    Pm,
    Noon,
    Midnight,
    Night,
}

/// Minutes since midnight.
fn valid(hour: usize, minute: usize, half: Option<Half>) -> Option<usize> {
    if minute > 59 {
        return None;
    }
    let hour = match (half, hour) {
        (None, 0..=23) | (Some(Half::Pm), 13..=23) | (Some(Half::Night), 0..=5 | 18..=23) => hour,
        (None, 24) | (Some(Half::Midnight), 0 | 12 | 24) if minute == 0 => 0,
        (Some(Half::Am), 0..=12) => hour % 12,
        (Some(Half::Pm), 1..=12) => hour % 12 + 12,
        (Some(Half::Noon), 12) if minute == 0 => 12,
        (Some(Half::Night), 12) => 0,
        (Some(Half::Night), 6..=11) => hour + 12,
        _ => return None,
    };
    Some(hour * 60 + minute)
}

/// The time of day that begins with these digits, and where it ends; without a value when there
/// is no such time, and nothing at all when the digits do not tell a time.
fn digital(
    text: &str,
    at: usize,
    dots: bool,
    before: Option<Half>,
) -> Option<(Option<usize>, usize)> {
    let mut scan = Scan { text, at };
    let (hour, width) = digits(&mut scan)?;
    let mut behind = scan;
    // "4 : 15"
    let mut apart = scan;
    apart.skip(|c| c == ' ');
    if width <= 2 && apart.eat(':') {
        apart.skip(|c| c == ' ');
        let minute = digits(&mut apart).filter(|&(_, width)| width == 2);
        if apart.peek() != Some(':') && apart.at > scan.at + 3 {
            return minute.map(|(minute, _)| finish(before, apart, Some((hour, minute))));
        }
    }
    if width > 2 {
        return run(before, behind, hour, width);
    }
    match behind.next() {
        Some(':') => {
            let (minute, digits_of_minute) = digits(&mut behind)?;
            let mut whole = digits_of_minute == 2;
            // Seconds and their fraction.
            for mark in [':', '.'] {
                let mut part = behind;
                if part.eat(mark)
                    && let Some((second, width)) = digits(&mut part)
                {
                    whole &= mark == '.' || (width == 2 && second < 60);
                    behind = part;
                }
            }
            let mut more = behind;
            whole &= !(more.eat(':') && digits(&mut more).is_some());
            // "4:15 hours" lasts; "16:15 hours" is a time.
            more = behind;
            more.skip(|c| c == ' ');
            whole &= width > 1 || !["hours", "hour"].into_iter().any(|unit| word(&mut more, unit));
            return Some(finish(before, behind, whole.then_some((hour, minute))));
        }
        Some('.') => {
            let (minute, width) = digits(&mut behind)?;
            let mut more = behind;
            let marked =
                matches!(more.next(), Some('.' | ',' | '%' | '/')) && digits(&mut more).is_some();
            if width != 2 || marked || behind.peek() == Some('%') {
                return None;
            }
            let half = half(behind);
            if half.is_none() {
                let mut glued = behind;
                let letters = behind.peek().is_some_and(char::is_alphanumeric);
                if !dots
                    || measures(behind)
                    || minute > 59
                    || hour > 23
                    || (letters && !hours(&mut glued))
                {
                    return None;
                }
            }
            return Some(finish(before, behind, Some((hour, minute))));
        }
        _ => {}
    }
    let mut spaced = scan;
    spaced.skip(|c| c == ' ');
    let mut heures = spaced;
    if ["heures", "heure"].into_iter().any(|unit| word(&mut heures, unit)) {
        return behind_heures(before, heures, hour);
    }
    if spaced.eat('h') || spaced.eat('H') {
        let glued = !matches!(scan.peek(), Some(' '));
        let mut minutes = spaced;
        minutes.skip(|c| c == ' ');
        if let Some((minute, width)) = digits(&mut minutes) {
            // "2h30m" and "2 h 30 min" last; "16h15min" is a time.
            let mut unit = minutes;
            unit.skip(|c| c == ' ');
            let named = ["min", "m", "mn", "minutes"].iter().any(|name| word(&mut unit, name));
            let end = if named { unit } else { minutes };
            let goes_on = end.peek().is_some_and(char::is_alphanumeric);
            if goes_on || width != 2 || (named && !(13..24).contains(&hour)) {
                return None;
            }
            return Some(finish(before, end, Some((hour, minute))));
        }
        if glued && !spaced.peek().is_some_and(char::is_alphanumeric) {
            return Some(finish(before, spaced, Some((hour, 0))));
        }
        return None;
    }
    if ["o'clock", "Uhr"].into_iter().any(|clock| word(&mut spaced, clock)) {
        return Some(behind_hour(before, spaced, hour));
    }
    // 16時15分, 4点半
    if ['点', '點', '时', '時', '시'].into_iter().any(|sign| spaced.eat(sign)) {
        return Some(behind_hour(before, spaced, hour));
    }
    // Of bare hours only what stands directly behind says the half of the day; in prose "9 at night"
    // may count something else.
    let (half, end) = half(scan).filter(|&(half, _)| dots || half != Half::Night)?;
    Some((valid(hour, 0, Some(half)), end.at))
}

/// The time of hours and minutes in one number that ends here: `1615 hrs`, `415 pm`, but there is no
/// such time as `1615 am`.
fn run(
    before: Option<Half>,
    mut behind: Scan<'_>,
    number: usize,
    width: usize,
) -> Option<(Option<usize>, usize)> {
    if width == 4 && hours(&mut behind) || width <= 4 && meridiem(behind) {
        return Some(finish(before, behind, Some((number / 100, number % 100))));
    }
    (behind.eat(':') && digits(&mut behind).is_some()).then(|| finish(before, behind, None))
}

/// Whether *am* or *pm* stands here, in whatever dress.
fn meridiem(mut scan: Scan<'_>) -> bool {
    scan.skip(|c| matches!(c, ' ' | '*' | '_' | '`'));
    scan.peek().is_some_and(|c| matches!(c, 'a' | 'A' | 'p' | 'P'))
        && matches!(half(scan), Some((Half::Am | Half::Pm, behind))
        if scan.text.get(scan.at..behind.at).is_some_and(|said| {
            said.chars().filter(|c| c.is_alphabetic()).count() == 2
        }))
}

/// The time whose hour and *heures* end here: `16 heures 30`, `4 heures du matin`. Alone it may be how
/// long something takes.
fn behind_heures(
    before: Option<Half>,
    hour_end: Scan<'_>,
    hour: usize,
) -> Option<(Option<usize>, usize)> {
    let mut scan = hour_end;
    scan.skip(|c| c == ' ');
    match digits(&mut scan) {
        Some((minute, 2)) if tail(scan) => Some(finish(before, scan, Some((hour, minute)))),
        _ => half(hour_end).map(|_| finish(before, hour_end, Some((hour, 0)))),
    }
}

/// The time whose hour and the word for it end here: `16 Uhr 15`, `4点半`. Minutes that are not
/// understood, `16 Uhr dreißig`, leave no time at all.
fn behind_hour(before: Option<Half>, hour_end: Scan<'_>, hour: usize) -> (Option<usize>, usize) {
    const MARKS: [(&str, usize); 5] =
        [("半", 30), ("반", 30), ("一刻", 15), ("三刻", 45), ("3刻", 45)];
    let mut scan = hour_end;
    scan.skip(|c| matches!(c, ' ' | '*' | '_' | '`'));
    let mark = MARKS.into_iter().find(|(mark, _)| scan.rest().starts_with(mark));
    if let Some((mark, minute)) = mark {
        scan.at += mark.len();
        return finish(before, scan, tail(scan).then_some((hour, minute)));
    }
    if let Some((minute, width)) = digits(&mut scan) {
        let named = scan.eat('分') || scan.eat('분');
        let more = matches!(scan.peek(), Some(':' | '.' | ',' | '-' | '/' | '%'))
            && scan.rest().chars().nth(1).is_some_and(|c| c.is_ascii_digit());
        let whole = (named || width == 2) && !more && tail(scan);
        return finish(before, scan, whole.then_some((hour, minute)));
    }
    finish(before, hour_end, tail(hour_end).then_some((hour, 0)))
}

/// Whether what stands behind an hour or its minutes is no part of the time that goes unread.
fn tail(mut scan: Scan<'_>) -> bool {
    // "4点钟", "4時です", "4시에"
    const ENDINGS: [&str; 11] =
        ["钟", "鐘", "整", "です", "に", "頃", "ごろ", "입니다", "이다", "에", "정각"];
    let glued = scan.at;
    scan.skip(|c| matches!(c, ' ' | '*' | '_' | '`'));
    let apart = scan.at > glued;
    if let Some(ending) = ENDINGS.into_iter().find(|ending| scan.rest().starts_with(ending)) {
        scan.at += ending.len();
        return !scan.peek().is_some_and(char::is_alphanumeric);
    }
    let start = scan.at;
    scan.skip(|c| c.is_alphanumeric() || c == '-');
    let word = scan.text.get(start..scan.at).unwrap_or_default();
    let number =
        word.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, 'ä' | 'ö' | 'ü' | 'ß' | '-'))
            && counts(word);
    word.is_empty() || (apart && !number && !word.contains(['分', '분', '半', '반', '刻']))
}

/// Whether a word is a number of minutes, English or German.
fn counts(word: &str) -> bool {
    static NUMBERS: List = List::new(
        "\
        drei eins elf fünf half halb neun quarter sechs sieben vier viertel zwei zwölf acht",
    );
    NUMBERS.holds(word)
        || Spelled::default().add(word)
        || ["zig", "ßig", "zehn"].iter().any(|end| word.ends_with(end))
}

/// The time with what says its half of the day, behind it or before.
fn finish(
    before: Option<Half>,
    behind: Scan<'_>,
    time: Option<(usize, usize)>,
) -> (Option<usize>, usize) {
    let mut end = behind;
    let mut half = half(behind).map(|(half, behind)| {
        end = behind;
        half
    });
    if half.is_none() {
        let mut letter = behind;
        half = match letter.next() {
            Some('a' | 'A') => Some(Half::Am),
            Some('p' | 'P') => Some(Half::Pm),
            _ => None,
        };
        half = half.filter(|_| !letter.peek().is_some_and(|c| c.is_alphanumeric() || c == '.'));
        if half.is_some() {
            end = letter;
        }
    }
    let mut zone = end;
    zone.skip(|c| c == ' ');
    if !["UTC", "GMT"].into_iter().any(|name| word(&mut zone, name)) {
        zone = end;
    }
    if offset(&mut zone) {
        end = zone;
    }
    let mut unit = end;
    unit.skip(|c| c == ' ');
    // 16:15 minutes are no time of day.
    let lasts =
        ["minutes", "mins", "min", "ratio", "odds"].iter().any(|word| self::word(&mut unit, word));
    // AM/PM says neither.
    let mut other = end;
    let undecided = other.eat('/') && self::half(other).is_some();
    let time = time.filter(|_| !lasts && !undecided);
    (time.and_then(|(hour, minute)| valid(hour, minute, half.or(before))), end.at)
}

/// The distance to UTC, `+02:00`; moves behind it.
fn offset(scan: &mut Scan<'_>) -> bool {
    let mut ahead = *scan;
    if !ahead.eat('+') || !matches!(digits(&mut ahead), Some((0..=14, 1 | 2) | (0..=1459, 4))) {
        return false;
    }
    let mut minutes = ahead;
    if minutes.eat(':') && matches!(digits(&mut minutes), Some((_, 2))) {
        ahead = minutes;
    }
    let whole = !ahead.peek().is_some_and(char::is_alphanumeric);
    if whole {
        *scan = ahead;
    }
    whole
}

/// Where the time of a timestamp begins, `2024-05-12T16:15`, when its day begins here.
fn behind_date(text: &str, day: usize) -> Option<usize> {
    let mut scan = Scan { text, at: day };
    let dated = text.get(..day)?.ends_with('-');
    let time = matches!(digits(&mut scan), Some((1..=31, 2))) && scan.eat('T');
    (dated && time && scan.peek().is_some_and(|c| c.is_ascii_digit())).then_some(scan.at)
}

/// What the words before a time say of the half of the day: "tonight at", "下午".
fn half_before(tokens: &[Token<'_>]) -> Option<Half> {
    let mut words = tokens.iter().rev().take(2).filter(|token| token.kind == Kind::Word);
    let mut word = words.next()?.text;
    if word.eq_ignore_ascii_case("at") {
        word = words.next()?.text;
    }
    Some(match word.to_lowercase().as_str() {
        "上午" | "午前" | "오전" | "早上" | "凌晨" | "清晨" | "morning" => Half::Am,
        "下午" | "午後" | "오후" | "晚上" | "傍晚" | "夜" | "afternoon" | "evening" => {
            Half::Pm
        }
        "tonight" => Half::Night,
        _ => return None,
    })
}

/// A number of up to nine digits, and how many there were.
fn digits(scan: &mut Scan<'_>) -> Option<(usize, usize)> {
    let (mut value, mut width) = (0, 0);
    while let Some(ones) = scan.peek().and_then(|c| c.to_digit(10)) {
        scan.next();
        width += 1;
        if width <= 9 {
            value = value * 10 + ones as usize;
        }
    }
    (width > 0).then_some((value, width))
}

/// Those whose first word is also *am*.
const GERMAN: [(&[&str], Half); 8] = [
    (&["am", "Morgen"], Half::Am),
    (&["am", "Vormittag"], Half::Am),
    (&["am", "Nachmittag"], Half::Pm),
    (&["am", "Abend"], Half::Pm),
    (&["am", "frühen", "Morgen"], Half::Am),
    (&["am", "frühen", "Abend"], Half::Pm),
    (&["am", "späten", "Nachmittag"], Half::Pm),
    (&["am", "späten", "Abend"], Half::Pm),
];

/// Words that say the half of the day.
const PHRASES: [(&[&str], Half); 46] = [
    (&["in", "the", "morning"], Half::Am),
    (&["in", "the", "afternoon"], Half::Pm),
    (&["in", "the", "evening"], Half::Pm),
    (&["at", "night"], Half::Night),
    (&["noon"], Half::Noon),
    (&["midday"], Half::Noon),
    (&["midnight"], Half::Midnight),
    (&["at", "noon"], Half::Noon),
    (&["in", "the", "early", "morning"], Half::Am),
    (&["in", "the", "late", "afternoon"], Half::Pm),
    (&["in", "the", "late", "evening"], Half::Pm),
    (&["this", "morning"], Half::Am),
    (&["this", "afternoon"], Half::Pm),
    (&["this", "evening"], Half::Pm),
    (&["morning"], Half::Am),
    (&["afternoon"], Half::Pm),
    (&["evening"], Half::Pm),
    (&["tonight"], Half::Night),
    (&["de", "la", "mañana"], Half::Am),
    (&["de", "la", "tarde"], Half::Pm),
    (&["de", "la", "noche"], Half::Night),
    (&["da", "manhã"], Half::Am),
    (&["da", "tarde"], Half::Pm),
    (&["da", "noite"], Half::Night),
    (&["du", "matin"], Half::Am),
    (&["du", "soir"], Half::Pm),
    (&["di", "sera"], Half::Pm),
    (&["del", "pomeriggio"], Half::Pm),
    (&["morgens"], Half::Am),
    (&["vormittags"], Half::Am),
    (&["nachmittags"], Half::Pm),
    (&["abends"], Half::Pm),
    (&["nachts"], Half::Night),
    (&["in", "der", "Nacht"], Half::Night),
    (&["in", "der", "Früh"], Half::Am),
    (&["heute", "Morgen"], Half::Am),
    (&["heute", "Nachmittag"], Half::Pm),
    (&["heute", "Abend"], Half::Pm),
    (&["de", "l'après-midi"], Half::Pm),
    (&["de", "la", "madrugada"], Half::Am),
    (&["da", "madrugada"], Half::Am),
    (&["di", "mattina"], Half::Am),
    (&["del", "mattino"], Half::Am),
    (&["утра"], Half::Am),
    (&["дня"], Half::Pm),
    (&["вечера"], Half::Pm),
];

/// am, p.m., P. M., *in the morning*, *at night*, *noon*.
pub(super) fn half(mut scan: Scan<'_>) -> Option<(Half, Scan<'_>)> {
    let gap = |c: char| matches!(c, ' ' | '*' | '_' | '`');
    scan.skip(gap);
    let mut clock = scan;
    if ["Uhr", "o'clock"].into_iter().any(|clock_word| word(&mut clock, clock_word)) {
        scan = clock;
        scan.skip(gap);
    }
    let mut short = scan;
    if let Some(half) = match short.next() {
        Some('a' | 'A') => Some(Half::Am),
        Some('p' | 'P') => Some(Half::Pm),
        _ => None,
    } {
        let dotted = short.eat('.');
        short.skip(|c| c == ' ');
        // "4 Uhr am Nachmittag"
        if !dotted && let Some(day) = phrase(scan, &GERMAN) {
            return Some(day);
        }
        if (short.eat('m') || short.eat('M')) && !short.peek().is_some_and(char::is_alphanumeric) {
            // The point of "p.m." ends a sentence only where a capital follows.
            let mut behind = short;
            if dotted && behind.eat('.') {
                let point = behind;
                behind.skip(|c| matches!(c, ' ' | '*' | '_' | '`' | '"' | '\'' | ')'));
                if !behind.peek().is_some_and(char::is_uppercase) {
                    short = point;
                }
            }
            return Some((half, short));
        }
    }
    phrase(scan, &PHRASES)
}

/// The phrase that stands here.
fn phrase<'a>(scan: Scan<'a>, phrases: &[(&[&str], Half)]) -> Option<(Half, Scan<'a>)> {
    // Most words behind a number begin as no phrase does.
    let first = scan.peek()?;
    phrases.iter().find_map(|&(words, half)| {
        if !words.first()?.starts_with(|c: char| c.eq_ignore_ascii_case(&first)) {
            return None;
        }
        let mut ahead = scan;
        let all = words.iter().all(|wanted| {
            ahead.skip(|c| c == ' ');
            word(&mut ahead, wanted)
        });
        all.then_some((half, ahead))
    })
}

/// Whether what stands behind a dotted number makes it an amount: a currency, or any word but
/// those that stand behind times.
fn measures(mut scan: Scan<'_>) -> bool {
    static BEHIND: List = List::new(
        "\
        at and by cet daily est et for from gmt h hours hrs hs in local on or pst pt sharp to today \
        tomorrow uhr until utc uur wib with",
    );
    scan.skip(|c| c == ' ');
    let start = scan.at;
    scan.skip(char::is_alphabetic);
    let word = scan.text.get(start..scan.at).unwrap_or_default();
    if word.is_empty() { scan.peek().is_some_and(is_currency_sign) } else { !BEHIND.holds(word) }
}

/// Hours as a unit behind four digits.
pub(super) fn hours(scan: &mut Scan<'_>) -> bool {
    scan.skip(|c| c == ' ');
    ["h", "hrs", "hours", "hr", "Uhr"].into_iter().any(|unit| word(scan, unit))
}

/// Whether the word stands here, in any case and as a whole; moves behind it.
pub(super) fn word(scan: &mut Scan<'_>, wanted: &str) -> bool {
    let mut ahead = *scan;
    let same = wanted.chars().all(|c| ahead.next().is_some_and(|d| d.eq_ignore_ascii_case(&c)));
    let whole = same && !ahead.peek().is_some_and(char::is_alphanumeric);
    if whole {
        *scan = ahead;
    }
    whole
}

/// The first place where the harness's pattern of a time matches.
fn harness(reply: &str) -> Reading<Time> {
    let found = harness_places(reply).find_map(|(_, text)| {
        let text = text.trim_start_matches(is_python_space);
        let text = text.strip_prefix('*').unwrap_or(text);
        let text = text.strip_prefix('*').unwrap_or(text).trim_start_matches(is_python_space);
        let start = reply.len() - text.len();
        let (time, length) = harness_time(text)?;
        Some(Reading::read(time, start..start + length, "marker"))
    });
    found.unwrap_or_else(|| Reading::none(Status::Unparsed, "no_match"))
}

/// The last match of the harness's pattern anywhere; matches are found from the left.
fn harness_last(reply: &str) -> Reading<Time> {
    let mut last = Reading::none(Status::Unparsed, "no_match");
    let mut taken = 0;
    for colon in memchr::memchr_iter(b':', reply.as_bytes()) {
        let head = reply.get(taken..colon).unwrap_or_default();
        let hour = head.char_indices().rev().take(2).take_while(|&(_, c)| digit(c).is_some());
        let Some((start, _)) = hour.last() else { continue };
        let start = taken + start;
        if let Some((time, length)) = harness_time(reply.get(start..).unwrap_or_default()) {
            taken = start + length;
            last = Reading::read(time, start..taken, "last_time");
        }
    }
    last
}

/// Two digits at most, a colon, two digits, perhaps am or pm; value and length.
fn harness_time(text: &str) -> Option<(Time, usize)> {
    let mut chars = text.char_indices().peekable();
    let mut number = |least: usize| {
        let (mut value, mut width) = (0, 0);
        while width < 2
            && let Some(ones) =
                chars.peek().and_then(|&(_, c)| digit(c)).and_then(|c| c.to_digit(10))
        {
            chars.next();
            value = value * 10 + ones;
            width += 1;
        }
        let end = chars.peek().map_or(text.len(), |&(at, _)| at);
        (width >= least).then_some((value, end))
    };
    let (hour, colon) = number(1)?;
    let rest = text.get(colon..)?.strip_prefix(':')?;
    let mut width = 0;
    let mut minute = 0;
    let mut end = colon + 1;
    for c in rest.chars().take(2) {
        minute = minute * 10 + digit(c)?.to_digit(10)?;
        width += 1;
        end += c.len_utf8();
    }
    if width < 2 {
        return None;
    }
    let behind = text.get(end..)?;
    let half = behind.trim_start_matches(is_python_space);
    let is = |wanted: &str| half.get(..2).is_some_and(|half| half.eq_ignore_ascii_case(wanted));
    let hour = if is("pm") && hour < 12 {
        hour + 12
    } else if is("am") && hour == 12 {
        0
    } else {
        hour
    };
    if is("am") || is("pm") {
        end += behind.len() - half.len() + 2;
    }
    let time = Time { hour: u8::try_from(hour % 24).ok()?, minute: u8::try_from(minute).ok()? };
    Some((time, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(answer: &str) -> (String, Status) {
        let reply = format!("It was 08:00 before.\nANSWER: {answer}");
        let reading = answer_time(&reply, &Markers::default(), Dialect::Strict, Fallback::None);
        assert_eq!(reading.value.is_some(), reading.status == Status::Read, "{answer}");
        (reading.value.map(|time| time.to_string()).unwrap_or_default(), reading.status)
    }

    fn assert_reads(time: &str, answers: &[&str]) {
        let wrong: Vec<_> = answers
            .iter()
            .map(|answer| (answer, read(answer)))
            .filter(|(_, read)| *read != (time.to_owned(), Status::Read))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    fn assert_declines(status: Status, answers: &[&str]) {
        let wrong: Vec<_> = answers
            .iter()
            .map(|answer| (answer, read(answer)))
            .filter(|(_, read)| *read != (String::new(), status))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn times_in_any_dress() {
        assert_reads(
            "16:15",
            &[
                "16:15",
                "**16:15**",
                "`16:15`",
                "16:15.",
                "<16:15>",
                "(16:15)",
                "16:15:42",
                "16:15:42.5",
                "4:15 PM",
                "4:15pm",
                "4:15 p.m.",
                "4:15 P. M.",
                "4:15\u{a0}p.m",
                "04:15 PM",
                "16.15",
                "4.15 pm",
                "16h15",
                "16 h 15",
                "16H15",
                "1615 hrs",
                "1615h",
                "16：15",
                "１６：１５",
                "16:15 Uhr",
                "16:15h",
                "16:15 UTC",
                "about 16:15",
                "The train leaves at 16:15.",
                "It leaves at 4:15 p.m. from platform 4.",
                "4:15 in the afternoon",
                "16:15 (4:15 PM)",
                "16:15 or 4:15 pm",
                "16:15, not 19:15",
                "16:15 (was 19:15)",
                "- 16:15",
                "at 16:15",
                "\\boxed{16:15}",
                "16:15 PM",
                "4:15 PM on 12.05.2024",
                "4:15 p.m. That replaces 5:15 p.m.",
                "$16:15$",
                "16:15 with a fare of 23.60 pounds",
                "16h15min",
                "16 h 15 min",
                "16 heures 15",
                "kl. 16.15",
                "16.15 uur",
                "4:15 am Nachmittag",
                "4 Uhr 15 am späten Nachmittag",
                "~~15:15~~ 16:15",
            ],
        );
        assert_reads("04:00", &["4 Uhr am Morgen", "4 am", "4 heures du matin"]);
        assert_reads("16:00", &["4 Uhr am Nachmittag", "4 heures de l'après-midi"]);
        assert_reads("00:00", &["midnight", "12 am", "12:00 a.m.", "24:00", "0:00", "12 midnight"]);
        assert_reads("12:00", &["noon", "12 pm", "12:00 noon", "12 noon", "At noon."]);
        assert_reads(
            "09:00",
            &["9 am", "9am", "9:00", "9h", "9 o'clock", "9 o’clock in the morning"],
        );
        assert_reads(
            "21:00",
            &[
                "9 PM",
                "9:00 at night",
                "9 o'clock in the evening",
                "9 tonight",
                "9 at night",
                "9 Uhr am Abend",
            ],
        );
    }

    #[test]
    fn what_is_no_single_time() {
        assert_declines(
            Status::Ambiguous,
            &[
                "9:00-9:30",
                "9:00 – 9:30",
                "9:00 to 9:30",
                "between 9:00 and 9:30",
                "9-10 am",
                "9 to 10 am",
                "9:00-10",
                "16:15 or 17:15",
                "16:15, 17:15",
                "9.00-9.30",
                "27:80 or 16:15",
                "from 9:00 until 9:30",
                "probably 16:15",
                "16:15/17:15",
                "16:15, wait, 17:15",
                "4:15 p.m. or 5:15 p.m.",
                "4:15 p.m., 5:15 p.m.",
            ],
        );
        assert_declines(
            Status::Unparsed,
            &[
                "27:80",
                "25:00",
                "9:5",
                "16:60",
                "116:15",
                "16:155",
                "13:00 am",
                "1615",
                "16",
                "16.75",
                "2h30m",
                "2 h 30 min",
                "12h30min",
                "16 heures",
                "4 Uhr dreißig",
                "$16.15",
                "1:2:3",
                "16:15:99",
                "16:15:7",
                "16:15:042",
                "16 Uhr 15:42",
                "16.15.2024",
                "",
                "soon",
                "0:15 pm",
                "24:01",
            ],
        );
        assert_declines(
            Status::Abstained,
            &["I cannot verify it", "unknown", "not 19:15", "<HH:MM>", "Unable to confirm 19:15"],
        );
    }

    fn with(reply: &str, dialect: Dialect, fallback: Fallback) -> Option<String> {
        let reading = answer_time(reply, &Markers::default(), dialect, fallback);
        if let Some(span) = &reading.span {
            assert!(reply.get(span.clone()).is_some(), "{reply}");
        }
        reading.value.map(|time| time.to_string())
    }

    #[test]
    fn the_fallback_is_asked_for_and_never_over_an_abstention() {
        let last = |reply| with(reply, Dialect::Strict, Fallback::LastTime);
        assert_eq!(with("It left at 9:30.", Dialect::Strict, Fallback::None), None);
        assert_eq!(last("It left at 9:30 pm, for $16.15.").as_deref(), Some("21:30"));
        assert_eq!(last("It left at 9:30.\nANSWER: unable"), None);
        assert_eq!(last("nothing"), None);
        let reading =
            answer_time("8:00, 9:00", &Markers::default(), Dialect::Strict, Fallback::LastTime);
        assert_eq!(reading.status, Status::Ambiguous);
    }

    #[test]
    fn harness_takes_the_first_match() {
        let eval = |reply| with(reply, Dialect::ReclaimEval, Fallback::None);
        assert_eq!(eval("ANSWER: **9:30** pm").as_deref(), Some("09:30"));
        assert_eq!(eval("answer : 9:30 PM").as_deref(), Some("21:30"));
        assert_eq!(eval("ANSWER: 9:30\nANSWER: 10:30").as_deref(), Some("09:30"));
        assert_eq!(eval("ANSWER: <14:00>\nANSWER: 27:80").as_deref(), Some("03:80"));
        assert_eq!(eval("ANSWER: 12:05am").as_deref(), Some("00:05"));
        assert_eq!(eval("ANSWER: 116:15"), None);
        assert_eq!(eval("ANSWER: 9:5"), None);
        let loose = |reply| with(reply, Dialect::ReclaimEvalLoose, Fallback::None);
        assert_eq!(loose("ANSWER: 9:30, so 116:155, 10:2").as_deref(), Some("16:15"));
        assert_eq!(loose("12:34:56").as_deref(), Some("12:34"));
        assert_eq!(loose("none"), None);
    }

    #[test]
    fn times_found_line_by_line_are_those_of_the_whole() {
        let mut state = 5;
        let mut found = 0;
        for round in 0..4_000 {
            let reply = glance::tests::text(&mut state, 1 + round % 29);
            let tokens: Vec<Token<'_>> = Lexer::new(&reply, true).collect();
            let whole: Vec<Range<usize>> = joined(&tokens, &reply, false)
                .into_iter()
                .rev()
                .filter(|token| matches!(token.kind, Kind::Choice(_)))
                .map(|token| token.start..token.end)
                .collect();
            let lines: Vec<Range<usize>> = last_times(&reply).map(|(_, span)| span).collect();
            assert_eq!(lines, whole, "{reply:?}");
            found += whole.len();
        }
        assert!(found > 1_000, "{found}");
    }

    #[test]
    fn the_short_way_to_a_last_time_agrees_with_the_lexer() {
        let before = "it left|evening|Evening|EVENING|tonight|this morning|afternoon,|noon|night|at|\
             At|at at|evening at|evening * at|evening  at|evening\nat|Tonight at|minus|\
             negative|h|5 h|5 hh|x|2 xx|USD|rs|9 to|9-|from 9:00 to|or|half past|two|\
             2 million|2|4 pm|下午|in the evening from|a\u{200b}t|evening — at|";
        let times =
            "16:15|04:15|4:15|24:00|27:80|16:155|116:15|12:00|00:30|16.15|１６:15|16\u{200b}:15";
        let behind = "|.|,|)|\"|'|. It was late.|, I think.|.5|:30|. 10|, 9 or 10|.\n9 or 10| to 10|\
             -10| am|. pm| minutes|, minutes|a|, or half past 9|. In the evening|, to ten|'s|\
             ),|. ３| | h|+02:00|/10";
        let mut taken = 0;
        for before in before.split('|') {
            for time in times.split('|') {
                for behind in behind.split('|') {
                    let reply = format!("We met. {before} {time}{behind}");
                    let whole = last_times(&reply).next().map(|(minutes, _)| minutes);
                    let Some(at) = glance::last_time(&reply, false) else {
                        assert_eq!(whole, None, "{reply:?}");
                        continue;
                    };
                    if let Some(minutes) = plain_time(&reply, at) {
                        assert_eq!(Some(minutes), whole, "{reply:?}");
                        taken += 1;
                    }
                }
            }
        }
        assert!(taken > 200, "{taken}");
    }
}
