//! Objects that are escaped as a whole, as JSON is in a text of JSON: `{\"answer\": 46}`.
//!
//! The first object of the reply has a first key in escaped quotes. From its brace on the reply is
//! read without one level of escapes, and again where that leaves an object that is escaped.

use super::super::answer::Reading;
use super::string::{decode, undecoded};
use super::{CUT, FIELD, Parse, repair};
use memchr::memchr_iter;

/// How often a text may have been put into another.
const LEVELS: usize = 3;

/// What `read` finds in the escaped objects of a reply; none where that is nothing.
pub(super) fn object<T>(
    reply: &str,
    read: impl Fn(&str) -> Reading<T, Parse>,
) -> Option<Reading<T, Parse>> {
    let mut brace = first(reply)?;
    let mut text = reply.to_owned();
    // Where the object of each level begins, and the text from there on as it is written.
    let mut levels = Vec::new();
    loop {
        let written = text.get(brace..)?.to_owned();
        text = decode(&written).into_owned();
        levels.push((brace, written));
        match first(&text) {
            None => break,
            Some(_) if levels.len() == LEVELS => return None,
            Some(inner) => brace = inner,
        }
    }
    let mut reading = read(&text);
    if reading.status == Parse::Failed && reading.rule != CUT {
        return None;
    }
    for (brace, written) in levels.iter().rev() {
        let place = |at| brace + undecoded(written, at);
        reading.span = reading.span.map(|span| place(span.start)..place(span.end));
    }
    if reading.status == Parse::Strict {
        reading.status = Parse::Repaired;
    }
    if reading.rule == FIELD {
        reading.rule = "escaped";
    }
    Some(reading)
}

/// Where the first object of a text opens, if it is escaped.
fn first(text: &str) -> Option<usize> {
    if repair::braceless(text).is_some() {
        return None;
    }
    let mut braces = memchr_iter(b'{', text.as_bytes());
    braces.find(|&at| opens(text, at) || repair::opens(text, at)).filter(|&at| opens(text, at))
}

/// Whether a key in escaped quotes and its colon follow a brace.
fn opens(text: &str, brace: usize) -> bool {
    let quotes = ['"', '\''];
    let rest = blanks(text.get(brace + 1..).unwrap_or_default());
    let key = rest.trim_start_matches('\\');
    let Some(name) = key.strip_prefix(quotes).filter(|_| key.len() < rest.len()) else {
        return false;
    };
    // Any quote ends the look ahead, and so does a brace: only so do no two overlap.
    let end = name.find(|c| quotes.contains(&c) || matches!(c, '{' | '}' | '\n'));
    let behind = end.and_then(|end| name.split_at_checked(end));
    behind.is_some_and(|(name, behind)| {
        let behind = behind.strip_prefix(quotes).map(blanks);
        name.ends_with('\\') && behind.is_some_and(|behind| behind.starts_with(':'))
    })
}

/// A text without the white space that it begins with, escaped or not.
fn blanks(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let letter = rest.trim_start_matches('\\');
        match letter.strip_prefix(['n', 't', 'r']).filter(|_| letter.len() < rest.len()) {
            Some(behind) => rest = behind.trim_start(),
            None => return rest,
        }
    }
}
