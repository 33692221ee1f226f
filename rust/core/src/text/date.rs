//! Dates that say when something held, wherever they stand in a text.
//!
//! * **Numeric**: `2024-05-03`, `2024/5/3`, `2024-05`; `3/5/2024`, `3.5.2024`, `3-5-2024`,
//!   `3/5/24`. Month and day must exist, in one order or the other.
//! * **Months**: a name or its abbreviation with a year, a day or both, on either side
//!   (`3 May 2024`, `3rd of May`, `May 3, 2024`, `May 2024`); a capitalised full name behind a
//!   preposition (`since March`).
//! * **Years** from 1900 to 2099 behind a preposition (`in 2019`, `end of 2023`) or alone in
//!   brackets; decades (`in the 1990s`); `Q3 2024`.
//! * **Days**: a weekday behind a preposition or *last*, *next*, *this* (`last Tuesday`, not
//!   `Tuesdays`); `on the 3rd`; units of time behind a count and before *ago*.
//! * **Phrases** such as *yesterday*, *last week*, *as of*.
//!
//! A bare year, month or weekday names a thing as often as a time (`the 2024 units`, `Tuesday
//! standup`) and is no date; nor is a time of day.

use std::ops::Range;

/// What can hold a date, found by its first word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trigger {
    Digit,
    Month,
    Weekday,
    Quarter,
    Ago,
    Phrase,
}

pub(super) const MONTHS: [&str; 24] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
];

pub(super) const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

pub(super) const QUARTERS: [&str; 4] = ["q1", "q2", "q3", "q4"];

pub(super) const PHRASES: [&str; 40] = [
    "as of",
    "yesterday",
    "today",
    "tomorrow",
    "tonight",
    "last night",
    "last week",
    "last weekend",
    "last month",
    "last quarter",
    "last year",
    "last spring",
    "last summer",
    "last fall",
    "last autumn",
    "last winter",
    "next week",
    "next weekend",
    "next month",
    "next quarter",
    "next year",
    "next spring",
    "next summer",
    "next fall",
    "next autumn",
    "next winter",
    "this week",
    "this weekend",
    "this month",
    "this quarter",
    "this year",
    "this morning",
    "this afternoon",
    "this evening",
    "this spring",
    "this summer",
    "this fall",
    "this autumn",
    "this winter",
    "the day before",
];

const BEFORE_YEAR: [&str; 28] = [
    "in",
    "since",
    "by",
    "until",
    "till",
    "from",
    "before",
    "after",
    "during",
    "through",
    "circa",
    "early",
    "late",
    "mid",
    "year",
    "fy",
    "spring",
    "summer",
    "autumn",
    "fall",
    "winter",
    "q1",
    "q2",
    "q3",
    "q4",
    "to",
    "between",
    "throughout",
];

const BEFORE_OF: [&str; 12] = [
    "as",
    "end",
    "start",
    "beginning",
    "middle",
    "spring",
    "summer",
    "autumn",
    "fall",
    "winter",
    "half",
    "quarter",
];

const BEFORE_MONTH: [&str; 15] = [
    "in", "since", "by", "until", "till", "from", "before", "after", "during", "last", "next",
    "this", "early", "late", "mid",
];

const BEFORE_DAY: [&str; 14] = [
    "on", "since", "by", "until", "till", "from", "before", "after", "last", "next", "this",
    "past", "coming", "previous",
];

const UNITS: [&str; 18] = [
    "second", "seconds", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks",
    "month", "months", "quarter", "quarters", "year", "years", "decade", "decades",
];

/// The date that the word at `word` belongs to, if any.
pub(super) fn date_at(text: &str, word: Range<usize>, trigger: Trigger) -> Option<Range<usize>> {
    let view = View { bytes: text.as_bytes() };
    match trigger {
        Trigger::Phrase => Some(word),
        Trigger::Digit => view.numeric(word.start),
        Trigger::Month => view.month(word),
        Trigger::Weekday => {
            let before = view.before(word.start)?;
            view.is_any(&before, &BEFORE_DAY).then_some(before.start..word.end)
        }
        Trigger::Quarter => view.quarter(word),
        Trigger::Ago => {
            let unit = view.before(word.start)?;
            let start = view.before(unit.start).map_or(unit.start, |count| count.start);
            view.is_any(&unit, &UNITS).then_some(start..word.end)
        }
    }
}

