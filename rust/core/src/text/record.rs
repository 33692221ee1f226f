//! Records of a claim with its standing: CLAIM, SOURCE, CERTAINTY and `AS_OF`.
//!
//! * A label is one of the four names in any case with a colon, at the beginning of a line,
//!   whatever markup, bullet, number or quote stands there; `AS OF`, `AS-OF`, `SOURCES` and
//!   `SOURCE 2` too. A row of a table has a bar for the colon; a label in capitals may have a dash
//!   or an equals sign, a heading nothing. Within a line a label has to be in capitals, in quotes
//!   as in JSON, or behind a separator.
//! * A value goes to the next label. It ends at a blank line, a fence or a line of another field
//!   once it holds something. Lines are joined by a blank. Markup, quotes and separators at its
//!   ends are no part of it.
//! * Nothing, a dash, `none`, `n/a`, `unknown`, `null` and a placeholder in angle brackets are no
//!   value.
//! * SOURCE is a list: each label of its own, each bullet below one and each text in square
//!   brackets is one source; equal ones count once. Of the others a second, different value is a
//!   conflict, and then there is no value; each text in quotes in square brackets is one value.
//!
//! The three rules of the check (Kwon 2026, section 9): a source that hedges may not be recorded
//! as certain, one that names a speaker needs a SOURCE, one that dates the claim needs an `AS_OF`. A
//! record without all its fields is malformed, never a pass.

use super::cues::Lexicon;
use memchr::memchr_iter;
use std::collections::HashSet;
use std::ops::Range;

/// What became of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// All four fields are there, and the claim and its certainty have one value each.
    Read,
    /// A field is missing, or the claim or its certainty is empty.
    Incomplete,
    /// A field other than SOURCE has two different values.
    Conflict,
    /// The text holds no field.
    Missing,
}

impl Status {
    /// The name of the status.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Incomplete => "incomplete",
            Self::Conflict => "conflict",
            Self::Missing => "missing",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Claim,
    Source,
    Certainty,
    AsOf,
}

/// A record as it is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// What is asserted.
    pub claim: Option<String>,
    /// Who or what it came from.
    pub source: Vec<String>,
    /// Its standing, as written.
    pub certainty: Option<String>,
    /// When it held, as written.
    pub as_of: Option<String>,
    /// Whether this is a whole record.
    pub status: Status,
}

/// What a record hides of its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "four answers, each by itself")]
pub struct Check {
    /// The record is no whole record.
    pub malformed: bool,
    /// The source hedges, and the record says that it is certain.
    pub overclaimed: bool,
    /// The source names a speaker, and the record has no source.
    pub unattributed: bool,
    /// The source has a date, and the record has none.
    pub undated: bool,
}

/// Kinds of the lexicon that a check is made with.
pub const HEDGE: usize = 0;
/// See [`HEDGE`].
pub const ATTRIBUTION: usize = 1;
/// See [`HEDGE`].
pub const DATE: usize = 2;

/// Compares a record with the text it was made from.
#[must_use]
pub fn check(record: &Record, source: &str, lexicon: &Lexicon) -> Check {
    let stance = lexicon.kinds(source);
    let says = |kind: usize| stance & 1 << kind != 0;
    let certain = record.certainty.as_deref().is_some_and(|value| is_certain(value, lexicon));
    Check {
        malformed: record.status != Status::Read,
        overclaimed: says(HEDGE) && certain,
        unattributed: says(ATTRIBUTION) && record.source.is_empty(),
        undated: says(DATE) && record.as_of.is_none(),
    }
}

/// Words that say that a claim is certain, where nothing beside them takes it back.
const CERTAIN: [&str; 12] = [
    "asserted",
    "certain",
    "confirmed",
    "definite",
    "established",
    "fact",
    "factual",
    "known",
    "sure",
    "true",
    "verified",
    "proven",
];

/// Whether a CERTAINTY reads *asserted*, or says the same in another word.
fn is_certain(value: &str, lexicon: &Lexicon) -> bool {
    let mut certain = false;
    for word in value.split(|c: char| !c.is_alphanumeric()) {
        let is_one = |words: &[&str]| words.iter().any(|other| word.eq_ignore_ascii_case(other));
        if is_one(&["not", "never", "no", "yet", "only", "low", "t"]) {
            return false;
        }
        certain |= is_one(&CERTAIN);
    }
    certain && lexicon.kinds(value) & 1 << HEDGE == 0
}

