//! Literals of Python and JSON as values, and the one text that stands for equal values.
//!
//! * Python: strings in every quotation, joined when they follow each other, with escapes;
//!   integers in four bases, floats, `True`, `False`, `None`, lists, tuples, dictionaries, sets,
//!   and calls as values. `true`, `false` and `null` are read too. Bytes, formatted strings,
//!   complex numbers, names and arithmetic are no literals.
//! * JSON: RFC 8259; of keys that come twice the last counts.
//! * Text: keys are sorted and come once, there is no white space, and equal numbers are written
//!   alike: `1`, `1.0` and `1e0` are `1`. A tuple is a list, a set the list of its distinct
//!   values in order, and keys are strings as Python's `json` writes them. Numbers without a
//!   finite value are no values.

use std::borrow::Cow;

/// Deepest nesting that is read.
const NESTING: usize = 256;
/// Largest power of ten that is written out in digits.
const DIGITS: usize = 21;
/// More digits than any float has before its point.
const WIDEST: usize = 310;

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value<'a> {
    /// `null`, `true`, `false`, and numbers as they are written out.
    Plain(Cow<'a, str>),
    Text(Cow<'a, str>),
    List(Vec<Value<'a>>),
    Map(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// A map whose keys are sorted and come once, the last of equal ones.
    pub(super) fn map(mut entries: Vec<(Cow<'a, str>, Self)>) -> Self {
        if !entries.is_sorted_by(|one, other| one.0 < other.0) {
            entries.reverse();
            entries.sort_by(|one, other| one.0.cmp(&other.0));
            entries.dedup_by(|one, other| one.0 == other.0);
        }
        Self::Map(entries)
    }

    /// The distinct values, in the order of their texts.
    fn set(items: Vec<Self>) -> Self {
        let mut written: Vec<(String, Self)> = items
            .into_iter()
            .map(|item| {
                let mut text = String::new();
                item.write(&mut text);
                (text, item)
            })
            .collect();
        written.sort_by(|one, other| one.0.cmp(&other.0));
        written.dedup_by(|one, other| one.0 == other.0);
        Self::List(written.into_iter().map(|(_, item)| item).collect())
    }

    /// Appends the text of the value.
    pub(super) fn write(&self, into: &mut String) {
        match self {
            Self::Plain(text) => into.push_str(text),
            Self::Text(text) => write_text(text, into),
            Self::List(items) => {
                into.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        into.push(',');
                    }
                    item.write(into);
                }
                into.push(']');
            }
            Self::Map(entries) => {
                into.push('{');
                for (at, (key, value)) in entries.iter().enumerate() {
                    if at > 0 {
                        into.push(',');
                    }
                    write_text(key, into);
                    into.push(':');
                    value.write(into);
                }
                into.push('}');
            }
        }
    }
}

fn write_text(text: &str, into: &mut String) {
    const HEX: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    into.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        into.push_str(text.get(from..at).unwrap_or_default());
        from = at + 1;
        match byte {
            b'"' => into.push_str("\\\""),
            b'\\' => into.push_str("\\\\"),
            b'\n' => into.push_str("\\n"),
            b'\r' => into.push_str("\\r"),
            b'\t' => into.push_str("\\t"),
            _ => {
                into.push_str("\\u00");
                into.push(if byte < 16 { '0' } else { '1' });
                into.push(HEX.get(usize::from(byte & 15)).copied().unwrap_or('0'));
            }
        }
    }
    into.push_str(text.get(from..).unwrap_or_default());
    into.push('"');
}

/// Why nothing was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// It is no literal.
    Malformed,
    /// It is nested deeper than is read.
    Deep,
}

pub(super) type Read<T> = Result<T, Fault>;

/// Whose literals are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Notation {
    Python,
    Json,
}

/// A place in a text, from which values are read.
#[derive(Clone)]
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    notation: Notation,
    /// An argument of a call has been read, or its name.
    pub(super) argued: bool,
}

/// A call: its name and the map of its arguments.
pub(super) type Call<'a> = (Cow<'a, str>, Value<'a>);

