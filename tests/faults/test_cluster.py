"""Many processes behind one address behave as one program."""

from __future__ import annotations

import json

from tests.cluster.cluster import Cluster
from tests.cluster.ride import ClusterRide


def test_organisers_and_crews_find_their_pages_at_one_address(cluster: Cluster, shared_ride: ClusterRide) -> None:
    ride = shared_ride
    desk = ride.organiser.get(ride.desk)
    crew = ride.phone.get("/crew/")

    assert (desk.status_code, crew.status_code) == (200, 200)
    assert desk.url.endswith(ride.desk)
    assert len(ride.bikes) > 3


def test_both_web_processes_answer(cluster: Cluster, shared_ride: ClusterRide) -> None:
    before = {name: cluster[name].log.count('"request"') for name in ("web-1", "web-2")}
    for _ in range(10):
        shared_ride.phone.get("/crew/")

    assert all(cluster[name].log.count('"request"') > count for name, count in before.items())


def test_a_worker_adds_a_turn_to_the_standings(cluster: Cluster, ride: ClusterRide) -> None:
    bike = ride.bikes[0]
    assert ride.get_total(bike) == "–"

    shown = ride.record_turn(bike, "22233", "full_house")

    assert shown.status_code == 200
    cluster.wait_until(lambda: ride.has_total(bike, "25"))
    # A task that a command started has no request id.
    done = json.loads(cluster.wait_for_line("worker", '"request_id"'))
    asked = json.loads(cluster.wait_for_line("web", done["request_id"]))
    assert (done["task"], done["state"], asked["method"]) == ("standings.follow", "SUCCESS", "POST")
