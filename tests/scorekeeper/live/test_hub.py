"""The hub: who watches gets what they lack, then every change in order, and costs nothing once they have left."""

from __future__ import annotations

import asyncio

import pytest

from scorekeeper.live import hub as hubs
from scorekeeper.live import topics
from scorekeeper.live.hub import CapacityExceeded
from scorekeeper.live.viewers import MAX_QUEUED_BYTES
from tests.scorekeeper.live.conftest import HubUnderTest, Run, get_last_id, read_until


def test_whoever_comes_gets_everything_and_then_what_changes(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        first = await read_until(viewer, "event: beat")
        assert first.startswith("retry: ")
        assert '<div id="board" hx-swap-oob="true"><p id="row-1">one</p><p id="row-2">two</p></div>' in first

        watching.change(row_2="drei", row_3="three")
        then = await read_until(viewer, "three")
        assert '<p id="row-2" hx-swap-oob="true">drei</p>' in then
        assert '<div hx-swap-oob="beforeend:#board"><p id="row-3">three</p></div>' in then
        assert "row-1" not in then

        del watching.board.rows["row-1"]
        watching.change()
        assert '<div id="row-1" hx-swap-oob="delete"></div>' in await read_until(viewer, "delete")

    run_with_hub(test)


def test_whoever_has_the_last_picture_gets_nothing_but_a_sign_of_life(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        seen = await read_until(await watching.join(), "event: beat")

        again = await read_until(await watching.join(get_last_id(seen)), "event: beat")

        assert "event: rows" not in again

    run_with_hub(test)


def test_however_much_somebody_missed_they_are_not_let_go_for_it(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        stays = await watching.join()
        first = get_last_id(await read_until(stays, "event: beat"))
        for number in range(4):
            watching.change(row_1="x" * (MAX_QUEUED_BYTES // 2) + f" {number};")
            await read_until(stays, f" {number};")

        assert (await read_until(await watching.join(first), "event: beat")).count("event: rows") == 4

    run_with_hub(test)


def test_whoever_comes_back_gets_what_they_missed_and_no_more(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        stays = await watching.join()
        seen = await read_until(stays, "event: beat")
        for text in ("eins", "uno"):
            watching.change(row_1=text)
            await read_until(stays, text)

        missed = await read_until(await watching.join(get_last_id(seen)), "event: beat")

        assert missed.count("event: rows") == 2
        assert missed.index("eins") < missed.index("uno")
        assert "row-2" not in missed

    run_with_hub(test)


@pytest.mark.parametrize("known", ["never-sent", ""])
def test_after_a_gap_there_is_everything_anew(run_with_hub: Run, known: str) -> None:
    async def test(watching: HubUnderTest) -> None:
        stays = await watching.join()
        await read_until(stays, "event: beat")
        watching.change(row_1="eins")
        await read_until(stays, "eins")

        seen = await read_until(await watching.join(known), "event: beat")

        assert seen.count("event: rows") == 1
        assert '<div id="board" hx-swap-oob="true"><p id="row-1">eins</p>' in seen

    run_with_hub(test)


def test_a_change_too_long_ago_is_a_gap(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        stays = await watching.join()
        first = get_last_id(await read_until(stays, "event: beat"))
        for number in range(topics.MAX_CHANGES + 1):
            watching.change(row_1=f"text {number};")
            await read_until(stays, f"text {number};")

        seen = await read_until(await watching.join(first), "event: beat")

        assert seen.count("event: rows") == 1
        assert 'id="board"' in seen

    run_with_hub(test)


def test_a_picture_that_comes_again_is_followed_from_its_last_time(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        stays = await watching.join()
        first = get_last_id(await read_until(stays, "event: beat"))
        for text in ("eins", "one", "uno"):
            watching.change(row_1=text)
            await read_until(stays, text)

        missed = await read_until(await watching.join(first), "event: beat")

        assert missed.count("event: rows") == 1
        assert "uno" in missed

    run_with_hub(test)


def test_everybody_gets_the_same_bytes_and_the_database_is_asked_once(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        viewers = [await watching.join() for _ in range(50)]
        for viewer in viewers:
            await read_until(viewer, "event: beat")
        looks = watching.board.render_count

        watching.change(row_1="eins")
        sent = [await viewer.next_chunk() for viewer in viewers]

        assert watching.board.render_count == looks + 1
        assert all(data is sent[0] for data in sent)

    run_with_hub(test)


def test_changes_that_come_while_a_look_is_taken_are_seen_by_the_next(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        for number in range(20):
            watching.change(row_1=f"text {number};")

        await read_until(viewer, "text 19;")

        assert watching.board.render_count < 10

    run_with_hub(test)


def test_what_looks_the_same_is_not_sent(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        stays = await watching.join()
        first = get_last_id(await read_until(stays, "event: beat"))
        watching.board.hidden = "a minute later"
        watching.change()
        looks = watching.board.render_count
        while watching.board.render_count == looks:
            await asyncio.sleep(0)
        watching.change(row_1="eins")

        seen = await read_until(stays, "eins")
        again = await read_until(await watching.join(first), "event: beat")

        for sent in (seen, again):
            assert sent.count("event: rows") == 1
            assert '<p id="row-1" hx-swap-oob="true">eins</p>' in sent

    run_with_hub(test)


def test_a_look_that_took_long_is_not_rested_from_for_as_long(
    run_with_hub: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look may wait half a minute for a database in trouble; what comes after it must not wait three times that."""
    monkeypatch.setattr(topics, "PAUSE_FACTOR", 1_000_000.0)
    monkeypatch.setattr(topics, "MAX_PAUSE_SECONDS", 0.01)

    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        for text in ("eins", "uno"):
            watching.change(row_1=text)
            await read_until(viewer, text)

    run_with_hub(test)


def test_a_viewer_that_cannot_follow_is_let_go_and_the_others_stay(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        slow, quick = await watching.join(), await watching.join()
        await read_until(quick, "event: beat")
        for number in range(5):
            watching.change(row_1="x" * (MAX_QUEUED_BYTES // 3) + f" {number};")
            await read_until(quick, f" {number};")

        assert await slow.next_chunk() is None
        watching.change(row_1="at last")
        await read_until(quick, "at last")
        watching.hub.leave(slow)

    run_with_hub(test)


def test_a_sign_of_life_says_nothing_while_it_is_not_known_whether_all_is_told(
    run_with_hub: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "HEARTBEAT_INTERVAL", 0.01)
    monkeypatch.setattr(hubs, "UNHEALTHY_HEARTBEAT_INTERVAL", 0.01)

    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        watching.feed.is_healthy = False
        await read_until(viewer, "\n\n:\n\n")
        assert set(((await viewer.next_chunk()) or b"").split()) == {b":"}

        watching.feed.is_healthy = True
        await read_until(viewer, "event: beat")
        watching.board.fault = OSError("the database is away")
        watching.change(row_1="eins")
        seen = await read_until(viewer, "eins")
        assert ":\n\n" in seen, "between the fault and the next look"

    run_with_hub(test)


def test_that_all_is_known_again_is_said_at_once(run_with_hub: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "HEARTBEAT_INTERVAL", 0.01)
    monkeypatch.setattr(hubs, "UNHEALTHY_HEARTBEAT_INTERVAL", 0.01)

    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        watching.feed.is_healthy = False
        await read_until(viewer, "\n\n:\n\n")
        monkeypatch.setattr(hubs, "HEARTBEAT_INTERVAL", 1000)
        for _ in range(5):  # what was on its way is over
            await read_until(viewer, ":\n\n")

        watching.feed.is_healthy = True

        await read_until(viewer, "event: beat")

    run_with_hub(test)


def test_a_look_that_succeeds_after_a_fault_is_a_sign_of_life(
    run_with_hub: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "HEARTBEAT_INTERVAL", 1000)
    monkeypatch.setattr(topics, "RENDER_RETRY_INTERVAL", 0.01)

    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        watching.board.fault = OSError("the database is away")

        watching.change()  # nothing, as it turns out

        await read_until(viewer, "event: beat")

    run_with_hub(test)


def test_names_that_change_without_anybody_being_told_are_seen_all_the_same(
    run_with_hub: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(topics, "RENDER_INTERVAL", 0.05)

    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        watching.board.rows["row-1"] = "renamed"

        await read_until(viewer, "renamed")

    run_with_hub(test)


def test_what_is_no_longer_public_ends_for_everybody(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        watching.board.is_public = False
        watching.change()

        assert await viewer.next_chunk() is None
        watching.hub.leave(viewer)
        assert await watching.hub.join("/board", lambda: None, "") is None

    run_with_hub(test)


def test_nothing_is_done_while_nobody_watches(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        viewers = [await watching.join(), await watching.join()]
        for viewer in viewers:
            await read_until(viewer, "event: beat")
        assert watching.feed.watched is not None
        assert watching.feed.watched() == {watching.board.subject}

        for viewer in viewers:
            watching.hub.leave(viewer)
        await asyncio.sleep(0)
        assert watching.feed.hear is None
        assert len(asyncio.all_tasks()) == 1, "only this test"

        await read_until(await watching.join(), "event: beat")

    run_with_hub(test)


def test_beyond_the_most_nobody_is_let_in(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        first = await watching.join()
        await watching.join()
        with pytest.raises(CapacityExceeded):
            await watching.join()

        watching.hub.leave(first)
        await watching.join()

    run_with_hub(test, most=2)


def test_closing_ends_every_stream_after_what_was_waiting_and_lets_nobody_in(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")

        watching.hub.close()

        assert await viewer.next_chunk() is None
        with pytest.raises(CapacityExceeded):
            await watching.join()

    run_with_hub(test)
