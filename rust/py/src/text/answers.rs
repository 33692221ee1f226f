//! Answers that a reply commits to.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::StringViewArray;
use arrow_array::builder::make_view;
use arrow_array::types::Float64Type;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::answer::{Dialect, Markers, Reading, Which};
use reclaimstats_core::text::choice::{self, Letters};
use reclaimstats_core::text::number;
use reclaimstats_core::text::pattern::{Group, Pattern};
use reclaimstats_core::text::time::{self, Time};
use reclaimstats_core::text::word::{self, Options, OptionsError};

use super::{finish, traced};
use crate::cells::{Cells, Primitives, Texts};
use crate::columns::{Text, TextLists, batch, broadcast, floats_of, texts_of};
use crate::errors;

/// Compiled marker words.
#[pyclass(name = "Markers", frozen, module = "reclaimstats._core")]
pub(crate) struct PyMarkers(Markers);

#[pymethods]
impl PyMarkers {
    #[new]
    #[expect(clippy::needless_pass_by_value)]
    fn new(markers: Vec<String>, which: &str) -> PyResult<Self> {
        let which = errors::option("which", which, Which::parse)?;
        Markers::new(&markers, which).map(Self).map_err(|error| errors::markers(&error))
    }
}

/// A compiled closed set of options.
#[pyclass(name = "Options", frozen, module = "reclaimstats._core")]
pub(crate) struct PyOptions {
    names: StringViewArray,
    compiled: Options,
}

#[pymethods]
impl PyOptions {
    #[new]
    fn new(options: Vec<String>) -> PyResult<Self> {
        match Options::new(options.iter().map(String::as_str)) {
            Ok(compiled) => Ok(Self { names: options.iter().map(Some).collect(), compiled }),
            Err(error) => Err(errors::options(&error)),
        }
    }
}

/// Committed numbers, in a column `value`; with a trace, how each was read beside it.
#[pyfunction]
pub(crate) fn answer_number(
    py: Python<'_>,
    reply: PyChunkedArray,
    markers: &PyMarkers,
    dialect: &str,
    fallback: &str,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let reply = Text::new(&reply)?;
    let dialect = errors::option("dialect", dialect, number::Dialect::parse)?;
    let fallback = errors::option("fallback", fallback, number::Fallback::parse)?;
    py.detach(|| {
        // The value alone most replies give at a glance.
        if !trace {
            let value = |text: &str| number::value(text, &markers.0, dialect, fallback);
            return batch(vec![("value", Arc::new(floats_of(&reply, value)))]);
        }
        traced(
            &reply,
            reply.len(),
            |row| Some(number::answer_number(reply.get(row)?, &markers.0, dialect, fallback)),
            Primitives::<Float64Type>::push,
        )
    })
}

/// One closed set for all rows, or one for each.
#[derive(FromPyObject)]
pub(crate) enum OptionSets {
    #[pyo3(transparent)]
    Fixed(Py<PyOptions>),
    #[pyo3(transparent)]
    Column(PyChunkedArray),
}

/// Committed options, as in [`answer_number`].
#[pyfunction]
pub(crate) fn answer_word(
    py: Python<'_>,
    reply: PyChunkedArray,
    options: OptionSets,
    markers: &PyMarkers,
    dialect: &str,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let reply = Text::new(&reply)?;
    let dialect = errors::option("dialect", dialect, Dialect::parse)?;
    let column = match &options {
        OptionSets::Fixed(_) => None,
        OptionSets::Column(column) => Some(TextLists::new(column)?),
    };
    py.detach(|| {
        let (sets, len) = match &column {
            Some(lists) => (Sets::per_row(lists)?, broadcast(&[reply.len(), lists.len()])?),
            None => (Sets::default(), reply.len()),
        };
        let set = |row: usize| match &options {
            OptionSets::Fixed(fixed) => Some((&fixed.get().compiled, 0)),
            OptionSets::Column(_) => sets.get(row),
        };
        let names = match &options {
            OptionSets::Fixed(fixed) => &fixed.get().names,
            OptionSets::Column(_) => &sets.names,
        };
        if !trace {
            let view = |row, text: &str| {
                let (options, first) = set(row)?;
                let option = word::value(text, &markers.0, options, dialect)?;
                names.views().get(first + option).copied()
            };
            return batch(vec![("value", Arc::new(texts_of(&reply, len, names, view)?))]);
        }
        traced(
            &reply,
            len,
            |row| {
                let (options, first) = set(row)?;
                let reading = word::answer_word(reply.get(row)?, &markers.0, options, dialect);
                Some(Reading { value: reading.value.map(|option| first + option), ..reading })
            },
            |texts: &mut Texts, name| texts.push(name.map(|name| names.value(name).into())),
        )
    })
}

/// The distinct closed sets of a column, compiled once each.
struct Sets {
    /// Each set, and where its names begin among all.
    compiled: Vec<Option<(Options, usize)>>,
    names: StringViewArray,
    of_row: Vec<usize>,
}

impl Default for Sets {
    fn default() -> Self {
        Self {
            compiled: Vec::new(),
            names: StringViewArray::from(Vec::<&str>::new()),
            of_row: Vec::new(),
        }
    }
}

