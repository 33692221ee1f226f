//! Two independent groups compared by their mean scores, one cell or many at once.

use super::{Tested, how};
use crate::compare::found_with_power;
use crate::distributions::ln_student_t_upper;
use crate::groups::{Clusters, SHARED};
use crate::infer::PValue;
use crate::infer::fisher::Alternative;
use crate::infer::labels::{Stratum, shuffle};
use crate::infer::ranks::{RankMethod, Ranked, rank_sum};
use crate::infer::scores::Units;
use crate::intervals::Quantiles;
use crate::mean::{Mean, bounds, further, of_dependent, of_independent, skew, sorted, sum};
use crate::plan::{
    Design, Interval, MeanMethod, NO_TRIALS_OF, NO_VARIATION, Plan, TOO_LARGE, named, no_trials,
};
use crate::rate::cells;

/// How the interval of a difference of independent means is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupMethod {
    /// The interval that covers: Welch's, and further on the side of a long tail.
    Auto,
    /// Welch's: Student's t on Satterthwaite's degrees of freedom.
    Welch,
}

named!(GroupMethod { Auto => "auto", Welch => "welch" });

/// Two groups of scores compared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Groups {
    /// The treatment's mean and spread.
    pub treatment: Mean,
    /// The baseline's mean and spread.
    pub baseline: Mean,
    /// Numbers of clusters, where there are clusters.
    pub clusters: Option<Clusters>,
    /// Difference of the means.
    pub difference: Option<f64>,
    /// Its standard error that takes trials as independent.
    pub standard_error: Option<f64>,
    /// Its standard error that takes clusters as the unit.
    pub clustered_error: Option<f64>,
    /// Difference that a study like this one would find at this level with a power of 80 %.
    pub detectable: Option<f64>,
    /// Interval of the difference.
    pub interval: Interval,
    /// Welch's t test, over clusters where there are clusters.
    pub welch_p: Option<PValue>,
    /// Mann and Whitney's test over trials.
    pub mann_whitney: Option<Ranked>,
    /// Permutation test, labels of trials or of whole clusters shuffled; nothing if a cluster is
    /// in both arms.
    pub permutation_p: Option<Tested>,
}

