"""Operations on bikes: registering a walk-up and undoing that, renumbering, and merging two entries of the same bike.

They write to the event's chain, which has numbers and ids and never names. A number that is already taken is given
again with a suffix, so that nobody at a stop has to sort it out; the organiser merges or renumbers later.

Once anything is recorded, the operation that registers a walk-up writes its classes into the log, as a correction does
(`class_changes`). Before that they are settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import Max, Model, Q, QuerySet

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.numbers import BikeNumber
from scorekeeper.bikes.services import update_sheets
from scorekeeper.common.names import clean_name
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Operation, ReviewItem, UncheckedPeople
from scorekeeper.ledger.operation_body import matches_operation
from scorekeeper.ledger.problem_messages import problems_to_data
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import (
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
from scorekeeper.ledger.withdrawals import was_withdrawn
from scorekeeper.players.class_settings import write_classes
from scorekeeper.players.models import EventClass, Player
from scorekeeper.players.services import BikeInUse, delete_walk_up
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.card_kinds import CARD_KINDS
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.fold import RecordedTurn, sort_by_slot
from scorekeeper.scorecards.models import Scorecard
from scorekeeper.scorecards.services.cards import create_card, load_cards_for_update
from scorekeeper.scorecards.services.class_changes import ClassChange, record_class_changes
from scorekeeper.scorecards.services.moves import derive_moved_turn_id, transfer_turns
from scorekeeper.scorecards.services.repeats import move_repeats
from scorekeeper.scorecards.services.sheet_sales import find_sheet_holders, move_sheets


class CannotMerge(RecordingError):
    """The two bikes' cards do not fit together.

    Attributes:
        slot_ids: the slots for which both have a turn.
        problems: why the rules do not allow the turns on one card, as data.
        game_key: the game whose rules those are.
    """

    def __init__(self, slot_ids: Sequence[UUID], problems: Sequence[Mapping[str, Any]] = (), game_key: str = ""):
        super().__init__(slot_ids)
        self.slot_ids = tuple(slot_ids)
        self.problems = tuple(problems)
        self.game_key = game_key


@dataclass(frozen=True, slots=True)
class WalkUp:
    """A bike that turns up at the ride without being on the list. The phone makes the `id`."""

    id: UUID
    number: BikeNumber
    group_id: UUID | None
    rider: str = ""
    passenger: str = ""
    make: str = ""
    model: str = ""
    class_ids: frozenset[UUID] = frozenset()

    @property
    def texts(self) -> tuple[str, ...]:
        """What a person has typed about the bike and the people on it."""
        return self.rider, self.passenger, self.make, self.model

    def to_body(self) -> dict[str, Any]:
        """Return the operation's body."""
        group = None if self.group_id is None else str(self.group_id)
        body: dict[str, Any] = {
            "bike": str(self.id),
            "number": self.number,
            "group": group,
            "rider": self.rider,
            "passenger": self.passenger,
            "make": self.make,
            "model": self.model,
        }
        # Without classes it is what older versions sent, so it has the same digest.
        return {**body, "classes": sorted(map(str, self.class_ids))} if self.class_ids else body


