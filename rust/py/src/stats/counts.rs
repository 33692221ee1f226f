//! Tests of counts and of p-values.

use arrow_array::Float64Array;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray};
use reclaimstats_core::infer::fisher::{self, Alternative};
use reclaimstats_core::infer::multiplicity::Adjustment;
use reclaimstats_core::infer::sign;

use crate::columns::{Floats, array};
use crate::errors;

/// Exact two-sided p-value of a sign or McNemar test, and its natural logarithm.
#[pyfunction]
pub(crate) fn sign_test(positive: u64, negative: u64) -> PyResult<(f64, f64)> {
    positive
        .checked_add(negative)
        .ok_or_else(|| PyValueError::new_err("counts add up to more than 2^64"))?;
    Ok((sign::p_value(positive, negative), sign::ln_p_value(positive, negative)))
}

/// P-values adjusted for their number; nulls are held out.
#[pyfunction]
pub(crate) fn adjust(py: Python<'_>, pvalues: PyChunkedArray, method: &str) -> PyResult<PyArray> {
    let pvalues = Floats::new(&pvalues)?;
    let method = errors::option("method", method, Adjustment::parse)?;
    let adjusted = py.detach(|| {
        let rows: Vec<Option<f64>> = (0..pvalues.len()).map(|row| pvalues.get(row)).collect();
        method.of(&rows)
    });
    Ok(array(Float64Array::from(adjusted)))
}

/// Natural logarithm of the p-value of Fisher's exact test.
#[pyfunction]
pub(crate) fn fisher_test(
    py: Python<'_>,
    table: [[u64; 2]; 2],
    alternative: &str,
) -> PyResult<f64> {
    let alternative = errors::option("alternative", alternative, Alternative::parse)?;
    if table.as_flattened().iter().any(|count| *count > 1 << 60) {
        return Err(PyValueError::new_err("a count is above 2^60"));
    }
    Ok(py.detach(|| fisher::ln_p_value(table, alternative)))
}
