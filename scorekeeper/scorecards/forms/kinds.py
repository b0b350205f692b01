"""The kinds of operation about bikes and their cards that a phone may send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.forms.wire import LONGEST_NAME, REASON, Actions, Flag, Form, Id, Kind, Several, Whole, Words
from scorekeeper.scorecards.services.batch import Alone
from scorekeeper.scorecards.services.bikes import WalkUp, register_bike, withdraw_bike
from scorekeeper.scorecards.services.corrections import Target, amend_turns, move_turn, prepare_retirement
from scorekeeper.scorecards.services.recording import Submission
from scorekeeper.scorecards.services.turns import TurnNote, prepare_turn

Values = Mapping[str, Any]

TARGETS = Several(Form({"turn": Id(), "seq": Whole(1), "actions": Actions(required=False), "slot": Id(required=False)}))


def read_targets(values: Values) -> list[Target]:
    """Return what a correction changes; a turn without actions is voided."""
    return [Target(one["turn"], one["seq"], one["actions"], one["slot"]) for one in values["targets"]]


def _turn(actor: Actor, operation_id: UUID, values: Values) -> Submission:
    note = TurnNote(
        values["contest"],
        values["bike"],
        values["slot"],
        values["actions"],
        values["dice_set"],
        values["takes_over"],
        values["reason"],
    )
    return prepare_turn(actor, operation_id, note)


def _retire(actor: Actor, operation_id: UUID, values: Values) -> Submission:
    return prepare_retirement(actor, operation_id, values["contest"], values["bike"], values["reason"])


def _amend(actor: Actor, operation_id: UUID, values: Values) -> Alone:
    where = values["contest"], values["bike"]
    targets, reason, takes_over = read_targets(values), values["reason"], values["takes_over"]
    return Alone(lambda: amend_turns(actor, operation_id, *where, targets, reason, takes_over))


def _move(actor: Actor, operation_id: UUID, values: Values) -> Alone:
    what = [values[name] for name in ("contest", "bike", "to_bike", "turn", "seq", "reason", "takes_over")]
    return Alone(lambda: move_turn(actor, operation_id, *what))


def _register_bike(actor: Actor, operation_id: UUID, values: Values) -> Alone:
    names = {name: values[name] for name in ("number", "rider", "passenger", "make", "model")}
    walk_up = WalkUp(id=values["bike"], group_id=actor.group_id, **names)
    return Alone(lambda: register_bike(actor, operation_id, walk_up))


def _withdraw_bike(actor: Actor, operation_id: UUID, values: Values) -> Alone:
    return Alone(lambda: withdraw_bike(actor, operation_id, values["bike"]))


KINDS: Mapping[str, Kind] = {
    "turn": Kind(
        _("A turn of a bike, in a slot of the contest."),
        Form(
            {
                "contest": Id(),
                "bike": Id(),
                "slot": Id(),
                "actions": Actions(),
                "dice_set": Id(required=False),
                "takes_over": Flag(),
                "reason": REASON,
            }
        ),
        _turn,
    ),
    "retire": Kind(
        _("A bike leaves the contest, as its road captain says and why; its points stand."),
        Form({"contest": Id(), "bike": Id(), "reason": REASON}),
        _retire,
    ),
    "amend": Kind(
        _("Turns of one card are corrected or, without actions, voided; all of them or none."),
        Form({"contest": Id(), "bike": Id(), "targets": TARGETS, "takes_over": Flag(), "reason": REASON}),
        _amend,
    ),
    "move": Kind(
        _("A turn that was noted for the wrong bike goes to the right one."),
        Form(
            {
                "contest": Id(),
                "bike": Id(),
                "to_bike": Id(),
                "turn": Id(),
                "seq": Whole(1),
                "takes_over": Flag(),
                "reason": REASON,
            }
        ),
        _move,
    ),
    "register_bike": Kind(
        _("A bike that is not on the list joins the group of whoever sends it."),
        Form(
            {
                "bike": Id(),
                "number": Whole(1),
                "rider": Words(LONGEST_NAME),
                "passenger": Words(LONGEST_NAME),
                "make": Words(LONGEST_NAME),
                "model": Words(LONGEST_NAME),
            }
        ),
        _register_bike,
    ),
    "withdraw_bike": Kind(
        _("The registration of such a bike is undone, by whoever registered it and before anything is recorded on it."),
        Form({"bike": Id()}),
        _withdraw_bike,
    ),
}
