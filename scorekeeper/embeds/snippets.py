"""What a club puts into its website to show a frame, and how large that is.

A frame with the script gets the height that it needs. Without it, or where a site allows no scripts, it has the height
that its content most likely needs, and scrolls.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

# Pixels, as measured at a width of 600 with names of usual length.
HEAD_HEIGHT, ROW_HEIGHT = 132, 46
DEFAULT_WIDTH, MIN_HEIGHT = 600, 200


@dataclass(frozen=True, slots=True)
class Embed:
    """A page that other sites show in a frame.

    Attributes:
        path: its address on this site, with the options in its query.
        title: says what it shows, for those who cannot see it.
        rows: how many rows it is expected to have.
    """

    path: str
    title: str
    rows: int

    @property
    def url(self) -> str:
        """Its public address."""
        return f"{settings.BASE_URL}{self.path}"

    @property
    def height(self) -> int:
        """How high it most likely is, in pixels."""
        return max(MIN_HEIGHT, HEAD_HEIGHT + ROW_HEIGHT * self.rows)


def make_embed_html(embed: Embed, width: int | str = "100%", height: int | None = None) -> SafeString:
    """Return the frame as HTML.

    Args:
        width: in pixels, or such as "100%".
        height: in pixels; None for what it most likely needs.
    """
    return format_html(
        '<iframe src="{}" title="{}" width="{}" height="{}" style="border:0;max-width:100%" loading="lazy"></iframe>',
        embed.url,
        embed.title,
        width,
        embed.height if height is None else height,
    )


def make_snippet(embed: Embed) -> SafeString:
    """Return the frame with the script that gives it the height it needs."""
    script = settings.BASE_URL + reverse("embeds:script")
    return format_html('{}\n<script src="{}" async></script>', make_embed_html(embed), script)
