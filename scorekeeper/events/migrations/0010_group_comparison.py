"""How the groups of a contest are compared."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0009_freeze'),
    ]

    operations = [
        migrations.AddField(
            model_name='contest',
            name='group_best',
            field=models.PositiveSmallIntegerField(db_default=3, default=3, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(50)], verbose_name='totals that count for a group'),
        ),
        migrations.AddField(
            model_name='contest',
            name='groups_by',
            field=models.CharField(blank=True, choices=[('', 'No'), ('mean', 'By the mean of all totals'), ('best', 'By the sum of the best totals')], db_default='', default='', max_length=10, verbose_name='compare groups'),
        ),
    ]
