//! `code_block`: fenced code, found as CommonMark 0.31 finds it.
//!
//! * A fence is a line of three or more backticks or tildes, indented by at most three columns;
//!   behind backticks no other backtick may follow on the line. What follows names the language.
//! * A line of nothing but at least as many of the same signs closes the block.
//! * Block quotes and list items may hold fences: their markers and indentation are no part of
//!   the code, nor is the indentation of the fence itself.
//! * The code is every line between the fences with its line ending.
//!
//! What models write and CommonMark does not foresee:
//!
//! * HTML has no say: a fence right below `<answer>` or `<details>` is a fence.
//! * A block that nothing closes, not even the end of a list item, runs to the end of the reply.
//!   Where the closing fence was glued to the last line of code, it ends there instead.
//! * A fence without a language that nothing but white space follows is a stray closing fence.

use super::answer::{Reading, Status, Which};
use memchr::{memchr_iter, memchr2, memchr2_iter, memrchr2};
use std::borrow::Cow;
use std::ops::Range;

/// Languages by all the names that are usual for them.
const LANGUAGES: [&[&str]; 24] = [
    &["python", "py", "python3", "py3"],
    &["javascript", "js"],
    &["typescript", "ts"],
    &["shell", "bash", "sh", "zsh"],
    &["cpp", "c++", "cxx", "cc"],
    &["csharp", "c#", "cs"],
    &["fsharp", "f#", "fs"],
    &["go", "golang"],
    &["rust", "rs"],
    &["ruby", "rb"],
    &["kotlin", "kt"],
    &["perl", "pl"],
    &["haskell", "hs"],
    &["julia", "jl"],
    &["objectivec", "objective-c", "objc"],
    &["powershell", "pwsh", "ps1"],
    &["yaml", "yml"],
    &["markdown", "md"],
    &["html", "htm"],
    &["latex", "tex"],
    &["dockerfile", "docker"],
    &["makefile", "make"],
    &["text", "txt", "plaintext", "plain"],
    &[
        "sql",
        "postgresql",
        "postgres",
        "pgsql",
        "psql",
        "plpgsql",
        "mysql",
        "mariadb",
        "sqlite",
        "sqlite3",
        "tsql",
        "t-sql",
        "plsql",
        "bigquery",
        "duckdb",
        "snowflake",
    ],
];

/// The languages that are looked for: none for any, an empty name for a block without one.
#[derive(Clone, Debug, Default)]
pub struct Languages {
    names: Vec<String>,
}

impl Languages {
    /// Languages by any of their usual names, in any case.
    #[must_use]
    pub fn new(names: &[String]) -> Self {
        let alike = |name: &String| {
            let name = name.trim();
            let is_name = |known: &&str| known.eq_ignore_ascii_case(name);
            match LANGUAGES.iter().find(|names| names.iter().any(is_name)) {
                Some(names) => names.iter().map(ToString::to_string).collect(),
                None => vec![name.to_owned()],
            }
        };
        Self { names: names.iter().flat_map(alike).collect() }
    }

    pub(super) fn accept(&self, info: &str) -> bool {
        let language = language(info);
        self.names.is_empty() || self.names.iter().any(|name| name.eq_ignore_ascii_case(language))
    }
}

/// The language that an info string names: `python` of `python title="a"`, `{.python}`,
/// `python:a.py` and `python,ignore`.
pub(super) fn language(info: &str) -> &str {
    let info = info.trim_start_matches(['{', '.', ' ', '\t']);
    let end = info.find(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | ';' | '{' | '}'));
    end.and_then(|end| info.get(..end)).unwrap_or(info)
}

/// The code of a fenced block.
#[must_use]
pub fn code_block<'a>(
    reply: &'a str,
    languages: &Languages,
    which: Which,
) -> Reading<Cow<'a, str>> {
    let mut found = Blocks::new(reply).filter(|block| languages.accept(block.info));
    let block = match which {
        Which::First => found.next(),
        Which::Last => found.last(),
    };
    match block {
        Some(block) => block.reading(),
        None => Reading::none(Status::Unparsed, "no_block"),
    }
}

/// A fenced block.
pub(super) struct Block<'a> {
    /// What stands behind the opening fence.
    pub(super) info: &'a str,
    /// Its lines without the marks of quotes and lists.
    pub(super) code: Cow<'a, str>,
    /// Where these lines stand in the reply.
    pub(super) span: Range<usize>,
    end: End,
}

