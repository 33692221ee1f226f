//! What a note keeps of its source, and what it adds.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, LargeListBuilder, StringViewBuilder};
use arrow_array::{ArrayRef, UInt64Array};
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch};
use rayon::prelude::*;
use reclaimstats_core::text::answer::Dialect;
use reclaimstats_core::text::containment::{Claims, words};
use reclaimstats_core::text::figures::{self, Known, Tally};
use reclaimstats_core::text::ledger;
use reclaimstats_core::text::survival::{self, Prefixes, item_coverage, items};

use crate::columns::{
    FloatLists, Rooms, Text, TextLists, Texts, array, batch, broadcast, flags_with, floats_with,
    pair, written,
};
use crate::errors;

/// All numbers of a text, in a column `value` of lists.
#[pyfunction]
pub(crate) fn numbers(py: Python<'_>, text: PyChunkedArray) -> PyResult<PyRecordBatch> {
    let text = Text::new(&text)?;
    py.detach(|| {
        let found = Lists::map(text.len(), |(): &mut (), row, found| {
            found.extend(figures::numbers(text.get(row)?));
            Some(())
        });
        batch(vec![("value", Lists::column(found))])
    })
}

/// Where the numbers of a source come from.
enum Sources {
    Texts(Texts),
    Values(FloatLists),
}

impl Sources {
    fn new(source: &PyChunkedArray) -> PyResult<(Self, usize)> {
        if let Ok(column) = FloatLists::new(source) {
            let rows = column.len();
            return Ok((Self::Values(column), rows));
        }
        let column = Texts::new(source)?;
        let rows = column.len();
        Ok((Self::Texts(column), rows))
    }

    /// The numbers of a row; nothing for a null.
    fn numbers(&self, row: usize) -> Option<Vec<f64>> {
        match self {
            Self::Values(column) => Some(column.get(row)?.collect()),
            Self::Texts(column) => {
                Some(column.get(row)?.into_iter().flat_map(figures::numbers).collect())
            }
        }
    }
}

/// Numbers of the memory that the source has not: columns `count` and `values`.
#[pyfunction]
pub(crate) fn invented_numbers(
    py: Python<'_>,
    memory: PyChunkedArray,
    source: PyChunkedArray,
    dialect: &str,
) -> PyResult<PyRecordBatch> {
    let memory = Text::new(&memory)?;
    let strict = errors::option("dialect", dialect, Dialect::parse)? == Dialect::Strict;
    let (sources, rows) = Sources::new(&source)?;
    let len = broadcast(&[memory.len(), rows])?;
    py.detach(|| {
        let found = Lists::map(len, |known: &mut Known, row, found| {
            let memory = memory.get(row)?;
            match &sources {
                Sources::Texts(Texts::One(source)) if strict => {
                    found.extend(known.invented(figures::numbers(source.get(row)?), memory));
                }
                _ if strict => found.extend(known.invented(sources.numbers(row)?, memory)),
                Sources::Texts(texts) => {
                    let texts = texts.get(row)?.into_iter();
                    let known = texts.flat_map(figures::harness_numbers);
                    let invented = figures::harness_invented(known, memory);
                    found.extend(invented.filter_map(figures::harness_value));
                }
                Sources::Values(_) => return None,
            }
            Some(())
        });
        batch(vec![("count", Lists::lengths(&found)), ("values", Lists::column(found))])
    })
}

/// The number that each text names most often.
#[pyfunction]
pub(crate) fn recurring_value(
    py: Python<'_>,
    text: PyChunkedArray,
    least: usize,
) -> PyResult<PyArray> {
    let text = Text::new(&text)?;
    let often = |tally: &mut Tally, row| tally.recurring_value(text.get(row)?, least);
    Ok(array(py.detach(|| floats_with(text.len(), Tally::default, often))))
}

/// What the line items of each text come to.
#[pyfunction]
pub(crate) fn worked_out(py: Python<'_>, text: PyChunkedArray) -> PyResult<PyArray> {
    let text = Text::new(&text)?;
    #[expect(clippy::cast_precision_loss)]
    let total = |(): &mut (), row| ledger::worked_out(text.get(row)?).map(|sum| sum as f64);
    Ok(array(py.detach(|| floats_with(text.len(), || (), total))))
}

