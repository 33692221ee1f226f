//! Exact tests.

pub mod multiplicity;
pub mod permutation;
pub mod sign;
