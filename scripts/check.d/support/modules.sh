# Sourced by the rules that need compiled modules: builds them, and sets `flags` for the compiler. shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
public_modules=(NetCore NetClient NetObserve NetHTTP NetSocketCore NetSocket NetSocketServer NetTesting NetTestTraits
    NetTestServer NetOpenAPI NetOpenAPIRuntime NetTestOpenAPI NetStore)
mkdir -p "$all_build"
run_quietly "building" "$all_build/check-build.log" \
    swift build "${all_flags[@]}" >"$all_build/check-build.out" 2>&1 ||
    { cat "$all_build/check-build.out"; exit 1; }
modules=$all_build/debug/Modules
flags=(-I "$modules")
for map in "$root"/Sources/*/module.modulemap; do flags+=(-Xcc "-fmodule-map-file=$map"); done
for folder in "$all_build"/checkouts/*/Sources/*/include; do
    [ -d "$folder" ] || continue
    flags+=(-Xcc -I -Xcc "$folder")
    if [ -f "$folder/module.modulemap" ]; then flags+=(-Xcc "-fmodule-map-file=$folder/module.modulemap"); fi
done
for map in "$all_build"/debug/*.build/module.modulemap; do
    if [ -f "$map" ]; then flags+=(-Xcc "-fmodule-map-file=$map"); fi
done
