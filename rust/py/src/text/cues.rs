//! Cues of stance, and records of it.

use std::sync::Arc;

use arrow_array::builder::{LargeListBuilder, StringViewBuilder, StructBuilder, UInt64Builder};
use arrow_array::{ArrayRef, BooleanArray, StringArray, StringViewArray, UInt32Array};
use arrow_schema::{DataType, Field, Fields};
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch};
use reclaimstats_core::text::cues::{Found, Lexicon};
use reclaimstats_core::text::record::{self, Record};

use crate::columns::{Text, array, batch, broadcast, map_rows};
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

/// Kinds as bits, in a column `kinds`, and the cues found, in a column `found` of lists.
#[pyfunction]
pub(crate) fn cues_found(
    py: Python<'_>,
    text: PyChunkedArray,
    lexicon: &PyLexicon,
) -> PyResult<PyRecordBatch> {
    let text = Text::new(&text)?;
    py.detach(|| {
        let found = map_rows(text.len(), |row| {
            let text = text.get(row)?;
            Some(placed(text, lexicon.compiled.cues(text)))
        });
        let bits = |cues: &Vec<Placed>| cues.iter().fold(0, |bits, cue| bits | 1 << cue.0.kind);
        let kinds: UInt32Array = found.iter().map(|cues| cues.as_ref().map(bits)).collect();
        batch(vec![("kinds", Arc::new(kinds)), ("found", lists(&text, &found, lexicon))])
    })
}

/// A cue with its place in characters, which is what users slice text by.
type Placed = (Found, u64, u64);

fn placed(text: &str, cues: Vec<Found>) -> Vec<Placed> {
    let (mut at, mut characters) = (0, 0);
    let place = |cue: Found| {
        let count = |from: usize, to: usize| {
            text.get(from..to).map_or(0, |part| part.chars().count() as u64)
        };
        characters += count(at, cue.span.start);
        at = cue.span.start;
        let end = characters + count(at, cue.span.end);
        (cue, characters, end)
    };
    cues.into_iter().map(place).collect()
}

fn lists(text: &Text, found: &[Option<Vec<Placed>>], lexicon: &PyLexicon) -> ArrayRef {
    let field = |name, dtype| Field::new(name, dtype, true);
    let fields = Fields::from(vec![
        field("kind", DataType::Utf8View),
        field("cue", DataType::Utf8View),
        field("span", DataType::Utf8View),
        field("start", DataType::UInt64),
        field("end", DataType::UInt64),
    ]);
    let mut builder = LargeListBuilder::new(StructBuilder::from_fields(fields, 0));
    for (row, cues) in found.iter().enumerate() {
        let whole = text.get(row).unwrap_or_default();
        let rows = builder.values();
        for (cue, start, end) in cues.iter().flatten() {
            let texts = [
                lexicon.kinds.get(cue.kind).map(String::as_str),
                cue.cue.and_then(|cue| lexicon.cues.get(cue)).map(String::as_str),
                whole.get(cue.span.clone()),
            ];
            for (column, value) in texts.into_iter().enumerate() {
                if let Some(column) = rows.field_builder::<StringViewBuilder>(column) {
                    column.append_option(value);
                }
            }
            for (column, value) in [(3, *start), (4, *end)] {
                if let Some(column) = rows.field_builder::<UInt64Builder>(column) {
                    column.append_value(value);
                }
            }
            rows.append(true);
        }
        builder.append(cues.is_some());
    }
    Arc::new(builder.finish())
}

/// Records as columns `claim`, `source`, `certainty`, `as_of` and `status`.
#[pyfunction]
pub(crate) fn read_record(py: Python<'_>, text: PyChunkedArray) -> PyResult<PyRecordBatch> {
    let text = Text::new(&text)?;
    py.detach(|| {
        let records = map_rows(text.len(), |row| Some(record::read(text.get(row)?)));
        let texts = |value: fn(&Record) -> Option<&str>| -> ArrayRef {
            let values = records.iter().map(|record| value(record.as_ref()?));
            Arc::new(values.collect::<StringViewArray>())
        };
        let mut sources = LargeListBuilder::new(StringViewBuilder::new());
        for record in &records {
            for source in record.iter().flat_map(|record| &record.source) {
                sources.values().append_value(source);
            }
            sources.append(record.is_some());
        }
        let status = records.iter().map(|record| Some(record.as_ref()?.status.as_str()));
        batch(vec![
            ("claim", texts(|record| record.claim.as_deref())),
            ("source", Arc::new(sources.finish())),
            ("certainty", texts(|record| record.certainty.as_deref())),
            ("as_of", texts(|record| record.as_of.as_deref())),
            ("status", Arc::new(status.collect::<StringArray>())),
        ])
    })
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
