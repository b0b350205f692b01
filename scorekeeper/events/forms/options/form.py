"""The options form: the fields of all parts, and their errors in the words of the rule book."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _

from games.core.game import Game, Ruleset
from games.core.options import write_options
from games.core.problems import Malformed
from scorekeeper.common.game_adapter import ACTIVE_TRANSLATIONS
from scorekeeper.events.forms.options.fields import RowsField, make_field
from scorekeeper.events.forms.options.form_data import ROOT
from scorekeeper.events.forms.options.layout import FieldPart, OptionPart, RowListPart, build_parts, walk_parts
from scorekeeper.events.options_summary import list_editable_options


class OptionsForm(forms.Form):
    """The options of a game, except those that are derived from elsewhere.

    Args:
        data: the draft to validate; None to show `draft` as it is.
        game: the game whose options are edited.
        draft: the content of the form.
        fixed_options: options that cannot be edited, such as the number of turns, as JSON.
        focus: the name of the field that gets the focus.

    Attributes:
        parts: the options, laid out.
        ruleset: the game with these options; None while they are not validated, or invalid.
    """

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        game: Game[Any],
        draft: QueryDict,
        fixed_options: Mapping[str, Any],
        focus: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(data, initial=draft.dict(), **kwargs)
        self.game = game
        self.draft = draft
        self.fixed_options = fixed_options
        self.ruleset: Ruleset | None = None
        self.declared = list_editable_options(game)
        self.parts = build_parts(self.declared, draft)
        self._parts_by_name = {part.name: part for part in walk_parts(self.parts)}
        for name, part in self._parts_by_name.items():
            if isinstance(part, FieldPart):
                self.fields[name] = make_field(part.option, is_in_row=part.location.is_in_row)
            elif isinstance(part, RowListPart):
                self.fields[name] = RowsField()
        if focus in self.fields:
            self.fields[focus].widget.attrs["autofocus"] = True

    def get_unit_label(self, name: str) -> str:
        """Return the name of an option, which is merged as a whole when two people change the contest at once."""
        return self._parts_by_name[name].title

    def read_ruleset(self) -> Ruleset | None:
        """Return the game with the options of the draft, even if this form is unbound; None for an invalid draft."""
        bound = OptionsForm(self.draft, game=self.game, draft=self.draft, fixed_options=self.fixed_options)
        return bound.ruleset if bound.is_valid() else None

    def add_error(self, field: str | None, error: Any) -> None:
        """Add an error. An error of an option names the option, because the summary at the top of the page shows it."""
        part = self._parts_by_name.get(field or "")
        super().add_error(field, _prefix_errors(part, error) if part else error)

    def clean(self) -> dict[str, Any]:
        """Validate the options by the game's rules.

        `cleaned_data["options"]` has only the options that differ from the rule book.
        """
        cleaned = super().clean() or self.cleaned_data
        results = [self._check_part(part) for part in self.parts]  # all of them, so that every error is shown
        if all(results):
            self._check_ruleset({part.option.name: part.get_value(cleaned) for part in self.parts})
        others = {name: value for name, value in cleaned.items() if name not in self._parts_by_name}
        options = write_options(self.declared, self.ruleset.options) if self.ruleset else {}
        return {**others, ROOT: options}

    def _check_part(self, part: OptionPart) -> bool:
        """Return whether the option accepts its value. All of its children are checked first."""
        results = [self._check_part(child) for child in part.children]
        if not all(results) or part.name in self.errors:
            return False
        try:
            part.option.read(part.get_value(self.cleaned_data), part.location.path)
        except Malformed as malformed:
            self._add_rule_error(malformed)
            return False
        return True

    def _check_ruleset(self, given: Mapping[str, Any]) -> None:
        """Reject options that are each valid but not allowed together."""
        try:
            self.ruleset = self.game.ruleset({**self.fixed_options, **given})
        except Malformed as malformed:
            self._add_rule_error(malformed)

    def _add_rule_error(self, malformed: Malformed) -> None:
        """Add an error message of the rules to the part it is about, or else to the nearest part around it.

        A record has no field of its own, so its first field gets the error.
        """
        enclosing = [
            part
            for part in self._parts_by_name.values()
            if f"{malformed.field}.".startswith(part.location.path_prefixes)
        ]
        text = malformed.message(ACTIVE_TRANSLATIONS)
        if not enclosing:
            return super().add_error(None, text)
        nearest = enclosing[-1]  # a part comes before its children
        field = next(part.name for part in walk_parts([nearest]) if part.name in self.fields)
        return super().add_error(field, _prefix_errors(nearest, text))


def _prefix_errors(part: OptionPart, error: Any) -> list[str]:
    texts = ValidationError(error).messages
    return [_("%(label)s: %(text)s") % {"label": part.title, "text": text} for text in texts]