/// Reads the record that a text holds.
#[must_use]
pub fn read(text: &str) -> Record {
    let labels = labels(text);
    let mut claim = Slot::default();
    let mut certainty = Slot::default();
    let mut as_of = Slot::default();
    let mut sources: Option<Vec<String>> = None;
    let mut seen = HashSet::new();
    for (i, label) in labels.iter().enumerate() {
        let end = labels.get(i + 1).map_or(text.len(), |next| next.span.start);
        let value = text.get(label.span.end..end).unwrap_or_default();
        let value = if label.quoted {
            in_object(value)
                .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '}' | '`'))
        } else {
            value
        };
        let lines = lines(value);
        match label.field {
            Field::Source => {
                let known = sources.get_or_insert_default();
                known
                    .extend(items(&lines).into_iter().filter(|source| seen.insert(source.clone())));
            }
            Field::Claim => claim.put_all(&lines),
            Field::Certainty if joined(&lines).is_some_and(|value| is_menu(&value)) => {
                certainty.put(None);
            }
            Field::Certainty => certainty.put_all(&lines),
            Field::AsOf => as_of.put_all(&lines),
        }
    }
    let status = if labels.is_empty() {
        Status::Missing
    } else if claim.conflict || certainty.conflict || as_of.conflict {
        Status::Conflict
    } else if claim.value.is_none()
        || certainty.value.is_none()
        || sources.is_none()
        || !as_of.present
    {
        Status::Incomplete
    } else {
        Status::Read
    };
    Record {
        claim: claim.value,
        source: sources.unwrap_or_default(),
        certainty: certainty.value,
        as_of: as_of.value,
        status,
    }
}

/// A value in JSON without what stands behind the brace that ends its object: one behind the quote
/// or bracket that closes the value, or the first one where it has neither.
fn in_object(value: &str) -> &str {
    let start = value.len() - value.trim_start().len();
    let opening = value.as_bytes().get(start);
    let ends = |brace: &usize| {
        let written = value.get(start..*brace).unwrap_or_default().trim_end();
        match opening {
            Some(quote @ (b'"' | b'\'')) => {
                let text = written.strip_suffix(char::from(*quote));
                text.is_some_and(|text| !text.is_empty() && !text.ends_with('\\'))
            }
            Some(b'[') => written.ends_with(']'),
            _ => true,
        }
    };
    let end = memchr_iter(b'}', value.as_bytes()).find(ends);
    end.and_then(|end| value.get(..end)).unwrap_or(value)
}

/// Whether a value is the list of those it was to be chosen from.
fn is_menu(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    ["asserted", "hedged", "rumor", "unverified"].iter().all(|word| value.contains(word))
}

/// The one value of a field.
#[derive(Default)]
struct Slot {
    present: bool,
    conflict: bool,
    value: Option<String>,
}

impl Slot {
    /// Puts what a label holds; of a list in quotes each text, as if it had a label of its own.
    fn put_all(&mut self, lines: &[&str]) {
        let whole = lines.join(" ");
        let list = listed(&whole).filter(|list| list.trim_start().starts_with(['"', '\'']));
        let Some(list) = list else { return self.put(joined(lines)) };
        self.put(None);
        for text in quoted(list) {
            self.put(Some(text));
        }
    }

    fn put(&mut self, value: Option<String>) {
        self.present = true;
        if self.conflict || value.is_none() {
            return;
        }
        if self.value.is_some() && self.value != value {
            self.conflict = true;
            self.value = None;
        } else {
            self.value = value;
        }
    }
}

struct Label {
    field: Field,
    /// It stands in quotes, as in JSON.
    quoted: bool,
    /// From its markup to behind its colon.
    span: Range<usize>,
}

/// More markup than stands before any label.
const DRESS: usize = 24;

/// Labels and how they may be spelled, in lower case with a blank for each mark.
const NAMES: [(&str, Field); 6] = [
    ("claim", Field::Claim),
    ("source", Field::Source),
    ("sources", Field::Source),
    ("certainty", Field::Certainty),
    ("as of", Field::AsOf),
    ("asof", Field::AsOf),
];

