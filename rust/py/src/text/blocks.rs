//! Boxes, code, SQL and function calls.

use std::sync::Arc;

use arrow_array::builder::{LargeListBuilder, LargeStringBuilder, StructBuilder};
use arrow_array::{BooleanArray, StringViewArray};
use arrow_schema::{DataType, Field};
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::answer::Reading;
use reclaimstats_core::text::boxed as boxes;
use reclaimstats_core::text::calls::{self, Call};
use reclaimstats_core::text::fence::{self, Languages};
use reclaimstats_core::text::pattern::Which;
use reclaimstats_core::text::sql;

use super::{finish, traced};
use crate::columns::{Text, TextLists, array, batch, broadcast, map_rows};
use crate::errors;

/// Contents of boxes, in a column `value`; with a trace, how each was read beside it.
#[pyfunction]
pub(crate) fn boxed(
    py: Python<'_>,
    reply: PyChunkedArray,
    which: &str,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let reply = Text::new(&reply)?;
    let which = errors::option("which", which, boxes::Which::parse)?;
    py.detach(|| texts(&reply, |text| boxes::boxed(text, which), trace))
}

/// Code of fenced blocks, as in [`boxed`]; without languages, that of any.
#[pyfunction]
pub(crate) fn code_block(
    py: Python<'_>,
    reply: PyChunkedArray,
    languages: Vec<String>,
    which: &str,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let reply = Text::new(&reply)?;
    let languages = Languages::new(&languages);
    let which = errors::option("which", which, Which::parse)?;
    py.detach(|| texts(&reply, |text| fence::code_block(text, &languages, which), trace))
}

/// SQL, as in [`boxed`].
#[pyfunction]
pub(crate) fn sql_block(
    py: Python<'_>,
    reply: PyChunkedArray,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let reply = Text::new(&reply)?;
    py.detach(|| texts(&reply, sql::sql_block, trace))
}

/// Lists of calls, as in [`boxed`].
#[pyfunction]
pub(crate) fn function_calls(
    py: Python<'_>,
    reply: PyChunkedArray,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    // Calls are copied into the result some rows at a time, so that they are not held twice.
    const ROWS: usize = 1 << 16;
    let reply = Text::new(&reply)?;
    py.detach(|| {
        let mut lists = Calls::new();
        let mut readings = Vec::new();
        for start in (0..reply.len()).step_by(ROWS) {
            let rows = ROWS.min(reply.len() - start);
            let found = map_rows(rows, |row| Some(calls::function_calls(reply.get(start + row)?)));
            for mut reading in found {
                lists.append(reading.as_mut().and_then(|reading| reading.value.take()));
                if trace {
                    readings.push(reading);
                }
            }
        }
        finish(&reply, &readings, Arc::new(lists.0.finish()), trace)
    })
}

struct Calls(LargeListBuilder<StructBuilder>);

impl Calls {
    fn new() -> Self {
        let text = |name: &str| Field::new(name, DataType::LargeUtf8, true);
        let fields = vec![text("name"), text("arguments")];
        Self(LargeListBuilder::new(StructBuilder::from_fields(fields, 0)))
    }

    fn append(&mut self, calls: Option<Vec<Call>>) {
        let valid = calls.is_some();
        for call in calls.into_iter().flatten() {
            let structs = self.0.values();
            for (at, text) in [call.name, call.arguments].iter().enumerate() {
                if let Some(field) = structs.field_builder::<LargeStringBuilder>(at) {
                    field.append_value(text);
                }
            }
            structs.append(true);
        }
        self.0.append(valid);
    }
}

/// Whether two columns hold the same calls in each row.
#[pyfunction]
pub(crate) fn calls_match(
    py: Python<'_>,
    predicted: PyChunkedArray,
    expected: PyChunkedArray,
) -> PyResult<PyArray> {
    let (predicted, expected) = (Called::new(&predicted)?, Called::new(&expected)?);
    let len = broadcast(&[predicted.len(), expected.len()])?;
    let matches = py.detach(|| {
        map_rows(len, |row| Some(calls::calls_match(predicted.get(row)?, expected.get(row)?)))
    });
    Ok(array(BooleanArray::from(matches)))
}

/// A column of replies, or of lists of calls that are texts.
enum Called {
    Reply(Text),
    Lists(TextLists),
}

impl Called {
    fn new(column: &PyChunkedArray) -> PyResult<Self> {
        if column.data_type().is_list() {
            TextLists::new(column).map(Self::Lists)
        } else {
            Text::new(column).map(Self::Reply)
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Reply(text) => text.len(),
            Self::Lists(lists) => lists.len(),
        }
    }

    fn get(&self, row: usize) -> Option<Vec<Call>> {
        match self {
            Self::Reply(text) => calls::function_calls(text.get(row)?).value,
            Self::Lists(lists) => {
                let mut calls = Vec::new();
                for text in lists.get(row)? {
                    calls.extend(calls::function_calls(text).value?);
                }
                Some(calls)
            }
        }
    }
}

/// What a kernel reads in each reply.
fn texts<'a, T: AsRef<str> + Send + Sync>(
    reply: &'a Text,
    kernel: impl Fn(&'a str) -> Reading<T> + Send + Sync,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    if !trace {
        let values = map_rows(reply.len(), |row| kernel(reply.get(row)?).value);
        let values: StringViewArray = values.iter().map(Option::as_ref).collect();
        return batch(vec![("value", Arc::new(values))]);
    }
    let readings = map_rows(reply.len(), |row| Some(kernel(reply.get(row)?)));
    let values: StringViewArray =
        readings.iter().map(|reading| reading.as_ref()?.value.as_ref()).collect();
    traced(reply, &readings, Arc::new(values))
}
