"""The page that says whether the dice of an event look fair."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.common.partial_pages import render_partial
from scorekeeper.crew.models import DiceSet
from scorekeeper.dice.fairness_wording import describe_sample
from scorekeeper.dice.models import DiceAudit
from scorekeeper.dice.selectors.samples import SET, STOP, get_log_length
from scorekeeper.dice.selectors.table_labels import label_tables
from scorekeeper.dice.services.audits import request_audit
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event

MAX_LISTED = 100  # samples that fit fair dice, those with the most throws
LEVELS = ("alarm", "worth_a_look", "nothing")


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show the last count, and have the dice counted again if entries have arrived since."""
    audit = request_audit(event)
    labels = _get_labels(event, audit)
    by_level = sorted(audit.samples, key=lambda sample: (LEVELS.index(sample["level"]), sample["number"]))
    remarkable = [sample for sample in by_level if sample["level"] != "nothing"]
    unremarkable = [sample for sample in by_level if sample["level"] == "nothing"]
    most_thrown = sorted(unremarkable, key=lambda sample: -sum(sample["counts"]))[:MAX_LISTED]
    context = {
        "event": event,
        "audit": audit,
        "is_stale": audit.log_length != get_log_length(event),
        "samples": [_describe(sample, labels) for sample in remarkable],
        "unremarkable": [_describe(sample, labels) for sample in unremarkable if sample in most_thrown],
        "unlisted": len(unremarkable) - len(most_thrown),
        "tests": [test for test in event.dice_tests.all() if test.throws][:50],
    }
    response = render_partial(request, "dice/audit.html", "dice/_audit.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response


def _describe(sample: Mapping[str, Any], labels: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    where = labels.get((sample["source"], sample["id"]), _("Dice that were removed"))
    return {"where": where, "wording": describe_sample(sample)}


def _get_labels(event: Event, audit: DiceAudit) -> Mapping[tuple[str, str], str]:
    """Return what the sets of dice are called, by their source and id."""
    sets = DiceSet.objects.filter(group__event=event).select_related("group")
    labels = {
        (SET, str(each.pk)): _("%(dice)s, %(group)s") % {"dice": each.name, "group": each.group.name} for each in sets
    }
    for pk, name in event.stops.values_list("pk", "name"):
        labels[STOP, str(pk)] = _("%(stop)s, dice set not named") % {"stop": name}
    return {**labels, **label_tables(event, audit)}
