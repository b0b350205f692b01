"""Events and the contests played at them.

Terms:
- An *event* is one ride day.
- A *contest* is one ruleset played at it: a game, its options and the version of its rules.
- A *practice event* is a copy in which a crew rehearses. Nothing in it counts.
- An *archived* event is finished: organisers find it in their archive, and its public pages stay.

Invariants:
- The options of a contest are fixed from its first entry on (`frozen_at`), and with them which odds are shown
  during play. Closing it is an entry, too.
- The `status` of a contest is the last one in its own log: open, closed, or official once a revision is published. An
  event is official when all its contests are.
- A practice event is never listed, and is marked as practice wherever it is shown.
"""

from __future__ import annotations

import datetime as dt
import zoneinfo
from functools import cached_property
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.core.game import Game, Ruleset
from games.core.problems import Malformed
from scorekeeper.common.event_dates import EventDateField
from scorekeeper.common.game_adapter import ACTIVE_TRANSLATIONS, get_game, list_games
from scorekeeper.common.models import ChecksummedModel, UUIDModel
from scorekeeper.common.name_fields import NameField
from scorekeeper.common.secret_links import SecretLink, SecretLinks
from scorekeeper.common.security_log import log_change

LANGUAGE_LENGTH = 15  # characters of a code such as "de" or "pt-br"
MAX_SHEETS = 9  # that a bike or a rider can have in a contest


def check_time_zone(name: str) -> None:
    """Raise `ValidationError` unless the name is a time zone this machine knows."""
    if name not in zoneinfo.available_timezones():
        text = _("There is no time zone called “%(name)s”. Type the largest city nearby, such as Edmonton.")
        raise ValidationError(text, params={"name": name})


class Event(UUIDModel):
    """One ride day. It starts as a draft that only its organisers can see."""

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        OPEN = "open", _("Open")

    class PeopleShown(models.TextChoices):
        NAMES = "names", _("Names")
        INITIALS = "initials", _("Initials")
        NUMBERS = "numbers", _("Bike numbers only")

    name = NameField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    date = EventDateField(_("date"))
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[check_time_zone])
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    is_listed = models.BooleanField(
        _("listed on the front page"),
        default=False,
        help_text=_("An event that is not listed can only be found by its share link."),
    )
    people_shown = models.CharField(
        _("how people are shown on public pages"),
        max_length=10,
        choices=PeopleShown.choices,
        default=PeopleShown.NAMES,
    )
    # Of what is no reader's own: screens, prints and letters. "" for the installation's.
    language = models.CharField(_("language"), max_length=LANGUAGE_LENGTH, blank=True, default="", db_default="")
    is_practice = models.BooleanField(default=False, db_default=False, editable=False)
    # The event that a practice event was copied from; None for the demo's.
    practice_of = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="practice_events", editable=False
    )
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)
    is_sign_up_open = models.BooleanField(
        _("riders can sign up"),
        default=False,
        db_default=False,
        help_text=_("Anyone with the share link can ask for a place. You approve each request."),
    )
    created_at = models.DateTimeField(auto_now_add=True)
    # The version of the log that the event began with. From 2 on, the first entry of every chain says which event it
    # belongs to, and whether that is a practice event. Older logs keep their hashes, so they are continued without.
    log_version = models.PositiveSmallIntegerField(
        default=2, db_default=1, editable=False, validators=[MinValueValidator(1), MaxValueValidator(2)]
    )

    class Meta:
        ordering = ["-date", "name"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """Whether the event accepts entries and has public pages."""
        return self.state == self.State.OPEN

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The time zone in which the times of this event are shown."""
        return zoneinfo.ZoneInfo(self.time_zone)

    @property
    def is_past(self) -> bool:
        """Whether the day of the ride is over where the ride is."""
        return timezone.localdate(timezone=self.zone) > self.date

    @property
    def has_sign_up(self) -> bool:
        """Whether it has a page to sign up: the organiser has switched it on. Once the ride is over, it says so."""
        return self.is_sign_up_open and not self.is_practice and self.archived_at is None

    @property
    def takes_sign_ups(self) -> bool:
        """Whether riders can sign up now: they have a page for it, and the ride is not over."""
        return self.has_sign_up and not self.is_past


class Freeze(ChecksummedModel):
    """Whether the standings of an event are frozen for its audience, and how far the result has been revealed.

    It changes only what is shown, so it is no part of the log. `audience.visible_standings` says what the audience
    sees of each contest. An event that was never frozen has no row.

    Attributes:
        at: since when they are frozen; None while they are not.
        step: the step of the reveal; None while the result is not being revealed.
        version: how often any of this has changed.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="freeze")
    at = models.DateTimeField(null=True)
    step = models.PositiveSmallIntegerField(null=True)
    version = models.PositiveBigIntegerField(default=0)

    checksum_fields = ("at", "step")

    def __str__(self) -> str:
        return f"{self.event_id} {self.at}"