impl<'a> Parser<'a> {
    pub(super) const fn new(text: &'a str, notation: Notation) -> Self {
        Self { text, at: 0, notation, argued: false }
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Skips white space, and comments of Python.
    pub(super) fn space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                b'#' if self.notation == Notation::Python => self.at += line(self.rest()),
                _ => return,
            }
        }
    }

    /// Reads a value behind white space.
    pub(super) fn value(&mut self, depth: usize) -> Read<Value<'a>> {
        self.space();
        if depth > NESTING {
            return Err(Fault::Deep);
        }
        let python = self.notation == Notation::Python;
        match self.peek().ok_or(Fault::Malformed)? {
            b'[' => {
                self.at += 1;
                Ok(Value::List(self.items(b']', depth)?.0))
            }
            b'(' if python => {
                self.at += 1;
                let (mut items, comma) = self.items(b')', depth)?;
                match items.pop() {
                    Some(item) if items.is_empty() && !comma => Ok(item),
                    last => {
                        items.extend(last);
                        Ok(Value::List(items))
                    }
                }
            }
            b'{' => {
                self.at += 1;
                self.entries(depth)
            }
            b'"' => self.text().map(Value::Text),
            b'\'' if python => self.text().map(Value::Text),
            byte if byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.') => {
                self.number().map(Value::Plain)
            }
            _ => self.named(depth),
        }
    }

    /// Reads values up to a closing bracket; whether a comma stands before it.
    fn items(&mut self, close: u8, depth: usize) -> Read<(Vec<Value<'a>>, bool)> {
        let mut items = Vec::new();
        let mut comma = false;
        loop {
            self.space();
            if (items.is_empty() || self.notation == Notation::Python || !comma) && self.take(close)
            {
                return Ok((items, comma));
            }
            if !items.is_empty() && !comma {
                return Err(Fault::Malformed);
            }
            items.push(self.value(depth + 1)?);
            self.space();
            comma = self.take(b',');
        }
    }

    /// Reads what is inside of braces: a map, or a set of Python.
    fn entries(&mut self, depth: usize) -> Read<Value<'a>> {
        let python = self.notation == Notation::Python;
        let mut entries = Vec::new();
        let mut items = Vec::new();
        let mut comma = true;
        loop {
            self.space();
            let first = entries.is_empty() && items.is_empty();
            if (first || python || !comma) && self.take(b'}') {
                break;
            }
            if !comma {
                return Err(Fault::Malformed);
            }
            let key = self.value(depth + 1)?;
            self.space();
            if self.take(b':') {
                let key = match key {
                    Value::Text(text) => text,
                    Value::Plain(text) if python => text,
                    _ => return Err(Fault::Malformed),
                };
                entries.push((key, self.value(depth + 1)?));
            } else if python {
                items.push(key);
            } else {
                return Err(Fault::Malformed);
            }
            if !entries.is_empty() && !items.is_empty() {
                return Err(Fault::Malformed);
            }
            self.space();
            comma = self.take(b',');
        }
        Ok(if items.is_empty() { Value::map(entries) } else { Value::set(items) })
    }

    /// Reads a constant, a prefixed string, or a call.
    fn named(&mut self, depth: usize) -> Read<Value<'a>> {
        let start = self.at;
        let name = self.name().ok_or(Fault::Malformed)?;
        let python = self.notation == Notation::Python;
        if python && matches!(self.peek(), Some(b'\'' | b'"')) {
            self.at = start;
            return self.text().map(Value::Text);
        }
        match name {
            "true" => return Ok(Value::Plain("true".into())),
            "false" => return Ok(Value::Plain("false".into())),
            "null" => return Ok(Value::Plain("null".into())),
            _ if !python => {}
            "True" => return Ok(Value::Plain("true".into())),
            "False" => return Ok(Value::Plain("false".into())),
            "None" => return Ok(Value::Plain("null".into())),
            _ => {
                self.at = start;
                let (name, arguments) = self.call(depth)?;
                if name == "set" && arguments == Value::Map(Vec::new()) {
                    return Ok(Value::List(Vec::new()));
                }
                return Ok(Value::map(vec![
                    ("arguments".into(), arguments),
                    ("name".into(), Value::Text(name)),
                ]));
            }
        }
        self.at = start;
        Err(Fault::Malformed)
    }

    /// Reads an identifier.
    fn name(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let ascii = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let mut end = rest.bytes().take_while(ascii).count();
        if rest.as_bytes().get(end).is_some_and(|byte| !byte.is_ascii()) {
            let other = |c: char| !(c.is_alphanumeric() || c == '_');
            end = rest.find(other).unwrap_or(rest.len());
        }
        let name = rest.get(..end)?;
        if name.is_empty() || name.starts_with(char::is_numeric) {
            return None;
        }
        self.at += end;
        Some(name)
    }

    /// Reads a dotted name that an opening bracket follows, and skips the bracket.
    pub(super) fn callee(&mut self) -> Option<&'a str> {
        let start = self.at;
        loop {
            self.name()?;
            if !self.take(b'.') {
                break;
            }
        }
        let name = self.text.get(start..self.at)?;
        self.take(b'(').then_some(name)
    }

    /// Reads a call of Python; positional arguments are named by their place.
    pub(super) fn call(&mut self, depth: usize) -> Read<Call<'a>> {
        if depth > NESTING {
            return Err(Fault::Deep);
        }
        let start = self.at;
        let name = self.callee().ok_or(Fault::Malformed)?;
        let mut arguments: Vec<(Cow<'a, str>, Value<'a>)> = Vec::new();
        let mut named = 0;
        loop {
            self.space();
            if self.take(b')') {
                break;
            }
            let argument = self.at;
            let keyword = self.name().filter(|_| {
                self.space();
                self.peek() == Some(b'=')
            });
            if let Some(keyword) = keyword {
                self.at += 1;
                self.argued = true;
                named += 1;
                arguments.push((keyword.into(), self.value(depth + 1)?));
            } else {
                self.at = argument;
                let value = self.value(depth + 1)?;
                self.argued = true;
                if named > 0 {
                    return Err(Fault::Malformed);
                }
                arguments.push((place(arguments.len()), value));
            }
            self.space();
            if !self.take(b',') && self.peek() != Some(b')') {
                return Err(Fault::Malformed);
            }
        }
        let count = arguments.len();
        match Value::map(arguments) {
            // A name that comes twice.
            Value::Map(entries) if entries.len() < count => {
                self.at = start;
                Err(Fault::Malformed)
            }
            arguments => Ok((name.into(), arguments)),
        }
    }

    /// Reads a number and writes it out.
    fn number(&mut self) -> Read<Cow<'a, str>> {
        let python = self.notation == Notation::Python;
        let negative = self.take(b'-');
        if python {
            let _ = negative || self.take(b'+');
            self.space();
        }
        let start = self.at;
        let rest = self.rest();
        if !negative && let Some(number) = usual(rest) {
            self.at += number.len();
            return Ok(number.into());
        }
        let mut exponent = false;
        let end = rest.bytes().enumerate().position(|(at, byte)| {
            let sign = exponent && matches!(byte, b'-' | b'+');
            let hex = rest.starts_with("0x") || rest.starts_with("0X");
            exponent = !hex && at > 0 && matches!(byte, b'e' | b'E');
            !(byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || sign)
        });
        let end = end.unwrap_or(rest.len());
        let written = rest.get(..end).unwrap_or_default();
        let number = match self.notation {
            Notation::Json => json_number(written, negative),
            Notation::Python => python_number(written, negative),
        };
        self.at = start + end;
        match number {
            Some(number) if !self.rest().starts_with(char::is_alphanumeric) => Ok(number),
            _ => {
                self.at = start;
                Err(Fault::Malformed)
            }
        }
    }

    /// Reads a string, in Python also one of several parts.
    fn text(&mut self) -> Read<Cow<'a, str>> {
        if self.notation == Notation::Json {
            return self.quoted(false);
        }
        let mut whole: Option<Cow<'a, str>> = None;
        loop {
            let start = self.at;
            let prefix = self.rest().get(..2).unwrap_or_default();
            let raw = matches!(prefix, "r'" | "r\"" | "R'" | "R\"");
            if raw || matches!(prefix, "u'" | "u\"" | "U'" | "U\"") {
                self.at += 1;
            }
            if !matches!(self.peek(), Some(b'\'' | b'"')) {
                self.at = start;
                return whole.ok_or(Fault::Malformed);
            }
            let part = self.quoted(raw)?;
            whole = Some(match whole {
                Some(whole) => whole + part,
                None => part,
            });
            let end = self.at;
            self.space();
            if !matches!(self.peek(), Some(b'\'' | b'"' | b'r' | b'R' | b'u' | b'U')) {
                self.at = end;
                return whole.ok_or(Fault::Malformed);
            }
        }
    }

    /// Reads a string from its opening quote on.
    fn quoted(&mut self, raw: bool) -> Read<Cow<'a, str>> {
        let quote = self.peek().ok_or(Fault::Malformed)?;
        let python = self.notation == Notation::Python;
        let rest = self.rest().as_bytes();
        let long = python && rest.starts_with(&[quote; 3]);
        self.at += if long { 3 } else { 1 };
        let mut start = self.at;
        let mut copy: Option<String> = None;
        loop {
            let behind = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let plain = |byte: &u8| *byte != quote && *byte != b'\\' && *byte >= b' ';
            self.at += behind.iter().take_while(|byte| plain(byte)).count();
            let byte = self.peek().ok_or(Fault::Malformed)?;
            let behind = self.text.as_bytes().get(self.at..).unwrap_or_default();
            if byte == quote && (!long || behind.starts_with(&[quote; 3])) {
                let end = self.at;
                self.at += if long { 3 } else { 1 };
                let part = self.text.get(start..end).unwrap_or_default();
                return Ok(match copy {
                    Some(copy) => Cow::Owned(copy + part),
                    None => Cow::Borrowed(part),
                });
            }
            let broken = if python { !long && matches!(byte, b'\n' | b'\r') } else { byte < b' ' };
            if broken {
                return Err(Fault::Malformed);
            }
            if byte != b'\\' {
                self.at += 1;
                continue;
            }
            if raw {
                self.at += 1;
                let next = self.rest().chars().next().ok_or(Fault::Malformed)?;
                self.at += next.len_utf8();
                continue;
            }
            let part = self.text.get(start..self.at).unwrap_or_default();
            let copy = copy.get_or_insert_default();
            copy.push_str(part);
            self.at += 1;
            self.escape(copy)?;
            start = self.at;
        }
    }

    /// Reads what stands behind a backslash.
    fn escape(&mut self, into: &mut String) -> Read<()> {
        let c = self.rest().chars().next().ok_or(Fault::Malformed)?;
        self.at += c.len_utf8();
        let python = self.notation == Notation::Python;
        let plain = match c {
            '"' | '\\' => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => self.code_unit(4)?,
            '/' if !python => '/',
            _ if !python => return Err(Fault::Malformed),
            '\'' => c,
            'a' => '\u{7}',
            'v' => '\u{b}',
            'x' => self.code_unit(2)?,
            'U' => self.code_unit(8)?,
            'N' => return Err(Fault::Malformed),
            '\n' => return Ok(()),
            '\r' => {
                self.take(b'\n');
                return Ok(());
            }
            '0'..='7' => {
                let rest = self.text.as_bytes().get(self.at - 1..).unwrap_or_default();
                let digits = rest.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7'));
                let (count, code) = digits
                    .fold((0, 0), |(n, code), byte| (n + 1, code * 8 + u32::from(byte - b'0')));
                self.at += count - 1;
                char::from_u32(code).ok_or(Fault::Malformed)?
            }
            // Python keeps a backslash that escapes nothing.
            _ => {
                into.push('\\');
                c
            }
        };
        into.push(plain);
        Ok(())
    }

    /// Reads a code point in hexadecimal digits, or two that make one.
    fn code_unit(&mut self, digits: usize) -> Read<char> {
        let high = self.hexadecimal(digits)?;
        if let Some(c) = char::from_u32(high) {
            return Ok(c);
        }
        if !(0xd800..0xdc00).contains(&high) || digits != 4 || !self.rest().starts_with("\\u") {
            return Err(Fault::Malformed);
        }
        self.at += 2;
        let low = self.hexadecimal(4)?;
        if !(0xdc00..0xe000).contains(&low) {
            return Err(Fault::Malformed);
        }
        char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)).ok_or(Fault::Malformed)
    }

    fn hexadecimal(&mut self, digits: usize) -> Read<u32> {
        let written = self.rest().get(..digits).ok_or(Fault::Malformed)?;
        if !written.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Fault::Malformed);
        }
        self.at += digits;
        u32::from_str_radix(written, 16).map_err(|_| Fault::Malformed)
    }
}

