//! What an answer is worth, row by row.

use arrow_array::UInt8Array;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray};
use reclaimstats_core::outcome;

use crate::columns::{Floats, Text, array, broadcast, map_rows};

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
