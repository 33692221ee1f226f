//! Boxes, code, SQL and function calls.

use std::sync::Arc;

use arrow_array::builder::{LargeListBuilder, LargeStringBuilder, StructBuilder};
use arrow_array::{BooleanArray, StringViewArray};
use arrow_schema::{DataType, Field};
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::answer::{Reading, Which};
use reclaimstats_core::text::boxed as boxes;
use reclaimstats_core::text::calls::{self, Call};
use reclaimstats_core::text::fence::{self, Languages};
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
    // Some rows at a time are copied into the result, so that calls are not held twice.
    const ROWS: usize = 256;
    const PARTS: usize = 256;
    let reply = Text::new(&reply)?;
    py.detach(|| {
        let mut lists = Calls::new();
        let mut readings = Vec::new();
        for start in (0..reply.len()).step_by(ROWS * PARTS) {
            let left = reply.len() - start;
            let parts = map_rows(left.div_ceil(ROWS).min(PARTS), |part| {
                let first = start + part * ROWS;
                let mut found = Part::default();
                for row in first..reply.len().min(first + ROWS) {
                    found.push(reply.get(row).map(calls::function_calls), trace);
                }
                found
            });
            for part in parts {
                lists.append(&part);
                readings.extend(part.readings);
            }
        }
        finish(&reply, &readings, Arc::new(lists.0.finish()), trace)
    })
}

/// The calls of some rows.
#[derive(Default)]
struct Part {
    /// Names and arguments, one behind the other, and where each ends.
    text: String,
    ends: Vec<usize>,
    /// How many calls each row has.
    counts: Vec<Option<usize>>,
    readings: Vec<Option<Reading<Vec<Call>>>>,
}

impl Part {
    fn push(&mut self, mut reading: Option<Reading<Vec<Call>>>, trace: bool) {
        let calls = reading.as_mut().and_then(|reading| reading.value.take());
        self.counts.push(calls.as_ref().map(Vec::len));
        for call in calls.iter().flatten() {
            for text in [&call.name, &call.arguments] {
                self.text.push_str(text);
                self.ends.push(self.text.len());
            }
        }
        if trace {
            self.readings.push(reading);
        }
    }
}

struct Calls(LargeListBuilder<StructBuilder>);

impl Calls {
    fn new() -> Self {
        let text = |name: &str| Field::new(name, DataType::LargeUtf8, true);
        let fields = vec![text("name"), text("arguments")];
        Self(LargeListBuilder::new(StructBuilder::from_fields(fields, 0)))
    }

    fn append(&mut self, part: &Part) {
        let starts = std::iter::once(0).chain(part.ends.iter().copied());
        let mut texts = starts.zip(&part.ends).map(|(start, &end)| part.text.get(start..end));
        for count in &part.counts {
            let structs = self.0.values();
            for _ in 0..count.unwrap_or(0) {
                for at in 0..2 {
                    let text = texts.next().flatten();
                    if let Some(field) = structs.field_builder::<LargeStringBuilder>(at) {
                        field.append_option(text);
                    }
                }
                structs.append(true);
            }
            self.0.append(count.is_some());
        }
    }
}

/// Whether two columns hold the same calls in each row, or the second one what the first may be.
#[pyfunction]
pub(crate) fn calls_match(
    py: Python<'_>,
    predicted: PyChunkedArray,
    expected: PyChunkedArray,
    possible: bool,
) -> PyResult<PyArray> {
    let (predicted, expected) = (Called::new(&predicted)?, Called::new(&expected)?);
    let len = broadcast(&[predicted.len(), expected.len()])?;
    let matches = py.detach(|| {
        map_rows(len, |row| {
            let (predicted, expected) = (predicted.get(row)?, expected.get(row)?);
            Some(if possible {
                calls::possible_calls_match(&predicted, &expected)
            } else {
                calls::calls_match(predicted, expected)
            })
        })
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
