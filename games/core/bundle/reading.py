"""Reads a bundle from bytes that nobody can vouch for.

- What is not a bundle, is cut short, is too large or was written by a newer version is refused with one sentence
  (`UnreadableBundle`).
- Of a bundle that was altered, every altered line is listed. Its content must not be used then.
- Nothing is ever unpacked or written, and no name in the file is a path, so reading does no harm.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256 as new_sha256
from typing import Any, BinaryIO, NamedTuple

from games.core.bundle.layout import (
    FORMAT,
    HEADER,
    MANIFEST,
    MAX_LINE,
    MAX_SIZE,
    NEW_SECTIONS,
    PRIVATE_SECTIONS,
    ROSTERS,
    SEAT_FIELDS,
    SECTIONS,
    VERSION,
    sha256,
    write_json,
)

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
LINE = re.compile(rb'\{"data":(.*),"line":([0-9]+),"section":"([a-z_]+)","sha256":"([0-9a-f]{64})"\}\n', re.DOTALL)
SECTION = re.compile(r'"section":"([a-z_]+)"')
STARTS = {
    b"PK\x03\x04": "it is a ZIP archive. If there is a bundle in it, unpack that first",
    b"PK\x05\x06": "it is an empty ZIP archive",
    b"\x1f\x8b": "it is compressed with gzip. If there is a bundle in it, unpack that first",
    b"%PDF": "it is a PDF",
}


class UnreadableBundle(Exception):
    """The file is no bundle that this version can check. The exception says why."""


class Finding(NamedTuple):
    """Something in a bundle that is not as it should be.

    Attributes:
        line: the number of the line; None for the bundle as a whole.
        where: the section, or what the line is about as people know it.
    """

    line: int | None
    where: str
    what: str

    def __str__(self) -> str:
        if self.line is None:
            return f"{self.where}: {self.what}"
        return f"Line {self.line}, {self.where}: {self.what}"


class Row(NamedTuple):
    """The data of a line, and its number."""

    line: int
    data: Mapping[str, Any]


@dataclass
class Bundle:
    """What was read.

    Attributes:
        rows: the lines of each section, in their order.
        findings: lines that were altered, and whatever else is wrong with the file.
        altered: the text of altered lines by number, as far as it can be read: it may say what they are about.
        size: in bytes.
        digest: the SHA-256 of the whole file.
    """

    rows: dict[str, list[Row]] = field(default_factory=lambda: {section: [] for section in SECTIONS})
    findings: list[Finding] = field(default_factory=list)
    altered: dict[int, str] = field(default_factory=dict)
    size: int = 0
    digest: str = ""
    line_count: int = 0
    shift: int = 0  # by how much the lines' own numbers differ from their places

    @property
    def header(self) -> Mapping[str, Any]:
        """The data of the first line."""
        return self.rows[HEADER][0].data

    @property
    def event(self) -> Mapping[str, Any]:
        """The event."""
        return self.rows["event"][0].data

    def get(self, section: str) -> list[Mapping[str, Any]]:
        """Return the data of a section's lines."""
        return [row.data for row in self.rows[section]]

    def by_id(self, section: str) -> dict[str, Mapping[str, Any]]:
        """Return the data of a section's lines by their ids."""
        return {row.data["id"]: row.data for row in self.rows[section]}


def read_bundle(file: BinaryIO) -> Bundle:
    """Return what is in a bundle, and everything that is wrong with the file itself.

    Raises:
        UnreadableBundle: it is not a bundle, is cut short or too large, or this version is too old for it.
    """
    bundle, hashes = Bundle(), dict[str, Any]()
    whole = new_sha256()
    last = ""
    for number, line in enumerate(_split_lines(file), 1):
        whole.update(line)
        bundle.size, bundle.line_count = bundle.size + len(line), number
        if number == 1:
            _check_start(line)
        section = _read_line(bundle, number, line, last)
        hashes.setdefault(section, new_sha256()).update(line)
        last = section or last
    if not bundle.size:
        raise UnreadableBundle("it is empty")
    bundle.digest = whole.hexdigest()
    _check_end(bundle, last)
    if not bundle.findings:
        bundle.findings += _check_whole(bundle, {name: value.hexdigest() for name, value in hashes.items()})
    if not bundle.findings:
        bundle.findings += _check_fields(bundle)
    return bundle


