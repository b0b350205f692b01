"""The menu above an event's organiser pages, for all apps: its pages by the phases of the ride day.

Each page is in the phase in which an organiser needs it, so that it is two steps away: its phase, then the page. Apps
in higher layers are referred to by URL names only; nothing is imported from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import models
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import has_dice
from scorekeeper.events.sheet_setting import sells_sheets


class Phase(models.TextChoices):
    """What an organiser is doing."""

    PREPARE = "prepare", _("Prepare")
    RIDE_DAY = "ride-day", _("Ride day")
    PRIZE_GIVING = "prize-giving", _("Prize giving")
    AFTERWARDS = "afterwards", _("Afterwards")


class _Page(NamedTuple):
    """A page of the menu: the key that templates refer to, its URL name and its label."""

    key: str
    route: str
    text: Promise


# Closing and publishing have a page for each contest; the overview of the phase lists them.
FINISH = "finish"
# Shown only where a contest has what they are about.
DICE, SHEETS = "dice", "sheets"
PAGES = {
    Phase.PREPARE: (
        _Page("contests", "events:contests", _("Contests")),
        _Page("stops", "stops:list", _("Stops")),
        _Page("groups", "crew:groups", _("Groups and crew")),
        _Page("roster", "players:roster", _("Bikes and riders")),
        _Page("classes", "players:classes", _("Classes")),
        _Page(SHEETS, "desk:sheets", _("Further sheets")),
        _Page("sign_ups", "players:sign_ups", _("Sign-ups")),
        _Page("sheet", "crew:sheet", _("Crew sheet")),
        _Page("codes", "players:codes", _("Codes for the bikes")),
        _Page("event_page", "event_page:edit", _("Event page")),
        _Page("organisers", "events:organisers", _("Organisers")),
        _Page("settings", "events:edit", _("Settings")),
    ),
    Phase.RIDE_DAY: (
        _Page("live", "desk:live", _("Live")),
        _Page("cards", "desk:cards", _("Scorecards")),
        _Page("check_in", "check_in:desk_list", _("Check-in")),
        _Page("review", "desk:review", _("Review")),
        _Page("messages", "crew:messages", _("Messages")),
        _Page("phones", "desk:phones", _("Phones")),
        _Page("objections", "agreements:objections", _("What riders say is wrong")),
        _Page("duplicates", "desk:duplicates", _("Bikes that share a number")),
        _Page("warnings", "desk:warnings", _("Worth a look")),
    ),
    Phase.PRIZE_GIVING: (
        _Page(FINISH, "desk:event", _("Close and publish")),
        _Page("prizes", "prizes:list", _("Prizes")),
        _Page("screens", "live:settings", _("Big screen")),
        _Page("microphone", "live:microphone", _("Microphone")),
        _Page("website", "embeds:event_snippets", _("Your website")),
    ),
    Phase.AFTERWARDS: (
        _Page("prints", "prints:list", _("Print")),
        _Page("bundle", "bundles:page", _("The whole event in one file")),
        _Page(DICE, "dice:audit", _("Are the dice fair?")),
        _Page("personal_data", "personal_data:person", _("What is stored about a person")),
        _Page("archive", "events:archive", _("Archive the event")),
    ),
}
PHASE_OF_PAGE = {page.key: phase for phase, pages in PAGES.items() for page in pages}


@dataclass(frozen=True, slots=True)
class MenuLink:
    """A link of the menu, and whether the reader is at it."""

    href: str
    text: str | Promise
    is_current: bool


@dataclass(frozen=True, slots=True)
class MenuSection:
    """A phase with its pages.

    Attributes:
        link: to the overview of the phase.
        is_open: whether its pages are shown where there is no room for those of all phases.
    """

    link: MenuLink
    pages: Sequence[MenuLink]
    is_open: bool


@dataclass(frozen=True, slots=True)
class Menu:
    """The overview, and the phases of the day."""

    overview: MenuLink
    sections: Sequence[MenuSection]

    @property
    def here(self) -> str | Promise:
        """What the page that the reader is at is called."""
        links = [self.overview, *(page for section in self.sections for page in section.pages)]
        links += [section.link for section in self.sections]
        return next((link.text for link in links if link.is_current), "")


def get_menu(event: Event, current: str, shown: Phase | None = None) -> Menu:
    """Return the menu. Pages about dice and about further sheets are in it only where a contest has them.

    Args:
        current: the key of the page; "overview", or the value of a phase for its overview.
        shown: the phase that the overview is about; None on other pages, which have their own.
    """
    start = get_start_page(event)
    shown = shown or PHASE_OF_PAGE.get(current) or next((phase for phase in Phase if phase == current), None)
    contests = list(event.contests.all())
    has_it = {DICE: has_dice(contests), SHEETS: any(map(sells_sheets, contests))}
    hidden = {page for page, is_useful in has_it.items() if not is_useful and page != current}
    sections = []
    for phase, pages in PAGES.items():
        address = get_phase_page(event, phase)
        links = [
            MenuLink(
                address if page.key == FINISH else reverse(page.route, args=[event.slug]),
                page.text,
                is_current=page.key == current,
            )
            for page in pages
            if page.key not in hidden
        ]
        sections.append(
            MenuSection(MenuLink(address, phase.label, is_current=phase == current), links, is_open=phase == shown)
        )
    return Menu(MenuLink(start, _("Overview"), is_current=current == "overview"), sections)


def get_phase(event: Event, contests: Sequence[Contest]) -> Phase:
    """Return the phase that the event has reached.

    The ride is over when the contests at its stops are closed: at the tables people may play on. Without any contest
    at stops, those at tables decide.

    Args:
        contests: all of the event.
    """
    if not event.is_open:
        return Phase.PREPARE
    ridden = [contest for contest in contests if contest.game.slot_option] or contests
    if not ridden or any(contest.status == Contest.Status.OPEN for contest in ridden):
        return Phase.RIDE_DAY
    is_official = all(contest.status == Contest.Status.OFFICIAL for contest in contests)
    return Phase.AFTERWARDS if is_official else Phase.PRIZE_GIVING


def get_start_page(event: Event) -> str:
    """Return the URL of the page on which an organiser starts."""
    return reverse("desk:event", args=[event.slug])


def get_phase_page(event: Event, phase: Phase) -> str:
    """Return the URL of the overview of a phase."""
    return f"{get_start_page(event)}?phase={phase.value}"