/// Rows that one thread takes at a time; few enough that huge ones still spread.
const BLOCK: usize = 256;

/// Lists of numbers, a row each, without an allocation for each.
#[derive(Default)]
struct Lists {
    values: Vec<f64>,
    /// Nothing for a null.
    lengths: Vec<Option<usize>>,
}

impl Lists {
    /// Rows in order, filled in parallel by blocks; `S` is what is kept from row to row.
    fn map<S: Default + Send>(
        len: usize,
        fill: impl Fn(&mut S, usize, &mut Vec<f64>) -> Option<()> + Send + Sync,
    ) -> Vec<Self> {
        let rooms = Rooms::new(S::default);
        let block = |block: usize| {
            let mut lists = Self::default();
            rooms.with(|room| {
                for row in block * BLOCK..len.min((block + 1) * BLOCK) {
                    let start = lists.values.len();
                    let filled = fill(room, row, &mut lists.values);
                    lists.lengths.push(filled.map(|()| lists.values.len() - start));
                }
            });
            lists
        };
        (0..len.div_ceil(BLOCK)).into_par_iter().map(block).collect()
    }

    fn lengths(blocks: &[Self]) -> ArrayRef {
        let lengths = blocks.iter().flat_map(|block| &block.lengths);
        let lengths: UInt64Array = lengths.map(|length| length.map(|n| n as u64)).collect();
        Arc::new(lengths)
    }

    fn column(blocks: Vec<Self>) -> ArrayRef {
        let values = Float64Builder::with_capacity(blocks.iter().map(|b| b.values.len()).sum());
        let rows = blocks.iter().map(|block| block.lengths.len()).sum();
        let mut builder = LargeListBuilder::with_capacity(values, rows);
        for block in blocks {
            let mut rest = block.values.as_slice();
            for length in block.lengths {
                let (row, behind) = rest.split_at(length.unwrap_or(0));
                builder.values().append_slice(row);
                builder.append(length.is_some());
                rest = behind;
            }
        }
        Arc::new(builder.finish())
    }
}

/// Content words of a source text, or items of a source list, that are in the note: columns
/// `found` and `total`, with `trace` also `kept` and `lost`.
#[pyfunction]
pub(crate) fn token_survival(
    py: Python<'_>,
    note: PyChunkedArray,
    source: PyChunkedArray,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    if !source.data_type().is_list() {
        return containment(py, source, note, trace);
    }
    let (note, source) = (Text::new(&note)?, TextLists::new(&source)?);
    let len = broadcast(&[note.len(), source.len()])?;
    py.detach(|| {
        if trace {
            return traced(len, || (), |(), row| Some(items(note.get(row)?, &source.get(row)?)));
        }
        let counts = |(): &mut (), row| Some(item_coverage(note.get(row)?, &source.get(row)?));
        counted(len, || (), counts)
    })
}

/// Whether all of the content words or items of [`token_survival`] are in the note; null where
/// there are none.
#[pyfunction]
pub(crate) fn tokens_survive(
    py: Python<'_>,
    note: PyChunkedArray,
    source: PyChunkedArray,
) -> PyResult<PyArray> {
    if !source.data_type().is_list() {
        let (note, source, len) = pair(&note, &source)?;
        let all = |claims: &mut Claims, row| claims.contained(source.get(row)?, note.get(row)?);
        return Ok(array(py.detach(|| flags_with(len, Claims::default, all))));
    }
    let (note, source) = (Text::new(&note)?, TextLists::new(&source)?);
    let len = broadcast(&[note.len(), source.len()])?;
    let all = |(): &mut (), row| {
        let (found, total) = item_coverage(note.get(row)?, &source.get(row)?);
        (total > 0).then_some(found == total)
    };
    Ok(array(py.detach(|| flags_with(len, || (), all))))
}

/// Numbers of the source that are in the note; columns as of [`token_survival`].
#[pyfunction]
pub(crate) fn number_survival(
    py: Python<'_>,
    note: PyChunkedArray,
    source: PyChunkedArray,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let note = Text::new(&note)?;
    let (sources, rows) = Sources::new(&source)?;
    let len = broadcast(&[note.len(), rows])?;
    let room = <(Known, Known)>::default;
    let found = |known: &mut (Known, Known), row| {
        Some(survival::numbers(note.get(row)?, sources.numbers(row)?, known))
    };
    py.detach(|| {
        if trace {
            let text = |(number, kept): (f64, bool)| (number.to_string(), kept);
            return traced(len, room, |known, row| {
                found(known, row).map(|parts| parts.into_iter().map(text).collect())
            });
        }
        counted(len, room, |known, row| found(known, row).map(|parts| count(&parts)))
    })
}

