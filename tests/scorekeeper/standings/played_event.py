"""The demo ride with everything it lacks by default, for tests of `manage.py verify`."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from uuid import UUID, uuid4

from django.core.management import call_command

from scorekeeper.agreements.services import SeenCard, agree
from scorekeeper.check_in.services import add_item, check_bike
from scorekeeper.crew.models import CrewMember
from scorekeeper.events.models import Contest, Event, Organiser
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.services import PrizeSettings, add_prize, decide_award
from scorekeeper.scorecards.models import Scorecard, Turn
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.bike_operations import WalkUp, merge_bikes, register_bike
from scorekeeper.scorecards.services.bike_unmerge import unmerge_bikes
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.non_starters import mark_did_not_start
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.stops.models import Slot
from scorekeeper.tables.services import create_tables, withdraw_table
from tests.scorekeeper.scorecards.conftest import make_actor as make_phone_actor


def play_event() -> Event:
    """The demo ride with everything it lacks by default: published twice, with new entries under review."""
    call_command("demo", until="published", stdout=StringIO())
    event = Event.objects.get(name="Tail Light Run")
    desk = Actor.from_organiser(Organiser.objects.get(event=event))
    contest = event.contests.get(game_key="rock-yahtzee")
    phone = make_phone_actor(CrewMember.objects.get(group__event=event, role=CrewMember.Role.ROAD_CAPTAIN, name="Dora"))
    reopen_contest(desk, uuid4(), contest.pk, "two cards turned up")
    _record_conflicts(contest, phone, desk)
    _correct(event, contest, desk)
    _check_in(event, desk)
    _agree(event, contest, desk)
    Contest.objects.filter(pk=contest.pk).update(groups_by=Contest.GroupsBy.BEST)
    _award(event, contest, desk)
    close_contest(desk, uuid4(), contest.pk, "now all is in")
    publish_contest(desk, uuid4(), contest.pk, "the last one waits for Ida")
    _play_at_tables(event, desk, phone)
    for every_contest in Contest.objects.all():
        refresh_standings(every_contest.pk)
    return event


def _correct(event: Event, contest: Contest, desk: Actor) -> None:
    """Void a turn, move one to a walk-up's card, merge two bikes, and retire one."""
    first, second, third = Turn.objects.filter(card__contest=contest, slot__ordinal=5).order_by("points", "pk")[:3]
    first_bike, second_bike, third_bike = map(get_bike_id, (first, second, third))
    amend_turns(desk, uuid4(), contest.pk, first_bike, [CorrectionTarget(first.pk, first.seq, None)], "not rolled")
    walk_up = WalkUp(uuid4(), 777, None, "Nell", "", "BMW", "R 18")
    register_bike(desk, uuid4(), walk_up)
    move_turn(desk, uuid4(), contest.pk, second_bike, walk_up.id, second.pk, second.seq, "the wrong bike")
    merge_bikes(desk, uuid4(), walk_up.id, second_bike, "the same bike after all")
    unmerge_bikes(desk, uuid4(), walk_up.id, "two of them")
    merge_bikes(desk, uuid4(), walk_up.id, second_bike, "no, one")
    retire_bike(desk, uuid4(), contest.pk, third_bike, "engine gone")


def _check_in(event: Event, desk: Actor) -> None:
    """Tick two items for some bikes, untick one again, and mark two bikes as not started, one of them by mistake."""
    items = [add_item(event, name) for name in ("Present", "Paid")]
    bikes = list(event.bikes.filter(merged_into=None).order_by("number", "suffix")[:4])
    for item in items:
        for bike in bikes:
            check_bike(desk, uuid4(), bike.pk, item.pk, is_checked=True)
    check_bike(desk, uuid4(), bikes[0].pk, items[1].pk, is_checked=False)
    for number in (801, 802):
        walk_up = WalkUp(uuid4(), number, None, "Nia", "", "BMW", "")
        register_bike(desk, uuid4(), walk_up)
        mark_did_not_start(desk, uuid4(), walk_up.id, value=True, reason="a flat tyre")
    mark_did_not_start(desk, uuid4(), walk_up.id, value=False)


