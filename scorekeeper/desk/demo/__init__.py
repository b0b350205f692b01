"""The demo's rides: readable script files, played through the same services that the pages use.

ride.toml        the ride and its turns at the stops; ride_script.py reads it, ride_setup.py sets it up,
                 ride_player.py plays it
tables.toml      the games at the tables; table_script.py reads them, table_player.py sets them up and plays them
poker_ride.toml  another ride: a poker run with a dice run beside it; poker_ride.py reads it, sets it up and plays it
"""
