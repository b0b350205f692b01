"""Which templates go to phones: those of the rooms whose pages a phone answers, whole folders and single ones.

Named by folders, for a page that no rehearsal comes to, such as one about damage, is to be there as well.
"""

from __future__ import annotations

TEMPLATE_FOLDERS = ("components", "offline", "rulebooks", "scorecards", "tables")
SINGLE_TEMPLATES = (
    "400.html",
    "403.html",
    "404.html",
    "alone.html",
    "base.html",
    "crew_base.html",
    "crew/not_signed_in.html",
)
# Of Django: what its forms and fields are drawn with.
FORM_TEMPLATES = "django/forms"
