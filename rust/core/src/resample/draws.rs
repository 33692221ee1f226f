//! Bootstrap intervals of a ratio of real sums, from random draws of its units.

use rayon::prelude::*;

use super::bootstrap::{Drawn, percentiles};
use super::stream::{Stream, combine};
use crate::distributions::normal_quantile;

/// Units that may be drawn, each with what it adds to the numerator and to the denominator.
#[derive(Clone, Debug)]
pub struct Units {
    /// Numerator less the ratio times the denominator, and the denominator.
    residuals: Vec<(f64, f64)>,
    ratio: f64,
    key: u64,
}

/// Sums over one resample.
#[derive(Clone, Copy, Default)]
struct Sums {
    residual: f64,
    size: f64,
    squares: f64,
    cross: f64,
    size_squares: f64,
}

impl Sums {
    fn add(&mut self, (residual, size): (f64, f64)) {
        self.residual += residual;
        self.size += size;
        self.squares += residual * residual;
        self.cross += residual * size;
        self.size_squares += size * size;
    }

    /// How far this ratio is from the estimate.
    fn shift(&self) -> f64 {
        self.residual / self.size
    }

    /// Standard error of the ratio over `count` units, with K / (K - 1).
    fn error(&self, count: f64) -> f64 {
        let d = self.shift();
        let squares = self.squares - 2.0 * d * self.cross + d * d * self.size_squares;
        // What the subtraction leaves of equal terms is rounding.
        let squares = if squares <= 1e-14 * self.squares { 0.0 } else { squares };
        libm::sqrt(squares * count / (count - 1.0)) / self.size
    }
}

impl Units {
    /// From units in an order that does not depend on how they came, with their ratio.
    /// Sizes are positive.
    #[must_use]
    pub fn new(units: &[(f64, f64)], ratio: f64) -> Self {
        let key = units
            .iter()
            .fold(0, |key, (sum, size)| combine(combine(key, sum.to_bits()), size.to_bits()));
        let residuals = units.iter().map(|(sum, size)| (sum - ratio * size, *size)).collect();
        Self { residuals, ratio, key }
    }

    /// What `of` makes of each resample; nothing without units, or with more than 2^32.
    fn resampled(
        &self,
        n_resamples: u32,
        seed: u64,
        of: impl Fn(&Sums) -> f64 + Sync,
    ) -> Option<Vec<f64>> {
        let bound = u32::try_from(self.residuals.len()).ok().filter(|bound| *bound > 0)?;
        let draws = (0..n_resamples).into_par_iter().with_min_len(64).map(|replicate| {
            let mut stream = Stream::new(seed, self.key, u64::from(replicate));
            let mut sums = Sums::default();
            for _ in 0..bound {
                sums.add(self.residuals[stream.below(bound) as usize]);
            }
            of(&sums)
        });
        Some(draws.collect())
    }

    /// Percentile interval.
    #[must_use]
    pub fn percentile(&self, tail: f64, n_resamples: u32, seed: u64) -> Option<Drawn> {
        let mut shifts = self.resampled(n_resamples, seed, Sums::shift)?;
        let Drawn { limits, errors } = percentiles(&mut shifts, tail)?;
        Some(Drawn { limits: (self.ratio + limits.0, self.ratio + limits.1), errors })
    }

    /// Bias-corrected and accelerated interval: Efron (1987),
    /// doi:10.1080/01621459.1987.10478410, with half of the ties in the correction of bias.
    /// Nothing where all draws lie on one side of the estimate.
    #[must_use]
    pub fn bca(&self, tail: f64, n_resamples: u32, seed: u64) -> Option<Drawn> {
        let mut shifts = self.resampled(n_resamples, seed, Sums::shift)?;
        let below = shifts.iter().filter(|shift| **shift < 0.0).count() as f64;
        let ties = shifts.iter().filter(|shift| shift.abs() <= 0.0).count() as f64;
        let share = (below + ties / 2.0) / shifts.len() as f64;
        let (low, high) = bca_tails(share, self.acceleration(), tail)?;
        let (lower, upper) = (percentiles(&mut shifts, low)?, percentiles(&mut shifts, high)?);
        let limits = (self.ratio + lower.limits.0, self.ratio + upper.limits.1);
        Some(Drawn { limits, errors: (lower.errors.0, upper.errors.1) })
    }

    /// Bootstrap-t interval, with the standard error of each resample: Efron (1981),
    /// doi:10.2307/3314608. Limits are infinite where too many resamples do not vary.
    #[must_use]
    pub fn studentized(&self, tail: f64, n_resamples: u32, seed: u64) -> Option<Drawn> {
        let count = self.residuals.len() as f64;
        let mut all = Sums::default();
        self.residuals.iter().for_each(|unit| all.add(*unit));
        let error = all.error(count);
        let mut scores = self.resampled(n_resamples, seed, |sums| {
            let (shift, error) = (sums.shift(), sums.error(count));
            if error > 0.0 {
                shift / error
            } else if shift.abs() <= 0.0 {
                0.0
            } else {
                shift.signum() * f64::INFINITY
            }
        })?;
        let Drawn { limits, errors } = percentiles(&mut scores, tail)?;
        Some(Drawn {
            limits: (self.ratio - limits.1 * error, self.ratio - limits.0 * error),
            errors: (errors.1 * error, errors.0 * error),
        })
    }

    /// From the ratio without each unit in turn, in closed form.
    fn acceleration(&self) -> f64 {
        let size: f64 = self.residuals.iter().map(|unit| unit.1).sum();
        let without = |(residual, own): &(f64, f64)| -residual / (size - own);
        let count = self.residuals.len() as f64;
        let mean = self.residuals.iter().map(without).sum::<f64>() / count;
        let (squares, cubes) = self.residuals.iter().fold((0.0, 0.0), |(two, three), unit| {
            let d = mean - without(unit);
            (two + d * d, three + d * d * d)
        });
        if squares > 0.0 { cubes / (6.0 * squares * libm::sqrt(squares)) } else { 0.0 }
    }
}

/// The probabilities below the lower and above the upper limit, given the share of the
/// distribution below the estimate. Nothing where that is 0 or 1.
#[must_use]
pub fn bca_tails(share: f64, acceleration: f64, tail: f64) -> Option<(f64, f64)> {
    if share <= 0.0 || share >= 1.0 {
        return None;
    }
    let (bias, z) = (normal_quantile(share), normal_quantile(tail));
    let below = |z: f64| {
        let w = bias + z;
        let stretch = 1.0 - acceleration * w;
        // Past the pole of the transformation there is nothing left to leave out.
        (stretch > 0.0).then(|| libm::erfc(-(bias + w / stretch) / std::f64::consts::SQRT_2) / 2.0)
    };
    Some((below(z)?, 1.0 - below(-z)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_bias_or_skew_it_is_the_percentile() {
        let (low, high) = bca_tails(0.5, 0.0, 0.025).unwrap();
        assert!((low - 0.025).abs() < 1e-15 && (high - 0.025).abs() < 1e-15);
        assert_eq!(bca_tails(1.0, 0.0, 0.025), None);
    }

    #[test]
    fn acceleration_is_that_of_the_mean() {
        // Sum of cubes over six times the sum of squares to 3/2: values 0, 0, 3 about 1.
        let units = Units::new(&[(0.0, 1.0), (0.0, 1.0), (3.0, 1.0)], 1.0);
        let expected = 6.0 / (6.0 * 6.0_f64.powf(1.5));
        assert!((units.acceleration() - expected).abs() < 1e-15);
    }
}