def _split_lines(file: BinaryIO) -> Iterator[bytes]:
    size = number = 0
    while line := file.readline(MAX_LINE + 1):
        number, size = number + 1, size + len(line)
        if len(line) > MAX_LINE or size > MAX_SIZE:
            raise UnreadableBundle(f"it is too large: line {number} passes the limit of a line or of the file")
        yield line


def _check_start(line: bytes) -> None:
    """Refuse what is no bundle, or the bundle of a newer version."""
    for start, why in STARTS.items():
        if line.startswith(start):
            raise UnreadableBundle(why)
    header = _parse_header(line)
    if header is None:
        # An altered header still looks like one; anything else is another kind of file.
        if FORMAT.encode() in line and line.startswith(b"{"):
            return
        raise UnreadableBundle("line 1 is not the header of a bundle")
    version = header.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise UnreadableBundle(
            f"it is a bundle of version {version}, and this program reads versions 1 to {VERSION}. "
            "Check it with the version of Tailgunner that wrote it, or with a newer one"
        )


def _parse_header(line: bytes) -> Mapping[str, Any] | None:
    """Return the data of a header whose checksum is right, in whatever version; None for anything else."""
    parts = LINE.fullmatch(line)
    if parts is None or sha256(line.rpartition(b',"sha256":')[0]).encode() != parts[4]:
        return None
    try:
        data = json.loads(parts[1])
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and data.get("format") == FORMAT else None


def _read_line(bundle: Bundle, number: int, line: bytes, last: str) -> str:
    """Add a line to the bundle, or a finding; return the section that it is in."""
    parts = LINE.fullmatch(line)
    if parts is None or sha256(line.rpartition(b',"sha256":')[0]).encode() != parts[4]:
        text = line.decode(errors="replace")
        named = SECTION.search(text)
        section = named[1] if named and named[1] in SECTIONS else last
        what = "this line was altered: it does not match its checksum"
        if not line.endswith(b"\n"):
            what += ". The file ends in this line, so it may also have been cut short"
        bundle.findings.append(Finding(number, f"section {section or HEADER}", what))
        bundle.altered[number] = text
        return section
    section = parts[3].decode()
    if section not in SECTIONS:
        bundle.findings.append(Finding(number, f"section {section}", "a bundle has no such section"))
        return last
    order = list(SECTIONS)
    shift = int(parts[2][:20]) - number
    if shift != bundle.shift:
        bundle.shift = shift
        what = f"it says that it is line {number + shift}: lines were removed, added or moved here"
        bundle.findings.append(Finding(number, f"section {section}", what))
    elif last == MANIFEST or (last and order.index(section) < order.index(last)):
        bundle.findings.append(Finding(number, f"section {section}", f"it comes after section {last}"))
    try:
        text = parts[1].decode()
        data = json.loads(text)
        if not isinstance(data, dict) or write_json(data) != text:
            raise ValueError
    except (ValueError, RecursionError, UnicodeError):
        what = "its data cannot be read, or is not written as a bundle writes it"
        bundle.findings.append(Finding(number, f"section {section}", what))
        return section
    bundle.rows[section].append(Row(number, data))
    return section


def _check_end(bundle: Bundle, last: str) -> None:
    number = bundle.line_count
    if not bundle.rows[MANIFEST] and not any(finding.line == number for finding in bundle.findings):
        raise UnreadableBundle(
            f"it was cut short: it ends after line {number}, in section {last}, and has no manifest. Copy it again"
        )
    if bundle.altered.keys() == {number} and not bundle.altered[number].endswith("\n") and last != MANIFEST:
        raise UnreadableBundle(f"it was cut short: it ends inside line {number}, in section {last}. Copy it again")


def _check_whole(bundle: Bundle, hashes: Mapping[str, str]) -> Iterator[Finding]:
    """Compare the sections with the manifest."""
    manifest = bundle.rows[MANIFEST][0]
    listed = manifest.data.get("sections")
    own = {
        name: {"lines": len(rows), "sha256": hashes[name]}
        for name, rows in bundle.rows.items()
        if rows and name != MANIFEST
    }
    if not isinstance(listed, dict):
        yield Finding(manifest.line, "the manifest", "it lists no sections")
        return
    for name in sorted(own.keys() | listed.keys()):
        if own.get(name) != listed.get(name):
            rows = bundle.rows.get(name, [])
            lines = f"lines {rows[0].line} to {rows[-1].line}" if rows else "no lines"
            yield Finding(manifest.line, "the manifest", f"section {name} ({lines}) is not the one it lists")
    for name in (HEADER, "event"):
        if len(bundle.rows[name]) != 1:
            yield Finding(None, f"section {name}", f"it has {len(bundle.rows[name])} lines, not one")


