# The column has a database default, because the previous version still creates devices without it.
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crew', '0003_what_phones_hold'),
    ]

    operations = [
        migrations.AddField(
            model_name='device',
            name='public_key',
            field=models.TextField(blank=True, db_default='', default='', editable=False),
        ),
    ]
