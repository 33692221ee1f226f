//! Rows counted by kind: which combinations of values occur, and how often.
//!
//! Each column gives a row a digit: the distance from the least value where whole numbers lie close
//! together, else the place of the value in the order in which values first occur. Digits of all
//! columns make one number. Where such numbers are not many more than rows, they are places in a
//! table; else they are numbered as they first occur, too. Nothing of what comes out depends on how
//! rows were spread over threads.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use rayon::prelude::*;

use crate::watch::Watch;

/// A column that tells rows apart.
#[derive(Clone, Copy)]
pub enum Column<'a> {
    /// Of numbers, or of anything that a number stands for.
    Numbers(&'a dyn Numbers),
    /// Of text.
    Texts(&'a dyn Texts),
}

/// A column of numbers.
pub trait Numbers: Sync {
    /// The numbers of as many rows from `start` on as there is room for, equal where values are, and
    /// anything of a null; in place or written into the room.
    fn read<'a>(&'a self, start: usize, room: &'a mut [i64]) -> &'a [i64];

    /// Whether there are any nulls.
    fn has_nulls(&self) -> bool;

    /// Whether a row is null.
    fn is_null(&self, row: usize) -> bool;
}

/// A column of text.
pub trait Texts: Sync {
    /// Writes marks of the rows from `start` on, those of null being [`NULL`]: equal only where
    /// texts are, but not always then.
    fn read(&self, start: usize, marks: &mut [u128]);

    /// The text of a row, unless all rows of the same text have the same mark.
    fn long(&self, row: usize) -> Option<&str>;
}

/// Mark of a null, and of no text.
pub const NULL: u128 = u128::MAX;

/// What tells a text from others.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Text<'a> {
    Mark(u128),
    Long(&'a str),
}

/// What each row says besides, one of a few words, counted for each kind.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// The word of each row.
    pub words: &'a [u8],
    /// How many words there are.
    pub many: usize,
}

/// Kinds of rows, those of equal leading columns together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kinds {
    /// A row of each kind, the last.
    pub rows: Vec<u32>,
    /// How many rows of each kind say each word, kind after kind.
    pub counts: Vec<u32>,
    /// How many kinds there are of each combination of the leading columns.
    pub lengths: Vec<u64>,
}

/// Rows that are read at a time; what is made of them stays in the nearest cache.
const BLOCK: usize = 1024;
/// Rows that are worth a thread.
const PART: usize = 1 << 15;
/// A table may be that much larger than rows.
const ROOM: usize = 4;
/// One of so many places is always small.
const SMALL: usize = 1 << 12;
/// No row.
const NONE: u32 = u32::MAX;

/// Counts rows by kind; the first `leading` columns are those that kinds are put together by.
/// Nothing where there are more rows than 32 bits tell apart, or a word is not among the words.
#[must_use]
pub fn count(
    columns: &[Column],
    rows: usize,
    said: Option<Said<'_>>,
    leading: usize,
    watch: &Watch,
) -> Option<Kinds> {
    let known = said.is_none_or(|said| {
        said.words.len() == rows && said.words.iter().all(|word| usize::from(*word) < said.many)
    });
    if !known || rows >= NONE as usize {
        return None;
    }
    let (first, rest) = columns.split_at_checked(leading)?;
    let (mut outer, mut inner) = (Number::of(first, rows, watch), Number::of(rest, rows, watch));
    if outer.kinds.checked_mul(inner.kinds).is_none() {
        (outer, inner) = (outer.numbered(rows, watch), inner.numbered(rows, watch));
    }
    let step = inner.kinds;
    let whole = outer.clone().with(inner, rows, watch);
    let many = said.map_or(1, |said| said.many);
    let room = room(rows);
    if whole.kinds.saturating_mul(many as u64) <= room {
        let Table { numbers, rows, counts } = whole.table(rows, said, watch);
        let lengths = runs(numbers.into_iter(), step);
        return Some(Kinds { rows, counts, lengths });
    }
    let found = whole.numbered(rows, watch).table(rows, said, watch);
    let kinds = found.rows.iter().enumerate();
    let placed = |(kind, row): (usize, &u32)| {
        watch.look();
        (outer.at(*row), kind)
    };
    let mut order: Vec<(u64, usize)> = kinds.map(placed).collect();
    if outer.kinds > 1 {
        order.par_sort_unstable();
    }
    let rows = order.iter().map(|(_, kind)| found.rows[*kind]).collect();
    let counts = order.iter().flat_map(|(_, kind)| &found.counts[kind * many..][..many]);
    let lengths = runs(order.iter().map(|(number, _)| *number), 1);
    Some(Kinds { rows, counts: counts.copied().collect(), lengths })
}

