//! Whether calls are those that were expected.

use super::super::literal::{Notation, Parser, Value};
use super::Call;

/// Whether two lists hold the same calls, in any order.
#[must_use]
pub fn calls_match(mut one: Vec<Call>, mut other: Vec<Call>) -> bool {
    one.sort_unstable();
    other.sort_unstable();
    one == other
}

/// Whether each of some calls is one of the possible ones, each of these once and none left.
///
/// A possible call gives for each argument a list of the values that are right, in which `""` also
/// says that the argument may be left out. Maps among these values give such lists for their
/// members.
#[must_use]
pub fn possible_calls_match(calls: &[Call], possible: &[Call]) -> bool {
    fn read(calls: &[Call]) -> Option<Vec<Value<'_>>> {
        calls
            .iter()
            .map(|call| Parser::new(&call.arguments, Notation::Json).value(1).ok())
            .collect()
    }
    let (Some(given), Some(accepted)) = (read(calls), read(possible)) else {
        return false;
    };
    if given.len() != accepted.len() {
        return false;
    }
    let fitting = |(call, given): (&Call, &Value<'_>)| -> Vec<usize> {
        let answers = possible.iter().zip(&accepted).enumerate();
        let fitting =
            answers.filter(|(_, (one, accepted))| one.name == call.name && fits(accepted, given));
        fitting.map(|(at, _)| at).collect()
    };
    pairs_up(&calls.iter().zip(&given).map(fitting).collect::<Vec<_>>())
}

/// Whether each member of a map is among the values that another map accepts for it.
fn fits(accepted: &Value<'_>, given: &Value<'_>) -> bool {
    let (Value::Map(accepted), Value::Map(given)) = (accepted, given) else {
        return false;
    };
    // Both are sorted by their keys.
    let mut given = given.iter().peekable();
    let each = accepted.iter().all(|(key, values)| {
        accepts(values, given.next_if(|(name, _)| name == key).map(|(_, value)| value))
    });
    each && given.next().is_none()
}

/// Whether a list of values accepts one, or that there is none. What is no list is the only value.
fn accepts(values: &Value<'_>, given: Option<&Value<'_>>) -> bool {
    let only = std::slice::from_ref(values);
    let values = if let Value::List(values) = values { values } else { only };
    match given {
        None => values.iter().any(|value| matches!(value, Value::Text(text) if text.is_empty())),
        Some(given) => values.iter().any(|value| is(value, given)),
    }
}

/// Whether a value is an accepted one. It goes no deeper than values are read.
fn is(accepted: &Value<'_>, given: &Value<'_>) -> bool {
    match (accepted, given) {
        (Value::List(accepted), Value::List(given)) => {
            accepted.len() == given.len() && accepted.iter().zip(given).all(|(a, b)| is(a, b))
        }
        (Value::Map(_), Value::Map(_)) => accepted == given || fits(accepted, given),
        _ => accepted == given,
    }
}

/// Whether each can have one of those that fit it to itself, by augmenting paths.
fn pairs_up(fitting: &[Vec<usize>]) -> bool {
    let mut owners: Vec<Option<usize>> = vec![None; fitting.len()];
    (0..fitting.len()).all(|one| {
        // By whom each was reached, from those who have one on to what else fits them.
        let mut reached: Vec<Option<usize>> = vec![None; fitting.len()];
        let mut looking = vec![one];
        while let Some(seeker) = looking.pop() {
            for &other in fitting.get(seeker).into_iter().flatten() {
                let Some(by @ None) = reached.get_mut(other) else { continue };
                *by = Some(seeker);
                let Some(&Some(owner)) = owners.get(other) else {
                    hand_over(&mut owners, &reached, other);
                    return true;
                };
                looking.push(owner);
            }
        }
        false
    })
}

/// Gives what is free to whom it was reached by, what he had to whom that was reached by, and so on.
fn hand_over(owners: &mut [Option<usize>], reached: &[Option<usize>], free: usize) {
    let mut next = Some(free);
    while let Some(this) = next {
        let taker = reached.get(this).copied().flatten();
        next = taker.and_then(|taker| owners.iter().position(|owner| *owner == Some(taker)));
        if let Some(owner) = owners.get_mut(this) {
            *owner = taker;
        }
    }
}
