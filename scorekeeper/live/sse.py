"""The wire format of server-sent events (HTML Living Standard, 9.2)."""

from __future__ import annotations

KEEP_ALIVE = b":\n\n"  # a comment, which keeps the connection open


def make_event(name: str, data: str, event_id: str = "") -> bytes:
    """Return an event. Its data is put on one line, since a line break in HTML is a space.

    Args:
        event_id: what a browser sends as the last event it received when it reconnects. Without an id, the browser
            keeps the id of an earlier event.
    """
    line = " ".join(part.strip() for part in data.splitlines())
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {name}\ndata: {line}\n\n".encode()


def make_retry(milliseconds: int) -> bytes:
    """Return the field that tells a browser how long to wait before it reconnects."""
    return f"retry: {milliseconds}\n\n".encode()