def register_bike(actor: Actor, operation_id: UUID, walk_up: WalkUp) -> Receipt:
    """Register a bike. The receipt's data has the number and suffix it got.

    If the phone was revoked or has expired, the bike has no names and no texts until the organiser accepts them, and no
    classes until the organiser gives it some. A class that was deleted meanwhile is left out.

    The same registration under another operation id, as from a form that was submitted twice, is the same bike.

    Raises:
        NotAllowed: the group, the bike or a class belongs to another event.
        IdReused: the actor has used the operation's id or the bike's for something else, or undone the registration.
        MalformedOperation: a number or a name is out of range or too long, or the bike's id is of version 5, which is
            reserved for ids that follow from others.
    """

    def handle(context: OperationContext) -> OperationResult:
        chain = context.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        _check_ids(actor, walk_up)
        class_ids = frozenset() if actor.needs_review else _find_classes(actor, walk_up)
        existing = Bike.entrants.filter(pk=walk_up.id).first()
        if existing is not None and not _is_same_registration(actor, existing, walk_up):
            # Someone else has used the bike's id: this bike gets another one, and the organiser sees two bikes.
            bike.id = derive_own_id(actor, walk_up.id)
            for player in players:
                player.bike = bike
            existing = Bike.objects.filter(pk=bike.id).first()
        if existing is not None:
            return OperationResult(Operation.Outcome.MERGED, data=_make_number_data(existing))
        if was_withdrawn(actor.event_id, bike.id):
            raise IdReused(bike.id)  # its registration was undone, so this comes from an old page
        bike.suffix = find_next_suffix(bike)
        bike.save(force_insert=True)
        Player.objects.bulk_create(players)
        context.append(chain, "register_bike", data=_make_number_data(bike), numbers=[bike])
        if class_ids:
            _give_classes(context, chain, bike, class_ids)
        if actor.needs_review and any(walk_up.texts):
            unchecked = UncheckedPeople(operation_id=context.operation_id, bike=bike, rider=rider, passenger=passenger)
            context.after_insert(lambda: unchecked.save(force_insert=True))
        return OperationResult(Operation.Outcome.RECORDED, data=_make_number_data(bike))

    bike = Bike(
        id=walk_up.id,
        event_id=actor.event_id,
        number=walk_up.number,
        group_id=walk_up.group_id,
        make=clean_name(walk_up.make),
        model=clean_name(walk_up.model),
        is_walk_up=True,
    )
    # The operation keeps what the phone has signed.
    rider, passenger = clean_name(walk_up.rider), clean_name(walk_up.passenger)
    names = [(rider, Player.Role.RIDER), (passenger, Player.Role.PASSENGER)]
    players = [Player(event_id=actor.event_id, bike=bike, name=name, role=role) for name, role in names if name]
    _check_fields(bike)
    for player in players:
        _check_fields(player)
    if actor.needs_review:
        # Its turns go to review and need a bike. Only the organiser sees texts that nobody has checked, and can add
        # them to the bike (`unchecked_people`).
        bike.make, bike.model, players = "", "", []

    return record(operation_id, "register_bike", actor, walk_up.to_body(), handle)


def _find_classes(actor: Actor, walk_up: WalkUp) -> frozenset[UUID]:
    """Return the classes that there still are."""
    if not walk_up.class_ids:
        return frozenset()
    events = dict(EventClass.objects.filter(pk__in=walk_up.class_ids).values_list("pk", "event_id"))
    foreign = [class_id for class_id, event_id in events.items() if event_id != actor.event_id]
    if foreign:
        raise NotAllowed(foreign[0])
    return frozenset(events)


def _give_classes(context: OperationContext, chain: Chain, bike: Bike, class_ids: frozenset[UUID]) -> None:
    contests = _lock_contests(bike.event_id)
    change = ClassChange("bike", bike.pk, frozenset(), class_ids)
    if any(contest.frozen_at is not None for contest in contests):
        record_class_changes(context, chain, contests, [change])
    else:
        write_classes(change.column, bike.pk, change.before, change.after)


def withdraw_bike(actor: Actor, operation_id: UUID, bike_id: UUID) -> Receipt:
    """Undo the registration of a walk-up for which nothing was recorded: delete the bike and its people.

    If something was recorded, perhaps on another phone, or if the bike is already deleted, nothing happens (the outcome
    is "merged").

    Raises:
        UnknownTarget: no such bike was registered here.
        NotAllowed: someone else registered it.
    """

    def handle(context: OperationContext) -> OperationResult:
        chain = context.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        _lock_contests(actor.event_id)
        registration = _list_registrations(actor.event_id).filter(receipt__data__bike=str(bike_id)).first()
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
        context.append(chain, "withdraw_bike", data=data)
        return OperationResult(Operation.Outcome.RECORDED, data=data)

    return record(operation_id, "withdraw_bike", actor, {"bike": str(bike_id)}, handle)


def has_registered(actor: Actor, bike_id: UUID) -> bool:
    """Return whether the actor registered this walk-up."""
    registrations = _list_registrations(actor.event_id)
    return registrations.filter(actor_id=actor.id, receipt__data__bike=str(bike_id)).exists()


def _list_registrations(event_id: UUID) -> QuerySet[Operation]:
    return Operation.objects.filter(event_id=event_id, kind="register_bike", outcome=Operation.Outcome.RECORDED)


