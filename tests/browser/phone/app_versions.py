"""Other versions of what phones run, to serve beside this one on the same data.

Terms: a *tree* is a copy of the project, by links, in which the files that phones run are of another version.

- `make_released_tree`: those of version 1.0.0, as it was released: `tests/compatibility/phone-1.0.0.tar.xz` has its
  scripts, style sheets, the templates of the app's own pages, and what starts the engine. The server and the engine's
  archive of Python are this version's, under another digest: recorded, that archive alone would be 600 kB, and between
  it and a page there are only texts, whose older forms other tests read.
- `make_later_tree`: this version with a migration more, another build of the engine, and every file changed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment

RECORDED = ROOT / "tests" / "compatibility" / "phone-1.0.0.tar.xz"
LINKED = ("games", "scorekeeper", "tools", "tests", "pyproject.toml")
COPIED = ("config", "static", "templates")
BUILD = Path("built", "offline")
LAST_STEP = '(db) => { db.createObjectStore("parts"); },\n'
LATER_STEP = '  (db) => { db.createObjectStore("later"); },\n'


def make_released_tree(tree: Path, data: Path) -> Path:
    """Make a tree with the phones' files of version 1.0.0; return it.

    Args:
        data: any data, for the program that collects the static files.
    """
    _copy_project(tree, digit="0")
    for folder in ("static/js", "static/css", "templates/offline"):
        shutil.rmtree(tree / folder)
    with tarfile.open(RECORDED) as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content is None:
                continue
            file = tree / (BUILD / "engine.mjs" if member.name.startswith("tools/") else member.name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.unlink(missing_ok=True)
            file.write_bytes(content.read())
    reader_of_codes = tree / "static" / "vendor" / "jsqr-1.4.0" / "jsQR.js"  # named by a page; these tests scan nothing
    reader_of_codes.parent.mkdir()
    reader_of_codes.touch()
    _leave_out_new_pages(tree)
    _leave_out_new_scripts(tree)
    _collect_static_files(tree, data)
    return tree


def _leave_out_new_pages(tree: Path) -> None:
    """The server stores every page of the app on phones, also those that the release did not have: empty ones."""
    for page in (ROOT / "templates" / "offline").glob("*.html"):
        file = tree / "templates" / "offline" / page.name
        if not file.exists():
            file.write_text("", "utf-8")


def _leave_out_new_scripts(tree: Path) -> None:
    """The head of the pages is this version's, and may name scripts that the release did not have."""
    head = tree / "templates" / "components" / "head.html"
    lines = head.read_text("utf-8").splitlines(keepends=True)
    named = [re.search(r"{% static '(js/[^']+)' %}", line) for line in lines]
    kept = [line for line, name in zip(lines, named, strict=True) if not name or (tree / "static" / name[1]).is_file()]
    head.write_text("".join(kept), "utf-8")


def make_later_tree(tree: Path, data: Path) -> Path:
    """Make a tree with a later version of the phones' files; return it. Arguments as for `make_released_tree`."""
    _copy_project(tree, digit="f")
    for kind in ("js", "css"):
        for file in (tree / "static" / kind).rglob(f"*.{kind}"):
            file.write_text(f"{file.read_text('utf-8')}\n/* later */\n", "utf-8")
    migrations = tree / "static" / "js" / "phone" / "migrations.js"
    text = migrations.read_text("utf-8")
    assert LAST_STEP in text
    migrations.write_text(text.replace(LAST_STEP, LAST_STEP + LATER_STEP), "utf-8")
    starter = tree / BUILD / "engine.mjs"
    changed = f"{starter.read_text('utf-8')}\n/* later */\n"
    starter.unlink()
    starter.write_text(changed, "utf-8")
    _collect_static_files(tree, data)
    return tree


def _copy_project(tree: Path, digit: str) -> None:
    tree.mkdir()
    for name in LINKED:
        (tree / name).symlink_to(ROOT / name)
    for name in COPIED:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy2(ROOT / "manage.py", tree)  # Python would look for modules beside what a link leads to
    settings = tree / "config" / "settings.py"
    text = settings.read_text("utf-8")
    own = text.replace('STATIC_ROOT = DATA_DIR / "static"', 'STATIC_ROOT = BASE_DIR / "collected"')
    assert own != text
    settings.write_text(own, "utf-8")
    ignored = shutil.ignore_patterns("*.br", "*.gz")  # of files that differ from what they are of
    shutil.copytree(ROOT / BUILD, tree / BUILD, ignore=ignored, copy_function=os.link)
    manifest = tree / BUILD / "manifest.json"
    described = re.sub(r'("digest": ")[0-9a-f]{8}', rf"\g<1>{digit * 8}", manifest.read_text("utf-8"))
    manifest.unlink()
    manifest.write_text(described, "utf-8")


def _collect_static_files(tree: Path, data: Path) -> None:
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity=0"]
    subprocess.run(command, cwd=tree, env=make_environment(data), check=True, timeout=TIMEOUT_SECONDS)
