"""The rows of an event: one table of the columns of every model that belongs to an event, and where each of them goes.

An organiser sees every column. It also goes, unless its line says why not,

- into a bundle (`scorekeeper.bundles`), where `shown` says what the public one has in its place;
- to the phones of the crew (`scorekeeper.offline`);
- into a copy of the event, such as next year's ride (`scorekeeper.desk.services.event_copy`).

How a value is written follows from the type of its field. Tests compare the table with all models and with the form of
a bundle (`games.core.bundle.layout`, which has to be readable without this program), so a column that is forgotten here
fails one.

A new column needs `since=OPEN_FORMAT`, because older apps on phones cannot load it, and a section of its own in bundles
(`line="section.name"`), because older programs refuse a line with a name that they do not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from django.apps import apps
from django.db.models import Model, QuerySet

FIRST_FORMAT, OPEN_FORMAT = 1, 3  # of the copy on a phone; from 3 on, apps skip what they do not know


class Shown(Enum):
    """What a bundle with the public roster has in place of a value."""

    EVERYONE = auto()  # the value
    PERSON = auto()  # a name as the event's pages show people
    GROUP = auto()  # the name of a group where groups are compared, else its number
    NUMBER = auto()  # the place in the order
    NOBODY = auto()  # "": only for crew and organisers
    REDACTED = auto()  # a digest without names and reasons, as after erasing


@dataclass(frozen=True)
class RowColumn:
    """A column of a model.

    Attributes:
        name: the name of the field.
        line: its name in the lines of a bundle; "" for that of the field. "section.name" has a line in that section for
            each row whose value is not the default.
        shown: what a bundle with the public roster has.
        is_name: whether it is the name of a person: erasing clears it, and personal data has it.
        since: the format from which phones get it.
        not_in_bundle, not_on_phone, not_copied: why it does not go there; "" if it does.
    """

    name: str
    line: str = ""
    shown: Shown = Shown.EVERYONE
    is_name: bool = False
    since: int = FIRST_FORMAT
    not_in_bundle: str = ""
    not_on_phone: str = ""
    not_copied: str = ""


def columns(names: str, **settings: Any) -> Iterator[RowColumn]:
    """Return columns for which everything else is the same; see `RowColumn` for the settings."""
    return (RowColumn(name, **settings) for name in names.split())


@dataclass(frozen=True)
class Rows:
    """The rows of a model.

    Attributes:
        label: the label of the model.
        event: the path of foreign keys to the event; "pk" for the event itself.
        columns: all concrete fields of the model.
        section: the section of a bundle that has a line for each row.
        order: the order of the lines, which any installation can repeat.
        since: the format from which phones get the rows.
        is_checked: whether the validators of the model check what is imported. Rows of the log are compared with it.
        not_in_bundle, not_on_phone, not_copied: why none of the rows go there; "" if they do.
    """

    label: str
    event: str
    columns: Sequence[RowColumn]
    section: str = ""
    order: Sequence[str] = ("pk",)
    since: int = FIRST_FORMAT
    is_checked: bool = True
    not_in_bundle: str = ""
    not_on_phone: str = ""
    not_copied: str = ""

    @property
    def model(self) -> type[Model]:
        """The model."""
        return apps.get_model(self.label)

    def query(self, event: Any) -> QuerySet[Any]:
        """Return the rows of an event."""
        return self.model._base_manager.filter(**{self.event: event.pk})  # noqa: SLF001 - documented

    def list_bundled(self) -> list[tuple[RowColumn, Any]]:
        """Return the columns in the lines of the section, each with its field."""
        return [pair for pair in self._list_fields() if not pair[0].not_in_bundle and "." not in pair[0].line]

    def list_bundled_apart(self) -> list[tuple[RowColumn, Any]]:
        """Return the columns with lines in sections of their own, each with its field."""
        return [pair for pair in self._list_fields() if "." in pair[0].line]

    def list_on_phone(self, ride_format: int) -> list[Any]:
        """Return the fields that are sent to phones whose app knows a format: the key, then in the model's order."""
        if self.since > ride_format:
            return []
        sent = {column.name for column in self.columns if not column.not_on_phone and column.since <= ride_format}
        fields = [field for field in self._meta.concrete_fields if field.name in sent]
        return sorted(fields, key=lambda field: not field.primary_key)

    def list_copied(self) -> list[Any]:
        """Return the fields whose values a copy of the event has as well."""
        return [field for column, field in self._list_fields() if not column.not_copied]

    def _list_fields(self) -> Iterator[tuple[RowColumn, Any]]:
        return ((column, self._meta.get_field(column.name)) for column in self.columns)

    @property
    def _meta(self) -> Any:
        return self.model._meta  # noqa: SLF001 - Django's documented way to a model's fields


