"""Leaves the models of the log to `ledger`. The tables stay, so only the state changes."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0001_initial'),
        ('scorecards', '0012_reviews_by_chain'),
    ]

    state_operations = [
        migrations.AlterField(
            model_name='scorecard',
            name='chain',
            field=models.OneToOneField(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='card', to='ledger.chain'),
        ),
        migrations.DeleteModel(name='Entry'),
        migrations.DeleteModel(name='OperationReason'),
        migrations.DeleteModel(name='ReviewItem'),
        migrations.DeleteModel(name='StaleCard'),
        migrations.DeleteModel(name='Operation'),
        migrations.DeleteModel(name='Chain'),
    ]

    operations = [migrations.SeparateDatabaseAndState(state_operations=state_operations)]
