//! Evidence that is valid at every look.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::evidence;
use reclaimstats_core::infer::fisher::Alternative;

use super::{counts_out, floats_out};
use crate::columns::{batch, counts, offsets};
use crate::errors;
use crate::watched::watched;

/// Fortunes and confidence sequences over the looks of cells; `lengths` holds how many each
/// cell has, the other columns the signs that each look adds.
#[pyfunction]
pub(crate) fn evidence_looks(
    py: Python<'_>,
    lengths: PyChunkedArray,
    positive: PyChunkedArray,
    negative: PyChunkedArray,
    alternative: &str,
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    let alternative = errors::option("alternative", alternative, Alternative::parse)?;
    let signs: Vec<(u64, u64)> = counts(&positive)?.into_iter().zip(counts(&negative)?).collect();
    let offsets = offsets(&lengths, signs.len())?;
    let total = signs.iter().try_fold(0_u64, |sum, (p, n)| sum.checked_add(*p)?.checked_add(*n));
    if total.is_none_or(|total| total > 1 << 53) {
        return Err(PyValueError::new_err("more than 2^53 signs"));
    }
    let looks = watched(py, |watch| {
        evidence::sequences(&offsets, &signs, alternative, confidence_level, watch)
    })?;
    batch(vec![
        ("n_signs", counts_out(looks.iter().map(|look| Some(look.positive + look.negative)))),
        ("positive", counts_out(looks.iter().map(|look| Some(look.positive)))),
        ("negative", counts_out(looks.iter().map(|look| Some(look.negative)))),
        ("log_e", floats_out(looks.iter().map(|look| Some(look.ln_e)))),
        ("log_e_max", floats_out(looks.iter().map(|look| Some(look.ln_e_max)))),
        ("pvalue", floats_out(looks.iter().map(|look| Some(look.p_value())))),
        ("low", floats_out(looks.iter().map(|look| Some(look.limits.0)))),
        ("high", floats_out(looks.iter().map(|look| Some(look.limits.1)))),
    ])
}