class Organiser(UUIDModel):
    """A person who runs an event. The organiser's id goes into the log; the name does not.

    Attributes:
        accepted_at: when the person agreed to organise the event; None if nobody asked them, as before invitations by
            name had to be accepted, and after an import by the operator. Such a person organises the event too, but no
            co-organiser may reset their password because of it.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="organisers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="organising")
    accepted_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="organiser_once_per_event")]

    def __str__(self) -> str:
        return str(self.user)


class FormerOrganiser(models.Model):
    """A person who no longer runs an event. It has the organiser's id, so that the log still says who it was."""

    id = models.UUIDField(primary_key=True, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="former_organisers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return str(self.user)


class OrganiserInvitations(models.QuerySet["OrganiserInvitation"]):
    """A query of invitations by name."""

    def open(self) -> OrganiserInvitations:
        """Return those that have neither been declined nor expired."""
        return self.filter(declined_at=None, expires_at__gt=timezone.now())


class OrganiserInvitation(UUIDModel):
    """An invitation to organise an event, for the account with a name. It is deleted when it is accepted.

    Those who invite learn nothing of the account, not even whether it exists: to them all invitations look the same
    until they expire.

    Attributes:
        name: the name as it was typed, which may be nobody's.
        user: the account that had this name when the invitation was made. Who takes the name later is not invited.
        declined_at: when the person declined; None until then.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="organiser_invitations")
    name = models.CharField(max_length=150)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="organiser_invitations"
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    declined_at = models.DateTimeField(null=True)

    objects = OrganiserInvitations.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "name"], name="organiser_invitation_once_per_name")]

    def __str__(self) -> str:
        return self.name


class AccountLinks(SecretLinks["AccountLink"]):
    """A query of one-time links."""

    def expire(self) -> None:
        """End those that could still be used."""
        ended = self.usable()
        for link, purpose in list(ended.values_list("pk", "purpose")):
            log_change("link_ended", link=link, purpose=purpose)
        ended.update(expires_at=timezone.now())


class AccountLink(SecretLink):
    """A one-time link with which a person gets an account, a new password, or the role of an organiser.

    Attributes:
        event: the event that the person is invited to organise; None for the other purposes.
        user: the account that gets a new password; None for the other purposes.
        created_by: who created it; None for a link printed by a command.
    """

    class Purpose(models.TextChoices):
        SETUP = "setup", _("First organiser of a new installation")
        INVITE = "invite", _("Another organiser of an event")
        RESET = "reset", _("New password")

    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, related_name="account_links")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    objects = AccountLinks.as_manager()

    def __str__(self) -> str:
        return f"{self.purpose} {self.id}"


class AccessToken(UUIDModel):
    """A secret with which a program acts for an account, at the events that its person organises.

    Only a digest of it is stored.

    Attributes:
        last_used_at: stored at most once a minute; None until it is used.
    """

    class Scope(models.TextChoices):
        PUBLIC = "public", _("Read what everyone can see")
        READ = "read", _("Read what you can see")
        RECORD = "record", _("Read what you can see, and record in your name")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="access_tokens")
    name = NameField(_("what it is for"), max_length=80)
    scope = models.CharField(_("what it may do"), max_length=10, choices=Scope.choices, default=Scope.READ)
    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, editable=False)
    last_used_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name

    def is_expired(self, now: dt.datetime | None = None) -> bool:
        """Whether its time is over."""
        return self.expires_at <= (now or timezone.now())

    @property
    def is_usable(self) -> bool:
        """Whether it has neither been revoked nor expired."""
        return self.revoked_at is None and not self.is_expired()


class AccountSession(UUIDModel):
    """What the page of an account says about one of its sessions, which Django stores. It gives access to nothing.

    Attributes:
        key_digest: the digest of the session's key.
        browser, system: what the browser calls itself and what it runs on, such as "Firefox" and "Windows"; "" if
            neither is known.
        last_used_at: stored at most every few minutes.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="account_sessions")
    key_digest = models.CharField(max_length=64, unique=True, editable=False)
    browser = models.CharField(max_length=30, blank=True)
    system = models.CharField(max_length=30, blank=True)
    started_at = models.DateTimeField()
    last_used_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.browser} {self.system}"

    @property
    def label(self) -> str:
        """The browser and its system in words."""
        if self.browser and self.system:
            return str(_("%(browser)s on %(system)s") % {"browser": self.browser, "system": self.system})
        return self.browser or self.system or str(_("Unknown browser"))


