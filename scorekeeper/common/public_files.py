"""Files that anybody may read: made once for each version, sent with an ETag, and limited by network address.

Terms: the *version* of a file changes whenever its bytes do. It says what the file is made from, so it is found without
making the file.

Invariants:
- A request with the current ETag is answered with 304, and nothing is made.
- Of many requests for the same version, a process makes the file for the first; the others wait for it.
- What is kept in memory is bounded. A file that is too large for it is streamed as it is made.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from itertools import chain
from threading import Lock
from typing import Any, Concatenate, ParamSpec

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scorekeeper.common.client_address import get_client_address
from scorekeeper.common.downloads import stream_file
from scorekeeper.common.languages import mark_as_of_no_language
from scorekeeper.common.rate_limits import RateLimit, RateLimited
from scorekeeper.common.read_limits import READ_WINDOW, count_read

P = ParamSpec("P")
Chunks = Iterable[bytes]
# Makes a file: returns the name under which browsers save it, "" for one that they show, and its bytes in parts.
Make = Callable[[], tuple[str, Chunks]]

FORMAT = 1  # increase it when the same version is written in another way, so that no client keeps the old file
REVALIDATE = "no-cache"  # anybody may store it, and asks before using it again
MAX_FILE_BYTES = 4 * 2**20
MAX_KEPT_BYTES = 32 * 2**20  # of all files in one process
LOCKS = 16


def count_public_read(request: HttpRequest) -> None:
    """Count that something public is read from the network address of a request.

    Raises:
        RateLimited: there were too many reads in this minute.
    """
    count_read(RateLimit("api.address", settings.API_READS_PER_ADDRESS, READ_WINDOW), get_client_address(request))


def limit_public_reads(
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Refuse requests of an address that has read too much in this minute."""

    @wraps(view)
    def limited(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            count_public_read(request)
        except RateLimited as limit:
            text = _("Too many files were requested from this address. Wait a minute, then try again.")
            headers = {"Retry-After": str(limit.wait), "Cache-Control": "no-store"}
            return HttpResponse(f"{text}\n", "text/plain; charset=utf-8", status=429, headers=headers)
        return view(request, *args, **kwargs)

    return limited


def make_etag(request: HttpRequest, version: object) -> str:
    """Return the ETag of what is at the address of the request in this version, in the current language."""
    parts = (FORMAT, version, request.get_full_path(), get_language())
    return quote_etag(hashlib.sha256(repr(parts).encode()).hexdigest()[:32])


def send_public_file(
    request: HttpRequest,
    version: object,
    make: Make,
    content_type: str,
    cache_control: str = REVALIDATE,
    *,
    has_language: bool = True,
) -> HttpResponseBase:
    """Send a file, or say that the client has it.

    Args:
        version: its `repr` changes whenever the bytes do.
        has_language: whether it has texts in the reader's language.
    """
    etag = make_etag(request, version)
    response: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    if response is None:
        name, content = _files.get_or_make(etag, make)
        if not isinstance(content, bytes):
            response = stream_file(request, content, content_type, name)
        else:
            response = HttpResponse(content, content_type)
            if name:
                response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = cache_control
    if not has_language:
        mark_as_of_no_language(response)
    return response


class _KeptFiles:
    """The files that this process made last, by their ETags."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._making = [Lock() for _ in range(LOCKS)]
        self._files: OrderedDict[str, tuple[str, bytes]] = OrderedDict()
        self._size = 0

    def get_or_make(self, key: str, make: Make) -> tuple[str, bytes | Iterator[bytes]]:
        """Return the name of a file and its bytes, or the parts of one that is too large to be kept."""
        with self._making[hash(key) % LOCKS]:
            found = self._get(key)
            if found is not None:
                return found
            name, chunks = make()
            parts, size, rest = [], 0, iter(chunks)
            for part in rest:
                parts.append(part)
                size += len(part)
                if size > MAX_FILE_BYTES:
                    return name, chain(parts, rest)
            content = b"".join(parts)
            self._keep(key, name, content)
            return name, content

    def clear(self) -> None:
        """Forget all files."""
        with self._lock:
            self._files.clear()
            self._size = 0

    def _get(self, key: str) -> tuple[str, bytes] | None:
        with self._lock:
            if key in self._files:
                self._files.move_to_end(key)
            return self._files.get(key)

    def _keep(self, key: str, name: str, content: bytes) -> None:
        with self._lock:
            self._files[key] = name, content
            self._size += len(content)
            while self._size > MAX_KEPT_BYTES:
                _oldest, (_name, dropped) = self._files.popitem(last=False)
                self._size -= len(dropped)


_files = _KeptFiles()
forget_files: Callable[[], Any] = _files.clear
