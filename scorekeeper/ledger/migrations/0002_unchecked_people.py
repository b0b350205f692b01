"""The names on walk-ups from phones whose access had ended, until the organiser adds them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('bikes', '0001_initial'),
        ('ledger', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='UncheckedPeople',
            fields=[
                ('operation', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='unchecked_people', serialize=False, to='ledger.operation')),
                ('rider', models.CharField(blank=True, max_length=80)),
                ('passenger', models.CharField(blank=True, max_length=80)),
                ('is_left_out', models.BooleanField(default=False)),
                ('bike', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='unchecked_people', to='bikes.bike')),
            ],
        ),
    ]
