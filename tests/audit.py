"""The audit of dependencies: compares every pinned version with recorded advisories, without a network.

Terms:

- A *pin* is a version in a lock file or in the name of a folder of vendored scripts.
- An *advisory* is an entry in the OSV format (https://ossf.github.io/osv-schema/), shortened to what the comparison
  needs.
- A *source* is where advisories were taken from: a whole database of an ecosystem, or what is known of some packages.

`requirements/advisories.json` has the sources, the advisories of each pinned package, and the pins for which no source
could be had, with the reason; `*` stands for all others of an ecosystem.

`python -m tests.audit` compares the pins with that file. The exit status is 1 if a pin is affected, and if a pin has
neither a source nor a reason. Old advisories are only a warning.

`python -m tests.audit FOLDER SOURCE` first takes the advisories of one source again, from the OSV files below a folder.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from tests.programs import ROOT
from tools.sbom import get_package_name

ADVISORIES = ROOT / "requirements" / "advisories.json"
MAX_AGE_DAYS = 90  # days
MAX_SUMMARY = 120  # characters
PIN = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([\w.!+-]+)", re.MULTILINE)
VENDORED = re.compile(r"(.+)-(\d+\.\d+\.\d+)")
MODIFIED = re.compile(r"^\s*\"?modified\"?: \"?(\d{4}-\d\d-\d\d)", re.MULTILINE)
NAME = re.compile(r"\"?name\"?: \"?([\w.@/-]+)")
TOOLS = "npm, tools only"  # what only we run, to build and test

Pins = Mapping[str, Mapping[str, set[str]]]  # ecosystem → package → versions
Record = dict[str, Any]


def list_pins() -> Pins:
    """Return every version that we install, ship or build with."""
    pins: dict[str, dict[str, set[str]]] = {"PyPI": {}, "npm": {}, TOOLS: {}}
    for name in ("base.txt", "dev.txt", "node.txt"):
        for package, version in PIN.findall((ROOT / "requirements" / name).read_text("utf-8")):
            pins["PyPI"].setdefault(str(canonicalize_name(package)), set()).add(version)
    locked = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    for path, package in locked.items():
        if path:
            own = pins[TOOLS if package.get("dev") else "npm"]
            own.setdefault(path.rpartition("node_modules/")[2], set()).add(package["version"])
    for folder, own in (
        (ROOT / "static" / "vendor", pins["npm"]),
        (ROOT / "tests" / "browser" / "vendor", pins[TOOLS]),
    ):
        for match in filter(None, (VENDORED.fullmatch(script.name) for script in folder.iterdir())):
            own.setdefault(get_package_name(match[1]), set()).add(match[2])
    return pins


def collect(record: Record, folder: Path, source: str, pins: Pins) -> None:
    """Take the advisories of a source from a folder into the record, for the packages that are pinned.

    Args:
        record: the record to change. It names the source, with its `ecosystem`. A source that is `whole` knows every
            package of the ecosystem; another one lists those that it knows under `packages`.
        folder: where the source's OSV files are, in JSON or YAML.
        source: the source's key in the record.
        pins: the pins.

    Raises:
        KeyError: the record has no such source.
    """
    about = record["sources"][source]
    ecosystem, pinned = about["ecosystem"], pins[about["ecosystem"]]
    about["packages"] = sorted(pinned if about["whole"] else pinned.keys() & about["packages"])
    kept = record["advisories"].get(ecosystem, {})
    known = {name: [each for each in kept.get(name, ()) if each["source"] != source] for name in pinned}
    about["count"], about["newest"], today = 0, "", _today().isoformat()
    for path in sorted(each for each in folder.rglob("*") if each.suffix in (".json", ".yaml")):
        text = path.read_text("utf-8")
        about["count"] += 1
        about["newest"] = max([about["newest"], *(day for day in MODIFIED.findall(text) if day <= today)])
        # Few advisories concern us, and parsing one is slow.
        names = NAME.findall(text)
        if not pinned.keys().isdisjoint([*names, *map(canonicalize_name, names)]):
            advisory = yaml.load(text, Loader=yaml.CSafeLoader)
            for name, parts in _list_packages(advisory, ecosystem).items():
                if name in about["packages"] and not advisory.get("withdrawn"):
                    known[name].append(_shorten(advisory, parts, source))
    for advisories in known.values():
        advisories.sort(key=lambda advisory: (advisory["modified"], advisory["id"]))
    record["advisories"][ecosystem] = {name: known[name] for name in sorted(known) if known[name]}


def _list_packages(advisory: Mapping[str, Any], ecosystem: str) -> dict[str, list[Mapping[str, Any]]]:
    """Return the packages of an ecosystem that an advisory names, each with its parts of the advisory."""
    packages: dict[str, list[Mapping[str, Any]]] = {}
    for part in advisory.get("affected", ()):
        if part["package"]["ecosystem"] == ecosystem:
            name = part["package"]["name"]
            packages.setdefault(str(canonicalize_name(name)) if ecosystem == "PyPI" else name, []).append(part)
    return packages


def _shorten(advisory: Mapping[str, Any], parts: Iterable[Mapping[str, Any]], source: str) -> dict[str, Any]:
    """Return what the comparison and its reader need of an advisory about one package."""
    ranges: list[Any] = []
    versions: list[str] = []
    for part in parts:
        own = [each["events"] for each in part.get("ranges", ()) if each["type"] in ("ECOSYSTEM", "SEMVER")]
        ranges += own
        # Where there is a range, it says the same as the list of versions.
        versions += [] if own else [str(version) for version in part.get("versions", ())]
    summary = advisory.get("summary") or advisory.get("details", "").strip().partition("\n")[0]
    return {
        "id": advisory["id"],
        "aliases": advisory.get("aliases", []),
        "summary": summary if len(summary) <= MAX_SUMMARY else f"{summary[:MAX_SUMMARY]} …",
        "modified": str(advisory["modified"])[:10],
        "source": source,
        "ranges": ranges,
        **({"versions": versions} if versions else {}),
    }


def compare(record: Record, pins: Pins, today: dt.date) -> tuple[list[str], bool]:
    """Compare the pins with the record.

    Returns:
        A report in lines, and whether the audit passed.
    """
    bad: list[str] = []
    lines: list[str] = []
    for ecosystem, pinned in pins.items():
        own = [source for source in record["sources"].values() if source["ecosystem"] == ecosystem]
        compared = pinned.keys() & {name for source in own for name in source["packages"]}
        reasons = record["without_source"].get(ecosystem, {})
        without = {name: reasons.get(name, reasons.get("*")) for name in sorted(pinned.keys() - compared)}
        unknown = [name for name, reason in without.items() if not reason]
        bad += [f"Affected: {entry}" for entry in list_affected(record["advisories"].get(ecosystem, {}), pinned)]
        if unknown:
            bad.append(f"{ecosystem}: neither compared nor listed as without a source: {', '.join(unknown)}")
        lines.append(f"{ecosystem}: {len(compared)} of {len(pinned)} pinned packages compared")
        for reason in sorted({reason for reason in without.values() if reason}):
            names = ", ".join(name for name, own in without.items() if own == reason)
            lines.append(f"{ecosystem}: NOT COMPARED, {names}: {reason}")
    for source in record["sources"].values():
        age = (today - dt.date.fromisoformat(source["newest"])).days
        lines.append(f"{source['title']}: {source['count']:,} advisories up to {source['newest']}")
        if age > MAX_AGE_DAYS:
            lines.append(f"WARNING, they are {age} days old and contain nothing newer: {source['title']}")
    return [*bad, *lines], not bad


def list_affected(advisories: Mapping[str, Any], pinned: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield each pinned version that an advisory affects, with the advisory's id."""
    for name, versions in pinned.items():
        for version in sorted(versions):
            for advisory in advisories.get(name, ()):
                in_range = any(_is_between(Version(version), events) for events in advisory["ranges"])
                if in_range or version in advisory.get("versions", ()):
                    yield f"{name} {version}: {advisory['id']}"


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


def _write(record: Record) -> str:
    """Return the record as JSON, an advisory a line, so that a diff shows which are new."""
    text = json.dumps(record, indent=1, ensure_ascii=False)
    advisory = re.compile(r"\{\n +\"id\": .*?\n {4}\}", re.DOTALL)
    text = advisory.sub(lambda match: json.dumps(json.loads(match[0]), ensure_ascii=False), text)
    packages = re.compile(r"\[\n( +\"[^\"]+\",?\n)+ +\]")
    return packages.sub(lambda match: json.dumps(json.loads(match[0])), text) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Compare the pins, with a source's advisories from a folder if one is given."""
    pins = list_pins()
    record = json.loads(ADVISORIES.read_text("utf-8"))
    if arguments:
        folder, source = arguments
        collect(record, Path(folder), source, pins)
        ADVISORIES.write_text(_write(record), "utf-8")
    lines, is_passed = compare(record, pins, _today())
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if is_passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
