"""Relations between tables have the same direction as imports: towards `common`, even if given as strings."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.conf import settings
from django.db.models import Model

LOCAL_APPS: list[str] = settings.LOCAL_APPS
MODELS = [model for label in LOCAL_APPS for model in apps.get_app_config(label).get_models(include_auto_created=True)]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_a_table_points_only_at_its_own_app_and_apps_below(model: type[Model]) -> None:
    here = LOCAL_APPS.index(model._meta.app_label)
    for field in model._meta.get_fields():
        if field.auto_created or not field.is_relation or field.related_model is None:
            continue
        label = field.related_model._meta.app_label
        if label in LOCAL_APPS:
            assert LOCAL_APPS.index(label) <= here, f"{model._meta.label}.{field.name} points up, at {label}"


def test_apps_on_the_same_level_have_no_tables_that_point_at_each_other() -> None:
    for model in MODELS:
        targets = {
            field.related_model._meta.app_label
            for field in model._meta.get_fields()
            if field.is_relation and not field.auto_created and field.related_model is not None
        }
        assert len({model._meta.app_label, *targets} & {"results", "live", "desk"}) < 2
