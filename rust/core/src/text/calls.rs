//! `function_calls`: the calls that a reply makes, with their arguments.
//!
//! | written | read as |
//! | --- | --- |
//! | `[f(city="Paris"), g.h(1, x=None)]` | calls of Python with literals as arguments, in a list, bare, or a call a line |
//! | `{"name": "f", "arguments": {…}}` | calls of JSON, alone, in a list, or a call a line; also `parameters`, `args`, `input`, arguments as JSON text, `{"function": {…}}`, `{"tool_calls": […]}`, and `[{"f": {…}}]` |
//! | `<tool_call>…</tool_call>` | the calls in all such tags, and nothing else |
//! | `Action: f(x=1)`, `Action: f[words]`, `Action: f` and `Action Input: {…}` | without tags, the calls behind all such labels, and nothing else; see [`action`] |
//! | fences | the calls of all blocks that consist of calls |
//! | prose around it | the lines that consist of calls, list marks and backticks aside |
//! | `I call f(x=1).` | no call: it is in a sentence |
//! | `[]` | no calls, explicitly |
//!
//! What comes before `</think>` is not read. [`super::literal`] has the values and their text.
//!
//! One call that cannot be read makes all unreadable, since what is left would be another answer:
//! a list or a line that begins as a call with an argument and does not end as one.

mod action;
mod matching;

pub use matching::{calls_match, possible_calls_match};

use super::answer::{Reading, Status};
use super::fence::{Blocks, list_mark};
use super::literal::{Fault, Notation, Parser, Value, line, place};
use memchr::memmem::Finder;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

static THOUGHT: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("</think>"));
static OPEN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("<tool_call>"));
static CLOSE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("</tool_call>"));

/// A call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Call {
    /// The name of the function, dots included.
    pub name: String,
    /// A JSON object in its one text; positional arguments are named `0`, `1` and so on.
    pub arguments: String,
}

impl Call {
    fn new(name: Cow<'_, str>, arguments: &Value<'_>) -> Self {
        let mut text = String::with_capacity(64);
        arguments.write(&mut text);
        Self { name: name.into_owned(), arguments: text }
    }
}

/// The calls of a reply.
#[must_use]
pub fn function_calls(reply: &str) -> Reading<Vec<Call>> {
    let thoughts = THOUGHT.find_iter(reply.as_bytes());
    let from = thoughts.last().map_or(0, |at| at + THOUGHT.needle().len());
    let text = reply.get(from..).unwrap_or_default();
    let found = tagged(text).or_else(|| action::calls(text)).or_else(|| fenced(text));
    let (rule, found) = found.unwrap_or_else(|| ("calls", lines(text, true)));
    match found {
        Ok(Some((calls, span))) => Reading::read(calls, span.start + from..span.end + from, rule),
        Ok(None) => Reading::none(Status::Unparsed, "no_call"),
        Err(Trouble::Malformed) => Reading::none(Status::Unparsed, "malformed"),
        Err(Trouble::Deep) => Reading::none(Status::Unparsed, "too_deep"),
        Err(Trouble::Cut) => Reading::none(Status::Truncated, "truncated"),
    }
}

/// Why calls cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Trouble {
    Malformed,
    Deep,
    /// The text ends in the middle of a call.
    Cut,
}

/// Calls and where they stand; none where nothing looks like one.
type Found = Result<Option<(Vec<Call>, Range<usize>)>, Trouble>;

/// Adds the calls of a part of a text to those before it.
fn join(found: &mut Option<(Vec<Call>, Range<usize>)>, calls: Vec<Call>, span: Range<usize>) {
    match found {
        Some((known, whole)) => {
            known.extend(calls);
            whole.end = span.end;
        }
        None => *found = Some((calls, span)),
    }
}

