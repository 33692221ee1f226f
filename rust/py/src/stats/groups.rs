//! Independent groups of trials: cells compared, and exact tests of fourfold tables.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use rayon::prelude::*;
use reclaimstats_core::groups::{self, Arms, Clusters, Groups};
use reclaimstats_core::infer::barnard;
use reclaimstats_core::infer::fisher::{self, Alternative};
use reclaimstats_core::infer::p_value;

use super::{arms, counts_out, floats_out, interval_columns, options};
use crate::columns::{batch, counts, offsets};
use crate::errors;

/// Two independent groups compared, per cell of independent trials, or, with the number of
/// clusters in `lengths`, of clusters.
///
/// Columns in order: trials and successes of the treatment, then of the baseline.
#[pyfunction]
pub(crate) fn compare_groups(
    py: Python<'_>,
    lengths: Option<PyChunkedArray>,
    columns: [PyChunkedArray; 4],
    confidence_level: f64,
    n_resamples: u32,
    seed: u64,
) -> PyResult<PyRecordBatch> {
    let options = options(confidence_level, n_resamples, seed)?;
    let arms = arms(&columns)?.into_iter();
    let arms: Vec<Arms> = arms.map(|[treatment, baseline]| Arms { treatment, baseline }).collect();
    let rows = if let Some(lengths) = lengths {
        let offsets = offsets(&lengths, arms.len())?;
        py.detach(|| groups::of_clusters(&offsets, &arms, &options))
    } else {
        py.detach(|| groups::of_trials(&arms, &options))
    };
    compared(&rows, confidence_level)
}

fn compared(rows: &[Groups], confidence_level: f64) -> PyResult<PyRecordBatch> {
    let rate = |count: &reclaimstats_core::rate::Count| {
        (count.trials > 0).then(|| count.successes as f64 / count.trials as f64)
    };
    let clusters = |field: fn(&Clusters) -> u64| {
        counts_out(rows.iter().map(move |r| r.clusters.as_ref().map(field)))
    };
    let difference = |r: &Groups| Some(rate(&r.treatment)? - rate(&r.baseline)?);
    let (limits, how) = interval_columns(rows.iter().map(|r| &r.interval), confidence_level);
    let mut columns = vec![
        ("n_treatment", counts_out(rows.iter().map(|r| Some(r.treatment.trials)))),
        ("n_baseline", counts_out(rows.iter().map(|r| Some(r.baseline.trials)))),
        ("n_clusters_treatment", clusters(|c| c.treatment)),
        ("n_clusters_baseline", clusters(|c| c.baseline)),
        ("n_clusters_shared", clusters(|c| c.shared)),
        ("treatment", floats_out(rows.iter().map(|r| rate(&r.treatment)))),
        ("baseline", floats_out(rows.iter().map(|r| rate(&r.baseline)))),
        ("difference", floats_out(rows.iter().map(difference))),
        ("fisher_p", floats_out(rows.iter().map(|r| r.fisher_p))),
        ("permutation_p", floats_out(rows.iter().map(|r| r.permutation_p))),
        ("n_resamples", counts_out(rows.iter().map(|r| r.n_resamples.map(u64::from)))),
    ];
    columns.extend(limits);
    columns.extend(how);
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
    Ok(py.detach(|| barnard::ln_p_value(table, alternative)))
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
    let found: Vec<f64> = py.detach(|| {
        let table = |row: usize| [[a[row], b[row]], [c[row], d[row]]];
        let rows = (0..a.len()).into_par_iter().with_min_len(64);
        rows.map(|row| fisher::ln_p_value(table(row), alternative)).collect()
    });
    batch(vec![
        ("pvalue", floats_out(found.iter().map(|ln_p| Some(p_value(*ln_p))))),
        ("log_pvalue", floats_out(found.iter().map(|ln_p| Some(*ln_p)))),
    ])
}
