// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/file.hpp"
#include "eval/nnue/kernel/choice.hpp"
#include "eval/random_net.hpp"
#include "property.hpp"

// A net file with some bytes changed and its end cut or extended is refused with a reason, or evaluates positions
// without harm. Each six bytes of the input are an edit: an offset and a byte, or a new size.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    static const std::string original = [] {
        eval::nnue::Architecture smallest;
        smallest.feature = eval::nnue::Feature::kp;
        smallest.width = 32;
        return eval::nnue::net_file_bytes(test::random_net(smallest, 1));
    }();
    std::string file = original;
    for (std::size_t at = 0; at + 6 <= size; at += 6) {
        std::uint32_t offset = 0;
        std::memcpy(&offset, data + at, sizeof offset);
        // Half of the edits fall into the header, where a byte means more than a weight.
        const std::size_t range = (data[at + 4] & 2) != 0 ? 256 : file.size() + 64;
        if ((data[at + 4] & 1) != 0)
            file.resize(offset % range);
        else if (!file.empty())
            file[offset % std::min(range, file.size())] = static_cast<char>(data[at + 5]);
    }
    const auto net = eval::nnue::read_net_file(std::as_bytes(std::span(file)));
    if (!net) {
        fuzz::require(!net.error().message.empty(), "a refusal has a reason");
        return 0;
    }
    const auto evaluator = eval::nnue::make_evaluator(net->parameters, 0, eval::nnue::best_kernel());
    if (!evaluator) return 0;
    const auto evaluation = (*evaluator)->start();
    const shogi::Position position = shogi::Position::even();
    evaluation->reset(position);
    (void)evaluation->evaluate(position);
    return 0;
}