/// Scores of both arms, in any order, and how many of each arm a cell, or a cluster, has.
#[derive(Clone, Copy, Debug)]
pub struct Arms<'a> {
    /// Scores of the treatment and of the baseline.
    pub scores: [&'a [f64]; 2],
    /// Numbers of scores of each cell, or of each cluster.
    pub lengths: [&'a [u64]; 2],
    /// Bounds of cells among clusters, where there are clusters.
    pub clusters: Option<&'a [usize]>,
}

/// Comparisons of cells. Clusters without a score do not count.
#[must_use]
pub fn of_cells(arms: Arms, plan: &Plan<GroupMethod>) -> Vec<Groups> {
    let ends = arms.lengths.map(bounds);
    let parts = ends[0].len().min(ends[1].len()).saturating_sub(1);
    let alone: Vec<usize> = (0..=parts).collect();
    let slices: Vec<&[usize]> = arms.clusters.unwrap_or(&alone).windows(2).collect();
    plan.watch.cells(slices, Quantiles::new(plan.tail()), |quantiles, cell| {
        // Bounds of the cell's clusters; of a cell itself, where there are none.
        let own = [0, 1].map(|arm| ends[arm].get(cell[0]..=cell[1]).unwrap_or_default());
        let split = [0, 1].map(|arm| cells(own[arm], arms.scores[arm]).collect::<Vec<_>>());
        of_cell(&split, arms.clusters.is_some(), plan, quantiles)
    })
}

fn of_cell(
    split: &[Vec<&[f64]>; 2],
    clustered: bool,
    plan: &Plan<GroupMethod>,
    quantiles: &mut Quantiles,
) -> Groups {
    let all: [Vec<f64>; 2] = [0, 1].map(|arm| split[arm].concat());
    let own = Plan {
        method: MeanMethod::Auto,
        resampler: plan.resampler,
        confidence_level: plan.confidence_level,
        n_resamples: plan.n_resamples,
        seed: plan.seed,
        watch: plan.watch,
    };
    let [treatment, baseline] = [0, 1].map(|arm| {
        if clustered {
            of_dependent(split[arm].iter().copied(), Design::default(), &own, quantiles)
        } else {
            of_independent(&all[arm], &own, quantiles)
        }
    });
    let both = !(all[0].is_empty() || all[1].is_empty());
    let difference = treatment.estimate.zip(baseline.estimate).map(|(a, b)| a - b);
    let of_errors = |error: fn(&Mean) -> Option<f64>| {
        let errors = error(&treatment).zip(error(&baseline));
        errors.map(|(a, b)| libm::hypot(a, b)).filter(|error| error.is_finite())
    };
    let standard_error = of_errors(|mean| mean.standard_error);
    let clustered_error = of_errors(|mean| mean.clustered_error);
    let clusters = clustered.then(|| counted(split));
    let shared = clusters.is_some_and(|clusters| clusters.shared > 0);
    let error = of_errors(own_error).filter(|error| *error > 0.0);
    let of_arms = [0, 1].map(|arm| degrees(&split[arm], clustered));
    let welch = error.map(|error| {
        let errors = [&treatment, &baseline].map(|mean| own_error(mean).unwrap_or(0.0) / error);
        (error, satterthwaite(errors, of_arms))
    });
    let arms = [(&treatment, of_arms[0]), (&baseline, of_arms[1])];
    let mut interval = interval(arms, difference, welch, plan, quantiles);
    if shared && interval.limits.is_some() {
        interval.reason = Some(SHARED);
    }
    let detectable = error.map(|error| found_with_power(error, plan.tail()));
    let (two_sided, auto) = (Alternative::TwoSided, RankMethod::Auto);
    let ranked = || rank_sum(&all[0], &all[1], two_sided, auto, plan.watch);
    let permuted = || {
        let (stratum, slack) =
            if clustered { of_clusters(split)? } else { stratum(&all.concat(), all[0].len()) };
        shuffle(vec![stratum], slack, &how(plan))
    };
    Groups {
        treatment,
        baseline,
        clusters,
        difference: difference.filter(|difference| difference.is_finite()),
        standard_error,
        clustered_error,
        detectable: detectable.filter(|found| found.is_finite()),
        interval,
        welch_p: difference.zip(welch).map(|(difference, (error, degrees))| {
            let tail = ln_student_t_upper(difference.abs() / error, degrees);
            PValue::of_ln(tail + std::f64::consts::LN_2)
        }),
        mann_whitney: if both { ranked() } else { None },
        permutation_p: if both && !shared { permuted().map(Tested::of) } else { None },
    }
}

/// Welch (1947), doi:10.1093/biomet/34.1-2.28, after Satterthwaite (1946), doi:10.2307/3002019;
/// the errors as shares of that of the difference.
fn satterthwaite(errors: [f64; 2], degrees: [f64; 2]) -> f64 {
    let part = |arm: usize| libm::pow(errors[arm], 4.0) / degrees[arm];
    1.0 / (part(0) + part(1))
}

/// Equal units less one, at least one.
fn degrees(parts: &[&[f64]], clustered: bool) -> f64 {
    let sizes = parts.iter().map(|part| part.len() as f64);
    let (total, squares) = sizes.fold((0.0, 0.0), |(total, squares), size| {
        (total + size, squares + if clustered { size * size } else { size })
    });
    (total * total / squares - 1.0).max(1.0)
}

fn interval(
    arms: [(&Mean, f64); 2],
    difference: Option<f64>,
    welch: Option<(f64, f64)>,
    plan: &Plan<GroupMethod>,
    quantiles: &mut Quantiles,
) -> Interval {
    let (Some(difference), Some((error, degrees))) = (difference, welch) else {
        let trials = arms.map(|(mean, _)| mean.trials);
        if let Some(reason) = no_trials(trials, NO_TRIALS_OF) {
            return Interval::missing("none", reason);
        }
        let reasons = arms.map(|(mean, _)| mean.interval.reason);
        let other = reasons.into_iter().flatten().find(|reason| *reason != NO_VARIATION);
        return Interval::missing("none", other.unwrap_or(NO_VARIATION));
    };
    let clustered = arms[0].0.clusters.is_some();
    let t = quantiles.student(degrees);
    let ((down, up), names) = match plan.method {
        GroupMethod::Auto => {
            // Third moments of independent means are subtracted.
            let [up, down] =
                arms.map(|(mean, of)| skew(skewness(mean, error), of + 1.0, quantiles.normal()));
            let more = up - down;
            (further(t, more), ["welch-skewed", "welch-skewed-clustered"])
        }
        GroupMethod::Welch => ((t, t), ["welch", "welch-clustered"]),
    };
    let limits = (difference - down * error, difference + up * error);
    let name = names[usize::from(clustered)];
    if limits.0.is_finite() && limits.1.is_finite() {
        Interval::closed_form(limits, name)
    } else {
        Interval::missing(name, TOO_LARGE)
    }
}

/// The standard error of a mean, over clusters where there are clusters.
fn own_error(mean: &Mean) -> Option<f64> {
    if mean.clusters.is_some() { mean.clustered_error } else { mean.standard_error }
}

/// An arm's part of the skewness of the difference, by its third moment.
fn skewness(mean: &Mean, error: f64) -> f64 {
    libm::pow(own_error(mean).unwrap_or(0.0) / error, 3.0) * mean.skewness.unwrap_or(0.0)
}

fn counted(split: &[Vec<&[f64]>; 2]) -> Clusters {
    let count = |some: fn(bool, bool) -> bool| {
        let pairs = split[0].iter().zip(&split[1]);
        pairs.filter(|(a, b)| some(!a.is_empty(), !b.is_empty())).count() as u64
    };
    Clusters {
        treatment: count(|treatment, _| treatment),
        baseline: count(|_, baseline| baseline),
        shared: count(|treatment, baseline| treatment && baseline),
    }
}

/// Scores of which the first so many are the treatment's, and within what sums of them are equal.
fn stratum(scores: &[f64], first: usize) -> (Stratum, i128) {
    let Units { values, slack, .. } = Units::of(scores);
    let (first, second) = values.split_at(first);
    (Stratum { first: first.to_vec(), second: second.to_vec() }, slack)
}

/// A cluster's score is what its sum is above its share at the mean of all scores, so that with
/// clusters of one size the statistic is the difference of the means; nothing where scores are too
/// large to add up.
fn of_clusters(split: &[Vec<&[f64]>; 2]) -> Option<(Stratum, i128)> {
    let some = |arm: usize| split[arm].iter().copied().filter(|cluster| !cluster.is_empty());
    let (clusters, first) = (some(0).chain(some(1)).collect::<Vec<_>>(), some(0).count());
    let all = clusters.concat();
    let units = Units::of(&all);
    if units.shared()
        && let Some(scores) = whole(&units.values, &clusters)
    {
        let (first, second) = scores.split_at(first);
        return Some((Stratum { first: first.to_vec(), second: second.to_vec() }, 0));
    }
    let mean = sum(sorted(&all).into_iter()) / all.len() as f64;
    let above = |cluster: &&[f64]| sum(sorted(cluster).into_iter()) - cluster.len() as f64 * mean;
    let scores: Vec<f64> = clusters.iter().map(above).collect();
    scores.iter().all(|score| score.is_finite()).then(|| stratum(&scores, first))
}

/// The same in whole numbers, which tie where they should.
fn whole(values: &[i64], clusters: &[&[f64]]) -> Option<Vec<i64>> {
    let mut rest = values.iter().map(|value| i128::from(*value));
    let total: i128 = rest.clone().sum();
    let size = values.len() as i128;
    let score = |cluster: &&[f64]| {
        let own: i128 = rest.by_ref().take(cluster.len()).sum();
        let above =
            own.checked_mul(size)?.checked_sub(total.checked_mul(cluster.len() as i128)?)?;
        i64::try_from(above).ok().filter(|above| above.unsigned_abs() < MOST)
    };
    clusters.iter().map(score).collect()
}

/// Scores of clusters of which differences fit.
const MOST: u64 = 1 << 61;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{NO_TRIALS, ONE_CLUSTER, Resampler};
    use crate::watch::Watch;

    fn one(arms: Arms, method: GroupMethod) -> Groups {
        let plan = Plan {
            method,
            resampler: Resampler::Auto,
            confidence_level: 0.95,
            n_resamples: 99,
            seed: 0,
            watch: Watch::nobody(),
        };
        of_cells(arms, &plan)[0]
    }

    #[test]
    fn welch_is_right_by_hand() {
        let (a, b) = ([5.0, 6.0, 7.0, 6.0], [3.0, 5.0, 2.0, 4.0, 1.0]);
        let arms = Arms { scores: [&a, &b], lengths: [&[4], &[5]], clusters: None };
        let found = one(arms, GroupMethod::Welch);
        // Variances 2/3 and 5/2 over 4 and 5.
        let (v, w) = (2.0 / 12.0, 0.5);
        let degrees = (v + w) * (v + w) / (v * v / 3.0 + w * w / 4.0);
        assert!((found.standard_error.unwrap() - libm::sqrt(v + w)).abs() < 1e-14);
        let tail = ln_student_t_upper(3.0 / libm::sqrt(v + w), degrees);
        let expected = libm::exp(tail) * 2.0;
        assert!((found.welch_p.unwrap().p - expected).abs() < 1e-14);
        // 9 choose 4 splits.
        let ways = found.permutation_p.unwrap().p.p * 126.0;
        assert!((ways - libm::round(ways)).abs() < 1e-9);
    }

    #[test]
    fn clusters_are_shuffled_whole() {
        let (a, b) = ([4.0, 4.0, 2.0, 2.0], [3.0, 3.0, 1.0, 1.0]);
        let lengths: [&[u64]; 2] = [&[2, 2, 0, 0], &[0, 0, 2, 2]];
        let arms = Arms { scores: [&a, &b], lengths, clusters: Some(&[0, 4]) };
        let found = one(arms, GroupMethod::Auto);
        assert!((found.permutation_p.unwrap().p.p - 4.0 / 6.0).abs() < 1e-14);
        assert_eq!(found.clusters, Some(Clusters { treatment: 2, baseline: 2, shared: 0 }));
    }

    #[test]
    fn arms_without_scores_or_clusters_say_so() {
        let a = [1.0, 2.0];
        // Whatever else is to say of the other arm.
        let cases: [(usize, usize, &str); 4] = [
            (2, 0, NO_TRIALS_OF[1]),
            (1, 0, NO_TRIALS_OF[1]),
            (0, 1, NO_TRIALS_OF[0]),
            (0, 0, NO_TRIALS),
        ];
        for (n, m, reason) in cases {
            let arms = Arms {
                scores: [&a[..n], &a[..m]],
                lengths: [&[n as u64], &[m as u64]],
                clusters: None,
            };
            let found = one(arms, GroupMethod::Auto);
            assert_eq!((found.interval.reason, found.permutation_p), (Some(reason), None));
        }
        let arms = Arms { scores: [&a, &a], lengths: [&[2], &[2]], clusters: Some(&[0, 1]) };
        let found = one(arms, GroupMethod::Auto);
        assert_eq!((found.interval.reason, found.permutation_p), (Some(ONE_CLUSTER), None));
    }
}
