"""The response to a table page that polls for changes: nothing, the table again, or only a notice."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.scorecards.forms.action import ActionForm
from scorekeeper.scorecards.views.table_context import TableContext
from scorekeeper.scorecards.views.table_page import TablePage, get_version, render_table


def answer_poll(request: HttpRequest, table_context: TableContext, form: ActionForm) -> HttpResponse:
    """Return 204 while nothing has changed. A draft in progress is never replaced: the page only gets a notice."""
    if request.GET.get("poll") == get_version(table_context):
        return HttpResponse(status=204)
    if form.draft.is_empty:
        return render_table(request, table_context, TablePage(ActionForm(table_context.table.length)))
    last_action = table_context.table.last_action
    context = {"description": "" if last_action is None else table_context.describe_turn(last_action)}
    response = render(request, "scorecards/_news.html", context)
    response.headers["HX-Retarget"] = "#news"
    response.headers["HX-Reswap"] = "innerHTML"
    return response
