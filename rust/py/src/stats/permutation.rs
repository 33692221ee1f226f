//! Permutation and rank tests of numeric scores.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::PyChunkedArray;
use reclaimstats_core::infer::fisher::Alternative;
use reclaimstats_core::infer::flips::flip;
use reclaimstats_core::infer::labels::{Counting, Found, How, Stratum, shuffle};
use reclaimstats_core::infer::p_value;
use reclaimstats_core::infer::ranks::{RankMethod, Ranked, Zeros, rank_sum, signed_rank};
use reclaimstats_core::infer::scores::Units;
use reclaimstats_core::watch::Watch;

use crate::columns::{Floats, counts};
use crate::errors;
use crate::watched::watched;

/// How a null distribution is found, by names.
#[derive(FromPyObject)]
pub(crate) struct HowFields {
    alternative: String,
    method: String,
    n_resamples: u32,
    seed: u64,
}

impl HowFields {
    fn check(&self) -> PyResult<How<'static>> {
        if self.n_resamples == 0 {
            return Err(PyValueError::new_err("n_resamples out of range"));
        }
        Ok(How {
            alternative: errors::option("alternative", &self.alternative, Alternative::parse)?,
            counting: errors::option("method", &self.method, Counting::parse)?,
            n_resamples: self.n_resamples,
            seed: self.seed,
            watch: Watch::nobody(),
        })
    }
}

/// The p-value, its logarithm and the number of draws; nothing where it cannot be exact.
type Outcome = Option<(f64, f64, Option<u32>)>;

fn outcome(found: Option<Found>) -> Outcome {
    found.map(|found| (p_value(found.ln_p), found.ln_p, found.n_resamples))
}

/// Finite scores of a column without nulls.
fn scores(column: &PyChunkedArray) -> PyResult<Vec<f64>> {
    let column = Floats::new(column)?;
    let values = (0..column.len()).map(|row| column.get(row).filter(|score| score.is_finite()));
    let values: Option<Vec<f64>> = values.collect();
    values.ok_or_else(|| PyValueError::new_err("scores must be finite"))
}

/// Difference of the groups' means, and the test of labels shuffled within strata, whose numbers
/// begin at 0.
#[pyfunction]
pub(crate) fn shuffle_labels(
    py: Python<'_>,
    first: PyChunkedArray,
    second: PyChunkedArray,
    strata: [PyChunkedArray; 2],
    how: HowFields,
) -> PyResult<(Option<f64>, Outcome)> {
    let how = how.check()?;
    let (first, second) = (scores(&first)?, scores(&second)?);
    let (in_first, in_second) = (counts(&strata[0])?, counts(&strata[1])?);
    if (in_first.len(), in_second.len()) != (first.len(), second.len()) {
        return Err(PyValueError::new_err("columns differ in length"));
    }
    watched(py, |watch| {
        let how = How { watch, ..how };
        let pooled: Vec<f64> = first.iter().chain(&second).copied().collect();
        let units = Units::of(&pooled);
        let (a, b) = units.values.split_at(first.len());
        let last = in_first.iter().chain(&in_second).copied().max();
        let strata_count = last.map_or(0, |last| last.saturating_add(1));
        if strata_count > pooled.len() as u64 {
            return Err(PyValueError::new_err("numbers of strata exceed the number of rows"));
        }
        let mut strata = vec![Stratum::default(); usize::try_from(strata_count).unwrap_or(0)];
        for (value, stratum) in a.iter().zip(&in_first) {
            strata[usize::try_from(*stratum).unwrap_or(0)].first.push(*value);
        }
        for (value, stratum) in b.iter().zip(&in_second) {
            strata[usize::try_from(*stratum).unwrap_or(0)].second.push(*value);
        }
        let mean = |values: &[i64]| {
            let sum: i128 = values.iter().map(|value| i128::from(*value)).sum();
            (!values.is_empty()).then(|| units.score(sum as f64 / values.len() as f64))
        };
        let estimate = mean(a).zip(mean(b)).map(|(a, b)| a - b);
        Ok((estimate, outcome(shuffle(strata, units.slack, &how))))
    })?
}

