//! Percentile intervals of a bootstrap: exact, by random draws, or a replay of CPython's.

use rayon::prelude::*;

use super::lattice::{Distribution, Part};
use super::mersenne::{Mersenne, Table};
use super::stream::{Stream, combine};
use crate::distributions::binomial_quantile;

/// Exact percentile interval of `successes` in `trials` independent trials: the resampled
/// count is binomial, so that no draw is needed.
#[must_use]
pub fn exact_rate(successes: u64, trials: u64, tail: f64) -> (f64, f64) {
    let n = trials as f64;
    let low = binomial_quantile(successes, trials, tail);
    let high = trials - binomial_quantile(trials - successes, trials, tail);
    (low as f64 / n, high as f64 / n)
}

/// One unit of resampling: it adds `sum` to the numerator and `size` to the denominator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unit {
    /// Addend of the numerator.
    pub sum: i64,
    /// Addend of the denominator, at least 1.
    pub size: u64,
}

/// Some equal units.
pub type Group = (Unit, u64);

/// Counts equal units; the result does not depend on their order.
#[must_use]
pub fn group(mut units: Vec<Unit>) -> Vec<Group> {
    units.sort_unstable();
    units.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect()
}

/// Exact percentile interval of sum over size where all units have one size, else nothing.
#[must_use]
pub fn exact_ratio(groups: &[Group], tail: f64) -> Option<(f64, f64)> {
    let size = groups.first()?.0.size;
    if groups.iter().any(|(unit, _)| unit.size != size) {
        return None;
    }
    let count = groups.iter().map(|(_, times)| times).sum();
    let points = groups.iter().map(|(unit, times)| (unit.sum, *times as f64));
    let sum = Distribution::of_sum(&[Part::new(points, count)]);
    let (low, high) = sum.quantiles(tail);
    let total = (count * size) as f64;
    Some((low as f64 / total, high as f64 / total))
}

/// Percentile interval of sum over size from `n_resamples` random resamples of the units.
/// Nothing without a unit, or with more than 2^32 of them.
#[must_use]
pub fn monte_carlo(groups: &[Group], tail: f64, n_resamples: u32, seed: u64) -> Option<Drawn> {
    // The stream is keyed by what the cell holds: its interval is the same whatever other
    // cells are in the call and in whatever order the units came.
    let cell = groups.iter().fold(0, |key, (unit, times)| {
        let words = [unit.sum.cast_unsigned(), unit.size, *times];
        words.into_iter().fold(key, combine)
    });
    let units: Vec<Unit> = groups
        .iter()
        .flat_map(|(unit, times)| std::iter::repeat_n(*unit, usize::try_from(*times).unwrap_or(0)))
        .collect();
    let bound = u32::try_from(units.len()).ok().filter(|bound| *bound > 0)?;
    let mut ratios: Vec<f64> = (0..n_resamples)
        .into_par_iter()
        .with_min_len(64)
        .map(|replicate| {
            let mut stream = Stream::new(seed, cell, u64::from(replicate));
            let (mut sum, mut size) = (0, 0);
            for _ in 0..bound {
                let unit = units[stream.below(bound) as usize];
                sum += unit.sum;
                size += unit.size;
            }
            sum as f64 / size as f64
        })
        .collect();
    percentiles(&mut ratios, tail)
}

/// Limits from random draws, and how far off each may be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Drawn {
    /// Lower and upper limit.
    pub limits: (f64, f64),
    /// Monte Carlo standard error of each.
    pub errors: (f64, f64),
}

/// Equal-tailed order statistics, the empirical form of the exact quantiles' definition.
/// Nothing without a draw.
///
/// The number of draws below a quantile is binomial: the order statistics one standard
/// deviation of it to either side are two standard errors apart (Maritz and Jarrett 1978,
/// doi:10.1080/01621459.1978.10480027, weigh all of them for the same).
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn percentiles(draws: &mut [f64], tail: f64) -> Option<Drawn> {
    let last = draws.len().checked_sub(1)?;
    let n = draws.len() as f64;
    let rank = ((tail * n - 1e-9).ceil().max(1.0) as usize - 1).min(last);
    let reach = libm::sqrt(n * tail * (1.0 - tail)).ceil() as usize;
    let mut at = |rank: usize| *draws.select_nth_unstable_by(rank, f64::total_cmp).1;
    let mut around =
        |rank: usize| (at((rank + reach).min(last)) - at(rank.saturating_sub(reach))) / 2.0;
    let errors = (around(rank), around(last - rank));
    Some(Drawn { limits: (at(rank), at(last - rank)), errors })
}

/// Percentile interval of the mean of `values` as a pure-Python harness finds it: a fresh
/// `random.Random(seed)`, `n_resamples` times `randrange(n)` per value, means sorted, limits
/// at the positions `int(tail * B)` and `int((1 - tail) * B)`.
///
/// Nothing without a value.
#[must_use]
pub fn replay_cpython(values: &[i8], tail: f64, n_resamples: u32, seed: u64) -> Option<(f64, f64)> {
    let table = Table::new(values)?;
    let count = u32::try_from(values.len()).ok()?;
    let mut generator = Mersenne::new(seed);
    let mut sums: Vec<i64> = (0..n_resamples).map(|_| generator.sum(&table, count)).collect();
    let last = sums.len().checked_sub(1)?;
    let mut at = |share: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let position = (share * f64::from(n_resamples)) as usize;
        let (_, sum, _) = sums.select_nth_unstable(position.min(last));
        Some(*sum as f64 / f64::from(count))
    };
    Some((at(tail)?, at(1.0 - tail)?))
}

#[cfg(test)]
#[expect(clippy::cast_sign_loss, reason = "small, exact values")]
mod tests {
    use super::*;

    fn unit(sum: i64, size: u64) -> Unit {
        Unit { sum, size }
    }

    #[test]
    fn exact_rate_matches_printed_figures() {
        // 91 of 96 prints [0.8958, 0.9896], 7 of 17 prints [0.1765, 0.6471].
        let (low, high) = exact_rate(91, 96, 0.025);
        assert!((low - 0.8958).abs() < 5e-5 && (high - 0.9896).abs() < 5e-5);
        let (low, high) = exact_rate(7, 17, 0.025);
        assert!((low - 0.1765).abs() < 5e-5 && (high - 0.6471).abs() < 5e-5);
        assert_eq!(exact_rate(0, 96, 0.025), (0.0, 0.0));
    }

    #[test]
    fn clusters_of_one_are_trials() {
        let groups = [(unit(0, 1), 59), (unit(1, 1), 37)];
        assert_eq!(exact_ratio(&groups, 0.025), Some(exact_rate(37, 96, 0.025)));
    }

    #[test]
    fn random_draws_approach_the_exact_quantiles() {
        let groups = group((0..32).map(|i| unit(i % 4, 3)).collect());
        let (low, high) = exact_ratio(&groups, 0.025).unwrap();
        let (drawn_low, drawn_high) = monte_carlo(&groups, 0.025, 200_000, 1).unwrap().limits;
        assert!((low - drawn_low).abs() < 0.011 && (high - drawn_high).abs() < 0.011);
    }

    #[test]
    fn order_of_units_does_not_matter() {
        let units: Vec<Unit> = (0..40).map(|i| unit(i % 3, 3 + i as u64 % 2)).collect();
        let reversed = units.iter().rev().copied().collect();
        let draw = |units| monte_carlo(&group(units), 0.025, 500, 7);
        assert_eq!(draw(units), draw(reversed));
    }

    #[test]
    fn ends_where_all_units_are_equal() {
        let groups = [(unit(3, 3), 8)];
        assert_eq!(exact_ratio(&groups, 0.025), Some((1.0, 1.0)));
        let drawn = Drawn { limits: (1.0, 1.0), errors: (0.0, 0.0) };
        assert_eq!(monte_carlo(&groups, 0.025, 1, 0), Some(drawn));
    }
}
