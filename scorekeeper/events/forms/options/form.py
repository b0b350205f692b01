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
from scorekeeper.common.rules import ACTIVE
from scorekeeper.events.chosen import list_asked
from scorekeeper.events.forms.options.draft import ROOT
from scorekeeper.events.forms.options.fields import RowsField, make_field
from scorekeeper.events.forms.options.parts import Leaf, Part, Rows, lay_out, walk


class OptionsForm(forms.Form):
    """The options of a game, save those that follow from elsewhere.

    Args:
        data: the draft that is to be judged; None to show `draft` as it is.
        game: whose options are asked for.
        draft: what stands in the form.
        follows: options that are not asked for, such as the number of turns, as JSON.
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
        follows: Mapping[str, Any],
        focus: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(data, initial=draft.dict(), **kwargs)
        self.game = game
        self.draft = draft
        self.follows = follows
        self.ruleset: Ruleset | None = None
        self.declared = list_asked(game)
        self.parts = lay_out(self.declared, draft)
        self._part_of = {part.name: part for part in walk(self.parts)}
        for name, part in self._part_of.items():
            if isinstance(part, Leaf):
                self.fields[name] = make_field(part.option, is_in_row=part.place.is_in_row)
            elif isinstance(part, Rows):
                self.fields[name] = RowsField()
        if focus in self.fields:
            self.fields[focus].widget.attrs["autofocus"] = True

    def read_ruleset(self) -> Ruleset | None:
        """Return what the options of the draft come to, judged or not; None when they cannot be read."""
        judged = OptionsForm(self.draft, game=self.game, draft=self.draft, follows=self.follows)
        return judged.ruleset if judged.is_valid() else None

    def add_error(self, field: str | None, error: Any) -> None:
        """Note a fault; that of an option names it, for the summary at the top of the page tells it too."""
        part = self._part_of.get(field or "")
        super().add_error(field, _name_faults(part, error) if part else error)

    def clean(self) -> dict[str, Any]:
        """Let the rules read what was typed; `cleaned_data["options"]` is what differs from the rule book."""
        cleaned = super().clean() or self.cleaned_data
        found = [self._judge(part) for part in self.parts]  # all of them, so that every fault is told
        if all(found):
            self._judge_together({part.option.name: part.gather(cleaned) for part in self.parts})
        others = {name: value for name, value in cleaned.items() if name not in self._part_of}
        chosen = write_options(self.declared, self.ruleset.options) if self.ruleset else {}
        return {**others, ROOT: chosen}

    def _judge(self, part: Part) -> bool:
        """Say whether the option takes what stands there; what it is made of is read first, and all of it."""
        found = [self._judge(inner) for inner in part.inner]
        if not all(found) or part.name in self.errors:
            return False
        try:
            part.option.read(part.gather(self.cleaned_data), part.place.path)
        except Malformed as malformed:
            self._refuse(malformed)
            return False
        return True

    def _judge_together(self, given: Mapping[str, Any]) -> None:
        """Refuse options of which each could be, but not all of them at once."""
        try:
            self.ruleset = self.game.ruleset({**self.follows, **given})
        except Malformed as malformed:
            self._refuse(malformed)

    def _refuse(self, malformed: Malformed) -> None:
        """Note what the rules say at the part they speak of, or else at the nearest one around it.

        A record has no field of its own, so its first one stands for it.
        """
        around = [part for part in self._part_of.values() if f"{malformed.field}.".startswith(part.place.beginnings)]
        text = malformed.message(ACTIVE)
        if not around:
            return super().add_error(None, text)
        nearest = around[-1]  # a part comes before what is inside it
        field = next(part.name for part in walk([nearest]) if part.name in self.fields)
        return super().add_error(field, _name_faults(nearest, text))


def _name_faults(part: Part, error: Any) -> list[str]:
    texts = ValidationError(error).messages
    return [_("%(label)s: %(text)s") % {"label": part.title, "text": text} for text in texts]
