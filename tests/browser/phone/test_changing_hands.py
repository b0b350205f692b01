"""A phone changes hands with a full queue: each entry counts in the name of the person who recorded it."""

from __future__ import annotations

from uuid import UUID, uuid4

from playwright.sync_api import Browser, expect

from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import MakeLink
from tests.browser.phone.phone import WITHOUT_ENGINE, Phone
from tests.browser.phone.site import Site
from tests.faults.scale import FULL

DRAFT, OPEN = "UPDATE events_event SET state = 'draft'", "UPDATE events_event SET state = 'open'"
TURNS = (("8", "55533", "Full house"), ("12", "66612", "Sixes"))
LABEL = "Bike 8, Quin W.: Full house, 25 points"  # of the first
NAMES = """SELECT o.id, m.name, d.member_id = o.actor_id FROM scorecards_entry e
JOIN scorecards_operation o ON o.id = e.operation_id
JOIN crew_crewmember m ON m.id = o.actor_id JOIN crew_device d ON d.id = o.device_id"""


def _record(phone: Phone, number: str, dice: str, box: str) -> str:
    """Record a turn; return the id of its operation."""
    turn_entry.record_turn(phone.page, number, dice, box)
    operation: str = phone.read("operations")[-1]["id"]
    return operation


def _record_without_signal(site: Site, phone: Phone, *turns: tuple[str, str, str]) -> list[str]:
    """Record turns on the phone alone; return the ids of their operations."""
    if FULL:
        site.go_offline()
        ids = [_record(phone, *turn) for turn in turns]
    else:
        phone.page.goto("/healthz")  # no page of ours, so nothing is sent yet
        ids = phone.add_to_outbox([site.make_scored_turn(*turn) for turn in turns], LABEL)
    site.change(DRAFT)  # so that the server records nothing when it is back
    site.go_online()
    return ids


def _list_names(site: Site, ids: list[str]) -> list[str]:
    """Return for each operation the crew member named in the log, once per entry, if the device is theirs too."""
    logged = [(str(UUID(one)), name, is_theirs) for one, name, is_theirs in site.query(NAMES)]
    assert all(is_theirs for _id, _name, is_theirs in logged)
    return [name for one in ids for operation, name, _theirs in logged if operation == one]


def test_entries_are_sent_in_the_name_of_the_person_who_recorded_them_and_then_a_key_is_deleted(
    site: Site, phone: Phone, new_link: MakeLink
) -> None:
    link = new_link("Fay")
    phone.leave_out_engine()
    ids = _record_without_signal(site, phone, *TURNS)
    phone.page.goto("/crew/sign-out/")
    expect(phone.page.locator("[data-unsent-warning]")).to_contain_text("not sent yet: 2.")
    phone.page.get_by_role("button", name="Sign out").click()
    expect(phone.page.get_by_role("heading", name="This phone is signed out")).to_be_visible()
    assert phone.count() == {"waiting": 2}

    phone.join(link)
    phone.expect_key_registered()
    assert phone.count() == {"waiting": 2}
    assert [key["privateKey"] for key in phone.read("keys")] == [{}], (
        "the key that Emil's entries need, and no script reads"
    )
    site.change(OPEN)
    phone.send_now()
    phone.wait_for_states(sent=2)
    ids.append(_record(phone, "3", "44412", "Fours"))
    phone.wait_for_states(sent=3)

    assert _list_names(site, ids) == ["Emil", "Emil", "Fay"]
    phone.wait_until_field_is_gone("keys", "privateKey")

    # A phone that signs out with nothing to send deletes its key.
    phone.page.goto("/crew/sign-out/")
    assert any("privateKey" in fact for fact in phone.read("facts") if isinstance(fact, dict))
    phone.page.get_by_role("button", name="Sign out").click()
    phone.wait_until_field_is_gone("facts", "privateKey")
    phone.wait_until_field_is_gone("keys", "privateKey")


