"""Selects the rows of a ride that a phone receives: those that the crew's pages need, and no others.

What the pages show to every crew member of the event goes to all of its phones: the roster with its riders, who has
rolled where, the tables. The logs of scorecards at the stops, with the reasons in them, go to the crew of the bike's
group, and to those who may open every scorecard: road captains, and crew who record any bike at some stop. No phone
receives tokens, salts, or the original content of others' operations. While the standings are frozen, what other groups
have rolled since is sent without its figures.

Terms: the rows are divided into *parts*: a bike with its riders, a scorecard with its log, a small table. A part has a
key and a *fingerprint*, which changes when its content does. The `content` is rows by the label of their model, without
the names of the columns, which are a separate part.

Invariants:
- The number of statements does not grow with the ride.
- A scorecard's fingerprint is computed without reading its log, its turns and its operations: they change only when the
  chain's length and head do. So a phone that already has everything costs little.
- A row can be in several parts, for example if one operation wrote to two scorecards. It is the same in each.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from scorekeeper.agreements.models import Agreement
from scorekeeper.bikes.models import Bike, FurtherSheet
from scorekeeper.crew.models import Device, MemoryLoss
from scorekeeper.crew.selectors import list_any_bike_stops, list_losses_on, list_unread_messages
from scorekeeper.event_rows import PHONE_ROWS
from scorekeeper.events.models import Contest, FormerOrganiser, Freeze, Organiser
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.models import Chain, Entry, Operation, OperationReason, ReviewItem
from scorekeeper.offline.row_codec import (
    OPERATION_LABEL,
    OTHERS_OPERATION_LABEL,
    REASON_LABEL,
    PartContent,
    dump_rows,
    get_label,
)
from scorekeeper.offline.selectors.ride_columns import OTHERS_COLUMNS, USER, RideColumns
from scorekeeper.players.models import ClassMember, Player
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.models import Scorecard, Seat, Turn

PartQuery = QuerySet[Any]
PartRow = Sequence[Any]

CARD_PREFIX, SENT_PREFIX = "card:", "sent:"
MAX_IDS_IN_QUERY = 500  # scorecards; for more than that, all of the ride's are queried and then filtered
FINGERPRINT_DIGITS = 12
# Models with rows in the parts of bikes, scorecards, reviews and organisers. Any other model on phones is a table.
IN_OTHER_PARTS = {
    *(
        "bikes.Bike",
        "bikes.FurtherSheet",
        "players.Player",
        "players.ClassMember",
        "scorecards.Scorecard",
        "scorecards.Seat",
        "scorecards.Turn",
    ),
    *("ledger.Entry", "ledger.Operation", "ledger.OperationReason", "ledger.ReviewItem"),
    *("events.Organiser", "events.FormerOrganiser"),
}


class RideParts:
    """The parts of one phone's ride. Create and read it in one transaction, so that the parts are consistent.

    Attributes:
        fingerprints: the fingerprint of every part, by its key.
    """

    def __init__(self, device: Device, facts: Mapping[str, Any], columns: RideColumns | None = None) -> None:
        """Read everything needed for the fingerprints.

        Args:
            device: with its member, group and event prefetched.
            facts: data besides the rows; each fact is a part.
            columns: what the phone's app can load; None for all that the latest version can.
        """
        self._device, self._event = device, device.member.group.event
        self._readable_cards = _find_readable_cards(device)
        self._readable_ids = set(self._readable_cards.values_list("pk", flat=True))
        self._redacted_ids = self._find_redacted_cards()
        self._review_items = ReviewItem.objects.filter(contest__event=self._event, settled_at=None)
        sent = columns or RideColumns()
        self._columns, self._fields = sent.names, sent.fields
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
        """A digest of everything, which the phone can compute as well."""
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

    # --- parts whose content is read immediately: it is small, or there is no other way to detect a change ---

    def _add_tables(self) -> None:
        event = self._event
        chosen: Mapping[str, PartQuery] = {
            "crew.Device": Device.objects.filter(pk=self._device.pk),
            "ledger.Chain": Chain.objects.filter(event=event, kind=Chain.Kind.EVENT),
            "crew.CrewMessage": list_unread_messages(self._device),
            "events.Freeze": Freeze.objects.filter(event=event, at__isnull=False),
            "agreements.Agreement": _list_readable_agreements(self._device),
        }
        for rows in PHONE_ROWS:
            label = get_label(rows.model)
            if label in self._columns and rows.label not in IN_OTHER_PARTS:
                found = chosen.get(rows.label, rows.query(event))
                self._add_part(label, {label: self._list_rows(found.order_by("pk"))})

    def _add_roster(self) -> None:
        contents: dict[str, PartContent] = {}
        for row in self._list_rows(Bike.objects.filter(event=self._event)):
            contents[f"bike:{row[0]}"] = {"bikes.Bike": [row], "players.Player": []}
        if "bikes.FurtherSheet" in self._columns:
            for row in self._list_rows(FurtherSheet.objects.filter(event=self._event)):
                contents[f"bike:{row[0]}"] = {"bikes.FurtherSheet": [row]}
        keys: dict[UUID, str] = {}  # the part of each person
        bike_index = self._columns["players.Player"].index("bike_id")
        for row in self._list_rows(Player.objects.filter(event=self._event).order_by("pk")):
            if row[bike_index] is None:
                contents[f"player:{row[0]}"] = {"players.Player": [row]}
                keys[row[0]] = f"player:{row[0]}"
            else:
                contents.setdefault(f"bike:{row[bike_index]}", {"players.Player": []})["players.Player"].append(row)
                keys[row[0]] = f"bike:{row[bike_index]}"
        if "players.ClassMember" in self._columns:
            columns = self._columns["players.ClassMember"]
            bike_index, player_index = columns.index("bike_id"), columns.index("player_id")
            for row in self._list_rows(ClassMember.objects.filter(event_class__event=self._event).order_by("pk")):
                key = keys[row[player_index]] if row[bike_index] is None else f"bike:{row[bike_index]}"
                contents[key].setdefault("players.ClassMember", []).append(row)
        for key, content in contents.items():
            self._add_part(key, content)

    def _add_reviews(self) -> None:
        """Add open review items; for scorecards that the phone may not open, only that there is an item."""
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
        """Add the names of the organisers who made any of the operations."""
        columns = ("pk", "event_id", "user_id", "user__username")
        here, left = (
            list(model.objects.filter(event=self._event).order_by("pk").values_list(*columns))
            for model in (Organiser, FormerOrganiser)
        )
        by_organisers = Operation.objects.filter(event=self._event, actor_id__in=[row[0] for row in (*here, *left)])
        actors = {
            actor
            for operations in (
                by_organisers.filter(entries__chain__in=self._readable_cards.values("pk")),
                by_organisers.filter(review__in=self._review_items),
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

    # --- scorecards ---

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
            redacted = " redacted" if card in self._redacted_ids else ""
            self._set_fingerprint(
                f"{CARD_PREFIX}{card}", f"{chain} {card in self._readable_ids} {seats[card]}{redacted}"
            )

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
            self._list_turns(cards),
        )
        for rows in found:
            for label, card, row in rows:
                if card in contents:
                    contents[card].setdefault(label, []).append(row)
        return {f"{CARD_PREFIX}{card}": content for card, content in contents.items()}

    def _list_rows_by_card(self, column: str, rows: PartQuery) -> Iterator[tuple[str, UUID, PartRow]]:
        """Yield rows, each with the scorecard that a column refers to."""
        label = get_label(rows.model)
        columns = self._columns[label]
        card_index = columns.index(column)
        for row in rows.values_list(*self._fields[label]):
            yield label, row[card_index], row

    def _list_turns(self, cards: Any) -> Iterator[tuple[str, UUID, PartRow]]:
        """Yield the current turns, without figures where the phone may not open a card that changed after a freeze."""
        columns = self._columns[get_label(Turn)]
        line, points, dice = (columns.index(name) for name in ("line", "points", "dice"))
        for label, card, row in self._list_rows_by_card("card_id", Turn.objects.filter(card__in=cards).order_by("seq")):
            if card in self._redacted_ids:
                values = list(row)
                # A missed turn has no line: that it was missed, and no roll, is not a figure.
                values[line], values[points], values[dice] = None if row[line] is None else "", 0, []
                yield label, card, values
            else:
                yield label, card, row

    def _find_redacted_cards(self) -> set[UUID]:
        freeze = get_freeze(self._event)
        if freeze is None:
            return set()
        later = Entry.objects.filter(chain__event=self._event, chain__kind=Chain.Kind.CARD, at__gt=freeze.at)
        return set(later.order_by().values_list("chain_id", flat=True).distinct()) - self._readable_ids

    def _list_own_card_operations(self, cards: Any) -> Iterator[tuple[str, UUID, PartRow]]:
        """Yield this phone's operations on scorecards: next to their entries they compress to half the size."""
        rows = self._query_own_operations().filter(entries__chain__in=cards).order_by("received_at", "pk")
        found: dict[tuple[UUID, UUID], PartRow] = {}
        for card, *row in rows.values_list("entries__chain_id", *self._fields[OPERATION_LABEL]):
            found[card, row[0]] = row  # only once, even if it wrote several entries
        for (card, _operation), row in found.items():
            yield OPERATION_LABEL, card, row

    def _list_others_card_operations(self, cards: Any) -> Iterator[tuple[str, UUID, PartRow]]:
        """Yield others' operations on scorecards, in the order of receipt."""
        rows = self._exclude_own_operations(Operation.objects.filter(entries__chain__in=cards)).order_by(
            "received_at", "pk"
        )
        for card, *row in rows.values_list("entries__chain_id", *OTHERS_COLUMNS).distinct():
            yield OTHERS_OPERATION_LABEL, card, row

    def _list_reasons(self, cards: Any) -> Iterable[tuple[UUID, UUID, str]]:
        """Return the reasons in the logs of scorecards: scorecard, operation, text."""
        reasons = OperationReason.objects.filter(operation__entries__chain__in=cards).order_by("pk")
        return reasons.values_list("operation__entries__chain_id", "pk", "text").distinct()

    # --- this phone's operations that are not on scorecards it may open: complete, so that it recognises them ---

    def _add_sent_operations(self) -> None:
        for operation, *state in self._query_sent_operations().values_list("pk", "digest", "outcome", "reason__text"):
            self._set_fingerprint(f"{SENT_PREFIX}{operation}", str(state))

    def _fetch_sent_operations(self, ids: Collection[UUID]) -> dict[str, PartContent]:
        reasons = {
            row[0]: row
            for row in OperationReason.objects.filter(operation__in=self._query_sent_operations()).values_list(
                *self._fields[REASON_LABEL]
            )
        }
        return {
            f"{SENT_PREFIX}{row[0]}": {
                OPERATION_LABEL: [row],
                REASON_LABEL: [reasons[row[0]]] if row[0] in reasons else [],
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

    # --- results of the member's own entries, from any of their phones ---

    def _add_member_summary(self) -> None:
        """Add the decisions about entries that went to review, and the number of entries from each phone.

        A decision that is not made yet is "". The numbers let a phone find out that the server has lost entries.
        "losses" is there only if the phone's memory was lost.
        """
        member = self._device.member_id
        items = ReviewItem.objects.filter(contest__event=self._event, operation__actor_id=member)
        decided = items.order_by("operation_id").values_list("operation_id", "decision")
        operations = Operation.objects.filter(event=self._event, actor_id=member).order_by("device_id")
        counts = operations.values_list("device_id").annotate(Count("pk"))
        own: dict[str, Any] = {
            "decisions": {str(operation): decision for operation, decision in decided},
            "counts": {str(device): count for device, count in counts},
        }
        if self._device.lost_at is not None or self._device.replaces_id is not None:
            losses = [_serialize_loss(loss) for loss in list_losses_on(self._device)]
            own |= {"losses": losses} if losses else {}
        self._add_part("own", {"own": own})

    # --- helpers ---

    def _list_rows(self, rows: PartQuery) -> list[PartRow]:
        return list(rows.values_list(*self._fields[get_label(rows.model)]))

    def _add_part(self, key: str, content: PartContent) -> None:
        self._contents[key] = content
        self._set_fingerprint(key, dump_rows(content))

    def _set_fingerprint(self, key: str, text: str) -> None:
        digest = self._salt.copy()  # the same rows with other columns are a different part
        digest.update(f"{key} {text}".encode())
        self.fingerprints[key] = digest.hexdigest()[:FINGERPRINT_DIGITS]


def _serialize_loss(loss: MemoryLoss) -> dict[str, Any]:
    return {
        "reason": loss.reason,
        "found_at": loss.found_at.isoformat(),
        "last_report_at": None if loss.last_report_at is None else loss.last_report_at.isoformat(),
        "missing": loss.missing,
    }


def _list_readable_agreements(device: Device) -> QuerySet[Agreement]:
    """Return the agreements to scorecards that this phone's pages may open: a digest of few dice can be guessed."""
    agreements = Agreement.objects.filter(contest__event=device.member.group.event_id)
    if _may_open_all_cards(device):
        return agreements
    return agreements.filter(Q(bike__group=device.member.group_id) | Q(bike__group=None))


def _may_open_all_cards(device: Device) -> bool:
    return device.member.can_take_over or bool(list_any_bike_stops(device.member_id))


def _find_readable_cards(device: Device) -> QuerySet[Scorecard]:
    """Return the scorecards that this phone's pages may open."""
    event = device.member.group.event
    cards = Scorecard.objects.filter(contest__event=event)
    if _may_open_all_cards(device):
        return cards
    shared = [contest for contest in Contest.objects.filter(event=event) if get_kind(contest.game).is_shared_by_crew]
    bikes = Bike.entrants.filter(Q(group=device.member.group_id) | Q(group=None), event=event)
    return cards.filter(Q(contest__in=shared) | Q(pk__in=Seat.objects.filter(bike__in=bikes).values("card")))
