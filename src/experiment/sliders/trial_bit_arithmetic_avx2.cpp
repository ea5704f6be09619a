// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/sliders/trial.inl"
#include "shogi/slider/bit_arithmetic_avx2.hpp"

namespace tsumugi::experiment::sliders {

template std::unique_ptr<Trial> make_trial<shogi::slider::BitArithmeticAvx2>();

}  // namespace tsumugi::experiment::sliders
