//! Text scorers and outcomes, row by row.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, LargeListBuilder};
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, StringArray, StringViewArray, UInt8Array, UInt64Array,
};
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch};
use reclaimstats_core::outcome;
use reclaimstats_core::text::answer::{Dialect, Markers, Reading};
use reclaimstats_core::text::choice::{self, Letters};
use reclaimstats_core::text::containment as overlap;
use reclaimstats_core::text::figures::{self, Known};
use reclaimstats_core::text::number::{self, Fallback};
use reclaimstats_core::text::pattern::{Group, Pattern, Which};
use reclaimstats_core::text::survival::{self, Items};
use reclaimstats_core::text::time;
use reclaimstats_core::text::word::{self, Options, OptionsError};

use crate::columns::{FloatLists, Floats, Text, TextLists, array, batch, broadcast, map_rows};
use crate::errors;

/// Compiled marker words.
#[pyclass(name = "Markers", frozen, module = "reclaimstats._core")]
pub(crate) struct PyMarkers(Markers);

#[pymethods]
impl PyMarkers {
    #[new]
    #[expect(clippy::needless_pass_by_value)]
    fn new(markers: Vec<String>) -> PyResult<Self> {
        Markers::new(&markers).map(Self).map_err(|error| errors::markers(&error))
    }
}

/// A compiled closed set of options.
#[pyclass(name = "Options", frozen, module = "reclaimstats._core")]
pub(crate) struct PyOptions {
    names: Vec<String>,
    compiled: Options,
}

#[pymethods]
impl PyOptions {
    #[new]
    fn new(options: Vec<String>) -> PyResult<Self> {
        match Options::new(options.iter().map(String::as_str)) {
            Ok(compiled) => Ok(Self { names: options, compiled }),
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
    let dialect = errors::option("dialect", dialect, Dialect::parse)?;
    let fallback = errors::option("fallback", fallback, Fallback::parse)?;
    let read = |row| {
        let text = reply.get(row)?;
        Some(number::answer_number(text, &markers.0, dialect, fallback))
    };
    py.detach(|| {
        if trace {
            let readings = map_rows(reply.len(), read);
            let values = readings.iter().map(|reading| reading.as_ref()?.value);
            return traced(&reply, &readings, Arc::new(values.collect::<Float64Array>()));
        }
        let values: Float64Array = map_rows(reply.len(), |row| read(row)?.value).into();
        batch(vec![("value", Arc::new(values))])
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
        let sets = match &column {
            Some(lists) => Sets::per_row(lists)?,
            None => Sets::default(),
        };
        let set = |row: usize| match &options {
            OptionSets::Fixed(fixed) => Some((&fixed.get().compiled, fixed.get().names.as_slice())),
            OptionSets::Column(_) => sets.get(row),
        };
        let len = match &column {
            Some(lists) => broadcast(&[reply.len(), lists.len()])?,
            None => reply.len(),
        };
        let readings = map_rows(len, |row| {
            Some(word::answer_word(reply.get(row)?, &markers.0, set(row)?.0, dialect))
        });
        let value = |(row, reading): (usize, &Option<Reading<usize>>)| {
            set(row)?.1.get(reading.as_ref()?.value?)
        };
        let values: StringViewArray = readings.iter().enumerate().map(value).collect();
        finish(&reply, &readings, Arc::new(values), trace)
    })
}

/// The distinct closed sets of a column, compiled once each.
#[derive(Default)]
struct Sets {
    compiled: Vec<Option<(Options, Vec<String>)>>,
    of_row: Vec<usize>,
}

impl Sets {
    /// A null or empty list is no set: nothing is read with it.
    fn per_row(lists: &TextLists) -> PyResult<Self> {
        let mut sets = Self::default();
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
                Some(Ok(compiled)) => {
                    let owned = names.iter().flatten().map(ToString::to_string).collect();
                    Some((compiled, owned))
                }
            };
            sets.of_row.push(sets.compiled.len());
            known.insert(names, sets.compiled.len());
            sets.compiled.push(compiled);
        }
        Ok(sets)
    }

    fn get(&self, row: usize) -> Option<(&Options, &[String])> {
        let row = if self.of_row.len() == 1 { 0 } else { row };
        let (compiled, names) = self.compiled.get(*self.of_row.get(row)?)?.as_ref()?;
        Some((compiled, names))
    }
}

/// The letters of multiple-choice options.
#[pyclass(name = "Letters", frozen, module = "reclaimstats._core")]
pub(crate) struct PyLetters {
    names: Vec<String>,
    compiled: Letters,
}