def _agree(event: Event, contest: Contest, desk: Actor) -> None:
    """Agree to some cards, to one of them twice, and take one back."""
    bikes = list(event.bikes.filter(merged_into=None).order_by("number", "suffix")[:4])
    for number, bike in enumerate([*bikes, bikes[0]]):
        seen = SeenCard(contest.pk, bike.pk, f"{number:064x}")
        agree(desk, uuid4(), seen, "captain" if number % 2 else "rider")
    agree(desk, uuid4(), SeenCard(contest.pk, bikes[1].pk, f"{1:064x}"), is_agreed=False)


def _award(event: Event, contest: Contest, desk: Actor) -> None:
    """Add prizes by every rule, and give one by hand."""
    stop = contest.slots.filter(ordinal=2).values_list("stop", flat=True).get()
    for rule in Prize.Rule.values:
        place, best_of = (2 if rule == "place" else None), (3 if rule == "best_group" else None)
        stop_id = stop if rule in ("best_roll", "worst_roll", "most_improved") else None
        settings = PrizeSettings(contest, f"A prize, {rule}", "A sponsor", rule, place, stop_id, best_of)
        if rule == "worst_roll":
            settings = replace(settings, ties="first")
        if rule == "most_of_face":
            settings = replace(settings, face=3)
        if rule == "drawn_number":
            settings = replace(settings, number_from=1, number_to=200, number_drawn=60)
        add_prize(desk, event, uuid4(), settings)
    by_hand = Prize.objects.get(contest=contest, name="A prize, by_hand")
    bike = event.bikes.filter(merged_into=None).order_by("pk").values_list("pk", flat=True)[0]
    decide_award(desk, uuid4(), by_hand, (), [bike], "the oldest bike")


def _record_conflicts(contest: Contest, phone: Actor, desk: Actor) -> None:
    """Record two conflicting entries: the organiser accepts one, and the other stays under review."""
    slot = Slot.objects.get(contest=contest, ordinal=1)
    turns = Turn.objects.filter(card__contest=contest, slot=slot, card__seats__bike__group=phone.group_id)
    for turn in turns.exclude(line="chance").order_by("pk")[:2]:
        turn_input = TurnInput(
            contest.pk, get_bike_id(turn), slot.pk, [{"type": "paper", "box": turn.line, "points": 0}]
        )
        assert record_turn(phone, uuid4(), turn_input).review_id is not None
    item = ReviewItem.objects.filter(contest=contest, settled_at=None).first()
    assert item is not None
    decide_review(desk, uuid4(), item.pk, ReviewItem.Decision.APPLY, "the paper card says so")


def _play_at_tables(event: Event, desk: Actor, phone: Actor) -> None:
    """Withdraw a table, send an entry at another one to review, and publish a contest."""
    contest = event.contests.get(game_key="rogue")
    card = Scorecard.objects.filter(contest=contest).order_by("pk").first()
    assert card is not None
    late = NewAction(card.pk, 1, [{"type": "bank"}])
    assert record_action(phone, uuid4(), late).review_id is not None
    players = list(event.players.order_by("pk")[:2].values_list("pk", flat=True))
    created = create_tables(desk, uuid4(), event.contests.get(game_key="drag-rage").pk, [players])
    withdraw_table(desk, uuid4(), UUID(created.entries[0]["chain"]), "nobody came")
    close_contest(desk, uuid4(), contest.pk, "dinner")
    publish_contest(desk, uuid4(), contest.pk, "one waits")


def get_bike_id(turn: Turn) -> UUID:
    bike_id = turn.card.seats.get().bike_id
    assert bike_id is not None
    return bike_id
