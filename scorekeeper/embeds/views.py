"""The pages for frames, oEmbed, the feed, the calendars, and the organisers' pages with the snippets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import http_date
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scorekeeper.audience.leaderboard_presenter import find_board_class, get_class_url, present_board
from scorekeeper.audience.versions import get_audience_version
from scorekeeper.audience.visible_standings import get_audience_view, list_public_results
from scorekeeper.common.languages import get_english, mark_as_of_no_language, speaking
from scorekeeper.common.public_files import REVALIDATE, limit_public_reads, send_public_file
from scorekeeper.embeds.atom import CONTENT_TYPE as ATOM
from scorekeeper.embeds.atom import describe_publication, get_last_change, write_feed
from scorekeeper.embeds.embed_files import FILES, get_files_digest, read_file
from scorekeeper.embeds.embedded_pages import (
    describe_board,
    describe_class_board,
    describe_prizes,
    describe_season,
    find_embed,
    get_season_language,
)
from scorekeeper.embeds.forms import EmbedForm, EventEmbedForm
from scorekeeper.embeds.framing import FOR_ANY_SITE, EmbedOptions, framable, render_embed, set_headers
from scorekeeper.embeds.icalendar import CalendarRide, write_calendar
from scorekeeper.embeds.ride_details import list_ride_details
from scorekeeper.embeds.selectors import (
    get_cancelled_ride,
    list_cancelled_rides,
    list_results,
    list_rides,
    with_details,
)
from scorekeeper.embeds.services import record_calendar_entries
from scorekeeper.embeds.snippets import DEFAULT_WIDTH, Embed, make_embed_html, make_snippet
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.event_language import get_event_language
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_open_event, list_contests
from scorekeeper.players.class_members import list_classes
from scorekeeper.players.selectors import get_public_names
from scorekeeper.prizes.selectors.awards import list_published_awards_of, sort_by_importance
from scorekeeper.results.public_lookups import get_public_class_name, get_public_contest, get_public_event
from scorekeeper.seasons.access import season_required
from scorekeeper.seasons.models import Season
from scorekeeper.seasons.selectors import get_public_season, get_season_standings, get_season_version

HTML = "text/html; charset=utf-8"
CALENDAR = "text/calendar; charset=utf-8"
# Of the pages for frames: increase it with every change of their templates, so that no open frame keeps the old ones.
LAYOUT = 2
FILE_CACHE = "public, max-age=3600"
OEMBED_AGE = 3600  # seconds for which consumers may keep an answer
MAX_DIGITS = 5
# How often an open frame asks for changes, in seconds.
OFTEN, SELDOM = 20, 300


# Pages for frames


def _send_embed(
    request: HttpRequest, options: EmbedOptions, version: object, template: str, make: Callable[[], dict[str, object]]
) -> HttpResponseBase:
    """Send a page, or say that the frame has it.

    Args:
        version: changes whenever the context does.
        make: returns the context.
    """
    parts = (LAYOUT, options, get_files_digest(), version)
    response = send_public_file(request, parts, lambda: ("", [render_embed(template, options, make()).encode()]), HTML)
    response.headers["Content-Language"] = get_language() or get_english()
    return response


@framable
def show_board(request: HttpRequest, options: EmbedOptions, slug: str, contest_slug: str) -> HttpResponseBase:
    """Show the first places of a contest, without the chances to win."""
    return _send_board(request, options, get_public_contest(slug, contest_slug))


@framable
def show_class_board(
    request: HttpRequest, options: EmbedOptions, slug: str, contest_slug: str, class_id: UUID
) -> HttpResponseBase:
    """Show the first places of a class, without the chances to win."""
    contest = get_public_contest(slug, contest_slug)
    return _send_board(request, options, contest, class_id, get_public_class_name(contest, class_id))


def _send_board(
    request: HttpRequest, options: EmbedOptions, contest: Contest, class_id: UUID | None = None, class_name: str = ""
) -> HttpResponseBase:
    """Send the board of a contest, or of one of its classes."""

    def make() -> dict[str, object]:
        board, names = get_audience_view(contest).get_leaderboard(), get_public_names(contest.event, contest)
        board_class = None if class_id is None else find_board_class(contest, board, class_id)
        presenter = present_board(contest, board, names, board_class=board_class)
        is_final = board.is_official and board.frozen_at is None
        return {
            **presenter.to_context(),
            "rows": [(row, presenter.get_entrant_url(row)) for row in presenter.rows[: options.rows]],
            "count": len(presenter.rows),
            "poll": SELDOM if is_final else OFTEN,
        }

    with speaking(options.language or get_event_language(contest.event)):
        # Until a leaderboard has the class, what is shown of it is its name.
        version = get_audience_version(contest), class_id, class_name
        return _send_embed(request, options, version, "embeds/board.html", make)


@framable
def show_prizes(request: HttpRequest, options: EmbedOptions, slug: str) -> HttpResponseBase:
    """Show the prizes of an event's official contests with their winners, unless a freeze withholds them."""
    event = get_public_event(slug)
    contests = list(list_contests(event))
    for contest in contests:
        contest.event = event
    official = list_public_results(event, contests)

    def make() -> dict[str, object]:
        published = list_published_awards_of(event, official, get_public_names(event))
        return {
            "event": event,
            "published": [(contest, sort_by_importance(awards)[: options.rows]) for contest, awards in published],
            "poll": SELDOM,
        }

    with speaking(options.language or get_event_language(event)):
        # What is withheld must not tell that something is recorded.
        version = [event.name, event.is_practice, *(get_audience_version(contest) for contest in official)]
        return _send_embed(request, options, version, "embeds/prizes.html", make)


