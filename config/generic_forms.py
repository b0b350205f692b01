"""Lets a form name its model in brackets at run time, as in `ModelForm[Bike]`; Django's type stubs want that.

`django-stubs-ext` does the same to forty classes. It imports Django's admin for that, which takes a tenth of the time
in which a command starts.
"""

from __future__ import annotations

from django.forms.models import BaseModelForm, ModelChoiceField


def allow_models_in_brackets() -> None:
    """Make the classes of forms that have a model generic, without an effect."""
    for form_class in (BaseModelForm, ModelChoiceField):
        form_class.__class_getitem__ = classmethod(lambda cls, _model: cls)  # type: ignore[union-attr]
