//! Percentile intervals of a bootstrap: exact, or a replay of CPython's draws.

use super::draws::{Units, bca_tails};
use super::lattice::{Distribution, Part};
use super::mersenne::{Mersenne, Table};
use super::ratio::{self, Found};
use crate::distributions::{binomial_ln_lower_tail, binomial_ln_pmf, binomial_quantile};
use crate::plan::{Bootstrap, Plan};
use crate::watch::Watch;

/// Exact percentile interval of `successes` in `trials` independent trials: the resampled
/// count is binomial, so that no draw is needed.
#[must_use]
pub fn exact_rate(successes: u64, trials: u64, tail: f64) -> (f64, f64) {
    binomial_limits(successes, trials, (tail, tail))
}

fn binomial_limits(successes: u64, trials: u64, (low, high): (f64, f64)) -> (f64, f64) {
    let n = trials as f64;
    let low = binomial_quantile(successes, trials, low);
    let high = trials - binomial_quantile(trials - successes, trials, high);
    (low as f64 / n, high as f64 / n)
}

/// Any of the bootstrap intervals of `successes` in `trials` independent trials, exactly.
/// Nothing where a limit has no end; of a constant only the percentile and the basic one exist.
#[must_use]
pub fn exact_rate_by(
    method: Bootstrap,
    successes: u64,
    trials: u64,
    tail: f64,
) -> Option<(f64, f64)> {
    let n = trials as f64;
    let p = successes as f64 / n;
    let (low, high) = binomial_limits(successes, trials, (tail, tail));
    match method {
        Bootstrap::Percentile => Some((low, high)),
        Bootstrap::Basic => Some((2.0 * p - high, 2.0 * p - low)),
        _ if successes == 0 || successes == trials => None,
        Bootstrap::Bca => {
            let below = libm::exp(binomial_ln_lower_tail(successes - 1, trials, p));
            let share = below + libm::exp(binomial_ln_pmf(successes, trials, p)) / 2.0;
            // The third central moment of an outcome over its variance to 3/2 and six roots of n.
            let acceleration = (1.0 - 2.0 * p) / (6.0 * libm::sqrt(n * p * (1.0 - p)));
            let tails = bca_tails(share, acceleration, tail)?;
            Some(binomial_limits(successes, trials, tails))
        }
        Bootstrap::Studentized => {
            // Student's ratio grows with the resampled rate, so that its quantiles are those.
            let error = |p: f64| libm::sqrt(p * (1.0 - p) / (n - 1.0));
            let limit = |drawn: f64| p - (drawn - p) / error(drawn) * error(p);
            (low > 0.0 && high < 1.0).then(|| (limit(high), limit(low)))
        }
    }
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
pub fn group(units: impl Iterator<Item = Unit> + Clone) -> Vec<Group> {
    if let Some(groups) = tabled(units.clone()) {
        return groups;
    }
    let mut units: Vec<Unit> = units.collect();
    units.sort_unstable();
    units.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect()
}

/// The same from a table of all sums and sizes, where that has fewer places than there are units.
fn tabled(units: impl Iterator<Item = Unit> + Clone) -> Option<Vec<Group>> {
    let first = units.clone().next()?;
    let (mut sums, mut sizes, mut count) = ((first.sum, first.sum), (first.size, first.size), 0);
    for Unit { sum, size } in units.clone() {
        sums = (sums.0.min(sum), sums.1.max(sum));
        sizes = (sizes.0.min(size), sizes.1.max(size));
        count += 1;
    }
    let (least, most) = sums;
    let (smallest, largest) = (sizes.0.cast_signed(), sizes.1.cast_signed());
    let width = usize::try_from(largest.checked_sub(smallest)?.checked_add(1)?).ok()?;
    let height = usize::try_from(most.checked_sub(least)?.checked_add(1)?).ok()?;
    let places = width.checked_mul(height).filter(|places| *places <= count)?;
    let mut counts = vec![0_u64; places];
    for unit in units {
        let row = usize::try_from(unit.sum - least).ok()?;
        counts[row * width + usize::try_from(unit.size.cast_signed() - smallest).ok()?] += 1;
    }
    let width = largest - smallest + 1;
    let unit = |place: i64| Unit {
        sum: least + place / width,
        size: (smallest + place % width).cast_unsigned(),
    };
    let some = (0_i64..).zip(counts).filter(|(_, times)| *times > 0);
    Some(some.map(|(place, times)| (unit(place), times)).collect())
}

/// The bootstrap distribution of sum over size, without a draw.
pub enum Law<'a> {
    /// All units have one size: the sum's distribution, the sum that was observed, and the size.
    Sum(Distribution, i64, u64),
    /// They have not.
    Ratio(ratio::Law<'a>),
}

impl<'a> Law<'a> {
    /// Nothing where it is not within reach.
    #[must_use]
    pub fn of(groups: &'a [Group], watch: &Watch) -> Option<Self> {
        let size = groups.first()?.0.size;
        if groups.iter().any(|(unit, _)| unit.size != size) {
            return ratio::Law::of(groups).map(Self::Ratio);
        }
        let count = groups.iter().map(|(_, times)| times).sum();
        let points = groups.iter().map(|(unit, times)| (unit.sum, *times as f64));
        let sum = Distribution::of_sum(&[Part::new(points, count)], watch);
        let observed = groups.iter().map(|(unit, times)| unit.sum * times.cast_signed()).sum();
        Some(Self::Sum(sum, observed, count * size))
    }

    /// Whether limits are those of the distribution itself, and not of its smooth form.
    #[must_use]
    pub fn exact(&self) -> bool {
        match self {
            Self::Sum(..) => true,
            Self::Ratio(law) => law.found() == Found::Exactly,
        }
    }

    fn limits(&self, tails: (f64, f64)) -> Option<(f64, f64)> {
        match self {
            Self::Sum(sum, _, size) => {
                let (low, high) = sum.quantiles(tails);
                Some((low as f64 / *size as f64, high as f64 / *size as f64))
            }
            Self::Ratio(law) => law.limits(tails),
        }
    }

    /// An interval of the ratio of `groups`, whose law this is. Nothing where it is not known, nor
    /// for bootstrap-t, which asks for more than the ratio's distribution.
    #[must_use]
    pub fn interval(
        &self,
        method: Bootstrap,
        groups: &[Group],
        estimate: f64,
        tail: f64,
    ) -> Option<(f64, f64)> {
        match method {
            Bootstrap::Percentile => self.limits((tail, tail)),
            Bootstrap::Basic => {
                let (low, high) = self.limits((tail, tail))?;
                Some((2.0 * estimate - high, 2.0 * estimate - low))
            }
            Bootstrap::Bca => {
                let share = match self {
                    Self::Sum(sum, observed, _) => sum.share_below(*observed),
                    Self::Ratio(law) => law.share_below()?,
                };
                let acceleration = Units::of_groups(groups).acceleration();
                self.limits(bca_tails(share, acceleration, tail)?)
            }
            Bootstrap::Studentized => None,
        }
    }
}

/// Percentile interval of the mean of `values` as a pure-Python harness finds it: a fresh
/// `random.Random(seed)`, `n_resamples` times `randrange(n)` per value, means sorted, limits
/// at the positions `int(tail * B)` and `int((1 - tail) * B)`.
///
/// Nothing without a value.
#[must_use]
pub fn replay_cpython<M>(values: &[i8], plan: &Plan<M>) -> Option<(f64, f64)> {
    let table = Table::new(values)?;
    let count = u32::try_from(values.len()).ok()?;
    let (tail, n_resamples) = (plan.tail(), plan.n_resamples);
    let mut generator = Mersenne::new(plan.seed);
    let draw = |_| {
        plan.watch.look();
        plan.watch.drawn(1);
        generator.sum(&table, count)
    };
    let mut sums: Vec<i64> = (0..n_resamples).map(draw).collect();
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
    use crate::resample::draws::Drawn;

    fn exact_ratio(groups: &[Group], tail: f64) -> Option<(f64, f64)> {
        Law::of(groups, Watch::nobody())?.interval(Bootstrap::Percentile, groups, 0.0, tail)
    }

    fn monte_carlo(groups: &[Group], n_resamples: u32, seed: u64) -> Option<Drawn> {
        Units::of_groups(groups).interval(Bootstrap::Percentile, &Plan::draws(n_resamples, seed))
    }

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
        let groups = group((0..32).map(|i| unit(i % 4, 3)));
        let (low, high) = exact_ratio(&groups, 0.025).unwrap();
        let (drawn_low, drawn_high) = monte_carlo(&groups, 200_000, 1).unwrap().limits;
        assert!((low - drawn_low).abs() < 0.011 && (high - drawn_high).abs() < 0.011);
    }

    #[test]
    fn order_of_units_does_not_matter() {
        let units = (0..40).map(|i| unit(i % 3, 3 + i as u64 % 2));
        let draw = |groups: &[Group]| monte_carlo(groups, 500, 7);
        assert_eq!(draw(&group(units.clone())), draw(&group(units.rev())));
    }

    #[test]
    fn a_table_counts_as_sorting_does() {
        let units: Vec<Unit> =
            (0..500_i64).map(|i| unit(i * i % 7 - 3, 2 + i as u64 % 5)).collect();
        let mut sorted = units.clone();
        sorted.sort_unstable();
        let runs = sorted.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64));
        assert_eq!(tabled(units.iter().copied()), Some(runs.collect()));
        assert_eq!(tabled([unit(i64::MIN, 1), unit(i64::MAX, 1)].into_iter()), None);
    }

    #[test]
    fn ends_where_all_units_are_equal() {
        let groups = [(unit(3, 3), 8)];
        assert_eq!(exact_ratio(&groups, 0.025), Some((1.0, 1.0)));
        let drawn = Drawn { limits: (1.0, 1.0), errors: (0.0, 0.0) };
        assert_eq!(monte_carlo(&groups, 1, 0), Some(drawn));
    }
}
