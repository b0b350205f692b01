"""Bikes as operations: registering a walk-up at a stop and undoing that, renumbering, and merging two that are one.

These are entries of the event's chain, which holds numbers and ids and never names. A number that is taken is given
again with a suffix, so that nobody at a stop has to solve it; the organiser merges or renumbers later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import Max, Model, Q

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest
from scorekeeper.players.models import Player
from scorekeeper.players.services.bikes import BikeInUse, delete_walk_up
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.card_state import CardState
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.fold import RecordedTurn, sort_by_slot
from scorekeeper.scorecards.models import Chain, Operation, ReviewItem, Scorecard
from scorekeeper.scorecards.operation_body import matches_operation
from scorekeeper.scorecards.problem_messages import problems_to_data
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.selectors.withdrawals import was_withdrawn
from scorekeeper.scorecards.services.cards import create_card, load_cards_for_update
from scorekeeper.scorecards.services.corrections import derive_moved_turn_id, transfer_turns
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import (
    MERGED,
    RECORDED,
    IdReused,
    MalformedOperation,
    NotAllowed,
    OperationResult,
    RecordingError,
    UnknownTarget,
    check_reason,
    derive_own_id,
    record,
)
from scorekeeper.scorecards.services.repeats import move_repeats
from scorekeeper.scorecards.services.seat_reassignment import list_seat_problems, reassign_seats
from scorekeeper.scorecards.services.turns import judge_card


class CannotMerge(RecordingError):
    """The two bikes' cards do not fit together.

    Attributes:
        slot_ids: the slots for which both have a turn.
        problems: what the rules say against the turns together, as data.
        game_key: whose rules those are.
    """

    def __init__(self, slot_ids: Sequence[UUID], problems: Sequence[Mapping[str, Any]] = (), game_key: str = ""):
        super().__init__(slot_ids)
        self.slot_ids = tuple(slot_ids)
        self.problems = tuple(problems)
        self.game_key = game_key


@dataclass(frozen=True, slots=True)
class WalkUp:
    """A bike that turns up at the ride. `id` is made by the phone."""

    id: UUID
    number: int
    group_id: UUID | None
    rider: str = ""
    passenger: str = ""
    make: str = ""
    model: str = ""

    def to_body(self) -> dict[str, Any]:
        """Return the operation's body."""
        group = None if self.group_id is None else str(self.group_id)
        return {
            "bike": str(self.id),
            "number": self.number,
            "group": group,
            "rider": self.rider,
            "passenger": self.passenger,
            "make": self.make,
            "model": self.model,
        }


def register_bike(actor: Actor, operation_id: UUID, walk_up: WalkUp) -> Receipt:
    """Register a bike; the receipt's data say the number and suffix it got.

    The same registration under another operation's id, as a form that was sent twice makes it, is the same bike.

    Raises:
        NotYours: the group is of another event, or the bike is.
        OtherBody: the actor has used the operation's id, or the bike's, for something else, or has undone it.
        Unreadable: a number or a name is beyond what any form takes.
    """

    def handle(book: OperationContext) -> OperationResult:
        chain = book.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        if walk_up.group_id and not Group.objects.filter(pk=walk_up.group_id, event_id=actor.event_id).exists():
            raise NotAllowed(walk_up.group_id)
        known = Bike.objects.filter(pk=walk_up.id).first()
        if known is not None and not _is_same_registration(actor, known, walk_up):
            # Somebody else has taken the bike's id: it gets one of its own, and the organiser sees two bikes.
            bike.id = derive_own_id(actor, walk_up.id)
            for player in people:
                player.bike = bike
            known = Bike.objects.filter(pk=bike.id).first()
        if known is not None:
            return OperationResult(Operation.Outcome.MERGED, data=_make_number_data(known))
        if was_withdrawn(actor.event_id, bike.id):
            raise IdReused(bike.id)  # its registration was undone; the page that is sent again is an old one
        bike.suffix = find_next_suffix(bike)
        bike.save(force_insert=True)
        Player.objects.bulk_create(people)
        book.append(chain, "register_bike", data=_make_number_data(bike), numbers=[bike])
        return OperationResult(Operation.Outcome.RECORDED, data=_make_number_data(bike))

    bike = Bike(
        id=walk_up.id,
        event_id=actor.event_id,
        number=walk_up.number,
        group_id=walk_up.group_id,
        make=walk_up.make,
        model=walk_up.model,
        is_walk_up=True,
    )
    named = [(walk_up.rider, Player.Role.RIDER), (walk_up.passenger, Player.Role.PASSENGER)]
    if actor.needs_review:
        # Its turns wait for the organiser and need a bike to wait for. Words that nobody has looked at are not shown.
        bike.make, bike.model, named = "", "", []
    people = [Player(event_id=actor.event_id, bike=bike, name=name, role=role) for name, role in named if name]
    _check_fields(bike)
    for player in people:
        _check_fields(player)

    return record(operation_id, "register_bike", actor, walk_up.to_body(), handle)


