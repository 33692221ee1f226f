//! Means and standard deviations of whole-numbered scores, or of rates of equally many trials.

use std::ops::Range;

use super::{Cells, Figure, Searched, Table, Tables, methods, needed, shown, within};
use crate::audit::printed::Printed;

const MOST_VALUES: u64 = 1_000_000;
const MOST_SCORE: i64 = 1_000_000_000;
/// Nodes of a search, of one figure.
const BUDGET: u64 = 3_000_000;
/// Different scores that a table may hold: the depth of the search.
const DEEPEST: i128 = 2_000;

const SPREADS: &[&str] = &["sd-sample", "sd-population"];

pub(super) fn mean(figure: &Figure<'_>, found: &mut Tables<'_>) -> Searched {
    let n = needed("n", figure.n, 1, MOST_VALUES)?;
    let text = figure.printed;
    let mut numbers = Printed::all(text).unwrap_or_default();
    let of = match figure.of {
        None => 1,
        some => needed("of", some, 1, MOST_VALUES)?,
    };
    if figure.of.is_some() && numbers.iter().any(|number| number.above(1.0)) {
        numbers = numbers.into_iter().map(Printed::as_percent).collect();
    }
    let bound = |name: &str, value: Option<i64>| match value {
        Some(value) if value.abs() > MOST_SCORE => Err(format!("{name} is beyond {MOST_SCORE}")),
        value => Ok(value.map(i128::from)),
    };
    let (mut least, mut most) = (bound("least", figure.least)?, bound("most", figure.most)?);
    if figure.of.is_some() {
        least = Some(least.map_or(0, |least| least.max(0)));
        most = Some(most.map_or(of.into(), |most| most.min(of.into())));
    }
    let scores = Scores { n: n.into(), of: of.into(), least, most };
    match *numbers.as_slice() {
        [mean] => scores.of_mean(figure, &mean, found),
        [mean, sd] => scores.of_spread(figure, &mean, &sd, found),
        _ => Err(format!(
            "printed {:?} is no mean, or mean and deviation, that can be read",
            shown(text)
        )),
    }
}

struct Scores {
    n: i128,
    of: i128,
    least: Option<i128>,
    most: Option<i128>,
}

impl Scores {
    fn sums(&self, mean: &Printed, found: &Tables<'_>) -> Result<Range<i128>, String> {
        let bound = |limit: Option<i128>, open: i64| self.n * limit.unwrap_or_else(|| open.into());
        let (first, last) = (bound(self.least, -MOST_SCORE), bound(self.most, MOST_SCORE));
        let place = |sum| mean.place_ratio(sum, self.n * self.of, found.plan.rounding);
        within(first..last + 1, place)
    }

    /// Without a deviation a table is the sum of the scores.
    fn of_mean(&self, figure: &Figure<'_>, mean: &Printed, found: &mut Tables<'_>) -> Searched {
        methods(figure, &["mean"])?;
        let sums = self.sums(mean, found)?;
        let count = sums.end - sums.start;
        for sum in sums.take(found.plan.max_tables) {
            let total = i64::try_from(sum).map_err(|error| error.to_string())?;
            found.add(&["mean"], |method| Table {
                method,
                cells: Cells::Sum(total),
                value: sum as f64 / (self.n * self.of) as f64,
                limits: None,
                sd: None,
            });
        }
        found.finding.n_tables = u64::try_from(count).map_err(|error| error.to_string())?;
        Ok(())
    }

    fn of_spread(
        &self,
        figure: &Figure<'_>,
        mean: &Printed,
        sd: &Printed,
        found: &mut Tables<'_>,
    ) -> Searched {
        let asked = methods(figure, SPREADS)?;
        // A mean in percent has its deviation in percent.
        let sd = &if mean.percent { sd.as_percent() } else { *sd };
        let mut budget = BUDGET;
        for sum in self.sums(mean, found)? {
            let mut spreads = Vec::new();
            for method in &asked {
                let degrees = self.degrees(method);
                if degrees > 0 {
                    spreads.push((*method, self.spreads(sum, sd, degrees, found)?));
                }
            }
            self.of_sum(sum, &spreads, &mut budget, found)?;
        }
        Ok(())
    }

