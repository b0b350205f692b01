"""Forms of a prize, of a sponsor's logo, and of a decision about who wins."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from scorekeeper.common.game_adapter import translate
from scorekeeper.common.name_fields import NameFormField
from scorekeeper.common.pictures import MAX_UPLOAD_BYTES, Picture, make_picture
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.common.word_lists import join_or
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.class_members import list_classes
from scorekeeper.prizes.models import MAX_FACE, MAX_NUMBER, MAX_PLACE, Prize
from scorekeeper.prizes.rules.award_rule import AwardRule
from scorekeeper.prizes.rules.rule_book import RULES, fits_contest, list_faces
from scorekeeper.prizes.services import PrizeSettings

MAX_BEST_OF = 99
NUMBER_FIELDS = ("number_from", "number_to", "number_drawn")
KIND_FIELDS = ("rule", "place", "stop", "best_of", "face", *NUMBER_FIELDS, "ties")  # in the order of the form
Choices = Sequence[tuple[UUID, str]]
# Of an input for a picture. A browser refuses one that is too large before it is sent (`static/js/forms.js`).
PICTURE_ATTRS: Mapping[str, Any] = {
    "accept": "image/png,image/jpeg,image/webp",
    "data-max-bytes": str(MAX_UPLOAD_BYTES),
    "data-too-large": gettext_lazy(
        "This picture has {size} MB, and it can have {most} MB. Choose a smaller one, or export it again."
    ),
}


class LogoField(forms.FileField):
    """An optional picture. Its value is the picture as it is stored; None if none was sent."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            required=False,
            help_text=gettext_lazy(
                "A PNG, JPEG or WebP file of up to 10 MB. A photo from a phone is fine: it is made smaller."
            ),
            widget=forms.FileInput(attrs=dict(PICTURE_ATTRS)),
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


def _make_number_field(label: Any, help_text: Any) -> forms.IntegerField:
    texts = dict.fromkeys(
        ("min_value", "max_value", "invalid"), gettext_lazy("Enter a whole number from 0 to 1,000,000.")
    )
    return forms.IntegerField(
        label=label, min_value=0, max_value=MAX_NUMBER, required=False, help_text=help_text, error_messages=texts
    )


