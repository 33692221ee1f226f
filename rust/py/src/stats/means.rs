//! Arms compared by their mean scores.

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray, UInt64Array};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::groups::Clusters;
use reclaimstats_core::infer::PValue;
use reclaimstats_core::infer::ranks::Ranked;
use reclaimstats_core::means::Signs;
use reclaimstats_core::means::groups::{self, Arms, GroupMethod, Groups};
use reclaimstats_core::means::paired::{self, Comparison, Layout, Pairs};
use reclaimstats_core::means::verdicts::{self, Equivalence};
use reclaimstats_core::plan::{MeanMethod, Plan};

use super::equivalence::{ClaimFields, claimed};
use super::mean::finite;
use super::{
    PlanFields, counts_out, draw_columns, error_columns, floats_out, interval_columns, p_columns,
};
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
    let paired = Paired::new(clusters.as_ref(), &lengths, &scores)?;
    let rows = watched(py, |watch| {
        paired::of_cells(paired.layout(), paired.pairs(), &Plan { watch, ..plan })
    })?;
    let mut columns = comparisons(&rows);
    let intervals = || rows.iter().map(|r| &r.difference.interval);
    let (limits, how) = interval_columns(intervals(), plan.confidence_level);
    columns.extend(limits);
    columns.extend(how);
    columns.extend(error_columns(intervals()));
    columns.extend(drawn(&rows));
    batch(columns)
}

/// Verdicts on paired differences of scores, laid out as for [`compare_means`]; `bounds` holds
/// what a difference can be.
#[pyfunction]
pub(crate) fn equivalence_means(
    py: Python<'_>,
    clusters: Option<PyChunkedArray>,
    lengths: PyChunkedArray,
    scores: [PyChunkedArray; 2],
    plan: PlanFields,
    claim: ClaimFields,
    bounds: Option<(f64, f64)>,
) -> PyResult<PyRecordBatch> {
    let (plan, judged) = (plan.check(MeanMethod::parse)?, claim.check()?);
    let paired = Paired::new(clusters.as_ref(), &lengths, &scores)?;
    let rows = watched(py, |watch| {
        let plan = Plan { watch, ..plan };
        verdicts::of_cells(paired.layout(), paired.pairs(), &plan, &judged, bounds)
    })?;
    let floats = |field: fn(&Equivalence) -> Option<f64>| floats_out(rows.iter().map(field));
    let mut columns = vec![
        ("n_pairs", counts_out(rows.iter().map(|r| Some(r.difference.trials)))),
        ("n_clusters", counts_out(rows.iter().map(|r| r.difference.clusters))),
        ("treatment", floats(|r| r.treatment)),
        ("baseline", floats(|r| r.baseline)),
        ("difference", floats(|r| r.difference.estimate)),
    ];
    columns.extend(claimed(&claim, rows.iter().map(|r| r.verdict)));
    let intervals = || rows.iter().map(|r| &r.difference.interval);
    let (limits, how) = interval_columns(intervals(), plan.confidence_level);
    columns.extend(limits);
    columns.extend(how);
    columns.extend(draw_columns(intervals(), plan.seed));
    batch(columns)
}

/// Independent groups of scores compared: of the treatment and of the baseline, each with the
/// number of scores of each cell, or, with the number of clusters of each cell in `clusters`, of
/// each cluster.
#[pyfunction]
pub(crate) fn compare_groups_of_scores(
    py: Python<'_>,
    clusters: Option<PyChunkedArray>,
    lengths: [PyChunkedArray; 2],
    scores: [PyChunkedArray; 2],
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(GroupMethod::parse)?;
    let (treatment, baseline) = (finite(&scores[0])?, finite(&scores[1])?);
    offsets(&lengths[0], treatment.len())?;
    offsets(&lengths[1], baseline.len())?;
    let (first, second) = (counts(&lengths[0])?, counts(&lengths[1])?);
    if first.len() != second.len() {
        return Err(PyValueError::new_err("columns of lengths differ in length"));
    }
    let cells = clusters.map(|clusters| offsets(&clusters, first.len())).transpose()?;
    let rows = watched(py, |watch| {
        let arms = Arms {
            scores: [&treatment, &baseline],
            lengths: [&first, &second],
            clusters: cells.as_deref(),
        };
        groups::of_cells(arms, &Plan { watch, ..plan })
    })?;
    grouped(&rows, &plan)
}

