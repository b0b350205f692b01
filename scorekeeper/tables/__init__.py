"""The games at the tables: scorecards that are recorded action by action, drawn up by hand or for everybody."""
