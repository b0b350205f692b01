"""What a browser calls itself, in a word or two. It only helps people to recognise their own browsers."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from scorekeeper.common.secret_links import hash_token
from scorekeeper.events.models import AccountSession
from scorekeeper.events.selectors import get_account_session

USE_INTERVAL = dt.timedelta(minutes=5)
# Words of a User-Agent header and the name to show. Browsers claim to be their ancestors too, so the first hit counts.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


def list_sessions(user: User) -> list[AccountSession]:
    """Return the sessions in which the user is signed in, the last used first."""
    live = {hash_token(key) for key in _list_live_keys()}
    recorded = AccountSession.objects.filter(user=user).order_by("-last_used_at", "pk")
    return [session for session in recorded if session.key_digest in live]


def record_session_use(user: User, key: str | None, user_agent: str) -> None:
    """Store that a session was used: at most every few minutes, to avoid a write on every request.

    Args:
        user: who is signed in.
        key: the key of the session; a session without one is not stored yet.
        user_agent: the User-Agent header of the request.
    """
    if not key:
        return
    now, digest = timezone.now(), hash_token(key)
    known = get_account_session(digest)
    if known is None:
        browser, system = name_browser(user_agent)
        values = {"user": user, "browser": browser, "system": system, "started_at": now, "last_used_at": now}
        AccountSession.objects.get_or_create(key_digest=digest, defaults=values)
    elif now - known.last_used_at >= USE_INTERVAL:
        AccountSession.objects.filter(pk=known.pk).update(last_used_at=now)


def rename_session(key: str | None, new_key: str | None) -> None:
    """Store that a session goes on under another key."""
    if key and new_key:
        AccountSession.objects.filter(key_digest=hash_token(key)).update(key_digest=hash_token(new_key))


def end_session(session: AccountSession) -> None:
    """Sign the account out of one browser. Repeating it changes nothing."""
    keys = [key for key in _list_live_keys() if hash_token(key) == session.key_digest]
    Session.objects.filter(session_key__in=keys).delete()
    AccountSession.objects.filter(pk=session.pk).delete()


def end_sessions(user: User, *, kept_key: str | None = None) -> None:
    """Sign the user out of every browser. Only the content of a session says whose it is, so all are read.

    Args:
        kept_key: the key of a session that goes on.
    """
    for session in Session.objects.filter(expire_date__gt=timezone.now()).exclude(session_key=kept_key).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()
    kept = hash_token(kept_key) if kept_key else ""
    AccountSession.objects.filter(user=user).exclude(key_digest=kept).delete()


def delete_ended_sessions() -> None:
    """Delete sessions that have expired, and what was recorded about sessions that are gone."""
    SessionStore.clear_expired()
    begin = timezone.now()
    live = {hash_token(key) for key in _list_live_keys()}
    recorded = AccountSession.objects.filter(started_at__lt=begin - USE_INTERVAL).values_list("pk", "key_digest")
    AccountSession.objects.filter(pk__in=[pk for pk, digest in recorded if digest not in live]).delete()


def _list_live_keys() -> list[str]:
    return list(Session.objects.filter(expire_date__gt=timezone.now()).values_list("session_key", flat=True))


def name_browser(user_agent: str) -> tuple[str, str]:
    """Return the name of the browser and of the system it runs on; "" for what is not known.

    Args:
        user_agent: the User-Agent header of a request.
    """
    browser = next((name for word, name in _BROWSERS if word in user_agent), "")
    system = next((name for word, name in _SYSTEMS if word in user_agent), "")
    return browser, system
