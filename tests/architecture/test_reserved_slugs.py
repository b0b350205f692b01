"""No event, contest or season can have an address that another page has: the words come from the URL resolver."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from scorekeeper.common.rights_check import list_routes
from scorekeeper.common.share_slugs import make_share_slug
from scorekeeper.events.services.contests import RESERVED_SLUGS
from scorekeeper.events.services.events import RESERVED_EVENT_SLUGS, is_reserved_slug

SLUG = re.compile(r"[-a-zA-Z0-9_]+")


def list_taken_words(argument: str, patterns: Iterable[str]) -> set[str]:
    """Return the words that are in an address where another one has this argument, after the same beginning."""
    split = [pattern.split("/") for pattern in patterns]
    beginnings = {
        tuple(parts[:index]) for parts in split for index, part in enumerate(parts) if part == f"<slug:{argument}>"
    }
    words = {
        parts[len(beginning)]
        for beginning in beginnings
        for parts in split
        if len(parts) > len(beginning) and tuple(parts[: len(beginning)]) == beginning
    }
    return {word for word in words if SLUG.fullmatch(word)}


@pytest.fixture(scope="module")
def patterns() -> list[str]:
    return [str(route.pattern) for route in list_routes().values()]


def test_the_words_that_a_contest_cannot_have_are_those_of_the_addresses(patterns: list[str]) -> None:
    assert list_taken_words("contest_slug", patterns) == RESERVED_SLUGS


def test_the_words_that_an_event_cannot_have_are_those_of_the_addresses(patterns: list[str]) -> None:
    assert list_taken_words("slug", patterns) == RESERVED_EVENT_SLUGS
    assert is_reserved_slug("0f8fad5b-d9cb-469f-a165-70867728950e"), "a screen is found by its id in the same place"


def test_a_new_event_or_season_cannot_get_a_reserved_slug(patterns: list[str]) -> None:
    for word in list_taken_words("slug", patterns) | list_taken_words("season_slug", patterns):
        assert re.fullmatch(rf"{word}-[a-z0-9]{{8}}", make_share_slug(word, "event"))


def test_a_new_word_is_found(patterns: list[str]) -> None:
    assert "wall" in list_taken_words("contest_slug", [*patterns, "events/<slug:slug>/wall"])
