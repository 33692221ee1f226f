//! Paired comparison of two arms, one cell or many at once.

use rayon::prelude::*;

use crate::distributions::normal_quantile;
use crate::infer::permutation::{self, ShuffledClusters};
use crate::infer::{PValue, sign};
use crate::intervals::{
    Moments, Quantiles, Spread, around, ratio_limits, residual_products, square_and_add, wilson,
};
use crate::plan::{DifferenceMethod, Interval, NO_PAIRS, ONE_CLUSTER, ONE_TRIAL, Plan, named};
use crate::proportions::{self, Effect, NO_DISCORDANT, NO_SUCCESS, NONE_AGAINST, PairTable};
use crate::rate::{cells, drawn, independent, percentile};
use crate::resample::bootstrap::{Group, Unit, group, replay_cpython};
use crate::watch::Watch;

/// Chance with which a detectable difference is found.
const POWER: f64 = 0.8;

/// The pairs of a cluster, or of a whole cell of independent pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairs {
    /// Number of pairs.
    pub pairs: u64,
    /// Successes of the treatment.
    pub treatment: u64,
    /// Successes of the baseline.
    pub baseline: u64,
    /// Pairs in which only the treatment succeeds.
    pub treatment_only: u64,
}

impl Pairs {
    /// Whether the counts can come from pairs at all.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        let union = self.baseline.checked_add(self.treatment_only);
        self.treatment_only <= self.treatment
            && union.is_some_and(|union| self.treatment <= union && union <= self.pairs)
    }

    fn baseline_only(&self) -> u64 {
        (self.treatment_only + self.baseline).saturating_sub(self.treatment)
    }

    /// Successes of the treatment minus those of the baseline.
    #[must_use]
    pub fn difference(&self) -> i64 {
        self.treatment.cast_signed() - self.baseline.cast_signed()
    }

    /// Pairs in which the arms differ.
    #[must_use]
    pub fn discordant(&self) -> u64 {
        self.treatment_only.saturating_add(self.baseline_only())
    }

    /// Difference of the two rates.
    fn mean(&self) -> f64 {
        self.difference() as f64 / self.pairs as f64
    }

    fn sum<'a>(pairs: impl IntoIterator<Item = &'a Self>) -> Self {
        let empty = Self { pairs: 0, treatment: 0, baseline: 0, treatment_only: 0 };
        pairs.into_iter().fold(empty, |sum, next| Self {
            pairs: sum.pairs + next.pairs,
            treatment: sum.treatment + next.treatment,
            baseline: sum.baseline + next.baseline,
            treatment_only: sum.treatment_only + next.treatment_only,
        })
    }
}

/// How clusters speak: which way each of them leans, and the tests over them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClusterTests {
    /// Clusters in which the treatment does better.
    pub positive: u64,
    /// Clusters in which the baseline does better.
    pub negative: u64,
    /// Clusters without a difference.
    pub tied: u64,
    /// Exact two-sided sign test over clusters; nothing without a pair.
    pub sign_p: Option<PValue>,
    /// Exact two-sided permutation test, labels shuffled within clusters; likewise.
    pub permutation_p: Option<PValue>,
    /// Exact two-sided permutation test, signs of clusters' differences flipped; likewise.
    pub flip_p: Option<PValue>,
    /// Cluster-robust standard error of the difference (CR2); nothing with one cluster.
    pub standard_error: Option<f64>,
}

/// What of the two rates the interval is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Treatment minus baseline.
    Difference,
    /// Treatment over baseline.
    Ratio,
    /// Discordant pairs for the treatment over those for the baseline: the odds ratio given
    /// the pair.
    OddsRatio,
}

named!(Measure { Difference => "difference", Ratio => "ratio", OddsRatio => "odds-ratio" });

/// A paired comparison.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// Counts over the whole cell.
    pub total: Pairs,
    /// Pairs in which only the baseline succeeds.
    pub baseline_only: u64,
    /// The effect of treatment against baseline.
    pub effect: Effect,
    /// How its interval came to be.
    pub interval: Interval,
    /// Exact two-sided McNemar test over pairs; nothing without a pair.
    pub mcnemar_p: Option<PValue>,
    /// Standard error of the difference that takes pairs as independent; nothing with one pair.
    pub standard_error: Option<f64>,
    /// Difference that a study like this one would find at this level with a power of 80 %;
    /// nothing where nothing varies.
    pub detectable: Option<f64>,
    /// Cluster-level results, where there are clusters.
    pub clusters: Option<ClusterTests>,
}

