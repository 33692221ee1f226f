//! Scoring and statistics kernels, free of Python, Arrow and Polars.
//!
//! * [`text`]: kernels that read one reply or note.
//! * [`outcome`]: what an answer is, given truth and drift.
//! * [`distributions`]: normal, Student t and binomial.
//! * [`intervals`]: Wilson, effective sample size, square-and-add, exact edge bounds.
//! * [`resample`]: random streams and the bootstrap, exact wherever the data are a lattice.
//! * [`infer`]: exact tests.
//! * [`rate`], [`mean`], [`compare`], [`sensitivity`]: what one cell of a frame needs, from the parts above.
#![forbid(unsafe_code)]

pub mod compare;
pub mod distributions;
pub mod infer;
pub mod intervals;
pub mod mean;
pub mod outcome;
pub mod plan;
pub mod rate;
pub mod resample;
pub mod sensitivity;
pub mod text;