ONE_EVENT = "a bundle has one event"
OTHER_EVENT = "it leads to a row of another event"
NEW_ID = "a copy has ids of its own"
NEW_EVENT = "whoever copies an event says it anew"
RECORDED = "it follows from what was recorded, and a copy begins with nothing"
FOLDED = "an import folds it again from the log"
ACCOUNTS = "accounts do not come along: whoever imports or copies an event organises it"
PHONES = "phones belong to one event of one installation"
MESSAGES = "messages are about one day"
NEEDLESS = "no page of the crew depends on it"

ID = RowColumn("id", not_copied=NEW_ID)
EVENT = RowColumn("event", not_in_bundle=ONE_EVENT)

# In the order in which phones get them.
EVENT_ROWS: Sequence[Rows] = (
    Rows(
        "events.Event",
        "pk",
        section="event",
        columns=(
            ID,
            *columns("name slug date", not_copied=NEW_EVENT),
            RowColumn("time_zone"),
            RowColumn("state", not_copied="a copy is a draft"),
            *columns("is_listed people_shown"),
            RowColumn("is_practice", since=OPEN_FORMAT, not_copied=NEW_EVENT),
            RowColumn("practice_of", since=OPEN_FORMAT, not_in_bundle=OTHER_EVENT, not_copied=NEW_EVENT),
            RowColumn("archived_at", since=OPEN_FORMAT, not_copied="a copy is not over"),
            RowColumn(
                "is_sign_up_open",
                since=OPEN_FORMAT,
                not_in_bundle="sign-ups do not come along",
                not_copied="nobody has decided yet that riders may sign up",
            ),
            RowColumn("created_at", not_in_bundle="when it was created here", not_copied=NEW_EVENT),
            RowColumn("log_version", since=OPEN_FORMAT, not_in_bundle="the first entry says it", not_copied=RECORDED),
        ),
    ),
    Rows(
        "events.Contest",
        "event",
        section="contests",
        columns=(
            *(ID, EVENT),
            *columns("name slug ordinal"),
            RowColumn("game_key", line="game"),
            *columns("rules_version options seats_are prizes"),
            *columns("groups_by group_best asks_agreement", since=OPEN_FORMAT),
            RowColumn("odds_shown", line="odds.shown", since=OPEN_FORMAT),
            *columns("status frozen_at", not_copied=RECORDED),
        ),
    ),
    Rows(
        "stops.Stop",
        "event",
        section="stops",
        columns=(
            *(ID, EVENT),
            *columns("name ordinal"),
            *columns("opens_at closes_at address latitude longitude", since=OPEN_FORMAT),
            RowColumn("crew_note", shown=Shown.NOBODY, since=OPEN_FORMAT),
        ),
    ),
    Rows("stops.Slot", "contest__event", section="slots", columns=(ID, *columns("contest stop ordinal"))),
    Rows(
        "crew.Group",
        "event",
        section="groups",
        columns=(ID, EVENT, RowColumn("name", shown=Shown.GROUP), RowColumn("ordinal")),
    ),
    Rows(
        "crew.DiceSet",
        "group__event",
        section="dice_sets",
        columns=(ID, RowColumn("group"), RowColumn("name", shown=Shown.NUMBER), RowColumn("ordinal")),
    ),
    Rows(
        "crew.CrewMember",
        "group__event",
        section="crew",
        columns=(
            *(ID, RowColumn("group")),
            RowColumn("name", shown=Shown.NOBODY, is_name=True),
            RowColumn("role"),
            RowColumn("mirrors", not_in_bundle=OTHER_EVENT, not_on_phone=OTHER_EVENT, not_copied=OTHER_EVENT),
        ),
    ),
    Rows(
        "crew.Device",
        "member__group__event",
        not_in_bundle=PHONES,
        not_copied=PHONES,
        columns=(
            *columns("id member created_at expires_at revoked_at"),
            RowColumn("token_digest", not_on_phone="the secret is the phone's own"),
            RowColumn("public_key", not_on_phone="the phone knows its key"),
            *columns("left_at last_seen_at reported_at unsent attention", not_on_phone=NEEDLESS),
            *columns("memory made lost_at replaces", not_on_phone=NEEDLESS),
        ),
    ),
    Rows(
        "bikes.Bike",
        "event",
        section="bikes",
        columns=(
            *(ID, EVENT),
            *columns("number suffix"),
            *columns("make model", shown=Shown.NOBODY),
            RowColumn("group"),
            RowColumn("is_walk_up", not_copied=RECORDED),
            RowColumn("did_not_start", since=OPEN_FORMAT, not_copied=RECORDED),
            RowColumn("merged_into", not_copied=RECORDED),
        ),
    ),
    Rows(
        "players.Player",
        "event",
        section="players",
        columns=(ID, EVENT, RowColumn("name", shown=Shown.PERSON, is_name=True), *columns("bike role")),
    ),
    Rows(
        "ledger.Chain",
        "event",
        section="chains",
        is_checked=False,
        not_copied=RECORDED,
        columns=(
            *(ID, EVENT),
            *columns("kind length head is_sealed is_alias"),
            RowColumn("snapshot", not_in_bundle=FOLDED, not_on_phone="it has only what is in the log, and is as large"),
        ),
    ),
    Rows(
        "scorecards.Scorecard",
        "contest__event",
        section="cards",
        is_checked=False,
        not_copied=RECORDED,
        columns=(ID, RowColumn("chain", not_in_bundle="it has the same id"), RowColumn("contest")),
    ),
    Rows(
        "scorecards.Seat",
        "contest__event",
        section="cards.seats",
        order=("card_id", "index"),
        is_checked=False,
        not_copied=RECORDED,
        columns=(
            *columns("card contest", not_in_bundle="the line is that of the scorecard"),
            *columns("id index bike player is_only"),
        ),
    ),
    Rows(
        "scorecards.Turn",
        "card__contest__event",
        not_in_bundle=FOLDED,
        not_copied=RECORDED,
        columns=(*columns("id card slot seq line points dice how dice_set actor_id recorded_at"),),
    ),
    Rows(
        "ledger.Entry",
        "chain__event",
        section="entries",
        is_checked=False,
        not_copied=RECORDED,
        columns=(
            RowColumn("id", not_in_bundle="the lines are in its order"),
            *columns("chain seq operation body hash"),
            *columns("kind slot at", not_in_bundle="it is in the body"),
        ),
    ),
    Rows(
        "ledger.OperationReason",
        "operation__event",
        section="reasons",
        not_copied=RECORDED,
        columns=(
            RowColumn("operation", line="id"),
            RowColumn("salt", not_on_phone="phones do not compare the text with the log"),
            RowColumn("text", shown=Shown.NOBODY),
        ),
    ),
    Rows(
        "ledger.ReviewItem",
        "operation__event",
        section="review_items",
        is_checked=False,
        not_copied=RECORDED,
        columns=(
            *columns("id operation contest card slot reason against problems"),
            *columns("opened_at settled_at decision settled_by"),
        ),
    ),
    Rows(
        "ledger.Operation",
        "event",
        section="operations",
        order=("received_at", "pk"),
        is_checked=False,
        not_copied=RECORDED,
        columns=(
            *(ID, EVENT),
            RowColumn("kind"),
            RowColumn("actor_id", line="actor"),
            RowColumn("device_id", line="device"),
            RowColumn("digest", shown=Shown.REDACTED),
            *columns("body outcome receipt received_at"),
        ),
    ),
    Rows(
        "events.Organiser",
        "event",
        not_in_bundle=ACCOUNTS,
        not_copied=ACCOUNTS,
        columns=(*columns("id event user"), RowColumn("accepted_at", not_on_phone=NEEDLESS)),
    ),
    Rows(
        "events.FormerOrganiser",
        "event",
        not_in_bundle=ACCOUNTS,
        not_copied=ACCOUNTS,
        columns=(*columns("id event user"),),
    ),
    Rows(
        "crew.CrewMember_any_bike_at",
        "crewmember__group__event",
        since=OPEN_FORMAT,
        not_in_bundle="the lines of the crew list the stops",
        columns=(ID, *columns("crewmember stop")),
    ),
    Rows(
        "check_in.CheckItem",
        "event",
        section="check_items",
        since=OPEN_FORMAT,
        columns=(ID, EVENT, RowColumn("name", shown=Shown.NUMBER), RowColumn("ordinal")),
    ),
    Rows(
        "check_in.BikeCheck",
        "item__event",
        since=OPEN_FORMAT,
        not_in_bundle=FOLDED,
        not_copied=RECORDED,
        columns=(*columns("id item bike seq"),),
    ),
    Rows(
        "crew.CrewMessage",
        "event",
        since=OPEN_FORMAT,
        not_in_bundle=MESSAGES,
        not_copied=MESSAGES,
        columns=(*columns("id event text group is_for_crew is_for_screen sent_at withdrawn_at"),),
    ),
    Rows(
        "events.Freeze",
        "event",
        section="freeze",
        since=OPEN_FORMAT,
        is_checked=False,
        not_copied=RECORDED,
        columns=(
            EVENT,
            RowColumn("at"),
            *columns("step version", not_on_phone="the reveal does not change the crew's pages"),
            RowColumn("checksum", not_in_bundle="it is computed when the row is stored", not_on_phone=NEEDLESS),
        ),
    ),
    Rows(
        "agreements.Agreement",
        "contest__event",
        since=OPEN_FORMAT,
        not_in_bundle=FOLDED,
        not_copied=RECORDED,
        columns=(*columns("id contest bike digest by at seq"),),
    ),
    Rows(
        "prizes.PrizeLogo",
        "event",
        section="logos",
        not_on_phone=NEEDLESS,
        columns=(ID, EVENT, *columns("media_type content")),
    ),
    Rows(
        "prizes.Prize",
        "event",
        section="prizes",
        not_on_phone=NEEDLESS,
        columns=(ID, EVENT, *columns("contest position name sponsor logo rule place stop best_of")),
    ),
    Rows(
        "prints.CertificateSettings",
        "event",
        section="certificates",
        not_on_phone=NEEDLESS,
        not_copied="the certificates of a copy look as usual",
        columns=(EVENT, *columns("heading wording signed_by logo")),
    ),
    Rows(
        "ledger.CutWitness",
        "operation__event",
        section="witnesses",
        not_on_phone=NEEDLESS,
        not_copied=RECORDED,
        columns=(
            RowColumn("operation", line="id"),
            RowColumn("salt"),
            RowColumn("name", shown=Shown.PERSON, is_name=True),
        ),
    ),
    Rows(
        "ledger.UncheckedPeople",
        "operation__event",
        section="unchecked_people",
        not_on_phone=NEEDLESS,
        not_copied=RECORDED,
        columns=(
            RowColumn("operation", line="id"),
            RowColumn("bike"),
            *columns("rider passenger", shown=Shown.NOBODY, is_name=True),
            RowColumn("is_left_out"),
        ),
    ),
    Rows(
        "standings.Revision",
        "contest__event",
        section="revisions",
        order=("contest_id", "number"),
        is_checked=False,
        not_on_phone=NEEDLESS,
        not_copied=RECORDED,
        columns=(
            *columns("id contest number published_at published_by operation event_head chains log_length"),
            *columns("standings awards"),
        ),
    ),
    Rows(
        "standings.FrozenStandings",
        "contest__event",
        section="frozen_standings",
        is_checked=False,
        not_on_phone=NEEDLESS,
        not_copied=RECORDED,
        columns=(
            *columns("contest board cards result_board result_cards position revealed_from"),
            RowColumn("checksum", not_in_bundle="it is computed when the row is stored"),
        ),
    ),
)
ROWS: Mapping[str, Rows] = {rows.label: rows for rows in EVENT_ROWS}
# Apps with other models may be missing where a ride is made for a phone.
PHONE_ROWS = [rows for rows in EVENT_ROWS if not rows.not_on_phone]

