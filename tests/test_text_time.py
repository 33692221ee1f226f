"""Times of day: right values, the twin, and the reference material."""

import json
import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import reclaimstats as rs
from reclaimstats.errors import ColumnError, OptionError
from reference import text as twin


def read(*replies: str | None, **options: str) -> list[str | None]:
    return pl.select(rs.text.answer_time(pl.lit(pl.Series("r", replies, pl.String)), **options))[
        "r"
    ].to_list()


def traced(reply: str, **options: str) -> dict[str, object]:
    frame = pl.DataFrame({"r": [reply]})
    return frame.select(rs.text.answer_time("r", with_trace=True, **options)).item()


TIMES = [
    "16:15", "4:15", "9:05", "27:80", "24:00", "12:00", "0:30", "16:15:42", "16:15:99", "9:5",
    "116:15", "16h15", "16 h 15", "9h", "1615 hrs", "1615", "16.15", "16.75", "4", "16", "noon",
    "midnight", "9 o'clock", "16 Uhr", "16 Uhr 15", "4 Uhr dreißig", "9 Uhr 5", "16点15分", "4点半",
    "16時", "4시 15분", "16h15min", "2h30min", "16 h 15 min", "16 heures 30",
]  # fmt: skip
HALVES = [
    "",
    "",
    "",
    " pm",
    "am",
    " p.m.",
    " A.M.",
    "PM",
    " in the afternoon",
    " in the morning",
    " am Nachmittag",
    " am Abend",
    " tonight",
]
OPENINGS = [
    "",
    "",
    "",
    "about ",
    "The train leaves at ",
    "It is ",
    "Not ",
    "Probably ",
    "I cannot say if ",
    "It took ",
    "The score is ",
    "Originally ",
    "~~15:15~~ ",
    "kl. ",
]
LINKS = [" or ", "-", " - ", " to ", ", ", ", not ", " (was ", " and ", ". Then ", "; "]
ENDINGS = [
    "",
    "",
    ".",
    " on platform 4",
    ", I think",
    " UTC",
    " daily.",
    " hours",
    " left",
    " cancelled",
    "\nNo, thanks.",
    "\nNo, 17:15.",
    "\nActually, 16:15.",
    "\nWait, that is wrong.",
]
DRESSES = ["{}", "{}", "**{}**", "`{}`", "({})", "<{}>"]


@st.composite
def answers(draw: st.DrawFn) -> str:
    def time() -> str:
        time = draw(st.sampled_from(TIMES))
        named = time in ("noon", "midnight")
        return time if named else time + draw(st.sampled_from(HALVES))

    text = draw(st.sampled_from(DRESSES)).format(time())
    text = draw(st.sampled_from(OPENINGS)) + text
    if draw(st.booleans()):
        link = draw(st.sampled_from(LINKS))
        text += link + time() + (")" if "(" in link else "")
    return text + draw(st.sampled_from(ENDINGS))


# The twin takes four digits with am or pm for an impossible time, the kernel for none; to the
# kernel `Nachmittag-4` is one word.
UNLIKE = r"\d{4} ?[ap]|[gd]-\d"


@given(answers().filter(lambda answer: not re.search(UNLIKE, answer)))
def test_strict_agrees_with_the_twin(answer: str) -> None:
    reply = f"We said 8:00 once.\nANSWER: {answer}"
    trace = traced(reply)
    assert (trace["value"], trace["status"]) == twin.answer_time(reply)


@given(
    st.lists(
        st.sampled_from(
            [
                "It left at 9:30",
                "16:15",
                "at 4 pm",
                "noon",
                "$16.15",
                "27:80",
                "it took 4:15",
                "the score was 3:15",
                "1:30 left",
                "~~8:15~~",
                "in chapter 2 at 9:15",
                "the run lasted 2:15 hours",
                "the ratio is 16:10.\n",
                "9 tonight",
                "16h15min",
            ]
        )
    )
)
def test_fallback_agrees_with_the_twin(parts: list[str]) -> None:
    reply = ", then ".join(parts)
    trace = traced(reply, fallback="last_time")
    assert (trace["value"], trace["status"]) == twin.answer_time(reply, fallback="last_time")
    assert read(reply, fallback="last_time") == [trace["value"]]


@given(st.lists(answers(), min_size=1, max_size=3), st.sampled_from(["last", "first"]))
def test_first_and_last_marker_agree_with_the_twin(parts: list[str], which: str) -> None:
    reply = "\n".join(f"ANSWER: {part}" for part in parts if not re.search(UNLIKE, part))
    trace = traced(reply, which=which)
    assert (trace["value"], trace["status"]) == twin.answer_time(reply, which=which)
    assert read(reply, which=which) == [trace["value"]]


pieces = st.sampled_from(
    [
        "ANSWER",
        "answer",
        ":",
        ":",
        " ",
        "*",
        "**",
        "1",
        "12",
        "9:30",
        "16:1",
        "7",
        "pm",
        " AM",
        "\n",
        "<",
        "٣",
    ]
)


@given(
    st.lists(pieces, max_size=14).map("".join),
    st.sampled_from(["reclaim-eval", "reclaim-eval-loose"]),
)
@example("ANSWER: 1:111:11", "reclaim-eval-loose")
def test_harness_dialects_agree_with_their_patterns(reply: str, dialect: str) -> None:
    assert read(reply, dialect=dialect)[0] == twin.answer_time(reply, dialect=dialect)[0]


