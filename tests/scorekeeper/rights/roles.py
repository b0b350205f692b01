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
    ROSTER_READER,
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
    "reading program": {ANYBODY, READER, ROSTER_READER},
    "recording program": {ANYBODY, READER, ROSTER_READER, RECORDER},
    "crew app": {ANYBODY, CREW, FORMER_CREW, ROSTER_READER},  # a device without cookies, in the API
}


def get_roles(who: str, address: str) -> Set[Role]:
    """Return the roles of a client where it sends a request. Pages are for browsers, and read no token of a device."""
    return {ANYBODY} if who == "crew app" and not address.startswith("/api/") else ROLES[who]