/// How large a table may be.
fn room(rows: usize) -> u64 {
    SMALL.max(rows.saturating_mul(ROOM)) as u64
}

/// Lengths of runs of ascending numbers between neighbouring multiples of `step`.
fn runs(numbers: impl Iterator<Item = u64>, step: u64) -> Vec<u64> {
    let (mut lengths, mut end) = (Vec::new(), 0);
    for number in numbers {
        match lengths.last_mut() {
            Some(length) if number < end => *length += 1,
            _ => {
                lengths.push(1);
                end = (number / step + 1).saturating_mul(step);
            }
        }
    }
    lengths
}

/// What a table of numbers holds of those that occur, ascending.
struct Table {
    numbers: Vec<u64>,
    /// A row of each, the last.
    rows: Vec<u32>,
    /// How many of its rows say each word.
    counts: Vec<u32>,
}

/// Where digits of a column come from.
#[derive(Clone)]
enum Source<'a> {
    /// Distance from the least, after nulls.
    Near { numbers: &'a dyn Numbers, least: i64 },
    /// The place in the order in which values first occur.
    Listed(Vec<u32>),
}

/// A digit of each row and how many there can be.
#[derive(Clone)]
struct Digit<'a> {
    source: Source<'a>,
    radix: u64,
}

/// A number of each row, equal for equal rows, of some digits.
#[derive(Clone)]
struct Number<'a> {
    digits: Vec<Digit<'a>>,
    /// How many numbers there can be.
    kinds: u64,
}

