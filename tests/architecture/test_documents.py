"""Documents lead where they say: local links, the list of decisions, and the names of modules and files.

A *name* is in backquotes: a module or what is in it (`standings.draw`, `events.Freeze`), or a path that begins with a
folder of ours (`docs/api.md`, `crew/access.py`). Modules are named from `scorekeeper` or from the project's folder.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

from config.celery import app
from scorekeeper.webhooks.models import MessageKind

ROOT = Path(__file__).parents[2]
DECISIONS = ROOT / "docs" / "decisions"
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("games/**/*.md"), *ROOT.glob("deploy/**/*.md")]
)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]+)\)")
DOTTED = re.compile(r"`(\w+(?:\.\w+)+)(?:\([^`]*\))?`")
PATH = re.compile(r"`([\w*.-]+/[\w*./-]*)`")
PACKAGES = {"benchmarks", "config", "games", "scorekeeper", "tests", "tools"}
MADE_HERE = ("built/", "var/")  # by `make`, so not in every checkout
EXAMPLE = "snake_eyes"  # the game that `docs/adding-a-game.md` adds
NOT_IN_A_LINK = re.compile(r"[^\w\- ]")


def _list_headings(document: Path) -> set[str]:
    """Return the fragments that a forge gives to a document's headings."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {NOT_IN_A_LINK.sub("", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_every_local_link_has_a_target(document: Path) -> None:
    broken = []
    for link in LINK.findall(document.read_text()):
        path, _hash, fragment = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        if not target.exists() or (fragment and target.suffix == ".md" and fragment not in _list_headings(target)):
            broken.append(link)
    assert broken == []


def test_every_decision_is_listed_once_and_in_order() -> None:
    listed = re.findall(r"^(\d+)\. \[.+\]\((.+)\)$", (DECISIONS / "README.md").read_text(), re.MULTILINE)
    pages = sorted(page.name for page in DECISIONS.glob("0*.md"))
    assert [page for _number, page in listed] == pages
    assert [f"{int(number):04}" for number, _page in listed] == [page[:4] for page in pages]


def test_the_readme_shows_every_picture() -> None:
    shown = re.findall(r"\(docs/screenshots/(\w+\.png)\)", (ROOT / "README.md").read_text())
    assert sorted(shown) == sorted(picture.name for picture in (ROOT / "docs" / "screenshots").glob("*.png"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_every_module_and_file_it_names_exists(document: Path) -> None:
    if document.name == "CHANGELOG.md":
        return  # it names what there was
    text = document.read_text("utf-8")
    names = [name for name in DOTTED.findall(text) if _is_ours(name.partition(".")[0])]
    paths = [path for path in PATH.findall(text) if EXAMPLE not in path and not path.startswith(MADE_HERE)]

    unknown = [name for name in names if not _is_known(name)]
    missing = [path for path in paths if _begins_with_a_folder(path) and not _find(path, document)]

    assert (unknown, missing) == ([], [])


def _is_ours(package: str) -> bool:
    return package in PACKAGES or package in settings.LOCAL_APPS


def _is_known(name: str) -> bool:
    """Return whether a name is that of a module, of something in one, of a model, a task or a webhook's message."""
    package, _dot, rest = name.partition(".")
    app.loader.import_default_modules()  # the tasks
    if name in app.tasks or name in MessageKind.values or rest.lower() in apps.all_models.get(package, {}):
        return True
    full = name if package in PACKAGES else f"scorekeeper.{name}"
    parts = full.split(".")
    for length in range(len(parts), 0, -1):
        try:
            if find_spec(".".join(parts[:length])) is None:
                continue
        except ModuleNotFoundError:  # its parent is no package
            continue
        found: object = import_module(".".join(parts[:length]))
        for part in parts[length:]:
            found = getattr(found, part, None)
        return found is not None
    return False


def _begins_with_a_folder(path: str) -> bool:
    first = path.partition("/")[0]
    return any((folder / first).is_dir() for folder in (ROOT, ROOT / "scorekeeper"))


def _find(path: str, document: Path) -> bool:
    folders = (ROOT, ROOT / "scorekeeper", ROOT / "templates", document.parent)
    return any(any(folder.glob(path)) for folder in folders)
