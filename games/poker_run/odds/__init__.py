"""Odds: with which chance the final hand is of each category, and which hands it beats.

`counting` counts the ways in which a hand can go on, `sampling` draws some of them where there are too many, `table`
has what comes of an empty hand, and `answer` puts the odds of a state together. `endings` has every hand that may come
of one, for the chances to win.
"""
