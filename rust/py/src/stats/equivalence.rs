//! Verdicts against a margin.

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::compare::Pairs;
use reclaimstats_core::equivalence::{self, Alternative, Claim, Equivalence, Tost, Verdict};
use reclaimstats_core::plan::{DifferenceMethod, Plan};

use super::compare::zip_pairs;
use super::{PlanFields, counts_out, draw_columns, floats_out, interval_columns};
use crate::columns::{Column, Floats, batch, offsets};
use crate::errors;
use crate::watched::watched;

/// The attributes of the Python package's claim.
#[derive(FromPyObject)]
pub(crate) struct ClaimFields {
    alternative: String,
    margins: (f64, f64),
    alpha: f64,
}

impl ClaimFields {
    pub(super) fn check(&self) -> PyResult<Claim> {
        if !(self.alpha > 0.0 && self.alpha < 0.5) {
            return Err(PyValueError::new_err("alpha out of range"));
        }
        Ok(Claim {
            alternative: errors::option("alternative", &self.alternative, Alternative::parse)?,
            margins: self.margins,
        })
    }
}

/// Verdicts on paired differences of cells of independent pairs, or, with the number of clusters
/// in `lengths`, of clusters.
#[pyfunction]
pub(crate) fn equivalence_counts(
    py: Python<'_>,
    lengths: Option<PyChunkedArray>,
    counts: [PyChunkedArray; 4],
    plan: PlanFields,
    claim: ClaimFields,
) -> PyResult<PyRecordBatch> {
    let (plan, judged) = (plan.check(DifferenceMethod::parse)?, claim.check()?);
    let pairs = zip_pairs(&counts)?;
    let rows = if let Some(lengths) = lengths {
        let offsets = offsets(&lengths, pairs.len())?;
        watched(py, |watch| {
            equivalence::of_clusters(&offsets, &pairs, &Plan { watch, ..plan }, &judged)
        })?
    } else {
        watched(py, |watch| equivalence::of_pairs(&pairs, &Plan { watch, ..plan }, &judged))?
    };
    verdicts(&rows, &plan, &claim)
}

fn verdicts(
    rows: &[Equivalence],
    plan: &Plan<DifferenceMethod>,
    claim: &ClaimFields,
) -> PyResult<PyRecordBatch> {
    let comparisons = || rows.iter().map(|row| &row.comparison);
    let per_pair = |field: fn(&Pairs) -> f64| {
        floats_out(
            comparisons()
                .map(move |c| (c.total.pairs > 0).then(|| field(&c.total) / c.total.pairs as f64)),
        )
    };
    let clusters =
        comparisons().map(|c| Some(c.clusters?).map(|t| t.positive + t.negative + t.tied));
    let intervals = || comparisons().map(|c| &c.interval);
    let mut columns = vec![
        ("n_pairs", counts_out(comparisons().map(|c| Some(c.total.pairs)))),
        ("n_clusters", counts_out(clusters)),
        ("treatment", per_pair(|t| t.treatment as f64)),
        ("baseline", per_pair(|t| t.baseline as f64)),
        ("difference", per_pair(|t| t.difference() as f64)),
    ];
    columns.extend(claimed(claim, rows.iter().map(|row| row.verdict)));
    let (limits, how) = interval_columns(intervals(), plan.confidence_level);
    columns.extend(limits);
    columns.extend(how);
    columns.extend(draw_columns(intervals(), plan.seed));
    batch(columns)
}

/// A claim beside the verdict on each row.
pub(super) fn claimed(
    claim: &ClaimFields,
    verdicts: impl Iterator<Item = Verdict> + Clone,
) -> [Column; 5] {
    let same = |value: f64| floats_out(verdicts.clone().map(move |_| Some(value)));
    let alternative: StringArray = verdicts.clone().map(|_| Some(&claim.alternative)).collect();
    let verdict: StringArray = verdicts.clone().map(|verdict| Some(verdict.name())).collect();
    [
        ("margin_low", same(claim.margins.0)),
        ("margin_high", same(claim.margins.1)),
        ("alternative", Arc::new(alternative)),
        ("alpha", same(claim.alpha)),
        ("verdict", Arc::new(verdict)),
    ]
}

/// Two one-sided tests of numeric differences, sorted by cluster where `lengths` holds the
/// number of differences of each.
#[pyfunction]
pub(crate) fn tost(
    py: Python<'_>,
    differences: PyChunkedArray,
    lengths: Option<PyChunkedArray>,
    claim: ClaimFields,
    bounds: Option<(f64, f64)>,
) -> PyResult<PyRecordBatch> {
    let judged = claim.check()?;
    let column = Floats::new(&differences)?;
    let values: Vec<f64> = (0..column.len()).filter_map(|row| column.get(row)).collect();
    if values.iter().any(|value| !value.is_finite()) {
        return Err(PyValueError::new_err("a difference is not finite"));
    }
    let offsets = lengths.map(|lengths| offsets(&lengths, values.len())).transpose()?;
    let alpha = claim.alpha;
    let row = watched(py, |watch| {
        equivalence::tost(&values, offsets.as_deref(), &judged, alpha, bounds, watch)
    })?;
    tested(&row, &claim)
}

fn tested(row: &Tost, claim: &ClaimFields) -> PyResult<PyRecordBatch> {
    let one = |value: Option<f64>| floats_out(std::iter::once(value));
    let text = |value: &str| Arc::new(StringArray::from(vec![value])) as ArrayRef;
    let mut columns = vec![
        ("n", counts_out(std::iter::once(Some(row.n)))),
        ("n_clusters", counts_out(std::iter::once(row.clusters))),
        ("estimate", one(row.mean)),
        ("standard_error", one(row.standard_error)),
        ("degrees", one(row.degrees)),
        ("log_pvalue_low", one(row.ln_lower)),
        ("log_pvalue_high", one(row.ln_upper)),
        ("margin_low", one(Some(claim.margins.0))),
        ("margin_high", one(Some(claim.margins.1))),
        ("alternative", text(&claim.alternative)),
        ("alpha", one(Some(claim.alpha))),
        ("verdict", text(row.verdict.name())),
    ];
    let level = 1.0 - 2.0 * claim.alpha;
    let (limits, how) = interval_columns(std::iter::once(&row.interval), level);
    columns.extend(limits);
    columns.extend(how);
    batch(columns)
}
