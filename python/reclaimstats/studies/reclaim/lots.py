"""Lots that depend on a text alone, the same on every machine, and what is drawn by them."""

import math
from collections.abc import Sequence

import polars as pl

__all__ = ["NO_ANSWER", "answer_line", "mixed", "one_of", "salt", "text_key", "word"]

_TEXT_SALTS = 16  # the first salt of a text; the ones below are the reader's

_ANSWER_OPENS = ("ANSWER: ", "ANSWER: $", "**ANSWER:** $", "ANSWER: **$", "**ANSWER: ", "Answer: `")
_ANSWER_CLOSES = ("", "", "", "**", "**", "`")
NO_ANSWER = ("ANSWER: unknown", "**ANSWER:** cannot be determined", "ANSWER: **not recoverable**")


def one_of(options: Sequence[str], lot: pl.Expr) -> pl.Expr:
    """Pick a text by lot."""
    numbers = list(range(len(options)))
    return (lot % len(options)).replace_strict(numbers, list(options), return_dtype=pl.String)


def answer_line(value: pl.Expr, dress: pl.Expr) -> pl.Expr:
    """Write an answer line around a value, dressed by lot."""
    return pl.concat_str(one_of(_ANSWER_OPENS, dress), value, one_of(_ANSWER_CLOSES, dress))


def word(value: int) -> pl.Expr:
    """Return a number of 64 bits."""
    return pl.lit(value, dtype=pl.UInt64)


def mixed(x: pl.Expr) -> pl.Expr:
    """Scatter 64 bits with the finaliser of SplitMix64 (Steele, Lea and Flood 2014).

    Polars' own hash may change from one version to the next, and this may not.
    """
    x = (x ^ x // word(1 << 30)) * word(0xBF58476D1CE4E5B9)
    x = (x ^ x // word(1 << 27)) * word(0x94D049BB133111EB)
    return x ^ x // word(1 << 31)


def salt(k: int) -> pl.Expr:
    """Return the k-th power of Knuth's MMIX multiplier, so that sums of salted words are a hash."""
    return word(pow(6364136223846793005, k, 1 << 64))


def text_key(texts: pl.Series) -> pl.Expr:
    """Hash each text, whatever the others are: its words of 7 bytes, each times its own salt."""
    text = pl.col(texts.name).cast(pl.String)
    digits = text.str.encode("hex")
    longest = texts.cast(pl.String).str.len_bytes().cast(pl.Int64).to_frame().max().item() or 0
    words = [
        digits.str.slice(14 * word, 14).str.to_integer(base=16, strict=False).cast(pl.UInt64)
        * salt(_TEXT_SALTS + word)
        for word in range(math.ceil(longest / 7))
    ]
    return pl.sum_horizontal(text.str.len_bytes().cast(pl.UInt64), *words)
