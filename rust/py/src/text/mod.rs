//! Text scorers, row by row.

pub(crate) mod answers;
pub(crate) mod blocks;
pub(crate) mod cues;
pub(crate) mod matching;
pub(crate) mod memory;
pub(crate) mod structured;

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray, StringViewArray, UInt64Array};
use pyo3::PyResult;
use pyo3_arrow::PyRecordBatch;
use reclaimstats_core::text::answer::Reading;

use crate::columns::{Text, batch, map_rows};

/// The values, with their trace if it is asked for.
fn finish<T: Sync, S: Copy + Into<&'static str> + Sync>(
    reply: &Text,
    readings: &[Option<Reading<T, S>>],
    value: ArrayRef,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    if trace { traced(reply, readings, value) } else { batch(vec![("value", value)]) }
}

/// The values with the text each was read from, its place in characters, rule and status.
fn traced<T: Sync, S: Copy + Into<&'static str> + Sync>(
    reply: &Text,
    readings: &[Option<Reading<T, S>>],
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
        readings.iter().map(|r| r.as_ref().map(|r| -> &'static str { r.status.into() })).collect();
    batch(vec![
        ("value", value),
        ("span", Arc::new(span)),
        ("start", Arc::new(start)),
        ("end", Arc::new(end)),
        ("rule", Arc::new(rule)),
        ("status", Arc::new(status)),
    ])
}
