"""What the log says of a person: entries that applied and operations that did not, without what they say of others.

Who recorded something is another person, so only their role is said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scorekeeper.crew.models import CrewMember
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Chain, Entry, Operation, OperationReason
from scorekeeper.personal_data.person_record import PersonSection, RecordKind, Row
from scorekeeper.personal_data.redaction import redact_others
from scorekeeper.personal_data.rider_sections import Holdings
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS
from scorekeeper.scorecards.models import Seat

BATCH_SIZE = 500
CHAINS = {
    Chain.Kind.CONTEST: gettext_lazy("Contest"),
    Chain.Kind.EVENT: gettext_lazy("Event"),
    Chain.Kind.REVIEW: pgettext_lazy("the log of an event’s reviews", "Review"),
}


def list_log_sections(own: Holdings) -> Iterator[PersonSection]:
    """Return the sections of the log; they are empty for someone who neither rides nor plays."""
    roles = _read_roles(own)
    yield _list_entries(own, roles)
    yield _list_unapplied(own, roles)
    yield _list_cuts(own)


def _read_roles(own: Holdings) -> Mapping[UUID, str]:
    """Return what people are, by their id in the log."""
    event = own.subject.event
    crew = CrewMember.objects.filter(group__event=event)
    roles = {member.pk: str(member.get_role_display()) for member in crew}
    organisers = [*event.organisers.values_list("pk", flat=True), *event.former_organisers.values_list("pk", flat=True)]
    roles |= dict.fromkeys(organisers, _("Organiser"))
    mine = own.subject.list_ids(RecordKind.CREW, RecordKind.ORGANISER, RecordKind.FORMER_ORGANISER)
    return roles | dict.fromkeys(mine, _("This person"))


def _select_entries(own: Holdings) -> QuerySet[Entry]:
    """Return the entries of the person's scorecards, and those of other chains that name a bike or player of theirs."""
    cards = [seat.card_id for seat in own.seats]
    named = Q()
    for entrant in own.entrants:
        named |= Q(body__contains=str(entrant))
    others = Q(chain__event=own.subject.event) & ~Q(chain__kind=Chain.Kind.CARD) & named
    found = Q(chain_id__in=cards) | others if own.entrants else Q(chain_id__in=cards)
    entries = Entry.objects.filter(found).select_related("chain__card__contest", "slot__stop")
    return entries.order_by("at", "chain_id", "seq")


def _list_entries(own: Holdings, roles: Mapping[UUID, str]) -> PersonSection:
    headings = {
        "at": pgettext("of an entry", "Time"),
        "log": _("Log"),
        "card": _("Scorecard"),
        "seq": _("Number"),
        "kind": _("Kind"),
        "by": _("By"),
        "stop": _("Stop"),
        "turn": _("Turn"),
        "actions": _("Actions"),
        "data": _("Details"),
        "reason": _("Reason"),
        "hash": _("Hash"),
    }
    entries = list(_select_entries(own).iterator(chunk_size=BATCH_SIZE))
    reasons = dict(
        OperationReason.objects.filter(operation__in={entry.operation_id for entry in entries}).values_list(
            "pk", "text"
        )
    )
    seats = _read_seats(own)
    rows = (_describe_entry(own, entry, roles, seats, reasons.get(entry.operation_id, "")) for entry in entries)
    about = _(
        "Every entry about the person, with corrections and what was voided. It is kept so that the result can be "
        "checked. At a table with others, only the person’s own actions are here."
    )
    return PersonSection("log", _("Log"), about, headings, [row for row in rows if row is not None])


def _read_seats(own: Holdings) -> Mapping[UUID, tuple[frozenset[int], int]]:
    """Return the person's seats on each card, and how many seats the card has."""
    cards = {seat.card_id for seat in own.seats}
    counts: dict[UUID, int] = {}
    for card_id in Seat.objects.filter(card__in=cards).values_list("card_id", flat=True):
        counts[card_id] = counts.get(card_id, 0) + 1
    mine = {card: frozenset(seat.index for seat in own.seats if seat.card_id == card) for card in cards}
    return {card: (mine[card], counts[card]) for card in cards}


