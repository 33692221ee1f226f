//! Statistics over cells and counts, a file a family; here is what all of them share.

pub(crate) mod agreement;
pub(crate) mod audit;
pub(crate) mod compare;
pub(crate) mod contrasts;
pub(crate) mod counts;
pub(crate) mod detection;
pub(crate) mod equivalence;
pub(crate) mod evidence;
pub(crate) mod groups;
pub(crate) mod kinds;
pub(crate) mod mean;
pub(crate) mod means;
pub(crate) mod nested;
pub(crate) mod paired;
pub(crate) mod permutation;
pub(crate) mod planning;
pub(crate) mod rate;
pub(crate) mod repeats;
pub(crate) mod sensitivity;
pub(crate) mod wins;

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray, UInt64Array};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::PyChunkedArray;
use reclaimstats_core::groups::Options;
use reclaimstats_core::infer::PValue;
use reclaimstats_core::plan::{self, Design, Interval, Plan, Resampler, Variance};
use reclaimstats_core::watch::Watch;

use crate::columns::{self, Column};
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
    pub(crate) fn check<M>(&self, method: fn(&str) -> Option<M>) -> PyResult<Plan<'static, M>> {
        if !(self.confidence_level > 0.0 && self.confidence_level < 1.0) || self.n_resamples == 0 {
            return Err(PyValueError::new_err("confidence_level or n_resamples out of range"));
        }
        Ok(Plan {
            method: errors::option("method", &self.method, method)?,
            resampler: errors::option("resampler", &self.resampler, Resampler::parse)?,
            confidence_level: self.confidence_level,
            n_resamples: self.n_resamples,
            seed: self.seed,
            watch: Watch::nobody(),
        })
    }
}

/// What an estimate over clusters is over.
pub(crate) fn design(weighting: &str, variance: &str) -> PyResult<Design> {
    let variance = errors::option("variance", variance, Variance::parse)?;
    Ok(Design { balanced: weighting == "cluster", variance })
}

/// Probability left out on each side, of a level between 0 and 1.
pub(crate) fn tail(confidence_level: f64) -> PyResult<f64> {
    if confidence_level > 0.0 && confidence_level < 1.0 {
        Ok(plan::tail(confidence_level))
    } else {
        Err(PyValueError::new_err("confidence_level out of range"))
    }
}

/// The options of a comparison of groups.
pub(crate) fn options(
    confidence_level: f64,
    n_resamples: u32,
    seed: u64,
) -> PyResult<Options<'static>> {
    tail(confidence_level)?;
    if n_resamples == 0 {
        return Err(PyValueError::new_err("n_resamples out of range"));
    }
    Ok(Options { confidence_level, n_resamples, seed, watch: Watch::nobody() })
}

/// Trials and successes of so many arms, from a column of each.
pub(crate) fn arms<const A: usize>(columns: &[PyChunkedArray]) -> PyResult<Vec<[(u64, u64); A]>> {
    let columns = columns.iter().map(columns::counts).collect::<PyResult<Vec<_>>>()?;
    let rows = columns.first().map_or(0, Vec::len);
    if columns.len() != 2 * A || columns.iter().any(|column| column.len() != rows) {
        return Err(PyValueError::new_err("columns of counts differ in length"));
    }
    let arms = |row: usize| -> [(u64, u64); A] {
        std::array::from_fn(|arm| (columns[2 * arm][row], columns[2 * arm + 1][row]))
    };
    let rows: Vec<_> = (0..rows).map(arms).collect();
    if rows.iter().flatten().all(|(trials, hits)| hits <= trials && *trials < 1 << 60) {
        Ok(rows)
    } else {
        Err(PyValueError::new_err("each row needs trials and no more successes"))
    }
}

/// Limits and how they came to be.
pub(crate) fn interval_columns<'a>(
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
pub(crate) fn draw_columns<'a>(
    intervals: impl Iterator<Item = &'a Interval> + Clone,
    seed: u64,
) -> [Column; 2] {
    let n_resamples = intervals.clone().map(|i| i.n_resamples.map(u64::from));
    let seeds: UInt64Array = intervals.map(|i| i.n_resamples.map(|_| seed)).collect();
    [("n_resamples", counts_out(n_resamples)), ("seed", Arc::new(seeds))]
}

/// Monte Carlo standard errors of both limits, where draws made them.
pub(crate) fn error_columns<'a>(
    intervals: impl Iterator<Item = &'a Interval> + Clone,
) -> [Column; 2] {
    let low = floats_out(intervals.clone().map(|i| i.errors.map(|errors| errors.0)));
    let high = floats_out(intervals.map(|i| i.errors.map(|errors| errors.1)));
    [("low_error", low), ("high_error", high)]
}

/// A column of p-values, and one of their logarithms.
pub(crate) fn p_columns(
    names: [&'static str; 2],
    values: impl Iterator<Item = Option<PValue>> + Clone,
) -> [Column; 2] {
    let log = values.clone().map(|value| value.map(|value| value.ln));
    [
        (names[0], floats_out(values.map(|value| value.map(|value| value.p)))),
        (names[1], floats_out(log)),
    ]
}

/// Signed on the way out: a user who subtracts two counts must not meet a wrap-around.
pub(crate) fn counts_out(values: impl Iterator<Item = Option<u64>>) -> ArrayRef {
    Arc::new(values.map(|count| count.map(u64::cast_signed)).collect::<Int64Array>())
}

pub(crate) fn floats_out(values: impl Iterator<Item = Option<f64>>) -> ArrayRef {
    Arc::new(values.collect::<Float64Array>())
}
