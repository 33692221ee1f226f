//! Order statistics of random draws, of which not all are kept where there are very many.

use std::ops::Range;

use super::draws::Drawn;

/// Draws up to which all are kept: 32 MB.
const KEPT: u32 = 1 << 22;
/// Draws that are made at a time beyond that.
const BLOCK: u32 = 1 << 18;
/// Standard deviations of a rank in the first block within which a wanted draw is looked for.
const MARGIN: f64 = 8.0;

/// A number for each resample, kept, or made anew whenever they are asked for.
pub(super) struct Draws<F> {
    count: u32,
    kept: Vec<f64>,
    make: F,
}

impl<F: Fn(Range<u32>) -> Vec<f64>> Draws<F> {
    pub(super) fn new(count: u32, make: F) -> Self {
        Self::keeping(KEPT, count, make)
    }

    fn keeping(most: u32, count: u32, make: F) -> Self {
        let kept = if count <= most { make(0..count) } else { Vec::new() };
        Self { count, kept, make }
    }

    /// All draws, a block after the other.
    fn each(&self, mut see: impl FnMut(f64)) {
        if !self.kept.is_empty() {
            return self.kept.iter().copied().for_each(see);
        }
        let mut start = 0;
        while start < self.count {
            let end = start.saturating_add(BLOCK).min(self.count);
            (self.make)(start..end).into_iter().for_each(&mut see);
            start = end;
        }
    }

    /// The share of draws below `target`, with half of those that differ from it by rounding.
    pub(super) fn share_below(&self, target: f64, rounding: f64) -> f64 {
        let (mut below, mut ties) = (0_u64, 0_u64);
        self.each(|draw| {
            below += u64::from(draw < target - rounding);
            ties += u64::from((draw - target).abs() <= rounding);
        });
        (below as f64 + ties as f64 / 2.0) / f64::from(self.count)
    }

    /// Equal-tailed order statistics, the empirical form of the exact quantiles' definition.
    /// Nothing without a draw.
    ///
    /// The number of draws below a quantile is binomial: the order statistics one standard
    /// deviation of it to either side are two standard errors apart (Maritz and Jarrett 1978,
    /// doi:10.1080/01621459.1978.10480027, weigh all of them for the same).
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub(super) fn percentiles(&mut self, tail: f64) -> Option<Drawn> {
        let last = (self.count as usize).checked_sub(1)?;
        let n = f64::from(self.count);
        let rank = ((tail * n - 1e-9).ceil().max(1.0) as usize - 1).min(last);
        let reach = libm::sqrt(n * tail * (1.0 - tail)).ceil() as usize;
        let around = |rank: usize| [rank.saturating_sub(reach), rank, (rank + reach).min(last)];
        let [low, high] = [around(rank), around(last - rank)].map(|ranks| self.at(ranks));
        let error = |side: [f64; 3]| (side[2] - side[0]) / 2.0;
        Some(Drawn { limits: (low[1], high[1]), errors: (error(low), error(high)) })
    }

    /// The draws at ascending ranks.
    fn at(&mut self, ranks: [usize; 3]) -> [f64; 3] {
        if self.kept.is_empty() {
            return self.searched(ranks);
        }
        ranks.map(|rank| *self.kept.select_nth_unstable_by(rank, f64::total_cmp).1)
    }

    /// The same without all of them at hand: those are counted that lie below where the first
    /// block says that the wanted ones must be, and those there kept.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn searched(&self, ranks: [usize; 3]) -> [f64; 3] {
        let mut sample = (self.make)(0..BLOCK.min(self.count));
        sample.sort_unstable_by(f64::total_cmp);
        let share = sample.len() as f64 / f64::from(self.count);
        let mut margin = MARGIN;
        loop {
            let wide = margin * libm::sqrt(sample.len() as f64) / 2.0 + margin;
            let place = |rank: usize, off: f64| (rank as f64 * share + off).floor();
            let (from, to) = (place(ranks[0], -wide), place(ranks[2], wide));
            let low = if from < 0.0 { f64::NEG_INFINITY } else { sample[from as usize] };
            let high = sample.get(to as usize).copied().unwrap_or(f64::INFINITY);
            let (mut below, mut inside) = (0, Runs::default());
            self.each(|draw| {
                if draw < low {
                    below += 1;
                } else if draw <= high {
                    inside.add(draw);
                }
            });
            let found = ranks.map(|rank| inside.at(rank.checked_sub(below)?));
            if let [Some(a), Some(b), Some(c)] = found {
                return [a, b, c];
            }
            margin *= 4.0;
        }
    }
}

/// Numbers with how often each came.
#[derive(Default)]
struct Runs {
    runs: Vec<(f64, usize)>,
    sorted: usize,
}

impl Runs {
    /// New numbers that are put in order at a time.
    const LOOSE: usize = 1 << 19;

    fn add(&mut self, number: f64) {
        self.runs.push((number, 1));
        if self.runs.len() - self.sorted >= Self::LOOSE {
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.runs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        self.runs.dedup_by(|next, run| {
            let same = next.0.to_bits() == run.0.to_bits();
            if same {
                run.1 += next.1;
            }
            same
        });
        self.sorted = self.runs.len();
    }

    fn at(&mut self, rank: usize) -> Option<f64> {
        if self.sorted < self.runs.len() {
            self.sort();
        }
        let mut upto = 0;
        let reached = |run: &&(f64, usize)| {
            upto += run.1;
            upto > rank
        };
        self.runs.iter().find(reached).map(|run| run.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resample::stream::Stream;

    #[test]
    fn what_is_not_kept_is_found_again() {
        let count = 3 * BLOCK + 7;
        for values in [5, 1_000_000_000] {
            let make = |range: Range<u32>| -> Vec<f64> {
                let value = |i: u32| f64::from(Stream::new(1, 2, u64::from(i)).below(values));
                range.map(value).collect()
            };
            let mut kept = Draws::new(count, make);
            let mut again = Draws::keeping(1000, count, make);
            assert!(again.kept.is_empty());
            for tail in [1e-6, 0.025, 0.3, 0.9] {
                assert_eq!(again.percentiles(tail), kept.percentiles(tail));
            }
            let target = f64::from(values) * 0.4;
            let share = kept.share_below(target, 0.0);
            assert!((again.share_below(target, 0.0) - share).abs() <= 0.0);
            assert!((share - 0.4).abs() < 0.11);
        }
    }

    #[test]
    fn one_draw_is_every_order_statistic() {
        let drawn = Drawn { limits: (3.0, 3.0), errors: (0.0, 0.0) };
        let make = |range: Range<u32>| vec![3.0; range.len()];
        assert_eq!(Draws::new(1, make).percentiles(0.025), Some(drawn));
        assert_eq!(Draws::new(0, make).percentiles(0.025), None);
    }
}