@framable
def show_season(request: HttpRequest, options: EmbedOptions, season_slug: str) -> HttpResponseBase:
    """Show the standings of a season."""
    season = _find_season(season_slug)

    def make() -> dict[str, object]:
        standings = get_season_standings(season, get_public_names)
        return {
            "season": season,
            "standings": standings,
            "rows": standings.rows[: options.rows],
            "count": len(standings.rows),
            "poll": SELDOM,
        }

    with speaking(options.language or get_season_language(season)):
        return _send_embed(request, options, get_season_version(season), "embeds/season.html", make)


def send_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """Send the style sheet or a script of the frames, or the script for the page around them."""
    content = read_file(name)
    response = send_public_file(
        request, content, lambda: ("", [content]), FILES[name][0], FILE_CACHE, has_language=False
    )
    set_headers(response, FOR_ANY_SITE)
    return response


# oEmbed


@limit_public_reads
def answer_oembed(request: HttpRequest) -> HttpResponseBase:
    """Say how to show one of our pages in a frame (oEmbed 1.0)."""
    response = _answer_oembed(request)
    set_headers(response, FOR_ANY_SITE)
    response.headers["Cache-Control"] = REVALIDATE
    mark_as_of_no_language(response)
    return response


def _answer_oembed(request: HttpRequest) -> HttpResponse:
    limits = [_parse_limit(request.GET.get(name, "")) for name in ("maxwidth", "maxheight")]
    with speaking(settings.LANGUAGE_CODE):
        if request.GET.get("format", "json") != "json":
            return _refuse(HTTPStatus.NOT_IMPLEMENTED, _("Only format=json is offered."))
        if None in limits:
            return _refuse(HTTPStatus.BAD_REQUEST, _("maxwidth and maxheight are whole numbers of pixels, from 1."))
        if not request.GET.get("url"):
            return _refuse(HTTPStatus.BAD_REQUEST, _("Add the address of a page here as url=…"))
        missing = _("No board, season or event can be shown at this address.")
        try:
            frame = find_embed(request.GET["url"])
        except Http404:
            frame = None
        return _refuse(HTTPStatus.NOT_FOUND, missing) if frame is None else _describe_embed(frame, *limits)


def _parse_limit(text: str) -> int | None:
    """Return a limit in pixels, 0 for none; None if it is no such number."""
    if not text:
        return 0
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS and int(text) else None


def _describe_embed(frame: Embed, max_width: int | None, max_height: int | None) -> HttpResponse:
    width = min(DEFAULT_WIDTH, max_width or DEFAULT_WIDTH)
    height = min(frame.height, max_height or frame.height)
    return JsonResponse(
        {
            "version": "1.0",
            "type": "rich",
            "title": frame.title,
            "provider_name": "Tailgunner",
            "provider_url": f"{settings.BASE_URL}/",
            "cache_age": OEMBED_AGE,
            "width": width,
            "height": height,
            "html": make_embed_html(frame, width, height),
        }
    )


def _refuse(status: HTTPStatus, text: str) -> HttpResponse:
    return HttpResponse(f"{text}\n", "text/plain; charset=utf-8", status=status)


# Feeds and calendars