fn grouped(rows: &[Groups], plan: &Plan<GroupMethod>) -> PyResult<PyRecordBatch> {
    let floats = |field: fn(&Groups) -> Option<f64>| floats_out(rows.iter().map(field));
    let clusters = |field: fn(&Clusters) -> u64| {
        counts_out(rows.iter().map(move |r| r.clusters.as_ref().map(field)))
    };
    let tests =
        |names, field: fn(&Groups) -> Option<PValue>| p_columns(names, rows.iter().map(field));
    let draws = |r: &Groups| r.permutation_p.and_then(|found| found.n_resamples);
    let seeds: UInt64Array = rows.iter().map(|r| draws(r).map(|_| plan.seed)).collect();
    let mut columns = vec![
        ("n_treatment", counts_out(rows.iter().map(|r| Some(r.treatment.trials)))),
        ("n_baseline", counts_out(rows.iter().map(|r| Some(r.baseline.trials)))),
        ("n_clusters_treatment", clusters(|c| c.treatment)),
        ("n_clusters_baseline", clusters(|c| c.baseline)),
        ("n_clusters_shared", clusters(|c| c.shared)),
        ("treatment", floats(|r| r.treatment.estimate)),
        ("baseline", floats(|r| r.baseline.estimate)),
        ("difference", floats(|r| r.difference)),
        ("sd_treatment", floats(|r| r.treatment.deviation)),
        ("sd_baseline", floats(|r| r.baseline.deviation)),
        ("standard_error", floats(|r| r.standard_error)),
        ("standard_error_clustered", floats(|r| r.clustered_error)),
        ("detectable", floats(|r| r.detectable)),
        ("n_resamples", counts_out(rows.iter().map(|r| draws(r).map(u64::from)))),
        ("seed", Arc::new(seeds) as ArrayRef),
    ];
    columns.extend(tests(["welch_p", "welch_log_p"], |r| r.welch_p));
    columns.extend(tests(["mann_whitney_p", "mann_whitney_log_p"], |r| p_of(r.mann_whitney)));
    columns.push(("mann_whitney_method", ways(rows.iter().map(|r| r.mann_whitney))));
    columns.extend(tests(["permutation_p", "permutation_log_p"], |r| {
        r.permutation_p.map(|found| found.p)
    }));
    let (limits, how) = interval_columns(rows.iter().map(|r| &r.interval), plan.confidence_level);
    columns.extend(limits);
    columns.extend(how);
    batch(columns)
}

/// Scores of pairs, cell by cell, and cluster by cluster where there are clusters.
struct Paired {
    offsets: Vec<usize>,
    lengths: Option<Vec<u64>>,
    treatment: Vec<f64>,
    baseline: Vec<f64>,
}

impl Paired {
    fn new(
        clusters: Option<&PyChunkedArray>,
        lengths: &PyChunkedArray,
        scores: &[PyChunkedArray; 2],
    ) -> PyResult<Self> {
        let (treatment, baseline) = (finite(&scores[0])?, finite(&scores[1])?);
        if treatment.len() != baseline.len() {
            return Err(PyValueError::new_err("columns of scores differ in length"));
        }
        let bounds = offsets(lengths, treatment.len())?;
        let (offsets, lengths) = match clusters {
            None => (bounds, None),
            Some(clusters) => {
                let lengths = counts(lengths)?;
                (offsets(clusters, lengths.len())?, Some(lengths))
            }
        };
        Ok(Self { offsets, lengths, treatment, baseline })
    }

    fn layout(&self) -> Layout<'_> {
        Layout { offsets: &self.offsets, lengths: self.lengths.as_deref() }
    }

    fn pairs(&self) -> Pairs<'_> {
        Pairs { treatment: &self.treatment, baseline: &self.baseline }
    }
}

fn comparisons(rows: &[Comparison]) -> Vec<Column> {
    let floats = |field: fn(&Comparison) -> Option<f64>| floats_out(rows.iter().map(field));
    let pairs =
        |field: fn(&Signs) -> u64| counts_out(rows.iter().map(move |r| Some(field(&r.pairs))));
    let clusters = |field: fn(&Signs) -> u64| {
        counts_out(rows.iter().map(move |r| r.clusters.as_ref().map(field)))
    };
    let tests =
        |names, field: fn(&Comparison) -> Option<PValue>| p_columns(names, rows.iter().map(field));
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
    columns.extend(tests(["wilcoxon_p", "wilcoxon_log_p"], |r| p_of(r.wilcoxon)));
    columns.push(("wilcoxon_method", ways(rows.iter().map(|r| r.wilcoxon))));
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

fn p_of(found: Option<Ranked>) -> Option<PValue> {
    found.map(|found| PValue::of_ln(found.ln_p))
}

/// How p-values of rank tests were found.
fn ways(found: impl Iterator<Item = Option<Ranked>>) -> ArrayRef {
    let name = |found: Ranked| if found.exact { "exact" } else { "asymptotic" };
    Arc::new(found.map(|found| found.map(name)).collect::<StringArray>())
}
