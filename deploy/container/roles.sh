#!/bin/sh
# Makes the role of the processes when the database is made; it owns nothing. The image runs this once, as the owner.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$TAILGUNNER_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE tailgunner LOGIN PASSWORD :'password';
SQL
