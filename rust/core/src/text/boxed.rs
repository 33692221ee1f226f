//! `boxed`: what a reply puts into `\boxed{…}` or `\fbox{…}`.
//!
//! | written | read as |
//! | --- | --- |
//! | `\boxed{840}` `\boxed {840}` `\fbox{840}` | 840 |
//! | `\boxed{\frac{3}{8}}` `\boxed{\{1, 2\}}` | all up to the closing brace; `\{` and `\}` are none |
//! | `\boxed 5` `\boxed\pi` `\boxed x.` | a number, a command or one letter, without its full stop |
//! | `\boxed{x = \boxed{5}}` | 5: of nested boxes the innermost |
//! | `\boxed{}` `\boxed{...}` | no box: a form quoted from the task |
//! | `\boxed{84` | truncated |
//!
//! White space at both ends is left out, and boxes that differ in white space alone are equal.
//! Boxes that differ are several answers: the status is ambiguous, whichever of them is taken.

use super::answer::{Reading, Status};
use memchr::{memchr, memchr3};
use std::ops::Range;

/// Longest argument of a command that stands in a box without braces.
const ARGUMENT: usize = 128;

/// Which of several boxes counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// The first one.
    First,
    /// The last one.
    Last,
    /// None, unless all are equal.
    Only,
}

impl Which {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 3] = ["first", "last", "only"];

    /// The choice of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "first" => Self::First,
            "last" => Self::Last,
            "only" => Self::Only,
            _ => return None,
        })
    }
}

/// The content of a box.
#[must_use]
pub fn boxed(reply: &str, which: Which) -> Reading<&str> {
    let mut boxes = Boxes::new(reply);
    let mut chosen: Option<Range<usize>> = None;
    let mut before: Option<Range<usize>> = None;
    let mut differ = false;
    for span in &mut boxes {
        differ |= before.is_some_and(|before| !alike(reply, before, span.clone()));
        if chosen.is_none() || which != Which::First {
            chosen = Some(span.clone());
        }
        before = Some(span);
    }
    if boxes.truncated() && (which != Which::First || chosen.is_none()) {
        return Reading::none(Status::Truncated, "unclosed");
    }
    let Some((span, value)) = chosen.and_then(|span| Some((span.clone(), reply.get(span)?))) else {
        return Reading::none(Status::Unparsed, "no_box");
    };
    let status = if differ { Status::Ambiguous } else { Status::Read };
    if differ && which == Which::Only {
        return Reading::none(status, "several");
    }
    Reading { value: Some(value), span: Some(span), rule: "boxed", status }
}

fn alike(reply: &str, one: Range<usize>, other: Range<usize>) -> bool {
    let inked = |span: Range<usize>| {
        reply.get(span).unwrap_or_default().chars().filter(|c| !c.is_whitespace())
    };
    inked(one).eq(inked(other))
}

/// The contents of the boxes that hold no other box, in the order in which they close.
pub(super) struct Boxes<'a> {
    reply: &'a str,
    at: usize,
    /// Braces opened so far less those closed; prose may close more.
    depth: isize,
    open: Vec<Open>,
}

struct Open {
    start: usize,
    depth: isize,
    outer: bool,
}

impl<'a> Boxes<'a> {
    pub(super) fn new(reply: &'a str) -> Self {
        Self { reply, at: 0, depth: 0, open: Vec::new() }
    }

    /// Whether the reply, read to its end, ends inside a box.
    pub(super) fn truncated(&self) -> bool {
        self.open.last().is_some_and(|open| !open.outer)
    }

    fn span(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let content = self.reply.get(start..end)?;
        let text = content.trim_start();
        let start = end - text.len();
        let text = text.trim_end();
        let blank = text.chars().all(|c| matches!(c, '.' | '…'));
        (!blank).then_some(start..start + text.len())
    }
}