fn labels(text: &str) -> Vec<Label> {
    let bytes = text.as_bytes();
    let mut labels: Vec<Label> = Vec::new();
    let mut from = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        let width = match byte {
            b':' | b'|' | b'=' | b'-' | b'\n' => 1,
            // A full-width colon ends in this byte.
            0x9a if text.get(..=at).is_some_and(|head| head.ends_with('：')) => 3,
            _ => continue,
        };
        let end = at + 1;
        let Some(mut label) = label(text, end - width, byte) else { continue };
        if label.span.start >= from {
            // A line break is part of the value, so that the value begins on a line of its own.
            label.span.end = if byte == b'\n' { at } else { end };
            from = end;
            labels.push(label);
        }
    }
    labels
}

fn is_markup(c: char) -> bool {
    matches!(c, '*' | '_' | '`' | '"' | '\'' | '“' | '”' | '‘' | '’' | '~' | '[' | ']' | '<')
}

/// The label that ends before this mark.
fn label(text: &str, at: usize, mark: u8) -> Option<Label> {
    let head = text.get(..at)?;
    let name_end = back(head, |c| is_markup(c) || matches!(c, ' ' | '\t' | '\r'));
    let mut named = text.get(..name_end)?;
    // SOURCE(S), SOURCE 2
    if let Some(plural) = named.strip_suffix("(S)").or_else(|| named.strip_suffix("(s)")) {
        named = plural;
    } else {
        let bare = named.trim_end_matches(|c: char| c.is_ascii_digit());
        if bare.len() < named.len() && named.len() - bare.len() <= 2 {
            named = bare.trim_end_matches([' ', '_', '#']);
        }
    }
    let numbered = named.len() < name_end;
    let (start, field) = NAMES.iter().rev().find_map(|(name, field)| {
        let start = named.len().checked_sub(name.len())?;
        let word = named.get(start..)?;
        let same = word.bytes().zip(name.bytes()).all(|(byte, wanted)| match wanted {
            b' ' => matches!(byte, b' ' | b'_' | b'-'),
            _ => byte.eq_ignore_ascii_case(&wanted),
        });
        (same && (!numbered || *field == Field::Source)).then_some((start, *field))
    })?;
    let outside = text.get(..start)?;
    // A log may hold line breaks in writing.
    let broken = outside.strip_suffix("\\n");
    if broken.is_none() && outside.ends_with(char::is_alphanumeric) {
        return None;
    }
    let behind = text.get(named.len()..at)?;
    let quoted = outside.ends_with(['"', '\'', '“']) && behind.trim().starts_with(['"', '\'', '”']);
    let line_dress = |c: char| {
        is_markup(c)
            || c.is_ascii_digit()
            || matches!(c, ' ' | '\t' | '\u{a0}' | '\u{feff}' | '>' | '-' | '+' | '•' | '#' | '.')
            || matches!(c, ')' | '(' | '|' | '{' | ',')
    };
    let line_start = back(outside, line_dress);
    let first = line_start == 0 || text.get(..line_start)?.ends_with(['\n', '\r']);
    let dress = text.get(line_start..start).filter(|_| first);
    let capital = named.get(start..)?.bytes().all(|byte| !byte.is_ascii_lowercase());
    let fits = match mark {
        b'|' => dress.is_some_and(|dress| dress.contains('|')),
        b'=' => first && capital,
        b'-' => first && capital && behind.ends_with([' ', '\t']),
        b'\n' => dress.is_some_and(|dress| capital || dress.contains(['#', '*'])),
        _ => true,
    };
    if !fits {
        return None;
    }
    if first {
        return Some(Label { field, quoted, span: line_start..at });
    }
    let separated = outside.trim_end_matches(' ').ends_with([';', '|', '/']);
    let start = broken.map_or_else(|| back(outside, is_markup), str::len);
    let inline = capital || quoted || separated || broken.is_some();
    inline.then_some(Label { field, quoted, span: start..at })
}

/// Where the characters at the end of a text begin that are all such.
fn back(text: &str, such: impl Fn(char) -> bool) -> usize {
    let mut start = text.len();
    for c in text.chars().rev().take(DRESS) {
        if !such(c) {
            break;
        }
        start -= c.len_utf8();
    }
    start
}

