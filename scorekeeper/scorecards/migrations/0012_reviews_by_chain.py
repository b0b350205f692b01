"""Lets review items and stale cards point at a card's chain, whose id is the card's.

They belong to the log, which knows chains, but no cards.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scorecards", "0011_plain_labels")]

    operations = [
        migrations.AlterField(
            "reviewitem",
            "card",
            models.ForeignKey(
                null=True, on_delete=models.PROTECT, related_name="reviews", to="scorecards.chain"
            ),
        ),
        migrations.AlterField(
            "stalecard",
            "card",
            models.ForeignKey(
                null=True, on_delete=models.CASCADE, related_name="stale_cards", to="scorecards.chain"
            ),
        ),
    ]
