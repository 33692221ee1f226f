//! Cohen's kappa of two raters and two categories.

use super::{Cells, Figure, Searched, Table, Tables, methods, needed, one, share, within};
use crate::audit::printed::Printed;

const MOST_ITEMS: u64 = 100_000;
/// Tables that are looked at in all.
const MOST_TABLES: u64 = 200_000_000;

/// Cohen (1960), doi:10.1177/001316446002000104.
pub(super) fn kappa(figure: &Figure<'_>, found: &mut Tables<'_>) -> Searched {
    methods(figure, &["cohen"])?;
    let printed = one("printed", figure.printed)?;
    let n = needed("n", figure.n, 1, MOST_ITEMS)?;
    let agreements = match figure.agreement {
        None => 0..i128::from(n) + 1,
        Some(text) => {
            let agreement = share("agreement", text)?;
            let place = |m| agreement.place_ratio(m, i128::from(n), found.plan.rounding);
            within(0..i128::from(n) + 1, place)?
        }
    };
    let counts: Vec<u64> =
        agreements.map(u64::try_from).collect::<Result<_, _>>().map_err(|e| e.to_string())?;
    let looked: u64 = counts.iter().map(|m| (m + 1).saturating_mul(n - m + 1)).sum();
    if looked > MOST_TABLES {
        return Err(format!("{looked} tables would have to be tried; print the raw agreement"));
    }
    for m in counts {
        of_agreement(n, m, &printed, found)?;
    }
    Ok(())
}

/// Tables of `n` items of which the raters agree on `m`.
fn of_agreement(n: u64, m: u64, printed: &Printed, found: &mut Tables<'_>) -> Searched {
    let (items, agreed) = (i128::from(n), i128::from(m));
    let square = items * items;
    // Kappa falls as the agreement by chance, here times n², grows; at n² it is undefined.
    let place = |less: i128| {
        let chance = square - less;
        printed.place_ratio(items * agreed - chance, less, found.plan.rounding)
    };
    let within = within(1..square + 1, place)?;
    if within.is_empty() {
        return Ok(());
    }
    let chances = [square + 1 - within.end, square - within.start].map(u64::try_from);
    let [Ok(least), Ok(most)] = chances else { return Ok(()) };
    let apart = n - m;
    for first_only in 0..=apart {
        let second_only = apart - first_only;
        for both in 0..=m {
            let neither = m - both;
            let (yes, also) = (both + first_only, both + second_only);
            let chance = yes * also + (n - yes) * (n - also);
            if (least..=most).contains(&chance) {
                found.add(&["cohen"], |method| Table {
                    method,
                    cells: Cells::Ratings([both, first_only, second_only, neither]),
                    value: (items * agreed - i128::from(chance)) as f64
                        / (square - i128::from(chance)) as f64,
                    limits: None,
                    sd: None,
                });
            }
        }
    }
    Ok(())
}
