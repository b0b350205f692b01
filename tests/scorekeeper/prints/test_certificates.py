"""Certificates: the club's wording and logo, any name, and only official results for everyone."""

from __future__ import annotations

import io
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image
from pypdf import PdfReader

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import ClassMember, EventClass, Player
from scorekeeper.prints.models import CertificateSettings
from scorekeeper.prizes.models import Prize, PrizeLogo
from scorekeeper.prizes.services import PrizeSettings, add_logo, add_prize, decide_award
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.page_forms import save
from tests.scorekeeper.picture_files import HOSTILE, make_bomb
from tests.scorekeeper.prints.conftest import get_pages, measure_pages

pytestmark = pytest.mark.django_db

NAMES = ["Wilhelmina Featherstonehaugh-Cholmondeley of Saskatchewan III", "محمد بن عبد الله", "山田太郎", "Zoë 🏍"]


@pytest.fixture
def published(ride: Ride, desk: Actor, tied_bikes: None, close: Any, cut: Any) -> Ride:
    """Bikes 1 to 4 have rolled, cards decided who of three comes first, and the result is official."""
    close()
    cut({1: "QS", 2: "KS", 3: "2H"})
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")
    return ride


def get_url(ride: Ride, *, is_public: bool = False) -> str:
    route = f"prints:{'public' if is_public else 'contest'}_file"
    return reverse(route, args=[ride.event.slug, ride.contest.slug, "certificates"])


def get_settings_url(event: Event) -> str:
    return reverse("prints:certificate", args=[event.slug])


def draw_logo(size: tuple[int, int] = (300, 100), kind: str = "PNG") -> SimpleUploadedFile:
    content = io.BytesIO()
    Image.new("RGB", size, "red").save(content, kind)
    return SimpleUploadedFile(f"logo.{kind.lower()}", content.getvalue())


def test_everyone_in_the_ranking_gets_a_certificate_in_the_order_of_the_places(
    published: Ride, organiser: Client
) -> None:
    pages = get_pages(organiser.get(get_url(published)))

    assert ["Bike 2" in pages[0], "Bike 1" in pages[1], "Bike 3" in pages[2], "Bike 4" in pages[3]] == [True] * 4
    assert "1st place in R.O.C.K. Yahtzee with a total of 24" in pages[0]
    assert "4th place in R.O.C.K. Yahtzee with a total of 20" in pages[3]
    assert all("Official, revision 1" in page for page in pages)
    assert all("Rock the Roll" in page and "20 June 2026" in page for page in pages)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_any_name_fits_on_its_certificate(
    ride: Ride, tied_bikes: None, organiser: Client, name: str, paper: str
) -> None:
    Player.objects.filter(name="Ann").update(name=name)
    refresh_standings(ride.contest.pk)
    response = organiser.get(get_url(ride), {"of": str(ride.bikes[1].pk), "paper": paper})

    (page,) = get_pages(response)
    assert "\x00" not in page
    assert set(name) - set(" ") <= set(page) or name == NAMES[1]
    ((width, height),) = measure_pages(response.content)
    assert width > height


@pytest.mark.parametrize("design", CertificateSettings.Design.values)
def test_a_certificate_has_the_places_in_classes_and_still_fits_on_its_page(
    ride: Ride, tied_bikes: None, organiser: Client, design: str
) -> None:
    CertificateSettings.objects.create(event=ride.event, design=design)
    for name, numbers in (("Ladies", (1, 2)), ("Novices", (4,)), ("125 cc", (4,))):
        own = EventClass.objects.create(event=ride.event, name=name, ordinal=ride.event.classes.count())
        ClassMember.objects.bulk_create([ClassMember(event_class=own, bike=ride.bikes[number]) for number in numbers])
    refresh_standings(ride.contest.pk)

    pages = get_pages(organiser.get(get_url(ride)))

    assert len(pages) == 4
    by_number = {number: page for page in pages for number in range(1, 5) if f"Bike {number}" in page}
    assert "Ladies: tied 1st" in by_number[1]
    assert "Ladies: tied 1st" in by_number[2]
    assert "Novices: 1st · 125 cc: 1st" in by_number[4]
    assert "Ladies" not in by_number[3]


def test_tied_places_say_so(ride: Ride, tied_bikes: None, organiser: Client) -> None:
    refresh_standings(ride.contest.pk)

    pages = get_pages(organiser.get(get_url(ride)))

    assert all("tied 1st place" in page for page in pages[:3])
    assert all("Unofficial" in page for page in pages)


