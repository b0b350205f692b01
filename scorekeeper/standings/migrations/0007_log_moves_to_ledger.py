"""Points revisions at the operation's model in `ledger`. The table is the same, so only the state changes."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0001_initial'),
        ('standings', '0006_last_sweep'),
    ]

    run_before = [("scorecards", "0013_log_moves_to_ledger")]  # which deletes the model from the state

    state_operations = [
        migrations.AlterField(
            model_name='revision',
            name='operation',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='revision', to='ledger.operation'),
        ),
    ]

    operations = [migrations.SeparateDatabaseAndState(state_operations=state_operations)]
