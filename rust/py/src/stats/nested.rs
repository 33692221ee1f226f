//! The nested bootstrap of cells.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::plan::{MeanMethod, Plan};
use reclaimstats_core::resample::nested;

use super::{PlanFields, draw_columns, error_columns, interval_columns};
use crate::columns::{batch, offsets, scores};
use crate::watched::watched;

/// Levels that may lie within each other.
const DEEPEST: usize = 16;

/// Percentile intervals of cells' means; `lengths` holds how many parts each part has, level by
/// level from the cells to the scores.
#[pyfunction]
pub(crate) fn nested_percentiles(
    py: Python<'_>,
    lengths: Vec<PyChunkedArray>,
    scores: PyChunkedArray,
    weighting: &str,
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(MeanMethod::parse)?;
    let scores = self::scores(&scores)?;
    let mut bounds: Vec<Vec<usize>> = Vec::new();
    let mut parts = scores.len();
    for level in lengths.iter().rev() {
        let level = offsets(level, parts)?;
        parts = level.len() - 1;
        bounds.insert(0, level);
    }
    if !(2..=DEEPEST).contains(&bounds.len()) {
        return Err(PyValueError::new_err("there must be cells, clusters and not too many levels"));
    }
    let balanced = weighting == "cluster";
    let rows = watched(py, |watch| {
        nested::percentiles(&bounds, &scores, balanced, &Plan { watch, ..plan })
    })?;
    let (limits, how) = interval_columns(rows.iter(), plan.confidence_level);
    let mut columns = limits.to_vec();
    columns.extend(how);
    columns.extend(draw_columns(rows.iter(), plan.seed));
    columns.extend(error_columns(rows.iter()));
    batch(columns)
}
