"""Parsing which messages were read on a phone."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

MAX_MESSAGES = 500


class MalformedMessageIds(Exception):
    """The data are not ids of messages."""


def parse_message_ids(data: object) -> Collection[UUID]:
    """Return the ids in `{"messages": [id, …]}`.

    Raises:
        MalformedMessageIds: the data are anything else, or there are too many.
    """
    if not isinstance(data, dict) or data.keys() != {"messages"} or not isinstance(data["messages"], list):
        raise MalformedMessageIds
    ids = data["messages"]
    if len(ids) > MAX_MESSAGES or not all(isinstance(each, str) for each in ids):
        raise MalformedMessageIds
    try:
        return {UUID(each) for each in ids}
    except ValueError:
        raise MalformedMessageIds from None
