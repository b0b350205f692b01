"""Forms of a prize, of a sponsor's logo, and of a decision about who wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.common.name_fields import NameFormField
from scorekeeper.common.pictures import MAX_UPLOAD_BYTES, Picture, make_picture
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.events.models import Contest, Event
from scorekeeper.prizes.models import MAX_PLACE, Prize
from scorekeeper.prizes.rules.rule_book import RULES, fits_contest
from scorekeeper.prizes.services import PrizeSettings

MAX_BEST_OF = 99
Choices = Sequence[tuple[UUID, str]]


class LogoField(forms.FileField):
    """An optional picture. Its value is the picture as it is stored; None if none was sent."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            required=False,
            help_text=gettext_lazy(
                "A PNG, JPEG or WebP file of up to 10 MB. A photo from a phone is fine: it is made smaller."
            ),
            widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
            error_messages={"empty": gettext_lazy("This file is empty. Choose a PNG, JPEG or WebP file.")},
            **options,
        )

    def clean(self, data: Any, initial: Any = None) -> Picture | None:
        """Return the picture.

        Raises:
            ValidationError: it is too large, or not accepted.
        """
        upload = super().clean(data)  # the initial value is which logo is stored, and not a file
        if not upload:
            return None
        if upload.size > MAX_UPLOAD_BYTES:
            text = _("The picture is larger than %(most)s MB. Choose a smaller one.")
            raise ValidationError(text % {"most": MAX_UPLOAD_BYTES // 2**20})
        upload.seek(0)  # the form may be made again
        return make_picture(upload.read())


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


class _DecisionForm(forms.Form):
    """A decision with its reason, under the id of its operation."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        help_text=gettext_lazy("Saved in the log. Organisers can see it."),
        error_messages={"required": gettext_lazy("Enter a reason.")},
    )

    field_order = ("winners", "winner", "reason")

    def __init__(self, data: Any = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)
        self.label_suffix = ""


class TieDecisionForm(_DecisionForm):
    """Who of the tied gets the prize; several share it.

    Derived: `cleaned_data["winners"]` and `tied` are ids.
    """

    # Who was tied on the page, so that a decision about another tie is noticed.
    tied_ids = forms.CharField(widget=forms.HiddenInput)
    winners = forms.MultipleChoiceField(
        label=gettext_lazy("Who gets the prize"),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Choose several if they share it."),
        error_messages={"required": gettext_lazy("Choose who gets the prize.")},
    )

    def __init__(self, data: Any = None, *, tied: Choices) -> None:
        super().__init__(data, initial={"tied_ids": ",".join(sorted(str(pk) for pk, _name in tied))})
        winners = self.fields["winners"]
        assert isinstance(winners, forms.MultipleChoiceField)
        winners.choices = [(str(pk), name) for pk, name in tied]

    def clean_winners(self) -> list[UUID]:
        """Return the ids."""
        return [UUID(one) for one in self.cleaned_data["winners"]]

    @property
    def tied(self) -> set[UUID]:
        """Those who were tied on the page."""
        return {pk for text in self.cleaned_data["tied_ids"].split(",") if (pk := parse_uuid(text))}


class HandAwardForm(_DecisionForm):
    """Who gets a prize that is given by hand.

    Derived: `winners` are ids; nobody takes the decision back.
    """

    winner = forms.ChoiceField(
        label=gettext_lazy("Who gets the prize"),
        error_messages={"required": gettext_lazy("Choose who gets the prize.")},
    )
    NOBODY = "nobody"

    def __init__(self, data: Any = None, *, possible: Choices, current: UUID | None) -> None:
        """Create the form.

        Args:
            current: who has it so far; None for nobody.
        """
        super().__init__(data, initial={"winner": "" if current is None else str(current)})
        nobody = [] if current is None else [(self.NOBODY, _("Nobody: take the decision back"))]
        winner = self.fields["winner"]
        assert isinstance(winner, forms.ChoiceField)
        winner.choices = [("", _("Choose")), *((str(pk), name) for pk, name in possible), *nobody]

    @property
    def winners(self) -> list[UUID]:
        """Who gets it."""
        winner = self.cleaned_data["winner"]
        return [] if winner == self.NOBODY else [UUID(winner)]
