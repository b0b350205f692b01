"""The pages of luck and choices, which exist once a contest is closed: the luck-adjusted table, and each card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.audience.luck import LuckNotVisible, describe_missing_luck, enqueue_luck
from scorekeeper.audience.visible_standings import get_audience_view
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import format_entrant, get_public_names
from scorekeeper.results.luck_presenter import get_luck_labels, present_card, present_table
from scorekeeper.results.public_lookups import get_public_contest, list_breadcrumbs
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.luck_rows import make_luck_rows
from scorekeeper.standings.wording import format_official_status


def show_luck(request: HttpRequest, slug: str, contest_slug: str) -> HttpResponse:
    """Show what luck and choices contributed to each total, or that this is being worked out.

    Where luck is not visible, the address leads to the leaderboard.
    """
    contest = get_public_contest(slug, contest_slug)
    try:
        luck = enqueue_luck(contest, is_for_organisers=False)
    except LuckNotVisible:
        return redirect("results:leaderboard", slug, contest_slug)
    context = {"crumbs": list_breadcrumbs(contest, _("Luck and choices")), "url": request.path}
    if luck is not None:
        board, people = get_audience_view(contest).get_leaderboard(), get_public_names(contest.event, contest)
        rows = make_luck_rows(board.rows, luck.cards, lowest_wins=contest.ruleset.odds_aim == "low")
        context["rows"] = present_table(contest, rows, people)
        context["official"] = format_official_status(board, contest.event)
        context["missing_luck"] = describe_missing_luck(contest)
    return _render(request, "luck", contest, {**context, "is_ready": luck is not None})


def luck_card(request: HttpRequest, slug: str, contest_slug: str, entrant_id: UUID) -> HttpResponse:
    """Show what every throw of a bike or player brought, and what every choice cost.

    Where luck is not visible, the address leads to the page of the bike or player.
    """
    contest = get_public_contest(slug, contest_slug)
    card_url = get_kind(contest.game).get_entrant_url(contest, entrant_id)
    try:
        luck = enqueue_luck(contest, is_for_organisers=False)
    except LuckNotVisible:
        if not any(model.objects.filter(event=contest.event, pk=entrant_id).exists() for model in (Bike, Player)):
            raise Http404 from None
        return redirect(card_url)
    context: dict[str, Any] = {"entrant_id": entrant_id, "url": request.path}
    if luck is not None:
        found = luck.list_of(entrant_id)
        board = get_audience_view(contest).get_leaderboard()
        row = next((row for row in board.rows if row.entrant_id == entrant_id), None)
        if not found or row is None:
            raise Http404
        context["entrant"] = format_entrant(row.number, get_public_names(contest.event, contest).get(entrant_id, ""))
        context["cards"] = [present_card(contest, card) for card in found]
        context["official"] = format_official_status(board, contest.event)
        context["crumbs"] = list_breadcrumbs(contest, context["entrant"])
    else:
        context["crumbs"] = list_breadcrumbs(contest, _("Luck and choices"))
    return _render(request, "luck_card", contest, {**context, "card_url": card_url, "is_ready": luck is not None})


def _render(request: HttpRequest, name: str, contest: Contest, context: Mapping[str, Any]) -> HttpResponse:
    event = contest.event
    common = {
        "event": event,
        "contest": contest,
        "labels": get_luck_labels(contest),
        "board_url": reverse("results:leaderboard", args=[event.slug, contest.slug]),
        "table_url": reverse("results:luck", args=[event.slug, contest.slug]),
    }
    template = f"results/_{name}.html" if request.headers.get("HX-Request") else f"results/{name}.html"
    return render(request, template, {**common, **context})
