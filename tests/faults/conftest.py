"""The programs under test. A test that uses the `cluster` fixture is marked `cluster`."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.ride import ClusterRide, Rides
from tests.faults.clocks import with_clock
from tests.faults.ride import FaultRide, RideMaker
from tests.faults.scale import SWEEPS


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and "running_cluster" in item.fixturenames:
            item.add_marker(pytest.mark.cluster)


@pytest.fixture(scope="session")
def running_cluster() -> Iterator[Cluster]:
    """The cluster, started once for the whole run; tests use the fixture `cluster`."""
    # Not pytest's own folder: PostgreSQL runs as another user, and the path of its socket has to be short.
    folder = Path(tempfile.mkdtemp(prefix="tailgunner-cluster-"))
    folder.chmod(0o755)
    # Any process's clock can be changed while it runs.
    cluster = Cluster(folder, process_variables=with_clock(), WEBHOOKS_TO_LOOPBACK="yes", **SWEEPS)
    try:
        cluster.set_up()
        yield cluster
    finally:
        cluster.end()
        shutil.rmtree(folder)


@pytest.fixture
def cluster(running_cluster: Cluster) -> Iterator[Cluster]:
    """The cluster, with every process running when the test begins."""
    running_cluster.restore()
    yield running_cluster
    running_cluster.restore()


@pytest.fixture(scope="session")
def rides(running_cluster: Cluster) -> Rides:
    """Rides on the cluster that no test has used yet."""
    return Rides(running_cluster)


@pytest.fixture
def ride(cluster: Cluster, rides: Rides) -> ClusterRide:
    """A ride of this test's own, set up, with nothing recorded."""
    return rides.get_unused()


@pytest.fixture(scope="session")
def shared_ride(rides: Rides) -> ClusterRide:
    """A ride of all tests that record nothing and change nothing."""
    return rides.get_unused()


@pytest.fixture(scope="session")
def ride_maker(running_cluster: Cluster) -> Iterator[RideMaker]:
    """The process that makes rides on the cluster."""
    with RideMaker(running_cluster.data, running_cluster.variables) as maker:
        yield maker


@pytest.fixture
def make_fault_ride(cluster: Cluster, ride_maker: RideMaker) -> Callable[..., FaultRide]:
    """Make a ride on the cluster with nothing recorded: `make_fault_ride(bikes, phones, tables=0)`."""
    return ride_maker.make_ride
