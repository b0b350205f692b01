"""Things in a row have the conjunction of the reader's language, as it sounds before the last of them."""

from __future__ import annotations

import pytest
from django.utils import translation

from scorekeeper.common.spreadsheets.cells import split_people
from scorekeeper.common.word_lists import join_and, join_or


@pytest.mark.parametrize(
    ("language", "names", "text"),
    [
        ("en-gb", ["Ann"], "Ann"),
        ("en-gb", ["Ann", "Ben", "Isabel"], "Ann, Ben and Isabel"),
        ("de", ["Ann", "Isabel"], "Ann und Isabel"),
        ("fr", ["Ann", "Isabel"], "Ann et Isabel"),
        ("es", [], ""),
        ("es", ["Isabel"], "Isabel"),
        ("es", ["Isabel", "Ann"], "Isabel y Ann"),
        ("es", ["Ann", "Isabel"], "Ann e Isabel"),
        ("es", ["Ann", "Íñigo"], "Ann e Íñigo"),
        ("es", ["Ann", "“Hilda”"], "Ann e “Hilda”"),
        ("es", ["Ann", "Yvonne"], "Ann e Yvonne"),
        ("es", ["Ann", "Yolanda"], "Ann y Yolanda"),
        ("es", ["Ann", "Hierro"], "Ann y Hierro"),
    ],
)
def test_and(language: str, names: list[str], text: str) -> None:
    with translation.override(language):
        assert join_and(names) == text


@pytest.mark.parametrize(
    ("language", "names", "text"),
    [
        ("en-gb", ["one", "other"], "one or other"),
        ("de", ["eins", "oder"], "eins oder oder"),
        ("es", ["Ann", "Ben"], "Ann o Ben"),
        ("es", ["Ann", "Óscar"], "Ann u Óscar"),
        ("es", ["diez", "once"], "diez u once"),
        ("es", [7, 8], "7 u 8"),
        ("es", [10, 11], "10 u 11"),
        ("es", [10, 110], "10 o 110"),
    ],
)
def test_or(language: str, names: list[object], text: str) -> None:
    with translation.override(language):
        assert join_or(names) == text


@pytest.mark.parametrize("language", ["en-gb", "de", "es", "fr"])
@pytest.mark.parametrize("names", [["Ann", "Isabel"], ["Isabel", "Ann"], ["Ann Lee", "Ben Lee", "Hilda Lee"]])
def test_a_roster_that_is_imported_has_the_same_names(language: str, names: list[str]) -> None:
    with translation.override(language):
        assert list(split_people(join_and(names))) == names


def test_an_initial_is_no_conjunction() -> None:
    assert list(split_people("Robert E Ives")) == ["Robert E Ives"]
