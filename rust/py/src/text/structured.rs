//! Replies that hold JSON, and verdicts of judges.

use std::borrow::Cow;

use arrow_array::types::Float64Type;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::answer::{Markers, Which};
use reclaimstats_core::text::json::{self, Dialect, Field};
use reclaimstats_core::text::verdict::{self as judge, Labels};

use super::finish;
use crate::cells::{Cells, Flags, Primitives, Texts};
use crate::columns::Text;
use crate::errors;

/// A compiled path of keys.
#[pyclass(name = "Field", frozen, module = "reclaimstats._core")]
pub(crate) struct PyField {
    compiled: Field,
    /// The last key, its words or its tag, as it announces a value in plain text.
    marker: Markers,
}

#[pymethods]
impl PyField {
    #[new]
    fn new(path: Vec<String>) -> PyResult<Self> {
        let compiled =
            Field::new(path.iter().map(String::as_str)).map_err(|error| errors::field(&error))?;
        let last = path.last().map_or("", String::as_str);
        let names = [last.to_owned(), last.replace('_', " "), format!("<{last}>")];
        let marker = Markers::new(&names, Which::Last).map_err(|error| errors::markers(&error))?;
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
    let (len, field) = (reply.len(), &field.compiled);
    py.detach(|| {
        if number {
            let read = |row| Some(json::answer_number(reply.get(row)?, field, dialect));
            return finish(&reply, len, trace, read, Primitives::<Float64Type>::push);
        }
        let read = |row| Some(json::answer_text(reply.get(row)?, field, dialect));
        finish(&reply, len, trace, read, Texts::push)
    })
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
        let read = |row| {
            let text = reply.get(row)?;
            Some(judge::verdict(text, &field.compiled, &field.marker, &labels.compiled))
        };
        let Some(names) = &labels.names else {
            return finish(&reply, reply.len(), trace, read, |flags: &mut Flags, class| {
                flags.push(class.map(|class| class == 1));
            });
        };
        finish(&reply, reply.len(), trace, read, |texts: &mut Texts, class| {
            let name = class.and_then(|class| names.get(class));
            texts.push(name.map(|name| Cow::Borrowed(name.as_str())));
        })
    })
}
