//! Text scorers, row by row.

pub(crate) mod answers;
pub(crate) mod blocks;
pub(crate) mod cues;
pub(crate) mod matching;
pub(crate) mod memory;
pub(crate) mod structured;

use std::borrow::Cow;

use arrow_array::types::UInt64Type;
use pyo3::PyResult;
use pyo3_arrow::PyRecordBatch;
use reclaimstats_core::text::answer::Reading;

use crate::cells::{Cells, Grow, Primitives, Texts, grown};
use crate::columns::{Column, Text, batch, column};

/// A column `value` of what `push` makes of the values read; with a trace, how each was read beside
/// it.
fn finish<C: Cells, T, S: Copy + Into<&'static str>>(
    reply: &Text,
    len: usize,
    trace: bool,
    reading: impl Fn(usize) -> Option<Reading<T, S>> + Send + Sync,
    push: impl Fn(&mut C, Option<T>) + Send + Sync,
) -> PyResult<PyRecordBatch> {
    if trace {
        return traced(reply, len, reading, push);
    }
    let values: C = grown(
        len,
        || (),
        |(), row, values| push(values, reading(row).and_then(|reading| reading.value)),
    );
    batch(vec![column("value", values)?])
}

/// As [`finish`], with a trace.
fn traced<C: Cells, T, S: Copy + Into<&'static str>>(
    reply: &Text,
    len: usize,
    reading: impl Fn(usize) -> Option<Reading<T, S>> + Send + Sync,
    push: impl Fn(&mut C, Option<T>) + Send + Sync,
) -> PyResult<PyRecordBatch> {
    let (values, trace) = grown(
        len,
        || (),
        |(), row, (values, trace): &mut (C, Trace)| {
            let mut reading = reading(row);
            push(values, reading.as_mut().and_then(|reading| reading.value.take()));
            trace.push(reply.get(row), reading.as_ref());
        },
    );
    batch(std::iter::once(column("value", values)).chain(trace.columns()).collect::<PyResult<_>>()?)
}

/// The text that each value was read from, its place in characters, rule and status.
#[derive(Default)]
struct Trace {
    span: Texts,
    start: Primitives<UInt64Type>,
    end: Primitives<UInt64Type>,
    rule: Texts,
    status: Texts,
}

impl Grow for Trace {
    fn append(&mut self, block: Self) {
        self.span.append(block.span);
        self.start.append(block.start);
        self.end.append(block.end);
        self.rule.append(block.rule);
        self.status.append(block.status);
    }
}

impl Trace {
    fn push<T, S: Copy + Into<&'static str>>(
        &mut self,
        text: Option<&str>,
        reading: Option<&Reading<T, S>>,
    ) {
        let place = || {
            let (text, span) = (text?, reading?.span.clone()?);
            // Users slice text by characters, the core by bytes.
            let start = text.get(..span.start)?.chars().count();
            let span = text.get(span)?;
            Some((span, start as u64, (start + span.chars().count()) as u64))
        };
        let place = place();
        self.span.push(place.map(|(span, ..)| Cow::Borrowed(span)));
        self.start.push(place.map(|(_, start, _)| start));
        self.end.push(place.map(|(.., end)| end));
        self.rule.push(reading.map(|reading| Cow::Borrowed(reading.rule)));
        self.status.push(reading.map(|reading| Cow::Borrowed(reading.status.into())));
    }

    fn columns(self) -> impl Iterator<Item = PyResult<Column>> {
        [
            column("span", self.span),
            column("start", self.start),
            column("end", self.end),
            column("rule", self.rule),
            column("status", self.status),
        ]
        .into_iter()
    }
}