impl<'a> Number<'a> {
    fn of(columns: &[Column<'a>], rows: usize, watch: &Watch) -> Self {
        let one = Self { digits: Vec::new(), kinds: 1 };
        columns.iter().fold(one, |number, column| {
            let digit = Digit::of(*column, rows, watch);
            number.with(Self { kinds: digit.radix, digits: vec![digit] }, rows, watch)
        })
    }

    /// The digits of both; numbered first where 64 bits would not do.
    fn with(self, other: Self, rows: usize, watch: &Watch) -> Self {
        let Some(kinds) = self.kinds.checked_mul(other.kinds) else {
            // Each has fewer than 2^32 then, as there are rows.
            return self.numbered(rows, watch).with(other.numbered(rows, watch), rows, watch);
        };
        Self { digits: [self.digits, other.digits].concat(), kinds }
    }

    /// Writes the numbers of the rows from `start` on.
    fn read(&self, start: usize, numbers: &mut [u64]) {
        let (mut digits, mut room) = ([0; BLOCK], [0; BLOCK]);
        let Some((first, rest)) = self.digits.split_first() else { return numbers.fill(0) };
        first.read(start, numbers, &mut room);
        let digits = &mut digits[..numbers.len()];
        for digit in rest {
            digit.read(start, digits, &mut room);
            for (number, next) in numbers.iter_mut().zip(&*digits) {
                *number = *number * digit.radix + next;
            }
        }
    }

    /// The number of one row.
    fn at(&self, row: u32) -> u64 {
        let mut number = [0];
        self.read(row as usize, &mut number);
        number[0]
    }

    /// One digit in place of many, which tells the same rows apart and has no gaps.
    fn numbered(&self, rows: usize, watch: &Watch) -> Self {
        let marks = |start: usize, marks: &mut [u128]| {
            let mut room = [0; BLOCK];
            let room = &mut room[..marks.len()];
            self.read(start, room);
            for (mark, number) in marks.iter_mut().zip(room) {
                *mark = u128::from(*number);
            }
        };
        let (codes, radix) = listed(rows, marks, |_, mark| mark, watch);
        Self { digits: vec![Digit { source: Source::Listed(codes), radix }], kinds: radix }
    }

    /// Counts the rows of each number.
    #[expect(clippy::cast_possible_truncation, reason = "numbers are places, and rows of 32 bits")]
    fn table(&self, rows: usize, said: Option<Said<'_>>, watch: &Watch) -> Table {
        let many = said.map_or(1, |said| said.many);
        // No larger than was seen to fit.
        let kinds = usize::try_from(self.kinds).unwrap_or(0);
        let most = (rows * ROOM).div_ceil((kinds * many).max(1));
        let parts = parts(rows, most);
        let tables = parts.into_par_iter().map(|part| {
            let (mut last, mut counts) = (vec![NONE; kinds], vec![0_u32; kinds * many]);
            let mut room = [0; BLOCK];
            let mut start = part.start;
            while start < part.end {
                watch.look();
                let numbers = &mut room[..BLOCK.min(part.end - start)];
                self.read(start, numbers);
                let places = numbers.iter().map(|number| *number as usize);
                let rows = (start as u32)..;
                if let Some(said) = said {
                    let words = &said.words[start..start + places.len()];
                    for ((place, row), word) in places.zip(rows).zip(words) {
                        last[place] = row;
                        counts[place * many + usize::from(*word)] += 1;
                    }
                } else {
                    for (place, row) in places.zip(rows) {
                        last[place] = row;
                        counts[place] += 1;
                    }
                }
                start += BLOCK;
            }
            (last, counts)
        });
        let merged = tables.reduce_with(|(mut last, mut counts), (later, more)| {
            for (row, later) in last.iter_mut().zip(later) {
                *row = if later == NONE { *row } else { later };
            }
            for (count, more) in counts.iter_mut().zip(more) {
                *count += more;
            }
            (last, counts)
        });
        let (last, counts) = merged.unwrap_or_default();
        let seen = last.iter().filter(|row| **row != NONE).count();
        let mut table = Table {
            numbers: Vec::with_capacity(seen),
            rows: Vec::with_capacity(seen),
            counts: Vec::with_capacity(seen * many),
        };
        for ((number, row), counts) in (0..).zip(last).zip(counts.chunks_exact(many)) {
            if row != NONE {
                table.numbers.push(number);
                table.rows.push(row);
                table.counts.extend_from_slice(counts);
            }
        }
        table
    }
}

impl<'a> Digit<'a> {
    fn of(column: Column<'a>, rows: usize, watch: &Watch) -> Self {
        let (codes, radix) = match column {
            Column::Texts(texts) => {
                let text = |row, mark| texts.long(row).map_or(Text::Mark(mark), Text::Long);
                listed(rows, |start, marks| texts.read(start, marks), text, watch)
            }
            Column::Numbers(numbers) => {
                let (least, greatest) = bounds(numbers, rows, watch);
                let nulls = u64::from(numbers.has_nulls());
                let radix = greatest.abs_diff(least).checked_add(1 + nulls);
                if let Some(radix) = radix.filter(|radix| *radix <= room(rows)) {
                    return Self { source: Source::Near { numbers, least }, radix };
                }
                let marks = |start: usize, marks: &mut [u128]| {
                    let mut room = [0; BLOCK];
                    let read = numbers.read(start, &mut room[..marks.len()]);
                    for ((row, mark), number) in (start..).zip(marks).zip(read) {
                        let null = nulls > 0 && numbers.is_null(row);
                        *mark = if null { NULL } else { u128::from(number.cast_unsigned()) };
                    }
                };
                listed(rows, marks, |_, mark| mark, watch)
            }
        };
        Self { source: Source::Listed(codes), radix }
    }

