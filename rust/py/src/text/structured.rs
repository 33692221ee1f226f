//! Replies that hold JSON, and verdicts of judges.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, StringViewArray};
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::json::{self, Dialect, Field};

use super::finish;
use crate::columns::{Text, batch, map_rows};
use crate::errors;

/// A compiled path of keys.
#[pyclass(name = "Field", frozen, module = "reclaimstats._core")]
pub(crate) struct PyField(Field);

#[pymethods]
impl PyField {
    #[new]
    fn new(path: Vec<String>) -> PyResult<Self> {
        Field::new(path.iter().map(String::as_str)).map(Self).map_err(|error| errors::field(&error))
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
    let as_number = |row| Some(json::answer_number(reply.get(row)?, &field.0, dialect));
    let as_text = |row| Some(json::answer_text(reply.get(row)?, &field.0, dialect));
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
