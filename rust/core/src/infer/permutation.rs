//! Exact permutation tests of a paired difference: labels shuffled within clusters, or the
//! signs of whole clusters flipped.

use crate::resample::lattice::{Part, ln_upper_tail};
use crate::watch::Watch;

/// Clusters that hold the same number of pairs and of successes in both arms together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ShuffledClusters {
    /// Pairs in each cluster: trials per arm.
    pub pairs: u64,
    /// Successes in each cluster, both arms together.
    pub successes: u64,
    /// How many clusters there are of this kind.
    pub count: u64,
}

/// Natural logarithm of the two-sided p-value of `difference`, the successes of the treatment
/// minus those of the baseline, when within every cluster all assignments of trials to the
/// two arms are equally likely (Fisher 1935, "The Design of Experiments").
///
/// The treatment's share of a cluster's successes is then hypergeometric and symmetric, so
/// that the two-sided p-value is twice the upper tail; ties are counted in integers.
#[must_use]
pub fn ln_p_value(clusters: &[ShuffledClusters], difference: i64, watch: &Watch) -> f64 {
    if difference == 0 {
        return 0.0;
    }
    let parts: Vec<Part> = clusters
        .iter()
        .map(|kind| hypergeometric(kind.pairs, kind.successes, kind.count))
        .collect();
    let total: u64 = clusters.iter().map(|kind| kind.successes * kind.count).sum();
    let treatment = i64::midpoint(total.cast_signed(), difference.abs());
    (ln_upper_tail(&parts, treatment, watch) + std::f64::consts::LN_2).min(0.0)
}

/// Natural logarithm of the two-sided p-value of a sum of cluster differences when each
/// cluster's difference is as likely to have the other sign (Fisher 1935, "The Design of
/// Experiments"): the null of a difference that is symmetric about zero, whatever the
/// dependence within clusters. `sizes` holds the absolute differences with how many clusters
/// have each, in any order and with or without zeros.
#[must_use]
pub fn ln_flip_p_value(sizes: &[(u64, u64)], difference: i64, watch: &Watch) -> f64 {
    if difference == 0 {
        return 0.0;
    }
    let total: u64 = sizes.iter().map(|(size, count)| size * count).sum();
    let positive = i64::midpoint(total.cast_signed(), difference.abs());
    (ln_upper_tail(&flip_parts(sizes), positive, watch) + std::f64::consts::LN_2).min(0.0)
}

/// The positive part of such a sum: each size kept or not, on half the lattice of the sum.
pub(crate) fn flip_parts(sizes: &[(u64, u64)]) -> Vec<Part> {
    let some = sizes.iter().filter(|(size, _)| *size > 0);
    some.map(|(size, count)| Part::new([(0, 1.0), (size.cast_signed(), 1.0)], *count)).collect()
}

/// Successes that fall to one of two arms of `pairs` trials each, of `successes` in all.
fn hypergeometric(pairs: u64, successes: u64, count: u64) -> Part {
    let first = successes.saturating_sub(pairs);
    let last = successes.min(pairs);
    let middle = first + (last - first) / 2;
    // From the middle outwards by the ratio of neighbours, so that nothing overflows.
    let ratio = |x: u64| {
        (pairs - x) as f64 * (successes - x) as f64
            / ((x + 1) as f64 * (pairs + x + 1 - successes) as f64)
    };
    let mut weights = vec![1.0; usize::try_from(last - first).unwrap_or(0) + 1];
    let centre = usize::try_from(middle - first).unwrap_or(0);
    for i in centre + 1..weights.len() {
        weights[i] = weights[i - 1] * ratio(first + i as u64 - 1);
    }
    for i in (0..centre).rev() {
        weights[i] = weights[i + 1] / ratio(first + i as u64);
    }
    Part::new((first.cast_signed()..).zip(weights), count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::sign;

    #[test]
    fn pairs_alone_are_mcnemar() {
        let clusters = [
            ShuffledClusters { pairs: 1, successes: 1, count: 39 },
            ShuffledClusters { pairs: 1, successes: 2, count: 57 },
        ];
        let p = ln_p_value(&clusters, 28 - 11, Watch::nobody());
        assert!((p - sign::ln_p_value(28, 11)).abs() < 1e-13);
    }

    #[test]
    fn lopsided_clusters_keep_their_digits() {
        // All of 200 successes but one fall to one arm: Fisher's exact p, log 4.5e-55 or so.
        let cluster = ShuffledClusters { pairs: 100, successes: 100, count: 1 };
        // Twice the hypergeometric chances of 99 and 100 out of 100.
        let ln_choose = libm::lgamma(201.0) - 2.0 * libm::lgamma(101.0);
        let exact = libm::log(2.0 * (1.0 + 100.0 * 100.0)) - ln_choose;
        assert!((ln_p_value(&[cluster], 98, Watch::nobody()) - exact).abs() < 1e-11);
    }

    #[test]
    fn flips_of_single_steps_are_the_sign_test() {
        let p = ln_flip_p_value(&[(1, 39), (0, 57)], 28 - 11, Watch::nobody());
        assert!((p - sign::ln_p_value(28, 11)).abs() < 1e-13);
    }

    #[test]
    fn flips_are_counted() {
        // 3, 2 and 1 add up to 4 or more, or -4 or less, in four of eight ways.
        let p = |sizes, sum| libm::exp(ln_flip_p_value(sizes, sum, Watch::nobody()));
        assert!((p(&[(3, 1), (2, 1), (1, 1)], 4) - 0.5).abs() < 1e-15);
        assert!((p(&[(7, 1)], -7) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn one_cluster_is_fisher() {
        // Three pairs, 3 successes, all in the treatment: 2 of C(6, 3) = 20 assignments.
        let cluster = ShuffledClusters { pairs: 3, successes: 3, count: 1 };
        let p = ln_p_value(&[cluster], 3, Watch::nobody());
        assert!((libm::exp(p) - 0.1).abs() < 1e-15);
    }
}
