"""A clock that can be changed, for every Python process with the environment of `tests.faults.clocks`.

Python loads this module at its start. Monotonic clocks do not change, as when someone sets a machine's clock.
"""

import datetime as dt
import os
import signal
from functools import partial
from types import FrameType

import time_machine

_clock = time_machine.travel(dt.datetime.now(dt.UTC), tick=True).start()


def _put(seconds: int, _number: int, _frame: FrameType | None) -> None:
    _clock.shift(seconds)


for _position, _seconds in enumerate(os.environ["CLOCK_STEPS"].split(",")):
    signal.signal(signal.SIGRTMIN + 1 + _position, partial(_put, int(_seconds)))
