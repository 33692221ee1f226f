//! Paired comparisons of cells.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::compare::{self, Comparison, Measure, Pairs};
use reclaimstats_core::infer::PValue;
use reclaimstats_core::plan::{DifferenceMethod, Plan};

use super::{PlanFields, counts_out, draw_columns, floats_out, interval_columns, p_columns};
use crate::columns::{batch, counts, offsets, outcomes};
use crate::errors;
use crate::watched::watched;

/// Comparisons of cells of independent pairs.
#[pyfunction]
pub(crate) fn compare_pairs(
    py: Python<'_>,
    counts: [PyChunkedArray; 4],
    measure: &str,
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(DifferenceMethod::parse)?;
    let measure = errors::option("effect", measure, Measure::parse)?;
    let cells = zip_pairs(&counts)?;
    let rows = watched(py, |watch| compare::of_pairs(&cells, measure, &Plan { watch, ..plan }))?;
    comparisons(&rows, measure, &plan)
}

/// Comparisons of cells of clusters of pairs.
#[pyfunction]
pub(crate) fn compare_clusters(
    py: Python<'_>,
    lengths: PyChunkedArray,
    counts: [PyChunkedArray; 4],
    measure: &str,
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(DifferenceMethod::parse)?;
    let measure = errors::option("effect", measure, Measure::parse)?;
    let clusters = zip_pairs(&counts)?;
    let offsets = offsets(&lengths, clusters.len())?;
    let rows = watched(py, |watch| {
        compare::of_clusters(&offsets, &clusters, measure, &Plan { watch, ..plan })
    })?;
    comparisons(&rows, measure, &plan)
}

/// Comparisons of cells of pairs in row order.
#[pyfunction]
pub(crate) fn compare_sequences(
    py: Python<'_>,
    lengths: PyChunkedArray,
    treatment: PyChunkedArray,
    baseline: PyChunkedArray,
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(DifferenceMethod::parse)?;
    let (treatment, baseline) = (outcomes(&treatment)?, outcomes(&baseline)?);
    let offsets = offsets(&lengths, treatment.len().min(baseline.len()))?;
    let rows = watched(py, |watch| {
        compare::of_sequences(&offsets, &treatment, &baseline, &Plan { watch, ..plan })
    })?;
    comparisons(&rows, Measure::Difference, &plan)
}

/// Columns in order: pairs, treatment successes, baseline successes, treatment only.
pub(super) fn zip_pairs(columns: &[PyChunkedArray; 4]) -> PyResult<Vec<Pairs>> {
    let [pairs, treatment, baseline, treatment_only] = columns;
    let rows: Vec<Pairs> = counts(pairs)?
        .into_iter()
        .zip(counts(treatment)?)
        .zip(counts(baseline)?)
        .zip(counts(treatment_only)?)
        .map(|(((pairs, treatment), baseline), treatment_only)| Pairs {
            pairs,
            treatment,
            baseline,
            treatment_only,
        })
        .collect();
    if rows.iter().all(Pairs::is_consistent) {
        Ok(rows)
    } else {
        Err(PyValueError::new_err("counts of pairs contradict each other"))
    }
}

fn comparisons(
    rows: &[Comparison],
    measure: Measure,
    plan: &Plan<DifferenceMethod>,
) -> PyResult<PyRecordBatch> {
    let total =
        |field: fn(&Pairs) -> u64| counts_out(rows.iter().map(move |r| Some(field(&r.total))));
    let per_pair = |field: fn(&Pairs) -> f64| {
        floats_out(
            rows.iter()
                .map(move |r| (r.total.pairs > 0).then(|| field(&r.total) / r.total.pairs as f64)),
        )
    };
    let clusters = |field: fn(&compare::ClusterTests) -> u64| {
        counts_out(rows.iter().map(move |r| r.clusters.as_ref().map(field)))
    };
    let tests = |names, field: fn(&compare::ClusterTests) -> Option<PValue>| {
        p_columns(names, rows.iter().map(move |r| r.clusters.as_ref().and_then(field)))
    };
    let clustered_error = |r: &Comparison| r.clusters.as_ref()?.standard_error;
    let mut columns = vec![
        ("n_pairs", total(|t| t.pairs)),
        ("n_clusters", clusters(|c| c.positive + c.negative + c.tied)),
        ("treatment", per_pair(|t| t.treatment as f64)),
        ("baseline", per_pair(|t| t.baseline as f64)),
        ("difference", per_pair(|t| t.difference() as f64)),
    ];
    let (_, how) = interval_columns(rows.iter().map(|r| &r.interval), plan.confidence_level);
    columns.extend([
        ("low", floats_out(rows.iter().map(|r| r.effect.low))),
        ("high", floats_out(rows.iter().map(|r| r.effect.high))),
        ("treatment_only", total(|t| t.treatment_only)),
        ("baseline_only", counts_out(rows.iter().map(|r| Some(r.baseline_only)))),
        ("standard_error", floats_out(rows.iter().map(|r| r.standard_error))),
        ("detectable", floats_out(rows.iter().map(|r| r.detectable))),
        ("clusters_positive", clusters(|c| c.positive)),
        ("clusters_negative", clusters(|c| c.negative)),
        ("clusters_tied", clusters(|c| c.tied)),
        ("standard_error_clustered", floats_out(rows.iter().map(clustered_error))),
    ]);
    let mcnemar = rows.iter().map(|r| r.mcnemar_p);
    columns.extend(p_columns(["mcnemar_p", "mcnemar_log_p"], mcnemar));
    columns.extend(tests(["sign_p", "sign_log_p"], |c| c.sign_p));
    columns.extend(tests(["permutation_p", "permutation_log_p"], |c| c.permutation_p));
    columns.extend(tests(["flip_p", "flip_log_p"], |c| c.flip_p));
    let effect = || floats_out(rows.iter().map(|r| r.effect.estimate));
    match measure {
        // That is in already.
        Measure::Difference => {}
        Measure::Ratio => columns.push(("ratio", effect())),
        Measure::OddsRatio => columns.push(("odds_ratio", effect())),
    }
    columns.extend(how);
    columns.extend(draw_columns(rows.iter().map(|r| &r.interval), plan.seed));
    batch(columns)
}
