"""The page that explains how a phone learns to trust the program's own certificate."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.measure import PHONE, list_page_problems
from tests.browser.site_walk import MEASURED_BY, get_route
from tests.demo_data import copy_data
from tests.scorekeeper.common.test_serve_tls import TlsServer


def test_a_phone_shows_how_to_trust_it_and_can_read_all_of_it(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = tmp_path_factory.mktemp("trust")
    copy_data(data)
    tls = TlsServer(data)
    try:
        with browser.new_context(viewport=PHONE) as context:
            page = context.new_page()
            page.goto(f"{tls.plain_url}/trust/")
            assert MEASURED_BY["test_trust.py"] == {get_route("/trust/")}
            expect(page.get_by_role("heading", name="Let this phone trust Tailgunner")).to_be_visible()
            expect(page.get_by_text(tls.fingerprint)).to_be_hidden()
            page.get_by_text("For technicians").click()
            expect(page.get_by_text(tls.fingerprint)).to_be_visible()
            assert "\n".join(list_page_problems(page)) == ""
            with page.expect_download() as started:
                page.get_by_role("link", name="Download").click()
            assert started.value.suggested_filename == "tailgunner-ca.crt"
            assert started.value.path().read_bytes() == tls.authority.read_bytes()
        # A phone that trusts it gets pages whose scripts may use the camera and store entries.
        with browser.new_context(viewport=PHONE, ignore_https_errors=True) as context:
            page = context.new_page()
            page.goto(f"{tls.plain_url}/rules/")
            expect(page).to_have_url(f"{tls.url}/rules/")
            assert page.evaluate("isSecureContext")
    finally:
        tls.running.end()