impl Sets {
    /// A null or empty list is no set: nothing is read with it.
    fn per_row(lists: &TextLists) -> PyResult<Self> {
        let mut sets = Self::default();
        let mut all: Vec<&str> = Vec::new();
        let mut known: HashMap<Option<Vec<&str>>, usize> = HashMap::new();
        for row in 0..lists.len() {
            let names = lists.get(row);
            if let Some(index) = known.get(&names) {
                sets.of_row.push(*index);
                continue;
            }
            let compiled = match names.as_deref().map(|n| Options::new(n.iter().copied())) {
                None | Some(Err(OptionsError::Missing)) => None,
                Some(Err(error)) => return Err(errors::options(&error)),
                Some(Ok(compiled)) => Some((compiled, all.len())),
            };
            all.extend(names.iter().flatten());
            sets.of_row.push(sets.compiled.len());
            known.insert(names, sets.compiled.len());
            sets.compiled.push(compiled);
        }
        sets.names = all.into_iter().map(Some).collect();
        Ok(sets)
    }

    fn get(&self, row: usize) -> Option<(&Options, usize)> {
        let row = if self.of_row.len() == 1 { 0 } else { row };
        let (compiled, first) = self.compiled.get(*self.of_row.get(row)?)?.as_ref()?;
        Some((compiled, *first))
    }
}

/// The letters of multiple-choice options.
#[pyclass(name = "Letters", frozen, module = "reclaimstats._core")]
pub(crate) struct PyLetters {
    names: StringViewArray,
    compiled: Letters,
}

#[pymethods]
impl PyLetters {
    #[new]
    fn new(letters: &str) -> PyResult<Self> {
        let names = letters.chars().map(|letter| Some(String::from(letter))).collect();
        Letters::new(letters).map(|compiled| Self { names, compiled }).map_err(errors::letters)
    }
}

/// Committed letters, as in [`answer_number`].
#[pyfunction]
pub(crate) fn answer_choice(
    py: Python<'_>,
    reply: PyChunkedArray,
    letters: &PyLetters,
    markers: &PyMarkers,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let reply = Text::new(&reply)?;
    py.detach(|| {
        if !trace {
            let view = |_, text: &str| {
                let letter = choice::value(text, &markers.0, &letters.compiled)?;
                letters.names.views().get(letter).copied()
            };
            let values = texts_of(&reply, reply.len(), &letters.names, view)?;
            return batch(vec![("value", Arc::new(values))]);
        }
        traced(
            &reply,
            reply.len(),
            |row| Some(choice::answer_choice(reply.get(row)?, &markers.0, &letters.compiled)),
            |texts: &mut Texts, letter| {
                texts.push(letter.map(|letter| letters.names.value(letter).into()));
            },
        )
    })
}

/// Committed times of day, as in [`answer_number`].
#[pyfunction]
pub(crate) fn answer_time(
    py: Python<'_>,
    reply: PyChunkedArray,
    markers: &PyMarkers,
    dialect: &str,
    fallback: &str,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let reply = Text::new(&reply)?;
    let dialect = errors::option("dialect", dialect, Dialect::parse)?;
    let fallback = errors::option("fallback", fallback, time::Fallback::parse)?;
    py.detach(|| {
        if !trace {
            let view = |_, text: &str| {
                let time = time::value(text, &markers.0, dialect, fallback)?;
                Some(make_view(&time.written(), 0, 0))
            };
            let inline = StringViewArray::from(Vec::<&str>::new());
            return batch(vec![("value", Arc::new(texts_of(&reply, reply.len(), &inline, view)?))]);
        }
        traced(
            &reply,
            reply.len(),
            |row| Some(time::answer_time(reply.get(row)?, &markers.0, dialect, fallback)),
            |texts: &mut Texts, time: Option<Time>| {
                let written = time.map(Time::written);
                let text = written.as_ref().and_then(|text| std::str::from_utf8(text).ok());
                texts.push(text.map(Cow::Borrowed));
            },
        )
    })
}

/// A compiled pattern with the group that holds the answer.
#[pyclass(name = "Pattern", frozen, module = "reclaimstats._core")]
pub(crate) struct PyPattern(Pattern);

/// A group by position or name.
#[derive(FromPyObject)]
pub(crate) enum GroupName {
    #[pyo3(transparent)]
    Index(usize),
    #[pyo3(transparent)]
    Name(String),
}

#[pymethods]
impl PyPattern {
    #[new]
    fn new(pattern: &str, group: Option<GroupName>) -> PyResult<Self> {
        let group = match group {
            None => Group::Default,
            Some(GroupName::Index(index)) => Group::Index(index),
            Some(GroupName::Name(name)) => Group::Name(name),
        };
        Pattern::new(pattern, &group).map(Self).map_err(|error| errors::pattern(&error))
    }
}

/// What a pattern finds, as in [`answer_number`].
#[pyfunction]
pub(crate) fn answer_regex(
    py: Python<'_>,
    reply: PyChunkedArray,
    pattern: &PyPattern,
    which: &str,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let reply = Text::new(&reply)?;
    let which = errors::option("which", which, Which::parse)?;
    py.detach(|| {
        let read = |row| Some(pattern.0.read(reply.get(row)?, which));
        finish(&reply, reply.len(), trace, read, |texts: &mut Texts, found: Option<&str>| {
            texts.push(found.map(Cow::Borrowed));
        })
    })
}
