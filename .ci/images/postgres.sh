#!/bin/bash
# Entry point of the stand-in for PostgreSQL: makes a cluster in an empty volume, as user postgres, and runs the server.
set -euo pipefail
if [[ $(id -u) == 0 ]]; then
  install -d -o postgres -g postgres -m 700 "$PGDATA"
  chown postgres /var/lib/postgresql /var/run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0" "$@"
fi
if [[ ! -s $PGDATA/PG_VERSION ]]; then
  [[ -z ${POSTGRES_PASSWORD_FILE:-} ]] || POSTGRES_PASSWORD=$(<"$POSTGRES_PASSWORD_FILE")
  owner=${POSTGRES_USER:-postgres}
  initdb --username="$owner" --pwfile=<(echo "${POSTGRES_PASSWORD:?a password}") --encoding=UTF8 --locale=C \
    --auth-local=trust --auth-host=scram-sha-256 >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  printf "%s\n" "listen_addresses = '*'" "unix_socket_directories = '/var/run/postgresql'" >>"$PGDATA/postgresql.conf"
  database=${POSTGRES_DB:-$owner}
  # without a server that clients could take for the final one
  [[ $database == postgres ]] || echo "create database \"$database\"" | postgres --single -D "$PGDATA" template1 >/dev/null
fi
exec "$@"