/// Comparisons of cells of independent pairs. Of measures other than the difference there is one
/// interval, whatever the plan's method.
#[must_use]
pub fn of_pairs(all: &[Pairs], measure: Measure, plan: &Plan<DifferenceMethod>) -> Vec<Comparison> {
    let quantiles = Quantiles::new(plan.tail());
    all.par_iter()
        .with_min_len(16)
        .map_with(quantiles, |quantiles, cell| {
            finish(*cell, None, plan, || match measure {
                Measure::Difference => difference_of_pairs(cell, plan, quantiles).into(),
                Measure::Ratio => {
                    ratio(cell, &arms_of_pairs(cell, quantiles.normal()), "square-and-add")
                }
                Measure::OddsRatio => odds_ratio(cell, "wilson", || {
                    Some(((cell.treatment_only + cell.baseline_only()) as f64, quantiles.normal()))
                }),
            })
        })
        .collect()
}

fn difference_of_pairs(
    cell: &Pairs,
    plan: &Plan<DifferenceMethod>,
    quantiles: &mut Quantiles,
) -> Interval {
    match plan.method {
        DifferenceMethod::Auto => {
            let limits = proportions::newcombe(&table(cell), quantiles.normal());
            Interval::closed_form(limits, "newcombe")
        }
        DifferenceMethod::T => match independent_error(cell) {
            Some(error) => {
                let half = quantiles.student((cell.pairs - 1) as f64) * error;
                Interval::closed_form(around(cell.mean(), half, (-1.0, 1.0)), "t")
            }
            None => Interval::missing("none", ONE_TRIAL),
        },
        DifferenceMethod::Percentile => percentile(&differences(cell), plan),
    }
}

/// Comparisons of cells of clusters of pairs; `offsets` holds the bounds of each cell in
/// `clusters`. Clusters without a pair do not count. Measures as in [`of_pairs`].
#[must_use]
pub fn of_clusters(
    offsets: &[usize],
    clusters: &[Pairs],
    measure: Measure,
    plan: &Plan<DifferenceMethod>,
) -> Vec<Comparison> {
    let quantiles = Quantiles::new(plan.tail());
    let slices: Vec<&[Pairs]> = cells(offsets, clusters).collect();
    plan.watch.cells(slices, quantiles, |quantiles, cell| {
        let cell: Vec<Pairs> = cell.iter().filter(|c| c.pairs > 0).copied().collect();
        let total = Pairs::sum(&cell);
        let tests = cluster_tests(&cell, &total, plan.watch);
        finish(total, Some(tests), plan, || match measure {
            _ if cell.len() == 1 => Interval::missing("none", ONE_CLUSTER).into(),
            Measure::Difference => {
                difference_of_clusters(&cell, &total, &tests, plan, quantiles).into()
            }
            Measure::Ratio => {
                ratio(&total, &arms_of_clusters(&cell, quantiles), "square-and-add-clustered")
            }
            Measure::OddsRatio => odds_ratio(&total, "wilson-effective", || {
                let some = cell.iter().filter(|c| c.treatment_only + c.baseline_only() > 0);
                let some = some.map(|c| (c.treatment_only, c.treatment_only + c.baseline_only()));
                let mut moments = Moments::default();
                some.clone().for_each(|(hits, trials)| moments.add(hits, trials));
                (moments.clusters > 1)
                    .then(|| (quantiles.shrunk(moments.worth(some)), quantiles.normal()))
            }),
        })
    })
}

fn difference_of_clusters(
    cell: &[Pairs],
    total: &Pairs,
    tests: &ClusterTests,
    plan: &Plan<DifferenceMethod>,
    quantiles: &mut Quantiles,
) -> Interval {
    match plan.method {
        DifferenceMethod::Auto => {
            let Arms { treatment, baseline, correlation } = arms_of_clusters(cell, quantiles);
            let limits = square_and_add(treatment, baseline, correlation);
            Interval::closed_form(limits, "square-and-add")
        }
        DifferenceMethod::T => {
            let (difference, half) = cluster_t(cell, total, tests, quantiles);
            Interval::closed_form(around(difference, half, (-1.0, 1.0)), "t-clustered")
        }
        DifferenceMethod::Percentile => {
            let units = cell.iter().map(|c| Unit { sum: c.difference(), size: c.pairs });
            percentile(&group(units), plan)
        }
    }
}

/// Both rates with limits of their own, and how they are correlated.
struct Arms {
    treatment: (f64, (f64, f64)),
    baseline: (f64, (f64, f64)),
    correlation: f64,
}

