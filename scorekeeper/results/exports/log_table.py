"""The log of a contest as a table. For organisers only: it has full names, reasons, and the witnesses of cuts."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import CutWitness, Entry, OperationReason
from scorekeeper.results.exports.export_tables import CellValue, ExportTable
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS
from scorekeeper.scorecards.models import Seat

BATCH_SIZE = 500  # entries read at a time


def make_log_table(contest: Contest) -> ExportTable:
    """Return the log: the chains of the contest, its cards and the event, in the order of writing."""
    headings = {
        "at": _("Time"),
        "chain": _("Chain"),
        "seq": _("Number"),
        "kind": _("Kind"),
        "by": _("By"),
        "stop": _("Stop"),
        "turn": _("Turn"),
        "actions": _("Actions"),
        "data": _("Details"),
        "reason": _("Reason"),
        "witness": _("Witness"),
        "operation": _("Operation"),
        "hash": _("Hash"),
    }
    return ExportTable(_("Log"), headings, _list_log_rows(contest))


def _list_log_rows(contest: Contest) -> Iterator[list[CellValue]]:
    chains = Q(chain__card__contest=contest) | Q(chain_id=contest.pk) | Q(chain_id=contest.event_id)
    entries = Entry.objects.filter(chains).order_by("at", "chain_id", "seq").select_related("slot__stop")
    names = {contest.pk: _("Contest"), contest.event_id: _("Event"), **_name_cards(contest)}
    reasons = dict(OperationReason.objects.filter(operation__event_id=contest.event_id).values_list("pk", "text"))
    witnesses = dict(CutWitness.objects.filter(operation__event_id=contest.event_id).values_list("pk", "name"))
    actors = list_actor_names(contest.event, set(_list_actors(contest)))
    for entry in entries.iterator(chunk_size=BATCH_SIZE):
        by, actions, details = _parse_entry(entry, actors)
        yield [
            entry.at.astimezone(dt.UTC).isoformat(timespec="microseconds"),
            names.get(entry.chain_id, _("Withdrawn scorecard")),
            entry.seq,
            entry.kind,
            by,
            None if entry.slot is None else entry.slot.stop.name,
            None if entry.slot is None else entry.slot.ordinal,
            actions,
            details,
            reasons.get(entry.operation_id, ""),
            witnesses.get(entry.operation_id, ""),
            str(entry.operation_id),
            entry.hash,
        ]


def _name_cards(contest: Contest) -> Mapping[UUID, str]:
    """Return a name for each card, made of the holders of its seats. A withdrawn card has none."""
    seats = Seat.objects.filter(contest=contest).order_by("card_id", "index").select_related("bike", "player")
    seated: dict[UUID, list[str]] = {}
    for seat in seats:
        name = str(seat.player) if seat.bike is None else _("Bike %(number)s") % {"number": seat.bike}
        seated.setdefault(seat.card_id, []).append(name)
    return {card: ", ".join(names) for card, names in seated.items()}


def _parse_entry(entry: Entry, actors: Mapping[UUID, str]) -> tuple[str, str, str]:
    """Return the actor, the actions and the details of an entry; for a damaged one only its raw body as details."""
    try:
        body = json.loads(entry.body)
        return actors.get(UUID(body["actor"]), ""), _compact_json(body["actions"]), _compact_json(body["data"])
    except ENTRY_READ_ERRORS:
        return "", "", entry.body


def _list_actors(contest: Contest) -> Iterable[UUID]:
    return contest.event.operations.values_list("actor_id", flat=True).distinct()


def _compact_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""