    fn degrees(&self, method: &str) -> i128 {
        if method == "sd-sample" { self.n - 1 } else { self.n }
    }

    /// Values of n Σx² - (Σx)² whose deviation prints so.
    fn spreads(&self, sum: i128, sd: &Printed, degrees: i128, found: &Tables<'_>) -> Spreads {
        let unit = self.n * degrees * self.of * self.of;
        let widest = match (self.least, self.most) {
            // Bhatia and Davis (2000): no spread is wider than that of scores at both ends.
            (Some(least), Some(most)) => (self.n * most - sum) * (sum - self.n * least),
            _ => (self.n * i128::from(MOST_SCORE)).pow(2),
        };
        within(0..widest + 1, |spread| sd.place_root(spread, unit, found.plan.rounding))
    }

    /// Tables of one sum.
    fn of_sum(
        &self,
        sum: i128,
        spreads: &[(&'static str, Range<i128>)],
        budget: &mut u64,
        found: &mut Tables<'_>,
    ) -> Searched {
        let n = self.n;
        let some = || spreads.iter().map(|(_, range)| range).filter(|range| !range.is_empty());
        let first = some().map(|range| range.start).min();
        let end = some().map(|range| range.end).max();
        let (Some(first), Some(end)) = (first, end) else { return Ok(()) };
        // Squares are as even as their roots, and so are their sums.
        let mut squares = (first + sum * sum + n - 1).div_euclid(n);
        squares += (squares - sum).rem_euclid(2);
        while n * squares - sum * sum < end {
            let spread = n * squares - sum * sum;
            let inside = spreads.iter().filter(|(_, range)| range.contains(&spread));
            let ways: Vec<&'static str> = inside.map(|(method, _)| *method).collect();
            if !ways.is_empty() {
                self.of_squares(Left { count: n, sum, squares }, &ways, budget, found)?;
            }
            squares += 2;
        }
        Ok(())
    }

    /// Tables of one sum and one sum of squares.
    fn of_squares(
        &self,
        left: Left,
        ways: &[&'static str],
        budget: &mut u64,
        found: &mut Tables<'_>,
    ) -> Searched {
        let Left { count: n, sum, squares } = left;
        // A score d off the mean is balanced by n - 1 others, which makes Σx² - (Σx)²/n at least
        // d² n / (n - 1).
        let reach = root((n - 1) * (n * squares - sum * sum)) + 1;
        let low = (sum - reach).div_euclid(n);
        let high = (sum + reach).div_euclid(n) + 1;
        let low = self.least.map_or(low, |least| low.max(least));
        let high = self.most.map_or(high, |most| high.min(most));
        if (high - low).min(n) > DEEPEST {
            return Err("the scores can differ too much to be searched".to_owned());
        }
        Search { high, scores: Vec::new(), budget, found, scale: self, ways }.from(low, left)
    }
}

type Spreads = Result<Range<i128>, String>;

/// The largest whole number whose square is not above `value`.
fn root(value: i128) -> i128 {
    value.max(0).isqrt()
}

/// What the scores that are still to be chosen add up to.
#[derive(Clone, Copy)]
struct Left {
    count: i128,
    sum: i128,
    squares: i128,
}

impl Left {
    fn without(self, score: i128, times: i128) -> Self {
        Self {
            count: self.count - times,
            sum: self.sum - times * score,
            squares: self.squares - times * score * score,
        }
    }

    /// Whether scores from `low` to `high` may add up to it: never wrong where it says no.
    fn possible(self, low: i128, high: i128) -> bool {
        let Self { count, sum, squares } = self;
        if count == 0 {
            return sum == 0 && squares == 0;
        }
        // Of equal sums the least squares are those of scores that differ by one at most; the
        // most those of scores at both ends.
        let (base, more) = (sum.div_euclid(count), sum.rem_euclid(count));
        let least = count * base * base + more * (2 * base + 1);
        let most = (low + high) * sum - count * low * high;
        low <= high
            && low * count <= sum
            && sum <= high * count
            && least <= squares
            && squares <= most
    }
}

struct Search<'a, 'b> {
    high: i128,
    scores: Vec<(i128, i128)>,
    budget: &'a mut u64,
    found: &'a mut Tables<'b>,
    scale: &'a Scores,
    ways: &'a [&'static str],
}

impl Search<'_, '_> {
    /// All choices of scores from `low` on, smallest first; as deep as scores differ.
    fn from(&mut self, low: i128, left: Left) -> Searched {
        if left.count == 0 {
            return self.take();
        }
        if !left.possible(low, self.high) {
            return Ok(());
        }
        if left.count == 2 {
            return self.last_two(low, left);
        }
        if left.count == 1 {
            if left.sum * left.sum != left.squares {
                return Ok(());
            }
            self.scores.push((left.sum, 1));
            let taken = self.take();
            self.scores.pop();
            return taken;
        }
        // The smallest score is not above the mean of what is left.
        for score in low..=left.sum.div_euclid(left.count) {
            // So often that the others can lie above it, and not above the highest.
            let least = ((score + 1) * left.count - left.sum).max(1);
            let most = (self.high * left.count - left.sum)
                .checked_div(self.high - score)
                .map_or(left.count, |most| most.min(left.count));
            for times in least..=most {
                *self.budget = self.budget.saturating_sub(1);
                if *self.budget == 0 {
                    return Err("the search was cut off before its end".to_owned());
                }
                let next = left.without(score, times);
                if next.possible(score + 1, self.high) {
                    self.scores.push((score, times));
                    self.from(score + 1, next)?;
                    self.scores.pop();
                }
            }
            if !left.possible(score + 1, self.high) {
                break;
            }
        }
        Ok(())
    }

    /// Two scores are the roots of a quadratic.
    fn last_two(&mut self, low: i128, left: Left) -> Searched {
        let spread = 2 * left.squares - left.sum * left.sum;
        let apart = root(spread);
        if apart * apart != spread || (left.sum - apart) % 2 != 0 {
            return Ok(());
        }
        let one = (left.sum - apart) / 2;
        let other = left.sum - one;
        if one < low || other > self.high {
            return Ok(());
        }
        let before = self.scores.len();
        if one == other {
            self.scores.push((one, 2));
        } else {
            self.scores.extend([(one, 1), (other, 1)]);
        }
        let taken = self.take();
        self.scores.truncate(before);
        taken
    }

    fn take(&mut self) -> Searched {
        let (n, of) = (self.scale.n, self.scale.of);
        let counts: Result<Vec<(i64, u64)>, _> = self
            .scores
            .iter()
            .map(|(score, times)| Ok((i64::try_from(*score)?, u64::try_from(*times)?)))
            .collect();
        let counts = counts.map_err(|error: std::num::TryFromIntError| error.to_string())?;
        let total = |value: fn(i128) -> i128| -> i128 {
            self.scores.iter().map(|(score, times)| times * value(*score)).sum()
        };
        let (sum, squares) = (total(|score| score), total(|score| score * score));
        let variance =
            |method| (n * squares - sum * sum) as f64 / (n * self.scale.degrees(method)) as f64;
        self.found.add(self.ways, |method| Table {
            method,
            cells: Cells::Scores(counts.clone()),
            value: sum as f64 / (n * of) as f64,
            limits: None,
            sd: Some(libm::sqrt(variance(method)) / of as f64),
        });
        if self.found.full() {
            return Err(format!("counting stopped at {} tables", self.found.finding.n_tables));
        }
        Ok(())
    }
}
