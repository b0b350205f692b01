"""The form of a prize: what it is, who gives it, and what it is for."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.common.name_fields import NameFormField
from scorekeeper.events.models import Contest, Event
from scorekeeper.prizes.forms.logo_file import LogoField
from scorekeeper.prizes.models import MAX_PLACE, Prize
from scorekeeper.prizes.rules.rule_book import RULES, fits_contest
from scorekeeper.prizes.services.prizes import PrizeSettings

MAX_BEST_OF = 99


class PrizeForm(forms.Form):
    """A new prize, or one that exists, whose contest stays.

    Derived: `prize_id` makes a form that is submitted twice add one prize.
    """

    # What the prize is for is one decision.
    edit_units = {"remove_logo": "logo", "place": "rule", "stop": "rule", "best_of": "rule"}

    prize_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    name = NameFormField(
        label=gettext_lazy("Name of the prize"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("Such as “H-D tyre mirror”. Without one, it is called what it is for: “1st place”."),
    )
    sponsor = NameFormField(
        label=gettext_lazy("Sponsor"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("Who gives it. Everyone can see it."),
    )
    logo = LogoField(label=gettext_lazy("Logo of the sponsor"))
    remove_logo = forms.BooleanField(label=gettext_lazy("Remove the logo"), required=False)
    contest = forms.ChoiceField(
        label=gettext_lazy("Contest"),
        help_text=gettext_lazy("Its winner is published with the results of this contest."),
        error_messages={"required": gettext_lazy("Choose a contest.")},
    )
    rule = forms.ChoiceField(
        label=gettext_lazy("What it is for"),
        widget=forms.RadioSelect,
        initial=Prize.Rule.PLACE,
        error_messages={"required": gettext_lazy("Choose what the prize is for.")},
    )
    place = forms.IntegerField(
        label=gettext_lazy("Which place"),
        min_value=1,
        max_value=MAX_PLACE,
        required=False,
        help_text=gettext_lazy("For a place in the contest. Ties are broken up to the last place with a prize."),
        error_messages=dict.fromkeys(
            ("min_value", "max_value", "invalid"), gettext_lazy("Enter a place from 1 to 50.")
        ),
    )
    stop = forms.ChoiceField(
        label=gettext_lazy("Stop"),
        required=False,
        help_text=gettext_lazy("For the best roll, and for places gained since a stop."),
    )
    best_of = forms.IntegerField(
        label=gettext_lazy("How many of a group count"),
        min_value=1,
        max_value=MAX_BEST_OF,
        required=False,
        help_text=gettext_lazy("For the best group. Without a number, the mean of all counts."),
        error_messages=dict.fromkeys(
            ("min_value", "max_value", "invalid"), gettext_lazy("Enter a number from 1 to 99, or nothing.")
        ),
    )

    def __init__(self, data: Any = None, files: Any = None, *, event: Event, prize: Prize | None = None) -> None:
        """Create the form.

        Args:
            prize: the prize to change; None for a new one.
        """
        self.contests = [prize.contest] if prize else list(event.contests.order_by("ordinal", "name"))
        self.logo_id = None if prize is None else prize.logo_id
        super().__init__(data, files, initial=None if prize is None else _get_initial(prize))
        self.label_suffix = ""
        rules = [
            (value, label)
            for value, label in Prize.Rule.choices
            if any(fits_contest(RULES[value], contest) for contest in self.contests)
        ]
        stops = list(event.stops.order_by("ordinal").values_list("pk", "name"))
        self._set_choices("contest", [(str(contest.pk), contest.name) for contest in self.contests])
        self._set_choices("rule", rules)
        self._set_choices("stop", [("", _("The whole ride")), *((str(pk), name) for pk, name in stops)])
        if self.logo_id is None:
            del self.fields["remove_logo"]
        if len(self.contests) == 1:
            del self.fields["contest"]
        if not any(RULES[value].uses_stop for value, _label in rules):
            del self.fields["stop"]

    def _set_choices(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        """Reject what does not fit the rule, and drop what the rule does not use."""
        cleaned = super().clean() or {}
        rule = RULES.get(cleaned.get("rule", ""))
        contest = self._get_contest(cleaned)
        if rule is None or contest is None:
            return cleaned
        if not fits_contest(rule, contest):
            text = _("“%(contest)s” is played at tables, so nothing is rolled at stops. Choose something else.")
            self.add_error("rule", text % {"contest": contest})
        if rule.key != "place":
            self._drop("place", cleaned)
        elif cleaned.get("place") is None and "place" not in self.errors:
            self.add_error("place", _("Enter which place wins the prize."))
        if not rule.uses_stop:
            self._drop("stop", cleaned)
        elif cleaned.get("stop"):
            stop_id = UUID(cleaned["stop"])
            if not contest.slots.filter(stop=stop_id).exists():
                self.add_error("stop", _("No turn of “%(contest)s” is rolled there.") % {"contest": contest})
        elif rule.requires_stop and "stop" not in self.errors:
            self.add_error("stop", _("Choose the stop since which places count."))
        if not rule.is_for_groups:
            self._drop("best_of", cleaned)
        return cleaned

    def _drop(self, name: str, cleaned: dict[str, Any]) -> None:
        """Forget a value, and what is wrong with it: the rule does not use it."""
        cleaned[name] = None
        self.errors.pop(name, None)

    def _get_contest(self, cleaned: dict[str, Any]) -> Contest | None:
        if "contest" not in self.fields:
            return self.contests[0]
        return next((one for one in self.contests if str(one.pk) == cleaned.get("contest")), None)

    @property
    def settings(self) -> PrizeSettings:
        """The valid settings, with the logo that the prize has so far; `cleaned_data["logo"]` is a new one."""
        cleaned = self.cleaned_data
        contest = self._get_contest(cleaned)
        assert contest is not None, "a valid form has a contest"
        return PrizeSettings(
            contest,
            " ".join(cleaned["name"].split()),
            " ".join(cleaned["sponsor"].split()),
            cleaned["rule"],
            cleaned["place"],
            UUID(cleaned["stop"]) if cleaned.get("stop") else None,
            cleaned["best_of"],
            None if cleaned.get("remove_logo") else self.logo_id,
        )


def _get_initial(prize: Prize) -> dict[str, Any]:
    return {
        "prize_id": prize.pk,
        "name": prize.name,
        "sponsor": prize.sponsor,
        "rule": prize.rule,
        "place": prize.place,
        "stop": "" if prize.stop_id is None else str(prize.stop_id),
        "best_of": prize.best_of,
        "logo": prize.logo_id,
    }
