"""The headers of pages that other sites may show in a frame: those under `/embed/`, and nothing else.

Invariants:
- Such a page has no form, does nothing, and shows only what its public page shows to somebody without an account.
- It neither sets nor reads a cookie, so it is the same for everybody. Its language is that of the event, or `?lang=`.
- It works in a frame with `sandbox="allow-scripts"` too, as some sites make it, where its origin is "null". So it and
  its files may be read by any origin. Its scripts are no modules, which would not be loaded there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from csp.constants import HEADER
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict
from django.utils.translation import get_language

from scorekeeper.common.languages import find_language, get_english, mark_as_of_no_language, speaking
from scorekeeper.common.security_headers import ANY_ANCESTOR
from scorekeeper.embeds.embed_files import get_files_digest
from scorekeeper.events.noindex import NOINDEX, ROBOTS_HEADER
from scorekeeper.events.selectors import get_deleted_event

P = ParamSpec("P")

DEFAULT_ROWS, MAX_ROWS = 10, 50
THEMES = {"light": "day", "dark": "night"}  # the value of `?theme=`, and its name in `theme.css`
# Other sites may load a response, whatever they ask of what they load; it sends nothing about them on.
FOR_ANY_SITE = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Referrer-Policy": "no-referrer",
}
FRAME_HEADERS = {
    **FOR_ANY_SITE,
    HEADER: (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        f"base-uri 'none'; form-action 'none'; {ANY_ANCESTOR}"
    ),
    # A site that is isolated from others (COEP) may frame it, and a window that opens it stays apart from it.
    "Cross-Origin-Embedder-Policy": "require-corp",
    ROBOTS_HEADER: NOINDEX,
}


@dataclass(frozen=True, slots=True)
class EmbedOptions:
    """What the address of a frame may ask for. Whatever is not offered counts as not asked for.

    Attributes:
        rows: how many rows at most.
        theme: "light" or "dark"; "" for what the reader's device prefers.
        language: its code; "" for that of the event.
    """

    rows: int = DEFAULT_ROWS
    theme: str = ""
    language: str = ""

    @classmethod
    def from_query(cls, query: MultiValueDict[str, str]) -> EmbedOptions:
        """Return the options in a query string."""
        rows, theme = query.get("rows", ""), query.get("theme", "")
        return cls(
            min(int(rows), MAX_ROWS) if rows.isdecimal() and len(rows) < 6 and int(rows) else DEFAULT_ROWS,
            theme if theme in THEMES else "",
            find_language(query.get("lang")) or "",
        )

    @property
    def theme_name(self) -> str:
        """The name of the theme in the style sheet; "" for none."""
        return THEMES.get(self.theme, "")

    def to_query(self) -> str:
        """Return the query string with "?"; "" if nothing is asked for."""
        asked = {"rows": "" if self.rows == DEFAULT_ROWS else self.rows, "theme": self.theme, "lang": self.language}
        query = urlencode({name: value for name, value in asked.items() if value})
        return f"?{query}" if query else ""


def framable(
    view: Callable[Concatenate[HttpRequest, EmbedOptions, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Let any site show the response in a frame, also one that says that there is nothing to show."""

    @wraps(view)
    def framed(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        options = EmbedOptions.from_query(request.GET)
        try:
            response = view(request, options, *args, **kwargs)
        except Http404:
            response = _respond_missing(options, str(kwargs.get("slug", "")))
        set_headers(response, FRAME_HEADERS)
        response.xframe_options_exempt = True  # type: ignore[attr-defined]
        mark_as_of_no_language(response)
        return response

    return framed


def set_headers(response: HttpResponseBase, headers: Mapping[str, str]) -> None:
    """Give a response these headers, whatever it had."""
    for name, value in headers.items():
        response.headers[name] = value


def render_embed(template: str, options: EmbedOptions, context: dict[str, object]) -> str:
    """Return a page for frames. It is made without the request, so it cannot depend on who asks."""
    return render_to_string(template, {**context, "options": options, "files": get_files_digest()})


def _respond_missing(options: EmbedOptions, slug: str) -> HttpResponse:
    """Say that there is nothing at an address: 410 if it was deleted. Elsewhere a browser would show an empty frame."""
    is_deleted = bool(slug) and get_deleted_event(slug) is not None
    with speaking(options.language):
        html = render_embed("embeds/missing.html", options, {"is_deleted": is_deleted})
        headers = {"Cache-Control": "no-cache", "Content-Language": get_language() or get_english()}
    return HttpResponse(html, status=410 if is_deleted else 404, headers=headers)
