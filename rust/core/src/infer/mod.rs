//! Exact tests.

pub mod permutation;
pub mod sign;
