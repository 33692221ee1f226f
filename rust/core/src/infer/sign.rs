//! Exact two-sided binomial test of equal chances: the sign test, and on discordant pairs
//! McNemar's test.

use crate::distributions::binomial_ln_lower_tail;
use crate::infer::PValue;

/// Two-sided p-value of `positive` against `negative`: twice the smaller tail of a fair
/// binomial, at most 1. Nothing against nothing is no evidence: p = 1.
///
/// McNemar (1947), doi:10.1007/BF02295996.
#[must_use]
pub fn p_value(positive: u64, negative: u64) -> f64 {
    match whole(positive, negative) {
        Some(p) => p,
        None => super::p_value(ln_p_value(positive, negative)),
    }
}

/// The test as a p-value and its logarithm.
#[must_use]
pub fn test(positive: u64, negative: u64) -> PValue {
    PValue { p: p_value(positive, negative), ln: ln_p_value(positive, negative) }
}

/// Natural logarithm of [`p_value`], finite also where that is below the smallest double.
#[must_use]
pub fn ln_p_value(positive: u64, negative: u64) -> f64 {
    if let Some(p) = whole(positive, negative) {
        return libm::log(p);
    }
    let tail = binomial_ln_lower_tail(positive.min(negative), positive + negative, 0.5);
    (tail + std::f64::consts::LN_2).min(0.0)
}

/// The p-value in whole numbers, where 2^n fits into them: right to the last bit.
fn whole(positive: u64, negative: u64) -> Option<f64> {
    if positive == negative {
        return Some(1.0);
    }
    let n = positive.checked_add(negative).filter(|n| *n < 120)?;
    let (mut choose, mut tail) = (1_u128, 1_u128);
    for i in 1..=positive.min(negative) {
        choose = choose * u128::from(n - i + 1) / u128::from(i);
        tail += choose;
    }
    let power = i32::try_from(n - 1).ok()?;
    Some((tail as f64 / 2_f64.powi(power)).min(1.0))
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "small, exact values")]
mod tests {
    use super::*;

    #[test]
    fn matches_printed_figures() {
        let p = p_value;
        for (b, c, printed, digits) in [
            (21, 50, 0.000_766_76, 1e-8),
            (28, 11, 0.0095, 5e-5),
            (15, 6, 0.078, 5e-4),
            (15, 2, 0.002_349_853_515_625, 1e-15),
            (0, 4, 0.125, 1e-15),
        ] {
            assert!((p(b, c) - printed).abs() <= digits, "{b}:{c} {}", p(b, c));
        }
        assert!((p(350, 93) / 4.07e-36 - 1.0).abs() < 2e-3);
        assert_eq!(p(0, 0), 1.0);
        assert_eq!(p(5, 5), 1.0);
        assert_eq!(p(5, 6), 1.0);
    }

    #[test]
    fn both_ways_meet() {
        for (b, c) in [(59, 60), (70, 49), (119, 0), (1, 118)] {
            let summed = binomial_ln_lower_tail(b.min(c), b + c, 0.5) + std::f64::consts::LN_2;
            assert!((ln_p_value(b, c) - summed.min(0.0)).abs() < 1e-13);
        }
    }

    #[test]
    fn stays_finite_below_the_smallest_double() {
        let expected = std::f64::consts::LN_2 * (1.0 - 5000.0);
        assert!((ln_p_value(5000, 0) - expected).abs() < 1e-10);
    }
}
