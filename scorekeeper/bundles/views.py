"""The organisers' page about the bundle of an event, and the downloads: for organisers, and for everyone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.audience.visible_standings import is_whole_result_public
from scorekeeper.bundles.roster_names import Roster
from scorekeeper.bundles.services import BundleFile, StandingsWithheld, compute_key, is_large, make_bundle, start_making
from scorekeeper.common.downloads import stream_file
from scorekeeper.common.public_files import limit_public_reads, send_public_file
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_freeze, get_open_event
from scorekeeper.standings.selectors.log_head import compute_event_head, list_chain_heads

JSON_LINES = "application/jsonl; charset=utf-8"


@organiser_required
def page(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show the head of the event's log, the downloads, and, if asked, the digests of the files."""
    is_frozen = get_freeze(event) is not None
    rosters: list[Roster] = ["full"] if is_frozen else ["full", "public"]
    digests = {roster: _compute_digest(event, roster) for roster in rosters} if "digests" in request.GET else {}
    context = {
        "event": event,
        "head": compute_event_head(list_chain_heads(event.pk, {})),
        "is_frozen": is_frozen,
        "is_public": event.is_open and is_whole_result_public(event),
        "full_digest": digests.get("full"),
        "public_digest": digests.get("public"),
    }
    return render(request, "bundles/page.html", context)


@organiser_required
def organiser_file(request: OrganiserRequest, event: Event, roster: str) -> HttpResponse:
    """Send a bundle to an organiser, or show how far a large one is."""
    if is_large(event) and not (roster == "public" and get_freeze(event) is not None):
        return redirect(start_making(event, cast(Roster, roster), is_public=False))
    try:
        return cast(HttpResponse, _send(request, event, cast(Roster, roster)))
    except StandingsWithheld:
        text = _("The standings are frozen, and this file would say who leads. Lift the freeze first.")
        messages.error(request, text)
        return redirect("bundles:page", event.slug)


@limit_public_reads
def public_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the bundle of an event to anyone, once all of its result is official and nothing is frozen.

    Until then, and after a contest was reopened, the address leads to the page of the event.
    """
    event = get_open_event(slug)
    if event is None:
        raise Http404
    if not is_whole_result_public(event):
        return redirect("results:event", slug)
    if is_large(event) and get_freeze(event) is None:
        return redirect(start_making(event, "public", is_public=True))

    def make() -> tuple[str, Iterable[bytes]]:
        bundle = make_bundle(event, "public")
        return bundle.name, _read_and_close(bundle)

    try:
        return send_public_file(request, compute_key(event, "public"), make, JSON_LINES, has_language=False)
    except StandingsWithheld:  # frozen at this very moment
        return redirect("results:event", slug)


def _compute_digest(event: Event, roster: Roster) -> str:
    with make_bundle(event, roster) as bundle:
        return bundle.digest


def _read_and_close(bundle: BundleFile) -> Iterable[bytes]:
    with bundle:
        yield from bundle.read_chunks()


def _send(request: HttpRequest, event: Event, roster: Roster) -> HttpResponseBase:
    bundle = make_bundle(event, roster)
    return stream_file(request, bundle.read_chunks(), JSON_LINES, bundle.name, on_close=bundle.close)