/// The calls in tags, if there are tags.
fn tagged(text: &str) -> Option<(&'static str, Found)> {
    let mut at = OPEN.find(text.as_bytes())?;
    let mut found = None;
    loop {
        let start = at + OPEN.needle().len();
        let rest = text.get(start..).unwrap_or_default();
        let close = CLOSE.find(rest.as_bytes());
        let content = rest.get(..close.unwrap_or(rest.len())).unwrap_or_default();
        match lines(content, false) {
            Ok(Some((calls, span))) => {
                join(&mut found, calls, start + span.start..start + span.end);
            }
            Ok(None) => return Some(("tool_call", Err(Trouble::Malformed))),
            Err(Trouble::Cut) if close.is_some() => {
                return Some(("tool_call", Err(Trouble::Malformed)));
            }
            Err(trouble) => return Some(("tool_call", Err(trouble))),
        }
        let next = close.and_then(|close| rest.get(close..));
        match next.and_then(|rest| OPEN.find(rest.as_bytes())) {
            Some(next) => at = start + close.unwrap_or_default() + next,
            None => return Some(("tool_call", Ok(found))),
        }
    }
}

/// The calls in fenced blocks, if there are blocks.
fn fenced(text: &str) -> Option<(&'static str, Found)> {
    let mut found = None;
    let mut any = false;
    for block in Blocks::new(text) {
        any = true;
        match lines(&block.code, false) {
            Ok(Some((calls, _))) => join(&mut found, calls, block.span),
            Ok(None) => {}
            Err(Trouble::Cut) if block.status() == Status::Read => {
                return Some(("fence", Err(Trouble::Malformed)));
            }
            Err(trouble) => return Some(("fence", Err(trouble))),
        }
    }
    any.then_some(("fence", Ok(found)))
}

/// The calls on the lines of a text. Other lines are left out of prose; without prose a text
/// with other lines has no calls.
fn lines(text: &str, prose: bool) -> Found {
    let mut found = None;
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let bare = rest.trim_start();
        at += rest.len() - bare.len();
        if bare.is_empty() {
            break;
        }
        if !prose && bare.starts_with('#') {
            at += line(bare);
            continue;
        }
        let dressed = if prose { undressed(bare) } else { bare };
        let dress = bare.len() - dressed.len();
        let start = at + dress;
        let mut parser = Parser::new(dressed, Notation::Python);
        let trouble = match whole_line(&mut parser) {
            Ok(Some((calls, end))) => {
                join(&mut found, calls, start..start + end);
                at = start + parser.at;
                continue;
            }
            Ok(None) => None,
            Err(trouble) => Some(trouble),
        };
        match trouble {
            // Behind the mark of a list or in backticks it is an example.
            Some(trouble) if dress == 0 => return Err(trouble),
            _ if !prose => return Ok(None),
            _ => at = start + parser.at + line(parser.rest()),
        }
    }
    Ok(found)
}

/// A line without the mark of a list and backticks before it.
fn undressed(text: &str) -> &str {
    let item = list_mark(text).and_then(|mark| text.get(mark..)).map_or(text, str::trim_start);
    item.trim_start_matches('`')
}

/// Whether nothing more than backticks, a separator and a comment is left of a line.
fn ends_line(parser: &mut Parser<'_>) -> bool {
    while matches!(parser.peek(), Some(b' ' | b'\t' | b'`' | b',' | b';')) {
        parser.at += 1;
    }
    if parser.peek() == Some(b'#') {
        parser.at += line(parser.rest());
    }
    matches!(parser.peek(), None | Some(b'\n' | b'\r'))
}

/// The calls that begin here and where they end, if nothing but they is on their last line.
fn whole_line(parser: &mut Parser<'_>) -> Result<Option<(Vec<Call>, usize)>, Trouble> {
    let Some(calls) = statement(parser)? else {
        return Ok(None);
    };
    let end = parser.at;
    if ends_line(parser) {
        return Ok(Some((calls, end)));
    }
    if parser.argued { Err(Trouble::Malformed) } else { Ok(None) }
}

