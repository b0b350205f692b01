"""What a browser calls itself, in a word or two. It only helps people to recognise their own browsers."""

from __future__ import annotations

# Words of a User-Agent header and the name to show. Browsers claim to be their ancestors too, so the first hit counts.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


def name_browser(user_agent: str) -> tuple[str, str]:
    """Return the name of the browser and of the system it runs on; "" for what is not known.

    Args:
        user_agent: the User-Agent header of a request.
    """
    browser = next((name for word, name in _BROWSERS if word in user_agent), "")
    system = next((name for word, name in _SYSTEMS if word in user_agent), "")
    return browser, system
