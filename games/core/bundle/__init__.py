"""Bundles: everything about one event in one file, which this package can check with nothing but Python.

layout.py     the form of the file: lines, sections, checksums, and the fields of each section
reading.py    reads a file that may be damaged or hostile, and says which lines were altered
naming.py     names lines and scorecards as people know them: the bike and the contest
source.py     gives the lines of a bundle to the checks that every event has (`games.core.verification`)
checks.py     runs these checks, and those of what only a file has: stored places, the order of the lines, the manifest
report.py     the result of a check as sentences and as data

`docs/bundle.md` describes the format for people.
"""
