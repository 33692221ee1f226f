//! `answer_regex`: what a pattern of the user's own finds.
//!
//! Patterns are those of the `regex` crate: no look-around and no back-references, so that one
//! search takes time in proportion to the reply, whatever the pattern. The last match is found by
//! one search for each match, each from the end of the one before: quadratic where each looks far
//! ahead and takes little, as `x[^z]*z|x` does in a run of `x`.

use super::answer::{Reading, Status, Which};
use regex::Regex;

/// Why a pattern cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PatternError {
    /// The pattern is none, for this reason.
    Syntax(String),
    /// The pattern has no such group; how many it has, the whole match left out.
    Group(usize),
}

/// Names a group of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Group {
    /// The first group, or the whole match where there is none.
    Default,
    /// By position; 0 is the whole match.
    Index(usize),
    /// By name.
    Name(String),
}

/// A compiled pattern and the group that holds the answer.
#[derive(Clone, Debug)]
pub struct Pattern {
    regex: Regex,
    group: usize,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// When it is no pattern, is too large, or has no such group.
    pub fn new(pattern: &str, group: &Group) -> Result<Self, PatternError> {
        let regex = Regex::new(pattern).map_err(|error| PatternError::Syntax(error.to_string()))?;
        let count = regex.captures_len();
        let group = match group {
            Group::Default => Some(usize::from(count > 1)),
            Group::Index(index) => Some(*index).filter(|&index| index < count),
            Group::Name(name) => regex.capture_names().position(|group| group == Some(name)),
        };
        match group {
            Some(group) => Ok(Self { regex, group }),
            None => Err(PatternError::Group(count - 1)),
        }
    }

    /// What the pattern finds; the group's text where it took part in the match.
    #[must_use]
    pub fn read<'a>(&self, reply: &'a str, which: Which) -> Reading<&'a str> {
        let found = match which {
            Which::First => self.regex.find(reply),
            Which::Last => self.regex.find_iter(reply).last(),
        };
        let Some(found) = found else {
            return Reading::none(Status::Unparsed, "no_match");
        };
        let group = if self.group == 0 {
            Some(found)
        } else {
            self.regex.captures_at(reply, found.start()).and_then(|all| all.get(self.group))
        };
        match group {
            Some(group) => Reading::read(group.as_str(), group.range(), "pattern"),
            None => Reading::none(Status::Unparsed, "no_group"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<'a>(pattern: &str, group: &Group, reply: &'a str, which: Which) -> Option<&'a str> {
        Pattern::new(pattern, group).expect("a pattern").read(reply, which).value
    }

    #[test]
    fn groups_and_matches() {
        let reply = "score: 3, then score: 4";
        let last = |pattern, group| read(pattern, &group, reply, Which::Last);
        assert_eq!(last(r"score: (\d)", Group::Default), Some("4"));
        assert_eq!(read(r"score: (\d)", &Group::Default, reply, Which::First), Some("3"));
        assert_eq!(last(r"score: \d", Group::Default), Some("score: 4"));
        assert_eq!(last(r"score: (\d)", Group::Index(0)), Some("score: 4"));
        assert_eq!(last(r"(a)|(?P<n>\d)", Group::Name("n".into())), Some("4"));
        assert_eq!(last(r"(a)|(\d)", Group::Index(1)), None);
        assert_eq!(last("x", Group::Default), None);
        assert_eq!(last("", Group::Default), Some(""));
        assert_eq!(read(r"\b(\w)", &Group::Default, "äb", Which::Last), Some("ä"));
    }

    #[test]
    fn patterns_that_cannot_be_used_are_refused() {
        let error = |pattern, group| Pattern::new(pattern, &group).err();
        assert_eq!(error("(a)", Group::Index(2)), Some(PatternError::Group(1)));
        assert_eq!(error("a", Group::Name("n".into())), Some(PatternError::Group(0)));
        for pattern in ["(", r"(a)\1", "(?=a)", r"(\w{999}){999}"] {
            assert!(matches!(error(pattern, Group::Default), Some(PatternError::Syntax(_))));
        }
    }
}
