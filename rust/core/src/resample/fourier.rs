//! A plain radix-2 Fourier transform.
//!
//! Libraries pick their instructions by processor and so give other last bits on another
//! machine; results here must not.

use std::f64::consts::TAU;

/// A complex number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Complex {
    pub(super) re: f64,
    pub(super) im: f64,
}

impl Complex {
    pub(super) fn times(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

/// A transform of one length, a power of two.
pub(super) struct Fourier {
    /// exp(-2 pi i k / N) for the first half of all k.
    roots: Vec<Complex>,
}

impl Fourier {
    pub(super) fn new(n: usize) -> Self {
        debug_assert!(n.is_power_of_two());
        let root = |k: usize| {
            let angle = -TAU * k as f64 / n as f64;
            Complex { re: libm::cos(angle), im: libm::sin(angle) }
        };
        Self { roots: (0..n / 2).map(root).collect() }
    }

    /// Sum over j of `x[j] exp(-2 pi i j k / N)` in place.
    pub(super) fn transform(&self, x: &mut [Complex]) {
        let n = x.len();
        let shift = usize::BITS - n.trailing_zeros();
        for i in 1..n {
            let j = i.reverse_bits() >> shift;
            if i < j {
                x.swap(i, j);
            }
        }
        let mut half = 1;
        while half < n {
            let stride = n / (2 * half);
            for block in x.chunks_exact_mut(2 * half) {
                let (left, right) = block.split_at_mut(half);
                let roots = self.roots.iter().step_by(stride);
                for ((a, b), w) in left.iter_mut().zip(right).zip(roots) {
                    let t = b.times(*w);
                    *b = Complex { re: a.re - t.re, im: a.im - t.im };
                    *a = Complex { re: a.re + t.re, im: a.im + t.im };
                }
            }
            half *= 2;
        }
    }
}

/// The places from 0 to `last`, in order, whose size is above `least`, each with its value.
///
/// `of` makes of a place its value, its size, and the most that the size can be so many places
/// from there: ranges that hold nothing are passed over.
pub(super) fn above<T>(
    last: usize,
    least: f64,
    of: &mut impl FnMut(usize, f64) -> (T, f64, f64),
) -> Vec<(usize, T)> {
    // Each range is put aside with what is to come after it, so that places come in order.
    enum Step<T> {
        Range(usize, usize),
        Found(usize, T),
    }
    let mut found = Vec::new();
    let mut steps = vec![Step::Range(0, last + 1)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Found(place, value) => found.push((place, value)),
            Step::Range(start, end) if start < end => {
                let middle = usize::midpoint(start, end);
                let reach = (middle - start).max(end - 1 - middle) as f64;
                let (value, size, most) = of(middle, reach);
                if most <= least {
                    continue;
                }
                steps.push(Step::Range(middle + 1, end));
                if size > least {
                    steps.push(Step::Found(middle, value));
                }
                steps.push(Step::Range(start, middle));
            }
            Step::Range(..) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_defining_sum() {
        for n in [1_usize, 2, 8, 64] {
            let input: Vec<Complex> =
                (0..n).map(|i| Complex { re: (i * i % 7) as f64, im: i as f64 }).collect();
            let mut output = input.clone();
            Fourier::new(n).transform(&mut output);
            for (k, value) in output.iter().enumerate() {
                let (mut re, mut im) = (0.0, 0.0);
                for (j, x) in input.iter().enumerate() {
                    let angle = -TAU * (j * k % n) as f64 / n as f64;
                    re += x.re * angle.cos() - x.im * angle.sin();
                    im += x.re * angle.sin() + x.im * angle.cos();
                }
                assert!((value.re - re).abs() < 1e-10 && (value.im - im).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn nothing_is_passed_over() {
        let size = |place: usize| ((place * place % 97) as f64 / 9.0).sin() + 1.0;
        let slope = (0..500).map(|i| (size(i + 1) - size(i)).abs()).fold(0.0, f64::max);
        for least in [0.0, 0.5, 1.9, 3.0] {
            let found = above(500, least, &mut |place, reach| {
                (place, size(place), size(place) + slope * reach)
            });
            let expected: Vec<_> = (0..=500)
                .filter(|place| size(*place) > least)
                .map(|place| (place, place))
                .collect();
            assert_eq!(found, expected);
        }
    }
}
