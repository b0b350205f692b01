
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scorecards', '0010_plain_names'),
    ]

    operations = [
        migrations.AlterField(
            model_name='operation',
            name='outcome',
            field=models.CharField(choices=[('recorded', 'Recorded'), ('merged', 'Already recorded'), ('conflict', 'Conflict'), ('refused', 'Refused'), ('late', 'Late'), ('review', 'Under review')], max_length=10),
        ),
        migrations.AlterField(
            model_name='reviewitem',
            name='decision',
            field=models.CharField(blank=True, choices=[('keep', 'Keep the current entry'), ('apply', 'Use the entry under review'), ('other_slot', 'Both were rolled: another turn at this stop')], max_length=12),
        ),
        migrations.AlterField(
            model_name='reviewitem',
            name='reason',
            field=models.CharField(choices=[('conflict', 'Two entries for one turn differ'), ('rule', 'The rules do not allow it on this scorecard'), ('late', 'The contest was closed'), ('stale', 'A newer entry was already there'), ('undone', 'The same entry was recorded first and later voided'), ('revoked', 'The phone had been signed out, or its link had expired')], max_length=10),
        ),
    ]
