#!/bin/sh
# Starts `harbormaster` in a container. Status 2 means that a setting is wrong or that Discord refuses the token. Docker
# would then start Harbormaster again forever, and Discord bans an address that asks in vain too often. So the container
# stays, unhealthy, until the host has fixed that and recreates it. Other commands end as they do.
[ "$1" = run ] || exec harbormaster "$@"

pass() {
    told=1
    kill -s "$1" "$bot" 2>/dev/null
}
for name in TERM INT USR1; do
    # shellcheck disable=SC2064
    trap "pass $name" "$name"
done
harbormaster "$@" &
bot=$!
# A signal ends `wait` with a status above 128. In the end Harbormaster has a status of its own. If that was already
# taken, `wait` gives 127.
status=127
while told=; wait "$bot"; found=$?; [ "$found" -eq 127 ] || status=$found; [ "$told" ]; do :; done
[ "$status" -eq 2 ] || exit "$status"

echo "harbormaster: this isn't tried again by itself. Fix it, then run: docker compose up -d --force-recreate" >&2
sleep infinity &
trap 'kill $!; exit 2' TERM INT
wait
