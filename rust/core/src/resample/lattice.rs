//! Exact distribution of a sum of independent integer variables.
//!
//! Two ways to the same numbers: direct convolution, where every term is positive and nothing
//! cancels, and powers of characteristic functions inverted over a window, where there are
//! too many variables for that. Tail probabilities are taken from the exponentially tilted
//! sum, whose mean is the threshold, so that they keep their relative precision at any depth
//! (Kolassa 2006, "Series Approximation Methods in Statistics", chapter 4, uses the tilt for
//! approximations; here nothing is approximated).

// Values, counts and lengths are sums over trials, far below 2^63.
#![allow(clippy::cast_possible_wrap)]

use std::f64::consts::TAU;

use super::fourier::{Complex, Fourier, above};
use crate::watch::Watch;

/// `count` independent copies of a variable that takes some values with some probabilities.
#[derive(Clone, Debug)]
pub struct Part {
    /// Values in ascending order, each with its positive probability.
    points: Vec<(i64, f64)>,
    count: u64,
}

/// What a characteristic function may be below, as a logarithm, to count as nothing.
const LN_NOTHING: f64 = -100.0;
/// Tail mass that a window of the inversion may leave outside, as a logarithm.
const LN_OUTSIDE: f64 = -50.0;
/// After tilting, weights below this share of the largest cannot be seen in any result.
const NEGLIGIBLE: f64 = 1e-32;
/// Positions per unit that a centre is rounded to.
const GRID: f64 = 1_048_576.0;
/// A target probability counts as reached to within this relative tolerance.
pub(super) const REACHED: f64 = 1.0 - 1e-12;

impl Part {
    /// A variable whose values, in ascending order, have probabilities proportional to their
    /// weights, of which at least one is positive.
    #[must_use]
    pub fn new(points: impl IntoIterator<Item = (i64, f64)>, count: u64) -> Self {
        Self::above(0.0, points, count)
    }

    /// Keeps the points whose weight is above this share of the largest.
    fn above(share: f64, points: impl IntoIterator<Item = (i64, f64)>, count: u64) -> Self {
        let mut points: Vec<(i64, f64)> = points.into_iter().collect();
        let largest = points.iter().map(|point| point.1).fold(0.0, f64::max);
        points.retain(|point| point.1 > largest * share);
        let total: f64 = points.iter().map(|point| point.1).sum();
        for point in &mut points {
            point.1 /= total;
        }
        Self { points, count }
    }

    fn first(&self) -> i64 {
        self.points.first().map_or(0, |point| point.0)
    }

    fn last(&self) -> i64 {
        self.points.last().map_or(0, |point| point.0)
    }

    /// The end of the support that a tilt favours.
    fn anchor(&self, tilt: f64) -> i64 {
        if tilt > 0.0 { self.last() } else { self.first() }
    }

    /// The points with their tilted weights, at most the weight itself.
    fn tilted_points(&self, tilt: f64) -> impl Iterator<Item = (i64, f64)> {
        let anchor = self.anchor(tilt);
        self.points.iter().map(move |(x, w)| (*x, w * libm::exp(tilt * (x - anchor) as f64)))
    }

    /// Cumulant generating function at `tilt`, and its first derivative, of one copy.
    fn cumulant(&self, tilt: f64) -> (f64, f64) {
        let anchor = self.anchor(tilt);
        let (mut mass, mut moment) = (0.0, 0.0);
        // From the anchor on; steps are mostly as long as the last one, and a product is cheaper
        // than an exponential.
        let (mut at, mut factor, mut step) = (anchor, 1.0, (0, 1.0));
        let mut add = |(x, weight): &(i64, f64)| {
            if x - at != step.0 {
                step = (x - at, libm::exp(tilt * (x - at) as f64));
            }
            factor *= step.1;
            at = *x;
            mass += weight * factor;
            moment += weight * factor * (x - anchor) as f64;
        };
        if anchor == self.first() {
            self.points.iter().for_each(&mut add);
        } else {
            self.points.iter().rev().for_each(&mut add);
        }
        (tilt * anchor as f64 + libm::log(mass), anchor as f64 + moment / mass)
    }

