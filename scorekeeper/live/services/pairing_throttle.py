"""Throttling of codes that no television shows: an organiser cannot find somebody else's television by guessing.

Invariant: an account has at most `MAX_GUESSES` wrong codes in `GUESS_WINDOW`.
"""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User
from django.utils import timezone

from scorekeeper.live.models import PairingAttempt

MAX_GUESSES, GUESS_WINDOW = 10, dt.timedelta(minutes=15)


class TooManyGuesses(Exception):
    """The account entered too many wrong codes, so this one is not looked up."""


def record_guess(user: User) -> PairingAttempt:
    """Count a code before it is looked up, so that simultaneous ones count each other.

    Returns the attempt, which the caller deletes if the code was right. The others stay: whoever has televisions of
    their own could otherwise guess without end.

    Raises:
        TooManyGuesses: the limit is reached. The rejected code does not count, so that the wait ends.
    """
    now = timezone.now()
    PairingAttempt.objects.filter(at__lte=now - GUESS_WINDOW).delete()
    attempt = PairingAttempt.objects.create(user=user, at=now)
    if PairingAttempt.objects.filter(user=user).count() > MAX_GUESSES:
        attempt.delete()
        raise TooManyGuesses
    return attempt
