"""URLs of the app. The records that are the person are in the query, `?record=player:…&record=crew:…`."""

from django.urls import path

from scorekeeper.personal_data import views

app_name = "personal_data"

urlpatterns = [
    path("desk/events/<slug:slug>/personal-data/", views.person, name="person"),
    path("desk/events/<slug:slug>/personal-data.json", views.person_file, name="file"),
]
