//! Calls as agents announce them, on lines that begin with a label.
//!
//! * `Action: f(x=1)`: what stands behind the label, in any notation of calls.
//! * `Action: Search[words]`: the words as the only argument, a text.
//! * `Action: f` and, on the next line that holds something, `Action Input: …`: a map of arguments
//!   in JSON or Python, a list of them, a text, number or constant as the only one, `x=1, y=2`, or
//!   words without quotes as a text. The input may stand below its label, also in a fence; without
//!   any there are no arguments.
//!
//! Labels may be in any case, numbered (`Action 1:`), and in markup. What begins as a map, a list, a
//! text or a call has to end as one. A name without an input is no call, and cut where the reply
//! ends behind it.

use super::super::literal::{Fault, Notation, Parser, Value, line};
use super::{Call, Found, Trouble, arguments, ends_line, join, only, trouble, whole_line};
use std::ops::Range;

/// The calls behind the labels of a text, if one of them makes a call.
pub(super) fn calls(text: &str) -> Option<(&'static str, Found)> {
    match labelled(text) {
        Ok(None) => None,
        found => Some(("action", found)),
    }
}

fn labelled(text: &str) -> Found {
    let mut found = None;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(start) = label(rest, false).map(|width| at + width) else {
            at += line(rest) + 1;
            continue;
        };
        let behind = text.get(start..).unwrap_or_default();
        let ticks = behind.len() - behind.trim_start_matches('`').len();
        let mut parser = Parser::new(behind, Notation::Python);
        parser.at = ticks;
        if let Some((calls, end)) = whole_line(&mut parser)? {
            join(&mut found, calls, start + ticks..start + end);
        } else if let Some((call, span)) = bracketed(behind) {
            join(&mut found, vec![call], start + span.start..start + span.end);
        } else if let Some((call, span)) = with_input(behind, &mut parser)? {
            join(&mut found, vec![call], start + span.start..start + span.end);
        }
        at = start + parser.at + line(parser.rest());
    }
    Ok(found)
}

/// Length of the label that a line begins with, white space behind it included.
fn label(text: &str, input: bool) -> Option<usize> {
    let markup = |c: char| matches!(c, ' ' | '\t' | '*' | '_');
    let name = text.trim_start_matches(|c| markup(c) || matches!(c, '>' | '#' | '-' | '`'));
    let mut rest = behind(name, "action")?;
    if input {
        rest = behind(rest.trim_start_matches([' ', '_']), "input")?;
    }
    let number = rest.trim_start_matches(' ');
    let digits = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if number.len() - digits.len() <= 3 { digits } else { rest };
    let rest = rest.trim_start_matches(markup).strip_prefix([':', '：'])?;
    Some(text.len() - rest.trim_start_matches(markup).len())
}

/// What stands behind a word, in any case, at the start of a text.
fn behind<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (head, tail) = text.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word).then_some(tail)
}

/// What is around a name, and white space.
fn is_dress(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '`' | '"' | '\'')
}

/// Whether a text is the name of a tool.
fn is_name(name: &str) -> bool {
    let named = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ':' | '/');
    name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(named)
}

/// A name with words in square brackets, which are all of the first line of a text.
fn bracketed(text: &str) -> Option<(Call, Range<usize>)> {
    let dressed = text.get(..line(text))?;
    let bare = dressed.trim_start_matches(is_dress);
    let start = dressed.len() - bare.len();
    let bare = bare.trim_end_matches(is_dress);
    let (name, words) = bare.strip_suffix(']')?.split_once('[')?;
    let words = words.trim();
    if !is_name(name) || words.is_empty() {
        return None;
    }
    let arguments = written(&Value::Text(words.into()));
    Some((Call { name: name.to_owned(), arguments }, start..start + bare.len()))
}

/// A name on the first line of a text, with the input on the lines below.
fn with_input(
    text: &str,
    parser: &mut Parser<'_>,
) -> Result<Option<(Call, Range<usize>)>, Trouble> {
    let first = line(text);
    let dressed = text.get(..first).unwrap_or_default();
    let name = dressed.trim_matches(is_dress);
    if !is_name(name) {
        return Ok(None);
    }
    let below = text.get(first..).unwrap_or_default();
    let below = below.trim_start_matches(['\n', '\r', ' ', '\t']);
    if below.is_empty() {
        return Err(Trouble::Cut);
    }
    let Some(width) = label(below, true) else {
        return Ok(None);
    };
    let start = dressed.len() - dressed.trim_start_matches(is_dress).len();
    let mut reader = Parser::new(text, Notation::Json);
    reader.at = text.len() - below.len() + width;
    let arguments = input(&mut reader)?;
    parser.at = reader.at;
    Ok(Some((Call { name: name.to_owned(), arguments }, start..reader.at)))
}

/// Reads the input of a call, as the text of its arguments.
fn input(reader: &mut Parser<'_>) -> Result<String, Trouble> {
    let label_end = reader.at;
    reader.space();
    let below = reader.text.get(label_end..reader.at).unwrap_or_default().contains(['\n', '\r']);
    if let Some(fence) = reader.rest().strip_prefix("```") {
        reader.at += 3 + line(fence);
        reader.space();
    } else if reader.rest().is_empty() || (below && is_labelled(reader.rest())) {
        reader.at = label_end;
        return Ok("{}".to_owned());
    }
    let start = reader.at;
    let mut fault = Fault::Malformed;
    for notation in [Notation::Json, Notation::Python] {
        let mut parser = Parser::new(reader.text, notation);
        parser.at = start;
        match parser.value(1) {
            Ok(value) => {
                let end = parser.at;
                if ends_line(&mut parser) {
                    reader.at = end;
                    return Ok(written(&value));
                }
            }
            Err(Fault::Deep) => fault = Fault::Deep,
            Err(Fault::Malformed) => {}
        }
        reader.at = reader.at.max(parser.at);
    }
    let rest = reader.text.get(start..).unwrap_or_default();
    if rest.starts_with(['{', '[', '"', '\'']) {
        return Err(trouble(reader, fault));
    }
    let words = rest.get(..line(rest)).unwrap_or_default();
    reader.at = start + words.len();
    Ok(keywords(words).unwrap_or_else(|| written(&Value::Text(words.trim().into()))))
}

/// Whether a text begins with a word and a colon, as the labels of agents do.
fn is_labelled(text: &str) -> bool {
    let name = text.trim_start_matches('*');
    let rest = name.trim_start_matches(|c: char| c.is_alphabetic());
    let colon = rest.trim_start_matches('*').starts_with([':', '：']);
    label(text, false).is_some() || (rest.len() < name.len() && colon)
}

/// The arguments that an input gives; what is no map or list is the only one.
fn written(value: &Value<'_>) -> String {
    let mut text = String::new();
    arguments(value).unwrap_or_else(|| only(value)).write(&mut text);
    text
}

/// Arguments with their names, as in the brackets of a call.
fn keywords(words: &str) -> Option<String> {
    let call = format!("f({words})");
    let mut parser = Parser::new(&call, Notation::Python);
    let (name, arguments) = parser.call(1).ok()?;
    let named = matches!(&arguments, Value::Map(entries) if entries.iter().all(|(key, _)| {
        !key.starts_with(|c: char| c.is_ascii_digit())
    }));
    (named && parser.rest().is_empty()).then(|| Call::new(name, &arguments).arguments)
}