/// Mean difference, differences of clusters above and below zero, and the test of their signs
/// flipped; numbers of clusters begin at 0.
#[pyfunction]
pub(crate) fn flip_signs(
    py: Python<'_>,
    first: PyChunkedArray,
    second: PyChunkedArray,
    clusters: PyChunkedArray,
    how: HowFields,
) -> PyResult<(Option<f64>, u64, u64, Outcome)> {
    let how = how.check()?;
    let (first, second, clusters) = (scores(&first)?, scores(&second)?, counts(&clusters)?);
    if first.len() != second.len() || clusters.len() != first.len() {
        return Err(PyValueError::new_err("columns differ in length"));
    }
    if clusters.iter().any(|cluster| *cluster >= clusters.len() as u64) {
        return Err(PyValueError::new_err("numbers of clusters exceed the number of rows"));
    }
    watched(py, |watch| {
        let how = How { watch, ..how };
        let (units, differences) = paired(&first, &second);
        let mut sums = vec![0_i64; clusters.len()];
        for (difference, cluster) in differences.iter().zip(&clusters) {
            let slot = &mut sums[usize::try_from(*cluster).unwrap_or(0)];
            *slot = slot.saturating_add(*difference);
        }
        let above = |sign: i64| sums.iter().filter(|sum| sum.signum() == sign).count() as u64;
        let total: i128 = differences.iter().map(|difference| i128::from(*difference)).sum();
        let mean =
            (!differences.is_empty()).then(|| units.score(total as f64 / differences.len() as f64));
        (mean, above(1), above(-1), outcome(flip(&sums, units.slack, &how)))
    })
}

/// Differences in units, taken between whole numbers, so that equal ones are equal.
fn paired(first: &[f64], second: &[f64]) -> (Units, Vec<i64>) {
    let pooled: Vec<f64> = first.iter().chain(second).copied().collect();
    let units = Units::of(&pooled);
    let (a, b) = units.values.split_at(first.len());
    let differences = a.iter().zip(b).map(|(a, b)| a - b).collect();
    (units, differences)
}

/// The statistic, the p-value, its logarithm, and whether that is exact; nothing where it cannot be
/// but must.
type RankOutcome = Option<(f64, f64, f64, bool)>;

fn rank_outcome(found: Option<Ranked>) -> RankOutcome {
    found.map(|found| (found.statistic, p_value(found.ln_p), found.ln_p, found.exact))
}

/// Wilcoxon's signed-rank test of paired scores.
#[pyfunction]
pub(crate) fn signed_ranks(
    py: Python<'_>,
    first: PyChunkedArray,
    second: PyChunkedArray,
    zeros: &str,
    alternative: &str,
    method: &str,
) -> PyResult<RankOutcome> {
    let zeros = errors::option("zeros", zeros, Zeros::parse)?;
    let alternative = errors::option("alternative", alternative, Alternative::parse)?;
    let method = errors::option("method", method, RankMethod::parse)?;
    let (first, second) = (scores(&first)?, scores(&second)?);
    if first.len() != second.len() {
        return Err(PyValueError::new_err("columns differ in length"));
    }
    Ok(rank_outcome(watched(py, |watch| {
        let (units, differences) = paired(&first, &second);
        let differences: Vec<f64> = if units.shared() {
            differences.iter().map(|difference| *difference as f64).collect()
        } else {
            first.iter().zip(&second).map(|(a, b)| a - b).collect()
        };
        signed_rank(&differences, zeros, alternative, method, watch)
    })?))
}

/// Wilcoxon's rank-sum test of two groups of scores.
#[pyfunction]
pub(crate) fn rank_sums(
    py: Python<'_>,
    first: PyChunkedArray,
    second: PyChunkedArray,
    alternative: &str,
    method: &str,
) -> PyResult<RankOutcome> {
    let alternative = errors::option("alternative", alternative, Alternative::parse)?;
    let method = errors::option("method", method, RankMethod::parse)?;
    let (first, second) = (scores(&first)?, scores(&second)?);
    let ranked = watched(py, |watch| rank_sum(&first, &second, alternative, method, watch))?;
    Ok(rank_outcome(ranked))
}