def test_the_organisers_choose_wording_signature_and_logo(published: Ride, organiser: Client) -> None:
    form = get_page_text(organiser.get(get_settings_url(published.event)))
    assert "{place} place in {contest} with a total of {total}" in form
    data = {
        "heading": "Well ridden!",
        "wording": "{name} came {place} of all, with {total} points at {event}. #panic(1)",
        "signed_by": "Ride captain",
        "logo": draw_logo(),
    }
    assert save(organiser, get_settings_url(published.event), data).status_code == 302

    response = organiser.get(get_url(published))
    first = get_pages(response)[0]

    assert "Well ridden!" in first
    assert "Ben and Zoe" in first or "Ben, Zoe" in first
    assert "came 1st of all, with 24 points at Rock the Roll. #panic(1)" in first
    assert "Ride captain" in first
    assert len(PdfReader(io.BytesIO(response.content)).pages[0].images) == 1

    save(
        organiser,
        get_settings_url(published.event),
        {"heading": "", "wording": "Bravo", "signed_by": "", "remove_logo": "on"},
    )
    response = organiser.get(get_url(published))
    assert "Bravo" in get_pages(response)[0]
    assert "Certificate" in get_pages(response)[0], "an empty heading is the usual one"
    assert len(PdfReader(io.BytesIO(response.content)).pages[0].images) == 0


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("design", CertificateSettings.Design.values)
def test_every_design_has_the_place_the_prizes_and_their_sponsors_on_one_page(
    ride: Ride, desk: Actor, organiser: Client, tied_bikes: None, close: Any, cut: Any, design: str, paper: str
) -> None:
    logo = add_logo(ride.event, "image/png", draw_logo().read())
    for place, name in ((2, "Twelve bottles"), (1, "Winner’s cup " + "of the county " * 4)):
        settings = PrizeSettings(ride.contest, name.strip(), "Foothills Brewing", "place", place=place, logo_id=logo.pk)
        add_prize(desk, ride.event, uuid4(), settings)
    Player.objects.filter(name="Ben").update(name=NAMES[0])
    close()
    cut({1: "QS", 2: "KS", 3: "2H"})
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")
    save(
        organiser, get_settings_url(ride.event), {"design": design, "wording": "{place} place, " + "well ridden, " * 28}
    )

    response = organiser.get(get_url(ride), {"paper": paper})
    pages = get_pages(response)

    assert len(pages) == 4, "each fits on its page"
    first, second, third = pages[:3]
    assert "Winner’s cup" in first
    assert "Given by Foothills Brewing" in first
    assert "Twelve bottles" not in first
    assert ("Winner’s cup" in second, "Twelve bottles" in second) == (False, True)
    assert "Foothills" not in third, "no prize for this place"
    assert [len(page.images) for page in PdfReader(io.BytesIO(response.content)).pages] == [1, 1, 0, 0]
    assert "1st" in first.replace("1st place", ""), "the place is drawn, too"


def test_the_members_of_the_best_group_have_its_prize_on_their_certificates(
    ride: Ride, desk: Actor, organiser: Client, tied_bikes: None, close: Any, cut: Any
) -> None:
    add_prize(desk, ride.event, uuid4(), PrizeSettings(ride.contest, "Group cup", "", "best_group"))
    close()
    cut({1: "QS", 2: "KS", 3: "2H"})
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")

    pages = get_pages(organiser.get(get_url(ride)))

    members = set(Bike.objects.filter(event=ride.event, group=ride.group_one).values_list("number", flat=True))
    assert [("Group cup" in page) for page in pages[:4]] == [number in members for number in (2, 1, 3, 4)]
    assert len(pages) == 5
    assert (ride.group_one.name in pages[4], "Group cup" in pages[4]) == (True, True), "and the group has its own"


@pytest.mark.parametrize("design", CertificateSettings.Design.values)
def test_a_winner_without_a_place_has_a_certificate_with_prize_and_sponsor(
    ride: Ride, desk: Actor, organiser: Client, client: Client, tied_bikes: None, close: Any, cut: Any, design: str
) -> None:
    settings = PrizeSettings(ride.contest, "Oldest bike", "Foothills Brewing", "by_hand")
    add_prize(desk, ride.event, uuid4(), settings)
    decide_award(desk, uuid4(), Prize.objects.get(), (), [ride.bikes[7].pk], "a 1952 Panhead")
    add_prize(desk, ride.event, uuid4(), PrizeSettings(ride.contest, "", "Ozweld", "place", place=1))
    close()
    cut({1: "QS", 2: "KS", 3: "2H"})
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")
    save(organiser, get_settings_url(ride.event), {"design": design, "wording": "{place} place, total {total}"})

    pages = get_pages(organiser.get(get_url(ride)))

    assert len(pages) == 5
    first, last = pages[0], pages[4]
    assert ("Gail" in last, "Bike 7" in last, "Oldest bike" in last) == (True, True, True)
    assert "Given by Foothills Brewing" in last
    assert "Awarded in R.O.C.K. Yahtzee" in last
    assert ("place" in last.lower(), "total" in last) == (False, False)
    assert "Given by Ozweld" in first
    assert first.count("1st place") == 1, "not again as the name of the prize"
    board = reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])
    link = f"{get_url(ride, is_public=True)}?of={ride.bikes[7].pk}"
    assert link in get_page_text(client.get(board))
    (page,) = get_pages(client.get(link))
    assert "Oldest bike" in page


