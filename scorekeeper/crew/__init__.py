"""Groups of bikes that ride together, with their crew members, the crew's phones and the dice sets."""