/// The name of an argument by its position.
pub(super) fn place(at: usize) -> Cow<'static, str> {
    const FIRST: [&str; 4] = ["0", "1", "2", "3"];
    FIRST.get(at).map_or_else(|| at.to_string().into(), |name| (*name).into())
}

/// Length of the first line of a text.
pub(super) fn line(text: &str) -> usize {
    memchr::memchr2(b'\n', b'\r', text.as_bytes()).unwrap_or(text.len())
}

/// A number that is written as equal numbers are: an integer, or a few digits and a point.
fn usual(text: &str) -> Option<&str> {
    let digits = |from: usize| {
        let bytes = text.as_bytes().get(from..).unwrap_or_default();
        bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let whole = digits(0);
    let mut end = whole;
    if text.as_bytes().get(whole) == Some(&b'.') {
        let part = digits(whole + 1);
        end += 1 + part;
        let last = text.as_bytes().get(end - 1);
        // Up to fifteen digits are the shortest ones of their float.
        if whole + part > 15 || matches!(last, Some(b'0' | b'.')) || text.starts_with("0.00000") {
            return None;
        }
    }
    let zero = text.starts_with('0') && whole > 1;
    let behind = text.as_bytes().get(end).copied().unwrap_or_default();
    let ends = matches!(behind, b',' | b')' | b']' | b'}' | b' ' | b'\n');
    ((1..=DIGITS).contains(&whole) && !zero && ends).then(|| text.get(..end))?
}

fn json_number(written: &str, negative: bool) -> Option<Cow<'_, str>> {
    let whole = written.bytes().take_while(u8::is_ascii_digit).count();
    let zero = written.starts_with('0') && whole > 1;
    let (mantissa, exponent) = written.split_once(['e', 'E']).unwrap_or((written, "0"));
    let part = mantissa.split_once('.').map_or("0", |(_, part)| part);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let valid = whole > 0 && !zero && digits(part) && digits(exponent);
    let known = mantissa.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if valid && known { canonical(written, negative) } else { None }
}

