//! `answer_json`: a field of the JSON object in which a reply states its answer.
//!
//! # Which object
//! Objects are looked for from the left; what stands inside one, nested or in a text, is none. The
//! last complete one that has the field counts, and where none has it the last one that is cut.
//! It counts for nothing where the line behind it takes it back, as behind a marker.
//! Each is read by the grammar first ([`strict`]) and then as models miss it ([`repair`]); a brace
//! that neither a key, a comment nor another brace follows opens none. A reply that begins with
//! a key has lost its brace. A reply that does not hold the field in JSON may hold objects that are
//! escaped as a whole; see [`escaped`].
//!
//! # Linear time
//! An object is read at most four times: strictly and repaired, with keys in their own case and in
//! any. What one has read, another does not begin in, but for a text without an end: behind its
//! first line objects are looked for again, at most [`RESUMED`] times.
mod escaped;
mod member;
mod render;
mod repair;
mod strict;
mod string;

pub use member::{Field, FieldError};

use super::answer::{Reading, Status};
use super::number;
use super::retraction::text_taken_back;
use member::{Form, Held, Value, Wanted};
use memchr::{memchr, memrchr};
use std::borrow::Cow;
use std::ops::Range;

/// How the object that holds the field was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parse {
    /// It is JSON.
    Strict,
    /// It is not, but leaves no doubt.
    Repaired,
    /// It has no end.
    Truncated,
    /// It gives the field several values.
    Conflict,
    /// No object gives the field a value.
    Failed,
}

impl Parse {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 5] = ["strict", "repaired", "truncated", "conflict", "failed"];

    /// Name of the status.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Repaired => "repaired",
            Self::Truncated => "truncated",
            Self::Conflict => "conflict",
            Self::Failed => "failed",
        }
    }
}

impl From<Parse> for &'static str {
    fn from(parse: Parse) -> Self {
        parse.as_str()
    }
}

/// What was made of one object.
#[derive(Clone, Debug)]
struct Object {
    value: Option<Value>,
    conflict: bool,
    /// Where it ends, or where it was given up.
    end: usize,
    complete: bool,
    /// The first thing that was wrong with it.
    repair: Option<&'static str>,
    /// Where to look on when it has swallowed the rest of the text.
    resume: Option<usize>,
}

impl Object {
    fn new(held: Held, end: usize, complete: bool, repair: Option<&'static str>) -> Self {
        let (value, conflict) = held.end();
        Self { value, conflict, end, complete, repair, resume: None }
    }
}

/// The value of a field, or why there is none.
struct Found {
    value: Option<Value>,
    parse: Parse,
    rule: &'static str,
    /// Its object is JSON.
    valid: bool,
    /// Where its object ends.
    end: usize,
}

/// How often a string without an end may have swallowed other objects.
const RESUMED: usize = 8;

