//! Resampling: random streams, the bootstrap, and exact distributions in their place.

pub mod bootstrap;
pub mod draws;
pub mod lattice;
pub mod mersenne;
pub mod nested;
pub mod ratio;
pub mod saddlepoint;
pub mod stream;

mod binomial;
mod fourier;
mod order;
