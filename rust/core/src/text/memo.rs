//! What was made of a text, kept for when the text comes again: the rows of a study share few
//! sources and claims.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Most texts that are kept at once.
const MOST: usize = 512;
/// Longer texts are not kept.
const LONGEST: usize = 1 << 12;

/// A hash that whoever writes texts could make collide: there are too few at once to take long.
#[derive(Default)]
struct Quick(u64);

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let mut add = |eight| {
            let mixed = self.0.rotate_left(26) ^ u64::from_le_bytes(eight);
            self.0 = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        };
        let (eights, last) = bytes.as_chunks::<8>();
        eights.iter().copied().for_each(&mut add);
        let mut eight = [0; 8];
        eight[..last.len()].copy_from_slice(last);
        add(eight);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// What is made of texts, once for each that comes again soon.
#[derive(Clone, Debug)]
pub(super) struct Memo<T> {
    places: HashMap<Box<str>, usize, BuildHasherDefault<Quick>>,
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
        let places = HashMap::default();
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
