"""The earliest last turn of a card on which every turn was rolled.

The time is the server's: when it recorded a turn. A phone without signal delivers later, and its riders finish later.
"""

from __future__ import annotations

import datetime as dt

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.event_times import format_time
from scorekeeper.events.models import Event
from scorekeeper.prizes.rules.award_rule import AwardCandidate, AwardResult, AwardRule, Figures
from scorekeeper.prizes.rules.facts import AwardEntrant, AwardFacts, AwardTerms


class FirstToFinish(AwardRule):
    """Won by whoever had every turn recorded first."""

    key = "first_to_finish"
    needs_turns = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever finished first; who missed a turn or retired did not finish."""
        finished = [
            (_get_finish(entrant), entrant)
            for entrant in facts.entrants
            if facts.turns_per_card
            and entrant.status != "retired"
            and sum(not turn.is_missed for turn in entrant.turns) == facts.turns_per_card
        ]
        earliest = min((finish for finish, _entrant in finished), default=None)
        return AwardResult(
            tuple(
                AwardCandidate.from_entrant(
                    entrant, at=finish.astimezone(dt.UTC).isoformat(), turns=facts.turns_per_card
                )
                for finish, entrant in finished
                if finish == earliest
            )
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("First to finish")

    def explain(self, figures: Figures, event: Event) -> str:
        """Return when the last turn was recorded."""
        text = ngettext(
            "%(count)s turn recorded by %(time)s", "All %(count)s turns recorded by %(time)s", figures["turns"]
        )
        time = format_time(dt.datetime.fromisoformat(figures["at"]), event)
        return text % {"count": figures["turns"], "time": time}


def _get_finish(entrant: AwardEntrant) -> dt.datetime:
    return max(turn.recorded_at for turn in entrant.turns)
