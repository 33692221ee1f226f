//! What a note keeps of its source, and what it adds.

use arrow_array::types::{Float64Type, UInt64Type};
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::answer::Dialect;
use reclaimstats_core::text::containment::{Claims, words};
use reclaimstats_core::text::figures::{self, Known, Tally};
use reclaimstats_core::text::ledger;
use reclaimstats_core::text::survival::{self, Prefixes, item_coverage, items};

use crate::cells::{self, Cells as _, Lists, Primitives, grown};
use crate::columns::{
    FloatLists, Text, TextLists, Texts, array, batch, broadcast, column, flags_with, floats_with,
    pair,
};
use crate::errors;

/// All numbers of a text, in a column `value` of lists.
#[pyfunction]
pub(crate) fn numbers(py: Python<'_>, text: PyChunkedArray) -> PyResult<PyRecordBatch> {
    let text = Text::new(&text)?;
    py.detach(|| {
        let found: Numbers = grown(
            text.len(),
            || (),
            |(): &mut (), row, found: &mut Numbers| {
                let add = |number| found.members.push(Some(number));
                let list = text.get(row).map(|text| figures::numbers(text).for_each(add));
                found.close(list);
            },
        );
        batch(vec![column("value", found)?])
    })
}

/// Lists of numbers.
type Numbers = Lists<Primitives<Float64Type>>;

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
        let fill = |known: &mut Known, row, found: &mut Numbers| {
            let mut add = |number| found.members.push(Some(number));
            let memory = memory.get(row)?;
            match &sources {
                Sources::Texts(Texts::One(source)) if strict => {
                    known.invented(figures::numbers(source.get(row)?), memory).for_each(add);
                }
                _ if strict => known.invented(sources.numbers(row)?, memory).for_each(add),
                Sources::Texts(texts) => {
                    let texts = texts.get(row)?.into_iter();
                    let known = texts.flat_map(figures::harness_numbers);
                    let invented = figures::harness_invented(known, memory);
                    invented.filter_map(figures::harness_value).for_each(&mut add);
                }
                Sources::Values(_) => return None,
            }
            Some(())
        };
        let found: Numbers = grown(len, Known::default, |known, row, found| {
            let list = fill(known, row, found);
            found.close(list);
        });
        batch(vec![("count", found.lengths()), column("values", found)?])
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

/// What the line items of each text come to; of a list, if each of its texts has some.
#[pyfunction]
pub(crate) fn worked_out(py: Python<'_>, text: PyChunkedArray) -> PyResult<PyArray> {
    let text = Texts::new(&text)?;
    let total = |(): &mut (), row| match &text {
        Texts::One(text) => ledger::worked_out(text.get(row)?),
        Texts::Several(texts) => ledger::worked_out_all(&texts.get(row)?),
    };
    Ok(array(py.detach(|| floats_with(text.len(), || (), total))))
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
    let (found, total): Counts = grown(len, room, |room, row, (found, total): &mut Counts| {
        let counts = counts(room, row);
        found.push(counts.map(|counts| counts.0 as u64));
        total.push(counts.map(|counts| counts.1 as u64));
    });
    batch(vec![column("found", found)?, column("total", total)?])
}

type Counts = (Primitives<UInt64Type>, Primitives<UInt64Type>);

/// The columns of [`counted`], and the lists `kept` and `lost` of the parts that are counted.
fn traced<S: Send, P: AsRef<str>>(
    len: usize,
    room: impl Fn() -> S + Send + Sync,
    parts: impl Fn(&mut S, usize) -> Option<Vec<(P, bool)>> + Send + Sync,
) -> PyResult<PyRecordBatch> {
    type Cells = (Counts, (Lists<cells::Texts>, Lists<cells::Texts>));
    let ((found, total), (kept, lost)): Cells = grown(len, room, |room, row, cells: &mut Cells| {
        let ((found, total), (kept, lost)) = cells;
        let parts = parts(room, row);
        for (part, survives) in parts.iter().flatten() {
            let list = if *survives { &mut *kept } else { &mut *lost };
            list.members.push(Some(part.as_ref().into()));
        }
        kept.close(parts.as_ref().map(|_| ()));
        lost.close(parts.as_ref().map(|_| ()));
        let counts = parts.as_deref().map(count);
        found.push(counts.map(|counts| counts.0 as u64));
        total.push(counts.map(|counts| counts.1 as u64));
    });
    batch(vec![
        column("found", found)?,
        column("total", total)?,
        column("kept", kept)?,
        column("lost", lost)?,
    ])
}

/// How many parts were kept, of how many.
fn count<P>(parts: &[(P, bool)]) -> (usize, usize) {
    (parts.iter().filter(|(_, kept)| *kept).count(), parts.len())
}
