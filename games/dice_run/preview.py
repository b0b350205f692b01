"""The picture of the options, as plain data for `preview.html`: the totals that they lead to."""

from __future__ import annotations

from typing import Any

from games.dice_run.state import Setup


def make_preview(setup: Setup) -> dict[str, Any]:
    """Return the lowest, the usual and the highest sum of one throw, and of all turns that count.

    Usual is the average of single throws, so with several throws a turn, or with turns that do not count, riders do
    better. A target is among the totals, so that an organiser sees whether it can be reached.
    """
    average = setup.dice * (setup.faces + 1) / 2
    return {
        "throw": {"lowest": setup.lowest, "average": average, "highest": setup.highest},
        "total": {
            "lowest": setup.counts * setup.lowest,
            "average": setup.counts * average,
            "highest": setup.counts * setup.highest,
        },
        "target": setup.target or None,
        "is_target_out_of_reach": setup.goal == "target"
        and not setup.counts * setup.lowest <= setup.target <= setup.counts * setup.highest,
    }
