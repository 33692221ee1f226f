//! Repeats of the same items.

use std::sync::Arc;

use arrow_array::StringArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::plan::Interval;
use reclaimstats_core::repeats::{self, Crossed, Item};

use super::mean::finite;
use super::{counts_out, floats_out, interval_columns};
use crate::columns::{Column, batch, counts, offsets};
use crate::watched::watched;

/// Means over items of pass@k and pass^k, per cell, k and chance; `columns` holds cluster,
/// trials and successes of each item.
#[pyfunction]
pub(crate) fn passed(
    py: Python<'_>,
    lengths: PyChunkedArray,
    columns: [PyChunkedArray; 3],
    ks: Vec<u64>,
    clustered: bool,
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    let (items, tail) = (items(&columns)?, tail(confidence_level)?);
    let offsets = offsets(&lengths, items.len())?;
    let rows = watched(py, |watch| repeats::passed(&offsets, &items, &ks, clustered, tail, watch))?;
    let statistic: StringArray = rows.iter().map(|r| Some(r.pass.name())).collect();
    batch(with_interval(
        vec![
            ("statistic", Arc::new(statistic)),
            ("k", counts_out(rows.iter().map(|r| Some(r.k)))),
            ("n", counts_out(rows.iter().map(|r| Some(r.trials)))),
            ("n_items", counts_out(rows.iter().map(|r| Some(r.items)))),
            ("n_short", counts_out(rows.iter().map(|r| Some(r.short)))),
            ("n_clusters", counts_out(rows.iter().map(|r| r.clusters))),
            ("estimate", floats_out(rows.iter().map(|r| r.estimate))),
        ],
        rows.iter().map(|r| &r.interval),
        confidence_level,
    ))
}

/// Variances between and within items, per cell; `items` holds the number of items of each cell,
/// `lengths` the number of scores of each item.
#[pyfunction]
pub(crate) fn variance_components(
    py: Python<'_>,
    items: PyChunkedArray,
    lengths: PyChunkedArray,
    scores: PyChunkedArray,
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    let (scores, tail) = (finite(&scores)?, tail(confidence_level)?);
    offsets(&lengths, scores.len())?;
    let lengths = counts(&lengths)?;
    let offsets = offsets(&items, lengths.len())?;
    let rows = watched(py, |watch| repeats::components(&offsets, &lengths, &scores, tail, watch))?;
    batch(with_interval(
        vec![
            ("n", counts_out(rows.iter().map(|r| Some(r.trials)))),
            ("n_items", counts_out(rows.iter().map(|r| Some(r.items)))),
            ("mean", floats_out(rows.iter().map(|r| r.mean))),
            ("between", floats_out(rows.iter().map(|r| r.between))),
            ("within", floats_out(rows.iter().map(|r| r.within))),
            ("icc", floats_out(rows.iter().map(|r| r.correlation))),
        ],
        rows.iter().map(|r| &r.interval),
        confidence_level,
    ))
}

/// Wrong hops of chains, per cell; `columns` as in [`passed`], a chain an item.
#[pyfunction]
pub(crate) fn blast_radius(
    py: Python<'_>,
    lengths: PyChunkedArray,
    columns: [PyChunkedArray; 3],
    clustered: bool,
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    let (chains, tail) = (items(&columns)?, tail(confidence_level)?);
    let offsets = offsets(&lengths, chains.len())?;
    let rows = watched(py, |watch| repeats::blast(&offsets, &chains, clustered, tail, watch))?;
    batch(with_interval(
        vec![
            ("n", counts_out(rows.iter().map(|r| Some(r.hops)))),
            ("n_chains", counts_out(rows.iter().map(|r| Some(r.chains)))),
            ("n_clusters", counts_out(rows.iter().map(|r| r.clusters))),
            ("estimate", floats_out(rows.iter().map(|r| r.estimate))),
        ],
        rows.iter().map(|r| &r.interval),
        confidence_level,
    ))
}

/// Heterogeneity of effects, per cell; `columns` holds trials and successes of the treatment,
/// then of the baseline, of each item.
#[pyfunction]
pub(crate) fn heterogeneity(
    py: Python<'_>,
    lengths: PyChunkedArray,
    columns: [PyChunkedArray; 4],
    threshold: f64,
    n_resamples: u32,
    seed: u64,
) -> PyResult<PyRecordBatch> {
    let [n, k, m, j] = columns.each_ref().map(counts);
    let (n, k, m, j) = (n?, k?, m?, j?);
    let arm = |(trials, hits): (u64, u64)| (0 < trials && hits <= trials).then_some((trials, hits));
    let items: Option<Vec<Crossed>> = (n.into_iter().zip(k))
        .zip(m.into_iter().zip(j))
        .map(|(one, other)| Some(Crossed { treatment: arm(one)?, baseline: arm(other)? }))
        .collect();
    let items = items.ok_or_else(|| PyValueError::new_err("an item has no trial in an arm"))?;
    let offsets = offsets(&lengths, items.len())?;
    let rows = watched(py, |watch| {
        repeats::heterogeneity(&offsets, &items, threshold, n_resamples, seed, watch)
    })?;
    let reason: StringArray = rows.iter().map(|r| r.reason).collect();
    batch(vec![
        ("n_items", counts_out(rows.iter().map(|r| Some(r.items)))),
        ("mean", floats_out(rows.iter().map(|r| r.mean))),
        ("sd", floats_out(rows.iter().map(|r| r.sd))),
        ("sd_null", floats_out(rows.iter().map(|r| r.sd_null))),
        ("sd_p", floats_out(rows.iter().map(|r| r.sd_p))),
        ("n_beyond", counts_out(rows.iter().map(|r| Some(r.beyond)))),
        ("n_beyond_null", floats_out(rows.iter().map(|r| r.beyond_null))),
        ("beyond_p", floats_out(rows.iter().map(|r| r.beyond_p))),
        ("reason", Arc::new(reason)),
    ])
}

fn items([cluster, trials, successes]: &[PyChunkedArray; 3]) -> PyResult<Vec<Item>> {
    let (cluster, trials, successes) = (counts(cluster)?, counts(trials)?, counts(successes)?);
    if trials.iter().zip(&successes).any(|(n, k)| k > n) {
        return Err(PyValueError::new_err("an item has more successes than trials"));
    }
    let items = cluster.into_iter().zip(trials).zip(successes);
    Ok(items.map(|((cluster, trials), successes)| Item { cluster, trials, successes }).collect())
}

/// Probability that the level leaves out on each side.
fn tail(confidence_level: f64) -> PyResult<f64> {
    if confidence_level > 0.0 && confidence_level < 1.0 {
        Ok(reclaimstats_core::plan::tail(confidence_level))
    } else {
        Err(PyValueError::new_err("confidence_level out of range"))
    }
}

fn with_interval<'a>(
    mut columns: Vec<Column>,
    intervals: impl Iterator<Item = &'a Interval> + Clone,
    confidence_level: f64,
) -> Vec<Column> {
    let (limits, how) = interval_columns(intervals, confidence_level);
    columns.extend(limits);
    columns.extend(how);
    columns
}