    /// Writes the digits of the rows from `start` on.
    fn read(&self, start: usize, digits: &mut [u64], room: &mut [i64]) {
        match &self.source {
            Source::Listed(codes) => {
                for (digit, code) in digits.iter_mut().zip(&codes[start..]) {
                    *digit = u64::from(*code);
                }
            }
            Source::Near { numbers, least } => {
                let read = numbers.read(start, &mut room[..digits.len()]);
                for (digit, number) in digits.iter_mut().zip(read) {
                    *digit = number.wrapping_sub(*least).cast_unsigned();
                }
                if numbers.has_nulls() {
                    for (digit, row) in digits.iter_mut().zip(start..) {
                        *digit = if numbers.is_null(row) { 0 } else { *digit + 1 };
                    }
                }
            }
        }
    }
}

/// The least and the greatest number that is not null; zeros where all are.
fn bounds(numbers: &dyn Numbers, rows: usize, watch: &Watch) -> (i64, i64) {
    let nulls = numbers.has_nulls();
    let of_part = |part: std::ops::Range<usize>| {
        let (mut least, mut greatest) = (i64::MAX, i64::MIN);
        let mut room = [0; BLOCK];
        for start in part.clone().step_by(BLOCK) {
            watch.look();
            let values = numbers.read(start, &mut room[..BLOCK.min(part.end - start)]);
            if nulls {
                for (value, row) in values.iter().zip(start..) {
                    if !numbers.is_null(row) {
                        (least, greatest) = (least.min(*value), greatest.max(*value));
                    }
                }
                continue;
            }
            // Several at once do not wait for each other.
            let mut lanes = [(least, greatest); 4];
            let (fours, rest) = values.as_chunks::<4>();
            for four in fours {
                for (lane, value) in lanes.iter_mut().zip(four) {
                    *lane = (lane.0.min(*value), lane.1.max(*value));
                }
            }
            for (low, high) in lanes.into_iter().chain(rest.iter().map(|value| (*value, *value))) {
                (least, greatest) = (least.min(low), greatest.max(high));
            }
        }
        (least, greatest)
    };
    let found = parts(rows, usize::MAX).into_par_iter().map(of_part);
    let found = found.reduce(|| (i64::MAX, i64::MIN), |a, b| (a.0.min(b.0), a.1.max(b.1)));
    if found.0 <= found.1 { found } else { (0, 0) }
}

/// Ranges of rows, one a thread, and at most so many.
fn parts(rows: usize, most: usize) -> Vec<std::ops::Range<usize>> {
    let many = rows.div_ceil(PART).min(rayon::current_num_threads()).min(most).max(1);
    let length = rows.div_ceil(many).next_multiple_of(BLOCK).max(BLOCK);
    (0..rows).step_by(length).map(|start| start..rows.min(start + length)).collect()
}

/// Values numbered in the order in which they first occur, and how many there are. `marks` are
/// equal only where values are; `value` is asked for where a mark was not seen lately.
fn listed<T: Copy + Eq + Hash + Send>(
    rows: usize,
    marks: impl Fn(usize, &mut [u128]) + Sync,
    value: impl Fn(usize, u128) -> T + Sync,
    watch: &Watch,
) -> (Vec<u32>, u64) {
    let hashing = Folding::new();
    let list = |part: std::ops::Range<usize>| {
        let mut list = List::new(hashing, part.len());
        let mut room = [0; BLOCK];
        for start in part.clone().step_by(BLOCK) {
            watch.look();
            let read = &mut room[..BLOCK.min(part.end - start)];
            marks(start, read);
            for (row, mark) in (start..).zip(read) {
                let code = list.code(*mark, || value(row, *mark));
                list.codes.push(code);
            }
        }
        list
    };
    let found: Vec<List<T>> = parts(rows, usize::MAX).into_par_iter().map(list).collect();
    let mut found = found.into_iter();
    let Some(mut all) = found.next() else { return (Vec::new(), 1) };
    for part in found {
        let place = |value| {
            watch.look();
            all.place(value)
        };
        let codes: Vec<u32> = part.values.into_iter().map(place).collect();
        all.codes.extend(part.codes.iter().map(|code| codes[*code as usize]));
    }
    (all.codes, all.values.len() as u64)
}

/// Values that were seen, in that order.
struct List<T> {
    values: Vec<T>,
    places: HashMap<T, u32, Folding>,
    /// Some of the last marks and their places: labels are few, and like rows often neighbours.
    recent: Vec<(u128, u32)>,
    hashing: Folding,
    codes: Vec<u32>,
}

const RECENT: usize = 256;

impl<T: Copy + Eq + Hash> List<T> {
    fn new(hashing: Folding, rows: usize) -> Self {
        let places = HashMap::with_hasher(hashing);
        let recent = vec![(0, NONE); RECENT];
        Self { values: Vec::new(), places, recent, hashing, codes: Vec::with_capacity(rows) }
    }

    fn code(&mut self, mark: u128, value: impl FnOnce() -> T) -> u32 {
        let slot = self.hashing.slot(mark);
        let (known, code) = self.recent[slot];
        if known == mark && code != NONE {
            return code;
        }
        let code = self.place(value());
        self.recent[slot] = (mark, code);
        code
    }

