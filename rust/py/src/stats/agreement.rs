//! Agreement of raters.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::agreement::{
    self, Agreement, Coefficient, Items, Metric, Pair, Rating, Weights,
};

use super::{counts_out, floats_out, interval_columns};
use crate::columns::{Floats, batch, counts, offsets};
use crate::errors;
use crate::watched::watched;

/// Items of a call, and categories where distances count: what 128 bits hold sums of.
const ITEMS: u64 = 1 << 40;
const CATEGORIES: u32 = 1 << 20;

/// Kappa of cells of pairs: how many clusters each cell has and how many kinds of pairs each
/// cluster, or each cell where there are none; then the categories and the number of each kind.
#[pyfunction]
pub(crate) fn agreement_pairs(
    py: Python<'_>,
    lengths: [Option<PyChunkedArray>; 2],
    pairs: [PyChunkedArray; 3],
    categories: u32,
    weights: &str,
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    check_level(confidence_level)?;
    let weights = errors::option("weights", weights, Weights::parse)?;
    if weights != Weights::Unweighted && categories > CATEGORIES {
        return Err(PyValueError::new_err("too many categories"));
    }
    let [first, second, times] = &pairs;
    let (first, second) = (codes(first, categories)?, codes(second, categories)?);
    let times = counts(times)?;
    check_total(&times)?;
    let pairs: Vec<Pair> = first
        .into_iter()
        .zip(second)
        .zip(times)
        .map(|((first, second), times)| Pair { first, second, times })
        .collect();
    let (cells, clusters) = nested(&lengths, pairs.len())?;
    let rows = watched(py, |watch| {
        let clusters = clusters.as_deref();
        agreement::of_pairs(&cells, clusters, &pairs, categories, weights, confidence_level, watch)
    })?;
    agreements(&rows, confidence_level)
}

/// A coefficient of cells of items: how many clusters each cell has and how many items each
/// cluster, or each cell where there are none; of each item, how many categories it was given
/// and how many items there are of the kind; then the categories and how many raters gave them.
#[pyfunction]
#[expect(clippy::too_many_arguments)]
pub(crate) fn agreement_items(
    py: Python<'_>,
    lengths: [Option<PyChunkedArray>; 2],
    items: [PyChunkedArray; 2],
    ratings: [PyChunkedArray; 2],
    listed: Option<u64>,
    values: PyChunkedArray,
    coefficient: &str,
    metric: &str,
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    check_level(confidence_level)?;
    let metric = errors::option("metric", metric, Metric::parse)?;
    let coefficient = errors::option("coefficient", coefficient, |name| match name {
        "fleiss" => Some(Coefficient::Fleiss),
        "ac1" => Some(Coefficient::Ac1),
        "krippendorff" => Some(Coefficient::Krippendorff(metric)),
        _ => None,
    })?;
    let values = Floats::new(&values)?;
    let values: Vec<f64> = (0..values.len()).filter_map(|row| values.get(row)).collect();
    let known = u32::try_from(values.len()).map_err(|_| PyValueError::new_err("categories"))?;
    let raters = counts(&ratings[1])?;
    let ratings: Vec<Rating> = codes(&ratings[0], known)?
        .into_iter()
        .zip(raters)
        .map(|(category, raters)| Rating { category, raters })
        .collect();
    let times = counts(&items[1])?;
    let bounds = offsets(&items[0], ratings.len())?;
    let weighed = bounds.windows(2).zip(&times).map(|(item, times)| {
        let raters = ratings[item[0]..item[1]].iter().map(|rating| rating.raters);
        raters.fold(0_u64, u64::saturating_add).saturating_mul(*times)
    });
    check_total(&weighed.collect::<Vec<_>>())?;
    let (cells, clusters) = nested(&lengths, times.len().min(bounds.len() - 1))?;
    let all = Items {
        cells: &cells,
        clusters: clusters.as_deref(),
        items: &bounds,
        times: &times,
        ratings: &ratings,
        categories: listed,
        values: &values,
    };
    let rows =
        watched(py, |watch| agreement::of_items(&all, coefficient, confidence_level, watch))?;
    agreements(&rows, confidence_level)
}

pub(crate) fn check_level(confidence_level: f64) -> PyResult<()> {
    if confidence_level > 0.0 && confidence_level < 1.0 {
        return Ok(());
    }
    Err(PyValueError::new_err("confidence_level out of range"))
}

fn check_total(times: &[u64]) -> PyResult<()> {
    if times.iter().fold(0, |sum: u64, count| sum.saturating_add(*count)) <= ITEMS {
        return Ok(());
    }
    Err(PyValueError::new_err("too many ratings"))
}

fn codes(column: &PyChunkedArray, categories: u32) -> PyResult<Vec<u32>> {
    let code = |code| u32::try_from(code).ok().filter(|code| *code < categories);
    let codes: Option<Vec<u32>> = counts(column)?.into_iter().map(code).collect();
    codes.ok_or_else(|| PyValueError::new_err("a category is not in the list"))
}

/// Bounds of cells in clusters and of clusters in rows; without clusters, of cells in rows.
pub(crate) fn nested(
    lengths: &[Option<PyChunkedArray>; 2],
    rows: usize,
) -> PyResult<(Vec<usize>, Option<Vec<usize>>)> {
    match lengths {
        [Some(cells), Some(clusters)] => {
            let clusters = offsets(clusters, rows)?;
            Ok((offsets(cells, clusters.len() - 1)?, Some(clusters)))
        }
        [Some(cells), None] => Ok((offsets(cells, rows)?, None)),
        _ => Err(PyValueError::new_err("cells have no lengths")),
    }
}

fn agreements(rows: &[Agreement], confidence_level: f64) -> PyResult<PyRecordBatch> {
    let floats = |field: fn(&Agreement) -> Option<f64>| floats_out(rows.iter().map(field));
    let mut columns = vec![
        ("n", counts_out(rows.iter().map(|r| Some(r.items)))),
        ("n_ratings", counts_out(rows.iter().map(|r| Some(r.ratings)))),
        ("n_categories", counts_out(rows.iter().map(|r| Some(r.categories)))),
        ("n_clusters", counts_out(rows.iter().map(|r| r.clusters))),
        ("agreement", floats(|r| r.agreement)),
        ("agreement_low", floats(|r| r.limits.map(|limits| limits.0))),
        ("agreement_high", floats(|r| r.limits.map(|limits| limits.1))),
        ("observed", floats(|r| r.observed)),
        ("chance", floats(|r| r.chance)),
        ("estimate", floats(|r| r.estimate)),
    ];
    let (limits, how) = interval_columns(rows.iter().map(|r| &r.interval), confidence_level);
    columns.extend(limits);
    columns.extend(how);
    batch(columns)
}
