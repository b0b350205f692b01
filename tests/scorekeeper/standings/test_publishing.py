"""`publish_contest`: a revision is frozen for good, and later entries make the next one pending."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, ReviewItem
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.leaderboard import get_leaderboard, get_live_leaderboard
from scorekeeper.standings.selectors.log_head import compute_event_head
from scorekeeper.standings.selectors.reports import fold_report_at
from scorekeeper.standings.services.closure import reopen_contest
from scorekeeper.standings.services.contest_chain import ChecklistIncomplete, WrongContestStatus
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.standings.conftest import get_status

pytestmark = [pytest.mark.usefixtures("tied_bikes"), pytest.mark.database]


@pytest.fixture
def publish(ride: Ride, desk: Actor):
    """Publish, and reload the contest."""

    def make(reason: str = ""):
        receipt = publish_contest(desk, uuid4(), ride.contest.pk, reason)
        ride.contest.refresh_from_db()
        return receipt

    return make


@pytest.fixture
def official(close, cut, publish, update_standings) -> Revision:
    """Closed, cut and published."""
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    publish()
    update_standings()
    return Revision.objects.get()


def test_publishing_freezes_revision_one(ride: Ride, official: Revision) -> None:
    board = get_leaderboard(ride.contest)

    assert get_status(ride.contest) == "official"
    assert (board.revision, board.needs_revision) == (1, False)
    assert board.as_of == official.published_at
    assert [(row.rank_label, row.number, row.total) for row in board.rows] == [
        ("1", "3", 24),
        ("2", "2", 24),
        ("3", "1", 24),
        ("4", "4", 20),
        *(("–", str(number), 0) for number in ride.bikes if number > 4),
    ]


def test_the_revision_stores_the_events_head_including_its_own_publication(ride: Ride, official: Revision) -> None:
    heads = {chain: (length, head) for chain, length, head in official.chains}

    last = Entry.objects.get(operation=official.operation_id)
    assert heads[str(ride.contest.pk)] == (last.seq, last.hash)
    assert official.event_head == compute_event_head(official.chains)
    assert [chain for chain, _, _ in official.chains] == sorted(heads)


def test_a_revision_contains_no_names(official: Revision) -> None:
    assert not any(name in str(official.standings) for name in ("Ann", "Ben", "Cleo", "Zoe"))


def test_folding_the_log_up_to_the_stored_lengths_gives_the_same_revision(ride: Ride, official: Revision) -> None:
    lengths = {UUID(chain): length for chain, length, _ in official.chains}
    absent = official.standings["absent"]  # the roster is not part of the log
    assert {**fold_report_at(ride.contest, lengths).to_data(), "absent": absent} == official.standings


def test_a_late_entry_makes_revision_two_pending_and_leaves_revision_one(
    ride: Ride, add_turn, desk: Actor, official: Revision, update_standings, publish
) -> None:
    before = official.standings
    add_turn(4, 2, make_paper_turn("sixes", 30))
    assert not get_leaderboard(ride.contest).needs_revision

    decide_review(desk, uuid4(), ReviewItem.objects.get().pk, "apply", "the phone was late")
    update_standings()

    board = get_leaderboard(ride.contest)
    assert (board.revision, board.needs_revision, board.rows[0].number) == (1, True, "3")
    assert get_live_leaderboard(ride.contest).rows[0].number == "4"

    publish()
    board = get_leaderboard(ride.contest)
    assert (board.revision, board.needs_revision, board.rows[0].number) == (2, False, "4")
    assert Revision.objects.get(number=1).standings == before


def test_a_revision_without_changes_is_not_published(official: Revision, publish) -> None:
    with pytest.raises(WrongContestStatus):
        publish()


def test_an_open_contest_is_not_published(publish) -> None:
    with pytest.raises(WrongContestStatus):
        publish("please")


def test_an_unbroken_tie_requires_a_reason_which_is_stored(close, publish) -> None:
    close()
    with pytest.raises(ChecklistIncomplete):
        publish()

    receipt = publish("all three went home")

    assert receipt.data["revision"] == 1
    assert Revision.objects.get().operation.reason.text == "all three went home"
    assert Revision.objects.get().standings["rows"][0]["level"] is True


def test_an_entry_under_review_requires_a_reason(add_turn, close, cut, publish) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    add_turn(4, 2, make_paper_turn("sixes", 30))

    with pytest.raises(ChecklistIncomplete):
        publish()


def test_reopening_shows_live_figures_as_unofficial(
    ride: Ride, official: Revision, desk: Actor, update_standings
) -> None:
    reopen_contest(desk, uuid4(), ride.contest.pk, "one group was forgotten")
    update_standings()
    ride.contest.refresh_from_db()

    board = get_leaderboard(ride.contest)

    assert (board.revision, board.last_revision, board.needs_revision) == (None, 1, True)
    assert Revision.objects.count() == 1


def _renumber() -> None:
    Revision.objects.update(number=7)


def _delete_all() -> None:
    Revision.objects.all()._raw_delete("default")


def _replace() -> None:
    """Replace the revision with another one of the same number."""
    names = ", ".join(field.column or "" for field in Revision._meta.concrete_fields)
    verb = "INSERT OR REPLACE" if connection.vendor == "sqlite" else "INSERT"
    columns = names.replace("event_head", "'forged'")
    on_conflict = "" if connection.vendor == "sqlite" else " ON CONFLICT (id) DO UPDATE SET event_head = 'forged'"
    statement = f"{verb} INTO standings_revision ({names}) SELECT {columns} FROM standings_revision{on_conflict}"
    connection.cursor().execute(statement)


@pytest.mark.parametrize("change", [_renumber, _delete_all, _replace])
def test_the_database_refuses_to_change_or_delete_a_revision(official: Revision, change) -> None:
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        change()
    assert (Revision.objects.get().number, Revision.objects.get().event_head) == (1, official.event_head)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_postgresql_refuses_to_truncate_the_revisions(official: Revision) -> None:
    with pytest.raises(DatabaseError, match="never changed"):
        connection.cursor().execute("TRUNCATE standings_revision")
    assert Revision.objects.get().number == 1
