"""The templates that are bundled into the engine: whole folders and single templates of the apps that a phone serves.

Whole folders, because the page crawler does not reach every page: the page about a damaged log, for example.
"""

from __future__ import annotations

TEMPLATE_FOLDERS = ("agreements", "check_in", "coach", "components", "offline", "rulebooks", "scorecards", "tables")
SINGLE_TEMPLATES = (
    "400.html",
    "403.html",
    "404.html",
    "alone.html",
    "base.html",
    "crew_base.html",
    "crew/_link_form.html",
    "crew/event_deleted.html",
    "crew/not_signed_in.html",
    "stops/_place.html",
)
# Django's own templates for forms and fields.
FORM_TEMPLATES = "django/forms"
