"""Write a dictionary and first inputs for the fuzz targets, from the strings of the tests.

Usage: seeds.py DICTIONARY FOLDER. Tests of text scorers are full of what is hard to read; here
their string constants become words for libFuzzer to put together, and texts to begin with.
"""

import ast
import sys
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST_WORD = 24


def constants(path: Path) -> list[str]:
    """String constants of a Python file, without its docstrings."""
    tree = ast.parse(path.read_text())
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value and id(node) not in docstrings
    ]


def entry(word: str) -> str:
    """One line of a libFuzzer dictionary."""
    return '"' + "".join(f"\\x{byte:02x}" for byte in word.encode()) + '"'


def main(dictionary: Path, folder: Path) -> None:
    """Collect the constants, the short ones as words and all of them as inputs."""
    paths = sorted((ROOT / "tests").glob("test_text*.py"))
    texts = sorted({text for path in paths for text in constants(path)})
    words = [text for text in texts if len(text.encode()) <= LONGEST_WORD]
    dictionary.parent.mkdir(parents=True, exist_ok=True)
    dictionary.write_text("".join(f"{entry(word)}\n" for word in ["\0", *words]))
    folder.mkdir(parents=True, exist_ok=True)
    # Kernels of several texts take them apart at NUL characters.
    pairs = ["\0".join(pair) for pair in pairwise(texts)]
    answers = [f"ANSWER: {text}" for text in texts]
    for index, text in enumerate([*texts, *answers, *pairs]):
        (folder / f"{index:05}").write_bytes(text.encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
