"""The rules by which prizes are won: one file each, pure functions of what the log says.

facts.py            what the rules read
award_rule.py       the contract of a rule, and its result
place.py            a place in the contest
best_roll.py        the turn with the most points, at a stop or on the whole ride
most_sixes.py       the most sixes on the dice
lowest_card.py      the worst total of those who played every turn
most_improved.py    the most places gained since a stop
best_group.py       the group with the best mean
first_to_finish.py  the earliest last turn
by_hand.py          whomever the organiser chooses
rule_book.py        all of them, by their keys

Invariants:
- A rule returns everyone who is tied for the prize. Who of them gets it is decided afterwards.
- Retired seats and missed turns win nothing by being missed: where fewer points win, they do not count.
"""
