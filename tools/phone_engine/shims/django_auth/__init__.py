"""The app that holds the names of organisers, with the label of Django's app `auth`."""