    /// Cumulant generating function of one copy minus `centre`, precise where it is small.
    fn cumulant_about(&self, centre: f64, tilt: f64) -> f64 {
        // The cap only meets weights below the smallest double.
        let term = |(x, w): &(i64, f64)| w * libm::expm1((tilt * (*x as f64 - centre)).min(700.0));
        let excess: f64 = self.points.iter().map(term).sum();
        if excess.abs() < 0.5 {
            return libm::log1p(excess);
        }
        // Towards -1 that sum would lose all digits, and needs none of its care.
        let mass: f64 = self.tilted_points(tilt).map(|point| point.1).sum();
        libm::log(mass) + tilt * (self.anchor(tilt) as f64 - centre)
    }

    fn tilted(&self, tilt: f64) -> Self {
        Self::above(NEGLIGIBLE, self.tilted_points(tilt), self.count)
    }

    fn variance(&self) -> f64 {
        let mean = self.cumulant(0.0).1;
        self.points.iter().map(|(x, w)| w * (*x as f64 - mean) * (*x as f64 - mean)).sum()
    }
}

/// Probabilities of the consecutive integers from `first` on.
#[derive(Clone, Debug)]
pub struct Distribution {
    first: i64,
    probabilities: Vec<f64>,
}

impl Distribution {
    /// Exact distribution of the sum, up to mass of about 1e-21 that is left out on each side.
    #[must_use]
    pub fn of_sum(parts: &[Part], watch: &Watch) -> Self {
        let direct = direct_cost(parts);
        if direct < search_cost(parts) {
            return convolve(parts, watch);
        }
        let window = window(parts);
        if direct < inversion_cost(parts, window) {
            convolve(parts, watch)
        } else {
            invert(parts, window, watch)
        }
    }

    /// The smallest x with P(X <= x) >= `low` and the largest x with P(X >= x) >= `high`.
    #[must_use]
    pub fn quantiles(&self, (low, high): (f64, f64)) -> (i64, i64) {
        let reached = |tail: f64| {
            let mut sum = 0.0;
            move |p: &f64| {
                sum += p;
                sum >= tail * REACHED
            }
        };
        let last = self.probabilities.len().saturating_sub(1);
        let low = self.probabilities.iter().position(reached(low)).unwrap_or(last) as i64;
        let high = self.probabilities.iter().rev().position(reached(high)).unwrap_or(last) as i64;
        (self.first + low, self.first + last as i64 - high)
    }

    /// P(X < x), and half of P(X = x).
    #[must_use]
    pub fn share_below(&self, x: i64) -> f64 {
        let places = (self.first..).zip(&self.probabilities);
        let upto = places.take_while(|(place, _)| *place <= x);
        upto.map(|(place, p)| if place < x { *p } else { p / 2.0 }).sum()
    }
}

/// About how many steps it takes to find the distribution of the sum.
#[must_use]
pub fn steps(parts: &[Part]) -> f64 {
    let direct = direct_cost(parts);
    let search = search_cost(parts);
    if direct < search { direct } else { direct.min(inversion_cost(parts, window(parts))) }
}

/// Natural logarithm of P(sum >= `threshold`), for a threshold above the mean.
#[must_use]
pub fn ln_upper_tail(parts: &[Part], threshold: i64, watch: &Watch) -> f64 {
    let top: i64 = parts.iter().map(|p| p.last() * p.count as i64).sum();
    if threshold > top {
        return f64::NEG_INFINITY;
    }
    if threshold == top {
        let ends = parts.iter().map(|p| p.points.last().map_or(0.0, |end| libm::log(end.1)));
        return ends.zip(parts).map(|(ln, p)| ln * p.count as f64).sum();
    }
    let target = threshold as f64;
    let tilt = solve(|s| total_cumulant(parts, s).1 >= target, 1.0);
    let tilted: Vec<Part> = parts.iter().map(|p| p.tilted(tilt)).collect();
    let sum = Distribution::of_sum(&tilted, watch);
    let beyond: f64 = (sum.first..)
        .zip(&sum.probabilities)
        .skip_while(|(x, _)| *x < threshold)
        .map(|(x, p)| p * libm::exp(-tilt * (x - threshold) as f64))
        .sum();
    // Each part is measured from its tilted mean, on a grid coarse enough that multiples of it
    // stay exact: the large terms of the cumulant and of the tilt never meet to cancel.
    let (mut exponent, mut centre) = (0.0, -target);
    for part in parts {
        let mean = libm::round(part.cumulant(tilt).1 * GRID) / GRID;
        exponent += part.count as f64 * part.cumulant_about(mean, tilt);
        centre += part.count as f64 * mean;
    }
    (exponent + tilt * centre + libm::log(beyond)).min(0.0)
}

