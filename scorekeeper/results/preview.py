"""What the image of a link preview says: a contest, how official it is, and the first three, with their public names.

- There is an image only for an official contest, and it says only what the page of the contest shows.
- Its address has the number of the revision and a digest of everything it says. So a new revision, a correction of a
  name or its erasure gives it another address, and whatever is cached under the old one is not used any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.game import Game
from scorekeeper.audience.visible_standings import PublicRevision, get_public_revision, read_public_report
from scorekeeper.events.models import Contest
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.players.selectors import format_holder
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.wording import describe_decided_by, label_total

LAYOUT = 1  # counts up with every change of how the image looks
PLACES = 3
DIGEST_LENGTH = 16


@dataclass(frozen=True, slots=True)
class PreviewPlace:
    """One of the first three.

    Attributes:
        holder: the bike with its riders, or the player.
        short: the bike alone, where the names cannot be drawn; "" for a player.
        cards: what was cut for the place; "" where nothing was.
    """

    label: str
    holder: str
    short: str
    total: str
    cards: str


@dataclass(frozen=True, slots=True)
class Preview:
    """The texts of an image.

    Attributes:
        more: how many more share the last place shown; "" for none.
        practice: a warning that nothing counts; "" elsewhere.
    """

    revision: int
    event: str
    date: str
    contest: str
    official: str
    total_label: str
    places: tuple[PreviewPlace, ...]
    more: str
    practice: str

    @property
    def digest(self) -> str:
        """A digest of everything the image says, and of how it looks."""
        texts = [LAYOUT, *astuple(self)]
        return sha256(canonical_json(texts))[:DIGEST_LENGTH]

    @property
    def alt(self) -> str:
        """The same in a sentence, for those who cannot see the image."""
        places = "; ".join(f"{place.label} {place.holder}, {place.total}" for place in self.places)
        params = {"event": self.event, "contest": self.contest, "official": self.practice or self.official}
        return f"{_('%(contest)s at %(event)s. %(official)s') % params}{f': {places}' if places else ''}"


@dataclass(frozen=True, slots=True)
class PreviewImage:
    """The address of an image, relative to the site, and its texts."""

    url: str
    alt: str


def get_preview(contest: Contest, people: Mapping[UUID, str]) -> Preview | None:
    """Return the texts for an official contest, from its last revision; None before, and while a freeze withholds it.

    Args:
        people: the public names of each bike or player.
    """
    revision = get_public_revision(contest)
    if revision is None:
        return None
    first = _get_first_places(revision)
    event = contest.event
    return Preview(
        revision=revision.number,
        event=event.name,
        date=date_format(event.date, "DATE_FORMAT"),
        contest=contest.name,
        official=_("Official, revision %(number)s") % {"number": revision.number},
        total_label=label_total(contest.game, first.standings_version),
        places=tuple(_present_place(contest.game, row, people.get(row.holder_id, "")) for row in first.rows),
        more=ngettext("and %(count)s more", "and %(count)s more", first.more) % {"count": first.more}
        if first.more
        else "",
        practice=_("Practice: nothing here counts") if event.is_practice else "",
    )


def get_preview_image(contest: Contest, preview: Preview | None) -> PreviewImage | None:
    """Return the address of the image of a contest; None if it has none."""
    return None if preview is None else PreviewImage(get_preview_url(contest, preview), preview.alt)


def get_preview_url(contest: Contest, preview: Preview) -> str:
    """Return the address of the image of a contest, relative to the site."""
    return reverse("results:preview", args=[contest.event.slug, contest.slug, preview.revision, preview.digest])


@dataclass(frozen=True, slots=True)
class _FirstPlaces:
    rows: tuple[LeaderboardRow, ...]
    more: int
    standings_version: int


@lru_cache(maxsize=64)
def _get_first_places(revision: PublicRevision) -> _FirstPlaces:
    # A revision never changes, and has no names.
    report = read_public_report(revision)
    rows, others = report.rows[:PLACES], report.rows[PLACES:]
    more = sum(row.rank == rows[-1].rank for row in others) if rows else 0
    return _FirstPlaces(rows, more, report.standings_version)


def _present_place(game: Game[Any], row: LeaderboardRow, people: str) -> PreviewPlace:
    short = format_holder(row.number, "") if row.number else ""
    cards = describe_decided_by(row, game) if row.decided_by == "cut" else ""
    return PreviewPlace(row.rank_label, format_holder(row.number, people), short, str(row.total), cards)
