//! Kernels that read text: one file per scorer family.
//!
//! A kernel never fails on content: what it cannot read is no value. Each one is
//! linear in the length of its text and keeps no state between texts.

pub mod answer;
pub mod boxed;
pub mod calls;
pub mod choice;
pub mod containment;
pub mod cues;
pub mod exact;
pub mod fence;
pub mod figures;
pub mod json;
pub mod ledger;
pub mod number;
pub mod pattern;
pub mod record;
pub mod regime;
pub mod sql;
pub mod survival;
pub mod time;
pub mod tokens;
pub mod verdict;
pub mod word;

mod chars;
mod clause;
mod composed;
mod date;
mod everyday;
mod glance;
mod lexer;
mod lexicon;
mod literal;
mod lm_eval;
mod memo;
mod numeral;
mod retraction;
mod seek;
mod sieve;
