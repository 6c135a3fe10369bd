# Shared by the scripts: the package's folder, the flags of builds, and messages. Sourced, not run.
# shellcheck shell=bash
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# One build folder for all traits; `.build` stays for plain builds.
all_build="$root/.build-all"
# Each module in one piece, without a separate pass for its interface: about half the compiler's time in a build from scratch,
# because no file is parsed and checked several times. (Two threads, because SwiftPM expects an object for each file.) LLVM's
# check of its own code finds only mistakes of the compiler, and takes an eighth of the rest; the index of modules that aren't
# ours takes a fifth, and SwiftPM, which looks for XCTest's tests in the index, doesn't need it.
whole_modules=(
    -Xswiftc -whole-module-optimization -Xswiftc -no-emit-module-separately-wmo -Xswiftc -num-threads -Xswiftc 2
    -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify
    -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules
)
# The same flags in every script: other flags would compile everything again. Without debug information, a clean build takes
# less time; for a debugger, build into another folder. More jobs than cores: the largest modules of tests begin earlier, so that
# fewer cores wait for the last one. LLD, which Swift brings along, links the test program in half the time of GNU ld.
all_flags=(
    --package-path "$root" --scratch-path "$all_build" --enable-all-traits -debug-info-format none -Xswiftc -use-ld=lld
    --jobs $(($(nproc 2>/dev/null || echo 2) + 2))
)
# With NET_INCREMENTAL=1, a change compiles only the files that it concerns. The build folder remembers it.
if [ "${NET_INCREMENTAL:-}" = 1 ]; then
    mkdir -p "$all_build"
    touch "$all_build/incremental"
fi
if [ ! -e "$all_build/incremental" ]; then all_flags+=("${whole_modules[@]}"); fi
# For the scripts in Python, which share this build folder: a flag in each line.
NET_BUILD_FLAGS=$(printf '%s\n' "${all_flags[@]}")
export NET_BUILD_FLAGS

# Prints why the script stops, and exits with 1.
die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# True if lines may be rewritten in place.
is_terminal() { [ -t 1 ] && [ "${TERM:-dumb}" != dumb ] && [ -z "${NO_COLOR:-}" ] && [ -z "${CI:-}" ]; }

seconds_since() { echo $(($(date +%s) - $1)); }

# Prints the CPU time of a process and its descendants, in clock ticks. Reads /proc: a small system has no `ps`.
ticks_of() {
    { cat /proc/[0-9]*/stat 2>/dev/null || true; } | sed -E 's/^([0-9]+) \(.*\) /\1 /' | awk -v top="$1" '
        { parent[$1] = $3; ticks[$1] = $13 + $14 + $15 + $16 }
        END {
            for (p in parent) {
                q = p
                while (q != top && q in parent) q = parent[q]
                if (q == top) total += ticks[p]
            }
            print total + 0
        }'
}

# show_progress LABEL LOG PID: shows the progress of a build until it ends. False if the build was stuck for two minutes,
# without output or CPU time: `swift build` 6.3 waited for itself once in a few hundred builds.
show_progress() {
    local label=$1 log=$2 pid=$3 start line shown='' told=0 state last='' changed=$SECONDS looked=$SECONDS
    start=$(date +%s)
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
        [ $((SECONDS - looked)) -ge 10 ] || continue
        looked=$SECONDS
        [ -r "/proc/$pid/stat" ] || continue
        state="$(stat -c %s "$log") $(ticks_of "$pid")"
        if [ "$state" != "$last" ]; then
            last=$state
            changed=$SECONDS
        elif [ $((SECONDS - changed)) -ge "${NET_STUCK_SECONDS:-120}" ]; then
            return 1
        fi
    done
}

# run_quietly LABEL LOG COMMAND…: shows only the progress of a build, and its last lines if it fails. A stuck build is
# restarted once. Without the variable, SwiftPM 6.3 passes the package's traits to the compiler in a different order each time,
# and so compiles everything again.
run_quietly() {
    local label=$1 log=$2 start pid attempt
    shift 2
    start=$(date +%s)
    for attempt in 1 2; do
        SWIFT_DETERMINISTIC_HASHING=1 "$@" >"$log" 2>&1 &
        pid=$!
        # The build ends with its parent, so that an interrupted script leaves no build behind.
        trap 'kill "$pid" 2>/dev/null || true' EXIT
        if show_progress "$label" "$log" "$pid"; then break; fi
        echo "$label is stuck$([ "$attempt" -eq 2 ] || echo '; restarting it')"
        pkill -KILL -P "$pid" 2>/dev/null || true
        kill -KILL "$pid" 2>/dev/null || true
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

# find_cases: sets `cases_program` to the path of conformance-cases, which runs several conformance sets: NET_CASES if it is
# already built. Otherwise, builds it.
find_cases() {
    local build="$root/.build-conformance"
    cases_program=${NET_CASES:-$build/cases/release/conformance-cases}
    if [ -n "${NET_CASES:-}" ]; then return; fi
    mkdir -p "$build"
    run_quietly "build" "$build/cases.log" swift build -c release --package-path "$root" \
        --scratch-path "$build/cases" --product conformance-cases
}

# Prints the browser for the checks: NET_CHROMIUM, or the first one on the path. Fails silently if there is none.
find_chromium() {
    local name
    if [ -n "${NET_CHROMIUM:-}" ]; then echo "$NET_CHROMIUM" && return; fi
    for name in chromium-headless-shell chromium google-chrome; do command -v "$name" && return; done
    return 1
}

no_chromium="there is no Chromium; install chromium-headless-shell, or set NET_CHROMIUM to the path of one"

# install_browser_packages FOLDER: installs Playwright, for checks written in Python, into FOLDER/report-python.
install_browser_packages() {
    local packages=$1/report-python wanted="$root/Fixtures/report/requirements.txt"
    if cmp -s "$wanted" "$packages/installed.txt"; then return; fi
    rm -rf "$packages"
    mkdir -p "$1"
    run_quietly "packages" "$1/report-python.log" timeout 300 bash -c 'python3 -m venv "$1" &&
        "$1/bin/pip" install --disable-pip-version-check -r "$2" && cp "$2" "$1/installed.txt"' - "$packages" "$wanted"
}
