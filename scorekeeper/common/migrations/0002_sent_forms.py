

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('common', '0001_use_counts'),
    ]

    operations = [
        migrations.CreateModel(
            name='SentForm',
            fields=[
                ('key', models.CharField(editable=False, max_length=64, primary_key=True, serialize=False)),
                ('location', models.TextField(blank=True, editable=False)),
                ('page', models.BinaryField(null=True)),
                ('sent_at', models.DateTimeField(db_index=True, editable=False)),
            ],
        ),
    ]