class AccountLanguage(models.Model):
    """The language that the owner of an account has chosen."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="chosen_language"
    )
    code = models.CharField(max_length=LANGUAGE_LENGTH)

    def __str__(self) -> str:
        return self.code


class DeletedEvent(models.Model):
    """What is left of an event that was deleted, so that its old links and phones can be told.

    Attributes:
        id: the event's.
        heads: the heads of its chains at the end, by the id of the chain.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=80, unique=True)
    deleted_at = models.DateTimeField()
    heads = models.JSONField(default=dict)

    def __str__(self) -> str:
        return self.name


class Contest(UUIDModel):
    """One ruleset played at an event."""

    class Status(models.TextChoices):
        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")
        OFFICIAL = "official", _("Official")

    class SeatsAre(models.TextChoices):
        BIKES = "bikes", _("Bikes")
        PLAYERS = "players", _("Players")

    class GroupsBy(models.TextChoices):
        NOT_COMPARED = "", _("No")
        MEAN = "mean", _("By the mean of all totals")
        BEST = "best", _("By the sum of the best totals")

    class SheetsFor(models.TextChoices):
        BIKE = "bike", _("Each bike")
        RIDER = "rider", _("Each rider, passengers too")

    class OddsShown(models.TextChoices):
        OFF = "off", _("Nothing")
        SCREEN = "screen", _("Chances to win")
        COACH = "coach", _("Chances to win, and what each choice is worth")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="contests")
    name = NameField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=80)
    ordinal = models.PositiveSmallIntegerField(_("order"), default=1)
    game_key = models.CharField(_("game"), max_length=40)
    rules_version = models.PositiveSmallIntegerField(_("version of the rules"))
    options = models.JSONField(_("options"), default=dict, blank=True)
    seats_are = models.CharField(_("who plays"), max_length=10, choices=SeatsAre.choices, default=SeatsAre.BIKES)
    # Who holds scorecards at the stops, and how many at most (`events.sheet_setting`); fixed with the options.
    sheets_for = models.CharField(
        _("who has a scorecard"),
        max_length=10,
        choices=SheetsFor.choices,
        default=SheetsFor.BIKE,
        db_default=SheetsFor.BIKE,
    )
    sheets_max = models.PositiveSmallIntegerField(
        _("how many scorecards at most"),
        default=1,
        db_default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_SHEETS)],
    )
    # For how many places ties are broken: up to the last one with a prize. It follows from the prizes of the event
    # (`scorekeeper.prizes`).
    prizes = models.PositiveSmallIntegerField(default=1, editable=False)
    groups_by = models.CharField(
        _("compare groups"),
        max_length=10,
        choices=GroupsBy.choices,
        default=GroupsBy.NOT_COMPARED,
        blank=True,
        db_default="",
    )
    # How many totals of a group are added up; it matters only where groups are compared by their best.
    group_best = models.PositiveSmallIntegerField(
        _("totals that count for a group"),
        default=3,
        db_default=3,
        validators=[MinValueValidator(1), MaxValueValidator(50)],
    )
    # While a card is not agreed, publishing needs a reason (`scorekeeper.agreements`).
    asks_agreement = models.BooleanField(_("ask for agreed cards before publishing"), default=False, db_default=False)
    # Which odds are shown while the contest is open. It is fixed with the options, since advice must help everyone
    # or no one from the first roll on.
    odds_shown = models.CharField(
        _("odds during play"),
        max_length=10,
        choices=OddsShown.choices,
        default=OddsShown.OFF,
        db_default=OddsShown.OFF,
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN, editable=False)
    frozen_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["ordinal", "name"]
        constraints = [models.UniqueConstraint(fields=["event", "slug"], name="contest_slug_once_per_event")]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Reject an unknown game, and options that its rule book does not allow."""
        if self.game_key not in list_games():
            raise ValidationError({"game_key": _("There is no such game.")})
        try:
            get_game(self.game_key).ruleset(self.options)
        except Malformed as malformed:
            raise ValidationError({"options": malformed.message(ACTIVE_TRANSLATIONS)}) from malformed
        has_one_sheet = self.sheets_for == self.SheetsFor.BIKE and self.sheets_max == 1
        if self.game.one_sheet_clause and not has_one_sheet:
            text = _("The rule book gives every bike one scorecard (%(clause)s).")
            raise ValidationError(text, "one_sheet", {"clause": self.game.one_sheet_clause})

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return get_game(self.game_key)

    @property
    def has_dice(self) -> bool:
        """Whether turns are thrown with dice."""
        return bool(self.game.dice_kinds(self.ruleset.setup))

    @property
    def seats_may_be(self) -> tuple[SeatsAre, ...]:
        """Who can play the game, the usual first. Bikes go from stop to stop, so only they play turns at stops."""
        if self.game.slot_option:
            return (self.SeatsAre.BIKES,)
        return (self.SeatsAre.PLAYERS, self.SeatsAre.BIKES)

    @property
    def odds_may_be(self) -> tuple[OddsShown, ...]:
        """Which odds can be shown during play: those that the game knows."""
        known = [self.OddsShown.OFF]
        if self.game.tells_endings:
            known.append(self.OddsShown.SCREEN)
        if self.game.odds_measure is not None:
            known.append(self.OddsShown.COACH)
        return tuple(known)

    @property
    def odds_choices(self) -> list[tuple[str, str]]:
        """The same with what each shows in this game: not every game that knows values knows chances to win."""
        return [(odds.value, self._label_odds(odds)) for odds in self.odds_may_be]

    @property
    def odds_label(self) -> str:
        """What is shown of the odds during play."""
        is_known = self.odds_shown in self.odds_may_be
        return self._label_odds(self.OddsShown(self.odds_shown) if is_known else self.OddsShown.OFF)

    def _label_odds(self, odds: OddsShown) -> str:
        if odds == self.OddsShown.COACH and self.game.has_hands:
            return str(_("Chances to win, and of each hand"))
        if odds == self.OddsShown.COACH and self.OddsShown.SCREEN not in self.odds_may_be:
            return str(_("What each choice is worth"))
        return str(odds.label)

    @property
    def shows_chances(self) -> bool:
        """Whether the contest shows the chances to win while it is open."""
        return self.odds_shown != self.OddsShown.OFF and self.OddsShown.SCREEN in self.odds_may_be

    @property
    def shows_values(self) -> bool:
        """Whether the contest shows what each choice is worth while it is open."""
        return self.odds_shown == self.OddsShown.COACH and self.game.odds_measure is not None

    @property
    def is_coached(self) -> bool:
        """Whether pages show the values of choices now: never once the contest is closed."""
        return self.shows_values and self.status == self.Status.OPEN

    @property
    def options_from_slots(self) -> dict[str, Any]:
        """The options that are derived from the slots and cannot be edited."""
        return {name: value for name, value in self.options.items() if name == self.game.slot_option}

    @cached_property
    def ruleset(self) -> Ruleset:
        """The game with this contest's options."""
        return self.game.ruleset(self.options)

    @property
    def status_label(self) -> str | Promise:
        """The status in the user's language."""
        return self.Status(self.status).label


class Passkey(UUIDModel):
    """A passkey (WebAuthn credential) that its owner's account asks for after the password.

    Attributes:
        host: the host name for which it was made; browsers use it nowhere else.
        credential_id: how the authenticator names it.
        public_key: in the COSE format. There is no secret here: the private key stays on the authenticator.
        sign_count: the authenticator's count of signatures when last used; 0 if it does not count.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="passkeys")
    name = NameField(_("name"), max_length=80)
    host = models.CharField(max_length=253, editable=False)
    credential_id = models.BinaryField(max_length=1023, unique=True)
    public_key = models.BinaryField()
    sign_count = models.PositiveBigIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return self.name


class PasskeyChallenge(UUIDModel):
    """Random bytes that an authenticator signs to add a passkey or to sign in. The first response consumes them."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    value = models.BinaryField(max_length=32)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.id}"
