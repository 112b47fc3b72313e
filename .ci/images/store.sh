#!/bin/bash
# Entry point of the stand-ins for Redis and Valkey: options alone are those of the server, which runs without root.
set -euo pipefail
[[ ${1:--} != -* ]] || set -- "$NAME-server" "$@"
if [[ $1 == "$NAME-server" ]]; then
  set -- "$@" --protected-mode no
  if [[ $(id -u) == 0 ]]; then
    chown -R "$NAME:$NAME" /data
    exec setpriv --reuid="$NAME" --regid="$NAME" --clear-groups "$@"
  fi
fi
exec "$@"
