"""Whether publishing a contest asks for agreed cards."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0011_access_tokens'),
    ]

    operations = [
        migrations.AddField(
            model_name='contest',
            name='asks_agreement',
            field=models.BooleanField(db_default=False, default=False, verbose_name='ask for agreed cards before publishing'),
        ),
    ]