fn total_cumulant(parts: &[Part], tilt: f64) -> (f64, f64) {
    parts.iter().fold((0.0, 0.0), |(k, mean), part| {
        let (k1, mean1) = part.cumulant(tilt);
        (k + part.count as f64 * k1, mean + part.count as f64 * mean1)
    })
}

/// Where a monotone condition on |s| becomes true, to about four digits, from the true side;
/// `sign` is the side of zero searched. A tilt need not be exact: any value near serves.
fn solve(reached: impl Fn(f64) -> bool, sign: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1e-3);
    while !reached(sign * high) && high < 1e4 {
        low = high;
        high *= 2.0;
    }
    for _ in 0..12 {
        let middle = f64::midpoint(low, high);
        if reached(sign * middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    sign * high
}

/// Smallest and largest value that the inversion must cover, by Chernoff's bound.
pub(super) fn window(parts: &[Part]) -> (i64, i64) {
    let bottom: i64 = parts.iter().map(|p| p.first() * p.count as i64).sum();
    let top: i64 = parts.iter().map(|p| p.last() * p.count as i64).sum();
    let edge = |sign: f64| {
        let s = solve(
            |s| {
                let (k, mean) = total_cumulant(parts, s);
                k - s * mean <= LN_OUTSIDE
                    || mean >= top as f64 - 0.5
                    || mean <= bottom as f64 + 0.5
            },
            sign,
        );
        total_cumulant(parts, s).1
    };
    #[expect(clippy::cast_possible_truncation)]
    let (low, high) = (edge(-1.0).floor() as i64, edge(1.0).ceil() as i64);
    (low.clamp(bottom, top), high.clamp(bottom, top))
}

fn direct_cost(parts: &[Part]) -> f64 {
    // Convolution drops negligible ends, which leaves about this many standard deviations.
    let variance: f64 = parts.iter().map(|p| p.variance() * p.count as f64).sum();
    let widest = 25.0 * libm::sqrt(variance) + 1.0;
    let (mut cost, mut length) = (0.0, 1.0);
    for part in parts {
        let (span, count) = ((part.last() - part.first()) as f64, part.count as f64);
        let mean_length = (length + span * count / 2.0).min(widest);
        cost += part.points.len() as f64 * count * mean_length;
        length = (length + span * count).min(widest);
    }
    cost
}

/// What a window costs to look for: some seventy tilts of every point. A convolution that costs
/// less is done at once.
fn search_cost(parts: &[Part]) -> f64 {
    let points: usize = parts.iter().map(|p| p.points.len()).sum();
    1e5 + 2e3 * points as f64
}

fn inversion_cost(parts: &[Part], window: (i64, i64)) -> f64 {
    let terms: usize = parts.iter().map(|p| p.points.len()).sum();
    let width = (window.1 - window.0 + 1) as f64;
    // Away from zero the angles of points are as good as random, and a characteristic function is
    // about the root of one over their number: with few or small parts it never comes to nothing.
    let ln_floor: f64 =
        parts.iter().map(|p| p.count as f64 * libm::log(p.points.len() as f64) / 2.0).sum();
    // Of the frequencies about those speak that lie within 14 standard deviations of zero, where
    // 20 are the width of the window. That the others do not is found in steps, which are the
    // longer, the shorter the parts are and the further below nothing their product is: measured,
    // on sums of 300 to 5,000 signs.
    let longest = parts.iter().map(|p| p.last() - p.first()).max().unwrap_or(0) as f64;
    let below = (ln_floor + LN_NOTHING).max(f64::MIN_POSITIVE);
    let frequencies = (100.0 + 500.0 * longest / below).min(width);
    // A sine and a cosine cost about as much as a hundred steps of a convolution.
    width * 60.0 + frequencies * 100.0 * terms as f64
}

fn convolve(parts: &[Part], watch: &Watch) -> Distribution {
    let (mut first, mut sum, mut next) = (0, vec![1.0], Vec::new());
    for part in parts {
        let span = usize::try_from(part.last() - part.first()).unwrap_or(0);
        for _ in 0..part.count {
            watch.look();
            next.clear();
            if let Some((_, w)) = part.points.first() {
                next.extend(sum.iter().map(|p| p * w));
            }
            next.resize(sum.len() + span, 0.0);
            for (x, w) in part.points.iter().skip(1) {
                let shift = usize::try_from(x - part.first()).unwrap_or(0);
                for (slot, p) in next[shift..].iter_mut().zip(&sum) {
                    *slot += p * w;
                }
            }
            let largest = largest(&next);
            let keep = |p: &f64| *p > largest * NEGLIGIBLE;
            let start = next.iter().position(keep).unwrap_or(0);
            let end = next.iter().rposition(keep).map_or(next.len(), |last| last + 1);
            first += part.first() + start as i64;
            next.truncate(end);
            next.drain(..start);
            std::mem::swap(&mut sum, &mut next);
        }
    }
    Distribution { first, probabilities: sum }
}

/// In lanes, because the maximum of floats one by one waits for each before it.
fn largest(weights: &[f64]) -> f64 {
    let more = |a: f64, b: f64| if b > a { b } else { a };
    let (eights, rest) = weights.as_chunks::<8>();
    let lanes = eights
        .iter()
        .fold([0.0; 8], |lanes, eight| std::array::from_fn(|lane| more(lanes[lane], eight[lane])));
    lanes.iter().chain(rest).copied().fold(0.0, more)
}

fn invert(parts: &[Part], (low, high): (i64, i64), watch: &Watch) -> Distribution {
    let size = usize::try_from(high - low + 1).unwrap_or(1).next_power_of_two();
    // Each variable is centred, so that angles stay small where the product is not negligible
    // and their rounding is not multiplied up by the count.
    let centres: Vec<i64> = parts
        .iter()
        .map(|p| {
            #[expect(clippy::cast_possible_truncation)]
            let mean = p.cumulant(0.0).1.round() as i64;
            mean
        })
        .collect();
    let shift: i64 = centres.iter().zip(parts).map(|(c, p)| c * p.count as i64).sum::<i64>() - low;
    // A characteristic function changes by at most the mean distance from the centre.
    let distance = |part: &Part, centre: &i64| -> f64 {
        part.points.iter().map(|(x, w)| w * (x - centre).abs() as f64).sum()
    };
    let slopes: Vec<f64> = parts.iter().zip(&centres).map(|(p, c)| distance(p, c)).collect();
    // The angle, the logarithm of the size, and the most that this can be within reach.
    let mut characteristic = |j: usize, reach: f64| {
        watch.look();
        let omega = TAU * j as f64 / size as f64;
        let (mut ln_magnitude, mut most, mut angle) = (0.0, 0.0, 0.0);
        for ((part, centre), slope) in parts.iter().zip(&centres).zip(&slopes) {
            // 1 - Re and Im of the characteristic function: log1p of them keeps the digits
            // that a power with a large exponent needs.
            let (mut u, mut v) = (0.0, 0.0);
            for (x, w) in &part.points {
                let half = omega * (x - centre) as f64 / 2.0;
                let (sine, cosine) = (libm::sin(half), libm::cos(half));
                u += 2.0 * w * sine * sine;
                v += 2.0 * w * sine * cosine;
            }
            let square = (u * u + v * v - 2.0 * u).max(-1.0);
            let ln_size = 0.5 * libm::log1p(square);
            let nearby = libm::exp(ln_size) + slope * reach * TAU / size as f64;
            ln_magnitude += part.count as f64 * ln_size;
            most += part.count as f64 * libm::log(nearby).min(0.0);
            angle += part.count as f64 * libm::atan2(v, 1.0 - u);
        }
        ((angle, ln_magnitude), ln_magnitude, most)
    };
    let mut spectrum = vec![Complex::default(); size];
    for (j, (angle, ln_magnitude)) in above(size / 2, LN_NOTHING, &mut characteristic) {
        let turns = (shift.rem_euclid(size as i64) as u128 * j as u128 % size as u128) as f64;
        let phase = angle + TAU * turns / size as f64;
        let magnitude = libm::exp(ln_magnitude);
        let value = Complex { re: magnitude * libm::cos(phase), im: magnitude * libm::sin(phase) };
        spectrum[j] = value;
        if j > 0 && j < size / 2 {
            spectrum[size - j] = Complex { re: value.re, im: -value.im };
        }
    }
    Fourier::new(size).transform(&mut spectrum);
    let probabilities = spectrum.iter().map(|c| (c.re / size as f64).max(0.0)).collect();
    Distribution { first: low, probabilities }
}

#[cfg(test)]
#[expect(
    clippy::float_cmp,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small, exact values"
)]
mod tests {
    use super::*;
    use crate::distributions::{binomial_ln_lower_tail, binomial_quantile};

