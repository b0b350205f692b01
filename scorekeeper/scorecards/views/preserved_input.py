"""Showing what was entered when a form is refused: its phone was revoked or has expired, or its event was deleted.

Invariant: the page shows what the form sent and nothing else. The sender is not authenticated, so nothing is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.common.access_control import refuse_with
from scorekeeper.common.unsent_input import read_unsent_input
from scorekeeper.crew.access import GONE
from scorekeeper.scorecards.forms.action import ActionForm

UNAUTHORISED = 401
# The fields that a person typed or tapped, and their labels. The form's ids and secrets are not shown.
INPUT_LABELS: Mapping[str, Promise] = {
    "held": gettext_lazy("Dice"),
    "dice": gettext_lazy("Dice"),
    "face": gettext_lazy("Dice"),
    "choose": gettext_lazy("Box"),
    "box": gettext_lazy("Box"),
    "points": gettext_lazy("Points"),
    "reason": gettext_lazy("Reason"),
    "number": gettext_lazy("Number"),
    "rider": gettext_lazy("Rider"),
    "passenger": gettext_lazy("Passenger"),
    "make": gettext_lazy("Make"),
}

BOX_FIELDS = ("choose", "box")

V = TypeVar("V", bound=Callable[..., HttpResponse])


def preserve_input(view: V) -> V:
    """Decorate a view: if a form is refused because the device is signed out, show what was typed in it."""
    return preserve_input_from(view, _list_input)


def preserve_input_from(view: V, list_typed: Callable[[HttpRequest], Sequence[tuple[str, str]]]) -> V:
    """Decorate a view: if a form is refused because the device is signed out, show what was typed in it.

    Args:
        list_typed: returns what was typed from the request, as labels and readable values.
    """

    def refuse(request: HttpRequest, refusal: HttpResponse) -> HttpResponse:
        if refusal.status_code not in (UNAUTHORISED, GONE) or request.method != "POST":
            return refusal
        context = {
            "typed": list_typed(request),
            "deleted": getattr(request, "deleted_event", None),
            "unsent": read_unsent_input(request),
        }
        return render(request, "scorecards/signed_out.html", context, status=refusal.status_code)

    return refuse_with(refuse)(view)


def _list_input(request: HttpRequest) -> list[tuple[str, str]]:
    typed: dict[str, list[str]] = {}
    for name, label in INPUT_LABELS.items():
        texts = [value.rpartition(":")[2] if name == "choose" else value for value in request.POST.getlist(name)]
        values = [format_field_value(text) for text in texts] if name in BOX_FIELDS else texts
        if any(values):
            typed.setdefault(str(label), []).extend(values)
    return [(label, " ".join(values)) for label, values in typed.items()]


def format_field_value(text: str) -> str:
    """Return a form value as a person would write it: "full_house" as "Full house"."""
    return " ".join(text.replace("_", " ").replace("-", " ").split()).capitalize()


def list_entered_values(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the values of a table's form after the last tap, grouped by offer, each with a label."""
    form = ActionForm.from_data(request.POST, 0).apply_press()
    values_by_offer: dict[str, list[str]] = {form.key: []} if form.key else {}
    for name, values in form.draft.field_values.items():
        values_by_offer.setdefault(name.partition(":")[0], []).extend(values)
    lines = [(_("Entered"), " ".join([format_field_value(key), *values])) for key, values in values_by_offer.items()]
    return [*lines, *([(_("Reason"), form.reason)] if form.reason else [])]
