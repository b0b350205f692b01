"""The answer to a page that asks whether anything was noted elsewhere: nothing, the table anew, or just the news."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.tables.forms.acting import ActingForm
from scorekeeper.tables.views.places import Place
from scorekeeper.tables.views.showing import Page, get_version, show


def answer_poll(request: HttpRequest, place: Place, form: ActingForm) -> HttpResponse:
    """Answer with 204 while nothing has changed. A draft that was begun is never replaced: it only gets the news."""
    if request.GET.get("poll") == get_version(place):
        return HttpResponse(status=204)
    if form.draft.is_empty:
        return show(request, place, Page(ActingForm(place.table.length)))
    last = place.table.last
    context = {"told": "" if last is None else place.tell(last)}
    response = render(request, "tables/_news.html", context)
    response.headers["HX-Retarget"] = "#news"
    response.headers["HX-Reswap"] = "innerHTML"
    return response
