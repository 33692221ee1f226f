//! Columns of results while they grow, block by block of rows, so that of what kernels find no more
//! than some blocks is held beside what has become of it.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::{BooleanBufferBuilder, NullBufferBuilder, make_view};
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{
    ArrayRef, BooleanArray, LargeListArray, PrimitiveArray, StringViewArray, StructArray,
    UInt64Array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, Field};
use rayon::prelude::*;

use crate::columns::Rooms;

/// Rows that one thread takes at a time; few enough that huge ones still spread.
const BLOCK: usize = 256;
/// Blocks that are held at a time, where so many keep all threads busy.
const HELD: usize = 64;

/// What grows by what some more rows came to.
pub(crate) trait Grow: Default + Send {
    fn append(&mut self, block: Self);
}

/// What becomes a column, or all members of the lists of one.
pub(crate) trait Members: Grow {
    fn len(&self) -> usize;

    fn column(self) -> Result<ArrayRef, ArrowError>;
}

/// Cells of a column.
pub(crate) trait Cells: Members {
    type Value<'a>;

    fn push(&mut self, value: Option<Self::Value<'_>>);
}

/// What `fill` adds of each row, in their order; `room` makes what a thread keeps from row to row.
pub(crate) fn grown<S: Send, C: Grow>(
    len: usize,
    room: impl Fn() -> S + Send + Sync,
    fill: impl Fn(&mut S, usize, &mut C) + Send + Sync,
) -> C {
    let rooms = Rooms::new(room);
    let block = |block: usize| {
        let mut cells = C::default();
        rooms.with(|room| {
            for row in block * BLOCK..len.min((block + 1) * BLOCK) {
                fill(room, row, &mut cells);
            }
        });
        cells
    };
    let (blocks, held) = (len.div_ceil(BLOCK), HELD.max(4 * rayon::current_num_threads()));
    let mut all = C::default();
    for first in (0..blocks).step_by(held) {
        let some = (first..blocks.min(first + held)).into_par_iter().map(block);
        some.collect::<Vec<C>>().into_iter().for_each(|block| all.append(block));
    }
    all
}

impl<A: Grow, B: Grow> Grow for (A, B) {
    fn append(&mut self, block: Self) {
        self.0.append(block.0);
        self.1.append(block.1);
    }
}

/// Which cells have a value.
struct Valid(NullBufferBuilder);

impl Default for Valid {
    fn default() -> Self {
        Self(NullBufferBuilder::new(0))
    }
}

impl Valid {
    fn nulls(mut self) -> Option<NullBuffer> {
        self.0.finish()
    }
}

impl Grow for Valid {
    fn append(&mut self, mut block: Self) {
        let len = block.0.len();
        match block.0.finish() {
            Some(nulls) => self.0.append_buffer(&nulls),
            None => self.0.append_n_non_nulls(len),
        }
    }
}

/// Numbers.
pub(crate) struct Primitives<P: ArrowPrimitiveType> {
    values: Vec<P::Native>,
    valid: Valid,
}

impl<P: ArrowPrimitiveType> Default for Primitives<P> {
    fn default() -> Self {
        Self { values: Vec::new(), valid: Valid::default() }
    }
}

impl<P: ArrowPrimitiveType> Grow for Primitives<P> {
    fn append(&mut self, block: Self) {
        self.values.extend_from_slice(&block.values);
        self.valid.append(block.valid);
    }
}

impl<P: ArrowPrimitiveType> Members for Primitives<P> {
    fn len(&self) -> usize {
        self.values.len()
    }

    fn column(self) -> Result<ArrayRef, ArrowError> {
        let nulls = self.valid.nulls();
        Ok(Arc::new(PrimitiveArray::<P>::try_new(self.values.into(), nulls)?))
    }
}

impl<P: ArrowPrimitiveType> Cells for Primitives<P> {
    type Value<'a> = P::Native;

    fn push(&mut self, value: Option<P::Native>) {
        self.valid.0.append(value.is_some());
        self.values.push(value.unwrap_or_default());
    }
}

/// Truth values.
pub(crate) struct Flags {
    values: BooleanBufferBuilder,
    valid: Valid,
}

impl Default for Flags {
    fn default() -> Self {
        Self { values: BooleanBufferBuilder::new(0), valid: Valid::default() }
    }
}

impl Grow for Flags {
    fn append(&mut self, block: Self) {
        self.values.append_packed_range(0..block.values.len(), block.values.as_slice());
        self.valid.append(block.valid);
    }
}

impl Members for Flags {
    fn len(&self) -> usize {
        self.values.len()
    }

    fn column(mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(BooleanArray::new(self.values.finish(), self.valid.nulls())))
    }
}

impl Cells for Flags {
    type Value<'a> = bool;

    fn push(&mut self, value: Option<bool>) {
        self.valid.0.append(value.is_some());
        self.values.append(value.unwrap_or_default());
    }
}

/// Texts. They are copies: a view into the replies would keep all of these in memory for as long as
/// there is a single short text of them.
#[derive(Default)]
pub(crate) struct Texts {
    views: Vec<u128>,
    valid: Valid,
    buffers: Vec<Vec<u8>>,
}

impl Texts {
    /// Texts up to this length are in the view itself.
    const INLINE: usize = 12;
    /// A buffer takes more while it stays below this size. What is longer has one of its own, and is
    /// not copied again.
    const ROOM: usize = 1 << 20;

