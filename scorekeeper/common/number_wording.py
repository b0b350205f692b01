"""Numbers as people read them in the language of the page: percentages, and places as ordinals.

Files, the API and the command line write numbers in one form for every language, so they do not use this.
"""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def format_percentage(percentage: float, decimals: int = 0) -> str:
    """Return a percentage: "12%", or "12.5%" with one decimal; many languages have a space before the sign."""
    return _("%(share)s%%") % {"share": number_format(round(percentage, decimals), decimals)}


def format_ordinal_place(rank: int) -> str:
    """Return a place in the standings as an ordinal: "1st", "22nd", "11th".

    Django's `ordinal` is for pages alone, since its French has tags, and in it a place is not of the right gender.
    """
    if rank == 1:
        return pgettext("ordinal of the first place", "1st")
    ending = 0 if rank % 100 in (11, 12, 13) else rank % 10
    if ending == 1:
        text = pgettext("ordinal of a place such as 21", "%(rank)sst")
    elif ending == 2:
        text = pgettext("ordinal of a place such as 2 or 22", "%(rank)snd")
    elif ending == 3:
        text = pgettext("ordinal of a place such as 3 or 23", "%(rank)srd")
    else:
        text = pgettext("ordinal of a place such as 4 or 11", "%(rank)sth")
    return text % {"rank": rank}
