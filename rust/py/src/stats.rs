//! Rates, comparisons and tests over cells.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray, UInt64Array};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch};
use reclaimstats_core::compare::{self, Comparison, Pairs};
use reclaimstats_core::infer::fisher::{self, Alternative};
use reclaimstats_core::infer::multiplicity::Adjustment;
use reclaimstats_core::infer::sign;
use reclaimstats_core::plan::{DifferenceMethod, Interval, Plan, RateMethod, Resampler};
use reclaimstats_core::rate::{self, Count, Rate, Tally};
use reclaimstats_core::sensitivity::{self, Arms, Sensitivity, Verdicts};

use crate::columns::{Column, Floats, array, batch, counts, offsets, outcomes};
use crate::errors;

/// The attributes of the Python package's plan.
#[derive(FromPyObject)]
pub(crate) struct PlanFields {
    method: String,
    resampler: String,
    confidence_level: f64,
    n_resamples: u32,
    seed: u64,
}

impl PlanFields {
    fn check<M>(&self, method: fn(&str) -> Option<M>) -> PyResult<Plan<M>> {
        if !(self.confidence_level > 0.0 && self.confidence_level < 1.0) || self.n_resamples == 0 {
            return Err(PyValueError::new_err("confidence_level or n_resamples out of range"));
        }
        Ok(Plan {
            method: errors::option("method", &self.method, method)?,
            resampler: errors::option("resampler", &self.resampler, Resampler::parse)?,
            confidence_level: self.confidence_level,
            n_resamples: self.n_resamples,
            seed: self.seed,
        })
    }
}

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
    rates(&py.detach(|| rate::of_trials(&cells, &plan)), &plan)
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
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(RateMethod::parse)?;
    let clusters = pair_up(&trials, &successes)?;
    let offsets = offsets(&lengths, clusters.len())?;
    rates(&py.detach(|| rate::of_clusters(&offsets, &clusters, &plan)), &plan)
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
    rates(&py.detach(|| rate::of_sequences(&offsets, &values, &plan)), &plan)
}

/// Comparisons of cells of independent pairs.
#[pyfunction]
pub(crate) fn compare_pairs(
    py: Python<'_>,
    counts: [PyChunkedArray; 4],
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(DifferenceMethod::parse)?;
    let cells = zip_pairs(&counts)?;
    comparisons(&py.detach(|| compare::of_pairs(&cells, &plan)), &plan)
}

/// Comparisons of cells of clusters of pairs.
#[pyfunction]
pub(crate) fn compare_clusters(
    py: Python<'_>,
    lengths: PyChunkedArray,
    counts: [PyChunkedArray; 4],
    plan: PlanFields,
) -> PyResult<PyRecordBatch> {
    let plan = plan.check(DifferenceMethod::parse)?;
    let clusters = zip_pairs(&counts)?;
    let offsets = offsets(&lengths, clusters.len())?;
    comparisons(&py.detach(|| compare::of_clusters(&offsets, &clusters, &plan)), &plan)
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
    comparisons(&py.detach(|| compare::of_sequences(&offsets, &treatment, &baseline, &plan)), &plan)
}

/// Exact two-sided p-value of a sign or McNemar test, and its natural logarithm.
#[pyfunction]
pub(crate) fn sign_test(positive: u64, negative: u64) -> PyResult<(f64, f64)> {
    positive
        .checked_add(negative)
        .ok_or_else(|| PyValueError::new_err("counts add up to more than 2^64"))?;
    Ok((sign::p_value(positive, negative), sign::ln_p_value(positive, negative)))
}

/// P-values adjusted for their number; nulls are held out.
#[pyfunction]
pub(crate) fn adjust(py: Python<'_>, pvalues: PyChunkedArray, method: &str) -> PyResult<PyArray> {
    let pvalues = Floats::new(&pvalues)?;
    let method = errors::option("method", method, Adjustment::parse)?;
    let adjusted = py.detach(|| {
        let rows: Vec<Option<f64>> = (0..pvalues.len()).map(|row| pvalues.get(row)).collect();
        method.of(&rows)
    });
    Ok(array(Float64Array::from(adjusted)))
}

