//! Permutation test of paired or clustered differences: each as likely with the other sign.

use rayon::prelude::*;

use crate::infer::fisher::Alternative;
use crate::infer::labels::{Counting, Found, How};
use crate::infer::permutation::{flip_parts, ln_flip_p_value};
use crate::resample::lattice;
use crate::resample::stream::{Stream, combine};
use crate::watch::Watch;

/// Steps of a count that a test of its own may take, and of one that must be exact.
const AFFORDABLE: f64 = 1e9;
const PATIENT: f64 = 2e10;
/// Differences whose signs may be gone through one by one.
const LISTED: usize = 20;

/// Tests whether differences, in units, are symmetric about zero; nothing where no exact count is
/// possible but wanted. Sums that are nearer than `slack` to the observed one count as equal to it.
///
/// Fisher (1935), "The Design of Experiments", section 21.
#[must_use]
pub fn flip(differences: &[i64], slack: i128, how: &How) -> Option<Found> {
    let observed: i128 = differences.iter().map(|d| i128::from(*d)).sum();
    let mut sizes: Vec<u64> =
        differences.iter().map(|d| d.unsigned_abs()).filter(|size| *size > 0).collect();
    sizes.sort_unstable();
    if how.counting != Counting::MonteCarlo {
        let patience = if how.counting == Counting::Exact { PATIENT } else { AFFORDABLE };
        if let Some(ln_p) = exactly(&sizes, observed, slack, how, patience) {
            return Some(Found { ln_p: ln_p.min(0.0), n_resamples: None });
        }
        if how.counting == Counting::Exact {
            return None;
        }
    }
    Some(drawn(&sizes, observed, slack, how))
}

/// Natural logarithm of the p-value from a count, where that is affordable.
fn exactly(sizes: &[u64], observed: i128, slack: i128, how: &How, patience: f64) -> Option<f64> {
    if slack == 0
        && let Some(lattice) = Lattice::new(sizes, observed)
        && lattice::steps(&flip_parts(&lattice.kinds)) <= patience
    {
        return Some(lattice.ln_p(how.alternative, how.watch));
    }
    (sizes.len() <= LISTED).then(|| listed(sizes, observed, slack, how.alternative))
}

/// Sizes of differences with their numbers, and the observed sum, in units of what divides all.
struct Lattice {
    kinds: Vec<(u64, u64)>,
    observed: i64,
}

impl Lattice {
    /// Nothing where the sum of all sizes is too large to count to.
    fn new(sizes: &[u64], observed: i128) -> Option<Self> {
        let unit = sizes.iter().copied().fold(0, greatest_divisor).max(1);
        let kinds: Vec<(u64, u64)> =
            sizes.chunk_by(|a, b| a == b).map(|run| (run[0] / unit, run.len() as u64)).collect();
        let total: u128 = kinds.iter().map(|(s, n)| u128::from(*s) * u128::from(*n)).sum();
        let observed = i64::try_from(observed / i128::from(unit)).ok()?;
        (total < 1 << 40).then_some(Self { kinds, observed })
    }

    fn ln_p(&self, alternative: Alternative, watch: &Watch) -> f64 {
        let above = match alternative {
            Alternative::TwoSided => return ln_flip_p_value(&self.kinds, self.observed, watch),
            Alternative::Greater => self.observed,
            Alternative::Less => -self.observed,
        };
        if above > 0 {
            return ln_flip_p_value(&self.kinds, above, watch) - std::f64::consts::LN_2;
        }
        // All but the sums beyond its mirror image, of which the nearest is two units away.
        let beyond = ln_flip_p_value(&self.kinds, 2 - above, watch) - std::f64::consts::LN_2;
        libm::log1p(-libm::exp(beyond))
    }
}

/// All choices of signs, one by one.
fn listed(sizes: &[u64], observed: i128, slack: i128, alternative: Alternative) -> f64 {
    let total: i128 = sizes.iter().map(|size| i128::from(*size)).sum();
    let choices = 1_u32 << sizes.len().min(LISTED);
    let evidence = (0..choices)
        .filter(|choice| {
            let negative = sizes.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1);
            let sum = total - 2 * negative.map(|(_, size)| i128::from(*size)).sum::<i128>();
            holds(sum, observed, slack, alternative)
        })
        .count();
    libm::log(evidence as f64 / f64::from(choices))
}

fn holds(sum: i128, observed: i128, slack: i128, alternative: Alternative) -> bool {
    match alternative {
        Alternative::TwoSided => sum.abs() + slack >= observed.abs(),
        Alternative::Greater => sum + slack >= observed,
        Alternative::Less => sum - slack <= observed,
    }
}

/// Draws that take their turns at some sizes while these are in cache.
const TOGETHER: u32 = 256;
/// Signs that one word draws.
const SIGNS: usize = 64;
/// Signs that are looked up at once.
const AT_ONCE: usize = 4;

