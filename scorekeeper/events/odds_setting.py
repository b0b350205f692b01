"""Which odds a contest shows during play, as its log has it from the first entry on.

Advice during play helps whoever looks at it, so a result has to say a year later whether there was any.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from scorekeeper.events.models import Contest


def get_odds_data(contest: Contest) -> dict[str, str]:
    """Return the setting as the log has it: nothing where no odds are shown, as in older logs."""
    if contest.odds_shown == Contest.OddsShown.OFF:
        return {}
    return {"odds": contest.odds_shown}


def describe_odds_setting(contest: Contest, status: str) -> str:
    """Return a sentence for the results; "" where no odds are shown, which is the usual.

    Args:
        status: of the contest as its readers may see it: closing it during a freeze changes nothing for the audience.
    """
    is_over = status != Contest.Status.OPEN
    if contest.shows_values and contest.game.has_hands:
        if is_over:
            return _("During play, everyone could see the chances of each hand.")
        return _("During play, everyone can see the chances of each hand.")
    if contest.shows_values:
        if is_over:
            return _("During play, everyone could see what each choice was worth.")
        return _("During play, everyone can see what each choice is worth.")
    if contest.shows_chances:
        return _("Chances to win were shown during play.") if is_over else _("Chances to win are shown during play.")
    return ""
