# Shared by the scripts: where the package is, how messages look. Sourced, not run.
# shellcheck shell=bash
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# One build folder for all traits; `.build` stays for plain builds.
all_build="$root/.build-all"

# Says why the script stops, and stops.
die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# Whether lines may be rewritten in place.
is_terminal() { [ -t 1 ] && [ "${TERM:-dumb}" != dumb ] && [ -z "${NO_COLOR:-}" ] && [ -z "${CI:-}" ]; }

seconds_since() { echo $(($(date +%s) - $1)); }

# run_quietly LABEL LOG COMMAND…: shows how far a build is, nothing else; its last lines when it fails.
run_quietly() {
    local label=$1 log=$2 start pid line shown='' told=0
    shift 2
    start=$(date +%s)
    "$@" >"$log" 2>&1 &
    pid=$!
    # Ends with its parent, so that an interrupted script leaves no build behind.
    trap 'kill "$pid" 2>/dev/null || true' EXIT
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.5
        line=$(tail -c 400 "$log" | tr '\r' '\n' | grep -oE '^\[[0-9]+/[0-9]+\]' | tail -n 1 || true)
        if is_terminal; then
            printf '\r%-78s' "$label $line $(seconds_since "$start") s"
        elif [ "$(seconds_since "$start")" -ge $((told + 10)) ] && [ "$line" != "$shown" ]; then
            told=$(seconds_since "$start")
            shown=$line
            echo "$label $line $told s"
        fi
    done
    trap - EXIT
    if is_terminal; then printf '\r%-78s\r' ''; fi
    if wait "$pid"; then
        echo "$label done, $(seconds_since "$start") s"
    else
        grep -E 'error:|error ' "$log" | cut -c1-98 | head -n 20 >&2 || true
        tail -n 15 "$log" | cut -c1-98 >&2
        die "$label failed; the whole log: $log"
    fi
}
