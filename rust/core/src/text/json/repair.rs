//! One object as models write it where they miss the grammar.
//!
//! Every step either moves on or ends the object, and a look ahead stops at the next quote, brace
//! or end of a line, so that the time is linear in the text.

use super::super::chars::is_invisible;
use super::Object;
use super::member::{Form, Held, Value, Wanted};
use super::strict;
use super::string::{escape, plain_until};
use memchr::{memchr2, memmem};
use std::ops::Range;

/// Whether the brace at this place opens something like an object: a key follows, or a comment,
/// or nothing at all. Braces of prose, code and LaTeX do not.
pub(super) fn opens(text: &str, brace: usize) -> bool {
    let scan = Scan { text, bytes: text.as_bytes() };
    let at = scan.blanks(brace + 1);
    match scan.bytes.get(at) {
        Some(b'}') => true,
        Some(b'/') => scan.comments(at),
        Some(b'#') => scan.bytes.get(at - 1).is_some_and(u8::is_ascii_whitespace),
        _ => scan.quote(at).is_some() || scan.bare_key(at),
    }
}

/// Where a text begins that is the inside of an object whose brace is missing.
pub(super) fn braceless(text: &str) -> Option<usize> {
    let scan = Scan { text, bytes: text.as_bytes() };
    let at = scan.blanks(0);
    scan.quoted_key(at).then_some(at)
}

/// Reads the object whose first member or closing brace follows at this place.
pub(super) fn object(text: &str, start: usize, wanted: Wanted<'_>) -> Object {
    let mut repairer = Repairer::new(text, start);
    let mut held = Held::default();
    let complete = repairer.members(wanted, &mut held);
    let mut object = Object::new(held, repairer.at, complete, repairer.repair);
    // A string without an end has swallowed what follows its first line.
    object.resume = repairer.newline.filter(|_| !complete && repairer.at >= text.len());
    object
}

/// What the repairer looks at.
#[derive(Clone, Copy)]
struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
}

/// Marks that open a string, with those that close it.
const QUOTES: [(char, [char; 2]); 6] = [
    ('"', ['"', '"']),
    ('\'', ['\'', '\'']),
    ('`', ['`', '`']),
    ('“', ['”', '"']),
    ('‘', ['’', '\'']),
    ('”', ['”', '"']),
];

impl Scan<'_> {
    fn char(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    /// The marks that close the string which opens at this place.
    fn quote(&self, at: usize) -> Option<[char; 2]> {
        let c = self.char(at)?;
        QUOTES.iter().find(|(open, _)| *open == c).map(|(_, close)| *close)
    }

    /// Skips white space and what prints nothing.
    fn blanks(&self, mut at: usize) -> usize {
        loop {
            match self.bytes.get(at) {
                Some(byte) if byte.is_ascii_whitespace() => at += 1,
                Some(128..) => match self.char(at) {
                    Some(c) if c.is_whitespace() || is_invisible(c) => at += c.len_utf8(),
                    _ => return at,
                },
                _ => return at,
            }
        }
    }

    /// Whether a comment opens at this place.
    fn comments(&self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        rest.starts_with(b"/*") || rest.starts_with(b"//") || rest.starts_with(b"#")
    }

    /// End of the comment that opens at this place.
    fn comment(&self, at: usize) -> Option<usize> {
        if !self.comments(at) {
            return None;
        }
        let rest = self.bytes.get(at..)?;
        let length = match rest.strip_prefix(b"/*") {
            Some(body) => memmem::find(body, b"*/").map(|end| end + 4),
            None => memchr2(b'\n', b'\r', rest),
        };
        Some(at + length.unwrap_or(rest.len()))
    }

    fn fence(&self, at: usize) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(b"```"))
    }

    /// Whether a key in quotes and its colon stand at this place.
    fn quoted_key(&self, at: usize) -> bool {
        let (Some(open), Some(close)) = (self.char(at), self.quote(at)) else {
            return false;
        };
        let start = at + open.len_utf8();
        let rest = self.text.get(start..).unwrap_or_default();
        // Any quote ends the look ahead: only so do those of one text not overlap.
        let stops = |c: char| {
            matches!(c, '\n' | '\r' | '{' | '}')
                || QUOTES.iter().any(|(open, shut)| c == *open || shut.contains(&c))
        };
        let Some(end) = rest.find(stops).map(|end| start + end) else {
            return false;
        };
        match self.char(end) {
            Some(c) if close.contains(&c) => self.colon(self.blanks(end + c.len_utf8())),
            _ => false,
        }
    }

    /// Whether a key without quotes and its colon stand at this place.
    fn bare_key(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let tail =
            rest.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-'));
        let end = at + rest.len() - tail.len();
        end > at && self.colon(self.blanks(end))
    }

    fn colon(&self, at: usize) -> bool {
        matches!(self.char(at), Some(':' | '：' | '='))
    }

    /// Whether a literal, as JSON or Python write it, stands at this place.
    fn literal(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        rest.get(..end).is_some_and(is_literal)
    }
}

