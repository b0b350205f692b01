"""What the switch on public pages and its service worker ask: following, stopping, and what a browser is told.

Requests are JSON, and no cookie identifies anybody. Whoever knows an endpoint may say what it is told; only the
browser, its push service and this server know it, so it is in no URL and no log. As on all pages that are the same for
everyone, there is no token against forged forms: a request has to come from a page of this site.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt

from scorekeeper.bikes.models import Bike
from scorekeeper.common.client_address import get_client_address
from scorekeeper.common.languages import get_english, mark_as_of_no_language
from scorekeeper.common.rate_limits import RateLimit, RateLimited, count_use
from scorekeeper.common.request_data import is_same_origin, parse_uuid
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_open_contest, get_open_event
from scorekeeper.players.models import Player
from scorekeeper.push import services
from scorekeeper.push.contact import get_subject
from scorekeeper.push.endpoints import PushTarget, UnusableEndpoint, is_readable_endpoint
from scorekeeper.push.notifications import describe_topic, get_topic_url
from scorekeeper.push.selectors import list_followed, seems_offline
from scorekeeper.push.vapid import get_public_key

# Everyone at a finish may have the same address.
FOLLOW_LIMIT = RateLimit("push.follow", 120, 60 * 60)
ASK_LIMIT = RateLimit("push.ask", 1200, 60 * 60)
MAX_BODY = 4096  # bytes
SCRIPT = Path(settings.BASE_DIR, "static", "js", "push", "service_worker.js")
BAD_REQUEST, FORBIDDEN, REFUSED, TOO_MANY = 400, 403, 422, 429
Data = Mapping[str, Any]


def _answers_json(limit: RateLimit) -> Callable[[Callable[[HttpRequest, Data], JsonResponse]], Any]:
    """Give a view the JSON of a request from a page of this site, and refuse others.

    Args:
        limit: how often an address may ask.
    """

    def decorate(view: Callable[[HttpRequest, Data], JsonResponse]) -> Any:
        @csrf_exempt
        @never_cache
        @wraps(view)
        def answer(request: HttpRequest) -> JsonResponse:
            if not is_same_origin(request.headers):
                return _refuse(FORBIDDEN, "other_site")
            data = _read(request)
            if data is None:
                return _refuse(BAD_REQUEST, "unreadable")
            try:
                count_use(limit, get_client_address(request))
            except RateLimited as refusal:
                response = _refuse(TOO_MANY, "limited")
                response.headers["Retry-After"] = str(refusal.wait)
                return response
            return view(request, data)

        return answer

    return decorate


def _read(request: HttpRequest) -> Data | None:
    """Return the JSON object of a request, whose endpoint is a text; None if it has none."""
    length = request.headers.get("Content-Length", "")
    if (length.isdecimal() and int(length) > MAX_BODY) or len(request.body) > MAX_BODY:
        return None
    try:
        data = json.loads(request.body)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and is_readable_endpoint(data.get("endpoint")) else None


def _refuse(status: int, why: str) -> JsonResponse:
    return JsonResponse({"why": why}, status=status)


@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker of notifications. It answers no requests, and its scope has no pages."""
    response = HttpResponse(SCRIPT.read_text("utf-8"), content_type="text/javascript; charset=utf-8")
    mark_as_of_no_language(response)
    return response


@never_cache
def key(request: HttpRequest) -> JsonResponse:
    """The public key that a browser needs to subscribe; "" if this installation is not set up to send."""
    response = JsonResponse({"key": get_public_key() if get_subject() else ""})
    mark_as_of_no_language(response)
    return response


