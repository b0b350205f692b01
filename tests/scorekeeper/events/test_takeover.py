"""No organiser can act as an account that has not agreed to organise with them, whatever way they add it to a ride.

Mallory organises a ride and wants Vera's account. He does what an organiser can do with a browser. Nina organises a
ride of another club.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone

from scorekeeper.events.models import Event, Organiser, OrganiserInvitation
from scorekeeper.events.services.events import remove_organiser
from scorekeeper.seasons.models import Season
from tests.faults.figures import Figures
from tests.scorekeeper.bundles.conftest import export, remove_event
from tests.scorekeeper.conftest import PASSWORD
from tests.scorekeeper.events.account_forms import OWN_PASSWORD, can_sign_in, describe_account, describe_password
from tests.scorekeeper.page_checks import get_page_text

STOLEN = "mallory was here, 1999"
Way = Callable[["Stage", Path], None]


class Stage:
    """The people and their browsers.

    Attributes:
        ride: Mallory's ride.
        nina_ride: Nina's.
    """

    def __init__(self) -> None:
        self.mallory, self.vera, self.nina = (_sign_in(name) for name in ("mallory", "vera", "nina"))
        self.ride = _create_ride(self.mallory, "Mallory run")
        self.nina_ride = _create_ride(self.nina, "Nina run")

    def invite_by_name(self, client: Client, ride: Event, name: str = "vera") -> None:
        client.post(f"/desk/events/{ride.slug}/organisers/", {"username": name, **OWN_PASSWORD})

    def invite_by_link(self, client: Client, ride: Event) -> str:
        page = get_page_text(client.post(f"/desk/events/{ride.slug}/organisers/invite/", OWN_PASSWORD))
        (link,) = re.findall(r'value="http://[^/"]+(/invited/[\w-]+/)"', page)
        return link

    def accept_all(self) -> None:
        """Accept, as Vera, every invitation on her page of events."""
        page = get_page_text(self.vera.get("/desk/"))
        for button in re.findall(r'action="(/desk/invitations/[\w-]+/accept/)"', page):
            self.vera.post(button)

    def take_over(self) -> bool:
        """Try, as Mallory, to get Vera's account. Return whether he can sign in to it."""
        for organiser in Organiser.objects.select_related("event").filter(user__username="vera"):
            address = f"/desk/events/{organiser.event.slug}/organisers/{organiser.pk}/reset-password/"
            page = get_page_text(self.mallory.post(address, OWN_PASSWORD))
            for link in re.findall(r'value="http://[^/"]+(/new-password/[\w-]+/)"', page):
                Client().post(link, describe_password(STOLEN))
        return can_sign_in("vera", STOLEN)


def _sign_in(name: str) -> Client:
    User.objects.create(username=name, password=make_password(PASSWORD))
    client = Client()
    client.post("/sign-in/", {"username": name, "password": PASSWORD})
    return client


def _create_ride(client: Client, name: str) -> Event:
    client.post(
        "/desk/events/new/",
        {"name": name, "date": "2027-06-19", "time_zone": "Europe/Zurich", "people_shown": "names"},
    )
    return Event.objects.get(name=name)


def _by_name(stage: Stage, folder: Path) -> None:
    stage.invite_by_name(stage.mallory, stage.ride)


def _by_link_that_is_only_opened(stage: Stage, folder: Path) -> None:
    assert stage.vera.get(stage.invite_by_link(stage.mallory, stage.ride)).status_code == 200


def _by_a_second_club(stage: Stage, folder: Path) -> None:
    """Vera organises with Nina, because she agreed to. Then Mallory adds her too, who organises nothing with Nina."""
    stage.invite_by_name(stage.nina, stage.nina_ride)
    stage.accept_all()
    stage.invite_by_name(stage.mallory, stage.ride)


def _by_a_second_club_that_is_left_alone(stage: Stage, folder: Path) -> None:
    """Vera is in no ride any more but the one to which Mallory has added her."""
    _by_a_second_club(stage, folder)
    Organiser.objects.filter(event=stage.nina_ride, user__username="vera").delete()


def _before_anybody_was_asked(stage: Stage, folder: Path) -> None:
    """A row from before, when an organiser added others without asking them."""
    Organiser.objects.create(event=stage.ride, user=User.objects.get(username="vera"))


def _by_a_practice_copy(stage: Stage, folder: Path) -> None:
    _before_anybody_was_asked(stage, folder)
    stage.invite_by_name(stage.mallory, stage.ride)
    assert stage.mallory.post(f"/desk/events/{stage.ride.slug}/practice/").status_code == 302
    assert Event.objects.filter(practice_of=stage.ride).exists()


def _by_a_copied_ride(stage: Stage, folder: Path) -> None:
    _before_anybody_was_asked(stage, folder)
    stage.invite_by_name(stage.mallory, stage.ride)
    response = stage.mallory.post(
        "/desk/copy/", {"source": stage.ride.pk, "name": "Next year", "date": "2028-06-19", "with_roster": "on"}
    )
    assert response.status_code == 302
    copied = Event.objects.get(name="Next year")
    assert [str(organiser) for organiser in copied.organisers.all()] == ["mallory"]
    stage.invite_by_name(stage.mallory, copied)


def _by_a_bundle(stage: Stage, folder: Path) -> None:
    """The operator imports Mallory's ride for Vera, whom nobody asked, and Mallory is in it again."""
    file = folder / "ride.bundle.jsonl"
    file.write_bytes(export(stage.ride))
    remove_event(stage.ride)
    call_command("import_event", str(file), "--organiser", "vera", stdout=io.StringIO())
    stage.ride = Event.objects.get(name="Mallory run")
    Organiser.objects.create(event=stage.ride, user=User.objects.get(username="mallory"), accepted_at=timezone.now())


