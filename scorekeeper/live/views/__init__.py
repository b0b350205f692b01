"""Views: the big screen, its settings and controls, and the fallbacks for streams."""
