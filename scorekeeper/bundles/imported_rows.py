"""Inserts the rows of an event from the lines of its bundle, and folds again what follows from the log.

A line is checked as a form would be, by the validators of its model, before its row is inserted. Nothing is updated or
replaced: where an id exists already, the database refuses it.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import ForeignKey, ManyToManyField, Model
from django.utils.translation import gettext as _

from games.core.bundle.checks import get_odds_shown
from games.core.bundle.reading import Bundle, Finding, Row
from scorekeeper.agreements.models import Agreement
from scorekeeper.bikes.models import Bike
from scorekeeper.bundles.section_registry import UPPER_SECTIONS
from scorekeeper.check_in.models import BikeCheck, CheckItem
from scorekeeper.common.pictures import check_picture
from scorekeeper.crew.models import CrewMember, DiceSet, Group
from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.ledger.models import (
    Chain,
    CutWitness,
    Entry,
    Operation,
    OperationReason,
    ReviewItem,
    StaleCard,
    UncheckedPeople,
)
from scorekeeper.ledger.services.operation_context import IDENTITY_VERSION
from scorekeeper.players.models import Player
from scorekeeper.prizes.models import Prize, PrizeLogo
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.models import Scorecard, Seat
from scorekeeper.standings.models import FrozenStandings, Revision
from scorekeeper.stops.models import Slot, Stop

BATCH_SIZE = 500  # rows in one statement
M = TypeVar("M", bound=Model)


class UnfitLine(Exception):
    """A line has a value that cannot be stored. `finding` says which."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding


def insert_event(bundle: Bundle, address: str | None) -> Event:
    """Insert everything in a bundle, and mark the standings of all contests as stale."""
    (event,) = _insert(bundle, "event", lambda data: _read_event(data, address, _find_log_version(bundle)))
    _insert_setup(bundle, event)
    for section in UPPER_SECTIONS:
        _insert(bundle, section.name, partial(section.read, event))
    _insert_log(bundle, event)
    for contest in event.contests.all():
        get_kind(contest.game).insert_projections(get_contest_rules(contest.pk))
    _insert_bike_checks(event)
    _insert_agreements(event)
    StaleCard.objects.bulk_create(StaleCard(contest=contest) for contest in event.contests.all())
    return event


def _insert(
    bundle: Bundle, section: str, read: Callable[[Mapping[str, Any]], M], *, is_checked: bool = True
) -> list[M]:
    """Insert the rows of a section; return them.

    Args:
        is_checked: whether the validators of the model's fields are run. Rows of the log are compared with it instead.
    """
    models = [_read_line(section, row, read, is_checked=is_checked) for row in bundle.rows[section]]
    if models:
        type(models[0])._default_manager.bulk_create(models, batch_size=BATCH_SIZE)  # noqa: SLF001 - Django's API
    return models


def _read_line(section: str, row: Row, read: Callable[[Mapping[str, Any]], M], *, is_checked: bool) -> M:
    try:
        model = read(row.data)
        if is_checked:
            _check_model(model)
    except (ValueError, TypeError, KeyError, InvalidOperation, binascii.Error) as error:
        raise UnfitLine(Finding(row.line, f"section {section}", f"it cannot be stored ({error})")) from error
    except ValidationError as error:
        raise UnfitLine(Finding(row.line, f"section {section}", "; ".join(error.messages))) from error
    return model


def _check_model(model: Model) -> None:
    """Run the validators of a model's fields, as a form does. Foreign keys are checked by the database."""
    links = [field.name for field in model._meta.get_fields() if isinstance(field, ForeignKey | ManyToManyField)]  # noqa: SLF001
    model.clean_fields(exclude=[*links, "id"])
    if isinstance(model, Contest):
        model.clean()


def _time(text: str | None) -> dt.datetime | None:
    return None if text is None else dt.datetime.fromisoformat(text)


def _clock(text: str | None) -> dt.time | None:
    return None if text is None else dt.time.fromisoformat(text)


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _ids(data: Mapping[str, Any], **columns: str) -> dict[str, Any]:
    """Return ids by column, from the fields that have them."""
    return {column: None if data[name] is None else UUID(data[name]) for column, name in columns.items()}