#[pymethods]
impl PyLetters {
    #[new]
    fn new(letters: &str) -> PyResult<Self> {
        let names = letters.chars().map(String::from).collect();
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
        let readings = map_rows(reply.len(), |row| {
            Some(choice::answer_choice(reply.get(row)?, &markers.0, &letters.compiled))
        });
        let name = |reading: &Option<Reading<usize>>| letters.names.get(reading.as_ref()?.value?);
        let values: StringViewArray = readings.iter().map(name).collect();
        finish(&reply, &readings, Arc::new(values), trace)
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
        let readings = map_rows(reply.len(), |row| {
            Some(time::answer_time(reply.get(row)?, &markers.0, dialect, fallback))
        });
        let values = readings.iter().map(|reading| Some(reading.as_ref()?.value?.to_string()));
        let values: StringViewArray = values.collect();
        finish(&reply, &readings, Arc::new(values), trace)
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
        let readings = map_rows(reply.len(), |row| Some(pattern.0.read(reply.get(row)?, which)));
        let values: StringViewArray =
            readings.iter().map(|reading| reading.as_ref()?.value).collect();
        finish(&reply, &readings, Arc::new(values), trace)
    })
}

/// All numbers of a text, in a column `value` of lists.
#[pyfunction]
pub(crate) fn numbers(py: Python<'_>, text: PyChunkedArray) -> PyResult<PyRecordBatch> {
    let text = Text::new(&text)?;
    py.detach(|| {
        let found = map_rows(text.len(), |row| {
            Some(figures::numbers(text.get(row)?).collect::<Vec<f64>>())
        });
        batch(vec![("value", lists(&found))])
    })
}

/// Where the numbers of a source come from.
enum Sources {
    Text(Text),
    Texts(TextLists),
    Values(FloatLists),
}

/// Numbers of the memory that the source has not: columns `count` and `values`.
#[pyfunction]
pub(crate) fn invented_numbers(
    py: Python<'_>,
    memory: PyChunkedArray,
    source: PyChunkedArray,
    dialect: &str,
) -> PyResult<PyRecordBatch> {
    let memory = Text::new(&memory)?;
    let strict = errors::option("dialect", dialect, Dialect::parse)? == Dialect::Strict;
    let (sources, rows) = if !source.data_type().is_list() {
        let column = Text::new(&source)?;
        let rows = column.len();
        (Sources::Text(column), rows)
    } else if let Ok(column) = FloatLists::new(&source) {
        let rows = column.len();
        (Sources::Values(column), rows)
    } else {
        let column = TextLists::new(&source)?;
        let rows = column.len();
        (Sources::Texts(column), rows)
    };
    let len = broadcast(&[memory.len(), rows])?;
    let invented = |row| {
        let memory = memory.get(row)?;
        let texts = match &sources {
            Sources::Values(values) => {
                return Some(values.get(row)?.collect::<Known>().invented(memory));
            }
            Sources::Text(column) => vec![column.get(row)?],
            Sources::Texts(column) => column.get(row)?,
        };
        if strict {
            let known: Known = texts.into_iter().flat_map(figures::numbers).collect();
            return Some(known.invented(memory));
        }
        let known = texts.into_iter().flat_map(figures::harness_numbers);
        let found = figures::harness_invented(known, memory);
        Some(found.into_iter().filter_map(figures::harness_value).collect())
    };
    py.detach(|| {
        let found = map_rows(len, invented);
        let counts = found.iter().map(|values| Some(values.as_ref()?.len() as u64));
        let counts: UInt64Array = counts.collect();
        batch(vec![("count", Arc::new(counts)), ("values", lists(&found))])
    })
}

/// The number that each text names most often.
#[pyfunction]
pub(crate) fn recurring_value(
    py: Python<'_>,
    text: PyChunkedArray,
    least: usize,
) -> PyResult<PyArray> {
    let text = Text::new(&text)?;
    let values =
        py.detach(|| map_rows(text.len(), |row| figures::recurring_value(text.get(row)?, least)));
    Ok(array(Float64Array::from(values)))
}

fn lists(rows: &[Option<Vec<f64>>]) -> ArrayRef {
    let mut builder = LargeListBuilder::new(Float64Builder::new());
    for row in rows {
        if let Some(values) = row {
            builder.values().append_slice(values);
        }
        builder.append(row.is_some());
    }
    Arc::new(builder.finish())
}

/// Distinct tokens or items of a source: how many are in the note, and how many there are.
/// A source is a text, whose content words count, or a list of items.
#[pyfunction]
pub(crate) fn token_survival(
    py: Python<'_>,
    note: PyChunkedArray,
    source: PyChunkedArray,
) -> PyResult<PyRecordBatch> {
    let note = Text::new(&note)?;
    if source.data_type().is_list() {
        let source = TextLists::new(&source)?;
        let len = broadcast(&[note.len(), source.len()])?;
        return py.detach(|| {
            shares(len, |row| Some(Items::new(source.get(row)?).coverage(note.get(row)?)))
        });
    }
    let source = Text::new(&source)?;
    let len = broadcast(&[note.len(), source.len()])?;
    py.detach(|| {
        shares(len, |row| Some(survival::token_coverage(note.get(row)?, source.get(row)?)))
    })
}

