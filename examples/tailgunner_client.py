"""A small client for Tailgunner's API: `python tailgunner_client.py URL [TOKEN]` lists rides and who leads them.

It needs only Python 3.11. An unchanged answer is not sent again: the client keeps the last answer of each address with
its ETag.
"""

# ruff: noqa: T201, S310 - it prints, and opens the address that it is given

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

NOT_MODIFIED = 304


class Refused(Exception):
    """The server refused a request: problem details (RFC 9457)."""

    def __init__(self, problem: dict[str, Any]):
        super().__init__(problem.get("detail", ""))
        self.code: str = problem.get("code", "")
        self.field: str | None = problem.get("field")


@dataclass
class Tailgunner:
    """A server.

    Attributes:
        url: its address, such as https://rides.example.org.
        token: an organiser's token, or a device's; "" to read what everyone can see.
    """

    url: str
    token: str = ""
    _answers: dict[str, tuple[str, Any]] = field(default_factory=dict)

    def get(self, path: str, **query: str | int) -> Any:
        """Return what is at an address of the API.

        Raises:
            Refused: the server says what is wrong.
        """
        return self._get(f"{self.url}/api/v1/{path}" + (f"?{urlencode(query)}" if query else ""))

    def list_all(self, path: str, **query: str | int) -> Iterator[Any]:
        """Yield every row of a list, page by page."""
        page = self.get(path, **query)
        yield from page["results"]
        while page["next"]:
            page = self._get(page["next"])
            yield from page["results"]

    def post(self, path: str, body: Any) -> Any:
        """Send a body, and return the answer; the same errors as for `get`."""
        request = self._request(f"{self.url}/api/v1/{path}", json.dumps(body).encode())
        return self._open(request)[1]

    def redeem(self, invitation: str) -> dict[str, Any]:
        """Become the device of a crew member, with the link of an invitation; keep `token` for the whole ride."""
        device: dict[str, Any] = self.post("devices", {"invitation": invitation})
        self.token = device["token"]
        return device

    def record(self, *operations: dict[str, Any], event: str = "") -> list[dict[str, Any]]:
        """Record operations, each with an id of its own, and return their receipts.

        Sending the same operation again is safe: it counts once and gets the same receipt.

        Args:
            event: for a program with an organiser's token; a device has its own.
        """
        path = f"events/{event}/operations" if event else "operations"
        receipts: list[dict[str, Any]] = self.post(path, {"operations": operations})["receipts"]
        return receipts

    def _get(self, url: str) -> Any:
        etag, known = self._answers.get(url, ("", None))
        request = self._request(url)
        if etag:
            request.add_header("If-None-Match", etag)
        new_etag, answer = self._open(request)
        if answer is None:
            return known
        self._answers[url] = (new_etag, answer)
        return answer

    def _request(self, url: str, body: bytes | None = None) -> Request:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return Request(url, body, {**headers, **({"Content-Type": "application/json"} if body else {})})

    def _open(self, request: Request) -> tuple[str, Any]:
        """Return the ETag and the answer; None if nothing has changed."""
        try:
            with urlopen(request, timeout=30) as response:
                return response.headers.get("ETag", ""), json.load(response)
        except HTTPError as error:
            with error:
                if error.code == NOT_MODIFIED:
                    return "", None
                raise Refused(json.load(error)) from None


def make_operation(kind: str, **fields: Any) -> dict[str, Any]:
    """Return an operation with a new id. Keep it until its receipt is there, and send it again if none comes."""
    return {"id": str(uuid.uuid4()), "kind": kind, **fields}


def main(url: str, token: str = "") -> None:
    """Print each ride with its contests and who leads them."""
    server = Tailgunner(url, token)
    for event in server.list_all("events"):
        print(f"{event['date']} {event['name']}")
        for contest in server.list_all(f"events/{event['slug']}/contests"):
            path = f"events/{event['slug']}/contests/{contest['slug']}/standings"
            for row in server.get(path, top=1)["standings"]:
                name = row.get("riders") or row.get("name") or ""
                print(f"  {contest['name']}: {row['place']} {row['number']} {name}, {row['total']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