    fn coins(n: u64, p: f64) -> Vec<Part> {
        vec![Part::new([(0, 1.0 - p), (1, p)], n)]
    }

    fn mixed() -> Vec<Part> {
        vec![
            Part::new([(-1, 0.2), (0, 0.5), (1, 0.3)], 40),
            Part::new([(0, 0.9), (3, 0.1)], 25),
            Part::new([(2, 1.0)], 3),
        ]
    }

    #[test]
    fn both_ways_agree() {
        let parts = mixed();
        let direct = convolve(&parts, Watch::nobody());
        let window = window(&parts);
        let inverse = invert(&parts, window, Watch::nobody());
        for (x, p) in (inverse.first..=window.1).zip(&inverse.probabilities) {
            let expected = direct.probabilities[usize::try_from(x - direct.first).unwrap()];
            assert!((p - expected).abs() < 1e-15, "{x}: {p} {expected}");
        }
        assert_eq!(direct.quantiles((0.025, 0.025)), inverse.quantiles((0.025, 0.025)));
    }

    #[test]
    fn tails_are_binomial_at_any_depth_and_size() {
        for n in [20_u64, 1_000, 100_000, 1_000_000] {
            for share in [0.55, 0.7, 0.95] {
                let k = (n as f64 * share) as u64;
                let exact = binomial_ln_lower_tail(n - k, n, 0.5);
                let tail = ln_upper_tail(&coins(n, 0.5), k as i64, Watch::nobody());
                // An error in the logarithm is a relative error of the probability.
                let allowed = 1e-12_f64.max(exact.abs() * 4e-15);
                assert!((tail - exact).abs() < allowed, "{n} {share}: {tail} {exact}");
            }
        }
    }

    #[test]
    fn ends_of_the_support() {
        let all = ln_upper_tail(&coins(50, 0.5), 50, Watch::nobody());
        assert!((all + 50.0 * std::f64::consts::LN_2).abs() < 1e-13);
        assert_eq!(ln_upper_tail(&coins(50, 0.5), 51, Watch::nobody()), f64::NEG_INFINITY);
    }

    #[test]
    fn quantiles_are_binomial() {
        for (k, n) in [(37_u64, 96_u64), (1, 96), (500_000, 1_000_000), (3, 100_000)] {
            let sum = Distribution::of_sum(&coins(n, k as f64 / n as f64), Watch::nobody());
            let (low, high) = sum.quantiles((0.025, 0.025));
            assert_eq!(low as u64, binomial_quantile(k, n, 0.025));
            assert_eq!(high as u64, n - binomial_quantile(n - k, n, 0.025));
        }
    }
}
