#!/bin/sh
# Starts `harbormaster` in a container. Docker would start a bot again for ever whose setting is wrong or whose token is
# refused (status 2), and Discord bans an address that asks in vain too often: so the container stays, unhealthy, until
# the host has mended it and makes it anew. Other commands end as they do.
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
# A signal ends `wait` with a status above 128; the bot has a status of its own in the end, or has had it (127) by then.
status=127
while told=; wait "$bot"; found=$?; [ "$found" -eq 127 ] || status=$found; [ "$told" ]; do :; done
[ "$status" -eq 2 ] || exit "$status"

echo "harbormaster: this isn't tried again by itself. Mend it, then: docker compose up -d --force-recreate" >&2
sleep infinity &
trap 'kill $!; exit 2' TERM INT
wait
