"""Checks of bikes against the log: which were registered at the ride, withdrawn or merged, and which did not start.

The log has the number of a bike that was registered or renumbered at the ride, and the number of a bike in the first
entry of its card. Closing a contest lists every bike of the event with its number. While a contest is closed, only an
operation adds, removes or renumbers a bike, so every bike is compared. While all contests are open, organisers still
edit the roster, and bikes without a card are not compared. Nor are they in logs of older versions.

The log has every further sheet of a bike: when it was sold or withdrawn, and which number it got by a merge.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.core.verification.event_log import EventLog
from games.core.verification.source import MISSING, Fault, Source, compare


def check_bikes(source: Source, log: EventLog) -> Iterator[Fault]:
    """Compare every bike of the event with the log, and report missing bikes."""
    merged, roster = log.list_merged(), log.roster
    known = log.registered | merged.keys() | (roster or {}).keys()
    marked = {bike for bike, value in log.did_not_start.items() if value}
    missing = (known | marked) - log.withdrawn
    for row in source.rows("bikes"):
        bike, number = row.data["id"], (row.data["number"], row.data["suffix"])
        missing.discard(bike)
        numbers = log.list_numbers(bike)
        pairs: dict[str, tuple[object, object]] = {
            "merged_into": (row.data["merged_into"], merged.get(bike)),
            "is_walk_up": (row.data["is_walk_up"], bike in log.registered),
            "did_not_start": (row.data["did_not_start"], bike in marked),
            "number or suffix": (not numbers or number in numbers, True),
            "is withdrawn": (False, bike in log.withdrawn),
        }
        yield from compare("bikes", row, pairs)
        if roster is not None and bike not in known:
            text = "it was added after a contest was closed, and the log does not say by whom"
            yield Fault("bikes", row.data, text, line=row.line)
    for bike in sorted(missing):
        yield Fault("bikes", {"id": bike}, MISSING)


def check_sheets(source: Source, log: EventLog) -> Iterator[Fault]:
    """Compare every further sheet with the log, and report missing ones, and those that no contest can have sold.

    The second is for a log that somebody has written anew: a sheet without a turn has nothing else to contradict.
    """
    missing, selling, taken = set(log.sheets), {row.data["id"] for row in source.rows("sheet_rules")}, set()
    for row in source.rows("sheets"):
        missing.discard(row.data["id"])
        logged = log.sheets.get(row.data["id"], (None, None, None))
        pairs: dict[str, tuple[object, object]] = {
            name: (row.data[name], value) for name, value in zip(("bike", "contest", "number"), logged, strict=True)
        }
        yield from compare("sheets", row, pairs)
        place = row.data["bike"], row.data["contest"], row.data["number"]
        if row.data["contest"] not in selling:
            yield Fault("sheets", row.data, "its contest has one scorecard per bike", line=row.line)
        if row.data["number"] < 2 or place in taken:
            yield Fault("sheets", row.data, "another sheet of the bike has this number", line=row.line)
        taken.add(place)
    for sheet in sorted(missing):
        yield Fault("sheets", {"id": sheet}, MISSING)
