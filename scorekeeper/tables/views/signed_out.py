"""What was tapped at a table on a phone that is signed out, so that it can be written down.

Invariant: the form alone tells it. Whoever sent it is nobody, so no table is looked at.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from scorekeeper.scorecards.views.preserved_input import format_field_value
from scorekeeper.tables.forms.action import ActionForm


def list_entered_values(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what the form held after the last tap, by what may be done at the table; each with its label."""
    form = ActionForm.from_data(request.POST, 0).apply_press()
    tapped: dict[str, list[str]] = {form.key: []} if form.key else {}
    for name, words in form.draft.field_values.items():
        tapped.setdefault(name.partition(":")[0], []).extend(words)
    lines = [(_("Tapped"), " ".join([format_field_value(key), *words])) for key, words in tapped.items()]
    return [*lines, *([(_("Reason"), form.reason)] if form.reason else [])]
