"""Which cards are agreed to: the agreements of a contest, compared with the figures of its cards."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.functional import Promise

from scorekeeper.agreements.models import Agreement

AgreementsByBike = Mapping[UUID, Sequence[Agreement]]  # oldest first


@dataclass(frozen=True, slots=True)
class CardAgreement:
    """Whether a card is agreed to.

    Attributes:
        digest: of the card's figures.
        current: the agreement to these figures, if there is one.
        earlier: otherwise the last agreement to others, if there is one: the card has changed since.
    """

    digest: str
    current: Agreement | None = None
    earlier: Agreement | None = None

    @property
    def by_label(self) -> str | Promise:
        """Who agreed, in words; "" if nobody did."""
        found = self.current or self.earlier
        return "" if found is None else Agreement.By(found.by).label


def list_agreements(contest_ids: Iterable[UUID], until: dt.datetime | None = None) -> Mapping[UUID, AgreementsByBike]:
    """Return the agreements of contests by contest and bike, in one statement. Those of an alias are its bike's.

    Args:
        until: only those that were recorded by then.
    """
    rows = Agreement.objects.filter(contest__in=list(contest_ids)).select_related("bike").order_by("seq")
    found: dict[UUID, dict[UUID, list[Agreement]]] = defaultdict(lambda: defaultdict(list))
    for row in rows if until is None else rows.filter(at__lte=until):
        found[row.contest_id][row.bike.merged_into_id or row.bike_id].append(row)
    return {contest: dict(by_bike) for contest, by_bike in found.items()}


def compare_agreements(agreements: Sequence[Agreement], digest: str) -> CardAgreement:
    """Return whether a card with these figures is agreed to.

    Args:
        agreements: of its bike in its contest, oldest first.
    """
    current = next((agreement for agreement in agreements if agreement.digest == digest), None)
    earlier = agreements[-1] if agreements and current is None else None
    return CardAgreement(digest, current, earlier)


def get_card_agreement(contest_id: UUID, bike_id: UUID, digest: str) -> CardAgreement:
    """Return whether the card of one bike is agreed to."""
    by_bike = list_agreements([contest_id]).get(contest_id, {})
    return compare_agreements(by_bike.get(bike_id, ()), digest)
