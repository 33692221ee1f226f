//! Combinations of several arms' rates over clusters: the difference of two differences, and the
//! share of a gap that a method closes.
//!
//! Both are linear in the rates once the sought value is given, so that both take their limits
//! from square-and-add of the arms' own limits and the correlations of the arms over clusters:
//! Zou and Donner (2008), doi:10.1002/sim.3095.

use crate::groups::Options;
use crate::infer::PValue;
use crate::infer::fisher::Alternative;
use crate::infer::flips::flip;
use crate::infer::labels::{Counting, Found, How, Stratum, shuffle};
use crate::infer::scores::Units;
use crate::intervals::{Moments, Quantiles, wilson};
use crate::plan::{NO_TRIALS_OF, ONE_CLUSTER, no_trials, tail};
use crate::proportions::{Effect, falling_root};
use crate::rate::cells;
use crate::watch::Watch;

/// Trials and successes of an arm.
pub type Arm = (u64, u64);

/// A combination of the rates of some arms.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Combined<const A: usize> {
    /// Trials and successes of each arm.
    pub arms: [Arm; A],
    /// Clusters with a trial, where there are clusters.
    pub clusters: Option<u64>,
    /// The combination, and its interval.
    pub effect: Effect,
    /// Name of the interval.
    pub method: &'static str,
    /// P-value of the test that goes with it, and of how many draws it is if it is not exact.
    pub test: Option<(PValue, Option<u32>)>,
    /// Name of the test.
    pub test_method: Option<&'static str>,
}

/// Reason of a gap that may be nothing.
pub const NO_GAP: &str = "the gap may be nothing: its interval holds 0";

/// Rates of some arms with limits of their own, and how they go together.
struct Rates<const A: usize> {
    values: [f64; A],
    limits: [(f64, f64); A],
    /// Correlations as measured, and held down towards nothing.
    correlations: [[(f64, f64); A]; A],
}

impl<const A: usize> Rates<A> {
    fn of_trials(arms: &[Arm; A], quantile: f64) -> Self {
        let values = arms.map(|(trials, hits)| hits as f64 / trials as f64);
        let limits =
            arms.map(|(trials, hits)| wilson(hits as f64 / trials as f64, trials as f64, quantile));
        Self { values, limits, correlations: [[(0.0, 0.0); A]; A] }
    }

    fn of_clusters(clusters: &[[Arm; A]], arms: &[Arm; A], quantiles: &mut Quantiles) -> Self {
        let mut rates = Self::of_trials(arms, quantiles.normal());
        let moments: [Moments; A] = std::array::from_fn(|arm| {
            let mut moments = Moments::default();
            some(clusters, arm).for_each(|(hits, trials)| moments.add(hits, trials));
            moments
        });
        for (arm, moments) in moments.iter().enumerate() {
            let size = quantiles.shrunk(moments.worth(some(clusters, arm)));
            rates.limits[arm] = wilson(moments.rate(), size, quantiles.normal());
        }
        for one in 0..A {
            for other in one + 1..A {
                let product = residual_product(clusters, (one, other), arms);
                let spread =
                    libm::sqrt(moments[one].residual_squares() * moments[other].residual_squares());
                if spread > 0.0 {
                    let equal = moments[one].equal_clusters().min(moments[other].equal_clusters());
                    // As in a paired difference: one half off, and less the fewer clusters.
                    let held = (product.abs() - 0.5).max(0.0) * (1.0 - 2.0 / equal).max(0.0);
                    let within = |product: f64| (product / spread).clamp(-1.0, 1.0);
                    let both = (within(product), within(held.copysign(product)));
                    rates.correlations[one][other] = both;
                }
            }
        }
        rates
    }

    fn value(&self, weights: &[f64; A]) -> f64 {
        weights.iter().zip(&self.values).map(|(weight, rate)| weight * rate).sum()
    }

    /// How far the lower limit of a combination is below it.
    fn below(&self, weights: &[f64; A]) -> f64 {
        let parts: [f64; A] = std::array::from_fn(|arm| {
            let (low, high) = self.limits[arm];
            let down =
                if weights[arm] > 0.0 { self.values[arm] - low } else { high - self.values[arm] };
            weights[arm] * down
        });
        let mut sum: f64 = parts.iter().map(|part| part * part).sum();
        for one in 0..A {
            for other in one + 1..A {
                let (measured, held) = self.correlations[one][other];
                let product = parts[one] * parts[other];
                // What would narrow the interval is held down.
                sum += 2.0 * product * if product * measured < 0.0 { held } else { measured };
            }
        }
        libm::sqrt(sum.max(0.0))
    }

    fn limits(&self, weights: &[f64; A]) -> (f64, f64) {
        let value = self.value(weights);
        (value - self.below(weights), value + self.below(&weights.map(|weight| -weight)))
    }
}

