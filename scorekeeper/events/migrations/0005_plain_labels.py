
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0004_sign_in_by_browser'),
    ]

    operations = [
        migrations.AlterField(
            model_name='event',
            name='is_listed',
            field=models.BooleanField(default=False, help_text='An event that is not listed can only be found by its share link.', verbose_name='listed on the front page'),
        ),
        migrations.AlterField(
            model_name='event',
            name='people_shown',
            field=models.CharField(choices=[('names', 'Names'), ('initials', 'Initials'), ('numbers', 'Bike numbers only')], default='names', max_length=10, verbose_name='how people are shown on public pages'),
        ),
    ]