/// The calls that begin here; none where no call begins. The parser moves as far as it read.
fn statement(parser: &mut Parser<'_>) -> Result<Option<Vec<Call>>, Trouble> {
    match parser.peek() {
        Some(b'[') => {
            let mut inside = parser.clone();
            inside.at += 1;
            inside.space();
            match inside.peek() {
                Some(b'{') => json(parser),
                Some(b']') => {
                    parser.at = inside.at + 1;
                    Ok(Some(Vec::new()))
                }
                _ if inside.clone().callee().is_some() => {
                    *parser = inside;
                    list(parser).map(Some).map_err(|fault| trouble(parser, fault))
                }
                _ => Ok(None),
            }
        }
        Some(b'{') => json(parser),
        _ if parser.clone().callee().is_some() => sequence(parser),
        _ => Ok(None),
    }
}

fn trouble(parser: &Parser<'_>, fault: Fault) -> Trouble {
    match fault {
        Fault::Deep => Trouble::Deep,
        Fault::Malformed if parser.rest().trim_ascii().is_empty() => Trouble::Cut,
        Fault::Malformed => Trouble::Malformed,
    }
}

/// Calls of Python up to a closing bracket.
fn list(parser: &mut Parser<'_>) -> Result<Vec<Call>, Fault> {
    let mut calls = Vec::new();
    loop {
        let (name, arguments) = parser.call(1)?;
        calls.push(Call::new(name, &arguments));
        parser.space();
        let comma = parser.take(b',');
        parser.space();
        if parser.take(b']') {
            return Ok(calls);
        }
        if !comma {
            return Err(Fault::Malformed);
        }
    }
}

/// Calls of Python without brackets around them, between commas or semicolons.
fn sequence(parser: &mut Parser<'_>) -> Result<Option<Vec<Call>>, Trouble> {
    let mut calls = Vec::new();
    loop {
        match parser.call(1) {
            Ok((name, arguments)) => calls.push(Call::new(name, &arguments)),
            Err(fault) => {
                let trouble = trouble(parser, fault);
                // Prose has brackets behind words too.
                let prose = !parser.argued && trouble == Trouble::Malformed;
                return if prose { Ok(None) } else { Err(trouble) };
            }
        }
        let mut next = parser.clone();
        while next.take(b' ') {}
        if next.take(b',') || next.take(b';') {
            next.space();
            if next.clone().callee().is_some() {
                *parser = next;
                parser.argued = true;
                continue;
            }
        }
        return Ok(Some(calls));
    }
}

/// Calls of JSON, or of a dictionary of Python.
fn json(parser: &mut Parser<'_>) -> Result<Option<Vec<Call>>, Trouble> {
    let start = parser.at;
    let mut worst = Fault::Malformed;
    for notation in [Notation::Json, Notation::Python] {
        let mut reader = Parser::new(parser.text, notation);
        reader.at = start;
        let value = reader.value(1);
        parser.at = parser.at.max(reader.at);
        match value {
            Ok(value) => {
                parser.argued = true;
                return Ok(of_json(&value));
            }
            Err(Fault::Deep) => worst = Fault::Deep,
            Err(Fault::Malformed) => {}
        }
    }
    let opening = parser.text.get(start..).unwrap_or_default();
    let opening = opening.strip_prefix('[').map_or(opening, str::trim_start);
    let key = opening.strip_prefix('{').unwrap_or_default().trim_start();
    let key = key.strip_prefix(['"', '\'']).unwrap_or_default();
    let names = ["name", "function", "tool_calls", "action"];
    let begins_call = names.iter().any(|name| key.starts_with(name));
    if begins_call { Err(trouble(parser, worst)) } else { Ok(None) }
}

/// The calls that a value describes, if it describes calls.
fn of_json(value: &Value<'_>) -> Option<Vec<Call>> {
    match value {
        Value::List(items) => {
            items.iter().map(|item| described(item).or_else(|| named(item))).collect()
        }
        Value::Map(_) => match member(value, "tool_calls") {
            Some(Value::List(items)) => items.iter().map(described).collect(),
            _ => Some(vec![described(value)?]),
        },
        _ => None,
    }
}

