"""Checks of a bundle: those of every event (`games.core.verification`), and those of what only a file has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.core.bundle.naming import Names
from games.core.bundle.reading import NUMBERED, Bundle, Finding
from games.core.bundle.source import BundleSource
from games.core.game import Game
from games.core.verification import Verification
from games.core.verification.revisions import compare_rows
from games.core.verification.scoring import Scorer
from games.core.verification.source import DIFFERS, Data, Fault, guard

# What fields are called in a sentence, where their names do not say it.
FIELD_WORDS = {
    "operations": {
        "actor": "who sent it",
        "device": "the device",
        "digest": "the digest",
        "kind or body": "what was sent",
        "outcome": "the outcome",
        "receipt": "the receipt",
        "time": "the time",
    },
    "revisions": {"awards": "the winners of its prizes", "standings": "its standings or scorecards"},
}

# What a fault in a section is about; `about` is the other row.
LOCATIONS = {
    "": "{name}",
    "event": "the event",
    "contests": "the contest “{name}”",
    "entries": "entry {seq} of {chain}",
    "operations": "operation {id} ({kind})",
    "reasons": "the reason of {id}",
    "witnesses": "the witness of {id}",
    "review_items": "the review of {operation}",
    "revisions": "revision {number} of {contest}",
    "revision_rows": "revision {number} of {contest}, {about}",
    "revision_cards": "revision {number} of {contest}, {about}",
    "sheets": "the further sheet {id}",
    "class_members": "the bike or person {id}",
    "standings": "the standings, {about} in {contest}",
}


class BundleChecks:
    """Checks a bundle whose bytes are in order.

    Attributes:
        names: of what is in it.
        event_head: one hash over the whole log.
    """

    def __init__(self, bundle: Bundle, games: Mapping[str, Game[Any]]) -> None:
        source = BundleSource(bundle)
        self.names = Names(bundle)
        self.event_head = source.event_head
        self._bundle = bundle
        self._verification = Verification(source, games)

    def list_findings(self) -> list[Finding]:
        """Return everything that does not fit together."""
        checks = {
            "the standings": self._check_standings(),
            "the manifest": self._check_head(),
        }
        faults = [*self._verification.list_faults()]
        for name, check in checks.items():
            faults += guard(name, check)
        return [*map(self._describe, faults), *self._bundle.disordered]

    def list_unscored(self) -> Iterator[str]:
        """Return which contests cannot be scored by this version, and why, once all findings were listed."""
        for id_, contest in self._verification.contests.items():
            if not isinstance(contest.scorer, Scorer):
                yield f"the scorecards and places of {self.names.contests[id_]}: {contest.scorer}."

    def count_cards(self) -> int:
        """Return how many scorecards were scored, once all findings were listed."""
        contests = self._verification.contests.values()
        return sum(contest.scorer.now.card_count for contest in contests if isinstance(contest.scorer, Scorer))

    def _check_standings(self) -> Iterator[Fault]:
        for id_, contest in self._verification.contests.items():
            if isinstance(contest.scorer, Scorer):
                ranked = contest.scorer.rank(self._verification.log, contest.scorer.now)
                lines = self._bundle.find("standings", "contest", id_)
                rows = ((row.data["index"], row.data["row"]) for row in lines)
                yield from compare_rows(ranked.rows, rows, {"contest": id_}, "standings")

    def _check_head(self) -> Iterator[Fault]:
        line, data = self._bundle.rows["manifest"][0]
        if data["event_head"] != self.event_head:
            yield Fault("", {"name": "the manifest"}, "its head of the event is not that of the chains", line=line)

    def _describe(self, fault: Fault) -> Finding:
        words = FIELD_WORDS.get(fault.section, {})
        fields = ", ".join(words.get(name, name) for name in fault.fields)
        what = f"{DIFFERS}: {fields}" if fault.what == DIFFERS else fault.what
        line = fault.line if fault.line is not None else self._find_line(fault.section, fault.data)
        return Finding(line, self._locate(fault), what.replace("{about}", self.names.get(fault.about)))

    def _find_line(self, section: str, data: Data) -> int | None:
        """Return the line of a row of standings, which are compared without their lines."""
        if (owner := NUMBERED.get(section)) is not None:
            own = data["id" if owner == "revision" else owner]
            for row in self._bundle.find(section, owner, own):
                if row.data["index"] == data["index"]:
                    return row.line
        return None

    def _locate(self, fault: Fault) -> str:
        """Return what a fault is about, as people know it."""
        data, get = fault.data, self.names.get
        known = {name: get(data.get(name, "")) for name in ("id", "chain")}
        contest = self.names.contests.get(data.get("contest", ""))
        return LOCATIONS.get(fault.section, "{id}").format(
            **{**data, **known, "contest": contest, "about": get(fault.about)}
        )
