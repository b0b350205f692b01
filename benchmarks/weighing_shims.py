"""What each shim of the phone's engine saves: ``python -m benchmarks.weighing_shims``.

The crew's pages are crawled once (`page_crawler`). Then, with one shim after the other left out, a new interpreter
makes the same calls and counts the modules it imported and their size, compiled as for a phone and compressed with
gzip. An engine without that shim would be so much larger. A shim that something else depends on cannot be left out.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from types import ModuleType

from tools.phone_engine import engine_bundle, shims

ROOT = Path(__file__).resolve().parents[1]
OURS = ("games", "scorekeeper", "tools")
MAX_ERROR_LENGTH = 70


def main() -> None:
    """Print the size of the engine's modules, and what each shim saves."""
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([sys.executable, "-m", "tools.phone_engine.page_crawler", made], cwd=ROOT, check=True)
        base_count, base_size = _weigh(made, "")
        print(f"All modules: {base_count}, {base_size / 1000:.0f} kB compressed")
        print(f"{'shim':<28}{'modules':>8}{'kB':>8}")
        for shim in sorted(set(shims.SHIMS.values())):
            try:
                count, size = _weigh(made, shim)
            except subprocess.CalledProcessError as error:
                print(f"{shim:<28}  needed: {error.stderr.strip().splitlines()[-1][:MAX_ERROR_LENGTH]}")
            else:
                print(f"{shim:<28}{count - base_count:>8}{(size - base_size) / 1000:>8.1f}")


def _weigh(made: str, without: str) -> tuple[int, int]:
    """Return how many modules an engine without a shim imports, and their compressed size in bytes."""
    command = [sys.executable, "-m", "benchmarks.weighing_shims", made, without]
    result = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    count, size = json.loads(result.stdout.splitlines()[-1])
    return count, size


class _BrowserModule(ModuleType):
    """The module that the engine's JavaScript provides on a phone; it has no file and so no size."""

    def __getattr__(self, name: str) -> None:
        """Have every name."""


def weigh_here(made: str, without: str) -> None:
    """Make the calls that import anything in this interpreter; print how many modules they import, and their size."""
    shims.SHIMS = {name: shim for name, shim in shims.SHIMS.items() if shim != without}
    sys.modules["engine"] = _BrowserModule("engine")
    engine_bundle.import_used_modules(str(ROOT / "templates"), made, [])
    for folder in OURS:
        engine_bundle.import_function_level_imports(str(ROOT / folder))
    modules = engine_bundle.list_imported_modules()
    modules = {name: place for name, place in modules.items() if not name.startswith("benchmarks")}
    compiled = [engine_bundle.compile_module(place, name, is_ours=False) for name, place in sorted(modules.items())]
    print(json.dumps([len(compiled), len(zlib.compress(b"".join(compiled), 9))]))


if __name__ == "__main__":
    weigh_here(*sys.argv[1:]) if len(sys.argv) > 1 else main()
