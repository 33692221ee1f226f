//! Rates of cells.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::plan::{Plan, RateMethod};
use reclaimstats_core::rate::{self, Count, Rate, Tally};

use super::{
    PlanFields, counts_out, design, draw_columns, error_columns, floats_out, interval_columns,
};
use crate::columns::{Floats, batch, counts, offsets, outcomes};
use crate::watched::watched;

/// Rates of cells of independent trials.
#[pyfunction]
pub(crate) fn rate_trials(
    py: Python<'_>,
    trials: PyChunkedArray,
    successes: PyChunkedArray,
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(RateMethod::parse)?;
    let cells = pair_up(&trials, &successes)?;
    let rows = watched(py, |watch| rate::of_trials(&cells, &Plan { watch, ..plan }))?;
    rates(&rows, &plan)
}

/// Observed, successful, missing and invalid outcomes of one column.
#[pyfunction]
pub(crate) fn tally(py: Python<'_>, outcome: PyChunkedArray) -> PyResult<(u64, u64, u64, u64)> {
    let outcome = Floats::new(&outcome)?;
    let tally = py.detach(|| Tally::of((0..outcome.len()).map(|row| outcome.get(row))));
    Ok((tally.count.trials, tally.count.successes, tally.missing, tally.invalid))
}

/// Rates of cells of clusters; `lengths` holds the number of clusters of each cell.
#[pyfunction]
pub(crate) fn rate_clusters(
    py: Python<'_>,
    lengths: PyChunkedArray,
    trials: PyChunkedArray,
    successes: PyChunkedArray,
    weighting: &str,
    variance: &str,
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(RateMethod::parse)?;
    let design = design(weighting, variance)?;
    let clusters = pair_up(&trials, &successes)?;
    let offsets = offsets(&lengths, clusters.len())?;
    let rows = watched(py, |watch| {
        rate::of_clusters(&offsets, &clusters, design, &Plan { watch, ..plan })
    })?;
    rates(&rows, &plan)
}

/// Rates of cells of trials in row order; `lengths` holds the number of trials of each cell.
#[pyfunction]
pub(crate) fn rate_sequences(
    py: Python<'_>,
    lengths: PyChunkedArray,
    outcome: PyChunkedArray,
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(RateMethod::parse)?;
    let values = outcomes(&outcome)?;
    let offsets = offsets(&lengths, values.len())?;
    let rows = watched(py, |watch| rate::of_sequences(&offsets, &values, &Plan { watch, ..plan }))?;
    rates(&rows, &plan)
}

fn pair_up(trials: &PyChunkedArray, successes: &PyChunkedArray) -> PyResult<Vec<Count>> {
    let (trials, successes) = (counts(trials)?, counts(successes)?);
    if trials.len() != successes.len() || trials.iter().zip(&successes).any(|(n, k)| k > n) {
        return Err(PyValueError::new_err(
            "each row needs trials and no more successes than those",
        ));
    }
    Ok(trials
        .into_iter()
        .zip(successes)
        .map(|(trials, successes)| Count { trials, successes })
        .collect())
}

fn rates(rows: &[Rate], plan: &Plan<RateMethod>) -> PyResult<PyRecordBatch> {
    let mut columns = vec![
        ("n", counts_out(rows.iter().map(|r| Some(r.trials)))),
        ("n_clusters", counts_out(rows.iter().map(|r| r.clusters))),
        ("estimate", floats_out(rows.iter().map(|r| r.estimate))),
    ];
    let (limits, how) = interval_columns(rows.iter().map(|r| &r.interval), plan.confidence_level);
    columns.extend(limits);
    columns.push(("bound_low", floats_out(rows.iter().map(|r| r.bounds.0))));
    columns.push(("bound_high", floats_out(rows.iter().map(|r| r.bounds.1))));
    columns.extend(how);
    columns.extend(draw_columns(rows.iter().map(|r| &r.interval), plan.seed));
    columns.extend(error_columns(rows.iter().map(|r| &r.interval)));
    batch(columns)
}
