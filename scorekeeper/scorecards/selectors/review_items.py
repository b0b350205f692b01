"""Review items: those that need a decision, and those already decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import ReviewItem, UncheckedPeople
from scorekeeper.players.class_members import list_classes
from scorekeeper.players.models import Player
from scorekeeper.scorecards.card_kinds import CARD_KINDS
from scorekeeper.scorecards.models import Seat
from scorekeeper.scorecards.review_presenter import ReviewItemPresenter
from scorekeeper.scorecards.selectors.seat_names import name_entrants

ITEMS_PER_PAGE = 20  # both sides of each are worked out by the rules


def select_review_items(event: Event) -> QuerySet[ReviewItem]:
    """Return the review items of an event, decided ones too, the oldest first, with what presenting them needs."""
    items = ReviewItem.objects.filter(contest__event=event)
    return items.select_related("contest", "operation__reason").order_by("opened_at", "pk")


def present_review_items(event: Event, items: Sequence[ReviewItem]) -> list[ReviewItemPresenter]:
    """Return open items with both sides, in their order, in a fixed number of statements for each contest."""
    presenters: dict[UUID, ReviewItemPresenter] = {}
    for kind in CARD_KINDS:
        own = [item for item in items if kind.covers(item.contest)]
        presenters |= {presenter.item.pk: presenter for presenter in kind.present_review_items(event, own)}
    return [presenters[item.pk] for item in items]


def paginate_open_items(
    event: Event, number: str | int = 1, item_id: UUID | None = None
) -> tuple[Page[ReviewItem], list[ReviewItemPresenter]]:
    """Return one page of the open review items, oldest first, in a fixed number of statements for each contest.

    Args:
        number: of the page, as given in a URL: anything but a number means the first page, a number too high the last.
        item_id: an item; the page that it is on is returned instead.
    """
    items = select_review_items(event).filter(settled_at=None)
    if item_id is not None:
        ids = list(items.values_list("pk", flat=True))
        number = ids.index(item_id) // ITEMS_PER_PAGE + 1 if item_id in ids else number
    page = Paginator(items, ITEMS_PER_PAGE).get_page(number)
    return page, present_review_items(event, list(page))


def find_open_item(event: Event, item_id: UUID) -> ReviewItemPresenter | None:
    """Return an open review item of the event; None if it has been decided.

    Raises:
        ReviewItem.DoesNotExist: the event has no such item.
    """
    item = ReviewItem.objects.select_related("contest", "operation__reason").get(pk=item_id, contest__event=event)
    return present_review_items(event, [item])[0] if item.settled_at is None else None


class UncheckedWalkUp(NamedTuple):
    """The names of a walk-up that wait for the organiser or were left out.

    Attributes:
        sender: the name of who registered it; "" once that was erased.
        classes: the names of the classes that were chosen for it, which it does not have.
    """

    people: UncheckedPeople
    sender: str
    classes: str


def list_unchecked_people(event: Event) -> list[UncheckedWalkUp]:
    """Return the names of walk-ups that wait for the organiser or were left out, the oldest first."""
    rows = UncheckedPeople.objects.filter(operation__event=event)
    found = list(rows.select_related("operation", "bike__merged_into").order_by("operation__received_at", "pk"))
    names = list_actor_names(event, [row.operation.actor_id for row in found])
    classes = {str(one.pk): one.name for one in list_classes(event)} if found else {}
    return [
        UncheckedWalkUp(
            row,
            names.get(row.operation.actor_id, ""),
            ", ".join(classes[pk] for pk in row.operation.body.get("classes", ()) if pk in classes),
        )
        for row in found
    ]


class DecidedItem(NamedTuple):
    """An item that was decided, who has the seats of its card, "" without one, and the organiser who decided."""

    item: ReviewItem
    card_name: str
    actor_name: str


def list_decided_items(event: Event, limit: int = 50) -> list[DecidedItem]:
    """Return the items decided last."""
    decided = ReviewItem.objects.filter(contest__event=event).exclude(settled_at=None)
    items = list(decided.select_related("operation", "settled_by__reason").order_by("-settled_at")[:limit])
    names = list_actor_names(event, [item.settled_by.actor_id for item in items if item.settled_by])
    cards = _name_cards(items)
    return [
        DecidedItem(
            item,
            cards.get(item.card_id, ""),
            names.get(item.settled_by.actor_id, "") if item.settled_by else "",
        )
        for item in items
    ]


def _name_cards(items: Sequence[ReviewItem]) -> dict[UUID | None, str]:
    """Return who has the seats of the items' cards, by the id of the card."""
    seats = Seat.objects.filter(card__in=[item.card_id for item in items if item.card_id])
    entrants: defaultdict[UUID, list[Bike | Player]] = defaultdict(list)
    for seat in seats.select_related("bike", "player").order_by("index"):
        if entrant := seat.bike or seat.player:
            entrants[seat.card_id].append(entrant)
    names = name_entrants(entrant for several in entrants.values() for entrant in several)
    return {card_id: "; ".join(names[entrant.pk] for entrant in several) for card_id, several in entrants.items()}
