//! Scoring and statistics kernels, free of Python, Arrow and Polars.
//!
//! * [`text`]: kernels that read one reply or note.
//! * [`outcome`]: what an answer is, given truth and drift.
//! * [`distributions`]: normal, Student t and binomial.
//! * [`intervals`]: Wilson, effective sample size, square-and-add, exact edge bounds.
//! * [`resample`]: random streams and the bootstrap, exact wherever the data are a lattice.
//! * [`infer`]: tests, exact wherever that is possible.
//! * [`proportions`]: two rates of the same pairs, from four counts.
//! * [`agreement`]: agreement of raters beyond chance.
//! * [`audit`]: which integer tables print a published figure so.
//! * [`equivalence`]: verdicts against a margin.
//! * [`planning`]: power, sample size, detectable effect.
//! * [`evidence`]: bets on signs, valid at every look.
//! * [`detection`]: what a detector finds, and how its scores rank.
//! * [`wins`]: pairwise judging.
//! * [`kinds`]: rows counted by what they hold.
//! * [`watch`]: how far a long call is, and whether it should go on.
//! * [`rate`], [`mean`], [`means`], [`compare`], [`groups`], [`contrasts`], [`repeats`], [`sensitivity`]: what one cell of a
//!   frame needs, from the parts above.
#![deny(unsafe_code)]

pub mod agreement;
pub mod audit;
pub mod compare;
pub mod contrasts;
pub mod detection;
pub mod distributions;
pub mod equivalence;
pub mod evidence;
pub mod groups;
pub mod infer;
pub mod intervals;
pub mod kinds;
pub mod mean;
pub mod means;
pub mod outcome;
pub mod plan;
pub mod planning;
pub mod proportions;
pub mod rate;
pub mod repeats;
pub mod resample;
pub mod sensitivity;
mod share;
pub mod text;
pub mod watch;
pub mod wins;