def _describe_entry(
    own: Holdings,
    entry: Entry,
    roles: Mapping[UUID, str],
    seats: Mapping[UUID, tuple[frozenset[int], int]],
    reason: str,
) -> Row | None:
    """Return an entry as a row; None if all of it is about others."""
    is_card = entry.chain.kind == Chain.Kind.CARD
    log = entry.chain.card.contest.name if is_card else str(CHAINS[Chain.Kind(entry.chain.kind)])
    row: dict[str, Any] = {
        "at": entry.at,
        "log": log,
        "card": str(entry.chain_id) if is_card else "",
        "seq": entry.seq,
        "kind": entry.kind,
        "stop": entry.slot and entry.slot.stop.name,
        "turn": entry.slot and entry.slot.ordinal,
        # A contest is closed for all who play.
        "reason": "" if entry.kind in ("close", "clear_missed") else own.other_names.remove_from(reason),
        "hash": entry.hash,
    }
    try:
        body = json.loads(entry.body)
        actions, data, actor = body["actions"], body["data"], UUID(body["actor"])
    except ENTRY_READ_ERRORS:
        return {**row, "data": _("This entry is damaged and cannot be read.")}
    mine, count = seats.get(entry.chain_id, (frozenset(), 1))
    if count > 1:
        kept = _keep_seats(actions, mine)
        data = _keep_seats(data, mine)
        if actions and not kept:
            return None
        actions = kept
    data = redact_others(data, own.other_ids)
    return {**row, "by": roles.get(actor, _("Somebody who left")), "actions": actions, "data": data}


def _keep_seats(data: Any, mine: frozenset[int]) -> Any:
    """Return the actions in plain data, however deep, that are of these seats or of the table as a whole."""
    if isinstance(data, list):
        return [_keep_seats(item, mine) for item in data if not _is_of_other_seat(item, mine)]
    if isinstance(data, Mapping):
        return {key: _keep_seats(value, mine) for key, value in data.items() if not _is_of_other_seat(value, mine)}
    return data


def _is_of_other_seat(item: Any, mine: frozenset[int]) -> bool:
    return isinstance(item, Mapping) and isinstance(item.get("seat"), int) and item["seat"] not in mine


def _list_unapplied(own: Holdings, roles: Mapping[UUID, str]) -> PersonSection:
    headings = {
        "received_at": _("Received"),
        "kind": _("Kind"),
        "by": _("By"),
        "outcome": _("Outcome"),
        "contest": _("Contest"),
        "sent": _("What was sent"),
        "review": _("Why it went to review"),
        "decision": _("Decision"),
        "settled_at": _("Decided"),
    }
    rows = []
    for operation in _select_unapplied(own):
        review = getattr(operation, "review", None)
        sent = redact_others(_keep_seats(operation.body, _list_seats(own, operation)), own.other_ids)
        rows.append(
            {
                "received_at": operation.received_at,
                "kind": operation.kind,
                "by": roles.get(operation.actor_id, _("Somebody who left")),
                "outcome": str(operation.get_outcome_display()),
                "contest": review and review.contest.name,
                "sent": sent,
                "review": review and str(review.get_reason_display()),
                "decision": review and str(review.get_decision_display()),
                "settled_at": review and review.settled_at,
            }
        )
    about = _("What was sent about the person and was not applied as it was: it differed, came late, or was refused.")
    return PersonSection("not_applied", _("Entries that were not applied"), about, headings, rows)


def _select_unapplied(own: Holdings) -> Sequence[Operation]:
    ids = {str(pk) for pk in own.entrants} | {str(seat.card_id) for seat in own.seats}
    if not ids:
        return []
    named = Q()
    for text in ids:
        named |= Q(text__contains=text)
    operations = Operation.objects.filter(event=own.subject.event).exclude(outcome=Operation.Outcome.RECORDED)
    found = operations.annotate(text=Cast("body", TextField())).filter(named).select_related("review__contest")
    return list(found.order_by("received_at", "pk"))


def _list_seats(own: Holdings, operation: Operation) -> frozenset[int]:
    """Return the person's seats at the table that an operation is about."""
    table = str(operation.body.get("card", operation.body.get("table", "")))
    return frozenset(seat.index for seat in own.seats if str(seat.card_id) == table)


def _list_cuts(own: Holdings) -> PersonSection:
    headings = {
        "contest": _("Contest"),
        "at": pgettext("of an entry", "Time"),
        "card": pgettext("of a deck", "Card"),
        "seq": _("Number"),
    }
    rows = []
    names = {contest.pk: contest.name for contest in Contest.objects.filter(event=own.subject.event)}
    for entry in Entry.objects.filter(chain__in=names, kind__in=("cut", "class_cut")).order_by("chain_id", "seq"):
        try:
            cards = json.loads(entry.body)["data"]["cards"]
        except ENTRY_READ_ERRORS:
            continue
        rows += [
            {"contest": names[entry.chain_id], "at": entry.at, "card": card, "seq": entry.seq}
            for entrant, card in cards.items()
            if entrant in {str(pk) for pk in own.entrants}
        ]
    about = _("Cards that the person cut to break a tie; without a card, the person was not there.")
    return PersonSection("cut_cards", pgettext("heading", "Cut cards"), about, headings, rows)
