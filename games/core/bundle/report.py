"""The result of checking a bundle, as sentences for people and as data for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from games.core.bundle.checks import BundleChecks
from games.core.bundle.naming import Names
from games.core.bundle.reading import Bundle, Finding, copy_lines, read_bundle
from games.core.game import Game

MOST_SHOWN = 100  # findings that are written out as sentences
CONSISTENT = (
    "That says that everything in the file fits together. Somebody who can replace the whole log can also make a file "
    "that does: compare one of the hashes above with one that was printed or published, or give it with --head."
)
NOT_IN_THE_LOG = (
    "what no entry of the log says: the event's name, date, address and settings; stops, groups, dice sets and the "
    "crew, with their names and their order; the names of contests, and the settings of those that are open; makes and "
    "models; who rides which bike, and in which group; the names of what is checked; pictures, and how certificates "
    "look; what the audience saw during a freeze; the ids of seats; and which of two entries on different scorecards "
    "came first."
)
ALTERED = "The file was altered, so nothing in it was checked any further."


@dataclass(frozen=True)
class BundleReport:
    """What was found.

    Attributes:
        digest: the SHA-256 of the file, as other programs compute it too.
        event_head: one hash over the whole log; "" if the file was altered.
        counts: how many entries, chains, scorecards and revisions were checked.
        heads: the hashes that may have been published, with what they are.
        not_checked: what could not or cannot be checked, as sentences.
    """

    bundle: Bundle
    digest: str
    event_head: str
    findings: Sequence[Finding]
    counts: Mapping[str, int]
    heads: Mapping[str, str]
    not_checked: Sequence[str] = ()
    confirmed: str = ""

    @property
    def is_in_order(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def list_sentences(self) -> list[str]:
        """Return the report as sentences."""
        lines = [f"SHA-256 of the file: {self.digest}"]
        if self.event_head:
            event = self.bundle.event
            practice = " This was a practice event." if event["is_practice"] else ""
            lines.insert(
                0, f"{event['name']}, {event['date']}, with the {self.bundle.header['roster']} roster.{practice}"
            )
            lines += [f"{name[:1].upper()}{name[1:]}: {head}" for head, name in self.heads.items()]
        lines += [str(finding) for finding in self.findings[:MOST_SHOWN]]
        if len(self.findings) > MOST_SHOWN:
            lines.append(f"… and {len(self.findings) - MOST_SHOWN} more.")
        if not self.event_head:
            lines.append(ALTERED)
        lines += [f"Not checked: {text}" for text in self.not_checked]
        lines.append(self._summarise())
        if self.confirmed:
            lines.append(self.confirmed)
        elif self.is_in_order:
            lines.append(CONSISTENT)
        return lines

    def _summarise(self) -> str:
        if self.findings:
            return f"{len(self.findings)} {'difference' if len(self.findings) == 1 else 'differences'} found."
        counts = ", ".join(f"{name}: {count}" for name, count in self.counts.items())
        return f"All in order: {counts}."

    def to_data(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "ok": self.is_in_order,
            "sha256": self.digest,
            "event_head": self.event_head or None,
            "heads": [{"hash": head, "of": name} for head, name in self.heads.items()],
            "findings": [
                {"line": finding.line, "where": finding.where, "what": finding.what} for finding in self.findings
            ],
            "checked": dict(self.counts),
            "not_checked": list(self.not_checked),
        }


def check_bundle(file: BinaryIO, games: Mapping[str, Game[Any]], head: str | None = None) -> BundleReport:
    """Read a bundle and check everything in it that can be checked without the program that wrote it.

    Args:
        head: a hash that was published: of the file, of the event's log, or of the log up to a revision.

    Raises:
        UnreadableBundle: it is no bundle that this version can check.
    """
    if file.seekable():
        return check_read_bundle(read_bundle(file), games, head)
    with TemporaryFile() as copied:
        copy_lines(file, copied)
        return check_read_bundle(read_bundle(copied), games, head)


def check_read_bundle(bundle: Bundle, games: Mapping[str, Game[Any]], head: str | None = None) -> BundleReport:
    """Check a bundle that has been read."""
    wanted = None if head is None else head.strip().lower()
    if bundle.findings:
        # Only the hash of the file can be compared: nothing in it can be relied on.
        return BundleReport(bundle, bundle.digest, "", Names(bundle).describe_altered(), {}, {})
    checks = BundleChecks(bundle, games)
    findings = checks.list_findings()
    heads = {bundle.digest: "SHA-256 of the file", **_list_heads(bundle, checks)}
    confirmed = ""
    if wanted is not None and not findings:
        found = heads.get(wanted)
        if found is None:
            findings.append(Finding(None, "--head", f"nothing in this bundle has the hash {wanted:.80}"))
        else:
            confirmed = f"The hash that you gave is that of the {found}." + (
                " What was recorded after that revision is not covered by it." if found.startswith("log up to") else ""
            )
    del heads[bundle.digest]
    return BundleReport(
        bundle,
        bundle.digest,
        checks.event_head,
        findings,
        _count(bundle, checks),
        heads,
        _list_unchecked(bundle, checks),
        confirmed,
    )


def _list_heads(bundle: Bundle, checks: BundleChecks) -> dict[str, str]:
    """Return the hashes of the log that may have been published, the whole log first."""
    heads = {checks.event_head: "log of the event"}
    for revision in bundle.get("revisions"):
        contest = checks.names.contests[revision["contest"]]
        heads.setdefault(revision["event_head"], f"log up to revision {revision['number']} of {contest}")
    return heads


def _count(bundle: Bundle, checks: BundleChecks) -> dict[str, int]:
    rows = bundle.rows
    return {
        "entries": len(rows["entries"]),
        "chains": len(rows["chains"]),
        "scorecards scored again": checks.count_cards(),
        "places compared": len(rows["standings"]),
        "revisions": len(rows["revisions"]),
    }


def _list_unchecked(bundle: Bundle, checks: BundleChecks) -> list[str]:
    texts = list(checks.list_unscored())
    if any(revision["awards"] for revision in bundle.get("revisions")):
        texts.append("who wins the prizes is compared with the log's digest, and not worked out again.")
    if any(contest["groups_by"] for contest in bundle.get("contests")):
        texts.append("the comparison of groups is compared with the log's digest, and not computed again.")
    if bundle.header["roster"] == "public":
        texts.append("reasons, and names that the event does not show, are not in this bundle.")
    texts.append("the names of people: no log has them, so that they can be erased.")
    texts.append(NOT_IN_THE_LOG)
    return texts
