//! Bootstrap intervals of a ratio of sums, from random resamples of its units.
//!
//! A resample is drawn as the multinomial counts that it is. Of a kind of which there are many
//! the count is a binomial of what is left to draw; the other units are cut into blocks that
//! stay in a core's first cache, a block's share is a binomial too, and within it units are picked one
//! by one. Nothing of the length of the units is kept for a resample.

use std::ops::Range;

use rayon::prelude::*;

use super::binomial;
use super::bootstrap::Group;
use super::order::Draws;
use super::stream::{BATCH, BATCH_BOUND, Stream, combine};
use crate::distributions::normal_quantile;
use crate::plan::{Bootstrap, Plan};
use crate::watch::Watch;

/// Copies of a unit from which one binomial count is cheaper than picking as many.
const MANY: u64 = 64;
/// Resamples that take their turns at a block while it is in cache.
const TOGETHER: usize = 16;
/// Share of the standard error below which a difference is rounding.
const ROUNDING: f64 = 1e-12;

/// What some equal units add to the numerator and to the denominator.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Kind {
    /// Addend of the numerator.
    pub sum: f64,
    /// Addend of the denominator, positive.
    pub size: f64,
    /// How many units are of this kind, at least one.
    pub times: u64,
}

impl Kind {
    /// Kinds of units in an order that does not depend on how they came.
    #[must_use]
    pub fn of(mut units: Vec<(f64, f64)>) -> Vec<Self> {
        units.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        Self::of_sorted(units.iter().copied())
    }

    /// The same of units that are sorted.
    #[must_use]
    pub fn of_sorted(units: impl Iterator<Item = (f64, f64)>) -> Vec<Self> {
        let mut kinds: Vec<Self> = Vec::new();
        for (sum, size) in units {
            match kinds.last_mut() {
                Some(last)
                    if last.sum.to_bits() == sum.to_bits()
                        && last.size.to_bits() == size.to_bits() =>
                {
                    last.times += 1;
                }
                _ => kinds.push(Self { sum, size, times: 1 }),
            }
        }
        kinds
    }
}

/// Limits from random draws, and how far off each may be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Drawn {
    /// Lower and upper limit.
    pub limits: (f64, f64),
    /// Monte Carlo standard error of each.
    pub errors: (f64, f64),
}

/// Units that may be drawn.
#[derive(Clone, Debug)]
pub struct Units {
    /// Sums are less `centre` times the size.
    pub(super) kinds: Vec<Kind>,
    pub(super) centre: f64,
    /// The estimate less the centre.
    pub(super) target: f64,
    key: u64,
}

/// Sums over one resample, and its number of units.
#[derive(Clone, Copy, Default)]
struct Sums {
    residual: f64,
    size: f64,
    squares: f64,
    cross: f64,
    size_squares: f64,
}

impl Sums {
    fn ratio(&self) -> f64 {
        self.residual / self.size
    }

    /// Standard error of the ratio over `count` units, with K / (K - 1).
    fn error(&self, count: f64) -> f64 {
        let d = self.ratio();
        let squares = self.squares - 2.0 * d * self.cross + d * d * self.size_squares;
        // What the subtraction leaves of equal terms is rounding.
        let squares = if squares <= 1e-14 * self.squares { 0.0 } else { squares };
        libm::sqrt(squares * count / (count - 1.0)) / self.size
    }
}

impl Units {
    /// From kinds in an order that does not depend on how they came, with their ratio.
    #[must_use]
    pub fn new(mut kinds: Vec<Kind>, ratio: f64) -> Self {
        let key = kinds.iter().fold(0, |key, kind| {
            let words = [kind.sum.to_bits(), kind.size.to_bits(), kind.times];
            words.into_iter().fold(key, combine)
        });
        for kind in &mut kinds {
            kind.sum -= ratio * kind.size;
        }
        Self { kinds, centre: ratio, target: 0.0, key }
    }

    /// From whole numbers, whose ratios are exact up to their last rounding.
    #[must_use]
    pub fn of_groups(groups: &[Group]) -> Self {
        // The stream is keyed by what the cell holds: its interval is the same whatever other
        // cells are in the call and in whatever order the units came.
        let key = groups.iter().fold(0, |key, (unit, times)| {
            let words = [unit.sum.cast_unsigned(), unit.size, *times];
            words.into_iter().fold(key, combine)
        });
        let kind = |(unit, times): &Group| Kind {
            sum: unit.sum as f64,
            size: unit.size as f64,
            times: *times,
        };
        let kinds: Vec<Kind> = groups.iter().map(kind).collect();
        let total = |of: fn(&Kind) -> f64| -> f64 {
            kinds.iter().map(|kind| of(kind) * kind.times as f64).sum()
        };
        let target = total(|kind| kind.sum) / total(|kind| kind.size);
        Self { kinds, centre: 0.0, target, key }
    }

