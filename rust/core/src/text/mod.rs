//! Kernels that read text: one file per scorer family.
//!
//! A kernel never fails on content: what it cannot read is no value. Each one is
//! linear in the length of its text and keeps no state between texts.

pub mod answer;
pub mod choice;
pub mod containment;
pub mod figures;
pub mod number;
pub mod pattern;
pub mod survival;
pub mod time;
pub mod tokens;
pub mod word;

mod chars;
mod clause;
mod glance;
mod lexer;
mod lm_eval;
mod numeral;
mod seek;
