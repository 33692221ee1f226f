//! Tests and intervals of pairs, from counts and from outcomes.

use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::infer::mcnemar::McNemar;
use reclaimstats_core::infer::p_value;
use reclaimstats_core::proportions::{
    DifferenceInterval, Effect, OddsRatioInterval, PairTable, RatioInterval, Tally,
};

use super::floats_out;
use crate::columns::{Floats, batch, counts};
use crate::errors;
use crate::watched::watched;

/// Pairs by both outcomes: both, first only, second only, neither, a missing one, an invalid one.
///
/// Columns are of Booleans in one chunk each, or of floats.
#[pyfunction]
pub(crate) fn pair_table(
    py: Python<'_>,
    first: PyChunkedArray,
    second: PyChunkedArray,
) -> PyResult<(u64, u64, u64, u64, u64, u64)> {
    let tally = if let (Some(first), Some(second)) = (booleans(&first), booleans(&second)) {
        if first.len() != second.len() {
            return Err(PyValueError::new_err("columns differ in length"));
        }
        let pairs = first.len() as u64;
        if first.null_count() + second.null_count() > 0 {
            py.detach(|| Tally::of_bits(pairs, words(&first, &second)))
        } else {
            let bits = first.values().bit_chunks().iter_padded();
            let bits = bits.zip(second.values().bit_chunks().iter_padded());
            py.detach(|| Tally::of_bits(pairs, bits.map(|(a, b)| [u64::MAX, a, b])))
        }
    } else {
        let (first, second) = (Floats::new(&first)?, Floats::new(&second)?);
        if first.len() != second.len() {
            return Err(PyValueError::new_err("columns differ in length"));
        }
        py.detach(|| Tally::of((0..first.len()).map(|row| (first.get(row), second.get(row)))))
    };
    let PairTable { both, first_only, second_only, neither } = tally.table;
    Ok((both, first_only, second_only, neither, tally.missing, tally.invalid))
}

fn booleans(column: &PyChunkedArray) -> Option<BooleanArray> {
    let [chunk] = column.chunks() else { return None };
    chunk.as_boolean_opt().cloned()
}

/// Of 64 rows at a time: which have both outcomes, and the outcomes.
fn words(first: &BooleanArray, second: &BooleanArray) -> Vec<[u64; 3]> {
    let bits = |array: &BooleanArray| array.values().bit_chunks().iter_padded().collect::<Vec<_>>();
    let observed = |array: &BooleanArray| {
        array.nulls().map(|nulls| nulls.inner().bit_chunks().iter_padded().collect::<Vec<_>>())
    };
    let valid = [observed(first), observed(second)];
    let both_valid = |row: usize| {
        valid.iter().flatten().fold(u64::MAX, |all, words| all & words.get(row).unwrap_or(&0))
    };
    let outcomes = bits(first).into_iter().zip(bits(second)).enumerate();
    outcomes.map(|(row, (first, second))| [both_valid(row), first, second]).collect()
}

/// McNemar's test of one table: the statistic, the p-value and its natural logarithm.
#[pyfunction]
pub(crate) fn mcnemar_test(
    py: Python<'_>,
    first_only: u64,
    second_only: u64,
    method: &str,
) -> PyResult<(Option<f64>, f64, f64)> {
    let method = errors::option("method", method, McNemar::parse)?;
    addable(first_only, second_only)?;
    let found = py.detach(|| method.test(first_only, second_only));
    Ok((found.statistic, p_value(found.ln_p), found.ln_p))
}

/// McNemar's test of every row of two columns of counts.
#[pyfunction]
pub(crate) fn mcnemar_tables(
    py: Python<'_>,
    first_only: PyChunkedArray,
    second_only: PyChunkedArray,
    method: &str,
) -> PyResult<PyRecordBatch> {
    let method = errors::option("method", method, McNemar::parse)?;
    let (first, second) = (counts(&first_only)?, counts(&second_only)?);
    if first.len() != second.len() {
        return Err(PyValueError::new_err("columns differ in length"));
    }
    let rows: Vec<(u64, u64)> = first.into_iter().zip(second).collect();
    rows.iter().try_for_each(|(first, second)| addable(*first, *second))?;
    let found = watched(py, |watch| {
        watch.cells(rows, (), |(), (first, second)| method.test(first, second))
    })?;
    batch(vec![
        ("statistic", floats_out(found.iter().map(|f| f.statistic))),
        ("pvalue", floats_out(found.iter().map(|f| Some(p_value(f.ln_p))))),
        ("log_pvalue", floats_out(found.iter().map(|f| Some(f.ln_p)))),
    ])
}

fn addable(first: u64, second: u64) -> PyResult<()> {
    let sum = first.checked_add(second);
    sum.map(|_| ()).ok_or_else(|| PyValueError::new_err("counts add up to more than 2^64"))
}

type Limits = (Option<f64>, Option<f64>, Option<f64>, Option<&'static str>);

/// An effect of paired rates with its limits and what is wrong with them; the table holds both,
/// first only, second only and neither.
#[pyfunction]
pub(crate) fn paired_effect(
    py: Python<'_>,
    table: [u64; 4],
    effect: &str,
    method: &str,
    confidence_level: f64,
) -> PyResult<Limits> {
    let [both, first_only, second_only, neither] = table;
    if table.iter().any(|count| *count > 1 << 60) {
        return Err(PyValueError::new_err("a count is above 2^60"));
    }
    let table = PairTable { both, first_only, second_only, neither };
    let tail = super::tail(confidence_level)?;
    let Effect { estimate, low, high, reason } = match effect {
        "difference" => {
            let method = errors::option("method", method, DifferenceInterval::parse)?;
            py.detach(|| table.difference(method, tail))
        }
        "ratio" => {
            let method = errors::option("method", method, RatioInterval::parse)?;
            py.detach(|| table.ratio(method, tail))
        }
        _ => {
            let method = errors::option("method", method, OddsRatioInterval::parse)?;
            py.detach(|| table.odds_ratio(method, tail))
        }
    };
    Ok((estimate, low, high, reason))
}
