"""The models and columns of a ride's rows, by the format that a phone's app knows.

A phone with format 1 or 2 cannot load a model or column that its app has not heard of. From format 3 on, phones ignore
what they do not know, so later additions need no new format.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Model

from scorekeeper.agreements.models import Agreement
from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import BikeCheck, CheckItem
from scorekeeper.crew.models import CrewMember, CrewMessage, Device, DiceSet, Group
from scorekeeper.events.models import Contest, Event, FormerOrganiser, Freeze, Organiser
from scorekeeper.ledger.models import Chain, Entry, Operation, OperationReason, ReviewItem
from scorekeeper.offline.row_codec import OTHERS_OPERATION_LABEL, REASON_LABEL, get_label
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Scorecard, Seat, Turn
from scorekeeper.stops.models import Slot, Stop

TABLES_FORMAT, PARTS_FORMAT, OPEN_FORMAT = 1, 2, 3
LATEST_FORMAT = OPEN_FORMAT

ANY_BIKE_AT: Any = CrewMember.any_bike_at.through
_FIRST_MODELS: Sequence[type[Model]] = (
    *(Event, Contest, Stop, Slot, Group, DiceSet, CrewMember, Device, Bike, Player),
    *(Chain, Scorecard, Seat, Turn, Entry, OperationReason, ReviewItem, Operation, Organiser, FormerOrganiser),
)
MODELS: Sequence[type[Model]] = (*_FIRST_MODELS, ANY_BIKE_AT, CheckItem, BikeCheck, CrewMessage, Freeze, Agreement)
# Columns that the models of format 2 got later.
_LATER_COLUMNS: Mapping[str, frozenset[str]] = {
    "events.Event": frozenset({"is_practice", "practice_of_id", "archived_at", "is_sign_up_open", "log_version"}),
    "events.Contest": frozenset({"groups_by", "group_best", "asks_agreement", "odds_shown"}),
    "stops.Stop": frozenset({"opens_at", "closes_at", "address", "latitude", "longitude", "crew_note"}),
    "bikes.Bike": frozenset({"did_not_start"}),
}
# Columns that are not sent; on a phone they have the default of a new row.
_OMITTED_COLUMNS: Mapping[str, frozenset[str]] = {
    # The token is this phone's own secret, it knows its key, and the other columns change with each request.
    "crew.Device": frozenset(
        {"token_digest", "public_key", "left_at", "last_seen_at", "reported_at", "unsent", "attention"}
        | {"memory", "made", "lost_at", "replaces_id"}
    ),
    # Phones need to know only since when the standings are frozen: the reveal does not change their pages.
    "events.Freeze": frozenset({"step", "version", "checksum"}),
    # Phones need only the organiser's id and name.
    "events.Organiser": frozenset({"accepted_at"}),
    # It leads to a member of another event, which is not on the phone.
    "crew.CrewMember": frozenset({"mirrors_id"}),
    # A snapshot contains only what is in the log, and is as large.
    "scorecards.Chain": frozenset({"snapshot"}),
    REASON_LABEL: frozenset({"salt"}),
}
# Others' operations: that they exist, and by whom. The content and the result are only for their sender.
OTHERS_COLUMNS = ("id", "event_id", "kind", "actor_id", "outcome", "received_at")
USER = "auth.User"


class RideColumns:
    """The columns that are sent to a phone, by the label of their model. The key comes first.

    Attributes:
        names: the columns' names in the database, also of the rows that are not of one model.
        fields: the names of the models' fields, in the same order.
    """

    def __init__(self, ride_format: int = LATEST_FORMAT) -> None:
        """Choose the models and columns that an app with this format can load."""
        is_open = ride_format >= OPEN_FORMAT
        models = MODELS if is_open else _FIRST_MODELS
        later: Mapping[str, frozenset[str]] = {} if is_open else _LATER_COLUMNS
        fields = {get_label(model): _list_fields(model, later) for model in models}
        self.fields = {label: [field.attname for field in found] for label, found in fields.items()}
        self.names = {label: [field.column for field in found] for label, found in fields.items()}
        self.names |= {OTHERS_OPERATION_LABEL: list(OTHERS_COLUMNS), USER: ["id", "username"]}

    def includes(self, model: type[Model]) -> bool:
        """Return whether rows of the model are sent."""
        return get_label(model) in self.fields


def _list_fields(model: type[Model], later: Mapping[str, frozenset[str]]) -> list[Any]:
    meta = model._meta  # noqa: SLF001 - Django's documented way to a model's fields
    label = get_label(model)
    omitted = _OMITTED_COLUMNS.get(label, frozenset()) | later.get(label, frozenset())
    fields = [field for field in meta.concrete_fields if field.column not in omitted]
    return sorted(fields, key=lambda field: not field.primary_key)
