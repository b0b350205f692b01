"""Adds what the audience sees of a contest while its event is frozen."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0009_freeze'),
        ('standings', '0010_awards_of_revisions'),
    ]

    operations = [
        migrations.CreateModel(
            name='FrozenStandings',
            fields=[
                ('contest', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='frozen_standings', serialize=False, to='events.contest')),
                ('board', models.JSONField()),
                ('cards', models.JSONField()),
                ('result_board', models.JSONField(null=True)),
                ('result_cards', models.JSONField(null=True)),
                ('position', models.PositiveSmallIntegerField(null=True)),
                ('revealed_from', models.PositiveIntegerField(null=True)),
            ],
        ),
    ]