    #[expect(clippy::cast_possible_truncation, reason = "values are at most rows")]
    fn place(&mut self, value: T) -> u32 {
        let next = self.values.len() as u32;
        let code = *self.places.entry(value).or_insert(next);
        if code == next {
            self.values.push(value);
        }
        code
    }
}

/// A hash keyed anew for each table, so that nobody can write values that collide.
#[derive(Clone, Copy)]
struct Folding {
    key: u64,
}

impl Folding {
    fn new() -> Self {
        Self { key: RandomState::new().hash_one(0) | 1 }
    }

    /// Where a mark is kept for a while.
    fn slot(self, mark: u128) -> usize {
        let (low, high) = halves(mark);
        let word = (low ^ high.rotate_left(29)).wrapping_mul(self.key);
        (word >> 32) as usize % RECENT
    }
}

impl BuildHasher for Folding {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded { key: self.key, state: self.key }
    }
}

struct Folded {
    key: u64,
    state: u64,
}

impl Folded {
    fn fold(&mut self, word: u64) {
        let (low, high) = halves(u128::from(self.state ^ word) * u128::from(self.key));
        self.state = low ^ high;
    }
}

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.fold(u64::from_le_bytes(*word));
        }
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        self.fold(u64::from_le_bytes(word));
    }

    fn write_u128(&mut self, word: u128) {
        let (low, high) = halves(word);
        self.fold(low);
        self.fold(high);
    }

    fn write_u8(&mut self, byte: u8) {
        self.fold(u64::from(byte));
    }

    fn write_isize(&mut self, word: isize) {
        self.fold(word.cast_unsigned() as u64);
    }

    fn finish(&self) -> u64 {
        self.state
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half is wanted")]
fn halves(word: u128) -> (u64, u64) {
    (word as u64, (word >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Whole(Vec<Option<i64>>);

    impl Numbers for Whole {
        fn read<'a>(&'a self, start: usize, room: &'a mut [i64]) -> &'a [i64] {
            for (number, value) in room.iter_mut().zip(&self.0[start..]) {
                *number = value.unwrap_or(0);
            }
            room
        }

        fn has_nulls(&self) -> bool {
            self.0.contains(&None)
        }

        fn is_null(&self, row: usize) -> bool {
            self.0[row].is_none()
        }
    }

    /// Texts, of which those of one letter have their mark in common.
    struct Words(Vec<Option<&'static str>>);

    impl Texts for Words {
        fn read(&self, start: usize, marks: &mut [u128]) {
            for (row, mark) in (start..).zip(marks) {
                *mark = match self.0[row].map(str::as_bytes) {
                    None => NULL,
                    Some([letter]) => u128::from(*letter),
                    Some(_) => 1000 + row as u128,
                };
            }
        }

        fn long(&self, row: usize) -> Option<&str> {
            self.0[row].filter(|text| text.len() != 1)
        }
    }

    /// Each kind as its values in the columns, with what its rows say.
    fn named(columns: &[&Whole], kinds: &Kinds, many: usize) -> Vec<(Vec<Option<i64>>, Vec<u32>)> {
        let values = kinds
            .rows
            .iter()
            .map(|row| columns.iter().map(|column| column.0[*row as usize]).collect::<Vec<_>>());
        values.zip(kinds.counts.chunks(many).map(<[u32]>::to_vec)).collect()
    }

    #[test]
    fn kinds_are_counted_by_what_rows_say() {
        let a = Whole([Some(3), None, Some(3), Some(-1), None].into());
        let b = Whole([Some(0), Some(0), Some(0), Some(i64::MAX), None].into());
        let said = Said { words: &[1, 0, 2, 1, 0], many: 3 };
        let columns = [Column::Numbers(&a), Column::Numbers(&b)];
        let kinds = count(&columns, 5, Some(said), 1, Watch::nobody()).unwrap();
        let found = named(&[&a, &b], &kinds, 3);
        assert_eq!(
            found,
            [
                (vec![None, Some(0)], vec![1, 0, 0]),
                (vec![None, None], vec![1, 0, 0]),
                (vec![Some(-1), Some(i64::MAX)], vec![0, 1, 0]),
                (vec![Some(3), Some(0)], vec![0, 1, 1]),
            ]
        );
        assert_eq!(kinds.lengths, [2, 1, 1]);
    }

    #[test]
    fn any_way_to_number_counts_the_same() {
        // Near, far apart, and so far that digits leave 64 bits; leading ones together.
        for scale in [1, 1 << 20, 1 << 50] {
            let column = |of: fn(i64) -> i64| Whole((0..5000).map(|row| Some(of(row))).collect());
            let mut columns = [column(|row| row % 7 - 3), column(|row| row % 5), column(|r| r % 3)];
            for value in columns.iter_mut().flat_map(|column| column.0.iter_mut().flatten()) {
                *value *= scale;
            }
            let [a, b, c] = &columns;
            let keys = [a, b, c].map(|column| Column::Numbers(column));
            let kinds = count(&keys, 5000, None, 2, Watch::nobody()).unwrap();
            assert_eq!(kinds.lengths, [3; 35]);
            let mut found = named(&[a, b, c], &kinds, 1);
            assert!(found.chunks(3).all(|run| run.iter().all(|kind| kind.0[..2] == run[0].0[..2])));
            found.sort();
            assert_eq!(found.len(), 105);
            assert!(found.iter().all(|(_, rows)| (47..=48).contains(&rows[0])));
            assert_eq!(found.iter().map(|(_, rows)| rows[0]).sum::<u32>(), 5000);
        }
    }

    #[test]
    fn texts_are_told_apart_by_mark_or_in_full() {
        let words = ["a", "b", "long", "longer", "long", "", "a", ""];
        let texts = Words(words.into_iter().map(Some).chain([None, None]).collect());
        let kinds = count(&[Column::Texts(&texts)], 10, None, 0, Watch::nobody()).unwrap();
        let found: Vec<_> = kinds.rows.iter().map(|row| texts.0[*row as usize]).collect();
        let wanted = [Some("a"), Some("b"), Some("long"), Some("longer"), Some(""), None];
        assert_eq!(found, wanted);
        assert_eq!((kinds.counts, kinds.lengths), (vec![2, 1, 2, 1, 2, 2], vec![6]));
    }

    #[test]
    fn no_thread_makes_a_difference() {
        let rows = 5 * PART;
        let value = |row: usize| i64::try_from(row * row % 1009).ok();
        let mut near = Whole((0..rows).map(value).collect());
        let far = Whole((0..rows).map(|row| value(row + 1).map(|value| value << 40)).collect());
        // Of the first thread alone.
        near.0[0] = Some(-1);
        let columns = [Column::Numbers(&far), Column::Numbers(&near)];
        let words: Vec<u8> = [0, 1, 2].into_iter().cycle().take(rows).collect();
        let counted = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let said = Some(Said { words: &words, many: 3 });
            pool.install(|| count(&columns, rows, said, 1, Watch::nobody()).unwrap())
        };
        let one = counted(1);
        assert!([2, 3, 8].map(counted).iter().all(|found| *found == one));
        // Too many for a table of all, and still together.
        let mut found = named(&[&far, &near], &one, 3);
        let mut runs = Vec::new();
        for length in &one.lengths {
            let run: Vec<_> = found.drain(..usize::try_from(*length).unwrap()).collect();
            assert!(run.iter().all(|kind| kind.0[0] == run[0].0[0]));
            runs.push(run[0].0[0]);
        }
        let many = runs.len();
        runs.sort_unstable();
        runs.dedup();
        assert_eq!((runs.len(), found.len(), one.counts.iter().sum::<u32>()), (many, 0, 5 << 15));
    }

    #[test]
    fn nothing_is_made_of_no_rows_and_of_unknown_words() {
        let none = Whole(Vec::new());
        assert_eq!(
            count(&[Column::Numbers(&none)], 0, None, 0, Watch::nobody()),
            Some(Kinds::default())
        );
        let one = Whole([Some(1)].into());
        let said = Some(Said { words: &[2], many: 2 });
        assert_eq!(count(&[Column::Numbers(&one)], 1, said, 0, Watch::nobody()), None);
        assert_eq!(count(&[Column::Numbers(&one)], 1, None, 2, Watch::nobody()), None);
    }
}
