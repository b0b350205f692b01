"""Where each column that may hold data of a person is in the export, and why others are not in it.

A column that is in neither list fails a test, so anyone who adds a column has to decide.
"""

from __future__ import annotations

from collections.abc import Mapping

# By model: its columns, each with the sections of the export that have it. "*" stands for all columns.
EXPORTED_COLUMNS: Mapping[str, Mapping[str, str]] = {
    "players.Player": {"*": "roster"},
    "bikes.Bike": {"*": "bikes"},
    "bikes.FurtherSheet": {"*": "bikes"},
    "players.ClassMember": {"*": "roster bikes"},
    "players.SignUp": {"*": "sign_ups"},
    "ledger.UncheckedPeople": {"*": "names_to_check"},
    "check_in.BikeCheck": {"*": "check_in"},
    "scorecards.Seat": {"*": "standings"},
    "scorecards.Turn": {"*": "turns"},
    "ledger.Entry": {"*": "log"},
    "ledger.Operation": {"*": "log not_applied recorded"},
    "ledger.ReviewItem": {"*": "not_applied"},
    "ledger.OperationReason": {"text": "log mentions"},
    "ledger.CutWitness": {"name": "mentions"},
    "agreements.Agreement": {"*": "agreements"},
    "agreements.Objection": {"*": "objections recorded"},
    "standings.StandingsRow": {"*": "standings"},
    "standings.Revision": {"standings": "published_results", "awards": "prizes", "*": "published_results recorded"},
    "seasons.SeasonLink": {"*": "seasons"},
    "prints.PrintJob": {"*": "prints"},
    "crew.CrewMember": {"*": "crew"},
    "crew.CrewMember_any_bike_at": {"*": "crew"},
    "crew.Device": {"*": "phones"},
    "crew.MemoryLoss": {"*": "lost_phones"},
    "crew.Invitation": {"*": "invitations"},
    "crew.MessageReceipt": {"*": "messages_read"},
    "crew.CrewMessage": {"text": "mentions", "sent_at": "mentions messages_read"},
    "desk.DismissedWarning": {"reason": "mentions", "*": "recorded"},
    "desk.PracticeRun": {"organiser": "recorded", "started_at": "recorded"},
    "events.Organiser": {"*": "accounts"},
    "events.FormerOrganiser": {"*": "accounts"},
    "events.AccessToken": {"*": "tokens"},
    "events.Passkey": {"*": "passkeys"},
    "events.AccountLink": {"created_by": "accounts"},
    "events.AccountSession": {"*": "sessions"},
    "events.AccountLanguage": {"*": "accounts"},
    "events.OrganiserInvitation": {"*": "accounts"},
    "seasons.Season": {"created_by": "accounts"},
}

SECRET = "the digest of a secret, which says nothing of a person"
SETTINGS = "a setting of the event"
COPY = "a copy of what is exported from the log"
COUNTER = "a counter or a queue of the program"
PICTURE = "a file for a sponsor or for everyone"

# By model or column.
NOT_EXPORTED: Mapping[str, str] = {
    "ledger.OperationReason.operation": "the operation, which is exported",
    "ledger.OperationReason.salt": "random, and decides nothing without the text",
    "ledger.CutWitness.operation": "the operation, which is exported",
    "ledger.CutWitness.salt": "random, and decides nothing without the name",
    "ledger.Chain": COPY,
    "ledger.StaleCard": COUNTER,
    "scorecards.Scorecard": "which contest a scorecard is of; its id is in the log",
    "standings.StandingsState": COUNTER,
    "standings.FrozenStandings": COPY,
    "standings.ChancesReport": COPY,
    "standings.LuckReport": COPY,
    "standings.PrizeGiving": "what is announced, as ids and figures: the prizes and the standings are exported",
    "standings.ShownDraw": "which draw the screens show: ids, and the draw itself is exported",
    "standings.LastSweep": COUNTER,
    "check_in.CheckItem": SETTINGS,
    "crew.CrewMessage": "a message to the crews, of which only what names the person is exported",
    "crew.Group": SETTINGS,
    "crew.DiceSet": SETTINGS,
    "crew.FormerDevice": SECRET,
    "desk.PracticeRun": "how far a practice is filled with random turns",
    "coach.OddsAnswer": "what may be rolled by the rules, and nothing of who rolls",
    "dice.DiceAudit": "what was thrown with which dice, and nothing of who threw them",
    "dice.DiceTest": "throws made only to test dice",
    "events.Event": SETTINGS,
    "events.Contest": SETTINGS,
    "events.Freeze": SETTINGS,
    "events.DeletedEvent": "what is left of an event without people",
    "common.UseCount": "how often somebody did something lately, by a keyed digest that nobody can assign to a person",
    "common.TaskRun": "what a worker is doing, until it is done",
    "common.WorkerHeartbeat": COUNTER,
    "common.SentForm": "that a form was sent, by a keyed digest, and for two days an encrypted answer",
    "events.AccountLink": SECRET,
    "events.PasskeyChallenge": "random bytes, for ten minutes",
    "live.Screen": SETTINGS,
    "live.PairingCode": SECRET,
    "prints.PrintFile": "a document for a day at most, made from what is exported",
    "prints.CertificateSettings": SETTINGS,
    "players.EventClass": SETTINGS,
    "prizes.Prize": SETTINGS,
    "prizes.PrizeLogo": PICTURE,
    "seasons.Season": SETTINGS,
    "seasons.SeasonRound": SETTINGS,
    "seasons.SeasonRider": "an id without a name, that links rides",
    "stops.Stop": SETTINGS,
    "stops.Slot": SETTINGS,
    "push.PushKey": SECRET,
    "push.PushTopic": "which bike or player browsers follow, and what was last seen of it; nobody knows whose they are",
    "push.PushNews": "that something about a bike or player is new, for a day",
    "push.PushSubscription": "the address of a browser at its push service, which nobody can assign to a person",
    "webhooks.Webhook": SETTINGS,
    "webhooks.AnnouncedState": COUNTER,
    "webhooks.WebhookDelivery": "ids, a time and links to what the public sees",
    "webhooks.DeliveryAttempt": "when another program was told, and what it answered",
}
