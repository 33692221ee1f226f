"""Looking words up gives the answers of comparing all tokens, at every kind of edge."""

import polars as pl
from hypothesis import example, given
from hypothesis import strategies as st

import reclaimstats as rs
from reference import memory as twin

pieces = st.sampled_from(
    [
        "a", "ab", "cat", "s", "Cat", "'s", "’s ", "'", "1", "12", "123", "1,234", "1234", ",", ".",
        " ", " ", " ", "é", "ß", "\u212a", "３", "x1", "1.5", ",234", "½", "-", "1,234,567", "the ",
        "\u0301", "\u0302", "e\u0301", "日", "本", "か", "\u3099", "ท", "\u0e35", "한", "\u20e3",
        "\u200b", "\u00ad", "Ａ", "ﾞ", "々", "\u093f",
    ]
)  # fmt: skip


def text(most: int) -> st.SearchStrategy[str]:
    return st.lists(pieces, max_size=most).map("".join)


@given(text(6), text(16))
@example("1234", "1,234.")
@example("s", "a's s")
@example("111,111", "1111,111,111")
def test_words_agree_with_the_twin(claim: str, note: str) -> None:
    frame = pl.DataFrame({"c": [claim], "n": [note]})
    found = frame.select(rs.text.containment("c", "n", with_trace=True)).item()
    words = twin.word_survival(note, claim)
    assert (found["found"], found["total"]) == (sum(words.values()), len(words))


@given(st.lists(text(5), min_size=1, max_size=4), text(16))
@example(["a's's"], "a's's")
def test_items_agree_with_the_twin(items: list[str], note: str) -> None:
    frame = pl.DataFrame({"i": [items], "n": [note]})
    share = frame.select(rs.text.source_survival("n", "i", test="fraction")).item()
    survives = twin.item_survival(note, items)
    assert share == (sum(survives.values()) / len(survives) if survives else None)
