//! Replies that hold JSON, and verdicts of judges.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringViewArray};
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::answer::Markers;
use reclaimstats_core::text::json::{self, Dialect, Field};
use reclaimstats_core::text::verdict::{self as judge, Labels};

use super::finish;
use crate::columns::{Text, batch, map_rows};
use crate::errors;

/// A compiled path of keys.
#[pyclass(name = "Field", frozen, module = "reclaimstats._core")]
pub(crate) struct PyField {
    compiled: Field,
    /// The last key, or its words, as it announces a value in plain text.
    marker: Markers,
}

#[pymethods]
impl PyField {
    #[new]
    fn new(path: Vec<String>) -> PyResult<Self> {
        let compiled =
            Field::new(path.iter().map(String::as_str)).map_err(|error| errors::field(&error))?;
        let last = path.last().map_or("", String::as_str);
        let marker = Markers::new(&[last.to_owned(), last.replace('_', " ")])
            .map_err(|error| errors::markers(&error))?;
        Ok(Self { compiled, marker })
    }
}

/// The field of a reply's last object, as a number or as text; see `answers::answer_number`.
#[pyfunction]
pub(crate) fn answer_json(
    py: Python<'_>,
    reply: PyChunkedArray,
    field: &PyField,
    number: bool,
    dialect: &str,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let reply = Text::new(&reply)?;
    let dialect = errors::option("dialect", dialect, Dialect::parse)?;
    let as_number = |row| Some(json::answer_number(reply.get(row)?, &field.compiled, dialect));
    let as_text = |row| Some(json::answer_text(reply.get(row)?, &field.compiled, dialect));
    py.detach(|| match (number, trace) {
        (true, true) => {
            let readings = map_rows(reply.len(), as_number);
            let values = readings.iter().map(|reading| reading.as_ref()?.value);
            finish(&reply, &readings, Arc::new(values.collect::<Float64Array>()), true)
        }
        (true, false) => {
            let values: Float64Array = map_rows(reply.len(), |row| as_number(row)?.value).into();
            batch(vec![("value", Arc::new(values))])
        }
        (false, true) => {
            let readings = map_rows(reply.len(), as_text);
            let values = readings.iter().map(|reading| reading.as_ref()?.value.as_deref());
            finish(&reply, &readings, Arc::new(values.collect::<StringViewArray>()), true)
        }
        (false, false) => {
            let values = map_rows(reply.len(), |row| as_text(row)?.value);
            batch(vec![("value", texts(&values))])
        }
    })
}

fn texts(values: &[Option<Cow<'_, str>>]) -> ArrayRef {
    Arc::new(values.iter().map(Option::as_deref).collect::<StringViewArray>())
}

/// A compiled set of labels, each with its class.
#[pyclass(name = "Labels", frozen, module = "reclaimstats._core")]
pub(crate) struct PyLabels {
    compiled: Labels,
    /// Names of the classes; none where they are false and true.
    names: Option<Vec<String>>,
}

#[pymethods]
impl PyLabels {
    #[new]
    fn new(labels: Vec<(String, usize)>, names: Option<Vec<String>>) -> PyResult<Self> {
        Labels::new(labels.iter().map(|(label, class)| (label.as_str(), *class)))
            .map(|compiled| Self { compiled, names })
            .map_err(|error| errors::labels(&error))
    }
}

/// The class of the label that each reply decides for; see `answers::answer_number`.
#[pyfunction]
pub(crate) fn verdict(
    py: Python<'_>,
    reply: PyChunkedArray,
    field: &PyField,
    labels: &PyLabels,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let reply = Text::new(&reply)?;
    py.detach(|| {
        let readings = map_rows(reply.len(), |row| {
            let text = reply.get(row)?;
            Some(judge::verdict(text, &field.compiled, &field.marker, &labels.compiled))
        });
        let classes = readings.iter().map(|reading| reading.as_ref()?.value);
        let values: ArrayRef = match &labels.names {
            None => Arc::new(classes.map(|class| Some(class? == 1)).collect::<BooleanArray>()),
            Some(names) => {
                Arc::new(classes.map(|class| names.get(class?)).collect::<StringViewArray>())
            }
        };
        finish(&reply, &readings, values, trace)
    })
}
