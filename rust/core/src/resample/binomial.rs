//! Random binomial counts: what a resample holds of a kind of which there are many.

use super::stream::Stream;
use crate::distributions::binomial_ln_pmf;

/// Expected count up to which counting up from zero is cheaper than a rejection.
const FEW: f64 = 10.0;
/// No count of so few expected comes near this: P < 1e-70.
const NEVER: u64 = 110;

/// How many of `n` independent trials succeed, each with probability `p`.
///
/// Counting up where few are expected (inversion), and otherwise Hörmann's transformed rejection
/// (1993, "The generation of binomial random variates", Journal of Statistical Computation and
/// Simulation 46:101, algorithm BTRS), whose densities are compared in full here.
pub(super) fn draw(stream: &mut Stream, n: u64, p: f64) -> u64 {
    if n == 0 || p <= 0.0 {
        0
    } else if p >= 1.0 {
        n
    } else if p > 0.5 {
        n - draw(stream, n, 1.0 - p)
    } else if n as f64 * p < FEW {
        counted(stream, n, p)
    } else {
        rejected(stream, n, p)
    }
}

fn counted(stream: &mut Stream, n: u64, p: f64) -> u64 {
    let odds = p / (1.0 - p);
    let none = libm::exp(n as f64 * libm::log1p(-p));
    loop {
        let (mut left, mut count, mut chance) = (stream.unit(), 0, none);
        while left > chance && count < n.min(NEVER) {
            left -= chance;
            chance *= odds * (n - count) as f64 / (count + 1) as f64;
            count += 1;
        }
        if left <= chance {
            return count;
        }
    }
}

fn rejected(stream: &mut Stream, n: u64, p: f64) -> u64 {
    let trials = n as f64;
    let spread = libm::sqrt(trials * p * (1.0 - p));
    let b = 1.15 + 2.53 * spread;
    let a = -0.0873 + 0.0248 * b + 0.01 * p;
    let squeeze = 0.92 - 4.2 / b;
    loop {
        let (u, v) = (stream.unit() - 0.5, stream.unit());
        let edge = 0.5 - u.abs();
        let place = ((2.0 * a / edge + b) * u + trials * p + 0.5).floor();
        if !(0.0..=trials).contains(&place) {
            continue;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let count = place as u64;
        if edge >= 0.07 && v <= squeeze {
            return count;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let mode = ((trials + 1.0) * p) as u64;
        let height = v * (2.83 + 5.1 / b) * spread / (a / (edge * edge) + b);
        if libm::log(height) <= binomial_ln_pmf(count, n, p) - binomial_ln_pmf(mode, n, p) {
            return count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws fall into ranges as often as the exact probabilities say.
    #[test]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small values")]
    fn counts_have_their_probabilities() {
        let cases: [(u64, f64); 9] = [
            (1, 0.3),
            (7, 0.5),
            (40, 0.1),
            (96, 0.5),
            (96, 0.93),
            (10_000, 0.0007),
            (10_000, 0.4),
            (3_000_000_000, 0.25),
            (1 << 50, 1e-13),
        ];
        for (n, p) in cases {
            let mut stream = Stream::new(5, n, 0);
            let draws = 60_000;
            let (mean, spread) = (n as f64 * p, (n as f64 * p * (1.0 - p)).sqrt());
            // Eleven ranges, about half a standard deviation wide.
            let edges: Vec<f64> =
                (-5..=5).map(|i| (mean + f64::from(i) * 0.5 * spread).floor()).collect();
            let mut seen = [0_u32; 12];
            for _ in 0..draws {
                let count = draw(&mut stream, n, p) as f64;
                seen[edges.iter().filter(|edge| count > **edge).count()] += 1;
            }
            let below = |edge: f64| {
                if edge < 0.0 {
                    return 0.0;
                }
                if n > 1 << 40 {
                    // As good as Poisson.
                    let mut term = libm::exp(-mean);
                    let mut sum = 0.0;
                    for i in 0..=(edge as u32) {
                        sum += term;
                        term *= mean / f64::from(i + 1);
                    }
                    return sum;
                }
                if n > 1 << 20 {
                    return libm::erfc(-(edge + 0.5 - mean) / spread / 2.0_f64.sqrt()) / 2.0;
                }
                (0..=(edge as u64).min(n)).map(|k| libm::exp(binomial_ln_pmf(k, n, p))).sum()
            };
            let sums: Vec<f64> = edges.iter().map(|edge| below(*edge)).collect();
            let (mut chi2, mut ranges) = (0.0, 0);
            for (i, count) in seen.iter().enumerate() {
                let low = if i == 0 { 0.0 } else { sums[i - 1] };
                let high = sums.get(i).copied().unwrap_or(1.0);
                let expected = f64::from(draws) * (high - low);
                if expected > 5.0 {
                    chi2 += (f64::from(*count) - expected).powi(2) / expected;
                    ranges += 1;
                } else {
                    assert!(f64::from(*count) < expected + 20.0, "{n} {p} {i}");
                }
            }
            assert!(chi2 < f64::from(ranges) + 25.0, "{n} {p}: {chi2} in {ranges}");
        }
    }
}