fn member<'v, 'a>(value: &'v Value<'a>, key: &str) -> Option<&'v Value<'a>> {
    let Value::Map(entries) = value else {
        return None;
    };
    entries.iter().find(|entry| entry.0 == key).map(|entry| &entry.1)
}

/// `{"name": …, "arguments": …}`, and the `{"action": …, "action_input": …}` of agents.
fn described(value: &Value<'_>) -> Option<Call> {
    if let (Some(Value::Text(name)), Some(given)) =
        (member(value, "action"), member(value, "action_input"))
    {
        // `Final Answer` is no function.
        let call = || Call::new(name.clone(), &arguments(given).unwrap_or_else(|| only(given)));
        return (!name.contains(char::is_whitespace)).then(call);
    }
    let function = member(value, "function");
    if let Some(Value::Map(_)) = function {
        return function.and_then(described);
    }
    let Some(Value::Text(name)) = member(value, "name").or(function) else {
        return None;
    };
    let keys = ["arguments", "parameters", "args", "input"];
    let given = keys.iter().find_map(|key| member(value, key))?;
    arguments(given).map(|arguments| Call::new(name.clone(), &arguments))
}

/// What is given as the arguments of a call, as a map of them: a list by place, nothing, or a map as
/// the text of JSON.
fn arguments<'a>(given: &'a Value<'_>) -> Option<Value<'a>> {
    match given {
        Value::Map(_) => Some(given.clone()),
        Value::Plain(text) if text == "null" => Some(Value::Map(Vec::new())),
        Value::List(items) => {
            let places = items.iter().enumerate();
            Some(Value::map(places.map(|(at, item)| (place(at), item.clone())).collect()))
        }
        Value::Text(text) => {
            let mut parser = Parser::new(text, Notation::Json);
            let arguments = parser.value(1).ok().filter(|value| matches!(value, Value::Map(_)))?;
            parser.space();
            parser.rest().is_empty().then_some(arguments)
        }
        Value::Plain(_) => None,
    }
}

/// A value as the only argument.
fn only<'a>(value: &Value<'a>) -> Value<'a> {
    Value::map(vec![(place(0), value.clone())])
}

