"""Snapshots of a page, and the differences between them.

Terms: a *snapshot* consists of *parts*, elements with an id, inside a *frame*. As long as the frame is the same, only
the parts that differ are sent; htmx finds the elements to replace by their ids (`hx-swap-oob`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

SWAP_ATTRIBUTE = 'hx-swap-oob="true"'


@dataclass(frozen=True, slots=True)
class SnapshotPart:
    """An element of a page.

    Attributes:
        html: begins with the element's tag and id.
        container: the id of the element that contains it, and that element's tag name.
    """

    html: str
    container: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class PageSnapshot:
    """What a page shows at one moment.

    Attributes:
        id: a digest of everything; equal snapshots have equal ids.
        frame: the values that determine everything around the parts.
        root: the id of the element that contains everything.
        parts: the parts by their ids.
        render: renders everything, frame and parts; only called when a viewer needs it.
    """

    id: str
    frame: object
    root: str
    parts: Mapping[str, SnapshotPart]
    render: Callable[[], str]

    def render_swap(self) -> str:
        """Return HTML that replaces the whole content of the page."""
        return _mark_for_swap(self.root, self.render())

    def diff_from(self, before: PageSnapshot) -> str:
        """Return HTML that turns a page with the earlier snapshot into this one."""
        if self.frame != before.frame:
            return self.render_swap()
        removed = [_render_removed(name) for name in before.parts if name not in self.parts]
        changed = [
            _mark_for_swap(name, part.html) if name in before.parts else _render_added(part)
            for name, part in self.parts.items()
            if name not in before.parts or before.parts[name] != part
        ]
        # A table row is valid HTML only in a table or a template. Each part gets a template of its own, because the
        # first element in a template decides which elements may follow.
        return "".join(f"<template>{html}</template>" for html in (*removed, *changed))


class SnapshotSource(Protocol):
    """The source of a stream's snapshots."""

    @property
    def subjects(self) -> frozenset[UUID]:
        """The contests and events that the page is about; when one of them changes, a new snapshot is due."""
        ...

    def take_snapshot(self) -> PageSnapshot | None:
        """Return the current snapshot, or None if the page is no longer public. Queries the database."""
        ...


def _mark_for_swap(name: str, html: str) -> str:
    return html.replace(f'id="{name}"', f'id="{name}" {SWAP_ATTRIBUTE}', 1)


def _render_added(part: SnapshotPart) -> str:
    name, tag = part.container
    return f'<{tag} hx-swap-oob="beforeend:#{name}">{part.html}</{tag}>'


def _render_removed(name: str) -> str:
    return f'<div id="{name}" hx-swap-oob="delete"></div>'
