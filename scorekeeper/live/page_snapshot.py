"""What a page shows at one moment, and what changes it into the next.

Terms: a *picture* is made of *parts*, elements with an id, inside a *frame*. As long as the frame stays the same, only
the parts that differ are sent; htmx finds their places by their ids (`hx-swap-oob`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

SWAP_ATTRIBUTE = 'hx-swap-oob="true"'


@dataclass(frozen=True, slots=True)
class SnapshotPart:
    """An element.

    Attributes:
        html: begins with its tag and its id.
        within: the id of the element that it is put into, with the name of that element's tag.
    """

    html: str
    container: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class PageSnapshot:
    """What is shown.

    Attributes:
        id: one word for all of it; equal pictures have equal ids.
        frame: what the surroundings of the parts hang on.
        root: the id of the element that holds everything.
        parts: by their ids.
        draw: makes the whole, frame and parts; only called when somebody needs it.
    """

    id: str
    frame: object
    root: str
    parts: Mapping[str, SnapshotPart]
    render: Callable[[], str]

    def render_swap(self) -> str:
        """Return everything, to be put in the place of what the page has."""
        return _mark_for_swap(self.root, self.render())

    def diff_from(self, before: PageSnapshot) -> str:
        """Return what turns a page that shows the one before into this one."""
        if self.frame != before.frame:
            return self.render_swap()
        gone = [_render_removed(name) for name in before.parts if name not in self.parts]
        changed = [
            _mark_for_swap(name, part.html) if name in before.parts else _render_added(part)
            for name, part in self.parts.items()
            if name not in before.parts or before.parts[name] != part
        ]
        # A row of a table cannot stand alone, but in a template it can; what comes first there decides what may follow.
        return "".join(f"<template>{html}</template>" for html in (*gone, *changed))


class SnapshotSource(Protocol):
    """Where the pictures of a stream come from."""

    @property
    def subjects(self) -> frozenset[UUID]:
        """What the pictures tell of; a change of any of them asks for a new one."""
        ...

    def take_snapshot(self) -> PageSnapshot | None:
        """Return what is to be seen now; None when the public may no longer see it. Asks the database."""
        ...


def _mark_for_swap(name: str, html: str) -> str:
    return html.replace(f'id="{name}"', f'id="{name}" {SWAP_ATTRIBUTE}', 1)


def _render_added(part: SnapshotPart) -> str:
    name, tag = part.container
    return f'<{tag} hx-swap-oob="beforeend:#{name}">{part.html}</{tag}>'


def _render_removed(name: str) -> str:
    return f'<div id="{name}" hx-swap-oob="delete"></div>'
