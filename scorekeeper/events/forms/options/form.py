"""The form: the fields of all parts, and their faults in the rule book's own words."""

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
    """The options of a game, save those that follow from elsewhere.

    Args:
        data: the draft that is to be judged; None to show `draft` as it is.
        game: whose options are asked for.
        draft: what stands in the form.
        fixed_options: options that are not asked for, such as the number of turns, as JSON.
        focus: the name of the field with which the person goes on.

    Attributes:
        parts: the options, laid out.
        ruleset: what the options come to; None while they are not judged, or faulty.
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

    def read_ruleset(self) -> Ruleset | None:
        """Return what the options of the draft come to, judged or not; None when they cannot be read."""
        judged = OptionsForm(self.draft, game=self.game, draft=self.draft, fixed_options=self.fixed_options)
        return judged.ruleset if judged.is_valid() else None

    def add_error(self, field: str | None, error: Any) -> None:
        """Note a fault; that of an option names it, for the summary at the top of the page tells it too."""
        part = self._parts_by_name.get(field or "")
        super().add_error(field, _prefix_errors(part, error) if part else error)

    def clean(self) -> dict[str, Any]:
        """Let the rules read what was typed; `cleaned_data["options"]` is what differs from the rule book."""
        cleaned = super().clean() or self.cleaned_data
        found = [self._check_part(part) for part in self.parts]  # all of them, so that every fault is told
        if all(found):
            self._check_ruleset({part.option.name: part.get_value(cleaned) for part in self.parts})
        others = {name: value for name, value in cleaned.items() if name not in self._parts_by_name}
        chosen = write_options(self.declared, self.ruleset.options) if self.ruleset else {}
        return {**others, ROOT: chosen}

    def _check_part(self, part: OptionPart) -> bool:
        """Say whether the option takes what stands there; what it is made of is read first, and all of it."""
        found = [self._check_part(inner) for inner in part.children]
        if not all(found) or part.name in self.errors:
            return False
        try:
            part.option.read(part.get_value(self.cleaned_data), part.location.path)
        except Malformed as malformed:
            self._add_rule_error(malformed)
            return False
        return True

    def _check_ruleset(self, given: Mapping[str, Any]) -> None:
        """Refuse options of which each could be, but not all of them at once."""
        try:
            self.ruleset = self.game.ruleset({**self.fixed_options, **given})
        except Malformed as malformed:
            self._add_rule_error(malformed)

    def _add_rule_error(self, malformed: Malformed) -> None:
        """Note what the rules say at the part they speak of, or else at the nearest one around it.

        A record has no field of its own, so its first one stands for it.
        """
        around = [
            part
            for part in self._parts_by_name.values()
            if f"{malformed.field}.".startswith(part.location.path_prefixes)
        ]
        text = malformed.message(ACTIVE_TRANSLATIONS)
        if not around:
            return super().add_error(None, text)
        nearest = around[-1]  # a part comes before what is inside it
        field = next(part.name for part in walk_parts([nearest]) if part.name in self.fields)
        return super().add_error(field, _prefix_errors(nearest, text))


def _prefix_errors(part: OptionPart, error: Any) -> list[str]:
    texts = ValidationError(error).messages
    return [_("%(label)s: %(text)s") % {"label": part.title, "text": text} for text in texts]
