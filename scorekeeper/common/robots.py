"""`/robots.txt`: what search engines need not visit.

Pages that must not be found are not named here: a search engine that may not visit them would not see that they say
`noindex`, and everyone else would know where to look.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

LINES = ("User-agent: *", "Disallow: /desk/", "Disallow: /account/", "Disallow: /api/", "")


def send_robots(request: HttpRequest) -> HttpResponse:
    """Send the file."""
    response = HttpResponse("\n".join(LINES), content_type="text/plain; charset=utf-8")
    response.headers["Cache-Control"] = "public, max-age=86400"
    return response
