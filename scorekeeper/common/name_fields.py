"""Fields for names, of forms and of models: what is typed in them is cleaned as `names` says.

In the database a name is an ordinary text, so a migration sees a `CharField`.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.db import models

from scorekeeper.common.names import clean_name


class NameFormField(forms.CharField):
    """A name in a form. A required one with nothing to see in it is refused as if it were empty."""

    def to_python(self, value: Any) -> str:
        """Return the name, cleaned."""
        return clean_name(super().to_python(value) or "")


class NameField(models.CharField):  # type: ignore[type-arg]
    """A name of a model. Its forms clean it."""

    def formfield(self, **kwargs: Any) -> Any:
        """Return the field of a form for it."""
        return super().formfield(**{"form_class": NameFormField, **kwargs})

    def deconstruct(self) -> Any:
        """Return it as the text that it is in the database."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs
