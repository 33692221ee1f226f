//! A damaged nested value written anew as JSON.

use super::boolean;
use super::repair::{Place, Repairer};
use super::strict;
use super::string::decode;
use std::fmt::Write as _;

/// A container that is open.
struct Container {
    object: bool,
    /// Something stands in it already.
    begun: bool,
    /// A key waits for its value.
    keyed: bool,
}

struct Writer {
    json: String,
    open: Vec<Container>,
}

/// The JSON of the object or array that a text begins with.
pub(super) fn json(text: &str) -> String {
    let mut writer = Writer { json: String::with_capacity(text.len() + 16), open: Vec::new() };
    let mut reader = Repairer::new(text, 0);
    loop {
        reader.blanks();
        let Some(c) = reader.char() else {
            break;
        };
        match c {
            '{' | '[' => writer.open(c == '{'),
            '}' | ']' => {
                writer.close();
                if writer.open.is_empty() {
                    break;
                }
            }
            ',' | '，' => writer.comma(),
            ':' | '：' => {}
            _ if reader.quoted() => {
                let string = reader.string(match writer.open.last() {
                    Some(top) if top.keyed => Place::InnerValue,
                    Some(top) if top.object => Place::InnerKey,
                    _ => Place::Element,
                });
                let text = text.get(string.span).unwrap_or_default();
                reader.blanks();
                writer.scalar(&decode(text), true, reader.char());
                continue;
            }
            _ => {
                let word = reader.word();
                reader.blanks();
                writer.scalar(word, false, reader.char());
                continue;
            }
        }
        reader.step(c);
    }
    while !writer.open.is_empty() {
        writer.close();
    }
    writer.json
}

impl Writer {
    fn open(&mut self, object: bool) {
        self.value();
        self.json.push(if object { '{' } else { '[' });
        self.open.push(Container { object, begun: false, keyed: false });
    }

    fn close(&mut self) {
        self.comma();
        if let Some(top) = self.open.pop() {
            self.json.push(if top.object { '}' } else { ']' });
        }
    }

    /// A key that has no value has null.
    fn comma(&mut self) {
        if let Some(top) = self.open.last_mut()
            && top.keyed
        {
            top.keyed = false;
            self.json.push_str("null");
        }
    }

    /// Makes ready for a value, which has an empty key where an object gives it none.
    fn value(&mut self) {
        let Some(top) = self.open.last_mut() else {
            return;
        };
        if top.keyed {
            top.keyed = false;
            return;
        }
        if top.begun {
            self.json.push(',');
        }
        top.begun = true;
        if top.object {
            self.json.push_str("\"\":");
        }
    }

    /// A string, number, literal or word, which is a key where an object wants one.
    fn scalar(&mut self, text: &str, quoted: bool, next: Option<char>) {
        if let Some(top) = self.open.last_mut()
            && top.object
            && !top.keyed
        {
            if matches!(next, Some(':' | '：')) {
                if top.begun {
                    self.json.push(',');
                }
                top.begun = true;
                top.keyed = true;
                self.quote(text);
                self.json.push(':');
            }
            return;
        }
        self.value();
        match boolean(text) {
            Some(value) if !quoted => self.json.push_str(if value { "true" } else { "false" }),
            _ if quoted => self.quote(text),
            _ if matches!(text, "null" | "None" | "NaN" | "nan" | "undefined" | "nil" | "NULL") => {
                self.json.push_str("null");
            }
            _ if text.trim_start_matches('-') == "Infinity" => self.json.push_str("null"),
            _ if strict::scalar(text.as_bytes(), 0, false) == Some(text.len()) => {
                self.json.push_str(text);
            }
            _ => self.quote(text),
        }
    }

    fn quote(&mut self, text: &str) {
        self.json.push('"');
        for c in text.chars() {
            match c {
                '"' => self.json.push_str("\\\""),
                '\\' => self.json.push_str("\\\\"),
                '\n' => self.json.push_str("\\n"),
                '\r' => self.json.push_str("\\r"),
                '\t' => self.json.push_str("\\t"),
                '\0'..' ' => {
                    // Writing to a string cannot fail.
                    let _ = write!(self.json, "\\u{:04x}", u32::from(c));
                }
                _ => self.json.push(c),
            }
        }
        self.json.push('"');
    }
}
