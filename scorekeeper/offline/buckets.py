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

MIN_BUCKETS, MAX_BUCKETS = 64, 16_384
BUCKET_BYTES = 2  # bytes of a bucket's number
BUCKET_DIGITS = 2 * BUCKET_BYTES  # of a fingerprint, which go into it


class InvalidBuckets(Exception):
    """What was sent is not what a phone makes of its parts."""


def unpack_buckets(content: bytes) -> Sequence[int]:
    """Return the numbers that a phone has sent.

    Raises:
        BadBuckets: there are too few, too many, or not a power of two.
    """
    count, rest = divmod(len(content), BUCKET_BYTES)
    if rest or not MIN_BUCKETS <= count <= MAX_BUCKETS or count & (count - 1):
        raise InvalidBuckets
    return struct.unpack(f">{count}H", content)


def pack_buckets(buckets: Sequence[int]) -> bytes:
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
        buckets[find_bucket(key, count)] ^= int(fingerprint[:BUCKET_DIGITS], 16)
    return buckets


def find_bucket(key: str, count: int) -> int:
    """Return which of so many buckets a part belongs to."""
    return crc32(key.encode()) & (count - 1)


def count_buckets(parts: int) -> int:
    """Return how many buckets a phone with so many parts fills."""
    return min(max(MIN_BUCKETS, 1 << (parts - 1).bit_length()), MAX_BUCKETS)
