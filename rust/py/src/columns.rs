//! Arrow columns as the kernels want them: rows of text, vectors of numbers.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::BooleanBufferBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int8Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, LargeStringArray, RecordBatch, StringArray,
    StringViewArray,
};
use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch};
use rayon::prelude::*;
use reclaimstats_core::kinds::NULL;

use crate::cells::Members;
use crate::errors;

pub(crate) fn wrong_type(wanted: &str, found: &DataType) -> PyErr {
    PyTypeError::new_err(format!("expected a column of {wanted}, got Arrow type {found}"))
}

enum TextChunk {
    View(StringViewArray),
    Large(LargeStringArray),
    Small(StringArray),
}

impl TextChunk {
    fn new(array: &dyn Array) -> PyResult<Self> {
        match array.data_type() {
            DataType::Utf8View => Ok(Self::View(array.as_string_view().clone())),
            DataType::LargeUtf8 => Ok(Self::Large(array.as_string::<i64>().clone())),
            DataType::Utf8 => Ok(Self::Small(array.as_string::<i32>().clone())),
            other => Err(wrong_type("text", other)),
        }
    }

    fn get(&self, row: usize) -> Option<&str> {
        match self {
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Small(array) => array.is_valid(row).then(|| array.value(row)),
        }
    }

    /// The texts of so many rows from this one on; nothing behind the last.
    fn some<const N: usize>(&self, row: usize) -> [Option<&str>; N] {
        macro_rules! some {
            ($array:expr) => {
                std::array::from_fn(|at| {
                    let row = row + at;
                    (row < $array.len() && $array.is_valid(row)).then(|| $array.value(row))
                })
            };
        }
        match self {
            Self::View(array) => some!(array),
            Self::Large(array) => some!(array),
            Self::Small(array) => some!(array),
        }
    }
}

/// Bytes of a text that its view holds itself.
const WHOLE: usize = 12;

/// A text column, read in place.
pub(crate) struct Text {
    chunks: Vec<TextChunk>,
    rows: Rows,
}

impl Text {
    pub(crate) fn new(column: &PyChunkedArray) -> PyResult<Self> {
        let chunks: PyResult<_> = column.chunks().iter().map(|c| TextChunk::new(c)).collect();
        Ok(Self { chunks: chunks?, rows: Rows::new(column) })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len
    }

    /// The text of a row; a column of one row stands for any number of equal ones.
    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        let (chunk, row) = self.rows.locate(row);
        self.chunks[chunk].get(row)
    }

    /// Marks of the rows of the first chunk from this one on, see `kinds::Texts`: views themselves,
    /// which equal short texts have in common and copies of one long text; else the row.
    pub(crate) fn marks(&self, start: usize, marks: &mut [u128]) {
        let rows = start..;
        match self.chunks.first() {
            Some(TextChunk::View(array)) => {
                for (mark, view) in marks.iter_mut().zip(&array.views()[start..]) {
                    *mark = *view;
                }
                if array.null_count() > 0 {
                    for (mark, row) in marks.iter_mut().zip(rows) {
                        *mark = if array.is_null(row) { NULL } else { *mark };
                    }
                }
            }
            _ => {
                for (mark, row) in marks.iter_mut().zip(rows) {
                    *mark = row as u128;
                }
            }
        }
    }

    /// The text of a row of the first chunk, unless [`Text::marks`] are equal for equal texts.
    pub(crate) fn long(&self, row: usize) -> Option<&str> {
        let chunk = self.chunks.first()?;
        chunk.get(row).filter(|text| !matches!(chunk, TextChunk::View(_)) || text.len() > WHOLE)
    }

    /// The texts of so many rows from this one on. Their ends are touched: a scorer that reads from
    /// the end waits for memory at each text; asked for together, several come in the time of one.
    fn some<const N: usize>(&self, row: usize) -> [Option<&str>; N] {
        const LINE: usize = 64;
        let texts = match self.chunks.as_slice() {
            [chunk] if self.rows.len > 1 => chunk.some(row),
            _ => std::array::from_fn(|at| {
                (self.rows.len == 1 || row + at < self.len()).then(|| self.get(row + at)).flatten()
            }),
        };
        let mut touched = 0;
        for text in texts.into_iter().flatten() {
            for behind in [1, 1 + LINE] {
                let byte = text.len().checked_sub(behind).and_then(|at| text.as_bytes().get(at));
                touched ^= byte.copied().unwrap_or_default();
            }
        }
        std::hint::black_box(touched);
        texts
    }
}

