"""The phone's engine and the checks of scripts share the packages that npm installs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.programs import ROOT, TIMEOUT_SECONDS
from tools.phone_engine.node import Node
from tools.phone_engine.node_packages import MARKER, install_packages, list_runtime_packages

LOCK = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
FOLDER = "node_modules"

# In place of npm: it writes down its arguments, and the packages that it would have installed.
NPM = """#!/bin/sh
echo "$*" >> npm.log
case "$1" in ci) rm -rf node_modules;; esac
mkdir -p node_modules
cp installed.json node_modules/.package-lock.json
"""


@pytest.fixture
def node(tmp_path: Path) -> Node:
    npm = tmp_path / "npm"
    npm.write_text(NPM)
    npm.chmod(0o755)
    (tmp_path / "npm.log").touch()
    engine, checker = {"version": "1"}, {"version": "1", "dev": True}
    write_packages(tmp_path, {"": {}, "node_modules/pyodide": engine, "node_modules/eslint": checker})
    return Node(Path(sys.executable), (npm,))


def write_packages(root: Path, packages: Mapping[str, Mapping[str, object]]) -> None:
    (root / "package-lock.json").write_text(json.dumps({"packages": packages}))
    (root / "installed.json").write_text(json.dumps({"packages": {name: it for name, it in packages.items() if name}}))


def list_runs(root: Path) -> list[str]:
    """Return what npm was told to do since the last call, without the options that keep it quiet."""
    runs = (root / "npm.log").read_text().splitlines()
    (root / "npm.log").write_text("")
    return [run.partition(" --ignore-scripts")[0] for run in runs]


def test_the_engine_needs_no_development_packages(tmp_path: Path, node: Node) -> None:
    install_packages(tmp_path, node)
    install_packages(tmp_path, node)

    assert list_runs(tmp_path) == ["ci --omit=dev"]


def test_the_engine_is_content_with_what_the_checks_installed(tmp_path: Path, node: Node) -> None:
    install_packages(tmp_path, node, with_development=True)
    install_packages(tmp_path, node)
    install_packages(tmp_path, node, with_development=True)

    assert list_runs(tmp_path) == ["install --no-save"]


def test_the_checks_add_to_what_the_engine_installed(tmp_path: Path, node: Node) -> None:
    install_packages(tmp_path, node)
    install_packages(tmp_path, node, with_development=True)

    assert list_runs(tmp_path) == ["ci --omit=dev", "install --no-save"]


def test_a_new_checker_concerns_only_the_checks(tmp_path: Path, node: Node) -> None:
    install_packages(tmp_path, node, with_development=True)
    lock = json.loads((tmp_path / "package-lock.json").read_text())["packages"]
    (tmp_path / "package-lock.json").write_text(
        json.dumps({"packages": {**lock, "node_modules/eslint": {"version": "2", "dev": True}}})
    )

    install_packages(tmp_path, node)
    install_packages(tmp_path, node, with_development=True)

    assert list_runs(tmp_path) == ["install --no-save", "install --no-save"]


def test_a_new_runtime_package_is_installed_and_the_checks_notice_that_theirs_are_gone(
    tmp_path: Path, node: Node
) -> None:
    install_packages(tmp_path, node, with_development=True)
    write_packages(tmp_path, {"": {}, "node_modules/pyodide": {"version": "2"}})

    install_packages(tmp_path, node)
    assert not (tmp_path / MARKER).exists()
    install_packages(tmp_path, node, with_development=True)

    assert list_runs(tmp_path) == ["install --no-save", "ci --omit=dev", "install --no-save"]


def test_phones_run_only_what_they_need() -> None:
    names = {path.removeprefix(f"{FOLDER}/") for path in list_runtime_packages(ROOT)}

    assert {"idb", "pyodide"} <= names
    assert not names & {"eslint", "typescript", "stylelint", "fake-indexeddb"}


def test_package_json_pins_exact_versions_and_the_lock_file_has_the_same() -> None:
    wanted = json.loads((ROOT / "package.json").read_text("utf-8"))

    for kind in ("dependencies", "devDependencies"):
        assert wanted[kind] == LOCK[""][kind]
        for name, version in wanted[kind].items():
            assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
            assert LOCK[f"{FOLDER}/{name}"]["version"] == version


def test_the_lock_file_has_a_digest_of_each_package_and_the_address_of_no_registry() -> None:
    packages = [(path, package) for path, package in LOCK.items() if path]

    assert [path for path, package in packages if not package.get("integrity", "").startswith("sha512-")] == []
    assert [path for path, package in packages if "resolved" in package] == []


@pytest.mark.parametrize("kind", ["lint", "test"])
@pytest.mark.parametrize(("required", "status"), [("0", 0), ("1", 1)])
def test_without_node_the_checks_say_that_they_are_left_out(kind: str, required: str, status: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.script_checks", kind],
        cwd=ROOT,
        env={**os.environ, "TEST_NODE": "/no/such/folder", "REQUIRE_ALL": required},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )

    assert done.returncode == status
    assert "are left out: there is no Node 20 or newer." in done.stdout
