"""The language of a response, and who chooses it.

A reader gets the language that the cookie names: the one they chose in the menu of a page, or that of their account
once they sign in. Without the cookie it is the first of the browser's languages that there is, then the installation's
(`LANGUAGE_CODE`). A page is in one language. What programs read is in English, whoever asks.

`config.catalogues` says which languages there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from io import BytesIO
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers

from scorekeeper.common.problem_details import is_for_program

P = ParamSpec("P")
R = TypeVar("R")
NEW_LANGUAGE = "new_language"  # an attribute of requests


def list_languages() -> Mapping[str, str]:
    """Return the languages that pages can have: the own name of each by its code."""
    return dict(settings.LANGUAGES)


def get_english() -> str:
    """Return the code of the language in which the texts are written, such as "en-gb"."""
    return str(settings.LANGUAGES[0][0])


def find_language(code: str | None) -> str | None:
    """Return the code of a language that there is, or None."""
    return code if code in list_languages() else None


def get_stream_language(scope: Mapping[str, Any]) -> str:
    """Return the language of the reader who asks for something, from what an ASGI server says about the request."""
    return translation.get_language_from_request(ASGIRequest(dict(scope), BytesIO()))


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Give what is made meanwhile a language; the installation's if there is no such language."""
    with translation.override(find_language(code) or settings.LANGUAGE_CODE):
        yield


def in_english(make: Callable[P, R]) -> Callable[P, R]:
    """Make something that programs read in English, whoever asks for it."""

    @wraps(make)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        with translation.override(get_english()):
            return make(*args, **kwargs)

    return wrapped


def set_language_cookie(response: HttpResponseBase, code: str) -> None:
    """Make a browser ask for everything in this language from now on."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        samesite="Lax",
    )


class LanguageMiddleware:
    """Gives each response its language, and says in its headers what that depends on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # It is not put back afterwards: files may be made while they are sent.
        translation.activate(
            get_english() if is_for_program(request) else translation.get_language_from_request(request)
        )
        response = self.get_response(request)
        if new := getattr(request, NEW_LANGUAGE, None):
            set_language_cookie(response, new)
        if not is_for_program(request):
            # So that no cache gives a reader what is in the language of another.
            patch_vary_headers(response, ["Accept-Language", "Cookie"])
            response.headers.setdefault("Content-Language", translation.get_language() or get_english())
        return response


def remember_language(request: HttpRequest, code: str) -> None:
    """Set the cookie with the response to a request."""
    if find_language(code):
        setattr(request, NEW_LANGUAGE, code)
