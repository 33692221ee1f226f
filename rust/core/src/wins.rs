//! Pairwise judging: how often a model wins, and how often whoever is shown first does.

use rayon::prelude::*;

use crate::infer::fisher::{self, Alternative};
use crate::infer::{PValue, sign};
use crate::intervals::Quantiles;
use crate::plan::{Interval, NO_TRIALS, ONE_CLUSTER, ONE_TRIAL, tail};
use crate::rate::cells;
use crate::share::{self, Two};

/// Verdicts on a model, when it is shown in one of two places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdicts {
    /// It wins.
    pub wins: u64,
    /// The other wins.
    pub losses: u64,
    /// Neither does.
    pub ties: u64,
}

impl Verdicts {
    fn all(&self) -> u64 {
        self.wins + self.losses + self.ties
    }

    fn halves(&self) -> u64 {
        2 * self.wins + self.ties
    }

    fn add(&mut self, other: &Self, times: u64) {
        self.wins += times * other.wins;
        self.losses += times * other.losses;
        self.ties += times * other.ties;
    }
}

/// Verdicts on a model when it is shown first and when it is shown second.
pub type Orders = [Verdicts; 2];

/// Clusters with the same verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Alike {
    /// The verdicts of each.
    pub orders: Orders,
    /// How many clusters there are.
    pub times: u64,
}

/// Items that were judged in both orders, by what the place did to the verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moved {
    /// The place shown first did better.
    pub to_first: u64,
    /// The place shown second did better.
    pub to_second: u64,
    /// Items judged in both orders, however it went.
    pub both: u64,
    /// Items judged more than once in all, or in both orders.
    pub repeated: u64,
}

/// Pairwise judging of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wins {
    /// Verdicts in both orders.
    pub total: Orders,
    /// Clusters, where there are any.
    pub clusters: Option<u64>,
    /// Share of judgements that the model wins, ties half.
    pub estimate: Option<f64>,
    /// Interval of it.
    pub interval: Interval,
    /// The same when it is shown first and second.
    pub by_place: [Option<f64>; 2],
    /// Share that whoever is shown first wins, both orders weighing the same.
    pub first: Option<f64>,
    /// Interval of it.
    pub first_limits: Option<(f64, f64)>,
    /// P-value and name of the test of whether the place matters.
    pub test: Option<(PValue, &'static str)>,
}

/// Judging of cells of clusters, `offsets` holding the bounds of each cell in `clusters`; or, where
/// those are judgements on their own, of independent ones. `moved` is of each cell.
#[must_use]
pub fn of_cells(
    offsets: &[usize],
    clusters: &[Alike],
    moved: &[Moved],
    independent: bool,
    confidence_level: f64,
) -> Vec<Wins> {
    let quantiles = Quantiles::new(tail(confidence_level));
    let slices: Vec<(&[Alike], &Moved)> = cells(offsets, clusters).zip(moved).collect();
    slices
        .into_par_iter()
        .map_with(quantiles, |quantiles, (clusters, moved)| {
            judged(clusters, moved, independent, quantiles)
        })
        .collect()
}

fn judged(clusters: &[Alike], moved: &Moved, independent: bool, quantiles: &mut Quantiles) -> Wins {
    let mut total = Orders::default();
    for Alike { orders, times } in clusters {
        total[0].add(&orders[0], *times);
        total[1].add(&orders[1], *times);
    }
    let (mut sum, mut units) = (Verdicts::default(), Vec::new());
    sum.add(&total[0], 1);
    sum.add(&total[1], 1);
    for Alike { orders: [first, second], times } in clusters {
        let all = first.all() + second.all();
        if all > 0 {
            units.push((((first.halves() + second.halves()) as f64 / 2.0, all), *times));
        }
    }
    let values = [(0.0, sum.losses), (0.5, sum.ties), (1.0, sum.wins)];
    let values: Vec<(f64, u64)> = values.into_iter().filter(|(_, times)| *times > 0).collect();
    let grouped = (!independent).then_some(units.as_slice());
    let won = share::mean(&values, grouped, quantiles);
    let interval = match won {
        None => Interval::missing("none", NO_TRIALS),
        Some((_, None)) => {
            Interval::missing("none", if independent { ONE_TRIAL } else { ONE_CLUSTER })
        }
        Some((_, Some(limits))) => {
            let plain = independent && sum.ties == 0;
            Interval::closed_form(limits, if plain { "wilson" } else { "wilson-effective" })
        }
    };
    let rate = |verdicts: &Verdicts| {
        (verdicts.all() > 0).then(|| verdicts.halves() as f64 / 2.0 / verdicts.all() as f64)
    };
    let by_place = [rate(&total[0]), rate(&total[1])];
    let first = by_place[0].zip(by_place[1]).map(|(a, b)| f64::midpoint(a, 1.0 - b));
    Wins {
        total,
        clusters: (!independent).then(|| units.iter().map(|(_, times)| times).sum()),
        estimate: won.map(|(mean, _)| mean),
        interval,
        by_place,
        first,
        first_limits: first.and_then(|_| first_limits(&total, clusters, independent, quantiles)),
        test: test(&total, moved),
    }
}

