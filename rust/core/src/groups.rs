//! Independent groups of trials: two arms compared, one cell or many at once.

use rayon::prelude::*;

use crate::infer::fisher::{self, Alternative};
use crate::infer::labels::{Counting, How, Stratum, shuffle};
use crate::infer::p_value;
use crate::intervals::{Moments, Quantiles, square_and_add, wilson};
use crate::plan::{Interval, NO_TRIALS, ONE_CLUSTER, tail};
use crate::rate::{Count, cells};

/// Trials of both arms, of a cell or of one of its clusters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Arms {
    /// Trials and successes of the treatment.
    pub treatment: (u64, u64),
    /// Trials and successes of the baseline.
    pub baseline: (u64, u64),
}

/// Clusters of both arms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clusters {
    /// With a trial of the treatment.
    pub treatment: u64,
    /// With a trial of the baseline.
    pub baseline: u64,
    /// With both.
    pub shared: u64,
}

/// Two groups compared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Groups {
    /// The treatment's trials.
    pub treatment: Count,
    /// The baseline's trials.
    pub baseline: Count,
    /// Numbers of clusters, where there are clusters.
    pub clusters: Option<Clusters>,
    /// Interval of the difference of the rates, treatment minus baseline.
    pub interval: Interval,
    /// Exact two-sided Fisher test over trials; nothing if an arm has none.
    pub fisher_p: Option<f64>,
    /// Two-sided permutation test, labels of whole clusters shuffled; nothing without clusters in
    /// both arms, or if any is in both.
    pub permutation_p: Option<f64>,
    /// How many draws that is from; nothing where it is exact.
    pub n_resamples: Option<u32>,
}

/// Reason of a permutation test that is not made.
pub const SHARED: &str = "clusters in both arms cannot be shuffled between them";

/// What a comparison depends on besides the data.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Two-sided confidence level.
    pub confidence_level: f64,
    /// Number of draws of a permutation test that cannot be exact.
    pub n_resamples: u32,
    /// Their seed.
    pub seed: u64,
}

/// Comparisons of cells of independent trials.
#[must_use]
pub fn of_trials(all: &[Arms], options: &Options) -> Vec<Groups> {
    let normal = Quantiles::new(tail(options.confidence_level)).normal();
    all.par_iter()
        .with_min_len(16)
        .map(|arms| {
            finish(*arms, None, || {
                let limits = |(trials, hits): (u64, u64)| {
                    let (p, n) = (hits as f64 / trials as f64, trials as f64);
                    (p, wilson(p, n, normal))
                };
                let (p, q) = (limits(arms.treatment), limits(arms.baseline));
                (Interval::closed_form(square_and_add(p, q, 0.0), "newcombe-hybrid"), None)
            })
        })
        .collect()
}

/// Comparisons of cells of clusters; `offsets` holds the bounds of each cell in `clusters`.
#[must_use]
pub fn of_clusters(offsets: &[usize], clusters: &[Arms], options: &Options) -> Vec<Groups> {
    let quantiles = Quantiles::new(tail(options.confidence_level));
    let slices: Vec<&[Arms]> = cells(offsets, clusters).collect();
    slices
        .into_par_iter()
        .map_with(quantiles, |quantiles, cell| {
            let add = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
            let total = cell.iter().fold(Arms::default(), |sum, next| Arms {
                treatment: add(sum.treatment, next.treatment),
                baseline: add(sum.baseline, next.baseline),
            });
            let count = |some: fn(&Arms) -> bool| cell.iter().filter(|c| some(c)).count() as u64;
            let counts = Clusters {
                treatment: count(|c| c.treatment.0 > 0),
                baseline: count(|c| c.baseline.0 > 0),
                shared: count(|c| c.treatment.0 > 0 && c.baseline.0 > 0),
            };
            finish(total, Some(counts), || {
                let test = if counts.shared == 0 { permuted(cell, &total, options) } else { None };
                let interval = if counts.treatment.min(counts.baseline) < 2 {
                    Interval::missing("none", ONE_CLUSTER)
                } else {
                    let p = limits(cell.iter().map(|c| c.treatment), quantiles);
                    let q = limits(cell.iter().map(|c| c.baseline), quantiles);
                    let limits = square_and_add(p, q, 0.0);
                    let reason = (counts.shared > 0).then_some(SHARED);
                    let interval = Interval::closed_form(limits, "newcombe-hybrid-effective");
                    Interval { reason, ..interval }
                };
                (interval, test)
            })
        })
        .collect()
}

