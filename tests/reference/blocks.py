"""Naive twins of boxes, fences and calls, written from the rules in docs/blocks.md."""

import ast
import itertools
import json
import math
import re
import warnings
from decimal import Decimal
from typing import NamedTuple


class Found(NamedTuple):
    """A value and how sure it is."""

    value: str | None
    status: str


BOX = re.compile(r"\\(?:boxed|fbox)(?![a-zA-Z])\s*")


def closing_brace(text: str, start: int) -> int | None:
    """Where the brace closes that opens before ``start``."""
    depth = 1
    at = start
    while at < len(text):
        if text[at] == "\\" and not BOX.match(text, at + 1):
            at += 1
        elif text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if not depth:
                return at
        at += 1
    return None


def unbraced(text: str) -> str | None:
    r"""The content of a box without braces: a number, a command or one letter."""
    if BOX.match(text):
        return None
    sign = r"[-+−.]*"
    if number := re.match(rf"{sign}[\d½²][^\s\\{{}}$&]*", text):
        return number[0].rstrip(".,;:!?")
    if command := re.match(rf"{sign}\\[a-zA-Z]+", text):
        content = command[0]
        while text.startswith("{", len(content)):
            depth = [
                text[len(content) : i + 1].count("{") - text[len(content) : i + 1].count("}")
                for i in range(len(content), len(text))
            ]
            if 0 not in depth:
                return None
            content = text[: len(content) + depth.index(0) + 1]
        return None if BOX.search(content) else content
    letter = re.match(sign + r"[^\W\d_](?=[.,;:!?]*(?:[\s$&}]|\\[\])\\]|$))", text)
    return letter[0] if letter else None


def boxed(reply: str, which: str = "last") -> Found:
    """The content of the innermost boxes, in the order in which they close."""
    closed: list[tuple[int, str]] = []
    truncated = False
    for match in BOX.finditer(reply):
        start = match.end()
        if reply[start : start + 1] != "{":
            content = unbraced(reply[start:])
            if content is not None:
                closed.append((start + len(content), content))
            continue
        end = closing_brace(reply, start + 1)
        content = reply[start + 1 : end]
        truncated = end is None and not BOX.search(content)
        if end is not None and not BOX.search(content):
            closed.append((end, content.strip()))
    values = [value for _, value in sorted(closed) if value.strip(".…")]
    if truncated and not (which == "first" and values):
        return Found(None, "truncated")
    if not values:
        return Found(None, "unparsed")
    if len({re.sub(r"\s", "", value) for value in values}) > 1:
        chosen = {"first": values[0], "last": values[-1], "only": None}[which]
        return Found(chosen, "ambiguous")
    return Found(values[0] if which == "first" else values[-1], "read")


def code_blocks(reply: str) -> list[tuple[str, str, str]]:
    """Info string, code and rule of the blocks of a reply without quotes, lists and tabs."""
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", reply)
    blocks = []
    at = 0
    while at < len(lines):
        opening = re.match(r"( {0,3})(`{3,}|~{3,})([^\r\n]*)", lines[at])
        at += 1
        if not opening or (opening[2][0] == "`" and "`" in opening[3]):
            continue
        fence = opening[2]
        body = [re.sub(f"^ {{0,{len(opening[1])}}}", "", line) for line in lines[at:]]
        close = re.compile(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t\r\n]*$")
        ends = [i for i, line in enumerate(lines[at:]) if close.match(line)]
        glued = [i for i, line in enumerate(body) if glued_code(line, fence)]
        info = opening[3].strip()
        if ends:
            blocks.append((info, "".join(body[: ends[0]]), "fence"))
            at += ends[0] + 1
        elif glued:
            code = "".join(body[: glued[0]]) + str(glued_code(body[glued[0]], fence))
            blocks.append((info, code, "glued_fence"))
            at += glued[0] + 1
        else:
            code = "".join(body)
            if info or code.strip(" \t\n\r\f"):
                blocks.append((info, code, "unclosed"))
            at = len(lines)
    return blocks


def glued_code(line: str, fence: str) -> str | None:
    """The code before a fence at the end of its line."""
    text = line.rstrip()
    code = text.rstrip(fence[0])
    run = len(text) - len(code)
    return code if run >= len(fence) and code.strip() and fence not in code else None


