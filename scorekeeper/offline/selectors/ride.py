"""What a phone is given of its ride: the rows that the crew's pages are made of, and no others.

What the pages show to any crew member of the event goes to every phone of it: the roster with its riders, who has
rolled where, the tables. The logs of cards noted at the stops, with the reasons in them, go to the crew of the bike's
group, and to road captains, who may open every card. Nobody gets tokens, salts, or what others sent as they sent it.

Invariant: the number of statements does not grow with the ride.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q, QuerySet

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMember, Device, DiceSet, Group
from scorekeeper.events.models import Contest, Event, FormerOrganiser, Organiser
from scorekeeper.offline.spelling import Table, spell
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Chain, Entry, Note, Operation, ReviewItem, Scorecard, Seat, Turn
from scorekeeper.stops.models import Slot, Stop

Rows = QuerySet[Any]

# What is left out of a table that goes out; on a phone it is what a new row would have.
LEFT_OUT: Mapping[str, frozenset[str]] = {
    # The token is this phone's own secret, its key it knows, and what it said when it was last seen changes each time.
    "crew.Device": frozenset(
        {"token_digest", "public_key", "left_at", "last_seen_at", "reported_at", "unsent", "attention"}
    ),
    # A snapshot says nothing that the log does not say, and takes as much room.
    "scorecards.Chain": frozenset({"snapshot"}),
    "scorecards.Entry": frozenset({"id"}),
    "scorecards.Note": frozenset({"salt"}),
}
# Of others' operations: that they were, and by whom. What was sent, and what became of it, is its sender's.
OF_OTHERS = ("id", "event_id", "kind", "actor_id", "outcome", "received_at")


def list_tables(device: Device) -> dict[str, Table]:
    """Return all that the phone is given, by the names of the models.

    Args:
        device: with its member, group and event at hand.
    """
    event = device.member.group.event
    contests = list(Contest.objects.filter(event=event))
    cards = _find_cards_to_open(device, [contest for contest in contests if contest.is_at_tables])
    entries = Entry.objects.filter(chain__in=cards.values("pk"))
    items = ReviewItem.objects.filter(contest__event=event, settled_at=None)
    own = Operation.objects.filter(event=event, device_id=device.pk)
    others = Operation.objects.filter(Q(entries__in=entries) | Q(review__in=items), event=event)
    plain: list[Rows] = [
        Event.objects.filter(pk=event.pk),
        Contest.objects.filter(event=event),
        Stop.objects.filter(event=event),
        Slot.objects.filter(contest__event=event),
        Group.objects.filter(event=event),
        DiceSet.objects.filter(group__event=event),
        CrewMember.objects.filter(group__event=event),
        Device.objects.filter(pk=device.pk),
        Bike.objects.filter(event=event),
        Player.objects.filter(event=event),
        Chain.objects.filter(event=event).exclude(kind=Chain.Kind.CONTEST),
        Scorecard.objects.filter(contest__event=event),
        Seat.objects.filter(contest__event=event),
        Turn.objects.filter(card__contest__event=event),
        entries,
        Note.objects.filter(Q(operation__in=own) | Q(operation__entries__in=entries)).distinct(),
    ]
    tables = {rows.model._meta.label: _read(rows) for rows in plain}  # noqa: SLF001 - Django's documented way
    tables["scorecards.ReviewItem"] = _hide_reasons(
        _read(items), {str(pk) for pk in cards.values_list("pk", flat=True)}
    )
    tables["scorecards.Operation"] = operations = _list_operations(own, others)
    return {**tables, **_list_organisers(event, _get_column(operations, "actor_id"))}


def _find_cards_to_open(device: Device, at_tables: Sequence[Contest]) -> Rows:
    """Return the cards that this phone's pages may open."""
    event = device.member.group.event
    cards = Scorecard.objects.filter(contest__event=event)
    if device.member.can_take_over:
        return cards
    bikes = Bike.objects.filter(Q(group=device.member.group_id) | Q(group=None), event=event)
    return cards.filter(Q(contest__in=at_tables) | Q(pk__in=Seat.objects.filter(bike__in=bikes).values("card")))


def _list_operations(own: Rows, others: Rows) -> Table:
    """Return what this phone sent, whole, so that it knows it again; of what else is shown, who did it and when."""
    columns = [field.attname for field in Operation._meta.concrete_fields]  # noqa: SLF001 - Django's documented way
    rows = [dict(zip(columns, row, strict=True)) for row in own.order_by("received_at", "pk").values_list(*columns)]
    known = {row["id"] for row in rows}
    nothing: dict[str, Any] = {"digest": "", "body": {}, "receipt": {}, "device_id": None}
    for row in others.order_by("received_at", "pk").values_list(*OF_OTHERS).distinct():
        one = dict(zip(OF_OTHERS, row, strict=True))
        if one["id"] not in known:
            rows.append({**one, **nothing})
    return spell(columns, [[row[name] for name in columns] for row in rows])


def _hide_reasons(items: Table, cards: set[str]) -> Table:
    """Return what waits; of cards that the phone does not open, that something does and no more."""
    places = {name: place for place, name in enumerate(items["columns"])}
    for row in items["rows"]:
        if row[places["card_id"]] not in cards:
            row[places["against"]] = row[places["problems"]] = []
    return items


def _list_organisers(event: Event, actors: set[str]) -> dict[str, Table]:
    """Return the names of the organisers who did any of it."""
    wanted = Q(event=event, pk__in=actors)
    here, left = (
        list(model.objects.filter(wanted).order_by("pk").values_list("pk", "event_id", "user_id", "user__username"))
        for model in (Organiser, FormerOrganiser)
    )
    people = sorted({(user, name) for _id, _event, user, name in (*here, *left)})
    columns = ("id", "event_id", "user_id")
    return {
        "auth.User": spell(("id", "username"), people),
        "events.Organiser": spell(columns, [row[:3] for row in here]),
        "events.FormerOrganiser": spell(columns, [row[:3] for row in left]),
    }


def _read(rows: Rows) -> Table:
    """Return rows in a fixed order, without what is left out of their table."""
    meta = rows.model._meta  # noqa: SLF001 - Django's documented way to a model's fields
    left_out = LEFT_OUT.get(meta.label, frozenset())
    columns = [field.attname for field in meta.concrete_fields if field.attname not in left_out]
    return spell(columns, rows.order_by("pk").values_list(*columns))


def _get_column(table: Table, name: str) -> set[str]:
    place = table["columns"].index(name)
    return {row[place] for row in table["rows"]}
