"""The image of a link preview of a contest."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from scorekeeper.common.public_files import limit_public_reads, send_public_file
from scorekeeper.players.selectors import get_public_names
from scorekeeper.results.preview import get_preview, get_preview_url
from scorekeeper.results.public_lookups import get_public_contest

# The address changes with the image. A name that was erased must still not stay in caches for long.
CACHE_CONTROL = "public, max-age=86400, immutable"


@limit_public_reads
def preview(request: HttpRequest, slug: str, contest_slug: str, revision: int, digest: str) -> HttpResponseBase:
    """Send the image of an official contest; an old address redirects to the current one."""
    contest = get_public_contest(slug, contest_slug)
    current = get_preview(contest, get_public_names(contest.event, contest))
    if current is None:
        raise Http404
    if (revision, digest) != (current.revision, current.digest):
        response = redirect(get_preview_url(contest, current))
        response.headers["Cache-Control"] = "no-cache"
        return response
    from scorekeeper.results.preview import draw_preview  # only here, since it imports Pillow

    return send_public_file(request, digest, lambda: ("", [draw_preview(current)]), "image/png", CACHE_CONTROL)
