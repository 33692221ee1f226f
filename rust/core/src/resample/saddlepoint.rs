//! Bootstrap intervals of a mean of real scores without a draw, by the saddlepoint of its sum.
//!
//! P(ratio <= r) is P(sum of (score - r size) <= 0), which Lugannani and Rice (1980, "Saddle point
//! approximation for the distribution of the sum of independent random variables", Advances in
//! Applied Probability 12:475) approximate from the cumulant generating function; of a bootstrap
//! that is the mean of exponentials over its own units (Davison and Hinkley 1988, "Saddlepoint
//! approximations in resampling methods", Biometrika 75:417).

use std::f64::consts::{PI, SQRT_2};

use super::draws::{Kind, Units, bca_tails};
use crate::distributions::normal_quantile;
use crate::plan::Bootstrap;

/// Nearer to the mean than this, in standard errors, the approximation's two poles are replaced
/// by the series in which they cancel.
const NEAR: f64 = 0.02;

/// The distribution of the ratio, less the ratio of all units.
struct Law<'a> {
    kinds: &'a [Kind],
    count: f64,
    /// Least and largest ratio of a unit.
    ends: (f64, f64),
    /// Standard deviation, to first order.
    error: f64,
}

/// Interval of the ratio. Nothing where the approximation does not reach so far out, as with few
/// different units, and for bootstrap-t, which asks for more than the ratio's distribution.
#[must_use]
pub fn interval(units: &Units, method: Bootstrap, tail: f64) -> Option<(f64, f64)> {
    let law = Law::of(&units.kinds);
    let at = units.centre + units.target;
    let between = |low: f64, high: f64| Some((law.quantile(low)?, law.quantile(1.0 - high)?));
    match method {
        Bootstrap::Percentile => between(tail, tail).map(|(low, high)| (at + low, at + high)),
        Bootstrap::Basic => between(tail, tail).map(|(low, high)| (at - high, at - low)),
        Bootstrap::Bca => {
            let (low, high) = bca_tails(law.below(0.0, &mut 0.0)?, units.acceleration(), tail)?;
            between(low, high).map(|(low, high)| (at + low, at + high))
        }
        Bootstrap::Studentized => None,
    }
}

impl<'a> Law<'a> {
    fn of(kinds: &'a [Kind]) -> Self {
        let total = |of: &dyn Fn(&Kind) -> f64| -> f64 {
            kinds.iter().map(|kind| of(kind) * kind.times as f64).sum()
        };
        let ratios = kinds.iter().map(|kind| kind.sum / kind.size);
        let ends = ratios.fold((f64::INFINITY, f64::NEG_INFINITY), |ends, ratio| {
            (ratio.min(ends.0), ratio.max(ends.1))
        });
        let error = libm::sqrt(total(&|kind| kind.sum * kind.sum)) / total(&|kind| kind.size);
        Self { kinds, count: total(&|_| 1.0), ends, error }
    }

    /// The mean over units of what is made of each unit's sum less `shift` times its size, in
    /// standard errors of the whole.
    fn mean<const N: usize>(&self, shift: f64, of: impl Fn(f64) -> [f64; N]) -> [f64; N] {
        let mut means = [0.0; N];
        for kind in self.kinds {
            let share = kind.times as f64 / self.count;
            for (mean, value) in
                means.iter_mut().zip(of((kind.sum - shift * kind.size) / self.error))
            {
                *mean += share * value;
            }
        }
        means
    }

    /// Where the tilted mean is zero, from a first guess.
    fn tilt(&self, shift: f64, guess: f64) -> Option<f64> {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut tilt = guess;
        for _ in 0..200 {
            let [mass, first, second] = self.mean(shift, |y| {
                let weight = libm::exp(tilt * y);
                [weight, weight * y, weight * y * y]
            });
            let (mean, variance) = (first / mass, second / mass - (first / mass) * (first / mass));
            if mean.abs() <= 1e-13 * libm::sqrt(second / mass) {
                return Some(tilt);
            }
            // Too far out for the exponentials is too far out for the root.
            if mean > 0.0 || (!mean.is_finite() && tilt > 0.0) {
                high = tilt;
            } else {
                low = tilt;
            }
            let next = tilt - mean / variance;
            tilt = if next > low && next < high {
                next
            } else if low.is_finite() && high.is_finite() {
                let middle = f64::midpoint(low, high);
                if middle <= low || middle >= high {
                    return Some(tilt);
                }
                middle
            } else {
                tilt / 2.0
            };
        }
        None
    }

