"""The reference as a page: complete, with an example for each game, and without any other host."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.api.reference import get_reference
from scorekeeper.common.game_adapter import list_games, translate
from tests.scorekeeper.api.program import get_schema
from tests.scorekeeper.api.test_guide import GUIDE

pytestmark = pytest.mark.django_db
WITH_EXAMPLES = ("record_operations", "organiser_operations", "scorecard")


@pytest.fixture
def page(client: Client) -> str:
    return client.get(reverse("api:reference")).content.decode()


def list_operations() -> dict[str, Any]:
    return {
        operation["operationId"]: operation for path in get_schema()["paths"].values() for operation in path.values()
    }


def test_the_page_has_every_operation_and_every_object(page: str) -> None:
    for name in list_operations():
        assert f'id="{name}"' in page
    for name, found in get_schema()["components"]["schemas"].items():
        assert f'id="object-{name}"' in page or "properties" not in found


def test_its_descriptions_are_english_and_say_so_whoever_reads_them_first(client: Client) -> None:
    get_reference.cache_clear()
    german = client.get(reverse("api:reference"), headers={"Accept-Language": "de"}).content.decode()
    english = client.get(reverse("api:reference"), headers={"Accept-Language": "en"}).content.decode()

    described = re.compile(r'<div class="stack" lang="en">.*</div>', re.DOTALL)
    assert '<html lang="de"' in german
    assert described.findall(german)[0].split("</main>")[0] == described.findall(english)[0].split("</main>")[0]
    assert described.sub("", german) != described.sub("", english)


def test_every_link_on_the_page_leads_to_an_object(page: str) -> None:
    links = set(re.findall(r'href="#(object-[^"]*)"', page))
    assert links
    assert links <= set(re.findall(r'id="(object-[^"]*)"', page))


def test_a_field_with_fixed_values_says_which(page: str) -> None:
    assert "&quot;open&quot; | &quot;closed&quot; | &quot;official&quot;" in page


def test_the_page_has_the_actions_of_each_game_and_the_messages_of_webhooks(page: str) -> None:
    for name in ("RockYahtzee-roll", "Go500-lock", "GrandPrix-gear", "Rogue-keep", "DragRage-advance"):
        assert f'id="object-{name}"' in page
    assert re.search(r'id="results\.published".*?<a href="#object-ContestMessage">', page, re.DOTALL)
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert headings == ["Phones", "Recording", "Events", "Roster", "Contests", "Log", "Ride", "Webhooks", "Objects"]


def test_the_page_needs_no_other_host_and_no_script_of_its_own(page: str) -> None:
    loaded = re.findall(r'<(?:script|link|img|iframe|source)[^>]*?(?:src|href)="([^"]*)"', page)
    assert loaded
    assert all(address.startswith("/") and not address.startswith("//") for address in loaded)
    assert not re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", page)
    assert "swagger" not in page.lower()


@pytest.mark.parametrize("operation", WITH_EXAMPLES)
def test_there_is_an_example_for_each_game_and_it_is_as_the_schema_says(operation: str) -> None:
    described = list_operations()[operation]
    body = described["responses"]["200"] if operation == "scorecard" else described["requestBody"]
    content = body["content"]["application/json"]
    checked = {**content["schema"], "components": get_schema()["components"]}
    validator = jsonschema.Draft202012Validator(checked, format_checker=jsonschema.FormatChecker())

    examples = {one.get("summary", name): one["value"] for name, one in content["examples"].items()}

    assert set(examples) == {translate(game.name) for game in list_games().values()}
    for example in examples.values():
        validator.validate(example)


@pytest.mark.parametrize("operation", ["luck", "scorecard_luck"])
def test_the_examples_of_luck_are_as_the_schema_says(operation: str) -> None:
    content = list_operations()[operation]["responses"]["200"]["content"]["application/json"]
    checked = {**content["schema"], "components": get_schema()["components"]}
    examples = [one["value"] for one in content["examples"].values()]

    assert examples
    for example in examples:
        jsonschema.Draft202012Validator(checked, format_checker=jsonschema.FormatChecker()).validate(example)


def test_the_examples_are_on_the_page(page: str) -> None:
    for game in list_games().values():
        with_luck = game.odds_measure == "total" and game.slot_option is not None
        with_chances = game.tells_endings and game.slot_option is not None
        examples = len(WITH_EXAMPLES) + 2 * with_luck + with_chances
        assert page.count(f"Example: {translate(game.name)}") == examples


def test_the_guide_and_the_page_name_the_stream_of_a_board(page: str) -> None:
    address = reverse("live:board", args=["slug", "contest"])

    assert address.replace("/slug/contest", "/{slug}/{contest}") in GUIDE
    assert address.replace("/slug/contest", "/{slug}/{contest}") in page