    fn count(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.times).sum()
    }

    /// Interval of the ratio. Nothing without units, or where all resamples lie on one side of the
    /// estimate and that matters; limits are infinite where too many resamples do not vary.
    #[must_use]
    pub fn interval<M>(&self, method: Bootstrap, plan: &Plan<M>) -> Option<Drawn> {
        let (tail, n_resamples) = (plan.tail(), plan.n_resamples);
        let keyed = (plan.seed, plan.watch);
        let count = self.count() as f64;
        let size = match (self.kinds.first(), self.one_size()) {
            (None, _) => return None,
            (_, size) => size.map(|size| size * count),
        };
        if method != Bootstrap::Studentized {
            // The ratio of each resample, less the centre.
            return if let Some(size) = size {
                let ratio = |[residual]: [f64; 1]| residual / size;
                let made = self.resampled(keyed, |kind| [kind.sum], ratio);
                self.of_ratios(method, tail, Draws::new(n_resamples, made))
            } else {
                let ratio = |[residual, size]: [f64; 2]| residual / size;
                let made = self.resampled(keyed, |kind| [kind.sum, kind.size], ratio);
                self.of_ratios(method, tail, Draws::new(n_resamples, made))
            };
        }
        let error = self.all().error(count);
        let score = |sums: &Sums| {
            let (shift, own) = (sums.ratio() - self.target, sums.error(count));
            if own > 0.0 {
                shift / own
            } else if shift.abs() <= ROUNDING * error {
                0.0
            } else {
                shift.signum() * f64::INFINITY
            }
        };
        if let Some(size) = size {
            let own = size / count;
            let row = |kind: &Kind| [kind.sum, kind.sum * kind.sum];
            let score = |[residual, squares]: [f64; 2]| {
                let (cross, size_squares) = (own * residual, own * size);
                score(&Sums { residual, size, squares, cross, size_squares })
            };
            let made = self.resampled(keyed, row, score);
            self.of_scores(error, tail, Draws::new(n_resamples, made))
        } else {
            let made = self.resampled(keyed, products, |row| score(&sums(row)));
            self.of_scores(error, tail, Draws::new(n_resamples, made))
        }
    }

    fn of_ratios<F: Fn(Range<u32>) -> Vec<f64>>(
        &self,
        method: Bootstrap,
        tail: f64,
        mut ratios: Draws<F>,
    ) -> Option<Drawn> {
        if method == Bootstrap::Bca {
            // Efron (1987), doi:10.1080/01621459.1987.10478410, with half of the ties in the
            // correction of bias.
            let rounding = ROUNDING * self.all().error(self.count() as f64);
            let share = ratios.share_below(self.target, rounding);
            let (low, high) = bca_tails(share, self.acceleration(), tail)?;
            let (lower, upper) = (ratios.percentiles(low)?, ratios.percentiles(high)?);
            let limits = (self.centre + lower.limits.0, self.centre + upper.limits.1);
            return Some(Drawn { limits, errors: (lower.errors.0, upper.errors.1) });
        }
        let Drawn { limits, errors } = ratios.percentiles(tail)?;
        if method == Bootstrap::Basic {
            let mirror = |limit: f64| self.centre + 2.0 * self.target - limit;
            let limits = (mirror(limits.1), mirror(limits.0));
            return Some(Drawn { limits, errors: (errors.1, errors.0) });
        }
        Some(Drawn { limits: (self.centre + limits.0, self.centre + limits.1), errors })
    }

    /// Bootstrap-t from each resample's distance in its own standard errors: Efron (1981),
    /// doi:10.2307/3314608.
    fn of_scores<F: Fn(Range<u32>) -> Vec<f64>>(
        &self,
        error: f64,
        tail: f64,
        mut scores: Draws<F>,
    ) -> Option<Drawn> {
        let Drawn { limits, errors } = scores.percentiles(tail)?;
        let estimate = self.centre + self.target;
        Some(Drawn {
            limits: (estimate - limits.1 * error, estimate - limits.0 * error),
            errors: (errors.1 * error, errors.0 * error),
        })
    }

    /// The size of all units, where it is one.
    fn one_size(&self) -> Option<f64> {
        let first = self.kinds.first()?.size;
        self.kinds.iter().all(|kind| kind.size.to_bits() == first.to_bits()).then_some(first)
    }

    fn all(&self) -> Sums {
        let mut all = [0.0; 5];
        self.kinds.iter().for_each(|kind| add(&mut all, products(kind), kind.times as f64));
        sums(all)
    }

    /// What makes, of the resamples of some numbers, what `of` makes of the sums of their rows.
    fn resampled<const D: usize>(
        &self,
        (seed, watch): (u64, &Watch),
        row: impl Fn(&Kind) -> [f64; D],
        of: impl Fn([f64; D]) -> f64 + Sync,
    ) -> impl Fn(Range<u32>) -> Vec<f64> {
        let table = Table::new(&self.kinds, row);
        move |range| {
            let mut found = vec![0.0; range.len()];
            found.par_chunks_mut(TOGETHER).enumerate().for_each(|(turn, places)| {
                if watch.stopped() {
                    return;
                }
                let first = u64::from(range.start) + (turn * TOGETHER) as u64;
                let streams = (first..).map(|replicate| Stream::new(seed, self.key, replicate));
                let resamples = table.resamples(streams.take(places.len()).collect(), watch);
                watch.drawn(places.len());
                for (place, sums) in places.iter_mut().zip(resamples) {
                    *place = of(sums);
                }
            });
            watch.look();
            found
        }
    }

    /// From the ratio without each unit in turn, in closed form.
    #[must_use]
    pub fn acceleration(&self) -> f64 {
        let all = self.all();
        let without =
            |kind: &Kind| (all.residual - kind.sum) / (all.size - kind.size) - self.target;
        let total = |of: &dyn Fn(&Kind) -> f64| -> f64 {
            self.kinds.iter().map(|kind| of(kind) * kind.times as f64).sum()
        };
        let mean = total(&without) / self.count() as f64;
        let squares = total(&|kind| (mean - without(kind)).powi(2));
        let cubes = total(&|kind| (mean - without(kind)).powi(3));
        if squares > 0.0 { cubes / (6.0 * squares * libm::sqrt(squares)) } else { 0.0 }
    }
}