def renumber_bike(actor: Actor, operation_id: UUID, bike_id: UUID, number: BikeNumber, reason: str) -> Receipt:
    """Give a bike another number, with the next suffix if that number is taken too.

    Raises:
        NotAllowed: the bike belongs to another event, or the actor is not an organiser.
        MalformedOperation: the number is out of range.
    """
    body = {"bike": str(bike_id), "number": number, "reason": reason}

    def handle(context: OperationContext) -> OperationResult:
        chain = context.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        bike = _get_own_bike(actor, bike_id)
        bike.number = number
        _check_fields(bike)
        bike.suffix = find_next_suffix(bike)
        bike.save(update_fields=["number", "suffix"])
        update_sheets(bike)
        context.append(chain, "renumber_bike", data=_make_number_data(bike), numbers=[bike])
        return OperationResult(Operation.Outcome.RECORDED, data=_make_number_data(bike))

    return record(operation_id, "renumber_bike", actor, body, handle, reason)


def merge_bikes(actor: Actor, operation_id: UUID, bike_id: UUID, into_id: UUID, reason: str) -> Receipt:
    """Merge a bike into another: its turns and seats become the other's, and its id becomes an alias.

    Its review items move to the other bike too.

    Raises:
        CannotMerge: both have a turn for the same slot, the rules do not allow their turns on one card, both have a
            table in a contest that allows only one, or it is the same bike.
        ReasonRequired: there is no reason.
        NotAllowed: one of the bikes belongs to another event, or the actor is not an organiser.
    """
    body = {"bike": str(bike_id), "into": str(into_id), "reason": reason}

    def handle(context: OperationContext) -> OperationResult:
        chain = context.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)  # one merge at a time
        event_contests = _lock_contests(actor.event_id)
        bike, into = _get_own_bike(actor, bike_id), _get_own_bike(actor, into_id)
        if bike == into:
            raise CannotMerge([])
        by_kind = [(kind, [contest for contest in event_contests if kind.covers(contest)]) for kind in CARD_KINDS]
        problems = [problem for kind, own in by_kind for problem in kind.list_merge_problems(own, bike, into)]
        if problems:
            raise CannotMerge([], problems_to_data(problems))
        for kind, own in by_kind:
            kind.merge_bikes(context, own, bike, into)
        holders = find_sheet_holders(bike, into)
        players = list(Player.objects.filter(bike=bike).order_by("pk").values_list("pk", flat=True))
        Player.objects.filter(pk__in=players).update(bike=into)
        Bike.objects.filter(merged_into=bike).update(merged_into=into)
        bike.merged_into = into
        bike.save(update_fields=["merged_into"])
        # Undoing the merge needs to know who came with the bike. The cards' logs have everything else that moved.
        moved: dict[str, Any] = {"bike": str(bike_id), "into": str(into_id), "players": [str(pk) for pk in players]}
        sheets = move_sheets(bike, into, holders)
        moved |= sheets.to_data()
        if sheets.moved or sheets.renumbered:
            for contest in event_contests:
                context.mark_stale(contest.pk)
        context.append(chain, "merge_bikes", data=moved)
        return RECORDED

    check_reason(reason)
    return record(operation_id, "merge_bikes", actor, body, handle, reason)


def find_next_suffix(bike: Bike) -> int:
    """Return the suffix that tells a bike from others with the same number: 1 if there are none."""
    others = Bike.objects.filter(event_id=bike.event_id, number=bike.number, merged_into=None).exclude(pk=bike.pk)
    highest: int | None = others.aggregate(highest=Max("suffix"))["highest"]
    return (highest or 0) + 1


def merge_turn_cards(context: OperationContext, contests: Sequence[Contest], bike: Bike, into: Bike) -> None:
    """Move the turns of a bike to the cards of another, in contests whose turns are recorded at the stops.

    Raises:
        CannotMerge: both have a turn for the same slot, or the rules do not allow their turns on one card.
    """
    cards = Scorecard.objects.filter(seats__bike_id=bike.pk, contest__in=contests)
    contest_ids = list(cards.values_list("contest_id", flat=True).order_by("contest"))
    for contest_id in contest_ids:
        create_card(context, contest_id, into.pk)
    pairs = [(derive_card_id(contest, bike.pk), derive_card_id(contest, into.pk)) for contest in contest_ids]
    cards_by_id = load_cards_for_update(context, [card for pair in pairs for card in pair])
    for source, target in pairs:
        _merge_cards(context, cards_by_id[source], cards_by_id[target])
    for contest_id in contest_ids:
        # The first bike no longer has a place in the standings, even if it had no turns to move.
        context.mark_stale(contest_id)


