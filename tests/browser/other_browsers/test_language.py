"""A crew member in French, in Firefox and WebKit: joining, recording with and without signal, reading a leaderboard."""

from __future__ import annotations

from tests.browser.other_browsers.conftest import RideDay
from tests.browser.other_browsers.other_browser import OtherBrowser
from tests.browser.other_browsers.test_crews_day import open_group, wait_for_states

LANGUAGE_OF_ENGINE = """const file = await (await fetch("/crew/language.json")).json();
return [document.documentElement.lang, file.language];"""


def test_a_phone_joins_in_french_records_with_and_without_signal_and_reads_the_leaderboard(
    ride_day: RideDay, phone: OtherBrowser
) -> None:
    site, organiser, _data = ride_day
    phone.goto(organiser.make_link("Emil"))
    phone.tap("form.languages button", "Français")
    phone.tap("button", "C’est mon téléphone")
    phone.wait_for("[data-ready='yes']")
    assert phone.evaluate(LANGUAGE_OF_ENGINE) == ["fr", "fr"]

    record_full_house(phone, "8")
    wait_for_states(phone, sent=1)
    site.refuse_connections()
    record_full_house(phone, "12")
    wait_for_states(phone, sent=1, waiting=1)
    phone.wait_for("[data-bar-line]", "Pas de réseau.")
    site.go_online()
    wait_for_states(phone, sent=2)

    phone.goto(f"/events/{site.slug}/rock-yahtzee/")
    assert phone.evaluate(LANGUAGE_OF_ENGINE)[0] == "fr"
    phone.wait_for("h2", "Télécharger les résultats")


def record_full_house(phone: OtherBrowser, number: str) -> None:
    open_group(phone)
    phone.tap(".bike-row bdi", number)
    phone.wait_for("h1 .plate", number)
    for face in "55533":
        phone.tap(f"[data-dice-pad] button:nth-child({face})")
    phone.tap("button.box .box__label", "Full")
    phone.wait_for(".turn-result", "Full")