/// A column of lists of text, read in place.
pub(crate) struct TextLists {
    chunks: Vec<(ArrayRef, TextChunk)>,
    rows: Rows,
}

impl TextLists {
    pub(crate) fn new(column: &PyChunkedArray) -> PyResult<Self> {
        let chunk = |array: &ArrayRef| match array.data_type() {
            DataType::LargeList(_) => {
                Ok((Arc::clone(array), TextChunk::new(array.as_list::<i64>().values())?))
            }
            other => Err(wrong_type("lists of text", other)),
        };
        let chunks: PyResult<_> = column.chunks().iter().map(chunk).collect();
        Ok(Self { chunks: chunks?, rows: Rows::new(column) })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len
    }

    /// The texts of a row's list without its nulls; see [`Text::get`].
    pub(crate) fn get(&self, row: usize) -> Option<Vec<&str>> {
        let (chunk, row) = self.rows.locate(row);
        let (array, values) = &self.chunks[chunk];
        let offsets = array.as_list::<i64>().value_offsets();
        let bound = |i: usize| usize::try_from(offsets[i]).unwrap_or(0);
        array
            .is_valid(row)
            .then(|| (bound(row)..bound(row + 1)).filter_map(|i| values.get(i)).collect())
    }
}

/// A column of one text a row, or of several.
pub(crate) enum Texts {
    One(Text),
    Several(TextLists),
}

impl Texts {
    pub(crate) fn new(column: &PyChunkedArray) -> PyResult<Self> {
        if column.data_type().is_list() {
            return Ok(Self::Several(TextLists::new(column)?));
        }
        Ok(Self::One(Text::new(column)?))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::One(column) => column.len(),
            Self::Several(column) => column.len(),
        }
    }

    /// The texts of a row; see [`Text::get`].
    pub(crate) fn get(&self, row: usize) -> Option<Vec<&str>> {
        match self {
            Self::One(column) => Some(vec![column.get(row)?]),
            Self::Several(column) => column.get(row),
        }
    }
}

/// A column of lists of floats, read in place.
pub(crate) struct FloatLists {
    chunks: Vec<(ArrayRef, Float64Array)>,
    rows: Rows,
}

impl FloatLists {
    pub(crate) fn new(column: &PyChunkedArray) -> PyResult<Self> {
        let chunk = |array: &ArrayRef| {
            array
                .as_list_opt::<i64>()
                .and_then(|lists| lists.values().as_primitive_opt::<Float64Type>().cloned())
                .map(|values| (Arc::clone(array), values))
                .ok_or_else(|| wrong_type("lists of 64-bit floats", array.data_type()))
        };
        let chunks: PyResult<_> = column.chunks().iter().map(chunk).collect();
        Ok(Self { chunks: chunks?, rows: Rows::new(column) })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len
    }

    /// The values of a row's list without its nulls; see [`Text::get`].
    pub(crate) fn get(&self, row: usize) -> Option<impl Iterator<Item = f64>> {
        let (chunk, row) = self.rows.locate(row);
        let (array, values) = &self.chunks[chunk];
        let offsets = array.as_list::<i64>().value_offsets();
        let bound = |i: usize| usize::try_from(offsets[i]).unwrap_or(0);
        array.is_valid(row).then(|| {
            (bound(row)..bound(row + 1)).filter(|i| values.is_valid(*i)).map(|i| values.value(i))
        })
    }
}

/// Where each row of a chunked column lies.
struct Rows {
    starts: Vec<usize>,
    len: usize,
}

impl Rows {
    fn new(column: &PyChunkedArray) -> Self {
        let mut len = 0;
        let starts = column
            .chunks()
            .iter()
            .map(|chunk| {
                len += chunk.len();
                len - chunk.len()
            })
            .collect();
        Self { starts, len }
    }

    fn locate(&self, row: usize) -> (usize, usize) {
        let row = if self.len == 1 { 0 } else { row };
        if self.starts.len() == 1 {
            return (0, row);
        }
        let chunk = self.starts.partition_point(|start| *start <= row) - 1;
        (chunk, row - self.starts[chunk])
    }
}

/// Length of a result whose inputs have these lengths: one row stands for many.
pub(crate) fn broadcast(lengths: &[usize]) -> PyResult<usize> {
    let mut longer = lengths.iter().copied().filter(|len| *len != 1);
    let len = longer.next().unwrap_or(1);
    if longer.all(|other| other == len) { Ok(len) } else { Err(errors::lengths(lengths)) }
}

