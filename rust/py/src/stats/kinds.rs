//! Rows counted by kind.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, BooleanArray, PrimitiveArray, UInt32Array, UInt64Array};
use arrow_schema::DataType;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch};
use reclaimstats_core::kinds::{self, Column, Numbers, Said, Texts};

use crate::columns::{Text, array, batch, wrong_type};
use crate::watched::watched;

/// Names of the counts, one a word.
const COUNTS: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "7"];

/// Which combinations of the columns' values occur, those of the same `leading` values together: a
/// row of each, and how many of its rows say each of `words`, of which `said` has one a row; or,
/// without, how many rows there are. And how many combinations there are of the same leading values.
///
/// Columns are of one chunk each.
#[pyfunction]
pub(crate) fn count_kinds(
    py: Python<'_>,
    columns: Vec<PyChunkedArray>,
    said: Option<PyChunkedArray>,
    words: usize,
    leading: usize,
) -> PyResult<(PyRecordBatch, PyArray)> {
    let arrays = columns.iter().map(only).collect::<PyResult<Vec<_>>>()?;
    let keys = columns.iter().zip(&arrays).map(|(column, array)| Key::new(column, array));
    let keys = keys.collect::<PyResult<Vec<_>>>()?;
    let said = said.as_ref().map(only).transpose()?;
    let said = match &said {
        None => None,
        Some(array) if array.null_count() == 0 && (1..=COUNTS.len()).contains(&words) => {
            let array = array.as_primitive_opt::<UInt8Type>();
            array.map(|array| Said { words: array.values(), many: words })
        }
        Some(_) => return Err(PyValueError::new_err("a row says nothing, or words are too many")),
    };
    let rows = arrays.first().map(Array::len).or(said.map(|said| said.words.len()));
    let rows = rows.unwrap_or(0);
    if arrays.iter().any(|array| array.len() != rows) {
        return Err(PyValueError::new_err("columns differ in length"));
    }
    let keys: Vec<Column> = keys.iter().map(Key::column).collect();
    let found = watched(py, |watch| kinds::count(&keys, rows, said, leading, watch))?;
    let found =
        found.ok_or_else(|| PyValueError::new_err("rows, words or columns out of range"))?;
    let many = said.map_or(1, |said| said.many);
    let mut table: Vec<crate::columns::Column> =
        vec![("row", Arc::new(UInt32Array::from(found.rows)))];
    for (word, name) in COUNTS.into_iter().enumerate().take(many) {
        let counts = found.counts.chunks_exact(many).map(|counts| u64::from(counts[word]));
        table.push((name, Arc::new(UInt64Array::from_iter_values(counts))));
    }
    Ok((batch(table)?, array(UInt64Array::from(found.lengths))))
}

/// A column that tells rows apart, read in place.
enum Key {
    Numbers(Box<dyn Numbers>),
    Text(Text),
}

impl Key {
    fn new(column: &PyChunkedArray, array: &ArrayRef) -> PyResult<Self> {
        Ok(Self::Numbers(match array.data_type() {
            DataType::Boolean => Box::new(Flags(array.as_boolean().clone())),
            DataType::Int8 => numbers::<Int8Type>(array),
            DataType::Int16 => numbers::<Int16Type>(array),
            DataType::Int32 => numbers::<Int32Type>(array),
            DataType::Int64 => Box::new(InPlace(array.as_primitive().clone())),
            DataType::UInt8 => numbers::<UInt8Type>(array),
            DataType::UInt16 => numbers::<UInt16Type>(array),
            DataType::UInt32 => numbers::<UInt32Type>(array),
            DataType::UInt64 => numbers::<UInt64Type>(array),
            DataType::Float32 => numbers::<Float32Type>(array),
            DataType::Float64 => numbers::<Float64Type>(array),
            DataType::Utf8View | DataType::LargeUtf8 | DataType::Utf8 => {
                return Ok(Self::Text(Text::new(column)?));
            }
            other => return Err(wrong_type("numbers, Booleans or text", other)),
        }))
    }

    fn column(&self) -> Column<'_> {
        match self {
            Self::Numbers(numbers) => Column::Numbers(numbers.as_ref()),
            Self::Text(text) => Column::Texts(text),
        }
    }
}

/// The one chunk of a column.
fn only(column: &PyChunkedArray) -> PyResult<ArrayRef> {
    match column.chunks() {
        [array] => Ok(Arc::clone(array)),
        [] => Ok(arrow_array::new_empty_array(column.data_type())),
        _ => Err(PyValueError::new_err("a column is in several chunks")),
    }
}

impl Texts for Text {
    fn read(&self, start: usize, marks: &mut [u128]) {
        self.marks(start, marks);
    }

    fn long(&self, row: usize) -> Option<&str> {
        Text::long(self, row)
    }
}

struct Flags(BooleanArray);

impl Numbers for Flags {
    fn read<'a>(&'a self, start: usize, room: &'a mut [i64]) -> &'a [i64] {
        for (number, row) in room.iter_mut().zip(start..) {
            *number = i64::from(self.0.value(row));
        }
        room
    }

    fn has_nulls(&self) -> bool {
        self.0.null_count() > 0
    }

    fn is_null(&self, row: usize) -> bool {
        self.0.is_null(row)
    }
}

struct InPlace(PrimitiveArray<Int64Type>);

impl Numbers for InPlace {
    fn read<'a>(&'a self, start: usize, room: &'a mut [i64]) -> &'a [i64] {
        &self.0.values()[start..][..room.len()]
    }

    fn has_nulls(&self) -> bool {
        self.0.null_count() > 0
    }

    fn is_null(&self, row: usize) -> bool {
        self.0.is_null(row)
    }
}

fn numbers<T: ArrowPrimitiveType<Native: Number>>(array: &ArrayRef) -> Box<dyn Numbers> {
    Box::new(Primitive(array.as_primitive::<T>().clone()))
}

struct Primitive<T: ArrowPrimitiveType>(PrimitiveArray<T>);

impl<T: ArrowPrimitiveType<Native: Number>> Numbers for Primitive<T> {
    fn read<'a>(&'a self, start: usize, room: &'a mut [i64]) -> &'a [i64] {
        for (number, value) in room.iter_mut().zip(&self.0.values()[start..]) {
            *number = value.number();
        }
        room
    }

    fn has_nulls(&self) -> bool {
        self.0.null_count() > 0
    }

    fn is_null(&self, row: usize) -> bool {
        self.0.is_null(row)
    }
}

/// What stands for a value, and for no other.
trait Number: Copy {
    fn number(self) -> i64;
}

macro_rules! whole {
    ($($type:ty),*) => {$(
        impl Number for $type {
            fn number(self) -> i64 {
                i64::from(self)
            }
        }
    )*};
}

whole!(i8, i16, i32, u8, u16, u32);

impl Number for u64 {
    fn number(self) -> i64 {
        self.cast_signed()
    }
}

impl Number for f64 {
    fn number(self) -> i64 {
        // Both zeros are one value, and all that are no number.
        let value = if self.is_nan() { Self::NAN } else { self + 0.0 };
        value.to_bits().cast_signed()
    }
}

impl Number for f32 {
    fn number(self) -> i64 {
        f64::from(self).number()
    }
}
