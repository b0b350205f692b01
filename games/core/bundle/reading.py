"""Reads a bundle from bytes that nobody can vouch for.

- What is not a bundle, is cut short, is too large or was written by a newer version is refused with one sentence
  (`UnreadableBundle`).
- Of a bundle that was altered, every altered line is listed. Its content must not be used then.
- Nothing is ever unpacked, and no name in the file is a path, so reading does no harm.
- Only short sections are kept in memory. The lines of long ones are read again when they are needed, so the file has to
  stay open. What comes from a pipe has to be copied first (`copy_lines`).
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256 as new_sha256
from typing import IO, Any, NamedTuple, overload

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
)
from games.core.canonical import canonical_json, sha256
from games.core.verification.source import Row

BIKE_NUMBER = re.compile(r"[1-9][0-9]{0,4}[A-Z]{1,2}")  # with letters; all others are whole numbers
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
LINE = re.compile(rb'\{"data":(.*),"line":([0-9]+),"section":"([a-z_]+)","sha256":"([0-9a-f]{64})"\}\n', re.DOTALL)
SECTION = re.compile(r'"section":"([a-z_]+)"')
# Those that have a line for each entrant, scorecard, operation or entry, with the fields by which lines are looked up.
LONG_SECTIONS: Mapping[str, Sequence[str]] = {
    "chains": (),
    "cards": ("id",),
    "operations": (),
    "entries": ("chain", "operation"),
    "revision_rows": ("revision",),
    "revision_cards": ("revision",),
    "standings": ("contest",),
}
# How the lines of a section are ordered, if not by their ids. Entries are in the order of writing.
ORDERS: Mapping[str, Sequence[str]] = {
    "odds": ("id",),
    "prize_rules": ("id",),
    "sheet_rules": ("id",),
    "operations": ("received_at", "id"),
    "revisions": ("contest", "number"),
    "standings": ("contest", "index"),
    "frozen_standings": ("contest",),
}
# Lines of a revision are numbered from 0, and so are those of the standings of a contest.
NUMBERED = {"revision_rows": "revision", "revision_cards": "revision", "standings": "contest"}
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


class LongSection(Sequence[Row]):
    """The lines of a section, each read again when it is needed."""

    def __init__(self, file: IO[bytes], fields: Sequence[str]) -> None:
        self._file = file
        self._numbers, self._places = array("Q"), array("Q")
        self._indexes: dict[str, dict[str, array[int]]] = {name: {} for name in fields}

    def add(self, row: Row, place: int) -> None:
        """Add the line that begins at a place of the file."""
        for name, index in self._indexes.items():
            value = row.data.get(name)
            if isinstance(value, str):  # anything else, which may have no hash, is found where fields are checked
                index.setdefault(value, array("Q")).append(len(self))
        self._numbers.append(row.line or 0)
        self._places.append(place)

    def find(self, name: str, value: str) -> Sequence[int]:
        """Return which lines have a value in a field, counted from 0."""
        return self._indexes[name].get(value, ())

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        self._file.seek(self._places[index])
        return Row(self._numbers[index], json.loads(self._file.readline().decode())["data"])


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

    rows: dict[str, Sequence[Row]]
    findings: list[Finding] = field(default_factory=list)
    altered: dict[int, str] = field(default_factory=dict)
    start: int = 0  # where it begins in the file
    size: int = 0
    digest: str = ""
    line_count: int = 0
    disordered: list[Finding] = field(default_factory=list)  # lines that are not in the order of a bundle
    shift: int = 0  # by how much the lines' own numbers differ from their places

    @property
    def header(self) -> Mapping[str, Any]:
        """The data of the first line."""
        return self.rows[HEADER][0].data

    @property
    def event(self) -> Mapping[str, Any]:
        """The event."""
        return self.rows["event"][0].data

    def find(self, section: str, name: str, value: str, first: int = 0) -> Iterator[Row]:
        """Return the lines of a long section that have a value in a field, from the first of them or another on."""
        rows = self.rows[section]
        assert isinstance(rows, LongSection), "others are short enough to be searched"
        return map(rows.__getitem__, rows.find(name, value)[first:])

    def get(self, section: str) -> Iterator[Mapping[str, Any]]:
        """Return the data of a section's lines."""
        return (row.data for row in self.rows[section])


def read_bundle(file: IO[bytes]) -> Bundle:
    """Return what is in a bundle, and everything that is wrong with the file itself.

    Args:
        file: has to be seekable, and to stay open while the bundle is checked or imported.

    Raises:
        UnreadableBundle: it is not a bundle, is cut short or too large, or this version is too old for it.
    """
    long = {section: LongSection(file, fields) for section, fields in LONG_SECTIONS.items()}
    bundle = Bundle({section: long.get(section, []) for section in SECTIONS}, start=file.tell())
    hashes, content, whole, last = dict[str, Any](), _ContentChecks(), new_sha256(), ""
    for number, line in enumerate(_split_lines(file), 1):
        whole.update(line)
        if number == 1:
            _check_start(line)
        section = _read_line(bundle, number, line, last, content)
        bundle.size, bundle.line_count = bundle.size + len(line), number
        hashes.setdefault(section, new_sha256()).update(line)
        last = section or last
    if not bundle.size:
        raise UnreadableBundle("it is empty")
    bundle.digest = whole.hexdigest()
    _check_end(bundle, last)
    if not bundle.findings:
        bundle.findings += _check_whole(bundle, {name: value.hexdigest() for name, value in hashes.items()})
    if not bundle.findings:
        bundle.findings += content.fields or [*_check_header(bundle), *content.list_references()]
        bundle.disordered += content.disordered
    return bundle