def _merge_cards(context: OperationContext, source: BikeCard, target: BikeCard) -> None:
    # If both retired, the target's retirement is enough.
    turns = [turn for turn in sort_by_slot(source.contest, source.turns) if turn.slot_id or not target.get_turn(None)]
    taken = [turn.slot_id for turn in turns if turn.slot_id and target.get_turn(turn.slot_id)]
    if taken:
        raise CannotMerge(taken)
    _move_turns(context, source, target, turns)
    context.get_chain(source.id).is_alias = True

    def update_rows() -> None:
        Chain.objects.filter(pk=source.id).update(is_alias=True)
        ReviewItem.objects.filter(card_id=source.id, settled_at=None).update(card_id=target.id)

    context.after_insert(update_rows)


def _move_turns(context: OperationContext, source: BikeCard, target: BikeCard, turns: Sequence[RecordedTurn]) -> None:
    arrived = {derive_moved_turn_id(context, target, turn): turn for turn in turns}
    judged = target.judge({**target.turns, **{key: replace(turn, id=key) for key, turn in arrived.items()}})
    if judged.problems:
        raise CannotMerge([], judged.problems, target.contest.ruleset.game.key)
    if turns:
        transfer_turns(context, source, target, turns)
        move_repeats(context, source.id, target.id, {turn.id: key for key, turn in arrived.items()})


def _lock_contests(event_id: UUID) -> list[Contest]:
    """Return the event's contests, locked. Creating a card locks its contest's row, so no card is created meanwhile."""
    return list(Contest.objects.select_for_update(no_key=True).filter(event_id=event_id).order_by("pk"))


def _has_entries(bike: Bike) -> bool:
    """Return whether anything but its registration was sent for the bike, including entries under review."""
    about = Q(body__bike=str(bike.pk)) | Q(body__to_bike=str(bike.pk)) | Q(body__into=str(bike.pk))
    return Operation.objects.filter(about, event_id=bike.event_id).exclude(kind="register_bike").exists()


def _get_own_bike(actor: Actor, bike_id: UUID) -> Bike:
    bike = Bike.objects.filter(pk=bike_id, event_id=actor.event_id, merged_into=None).first()
    if bike is None:
        raise NotAllowed(bike_id)
    return bike


def _check_ids(actor: Actor, walk_up: WalkUp) -> None:
    if walk_up.id.version == 5:
        raise MalformedOperation(walk_up.id)  # these are derived here, such as those of further sheets
    if walk_up.group_id and not Group.objects.filter(pk=walk_up.group_id, event_id=actor.event_id).exists():
        raise NotAllowed(walk_up.group_id)


def _is_same_registration(actor: Actor, bike: Bike, walk_up: WalkUp) -> bool:
    """Return whether the bike with this id comes from the same registration; False if someone else registered it."""
    if bike.event_id != actor.event_id:
        raise NotAllowed(walk_up.id)
    registered = Operation.objects.filter(event_id=actor.event_id, kind="register_bike", body__bike=str(walk_up.id))
    if any(
        matches_operation(operation, operation.kind, operation.actor_id, walk_up.to_body()) for operation in registered
    ):
        return True
    if any(operation.actor_id == actor.id for operation in registered):
        raise IdReused(walk_up.id)
    return False


def _check_fields(row: Model) -> None:
    """Raise `MalformedOperation` if a value does not fit its column, wherever it came from."""
    try:
        row.clean_fields(exclude=("event", "group", "bike", "merged_into"))
    except ValidationError as error:
        raise MalformedOperation(*error.messages) from error


def _make_number_data(bike: Bike) -> dict[str, Any]:
    return {"bike": str(bike.pk), "number": bike.number, "suffix": bike.suffix}
