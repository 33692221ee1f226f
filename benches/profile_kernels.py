"""Which functions each kernel spends its instructions in, into benches/profiles.json and the docs.

The kernels are built once more with their symbols, in target/profile. Counted as for the gate:
valgrind counts what ran, and what only makes the data is taken off.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import run

TARGET = run.ROOT / "target" / "profile"
KERNELS = TARGET / "release" / "examples" / "kernels"
# Functions that are named of each kernel.
MOST = 4
# One thread, and no instruction that copies many bytes: it would be counted once for each of them.
ALIKE = {
    "RAYON_NUM_THREADS": "1",
    "GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=1000000000"
    ":glibc.cpu.x86_rep_stosb_threshold=1000000000",
}
# Libraries below the core, told by what their functions are called.
GROUPS = {
    "allocation": r"^(_?_?(m|c|re)alloc|cfree|free|_int_\w+|malloc_\w+|unlink_chunk|sysmalloc)\b",
    "copies and comparisons of bytes": r"^_*mem(cpy|move|set|cmp|bcmp)\w*",
    "search for bytes (memchr)": r"memchr::",
    "regular expressions": r"regex_automata::|regex_syntax::|aho_corasick::",
    "elementary functions (libm)": r"libm::",
    "arithmetic of 128 bits": r"^__(float\w*ti|fix\w*ti|u(div|mod)ti3)",
    "sorting": r"core::slice::sort::",
    "hashing": r"hashbrown::|core::hash::|HashMap",
}


def main() -> None:
    """Build, profile all kernels and write what was found."""
    build = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "reclaimstats-core"]
    build += ["--example", "kernels", "--target-dir", str(TARGET)]
    symbols = {"CARGO_PROFILE_RELEASE_STRIP": "false"}
    subprocess.run(build, cwd=run.ROOT, env=os.environ | symbols, check=True)
    names = subprocess.run([KERNELS], capture_output=True, text=True, check=True).stdout
    with ThreadPoolExecutor(2) as pool:
        nothing = pool.submit(counted, "nothing")
        runs = {name: pool.submit(counted, name) for name in names.splitlines()}
        found = {name: shares(job.result() - nothing.result()) for name, job in runs.items()}
    run.PROFILES.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    for page, text in run.pages(json.loads(run.RESULTS.read_text())).items():
        page.write_text(text)


def counted(name: str) -> Counter[str]:
    """Instructions of each function itself, without those that it calls."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "counts"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", KERNELS, name]
        subprocess.run(command, env=os.environ | ALIKE, capture_output=True, check=True)
        lines = iter(output.read_text().splitlines())
    spent: Counter[str] = Counter()
    known: dict[str, str] = {}
    function = ""
    for line in lines:
        if entry := re.fullmatch(r"fn=(\(\d+\))(?: (.*))?", line):
            function = known.setdefault(entry[1], plain(entry[2] or ""))
        elif entry := re.fullmatch(r"cfn=(\(\d+\)) (.*)", line):
            known.setdefault(entry[1], plain(entry[2]))
        elif line.startswith("calls="):
            next(lines)  # what the called function took
        elif re.match(r"[+\-*\d]", line):
            spent[function] += int(line.split()[1])
    return spent


def plain(symbol: str) -> str:
    """A short name: the last parts of a path, or the group that a function belongs to."""
    for group, pattern in GROUPS.items():
        if re.search(pattern, symbol):
            return group
    symbol = re.sub(r"'\d+$|::h[0-9a-f]{16}|\{\{(closure|vtable\.shim)\}\}", "", symbol)
    symbol = re.sub(r"<([\w:]+)(<.*>)? as [^>]*>+", r"\1", symbol)
    while "<" in symbol and (shorter := re.sub(r"<[^<>]*>", "", symbol)) != symbol:
        symbol = shorter
    parts = [part for part in symbol.split("::") if part]
    return "::".join(parts[-2:])


def shares(spent: Counter[str]) -> list[tuple[str, float]]:
    """The functions that took most, with their shares."""
    total = sum(spent.values())
    return [(name, round(count / total, 2)) for name, count in spent.most_common(MOST)]


if __name__ == "__main__":
    sys.exit(main())
