//! Scoring and statistics kernels, free of Python, Arrow and Polars.
//!
//! * [`text`]: kernels that read one reply or note.
//! * [`outcome`]: what an answer is, given truth and drift.
//! * [`distributions`]: normal, Student t and binomial.
//! * [`intervals`]: Wilson, effective sample size, square-and-add, exact edge bounds.
//! * [`resample`]: random streams and the bootstrap, exact wherever the data are a lattice.
//! * [`infer`]: tests, exact wherever that is possible.
//! * [`proportions`]: two rates of the same pairs, from four counts.
//! * [`rate`], [`compare`], [`groups`], [`contrasts`], [`sensitivity`]: what one cell of a frame needs, from the parts above.
#![forbid(unsafe_code)]

pub mod compare;
pub mod contrasts;
pub mod distributions;
pub mod groups;
pub mod infer;
pub mod intervals;
pub mod outcome;
pub mod plan;
pub mod proportions;
pub mod rate;
pub mod resample;
pub mod sensitivity;
pub mod text;
