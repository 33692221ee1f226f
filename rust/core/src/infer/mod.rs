//! Exact tests, and the usual approximations beside them.

pub mod barnard;
pub mod fisher;
pub mod flips;
pub mod labels;
pub mod mcnemar;
pub mod multiplicity;
pub mod permutation;
pub mod ranks;
pub mod scores;
pub mod sign;

/// A p-value from its logarithm. A p-value is never 0: one below the smallest normal double is
/// that double, which it is below, so that nothing that reads it errs towards evidence.
#[must_use]
pub fn p_value(ln_p: f64) -> f64 {
    libm::exp(ln_p).max(f64::MIN_POSITIVE)
}

/// A p-value and its natural logarithm, which goes on where the p-value cannot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PValue {
    /// The p-value, never 0.
    pub p: f64,
    /// Its natural logarithm.
    pub ln: f64,
}

impl PValue {
    /// From the logarithm.
    #[must_use]
    pub fn of_ln(ln: f64) -> Self {
        let ln = ln.min(0.0);
        Self { p: p_value(ln), ln }
    }
}
