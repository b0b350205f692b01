"""The games of Tailgunner: pure rules and scoring, with nothing but the standard library.

A game is a function of its action log. There is no clock, no random number and no web framework in here, so
the same package runs on the server, at the command line and on a phone.
"""
