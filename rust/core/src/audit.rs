//! Which integer tables print a published figure so: none, one or several.
//!
//! A printed figure and its number of trials leave few tables, often one and now and then none.
//! Counts are compared with the printed digits in whole numbers; p-values and limits, which are
//! doubles, to a relative 1e-12. Searches narrow what can be narrowed by order (a p-value grows
//! with the discordant pairs behind one difference), and count what cannot.
//!
//! Rates and means: GRIM, Brown and Heathers (2017), doi:10.1177/1948550616673876. Standard
//! deviations: after GRIMMER, Anaya (2016), `PeerJ` Preprints 4:e2400v1, by complete search.

mod agreement;
mod arms;
mod paired;
mod printed;
mod scores;

use std::cmp::Ordering;
use std::ops::Range;

use crate::watch::Watch;
use printed::Printed;
pub use printed::Rounding;

/// A printed figure and what is printed beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figure<'a> {
    /// What is printed: one of [`KINDS`].
    pub kind: &'a str,
    /// The figure as it stands in print.
    pub printed: &'a str,
    /// Trials, pairs, rated items or averaged values.
    pub n: Option<u64>,
    /// Trials of the other arm, where arms are independent.
    pub n_baseline: Option<u64>,
    /// The printed rate of the treatment.
    pub treatment: Option<&'a str>,
    /// The printed rate of the baseline.
    pub baseline: Option<&'a str>,
    /// The printed difference of both.
    pub difference: Option<&'a str>,
    /// The printed raw agreement.
    pub agreement: Option<&'a str>,
    /// Successes, of the treatment where there are arms.
    pub successes: Option<u64>,
    /// Successes of the baseline.
    pub successes_baseline: Option<u64>,
    /// Pairs in which only the treatment succeeds.
    pub treatment_only: Option<u64>,
    /// Pairs in which only the baseline succeeds.
    pub baseline_only: Option<u64>,
    /// Trials behind each averaged value.
    pub of: Option<u64>,
    /// The least score.
    pub least: Option<i64>,
    /// The largest score.
    pub most: Option<i64>,
    /// Names of the methods to consider, all by default.
    pub methods: Option<&'a str>,
}

/// What can be audited.
pub const KINDS: &[&str] = &["rate", "interval", "difference", "p", "kappa", "mean"];

/// Everything that an audit depends on besides the figures.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// What becomes of a value half-way between two printed ones.
    pub rounding: Rounding,
    /// Two-sided level of printed intervals.
    pub confidence_level: f64,
    /// How many tables of a figure are listed.
    pub max_tables: usize,
}

/// An integer table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cells {
    /// Successes of one arm.
    Rate(u64),
    /// Successes of the treatment and of the baseline.
    Arms(u64, u64),
    /// Successes of the treatment minus those of the baseline.
    Difference(i64),
    /// Pairs in which only the treatment, and in which only the baseline succeeds.
    Discordant(u64, u64),
    /// Items that both raters, only the first, only the second and neither call positive.
    Ratings([u64; 4]),
    /// Sum of the scores.
    Sum(i64),
    /// Scores and how often each occurs.
    Scores(Vec<(i64, u64)>),
}

/// A table that prints so, and what it gives before rounding.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// How the figure comes from the table.
    pub method: &'static str,
    /// The counts.
    pub cells: Cells,
    /// The figure itself.
    pub value: f64,
    /// Limits of an interval.
    pub limits: Option<(f64, f64)>,
    /// Standard deviation.
    pub sd: Option<f64>,
}

/// What the tables of a figure say of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No table prints so.
    None,
    /// One table does.
    Unique,
    /// More than one does.
    Several,
    /// It cannot be said.
    Undecided,
}

impl Verdict {
    /// All names.
    pub const NAMES: &'static [&'static str] = &["none", "unique", "several", "undecided"];

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// What was found of one figure.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Finding {
    /// How many tables there are; the least number where the search was cut off.
    pub n_tables: u64,
    /// The methods by which any of them prints so, sorted.
    pub methods: Vec<&'static str>,
    /// The first of them, each once for every method.
    pub tables: Vec<Table>,
    /// Why it cannot be said, or what was left out.
    pub reason: Option<String>,
    /// Whether the search came to its end.
    complete: bool,
}

