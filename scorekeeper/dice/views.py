"""The pages of dice tests, and of the audit of the dice of an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scorekeeper.common.partial_pages import render_partial
from scorekeeper.common.sent_once import sent_once
from scorekeeper.crew.models import DiceSet
from scorekeeper.dice.die_data import EventDie, list_dice
from scorekeeper.dice.fairness_wording import describe_sample, present_die_faces
from scorekeeper.dice.forms import StartTestForm, ThrowsForm
from scorekeeper.dice.models import DiceAudit, DiceTest
from scorekeeper.dice.selectors import SET, STOP, get_log_length, label_tables, write_judgement
from scorekeeper.dice.services import MAX_THROWS, TooManyTests, request_audit, save_throws, start_test
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_contests

CONFLICT, UNPROCESSABLE = 409, 422
MAX_LISTED = 100  # samples that fit fair dice, those with the most throws
LEVELS = ("alarm", "worth_a_look", "nothing")


@sent_once
@organiser_required
def add_test(request: OrganiserRequest, event: Event) -> HttpResponse:
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
        return render(request, "dice/test.html", _get_test_context(event, test))
    form = ThrowsForm(request.POST, test=test)
    if not form.is_valid():
        if form.sends_all:
            return JsonResponse({}, status=UNPROCESSABLE)
        return render(request, "dice/test.html", _get_test_context(event, test), status=UNPROCESSABLE)
    is_tap_on_old_page = not form.sends_all and form.cleaned_data["revision"] != test.revision
    if is_tap_on_old_page:
        messages.warning(request, _("This page was out of date, so the tap was not counted. Check the last throws."))
        return redirect("dice:test", event.slug, test.pk)
    test, is_accepted = save_throws(test, form.cleaned_data["revision"], form.get_throws())
    if not form.sends_all:
        return redirect("dice:test", event.slug, test.pk)
    result = render_to_string("dice/_test_result.html", _get_test_context(event, test), request)
    data = {"revision": test.revision, "throws": test.throws, "result": result}
    return JsonResponse(data, status=200 if is_accepted else CONFLICT)


def _get_test_context(event: Event, test: DiceTest) -> dict[str, Any]:
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


@organiser_required
def show_audit(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show the last count, and have the dice counted again if entries have arrived since."""
    audit = request_audit(event)
    labels = _get_table_labels(event, audit)
    by_level = sorted(audit.samples, key=lambda sample: (LEVELS.index(sample["level"]), sample["number"]))
    remarkable = [sample for sample in by_level if sample["level"] != "nothing"]
    unremarkable = [sample for sample in by_level if sample["level"] == "nothing"]
    most_thrown = sorted(unremarkable, key=lambda sample: -sum(sample["counts"]))[:MAX_LISTED]
    context = {
        "event": event,
        "audit": audit,
        "is_stale": audit.log_length != get_log_length(event),
        "samples": [_describe_sample(sample, labels) for sample in remarkable],
        "unremarkable": [_describe_sample(sample, labels) for sample in unremarkable if sample in most_thrown],
        "unlisted": len(unremarkable) - len(most_thrown),
        "tests": [test for test in event.dice_tests.all() if test.throws][:50],
    }
    response = render_partial(request, "dice/audit.html", "dice/_audit.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response


def _describe_sample(sample: Mapping[str, Any], labels: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    where = labels.get((sample["source"], sample["id"]), _("Dice that were removed"))
    return {"where": where, "wording": describe_sample(sample)}


def _get_table_labels(event: Event, audit: DiceAudit) -> Mapping[tuple[str, str], str]:
    """Return what the sets of dice are called, by their source and id."""
    sets = DiceSet.objects.filter(group__event=event).select_related("group")
    labels = {
        (SET, str(each.pk)): _("%(dice)s, %(group)s") % {"dice": each.name, "group": each.group.name} for each in sets
    }
    for pk, name in event.stops.values_list("pk", "name"):
        labels[STOP, str(pk)] = _("%(stop)s, dice set not named") % {"stop": name}
    return {**labels, **label_tables(event, audit)}
