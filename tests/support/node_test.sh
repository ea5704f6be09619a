#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# node_test.sh FOLDER SCRIPT [argument…]
# Installs the packages that FOLDER/package-lock.json pins, once, and runs FOLDER/SCRIPT with node. Exit
# status 77 means skipped: node is absent, or the packages are neither here nor to be had.
set -eu
folder=$1
script=$2
shift 2

skip() {
    echo "skipped: $1"
    exit 77
}

command -v node >/dev/null || skip "node is not installed"
# npm writes this file last and in the same form as the lock file it followed.
installed=$folder/node_modules/.package-lock.json
if [ ! -e "$installed" ] || [ "$installed" -ot "$folder/package-lock.json" ]; then
    command -v npm >/dev/null || skip "npm is not installed"
    if ! messages=$(cd "$folder" && npm ci --ignore-scripts --no-progress --fetch-retries=1 2>&1); then
        printf '%s\n' "$messages"
        # Anything but an unreachable registry is a fault of ours, such as a lock file that does not fit.
        case $messages in
            *ENOTFOUND* | *EAI_AGAIN* | *ECONNREFUSED* | *ECONNRESET* | *ETIMEDOUT* | *ENETUNREACH* | *EHOSTUNREACH* | *ERR_SOCKET_TIMEOUT* | *ENOTCACHED* | *SELF_SIGNED_CERT* | *UNABLE_TO_GET_ISSUER_CERT* | *UNABLE_TO_VERIFY_LEAF*)
                skip "the package registry cannot be reached" ;;
        esac
        exit 1
    fi
    touch "$installed"
fi
exec node "$folder/$script" "$@"