WAYS: dict[str, Way] = {
    "by name": _by_name,
    "by a link that is only opened": _by_link_that_is_only_opened,
    "by a second club": _by_a_second_club,
    "by a second club, when the first ride is gone": _by_a_second_club_that_is_left_alone,
    "before anybody was asked": _before_anybody_was_asked,
    "by a practice copy": _by_a_practice_copy,
    "by a copied ride": _by_a_copied_ride,
    "by a bundle": _by_a_bundle,
}


@pytest.mark.parametrize("way", WAYS)
def test_nobody_gets_an_account_whose_person_has_not_agreed(db: None, tmp_path: Path, way: str) -> None:
    stage = Stage()
    WAYS[way](stage, tmp_path)

    assert not stage.take_over()
    assert can_sign_in("vera", PASSWORD)


def _accept_the_name(stage: Stage) -> None:
    stage.invite_by_name(stage.mallory, stage.ride)
    stage.accept_all()


def _accept_the_link(stage: Stage) -> None:
    stage.vera.post(stage.invite_by_link(stage.mallory, stage.ride), {"accept": "yes"})


def _confirm_what_was_before(stage: Stage) -> None:
    Organiser.objects.create(event=stage.ride, user=User.objects.get(username="vera"))
    page = get_page_text(stage.vera.get("/desk/"))
    assert "Do you organise these events?" in page
    ids = re.findall(r'name="organiser" value="([\w-]+)"', page)
    stage.vera.post("/desk/organising/confirm/", {"organiser": ids})


AGREEMENTS: dict[str, Callable[[Stage], None]] = {
    "accepts an invitation by name": _accept_the_name,
    "accepts a link": _accept_the_link,
    "confirms a ride from before": _confirm_what_was_before,
}


@pytest.mark.parametrize("agreement", AGREEMENTS)
def test_a_co_organiser_helps_whoever_has_agreed(db: None, agreement: str) -> None:
    stage = Stage()
    AGREEMENTS[agreement](stage)

    assert stage.take_over(), "that is how a forgotten password is replaced"


def test_nobody_confirms_a_ride_for_somebody_else(db: None) -> None:
    stage = Stage()
    row = Organiser.objects.create(event=stage.ride, user=User.objects.get(username="vera"))

    stage.mallory.post("/desk/organising/confirm/", {"organiser": str(row.pk)})

    row.refresh_from_db()
    assert row.accepted_at is None
    assert not stage.take_over()


def test_who_has_agreed_to_another_ride_is_not_helped_into_it(db: None) -> None:
    stage = Stage()
    stage.invite_by_name(stage.nina, stage.nina_ride)
    stage.invite_by_name(stage.mallory, stage.ride)
    stage.accept_all()

    assert not stage.take_over()


def test_co_organiser_cannot_reset_the_password_of_a_seasons_creator(db: None) -> None:
    """The creator of a season runs it, and its rounds may be rides of other clubs."""
    stage = Stage()
    _accept_the_name(stage)
    stage.vera.post("/desk/seasons/new/", {"name": "The year", "points": "10, 6, 3", "points_below": "0"})
    assert Season.objects.get().created_by == User.objects.get(username="vera")

    assert not stage.take_over()

    vera = stage.ride.organisers.get(user__username="vera")
    page = get_page_text(stage.mallory.get(f"/desk/events/{stage.ride.slug}/organisers/{vera.pk}/reset-password/"))
    assert "vera has also created a season" in page
    stage.vera.post(f"/desk/seasons/{Season.objects.get().slug}/delete/")
    assert stage.take_over()


def test_whoever_resets_a_password_accepts_no_invitation_that_was_open(db: None) -> None:
    """Otherwise a link for a new password would lead into a ride that its creator does not organise."""
    stage = Stage()
    _accept_the_name(stage)
    stage.invite_by_name(stage.nina, stage.nina_ride)
    assert stage.take_over()

    stage.vera = Client()
    stage.vera.post("/sign-in/", {"username": "vera", "password": STOLEN})
    stage.accept_all()

    assert not OrganiserInvitation.objects.open().exists()
    assert not stage.nina_ride.organisers.filter(user__username="vera").exists()


def test_who_takes_an_invited_name_later_is_not_invited(db: None) -> None:
    """Mallory lets a new account have the name that Nina has mistyped."""
    stage = Stage()
    stage.invite_by_name(stage.nina, stage.nina_ride, "verena")
    verena = Client()
    verena.post(stage.invite_by_link(stage.mallory, stage.ride), describe_account("verena"))

    page = get_page_text(verena.get("/desk/"))

    assert "Mallory run" in page
    assert "Nina run" not in page


def test_a_removed_organiser_does_not_come_back_by_an_invitation_of_theirs(db: None) -> None:
    stage = Stage()
    _accept_the_name(stage)
    helper = _sign_in("helper")
    stage.invite_by_name(stage.vera, stage.ride, "helper")

    remove_organiser(Organiser.objects.get(event=stage.ride, user__username="vera"))

    assert "/accept/" not in get_page_text(helper.get("/desk/"))


@pytest.mark.slow
def test_the_figure(db: None, tmp_path: Path, figures: Figures) -> None:
    taken = []
    for name, way in WAYS.items():
        with transaction.atomic():
            stage = Stage()
            way(stage, tmp_path)
            taken += [name] if stage.take_over() else []
            transaction.set_rollback(True)
    assert taken == []
    figures.add(
        "43 · organisers try to act as an account that has not agreed to organise with them",
        f"{len(WAYS)} ways of adding it to a ride ({', '.join(WAYS)}): 0 accounts taken over",
    )
