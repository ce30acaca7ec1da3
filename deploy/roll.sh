#!/bin/sh
# Gives each process of compose.many.yaml the current image and settings, one after the other. While one is away, the
# others have its shards. If a new one isn't ready in two minutes, it stops with an error and leaves the rest as they
# are.
set -eu
cd "$(dirname "$0")/.."
bots="docker compose -f compose.many.yaml"

ready() {
    for bot in $($bots ps --all --quiet bot); do
        case $old in
        *"$bot"*) ;;
        *) docker exec "$bot" python /healthcheck.py /readyz || return 1 ;;
        esac
    done
}

$bots build bot
old=$($bots ps --all --quiet bot)
for one in $old; do
    docker stop "$one"
    docker rm "$one"
    $bots up --detach --no-deps --no-recreate bot
    tries=60
    until ready; do
        tries=$((tries - 1))
        test "$tries" -gt 0 || { echo "A new process isn't ready. See why: $bots logs bot" >&2; exit 1; }
        sleep 2
    done
done
