//! The field that is looked for, and what an object holds of it.

use super::super::chars::fold;
use super::string::decode;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

/// Why a field cannot be looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldError {
    /// There is no key at all.
    Missing,
    /// One of the keys is empty.
    EmptyKey,
}

/// A compiled path of keys, from the outermost object inwards.
#[derive(Clone, Debug)]
pub struct Field {
    keys: Vec<Key>,
}

#[derive(Clone, Debug)]
struct Key {
    name: Box<str>,
    folded: Box<str>,
}

impl Field {
    /// Compiles a path of keys.
    ///
    /// # Errors
    /// Without any key, or when one is empty.
    pub fn new<'a>(path: impl IntoIterator<Item = &'a str>) -> Result<Self, FieldError> {
        let key = |name: &'a str| {
            if name.is_empty() {
                return Err(FieldError::EmptyKey);
            }
            Ok(Key { name: name.into(), folded: name.trim().chars().flat_map(fold).collect() })
        };
        let keys: Vec<Key> = path.into_iter().map(key).collect::<Result<_, _>>()?;
        if keys.is_empty() { Err(FieldError::Missing) } else { Ok(Self { keys }) }
    }
}

/// A field to look for, with its keys in their own case, or in any and with blanks around them.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    keys: &'a [Key],
    any_case: bool,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(field: &'a Field, any_case: bool) -> Self {
        Self { keys: &field.keys, any_case }
    }

    /// Whether the key, as it is written, is that of the path at this level.
    pub(super) fn is(&self, level: usize, written: &str) -> bool {
        let Some(key) = self.keys.get(level) else {
            return false;
        };
        let name = if written.contains('\\') { decode(written) } else { Cow::Borrowed(written) };
        if self.any_case {
            name.trim().chars().flat_map(fold).eq(key.folded.chars())
        } else {
            *name == *key.name
        }
    }

    /// Whether the value itself lies on this level.
    pub(super) fn ends(&self, level: usize) -> bool {
        level + 1 == self.keys.len()
    }
}

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// In quotes, which are not part of it; escapes are.
    Quoted,
    /// A number, a literal, or words without quotes.
    Bare,
    /// An object or an array.
    Nested,
}

/// A value where it stands in the reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Value {
    pub(super) form: Form,
    pub(super) span: Range<usize>,
    /// It ends before the reply does, or could not go on.
    pub(super) whole: bool,
}

impl Value {
    pub(super) fn text<'a>(&self, reply: &'a str) -> Cow<'a, str> {
        let written = reply.get(self.span.clone()).unwrap_or_default();
        if self.form == Form::Quoted { decode(written) } else { Cow::Borrowed(written) }
    }
}

/// The values of the field in one object: the last one counts.
#[derive(Clone, Default, Debug)]
pub(super) struct Held {
    value: Option<Value>,
    /// What a later parent of the same key has replaced.
    replaced: Option<Value>,
    conflict: bool,
}

impl Held {
    pub(super) fn put(&mut self, reply: &str, value: Value) {
        if let Some(earlier) = self.value.take().or(self.replaced.take()) {
            self.conflict |= !alike(&earlier.text(reply), &value.text(reply));
        }
        self.value = Some(value);
    }

    /// A parent of the field begins anew.
    pub(super) fn restart(&mut self) {
        if let Some(value) = self.value.take() {
            self.replaced = Some(value);
        }
    }

    pub(super) fn end(self) -> (Option<Value>, bool) {
        (self.value, self.conflict)
    }
}

/// Whether two spellings are one value: the same text or the same number.
fn alike(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    one == other
        || number(one).partial_cmp(&number(other)) == Some(Ordering::Equal) && number(one).is_some()
}
