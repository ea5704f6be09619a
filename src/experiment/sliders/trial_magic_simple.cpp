// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/sliders/trial.inl"
#include "shogi/slider/magic_simple.hpp"

namespace tsumugi::experiment::sliders {

template std::unique_ptr<Trial> make_trial<shogi::slider::MagicSimple>();

}  // namespace tsumugi::experiment::sliders