/// Words that are values without quotes.
fn is_literal(word: &str) -> bool {
    matches!(
        word,
        "true"
            | "false"
            | "null"
            | "True"
            | "False"
            | "None"
            | "NaN"
            | "nan"
            | "Infinity"
            | "undefined"
            | "nil"
            | "NULL"
            | "TRUE"
            | "FALSE"
            | "inf"
    )
}

/// Where a string stands, which decides what may follow it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A key of an object on the path.
    Key,
    /// A value of an object on the path.
    Value,
    /// A key in a nested object.
    InnerKey,
    /// The value of a key in a nested object.
    InnerValue,
    /// An element of an array.
    Element,
}

/// What a nested value had last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// An opening bracket or a comma, behind which a key or an element may follow.
    Open,
    Colon,
    Close,
    /// Something without quotes, on this line.
    Scalar,
    /// The end of a string, or of a line behind something without quotes.
    Line,
    /// Words where none can stand.
    Stray,
}

/// A string that was read.
pub(super) struct Quoted {
    pub(super) span: Range<usize>,
    closed: bool,
}

/// Reads on from a place, whatever stands there.
pub(super) struct Repairer<'a> {
    scan: Scan<'a>,
    at: usize,
    /// The first thing that was wrong.
    repair: Option<&'static str>,
    /// End of the first line of a string that has no end.
    newline: Option<usize>,
}

impl<'a> Repairer<'a> {
    pub(super) fn new(text: &'a str, start: usize) -> Self {
        let scan = Scan { text, bytes: text.as_bytes() };
        Self { scan, at: start, repair: None, newline: None }
    }

    pub(super) fn char(&self) -> Option<char> {
        self.scan.char(self.at)
    }

    pub(super) fn step(&mut self, c: char) {
        self.at += c.len_utf8();
    }

    /// Whether a string opens here.
    pub(super) fn quoted(&self) -> bool {
        self.scan.quote(self.at).is_some()
    }