fn ratio(total: &Pairs, arms: &Arms, method: &'static str) -> Found {
    if total.treatment + total.baseline == 0 {
        return Found::Effect(Effect::missing(NO_SUCCESS), "none");
    }
    let limits = ratio_limits(arms.treatment, arms.baseline, arms.correlation);
    let estimate = total.treatment as f64 / total.baseline as f64;
    Found::Effect(Effect::ratio(estimate, limits, NO_SUCCESS), method)
}

/// From Wilson's interval of the share that the treatment has of discordant pairs, at a number
/// of them that is given together with the normal quantile.
fn odds_ratio(
    total: &Pairs,
    method: &'static str,
    worth: impl FnOnce() -> Option<(f64, f64)>,
) -> Found {
    let (b, c) = (total.treatment_only, total.baseline_only());
    if b + c == 0 {
        return Found::Effect(Effect::missing(NO_DISCORDANT), "none");
    }
    let estimate = b as f64 / c as f64;
    let Some((size, quantile)) = worth() else {
        let estimate = Some(estimate).filter(|estimate| estimate.is_finite());
        let effect = Effect { estimate, ..Effect::missing(ONE_DISCORDANT) };
        return Found::Effect(effect, "none");
    };
    let share = b as f64 / (b + c) as f64;
    let limits = proportions::wilson_odds((share * size, (1.0 - share) * size), quantile);
    Found::Effect(Effect::ratio(estimate, limits, NONE_AGAINST), method)
}

/// Reason of an odds ratio from clusters of which one alone holds all discordant pairs.
pub const ONE_DISCORDANT: &str = "one cluster with discordant pairs";

/// Comparisons of cells of pairs in row order with the replayed harness's interval; a pair is
/// its outcomes in treatment and baseline, 0 or 1, `offsets` as in [`of_clusters`].
#[must_use]
pub fn of_sequences(
    offsets: &[usize],
    treatment: &[i8],
    baseline: &[i8],
    plan: &Plan<DifferenceMethod>,
) -> Vec<Comparison> {
    let arms: Vec<(&[i8], &[i8])> =
        cells(offsets, treatment).zip(cells(offsets, baseline)).collect();
    plan.watch.cells(arms, (), |(), (treatment, baseline)| {
        let outcomes = || treatment.iter().zip(baseline);
        let hits = |arm: &[i8]| arm.iter().filter(|outcome| **outcome == 1).count() as u64;
        let total = Pairs {
            pairs: treatment.len().min(baseline.len()) as u64,
            treatment: hits(treatment),
            baseline: hits(baseline),
            treatment_only: outcomes().filter(|(t, b)| t > b).count() as u64,
        };
        finish(total, None, plan, || {
            let differences: Vec<i8> = outcomes().map(|(t, b)| t - b).collect();
            let limits = replay_cpython(&differences, plan);
            drawn(limits, plan, "percentile-cpython").into()
        })
    })
}

