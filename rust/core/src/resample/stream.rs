//! One stream of random numbers per (seed, cell, replicate).
//!
//! SplitMix64 (Steele, Lea and Flood 2014, doi:10.1145/2714064.2660195) started at a mix of
//! the three: draw `i` is a function of the start and `i` alone, so that no result depends on
//! which thread computes which replicate.

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Folds one more word into a key.
#[must_use]
pub fn combine(key: u64, word: u64) -> u64 {
    mix(key.wrapping_add(GOLDEN) ^ mix(word.wrapping_add(GOLDEN)))
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream {
    state: u64,
}

impl Stream {
    /// The stream of one replicate in one cell.
    #[must_use]
    pub fn new(seed: u64, cell: u64, replicate: u64) -> Self {
        Self { state: combine(combine(seed, cell), replicate) }
    }

    /// Sixty-four random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A number below `bound`, every one equally likely; `bound` must not be 0.
    ///
    /// Lemire (2019), doi:10.1145/3230636.
    #[expect(clippy::cast_possible_truncation)]
    pub fn below(&mut self, bound: u32) -> u32 {
        let bound64 = u64::from(bound);
        let mut product = (self.next_u64() >> 32) * bound64;
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = (self.next_u64() >> 32) * bound64;
            }
        }
        (product >> 32) as u32
    }
}

/// How many bounded numbers come from one word.
pub const BATCH: usize = 4;
/// The largest bound of a batch.
pub const BATCH_BOUND: usize = 1 << 12;

impl Stream {
    /// A number strictly between 0 and 1, of 53 bits.
    pub fn unit(&mut self) -> f64 {
        ((self.next_u64() >> 11) as f64 + 0.5) * (1.0 / (1_u64 << 53) as f64)
    }

    /// Four numbers below `bound`, each four equally likely, mostly from one word; `bound` must
    /// not be 0, nor above [`BATCH_BOUND`].
    ///
    /// A number is the upper half of the word times the bound, and the lower half is the next
    /// word; a word of which too little is left is thrown away: Brackett-Rozinsky and Lemire
    /// (2024), "Batched ranged random integer generation", arXiv:2408.06213.
    #[expect(clippy::cast_possible_truncation)]
    #[inline]
    pub fn batch(&mut self, bound: u64) -> [usize; BATCH] {
        let all = bound * bound * bound * bound;
        loop {
            let mut word = self.next_u64();
            let numbers = std::array::from_fn(|_| {
                let product = u128::from(word) * u128::from(bound);
                word = product as u64;
                (product >> 64) as usize
            });
            if word >= all || word >= all.wrapping_neg() % all {
                return numbers;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_uniform() {
        let mut stream = Stream::new(0, 0, 1);
        let mut counts = [0_u32; 81];
        for _ in 0..20_250 {
            let batch = stream.batch(3);
            counts[batch.iter().fold(0, |place, number| place * 3 + number)] += 1;
        }
        // Chi-squared with 80 degrees of freedom: 124.8 is the 0.999 quantile.
        let chi2: f64 = counts.iter().map(|c| (f64::from(*c) - 250.0).powi(2) / 250.0).sum();
        assert!(chi2 < 124.8, "{chi2}");
        let largest = (0..100_000).flat_map(|_| stream.batch(BATCH_BOUND as u64)).max();
        assert_eq!(largest, Some(BATCH_BOUND - 1));
    }

    #[test]
    fn streams_are_reproducible_and_distinct() {
        let draw = |seed, cell, replicate| Stream::new(seed, cell, replicate).next_u64();
        assert_eq!(draw(1, 2, 3), draw(1, 2, 3));
        let all = [draw(1, 2, 3), draw(2, 1, 3), draw(1, 3, 2), draw(0, 2, 3), draw(1, 2, 4)];
        for (i, a) in all.iter().enumerate() {
            assert!(all.iter().skip(i + 1).all(|b| a != b));
        }
    }

    #[test]
    fn below_is_uniform() {
        let mut stream = Stream::new(0, 0, 0);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[stream.below(7) as usize] += 1;
        }
        // Chi-squared with 6 degrees of freedom: 22.5 is the 0.999 quantile.
        let chi2: f64 = counts.iter().map(|c| (f64::from(*c) - 1e4).powi(2) / 1e4).sum();
        assert!(chi2 < 22.5, "{chi2}");
    }
}
