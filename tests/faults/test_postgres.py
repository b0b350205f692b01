"""PostgreSQL stops and comes back. In the meantime pages say what to do, and nothing counts twice."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Callable
from functools import partial
from html import unescape

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.http_client import HttpAnswer, HttpClient
from tests.cluster.ride import ClusterRide
from tests.faults.figures import Figures
from tests.faults.final_checks import check_everything
from tests.faults.phones import Sending, split_between_phones
from tests.faults.ride import FaultRide
from tests.faults.scale import scaled
from tests.faults.servers import wait_until
from tests.scorekeeper.scorecards.card_forms import read_form

PHONES = 8
BACK_WITHIN = 10.0  # seconds


def words(page: HttpAnswer) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", page.text)).split())


@pytest.mark.parametrize("way", ["stop", "kill"])
def test_a_turn_sent_while_the_database_is_down_stays_in_the_page_and_counts_once(
    cluster: Cluster, ride: ClusterRide, way: str
) -> None:
    bike = ride.bikes[0]
    page = ride.tap(bike, "22233")

    getattr(cluster["postgres"], way)()
    refused = ride.phone.press(page, choose="score:full_house")

    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    assert "What you entered is still on this page" in words(refused)
    assert read_form(refused)["choose"] == ["score:full_house"]

    cluster["postgres"].start()
    for _ in range(2):
        sent = ride.phone.press(refused)
        assert sent.status_code == 200
    cluster.wait_until(lambda: ride.has_total(bike, "25"))
    assert ride.count_turns(cluster) == 1


def test_pages_say_that_the_database_is_down_and_recover_without_a_restart(
    cluster: Cluster, shared_ride: ClusterRide
) -> None:
    ride = shared_ride
    pids = [cluster[name].pid for name in ("web-1", "web-2")]
    visitor = HttpClient(cluster.url)
    form = visitor.get("/sign-in/")
    cluster["postgres"].stop()

    shown = [ride.phone.get("/crew/"), ride.organiser.get(ride.desk), HttpClient(cluster.url).get(ride.board)]
    data = HttpClient(cluster.url).get(ride.board, Accept="application/json")
    health = HttpClient(cluster.url).get("/healthz")

    for page in shown:
        assert (page.status_code, page.headers["Retry-After"], page.headers["Cache-Control"]) == (503, "5", "no-store")
        assert "cannot reach its database" in words(page)
        assert '<meta http-equiv="refresh" content="5">' in page.text
        assert "Content-Security-Policy" in page.headers
    assert (data.status_code, json.loads(data.content)["code"]) == (503, "away")
    assert health.status_code == 200
    check_that_a_password_is_not_written_into_the_page(visitor, form)
    check_that_the_log_says_in_one_line_why_a_request_failed(cluster, shown[0])

    cluster["postgres"].start()
    # Both web processes, with the connections each had.
    assert [ride.phone.get("/crew/").status_code for _ in range(20)] == [200] * 20
    assert [cluster[name].pid for name in ("web-1", "web-2")] == pids


def check_that_a_password_is_not_written_into_the_page(visitor: HttpClient, form: HttpAnswer) -> None:
    refused = visitor.press(form, username="organiser", password="hush-hush-hush")

    assert refused.status_code == 503
    assert "hush-hush-hush" not in refused.text
    assert "go back and send it again" in words(refused)


def check_that_the_log_says_in_one_line_why_a_request_failed(cluster: Cluster, page: HttpAnswer) -> None:
    line = json.loads(cluster.wait_for_line("web", page.headers["X-Request-ID"]))
    assert (line["event"], line["level"]) == ("database_unavailable", "warning")


@pytest.mark.timeout(900)
def test_an_immediate_stop_while_writing_loses_nothing_and_needs_no_restart(
    cluster: Cluster, make_fault_ride: Callable[[int, int], FaultRide], figures: Figures
) -> None:
    ride = make_fault_ride(scaled(2000, 40), PHONES)
    phones = split_between_phones(cluster.ports["front"], ride.phones, ride.make_turns(seed=5), batch=1)
    pids = [cluster[name].pid for name in ("web-1", "web-2")]
    stops, took = scaled(20, 2), []

    with Sending(phones) as sending:
        for _ in range(stops):
            wait_until(partial(sending.has_more_than, sending.count_receipts()), "receipts come")
            cluster["postgres"].stop(by=signal.SIGQUIT)
            refused = sum(len(phone.statuses) for phone in phones)
            wait_until(partial(have_more_refusals, sending, refused), "phones get refusals")
            cluster["postgres"].start()
            back = time.monotonic()
            before = {phone.cookie: len(phone.receipts) for phone in phones}
            wait_until(partial(have_all_more, sending, before), "every phone is answered again", BACK_WITHIN)
            took.append(time.monotonic() - back)
        assert not sending.is_over, "it was stopped after all was sent"
        for phone in phones:
            phone.batch = 50
        sending.wait(seconds=600)

    right = check_everything(cluster.database, cluster.url, ride, phones)
    statuses = [status for phone in phones for status in phone.statuses]
    assert set(statuses) == {503}
    assert [phone.lost for phone in phones] == [0] * PHONES
    assert [cluster[name].pid for name in ("web-1", "web-2")] == pids
    figures.add(
        "4 · PostgreSQL stopped at once while it is written to",
        f"{stops} stops under {len(ride.bikes) * len(ride.slots):,} turns: 0 acknowledged lost, 0 doubled; "
        f"{len(statuses):,} answers meanwhile, all of them 503; every phone answered again within {max(took):.1f} s "
        f"without a restart, standings right {right:.1f} s after the last receipt",
    )


def have_more_refusals(sending: Sending, number: int) -> bool:
    return sum(len(phone.statuses) for phone in sending.phones) > number


def have_all_more(sending: Sending, receipts: dict[str, int]) -> bool:
    """Whether every phone with something to send has had a receipt since."""
    return all(len(phone.receipts) > receipts[phone.cookie] or not phone.queue for phone in sending.phones)
