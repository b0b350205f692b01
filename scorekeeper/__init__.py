"""The Django side of Tailgunner: one room a folder, imports pointing towards `common` only."""
