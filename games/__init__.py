"""The games of Tailgunner: pure rules and scoring that need only the standard library.

A game is a function of its action log. This package uses no clock, no random numbers and no web framework, so it runs
unchanged on the server, on the command line and on a phone.
"""
