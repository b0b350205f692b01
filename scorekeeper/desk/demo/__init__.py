"""The demo ride: readable files, played through the same services as the pages use.

ride.toml    the ride and its turns at the stops; script.py reads it, ride.py sets it up, play.py plays it
tables.toml  the games at the tables; plays.py reads them, tables.py sets them up and plays them
"""
