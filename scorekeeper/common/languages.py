"""The language of a response, and who chooses it.

A reader gets the language that the cookie names: the one they chose in the menu of a page, or that of their account
once they sign in. Without the cookie it is the first of the browser's languages that there is, then the installation's
(`LANGUAGE_CODE`). A page is in one language. What programs read is in English, unless they ask for another language
themselves, as the phone's scripts do. An open page gets its parts in its own language, whatever was chosen since.

`config.catalogues` says which languages there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers

from scorekeeper.common.problem_details import is_for_program

P = ParamSpec("P")
R = TypeVar("R")
NEW_LANGUAGE = "new_language"  # an attribute of requests
OF_NO_LANGUAGE = "of_no_language"  # an attribute of responses
# With it, a page asks for parts of itself, and the phone's own scripts ask the API for texts that they show.
LANGUAGE_HEADER = "X-Tailgunner-Language"


def list_languages() -> Mapping[str, str]:
    """Return the languages that pages can have: the own name of each by its code."""
    return dict(settings.LANGUAGES)


def get_english() -> str:
    """Return the code of the language in which the texts are written, such as "en-gb"."""
    return str(settings.LANGUAGES[0][0])


def find_language(code: str | None) -> str | None:
    """Return the code of a language that there is, or None."""
    return code if code in list_languages() else None


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Give what is made meanwhile a language; the installation's if there is no such language."""
    with translation.override(find_language(code) or settings.LANGUAGE_CODE):
        yield


def in_english(make: Callable[P, R]) -> Callable[P, R]:
    """Make something that programs read in English, also for a reader of another language."""

    @wraps(make)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        with speaking(get_english()):
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
        translation.activate(_choose_language(request))
        response = self.get_response(request)
        if new := getattr(request, NEW_LANGUAGE, None):
            set_language_cookie(response, new)
        if not is_for_program(request) and not hasattr(response, OF_NO_LANGUAGE):
            # So that no cache gives a reader what is in the language of another.
            patch_vary_headers(response, ["Accept-Language", "Cookie", LANGUAGE_HEADER])
            response.headers.setdefault("Content-Language", translation.get_language() or get_english())
        return response


def mark_as_of_no_language(response: HttpResponseBase) -> None:
    """Say that a response is the same for readers of every language, such as a picture or a file for programs."""
    setattr(response, OF_NO_LANGUAGE, True)


def _choose_language(request: HttpRequest) -> str:
    named = find_language(request.headers.get(LANGUAGE_HEADER))
    usual = get_english() if is_for_program(request) else translation.get_language_from_request(request)
    return named or usual


def remember_language(request: HttpRequest, code: str) -> None:
    """Set the cookie with the response to a request."""
    if find_language(code):
        setattr(request, NEW_LANGUAGE, code)
