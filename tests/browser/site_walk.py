"""A crawl of the site: from page to page by their links, as one role after the other.

Terms: a page is identified by its *route*, the pattern of its URL. Routes that no link leads to are declared, with how
they are reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from urllib.parse import urljoin, urlsplit

from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve
from playwright.sync_api import Page

from tools.phone_engine.page_crawler import CrawledPage

ROLES = ("organiser setting up", "organiser at the desk", "crew", "public")
LINKS = "all => all.map(one => one.getAttribute('href'))"

# Responses to a form's button only: they have no page, or their page has a test of its own.
FORMS_ONLY = {
    "agreements:settle_objection",
    "check_in:move_item",
    "crew:confirm_read",
    "crew:invite",
    "events:invite_organiser",
    "events:unarchive",
    *("events:withdraw_invite", "events:withdraw_invitation"),
    *("events:accept_invitation", "events:decline_invitation", "events:confirm_organising"),
    "events:end_session",
    "crew:move_group",
    "crew:withdraw_message",
    "desk:confirm_lost_phone",
    "desk:practice",
    "desk:restore_warning",
    "desk:walk_up_names",
    *("players:decide_sign_up", "players:mark_as_told"),
    "players:move_class",
    "prints:crew_links",
    "desk:settle",
    "desk:unmerge",
    *("events:language", "events:sign_out"),
    "live:steer",
    "desk:steer_draw",
    *("prizes:move", "event_page:move_sponsor"),
    "live:start_announcing",
    "scorecards:undo",
    "scorecards:withdraw",
    *("scorecards:withdraw_sheet", "scorecards:desk_withdraw_sheet", "desk:passenger_sheets"),
    "stops:move",
    "tables:desk_undo",
    "tables:undo",
    *("push:told", "push:follow", "push:stop", "push:move"),
    *("webhooks:steer", "webhooks:send_again"),
}
NO_PAGE = {
    *(
        "healthz",
        "readyz",
        "robots",
        "metrics",
        "api:operations",
        "api:schema",
        "api:key",
        "api:carried",
        "api:messages_read",
        "offline:ride",
        "offline:ride_parts",
    ),
    *("api:events", "api:event", "api:stops", "api:groups", "api:bikes", "api:players", "api:review_items"),
    "api:classes",
    *("api:contests", "api:contest", "api:standings", "api:scorecards", "api:scorecard", "api:entries"),
    *("api:devices", "api:crew_scorecard", "api:ride_progress", "api:sheets", "api:organiser_operations"),
    *("api:prizes", "api:revisions", "api:revision", "api:results"),
    *("api:luck", "api:scorecard_luck"),
    # Parts of pages, which `test_odds_and_luck` opens.
    *("coach:bike", "coach:table", "coach:desk_table", "results:odds"),
    *(
        "live:board",
        "live:class_board",
        "desk:live_changes",
        "live:changes",
        "live:event",
        "live:screen_stream",
        "live:paired_stream",
        "live:television_check",
        "live:microphone_step",
        "crew:sample",
        "players:sample",
        "results:export",
        "results:desk_export",
        "results:preview",
        *("prizes:logo", "event_page:poster_image", "event_page:desk_poster", "event_page:gpx"),
        "seasons:export",
        *("embeds:feed", "embeds:season_feed", "embeds:calendar", "embeds:season_calendar", "embeds:ride"),
        *("embeds:oembed", "embeds:frame_style", "embeds:frame_script", "embeds:script"),
        "bundles:public",
        "bundles:file",
        "personal_data:file",
        *("prints:public_file", "prints:contest_file", "prints:event_file"),
        *("prints:job_file", "prints:public_job_file"),
    ),
    *("scorecards:scanned", "authority"),
    *("push:worker", "push:key", "push:manifest"),
    # Files that store the crew's pages on a phone; the shell stands for any page there, and is empty at first.
    *("offline:service_worker", "offline:engine_worker", "offline:manifest", "offline:language", "offline:shell"),
}
# Pages that no link leads to at any point of the demo, by the file that brings about their moment and measures them.
# Each file asserts that it has measured all of its own.
MEASURED_BY = {
    "test_passing_pages.py": {
        *("desk:clear_missed", "desk:copied", "desk:practice_play", "desk:practice_progress", "crew:switch"),
        *("players:sign_up", "players:sign_ups", "check_in:crew_list"),
        *("scorecards:did_not_start", "scorecards:desk_did_not_start"),
        *("check_in:rename_item", "check_in:delete_item"),
        *("players:classes", "players:edit_class", "players:delete_class"),
        *("results:class_board", "embeds:class_board"),
        *("desk:class_members", "desk:class_corrections", "desk:bike_classes", "desk:person_classes"),
        *("seasons:season", "seasons:rider", "seasons:list", "seasons:create", "seasons:overview", "seasons:edit"),
        *("seasons:delete", "seasons:merge", "seasons:link", "seasons:remove_round"),
        *("embeds:season", "embeds:season_snippets"),
        "events:revoke_access_token",
        *("agreements:group", "agreements:card", "agreements:confirm", "agreements:desk_card"),
        *("agreements:object", "agreements:objections"),
        *("prints:job", "prints:public_job"),
        "dice:test",
        *("webhooks:webhook", "webhooks:rotate", "webhooks:delete"),
    },
    # Of an event with a track, which the demo lacks.
    "test_event_page.py": {"event_page:delete_track"},
    # In the frames of another site.
    "test_frames.py": {"embeds:board", "embeds:prizes"},
    # After the last turn of a game in which something can follow it.
    "test_poker_run.py": {"scorecards:buy", "scorecards:desk_buy"},
    # Televisions that are paired, and one that is not.
    "test_paired_screens.py": {"live:television", "live:pair", "live:edit_screen", "live:unpair"},
    # One-time links for organisers, on an installation without an account.
    "test_first_run.py": {"events:welcome", "events:invited", "events:invited_sign_in", "events:new_password"},
    # Served at `localhost`, since browsers use no passkeys at the address of the other tests.
    "test_passkeys.py": {
        *("events:add_passkey", "events:create_passkey", "events:rename_passkey", "events:remove_passkey"),
        "events:sign_in_passkey",
    },
    # Served over TLS with the program's own certificate.
    "test_trust.py": {"trust"},
}
# Pages with different links for each object; a walk opens all of them.
VARIED = {"crew:member", "personal_data:person", "desk:finish", "events:edit_contest", "results:leaderboard"}


def list_routes(patterns: Iterable[URLPattern | URLResolver], prefix: str = "") -> Iterable[str]:
    """Return the names of all routes."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            namespace = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from list_routes(pattern.url_patterns, prefix + namespace)
        else:
            yield f"{prefix}{pattern.name}"


