"""What a phone is given of its ride: the rows that the crew's pages are made of, and no others.

What the pages show to any crew member of the event goes to every phone of it: the roster with its riders, who has
rolled where, the tables. The logs of cards noted at the stops, with the reasons in them, go to the crew of the bike's
group, and to road captains, who may open every card. Nobody gets tokens, salts, or what others sent as they sent it.

Terms: the rows come in *parts*: a bike with its riders, a card with its log, a small table. A part has a key and a
*fingerprint*, which changes when its content does. `content` is rows by the name of their model, without the names of
their columns, which are a part of their own.

Invariants:
- The number of statements does not grow with the ride.
- A card's fingerprint is made without reading its log, its turns and its operations: they change only when the chain's
  length and head do. So a phone that has everything already costs little.
- A row may be in several parts, as when one operation wrote to two cards, and is the same in each.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMember, Device, DiceSet, Group
from scorekeeper.events.models import Contest, Event, FormerOrganiser, Organiser
from scorekeeper.offline.row_codec import (
    OPERATION_LABEL,
    OTHERS_OPERATION_LABEL,
    REASON_LABEL,
    PartContent,
    dump_rows,
    get_label,
)
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Chain, Entry, Operation, OperationReason, ReviewItem, Scorecard, Seat, Turn
from scorekeeper.stops.models import Slot, Stop

PartQuery = QuerySet[Any]
PartRow = Sequence[Any]

MODELS: Sequence[type[Model]] = (
    *(Event, Contest, Stop, Slot, Group, DiceSet, CrewMember, Device, Bike, Player),
    *(Chain, Scorecard, Seat, Turn, Entry, OperationReason, ReviewItem, Operation, Organiser, FormerOrganiser),
)
# What is left out of a table that goes out; on a phone it is what a new row would have.
OMITTED_COLUMNS: Mapping[str, frozenset[str]] = {
    # The token is this phone's own secret, its key it knows, and what it said when it was last seen changes each time.
    "crew.Device": frozenset(
        {"token_digest", "public_key", "left_at", "last_seen_at", "reported_at", "unsent", "attention"}
    ),
    # A snapshot says nothing that the log does not say, and takes as much room.
    "scorecards.Chain": frozenset({"snapshot"}),
    REASON_LABEL: frozenset({"salt"}),
}
# Of others' operations: that they were, and by whom. What was sent, and what became of it, is its sender's.
OTHERS_COLUMNS = ("id", "event_id", "kind", "actor_id", "outcome", "received_at")
USER = "auth.User"

CARD_PREFIX, SENT_PREFIX = "card:", "sent:"
MAX_IDS_IN_QUERY = 500  # cards, whose ids are named in a statement; more are chosen from among all of the ride
FINGERPRINT_DIGITS = 12


class RideParts:
    """The parts of one phone's ride, all as they were at one moment: it is made and read in one transaction.

    Attributes:
        fingerprints: of every part, by its key.
    """

    def __init__(self, device: Device, facts: Mapping[str, Any]) -> None:
        """Read what it takes to make the fingerprints.

        Args:
            device: with its member, group and event at hand.
            facts: what the phone is told beside the rows; each is a part.
        """
        self._device, self._event = device, device.member.group.event
        self._readable_cards = _find_readable_cards(device)
        self._readable_ids = set(self._readable_cards.values_list("pk", flat=True))
        self._review_items = ReviewItem.objects.filter(contest__event=self._event, settled_at=None)
        self._columns = list_columns()
        self._fields = {get_label(model): _list_field_names(model) for model in MODELS}
        self._salt = hashlib.sha256(dump_rows(self._columns).encode())
        self._contents: dict[str, PartContent] = {}
        self.fingerprints: dict[str, str] = {}
        for name, fact in {**facts, "columns": self._columns}.items():
            self._add_part(name, {name: fact})
        self._add_tables()
        self._add_roster()
        self._add_reviews()
        self._add_organisers()
        self._add_cards()
        self._add_sent_operations()
        self._add_member_summary()

    @property
    def digest(self) -> str:
        """A digest of everything, which the phone can make as well."""
        lines = (f"{key} {fingerprint}\n" for key, fingerprint in sorted(self.fingerprints.items()))
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def fetch_contents(self, keys: Collection[str]) -> dict[str, PartContent]:
        """Return the content of these parts."""
        contents = {key: self._contents[key] for key in keys if key in self._contents}
        contents |= self._fetch_cards(
            {UUID(key.removeprefix(CARD_PREFIX)) for key in keys if key.startswith(CARD_PREFIX)}
        )
        contents |= self._fetch_sent_operations(
            {UUID(key.removeprefix(SENT_PREFIX)) for key in keys if key.startswith(SENT_PREFIX)}
        )
        return contents

    # --- parts whose content is read at once, for there is little of it or nothing else tells whether it changed ---

    def _add_tables(self) -> None:
        event = self._event
        tables: list[PartQuery] = [
            Event.objects.filter(pk=event.pk),
            Contest.objects.filter(event=event),
            Stop.objects.filter(event=event),
            Slot.objects.filter(contest__event=event),
            Group.objects.filter(event=event),
            DiceSet.objects.filter(group__event=event),
            CrewMember.objects.filter(group__event=event),
            Device.objects.filter(pk=self._device.pk),
            Chain.objects.filter(event=event, kind=Chain.Kind.EVENT),
        ]
        for rows in tables:
            label = get_label(rows.model)
            self._add_part(label, {label: self._list_rows(rows.order_by("pk"))})

    def _add_roster(self) -> None:
        contents: dict[str, PartContent] = {}
        for row in self._list_rows(Bike.objects.filter(event=self._event)):
            contents[f"bike:{row[0]}"] = {"bikes.Bike": [row], "players.Player": []}
        place = self._columns["players.Player"].index("bike_id")
        for row in self._list_rows(Player.objects.filter(event=self._event).order_by("pk")):
            if row[place] is None:
                contents[f"player:{row[0]}"] = {"players.Player": [row]}
            else:
                contents.setdefault(f"bike:{row[place]}", {"players.Player": []})["players.Player"].append(row)
        for key, content in contents.items():
            self._add_part(key, content)

    def _add_reviews(self) -> None:
        """Add what waits; of cards that the phone does not open, that something does and no more."""
        columns = self._columns["scorecards.ReviewItem"]
        operations = {
            row[0]: row
            for row in self._exclude_own_operations(
                Operation.objects.filter(review__in=self._review_items)
            ).values_list(*OTHERS_COLUMNS)
        }
        for values in self._review_items.order_by("pk").values(*columns):
            if values["card_id"] not in self._readable_ids:
                values["against"] = values["problems"] = []
            sent = operations.get(values["operation_id"])
            content: PartContent = {"scorecards.ReviewItem": [[values[name] for name in columns]]}
            self._add_part(
                f"review:{values['id']}", {**content, OTHERS_OPERATION_LABEL: [] if sent is None else [sent]}
            )

    def _add_organisers(self) -> None:
        """Add the names of the organisers who did any of it."""
        columns = ("pk", "event_id", "user_id", "user__username")
        here, left = (
            list(model.objects.filter(event=self._event).order_by("pk").values_list(*columns))
            for model in (Organiser, FormerOrganiser)
        )
        did = Operation.objects.filter(event=self._event, actor_id__in=[row[0] for row in (*here, *left)])
        actors = {
            actor
            for operations in (
                did.filter(entries__chain__in=self._readable_cards.values("pk")),
                did.filter(review__in=self._review_items),
            )
            for actor in operations.values_list("actor_id", flat=True).distinct()
        }
        here, left = ([row for row in rows if row[0] in actors] for rows in (here, left))
        content = {
            USER: sorted({row[2:] for row in (*here, *left)}),
            "events.Organiser": [row[:3] for row in here],
            "events.FormerOrganiser": [row[:3] for row in left],
        }
        self._add_part("organisers", content)

    # --- cards ---

    def _add_cards(self) -> None:
        seats: dict[UUID, str] = defaultdict(str)
        for card, index, bike, player in (
            Seat.objects.filter(contest__event=self._event)
            .order_by("card_id", "index")
            .values_list("card_id", "index", "bike_id", "player_id")
        ):
            seats[card] += f" {index} {bike} {player}"
        for card, operation, text in self._list_reasons(self._readable_cards.values("pk")):
            seats[card] += f" {operation} {text!r}"
        columns = ("pk", "length", "head", "is_sealed", "is_alias", "card__contest_id")
        chains = Chain.objects.filter(event=self._event, kind=Chain.Kind.CARD)
        for card, *chain in chains.values_list(*columns):
            self._set_fingerprint(f"{CARD_PREFIX}{card}", f"{chain} {card in self._readable_ids} {seats[card]}")

    def _fetch_cards(self, ids: Collection[UUID]) -> dict[str, PartContent]:
        cards: Any = ids
        is_open: Any = self._readable_ids & set(ids)
        if len(ids) > MAX_IDS_IN_QUERY:
            cards = Chain.objects.filter(event=self._event, kind=Chain.Kind.CARD).values("pk")
            is_open = self._readable_cards.values("pk")
        contents: dict[UUID, PartContent] = {card: {} for card in ids}
        found = (
            self._list_rows_by_card("id", Chain.objects.filter(pk__in=cards)),
            self._list_rows_by_card("id", Scorecard.objects.filter(pk__in=cards)),
            self._list_rows_by_card("card_id", Seat.objects.filter(card__in=cards).order_by("index")),
            self._list_own_card_operations(is_open),
            self._list_others_card_operations(is_open),
            ((REASON_LABEL, card, row) for card, *row in self._list_reasons(is_open)),
            self._list_rows_by_card("chain_id", Entry.objects.filter(chain__in=is_open).order_by("seq")),
            self._list_rows_by_card("card_id", Turn.objects.filter(card__in=cards).order_by("seq")),
        )
        for rows in found:
            for label, card, row in rows:
                if card in contents:
                    contents[card].setdefault(label, []).append(row)
        return {f"{CARD_PREFIX}{card}": content for card, content in contents.items()}

    def _list_rows_by_card(self, column: str, rows: PartQuery) -> Iterator[tuple[str, UUID, PartRow]]:
        """Return rows, each with the card that a column names."""
        label = get_label(rows.model)
        columns = self._columns[label]
        place = columns.index(column)
        for row in rows.values_list(*self._fields[label]):
            yield label, row[place], row

    def _list_own_card_operations(self, cards: Any) -> Iterator[tuple[str, UUID, PartRow]]:
        """Return what this phone did to cards: packed beside its entries it takes half the room."""
        rows = self._query_own_operations().filter(entries__chain__in=cards).order_by("received_at", "pk")
        found: dict[tuple[UUID, UUID], PartRow] = {}
        for card, *row in rows.values_list("entries__chain_id", *self._fields[OPERATION_LABEL]):
            found[card, row[0]] = row  # once, however many entries it wrote
        for (card, _operation), row in found.items():
            yield OPERATION_LABEL, card, row

    def _list_others_card_operations(self, cards: Any) -> Iterator[tuple[str, UUID, PartRow]]:
        """Return what others did to cards, and when."""
        rows = self._exclude_own_operations(Operation.objects.filter(entries__chain__in=cards)).order_by(
            "received_at", "pk"
        )
        for card, *row in rows.values_list("entries__chain_id", *OTHERS_COLUMNS).distinct():
            yield OTHERS_OPERATION_LABEL, card, row

    def _list_reasons(self, cards: Any) -> Iterable[tuple[UUID, UUID, str]]:
        """Return the reasons in the logs of cards: card, operation, text."""
        notes = OperationReason.objects.filter(operation__entries__chain__in=cards).order_by("pk")
        return notes.values_list("operation__entries__chain_id", "pk", "text").distinct()

    # --- what this phone sent, besides what is on cards that it opens: whole, so that it knows it again ---

    def _add_sent_operations(self) -> None:
        for operation, *state in self._query_sent_operations().values_list("pk", "digest", "outcome", "reason__text"):
            self._set_fingerprint(f"{SENT_PREFIX}{operation}", str(state))

    def _fetch_sent_operations(self, ids: Collection[UUID]) -> dict[str, PartContent]:
        notes = {
            row[0]: row
            for row in OperationReason.objects.filter(operation__in=self._query_sent_operations()).values_list(
                *self._fields[REASON_LABEL]
            )
        }
        return {
            f"{SENT_PREFIX}{row[0]}": {
                OPERATION_LABEL: [row],
                REASON_LABEL: [notes[row[0]]] if row[0] in notes else [],
            }
            for row in self._list_rows(self._query_sent_operations())
            if row[0] in ids
        }

    def _query_sent_operations(self) -> QuerySet[Operation]:
        on_cards = Entry.objects.filter(chain__in=self._readable_cards.values("pk"), operation=OuterRef("pk"))
        return self._query_own_operations().exclude(Exists(on_cards))

    def _query_own_operations(self) -> QuerySet[Operation]:
        return Operation.objects.filter(event=self._event, device_id=self._device.pk)

    def _exclude_own_operations(self, operations: QuerySet[Operation]) -> QuerySet[Operation]:
        return operations.exclude(device_id=self._device.pk)

    # --- what became of the member's own entries, whichever of their phones sent them ---

    def _add_member_summary(self) -> None:
        """Add the decisions about entries that went to review, and how many entries there are of each phone.

        A decision that is still to come is "". By the count a phone finds out that the server has lost some.
        """
        member = self._device.member_id
        items = ReviewItem.objects.filter(contest__event=self._event, operation__actor_id=member)
        decided = items.order_by("operation_id").values_list("operation_id", "decision")
        operations = Operation.objects.filter(event=self._event, actor_id=member).order_by("device_id")
        counts = operations.values_list("device_id").annotate(Count("pk"))
        own = {
            "decisions": {str(operation): decision for operation, decision in decided},
            "counts": {str(device): count for device, count in counts},
        }
        self._add_part("own", {"own": own})

    # --- all of them ---

    def _list_rows(self, rows: PartQuery) -> list[PartRow]:
        return list(rows.values_list(*self._fields[get_label(rows.model)]))

    def _add_part(self, key: str, content: PartContent) -> None:
        self._contents[key] = content
        self._set_fingerprint(key, dump_rows(content))

    def _set_fingerprint(self, key: str, text: str) -> None:
        digest = self._salt.copy()  # the same rows under other columns are another part
        digest.update(f"{key} {text}".encode())
        self.fingerprints[key] = digest.hexdigest()[:FINGERPRINT_DIGITS]


def list_columns() -> dict[str, list[str]]:
    """Return the columns of every table that goes out, by the name of its model; its key comes first."""
    columns = {get_label(model): _list_columns(model) for model in MODELS}
    return {**columns, OTHERS_OPERATION_LABEL: list(OTHERS_COLUMNS), USER: ["id", "username"]}


def _list_columns(model: type[Model]) -> list[str]:
    return [field.column for field in _list_fields(model)]


def _list_field_names(model: type[Model]) -> list[str]:
    return [field.attname for field in _list_fields(model)]


def _list_fields(model: type[Model]) -> list[Any]:
    meta = model._meta  # noqa: SLF001 - Django's documented way to a model's fields
    left_out = OMITTED_COLUMNS.get(get_label(model), frozenset())
    fields = [field for field in meta.concrete_fields if field.column not in left_out]
    return sorted(fields, key=lambda field: not field.primary_key)


def _find_readable_cards(device: Device) -> QuerySet[Scorecard]:
    """Return the cards that this phone's pages may open."""
    event = device.member.group.event
    cards = Scorecard.objects.filter(contest__event=event)
    if device.member.can_take_over:
        return cards
    at_tables = [contest for contest in Contest.objects.filter(event=event) if contest.is_table_game]
    bikes = Bike.objects.filter(Q(group=device.member.group_id) | Q(group=None), event=event)
    return cards.filter(Q(contest__in=at_tables) | Q(pk__in=Seat.objects.filter(bike__in=bikes).values("card")))
