"""Every response of the program, to everybody: what a test looks through for what must not be told."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.test import Client

from scorekeeper.api.access import TokenAuthentication
from scorekeeper.api.views.read_view import ReadView
from scorekeeper.bikes.models import Bike
from scorekeeper.common.rights_check import list_routes
from scorekeeper.live.page_snapshot import PageSnapshot
from scorekeeper.live.stream_middleware import FINDERS
from scorekeeper.results.exports.writers import ORGANISER_FILES
from scorekeeper.rights import ANYBODY, ROUTES
from scorekeeper.scorecards.contest_rules import derive_card_id
from tests.faults.scale import FULL
from tests.scorekeeper.api.program import make_program
from tests.scorekeeper.rights.roles import ROLES
from tests.scorekeeper.rights.small_ride import SmallRide

# The same for everybody: they describe the program.
OF_THE_PROGRAM = {"api:schema", "api:reference"}
# These describe it, or count the requests to each route: they have its words, and no figure of any ride.
DESCRIBING = {*OF_THE_PROGRAM, "metrics"}
# Routes that read the token of a program, whatever role they need, and no cookie.
READ_BY_TOKEN = {
    name
    for name, pattern in list_routes().items()
    if hasattr(pattern.callback, "cls")
    and issubclass(pattern.callback.cls, ReadView)
    and TokenAuthentication in pattern.callback.cls.authentication_classes
}
FOR_APPS = {"offline:ride", "offline:ride_parts"}  # below /api/ as well
# Of the phones and accounts, those that request public pages in a short run.
PUBLIC = {"gunner", "organiser"}
# Who has all the rights of another client, which makes their common requests in a short run.
NEARLY_THE_SAME = {"captain": "gunner", "recording program": "reading program"}
FAR_BIKE = 73  # a bike of the second group


class ReadResponse(NamedTuple):
    """A response to a person, with all of its content."""

    route: str
    who: str
    response: Any
    content: bytes


def add_far_bike(ride: SmallRide) -> None:
    """Add the bike of the other group whose pages are requested, too."""
    Bike.objects.create(event_id=ride.ids["event"], number=FAR_BIKE, group_id=ride.ids["other_group"])


def make_clients(ride: SmallRide, language: str = "") -> Mapping[str, Client]:
    """Return a client for each kind of person.

    Args:
        language: that they have chosen; "" for none.
    """
    clients = {
        "nobody": ride.get_television(),
        "gunner": ride.get_phone(ride.gunner),
        "captain": ride.get_phone(ride.captain),
        "organiser": ride.get_desk(),
        "monitor": Client(headers={"Authorization": "Bearer a token"}),
        "reading program": make_program(ride.user),
        "recording program": make_program(ride.user, "record"),
        "crew app": ride.get_app(ride.gunner),
    }
    if language:
        for client in clients.values():
            client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    return clients


def read_cookies(client: Client) -> Mapping[str, str]:
    return {name: cookie.value for name, cookie in client.cookies.items()}


def reads_credentials(route: str, who: str) -> bool:
    """Return whether a route reads the cookie or token that this client sends.

    `test_pages_embargo` shows that the others change nothing.
    """
    if who == "nobody":
        return True
    if who == "monitor" or who.endswith("program"):
        return route.startswith("api:") or route == "metrics"
    if who.endswith("app"):
        return route.startswith("api:") or route in FOR_APPS
    return route not in READ_BY_TOKEN


def is_asked(route: str, method: str, who: str) -> bool:
    """Return whether a client sends this request.

    In a short run, only if the table of rights admits it and the route reads what it sends. `test_pages_routes` shows
    that all others are refused before the view is called, and that a refusal has nothing of the ride. What everybody
    gets is requested by one phone and one account, and the road captain and the recording program request only what
    the tail-gunner and the reading program cannot.
    """
    if FULL:
        return True
    role = ROUTES[route][method]
    if role not in ROLES.get(who, ROLES["crew app" if who.endswith("app") else "gunner"]) or not reads_credentials(
        route, who
    ):
        return False
    if route in OF_THE_PROGRAM:
        return who == "nobody"
    if who in NEARLY_THE_SAME:
        return role not in ROLES[NEARLY_THE_SAME[who]]
    return role is not ANYBODY or who in PUBLIC or who == "nobody" or who.endswith(("program", "app"))


def list_headers(route: str, who: str, clients: Collection[str]) -> tuple[Mapping[str, str], ...]:
    """Return the headers to request a route with: for the page and, if the client is asked for it, for the fragment.

    A fragment comes from the same view and context as its page. In a short run, the first of the clients requests it.
    """
    is_first = FULL or who == next(one for one in clients if is_asked(route, "GET", one))
    return ({}, {"HX-Request": "true"}) if is_first else ({},)


def add_query(address: str, data: Mapping[str, str]) -> str:
    """Return an address with these fields beside those that it has, which the test client would replace."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode(data)}" if data else address


