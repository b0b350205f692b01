"""The writes of the app: the prizes of an event, and the organiser's decisions about them."""
