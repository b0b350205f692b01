"""The places of an event, in order, and the slots of contests at them."""
