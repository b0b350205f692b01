"""The phone's engine: what it weighs, how fast it starts and answers: ``python benchmarks/starting_the_engine.py``.

It runs in Node here, not in a browser on a phone; the engine is the build that `make offline` makes. Weighed are the
files that a phone fetches, packed as they are served. A start is a new process, from its first moment until a small
example ride is loaded and the list of the group answered; it takes turns with the next start, which restores the memory
that the first one kept, and with Pyodide as it comes, which starts and then knows no game. Warm answers are asked of an
engine that runs: the list, a bike's card, a tap on it, its history, a table of each game that is played at one.

Medians of five rounds are compared. It ends with status 1 when the start takes more than 2 s, the files more than
4.5 MB (millions of bytes), or the slowest of the warm answers more than 20 ms.
"""

# ruff: noqa: T201 - a benchmark prints what it measured

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]
DATA_FOLDER = tempfile.TemporaryDirectory(prefix="tailgunner-bench-", ignore_cleanup_errors=True)
os.environ |= {"DATA_DIR": DATA_FOLDER.name, "DJANGO_SETTINGS_MODULE": "config.settings"}

import django  # noqa: E402 - the path and the settings are set above

django.setup()

from scorekeeper.offline.engine_build import get_build_dir, get_build_status  # noqa: E402
from scorekeeper.offline.node import Node, find_node  # noqa: E402
from tests.offline.engine_process import Engine, start_engine  # noqa: E402

ENGINE_FILES = (
    "engine.mjs", "manifest.json", "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python.zip", "tailgunner.zip"
)  # fmt: skip
ROUNDS, ANSWERS = 5, 100
START_MS, BYTES, WARM_MS = 2000, 4_500_000, 20
BARE = "const { loadPyodide } = await import(process.argv[1]); await loadPyodide(); console.log(performance.now())"


EngineCall = tuple[str, str]


def crawl_engine_calls() -> list[EngineCall]:
    """Return what a build is rehearsed with: a ride to load, and requests for its pages."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "scorekeeper.offline.page_crawler", folder]
        subprocess.run(command, check=True, cwd=ROOT, stderr=subprocess.DEVNULL)
        asked = json.loads(Path(folder, "engine_calls.json").read_text("utf-8"))
    return [(question, text) for question, text, _status in asked]


def pick_warm_calls(questions: list[EngineCall]) -> dict[str, EngineCall]:
    """Return what is asked of a warm engine, by a name."""
    requests = [json.loads(text) for question, text in questions if question == "answer"]

    def find(method: str, pattern: str) -> EngineCall:
        found = (one for one in requests if one["method"] == method and re.search(pattern, one["path"]))
        return "answer", json.dumps(next(found))

    some_id = "[0-9a-f-]{36}"
    homes = sorted({found[0] for one in requests if (found := re.match(f"/crew/tables/{some_id}/", one["path"]))})
    return {
        "the list of the group": find("GET", "^/crew/$"),
        "a bike's card": find("GET", f"^/crew/bikes/{some_id}/[?]contest"),
        "a tap on a card": find("POST", f"^/crew/bikes/{some_id}/$"),
        "a bike's history": find("GET", f"^/crew/bikes/{some_id}/history/"),
        **{f"table {number}": find("GET", f"^{home}$") for number, home in enumerate(homes, 1)},
    }


def sum_file_sizes(home: Path, ending: str) -> int:
    """Return the bytes of all that is fetched, packed where it is served packed."""
    files = [(home / f"{name}{ending}", home / name) for name in ENGINE_FILES]
    return sum((packed if packed.exists() else whole).stat().st_size for packed, whole in files)


def start_bare(node: Node) -> float:
    """Return the milliseconds in which a process has Pyodide as it comes from npm ready."""
    command = [node.program, "--input-type=module", "-e", BARE, ROOT / "node_modules" / "pyodide" / "pyodide.mjs"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=node.environment)
    return float(done.stdout.split()[-1])


def measure_warm_call(engine: Engine, question: EngineCall) -> float:
    """Return the median of the milliseconds that an answer takes, the first one left out."""
    engine.call(*question)
    taken = []
    for _ in range(ANSWERS):
        engine.call(*question)
        taken.append(engine.last_ms)
    return median(taken)


def main() -> int:
    home, node = get_build_dir(), find_node()
    if node is None or get_build_status(home) != "current":
        sys.exit("The engine is not built, or not of these sources: make offline")
    rehearsed = crawl_engine_calls()
    load = next(one for one in rehearsed if one[0] == "load")
    questions = pick_warm_calls(rehearsed)
    starts: dict[str, list[float]] = {"first start": [], "next start": []}
    bare: list[float] = []
    warm: dict[str, list[float]] = {name: [] for name in questions}
    for _ in range(ROUNDS):
        bare.append(start_bare(node))
        with tempfile.TemporaryDirectory() as folder:
            for taken in starts.values():
                with start_engine(home, node, Path(folder, "snapshot")) as engine:
                    engine.call(*load)
                    loaded = engine.last_ms
                    engine.call(*questions["the list of the group"])
                    taken.append(engine.start_ms + loaded + engine.last_ms)
                    if engine.is_restored:
                        for name, question in questions.items():
                            warm[name].append(measure_warm_call(engine, question))
    version = subprocess.run([node.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    brotli, gzip, raw = (sum_file_sizes(home, ending) for ending in (".br", ".gz", ""))
    slowest = max(median(taken) for taken in warm.values())
    print(f"In Node {version}; a browser on a phone is another matter.")
    print(f"over the wire     {brotli / 1e6:6.2f} MB brotli, {gzip / 1e6:.2f} MB gzip, {raw / 1e6:.2f} MB as it lies")
    for name, taken in starts.items():
        print(f"{name:16}  {median(taken):6.0f} ms  ({min(taken):.0f} to {max(taken):.0f}) to the first answer")
    print(f"Pyodide as it is  {median(bare):6.0f} ms  ({min(bare):.0f} to {max(bare):.0f}), and knows no game yet")
    for name, taken in warm.items():
        print(f"warm              {median(taken):6.1f} ms  {name}")
    print(f"goals: {START_MS} ms, {BYTES / 1e6} MB, {WARM_MS} ms")
    return int(median(starts["first start"]) > START_MS or brotli > BYTES or slowest > WARM_MS)


if __name__ == "__main__":
    sys.exit(main())