/// Interval of the share of the first place: a mean of two shares, one of each order.
fn first_limits(
    total: &Orders,
    clusters: &[Alike],
    independent: bool,
    quantiles: &mut Quantiles,
) -> Option<(f64, f64)> {
    // Shown second, the model's losses are the wins of the first place.
    let two = |orders: &Orders| -> Two {
        let second = 2 * orders[1].losses + orders[1].ties;
        [(orders[0].halves() as f64 / 2.0, orders[0].all()), (second as f64 / 2.0, orders[1].all())]
    };
    let mut alone = Vec::new();
    for (order, verdicts) in total.iter().enumerate() {
        for (wins, losses, ties, times) in
            [(1, 0, 0, verdicts.wins), (0, 1, 0, verdicts.losses), (0, 0, 1, verdicts.ties)]
        {
            let mut one = Orders::default();
            one[order] = Verdicts { wins, losses, ties };
            alone.push((two(&one), times));
        }
    }
    let grouped: Vec<(Two, u64)> =
        clusters.iter().map(|alike| (two(&alike.orders), alike.times)).collect();
    share::midpoint(&alone, (!independent).then_some(&grouped), quantiles)
}

/// Whether the place matters: of items judged in both orders, as many do better first as second
/// (a sign test); where every item was judged once, verdicts do not hang on the order (Fisher).
fn test(total: &Orders, moved: &Moved) -> Option<(PValue, &'static str)> {
    if moved.both > 0 {
        return Some((sign::test(moved.to_first, moved.to_second), "sign-exact"));
    }
    let single = moved.repeated == 0 && total.iter().all(|verdicts| verdicts.all() > 0);
    single.then(|| {
        let table = [[total[0].wins, total[0].losses], [total[1].wins, total[1].losses]];
        (PValue::of_ln(fisher::ln_p_value(table, Alternative::TwoSided)), "fisher-exact")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(clusters: &[Orders], moved: Moved, independent: bool) -> Wins {
        let clusters: Vec<Alike> =
            clusters.iter().map(|orders| Alike { orders: *orders, times: 1 }).collect();
        of_cells(&[0, clusters.len()], &clusters, &[moved], independent, 0.95)[0]
    }

    #[test]
    fn clusters_alike_are_as_many() {
        let [a, b] =
            [(2, 1, 0), (0, 1, 1)].map(|(wins, losses, ties)| Verdicts { wins, losses, ties });
        let kinds = [[a, b], [b, b], [a, Verdicts::default()]];
        let each: Vec<Orders> =
            [3, 1, 4].into_iter().zip(kinds).flat_map(|(n, k)| vec![k; n]).collect();
        let alike = [(kinds[0], 3), (kinds[1], 1), (kinds[2], 4)]
            .map(|(orders, times)| Alike { orders, times });
        let moved = Moved { to_first: 2, to_second: 1, both: 4, repeated: 8 };
        assert_eq!(of_cells(&[0, 3], &alike, &[moved], false, 0.95)[0], one(&each, moved, false));
    }

    #[test]
    fn a_judge_that_takes_the_first_always() {
        let first = Verdicts { wins: 1, ..Verdicts::default() };
        let second = Verdicts { losses: 1, ..Verdicts::default() };
        let moved = Moved { to_first: 20, to_second: 0, both: 20, repeated: 20 };
        let found = one(&[[first, second]; 20], moved, false);
        assert_eq!((found.estimate, found.first), (Some(0.5), Some(1.0)));
        assert!(found.first_limits.unwrap().0 > 0.7);
        let (PValue { p, .. }, name) = found.test.unwrap();
        assert!((p - 2.0_f64.powi(-19)).abs() < 1e-18);
        assert_eq!(name, "sign-exact");
    }

    #[test]
    fn one_order_says_nothing_of_the_place() {
        let found = one(
            &[[Verdicts { wins: 3, losses: 1, ties: 0 }, Verdicts::default()]; 5],
            Moved::default(),
            false,
        );
        assert_eq!((found.first, found.first_limits, found.test), (None, None, None));
        assert_eq!(found.estimate, Some(0.75));
    }
}
