//! Evidence that may be looked at after every result: bets on the signs of differences.
//!
//! Under the null each sign is a fair coin, whatever came before. A gambler who stakes all of a
//! fortune of 1 at fair odds on every sign holds a nonnegative martingale, so that the chance of
//! ever holding c is at most 1 / c (Ville 1939). Betting as the average over all biases of the
//! coin, each as likely (Robbins 1970, doi:10.1214/aoms/1177696786), the fortune after s and f
//! signs of either kind is 1 / ((n + 1) P(s)), where P is the fair binomial probability: a
//! function of the counts, in closed form, whatever their order.

use crate::distributions::{binomial_ln_lower_tail, binomial_ln_pmf};
use crate::infer::fisher::Alternative;
use crate::watch::Watch;

/// Fortune and confidence sequence after some looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Look {
    /// Signs for the treatment so far.
    pub positive: u64,
    /// Signs for the baseline so far.
    pub negative: u64,
    /// Natural logarithm of the fortune.
    pub ln_e: f64,
    /// The largest of those of this look and all before, at least 0: that of the start.
    pub ln_e_max: f64,
    /// Limits of the share of positive signs, at once at every look.
    pub limits: (f64, f64),
}

impl Look {
    /// Chance under the null that the fortune ever becomes as large as it has been.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        crate::infer::p_value(-self.ln_e_max)
    }
}

/// Natural logarithm of the fortune after so many signs.
///
/// A claim of one side averages over the biases to that side only: twice the part of the
/// posterior on that side times the fortune of two sides.
#[must_use]
pub fn ln_e(positive: u64, negative: u64, alternative: Alternative) -> f64 {
    let n = positive + negative;
    let both = -libm::log(n as f64 + 1.0) - binomial_ln_pmf(positive, n, 0.5);
    let (side, other) = match alternative {
        Alternative::TwoSided => return both,
        Alternative::Greater => (positive, negative),
        Alternative::Less => (negative, positive),
    };
    // P(beta(side + 1, other + 1) > 1/2) is the chance of at most `side` heads of n + 1 coins
    // (DLMF 8.17.5), or of the smaller tail not to be.
    let share = if side <= other {
        binomial_ln_lower_tail(side, n + 1, 0.5)
    } else {
        libm::log1p(-libm::exp(binomial_ln_lower_tail(other, n + 1, 0.5)))
    };
    both + std::f64::consts::LN_2 + share
}

/// Limits of the share of positive signs that hold at every look at once with the chance
/// `confidence_level`: the biases against which the gambler's fortune stays below 1 / (1 -
/// level).
#[must_use]
pub fn limits(positive: u64, negative: u64, confidence_level: f64) -> (f64, f64) {
    let n = positive + negative;
    let least = libm::log1p(-confidence_level) - libm::log(n as f64 + 1.0);
    let kept = |share: f64| binomial_ln_pmf(positive, n, share) > least;
    let centre = if n == 0 { 0.5 } else { positive as f64 / n as f64 };
    let edge = |mut outside: f64| {
        if kept(outside) {
            return outside;
        }
        let mut inside = centre;
        // The probability falls on both sides of the observed share.
        for _ in 0..200 {
            let middle = f64::midpoint(inside, outside);
            if middle <= inside.min(outside) || middle >= inside.max(outside) {
                break;
            }
            if kept(middle) { inside = middle } else { outside = middle }
        }
        outside
    };
    (edge(0.0), edge(1.0))
}

/// The sequence of looks of each cell, end to end; `offsets` holds the bounds of each cell in
/// `signs`, the positive and negative ones that each look adds.
#[must_use]
pub fn sequences(
    offsets: &[usize],
    signs: &[(u64, u64)],
    alternative: Alternative,
    confidence_level: f64,
    watch: &Watch,
) -> Vec<Look> {
    let cells = || offsets.windows(2).filter_map(|bounds| signs.get(bounds[0]..bounds[1]));
    let so_far = cells().flat_map(|cell| {
        cell.iter().scan((0, 0), |sum: &mut (u64, u64), added| {
            *sum = (sum.0 + added.0, sum.1 + added.1);
            Some(*sum)
        })
    });
    let mut looks = watch.cells(so_far.collect(), (), |(), (positive, negative)| {
        let ln_e = ln_e(positive, negative, alternative);
        let limits = limits(positive, negative, confidence_level);
        Look { positive, negative, ln_e, ln_e_max: 0.0, limits }
    });
    let mut rest = looks.as_mut_slice();
    for cell in cells() {
        let (looks, behind) = rest.split_at_mut(cell.len());
        let mut ln_e_max = 0.0_f64;
        for look in looks {
            ln_e_max = ln_e_max.max(look.ln_e);
            look.ln_e_max = ln_e_max;
        }
        rest = behind;
    }
    looks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fortune_is_one_before_and_after_the_first_sign() {
        assert!(ln_e(0, 0, Alternative::TwoSided).abs() < 1e-15);
        assert!(ln_e(1, 0, Alternative::TwoSided).abs() < 1e-15);
        assert!(ln_e(0, 0, Alternative::Greater).abs() < 1e-15);
        // One of one, for the average of theta / (1/2) over the upper half: 3/2.
        assert!((ln_e(1, 0, Alternative::Greater) - libm::log(1.5)).abs() < 1e-15);
        assert!((ln_e(0, 1, Alternative::Greater) - libm::log(0.5)).abs() < 1e-15);
    }

    #[test]
    fn bets_are_fair() {
        // The mean of the next fortune over a fair sign is the fortune.
        for alternative in [Alternative::TwoSided, Alternative::Greater, Alternative::Less] {
            for (s, f) in [(0, 0), (3, 1), (2, 9), (40, 25)] {
                let e = |s, f| libm::exp(ln_e(s, f, alternative));
                let next = f64::midpoint(e(s + 1, f), e(s, f + 1));
                assert!((next / e(s, f) - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn limits_meet_the_level() {
        assert_eq!(limits(0, 0, 0.95), (0.0, 1.0));
        let (low, high) = limits(28, 11, 0.95);
        for share in [low, high] {
            let ln_fortune = -libm::log(40.0) - binomial_ln_pmf(28, 39, share);
            assert!((ln_fortune - libm::log(20.0)).abs() < 1e-9);
        }
        assert_eq!(limits(9, 0, 0.95).1.to_bits(), 1.0_f64.to_bits());
    }
}
