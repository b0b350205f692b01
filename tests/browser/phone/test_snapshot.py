"""The phone's engine starts from a snapshot, from scratch if that is missing or damaged, and again if a start fails."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.scale import FULL

WAIT_UNTIL_READY = """
globalThis.wasRestored = new Promise((resolve) => document.addEventListener("phone:engine", ({ detail }) => {
  if (detail.how === "ready") resolve(detail.isRestored);
}));
"""
DAMAGE = """async (bytes) => {
  const cache = await caches.open("engine-snapshots");
  const [request] = await cache.keys();
  if (bytes === null) await cache.delete(request);
  else await cache.put(request, new Response(new Uint8Array(bytes)));
}"""

# The first worker of each page cannot be loaded, as when the browser cannot read one of its own files for a moment.
LOSE_FIRST_WORKER = """
let isLost = false;
window.Worker = class extends Worker {
  constructor(path, options) {
    super(isLost ? path : "/static/gone.js", options);
    isLost = true;
  }
};"""


def was_restored(phone: Phone) -> bool:
    restored: bool = phone.page.evaluate("globalThis.wasRestored")
    return restored


# The first phone that each run prepares has none, and an empty one fails as this one does, when it is restored.
DAMAGES = [pytest.param([1, 2, 3, 4], id="something else")]
if FULL:
    DAMAGES += [pytest.param(None, id="gone"), pytest.param([], id="empty")]


@pytest.mark.parametrize("damage", DAMAGES)
def test_without_a_usable_snapshot_the_engine_starts_from_scratch_and_stores_a_new_one(
    site: Site, phone: Phone, damage: list[int] | None
) -> None:
    phone.page.add_init_script(WAIT_UNTIL_READY)
    phone.page.goto("/healthz")  # no page of ours, so no engine has to start
    assert phone.page.evaluate("caches.has('engine-snapshots')")
    phone.page.evaluate(DAMAGE, damage)
    site.go_offline()

    turn_entry.open_group(phone.page)

    assert not was_restored(phone)
    turn_entry.record_turn_offline(phone, "8", "55533", "Full house")
    phone.wait_for_snapshot()
    phone.page.add_init_script(LOSE_FIRST_WORKER)
    ids = set()
    for _ in range(2):
        phone.page.goto("/crew/")
        assert was_restored(phone)
        expect(crew.get_bike_link(phone.page, "8")).to_contain_text("Full house: 25")
        turn_entry.open_bike(phone.page, "12")
        ids.add(phone.page.locator("input[name='operation']").first.input_value())
    assert len(ids) == 2, "no two starts from one snapshot give an operation the same id"
