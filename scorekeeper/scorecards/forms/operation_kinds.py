"""The kinds of operation about bikes and their cards that a phone may send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.numbers import BikeNumber, is_bike_number
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.forms.wire import (
    MAX_NAME_LENGTH,
    REASON_FIELD,
    ActionsField,
    FlagField,
    IdField,
    IdListField,
    InvalidValue,
    ObjectForm,
    ObjectListField,
    OperationKind,
    Schema,
    ShortTextField,
    WholeNumberField,
)
from scorekeeper.ledger.services.batch import SeparateTransaction
from scorekeeper.ledger.services.recording import Submission
from scorekeeper.players.class_settings import MAX_CLASSES
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike, withdraw_bike
from scorekeeper.scorecards.services.corrections import MAX_TARGETS, CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.non_starters import mark_did_not_start
from scorekeeper.scorecards.services.retirement import prepare_retirement
from scorekeeper.scorecards.services.sheet_sales import sell_sheet, withdraw_sheet
from scorekeeper.scorecards.services.turns import TurnInput, prepare_turn

Values = Mapping[str, Any]

TARGETS_FIELD = ObjectListField(
    ObjectForm(
        {
            "turn": IdField(),
            "seq": WholeNumberField(1),
            "actions": ActionsField(required=False),
            "slot": IdField(required=False),
        }
    ),
    most=MAX_TARGETS,
)


def parse_targets(values: Values) -> list[CorrectionTarget]:
    """Return the targets of a correction. A turn without actions is voided."""
    return [
        CorrectionTarget(target["turn"], target["seq"], target["actions"], target["slot"])
        for target in values["targets"]
    ]


def _prepare_turn(actor: Actor, operation_id: UUID, values: Values) -> Submission:
    turn_input = TurnInput(
        values["contest"],
        values["bike"],
        values["slot"],
        values["actions"],
        values["dice_set"],
        values["takes_over"],
        values["reason"],
    )
    return prepare_turn(actor, operation_id, turn_input)


def _prepare_retirement(actor: Actor, operation_id: UUID, values: Values) -> Submission:
    return prepare_retirement(actor, operation_id, values["contest"], values["bike"], values["reason"])


def _prepare_amendment(actor: Actor, operation_id: UUID, values: Values) -> SeparateTransaction:
    card_key = values["contest"], values["bike"]
    targets, reason, takes_over = parse_targets(values), values["reason"], values["takes_over"]
    return SeparateTransaction(lambda: amend_turns(actor, operation_id, *card_key, targets, reason, takes_over))


def _prepare_move(actor: Actor, operation_id: UUID, values: Values) -> SeparateTransaction:
    arguments = [values[name] for name in ("contest", "bike", "to_bike", "turn", "seq", "reason", "takes_over")]
    return SeparateTransaction(lambda: move_turn(actor, operation_id, *arguments))


def _prepare_registration(actor: Actor, operation_id: UUID, values: Values) -> SeparateTransaction:
    names = {name: values[name] for name in ("number", "rider", "passenger", "make", "model")}
    walk_up = WalkUp(id=values["bike"], group_id=actor.group_id, class_ids=frozenset(values["classes"]), **names)
    return SeparateTransaction(lambda: register_bike(actor, operation_id, walk_up))


def _prepare_withdrawal(actor: Actor, operation_id: UUID, values: Values) -> SeparateTransaction:
    return SeparateTransaction(lambda: withdraw_bike(actor, operation_id, values["bike"]))


def _prepare_sale(actor: Actor, operation_id: UUID, values: Values) -> SeparateTransaction:
    bike_id, contest_id, number = values["bike"], values["contest"], values["number"]
    return SeparateTransaction(lambda: sell_sheet(actor, operation_id, bike_id, contest_id, number))


def _prepare_sheet_withdrawal(actor: Actor, operation_id: UUID, values: Values) -> SeparateTransaction:
    return SeparateTransaction(lambda: withdraw_sheet(actor, operation_id, values["sheet"]))


def _prepare_mark(actor: Actor, operation_id: UUID, values: Values) -> SeparateTransaction:
    bike_id, value, reason = values["bike"], values["value"], values["reason"]
    return SeparateTransaction(lambda: mark_did_not_start(actor, operation_id, bike_id, value=value, reason=reason))


class BikeNumberWireField:
    """The number of a bike: a whole number, or a text such as "12A"."""

    required = True
    default = None

    def read(self, value: object) -> BikeNumber:
        """Return the number, which `register_bike` checks once more against its column."""
        if isinstance(value, str):
            if is_bike_number(value):
                return value
            raise InvalidValue(_("a whole number, or a text with letters behind it, such as 12A"))
        return WholeNumberField(1).read(value)

    def describe(self) -> Schema:
        """Return the schema."""
        with_letters = {"type": "string", "pattern": "^[1-9][0-9]{0,4}[A-Z]{1,2}$"}
        return {"anyOf": [WholeNumberField(1).describe(), with_letters]}


KINDS: Mapping[str, OperationKind] = {
    "turn": OperationKind(
        _("A bike’s turn, in a slot of the contest."),
        ObjectForm(
            {
                "contest": IdField(),
                "bike": IdField(),
                "slot": IdField(),
                "actions": ActionsField(),
                "dice_set": IdField(required=False),
                "takes_over": FlagField(),
                "reason": REASON_FIELD,
            }
        ),
        _prepare_turn,
    ),
    "retire": OperationKind(
        _("A bike retires from the contest, with the road captain’s reason. Its points are kept."),
        ObjectForm({"contest": IdField(), "bike": IdField(), "reason": REASON_FIELD}),
        _prepare_retirement,
    ),
    "amend": OperationKind(
        _("Turns of one scorecard are corrected or, without actions, voided: all of them or none."),
        ObjectForm(
            {
                "contest": IdField(),
                "bike": IdField(),
                "targets": TARGETS_FIELD,
                "takes_over": FlagField(),
                "reason": REASON_FIELD,
            }
        ),
        _prepare_amendment,
    ),
    "move": OperationKind(
        _("A turn that was recorded for the wrong bike moves to the right one."),
        ObjectForm(
            {
                "contest": IdField(),
                "bike": IdField(),
                "to_bike": IdField(),
                "turn": IdField(),
                "seq": WholeNumberField(1),
                "takes_over": FlagField(),
                "reason": REASON_FIELD,
            }
        ),
        _prepare_move,
    ),
    "register_bike": OperationKind(
        _("A bike that is not on the list joins the sender’s group, with its classes."),
        ObjectForm(
            {
                "bike": IdField(),
                "number": BikeNumberWireField(),
                "rider": ShortTextField(MAX_NAME_LENGTH),
                "passenger": ShortTextField(MAX_NAME_LENGTH),
                "make": ShortTextField(MAX_NAME_LENGTH),
                "model": ShortTextField(MAX_NAME_LENGTH),
                "classes": IdListField(MAX_CLASSES),
            }
        ),
        _prepare_registration,
    ),
    "withdraw_bike": OperationKind(
        _(
            "The registration of such a bike is undone by the person who registered it, before anything is "
            "recorded on it."
        ),
        ObjectForm({"bike": IdField()}),
        _prepare_withdrawal,
    ),
    "sell_sheet": OperationKind(
        _("A further sheet of a bike is sold in a contest: the second one is number 2, labelled “17/2”."),
        ObjectForm({"bike": IdField(), "contest": IdField(), "number": WholeNumberField(2)}),
        _prepare_sale,
    ),
    "withdraw_sheet": OperationKind(
        _("The sale of such a sheet is undone by the person who sold it, before anything is recorded on it."),
        ObjectForm({"sheet": IdField()}),
        _prepare_sheet_withdrawal,
    ),
    "did_not_start": OperationKind(
        _("A bike did not start, as its road captain says; with “value” false, it did after all."),
        ObjectForm({"bike": IdField(), "value": FlagField(required=True), "reason": REASON_FIELD}),
        _prepare_mark,
    ),
}
