//! Percentiles of a ratio of sums over unequal units, without a draw.
//!
//! The resampled pair (sum, size) lies on a lattice of two dimensions. Where that is small, or
//! the units are few, every pair's probability is computed; where it is not, the sums'
//! transform is kept instead, over the frequencies that are not negligible, and each row of
//! equal size is summed up from it. Both are the distribution itself. Beyond that,
//! P(sum / size <= r) is P(sum - r size <= 0), from the characteristic function along one line
//! (Gil-Pelaez 1951, doi:10.1093/biomet/38.3-4.481; summed at midpoints as in Davies 1973,
//! doi:10.1093/biomet/60.2.415). That smooths over steps of one in the sum, which moves a
//! limit by less than half a unit of the sum over the total size.

// Sums and sizes are sums over trials, far below 2^63.
#![allow(clippy::cast_possible_wrap)]

use std::cmp::Ordering;
use std::f64::consts::{PI, TAU};

use rayon::prelude::*;

use super::bootstrap::{Group, Unit};
use super::fourier::{Complex, Fourier, above};
use super::lattice::{Part, REACHED, window};
use crate::distributions::{binomial_ln_pmf, normal_quantile};

/// How a limit was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// From the distribution itself.
    Exactly,
    /// To within half a unit of the sum.
    Smoothly,
}

/// Pairs that are worth listing one by one.
const LISTED: f64 = 32_768.0;
/// Steps of a convolution that are worth taking.
const CONVOLVED: f64 = 4e6;
/// Numbers that a transform may hold.
const HELD: f64 = 524_288.0;
/// Terms that may be added up to find the frequencies that are not negligible.
const SEARCHED: f64 = 16_777_216.0;
/// What a characteristic function may be below, as a logarithm, to count as nothing.
const LN_NOTHING: f64 = -50.0;
/// Rounding per unit in a probability from a transform: about ten times what was seen.
const ROUNDING: f64 = 1e-15;
/// Ratios are probed at multiples of 2^-40, so that a row's last sum is found in integers.
const STEPS: u32 = 40;

/// The distribution of the ratio over resamples.
pub struct Law<'a> {
    form: Form<'a>,
    /// Sum and size of all units: their ratio is the estimate.
    total: (i64, i64),
}

enum Form<'a> {
    /// All units have one ratio.
    Constant,
    /// In ascending order of the ratio.
    Atoms(Vec<Atom>),
    Rows(Box<Rows>),
    Smooth(Lattice<'a>),
}

impl<'a> Law<'a> {
    /// Nothing where neither the distribution nor its smooth form is within reach.
    #[must_use]
    pub fn of(groups: &'a [Group]) -> Option<Self> {
        let (first, rest) = groups.split_first()?;
        let total = groups.iter().fold((0, 0), |total, (unit, times)| {
            let times = times.cast_signed();
            (total.0 + unit.sum * times, total.1 + unit.size.cast_signed() * times)
        });
        // The sums' products are exact, so that units of one ratio are told from almost equal ones.
        let cross = |a: &Unit, b: &Unit| i128::from(a.sum) * i128::from(b.size);
        if rest.iter().all(|(unit, _)| cross(unit, &first.0) == cross(&first.0, unit)) {
            return Some(Self { form: Form::Constant, total });
        }
        let lattice = Lattice::of(groups)?;
        let form = if let Some(mut atoms) = lattice.listed().or_else(|| lattice.convolved()) {
            atoms.sort_unstable_by(|a, b| a.order(b).then(a.size.cmp(&b.size)));
            Form::Atoms(atoms)
        } else if let Some(rows) = Rows::of(&lattice) {
            Form::Rows(Box::new(rows))
        } else {
            Form::Smooth(lattice)
        };
        Some(Self { form, total })
    }

    /// How limits are found.
    #[must_use]
    pub fn found(&self) -> Found {
        if matches!(self.form, Form::Smooth(_)) { Found::Smoothly } else { Found::Exactly }
    }