# Models of which nothing goes anywhere.
ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *("standings.StandingsState", "standings.StandingsRow", "standings.ChancesReport", "standings.LuckReport"),
            *("ledger.StaleCard", "dice.DiceAudit"),
        ),
        "it is worked out from the log, again wherever that is",
    ),
    **dict.fromkeys(
        ("standings.ShownDraw", "live.Screen", "desk.DismissedWarning", "desk.PracticeRun"),
        "it is about the pages of this installation on the day of the ride",
    ),
    **dict.fromkeys(("prints.PrintFile", "prints.PrintJob"), "it is made again where it is asked for"),
    **dict.fromkeys(
        ("crew.Invitation", "crew.MemoryLoss", "crew.MessageReceipt"), "it is about a phone of this installation"
    ),
    **dict.fromkeys(
        ("events.AccountLink", "events.OrganiserInvitation", "webhooks.Webhook"),
        "it gives access to this installation, or leads out of it",
    ),
    **dict.fromkeys(
        ("webhooks.AnnouncedState", "webhooks.WebhookDelivery", "webhooks.DeliveryAttempt"),
        "what webhooks were told, by this installation",
    ),
    **dict.fromkeys(
        ("players.SignUp", "agreements.Objection"), "a stranger sent it to the organisers of this installation"
    ),
    **dict.fromkeys(("seasons.SeasonRound", "seasons.SeasonLink"), "a season is beside its events"),
    "dice.DiceTest": "throws outside the ride, which count nowhere",
}
