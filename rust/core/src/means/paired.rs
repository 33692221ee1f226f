//! Paired comparison of mean scores, one cell or many at once.

use super::{Signs, Tested, how, mean_of};
use crate::compare::found_with_power;
use crate::infer::fisher::Alternative;
use crate::infer::flips::flip;
use crate::infer::labels::{Stratum, shuffle_halves};
use crate::infer::ranks::{RankMethod, Ranked, Zeros, signed_rank};
use crate::infer::scores::Units;
use crate::infer::{PValue, sign};
use crate::intervals::Quantiles;
use crate::mean::{Mean, bounds, cells_of_clusters, of_dependent, of_independent, sum};
use crate::plan::{Design, Interval, MeanMethod, NO_PAIRS, NO_TRIALS, Plan};
use crate::rate::cells;

/// Scores of pairs, in whatever order; both slices are of one length.
#[derive(Clone, Copy, Debug)]
pub struct Pairs<'a> {
    /// Scores of the treatment.
    pub treatment: &'a [f64],
    /// Scores of the baseline.
    pub baseline: &'a [f64],
}

impl<'a> Pairs<'a> {
    fn part(self, start: usize, end: usize) -> Self {
        Self {
            treatment: self.treatment.get(start..end).unwrap_or_default(),
            baseline: self.baseline.get(start..end).unwrap_or_default(),
        }
    }

    fn both(self) -> impl Iterator<Item = (f64, f64)> + Clone + 'a {
        self.treatment.iter().copied().zip(self.baseline.iter().copied())
    }
}

/// Where the pairs of each cell are.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// Bounds of the cells among pairs, or among clusters.
    pub offsets: &'a [usize],
    /// Number of pairs of each cluster, where there are clusters.
    pub lengths: Option<&'a [u64]>,
}

/// A paired comparison of two means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// Mean score of the treatment over pairs.
    pub treatment: Option<f64>,
    /// Mean score of the baseline over pairs.
    pub baseline: Option<f64>,
    /// The mean difference, its spread and interval, over pairs and clusters.
    pub difference: Mean,
    /// Pearson's correlation of the scores of a pair; nothing where either does not vary.
    pub correlation: Option<f64>,
    /// Difference that a study like this one would find at this level with a power of 80 %;
    /// nothing where nothing varies.
    pub detectable: Option<f64>,
    /// Signs of the pairs' differences.
    pub pairs: Signs,
    /// Signs of the clusters' differences, where there are clusters.
    pub clusters: Option<Signs>,
    /// Exact two-sided sign test over clusters, or over pairs without any; nothing without a pair.
    pub sign_p: Option<PValue>,
    /// Permutation test, arms' labels shuffled within clusters; nothing without clusters.
    pub permutation_p: Option<Tested>,
    /// Permutation test, signs of clusters' or pairs' differences flipped.
    pub flip_p: Option<Tested>,
    /// Wilcoxon's signed-rank test over pairs.
    pub wilcoxon: Option<Ranked>,
}

/// Comparisons of cells. Clusters without a pair do not count.
#[must_use]
pub fn of_cells(layout: Layout, pairs: Pairs, plan: &Plan<MeanMethod>) -> Vec<Comparison> {
    each(layout, pairs, plan, |cell, clusters, quantiles| {
        let scored = Scored::of(cell);
        let difference = scored.mean(clusters, plan, quantiles);
        finish(cell, &scored, difference, clusters, plan)
    })
}

/// What is made of the pairs of each cell, and of the bounds of its clusters among them.
pub(super) fn each<T: Send>(
    layout: Layout,
    pairs: Pairs,
    plan: &Plan<MeanMethod>,
    make: impl Fn(Pairs, Option<&[usize]>, &mut Quantiles) -> T + Send + Sync,
) -> Vec<T> {
    let quantiles = Quantiles::new(plan.tail());
    let Some(lengths) = layout.lengths else {
        let slices: Vec<&[usize]> = layout.offsets.windows(2).collect();
        return plan.watch.cells(slices, quantiles, |quantiles, ends| {
            make(pairs.part(ends[0], ends[1]), None, quantiles)
        });
    };
    let bounds = bounds(lengths);
    let slices = cells_of_clusters(layout.offsets, &bounds);
    plan.watch.cells(slices, quantiles, |quantiles, bounds| {
        let start = bounds.first().copied().unwrap_or(0);
        let end = bounds.last().copied().unwrap_or(0);
        let own: Vec<usize> = bounds.iter().map(|bound| bound - start).collect();
        make(pairs.part(start, end), Some(&own), quantiles)
    })
}

