//! `sql_block`: the SQL that a reply ends on.
//!
//! 1. The last fenced block that is labelled `sql` or with a dialect's name.
//! 2. Without one, the last block without a label that begins as SQL does.
//! 3. Without one, the last statement outside of fences: at the beginning of a line or behind a
//!    label and its colon, up to its semicolon, a blank line, a fence or the end.
//!
//! English begins with some of the same words. So what has no label must go on as SQL does:
//! `SELECT` has its `FROM`, or a star, a number, a quote or a call behind it, `WITH` its `AS (`,
//! `UPDATE` its `SET`, `DELETE` its `FROM`. Outside of fences a capitalised `Select` needs more
//! than a `from`, since sentences begin so.
//!
//! The value has no white space at its ends and no semicolon behind it; inside it is as written.
//! Blocks that hold nothing else count for nothing.

use super::answer::{Reading, Status};
use super::fence::{Block, Blocks, Languages};
use memchr::{memchr, memchr2_iter};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

static SQL: LazyLock<Languages> = LazyLock::new(|| Languages::new(&["sql".to_owned()]));

/// How far a statement is read to see that it is one.
const LOOK: usize = 512;
/// Longest label before a statement.
const LABEL: usize = 80;
/// Letters of the shortest and the longest verb.
const SHORTEST: usize = 4;
const LONGEST: usize = 7;
/// Words that begin a statement.
const VERBS: [&str; 10] =
    ["select", "with", "insert", "update", "delete", "create", "alter", "drop", "merge", "replace"];

/// The SQL of a reply.
#[must_use]
pub fn sql_block(reply: &str) -> Reading<Cow<'_, str>> {
    let mut labelled = None;
    let mut bare = None;
    let mut any = false;
    for block in Blocks::new(reply) {
        any = true;
        if SQL.accept(block.info) {
            labelled = Some(block).filter(|block| !normal(&block.code).is_empty()).or(labelled);
        } else if block.info.is_empty() && begins_as_sql(&block.code) {
            bare = Some(block);
        }
    }
    match (labelled, bare) {
        (Some(block), _) => of_block(block, "sql_fence"),
        (None, Some(block)) => of_block(block, "fence"),
        (None, None) => {
            match if any { outside(reply) } else { last_statement(reply, 0..reply.len()) } {
                Some((text, span)) => Reading::read(Cow::Borrowed(text), span, "statement"),
                None => Reading::none(Status::Unparsed, "no_sql"),
            }
        }
    }
}

fn of_block<'a>(block: Block<'a>, rule: &'static str) -> Reading<Cow<'a, str>> {
    let status = block.status();
    let (value, span) = match block.code {
        Cow::Borrowed(code) => {
            let value = normal(code);
            let start = block.span.start + code.len() - code.trim_start().len();
            (Cow::Borrowed(value), start..start + value.len())
        }
        Cow::Owned(code) => (Cow::Owned(normal(&code).to_owned()), block.span),
    };
    Reading { value: Some(value), span: Some(span), rule, status }
}

fn normal(code: &str) -> &str {
    code.trim_start().trim_end_matches(|c: char| c == ';' || c.is_whitespace())
}

