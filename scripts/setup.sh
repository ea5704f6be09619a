# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
#
# What ./tsumugi and ./test share: installing missing Debian packages and building a preset. Source it with
# `root` set to the top of the tree. Everything here speaks on stderr and reads nothing from stdin, because
# the caller's stdin and stdout may belong to a game in progress.

readonly exit_cannot_install=3

# A tool counts as present when its command is found, wherever it came from; a library when its package is
# installed. Written as command:package or as a package name.
readonly program_needs=(
    c++:g++ cmake:cmake ninja:ninja-build
    libfmt-dev libcli11-dev nlohmann-json3-dev libsqlite3-dev libzstd-dev libtomlplusplus-dev libnats-dev
)
readonly test_needs=(
    "${program_needs[@]}"
    libgtest-dev libgmock-dev libbenchmark-dev nats-server openssl:openssl iproute2
    clang++:clang ld.lld:lld libclang-rt-14-dev clang-format:clang-format
    node:nodejs npm:npm ca-certificates
)

say() { printf 'tsumugi: %s\n' "$*" >&2; }

is_installed() { dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed; }

# Prints the packages still missing out of the needs given.
missing_packages() {
    local need
    for need in "$@"; do
        if [[ $need == *:* ]]; then
            command -v "${need%%:*}" >/dev/null || printf '%s\n' "${need#*:}"
        elif command -v dpkg-query >/dev/null; then
            is_installed "$need" || printf '%s\n' "$need"
        fi
    done
}

install_packages() {
    local as_root=()
    if ((EUID != 0)); then
        as_root=(sudo -n)
        if ! "${as_root[@]}" true 2>/dev/null; then
            say "these Debian packages are missing and this user may not install them (no root, no password-less sudo):"
            say "    $*"
            say "run this once, then start again:  sudo apt-get install --no-install-recommends $*"
            return "$exit_cannot_install"
        fi
    fi
    say "installing Debian packages: $*"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
    # A fresh machine has no package lists and a stale one may name versions that are gone, so the lists are
    # fetched only when the installation fails without them.
    if ! "${apt[@]}" install --no-install-recommends "$@"; then
        if ! "${apt[@]}" update || ! "${apt[@]}" install --no-install-recommends "$@"; then
            say "apt-get could not install: $* (its messages are above)"
            return "$exit_cannot_install"
        fi
    fi
}

ensure_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} == 0)) && return
    if ! command -v apt-get >/dev/null; then
        say "this is not a Debian system; install what these Debian packages hold, then start again: ${missing[*]}"
        return "$exit_cannot_install"
    fi
    install_packages "${missing[@]}" </dev/null >&2
}

# Was the preset's build folder configured to the end, and for a tree that stood where this one stands?
is_configured() {
    local folder=$root/build/$1
    [[ -e $folder/build.ninja ]] && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"
}

# configure PRESET [cmake arguments…]
configure() {
    local preset=$1 fresh=()
    is_configured "$preset" || fresh=(--fresh)
    (cd "$root" && cmake "${fresh[@]}" --preset "$preset" "${@:2}") </dev/null >&2
}

# Runs a command while holding the lock of the build folder: two first starts at once must not build into
# each other.
with_build_lock() {
    mkdir -p "$root/build"
    (
        if ! flock -n 9; then
            say "waiting for another build in $root/build"
            flock 9
        fi
        "$@" 9>&-
    ) 9>"$root/build/.lock"
}
