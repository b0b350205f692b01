"""Whether dice are fair, from the faces of dice that were thrown, asked as often as anybody likes.

Terms:
- The *evidence* against fair dice is a bet's worth: start with 1, stake all of it on the next face before it is thrown,
  at the odds of fair dice. With fair dice no strategy wins on average, so the chance that the evidence ever reaches
  1,000 is at most 1 in 1,000, whenever and however often somebody looks (Ville's inequality).
- The *strategy* bets as a Bayesian would who thinks that the faces have unknown shares near the fair ones. `CLOSENESS`
  says how near; the evidence is the mean of a bet for each of them.
- A *sample* is the throws of one set of dice of one kind. An event has several, which share the chance of a false
  alarm (`get_share`).

Invariants:
- The order of the throws makes no difference, so counts are all that is needed.
- Only throws that were not selected may be counted: see `Game.thrown_dice`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, lgamma, log, log1p
from typing import Literal

Level = Literal["nothing", "worth_a_look", "alarm"]

# Throws that the strategy's opinion is worth: 12 finds a loaded die early, 192 a small bias in the end.
CLOSENESS = (12.0, 48.0, 192.0)

FALSE_ALARMS = 0.01  # the chance of an alarm at any time of an event whose dice are all fair
FALSE_LOOKS = 0.1  # the same for something worth a look
POWER = 0.8
BLOCK = 64  # samples of an event that share alike

_NEGLIGIBLE = 1e-16  # of a sum
_STEPS = 40  # of a search by halving; more than a figure on a page can show


@dataclass(frozen=True, slots=True)
class Fairness:
    """What the throws of a sample say.

    Attributes:
        throws: how many dice were thrown in all.
        evidence: the logarithm of the evidence against fair dice.
        level: whether it is an alarm, counted among all samples of the event.
        visible_share: of each face, the share from which an alarm by now would have been likely (`POWER`); None if not
            even a die that shows nothing else would have raised one.
    """

    throws: int
    evidence: float
    level: Level
    visible_share: tuple[float | None, ...]

    @property
    def one_in(self) -> float:
        """One in how many samples of fair dice ever looks as bad as this, at most."""
        return exp(min(self.evidence, 700.0)) if self.evidence > 0 else 1.0


def get_share(number: int) -> float:
    """Return the share of an event's false alarms that a sample may use.

    The first `BLOCK` samples share half of it, the next a sixth, then a twelfth and so on: together never more than
    all, however many there will be. Within a block the order makes no difference.

    Args:
        number: the position of the sample in the event, from 0. It must not depend on the throws.
    """
    block = number // BLOCK + 1
    return 1 / (block * (block + 1) * BLOCK)


def judge_sample(counts: Sequence[int], weights: Sequence[int], share: float = 1.0) -> Fairness:
    """Return what the throws of a sample say.

    Args:
        counts: how often each face was thrown.
        weights: how many sides of the die show each face; at least two faces.
        share: of the event's false alarms, from `get_share`; 1 for a test of these dice alone.
    """
    throws = sum(counts)
    evidence = compute_evidence(counts, weights)
    level: Level = "nothing"
    if evidence >= get_threshold(FALSE_LOOKS, share):
        level = "worth_a_look"
    if evidence >= get_threshold(FALSE_ALARMS, share):
        level = "alarm"
    visible = {weight: _find_visible_share(throws, weights, weights.index(weight), share) for weight in set(weights)}
    return Fairness(throws, evidence, level, tuple(visible[weight] for weight in weights))


def get_fair_shares(weights: Sequence[int]) -> tuple[float, ...]:
    """Return the share that each face of a fair die has."""
    return tuple(weight / sum(weights) for weight in weights)


def get_threshold(chance: float, share: float) -> float:
    """Return the logarithm of the evidence that a sample needs.

    Args:
        chance: of reaching it with fair dice, at any time of the event, in any of its samples.
        share: the sample's share of that chance.
    """
    return -log(chance * share)


def compute_evidence(counts: Sequence[float], weights: Sequence[int]) -> float:
    """Return the logarithm of the evidence against fair dice.

    For each closeness c it is the chance of these throws under a Dirichlet prior with the parameters c * fair share,
    divided by their chance under fair dice.
    """
    fair = get_fair_shares(weights)
    throws = sum(counts)
    bets = []
    for closeness in CLOSENESS:
        bet = lgamma(closeness) - lgamma(closeness + throws)
        for count, share in zip(counts, fair, strict=True):
            bet += lgamma(closeness * share + count) - lgamma(closeness * share) - count * log(share)
        bets.append(bet)
    best = max(bets)
    return best + log(sum(exp(bet - best) for bet in bets) / len(bets))


def get_tail(throws: int, chance: float, count: int) -> float:
    """Return the chance that something with this chance happens so often or more in independent throws."""
    if count > throws:
        return 0.0
    if count <= 0 or chance >= 1:
        return 1.0
    if count > throws * chance:
        return _sum_terms(throws, chance, count, 1)
    return 1.0 - _sum_terms(throws, chance, count - 1, -1)


def _sum_terms(throws: int, chance: float, count: int, step: Literal[1, -1]) -> float:
    """Return the sum of the binomial chances from a count away from the mean, up or down."""
    ways = lgamma(throws + 1) - lgamma(count + 1) - lgamma(throws - count + 1)
    term = exp(ways + count * log(chance) + (throws - count) * log1p(-chance))
    odds = chance / (1 - chance)
    total = 0.0
    while 0 <= count <= throws and term > total * _NEGLIGIBLE:
        total += term
        term *= odds * (throws - count) / (count + 1) if step == 1 else count / (throws - count + 1) / odds
        count += step
    return total


def _find_visible_share(throws: int, weights: Sequence[int], face: int, share: float) -> float | None:
    """Return the share of a face from which an alarm by now has a chance of `POWER` or more; None if there is none."""
    count = _find_alarming_count(throws, weights, face, get_threshold(FALSE_ALARMS, share))
    if count is None:
        return None
    low, high = get_fair_shares(weights)[face], 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if get_tail(throws, middle, count) >= POWER:
            high = middle
        else:
            low = middle
    return high


def _find_alarming_count(throws: int, weights: Sequence[int], face: int, threshold: float) -> int | None:
    """Return how often a face must be thrown to raise an alarm even if the others keep their proportion, or None.

    If they do not, the evidence is stronger, so alarms are a little more likely than this says.
    """
    fair = get_fair_shares(weights)

    def raises_alarm(count: int) -> bool:
        rest = (throws - count) / (1 - fair[face])
        counts = [count if other == face else rest * chance for other, chance in enumerate(fair)]
        return compute_evidence(counts, weights) >= threshold

    low, high = int(throws * fair[face]), throws
    if not raises_alarm(high):
        return None
    while low < high:
        middle = (low + high) // 2
        if raises_alarm(middle):
            high = middle
        else:
            low = middle + 1
    return high
