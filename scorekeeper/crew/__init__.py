"""Groups riding together, their crew members, devices and dice sets."""
