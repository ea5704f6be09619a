#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# check.sh ROOT: every C++ file git knows must be as clang-format writes it. Exit status 77 means skipped.
set -eu
cd "$1"
command -v clang-format >/dev/null || { echo "skipped: clang-format is not installed"; exit 77; }
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "skipped: not a git checkout"; exit 77; }
git ls-files -z --deduplicate -- '*.cpp' '*.hpp' '*.inl' | xargs -0 -n 32 clang-format --dry-run -Werror