/// An arm's clusters that have a trial of it, as successes and trials.
fn some<const A: usize>(
    clusters: &[[Arm; A]],
    arm: usize,
) -> impl Iterator<Item = (u64, u64)> + Clone {
    let arms = clusters.iter().map(move |cluster| cluster[arm]);
    arms.filter(|(trials, _)| *trials > 0).map(|(trials, hits)| (hits, trials))
}

/// Sum over clusters of the product of two arms' residuals, successes minus rate times trials.
/// In whole numbers, so that it does not depend on the order of clusters.
fn residual_product<const A: usize>(
    clusters: &[[Arm; A]],
    (one, other): (usize, usize),
    arms: &[Arm; A],
) -> f64 {
    let wide = |count: u64| i128::from(count);
    let sum = |part: fn(Arm, Arm) -> (u64, u64)| -> i128 {
        let parts = clusters.iter().map(|cluster| part(cluster[one], cluster[other]));
        parts.map(|(a, b)| wide(a) * wide(b)).sum()
    };
    let ((c, a), (d, b)) = (arms[one], arms[other]);
    let products = [
        (sum(|x, y| (x.1, y.1)), c, d, 1.0),
        (sum(|x, y| (x.1, y.0)), c, b, -1.0),
        (sum(|x, y| (x.0, y.1)), a, d, -1.0),
        (sum(|x, y| (x.0, y.0)), a, b, 1.0),
    ];
    let whole: Option<i128> = products.iter().try_fold(0_i128, |total, (sum, x, y, sign)| {
        let term = wide(*x).checked_mul(wide(*y))?.checked_mul(*sum)?;
        if *sign > 0.0 { total.checked_add(term) } else { total.checked_sub(term) }
    });
    let scale = c as f64 * d as f64;
    match whole {
        Some(whole) => whole as f64 / scale,
        None => products
            .iter()
            .map(|(sum, x, y, sign)| sign * *sum as f64 * (*x as f64 / scale) * *y as f64)
            .sum(),
    }
}

fn add<const A: usize>(clusters: &[[Arm; A]]) -> [Arm; A] {
    std::array::from_fn(|arm| {
        let arms = clusters.iter().map(|cluster| cluster[arm]);
        arms.fold((0, 0), |sum, next| (sum.0 + next.0, sum.1 + next.1))
    })
}

/// What is wrong with a cell, if anything is.
fn trouble<const A: usize>(
    clusters: &[[Arm; A]],
    arms: &[Arm; A],
    grouped: bool,
    empty: [&'static str; A],
) -> Option<&'static str> {
    if let Some(reason) = no_trials(arms.map(|arm| arm.0), empty) {
        return Some(reason);
    }
    let few = |arm: usize| some(clusters, arm).take(2).count() < 2;
    (grouped && (0..A).any(few)).then_some(ONE_CLUSTER)
}

/// Differences of two differences: arms in order treatment and baseline of the first group, then
/// of the second. Each cell is one row of independent trials, or, with `offsets`, clusters.
#[must_use]
pub fn differences_in_differences(
    offsets: Option<&[usize]>,
    rows: &[[Arm; 4]],
    options: &Options,
) -> Vec<Combined<4>> {
    const WEIGHTS: [f64; 4] = [1.0, -1.0, -1.0, 1.0];
    const EMPTY: [&str; 4] = [
        NO_TRIALS_OF[0],
        NO_TRIALS_OF[1],
        "no trials of the treatment in the reference group with an outcome",
        "no trials of the baseline in the reference group with an outcome",
    ];
    each(
        offsets,
        rows,
        (options.confidence_level, options.watch),
        |cell, arms, grouped, quantiles| {
            let estimate = arms
                .iter()
                .all(|arm| arm.0 > 0)
                .then(|| Rates::of_trials(arms, quantiles.normal()).value(&WEIGHTS));
            let effect = match (estimate, trouble(cell, arms, grouped, EMPTY)) {
                (Some(_), None) => {
                    let rates = rates(cell, arms, grouped, quantiles);
                    let (low, high) = rates.limits(&WEIGHTS);
                    let limits = (Some(low.max(-2.0)), Some(high.min(2.0)));
                    Effect { estimate, low: limits.0, high: limits.1, reason: None }
                }
                (estimate, reason) => Effect { estimate, low: None, high: None, reason },
            };
            let test =
                if grouped && effect.estimate.is_some() { tested(cell, options) } else { None };
            (effect, test)
        },
    )
}

