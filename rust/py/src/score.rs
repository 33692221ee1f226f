//! What an answer is worth, row by row.

use arrow_array::UInt8Array;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray};
use reclaimstats_core::outcome;
use reclaimstats_core::text::regime::{self, Regime};

use crate::columns::{Floats, Text, array, broadcast, map_rows};
use crate::text::cues::PyLexicon;

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

/// Regimes of notes with the share of their source that survives, as positions in the names; the
/// conclusions are numbers.
#[pyfunction]
pub(crate) fn regime_number(
    py: Python<'_>,
    note: PyChunkedArray,
    survival: PyChunkedArray,
    conclusion: PyChunkedArray,
    incomplete: &PyLexicon,
) -> PyResult<PyArray> {
    let (note, survival, conclusion) =
        (Text::new(&note)?, Floats::new(&survival)?, Floats::new(&conclusion)?);
    let len = broadcast(&[note.len(), survival.len(), conclusion.len()])?;
    let codes = py.detach(|| {
        map_rows(len, |row| {
            let (note, survival) = (note.get(row)?, survival.get(row)?);
            let value = conclusion.get(row).filter(|value| !value.is_nan())?;
            let stated = || regime::states_number(note, value);
            Some(Regime::new(note, survival, stated, &incomplete.compiled).code())
        })
    });
    Ok(array(UInt8Array::from(codes)))
}

/// As [`regime_number`], with conclusions in words.
#[pyfunction]
pub(crate) fn regime_text(
    py: Python<'_>,
    note: PyChunkedArray,
    survival: PyChunkedArray,
    conclusion: PyChunkedArray,
    incomplete: &PyLexicon,
) -> PyResult<PyArray> {
    let (note, survival, conclusion) =
        (Text::new(&note)?, Floats::new(&survival)?, Text::new(&conclusion)?);
    let len = broadcast(&[note.len(), survival.len(), conclusion.len()])?;
    let codes = py.detach(|| {
        map_rows(len, |row| {
            let (note, survival) = (note.get(row)?, survival.get(row)?);
            let conclusion = conclusion.get(row)?;
            let stated = || regime::states(note, conclusion);
            Some(Regime::new(note, survival, stated, &incomplete.compiled).code())
        })
    });
    Ok(array(UInt8Array::from(codes)))
}
