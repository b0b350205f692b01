"""Finds out which parts of a ride a phone lacks, without a list of the parts that it has.

The phone assigns its parts to *buckets* by the checksums of their keys, and sends one number for each bucket: the
fingerprints in it, combined by exclusive or. The server does the same with its own parts. If the numbers of a bucket
differ, the server sends all its parts in that bucket, and the phone deletes its other parts there. With as many buckets
as parts, one change costs about one part. If two different buckets have the same number, the digest of the whole ride
reveals it.

`static/js/phone/ride_parts.js` does the same on the phone.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from zlib import crc32

MIN_BUCKETS, MAX_BUCKETS = 64, 16_384
BUCKET_BYTES = 2  # of a bucket's number
BUCKET_DIGITS = 2 * BUCKET_BYTES  # of a fingerprint that are combined into it


class InvalidBuckets(Exception):
    """The data is not a valid list of bucket numbers."""


def unpack_buckets(content: bytes) -> Sequence[int]:
    """Return the numbers that a phone has sent.

    Raises:
        InvalidBuckets: there are too few, too many, or not a power of two.
    """
    count, rest = divmod(len(content), BUCKET_BYTES)
    if rest or not MIN_BUCKETS <= count <= MAX_BUCKETS or count & (count - 1):
        raise InvalidBuckets
    return struct.unpack(f">{count}H", content)


def pack_buckets(buckets: Sequence[int]) -> bytes:
    """Return the numbers as a phone sends them."""
    return struct.pack(f">{len(buckets)}H", *buckets)


def fill_buckets(fingerprints: Mapping[str, str], count: int) -> list[int]:
    """Return the numbers of `count` buckets.

    Args:
        fingerprints: those of all parts, by key.
        count: a power of two.
    """
    buckets = [0] * count
    for key, fingerprint in fingerprints.items():
        buckets[find_bucket(key, count)] ^= int(fingerprint[:BUCKET_DIGITS], 16)
    return buckets


def find_bucket(key: str, count: int) -> int:
    """Return the index of a part's bucket, out of `count`."""
    return crc32(key.encode()) & (count - 1)


def count_buckets(parts: int) -> int:
    """Return how many buckets a phone uses for this number of parts."""
    return min(max(MIN_BUCKETS, 1 << (parts - 1).bit_length()), MAX_BUCKETS)