def withdraw_bike(actor: Actor, operation_id: UUID, bike_id: UUID) -> Receipt:
    """Undo the registration of a walk-up on which nothing was recorded: the bike and its people are gone.

    Where something was recorded, perhaps on another phone, or the bike is gone already, nothing is done (merged).

    Raises:
        NotYet: no such bike was registered here.
        NotYours: somebody else registered it.
    """

    def handle(book: OperationContext) -> OperationResult:
        chain = book.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        _lock_contests(actor)
        registered = Operation.objects.filter(
            event_id=actor.event_id, kind="register_bike", outcome=Operation.Outcome.RECORDED
        )
        registration = registered.filter(receipt__data__bike=str(bike_id)).first()
        if registration is None:
            raise UnknownTarget(bike_id)
        if registration.actor_id != actor.id:
            raise NotAllowed(bike_id)
        bike = Bike.objects.filter(pk=bike_id).first()
        if bike is None or _has_entries(bike):
            return MERGED
        data = _make_number_data(bike)
        try:
            delete_walk_up(bike)
        except BikeInUse:
            return MERGED
        book.append(chain, "withdraw_bike", data=data)
        return OperationResult(Operation.Outcome.RECORDED, data=data)

    return record(operation_id, "withdraw_bike", actor, {"bike": str(bike_id)}, handle)


def renumber_bike(actor: Actor, operation_id: UUID, bike_id: UUID, number: int, reason: str) -> Receipt:
    """Give a bike another number; where that is taken too, the next suffix of it.

    Raises:
        NotYours: the bike is of another event, or the actor is no organiser.
        Unreadable: no bike has such a number.
    """
    body = {"bike": str(bike_id), "number": number, "reason": reason}

    def handle(book: OperationContext) -> OperationResult:
        chain = book.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        bike = _get_own_bike(actor, bike_id)
        bike.number = number
        _check_fields(bike)
        bike.suffix = find_next_suffix(bike)
        bike.save(update_fields=["number", "suffix"])
        book.append(chain, "renumber_bike", data=_make_number_data(bike), numbers=[bike])
        return OperationResult(Operation.Outcome.RECORDED, data=_make_number_data(bike))

    return record(operation_id, "renumber_bike", actor, body, handle, reason)


def merge_bikes(actor: Actor, operation_id: UUID, bike_id: UUID, into_id: UUID, reason: str) -> Receipt:
    """Make one bike of two: the turns and seats of the first become the second's, and its id becomes an alias.

    What waits in review for the first waits for the second from then on.

    Raises:
        CannotMerge: both have a turn for one slot, the rules forbid their turns on one card, both sit at tables where
            one card is the rule, or it is the same bike.
        ReasonNeeded: there is none.
        NotYours: one of the bikes is of another event, or the actor is no organiser.
    """
    body = {"bike": str(bike_id), "into": str(into_id), "reason": reason}

    def handle(book: OperationContext) -> OperationResult:
        chain = book.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)  # one merging at a time
        held = _lock_contests(actor)
        bike, into = _get_own_bike(actor, bike_id), _get_own_bike(actor, into_id)
        if bike == into:
            raise CannotMerge([])
        at_tables = [contest for contest in held if contest.is_table_game]
        if problems := list(list_seat_problems(at_tables, bike, into)):
            raise CannotMerge([], problems_to_data(problems))
        cards = Scorecard.objects.filter(seats__bike_id=bike_id).exclude(contest__in=at_tables)
        contests = list(cards.values_list("contest_id", flat=True).order_by("contest"))
        for contest_id in contests:
            create_card(book, contest_id, into_id)
        pairs = [(derive_card_id(contest, bike_id), derive_card_id(contest, into_id)) for contest in contests]
        opened = load_cards_for_update(book, [card for pair in pairs for card in pair])
        for source, target in pairs:
            _merge_cards(book, opened[source], opened[target])
        for contest_id in contests:
            # The first bike has no place of its own any more, also where it had no turns to move.
            book.mark_stale(contest_id)
        reassign_seats(book, at_tables, bike, into)
        players = list(Player.objects.filter(bike=bike).order_by("pk").values_list("pk", flat=True))
        Player.objects.filter(pk__in=players).update(bike=into)
        Bike.objects.filter(merged_into=bike).update(merged_into=into)
        bike.merged_into = into
        bike.save(update_fields=["merged_into"])
        # Undoing it needs to know who came with the bike; what else was moved, the cards tell.
        moved = {"bike": str(bike_id), "into": str(into_id), "players": [str(player) for player in players]}
        book.append(chain, "merge_bikes", data=moved)
        return RECORDED

    check_reason(reason)
    return record(operation_id, "merge_bikes", actor, body, handle, reason)


