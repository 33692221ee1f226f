//! What was made of a text, kept for when the text comes again: the rows of a study share few
//! sources and claims.

use std::collections::HashMap;

/// Most texts that are kept at once.
const MOST: usize = 512;
/// Longer texts are not kept.
const LONGEST: usize = 1 << 12;

/// What is made of texts, once for each that comes again soon.
#[derive(Clone, Debug)]
pub(super) struct Memo<T> {
    places: HashMap<Box<str>, usize>,
    made: Vec<T>,
    /// What was made of a text that is not kept.
    passing: Option<T>,
    /// Texts that were there since the last were forgotten.
    found: usize,
    /// Texts do not come again, so that keeping them is not worth its while.
    idle: bool,
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        let places = HashMap::new();
        Self { places, made: Vec::new(), passing: None, found: 0, idle: false }
    }
}

impl<T> Memo<T> {
    /// What `make` makes of the text, which always has to be the same.
    pub(super) fn get(&mut self, text: &str, make: impl FnOnce(&str) -> T) -> &T {
        if self.idle || text.len() > LONGEST {
            return self.passing.insert(make(text));
        }
        if let Some(&place) = self.places.get(text)
            && place < self.made.len()
        {
            self.found += 1;
            return &self.made[place];
        }
        if self.made.len() == MOST {
            self.idle = self.found < MOST;
            self.found = 0;
            self.places.clear();
            self.made.clear();
        }
        self.places.insert(text.into(), self.made.len());
        self.made.push(make(text));
        &self.made[self.made.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_come_again_are_made_once() {
        let (mut memo, mut made) = (Memo::default(), 0);
        let mut length = |text: &str| {
            *memo.get(text, |text| {
                made += 1;
                text.len()
            })
        };
        let long = "x".repeat(LONGEST + 1);
        for _ in 0..10 {
            for text in ["", "a", "ab"] {
                assert_eq!(length(text), text.len());
            }
            assert_eq!(length(&long), long.len());
        }
        assert_eq!(made, 3 + 10);
    }

    #[test]
    fn texts_that_do_not_are_not_kept() {
        let mut memo = Memo::default();
        for number in 0..10 * MOST {
            let text = number.to_string();
            assert_eq!(*memo.get(&text, str::to_owned), text);
        }
        assert!(memo.idle && memo.made.len() <= MOST);
    }
}
