"""Builds the phone's engine into files that are served under `/offline/`, and checks whether a build is stale.

Terms: the *manifest* contains a `digest` of everything that a build was made of; `sources.json`, which no phone
downloads, lists the project's files in the build. So checking whether a build is stale needs one comparison and no
build.

The work is done in `build/build.mjs` and `engine_bundle.py`. Docs: `docs/offline.md`.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import django
from django.conf import settings

from tools.phone_engine.bundled_templates import TEMPLATE_FOLDERS
from tools.phone_engine.node import Node, NodeFailed, shorten_error
from tools.phone_engine.node_packages import install_packages, list_runtime_packages
from tools.phone_engine.page_crawler import EngineCall

BUILD_SCRIPTS = Path(__file__).parent / "build"
# Part of every build, whatever the engine calls import; `sources.json` lists the rest.
ALWAYS_INCLUDED = (
    "games/**/*.py",
    "games/**/*.md",
    "games/*/templates/**/*",
    "scorekeeper/offline/**/*.py",
    "tools/**/*.py",
    "tools/phone_engine/build/*",
    *(f"templates/{folder}/**/*" for folder in TEMPLATE_FOLDERS),
)
SOURCES_FILE = "sources.json"
LIBRARIES = ("django", "asgiref", "markdown_it_py", "mdurl")

BuildStatus = Literal["missing", "stale", "current"]
# How well the files for the network are compressed. "best" takes most of the time of a build; "fast", for tests, makes
# them a sixth larger; "none" makes no such files.
Compression = Literal["none", "fast", "best"]


class EngineBuildFailed(NodeFailed):
    """The engine was built but does not work; the text says why."""


def get_build_status(home: Path) -> BuildStatus:
    """Return whether the folder contains a build, and whether that was made from the current sources."""
    try:
        manifest = json.loads((home / "manifest.json").read_text("utf-8"))
        sources = json.loads((home / SOURCES_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return "missing"
    return "current" if manifest.get("digest") == compute_source_digest(sources) else "stale"


def has_best_compression(home: Path) -> bool:
    """Return whether the files of a build are as small as they can be for the network."""
    return json.loads((home / "manifest.json").read_text("utf-8")).get("compression") == "best"


def compute_source_digest(sources: Iterable[str]) -> str:
    """Return the digest of everything that a build is made of.

    Args:
        sources: the project's files that a build needs.
    """
    root = Path(settings.BASE_DIR)
    always = {
        path.relative_to(root).as_posix()
        for pattern in ALWAYS_INCLUDED
        for path in root.glob(pattern)
        if path.is_file()
    }
    packages = list_runtime_packages(root)
    digest = hashlib.sha256(json.dumps([*map(version, LIBRARIES), *settings.EXTRA_GAMES, packages]).encode())
    for name in sorted({*sources, *always}):
        content = (root / name).read_bytes() if (root / name).is_file() else b""
        digest.update(f"\n{name} {hashlib.sha256(content).hexdigest()}".encode())
    return digest.hexdigest()


def build_engine(home: Path, node: Node, compression: Compression = "best", *, is_tested: bool = True) -> None:
    """Build the engine, run a smoke test, and replace the previous build.

    Args:
        home: the folder of the build; it may exist.
        node: the Node that builds it.
        compression: of the files that are served.
        is_tested: whether to run the smoke test.

    Raises:
        NodeFailed: something needed is missing.
        EngineBuildFailed: the engine does not work.
    """
    root = Path(settings.BASE_DIR)
    began = time.time()
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent, prefix=".building-") as folder:
        fresh, made = Path(folder, "offline"), Path(folder, "made")
        fresh.mkdir()
        made.mkdir()
        install_packages(root, node)
        # In a separate interpreter, because Django is set up as on the server in this one.
        crawler = (sys.executable, "-m", "tools.phone_engine.page_crawler")
        node.run(*crawler, made, *settings.EXTRA_GAMES, folder=root)
        _copy_licences(fresh)
        order = {
            "root": str(root),
            "library": str(Path(django.__file__).parents[1]),
            "extra_games": settings.EXTRA_GAMES,
            "target": str(fresh),
            "made": str(made),
            "before": str(home),
            "compression": compression,
        }
        node.run(node.program, BUILD_SCRIPTS / "build.mjs", json.dumps(order), folder=root)
        complete_manifest(fresh, began)
        if is_tested:
            calls = json.loads((made / "engine_calls.json").read_text("utf-8"))
            smoke_test(fresh, node, [EngineCall(*call) for call in calls])
        shutil.rmtree(home, ignore_errors=True)
        fresh.rename(home)


def _copy_licences(fresh: Path) -> None:
    """Copy the licences of the bundled libraries into the build."""
    shutil.copy(BUILD_SCRIPTS / "NOTICE.txt", fresh)
    for path in Path(django.__file__).parents[1].glob("*.dist-info/**/LICENSE"):
        library = path.relative_to(Path(django.__file__).parents[1]).parts[0].partition("-")[0].lower()
        if library in LIBRARIES:
            shutil.copy(path, fresh / f"LICENSE.{library}.txt")


def complete_manifest(fresh: Path, began: float) -> None:
    """Add the digest of the sources to the manifest, and make the files writable for the owner only.

    Args:
        fresh: the folder of the build.
        began: when it was started, in seconds since 1970. A file that was edited since then may be in the build in its
            previous version; such a build is stale from the start.
    """
    file = fresh / "manifest.json"
    manifest: dict[str, Any] = json.loads(file.read_text("utf-8"))
    sources = manifest.pop("sources")
    is_edited = any(Path(settings.BASE_DIR, name).stat().st_mtime > began for name in sources)
    digest = f"edited at {began}" if is_edited else compute_source_digest(sources)
    file.write_text(json.dumps({**manifest, "digest": digest}, indent=1), "utf-8")
    (fresh / SOURCES_FILE).write_text(json.dumps(sources, indent=1), "utf-8")
    for path in fresh.iterdir():
        path.chmod(0o644)


def smoke_test(home: Path, node: Node, calls: Iterable[EngineCall]) -> None:
    """Repeat the saved calls with the finished engine, so that a missing module is found here and not on a phone.

    Raises:
        NodeFailed: it does not start.
        EngineBuildFailed: a result differs from the saved one.
    """
    lines = "".join(f"{json.dumps((call.function, call.text))}\n" for call in calls)
    script = BUILD_SCRIPTS / "run_engine.mjs"
    output = node.run(node.program, script, home, folder=Path(settings.BASE_DIR), stdin=lines)
    _started, *results = map(json.loads, output.splitlines())
    for call, result in zip(calls, results, strict=True):
        problem = result.get("error", "")
        if not problem and call.status and (actual := json.loads(result["answer"])["status"]) != call.status:
            problem = f"{actual}, not {call.status}: {call.text}"
        if problem:
            raise EngineBuildFailed(f"The engine was built but does not work: {shorten_error(problem)}")
