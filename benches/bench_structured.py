"""Scorers of what a reply sets apart from its prose, against Polars and Python's own readers.

Replies of the reference data hold no code, JSON or calls. Of those raced on code, boxes and SQL one
in six has some behind its prose: the share that commits a number. JSON and calls stand in each.
"""

import ast
import json
from typing import Any

import json_repair
import orjson
import polars as pl

import reclaimstats as rs
from conftest import FLOOR, Peer, TextRace, polars
from corpus import replies, tiled

REPLY = pl.col("reply")
CODE = (
    '```python\ndef total(prices):\n    return sum(prices.values())\n\nprint(total({"a": 4}))\n```'
)
# Rows of a peer in Python, and of one that needs a millisecond for each.
LOOP, SLOW = 20_000, 300


def with_some(text: str) -> pl.DataFrame:
    sixth = pl.int_range(pl.len()) % 6 == 0
    more = pl.lit("\n\n" + text + "\n\nThat is all.")
    return replies().select(reply=pl.when(sixth).then(REPLY + more).otherwise(REPLY))


def test_code_block(text_race: TextRace) -> None:
    ratio = text_race(
        rs.text.code_block("reply", language="python"),
        with_some(CODE),
        [
            *polars(REPLY.str.extract(r"(?s)```(?:python|py)\n(.*?)```")),
            *polars(REPLY.str.extract(r"(?sm)^```(?:python|py)\n(.*?)^```"), "Polars, by lines"),
        ],
        name="code_block",
    )
    assert ratio >= FLOOR * 4


def test_boxed(text_race: TextRace) -> None:
    ratio = text_race(
        rs.text.boxed("reply"),
        with_some(r"So it is \boxed{46}."),
        polars(REPLY.str.extract(r"\\boxed\{([^{}]*)\}")),
        name="boxed",
    )
    assert ratio >= FLOOR * 1


def test_sql_block(text_race: TextRace) -> None:
    ratio = text_race(
        rs.text.sql_block("reply"),
        with_some("```sql\nSELECT name, sum(price) FROM orders GROUP BY name;\n```"),
        polars(REPLY.str.extract(r"(?s)```sql\n(.*?)```").str.strip_chars(" \n;")),
        name="sql_block",
    )
    assert ratio >= FLOOR * 1.3


def objects() -> list[dict[str, Any]]:
    """The prose of real replies as reasoning, some steps that hold the key too, and an answer."""
    texts = replies()["reply"].head(5_000)
    return [
        {
            "reasoning": text,
            "steps": [{"n": n, "answer": n} for n in range(row % 4)],
            "confidence": 0.8,
            "answer": row % 997,
        }
        for row, text in enumerate(texts)
    ]


def cut(text: str) -> str:
    return text[text.index("{") : text.rindex("}") + 1]


def fenced(text: str) -> str:
    return f"Here is what I found:\n\n```json\n{text}\n```\n"


def texts(frame: pl.DataFrame) -> list[str]:
    return frame["reply"].to_list()


def test_clean_json(text_race: TextRace) -> None:
    def read(replies: list[str]) -> list[float]:
        return [float(orjson.loads(cut(reply))["answer"]) for reply in replies]

    ratio = text_race(
        rs.text.answer_json("reply", field="answer"),
        tiled("reply", [fenced(json.dumps(found)) for found in objects()]).to_frame(),
        [
            Peer("orjson, braces cut", read, texts, rows=LOOP),
            Peer(
                "Polars json_path_match",
                lambda frame: frame.select(
                    REPLY.str.extract(r"(?s)(\{.*\})")
                    .str.json_path_match("$.answer")
                    .cast(pl.Float64)
                ).to_series(),
                rows=LOOP,
            ),
        ],
        name="answer_json, clean",
    )
    assert ratio >= FLOOR * 4


def damaged(row: int, text: str) -> str:
    """What models do to JSON: comma, quotes of the key, Python literal, raw line end, comment."""
    end = text.rindex("}")
    return [
        text[:end] + ",}",
        text.replace('"answer"', "answer"),
        text.replace('"confidence": 0.8', '"sure": True'),
        text.replace("\\n", "\n"),
        text[:end] + " // checked\n}",
    ][row % 5]


def test_malformed_json(text_race: TextRace) -> None:
    def read(replies: list[str]) -> list[float]:
        return [float(json_repair.loads(cut(reply))["answer"]) for reply in replies]

    found = [fenced(damaged(row, json.dumps(found))) for row, found in enumerate(objects())]
    ratio = text_race(
        rs.text.answer_json("reply", field="answer"),
        tiled("reply", found).to_frame(),
        [Peer("json-repair, braces cut", read, texts, rows=SLOW)],
        name="answer_json, malformed",
    )
    assert ratio >= FLOOR * 500


def test_function_calls(text_race: TextRace) -> None:
    cities = ["Paris", "São Paulo", "New York", "Kyoto"]
    calls = [
        f"[get_weather(city={cities[i % 4]!r}, unit='c', days={i % 9}), "
        f"book.flight(origin='A{i % 5}', stops=[{i}, {i}.5, None], "
        f"options={{'bags': {i % 3}, 'meal': True}})]"
        for i in range(2_000)
    ]

    def read(replies: list[str]) -> list[list[dict[str, Any]]]:
        found = []
        for reply in replies:
            tree = ast.parse(reply, mode="eval").body
            assert isinstance(tree, ast.List)
            found.append(
                [
                    {
                        "name": ast.unparse(call.func),
                        "arguments": {k.arg: ast.literal_eval(k.value) for k in call.keywords},
                    }
                    for call in tree.elts
                    if isinstance(call, ast.Call)
                ]
            )
        return found

    def written(calls: list[dict[str, Any]]) -> list[dict[str, str]]:
        """As the scorer gives them, so that both can be compared."""
        compact = {"separators": (",", ":"), "sort_keys": True, "ensure_ascii": False}
        return [call | {"arguments": json.dumps(call["arguments"], **compact)} for call in calls]

    ratio = text_race(
        rs.text.function_calls("reply"),
        tiled("reply", calls).to_frame(),
        [Peer("Python ast", read, texts, rows=LOOP // 4)],
        name="function_calls",
        like=written,
    )
    assert ratio >= FLOOR * 80
