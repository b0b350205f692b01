"""Instead of `django.template.autoreload` and the like: nothing changes on a phone while it runs."""
