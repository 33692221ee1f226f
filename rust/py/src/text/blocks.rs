//! Boxes, code, SQL and function calls.

use std::borrow::Cow;

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::answer::{Reading, Which};
use reclaimstats_core::text::boxed as boxes;
use reclaimstats_core::text::calls::{self, Call};
use reclaimstats_core::text::fence::{self, Languages};
use reclaimstats_core::text::sql;

use super::finish;
use crate::cells::{Cells, Grow, Lists, Members, Texts, structs};
use crate::columns::{Text, TextLists, array, broadcast, flags_with};
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
    let reply = Text::new(&reply)?;
    py.detach(|| {
        let read = |row| Some(calls::function_calls(reply.get(row)?));
        finish(&reply, reply.len(), trace, read, |lists: &mut Lists<Calls>, calls| {
            lists.push(calls);
        })
    })
}

/// Names and arguments of calls.
#[derive(Default)]
struct Calls {
    name: Texts,
    arguments: Texts,
}

impl Grow for Calls {
    fn append(&mut self, block: Self) {
        self.name.append(block.name);
        self.arguments.append(block.arguments);
    }
}

impl Members for Calls {
    fn len(&self) -> usize {
        self.name.len()
    }

    fn column(self) -> Result<ArrayRef, ArrowError> {
        structs(vec![("name", self.name.column()?), ("arguments", self.arguments.column()?)])
    }
}

impl Cells for Calls {
    type Value<'a> = Call;

    fn push(&mut self, call: Option<Call>) {
        let (name, arguments) = call.map(|call| (call.name, call.arguments)).unzip();
        self.name.push(name.map(Cow::Owned));
        self.arguments.push(arguments.map(Cow::Owned));
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
    let matches = |(): &mut (), row| {
        let (predicted, expected) = (predicted.get(row)?, expected.get(row)?);
        Some(if possible {
            calls::possible_calls_match(&predicted, &expected)
        } else {
            calls::calls_match(predicted, expected)
        })
    };
    Ok(array(py.detach(|| flags_with(len, || (), matches))))
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
fn texts<'a, T: Into<Cow<'a, str>>>(
    reply: &'a Text,
    kernel: impl Fn(&'a str) -> Reading<T> + Send + Sync,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let read = |row| Some(kernel(reply.get(row)?));
    finish(reply, reply.len(), trace, read, |texts: &mut Texts, text| {
        texts.push(text.map(Into::into));
    })
}
