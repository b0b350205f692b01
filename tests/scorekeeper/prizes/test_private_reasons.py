"""The reason of a decision: where everyone reads one that is public, and that one for organisers leaves nowhere."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader
from pytest_django import Settings

from scorekeeper.audience.services import lift_freeze, reveal_to_step, start_reveal
from scorekeeper.ledger.actors import Actor
from scorekeeper.live.sources import EventPageSource, LeaderboardSource, RideSource, ScreenSource
from scorekeeper.prints.print_kinds import KINDS
from scorekeeper.prizes.selectors.announcements import arrange_announcements
from scorekeeper.prizes.services import decide_award
from scorekeeper.results.exports.writers import PUBLIC_FILES
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.standings.models import PrizeGiving
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.webhooks.models import CHOOSABLE, WebhookDelivery
from scorekeeper.webhooks.services import add_webhook, announce_changes
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.prizes.conftest import AddPrize, decide_in_first_version
from tests.scorekeeper.scorecards.conftest import make_final_turn

pytestmark = pytest.mark.database

REASON = "paid-for-the-tents"
# Where a reason is read that everyone may read. Nowhere else is it needed.
SHOWS_REASONS = {
    *("results:event", "results:leaderboard", "live:microphone"),
    *("export prizes.csv", "export prizes-semicolons.csv", "export export.xlsx"),
    *("desk prizes.csv", "desk prizes-semicolons.csv", "print standings", "screen source"),
}


def read_text(content: bytes) -> str:
    """The text of a page or a file, whatever it is packed in."""
    if content.startswith(b"%PDF"):
        return "".join("".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(content)).pages)
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            return "".join(book.read(name).decode() for name in book.namelist())
    return content.decode()


def fetch_surfaces(ride: Ride, client: Client) -> Iterator[tuple[str, str]]:
    """Yield everything that anyone can fetch of the ride, by where it is."""
    event, contest, bike = ride.event.slug, ride.contest.slug, ride.bikes[7].pk
    routes: list[tuple[str, list[Any]]] = [
        *((page, [event]) for page in ("results:event", "live:screen")),
        *((f"api:{page}", [event]) for page in ("event", "contests")),
        *((page, [event, contest]) for page in ("results:leaderboard", "results:luck")),
        *((f"api:{page}", [event, contest]) for page in ("contest", "standings", "scorecards", "results", "prizes")),
        *((f"api:{page}", [event, contest]) for page in ("luck",)),
        ("results:revision", [event, contest, 1]),
        ("api:scorecard", [event, contest, derive_card_id(ride.contest.pk, ride.bikes[2].pk)]),
        ("results:bike", [event, contest, bike]),
        *((f"export {file}", [event, contest, file]) for file in PUBLIC_FILES),
        *((f"print {key}", [event, contest, key]) for key, kind in KINDS.items() if kind.is_public),
        ("bundle", [event]),
    ]
    views = {"export": "results:export", "print": "prints:public_file", "bundle": "bundles:public"}
    files_without_rows = ("export groups", "export luck")
    for name, arguments in routes:
        response = client.get(reverse(views.get(name.split()[0], name), args=arguments))
        if response.status_code == 404 and name.startswith(files_without_rows):
            continue
        assert response.status_code == 200, name
        yield name, read_text(response.getvalue())


def step_through(ride: Ride, organiser: Client) -> Iterator[tuple[str, str]]:
    """Yield what streams, screens and the microphone show at each announcement of a reveal."""
    start_reveal(ride.event, [ride.contest], arrange_announcements)
    for step in range(len(PrizeGiving.objects.get(event=ride.event).announcements)):
        reveal_to_step(ride.event, step)
        yield from take_snapshots(ride)
        page = organiser.get(reverse("live:microphone", args=[ride.event.slug]))  # is read out
        yield "live:microphone", read_text(page.content)
    lift_freeze(ride.event)


def take_snapshots(ride: Ride) -> Iterator[tuple[str, str]]:
    """Yield what the live pages get through their streams."""
    for name, source in (
        ("screen source", ScreenSource(ride.event)),
        ("event source", EventPageSource(ride.event)),
        ("board source", LeaderboardSource(ride.contest)),
        ("ride source", RideSource(ride.event)),
    ):
        snapshot = source.take_snapshot()
        assert snapshot is not None
        yield name, snapshot.render_swap() + "".join(part.html for part in snapshot.parts.values())


@pytest.mark.parametrize("is_public", [True, False])
def test_a_reason_for_organisers_leaves_nowhere(
    ride: Ride,
    desk: Actor,
    alice: User,
    sign_in: SignIn,
    client: Client,
    settings: Settings,
    add: AddPrize,
    add_turn,
    close,
    is_public: bool,
) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = True
    add_webhook(ride.event, "http://127.0.0.1:9/", list(CHOOSABLE))
    organiser, prize = sign_in(alice), add("by_hand", name="Oldest bike")
    if is_public:
        decide_award(desk, uuid4(), prize, (), [ride.bikes[7].pk], REASON)
    else:
        decide_in_first_version(desk, prize, ride.bikes[7].pk, REASON)
    add_turn(2, 1, make_final_turn([6, 6, 1, 2, 3], "sixes"))
    before = [*take_snapshots(ride), *step_through(ride, organiser)]
    close()
    publish_contest(desk, uuid4(), ride.contest.pk, "nobody else comes")
    ride.contest.refresh_from_db()
    announce_changes()

    surfaces = [*before, *fetch_surfaces(ride, client), *take_snapshots(ride), *step_through(ride, organiser)]
    surfaces += [("webhook", body) for body in WebhookDelivery.objects.values_list("body", flat=True)]
    # With full names: organisers pass them on. Those with the log are for them alone.
    for file in set(PUBLIC_FILES) - {"export.xlsx", "export.json"}:
        url = reverse("results:desk_export", args=[ride.event.slug, ride.contest.slug, file])
        response = organiser.get(url)
        surfaces.append((f"desk {file}", read_text(response.getvalue() if response.status_code == 200 else b"")))

    assert "webhook" in dict(surfaces)
    assert {name for name, text in surfaces if REASON in text} == (SHOWS_REASONS if is_public else set())
