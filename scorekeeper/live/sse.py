"""Server-sent events as they go over the wire (HTML Living Standard, 9.2)."""

from __future__ import annotations

KEEP_ALIVE = b":\n\n"  # a comment: keeps a connection open and says nothing


def make_event(name: str, data: str, event_id: str = "") -> bytes:
    """Return an event; its data on one line, for in HTML a line's end is a space.

    Args:
        event_id: what a browser that comes back names as the last it has seen; without one it keeps the one before.
    """
    line = " ".join(part.strip() for part in data.splitlines())
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {name}\ndata: {line}\n\n".encode()


def make_retry(milliseconds: int) -> bytes:
    """Return what tells a browser how long to wait before it comes back."""
    return f"retry: {milliseconds}\n\n".encode()
