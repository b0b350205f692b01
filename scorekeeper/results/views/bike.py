"""The card of one bike, as it would be printed. A page that refreshes itself gets the card alone."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import get_bike
from scorekeeper.common.rules import say
from scorekeeper.players.selectors.names import list_riders_for_public
from scorekeeper.results.addresses import get_public_contest, list_crumbs
from scorekeeper.results.views.refreshing import render_refreshed
from scorekeeper.rulebooks.citing import link_clause
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.scorecards.naming import say_damage
from scorekeeper.standings.report import ReportCard, ReportLine
from scorekeeper.standings.selectors.leaderboard import get_card
from scorekeeper.standings.selectors.outlooks import get_outlook
from scorekeeper.standings.selectors.reports import blank_card
from scorekeeper.standings.wording import say_needs, say_official, say_pending


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the card as the page shows it.

    Attributes:
        heading: of a section that begins here; "" elsewhere.
        href: of the clause it comes from.
        where: the stops its turns were rolled at.
    """

    line: ReportLine
    label: str
    href: str
    heading: str
    where: str


def bike(request: HttpRequest, slug: str, contest_slug: str, bike_id: UUID) -> HttpResponse:
    """Show every box of a bike's card, and where each turn was rolled."""
    contest = get_public_contest(slug, contest_slug)
    if contest.game.recorded_by == "action":
        return redirect("results:seats", slug, contest_slug, bike_id)
    try:
        found = get_bike(contest.event, bike_id)
    except Bike.DoesNotExist:
        raise Http404 from None
    if found.pk != bike_id:
        return redirect("results:bike", slug, contest_slug, found.pk)
    head, card = get_card(contest, found.pk)
    if card is None:
        card = blank_card(contest, found.pk, found.label)
    outlook = get_outlook(contest, found.pk)
    context = {
        "event": contest.event,
        "contest": contest,
        "now": timezone.now(),
        "crumbs": list_crumbs(contest, _("Bike %(number)s") % {"number": found.label}),
        "bike": found,
        "number": found.label,
        "name": list_riders_for_public(contest.event, found),
        "lines": _show_lines(contest.game_key, card),
        "turns": [(turn, say(turn.label_text)) for turn in card.turns],
        "official": say_official(head, contest.event),
        "pending": say_pending(head),
        "damage": "" if card.damaged_from is None else say_damage(card.damaged_from),
        "board": head,
        "needs": [] if outlook is None else say_needs(outlook, contest.prizes),
    }
    words = [context[word] for word in ("number", "name", "official", "pending", "damage", "needs")]
    version = sha256(canonical_json([contest.name, *words, card.to_data()]))
    return render_refreshed(request, "results/bike.html", "results/_bike.html", context, version)


def _show_lines(game_key: str, card: ReportCard) -> list[ShownLine]:
    shown, section = [], None
    for line in card.lines:
        text = line.section_text
        heading = "" if text is None or line.section == section else say(text)
        section = line.section
        where = ", ".join(card.turns[number - 1].stop for number in line.turns)
        shown.append(ShownLine(line, say(line.label_text), link_clause(game_key, line.rule), heading, where))
    return shown