/// A cell's scores as whole numbers, and its differences.
pub(super) struct Scored {
    units: Units,
    /// Whole numbers of the treatment's scores, then of the baseline's.
    values: (Vec<i64>, Vec<i64>),
    /// Differences in units, taken between whole numbers, so that equal ones are equal.
    steps: Vec<i64>,
    /// The same as scores.
    differences: Vec<f64>,
}

impl Scored {
    pub(super) fn of(cell: Pairs) -> Self {
        let pooled: Vec<f64> = cell.treatment.iter().chain(cell.baseline).copied().collect();
        let units = Units::of(&pooled);
        let (first, second) = units.values.split_at(cell.treatment.len());
        let values = (first.to_vec(), second.to_vec());
        let mut steps: Vec<i64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
        let differences = if units.shared() {
            steps.iter().map(|step| units.score(*step as f64)).collect()
        } else {
            let parted: Vec<f64> = cell.both().map(|(a, b)| a - b).collect();
            let differences = levelled(&parted, &pooled);
            for (step, difference) in steps.iter_mut().zip(&differences) {
                *step = if *difference == 0.0 { 0 } else { *step };
            }
            differences
        };
        Self { units, values, steps, differences }
    }

    /// The mean difference, with its interval.
    pub(super) fn mean(
        &self,
        clusters: Option<&[usize]>,
        plan: &Plan<MeanMethod>,
        quantiles: &mut Quantiles,
    ) -> Mean {
        let mut found = match clusters {
            None => of_independent(&self.differences, plan, quantiles),
            Some(bounds) => {
                let clusters = cells(bounds, &self.differences);
                of_dependent(clusters, Design::default(), plan, quantiles)
            }
        };
        if found.interval.reason == Some(NO_TRIALS) {
            found.interval = Interval::missing("none", NO_PAIRS);
        }
        found
    }

    fn strata(&self, bounds: &[usize]) -> Vec<Stratum> {
        let (first, second) = (cells(bounds, &self.values.0), cells(bounds, &self.values.1));
        first
            .zip(second)
            .map(|(first, second)| Stratum { first: first.to_vec(), second: second.to_vec() })
            .collect()
    }
}

/// Differences of which those that only the rounding of the scores tells apart are made equal, and
/// those that only it tells from zero are zero.
fn levelled(differences: &[f64], scores: &[f64]) -> Vec<f64> {
    let rounding = 4.0 * f64::EPSILON * scores.iter().map(|score| score.abs()).fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..differences.len()).collect();
    order.sort_unstable_by(|a, b| differences[*a].total_cmp(&differences[*b]));
    let alike = |a: &usize, b: &usize| differences[*b] - differences[*a] <= rounding;
    let mut levelled = vec![0.0; differences.len()];
    for level in order.chunk_by(alike) {
        let (Some(first), Some(last)) = (level.first(), level.last()) else { continue };
        let (least, most) = (differences[*first], differences[*last]);
        let common = if least <= rounding && most >= -rounding { 0.0 } else { least };
        for place in level {
            levelled[*place] = common;
        }
    }
    levelled
}

fn finish(
    cell: Pairs,
    scored: &Scored,
    difference: Mean,
    clusters: Option<&[usize]>,
    plan: &Plan<MeanMethod>,
) -> Comparison {
    let sums: Option<Vec<i64>> = clusters.map(|bounds| {
        let some = cells(bounds, &scored.steps).filter(|cluster| !cluster.is_empty());
        some.map(|cluster| cluster.iter().sum()).collect()
    });
    let units = sums.as_deref().unwrap_or(&scored.steps);
    let some = !units.is_empty();
    let signs = Signs::of(units);
    let (how, slack) = (how(plan), scored.units.slack);
    let permuted = || shuffle_halves(scored.strata(clusters?), slack, &how);
    let ranked = || {
        let (two_sided, auto) = (Alternative::TwoSided, RankMethod::Auto);
        signed_rank(&scored.differences, Zeros::Wilcox, two_sided, auto, plan.watch)
    };
    let error =
        if clusters.is_some() { difference.clustered_error } else { difference.standard_error };
    let detectable = error.map(|error| found_with_power(error, plan.tail()));
    Comparison {
        treatment: mean_of(cell.treatment),
        baseline: mean_of(cell.baseline),
        difference,
        correlation: correlation(cell),
        detectable: detectable.filter(|found| *found > 0.0 && found.is_finite()),
        pairs: Signs::of(&scored.steps),
        clusters: clusters.map(|_| signs),
        sign_p: some.then(|| sign::test(signs.positive, signs.negative)),
        permutation_p: if some { permuted().map(Tested::of) } else { None },
        flip_p: if some { flip(units, slack, &how).map(Tested::of) } else { None },
        wilcoxon: if some { ranked() } else { None },
    }
}

