//! Exact tests.

pub mod fisher;
pub mod multiplicity;
pub mod permutation;
pub mod sign;