    /// Reads a word of a nested value, up to a sign or the end of the line.
    pub(super) fn word(&mut self) -> &'a str {
        let rest = self.scan.text.get(self.at..).unwrap_or_default();
        let stop =
            |c: char| matches!(c, ',' | '，' | ':' | '：' | '{' | '}' | '[' | ']' | '\n' | '\r');
        let word = rest.get(..rest.find(stop).unwrap_or(rest.len())).unwrap_or_default();
        self.at += word.len();
        word.trim_end()
    }

    fn note(&mut self, repair: &'static str) {
        self.repair.get_or_insert(repair);
    }

    /// Skips white space and comments.
    pub(super) fn blanks(&mut self) {
        loop {
            let at = self.scan.blanks(self.at);
            let Some(end) = self.scan.comment(at) else {
                self.at = at;
                return;
            };
            self.note("comment");
            self.at = end;
        }
    }

    /// Reads members up to the closing brace; without one, the object is cut at the place that
    /// was reached.
    fn members(&mut self, wanted: Wanted<'_>, held: &mut Held) -> bool {
        let mut level = 0_usize;
        // What was last: the start or a comma, behind which a member may follow.
        let mut ready = true;
        let mut comma = false;
        loop {
            self.blanks();
            let Some(c) = self.scan.char(self.at) else {
                return false;
            };
            match c {
                '}' => {
                    if comma {
                        self.note("trailing_comma");
                    }
                    self.at += 1;
                    let Some(outer) = level.checked_sub(1) else {
                        return true;
                    };
                    level = outer;
                    (ready, comma) = (false, false);
                    continue;
                }
                ',' | '，' => {
                    if ready || c != ',' {
                        self.note("extra_comma");
                    }
                    (ready, comma) = (true, true);
                    self.at += c.len_utf8();
                    continue;
                }
                ']' | ')' => {
                    self.note("stray_bracket");
                    self.at += 1;
                    continue;
                }
                '[' => {
                    self.note("dropped_key");
                    if !self.nested() {
                        return false;
                    }
                    continue;
                }
                '{' => return false,
                _ if self.scan.fence(self.at) => return false,
                _ => {}
            }
            if !ready {
                self.note("missing_comma");
            }
            (ready, comma) = (false, false);
            let Some(key) = self.key() else {
                return false;
            };
            self.blanks();
            if !self.colon() {
                self.note("dropped_key");
                continue;
            }
            let leads = wanted.is(level, self.scan.text.get(key).unwrap_or_default());
            let is_value = leads && wanted.ends(level);
            if leads && !is_value {
                held.restart();
            }
            self.blanks();
            if leads && !is_value && self.scan.bytes.get(self.at) == Some(&b'{') {
                self.at += 1;
                level += 1;
                ready = true;
                continue;
            }
            let Some(value) = self.value() else {
                return false;
            };
            let whole = value.whole;
            let quoted = value.form != Form::Bare;
            if is_value {
                held.put(self.scan.text, value);
            }
            if quoted && !whole {
                return false;
            }
        }
    }

    /// Reads a key, or the words in the place of one; none where the text ends in it.
    fn key(&mut self) -> Option<Range<usize>> {
        if self.scan.quote(self.at).is_some() {
            let key = self.string(Place::Key);
            return key.closed.then_some(key.span);
        }
        let start = self.at;
        let rest = self.scan.text.get(start..).unwrap_or_default();
        let stop = |c: char| {
            matches!(c, ':' | '：' | '=' | ',' | '，' | '{' | '}' | '[' | ']' | '"' | '\n' | '\r')
        };
        let name = rest.get(..rest.find(stop).unwrap_or(rest.len())).unwrap_or_default();
        self.at += name.len();
        if name.is_empty() && !self.scan.colon(self.at) {
            self.at += self.scan.char(self.at).map_or(1, char::len_utf8);
            return Some(start..start);
        }
        if self.scan.colon(self.at) {
            self.note("bare_key");
        }
        Some(start..start + name.trim_end().len())
    }

    /// Steps over a colon or what stands for one.
    fn colon(&mut self) -> bool {
        let Some(c) = self.scan.char(self.at).filter(|c| matches!(c, ':' | '：' | '=')) else {
            return false;
        };
        self.at += c.len_utf8();
        if c != ':' {
            self.note("colon");
            if c == '=' && self.scan.bytes.get(self.at) == Some(&b'>') {
                self.at += 1;
            }
        }
        true
    }

    /// Reads a value; none where the text ends before it.
    fn value(&mut self) -> Option<Value> {
        let c = self.scan.char(self.at)?;
        let start = self.at;
        if matches!(c, '{' | '[') {
            let whole = self.nested();
            return Some(Value { form: Form::Nested, span: start..self.at, whole });
        }
        if self.scan.quote(start).is_some() {
            let string = self.string(Place::Value);
            return Some(Value { form: Form::Quoted, span: string.span, whole: string.closed });
        }
        Some(self.bare())
    }

    /// Reads a value without quotes, up to a comma, a brace, a comment or the end of the line. A
    /// comma between digits belongs to a number.
    fn bare(&mut self) -> Value {
        let start = self.at;
        let bytes = self.scan.bytes;
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        while let Some(&byte) = bytes.get(self.at) {
            let before = self.at.checked_sub(1).and_then(|at| bytes.get(at));
            let ends = match byte {
                b',' => {
                    !(digit(before) && digit(bytes.get(self.at + 1)))
                        || self.scan.bare_key(self.at + 1)
                }
                b'{' | b'}' | b'"' | b'\n' | b'\r' => true,
                b'/' => match bytes.get(self.at + 1) {
                    Some(b'/') => before != Some(&b':'),
                    next => next == Some(&b'*'),
                },
                b'#' => before.is_some_and(u8::is_ascii_whitespace),
                0xef => self.scan.char(self.at) == Some('，'),
                _ => false,
            };
            if ends {
                break;
            }
            self.at += 1;
        }
        let text = self.scan.text.get(start..self.at).unwrap_or_default().trim_end();
        let span = start..start + text.len();
        if bytes.get(self.at) == Some(&b'"') {
            let after = self.scan.blanks(self.at + 1);
            if matches!(bytes.get(after), Some(b',' | b'}')) {
                self.note("stray_quote");
                self.at += 1;
            }
        }
        let number = strict::scalar(bytes, start, false) == Some(span.end);
        if text.is_empty() {
            self.note("missing_value");
        } else if !number {
            self.note(if is_literal(text) { "literal" } else { "bare_value" });
        }
        // A number at the end of a cut reply is taken as it stands; a word may be half of one.
        let whole = self.at < bytes.len() || number || is_literal(text);
        Value { form: Form::Bare, span, whole }
    }

    /// Skips the object or array at this place; false if the text ends, or something else
    /// begins, before it does.
    fn nested(&mut self) -> bool {
        // The containers that are open, true for objects.
        let mut open = Vec::new();
        let mut last = Last::Colon;
        while let Some(&byte) = self.scan.bytes.get(self.at) {
            match byte {
                // Where no value can stand, another answer to the same question begins.
                b'{' if matches!(last, Last::Scalar | Last::Line | Last::Stray) => return false,
                b'{' | b'[' => {
                    open.push(byte == b'{');
                    last = Last::Open;
                }
                b'}' | b']' => {
                    open.pop();
                    if open.is_empty() {
                        self.at += 1;
                        return true;
                    }
                    last = Last::Close;
                }
                b'\n' | b'\r' => {
                    self.at = self.scan.blanks(self.at);
                    if self.scan.fence(self.at) {
                        return false;
                    }
                    if last == Last::Scalar {
                        last = Last::Line;
                    }
                    continue;
                }
                b' ' | b'\t' => {}
                b',' => last = Last::Open,
                b':' if last != Last::Stray => last = Last::Colon,
                b'/' | b'#'
                    if self.scan.comments(self.at) && (byte == b'/' || last != Last::Scalar) =>
                {
                    self.note("comment");
                    self.at = self.scan.comment(self.at).unwrap_or(self.scan.bytes.len());
                    continue;
                }
                b'"' | b'\'' | b'`' | 0xe2
                    if !matches!(last, Last::Scalar | Last::Stray) && self.quoted() =>
                {
                    let place = match open.last() {
                        Some(true) if last == Last::Colon => Place::InnerValue,
                        Some(true) => Place::InnerKey,
                        _ => Place::Element,
                    };
                    if !self.string(place).closed {
                        return false;
                    }
                    last = Last::Line;
                    continue;
                }
                _ if matches!(last, Last::Line | Last::Stray) => last = Last::Stray,
                _ => last = Last::Scalar,
            }
            self.at += 1;
        }
        false
    }

    /// Reads the string at this place. A quote ends it only where something follows that may
    /// follow a string there; a raw end of a line ends it where a key or an object follows.
    pub(super) fn string(&mut self, place: Place) -> Quoted {
        let bytes = self.scan.bytes;
        let close = self.scan.quote(self.at).unwrap_or(['"'; 2]);
        let ascii = self.scan.char(self.at) == Some('"');
        if !ascii {
            self.note("quotes");
        }
        self.at += self.scan.char(self.at).map_or(1, char::len_utf8);
        let start = self.at;
        let mut line: Option<usize> = None;
        loop {
            // Only in a key and behind the first line is a brace anything but text.
            if ascii && line.is_none() && place != Place::Key {
                self.at = plain_until(bytes, self.at);
            }
            let Some(&byte) = bytes.get(self.at) else {
                break;
            };
            match byte {
                b'\\' => {
                    if escape(bytes.get(self.at..).unwrap_or_default()).is_none() {
                        self.note("escape");
                    }
                    self.at += 2;
                }
                b'\n' | b'\r' => {
                    let end = self.at;
                    if place == Place::Key {
                        return Quoted { span: start..end, closed: false };
                    }
                    line.get_or_insert(end);
                    self.at = self.scan.blanks(end);
                    if self.scan.quoted_key(self.at)
                        && matches!(place, Place::Value | Place::InnerValue)
                    {
                        self.note("missing_quote");
                        let text = self.scan.text.get(start..end).unwrap_or_default();
                        let text = text.trim_end().trim_end_matches(',');
                        return Quoted { span: start..start + text.len(), closed: true };
                    }
                    self.note("raw_newline");
                }
                b'{' if place == Place::Key => {
                    return Quoted { span: start..self.at, closed: false };
                }
                b'{' if line.is_some() && self.scan.quoted_key(self.scan.blanks(self.at + 1)) => {
                    return Quoted { span: start..self.at, closed: false };
                }
                0..0x20 => {
                    self.note("control");
                    self.at += 1;
                }
                b'"' | b'\'' | b'`' | 0xe2 => {
                    let Some(c) = self.scan.char(self.at) else {
                        self.at += 1;
                        continue;
                    };
                    let end = self.at;
                    self.at += c.len_utf8();
                    if close.contains(&c) {
                        if self.may_follow(place, close) {
                            return Quoted { span: start..end, closed: true };
                        }
                        self.note("inner_quote");
                    }
                }
                _ => self.at += 1,
            }
        }
        self.at = bytes.len();
        self.newline = line;
        Quoted { span: start..bytes.len(), closed: false }
    }

    /// Whether what stands here may follow a string in that place.
    fn may_follow(&self, place: Place, close: [char; 2]) -> bool {
        let scan = self.scan;
        let at = scan.blanks(self.at);
        let new_line = || {
            scan.bytes
                .get(self.at..at)
                .is_some_and(|gap| gap.iter().any(|byte| matches!(byte, b'\n' | b'\r')))
        };
        match scan.char(at) {
            None | Some('}' | ']') => true,
            Some(':' | '：') => matches!(place, Place::Key | Place::InnerKey),
            Some('=') => place == Place::Key,
            Some(c @ (',' | '，')) => self.may_follow_comma(place, scan.blanks(at + c.len_utf8())),
            Some('/') if scan.comments(at) => true,
            Some('#') => {
                let rest = scan.text.get(at..).unwrap_or_default();
                let end = rest.find(|c: char| close.contains(&c) || matches!(c, '\n' | '\r'));
                end.is_none_or(|end| !rest.get(end..).is_some_and(|tail| tail.starts_with(close)))
            }
            Some('`') if scan.fence(at) => new_line(),
            Some(_) if place == Place::Key => false,
            Some(_) => scan.quoted_key(at) || (new_line() && scan.bare_key(at)),
        }
    }

    fn may_follow_comma(&self, place: Place, at: usize) -> bool {
        let scan = self.scan;
        match scan.char(at) {
            None | Some('{' | '[' | '}' | ']' | '/' | '#' | '.' | ',') => true,
            Some('-' | '0'..='9') if place == Place::Element => true,
            _ => {
                scan.quote(at).is_some()
                    || scan.bare_key(at)
                    || (place == Place::Element && scan.literal(at))
            }
        }
    }
}