def find_next_suffix(bike: Bike) -> int:
    """Return the suffix that tells a bike from the others with its number: 1 when there is none."""
    others = Bike.objects.filter(event_id=bike.event_id, number=bike.number, merged_into=None).exclude(pk=bike.pk)
    highest: int | None = others.aggregate(highest=Max("suffix"))["highest"]
    return (highest or 0) + 1


def _merge_cards(book: OperationContext, source: CardState, target: CardState) -> None:
    # Where both were noted as gone, the retirement that stands already says it.
    noted = [turn for turn in sort_by_slot(source.contest, source.turns) if turn.slot_id or not target.get_turn(None)]
    both = [turn.slot_id for turn in noted if turn.slot_id and target.get_turn(turn.slot_id)]
    if both:
        raise CannotMerge(both)
    _move_turns(book, source, target, noted)
    source.chain.is_alias = True

    def follow() -> None:
        Chain.objects.filter(pk=source.id).update(is_alias=True)
        ReviewItem.objects.filter(card_id=source.id, settled_at=None).update(card_id=target.id)

    book.after_insert(follow)


def _move_turns(book: OperationContext, source: CardState, target: CardState, turns: Sequence[RecordedTurn]) -> None:
    arrived = {derive_moved_turn_id(book, target, turn): turn for turn in turns}
    judged = judge_card(target, {**target.turns, **{key: replace(turn, id=key) for key, turn in arrived.items()}})
    if judged.problems:
        raise CannotMerge([], judged.problems, target.contest.ruleset.game.key)
    if turns:
        transfer_turns(book, source, target, turns)
        move_repeats(book, source.chain, target.chain, {turn.id: key for key, turn in arrived.items()})


def _lock_contests(actor: Actor) -> list[Contest]:
    """Return the event's contests, locked: no card is started meanwhile, for that takes the row of its contest."""
    return list(Contest.objects.select_for_update(no_key=True).filter(event_id=actor.event_id).order_by("pk"))


def _has_entries(bike: Bike) -> bool:
    """Return whether anything but its registration was sent for the bike, also what waits in review."""
    about = Q(body__bike=str(bike.pk)) | Q(body__to_bike=str(bike.pk)) | Q(body__into=str(bike.pk))
    return Operation.objects.filter(about, event_id=bike.event_id).exclude(kind="register_bike").exists()


def _get_own_bike(actor: Actor, bike_id: UUID) -> Bike:
    bike = Bike.objects.filter(pk=bike_id, event_id=actor.event_id, merged_into=None).first()
    if bike is None:
        raise NotAllowed(bike_id)
    return bike


def _is_same_registration(actor: Actor, bike: Bike, walk_up: WalkUp) -> bool:
    """Return whether a bike that has the id is the one that is registered; False where it is somebody else's."""
    if bike.event_id != actor.event_id:
        raise NotAllowed(walk_up.id)
    registered = Operation.objects.filter(event_id=actor.event_id, kind="register_bike", body__bike=str(walk_up.id))
    if any(matches_operation(known, known.kind, known.actor_id, walk_up.to_body()) for known in registered):
        return True
    if any(known.actor_id == actor.id for known in registered):
        raise IdReused(walk_up.id)
    return False


def _check_fields(row: Model) -> None:
    """Raise `Unreadable` where a value is beyond what its column holds, however it came here."""
    try:
        row.clean_fields(exclude=("event", "group", "bike", "merged_into"))
    except ValidationError as error:
        raise MalformedOperation(*error.messages) from error


def _make_number_data(bike: Bike) -> dict[str, Any]:
    return {"bike": str(bike.pk), "number": bike.number, "suffix": bike.suffix}
