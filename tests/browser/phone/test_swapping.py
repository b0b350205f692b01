"""Two phones without signal exchange what they have; the one that gets home delivers for both.

By hand nobody can hold a phone to another's screen here: the codes are drawn, and read from what was drawn.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import TIMEOUT_MS, Phone
from tests.browser.phone.site import Site
from tests.faults.scale import FULL, scaled

MANY = scaled(100, 30)
TURNS = (("8", "55533", "Full house"), ("12", "66612", "Sixes"))


def _open_swap(page: Page) -> None:
    page.goto("/crew/swap/")
    expect(page.get_by_role("button", name="Save as a file")).to_be_visible(timeout=TIMEOUT_MS)


def _save(page: Page, path: Path) -> Path:
    _open_swap(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    download.value.save_as(path)
    return path


def _open_file(page: Page, path: Path) -> None:
    _open_swap(page)
    page.locator("[data-swap-file]").set_input_files(path)


# No pause between tries is waited for.
TRY_AGAIN = """
() => {
  const isWaiting = document.querySelector(".swap__phone--waiting");
  if (isWaiting) dispatchEvent(new Event("online"));
  return !isWaiting;
}
"""


def _go_online_until_delivered(site: Site, page: Page) -> None:
    """Go online again and again, until no relayed entry is pending."""
    expect(page.locator(".swap__phone--waiting")).to_have_count(1)
    site.go_online()
    page.wait_for_function(TRY_AGAIN, polling=500)


def _report_unsent(phone: Phone, count: int) -> None:
    """Make the phone report its pending entries, as it does with signal."""
    result = phone.page.evaluate(TELL, count)
    assert result == 200


def test_another_phone_delivers_the_entries_of_a_dead_phone_and_they_count_once(
    site: Site, phone: Phone, other_phone: Phone, tmp_path: Path
) -> None:
    for one in (phone, other_phone):
        one.leave_out_engine()
    phone.page.goto("/healthz")
    _report_unsent(phone, 2)
    site.go_offline()
    if FULL:
        for turn in TURNS:
            turn_entry.record_turn(phone.page, *turn)
    else:
        phone.add_to_outbox([site.make_scored_turn(*turn) for turn in TURNS])
    ids = [one["id"] for one in phone.read("operations")]

    file = _save(phone.page, tmp_path / "entries.txt")
    phone.close()
    _open_file(other_phone.page, file)

    said = other_phone.page.locator("[data-swap-message]")
    expect(said).to_have_text("Emil’s phone: 2 entries collected.")
    other_phone.page.goto("/crew/")
    expect(crew.get_bike_link(other_phone.page, "8")).to_contain_text("Full house: 25", timeout=TIMEOUT_MS)
    expect(crew.get_bike_link(other_phone.page, "12")).to_contain_text("Sixes: 18")
    assert site.count_recorded(ids) == [0, 0]

    bar = other_phone.page.locator("#phone-bar")
    expect(bar).to_contain_text("No signal. 2 to send for others")
    turn_entry.record_turn_offline(other_phone, "3", "44412", "Fours")
    expect(bar).to_contain_text("No signal. 1 to send, 2 for others")
    ids += [one["id"] for one in other_phone.read("operations")]
    other_phone.page.goto("/crew/ready/")
    expect(other_phone.page.locator("[data-check='sent']")).to_contain_text("Not sent yet: 3.")

    _open_swap(other_phone.page)
    _go_online_until_delivered(site, other_phone.page)
    expect(bar).to_contain_text("All sent")
    assert site.count_recorded(ids) == [1, 1, 1]
    assert set(site.query("SELECT unsent FROM crew_device WHERE reported_at IS NOT NULL")) == {(0,)}

    phone.open()  # it was not dead after all
    phone.page.goto("/crew/ready/")
    expect(phone.page.locator("#phone-bar")).to_contain_text("All sent", timeout=TIMEOUT_MS)
    assert phone.count() == {"sent": 2}
    assert site.count_recorded(ids) == [1, 1, 1]
    assert {one["receipt"]["outcome"] for one in phone.read("operations")} == {"recorded"}


def test_many_entries_are_swapped_by_codes_and_what_is_altered_or_fails_on_the_server_stops_no_other(
    site: Site, phone: Phone, other_phone: Phone
) -> None:
    for one in (phone, other_phone):
        one.leave_out_engine()
    phone.page.goto("/healthz")
    site.go_offline()
    ids = phone.add_to_outbox(site.make_walk_ups(MANY))
    _open_swap(phone.page)
    drawn = phone.page.evaluate(DRAW)
    phone.close()  # or it may find signal first, and send them as they are
    _open_swap(other_phone.page)

    result = other_phone.page.evaluate(READ_DRAWN, drawn)

    assert result == {"taken": {"Emil": MANY}, "known": 0}
    swapped = other_phone.page.locator("[data-swap-list]")
    expect(swapped).to_contain_text(f"Emil’s phone: {MANY} entries collected")
    with site.fail_on(ids[-1]):
        _go_online_until_delivered(site, other_phone.page)
    recorded = dict(zip(ids, site.count_recorded(ids), strict=True))
    assert (recorded[ids[-1]], sum(recorded.values())) == (0, MANY - 2)
    expect(swapped).to_contain_text("the server did not accept 2 entries", timeout=TIMEOUT_MS)

    other_phone.page.locator("[data-swap-retry]").click()
    expect(swapped).to_contain_text("the server did not accept 1 entry", timeout=TIMEOUT_MS)
    assert sum(site.count_recorded(ids)) == MANY - 1
    [kept] = [one for one in other_phone.read("carried") if one["state"] == "stopped"]
    assert kept["receipt"]["outcome"] == "forged"


TELL = """async (unsent) => (await fetch("/api/v1/operations", {
  method: "POST", headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ operations: [], report: { unsent, attention: 0 } }),
})).status"""
# The modules as this page has them: their addresses carry a digest.
MODULE = """const load = (name) => import(performance.getEntriesByType("resource").map((one) => one.name)
  .find((address) => new RegExp(`/${name}(\\\\.\\\\w+)?\\\\.js$`).test(address)));"""
DRAW = """async () => {
  MODULE
  const names = ["export", "bundle", "frames", "codes"];
  const [{ collectEnvelopes }, { pack }, { split }, { draw }] = await Promise.all(names.map(load));
  return (await split(await pack(await collectEnvelopes()))).map((frame) => {
    const canvas = document.createElement("canvas");
    draw(canvas, frame);
    return canvas.toDataURL();
  });
}""".replace("MODULE", MODULE)
# Seen in any order, some of them twice, and the first ones last; then one is altered before the phone takes it along.
READ_DRAWN = """async (drawn) => {
  MODULE
  const names = ["relayed", "bundle", "frames"];
  const [{ storeEnvelopes }, { unpack }, { Assembler }] = await Promise.all(names.map(load));
  const decode = await (await load("code_reader")).makeByteDecoder();
  const frames = new Assembler();
  for (const address of [...drawn.slice(2), ...drawn.slice(2, 4), ...drawn]) {
    const bytes = Uint8Array.from(atob(address.split(",")[1]), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const drawing = document.createElement("canvas").getContext("2d");
    drawing.canvas.width = image.width;
    drawing.canvas.height = image.height;
    drawing.drawImage(image, 0, 0);
    const seen = decode(drawing.getImageData(0, 0, image.width, image.height));
    if (!frames.add(seen)) throw new Error("a code cannot be read");
  }
  const bundle = await unpack(await frames.join());
  const [first] = bundle.envelopes;
  first.operations_json = first.operations_json.replace("Rider ", "Writer ");
  return storeEnvelopes(bundle);
}""".replace("MODULE", MODULE)
