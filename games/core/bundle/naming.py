"""Names lines and scorecards as people know them: “the scorecard of bike 57 in R.O.C.K.”."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from games.core.bundle.reading import ID, Bundle, Finding

CHAIN_KINDS = {"contest": "the log of the contest", "event": "the log of the event", "review": "the log of the review"}
SEQ = re.compile(r'\\?"seq\\?":([0-9]+)')


class Names:
    """The names of everything in a bundle that has an id. Works with whatever could be read of an altered file."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle

    @cached_property
    def _names(self) -> Mapping[str, str]:
        return {**self._name_entrants(), **self._name_chains(), **self._name_cards()}

    def get(self, id_: str) -> str:
        """Return what has this id, as people know it; the id itself, whatever it is, if that is unknown."""
        return self._names.get(id_, str(id_))

    @cached_property
    def contests(self) -> Mapping[str, str]:
        """The names of the contests."""
        return {str(data.get("id")): f"“{data.get('name')}”" for data in self._bundle.get("contests")}

    def describe_altered(self) -> list[Finding]:
        """Return the findings of the file, those of altered lines with the bike and the contest they are about."""
        return [
            finding._replace(where=f"{finding.where}{self._describe_text(self._bundle.altered[finding.line])}")
            if finding.line in self._bundle.altered
            else finding
            for finding in self._bundle.findings
        ]

    def _describe_text(self, text: str) -> str:
        known = [self._names[id_] for id_ in ID.findall(text[:20_000]) if id_ in self._names]
        if not known:
            return ""
        # The most telling one: a scorecard says the bike and the contest.
        name = next((name for name in known if name.startswith("the scorecard")), known[0])
        seq = SEQ.search(text) if '"section":"entries"' in text else None
        return f", entry {seq[1]} of {name}" if seq else f", {name}"

    def _name_entrants(self) -> dict[str, str]:
        bikes = {
            str(data.get("id")): "bike "
            + (f"{data.get('number')}" if data.get("suffix") == 1 else f"{data.get('number')} ({data.get('suffix')})")
            for data in self._bundle.get("bikes")
        }
        players = {
            str(data.get("id")): str(data.get("name") or f"player {data.get('id')}")
            for data in self._bundle.get("players")
        }
        sheets = {
            str(data.get("id")): f"{bikes.get(str(data.get('bike')), 'bike')}/{data.get('number')}"
            for data in self._bundle.get("sheets")
        }
        return {**bikes, **sheets, **players}

    def _name_chains(self) -> dict[str, str]:
        names = {}
        for data in self._bundle.get("chains"):
            id_, kind = str(data.get("id")), str(data.get("kind"))
            names[id_] = f"{CHAIN_KINDS.get(kind, 'scorecard')} {self.contests.get(id_, '')}".strip()
            if kind == "card":
                names[id_] = f"scorecard {id_}"
        return names

    def _name_cards(self) -> dict[str, str]:
        entrants = self._name_entrants()
        names = {}
        for data in self._bundle.get("cards"):
            seats = data.get("seats")
            seated = [
                entrants.get(str(seat.get("bike") or seat.get("player")), "")
                for seat in (seats if isinstance(seats, list) else ())
                if isinstance(seat, dict)
            ]
            contest = self.contests.get(str(data.get("contest")), "")
            whose = ", ".join(name for name in seated if name) or str(data.get("id"))
            names[str(data.get("id"))] = f"the scorecard of {whose} in {contest}"
        return names
