//! Exact tests.

pub mod fisher;
pub mod permutation;
pub mod sign;
