"""Instead of `http.client`: only the phrases of status codes, which responses use."""

from __future__ import annotations

from http import HTTPStatus

responses = {status.value: status.phrase for status in HTTPStatus}
