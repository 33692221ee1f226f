//! Boxes, code, SQL and function calls.

use std::sync::Arc;

use arrow_array::StringViewArray;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::answer::Reading;
use reclaimstats_core::text::boxed as boxes;
use reclaimstats_core::text::fence::{self, Languages};
use reclaimstats_core::text::pattern::Which;
use reclaimstats_core::text::sql;

use super::finish;
use crate::columns::{Text, map_rows};
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

/// What a kernel reads in each reply.
fn texts<'a, T: AsRef<str> + Send + Sync>(
    reply: &'a Text,
    kernel: impl Fn(&'a str) -> Reading<T> + Send + Sync,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let readings = map_rows(reply.len(), |row| Some(kernel(reply.get(row)?)));
    let values: StringViewArray = readings
        .iter()
        .map(|reading| reading.as_ref()?.value.as_ref().map(AsRef::as_ref))
        .collect();
    finish(reply, &readings, Arc::new(values), trace)
}
