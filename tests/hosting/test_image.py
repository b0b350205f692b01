"""The steps of the Containerfile, carried out in a Debian root, and the program started as the image would.

No container engine is involved. What differs from an engine: the base is Debian 12 with Debian's Python 3.11, not the
image `python:3.11-slim-bookworm`; pip finds its packages in a folder; and the phone's engine is the one that `make
offline` has built, which the step that builds it then finds up to date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.hosting.containerfile import Stage, as_user, build_image
from tests.hosting.debian import Root
from tests.programs import ROOT

pytestmark = pytest.mark.hosting

FOLDER = ROOT / "deploy" / "container"
WEB: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]["web"]
# What the Compose file sets, without PostgreSQL and Redis: the program then uses SQLite and a queue of files.
ENVIRONMENT = {
    "TAILGUNNER_MODE": "production",
    "BASE_URL": "https://rides.example.org",
    "SECRET_KEY": "kN4vT9wQz2xLr7Yc1bHs8Df5Gj3Mp6Ua0EiOoRtWqZxVnBmKlP",
    "FORWARDED_ALLOW_IPS": "*",
}
# Waits until the program answers, and prints the responses.
ASK = """
import json, sys, time
from urllib.error import HTTPError
from urllib.request import Request, urlopen
for path in sys.argv[1:]:
    for _ in range(300):
        try:
            request = Request("http://127.0.0.1:8000" + path, headers={"X-Forwarded-Proto": "https"})
            answer = urlopen(request, timeout=10)
            break
        except HTTPError as error:
            answer = error
            break
        except OSError as error:
            problem = error
            time.sleep(0.1)
    else:
        sys.exit(f"{path}: {problem}")
    print(json.dumps([answer.status, answer.read().decode()]))
"""


@pytest.fixture(scope="module")
def image(debian: Root, engine: Path) -> Stage:
    """The last stage, with a migrated database in its data folder."""

    def put_engine(stage: Stage, command: str) -> None:
        if "tools.phone_engine" in command:
            stage.root.copy_in(engine, stage.resolve("built"))

    built = build_image((FOLDER / "Containerfile").read_text(), ROOT, debian, put_engine)
    user, variables = as_user(built.user), built.environment | ENVIRONMENT
    built.root.run(*user, "python", "manage.py", "migrate", environment=variables, folder=built.folder)
    return built


def ask(image: Stage, command: tuple[str, ...], *paths: str) -> list[tuple[int, str]]:
    """Start the command as a container does, and return the responses to requests from inside the container."""
    variables = image.environment | ENVIRONMENT | {"ASK": ASK, "PATHS": " ".join(paths)}
    # The shell is the first process, and everything ends with it.
    script = '"$@" >/dev/null & python -c "$ASK" $PATHS'
    started = ("/bin/sh", "-c", script, "sh", *command)
    printed = image.root.run(*as_user(image.user), *started, environment=variables, folder=image.folder)
    return [(status, body) for status, body in map(json.loads, printed.splitlines())]


def test_the_image_serves_pages_and_what_phones_need_without_signal(image: Stage) -> None:
    health, ready, page, engine = ask(image, image.command, "/healthz", "/readyz", "/", "/offline/manifest.json")

    assert health == (200, "ok\n")
    assert (ready[0], json.loads(ready[1])["database"]) == (200, "ok")
    assert json.loads(ready[1])["version"]
    assert page[0] == 200
    assert "Tailgunner" in page[1]
    assert json.loads(engine[1])["digest"]


def test_the_image_serves_live_screens(image: Stage) -> None:
    (health,) = ask(image, ("uvicorn", "config.asgi:application", "--host", "0.0.0.0", "--port", "8000"), "/healthz")

    assert health == (200, "ok\n")


def test_nobody_can_write_the_code_of_the_image_but_root(image: Stage) -> None:
    code = ("/srv/tailgunner/app", "/srv/tailgunner/venv")

    assert image.root.run(*as_user(image.user), "find", *code, "-writable", "!", "-type", "l", folder="/") == ""
