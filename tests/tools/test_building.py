"""A build records its sources; a missing, stale or incomplete build is detected."""

from __future__ import annotations

import json
import os
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from django.test import Client, override_settings

from scorekeeper.offline.app_files import ENGINE_FILES, get_build_dir
from tests.programs import ROOT
from tests.services import find_node
from tools.phone_engine.__main__ import main as build
from tools.phone_engine.engine_build import (
    complete_manifest,
    compute_source_digest,
    get_build_status,
    smoke_test,
)
from tools.phone_engine.node import Node, NodeFailed
from tools.phone_engine.page_crawler import EngineCall
from tools.phone_engine.shims import SHIMS

MAX_BYTES = 6_000_000  # compressed: goal 10 of docs/performance.md
SOURCE = "scorekeeper/scorecards/offer_presenter.py"  # in the build because an engine call imported it


@pytest.fixture
def node() -> Node:
    found = find_node()
    assert found is not None
    return found


@pytest.fixture
def project(tmp_path: Path, settings) -> Path:
    """A copy of the files that a build is made of, with a build that is current."""
    settings.BASE_DIR = tmp_path / "project"
    for name in ("games", "scorekeeper", "tools", "package-lock.json"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, settings.BASE_DIR / name)
    (tmp_path / "manifest.json").write_text(json.dumps({"digest": compute_source_digest([SOURCE])}))
    (tmp_path / "sources.json").write_text(json.dumps([SOURCE]))
    assert get_build_status(tmp_path) == "current"
    return settings.BASE_DIR


def test_without_a_manifest_a_build_is_missing(tmp_path: Path) -> None:
    assert get_build_status(tmp_path) == "missing"
    (tmp_path / "sources.json").write_text("[]")
    (tmp_path / "manifest.json").write_text("{")
    assert get_build_status(tmp_path) == "missing"


@pytest.mark.parametrize(
    "name",
    [
        SOURCE,
        "games/core/replay.py",
        "scorekeeper/offline/phone.py",
        "tools/phone_engine/build/engine.mjs",
    ],
)
def test_a_build_is_stale_when_any_of_its_sources_has_changed(project: Path, name: str) -> None:
    with (project / name).open("a") as file:
        file.write("\n")

    assert get_build_status(project.parent) == "stale"


@pytest.mark.parametrize(("package", "status"), [("node_modules/pyodide", "stale"), ("node_modules/eslint", "current")])
def test_a_build_is_stale_when_a_package_in_it_has_changed_and_not_when_a_checker_has(
    project: Path, package: str, status: str
) -> None:
    lock = json.loads((project / "package-lock.json").read_text())
    lock["packages"][package]["version"] = "999.0.0"
    (project / "package-lock.json").write_text(json.dumps(lock))

    assert get_build_status(project.parent) == status


@pytest.mark.parametrize(("edited", "status"), [(-1, "current"), (1, "stale")])
def test_a_build_is_stale_when_a_source_was_edited_while_it_was_made(project: Path, edited: int, status: str) -> None:
    (project.parent / "manifest.json").write_text(json.dumps({"sources": [SOURCE]}))
    began = 1_800_000_000.0
    os.utime(project / SOURCE, (began + edited, began + edited))

    complete_manifest(project.parent, began)

    assert get_build_status(project.parent) == status


def test_a_build_is_stale_when_a_game_has_a_new_file_or_lost_one(project: Path) -> None:
    (project / "games" / "core" / "new.py").write_text("")
    assert get_build_status(project.parent) == "stale"
    (project / "games" / "core" / "new.py").unlink()
    assert get_build_status(project.parent) == "current"
    (project / SOURCE).unlink()
    assert get_build_status(project.parent) == "stale"


def test_a_build_is_stale_when_the_extra_games_differ(project: Path) -> None:
    with override_settings(EXTRA_GAMES=["tests.games.toy"]):
        assert get_build_status(project.parent) == "stale"


def test_a_build_stays_current_when_a_page_changes_that_no_phone_serves(project: Path) -> None:
    with (project / "scorekeeper" / "desk" / "urls.py").open("a") as file:
        file.write("\n")

    assert get_build_status(project.parent) == "current"