fn correlation(cell: Pairs) -> Option<f64> {
    let (first, second) = (mean_of(cell.treatment)?, mean_of(cell.baseline)?);
    let mut residuals: Vec<(f64, f64)> =
        cell.both().map(|(a, b)| (a - first, b - second)).collect();
    // Sums of floats depend on their order; sorted, there is one.
    residuals.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    // By powers of two, which change no digit, so that no product overflows.
    let scale = |of: fn(&(f64, f64)) -> f64| {
        let largest = residuals.iter().map(|pair| of(pair).abs()).fold(0.0, f64::max);
        (largest > 0.0 && largest.is_finite()).then(|| -libm::ilogb(largest))
    };
    let (down, across) = (scale(|pair| pair.0)?, scale(|pair| pair.1)?);
    let scaled = residuals.iter().map(|(a, b)| (libm::scalbn(*a, down), libm::scalbn(*b, across)));
    let product = sum(scaled.clone().map(|(a, b)| a * b));
    let squares = sum(scaled.clone().map(|(a, _)| a * a)) * sum(scaled.map(|(_, b)| b * b));
    Some((product / libm::sqrt(squares)).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{NO_VARIATION, ONE_CLUSTER, Resampler};
    use crate::watch::Watch;

    static PLAN: Plan<MeanMethod> = Plan {
        method: MeanMethod::Auto,
        resampler: Resampler::Auto,
        confidence_level: 0.95,
        n_resamples: 99,
        seed: 0,
        watch: Watch::nobody(),
    };

    fn one(treatment: &[f64], baseline: &[f64], lengths: Option<&[u64]>) -> Comparison {
        let ends = [0, lengths.map_or(treatment.len(), <[u64]>::len)];
        let layout = Layout { offsets: &ends, lengths };
        of_cells(layout, Pairs { treatment, baseline }, &PLAN)[0]
    }

    #[test]
    fn tests_are_counted_by_hand() {
        // Differences of 2, -1 and 3 tenths: 4 of 8 sums are as far out as 4.
        let found = one(&[0.3, 0.1, 0.9], &[0.1, 0.2, 0.6], None);
        assert!((found.flip_p.unwrap().p.p - 0.5).abs() < 1e-14);
        assert_eq!(found.pairs, Signs { positive: 2, negative: 1, tied: 0 });
        assert_eq!((found.sign_p.unwrap().p, found.permutation_p), (1.0, None));
        // One cluster of two pairs: 2 of 6 splits of 1, 2, 3, 4 have sums of 7 or 3.
        let found = one(&[4.0, 3.0], &[1.0, 2.0], Some(&[2]));
        assert!((found.permutation_p.unwrap().p.p - 1.0 / 3.0).abs() < 1e-14);
        assert_eq!(found.difference.interval.reason, Some(ONE_CLUSTER));
    }

    #[test]
    fn a_shift_is_one_difference_whatever_rounding_does() {
        let found = one(&[0.3, 0.2, 0.4], &[0.2, 0.1, 0.3], None);
        assert_eq!(found.difference.interval.reason, Some(NO_VARIATION));
        assert_eq!((found.difference.estimate, found.detectable), (Some(0.1), None));
    }

    #[test]
    fn clusters_without_pairs_do_not_count() {
        let found = one(&[1.0, 2.0], &[0.5, 0.0], Some(&[0, 1, 0, 1]));
        assert_eq!(found.clusters, Some(Signs { positive: 2, negative: 0, tied: 0 }));
        let none = one(&[], &[], Some(&[0]));
        assert_eq!((none.difference.interval.reason, none.flip_p), (Some(NO_PAIRS), None));
    }
}