/// Shares of a gap closed: arms in order method, baseline and oracle. Cells as in
/// [`differences_in_differences`].
#[must_use]
pub fn gap_closures(
    offsets: Option<&[usize]>,
    rows: &[[Arm; 3]],
    confidence_level: f64,
    watch: &Watch,
) -> Vec<Combined<3>> {
    const EMPTY: [&str; 3] = [
        "no trials of the method with an outcome",
        NO_TRIALS_OF[1],
        "no trials of the oracle with an outcome",
    ];
    each(offsets, rows, (confidence_level, watch), |cell, arms, grouped, quantiles| {
        if let Some(reason) = trouble(cell, arms, grouped, EMPTY) {
            return (Effect::missing(reason), None);
        }
        let rates = rates(cell, arms, grouped, quantiles);
        (closure(&rates), None)
    })
}

fn closure(rates: &Rates<3>) -> Effect {
    let gap = [0.0, -1.0, 1.0];
    let width = rates.value(&gap);
    let estimate = Some(rates.value(&[1.0, -1.0, 0.0]) / width).filter(|share| share.is_finite());
    let (low, high) = rates.limits(&gap);
    if low <= 0.0 && high >= 0.0 {
        return Effect { estimate, low: None, high: None, reason: Some(NO_GAP) };
    }
    // Of method minus baseline minus share times gap, turned so that it falls with the share.
    let turn = width.signum();
    let weights = |share: f64| [turn, turn * (share - 1.0), -turn * share];
    // Every share is one in -1 to 1, which has a middle.
    let unfold = |place: f64| place / (1.0 - place.abs());
    let place = |excess: fn(&Rates<3>, &[f64; 3]) -> f64| {
        unfold(falling_root((-1.0, 1.0), |place| excess(rates, &weights(unfold(place)))))
    };
    let low = place(|rates, weights| rates.limits(weights).0);
    let high = place(|rates, weights| rates.limits(weights).1);
    Effect { estimate, low: Some(low), high: Some(high), reason: None }
}

fn rates<const A: usize>(
    cell: &[[Arm; A]],
    arms: &[Arm; A],
    grouped: bool,
    quantiles: &mut Quantiles,
) -> Rates<A> {
    if grouped {
        Rates::of_clusters(cell, arms, quantiles)
    } else {
        Rates::of_trials(arms, quantiles.normal())
    }
}