@pytest.mark.node
def test_the_build_that_is_served_is_current() -> None:
    assert get_build_status(get_build_dir()) == "current", "make offline builds it"


@pytest.mark.node
def test_an_engine_without_a_needed_module_fails_the_smoke_test(tmp_path: Path, node: Node) -> None:
    broken = tmp_path / "offline"
    shutil.copytree(get_build_dir(), broken, ignore=shutil.ignore_patterns("*.br", "*.gz", "tailgunner.zip"))
    with (
        zipfile.ZipFile(get_build_dir() / "tailgunner.zip") as whole,
        zipfile.ZipFile(broken / "tailgunner.zip", "w") as part,
    ):
        for name in whole.namelist():
            if name != "games/core/dice.pyc":
                part.writestr(name, whole.read(name))

    with pytest.raises(NodeFailed, match=r"games\.core\.dice"):
        smoke_test(broken, node, [EngineCall("score_lines", "{\n", 0, is_importing=False)])


@pytest.mark.node
def test_a_failed_build_is_reported_in_a_sentence(project: Path, settings) -> None:
    settings.BUILT_DIR = project.parent / "built"  # the project has a lock file but no package.json

    assert "npm ci failed: " in str(build())


@pytest.mark.node
def test_a_fast_build_is_enough_for_tests_and_replaced_for_phones(project: Path, settings) -> None:
    settings.BUILT_DIR = project.parent / "built"
    home = get_build_dir()
    home.mkdir(parents=True)
    (home / "sources.json").write_text(json.dumps([SOURCE]))
    for compression in ("best", "fast"):
        manifest = {"digest": compute_source_digest([SOURCE]), "compression": compression}
        (home / "manifest.json").write_text(json.dumps(manifest))
        assert build("--fast") is None
        assert (build() is None) == (compression == "best")


@pytest.mark.node
@pytest.mark.parametrize("name", ["pyodide.asm.wasm", "python.zip", "tailgunner.zip", "pyodide.asm.mjs", "engine.mjs"])
def test_what_phones_fetch_is_served_compressed(name: str) -> None:
    kinds = {".wasm": "application/wasm", ".zip": "application/zip", ".mjs": "text/javascript"}
    whole = (get_build_dir() / name).stat().st_size
    for taken in ("br", "gzip"):
        answer = Client().get(f"/offline/{name}", headers={"accept-encoding": taken})

        assert answer.status_code == 200
        assert answer["Content-Encoding"] == taken
        assert answer["Content-Type"].partition(";")[0] == kinds[Path(name).suffix]
        assert sum(map(len, answer)) < whole


@pytest.mark.node
def test_the_licences_are_part_of_the_build() -> None:
    assert "Mozilla Public License" in (get_build_dir() / "NOTICE.txt").read_text()
    entrants = {
        "django": "Django Software Foundation",
        "asgiref": "Django Software Foundation",
        "markdown_it_py": "ExecutableBookProject",
        "mdurl": "Taneli Hukkinen",
    }
    for library, entrant in entrants.items():
        assert entrant in (get_build_dir() / f"LICENSE.{library}.txt").read_text()


@pytest.mark.node  # without Node nothing was built
def test_the_served_engine_is_within_its_size_limit() -> None:
    files = [name for name in ENGINE_FILES if name != "manifest.json"]  # it is small, and served as it is

    assert sum((get_build_dir() / f"{name}.br").stat().st_size for name in files) <= MAX_BYTES


def test_the_docs_list_every_shim_with_a_reason_and_a_weight() -> None:
    """The weights themselves are measured by hand, with `benchmarks.weighing_shims`: it takes minutes."""
    section = (ROOT / "docs/offline.md").read_text("utf-8").partition("| shim | instead of |")[2].partition("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines()[2:]]
    replaced = {shim: {name for name, by in SHIMS.items() if by == shim} for shim in SHIMS.values()}

    assert {shim.strip("`"): set(names.strip("`").split("`, `")) for shim, names, _why, _weight in rows} == replaced
    assert all(why for _shim, _names, why, _weight in rows)
    weights = [weight for _shim, _names, _why, weight in rows]
    assert [weight for weight in weights if not re.fullmatch(r"\d+ kB|cannot be left out", weight)] == []
