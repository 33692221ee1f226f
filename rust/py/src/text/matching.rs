//! Whether an answer is the expected one.

use std::sync::Arc;

use arrow_array::{BooleanArray, Float64Array};
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray};
use reclaimstats_core::text::exact::{Rules, Step, first_line};

use crate::columns::{Text, TextLists, array, broadcast, map_rows};
use crate::errors;

/// What a text is compared by.
#[pyclass(name = "MatchRules", frozen, module = "reclaimstats._core")]
pub(crate) struct PyMatchRules {
    rules: Rules,
    first_line: bool,
}

#[pymethods]
impl PyMatchRules {
    #[new]
    fn new(
        normalise: Vec<String>,
        tolerance: f64,
        rel_tolerance: f64,
        first_line: bool,
    ) -> PyResult<Self> {
        let steps: PyResult<Vec<Step>> =
            normalise.iter().map(|name| errors::option("normalise", name, Step::parse)).collect();
        Ok(Self { rules: Rules::new(steps?, tolerance, rel_tolerance), first_line })
    }
}

/// Acceptable answers: one a row, or several.
enum Golds {
    One(Text),
    Several(TextLists),
}

impl Golds {
    fn new(column: &PyChunkedArray) -> PyResult<Self> {
        if column.data_type().is_list() {
            return Ok(Self::Several(TextLists::new(column)?));
        }
        Ok(Self::One(Text::new(column)?))
    }

    fn len(&self) -> usize {
        match self {
            Self::One(column) => column.len(),
            Self::Several(column) => column.len(),
        }
    }

    /// The answers of a row; none where there is nothing to compare with.
    fn get(&self, row: usize) -> Option<Vec<&str>> {
        match self {
            Self::One(column) => Some(vec![column.get(row)?]),
            Self::Several(column) => column.get(row).filter(|golds| !golds.is_empty()),
        }
    }
}

/// Whether a prediction is one of the acceptable answers.
#[pyfunction]
pub(crate) fn exact_match(
    py: Python<'_>,
    pred: PyChunkedArray,
    gold: PyChunkedArray,
    rules: &PyMatchRules,
) -> PyResult<PyArray> {
    let (pred, gold) = (Text::new(&pred)?, Golds::new(&gold)?);
    let len = broadcast(&[pred.len(), gold.len()])?;
    let same = py.detach(|| {
        map_rows(len, |row| {
            let (pred, golds) = (pred.get(row)?, gold.get(row)?);
            Some(golds.iter().any(|gold| {
                rules.rules.same(pred, gold)
                    || (rules.first_line && rules.rules.same(first_line(pred), gold))
            }))
        })
    });
    Ok(array(BooleanArray::from(same)))
}

/// The best token F1 of a prediction over the acceptable answers.
#[pyfunction]
pub(crate) fn token_f1(
    py: Python<'_>,
    pred: PyChunkedArray,
    gold: PyChunkedArray,
    rules: &PyMatchRules,
) -> PyResult<PyArray> {
    let (pred, gold) = (Text::new(&pred)?, Golds::new(&gold)?);
    let len = broadcast(&[pred.len(), gold.len()])?;
    let shares = py.detach(|| {
        map_rows(len, |row| {
            let (pred, golds) = (pred.get(row)?, gold.get(row)?);
            let share = |gold: &&str| {
                let whole = rules.rules.token_f1(pred, gold);
                if rules.first_line {
                    whole.max(rules.rules.token_f1(first_line(pred), gold))
                } else {
                    whole
                }
            };
            golds.iter().map(share).reduce(f64::max)
        })
    });
    Ok(PyArray::from_array_ref(Arc::new(Float64Array::from(shares))))
}
