"""Worth a look: warnings about what was recorded, and the organiser's dismissals of them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.common.game_adapter import translate
from scorekeeper.desk.forms import DismissalForm
from scorekeeper.desk.ride_warnings import RideWarning
from scorekeeper.desk.selectors.worth_a_look import Dismissal, list_warnings
from scorekeeper.desk.services.warning_dismissal import dismiss_warning, restore_warning
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the warnings, and dismiss one."""
    found = list_warnings(event)
    sent_key = request.POST.get("key")
    forms = {
        warning.key: DismissalForm(request.POST if warning.key == sent_key else None, warning=warning)
        for warning in found.current
    }
    bound = None if sent_key is None else forms.get(sent_key)
    if sent_key is not None and bound is None:
        messages.info(request, _("This warning is no longer listed."))
        return redirect("desk:warnings", event.slug)
    if bound is not None and bound.is_valid():
        warning = next(each for each in found.current if each.key == sent_key)
        dismiss_warning(request.organiser, warning, bound.cleaned_data["reason"])
        messages.success(request, _("The warning has been dismissed."))
        return redirect("desk:warnings", event.slug)
    context = {
        "event": event,
        "bound": bound,
        "warnings": [_present(warning) | {"form": forms[warning.key]} for warning in found.current],
        "dismissed": [_present_dismissal(dismissal) for dismissal in found.dismissed],
    }
    return render(request, "desk/warnings.html", context, status=422 if bound is not None else 200)


@organiser_required
def restore(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List a dismissed warning again."""
    if restore_warning(event, request.POST.get("key", "")):
        messages.success(request, _("The warning is listed again."))
    return redirect("desk:warnings", event.slug)


def _present(warning: RideWarning) -> dict[str, object]:
    return {
        "key": warning.key,
        "why": translate(warning.problem.text, warning.problem.params),
        "meaning": translate(warning.meaning),
        "cards": warning.cards,
    }


def _present_dismissal(dismissal: Dismissal) -> dict[str, object]:
    return {**_present(dismissal.warning), "row": dismissal.row, "name": dismissal.name}