/// The longest word and the widest gap that are looked at.
const WORD: usize = 12;
const GAP: usize = 3;

#[derive(Clone, Copy)]
struct View<'a> {
    bytes: &'a [u8],
}

impl View<'_> {
    fn at(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn digit_at(&self, at: usize) -> bool {
        self.at(at).is_ascii_digit()
    }

    fn is_any(&self, word: &Range<usize>, words: &[&str]) -> bool {
        let word = self.bytes.get(word.clone()).unwrap_or_default();
        words.iter().any(|other| word.eq_ignore_ascii_case(other.as_bytes()))
    }

    /// The word that ends before this place.
    fn before(&self, at: usize) -> Option<Range<usize>> {
        let gap = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',' || *byte == b'-';
        let head = self.bytes.get(..at)?;
        let skipped = head.iter().rev().take(GAP).take_while(|byte| gap(byte)).count();
        let end = at - skipped;
        let head = head.get(..end)?;
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        let len = head.iter().rev().take(WORD + 1).take_while(is_part).count();
        (1..=WORD).contains(&len).then(|| end - len..end)
    }

    /// The word that begins behind this place.
    fn behind(&self, at: usize) -> Option<Range<usize>> {
        let gap = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',' || *byte == b'.';
        let tail = self.bytes.get(at..)?;
        let skipped = tail.iter().take(GAP).take_while(|byte| gap(byte)).count();
        let tail = tail.get(skipped..)?;
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        let len = tail.iter().take(WORD + 1).take_while(is_part).count();
        (1..=WORD).contains(&len).then(|| at + skipped..at + skipped + len)
    }

    /// Value of the digits from here on, at most four, and how many there are.
    fn digits(&self, at: usize) -> (u32, usize) {
        let tail = self.bytes.get(at..).unwrap_or_default();
        let digits = tail.iter().take(5).take_while(|byte| byte.is_ascii_digit());
        digits.fold((0, 0), |(value, len), byte| (value * 10 + u32::from(byte - b'0'), len + 1))
    }

    fn year(&self, word: &Range<usize>) -> bool {
        let (value, len) = self.digits(word.start);
        len == 4 && word.len() == 4 && (1000..2200).contains(&value) && !self.goes_on(word.end)
    }

    /// A day of a month, `3` or `3rd`.
    fn day(&self, word: &Range<usize>) -> bool {
        let (value, len) = self.digits(word.start);
        let ending = word.start + len..word.end;
        (1..=2).contains(&len)
            && (1..=31).contains(&value)
            && (ending.is_empty() || self.is_any(&ending, &["st", "nd", "rd", "th"]))
            && !self.goes_on(word.end)
    }

    /// Whether a number goes on behind this place: `3.5`, `3:30`, `3%`.
    fn goes_on(&self, at: usize) -> bool {
        matches!(self.at(at), b'%')
            || (matches!(self.at(at), b'.' | b',' | b':' | b'/') && self.digit_at(at + 1))
    }

    /// Whether the digits at this place belong to a number that began before.
    fn went_on(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        match self.at(before) {
            b'$' | 128.. => true,
            b'.' | b',' | b':' | b'/' | b'-' => {
                before.checked_sub(1).is_some_and(|at| self.digit_at(at))
            }
            _ => false,
        }
    }

    fn month(&self, word: Range<usize>) -> Option<Range<usize>> {
        let capital = self.at(word.start).is_ascii_uppercase()
            && self.at(word.start + 1).is_ascii_lowercase();
        let plain = capital || !self.is_any(&word, &["may", "march", "mar"]);
        let before = self.before(word.start);
        let mut range = word.clone();
        let mut dated = false;
        if let Some(before) = &before {
            let day = if self.is_any(before, &["of"]) {
                self.before(before.start)
            } else {
                Some(before.clone())
            };
            if let Some(day) = day.filter(|day| self.day(day) && !self.went_on(day.start)) {
                range.start = day.start;
                dated = plain;
            }
        }
        let mut behind = self.behind(word.end);
        if let Some(day) = behind.clone().filter(|day| plain && !dated && self.day(day)) {
            range.end = day.end;
            dated = true;
            behind = self.behind(day.end);
        }
        if let Some(year) = behind.filter(|year| self.year(year)) {
            range.end = year.end;
            return Some(range);
        }
        if dated {
            return Some(range);
        }
        let full = word.len() > 4 || self.is_any(&word, &["may", "june", "july"]);
        let before = before.filter(|before| self.is_any(before, &BEFORE_MONTH))?;
        (capital && full).then_some(before.start..word.end)
    }

    fn quarter(&self, word: Range<usize>) -> Option<Range<usize>> {
        if let Some(year) = self.behind(word.end).filter(|year| self.year(year)) {
            return Some(word.start..year.end);
        }
        let before = self.before(word.start)?;
        (self.year(&before) || self.is_any(&before, &BEFORE_MONTH))
            .then_some(before.start..word.end)
    }

    fn numeric(&self, start: usize) -> Option<Range<usize>> {
        if self.went_on(start) {
            return None;
        }
        let (first, len) = self.digits(start);
        let end = start + len;
        let mark = self.at(end);
        let parts = matches!(mark, b'-' | b'/' | b'.') && self.digit_at(end + 1);
        match len {
            4 if parts => {
                let (month, width) = self.digits(end + 1);
                let at = end + 1 + width;
                let valid = (1..=12).contains(&month) && (1000..2200).contains(&first);
                if self.at(at) == mark && self.digit_at(at + 1) {
                    let (day, len) = self.digits(at + 1);
                    let fits = valid && width <= 2 && len <= 2 && (1..=31).contains(&day);
                    return fits.then_some(start..at + 1 + len);
                }
                let fits = valid && mark == b'-' && width == 2 && (1900..2100).contains(&first);
                fits.then_some(start..at)
            }
            4 => self.bare_year(start, first),
            1 | 2 if parts => {
                let (second, width) = self.digits(end + 1);
                let at = end + 1 + width;
                let (year, len) = self.digits(at + 1);
                let exists = (1..=31).contains(&first)
                    && (1..=31).contains(&second)
                    && first.min(second) <= 12;
                let long = len == 4 && (1000..2200).contains(&year);
                let closed = !self.goes_on(at + 1 + len) && self.at(at + 1 + len) != mark;
                let fits = exists
                    && width <= 2
                    && self.at(at) == mark
                    && (long || (len == 2 && mark == b'/'))
                    && closed;
                fits.then_some(start..at + 1 + len)
            }
            1 | 2 => {
                let word = start..end + 2;
                let the = self.before(start).filter(|word| self.is_any(word, &["the"]))?;
                let before = self.before(the.start)?;
                let ordinal = !mark.is_ascii_digit()
                    && self.day(&word)
                    && !self.at(word.end).is_ascii_alphanumeric();
                (ordinal && self.is_any(&before, &BEFORE_DAY)).then_some(before.start..word.end)
            }
            _ => None,
        }
    }

    fn bare_year(&self, start: usize, year: u32) -> Option<Range<usize>> {
        let mut end = start + 4;
        if !(1900..2100).contains(&year) || self.goes_on(end) {
            return None;
        }
        let bracketed = start.checked_sub(1).is_some_and(|at| self.at(at) == b'(');
        if bracketed && self.at(end) == b')' {
            return Some(start..end);
        }
        let decade = matches!(self.at(end), b's');
        end += usize::from(decade);
        if self.at(end).is_ascii_alphanumeric() {
            return None;
        }
        let mut before = self.before(start)?;
        if decade && self.is_any(&before, &["the"]) {
            before = self.before(before.start)?;
        }
        if self.is_any(&before, &["of"]) {
            let head = self.before(before.start)?;
            return self.is_any(&head, &BEFORE_OF).then_some(head.start..end);
        }
        self.is_any(&before, &BEFORE_YEAR).then_some(before.start..end)
    }
}
