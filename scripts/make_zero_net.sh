#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes nets/zero.nnue again (nets/README.md): ten generations from counting that learn from their games, then four
# that learn mostly from positions beside their games.
#   scripts/make_zero_net.sh FOLDER [PART]
# PART makes everything so many times smaller, to try the way. Every step can be interrupted; the same command goes on.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
if (($# < 1)); then
    sed -n '4,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
folder=$1 part=${2:-1}
tsumugi=${TSUMUGI:-$root/tsumugi}
mkdir -p "$folder"
cd "$folder"

# generations FOLDER COUNT POSITIONS OPTION…: prints what `learn zero` prints, and ends with the best net of the folder.
generations() {
    "$tsumugi" learn zero "$1" --generations "$2" --positions $(($3 / part)) --nodes 200 --games $((400 / part)) "${@:4}"
}

generations first 10 2500000 | tee first.txt
ancestor=$(sed -n 's/^best net: //p' first.txt)
[[ -e $ancestor ]] || { echo "no generation was better than counting: too few positions" >&2 && exit 1; }
generations second 3 400000 --go-on-from "$ancestor" --beside 3 --beside-nodes 100
generations second 4 400000 --go-on-from "$ancestor" --beside 6 --beside-nodes 100