impl Iterator for Boxes<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let rest = self.reply.as_bytes().get(self.at..)?;
            // Outside of boxes no brace matters.
            let found = if self.open.is_empty() {
                memchr(b'\\', rest)
            } else {
                memchr3(b'\\', b'{', b'}', rest)
            };
            let at = self.at + found?;
            self.at = at + 1;
            match self.reply.as_bytes().get(at)? {
                b'{' => self.depth += 1,
                b'}' => {
                    self.depth -= 1;
                    if let Some(open) = self.open.pop_if(|open| open.depth == self.depth)
                        && !open.outer
                        && let Some(span) = self.span(open.start, at)
                    {
                        return Some(span);
                    }
                }
                _ => {
                    let Some(start) = self.reply.get(at..).and_then(after_command) else {
                        // The next character is escaped, unless it begins a box.
                        let next = self.reply.get(at + 1..).unwrap_or_default();
                        if after_command(next).is_none() {
                            self.at += next.chars().next().map_or(0, char::len_utf8);
                        }
                        continue;
                    };
                    let start = at + start;
                    if let Some(open) = self.open.last_mut() {
                        open.outer = true;
                    }
                    let content = self.reply.get(start..).unwrap_or_default();
                    if content.starts_with('{') {
                        self.at = start + 1;
                        self.open.push(Open { start: self.at, depth: self.depth, outer: false });
                        self.depth += 1;
                    } else {
                        self.at = start;
                        if let Some(length) = unbraced(content)
                            && let Some(span) = self.span(start, start + length)
                        {
                            self.at += length;
                            return Some(span);
                        }
                    }
                }
            }
        }
    }
}