/// A rate with Wilson's limits on its effective sample size.
fn limits(
    clusters: impl Iterator<Item = (u64, u64)> + Clone,
    quantiles: &mut Quantiles,
) -> (f64, (f64, f64)) {
    let some = clusters.filter(|(trials, _)| *trials > 0).map(|(trials, hits)| (hits, trials));
    let mut moments = Moments::default();
    some.clone().for_each(|(hits, trials)| moments.add(hits, trials));
    let size = quantiles.shrunk(moments.worth(some));
    (moments.rate(), wilson(moments.rate(), size, quantiles.normal()))
}

/// Labels of whole clusters shuffled. A cluster's score is what it has more successes than its
/// share at the rate of all trials, so that with clusters of one size the statistic is the
/// difference of the rates.
fn permuted(cell: &[Arms], total: &Arms, options: &Options) -> Option<(f64, Option<u32>)> {
    let trials = i128::from(total.treatment.0 + total.baseline.0);
    let hits = i128::from(total.treatment.1 + total.baseline.1);
    let score = |(own_trials, own_hits): (u64, u64)| {
        (own_trials > 0)
            .then(|| i64::try_from(i128::from(own_hits) * trials - i128::from(own_trials) * hits))
    };
    let scores = |arm: fn(&Arms) -> (u64, u64)| -> Option<Vec<i64>> {
        cell.iter().filter_map(|cluster| score(arm(cluster))).map(Result::ok).collect()
    };
    let stratum = Stratum { first: scores(|c| c.treatment)?, second: scores(|c| c.baseline)? };
    let how = How {
        alternative: Alternative::TwoSided,
        counting: Counting::Auto,
        n_resamples: options.n_resamples,
        seed: options.seed,
    };
    shuffle(vec![stratum], 0, &how).map(|found| (p_value(found.ln_p), found.n_resamples))
}

fn finish(
    total: Arms,
    clusters: Option<Clusters>,
    found: impl FnOnce() -> (Interval, Option<(f64, Option<u32>)>),
) -> Groups {
    let count = |(trials, successes)| Count { trials, successes };
    let (treatment, baseline) = (count(total.treatment), count(total.baseline));
    let both = treatment.trials > 0 && baseline.trials > 0;
    let (interval, test) =
        if both { found() } else { (Interval::missing("none", NO_TRIALS), None) };
    let row = |arm: Count| [arm.successes, arm.trials - arm.successes];
    let table = [row(treatment), row(baseline)];
    Groups {
        treatment,
        baseline,
        clusters,
        interval,
        fisher_p: both.then(|| p_value(fisher::ln_p_value(table, Alternative::TwoSided))),
        permutation_p: test.map(|test| test.0),
        n_resamples: test.and_then(|test| test.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: Options = Options { confidence_level: 0.95, n_resamples: 999, seed: 0 };

    #[test]
    fn matches_printed_interval() {
        // Fagerland, Lydersen and Laake (2017), chapter 4: 7 of 34 against 1 of 34.
        let arms = Arms { treatment: (34, 7), baseline: (34, 1) };
        let (low, high) = of_trials(&[arms], &OPTIONS)[0].interval.limits.unwrap();
        assert!((low - 0.0189).abs() < 5e-5 && (high - 0.3404).abs() < 5e-5);
    }

    #[test]
    fn equal_clusters_are_permuted_as_sums() {
        let arm = |hits: u64, first: bool| {
            let (own, none) = ((4, hits), (0, 0));
            if first {
                Arms { treatment: own, baseline: none }
            } else {
                Arms { treatment: none, baseline: own }
            }
        };
        let cell = [arm(4, true), arm(2, true), arm(3, false), arm(1, false)];
        let found = of_clusters(&[0, 4], &cell, &OPTIONS)[0];
        assert!((found.permutation_p.unwrap() - 4.0 / 6.0).abs() < 1e-14);
        assert_eq!(found.clusters, Some(Clusters { treatment: 2, baseline: 2, shared: 0 }));
    }

    #[test]
    fn arms_without_trials_or_clusters_say_so() {
        let none = Arms { treatment: (3, 1), baseline: (0, 0) };
        let found = of_clusters(&[0, 1], &[none], &OPTIONS)[0];
        assert_eq!((found.interval.reason, found.fisher_p), (Some(NO_TRIALS), None));
        let shared = Arms { treatment: (3, 1), baseline: (2, 2) };
        let found = of_clusters(&[0, 1], &[shared], &OPTIONS)[0];
        assert_eq!((found.interval.reason, found.permutation_p), (Some(ONE_CLUSTER), None));
    }
}
