"""The context of a page about a bike's card: the actor, the bike and the contest, for the crew and for organisers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, cast
from uuid import UUID, uuid4

from django.http import Http404
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.game import Ruleset
from games.core.sheet import Turn as TurnResult
from scorekeeper.bikes.models import Bike, label_bike
from scorekeeper.bikes.selectors import list_sheets_of_bike
from scorekeeper.common.labels import label_value
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.crew.access import CrewRequest
from scorekeeper.crew.models import DiceSet
from scorekeeper.crew.selectors import list_dice_sets
from scorekeeper.crew.session_choices import DICE_SET_KEY
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.sheet_setting import sells_sheets
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.problem_messages import explain
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.usual_reasons import MISREAD, WRONG_BOX
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.display_names import (
    format_bike,
    format_damage_notice,
    format_result,
    format_total,
    label_slots,
)
from scorekeeper.scorecards.fold import RecordedTurn, TurnChange, Turns
from scorekeeper.scorecards.open_turn import find_open_turn
from scorekeeper.scorecards.recorded_card import judge_changes
from scorekeeper.scorecards.selectors.cards import (
    ContestAtStops,
    find_contest_and_bike,
    find_contest_at_stops,
    get_bike,
    get_card,
    list_contests_at_stops,
    list_slots,
)
from scorekeeper.scorecards.selectors.group import get_riders
from scorekeeper.scorecards.selectors.history import get_card_history
from scorekeeper.scorecards.selectors.sheet_offers import SheetOffer, get_sheets_contest_name, list_sheet_offers
from scorekeeper.scorecards.services.cards import check_can_record
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns, list_touched_stops
from scorekeeper.scorecards.turn_draft import dump_actions_field, reopen_turn
from scorekeeper.scorecards.turn_form_presenter import present_sheet
from scorekeeper.scorecards.views.page_context import Obstacle, PageContext, PageWording, add_query
from scorekeeper.stops.models import Slot


@dataclass(frozen=True)
class CardContext(PageContext):
    """A bike's card in a contest, and the person who has it open.

    Attributes:
        riders: the people on the bike; read when a page names them.
        card: its state at the time of the request; it is not locked.
        contest_label: the name of the contest, for the crew of an event with several; else "".
    """

    bike: Bike
    riders: str
    slots: Mapping[UUID, Slot]
    card: BikeCard
    contest_label: str = ""

    wording = PageWording(
        changed=gettext_lazy("The scorecard has changed"),
        gone=gettext_lazy("This turn no longer counts. Someone has changed the scorecard."),
        history=gettext_lazy("Scorecard history"),
        entries=gettext_lazy("Current entries"),
        correct=gettext_lazy("Correct"),
        void=gettext_lazy("Void a turn"),
        void_effect=gettext_lazy(
            "The turn will no longer count. It stays in the log, and the turn can be recorded again."
        ),
    )
    entry_page = "card"
    target_field = "turn"
    history_template = "scorecards/_history_turns.html"
    usual_reasons = (("misread", MISREAD), ("wrong_box", WRONG_BOX))

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the contest."""
        return self.contest.ruleset

    @property
    def name(self) -> str:
        """The bike's name in messages."""
        return format_bike(self.bike, self.riders)

    @cached_property
    def sheet_offers(self) -> Sequence[SheetOffer]:
        """The further sheets of the bike that can be sold."""
        return list_sheet_offers(self.contest, self.bike)

    @cached_property
    def sheets_contest_name(self) -> str:
        """The name of the contest where another one has several sheets of a bike, too; else ""."""
        return get_sheets_contest_name(self.contest)

    @property
    def real_bike_label(self) -> str:
        """The number of the bike, also on one of its further sheets."""
        return label_bike(self.bike.number, self.bike.suffix)

    @property
    def recorded(self) -> Turns:
        """The turns at stops; a retirement has a page of its own."""
        return {turn.id: turn for turn in self.card.turns.values() if turn.slot_id is not None}

    @property
    def is_damaged(self) -> bool:
        """Whether the log cannot be read to its end."""
        return self.card.damaged_from is not None

    @property
    def is_sealed(self) -> bool:
        """Whether the contest is closed."""
        return self.card.is_sealed

    @property
    def may_correct(self) -> bool:
        """Always, unless the log is damaged: once a contest is closed, the organiser decides on what is sent."""
        return not self.is_damaged

    @property
    def frame(self) -> tuple[str, Mapping[str, Any]]:
        """The frame with the bike's number and riders."""
        template = "scorecards/desk_page.html" if self.actor.is_organiser else "scorecards/bike_page.html"
        return template, {"card_context": self, "card_url": self.get_url("card")}

    @cached_property
    def slot_names(self) -> Mapping[UUID, str]:
        """The name of every slot, by id."""
        return label_slots(self.slots.values())

    def list_free_slots(self) -> list[tuple[UUID, str]]:
        """Return the slots without a turn, with their names, in the order of play."""
        return [(slot, name) for slot, name in self.slot_names.items() if self.card.get_turn(slot) is None]

    def list_slots_at_same_stop(self, slot_id: UUID) -> list[Slot]:
        """Return all slots of the stop that the slot belongs to, in order."""
        return [slot for slot in self.slots.values() if slot.stop_id == self.slots[slot_id].stop_id]

    def describe(self, recorded: RecordedTurn) -> str:
        """Return the result of one of the card's turns: "Small straight, 30 points"."""
        return self.format_result(self.card.fold.results.get(recorded.id))

    def format_result(self, result: TurnResult | None) -> str:
        """Return the result of a turn of this game in words."""
        return format_result(self.ruleset.game, result)

    def name_recorded(self, several: Sequence[RecordedTurn]) -> str:
        """Return turns with their stops: "Parks: Small straight, 30 points"."""
        return ", ".join(label_value(self._get_slot_name(turn), self.describe(turn)) for turn in several)

    def describe_undone(self, recorded: RecordedTurn) -> str:
        """Return that the turn's stop has no turn now."""
        return _("Undone. %(stop)s is empty again.") % {"stop": self._get_slot_name(recorded)}

    def _get_slot_name(self, turn: RecordedTurn) -> str:
        assert turn.slot_id is not None
        return self.slot_names[turn.slot_id]

    def list_with_later(self, recorded: RecordedTurn) -> list[RecordedTurn]:
        """Return the turn alone: the turns of a card are voided one by one."""
        return [recorded]

    def find_undoable(self, recorded_id: UUID | None) -> RecordedTurn | None:
        """Return any turn that still counts: later turns do not depend on when it was recorded."""
        return None if recorded_id is None else self.recorded.get(recorded_id)

    def find_obstacle(self, several: Sequence[RecordedTurn]) -> Obstacle | None:
        """Return the turn that the rules would not allow. It can be corrected together with these."""
        changes = [TurnChange(turn.id, None) for turn in several]
        problems = judge_changes(self.card, changes).problems
        if not problems:
            return None
        sentence = explain(self.contest.game_key, problems[0])
        return Obstacle(sentence, self.get_url("correct"), _("Correct several turns at once"))

    def amend(self, operation_id: UUID, targets: Sequence[CorrectionTarget], reason: str) -> Receipt:
        """Correct or void turns of the card."""
        contest_id, bike_id = self.contest.pk, self.bike.pk
        takes_over = self.needs_take_over(list_touched_stops(self.card, targets))
        return amend_turns(self.actor, operation_id, contest_id, bike_id, targets, reason, takes_over)

    @property
    def has_dice(self) -> bool:
        """Whether turns of the contest are thrown with dice."""
        return self.contest.has_dice

    @property
    def buy_url(self) -> str:
        """The URL of the page that records what follows the last turn, such as a bought card; "" if nothing can.

        Closing a contest ends every card; what is known later is a correction.
        """
        found = None if self.is_sealed else find_open_turn(self.card)
        return "" if found is None or not self.may_change(found.turn) else self.get_url("buy", turn=found.turn.id)

    def get_move_url(self, recorded: RecordedTurn) -> str:
        """Return the URL of the page that moves a turn to another bike."""
        return self.get_url("move", turn=recorded.id)

    def get_form_url(self, undone: RecordedTurn, receipt: Receipt) -> str:
        """Return the URL of the form as it was before the turn was recorded: its actions without the last."""
        assert undone.slot_id is not None
        before = reopen_turn(self.ruleset, self.card.get_state_before(undone.slot_id), undone.actions)
        query = {
            "slot": undone.slot_id,
            "takes_over": "1" if self.needs_take_over_at(undone.slot_id) else [],
            "mode": before.mode,
            "actions": dump_actions_field(before.actions),
            "held": before.held,
            "dice": before.dice,
        }
        return self.get_url("card", **query)

    def present_history(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the current turns, the score sheet, the entries in review, and the log."""
        damaged_from, state = self.card.damaged_from, self.card.fold.state
        return {
            "damage": "" if damaged_from is None else format_damage_notice(damaged_from),
            "history": get_card_history(self.event, self.card, self.slot_names),
            "sheet_template": "scorecards/_history_sheet.html",
            "sheet": present_sheet(self.contest.game_key, self.ruleset.game.sheet(state), self.card.list_ordinals()),
            "total": format_total(self.ruleset.game, self.ruleset.game.standing(state, 0).total),
            "free_slots": self._list_slots_to_record(),
            **self._present_sheets(),
            "own_turns": [turn_id for turn_id, turn in self.recorded.items() if self.may_change(turn)],
        }

    def _present_sheets(self) -> dict[str, Any]:
        """Return the other scorecards of the bike, and where another one is sold or this one's sale undone."""
        if not sells_sheets(self.contest):
            return {}
        sheets = list_sheets_of_bike(self.contest, self.bike)
        is_open = self.contest.status == Contest.Status.OPEN
        is_unused = self.bike.sheet_of_id is not None and not self.card.length
        return {
            "sheets": [(sheet, replace(self, bike=sheet).get_sheet_url()) for sheet in sheets if len(sheets) > 1],
            "sell_url": self.get_url("sell_sheet") if self.sheet_offers else "",
            "withdraw_sheet_url": self.get_url("withdraw_sheet") if is_unused and is_open else "",
            "withdraw_operation": uuid4(),
        }

    def get_sheet_url(self) -> str:
        """Return the URL of the card of the bike, whichever card the context has."""
        if self.actor.is_organiser:
            card_id = derive_card_id(self.contest.pk, self.bike.pk)
            return reverse("scorecards:desk_card", args=[self.event.slug, card_id])
        return self.get_url("history")

    def may_change(self, turn: RecordedTurn) -> bool:
        """Whether the actor may correct or void a turn."""
        return turn.slot_id is not None and self.may_record_at(turn.slot_id)

    def _list_slots_to_record(self) -> list[tuple[str, str]]:
        """Return the free slots that the organiser may fill: the URL of the form, and the slot's name."""
        if self.is_damaged or not (self.actor.is_organiser and self.event.is_open):
            return []
        return [(self.get_url("note", slot=slot_id), name) for slot_id, name in self.list_free_slots()]

    @property
    def is_foreign(self) -> bool:
        """Whether the bike rides with another group than the crew member's."""
        return not self.actor.is_organiser and self.bike.group_id not in (None, self.actor.group_id)

    @property
    def can_retire(self) -> bool:
        """Whether the actor may retire the bike or bring it back: organisers and its own road captain may."""
        return self.actor.can_record("retire") and not self.is_foreign

    @property
    def did_not_start_url(self) -> str:
        """The URL of the page that marks the bike as not started, or takes the mark back."""
        if self.actor.is_organiser:
            return reverse("scorecards:desk_did_not_start", args=[self.event.slug, self.bike.real_bike_id])
        return reverse("scorecards:did_not_start", args=[self.bike.real_bike_id])

    def needs_take_over(self, stop_ids: Collection[UUID | None]) -> bool:
        """Whether recording turns of the bike at these stops means taking it over from another group."""
        return self.is_foreign and not (self.actor.any_bike_stops and self.actor.any_bike_stops.issuperset(stop_ids))

    def needs_take_over_at(self, slot_id: UUID) -> bool:
        """Whether recording the bike's turn in a slot means taking it over from another group."""
        return self.needs_take_over([self.slots[slot_id].stop_id])

    def may_record_at(self, slot_id: UUID) -> bool:
        """Whether the actor may record the bike's turn in a slot, taking it over if needed."""
        return self.actor.can_take_over or not self.needs_take_over_at(slot_id)

    def get_page_url(self, page: str, query: Mapping[str, object]) -> str:
        """Return the URL of a page about this card: for the crew by its bike, for organisers by the card."""
        if self.actor.is_organiser:
            name = "desk_card" if page in ("card", "history") else f"desk_{page}"
            return add_query(reverse(f"scorecards:{name}", args=[self.event.slug, self.card.id]), query)
        url = reverse(f"scorecards:{page}", args=[self.bike.pk])
        return add_query(url, {"contest": self.contest.pk, **query})

    def reload(self) -> Self:
        """Return the context with the current state of the card."""
        return replace(self, card=self.read_card())

    def read_card(self) -> BikeCard:
        """Read the card again, after it may have changed."""
        return get_card(self.contest, self.slots.values(), self.bike)

    def check_can_record(self, turn_ids: Iterable[UUID] = ()) -> None:
        """Raise `NotAllowed` unless the actor may record on this card: all of these turns, or at one stop at least."""
        stop_ids = [
            self.card.contest.get_stop_id(self.recorded[turn].slot_id) for turn in turn_ids if turn in self.recorded
        ]
        check_can_record(self.actor, self.bike, self.actor.can_take_over, stop_ids)


def get_crew_context(request: CrewRequest, bike_id: UUID) -> CardContext:
    """Return the context of a bike in the phone's event, in the requested contest or else the first.

    Raises:
        Http404: there is no such bike or contest in this event.
    """
    actor, event = Actor.from_device(request.device), request.device.member.group.event
    at_stops = _get_contest_at_stops(event, get_request_data(request).get("contest"))
    try:
        bike = get_bike(event, bike_id)
    except Bike.DoesNotExist:
        raise Http404 from None
    if bike.sheet_contest_id not in (None, at_stops.contest.pk):
        at_stops = _get_contest_at_stops(event, str(bike.sheet_contest_id))  # the only one where it plays
    return _make_card_context(actor, event, at_stops, bike)


def _get_contest_at_stops(event: Event, requested: str | None) -> ContestAtStops:
    contest_id = parse_uuid(requested)
    found = None if contest_id is None else find_contest_at_stops(event, contest_id)
    if found is not None:
        return found
    contests = list_contests_at_stops(event)
    contest = choose_contest(contests, requested)
    if contest is None:
        raise Http404
    return ContestAtStops(contest, list_slots(contest), len(contests) > 1)


def get_organiser_context(actor: Actor, event: Event, card_id: UUID) -> CardContext:
    """Return the context of a card in the organiser's event, even without a turn, or raise `Http404`."""
    found = find_contest_and_bike(event, card_id)
    if found is None:
        raise Http404
    contest, bike = found
    return _make_card_context(actor, event, ContestAtStops(contest, list_slots(contest), False), bike)


def _make_card_context(actor: Actor, event: Event, at_stops: ContestAtStops, bike: Bike) -> CardContext:
    """Return the context, with the card read without a lock."""
    contest, slots, has_others = at_stops
    riders = cast(str, SimpleLazyObject(lambda: get_riders(bike, contest)))
    label = contest.name if has_others else ""
    by_id = {slot.pk: slot for slot in slots}
    return CardContext(actor, event, contest, bike, riders, by_id, get_card(contest, slots, bike), label)


def choose_contest(contests: Sequence[Contest], requested: str | None) -> Contest | None:
    """Return the requested contest; if none is requested, the first; None if there are no contests.

    Raises:
        Http404: the requested contest is not in the list.
    """
    if not requested:
        return contests[0] if contests else None
    chosen = next((contest for contest in contests if str(contest.pk) == requested), None)
    if chosen is None:
        raise Http404
    return chosen


def get_dice_set(request: CrewRequest) -> DiceSet | None:
    """Return the set the phone uses, if it is one of the group's."""
    return get_own_dice_set(request, parse_uuid(request.session.get(DICE_SET_KEY)))


def get_own_dice_set(request: CrewRequest, dice_set_id: UUID | None) -> DiceSet | None:
    """Return a dice set by its id, if it is one of the group's."""
    return list_dice_sets(request.device.member.group).filter(pk=dice_set_id).first() if dice_set_id else None
