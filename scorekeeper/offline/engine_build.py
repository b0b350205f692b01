"""Building the phone's engine into files that are served under `/offline/`, and telling whether they are up to date.

Terms: the *manifest* carries a `digest` over whatever a build was made of; `sources.json`, which no phone fetches,
names the files of the project that went in. So whether a build is stale is one comparison, and costs no build.

The work is done in `build/build.mjs` and `slimming.py`. Docs: `docs/offline.md`.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import django
from django.conf import settings
from django.utils.translation import gettext as _

from scorekeeper.offline.bundled_templates import TEMPLATE_FOLDERS
from scorekeeper.offline.node import Node

BUILD_SCRIPTS = Path(__file__).parent / "build"
# What goes into every build, whatever the rehearsal imports; the manifest names the rest.
ALWAYS_INCLUDED = (
    "games/**/*.py",
    "games/**/*.md",
    "games/*/templates/**/*",
    "scorekeeper/offline/**/*.py",
    "scorekeeper/offline/build/*",
    *(f"templates/{folder}/**/*" for folder in TEMPLATE_FOLDERS),
)
LOCK_FILE = "package-lock.json"
SOURCES_FILE = "sources.json"
LIBRARIES = ("django", "asgiref", "markdown_it_py", "mdurl")
MAX_ERROR_LENGTH = 400  # characters of what a program said went wrong

BuildStatus = Literal["missing", "stale", "current"]
EngineCall = tuple[str, str, int]  # see `rehearsal`


class EngineBuildFailed(Exception):
    """The engine could not be built; the text says why."""


def get_build_dir() -> Path:
    """Return the folder that the served build lies in."""
    return Path(settings.BUILT_DIR, "offline")


def get_build_status(home: Path) -> BuildStatus:
    """Return whether there is a build in that folder, and whether it is made of what is here now."""
    try:
        manifest = json.loads((home / "manifest.json").read_text("utf-8"))
        sources = json.loads((home / SOURCES_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return "missing"
    return "current" if manifest.get("digest") == compute_source_digest(sources) else "stale"


def compute_source_digest(sources: Iterable[str]) -> str:
    """Return the digest of all that a build is made of.

    Args:
        sources: the files of the project that a build was found to need.
    """
    root = Path(settings.BASE_DIR)
    always = {
        path.relative_to(root).as_posix()
        for pattern in ALWAYS_INCLUDED
        for path in root.glob(pattern)
        if path.is_file()
    }
    digest = hashlib.sha256(json.dumps([*map(version, LIBRARIES), *settings.EXTRA_GAMES]).encode())
    for name in sorted({*sources, *always, LOCK_FILE}):
        content = (root / name).read_bytes() if (root / name).is_file() else b""
        digest.update(f"\n{name} {hashlib.sha256(content).hexdigest()}".encode())
    return digest.hexdigest()


def build_engine(home: Path, node: Node, *, is_compressed: bool = True) -> None:
    """Build the engine, try it out, and put it in place of the one that is there.

    Args:
        home: the folder to build, which may exist.
        node: what builds it.
        is_compressed: whether to write the packed forms too, which are what is served; they take most of the time.

    Raises:
        BuildFailed: something that is needed cannot be had, or what was built does not answer.
    """
    began = time.time()
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent, prefix=".building-") as folder:
        fresh, made = Path(folder, "offline"), Path(folder, "made")
        fresh.mkdir()
        made.mkdir()
        _install_node_packages(node)
        # In an interpreter of its own, for this one has Django set up as the server has.
        _run_command(node, sys.executable, "-m", "scorekeeper.offline.page_crawler", made, *settings.EXTRA_GAMES)
        _copy_licences(fresh)
        order = {
            "root": str(settings.BASE_DIR),
            "library": str(Path(django.__file__).parents[1]),
            "extra_games": settings.EXTRA_GAMES,
            "target": str(fresh),
            "made": str(made),
            "before": str(home),
            "is_compressed": is_compressed,
        }
        _run_command(node, node.program, BUILD_SCRIPTS / "build.mjs", json.dumps(order))
        complete_manifest(fresh, began)
        smoke_test(fresh, node, json.loads((made / "engine_calls.json").read_text("utf-8")))
        shutil.rmtree(home, ignore_errors=True)
        fresh.rename(home)


def _install_node_packages(node: Node) -> None:
    """Fetch what the lock names, unless it lies here already."""
    root = Path(settings.BASE_DIR)
    wanted = json.loads((root / LOCK_FILE).read_text("utf-8"))["packages"]
    here = root / "node_modules" / ".package-lock.json"  # npm notes there what it has installed
    if not here.exists() or json.loads(here.read_text("utf-8"))["packages"] != {k: v for k, v in wanted.items() if k}:
        _run_command(node, *node.npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")


def _copy_licences(fresh: Path) -> None:
    """Lay the licences of what is handed out beside it."""
    shutil.copy(BUILD_SCRIPTS / "NOTICE.txt", fresh)
    for path in Path(django.__file__).parents[1].glob("*.dist-info/**/LICENSE"):
        library = path.relative_to(Path(django.__file__).parents[1]).parts[0].partition("-")[0].lower()
        if library in LIBRARIES:
            shutil.copy(path, fresh / f"LICENSE.{library}.txt")


def complete_manifest(fresh: Path, began: float) -> None:
    """Note in the manifest what the build was made of, and let nobody else write to what phones will run.

    Args:
        fresh: the folder of the build.
        began: when it was begun, in seconds since 1970. What was edited since then may have gone in as it was before;
            such a build is stale from the start.
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


def smoke_test(home: Path, node: Node, questions: Iterable[EngineCall]) -> None:
    """Ask a finished engine what it was rehearsed with: a module that was left out is missed here, not on a phone.

    Raises:
        BuildFailed: it does not start, or does not answer as it was rehearsed.
    """
    asked = [(question, text) for question, text, _status in questions]
    told = _run_command(
        node, node.program, BUILD_SCRIPTS / "ask.mjs", home, given="".join(f"{json.dumps(one)}\n" for one in asked)
    )
    _started, *answers = map(json.loads, told.splitlines())
    for (question, text, status), answer in zip(questions, answers, strict=True):
        failed = answer.get("error", "")
        if not failed and question == "answer" and (given := json.loads(answer["answer"])["status"]) != status:
            failed = f"{given}, not {status}: {text}"
        if failed:
            raise EngineBuildFailed(_("The engine was built but does not work: %(why)s") % {"why": _shorten(failed)})


def _run_command(node: Node, *command: str | Path, given: str = "") -> str:
    """Run a command of Node's and return what it printed."""
    done = subprocess.run(  # noqa: S603
        command,
        cwd=settings.BASE_DIR,
        env=node.environment,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        why = _shorten(done.stderr) or _("exit status %(status)s") % {"status": done.returncode}
        raise EngineBuildFailed(
            _("%(program)s failed: %(why)s") % {"program": " ".join(map(str, command[:2])), "why": why}
        )
    return done.stdout


def _shorten(told: str) -> str:
    """Return an error on one line: npm says at the start what is wrong, Python at the end."""
    text = " ".join(told.replace("npm error", "").split())
    return (
        text if len(text) <= MAX_ERROR_LENGTH else f"{text[: MAX_ERROR_LENGTH // 2]} … {text[-MAX_ERROR_LENGTH // 2 :]}"
    )
