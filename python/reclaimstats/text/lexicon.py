"""The built-in lexicons: data, to be read, extended and replaced."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

HEDGES: tuple[str, ...] = (
    # Modal verbs and adverbs.
    "may", "might", "could", "can't be sure", "perhaps", "maybe", "possibly", "probably", "likely",
    "unlikely", "presumably", "potentially", "conceivably", "arguably", "plausibly", "apparently",
    "seemingly", "ostensibly", "supposedly", "purportedly", "allegedly", "reportedly",
    "tentatively", "provisionally", "unofficially", "anecdotally", "theoretically", "in theory",
    # What is not settled.
    "unconfirmed", "unverified", "unsubstantiated", "uncorroborated", "unproven", "unofficial",
    "uncertain", "uncertainty", "unclear", "unsure", "undecided", "unknown whether", "not sure",
    "not certain", "not clear", "not confirmed", "not verified", "not yet confirmed",
    "not yet verified", "not yet decided", "not final", "not finalized", "not finalised",
    "to be confirmed", "to be determined", "to be verified", "yet to be confirmed", "tbc", "tbd",
    "pending", "subject to confirmation", "if confirmed", "tentative", "provisional",
    "preliminary", "speculative", "hypothetical", "questionable", "doubtful", "dubious",
    "debatable", "disputed", "contested", "conflicting", "contradictory", "anecdotal", "secondhand",
    "second-hand", "hearsay", "rumor", "rumors", "rumour", "rumours", "rumored", "rumoured",
    "gossip", "word on the street", "alleged", "supposed", "purported", "presumed", "hedged",
    "inconclusive", "tentatively planned",
    # Verbs and nouns of guessing.
    "appear", "appears", "appeared", "seem", "seems", "seemed", "suggest", "suggests", "suggested",
    "suspect", "suspects", "suspected", "suspicion", "doubt", "doubts", "guess", "guesses",
    "guessed", "guessing", "speculate", "speculates", "speculated", "speculation", "assume",
    "assumes", "assumed", "assuming", "assumption", "presume", "presumes", "estimate", "estimates",
    "estimated", "estimating", "ballpark", "believe", "believes", "believed", "i think", "we think",
    "thinks", "i recall", "we recall", "i gather", "i imagine", "i expect", "we expect",
    "expected to", "supposed to", "hope to", "hopes to", "afaik", "iirc",
    "as far as i know", "as far as we know", "to my knowledge", "to our knowledge",
    "to the best of my knowledge", "from memory", "if i remember", "if memory serves",
    "sounds like", "looks like", "might be wrong", "don't quote me",
    "cannot confirm", "can't confirm", "could not confirm", "cannot verify", "can't verify",
    "could not verify",
)  # fmt: skip
"""Words and phrases that hold back from a claim."""

ATTRIBUTIONS: tuple[str, ...] = (
    # Verbs of saying, in the forms that report one.
    "said", "says", "saying", "told", "tells", "telling", "stated", "states that", "mentioned",
    "mentions", "mentioning", "remarked", "commented", "noted that", "notes that", "reported",
    "reports that", "reporting that", "reportedly", "claimed", "claims", "claiming", "alleged",
    "alleges", "allegedly", "asserted", "asserts", "maintained that", "maintains that", "insisted",
    "insists", "argued", "argues", "announced", "announces", "declared", "declares", "explained",
    "explains", "replied", "answered that", "responded that", "wrote", "writes that", "posted that",
    "tweeted", "emailed", "texted", "messaged", "called to say", "admitted", "admits", "conceded",
    "acknowledged", "denied", "denies", "warned", "warns", "advised", "informed", "informs",
    "notified", "relayed", "testified", "swears", "swore", "promised", "recalled", "recalls",
    "predicted", "predicts", "suggested that", "suggests that", "estimated by", "confirmed by",
    "confirmed that", "pointed out", "let me know", "let us know",
    # Sources named without a verb.
    "according to", "per the", "per a", "per an", "per my", "per our", "per his", "per her",
    "per their", "(per", "as per", "by way of", "attributed to", "credited to", "quoted", "quoting",
    "quotes", "in the words of", "in the view of", "in the opinion of", "cited", "citing", "cites",
    "source", "sources", "came from", "comes from", "heard", "overheard", "i hear", "we hear",
    "i'm told", "we're told", "was told", "were told", "been told", "word is", "word has it",
    "rumor has it", "rumour has it", "word from", "a tip from", "on the word of", "by a colleague",
    "a colleague", "third party", "hearsay", "secondhand", "second-hand", "as told by",
    "passed on by", "forwarded by", "shared by", "reported by", "from a friend",
)  # fmt: skip
"""Words and phrases that name who or what a claim comes from, or say that there is someone."""

LEXICON: Mapping[str, Sequence[str]] = MappingProxyType(
    {"hedge": HEDGES, "attribution": ATTRIBUTIONS}
)
"""What `cues` looks for unless it is told otherwise, besides dates."""

INCOMPLETE: tuple[str, ...] = (
    "incomplete", "not complete", "truncated", "abridged", "cut off", "cut short",
    "not all items", "not all of the items", "not all entries", "not all details",
    "not every item", "some items are missing", "some items were dropped", "items are missing",
    "items missing", "items omitted", "items were omitted", "items dropped", "items were dropped",
    "missing items", "entries omitted", "details omitted", "details were omitted",
    "details were dropped", "details dropped", "details not kept", "details are missing",
    "source omitted", "source dropped", "source not kept", "source not stored",
    "source not preserved", "source not retained", "source not available", "source unavailable",
    "source is missing", "source missing", "working omitted", "working not kept",
    "working not shown", "partial list", "partial record", "partial source", "only part of",
    "only some of", "cannot be recomputed", "cannot be rechecked", "cannot be re-derived",
    "inputs not kept", "inputs were not kept", "line items not kept", "without the line items",
)  # fmt: skip
"""Phrases by which a note says that it does not hold everything."""
