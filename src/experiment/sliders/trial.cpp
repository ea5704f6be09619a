// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/sliders/trial.hpp"

#include "shogi/slider/all.hpp"

namespace tsumugi::experiment::sliders {

std::vector<std::unique_ptr<Trial>> make_trials() {
    std::vector<std::unique_ptr<Trial>> trials;
    shogi::slider::AllMethods::for_each([&]<typename M>() {
        if constexpr (shogi::slider::is_native<M>) trials.push_back(make_trial<M>());
    });
    return trials;
}

}  // namespace tsumugi::experiment::sliders
