"""The rows of an event: one table of the columns of every model that belongs to an event, and where each of them goes.

A column goes, unless the table says why not,

- into a bundle (`scorekeeper.bundles`), which organisers download; `shown` says what everyone gets in its place in the
  public one, and `PRIVATE_SECTIONS` of its form which sections that one lacks;
- to the phones of the crew (`scorekeeper.offline`), which get only the rows that their pages may show;
- into a copy of the event, such as next year's ride (`scorekeeper.desk.services.event_copy`).

How a value is written follows from the type of its field. Tests compare the table with all models, and with the form of
a bundle (`games.core.bundle.layout`, which has to be readable without this program). So a column that is forgotten here
fails a test.

A new column needs `since=OPEN_FORMAT`, because older apps on phones cannot load it, and a section of its own in bundles
(`line="section.name"`), because older programs refuse a line with a name that they do not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    NOBODY = auto()  # "": it is for crew and organisers
    REDACTED = auto()  # a digest without names and reasons, as after erasing


@dataclass(frozen=True)
class RowColumn:
    """A column of a model.

    Attributes:
        name: the name of the field.
        line: its name in the lines of a bundle; "" for that of the field. "section.name" has a line in that section for
            each row with a value there that is not the default.
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


def columns(names: str, **settings: Any) -> Sequence[RowColumn]:
    """Return columns that go to the same places; see `RowColumn` for the settings."""
    return [RowColumn(name, **settings) for name in names.split()]


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
        only: which of the model's rows are meant, as the arguments of a filter; all if it is empty.
        is_checked: whether the validators of the model check what is imported. Rows of the log are compared with it.
        not_in_bundle, not_on_phone, not_copied: why none of the rows go there; "" if they do.
    """

    label: str
    event: str
    columns: Sequence[RowColumn] = ()
    section: str = ""
    order: Sequence[str] = ("pk",)
    since: int = FIRST_FORMAT
    only: Mapping[str, Any] = field(default_factory=dict)
    is_checked: bool = True
    not_in_bundle: str = ""
    not_on_phone: str = ""
    not_copied: str = ""

    def having(self, *groups: Sequence[RowColumn]) -> Rows:
        """Return the same with these columns."""
        return replace(self, columns=[column for group in groups for column in group])

    @property
    def model(self) -> type[Model]:
        """The model."""
        return apps.get_model(self.label)

    def query(self, event: Any) -> QuerySet[Any]:
        """Return the rows of an event."""
        return self.model._base_manager.filter(**{self.event: event.pk}, **self.only)  # noqa: SLF001 - documented

    def list_bundled(self) -> list[tuple[RowColumn, Any]]:
        """Return the columns in the lines of the section, each with its field."""
        return [pair for pair in self._list_fields() if not pair[0].not_in_bundle and "." not in pair[0].line]

    def list_bundled_apart(self) -> Mapping[str, list[tuple[RowColumn, Any]]]:
        """Return the columns with lines in sections of their own, each with its field, by section."""
        found: dict[str, list[tuple[RowColumn, Any]]] = {}
        for column, column_field in self._list_fields():
            section, is_apart, _name = column.line.partition(".")
            if is_apart:
                found.setdefault(section, []).append((column, column_field))
        return found

    def query_apart(self, event: Any, columns: Sequence[tuple[RowColumn, Any]]) -> QuerySet[Any]:
        """Return the rows of an event that have a line in the section of these columns, in its order."""
        plain = {column.name: field.get_default() for column, field in columns}
        nulls = {f"{name}__isnull": True for name, value in plain.items() if value is None}
        others = {name: value for name, value in plain.items() if value is not None}
        return self.query(event).exclude(**others, **nulls).order_by("pk")

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
NEW_EVENT = "it is entered anew for a copy"
RECORDED = "it follows from what was recorded, and a copy begins with nothing"
FOLDED = "an import folds it again from the log"
ACCOUNTS = "accounts do not come along: the one who imports or copies an event organises it"
PHONES = "phones belong to one event of one installation"
MESSAGES = "messages are about one day"
NEEDLESS = "no page of the crew depends on it"
OF_ITS_BIKE = "it is that of its bike"
OF_SHEETS = "a bike itself has none"
OF_ITS_DATE = "a poster has the date of its ride on it"

ID = columns("id", not_copied=NEW_ID)
EVENT = columns("event", not_in_bundle=ONE_EVENT)

# In the order in which phones get them.
EVENT_ROWS: Sequence[Rows] = (
    Rows("events.Event", "pk", section="event").having(
        ID,
        columns("name slug date", not_copied=NEW_EVENT),
        columns("time_zone is_listed people_shown"),
        columns(
            "language",
            not_in_bundle="an installation may have other languages",
            not_on_phone=NEEDLESS,
        ),
        columns("state", not_copied="a copy is a draft"),
        columns("is_practice", since=OPEN_FORMAT, not_copied=NEW_EVENT),
        columns("practice_of", since=OPEN_FORMAT, not_in_bundle=OTHER_EVENT, not_copied=NEW_EVENT),
        columns("archived_at", since=OPEN_FORMAT, not_copied="a copy is not over"),
        columns(
            "is_sign_up_open",
            since=OPEN_FORMAT,
            not_in_bundle="sign-ups do not come along",
            not_copied="nobody has decided yet that riders may sign up",
        ),
        columns("created_at", not_in_bundle="when it was created here", not_copied=NEW_EVENT),
        columns("log_version", since=OPEN_FORMAT, not_in_bundle="the first entry says it", not_copied=RECORDED),
    ),
    Rows("events.Contest", "event", section="contests").having(
        ID,
        EVENT,
        columns("name slug ordinal rules_version options seats_are prizes"),
        columns("game_key", line="game"),
        columns("groups_by group_best asks_agreement", since=OPEN_FORMAT),
        columns("odds_shown", line="odds.shown", since=OPEN_FORMAT),
        columns("sheets_for", line="sheet_rules.each", since=OPEN_FORMAT),
        columns("sheets_max", line="sheet_rules.most", since=OPEN_FORMAT),
        columns("status frozen_at", not_copied=RECORDED),
    ),
    Rows("stops.Stop", "event", section="stops").having(
        ID,
        EVENT,
        columns("name ordinal"),
        columns("opens_at closes_at address latitude longitude", since=OPEN_FORMAT),
        columns("crew_note", shown=Shown.NOBODY, since=OPEN_FORMAT),
        columns("distance", line="stop_distances.distance", since=OPEN_FORMAT, not_on_phone=NEEDLESS),
    ),
    Rows("stops.Slot", "contest__event", section="slots").having(ID, columns("contest stop ordinal")),
    Rows("crew.Group", "event", section="groups").having(
        ID, EVENT, columns("name", shown=Shown.GROUP), columns("ordinal")
    ),
    Rows("crew.DiceSet", "group__event", section="dice_sets").having(
        ID, columns("group ordinal"), columns("name", shown=Shown.NUMBER)
    ),
    Rows("crew.CrewMember", "group__event", section="crew").having(
        ID,
        columns("group role"),
        columns("name", shown=Shown.NOBODY, is_name=True),
        columns("mirrors", not_in_bundle=OTHER_EVENT, not_on_phone=OTHER_EVENT, not_copied=OTHER_EVENT),
    ),
    Rows("crew.Device", "member__group__event", not_in_bundle=PHONES, not_copied=PHONES).having(
        columns("id member created_at expires_at revoked_at"),
        columns("token_digest", not_on_phone="the secret is the phone's own"),
        columns("public_key", not_on_phone="the phone knows its key"),
        columns(
            "left_at last_seen_at reported_at unsent attention memory made lost_at replaces", not_on_phone=NEEDLESS
        ),
    ),
    Rows("bikes.Bike", "event", section="bikes", only={"sheet_of": None}).having(
        ID,
        EVENT,
        columns("number suffix group"),
        columns("make model", shown=Shown.NOBODY),
        columns("is_walk_up merged_into", not_copied=RECORDED),
        columns("did_not_start", since=OPEN_FORMAT, not_copied=RECORDED),
        columns("sheet_of sheet sheet_contest", not_in_bundle=OF_SHEETS, not_on_phone=OF_SHEETS, not_copied=OF_SHEETS),
    ),
    # Older apps on phones do not know the model, and would otherwise list each of them as one more bike.
    Rows(
        "bikes.FurtherSheet",
        "event",
        section="sheets",
        since=OPEN_FORMAT,
        only={"sheet_of__isnull": False},
        is_checked=False,
        not_copied=RECORDED,
    ).having(
        ID,
        EVENT,
        columns("sheet_of", line="bike"),
        columns("sheet", line="number"),
        columns("sheet_contest", line="contest"),
        columns("number suffix group did_not_start is_walk_up merged_into make model", not_in_bundle=OF_ITS_BIKE),
    ),
    Rows("players.Player", "event", section="players").having(
        ID, EVENT, columns("name", shown=Shown.PERSON, is_name=True), columns("bike role")
    ),
    Rows("players.EventClass", "event", section="classes", since=OPEN_FORMAT).having(
        ID, EVENT, columns("name ordinal"), columns("note", shown=Shown.NOBODY, not_on_phone=NEEDLESS)
    ),
    Rows("players.ClassMember", "event_class__event", section="class_members", since=OPEN_FORMAT).having(
        ID, columns("event_class", line="class"), columns("bike player")
    ),
    Rows("ledger.Chain", "event", section="chains", is_checked=False, not_copied=RECORDED).having(
        ID,
        EVENT,
        columns("kind length head is_sealed is_alias"),
        columns("snapshot", not_in_bundle=FOLDED, not_on_phone="it has only what is in the log, and is as large"),
    ),
    Rows("scorecards.Scorecard", "contest__event", section="cards", is_checked=False, not_copied=RECORDED).having(
        ID, columns("chain", not_in_bundle="it has the same id"), columns("contest")
    ),
    Rows(
        "scorecards.Seat",
        "card__contest__event",
        section="cards.seats",
        order=("card_id", "index"),
        is_checked=False,
        not_copied=RECORDED,
    ).having(
        columns("card contest", not_in_bundle="the line is that of the scorecard"),
        columns("id index bike player is_only"),
    ),
    Rows("scorecards.Turn", "card__contest__event", not_in_bundle=FOLDED, not_copied=RECORDED).having(
        columns("id card slot seq line points dice how dice_set actor_id recorded_at")
    ),
    Rows("ledger.Entry", "chain__event", section="entries", is_checked=False, not_copied=RECORDED).having(
        columns("id", not_in_bundle="the lines are in its order"),
        columns("chain seq operation body hash"),
        columns("kind slot at", not_in_bundle="it is in the body"),
    ),
    Rows("ledger.OperationReason", "operation__event", section="reasons", not_copied=RECORDED).having(
        columns("operation", line="id"),
        columns("salt", not_on_phone="phones do not compare the text with the log"),
        columns("text", shown=Shown.NOBODY),
    ),
    Rows("ledger.ReviewItem", "operation__event", section="review_items", is_checked=False, not_copied=RECORDED).having(
        columns("id operation contest card slot reason against problems opened_at settled_at decision settled_by")
    ),
    Rows(
        "ledger.Operation",
        "event",
        section="operations",
        order=("received_at", "pk"),
        is_checked=False,
        not_copied=RECORDED,
    ).having(
        ID,
        EVENT,
        columns("kind body outcome receipt received_at"),
        columns("actor_id", line="actor"),
        columns("device_id", line="device"),
        columns("digest", shown=Shown.REDACTED),
    ),
    Rows("events.Organiser", "event", not_in_bundle=ACCOUNTS, not_copied=ACCOUNTS).having(
        columns("id event user"), columns("accepted_at", not_on_phone=NEEDLESS)
    ),
    Rows("events.FormerOrganiser", "event", not_in_bundle=ACCOUNTS, not_copied=ACCOUNTS).having(
        columns("id event user")
    ),
    Rows(
        "crew.CrewMember_any_bike_at",
        "stop__event",
        since=OPEN_FORMAT,
        not_in_bundle="the lines of the crew list the stops",
    ).having(ID, columns("crewmember stop")),
    Rows("check_in.CheckItem", "event", section="check_items", since=OPEN_FORMAT).having(
        ID, EVENT, columns("name", shown=Shown.NUMBER), columns("ordinal")
    ),
    Rows("check_in.BikeCheck", "item__event", since=OPEN_FORMAT, not_in_bundle=FOLDED, not_copied=RECORDED).having(
        columns("id item bike seq")
    ),
    Rows("crew.CrewMessage", "event", since=OPEN_FORMAT, not_in_bundle=MESSAGES, not_copied=MESSAGES).having(
        columns("id event text group is_for_crew is_for_screen sent_at withdrawn_at")
    ),
    Rows("events.Freeze", "event", section="freeze", since=OPEN_FORMAT, is_checked=False, not_copied=RECORDED).having(
        EVENT,
        columns("at"),
        columns("step version", not_on_phone="the reveal does not change the crew's pages"),
        columns("checksum", not_in_bundle="it is computed when the row is stored", not_on_phone=NEEDLESS),
    ),
    Rows("agreements.Agreement", "contest__event", since=OPEN_FORMAT, not_in_bundle=FOLDED, not_copied=RECORDED).having(
        columns("id contest bike digest by at seq")
    ),
    Rows("prizes.PrizeLogo", "event", section="logos", not_on_phone=NEEDLESS).having(
        ID, EVENT, columns("media_type content")
    ),
    Rows("prizes.Prize", "event", section="prizes", not_on_phone=NEEDLESS).having(
        ID,
        EVENT,
        columns("contest position name sponsor logo rule place stop best_of"),
        columns("event_class", line="prize_classes.class", since=OPEN_FORMAT),
        columns("ties", line="prize_rules.ties", since=OPEN_FORMAT),
        columns("face", line="prize_rules.face", since=OPEN_FORMAT),
        columns("number_from", line="prize_rules.number_from", since=OPEN_FORMAT),
        columns("number_to", line="prize_rules.number_to", since=OPEN_FORMAT),
        columns("number_drawn", line="prize_rules.number_drawn", since=OPEN_FORMAT, not_copied=RECORDED),
    ),
    Rows("event_page.EventPage", "event", section="event_page", not_on_phone=NEEDLESS).having(
        EVENT,
        columns("text what_to_bring distance_unit"),
        columns("contact_name", shown=Shown.NOBODY, is_name=True),
        columns("contact_email contact_phone", shown=Shown.NOBODY),
        columns("next_date", not_copied="it is the date of the copy, or of none yet"),
        columns("poster_alt", not_copied=OF_ITS_DATE),
    ),
    Rows("event_page.PosterImage", "event", section="posters", not_on_phone=NEEDLESS, not_copied=OF_ITS_DATE).having(
        ID, EVENT, columns("width height media_type content")
    ),
    Rows("event_page.ProgrammeItem", "event", section="programme", not_on_phone=NEEDLESS).having(
        ID, EVENT, columns("day time text")
    ),
    Rows("event_page.EventSponsor", "event", section="page_sponsors", not_on_phone=NEEDLESS).having(
        ID, EVENT, columns("position name link logo")
    ),
    Rows("event_page.RouteTrack", "event", section="route_track", not_on_phone=NEEDLESS).having(
        EVENT, columns("points length")
    ),
    Rows(
        "prints.CertificateSettings",
        "event",
        section="certificates",
        not_on_phone=NEEDLESS,
        not_copied="the certificates of a copy look as usual",
    ).having(
        EVENT,
        columns("heading wording signed_by logo"),
        columns("design", not_in_bundle="it says nothing about the event, and older programs could not read it"),
    ),
    Rows(
        "ledger.CutWitness", "operation__event", section="witnesses", not_on_phone=NEEDLESS, not_copied=RECORDED
    ).having(columns("operation", line="id"), columns("salt"), columns("name", shown=Shown.PERSON, is_name=True)),
    Rows(
        "ledger.UncheckedPeople",
        "operation__event",
        section="unchecked_people",
        not_on_phone=NEEDLESS,
        not_copied=RECORDED,
    ).having(
        columns("operation", line="id"),
        columns("bike is_left_out"),
        columns("rider passenger", shown=Shown.NOBODY, is_name=True),
    ),
    Rows(
        "standings.Revision",
        "contest__event",
        section="revisions",
        order=("contest_id", "number"),
        is_checked=False,
        not_on_phone=NEEDLESS,
        not_copied=RECORDED,
    ).having(
        columns("id contest number published_at published_by operation event_head chains log_length standings awards")
    ),
    Rows(
        "standings.FrozenStandings",
        "contest__event",
        section="frozen_standings",
        is_checked=False,
        not_on_phone=NEEDLESS,
        not_copied=RECORDED,
    ).having(
        columns("contest board cards result_board result_cards position revealed_from"),
        columns("checksum", not_in_bundle="it is computed when the row is stored"),
    ),
)
ROWS: Mapping[str, Rows] = {rows.label: rows for rows in EVENT_ROWS}
# Apps with other models may be missing where a ride is made for a phone.
PHONE_ROWS = [rows for rows in EVENT_ROWS if not rows.not_on_phone]

# The models of which nothing goes anywhere, by the reason.
ELSEWHERE: Mapping[str, str] = {
    "it is worked out from the log, again wherever that is": (
        "standings.StandingsState standings.StandingsRow standings.ChancesReport standings.LuckReport"
        " ledger.StaleCard dice.DiceAudit"
    ),
    "it is about the pages of this installation on the day of the ride": (
        "standings.ShownDraw standings.PrizeGiving live.Screen desk.DismissedWarning desk.PracticeRun"
    ),
    "it is made again where it is asked for": "prints.PrintFile prints.PrintJob",
    "it is about a phone of this installation": "crew.Invitation crew.MemoryLoss crew.MessageReceipt",
    "it gives access to this installation": "events.AccountLink events.OrganiserInvitation",
    "what this installation tells other programs": (
        "webhooks.Webhook webhooks.AnnouncedState webhooks.WebhookDelivery webhooks.DeliveryAttempt"
    ),
    "what browsers of this installation's audience are told": ("push.PushTopic push.PushNews push.PushSubscription"),
    "somebody sent it to the organisers of this installation": "players.SignUp agreements.Objection",
    "a season is of this installation, not of one event": "seasons.SeasonRound seasons.SeasonLink",
    "throws outside the ride, which count nowhere": "dice.DiceTest",
}
