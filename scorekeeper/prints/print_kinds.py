"""Every kind of document: what it is called, what it is made for, and who may have it.

Terms: the *size* of a document is about how many pages it has, counted before anything is read of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.selectors import list_sheets
from scorekeeper.bundles.roster_names import Roster
from scorekeeper.common.game_adapter import translate
from scorekeeper.common.languages import speaking
from scorekeeper.events.models import Contest
from scorekeeper.prints.bundle_builder import BundleBuilder, FileBuilder
from scorekeeper.prints.handout_pages import list_handouts, make_handout
from scorekeeper.prints.print_source import PrintSource
from scorekeeper.prints.result_pages import make_certificates, make_standings
from scorekeeper.prints.scorecard_pages import make_blank_cards, make_scorecards, make_stop_sheets
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.models import Seat

ROWS_PER_PAGE = 25  # of the standings, or of what goes by rows


@dataclass(frozen=True)
class PrintKind:
    """A kind of document.

    Attributes:
        key: the name of its file in URLs.
        build: returns the document, in the current language.
        measure: returns its size.
        is_of_contest: whether there is one for each contest, and not one for the event.
        is_public: whether everyone may have it, with what the audience may see.
        fits: whether a contest has one.
    """

    key: str
    label: str | Promise
    about: str | Promise
    build: Callable[[PrintSource], FileBuilder]
    measure: Callable[[PrintSource], int]
    is_of_contest: bool = True
    is_public: bool = False
    fits: Callable[[Contest], bool] = lambda contest: True

    def make(self, source: PrintSource) -> FileBuilder:
        """Return the document, in the language that was asked for."""
        with speaking(source.language):
            return self.build(source)


def measure_one(source: PrintSource) -> int:
    """Return the size of a document of a page or two."""
    return 1


def measure_bikes(source: PrintSource) -> int:
    """Return the size of a document with a page for each bike."""
    return 1 if source.entrant_id else list_sheets(source.the_contest).count()


def measure_cards(source: PrintSource) -> int:
    """Return the size of a document with a page for each scorecard."""
    return 1 if source.entrant_id else Seat.objects.filter(contest=source.the_contest).count()


def measure_stop_sheets(source: PrintSource) -> int:
    """Return the size of a document with a page for each group at each stop."""
    return max(1, source.event.groups.count()) * source.event.stops.count()


def measure_rows(source: PrintSource) -> int:
    """Return the size of a document with a row for each bike or seat."""
    return max(measure_bikes(source), measure_cards(source)) // ROWS_PER_PAGE + 1


_ALL = (
    PrintKind(
        "stop-sheets",
        _("Stop sheets"),
        _("A sheet for each group at each stop: its bikes, with room for their turns if no phone works."),
        make_stop_sheets,
        measure_stop_sheets,
        is_of_contest=False,
    ),
    PrintKind(
        "standings",
        _("Standings"),
        _("The places, totals, groups and prizes."),
        make_standings,
        measure_rows,
        is_public=True,
    ),
    PrintKind(
        "scorecards",
        _("Scorecards"),
        _("Every scorecard with all its lines and turns, one to a page."),
        make_scorecards,
        measure_cards,
        is_public=True,
    ),
    PrintKind(
        "certificates",
        _("Certificates"),
        _("A certificate for everyone in the ranking and every winner of a prize, with the logo and your own wording."),
        make_certificates,
        measure_cards,
        is_public=True,  # of an official result
    ),
    PrintKind(
        "blank-cards",
        _("Blank scorecards"),
        _("Scorecards to fill in with a pen: one for each bike, with its number and its code."),
        make_blank_cards,
        measure_bikes,
        fits=lambda contest: get_kind(contest.game).enters_roster,
    ),
)
_BUNDLES: tuple[tuple[Roster, str | Promise], ...] = (("full", _("With everything.")), ("public", _("For everyone.")))
KINDS: Mapping[str, PrintKind] = {kind.key: kind for kind in _ALL}
# The bundle of a large event is no document, and has its own address (`scorekeeper.bundles.views`).
BUNDLE_KINDS: Mapping[Roster, PrintKind] = {
    roster: PrintKind(
        f"bundle-{roster}",
        _("The whole event in one file"),
        about,
        lambda source, roster=roster: BundleBuilder(source.event, roster),  # type: ignore[misc]
        measure_one,
        is_of_contest=False,
        is_public=roster == "public",
    )
    for roster, about in _BUNDLES
}
HANDOUT = "table-"  # before the key of a game's handout


def find_kind(key: str) -> PrintKind | None:
    """Return the kind with this key, or that of a handout, which only some games have."""
    if key.startswith(HANDOUT):
        return _make_handout_kind(key.removeprefix(HANDOUT), _("Handout"), _("A sheet to hand out."))
    return KINDS.get(key)


def find_job_kind(key: str) -> PrintKind | None:
    """Return the kind of what a job makes: a document or a bundle."""
    return next((kind for kind in BUNDLE_KINDS.values() if kind.key == key), None) or find_kind(key)


def list_event_kinds() -> list[PrintKind]:
    """Return the kinds of documents of a whole event."""
    return [kind for kind in KINDS.values() if not kind.is_of_contest]


def list_contest_kinds(contest: Contest) -> list[PrintKind]:
    """Return the kinds of documents that a contest has, with the handouts of its game."""
    kinds = [kind for kind in KINDS.values() if kind.is_of_contest and kind.fits(contest)]
    about = _("A sheet for the stops and for riders.") if contest.game.slot_option else _("A sheet for the tables.")
    return [*kinds, *(_make_handout_kind(one.key, translate(one.title), about) for one in list_handouts(contest))]


def _make_handout_kind(key: str, label: str | Promise, about: str | Promise) -> PrintKind:
    return PrintKind(f"{HANDOUT}{key}", label, about, partial(make_handout, key), measure_one)