fn products(kind: &Kind) -> [f64; 5] {
    let (r, c) = (kind.sum, kind.size);
    [r, c, r * r, r * c, c * c]
}

fn sums([residual, size, squares, cross, size_squares]: [f64; 5]) -> Sums {
    Sums { residual, size, squares, cross, size_squares }
}

fn add<const D: usize>(total: &mut [f64; D], row: [f64; D], times: f64) {
    for (sum, value) in total.iter_mut().zip(row) {
        *sum += times * value;
    }
}

/// What a resample is drawn from, part by part: kinds of many units, and blocks of others.
struct Table<const D: usize> {
    parts: Vec<(u64, Source<D>)>,
    rows: Vec<[f64; D]>,
    count: u64,
}

enum Source<const D: usize> {
    Kind([f64; D]),
    Block(Range<usize>),
}

impl<const D: usize> Table<D> {
    fn new(kinds: &[Kind], row: impl Fn(&Kind) -> [f64; D]) -> Self {
        let (mut parts, mut rows) = (Vec::new(), Vec::new());
        let few: u64 = kinds.iter().map(|kind| kind.times).filter(|times| *times < MANY).sum();
        rows.reserve_exact(usize::try_from(few).unwrap_or(0));
        for kind in kinds {
            if kind.times < MANY {
                rows.extend((0..kind.times).map(|_| row(kind)));
            } else {
                parts.push((kind.times, Source::Kind(row(kind))));
            }
        }
        let blocks = rows.len().div_ceil(BATCH_BOUND);
        for block in 0..blocks {
            let edge = |block: usize| rows.len() * block / blocks;
            let range = edge(block)..edge(block + 1);
            parts.push((range.len() as u64, Source::Block(range)));
        }
        let count = kinds.iter().map(|kind| kind.times).sum();
        Self { parts, rows, count }
    }

