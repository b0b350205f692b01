"""Database writes for bikes with the people on them, for people without a bike, and for whole rosters."""
