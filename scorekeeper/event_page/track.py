"""The line of a road on the map: how long it is, made simpler, stored, and where along it places are.

Terms: a *point* is a latitude and a longitude in degrees. A *position* is how far along the line something is, in
metres from its start.

Everything here takes time that grows with the number of points, at most times its logarithm, so a file with as many
points as `gpx` accepts keeps a worker for a second or two and no longer.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]
EARTH = 6_371_000.0  # metres, its radius
MAX_POINTS = 2_000  # that are stored: one every 100 metres on a ride of 200 km
MAX_EXAMINED = 20_000  # from which those are chosen
STANDING = 3.0  # metres: points nearer to the last one are the receiver's noise at a halt
FAR_AWAY = 3_000.0  # metres: what is further from the road is not on it
PRECISION = 100_000  # of the encoded degrees: five decimals, or about a metre


@dataclass(frozen=True)
class Track:
    """A line on the map.

    Attributes:
        points: two or more.
        positions: of the points.
    """

    points: tuple[Point, ...]
    positions: tuple[float, ...]

    @property
    def length(self) -> float:
        """How long it is, in metres."""
        return self.positions[-1]


def measure(first: Point, second: Point) -> float:
    """Return the distance between two points, in metres."""
    north, east = math.radians(second[0] - first[0]), math.radians(second[1] - first[1])
    cosines = math.cos(math.radians(first[0])) * math.cos(math.radians(second[0]))
    chord = math.sin(north / 2) ** 2 + cosines * math.sin(east / 2) ** 2
    return 2 * EARTH * math.asin(math.sqrt(min(1.0, chord)))


def make_track(points: Sequence[Point]) -> Track | None:
    """Return a track of at most `MAX_POINTS` points, whose positions are those of the line as it was; None if it is
    no line.
    """
    moving, positions = list(points[:1]), [0.0]
    for point in points[1:]:
        step = measure(moving[-1], point)
        if step >= STANDING:
            moving.append(point)
            positions.append(positions[-1] + step)
    if len(moving) < 2:
        return None
    stride = math.ceil(len(moving) / MAX_EXAMINED)
    chosen = [*range(0, len(moving) - 1, stride), len(moving) - 1]
    kept = [chosen[index] for index in _simplify([moving[index] for index in chosen])]
    return Track(tuple(moving[index] for index in kept), tuple(positions[index] for index in kept))


def load_track(encoded: str, length: int) -> Track:
    """Return a track as it was stored.

    Args:
        length: of the road in metres. The stored points cut its corners, so positions are stretched to it.

    Raises:
        ValueError: it is no track.
    """
    points = decode_points(encoded)
    if len(points) < 2:
        raise ValueError("a track has two points or more")
    positions = [0.0]
    for first, second in pairwise(points):
        positions.append(positions[-1] + measure(first, second))
    factor = length / positions[-1] if positions[-1] else 1.0
    return Track(tuple(points), tuple(position * factor for position in positions))


def _simplify(points: Sequence[Point]) -> list[int]:
    """Return which points stay: the most telling ones, by the area that leaving each out would cut off (Visvalingam).

    A heap gives the least telling one again and again. A point's area never falls below that of one left out before.
    """
    count = len(points)
    before, after = list(range(-1, count - 1)), list(range(1, count + 1))
    areas = [math.inf, *(_area(points[at - 1], points[at], points[at + 1]) for at in range(1, count - 1)), math.inf]
    heap = [(areas[at], at) for at in range(1, count - 1)]
    heapq.heapify(heap)
    left, removed = count, [False] * count
    while left > MAX_POINTS and heap:
        area, at = heapq.heappop(heap)
        if removed[at] or area != areas[at]:
            continue
        removed[at] = True
        left -= 1
        one, other = before[at], after[at]
        after[one], before[other] = other, one
        for neighbour in (one, other):
            if 0 < neighbour < count - 1:
                cut = _area(points[before[neighbour]], points[neighbour], points[after[neighbour]])
                areas[neighbour] = max(area, cut)
                heapq.heappush(heap, (areas[neighbour], neighbour))
    return [at for at in range(count) if not removed[at]]


def _area(first: Point, second: Point, third: Point) -> float:
    shrink = math.cos(math.radians(second[0]))  # a degree of longitude is shorter away from the equator
    return abs(
        (second[0] - first[0]) * (third[1] - first[1]) * shrink
        - (third[0] - first[0]) * (second[1] - first[1]) * shrink
    )


def find_position(track: Track, place: Point) -> float | None:
    """Return where along the track a place is: the first nearest position; None if it is far away."""
    away, position = min(_project_all(track, place))
    return position if away <= FAR_AWAY else None


def find_positions(track: Track, places: Sequence[Point]) -> list[float | None]:
    """Return where along the track places are that are visited in this order; None for those that are far away.

    A ride that ends where it began passes that place twice, and one that comes back along the same road passes every
    place twice. So all positions are chosen together: in order, and as near to the places as that allows.
    """
    projections = [_project_all(track, place) for place in places]
    near = [min(projected)[0] <= FAR_AWAY for projected in projections]
    chosen = iter(_choose_in_order([one for one, is_near in zip(projections, near, strict=True) if is_near]))
    return [next(chosen) if is_near else None for is_near in near]


def _choose_in_order(projections: Sequence[Sequence[tuple[float, float]]]) -> list[float]:
    """Return the positions with the smallest sum of squared distances, by dynamic programming over the segments.

    Args:
        projections: for each place, how far it is from each segment, and the position nearest to it there.
    """
    if not projections:
        return []
    segments = range(len(projections[0]))
    costs = [0.0] * len(segments)
    choices: list[list[int]] = []  # for each place and segment, the segment of the place before
    before: Sequence[tuple[float, float]] = [(0.0, 0.0)] * len(segments)
    for projected in projections:
        best, best_at, chosen = math.inf, 0, []
        for at in segments:
            # Within one segment a later place must not be before an earlier one.
            stays = costs[at] if projected[at][1] >= before[at][1] else math.inf
            cost, chosen_at = (stays, at) if stays < best else (best, best_at)
            if costs[at] < best:
                best, best_at = costs[at], at
            chosen.append(chosen_at)
            costs[at] = cost + projected[at][0] ** 2
        choices.append(chosen)
        before = projected
    at = min(segments, key=costs.__getitem__)
    positions = []
    for projected, chosen in zip(reversed(projections), reversed(choices), strict=True):
        positions.append(projected[at][1])
        at = chosen[at]
    return positions[::-1]


def _project_all(track: Track, place: Point) -> list[tuple[float, float]]:
    """Return for each segment how far a place is from it, and the position nearest to it there, in metres."""
    metres = EARTH * math.pi / 180
    shrink = metres * math.cos(math.radians(place[0]))  # a degree of longitude, as long as it is at the place
    flat = [((east - place[1]) * shrink, (north - place[0]) * metres) for north, east in track.points]
    found = []
    for (x, y), (other_x, other_y), start, end in zip(
        flat, flat[1:], track.positions, track.positions[1:], strict=False
    ):
        along_x, along_y = other_x - x, other_y - y
        square = along_x * along_x + along_y * along_y
        share = -(x * along_x + y * along_y) / square if square else 0.0
        share = 0.0 if share < 0.0 else min(share, 1.0)
        found.append((math.hypot(x + share * along_x, y + share * along_y), start + share * (end - start)))
    return found


def encode_points(points: Sequence[Point]) -> str:
    """Return points as an encoded polyline: the differences between them in base 64, as maps on the web use it."""
    parts, last = [], (0, 0)
    for point in points:
        scaled = (round(point[0] * PRECISION), round(point[1] * PRECISION))
        parts += [_encode_number(new - old) for new, old in zip(scaled, last, strict=True)]
        last = scaled
    return "".join(parts)


def _encode_number(number: int) -> str:
    bits, characters = ~(number << 1) if number < 0 else number << 1, []
    while bits >= 0x20:
        characters.append(chr((0x20 | (bits & 0x1F)) + 63))
        bits >>= 5
    return "".join([*characters, chr(bits + 63)])


def decode_points(encoded: str) -> list[Point]:
    """Return the points of an encoded polyline.

    Raises:
        ValueError: it is none, or a point is nowhere on Earth.
    """
    numbers, bits, shift = [], 0, 0
    for character in encoded:
        value = ord(character) - 63
        if not 0 <= value < 64 or shift > 30:
            raise ValueError("not an encoded polyline")
        bits |= (value & 0x1F) << shift
        shift += 5
        if value < 0x20:
            numbers.append(~(bits >> 1) if bits & 1 else bits >> 1)
            bits = shift = 0
    if shift or len(numbers) % 2:
        raise ValueError("the polyline is cut short")
    points, latitude, longitude = [], 0, 0
    for north, east in zip(numbers[::2], numbers[1::2], strict=True):
        latitude, longitude = latitude + north, longitude + east
        if abs(latitude) > 90 * PRECISION or abs(longitude) > 180 * PRECISION:
            raise ValueError("a point is nowhere on Earth")
        points.append((latitude / PRECISION, longitude / PRECISION))
    return points
