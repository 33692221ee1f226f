//! Barnard's unconditional exact test of a fourfold table: the rows' totals held fixed, and the
//! common rate taken at its worst.
//!
//! Tables count as evidence by the pooled score statistic, compared in whole numbers. For a first
//! cell these are the second cells up to one place and from another on, so that the p-value at a
//! rate takes one pass over each row; the worst rate is looked for on a grid finer than what the
//! p-value can do between its points, and then between them.

use std::f64::consts::{FRAC_PI_2, LN_2};

use crate::distributions::binomial_ln_pmf;
use crate::infer::fisher::Alternative;
use crate::watch::Watch;

/// Trials of a row at most.
pub const MOST: u64 = 5000;
/// Grid points per standard deviation of a rate, on the arcsine scale.
const FINENESS: f64 = 4.0;

/// Natural logarithm of the p-value of the table `[[a, b], [c, d]]`, of rows of at most [`MOST`]
/// trials. A table with an empty row, or without a success or a failure, says nothing: p = 1.
///
/// Barnard (1945), doi:10.1038/156177a0; with the pooled statistic Suissa and Shuster (1985),
/// doi:10.2307/2981892.
#[must_use]
pub fn ln_p_value([[a, b], [c, d]]: [[u64; 2]; 2], alternative: Alternative, watch: &Watch) -> f64 {
    let (n, m) = ((a + b).min(MOST), (c + d).min(MOST));
    let observed = Score::new(a.min(n), c.min(m), (n, m));
    if observed.apart == 0 {
        // At a rate of 0 or 1 that is all there is to see.
        return 0.0;
    }
    worst(&Region::new(observed, alternative, (n, m)), watch)
}

/// The pooled score statistic: its square as a fraction, and its sign.
#[derive(Clone, Copy, Debug)]
struct Score {
    /// x m - y n, for x of n and y of m successes.
    apart: i64,
    /// Successes times failures, which the square of that is over.
    spread: u64,
}

impl Score {
    fn new(x: u64, y: u64, (n, m): (u64, u64)) -> Self {
        let apart = (x * m).cast_signed() - (y * n).cast_signed();
        Self { apart, spread: (x + y) * (n + m - x - y) }
    }

    /// Squared statistic times what is the same in every table, compared as fractions.
    fn at_least(&self, other: &Self) -> bool {
        let square = |score: &Self| u128::from(score.apart.unsigned_abs()).pow(2);
        square(self) * u128::from(other.spread) >= square(other) * u128::from(self.spread)
    }

    /// Whether a table is at least as much evidence as the observed one.
    fn is_evidence(&self, observed: &Self, alternative: Alternative) -> bool {
        let (own, seen) = (self.apart.signum(), observed.apart.signum());
        let larger = |own: i64, seen: i64| match own.cmp(&seen) {
            std::cmp::Ordering::Equal if own == 0 => true,
            std::cmp::Ordering::Equal if own > 0 => self.at_least(observed),
            std::cmp::Ordering::Equal => observed.at_least(self),
            order => order.is_gt(),
        };
        match alternative {
            Alternative::TwoSided => self.apart != 0 && self.at_least(observed),
            Alternative::Greater => larger(own, seen),
            Alternative::Less => {
                let mirrored = Self { apart: -self.apart, ..*self };
                let target = Self { apart: -observed.apart, ..*observed };
                mirrored.is_evidence(&target, Alternative::Greater)
            }
        }
    }
}

/// For each first cell, the second cells that are evidence: those below the first place, and
/// those from the second on.
struct Region {
    bounds: Vec<(usize, usize)>,
    ln_choose: (Vec<f64>, Vec<f64>),
}

impl Region {
    fn new(observed: Score, alternative: Alternative, (n, m): (u64, u64)) -> Self {
        // With the second cell rising the statistic falls, so that both ends are found by halving.
        let bounds = (0..=n)
            .map(|x| {
                let evidence = |y: u64| {
                    let score = Score::new(x, y, (n, m));
                    (score.apart, score.is_evidence(&observed, alternative))
                };
                // Positive or equal statistics come first.
                let low = partition(m + 1, |y| {
                    let (apart, is) = evidence(y);
                    is && (apart >= 0 || alternative != Alternative::TwoSided)
                        && alternative != Alternative::Less
                });
                let high = partition(m + 1, |y| {
                    let (apart, is) = evidence(y);
                    !(is && (apart <= 0 || alternative != Alternative::TwoSided)
                        && alternative != Alternative::Greater)
                });
                (low, high.max(low))
            })
            .collect();
        let ln_choose = |n: u64| -> Vec<f64> {
            (0..=n).map(|x| binomial_ln_pmf(x, n, 0.5) + n as f64 * LN_2).collect()
        };
        Self { bounds, ln_choose: (ln_choose(n), ln_choose(m)) }
    }