def test_a_wording_without_place_and_total_is_on_every_certificate(
    ride: Ride, desk: Actor, organiser: Client, tied_bikes: None, close: Any, cut: Any
) -> None:
    add_prize(desk, ride.event, uuid4(), PrizeSettings(ride.contest, "Oldest bike", "", "by_hand"))
    decide_award(desk, uuid4(), Prize.objects.get(), (), [ride.bikes[7].pk], "a 1952 Panhead")
    close()
    cut({1: "QS", 2: "KS", 3: "2H"})
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")
    save(organiser, get_settings_url(ride.event), {"wording": "Well ridden, {name}!"})

    (page,) = get_pages(organiser.get(get_url(ride), {"of": str(ride.bikes[7].pk)}))

    assert "Well ridden, Gail!" in page


def test_an_unofficial_certificate_names_no_prize(ride: Ride, desk: Actor, organiser: Client, tied_bikes: None) -> None:
    add_prize(desk, ride.event, uuid4(), PrizeSettings(ride.contest, "Cup", "", "place", place=1))
    refresh_standings(ride.contest.pk)

    assert not any("Cup" in page for page in get_pages(organiser.get(get_url(ride))))


def test_braces_in_a_name_are_not_filled_in(ride: Ride, tied_bikes: None, organiser: Client) -> None:
    Player.objects.filter(name="Ann").update(name="{total}")
    CertificateSettings.objects.create(event=ride.event, wording="for {name}")
    refresh_standings(ride.contest.pk)

    assert "for {total}" in get_pages(organiser.get(get_url(ride), {"of": str(ride.bikes[1].pk)}))[0]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"wording": "{Place} {points}"}, "{Place}, {points} cannot be filled in."),
        ({"heading": "x" * 61}, "at most 60 characters"),
        ({"logo": SimpleUploadedFile("logo.svg", b"<svg/>")}, "This is not a PNG, JPEG or WebP file."),
        ({"logo": SimpleUploadedFile("logo.png", b"\x89PNG\r\n\x1a\n and no more")}, "This picture is damaged."),
        ({"logo": SimpleUploadedFile("logo.png", make_bomb())}, "million pixels"),
    ],
)
def test_what_cannot_be_printed_is_refused_and_the_rest_is_kept(
    ride: Ride, organiser: Client, data: dict[str, Any], problem: str
) -> None:
    response = save(organiser, get_settings_url(ride.event), {"signed_by": "Ride captain", **data})

    assert response.status_code == 422
    page = get_page_text(response)
    assert problem in page
    assert "Ride captain" in page
    assert not CertificateSettings.objects.exists()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_logo_of_an_earlier_version_is_left_out(published: Ride, organiser: Client, name: str) -> None:
    save(organiser, get_settings_url(published.event), {"logo": draw_logo()})
    PrizeLogo.objects.update(content=HOSTILE[name][0])

    response = organiser.get(get_url(published))

    assert response.status_code == 200
    assert "Rock the Roll" in get_pages(response)[0], "in the place of the logo"
    assert len(PdfReader(io.BytesIO(response.content)).pages[0].images) == 0


@pytest.mark.parametrize("kind", ["JPEG", "WEBP"])
def test_every_kind_of_logo_is_printed(published: Ride, organiser: Client, kind: str) -> None:
    save(organiser, get_settings_url(published.event), {"logo": draw_logo(kind=kind)})

    assert len(get_pages(organiser.get(get_url(published)))) == 4


def test_everyone_may_have_the_certificates_of_an_official_result_only(
    ride: Ride, desk: Actor, tied_bikes: None, close: Any, cut: Any, client: Client
) -> None:
    assert client.get(get_url(ride, is_public=True)).status_code == 404
    close()
    cut({1: "QS", 2: "KS", 3: "2H"})
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")
    assert len(get_pages(client.get(get_url(ride, is_public=True)))) == 4
    (one,) = get_pages(client.get(get_url(ride, is_public=True), {"of": str(ride.bikes[4].pk)}))
    assert "Dan" in one


def test_only_a_bike_that_has_rolled_leads_to_its_certificate(published: Ride, client: Client) -> None:
    for number, is_there in ((1, True), (7, False)):
        page = reverse("results:bike", args=[published.event.slug, published.contest.slug, published.bikes[number].pk])
        assert ("Certificate, PDF" in get_page_text(client.get(page))) is is_there


def test_before_anyone_has_rolled_there_is_nothing_to_print(ride: Ride, organiser: Client) -> None:
    (page,) = get_pages(organiser.get(get_url(ride)))
    assert "Certificates" in page
    assert organiser.get(get_url(ride), {"of": str(ride.bikes[1].pk)}).status_code == 404