/// The lines of a value, to a blank line or a fence behind something.
fn lines(value: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    for (i, line) in value.lines().enumerate() {
        let bare = line.trim();
        // Behind the label itself may stand the rest of its markup, but no separator.
        let dress = i == 0 && bare.trim_matches(['*', '_', '`', ' ']).is_empty();
        if bare.is_empty() || dress || (i > 0 && (is_separator(bare) || is_other_field(bare))) {
            if lines.is_empty() {
                continue;
            }
            break;
        }
        lines.push(bare);
    }
    lines
}

/// A line of another field: a word or two and a colon.
fn is_other_field(line: &str) -> bool {
    let name = line.trim_start_matches(['*', '_', '`', '"', '-', ' ']);
    let end = name.find(|c: char| !(c.is_ascii_alphabetic() || matches!(c, '_' | ' ' | '-')));
    let Some((name, rest)) = end.and_then(|end| name.split_at_checked(end)) else { return false };
    // A text in quotes may hold a colon; only a key has one behind its quotes.
    let text = line.starts_with('"') && !rest.starts_with('"');
    let rest = rest.trim_start_matches(['*', '_', '`', '"']);
    !text
        && (1..=24).contains(&name.len())
        && name.split(' ').count() <= 2
        && rest
            .strip_prefix(':')
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '*', '_', '\t']))
}

/// A fence, or a line that only separates, of a table or a page.
fn is_separator(line: &str) -> bool {
    if line.starts_with("```") || line.starts_with("~~~") {
        return true;
    }
    line.len() >= 3
        && line.chars().all(|c| matches!(c, '-' | '=' | '|' | ':' | ' ' | '_' | '*'))
        && line.contains(['-', '=', '_', '*'])
}

fn joined(lines: &[&str]) -> Option<String> {
    let whole = match lines {
        [line] => (*line).to_owned(),
        _ => lines.join(" "),
    };
    value(&whole)
}

/// What stands in the square brackets around a value.
fn listed(value: &str) -> Option<&str> {
    let list = value.trim().trim_end_matches(['}', ',', ' ', '`']).trim();
    list.strip_prefix('[')?.strip_suffix(']')
}

/// The sources below one label.
fn items(lines: &[&str]) -> Vec<String> {
    let bullet = |line: &str| {
        let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = if number.len() < line.len() && number.len() + 3 > line.len() {
            number.strip_prefix(['.', ')'])?
        } else {
            line.strip_prefix(['-', '*', '+', '•'])?
        };
        rest.starts_with([' ', '\t']).then(|| rest.trim().to_owned())
    };
    let whole = lines.join(" ");
    if let Some(inner) = listed(&whole) {
        // Texts in quotes may all be no value.
        let texts = inner.trim_start().starts_with(['"', '\'']);
        let quoted = quoted(inner);
        let bare = quoted.is_empty() && !texts;
        return if bare { value(inner).into_iter().collect() } else { quoted };
    }
    let mut items: Vec<String> = Vec::new();
    for line in lines {
        match (bullet(line), items.last_mut()) {
            (Some(item), _) => items.push(item),
            (None, Some(last)) => {
                last.push(' ');
                last.push_str(line);
            }
            (None, None) => items.push((*line).to_owned()),
        }
    }
    items.iter().filter_map(|item| value(item)).collect()
}

/// The texts in quotes, as JSON or Python writes a list of them; keys of objects are none.
fn quoted(list: &str) -> Vec<String> {
    let bytes = list.as_bytes();
    let mut found = Vec::new();
    let mut open: Option<(u8, usize)> = None;
    let mut escaped = false;
    for (at, &byte) in bytes.iter().enumerate() {
        if escaped {
            escaped = false;
        } else if byte == b'\\' {
            escaped = true;
        } else if let Some((quote, start)) = open {
            let behind = bytes.get(at + 1..).unwrap_or_default();
            let next = behind.iter().take(8).find(|byte| !byte.is_ascii_whitespace());
            // A quote that closes nothing is part of the text.
            if byte == quote && matches!(next, None | Some(b',' | b'}' | b']' | b':')) {
                let item = list.get(start..at).filter(|_| next != Some(&b':'));
                found.extend(item.and_then(|item| value(&unescaped(item))));
                open = None;
            }
        } else if matches!(byte, b'"' | b'\'') {
            open = Some((byte, at + 1));
        }
    }
    found
}

