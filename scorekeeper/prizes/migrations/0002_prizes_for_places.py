"""Makes a prize without a name of every place that won one so far, the first place announced last."""

from django.db import migrations


def add_prizes(apps, _editor):
    contests = apps.get_model("events", "Contest").objects.order_by("event_id", "ordinal", "name")
    positions = {}
    prizes = []
    for contest in contests.iterator():
        for place in range(contest.prizes, 0, -1):
            positions[contest.event_id] = positions.get(contest.event_id, 0) + 1
            prizes.append((contest, place, positions[contest.event_id]))
    prize = apps.get_model("prizes", "Prize")
    prize.objects.bulk_create(
        [
            prize(event_id=contest.event_id, contest=contest, position=position, rule="place", place=place)
            for contest, place, position in prizes
        ],
        batch_size=500,
    )


class Migration(migrations.Migration):
    dependencies = [("prizes", "0001_initial")]

    operations = [migrations.RunPython(add_prizes, migrations.RunPython.noop)]
