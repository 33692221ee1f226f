//! Arms compared by their mean scores.

use std::sync::Arc;

use arrow_array::StringArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::infer::PValue;
use reclaimstats_core::means::Signs;
use reclaimstats_core::means::paired::{self, Comparison, Pairs};
use reclaimstats_core::plan::{MeanMethod, Plan};

use super::mean::finite;
use super::{PlanFields, counts_out, error_columns, floats_out, interval_columns, p_columns};
use crate::columns::{Column, batch, counts, offsets};
use crate::watched::watched;

/// Paired comparisons of cells of scores; `lengths` holds the number of pairs of each cell, or,
/// with the number of clusters of each cell in `clusters`, of each cluster.
#[pyfunction]
pub(crate) fn compare_means(
    py: Python<'_>,
    clusters: Option<PyChunkedArray>,
    lengths: PyChunkedArray,
    scores: [PyChunkedArray; 2],
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(MeanMethod::parse)?;
    let rows = compared(py, clusters, lengths, &scores, &plan)?;
    let mut columns = comparisons(&rows);
    let intervals = || rows.iter().map(|r| &r.difference.interval);
    let (limits, how) = interval_columns(intervals(), plan.confidence_level);
    columns.extend(limits);
    columns.extend(how);
    columns.extend(error_columns(intervals()));
    columns.extend(drawn(&rows));
    batch(columns)
}

fn compared(
    py: Python<'_>,
    clusters: Option<PyChunkedArray>,
    lengths: PyChunkedArray,
    scores: &[PyChunkedArray; 2],
    plan: &Plan<MeanMethod>,
) -> PyResult<Vec<Comparison>> {
    let (treatment, baseline) = (finite(&scores[0])?, finite(&scores[1])?);
    if treatment.len() != baseline.len() {
        return Err(PyValueError::new_err("columns of scores differ in length"));
    }
    let pairs = Pairs { treatment: &treatment, baseline: &baseline };
    let bounds = offsets(&lengths, treatment.len())?;
    if let Some(clusters) = clusters {
        let lengths = counts(&lengths)?;
        let cells = offsets(&clusters, lengths.len())?;
        watched(py, |watch| {
            paired::of_clusters(&cells, &lengths, pairs, &Plan { watch, ..*plan })
        })
    } else {
        watched(py, |watch| paired::of_pairs(&bounds, pairs, &Plan { watch, ..*plan }))
    }
}

fn comparisons(rows: &[Comparison]) -> Vec<Column> {
    let floats =
        |field: fn(&Comparison) -> Option<f64>| floats_out(rows.iter().map(move |r| field(r)));
    let pairs = |field: fn(&Signs) -> u64| {
        counts_out(rows.iter().map(move |r| Some(field(&r.pairs))))
    };
    let clusters = |field: fn(&Signs) -> u64| {
        counts_out(rows.iter().map(move |r| r.clusters.as_ref().map(field)))
    };
    let tests = |names, field: fn(&Comparison) -> Option<PValue>| {
        p_columns(names, rows.iter().map(move |r| field(r)))
    };
    let mut columns = vec![
        ("n_pairs", counts_out(rows.iter().map(|r| Some(r.difference.trials)))),
        ("n_clusters", counts_out(rows.iter().map(|r| r.difference.clusters))),
        ("treatment", floats(|r| r.treatment)),
        ("baseline", floats(|r| r.baseline)),
        ("difference", floats(|r| r.difference.estimate)),
        ("sd", floats(|r| r.difference.deviation)),
        ("correlation", floats(|r| r.correlation)),
        ("standard_error", floats(|r| r.difference.standard_error)),
        ("standard_error_clustered", floats(|r| r.difference.clustered_error)),
        ("detectable", floats(|r| r.detectable)),
        ("pairs_positive", pairs(|s| s.positive)),
        ("pairs_negative", pairs(|s| s.negative)),
        ("pairs_tied", pairs(|s| s.tied)),
        ("clusters_positive", clusters(|s| s.positive)),
        ("clusters_negative", clusters(|s| s.negative)),
        ("clusters_tied", clusters(|s| s.tied)),
    ];
    columns.extend(tests(["wilcoxon_p", "wilcoxon_log_p"], |r| r.wilcoxon_p));
    columns.extend(tests(["sign_p", "sign_log_p"], |r| r.sign_p));
    columns.extend(tests(["permutation_p", "permutation_log_p"], |r| {
        r.permutation_p.map(|found| found.p)
    }));
    columns.extend(tests(["flip_p", "flip_log_p"], |r| r.flip_p.map(|found| found.p)));
    columns
}

/// What was drawn, by the names of columns; nothing where nothing was.
fn drawn(rows: &[Comparison]) -> Vec<Column> {
    let names = |r: &Comparison| {
        let parts = [
            ("interval", r.difference.interval.n_resamples),
            ("permutation_p", r.permutation_p.and_then(|found| found.n_resamples)),
            ("flip_p", r.flip_p.and_then(|found| found.n_resamples)),
        ];
        let some = parts.into_iter().filter_map(|(name, drawn)| drawn.map(|_| name));
        let some: Vec<&str> = some.collect();
        (!some.is_empty()).then(|| some.join(", "))
    };
    vec![("drawn", Arc::new(rows.iter().map(names).collect::<StringArray>()))]
}
