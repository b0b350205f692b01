# It is unknown who ended the phones that were ended before this migration, so they count as revoked.
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crew', '0004_keys_of_phones'),
    ]

    operations = [
        migrations.AddField(
            model_name='device',
            name='left_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
