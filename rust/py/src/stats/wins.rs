//! Pairwise judging.

use arrow_array::StringArray;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use reclaimstats_core::wins::{self, Alike, Moved, Verdicts, Wins};

use super::agreement::check_level;
use super::{counts_out, floats_out, interval_columns, p_columns};
use crate::columns::{batch, counts, offsets};

/// Judging of cells of clusters, `lengths` of whose kinds each cell has; or of independent
/// judgements, one row a cell. Columns: wins, losses and ties of the model shown first, then shown
/// second, and how many clusters are of the kind; of each cell, items that went to the first and to the second place, judged in both orders, and
/// judged again.
#[pyfunction]
pub(crate) fn wins_counts(
    py: Python<'_>,
    lengths: PyChunkedArray,
    columns: [PyChunkedArray; 7],
    moved: [PyChunkedArray; 4],
    independent: bool,
    confidence_level: f64,
) -> PyResult<PyRecordBatch> {
    check_level(confidence_level)?;
    let columns = columns.iter().map(counts).collect::<PyResult<Vec<_>>>()?;
    let moved = moved.iter().map(counts).collect::<PyResult<Vec<_>>>()?;
    let rows = columns[0].len();
    let offsets = offsets(&lengths, rows)?;
    let cells = offsets.len() - 1;
    if columns.iter().any(|column| column.len() != rows)
        || moved.iter().any(|column| column.len() != cells)
    {
        return Err(PyValueError::new_err("columns of counts differ in length"));
    }
    let verdicts = |row: usize, start: usize| Verdicts {
        wins: columns[start][row],
        losses: columns[start + 1][row],
        ties: columns[start + 2][row],
    };
    let alike =
        |row: usize| Alike { orders: [verdicts(row, 0), verdicts(row, 3)], times: columns[6][row] };
    let clusters: Vec<Alike> = (0..rows).map(alike).collect();
    let moved: Vec<Moved> = (0..cells)
        .map(|cell| Moved {
            to_first: moved[0][cell],
            to_second: moved[1][cell],
            both: moved[2][cell],
            repeated: moved[3][cell],
        })
        .collect();
    let rows =
        py.detach(|| wins::of_cells(&offsets, &clusters, &moved, independent, confidence_level));
    wins_out(&rows, confidence_level)
}

fn wins_out(rows: &[Wins], confidence_level: f64) -> PyResult<PyRecordBatch> {
    let count = |field: fn(&Verdicts) -> u64| {
        counts_out(rows.iter().map(move |r| Some(field(&r.total[0]) + field(&r.total[1]))))
    };
    let floats = |field: fn(&Wins) -> Option<f64>| floats_out(rows.iter().map(field));
    let (limits, how) = interval_columns(rows.iter().map(|r| &r.interval), confidence_level);
    let test: StringArray = rows.iter().map(|r| r.test.map(|test| test.1)).collect();
    let mut columns: Vec<crate::columns::Column> = vec![
        ("n", count(|v| v.wins + v.losses + v.ties)),
        ("n_clusters", counts_out(rows.iter().map(|r| r.clusters))),
        ("wins", count(|v| v.wins)),
        ("losses", count(|v| v.losses)),
        ("ties", count(|v| v.ties)),
        ("estimate", floats(|r| r.estimate)),
    ];
    columns.extend(limits);
    columns.extend([
        ("shown_first", floats(|r| r.by_place[0])),
        ("shown_second", floats(|r| r.by_place[1])),
        ("first_share", floats(|r| r.first)),
        ("first_low", floats(|r| r.first_limits.map(|limits| limits.0))),
        ("first_high", floats(|r| r.first_limits.map(|limits| limits.1))),
    ]);
    let tested = rows.iter().map(|r| r.test.map(|test| test.0));
    columns.extend(p_columns(["position_p", "position_log_p"], tested));
    columns.push(("position_test", Arc::new(test)));
    columns.extend(how);
    batch(columns)
}
