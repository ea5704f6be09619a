#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes nets/default.nnue again (nets/README.md): games of the teacher, positions beside them, a net from random weights.
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

# play FILE NODES SEED POSITIONS
play() { "$tsumugi" selfplay "$1" --net "$teacher" --nodes "$2" --seed "$3" --positions $(($4 / part)); }
# once FILE COMMAND…: of a file that is there, nothing is left to do.
once() { [[ -e $1 ]] || "${@:2}"; }

play a.tsa 1000 20261116 867323
play b.tsa 300 20261117 7661000
play c.tsa 300 20261118 835001
once quiet.psv "$tsumugi" data filter a.tsa b.tsa c.tsa -o quiet.psv --min-ply 8 --max-score 3000 --no-check --quiet 60 --net "$teacher"
once beside-2.psv "$tsumugi" data branch a.tsa b.tsa c.tsa -o beside-2.psv --count 2 --moves 2 --seed 7 --net "$teacher"
once beside-4.psv "$tsumugi" data branch a.tsa b.tsa c.tsa -o beside-4.psv --count 2 --moves 4 --seed 8 --net "$teacher"
"$tsumugi" train nnue quiet.psv beside-2.psv beside-4.psv --feature K-P --width 256 --epochs 5 --batch 4096 --rate 0.003 \
    --lambda 1 --score-scale 740 --out run
printf 'the net: %s\n' "$folder/run/nn.bin"
