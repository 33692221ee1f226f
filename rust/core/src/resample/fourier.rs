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

/// Sum over j of `x[j] exp(-2 pi i j k / N)` in place, for a power of two N.
pub(super) fn transform(x: &mut [Complex]) {
    let n = x.len();
    debug_assert!(n.is_power_of_two());
    let shift = usize::BITS - n.trailing_zeros();
    for i in 1..n {
        let j = i.reverse_bits() >> shift;
        if i < j {
            x.swap(i, j);
        }
    }
    let roots: Vec<Complex> = (0..n / 2)
        .map(|k| {
            let angle = -TAU * k as f64 / n as f64;
            Complex { re: libm::cos(angle), im: libm::sin(angle) }
        })
        .collect();
    let mut half = 1;
    while half < n {
        let stride = n / (2 * half);
        for block in x.chunks_exact_mut(2 * half) {
            let (left, right) = block.split_at_mut(half);
            for ((a, b), w) in left.iter_mut().zip(right).zip(roots.iter().step_by(stride)) {
                let t = b.times(*w);
                *b = Complex { re: a.re - t.re, im: a.im - t.im };
                *a = Complex { re: a.re + t.re, im: a.im + t.im };
            }
        }
        half *= 2;
    }
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
            transform(&mut output);
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
}
