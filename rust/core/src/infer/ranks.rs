//! Tests by ranks: Wilcoxon's signed-rank and rank-sum tests, exact also with ties.
//!
//! Ranks of tied values are the mean of theirs, so that twice a rank is a whole number, and the
//! exact null distributions are those of [`flips`](super::flips) and [`labels`](super::labels) on
//! doubled ranks.

use crate::distributions::ln_two_tails;
use crate::infer::fisher::Alternative;
use crate::infer::flips::flip;
use crate::infer::labels::{Counting, How, Stratum, shuffle};
use crate::plan::named;
use crate::watch::Watch;

/// What becomes of differences of zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zeros {
    /// They are left out before ranks are given: Wilcoxon (1945), doi:10.2307/3001968.
    Wilcox,
    /// They are given ranks, which then do not count: Pratt (1959),
    /// doi:10.1080/01621459.1959.10501526.
    Pratt,
}

named!(Zeros { Wilcox => "wilcox", Pratt => "pratt" });

/// How the p-value is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankMethod {
    /// Exactly where that takes no more than about a second, else from the normal distribution.
    Auto,
    /// Exactly, or not at all.
    Exact,
    /// From the normal distribution, its variance corrected for ties.
    Asymptotic,
}

named!(RankMethod { Auto => "auto", Exact => "exact", Asymptotic => "asymptotic" });

/// What a rank test found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ranked {
    /// Sum of the ranks of positive differences, or of the first group's values.
    pub statistic: f64,
    /// Natural logarithm of the p-value.
    pub ln_p: f64,
    /// Whether that is exact.
    pub exact: bool,
}

/// Twice the ranks of values, in their order; tied values share the mean of theirs.
fn doubled_ranks(values: &[f64]) -> Vec<i64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0; values.len()];
    let mut start = 0;
    #[expect(clippy::float_cmp, reason = "ties are equal values")]
    for run in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let end = start + run.len();
        for place in run {
            // First and last rank of the run, counted from one.
            ranks[*place] = i64::try_from(start + 1 + end).unwrap_or(i64::MAX);
        }
        start = end;
    }
    ranks
}

/// Wilcoxon's signed-rank test of differences being symmetric about zero; nothing where no exact
/// count is possible but wanted. Without a difference other than zero, p = 1.
#[must_use]
pub fn signed_rank(
    differences: &[f64],
    zeros: Zeros,
    alternative: Alternative,
    method: RankMethod,
    watch: &Watch,
) -> Option<Ranked> {
    let kept: Vec<f64> = match zeros {
        Zeros::Wilcox => differences.iter().copied().filter(|d| *d != 0.0).collect(),
        Zeros::Pratt => differences.to_vec(),
    };
    let sizes: Vec<f64> = kept.iter().map(|d| d.abs()).collect();
    let ranks = doubled_ranks(&sizes);
    let signed: Vec<i64> = kept
        .iter()
        .zip(ranks)
        .filter(|(d, _)| **d != 0.0)
        .map(|(d, rank)| if *d > 0.0 { rank } else { -rank })
        .collect();
    let statistic = signed.iter().filter(|rank| **rank > 0).sum::<i64>() as f64 / 2.0;
    if method != RankMethod::Asymptotic {
        if worth_counting(signed.len(), method) {
            let counting = Counting::Exact;
            let how = How { alternative, counting, n_resamples: 1, seed: 0, watch };
            let found = flip(&signed, 0, &how).filter(|found| found.n_resamples.is_none());
            if let Some(found) = found {
                return Some(Ranked { statistic, ln_p: found.ln_p, exact: true });
            }
        }
        if method == RankMethod::Exact {
            return None;
        }
    }
    let sum: i128 = signed.iter().map(|rank| i128::from(*rank)).sum();
    let squares: f64 = signed.iter().map(|rank| (*rank as f64) * (*rank as f64)).sum();
    Some(Ranked { statistic, ln_p: normal(sum as f64, squares, alternative), exact: false })
}

/// Wilcoxon's rank-sum test, the Mann-Whitney test; nothing where no exact count is possible but
/// wanted. The statistic is the number of pairs in which the first group's value is larger, ties
/// counting one half.
///
/// Mann and Whitney (1947), doi:10.1214/aoms/1177730491.
#[must_use]
pub fn rank_sum(
    first: &[f64],
    second: &[f64],
    alternative: Alternative,
    method: RankMethod,
    watch: &Watch,
) -> Option<Ranked> {
    let pooled: Vec<f64> = first.iter().chain(second).copied().collect();
    let ranks = doubled_ranks(&pooled);
    let (n, m) = (first.len() as i128, second.len() as i128);
    let sum: i128 = ranks.iter().take(first.len()).map(|rank| i128::from(*rank)).sum();
    let statistic = (sum - n * (n + 1)) as f64 / 2.0;
    if method != RankMethod::Asymptotic {
        let counting = if method == RankMethod::Exact { Counting::Exact } else { Counting::Auto };
        if worth_counting(pooled.len(), method) {
            let how = How { alternative, counting, n_resamples: 1, seed: 0, watch };
            let (first, second) = ranks.split_at(first.len());
            let stratum = Stratum { first: first.to_vec(), second: second.to_vec() };
            let found = shuffle(vec![stratum], 0, &how).filter(|found| found.n_resamples.is_none());
            if let Some(found) = found {
                return Some(Ranked { statistic, ln_p: found.ln_p, exact: true });
            }
        }
        if method == RankMethod::Exact {
            return None;
        }
    }
    let all = n + m;
    // Doubled ranks about their mean.
    let excess = sum - n * (all + 1);
    let squares: f64 = ranks
        .iter()
        .map(|rank| i128::from(*rank) - (all + 1))
        .map(|rank| rank as f64 * rank as f64)
        .sum();
    let variance = squares * n as f64 * m as f64 / (all as f64 * (all - 1) as f64);
    Some(Ranked { statistic, ln_p: normal(excess as f64, variance, alternative), exact: false })
}

/// Counting takes the square of the ranks and more; the normal distribution is as good by then.
fn worth_counting(ranks: usize, method: RankMethod) -> bool {
    method == RankMethod::Exact || ranks <= 5000
}

fn normal(sum: f64, variance: f64, alternative: Alternative) -> f64 {
    if variance <= 0.0 {
        return 0.0;
    }
    let both = ln_two_tails(sum * sum / variance);
    let towards = match alternative {
        Alternative::TwoSided => return both,
        Alternative::Greater => sum > 0.0,
        Alternative::Less => sum < 0.0,
    };
    let half = both - std::f64::consts::LN_2;
    if towards { half } else { libm::log1p(-libm::exp(half)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_mean_rank() {
        assert_eq!(doubled_ranks(&[3.0, 1.0, 3.0, 2.0]), [7, 2, 7, 4]);
        assert_eq!(doubled_ranks(&[0.0, -0.0]), [3, 3]);
        assert_eq!(doubled_ranks(&[]), [0_i64; 0]);
    }

    #[test]
    fn zeros_alone_say_nothing() {
        for zeros in [Zeros::Wilcox, Zeros::Pratt] {
            for method in [RankMethod::Auto, RankMethod::Exact, RankMethod::Asymptotic] {
                let found =
                    signed_rank(&[0.0; 5], zeros, Alternative::TwoSided, method, Watch::nobody());
                let found = found.unwrap();
                assert!(found.ln_p.abs() < 1e-15);
            }
        }
    }
}
