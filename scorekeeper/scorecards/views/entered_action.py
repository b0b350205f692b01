"""Input entered at a table on a phone that has been signed out, listed so that it can be written down.

Invariant: it is read from the form alone. The sender is anonymous, so no table is read.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from scorekeeper.scorecards.forms.action import ActionForm
from scorekeeper.scorecards.views.preserved_input import format_field_value


def list_entered_values(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the values of the form after the last tap, grouped by offer, each with a label."""
    form = ActionForm.from_data(request.POST, 0).apply_press()
    values_by_offer: dict[str, list[str]] = {form.key: []} if form.key else {}
    for name, values in form.draft.field_values.items():
        values_by_offer.setdefault(name.partition(":")[0], []).extend(values)
    lines = [(_("Entered"), " ".join([format_field_value(key), *values])) for key, values in values_by_offer.items()]
    return [*lines, *([(_("Reason"), form.reason)] if form.reason else [])]
