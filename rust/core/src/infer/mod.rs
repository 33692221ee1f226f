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