fn python_number(written: &str, negative: bool) -> Option<Cow<'_, str>> {
    let plain: Cow<'_, str> = if written.contains('_') {
        let apart = written.split('_').all(|part| !part.is_empty());
        let digits = |c: Option<char>| {
            c.is_some_and(|c| c.is_ascii_hexdigit() || matches!(c, 'x' | 'X' | 'o' | 'O'))
        };
        let mut edges = written.match_indices('_').map(|(at, _)| {
            let before = written.get(..at).and_then(|head| head.chars().next_back());
            let behind = written.get(at + 1..).and_then(|tail| tail.chars().next());
            digits(before) && digits(behind)
        });
        if !apart || !edges.all(|joined| joined) {
            return None;
        }
        Cow::Owned(written.replace('_', ""))
    } else {
        Cow::Borrowed(written)
    };
    let base = match plain.get(..2).unwrap_or_default() {
        "0x" | "0X" => 16,
        "0o" | "0O" => 8,
        "0b" | "0B" => 2,
        _ => 10,
    };
    if base != 10 {
        let digits = plain.get(2..)?;
        let number =
            u128::from_str_radix(digits, base).ok().filter(|_| !digits.starts_with('+'))?;
        return canonical(&number.to_string(), negative).map(|text| Cow::Owned(text.into_owned()));
    }
    let (mantissa, exponent) = match plain.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (plain.as_ref(), None),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let power = exponent.map(|power| power.strip_prefix(['-', '+']).unwrap_or(power));
    if !digits(whole)
        || !digits(part)
        || whole.len() + part.len() == 0
        || power.is_some_and(|power| power.is_empty() || !digits(power))
    {
        return None;
    }
    // An integer has no leading zero.
    if exponent.is_none() && !mantissa.contains('.') && whole.len() > 1 && whole.starts_with('0') {
        return whole.bytes().all(|byte| byte == b'0').then(|| "0".into());
    }
    match plain {
        Cow::Borrowed(plain) => canonical(plain, negative),
        Cow::Owned(plain) => canonical(&plain, negative).map(|text| Cow::Owned(text.into_owned())),
    }
}

