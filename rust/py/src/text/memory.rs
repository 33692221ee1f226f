//! What a note keeps of its source, and what it adds.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, LargeListBuilder};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, UInt64Array};
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::answer::Dialect;
use reclaimstats_core::text::containment as overlap;
use reclaimstats_core::text::figures::{self, Known};
use reclaimstats_core::text::survival::{self, Items};

use crate::columns::{FloatLists, Text, TextLists, array, batch, broadcast, map_rows};
use crate::errors;

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