type Tested = Option<(Found, &'static str)>;

fn each<const A: usize>(
    offsets: Option<&[usize]>,
    rows: &[[Arm; A]],
    (confidence_level, watch): (f64, &Watch),
    one: impl Fn(&[[Arm; A]], &[Arm; A], bool, &mut Quantiles) -> (Effect, Tested) + Send + Sync,
) -> Vec<Combined<A>> {
    let quantiles = Quantiles::new(tail(confidence_level));
    let slices: Vec<&[[Arm; A]]> = match offsets {
        Some(offsets) => cells(offsets, rows).collect(),
        None => rows.iter().map(std::slice::from_ref).collect(),
    };
    let grouped = offsets.is_some();
    watch.cells(slices, quantiles, |quantiles, cell| {
        let arms = add(cell);
        let (effect, test) = one(cell, &arms, grouped, quantiles);
        let seen = |cluster: &&[Arm; A]| cluster.iter().any(|arm| arm.0 > 0);
        let method = match (effect.low, grouped) {
            (None, _) => "none",
            (Some(_), false) => "square-and-add",
            (Some(_), true) => "square-and-add-clustered",
        };
        Combined {
            arms,
            clusters: grouped.then(|| cell.iter().filter(seen).count() as u64),
            effect,
            method,
            test: test.map(|(found, _)| (PValue::of_ln(found.ln_p), found.n_resamples)),
            test_method: test.map(|test| test.1),
        }
    })
}

/// The test of a difference in differences. Clusters that are in both groups have one of their
/// own, whose sign is as likely to be the other; if none is, clusters have a difference each, whose
/// groups are shuffled.
fn tested(cell: &[[Arm; 4]], options: &Options) -> Tested {
    let difference = |first: Arm, second: Arm| {
        let rate = |(trials, hits): Arm| (trials > 0).then(|| hits as f64 / trials as f64);
        Some(rate(first)? - rate(second)?)
    };
    let differences: Vec<[Option<f64>; 2]> =
        cell.iter().map(|[a, b, c, d]| [difference(*a, *b), difference(*c, *d)]).collect();
    let how = How {
        alternative: Alternative::TwoSided,
        counting: Counting::Auto,
        n_resamples: options.n_resamples,
        seed: options.seed,
        watch: options.watch,
    };
    let both: Vec<f64> =
        differences.iter().filter_map(|[first, second]| Some((*first)? - (*second)?)).collect();
    if !both.is_empty() {
        let units = Units::of(&both);
        return Some((flip(&units.values, units.slack, &how)?, "flip"));
    }
    let group = |place: usize| differences.iter().filter_map(move |d| d[place]);
    let all: Vec<f64> = group(0).chain(group(1)).collect();
    let units = Units::of(&all);
    let (first, second) = units.values.split_at(group(0).count());
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let stratum = Stratum { first: first.to_vec(), second: second.to_vec() };
    Some((shuffle(vec![stratum], units.slack, &how)?, "permutation"))
}

#[cfg(test)]
mod tests {
    use super::*;

    static OPTIONS: Options =
        Options { confidence_level: 0.95, n_resamples: 999, seed: 0, watch: Watch::nobody() };

    #[test]
    fn two_arms_are_a_paired_difference() {
        use crate::compare::{Measure, Pairs, of_clusters};
        use crate::plan::{DifferenceMethod, Plan, Resampler};
        let counts = [(3, 3, 1), (3, 2, 2), (4, 3, 0), (2, 2, 1), (3, 0, 1)];
        let pairs: Vec<Pairs> = counts
            .iter()
            .map(|(n, t, b)| Pairs {
                pairs: *n,
                treatment: *t,
                baseline: *b,
                treatment_only: t.saturating_sub(*b),
            })
            .collect();
        let plan = Plan {
            method: DifferenceMethod::Auto,
            resampler: Resampler::Auto,
            confidence_level: 0.95,
            n_resamples: 1,
            seed: 0,
            watch: Watch::nobody(),
        };
        let expected = of_clusters(&[0, 5], &pairs, Measure::Difference, &plan)[0];
        let rows: Vec<[Arm; 2]> = counts.iter().map(|(n, t, b)| [(*n, *t), (*n, *b)]).collect();
        let mut quantiles = Quantiles::new(0.025);
        let found = Rates::of_clusters(&rows, &add(&rows), &mut quantiles).limits(&[1.0, -1.0]);
        let (low, high) = expected.interval.limits.unwrap();
        assert!((found.0 - low).abs() < 1e-14 && (found.1 - high).abs() < 1e-14);
    }

    #[test]
    fn the_limits_of_a_share_are_where_zero_is_a_limit() {
        let few = [
            [(4, 3), (4, 1), (4, 4)],
            [(4, 2), (4, 0), (4, 4)],
            [(4, 3), (4, 1), (4, 3)],
            [(4, 4), (4, 1), (4, 4)],
            [(4, 1), (4, 0), (4, 4)],
        ];
        let rows = [few, few].concat();
        let found = gap_closures(Some(&[0, 10]), &rows, 0.95, Watch::nobody())[0];
        let (low, high) = (found.effect.low.unwrap(), found.effect.high.unwrap());
        // Hits 13, 3 and 19 of 20 each.
        let found_share = 10.0 / 16.0;
        assert!((found.effect.estimate.unwrap() - found_share).abs() < 1e-15);
        let mut quantiles = Quantiles::new(0.025);
        let rates = Rates::of_clusters(&rows, &add(&rows), &mut quantiles);
        let limits = |share: f64| rates.limits(&[1.0, share - 1.0, -share]);
        assert!(limits(low).0.abs() < 1e-9 && limits(high).1.abs() < 1e-9);
        assert!(low < 0.625 && 0.625 < high);
        // Without a gap there is no share of it.
        let same = [[(4, 3), (4, 1), (4, 1)], [(4, 2), (4, 2), (4, 1)]];
        assert_eq!(
            gap_closures(Some(&[0, 2]), &same, 0.95, Watch::nobody())[0].effect.reason,
            Some(NO_GAP)
        );
    }

    #[test]
    fn clusters_of_one_group_are_shuffled_and_of_both_flipped() {
        let first = |t: u64, b: u64| [(2, t), (2, b), (0, 0), (0, 0)];
        let second = |t: u64, b: u64| [(0, 0), (0, 0), (2, t), (2, b)];
        let nested = [first(2, 0), first(2, 1), second(1, 1), second(0, 1)];
        let found = differences_in_differences(Some(&[0, 4]), &nested, &OPTIONS)[0];
        assert!((found.effect.estimate.unwrap() - 1.0).abs() < 1e-15);
        // Differences 1 and 1/2 against 0 and -1/2: the most of six splits, and the least.
        assert!((found.test.unwrap().0.p - 2.0 / 6.0).abs() < 1e-14);
        assert_eq!(found.test_method, Some("permutation"));
        let crossed = [[(2, 2), (2, 0), (2, 1), (2, 1)], [(2, 2), (2, 1), (2, 0), (2, 1)]];
        let found = differences_in_differences(Some(&[0, 2]), &crossed, &OPTIONS)[0];
        assert!((found.test.unwrap().0.p - 0.5).abs() < 1e-14);
        assert_eq!(found.test_method, Some("flip"));
    }
}