/// Whether a block begins as SQL does, comments and brackets aside.
fn begins_as_sql(code: &str) -> bool {
    let mut rest = code;
    loop {
        rest = rest.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
        let behind = if rest.starts_with("--") {
            rest.split_once('\n')
        } else if rest.starts_with("/*") {
            rest.split_once("*/")
        } else {
            return is_statement(rest, true);
        };
        match behind {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
}

/// The last statement outside of fences.
fn outside(reply: &str) -> Option<(&str, Range<usize>)> {
    let mut last = None;
    let mut from = 0;
    for block in Blocks::new(reply) {
        last = last_statement(reply, from..block.span.start).or(last);
        from = block.span.end;
    }
    last_statement(reply, from..reply.len()).or(last)
}

/// The last statement in a part of a reply that has no fences.
fn last_statement(reply: &str, part: Range<usize>) -> Option<(&str, Range<usize>)> {
    let text = reply.get(part.clone())?;
    let mut last = None;
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let (mut start, mut labelled) = (0, false);
        let behind = |sign| {
            if rest.as_bytes().get(sign) == Some(&b'\n') {
                (start, labelled) = (sign + 1, false);
                return Some(start);
            }
            let first = !std::mem::replace(&mut labelled, true);
            (first && sign < start + LABEL).then_some(sign + 1)
        };
        // The beginnings of lines and what is behind their labels.
        let signs = memchr2_iter(b':', b'\n', rest.as_bytes());
        let mut begins = std::iter::once(0).chain(signs.filter_map(behind));
        let Some(from) = begins.find(|&from| is_statement(undressed(rest, from), false)) else {
            break;
        };
        let statement = undressed(rest, from);
        let start = at + rest.len() - statement.len();
        let before = text.get(..start)?.bytes();
        let ticks = before.rev().take_while(|byte| *byte == b'`').count();
        let length = length(statement, ticks);
        let value = normal(statement.get(..length)?);
        let start_in_reply = part.start + start;
        last = Some((value, start_in_reply..start_in_reply + value.len()));
        // Another one may follow on the same line.
        at = start + length + usize::from(text.as_bytes().get(start + length) == Some(&b';'));
    }
    last
}

/// A line from somewhere on, without the marks before its next word.
fn undressed(line: &str, from: usize) -> &str {
    let marks = |byte: &u8| matches!(byte, b' ' | b'\t' | b'>' | b'*' | b'-' | b'_' | b'`' | b'(');
    let marks = line.bytes().skip(from).take_while(marks).count();
    line.get(from + marks..).unwrap_or_default()
}

/// Whether a text begins with two letters of a verb, which few lines do.
fn may_be_verb(text: &[u8]) -> bool {
    text.first_chunk().is_some_and(|start: &[u8; 2]| {
        matches!(
            &start.map(|byte| byte | 0x20),
            b"se" | b"wi" | b"in" | b"up" | b"de" | b"cr" | b"al" | b"dr" | b"me" | b"re"
        )
    })
}

/// Whether a text begins with a statement.
fn is_statement(text: &str, sentence_case: bool) -> bool {
    const OBJECTS: [&str; 7] =
        ["table", "view", "index", "database", "schema", "function", "trigger"];
    const KINDS: [&str; 5] = ["or", "temp", "temporary", "unique", "materialized"];
    if !may_be_verb(text.as_bytes()) {
        return false;
    }
    let is = |word: &str, names: &[&str]| names.iter().any(|n| n.eq_ignore_ascii_case(word));
    let letters = text.bytes().take(LONGEST + 1).take_while(u8::is_ascii_alphabetic).count();
    let (verb, rest) = text.split_at_checked(letters).unwrap_or_default();
    if !(SHORTEST..=LONGEST).contains(&letters) || rest.starts_with(is_word) || !is(verb, &VERBS) {
        return false;
    }
    let plain_case = sentence_case
        || verb.bytes().all(|byte| byte.is_ascii_lowercase())
        || verb.bytes().all(|byte| byte.is_ascii_uppercase());
    let rest = rest.trim_start();
    let (next, behind) = word(rest);
    match verb.to_ascii_lowercase().as_str() {
        "select" => {
            let call = !next.is_empty() && behind.starts_with('(');
            let value = rest.starts_with(['*', '\'', '"', '`', '(', '@']);
            call || value
                || rest.starts_with(|c: char| c.is_ascii_digit())
                || (plain_case && look(rest).any(|(word, _)| is(word, &["from"])))
        }
        _ if !plain_case => false,
        "with" => look(rest).any(|(word, behind)| is(word, &["as"]) && behind.starts_with('(')),
        "update" => look(rest).any(|(word, _)| is(word, &["set"])),
        "insert" | "replace" => is(next, &["into", "or", "ignore", "overwrite"]),
        "merge" => is(next, &["into"]),
        "delete" => is(next, &["from"]),
        "create" => is(next, &OBJECTS) || is(next, &KINDS),
        _ => is(next, &OBJECTS),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The word at the start of a text, and what is behind it.
fn word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or_default()
}

/// The first words of a statement, each with what is behind it.
fn look(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut end = LOOK.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let near = text.get(..end).unwrap_or_default();
    let mut rest = near.get(..length(near, 0)).unwrap_or_default();
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !is_word(c));
        let (found, behind) = word(rest);
        rest = behind;
        (!found.is_empty()).then(|| (found, behind.trim_start()))
    })
}

