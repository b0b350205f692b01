"""The Django side of Tailgunner: one app per folder, with imports pointing towards `common` only."""