@limit_public_reads
def send_feed(request: HttpRequest, season_slug: str = "") -> HttpResponseBase:
    """Send the feed of published results, of all listed events or of a season's."""
    season = _find_season(season_slug) if season_slug else None
    entries = [describe_publication(publication) for publication in list_results(season)]
    with speaking(settings.LANGUAGE_CODE):
        title = _("%(season)s: results") % {"season": season} if season else _("Results of the events")
        page = reverse("seasons:season", args=[season.slug]) if season else reverse("results:home")

        def make() -> tuple[str, Iterable[bytes]]:
            return "", [write_feed(title, page, request.path, entries)]

        response = send_public_file(request, (settings.BASE_URL, title, entries), make, ATOM, has_language=False)
    # For people and caches to read. What a freeze withheld appears with an older date, and a name may change without a
    # new one, so only the ETag says whether the feed has changed.
    response.headers["Last-Modified"] = http_date(get_last_change(entries).timestamp())
    return response


@limit_public_reads
def send_calendar(request: HttpRequest, season_slug: str = "") -> HttpResponseBase:
    """Send a calendar of all listed rides, or of a season's; of all, also with those that were cancelled."""
    season = _find_season(season_slug) if season_slug else None
    rides = _list_calendar_rides(list_rides(season))
    if season:
        return _send_calendar(request, season.name, rides)
    return _send_calendar(request, "Tailgunner", [*rides, *list_cancelled_rides()])


@limit_public_reads
def send_ride(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send a calendar with one ride, listed or not; a ride that was deleted before its day is cancelled in it."""
    event = get_open_event(slug)
    cancelled = get_cancelled_ride(slug) if event is None else None
    if cancelled is not None:
        return _send_calendar(request, cancelled.name, [cancelled])
    if event is None:
        raise Http404
    return _send_calendar(request, event.name, _list_calendar_rides(with_details(Event.objects.filter(pk=event.pk))))


def _list_calendar_rides(events: Iterable[Event]) -> list[CalendarRide]:
    rides = list_ride_details(events)
    entries = record_calendar_entries(rides)
    return [
        CalendarRide(
            ride.event_id,
            ride.name,
            ride.date,
            entries[ride.event_id].sequence,
            entries[ride.event_id].changed_at,
            ride.starts_at,
            ride.ends_at,
            ride.location,
            ride.description,
            settings.BASE_URL + reverse("results:event", args=[ride.slug]),
        )
        for ride in rides
    ]


def _send_calendar(request: HttpRequest, name: str, rides: list[CalendarRide]) -> HttpResponseBase:
    return send_public_file(
        request, (name, rides), lambda: ("", [write_calendar(name, rides)]), CALENDAR, has_language=False
    )


# The snippets, for organisers


@organiser_required
def offer_event(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show what to put into the club's website to have a board or the prizes there."""
    contests = list(list_contests(event))
    for one in contests:
        one.event = event
    form = EventEmbedForm(request.GET, contests, list(list_classes(event)))
    frame, page = _describe_choice(event, form)
    context = {"event": event, "page": page, "calendar": reverse("embeds:ride", args=[event.slug])}
    return _offer(request, "embeds/event_snippets.html", form, frame, context)


def _describe_choice(event: Event, form: EventEmbedForm) -> tuple[Embed, str]:
    """Return the frame that an organiser has chosen, and the path of its page."""
    board, options = form.board, form.options
    if board is None:
        return describe_prizes(event, options), reverse("results:event", args=[event.slug])
    contest, event_class = board
    if event_class is None:
        page = reverse("results:leaderboard", args=[event.slug, contest.slug])
        return describe_board(contest, options), page
    frame = describe_class_board(contest, event_class.pk, event_class.name, options)
    return frame, get_class_url(contest, event_class.pk)


@season_required
def offer_season(request: HttpRequest, season: Season) -> HttpResponse:
    """Show what to put into the club's website to have the standings of a season there."""
    form = EmbedForm(request.GET)
    context = {
        "season": season,
        "page": reverse("seasons:season", args=[season.slug]),
        "calendar": reverse("embeds:season_calendar", args=[season.slug]),
        "feed": reverse("embeds:season_feed", args=[season.slug]),
    }
    return _offer(request, "embeds/season_snippets.html", form, describe_season(season, form.options), context)


def _offer(
    request: HttpRequest, template: str, form: EmbedForm, frame: Embed, context: dict[str, object]
) -> HttpResponse:
    addresses: dict[str, object] = {
        name: f"{settings.BASE_URL}{context[name]}" for name in ("page", "calendar", "feed") if name in context
    }
    context = {
        **context,
        **addresses,
        "form": form,
        "frame": frame,
        "with_script": make_snippet(frame),
        "without_script": make_embed_html(frame),
    }
    return render(request, template, context, status=422 if form.errors else 200)


def _find_season(slug: str) -> Season:
    season: Season | None = get_public_season(slug)
    if season is None:
        raise Http404
    return season
