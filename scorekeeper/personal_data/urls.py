"""URLs of the app. The records that are the person are in the query, `?record=player:…&record=crew:…`."""

from django.urls import path

from scorekeeper.personal_data.views import person

app_name = "personal_data"

urlpatterns = [
    path("desk/events/<slug:slug>/personal-data/", person.person, name="person"),
    path("desk/events/<slug:slug>/personal-data.json", person.person_file, name="file"),
]
