"""Instead of `django.views.debug`: a phone has no debug pages."""
