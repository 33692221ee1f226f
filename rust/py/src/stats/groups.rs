//! Independent groups of trials: cells compared, and exact tests of fourfold tables.

use std::sync::Arc;

use arrow_array::StringArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::compare::Measure;
use reclaimstats_core::groups::{self, Arms, Clusters, Groups, Options};
use reclaimstats_core::infer::barnard;
use reclaimstats_core::infer::fisher::{self, Alternative};
use reclaimstats_core::infer::p_value;

use super::{arms, counts_out, floats_out, options, p_columns};
use crate::columns::{batch, counts, offsets};
use crate::errors;
use crate::watched::watched;

/// Two independent groups compared, per cell of independent trials, or, with the number of
/// clusters in `lengths`, of clusters; with the number of strata of each cell in `strata`, those
/// are of strata.
///
/// Columns in order: trials and successes of the treatment, then of the baseline.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "what the Python layer has read, one by one")]
pub(crate) fn compare_groups(
    py: Python<'_>,
    strata: Option<PyChunkedArray>,
    lengths: Option<PyChunkedArray>,
    columns: [PyChunkedArray; 4],
    effect: &str,
    confidence_level: f64,
    n_resamples: u32,
    seed: u64,
) -> PyResult<PyRecordBatch> {
    let options = options(confidence_level, n_resamples, seed)?;
    let measure = errors::option("effect", effect, Measure::parse)?;
    let arms = arms(&columns)?.into_iter();
    let arms: Vec<Arms> = arms.map(|[treatment, baseline]| Arms { treatment, baseline }).collect();
    let bounds = lengths.map(|lengths| offsets(&lengths, arms.len())).transpose()?;
    let many = bounds.as_ref().map_or(arms.len(), |bounds| bounds.len().saturating_sub(1));
    let strata = strata.map(|strata| offsets(&strata, many)).transpose()?;
    let rows = watched(py, |watch| {
        let options = Options { watch, ..options };
        match (&strata, &bounds) {
            (Some(strata), bounds) => {
                groups::of_strata(strata, bounds.as_deref(), &arms, measure, &options)
            }
            (None, Some(bounds)) => groups::of_clusters(bounds, &arms, measure, &options),
            (None, None) => groups::of_trials(&arms, measure, &options),
        }
    })?;
    compared(&rows, confidence_level)
}

fn compared(rows: &[Groups], confidence_level: f64) -> PyResult<PyRecordBatch> {
    let rate = |count: &reclaimstats_core::rate::Count| {
        (count.trials > 0).then(|| count.successes as f64 / count.trials as f64)
    };
    let clusters = |field: fn(&Clusters) -> u64| {
        counts_out(rows.iter().map(move |r| r.clusters.as_ref().map(field)))
    };
    let method: StringArray = rows.iter().map(|r| Some(r.method)).collect();
    let reason: StringArray = rows.iter().map(|r| r.effect.reason).collect();
    let mut columns = vec![
        ("n_treatment", counts_out(rows.iter().map(|r| Some(r.treatment.trials)))),
        ("n_baseline", counts_out(rows.iter().map(|r| Some(r.baseline.trials)))),
        ("n_clusters_treatment", clusters(|c| c.treatment)),
        ("n_clusters_baseline", clusters(|c| c.baseline)),
        ("n_clusters_shared", clusters(|c| c.shared)),
        ("n_strata", counts_out(rows.iter().map(|r| r.strata))),
        ("treatment", floats_out(rows.iter().map(|r| rate(&r.treatment)))),
        ("baseline", floats_out(rows.iter().map(|r| rate(&r.baseline)))),
        ("difference", floats_out(rows.iter().map(|r| r.difference))),
        ("effect", floats_out(rows.iter().map(|r| r.effect.estimate))),
        ("low", floats_out(rows.iter().map(|r| r.effect.low))),
        ("high", floats_out(rows.iter().map(|r| r.effect.high))),
        ("n_resamples", counts_out(rows.iter().map(|r| r.n_resamples.map(u64::from)))),
        ("confidence_level", floats_out(rows.iter().map(|_| Some(confidence_level)))),
    ];
    columns.extend(p_columns(["trials_p", "trials_log_p"], rows.iter().map(|r| r.trials_p)));
    let permuted = rows.iter().map(|r| r.permutation_p);
    columns.extend(p_columns(["permutation_p", "permutation_log_p"], permuted));
    columns.push(("method", Arc::new(method)));
    columns.push(("reason", Arc::new(reason)));
    batch(columns)
}

/// Natural logarithm of the p-value of Barnard's exact test.
#[pyfunction]
pub(crate) fn barnard_test(
    py: Python<'_>,
    table: [[u64; 2]; 2],
    alternative: &str,
) -> PyResult<f64> {
    let alternative = errors::option("alternative", alternative, Alternative::parse)?;
    if table.iter().any(|row| row.iter().any(|count| *count > barnard::MOST)) {
        return Err(PyValueError::new_err("a row has too many trials"));
    }
    watched(py, |watch| barnard::ln_p_value(table, alternative, watch))
}

/// Fisher's exact test of every row of four columns of counts.
#[pyfunction]
pub(crate) fn fisher_tables(
    py: Python<'_>,
    cells: [PyChunkedArray; 4],
    alternative: &str,
) -> PyResult<PyRecordBatch> {
    let alternative = errors::option("alternative", alternative, Alternative::parse)?;
    let cells = cells.iter().map(counts).collect::<PyResult<Vec<_>>>()?;
    let [a, b, c, d] = cells.as_slice() else {
        return Err(PyValueError::new_err("a table has four cells"));
    };
    if cells.iter().any(|cell| cell.len() != a.len() || cell.iter().any(|count| *count > 1 << 60)) {
        return Err(PyValueError::new_err("columns differ in length, or a count is above 2^60"));
    }
    let found: Vec<f64> = watched(py, |watch| {
        let table = |row: usize| [[a[row], b[row]], [c[row], d[row]]];
        let rows = (0..a.len()).collect();
        watch.cells(rows, (), |(), row| fisher::ln_p_value(table(row), alternative))
    })?;
    batch(vec![
        ("pvalue", floats_out(found.iter().map(|ln_p| Some(p_value(*ln_p))))),
        ("log_pvalue", floats_out(found.iter().map(|ln_p| Some(*ln_p)))),
    ])
}
