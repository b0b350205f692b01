"""The query parameters of lists, as serializers: they check what was sent, and the schema describes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scorekeeper.api.problems import refuse_value
from scorekeeper.common.game_adapter import list_games
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player
from scorekeeper.scorecards.selectors.sheets import SHEET_STATES

MAX_LIMIT, USUAL_LIMIT = 200, 100


class FlagParameter(serializers.ChoiceField):
    """“true” or “false”. The usual field for flags takes a misspelt one for absent."""

    def __init__(self, **options: Any) -> None:
        super().__init__(["true", "false"], required=False, **options)

    def to_internal_value(self, data: Any) -> Any:
        """Return the flag."""
        return super().to_internal_value(data) == "true"


@extend_schema_field({"type": "string"})
class CursorField(serializers.Field[str, str, str, Any]):
    """Where a page begins. `pagination` refuses what is no cursor, and nobody else needs to know how one is written."""

    def to_internal_value(self, data: str) -> str:
        """Return the text as it was sent."""
        return data


class QueryParameters(serializers.Serializer[Any]):
    """No parameters. Whatever is not declared is refused, so that a misspelt filter is not ignored."""

    @classmethod
    def read(cls, sent: Mapping[str, str]) -> dict[str, Any]:
        """Return the values.

        Raises:
            ValidationError: one of them is not declared, or not valid.
        """
        form = cls(data={name: sent[name] for name in sent})
        for name in sent:
            if name not in form.fields:
                known = ", ".join(form.fields) or pgettext("query parameters", "none")
                text = _("There is no such parameter here. Possible ones: %(known)s.") % {"known": known}
                raise refuse_value(name, "unknown_parameter", text)
        form.is_valid(raise_exception=True)
        return dict(form.validated_data)


class PageParameters(QueryParameters):
    """Which page of a list."""

    limit = serializers.IntegerField(
        required=False,
        default=USUAL_LIMIT,
        min_value=1,
        max_value=MAX_LIMIT,
        help_text="How many results a page has at most.",
    )
    cursor = CursorField(required=False, help_text="Where the page begins: copied from “next” of the page before.")


class EventParameters(PageParameters):
    """Which events."""

    since = serializers.DateField(required=False, help_text="Only events on this day or later.")
    until = serializers.DateField(required=False, help_text="Only events on this day or earlier.")
    state = serializers.ChoiceField(Event.State.choices, required=False, help_text="Only drafts, or only open ones.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse days between which there is none."""
        if "since" in attrs and "until" in attrs and attrs["until"] < attrs["since"]:
            raise refuse_value("until", "empty_range", _("No day is on or after “since” and on or before “until”."))
        return attrs


class StopParameters(PageParameters):
    """Which stops."""

    contest = serializers.SlugField(required=False, help_text="Only stops with a turn of this contest.")


class GroupParameters(PageParameters):
    """Which groups."""

    bike = serializers.UUIDField(required=False, help_text="Only the group of this bike.")


class ContestParameters(PageParameters):
    """Which contests."""

    game = serializers.ChoiceField(list(list_games()), required=False, help_text="Only contests of this game.")


class PrizeParameters(PageParameters):
    """Which prizes."""

    holder = serializers.UUIDField(required=False, help_text="Only prizes that this bike, player or group wins.")


class RevisionParameters(PageParameters):
    """Which official results."""

    current = FlagParameter(help_text="Only the one that counts now, or only those that do not.")


class StandingsParameters(QueryParameters):
    """Which rows of the standings."""

    top = serializers.IntegerField(
        required=False, min_value=1, max_value=1000, help_text="Only the rows with this rank or a better one."
    )
    holder = serializers.UUIDField(required=False, help_text="Only the row of this bike or player.")

    def get_fields(self) -> dict[str, Any]:
        """Return the fields, with one whose name Python keeps for itself."""
        text = "Only the rows of this class, with the places in it."
        return {**super().get_fields(), "class": serializers.UUIDField(required=False, help_text=text)}


class ClassFilter(PageParameters):
    """Which bikes or people, by a class that they were given."""

    def get_fields(self) -> dict[str, Any]:
        """Return the fields, with one whose name Python keeps for itself."""
        text = "Only those that were given this class."
        return {**super().get_fields(), "class": serializers.UUIDField(required=False, help_text=text)}


class BikeParameters(ClassFilter):
    """Which bikes."""

    group = serializers.UUIDField(required=False, help_text="Only bikes of this group.")
    number = serializers.IntegerField(
        required=False, min_value=1, max_value=99_999, help_text="Only bikes with this number."
    )
    did_not_start = FlagParameter(help_text="Only bikes that did not start, or only those that did.")


class PlayerParameters(ClassFilter):
    """Which people."""

    bike = serializers.UUIDField(required=False, help_text="Only people on this bike.")
    role = serializers.ChoiceField(Player.Role.choices, required=False, help_text="Only riders, or only passengers.")


class CardParameters(PageParameters):
    """Which scorecards."""

    holder = serializers.UUIDField(required=False, help_text="Only cards on which this bike or player has a seat.")
    table = serializers.IntegerField(required=False, min_value=1, max_value=99_999, help_text="Only this table’s card.")


class SheetParameters(PageParameters):
    """Which score sheets."""

    contest = serializers.SlugField(required=False, help_text="Only sheets of this contest.")
    bike = serializers.UUIDField(required=False, help_text="Only sheets of this bike.")
    group = serializers.UUIDField(
        required=False,
        help_text="The sheets of this group’s bikes instead; of another group, only for members who may open every "
        "scorecard: road captains, and those who record any bike at some stop.",
    )
    state = serializers.ChoiceField(SHEET_STATES, required=False, help_text="Only sheets with this state.")


class EntryParameters(PageParameters):
    """Which entries of the log."""

    chain = serializers.UUIDField(
        required=False, help_text="Only entries of this scorecard, or of the chain of the contest or the event."
    )
    kind = serializers.SlugField(required=False, help_text="Only entries of this kind, such as “record” or “amend”.")


class ReviewParameters(PageParameters):
    """Which entries under review."""

    state = serializers.ChoiceField(
        ["open", "decided"], required=False, default="open", help_text="Those to decide, or those that are decided."
    )
    contest = serializers.SlugField(required=False, help_text="Only those of this contest.")
