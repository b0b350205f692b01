"""Which columns verification checks against the log, and why it excludes the others.

A column that is in neither list fails a test, so anyone who adds a column has to decide.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.db.models import Model, Q, QuerySet

from scorekeeper.agreements.models import Agreement
from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import BikeCheck
from scorekeeper.coach.models import OddsAnswer
from scorekeeper.dice.models import DiceAudit
from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.ledger.models import Chain, CutWitness, Entry, Operation, OperationReason, ReviewItem
from scorekeeper.prints.models import PrintFile
from scorekeeper.prizes.models import Prize
from scorekeeper.scorecards.models import Scorecard, Seat, Turn
from scorekeeper.standings.models import (
    ChancesReport,
    FrozenStandings,
    LuckReport,
    PrizeGiving,
    Revision,
    ShownDraw,
    StandingsRow,
    StandingsState,
)
from scorekeeper.stops.models import Slot

VERIFIED_COLUMNS: Mapping[type[Model], str] = {
    Bike: "merged_into is_walk_up did_not_start number suffix sheet_of sheet sheet_contest",
    BikeCheck: "item bike seq",
    Agreement: "contest bike digest by at seq",
    Contest: "event game_key rules_version options seats_are status prizes groups_by group_best odds_shown "
    "sheets_for sheets_max",
    Slot: "contest stop ordinal",
    Chain: "event kind length head is_sealed is_alias snapshot",
    Scorecard: "chain contest",
    Seat: "card index contest bike player is_only",
    Operation: "event kind actor_id device_id digest body outcome receipt received_at",
    Entry: "chain seq operation kind slot body hash at",
    OperationReason: "operation salt text",
    CutWitness: "operation salt name",
    Turn: "id card slot seq line points dice how dice_set actor_id recorded_at",
    ReviewItem: "operation contest card slot reason against problems opened_at settled_at decision settled_by",
    StandingsState: "stale_cuts",
    StandingsRow: (
        "id contest bike player total best_total worst_total order_key tie_key status turns_done last_change log_length"
    ),
    Event: "is_practice log_version",
    Freeze: "at step checksum",
    FrozenStandings: "contest board cards result_board result_cards position revealed_from checksum",
    PrizeGiving: "announcements position checksum",
    ShownDraw: "contest class_id holders checksum",
    LuckReport: "source is_known cards checksum",
    ChancesReport: "source as_of places yet_to_start chances unknown_rules checksum",
    DiceAudit: "samples unsplit_turns log_length counted_at checksum",
    OddsAnswer: "answer made_at checksum",
    PrintFile: "digest name content checksum",
    Prize: "contest name sponsor logo rule place stop best_of ties face number_from number_to number_drawn",
    Revision: "contest number published_at published_by operation event_head chains log_length standings awards",
}

# Rows that the program makes again, or that an organiser may take back: a deletion decides nothing.
MADE_AGAIN: Collection[type[Model]] = (
    StandingsState,
    PrizeGiving,
    ShownDraw,
    LuckReport,
    ChancesReport,
    DiceAudit,
    OddsAnswer,
    PrintFile,
)

FREE = "an organiser may correct it at any time, without an entry in the log"
NAMES = "the log refers to people by id, so that names can be corrected and erased"
ACCESS = "it grants or denies access; the log names authors by id"
KEY = "only identifies the row"
COUNTER = "a counter that shows open pages that something has changed"
WHEN_ASKED = "when a worker was asked for it, so that it is not asked again and again"
PRINTED = "a document that was made from what is verified, and can be made again"

# By model or column.
UNVERIFIED_COLUMNS: Mapping[str, str] = {
    "bikes.Bike.id": KEY,
    "bikes.Bike.event": FREE,
    "bikes.Bike.make": FREE,
    "bikes.Bike.model": FREE,
    "bikes.Bike.group": FREE,
    "crew.Group": ACCESS,
    "crew.DiceSet": "the dice set is optional: a roll counts without it",
    "crew.CrewMember": ACCESS,
    "crew.Invitation": ACCESS,
    "crew.Device": ACCESS,
    "crew.FormerDevice": ACCESS,
    "crew.MemoryLoss": "which phones may have lost entries that the log never had",
    "crew.CrewMember_any_bike_at": ACCESS,
    "crew.CrewMessage": "an announcement, which decides nothing",
    "crew.MessageReceipt": "who has read an announcement",
    "check_in.CheckItem": FREE,
    "check_in.BikeCheck.id": KEY,
    "agreements.Agreement.id": KEY,
    "agreements.Objection": "what a rider says is wrong, which changes nothing",
    "desk.PracticeRun": "how far a practice has been filled with random turns, which count nowhere",
    "desk.DismissedWarning": "a warning decides nothing",
    "players.EventClass": FREE,
    "players.ClassMember": "settings until something is recorded; then each is compared with its last correction, "
    "and every revision with the closing and the corrections since",
    "prizes.Prize.event_class": "the digest of the prize list covers it; no prize of this event has one",
    "coach.OddsAnswer.digest": "the question is found by it; an answer that is not found is computed again",
    "coach.OddsAnswer.question": "read only until it is answered; the answer is found by the digest of what is asked",
    "coach.OddsAnswer.asked_at": WHEN_ASKED,
    "dice.DiceAudit.event": KEY,
    "dice.DiceAudit.requested_at": WHEN_ASKED,
    "dice.DiceTest": "throws made only to test dice, which count nowhere",
    **{
        f"events.Event.{name}": FREE
        for name in (
            *("name", "slug", "date", "time_zone", "state", "is_listed", "people_shown", "archived_at"),
            *("is_sign_up_open", "language"),
        )
    },
    "events.Event.id": KEY,
    "events.Event.practice_of": "between which two events a phone can switch; what each of them is, is in its log",
    "events.Event.created_at": "the order of practice events",
    "events.Organiser": ACCESS,
    "events.FormerOrganiser": ACCESS,
    "common.UseCount": ACCESS,
    "common.TaskRun": "what a worker is doing, until it is done; what it makes is compared",
    "common.WorkerHeartbeat": "whether the workers are there, for monitors",
    "common.SentForm": ACCESS,
    "events.AccountLink": ACCESS,
    "events.AccessToken": ACCESS,
    "events.Passkey": ACCESS,
    "events.PasskeyChallenge": ACCESS,
    "events.AccountSession": ACCESS,
    "events.AccountLanguage": "in which language somebody reads",
    "events.OrganiserInvitation": ACCESS,
    "embeds.CalendarEntry": "what calendars were sent of a ride; they get it again from the event",
    "events.DeletedEvent": "what is left of an event whose log is gone",
    "events.Contest.id": KEY,
    "events.Contest.name": FREE,
    "events.Contest.slug": FREE,
    "events.Contest.ordinal": FREE,
    "events.Contest.asks_agreement": "whether publishing asks for a reason; reasons are in the log",
    "events.Contest.frozen_at": "only whether it is set decides anything, and that is compared",
    **{
        f"event_page.{name}": "it invites riders, and decides nothing"
        for name in ("EventPage", "PosterImage", "ProgrammeItem", "EventSponsor", "RouteTrack")
    },
    "live.Screen": "an organiser chooses what a screen shows, and when",
    "live.PairingCode": ACCESS,
    "standings.PrizeGiving.event": KEY,
    "standings.ShownDraw.event": KEY,
    "standings.ShownDraw.changed_at": "how long the screens show a draw that is over",
    "standings.ShownDraw.version": COUNTER,
    "events.Freeze.event": KEY,
    "events.Freeze.version": COUNTER,
    "standings.ChancesReport.contest": KEY,
    "standings.ChancesReport.asked_at": WHEN_ASKED,
    "standings.ChancesReport.started_at": WHEN_ASKED,
    "standings.ChancesReport.is_running": WHEN_ASKED,
    "standings.ChancesReport.version": COUNTER,
    "standings.LuckReport.contest": KEY,
    "standings.LuckReport.asked_at": WHEN_ASKED,
    "players.Player": NAMES,
    "prints.PrintFile.id": KEY,
    "prints.PrintFile.event": KEY,
    "prints.PrintFile.made_at": "when it is deleted",
    "prints.PrintJob": PRINTED,
    "prints.CertificateSettings": "how certificates look",
    "prizes.Prize.id": KEY,
    "prizes.PrizeLogo": "a picture beside the name of a sponsor, which decides nothing",
    "prizes.Prize.event": "where it is listed on the organiser's pages; it is won in its contest",
    "prizes.Prize.position": FREE,
    "players.SignUp": "a request, which counts only once a bike was added for it",
    "ledger.Chain.id": KEY,
    "scorecards.Scorecard.id": KEY,
    "scorecards.Seat.id": KEY,
    "ledger.Operation.id": KEY,
    "ledger.Entry.id": "the order in which rows were written, which is the same as a chain's numbers",
    "ledger.UncheckedPeople": NAMES,
    "ledger.StaleCard": "a queue: which standings have to be refreshed",
    "ledger.ReviewItem.id": KEY,
    "standings.LastSweep": "when the sweeper last finished",
    "standings.StandingsState.contest": KEY,
    "standings.StandingsState.version": COUNTER,
    "standings.StandingsState.changed_at": "when a worker last ran",
    "standings.Revision.id": KEY,
    **{
        f"seasons.{name}": "seasons add up published results, and decide nothing in them"
        for name in ("Season", "SeasonRound", "SeasonRider", "SeasonLink")
    },
    "stops.Stop": FREE,
    **{
        f"webhooks.{name}": "messages to other programs that something has changed, without any figure"
        for name in ("Webhook", "AnnouncedState", "WebhookDelivery", "DeliveryAttempt")
    },
    **{
        f"push.{name}": "whom to tell what the audience sees, read anew for each message"
        for name in ("PushKey", "PushTopic", "PushNews", "PushSubscription")
    },
    "stops.Slot.id": KEY,
}

# Apps whose tables are not ours.
FOREIGN_APPS = {"auth", "contenttypes", "sessions", "admin"}

IS_CLOSED = ~Q(status=Contest.Status.OPEN)
FROZEN: dict[type[Model], str] = {Contest: "frozen_at__isnull", Slot: "contest__frozen_at__isnull"}


def list_logged_bikes() -> set[UUID]:
    """Return the bikes that have entries, were registered at the ride, or are listed in the log of a closed contest."""
    events = Contest.objects.filter(IS_CLOSED).values("event")
    is_logged = Q(seats__card__chain__length__gt=0) | Q(is_walk_up=True) | Q(event__in=events)
    return set(Bike.objects.filter(is_logged).values_list("pk", flat=True))


def list_edited_rows(model: type[Model], column: str) -> QuerySet[Any]:
    """Return the rows of which an edit of a column, or with "" a deletion, is none that a person could make."""
    # Before the first entry, options and slots may still be changed.
    rows = model._base_manager.filter(**{FROZEN[model]: False} if model in FROZEN else {})
    if model is Event and column in ("", "is_practice", "log_version"):
        rows = rows.filter(chains__length__gt=0).distinct()  # the others have no log yet that says what they are
    if model is Contest and column in ("prizes", "groups_by"):
        rows = rows.filter(IS_CLOSED)  # until then, they may be changed
    if model is Prize:
        rows = rows.filter(contest__in=Contest.objects.filter(IS_CLOSED))  # until then, they may be changed
    if model is Contest and column == "group_best":
        rows = rows.filter(IS_CLOSED, groups_by=Contest.GroupsBy.BEST)  # elsewhere it means nothing
    if model is Bike and column in ("", "number", "suffix"):
        rows = rows.filter(pk__in=list_logged_bikes())  # the others may be changed and deleted
    if (model, column) == (Operation, "digest"):
        rows = rows.exclude(kind="register_bike")  # made with names, which may have been corrected since
    return rows
