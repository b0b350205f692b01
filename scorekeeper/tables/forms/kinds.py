"""The kinds of operation about tables that a phone may send."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.forms.kinds import TARGETS, Values, read_targets
from scorekeeper.scorecards.forms.wire import REASON, Actions, Form, Id, Kind, Whole
from scorekeeper.scorecards.services.batch import Alone
from scorekeeper.scorecards.services.recording import Submission
from scorekeeper.tables.services.correcting import correct_actions
from scorekeeper.tables.services.playing import ActionNote, prepare_action


def _action(actor: Actor, operation_id: UUID, values: Values) -> Submission:
    note = ActionNote(values["card"], values["seen"], values["actions"], values["reason"])
    return prepare_action(actor, operation_id, note)


def _correct(actor: Actor, operation_id: UUID, values: Values) -> Alone:
    targets = read_targets(values)
    return Alone(lambda: correct_actions(actor, operation_id, values["card"], targets, values["reason"]))


KINDS: Mapping[str, Kind] = {
    "action": Kind(
        _("An action at a table, noted when its card had as many entries as were seen."),
        Form({"card": Id(), "seen": Whole(1), "actions": Actions(), "reason": REASON}),
        _action,
    ),
    "correct": Kind(
        _("Actions at a table are corrected or, without actions, voided; all of them or none."),
        Form({"card": Id(), "targets": TARGETS, "reason": REASON}),
        _correct,
    ),
}