/// Looks for the field in the objects of a reply: the last complete one that has it counts, or
/// else the last one that is cut.
fn find(reply: &str, field: &Field) -> Found {
    let mut complete: Option<Object> = None;
    let mut cut: Option<Object> = None;
    let mut seen = false;
    let mut resumed = 0;
    let mut at = 0;
    let mut keep = |object: Object| {
        seen = true;
        let slot = if object.complete { &mut complete } else { &mut cut };
        if object.value.is_some() {
            *slot = Some(object);
        }
    };
    if let Some(start) = repair::braceless(reply) {
        let mut object = repaired(reply, start, field);
        // A label before an object, `"answer": {"answer": 46}`, is no key of a dropped brace.
        let labels = |value: &Value| reply.as_bytes().get(value.span.start) == Some(&b'{');
        if !object.value.as_ref().is_some_and(labels) {
            object.repair = Some("missing_brace");
            at = object.end;
            object.complete |=
                object.end >= reply.len() && object.value.as_ref().is_some_and(|value| value.whole);
            keep(object);
        }
    }
    while let Some(brace) = reply.as_bytes().get(at..).and_then(|rest| memchr(b'{', rest)) {
        let brace = at + brace;
        let object = match strictly(reply, brace, field) {
            Some(object) => object,
            None if repair::opens(reply, brace) => repaired(reply, brace + 1, field),
            None => {
                at = brace + 1;
                continue;
            }
        };
        at = object.end;
        if let Some(resume) = object.resume.filter(|_| resumed < RESUMED) {
            resumed += 1;
            at = resume;
        }
        keep(object);
    }
    let none = |parse, rule| Found { value: None, parse, rule, valid: false, end: reply.len() };
    let failed = |rule| none(Parse::Failed, rule);
    let Some(object) = complete.or(cut) else {
        return failed(if seen { NO_FIELD } else { NO_OBJECT });
    };
    let Some(value) = object.value.filter(|value| value.whole) else {
        return failed(CUT);
    };
    let (parse, rule) = match (object.conflict, object.complete, object.repair) {
        (true, ..) => (Parse::Conflict, "duplicate_key"),
        (false, false, _) => (Parse::Truncated, "unclosed"),
        (false, true, Some(repair)) => (Parse::Repaired, repair),
        (false, true, None) => (Parse::Strict, FIELD),
    };
    let found =
        Found { value: Some(value), parse, rule, valid: object.repair.is_none(), end: object.end };
    if found.retracted(reply) { none(Parse::Conflict, RETRACTED) } else { found }
}

impl Found {
    /// Whether the line behind the object takes its value back: "Wait, that is wrong."
    fn retracted(&self, reply: &str) -> bool {
        let after = reply.get(self.end..).unwrap_or_default();
        self.value.as_ref().is_some_and(|value| text_taken_back(&value.text(reply), after))
    }
}

/// Keys in their own case count before keys in any.
fn strictly(reply: &str, brace: usize, field: &Field) -> Option<Object> {
    let object = strict::object(reply, brace, Wanted::new(field, false), false)?;
    if object.value.is_some() {
        return Some(object);
    }
    strict::object(reply, brace, Wanted::new(field, true), false)
}

fn repaired(reply: &str, start: usize, field: &Field) -> Object {
    let mut object = repair::object(reply, start, Wanted::new(field, false));
    if object.value.is_none() {
        object = repair::object(reply, start, Wanted::new(field, true));
    }
    // What is wrong inside a nested value is skipped over.
    object.repair.get_or_insert("nested");
    object
}

/// Whose rules decide what a reply states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// What a careful reader would read.
    Strict,
    /// The reclaim evaluation's: from the first brace to the last, JSON or nothing.
    ReclaimEval,
}

impl Dialect {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 2] = ["strict", "reclaim-eval"];

    /// The dialect of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "strict" => Self::Strict,
            "reclaim-eval" => Self::ReclaimEval,
            _ => return None,
        })
    }

    /// What objects hold that are escaped as a whole, where a reply was not found to hold JSON.
    fn unescaped<T>(
        self,
        reply: &str,
        status: Parse,
        read: impl Fn(&str) -> Reading<T, Parse>,
    ) -> Option<Reading<T, Parse>> {
        let strict = self == Self::ReclaimEval || status == Parse::Strict;
        if strict { None } else { escaped::object(reply, read) }
    }

    fn find(self, reply: &str, field: &Field) -> Found {
        match self {
            Self::Strict => find(reply, field),
            Self::ReclaimEval => harness(reply, field),
        }
    }
}

/// What the harness finds: its parser knows no case, no second object and no prose with braces,
/// but Python's names of numbers.
fn harness(reply: &str, field: &Field) -> Found {
    let failed =
        |rule| Found { value: None, parse: Parse::Failed, rule, valid: true, end: reply.len() };
    let bytes = reply.as_bytes();
    let (Some(first), Some(last)) = (memchr(b'{', bytes), memrchr(b'}', bytes)) else {
        return failed(NO_OBJECT);
    };
    let object = strict::object(reply, first, Wanted::new(field, false), true);
    match object.filter(|object| object.end == last + 1) {
        None => failed(NO_OBJECT),
        Some(object) if object.value.is_none() => failed(NO_FIELD),
        Some(object) => {
            let end = object.end;
            Found { value: object.value, parse: Parse::Strict, rule: FIELD, valid: true, end }
        }
    }
}

