//! Cues of stance, and records of it.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{ArrayRef, BooleanArray, UInt32Array};
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::cues::{Found, Lexicon};
use reclaimstats_core::text::record::{self, Record};

use crate::cells::{Cells, Grow, Lists, Members, Primitives, Texts, grown, structs};
use crate::columns::{Text, array, batch, broadcast, column, map_rows};
use crate::errors;

/// A compiled lexicon with the names of its kinds and its cues.
#[pyclass(name = "Lexicon", frozen, module = "reclaimstats._core")]
pub(crate) struct PyLexicon {
    pub(crate) compiled: Lexicon,
    kinds: Vec<String>,
    cues: Vec<String>,
}

#[pymethods]
impl PyLexicon {
    #[new]
    fn new(kinds: Vec<(String, Vec<String>)>, dates: Option<usize>) -> PyResult<Self> {
        let listed = kinds.iter().enumerate();
        let cues =
            listed.flat_map(|(kind, (_, cues))| cues.iter().map(move |cue| (kind, cue.as_str())));
        let compiled = Lexicon::new(cues, dates).map_err(|error| errors::lexicon(&error))?;
        let (kinds, cues): (Vec<String>, Vec<Vec<String>>) = kinds.into_iter().unzip();
        Ok(Self { compiled, kinds, cues: cues.into_iter().flatten().collect() })
    }
}

/// Kinds of which a text holds a cue, as bits.
#[pyfunction]
pub(crate) fn cue_kinds(
    py: Python<'_>,
    text: PyChunkedArray,
    lexicon: &PyLexicon,
) -> PyResult<PyArray> {
    let text = Text::new(&text)?;
    let kinds =
        py.detach(|| map_rows(text.len(), |row| Some(lexicon.compiled.kinds(text.get(row)?))));
    Ok(array(UInt32Array::from(kinds)))
}

/// Kinds as bits.
type Kinds = Primitives<UInt32Type>;

/// Kinds as bits, in a column `kinds`, and the cues found, in a column `found` of lists.
#[pyfunction]
pub(crate) fn cues_found(
    py: Python<'_>,
    text: PyChunkedArray,
    lexicon: &PyLexicon,
) -> PyResult<PyRecordBatch> {
    let text = Text::new(&text)?;
    let find = |(): &mut (), row, (kinds, found): &mut (Kinds, Lists<Cues>)| {
        let cues = text.get(row).map(|text| (text, lexicon.compiled.cues(text)));
        let bits = |cues: &[Found]| cues.iter().fold(0, |bits, cue| bits | 1 << cue.kind);
        kinds.push(cues.as_ref().map(|(_, cues)| bits(cues)));
        let list = cues.map(|(text, cues)| found.members.add(text, &cues, lexicon));
        found.close(list);
    };
    py.detach(|| {
        let (kinds, found) = grown(text.len(), || (), find);
        batch(vec![column("kinds", kinds)?, column("found", found)?])
    })
}

/// Cues, each with its place in characters, which is what users slice text by.
#[derive(Default)]
struct Cues {
    kind: Texts,
    cue: Texts,
    span: Texts,
    start: Primitives<UInt64Type>,
    end: Primitives<UInt64Type>,
}

impl Cues {
    fn add(&mut self, text: &str, cues: &[Found], lexicon: &PyLexicon) {
        let (mut at, mut characters) = (0, 0);
        for cue in cues {
            let span = text.get(cue.span.clone()).unwrap_or_default();
            let before = text.get(at..cue.span.start).unwrap_or_default();
            characters += before.chars().count() as u64;
            at = cue.span.start;
            let name = cue.cue.and_then(|cue| lexicon.cues.get(cue));
            self.kind.push(lexicon.kinds.get(cue.kind).map(Cow::from));
            self.cue.push(name.map(Cow::from));
            self.span.push(Some(span.into()));
            self.start.push(Some(characters));
            self.end.push(Some(characters + span.chars().count() as u64));
        }
    }
}

impl Grow for Cues {
    fn append(&mut self, block: Self) {
        self.kind.append(block.kind);
        self.cue.append(block.cue);
        self.span.append(block.span);
        self.start.append(block.start);
        self.end.append(block.end);
    }
}

impl Members for Cues {
    fn len(&self) -> usize {
        self.kind.len()
    }

    fn column(self) -> Result<ArrayRef, ArrowError> {
        structs(vec![
            ("kind", self.kind.column()?),
            ("cue", self.cue.column()?),
            ("span", self.span.column()?),
            ("start", self.start.column()?),
            ("end", self.end.column()?),
        ])
    }
}

/// Records as columns `claim`, `source`, `certainty`, `as_of` and `status`.
#[pyfunction]
pub(crate) fn read_record(py: Python<'_>, text: PyChunkedArray) -> PyResult<PyRecordBatch> {
    let text = Text::new(&text)?;
    let read = |(): &mut (), row, records: &mut Records| {
        records.push(text.get(row).map(record::read));
    };
    py.detach(|| {
        let records: Records = grown(text.len(), || (), read);
        batch(vec![
            column("claim", records.claim)?,
            column("source", records.source)?,
            column("certainty", records.certainty)?,
            column("as_of", records.as_of)?,
            column("status", records.status)?,
        ])
    })
}

#[derive(Default)]
struct Records {
    claim: Texts,
    source: Lists<Texts>,
    certainty: Texts,
    as_of: Texts,
    status: Texts,
}

impl Records {
    fn push(&mut self, record: Option<Record>) {
        self.status.push(record.as_ref().map(|record| record.status.as_str().into()));
        let Some(record) = record else {
            self.claim.push(None);
            self.source.close(None);
            self.certainty.push(None);
            self.as_of.push(None);
            return;
        };
        self.claim.push(record.claim.map(Cow::Owned));
        for source in record.source {
            self.source.members.push(Some(Cow::Owned(source)));
        }
        self.source.close(Some(()));
        self.certainty.push(record.certainty.map(Cow::Owned));
        self.as_of.push(record.as_of.map(Cow::Owned));
    }
}

impl Grow for Records {
    fn append(&mut self, block: Self) {
        self.claim.append(block.claim);
        self.source.append(block.source);
        self.certainty.append(block.certainty);
        self.as_of.append(block.as_of);
        self.status.append(block.status);
    }
}

/// What records hide of their sources: columns `malformed`, `overclaimed`, `unattributed` and
/// `undated`. The kinds of the lexicon are hedges, attributions and dates, in this order.
#[pyfunction]
pub(crate) fn check_record(
    py: Python<'_>,
    text: PyChunkedArray,
    source: PyChunkedArray,
    lexicon: &PyLexicon,
) -> PyResult<PyRecordBatch> {
    let (text, source) = (Text::new(&text)?, Text::new(&source)?);
    let len = broadcast(&[text.len(), source.len()])?;
    py.detach(|| {
        let checks = map_rows(len, |row| {
            let record = record::read(text.get(row)?);
            Some(record::check(&record, source.get(row)?, &lexicon.compiled))
        });
        let flags = |flag: fn(&record::Check) -> bool| -> ArrayRef {
            Arc::new(checks.iter().map(|check| check.as_ref().map(flag)).collect::<BooleanArray>())
        };
        batch(vec![
            ("malformed", flags(|check| check.malformed)),
            ("overclaimed", flags(|check| check.overclaimed)),
            ("unattributed", flags(|check| check.unattributed)),
            ("undated", flags(|check| check.undated)),
        ])
    })
}
