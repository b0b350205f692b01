"""Forms that create something: sent twice, they create it once, and the second answer leads to the same thing.

A second tap, a lost answer and "send again" in a browser all send the same form again. Its page has made an id for it
(`{% form_id %}`), and the view is decorated with `sent_once`.

Invariants:
- The claim on an id and what the form creates are committed together. A second request waits for the first.
- The same id with other content is another form: somebody went back and changed it.
- Nothing is stored of what was sent but a keyed digest. An answer with a secret that is shown once is encrypted
  (`sent_once_for_secret`, a module of its own, because phones import this one and have no library that encrypts).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from functools import wraps
from hashlib import sha256
from typing import Any, Protocol, TypeVar
from uuid import UUID

from django.contrib.messages import get_messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scorekeeper.common.form_refill import FORM_TOKEN
from scorekeeper.common.models import SentForm
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.common.templatetags.form_id import FORM_ID

LIFETIME = dt.timedelta(days=2)
PURPOSE = "scorekeeper.common.sent_once"
_HTMX_REDIRECT = "HX-Redirect"

View = TypeVar("View", bound=Callable[..., HttpResponse])


class Cipher(Protocol):
    """Encrypts a page with a secret, so that it can be seen again only with the form."""

    def encrypt(self, page: bytes, /) -> bytes:
        """Return the page, encrypted."""

    def decrypt(self, encrypted: bytes, /) -> bytes:
        """Return the page again."""


MakeCipher = Callable[[UUID], Cipher]


def sent_once(view: View) -> View:
    """Decorate a view that creates something with a form, and then redirects. A form without an id is sent as ever."""
    return decorate(view, make_cipher=None)


def delete_old_forms() -> None:
    """Delete the claims of forms that nobody sends again."""
    SentForm.objects.filter(sent_at__lt=timezone.now() - LIFETIME).delete()


def decorate(view: View, make_cipher: MakeCipher | None) -> View:
    """Decorate a view so that a form with an id has an effect once.

    Args:
        view: creates something.
        make_cipher: makes a cipher of a form's id, for an answer that is a page instead of a redirect. Without it, only
            redirects are repeated.
    """

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: Any, **kwargs: Any) -> HttpResponse:
        form_id = parse_uuid(request.POST.get(FORM_ID)) if request.method == "POST" else None
        if form_id is None:
            return view(request, *args, **kwargs)
        cipher = make_cipher(form_id) if make_cipher else None
        with transaction.atomic():
            claim = _claim(request, form_id)
            if claim.location or claim.page:
                return _answer_again(request, claim, cipher)
            response = view(request, *args, **kwargs)
            if _has_failed(request):
                claim.delete()
            else:
                _keep_answer(claim, response, cipher)
            return response

    guarded.is_sent_once = True  # type: ignore[attr-defined]
    return guarded  # type: ignore[return-value]


def _claim(request: HttpRequest, form_id: UUID) -> SentForm:
    """Return the claim on this form, locked."""
    key = salted_hmac(PURPOSE, "\0".join([form_id.hex, *_list_content(request)]), algorithm="sha256").hexdigest()
    # Waits for another request that is claiming it.
    SentForm.objects.bulk_create([SentForm(key=key, sent_at=timezone.now())], ignore_conflicts=True)
    return SentForm.objects.select_for_update().get(pk=key)


def _list_content(request: HttpRequest) -> Iterator[str]:
    """Yield who sent what and where."""
    yield from (str(request.user.pk), request.path)
    for name, values in sorted(request.POST.lists()):
        if name != FORM_TOKEN:
            yield from (name, str(len(values)), *values)
    for name, file in sorted(request.FILES.items()):
        if not isinstance(file, list):
            yield from (name, str(file.name), sha256(b"".join(file.chunks())).hexdigest())
            file.seek(0)


def _answer_again(request: HttpRequest, claim: SentForm, cipher: Cipher | None) -> HttpResponse:
    if claim.page and cipher:
        response = HttpResponse(cipher.decrypt(bytes(claim.page)))
        response.headers["Cache-Control"] = "private, no-store"
        return response
    if "HX-Request" in request.headers:
        return HttpResponse(headers={_HTMX_REDIRECT: claim.location})
    return HttpResponseRedirect(claim.location)


def _has_failed(request: HttpRequest) -> bool:
    """Return whether the next page says that nothing was created: then the form may be sent again, as if refused."""
    return getattr(get_messages(request), "has_new_error", False)


def _keep_answer(claim: SentForm, response: HttpResponse, cipher: Cipher | None) -> None:
    """Store where a form that has created something leads. One that was refused may be sent again."""
    claim.location = response.headers.get("Location") or response.headers.get(_HTMX_REDIRECT) or ""
    if cipher and not claim.location and response.status_code == 200:
        claim.page = cipher.encrypt(response.content)
    if claim.location or claim.page:
        claim.save(update_fields=["location", "page"])
    else:
        claim.delete()