/// The number that the field holds.
#[must_use]
pub fn answer_number(reply: &str, field: &Field, dialect: Dialect) -> Reading<f64, Parse> {
    let read = |text: &str| number_in(text, field, dialect);
    let reading = read(reply);
    dialect.unescaped(reply, reading.status, read).unwrap_or(reading)
}

fn number_in(reply: &str, field: &Field, dialect: Dialect) -> Reading<f64, Parse> {
    let found = dialect.find(reply, field);
    let Some(value) = found.value else {
        return Reading { value: None, span: None, rule: found.rule, status: found.parse };
    };
    let read = |read: Result<(f64, Range<usize>), &'static str>| match read {
        Ok((number, span)) => {
            Reading { value: Some(number), span: Some(span), rule: found.rule, status: found.parse }
        }
        Err(rule) => {
            Reading { value: None, span: Some(value.span.clone()), rule, status: found.parse }
        }
    };
    let written = reply.get(value.span.clone()).unwrap_or_default();
    if value.form == Form::Nested {
        return read(Err(UNPARSED));
    }
    if value.form == Form::Bare {
        if strict::scalar(written.as_bytes(), 0, false) == Some(written.len())
            && let Ok(number) = written.parse::<f64>()
        {
            let span = value.span.clone();
            return read(if number.is_finite() { Ok((number, span)) } else { Err(UNPARSED) });
        }
        if boolean(written).is_some() {
            return read(Err(UNPARSED));
        }
    }
    let text = value.text(reply);
    if is_sentinel(&text) {
        return read(Err(ABSTAINED));
    }
    let trimmed = text.trim_start();
    let (number, inner) = match dialect {
        Dialect::Strict => {
            let reading = number::stated(trimmed);
            match (reading.value, reading.span) {
                (Some(number), Some(span)) => (number, span),
                // LaTeX whose backslash was not escaped: JSON reads \boxed and \frac as controls.
                _ if text.contains(['\u{8}', '\u{c}']) => match number::stated(written).value {
                    Some(number) => return read(Ok((number, value.span.clone()))),
                    None => return read(Err(reading.status.as_str())),
                },
                _ => return read(Err(reading.status.as_str())),
            }
        }
        Dialect::ReclaimEval => match number::harness_stated(trimmed) {
            Some(found) => found,
            None => return read(Err(UNPARSED)),
        },
    };
    let span = match &text {
        Cow::Borrowed(_) => {
            let start = value.span.end - trimmed.len();
            start + inner.start..start + inner.end
        }
        // Escapes have moved what stands behind them.
        Cow::Owned(_) => value.span.clone(),
    };
    read(Ok((number, span)))
}

/// The text of the field where it holds no object or array.
pub(super) fn scalar_text<'a>(reply: &'a str, field: &Field) -> Reading<Cow<'a, str>, Parse> {
    let reading = scalar_in(reply, field);
    let read = |text: &str| scalar_in(text, field).owned();
    Dialect::Strict.unescaped(reply, reading.status, read).unwrap_or(reading)
}

fn scalar_in<'a>(reply: &'a str, field: &Field) -> Reading<Cow<'a, str>, Parse> {
    let found = find(reply, field);
    let reading = |value, rule, span| Reading { value, span, rule, status: found.parse };
    match found.value {
        None => reading(None, found.rule, None),
        Some(value) if value.form == Form::Nested => reading(None, UNPARSED, Some(value.span)),
        Some(value) => reading(Some(value.text(reply)), found.rule, Some(value.span)),
    }
}

