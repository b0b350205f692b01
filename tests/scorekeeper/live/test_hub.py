"""The hub: viewers get what they lack, then every change in order, and cost nothing once they have left."""

from __future__ import annotations

import asyncio
import threading

import pytest
from django.utils.translation import gettext_lazy

from scorekeeper.common.client_address import parse_address
from scorekeeper.live import hub as hubs
from scorekeeper.live import topics
from scorekeeper.live.stream_places import CapacityExceeded, get_public_network
from scorekeeper.live.topics import TopicKey
from scorekeeper.live.viewers import MAX_QUEUED_BYTES, Viewer
from tests.programs import TIMEOUT_SECONDS
from tests.scorekeeper.live.conftest import HubUnderTest, Run, get_last_id, read_until


def test_a_new_viewer_gets_the_full_page_and_then_the_changes(run_with_hub: Run) -> None:
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


def test_readers_of_two_languages_get_the_page_in_theirs(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        watching.board.rows["row-1"] = gettext_lazy("Standings")  # type: ignore[assignment]
        here, there = await watching.join(), await watching.join(language="de")

        assert "Standings" in await read_until(here, "event: beat")
        german = await read_until(there, "event: beat")
        assert "Standings" not in german

        watching.change(row_2="drei")
        assert "drei" in await read_until(here, "drei")
        assert "drei" in await read_until(there, "drei")

    run_with_hub(test)


def test_a_viewer_with_the_current_snapshot_gets_only_a_heartbeat(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        seen = await read_until(await watching.join(), "event: beat")

        again = await read_until(await watching.join(get_last_id(seen)), "event: beat")

        assert "event: rows" not in again

    run_with_hub(test)


def test_a_viewer_is_not_dropped_for_having_missed_a_lot(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        stays = await watching.join()
        first = get_last_id(await read_until(stays, "event: beat"))
        for number in range(4):
            watching.change(row_1="x" * (MAX_QUEUED_BYTES // 2) + f" {number};")
            await read_until(stays, f" {number};")

        assert (await read_until(await watching.join(first), "event: beat")).count("event: rows") == 4

    run_with_hub(test)


def test_a_viewer_that_reconnects_gets_only_the_missed_changes(run_with_hub: Run) -> None:
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
def test_after_a_gap_a_viewer_gets_the_full_page(run_with_hub: Run, known: str) -> None:
    async def test(watching: HubUnderTest) -> None:
        stays = await watching.join()
        await read_until(stays, "event: beat")
        watching.change(row_1="eins")
        await read_until(stays, "eins")

        seen = await read_until(await watching.join(known), "event: beat")

        assert seen.count("event: rows") == 1
        assert '<div id="board" hx-swap-oob="true"><p id="row-1">eins</p>' in seen

    run_with_hub(test)


def test_a_change_that_is_too_old_is_a_gap(run_with_hub: Run) -> None:
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


def test_a_snapshot_that_recurs_is_continued_from_its_last_occurrence(run_with_hub: Run) -> None:
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


async def read_piece(viewer: Viewer, text: bytes) -> bytes:
    """Return the piece that contains the text, as it is in memory."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while (piece := await viewer.next_chunk()) is not None:
            if text in piece:
                return piece
    raise AssertionError(text)


def test_all_viewers_get_the_same_bytes_from_one_database_query(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        viewers = [await watching.join() for _ in range(50)]
        for viewer in viewers:
            await read_until(viewer, "event: beat")
        renders = watching.board.render_count

        watching.change(row_1="eins")
        sent = [await viewer.next_chunk() for viewer in viewers]

        assert watching.board.render_count == renders + 1
        assert all(data is sent[0] for data in sent)

    run_with_hub(test)


def test_viewers_that_come_together_share_one_full_page_in_memory(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        watching.board.rows["row-1"] = "x" * 100_000
        viewers = [await watching.join() for _ in range(50)]
        pages = [await read_piece(viewer, b"xxx") for viewer in viewers]

        assert all(page is pages[0] for page in pages)

    run_with_hub(test)


def test_changes_during_a_render_are_in_the_next_render(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        for number in range(20):
            watching.change(row_1=f"text {number};")

        await read_until(viewer, "text 19;")

        assert watching.board.render_count < 10

    run_with_hub(test)


def test_a_change_that_looks_the_same_is_not_sent(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        stays = await watching.join()
        first = get_last_id(await read_until(stays, "event: beat"))
        watching.board.hidden = "a minute later"
        watching.change()
        renders = watching.board.render_count
        while watching.board.render_count == renders:
            await asyncio.sleep(0)
        watching.change(row_1="eins")

        seen = await read_until(stays, "eins")
        again = await read_until(await watching.join(first), "event: beat")

        for sent in (seen, again):
            assert sent.count("event: rows") == 1
            assert '<p id="row-1" hx-swap-oob="true">eins</p>' in sent

    run_with_hub(test)


def test_the_pause_after_a_slow_render_is_limited(run_with_hub: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A render may wait half a minute for a slow database; the next one must not wait three times as long."""
    monkeypatch.setattr(topics, "PAUSE_FACTOR", 1_000_000.0)
    monkeypatch.setattr(topics, "MAX_PAUSE_SECONDS", 0.01)

    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        for text in ("eins", "uno"):
            watching.change(row_1=text)
            await read_until(viewer, text)

    run_with_hub(test)


def test_a_viewer_that_is_too_slow_is_dropped_and_the_others_stay(run_with_hub: Run) -> None:
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


def test_heartbeats_carry_no_time_while_changes_may_be_missed(
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
        watching.board.error = OSError("the database is down")
        watching.change(row_1="eins")
        seen = await read_until(viewer, "eins")
        assert ":\n\n" in seen, "between the error and the next render"

    run_with_hub(test)


def test_the_recovery_of_the_feed_is_reported_at_once(run_with_hub: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "HEARTBEAT_INTERVAL", 0.01)
    monkeypatch.setattr(hubs, "UNHEALTHY_HEARTBEAT_INTERVAL", 0.01)

    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        watching.feed.is_healthy = False
        await read_until(viewer, "\n\n:\n\n")
        monkeypatch.setattr(hubs, "HEARTBEAT_INTERVAL", 1000)
        for _ in range(5):  # until all earlier heartbeats have arrived
            await read_until(viewer, ":\n\n")

        watching.feed.is_healthy = True

        await read_until(viewer, "event: beat")

    run_with_hub(test)


def test_a_render_that_succeeds_after_an_error_sends_a_heartbeat(
    run_with_hub: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "HEARTBEAT_INTERVAL", 1000)
    monkeypatch.setattr(topics, "RENDER_RETRY_INTERVAL", 0.01)

    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        watching.board.error = OSError("the database is down")

        watching.change()  # a message, although no row has changed

        await read_until(viewer, "event: beat")

    run_with_hub(test)


def test_names_that_change_without_a_message_are_still_updated(
    run_with_hub: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(topics, "RENDER_INTERVAL", 0.05)

    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        watching.board.rows["row-1"] = "renamed"

        await read_until(viewer, "renamed")

    run_with_hub(test)


def test_a_page_that_is_no_longer_public_ends_for_all_viewers(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")
        watching.board.is_public = False
        watching.change()

        assert await viewer.next_chunk() is None
        watching.hub.leave(viewer)
        assert await watching.hub.join(TopicKey("/board", "en-gb"), lambda: None, "", None) is None

    run_with_hub(test)


def test_nothing_is_done_while_nobody_watches(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        viewers = [await watching.join(), await watching.join()]
        for viewer in viewers:
            await read_until(viewer, "event: beat")
        assert watching.feed.get_subjects is not None
        assert watching.feed.get_subjects() == {watching.board.subject}

        for viewer in viewers:
            watching.hub.leave(viewer)
        await asyncio.sleep(0)
        assert watching.feed.on_change is None
        assert len(asyncio.all_tasks()) == 1, "only this test"

        await read_until(await watching.join(), "event: beat")

    run_with_hub(test)


def test_viewers_beyond_the_capacity_are_refused(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        first = await watching.join()
        await watching.join()
        with pytest.raises(CapacityExceeded):
            await watching.join()

        watching.hub.leave(first)
        await watching.join()

    run_with_hub(test, capacity=2)


def test_one_public_address_cannot_take_the_places_of_all_others(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        flood = [await watching.join(address="203.0.114.7") for _ in range(2)]
        for path in ("/board", "/another"):
            with pytest.raises(CapacityExceeded):
                await watching.join(path=path, address="203.0.114.7")

        await watching.join(address="198.51.101.1")
        watching.hub.leave(flood[0])
        await watching.join(address="203.0.114.7")

    run_with_hub(test, capacity=8, share=25)


def test_a_club_behind_one_router_may_take_every_place(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        for address in ("192.168.1.20", "127.0.0.1", "", "100.64.0.9") * 2:
            await watching.join(address=address)
        with pytest.raises(CapacityExceeded):
            await watching.join(address="192.168.1.20")

    run_with_hub(test, capacity=8, share=25)


def test_a_place_is_taken_while_a_stream_is_looked_for_and_given_back_if_there_is_none(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        proceed = threading.Event()

        def find() -> None:
            proceed.wait(TIMEOUT_SECONDS)

        address = parse_address("203.0.114.7")
        searches = [
            asyncio.create_task(watching.hub.join(TopicKey("/none", "en-gb"), find, "", address)) for _ in range(2)
        ]
        await asyncio.sleep(0)
        with pytest.raises(CapacityExceeded):
            await watching.join(address="203.0.114.7")

        proceed.set()
        assert await asyncio.gather(*searches) == [None, None]
        await watching.join(address="203.0.114.7")

    run_with_hub(test, capacity=8, share=25)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.114.7", "203.0.114.7"),
        ("::ffff:203.0.114.7", "203.0.114.7"),
        ("2a00:1450::7", "2a00:1450::/64"),
        ("2a00:1450::ffff:7", "2a00:1450::/64"),
        ("::ffff:10.0.0.7", ""),
        ("fe80::1%eth0", ""),
        ("fd00::1", ""),
        ("::1", ""),
        ("unix:", ""),
    ],
)
def test_what_counts_as_one_public_address(address: str, network: str) -> None:
    assert get_public_network(parse_address(address)) == network


def test_closing_ends_every_stream_after_its_queue_and_accepts_no_more_viewers(run_with_hub: Run) -> None:
    async def test(watching: HubUnderTest) -> None:
        viewer = await watching.join()
        await read_until(viewer, "event: beat")

        watching.hub.close()

        assert await viewer.next_chunk() is None
        with pytest.raises(CapacityExceeded):
            await watching.join()

    run_with_hub(test)