    /// The probability of at most `shift`; the tilt is kept as the next one's first guess.
    fn below(&self, shift: f64, tilt: &mut f64) -> Option<f64> {
        if !(shift > self.ends.0 && shift < self.ends.1) {
            return None;
        }
        *tilt = self.tilt(shift, *tilt)?;
        let t = *tilt;
        let [excess, mass, second] = self.mean(shift, |y| {
            let weight = libm::exp(t * y);
            [libm::expm1(t * y), weight, weight * y * y]
        });
        let w = libm::sqrt((-2.0 * self.count * libm::log1p(excess)).max(0.0)).copysign(t);
        let poles = if w.abs() < NEAR {
            let [mean] = self.mean(shift, |y| [y]);
            let [second, third, fourth] = self.mean(shift, |y| {
                let d = y - mean;
                [d * d, d * d * d, d * d * d * d]
            });
            let skewness = third / (second * libm::sqrt(second * self.count));
            let excess = (fourth / (second * second) - 3.0) / self.count;
            skewness / 6.0 + w * (excess / 8.0 - 5.0 * skewness * skewness / 24.0)
        } else {
            1.0 / w - 1.0 / (t * libm::sqrt(self.count * second / mass))
        };
        let density = libm::exp(-w * w / 2.0) / libm::sqrt(2.0 * PI);
        let below = libm::erfc(-w / SQRT_2) / 2.0 + density * poles;
        (below > 0.0 && below < 1.0).then_some(below)
    }

    /// Where the probability is reached, by secants over its normal quantile, which is almost a
    /// straight line.
    fn quantile(&self, probability: f64) -> Option<f64> {
        let wanted = normal_quantile(probability);
        if !wanted.is_finite() {
            return None;
        }
        let mut tilt = 0.0;
        let mut at = |shift: f64| Some(normal_quantile(self.below(shift, &mut tilt)?) - wanted);
        let mut last = (0.0, at(0.0)?);
        let mut slope = 1.0 / self.error;
        for _ in 0..100 {
            // Where the approximation does not reach that far, part of the way.
            let step = -last.1 / slope;
            let steps = (0..40).map(|halved| step / libm::exp2(f64::from(halved)));
            let next = steps.map(|step| last.0 + step).find_map(|next| Some((next, at(next)?)))?;
            if next.1.abs() <= 1e-11 {
                return Some(next.0);
            }
            slope = (next.1 - last.1) / (next.0 - last.0);
            // Past its turning point the approximation says nothing.
            if slope <= 0.0 || !slope.is_finite() {
                return (next.1.abs() <= 1e-8).then_some(next.0);
            }
            last = next;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;

    fn exponential(n: u32) -> Vec<Kind> {
        let score = |i: u32| -libm::log1p(-(f64::from(i) + 0.5) / f64::from(n));
        Kind::of((0..n).map(|i| (score(i), 1.0 + f64::from(i * i % 7))).collect())
    }

    fn centred(kinds: Vec<Kind>) -> Units {
        let total = |of: fn(&Kind) -> f64| kinds.iter().map(of).sum::<f64>();
        let ratio = total(|kind| kind.sum) / total(|kind| kind.size);
        Units::new(kinds, ratio)
    }

    #[test]
    fn draws_approach_it() {
        for n in [12, 60, 200] {
            let units = centred(exponential(n));
            let error = Law::of(&units.kinds).error;
            for method in [Bootstrap::Percentile, Bootstrap::Basic, Bootstrap::Bca] {
                let (low, high) = interval(&units, method, 0.025).unwrap();
                let drawn = units.interval(method, &Plan::draws(40_000, 1)).unwrap();
                let margin = |error_of_draws: f64| 4.0 * error_of_draws + 2e-3 * error;
                assert!((low - drawn.limits.0).abs() < margin(drawn.errors.0), "{n} {method:?}");
                assert!((high - drawn.limits.1).abs() < margin(drawn.errors.1), "{n} {method:?}");
            }
        }
    }

    #[test]
    fn nothing_breaks_at_the_mean() {
        let units = centred(exponential(50));
        let law = Law::of(&units.kinds);
        let at = |place: f64| law.below(place * law.error, &mut 0.0).unwrap();
        // Straight through the poles: second differences are small on either side and across.
        for step in [1e-9, 1e-6, 1e-4, 0.01, 0.019, 0.0201, 0.021, 0.03] {
            let bend = at(step) - 2.0 * at(0.0) + at(-step);
            assert!(bend.abs() < 1e-9 + 0.2 * step * step, "{step}: {bend}");
            let rise = (at(step) - at(-step)) / (2.0 * step);
            assert!((rise - 0.4).abs() < 0.01, "{step}: {rise}");
        }
    }

    #[test]
    fn normal_scores_give_normal_quantiles() {
        let scores = (1..2000).map(|i| (normal_quantile(f64::from(i) / 2000.0), 1.0)).collect();
        let units = centred(Kind::of(scores));
        let (low, high) = interval(&units, Bootstrap::Percentile, 0.025).unwrap();
        let error = Law::of(&units.kinds).error;
        assert!((high + low).abs() < 1e-9);
        assert!((high / error - 1.959_96).abs() < 1e-3, "{}", high / error);
    }

    #[test]
    fn few_units_do_not_reach_far_out() {
        let units = centred(Kind::of(vec![(0.0, 1.0), (1.0, 1.0)]));
        assert_eq!(interval(&units, Bootstrap::Percentile, 0.001), None);
        assert_eq!(interval(&units, Bootstrap::Studentized, 0.025), None);
        let skewed = centred(exponential(40));
        assert_eq!(interval(&skewed, Bootstrap::Bca, 1e-16), None);
        assert_eq!(interval(&skewed, Bootstrap::Percentile, 0.0), None);
    }
}
