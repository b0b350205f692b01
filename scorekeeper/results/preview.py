"""The image of a link preview: a contest, how official it is, and the first three, with their public names.

- There is an image only for an official contest, and it says only what the page of the contest shows.
- Its address has the number of the revision and a digest of everything it says. So a new revision, a correction of a
  name or its erasure gives it another address, and whatever is cached under the old one is not used any more.
- The fonts have Latin, Greek, Cyrillic, Armenian and Georgian letters. A name in another script is left out, and a bike
  is called by its number alone: a row of empty boxes would help nobody.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from PIL import Image, ImageDraw, ImageFont

from games.core.game import Game
from scorekeeper.audience.visible_standings import PublicRevision, get_public_revision, read_public_report
from scorekeeper.common.date_wording import format_date
from scorekeeper.common.game_adapter import show_total
from scorekeeper.events.models import Contest
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.players.selectors import format_entrant
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.wording import describe_decided_by, label_total

LAYOUT = 1  # counts up with every change of how the image looks
PLACES = 3
DIGEST_LENGTH = 16
SIZE = WIDTH, HEIGHT = 1200, 630
MARGIN = 64
BAR = 112  # the height of the band at the top
FONTS = Path(__file__).parent / "fonts"
REGULAR, BOLD = "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"
SMALLEST = 0.6  # a long text is drawn this much smaller at most, and then cut
# The light palette of static/css/tokens.css.
PAPER, SURFACE, INK, MUTED, RED, AMBER = "#f7f2e8", "#fffdf9", "#1c1714", "#4a423b", "#980f08", "#ffb020"
ON_BAR = "#f7f2e8"
Font = ImageFont.FreeTypeFont


@dataclass(frozen=True, slots=True)
class PreviewPlace:
    """One of the first three.

    Attributes:
        entrant: the bike with its riders, or the player.
        short: the bike alone, where the names cannot be drawn; "" for a player.
        cards: what was cut for the place; "" where nothing was.
    """

    label: str
    entrant: str
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
        places = "; ".join(f"{place.label} {place.entrant}, {place.total}" for place in self.places)
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
    first = get_first_places(revision)
    event = contest.event
    return Preview(
        revision=revision.number,
        event=event.name,
        date=format_date(event.date, "DATE_FORMAT"),
        contest=contest.name,
        official=_("Official, revision %(number)s") % {"number": revision.number},
        total_label=label_total(contest.game, first.standings_version),
        places=tuple(_present_place(contest.game, row, people.get(row.entrant_id, "")) for row in first.rows),
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
class FirstPlaces:
    """The first three of a revision, and how many more share the last place of them."""

    rows: tuple[LeaderboardRow, ...]
    more: int
    standings_version: int


@lru_cache(maxsize=64)
def get_first_places(revision: PublicRevision) -> FirstPlaces:
    """Return the first three of an official result."""
    # A revision never changes, and has no names.
    report = read_public_report(revision)
    rows, others = report.rows[:PLACES], report.rows[PLACES:]
    more = sum(row.rank == rows[-1].rank for row in others) if rows else 0
    return FirstPlaces(rows, more, report.standings_version)


def _present_place(game: Game[Any], row: LeaderboardRow, people: str) -> PreviewPlace:
    short = format_entrant(row.number, "") if row.number else ""
    cards = describe_decided_by(row, game) if row.decided_by == "cut" else ""
    return PreviewPlace(
        row.rank_label, format_entrant(row.number, people), short, str(show_total(game, row.total)), cards
    )


@lru_cache(maxsize=16)
def draw_preview(preview: Preview) -> bytes:
    """Return the image as a PNG of 1200 x 630 pixels."""
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, BAR), INK)
    draw.rectangle((0, BAR, WIDTH, BAR + 8), AMBER)
    width = WIDTH - 2 * MARGIN
    _write(draw, (MARGIN, BAR // 2), preview.event, BOLD, 40, ON_BAR, width - 260)
    _write(draw, (WIDTH - MARGIN, BAR // 2), "Tailgunner", BOLD, 32, AMBER, 240, anchor="rm")
    _write(draw, (MARGIN, 176), preview.contest, BOLD, 60, INK, width)
    official = f"{preview.official} · {preview.date}"
    _write(draw, (MARGIN, 238), preview.practice or official, REGULAR, 30, RED if preview.practice else MUTED, width)
    if preview.places:
        _write(draw, (WIDTH - MARGIN, 238), preview.total_label, REGULAR, 30, MUTED, 300, anchor="rm")
    for at, place in enumerate(preview.places):
        _draw_place(draw, 272 + at * 100, place, is_first=at == 0)
    if preview.more:
        _write(draw, (MARGIN + 130, 596), preview.more, REGULAR, 28, MUTED, width - 130)
    output = BytesIO()
    image.quantize(128).save(output, "PNG", optimize=True)
    return output.getvalue()


def _draw_place(draw: ImageDraw.ImageDraw, top: int, place: PreviewPlace, *, is_first: bool) -> None:
    middle = top + 44
    draw.rounded_rectangle((MARGIN, top, WIDTH - MARGIN, top + 88), 14, AMBER if is_first else SURFACE)
    _write(draw, (MARGIN + 28, middle), place.label, BOLD, 48, INK, 92)
    total_width = _write(draw, (WIDTH - MARGIN - 28, middle), place.total, BOLD, 48, INK, 300, anchor="rm")
    entrant = place.entrant if is_drawable(place.entrant) else place.short
    left, width = MARGIN + 130, WIDTH - 2 * MARGIN - 200 - total_width
    _write(draw, (left, middle - (16 if place.cards else 0)), entrant, BOLD, 36 if place.cards else 42, INK, width)
    _write(draw, (left, middle + 24), place.cards, REGULAR, 24, INK, width)


def _write(
    draw: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    name: str,
    size: int,
    colour: str,
    width: int,
    *,
    anchor: str = "lm",
) -> int:
    """Write a text in at most this width, smaller or cut if it is longer; return its width in pixels."""
    if not is_drawable(text):
        return 0
    text = unicodedata.normalize("NFC", text)
    font = _load_font(name, size)
    if font.getlength(text) > width:
        font = _load_font(name, max(round(size * width / font.getlength(text)), round(size * SMALLEST)))
    while len(text) > 1 and font.getlength(text) > width:
        text = f"{text.removesuffix('…')[:-1].rstrip()}…"
    draw.text(at, text, font=font, fill=colour, anchor=anchor)
    return round(font.getlength(text))


def is_drawable(text: str) -> bool:
    """Return whether the fonts have every character of a text."""
    return all(_has_glyph(character) for character in unicodedata.normalize("NFC", text) if not character.isspace())


@lru_cache(maxsize=4096)
def _has_glyph(character: str) -> bool:
    return all(_render(name, character) != _render(name, "\uffff") for name in (REGULAR, BOLD))


def _render(name: str, character: str) -> tuple[tuple[int, int], bytes]:
    mask = _load_font(name, 24).getmask(character)
    return mask.size, bytes(mask)


@cache
def _load_font(name: str, size: int) -> Font:
    # The basic layout does not depend on libraries of the system, so the image is the same everywhere.
    return ImageFont.truetype(FONTS / name, size, layout_engine=ImageFont.Layout.BASIC)
