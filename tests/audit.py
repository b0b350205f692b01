"""The audit of dependencies: compares every pinned version with downloaded advisories, without a network.

Terms: *pins* are the versions in the lock files and in the folders of vendored scripts. *Advisories* are files in the
OSV format, as https://osv.dev exports them (`PyPI/all.zip`, unpacked) and as the PyPA's advisory database stores them.

`python -m tests.audit FOLDER` compares the two and records the result in `requirements/audit.json`. Without a folder it
reads that record: it lists affected versions, pins that were never audited, and advisories that are too old to rely
on.

The exit status is a `Verdict`: 1 for an affected version and for pins that changed since the audit; otherwise 3 if
there were no advisories at all for an ecosystem, so that nothing about it is known. Old advisories are only a warning.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

import yaml
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from tests.programs import ROOT

RECORD = ROOT / "requirements" / "audit.json"
MAX_AGE_DAYS = 90  # days
PIN = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([\w.!+-]+)", re.MULTILINE)
VENDORED = re.compile(r"(.+)-(\d+\.\d+\.\d+)")
MODIFIED = re.compile(r"^\s*\"?modified\"?: \"?(\d{4}-\d\d-\d\d)", re.MULTILINE)

# Ecosystem → package → version. npm may install several versions of a package; they are separated by spaces.
Pins = Mapping[str, Mapping[str, str]]
Record = dict[str, Any]


class Verdict(IntEnum):
    """The result of an audit, as an exit status; 2 is left to Python's own errors."""

    PASSED = 0
    FAILED = 1
    INCOMPLETE = 3


def list_pins() -> Pins:
    """Return every version that we install, ship or build with."""
    locks = [(ROOT / "requirements" / name).read_text("utf-8") for name in ("base.txt", "dev.txt", "node.txt")]
    packages = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    folders = [*(ROOT / "static" / "vendor").iterdir(), *(ROOT / "tests" / "browser" / "vendor").iterdir()]
    vendored = [match.groups() for folder in folders if (match := VENDORED.fullmatch(folder.name))]
    locked: dict[str, set[str]] = {}
    for path, package in packages.items():
        if path:  # otherwise it is ourselves
            locked.setdefault(path.rpartition("node_modules/")[2], set()).add(package["version"])
    for name, version in vendored:
        locked.setdefault(name, set()).add(version)
    return {
        "PyPI": {str(canonicalize_name(name)): version for lock in locks for name, version in PIN.findall(lock)},
        "npm": {name: " ".join(sorted(versions)) for name, versions in locked.items()},
    }


def audit(folder: Path, pins: Pins) -> Record:
    """Compare the pins with all advisories below a folder, and return the record of the audit."""
    files = [path for path in folder.rglob("*") if path.suffix in (".json", ".yaml")]
    wanted = {name for versions in pins.values() for name in versions}
    today = _today().isoformat()
    counts: dict[str, int] = {}
    newest: dict[str, str] = {}
    affected: list[str] = []
    for path in files:
        text = path.read_text("utf-8")
        days = [day for day in MODIFIED.findall(text) if day <= today]  # some are in the future
        for ecosystem in set(re.findall(r"\"?ecosystem\"?: \"?(\w+)", text)):
            counts[ecosystem] = counts.get(ecosystem, 0) + 1
            newest[ecosystem] = max([newest.get(ecosystem, ""), *days])
        # Few advisories concern us, and parsing one is slow.
        named = re.findall(r"\"?name\"?: \"?([\w.@/-]+)", text)
        if wanted.isdisjoint([*named, *map(canonicalize_name, named)]):
            continue
        affected += list_affected(yaml.load(text, Loader=yaml.CSafeLoader), pins)
    covered = {ecosystem: versions for ecosystem, versions in pins.items() if counts.get(ecosystem)}
    return {
        "audited": today,
        "advisories": {ecosystem: {"count": counts[ecosystem], "newest": newest[ecosystem]} for ecosystem in covered},
        "affected": sorted(affected),
        "pins": {ecosystem: dict(sorted(versions.items())) for ecosystem, versions in covered.items()},
    }


def list_affected(advisory: Mapping[str, Any], pins: Pins) -> Iterator[str]:
    """Yield each pinned version that an advisory affects, with the advisory's id."""
    if advisory.get("withdrawn"):
        return
    for part in advisory.get("affected", ()):
        ecosystem, name = part["package"]["ecosystem"], part["package"]["name"]
        name = str(canonicalize_name(name)) if ecosystem == "PyPI" else name
        for version in pins.get(ecosystem, {}).get(name, "").split():
            if version in part.get("versions", ()) or _is_in_range(version, part):
                yield f"{name} {version}: {advisory['id']}"


def _is_in_range(version: str, part: Mapping[str, Any]) -> bool:
    ranges = (each["events"] for each in part.get("ranges", ()) if each["type"] in ("ECOSYSTEM", "SEMVER"))
    return any(_is_between(Version(version), events) for events in ranges)


def _is_between(version: Version, events: Iterable[Mapping[str, str]]) -> bool:
    """Return whether a version is affected, from the events of a range in version order."""
    steps = sorted((_read(text), word) for event in events for word, text in event.items() if word != "limit")
    is_affected = False
    for at, word in steps:
        if word == "introduced" and version >= at:
            is_affected = True
        elif (word == "fixed" and version >= at) or (word == "last_affected" and version > at):
            is_affected = False
    return is_affected


def _read(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0")  # an unreadable version counts as affected from the start


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


def describe_audit(record: Record, pins: Pins, today: dt.date) -> tuple[list[str], Verdict]:
    """Return a report about a record, and its verdict."""
    lines = [f"Affected: {entry}" for entry in record["affected"]]
    verdicts = {Verdict.FAILED if lines else Verdict.PASSED}
    for ecosystem, versions in pins.items():
        source, seen = record["advisories"].get(ecosystem), record["pins"].get(ecosystem, {})
        if source is None:
            lines.append(f"{ecosystem}: NOT AUDITED, there were no advisories for it ({', '.join(sorted(versions))})")
            verdicts.add(Verdict.INCOMPLETE)
            continue
        unseen = sorted(name for name, version in versions.items() if seen.get(name) != version)
        age = (today - dt.date.fromisoformat(source["newest"])).days
        count = f"{len(versions) - len(unseen)} of {len(versions)} pinned versions"
        lines.append(f"{ecosystem}: {count} compared with {source['count']:,} advisories up to {source['newest']}")
        if age > MAX_AGE_DAYS:
            lines.append(f"{ecosystem}: WARNING, the advisories are {age} days old and contain nothing newer")
        if unseen:
            verdicts.add(Verdict.FAILED)
            lines.append(f"{ecosystem}: changed since the audit of {record['audited']}: {', '.join(unseen)}")
    return lines, Verdict.FAILED if Verdict.FAILED in verdicts else max(verdicts)


def main(arguments: Sequence[str]) -> int:
    """Audit with the advisories of a folder, or report the result of the last audit."""
    pins = list_pins()
    if arguments:
        RECORD.write_text(json.dumps(audit(Path(arguments[0]), pins), indent=1) + "\n", "utf-8")
    lines, verdict = describe_audit(json.loads(RECORD.read_text("utf-8")), pins, _today())
    sys.stdout.write("\n".join(lines) + "\n")
    return verdict


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
