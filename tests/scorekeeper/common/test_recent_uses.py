"""The algorithm of the limits, at random times: no window contains more than the limit, and no wait is too long."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import example, given
from hypothesis import strategies as st

from scorekeeper.common.recent_uses import (
    SLICES,
    Uses,
    count_uses,
    drop_old_uses,
    find_wait,
    merge_uses,
    remove_last_use,
)

START = 1_795_000_000.0
LIMITS = st.integers(1, 70)
WINDOWS = st.sampled_from([60, 900, 3600])
# As parts of a window: many at once, some near each other, and pauses of about a window.
GAPS = st.one_of(st.just(0.0), st.floats(0, 0.02), st.floats(0, 0.5), st.floats(0.95, 1.05))


def run(times: list[float], most: int, window: int) -> list[float]:
    """Try at each of these times; return when it was accepted."""
    uses: Uses = []
    accepted = []
    for now in times:
        uses = drop_old_uses(uses, window, now)
        wait = find_wait(uses, most, window, now)
        assert 0 <= wait <= window
        if not wait:
            uses = merge_uses([uses, [[now, 1]]], window)
            accepted.append(now)
        else:
            later = now + wait
            assert find_wait(drop_old_uses(uses, window, later), most, window, later) < 1e-3, "the wait was right"
        assert len(uses) <= SLICES + 1
        assert count_uses(uses) <= most
    return accepted


@given(st.lists(GAPS, max_size=300), LIMITS, WINDOWS)
@example([0.0] * 9 + [0.99] + [0.0] * 9 + [0.02] * 20, 10, 900)
def test_every_window_holds_the_limit(gaps: list[float], most: int, window: int) -> None:
    accepted = run([START + gap * window for gap in accumulate(gaps)], most, window)

    for begin, end in zip(accepted, accepted[most:], strict=False):
        assert end - begin >= window, f"{most + 1} uses within {end - begin} seconds"


@given(LIMITS, WINDOWS, st.floats(0, 3600))
def test_the_whole_limit_can_be_used_at_once_and_again_after_a_window(most: int, window: int, later: float) -> None:
    now = START + later
    assert len(run([now] * (most + 3), most, window)) == most
    assert len(run([now] * most + [now + window + 0.001] * (most + 3), most, window)) == 2 * most


@given(st.lists(GAPS, min_size=1, max_size=100), WINDOWS, st.floats(0, 2))
def test_a_use_counts_for_a_window_and_a_slice_more_at_most(gaps: list[float], window: int, later: float) -> None:
    times = [START + gap * window for gap in accumulate(gaps)]
    uses = merge_uses([[[at, 1]] for at in times], window)
    now = times[-1] + later * window

    counted = count_uses(drop_old_uses(uses, window, now))

    assert sum(at > now - window for at in times) <= counted
    assert counted <= sum(at > now - window * (1 + 1 / SLICES) for at in times)


def test_a_use_that_was_none_is_taken_back() -> None:
    uses: Uses = [[10.0, 1], [20.0, 2]]
    assert remove_last_use(uses) == [[10.0, 1], [20.0, 1]]
    assert remove_last_use(remove_last_use(uses)) == [[10.0, 1]]
    assert remove_last_use([]) == []


def test_a_clock_that_was_put_back_blocks_nobody_for_long() -> None:
    uses: Uses = [[START, 10]]
    assert find_wait(drop_old_uses(uses, 900, START - 48 * 3600), 10, 900, START - 48 * 3600) == 0
    assert find_wait(drop_old_uses(uses, 900, START - 5), 10, 900, START - 5) == 905, "clocks of two machines differ"
