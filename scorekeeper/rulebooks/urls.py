"""URLs of the app."""

from django.urls import path

from scorekeeper.rulebooks import views

app_name = "rulebooks"

urlpatterns = [
    path("rules/", views.index, name="list"),
    path("rules/<slug:key>/", views.book, name="book"),
]
