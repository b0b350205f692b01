"""The lines of a bundle, read from the database.

- Lines are in an order that any installation can repeat: by ids, or in the order of the log. Nothing says when or where
  a bundle was made. So the same event gives the same bytes.
- The sections and their fields are those of `games.core.bundle.layout`; `scorekeeper.event_rows` says which columns
  they have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from games.core.bundle.layout import NEW_SECTIONS, PRIVATE_SECTIONS, SECTIONS, BundleWriter
from scorekeeper.bundles.roster_names import Roster, RosterNames
from scorekeeper.event_rows import EVENT_ROWS, ROWS, Rows
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_freeze
from scorekeeper.line_codec import Data, LineCodec
from scorekeeper.players.models import Player
from scorekeeper.prizes.models import Prize
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.log_head import compute_event_head, list_chain_heads

BATCH_SIZE = 500  # rows read at a time
PARTS = ("rows", "cards")  # of the standings of a revision
# Sections that say the same as long as the log has the same head and no operation is added; the longest ones.
FROM_LOG = {
    *("chains", "cards", "operations", "entries", "revisions", "revision_rows", "revision_cards"),
    *("frozen_standings", "standings"),
}


class StandingsWithheld(Exception):
    """The event's standings are frozen, so there is no bundle for the public: its log says who leads."""


def write_lines(writer: BundleWriter, event: Event, roster: Roster, slug: str | None = None) -> Iterator[bytes]:
    """Write the whole bundle of an event, line by line. The standings have to be refreshed.

    Args:
        slug: another address to write; None for the event's.

    Raises:
        StandingsWithheld: the standings are frozen, and the roster is public.
    """
    is_frozen = get_freeze(event) is not None
    if is_frozen and roster == "public":
        raise StandingsWithheld
    names = _get_names(event, roster)
    new = _list_new_sections(event, names)
    version = max((NEW_SECTIONS.get(name, 1) for name, lines in new.items() if lines), default=1)
    yield writer.write_header(str(event.pk), roster, version)
    for section, lines in _list_sections(event, names, slug or event.slug, new).items():
        if names.is_full or section not in PRIVATE_SECTIONS:
            for data in lines:
                yield writer.write(section, data)
    yield writer.write_manifest(compute_event_head(list_chain_heads(event.pk, {})))


def list_setup_lines(event: Event, roster: Roster) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Return the lines of a bundle that do not follow from the log, each with its section."""
    names = _get_names(event, roster)
    for section, lines in _list_sections(event, names, event.slug, _list_new_sections(event, names)).items():
        if section not in FROM_LOG:
            yield from ((section, data) for data in lines)


def _list_new_sections(event: Event, names: RosterNames) -> dict[str, list[Data]]:
    """Return the lines of the sections that decide which version the bundle needs. They are few."""
    found = {rows.section: list(_write_rows(rows, event, names)) for rows in EVENT_ROWS if rows.section in NEW_SECTIONS}
    for rows in EVENT_ROWS:
        for section, columns in rows.list_bundled_apart().items():
            # The others have no line, as in older bundles.
            codec, changed = LineCodec(columns), rows.query_apart(event, columns)
            found[section] = [{"id": str(row.pk), **codec.write(row, names.redaction)} for row in changed]
    return found


def _get_names(event: Event, roster: Roster) -> RosterNames:
    shows_groups = (
        event.contests.exclude(groups_by=Contest.GroupsBy.NOT_COMPARED).exists()
        or event.prizes.filter(rule=Prize.Rule.BEST_GROUP).exists()
    )
    return RosterNames(event, roster, shows_groups)


def _list_sections(
    event: Event, names: RosterNames, slug: str, new: Mapping[str, Iterable[Data]]
) -> Mapping[str, Iterable[Data]]:
    """Return the lines of each section, in the order of the file; each is read when it is written."""
    declared = {rows.section: _write_rows(rows, event, names) for rows in EVENT_ROWS if rows.section in SECTIONS}
    lines: dict[str, Iterable[Data]] = {
        **declared,
        **new,
        "event": ({**data, "slug": slug} for data in declared["event"]),
        "revision_rows": _list_revision_parts(event, "rows", "row"),
        "revision_cards": _list_revision_parts(event, "cards", "card"),
        "standings": _list_standings(event),
    }
    return {section: lines[section] for section in SECTIONS if section in lines}


def _write_rows(rows: Rows, event: Event, names: RosterNames) -> Iterator[Data]:
    """Return the lines of a model's rows."""
    codec = LineCodec(rows.list_bundled())
    found = _select_rows(rows, event, names).only(*codec.field_names)
    nested = _list_seats(event, names) if rows.section == "cards" else {}
    for row in found.order_by(*rows.order).iterator(chunk_size=BATCH_SIZE):
        data = codec.write(row, names.redaction)
        match rows.section:
            case "crew":
                data["any_bike_at"] = sorted(str(stop.pk) for stop in row.any_bike_at.all())
            case "cards":
                data["seats"] = nested.get(row.pk, [])
            case "revisions":  # its rows and cards have lines of their own
                data["standings"] = {name: value for name, value in data["standings"].items() if name not in PARTS}
        yield data


def _select_rows(rows: Rows, event: Event, names: RosterNames) -> QuerySet[Any]:
    """Return the rows that have a line with this roster."""
    found = rows.query(event)
    match rows.section:
        case "crew":
            return found.prefetch_related("any_bike_at")
        case "players" if not names.is_full:  # the public sees those who have a bike or a seat
            return found.exclude(bike=None, seats=None).distinct()
        case "class_members" if not names.is_full:  # those of the same people
            unlisted = Player.objects.filter(event=event, bike=None, seats=None)
            return found.exclude(player__in=unlisted)
        case "witnesses" if not names.shows_full_names:
            return found.none()
        case "freeze":
            return found.filter(at__isnull=False)
    return found


def _list_seats(event: Event, names: RosterNames) -> dict[UUID, list[Data]]:
    """Return the seats of each scorecard, in its line."""
    rows, seats = ROWS["scorecards.Seat"], dict[UUID, list[Data]]()
    codec = LineCodec(rows.list_bundled())
    for seat in rows.query(event).order_by(*rows.order).iterator():
        seats.setdefault(seat.card_id, []).append(codec.write(seat, names.redaction))
    return seats


def _list_revision_parts(event: Event, part: str, name: str) -> Iterator[Data]:
    revisions = Revision.objects.filter(contest__event=event).order_by("contest_id", "number")
    for revision in revisions.iterator(chunk_size=1):
        for index, value in enumerate(revision.standings[part]):
            yield {"index": index, "revision": str(revision.pk), name: value}


def _list_standings(event: Event) -> Iterator[Data]:
    """Return the current standings by the log, whether or not they are published."""
    for contest in event.contests.order_by("pk"):
        for index, row in enumerate(get_live_leaderboard(contest).rows):
            yield {"contest": str(contest.pk), "index": index, "row": row.to_data()}
