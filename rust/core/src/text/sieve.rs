//! Where in a text something may begin, told by a few bytes in a row: many places at once, in wide
//! registers where the machine has them.
//!
//! What is looked for is spread over eight buckets. For each of its bytes a bucket admits certain
//! lower and upper halves; a place passes where one bucket admits all. So a sieve errs only by
//! letting too much through, and the caller looks closer at what passes. Both ways of sifting give
//! the same places.

/// Places that are told together.
const PLACES: usize = 32;
/// Most bytes that a place is told by.
const MOST: usize = 4;
/// What so many places are told by.
type Block = [u8; PLACES + MOST - 1];

pub(super) const BUCKETS: usize = 8;

/// What each bucket admits for each of `N` bytes, at most four.
#[derive(Clone, Debug)]
pub(super) struct Sieve<const N: usize> {
    /// Buckets, as bits, by the lower half of a byte and by the upper one; all twice, since wide
    /// registers look up in two halves.
    lower: [[u8; 32]; N],
    upper: [[u8; 32]; N],
}

impl<const N: usize> Sieve<N> {
    pub(super) const fn new() -> Self {
        assert!(0 < N && N <= MOST);
        Self { lower: [[0; 32]; N], upper: [[0; 32]; N] }
    }

    /// Lets this byte through as that of a position.
    pub(super) const fn admit(&mut self, bucket: usize, position: usize, byte: u8) {
        let (lower, upper) = halves(byte);
        let bit = 1 << bucket;
        self.lower[position][lower] |= bit;
        self.lower[position][lower + 16] |= bit;
        self.upper[position][upper] |= bit;
        self.upper[position][upper + 16] |= bit;
    }

    /// Lets those of all bytes through for which `is` holds.
    pub(super) fn admit_all(&mut self, bucket: usize, position: usize, is: impl Fn(u8) -> bool) {
        for byte in (0..=255).filter(|byte| is(*byte)) {
            self.admit(bucket, position, byte);
        }
    }

    /// The buckets, as bits, that admit these bytes; behind the last are zeros.
    #[inline]
    pub(super) fn buckets(&self, bytes: &[u8]) -> u8 {
        let mut buckets = !0;
        for (position, (lowers, uppers)) in self.lower.iter().zip(&self.upper).enumerate() {
            let (lower, upper) = halves(bytes.get(position).copied().unwrap_or(0));
            buckets &= lowers[lower] & uppers[upper];
        }
        buckets
    }

    /// The first place that passes and that `accepts` takes; with `words`, only where a run of ASCII
    /// letters and digits may begin.
    #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "registers not all have"))]
    pub(super) fn find(
        &self,
        text: &[u8],
        words: bool,
        mut accepts: impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        let inner = |at: usize| text.get(at).is_some_and(u8::is_ascii_alphanumeric);
        let accepts = |at: usize| !(words && at.checked_sub(1).is_some_and(inner)) && accepts(at);
        #[cfg(target_arch = "x86_64")]
        if wide::is_there() {
            // SAFETY: the machine has these registers, as was just asked.
            return unsafe { wide::find(self, text, words, accepts) };
        }
        first(text, self, accepts, |block| self.plain(block))
    }

    /// A bit for each of [`MANY`] places that passes. Where registers are not wide, `is` tells by a
    /// byte and the one behind it what may pass, perhaps too much.
    #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "registers not all have"))]
    #[inline]
    pub(super) fn places<const LENGTH: usize>(
        &self,
        block: &[u8; LENGTH],
        is: impl Fn(u8, u8) -> bool,
    ) -> u64 {
        const { assert!(LENGTH + 1 >= MANY + N) };
        #[cfg(target_arch = "x86_64")]
        if wide::is_there() {
            // SAFETY: the machine has these registers, as was just asked.
            return unsafe { wide::places(self, block) };
        }
        told_by_two(block, is)
    }

    /// A bit for each place that passes, one after the other.
    fn plain(&self, block: &Block) -> u32 {
        (0..PLACES).fold(0, |places, at| {
            let passes = self.buckets(&block[at..]) != 0;
            places | u32::from(passes) << at
        })
    }
}

/// Places that [`Sieve::places`] tells of.
pub(super) const MANY: usize = 2 * PLACES;

