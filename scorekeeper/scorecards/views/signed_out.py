"""A phone that was revoked, or whose time is up, while something was being noted: what was typed is shown to copy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.forms.ways import list_ways
from scorekeeper.scorecards.views.places import read_uuid

P = ParamSpec("P")
UNAUTHORISED = 401
# What a person typed or tapped, in their words. The form's ids and secrets are not shown.
SHOWN: Mapping[str, Promise] = {
    "held": _("Dice"),
    "dice": _("Dice"),
    "face": _("Dice"),
    "choose": _("Box"),
    "box": _("Box"),
    "points": _("Points"),
    "reason": _("Reason"),
    "number": _("Number"),
    "rider": _("Rider"),
    "passenger": _("Passenger"),
    "make": _("Make"),
}

BOXES = ("choose", "box")

View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def keeps_what_was_typed(view: View[P]) -> View[P]:
    """Let a form that is refused for want of a device answer with what was typed in it."""
    return keep_what_was_typed(view, _list_typed)


def keep_what_was_typed(view: View[P], list_typed: Callable[[HttpRequest], Sequence[tuple[str, str]]]) -> View[P]:
    """Let a form that is refused for want of a device answer with what was typed in it.

    Args:
        list_typed: reads it off the request, in a person's words, each with its label.
    """

    @wraps(view)
    def kept(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if response.status_code != UNAUTHORISED or request.method != "POST":
            return response
        page = render(request, "scorecards/signed_out.html", {"typed": list_typed(request)}, status=UNAUTHORISED)
        page.headers["Cache-Control"] = "private, no-store"
        return page

    return kept


def _list_typed(request: HttpRequest) -> list[tuple[str, str]]:
    boxes = _name_boxes(request)
    typed: dict[str, list[str]] = {}
    for name, label in SHOWN.items():
        words = [value.rpartition(":")[2] if name == "choose" else value for value in request.POST.getlist(name)]
        values = [boxes.get(word, word) for word in words] if name in BOXES else words
        if any(values):
            typed.setdefault(str(label), []).extend(values)
    return [(label, " ".join(values)) for label, values in typed.items()]


def _name_boxes(request: HttpRequest) -> Mapping[str, str]:
    """Return what the boxes are called in the contest the form is about."""
    contest_id = read_uuid(request.POST.get("contest"))
    contest = Contest.objects.filter(pk=contest_id).first() if contest_id else None
    return {} if contest is None else dict(list_ways(contest.ruleset).choices)