impl Finding {
    /// What the tables say of the figure.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.n_tables {
            2.. => Verdict::Several,
            _ if !self.complete => Verdict::Undecided,
            1 => Verdict::Unique,
            _ => Verdict::None,
        }
    }
}

/// What is found of each figure.
#[must_use]
pub fn of(figures: &[Figure<'_>], plan: &Plan, watch: &Watch) -> Vec<Finding> {
    watch.cells(figures.iter().collect(), (), |(), figure| of_one(figure, plan))
}

fn of_one(figure: &Figure<'_>, plan: &Plan) -> Finding {
    let mut found = Tables { plan, finding: Finding::default() };
    let result = match figure.kind {
        "rate" => arms::rate(figure, &mut found),
        "interval" => arms::interval(figure, &mut found),
        "difference" => arms::difference(figure, &mut found),
        "p" => p_value(figure, &mut found),
        "kappa" => agreement::kappa(figure, &mut found),
        "mean" => scores::mean(figure, &mut found),
        kind => Err(format!("figure {:?} is none of {}", shown(kind), KINDS.join(", "))),
    };
    let mut finding = found.finding;
    finding.methods.sort_unstable();
    match result {
        Ok(()) => finding.complete = true,
        Err(reason) => finding.reason = Some(reason),
    }
    finding
}

/// Why a search gives no answer, or not the whole one.
type Searched = Result<(), String>;

/// A p-value of pairs, of two independent arms, or of whichever the figure leaves open.
fn p_value(figure: &Figure<'_>, found: &mut Tables<'_>) -> Searched {
    let printed = one("printed", figure.printed)?;
    let arms_known =
        [(figure.treatment, figure.successes), (figure.baseline, figure.successes_baseline)]
            .iter()
            .all(|(rate, successes)| rate.is_some() || successes.is_some());
    let independent = figure.n_baseline.is_some();
    let paired = if figure.methods.is_some() || !independent { paired::TESTS } else { &[] };
    let two_arms =
        if figure.methods.is_some() || independent || arms_known { arms::TESTS } else { &[] };
    let all: Vec<&'static str> = paired.iter().chain(two_arms).copied().collect();
    let asked = methods(figure, &all)?;
    // Over signs the exact test is McNemar's; by default it need not be listed twice.
    let asked = |name: &&&'static str| match figure.methods {
        None => asked.contains(name) && **name != paired::SIGN,
        Some(_) => asked.contains(name),
    };
    let paired: Vec<&str> = paired.iter().filter(asked).copied().collect();
    let two_arms: Vec<&str> = two_arms.iter().filter(asked).copied().collect();
    if !paired.is_empty() {
        paired::p_value(figure, &printed, &paired, found)?;
    }
    if !two_arms.is_empty() {
        arms::p_value(figure, &printed, &two_arms, found)?;
    }
    Ok(())
}

/// Tables as they are found.
struct Tables<'a> {
    plan: &'a Plan,
    finding: Finding,
}

impl Tables<'_> {
    /// Takes in one table, with every method by which it prints so; without any, it does not.
    fn add(&mut self, ways: &[&'static str], table: impl Fn(&'static str) -> Table) {
        if ways.is_empty() {
            return;
        }
        let listed = self.finding.n_tables < self.plan.max_tables as u64;
        self.finding.n_tables += 1;
        for way in ways {
            if !self.finding.methods.contains(way) {
                self.finding.methods.push(way);
            }
            if listed {
                self.finding.tables.push(table(way));
            }
        }
    }

    /// Whether as many are found as are listed.
    fn full(&self) -> bool {
        self.finding.n_tables >= self.plan.max_tables.max(2) as u64
    }
}

/// The one number that a text holds.
fn one(name: &str, text: &str) -> Result<Printed, String> {
    Printed::one(text)
        .ok_or_else(|| format!("{name} {:?} is not one number that can be read", shown(text)))
}

/// The beginning of a text, for messages.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

/// A printed share; above one it is in percent whether it says so or not.
fn share(name: &str, text: &str) -> Result<Printed, String> {
    let number = one(name, text)?;
    Ok(if number.above(1.0) { number.as_percent() } else { number })
}

fn needed(name: &str, value: Option<u64>, least: u64, most: u64) -> Result<u64, String> {
    let value = value.ok_or_else(|| format!("{name} is missing"))?;
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(format!("{name} is {value}; it must be from {least} to {most} to be searched"))
    }
}

