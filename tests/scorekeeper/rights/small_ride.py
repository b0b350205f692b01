"""A small ride with an object of every kind. All its names have the same word, so that they can be recognised."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from scorekeeper.agreements.models import Objection
from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import CheckItem
from scorekeeper.common.rights_check import list_routes
from scorekeeper.common.secret_links import hash_token
from scorekeeper.crew.access import DEVICE_COOKIE
from scorekeeper.crew.models import CrewMember, CrewMessage, Device, DiceSet, Group, MemoryLoss
from scorekeeper.crew.services.devices import create_device
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.crew.services.messages import send_message
from scorekeeper.dice.die_data import list_dice
from scorekeeper.dice.services import start_test
from scorekeeper.event_page.models import EventPage, EventSponsor, PosterImage, ProgrammeItem, RouteTrack
from scorekeeper.events.models import AccessToken, Contest, Event, OrganiserInvitation, Passkey
from scorekeeper.events.services.access_tokens import create_access_token
from scorekeeper.events.services.account_links import create_invite, create_reset_link, create_setup_link
from scorekeeper.events.services.events import add_organiser, create_event
from scorekeeper.events.services.organiser_invitations import invite_by_name
from scorekeeper.events.services.sessions import list_sessions
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.live.models import Screen
from scorekeeper.live.views.television import SCREEN_COOKIE
from scorekeeper.players.models import ClassMember, EventClass, Player, SignUp
from scorekeeper.prints.paper import Paper
from scorekeeper.prints.print_kinds import KINDS
from scorekeeper.prints.print_source import PrintSource
from scorekeeper.prints.services import carry_out_job, start_job
from scorekeeper.prizes.models import Prize, PrizeLogo
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.tables import get_table
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.seasons.models import Season, SeasonRider, SeasonRound
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.stops.models import Slot, Stop
from scorekeeper.tables.services import create_tables
from scorekeeper.webhooks.models import CHOOSABLE
from scorekeeper.webhooks.services import add_webhook, send_test
from tests.scorekeeper.picture_files import make_marked_png

# Routes about the contest at tables; all others are about the contest at the stops.
AT_TABLES = ("tables:", "results:seats", "coach:table", "coach:desk_table")
# Routes about the contest that is published.
OF_PUBLISHED = ("results:preview", "results:revision", "api:revision", "desk:revision")
RUN = ["C", 2, 3, 4, 5, 6]
# Of the bike at its first stop: a turn, and two more that differ from it.
TURNS: Mapping[str, list[list[dict[str, Any]]]] = {
    "rock-yahtzee": [[{"type": "paper", "box": "chance", "points": points}] for points in (20, 25, 26)],
    "poker-run": [[{"type": "draw", "cards": [card]}] for card in ("AS", "KS", "QS")],
}


@dataclass(frozen=True)
class SmallRide:
    """The ride, with everything that can refer to it.

    Attributes:
        word: a word that is part of every name.
        ids: the ids of one object of every kind.
        slugs: the slugs of the event, its three contests and its season.
        tokens: the tokens of one-time links, by the route that they open.
    """

    word: str
    user: User
    captain: CrewMember
    gunner: CrewMember
    ids: Mapping[str, UUID]
    slugs: Mapping[str, str]
    code: str
    tokens: Mapping[str, str]

    def fill(self, route: str, names: Iterable[str]) -> dict[str, Any]:
        """Return the values for the URL parameters of a route."""
        at_tables = get_contest_key(route) == "campfire"
        values = {
            **{f"{name}_id": value for name, value in self.ids.items()},
            "slug": self.slugs["event"],
            "season_slug": self.slugs["season"],
            "contest_slug": self.slugs[get_contest_key(route)],
            "card_id": self.ids["table" if at_tables else "card"],
            "entrant_id": self.ids["bike" if route in ("results:luck_card", "results:odds") else "player"],
            "invitation_id": self.ids["own_invitation" if route == "events:withdraw_invitation" else "invitation"],
            "item_id": self.ids["decided_item" if route == "desk:take_back" else "open_item"],
            "game_key": "rogue",
            "key": "rogue",
            "file": "export.csv",
            "roster": "full",
            "kind": "stop-sheets" if route == "prints:event_file" else "standings",
            "code": self.code,
            "token": self.tokens.get(route, ""),
            "job_id": self.ids["public_job" if route.startswith("prints:public") else "job"],
            "revision": 1,
            "number": 1,
            "digest": "0",
        }
        return {name: values[name] for name in names}

    def get_url(self, route: str) -> str:
        """Return the URL of a route, about this ride."""
        return reverse(route, kwargs=self.fill(route, list_routes()[route].pattern.converters))

    @cached_property
    def form_data(self) -> dict[str, str]:
        """The data that pages about a turn, an action or a seat need."""
        return {
            "contest": str(self.ids["yahtzee"]),
            "turn": str(self.ids["turn"]),
            "seq": "1",
            "action": str(self.ids["action"]),
            "seat": "0",
            "direction": "down",
            "to": "live",
            "record": f"player:{self.ids['player']}",
        }

    def is_in(self, content: bytes) -> bool:
        """Return whether the content has anything of this ride."""
        return self.word.lower().encode() in content.lower()

    def get_phone(self, member: CrewMember) -> Client:
        """Return a new phone of a member of its crew."""
        _device, token = create_device(member)
        client = Client()
        client.cookies[DEVICE_COOKIE] = token
        return client

    def get_app(self, member: CrewMember) -> Client:
        """Return a new app of a member of its crew, which has the token of a device and no cookies."""
        return Client(headers={"Authorization": f"Bearer {create_device(member)[1]}"})

    def get_television(self) -> Client:
        """Return the browser of its paired screen."""
        client = Client()
        client.cookies[SCREEN_COOKIE] = f"{self.word} secret"
        return client

    def get_desk(self) -> Client:
        """Return the browser of its organiser."""
        client = Client()
        client.force_login(self.user)
        return client


def get_contest_key(route: str) -> str:
    """Return which contest a route is about."""
    if route.startswith(AT_TABLES):
        return "campfire"
    return "published" if route in OF_PUBLISHED else "yahtzee"


def enable_authority_pages(settings: Settings, folder: Path) -> None:
    """Make the settings those of a server with a certificate of its own, which phones can fetch."""
    settings.LOCAL_TLS, settings.AUTHORITY = True, folder / "ca.pem"
    settings.AUTHORITY.write_text("-----BEGIN CERTIFICATE-----\nMTIz\n-----END CERTIFICATE-----\n")


def make_small_ride(word: str, *, is_practice: bool = False, game_key: str = "rock-yahtzee") -> SmallRide:
    """Create the ride: a turn and an action are recorded, an entry is under review, and another one is decided.

    A third contest is published, without anybody in it, and counts for a season.

    Args:
        game_key: of the contest at the stops.
    """
    slug = word.lower()
    setup_token = "" if User.objects.exists() else create_setup_link()[1]
    user, helper = (User.objects.create(username=f"{slug}-{name}") for name in ("alice", "bob"))
    event = Event.objects.create(
        name=f"{word} ride",
        slug=f"{slug}-ride",
        date=dt.date(2036, 6, 20),  # to come: riders can sign up until the ride is over
        state="open",
        is_sign_up_open=True,
        is_practice=is_practice,
    )
    organiser, second = (add_organiser(event, each, has_accepted=True) for each in (user, helper))
    desk = Actor.from_organiser(organiser)
    yahtzee, campfire = (
        Contest.objects.create(
            event=event,
            name=f"{word} {key}",
            slug=f"{slug}-{key}",
            game_key=key,
            rules_version=1,
            ordinal=ordinal,
            seats_are=seats,
        )
        for ordinal, (key, seats) in enumerate(((game_key, "bikes"), ("rogue", "players")), 1)
    )
    stop, last_stop = (Stop.objects.create(event=event, name=f"{word} stop {at}", ordinal=at) for at in (1, 2))
    slots = [Slot.objects.create(contest=yahtzee, stop=at, ordinal=n) for n, at in enumerate((stop, last_stop), 1)]
    group, other_group = (Group.objects.create(event=event, name=f"{word} group {n}", ordinal=n) for n in (1, 2))
    dice_set = DiceSet.objects.create(group=group, name=f"{word} dice", ordinal=1)
    captain, gunner = (
        CrewMember.objects.create(group=group, name=f"{word} {role}", role=role)
        for role in (CrewMember.Role.ROAD_CAPTAIN, CrewMember.Role.TAIL_GUNNER)
    )
    device, _token = create_device(captain)
    Device.objects.filter(pk=device.pk).update(expires_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))  # an expired phone
    invite, invite_token = create_invite(event, user)
    tokens = {
        "crew:join": create_invitation(gunner)[1],
        "events:welcome": setup_token,
        "events:invited": invite_token,
        "events:invited_sign_in": invite_token,
        "events:new_password": create_reset_link(helper, user)[1],
    }
    message = CrewMessage(event=event, text=f"{word} is late")
    send_message(message)
    bike, other_bike = (Bike.objects.create(event=event, number=n, make=word, group=group) for n in (1, 2))
    twin = Bike.objects.create(event=event, number=1, suffix=2, make=word, group=group)
    people = [Player.objects.create(event=event, name=f"{word} {name}", bike=bike) for name in ("Ann", "Ben")]

    for actions in TURNS[game_key]:
        record_turn(Actor.from_device(device), uuid4(), TurnInput(yahtzee.pk, bike.pk, slots[0].pk, actions))
    open_item, decided_item = ReviewItem.objects.filter(contest=yahtzee).order_by("opened_at")
    decide_review(desk, uuid4(), decided_item.pk, ReviewItem.Decision.KEEP, "so it was")
    deal = uuid4()
    create_tables(desk, deal, campfire.pk, [[player.pk for player in people]])
    table = uuid5(deal, "0")
    action = uuid4()
    record_action(desk, action, NewAction(table, 1, [{"seat": 0, "type": "roll", "dice": RUN}]))
    open_table = get_table(event, table)
    assert open_table is not None
    published = Contest.objects.create(
        event=event,
        name=f"{word} derby",
        slug=f"{slug}-derby",
        game_key="rogue",
        rules_version=1,
        ordinal=3,
        seats_are="players",
    )
    close_contest(desk, uuid4(), published.pk, "it rained")
    publish_contest(desk, uuid4(), published.pk, "it rained")
    for contest in (yahtzee, campfire, published):
        refresh_standings(contest.pk)
    season = Season.objects.create(name=f"{word} season", slug=f"{slug}-season", points=[3, 2, 1], created_by=user)
    ids = {
        "event": event.pk,
        "yahtzee": yahtzee.pk,
        "campfire": campfire.pk,
        "organiser": second.pk,
        "link": invite.pk,
        "invitation": _make_invitation(user, word).pk,
        "own_invitation": invite_by_name(event, f"{word.lower()}-guest", user).pk,
        "session": _make_session(user),
        "token": create_access_token(user, f"{word} website", AccessToken.Scope.READ, dt.timedelta(days=30))[0].pk,
        "passkey": Passkey.objects.create(
            user=user, name=f"{word} key", host="localhost", credential_id=word.encode()
        ).pk,
        "stop": stop.pk,
        "last_stop": last_stop.pk,
        "slot": slots[0].pk,
        "free_slot": slots[1].pk,
        "group": group.pk,
        "other_group": other_group.pk,
        "dice_set": dice_set.pk,
        "member": captain.pk,
        "gunner": gunner.pk,
        "device": device.pk,
        "loss": _lose_memory(device),
        "message": message.pk,
        "bike": bike.pk,
        "other_bike": other_bike.pk,
        "twin": twin.pk,
        "check_item": CheckItem.objects.create(event=event, name=f"{word} paid", ordinal=1).pk,
        "class": _add_class(event, word, bike).pk,
        "objection": Objection.objects.create(event=event, contest=yahtzee, bike=bike, text=f"{word} five sixes").pk,
        "dice_test": start_test(event, f"{word} dice", list_dice([yahtzee, campfire])[0]).pk,
        "sign_up": SignUp.objects.create(event=event, rider=f"{word} Cleo").pk,
        "prize": Prize.objects.create(event=event, contest=yahtzee, position=1, name=f"{word} mirror", place=1).pk,
        "logo": PrizeLogo.objects.create(event=event, media_type="image/png", content=make_marked_png(word)).pk,
        "sponsor": EventSponsor.objects.create(event=event, position=1, name=f"{word} garage").pk,
        "programme_item": ProgrammeItem.objects.create(event=event, text=f"{word} dinner", time=dt.time(18)).pk,
        "image": _add_page(event, word),
        "screen": Screen.objects.create(event=event, name=f"{word} bar", token_digest=hash_token(f"{word} secret")).pk,
        "player": people[0].pk,
        "other_player": people[1].pk,
        "card": derive_card_id(yahtzee.pk, bike.pk),
        "turn": Turn.objects.get(card__contest=yahtzee).pk,
        "open_item": open_item.pk,
        "decided_item": decided_item.pk,
        "table": table,
        "round": SeasonRound.objects.create(season=season, contest=published).pk,
        "rider": SeasonRider.objects.create(season=season).pk,
        "action": next(iter(open_table.turns)),
    }
    webhook, _secret = add_webhook(event, f"https://{slug}.example.org/hook", list(CHOOSABLE))
    ids |= {"webhook": webhook.pk, "delivery": send_test(webhook).pk}
    for key, is_public in (("job", False), ("public_job", True)):
        source = PrintSource(event, yahtzee, Paper.A4, is_public=is_public)
        ids[key] = start_job(KINDS["standings"], source).pk
        carry_out_job(ids[key])
    slugs = {
        "event": event.slug,
        "yahtzee": yahtzee.slug,
        "campfire": campfire.slug,
        "published": published.slug,
        "season": season.slug,
    }
    return SmallRide(word, user, captain, gunner, ids, slugs, make_code(bike.pk), tokens)


def _add_page(event: Event, word: str) -> UUID:
    """Add a page with a text, a poster and a route, and return the poster."""
    text = f"# {word}\n\n{word}, {word}, {word}"
    EventPage.objects.create(event=event, text=text, contact_name=f"{word} Dot", poster_alt=word)
    RouteTrack.objects.create(event=event, points="_p~iF~ps|U_ulLnnqC", length=150_000)
    content = make_marked_png(word)
    return PosterImage.objects.create(event=event, width=30, height=20, media_type="image/png", content=content).pk


def _make_invitation(user: User, word: str) -> OrganiserInvitation:
    """Invite the user to an event of somebody else."""
    owner = User.objects.create(username=f"{word.lower()}-owner")
    event = create_event(owner, name=f"{word} rally", date=dt.date(2026, 7, 4), time_zone="UTC")
    return invite_by_name(event, user.username, owner)


def _make_session(user: User) -> UUID:
    """Sign the user in with a browser, and return the id of what the account's page says about it."""
    client = Client()
    client.force_login(user)
    client.get("/desk/")
    return list_sessions(user)[0].pk


def _add_class(event: Event, word: str, bike: Bike) -> EventClass:
    event_class = EventClass.objects.create(event=event, name=f"{word} ladies", ordinal=1)
    ClassMember.objects.create(event_class=event_class, bike=bike)
    return event_class


def _lose_memory(device: Device) -> UUID:
    """Find that the phone lost its memory, and return the id of what the desk says about it."""
    loss = MemoryLoss(device=device, found_by=device, reason=MemoryLoss.Reason.CLEARED, unsent=1, attention=0)
    loss.found_at = timezone.now()
    loss.save()
    return loss.pk
