//! Tests of pairs: which discordant counts print a p-value so.

use std::collections::BTreeMap;
use std::ops::Range;

use super::arms::{Pair, printed_difference};
use super::{Cells, Figure, Searched, Table, Tables, needed};
use crate::audit::printed::Printed;
use crate::infer::mcnemar::McNemar;

pub(super) const SIGN: &str = "sign-exact";
pub(super) const TESTS: &[&str] =
    &["mcnemar-exact", "mcnemar-mid-p", "mcnemar-asymptotic", "mcnemar-continuity", SIGN];

/// Pairs that are searched; with rates printed, differences.
const MOST_PAIRS: u64 = 1_000_000;
const MOST_DIFFERENCES: usize = 20_000;
/// Rates of both arms that are looked at.
const MOST_RATES: u64 = 5_000_000;
/// Tables that are looked at in all.
const MOST_TABLES: u64 = 50_000_000;

/// The difference of discordant counts, and how far the treatment's may go.
struct Line {
    difference: i64,
    most_treatment_only: u64,
}

pub(super) fn p_value(
    figure: &Figure<'_>,
    printed: &Printed,
    asked: &[&'static str],
    found: &mut Tables<'_>,
) -> Searched {
    let mut looked = 0;
    for line in lines(figure, found)? {
        let allowed = line.allowed(figure);
        // Behind one difference a p-value grows with the discordant pairs.
        let ranges: Vec<(&'static str, Range<u64>)> = asked
            .iter()
            .map(|method| (*method, line.prints(&allowed, printed, method, found)))
            .collect();
        let some = || ranges.iter().map(|(_, range)| range).filter(|range| !range.is_empty());
        let first = some().map(|range| range.start).min();
        let end = some().map(|range| range.end).max();
        let (Some(first), Some(end)) = (first, end) else { continue };
        looked += end - first;
        if looked > MOST_TABLES {
            return Err("too many tables to count; print the rates of both arms".to_owned());
        }
        for baseline_only in first..end {
            let ways: Vec<&'static str> = ranges
                .iter()
                .filter(|(_, range)| range.contains(&baseline_only))
                .map(|(method, _)| *method)
                .collect();
            let treatment_only = baseline_only.saturating_add_signed(line.difference);
            found.add(&ways, |method| Table {
                method,
                cells: Cells::Discordant(treatment_only, baseline_only),
                value: p_of(method, treatment_only, baseline_only),
                limits: None,
                sd: None,
            });
        }
    }
    Ok(())
}

impl Line {
    /// The counts of pairs in which only the baseline succeeds.
    fn allowed(&self, figure: &Figure<'_>) -> Range<u64> {
        let first = 0_u64.saturating_add_signed(-self.difference);
        let last = self.most_treatment_only.checked_add_signed(-self.difference);
        let Some(last) = last else { return 0..0 };
        let all = first..last + 1;
        let behind = |treatment_only: u64| treatment_only.checked_add_signed(-self.difference);
        match (figure.treatment_only, figure.baseline_only) {
            (None, None) => all,
            (None, Some(known)) if all.contains(&known) => known..known + 1,
            (Some(known), None) if behind(known).is_some_and(|known| all.contains(&known)) => {
                behind(known).map_or(0..0, |known| known..known + 1)
            }
            (Some(one), Some(other)) if behind(one) == Some(other) && all.contains(&other) => {
                other..other + 1
            }
            _ => 0..0,
        }
    }

    fn prints(
        &self,
        allowed: &Range<u64>,
        printed: &Printed,
        method: &str,
        found: &Tables<'_>,
    ) -> Range<u64> {
        let place = |baseline_only: u64| {
            let treatment_only = baseline_only.saturating_add_signed(self.difference);
            printed.place(p_of(method, treatment_only, baseline_only), found.plan.rounding)
        };
        let edge = |from: u64, passed: &dyn Fn(u64) -> bool| {
            let (mut low, mut high) = (from, allowed.end);
            while low < high {
                let middle = low + (high - low) / 2;
                if passed(middle) { low = middle + 1 } else { high = middle }
            }
            low
        };
        let start = edge(allowed.start, &|count| place(count).is_lt());
        start..edge(start, &|count| place(count).is_eq())
    }
}

/// The differences that figures beside the p-value leave. Without any, a table and its mirror
/// image count as one.
fn lines(figure: &Figure<'_>, found: &Tables<'_>) -> Result<Vec<Line>, String> {
    if let (Some(treatment_only), Some(baseline_only), None) =
        (figure.treatment_only, figure.baseline_only, figure.n)
    {
        let known = [treatment_only, baseline_only];
        if known.iter().any(|count| *count > MOST_PAIRS) {
            return Err(format!("more than {MOST_PAIRS} discordant pairs are not searched"));
        }
        return Ok(vec![Line {
            difference: treatment_only.cast_signed() - baseline_only.cast_signed(),
            most_treatment_only: treatment_only,
        }]);
    }
    needed("n", figure.n, 1, MOST_PAIRS)?;
    if figure.n_baseline.is_some_and(|other| Some(other) != figure.n) {
        return Err("pairs need arms of one size; n and n_baseline differ".to_owned());
    }
    let arms = Pair::of(figure, printed_difference(figure)?, found)?;
    let n = arms.trials.0;
    let free = |counts: &Range<u64>| *counts == (0..n + 1);
    if free(&arms.treatment) && free(&arms.baseline) && arms.difference.is_none() {
        let open = figure.treatment_only.is_none() && figure.baseline_only.is_none();
        return free_lines(n, open);
    }
    let mut furthest: BTreeMap<i64, u64> = BTreeMap::new();
    let mut looked = 0;
    for k in arms.treatment.clone() {
        for j in arms.beside(k, found)? {
            let most = furthest.entry(k.cast_signed() - j.cast_signed()).or_default();
            *most = k.min(n - j).max(*most);
            looked += 1;
            if looked > MOST_RATES {
                return Err("too many rates to search; print them to more digits".to_owned());
            }
        }
    }
    let line = |(difference, most_treatment_only)| Line { difference, most_treatment_only };
    few(furthest.into_iter().map(line).collect())
}

fn free_lines(n: u64, open: bool) -> Result<Vec<Line>, String> {
    let first = if open { 0 } else { -n.cast_signed() };
    let lines = (first..=n.cast_signed()).map(|difference| Line {
        difference,
        most_treatment_only: n.saturating_add_signed(difference) / 2,
    });
    few(lines.take(2 * MOST_DIFFERENCES).collect())
}

fn few(lines: Vec<Line>) -> Result<Vec<Line>, String> {
    if lines.len() > MOST_DIFFERENCES {
        return Err("too many differences to search; print the rates of both arms".to_owned());
    }
    Ok(lines)
}

/// Two-sided p-value of discordant pairs; the sign test is McNemar's exact one.
fn p_of(method: &str, treatment_only: u64, baseline_only: u64) -> f64 {
    let test = method.strip_prefix("mcnemar-").and_then(McNemar::parse).unwrap_or(McNemar::Exact);
    test.p_value(treatment_only, baseline_only)
}
