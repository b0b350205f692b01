"""Inserts the rows of an event from the lines of its bundle, and folds again what follows from the log.

A line is checked as a form would be, by the validators of its model, before its row is inserted. Nothing is updated or
replaced: where an id exists already, the database refuses it.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import json
from collections.abc import Callable, Mapping
from decimal import InvalidOperation
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import ForeignKey, ManyToManyField, Model
from django.utils.translation import gettext as _

from games.core.bundle.layout import SECTIONS
from games.core.bundle.reading import Bundle, Finding
from games.core.verification.source import Row
from scorekeeper.agreements.models import Agreement
from scorekeeper.check_in.models import BikeCheck
from scorekeeper.common.pictures import MAX_WIDE_BYTES, check_picture
from scorekeeper.crew.models import CrewMember
from scorekeeper.event_page.track import load_track
from scorekeeper.event_rows import EVENT_ROWS, ROWS, Rows
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Entry, StaleCard
from scorekeeper.ledger.services.operation_context import IDENTITY_VERSION
from scorekeeper.line_codec import LineCodec
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.models import Seat

BATCH_SIZE = 500  # rows in one statement
NO_PARTS: Mapping[str, Any] = {"rows": [], "cards": []}  # of the standings of a revision
ROWS_OF_SECTION = {rows.section: rows for rows in EVENT_ROWS if rows.section}
Data = Mapping[str, Any]


class UnfitLine(Exception):
    """A line has a value that cannot be stored. `finding` says which."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding


def insert_event(bundle: Bundle, address: str | None) -> Event:
    """Insert everything in a bundle, and mark the standings of all contests as stale."""
    event_id = UUID(bundle.event["id"])
    for section in SECTIONS:  # entries in the order of the file, which is the order in which they were written
        if section in ROWS_OF_SECTION:
            _insert(bundle, ROWS_OF_SECTION[section], event_id, address)
    event = Event.objects.get(pk=event_id)
    _insert_seats(bundle)
    _insert_any_bike_stops(bundle)
    for contest in event.contests.all():
        get_kind(contest.game).insert_projections(get_contest_rules(contest.pk))
    _insert_bike_checks(event)
    _insert_agreements(event)
    StaleCard.objects.bulk_create(StaleCard(contest=contest) for contest in event.contests.all())
    return event


def _insert(bundle: Bundle, rows: Rows, event_id: UUID, address: str | None) -> None:
    """Insert the rows of a section."""
    codec, complete = LineCodec(rows.list_bundled()), _get_completion(bundle, rows, address)
    # Where the event shows no names, people have none in a public bundle.
    is_checked = rows.is_checked and (rows.section != "players" or bundle.header["roster"] == "full")
    owner = {"event_id": event_id} if rows.event == "event" else {}
    models = [
        _read_line(rows, line, lambda data: {**codec.read(data), **owner, **complete(data)}, is_checked=is_checked)
        for line in bundle.rows[rows.section]
    ]
    rows.model._default_manager.bulk_create(models, batch_size=BATCH_SIZE)  # noqa: SLF001 - Django's API


def _read_line(rows: Rows, line: Row, read: Callable[[Data], dict[str, Any]], *, is_checked: bool) -> Model:
    where = f"section {rows.section}"
    try:
        model = rows.model(**read(line.data))
        if is_checked:
            _check_model(model)
    except (ValueError, TypeError, KeyError, InvalidOperation, binascii.Error) as error:
        raise UnfitLine(Finding(line.line, where, f"it cannot be stored ({error})")) from error
    except ValidationError as error:
        raise UnfitLine(Finding(line.line, where, "; ".join(error.messages))) from error
    return model


def _check_model(model: Model) -> None:
    """Run the validators of a model, as a form does. Foreign keys are checked by the database."""
    links = [field.name for field in model._meta.get_fields() if isinstance(field, ForeignKey | ManyToManyField)]  # noqa: SLF001
    model.clean_fields(exclude=[*links, "id"])
    model.clean()


def _get_completion(bundle: Bundle, rows: Rows, address: str | None) -> Callable[[Data], dict[str, Any]]:
    """Return what finds the values of a row that are not in its line as they are stored."""
    match rows.section:
        case "event":
            log_version = _find_log_version(bundle)
            return lambda data: {"slug": address or data["slug"], "log_version": log_version}
        case "logos":
            return lambda data: _check_logo(bundle, data)
        case "posters":
            return _check_poster
        case "route_track":
            return _check_track
        case "cards":
            return lambda data: {"chain_id": UUID(data["id"])}
        case "sheets":
            bikes = {data["id"]: data for data in bundle.get("bikes")}
            return lambda data: _copy_bike(bikes[data["bike"]])
        case "entries":
            return _read_body
        case "revisions":
            parts = _list_revision_parts(bundle)
            return lambda data: {"standings": {**data["standings"], **NO_PARTS, **parts.get(data["id"], {})}}
    apart = _list_values_apart(bundle, rows)
    return lambda data: apart.get(data.get("id", ""), {})


def _list_values_apart(bundle: Bundle, rows: Rows) -> dict[str, dict[str, Any]]:
    """Return the values that have lines of their own, by the id of their row."""
    values: dict[str, dict[str, Any]] = {}
    for section, columns in rows.list_bundled_apart().items():
        codec = LineCodec(columns)
        for data in bundle.get(section):
            values.setdefault(data["id"], {}).update(codec.read(data))
    return values


