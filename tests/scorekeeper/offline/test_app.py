"""The files that a phone needs to open the app without signal."""

import json
import re

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

PAGES = ("/crew/shell/", "/crew/ready/", "/crew/swap/", "/crew/plain/")


def _read_app(client: Client) -> dict[str, object]:
    text = client.get("/sw.js").content.decode()
    found = re.match(r"const APP = (.*);\n", text)
    assert found
    app: dict[str, object] = json.loads(found[1])
    return app


def test_the_service_worker_is_at_the_top_level_and_revalidated(client: Client) -> None:
    answer = client.get("/sw.js")

    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.django_db  # closing a response touches the database connection of earlier tests
def test_every_precached_file_exists(client: Client) -> None:
    files = _read_app(client)["files"]
    assert isinstance(files, list)

    failed = []
    for path in files:
        if not path.startswith("/offline/"):  # the engine may not be built where this runs
            answer = client.get(path)
            failed += [path] if answer.status_code != 200 else []
            answer.close()

    assert failed == []
    assert "/engine-worker.js" in files
    assert any("/js/phone/app." in path for path in files)


def test_the_typeface_is_precached_under_the_address_that_the_style_sheet_names(client: Client) -> None:
    files = _read_app(client)["files"]
    assert isinstance(files, list)
    css = staticfiles_storage.url("css/tokens.css")
    with staticfiles_storage.open(css.removeprefix("/static/")) as style_sheet:
        (named,) = re.findall(r'url\("\.\./(vendor/[^"]+\.[0-9a-f]{12}\.woff2)"\)', style_sheet.read().decode())

    assert {css, f"/static/{named}"} <= set(files)


def test_only_the_worker_of_the_engine_may_compile_webassembly(client: Client) -> None:
    allowed = {
        path
        for path in (*PAGES, "/sw.js", "/engine-worker.js", "/manifest.webmanifest")
        if "wasm" in client.get(path).headers["Content-Security-Policy"]
    }

    assert allowed == {"/engine-worker.js"}


def test_the_manifest_names_what_browsers_need_to_install(client: Client) -> None:
    content = client.get("/manifest.webmanifest").json()

    assert {"name", "short_name", "id", "start_url", "icons", "shortcuts", "screenshots"} <= set(content)
    assert content["display"] == "standalone"
    sizes = {(icon["sizes"], icon["purpose"]) for icon in content["icons"] if icon["type"] == "image/png"}
    assert sizes == {(f"{size}x{size}", use) for size in (192, 512) for use in ("any", "maskable")}


@pytest.mark.parametrize("path", PAGES)
def test_precached_pages_are_the_same_for_everyone(client: Client, path: str) -> None:
    answer = client.get(path)

    assert answer.status_code == 200
    assert not answer.cookies
    assert answer.content == Client().get(path).content
