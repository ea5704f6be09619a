#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# check.sh NM entry ISA OBJECT        the sealed object shows one symbol, its entry
# check.sh NM unshared OBJECT…        no object holds an inline function that the linker could give to others
# (docs/decisions/run-time-dispatch.md says why)
set -eu
nm=$1
claim=$2
shift 2

fail() {
    printf '%s\n' "$@"
    exit 1
}

case $claim in
    entry)
        found=$("$nm" --extern-only --defined-only --format=posix "$2" | cut -d' ' -f1)
        [ "$found" = "tsumugi_main_$1" ] || fail "$2 must show only tsumugi_main_$1, but shows:" "$found"
        ;;
    unshared)
        [ $# -gt 0 ] || fail "no objects given"
        for object in "$@"; do
            # W and u are weak and unique definitions. V is data: no instruction of the wrong kind can hide in it.
            shared=$("$nm" --defined-only --demangle "$object" | grep -E '^[0-9a-f]+ [Wu] ' || true)
            [ -z "$shared" ] || fail "$object is compiled for special processors and must share no function:" "$shared"
        done
        ;;
    *) fail "unknown claim: $claim" ;;
esac