def get_route(path: str) -> str | None:
    """Return the route of a path; None if there is no page."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return None


def get_role(route: str) -> str:
    """Return the role that uses a page most."""
    app, _colon, page = route.partition(":")
    if route in ("crew:sign_out", "offline:ready", "offline:swap", "offline:plain") or (
        app in ("scorecards", "tables") and not page.startswith("desk_")
    ):
        return "crew"
    if route == "results:event_preview":
        return "organiser setting up"
    if app in ("results", "rulebooks") or route in ("events:sign_in", "crew:join", "crew:open_link", "live:screen"):
        return "public"
    at_the_desk = ("desk", "dice", "live", "prints", "scorecards", "tables")
    return "organiser at the desk" if app in at_the_desk else "organiser setting up"


def list_routes_of(role: str) -> set[str]:
    """Return the routes of all pages that a role's links lead to."""
    pages = set(list_routes(get_resolver().url_patterns)) - FORMS_ONLY - NO_PAGE
    pages -= set().union(*MEASURED_BY.values())
    return {route for route in pages if get_role(route) == role}


def walk(
    page: Page, starts: Iterable[str], routes: set[str], look: Callable[[Page], list[str]]
) -> dict[str, list[str]]:
    """Open one page of every linked route; return by route what is wrong with it.

    Further pages are requested for their links only.

    Args:
        look: returns what is wrong with the open page.
    """
    seen: dict[str, list[str]] = {}
    opened: set[str] = set()
    ahead = list(starts)
    while ahead:
        path = ahead.pop(0)
        route = get_route(urlsplit(path).path)
        if route not in routes or path in opened or (route in seen and route not in VARIED):
            continue
        opened.add(path)
        is_first = route not in seen
        answer = page.goto(path) if is_first else page.request.get(path)
        assert answer is not None
        assert answer.status == 200, f"{path} is linked to and answers {answer.status}"
        hrefs = page.locator("a[href]").evaluate_all(LINKS) if is_first else CrawledPage(answer.text()).links
        ahead += [urljoin(path, href) for href in hrefs if not href.startswith(("#", "http"))]
        if is_first:
            seen[route] = [f"{route}: {what}" for what in look(page)]
    return seen
