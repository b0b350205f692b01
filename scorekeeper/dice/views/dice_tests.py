"""Test these dice: starting a test, and entering its throws."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scorekeeper.common.sent_once import sent_once
from scorekeeper.dice.die_data import EventDie, list_dice
from scorekeeper.dice.fairness_wording import describe_sample, present_die_faces
from scorekeeper.dice.forms.dice_tests import StartTestForm, ThrowsForm
from scorekeeper.dice.models import DiceTest
from scorekeeper.dice.selectors.samples import write_judgement
from scorekeeper.dice.services.dice_tests import MAX_THROWS, TooManyTests, save_throws, start_test
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_contests

CONFLICT, UNPROCESSABLE = 409, 422


@sent_once
@organiser_required
def start(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Choose the dice to test."""
    dice = list_dice(list_contests(event))
    form = StartTestForm(request.POST or None, dice=dice)
    if form.is_valid():
        try:
            test = start_test(event, form.cleaned_data["name"], form.get_die())
        except TooManyTests:
            messages.error(request, _("This event has too many tests of dice."))
            return redirect("dice:audit", event.slug)
        return redirect("dice:test", event.slug, test.pk)
    context = {"event": event, "form": form, "dice": dice}
    return render(request, "dice/start_test.html", context, status=UNPROCESSABLE if form.is_bound else 200)


@organiser_required
def enter_throws(request: OrganiserRequest, event: Event, dice_test_id: UUID) -> HttpResponse:
    """Show a test, or store its throws: all of them if a script sends them, otherwise one tap."""
    test = get_object_or_404(DiceTest, pk=dice_test_id, event=event)
    if request.method != "POST":
        return render(request, "dice/test.html", _get_context(event, test))
    form = ThrowsForm(request.POST, test=test)
    if not form.is_valid():
        if form.sends_all:
            return JsonResponse({}, status=UNPROCESSABLE)
        return render(request, "dice/test.html", _get_context(event, test), status=UNPROCESSABLE)
    is_tap_on_old_page = not form.sends_all and form.cleaned_data["revision"] != test.revision
    if is_tap_on_old_page:
        messages.warning(request, _("This page was out of date, so the tap was not counted. Check the last throws."))
        return redirect("dice:test", event.slug, test.pk)
    test, is_accepted = save_throws(test, form.cleaned_data["revision"], form.get_throws())
    if not form.sends_all:
        return redirect("dice:test", event.slug, test.pk)
    result = render_to_string("dice/_test_result.html", _get_context(event, test), request)
    data = {"revision": test.revision, "throws": test.throws, "result": result}
    return JsonResponse(data, status=200 if is_accepted else CONFLICT)


def _get_context(event: Event, test: DiceTest) -> dict[str, Any]:
    die = EventDie.from_data(test.die)
    counts = [test.throws.count(position) for position in range(len(die.kind.faces))]
    faces = present_die_faces(die)
    return {
        "event": event,
        "test": test,
        "faces": [{**face, "count": count} for face, count in zip(faces, counts, strict=True)],
        "last_faces": [faces[position] for position in test.throws[-6:]],
        "most": MAX_THROWS,
        "is_full": len(test.throws) >= MAX_THROWS,
        "wording": describe_sample(write_judgement(die, counts, 1.0), is_test=True),
    }
