"""Drawing the image of a link preview. Apart from checking a logo that was sent, only this uses Pillow.

The fonts have Latin, Greek, Cyrillic, Armenian and Georgian letters. A name in another script is left out, and a bike
is called by its number alone: a row of empty boxes would help nobody.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from scorekeeper.results.preview import Preview, PreviewPlace

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
    holder = place.holder if is_drawable(place.holder) else place.short
    left, width = MARGIN + 130, WIDTH - 2 * MARGIN - 200 - total_width
    _write(draw, (left, middle - (16 if place.cards else 0)), holder, BOLD, 36 if place.cards else 42, INK, width)
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
