"""The form of a bundle.

- A bundle is UTF-8 text with one JSON object a line: `data`, `line` (its number), `section`, and `sha256`, the SHA-256
  of the line's own bytes before `,"sha256":`.
- JSON is canonical: names in order, no spaces, no needless escapes. So equal data is equal bytes.
- The first line is the header, the last one the manifest: how many lines each section has, and the SHA-256 of all its
  bytes. The sections are in the order of `SECTIONS`.
- The lines of a section have exactly its fields. An `id` of another section is the id of a line there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from games.core.canonical import canonical_json, sha256

FORMAT = "tailgunner-bundle"
VERSION = 5
# Sections that were added after version 1, with the version that they need. A bundle says the lowest version that has
# all its sections, so that older programs read every bundle that they can check.
NEW_SECTIONS: Mapping[str, int] = {
    "certificates": 2,
    "odds": 3,
    "prize_rules": 4,
    "sheet_rules": 4,
    "sheets": 4,
    "classes": 5,
    "class_members": 5,
    "prize_classes": 5,
    "stop_distances": 5,
    "event_page": 5,
    "posters": 5,
    "programme": 5,
    "page_sponsors": 5,
    "route_track": 5,
}
HEADER = "bundle"
MANIFEST = "manifest"
ROSTERS = ("public", "full")
ABOUT = (
    "An event scored with Tailgunner: its log, roster, rules, standings, revisions and prizes. One JSON object a line; "
    "sha256 is the SHA-256 of the line before the comma that comes before it. python -m games verify FILE checks it."
)

MAX_LINE = 64 * 2**20  # bytes
MAX_SIZE = 2 * 2**30  # bytes

# Fields by section. The kinds: id, text, number, flag, list, object, any; with "?", null is allowed. "id:bikes" is the
# id of a line of the section "bikes", "id:bikes|sheets" of one of the two.
SECTIONS: Mapping[str, Mapping[str, str]] = {
    HEADER: {"about": "text", "event": "id", "format": "text", "roster": "text", "version": "number"},
    "event": {
        "archived_at": "text?",
        "date": "text",
        "id": "id",
        "is_listed": "flag",
        "is_practice": "flag",
        "name": "text",
        "people_shown": "text",
        "slug": "text",
        "state": "text",
        "time_zone": "text",
    },
    "stops": {
        "address": "text",
        "closes_at": "text?",
        "crew_note": "text",
        "id": "id",
        "latitude": "text?",
        "longitude": "text?",
        "name": "text",
        "opens_at": "text?",
        "ordinal": "number",
    },
    "stop_distances": {"distance": "number?", "id": "id:stops"},
    "groups": {"id": "id", "name": "text", "ordinal": "number"},
    "dice_sets": {"group": "id:groups", "id": "id", "name": "text", "ordinal": "number"},
    "crew": {"any_bike_at": "list", "group": "id:groups", "id": "id", "name": "text", "role": "text"},
    "contests": {
        "asks_agreement": "flag",
        "frozen_at": "text?",
        "game": "text",
        "group_best": "number",
        "groups_by": "text",
        "id": "id",
        "name": "text",
        "options": "object",
        "ordinal": "number",
        "prizes": "number",
        "rules_version": "number",
        "seats_are": "text",
        "slug": "text",
        "status": "text",
    },
    "odds": {"id": "id:contests", "shown": "text"},
    "sheet_rules": {"each": "text", "id": "id:contests", "most": "number"},
    "slots": {"contest": "id:contests", "id": "id", "ordinal": "number", "stop": "id:stops"},
    "bikes": {
        "did_not_start": "flag",
        "group": "id:groups?",
        "id": "id",
        "is_walk_up": "flag",
        "make": "text",
        "merged_into": "id:bikes?",
        "model": "text",
        "number": "bike number",
        "suffix": "number",
    },
    "sheets": {"bike": "id:bikes", "contest": "id:contests", "id": "id", "number": "number"},
    "players": {"bike": "id:bikes?", "id": "id", "name": "text", "role": "text"},
    "classes": {"id": "id", "name": "text", "note": "text", "ordinal": "number"},
    "class_members": {"bike": "id:bikes?", "class": "id:classes", "id": "id", "player": "id:players?"},
    "check_items": {"id": "id", "name": "text", "ordinal": "number"},
    "logos": {"content": "text", "id": "id", "media_type": "text"},
    "prizes": {
        "best_of": "number?",
        "contest": "id:contests",
        "id": "id",
        "logo": "id:logos?",
        "name": "text",
        "place": "number?",
        "position": "number",
        "rule": "text",
        "sponsor": "text",
        "stop": "id:stops?",
    },
    "prize_rules": {
        "face": "number?",
        "id": "id:prizes",
        "number_drawn": "number?",
        "number_from": "number?",
        "number_to": "number?",
        "ties": "text",
    },
    "prize_classes": {"class": "id:classes", "id": "id:prizes"},
    "event_page": {
        "contact_email": "text",
        "contact_name": "text",
        "contact_phone": "text",
        "distance_unit": "text",
        "next_date": "text?",
        "poster_alt": "text",
        "text": "text",
        "what_to_bring": "text",
    },
    "posters": {"content": "text", "height": "number", "id": "id", "media_type": "text", "width": "number"},
    "programme": {"day": "number", "id": "id", "text": "text", "time": "text?"},
    "page_sponsors": {"id": "id", "link": "text", "logo": "id:logos?", "name": "text", "position": "number"},
    "route_track": {"length": "number", "points": "text"},
    "certificates": {"heading": "text", "logo": "id:logos?", "signed_by": "text", "wording": "text"},
    "chains": {
        "head": "text",
        "id": "id",
        "is_alias": "flag",
        "is_sealed": "flag",
        "kind": "text",
        "length": "number",
    },
    "cards": {"contest": "id:contests", "id": "id:chains", "seats": "list"},
    "operations": {
        "actor": "id",
        "body": "object",
        "device": "id?",
        "digest": "text",
        "id": "id",
        "kind": "text",
        "outcome": "text",
        "receipt": "object",
        "received_at": "text",
    },
    "entries": {"body": "text", "chain": "id:chains", "hash": "text", "operation": "id:operations", "seq": "number"},
    "reasons": {"id": "id:operations", "salt": "text", "text": "text"},
    "witnesses": {"id": "id:operations", "name": "text", "salt": "text"},
    "unchecked_people": {
        "bike": "id:bikes",
        "id": "id:operations",
        "is_left_out": "flag",
        "passenger": "text",
        "rider": "text",
    },
    "review_items": {
        "against": "list",
        "card": "id:chains?",
        "contest": "id:contests",
        "decision": "text",
        "id": "id",
        "opened_at": "text",
        "operation": "id:operations",
        "problems": "list",
        "reason": "text",
        "settled_at": "text?",
        "settled_by": "id:operations?",
        "slot": "id:slots?",
    },
    "revisions": {
        "awards": "list?",
        "chains": "list",
        "contest": "id:contests",
        "event_head": "text",
        "id": "id",
        "log_length": "number",
        "number": "number",
        "operation": "id:operations",
        "published_at": "text",
        "published_by": "id",
        "standings": "object",  # without its rows and cards, which have lines of their own
    },
    "revision_rows": {"index": "number", "revision": "id:revisions", "row": "object"},
    "revision_cards": {"card": "object", "index": "number", "revision": "id:revisions"},
    "freeze": {"at": "text?", "step": "number?", "version": "number"},
    "frozen_standings": {
        "board": "object",
        "cards": "list",
        "contest": "id:contests",
        "position": "number?",
        "result_board": "object?",
        "result_cards": "list?",
        "revealed_from": "number?",
    },
    "standings": {"contest": "id:contests", "index": "number", "row": "object"},
    MANIFEST: {"event_head": "text", "sections": "object"},
}
SEAT_FIELDS = {"bike": "id:bikes|sheets?", "id": "id", "index": "number", "is_only": "flag", "player": "id:players?"}
# Sections whose lines are only in bundles with the full roster.
PRIVATE_SECTIONS = ("crew", "reasons", "unchecked_people", "freeze", "frozen_standings")


class BundleWriter:
    """Writes the lines of a bundle, and counts what the manifest needs.

    Attributes:
        digest: the SHA-256 of the whole file, once the manifest is written.
    """

    def __init__(self) -> None:
        self._number = 0
        self._counts: dict[str, int] = {}
        self._hashes: dict[str, Any] = {}
        self._whole = hashlib.sha256()

    def write(self, section: str, data: Mapping[str, Any]) -> bytes:
        """Return the next line."""
        self._number += 1
        start = f'{{"data":{canonical_json(data)},"line":{self._number},"section":"{section}"'.encode()
        line = b'%s,"sha256":"%s"}\n' % (start, sha256(start).encode())
        self._counts[section] = self._counts.get(section, 0) + 1
        self._hashes.setdefault(section, hashlib.sha256()).update(line)
        self._whole.update(line)
        return line

    def write_header(self, event_id: str, roster: str, version: int = 1) -> bytes:
        """Return the first line.

        Args:
            version: the lowest that has all sections of the bundle.
        """
        return self.write(
            HEADER, {"about": ABOUT, "event": event_id, "format": FORMAT, "roster": roster, "version": version}
        )

    def write_manifest(self, event_head: str) -> bytes:
        """Return the last line."""
        sections = {
            name: {"lines": count, "sha256": self._hashes[name].hexdigest()} for name, count in self._counts.items()
        }
        return self.write(MANIFEST, {"event_head": event_head, "sections": sections})

    @property
    def digest(self) -> str:
        """The SHA-256 of everything written so far."""
        return self._whole.hexdigest()
