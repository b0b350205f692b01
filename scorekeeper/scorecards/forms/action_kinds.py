"""The kinds of operations about tables that a phone may send."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.forms.wire import (
    REASON_FIELD,
    ActionsField,
    IdField,
    ObjectForm,
    OperationKind,
    WholeNumberField,
)
from scorekeeper.ledger.services.batch import SeparateTransaction
from scorekeeper.ledger.services.recording import Submission
from scorekeeper.scorecards.forms.operation_kinds import TARGETS_FIELD, Values, parse_targets
from scorekeeper.scorecards.services.actions import NewAction, prepare_action
from scorekeeper.scorecards.services.corrections import correct_actions


def _action(actor: Actor, operation_id: UUID, values: Values) -> Submission:
    new_action = NewAction(values["card"], values["seen"], values["actions"], values["reason"])
    return prepare_action(actor, operation_id, new_action)


def _correct(actor: Actor, operation_id: UUID, values: Values) -> SeparateTransaction:
    targets = parse_targets(values)
    return SeparateTransaction(lambda: correct_actions(actor, operation_id, values["card"], targets, values["reason"]))


KINDS: Mapping[str, OperationKind] = {
    "action": OperationKind(
        _("An action at a table. “seen” is the number of entries its scorecard had when the action was recorded."),
        ObjectForm({"card": IdField(), "seen": WholeNumberField(1), "actions": ActionsField(), "reason": REASON_FIELD}),
        _action,
    ),
    "correct": OperationKind(
        _("Actions at a table are corrected or, without actions, voided: all of them or none."),
        ObjectForm({"card": IdField(), "targets": TARGETS_FIELD, "reason": REASON_FIELD}),
        _correct,
    ),
}
