"""Reading one operation of any kind, as the server does when it is sent and a phone when it does it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.forms.kinds import KINDS as CARD_KINDS
from scorekeeper.scorecards.forms.wire import Form, Id, Kind
from scorekeeper.scorecards.services.batch import Sent
from scorekeeper.scorecards.services.recording import Unreadable
from scorekeeper.tables.forms.kinds import KINDS as TABLE_KINDS

KINDS: Mapping[str, Kind] = {**CARD_KINDS, **TABLE_KINDS}
FORMS: Mapping[str, Form] = {name: Form({"id": Id(), **kind.form.fields}) for name, kind in KINDS.items()}


def read_operation(actor: Actor, data: object) -> Sent:
    """Return what can be recorded.

    Raises:
        Unreadable: it is none; the message names what is wrong with it.
    """
    if not isinstance(data, dict):
        raise Unreadable(_("An operation is an object."))
    fields: dict[str, Any] = dict(data)
    name = fields.pop("kind", None)
    if not isinstance(name, str) or name not in KINDS:
        raise Unreadable(_("The field “kind” takes one of these: %(kinds)s.") % {"kinds": ", ".join(KINDS)})
    values = FORMS[name].read(fields)
    operation_id: UUID = values["id"]
    prepared: Sent = KINDS[name].prepare(actor, operation_id, values)
    return prepared
