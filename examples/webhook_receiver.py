"""A receiver for Tailgunner's webhooks: `WEBHOOK_SECRET=whsec_… python webhook_receiver.py [PORT]` prints each message.

It needs only Python 3.11. Put it behind a web server that speaks HTTPS. A message says that something has changed, and
where to read it: this one fetches the standings and prints who leads.
"""

# ruff: noqa: T201, S310 - it prints, and opens the addresses in messages whose signature is right

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.request import urlopen

MAX_AGE = 300  # seconds; an older message may be one that somebody has recorded and sends again
MAX_BODY = 100_000  # bytes; messages are much smaller


def is_genuine(secret: str, headers: Mapping[str, str], body: bytes) -> bool:
    """Return whether a message is from the server that has the secret, and new."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    is_new = abs(time.time() - int(headers["webhook-timestamp"])) < MAX_AGE
    return is_new and any(hmac.compare_digest(expected, one) for one in headers["webhook-signature"].split())


def handle_message(message: Mapping[str, Any]) -> str:
    """Return a line about a message."""
    if message["type"] == "ping":
        return "A test has arrived."
    with urlopen(message["data"]["links"]["standings"], timeout=10) as response:
        standings = json.load(response)["standings"]
    leaders = ", ".join(row["number"] or row["holder"] for row in standings if row["rank"] == 1)
    return f"{message['type']}: {leaders or 'nobody'} leads"


class Handler(BaseHTTPRequestHandler):
    """Answers 204 to what is genuine, at once, and 401 to everything else."""

    seen: set[str] = set()  # a message may arrive twice, under the same id

    def do_POST(self) -> None:
        """Receive a message."""
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), MAX_BODY))
        try:
            genuine = is_genuine(os.environ["WEBHOOK_SECRET"], self.headers, body)  # type: ignore[arg-type]
        except (TypeError, ValueError):  # a header is missing, or is no number
            genuine = False
        self.send_response(204 if genuine else 401)
        self.end_headers()
        self.wfile.flush()
        if genuine and self.headers["webhook-id"] not in self.seen:
            self.seen.add(self.headers["webhook-id"])
            print(handle_message(json.loads(body)), flush=True)

    def log_message(self, *_: Any) -> None:
        """Print nothing but messages."""


if __name__ == "__main__":
    with HTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8080), Handler) as server:
        print(f"Receiving on port {server.server_address[1]}", flush=True)
        server.serve_forever()