/// Whether the first characters of the source are in the note.
#[pyfunction]
pub(crate) fn prefix_survival(
    py: Python<'_>,
    note: PyChunkedArray,
    source: PyChunkedArray,
    chars: usize,
) -> PyResult<PyArray> {
    let (note, source) = (Text::new(&note)?, Text::new(&source)?);
    let len = broadcast(&[note.len(), source.len()])?;
    let survives = py.detach(|| {
        map_rows(len, |row| {
            let source = source.get(row).filter(|source| !source.is_empty())?;
            Some(survival::prefix_survives(note.get(row)?, source, chars))
        })
    });
    Ok(array(BooleanArray::from(survives)))
}

/// Distinct content words of the claim: how many are in the memory, and how many there are.
#[pyfunction]
pub(crate) fn containment(
    py: Python<'_>,
    claim: PyChunkedArray,
    memory: PyChunkedArray,
) -> PyResult<PyRecordBatch> {
    let (claim, memory) = (Text::new(&claim)?, Text::new(&memory)?);
    let len = broadcast(&[claim.len(), memory.len()])?;
    py.detach(|| shares(len, |row| Some(overlap::containment(claim.get(row)?, memory.get(row)?))))
}

/// Outcomes of numbers, as positions in the names.
#[pyfunction]
pub(crate) fn outcome_number(
    py: Python<'_>,
    answer: PyChunkedArray,
    truth: PyChunkedArray,
    drift: PyChunkedArray,
    tolerance: f64,
) -> PyResult<PyArray> {
    let (answer, truth, drift) =
        (Floats::new(&answer)?, Floats::new(&truth)?, Floats::new(&drift)?);
    let len = broadcast(&[answer.len(), truth.len(), drift.len()])?;
    let codes = py.detach(|| {
        map_rows(len, |row| {
            outcome::numeric(answer.get(row), truth.get(row), drift.get(row), tolerance)
                .map(outcome::Outcome::code)
        })
    });
    Ok(array(UInt8Array::from(codes)))
}

/// Outcomes of texts, as positions in the names.
#[pyfunction]
pub(crate) fn outcome_text(
    py: Python<'_>,
    answer: PyChunkedArray,
    truth: PyChunkedArray,
    drift: PyChunkedArray,
) -> PyResult<PyArray> {
    let (answer, truth, drift) = (Text::new(&answer)?, Text::new(&truth)?, Text::new(&drift)?);
    let len = broadcast(&[answer.len(), truth.len(), drift.len()])?;
    let codes = py.detach(|| {
        map_rows(len, |row| {
            outcome::text(answer.get(row), truth.get(row), drift.get(row))
                .map(outcome::Outcome::code)
        })
    });
    Ok(array(UInt8Array::from(codes)))
}

/// Columns `found` and `total`.
fn shares(
    len: usize,
    share: impl Fn(usize) -> Option<(usize, usize)> + Send + Sync,
) -> PyResult<PyRecordBatch> {
    let rows = map_rows(len, share);
    let column = |part: fn((usize, usize)) -> usize| -> ArrayRef {
        let counts = rows.iter().map(|row| row.map(|row| part(row) as u64));
        Arc::new(counts.collect::<UInt64Array>())
    };
    batch(vec![("found", column(|row| row.0)), ("total", column(|row| row.1))])
}

/// The values, with their trace if it is asked for.
fn finish<T: Sync>(
    reply: &Text,
    readings: &[Option<Reading<T>>],
    value: ArrayRef,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    if trace { traced(reply, readings, value) } else { batch(vec![("value", value)]) }
}

/// The values with the text each was read from, its place in characters, rule and status.
fn traced<T: Sync>(
    reply: &Text,
    readings: &[Option<Reading<T>>],
    value: ArrayRef,
) -> PyResult<PyRecordBatch> {
    // Users slice text by characters, the core by bytes.
    let places = map_rows(readings.len(), |row| {
        let (text, span) = (reply.get(row)?, readings[row].as_ref()?.span.clone()?);
        let characters = |end: usize| Some(text.get(..end)?.chars().count() as u64);
        Some((characters(span.start)?, characters(span.end)?, text.get(span)?))
    });
    let span: StringViewArray = places.iter().map(|place| place.map(|p| p.2)).collect();
    let start: UInt64Array = places.iter().map(|place| place.map(|p| p.0)).collect();
    let end: UInt64Array = places.iter().map(|place| place.map(|p| p.1)).collect();
    let rule: StringArray = readings.iter().map(|r| r.as_ref().map(|r| r.rule)).collect();
    let status: StringArray =
        readings.iter().map(|r| r.as_ref().map(|r| r.status.as_str())).collect();
    batch(vec![
        ("value", value),
        ("span", Arc::new(span)),
        ("start", Arc::new(start)),
        ("end", Arc::new(end)),
        ("rule", Arc::new(rule)),
        ("status", Arc::new(status)),
    ])
}
