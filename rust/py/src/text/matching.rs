//! Whether an answer is the expected one.

use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray};
use reclaimstats_core::text::exact::{Rules, Step, first_line};

use crate::columns::{Text, Texts, array, broadcast, flags_with, floats};
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

impl PyMatchRules {
    /// What of a prediction is compared: all of it, and its first line if that is asked for.
    fn tried<'a>(&self, pred: &'a str) -> impl Iterator<Item = &'a str> {
        std::iter::once(pred).chain(self.first_line.then(|| first_line(pred)))
    }
}

/// Predictions with the acceptable answers of each.
struct Pairs {
    pred: Text,
    gold: Texts,
    len: usize,
}

impl Pairs {
    fn new(pred: &PyChunkedArray, gold: &PyChunkedArray) -> PyResult<Self> {
        let (pred, gold) = (Text::new(pred)?, Texts::new(gold)?);
        let len = broadcast(&[pred.len(), gold.len()])?;
        Ok(Self { pred, gold, len })
    }

    /// A row; none where there is nothing to compare with.
    fn get(&self, row: usize) -> Option<(&str, Vec<&str>)> {
        let golds = self.gold.get(row).filter(|golds| !golds.is_empty());
        Some((self.pred.get(row)?, golds?))
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
    let pairs = Pairs::new(&pred, &gold)?;
    let same = |(): &mut (), row| {
        let (pred, golds) = pairs.get(row)?;
        Some(golds.iter().any(|gold| rules.tried(pred).any(|pred| rules.rules.same(pred, gold))))
    };
    Ok(array(py.detach(|| flags_with(pairs.len, || (), same))))
}

/// The best token F1 of a prediction over the acceptable answers.
#[pyfunction]
pub(crate) fn token_f1(
    py: Python<'_>,
    pred: PyChunkedArray,
    gold: PyChunkedArray,
    rules: &PyMatchRules,
) -> PyResult<PyArray> {
    let pairs = Pairs::new(&pred, &gold)?;
    let best = |row| {
        let (pred, golds) = pairs.get(row)?;
        let shares = golds
            .iter()
            .flat_map(|gold| rules.tried(pred).map(|pred| rules.rules.token_f1(pred, gold)));
        shares.reduce(f64::max)
    };
    Ok(array(py.detach(|| floats(pairs.len, best))))
}