    /// The sums of one resample from each stream.
    fn resamples(&self, streams: Vec<Stream>, watch: &Watch) -> Vec<[f64; D]> {
        let mut resamples: Vec<(Stream, u64, [f64; D])> =
            streams.into_iter().map(|stream| (stream, self.count, [0.0; D])).collect();
        let mut remaining = self.count;
        for (count, source) in &self.parts {
            watch.look();
            let share = *count as f64 / remaining as f64;
            for (stream, left, sums) in &mut resamples {
                let drawn =
                    if *count == remaining { *left } else { binomial::draw(stream, *left, share) };
                *left -= drawn;
                match source {
                    Source::Kind(row) => add(sums, *row, drawn as f64),
                    Source::Block(range) => {
                        add(sums, picked(stream, &self.rows[range.clone()], drawn), 1.0);
                    }
                }
            }
            remaining -= count;
        }
        resamples.into_iter().map(|resample| resample.2).collect()
    }
}

/// The sum of so many rows, each picked at random; four at once, which add up apart.
fn picked<const D: usize>(stream: &mut Stream, rows: &[[f64; D]], times: u64) -> [f64; D] {
    let bound = rows.len() as u64;
    let mut apart = [[0.0; D]; BATCH];
    for _ in 0..times / BATCH as u64 {
        let batch = stream.batch(bound);
        for (sums, place) in apart.iter_mut().zip(batch) {
            add(sums, rows[place], 1.0);
        }
    }
    let rest = usize::try_from(times % BATCH as u64).unwrap_or(0);
    if rest > 0 {
        for (sums, place) in apart.iter_mut().zip(stream.batch(bound)).take(rest) {
            add(sums, rows[place], 1.0);
        }
    }
    let mut total = [0.0; D];
    for sums in apart {
        add(&mut total, sums, 1.0);
    }
    total
}

/// The probabilities below the lower and above the upper limit, given the share of the
/// distribution below the estimate. Nothing where that is 0 or 1.
#[must_use]
pub fn bca_tails(share: f64, acceleration: f64, tail: f64) -> Option<(f64, f64)> {
    if share <= 0.0 || share >= 1.0 {
        return None;
    }
    let (bias, z) = (normal_quantile(share), normal_quantile(tail));
    let below = |z: f64| {
        let w = bias + z;
        let stretch = 1.0 - acceleration * w;
        // Past the pole of the transformation there is nothing left to leave out.
        (stretch > 0.0).then(|| libm::erfc(-(bias + w / stretch) / std::f64::consts::SQRT_2) / 2.0)
    };
    Some((below(z)?, 1.0 - below(-z)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_bias_or_skew_it_is_the_percentile() {
        let (low, high) = bca_tails(0.5, 0.0, 0.025).unwrap();
        assert!((low - 0.025).abs() < 1e-15 && (high - 0.025).abs() < 1e-15);
        assert_eq!(bca_tails(1.0, 0.0, 0.025), None);
    }

    #[test]
    fn acceleration_is_that_of_the_mean() {
        // Sum of cubes over six times the sum of squares to 3/2: values 0, 0, 3 about 1.
        let kinds = Kind::of(vec![(0.0, 1.0), (3.0, 1.0), (0.0, 1.0)]);
        let expected = 6.0 / (6.0 * 6.0_f64.powf(1.5));
        assert!((Units::new(kinds, 1.0).acceleration() - expected).abs() < 1e-15);
    }

    /// Rows that say which they are: the sums of a resample are the counts of its units.
    #[test]
    fn every_unit_is_drawn_as_often() {
        let kinds: Vec<Kind> = (0..40_000)
            .map(|i| Kind { sum: f64::from(i), size: 1.0, times: if i < 3 { 10_000 } else { 1 } })
            .collect();
        let row = |kind: &Kind| {
            let i = kind.sum;
            [1.0, f64::from(i < 1.0), f64::from(i < 2.0), f64::from(i < 20_000.0)]
        };
        let table = Table::new(&kinds, row);
        assert_eq!(table.parts.len(), 3 + 10);
        let resamples =
            table.resamples((0..400).map(|i| Stream::new(1, 2, i)).collect(), Watch::nobody());
        let n = 69_997.0;
        let shares = [1.0, 10_000.0 / n, 20_000.0 / n, 49_997.0 / n];
        for (column, share) in shares.into_iter().enumerate() {
            let counts: Vec<f64> = resamples.iter().map(|sums| sums[column]).collect();
            let mean = counts.iter().sum::<f64>() / 400.0;
            let variance = counts.iter().map(|c| (c - mean) * (c - mean)).sum::<f64>() / 399.0;
            let expected = n * share * (1.0 - share);
            assert!((mean - n * share).abs() <= 4.0 * (expected / 400.0).sqrt(), "{column}");
            assert!((variance - expected).abs() <= 0.3 * expected, "{column}: {variance}");
        }
    }
}