class PrizeForm(forms.Form):
    """A new prize, or one that exists, whose contest stays.

    It shows the kinds of prizes that the chosen contest can have. Without scripts, and on a page that could not be
    updated, somebody may choose a kind of another contest: every kind can be read, and is rejected with a reason.

    Derived: `prize_id` makes a form that is submitted twice add one prize.
    """

    # What the prize is for is one decision.
    edit_units = {
        "remove_logo": "logo",
        **dict.fromkeys(("place", "stop", "best_of", "face", "number_from", "number_to"), "rule"),
    }

    prize_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    name = NameFormField(
        label=gettext_lazy("Name of the prize"),
        max_length=80,
        required=False,
        help_text=gettext_lazy(
            "For example “H-D tyre mirror”. Without a name, a prize is called what it is for: “1st place”."
        ),
    )
    sponsor = NameFormField(
        label=gettext_lazy("Sponsor"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("Name who gives the prize. Everyone can see it."),
    )
    logo = LogoField(label=gettext_lazy("Logo of the sponsor"))
    remove_logo = forms.BooleanField(label=gettext_lazy("Remove the logo"), required=False)
    contest = forms.ChoiceField(
        label=gettext_lazy("Contest"),
        help_text=gettext_lazy("The winner is published with the results of this contest."),
        error_messages={"required": gettext_lazy("Choose a contest.")},
    )
    event_class = forms.ChoiceField(
        label=gettext_lazy("Class"),
        required=False,
        help_text=gettext_lazy("Only scorecards of the class can win it, and places are those in the class."),
        error_messages={"invalid_choice": gettext_lazy("This class no longer exists. Choose another one.")},
    )
    rule = forms.ChoiceField(
        label=pgettext_lazy("a prize", "What it is for"),
        widget=forms.RadioSelect,
        initial=Prize.Rule.PLACE,
        error_messages={"required": gettext_lazy("Choose what the prize is for.")},
    )
    place = forms.IntegerField(
        label=gettext_lazy("Which place"),
        min_value=1,
        max_value=MAX_PLACE,
        required=False,
        help_text=gettext_lazy("The place in the contest that wins the prize."),
        error_messages={
            "required": gettext_lazy("Enter which place wins the prize."),
            **dict.fromkeys(("min_value", "max_value", "invalid"), gettext_lazy("Enter a place from 1 to 50.")),
        },
    )
    stop = forms.ChoiceField(
        label=gettext_lazy("Stop"),
        required=False,
        help_text=gettext_lazy("The stop of the best or worst roll, or the one from which places gained are counted."),
    )
    best_of = forms.IntegerField(
        label=gettext_lazy("How many of a group count"),
        min_value=1,
        max_value=MAX_BEST_OF,
        required=False,
        help_text=gettext_lazy(
            "How many of its best totals a group needs. Without a number, the mean of all its totals counts."
        ),
        error_messages=dict.fromkeys(
            ("min_value", "max_value", "invalid"), gettext_lazy("Enter a number from 1 to 99, or nothing.")
        ),
    )
    face = forms.IntegerField(
        label=gettext_lazy("Which face"),
        min_value=1,
        max_value=MAX_FACE,
        required=False,
        initial=6,
        help_text=gettext_lazy("For the most dice of one face: 6 for the most sixes."),
        error_messages=dict.fromkeys(
            ("min_value", "max_value", "invalid"), gettext_lazy("Enter a face of the dice, such as 6.")
        ),
    )
    number_from = _make_number_field(
        gettext_lazy("Lowest number"), gettext_lazy("For a total that you draw: the lowest number in the hat.")
    )
    number_to = _make_number_field(gettext_lazy("Highest number"), gettext_lazy("The highest number in the hat."))
    number_drawn = _make_number_field(
        gettext_lazy("Number drawn"),
        gettext_lazy("Leave it empty until you have drawn it. Everyone with exactly this total is a winner."),
    )
    ties = forms.ChoiceField(
        label=gettext_lazy("If several are tied"),
        choices=Prize.Ties.choices,
        widget=forms.RadioSelect,
        initial=Prize.Ties.DECIDE,
        required=False,
        help_text=gettext_lazy(
            "The first sheet is the one on which the winning turn was recorded first, or which was finished first."
            " Ties for a place follow the options of the contest."
        ),
    )

    def __init__(
        self,
        data: Any = None,
        files: Any = None,
        *,
        event: Event,
        prize: Prize | None = None,
        draft: QueryDict | None = None,
    ) -> None:
        """Create the form.

        Args:
            prize: the prize to change; None for a new one.
            draft: the data of a form to be shown with the kinds of the contest chosen in it, and not validated.
        """
        self.contests = [prize.contest] if prize else list(event.contests.order_by("ordinal", "name"))
        self.logo_id = None if prize is None else prize.logo_id
        initial = _get_initial(prize) if prize else None if draft is None else draft.dict()
        super().__init__(data, files, initial=initial)
        self.label_suffix = ""
        self.cuts_cards = any(contest.ruleset.tie_procedure == "cut_cards" for contest in self.contests)
        self._set_choices("contest", [(str(contest.pk), contest.name) for contest in self.contests])
        chosen = self._find_contest(self["contest"].value()) or next(iter(self.contests), None)
        offered = [value for value in Prize.Rule.values if RULES[value].is_offered]
        rules = {value for value in offered if chosen is not None and fits_contest(RULES[value], chosen)}
        rules |= set() if prize is None else {prize.rule}
        if data is not None:  # what was chosen stays, also where it is rejected
            rules |= {data.get("rule")} & set(offered)
        if self.initial.get("rule") not in rules:
            self.initial["rule"] = Prize.Rule.PLACE
        self._set_choices("rule", _list_rules({*rules, *offered}))
        self._show_choices("rule", _list_rules(rules))
        self._set_up_fields(rules, chosen)
        if self.logo_id is None:
            del self.fields["remove_logo"]
        if len(self.contests) == 1:
            del self.fields["contest"]
        classes = [(str(one.pk), one.name) for one in list_classes(event)]
        self._set_choices("event_class", [("", _("Everyone")), *classes])
        if not classes:
            del self.fields["event_class"]
        stops = list(event.stops.order_by("ordinal").values_list("pk", "name"))
        self._set_choices("stop", [("", _("All stops")), *((str(pk), name) for pk, name in stops)])

    def _set_up_fields(self, rules: Collection[str], contest: Contest | None) -> None:
        """Leave out the fields that none of the kinds shown uses, and say what they mean in the contest."""
        if contest is not None and contest.ruleset.tie_procedure == "cut_cards":
            text = _("For a place in the contest. Ties are broken up to the last place with a prize.")
            self.fields["place"].help_text = text
        # It is shown with this rule only, and is not optional there.
        self.fields["place"].required = self["rule"].value() == Prize.Rule.PLACE
        if contest is None or not contest.game.slot_option:
            ties = [choice for choice in Prize.Ties.choices if choice[0] != Prize.Ties.FIRST]
            self._show_choices("ties", ties)
        if not any(RULES[value].uses_stop for value in rules):
            del self.fields["stop"]
        if Prize.Rule.MOST_OF_FACE not in rules:
            del self.fields["face"]
        if Prize.Rule.BEST_GROUP not in rules:
            del self.fields["best_of"]
        if Prize.Rule.DRAWN_NUMBER not in rules:
            for name in NUMBER_FIELDS:
                del self.fields[name]

    def _set_choices(self, name: str, choices: list[Any]) -> None:
        if name in self.fields:
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices

    def _show_choices(self, name: str, choices: list[Any]) -> None:
        """Show only these of the choices that can be read."""
        widget = self.fields[name].widget
        assert isinstance(widget, forms.RadioSelect)
        widget.choices = choices

    @property
    def fields_by_contest(self) -> list[BoundField]:
        """The fields that depend on which contest is chosen."""
        return [self[name] for name in KIND_FIELDS if name in self.fields]

    @property
    def other_fields(self) -> list[BoundField]:
        """The fields above them."""
        return [field for field in self.visible_fields() if field.name not in KIND_FIELDS]

    def clean(self) -> dict[str, Any]:
        """Reject what does not fit the rule, and drop what the rule does not use."""
        cleaned = super().clean() or {}
        rule = RULES.get(cleaned.get("rule", ""))
        contest = self._get_contest(cleaned)
        if rule is None or contest is None:
            return cleaned
        if not fits_contest(rule, contest):
            self.add_error("rule", self._explain_misfit(rule, contest))
        if rule.key != "place":
            self._drop("place", cleaned)
        elif cleaned.get("place") is None and "place" not in self.errors:
            self.add_error("place", _("Enter which place wins the prize."))
        self._clean_stop(rule, contest, cleaned)
        if not rule.is_for_groups:
            self._drop("best_of", cleaned)
        elif cleaned.get("event_class"):
            self.add_error("event_class", _("Groups are compared by everyone’s totals. Choose “Everyone”."))
        self._clean_face(rule, contest, cleaned)
        self._clean_numbers(rule, cleaned)
        self._clean_ties(rule, contest, cleaned)
        return cleaned

    def _explain_misfit(self, rule: AwardRule, contest: Contest) -> str:
        """Return why a prize of the contest cannot be of this kind, and which contests can have it."""
        why_no_groups = contest.ruleset.why_no_groups if rule.is_for_groups else None
        if why_no_groups is not None:
            why = translate(why_no_groups)
        elif rule.needs_turns and not contest.game.slot_option:
            why = _("“%(contest)s” is played at tables, so it has no turns at stops.") % {"contest": contest}
        else:
            why = _("There is nothing of this kind to compare in “%(contest)s”.") % {"contest": contest}
        others = [_("“%(contest)s”") % {"contest": one} for one in self.contests if fits_contest(rule, one)]
        if not others:
            return _("%(why)s Choose something else.") % {"why": why}
        way = _("%(why)s Choose something else, or %(contests)s as the contest.")
        return way % {"why": why, "contests": join_or(others)}

    def _clean_stop(self, rule: AwardRule, contest: Contest, cleaned: dict[str, Any]) -> None:
        if not rule.uses_stop:
            self._drop("stop", cleaned)
        elif cleaned.get("stop"):
            stop_id = UUID(cleaned["stop"])
            if not contest.slots.filter(stop=stop_id).exists():
                self.add_error("stop", _("No turn of “%(contest)s” is played there.") % {"contest": contest})
        elif rule.requires_stop and "stop" not in self.errors:
            self.add_error("stop", _("Choose the stop since which places count."))

    def _clean_face(self, rule: AwardRule, contest: Contest, cleaned: dict[str, Any]) -> None:
        faces = list_faces(contest)
        if rule.key != Prize.Rule.MOST_OF_FACE:
            self._drop("face", cleaned)
        elif "face" not in self.errors and faces and cleaned.get("face") not in faces:
            params = {"contest": contest, "faces": ", ".join(map(str, faces))}
            self.add_error("face", _("The dice of “%(contest)s” show %(faces)s. Enter one of these.") % params)

    def _clean_numbers(self, rule: AwardRule, cleaned: dict[str, Any]) -> None:
        names = NUMBER_FIELDS
        if rule.key != Prize.Rule.DRAWN_NUMBER:
            for name in names:
                self._drop(name, cleaned)
            return
        for name in names[:2]:
            if cleaned.get(name) is None and name not in self.errors:
                self.add_error(name, _("Enter between which numbers you draw, such as 25 and 150."))
        if self.errors.keys() & set(names):
            return
        low, high, drawn = (cleaned[name] for name in names)
        params = {"low": low, "high": high}
        if low > high:
            self.add_error("number_to", _("This must not be lower than the lowest number, %(low)s.") % params)
        elif drawn is not None and not low <= drawn <= high:
            self.add_error("number_drawn", _("The number is drawn from %(low)s to %(high)s.") % params)

    def _clean_ties(self, rule: AwardRule, contest: Contest, cleaned: dict[str, Any]) -> None:
        if rule.key in (Prize.Rule.PLACE, Prize.Rule.BY_HAND) or not cleaned.get("ties"):
            self._drop("ties", cleaned)
            cleaned["ties"] = Prize.Ties.DECIDE
        elif cleaned["ties"] == Prize.Ties.FIRST and (rule.is_for_groups or not contest.game.slot_option):
            self.add_error("ties", _("Nothing here has a sheet of its own that could be first. Choose something else."))

    def _drop(self, name: str, cleaned: dict[str, Any]) -> None:
        """Forget a value, and what is wrong with it: the rule does not use it."""
        cleaned[name] = None
        self.errors.pop(name, None)

    def _get_contest(self, cleaned: dict[str, Any]) -> Contest | None:
        return self.contests[0] if "contest" not in self.fields else self._find_contest(cleaned.get("contest"))

    def _find_contest(self, pk: Any) -> Contest | None:
        return next((one for one in self.contests if str(one.pk) == pk), None)

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
            cleaned.get("best_of"),
            None if cleaned.get("remove_logo") else self.logo_id,
            cleaned["ties"],
            cleaned.get("face"),
            cleaned.get("number_from"),
            cleaned.get("number_to"),
            cleaned.get("number_drawn"),
            UUID(cleaned["event_class"]) if cleaned.get("event_class") else None,
        )


def _list_rules(values: Collection[str]) -> list[tuple[str, Any]]:
    return [choice for choice in Prize.Rule.choices if choice[0] in values]


def _get_initial(prize: Prize) -> dict[str, Any]:
    return {
        "prize_id": prize.pk,
        "name": prize.name,
        "sponsor": prize.sponsor,
        "rule": prize.rule,
        "place": prize.place,
        "stop": "" if prize.stop_id is None else str(prize.stop_id),
        "event_class": "" if prize.event_class_id is None else str(prize.event_class_id),
        "best_of": prize.best_of,
        "ties": prize.ties,
        "face": prize.face or 6,
        "number_from": prize.number_from,
        "number_to": prize.number_to,
        "number_drawn": prize.number_drawn,
        "logo": prize.logo_id,
    }


class _DecisionForm(forms.Form):
    """A decision with its reason, under the id of its operation."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        help_text=gettext_lazy(
            "Everyone will read the reason: at the microphone, on the screens, and in the published results."
        ),
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
        help_text=gettext_lazy("Choose several if they share the prize."),
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