/// The text that the field holds: a nested value as JSON, a scalar as it is written.
#[must_use]
pub fn answer_text<'a>(
    reply: &'a str,
    field: &Field,
    dialect: Dialect,
) -> Reading<Cow<'a, str>, Parse> {
    let reading = text_in(reply, field, dialect);
    let read = |text: &str| text_in(text, field, dialect).owned();
    dialect.unescaped(reply, reading.status, read).unwrap_or(reading)
}

fn text_in<'a>(reply: &'a str, field: &Field, dialect: Dialect) -> Reading<Cow<'a, str>, Parse> {
    let found = dialect.find(reply, field);
    let Some(value) = found.value else {
        return Reading { value: None, span: None, rule: found.rule, status: found.parse };
    };
    let text = match value.form {
        Form::Nested if !found.valid => Some(Cow::Owned(render::json(value.text(reply).as_ref()))),
        Form::Nested => Some(value.text(reply)),
        Form::Quoted => Some(value.text(reply)).filter(|text| !is_sentinel(text)),
        Form::Bare => {
            let text = value.text(reply);
            match boolean(&text) {
                Some(true) => Some("true".into()),
                Some(false) => Some("false".into()),
                None => Some(text).filter(|text| !is_sentinel(text)),
            }
        }
    };
    let rule = if text.is_some() { found.rule } else { ABSTAINED };
    Reading { value: text, span: Some(value.span), rule, status: found.parse }
}

impl Reading<Cow<'_, str>, Parse> {
    fn owned(self) -> Reading<Cow<'static, str>, Parse> {
        let Self { value, span, rule, status } = self;
        Reading { value: value.map(|text| Cow::Owned(text.into_owned())), span, rule, status }
    }
}

/// Nothing in the reply is an object.
pub(super) const NO_OBJECT: &str = "no_object";
/// No object of the reply has the field.
pub(super) const NO_FIELD: &str = "no_field";
/// The object is JSON, and has the field.
const FIELD: &str = "field";
/// What stands behind the object takes its value back.
const RETRACTED: &str = "retracted";
/// The reply ends in the value.
const CUT: &str = "cut";
const ABSTAINED: &str = Status::Abstained.as_str();
const UNPARSED: &str = Status::Unparsed.as_str();

