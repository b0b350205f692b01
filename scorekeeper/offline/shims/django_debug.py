"""Instead of `django.views.debug`: a phone shows nobody its settings."""
