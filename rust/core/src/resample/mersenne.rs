//! CPython's `random.Random(seed).randrange`, bit for bit.
//!
//! Matsumoto and Nishimura (1998), doi:10.1145/272991.272995, seeded by the array method with
//! the 32-bit words of the seed, as CPython does for integers.

const N: usize = 624;
const M: usize = 397;

/// The Mersenne Twister in the state that `random.Random(seed)` starts with.
#[derive(Clone, Debug)]
pub struct Mersenne {
    state: [u32; N],
    outputs: [u32; N],
    next: usize,
}

impl Mersenne {
    /// The generator of `random.Random(seed)`.
    #[must_use]
    #[expect(clippy::cast_possible_truncation)]
    pub fn new(seed: u64) -> Self {
        let words = [seed as u32, (seed >> 32) as u32];
        let key = if words[1] == 0 { &words[..1] } else { &words[..] };

        let mut state = [0_u32; N];
        state[0] = 19_650_218;
        for i in 1..N {
            let previous = state[i - 1];
            state[i] =
                1_812_433_253_u32.wrapping_mul(previous ^ (previous >> 30)).wrapping_add(i as u32);
        }
        let (mut i, mut j) = (1, 0);
        for _ in 0..N {
            let previous = state[i - 1];
            state[i] = (state[i] ^ (previous ^ (previous >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(key[j])
                .wrapping_add(j as u32);
            i += 1;
            j = (j + 1) % key.len();
            if i == N {
                state[0] = state[N - 1];
                i = 1;
            }
        }
        for _ in 1..N {
            let previous = state[i - 1];
            state[i] = (state[i] ^ (previous ^ (previous >> 30)).wrapping_mul(1_566_083_941))
                .wrapping_sub(i as u32);
            i += 1;
            if i == N {
                state[0] = state[N - 1];
                i = 1;
            }
        }
        state[0] = 0x8000_0000;
        Self { state, outputs: [0; N], next: N }
    }

    fn refill(&mut self) {
        let twist = |high: u32, low: u32| {
            let y = (high & 0x8000_0000) | (low & 0x7fff_ffff);
            (y >> 1) ^ (0x9908_b0df & (y & 1).wrapping_neg())
        };
        let s = &mut self.state;
        for i in 0..N - M {
            s[i] = s[i + M] ^ twist(s[i], s[i + 1]);
        }
        for i in N - M..N - 1 {
            s[i] = s[i + M - N] ^ twist(s[i], s[i + 1]);
        }
        s[N - 1] = s[M - 1] ^ twist(s[N - 1], s[0]);
        for (output, word) in self.outputs.iter_mut().zip(&self.state) {
            let mut y = *word;
            y ^= y >> 11;
            y ^= (y << 7) & 0x9d2c_5680;
            y ^= (y << 15) & 0xefc6_0000;
            *output = y ^ (y >> 18);
        }
        self.next = 0;
    }

    /// Thirty-two random bits.
    #[cfg(test)]
    fn next_u32(&mut self) -> u32 {
        if self.next == N {
            self.refill();
        }
        let output = self.outputs[self.next];
        self.next += 1;
        output
    }

    /// Sum of `count` entries of the table at the places that `randrange(bound)` draws.
    ///
    /// `randrange` takes the top bits of one output and draws again until below the bound.
    /// Here a rejected draw adds the zero that stands there and is not counted, which costs
    /// less than a branch that nobody can predict.
    pub fn sum(&mut self, table: &Table, count: u32) -> i64 {
        let (mut sum, mut left) = (0, count);
        while left > 0 {
            if self.next == N {
                self.refill();
            }
            let outputs = self.outputs.get(self.next..).unwrap_or_default();
            let mut used = 0;
            for output in outputs {
                let draw = output >> table.shift;
                sum += i64::from(table.entries[draw as usize]);
                left -= u32::from(draw < table.bound);
                used += 1;
                if left == 0 {
                    break;
                }
            }
            self.next += used;
        }
        sum
    }
}

/// Values to draw from, filled up with zeros to a power of two.
#[derive(Clone, Debug)]
pub struct Table {
    entries: Vec<i8>,
    bound: u32,
    shift: u32,
}

impl Table {
    /// The table of these values; nothing if there are none or more than 2^31.
    #[must_use]
    pub fn new(values: &[i8]) -> Option<Self> {
        let bound = u32::try_from(values.len()).ok().filter(|n| (1..=1 << 31).contains(n))?;
        let shift = bound.leading_zeros();
        let mut entries = values.to_vec();
        entries.resize(1 << (u32::BITS - shift), 0);
        Some(Self { entries, bound, shift })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replays_cpython() {
        // [r.getrandbits(32) for _ in range(3)] with r = random.Random(seed).
        let first = |seed| {
            let mut generator = Mersenne::new(seed);
            [generator.next_u32(), generator.next_u32(), generator.next_u32()]
        };
        assert_eq!(first(0), SEED_0);
        assert_eq!(first(1 << 40 | 5), SEED_BIG);
        let places: Vec<i8> = (0..96).collect();
        let table = Table::new(&places).unwrap();
        let mut generator = Mersenne::new(0);
        assert_eq!([(); 8].map(|()| generator.sum(&table, 1)), RANDRANGE_96);
    }

    const SEED_0: [u32; 3] = [3_626_764_237, 1_654_615_998, 3_255_389_356];
    const SEED_BIG: [u32; 3] = [2_166_296_868, 2_220_160_828, 1_153_647_273];
    const RANDRANGE_96: [i64; 8] = [49, 53, 5, 33, 65, 62, 51, 38];
}
