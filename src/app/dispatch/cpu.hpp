// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tsumugi::dispatch {

// Can this processor, under this operating system, run code compiled for the named level of x86-64?
// One source file per processor family answers; cmake/isa.cmake picks the file.
bool runs_x86_64_v2();
bool runs_x86_64_v3();

}  // namespace tsumugi::dispatch