/// Length of a box command at the start of a text, with the white space behind it.
fn after_command(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\\boxed").or_else(|| text.strip_prefix("\\fbox"))?;
    let content = rest.trim_start();
    (!rest.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(text.len() - content.len())
}

/// Length of a box's content that stands in no braces.
fn unbraced(text: &str) -> Option<usize> {
    let body = text.trim_start_matches(['-', '+', '.', '−']);
    let first = body.chars().next()?;
    let behind = body.get(first.len_utf8()..)?;
    let ends = |c: char| c.is_whitespace() || matches!(c, '\\' | '{' | '}' | '$' | '&');
    let marks = ['.', ',', ';', ':', '!', '?'];
    let rest = if first.is_numeric() {
        let rest = behind.trim_start_matches(|c| !ends(c));
        let number = text.get(..text.len() - rest.len())?;
        return Some(number.trim_end_matches(marks).len());
    } else if first == '\\' {
        command(body).filter(|_| after_command(body).is_none())?
    } else {
        let rest = behind.trim_start_matches(marks);
        let alone = rest.is_empty()
            || rest.starts_with(|c: char| c.is_whitespace() || matches!(c, '$' | '&' | '}'))
            || rest.starts_with("\\)")
            || rest.starts_with("\\]")
            || rest.starts_with("\\\\");
        Some(behind).filter(|_| alone && first.is_alphabetic())?
    };
    Some(text.len() - rest.len())
}

/// What is behind a command and its arguments, unless these are long or hold a box.
fn command(text: &str) -> Option<&str> {
    let mut rest = text.get(1..)?.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    if rest.len() + 1 == text.len() {
        return None;
    }
    while rest.starts_with('{') {
        let mut depth = 0_usize;
        let end = rest.bytes().take(ARGUMENT).position(|byte| {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        let argument = rest.get(..end)?;
        if argument
            .match_indices('\\')
            .any(|(at, _)| argument.get(at..).and_then(after_command).is_some())
        {
            return None;
        }
        rest = rest.get(end + 1..)?;
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn last(reply: &str) -> (Option<&str>, &'static str) {
        let reading = boxed(reply, Which::Last);
        assert_eq!(reading.value, reading.span.and_then(|span| reply.get(span)), "{reply:?}");
        (reading.value, reading.status.as_str())
    }

    #[test]
    fn boxes_in_every_dress() {
        for (reply, content) in [
            ("So \\boxed{840}.", "840"),
            ("\\boxed {840}", "840"),
            ("\\boxed\n{ 840 }", "840"),
            ("\\fbox{840}", "840"),
            ("$$\\boxed{\\frac{3}{8}}$$", "\\frac{3}{8}"),
            ("\\boxed{\\{1, 2\\}}", "\\{1, 2\\}"),
            ("\\boxed{\\left\\{x \\mid x > 1\\right\\}}", "\\left\\{x \\mid x > 1\\right\\}"),
            ("\\boxed{\\}}", "\\}"),
            ("\\boxed{a\\\\}", "a\\\\"),
            ("x\\\\\\boxed{7}", "7"),
            ("\\\\boxed{7}", "7"),
            ("{\\boxed{7}", "7"),
            ("} \\boxed{7}", "7"),
            ("\\boxed{7}}}", "7"),
            ("\\boxed{\\boxed{7}}", "7"),
            ("\\boxed{x = \\boxed{7}}", "7"),
            ("\\boxed{7 \\text{ or so, and } \\boxed{8}", "8"),
            ("\\boxed{日本}", "日本"),
            ("\\boxed 5", "5"),
            ("$\\boxed 5$ or so", "5"),
            ("\\(\\boxed 5\\)", "5"),
            ("It is \\boxed 12.5.", "12.5"),
            ("\\boxed -5", "-5"),
            ("\\boxed x", "x"),
            ("\\boxed\\pi", "\\pi"),
            ("\\boxed\\frac{1 + 2}{3} then", "\\frac{1 + 2}{3}"),
            ("{\\boxed 5}", "5"),
            ("\\boxed \\boxed{5}", "5"),
            ("\\boxed{840}. Check: \\boxed{840}", "840"),
            ("\\boxed{1,2} \\boxed{1, 2}", "1, 2"),
            ("Use \\boxed{}. \\boxed{4}", "4"),
            ("\\boxed{4} as in \\boxed{...}", "4"),
        ] {
            assert_eq!(last(reply), (Some(content), "read"), "{reply:?}");
        }
    }

    #[test]
    fn no_box_is_no_value() {
        for reply in ["", "840", "boxed{840}", "\\boxedtext{840}", "\\boxed{}", "\\boxed", "\\"] {
            assert_eq!(last(reply), (None, "unparsed"), "{reply:?}");
        }
        for reply in ["the \\boxed command", "`\\boxed`", "\\boxed . Then", "\\boxed a{b \\fbox"] {
            assert_eq!(last(reply), (None, "unparsed"), "{reply:?}");
        }
        for reply in ["\\boxed{84", "\\boxed{4} \\boxed{", "\\boxed{\\}", "\\boxed{4} \\boxed{{5}"]
        {
            assert_eq!(last(reply), (None, "truncated"), "{reply:?}");
        }
    }

    #[test]
    fn different_boxes_are_flagged() {
        let reply = "\\boxed{4} or \\boxed{5}";
        assert_eq!(last(reply), (Some("5"), "ambiguous"));
        assert_eq!(boxed(reply, Which::First).value, Some("4"));
        assert_eq!(boxed(reply, Which::Only).value, None);
        assert_eq!(boxed(reply, Which::Only).status, Status::Ambiguous);
        assert_eq!(boxed("\\boxed{4} \\boxed{4}", Which::Only).value, Some("4"));
        assert_eq!(boxed("\\boxed{4} \\boxed{5", Which::First).value, Some("4"));
        assert_eq!(boxed("\\boxed{4} \\boxed{5", Which::Only).status, Status::Truncated);
    }

    #[test]
    fn hostile_replies_take_linear_time() {
        let start = Instant::now();
        for piece in ["\\boxed{", "\\boxed a{", "\\boxed ", "\\boxed{}", "\\", "\\boxed{1}}{"] {
            let _ = boxed(&piece.repeat(100_000), Which::Last);
        }
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn names_and_variants_agree() {
        for (which, name) in [Which::First, Which::Last, Which::Only].into_iter().zip(Which::NAMES)
        {
            assert_eq!(Which::parse(name), Some(which));
        }
        assert_eq!(Which::parse("Last"), None);
    }
}
