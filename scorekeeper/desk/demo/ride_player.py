"""Plays the demo ride up to a stage, as crews and the organiser would: every step is an operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from uuid import uuid4

from scorekeeper.bikes.models import Bike
from scorekeeper.desk.demo.ride_script import BikeLine, RideScript, RideStep
from scorekeeper.desk.demo.ride_setup import DemoRide
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.selectors.awards import preview_awards
from scorekeeper.prizes.services import decide_award
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike, renumber_bike
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.services.card_cuts import record_cut
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings

STAGES = ("setup", "ozwelds", "parks", "bbq", "finale", "closed", "cut", "published")
SLOTS_PLAYED = {"setup": 0, "ozwelds": 1, "parks": 2, "bbq": 3}  # from the finale on, all slots


def play_ride(ride: DemoRide, script: RideScript, until_stage: str) -> None:
    """Record every turn up to the stage, and from the finale on do what the organiser does.

    Args:
        until_stage: one of `STAGES`.

    Raises:
        AssertionError: an entry did not have the outcome that the file says.
    """
    for slot in sorted(script.steps)[: SLOTS_PLAYED.get(until_stage, len(script.steps))]:
        last = None
        for step in script.steps[slot]:
            last = _play_step(ride, step, last)
    reached = STAGES.index(until_stage)
    if reached >= STAGES.index("closed"):
        _close_contest(ride, script.finale)
    if reached >= STAGES.index("cut"):
        for cut in script.finale["cuts"]:
            cards = {ride.bikes[bike].pk: card for bike, card in _parse_cut(cut)}
            record_cut(ride.organiser, uuid4(), ride.contest.pk, cards, script.finale["witness"])
        _decide_awards(ride, script.finale["awards"])
    if reached >= STAGES.index("published"):
        publish_contest(ride.organiser, uuid4(), ride.contest.pk)
    refresh_standings(ride.contest.pk)


@dataclass(frozen=True)
class _RecordedOperation:
    """An operation that can be sent again, and its receipt."""

    actor: Actor
    operation_id: Any
    turn: TurnInput
    receipt: Receipt


def _play_step(ride: DemoRide, step: RideStep, last: _RecordedOperation | None) -> _RecordedOperation | None:
    if step.kind == "again":
        assert last is not None
        assert record_turn(last.actor, last.operation_id, last.turn) == last.receipt
        return last
    if step.kind == "walk-up":
        _register_bike(ride, step)
        return None
    if step.kind == "correct":
        _correct_turn(ride, step)
        return None
    return _record_step(ride, step)


def _record_step(ride: DemoRide, step: RideStep) -> _RecordedOperation:
    turn = TurnInput(
        ride.contest.pk,
        ride.bikes[step.bike].pk,
        ride.slots[step.slot].pk,
        tuple(step.actions or ()),
        dice_set_id=ride.dice_sets[step.who].pk,
        reason=step.reason,
    )
    actor, operation = ride.crew[step.who], uuid4()
    receipt = record_turn(actor, operation, turn)
    assert receipt.is_applied == (step.kind == "record"), (step, receipt)
    return _RecordedOperation(actor, operation, turn, receipt)


def _register_bike(ride: DemoRide, step: RideStep) -> None:
    line, actor = cast(BikeLine, step.walk_up), ride.crew[step.who]
    rider, *others = line.people
    walk_up = WalkUp(uuid4(), line.number, actor.group_id, rider, " & ".join(others), line.make, line.model)
    register_bike(actor, uuid4(), walk_up)
    bike = Bike.objects.get(pk=walk_up.id)
    ride.bikes[bike.label.replace(" ", "")] = bike


def _correct_turn(ride: DemoRide, step: RideStep) -> None:
    bike = ride.bikes[step.bike]
    turn = Turn.objects.get(card_id=derive_card_id(ride.contest.pk, bike.pk), slot=ride.slots[step.slot])
    target = CorrectionTarget(turn.pk, turn.seq, step.actions)
    receipt = amend_turns(ride.crew[step.who], uuid4(), ride.contest.pk, bike.pk, [target], step.reason)
    assert receipt.is_applied, receipt


def _close_contest(ride: DemoRide, finale: Mapping[str, Any]) -> None:
    for item in ReviewItem.objects.filter(contest=ride.contest, settled_at=None):
        decide_review(ride.organiser, uuid4(), item.pk, finale["settle"]["decision"], finale["settle"]["reason"])
    renumber = finale["renumber"]
    renumber_bike(ride.organiser, uuid4(), ride.bikes[renumber["bike"]].pk, renumber["number"], renumber["reason"])
    close_contest(ride.organiser, uuid4(), ride.contest.pk, finale["close"])


def _decide_awards(ride: DemoRide, decisions: Sequence[Mapping[str, Any]]) -> None:
    current = {award.title: award for award in preview_awards(ride.event)}
    for decision in decisions:
        award = current[decision["prize"]]
        tied, winners = [one.id for one in award.tied], [ride.bikes[bike].pk for bike in decision["winners"]]
        prize = Prize.objects.get(pk=award.prize_id)
        decide_award(ride.organiser, uuid4(), prize, tied, winners, decision["reason"])


def _parse_cut(cut: str) -> list[tuple[str, str]]:
    return [cast(tuple[str, str], tuple(part.split())) for part in cut.split(", ")]