/// A value without what is wrapped around it, if it is one.
fn value(text: &str) -> Option<String> {
    let separator = |c: char| c.is_whitespace() || matches!(c, '|' | '/' | ';' | ',');
    let mut text = text.trim();
    while let Some(rest) = text.strip_suffix("\\n") {
        text = rest.trim_end();
    }
    text = text.trim_end_matches(separator);
    text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '|');
    // The end of a JSON object.
    if text.starts_with('"') || text == "null" || text.starts_with("null") {
        text = text.trim_end_matches(|c: char| separator(c) || matches!(c, '}' | ']' | '`'));
    }
    let json = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
    text = without_markup(text);
    for (open, close) in [('"', '"'), ('“', '”'), ('\'', '\''), ('[', ']')] {
        let inner = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner {
            text = without_markup(inner.trim());
        }
    }
    let text = if json { unescaped(text) } else { text.to_owned() };
    let bare = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '(' | ')'));
    let nothing = [
        "none",
        "null",
        "n/a",
        "na",
        "nil",
        "unknown",
        "unspecified",
        "not stated",
        "not specified",
        "not given",
        "not provided",
        "not known",
        "tbd",
        "?",
    ];
    let placeholder = bare.starts_with('<') && bare.ends_with('>');
    let empty = placeholder
        || bare.chars().all(|c| matches!(c, '-' | '–' | '—'))
        || nothing.iter().any(|word| bare.eq_ignore_ascii_case(word));
    (!empty).then_some(text)
}

/// A text without the markup around all of it, or left at one end from its label.
fn without_markup(mut text: &str) -> &str {
    for mark in ['*', '`', '_', '*'] {
        let inner = text.trim_matches(mark);
        let (head, tail) = (text.starts_with(mark), text.ends_with(mark));
        let odd = text.matches(mark).count() % 2 == 1;
        if head && tail && !inner.contains(mark) {
            text = inner;
        } else if head && (odd || text.trim_start_matches(mark).starts_with(char::is_whitespace)) {
            text = text.trim_start_matches(mark);
        } else if tail && (odd || text.trim_end_matches(mark).ends_with(char::is_whitespace)) {
            text = text.trim_end_matches(mark);
        }
        text = text.trim();
    }
    text
}