/// What ends a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Fence,
    /// A fence behind code on the same line.
    Glued,
    /// The end of the quote or list item around it, or of the reply.
    Missing,
}

impl<'a> Block<'a> {
    pub(super) const fn status(&self) -> Status {
        match self.end {
            End::Fence | End::Glued => Status::Read,
            End::Missing => Status::Truncated,
        }
    }

    fn reading(self) -> Reading<Cow<'a, str>> {
        let rule = match self.end {
            End::Fence => "fence",
            End::Glued => "glued_fence",
            End::Missing => "unclosed",
        };
        let status = self.status();
        Reading { value: Some(self.code), span: Some(self.span), rule, status }
    }
}

/// The fenced blocks of a reply.
pub(super) struct Blocks<'a> {
    text: &'a str,
    at: usize,
    /// Where the next three signs in a row are that have been seen from outside of blocks.
    fence: usize,
    containers: Vec<Container>,
    /// The line before is a paragraph's, which a lazy line continues.
    paragraph: bool,
    /// For each sign the shortest fence known to find no closing one before the end.
    unclosed: [usize; 2],
    /// How often the rest of the reply may still be read a second time.
    retries: u8,
}

#[derive(Clone, Copy)]
enum Container {
    Quote,
    Item {
        width: usize,
        /// Nothing was in it so far.
        empty: bool,
    },
}

/// Deepest nesting of quotes and lists that is followed.
const NESTING: usize = 32;

/// A block whose end has not been found.
struct Open<'a> {
    sign: u8,
    length: usize,
    indent: usize,
    info: &'a str,
    code: Code,
    glued: Option<Glued>,
}

/// The first place where a glued fence may have ended a block.
struct Glued {
    code: Code,
    next_line: usize,
}

