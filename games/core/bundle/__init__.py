"""Bundles: everything about one event in one file, which this package can check with nothing but Python.

layout.py     the form of the file: lines, sections, checksums, and the fields of each section
reading.py    reads a file that may be damaged or hostile, and says which lines were altered
naming.py     names lines and scorecards as people know them: the bike and the contest
log.py        reads the chains of the log
scoring.py    scores every card again by the rule books, and ranks the contests
opening.py    a bundle with its log read and its contests scored, for the checks
checks.py     checks of the log, the scorecards, the standings and the revisions
derived_rows.py  checks of everything else that follows from the log, and of the order of the lines
report.py     the result of a check as sentences and as data

`docs/bundle.md` describes the format for people. Nothing here is shared with the server's own verification, so that
each of them can find the faults of the other.
"""
