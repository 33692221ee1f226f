//! Answers that a reply commits to.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::types::Float64Type;
use arrow_array::{ArrayRef, StringViewArray};
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::answer::{Dialect, Markers, Reading, Which};
use reclaimstats_core::text::choice::{self, Letters};
use reclaimstats_core::text::number;
use reclaimstats_core::text::pattern::{Group, Pattern};
use reclaimstats_core::text::time::{self, Time};
use reclaimstats_core::text::word::{self, Options, OptionsError};

use super::finish;
use crate::cells::{Cells, Primitives, Texts};
use crate::columns::{Text, TextLists, batch, broadcast, floats, texts};
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

/// What a scorer makes of each row, as a column needs it.
type Values<'v, T> = &'v (dyn Fn(usize) -> Option<T> + Sync);

/// The values of rows in a column `value`; with a trace, how each was read beside it. Without one
/// only `value` is asked, which most replies answer sooner, and what is known of the length of the
/// column is used.
fn answered<T, C: Cells>(
    reply: &Text,
    len: usize,
    trace: bool,
    reading: impl Fn(usize) -> Option<Reading<T>> + Send + Sync,
    push: impl Fn(&mut C, Option<T>) + Send + Sync,
    value: Values<'_, T>,
    column: impl FnOnce(Values<'_, T>) -> PyResult<ArrayRef>,
) -> PyResult<PyRecordBatch> {
    if trace {
        return finish(reply, len, trace, reading, push);
    }
    batch(vec![(
        "value",
        column(&|row: usize| {
            if row.is_multiple_of(Text::AT_ONCE) {
                reply.fetch_ends(row);
            }
            value(row)
        })?,
    )])
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
        answered(
            &reply,
            reply.len(),
            trace,
            |row| Some(number::answer_number(reply.get(row)?, &markers.0, dialect, fallback)),
            Primitives::<Float64Type>::push,
            &|row| number::value(reply.get(row)?, &markers.0, dialect, fallback),
            |value| Ok(Arc::new(floats(reply.len(), value))),
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
        answered(
            &reply,
            len,
            trace,
            |row| {
                let (options, first) = set(row)?;
                let reading = word::answer_word(reply.get(row)?, &markers.0, options, dialect);
                Some(Reading { value: reading.value.map(|option| first + option), ..reading })
            },
            |texts: &mut Texts, name| texts.push(name.map(|name| names.value(name).into())),
            &|row| {
                let (options, first) = set(row)?;
                Some(first + word::value(reply.get(row)?, &markers.0, options, dialect)?)
            },
            |name| {
                let view = |row| names.views().get(name(row)?).copied();
                Ok(Arc::new(texts(len, names, view)?))
            },
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
        answered(
            &reply,
            reply.len(),
            trace,
            |row| Some(choice::answer_choice(reply.get(row)?, &markers.0, &letters.compiled)),
            |texts: &mut Texts, letter| {
                texts.push(letter.map(|letter| letters.names.value(letter).into()));
            },
            &|row| choice::value(reply.get(row)?, &markers.0, &letters.compiled),
            |value| {
                let view = |row| letters.names.views().get(value(row)?).copied();
                Ok(Arc::new(texts(reply.len(), &letters.names, view)?))
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
    let view = |time: Time| make_view(&time.written(), 0, 0);
    let inline = StringViewArray::from(Vec::<&str>::new());
    py.detach(|| {
        answered(
            &reply,
            reply.len(),
            trace,
            |row| Some(time::answer_time(reply.get(row)?, &markers.0, dialect, fallback)),
            |texts: &mut Texts, time: Option<Time>| {
                let written = time.map(Time::written);
                let text = written.as_ref().and_then(|text| std::str::from_utf8(text).ok());
                texts.push(text.map(Cow::Borrowed));
            },
            &|row| time::value(reply.get(row)?, &markers.0, dialect, fallback),
            |value| Ok(Arc::new(texts(reply.len(), &inline, |row| value(row).map(view))?)),
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
