"""The kinds of people that tests of all routes send requests as."""

from __future__ import annotations

from collections.abc import Mapping, Set

from scorekeeper.rights import (
    ANYBODY,
    CREW,
    FORMER_CREW,
    MONITOR,
    ORGANISER,
    READER,
    RECORDER,
    RIDE,
    ROAD_CAPTAIN,
    SEASON_ORGANISER,
    SIGNED_IN,
    Role,
)

# The clients, and the roles they have in the ride that every URL is about.
ROLES: Mapping[str, Set[Role]] = {
    "nobody": {ANYBODY},
    "gunner": {ANYBODY, CREW, FORMER_CREW, RIDE},
    "captain": {ANYBODY, CREW, ROAD_CAPTAIN, FORMER_CREW, RIDE},
    "revoked": {ANYBODY, FORMER_CREW},
    "organiser": {ANYBODY, SIGNED_IN, RIDE, ORGANISER, SEASON_ORGANISER},
    "another": {ANYBODY, SIGNED_IN},  # runs another event
    "superuser": {ANYBODY, SIGNED_IN},
    "monitor": {ANYBODY, MONITOR},
    "public program": {ANYBODY},
    "another's program": {ANYBODY},
    "reading program": {ANYBODY, READER},
    "recording program": {ANYBODY, READER, RECORDER},
}
