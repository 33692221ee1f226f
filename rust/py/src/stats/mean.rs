//! Means of scores in cells.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::mean::{self, Mean};
use reclaimstats_core::plan::{MeanMethod, Plan};

use super::{
    PlanFields, counts_out, design, draw_columns, error_columns, floats_out, interval_columns,
};
use crate::columns::{batch, counts, offsets, scores};
use crate::watched::watched;

/// Means of cells of independent scores; `lengths` holds the number of scores of each cell.
#[pyfunction]
pub(crate) fn mean_trials(
    py: Python<'_>,
    lengths: PyChunkedArray,
    scores: PyChunkedArray,
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(MeanMethod::parse)?;
    let scores = finite(&scores)?;
    let offsets = offsets(&lengths, scores.len())?;
    let rows = watched(py, |watch| mean::of_trials(&offsets, &scores, &Plan { watch, ..plan }))?;
    means(&rows, &plan)
}

/// Means of cells of clusters; `clusters` holds the number of clusters of each cell, `lengths`
/// the number of scores of each cluster.
#[pyfunction]
pub(crate) fn mean_clusters(
    py: Python<'_>,
    clusters: PyChunkedArray,
    lengths: PyChunkedArray,
    scores: PyChunkedArray,
    weighting: &str,
    variance: &str,
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(MeanMethod::parse)?;
    let design = design(weighting, variance)?;
    let scores = finite(&scores)?;
    offsets(&lengths, scores.len())?;
    let lengths = counts(&lengths)?;
    let offsets = offsets(&clusters, lengths.len())?;
    let rows = watched(py, |watch| {
        mean::of_clusters(&offsets, &lengths, &scores, design, &Plan { watch, ..plan })
    })?;
    means(&rows, &plan)
}

/// Finite scores of a column.
pub(super) fn finite(column: &PyChunkedArray) -> PyResult<Vec<f64>> {
    let values = scores(column)?;
    if values.iter().all(|value| value.is_finite()) {
        Ok(values)
    } else {
        Err(PyValueError::new_err("a score is not a number"))
    }
}

fn means(rows: &[Mean], plan: &Plan<MeanMethod>) -> PyResult<PyRecordBatch> {
    let mut columns = vec![
        ("n", counts_out(rows.iter().map(|r| Some(r.trials)))),
        ("n_clusters", counts_out(rows.iter().map(|r| r.clusters))),
        ("estimate", floats_out(rows.iter().map(|r| r.estimate))),
        ("sd", floats_out(rows.iter().map(|r| r.deviation))),
        ("standard_error", floats_out(rows.iter().map(|r| r.standard_error))),
        ("standard_error_clustered", floats_out(rows.iter().map(|r| r.clustered_error))),
    ];
    let (limits, how) = interval_columns(rows.iter().map(|r| &r.interval), plan.confidence_level);
    columns.extend(limits);
    columns.extend(how);
    columns.extend(draw_columns(rows.iter().map(|r| &r.interval), plan.seed));
    columns.extend(error_columns(rows.iter().map(|r| &r.interval)));
    batch(columns)
}