    /// Limits that leave out so much below and above, by the definition of
    /// [`super::lattice::Distribution`]. Nothing where rounding does not let them be known.
    #[must_use]
    pub fn limits(&self, tails: (f64, f64)) -> Option<(f64, f64)> {
        // A probability that is not far above its rounding is not known.
        let known = |count: u64| tails.0.min(tails.1) >= 1e4 * ROUNDING * count as f64;
        match &self.form {
            Form::Constant => {
                let ratio = self.total.0 as f64 / self.total.1 as f64;
                Some((ratio, ratio))
            }
            Form::Atoms(atoms) => atom_quantiles(atoms, tails),
            Form::Rows(rows) => known(rows.count).then(|| rows.quantiles(tails)),
            Form::Smooth(lattice) if known(lattice.count) => lattice.smooth_quantiles(tails),
            Form::Smooth(_) => None,
        }
    }

    /// The probability below the estimate, and half of that of the estimate itself.
    #[must_use]
    pub fn share_below(&self) -> Option<f64> {
        let (sum, size) = self.total;
        match &self.form {
            Form::Constant => Some(0.5),
            Form::Atoms(atoms) => {
                let estimate = Atom { sum, size, probability: 0.0 };
                let share = |atom: &Atom| match atom.order(&estimate) {
                    Ordering::Less => atom.probability,
                    Ordering::Equal => atom.probability / 2.0,
                    Ordering::Greater => 0.0,
                };
                Some(atoms.iter().map(share).sum())
            }
            Form::Rows(rows) => Some(rows.share_below(sum, size)),
            Form::Smooth(lattice) => lattice.smooth_below(sum as f64 / size as f64),
        }
    }
}

/// One value of the resampled (sum, size) and its probability.
#[derive(Clone, Copy, Debug)]
struct Atom {
    sum: i64,
    size: i64,
    probability: f64,
}

impl Atom {
    fn ratio(&self) -> f64 {
        self.sum as f64 / self.size as f64
    }

    fn order(&self, other: &Self) -> Ordering {
        let left = i128::from(self.sum) * i128::from(other.size);
        left.cmp(&(i128::from(other.sum) * i128::from(self.size)))
    }
}

/// Both limits, from all atoms in ascending order.
fn atom_quantiles(atoms: &[Atom], (low, high): (f64, f64)) -> Option<(f64, f64)> {
    let mut below = 0.0;
    let low = atoms.iter().find(|atom| {
        below += atom.probability;
        below >= low * REACHED
    })?;
    let mut above = 0.0;
    let high = atoms.iter().rev().find(|atom| {
        above += atom.probability;
        above >= high * REACHED
    })?;
    Some((low.ratio(), high.ratio()))
}

/// A kind of unit in steps of the lattice, measured from the centre.
#[derive(Clone, Copy, Debug)]
struct Kind {
    sum: i64,
    size: i64,
    weight: f64,
}

/// The units, each sum and size as a whole number of steps from a centre near the mean.
struct Lattice<'a> {
    groups: &'a [Group],
    kinds: Vec<Kind>,
    count: u64,
    sum: Axis,
    size: Axis,
}

/// Value = centre + step × place.
#[derive(Clone, Copy, Debug)]
struct Axis {
    centre: i64,
    step: i64,
}

impl Axis {
    fn of(values: impl Iterator<Item = (i64, u64)> + Clone, count: u64) -> Option<Self> {
        let least = values.clone().map(|(value, _)| value).min()?;
        let step = values.clone().fold(0, |step, (value, _)| gcd(step, value - least)).max(1);
        let mean: f64 =
            values.map(|(value, times)| (value - least) as f64 * times as f64).sum::<f64>()
                / count as f64;
        #[expect(clippy::cast_possible_truncation)]
        let steps = libm::round(mean / step as f64) as i64;
        Some(Self { centre: least + steps * step, step })
    }

    fn place(self, value: i64) -> i64 {
        (value - self.centre) / self.step
    }

