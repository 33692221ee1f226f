//! Combinations of several arms' rates.

use std::sync::Arc;

use arrow_array::StringArray;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::contrasts::{self, Arm, Combined};
use reclaimstats_core::groups::Options;

use super::{arms, counts_out, floats_out, options, p_columns};
use crate::columns::{batch, offsets};
use crate::watched::watched;

/// Differences in differences, per cell of independent trials, or, with the number of clusters in
/// `lengths`, of clusters.
///
/// Columns in order: trials and successes of the treatment and of the baseline in the first group,
/// then in the second.
#[pyfunction]
pub(crate) fn difference_in_differences(
    py: Python<'_>,
    lengths: Option<PyChunkedArray>,
    columns: [PyChunkedArray; 8],
    confidence_level: f64,
    n_resamples: u32,
    seed: u64,
) -> PyResult<PyRecordBatch> {
    let options = options(confidence_level, n_resamples, seed)?;
    let rows = arms(&columns)?;
    let offsets = lengths.map(|lengths| offsets(&lengths, rows.len())).transpose()?;
    combined(&watched(py, |watch| {
        let options = Options { watch, ..options };
        contrasts::differences_in_differences(offsets.as_deref(), &rows, &options)
    })?)
}

/// Shares of a gap closed; as above, of method, baseline and oracle.
#[pyfunction]
pub(crate) fn gap_closure(
    py: Python<'_>,
    lengths: Option<PyChunkedArray>,
    columns: [PyChunkedArray; 6],
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    super::tail(confidence_level)?;
    let rows = arms(&columns)?;
    let offsets = lengths.map(|lengths| offsets(&lengths, rows.len())).transpose()?;
    combined(&watched(py, |watch| {
        contrasts::gap_closures(offsets.as_deref(), &rows, confidence_level, watch)
    })?)
}

fn combined<const A: usize>(rows: &[Combined<A>]) -> PyResult<PyRecordBatch> {
    const TRIALS: [&str; 4] = ["n_0", "n_1", "n_2", "n_3"];
    const RATES: [&str; 4] = ["rate_0", "rate_1", "rate_2", "rate_3"];
    let mut columns = Vec::new();
    for arm in 0..A {
        let rate = |(trials, hits): Arm| (trials > 0).then(|| hits as f64 / trials as f64);
        columns.push((TRIALS[arm], counts_out(rows.iter().map(|r| Some(r.arms[arm].0)))));
        columns.push((RATES[arm], floats_out(rows.iter().map(|r| rate(r.arms[arm])))));
    }
    let method: StringArray = rows.iter().map(|r| Some(r.method)).collect();
    let test: StringArray = rows.iter().map(|r| r.test_method).collect();
    let reason: StringArray = rows.iter().map(|r| r.effect.reason).collect();
    columns.extend([
        ("n_clusters", counts_out(rows.iter().map(|r| r.clusters))),
        ("estimate", floats_out(rows.iter().map(|r| r.effect.estimate))),
        ("low", floats_out(rows.iter().map(|r| r.effect.low))),
        ("high", floats_out(rows.iter().map(|r| r.effect.high))),
        ("n_resamples", counts_out(rows.iter().map(|r| r.test?.1.map(u64::from)))),
    ]);
    let tested = rows.iter().map(|r| r.test.map(|test| test.0));
    columns.extend(p_columns(["pvalue", "log_pvalue"], tested));
    columns.push(("test", Arc::new(test)));
    columns.push(("method", Arc::new(method)));
    columns.push(("reason", Arc::new(reason)));
    batch(columns)
}