/// Natural logarithm of the p-value of Fisher's exact test.
#[pyfunction]
pub(crate) fn fisher_test(
    py: Python<'_>,
    table: [[u64; 2]; 2],
    alternative: &str,
) -> PyResult<f64> {
    let alternative = errors::option("alternative", alternative, Alternative::parse)?;
    if table.as_flattened().iter().any(|count| *count > 1 << 60) {
        return Err(PyValueError::new_err("a count is above 2^60"));
    }
    Ok(py.detach(|| fisher::ln_p_value(table, alternative)))
}

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
        ("fisher_p", floats_out(rows.iter().map(|r| r.fisher_p))),
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
    columns.extend(limits);
    columns.extend(how);
    batch(columns)
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

/// Columns in order: pairs, treatment successes, baseline successes, treatment only.
fn zip_pairs(columns: &[PyChunkedArray; 4]) -> PyResult<Vec<Pairs>> {
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
    batch(columns)
}

fn comparisons(rows: &[Comparison], plan: &Plan<DifferenceMethod>) -> PyResult<PyRecordBatch> {
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
    let tests = |field: fn(&compare::ClusterTests) -> Option<f64>| {
        floats_out(rows.iter().map(move |r| r.clusters.as_ref().and_then(field)))
    };
    let mut columns = vec![
        ("n_pairs", total(|t| t.pairs)),
        ("n_clusters", clusters(|c| c.positive + c.negative + c.tied)),
        ("treatment", per_pair(|t| t.treatment as f64)),
        ("baseline", per_pair(|t| t.baseline as f64)),
        ("difference", per_pair(|t| t.difference() as f64)),
    ];
    let (limits, how) = interval_columns(rows.iter().map(|r| &r.interval), plan.confidence_level);
    columns.extend(limits);
    columns.extend([
        ("treatment_only", total(|t| t.treatment_only)),
        ("baseline_only", counts_out(rows.iter().map(|r| Some(r.baseline_only)))),
        ("mcnemar_p", floats_out(rows.iter().map(|r| r.mcnemar_p))),
        ("standard_error", floats_out(rows.iter().map(|r| r.standard_error))),
        ("detectable", floats_out(rows.iter().map(|r| r.detectable))),
        ("clusters_positive", clusters(|c| c.positive)),
        ("clusters_negative", clusters(|c| c.negative)),
        ("clusters_tied", clusters(|c| c.tied)),
        ("sign_p", tests(|c| c.sign_p)),
        ("permutation_p", tests(|c| c.permutation_p)),
        ("flip_p", tests(|c| c.flip_p)),
        ("standard_error_clustered", tests(|c| c.standard_error)),
    ]);
    columns.extend(how);
    columns.extend(draw_columns(rows.iter().map(|r| &r.interval), plan.seed));
    batch(columns)
}

/// Limits and how they came to be.
fn interval_columns<'a>(
    intervals: impl Iterator<Item = &'a Interval> + Clone,
    confidence_level: f64,
) -> ([Column; 2], [Column; 3]) {
    let each = || intervals.clone();
    let limits = [
        ("low", floats_out(each().map(|i| i.limits.map(|limits| limits.0)))),
        ("high", floats_out(each().map(|i| i.limits.map(|limits| limits.1)))),
    ];
    let method: StringArray = each().map(|i| Some(i.method)).collect();
    let reason: StringArray = each().map(|i| i.reason).collect();
    let level = each().map(|_| Some(confidence_level));
    let how: [Column; 3] = [
        ("method", Arc::new(method)),
        ("confidence_level", floats_out(level)),
        ("reason", Arc::new(reason)),
    ];
    (limits, how)
}

/// How many draws were made and from which seed, where there were any.
fn draw_columns<'a>(
    intervals: impl Iterator<Item = &'a Interval> + Clone,
    seed: u64,
) -> [Column; 2] {
    let n_resamples = intervals.clone().map(|i| i.n_resamples.map(u64::from));
    let seeds: UInt64Array = intervals.map(|i| i.n_resamples.map(|_| seed)).collect();
    [("n_resamples", counts_out(n_resamples)), ("seed", Arc::new(seeds))]
}

/// Signed on the way out: a user who subtracts two counts must not meet a wrap-around.
fn counts_out(values: impl Iterator<Item = Option<u64>>) -> ArrayRef {
    Arc::new(values.map(|count| count.map(u64::cast_signed)).collect::<Int64Array>())
}

fn floats_out(values: impl Iterator<Item = Option<f64>>) -> ArrayRef {
    Arc::new(values.collect::<Float64Array>())
}
