"""The public pages: the home page, an event, its route, and the leaderboard of a contest."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from scorekeeper.audience.event_presenter import EventPresenter, get_event_presenter
from scorekeeper.audience.leaderboard_presenter import get_class_board_presenter, get_leaderboard_presenter
from scorekeeper.audience.luck import describe_missing_luck, is_luck_visible
from scorekeeper.audience.visible_standings import (
    is_whole_result_public,
    list_public_results,
    list_published_revisions,
)
from scorekeeper.common.date_wording import format_date
from scorekeeper.common.partial_pages import render_refreshable
from scorekeeper.common.qr import QUICK_MASK, make_qr_code
from scorekeeper.event_page.selectors import EventInvitation, get_invitation, get_page, get_route
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.odds_setting import describe_odds_setting
from scorekeeper.events.selectors import has_accounts, list_contests, list_listed_events
from scorekeeper.players.selectors import get_public_names
from scorekeeper.prizes.selectors.awards import (
    list_audience_awards,
    list_published_awards_of,
    sort_by_importance,
)
from scorekeeper.results.board_search import make_search
from scorekeeper.results.my_bike import is_for_pinned_rows, make_panel, render_pinned_rows
from scorekeeper.results.place_chart import get_place_chart
from scorekeeper.results.podium import get_podium
from scorekeeper.results.preview import get_preview, get_preview_image
from scorekeeper.results.public_lookups import get_public_contest, get_public_event, list_breadcrumbs

MAX_SUMMARY = 200  # characters; search engines cut off what is longer


def home(request: HttpRequest) -> HttpResponse:
    """List the rides that are publicly listed."""
    context = {"events": list_listed_events(), "has_accounts": request.user.is_authenticated or has_accounts()}
    return render(request, "results/home.html", context)


def event(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite to an event: what its organisers say of it, its contests, who leads them, and the podium afterwards."""
    found_event = get_public_event(slug)
    if is_for_pinned_rows(request):
        return render_pinned_rows(request, found_event, list(list_contests(found_event)), is_of_event=True)
    presenter = get_event_presenter(found_event)
    context = {**presenter.to_context(), "now": timezone.now()}
    if not request.headers.get("HX-Request"):
        # Only for the whole page: it does not change while it is open.
        context |= {
            **_get_invitation_context(presenter.event),
            **_get_published_context(presenter),
            **_get_rider_context(request, presenter),
        }
    return render_refreshable(request, "results/event.html", "standings/_event.html", context, presenter.get_digest())


def _get_rider_context(request: HttpRequest, presenter: EventPresenter) -> dict[str, object]:
    """Return the pinned bikes and what was searched, for `results/_my_bike.html`."""
    contests = [each.contest for each in presenter.contests]
    return {
        "mine": make_panel(request, presenter.event, contests, is_of_event=True),
        "search": make_search(request, presenter.event, contests),
    }


