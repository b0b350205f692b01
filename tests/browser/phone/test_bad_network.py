"""With a bad network, a page comes from the server or from the phone, whichever answers."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import NEVER_STARTED, Phone

RELOADS = 5
RIDE = "**/api/v1/ride/parts"
REFRESH = "dispatchEvent(new Event('online'))"
LOG_REPORTS = """
    self.reports = [];
    self.addEventListener("message", ({ data }) => { if (data.tell === "network") self.reports.push(data.isGood); });
"""
READ_REPORTS = """() => new Promise((resolve) => {
  const read = () => self.reports.length ? resolve(self.reports) : setTimeout(read, 50);
  read();
})"""
REPORT_FAILURE = "navigator.serviceWorker.controller.postMessage({ tell: 'network', isGood: false })"


def test_a_page_that_is_left_while_it_refreshes_does_not_report_that_the_server_cannot_be_reached(phone: Phone) -> None:
    phone.leave_out_engine(everywhere=True)
    with phone.page.expect_response(RIDE):
        crew.show_bike(phone.page, "BBQ", "8")
    [worker] = phone.page.context.service_workers
    worker.evaluate(LOG_REPORTS)

    for _ in range(RELOADS):  # each cancels the request of the page before
        with phone.page.expect_request(RIDE):
            phone.page.reload()

    expect(crew.get_face_button(phone.page, 1)).to_be_visible()
    phone.page.evaluate(REFRESH)
    assert all(worker.evaluate(READ_REPORTS))


def test_while_the_engine_starts_a_page_comes_from_the_server_even_if_that_has_just_failed(phone: Phone) -> None:
    turn_entry.open_group(phone.page)  # where the browser has just started, the server's first answer may come too late
    phone.page.route(RIDE, lambda route: route.abort())
    phone.page.add_init_script(NEVER_STARTED)
    turn_entry.open_group(phone.page)
    phone.page.evaluate(REPORT_FAILURE)

    turn_entry.open_bike(phone.page, "8")
