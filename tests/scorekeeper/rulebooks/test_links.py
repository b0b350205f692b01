"""Links to the rule books, besides the clauses cited in messages."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.card_forms import card_url


def test_the_public_and_the_organisers_pages_of_a_contest_link_to_its_rules(
    ride: Ride, alice: User, sign_in: SignIn, client: Client
) -> None:
    slugs = [ride.event.slug, ride.contest.slug]
    public = [reverse("results:event", args=slugs[:1]), reverse("results:leaderboard", args=slugs)]
    desk = [reverse("events:edit_contest", args=slugs), reverse("desk:finish", args=slugs)]

    pages = [client.get(page) for page in public] + [sign_in(alice).get(page) for page in desk]

    rules = reverse("rulebooks:book", args=[ride.contest.game_key])
    assert [f'href="{rules}"' in get_page_text(page) for page in pages] == [True] * 4


def test_the_entry_page_opens_them_in_a_new_tab(ride: Ride, crew_client: CrewClient) -> None:
    page = get_page_text(crew_client(ride.rita).get(card_url(ride, 1, 1)))

    rules = reverse("rulebooks:book", args=[ride.contest.game_key])
    assert f'<a href="{rules}" target="_blank" rel="noopener">Rules of the game' in page


def test_the_home_page_links_to_the_list(client: Client, db: None) -> None:
    assert f'href="{reverse("rulebooks:list")}"' in get_page_text(client.get("/"))
