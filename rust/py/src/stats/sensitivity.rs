//! What two scoring rules say of trials in two arms.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::sensitivity::{self, Arms, Sensitivity, Verdicts};

use super::{counts_out, floats_out, interval_columns, p_columns};
use crate::columns::{batch, counts, offsets};

/// What two scoring rules say of trials in two arms, per cell of independent trials, or, with
/// the number of clusters in `lengths`, of clusters.
///
/// Columns in order: of the treatment, then of the baseline, first rule by second rule, a miss,
/// a hit, nothing.
#[pyfunction]
pub(crate) fn sensitivity_counts(
    py: Python<'_>,
    lengths: Option<PyChunkedArray>,
    columns: [PyChunkedArray; 18],
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    if !(confidence_level > 0.0 && confidence_level < 1.0) {
        return Err(PyValueError::new_err("confidence_level out of range"));
    }
    let arms = zip_arms(&columns)?;
    let rows = if let Some(lengths) = lengths {
        let offsets = offsets(&lengths, arms.len())?;
        py.detach(|| sensitivity::of_clusters(&offsets, &arms, confidence_level))
    } else {
        py.detach(|| sensitivity::of_trials(&arms, confidence_level))
    };
    sensitivities(&rows, confidence_level)
}

fn zip_arms(columns: &[PyChunkedArray; 18]) -> PyResult<Vec<Arms>> {
    let columns = columns.iter().map(counts).collect::<PyResult<Vec<_>>>()?;
    let rows = columns[0].len();
    if columns.iter().any(|column| column.len() != rows) {
        return Err(PyValueError::new_err("columns of counts differ in length"));
    }
    let verdicts = |row: usize, start: usize| {
        Verdicts(std::array::from_fn(|first| {
            std::array::from_fn(|second| columns[start + 3 * first + second][row])
        }))
    };
    let arms = |row| Arms { treatment: verdicts(row, 0), baseline: verdicts(row, 9) };
    Ok((0..rows).map(arms).collect())
}

fn sensitivities(rows: &[Sensitivity], confidence_level: f64) -> PyResult<PyRecordBatch> {
    let treatment = |count: fn(&Verdicts) -> u64| {
        counts_out(rows.iter().map(move |r| Some(count(&r.total.treatment))))
    };
    let baseline = |count: fn(&Verdicts) -> u64| {
        counts_out(rows.iter().map(move |r| Some(count(&r.total.baseline))))
    };
    let unread = rows.iter().map(|r| Some(r.total.treatment.unread() + r.total.baseline.unread()));
    let (limits, how) = interval_columns(rows.iter().map(|r| &r.interval), confidence_level);
    let mut columns = vec![
        ("n_treatment", treatment(Verdicts::read)),
        ("n_baseline", baseline(Verdicts::read)),
        ("n_clusters", counts_out(rows.iter().map(|r| r.clusters))),
        ("n_missing", counts_out(unread)),
        ("disagree_treatment", treatment(Verdicts::disagree)),
        ("disagree_baseline", baseline(Verdicts::disagree)),
        ("first_only_treatment", treatment(Verdicts::first_only)),
        ("first_only_baseline", baseline(Verdicts::first_only)),
        ("second_only_treatment", treatment(Verdicts::second_only)),
        ("second_only_baseline", baseline(Verdicts::second_only)),
        ("first_missing_treatment", treatment(Verdicts::first_missing)),
        ("first_missing_baseline", baseline(Verdicts::first_missing)),
        ("second_missing_treatment", treatment(Verdicts::second_missing)),
        ("second_missing_baseline", baseline(Verdicts::second_missing)),
        ("difference_first", floats_out(rows.iter().map(|r| r.differences.0))),
        ("difference_second", floats_out(rows.iter().map(|r| r.differences.1))),
        ("shift", floats_out(rows.iter().map(|r| r.shift))),
    ];
    columns.extend(p_columns(["fisher_p", "fisher_log_p"], rows.iter().map(|r| r.fisher_p)));
    columns.extend(limits);
    columns.extend(how);
    batch(columns)
}
