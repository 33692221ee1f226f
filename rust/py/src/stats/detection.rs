//! Detection: rates of a detector, and how scores rank.

use arrow_array::StringArray;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::detection::{self, Counts, Found, Metric, Ranking, RankingMethod, Scored};

use super::agreement::{check_level, nested};
use super::{counts_out, floats_out, interval_columns};
use crate::columns::{Floats, batch, counts, offsets, outcomes};
use crate::errors;
use crate::watched::watched;

/// Metrics of cells of independent trials, or, with the number of clusters in `lengths`, of
/// clusters; of each cell all metrics. Counts: detected and missed positives, then negatives.
#[pyfunction]
pub(crate) fn detection_counts(
    py: Python<'_>,
    lengths: Option<PyChunkedArray>,
    columns: [PyChunkedArray; 4],
    metrics: Vec<String>,
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    check_level(confidence_level)?;
    let metrics = metrics
        .iter()
        .map(|name| errors::option("metric", name, Metric::parse))
        .collect::<PyResult<Vec<_>>>()?;
    let columns = columns.iter().map(counts).collect::<PyResult<Vec<_>>>()?;
    let rows = columns[0].len();
    if columns.iter().any(|column| column.len() != rows) {
        return Err(PyValueError::new_err("columns of counts differ in length"));
    }
    let trials: Vec<Counts> = (0..rows)
        .map(|row| Counts {
            true_positives: columns[0][row],
            false_negatives: columns[1][row],
            false_positives: columns[2][row],
            true_negatives: columns[3][row],
        })
        .collect();
    let found = if let Some(lengths) = lengths {
        let offsets = offsets(&lengths, rows)?;
        py.detach(|| detection::of_clusters(&offsets, &trials, &metrics, confidence_level))
    } else {
        py.detach(|| detection::of_trials(&trials, &metrics, confidence_level))
    };
    metrics_out(&found, &metrics, confidence_level)
}

fn metrics_out(
    found: &[Found],
    metrics: &[Metric],
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    let names = metrics.iter().map(|metric| metric.name());
    let metric: StringArray = names.cycle().take(found.len()).map(Some).collect();
    let mut columns: Vec<crate::columns::Column> = vec![
        ("metric", Arc::new(metric)),
        ("n", counts_out(found.iter().map(|f| Some(f.trials)))),
        ("n_clusters", counts_out(found.iter().map(|f| f.clusters))),
        ("estimate", floats_out(found.iter().map(|f| f.estimate))),
    ];
    let (limits, how) = interval_columns(found.iter().map(|f| &f.interval), confidence_level);
    columns.extend(limits);
    columns.extend(how);
    batch(columns)
}

/// Rankings of cells: how many clusters each cell has and how many trials each cluster, or each
/// cell where there are none; then of each trial whether it is positive, its score and its pair.
#[pyfunction]
pub(crate) fn ranking_scores(
    py: Python<'_>,
    lengths: [Option<PyChunkedArray>; 2],
    positive: PyChunkedArray,
    score: PyChunkedArray,
    pair: Option<PyChunkedArray>,
    method: &str,
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    check_level(confidence_level)?;
    let method = errors::option("method", method, RankingMethod::parse)?;
    let (positive, score) = (outcomes(&positive)?, Floats::new(&score)?);
    let pairs = pair.as_ref().map(counts).transpose()?;
    let rows = positive.len();
    if score.len() != rows || pairs.as_ref().is_some_and(|pairs| pairs.len() != rows) {
        return Err(PyValueError::new_err("columns of trials differ in length"));
    }
    let trial = |row: usize| {
        score.get(row).filter(|score| !score.is_nan()).map(|score| Scored {
            positive: positive[row] != 0,
            score,
            pair: pairs.as_ref().map_or(0, |pairs| pairs[row]),
        })
    };
    let trials: Option<Vec<Scored>> = (0..rows).map(trial).collect();
    let trials = trials.ok_or_else(|| PyValueError::new_err("a score is missing"))?;
    let (cells, clusters) = nested(&lengths, rows)?;
    let rankings = watched(py, |watch| {
        let clusters = clusters.as_deref();
        let paired = pairs.is_some();
        detection::of_scores(&cells, clusters, &trials, paired, method, confidence_level, watch)
    })?;
    rankings_out(&rankings, pairs.is_some(), confidence_level)
}

fn rankings_out(
    rankings: &[Ranking],
    paired: bool,
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    let count =
        |field: fn(&Ranking) -> u64| counts_out(rankings.iter().map(move |r| Some(field(r))));
    let pairs = |field: fn(&Ranking) -> u64| {
        counts_out(rankings.iter().map(move |r| paired.then(|| field(r))))
    };
    let floats = |field: fn(&Ranking) -> Option<f64>| floats_out(rankings.iter().map(field));
    let (limits, how) = interval_columns(rankings.iter().map(|r| &r.interval), confidence_level);
    let mut columns = vec![
        ("n_positive", count(|r| r.positives)),
        ("n_negative", count(|r| r.negatives)),
        ("n_clusters", counts_out(rankings.iter().map(|r| r.clusters))),
        ("n_scores", count(|r| r.distinct)),
        ("estimate", floats(|r| r.area)),
    ];
    columns.extend(limits);
    columns.extend([
        ("n_pairs", pairs(|r| r.pairs.pairs)),
        ("pairs_tied", pairs(|r| r.pairs.ties)),
        ("pair_accuracy", floats(|r| r.pairs.accuracy)),
        ("pair_low", floats(|r| r.pairs.limits.map(|limits| limits.0))),
        ("pair_high", floats(|r| r.pairs.limits.map(|limits| limits.1))),
    ]);
    columns.extend(how);
    batch(columns)
}
