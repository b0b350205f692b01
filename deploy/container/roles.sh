#!/bin/sh
# Creates the processes' role, which owns nothing. The image runs this once as the owner, when it creates the database.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$TAILGUNNER_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE tailgunner LOGIN PASSWORD :'password';
SQL
