//! Printed figures and the tables behind them.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::{ArrayRef, Int64Array, StringArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::audit::{self, Cells, Figure, Finding, Plan, Rounding, Table};

use super::{counts_out, floats_out};
use crate::columns::{Floats, Text, batch};
use crate::errors;
use crate::watched::watched;

/// What is found of each figure, and the tables that print so, with the row of their figure.
///
/// Texts in order: kind, printed, treatment, baseline, difference, agreement, methods. Numbers:
/// n, `n_baseline`, successes, `successes_baseline`, `treatment_only`, `baseline_only`, of,
/// least, most.
#[pyfunction]
pub(crate) fn audit_figures(
    py: Python<'_>,
    texts: [PyChunkedArray; 7],
    numbers: [PyChunkedArray; 9],
    rounding: &str,
    confidence_level: f64,
    max_tables: usize,
) -> PyResult<(PyRecordBatch, PyRecordBatch)> {
    if !(confidence_level > 0.0 && confidence_level < 1.0) {
        return Err(PyValueError::new_err("confidence_level out of range"));
    }
    let rounding = errors::option("rounding", rounding, Rounding::parse)?;
    let plan = Plan { rounding, confidence_level, max_tables };
    let texts = texts.iter().map(Text::new).collect::<PyResult<Vec<_>>>()?;
    let numbers = numbers.iter().map(Floats::new).collect::<PyResult<Vec<_>>>()?;
    let rows = texts[0].len();
    let lengths = texts.iter().map(Text::len).chain(numbers.iter().map(Floats::len));
    if lengths.into_iter().any(|length| length != rows) {
        return Err(PyValueError::new_err("columns differ in length"));
    }
    let findings = watched(py, |watch| {
        let figures: Vec<Figure<'_>> = (0..rows).map(|row| figure(&texts, &numbers, row)).collect();
        audit::of(&figures, &plan, watch)
    })?;
    Ok((verdicts(&findings)?, tables(&findings)?))
}

fn figure<'a>(texts: &'a [Text], numbers: &[Floats], row: usize) -> Figure<'a> {
    let text = |column: usize| texts[column].get(row);
    #[expect(clippy::cast_possible_truncation)]
    let number = |column: usize| numbers[column].get(row).map(|value| value as i64);
    let count = |column: usize| number(column).and_then(|value| u64::try_from(value).ok());
    Figure {
        kind: text(0).unwrap_or_default(),
        printed: text(1).unwrap_or_default(),
        treatment: text(2),
        baseline: text(3),
        difference: text(4),
        agreement: text(5),
        methods: text(6),
        n: count(0),
        n_baseline: count(1),
        successes: count(2),
        successes_baseline: count(3),
        treatment_only: count(4),
        baseline_only: count(5),
        of: count(6),
        least: number(7),
        most: number(8),
    }
}

fn verdicts(findings: &[Finding]) -> PyResult<PyRecordBatch> {
    let verdict: StringArray = findings.iter().map(|f| Some(f.verdict().name())).collect();
    let methods: StringArray =
        findings.iter().map(|f| (!f.methods.is_empty()).then(|| f.methods.join(" "))).collect();
    let reason: StringArray = findings.iter().map(|f| f.reason.as_deref()).collect();
    batch(vec![
        ("verdict", Arc::new(verdict)),
        ("n_tables", counts_out(findings.iter().map(|f| Some(f.n_tables)))),
        ("methods", Arc::new(methods)),
        ("reason", Arc::new(reason)),
    ])
}

fn tables(findings: &[Finding]) -> PyResult<PyRecordBatch> {
    let rows = || {
        let each = findings.iter().enumerate();
        each.flat_map(|(row, finding)| finding.tables.iter().map(move |table| (row, table)))
    };
    let tables = || rows().map(|(_, table)| table);
    let count = |of: fn(&Cells) -> Option<u64>| counts_out(tables().map(move |t| of(&t.cells)));
    let signed = |of: fn(&Cells) -> Option<i64>| -> ArrayRef {
        Arc::new(tables().map(move |t| of(&t.cells)).collect::<Int64Array>())
    };
    let float = |of: fn(&Table) -> Option<f64>| floats_out(tables().map(of));
    let ratings = |place: usize| {
        counts_out(tables().map(move |t| match &t.cells {
            Cells::Ratings(cells) => Some(cells[place]),
            _ => None,
        }))
    };
    let method: StringArray = tables().map(|t| Some(t.method)).collect();
    batch(vec![
        ("row", counts_out(rows().map(|(row, _)| Some(row as u64)))),
        ("method", Arc::new(method)),
        ("value", float(|t| Some(t.value))),
        ("low", float(|t| t.limits.map(|limits| limits.0))),
        ("high", float(|t| t.limits.map(|limits| limits.1))),
        ("sd", float(|t| t.sd)),
        (
            "successes",
            count(|cells| match cells {
                Cells::Rate(k) | Cells::Arms(k, _) => Some(*k),
                _ => None,
            }),
        ),
        (
            "successes_baseline",
            count(|cells| match cells {
                Cells::Arms(_, k) => Some(*k),
                _ => None,
            }),
        ),
        (
            "successes_difference",
            signed(|cells| match cells {
                Cells::Difference(d) => Some(*d),
                Cells::Arms(k, j) => Some(k.cast_signed() - j.cast_signed()),
                _ => None,
            }),
        ),
        (
            "treatment_only",
            count(|cells| match cells {
                Cells::Discordant(b, _) => Some(*b),
                _ => None,
            }),
        ),
        (
            "baseline_only",
            count(|cells| match cells {
                Cells::Discordant(_, c) => Some(*c),
                _ => None,
            }),
        ),
        ("both", ratings(0)),
        ("first_only", ratings(1)),
        ("second_only", ratings(2)),
        ("neither", ratings(3)),
        (
            "sum",
            signed(|cells| match cells {
                Cells::Sum(sum) => Some(*sum),
                _ => None,
            }),
        ),
        ("scores", lists(tables(), |(score, _)| score)),
        ("counts", lists(tables(), |(_, count)| count.cast_signed())),
    ])
}

fn lists<'a>(tables: impl Iterator<Item = &'a Table>, value: fn((i64, u64)) -> i64) -> ArrayRef {
    let mut lists = ListBuilder::new(Int64Builder::new());
    for table in tables {
        if let Cells::Scores(scores) = &table.cells {
            for score in scores {
                lists.values().append_value(value(*score));
            }
            lists.append(true);
        } else {
            lists.append(false);
        }
    }
    Arc::new(lists.finish())
}