    /// Natural logarithm of the p-value at a rate, given as an angle: its sine squared.
    fn ln_p(&self, angle: f64) -> f64 {
        let sine = libm::sin(angle);
        let (hit, miss) = (2.0 * libm::log(sine), libm::log1p(-sine * sine));
        let pmf = |choose: &[f64]| -> Vec<f64> {
            let n = choose.len() - 1;
            let term = |(x, ways): (usize, &f64)| ways + x as f64 * hit + (n - x) as f64 * miss;
            choose.iter().enumerate().map(term).collect()
        };
        let second = pmf(&self.ln_choose.1);
        // Sums below and from each place on, as logarithms.
        let mut below = vec![f64::NEG_INFINITY];
        for term in &second {
            below.push(ln_add(below[below.len() - 1], *term));
        }
        let mut from = vec![f64::NEG_INFINITY; second.len() + 1];
        for (y, term) in second.iter().enumerate().rev() {
            from[y] = ln_add(from[y + 1], *term);
        }
        let first = pmf(&self.ln_choose.0);
        let rows = first.iter().zip(&self.bounds);
        let terms: Vec<f64> =
            rows.map(|(ln, (low, high))| ln + ln_add(below[*low], from[*high])).collect();
        let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return largest;
        }
        let sum: f64 = terms.iter().map(|term| libm::exp(term - largest)).sum();
        largest + libm::log(sum)
    }
}

fn ln_add(a: f64, b: f64) -> f64 {
    let (larger, smaller) = (a.max(b), a.min(b));
    if smaller - larger > -45.0 {
        larger + libm::log1p(libm::exp(smaller - larger))
    } else {
        larger
    }
}

/// How many of the first `count` numbers hold, where those that do come first.
fn partition(count: u64, holds: impl Fn(u64) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    usize::try_from(low).unwrap_or(usize::MAX)
}

/// The largest p-value over all rates.
fn worst(region: &Region, watch: &Watch) -> f64 {
    let trials = (region.ln_choose.0.len() + region.ln_choose.1.len()) as f64;
    // On the arcsine scale a rate of n trials has a standard deviation of 1 / (2 √n).
    let points = 64.0 + libm::ceil(FRAC_PI_2 * 2.0 * FINENESS * libm::sqrt(trials));
    let step = FRAC_PI_2 / points;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few thousand")]
    let angles = (1..points as usize).map(|i| i as f64 * step).collect();
    let grid = watch.cells(angles, (), |(), angle| region.ln_p(angle));
    let best = grid.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut worst = best;
    for (i, value) in grid.iter().enumerate() {
        let around = [i.checked_sub(1), Some(i + 1)];
        let is_peak = around.iter().flatten().all(|j| grid.get(*j).is_none_or(|v| v <= value));
        // A peak gains little between the points of the grid.
        if is_peak && *value > best - 0.1 {
            let middle = (i + 1) as f64 * step;
            worst = worst.max(peak(region, (middle - step, middle + step), watch));
        }
    }
    worst.min(0.0)
}

/// The largest value between two points about a peak, by golden section.
fn peak(region: &Region, (mut low, mut high): (f64, f64), watch: &Watch) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut at_a, mut at_b) = (region.ln_p(a), region.ln_p(b));
    for _ in 0..40 {
        watch.look();
        if at_a < at_b {
            (low, a, at_a) = (a, b, at_b);
            b = low + GOLDEN * (high - low);
            at_b = region.ln_p(b);
        } else {
            (high, b, at_b) = (b, a, at_a);
            a = high - GOLDEN * (high - low);
            at_a = region.ln_p(a);
        }
    }
    at_a.max(at_b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(table: [[u64; 2]; 2], alternative: Alternative) -> f64 {
        libm::exp(ln_p_value(table, alternative, Watch::nobody()))
    }

    #[test]
    fn matches_printed_figures() {
        // SciPy 1.17: barnard_exact([[43, 40], [10, 39]]).pvalue, its columns being the groups.
        assert!((p([[43, 10], [40, 39]], Alternative::TwoSided) - 0.000_362_832_367).abs() < 1e-9);
        // All against nothing: the worst rate is one half, 2 / 2^8.
        assert!((p([[4, 0], [0, 4]], Alternative::TwoSided) - 2.0 / 256.0).abs() < 1e-12);
        assert!((p([[4, 0], [0, 4]], Alternative::Greater) - 1.0 / 256.0).abs() < 1e-12);
    }

    #[test]
    fn no_evidence_is_one() {
        for table in [[[0, 0], [3, 4]], [[3, 0], [4, 0]], [[0, 3], [0, 4]], [[0, 0], [0, 0]]] {
            for side in [Alternative::TwoSided, Alternative::Less, Alternative::Greater] {
                assert!(ln_p_value(table, side, Watch::nobody()).abs() < 1e-12);
            }
        }
        assert!(ln_p_value([[5, 5], [7, 7]], Alternative::TwoSided, Watch::nobody()).abs() < 1e-12);
    }
}