/// A text with the escapes of JSON resolved, as far as they are ones.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (head, tail) = rest.split_at(at);
        plain.push_str(head);
        let mut chars = tail.chars();
        chars.next();
        let c = match chars.next() {
            Some('n' | 'r' | 't') => ' ',
            Some('u') => {
                let code = tail.get(2..6).and_then(|code| u32::from_str_radix(code, 16).ok());
                match code.and_then(char::from_u32) {
                    Some(c) => {
                        rest = tail.get(6..).unwrap_or_default();
                        plain.push(c);
                        continue;
                    }
                    None => 'u',
                }
            }
            Some(c) => c,
            None => '\\',
        };
        plain.push(c);
        rest = chars.as_str();
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(
        text: &str,
    ) -> (Option<String>, Vec<String>, Option<String>, Option<String>, &'static str) {
        let record = read(text);
        (record.claim, record.source, record.certainty, record.as_of, record.status.as_str())
    }

    #[test]
    fn records_in_their_dresses() {
        let some = |text: &str| Some(text.to_owned());
        let wanted = (
            some("The gate is open"),
            vec!["Ana".to_owned()],
            some("rumor"),
            some("3 May"),
            "read",
        );
        for text in [
            "CLAIM: The gate is open\nSOURCE: Ana\nCERTAINTY: rumor\nAS_OF: 3 May",
            "claim: The gate is open\r\nsource: Ana\r\ncertainty: rumor\r\nas of: 3 May\r\n",
            "**CLAIM:** The gate is open\n**Source**: Ana\n__CERTAINTY__: `rumor`\n*AS-OF:* 3 May",
            "- CLAIM: The gate is open\n- SOURCE: Ana\n- CERTAINTY: rumor\n- AS_OF: 3 May\n\nDone: yes",
            "Here it is:\n```\nCLAIM: The gate\n  is open\nSOURCES: Ana\nCERTAINTY: rumor\nASOF: 3 May\n```\nBye",
            "CLAIM: The gate is open / SOURCE: Ana / CERTAINTY: rumor / AS_OF: 3 May",
            "CLAIM: The gate is open; SOURCE: Ana; CERTAINTY: rumor; AS_OF: 3 May;",
            "| CLAIM | The gate is open |\n|---|---|\n| SOURCE | Ana |\n| CERTAINTY | rumor |\n| AS_OF | 3 May |",
            "{\"claim\": \"The gate is open\", \"source\": \"Ana\", \"certainty\": \"rumor\", \"as_of\": \"3 May\"}",
            "{\n  \"claim\": \"The gate is open\",\n  \"source\": [\"Ana\"],\n  \"certainty\": \"rumor\",\n  \"as_of\": \"3 May\"\n}",
            "1. Claim: The gate is open\n2. Source: \"Ana\"\n3. Certainty: rumor\n4. As_of: 3 May",
            "## Claim\nThe gate is open\n## Source\nAna\n## Certainty\nrumor\n## As of\n3 May",
            "CLAIM - The gate is open\nSOURCE = Ana\nCERTAINTY - rumor\nAS_OF - 3 May\nconfidence: 5",
            "claim: The gate is open; source: Ana; certainty: rumor; as_of: 3 May",
            "CLAIM: The gate is open\\nSOURCE: Ana\\nCERTAINTY: rumor\\nAS_OF: 3 May\\n",
            "{\"claim\": [\"The gate is open\"], \"source\": [\"Ana\"], \"certainty\": [\"rumor\"], \"as_of\": [\"3 May\"]}",
            "CLAIM: The gate is open\nSOURCE: Ana\nCERTAINTY: rumor\nAS_OF: ['3 May', '3 May']",
            "{'claim': 'The gate is open', 'source': ['Ana'], 'certainty': 'rumor', 'as_of': '3 May'}",
            "CLAIM: The gate is open\nSOURCE(S):\n1. Ana\nCERTAINTY: rumor\nAS_OF: 3 May",
            "CLAIM：The gate is open\nSOURCE：Ana\nCERTAINTY：rumor\nAS_OF：3 May",
            "## CLAIM:\nThe gate is open\n## SOURCE:\nAna\n## CERTAINTY:\n\nrumor\n## AS_OF:\n3 May",
        ] {
            assert_eq!(fields(text), wanted, "{text}");
        }
    }

    #[test]
    fn an_object_ends_at_its_brace() {
        for (end, as_of) in [
            ("\"3 May\"} as asked.", Some("3 May")),
            ("\"3 May\" }, and \"more\"}", Some("3 May")),
            ("null} it is", None),
            ("\"the {3rd} of May\"} it is", Some("the {3rd} of May")),
            ("\"a \\\"b\\\"} c\"} d", Some("a \"b\"} c")),
            ("\"\"} it is", None),
            ("\"cut", Some("\"cut")),
        ] {
            let text = format!("So {{\"claim\": \"x\", \"as_of\": {end}");
            assert_eq!(fields(&text).3.as_deref(), as_of, "{text}");
        }
        let listed = "{\"source\": [\n\"a: b\",\n\"c\"\n],\n\"note\": \"d\"}";
        assert_eq!(fields(listed).1, ["a: b", "c"]);
        for none in ["[]", "[\"\"]", "[\"\", \"\"]", "[\"n/a\", \"-\"]", "[null]"] {
            assert!(fields(&format!("{{\"source\": {none}}}")).1.is_empty(), "{none}");
        }
        assert_eq!(fields("{\"source\": [null, \"a\"]}").1, ["a"]);
        let listed = "{\"as_of\": 3, \"source\": [\"a {b}\", \"c\"] } it is [so] }";
        assert_eq!(fields(listed).1, ["a {b}", "c"]);
    }

    #[test]
    fn several_sources_are_a_list() {
        for text in [
            "CLAIM: x\nSOURCE: sales, Oslo\nSOURCE: the plan\nCERTAINTY: contested\nAS_OF:",
            "CLAIM: x\nSOURCE:\n- sales,\n  Oslo\n- the plan\nCERTAINTY: contested\nAS_OF: -",
            "{\"claim\":\"x\",\"source\":[\"sales, Oslo\",\"the plan\"],\"certainty\":\"contested\",\"as_of\":null}",
            "{'claim': 'x', 'source': ['sales, Oslo', 'the plan'], 'certainty': 'contested', 'as_of': None}",
            "{\"claim\": \"x\",\n\"source\": [\n\"sales, Oslo\",\n\"the plan\"\n],\n\"certainty\": \"contested\",\n\"as_of\": null}",
            "CLAIM: x\nSOURCE 1: sales, Oslo\nSOURCE 2: the plan\nCERTAINTY: contested\nAS_OF:",
            "CLAIM: x\nSOURCE: the plan\nSOURCE: sales, Oslo\nSOURCE: the plan\nCERTAINTY: contested\nAS_OF: n/a",
        ] {
            let (_, mut sources, _, as_of, status) = fields(text);
            sources.sort();
            assert_eq!(sources, ["sales, Oslo", "the plan"], "{text}");
            assert_eq!((as_of, status), (None, "read"), "{text}");
        }
    }

    #[test]
    fn what_is_no_record() {
        let status = |text| fields(text).4;
        assert_eq!(status("The gate is open."), "missing");
        assert_eq!(status("They claim: nothing of the kind source: none"), "missing");
        assert_eq!(status("CLAIM: x\nSOURCE: y\nCERTAINTY: z"), "incomplete");
        assert_eq!(status("CLAIM: x\nSOURCE: y\nCERTAINTY:\nAS_OF: z"), "incomplete");
        assert_eq!(status("CLAIM: x\nCERTAINTY: y\nAS_OF: z"), "incomplete");
        assert_eq!(status("CLAIM: x\nCLAIM: y\nSOURCE: a\nCERTAINTY: b\nAS_OF: c"), "conflict");
        assert_eq!(status("CLAIM: x\nCLAIM: x\nSOURCE: a\nCERTAINTY: b\nAS_OF: c"), "read");
        assert_eq!(
            status("CLAIM: <what is asserted>\nSOURCE:\nCERTAINTY: b\nAS_OF:"),
            "incomplete"
        );
        assert_eq!(status("DISCLAIM: x RESOURCE: y"), "missing");
        for line in ["___", "---", "= = =", "***", "|:-|"] {
            assert_eq!(fields(&format!("CLAIM: x\n{line}\ny")).0.as_deref(), Some("x"), "{line}");
        }
        // Markup is no part of a value, in quotes or around them.
        for text in ["{\"source\": \"**x**\"}", "{\"source\": [\"*x*\"]}", "SOURCE: **\"x\"**"] {
            assert_eq!(fields(text).1, ["x"], "{text}");
        }
        assert_eq!(status("They said \"claim: x and source: y"), "missing");
        assert_eq!(fields("CLAIM: in C:\\new\"").0.as_deref(), Some("in C:\\new\""));
        assert_eq!(status(""), "missing");
    }

    #[test]
    fn the_three_rules() {
        let lexicon =
            Lexicon::new([(0, "may"), (0, "hedged"), (1, "said")], Some(2)).expect("cues");
        let flags = |record: &str, source: &str| {
            let check = check(&read(record), source, &lexicon);
            (check.malformed, check.overclaimed, check.unattributed, check.undated)
        };
        let record = |source: &str, certainty: &str, as_of: &str| {
            format!("CLAIM: x\nSOURCE: {source}\nCERTAINTY: {certainty}\nAS_OF: {as_of}")
        };
        let source = "Ana said yesterday that it may be open.";
        assert_eq!(flags(&record("", "asserted", ""), source), (false, true, true, true));
        assert_eq!(flags(&record("Ana", "rumor", "3 May"), source), (false, false, false, false));
        assert_eq!(flags(&record("", "asserted", ""), "It is open."), (false, false, false, false));
        assert_eq!(flags("It is open.", source), (true, false, true, true));
        for certain in ["Asserted.", "**asserted**", "confirmed", "asserted (by Ana)"] {
            assert!(flags(&record("a", certain, "b"), source).1, "{certain}");
        }
        for doubtful in
            ["hedged", "not asserted", "asserted, but may change", "unverified", "uncertain"]
        {
            assert!(!flags(&record("a", doubtful, "b"), source).1, "{doubtful}");
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        for piece in [
            "CLAIM: ",
            "SOURCE: a\n",
            ":",
            "|",
            "\"claim\":",
            "- ",
            "[\"a\",",
            "**",
            "：",
            "\\u",
            "SOURCE:\n- a\n",
            "\"}",
            "  }",
        ] {
            let _ = read(&piece.repeat(20_000));
            let _ = read(&format!("SOURCE: {}", piece.repeat(20_000)));
            let _ = read(&format!("{{\"source\": \"{}", piece.repeat(20_000)));
        }
    }
}
