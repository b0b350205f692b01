"""URLs of the app."""

from django.urls import path, register_converter

from scorekeeper.bundles import views

app_name = "bundles"


class RosterConverter:
    """A URL converter for the roster of a bundle."""

    regex = "public|full"

    def to_python(self, value: str) -> str:
        """Return the word unchanged."""
        return value

    def to_url(self, value: str) -> str:
        """Return the word unchanged."""
        return value


register_converter(RosterConverter, "roster")

urlpatterns = [
    path("events/<slug:slug>/bundle.jsonl", views.public_file, name="public"),
    path("desk/events/<slug:slug>/bundle/", views.page, name="page"),
    path("desk/events/<slug:slug>/bundle/<roster:roster>.jsonl", views.organiser_file, name="file"),
]
