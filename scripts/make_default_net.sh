#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes a net like nets/default.nnue (nets/README.md): games of the teacher, what nets are asked in
# searches of their positions, and a net from random weights that learns to answer like the teacher.
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

# leaves FILE GAMES… OPTION…: what searches of those games ask, and the teacher's answers.
leaves() { once "$1" "$tsumugi" data leaves "${@:2}" -o "$1" --net "$teacher"; }
train() { "$tsumugi" train nnue "$@" --feature K-P --lambda 1 --score-scale 740 --held-out 0.002; }

# A pupil that knows the teacher's own searches …
"$tsumugi" selfplay games.tsa --net "$teacher" --nodes 200 --seed 20261119 --positions $((3000000 / part))
once half.tsa "$tsumugi" data split games.tsa --part 0.5=half.tsa --part 0.25=third-quarter.tsa --part 0.25=last-quarter.tsa
leaves leaves-1.psv half.tsa --nodes 1000 --every 8
train leaves-1.psv --width 256 --epochs 3 --batch 4096 --rate 0.003 --out pupil

# … shows where its own lead, in games that it has not seen and in many short searches of quick ones.
leaves leaves-2.psv third-quarter.tsa last-quarter.tsa --explorer pupil/nn.bin --nodes 1500 --every 10 --seed 2
"$tsumugi" selfplay quick-games.tsa --net "$teacher" --nodes 60 --seed 77 --positions $((4868000 / part))
leaves leaves-3.psv quick-games.tsa --explorer pupil/nn.bin --nodes 150 --every 5 --seed 3
train leaves-1.psv leaves-2.psv leaves-3.psv --width 512 --epochs 1 --batch 2048 --rate 0.002 --out net

# The same net, a little faster.
"$tsumugi" selfplay order.tsa --net net/nn.bin --nodes 60 --seed 20261120 --positions 12000
once order.psv "$tsumugi" data leaves order.tsa -o order.psv --net net/nn.bin --nodes 100 --every 10 --seed 4
once net.bin "$tsumugi" net order net/nn.bin -o net.bin --positions order.psv --limit 200000
printf 'the net: %s\n' "$folder/net.bin"