def _check_fields(bundle: Bundle) -> Iterator[Finding]:
    """Check that every line has the fields of its section, and that no id is missing or given twice."""
    found = [finding for name, rows in bundle.rows.items() for row in rows for finding in _check_row(name, row)]
    yield from found
    if found:
        return
    yield from _check_header(bundle)
    ids: dict[str, dict[str, int]] = {name: {} for name in SECTIONS}
    for name, rows in bundle.rows.items():
        for row in rows if "id" in SECTIONS[name] else ():
            first = ids[name].setdefault(row.data["id"], row.line)
            if first != row.line:
                yield Finding(row.line, f"section {name}", f"line {first} has the same id")
    for name, rows in bundle.rows.items():
        for row in rows:
            yield from _check_references(name, row, ids)


def _check_header(bundle: Bundle) -> Iterator[Finding]:
    if bundle.header["format"] != FORMAT or bundle.header["roster"] not in ROSTERS:
        yield Finding(1, "section bundle", "it says neither “public” nor “full” of its roster")
    if bundle.header["event"] != bundle.event["id"]:
        yield Finding(1, "section bundle", "it names another event than the section event")
    needed = max((version for name, version in NEW_SECTIONS.items() if bundle.rows[name]), default=1)
    if bundle.header["version"] != needed:
        yield Finding(1, "section bundle", f"its version does not fit its sections, which need version {needed}")
    for row in bundle.rows["certificates"][1:]:
        yield Finding(row.line, "section certificates", "an event has only one such line")
    if bundle.header["roster"] == "public":
        for name in PRIVATE_SECTIONS:
            for row in bundle.rows[name][:1]:
                yield Finding(row.line, f"section {name}", "a bundle with the public roster has no such section")


def _check_row(name: str, row: Row) -> Iterator[Finding]:
    if row.data.keys() != SECTIONS[name].keys():
        differing = ", ".join(sorted(row.data.keys() ^ SECTIONS[name].keys()))
        yield Finding(row.line, f"section {name}", f"fields are missing or unknown: {differing:.200}")
        return
    for key, kind in SECTIONS[name].items():
        if not _is_of_kind(row.data[key], kind):
            yield Finding(row.line, f"section {name}", f"{key} has a value that it cannot have")
    if name == "cards" and isinstance(row.data["seats"], list):
        for seat in row.data["seats"]:
            if not isinstance(seat, dict) or seat.keys() != SEAT_FIELDS.keys():
                yield Finding(row.line, "section cards", "a seat has missing or unknown fields")
            elif not all(_is_of_kind(seat[key], kind) for key, kind in SEAT_FIELDS.items()):
                yield Finding(row.line, "section cards", "a seat has a value that it cannot have")


def _is_of_kind(value: object, kind: str) -> bool:
    if value is None:
        return kind.endswith("?")
    match kind.removesuffix("?").partition(":")[0]:
        case "id":
            return isinstance(value, str) and ID.fullmatch(value) is not None
        case "text":
            return isinstance(value, str)
        case "number":
            return type(value) is int
        case "flag":
            return type(value) is bool
        case "list":
            return isinstance(value, list)
        case _:
            return isinstance(value, dict)


def _check_references(name: str, row: Row, ids: Mapping[str, Mapping[str, int]]) -> Iterator[Finding]:
    parts = [(SECTIONS[name], row.data)]
    if name == "cards":
        parts += [(SEAT_FIELDS, seat) for seat in row.data["seats"]]
    for fields, data in parts:
        for key, kind in fields.items():
            target = kind.removesuffix("?").partition(":")[2]
            if target and data[key] is not None and data[key] not in ids[target]:
                yield Finding(row.line, f"section {name}", f"{key} {data[key]} is not in section {target}")
    if name == "crew":
        for stop in row.data["any_bike_at"]:
            if not isinstance(stop, str) or stop not in ids["stops"]:
                yield Finding(row.line, "section crew", "any_bike_at names a stop that is not in section stops")