def plain(node: ast.expr) -> object:
    """The value of a literal, with calls as maps and tuples and sets as lists."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id == "set" and not node.args:
            return []
        name, arguments = called(node)
        return {"name": name, "arguments": json.loads(arguments)}
    if isinstance(node, ast.List | ast.Tuple):
        return [plain(item) for item in node.elts]
    if isinstance(node, ast.Set):
        distinct = {canonical(item): item for item in map(plain, node.elts)}
        return [distinct[text] for text in sorted(distinct)]
    if isinstance(node, ast.Dict):
        keys = [plain(key) for key in node.keys if key is not None]
        if len(keys) < len(node.keys):
            raise ValueError("** is no key")
        named = [key if isinstance(key, str) else canonical(key) for key in keys]
        if any(isinstance(key, list | dict) for key in keys):
            raise ValueError("a key must be plain")
        return dict(zip(named, map(plain, node.values), strict=True))
    if isinstance(node, ast.Name) and node.id in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[node.id]
    value = ast.literal_eval(node)
    if isinstance(value, bytes | complex) or value is ...:
        raise ValueError("no JSON")
    return value


def canonical(value: object) -> str:
    """The one JSON text of equal values; integral numbers have no point."""
    if isinstance(value, dict):
        items = sorted(value.items(), key=lambda item: item[0].encode())
        return "{" + ",".join(f"{canonical(k)}:{canonical(v)}" for k, v in items) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        value.encode()
        escapes = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
        return (
            '"'
            + "".join(escapes.get(c) or (c if c >= " " else f"\\u{ord(c):04x}") for c in value)
            + '"'
        )
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("no JSON")
        if value.is_integer():
            value = int(value)
    if isinstance(value, int):
        floats = abs(value) >= 10**21 and abs(value) < 2**1024 and int(float(value)) == value
        return scientific(float(value)) if floats else str(value)
    return scientific(value) if abs(value) < 1e-6 else positional(value)


def scientific(value: float) -> str:
    """The shortest digits with an exponent."""
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = f".{text[1:]}" if text[1:] else ""
    return f"{'-' * sign}{text[0]}{point}e{int(exponent) + len(text) - 1}"


def positional(value: float) -> str:
    """The shortest digits without an exponent."""
    return f"{Decimal(repr(value)):f}"


def called(node: ast.expr) -> tuple[str, str]:
    """A call's name and the text of its arguments."""
    if not isinstance(node, ast.Call):
        raise ValueError("no call")
    name = ast.unparse(node.func)
    if not re.fullmatch(r"\w+(\.\w+)*", name):
        raise ValueError("no name")
    arguments = {str(place): plain(item) for place, item in enumerate(node.args)}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ValueError("** is no name")
        arguments[keyword.arg] = plain(keyword.value)
    return name, canonical(arguments)


def possible_match(calls: list[tuple[str, str]], possible: list[tuple[str, str]]) -> bool:
    """Whether some order of the possible calls accepts the calls one by one."""

    def accepts(values: object, present: bool, given: object) -> bool:
        listed = values if isinstance(values, list) else [values]
        if not present:
            return any(value == "" and isinstance(value, str) for value in listed)
        return any(equal(value, given) for value in listed)

    def equal(value: object, given: object) -> bool:
        if isinstance(value, list) and isinstance(given, list):
            return len(value) == len(given) and all(map(equal, value, given))
        same = canonical(value) == canonical(given)
        return same or (isinstance(value, dict) and isinstance(given, dict) and fits(value, given))

    def fits(accepted: dict[str, object], given: dict[str, object]) -> bool:
        keys = [accepts(values, key in given, given.get(key)) for key, values in accepted.items()]
        return all(keys) and set(given) <= set(accepted)

    def one(answer: tuple[str, str], call: tuple[str, str]) -> bool:
        return answer[0] == call[0] and fits(json.loads(answer[1]), json.loads(call[1]))

    orders = itertools.permutations(possible)
    return len(calls) == len(possible) and any(all(map(one, order, calls)) for order in orders)


ACTION = re.compile(r"(?i)[ \t*_>#`-]*action(?: *\d{1,3})?[ \t*_]*[:：][ \t*_]*")
INPUT = re.compile(r"(?i)[ \t*_>#`-]*action[ _]*input(?: *\d{1,3})?[ \t*_]*[:：][ \t*_]*")


def actions(reply: str) -> list[tuple[str, str]] | None:
    """The calls behind labels, where each action and each input is a line."""
    lines = [line for line in reply.split("\n") if line.strip()]
    found: list[tuple[str, str]] = []
    any_call = False
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        label = ACTION.match(line)
        if not label:
            continue
        rest = line[label.end() :].strip("` ")
        if calls := python_calls(rest):
            found += calls
            any_call = True
        elif re.fullmatch(r"[^\W\d][\w.]*", rest) and (given := INPUT.match(below)):
            found.append((rest, action_input(below[given.end() :])))
            any_call = True
    return found if any_call else None


def action_input(written: str) -> str:
    """The text of the arguments that one line gives."""
    try:
        value = plain(ast.parse(written.strip(), mode="eval").body)
    except (SyntaxError, ValueError):
        keywords = python_calls(f"f({written})") if "=" in written else None
        return keywords[0][1] if keywords else canonical({"0": written.strip()})
    if isinstance(value, dict):
        return canonical(value)
    if value is None:
        return "{}"
    if isinstance(value, list):
        return canonical({str(place): item for place, item in enumerate(value)})
    return canonical({"0": value})


def python_calls(text: str) -> list[tuple[str, str]] | None:
    """The calls of a text that is one list of calls, or calls line by line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            statements = ast.parse(text.strip()).body
            found = []
            for statement in statements:
                if not isinstance(statement, ast.Expr):
                    return None
                value = statement.value
                several = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
                found += [called(item) for item in several]
    except (SyntaxError, ValueError, OverflowError):
        return None
    return found