    fn value(self, place: i64, count: u64) -> i64 {
        self.centre * count as i64 + self.step * place
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl<'a> Lattice<'a> {
    fn of(groups: &'a [Group]) -> Option<Self> {
        let count = groups.iter().map(|(_, times)| times).sum();
        let sum = Axis::of(groups.iter().map(|(unit, times)| (unit.sum, *times)), count)?;
        let size =
            Axis::of(groups.iter().map(|(unit, times)| (unit.size.cast_signed(), *times)), count)?;
        let kinds = groups
            .iter()
            .map(|(unit, times)| Kind {
                sum: sum.place(unit.sum),
                size: size.place(unit.size.cast_signed()),
                weight: *times as f64 / count as f64,
            })
            .collect();
        Some(Self { groups, kinds, count, sum, size })
    }

    /// Every way to draw the kinds, where there are few ways.
    fn listed(&self) -> Option<Vec<Atom>> {
        let kinds = self.kinds.len() as u64;
        let mut ways = 1.0;
        for kind in 1..kinds {
            ways *= (self.count + kind) as f64 / kind as f64;
            if ways > LISTED {
                return None;
            }
        }
        let mut atoms = Vec::new();
        let none = Atom { sum: 0, size: 0, probability: 1.0 };
        list(self.groups, self.count, self.count, none, &mut atoms);
        Some(atoms)
    }

    /// Every pair on the lattice, where it is small.
    fn convolved(&self) -> Option<Vec<Atom>> {
        let sums = self.kinds.iter().map(|kind| kind.sum);
        let sizes = self.kinds.iter().map(|kind| kind.size);
        let (low, lowest) = (sums.clone().min()?, sizes.clone().min()?);
        let (width, height) = (sums.max()? - low, sizes.max()? - lowest);
        let cells = |range: i64| self.count as f64 * range as f64 + 1.0;
        let area = cells(width) * cells(height);
        let cost = area * self.count as f64 * self.kinds.len() as f64 / 3.0;
        if cost > CONVOLVED {
            return None;
        }
        let place = |steps: i64| usize::try_from(steps).unwrap_or(0);
        let (width, height) = (place(width), place(height));
        let (mut columns, mut table) = (1, vec![1.0]);
        for _ in 0..self.count {
            let wider = columns + width;
            let mut next = vec![0.0; wider * (table.len() / columns + height)];
            for kind in &self.kinds {
                let start = place(kind.size - lowest) * wider + place(kind.sum - low);
                let rows = next[start..].chunks_mut(wider);
                for (row, from) in rows.zip(table.chunks_exact(columns)) {
                    for (slot, probability) in row.iter_mut().zip(from) {
                        *slot += probability * kind.weight;
                    }
                }
            }
            (columns, table) = (wider, next);
        }
        let least = (low * self.count as i64, lowest * self.count as i64);
        let atoms = (0_i64..).zip(table.chunks_exact(columns)).flat_map(|(size, row)| {
            let size = self.size.value(least.1 + size, self.count);
            (0_i64..).zip(row).filter(|(_, probability)| **probability > 0.0).map(
                move |(sum, probability)| Atom {
                    sum: self.sum.value(least.0 + sum, self.count),
                    size,
                    probability: *probability,
                },
            )
        });
        Some(atoms.collect())
    }

    /// The ratio, the standard deviation of its resamples to first order, and the total size.
    fn moments(&self) -> (f64, f64, f64) {
        let sum: f64 = self.groups.iter().map(|(unit, k)| unit.sum as f64 * *k as f64).sum();
        let size: f64 = self.groups.iter().map(|(unit, k)| unit.size as f64 * *k as f64).sum();
        let ratio = sum / size;
        let residual = |unit: &Unit| unit.sum as f64 - ratio * unit.size as f64;
        let squares: f64 =
            self.groups.iter().map(|(unit, k)| residual(unit) * residual(unit) * *k as f64).sum();
        (ratio, libm::sqrt(squares) / size, size)
    }

    /// Limits from the smooth form, where a step of one in the sum is smooth.
    fn smooth_quantiles(&self, tails: (f64, f64)) -> Option<(f64, f64)> {
        let (ratio, error, size) = self.moments();
        let step = self.sum.step as f64;
        // Within the rounding of the method: half a step of the sum against its spread.
        if step > error * size / 20.0 {
            return None;
        }
        let low = self.smooth_root(tails.0, ratio, error)?;
        let high = self.smooth_root(1.0 - tails.1, ratio, error)?;
        Some((low, high))
    }

    /// Where the smooth distribution function reaches a probability.
    fn smooth_root(&self, probability: f64, ratio: f64, error: f64) -> Option<f64> {
        let start = ratio + normal_quantile(probability) * error;
        let (mut low, mut high) = (start - 0.25 * error, start + 0.25 * error);
        let at = |r: f64| self.smooth_below(r).map(|p| p - probability);
        let (mut under, mut over) = (at(low)?, at(high)?);
        for _ in 0..200 {
            if under > 0.0 {
                (high, over) = (low, under);
                low -= error;
                under = at(low)?;
            } else if over < 0.0 {
                (low, under) = (high, over);
                high += error;
                over = at(high)?;
            } else {
                break;
            }
        }
        // False position with Illinois' halving of an end that stays.
        for _ in 0..60 {
            if high - low <= 1e-13 || over <= under {
                break;
            }
            let middle = (low - under * (high - low) / (over - under)).clamp(low, high);
            let value = at(middle)?;
            if value.abs() <= 1e-13 {
                return Some(middle);
            }
            if value < 0.0 {
                (low, under, over) = (middle, value, over / 2.0);
            } else {
                (high, over, under) = (middle, value, under / 2.0);
            }
        }
        Some(if under.abs() < over.abs() { low } else { high })
    }

    /// P(sum - r size <= 0) without its steps. Nothing where its characteristic function has
    /// not died down within the first period of the lattice.
    fn smooth_below(&self, r: f64) -> Option<f64> {
        let count = self.count as f64;
        let step = self.sum.step as f64;
        let terms: Vec<(f64, f64)> = self
            .groups
            .iter()
            .zip(&self.kinds)
            .map(|((unit, _), kind)| (unit.sum as f64 - r * unit.size as f64, kind.weight))
            .collect();
        let mean: f64 = terms.iter().map(|(x, w)| x * w).sum();
        let variance: f64 = terms.iter().map(|(x, w)| w * (x - mean) * (x - mean)).sum();
        let reach = 10.0 * libm::sqrt(count * variance) + 4.0 * largest(&terms, mean);
        // What lies beyond 2π / h folds back: Davies' bound on the error of the sum.
        let h = TAU / (reach + (count * mean).abs());
        let mut sum = 0.0;
        let mut t = h / 2.0;
        while t < PI / step {
            let (mut u, mut v) = (0.0, 0.0);
            for (x, w) in &terms {
                let half = t * (x - mean) / 2.0;
                let (sine, cosine) = (libm::sin(half), libm::cos(half));
                u += 2.0 * w * sine * sine;
                v += 2.0 * w * sine * cosine;
            }
            let ln_size = count * 0.5 * libm::log1p((u * u + v * v - 2.0 * u).max(-1.0));
            if ln_size < -45.0 {
                return Some(0.5 - sum / PI);
            }
            let angle = count * (libm::atan2(v, 1.0 - u) + t * mean);
            sum += libm::exp(ln_size) * libm::sin(angle) * h / t;
            t += h;
        }
        None
    }
}

fn largest(terms: &[(f64, f64)], mean: f64) -> f64 {
    terms.iter().map(|(x, _)| (x - mean).abs()).fold(0.0, f64::max)
}

/// Adds every way to draw `left` more units from these groups, of `all` units.
fn list(groups: &[Group], all: u64, left: u64, so_far: Atom, atoms: &mut Vec<Atom>) {
    let Some(((unit, times), rest)) = groups.split_first() else { return };
    let add = |drawn: u64, chance: f64| Atom {
        sum: so_far.sum + unit.sum * drawn as i64,
        size: so_far.size + (unit.size * drawn) as i64,
        probability: so_far.probability * chance,
    };
    if rest.is_empty() {
        atoms.push(add(left, 1.0));
        return;
    }
    let chance = *times as f64 / all as f64;
    for drawn in 0..=left {
        let atom = add(drawn, libm::exp(binomial_ln_pmf(drawn, left, chance)));
        list(rest, all - times, left - drawn, atom, atoms);
    }
}

/// The distribution as a transform over the sum, a row for each size.
struct Rows {
    /// First place of the sum, and how many there are, a power of two.
    first: i64,
    width: usize,
    /// First place of the size.
    first_size: i64,
    /// Frequencies kept, from the lowest.
    frequencies: Vec<usize>,
    /// For each size: what is added for each place of the sum, what is added once, and where
    /// the terms of its frequencies start.
    constants: Vec<(f64, f64)>,
    terms: Vec<Complex>,
    roots: Vec<Complex>,
    count: u64,
    sum: Axis,
    size: Axis,
    guess: (f64, f64),
}

impl Rows {
    fn of(lattice: &Lattice) -> Option<Self> {
        let Lattice { kinds, count, .. } = lattice;
        let k = *count as f64;
        let span = |value: fn(&Kind) -> i64| {
            let mut points: Vec<(i64, f64)> = kinds.iter().map(|x| (value(x), x.weight)).collect();
            points.sort_unstable_by_key(|point| point.0);
            let (low, high) = window(&[Part::new(points, *count)]);
            (low, usize::try_from(high - low + 1).unwrap_or(1))
        };
        let (first, sums) = span(|kind| kind.sum);
        let (first_size, sizes) = span(|kind| kind.size);
        if sizes as f64 > HELD || sums as f64 > HELD {
            return None;
        }
        let (width, height) = (sums.next_power_of_two(), sizes.next_power_of_two());
        let roots: Vec<Complex> = (0..width)
            .map(|j| {
                let angle = TAU * j as f64 / width as f64;
                Complex { re: libm::cos(angle), im: libm::sin(angle) }
            })
            .collect();
        let frequencies = frequencies(kinds, k, &roots)?;
        if frequencies.len() as f64 * height as f64 > HELD {
            return None;
        }
        let fourier = Fourier::new(height);
        let columns: Vec<Vec<Complex>> = frequencies
            .par_iter()
            .map(|frequency| {
                let mut column = vec![Complex::default(); height];
                for kind in kinds {
                    let place = wrapped(kind.size, height);
                    let root = turn(&roots, *frequency, kind.sum);
                    column[place].re += kind.weight * root.re;
                    column[place].im -= kind.weight * root.im;
                }
                fourier.transform(&mut column);
                let nothing = libm::exp(2.0 * LN_NOTHING / k);
                for value in &mut column {
                    *value = power(*value, k, nothing);
                }
                // Forward again: the inverse of it with places counted backwards.
                fourier.transform(&mut column);
                column
            })
            .collect();
        let scale = 1.0 / (width as f64 * height as f64);
        let (mut constants, mut terms) = (Vec::new(), Vec::new());
        for size in 0..sizes {
            let place = first_size + size as i64;
            let row = wrapped(-place, height);
            let (mut each, mut once) = (0.0, 0.0);
            for (frequency, column) in frequencies.iter().zip(&columns) {
                let value = column[row];
                if *frequency == 0 {
                    each = value.re * scale;
                    terms.push(Complex::default());
                    continue;
                }
                // The sum over places from `first` is a geometric one: it is
                // (root^m - 1) root^first / (root - 1), root - 1 = 2i sin(x) exp(ix).
                let twice = if 2 * frequency == width { scale } else { 2.0 * scale };
                let half = PI * *frequency as f64 / width as f64;
                let (sine, cosine) = (libm::sin(half), libm::cos(half));
                let start = turn(&roots, *frequency, first);
                let value = value.times(start).times(Complex { re: -sine, im: -cosine });
                let shrink = twice / (2.0 * sine);
                let term = Complex { re: value.re * shrink, im: value.im * shrink };
                once -= term.re;
                terms.push(term);
            }
            constants.push((each, once));
        }
        let (ratio, error, _) = lattice.moments();
        let (sum, size, guess) = (lattice.sum, lattice.size, (ratio, error));
        let count = *count;
        Some(Self {
            first,
            width,
            first_size,
            frequencies,
            constants,
            terms,
            roots,
            count,
            sum,
            size,
            guess,
        })
    }

    /// P(size is that of the row, and the sum is among the first `places` ones).
    fn below(&self, row: usize, places: i64) -> f64 {
        let places = usize::try_from(places.max(0)).unwrap_or(0).min(self.width);
        let (each, once) = self.constants[row];
        let kept = self.frequencies.len();
        let terms = &self.terms[row * kept..(row + 1) * kept];
        let mut sum = each * places as f64 + once;
        for (frequency, term) in self.frequencies.iter().zip(terms) {
            let root = self.roots[(frequency * places) & (self.width - 1)];
            sum += term.re * root.re - term.im * root.im;
        }
        sum
    }

    fn size(&self, row: usize) -> i64 {
        self.size.value(self.first_size + row as i64, self.count)
    }

    /// How many places of the sum are at most `probe` 2^-40 times the row's size.
    fn places(&self, row: usize, probe: i64) -> i64 {
        let most = (i128::from(probe) * i128::from(self.size(row))) >> STEPS;
        let from_first = most - i128::from(self.sum.value(self.first, self.count));
        i64::try_from(from_first.div_euclid(i128::from(self.sum.step)) + 1).unwrap_or(i64::MAX)
    }

    fn distribution(&self, probe: i64) -> f64 {
        (0..self.constants.len()).map(|row| self.below(row, self.places(row, probe))).sum()
    }

    fn quantiles(&self, (below, above): (f64, f64)) -> (f64, f64) {
        let low = self.smallest(normal_quantile(below), |p| p >= below * REACHED, below);
        let wanted = 1.0 - above;
        let high = self.smallest(-normal_quantile(above), |p| p > 1.0 - above * REACHED, wanted);
        (low, high)
    }

    /// The probability below a ratio, and half of that of the ratio itself.
    fn share_below(&self, sum: i64, size: i64) -> f64 {
        let share = |row: usize| {
            // Sums times `size` are compared with the row's size times `sum`, in whole numbers.
            let most = i128::from(self.size(row)) * i128::from(sum);
            let unit = i128::from(self.sum.step) * i128::from(size);
            let first = i128::from(self.sum.value(self.first, self.count)) * i128::from(size);
            let place = |steps: i128| i64::try_from(steps).unwrap_or(i64::MAX);
            let upto = place((most - first).div_euclid(unit) + 1);
            let under = place((most - first - 1).div_euclid(unit) + 1);
            f64::midpoint(self.below(row, under), self.below(row, upto))
        };
        (0..self.constants.len()).map(share).sum()
    }

    /// The smallest ratio whose distribution function is `enough`, which is about `wanted`.
    #[expect(clippy::cast_possible_truncation)]
    fn smallest(&self, z: f64, enough: impl Fn(f64) -> bool, wanted: f64) -> f64 {
        let (ratio, error) = self.guess;
        let scale = (1_u64 << STEPS) as f64;
        let probe = |r: f64| (r * scale) as i64;
        let start = ratio + z * error;
        let mut margin = 0.25 * error + 1.0 / scale;
        let (mut low, mut high) = (probe(start - margin), probe(start + margin));
        let (mut under, mut over) = (self.distribution(low), self.distribution(high));
        while enough(under) && margin < 1e3 {
            (high, over) = (low, under);
            margin *= 2.0;
            low = probe(start - margin);
            under = self.distribution(low);
        }
        while !enough(over) && margin < 1e3 {
            (low, under) = (high, over);
            margin *= 2.0;
            high = probe(start + margin);
            over = self.distribution(high);
        }
        // Down to about one pair for each size; false position and halving in turns.
        let largest = self.size(self.constants.len().saturating_sub(1)) as f64;
        let near = ((scale * self.sum.step as f64 / largest) as i64).max(1);
        let mut halve = false;
        while high - low > near {
            let share = if halve { 0.5 } else { (wanted - under) / (over - under) };
            // A little past the aim, so that the far end moves too.
            let inside = (share.clamp(0.0, 1.0) * (high - low) as f64) as i64;
            let aim = if halve {
                inside
            } else {
                inside + if share < 0.5 { near / 2 } else { -near / 2 }
            };
            let middle = (low + aim).clamp(low + 1, high - 1);
            let value = self.distribution(middle);
            if enough(value) {
                (high, over) = (middle, value);
            } else {
                (low, under) = (middle, value);
            }
            halve = !halve;
        }
        let mut atoms = Vec::new();
        for row in 0..self.constants.len() {
            let (from, to) = (self.places(row, low).max(0), self.places(row, high));
            for place in from..to.min(self.width as i64) {
                let probability = self.below(row, place + 1) - self.below(row, place);
                let sum = self.sum.value(self.first + place, self.count);
                atoms.push(Atom { sum, size: self.size(row), probability });
            }
        }
        atoms.sort_unstable_by(|a, b| a.order(b).then(a.size.cmp(&b.size)));
        // Equal ratios are one value of the ratio.
        for run in atoms.chunk_by(|a, b| a.order(b) == Ordering::Equal) {
            under += run.iter().map(|atom| atom.probability).sum::<f64>();
            if enough(under) {
                return run[0].ratio();
            }
        }
        high as f64 / scale
    }
}

/// The place in a circle of so many.
fn wrapped(place: i64, circle: usize) -> usize {
    usize::try_from(place.rem_euclid(circle as i64)).unwrap_or(0)
}

/// exp(2 pi i frequency place / N), from the N roots of one, N a power of two.
fn turn(roots: &[Complex], frequency: usize, place: i64) -> Complex {
    roots[(frequency * wrapped(place, roots.len())) & (roots.len() - 1)]
}

/// The frequencies of the sum, up to the half, that are not negligible to the given power.
/// Nothing where finding them takes too long.
///
/// Whatever the frequency of the size, the characteristic function is at most the sum over
/// sizes of what each size's units add.
fn frequencies(kinds: &[Kind], power: f64, roots: &[Complex]) -> Option<Vec<usize>> {
    let mut kinds = kinds.to_vec();
    kinds.sort_unstable_by_key(|kind| (kind.size, kind.sum));
    let least = libm::exp(LN_NOTHING / power);
    let slope = TAU / roots.len() as f64
        * kinds.iter().map(|kind| kind.weight * kind.sum.unsigned_abs() as f64).sum::<f64>();
    let mut terms = 0.0;
    let mut bound = |frequency: usize, reach: f64| {
        terms += kinds.len() as f64;
        if terms > SEARCHED {
            return ((), 0.0, 0.0);
        }
        let sizes = kinds.chunk_by(|a, b| a.size == b.size).map(|same| {
            let (mut re, mut im) = (0.0, 0.0);
            for kind in same {
                let root = turn(roots, frequency, kind.sum);
                re += kind.weight * root.re;
                im += kind.weight * root.im;
            }
            libm::sqrt(re * re + im * im)
        });
        let size: f64 = sizes.sum();
        ((), size, size + slope * reach)
    };
    let found = above(roots.len() / 2, least, &mut bound);
    (terms <= SEARCHED).then(|| found.into_iter().map(|place| place.0).collect())
}

/// `value` to a real power, and zero where the square of its size is below `nothing`.
fn power(value: Complex, exponent: f64, nothing: f64) -> Complex {
    let square = value.re * value.re + value.im * value.im;
    if square <= nothing {
        return Complex::default();
    }
    let size = libm::exp(0.5 * exponent * libm::log(square));
    let angle = exponent * libm::atan2(value.im, value.re);
    Complex { re: size * libm::cos(angle), im: size * libm::sin(angle) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Bootstrap;
    use crate::plan::Plan;
    use crate::resample::bootstrap::group;
    use crate::resample::draws::Units;

    /// Units of some sizes, `n` of them, by a rule that leaves no pattern.
    fn units(n: u64, sizes: &[u64], signed: bool) -> Vec<Group> {
        let unit = |i: u64| {
            let hash = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
            let size = sizes[usize::try_from(hash % sizes.len() as u64).unwrap()];
            let sum = ((hash >> 8) % (size + 1)).cast_signed();
            Unit { sum: if signed && hash.is_multiple_of(3) { -sum } else { sum }, size }
        };
        group((0..n).map(unit))
    }

    fn quantiles(groups: &[Group]) -> (f64, f64) {
        Law::of(groups).unwrap().limits((0.025, 0.025)).unwrap()
    }

    #[test]
    fn all_ways_agree() {
        for signed in [false, true] {
            for (n, sizes) in [(6, &[1, 2][..]), (9, &[2, 4]), (25, &[1, 2, 3]), (16, &[3, 6])] {
                let groups = units(n, sizes, signed);
                let lattice = Lattice::of(&groups).unwrap();
                let mut atoms = lattice.convolved().unwrap();
                let rows = Rows::of(&lattice).unwrap();
                atoms.sort_unstable_by(Atom::order);
                let listed = lattice.listed().map(|mut listed| {
                    listed.sort_unstable_by(Atom::order);
                    listed
                });
                for tails in [(0.001, 0.001), (0.025, 0.025), (0.01, 0.2), (0.4999, 0.4999)] {
                    let expected = atom_quantiles(&atoms, tails).unwrap();
                    assert_eq!(rows.quantiles(tails), expected, "{n} {sizes:?} {tails:?}");
                    if let Some(listed) = &listed {
                        assert_eq!(atom_quantiles(listed, tails), Some(expected));
                    }
                }
                let law = Law::of(&groups).unwrap();
                let (sum, size) = law.total;
                assert!((law.share_below().unwrap() - rows.share_below(sum, size)).abs() < 1e-14);
                for row in 0..rows.constants.len() {
                    for places in 0..rows.width as i64 {
                        let inside = |atom: &&Atom| {
                            let place = (atom.sum - rows.sum.value(rows.first, n)) / rows.sum.step;
                            atom.size == rows.size(row) && place < places
                        };
                        let expected: f64 =
                            atoms.iter().filter(inside).map(|a| a.probability).sum();
                        assert!((rows.below(row, places) - expected).abs() < 1e-14);
                    }
                }
            }
        }
    }

    #[test]
    fn smooth_limits_are_within_half_a_unit_of_exact_ones() {
        for (n, sizes) in [(900, &[1, 2, 3, 5, 8][..]), (2_000, &[1, 2]), (400, &[7, 9, 20])] {
            let groups = units(n, sizes, false);
            let lattice = Lattice::of(&groups).unwrap();
            let exact = Rows::of(&lattice).unwrap().quantiles((0.025, 0.025));
            let smooth = lattice.smooth_quantiles((0.025, 0.025)).unwrap();
            let half = 0.5 / lattice.moments().2;
            assert!((exact.0 - smooth.0).abs() < half, "{exact:?} {smooth:?}");
            assert!((exact.1 - smooth.1).abs() < half, "{exact:?} {smooth:?}");
        }
    }

    #[test]
    fn draws_approach_all_of_them() {
        for (n, sizes) in [(12, &[1, 2, 5][..]), (200, &[1, 4, 9]), (3_000, &[1, 2, 3, 40])] {
            let groups = units(n, sizes, true);
            let (low, high) = quantiles(&groups);
            let units = Units::of_groups(&groups);
            let drawn =
                units.interval(Bootstrap::Percentile, &Plan::draws(40_000, 3)).unwrap().limits;
            let error = Lattice::of(&groups).unwrap().moments().1;
            assert!((low - drawn.0).abs() < 0.08 * error, "{low} {drawn:?}");
            assert!((high - drawn.1).abs() < 0.08 * error, "{high} {drawn:?}");
        }
    }

    #[test]
    fn units_of_one_ratio_have_no_width() {
        for sum in [0, 1] {
            let units = (0..3_000).map(|i| 1 + i % 50);
            let units = units.map(|size| Unit { sum: sum * size, size: size.cast_unsigned() });
            let ratio = sum as f64;
            let groups = group(units);
            assert_eq!(quantiles(&groups), (ratio, ratio));
        }
    }

    #[test]
    fn negating_mirrors() {
        let groups = units(300, &[1, 2, 3], true);
        let mirrored = group(groups.iter().flat_map(|(u, times)| {
            let unit = Unit { sum: -u.sum, size: u.size };
            std::iter::repeat_n(unit, usize::try_from(*times).unwrap())
        }));
        let (low, high) = quantiles(&groups);
        assert_eq!(quantiles(&mirrored), (-high, -low));
    }
}
