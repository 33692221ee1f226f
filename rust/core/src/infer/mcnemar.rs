//! McNemar's test of paired outcomes, from the pairs on which the two arms disagree.

use crate::distributions::{binomial_ln_pmf, ln_two_tails};
use crate::infer::sign;
use crate::plan::named;

/// How the p-value is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum McNemar {
    /// Twice the smaller tail of a fair binomial.
    Exact,
    /// The same with half of what is just as likely as the observed: Lancaster (1961),
    /// doi:10.1080/01621459.1961.10482105.
    MidP,
    /// The squared difference over the sum, as chi-squared: McNemar (1947),
    /// doi:10.1007/BF02295996.
    Asymptotic,
    /// The difference taken nearer to zero by one, and not beyond: Edwards (1948),
    /// doi:10.1007/BF02289261.
    Continuity,
}

named!(McNemar {
    Exact => "exact",
    MidP => "mid-p",
    Asymptotic => "asymptotic",
    Continuity => "continuity",
});

/// What a test says of one table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Finding {
    /// The statistic, where the method has one.
    pub statistic: Option<f64>,
    /// Natural logarithm of the two-sided p-value.
    pub ln_p: f64,
}

impl McNemar {
    /// Tests `first_only` against `second_only` discordant pairs. None at all are no evidence:
    /// p = 1, whatever the method.
    #[must_use]
    pub fn test(self, first_only: u64, second_only: u64) -> Finding {
        let apart = first_only.abs_diff(second_only);
        match self {
            Self::Exact => {
                Finding { statistic: None, ln_p: sign::ln_p_value(first_only, second_only) }
            }
            Self::MidP => Finding { statistic: None, ln_p: ln_mid_p(first_only, second_only) },
            Self::Asymptotic => chi_squared(apart, first_only, second_only),
            Self::Continuity => chi_squared(apart.saturating_sub(1), first_only, second_only),
        }
    }

    /// The p-value; of the exact test right to the last bit for few pairs.
    #[must_use]
    pub fn p_value(self, first_only: u64, second_only: u64) -> f64 {
        match self {
            Self::Exact => sign::p_value(first_only, second_only),
            _ => super::p_value(self.test(first_only, second_only).ln_p),
        }
    }
}

fn chi_squared(apart: u64, first_only: u64, second_only: u64) -> Finding {
    let discordant = first_only as f64 + second_only as f64;
    let apart = apart as f64;
    let statistic = if apart > 0.0 { apart * (apart / discordant) } else { 0.0 };
    Finding { statistic: Some(statistic), ln_p: ln_two_tails(statistic) }
}

/// The exact p-value without the chance of exactly the observed split.
fn ln_mid_p(first_only: u64, second_only: u64) -> f64 {
    if first_only == second_only {
        return 0.0;
    }
    let (fewer, n) = (first_only.min(second_only), first_only + second_only);
    let exact = sign::ln_p_value(first_only, second_only);
    // The exact p-value is at least twice that chance, unless it was cut off at 1: then the
    // split is one step from the middle, and what is left out is that chance on both sides.
    let observed = binomial_ln_pmf(fewer, n, 0.5);
    (exact + libm::log1p(-libm::exp(observed - exact))).min(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_printed_figures() {
        for (method, printed) in [
            (McNemar::Exact, 0.000_766_76),
            (McNemar::Continuity, 0.000_890_59),
            (McNemar::Asymptotic, 0.000_578),
            (McNemar::MidP, 0.000_535),
        ] {
            let p = libm::exp(method.test(21, 50).ln_p);
            assert!((p / printed - 1.0).abs() < 1e-3, "{method:?}: {p}");
        }
        // Complete response before and after consolidation therapy, 6 against 16.
        let p = |method: McNemar| libm::exp(method.test(6, 16).ln_p);
        assert!((p(McNemar::Asymptotic) - 0.033_006).abs() < 5e-7);
        assert!((p(McNemar::Continuity) - 0.055_009).abs() < 5e-7);
        assert!((p(McNemar::Exact) - 0.052_479).abs() < 5e-7);
        assert!((p(McNemar::MidP) - 0.034_690).abs() < 5e-7);
    }

    #[test]
    fn no_evidence_is_one() {
        for method in [McNemar::Exact, McNemar::MidP, McNemar::Asymptotic, McNemar::Continuity] {
            for count in [0, 1, 5, 1 << 62] {
                let found = method.test(count, count);
                assert!(found.ln_p.abs() < 1e-300);
                assert!(found.statistic.is_none_or(|statistic| statistic.abs() < 1e-300));
            }
        }
    }

    #[test]
    fn mid_p_is_by_hand() {
        // 1 against 3 of 16 ways: 2 (1) + 4; 2 against 3 of 32: 2 (1 + 5) + 10.
        assert!((libm::exp(McNemar::MidP.test(1, 3).ln_p) - 6.0 / 16.0).abs() < 1e-15);
        assert!((libm::exp(McNemar::MidP.test(3, 2).ln_p) - 22.0 / 32.0).abs() < 1e-15);
        assert!((libm::exp(McNemar::MidP.test(0, 1).ln_p) - 0.5).abs() < 1e-15);
    }

    #[test]
    fn stays_finite_at_any_depth() {
        for method in [McNemar::Exact, McNemar::MidP, McNemar::Asymptotic, McNemar::Continuity] {
            let found = method.test(30_000, 0);
            assert!(found.ln_p.is_finite() && found.ln_p < -14_000.0);
        }
    }
}