/// The lines of a block; a copy once they differ from what is written.
#[derive(Clone)]
struct Code {
    span: Range<usize>,
    copy: Option<String>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let fence = next_fence(text, 0);
        let unclosed = [usize::MAX; 2];
        let containers = Vec::new();
        Self { text, at: 0, fence, containers, paragraph: false, unclosed, retries: 8 }
    }

    /// Moves from the beginning of a line outside of blocks to where the next one may open: to the
    /// end of the text where no fence follows. A fence that begins its line opens a block whatever
    /// stands before, so that only an indented one, or one in a quote or list, needs these lines.
    fn seek(&mut self) {
        if self.fence < self.at {
            self.fence = next_fence(self.text, self.at);
        }
        let Some((before, behind)) = self.text.split_at_checked(self.fence) else {
            return;
        };
        if behind.is_empty() {
            self.at = self.text.len();
        } else if before.is_empty() || before.ends_with(['\n', '\r']) {
            let end = memchr2(b'\n', b'\r', behind.as_bytes()).unwrap_or(behind.len());
            if behind.get(..end).and_then(opening).is_some() {
                self.at = self.fence;
                self.containers.clear();
                self.paragraph = false;
            }
        }
    }

    /// The next line with its ending.
    fn line(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = memchr2(b'\n', b'\r', rest.as_bytes()).map_or(rest.len(), |end| {
            let pair = rest.as_bytes().get(end..end + 2) == Some(b"\r\n");
            end + 1 + usize::from(pair)
        });
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// How many of the containers go on in a line; the cursor moves behind their marks.
    fn matched(&self, cursor: &mut Cursor<'_>) -> usize {
        let goes_on = |container: &&Container| match **container {
            Container::Quote => {
                let indent = cursor.indent(4);
                indent < 4 && cursor.text().starts_with('>') && {
                    cursor.mark(indent, 1);
                    cursor.advance(1);
                    true
                }
            }
            Container::Item { width, .. } if cursor.indent(width) == width => {
                cursor.advance(width);
                true
            }
            Container::Item { empty, .. } => {
                !empty && cursor.is_blank() && {
                    cursor.advance(usize::MAX);
                    true
                }
            }
        };
        self.containers.iter().take_while(goes_on).count()
    }

    /// Reads a line outside of blocks, which may open one.
    fn outside(&mut self, line: &'a str) -> Option<Open<'a>> {
        // Most lines are empty or begin with a letter, and are in nothing.
        if self.containers.is_empty()
            && let Some(first) = line.bytes().next()
            && (first.is_ascii_alphabetic() || matches!(first, b'\n' | b'\r'))
        {
            self.paragraph = first.is_ascii_alphabetic();
            return None;
        }
        let mut cursor = Cursor::new(line);
        let mut depth = self.matched(&mut cursor);
        // A line of text continues the paragraph of a container that it does not repeat.
        let mut lazy = self.paragraph && depth < self.containers.len();
        let mut within = self.paragraph && depth == self.containers.len();
        let mut indented = false;
        while !cursor.is_blank() {
            let indent = cursor.indent(4);
            indented = indent == 4;
            if indented {
                break;
            }
            if let Some((sign, length, info)) = opening(cursor.text()) {
                self.enter(depth);
                self.paragraph = false;
                let code = Code { span: self.at..self.at, copy: None };
                return Some(Open { sign, length, indent, info, code, glued: None });
            }
            let Some(container) = cursor.container(indent, within) else {
                break;
            };
            if depth == NESTING {
                break;
            }
            self.enter(depth);
            self.containers.push(container);
            depth += 1;
            lazy = false;
            within = false;
        }
        if cursor.is_blank() {
            self.containers.truncate(depth);
            self.paragraph = false;
        } else if indented {
            if !lazy && !within {
                self.enter(depth);
                self.paragraph = false;
            }
        } else {
            let text = cursor.text();
            let ends = is_heading(text) || is_break(text) || (within && is_underline(text));
            if ends || !lazy {
                self.enter(depth);
            }
            self.paragraph = !ends;
        }
        None
    }

    /// Leaves all but the outer containers, and puts something into these.
    fn enter(&mut self, depth: usize) {
        self.containers.truncate(depth);
        for container in &mut self.containers {
            if let Container::Item { empty, .. } = container {
                *empty = false;
            }
        }
    }

    /// Reads a line inside of a block; what ends the block, if the line does.
    fn inside(&mut self, open: &mut Open<'a>, line: &'a str, start: usize) -> Option<End> {
        let mut cursor = Cursor::new(line);
        if self.matched(&mut cursor) < self.containers.len() {
            // The line is read again outside of the block.
            self.at = start;
            return Some(End::Missing);
        }
        if cursor.closes(open.sign, open.length) {
            return Some(End::Fence);
        }
        cursor.advance(open.indent);
        if self.containers.is_empty()
            && open.glued.is_none()
            && let Some(length) = glued(cursor.rest, open.sign, open.length)
        {
            let mut code = open.code.clone();
            let head = line.len() - cursor.rest.len() + length;
            let rest = cursor.rest.get(..length).unwrap_or_default();
            let line = line.get(..head).unwrap_or_default();
            code.push(self.text, start, line, &Cursor { rest, ..cursor });
            if open.length >= *self.unclosed(open.sign) {
                open.code = code;
                return Some(End::Glued);
            }
            open.glued = Some(Glued { code, next_line: self.at });
        }
        open.code.push(self.text, start, line, &cursor);
        None
    }

    /// Takes the lines of a block that hold no fence, where nothing is to be cut off from them.
    fn skip(&mut self, open: &mut Open<'_>) {
        if !self.containers.is_empty() || open.indent > 0 {
            return;
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut signs = memchr_iter(open.sign, rest.as_bytes());
        let fence = signs.find(|at| is_fence(rest, *at)).unwrap_or(rest.len());
        let before = rest.as_bytes().get(..fence).unwrap_or_default();
        let lines = memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
        self.at += if fence < rest.len() { lines } else { rest.len() };
        open.code.span.end = self.at;
    }

    fn unclosed(&mut self, sign: u8) -> &mut usize {
        let [backticks, tildes] = &mut self.unclosed;
        if sign == b'`' { backticks } else { tildes }
    }

    fn block(&self, open: Open<'a>, end: End) -> Option<Block<'a>> {
        let Code { span, copy } = open.code;
        let code = match copy {
            Some(copy) => Cow::Owned(copy),
            None => Cow::Borrowed(self.text.get(span.clone())?),
        };
        let stray = end == End::Missing && open.info.is_empty() && code.trim_ascii().is_empty();
        (!stray).then_some(Block { info: open.info, code, span, end })
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        let mut open: Option<Open<'a>> = None;
        while self.at < self.text.len() {
            match &mut open {
                Some(block) => self.skip(block),
                None => self.seek(),
            }
            if self.at == self.text.len() {
                break;
            }
            let start = self.at;
            let line = self.line();
            let Some(block) = &mut open else {
                open = self.outside(line);
                continue;
            };
            if let Some(end) = self.inside(block, line, start)
                && let Some(block) = open.take().and_then(|open| self.block(open, end))
            {
                return Some(block);
            }
        }
        let mut open = open?;
        let end = match open.glued.take() {
            Some(Glued { code, next_line }) if self.retries > 0 => {
                // From here on no fence as long will find its closing one.
                self.retries -= 1;
                *self.unclosed(open.sign) = open.length;
                self.at = next_line;
                open.code = code;
                End::Glued
            }
            _ => End::Missing,
        };
        self.block(open, end)
    }
}

impl Code {
    /// Adds what the cursor has left of a line.
    fn push(&mut self, text: &str, start: usize, line: &str, cursor: &Cursor<'_>) {
        let end = start + line.len();
        if self.copy.is_some() || cursor.spare > 0 || cursor.rest.len() < line.len() {
            let written = text.get(self.span.clone()).unwrap_or_default();
            let copy = self.copy.get_or_insert_with(|| written.to_owned());
            copy.extend(std::iter::repeat_n(' ', cursor.spare));
            copy.push_str(cursor.rest);
        }
        self.span.end = end;
    }
}

/// What is left of a line, with the column it begins in.
struct Cursor<'a> {
    rest: &'a str,
    column: usize,
    /// Columns that are left of a tab.
    spare: usize,
}

impl<'a> Cursor<'a> {
    const fn new(line: &'a str) -> Self {
        Self { rest: line, column: 0, spare: 0 }
    }

    /// Columns of white space ahead, counted up to a number.
    fn indent(&self, most: usize) -> usize {
        let mut columns = self.spare;
        for byte in self.rest.bytes() {
            columns += match byte {
                _ if columns >= most => break,
                b' ' => 1,
                b'\t' => 4 - (self.column + columns - self.spare) % 4,
                _ => break,
            };
        }
        columns.min(most)
    }

    /// Skips white space, up to a number of columns.
    fn advance(&mut self, columns: usize) {
        let mut left = columns;
        loop {
            let used = self.spare.min(left);
            self.spare -= used;
            left -= used;
            self.spare = match self.rest.as_bytes().first() {
                _ if left == 0 => return,
                Some(b' ') => 1,
                Some(b'\t') => 4 - self.column % 4,
                _ => return,
            };
            self.column += self.spare;
            self.rest = self.rest.get(1..).unwrap_or_default();
        }
    }

    /// Skips the indentation and a mark behind it.
    fn mark(&mut self, indent: usize, length: usize) {
        self.advance(indent);
        self.rest = self.rest.get(length..).unwrap_or_default();
        self.column += length;
    }

    /// What is left, without its indentation.
    fn text(&self) -> &'a str {
        self.rest.trim_start_matches([' ', '\t'])
    }

    fn is_blank(&self) -> bool {
        self.rest.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
    }

    fn closes(&self, sign: u8, length: usize) -> bool {
        let text = self.text();
        let run = run(text, sign);
        run >= length && self.indent(4) < 4 && is_blank(text.get(run..).unwrap_or_default())
    }

    /// Skips the mark of a quote or list item.
    fn container(&mut self, indent: usize, in_paragraph: bool) -> Option<Container> {
        let text = self.text();
        if text.starts_with('>') {
            self.mark(indent, 1);
            self.advance(1);
            return Some(Container::Quote);
        }
        let length = list_mark(text)?;
        let (mark, rest) = text.split_at_checked(length)?;
        let empty = is_blank(rest);
        let numbered = mark.len() > 1;
        let interrupts = !empty && (!numbered || mark.get(..length - 1) == Some("1"));
        if is_break(text) || (in_paragraph && !interrupts) {
            return None;
        }
        self.mark(indent, length);
        let spaces = match self.indent(5) {
            1..=4 if !empty => self.indent(5),
            _ => 1,
        };
        self.advance(spaces);
        Some(Container::Item { width: indent + length + spaces, empty })
    }
}

/// Length of a list item's mark at the start of a text.
pub(super) fn list_mark(text: &str) -> Option<usize> {
    let digits = text.bytes().take(10).take_while(u8::is_ascii_digit).count();
    let sign = text.as_bytes().get(digits)?;
    let marks = match digits {
        0 => matches!(sign, b'-' | b'+' | b'*'),
        _ => digits < 10 && matches!(sign, b'.' | b')'),
    };
    let behind = text.as_bytes().get(digits + 1);
    (marks && behind.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')))
        .then_some(digits + 1)
}

/// The sign, length and info string of an opening fence.
fn opening(text: &str) -> Option<(u8, usize, &str)> {
    let sign = *text.as_bytes().first()?;
    if !matches!(sign, b'`' | b'~') {
        return None;
    }
    let length = run(text, sign);
    let info = text.get(length..)?;
    (length >= 3 && !(sign == b'`' && info.contains('`'))).then(|| (sign, length, info.trim()))
}

/// Where three signs in a row are, from a place on; the end of the text if there are none.
fn next_fence(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    let mut signs = memchr2_iter(b'`', b'~', rest).map(|at| from + at);
    signs.find(|at| is_fence(text, *at)).unwrap_or(text.len())
}

/// Whether three of the sign at a place follow each other.
fn is_fence(text: &str, at: usize) -> bool {
    matches!(text.as_bytes().get(at..at + 3), Some([a, b, c]) if a == b && b == c)
}

/// Length of the code before a fence that ends a line of it.
fn glued(line: &str, sign: u8, length: usize) -> Option<usize> {
    let line = line.trim_end();
    let code = line.trim_end_matches(char::from(sign));
    let fence = line.get(code.len()..code.len() + length)?;
    (!code.trim_start().is_empty() && !code.contains(fence)).then_some(code.len())
}

fn run(text: &str, sign: u8) -> usize {
    text.bytes().take_while(|byte| *byte == sign).count()
}

fn is_blank(text: &str) -> bool {
    Cursor::new(text).is_blank()
}

fn is_heading(text: &str) -> bool {
    let behind = text.get(run(text, b'#')..).unwrap_or_default();
    (1..7).contains(&(text.len() - behind.len()))
        && (behind.is_empty() || behind.starts_with([' ', '\t', '\n', '\r']))
}

/// Whether a line is a thematic break.
fn is_break(text: &str) -> bool {
    let Some(sign) = text.bytes().next().filter(|byte| matches!(byte, b'*' | b'-' | b'_')) else {
        return false;
    };
    let mut signs = 0;
    text.bytes().all(|byte| {
        signs += usize::from(byte == sign);
        byte == sign || matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
    }) && signs > 2
}

/// Whether a line makes a heading of the paragraph above it.
fn is_underline(text: &str) -> bool {
    let signs = run(text, b'=').max(run(text, b'-'));
    signs > 0 && is_blank(text.get(signs..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn block(reply: &str, languages: &[&str], which: Which) -> (Option<String>, &'static str) {
        let languages: Vec<String> = languages.iter().map(ToString::to_string).collect();
        let reading = code_block(reply, &Languages::new(&languages), which);
        assert!(reading.span.is_none_or(|span| reply.get(span).is_some()), "{reply:?}");
        (reading.value.map(Cow::into_owned), reading.rule)
    }

    fn last(reply: &str) -> (Option<String>, &'static str) {
        block(reply, &[], Which::Last)
    }

    #[test]
    fn fences_as_commonmark_has_them() {
        for (reply, code) in [
            ("```\na\n```", "a\n"),
            ("Sure:\n```python\na\n\nb\n```\nDone.", "a\n\nb\n"),
            ("~~~\na\n~~~", "a\n"),
            ("````\n```\na\n```\n````", "```\na\n```\n"),
            ("```\na\n``\n~~~\n````  ", "a\n``\n~~~\n"),
            ("~~~ `x`\na\n~~~", "a\n"),
            ("```\r\na\r\n```\r\n", "a\r\n"),
            ("```\ra\r```", "a\r"),
            ("```\n```", ""),
            ("  ```\n  a\n b\n   c\n  ```", "a\nb\n c\n"),
            ("```\n    ```\n  ```", "    ```\n"),
            ("> ```\n> a\n>   b\n> ```", "a\n  b\n"),
            (">```\n>a\n>```", "a\n"),
            ("- x\n\n  ```\n  a\n\n  b\n  ```", "a\n\nb\n"),
            ("1. x:\n   ```py\n   a\n   ```", "a\n"),
            ("- ```\n  a\n  ```", "a\n"),
            ("- > ```\n  > a\n  > ```", "a\n"),
            ("10. x\n\n    ```\n    a\n    ```", "a\n"),
            ("-\n\n  ```\n  a\n  ```", "a\n"),
            ("- x\ny\n    ```\n    a\n    ```\n```\nb\n```", "b\n"),
            ("- x\ny\n    ```\n    a\n    ```", "a\n"),
            ("text\n```\na\n```", "a\n"),
            ("<answer>\n```\na\n```\n</answer>", "a\n"),
            ("-\t```\n\ta\n\t```", "a\n"),
            ("> ```\n>\ta\n> ```", "  a\n"),
        ] {
            assert_eq!(last(reply), (Some(code.into()), "fence"), "{reply:?}");
        }
        for reply in ["", "a", "``\na\n``", "```a```", "    ```\n    a\n    ```", "```a``` b\nx"] {
            assert_eq!(last(reply), (None, "no_block"), "{reply:?}");
        }
    }

    #[test]
    fn blocks_that_nothing_closes() {
        for (reply, code) in [
            ("```\na\n", "a\n"),
            ("```python\na\n``", "a\n``"),
            ("```python", ""),
            ("```\nb\n```\n```python\n", ""),
            ("> ```\n> a\nb", "a\n"),
            ("- ```\n  a\nb", "a\n"),
            ("```a\nb```c```\nd", "b```c```\nd"),
        ] {
            assert_eq!(last(reply), (Some(code.into()), "unclosed"), "{reply:?}");
        }
        // Closing fences glued to the code, and one too many.
        for (reply, code) in [
            ("```python\na = 1```", "a = 1"),
            ("```python\na = 1```\nIt works.", "a = 1"),
            ("  ```python\n  a\n   b```\nIt works.", "a\n b"),
            ("```a\nb```\n```a\nc```\n~~~\nd~~~\n```e\nf```\n", "f"),
        ] {
            assert_eq!(last(reply), (Some(code.into()), "glued_fence"), "{reply:?}");
        }
        let many = "```a\nb```\n".repeat(20);
        assert_eq!(last(&many), (Some("b".into()), "glued_fence"));
        assert_eq!(last("```a\nb```\nc\n```\nd\n"), (Some("b```\nc\n".into()), "fence"));
        assert_eq!(last("```\na\n```\n```\n"), (Some("a\n".into()), "fence"));
        assert_eq!(last("````md\n```py\na\n```\n"), (Some("```py\na\n```\n".into()), "unclosed"));
    }

    #[test]
    fn languages_have_several_names() {
        let reply =
            "```\n1\n```\n```Python3\n2\n```\n```{.py}\n3\n```\n```js,x\n4\n```\n``` C++\n5\n```";
        let code = |languages: &[&str], which| block(reply, languages, which).0;
        assert_eq!(code(&["python"], Which::First).as_deref(), Some("2\n"));
        assert_eq!(code(&["PY"], Which::Last).as_deref(), Some("3\n"));
        assert_eq!(code(&["javascript"], Which::Last).as_deref(), Some("4\n"));
        assert_eq!(code(&["cpp"], Which::Last).as_deref(), Some("5\n"));
        assert_eq!(code(&[""], Which::Last).as_deref(), Some("1\n"));
        assert_eq!(code(&["", "python"], Which::Last).as_deref(), Some("3\n"));
        assert_eq!(code(&["sql"], Which::Last), None);
        assert_eq!(code(&["java"], Which::Last), None);
        for (info, name) in [
            ("python title=\"a.py\"", "python"),
            ("{.python .numberLines}", "python"),
            ("{python}", "python"),
            ("python:src/a.py", "python"),
            ("rust,ignore", "rust"),
            ("", ""),
            ("c#", "c#"),
        ] {
            assert_eq!(language(info), name, "{info:?}");
        }
    }

    #[test]
    fn hostile_replies_take_linear_time() {
        let start = Instant::now();
        for piece in [
            "```\n",
            "```a\n",
            "```a\nb```\n",
            "```a\nb```\n````a\nc````\n",
            "> ",
            "- ",
            "- x\n\n",
            "- > ",
            "* ",
            "  ",
            "`",
            "\t",
            "> ```\n",
            "- ```\n",
            "\r",
        ] {
            for head in ["", "```", "- - - - - - - - ```\n", "> > > > > > ```\n"] {
                let reply = format!("{head}{}\n```", piece.repeat(4_000));
                let _ = last(&reply);
            }
        }
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
