"""Finding out which parts of a ride a phone lacks, without being sent a list of those that it has.

The phone sorts the keys of its parts into *buckets* by their checksums, and sends one number a bucket: the fingerprints
in it, joined by exclusive or. The server does the same with its own parts. Where the numbers differ, it sends all parts
of the bucket, and the phone drops those of its own there that did not come. With as many buckets as parts, one change
costs about one part. If two different buckets come to the same number, the digest of the whole shows it.

`static/js/phone/parts.js` does the same on the phone.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from zlib import crc32

FEWEST, MOST = 64, 16_384
SIZE = 2  # bytes of a bucket's number
DIGITS = 2 * SIZE  # of a fingerprint, which go into it


class BadBuckets(Exception):
    """What was sent is not what a phone makes of its parts."""


def read_buckets(content: bytes) -> Sequence[int]:
    """Return the numbers that a phone has sent.

    Raises:
        BadBuckets: there are too few, too many, or not a power of two.
    """
    count, rest = divmod(len(content), SIZE)
    if rest or not FEWEST <= count <= MOST or count & (count - 1):
        raise BadBuckets
    return struct.unpack(f">{count}H", content)


def write_buckets(buckets: Sequence[int]) -> bytes:
    """Return the numbers as a phone sends them."""
    return struct.pack(f">{len(buckets)}H", *buckets)


def fill_buckets(fingerprints: Mapping[str, str], count: int) -> list[int]:
    """Return the numbers of so many buckets.

    Args:
        fingerprints: of all parts, by their keys.
        count: a power of two.
    """
    buckets = [0] * count
    for key, fingerprint in fingerprints.items():
        buckets[find_bucket(key, count)] ^= int(fingerprint[:DIGITS], 16)
    return buckets


def find_bucket(key: str, count: int) -> int:
    """Return which of so many buckets a part belongs to."""
    return crc32(key.encode()) & (count - 1)


def count_buckets(parts: int) -> int:
    """Return how many buckets a phone with so many parts fills."""
    return min(max(FEWEST, 1 << (parts - 1).bit_length()), MOST)