/// A bit for each place for which `is` holds; without branches, a compiler does many at once.
#[inline(never)]
fn told_by_two<const LENGTH: usize>(block: &[u8; LENGTH], is: impl Fn(u8, u8) -> bool) -> u64 {
    // Brings the lowest bits of eight bytes together in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut flags = [0; MANY];
    for (at, flag) in flags.iter_mut().enumerate() {
        *flag = u8::from(is(block[at], block.get(at + 1).copied().unwrap_or(0)));
    }
    let (eights, _) = flags.as_chunks();
    eights.iter().rev().fold(0, |places, eight| {
        places << 8 | u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56
    })
}

/// ASCII letters and digits, of which those in a bucket have like upper halves.
pub(super) static INNER: Sieve<1> = {
    let mut inner = Sieve::new();
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            inner.admit((byte >> 4 & !2) as usize, 0, byte);
        }
        byte += 1;
    }
    inner
};

/// Lower and upper half of a byte.
#[inline]
const fn halves(byte: u8) -> (usize, usize) {
    ((byte & 15) as usize, (byte >> 4) as usize)
}

/// The first place of those that `passing` tells; a text shorter than a block is padded.
#[inline]
fn first<const N: usize>(
    text: &[u8],
    sieve: &Sieve<N>,
    mut accepts: impl FnMut(usize) -> bool,
    passing: impl Fn(&Block) -> u32,
) -> Option<usize> {
    let padded;
    // The places of whole blocks.
    let (blocks, whole) = match text.len().checked_sub(MOST - 1) {
        Some(whole) if whole >= PLACES => (text, whole),
        _ => {
            padded = pad::<{ 2 * (PLACES + MOST) }>(text);
            (padded.as_slice(), text.len())
        }
    };
    let mut start = 0;
    while start < whole {
        // The last block begins before the end of the one before it.
        let from = start.min(whole.saturating_sub(PLACES));
        let block = blocks.get(from..)?.first_chunk()?;
        let mut places = passing(block) & lowest(whole - from) & !lowest(start - from);
        while places != 0 {
            let at = from + places.trailing_zeros() as usize;
            if accepts(at) {
                return Some(at);
            }
            places &= places - 1;
        }
        start = from + PLACES;
    }
    let passes = |at: &usize| sieve.buckets(text.get(*at..).unwrap_or_default()) != 0;
    (whole..text.len()).filter(passes).find(|at| accepts(*at))
}

/// The bits of so many places.
const fn lowest(length: usize) -> u32 {
    if length < PLACES { (1 << length) - 1 } else { !0 }
}

/// A text that is shorter than this, with zeros behind it.
#[inline]
pub(super) fn pad<const LENGTH: usize>(text: &[u8]) -> [u8; LENGTH] {
    let mut block = [0; LENGTH];
    // In pieces of one length, which is faster than a copy of any length.
    let mut at = 0;
    let mut rest = text;
    while let Some((eight, behind)) = rest.split_first_chunk::<8>() {
        block[at..at + 8].copy_from_slice(eight);
        (at, rest) = (at + 8, behind);
    }
    for byte in rest {
        block[at] = *byte;
        at += 1;
    }
    block
}

