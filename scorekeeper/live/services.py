"""Setting up screens, and pairing televisions with the codes that they show.

Invariants:
- A television's secret leaves this module once, for its cookie. Only its digest is stored: with its code, then with its
  screen. It gives the right to show that screen and nothing else.
- A code works once: of two organisers who enter it at the same moment, one gets the television.
- At most `MAX_WAITING` televisions wait at a time, and `MAX_PER_ADDRESS` of them at one network address, since anyone
  can open the page. Those that are paired, and those that show a code already, never notice.
- An account has at most `GUESSES` wrong codes: an organiser cannot find somebody else's television by guessing.
"""

from __future__ import annotations

import datetime as dt
import secrets
import unicodedata

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scorekeeper.common.pubsub import publish_change
from scorekeeper.common.rate_limits import RateLimit, RateLimited, count_use, give_back_use
from scorekeeper.common.secret_links import hash_token, make_token
from scorekeeper.events.models import Event
from scorekeeper.live.models import CODE_LENGTH, PairingCode, Screen

SEEN_INTERVAL = dt.timedelta(seconds=20)
CODE_LIFETIME = dt.timedelta(minutes=10)
MAX_WAITING, MAX_PER_ADDRESS = 200, 20
GUESSES = RateLimit("pairing codes", 10, 15 * 60)
MAX_TRIES = 5  # to find a code that no other television shows
# No characters that look alike (0 O Q D, 1 I L, 2 Z, 5 S, 8 B, U V; of 6 and G only 6), and no vowels, so no words.
ALPHABET = "34679CFHJKMNPRTWXY"


@transaction.atomic
def save_screen(screen: Screen) -> None:
    """Store what a screen shows. Nothing happens to a paired screen that is not paired any more."""
    if screen.is_public:
        stored, _is_new = Screen.objects.get_or_create(event_id=screen.event_id, is_public=True)
        screen.pk = stored.pk
    Screen.objects.filter(pk=screen.pk).update(
        name=screen.name,
        parts=screen.parts,
        groups=screen.groups,
        has_messages=screen.has_messages,
        seconds=screen.seconds,
        theme=screen.theme,
        language=screen.language,
        sponsor=screen.sponsor,
        version=F("version") + 1,
    )
    publish_change(screen.event_id if screen.is_public else screen.pk)


@transaction.atomic
def unpair_screen(screen: Screen) -> None:
    """Forget a paired screen and what it shows. Its television shows a code again at once."""
    Screen.objects.filter(pk=screen.pk, is_public=False).delete()
    publish_change(screen.pk)


def record_screen_seen(screen: Screen) -> None:
    """Store that the television has asked for something, every few seconds at most."""
    now = timezone.now()
    if screen.last_seen_at is None or now - screen.last_seen_at >= SEEN_INTERVAL:
        Screen.objects.filter(pk=screen.pk).update(last_seen_at=now)
        screen.last_seen_at = now


class TooManyWaiting(Exception):
    """So many televisions wait that no other gets a code."""


class UnknownCode(Exception):
    """No television shows this code now."""


class TooManyGuesses(Exception):
    """The account entered too many wrong codes, so this one is not looked up."""


def get_code(token: str, address: str) -> tuple[PairingCode, str]:
    """Return the code of a television that is not paired, and its secret, which is new unless it is known.

    A code that has expired is renewed.

    Args:
        token: what the television has as its secret; "" for a new one.
        address: the network address it comes from.

    Raises:
        TooManyWaiting: there is no place for a new one.
    """
    now = timezone.now()
    waiting = PairingCode.objects.filter(token_digest=hash_token(token)).first() if token else None
    if waiting is not None:
        return (waiting if waiting.expires_at > now else _save_with_code(waiting, now)), token
    PairingCode.objects.filter(expires_at__lte=now - CODE_LIFETIME).delete()
    digest = salted_hmac("scorekeeper.live.pairing", address, algorithm="sha256").hexdigest()
    at_address = PairingCode.objects.filter(address_digest=digest).count()
    if at_address >= MAX_PER_ADDRESS or PairingCode.objects.count() >= MAX_WAITING:
        raise TooManyWaiting
    token = make_token()
    return _save_with_code(PairingCode(token_digest=hash_token(token), address_digest=digest), now), token


def pair_guessed_screen(event: Event, user: User, code: str, name: str) -> Screen:
    """Pair a television as `pair_screen` does, for an account that may be guessing.

    The code is counted before it is looked up, so that simultaneous ones count each other, and no longer once it was
    right. The wrong ones before it stay: anyone with televisions of their own could otherwise guess without end.

    Raises:
        TooManyGuesses: the limit is reached. The rejected code does not count, so that the wait ends.
        UnknownCode: as for `pair_screen`.
    """
    try:
        count_use(GUESSES, str(user.pk))
    except RateLimited:
        raise TooManyGuesses from None
    screen = pair_screen(event, code, name)
    give_back_use(GUESSES, str(user.pk))
    return screen


@transaction.atomic
def pair_screen(event: Event, code: str, name: str) -> Screen:
    """Make the television that shows a code a screen of the event, which at first shows all contests.

    Args:
        code: as the organiser typed it.

    Raises:
        UnknownCode: no television shows it, or another organiser was first.
    """
    shown = PairingCode.objects.filter(code=normalize_code(code), expires_at__gt=timezone.now()).first()
    # A single statement decides: of two organisers who enter the code at once, only one deletes the row.
    if shown is None or not PairingCode.objects.filter(pk=shown.pk, code=shown.code).delete()[0]:
        raise UnknownCode
    return Screen.objects.create(event=event, name=name, token_digest=shown.token_digest, version=1)


def _save_with_code(waiting: PairingCode, now: dt.datetime) -> PairingCode:
    waiting.expires_at = now + CODE_LIFETIME
    for _try in range(MAX_TRIES):
        waiting.code = make_code()
        try:
            with transaction.atomic():
                waiting.save(force_update=waiting.pk is not None)
        except IntegrityError:  # another television shows it
            continue
        return waiting
    raise TooManyWaiting


def make_code() -> str:
    """Return a random code, one of 34 million."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def normalize_code(typed: str) -> str:
    """Return a code without what people add to it: spaces, hyphens, lower case, full-width letters."""
    text = unicodedata.normalize("NFKC", typed).upper()
    return "".join(character for character in text if character.isalnum())


def split_code(code: str) -> tuple[str, str]:
    """Return the two halves of a code, in which people read it aloud."""
    return code[: CODE_LENGTH // 2], code[CODE_LENGTH // 2 :]
