"""The front page and the page of an event."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from scorekeeper.common.rules import say
from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import list_contests, list_listed_events
from scorekeeper.results.addresses import get_public_event
from scorekeeper.standings.selectors.leaders import Lead, list_leads
from scorekeeper.standings.selectors.people import get_public_riders
from scorekeeper.standings.wording import say_seat

NAMED = 3  # of those who share the first place


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the rides that want to be found."""
    return render(request, "results/home.html", {"events": list_listed_events()})


@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    """List what is played at an event, and who leads."""
    found = get_public_event(slug)
    leads, people = list_leads(found), get_public_riders(found)
    contests = [
        {
            "contest": contest,
            "game": say(contest.game.name),
            "lead": _say_lead(contest, leads[contest.pk], people) if contest.pk in leads else "",
        }
        for contest in list_contests(found)
    ]
    return render(request, "results/event.html", {"event": found, "contests": contests})


def _say_lead(contest: Contest, lead: Lead, people: Mapping[UUID, str]) -> str:
    """Return who leads and with what: "Ann, Points: 1,240"."""
    names = [say_seat(number, people.get(holder, "")) for holder, number in lead.holders[:NAMED]]
    more = len(lead.holders) - len(names)
    if more:
        names.append(ngettext("%(count)s more", "%(count)s more", more) % {"count": more})
    total = number_format(lead.total, force_grouping=True)
    words = {"names": get_text_list(names, _("and")), "label": say(contest.game.total_label), "total": total}
    return _("%(names)s, %(label)s: %(total)s") % words