/// One random word a draw signs 64 sizes. What the 16 choices of signs of four sizes add up to is
/// made once for some draws, which then look it up.
fn drawn(sizes: &[u64], observed: i128, slack: i128, how: &How) -> Found {
    let key = sizes.iter().copied().fold(0, combine);
    let total: i128 = sizes.iter().map(|size| i128::from(*size)).sum();
    let blocks = how.n_resamples.div_ceil(TOGETHER);
    let evidence = (0..blocks).into_par_iter().map(|block| {
        let first = block * TOGETHER;
        let last = first.saturating_add(TOGETHER).min(how.n_resamples);
        let stream = |replicate| (Stream::new(how.seed, key, u64::from(replicate)), 0_i128);
        let mut draws: Vec<(Stream, i128)> = (first..last).map(stream).collect();
        for signed in sizes.chunks(SIGNS) {
            if how.watch.stopped() {
                break;
            }
            let sums = subset_sums(signed);
            for (stream, negative) in &mut draws {
                let mut bits = stream.next_u64();
                for sums in &sums {
                    *negative += sums[(bits % 16) as usize];
                    bits >>= AT_ONCE;
                }
            }
        }
        how.watch.look();
        how.watch.drawn(draws.len());
        let sums = draws.iter().map(|(_, negative)| total - 2 * negative);
        sums.filter(|sum| holds(*sum, observed, slack, how.alternative)).count()
    });
    let evidence: usize = evidence.sum();
    let p = (evidence + 1) as f64 / (u64::from(how.n_resamples) + 1) as f64;
    Found { ln_p: libm::log(p), n_resamples: Some(how.n_resamples) }
}

/// Of every four sizes what those add up to that a choice of four bits, the first the lowest, names.
fn subset_sums(sizes: &[u64]) -> [[i128; 1 << AT_ONCE]; SIGNS / AT_ONCE] {
    let mut all = [[0; 1 << AT_ONCE]; SIGNS / AT_ONCE];
    for (sums, sizes) in all.iter_mut().zip(sizes.chunks(AT_ONCE)) {
        for (i, size) in sizes.iter().enumerate() {
            for choice in 0..1 << i {
                sums[choice | 1 << i] = sums[choice] + i128::from(*size);
            }
        }
        // Bits beyond the last size choose nothing.
        let known = 1 << sizes.len();
        for choice in known..sums.len() {
            sums[choice] = sums[choice % known];
        }
    }
    all
}

fn greatest_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDES: [Alternative; 3] =
        [Alternative::TwoSided, Alternative::Less, Alternative::Greater];

    #[test]
    fn three_ways_agree() {
        for differences in [vec![3, 2, -1, 0, 4], vec![-2, -4, 6, -10, 2, 2], vec![5], vec![1, -1]]
        {
            for alternative in SIDES {
                let watch = Watch::nobody();
                let how =
                    |counting| How { alternative, counting, n_resamples: 19_999, seed: 3, watch };
                let exact = flip(&differences, 0, &how(Counting::Exact)).unwrap();
                let sizes: Vec<u64> = differences
                    .iter()
                    .map(|d: &i64| d.unsigned_abs())
                    .filter(|size| *size > 0)
                    .collect();
                let observed = differences.iter().sum::<i64>();
                let one_by_one = listed(&sizes, observed.into(), 0, alternative);
                assert!((exact.ln_p - one_by_one).abs() < 1e-13, "{differences:?} {alternative:?}");
                let drawn = flip(&differences, 0, &how(Counting::MonteCarlo)).unwrap();
                assert!((libm::exp(drawn.ln_p) - libm::exp(exact.ln_p)).abs() < 0.02);
            }
        }
    }

    #[test]
    fn draws_are_those_of_one_sign_after_another() {
        let sizes: Vec<u64> = (1..=150).map(|i| i * i * 7919 % 1009 + (u64::MAX >> 8)).collect();
        for count in [1, 3, 63, 64, 65, 130, 150] {
            let (sizes, watch) = (&sizes[..count], Watch::nobody());
            let key = sizes.iter().copied().fold(0, combine);
            let total: i128 = sizes.iter().map(|size| i128::from(*size)).sum();
            let signed = |replicate: u32| {
                let mut stream = Stream::new(5, key, u64::from(replicate));
                let words: Vec<u64> = (0..count.div_ceil(64)).map(|_| stream.next_u64()).collect();
                let negative = |i: &usize| words[i / 64] >> (i % 64) & 1 == 1;
                let chosen = (0..count).filter(negative).map(|i| i128::from(sizes[i]));
                total - 2 * chosen.sum::<i128>()
            };
            for observed in [0, 1, total / 9, total / 3] {
                for alternative in SIDES {
                    let counting = Counting::MonteCarlo;
                    let how = How { alternative, counting, n_resamples: 700, seed: 5, watch };
                    let evidence =
                        (0..700).filter(|r| holds(signed(*r), observed, 0, alternative)).count();
                    let p = (evidence + 1) as f64 / 701.0;
                    let found = drawn(sizes, observed, 0, &how);
                    assert!((libm::exp(found.ln_p) - p).abs() < 1e-12, "{count} {observed}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_no_evidence() {
        for differences in [vec![], vec![0, 0, 0]] {
            for alternative in SIDES {
                for counting in [Counting::Auto, Counting::MonteCarlo] {
                    let watch = Watch::nobody();
                    let how = How { alternative, counting, n_resamples: 99, seed: 0, watch };
                    assert!(flip(&differences, 0, &how).unwrap().ln_p.abs() < 1e-15);
                }
            }
        }
    }
}
