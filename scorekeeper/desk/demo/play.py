"""Plays the demo ride up to a point, the way crews and the organiser do it: every step is an operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from uuid import uuid4

from scorekeeper.bikes.models import Bike
from scorekeeper.desk.demo.ride import DemoRide
from scorekeeper.desk.demo.script import BikeLine, Script, Step
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import ReviewItem, Turn
from scorekeeper.scorecards.played import card_id_for
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.bikes import WalkUp, register_bike, renumber_bike
from scorekeeper.scorecards.services.corrections import Target, amend_turns
from scorekeeper.scorecards.services.review import settle_review
from scorekeeper.scorecards.services.turns import TurnNote, record_turn
from scorekeeper.standings.services.closing import close_contest
from scorekeeper.standings.services.cutting import cut_cards
from scorekeeper.standings.services.follow import follow_contest
from scorekeeper.standings.services.publishing import publish_contest

POINTS = ("setup", "ozwelds", "parks", "bbq", "finale", "closed", "cut", "published")
SLOTS_PLAYED = {"setup": 0, "ozwelds": 1, "parks": 2, "bbq": 3}  # from the finale on, all of them


def play_ride(ride: DemoRide, script: Script, until: str) -> None:
    """Note every turn up to the point, and from the finale on do what the organiser does.

    Args:
        until: one of `POINTS`.

    Raises:
        AssertionError: a note of the file did not become what the file says of it.
    """
    for slot in sorted(script.steps)[: SLOTS_PLAYED.get(until, len(script.steps))]:
        repeat = None
        for step in script.steps[slot]:
            repeat = _play(ride, step, repeat)
    reached = POINTS.index(until)
    if reached >= POINTS.index("closed"):
        _close(ride, script.finale)
    if reached >= POINTS.index("cut"):
        for cut in script.finale["cuts"]:
            cards = {ride.bikes[bike].pk: card for bike, card in _pairs(cut)}
            cut_cards(ride.desk, uuid4(), ride.contest.pk, cards)
    if reached >= POINTS.index("published"):
        publish_contest(ride.desk, uuid4(), ride.contest.pk)
    follow_contest(ride.contest.pk)


@dataclass(frozen=True)
class _Sent:
    """An operation that can be sent again, and what it was answered."""

    actor: Actor
    operation: Any
    note: TurnNote
    receipt: Receipt


def _play(ride: DemoRide, step: Step, last: _Sent | None) -> _Sent | None:
    if step.kind == "again":
        assert last is not None
        assert record_turn(last.actor, last.operation, last.note) == last.receipt
        return last
    if step.kind == "walk-up":
        _register(ride, step)
        return None
    if step.kind == "correct":
        _correct(ride, step)
        return None
    return _note(ride, step)


def _note(ride: DemoRide, step: Step) -> _Sent:
    note = TurnNote(
        ride.contest.pk,
        ride.bikes[step.bike].pk,
        ride.slots[step.slot].pk,
        tuple(step.actions or ()),
        dice_set_id=ride.dice_sets[step.who].pk,
        reason=step.reason,
    )
    actor, operation = ride.crew[step.who], uuid4()
    receipt = record_turn(actor, operation, note)
    assert receipt.is_applied == (step.kind == "note"), (step, receipt)
    return _Sent(actor, operation, note, receipt)


def _register(ride: DemoRide, step: Step) -> None:
    line, actor = cast(BikeLine, step.walk_up), ride.crew[step.who]
    rider, *others = line.people
    walk_up = WalkUp(uuid4(), line.number, actor.group_id, rider, " & ".join(others), line.make, line.model)
    register_bike(actor, uuid4(), walk_up)
    bike = Bike.objects.get(pk=walk_up.id)
    ride.bikes[bike.label.replace(" ", "")] = bike


def _correct(ride: DemoRide, step: Step) -> None:
    bike = ride.bikes[step.bike]
    turn = Turn.objects.get(card_id=card_id_for(ride.contest.pk, bike.pk), slot=ride.slots[step.slot])
    target = Target(turn.pk, turn.seq, step.actions)
    receipt = amend_turns(ride.crew[step.who], uuid4(), ride.contest.pk, bike.pk, [target], step.reason)
    assert receipt.is_applied, receipt


def _close(ride: DemoRide, finale: Mapping[str, Any]) -> None:
    for item in ReviewItem.objects.filter(contest=ride.contest, settled_at=None):
        settle_review(ride.desk, uuid4(), item.pk, finale["settle"]["decision"], finale["settle"]["reason"])
    renumber = finale["renumber"]
    renumber_bike(ride.desk, uuid4(), ride.bikes[renumber["bike"]].pk, renumber["number"], renumber["reason"])
    close_contest(ride.desk, uuid4(), ride.contest.pk, finale["close"])


def _pairs(cut: str) -> list[tuple[str, str]]:
    return [cast(tuple[str, str], tuple(part.split())) for part in cut.split(", ")]