/// Whether the first characters of the source are in the note; columns as of [`token_survival`].
#[pyfunction]
pub(crate) fn prefix_survival(
    py: Python<'_>,
    note: PyChunkedArray,
    source: PyChunkedArray,
    chars: usize,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let (note, source, len) = pair(&note, &source)?;
    let room = || Prefixes::new(chars);
    py.detach(|| {
        // Nothing of an empty source could survive.
        if trace {
            return traced(len, room, |prefixes, row| {
                let (note, source) = (note.get(row)?, source.get(row)?);
                let prefix = (!source.is_empty()).then(|| prefixes.prefix(note, source));
                Some(prefix.into_iter().collect())
            });
        }
        counted(len, room, |prefixes, row| {
            let (note, source) = (note.get(row)?, source.get(row)?);
            let found = !source.is_empty() && prefixes.survives(note, source);
            Some((found.into(), (!source.is_empty()).into()))
        })
    })
}

/// Distinct content words of the claim that the memory has; columns as of [`token_survival`].
#[pyfunction]
pub(crate) fn containment(
    py: Python<'_>,
    claim: PyChunkedArray,
    memory: PyChunkedArray,
    trace: bool,
) -> PyResult<PyRecordBatch> {
    let (claim, memory, len) = pair(&claim, &memory)?;
    py.detach(|| {
        if trace {
            return traced(len, || (), |(), row| Some(words(claim.get(row)?, memory.get(row)?)));
        }
        counted(len, Claims::default, |claims, row| {
            Some(claims.containment(claim.get(row)?, memory.get(row)?))
        })
    })
}

/// Columns `found` and `total`; `room` makes what a thread keeps from row to row.
fn counted<S: Send>(
    len: usize,
    room: impl Fn() -> S + Send + Sync,
    counts: impl Fn(&mut S, usize) -> Option<(usize, usize)> + Send + Sync,
) -> PyResult<PyRecordBatch> {
    let (rows, mut valid) = written(len, room, counts);
    let valid = valid.finish();
    let column = |part: fn(&(usize, usize)) -> usize| -> ArrayRef {
        let values: Vec<u64> = rows.iter().map(|row| part(row) as u64).collect();
        Arc::new(UInt64Array::new(values.into(), Some(valid.clone().into())))
    };
    batch(vec![("found", column(|row| row.0)), ("total", column(|row| row.1))])
}

/// The columns of [`counted`], and the lists `kept` and `lost` of the parts that are counted.
fn traced<S: Send, P: AsRef<str> + Clone + Send + Sync>(
    len: usize,
    room: impl Fn() -> S + Send + Sync,
    parts: impl Fn(&mut S, usize) -> Option<Vec<(P, bool)>> + Send + Sync,
) -> PyResult<PyRecordBatch> {
    let (rows, mut valid) = written(len, room, parts);
    let valid = valid.finish();
    let [kept, lost] = [true, false].map(|wanted| -> ArrayRef {
        let mut builder = LargeListBuilder::new(StringViewBuilder::new());
        for (row, valid) in rows.iter().zip(&valid) {
            let parts = row.iter().filter(|(_, kept)| *kept == wanted);
            parts.for_each(|(text, _)| builder.values().append_value(text));
            builder.append(valid);
        }
        Arc::new(builder.finish())
    });
    let column = |part: fn((usize, usize)) -> usize| -> ArrayRef {
        let values: Vec<u64> = rows.iter().map(|row| part(count(row)) as u64).collect();
        Arc::new(UInt64Array::new(values.into(), Some(valid.clone().into())))
    };
    let (found, total) = (column(|row| row.0), column(|row| row.1));
    batch(vec![("found", found), ("total", total), ("kept", kept), ("lost", lost)])
}

/// How many parts were kept, of how many.
fn count<P>(parts: &[(P, bool)]) -> (usize, usize) {
    (parts.iter().filter(|(_, kept)| *kept).count(), parts.len())
}
