"""The witnesses of cuts of cards, whose names are kept outside the log."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0002_unchecked_people'),
    ]

    operations = [
        migrations.CreateModel(
            name='CutWitness',
            fields=[
                ('operation', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='cut_witness', serialize=False, to='ledger.operation')),
                ('salt', models.CharField(max_length=32)),
                ('name', models.CharField(max_length=80)),
            ],
        ),
    ]
