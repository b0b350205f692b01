"""What is printed for a poker run: the rules on one page, with the order of the hands."""

from __future__ import annotations

from games.core.handouts import TIES_ARE_CUT, Chart, Handout, Panel, Point, Points
from games.core.text import Text, gettext_noop, ngettext_lazy
from games.poker_run.hands import FIVE, LABELS, STRAIGHT_FLUSH
from games.poker_run.state import Setup

RULES = gettext_noop("Poker run in short")
HANDS = gettext_noop("Hands, the best first")
WORTH: tuple[Text, ...] = (
    gettext_noop("None of the others"),
    gettext_noop("Two of one rank"),
    gettext_noop("Two of one rank, and two of another"),
    gettext_noop("Three of one rank"),
    gettext_noop("Five ranks in a row"),
    gettext_noop("Five cards of one suit"),
    gettext_noop("Three of one rank, and two of another"),
    gettext_noop("Four of one rank"),
    gettext_noop("A straight in one suit"),
    gettext_noop("Five of one rank"),
)
EXAMPLES = (
    "A♠ K♥ 9♦ 8♣ 7♠",
    "A♠ A♥ 9♦ 8♣ 7♠",
    "A♠ A♥ 4♦ 4♣ K♠",
    "K♠ K♥ K♦ 9♣ 8♦",
    "K♠ Q♥ J♠ 10♠ 9♠",
    "K♠ 9♠ 8♠ 7♠ 2♠",
    "K♠ K♥ K♦ 9♣ 9♦",
    "K♠ K♥ K♦ K♣ 2♠",
    "K♠ Q♠ J♠ 10♠ 9♠",
    "K♠ K♥ K♦ K♣ K♠",
)

ONE_CARD = gettext_noop("One hand for each entry, %(turns)s stops. At each stop, draw one card and have it recorded.")
MORE_CARDS = gettext_noop(
    "One hand for each entry, %(turns)s stops. At each stop, draw %(cards)s cards and have them recorded."
)
PUT_BACK = gettext_noop("The cards are put back, so everybody draws from the full deck.")
ONE_DECK = gettext_noop("If you hold the card already, draw again.")
DECK_EACH_STOP = gettext_noop("At another stop the same card may come again, and then it counts again.")
MISSED = gettext_noop("If you miss a stop, you miss its cards.")
EXTRA = ngettext_lazy(
    "After the last stop you may buy %(count)s more card.",
    "After the last stop you may buy up to %(count)s more cards, one after the other.",
)
BEST_FIVE = gettext_noop("Your best five cards count, and the best hand wins.")
WORST_FIVE = gettext_noop("Your lowest five cards count, and the worst hand wins. Aces are high.")
FEW_CARDS = gettext_noop("A hand of five cards is ahead of every hand with fewer.")
JOKER = gettext_noop("A joker is whatever card helps your hand most.")
KICKERS = gettext_noop(
    "Equal hands are compared card by card, the ranks that come most often first. Suits do not count."
)
STAY = gettext_noop("Equal hands share their place.")


def list_handouts(setup: Setup) -> tuple[Handout, ...]:
    """Return the summary of the rules, with the numbers of the contest."""
    return (Handout("rules", RULES, (Panel("", (list_points(setup),)), Panel(HANDS, (_chart(setup),)))),)


def list_points(setup: Setup) -> Points:
    """Return the rules in a dozen sentences, with the numbers of the contest."""
    draw = Point(ONE_CARD if setup.cards == 1 else MORE_CARDS, "POKER-2", {"turns": setup.turns, "cards": setup.cards})
    again = Point(ONE_DECK, "POKER-4") if setup.is_one_deck else Point(DECK_EACH_STOP, "POKER-5")
    points = [draw, Point(PUT_BACK, "POKER-3"), again, Point(MISSED, "POKER-17")]
    if setup.extra:
        points.append(Point(EXTRA, "POKER-6", {"count": setup.extra}))
    if setup.is_low:
        points += [Point(WORST_FIVE, "POKER-13"), Point(FEW_CARDS, "POKER-16")]
    else:
        points.append(Point(BEST_FIVE, "POKER-12"))
    if setup.jokers:
        points.append(Point(JOKER, "POKER-14"))
    points += [Point(KICKERS, "POKER-11"), Point(TIES_ARE_CUT if setup.cuts_cards else STAY, "POKER-18")]
    return Points(tuple(points))


def list_hands(setup: Setup) -> tuple[tuple[Text, Text, str], ...]:
    """Return the categories that are possible, the best first: their names, what they are, and an example."""
    # Without jokers, one deck has no five cards of a rank.
    best = FIVE if setup.jokers or not setup.is_one_deck else STRAIGHT_FLUSH
    return tuple((LABELS[number], WORTH[number], EXAMPLES[number]) for number in range(best, -1, -1))


def _chart(setup: Setup) -> Chart:
    headings = (gettext_noop("Hand"), gettext_noop("What it is"), gettext_noop("For example"))
    return Chart(headings, list_hands(setup))