def _copy_bike(data: Data) -> dict[str, Any]:
    """Return what a further sheet has in common with its bike."""
    group = None if data["group"] is None else UUID(data["group"])
    return {**{name: data[name] for name in ("number", "suffix", "did_not_start")}, "group_id": group}


def _find_log_version(bundle: Bundle) -> int:
    """Return the version of the log that the event began with: the first entry of a chain says what the event is."""
    firsts = [json.loads(row["body"]) for _line, row in bundle.rows["entries"] if row["seq"] == 1]
    return IDENTITY_VERSION if not firsts or any("event" in body for body in firsts) else IDENTITY_VERSION - 1


def _check_logo(bundle: Bundle, data: Data) -> dict[str, Any]:
    """Check a picture. Its bytes are kept: the hash of the bundle covers them.

    Raises:
        ValidationError: a form would refuse it.
    """
    try:
        check_picture(base64.b64decode(data["content"], validate=True), data["media_type"])
    except ValidationError as error:
        text = _("%(picture)s cannot be used. %(why)s")
        params = {"picture": _name_logo(bundle, data["id"]), "why": error.messages[0]}
        raise ValidationError(text % params) from None
    return {}


def _check_poster(data: Data) -> dict[str, Any]:
    """Check a poster, as a logo.

    Raises:
        ValidationError: a form would refuse it, or it is larger than its line says.
    """
    try:
        content = base64.b64decode(data["content"], validate=True)
        size = check_picture(content, data["media_type"], MAX_WIDE_BYTES)
    except ValidationError as error:
        raise ValidationError(_("The poster cannot be used. %(why)s") % {"why": error.messages[0]}) from None
    if size != (data["width"], data["height"]):
        raise ValidationError(_("The poster cannot be used. Its line says another size."))
    return {}


def _check_track(data: Data) -> dict[str, Any]:
    """Check that the points of a route are on Earth.

    Raises:
        ValueError: they are not.
    """
    load_track(data["points"], data["length"])
    return {}


def _name_logo(bundle: Bundle, logo_id: str) -> str:
    """Return what a logo is for, as people know it."""
    for prize in bundle.get("prizes"):
        if prize["logo"] == logo_id:
            name = prize["sponsor"] or prize["name"]
            return _("The logo of “%(name)s”") % {"name": name} if name else _("The logo of a prize")
    for sponsor in bundle.get("page_sponsors"):
        if sponsor["logo"] == logo_id:
            return _("The logo of “%(name)s”") % {"name": sponsor["name"]}
    return _("The logo of the certificates")


def _read_body(data: Data) -> dict[str, Any]:
    """Return what the text of an entry says that has columns of its own."""
    body = json.loads(data["body"])
    slot = None if body["slot"] is None else UUID(body["slot"])
    return {"kind": body["kind"], "slot_id": slot, "at": dt.datetime.fromisoformat(body["at"])}


def _list_revision_parts(bundle: Bundle) -> dict[str, dict[str, list[Any]]]:
    """Return the rows and cards of each revision."""
    parts: dict[str, dict[str, list[Any]]] = {}
    for section, part, name in (("revision_rows", "rows", "row"), ("revision_cards", "cards", "card")):
        for data in bundle.get(section):
            parts.setdefault(data["revision"], {}).setdefault(part, []).append(data[name])
    return parts


def _insert_seats(bundle: Bundle) -> None:
    codec = LineCodec(ROWS["scorecards.Seat"].list_bundled())
    Seat.objects.bulk_create(
        (
            Seat(card_id=UUID(card["id"]), contest_id=UUID(card["contest"]), **codec.read(seat))
            for card in bundle.get("cards")
            for seat in card["seats"]
        ),
        batch_size=BATCH_SIZE,
    )


def _insert_any_bike_stops(bundle: Bundle) -> None:
    """Insert at which stops members record for the bikes of every group."""
    through = CrewMember.any_bike_at.through
    through.objects.bulk_create(
        through(crewmember_id=UUID(data["id"]), stop_id=UUID(stop))
        for data in bundle.get("crew")
        for stop in data["any_bike_at"]
    )


def _insert_bike_checks(event: Event) -> None:
    """Insert what is ticked on the check-in list, from the event's chain."""
    ticked: dict[tuple[str, str], int] = {}
    for entry in Entry.objects.filter(chain_id=event.pk, kind="check").order_by("seq"):
        data = json.loads(entry.body)["data"]
        ticked.pop((data["item"], data["bike"]), None)
        if data["checked"]:
            ticked[data["item"], data["bike"]] = entry.seq
    BikeCheck.objects.bulk_create(
        BikeCheck(item_id=UUID(item), bike_id=UUID(bike), seq=seq) for (item, bike), seq in ticked.items()
    )


def _insert_agreements(event: Event) -> None:
    """Insert what riders agreed to, from the event's chain."""
    agreed: dict[tuple[str, str, str], Agreement] = {}
    for entry in Entry.objects.filter(chain_id=event.pk, kind="agree").order_by("seq"):
        data = json.loads(entry.body)["data"]
        seen = data["contest"], data["bike"], data["digest"]
        agreed.pop(seen, None)
        if data["agreed"]:
            contest_id, bike_id = UUID(data["contest"]), UUID(data["bike"])
            about = {"contest_id": contest_id, "bike_id": bike_id, "digest": data["digest"]}
            agreed[seen] = Agreement(**about, by=data["by"], at=entry.at, seq=entry.seq)
    Agreement.objects.bulk_create(agreed.values())
