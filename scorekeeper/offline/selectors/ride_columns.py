"""The models and columns of a ride's rows, by the format that a phone's app knows.

A phone with format 1 or 2 cannot load a model or column that its app has not heard of. From format 3 on, phones ignore
what they do not know, so later additions need no new format. `scorekeeper.event_rows` has the columns.
"""

from __future__ import annotations

from scorekeeper.event_rows import FIRST_FORMAT, OPEN_FORMAT, PHONE_ROWS
from scorekeeper.offline.row_codec import OTHERS_OPERATION_LABEL, get_label

TABLES_FORMAT, PARTS_FORMAT = FIRST_FORMAT, 2
LATEST_FORMAT = OPEN_FORMAT

# Others' operations: that they exist, and by whom. The content and the result are only for their sender.
OTHERS_COLUMNS = ("id", "event_id", "kind", "actor_id", "outcome", "received_at")
USER = "auth.User"


class RideColumns:
    """The columns that are sent to a phone, by the label of their model. The key comes first.

    Attributes:
        names: the columns' names in the database, also of the rows that are not of one model.
        fields: the names of the models' fields, in the same order.
    """

    def __init__(self, ride_format: int = LATEST_FORMAT) -> None:
        """Choose the models and columns that an app with this format can load."""
        sent = {get_label(rows.model): rows.list_on_phone(ride_format) for rows in PHONE_ROWS}
        fields = {label: found for label, found in sent.items() if found}
        self.fields = {label: [field.attname for field in found] for label, found in fields.items()}
        self.names = {label: [field.column for field in found] for label, found in fields.items()}
        self.names |= {OTHERS_OPERATION_LABEL: list(OTHERS_COLUMNS), USER: ["id", "username"]}