def list_addresses(ride: SmallRide, route: str) -> Iterator[str]:
    """Yield the addresses of a route: all files of an export, and bikes of both groups."""
    address = ride.get_url(route)
    if route == "results:export":
        yield from (address.replace("export.csv", file) for file in ORGANISER_FILES)
        return
    if route == "embeds:oembed":
        board = ride.get_url("results:leaderboard")
        yield f"{address}?{urlencode({'url': settings.BASE_URL + board})}"
        return
    yield address
    if route.startswith("api:") and ride.slugs["yahtzee"] in address:
        at_tables = address.replace(ride.slugs["yahtzee"], ride.slugs["campfire"])
        yield at_tables.replace(str(ride.ids["card"]), str(ride.ids["table"]))
    if route == "api:scorecard":
        far_card = derive_card_id(ride.ids["yahtzee"], Bike.objects.get(number=FAR_BIKE).pk)
        yield address.replace(str(ride.ids["card"]), str(far_card))
    if route == "scorecards:group":
        yield from (f"{address}?q={number}&stop={ride.ids['last_stop']}" for number in (1, FAR_BIKE))
    if route in ("results:event", "results:leaderboard"):
        # What is searched, and the rows of pinned bikes: by number and by the word in everything of the ride.
        pins = [ride.ids["bike"], ride.ids["player"], Bike.objects.get(number=FAR_BIKE).pk]
        yield f"{address}?{urlencode({'q': ride.word, 'mine': pins}, doseq=True)}"
        yield f"{address}?{urlencode({'q': FAR_BIKE, 'mine': pins[-1:]}, doseq=True)}"
    if "bike_id" in list_routes()[route].pattern.converters:
        yield address.replace(str(ride.ids["bike"]), str(Bike.objects.get(number=FAR_BIKE).pk))


def read_everything(
    ride: SmallRide, only: Collection[str] | None = None, fields: Mapping[str, str] = {}, language: str = ""
) -> Iterator[ReadResponse]:
    """Yield what every route answers to every kind of person, as a page and, where that differs, as a fragment.

    In a short run, only some of them send the same request (`is_asked`, `list_headers`).

    Args:
        only: these routes; None for all.
        fields: of the forms that pages open with, those that differ from the ride's.
        language: that everybody has chosen; "" for none.
    """
    data, clients = {**ride.form_data, **fields}, dict(make_clients(ride, language))
    for route in list_routes():
        if route in DESCRIBING or "GET" not in ROUTES[route] or (only is not None and route not in only):
            continue
        addresses = list(list_addresses(ride, route))
        for who in [one for one in clients if is_asked(route, "GET", one)]:
            for address in addresses:
                for headers in list_headers(route, who, clients):
                    client = clients[who]
                    cookies = read_cookies(client)
                    query = {} if "/api/" in address or route == "embeds:oembed" else data
                    response: Any = client.get(add_query(address, query), headers=headers)
                    if not cookies.items() <= read_cookies(client).items():  # a page has signed the client out
                        clients[who] = make_clients(ride, language)[who]
                    content = b"".join(response.streaming_content) if response.streaming else response.content
                    yield ReadResponse(route, who, response, content)
                    if "HX-Request" not in response.headers.get("Vary", ""):
                        break


def take_snapshots(ride: SmallRide) -> dict[str, PageSnapshot]:
    """Return what each stream sends to someone who opens it now."""
    patterns, snapshots = list_routes(), {}
    for route, find in FINDERS.items():
        source = find(**ride.fill(route, patterns[route].pattern.converters))
        assert source is not None
        snapshot = source.take_snapshot()
        assert snapshot is not None
        snapshots[route] = snapshot
    return snapshots