@cache_control(no_cache=True)
def manifest(request: HttpRequest, slug: str) -> JsonResponse:
    """The web app manifest of an event for its audience: an iPhone allows notifications only on the home screen."""
    event = _get_event(slug)
    home = reverse("results:event", args=[event.slug])
    icons = [("icon", "any"), ("icon-maskable", "maskable")]
    content = {
        "id": home,
        "name": event.name,
        "short_name": event.name,
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": "#f7f2e8",
        "theme_color": "#1c1714",
        "icons": [
            {"src": static(f"img/{name}-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": use}
            for name, use in icons
            for size in (192, 512)
        ],
    }
    response = JsonResponse(content, content_type="application/manifest+json")
    mark_as_of_no_language(response)
    return response


@_answers_json(ASK_LIMIT)
def told(request: HttpRequest, data: Data) -> JsonResponse:
    """What a browser is told, and whether the server lately reaches push services."""
    return _list_told(data["endpoint"])


@_answers_json(FOLLOW_LIMIT)
def follow(request: HttpRequest, data: Data) -> JsonResponse:
    """Tell a browser from now on what a bike or player records, or when the results of an event are official."""
    if not get_subject():
        return _refuse(REFUSED, "setup")
    event, contest, entrant = _find_subject(data)
    try:
        target = PushTarget.from_json(data)
        services.follow(event, contest, entrant, target, get_language() or get_english())
    except UnusableEndpoint:
        return _refuse(REFUSED, "endpoint")
    except services.TooManySubscriptions:
        return _refuse(REFUSED, "too_many")
    return _list_told(target.endpoint)


@_answers_json(ASK_LIMIT)
def stop(request: HttpRequest, data: Data) -> JsonResponse:
    """Tell a browser nothing more about a topic. Repeating it changes nothing."""
    topic_id = parse_uuid(data.get("topic"))
    if topic_id is None:
        return _refuse(BAD_REQUEST, "unreadable")
    services.stop_following(data["endpoint"], topic_id)
    return _list_told(data["endpoint"])


@_answers_json(FOLLOW_LIMIT)
def move(request: HttpRequest, data: Data) -> JsonResponse:
    """Replace the endpoint of a browser by the one that its push service has given it since."""
    new = data.get("new")
    try:
        target = PushTarget.from_json(new if isinstance(new, dict) else {})
    except UnusableEndpoint:
        return _refuse(REFUSED, "endpoint")
    services.move_subscriptions(data["endpoint"], target)
    return _list_told(target.endpoint)


def _list_told(endpoint: str) -> JsonResponse:
    topics = [
        {
            "topic": str(subscription.topic_id),
            "text": describe_topic(subscription.topic),
            "url": get_topic_url(subscription.topic),
            "contest": "" if subscription.topic.contest is None else subscription.topic.contest.slug,
            "entrant": str(subscription.topic.entrant_id or ""),
            "event": subscription.topic.event.slug,
        }
        for subscription in list_followed(endpoint)
        if subscription.topic.event.state == Event.State.OPEN
    ]
    return JsonResponse({"told": topics, "is_offline": bool(topics) and seems_offline(timezone.now())})


def _find_subject(data: Data) -> tuple[Event, Contest | None, Bike | Player | None]:
    """Return what a browser wants to follow.

    Raises:
        Http404: it does not exist, or is not public.
    """
    slug, contest_slug, entrant = (str(data.get(name) or "") for name in ("event", "contest", "entrant"))
    if not all(text.isascii() and text.isprintable() for text in (slug, contest_slug)):
        raise Http404
    if not contest_slug and not entrant:
        return _get_event(slug), None, None
    contest, entrant_id = get_open_contest(slug, contest_slug), parse_uuid(entrant)
    if contest is None or contest.event.archived_at is not None or entrant_id is None:
        raise Http404
    bike = Bike.entrants.filter(event=contest.event, pk=entrant_id).first()
    found = bike or Player.objects.filter(event=contest.event, pk=entrant_id).first()
    if found is None:
        raise Http404
    return contest.event, contest, found


def _get_event(slug: str) -> Event:
    event = get_open_event(slug)
    if event is None or event.archived_at is not None:
        raise Http404
    return event