/// The same in registers of 32 bytes.
#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{INNER, PLACES, Sieve, first};
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_movemask_epi8, _mm256_set_epi64x,
        _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16,
    };

    #[inline]
    pub(super) fn is_there() -> bool {
        #[cfg(test)]
        if super::tests::PLAIN.get() {
            return false;
        }
        std::arch::is_x86_feature_detected!("avx2")
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn find<const N: usize>(
        sieve: &Sieve<N>,
        text: &[u8],
        words: bool,
        accepts: impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        first(text, sieve, accepts, |block| {
            // The first place may go on with a word.
            let goes_on = if words { passing(&INNER, block, 0) << 1 } else { 0 };
            passing(sieve, block, 0) & !goes_on
        })
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn places<const N: usize, const LENGTH: usize>(
        sieve: &Sieve<N>,
        block: &[u8; LENGTH],
    ) -> u64 {
        let [first, second] = [0, PLACES].map(|start| u64::from(passing(sieve, block, start)));
        second << PLACES | first
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn passing<const N: usize>(sieve: &Sieve<N>, bytes: &[u8], start: usize) -> u32 {
        let half = _mm256_set1_epi8(15);
        let mut buckets = _mm256_set1_epi8(-1);
        for (position, (lowers, uppers)) in sieve.lower.iter().zip(&sieve.upper).enumerate() {
            let bytes = register(bytes, start + position);
            let lower = _mm256_and_si256(bytes, half);
            let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), half);
            let lower = _mm256_shuffle_epi8(register(lowers, 0), lower);
            let upper = _mm256_shuffle_epi8(register(uppers, 0), upper);
            buckets = _mm256_and_si256(buckets, _mm256_and_si256(lower, upper));
        }
        let none = _mm256_cmpeq_epi8(buckets, _mm256_setzero_si256());
        !_mm256_movemask_epi8(none).cast_unsigned()
    }

    /// The 32 bytes from a place on.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn register(bytes: &[u8], start: usize) -> __m256i {
        let [a, b, c, d] = [0, 8, 16, 24].map(|eight| {
            let eight = bytes.get(start + eight..).and_then(|rest| rest.first_chunk());
            i64::from_le_bytes(eight.copied().unwrap_or_default())
        });
        _mm256_set_epi64x(d, c, b, a)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        /// Whether this thread does without wide registers.
        pub(in crate::text) static PLAIN: Cell<bool> = const { Cell::new(false) };
    }

    /// What `work` gives without wide registers.
    pub(in crate::text) fn plainly<T>(work: impl FnOnce() -> T) -> T {
        PLAIN.set(true);
        let done = work();
        PLAIN.set(false);
        done
    }

    fn all<const N: usize>(sieve: &Sieve<N>, text: &[u8], words: bool) -> Vec<usize> {
        let mut found = Vec::new();
        let none = sieve.find(text, words, |at| {
            found.push(at);
            false
        });
        assert_eq!(none, None);
        found
    }

    fn agrees<const N: usize>(state: &mut u64) {
        let mut random = || {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (*state >> 56) as u8
        };
        let mut sieve = Sieve::<N>::new();
        for bucket in 0..BUCKETS {
            for position in 0..N {
                for _ in 0..=random() % 4 {
                    sieve.admit(bucket, position, random());
                }
            }
        }
        let text: Vec<u8> = (0..random()).map(|_| random()).collect();
        let inner = |at: usize| text[at].is_ascii_alphanumeric();
        for words in [false, true] {
            let passes = |at: &usize| {
                sieve.buckets(&text[*at..]) != 0 && !(words && *at > 0 && inner(*at - 1))
            };
            let expected: Vec<usize> = (0..text.len()).filter(passes).collect();
            assert_eq!(all(&sieve, &text, words), expected);
            assert_eq!(plainly(|| all(&sieve, &text, words)), expected);
        }
    }

    fn tells_many<const N: usize>(state: &mut u64) {
        let mut random = || {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (*state >> 56) as u8
        };
        let mut sieve = Sieve::<N>::new();
        for position in 0..N {
            for _ in 0..60 {
                sieve.admit(usize::from(random()) % BUCKETS, position, random());
            }
        }
        let text: Vec<u8> = (0..random() % 68).map(|_| random()).collect();
        let block: [u8; MANY + MOST] = pad(&text);
        let tell = || sieve.places(&block, |one, two| sieve.buckets(&[one, two]) != 0);
        for told in [tell(), plainly(tell)] {
            for at in 0..MANY {
                let passes = sieve.buckets(text.get(at..).unwrap_or_default()) != 0;
                assert_eq!(told >> at & 1 == 1, passes, "{at}");
            }
        }
    }

    #[test]
    fn all_ways_tell_the_same_places() {
        let mut state = 6;
        for _ in 0..2_000 {
            tells_many::<1>(&mut state);
            tells_many::<2>(&mut state);
        }
    }

    #[test]
    fn all_ways_find_the_same_places() {
        let mut state = 5;
        for _ in 0..2_000 {
            agrees::<1>(&mut state);
            agrees::<2>(&mut state);
            agrees::<3>(&mut state);
            agrees::<4>(&mut state);
        }
    }

    #[test]
    fn the_first_place_that_is_accepted() {
        let mut sieve = Sieve::<2>::new();
        sieve.admit(3, 0, b'a');
        sieve.admit(3, 1, b'b');
        let text = "ab".repeat(70) + "a";
        let text = text.as_bytes();
        assert_eq!(sieve.find(text, false, |_| true), Some(0));
        assert_eq!(sieve.find(text, false, |at| at > 70), Some(72));
        assert_eq!(sieve.find(text, true, |at| at > 70), None);
        assert_eq!(sieve.find(b"", false, |_| true), None);
        // Zeros stand behind the end.
        sieve.admit(4, 0, b'x');
        sieve.admit(4, 1, 0);
        assert_eq!(sieve.find(b"ax", false, |_| true), Some(1));
    }
}
