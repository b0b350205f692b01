"""Texts for people, as templates that can be translated.

Terms: a `Text` is an English template with named placeholders such as ``%(dice)s``, and an optional plural form. The
rules create texts; the code that displays them chooses the language. The markers at the end have the names of
Django's, so that the texts of this package are found although it does not use Django.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


class Translator(Protocol):
    """A source of translations: three functions of the standard library's gettext."""

    def gettext(self, message: str, /) -> str: ...

    def pgettext(self, context: str, message: str, /) -> str: ...

    def ngettext(self, singular: str, plural: str, number: int, /) -> str: ...


class English:
    """The translator that returns every text unchanged."""

    def gettext(self, message: str, /) -> str:
        return message

    def pgettext(self, context: str, message: str, /) -> str:
        return message

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        return singular if number == 1 else plural


ENGLISH = English()


@dataclass(frozen=True, slots=True)
class Text:
    """A template, its optional plural form, and the parameter whose value chooses between the two.

    Attributes:
        context: what tells it from the same English words with another meaning; "" for most. Only a text without a
            plural form has one.
    """

    template: str
    plural: str | None = None
    count: str = "count"
    context: str = ""

    def fill(self, params: Params | None = None, translator: Translator = ENGLISH) -> str:
        """Return the sentence, in the translator's language.

        Args:
            params: a value for every placeholder. A value may itself be a `Text`, or a tuple of values, which are
                joined with commas.
            translator: by default the English text is returned unchanged.

        Raises:
            KeyError: a placeholder has no value.
        """
        values = params or {}
        if self.context:
            template = translator.pgettext(self.context, self.template)
        elif self.plural is None:
            template = translator.gettext(self.template)
        else:
            number = values[self.count]
            assert isinstance(number, int)
            template = translator.ngettext(self.template, self.plural, number)
        return template % {name: _format(value, translator) for name, value in values.items()}


# Every type that a template can be filled with. The values of a tuple are joined with commas.
Param = int | str | Text | tuple["int | str | Text", ...]
Params = Mapping[str, Param]


def _format(value: Param, translator: Translator) -> str:
    if isinstance(value, Text):
        return value.fill(None, translator)
    if isinstance(value, tuple):
        return ", ".join(_format(part, translator) for part in value)
    return str(value)


def gettext_noop(template: str) -> Text:
    """Mark a template for translation."""
    return Text(template)


def pgettext_noop(context: str, template: str) -> Text:
    """Mark a template for translation that means something else than the same words elsewhere."""
    return Text(template, context=context)


def ngettext_lazy(singular: str, plural: str, count: str = "count") -> Text:
    """Mark a template with a plural form for translation; `count` names the parameter that chooses the form."""
    return Text(singular, plural, count)
