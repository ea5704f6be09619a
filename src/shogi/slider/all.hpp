// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shogi/slider/bit_arithmetic.hpp"
#include "shogi/slider/bit_arithmetic_avx2.hpp"
#include "shogi/slider/bit_arithmetic_sse.hpp"
#include "shogi/slider/magic_file.hpp"
#include "shogi/slider/magic_simple.hpp"
#include "shogi/slider/magic_turned_file.hpp"
#include "shogi/slider/magic_vertical.hpp"
#include "shogi/slider/pext.hpp"
#include "shogi/slider/ray_walk.hpp"
#include "shogi/slider/rotated.hpp"

namespace tsumugi::shogi::slider {

template <Method... M>
struct MethodList {
    // Calls f.template operator()<M>() for every method.
    template <typename F>
    static void for_each(F&& f) {
        (f.template operator()<M>(), ...);
    }
};

// Every method, the oracle first.
using AllMethods = MethodList<RayWalk, Rotated, MagicSimple, MagicFile, MagicTurnedFile, MagicVertical, Pext,
                              BitArithmetic, BitArithmeticSse, BitArithmeticAvx2>;

}  // namespace tsumugi::shogi::slider
