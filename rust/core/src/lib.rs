//! Scoring and statistics kernels, free of Python, Arrow and Polars.
//!
//! * [`text`]: kernels that read one reply or note.
//! * [`outcome`]: what an answer is, given truth and drift.
//! * [`distributions`]: normal, Student t and binomial.
//! * [`intervals`]: Wilson, effective sample size, square-and-add, exact edge bounds.
//! * [`resample`]: random streams and the bootstrap, exact wherever the data are a lattice.
//! * [`infer`]: exact tests.
//! * [`agreement`]: agreement of raters beyond chance.
//! * [`detection`]: what a detector finds, and how its scores rank.
//! * [`wins`]: pairwise judging.
//! * [`rate`], [`compare`], [`sensitivity`]: what one cell of a frame needs, from the parts above.
#![forbid(unsafe_code)]

pub mod agreement;
pub mod compare;
pub mod detection;
pub mod distributions;
pub mod infer;
pub mod intervals;
pub mod outcome;
pub mod plan;
pub mod rate;
pub mod resample;
pub mod sensitivity;
mod share;
pub mod text;
pub mod wins;
