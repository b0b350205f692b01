"""The organiser's page of everything that can be printed."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.prints.paper import Paper, read_paper
from scorekeeper.prints.print_kinds import PrintKind, list_contest_kinds, list_event_kinds


class PrintLink(NamedTuple):
    """A link to a document."""

    label: str | Promise
    about: str | Promise
    url: str


class PrintSection(NamedTuple):
    """Links below one heading."""

    heading: str
    links: list[PrintLink]


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List all documents, on the paper that is usual for the event or was chosen."""
    paper = read_paper(request, event)
    of_event = [_link(event, None, kind, paper) for kind in list_event_kinds()]
    sections = [
        PrintSection(contest.name, [_link(event, contest, kind, paper) for kind in list_contest_kinds(contest)])
        for contest in list_contests(event)
    ]
    sections.insert(0, PrintSection(_("For the ride"), of_event))
    context = {"event": event, "paper": paper, "papers": Paper, "sections": sections}
    return render(request, "prints/list.html", context)


def _link(event: Event, contest: Contest | None, kind: PrintKind, paper: Paper) -> PrintLink:
    if contest is None:
        url = reverse("prints:event_file", args=[event.slug, kind.key])
    else:
        url = reverse("prints:contest_file", args=[event.slug, contest.slug, kind.key])
    return PrintLink(kind.label, kind.about, f"{url}?paper={paper.value}")
