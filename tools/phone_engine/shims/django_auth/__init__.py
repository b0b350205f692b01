"""Instead of `django.contrib.auth`: only the names of organisers."""
