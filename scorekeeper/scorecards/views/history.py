"""The history page of a card: what counts now, who recorded it, the corrections, and links to correct and void."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from scorekeeper.scorecards.views.page_context import PageContext, render_page


def history(request: HttpRequest, page_context: PageContext) -> HttpResponse:
    """Show what was recorded, the score sheet, and what is in review."""
    context = {"page_context": page_context, **page_context.present_history(request.GET)}
    title = page_context.wording.history
    return render_page(request, page_context, title, "scorecards/_history.html", context)
