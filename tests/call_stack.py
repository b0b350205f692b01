"""Runs tests in one large chunk of Python's call stack.

CPython 3.11 and 3.12 keep the frames of Python functions in chunks of 16 KB. A call at the very end of a chunk maps a
new one, and its return unmaps it: 10 µs instead of 0.05. pytest's own frames fill the first chunk, so some call within
a test always stands at such an edge, often in a loop: 370 times in each of a thousand tests. The program itself has
fewer frames below it: 3 such calls in a request.
"""

from __future__ import annotations

from collections.abc import Callable

# All of a frame is in one chunk, so a chunk for a frame of 320 KB is made larger: it has 512 KB, the next power of two.
# The other 192 KB are for the calls within. The frame leaves its own stack empty, so most of its memory is never used.
FRAME_WORDS = 40_000


def call_in_large_chunk(function: Callable[..., object], *args: object) -> object:
    """Return the result of a function that is called with a large chunk of the call stack before it."""
    return function(*args)


call_in_large_chunk.__code__ = call_in_large_chunk.__code__.replace(co_stacksize=FRAME_WORDS)
