"""`python -m tests.cluster.loading setup setup ...` loads a demo ride for each point of the day that it names.

It runs in the environment of a program, whose database it fills, and prints what `manage.py demo` said of each as JSON.
"""

from __future__ import annotations

import io
import json
import sys


def main(points: list[str]) -> None:
    """Load the rides."""
    import django

    django.setup()
    from django.core.management import call_command

    printed = []
    for point in points:
        said = io.StringIO()
        call_command("demo", until=point, stdout=said)
        printed.append(said.getvalue())
    sys.stdout.write(json.dumps(printed))


if __name__ == "__main__":
    main(sys.argv[1:])
