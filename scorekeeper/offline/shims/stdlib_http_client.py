"""Instead of `http.client`: the phrases of status codes, which is all that answers ask for."""

from __future__ import annotations

from http import HTTPStatus

responses = {status.value: status.phrase for status in HTTPStatus}
