//! One object by the grammar of RFC 8259, in one pass and without building it.

use super::Object;
use super::member::{Form, Held, Value, Wanted};
use super::string::{escape, plain_until};

/// Deepest nesting that is still read strictly.
const MOST_DEPTH: usize = 1024;

/// The containers that are open: a bit each, set for an object.
struct Open {
    bits: [u64; MOST_DEPTH / 64],
    depth: usize,
}

impl Open {
    fn push(&mut self, object: bool) -> Option<()> {
        let word = self.bits.get_mut(self.depth / 64)?;
        let bit = 1 << (self.depth % 64);
        if object {
            *word |= bit;
        } else {
            *word &= !bit;
        }
        self.depth += 1;
        Some(())
    }

    /// Whether the innermost container is an object.
    fn object(&self) -> bool {
        let top = self.depth.wrapping_sub(1);
        self.bits.get(top / 64).is_some_and(|word| word >> (top % 64) & 1 == 1)
    }
}

/// Reads the object whose brace opens at this place; none if it breaks the grammar. With
/// `constants`, the names that Python writes for numbers without a finite value are numbers.
pub(super) fn object(
    text: &str,
    brace: usize,
    wanted: Wanted<'_>,
    constants: bool,
) -> Option<Object> {
    let bytes = text.as_bytes();
    let mut open = Open { bits: [0; MOST_DEPTH / 64], depth: 0 };
    open.push(true)?;
    let mut held = Held::default();
    // The nested value of the field, while it is open: the depth around it and its start.
    let mut nested: Option<(usize, usize)> = None;
    // How many keys of the path lead to the innermost container on it.
    let mut level = 0;
    let mut at = blanks(bytes, brace + 1);
    let mut empty = true;
    loop {
        let mut first = *bytes.get(at)?;
        if !(empty && matches!(first, b'}' | b']')) {
            let mut leads = false;
            if open.object() {
                let end = string(bytes, at)?;
                leads = open.depth == level + 1 && wanted.is(level, text.get(at + 1..end - 1)?);
                at = blanks(bytes, end);
                if bytes.get(at) != Some(&b':') {
                    return None;
                }
                at = blanks(bytes, at + 1);
                first = *bytes.get(at)?;
            }
            let is_value = leads && wanted.ends(level);
            if leads && !is_value {
                held.restart();
            }
            if matches!(first, b'{' | b'[') {
                if is_value {
                    nested = Some((open.depth, at));
                } else if leads && first == b'{' {
                    level += 1;
                }
                open.push(first == b'{')?;
                at = blanks(bytes, at + 1);
                empty = true;
                continue;
            }
            let (form, end) = if first == b'"' {
                (Form::Quoted, string(bytes, at)?)
            } else {
                (Form::Bare, scalar(bytes, at, constants)?)
            };
            if is_value {
                let span = if form == Form::Quoted { at + 1..end - 1 } else { at..end };
                held.put(text, Value { form, span, whole: true });
            }
            at = end;
        }
        loop {
            at = blanks(bytes, at);
            match (bytes.get(at)?, open.object()) {
                (b',', _) => {
                    at = blanks(bytes, at + 1);
                    empty = false;
                    break;
                }
                (b'}', true) | (b']', false) => {
                    at += 1;
                    open.depth -= 1;
                    if let Some((_, start)) = nested.filter(|nested| nested.0 == open.depth) {
                        held.put(text, Value { form: Form::Nested, span: start..at, whole: true });
                        nested = None;
                    }
                    let Some(deepest) = open.depth.checked_sub(1) else {
                        return Some(Object::new(held, at, true, None));
                    };
                    level = level.min(deepest);
                }
                _ => return None,
            }
        }
    }
}

/// Skips the white space of JSON.
fn blanks(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        at += 1;
    }
    at
}

/// End of the string that opens at this place.
fn string(bytes: &[u8], open: usize) -> Option<usize> {
    if bytes.get(open) != Some(&b'"') {
        return None;
    }
    let mut at = open + 1;
    loop {
        at = plain_until(bytes, at);
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += escape(bytes.get(at..)?)?,
            _ => return None,
        }
    }
}

/// End of the number or literal at this place.
pub(super) fn scalar(bytes: &[u8], at: usize, constants: bool) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let literal = |name: &[u8]| rest.starts_with(name).then_some(at + name.len());
    match rest.first()? {
        b't' => literal(b"true"),
        b'f' => literal(b"false"),
        b'n' => literal(b"null"),
        b'N' if constants => literal(b"NaN"),
        b'I' if constants => literal(b"Infinity"),
        b'-' if constants && rest.starts_with(b"-I") => literal(b"-Infinity"),
        _ => number(bytes, at),
    }
}

fn number(bytes: &[u8], mut at: usize) -> Option<usize> {
    let digits = |start: usize| {
        let mut end = start;
        while bytes.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
        (end > start).then_some(end)
    };
    if bytes.get(at) == Some(&b'-') {
        at += 1;
    }
    at = if bytes.get(at) == Some(&b'0') { at + 1 } else { digits(at)? };
    if bytes.get(at) == Some(&b'.') {
        at = digits(at + 1)?;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        if matches!(bytes.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        at = digits(at)?;
    }
    Some(at)
}