/// Length of a statement: up to its semicolon, a blank line, a fence, or the backticks that
/// opened it. Quotes and comments hide all of these but a blank line.
fn length(text: &str, ticks: usize) -> usize {
    let bytes = text.as_bytes();
    let mut quote = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        match byte {
            b'\n' => {
                let line = text
                    .get(at + 1..)
                    .unwrap_or_default()
                    .trim_start_matches([' ', '\t', '\r', '>']);
                if line.is_empty()
                    || line.starts_with(['\n'])
                    || line.starts_with("```")
                    || line.starts_with("~~~")
                {
                    return at;
                }
            }
            _ if quote == Some(byte) => quote = None,
            _ if quote.is_some() => {}
            b'`' if ticks > 0 => {
                let run = rest.iter().take_while(|byte| **byte == b'`').count();
                if run == ticks {
                    return at;
                }
                at += run;
                continue;
            }
            b'\'' | b'"' | b'`' => quote = Some(byte),
            b'-' if rest.starts_with(b"--") => {
                at += memchr(b'\n', rest).unwrap_or(rest.len());
                continue;
            }
            b';' => return at,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn sql(reply: &str) -> (Option<String>, &'static str) {
        let reading = sql_block(reply);
        assert!(reading.span.is_none_or(|span| reply.get(span).is_some()), "{reply:?}");
        (reading.value.map(Cow::into_owned), reading.rule)
    }

    #[test]
    fn sql_in_its_usual_places() {
        for (reply, value, rule) in [
            ("```sql\nSELECT 1;\n```", "SELECT 1", "sql_fence"),
            ("```SQL\n  SELECT 1 ; \n```\n```\nSELECT 2\n```", "SELECT 1", "sql_fence"),
            ("```sql\nSELECT 1\n```\n```sql\n;\n```", "SELECT 1", "sql_fence"),
            ("```postgresql\nSELECT a;\nSELECT b;\n```", "SELECT a;\nSELECT b", "sql_fence"),
            (
                "```\nx = 1\n```\n```\n-- all\nselect a from t\n```\n```\ny\n```",
                "-- all\nselect a from t",
                "fence",
            ),
            ("```\n/* a */ (SELECT 1)\n```", "/* a */ (SELECT 1)", "fence"),
            ("```\nSelect a From t\n```", "Select a From t", "fence"),
            (
                "It is:\nSELECT a FROM t WHERE b = ';' -- it's;\nAND c;\nDone; ok.",
                "SELECT a FROM t WHERE b = ';' -- it's;\nAND c",
                "statement",
            ),
            ("SELECT a\nFROM t\n\nThis reads a.", "SELECT a\nFROM t", "statement"),
            ("Query: select a from t", "select a from t", "statement"),
            ("**SQL:** `SELECT a FROM t` reads it.", "SELECT a FROM t", "statement"),
            ("SELECT 1; SELECT 2; and", "SELECT 2", "statement"),
            ("```SELECT a FROM t```", "SELECT a FROM t", "statement"),
            ("> SELECT 1", "SELECT 1", "statement"),
            ("Select * from t", "Select * from t", "statement"),
            ("SELECT COUNT(*) c", "SELECT COUNT(*) c", "statement"),
            (
                "WITH a AS (SELECT 1)\nSELECT * FROM a;",
                "WITH a AS (SELECT 1)\nSELECT * FROM a",
                "statement",
            ),
            (
                "INSERT INTO t VALUES (1); DELETE FROM t;\nUPDATE t SET a = 1;",
                "UPDATE t SET a = 1",
                "statement",
            ),
            ("SELECT 1;\n```python\nx\n```", "SELECT 1", "statement"),
            ("SELECT a FROM t\n```\nrows\n```", "SELECT a FROM t", "statement"),
            ("CREATE TABLE t (a int)", "CREATE TABLE t (a int)", "statement"),
        ] {
            assert_eq!(sql(reply), (Some(value.into()), rule), "{reply:?}");
        }
        assert_eq!(sql_block("```sql\nSELECT 1").status, Status::Truncated);
    }

    #[test]
    fn english_is_no_sql() {
        for reply in [
            "",
            "Select the rows from the table.",
            "With this (as (said) before), update the table.",
            "Update the settings, then set it.",
            "Create a table. Drop it. Delete it from the list.",
            "with all of that",
            "SELECTED a FROM t",
            "```python\nSELECT = 1\n```",
            "```sql\n```",
            "```\nhello\n```",
            "I would select from t",
        ] {
            assert_eq!(sql(reply), (None, "no_sql"), "{reply:?}");
        }
    }

    #[test]
    fn hostile_replies_take_linear_time() {
        let start = Instant::now();
        for piece in [
            "select a\n",
            "SELECT 1;",
            "SELECT 1\n\n",
            "with a\n",
            ":\n",
            "\n",
            "'\n",
            "(",
            "-- ",
            "`SELECT 1 ",
        ] {
            let _ = sql_block(&piece.repeat(1_500));
            let _ = sql_block(&format!("```\n{}", piece.repeat(1_500)));
            let _ = sql_block(&format!("SELECT '{}", piece.repeat(1_500)));
        }
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