    /// The buffer that takes so many bytes more.
    fn buffer(&mut self, bytes: usize) -> (u128, &mut Vec<u8>) {
        let fits = self.buffers.last().is_some_and(|last| last.len() + bytes <= Self::ROOM);
        if !fits {
            self.buffers.push(Vec::new());
        }
        let index = self.buffers.len() - 1;
        (index as u128, &mut self.buffers[index])
    }

    fn view(&mut self, text: Cow<'_, str>) -> u128 {
        let view = make_view(text.as_bytes(), 0, 0);
        if text.len() <= Self::INLINE {
            return view;
        }
        let (index, buffer) = self.buffer(text.len());
        let view = placed(view, index, buffer.len());
        match text {
            Cow::Owned(text) if text.len() > Self::ROOM => *buffer = text.into_bytes(),
            text => buffer.extend_from_slice(text.as_bytes()),
        }
        view
    }
}

/// The view of a text that is not in the view itself, but in this buffer and so far behind where it
/// was: length, prefix, buffer and offset are 32 bits each.
const fn placed(view: u128, buffer: u128, shift: usize) -> u128 {
    const REST: u128 = u128::MAX >> 64;
    (view & REST) | buffer << 64 | ((view >> 96) + shift as u128) << 96
}

impl Grow for Texts {
    fn append(&mut self, block: Self) {
        self.valid.append(block.valid);
        if block.buffers.is_empty() {
            self.views.extend_from_slice(&block.views);
            return;
        }
        let mut move_in = |bytes: Vec<u8>| {
            let (index, buffer) = self.buffer(bytes.len());
            let shift = buffer.len();
            if shift == 0 {
                *buffer = bytes;
            } else {
                buffer.extend_from_slice(&bytes);
            }
            (index, shift)
        };
        let places: Vec<_> = block.buffers.into_iter().map(&mut move_in).collect();
        self.views.extend(block.views.into_iter().map(|view| {
            let bytes = view.to_le_bytes();
            let (quarters, _) = bytes.as_chunks::<4>();
            let [length, _, buffer, _] = [0, 1, 2, 3].map(|at| u32::from_le_bytes(quarters[at]));
            match places.get(buffer as usize) {
                Some(&(index, shift)) if length as usize > Self::INLINE => {
                    placed(view, index, shift)
                }
                _ => view,
            }
        }));
    }
}

impl Members for Texts {
    fn len(&self) -> usize {
        self.views.len()
    }

    fn column(self) -> Result<ArrayRef, ArrowError> {
        let buffers: Vec<Buffer> = self.buffers.into_iter().map(Buffer::from).collect();
        let nulls = self.valid.nulls();
        Ok(Arc::new(StringViewArray::try_new(self.views.into(), buffers, nulls)?))
    }
}

impl Cells for Texts {
    type Value<'a> = Cow<'a, str>;

    fn push(&mut self, value: Option<Cow<'_, str>>) {
        // No view can be of more than 4 GB, and no text of a column of views is.
        let value = value.filter(|text| u32::try_from(text.len()).is_ok());
        self.valid.0.append(value.is_some());
        let view = value.map_or(0, |text| self.view(text));
        self.views.push(view);
    }
}

/// Lists of what `members` are.
pub(crate) struct Lists<C> {
    pub(crate) members: C,
    /// Where each list begins, and where the last one ends.
    bounds: Vec<i64>,
    valid: Valid,
}

impl<C: Default> Default for Lists<C> {
    fn default() -> Self {
        Self { members: C::default(), bounds: vec![0], valid: Valid::default() }
    }
}

impl<C: Members> Lists<C> {
    /// Ends a list of the members since the last one, which are none where it is null.
    pub(crate) fn close(&mut self, list: Option<()>) {
        self.valid.0.append(list.is_some());
        self.bounds.push((self.members.len() as u64).cast_signed());
    }

    /// The lengths of the lists.
    pub(crate) fn lengths(&self) -> ArrayRef {
        let pairs = self.bounds.iter().zip(self.bounds.iter().skip(1));
        let lengths = pairs.map(|(start, end)| (end - start).cast_unsigned()).collect();
        Arc::new(UInt64Array::new(lengths, self.valid.0.finish_cloned()))
    }
}

impl<C: Members> Grow for Lists<C> {
    fn append(&mut self, block: Self) {
        let before = (self.members.len() as u64).cast_signed();
        self.bounds.extend(block.bounds.iter().skip(1).map(|end| before + end));
        self.members.append(block.members);
        self.valid.append(block.valid);
    }
}

impl<C: Members> Members for Lists<C> {
    fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    fn column(self) -> Result<ArrayRef, ArrowError> {
        let members = self.members.column()?;
        let field = Arc::new(Field::new_list_field(members.data_type().clone(), true));
        let offsets = OffsetBuffer::new(self.bounds.into());
        Ok(Arc::new(LargeListArray::try_new(field, offsets, members, self.valid.nulls())?))
    }
}

impl<C: Cells> Cells for Lists<C> {
    type Value<'a> = Vec<C::Value<'a>>;

    fn push(&mut self, value: Option<Vec<C::Value<'_>>>) {
        let list = value.map(|members| {
            for member in members {
                self.members.push(Some(member));
            }
        });
        self.close(list);
    }
}

/// Structs of which each is there, from the columns of their fields.
pub(crate) fn structs(columns: Vec<(&str, ArrayRef)>) -> Result<ArrayRef, ArrowError> {
    let field = |(name, array): (&str, ArrayRef)| {
        (Field::new(name, array.data_type().clone(), true), array)
    };
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.into_iter().map(field).unzip();
    Ok(Arc::new(StructArray::try_new(fields.into(), arrays, None)?))
}
