"""Which columns verification checks against the log, and why it excludes the others.

A column that is in neither list fails a test, so anyone who adds a column has to decide.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Model

from scorekeeper.agreements.models import Agreement
from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import BikeCheck
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Chain, CutWitness, Entry, Operation, OperationReason, ReviewItem
from scorekeeper.prizes.models import Prize
from scorekeeper.scorecards.models import Scorecard, Seat, Turn
from scorekeeper.standings.models import Revision, StandingsRow, StandingsState
from scorekeeper.stops.models import Slot

VERIFIED_COLUMNS: Mapping[type[Model], str] = {
    Bike: "merged_into is_walk_up did_not_start number suffix",
    BikeCheck: "item bike seq",
    Agreement: "contest bike digest by at seq",
    Contest: "event game_key rules_version options seats_are status prizes groups_by group_best odds_shown",
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
    Prize: "contest name sponsor logo rule place stop best_of",
    Revision: "contest number published_at published_by operation event_head chains log_length standings awards",
}

FREE = "an organiser may correct it at any time, without an entry in the log"
NAMES = "the log refers to people by id, so that names can be corrected and erased"
ACCESS = "it grants or denies access; the log names authors by id"
KEY = "only identifies the row"
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
    "crew.CrewMember_any_bike_at": ACCESS,
    "crew.CrewMessage": "an announcement, which decides nothing",
    "crew.MessageReceipt": "who has read an announcement",
    "check_in.CheckItem": FREE,
    "check_in.BikeCheck.id": KEY,
    "agreements.Agreement.id": KEY,
    "agreements.Objection": "what a rider says is wrong, which changes nothing",
    "desk.PracticeRun": "how far a practice has been filled with random rolls, which count nowhere",
    "desk.DismissedWarning": "a warning decides nothing",
    "coach.OddsAnswer": "computed from the rules and what was rolled, decides nothing, and can be computed again",
    "dice.DiceAudit": "counted from the log, and counted again when it is looked at",
    "dice.DiceTest": "throws made only to test dice, which count nowhere",
    "events.Event": FREE,
    "events.Organiser": ACCESS,
    "events.FormerOrganiser": ACCESS,
    "common.UseCount": ACCESS,
    "common.SentForm": ACCESS,
    "events.AccountLink": ACCESS,
    "events.AccessToken": ACCESS,
    "events.Passkey": ACCESS,
    "events.PasskeyChallenge": ACCESS,
    "events.AccountSession": ACCESS,
    "events.OrganiserInvitation": ACCESS,
    "events.DeletedEvent": "what is left of an event whose log is gone",
    "events.Contest.id": KEY,
    "events.Contest.name": FREE,
    "events.Contest.slug": FREE,
    "events.Contest.ordinal": FREE,
    "events.Contest.asks_agreement": "whether publishing asks for a reason; reasons are in the log",
    "events.Contest.frozen_at": "only whether it is set decides anything, and that is compared",
    "live.Screen": "an organiser chooses what a screen shows, and when",
    "live.PairingCode": ACCESS,
    "standings.ShownDraw": "an organiser chooses when the screens show a draw; its cards come from the log",
    "events.Freeze": "since when the audience sees no newer figures, and how far the result is revealed",
    "standings.ChancesReport": "computed from the log and the rules, decides nothing, and can be computed again",
    "standings.LuckReport": "computed from the log and the rules, decides nothing, and can be computed again",
    "standings.FrozenStandings": (
        "a copy of the standings at one moment, which the audience sees until the freeze is lifted; no revision is "
        "made from it, and organisers see the standings themselves beside it"
    ),
    "players.Player": NAMES,
    "prints.PrintFile": PRINTED,
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
    "standings.StandingsState.version": "a counter that shows open pages that something has changed",
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
    "stops.Slot.id": KEY,
}

# Apps whose tables are not ours.
FOREIGN_APPS = {"auth", "contenttypes", "sessions", "admin"}