/// The methods to consider: those named, or all.
fn methods(figure: &Figure<'_>, all: &[&'static str]) -> Result<Vec<&'static str>, String> {
    let Some(named) = figure.methods else { return Ok(all.to_vec()) };
    let names = named.split([' ', ',', ';']).filter(|name| !name.is_empty());
    let known = |name: &str| all.iter().find(|known| **known == name).copied();
    let found: Result<Vec<&'static str>, String> = names
        .map(|name| {
            known(name).ok_or_else(|| {
                format!(
                    "method {:?} does not give this figure; use {}",
                    shown(name),
                    all.join(", ")
                )
            })
        })
        .collect();
    found.map(|found| if found.is_empty() { all.to_vec() } else { found })
}

/// Those of the whole numbers `all` whose place, which never falls, is within what prints so; the
/// place is nothing where digits do not fit.
fn within(
    all: Range<i128>,
    place: impl Fn(i128) -> Option<Ordering>,
) -> Result<Range<i128>, String> {
    let edge = |from: i128, passed: fn(Ordering) -> bool| {
        let (mut low, mut high) = (from, all.end.max(from));
        while low < high {
            let middle = low + (high - low) / 2;
            let place = place(middle).ok_or("it has too many digits to be compared exactly")?;
            if passed(place) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok::<i128, String>(low)
    };
    let start = edge(all.start, Ordering::is_lt)?;
    Ok(start..edge(start, Ordering::is_eq)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: Plan =
        Plan { rounding: Rounding::Either, confidence_level: 0.95, max_tables: 1000 };

    fn cells(figure: &Figure<'_>) -> Vec<Cells> {
        let found = of_one(figure, &PLAN);
        assert_eq!(found.reason, None);
        assert_eq!(found.n_tables, found.tables.len() as u64, "one method a table");
        found.tables.into_iter().map(|table| table.cells).collect()
    }

    #[test]
    fn five_printed_p_values_have_one_table_each() {
        for (printed, difference, b, c) in [
            ("2.3e-17", "39.9 pp", 76, 5),
            ("3.0e-9", "28.7 pp", 64, 13),
            ("1.4e-8", "27.0 pp", 61, 13),
            ("5.6e-6", "18.0 pp", 41, 9),
            ("8.2e-4", "12.9 pp", 34, 11),
        ] {
            let figure = Figure {
                kind: "p",
                printed,
                n: Some(178),
                difference: Some(difference),
                methods: Some("mcnemar-exact"),
                ..Figure::default()
            };
            assert_eq!(cells(&figure), [Cells::Discordant(b, c)]);
        }
    }

    #[test]
    fn a_printed_p_value_without_a_table() {
        let figure = Figure {
            kind: "p",
            printed: ".023",
            n: Some(100),
            treatment: Some("92.0%"),
            baseline: Some("83.0%"),
            ..Figure::default()
        };
        assert_eq!(of_one(&figure, &PLAN).verdict(), Verdict::None);
        let printed = Figure { printed: ".022", methods: Some("mcnemar-exact"), ..figure };
        assert_eq!(cells(&printed), [Cells::Discordant(11, 2)]);
    }

    #[test]
    fn scores_of_three_runs() {
        let figure = Figure {
            kind: "mean",
            n: Some(3),
            of: Some(19),
            methods: Some("sd-sample"),
            ..Figure::default()
        };
        let once = |scores: &[i64]| Cells::Scores(scores.iter().map(|score| (*score, 1)).collect());
        let printed = |printed| cells(&Figure { printed, ..figure });
        assert_eq!(printed("68.4 ± 13.9"), [once(&[10, 14, 15]), once(&[11, 12, 16])]);
        assert_eq!(printed("78.9 ± 0.0"), [Cells::Scores(vec![(15, 3)])]);
        assert_eq!(printed("57.9 ± 21.1"), [once(&[7, 11, 15])]);
        assert_eq!(printed("57.9 ± 21.3"), []);
    }

    #[test]
    fn what_cannot_be_read_is_undecided() {
        for (kind, printed) in [("p", "n.s."), ("rate", "most"), ("mean", "1 2 3"), ("what", "1")] {
            let found = of_one(&Figure { kind, printed, n: Some(9), ..Figure::default() }, &PLAN);
            assert_eq!(found.verdict(), Verdict::Undecided, "{kind}");
            assert!(found.reason.is_some());
        }
    }
}
