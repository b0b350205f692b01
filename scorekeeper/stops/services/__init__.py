"""Database writes for the stops of a ride, and for the turns that are rolled at them."""
