"""Calculate the values of a heat's first moments: `python -m tools.drag_rage_openings`, about two minutes and 600 MB.

It writes `games/drag_rage/odds/opening_values.py`. Run it again if the rules of Drag Rage or the keys of its solver
change; a test calculates some of the values again and compares.
"""

from __future__ import annotations

import sys
from base64 import b85encode
from pathlib import Path
from textwrap import wrap

from games.core.time_limit import TimeLimit
from games.drag_rage.odds import opening_values
from games.drag_rage.odds.openings import UNUSED, list_moments, pack_values
from games.drag_rage.odds.values import HeatValues, make_key

HEAD = '''"""The values of the moments with nine unused counters, packed by `python -m tools.drag_rage_openings`."""

from __future__ import annotations

PACKED = (
'''
LINE = 110
NO_LIMIT = 1e9


def main() -> int:
    """Write the module."""
    solver = HeatValues()
    solver.limit = TimeLimit(NO_LIMIT)
    moments = list_moments(UNUSED)
    values = {make_key(*moment): solver.get_advance_value(*moment) for moment in sorted(moments)}
    text = b85encode(pack_values(values)).decode()
    lines = "".join(f'    "{line}"\n' for line in wrap(text, LINE))
    Path(opening_values.__file__).write_text(f"{HEAD}{lines})\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
