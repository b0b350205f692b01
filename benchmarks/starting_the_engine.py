"""The phone's engine: its size, and how fast it starts and responds: ``python benchmarks/starting_the_engine.py``.

The engine is the build from `make offline`. Here it runs in Node, not in a browser on a phone. The size is that of the
files that a phone fetches, compressed as they are served. The first start is a new process, until a small example ride
is loaded and the group's list is rendered. It takes turns with the next start, which restores a memory snapshot of the
first one, and with plain Pyodide, which starts without any game. Warm responses come from a running engine: the list, a
bike's card, a tap on it, its history, and a table of each table game.

The medians of five rounds are compared. The script exits with status 1 if the start takes more than 2 s, the files are
larger than 6 MB (millions of bytes), or the slowest warm response takes more than 20 ms.
"""

# ruff: noqa: T201 - a benchmark prints its figures

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

from scorekeeper.offline.app_files import ENGINE_FILES, get_build_dir  # noqa: E402
from tests.tools.engine_process import Engine, start_engine  # noqa: E402
from tools.phone_engine.engine_build import get_build_status  # noqa: E402
from tools.phone_engine.node import Node, find_node  # noqa: E402

ROUNDS, CALLS = 5, 100
START_MS, BYTES, WARM_MS = 2000, 6_000_000, 20
BARE = "const { loadPyodide } = await import(process.argv[1]); await loadPyodide(); console.log(performance.now())"


EngineCall = tuple[str, str]


def crawl_engine_calls() -> list[EngineCall]:
    """Return the calls of the build's page crawl: a ride to load, and requests for its pages."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tools.phone_engine.page_crawler", folder]
        subprocess.run(command, check=True, cwd=ROOT, stderr=subprocess.DEVNULL)
        calls = json.loads(Path(folder, "engine_calls.json").read_text("utf-8"))
    return [(function, argument) for function, argument, *_rest in calls]


def pick_warm_calls(calls: list[EngineCall]) -> dict[str, EngineCall]:
    """Return the calls to measure in a warm engine, by name."""
    requests = [json.loads(argument) for function, argument in calls if function == "answer"]

    def find(method: str, pattern: str) -> EngineCall:
        found = (each for each in requests if each["method"] == method and re.search(pattern, each["path"]))
        return "answer", json.dumps(next(found))

    some_id = "[0-9a-f-]{36}"
    tables = sorted({found[0] for each in requests if (found := re.match(f"/crew/tables/{some_id}/", each["path"]))})
    return {
        "the list of the group": find("GET", "^/crew/$"),
        "a bike's card": find("GET", f"^/crew/bikes/{some_id}/[?]contest"),
        "a tap on a card": find("POST", f"^/crew/bikes/{some_id}/$"),
        "a bike's history": find("GET", f"^/crew/bikes/{some_id}/history/"),
        **{f"table {number}": find("GET", f"^{path}$") for number, path in enumerate(tables, 1)},
    }


def sum_file_sizes(build: Path, suffix: str) -> int:
    """Return the bytes of all files that a phone fetches, compressed if they are served compressed."""
    files = [(build / f"{name}{suffix}", build / name) for name in ENGINE_FILES]
    return sum((compressed if compressed.exists() else plain).stat().st_size for compressed, plain in files)


def start_bare(node: Node) -> float:
    """Return the milliseconds until plain Pyodide from npm is ready in a new process."""
    command = [node.program, "--input-type=module", "-e", BARE, ROOT / "node_modules" / "pyodide" / "pyodide.mjs"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=node.environment)
    return float(done.stdout.split()[-1])


def measure_warm_call(engine: Engine, call: EngineCall) -> float:
    """Return the median milliseconds of a response; the first one is not counted."""
    engine.call(*call)
    taken = []
    for _ in range(CALLS):
        engine.call(*call)
        taken.append(engine.last_ms)
    return median(taken)


def main() -> int:
    build, node = get_build_dir(), find_node()
    if node is None or get_build_status(build) != "current":
        sys.exit("The engine is not built, or its build is stale. Run: make offline")
    crawled = crawl_engine_calls()
    load = next(call for call in crawled if call[0] == "load")
    warm_calls = pick_warm_calls(crawled)
    starts: dict[str, list[float]] = {"first start": [], "next start": []}
    bare: list[float] = []
    warm: dict[str, list[float]] = {name: [] for name in warm_calls}
    for _ in range(ROUNDS):
        bare.append(start_bare(node))
        with tempfile.TemporaryDirectory() as folder:
            for taken in starts.values():
                with start_engine(build, node, Path(folder, "snapshot")) as engine:
                    engine.call(*load)
                    load_ms = engine.last_ms
                    engine.call(*warm_calls["the list of the group"])
                    taken.append(engine.start_ms + load_ms + engine.last_ms)
                    if engine.is_restored:
                        for name, call in warm_calls.items():
                            warm[name].append(measure_warm_call(engine, call))
    version = subprocess.run([node.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    brotli, gzip, raw = (sum_file_sizes(build, suffix) for suffix in (".br", ".gz", ""))
    slowest = max(median(taken) for taken in warm.values())
    print(f"In Node {version}; a browser on a phone is another matter.")
    print(f"over the wire     {brotli / 1e6:6.2f} MB brotli, {gzip / 1e6:.2f} MB gzip, {raw / 1e6:.2f} MB uncompressed")
    for name, taken in starts.items():
        print(f"{name:16}  {median(taken):6.0f} ms  ({min(taken):.0f} to {max(taken):.0f}) to the first response")
    print(f"plain Pyodide     {median(bare):6.0f} ms  ({min(bare):.0f} to {max(bare):.0f}), without any game")
    for name, taken in warm.items():
        print(f"warm              {median(taken):6.1f} ms  {name}")
    print(f"goals: {START_MS} ms, {BYTES / 1e6} MB, {WARM_MS} ms")
    return int(median(starts["first start"]) > START_MS or brotli > BYTES or slowest > WARM_MS)


if __name__ == "__main__":
    sys.exit(main())
