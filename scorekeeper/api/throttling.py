"""How often programs may read: with a token, or without one from a network address.

Recording is not limited: a phone that comes back into reach sends all that it has, and many phones share an address.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from scorekeeper.api.access import Token
from scorekeeper.common.public_files import count_public_read
from scorekeeper.common.rate_limits import RateLimit, RateLimited
from scorekeeper.common.read_limits import READ_WINDOW, count_read


class TooManyReads(APIException):
    """The program has to wait.

    Attributes:
        wait: for how many seconds; REST framework makes it the header `Retry-After`.
    """

    status_code = 429
    default_detail = _(
        "Too many requests. Wait for the number of seconds in Retry-After, then ask with If-None-Match, at most every "
        "ten seconds."
    )
    default_code = "too_many_requests"

    def __init__(self, wait: int) -> None:
        super().__init__()
        self.wait = wait


class ReadThrottle(BaseThrottle):
    """Counts every read, also one whose answer is that nothing has changed."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request.

        Raises:
            TooManyReads: there were too many within a minute.
        """
        try:
            if isinstance(request.auth, Token):
                count_read(RateLimit("api.token", settings.API_READS_PER_TOKEN, READ_WINDOW), str(request.auth.pk))
            else:
                count_public_read(request)
        except RateLimited as limited:
            raise TooManyReads(limited.wait) from None
        return True
