"""Web processes are restarted one after the other, as an upgrade does, and nobody who uses the pages notices."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from tests.cluster.cluster import Cluster
from tests.cluster.ride import Ride

PHONES = 4


def test_no_page_is_refused_while_one_process_after_the_other_is_restarted(cluster: Cluster, ride: Ride) -> None:
    over = Event()

    def look(bike: str) -> list[int]:
        """Open a card and tap a die, over and over; return how it was answered."""
        phone = ride.phone.twin()
        codes = []
        while not over.is_set():
            page = phone.get(bike)
            codes += [page.status_code, phone.press(page, face="2").status_code]
        return codes

    with ThreadPoolExecutor(PHONES) as pool:
        looking = [pool.submit(look, bike) for bike in ride.bikes[:PHONES]]
        try:
            for name in ("web-1", "web-2"):
                cluster[name].stop()
                lived = len(cluster[name].lines)
                cluster[name].start()
                # The proxy leaves out for a moment who refused it; only then may the other one go.
                cluster[name].wait_for('"event": "request"', lived)
        finally:
            over.set()
        codes = [code for phone in looking for code in phone.result()]

    assert len(codes) > 10 * PHONES
    assert set(codes) == {200}
