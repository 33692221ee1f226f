//! How much of a claim a memory still holds.

use super::composed::composed;
use super::memo::Memo;
use super::seek::{Declined, Needles, Text};
use super::tokens::{content_words, coverage, survey};

/// Distinct content words of the claim: those found in the memory, and all.
///
/// The words are those of [`super::tokens`]; nothing is stemmed. A claim without content words
/// gives (0, 0), a share that is undefined.
#[must_use]
pub fn containment(claim: &str, memory: &str) -> (usize, usize) {
    Claims::default().containment(claim, memory)
}

/// Claims as they are looked for, kept from row to row.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// Nothing for a claim whose words cannot be looked up one by one.
    needles: Memo<Option<Needles>>,
    room: Vec<u8>,
}

impl Claims {
    /// See [`containment`].
    pub fn containment(&mut self, claim: &str, memory: &str) -> (usize, usize) {
        let memory = composed(memory);
        self.looked_up(claim, &memory, Needles::held)
            .unwrap_or_else(|| coverage(content_words(&composed(claim)), &memory))
    }

    /// Whether the memory has all content words of the claim; nothing when there are none.
    pub fn contained(&mut self, claim: &str, memory: &str) -> Option<bool> {
        let memory = composed(memory);
        let (held, words) =
            self.looked_up(claim, &memory, Needles::all_held).unwrap_or_else(|| {
                let (found, words) = coverage(content_words(&composed(claim)), &memory);
                (found == words, words)
            });
        (words > 0).then_some(held)
    }

    /// What looking the claim's words up gives, and their number; nothing where they have to be
    /// compared with those of the memory.
    fn looked_up<T>(
        &mut self,
        claim: &str,
        memory: &str,
        look: impl Fn(&Needles, &Text<'_>) -> Result<T, Declined>,
    ) -> Option<(T, usize)> {
        let words = |claim: &str| Needles::distinct(content_words(&composed(claim)));
        let needles = self.needles.get(claim, words).as_ref()?;
        let held = look(needles, &Text::new(memory, &mut self.room)?).ok()?;
        Some((held, needles.len()))
    }
}

/// The distinct content words of the claim in their order, each with whether the memory has it.
#[must_use]
pub fn words(claim: &str, memory: &str) -> Vec<(String, bool)> {
    let (claim, memory) = (composed(claim), composed(memory));
    let found = survey(content_words(&claim), &memory);
    found.into_iter().map(|(word, found)| (word.to_owned(), found)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_the_stance_paper() {
        // Appendix C: the claims' wording matters only by its words, here in another order.
        let noise = "Deploys go out on Monday. Keys rotate weekly. Standup 9:45am.";
        let cases = [
            (
                "The patient's blood pressure has been running near 150 over 95",
                "Patient BP ~150/95 (at home)",
                (3, 8),
            ),
            ("The performance review window opens on the 3rd", "Perf reviews: 3rd.", (1, 5)),
            (
                "Two contractor seats were approved for next quarter",
                "Contractor seats approved next quarter (pending).",
                (5, 6),
            ),
            ("The department is around eighty people", "~80 people.", (1, 4)),
            ("Roughly 300 people attended", "~300 attendees", (1, 4)),
            (
                "The manufacturer is preparing a recall of the 2024 units",
                "2024 recall rumored.",
                (2, 5),
            ),
            (
                "Two contractor seats were approved for next quarter",
                "Two contractor seats approved Q1.",
                (4, 6),
            ),
        ];
        for (claim, memory, counts) in cases {
            assert_eq!(containment(claim, &format!("{noise} {memory} {noise}")), counts, "{claim}");
        }
    }

    #[test]
    fn repeated_and_missing_words_count_once() {
        assert_eq!(containment("paid paid PAID rent", "rent, paid. Paid!"), (2, 2));
        assert_eq!(containment("of the", "of the"), (0, 0));
        assert_eq!(containment("rent", ""), (0, 1));
        assert_eq!(containment("it cost 1,234", "cost: 1234"), (2, 2));
        assert_eq!(containment("it cost 4", "cost: 40 or 4.50"), (1, 2));
    }

    /// Texts over few pieces, of every kind that is looked up and that is not.
    fn text(state: &mut u64, pieces: usize) -> String {
        const PIECES: [&str; 16] = [
            "rent ",
            "paid ",
            "PAID",
            "4",
            "40 ",
            "1,234 ",
            "1234",
            ".5",
            "'s ",
            "é",
            "ß ",
            "日本",
            "the ",
            " ",
            "e\u{301} ",
            "s ",
        ];
        (0..pieces).fold(String::new(), |text, _| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text + PIECES.get(usize::try_from(*state >> 60).unwrap_or_default()).unwrap_or(&"")
        })
    }

    #[test]
    fn kept_claims_agree_with_comparing() {
        let mut state = 1;
        let claims: Vec<String> = (0..700).map(|i| text(&mut state, i % 9)).collect();
        let mut kept = Claims::default();
        for round in 0..20_000 {
            // Few claims at first, and then more than are kept.
            let claim = claims.get(round % (1 + round / 20)).map_or("rent", String::as_str);
            let memory = text(&mut state, round % 13);
            let slow = coverage(content_words(&composed(claim)), &composed(&memory));
            assert_eq!(kept.containment(claim, &memory), slow, "{claim:?} in {memory:?}");
            let all = (slow.1 > 0).then_some(slow.0 == slow.1);
            assert_eq!(kept.contained(claim, &memory), all, "{claim:?} in {memory:?}");
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        let claim: String =
            (0..200_000).fold(String::new(), |text, i| text + "w" + &i.to_string() + " ");
        assert_eq!(containment(&claim, &claim), (200_000, 200_000));
        let same = "a1 ".repeat(1_000_000);
        assert_eq!(containment(&same, &same), (1, 1));
    }
}