/// What was found of an effect.
enum Found {
    /// The interval of a difference.
    Difference(Interval),
    /// Another effect, and the method of its interval.
    Effect(Effect, &'static str),
}

impl From<Interval> for Found {
    fn from(interval: Interval) -> Self {
        Self::Difference(interval)
    }
}

fn finish(
    total: Pairs,
    clusters: Option<ClusterTests>,
    plan: &Plan<DifferenceMethod>,
    found: impl FnOnce() -> Found,
) -> Comparison {
    let baseline_only = total.baseline_only();
    let some = total.pairs > 0;
    let standard_error = independent_error(&total);
    let error = clusters.map_or(standard_error, |tests| tests.standard_error);
    let found = if some { found() } else { Interval::missing("none", NO_PAIRS).into() };
    let (effect, interval) = match found {
        Found::Difference(interval) => {
            let limits = interval.limits.unzip();
            let estimate = some.then(|| total.mean());
            let reason = interval.reason;
            (Effect { estimate, low: limits.0, high: limits.1, reason }, interval)
        }
        Found::Effect(effect, method) => {
            let limits = effect.low.zip(effect.high);
            (
                effect,
                Interval { limits, method, n_resamples: None, reason: effect.reason, errors: None },
            )
        }
    };
    Comparison {
        total,
        baseline_only,
        effect,
        interval,
        mcnemar_p: some.then(|| sign::test(total.treatment_only, baseline_only)),
        standard_error,
        detectable: error.and_then(|error| detectable(error, plan)),
        clusters,
    }
}

/// From the variance of the pairs' differences, each -1, 0 or 1, with n - 1.
fn independent_error(total: &Pairs) -> Option<f64> {
    let n = total.pairs;
    if n < 2 {
        return None;
    }
    let discordant = u128::from(total.treatment_only) + u128::from(total.baseline_only());
    let difference = u128::from(total.difference().unsigned_abs());
    // In whole numbers n Σd² - (Σd)², which identical differences make exactly zero.
    let spread = (u128::from(n) * discordant).saturating_sub(difference * difference) as f64;
    let n = n as f64;
    Some(libm::sqrt(spread / (n * n * (n - 1.0))))
}

fn cluster_error(cell: &[Pairs], total: &Pairs) -> Option<f64> {
    if cell.len() < 2 {
        return None;
    }
    let clusters = cell.iter().map(|c| (c.difference(), c.pairs));
    let spread = Spread::of(clusters, (total.difference(), total.pairs));
    Some(spread.map_or(0.0, |spread| libm::sqrt(spread.variance)))
}

fn cluster_tests(cell: &[Pairs], total: &Pairs, watch: &Watch) -> ClusterTests {
    let (some, difference) = (!cell.is_empty(), total.difference());
    let count = |wanted: fn(i64) -> bool| cell.iter().filter(|c| wanted(c.difference())).count();
    let (positive, negative) = (count(|d| d > 0) as u64, count(|d| d < 0) as u64);
    let mut kinds: Vec<(u64, u64)> =
        cell.iter().map(|c| (c.pairs, c.treatment + c.baseline)).collect();
    kinds.sort_unstable();
    let kinds: Vec<ShuffledClusters> = kinds
        .chunk_by(|a, b| a == b)
        .map(|run| ShuffledClusters {
            pairs: run[0].0,
            successes: run[0].1,
            count: run.len() as u64,
        })
        .collect();
    let mut sizes: Vec<u64> = cell.iter().map(|c| c.difference().unsigned_abs()).collect();
    sizes.sort_unstable();
    let sizes: Vec<(u64, u64)> =
        sizes.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect();
    ClusterTests {
        positive,
        negative,
        tied: cell.len() as u64 - positive - negative,
        sign_p: some.then(|| sign::test(positive, negative)),
        permutation_p: some
            .then(|| PValue::of_ln(permutation::ln_p_value(&kinds, difference, watch))),
        flip_p: some
            .then(|| PValue::of_ln(permutation::ln_flip_p_value(&sizes, difference, watch))),
        standard_error: cluster_error(cell, total),
    }
}

fn table(cell: &Pairs) -> PairTable {
    let (first_only, second_only) = (cell.treatment_only, cell.baseline_only());
    let both = cell.treatment - first_only;
    let neither = cell.pairs.saturating_sub(both + first_only + second_only);
    PairTable { both, first_only, second_only, neither }
}

fn arms_of_pairs(cell: &Pairs, quantile: f64) -> Arms {
    let table = table(cell);
    let [treatment, baseline] = table.rates(quantile);
    Arms { treatment, baseline, correlation: table.phi() }
}

/// The difference, and Student's t on equal clusters - 1 degrees of freedom times its
/// cluster-robust standard error.
fn cluster_t(
    cell: &[Pairs],
    total: &Pairs,
    tests: &ClusterTests,
    quantiles: &mut Quantiles,
) -> (f64, f64) {
    let mut sizes = Moments::default();
    for cluster in cell {
        sizes.add(0, cluster.pairs);
    }
    let t = quantiles.student(sizes.degrees());
    (total.mean(), t * tests.standard_error.unwrap_or(0.0))
}

/// Above 1 it is no difference of rates, and there is none.
fn detectable(standard_error: f64, plan: &Plan<DifferenceMethod>) -> Option<f64> {
    let difference = found_with_power(standard_error, plan.tail());
    (standard_error > 0.0 && difference <= 1.0).then_some(difference)
}

/// Standard error times the sum of both normal quantiles: Bloom (1995),
/// doi:10.1177/0193841X9501900504.
pub(crate) fn found_with_power(standard_error: f64, tail: f64) -> f64 {
    -(normal_quantile(tail) + normal_quantile(1.0 - POWER)) * standard_error
}

/// Wilson's intervals on effective sample sizes, with the correlation of the cluster residuals of
/// the two arms.
fn arms_of_clusters(cell: &[Pairs], quantiles: &mut Quantiles) -> Arms {
    let (mut treatment, mut baseline) = (Moments::default(), Moments::default());
    let mut products = 0;
    for cluster in cell {
        treatment.add(cluster.treatment, cluster.pairs);
        baseline.add(cluster.baseline, cluster.pairs);
        products += u128::from(cluster.treatment) * u128::from(cluster.baseline);
    }
    let covariance = residual_products(
        (treatment.successes, baseline.successes),
        treatment.trials,
        products,
        (treatment.cross, baseline.cross),
        treatment.trial_squares,
    );
    let spread = libm::sqrt(treatment.residual_squares() * baseline.residual_squares());
    let correlation = cluster_correlation(covariance, spread, treatment.equal_clusters());
    let worths = (
        treatment.worth(cell.iter().map(|c| (c.treatment, c.pairs))),
        baseline.worth(cell.iter().map(|c| (c.baseline, c.pairs))),
    );
    let mut limits = |arm: &Moments, worth| {
        (arm.rate(), wilson(arm.rate(), quantiles.shrunk(worth), quantiles.normal()))
    };
    Arms {
        treatment: limits(&treatment, worths.0),
        baseline: limits(&baseline, worths.1),
        correlation,
    }
}

/// Correlation of the arms over clusters, held down where it is positive: it would narrow the
/// interval, and few clusters say little about it (two are always perfectly correlated).
///
/// One half is taken off the sum of products, which for clusters of one pair is Newcombe's
/// correction, and the rest shrunk by 1 - 2 / K, where K counts equal clusters.
fn cluster_correlation(covariance: f64, spread: f64, clusters: f64) -> f64 {
    if spread <= 0.0 {
        return 0.0;
    }
    let held = if covariance > 0.0 {
        (covariance - 0.5).max(0.0) * (1.0 - 2.0 / clusters).max(0.0)
    } else {
        covariance
    };
    (held / spread).clamp(-1.0, 1.0)
}

fn differences(cell: &Pairs) -> Vec<Group> {
    let (plus, minus) = (cell.treatment_only, cell.baseline_only());
    independent([(-1, minus), (0, cell.pairs.saturating_sub(plus + minus)), (1, plus)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Resampler;

    static AUTO: Plan<DifferenceMethod> = Plan {
        method: DifferenceMethod::Auto,
        resampler: Resampler::Auto,
        confidence_level: 0.95,
        n_resamples: 1000,
        seed: 0,
        watch: Watch::nobody(),
    };

    #[test]
    fn identical_arms_show_nothing() {
        let pairs = Pairs { pairs: 3, treatment: 2, baseline: 2, treatment_only: 0 };
        let cell = [pairs; 5];
        let result = of_clusters(&[0, 5], &cell, Measure::Difference, &AUTO)[0];
        let tests = result.clusters.unwrap();
        let sure = Some(PValue { p: 1.0, ln: 0.0 });
        assert_eq!(result.mcnemar_p, sure);
        assert_eq!((tests.sign_p, tests.permutation_p, tests.tied), (sure, sure, 5));
        let (low, high) = result.interval.limits.unwrap();
        assert!(low < 0.0 && high > 0.0);
    }

    #[test]
    fn swapping_the_arms_mirrors_the_result() {
        let cell: Vec<Pairs> = (0..12)
            .map(|i| Pairs { pairs: 3, treatment: i % 4, baseline: i % 3, treatment_only: i % 4 })
            .collect();
        let swapped: Vec<Pairs> = cell
            .iter()
            .map(|c| Pairs {
                pairs: c.pairs,
                treatment: c.baseline,
                baseline: c.treatment,
                treatment_only: c.baseline_only(),
            })
            .collect();
        for method in [DifferenceMethod::Auto, DifferenceMethod::Percentile] {
            let plan = Plan { method, ..AUTO };
            let (a, b) = (
                of_clusters(&[0, 12], &cell, Measure::Difference, &plan)[0],
                of_clusters(&[0, 12], &swapped, Measure::Difference, &plan)[0],
            );
            let ((a_low, a_high), (b_low, b_high)) =
                (a.interval.limits.unwrap(), b.interval.limits.unwrap());
            assert!((a_low + b_high).abs() < 1e-14 && (a_high + b_low).abs() < 1e-14);
            assert_eq!(a.clusters.unwrap().permutation_p, b.clusters.unwrap().permutation_p);
        }
    }

    #[test]
    fn no_pairs_have_a_reason() {
        let none = Pairs { pairs: 0, treatment: 0, baseline: 0, treatment_only: 0 };
        let result = of_pairs(&[none], Measure::Difference, &AUTO)[0];
        assert_eq!((result.interval.reason, result.mcnemar_p), (Some(NO_PAIRS), None));
        let tests = of_clusters(&[0, 1], &[none], Measure::Difference, &AUTO)[0].clusters.unwrap();
        assert_eq!((tests.tied, tests.sign_p, tests.permutation_p), (0, None, None));
    }
}