/// Two columns of text that are read row by row, and the number of rows.
pub(crate) fn pair(one: &PyChunkedArray, other: &PyChunkedArray) -> PyResult<(Text, Text, usize)> {
    let (one, other) = (Text::new(one)?, Text::new(other)?);
    let len = broadcast(&[one.len(), other.len()])?;
    Ok((one, other, len))
}

/// Rows that one thread takes at a time: few enough that a few huge replies still spread over the
/// threads, and a multiple of eight.
const BLOCK: usize = 1024;

/// One value a row, computed in parallel, in row order.
pub(crate) fn map_rows<T: Send>(len: usize, value: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    (0..len).into_par_iter().with_max_len(BLOCK).map(value).collect()
}

/// What threads keep from block to block of rows, such as room for a copy.
pub(crate) struct Rooms<S, I> {
    free: Mutex<Vec<S>>,
    new: I,
}

impl<S, I: Fn() -> S> Rooms<S, I> {
    pub(crate) fn new(new: I) -> Self {
        Self { free: Mutex::new(Vec::new()), new }
    }

    /// Lends a room to `work`; there are as many as threads that work at once.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut S) -> T) -> T {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut room = free().pop().unwrap_or_else(&self.new);
        let done = work(&mut room);
        free().push(room);
        done
    }
}

/// As [`map_rows`], each value written where the column has it, and which rows have one. `room`
/// makes what a thread keeps from row to row.
pub(crate) fn written<S: Send, T: Clone + Default + Send>(
    len: usize,
    room: impl Fn() -> S + Send + Sync,
    value: impl Fn(&mut S, usize) -> Option<T> + Send + Sync,
) -> (Vec<T>, BooleanBufferBuilder) {
    by_eights(len, room, |room, row| {
        std::array::from_fn(|at| if row + at < len { value(room, row + at) } else { None })
    })
}

/// As [`written`], of the texts of a column; nothing is made of a null.
fn read<T: Clone + Default + Send>(
    text: &Text,
    len: usize,
    value: impl Fn(usize, &str) -> Option<T> + Send + Sync,
) -> (Vec<T>, BooleanBufferBuilder) {
    by_eights(
        len,
        || (),
        |(), row| {
            let texts = text.some::<8>(row);
            std::array::from_fn(|at| {
                let text = texts[at].filter(|_| row + at < len)?;
                value(row + at, text)
            })
        },
    )
}

fn by_eights<S: Send, T: Clone + Default + Send>(
    len: usize,
    room: impl Fn() -> S + Send + Sync,
    eight: impl Fn(&mut S, usize) -> [Option<T>; 8] + Send + Sync,
) -> (Vec<T>, BooleanBufferBuilder) {
    let rooms = Rooms::new(room);
    let mut values = vec![T::default(); len];
    let mut bits = vec![0_u8; len.div_ceil(8)];
    let blocks = values.par_chunks_mut(BLOCK).zip(bits.par_chunks_mut(BLOCK / 8));
    blocks.enumerate().for_each(|(block, (values, bits))| {
        rooms.with(|room| {
            for (eights, (values, bits)) in values.chunks_mut(8).zip(bits).enumerate() {
                let found = eight(room, block * BLOCK + eights * 8);
                for (bit, (slot, value)) in values.iter_mut().zip(found).enumerate() {
                    if let Some(value) = value {
                        *slot = value;
                        *bits |= 1 << bit;
                    }
                }
            }
        });
    });
    let mut valid = BooleanBufferBuilder::new(len);
    valid.append_packed_range(0..len, &bits);
    (values, valid)
}

/// A column of floats.
pub(crate) fn floats(
    len: usize,
    value: impl Fn(usize) -> Option<f64> + Send + Sync,
) -> Float64Array {
    floats_with(len, || (), |(), row| value(row))
}

/// As [`floats`]; `room` makes what a thread keeps from row to row.
pub(crate) fn floats_with<S: Send>(
    len: usize,
    room: impl Fn() -> S + Send + Sync,
    value: impl Fn(&mut S, usize) -> Option<f64> + Send + Sync,
) -> Float64Array {
    let (values, mut valid) = written(len, room, value);
    Float64Array::new(values.into(), Some(valid.finish().into()))
}