/// `{"f": {…}}`.
fn named(value: &Value<'_>) -> Option<Call> {
    match value {
        Value::Map(entries) => match entries.as_slice() {
            [(name, arguments @ Value::Map(_))] => Some(Call::new(name.clone(), arguments)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// Calls as `name{arguments}`, or the rule that says why there are none.
    fn calls(reply: &str) -> String {
        let reading = function_calls(reply);
        assert!(reading.span.is_none_or(|span| reply.get(span).is_some()), "{reply:?}");
        match reading.value {
            Some(calls) => calls
                .iter()
                .map(|call| format!("{}{}", call.name, call.arguments))
                .collect::<Vec<_>>()
                .join(" "),
            None => reading.rule.to_owned(),
        }
    }

    #[test]
    fn calls_in_their_usual_notations() {
        let weather = r#"get_weather{"city":"Paris","unit":"c"}"#;
        for reply in [
            "[get_weather(city=\"Paris\", unit='c')]",
            "get_weather(unit='c', city='Paris')",
            "  get_weather(\n    city='Paris',  # the capital\n    unit='c',\n)\n",
            "`get_weather(city='Paris', unit='c')`",
            "Here is the call:\n\nget_weather(city='Paris', unit='c')\n\nIt gets the weather.",
            "- get_weather(city='Paris', unit='c')",
            "```python\n# The call\nget_weather(city='Paris', unit='c')\n```",
            "I call get_weather(city).\n```\n[get_weather(city='Paris', unit='c')]\n```\nDone.",
            r#"{"name": "get_weather", "arguments": {"city": "Paris", "unit": "c"}}"#,
            r#"[{"name": "get_weather", "parameters": {"unit": "c", "city": "Paris"}}]"#,
            "{'name': 'get_weather', 'arguments': {'city': 'Paris', 'unit': 'c'}}",
            r#"{"name": "get_weather", "arguments": "{\"city\": \"Paris\", \"unit\": \"c\"}"}"#,
            r#"{"tool_calls": [{"type": "function", "function":
               {"name": "get_weather", "arguments": {"city": "Paris", "unit": "c"}}}]}"#,
            r#"[{"get_weather": {"city": "Paris", "unit": "c"}}]"#,
            "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\",\n\
             \"unit\": \"c\"}}\n</tool_call>",
            "Sure. <tool_call>get_weather(city='Paris', unit='c')</tool_call> Done.",
            "<tool_call>get_weather(city='Paris', unit='c')",
            "<think>\nf(x=1)\n</think>\nget_weather(city='Paris', unit='c');",
        ] {
            assert_eq!(calls(reply), weather, "{reply:?}");
        }
        let two = "f{\"0\":1,\"x\":2} g{}";
        for reply in [
            "[f(1, x=2), g()]",
            "[f(1, x=2), g(),]",
            "f(1, x=2), g()",
            "f(1, x=2); g()",
            "f(1, x=2)\ng()\n",
            "1. f(1, x=2)\n2. g()",
            "```\nf(1, x=2)\n```\nand\n```\ng()\n```",
            "<tool_call>f(1, x=2)</tool_call>\n<tool_call>g()</tool_call>",
            "{\"name\": \"f\", \"args\": {\"0\": 1, \"x\": 2}}\n{\"name\": \"g\", \"input\": {}}",
        ] {
            assert_eq!(calls(reply), two, "{reply:?}");
        }
        assert_eq!(calls("a.b.c(x=d(1))"), "a.b.c{\"x\":{\"arguments\":{\"0\":1},\"name\":\"d\"}}");
        assert_eq!(calls("[]"), "");
        assert_eq!(calls("```json\n[]\n```"), "");
    }

    #[test]
    fn calls_behind_labels() {
        let weather = r#"get_weather{"city":"Paris","unit":"c"}"#;
        for reply in [
            "Thought: I need it.\nAction: get_weather(city='Paris', unit='c')\nObservation: 20",
            "**Action:** `get_weather(city='Paris', unit='c')`",
            "action 1: [get_weather(city='Paris', unit='c')]",
            "Action: {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}",
            "Action: get_weather\nAction Input: {\"city\": \"Paris\", \"unit\": \"c\"}",
            "Action: get_weather\r\nAction Input: {'city': 'Paris', 'unit': 'c'}\r\nObservation:",
            "Action 2: **get_weather**\n\n**Action Input 2:**\n{\"city\": \"Paris\",\n \"unit\": \"c\"}\n",
            "> Action: `get_weather`\n> Action_Input: city='Paris', unit='c'",
            "Action: get_weather\nAction Input:\n```json\n{\"city\": \"Paris\", \"unit\": \"c\"}\n```\n",
            "Action: get_weather\nAction Input: \"{\\\"city\\\": \\\"Paris\\\", \\\"unit\\\": \\\"c\\\"}\"",
            "Action:\n```json\n{\"action\": \"get_weather\", \"action_input\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n```",
            "f(1)\n```\ng()\n```\nAction: get_weather(unit='c', city='Paris')",
        ] {
            assert_eq!(calls(reply), weather, "{reply:?}");
            let reading = function_calls(reply);
            let span = reading.span.and_then(|span| reply.get(span)).unwrap_or_default();
            assert!(span.contains("get_weather") && span.contains("Paris"), "{span:?}");
        }
        for (input, arguments) in [
            ("Paris weather", r#"{"0":"Paris weather"}"#),
            ("\"Paris\"", r#"{"0":"Paris"}"#),
            ("3", r#"{"0":3}"#),
            ("3 days", r#"{"0":"3 days"}"#),
            ("[1, 'a']", r#"{"0":1,"1":"a"}"#),
            ("True", r#"{"0":true}"#),
            ("None", "{}"),
            ("{}", "{}"),
            ("", "{}"),
            ("\nObservation: 3", "{}"),
            ("\n\n**Thought**: so", "{}"),
            ("x=1, y='b'", r#"{"x":1,"y":"b"}"#),
            ("1, 2", r#"{"0":"1, 2"}"#),
            ("a: b", r#"{"0":"a: b"}"#),
        ] {
            let reply = format!("Action: f\nAction Input: {input}");
            assert_eq!(calls(&reply), format!("f{arguments}"), "{reply:?}");
        }
        assert_eq!(
            calls("Action: f(x=1)\nObservation: 2\nAction: g.h\nAction Input: 3\nAction: k(4)"),
            "f{\"x\":1} g.h{\"0\":3} k{\"0\":4}"
        );
        assert_eq!(calls("Action: f\nAction Input:\nAction: g()"), "f{} g{}");
        assert_eq!(calls("{\"action\": \"f\", \"action_input\": \"a b\"}"), "f{\"0\":\"a b\"}");
        for reply in ["Action: Search[Oslo]", "**Action 1:** `Search[ Oslo ]`\nObservation: 3"] {
            assert_eq!(calls(reply), "Search{\"0\":\"Oslo\"}", "{reply:?}");
        }
        assert_eq!(calls("Action: a[b[1], c]\nAction: g(1)"), "a{\"0\":\"b[1], c\"} g{\"0\":1}");
        for (reply, rule) in [
            ("Action: Search[]", "no_call"),
            ("Action: Search[Oslo] and so on", "no_call"),
            ("Action: look it up[Oslo]", "no_call"),
            ("Action: call the customer\nAction Input: 3", "no_call"),
            ("Action: finish\nFinal Answer: 46", "no_call"),
            ("Actions: f(x=1)", "no_call"),
            ("The action: f(x=1)", "no_call"),
            ("{\"action\": \"Final Answer\", \"action_input\": \"46\"}", "no_call"),
            ("Action: f(x=1) and so on", "malformed"),
            ("Action: f\nAction Input: {\"x\": oops}", "malformed"),
            ("Action: f\nAction Input: \"x\" and", "malformed"),
            ("Action: f(x=1)\nAction: f(y=)", "malformed"),
            ("Action: f(x=", "truncated"),
            ("Action: f(x=1)\nAction: g", "truncated"),
            ("Action: f\nAction Input: {\"x\": ", "truncated"),
        ] {
            assert_eq!(calls(reply), rule, "{reply:?}");
        }
        let deep = format!("Action: f\nAction Input: {}", "[".repeat(300));
        assert_eq!(calls(&deep), "too_deep");
    }

    #[test]
    fn values_have_one_text() {
        for (value, text) in [
            ("1", "1"),
            ("1.0", "1"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("- 5", "-5"),
            ("+5", "5"),
            ("1_000", "1000"),
            ("0x1F", "31"),
            ("0b11", "3"),
            ("0o17", "15"),
            ("00", "0"),
            ("1e3", "1000"),
            (".5", "0.5"),
            ("5.", "5"),
            ("1e-7", "1e-7"),
            ("1e300", "1e300"),
            ("1e20", "100000000000000000000"),
            ("1152921504606846976.0", "1152921504606846976"),
            ("10000000000000000000000", "1e22"),
            ("10000000000000000000001", "10000000000000000000001"),
            ("True", "true"),
            ("false", "false"),
            ("None", "null"),
            ("'a'", "\"a\""),
            ("'it\\'s \\x41\\u00e9\\n\\d'", "\"it's Aé\\n\\\\d\""),
            ("r'a\\n'", "\"a\\\\n\""),
            ("'''a\n'b' '''", "\"a\\n'b' \""),
            ("\"\"", "\"\""),
            ("''", "\"\""),
            ("'a' \"b\"\n'c'", "\"abc\""),
            ("'\\ud83d\\ude00'", "\"😀\""),
            ("'\\0\\12'", "\"\\u0000\\n\""),
            ("'日本'", "\"日本\""),
            ("[1, 'a', [2]]", "[1,\"a\",[2]]"),
            ("(1, 2)", "[1,2]"),
            ("(1)", "1"),
            ("(1,)", "[1]"),
            ("()", "[]"),
            ("{'b': 1, 'a': 2, 'b': 3}", "{\"a\":2,\"b\":3}"),
            ("{1: 2, None: 3}", "{\"1\":2,\"null\":3}"),
            ("{3, 1, 1.0}", "[1,3]"),
            ("set()", "[]"),
            ("{}", "{}"),
        ] {
            assert_eq!(calls(&format!("f(x={value})")), format!("f{{\"x\":{text}}}"), "{value:?}");
        }
        for value in [
            "x",
            "1 + 2",
            "007",
            "1__0",
            "1_",
            "0x",
            "1e",
            "1j",
            "b'a'",
            "f'a'",
            "'a",
            "'a\nb'",
            "1e999",
            "[1",
            "{1: 2, 3}",
            "{[1]: 2}",
            "*a",
            "nan",
            "--1",
            "'\\N{DASH}'",
            "'\\ud83d'",
            "",
            "[,]",
            "(,)",
            "1 2",
            "'''a\n'b''''",
        ] {
            assert!(function_calls(&format!("[f(x={value})]")).value.is_none(), "{value:?}");
        }
        for value in
            ["'a'", "True", "01", "1.", ".5", "+1", "[1,]", "{\"a\": 1,}", "\"\\x41\"", "\"\t\""]
        {
            let arguments =
                format!("{{\"x\": {value}}}").replace('\\', "\\\\").replace('"', "\\\"");
            let reply = format!("{{\"name\": \"f\", \"arguments\": \"{arguments}\"}}");
            assert!(function_calls(&reply).value.is_none(), "{value:?}");
        }
    }

    #[test]
    fn what_is_no_call_or_cannot_be_read() {
        for reply in [
            "",
            "I call f(x=1).",
            "It is 46.",
            "f (x=1)",
            "x = f(1)",
            "print(total)",
            "Step(s) to go",
            "{\"answer\": 46}",
            "{\"name\": \"Ana\", \"age\": 3}",
            "[1, 2]",
            "[see](f)",
            "```python\nx = f(1)\nprint(x)\n```",
            "- f(x=1) is what I call",
        ] {
            assert_eq!(calls(reply), "no_call", "{reply:?}");
        }
        for reply in [
            "[f(x=1), g(y=]",
            "[f(x=1), oops]",
            "f(x=1) and g(y=2)",
            "f(x=1)\ng(1, y=)",
            "f(x=1, x=2)",
            "f(x=1, 2)",
            "[f(x=1)] is what I call",
            "<tool_call>hello</tool_call>",
            "<tool_call>{\"name\": \"f\", \"arguments\": {</tool_call>",
            "```\n[f(x=\n```",
            "{\"name\": \"f\", \"arguments\": {\"x\": oops}}",
        ] {
            assert_eq!(calls(reply), "malformed", "{reply:?}");
        }
        for reply in [
            "[f(x=1), g(y=2",
            "f(x=\"Par",
            "{\"name\": \"f\", \"arguments\": {\"x\": 1}",
            "<tool_call>\n{\"name\": \"f\",",
            "```python\nf(x=",
            "[f(x=1),",
        ] {
            assert_eq!(calls(reply), "truncated", "{reply:?}");
        }
        for open in ["[", "(", "{1:", "f("] {
            let deep = |levels| format!("f(x={}1", open.repeat(levels));
            assert_eq!(calls(&deep(1_000_000)), "too_deep", "{open:?}");
            assert_eq!(calls(&deep(200)), "truncated", "{open:?}");
        }
        let deep = format!("f(x={}{})", "[".repeat(250), "]".repeat(250));
        assert_eq!(calls(&deep).len(), 507);
    }

    #[test]
    fn calls_match_in_any_order() {
        let calls = |reply| function_calls(reply).value.expect("calls");
        let one = "[f(x=1, y=[2, 3]), g(), g()]";
        assert!(calls_match(calls(one), calls("[g(), f(y=(2.0, 3), x=1.0), g()]")));
        assert!(calls_match(calls("[g(), f()]"), calls("[f(), g()]")));
        for other in ["[f(x=1, y=[2, 3]), g()]", "[f(x=1, y=[3, 2]), g(), g()]", "[]"] {
            assert!(!calls_match(calls(one), calls(other)), "{other}");
        }
    }

    #[test]
    fn possible_calls_accept_lists_of_values() {
        let calls = |reply: &str| function_calls(reply).value.expect("calls");
        let possible = r#"[{"f": {"x": [1, 2], "unit": ["c", ""], "at": [{"a": [1], "b": ["", 2]}]}},
                           {"g": {"list": [[1, 2], [3]]}}]"#;
        for given in [
            "[f(x=1, unit='c', at={'a': 1}), g(list=[1, 2])]",
            "[g(list=[3]), f(x=2.0, at={'a': 1, 'b': 2})]",
        ] {
            assert!(possible_calls_match(&calls(given), &calls(possible)), "{given}");
        }
        for given in [
            "[f(x=3, at={'a': 1}), g(list=[3])]",
            "[f(x=1, unit='k', at={'a': 1}), g(list=[3])]",
            "[f(at={'a': 1}), g(list=[3])]",
            "[f(x=1, at={'a': 1}, y=2), g(list=[3])]",
            "[f(x=1, at={'a': 1, 'c': 2}), g(list=[3])]",
            "[f(x=1, at={'b': 2}), g(list=[3])]",
            "[f(x=1, at={'a': 1}), g(list=[2, 1])]",
            "[f(x=1, at={'a': 1}), g(list=3)]",
            "[f(x=1, at={'a': 1})]",
            "[f(x=1, at={'a': 1}), g(list=[3]), g(list=[3])]",
            "[f(x=1, at={'a': 1}), h(list=[3])]",
        ] {
            assert!(!possible_calls_match(&calls(given), &calls(possible)), "{given}");
        }
        // Each possible call is used once, whichever order finds that out.
        let possible = r#"[{"f": {"x": [1, 2]}}, {"f": {"x": [1, 3]}}, {"f": {"x": [1]}}]"#;
        for given in
            ["[f(x=1), f(x=2), f(x=3)]", "[f(x=3), f(x=1), f(x=2)]", "[f(x=1), f(x=1), f(x=2)]"]
        {
            assert!(possible_calls_match(&calls(given), &calls(possible)), "{given}");
        }
        for given in ["[f(x=2), f(x=2), f(x=1)]", "[f(x=2), f(x=3), f(x=2)]"] {
            assert!(!possible_calls_match(&calls(given), &calls(possible)), "{given}");
        }
        // What is no list is the only value; `""` is also a value.
        assert!(possible_calls_match(&calls("f(x=1, y='')"), &calls("f(x=1, y=[''])")));
        assert!(possible_calls_match(&calls("[]"), &calls("[]")));
    }

    #[test]
    fn hostile_replies_take_linear_time() {
        let start = Instant::now();
        for piece in [
            "[\n",
            "{\n",
            "{\"a\":\n",
            "[f(",
            "f(",
            "f(1,\n",
            "f(a,\n",
            "f(x=[\n",
            "a(),\n",
            "f('",
            "f('''\n",
            "\"",
            "'a' ",
            "- f(1\n",
            "- [f(1,\n",
            "- f('''\n",
            "`f(\n",
            "[{\n",
            "[{\"name\": 1,\n",
            "- {\"a\": [\n",
            "- a(),\n",
            "1_",
            "{'a': 1, ",
            "<tool_call>",
            "<tool_call>f()</tool_call>",
            "#",
            "[\n\n",
            "a.",
            "\\",
            "```\nf(1)\n```\n",
            "Action:\n",
            "Action: f\n",
            "Action: f(\n",
            "Action: f\nAction Input: [\n",
            "Action: f\nAction Input: 1\n",
            "Action Input:\n",
        ] {
            for head in ["", "Action: f\nAction Input: ", "f(x=[", "- f(x='", "- [f(), "] {
                let _ = function_calls(&format!("{head}{}!", piece.repeat(5_000)));
            }
        }
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}
