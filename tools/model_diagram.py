"""Writes `docs/models.md`: every model, what it is, and every foreign key: ``python -m tools.model_diagram``.

It reads the models and no database. A test compares the page with what `make_page` returns.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import django
from django.apps import apps
from django.conf import settings
from django.db.models import Model

PAGE = Path(__file__).resolve().parents[1] / "docs" / "models.md"
HEAD = """\
# The models

`make models` writes this page from the code; do not edit it. [architecture.md](architecture.md#the-five-central-models)
explains the models that carry everything else.

## Every foreign key

The model on the right has the key, named after the colon. On the left, `||` means that the key is always set, and `|o`
that it may be empty. On the right, `o|` means one row at most, and `o{` any number. `}o--o{` is a relation of many to
many.
"""


def make_page() -> str:
    """Return the page as the models are now."""
    return "\n".join([HEAD, "```mermaid", "erDiagram", *_draw_relations(), "```", *_describe_models()]) + "\n"


def _draw_relations() -> Iterator[str]:
    drawn = {label: list(_list_relations(label)) for label in settings.LOCAL_APPS}
    related = {name for relations in drawn.values() for relation in relations for name in relation[:2]}
    for label, relations in drawn.items():
        alone = [model.__name__ for model in _list_models(label) if model.__name__ not in related]
        lines = [*(line for _target, _model, line in relations), *alone]
        yield from (f"    {line}" for line in ([f"%% {label}", *lines] if lines else []))


def _list_relations(label: str) -> Iterator[tuple[str, str, str]]:
    """Return the two models of each foreign key of an app, and its line."""
    for model in _list_models(label):
        for field in model._meta.get_fields():  # noqa: SLF001 - documented
            if field.auto_created or not field.is_relation or not isinstance(field.related_model, type):
                continue
            target, name = field.related_model.__name__, model.__name__
            left = "}o" if field.many_to_many else "|o" if field.null else "||"
            right = "o|" if field.one_to_one else "o{"
            yield target, name, f"{target} {left}--{right} {name} : {field.name}"


def _describe_models() -> Iterator[str]:
    yield from ("", "## Every model")
    for label in settings.LOCAL_APPS:
        if models := _list_models(label):
            yield from ("", f"### {label}", "", "| model | what a row is |", "| --- | --- |")
            yield from (f"| `{model.__name__}` | {_get_first_sentence(model)} |" for model in models)


def _list_models(label: str) -> list[type[Model]]:
    models = apps.get_app_config(label).get_models()
    return [model for model in models if not model._meta.proxy]  # noqa: SLF001 - Django's documented way to this


def _get_first_sentence(model: type[Model]) -> str:
    paragraph = " ".join((model.__doc__ or "").strip().partition("\n\n")[0].split())
    sentence, ended, _rest = paragraph.partition(". ")
    return sentence.removesuffix(".") if ended else paragraph.removesuffix(".")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    PAGE.write_text(make_page(), "utf-8")
