"""The language that a phone carries: all its texts, and no more than it may weigh."""

from __future__ import annotations

import gzip
import json

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.formats import get_format

from scorekeeper.offline.language_pack import make_pack

MAX_BYTES = 300_000  # that the download may grow by
CODES = [code for code, _name in settings.LANGUAGES]


@pytest.mark.parametrize("code", CODES)
def test_it_is_small_and_has_the_texts_and_the_rule_books(code: str) -> None:
    content = make_pack(code)
    pack = json.loads(content)

    assert len(gzip.compress(content.encode())) < MAX_BYTES
    texts = {key: text for catalogue in pack["catalogues"] for key, text in catalogue["texts"].items()}
    with translation.override(code):
        assert texts.get("Standings", "Standings") == translation.gettext("Standings")
        assert texts.get("January", "January") == translation.gettext("January")
        assert pack["formats"]["DECIMAL_SEPARATOR"] == get_format("DECIMAL_SEPARATOR")
    assert ("games.rogue" in pack["books"]) == (code != CODES[0])


@pytest.mark.django_db
def test_a_phone_gets_the_language_that_it_has_chosen(client: Client) -> None:
    first = client.get("/crew/language.json", headers={"Accept-Language": "fr"})
    assert json.loads(first.content)["language"] == "fr"
    client.post("/language/", {"language": "es"})
    chosen = client.get(
        "/crew/language.json", headers={"Accept-Language": "fr", "If-None-Match": first.headers["ETag"]}
    )
    assert json.loads(chosen.content)["language"] == "es"
    again = client.get("/crew/language.json", headers={"If-None-Match": chosen.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.django_db
def test_another_language_is_another_version_of_the_app(client: Client) -> None:
    def read(language: str) -> dict[str, object]:
        script = client.get("/sw.js", headers={"Accept-Language": language}).content.decode()
        app: dict[str, object] = json.loads(script.partition("const APP = ")[2].partition(";\n")[0])
        return app

    german, spanish = read("de"), read("es")
    assert (german["language"], spanish["language"]) == ("de", "es")
    assert german["version"] != spanish["version"]
    assert german == read("de-AT")