def copy_lines(file: IO[bytes], copied: IO[bytes]) -> None:
    """Copy a bundle from a pipe, so that its lines can be read more than once.

    Raises:
        UnreadableBundle: it is too large.
    """
    copied.writelines(_split_lines(file))
    copied.seek(0)


def _split_lines(file: IO[bytes]) -> Iterator[bytes]:
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


def _read_line(bundle: Bundle, number: int, line: bytes, last: str, content: _ContentChecks) -> str:
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
        if not isinstance(data, dict) or canonical_json(data) != text:
            raise ValueError
    except (ValueError, RecursionError, UnicodeError):
        what = "its data cannot be read, or is not written as a bundle writes it"
        bundle.findings.append(Finding(number, f"section {section}", what))
        return section
    row, rows = Row(number, data), bundle.rows[section]
    if isinstance(rows, LongSection):
        rows.add(row, bundle.start + bundle.size)
    elif isinstance(rows, list):
        rows.append(row)
    content.check(section, row)
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


class _ContentChecks:
    """Checks that every line has the fields of its section, and that no id is missing or given twice.

    Attributes:
        fields: lines without the fields of their section. If there are any, the rest means nothing.
        disordered: the first line of each section that is not in the order of a bundle: equal data gives equal bytes.
    """

    def __init__(self) -> None:
        self.fields: list[Finding] = []
        self.disordered: list[Finding] = []
        self._before: dict[str, tuple[Any, ...]] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._twice: list[Finding] = []
        self._missing: list[Finding] = []
        self._later: list[tuple[str, Row]] = []  # lines that may refer to a later one
        self._ids: dict[str, dict[str, int | None]] = {name: {} for name in SECTIONS}

    def check(self, name: str, row: Row) -> None:
        """Check the next line."""
        self.fields += _check_row(name, row)
        if self.fields:
            return
        if "id" in SECTIONS[name]:
            first = self._ids[name].setdefault(row.data["id"], row.line)
            if first != row.line:
                self._twice.append(Finding(row.line, f"section {name}", f"line {first} has the same id"))
        if not any(finding.where == f"section {name}" for finding in self.disordered):
            self._check_order(name, row)
        if name == "bikes":
            self._later.append((name, row))
        else:
            self._missing += _check_references(name, row, self._ids)

    def _check_order(self, name: str, row: Row) -> None:
        columns = ORDERS.get(name, ("id",) if "id" in SECTIONS[name] else ())
        key = tuple(row.data[column] for column in columns)
        if columns and name in self._before and key <= self._before[name]:
            what = "it is not in the order of a bundle, or is there twice"
            self.disordered.append(Finding(row.line, f"section {name}", what))
        self._before[name] = key
        if name in NUMBERED:
            owner = name, row.data[NUMBERED[name]]
            expected = self._counts.get(owner, 0)
            self._counts[owner] = expected + 1
            if row.data["index"] != expected:
                what = f"it has the index {row.data['index']}, not {expected}"
                self.disordered.append(Finding(row.line, f"section {name}", what))

    def list_references(self) -> list[Finding]:
        """Return ids that are given twice, and those that are missing."""
        later = [finding for name, row in self._later for finding in _check_references(name, row, self._ids)]
        return [*self._twice, *later, *self._missing]


def _check_header(bundle: Bundle) -> Iterator[Finding]:
    if bundle.header["format"] != FORMAT or bundle.header["roster"] not in ROSTERS:
        yield Finding(1, "section bundle", "it says neither “public” nor “full” of its roster")
    if bundle.header["event"] != bundle.event["id"]:
        yield Finding(1, "section bundle", "it names another event than the section event")
    needed = max((version for name, version in NEW_SECTIONS.items() if bundle.rows[name]), default=1)
    if bundle.header["version"] != needed:
        yield Finding(1, "section bundle", f"its version does not fit its sections, which need version {needed}")
    for name in ("certificates", "event_page", "route_track"):
        for row in bundle.rows[name][1:]:
            yield Finding(row.line, f"section {name}", "an event has only one such line")
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
        case "bike number":
            return type(value) is int or (isinstance(value, str) and BIKE_NUMBER.fullmatch(value) is not None)
        case "flag":
            return type(value) is bool
        case "list":
            return isinstance(value, list)
        case _:
            return isinstance(value, dict)


def _check_references(name: str, row: Row, ids: Mapping[str, Mapping[str, int | None]]) -> Iterator[Finding]:
    parts = [(SECTIONS[name], row.data)]
    if name == "cards":
        parts += [(SEAT_FIELDS, seat) for seat in row.data["seats"]]
    for fields, data in parts:
        for key, kind in fields.items():
            target = kind.removesuffix("?").partition(":")[2]
            if not target or data[key] is None:
                continue
            if not any(data[key] in ids[section] for section in target.split("|")):
                where = " or ".join(target.split("|"))
                yield Finding(row.line, f"section {name}", f"{key} {data[key]} is not in section {where}")
    if name == "crew":
        for stop in row.data["any_bike_at"]:
            if not isinstance(stop, str) or stop not in ids["stops"]:
                yield Finding(row.line, "section crew", "any_bike_at names a stop that is not in section stops")