def test_the_entries_of_a_revoked_phone_go_to_the_organiser(site: Site, phone: Phone, new_link: MakeLink) -> None:
    link = new_link("Fay")
    phone.leave_out_engine(everywhere=True)
    _record_without_signal(site, phone, TURNS[0])
    assert site.change("UPDATE crew_device SET revoked_at = '2020-01-01' WHERE public_key <> ''")

    phone.join(link)
    site.change(OPEN)
    phone.go_online()
    phone.wait_for_states(attention=1)

    assert site.query("SELECT count(*) FROM scorecards_reviewitem WHERE reason = 'revoked'") == [(1,)]
    phone.page.get_by_role("button", name="1 needs attention").click()
    item = phone.page.locator(".attention__item")
    expect(item).to_contain_text(LABEL)
    expect(item).to_contain_text("The organiser will decide whether it counts.")
    item.get_by_role("button", name="Dismiss").click()
    expect(phone.page.locator("#attention")).to_be_hidden()
    assert phone.count() == {"aside": 1}


def test_a_link_that_is_opened_without_signing_out_takes_over_no_entries_even_if_their_key_is_lost(
    site: Site, phone: Phone, new_link: MakeLink
) -> None:
    links = [new_link("Fay"), new_link("Emil")]
    phone.leave_out_engine(everywhere=True)
    ids = _record_without_signal(site, phone, TURNS[0])
    phone.join(links[0])
    expect(phone.page.locator("[data-check='ride'].check--yes")).to_be_visible()
    site.change(OPEN)
    phone.go_online()
    phone.wait_for_states(sent=1)
    assert _list_names(site, ids) == ["Emil"]

    # Without its key, the phone keeps entries for the person who recorded them.
    ids += _record_without_signal(site, phone, TURNS[1])
    phone.page.goto("/healthz")
    phone.page.evaluate(DROP_KEY)
    phone.join(links[1])
    site.change(OPEN)
    phone.go_online()
    phone.wait_for_states(sent=1, attention=1)
    phone.page.get_by_role("button", name="1 needs attention").click()
    expect(phone.page.locator(".attention__item")).to_contain_text("the server cannot tell whose it is")

    phone.join(new_link("Fay"))
    phone.wait_for_states(sent=2)
    assert _list_names(site, ids) == ["Emil", "Fay"]


DROP_KEY = """() => new Promise((resolve, reject) => {
  const opening = indexedDB.open("tailgunner");
  opening.onsuccess = () => {
    const work = opening.result.transaction("facts", "readwrite");
    work.objectStore("facts").delete("key");
    work.oncomplete = () => { opening.result.close(); resolve(); };
    work.onabort = reject;
  };
})"""


def test_a_browser_that_lost_its_key_asks_and_is_refused_nothing_and_one_that_is_joining_records_nothing(
    browser: Browser, site: Site, phone: Phone
) -> None:
    # It has the phone's cookies but not its storage. The organiser has to give it a link of its own.
    with browser.new_context(base_url=site.url) as other:
        other.add_init_script(WITHOUT_ENGINE)
        other.add_cookies([*phone.page.context.cookies()])  # type: ignore[list-item]
        answers: list[tuple[str, str, int]] = []
        other.on("response", lambda response: answers.append((response.request.method, response.url, response.status)))
        page = other.new_page()
        with page.expect_response(f"{site.url}/api/v1/key") as asked:
            page.goto("/crew/ready/")
        expect(page.locator("[data-check='swap'].check--no")).to_be_visible()

        assert (asked.value.request.method, asked.value.status) == ("GET", 200)
        assert [answer for answer in answers if answer[2] >= 400] == []
        assert not any(method == "POST" and url.endswith("/api/v1/key") for method, url, _status in answers)

    # A phone that lost signal while it was joining records nothing for the previous ride.
    site.go_offline()
    phone.page.context.add_cookies([{"name": "tailgunner_phone", "value": str(uuid4()), "url": site.url}])
    phone.page.goto("/crew/")
    expect(phone.page.locator("[data-shell-empty]")).to_be_visible()