@given(st.text(max_size=60))
def test_any_text_is_read_without_error(text: str) -> None:
    for dialect in ["strict", "reclaim-eval", "reclaim-eval-loose"]:
        read(f"{text}\nANSWER: {text}", dialect=dialect)


@given(
    st.integers(0, 1439),
    st.sampled_from(
        [
            "{h}:{m:02}",
            "{h:02}:{m:02}",
            "{h}h{m:02}",
            "{h}.{m:02}",
            "{t}:{m:02} {half}m",
            "{t}.{m:02}{half}.m.",
        ]
    ),
    st.sampled_from(DRESSES),
)
def test_rendered_times_are_read_back(minutes: int, form: str, dress: str) -> None:
    hour, minute = divmod(minutes, 60)
    half = "p" if hour >= 12 else "a"
    written = form.format(h=hour, m=minute, t=hour % 12 or 12, half=half)
    assert read("ANSWER: " + dress.format(written)) == [f"{hour:02}:{minute:02}"]


def test_cases(reference: Path) -> None:
    for line in (reference / "cases/text_extraction.jsonl").read_text().splitlines():
        case = json.loads(line)
        if case["scorer"] == "answer_time":
            assert read(case["text"]) == [case["expected"]], case["id"]


def test_reference_replies(reference: Path) -> None:
    folder = reference / "data/reclaim-eval"
    slots = pl.read_ndjson(folder / "multiwoz_llama.jsonl")
    slots = slots.select("dialogue_id", "true", "drift").unique()
    rows = pl.read_ndjson(folder / "multiwoz_failmode_llama.jsonl").join(slots, on="dialogue_id")
    answer, true, drift = pl.col("answer"), pl.col("true"), pl.col("drift")
    bucket = (
        pl.when(answer.is_null())
        .then(pl.lit("abstain"))
        .when(answer == true)
        .then(pl.lit("correct"))
        .when(answer == drift)
        .then(pl.lit("inherit"))
        .otherwise(pl.lit("novel"))
    )
    harness = rs.text.answer_time("reply", dialect="reclaim-eval").alias("answer")
    scored = rows.with_columns(harness).with_columns(found=bucket)
    assert scored.height == 180
    assert scored.filter(pl.col("found") != pl.col("bucket")).height == 0
    strict = rows.select(pl.col("bucket"), rs.text.answer_time("reply"))
    # The strict dialect reads what the harness reads, and `<14:00>` besides.
    assert strict.filter(pl.col("bucket") == "abstain")["reply"].drop_nulls().to_list() == ["14:00"]
    assert strict.filter(pl.col("bucket") != "abstain")["reply"].null_count() == 0


def test_nulls_types_and_traces() -> None:
    assert read(None, "ANSWER: 9:00", "") == [None, "09:00", None]
    frame = pl.DataFrame({"r": ["é ANSWER: at **4:15 p.m.**"]}).lazy()
    trace = frame.select(rs.text.answer_time("r", with_trace=True)).collect().item()
    assert trace["value"] == "16:15"
    assert (trace["span"], trace["start"], trace["status"]) == ("4:15 p.m.", 15, "read")
    categories = pl.Series("r", ["ANSWER: 9:00"], dtype=pl.Categorical)
    assert pl.select(rs.text.answer_time(pl.lit(categories))).item() == "09:00"
    assert frame.select(rs.text.answer_time("r")).collect_schema() == {"r": pl.String}


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="use one of 'none', 'last_time'"):
        rs.text.answer_time("r", fallback="last_number")
    with pytest.raises(OptionError, match="belongs to dialect='strict'"):
        rs.text.answer_time("r", fallback="last_time", dialect="reclaim-eval")
    with pytest.raises(OptionError, match="dialect='lax' is unknown"):
        rs.text.answer_time("r", dialect="lax")
    with pytest.raises((ColumnError, pl.exceptions.ComputeError), match="must be text"):
        pl.DataFrame({"r": [1]}).select(rs.text.answer_time("r"))


def test_what_lasts_is_no_last_time() -> None:
    rows = {
        "16:15": [
            "It took 4:15 and arrived at 16:15.", "It left at 16:15 and took 4:15.",
            "It took 2 hours to get there at 16:15", "Score 3:15, kick-off 16:15.",
            "departs 16:15, duration 2:30", "It leaves 16:15, with 1:30 left.",
            "~~It left at 15:15.~~ It left at 16:15.", "It left at 16:15. ~~Or at 17:15.~~",
            "The verse was Luke 4:15. We met 16:15.", "We left for the ratio of 2:10 at 16:15.",
            "It was long. We met 16:15, and 1:30 elapsed.",
        ],
        None: [
            "The trip took 4:15.", "The score was 3:15.", "duration: 1:30", "runtime 1:30",
            "John 3:16 says so", "The ratio is 16:10", "~~at 16:15.~~", "1:30 remaining",
            "it takes the 16:15 train",
        ],
    }  # fmt: skip
    for value, replies in rows.items():
        found = dict(zip(replies, read(*replies, fallback="last_time"), strict=True))
        traces = {reply: traced(reply, fallback="last_time")["value"] for reply in replies}
        assert {r: v for r, v in found.items() if v != value} == {}
        assert traces == found