def _pick(data: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return fields that are stored as they are."""
    return {name: data[name] for name in names}


def _find_log_version(bundle: Bundle) -> int:
    """Return the version of the log that the event began with: the first entry of a chain says what the event is."""
    firsts = [json.loads(row["body"]) for _line, row in bundle.rows["entries"] if row["seq"] == 1]
    return IDENTITY_VERSION if not firsts or any("event" in body for body in firsts) else IDENTITY_VERSION - 1


def _read_event(data: Mapping[str, Any], address: str | None, log_version: int) -> Event:
    return Event(
        id=UUID(data["id"]),
        slug=address or data["slug"],
        date=dt.date.fromisoformat(data["date"]),
        archived_at=_time(data["archived_at"]),
        log_version=log_version,
        **_pick(data, "name", "time_zone", "state", "is_listed", "people_shown", "is_practice"),
    )


def _insert_setup(bundle: Bundle, event: Event) -> None:
    """Insert what was set up before the ride, and who rides."""
    _insert(
        bundle,
        "stops",
        lambda data: Stop(
            event=event,
            opens_at=_clock(data["opens_at"]),
            closes_at=_clock(data["closes_at"]),
            latitude=_decimal(data["latitude"]),
            longitude=_decimal(data["longitude"]),
            **_ids(data, id="id"),
            **_pick(data, "name", "ordinal", "address", "crew_note"),
        ),
    )
    _insert(bundle, "groups", lambda data: Group(event=event, **_ids(data, id="id"), **_pick(data, "name", "ordinal")))
    _insert(
        bundle,
        "dice_sets",
        lambda data: DiceSet(**_ids(data, id="id", group_id="group"), **_pick(data, "name", "ordinal")),
    )
    _insert_crew(bundle)
    odds_shown = get_odds_shown(bundle)
    _insert(
        bundle,
        "contests",
        lambda data: Contest(
            event=event,
            odds_shown=odds_shown.get(data["id"], Contest.OddsShown.OFF),
            game_key=data["game"],
            frozen_at=_time(data["frozen_at"]),
            **_ids(data, id="id"),
            **_pick(data, "name", "slug", "ordinal", "rules_version", "options", "seats_are", "prizes"),
            **_pick(data, "groups_by", "group_best", "status", "asks_agreement"),
        ),
    )
    _insert(
        bundle,
        "slots",
        lambda data: Slot(**_ids(data, id="id", contest_id="contest", stop_id="stop"), **_pick(data, "ordinal")),
    )
    _insert(
        bundle,
        "bikes",
        lambda data: Bike(
            event=event,
            **_ids(data, id="id", group_id="group", merged_into_id="merged_into"),
            **_pick(data, "number", "suffix", "make", "model", "is_walk_up", "did_not_start"),
        ),
    )
    # Where the event shows no names, people have none in a public bundle.
    _insert(
        bundle,
        "players",
        lambda data: Player(event=event, **_ids(data, id="id", bike_id="bike"), **_pick(data, "name", "role")),
        is_checked=bundle.header["roster"] == "full",
    )
    _insert(
        bundle,
        "check_items",
        lambda data: CheckItem(event=event, **_ids(data, id="id"), **_pick(data, "name", "ordinal")),
    )
    _insert(bundle, "logos", lambda data: _read_logo(bundle, event, data))
    _insert(
        bundle,
        "prizes",
        lambda data: Prize(
            event=event,
            **_ids(data, id="id", contest_id="contest", logo_id="logo", stop_id="stop"),
            **_pick(data, "position", "name", "sponsor", "rule", "place", "best_of"),
        ),
    )


def _insert_crew(bundle: Bundle) -> None:
    members = _insert(
        bundle,
        "crew",
        lambda data: CrewMember(**_ids(data, id="id", group_id="group"), **_pick(data, "name", "role")),
    )
    for member, data in zip(members, bundle.get("crew"), strict=True):
        member.any_bike_at.set(Stop.objects.filter(pk__in=data["any_bike_at"]))


def _read_logo(bundle: Bundle, event: Event, data: Mapping[str, Any]) -> PrizeLogo:
    """Return a picture with the same bytes: the hash of the bundle covers them.

    Raises:
        ValidationError: a form would refuse it.
    """
    content = base64.b64decode(data["content"], validate=True)
    try:
        check_picture(content, data["media_type"])
    except ValidationError as error:
        text = _("%(picture)s cannot be used. %(why)s")
        params = {"picture": _name_logo(bundle, data["id"]), "why": error.messages[0]}
        raise ValidationError(text % params) from None
    return PrizeLogo(event=event, id=UUID(data["id"]), media_type=data["media_type"], content=content)


def _name_logo(bundle: Bundle, logo_id: str) -> str:
    """Return what a logo is for, as people know it."""
    for prize in bundle.get("prizes"):
        if prize["logo"] == logo_id:
            name = prize["sponsor"] or prize["name"]
            return _("The logo of “%(name)s”") % {"name": name} if name else _("The logo of a prize")
    return _("The logo of the certificates")


def _insert_log(bundle: Bundle, event: Event) -> None:
    """Insert the log, and the rows that are compared with it."""
    _insert(
        bundle,
        "chains",
        lambda data: Chain(
            event=event, **_ids(data, id="id"), **_pick(data, "kind", "length", "head", "is_sealed", "is_alias")
        ),
        is_checked=False,
    )
    _insert(
        bundle,
        "cards",
        lambda data: Scorecard(**_ids(data, id="id", chain_id="id", contest_id="contest")),
        is_checked=False,
    )
    Seat.objects.bulk_create(_list_seats(bundle), batch_size=BATCH_SIZE)
    _insert(
        bundle,
        "operations",
        lambda data: Operation(
            event=event,
            received_at=dt.datetime.fromisoformat(data["received_at"]),
            **_ids(data, id="id", actor_id="actor", device_id="device"),
            **_pick(data, "kind", "digest", "body", "outcome", "receipt"),
        ),
        is_checked=False,
    )
    # In the order of the file, which is the order in which they were written.
    _insert(bundle, "entries", _read_entry, is_checked=False)
    _insert(
        bundle,
        "reasons",
        lambda data: OperationReason(**_ids(data, operation_id="id"), **_pick(data, "salt", "text")),
    )
    _insert(
        bundle,
        "witnesses",
        lambda data: CutWitness(**_ids(data, operation_id="id"), **_pick(data, "salt", "name")),
    )
    _insert(
        bundle,
        "unchecked_people",
        lambda data: UncheckedPeople(
            **_ids(data, operation_id="id", bike_id="bike"), **_pick(data, "rider", "passenger", "is_left_out")
        ),
    )
    _insert(bundle, "review_items", _read_review_item, is_checked=False)
    _insert_revisions(bundle)
    _insert_freeze(bundle, event)


def _list_seats(bundle: Bundle) -> Iterator[Seat]:
    for card in bundle.get("cards"):
        for seat in card["seats"]:
            yield Seat(
                card_id=UUID(card["id"]),
                contest_id=UUID(card["contest"]),
                **_ids(seat, id="id", bike_id="bike", player_id="player"),
                **_pick(seat, "index", "is_only"),
            )


def _read_entry(data: Mapping[str, Any]) -> Entry:
    body = json.loads(data["body"])
    return Entry(
        kind=body["kind"],
        slot_id=None if body["slot"] is None else UUID(body["slot"]),
        at=dt.datetime.fromisoformat(body["at"]),
        **_ids(data, chain_id="chain", operation_id="operation"),
        **_pick(data, "seq", "body", "hash"),
    )


def _read_review_item(data: Mapping[str, Any]) -> ReviewItem:
    return ReviewItem(
        opened_at=dt.datetime.fromisoformat(data["opened_at"]),
        settled_at=_time(data["settled_at"]),
        **_ids(data, id="id", operation_id="operation", contest_id="contest", card_id="card", slot_id="slot"),
        **_ids(data, settled_by_id="settled_by"),
        **_pick(data, "reason", "against", "problems", "decision"),
    )


def _insert_revisions(bundle: Bundle) -> None:
    parts: dict[str, dict[str, list[Any]]] = {}
    for section, part, name in (("revision_rows", "rows", "row"), ("revision_cards", "cards", "card")):
        for data in bundle.get(section):
            parts.setdefault(data["revision"], {}).setdefault(part, []).append(data[name])
    _insert(
        bundle,
        "revisions",
        lambda data: Revision(
            published_at=dt.datetime.fromisoformat(data["published_at"]),
            published_by=UUID(data["published_by"]),
            standings={**data["standings"], "rows": [], "cards": [], **parts.get(data["id"], {})},
            **_ids(data, id="id", contest_id="contest", operation_id="operation"),
            **_pick(data, "number", "event_head", "chains", "log_length", "awards"),
        ),
        is_checked=False,
    )


def _insert_freeze(bundle: Bundle, event: Event) -> None:
    _insert(
        bundle,
        "freeze",
        lambda data: Freeze(event=event, at=_time(data["at"]), **_pick(data, "step", "version")),
        is_checked=False,
    )
    _insert(
        bundle,
        "frozen_standings",
        lambda data: FrozenStandings(
            **_ids(data, contest_id="contest"),
            **_pick(data, "board", "cards", "result_board", "result_cards", "position", "revealed_from"),
        ),
        is_checked=False,
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
