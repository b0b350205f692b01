"""The reasons that the program offers or gives by itself.

The log has them in English, whatever language they were chosen in, so that it says the same to everyone; pages show
them in the reader's language. What people type stays as it is.
"""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop

MISREAD, WRONG_BOX = gettext_noop("Misread"), gettext_noop("Wrong box")
WRONG_CHOICE, WRONG_PLAYER = gettext_noop("Wrong choice"), gettext_noop("Wrong player")
UNDONE = gettext_noop("Undone right after it was recorded")
CARD_BOUGHT, NO_MORE_CARDS = gettext_noop("Card bought"), gettext_noop("No more cards")  # of a sale
_ALL = {MISREAD, WRONG_BOX, WRONG_CHOICE, WRONG_PLAYER, UNDONE, CARD_BOUGHT, NO_MORE_CARDS}


def show_reason(text: str) -> str:
    """Return a reason from the log in the reader's language if it is one of these, otherwise as it was typed."""
    return gettext(text) if text in _ALL else text
