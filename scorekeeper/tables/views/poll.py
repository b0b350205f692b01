"""The answer to a page that asks whether anything was noted elsewhere: nothing, the table anew, or just the news."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.tables.forms.action import ActionForm
from scorekeeper.tables.views.table_context import TableContext
from scorekeeper.tables.views.table_page import TablePage, get_version, render_table


def answer_poll(request: HttpRequest, place: TableContext, form: ActionForm) -> HttpResponse:
    """Answer with 204 while nothing has changed. A draft that was begun is never replaced: it only gets the news."""
    if request.GET.get("poll") == get_version(place):
        return HttpResponse(status=204)
    if form.draft.is_empty:
        return render_table(request, place, TablePage(ActionForm(place.table.length)))
    last = place.table.last_action
    context = {"told": "" if last is None else place.describe_action(last)}
    response = render(request, "tables/_news.html", context)
    response.headers["HX-Retarget"] = "#news"
    response.headers["HX-Reswap"] = "innerHTML"
    return response