/// A truth value as JSON or Python write it.
fn boolean(word: &str) -> Option<bool> {
    match word {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// Whether a text only says that there is no answer, with or without saying why behind a comma,
/// a colon, a bracket or a full stop.
pub(super) fn is_sentinel(text: &str) -> bool {
    let text = text.trim();
    if matches!(text, "" | "-" | "--" | "–" | "—" | "?" | "??" | "???" | "..." | "…") {
        return true;
    }
    if let Some(inner) = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')) {
        return !inner.contains(['<', '>']);
    }
    let stop = |c: char| matches!(c, ',' | ':' | ';' | '(' | '—' | '\n' | '.' | '!');
    let head = text.split(stop).next().unwrap_or_default();
    let bare = head.trim_matches(|c: char| !c.is_alphanumeric());
    let mut folded = [0; 24];
    let Some(slot) = folded.get_mut(..bare.len()) else {
        return false;
    };
    slot.copy_from_slice(bare.as_bytes());
    slot.make_ascii_lowercase();
    matches!(
        &*slot,
        b"insufficient"
            | b"insufficient information"
            | b"insufficient evidence"
            | b"insufficient data"
            | b"insufficient context"
            | b"not enough information"
            | b"unknown"
            | b"undetermined"
            | b"unable"
            | b"unable to determine"
            | b"cannot determine"
            | b"cannot be determined"
            | b"none"
            | b"null"
            | b"nil"
            | b"nan"
            | b"infinity"
            | b"undefined"
            | b"n/a"
            | b"na"
            | b"not available"
            | b"not applicable"
            | b"no answer"
            | b"abstain"
            | b"tbd"
    ) || text.eq_ignore_ascii_case("n.a.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn field(path: &str) -> Field {
        Field::new(path.split('.')).expect("a valid path")
    }

    fn number(reply: &str) -> (Option<f64>, &'static str, &'static str) {
        let reading = answer_number(reply, &field("answer"), Dialect::Strict);
        (reading.value, reading.status.as_str(), reading.rule)
    }

    fn text(reply: &str) -> (Option<String>, &'static str) {
        let reading = answer_text(reply, &field("answer"), Dialect::Strict);
        (reading.value.map(Cow::into_owned), reading.status.as_str())
    }

    #[test]
    fn json_is_read_wherever_it_stands() {
        for reply in [
            r#"{"answer": 46}"#,
            r#"{ "reasoning" : "a \"b\" \\", "list": [1, {"answer": 3}, []], "answer" : 46 }"#,
            "Sure:\n```json\n{\"answer\": 46}\n```\nDone.",
            r#"{"answer": 55} no, {"answer": 46} with {"temperature": 1}"#,
            r#"{{"answer": 46}}"#,
            r#"[{"answer": 55}, {"answer": 46}]"#,
            r#"Use {x} and \frac{1}{2}: {"answer": 46}"#,
            r#"{ if x > 0 {"answer": 46}"#,
            "{note: see below\n\n{\"answer\": 46}",
            r#"{"Answer": 55, "answer": 46}"#,
            r#"{"ANSWER": 46}"#,
            r#"{"an\u0073wer": 46.0}"#,
            r#"{"answer": "46 pens"}"#,
            r#"{"answer": "The total is $46."}"#,
            r#"{"answer": "\boxed{46}"}"#,
            r#"{"answer": 46, "answer": "46"}"#,
            r#"{"zero": 0, "half": -0.5e-3, "large": 1E+9, "answer": 46}"#,
            r#"{"answer": 5, "meta": {"b": 1} then {"answer": 46}"#,
            "{\"answer\": 5, \"note\": \"cut\n```\nAgain:\n{\"answer\": 46, \"x\": \"y\"}",
            "{\"answer\": 5, \"meta\": {\"b\": 1\n\nAgain:\n{\"answer\": 46}",
        ] {
            assert_eq!(number(reply), (Some(46.0), "strict", "field"), "{reply}");
        }
    }

    #[test]
    fn damage_is_repaired_and_named() {
        for (reply, rule) in [
            (r#"{"answer": 46,}"#, "trailing_comma"),
            (r#"{"answer": 46,, "b": 1}"#, "extra_comma"),
            ("{\"answer\": 46\n \"b\": 1}", "missing_comma"),
            (r#"{"answer": 46 "b": 1}"#, "missing_comma"),
            (r#"{"reasoning": "x" "answer": 46}"#, "missing_comma"),
            (r"{'why': 'it's fine', 'answer': 46}", "quotes"),
            ("{“answer”: “46”}", "quotes"),
            ("{\u{a0}\"answer\"\u{200b}: 46}", "nested"),
            (r"{answer: 46}", "bare_key"),
            (r#"{"answer" => 46}"#, "colon"),
            ("{\"answer\"：46，\"b\"：2}", "colon"),
            ("{\"answer\": 46 // dollars\n}", "comment"),
            ("{/* a */ \"answer\": 46 # b\n}", "comment"),
            (r#"{"ok": True, "answer": 46}"#, "literal"),
            (r#"{"answer": $46}"#, "bare_value"),
            ("{\"why\": \"one\ntwo\", \"answer\": 46}", "raw_newline"),
            ("{\"why\": \"one\ttwo\", \"answer\": 46}", "control"),
            (r#"{"why": "the "big" box", "answer": 46}"#, "inner_quote"),
            (r#"{"why": "he said "yes", then left", "answer": 46}"#, "inner_quote"),
            (r#"{"why": "see {"answer": 1} there", "answer": 46}"#, "inner_quote"),
            (r#"{"why": "a\q", "answer": 46}"#, "escape"),
            ("{\"why\": \"one,\n \"answer\": 46}", "missing_quote"),
            (r#"{"answer": 46"}"#, "stray_quote"),
            (r#"{"why": , "answer": 46}"#, "missing_value"),
            (r#"{"answer": 46, "a": {"b": 1} "c": 2}"#, "missing_comma"),
            (r#"{"answer": 46, "a third party"}"#, "dropped_key"),
            (r#"{"answer": 46, ...}"#, "dropped_key"),
            (r#"{"a": [1, 2}, "answer": 46}"#, "nested"),
            (r#"{"a": [1,, 2], "answer": 46}"#, "nested"),
            (r#"{"answer": "46"]}"#, "stray_bracket"),
            (r#""meta": {"answer": 3}, "answer": 46}"#, "missing_brace"),
            (r#""answer": 46"#, "missing_brace"),
        ] {
            assert_eq!(number(reply), (Some(46.0), "repaired", rule), "{reply}");
        }
    }

    #[test]
    fn objects_that_are_escaped_as_a_whole() {
        for (reply, span, rule) in [
            (r#"{\"answer\": 46}"#, "46", "escaped"),
            (r#""{\"why\": \"a \\\"b\\\"\", \"answer\": 46}""#, "46", "escaped"),
            (r#"So: {\n  \"answer\": \"$46\"\n} it is."#, "46", "escaped"),
            (r#"{\\\"answer\\\": 46}"#, "46", "escaped"),
            (r#"{\"answer\": 55} said "no": {\"answer\": 46}"#, "46", "escaped"),
            (r"{\'answer\': 46}", "46", "quotes"),
            (r#"{\"answer\": 46,}"#, "46", "trailing_comma"),
            (r#"G{\"o}del: {\"answer\": 46}"#, "46", "escaped"),
            (
                r#"{\"meta\": {}, \"why\": \"set {x: 1} or {'answer': 3}\", \"answer\": 46}"#,
                "46",
                "escaped",
            ),
            (r#""{\"a\": \"{\\\"answer\\\": 3}\", \"answer\": 46}""#, "46", "escaped"),
            (r#"{\n\"answer\" : 46\n}"#, "46", "escaped"),
        ] {
            assert_eq!(number(reply), (Some(46.0), "repaired", rule), "{reply}");
            let reading = answer_number(reply, &field("answer"), Dialect::Strict);
            assert_eq!(reading.span.and_then(|span| reply.get(span)), Some(span), "{reply}");
        }
        assert_eq!(text(r#"{\"answer\": \"a\\nb\"}"#).0.as_deref(), Some("a\nb"));
        assert_eq!(number(r#"{\"answer\": 46"#), (Some(46.0), "truncated", "unclosed"));
        for (reply, rule) in [
            (r#"{\"answer\": \"46"#, "cut"),
            (r#"{\"answer\": null}"#, "abstained"),
            (r#"{\"b\": 46}"#, "no_object"),
            (r#"{\"b\": {}}"#, "no_field"),
            (r#"{\"b}\": 1, \"answer\": 46}"#, "no_object"),
            (r#"{\"b\" 1, \"answer\": 46}"#, "no_object"),
            (r#"{\"b": 1, \"answer\": 46}"#, "no_object"),
            (r#"G{\"o}del"#, "no_object"),
            (r#"{"a": "{\"answer\": 3}"}"#, "no_field"),
            (r#"{\\\\\\\\\\\\\\\\\"answer\": 46}"#, "no_object"),
        ] {
            assert_eq!((number(reply).0, number(reply).2), (None, rule), "{reply}");
        }
        let given = r#"Given {\"answer\": 55}: {"answer": "a \"b\" c"}"#;
        assert_eq!(text(given), (Some("a \"b\" c".into()), "strict"));
        let harness = answer_number(r#"{\"answer\": 46}"#, &field("answer"), Dialect::ReclaimEval);
        assert_eq!(harness.value, None);
    }

    #[test]
    fn numbers_without_quotes_are_whole() {
        assert_eq!(number(r#"{"answer": 1,234, "b": 2}"#).0, Some(1234.0));
        assert_eq!(number(r#"{"answer": 1,5}"#).0, None);
        assert_eq!(number(r#"{"answer": 46,5: 3}"#).0, Some(46.0));
        assert_eq!(number(r#"{"answer": 3/8}"#).0, Some(0.375));
        assert_eq!(number(r#"{"answer": 28 + 18 = 46}"#).0, Some(46.0));
    }

    #[test]
    fn later_values_win_and_are_reported() {
        assert_eq!(
            number(r#"{"answer": 55, "answer": 46}"#),
            (Some(46.0), "conflict", "duplicate_key")
        );
        assert_eq!(number(r#"{"Answer": 55, "ANSWER": 46}"#).1, "conflict");
        assert_eq!(number(r#"{'answer': 55, "answer": 46"#).1, "conflict");
        let nested = r#"{"a": {"b": 1}, "a": {"b": 2}, "a.b": 3, "b": 4}"#;
        let twice = answer_number(nested, &field("a.b"), Dialect::Strict);
        assert_eq!((twice.value, twice.status), (Some(2.0), Parse::Conflict));
        let emptied = r#"{"a": {"b": 1}, "a": {"c": 2}}"#;
        assert_eq!(answer_number(emptied, &field("a.b"), Dialect::Strict).value, None);
        let damaged = r"{a: {b: 1, c: {b: 9}}, b: 3, a: {c: {b: 4}, b: 2,},}";
        assert_eq!(answer_number(damaged, &field("a.b"), Dialect::Strict).value, Some(2.0));
    }

    #[test]
    fn cut_objects_give_what_they_hold_whole() {
        for reply in [
            r#"{"why": "7*4=28", "answer": 46"#,
            r#"{"answer": 46, "why": "because"#,
            r#"{"answer": 46, "list": [1, {"answer": 3}"#,
            "```json\n{\"answer\": 46\n```\nThe answer: 55",
        ] {
            assert_eq!(number(reply), (Some(46.0), "truncated", "unclosed"), "{reply}");
        }
        for reply in
            [r#"{"answer": "46"#, r#"{"answer": 4."#, r#"{"answer": tru"#, r#"{"answer": [4"#]
        {
            assert_eq!(number(reply), (None, "failed", "cut"), "{reply}");
        }
        let swallowed = "{\"answer\": 5, \"why\": \"cut\nAgain: {answer: 46}";
        assert_eq!(number(swallowed), (Some(46.0), "repaired", "bare_key"));
        assert_eq!(number(r#"{"answer": 55} or {"answer": 46"#), (Some(55.0), "strict", "field"));
    }

    #[test]
    fn what_is_no_answer_is_none() {
        for (reply, rule) in [
            (r#"{"answer": null}"#, "abstained"),
            (r#"{"answer": ""}"#, "abstained"),
            (r#"{"answer": "N/A"}"#, "abstained"),
            (r#"{"answer": "INSUFFICIENT, earlier 55"}"#, "abstained"),
            (r#"{"answer": "unable to say ($55)"}"#, "abstained"),
            (r#"{"answer": "<number>"}"#, "abstained"),
            (r#"{"answer": true}"#, "unparsed"),
            (r#"{"answer": 1e999}"#, "unparsed"),
            (r#"{"answer": [46]}"#, "unparsed"),
            (r#"{"answer": "46 or 55"}"#, "ambiguous"),
        ] {
            assert_eq!(number(reply), (None, "strict", rule), "{reply}");
        }
        for literal in ["NaN", "-Infinity", "None", "undefined"] {
            let reply = format!("{{\"answer\": {literal}}}");
            assert_eq!(number(&reply), (None, "repaired", "abstained"), "{reply}");
        }
        for (reply, rule) in [
            ("no braces", "no_object"),
            (r"\boxed{46} and {x}", "no_object"),
            (r#"{"a": {"answer": 3}}"#, "no_field"),
            (r#"{"a": "{\"answer\": 3}"}"#, "no_field"),
            (r#"{"a": {"answer": 3}, "why": "cut"#, "no_field"),
            (r#"{"score":"#, "no_field"),
            ("", "no_object"),
        ] {
            assert_eq!(number(reply), (None, "failed", rule), "{reply}");
        }
    }

    #[test]
    fn texts_are_decoded_and_nested_values_are_json() {
        for (value, wanted) in [
            (r#""Ana""#, Some("Ana")),
            (r#""a\n\u00e9\ud83d\ude00\ud83d \"b\"""#, Some("a\né😀\u{fffd} \"b\"")),
            (r#""a\q\u12""#, Some(r"a\q\u12")),
            ("1.50", Some("1.50")),
            ("True", Some("true")),
            ("None", None),
            (r#""Unknown""#, None),
            (r#""Unknown Pleasures""#, Some("Unknown Pleasures")),
            (r#"[1, {"b": "c"}]"#, Some(r#"[1, {"b": "c"}]"#)),
            (r#"["a\q"]"#, Some(r#"["a\\q"]"#)),
            (
                "['a', {b: True, c: None,}, NaN, 'it's', 7]",
                Some(r#"["a",{"b":true,"c":null},null,"it's",7]"#),
            ),
            ("{'a': , 'b': {}, c}", Some(r#"{"a":null,"b":{}}"#)),
        ] {
            let reply = format!("{{\"answer\": {value}}}");
            assert_eq!(text(&reply).0.as_deref(), wanted, "{reply}");
        }
    }

    #[test]
    fn the_harness_knows_only_json() {
        let read = |reply| answer_number(reply, &field("answer"), Dialect::ReclaimEval).value;
        assert_eq!(read(r#"So {"answer": 46} it is"#), Some(46.0));
        assert_eq!(read(r#"{"answer": "about $1,046 or 7"}"#), Some(1046.0));
        assert_eq!(read(r#"{"answer": 46, "x": NaN}"#), Some(46.0));
        for reply in [
            r#"{"answer": 46} and {"answer": 46}"#,
            r#"{"answer": 46,}"#,
            r#"{"Answer": 46}"#,
            r#"{"answer": true}"#,
            r#"{"answer": null}"#,
            r#"{"answer": "INSUFFICIENT (55)"}"#,
            r#"{x} {"answer": 46}"#,
        ] {
            assert_eq!(read(reply), None, "{reply}");
        }
    }

    #[test]
    fn hostile_replies_take_linear_time() {
        const SIZE: usize = 1 << 15;
        let started = Instant::now();
        for part in [
            "{",
            "[",
            "{\"",
            "\"",
            "{\"a\":",
            "{\"a\":[",
            "{a",
            "{a:",
            "{'",
            "{ ",
            "{/*",
            "{//",
            "{#",
            "{\"a\":1,",
            "{\"a\":\"x\n",
            "\"#",
            "{\"a\":\"\"#",
            "\"/*",
            "{\"a\":\"\\",
            "{\"a\" ",
            "1,",
            "{\"a\":1,1",
            "”‘a",
            "{“a”‘a",
            "{\"a\":\"\n\n",
            "{\"a\":\"{\"a\n",
            "{a:{",
            "}",
            "{}",
            "{\"a\":[\"b\"",
            "{\"a\":{b ",
            "```\n{\"a\":\"",
            "\"a\":{",
            "{\"a\":1}",
            "{\"answer\":1,\"answer\":",
            "{\\\"a\\\":",
            "{\\n",
            "\\\\",
        ] {
            for head in ["", "{\\\"a\\\": ", "{\"a\":\"\n", "{\"a\":[", "{a:"] {
                let reply = format!("{head}{}", part.repeat(SIZE / part.len()));
                let _ = answer_text(&reply, &field("answer"), Dialect::Strict);
                let _ = answer_text(&reply, &field("a.a"), Dialect::Strict);
            }
        }
        // Seconds where it is linear; a quadratic one would take hours.
        assert!(started.elapsed().as_secs() < 120);
    }
}