/// The text that all equal numbers share: digits of integers below 10^21, else the shortest
/// digits of the nearest float if that is the number, else all digits of an integer.
fn canonical(written: &str, negative: bool) -> Option<Cow<'_, str>> {
    let sign = if negative { "-" } else { "" };
    if written.bytes().all(|byte| byte.is_ascii_digit()) {
        let exact = written.len() <= DIGITS || !is_float(written);
        if exact && (!negative || written == "0") {
            return Some(Cow::Borrowed(written));
        }
        if exact {
            return Some(Cow::Owned(format!("{sign}{written}")));
        }
    }
    let value: f64 = written.parse().ok()?;
    if !value.is_finite() {
        return None;
    }
    if value == 0.0 {
        return Some(Cow::Borrowed("0"));
    }
    Some(Cow::Owned(if !(1e-6..1e21).contains(&value) {
        format!("{sign}{value:e}")
    } else if value.fract() == 0.0 {
        format!("{sign}{value:.0}")
    } else {
        format!("{sign}{value}")
    }))
}

/// Whether an integer is a float's exact value.
fn is_float(digits: &str) -> bool {
    digits.len() < WIDEST
        && digits
            .parse::<f64>()
            .is_ok_and(|value| value.is_finite() && format!("{value:.0}") == digits)
}
