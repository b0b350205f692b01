"""`python -m tests.cluster.loading setup setup ...` loads a demo ride up to each named point of the day.

It runs with the environment of a program, fills its database, and prints the outputs of `manage.py demo` as JSON.
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

    outputs = []
    for point in points:
        output = io.StringIO()
        call_command("demo", until=point, stdout=output)
        outputs.append(output.getvalue())
    sys.stdout.write(json.dumps(outputs))


if __name__ == "__main__":
    main(sys.argv[1:])
