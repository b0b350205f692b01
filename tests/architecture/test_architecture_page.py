"""`docs/architecture.md` lists the apps, and `docs/models.md` the models, as they are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from django.conf import settings

from tools.model_diagram import PAGE as MODELS
from tools.model_diagram import make_page

PAGE = Path(settings.BASE_DIR) / "docs" / "architecture.md"


def test_the_table_of_apps_lists_every_app_bottom_up() -> None:
    page = PAGE.read_text("utf-8")
    table = page[page.index("| app | what is in it |") :].split("\n\n")[0]

    assert re.findall(r"^\| (\w+) \|", table, re.MULTILINE)[1:] == settings.LOCAL_APPS


def test_the_diagram_of_apps_has_the_layers_of_the_import_contract() -> None:
    (diagram,) = re.findall(r"```mermaid\nflowchart \w+\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    drawn = [label.split(" · ") for label in re.findall(r"\[\"(.+?)\"\]", diagram)]

    assert drawn == list_layers()


def list_layers() -> list[list[str]]:
    """Return the apps of each layer, from the top down, as `pyproject.toml` has them."""
    project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text("utf-8"))
    (contract,) = [
        contract
        for contract in project["tool"]["importlinter"]["contracts"]
        if contract["name"] == "Apps import towards common only"
    ]
    layers = [[app.strip().removeprefix("scorekeeper.") for app in layer.split("|")] for layer in contract["layers"]]
    return layers[:-1]  # below the apps is the table of rights


def test_the_page_of_models_is_up_to_date() -> None:
    assert MODELS.read_text("utf-8") == make_page(), "run `make models`"
