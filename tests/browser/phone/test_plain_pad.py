"""A phone on which the rules do not run: it works with the server, and without signal it offers the plain pad."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.measure import PHONE
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

# Every worker of the engine ends at once, as on a phone without enough memory for it.
BROKEN = """window.Worker = class extends Worker {
  constructor(path, options) { super("/static/gone.js", options); }
};"""
# A page that dies while it starts the engine writes nothing any more.
DIED_TWICE = """if (!sessionStorage.getItem("died")) {
  localStorage.setItem("tailgunner-engine-starts", JSON.stringify({ one: Date.now(), two: Date.now() }));
  sessionStorage.setItem("died", "1");
}"""
# The engine breaks down whenever it is asked for a page.
BREAKS_DOWN = """window.Worker = class extends Worker {
  postMessage(message) {
    if (message.name !== "answer") return super.postMessage(message);
    const data = { number: message.number, error: "out of memory" };
    setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
  }
};"""


def _enter(page: Page, bike: str, dice: str, box: str, taps: int = 1) -> None:
    page.locator("select[name=bike]").select_option(label=bike)
    for face in dice:
        page.locator(f"[data-dice-pad] button[value='{face}']").click()
    page.get_by_role("radio", name=box, exact=True).check()
    page.get_by_role("button", name="Save on this phone").click(click_count=taps)


def find_bike(page: Page) -> str:
    """Return bike 8 as the pad names it."""
    return page.locator("select[name=bike] option").filter(has_text="8 ").first.inner_text()


def open_plain_pad(page: Page) -> None:
    page.goto("/crew/")
    page.get_by_role("link", name="Enter without the rules", exact=True).click()
    expect(page.locator("[data-plain-form]")).to_be_visible()


def test_without_engine_and_signal_a_turn_is_entered_on_the_plain_pad_and_counts_once_sent(
    site: Site, phone: Phone
) -> None:
    page = phone.page
    page.add_init_script(BROKEN)
    site.go_offline()

    open_plain_pad(page)
    bike = find_bike(page)
    page.locator("select[name=slot]").select_option(index=2)
    _enter(page, bike, "55533", "Full house")
    expect(page.locator("[data-plain-said]")).to_have_text(
        f"Saved on this phone: {bike}, BBQ, turn 3: 5 5 5 3 3, Full house"
    )
    expect(page.locator("[data-dice-local]")).to_have_count(0)
    assert phone.count() == {"waiting": 1}
    box = page.get_by_role("button", name="Save on this phone").bounding_box()
    assert box
    assert box["width"] >= PHONE["width"] - 40
    assert box["height"] >= 64

    site.go_online()
    phone.go_online()
    phone.wait_for_states(sent=1)
    page.goto("/crew/")
    expect(crew.get_bike_link(page, "8")).to_contain_text("Full house: 25")
    expect(page.locator("[data-bar-plain]")).to_contain_text("The rules do not run on this phone")


def test_an_entry_is_stored_once_however_often_its_button_is_tapped(site: Site, phone: Phone) -> None:
    page = phone.page
    page.add_init_script(BROKEN)
    site.go_offline()
    open_plain_pad(page)
    bike = find_bike(page)
    said = page.locator("[data-plain-said]")
    button = page.get_by_role("button", name="Save on this phone")
    button.click()
    expect(said).to_contain_text("Choose the bike first")
    page.locator("select[name=bike]").select_option(label=bike)
    expect(said).to_be_hidden()

    _enter(page, bike, "55533", "Full house", taps=2)
    expect(said).to_contain_text("Saved on this phone")
    button.click()  # the tap bounces once more, on the cleared form

    expect(said).to_contain_text("Saved on this phone")
    assert phone.count() == {"waiting": 1}


def test_the_pad_proposes_the_last_stop_or_the_next_at_which_the_bike_has_no_turn(site: Site, phone: Phone) -> None:
    page = phone.page
    page.add_init_script(BROKEN)
    site.go_offline()
    open_plain_pad(page)
    bike, slot = find_bike(page), page.locator("select[name=slot]")
    assert slot.locator(":checked").inner_text() == "Parks, turn 2"  # the last entry of all, before a bike is chosen
    page.locator("select[name=bike]").select_option(label=bike)
    assert slot.locator(":checked").inner_text() == "BBQ, turn 3"
    slot.select_option(label="BBQ, turn 3")
    _enter(page, bike, "55533", "Full house")
    expect(page.locator("[data-plain-said]")).to_be_visible()

    assert slot.locator(":checked").inner_text() == "BBQ, turn 3"
    page.locator("select[name=bike]").select_option(label=bike)
    assert slot.locator(":checked").inner_text() != "BBQ, turn 3"
    slot.select_option(index=0)
    page.locator("select[name=bike]").select_option(index=3)
    assert slot.evaluate("slot => slot.selectedIndex") == 0  # chosen by hand, it stays


def test_an_entry_beside_a_running_engine_is_on_the_card_at_once(site: Site, phone: Phone) -> None:
    page = phone.page
    turn_entry.open_group(page, "BBQ")
    turn_entry.open_bike(page, "8")  # by the engine
    _follow(page, "/crew/plain/")
    site.go_offline()
    bike = find_bike(page)
    page.locator("select[name=slot]").select_option(label="BBQ, turn 3")
    _enter(page, bike, "55533", "Full house")
    expect(page.locator("[data-plain-said]")).to_contain_text("Saved on this phone")

    page.get_by_role("link", name="My group").click()
    turn_entry.go_to_stop(page, "BBQ")

    expect(crew.get_bike_link(page, "8")).to_contain_text("Full house: 25")


def test_a_phone_that_has_another_owner_by_now_has_no_plain_pad(site: Site, phone: Phone) -> None:
    page = phone.page
    page.add_init_script(BROKEN)
    site.go_offline()
    page.goto("/crew/plain/")
    expect(page.locator("[data-plain-form]")).to_be_visible()
    page.evaluate("document.cookie = 'tailgunner_phone=11111111-1111-4111-8111-111111111111; path=/'")

    page.reload()

    expect(page.locator("[data-plain-empty]")).to_be_visible()
    expect(page.locator("[data-plain-form]")).to_be_hidden()


def _follow(page: Page, path: str) -> None:
    """Follow a link in the same document, as the pages of the app do."""
    page.evaluate(
        """(path) => {
      const link = Object.assign(document.createElement("a"), { href: path, textContent: "plain" });
      document.querySelector("main").append(link);
      link.click();
    }""",
        path,
    )
    expect(page.locator("[data-plain-form]")).to_be_visible()


def test_what_the_rules_do_not_allow_is_sent_to_the_organiser(site: Site, phone: Phone) -> None:
    page = phone.page
    page.add_init_script(BROKEN)
    site.go_offline()
    open_plain_pad(page)
    bike = find_bike(page)
    page.get_by_role("button", name="Save on this phone").click()
    expect(page.locator("[data-plain-said]")).to_contain_text("Choose the bike first")
    page.locator("select[name=bike]").select_option(label=bike)
    page.get_by_role("button", name="Save on this phone").click()
    expect(page.locator("[data-plain-said]")).to_contain_text("Fill in every part of the turn")
    for slot in (2, 3):
        page.locator("select[name=slot]").select_option(index=slot)
        _enter(page, bike, "55533", "Full house")

    site.go_online()
    phone.go_online()
    phone.wait_for_states(sent=1, attention=1)
    page.locator("[data-bar-attention]").click()
    expect(page.locator("[data-attention-list]")).to_contain_text("The organiser will decide")
    expect(page.locator("[data-attention-list]")).to_contain_text(bike)


def test_after_two_pages_that_did_not_survive_its_start_no_engine_is_started(site: Site, phone: Phone) -> None:
    page = phone.page
    page.add_init_script(DIED_TWICE)

    page.goto("/crew/")  # from the server

    expect(page.locator("[data-bar-plain]")).to_be_visible()
    turn_entry.open_bike(page, "8")
    site.go_offline()
    page.goto("/crew/")
    expect(page.get_by_role("link", name="Enter without the rules", exact=True)).to_be_visible()
    expect(page.locator("[data-shell-error]")).to_contain_text("closed this page twice")


def test_an_engine_that_breaks_down_twice_is_not_started_again(site: Site, phone: Phone) -> None:
    page = phone.page
    page.add_init_script(BREAKS_DOWN)
    page.goto("/healthz")  # no page of ours, so no other engine answers
    site.go_offline()

    page.goto("/crew/")

    expect(page.get_by_role("link", name="Enter without the rules", exact=True)).to_be_visible()
