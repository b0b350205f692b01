"""`docs/architecture.md` says what the code is: its table of apps, its entity diagram, and the path of a roll."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps
from django.conf import settings

PAGE = (Path(settings.BASE_DIR) / "docs" / "architecture.md").read_text()


def get_diagram() -> list[str]:
    (diagram,) = re.findall(r"```mermaid\nerDiagram\n(.*?)```", PAGE, re.DOTALL)
    return [line.strip() for line in diagram.splitlines() if line.strip() and not line.strip().startswith("%%")]


def list_relations() -> Iterator[str]:
    """Return a line of the diagram for every foreign key of our own models, and one for every model without any."""
    related = set()
    for label in settings.LOCAL_APPS:
        for model in apps.get_app_config(label).get_models(include_auto_created=True):
            for field in model._meta.get_fields():
                if field.auto_created or not field.is_relation or field.related_model is None:
                    continue
                target = field.related_model.__name__
                related |= {model.__name__, target}
                many = "o|" if field.one_to_one else "o{"
                yield f"{target} {'|o' if field.null else '||'}--{many} {model.__name__} : {field.name}"
    for label in settings.LOCAL_APPS:
        for model in apps.get_app_config(label).get_models(include_auto_created=True):
            if model.__name__ not in related:
                yield model.__name__


def test_the_table_of_apps_lists_every_app_bottom_up() -> None:
    table = PAGE[PAGE.index("| app | what is in it |") :].split("\n\n")[0]
    assert re.findall(r"^\| (\w+) \|", table, re.MULTILINE)[1:] == settings.LOCAL_APPS


def test_the_entity_diagram_has_every_model_and_every_foreign_key() -> None:
    expected, diagram = list(list_relations()), get_diagram()
    assert set(expected) - set(diagram) == set(), "missing in the diagram"
    assert set(diagram) - set(expected) == set(), "no longer in the code"
    assert len(diagram) == len(set(diagram))
