"""/desk/events/<slug>/contests/<contest>/settings/: groups are compared only where their totals can be added up."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from scorekeeper.events.models import Contest
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.page_forms import save

pytestmark = pytest.mark.database

REASON = (
    "Where the total closest to a target wins, neither a high nor a low sum of several totals is good. Leave groups "
    "uncompared, or let the highest or the lowest total win."
)


@pytest.mark.parametrize(
    ("options", "groups_by", "is_refused"),
    [
        ({"options.goal": "target", "options.target": "88"}, "mean", True),
        ({"options.goal": "target", "options.target": "88"}, "best", True),
        ({"options.goal": "target", "options.target": "88"}, "", False),
        ({"options.goal": "low"}, "mean", False),
        ({}, "best", False),
    ],
)
def test_groups_are_not_compared_with_a_target(
    contest: Contest, alice: User, sign_in: SignIn, options: dict[str, Any], groups_by: str, is_refused: bool
) -> None:
    contest.game_key, contest.options = "dice-run", {}
    contest.save()
    client, address = sign_in(alice), f"/desk/events/{contest.event.slug}/contests/{contest.slug}/settings/"
    usual = {f"options.{name}": value for name, value in contest.ruleset.options.items() if value is not None}
    data = {"name": "Dice run", "group_best": 2, **usual, **options, "groups_by": groups_by}

    response = save(client, address, data)

    if is_refused:
        assert_refused(response, "id_groups_by", REASON)
        assert Contest.objects.get().options == {}
    else:
        assert response.status_code == 302
        assert Contest.objects.get().groups_by == groups_by


HANDS = "Hands cannot be added up. Leave groups uncompared."
TARGET = {"goal": "target", "target": 88}


@pytest.mark.parametrize(
    ("game", "options", "has_begun", "reason"),
    [
        ("dice-run", TARGET, True, REASON),
        ("poker-run", {}, True, HANDS),
        ("poker-run", {}, False, HANDS),
        ("dice-run", TARGET, False, ""),
        ("dice-run", {}, True, ""),
    ],
)
def test_where_no_option_can_help_groups_are_fixed_and_the_game_says_why(
    contest: Contest, alice: User, sign_in: SignIn, game: str, options: dict[str, Any], has_begun: bool, reason: str
) -> None:
    contest.game_key, contest.options = game, options
    contest.frozen_at = timezone.now() if has_begun else None
    contest.save()
    client, address = sign_in(alice), f"/desk/events/{contest.event.slug}/contests/{contest.slug}/settings/"

    page = get_page_text(client.get(address))
    assert page.count(reason or REASON) == (2 if reason else 0), "both fields say it"
    assert bool(re.search(r'<select name="groups_by"[^>]* disabled', page)) == bool(reason)
    if has_begun:
        assert save(client, address, {"name": "Renamed", "groups_by": "mean", "group_best": "2"}).status_code == 302
        assert Contest.objects.get().groups_by == ("" if reason else "mean")