/// A column of truth values; `room` as of [`floats_with`].
pub(crate) fn flags_with<S: Send>(
    len: usize,
    room: impl Fn() -> S + Send + Sync,
    value: impl Fn(&mut S, usize) -> Option<bool> + Send + Sync,
) -> BooleanArray {
    let (values, mut valid) = written(len, room, value);
    BooleanArray::new(values.into(), Some(valid.finish().into()))
}

/// A column of what is read from each text.
pub(crate) fn floats_of(
    text: &Text,
    value: impl Fn(&str) -> Option<f64> + Send + Sync,
) -> Float64Array {
    let (values, mut valid) = read(text, text.len(), |_, text| value(text));
    Float64Array::new(values.into(), Some(valid.finish().into()))
}

/// A column of what is read from each text, as views into the buffers of another column.
pub(crate) fn texts_of(
    text: &Text,
    len: usize,
    owner: &StringViewArray,
    view: impl Fn(usize, &str) -> Option<u128> + Send + Sync,
) -> PyResult<StringViewArray> {
    let (views, mut valid) = read(text, len, view);
    let buffers = owner.data_buffers().to_vec();
    StringViewArray::try_new(views.into(), buffers, Some(valid.finish().into()))
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A column of floats, read in place.
pub(crate) struct Floats {
    chunks: Vec<Float64Array>,
    rows: Rows,
}

impl Floats {
    pub(crate) fn new(column: &PyChunkedArray) -> PyResult<Self> {
        let chunk = |array: &ArrayRef| {
            array
                .as_primitive_opt::<Float64Type>()
                .cloned()
                .ok_or_else(|| wrong_type("64-bit floats", array.data_type()))
        };
        let chunks: PyResult<_> = column.chunks().iter().map(chunk).collect();
        Ok(Self { chunks: chunks?, rows: Rows::new(column) })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len
    }

    /// The value of a row; see [`Text::get`].
    pub(crate) fn get(&self, row: usize) -> Option<f64> {
        let (chunk, row) = self.rows.locate(row);
        let array = &self.chunks[chunk];
        array.is_valid(row).then(|| array.value(row))
    }
}

pub(crate) fn counts(column: &PyChunkedArray) -> PyResult<Vec<u64>> {
    let mut values = Vec::new();
    for chunk in column.chunks() {
        let array = chunk
            .as_primitive_opt::<UInt64Type>()
            .ok_or_else(|| wrong_type("unsigned 64-bit integers", chunk.data_type()))?;
        values.extend_from_slice(array.values());
    }
    Ok(values)
}

pub(crate) fn scores(column: &PyChunkedArray) -> PyResult<Vec<f64>> {
    let mut values = Vec::new();
    for chunk in column.chunks() {
        let array = chunk
            .as_primitive_opt::<Float64Type>()
            .ok_or_else(|| wrong_type("64-bit floats", chunk.data_type()))?;
        values.extend_from_slice(array.values());
    }
    Ok(values)
}

pub(crate) fn outcomes(column: &PyChunkedArray) -> PyResult<Vec<i8>> {
    let mut values = Vec::new();
    for chunk in column.chunks() {
        let array = chunk
            .as_primitive_opt::<Int8Type>()
            .ok_or_else(|| wrong_type("8-bit integers", chunk.data_type()))?;
        values.extend_from_slice(array.values());
    }
    Ok(values)
}

/// Bounds of cells from their lengths, checked against the number of rows.
pub(crate) fn offsets(lengths: &PyChunkedArray, rows: usize) -> PyResult<Vec<usize>> {
    let mut offsets = vec![0];
    let mut end = 0_usize;
    for length in counts(lengths)? {
        end = usize::try_from(length)
            .ok()
            .and_then(|length| end.checked_add(length))
            .filter(|end| *end <= rows)
            .ok_or_else(|| PyValueError::new_err("cell lengths exceed the number of rows"))?;
        offsets.push(end);
    }
    Ok(offsets)
}

pub(crate) fn array(array: impl Array + 'static) -> PyArray {
    PyArray::from_array_ref(Arc::new(array))
}

/// A column of a result.
pub(crate) type Column = (&'static str, ArrayRef);

/// A column of these cells.
pub(crate) fn column(name: &'static str, cells: impl Members) -> PyResult<Column> {
    match cells.column() {
        Ok(array) => Ok((name, array)),
        Err(error) => Err(PyValueError::new_err(error.to_string())),
    }
}

pub(crate) fn batch(columns: Vec<Column>) -> PyResult<PyRecordBatch> {
    // Nullability is stated so that an empty result keeps its types.
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(PyRecordBatch::new(batch))
}
