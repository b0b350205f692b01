"""The software bill of materials lists all that is pinned to be shipped or installed, and is valid CycloneDX."""

from __future__ import annotations

import json
import subprocess

import pytest
from cyclonedx.validation.json import JsonStrictValidator

from tests.audit import TOOLS, list_pins
from tests.programs import ROOT
from tools import sbom


def test_it_is_valid() -> None:
    assert JsonStrictValidator(sbom.SCHEMA).validate_str(sbom.make_sbom()) is None


def test_it_lists_every_pin_that_is_shipped_or_installed() -> None:
    written = json.loads(sbom.make_sbom())
    purls = {component["purl"] for component in written["components"]}

    base = sbom.PIN.findall((ROOT / "requirements" / "base.txt").read_text())
    assert {f"pkg:pypi/{name}@{version}" for name, version, _rest in base} <= purls
    scripts = {(name.replace("@", "%40"), version) for name, own in list_pins()["npm"].items() for version in own}
    assert {f"pkg:npm/{name}@{version}" for name, version in scripts} == {each for each in purls if "npm" in each}
    assert not any(f"pkg:npm/{name}@" in purl for name in list_pins()[TOOLS] for purl in purls)
    assert written["metadata"]["component"]["version"] in (ROOT / "pyproject.toml").read_text()


def test_it_says_what_depends_on_what() -> None:
    written = json.loads(sbom.make_sbom())
    edges = {each["ref"]: set(each.get("dependsOn", ())) for each in written["dependencies"]}

    assert {"pypi/django", "npm/pyodide", "vendor/idb-8.0.4"} <= edges["tailgunner"]
    assert "pypi/asgiref" not in edges["tailgunner"]
    assert "pypi/asgiref" in edges["pypi/django"]
    assert "npm/ws" in edges["npm/pyodide"]
    reached = set[str]()
    waiting = ["tailgunner"]
    while waiting:
        new = edges.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    assert reached == {component["bom-ref"] for component in written["components"]}


def test_it_is_the_same_for_the_same_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    first = sbom.make_sbom()

    assert sbom.make_sbom() == first
    committed = subprocess.run(
        ["git", "log", "-1", "--format=%cI"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    assert json.loads(first)["metadata"]["timestamp"] == committed
    monkeypatch.setattr(sbom, "_get_commit_time", lambda: None)
    assert "timestamp" not in json.loads(sbom.make_sbom())["metadata"]
