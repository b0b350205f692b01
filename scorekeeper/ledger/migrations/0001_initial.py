"""Takes over the models of the log from `scorecards`. The tables exist, so only the state changes."""

import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('events', '0005_plain_labels'),
        ('stops', '0001_initial'),
        ('scorecards', '0012_reviews_by_chain'),
    ]

    state_operations = [
        migrations.CreateModel(
            name='Operation',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=20)),
                ('actor_id', models.UUIDField()),
                ('device_id', models.UUIDField(null=True)),
                ('digest', models.CharField(max_length=64)),
                ('body', models.JSONField()),
                ('outcome', models.CharField(choices=[('recorded', 'Recorded'), ('merged', 'Already recorded'), ('conflict', 'Conflict'), ('refused', 'Refused'), ('late', 'Late'), ('review', 'Under review')], max_length=10)),
                ('receipt', models.JSONField()),
                ('received_at', models.DateTimeField()),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='operations', to='events.event')),
            ],
            options={
                'db_table': 'scorecards_operation',
            },
        ),
        migrations.CreateModel(
            name='Chain',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('card', 'Scorecard'), ('contest', 'Contest'), ('event', 'Event'), ('review', 'Review')], max_length=10)),
                ('length', models.PositiveIntegerField(default=0)),
                ('head', models.CharField(blank=True, default='', max_length=64)),
                ('is_sealed', models.BooleanField(default=False)),
                ('is_alias', models.BooleanField(default=False)),
                ('snapshot', models.TextField(blank=True, default='', editable=False)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chains', to='events.event')),
            ],
            options={
                'db_table': 'scorecards_chain',
            },
        ),
        migrations.CreateModel(
            name='OperationReason',
            fields=[
                ('operation', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='reason', serialize=False, to='ledger.operation')),
                ('salt', models.CharField(max_length=32)),
                ('text', models.TextField()),
            ],
            options={
                'db_table': 'scorecards_note',
            },
        ),
        migrations.CreateModel(
            name='ReviewItem',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('reason', models.CharField(choices=[('conflict', 'Two entries for one turn differ'), ('rule', 'The rules do not allow it on this scorecard'), ('late', 'The contest was closed'), ('stale', 'A newer entry was already there'), ('undone', 'The same entry was recorded first and later voided'), ('revoked', 'The phone had been signed out, or its link had expired')], max_length=10)),
                ('against', models.JSONField(default=list)),
                ('problems', models.JSONField(default=list)),
                ('opened_at', models.DateTimeField()),
                ('settled_at', models.DateTimeField(null=True)),
                ('decision', models.CharField(blank=True, choices=[('keep', 'Keep the current entry'), ('apply', 'Use the entry under review'), ('other_slot', 'Both were rolled: another turn at this stop')], max_length=12)),
                ('card', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to='ledger.chain')),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to='events.contest')),
                ('operation', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='review', to='ledger.operation')),
                ('settled_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='settled', to='ledger.operation')),
                ('slot', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='stops.slot')),
            ],
            options={
                'db_table': 'scorecards_reviewitem',
                'ordering': ['opened_at'],
            },
        ),
        migrations.CreateModel(
            name='StaleCard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('card', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='stale_cards', to='ledger.chain')),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stale_cards', to='events.contest')),
            ],
            options={
                'db_table': 'scorecards_outdated',
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=20)),
                ('body', models.TextField()),
                ('hash', models.CharField(max_length=64)),
                ('at', models.DateTimeField()),
                ('chain', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='ledger.chain')),
                ('slot', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='stops.slot')),
                ('operation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='ledger.operation')),
            ],
            options={
                'db_table': 'scorecards_entry',
                'ordering': ['chain', 'seq'],
                'constraints': [models.UniqueConstraint(fields=('chain', 'seq'), name='entry_seq_once_per_chain')],
            },
        ),
    ]

    operations = [migrations.SeparateDatabaseAndState(state_operations=state_operations)]
