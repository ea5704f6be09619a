#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes nets/default.nnue again (nets/README.md): games of the teacher, what it is asked in
# searches of their positions, and a net from random weights that learns to answer alike.
#   scripts/make_default_net.sh TEACHER FOLDER [PART]
# PART makes everything so many times smaller, to try the way. Every step can be interrupted; the same command goes on.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
if (($# < 2)); then
    sed -n '4,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
teacher=$(readlink -f "$1") folder=$2 part=${3:-1}
tsumugi=${TSUMUGI:-$root/tsumugi}
mkdir -p "$folder"
cd "$folder"

# once FILE COMMAND…: of a file that is there, nothing is left to do.
once() { [[ -e $1 ]] || "${@:2}"; }

"$tsumugi" selfplay games.tsa --net "$teacher" --nodes 200 --seed 20261119 --positions $((3000000 / part))
once half.tsa "$tsumugi" data split games.tsa --part 0.5=half.tsa --part 0.25=third-quarter.tsa --part 0.25=last-quarter.tsa
once leaves.psv "$tsumugi" data leaves half.tsa -o leaves.psv --nodes 1000 --every 8 --net "$teacher"
"$tsumugi" train nnue leaves.psv --feature K-P --width 256 --epochs 3 --batch 4096 --rate 0.003 --lambda 1 --score-scale 740 \
    --held-out 0.002 --out run
printf 'the net: %s\n' "$folder/run/nn.bin"
