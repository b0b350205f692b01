"""The stops of a ride, in order, and the slots of contests at them."""
