"""The data of the organiser's pages, from the apps below."""
