// SPDX-License-Identifier: GPL-3.0-or-later

// The start of the program: the binary holds the whole program once per instruction set, and this file
// picks the one to run (docs/decisions/run-time-dispatch.md). It is compiled for the oldest processor and
// includes no other code of the project, because whatever it shared would be compiled twice.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/dispatch/cpu.hpp"

// A build may leave some of them out (TSUMUGI_ISAS); the address of a missing one is null.
extern "C" {
[[gnu::weak]] int tsumugi_main_v3(int argc, char** argv);
[[gnu::weak]] int tsumugi_main_v2(int argc, char** argv);
[[gnu::weak]] int tsumugi_main_generic(int argc, char** argv);
}

namespace {

using Main = int (*)(int, char**);

struct Variant {
    const char* name;
    Main main;
    bool runs_here;
};

constexpr int exit_usage = 2;

Main choose(const char* wanted) {
    // Fastest first.
    const std::array variants{
        Variant{"v3", tsumugi_main_v3, tsumugi::dispatch::runs_x86_64_v3()},
        Variant{"v2", tsumugi_main_v2, tsumugi::dispatch::runs_x86_64_v2()},
        Variant{"generic", tsumugi_main_generic, true},
    };
    for (const Variant& each : variants) {
        const bool usable = each.main != nullptr && each.runs_here;
        if (wanted == nullptr) {
            if (usable) return each.main;
        } else if (each.name == std::string_view(wanted)) {
            if (usable) return each.main;
            std::fprintf(stderr, "tsumugi: TSUMUGI_ISA=%s cannot be used: %s\n", wanted,
                         each.main == nullptr ? "this binary was built without it (CMake variable TSUMUGI_ISAS)"
                                              : "this processor cannot run it");
            return nullptr;
        }
    }
    if (wanted == nullptr)
        std::fputs(
            "tsumugi: this processor can run none of the instruction sets in this binary; "
            "rebuild with -DTSUMUGI_ISAS=generic\n",
            stderr);
    else
        std::fprintf(stderr, "tsumugi: TSUMUGI_ISA must be v3, v2 or generic, got '%s'\n", wanted);
    return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
    const Main chosen = choose(std::getenv("TSUMUGI_ISA"));
    return chosen == nullptr ? exit_usage : chosen(argc, argv);
}
