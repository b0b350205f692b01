"""A phone saves its receipts, and `verify` compares the log with them: an earlier backup does not match."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import UUID

from playwright.sync_api import expect

from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.scale import FULL
from tests.programs import run_manage

TURNS = (("8", "55533", "Full house"), ("12", "66612", "Sixes"))


def _record(site: Site, phone: Phone, *turns: tuple[str, str, str], before: int = 0) -> list[str]:
    """Record turns with signal, after this many before; return the ids of all operations of the phone."""
    if FULL:
        for turn in turns:
            turn_entry.record_turn(phone.page, *turn)
    else:
        phone.page.goto("/healthz")
        phone.add_to_outbox([site.make_scored_turn(*turn) for turn in turns])
        phone.page.goto("/crew/ready/")
    phone.wait_for_states(sent=before + len(turns))
    return [one["id"] for one in phone.read("operations")]


def _save(phone: Phone, folder: Path) -> Path:
    phone.page.goto("/crew/ready/")
    with phone.page.expect_download() as download:
        phone.page.get_by_role("button", name="Save receipts").click()
    expect(phone.page.locator("[data-witness-said]")).to_contain_text("Send the file to the organiser")
    folder.mkdir(exist_ok=True)
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def test_the_phones_receipts_are_saved_without_signal_and_compared_with_the_log(
    site: Site, phone: Phone, ready_ride: ReadyRide, tmp_path: Path
) -> None:
    phone.leave_out_engine(everywhere=True)
    phone.page.goto("/crew/ready/")
    phone.page.get_by_role("button", name="Save receipts").click()
    expect(phone.page.locator("[data-witness-said]")).to_contain_text("There is nothing to save")

    ids = _record(site, phone, *TURNS)
    [(device, event)] = site.query(
        "SELECT DISTINCT device_id, event_id FROM scorecards_operation WHERE id IN (?, ?)",
        *(UUID(one).hex for one in ids),
    )
    site.go_offline()

    file = _save(phone, tmp_path)

    text = file.read_text()
    [saved] = json.loads(text)["phones"]
    assert [UUID(saved["device"]).hex, UUID(saved["event"]).hex] == [device, event]
    assert [one["operation"] for one in saved["receipts"]] == ids
    assert "Emil" not in text
    assert "Quin" not in text

    # A phone that was signed out still has its receipts.
    site.go_online()
    phone.page.goto("/crew/sign-out/")
    phone.page.get_by_role("button", name="Sign out").click()
    expect(phone.page.get_by_role("heading", name="This phone is signed out")).to_be_visible()
    later = _save(phone, tmp_path / "later")
    [saved] = json.loads(later.read_text())["phones"]
    assert [one["operation"] for one in saved["receipts"]] == ids
    assert UUID(saved["event"]).hex == event

    as_it_is = run_manage(site.data, "verify", "--witness", str(file), str(later))
    assert as_it_is.returncode == 0, as_it_is.stdout + as_it_is.stderr
    for one in (file, later):
        assert f"{one}: 2 receipts, all matching the log" in as_it_is.stdout

    if FULL:  # `test_witness.py` of the standings shows in each run what is said of a receipt without an entry
        _expect_missing(ready_ride.data, file, ids)


def _expect_missing(data: Path, file: Path, ids: list[str]) -> None:
    """Expect that the log of an earlier backup does not match."""
    before = run_manage(data, "verify", "--witness", str(file))
    assert before.returncode == 1
    assert "all in order" in before.stdout, "the log of the backup is whole in itself"
    assert [f"Operation {one}: it is missing" in before.stdout for one in ids] == [True, True]


def test_entries_lost_by_a_restored_server_are_sent_again(site: Site, phone: Phone, tmp_path: Path) -> None:
    phone.leave_out_engine(everywhere=True)
    _record(site, phone, *TURNS)
    site.save(tmp_path)
    ids = _record(site, phone, ("17", "11224", "Chance"), before=2)
    first = phone.read("operations")[-1]["receipt"]
    site.restore(tmp_path)
    site.go_online()
    assert site.count_recorded(ids) == [1, 1, 0]

    phone.page.evaluate("dispatchEvent(new Event('online'))")

    expect(phone.page.locator("#phone-bar")).to_contain_text("All sent. The server was restored from a backup")
    phone.wait_for_states(sent=3)
    assert site.count_recorded(ids) == [1, 1, 1]
    last = phone.read("operations")[-1]
    assert (last["receipt"]["outcome"], last["former"]) == ("recorded", [first])
    [saved] = json.loads(_save(phone, tmp_path).read_text())["phones"]
    assert saved["receipts"][2]["former"][0][0]["hash"] == first["entries"][0]["hash"]
