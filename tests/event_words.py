"""What people create, open and copy is called an event on every page; "ride" is the riding itself."""

from __future__ import annotations

import re

RIDE = re.compile(r"(?<!/)\brides?\b(?!\.example)", re.IGNORECASE)  # not the addresses rides.example.org and /ride/
# An evening of games at tables is an event and no ride. These mean the riding:
RIDING = re.compile(
    r"""\bride[ ]days?\b                                        # a phase of the event
    | \b(?:dice|night)[ ]rides?\b                               # kinds of riding
    | \b(?:at|before|during|after|on)[ ]the[ ]ride\b            # when or where something happens
    | \bready[ ]for[ ]the[ ]ride\b | \bthe[ ]ride[ ]is[ ]over\b
    | \bretire(?:[ ]the[ ]bike)?[ ]from[ ]the[ ]ride\b | \breturn(?:ed)?[ ]to[ ]the[ ]ride\b
    | \b(?:back|still)[ ]in[ ]the[ ]ride\b                      # after a bike retired
    | \bride[ ](?:captain|leader)\b                             # a title
    | \brides?[ ](?:with|along|in[ ]groups|several[ ]bikes|after[ ]all)\b             # the verb
    | \b(?:the[ ]person|whoever)[ ]rides\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def list_rides(text: str) -> list[str]:
    """Return each "ride" in the text that is not the riding, with what is around it."""
    phrases = [found.span() for found in RIDING.finditer(text)]
    return [
        f"“ride” for an event: {text[max(0, found.start() - 30) : found.end() + 30]}"
        for found in RIDE.finditer(text)
        if not any(start <= found.start() and found.end() <= end for start, end in phrases)
    ]