@organiser_required
def event_preview(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show organisers the page of an event as everyone will see it, also of a draft."""
    presenter = get_event_presenter(event)
    context = {
        **presenter.to_context(),
        "now": timezone.now(),
        **_get_invitation_context(event, is_preview=True),
        **_get_published_context(presenter),
    }
    return render(request, "results/event_preview.html", context)


def _get_invitation_context(event: Event, *, is_preview: bool = False) -> dict[str, object]:
    """Return what organisers say of the event. The day decides whether that comes before the contests."""
    address = settings.BASE_URL + reverse("results:event", args=[event.slug])
    invitation = get_invitation(event, is_preview=is_preview)
    return {
        "invitation": invitation,
        "invitation_summary": _summarise(event, invitation),
        "is_before": timezone.localdate(timezone=event.zone) < event.date,
        "page_code": SimpleLazyObject(lambda: make_qr_code(address, QUICK_MASK)),
        "page_address": address,
    }


def _summarise(event: Event, invitation: EventInvitation) -> str:
    """Return what search results and previews of links say; "" if organisers say nothing."""
    if not invitation.summary:
        return ""
    texts = {"event": event.name, "date": format_date(event.date), "text": invitation.summary}
    return Truncator(_("%(event)s, %(date)s: %(text)s") % texts).chars(MAX_SUMMARY)


def _get_published_context(presenter: EventPresenter) -> dict[str, object]:
    """Return the podium and the prizes of the official contests, and the image that previews of links show."""
    event = presenter.event
    for each in presenter.contests:
        each.contest.event = event
    official = list_public_results(event, [each.contest for each in presenter.contests])
    if not official:
        return {"is_over": event.is_past}
    names = get_public_names(event)
    awards = dict(list_published_awards_of(event, official, names))
    podiums = [get_podium(contest, names, awards.get(contest, [])) for contest in official]
    has_all = len(official) == len(presenter.contests)
    return {
        "has_bundle": has_all,
        "is_over": event.is_past or has_all,
        "podiums": [podium for podium in podiums if podium is not None],
        "published": [(contest, sort_by_importance(found)) for contest, found in awards.items()],
        "preview_image": get_preview_image(official[0], get_preview(official[0], names)),
    }


def leaderboard(request: HttpRequest, slug: str, contest_slug: str) -> HttpResponse:
    """Show the leaderboard of a contest, or only its rows for a page that refreshes itself."""
    contest = get_public_contest(slug, contest_slug)
    if is_for_pinned_rows(request):
        return render_pinned_rows(request, contest.event, [contest])
    presenter = get_leaderboard_presenter(contest)
    context = {**presenter.to_context(), "crumbs": list_breadcrumbs(contest), "now": timezone.now()}
    if not request.headers.get("HX-Request"):
        # Only what was published, so it does not change while the page is open.
        names = presenter.people
        context["mine"] = make_panel(request, contest.event, [contest], presenter)
        context["search"] = make_search(request, contest.event, [contest], presenter)
        context["awards"] = sort_by_importance(list_audience_awards(contest, names))
        context["revisions"] = list_published_revisions(contest)
        context["odds_setting"] = describe_odds_setting(contest, presenter.board.status)
        context["chart"] = get_place_chart(contest, names)
        has_cards = any(row.is_ranked for row in presenter.board.rows)
        context["has_luck"] = has_cards and is_luck_visible(contest, is_for_organisers=False)
        context["missing_luck"] = describe_missing_luck(contest) if context["has_luck"] else ""
        context["preview_image"] = get_preview_image(contest, get_preview(contest, names))
        context["has_bundle"] = contest.status == Contest.Status.OFFICIAL and is_whole_result_public(contest.event)
    else:
        context["rows_html"] = presenter.stream_rows_html
    return render_refreshable(
        request, "results/leaderboard.html", "standings/_board.html", context, version=presenter.get_digest()
    )


def class_board(request: HttpRequest, slug: str, contest_slug: str, class_id: UUID) -> HttpResponse:
    """Show the board of a class, or only its rows for a page that refreshes itself."""
    contest = get_public_contest(slug, contest_slug)
    presenter = get_class_board_presenter(contest, class_id)
    if presenter is None:
        raise Http404
    if is_for_pinned_rows(request):
        return render_pinned_rows(request, contest.event, [contest], presenter)
    context = {
        **presenter.to_context(),
        "presenter": presenter,
        "crumbs": list_breadcrumbs(contest, presenter.class_name),
        "now": timezone.now(),
        "class_id": class_id,
        "stream_url": reverse("live:class_board", args=[slug, contest_slug, class_id]),
    }
    if request.headers.get("HX-Request"):
        context["rows_html"] = presenter.stream_rows_html
    else:
        context["mine"] = make_panel(request, contest.event, [contest], presenter)
        context["search"] = make_search(request, contest.event, [contest], presenter)
    return render_refreshable(
        request, "results/class_board.html", "standings/_board.html", context, version=presenter.get_digest()
    )


def route(request: HttpRequest, slug: str) -> HttpResponse:
    """List the stops of the ride in order, with their hours, places and distances."""
    event = get_public_event(slug)
    crumbs = [
        {"href": reverse("results:event", args=[event.slug]), "text": event.name},
        {"href": "", "text": _("Route")},
    ]
    context = {"event": event, "route": get_route(event, get_page(event)), "crumbs": crumbs}
    return render(request, "results/route.html", context)
