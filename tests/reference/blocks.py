"""Naive twins of boxes, fences and SQL, written from the rules in docs/blocks.md."""

import re
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
