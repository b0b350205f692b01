"""Database writes for screens, and for pairing televisions."""
